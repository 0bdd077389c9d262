/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads the bits of a tile from a frame or its mask. */

#ifndef CCA_CUDA_LOAD_CUH
#define CCA_CUDA_LOAD_CUH

#include "../foreground/morphology.cuh"
#include "../pixels.cuh"
#include "tile.cuh"

/* The first `n` of 16 pixels, one by one. */
template <typename Sample>
DEVICE uint32_t load_some(const CudaImage &image, const uint8_t *const p, const uint32_t n)
{
    uint32_t bits = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < n; i++)
        bits |= (is_inside<Sample>(image, ((const Sample *) p)[i]) ^ image.invert) << i;
    return bits;
}

/* Distribution of a tile's loads to the threads: each has chunks of 16 pixels in a column. */
template <typename S> struct TileChunks {
    static constexpr uint32_t in_row = CCA_TILE_WIDTH / 16;
    static constexpr uint32_t n = in_row * CCA_TILE_HEIGHT / S::threads; /* per thread */
    static constexpr uint32_t row_step = S::threads / in_row;

    /* Loads whole chunks. Unless `all`, some may be below the frame. */
    template <bool all, typename Sample>
    DEVICE void load_rows(uint32_t (&bits)[n], const CudaImage &image, const uint8_t *const p,
                          const uint32_t y)
    {
        const uint32_t invert = 0 - image.invert;
        Pixels16<Sample> pixels[n]; /* all loads are issued before the first result is used */
#pragma unroll
        for (uint32_t i = 0; i < n; i++)
            if (all || y + i * row_step < image.height)
                pixels[i] = load16<Sample>(p + i * row_step * image.stride);
        with_pack16(image, Sample(), [&](const auto pack) {
#pragma unroll
            for (uint32_t i = 0; i < n; i++)
                bits[i] = all || y + i * row_step < image.height ?
                              (pack(pixels[i]) ^ invert) & 0xffff :
                              0;
        });
    }

    /* Loads samples. */
    template <typename Sample>
    DEVICE void load(uint32_t (&bits)[n], Tile &tile, const CudaImage &image, const uint32_t x0,
                     const uint32_t x, const uint32_t y, Sample)
    {
        (void) tile;
        const uint8_t *const p = image.data + y * image.stride + (size_t) x * sizeof(Sample);
        const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
        const bool vectors = aligned && image.low <= UINT16_MAX;
        const uint32_t inside = x >= image.width ? 0 : min(16u, image.width - x);
        if (vectors && x0 + CCA_TILE_WIDTH <= image.width) {
            if (y - threadIdx.x / in_row + CCA_TILE_HEIGHT <= image.height)
                load_rows<true, Sample>(bits, image, p, y);
            else
                load_rows<false, Sample>(bits, image, p, y);
        } else {
#pragma unroll
            for (uint32_t i = 0; i < n; i++) {
                const uint8_t *const q = p + i * row_step * image.stride;
                bits[i] = y + i * row_step >= image.height ?
                              0 :
                          !vectors || inside < 16 ?
                              load_some<Sample>(image, q, inside) :
                              (pack16(image, load16<Sample>(q)) ^ (0 - image.invert)) & 0xffff;
            }
        }
    }

    /* Loads a mask. */
    DEVICE void load(uint32_t (&bits)[n], Tile &tile, const CudaImage &image, const uint32_t x0,
                     const uint32_t x, const uint32_t y, MaskBits)
    {
        (void) tile, (void) x0;
        const uint32_t inside = x >= image.width ? 0 : min(16u, image.width - x);
#pragma unroll
        for (uint32_t i = 0; i < n; i++)
            bits[i] = inside > 0 && y + i * row_step < image.height ?
                          mask_bits(image, x, y + i * row_step, inside) :
                          0;
    }

    /* Loads a mask, and opens and closes it. */
    DEVICE void load(uint32_t (&bits)[n], Tile &tile, const CudaImage &image, const uint32_t x0,
                     const uint32_t x, const uint32_t y, MaskToOpen)
    {
        const uint32_t row = threadIdx.x / in_row, halo = morph_halo(image);
        const int32_t left = (int32_t) x0 - CCA_MORPH_MAX_HALO_WORDS * WARP;
        const int32_t top = (int32_t) (y - row) - (int32_t) halo;
        Morph<S::threads, MORPH_WORDS, MORPH_ROWS> m = {
            image, tile.opened[0], tile.opened[1], left, top, CCA_TILE_HEIGHT + 2 * halo,
        };
        if (image.open_radius <= 1 && image.close_radius <= 1) {
            m.template open_close_by_warps<CCA_TILE_HEIGHT>(
                [&](const int32_t at_x, const int32_t at_y) {
                    return mask_around(image, at_x, at_y);
                });
        } else {
            m.load();
            m.open_close();
        }
        const uint32_t at = row * MORPH_WORDS + CCA_MORPH_MAX_HALO_WORDS + (x - x0) / WARP;
#pragma unroll
        for (uint32_t i = 0; i < n; i++) {
            const int32_t at_y = (int32_t) (y + i * row_step);
            const uint32_t word = m.word(at + i * row_step * MORPH_WORDS,
                                         working_inside(image, (int32_t) (x / WARP * WARP), at_y));
            bits[i] = y + i * row_step < image.height ? word >> x % WARP & 0xffff : 0;
        }
    }
};

/* Fills tile.bits, and returns whether the tile has any foreground and whether it is all
 * foreground. Called by all threads of the block. */
template <typename S, typename Sample>
DEVICE void load_tile(Tile &tile, const CudaImage &image, const uint32_t x0, const uint32_t y0,
                      bool &any, bool &all)
{
    typedef TileChunks<S> Chunks;
    const uint32_t chunk = threadIdx.x % Chunks::in_row, row = threadIdx.x / Chunks::in_row;
    uint32_t bits[Chunks::n];
    Chunks::load(bits, tile, image, x0, x0 + chunk * 16, y0 + row, Sample());

    for (uint32_t i = threadIdx.x; i < ROW_STRIDE; i += S::threads) {
        tile.bits[i] = 0;
        tile.bits[N_PLACES - ROW_STRIDE + i] = 0;
    }
    for (uint32_t i = threadIdx.x; i < CCA_TILE_HEIGHT; i += S::threads) {
        tile.bits[run_at(0, i) / 32 - 1] = 0;
        tile.bits[run_at(CCA_TILE_WIDTH, i) / 32] = 0;
    }

    uint32_t some = 0, every = 0xffff;
    /* GPUs are little endian: the left half of a word is the low one. */
    uint16_t *const halves = (uint16_t *) tile.bits + run_at(chunk * 16, row) / 16;
#pragma unroll
    for (uint32_t i = 0; i < Chunks::n; i++) {
        some |= bits[i];
        every &= bits[i];
        halves[i * Chunks::row_step * ROW_STRIDE * 2] = (uint16_t) bits[i];
    }
    const uint32_t n_some = __syncthreads_count(some != 0);
    any = n_some > 0;
    all = n_some == S::threads && __syncthreads_and(every == 0xffff);
}

#endif /* CCA_CUDA_LOAD_CUH */
