/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What measurements need beside the algorithms: images, drawn where they are looked at, and
 * the sums of ICASSP 2021, section 4.1. Grid of both: a thread a pixel, a warp 32 of a row. */

#include "features.cuh"

/* Blocks of g x g pixels, foreground where the block's number is below `below`. */
extern "C" __global__ void study_draw(uint8_t *const pixels, const uint32_t width,
                                      const uint32_t height, const uint32_t *const field,
                                      const uint32_t g, const uint64_t below)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    const uint32_t across = (width - 1) / g + 1;
    if (x < width && y < height)
        pixels[y * width + x] = field[y / g * across + x / g] < below ? 255 : 0;
}

/* Adds the updates of all labels, and their squares, to sums[0] and sums[1]. */
extern "C" __global__ void study_sum_updates(const uint32_t *const U, const uint32_t width,
                                             const uint32_t height, uint64_t *const sums)
{
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    const uint64_t updates = x < width && y < height ? U[y * width + x] : 0;
    const uint64_t sum = warp_sum_64(updates), squares = warp_sum_64(updates * updates);
    if (threadIdx.x == 0 && sum > 0) {
        add(sums, sum);
        add(sums + 1, squares);
    }
}
