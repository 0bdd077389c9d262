/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Playne and Hawick, IEEE TPDS 2018: Komura's steps, but that a pixel reduces only what its
 * neighbours do not, as it sees by looking at them. First in global memory, then by tiles,
 * as in the program that Playne published with the paper; that is 4-connected. */

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
        t.L[k] = before.north      ? above :
                 before.north_west ? above - 1 :
                 before.west       ? k - 1 :
                 before.north_east ? above + 1 :
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

/* --- tiles of 32x4 ----------------------------------------------------------------------- */

DEVICE uint32_t find_in_tile(const uint32_t *const L, uint32_t label)
{
    for (uint32_t next; (next = load_shared(L + label)) != label;)
        label = next;
    return label;
}

DEVICE void unite_in_tile(uint32_t *const L, uint32_t label1, uint32_t label2)
{
    label1 = find_in_tile(L, label1);
    label2 = find_in_tile(L, label2);
    while (label1 != label2) {
        const uint32_t from = max(label1, label2), to = min(label1, label2);
        const uint32_t label3 = atomicMin(L + from, to);
        label1 = label3 == from ? to : label3;
        label2 = to;
    }
}

/* All steps in shared memory. In the program threads outside the image leave out barriers,
 * and labels are resolved in place while others go along them. Grid: STUDY_LINES_32. */
DEVICE void label_tile_playne(const CudaImage &image, const StudyTables &t)
{
    __shared__ uint32_t L[STUDY_STRIP * WARP];
    const uint32_t bx = threadIdx.x, by = threadIdx.y, own = by * WARP + bx;
    const uint32_t x0 = blockIdx.y * WARP, y0 = blockIdx.x * STUDY_STRIP;
    const uint32_t x = x0 + bx, y = y0 + by;
    const bool set = is_foreground(image, x, y);
    const bool north = set && by > 0 && is_foreground(image, x, y - 1);
    const bool west = set && bx > 0 && is_foreground(image, x - 1, y);
    L[own] = north ? own - WARP : west ? own - 1 : own;
    __syncthreads();
    const uint32_t root = find_in_tile(L, own);
    __syncthreads();
    L[own] = root;
    __syncthreads();
    if (north && west && !is_foreground(image, x - 1, y - 1))
        unite_in_tile(L, own, own - 1);
    __syncthreads();
    if (set) {
        const uint32_t label = find_in_tile(L, own);
        t.L[address(image, x, y)] = address(image, x0 + label % WARP, y0 + label / WARP);
    }
}

/* Two that touch over the border of a tile are merged, unless those before them along the
 * border, in the same tiles, are. A warp has a tile's upper border, another one its left
 * one, where the program has kernels in two streams. Grid: STUDY_LINES_32. */
DEVICE void merge_tiles_playne(const CudaImage &image, const StudyTables &t)
{
    const uint32_t x0 = blockIdx.y * WARP, y0 = blockIdx.x * STUDY_STRIP;
    const uint32_t i = threadIdx.x;
    const bool upper = threadIdx.y == 0 && y0 > 0;
    const bool left = threadIdx.y == 1 && x0 > 0 && i < STUDY_STRIP;
    const uint32_t x = upper ? x0 + i : x0, y = upper ? y0 : y0 + i;
    const uint32_t dx = left, dy = upper;
    if ((!upper && !left) || !is_foreground(image, x, y) || !is_foreground(image, x - dx, y - dy))
        return;
    if (i == 0 || !is_foreground(image, x - dy, y - dx) || !is_foreground(image, x - 1, y - 1))
        unite(t.L, address(image, x, y), address(image, x - dx, y - dy));
}

STUDY_KERNEL(study_playne_tiles, label_tile_playne)
STUDY_KERNEL(study_playne_merge, merge_tiles_playne)
STUDY_KERNEL(study_playne_initialise, initialise_playne)
STUDY_KERNEL(study_playne_initialise_all, initialise_playne_all)
STUDY_KERNEL(study_playne_reduce, reduce_playne)
