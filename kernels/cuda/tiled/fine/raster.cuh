/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Finds the features of a component from the position of its first pixel in CudaCompact.first. */

#ifndef CCA_CUDA_RASTER_CUH
#define CCA_CUDA_RASTER_CUH

#include "../open.cuh"
#include "listed.cuh"

/* A word of the bitmap, and the positions of its components in the tables. */
struct RasterWord {
    uint32_t listed, open;           /* the words of CudaTileRow */
    uint32_t next_listed, next_open; /* index of the first of each in the tables */
    uint32_t x, y;
};

DEVICE RasterWord raster_word(const CudaTiled &t, const CudaFine &fine, const CudaCompact &compact,
                              const uint32_t word)
{
    constexpr uint32_t row_words = CCA_TILE_WIDTH / 32;
    const uint32_t y = word / compact.row_words, column = word % compact.row_words;
    const uint32_t tile = y / CCA_TILE_HEIGHT * t.tiles_x + column / row_words;
    const size_t row = (size_t) tile * CCA_TILE_HEIGHT + y % CCA_TILE_HEIGHT;
    const CudaTileRow &begun = fine.rows[row];
    const uint32_t before = fine.rows_before[row];
    uint32_t next_listed = fine.listed_base[tile] + (before & 0xffff);
    uint32_t next_open = t.open_base[tile] + (before >> 16);
#pragma unroll
    for (uint32_t i = 0; i < row_words; i++) {
        next_listed += i < column % row_words ? __popc(begun.listed[i]) : 0;
        next_open += i < column % row_words ? __popc(begun.open[i]) : 0;
    }
    return { begun.listed[column % row_words],
             begun.open[column % row_words],
             next_listed,
             next_open,
             column * 32,
             y };
}

/* Features of the open component of a node, after all unions. */
DEVICE Features features_of_node(const CudaTiled &t, uint32_t node, const uint32_t y)
{
    for (;;) { /* loads before the check: nodes are mostly roots or their children */
        const uint32_t p = t.parent[node];
        const uint32_t above = t.parent[p];
        const CudaOpen c = load_open(t.open + p);
        if (above == p)
            return open_features(c, y);
        node = above;
    }
}

/* Features of the closed component that begins at a bit of a word. */
DEVICE Features closed_features(const CudaFine &fine, const RasterWord &w, const uint32_t bit)
{
    const uint32_t x0 = w.x / CCA_TILE_WIDTH * CCA_TILE_WIDTH;
    const uint32_t y0 = w.y / CCA_TILE_HEIGHT * CCA_TILE_HEIGHT;
    Listed c = listed_run(w.x - x0 + bit, w.y - y0, 1);
    if (w.listed >> bit & 1)
        c = load_listed(fine, w.next_listed + __popc(w.listed & ((1u << bit) - 1)));
    const uint32_t area = c.area_sum_y >> AREA_SHIFT;
    const uint32_t sum_y = c.area_sum_y & ((1 << AREA_SHIFT) - 1);
    return { x0 + c.min_x,
             w.y,
             x0 + c.max_x,
             y0 + c.max_y,
             area,
             (uint64_t) x0 * area + c.sum_x,
             (uint64_t) y0 * area + sum_y };
}

/* Features of the component that begins at a bit of a word. */
DEVICE Features features_at(const CudaTiled &t, const CudaFine &fine, const RasterWord &w,
                            const uint32_t bit)
{
    return w.open >> bit & 1 ?
               features_of_node(t, w.next_open + __popc(w.open & ((1u << bit) - 1)), w.y) :
               closed_features(fine, w, bit);
}

#endif /* CCA_CUDA_RASTER_CUH */
