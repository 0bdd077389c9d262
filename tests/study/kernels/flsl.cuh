/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_FLSL_CUH
#define CCA_STUDY_FLSL_CUH

/* FLSL on full runs: ICASSP 2021, section 3.1. The runs above that a run touches are found
 * as the product does (cuda/flsl). That rows are merged in strips, and these by their
 * borders, is not in the paper: it is taken from HA4. */

#include "features.cuh"
#include "product.cuh"
#include "runs.cuh"

template <typename How>
DEVICE void merge_above(const CudaImage &image, const StudyTables &t, const uint32_t y,
                        const uint32_t s)
{
    for_each_above<Er>(image, t.flsl, y, s,
                       [&](const uint32_t l, const uint32_t above) { How::merge(t, l, above); });
}

/* Grid: STUDY_STRIPS. */
template <typename How>
DEVICE void label_run_strips(const CudaImage &image, const StudyTables &t)
{
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    uint32_t n_runs = 0;
    if (y < image.height) {
        n_runs = detect_runs(image, t, y);
        for (uint32_t s = threadIdx.x; s < n_runs; s += WARP) {
            const Er *const RLC = rlc_row(t, y);
            const uint32_t l = y * t.flsl.run_stride + s;
            t.L[l] = l;
            How::open(t, l, record_of(RLC[2 * s], RLC[2 * s + 1], y));
        }
    }
    __syncthreads();
    if (threadIdx.y > 0)
        for (uint32_t s = threadIdx.x; s < n_runs; s += WARP)
            merge_above<How>(image, t, y, s);
}

/* Row and part of a row that a warp has, CCA_FLSL_ROW_WARPS of them to a row. */
struct RowPart {
    uint32_t row, begin;
    static const uint32_t step = CCA_FLSL_ROW_WARPS * WARP;
};

DEVICE RowPart row_part()
{
    const uint32_t warp = blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    return { warp / CCA_FLSL_ROW_WARPS, warp % CCA_FLSL_ROW_WARPS * WARP };
}

/* Grid: STUDY_ROW_BORDERS. */
template <typename How>
DEVICE void merge_run_borders(const CudaImage &image, const StudyTables &t)
{
    const RowPart part = row_part();
    const uint32_t y = (part.row + 1) * STUDY_STRIP;
    if (y >= image.height)
        return;
    const uint32_t n_runs = t.flsl.n_edges[y] / 2;
    for (uint32_t s = part.begin + threadIdx.x; s < n_runs; s += RowPart::step)
        merge_above<How>(image, t, y, s);
}

/* The dedicated feature kernel. Grid: STUDY_ROWS. vote(lanes that have a run, root, x0, x1,
 * y) is called by those lanes. */
template <typename Vote>
DEVICE void compute_run_features(const CudaImage &image, const StudyTables &t, const Vote vote)
{
    const RowPart part = row_part();
    const uint32_t y = part.row;
    if (y >= image.height)
        return;
    const Er *const RLC = rlc_row(t, y);
    const uint32_t n_runs = t.flsl.n_edges[y] / 2;
    for (uint32_t s0 = part.begin; s0 < n_runs; s0 += RowPart::step) {
        const uint32_t s = s0 + threadIdx.x;
        const uint32_t mask = __ballot_sync(ALL_LANES, s < n_runs);
        if (s < n_runs)
            vote(mask, find_root(t.L, y * t.flsl.run_stride + s), RLC[2 * s], RLC[2 * s + 1], y);
        __syncwarp();
    }
}

#endif /* CCA_STUDY_FLSL_CUH */
