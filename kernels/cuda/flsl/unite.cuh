/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FLSL_UNITE_CUH
#define CCA_CUDA_FLSL_UNITE_CUH

#include "../common.cuh"
#include "../tables/flsl.h"

/* Calls merge(label, label above) for run s of row y and each run of the row above that
 * it touches. ER at the run's first and last neighbour gives these runs without a
 * search: values are odd inside a run, and even between two runs. */
template <typename Er, typename Merge>
DEVICE void for_each_above(const CudaImage &image, const CudaFlsl &t, const uint32_t y,
                           const uint32_t s, const Merge merge)
{
    const Er *const rlc_row = (const Er *) t.rlc + 2 * (size_t) y * t.run_stride;
    const Er *const er_above = (const Er *) t.er + (size_t) (y - 1) * image.width;
    uint32_t x0 = rlc_row[2 * s], x1 = rlc_row[2 * s + 1] - 1u;
    if (image.corner) {
        x0 -= x0 > 0;
        x1 += x1 + 1 < image.width;
    }
    const uint32_t first = er_above[x0] / 2;
    const uint32_t end = (er_above[x1] + 1u) / 2;
    const uint32_t l = y * t.run_stride + s, above = (y - 1) * t.run_stride;
    for (uint32_t i = first; i < end; i++)
        merge(l, above + i);
}

/* Unites run s of row y with the runs of the row above that it touches. */
template <typename Er>
DEVICE void unite_run(const CudaImage &image, const CudaFlsl &t, const uint32_t y, const uint32_t s)
{
    for_each_above<Er>(image, t, y, s,
                       [&](const uint32_t l, const uint32_t above) { unite(t.parent, l, above); });
}

#endif /* CCA_CUDA_FLSL_UNITE_CUH */
