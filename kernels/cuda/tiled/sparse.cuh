/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The components of a frame that has few of them, in no order: what little a warp would find
 * in a stretch of rows is not worth the time that it would wait for memory. */

#ifndef CCA_CUDA_SPARSE_CUH
#define CCA_CUDA_SPARSE_CUH

#include "raster.cuh"

/* Few: so many words of the bitmap for each of them at least. */
#define SPARSE_WORDS 2

#define ROW_WORDS (CCA_TILE_WIDTH / 32)
/* A warp has half a tile, and a lane one of its rows. */
#define HALF_ROWS (CCA_TILE_HEIGHT / 2)
static_assert(HALF_ROWS == WARP, "");
/* Of its closed components some at a time. */
#define MOST_LISTED 256

struct HalfTile {
    uint32_t first[HALF_ROWS][ROW_WORDS]; /* of closed components alone */
    uint32_t listed[HALF_ROWS][ROW_WORDS];
    uint32_t next[HALF_ROWS][ROW_WORDS]; /* place of the word's first one in the list */
    uint16_t bits[MOST_LISTED];
};

/* Returns how many closed components begin in the lane's row. */
DEVICE uint32_t load_row(HalfTile &h, const CudaTiled &t, const CudaEmit &emit,
                         const uint32_t tile, const uint32_t y, const uint32_t height)
{
    const uint32_t lane = threadIdx.x % WARP, column = tile % t.tiles_x * ROW_WORDS;
    uint32_t any = 0, n = 0;
#pragma unroll
    for (uint32_t j = 0; j < ROW_WORDS; j++) {
        const bool inside = y < height && column + j < emit.row_words;
        const uint32_t word =
            inside ? emit.first[(size_t) y * emit.row_words + column + j] : 0;
        h.first[lane][j] = word;
        any |= word;
    }
    if (any == 0)
        return 0;
    const size_t row = (size_t) tile * CCA_TILE_HEIGHT + y % CCA_TILE_HEIGHT;
    const CudaTileRow begun = t.rows[row];
    uint32_t next = t.closed_base[tile] + (t.rows_before[row] & 0xffff);
#pragma unroll
    for (uint32_t j = 0; j < ROW_WORDS; j++) {
        const uint32_t closed = h.first[lane][j] & ~begun.open[j];
        h.first[lane][j] = closed;
        n += __popc(closed);
        h.listed[lane][j] = begun.listed[j];
        h.next[lane][j] = next;
        next += __popc(begun.listed[j]);
    }
    return n;
}

/* what() of the closed components that begin in half a tile, from row `y0` on. */
template <typename What>
DEVICE void for_each_in_half(HalfTile &h, const CudaTiled &t, const CudaEmit &emit,
                             const uint32_t tile, const uint32_t y0, const uint32_t height,
                             const uint32_t end, const What what)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t n_row = load_row(h, t, emit, tile, y0 + lane, height);
    const uint32_t x0 = tile % t.tiles_x * CCA_TILE_WIDTH;
    uint32_t inclusive = n_row;
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, d);
        if (lane >= d)
            inclusive += other;
    }
    const uint32_t n = __shfl_sync(ALL_LANES, inclusive, WARP - 1);
#pragma unroll 1
    for (uint32_t begin = 0; begin < n; begin += MOST_LISTED) {
        uint32_t to = inclusive - n_row - begin, bit = lane * CCA_TILE_WIDTH;
#pragma unroll 1
        for (uint32_t j = 0; j < ROW_WORDS; j++, bit += 32)
#pragma unroll 1
            for (uint32_t rest = h.first[lane][j]; rest != 0; rest &= rest - 1, to++)
                if (to < MOST_LISTED)
                    h.bits[to] = (uint16_t) (bit + __ffs(rest) - 1);
        __syncwarp();
#pragma unroll 1
        for (uint32_t k = lane; k - lane < MOST_LISTED && begin + k - lane < n; k += WARP) {
            bool has = begin + k < n;
            uint32_t rank = 0;
            Features f = {};
            if (has) {
                const uint32_t at = h.bits[k], r = at / CCA_TILE_WIDTH, y = y0 + r;
                const uint32_t j = at % CCA_TILE_WIDTH / 32, bit = at % 32;
                const uint32_t x = x0 + j * 32;
                rank = rank_of(emit, x + bit, y);
                has = rank < end;
                f = closed_features(t, { h.listed[r][j], 0, h.next[r][j], 0, x, y }, bit);
            }
            what(has, rank, f);
        }
        __syncwarp();
    }
}

template <typename What>
DEVICE void for_each_closed(HalfTile &half, const CudaImage &image, const CudaTiled &t,
                            const CudaEmit &emit, const uint32_t end, const What what)
{
    const uint32_t lane = threadIdx.x % WARP, n_halves = 2 * t.tiles_x * t.tiles_y;
    const uint32_t stride = gridDim.x * (CCA_LIST_THREADS / WARP);
    const uint32_t begin = blockIdx.x * (CCA_LIST_THREADS / WARP) + threadIdx.x / WARP;
#pragma unroll 1
    for (uint32_t i = begin; i < n_halves; i += stride * WARP) {
        /* each lane looks whether one of the next tiles has any */
        const uint32_t mine = i + lane * stride;
        const bool any = mine < n_halves && t.closed_base[mine / 2] != UINT32_MAX;
#pragma unroll 1
        for (uint32_t left = __ballot_sync(ALL_LANES, any); left != 0; left &= left - 1) {
            const uint32_t at = i + (__ffs(left) - 1) * stride, tile = at / 2;
            const uint32_t y0 = tile / t.tiles_x * CCA_TILE_HEIGHT + at % 2 * HALF_ROWS;
            for_each_in_half(half, t, emit, tile, y0, image.height, end, what);
        }
    }
}

/* From the table of them: no path is gone to find a root. */
template <typename What>
DEVICE void for_each_open_root(const CudaImage &image, const CudaTiled &t, const CudaEmit &emit,
                               const uint32_t end, const What what)
{
    const uint32_t n = t.totals->n_open, stride = gridDim.x * blockDim.x;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i - threadIdx.x % WARP < n;
         i += stride) {
        bool has = i < n && t.parent[i] == i && area_passes(image, t.area[i]);
        uint32_t rank = 0;
        Features f = {};
        if (has) {
            const uint32_t first = t.first[i], y = first / image.width;
            rank = rank_of(emit, first % image.width, y);
            has = rank < end;
            f = { t.min_x[i], y, t.max_x[i], t.max_y[i], t.area[i], t.sum_x[i], t.sum_y[i] };
        }
        what(has, rank, f);
    }
}

/* The components of the frame that pass the filters, up to rank `end`: what(has one, rank,
 * features), by whole warps. Grid: any number of blocks of CCA_LIST_THREADS threads. */
template <typename What>
DEVICE void for_each_component(const CudaImage &image, const CudaTiled &t, const CudaEmit &emit,
                               const uint32_t end, const What what)
{
    __shared__ union {
        Portion portion;
        HalfTile half;
    } memory[CCA_LIST_THREADS / WARP];
    auto &mine = memory[threadIdx.x / WARP];
    const uint32_t n_found = emit.header->n_found;
    if (n_found >= emit.n_words / SPARSE_WORDS) {
        for_each_in_order(mine.portion, t, emit, n_found, end, what);
        return;
    }
    for_each_closed(mine.half, image, t, emit, end, what);
    for_each_open_root(image, t, emit, end, what);
}

#endif /* CCA_CUDA_SPARSE_CUH */
