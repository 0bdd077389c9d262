/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Naive CCA, the yardstick of ICASSP 2021, section 2: each pixel votes for its label. How
 * that comes about is not said; here by HA4, up to the label image. */

#include "ha4.cuh"
#include "kernel.cuh"

/* Grid: STUDY_LINES_32. */
DEVICE void vote_by_pixel(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    if (is_foreground(image, x, y))
        update_features(t, t.L[address(image, x, y)], record_of(x, x + 1, y));
}

STUDY_KERNEL(study_naive_features, vote_by_pixel)
