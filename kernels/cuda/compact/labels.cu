/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels outside the region of interest. */

#include "labels.cuh"

/* Grid: one warp for each row of the frame. */
extern "C" __global__ void __launch_bounds__(CCA_LABEL_THREADS)
    cca_labels_outside(const CudaImage image, const CudaCompact compact, const CudaLabels asked)
{
    begin_dependent();
    const CudaLabels labels = labels_form(compact, asked);
    const uint32_t y = blockIdx.x * (CCA_LABEL_THREADS / WARP) + threadIdx.x / WARP;
    if (labels.bits > 0 && y < labels.height)
        clear_outside(labels, image, y);
}
