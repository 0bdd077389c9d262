/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Numbers the components of a tile, and writes the labels of its edges. */

#ifndef CCA_CUDA_NUMBER_CUH
#define CCA_CUDA_NUMBER_CUH

#include "label.cuh"

/* Position of a tile, and which of its edges have a neighbour. */
struct Place {
    uint32_t tile, x0, y0;
    bool left, right, above, below;
};

DEVICE Place make_place(const CudaImage &image, const CudaTiled &t)
{
    const uint32_t tile = blockIdx.x, tx = tile % t.tiles_x, ty = tile / t.tiles_x;
    return { tile,   tx * CCA_TILE_WIDTH, ty * CCA_TILE_HEIGHT, tx > 0, tx + 1 < t.tiles_x,
             ty > 0, ty + 1 < t.tiles_y };
}

/* Marks the component at a pixel of an edge as open and returns its root. Returns UINT32_MAX for
 * background, or if there is no neighbour tile. */
DEVICE uint32_t mark_open(Tile &tile, const bool neighbour, const uint32_t x, const uint32_t y)
{
    const uint32_t at = run_at(x, y);
    if (!neighbour || !(tile.bits[at / 32] >> at % 32 & 1))
        return UINT32_MAX;
    const uint32_t root = root_of(tile.parent, node_of(tile, at / 32, at % 32));
    mark_root(tile.parent, root, ROOT | OPEN);
    return root;
}

/* Each thread has one edge label, or none, of each side. A side is the top row, the bottom row, or
 * both columns. */
#define SIDE CCA_TILE_WIDTH
static_assert(CCA_EDGE_TOP == 0 && CCA_EDGE_BOTTOM == SIDE && CCA_EDGE_LEFT == 2 * SIDE, "");
static_assert(CCA_EDGE_RIGHT == CCA_EDGE_LEFT + CCA_TILE_HEIGHT && SIDE == 2 * CCA_TILE_HEIGHT, "");
template <typename S> struct Edges {
    static constexpr uint32_t n = (CCA_EDGE_LABELS + S::threads - 1) / S::threads;
    uint32_t roots[n]; /* UINT32_MAX: no component, or no neighbour tile */
};

template <typename S> DEVICE Edges<S> mark_edges(Tile &tile, const Place &place)
{
    Edges<S> edges;
    const uint32_t i = threadIdx.x % SIDE, first_side = S::threads > SIDE ? threadIdx.x / SIDE : 0;
    const bool left = i < CCA_TILE_HEIGHT;
#pragma unroll
    for (uint32_t k = 0; k < Edges<S>::n; k++) {
        const uint32_t side = first_side + k * (S::threads / SIDE);
        edges.roots[k] = side == 0 ? mark_open(tile, place.above, i, 0) :
                         side == 1 ? mark_open(tile, place.below, i, CCA_TILE_HEIGHT - 1) :
                         side == 2 ? mark_open(tile, left ? place.left : place.right,
                                               left ? 0 : CCA_TILE_WIDTH - 1, i % CCA_TILE_HEIGHT) :
                                     UINT32_MAX;
    }
    return edges;
}

/* Roots of a strip: each lane has a mask of 32 nodes. */
struct Roots {
    uint32_t open, closed;
};

/* Numbers the roots from `next_open` and `next_closed`. */
DEVICE void give_numbers(Tile &tile, const Strip &strip, const Roots &roots, uint32_t next_open,
                         uint32_t next_closed)
{
    const uint32_t lane = threadIdx.x % WARP;
    for (uint32_t with = __ballot_sync(ALL_LANES, (roots.open | roots.closed) != 0); with;
         with &= with - 1) {
        const uint32_t i = __ffs(with) - 1;
        const uint32_t a = __shfl_sync(ALL_LANES, roots.open, i);
        const uint32_t b = __shfl_sync(ALL_LANES, roots.closed, i);
        uint16_t *const parent = tile.parent + strip.begin + i * WARP + lane;
        if (a >> lane & 1)
            *parent = (uint16_t) (ROOT | OPEN | (next_open + __popc(a & lane_mask_lt())));
        if (b >> lane & 1)
            *parent = (uint16_t) (ROOT | (next_closed + __popc(b & lane_mask_lt())));
        next_open += __popc(a);
        next_closed += __popc(b);
    }
}

/* Numbers the roots of a strip, open and closed ones. */
DEVICE void number_roots(Tile &tile, const Strip &strip)
{
    static_assert(MAX_NODES / WARP <= 4 * WARP, "a lane for each ballot");
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t open = 0, closed = 0; /* each lane has the masks of 32 nodes */
#pragma unroll 1
    for (uint32_t i = 0; i < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i + lane;
        const uint32_t p = i + lane < strip.n ? tile.parent[node] : 0;
        const uint32_t a = __ballot_sync(ALL_LANES, p & ROOT);
        const uint32_t b = __ballot_sync(ALL_LANES, p == node && i + lane < strip.n);
        if (lane == i / WARP) {
            open = a;
            closed = b;
        }
    }
    const uint32_t n_open = warp_sum(__popc(open)), n_closed = warp_sum(__popc(closed));
    uint32_t next_open = 0, next_closed = 0;
    if (lane == 0 && n_open > 0)
        next_open = atomicAdd(&tile.n_open, n_open);
    if (lane == 0 && n_closed > 0)
        next_closed = atomicAdd(&tile.n_closed, n_closed);
    next_open = __shfl_sync(ALL_LANES, next_open, 0);
    next_closed = __shfl_sync(ALL_LANES, next_closed, 0);
    give_numbers(tile, strip, { open, closed }, next_open, next_closed);
}

template <typename S>
DEVICE void write_labels(const Tile &tile, const CudaTiled &t, const Place &place,
                         const Edges<S> &edges)
{
    uint8_t *const labels = t.edges + (size_t) place.tile * CCA_EDGE_LABELS;
#pragma unroll
    for (uint32_t k = 0; k < Edges<S>::n; k++) {
        const uint32_t i = k * S::threads + threadIdx.x, root = edges.roots[k];
        if (i < CCA_EDGE_LABELS)
            labels[i] = root == UINT32_MAX ? CCA_EDGE_NONE : (uint8_t) tile.parent[root];
    }
}

/* The labels of a tile that is all foreground or all background. */
DEVICE void write_same_labels(const CudaTiled &t, const Place &place, const uint32_t label)
{
    static_assert(CCA_EDGE_LABELS / 4 <= CCA_TILE_WARPS * WARP, "a word for each thread");
    uint32_t *const labels = (uint32_t *) (t.edges + (size_t) place.tile * CCA_EDGE_LABELS);
    if (threadIdx.x < CCA_EDGE_LABELS / 4)
        labels[threadIdx.x] = label * 0x01010101u;
}

#endif /* CCA_CUDA_NUMBER_CUH */
