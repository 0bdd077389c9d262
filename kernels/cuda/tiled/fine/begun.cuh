/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The table of rows in which the components of a tile begin. The last kernel finds their records
 * by it. */

#ifndef CCA_CUDA_BEGUN_CUH
#define CCA_CUDA_BEGUN_CUH

#include "../number.cuh"
#include "../../tables/fine.h"

/* Components that begin in a thread's words. */
template <typename S> struct Begun {
    uint32_t listed[S::words], open[S::words];
    uint32_t before; /* number in previous words of the strip, or of the tile, as in n_begun */
};

/* Counts the components of a strip. Called by a whole warp, before a barrier of the block. */
template <typename S> DEVICE void count_begun(uint32_t *const n_begun, Begun<S> &b)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t n = 0;
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++)
        n += __popc(b.listed[j]) + (__popc(b.open[j]) << 16);
    const uint32_t inclusive = warp_sum_up_to(n);
    if (lane == WARP - 1)
        n_begun[threadIdx.x / WARP] = inclusive;
    b.before = inclusive - n;
}

/* After the barrier: adds the numbers of the previous strips to b.before, and returns the number in
 * the tile. */
template <typename S> DEVICE uint32_t sum_begun(const uint32_t *const n_begun, Begun<S> &b)
{
    uint32_t all = 0;
#pragma unroll
    for (uint32_t w = 0; w < S::warps; w++) {
        b.before += w < threadIdx.x / WARP ? n_begun[w] : 0;
        all += n_begun[w];
    }
    return all;
}

/* Writes the rows in which any component begins. `first` are the thread's words of the bitmap of
 * first pixels. Called by whole warps. */
template <typename S>
DEVICE void write_rows(const CudaFine &t, const Place &place, const Begun<S> &b,
                       const uint32_t (&first)[S::words])
{
    const uint32_t word = threadIdx.x * S::words, column = word % (CCA_TILE_WIDTH / 32);
    const uint32_t row_lanes = ((1u << S::row_lanes) - 1)
                               << threadIdx.x % WARP / S::row_lanes * S::row_lanes;
    uint32_t any = 0;
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++)
        any |= first[j];
    if (!(__ballot_sync(ALL_LANES, any != 0) & row_lanes))
        return;
    const size_t row = (size_t) place.tile * CCA_TILE_HEIGHT + word / (CCA_TILE_WIDTH / 32);
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        t.rows[row].listed[column + j] = b.listed[j];
        t.rows[row].open[column + j] = b.open[j];
    }
    if (column == 0)
        t.rows_before[row] = b.before;
}

/* Reserves places in the tables of closed and of open components, and returns open << 32 | closed.
 * The latency overlaps with other work until the result is used. Called by one thread. */
template <typename S>
DEVICE uint64_t reserve_begun(const uint32_t *const of_warps, const CudaTiled &t)
{
    uint32_t n_begun = 0;
    for (uint32_t w = 0; w < S::warps; w++)
        n_begun += of_warps[w];
    return add_alone((uint64_t *) &t.counts->n_closed,
                     (uint64_t) (n_begun >> 16) << 32 | (n_begun & 0xffff));
}

#endif /* CCA_CUDA_BEGUN_CUH */
