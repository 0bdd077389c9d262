/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Feature votes with conflict detection: ICASSP 2021 (see segments.cu),
 * Algorithm 3, in the dedicated feature kernel of section 3.1. */

#include "unite.cuh"

/* Adds the run [x0, x1) of row y to the features of root `l`. Lanes of `mask`
 * that vote for the same root elect a leader, which votes for all of them. All
 * are in one row, so that only the area, the right end and the sum of columns
 * have to travel: the leader has the leftmost run. */
DEVICE void vote(const CudaFlsl &t, const uint32_t mask, const uint32_t l, const uint32_t x0,
                 const uint32_t x1, const uint32_t y)
{
    uint32_t area = x1 - x0, max_x = x1 - 1;
    uint64_t sum_x = ((uint64_t) x0 + x1 - 1) * area / 2;
    const uint32_t lane = threadIdx.x;

    uint32_t peers = __match_any_sync(mask, l);                          /* line 2 */
    uint32_t rank = __popc(peers & lane_mask_lt());                      /* line 3 */
    const bool leader = rank == 0;                                       /* line 4 */
    peers &= lane_mask_gt();                                             /* line 5 */
    while (__any_sync(mask, peers)) {                                    /* line 6 */
        const uint32_t next = __ffs(peers);                              /* line 7, from 1 */
        const uint32_t from = next ? next - 1 : lane;
        const uint32_t area_next = __shfl_sync(mask, area, from);        /* line 8 */
        const uint32_t max_x_next = __shfl_sync(mask, max_x, from);
        const uint64_t sum_x_next = __shfl_sync(mask, sum_x, from);
        if (next) {                                                      /* line 9 */
            area += area_next;
            max_x = max(max_x, max_x_next);
            sum_x += sum_x_next;
        }
        peers &= __ballot_sync(mask, rank % 2 == 0);                     /* line 10 */
        rank /= 2;                                                       /* line 11 */
    }
    if (leader) {                                                        /* line 12 */
        atomicAdd(t.area + l, area);
        atomicMin(t.min_x + l, x0);
        atomicMax(t.max_x + l, max_x);
        atomicMax(t.max_y + l, y);
        atomicAdd((unsigned long long *) t.sum_x + l, sum_x);
        atomicAdd((unsigned long long *) t.sum_y + l, (uint64_t) y * area);
    }
}

/* Grid: CCA_FLSL_ROW_WARPS warps a row, CCA_FLSL_STRIP warps a block. */
template <typename Er>
DEVICE void vote_rows(const CudaImage &image, const CudaFlsl &t)
{
    const uint64_t warp = (uint64_t) blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const uint32_t y = (uint32_t) (warp / CCA_FLSL_ROW_WARPS);
    const uint32_t part = (uint32_t) (warp % CCA_FLSL_ROW_WARPS);
    if (y >= image.height)
        return;
    const Er *const rlc_row = (const Er *) t.rlc + 2 * (size_t) y * t.run_stride;
    const uint32_t n_runs = t.n_edges[y] / 2;
    for (uint32_t s0 = part * WARP; s0 < n_runs; s0 += CCA_FLSL_ROW_WARPS * WARP) {
        const uint32_t s = s0 + threadIdx.x;
        const uint32_t mask = __ballot_sync(ALL_LANES, s < n_runs);
        if (s < n_runs)
            vote(t, mask, find(t.parent, y * t.run_stride + s), rlc_row[2 * s],
                 rlc_row[2 * s + 1], y);
        __syncwarp();
    }
}

extern "C" __global__ void cca_flsl_vote_er16(const CudaImage image, const CudaFlsl tables)
{
    begin_dependent();
    vote_rows<uint16_t>(image, tables);
}

extern "C" __global__ void cca_flsl_vote_er32(const CudaImage image, const CudaFlsl tables)
{
    begin_dependent();
    vote_rows<uint32_t>(image, tables);
}
