/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Reads the rows of a strip. A warp reads a row at a time, and each lane gets a word of it. */

#ifndef CCA_CUDA_SUPER_LOAD_CUH
#define CCA_CUDA_SUPER_LOAD_CUH

#include "../tiled/load.cuh"
#include "tile.cuh"

namespace super
{

/* Rows that a warp loads ahead. More would need more registers than a thread has. */
template <typename Sample> constexpr uint32_t n_ahead = sizeof(Sample) == 1 ? 2 : 1;

/* Samples. A lane loads 16 pixels of the left and of the right half of a row, so that the loads of
 * the warp are consecutive. */
template <typename Sample> struct Rows {
    const CudaImage &image;
    const CudaSuper &s;
    const uint8_t *from; /* the lane's first pixel in the strip */
    bool vectors;        /* 16 pixels are loaded at once */
    bool whole;          /* and all columns of the tile are inside the region */

    struct Ahead {
        Pixels16<Sample> halves[2];
    };

    static constexpr uint32_t half = width / 2;

    DEVICE Rows make(const CudaImage &image, const CudaSuper &s, const Place &place)
    {
        const uint32_t x = place.x0 + threadIdx.x % WARP * 16, y = place.y0 + place.strip_row;
        const bool vectors = (((uintptr_t) image.data | image.stride) & 15) == 0 &&
                             image.low <= UINT16_MAX;
        return { image, s, image.data + y * image.stride + (size_t) x * sizeof(Sample), vectors,
                 vectors && place.x0 + width <= image.width };
    }

    __device__ __forceinline__ const uint8_t *at(const uint32_t row, const uint32_t k) const
    {
        return from + row * image.stride + k * (half * sizeof(Sample));
    }

    /* Number of the lane's pixels of a half that are inside the region. */
    __device__ __forceinline__ uint32_t inside(const uint32_t k) const
    {
        const uint32_t first = make_place<Sample>(image, s).x0 + threadIdx.x % WARP * 16 + k * half;
        return first < image.width ? min(16u, image.width - first) : 0;
    }

    __device__ __forceinline__ Ahead load(const uint32_t row) const
    {
        Ahead a;
        if (whole) {
            a.halves[0] = load16<Sample>(at(row, 0));
            a.halves[1] = load16<Sample>(at(row, 1));
        } else if (vectors) {
#pragma unroll
            for (uint32_t k = 0; k < 2; k++)
                if (inside(k) == 16)
                    a.halves[k] = load16<Sample>(at(row, k));
        }
        return a;
    }

    __device__ __forceinline__ uint32_t pack(const Ahead &a, const uint32_t row,
                                             const uint32_t k) const
    {
        if (vectors && inside(k) == 16)
            return (pack16(image, a.halves[k]) ^ (0 - image.invert)) & 0xffff;
        return load_some<Sample>(image, at(row, k), inside(k));
    }

    /* The lane's word of a row that was loaded. */
    __device__ __forceinline__ uint32_t word(const Ahead &a, const uint32_t row) const
    {
        const uint32_t lane = threadIdx.x % WARP;
        uint32_t halves;
        if (whole)
            with_pack16(image, Sample(), [&](const auto pack) {
                halves = (pack(a.halves[0]) | pack(a.halves[1]) << 16) ^ (0 - image.invert);
            });
        else
            halves = pack(a, row, 0) | pack(a, row, 1) << 16;
        const uint32_t even = __shfl_sync(ALL_LANES, halves, 2 * lane % WARP);
        const uint32_t odd = __shfl_sync(ALL_LANES, halves, 2 * lane % WARP + 1);
        return lane < WARP / 2 ? (even & 0xffff) | odd << 16 : even >> 16 | (odd & 0xffff0000u);
    }
};

/* A mask. */
template <> struct Rows<MaskBits> {
    const CudaImage &image;
    uint32_t x, y, inside;

    struct Ahead {
        uint32_t word;
    };

    DEVICE Rows make(const CudaImage &image, const CudaSuper &, const Place &place)
    {
        const uint32_t x = place.x0 + threadIdx.x % WARP * 32;
        return { image, x, place.y0 + place.strip_row,
                 x < image.width ? min(32u, image.width - x) : 0 };
    }

    __device__ __forceinline__ Ahead load(const uint32_t row) const
    {
        return { inside > 0 ? mask_bits(image, x, y + row, inside) : 0 };
    }

    __device__ __forceinline__ uint32_t word(const Ahead &a, uint32_t) const
    {
        return a.word;
    }
};

} // namespace super

#endif /* CCA_CUDA_SUPER_LOAD_CUH */
