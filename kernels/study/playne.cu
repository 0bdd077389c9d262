/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Playne and Hawick, IEEE TPDS 2018, in global memory: Komura's steps, but that a pixel
 * reduces only what its neighbours do not, as it sees by looking at them. */

#include "kernel.cuh"
#include "pixels.cuh"

/* 4-connected: the pixel above, whose address is the smallest, or the one on the left.
 * 8-connected, which the paper does not have: the one above touches all others; without
 * it, the left ones touch each other. */
DEVICE void initialise_playne(const CudaImage &image, const StudyTables &t)
{
    for_own_pixel(image, [&](const uint32_t x, const uint32_t y, const uint32_t k) {
        const Before before = look_before(image, x, y);
        const uint32_t above = k - image.width;
        t.L[k] = before.north        ? above :
                 before.north_west   ? above - 1 :
                 before.west         ? k - 1 :
                 before.north_east   ? above + 1 :
                                       k;
    });
}

/* For what takes a label image, and cannot see what is background. */
DEVICE void initialise_playne_all(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    initialise_playne(image, t);
    if (x < image.width && y < image.height && !is_foreground(image, x, y))
        t.L[address(image, x, y)] = STUDY_INVALID_LABEL;
}

/* 4-connected: the left one, unless the pixel between the two joins them. 8-connected: the
 * one on the right above, if neither the pixel above nor nothing on the left was taken. */
DEVICE void reduce_playne(const CudaImage &image, const StudyTables &t)
{
    for_own_pixel(image, [&](const uint32_t x, const uint32_t y, const uint32_t k) {
        const Before before = look_before(image, x, y);
        if (image.corner) {
            if (!before.north && before.north_east && (before.west || before.north_west))
                unite(t.L, k, k - image.width + 1);
        } else if (before.north && before.west && !is_foreground(image, x - 1, y - 1)) {
            unite(t.L, k, k - 1);
        }
    });
}

STUDY_KERNEL(study_playne_initialise, initialise_playne)
STUDY_KERNEL(study_playne_initialise_all, initialise_playne_all)
STUDY_KERNEL(study_playne_reduce, reduce_playne)
