/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "records.cuh"

/* Look-back (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back",
 * 2016): a strip publishes its own count first, and the sum of all strips up to itself once it
 * has read the states before. A state is the word epoch << 34 | kind << 32 | count. A state of
 * another epoch is left from another frame. The first frame after the tables were cleared has
 * epoch 1. */
#define STRIP_COUNT 1u
#define STRIP_SUM 2u

DEVICE uint64_t strip_state(const uint32_t epoch, const uint32_t kind, const uint32_t count)
{
    return (uint64_t) epoch << 34 | (uint64_t) kind << 32 | count;
}

/* A strip is a row of patches. One thread counts one of SCAN_PARTS parts of one pixel row. */
#define SCAN_PARTS (CCA_RANK_THREADS / CCA_PATCH_HEIGHT)
#define SCAN_WARPS (CCA_RANK_THREADS / WARP)
static_assert(CCA_PATCH_HEIGHT == 2 * WARP, "a row for each lane, twice");

/* Number of bits in all strips before `strip`. Each thread of the block reads the state of one
 * strip; a second iteration is rare. */
DEVICE uint32_t look_back(const CudaCompact &compact, const uint32_t epoch, const uint32_t strip)
{
    __shared__ uint32_t warp_counts[SCAN_WARPS], warp_sums[SCAN_WARPS];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint32_t before = 0;
    for (int32_t end = (int32_t) strip; end > 0; end -= CCA_RANK_THREADS) {
        const int32_t i = end - 1 - (int32_t) threadIdx.x;
        uint32_t kind = STRIP_COUNT, count = 0;
        if (i >= 0) {
            uint64_t state;
            do {
                state = load_relaxed(compact.strips + i);
            } while ((uint32_t) (state >> 34) != epoch);
            kind = (uint32_t) (state >> 32) & 3;
            count = (uint32_t) state;
        }
        /* Adds the counts of the strips up to the nearest sum, and that sum. */
        const uint32_t sums = __ballot_sync(ALL_LANES, kind == STRIP_SUM);
        count = warp_sum(sums & lane_mask_lt() ? 0 : count);
        if (lane == 0) {
            warp_counts[warp] = count;
            warp_sums[warp] = sums;
        }
        __syncthreads();
        bool found = false;
        for (uint32_t w = 0; w < SCAN_WARPS && !found; w++) {
            before += warp_counts[w];
            found = warp_sums[w] != 0;
        }
        if (found)
            break;
        __syncthreads();
    }
    return before;
}

/* Counts that a thread keeps in registers: all of them for frames up to 8192 pixels wide. */
#define HELD_COUNTS 8

DEVICE void load_counts(uint32_t (&held)[HELD_COUNTS], const CudaCompact &compact,
                        const uint32_t place, const uint32_t n)
{
#pragma unroll
    for (uint32_t k = 0; k < HELD_COUNTS; k++)
        held[k] = k < n ? compact.counts[place + k * CCA_PATCH_HEIGHT] : 0;
}

/* Grid: patches_y blocks of CCA_RANK_THREADS threads. */
extern "C" __global__ void __launch_bounds__(CCA_RANK_THREADS)
    cca_rank_scan(const CudaCompact compact)
{
    __shared__ uint32_t counts[SCAN_PARTS][CCA_PATCH_HEIGHT];
    __shared__ uint64_t shared_ticket;

    begin_first();
    /* Strips are numbered in the order in which blocks start, so look_back() only waits for
     * blocks that have started: it cannot deadlock. The increment may precede wait_for_last()
     * because no other kernel uses `ticket` before this one has ended. */
    if (threadIdx.x == 0)
        shared_ticket = atomicAdd((unsigned long long *) compact.ticket, 1);
    wait_for_last();
    __syncthreads();
    const uint32_t strip = (uint32_t) shared_ticket;
    const uint32_t epoch = (uint32_t) (shared_ticket >> 32) + 1;
    const uint32_t row = threadIdx.x % CCA_PATCH_HEIGHT, part = threadIdx.x / CCA_PATCH_HEIGHT;
    const uint32_t lane = threadIdx.x % WARP;

    const uint32_t per_part = (compact.patches_x - 1) / SCAN_PARTS + 1;
    const uint32_t from = min(part * per_part, compact.patches_x);
    const uint32_t n = min(from + per_part, compact.patches_x) - from;
    const uint32_t place = (strip * compact.patches_x + from) * CCA_PATCH_HEIGHT + row;
    uint32_t held[HELD_COUNTS], count = 0;
    for (uint32_t i = 0; i < n; i += HELD_COUNTS) {
        load_counts(held, compact, place + i * CCA_PATCH_HEIGHT, n - i);
#pragma unroll
        for (uint32_t k = 0; k < HELD_COUNTS; k++)
            count += held[k];
    }
    counts[part][row] = count;
    __syncthreads();

    uint32_t upper = 0, lower = 0, prefix = 0; /* halves of the strip, one row per lane */
    for (uint32_t p = 0; p < SCAN_PARTS; p++) {
        upper += counts[p][lane];
        lower += counts[p][WARP + lane];
        prefix += p < part ? counts[p][row] : 0;
    }
    const uint32_t in_row = row < WARP ? upper : lower;
    prefix += warp_sum_up_to(in_row) - in_row;
    const uint32_t upper_sum = warp_sum(upper), total = upper_sum + warp_sum(lower);
    if (row >= WARP)
        prefix += upper_sum;
    if (threadIdx.x == 0 && strip > 0)
        store_relaxed(compact.strips + strip, strip_state(epoch, STRIP_COUNT, total));
    const uint32_t before = look_back(compact, epoch, strip);
    prefix += before;
    for (uint32_t i = 0; i < n; i += HELD_COUNTS) {
        if (n > HELD_COUNTS)
            load_counts(held, compact, place + i * CCA_PATCH_HEIGHT, n - i);
#pragma unroll
        for (uint32_t k = 0; k < HELD_COUNTS; k++) {
            if (i + k < n)
                compact.prefix[place + (i + k) * CCA_PATCH_HEIGHT] = prefix;
            prefix += held[k];
        }
    }
    if (threadIdx.x > 0)
        return;
    store_relaxed(compact.strips + strip, strip_state(epoch, STRIP_SUM, before + total));
    if (strip == compact.patches_y - 1) { /* all other blocks have their strip */
        *compact.ticket = (uint64_t) epoch << 32;
        compact.header->n_found = before + total;
        compact.header->n_emitted = 0;
    }
}
