/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opening, then closing, of a part of the mask, by a block in shared memory: erosion,
 * dilation by both radii (in a rectangle two dilations are one by the sum of their
 * squares), erosion. Rows go first, then columns, both by doubling. */

#ifndef CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH
#define CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH

#include "../pixels.cuh"
#include "tables.h"

/* What the part is of, and where: its first pixel may lie outside the region. */
struct MorphPart {
    int32_t x, y;
    uint32_t n_rows;
};

/* Rows on either side that a pixel depends on, and words of 32 columns. */
DEVICE uint32_t morph_halo(const CudaImage &image)
{
    return 2 * (image.open_radius + image.close_radius);
}

DEVICE uint32_t morph_halo_words(const CudaImage &image)
{
    return (morph_halo(image) + 31) / 32;
}

/* Which of the 32 pixels from column x on lie in the region. */
DEVICE uint32_t columns_inside(const CudaImage &image, const int32_t x)
{
    if (x <= -WARP || x >= (int32_t) image.width)
        return 0;
    const uint32_t left = x < 0 ? ALL_LANES << -x : ALL_LANES;
    const uint32_t rest = (uint32_t) ((int32_t) image.width - x);
    return left & (rest < WARP ? (1u << rest) - 1 : ALL_LANES);
}

/* The 32 pixels of the mask from (x, y) on, 0 where they are outside the region. */
DEVICE uint32_t mask_around(const CudaImage &image, const int32_t x, const int32_t y)
{
    const uint32_t columns = columns_inside(image, x);
    if (columns == 0 || y < 0 || y >= (int32_t) image.height)
        return 0;
    const uint32_t *const row = (const uint32_t *) (image.data + (size_t) y * image.stride);
    const int32_t at = (int32_t) image.first_bit + x, w = at >> 5;
    const uint32_t shift = (uint32_t) at % WARP, last = (image.first_bit + image.width - 1) / WARP;
    const uint32_t low = w >= 0 ? row[w] : 0;
    const uint32_t high = shift > 0 && w + 1 <= (int32_t) last ? row[w + 1] : 0;
    return __funnelshift_r(low, high, shift) & columns;
}

/* Words of the part, row_words a row, and as many for scratch; with the threads that
 * work on them. */
template <uint32_t n_threads, uint32_t row_words> struct Morph {
    uint32_t *words, *other;

    DEVICE void swap(Morph &m)
    {
        uint32_t *const words = m.words;
        m.words = m.other;
        m.other = words;
    }

    DEVICE void load(Morph &m, const CudaImage &image, const MorphPart &part)
    {
        for (uint32_t i = threadIdx.x; i < part.n_rows * row_words; i += n_threads)
            m.words[i] = mask_around(image, part.x + (int32_t) (i % row_words * WARP),
                                     part.y + (int32_t) (i / row_words));
        __syncthreads();
    }

    /* Pixels all of whose neighbours as far as `radius` to the left and right are 1. What
     * is outside the region is; what is outside the part is not. `flip` turns all over
     * first: so is the dilation, the erosion of the background. */
    DEVICE void erode_rows(Morph &m, const CudaImage &image, const MorphPart &part,
                           const uint32_t radius, const uint32_t flip)
    {
        for (uint32_t i = threadIdx.x; i < part.n_rows * row_words; i += n_threads) {
            const uint32_t column = i % row_words;
            const int32_t x = part.x + (int32_t) (column * WARP);
            const int32_t y = part.y + (int32_t) (i / row_words);
            uint32_t v = ALL_LANES;
            if (y >= 0 && y < (int32_t) image.height) {
                const uint32_t own = (m.words[i] ^ flip) | ~columns_inside(image, x);
                const uint32_t before = column == 0 ? 0 :
                    (m.words[i - 1] ^ flip) | ~columns_inside(image, x - WARP);
                const uint32_t after = column == row_words - 1 ? 0 :
                    (m.words[i + 1] ^ flip) | ~columns_inside(image, x + WARP);
                v = erode_word(before, own, after, radius);
            }
            m.other[i] = v;
        }
        __syncthreads();
        swap(m);
    }

    /* Each row becomes the `and` of the `window` rows from itself on; there are then
     * `window` - 1 less. */
    DEVICE void erode_columns(Morph &m, MorphPart &part, const uint32_t window)
    {
        for (uint32_t n = 1; n < window;) { /* n rows are in each */
            const uint32_t next = min(4 * n, window), n_rows = part.n_rows - (next - n);
            for (uint32_t i = threadIdx.x; i < n_rows * row_words; i += n_threads) {
                uint32_t v = m.words[i] & m.words[i + (next - n) * row_words];
                if (next > 2 * n)
                    v &= m.words[i + n * row_words];
                if (next > 3 * n)
                    v &= m.words[i + 2 * n * row_words];
                m.other[i] = v;
            }
            __syncthreads();
            swap(m);
            part.n_rows = n_rows;
            n = next;
        }
    }

    DEVICE void erode(Morph &m, const CudaImage &image, MorphPart &part, const uint32_t radius,
                      const uint32_t flip)
    {
        erode_rows(m, image, part, radius, flip);
        erode_columns(m, part, 2 * radius + 1);
        part.y += (int32_t) radius;
    }

    /* Loads the part, of which then those rows are left, and those columns right, that do
     * not depend on what lies outside of it. */
    DEVICE void open_close(Morph &m, const CudaImage &image, MorphPart part)
    {
        load(m, image, part);
        if (image.open_radius > 0)
            erode(m, image, part, image.open_radius, 0);
        erode(m, image, part, image.open_radius + image.close_radius, ALL_LANES);
        if (image.close_radius > 0)
            erode(m, image, part, image.close_radius, ALL_LANES);
    }

    /* Word `i` of the outcome. */
    DEVICE uint32_t word(const Morph &m, const CudaImage &image, const uint32_t i,
                         const uint32_t columns)
    {
        return (m.words[i] ^ (image.close_radius > 0 ? 0 : ALL_LANES)) & columns;
    }

private:
    /* By doubling: n pixels side by side are 1. */
    DEVICE uint32_t erode_word(const uint32_t before, const uint32_t own, const uint32_t after,
                               const uint32_t radius)
    {
        uint64_t left = (uint64_t) own << 32 | before, right = (uint64_t) after << 32 | own;
        uint32_t n = 1;
        for (; 2 * n <= radius + 1; n *= 2) {
            left &= left << n;
            right &= right >> n;
        }
        left &= left << (radius + 1 - n);
        right &= right >> (radius + 1 - n);
        return (uint32_t) (left >> 32) & (uint32_t) right;
    }
};

#endif /* CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH */
