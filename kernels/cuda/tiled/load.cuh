/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Threshold: 16 pixels to 16 bits. */

#ifndef CCA_CUDA_LOAD_CUH
#define CCA_CUDA_LOAD_CUH

#include "tile.cuh"

/* Bit 7 of each byte: is it >= t? For 1 <= t <= 255, or 0 for always. */
DEVICE uint32_t bytes_at_least(const uint32_t v, const uint32_t t)
{
    /* a subtraction of the low 7 bits that never borrows from the next byte;
     * then the top bits decide, or it does where they are equal */
    const uint32_t low7 = (v | 0x80808080u) - (t & 0x7f) * 0x01010101u;
    return (t & 0x80 ? v & low7 : v | low7) & 0x80808080u;
}

/* Bit 7 of each byte to 4 bits, shifted left by 7. */
DEVICE uint32_t gather(const uint32_t tops, const uint32_t weights, const uint32_t sum)
{
    return __dp4a(tops, weights, sum);
}

DEVICE uint32_t inside_8(const CudaImage &image, const uint32_t v)
{
    const uint32_t high = image.low + image.range; /* inclusive */
    uint32_t inside = bytes_at_least(v, image.low);
    if (high < 255)
        inside &= ~bytes_at_least(v, high + 1);
    return inside;
}

DEVICE uint32_t pack16_8(const CudaImage &image, const uint4 v)
{
    uint32_t a = gather(inside_8(image, v.x), 0x08040201u, 0);
    a = gather(inside_8(image, v.y), 0x80402010u, a);
    uint32_t b = gather(inside_8(image, v.z), 0x08040201u, 0);
    b = gather(inside_8(image, v.w), 0x80402010u, b);
    return a >> 7 | b << 1;
}

DEVICE uint32_t pack8_16(const CudaImage &image, const uint4 v)
{
    const uint32_t words[4] = { v.x, v.y, v.z, v.w };
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        bits |= ((words[i] & 0xffff) - image.low <= image.range) << 2 * i;
        bits |= ((words[i] >> 16) - image.low <= image.range) << (2 * i + 1);
    }
    return bits;
}

/* Pixels x to x + 15 of row y, of which the first `n` are in the frame. */
template <typename Sample>
DEVICE uint32_t load16(const CudaImage &image, const uint32_t x, const uint32_t y,
                       const uint32_t n, const bool aligned)
{
    const uint8_t *const p = image.data + y * image.stride + (size_t) x * sizeof(Sample);
    uint32_t bits = 0;
    if (aligned && n == 16 && image.low <= UINT16_MAX) {
        if (sizeof(Sample) == 1)
            bits = pack16_8(image, __ldcs((const uint4 *) p));
        else
            bits = pack8_16(image, __ldcs((const uint4 *) p)) |
                   pack8_16(image, __ldcs((const uint4 *) p + 1)) << 8;
    } else {
        for (uint32_t i = 0; i < n; i++)
            bits |= (((const Sample *) p)[i] - image.low <= image.range) << i;
    }
    const uint32_t in_frame = (1u << n) - 1;
    return (image.invert ? ~bits : bits) & in_frame;
}

/* Fills tile.bits; the block's threads then know whether the tile has any
 * foreground, and whether it has nothing else. */
template <typename Sample>
DEVICE void load_tile(Tile &tile, const CudaImage &image, const uint32_t x0, const uint32_t y0,
                      bool &any, bool &all)
{
    constexpr uint32_t row_chunks = CCA_TILE_WIDTH / 16;
    constexpr uint32_t chunks = row_chunks * CCA_TILE_HEIGHT / TILE_THREADS;
    constexpr uint32_t row_step = TILE_THREADS / row_chunks;
    const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
    const uint32_t chunk = threadIdx.x % row_chunks, row = threadIdx.x / row_chunks;
    const uint32_t x = x0 + chunk * 16;
    const uint32_t n = x >= image.width ? 0 : min(16u, image.width - x);

    uint32_t bits[chunks];
#pragma unroll
    for (uint32_t i = 0; i < chunks; i++) {
        const uint32_t y = y0 + row + i * row_step;
        bits[i] = y < image.height && n > 0 ? load16<Sample>(image, x, y, n, aligned) : 0;
    }
    for (uint32_t i = threadIdx.x; i < BITS_STRIDE; i += TILE_THREADS) {
        tile.bits[i] = 0;
        tile.bits[(CCA_TILE_HEIGHT + 1) * BITS_STRIDE + i] = 0;
    }
    for (uint32_t i = threadIdx.x; i < 2 * CCA_TILE_HEIGHT; i += TILE_THREADS)
        tile.bits[(i / 2 + 1) * BITS_STRIDE + (i & 1) * (BITS_STRIDE - 1)] = 0;

    uint32_t some = 0, every = 0xffff;
#pragma unroll
    for (uint32_t i = 0; i < chunks; i++) {
        some |= bits[i];
        every &= bits[i];
        /* little endian: the left half of a word is its low one */
        uint16_t *const halves =
            (uint16_t *) (tile.bits + (row + i * row_step + 1) * BITS_STRIDE + 1);
        halves[chunk] = (uint16_t) bits[i];
    }
    any = __syncthreads_or(some != 0);
    all = __syncthreads_and(every == 0xffff);
}

#endif /* CCA_CUDA_LOAD_CUH */
