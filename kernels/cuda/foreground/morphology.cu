/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opens and closes the whole mask, for algorithms that do not do so tile by tile. */

#include "morphology.cuh"

/* Grid: one block for each part of the mask in raster order. A part has CCA_MORPH_ROWS rows, and
 * CCA_MORPH_WORDS words less the halo. `image` refers to the mask. */
template <bool has_working> DEVICE void open_close_part(const CudaImage &image,
                                                        const CudaForeground &f)
{
    constexpr uint32_t max_rows = CCA_MORPH_ROWS + 2 * CCA_MORPH_MAX_HALO;
    __shared__ uint32_t tables[2][max_rows * CCA_MORPH_WORDS];

    begin_dependent();
    const uint32_t halo = morph_halo(image), halo_words = morph_halo_words(image);
    const uint32_t inner_words = CCA_MORPH_WORDS - 2 * halo_words;
    const uint32_t parts_x = (f.opened_row_words - 1) / inner_words + 1;
    const uint32_t part_y = blockIdx.x / parts_x, part_x = blockIdx.x - part_y * parts_x;
    const uint32_t word0 = part_x * inner_words, y0 = part_y * CCA_MORPH_ROWS;
    Morph<CCA_MORPH_THREADS, CCA_MORPH_WORDS, max_rows, has_working> m = {
        image,
        tables[0],
        tables[1],
        (int32_t) (word0 * WARP) - (int32_t) (halo_words * WARP),
        (int32_t) y0 - (int32_t) halo,
        CCA_MORPH_ROWS + 2 * halo,
    };
    /* Calls use(row, word of the row, pixels of the working set) for the words of the part. */
    const auto for_words = [&](const auto use) {
        for (uint32_t i = threadIdx.x; i < CCA_MORPH_ROWS * inner_words; i += CCA_MORPH_THREADS) {
            const uint32_t r = i / inner_words, c = i - r * inner_words, w = word0 + c;
            if (w < f.opened_row_words && y0 + r < image.height)
                use(r, c, working_inside(image, (int32_t) (w * WARP), (int32_t) (y0 + r)));
        }
    };
    bool any = false;
    if (has_working)
        for_words([&](uint32_t, uint32_t, const uint32_t inside) { any |= inside != 0; });
    if (!has_working || __syncthreads_or(any)) {
        m.load();
        if (has_working)
            m.open_close_working();
        else
            m.open_close();
    }
    for_words([&](const uint32_t r, const uint32_t c, const uint32_t inside) {
        f.opened[(size_t) (y0 + r) * f.opened_row_words + word0 + c] =
            m.word(r * CCA_MORPH_WORDS + halo_words + c, inside);
    });
}

extern "C" __global__ void __launch_bounds__(CCA_MORPH_THREADS)
    cca_open_close(const CudaImage image, const CudaForeground f)
{
    open_close_part<false>(image, f);
}

extern "C" __global__ void __launch_bounds__(CCA_MORPH_THREADS)
    cca_open_close_working(const CudaImage image, const CudaForeground f)
{
    open_close_part<true>(image, f);
}

/* --- radii up to 1 --------------------------------------------------------- */

/* 32 columns of rows of bits. */
struct Column {
    const uint32_t *words; /* the one with the first column, in the next row */
    uint64_t row_words;
    uint32_t shift, inside; /* of the columns in the word; those inside the region */
    bool has_low, has_high; /* this word and the next one have columns that are inside */

    /* From bit `at` and from row y on. Words up to `last` of a row can be read. */
    DEVICE Column make(const uint32_t *const bits, const uint64_t row_words, const int32_t at,
                       const uint32_t last, const int32_t y, const uint32_t inside)
    {
        const int32_t w = at >> 5;
        const uint32_t shift = (uint32_t) at % WARP;
        return { bits + y * (int64_t) row_words + w,
                 row_words,
                 shift,
                 inside,
                 inside != 0 && w >= 0,
                 inside != 0 && shift > 0 && (uint32_t) (w + 1) <= last };
    }

    /* The pixels of the next row; those outside the region are 0. */
    __device__ __forceinline__ uint32_t next(const bool row_inside)
    {
        const uint32_t low = has_low && row_inside ? words[0] : 0;
        const uint32_t high = has_high && row_inside ? words[1] : 0;
        words += row_words;
        return __funnelshift_r(low, high, shift) & inside;
    }
};

/* Grid: one warp for each part of CCA_MORPH_1_ROWS rows, and of CCA_MORPH_WORDS words less one on
 * each side, in raster order. A lane has a column of words in registers. */
template <bool has_working> DEVICE void open_close_1(const CudaImage &image,
                                                     const CudaForeground &f)
{
    constexpr uint32_t halo = 4, n = CCA_MORPH_1_ROWS + 2 * halo;
    constexpr uint32_t inner_words = CCA_MORPH_WORDS - 2;
    static_assert(CCA_MORPH_WORDS == WARP, "a lane for each word");
    begin_dependent();
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t part = (blockIdx.x * CCA_MORPH_1_THREADS + threadIdx.x) / WARP;
    const uint32_t parts_x = (f.opened_row_words - 1) / inner_words + 1, part_y = part / parts_x;
    const uint32_t word = (part - part_y * parts_x) * inner_words + lane - 1;
    const int32_t x = (int32_t) (word * WARP), y = (int32_t) (part_y * CCA_MORPH_1_ROWS - halo);
    const uint32_t columns = columns_inside(image, x), height = image.height;
    uint32_t v[n], outside[n], any = 0;
    Column mask = Column::make((const uint32_t *) image.data, image.stride / 4,
                               (int32_t) image.first_bit + x,
                               (image.first_bit + image.width - 1) / WARP, y, columns);
    Column working = {};
    if (has_working)
        working = Column::make(image.working + (size_t) image.y * image.working_row_words,
                               image.working_row_words, (int32_t) image.x + x, UINT32_MAX, y,
                               columns);
#pragma unroll
    for (uint32_t k = 0; k < n; k++) {
        const bool inside = (uint32_t) y + k < height;
        v[k] = mask.next(inside);
        outside[k] = ~(has_working ? working.next(inside) : inside ? columns : 0);
        any |= k >= halo && k < n - halo ? ~outside[k] : 0;
    }
    if (!has_working || __any_sync(ALL_LANES, any != 0))
        Morph<WARP, WARP, n>::open_close_squares(image, v, outside);
    if (lane == 0 || lane == WARP - 1 || word >= f.opened_row_words)
        return;
    const uint32_t flip = image.close_radius > 0 ? 0 : ALL_LANES;
    uint32_t *const to = f.opened + word;
#pragma unroll
    for (uint32_t k = halo; k < n - halo; k++)
        if (y + k < height)
            to[(size_t) (y + k) * f.opened_row_words] = (v[k] ^ flip) & ~outside[k];
}

extern "C" __global__ void __launch_bounds__(CCA_MORPH_1_THREADS)
    cca_open_close_1(const CudaImage image, const CudaForeground f)
{
    open_close_1<false>(image, f);
}

extern "C" __global__ void __launch_bounds__(CCA_MORPH_1_THREADS)
    cca_open_close_1_working(const CudaImage image, const CudaForeground f)
{
    open_close_1<true>(image, f);
}
