/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opens, then closes, a part of the mask in shared memory of a block: erosion, dilation by the
 * sum of both radii, erosion. Two dilations by squares equal one by the sum of the radii. Rows
 * are processed before columns, both by doubling the window. */

#ifndef CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH
#define CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH

#include "../pixels.cuh"
#include "../tables/foreground.h"

/* Number of rows on either side that a pixel depends on, and of 32-column words. */
DEVICE uint32_t morph_halo(const CudaImage &image)
{
    return 2 * (image.open_radius + image.close_radius);
}

DEVICE uint32_t morph_halo_words(const CudaImage &image)
{
    return (morph_halo(image) + 31) / 32;
}

/* Mask of the pixels inside the region among the 32 from column x. */
DEVICE uint32_t columns_inside(const CudaImage &image, const int32_t x)
{
    if (x <= -WARP || x >= (int32_t) image.width)
        return 0;
    const uint32_t left = x < 0 ? ALL_LANES << -x : ALL_LANES;
    const uint32_t rest = (uint32_t) ((int32_t) image.width - x);
    return left & (rest < WARP ? (1u << rest) - 1 : ALL_LANES);
}

/* The 32 pixels of the mask from (x, y); pixels outside the region are 0. */
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

/* The 32 pixels of the working set from (x, y) of the region; pixels outside the region are 0. */
DEVICE uint32_t working_around(const CudaImage &image, const int32_t x, const int32_t y)
{
    const uint32_t columns = columns_inside(image, x);
    if (columns == 0 || y < 0 || y >= (int32_t) image.height)
        return 0;
    const uint32_t *const row = image.working + (size_t) (image.y + y) * image.working_row_words;
    const int32_t at = (int32_t) image.x + x, w = at >> 5;
    const uint32_t low = w >= 0 ? row[w] : 0;
    /* two words after the last row can be read */
    return __funnelshift_r(low, row[w + 1], (uint32_t) at % WARP) & columns;
}

/* The 32 pixels of the working set from (x, y), also if that is the region. Row y is inside it. */
DEVICE uint32_t working_inside(const CudaImage &image, const int32_t x, const int32_t y)
{
    return __builtin_expect(image.working_row_words == 0, 1) ? columns_inside(image, x) :
                                                               working_around(image, x, y);
}

/* Doubles the window: bits of `left` and `right` say that n pixels in that direction are 1. */
DEVICE uint32_t erode_word(const uint32_t before, const uint32_t own, const uint32_t after,
                           const uint32_t radius)
{
    uint32_t left = own, left_of = before, right = own, right_of = after, n = 1;
    for (; 2 * n <= radius + 1; n *= 2) {
        left &= __funnelshift_l(left_of, left, n);
        left_of &= left_of << n;
        right &= __funnelshift_r(right, right_of, n);
        right_of &= right_of >> n;
    }
    return left & __funnelshift_l(left_of, left, radius + 1 - n) & right &
           __funnelshift_r(right, right_of, radius + 1 - n);
}

/* A part in shared memory: up to `max_rows` rows of `row_words` words, in two tables, because
 * each step reads one and writes the other. A thread owns words of one column, and its
 * neighbour lanes own the words to the left and right. All threads of a block call each
 * function. */
template <uint32_t n_threads, uint32_t row_words, uint32_t max_rows, bool has_working = false>
struct Morph {
    static constexpr uint32_t row_step = n_threads / row_words;
    static constexpr uint32_t most = (max_rows - 1) / row_step + 1; /* words per thread */
    static_assert(n_threads % row_words == 0 && WARP % row_words == 0, "whole rows in a warp");

    const CudaImage &image;
    uint32_t *words, *other;
    int32_t x, y; /* first pixel, which may be outside the region */
    uint32_t n_rows;

    __device__ __forceinline__ uint32_t column() const
    {
        return threadIdx.x % row_words;
    }
    __device__ __forceinline__ uint32_t row() const
    {
        return threadIdx.x / row_words;
    }

    __device__ __forceinline__ uint32_t working_word(const uint32_t r) const
    {
        return working_around(image, x + (int32_t) (column() * WARP), y + (int32_t) r);
    }

    __device__ __forceinline__ void next()
    {
        __syncthreads();
        uint32_t *const done = other;
        other = words;
        words = done;
    }

    __device__ __forceinline__ void load()
    {
        uint32_t v[most];
#pragma unroll
        for (uint32_t i = 0; i < most; i++) {
            const uint32_t r = row() + i * row_step;
            v[i] = r < n_rows ?
                       mask_around(image, x + (int32_t) (column() * WARP), y + (int32_t) r) :
                       0;
        }
#pragma unroll
        for (uint32_t i = 0; i < most; i++)
            if (row() + i * row_step < n_rows)
                words[threadIdx.x + i * n_threads] = v[i];
        __syncthreads();
    }

    /* Keeps the pixels whose neighbours up to `radius` to the left and right are all 1. Pixels
     * outside the working set count as 1. `flip` inverts all pixels first: dilation is the erosion
     * of the background. Columns at the ends are undefined afterwards. */
    __device__ __forceinline__ void erode_rows(const uint32_t radius, const uint32_t flip)
    {
        const uint32_t outside = ~columns_inside(image, x + (int32_t) (column() * WARP));
        for (uint32_t first = 0; first < n_rows; first += row_step) {
            const uint32_t r = first + row(), i = r * row_words + column();
            const bool inside = y + (int32_t) r >= 0 && y + (int32_t) r < (int32_t) image.height;
            uint32_t v = ALL_LANES;
            if (r < n_rows && inside)
                v = (words[i] ^ flip) | (has_working ? ~working_word(r) : outside);
            const uint32_t before = __shfl_up_sync(ALL_LANES, v, 1);
            const uint32_t after = __shfl_down_sync(ALL_LANES, v, 1);
            if (r < n_rows)
                other[i] = erode_word(before, v, after, radius);
        }
        next();
    }

    /* Each row becomes the `and` of itself and the `window` - 1 rows below it, so that
     * `window` - 1 rows fewer remain. */
    __device__ __forceinline__ void erode_columns(const uint32_t window)
    {
        for (uint32_t n = 1; n < window;) { /* each row is the `and` of n rows */
            const uint32_t wider = min(4 * n, window);
            n_rows -= wider - n;
            for (uint32_t i = threadIdx.x; i < n_rows * row_words; i += n_threads) {
                uint32_t v = words[i] & words[i + (wider - n) * row_words];
                if (wider > 2 * n)
                    v &= words[i + n * row_words];
                if (wider > 3 * n)
                    v &= words[i + 2 * n * row_words];
                other[i] = v;
            }
            next();
            n = wider;
        }
    }

    __device__ __forceinline__ void erode(const uint32_t radius, const uint32_t flip)
    {
        erode_rows(radius, flip);
        erode_columns(2 * radius + 1);
        y += (int32_t) radius;
    }

    /* For radii up to 1: opens and closes `n_out` rows of the words that read(x, y) returns.
     * Each warp processes its rows in registers without barriers; a register of a warp holds
     * 4 rows. */
    template <uint32_t n_out, typename Read>
    __device__ __forceinline__ void open_close_by_warps(const Read read)
    {
        if (__builtin_expect(image.working_row_words == 0, 1))
            open_close_inside<n_out>(read, [&](const int32_t left, const int32_t) {
                return columns_inside(image, left);
            });
        else
            open_close_inside<n_out>(read, [&](const int32_t left, const int32_t at) {
                return working_around(image, left, at);
            });
    }

    /* inside(x, y) returns the pixels of the working set. */
    template <uint32_t n_out, typename Read, typename Inside>
    __device__ __forceinline__ void open_close_inside(const Read read, const Inside inside)
    {
        constexpr uint32_t lane_rows = WARP / row_words, halo = 4;
        constexpr uint32_t strip = n_out * WARP / n_threads, n = (strip + 2 * halo) / lane_rows;
        static_assert(lane_rows == 4 && strip % lane_rows == 0, "registers of 4 rows");
        const uint32_t lane_row = threadIdx.x % WARP / row_words;
        const uint32_t first = threadIdx.x / WARP * strip;
        const int32_t top = y + (int32_t) (morph_halo(image) + first + lane_row) - (int32_t) halo;
        const int32_t left = x + (int32_t) (column() * WARP);
        uint32_t v[n], outside[n];
#pragma unroll
        for (uint32_t k = 0; k < n; k++) {
            const int32_t at = top + (int32_t) (k * lane_rows);
            v[k] = read(left, at);
            outside[k] = at >= 0 && at < (int32_t) image.height ? ~inside(left, at) : ALL_LANES;
        }
        open_close_squares<n>(image, v, outside);
#pragma unroll
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t r = k * lane_rows + lane_row - halo;
            if (r < strip)
                words[(first + r) * row_words + column()] = v[k];
        }
        __syncthreads();
    }

    /* Opens and closes rows in registers. */
    template <uint32_t n>
    static __device__ __forceinline__ void
    open_close_squares(const CudaImage &image, uint32_t (&v)[n], const uint32_t (&outside)[n])
    {
        if (image.open_radius > 0)
            erode_squares<n>(v, outside, 0);
        uint32_t flip = ALL_LANES;
        for (uint32_t i = 0; i < image.open_radius + image.close_radius; i++, flip = 0)
            erode_squares<n>(v, outside, flip);
        if (image.close_radius > 0)
            erode_squares<n>(v, outside, ALL_LANES);
    }

    /* Erodes by a 3 x 3 square. Rows and columns at the ends are undefined afterwards. */
    template <uint32_t n>
    static __device__ __forceinline__ void
    erode_squares(uint32_t (&v)[n], const uint32_t (&outside)[n], const uint32_t flip)
    {
        const uint32_t lane = threadIdx.x % WARP;
        const bool is_top = lane < row_words, is_bottom = lane >= WARP - row_words;
        uint32_t h[n];
#pragma unroll
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t own = (v[k] ^ flip) | outside[k];
            const uint32_t before = __shfl_up_sync(ALL_LANES, own, 1);
            const uint32_t after = __shfl_down_sync(ALL_LANES, own, 1);
            h[k] = own & __funnelshift_l(before, own, 1) & __funnelshift_r(own, after, 1);
        }
#pragma unroll
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t from_above = is_bottom && k > 0 ? h[k - 1] : h[k];
            const uint32_t from_below = is_top && k + 1 < n ? h[k + 1] : h[k];
            v[k] = h[k] & from_lane(from_above, lane + WARP - row_words) &
                   from_lane(from_below, lane + row_words);
        }
    }

    /* The value of another row's lane, modulo the warp. */
    static __device__ __forceinline__ uint32_t from_lane(const uint32_t v, const uint32_t lane)
    {
        return row_words == WARP ? v : __shfl_sync(ALL_LANES, v, lane % WARP);
    }

    /* Requires load(). Afterwards only rows that do not depend on pixels outside the part
     * remain, and only such columns are valid. */
    __device__ __forceinline__ void open_close()
    {
        if (image.open_radius > 0)
            erode(image.open_radius, 0);
        erode(image.open_radius + image.close_radius, ALL_LANES);
        if (image.close_radius > 0)
            erode(image.close_radius, ALL_LANES);
    }

    /* The same for a working set that is not the region. Two dilations are then not one by the
     * sum of the radii, because the first may not cross a gap of the working set. */
    __device__ __forceinline__ void open_close_working()
    {
        if (image.open_radius > 0)
            erode(image.open_radius, 0);
        erode(image.open_radius, ALL_LANES);
        if (image.close_radius == 0)
            return;
        erode(image.close_radius, 0);
        erode(image.close_radius, ALL_LANES);
    }

    /* Word `i` of the result; `inside` is the mask of its pixels in the working set. */
    __device__ __forceinline__ uint32_t word(const uint32_t i, const uint32_t inside) const
    {
        return (words[i] ^ (image.close_radius > 0 ? 0 : ALL_LANES)) & inside;
    }
};

#endif /* CCA_CUDA_FOREGROUND_MORPHOLOGY_CUH */
