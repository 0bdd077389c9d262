/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Selects the max_components largest components: a radix selection finds the smallest key to
 * keep, from its highest digit down. */

#ifndef CCA_CUDA_COMPACT_SELECT_CUH
#define CCA_CUDA_COMPACT_SELECT_CUH

#include "records.cuh"

/* The next digit of the smallest of the `n_left` largest keys. `n_left` becomes the number of
 * keys to keep that have this digit. Called by all threads of a block. */
DEVICE uint32_t choose_digit(const uint32_t *const bins, uint32_t *const n_left)
{
    const uint32_t per_thread = CCA_SELECT_BINS / CCA_SELECT_THREADS;
    __shared__ uint32_t sums[CCA_SELECT_THREADS], digit, rest;

    /* Thread 0 sums up the highest digits. */
    const uint32_t top = CCA_SELECT_BINS - 1 - threadIdx.x * per_thread;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < per_thread; i++)
        sum += bins[top - i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    uint32_t before = 0;
    for (uint32_t i = 0; i < threadIdx.x; i++)
        before += sums[i];
    if (before < *n_left && *n_left <= before + sum) {
        uint32_t d = top;
        for (uint32_t count; before + (count = bins[d]) < *n_left; d--)
            before += count;
        digit = d;
        rest = *n_left - before;
    }
    __syncthreads();
    *n_left = rest;
    return digit;
}

/* A pass of the selection counts the digit at `shift` of all keys that start with `prefix`.
 * Blocks have CCA_SELECT_THREADS threads. */
struct SelectPass {
    uint32_t *bins; /* the block's histogram, in shared memory */
    uint64_t prefix;
    uint32_t shift;
};

/* Begins pass 0 to CCA_SELECT_DIGITS: determines the digit that the pass before has counted.
 * Returns false if no digit is left to count. */
DEVICE bool begin_select(const CudaCompact &compact, const uint32_t pass, SelectPass &s)
{
    __shared__ uint32_t bins[CCA_SELECT_BINS];
    const uint32_t n = compact.header->n_found;
    const bool writes = blockIdx.x == 0 && threadIdx.x == 0;
    CudaSelectState state = { 0, compact.max_components, 0 };
    if (n <= compact.max_components) { /* all are kept: 0 is the smallest key to keep */
        if (writes)
            compact.states[pass] = state;
        return false;
    }
    if (pass > 0) {
        state = compact.states[pass - 1];
        const uint32_t digit = choose_digit(compact.bins + (pass - 1) * CCA_SELECT_BINS,
                                            &state.n_left);
        state.prefix = state.prefix << CCA_SELECT_DIGIT_BITS | digit;
    }
    if (writes)
        compact.states[pass] = state;
    if (pass == CCA_SELECT_DIGITS)
        return false;
    for (uint32_t i = threadIdx.x; i < CCA_SELECT_BINS; i += CCA_SELECT_THREADS)
        bins[i] = 0;
    __syncthreads();
    s = { bins, state.prefix, (CCA_SELECT_DIGITS - 1 - pass) * CCA_SELECT_DIGIT_BITS };
    return true;
}

DEVICE void count_key(const SelectPass &s, const uint32_t area, const uint32_t rank)
{
    const uint64_t key = select_key(area, rank) >> s.shift;
    if (key >> CCA_SELECT_DIGIT_BITS == s.prefix)
        atomicAdd(s.bins + (key & (CCA_SELECT_BINS - 1)), 1);
}

DEVICE void end_select(const CudaCompact &compact, const uint32_t pass, const SelectPass &s)
{
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CCA_SELECT_BINS; i += CCA_SELECT_THREADS)
        if (s.bins[i] > 0)
            atomicAdd(compact.bins + pass * CCA_SELECT_BINS + i, s.bins[i]);
}

#endif /* CCA_CUDA_COMPACT_SELECT_CUH */
