/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL: segment detection, and labelling within strips. */

#include "../compact/records.cuh"
#include "segments.cuh"
#include "unite.cuh"

/* Sets the features to their neutral elements. The paper does not mention initialisation. */
DEVICE void open_labels(const CudaFlsl &t, const uint32_t y, const uint32_t n_runs)
{
    for (uint32_t s = threadIdx.x; s < n_runs; s += WARP) {
        const uint32_t l = y * t.run_stride + s;
        t.parent[l] = l;
        t.area[l] = 0;
        t.min_x[l] = UINT32_MAX;
        t.max_x[l] = 0;
        t.max_y[l] = 0;
        t.sum_x[l] = 0;
        t.sum_y[l] = 0;
    }
}

/* Clears the counts of row y. Called by a whole warp. */
DEVICE void clear_counts(const CudaCompact &compact, const uint32_t y)
{
    for (uint32_t i = threadIdx.x; i < compact.patches_x; i += WARP)
        compact.counts[patch_row_index(compact, i * CCA_PATCH_WIDTH, y)] = 0;
}

/* Detects and labels the block's strip of CCA_FLSL_STRIP rows. The cca_flsl_unite kernels unite
 * the strips. */
template <typename Sample, typename Er>
DEVICE void label_strip(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact)
{
    const uint32_t y = blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const bool inside = y < image.height;
    uint32_t n_runs = 0;
    if (inside) {
        n_runs = detect_segments<Sample, Er>(image, t, y);
        open_labels(t, y, n_runs);
        for (uint32_t w = threadIdx.x; w < compact.row_words; w += WARP)
            compact.first[(size_t) y * compact.row_words + w] = 0;
        clear_counts(compact, y);
    }
    if (y + 1 == image.height)
        for (uint32_t below = y + 1; below % CCA_PATCH_HEIGHT != 0; below++)
            clear_counts(compact, below);
    __syncthreads();
    if (inside && threadIdx.y > 0)
        for (uint32_t s = threadIdx.x; s < n_runs; s += WARP)
            unite_run<Er>(image, t, y, s);
}

/* Grid: one block of 32 x CCA_FLSL_STRIP threads for each CCA_FLSL_STRIP rows. */
#define SEGMENTS(name, begin, Sample, Er)                                         \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables, \
                                    const CudaCompact compact)                    \
    {                                                                             \
        begin();                                                                  \
        label_strip<Sample, Er>(image, tables, compact);                          \
    }

SEGMENTS(cca_flsl_segments_8_er16, begin_first, uint8_t, uint16_t)
SEGMENTS(cca_flsl_segments_8_er32, begin_first, uint8_t, uint32_t)
SEGMENTS(cca_flsl_segments_16_er16, begin_first, uint16_t, uint16_t)
SEGMENTS(cca_flsl_segments_16_er32, begin_first, uint16_t, uint32_t)
SEGMENTS(cca_flsl_segments_mask_er16, begin_dependent, MaskBits, uint16_t)
SEGMENTS(cca_flsl_segments_mask_er32, begin_dependent, MaskBits, uint32_t)
