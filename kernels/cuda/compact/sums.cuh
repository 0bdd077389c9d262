/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Sums over the pixels of a component of a tile: moments, intensity of 8-bit samples, and shape.
 * The pixels of a run are in one word. */

#ifndef CCA_CUDA_COMPACT_SUMS_CUH
#define CCA_CUDA_COMPACT_SUMS_CUH

#include "features.cuh"

/* Two maxima follow the sums of CudaMeasureSum: that of ~v, and that of v << peak_bits | the
 * complement of the pixel's index in the tile. */
enum { SUM_NOT_MIN = CUDA_N_SUMS, SUM_PEAK, n_pixel_sums };
constexpr uint32_t peak_bits = 19;

struct PixelSums {
    uint32_t v[n_pixel_sums];
    uint32_t flags; /* CcaFeatureFlags: the sums of the others are not used */
};

/* Whether a feature needs the sum. */
DEVICE constexpr bool is_of(const int sum, const uint32_t flags)
{
    return flags & (sum <= CUDA_SUM_YY        ? CCA_FEATURES_MOMENTS :
                    sum <= CUDA_SUM_DIAGONALS ? CCA_FEATURES_SHAPE :
                                                CCA_FEATURES_INTENSITY);
}

/* Sums up those of the lanes with `mine`. Called by a whole warp. */
DEVICE PixelSums sum_up(const PixelSums &sums, const bool mine)
{
    PixelSums all = { {}, sums.flags };
#pragma unroll
    for (int k = 0; k < n_pixel_sums; k++)
        if (is_of(k, sums.flags))
            all.v[k] = k >= SUM_NOT_MIN ? warp_max(mine ? sums.v[k] : 0) :
                                          warp_sum(mine ? sums.v[k] : 0);
    return all;
}

/* --- moments --------------------------------------------------------------- */

/* Adds a run in `rows` rows. (x, y) is the first word's first pixel in the tile, and column
 * `middle` the origin of the sum of squares of x. */
DEVICE void add_moments(PixelSums &sums, const uint32_t run, const uint32_t x, const uint32_t y,
                        const uint32_t rows, const uint32_t middle)
{
    const uint32_t n = __popc(run), first = x + __ffs(run) - 1, from = first - middle;
    const uint32_t pairs = n * (n - 1), row_pairs = rows * (rows - 1);
    const uint32_t sum_y = rows * y + row_pairs / 2;
    sums.v[CUDA_SUM_XX] += rows * (n * from * from + from * pairs + pairs * (2 * n - 1) / 6);
    sums.v[CUDA_SUM_XY] += sum_y * (n * first + pairs / 2);
    sums.v[CUDA_SUM_YY] += n * (y * (sum_y + row_pairs / 2) + row_pairs * (2 * rows - 1) / 6);
}

/* --- intensity ------------------------------------------------------------- */

/* 16 pixels, of which `n` are inside the region. Nothing is read to the right of them. */
DEVICE uint4 load_sixteen(const uint8_t *const p, const uint32_t n)
{
    if (n == 16 && ((uintptr_t) p & 15) == 0)
        return *(const uint4 *) p;
    uint64_t low = 0, high = 0;
#pragma unroll 1
    for (uint32_t i = n; i-- > 0;) {
        high = high << 8 | low >> 56;
        low = low << 8 | p[i];
    }
    return make_uint4((uint32_t) low, (uint32_t) (low >> 32), (uint32_t) high,
                      (uint32_t) (high >> 32));
}

/* Sums over the pixels of a run in consecutive rows. Columns count from the word's first pixel. */
struct Intensity {
    uint32_t v, vv, vx;
    uint32_t v_to_end; /* the sum of v times the number of rows from the pixel's to the last one */
    uint32_t peaks;    /* of even and of odd columns: the maximum of v << 8 | place */
    uint32_t mins = UINT32_MAX; /* of two columns of each four: the minimum of v << 8 | any byte */
};

/* The place of a pixel is 15 - row << 4 | 15 - column / 2. Those of the first four pixels, what
 * they are less in the next row, and what those of the next four are less. */
constexpr uint32_t first_places = 0xfefeffffu, next_row = 0x10101010u, next_four = 0x02020202u;
constexpr uint32_t max_intensity_rows = 16;

/* Adds a half of a word in one row, of which the pixels with `bits` are in the run. `places` are
 * those of the row's first four pixels. */
DEVICE void add_sixteen(Intensity &sum, const uint4 &pixels, const uint32_t bits,
                        const uint32_t half, const uint32_t places)
{
    const uint32_t words[4] = { pixels.x, pixels.y, pixels.z, pixels.w };
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t four = 4 * half + k, in = spread_bits(bits >> 4 * k & 15);
        const uint32_t v = words[k] & in, or_more = words[k] | ~in;
        const uint32_t own_places = places - four * next_four;
        sum.v = __dp4a(v, 0x01010101u, sum.v);
        sum.vv = __dp4a(v, v, sum.vv);
        sum.vx = __dp4a(v, 0x03020100u + four * 0x04040404u, sum.vx);
        sum.peaks = max_of_pairs(sum.peaks, __byte_perm(v, own_places, 0x1504),
                                 __byte_perm(v, own_places, 0x3726));
        sum.mins = min_of_pairs(sum.mins, or_more, or_more << 8);
    }
}

DEVICE void end_row(Intensity &sum)
{
    sum.v_to_end += sum.v;
}

/* The pixels of a word, those of zero bits perhaps undefined. */
struct WordPixels {
    uint4 halves[2];
};

/* (x, y) is the word's first pixel in the region of this width. Halves without bits are not
 * loaded. */
DEVICE WordPixels load_pixels(const CudaMeasure &m, const uint32_t width, const uint32_t x,
                              const uint32_t y, const uint32_t bits)
{
    const uint8_t *const row = m.pixels + y * m.stride + x;
    const uint32_t inside = width - x;
    WordPixels p = {};
    if (bits & UINT16_MAX)
        p.halves[0] = load_sixteen(row, min(inside, 16u));
    if (bits >> 16)
        p.halves[1] = load_sixteen(row + 16, min(inside - 16, 16u));
    return p;
}

DEVICE void add_row(Intensity &sum, const WordPixels &pixels, const uint32_t run,
                    const uint32_t places)
{
    if (run & UINT16_MAX)
        add_sixteen(sum, pixels.halves[0], run & UINT16_MAX, 0, places);
    if (run >> 16)
        add_sixteen(sum, pixels.halves[1], run >> 16, 1, places);
    end_row(sum);
}

/* The first pixel of a run with the greatest value. */
struct Peak {
    uint32_t v, row, column;
};

DEVICE Peak peak_of(const Intensity &sum, const uint32_t run)
{
    const uint32_t even = (sum.peaks & UINT16_MAX) << 1 | 1, odd = sum.peaks >> 16 << 1;
    const uint32_t peak = max(even, odd);
    if (peak >> 9 == 0) /* pixels outside the run have the value 0, too */
        return { 0, 0, (uint32_t) __ffs(run) - 1 };
    return { peak >> 9, 15 - (peak >> 5 & 15), 31 - (peak & 31) };
}

DEVICE uint32_t not_min_of(const Intensity &sum)
{
    return ~min(sum.mins >> 8 & UINT8_MAX, sum.mins >> 24);
}

/* Sets the sums of a run in `rows` rows. (x, y) is the first word's first pixel in a tile of this
 * width. */
DEVICE void set_intensity(PixelSums &sums, const Intensity &v, const uint32_t width,
                          const uint32_t run, const uint32_t x, const uint32_t y,
                          const uint32_t rows)
{
    const Peak peak = peak_of(v, run);
    sums.v[CUDA_SUM_V] = v.v;
    sums.v[CUDA_SUM_VV] = v.vv;
    sums.v[CUDA_SUM_VX] = v.vx + x * v.v;
    sums.v[CUDA_SUM_VY] = (y + rows) * v.v - v.v_to_end;
    sums.v[SUM_NOT_MIN] = not_min_of(v);
    sums.v[SUM_PEAK] = peak.v << peak_bits |
                       ((1u << peak_bits) - 1 - ((y + peak.row) * width + x + peak.column));
}

/* The peak in pixels of the region, see CudaMeasured. */
DEVICE uint64_t peak_in_region(const uint32_t peak, const CudaImage &image, const uint32_t x0,
                               const uint32_t y0, const uint32_t width)
{
    const uint32_t at = (1u << peak_bits) - 1 - (peak & ((1u << peak_bits) - 1));
    const uint32_t index = (y0 + at / width) * image.width + x0 + at % width;
    return (uint64_t) (peak >> peak_bits) << 32 | (UINT32_MAX - index);
}

/* --- shape ----------------------------------------------------------------- */

/* The neighbours of each pixel of a word, at its bit. */
struct Neighbours {
    uint32_t left, right, above, above_left, above_right;
};

DEVICE Neighbours neighbours_of(const uint32_t word, const uint32_t left, const uint32_t right,
                                const uint32_t above, const uint32_t above_left,
                                const uint32_t above_right)
{
    return { word << 1 | left >> 31, word >> 1 | right << 31, above, above << 1 | above_left >> 31,
             above >> 1 | above_right << 31 };
}

/* Pixels whose square with the pixel above, on the left or on the right, has only these two. */
struct Diagonals {
    uint32_t to_left, to_right;
};

DEVICE Diagonals diagonals_of(const uint32_t run, const Neighbours &n)
{
    return { run & n.above_left & ~n.left & ~n.above, run & n.above_right & ~n.right & ~n.above };
}

DEVICE uint32_t count_pairs(const uint32_t run, const Neighbours &n)
{
    return __popc(run & n.left) + __popc(run & n.above);
}

/* Counts squares of 2x2 pixels, each at the last pixel of the run that it has. */
DEVICE uint32_t count_squares(const uint32_t run, const Neighbours &n)
{
    return __popc(run & n.left & n.above & n.above_left);
}

/* Counts the diagonals only if `corner`. Returns them. */
DEVICE Diagonals add_shape(PixelSums &sums, const uint32_t run, const Neighbours &n,
                           const uint32_t corner)
{
    const Diagonals d = diagonals_of(run, n);
    sums.v[CUDA_SUM_PAIRS] += count_pairs(run, n);
    sums.v[CUDA_SUM_SQUARES] += count_squares(run, n);
    if (corner)
        sums.v[CUDA_SUM_DIAGONALS] += __popc(d.to_left) + __popc(d.to_right);
    return d;
}

#endif /* CCA_CUDA_COMPACT_SUMS_CUH */
