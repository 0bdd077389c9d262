/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_LINES_CUH
#define CCA_STUDY_LINES_CUH

/* HA4's pieces of rows, 32 or 64 pixels a warp, as masks: Hennequin, Lacassagne and
 * Masliah, COMPAS 2019, Algorithms 1 and 7. Word is uint32_t or uint64_t. */

#include "product.cuh"
#include "tables.h"

template <typename Word> constexpr uint32_t bits_of = 8 * sizeof(Word);

DEVICE bool is_foreground(const CudaImage &image, const uint32_t x, const uint32_t y)
{
    return x < image.width && y < image.height && image.data[y * image.stride + x] != 0;
}

DEVICE uint32_t address(const CudaImage &image, const uint32_t x, const uint32_t y)
{
    return y * image.width + x;
}

/* What a lane loads of a line: a pixel, or two. */
template <typename Word> struct OwnPixels {
    uint32_t v[bits_of<Word> / WARP];
};

template <typename Word>
DEVICE OwnPixels<Word> load_own(const CudaImage &image, const uint32_t x0, const uint32_t y)
{
    OwnPixels<Word> own;
#pragma unroll
    for (uint32_t i = 0; i < bits_of<Word> / WARP; i++) {
        const uint32_t x = x0 + i * WARP + threadIdx.x;
        own.v[i] = x < image.width && y < image.height ? image.data[y * image.stride + x] : 0;
    }
    return own;
}

template <typename Word> DEVICE Word line_of(const OwnPixels<Word> &own)
{
    Word pixels = 0;
#pragma unroll
    for (uint32_t i = 0; i < bits_of<Word> / WARP; i++)
        pixels |= (Word) __ballot_sync(ALL_LANES, own.v[i] != 0) << i * WARP;
    return pixels;
}

/* Pixels from (x0, y) on; the paper's widths are multiples of 32, here what is not in the
 * image is background. */
template <typename Word>
DEVICE Word load_line(const CudaImage &image, const uint32_t x0, const uint32_t y)
{
    return line_of(load_own<Word>(image, x0, y));
}

template <typename Word> DEVICE bool has(const Word pixels, const uint32_t tx)
{
    return pixels >> tx & 1;
}

/* Pixels of the segment before pixel tx, if that belongs to one. */
template <typename Word> DEVICE uint32_t start_distance(const Word pixels, const uint32_t tx)
{
    if (tx == 0) /* a shift by all bits */
        return 0;
    const Word before = ~(Word) (pixels << (bits_of<Word> - tx));
    return sizeof(Word) == 8 ? __clzll((long long) before) : __clz((int) before);
}

/* Pixels of the segment from pixel tx on, which belongs to one. */
template <typename Word> DEVICE uint32_t end_distance(const Word pixels, const uint32_t tx)
{
    if (tx == bits_of<Word> - 1)
        return 1;
    const Word after = ~(Word) (pixels >> (tx + 1));
    return sizeof(Word) == 8 ? __ffsll((long long) after) : __ffs((int) after);
}

/* The pixel that is this thread's. Of 64 it is one of two: that which is set, as two
 * neighbours are never both the start of a segment. Algorithm 7 chooses for each mask;
 * where two rows are compared, it has to be the same pixel in both. */
template <typename Word> DEVICE uint32_t own_pixel(const Word pixels)
{
    if (sizeof(Word) == 4)
        return threadIdx.x;
    return 2 * threadIdx.x + !has(pixels, 2 * threadIdx.x);
}

/* The start of a segment that is this thread's, if any: tx. */
template <typename Word> DEVICE bool own_start(const Word pixels, uint32_t &tx)
{
    tx = own_pixel(pixels);
    return has(pixels, tx) && start_distance(pixels, tx) == 0;
}

#endif /* CCA_STUDY_LINES_CUH */
