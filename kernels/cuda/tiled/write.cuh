/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What a tile writes, however it was labelled. */

#ifndef CCA_CUDA_WRITE_CUH
#define CCA_CUDA_WRITE_CUH

#include "number.cuh"

DEVICE void write_open(const CudaImage &image, const CudaTiled &t, const uint32_t node,
                       const Features &f, const uint32_t first_x)
{
    t.parent[node] = node;
    t.area[node] = f.area;
    t.min_x[node] = f.min_x;
    t.max_x[node] = f.max_x;
    t.max_y[node] = f.max_y;
    t.first[node] = f.min_y * image.width + first_x;
    t.sum_x[node] = f.sum_x;
    t.sum_y[node] = f.sum_y;
}

/* Of a component with a slot, in pixels of the region. */
DEVICE Features slot_features(const Place &place, const Slots &slots, const uint32_t slot,
                              const uint32_t area, const uint32_t min_y)
{
    const uint32_t sum_y = slots.area_sum_y[slot] & ((1 << AREA_SHIFT) - 1);
    return { place.x0 + slots.min_x[slot], place.y0 + min_y,
             place.x0 + slots.max_x[slot], place.y0 + slots.max_y[slot], area,
             (uint64_t) place.x0 * area + slots.sum_x[slot],
             (uint64_t) place.y0 * area + sum_y };
}

/* The tile's part of the bitmap of first pixels, `bits` being the thread's words.
 * Tile 0 clears the words past the last row. */
template <typename S>
DEVICE void write_first(const CudaEmit &emit, const CudaImage &image, const Place &place,
                        const uint32_t (&bits)[S::words])
{
    constexpr uint32_t row_words = CCA_TILE_WIDTH / 32;
    const uint32_t word = threadIdx.x * S::words;
    const uint32_t y = place.y0 + word / row_words, column = place.x0 / 32 + word % row_words;
    if (place.tile == 0)
#pragma unroll 1
        for (uint32_t w = emit.n_words + threadIdx.x; w < emit.n_chunks * CCA_CHUNK_WORDS;
             w += S::threads)
            emit.first[w] = 0;
    if (y >= image.height || column >= emit.row_words)
        return;
    uint32_t *const to = emit.first + (size_t) y * emit.row_words + column;
    /* a row of a tile is little to store, and takes as long however little it is */
    if (S::words == 2 && emit.row_words % 2 == 0)
        *(uint2 *) to = make_uint2(bits[0], bits[S::words - 1]);
    else
#pragma unroll
        for (uint32_t i = 0; i < S::words; i++)
            if (column + i < emit.row_words)
                to[i] = bits[i];
}

/* The same from shared memory. */
template <typename S>
DEVICE void write_shared_first(const CudaEmit &emit, const CudaImage &image, const Place &place,
                               const uint32_t *const words)
{
    uint32_t first[S::words];
#pragma unroll
    for (uint32_t i = 0; i < S::words; i++)
        first[i] = words[threadIdx.x * S::words + i];
    write_first<S>(emit, image, place, first);
}

/* A tile that is one component, and has a neighbour to be joined with. By one
 * thread. */
DEVICE void write_full(const CudaImage &image, const CudaTiled &t, const Place &place)
{
    const uint64_t w = CCA_TILE_WIDTH, h = CCA_TILE_HEIGHT, area = w * h;
    const Features f = { place.x0, place.y0, place.x0 + CCA_TILE_WIDTH - 1,
                         place.y0 + CCA_TILE_HEIGHT - 1, (uint32_t) area,
                         area * place.x0 + h * (w * (w - 1) / 2),
                         area * place.y0 + w * (h * (h - 1) / 2) };
    const uint32_t node = atomicAdd(&t.counts->n_open, 1);
    t.open_base[place.tile] = node;
    write_open(image, t, node, f, place.x0);
}

#endif /* CCA_CUDA_WRITE_CUH */
