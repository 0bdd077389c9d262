/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels of the region. ER gives the run of each pixel. */

#include "../compact/labels.cuh"
#include "../tables/flsl.h"

/* Grid: CCA_FLSL_ROW_WARPS warps per row, CCA_FLSL_STRIP warps per block. */
template <typename Er>
DEVICE void write_labels(const CudaImage &image, const CudaFlsl &t, const CudaCompact &compact,
                         const CudaLabels &labels)
{
    const uint64_t warp = (uint64_t) blockIdx.x * CCA_FLSL_STRIP + threadIdx.y;
    const uint32_t y = (uint32_t) (warp / CCA_FLSL_ROW_WARPS);
    const uint32_t part = (uint32_t) (warp % CCA_FLSL_ROW_WARPS);
    if (labels.bits == 0 || y >= image.height)
        return;
    const Er *const er_row = (const Er *) t.er + (size_t) y * image.width;
    for (uint32_t x = part * WARP + threadIdx.x; x < image.width; x += CCA_FLSL_ROW_WARPS * WARP) {
        const uint32_t er = er_row[x];
        uint32_t id = 0;
        if (er & 1) {
            const uint32_t root = find(t.parent, y * t.run_stride + er / 2);
            const uint32_t first_x = ((const Er *) t.rlc)[2 * (size_t) root];
            id = id_of(compact, first_x, root / t.run_stride);
        }
        write_label(labels, image.x + x, image.y + y, id);
    }
}

#define LABELS(name, Er)                                                               \
    extern "C" __global__ void name(const CudaImage image, const CudaFlsl tables,      \
                                    const CudaCompact compact, const CudaLabels asked) \
    {                                                                                  \
        begin_dependent();                                                             \
        write_labels<Er>(image, tables, compact, labels_form(compact, asked));         \
    }

LABELS(cca_flsl_labels_er16, uint16_t)
LABELS(cca_flsl_labels_er32, uint32_t)
