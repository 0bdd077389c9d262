/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_PIXELS_CUH
#define CCA_STUDY_PIXELS_CUH

/* What algorithms with a thread for each pixel share. Grid: STUDY_LINES_32. */

#include "lines.cuh"

/* The neighbours that come before a pixel in raster order, as far as they are foreground
 * and, but for edges, corners count. */
struct Before {
    bool west, north_west, north, north_east;
};

DEVICE Before look_before(const CudaImage &image, const uint32_t x, const uint32_t y)
{
    const bool above = y > 0, corners = image.corner;
    return { x > 0 && is_foreground(image, x - 1, y),
             corners && above && x > 0 && is_foreground(image, x - 1, y - 1),
             above && is_foreground(image, x, y - 1),
             corners && above && is_foreground(image, x + 1, y - 1) };
}

/* Calls what(x, y, label) for a thread's pixel, if it is foreground. */
template <typename What> DEVICE void for_own_pixel(const CudaImage &image, const What what)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    if (is_foreground(image, x, y))
        what(x, y, address(image, x, y));
}

/* Each label becomes its root: Komura's analysis, which Playne and Hawick call resolving. */
DEVICE void resolve_labels(const CudaImage &image, const StudyTables &t)
{
    for_own_pixel(image, [&](uint32_t, uint32_t, const uint32_t k) { t.L[k] = find(t.L, k); });
}

#endif /* CCA_STUDY_PIXELS_CUH */
