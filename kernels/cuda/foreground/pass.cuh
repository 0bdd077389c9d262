/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Shared by the kernels that read all pixels, 16 in each lane. */

#ifndef CCA_CUDA_FOREGROUND_PASS_CUH
#define CCA_CUDA_FOREGROUND_PASS_CUH

#include "../pixels.cuh"
#include "../tables/foreground.h"

/* A lane's pixels: they start at (x, y), and `n` of them are inside the row. */
struct Unit {
    uint32_t x, y, n;
};

/* Unit `i` in raster order; a row has `row_units`. */
DEVICE Unit unit_at(const CudaImage &image, const uint32_t i, const uint32_t row_units)
{
    const uint32_t y = i / row_units, x = (i - y * row_units) * CCA_PASS_PIXELS;
    return { x, y, x >= image.width ? 0 : min(image.width - x, (uint32_t) CCA_PASS_PIXELS) };
}

/* The lane's pixels of the working set. */
DEVICE uint32_t working_bits(const CudaImage &image, const Unit &u)
{
    return u.n > 0 ? working_bits(image, u.x, u.y, u.n) : 0;
}

/* The words that hold 16 samples. */
template <typename Sample> struct Samples16 {
    uint32_t w[4 * sizeof(Sample)];
};

template <typename Sample> DEVICE Samples16<Sample> samples_of(const Pixels16<Sample> &p)
{
    Samples16<Sample> words;
#pragma unroll
    for (uint32_t i = 0; i < sizeof(Sample); i++) {
        words.w[4 * i] = p.v[i].x;
        words.w[4 * i + 1] = p.v[i].y;
        words.w[4 * i + 2] = p.v[i].z;
        words.w[4 * i + 3] = p.v[i].w;
    }
    return words;
}

template <typename Sample> DEVICE Pixels16<Sample> pixels_of(const Samples16<Sample> &words)
{
    Pixels16<Sample> p;
#pragma unroll
    for (uint32_t i = 0; i < sizeof(Sample); i++)
        p.v[i] = make_uint4(words.w[4 * i], words.w[4 * i + 1], words.w[4 * i + 2],
                            words.w[4 * i + 3]);
    return p;
}

template <typename Sample> DEVICE uint32_t get(const Samples16<Sample> &words, const uint32_t i)
{
    constexpr uint32_t per_word = 4 / sizeof(Sample), bits = 8 * sizeof(Sample);
    return words.w[i / per_word] >> bits * (i % per_word) & ((1u << bits) - 1);
}

/* Requires that the sample is 0. */
template <typename Sample>
DEVICE void set(Samples16<Sample> &words, const uint32_t i, const uint32_t sample)
{
    constexpr uint32_t per_word = 4 / sizeof(Sample), bits = 8 * sizeof(Sample);
    words.w[i / per_word] |= sample << bits * (i % per_word);
}

/* Whether rows can be read by aligned loads of 16 bytes. */
DEVICE bool is_aligned(const CudaImage &image)
{
    return (((uintptr_t) image.data | image.stride) & 15) == 0;
}

/* A lane's samples; those past the end of the row are 0. */
template <typename Sample> DEVICE Samples16<Sample> load_unit(const CudaImage &image, const Unit &u)
{
    const uint8_t *const p = image.data + u.y * image.stride + (size_t) u.x * sizeof(Sample);
    if (u.n == CCA_PASS_PIXELS && is_aligned(image))
        return samples_of<Sample>(load16<Sample>(p));
    Samples16<Sample> words = {};
#pragma unroll
    for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
        if (i < u.n)
            set<Sample>(words, i, ((const Sample *) p)[i]);
    return words;
}

template <typename Sample> DEVICE uint32_t value_of(const CudaImage &image, const uint32_t drop,
                                                    const uint32_t sample)
{
    return sizeof(Sample) == 1 ? sample : (sample << image.lift & UINT16_MAX) >> drop;
}

#endif /* CCA_CUDA_FOREGROUND_PASS_CUH */
