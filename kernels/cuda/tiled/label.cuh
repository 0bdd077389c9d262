/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a tile by a union-find over its runs in shared memory. Nodes are numbered in raster order,
 * and the smallest node of a component is its root. Each lane has one run, however the runs are
 * distributed over the words. */

#ifndef CCA_CUDA_LABEL_CUH
#define CCA_CUDA_LABEL_CUH

#include "runs.cuh"

DEVICE uint32_t find_node(const uint16_t *const parent, uint32_t node)
{
    for (uint32_t p; (p = load_shared_16(parent + node)) != node;)
        node = p;
    return node;
}

/* Unites one pair for each lane, in a part of the union-find that only this warp changes. If
 * several lanes link the same root, one does and the others repeat. At the end both nodes are
 * children of their root, which keeps later paths short. */
DEVICE void unite_in_warp(uint16_t *const parent, const uint32_t first, const uint32_t second)
{
    uint32_t a = first, b = second;
    for (;;) {
        a = find_node(parent, a);
        b = find_node(parent, b);
        if (!__any_sync(ALL_LANES, a != b))
            break;
        const uint32_t from = max(a, b), to = min(a, b);
        const uint32_t same = __match_any_sync(ALL_LANES, a != b ? from : UINT32_MAX);
        __syncwarp();
        if (a != b && !(same & lane_mask_lt()))
            parent[from] = (uint16_t) to;
        __syncwarp();
    }
    __syncwarp();
    parent[first] = parent[second] = (uint16_t) a;
    __syncwarp();
}

/* Unites a pair anywhere in the tile. Other threads may do so at the same time. */
DEVICE void unite_nodes(uint16_t *const parent, uint32_t a, uint32_t b)
{
    for (;;) {
        const uint32_t above_a = load_shared_16(parent + a), above_b = load_shared_16(parent + b);
        if (above_a == above_b)
            return;
        if (above_a == a && above_b == b) { /* two roots */
            const uint32_t from = max(a, b), to = min(a, b), shift = from % 2 * 16;
            uint32_t *const two = (uint32_t *) parent + from / 2;
            const uint32_t before = load_shared(two);
            if ((before >> shift & 0xffff) == from &&
                atomicCAS(two, before, before ^ (from ^ to) << shift) == before)
                return;
        }
        a = above_a;
        b = above_b;
    }
}

/* Neighbours that a run must be united with: runs above, and runs across word borders. */
struct Joins {
    uint32_t place;
    uint32_t above, touched; /* the word above, and its pixels that the run touches */
    uint32_t borders;        /* JOIN_LEFT and others: joins across word borders */
};
#define JOIN_LEFT 1u
#define JOIN_ABOVE_LEFT 2u
#define JOIN_ABOVE_RIGHT 4u

DEVICE Joins make_joins(const Tile &tile, const uint32_t run, const uint32_t corner)
{
    const uint32_t place = run / 32, bits = tile.bits[place];
    const uint32_t pixels = run_from(bits, 1u << run % 32);
    const uint32_t left = tile.bits[place - 1] >> 31;
    const uint32_t above = tile.bits[place - ROW_STRIDE];
    const uint32_t above_left = tile.bits[place - ROW_STRIDE - 1] >> 31;
    const bool first = pixels & 1;
    Joins j = { place, above, above & reach(pixels, corner), 0 };
    /* No join is needed where the row above joins the two words. */
    if (first && left && !(above & 1 && above_left))
        j.borders = JOIN_LEFT;
    if (corner) {
        if (first && above_left && !left && !(above & 1))
            j.borders = JOIN_ABOVE_LEFT;
        if (pixels >> 31 && !(above >> 31) && !(tile.bits[place + 1] & 1) &&
            tile.bits[place - ROW_STRIDE + 1] & 1)
            j.borders |= JOIN_ABOVE_RIGHT;
    }
    return j;
}

DEVICE bool has_joins(const Joins &j)
{
    return (j.touched | j.borders) != 0;
}

/* Removes one join, and returns the node to unite with. */
DEVICE uint32_t take_join(const Tile &tile, Joins &j)
{
    uint32_t place = j.place, bit = 31;
    if (j.touched) {
        const uint32_t lowest = lowest_bit(j.touched);
        j.touched &= ~run_from(j.above, lowest);
        place -= ROW_STRIDE;
        bit = highest_index(lowest);
    } else if (j.borders & JOIN_LEFT) {
        j.borders &= ~JOIN_LEFT;
        place -= 1;
    } else if (j.borders & JOIN_ABOVE_LEFT) {
        j.borders &= ~JOIN_ABOVE_LEFT;
        place -= ROW_STRIDE + 1;
    } else {
        j.borders = 0;
        place -= ROW_STRIDE - 1;
        bit = 0;
    }
    return node_of(tile, place, bit);
}

/* Pairs of nodes for a warp to unite, collected until each lane has one. */
struct Pairs {
    uint32_t *list;
    uint32_t n;
};

DEVICE void unite_last(Tile &tile, Pairs &pairs, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    __syncwarp();
    pairs.n -= n;
    const uint32_t pair = pairs.list[pairs.n + (lane < n ? lane : 0)]; /* idle lanes repeat one */
    __syncwarp();
    unite_in_warp(tile.parent, pair & 0xffff, pair >> 16);
}

/* Adds the pair of each lane with `has`. Called by a whole warp. */
DEVICE void add_pair(Tile &tile, Pairs &pairs, const bool has, const uint32_t pair)
{
    const uint32_t all = __ballot_sync(ALL_LANES, has);
    if (has)
        pairs.list[pairs.n + __popc(all & lane_mask_lt())] = pair;
    pairs.n += __popc(all);
    if (pairs.n >= WARP)
        unite_last(tile, pairs, WARP);
}

/* Unites the runs within a strip. Each node becomes a child of the parent of the first run that it
 * touches. Plain stores suffice, because the warp processes its strip from top to bottom. */
template <typename S>
DEVICE void unite_strip(Tile &tile, const Strip &strip, const uint32_t corner)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t last = strip.begin + strip.n;
    Pairs pairs = { tile.joins[threadIdx.x / WARP], 0 };
#pragma unroll 1
    for (uint32_t begin = strip.begin; begin < last; begin += WARP) {
        const uint32_t node = begin + lane;
        uint32_t root = node;
        bool known = true;
        Joins j = {};
        if (node < last) {
            const uint32_t run = tile.runs[node];
            j = make_joins(tile, run, corner);
            if (run_y(run) % S::strip_rows == 0)
                j = { j.place, 0, 0, j.borders & JOIN_LEFT };
            if (has_joins(j)) {
                root = take_join(tile, j);
                known = root < begin;
                if (known)
                    root = load_shared_16(tile.parent + root);
            }
        }
        while (__any_sync(ALL_LANES, !known)) { /* resolve parents in other lanes */
            const uint32_t from = (root - begin) % WARP;
            const uint32_t next = __shfl_sync(ALL_LANES, root, from);
            const bool next_known = __shfl_sync(ALL_LANES, (uint32_t) known, from);
            if (!known) {
                root = next;
                known = next_known;
            }
        }
        if (node < last)
            tile.parent[node] = (uint16_t) root;
        __syncwarp();
        while (__any_sync(ALL_LANES, has_joins(j))) {
            bool has = has_joins(j);
            uint32_t other = 0;
            if (has) {
                other = take_join(tile, j);
                has = load_shared_16(tile.parent + other) != root; /* if not yet united */
            }
            add_pair(tile, pairs, has, node | other << 16);
        }
    }

    /* A word that repeats the one above may touch the word on its left where the row above does
     * not. */
#pragma unroll 1
    for (uint32_t p = thread_place<S>(), i = 0; i < S::words; i++, p++) {
        const uint32_t above = p - ROW_STRIDE;
        const bool meets = tile.bits[p] & 1 && tile.bits[p] == tile.bits[above] &&
                           lane >= S::row_lanes && tile.bits[p - 1] >> 31 &&
                           !(tile.bits[above - 1] >> 31);
        add_pair(tile, pairs, meets,
                 meets ? node_of(tile, p, 0) | node_of(tile, p - 1, 31) << 16 : 0);
    }
    if (pairs.n > 0)
        unite_last(tile, pairs, pairs.n);
}

/* Unites a strip with the strip above. */
template <typename S>
DEVICE void unite_strips(Tile &tile, const Strip &strip, const uint32_t corner)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < strip.n; i += WARP) {
        const uint32_t run = tile.runs[strip.begin + i];
        if (run_y(run) % S::strip_rows != 0)
            break;
        Joins j = make_joins(tile, run, corner);
        j.borders &= ~JOIN_LEFT;
        while (has_joins(j))
            unite_nodes(tile.parent, strip.begin + i, take_join(tile, j));
    }
}

/* Finds the runs of a tile and unites them. Called by all threads of the block. */
template <typename S> DEVICE Strip unite_tile(Tile &tile, const CudaImage &image)
{
    const Strip strip = list_runs<S>(tile, image);
    __syncthreads();
    unite_strip<S>(tile, strip, image.corner);
    __syncthreads();
    unite_strips<S>(tile, strip, image.corner);
    __syncthreads();
    return strip;
}

/* The root of a node. Some roots may already be marked. */
DEVICE uint32_t root_of(const uint16_t *const parent, uint32_t node)
{
    for (uint32_t p; (p = load_shared_16(parent + node)) != node && !(p & ROOT);)
        node = p;
    return node;
}

/* Atomic, because other threads may change the other half of the word. */
DEVICE void mark_root(uint16_t *const parent, const uint32_t root, const uint32_t marks)
{
    atomicOr((uint32_t *) parent + root / 2, marks << root % 2 * 16);
}

#endif /* CCA_CUDA_LABEL_CUH */
