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
    m.load();
    if (has_working)
        m.open_close_working();
    else
        m.open_close();
    for (uint32_t i = threadIdx.x; i < CCA_MORPH_ROWS * inner_words; i += CCA_MORPH_THREADS) {
        const uint32_t r = i / inner_words, c = i - r * inner_words, w = word0 + c;
        if (w >= f.opened_row_words || y0 + r >= image.height)
            continue;
        const int32_t x = (int32_t) (w * WARP), y = (int32_t) (y0 + r);
        f.opened[(size_t) (y0 + r) * f.opened_row_words + w] =
            m.word(r * CCA_MORPH_WORDS + halo_words + c, working_inside(image, x, y));
    }
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
