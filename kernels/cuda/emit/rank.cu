/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "records.cuh"

/* Look-back (Merrill and Garland, "Single-pass parallel prefix scan with
 * decoupled look-back", 2016): a chunk publishes its own count at once, and
 * the sum of all chunks up to itself as soon as it has seen those before. A
 * state is epoch << 34 | kind << 32 | count, all that the reader needs; other
 * epochs are other frames. The
 * first frame after the tables were cleared has epoch 1. */
#define CHUNK_COUNT 1u
#define CHUNK_SUM 2u

DEVICE uint64_t chunk_state(const uint32_t epoch, const uint32_t kind, const uint32_t count)
{
    return (uint64_t) epoch << 34 | (uint64_t) kind << 32 | count;
}

#define SCAN_WARPS (CCA_CHUNK_SEGMENTS / WARP)

/* Bits in all chunks before `chunk`. By a whole block, each thread looking at one
 * of the chunks: it seldom takes a second time. */
DEVICE uint32_t look_back(const CudaEmit &emit, const uint32_t epoch, const uint32_t chunk)
{
    __shared__ uint32_t warp_counts[SCAN_WARPS], warp_sums[SCAN_WARPS];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint32_t before = 0;
    for (int32_t end = (int32_t) chunk; end > 0; end -= CCA_CHUNK_SEGMENTS) {
        const int32_t i = end - 1 - (int32_t) threadIdx.x;
        uint32_t kind = CHUNK_COUNT, count = 0;
        if (i >= 0) {
            uint64_t state;
            do {
                state = load_relaxed(emit.chunks + i);
            } while ((uint32_t) (state >> 34) != epoch);
            kind = (uint32_t) (state >> 32) & 3;
            count = (uint32_t) state;
        }
        /* chunks nearer than the first sum, and that one */
        const uint32_t sums = __ballot_sync(ALL_LANES, kind == CHUNK_SUM);
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

/* Grid: n_chunks blocks of CCA_CHUNK_SEGMENTS threads. */
extern "C" __global__ void __launch_bounds__(CCA_CHUNK_SEGMENTS) cca_rank_scan(const CudaEmit emit)
{
    __shared__ uint32_t warp_sums[SCAN_WARPS];
    __shared__ uint64_t shared_turn;

    begin_dependent();
    /* Chunks in the order in which blocks run: one that waits for another in
     * look_back knows that it has started. */
    if (threadIdx.x == 0)
        shared_turn = atomicAdd((unsigned long long *) emit.turn, 1);
    __syncthreads();
    const uint32_t chunk = (uint32_t) shared_turn;
    const uint32_t epoch = (uint32_t) (shared_turn >> 32) + 1;
    const uint32_t segment = chunk * CCA_CHUNK_SEGMENTS + threadIdx.x;
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    const uint4 *const words = (const uint4 *) emit.first + segment * (CCA_SEGMENT_WORDS / 4);
    const uint4 a = words[0], b = words[1];
    const uint32_t count = __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w) + __popc(b.x) +
                           __popc(b.y) + __popc(b.z) + __popc(b.w);
    uint32_t inclusive = count;
    for (int d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, d);
        if (lane >= d)
            inclusive += other;
    }
    if (lane == WARP - 1)
        warp_sums[warp] = inclusive;
    __syncthreads();

    uint32_t total = 0, prefix = inclusive - count;
    for (uint32_t w = 0; w < SCAN_WARPS; w++) {
        prefix += w < warp ? warp_sums[w] : 0;
        total += warp_sums[w];
    }
    if (threadIdx.x == 0 && chunk > 0)
        store_relaxed(emit.chunks + chunk, chunk_state(epoch, CHUNK_COUNT, total));
    const uint32_t before = look_back(emit, epoch, chunk);
    emit.prefix[segment] = before + prefix;
    if (threadIdx.x > 0)
        return;
    store_relaxed(emit.chunks + chunk, chunk_state(epoch, CHUNK_SUM, before + total));
    if (chunk == emit.n_chunks - 1) { /* all others have begun */
        *emit.turn = (uint64_t) epoch << 32;
        emit.header->n_found = before + total;
        emit.header->n_emitted = 0;
    }
}
