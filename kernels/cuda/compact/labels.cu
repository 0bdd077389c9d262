/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels outside the region of interest. */

#include "labels.cuh"

DEVICE void clear_labels(const CudaLabels &labels, const uint32_t y, const uint32_t x0,
                         const uint32_t x1)
{
    for (uint32_t x = x0 + threadIdx.x % WARP; x < x1; x += WARP)
        write_label(labels, x, y, 0);
}

/* Grid: one warp for each row of the frame. */
extern "C" __global__ void __launch_bounds__(CCA_LABEL_THREADS)
    cca_labels_outside(const CudaImage image, const CudaCompact compact, const CudaLabels asked)
{
    begin_dependent();
    const CudaLabels labels = labels_form(compact, asked);
    const uint32_t y = blockIdx.x * (CCA_LABEL_THREADS / WARP) + threadIdx.x / WARP;
    if (labels.bits == 0 || y >= labels.height)
        return;
    const bool inside = y >= image.y && y - image.y < image.height;
    clear_labels(labels, y, 0, inside ? image.x : labels.width);
    if (inside)
        clear_labels(labels, y, image.x + image.width, labels.width);
}
