/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Finds the components that have a peak. ER gives the run of each pixel. */

#include "../compact/peaks.cuh"
#include "../tables/flsl.h"

/* Grid: CCA_FLSL_ROW_WARPS warps per row, CCA_FLSL_STRIP warps per block. */
template <typename Er>
DEVICE void mark_peaks(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact,
                       const CudaPeaks &peaks)
{
    const uint64_t warp = (uint64_t) blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const uint32_t y = (uint32_t) (warp / CCA_FLSL_ROW_WARPS);
    const uint32_t part = (uint32_t) (warp % CCA_FLSL_ROW_WARPS);
    if (y >= image.height)
        return;
    const Er *const er_row = (const Er *) t.er + (size_t) y * image.width;
    for (uint32_t x = part * WARP + threadIdx.x; x < image.width; x += CCA_FLSL_ROW_WARPS * WARP) {
        const uint32_t er = er_row[x];
        if (!(er & 1) || !is_peak(peaks, x, y))
            continue;
        const uint32_t root = find(t.parent, y * t.run_stride + er / 2);
        mark_peak(compact, ((const Er *) t.rlc)[2 * (size_t) root], root / t.run_stride);
    }
}

#define PEAKS(name, Er)                                                               \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables,     \
                                    const CudaCompact compact, const CudaPeaks peaks) \
    {                                                                                 \
        begin_dependent();                                                            \
        mark_peaks<Er>(image, tables, compact, peaks);                                \
    }

PEAKS(cca_flsl_peaks_er16, uint16_t)
PEAKS(cca_flsl_peaks_er32, uint32_t)
