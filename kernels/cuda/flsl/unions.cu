/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "unite.cuh"

/* Unites the first row of each strip with the row above it.
 * Grid: CCA_FLSL_ROW_WARPS warps per row, CCA_FLSL_STRIP warps per block. */
template <typename Er>
DEVICE void unite_strips(const CudaImage &image, const CudaFlsl &t)
{
    const uint32_t warp = blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const uint32_t part = warp % CCA_FLSL_ROW_WARPS;
    const uint64_t y = ((uint64_t) warp / CCA_FLSL_ROW_WARPS + 1) * CCA_FLSL_STRIP;
    if (y >= image.height)
        return;
    const uint32_t n_runs = t.n_edges[y] / 2;
    for (uint32_t s = part * WARP + threadIdx.x; s < n_runs; s += CCA_FLSL_ROW_WARPS * WARP)
        unite_run<Er>(image, t, (uint32_t) y, s);
}

extern "C" __global__ void cca_flsl_unite_er16(const CudaImage image, const CudaFlsl tables)
{
    begin_dependent();
    unite_strips<uint16_t>(image, tables);
}

extern "C" __global__ void cca_flsl_unite_er32(const CudaImage image, const CudaFlsl tables)
{
    begin_dependent();
    unite_strips<uint32_t>(image, tables);
}
