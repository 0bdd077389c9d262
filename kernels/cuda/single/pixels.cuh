/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads a thread's pixels from a frame or its mask. */

#ifndef CCA_CUDA_SINGLE_PIXELS_CUH
#define CCA_CUDA_SINGLE_PIXELS_CUH

#include "../tiled/load.cuh"
#include "tile.cuh"

namespace single
{

/* Whether the kernel can open and close. Kernels that cannot are faster. */
enum Opening { NEVER, PERHAPS };

/* The first `n` of up to `most` pixels of a row, one by one. Ignores `invert`. */
template <typename Sample, uint32_t most>
DEVICE uint32_t word_of_some(const CudaImage &image, const uint8_t *const p, const uint32_t n)
{
    uint32_t bits = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < most; i++)
        if (i < n)
            bits |= is_inside<Sample>(image, ((const Sample *) p)[i]) << i;
    return bits;
}

/* Reads a frame of samples. */
template <typename Sample> struct Pixels {
    /* The values that decide on a pixel. Load them before word() to overlap the latencies. */
    struct Value {
        Sample sample;
        uint32_t working;
    };

    DEVICE Value value(const CudaImage &image, const uint32_t x, const uint32_t y)
    {
        return { ((const Sample *) (image.data + y * image.stride))[x],
                 working_bits(image, x, y, 1) };
    }

    DEVICE bool pixel(const CudaImage &image, const Value value, const uint32_t x)
    {
        (void) x;
        return (is_inside<Sample>(image, value.sample) ^ image.invert) & value.working;
    }

    /* The 32 pixels from (x, y), which is inside the frame; 0 past the end of the row. */
    DEVICE uint32_t word(const CudaImage &image, const uint32_t x, const uint32_t y)
    {
        const uint8_t *const p = image.data + y * image.stride + (size_t) x * sizeof(Sample);
        const bool aligned = (((uintptr_t) image.data | image.stride) & 15) == 0;
        const uint32_t n = min(32u, image.width - x);
        const uint32_t inverted = 0 - image.invert, working = working_bits(image, x, y, n);
        uint32_t bits = 0;
        if (image.low > UINT16_MAX) { /* nothing is inside */
        } else if (aligned && n == WARP) {
            const Pixels16<Sample> a = load16<Sample>(p);
            const Pixels16<Sample> b = load16<Sample>(p + 16 * sizeof(Sample));
            bits = (pack16(image, a) & 0xffff) | pack16(image, b) << 16;
        } else {
            bits = word_of_some<Sample, WARP>(image, p, n);
        }
        return (bits ^ inverted) & working;
    }
};

/* Reads a mask, which has no pixels outside the working set. */
template <> struct Pixels<MaskBits> {
    typedef uint32_t Value;

    DEVICE Value value(const CudaImage &image, const uint32_t x, const uint32_t y)
    {
        const uint32_t *const words = (const uint32_t *) (image.data + y * image.stride);
        return words[(image.first_bit + x) / 32];
    }

    DEVICE bool pixel(const CudaImage &image, const Value value, const uint32_t x)
    {
        return value >> (image.first_bit + x) % 32 & 1;
    }

    DEVICE uint32_t word(const CudaImage &image, const uint32_t x, const uint32_t y)
    {
        return mask_bits(image, x, y, min(32u, image.width - x));
    }
};

/* The pixels of a thread, and the pixels beside them across a border of the tile. */
struct Loaded {
    uint32_t bits;
    bool left, right;
};

template <typename Sample>
DEVICE Loaded load_word(const CudaImage &image, const uint32_t column, const uint32_t x,
                        const uint32_t y)
{
    typedef Pixels<Sample> P;
    const bool has_left = column == 0 && x > 0;
    const bool has_right = column == Narrow::row_words - 1 && x + 32 < image.width;
    typename P::Value value = {};
    if (has_left || has_right)
        value = P::value(image, has_left ? x - 1 : x + 32, y);
    const uint32_t bits = P::word(image, x, y);
    return { bits, has_left && P::pixel(image, value, x - 1),
             has_right && P::pixel(image, value, x + 32) };
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_PIXELS_CUH */
