/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The components of a frame in raster order, from the bitmap of their first pixels: ranks
 * follow each other, so that what is written of neighbours is one stretch of memory. */

#ifndef CCA_CUDA_RASTER_CUH
#define CCA_CUDA_RASTER_CUH

#include "../emit/records.cuh"
#include "closed.cuh"

/* Words that a warp looks at together, one a lane. */
#define PORTION WARP
#define PORTION_SEGMENTS (PORTION / CCA_SEGMENT_WORDS)

/* A word of the bitmap, and where what begins there is. */
struct RasterWord {
    uint32_t listed, open;           /* of the row of the tile that it is in, */
    uint32_t next_listed, next_open; /* and the first of each in the tables */
    uint32_t x, y;
};

/* A warp's portion. */
struct Portion {
    RasterWord words[PORTION];
    uint16_t bits[PORTION * WARP / 2]; /* of the components; no two lie beside each other */
};

DEVICE RasterWord raster_word(const CudaTiled &t, const CudaEmit &emit, const uint32_t word)
{
    constexpr uint32_t row_words = CCA_TILE_WIDTH / 32;
    const uint32_t y = word / emit.row_words, column = word % emit.row_words;
    const uint32_t tile = y / CCA_TILE_HEIGHT * t.tiles_x + column / row_words;
    const size_t row = (size_t) tile * CCA_TILE_HEIGHT + y % CCA_TILE_HEIGHT;
    const CudaTileRow &begun = t.rows[row];
    const uint32_t before = t.rows_before[row];
    uint32_t next_listed = t.closed_base[tile] + (before & 0xffff);
    uint32_t next_open = t.open_base[tile] + (before >> 16);
#pragma unroll
    for (uint32_t i = 0; i < row_words; i++) {
        next_listed += i < column % row_words ? __popc(begun.listed[i]) : 0;
        next_open += i < column % row_words ? __popc(begun.open[i]) : 0;
    }
    return { begun.listed[column % row_words], begun.open[column % row_words], next_listed,
             next_open, column * 32, y };
}

/* Features of the open component that a node belongs to, all unions being made. */
DEVICE Features open_features(const CudaTiled &t, uint32_t node, const uint32_t y)
{
    for (;;) { /* mostly it is the root's child at the most: read on without asking */
        const uint32_t p = t.parent[node];
        const uint32_t above = t.parent[p];
        const Features f = { t.min_x[p], y, t.max_x[p], t.max_y[p], t.area[p],
                             t.sum_x[p], t.sum_y[p] };
        if (above == p)
            return f;
        node = above;
    }
}

/* Features of the closed component that begins at a bit of a word. */
DEVICE Features closed_features(const CudaTiled &t, const RasterWord &w, const uint32_t bit)
{
    const uint32_t x0 = w.x / CCA_TILE_WIDTH * CCA_TILE_WIDTH;
    const uint32_t y0 = w.y / CCA_TILE_HEIGHT * CCA_TILE_HEIGHT;
    Closed c = closed_run(w.x - x0 + bit, w.y - y0, 1);
    if (w.listed >> bit & 1)
        c = load_closed(t, w.next_listed + __popc(w.listed & ((1u << bit) - 1)));
    const uint32_t area = c.area_sum_y >> AREA_SHIFT;
    const uint32_t sum_y = c.area_sum_y & ((1 << AREA_SHIFT) - 1);
    return { x0 + c.min_x, w.y, x0 + c.max_x, y0 + c.max_y, area,
             (uint64_t) x0 * area + c.sum_x, (uint64_t) y0 * area + sum_y };
}

/* Of any. */
DEVICE Features features_at(const CudaTiled &t, const RasterWord &w, const uint32_t bit)
{
    return w.open >> bit & 1 ?
               open_features(t, w.next_open + __popc(w.open & ((1u << bit) - 1)), w.y) :
               closed_features(t, w, bit);
}

/* what() of those that begin in a portion, `first` being the lane's word of it, up to rank
 * `end`. */
template <typename What>
DEVICE void for_each_in_portion(Portion &p, const CudaTiled &t, const CudaEmit &emit,
                                const uint32_t word, const uint32_t first,
                                const uint32_t rank, const uint32_t end, const What what)
{
    const uint32_t lane = threadIdx.x % WARP, n = __popc(first);
    if (n > 0)
        p.words[lane] = raster_word(t, emit, word);
    uint32_t inclusive = n;
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, d);
        if (lane >= d)
            inclusive += other;
    }
    uint16_t *to = p.bits + inclusive - n;
#pragma unroll 1
    for (uint32_t rest = first; rest != 0; rest &= rest - 1)
        *to++ = (uint16_t) (lane * 32 + __ffs(rest) - 1);
    const uint32_t n_all = __shfl_sync(ALL_LANES, inclusive, WARP - 1);
    __syncwarp();
#pragma unroll 1
    for (uint32_t k = lane; k - lane < n_all; k += WARP) {
        const bool has = k < n_all && rank + k < end;
        Features f = {};
        if (has)
            f = features_at(t, p.words[p.bits[k] / 32], p.bits[k] % 32);
        what(has, rank + k, f);
    }
    __syncwarp();
}

/* The components of the frame that pass the filters, up to rank `end`: what(has one, rank,
 * features), by whole warps. Grid: any number of blocks of CCA_LIST_THREADS threads. */
template <typename What>
DEVICE void for_each_in_order(Portion &portion, const CudaTiled &t, const CudaEmit &emit,
                              const uint32_t n_found, const uint32_t end, const What what)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t n_portions = (emit.n_words - 1) / PORTION + 1;
    const uint32_t stride = gridDim.x * (CCA_LIST_THREADS / WARP);
    const uint32_t begin = blockIdx.x * (CCA_LIST_THREADS / WARP) + threadIdx.x / WARP;
#pragma unroll 1
    for (uint32_t i = begin; i < n_portions; i += stride * WARP) {
        /* each lane looks whether one of the next portions has any */
        const uint32_t mine = i + lane * stride;
        uint32_t rank = 0;
        bool any = mine < n_portions;
        if (any) {
            rank = emit.prefix[mine * PORTION_SEGMENTS];
            any = rank < end && rank != (mine + 1 < n_portions ?
                                             emit.prefix[(mine + 1) * PORTION_SEGMENTS] :
                                             n_found);
        }
        uint32_t left = __ballot_sync(ALL_LANES, any);
        uint32_t next = left ? emit.first[(i + (__ffs(left) - 1) * stride) * PORTION + lane] : 0;
#pragma unroll 1
        while (left) {
            const uint32_t from = __ffs(left) - 1, first = next;
            left &= left - 1;
            if (left) /* on its way meanwhile */
                next = emit.first[(i + (__ffs(left) - 1) * stride) * PORTION + lane];
            for_each_in_portion(portion, t, emit, (i + from * stride) * PORTION + lane, first,
                                __shfl_sync(ALL_LANES, rank, from), end, what);
        }
    }
}

#endif /* CCA_CUDA_RASTER_CUH */
