/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pixels, 16 a lane, and the comparison that makes bits of them. */

#ifndef CCA_CUDA_PIXELS_CUH
#define CCA_CUDA_PIXELS_CUH

#include "common.cuh"

/* Bytes are compared with t, four at a time: bit 7 of each is set if it is >= t,
 * for t from 0 to 255. */
struct ByteThreshold {
    uint32_t low7, top;
};

DEVICE ByteThreshold byte_threshold(const uint32_t t)
{
    return { (t & 0x7f) * 0x01010101u, t & 0x80 ? 0 : ALL_LANES };
}

/* The same, it being known whether t is above 127: one instruction less for four. */
template <bool top> struct ByteThresholdWithTop {
    uint32_t low7;
};

/* A subtraction of the low 7 bits that never borrows from the next byte; then the top bits
 * decide, or it does where they are equal. */
DEVICE uint32_t subtract(const uint32_t v, const uint32_t low7)
{
    return (v | 0x80808080u) - low7;
}

DEVICE uint32_t compare(const uint32_t v, const ByteThreshold &t)
{
    const uint32_t low7 = subtract(v, t.low7);
    return (v & low7) | ((v | low7) & t.top);
}

template <bool top> DEVICE uint32_t compare(const uint32_t v, const ByteThresholdWithTop<top> &t)
{
    const uint32_t low7 = subtract(v, t.low7);
    return top ? v & low7 : v | low7;
}

struct Between {
    ByteThreshold low, above;
};

DEVICE uint32_t compare(const uint32_t v, const Between &t)
{
    return compare(v, t.low) & ~compare(v, t.above);
}

/* Bits 7 of 16 bytes, in which there is nothing else. */
DEVICE uint32_t gather_tops(const uint4 v)
{
    uint32_t a = __dp4a(v.x, 0x08040201u, 0u);
    a = __dp4a(v.y, 0x80402010u, a);
    uint32_t b = __dp4a(v.z, 0x08040201u, 0u);
    b = __dp4a(v.w, 0x80402010u, b);
    return a >> 7 | b << 1;
}

/* Which of 16 bytes are inside, by any of these tests. */
template <typename Test> DEVICE uint32_t pack16_8(const Test &test, const uint4 v)
{
    const uint32_t tops = 0x80808080u;
    return gather_tops(make_uint4(compare(v.x, test) & tops, compare(v.y, test) & tops,
                                  compare(v.z, test) & tops, compare(v.w, test) & tops));
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

/* With a threshold that the GPU has found. */
DEVICE CudaImage with_threshold(CudaImage image, const uint32_t threshold)
{
    image.low = (threshold + 1) << image.drop;
    image.range = image.end - image.low;
    if (image.low > image.end) { /* as for thresholds that are given: nothing is inside */
        image.low = UINT16_MAX + 1;
        image.range = 0;
    }
    return image;
}

DEVICE CudaImage with_threshold(const CudaImage &image)
{
    return with_threshold(image, *image.threshold);
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

/* Which of them are inside the thresholds, of which there have to be some. */
DEVICE uint32_t pack16(const CudaImage &image, const Pixels16<uint8_t> &p)
{
    const uint32_t high = image.low + image.range;
    if (high < 255)
        return pack16_8(Between{ byte_threshold(image.low), byte_threshold(high + 1) }, p.v[0]);
    return pack16_8(byte_threshold(image.low), p.v[0]);
}

DEVICE uint32_t pack16(const CudaImage &image, const Pixels16<uint16_t> &p)
{
    return pack8_16(image, p.v[0]) | pack8_16(image, p.v[1]) << 8;
}

/* For many of them: calls what(pack), where pack(pixels) does the same, and what it compares
 * with is known beforehand. */
template <typename What> DEVICE void with_pack16(const CudaImage &image, uint8_t, const What what)
{
    const auto with = [&](const auto test) {
        what([=](const Pixels16<uint8_t> &p) { return pack16_8(test, p.v[0]); });
    };
    const uint32_t high = image.low + image.range; /* inclusive */
    if (high < 255)
        with(Between{ byte_threshold(image.low), byte_threshold(high + 1) });
    else if (image.low & 0x80)
        with(ByteThresholdWithTop<true>{ byte_threshold(image.low).low7 });
    else
        with(ByteThresholdWithTop<false>{ byte_threshold(image.low).low7 });
}

template <typename What> DEVICE void with_pack16(const CudaImage &image, uint16_t, const What what)
{
    what([&](const Pixels16<uint16_t> &p) { return pack16(image, p); });
}

/* In place of a sample: the frame is a mask of foreground (CudaForeground), of which
 * CudaImage.data is a row of words and `first_bit` the region's first pixel in it. */
struct MaskBits {};
/* It still has to be opened and closed. */
struct MaskToOpen {};

/* The first `n` of 32 pixels from (x, y) on, of which n > 0 are in the row. */
DEVICE uint32_t mask_bits(const CudaImage &image, const uint32_t x, const uint32_t y,
                          const uint32_t n)
{
    const uint32_t *const words = (const uint32_t *) (image.data + y * image.stride);
    const uint32_t at = image.first_bit + x, w = at / 32, shift = at % 32;
    const uint32_t low = words[w], high = shift + n > 32 ? words[w + 1] : 0;
    return __funnelshift_r(low, high, shift) & ALL_LANES >> (32 - n);
}

#endif /* CCA_CUDA_PIXELS_CUH */
