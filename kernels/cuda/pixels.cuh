/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads pixels, 16 in each lane, and compares them with the thresholds. */

#ifndef CCA_CUDA_PIXELS_CUH
#define CCA_CUDA_PIXELS_CUH

#include "common.cuh"

/* Compares four bytes at a time with t, from 0 to 255. Bit 7 of each byte of the result is set if
 * the byte is >= t. */
struct ByteThreshold {
    uint32_t low7, top;
};

DEVICE ByteThreshold byte_threshold(const uint32_t t)
{
    return { (t & 0x7f) * 0x01010101u, t & 0x80 ? 0 : ALL_LANES };
}

/* The same for t known to be above 127 or not, which saves one instruction for four bytes. */
template <bool top> struct ByteThresholdWithTop {
    uint32_t low7;
};

/* Subtracts the low 7 bits without a borrow from the next byte. The top bits decide the
 * comparison, or this difference if they are equal. */
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

/* Packs bit 7 of 16 bytes into 16 bits. All other bits of `v` must be 0. */
DEVICE uint32_t gather_tops(const uint4 v)
{
    uint32_t a = __dp4a(v.x, 0x08040201u, 0u);
    a = __dp4a(v.y, 0x80402010u, a);
    uint32_t b = __dp4a(v.z, 0x08040201u, 0u);
    b = __dp4a(v.w, 0x80402010u, b);
    return a >> 7 | b << 1;
}

/* Mask of the bytes among 16 that pass the test, which is one of the above. */
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
        /* The shift moves bits of the left pixel into the right one's lowest bits, where they do
         * not change the result. */
        const uint32_t pair = words[i] << image.lift;
        bits |= ((pair & 0xffff) - image.low <= image.range) << 2 * i;
        bits |= ((pair >> 16) - image.low <= image.range) << (2 * i + 1);
    }
    return bits;
}

/* The image with a threshold found by the GPU. */
DEVICE CudaImage with_threshold(CudaImage image, const uint32_t threshold)
{
    image.low = (threshold + 1) << image.drop;
    image.range = image.end - image.low;
    if (image.low > image.end) { /* nothing is inside, as for given thresholds */
        image.low = UINT16_MAX + 1;
        image.range = 0;
    }
    return image;
}

DEVICE CudaImage with_threshold(const CudaImage &image)
{
    return with_threshold(image, *image.threshold);
}

/* 16 pixels, all inside the frame, at an aligned address. */
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

/* Mask of the pixels inside the thresholds. For bytes some value must be inside: image.low is
 * then below 256. */
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

/* For many pixels: calls use(pack), where pack(pixels) is pack16() with the operands of the
 * comparison computed once. */
template <typename Use> DEVICE void with_pack16(const CudaImage &image, uint8_t, const Use use)
{
    const auto with = [&](const auto test) {
        use([=](const Pixels16<uint8_t> &p) { return pack16_8(test, p.v[0]); });
    };
    const uint32_t high = image.low + image.range; /* inclusive */
    if (high < 255)
        with(Between{ byte_threshold(image.low), byte_threshold(high + 1) });
    else if (image.low & 0x80)
        with(ByteThresholdWithTop<true>{ byte_threshold(image.low).low7 });
    else
        with(ByteThresholdWithTop<false>{ byte_threshold(image.low).low7 });
}

template <typename Use> DEVICE void with_pack16(const CudaImage &image, uint16_t, const Use use)
{
    use([&](const Pixels16<uint16_t> &p) { return pack16(image, p); });
}

/* Template argument instead of a sample type: CudaImage.data points to rows of words of a
 * foreground mask (CudaForeground), and `first_bit` is the region's first pixel in a row. */
struct MaskBits {
};
/* The same for a mask that is still to be opened and closed. */
struct MaskToOpen {
};

/* The first `n` > 0 of the 32 pixels of a mask from (x, y). All `n` are inside the row. */
DEVICE uint32_t mask_bits(const CudaImage &image, const uint32_t x, const uint32_t y,
                          const uint32_t n)
{
    const uint32_t *const words = (const uint32_t *) (image.data + y * image.stride);
    const uint32_t at = image.first_bit + x, w = at / 32, shift = at % 32;
    const uint32_t low = words[w], high = shift + n > 32 ? words[w + 1] : 0;
    return __funnelshift_r(low, high, shift) & ALL_LANES >> (32 - n);
}

/* The same of the working set. */
DEVICE uint32_t working_bits(const CudaImage &image, const uint32_t x, const uint32_t y,
                             const uint32_t n)
{
    if (image.working_row_words == 0)
        return ALL_LANES >> (32 - n);
    const uint32_t at = image.x + x, shift = at % 32;
    const uint32_t *const words = image.working + (size_t) (image.y + y) * image.working_row_words +
                                  at / 32;
    const uint32_t low = words[0], high = shift + n > 32 ? words[1] : 0;
    return __funnelshift_r(low, high, shift) & ALL_LANES >> (32 - n);
}

#endif /* CCA_CUDA_PIXELS_CUH */
