/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Threshold: 16 pixels to 16 bits. */

#ifndef CCA_CUDA_LOAD_CUH
#define CCA_CUDA_LOAD_CUH

#include "tile.cuh"

/* Bytes are compared with t, four at a time: bit 7 of each is set if it is >= t,
 * for t from 0 to 255. */
struct AtLeast {
    uint32_t low7, top;
};

DEVICE AtLeast at_least(const uint32_t t)
{
    return { (t & 0x7f) * 0x01010101u, t & 0x80 ? 0 : ALL_LANES };
}

DEVICE uint32_t compare(const uint32_t v, const AtLeast &t)
{
    /* a subtraction of the low 7 bits that never borrows from the next byte;
     * then the top bits decide, or it does where they are equal */
    const uint32_t low7 = (v | 0x80808080u) - t.low7;
    return (v & low7) | ((v | low7) & t.top);
}

DEVICE uint32_t inside_8(const CudaImage &image, const uint32_t v)
{
    const uint32_t high = image.low + image.range; /* inclusive */
    uint32_t inside = compare(v, at_least(image.low));
    if (high < 255)
        inside &= ~compare(v, at_least(high + 1));
    return inside & 0x80808080u;
}

DEVICE uint32_t pack16_8(const CudaImage &image, const uint4 v)
{
    uint32_t a = __dp4a(inside_8(image, v.x), 0x08040201u, 0u);
    a = __dp4a(inside_8(image, v.y), 0x80402010u, a);
    uint32_t b = __dp4a(inside_8(image, v.z), 0x08040201u, 0u);
    b = __dp4a(inside_8(image, v.w), 0x80402010u, b);
    return a >> 7 | b << 1;
}

DEVICE uint32_t pack8_16(const CudaImage &image, const uint4 v)
{
    const uint32_t words[4] = { v.x, v.y, v.z, v.w };
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        /* what the left pixel leaves in the right one's lowest bits decides nothing */
        const uint32_t pair = words[i] << image.lift;
        bits |= ((pair & 0xffff) - image.low <= image.range) << 2 * i;
        bits |= ((pair >> 16) - image.low <= image.range) << (2 * i + 1);
    }
    return bits;
}

/* 16 pixels that are all in the frame, at an aligned address. */
template <typename Sample> struct Pixels16 {
    uint4 v[sizeof(Sample)];
};

template <typename Sample> DEVICE Pixels16<Sample> load16(const uint8_t *const p)
{
    Pixels16<Sample> pixels;
#pragma unroll
    for (uint32_t i = 0; i < sizeof(Sample); i++)
        pixels.v[i] = __ldcs((const uint4 *) p + i);
    return pixels;
}

DEVICE uint32_t pack16(const CudaImage &image, const Pixels16<uint8_t> &p)
{
    return (pack16_8(image, p.v[0]) ^ (0 - image.invert)) & 0xffff;
}

DEVICE uint32_t pack16(const CudaImage &image, const Pixels16<uint16_t> &p)
{
    const uint32_t bits = pack8_16(image, p.v[0]) | pack8_16(image, p.v[1]) << 8;
    return (bits ^ (0 - image.invert)) & 0xffff;
}

/* Of 16 pixels the first `n`, one by one. */
template <typename Sample>
DEVICE uint32_t load_some(const CudaImage &image, const uint8_t *const p, const uint32_t n)
{
    uint32_t bits = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < n; i++)
        bits |= (is_inside<Sample>(image, ((const Sample *) p)[i]) ^ image.invert) << i;
    return bits;
}

/* Fills tile.bits; the block's threads then know whether the tile has any
 * foreground, and whether it has nothing else. */
template <typename S, typename Sample>
DEVICE void load_tile(Tile &tile, const CudaImage &image, const uint32_t x0, const uint32_t y0,
                      bool &any, bool &all)
{
    constexpr uint32_t row_chunks = CCA_TILE_WIDTH / 16;
    constexpr uint32_t chunks = row_chunks * CCA_TILE_HEIGHT / S::threads;
    constexpr uint32_t row_step = S::threads / row_chunks;
    const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
    const uint32_t chunk = threadIdx.x % row_chunks, row = threadIdx.x / row_chunks;
    const uint32_t x = x0 + chunk * 16, y = y0 + row;
    const uint8_t *const p = image.data + y * image.stride + (size_t) x * sizeof(Sample);

    const bool vectors = aligned && image.low <= UINT16_MAX;
    const uint32_t n = x >= image.width ? 0 : min(16u, image.width - x);

    uint32_t bits[chunks];
    if (vectors && x0 + CCA_TILE_WIDTH <= image.width) {
        Pixels16<Sample> pixels[chunks]; /* all on their way before the first is used */
#pragma unroll
        for (uint32_t i = 0; i < chunks; i++)
            if (y + i * row_step < image.height)
                pixels[i] = load16<Sample>(p + i * row_step * image.stride);
#pragma unroll
        for (uint32_t i = 0; i < chunks; i++)
            bits[i] = y + i * row_step < image.height ? pack16(image, pixels[i]) : 0;
    } else {
#pragma unroll
        for (uint32_t i = 0; i < chunks; i++) {
            const uint8_t *const q = p + i * row_step * image.stride;
            bits[i] = y + i * row_step >= image.height ? 0 :
                      vectors && n == 16 ? pack16(image, load16<Sample>(q)) :
                                           load_some<Sample>(image, q, n);
        }
    }
    for (uint32_t i = threadIdx.x; i < ROW_STRIDE; i += S::threads) {
        tile.bits[i] = 0;
        tile.bits[N_PLACES - ROW_STRIDE + i] = 0;
    }
    for (uint32_t i = threadIdx.x; i < CCA_TILE_HEIGHT; i += S::threads) {
        tile.bits[run_at(0, i) / 32 - 1] = 0;
        tile.bits[run_at(CCA_TILE_WIDTH, i) / 32] = 0;
    }

    uint32_t some = 0, every = 0xffff;
    /* little endian: the left half of a word is its low one */
    uint16_t *const halves = (uint16_t *) tile.bits + run_at(chunk * 16, row) / 16;
#pragma unroll
    for (uint32_t i = 0; i < chunks; i++) {
        some |= bits[i];
        every &= bits[i];
        halves[i * row_step * ROW_STRIDE * 2] = (uint16_t) bits[i];
    }
    any = __syncthreads_or(some != 0);
    all = __syncthreads_and(every == 0xffff);
}

#endif /* CCA_CUDA_LOAD_CUH */
