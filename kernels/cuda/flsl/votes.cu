/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Feature votes with conflict detection: the dedicated feature kernel of ICASSP 2021 (see
 * segments.cuh), section 3.1. */

#include "conflicts.cuh"
#include "unite.cuh"

/* Adds the run [x0, x1) of row y to the features of root `l`. */
DEVICE void vote(const CudaFlsl &t, const uint32_t mask, const uint32_t l, const uint32_t x0,
                 const uint32_t x1, const uint32_t y)
{
    Votes votes = votes_of(x0, x1);
    if (elect(mask, l, votes)) {
        atomicAdd(t.area + l, votes.area);
        atomicMin(t.min_x + l, x0);
        atomicMax(t.max_x + l, votes.max_x);
        atomicMax(t.max_y + l, y);
        atomicAdd((unsigned long long *) t.sum_x + l, votes.sum_x);
        atomicAdd((unsigned long long *) t.sum_y + l, (uint64_t) y * votes.area);
    }
}

/* Grid: CCA_FLSL_ROW_WARPS warps per row, CCA_FLSL_STRIP warps per block. */
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
            vote(t, mask, find(t.parent, y * t.run_stride + s), rlc_row[2 * s], rlc_row[2 * s + 1],
                 y);
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
