/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opens and closes a tile while it is loaded: the foreground of the tile and of its halo is in
 * shared memory as bits. */

#ifndef CCA_CUDA_SINGLE_OPEN_CUH
#define CCA_CUDA_SINGLE_OPEN_CUH

#include "pixels.cuh"

namespace single
{

template <Opening opening> DEVICE bool is_opened(const CudaImage &image)
{
    return opening == PERHAPS && (image.open_radius | image.close_radius) != 0;
}

/* Number of units that a thread loads at a time. */
template <typename Sample> constexpr uint32_t n_ahead = sizeof(Sample) == 1 ? 3 : 2;

/* Mask of the pixels inside the thresholds in a unit of 16 samples, of which `n` are in the row. */
template <typename Sample>
DEVICE uint32_t pack_unit(const CudaImage &image, const uint8_t *const p, const uint32_t n,
                          const bool in_vector, const Pixels16<Sample> &vector)
{
    if (image.low > UINT16_MAX) /* nothing is inside */
        return 0;
    return in_vector ? pack16(image, vector) : word_of_some<Sample, 16>(image, p, n);
}

/* Fills the part's `words` from samples. Columns that no pixel of the tile or beside it depends on
 * are left out. */
template <typename Sample>
DEVICE void fill_part(const CudaImage &image, const Narrow::TileMorph &m, uint32_t *const words,
                      Sample)
{
    const uint32_t halo = morph_halo(image);
    const uint32_t first = (Narrow::morph_margin - halo - 1) / 16;
    const uint32_t row_units = (Narrow::morph_margin + Narrow::width + halo) / 16 - first + 1;
    const uint32_t n = m.n_rows * row_units;
    const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
#pragma unroll 1
    for (uint32_t begin = threadIdx.x; begin < n; begin += n_ahead<Sample> * blockDim.x) {
        Pixels16<Sample> vectors[n_ahead<Sample>] = {};
        const uint8_t *p[n_ahead<Sample>];
        uint32_t to[n_ahead<Sample>], n_inside[n_ahead<Sample>];
#pragma unroll
        for (uint32_t k = 0; k < n_ahead<Sample>; k++) {
            const uint32_t i = begin + k * blockDim.x;
            const uint32_t r = i / row_units, unit = first + (i - r * row_units);
            const int32_t x = m.x + (int32_t) (unit * 16), y = m.y + (int32_t) r;
            const bool inside = i < n && x >= 0 && x < (int32_t) image.width && y >= 0 &&
                                y < (int32_t) image.height;
            to[k] = r * (2 * Narrow::morph_words) + unit;
            p[k] = image.data;
            if (inside)
                p[k] += (size_t) y * image.stride + (size_t) x * sizeof(Sample);
            n_inside[k] = inside ? min(16u, image.width - (uint32_t) x) : 0;
            if (aligned && n_inside[k] == 16)
                vectors[k] = load16<Sample>(p[k]);
        }
#pragma unroll
        for (uint32_t k = 0; k < n_ahead<Sample>; k++) {
            if (begin + k * blockDim.x >= n)
                break;
            uint32_t bits = 0;
            if (n_inside[k] > 0)
                bits = pack_unit<Sample>(image, p[k], n_inside[k], aligned && n_inside[k] == 16,
                                         vectors[k]);
            /* GPUs are little endian: the left half of a word is the low one. */
            ((uint16_t *) words)[to[k]] = (uint16_t) ((bits ^ (0 - image.invert)) &
                                                      ((1u << n_inside[k]) - 1));
        }
    }
    __syncthreads();
}

/* Fills the part's `words` from a mask. */
DEVICE void fill_part(const CudaImage &image, const Narrow::TileMorph &m, uint32_t *const words,
                      MaskBits)
{
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < m.n_rows * Narrow::morph_words; i += blockDim.x)
        words[i] = mask_around(image, m.x + (int32_t) (i % Narrow::morph_words * WARP),
                               m.y + (int32_t) (i / Narrow::morph_words));
    __syncthreads();
}

/* Row 0 of the result is the row above the tile. The block has CCA_SINGLE_MAX_THREADS threads, all
 * of which call this. */
template <typename Sample>
DEVICE Narrow::TileMorph open_tile(Tile<Narrow> &tile, const CudaImage &image, const Place &place)
{
    const uint32_t halo = morph_halo(image);
    Narrow::TileMorph m = {
        image,
        tile.foreground.opened[0],
        tile.foreground.opened[1],
        (int32_t) place.x0 - (int32_t) Narrow::morph_margin,
        (int32_t) place.y0 - 1 - (int32_t) halo,
        place.rows + 2 + 2 * halo,
    };
    if (image.open_radius <= 1 && image.close_radius <= 1) {
        const uint32_t *const filled = m.other;
        fill_part(image, m, m.other, Sample());
        m.template open_close_by_warps<Narrow::max_rows + 2>([&](const int32_t x, const int32_t y) {
            const uint32_t r = (uint32_t) (y - m.y);
            return r < m.n_rows ? filled[r * Narrow::morph_words + (uint32_t) (x - m.x) / WARP] : 0;
        });
    } else {
        fill_part(image, m, m.words, Sample());
        m.open_close();
    }
    return m;
}

/* The thread's pixels in a row of the result. They start at (x, y) of the region. */
DEVICE Loaded opened_word(const Narrow::TileMorph &m, const uint32_t column, const uint32_t x,
                          const uint32_t y, const uint32_t row)
{
    const uint32_t at = row * Narrow::morph_words + Narrow::morph_margin / WARP + column;
    const int32_t first = (int32_t) x, top = (int32_t) y;
    const uint32_t left = m.word(at - 1, working_inside(m.image, first - WARP, top));
    const uint32_t right = m.word(at + 1, working_inside(m.image, first + WARP, top));
    return { m.word(at, working_inside(m.image, first, top)), column == 0 && left >> 31,
             column == Narrow::row_words - 1 && right & 1 };
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_OPEN_CUH */
