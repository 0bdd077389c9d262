/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Writes the results of a tile, shared by both ways to label it. */

#ifndef CCA_CUDA_WRITE_CUH
#define CCA_CUDA_WRITE_CUH

#include "number.cuh"
#include "open.cuh"

DEVICE void write_open(const CudaImage &image, const CudaTiled &t, const uint32_t node,
                       const Features &f, const uint32_t first_x)
{
    t.parent[node] = node;
    store_open(t.open + node, { f.area, { ~f.min_x, f.max_x, f.max_y }, { f.sum_x, f.sum_y } });
    t.first[node] = f.min_y * image.width + first_x;
}

/* Features of a component with a slot, in pixels of the region. */
template <uint32_t room>
DEVICE Features slot_features(const Place &place, const Slots<room> &slots, const uint32_t slot,
                              const uint32_t area, const uint32_t min_y)
{
    const uint32_t sum_y = slots.area_sum_y[slot] & ((1 << AREA_SHIFT) - 1);
    return { place.x0 + slots.min_x[slot],
             place.y0 + min_y,
             place.x0 + slots.max_x[slot],
             place.y0 + slots.max_y[slot],
             area,
             (uint64_t) place.x0 * area + slots.sum_x[slot],
             (uint64_t) place.y0 * area + sum_y };
}

/* Writes the tile's part of the bitmap of first pixels, and the counts of its rows. `bits` are the
 * thread's words. Rows without first pixels are written only if `every` is true. Called by whole
 * warps. */
template <typename S, bool every = false>
DEVICE void write_first(const CudaCompact &compact, const Place &place,
                        const uint32_t (&bits)[S::words])
{
    static_assert(CCA_TILE_WIDTH == CCA_PATCH_WIDTH && CCA_TILE_HEIGHT == CCA_PATCH_HEIGHT, "");
    const uint32_t column = threadIdx.x % S::row_lanes * S::words, row = threadIdx.x / S::row_lanes;
    uint32_t count = 0;
#pragma unroll
    for (uint32_t i = 0; i < S::words; i++)
        count += __popc(bits[i]);
#pragma unroll
    for (uint32_t d = 1; d < S::row_lanes; d *= 2)
        count += __shfl_xor_sync(ALL_LANES, count, d);
    if (column == 0)
        compact.counts[place.tile * CCA_PATCH_HEIGHT + row] = (uint8_t) count;
    if (!every && count == 0)
        return;
    uint32_t *const to = first_word(compact, place.x0 + column * 32, place.y0 + row);
    if (S::words == 2)
        *(uint2 *) to = make_uint2(bits[0], bits[S::words - 1]);
    else
#pragma unroll
        for (uint32_t i = 0; i < S::words; i++)
            to[i] = bits[i];
}

/* The same from shared memory. */
template <typename S, bool every = false>
DEVICE void write_shared_first(const CudaCompact &compact, const Place &place,
                               const uint32_t *const words)
{
    uint32_t first[S::words];
#pragma unroll
    for (uint32_t i = 0; i < S::words; i++)
        first[i] = words[threadIdx.x * S::words + i];
    write_first<S, every>(compact, place, first);
}

/* The same for a tile in which no component begins, or one begins at its first pixel (`any`). */
DEVICE void write_same_first(const CudaCompact &compact, const Place &place, const bool any)
{
    if (threadIdx.x < CCA_PATCH_HEIGHT / 4)
        ((uint32_t *) (compact.counts + place.tile * CCA_PATCH_HEIGHT))[threadIdx.x] =
            any && threadIdx.x == 0;
    if (any && threadIdx.x == 0)
        *(uint4 *) first_word(compact, place.x0, place.y0) = make_uint4(1, 0, 0, 0);
}

/* Writes a tile that is all foreground and has neighbours: one open component, whose index is
 * returned. Called by one thread. */
DEVICE uint32_t write_full(const CudaImage &image, const CudaTiled &t, const Place &place)
{
    const uint64_t w = CCA_TILE_WIDTH, h = CCA_TILE_HEIGHT, area = w * h;
    const Features f = { place.x0,
                         place.y0,
                         place.x0 + CCA_TILE_WIDTH - 1,
                         place.y0 + CCA_TILE_HEIGHT - 1,
                         (uint32_t) area,
                         area * place.x0 + h * (w * (w - 1) / 2),
                         area * place.y0 + w * (h * (h - 1) / 2) };
    const uint32_t node = atomicAdd(&t.counts->n_open, 1);
    t.open_base[place.tile] = node;
    write_open(image, t, node, f, place.x0);
    return node;
}

#endif /* CCA_CUDA_WRITE_CUH */
