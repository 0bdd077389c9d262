/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Komura, Computer Physics Communications 2015: no iteration over the image, as each pixel
 * follows its label to the root, and a union that lost a race goes on from there. Of its
 * neighbours before it, a pixel takes the one with the smallest address as its label; the
 * others are what is left to be reduced. */

#include "kernel.cuh"
#include "pixels.cuh"

/* Komura's reduction. Unlike unite, which Playne and Hawick made of it, it goes on after an
 * atomicMin that has succeeded, to see the link that it has made. */
DEVICE void reduce(uint32_t *const L, const uint32_t a, const uint32_t b)
{
    uint32_t label1 = find(L, a), label2 = find(L, b);
    if (label1 == label2)
        return;
    if (label1 < label2) {
        const uint32_t swapped = label1;
        label1 = label2;
        label2 = swapped;
    }
    for (uint32_t label3; (label3 = atomicMin(L + label1, label2)) != label2;) {
        if (label3 > label2) {
            label1 = label3;
        } else {
            label1 = label2;
            label2 = label3;
        }
    }
}

/* The neighbours before a pixel, by address. */
DEVICE uint32_t list_before(const CudaImage &image, const uint32_t x, const uint32_t y,
                            const uint32_t k, uint32_t (&list)[4])
{
    const Before before = look_before(image, x, y);
    const uint32_t above = k - image.width;
    uint32_t n = 0;
    if (before.north_west)
        list[n++] = above - 1;
    if (before.north)
        list[n++] = above;
    if (before.north_east)
        list[n++] = above + 1;
    if (before.west)
        list[n++] = k - 1;
    return n;
}

DEVICE void initialise(const CudaImage &image, const StudyTables &t)
{
    for_own_pixel(image, [&](const uint32_t x, const uint32_t y, const uint32_t k) {
        uint32_t list[4];
        t.L[k] = list_before(image, x, y, k, list) > 0 ? list[0] : k;
    });
}

DEVICE void reduce_labels(const CudaImage &image, const StudyTables &t)
{
    for_own_pixel(image, [&](const uint32_t x, const uint32_t y, const uint32_t k) {
        uint32_t list[4];
        const uint32_t n = list_before(image, x, y, k, list);
        for (uint32_t i = 1; i < n; i++)
            reduce(t.L, k, list[i]);
    });
}

STUDY_KERNEL(study_komura_initialise, initialise)
STUDY_KERNEL(study_komura_reduce, reduce_labels)
STUDY_KERNEL(study_resolve, resolve_labels)
