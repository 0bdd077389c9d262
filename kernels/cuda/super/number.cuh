/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Numbers the components of a tile in raster order, and sums up their features. */

#ifndef CCA_CUDA_SUPER_NUMBER_CUH
#define CCA_CUDA_SUPER_NUMBER_CUH

#include "strip.cuh"

namespace super
{

/* --- numbers --------------------------------------------------------------- */

/* Makes the root the parent of each node of the strip. Lane k gets the roots among the 32 nodes
 * from s.begin + 32 * k on, as bits. */
DEVICE uint32_t flatten_strip(Tile &tile, const Strip &s)
{
    static_assert(strip_nodes <= WARP * 32, "");
    const uint32_t lane = threadIdx.x % WARP;
    uint32_t roots = 0, n = 0;
#pragma unroll 1
    for (uint32_t k = 0, i = s.begin + lane; i - lane < s.end; k++, i += WARP) {
        const bool root = i < s.end && flatten(tile.parent, i) == i;
        const uint32_t all = __ballot_sync(ALL_LANES, root);
        roots = lane == k ? all : roots;
        n += __popc(all);
    }
    if (lane == 0)
        tile.strip_counts[threadIdx.x / WARP] = n;
    return roots;
}

DEVICE void mark_open(Tile &tile, const uint32_t node)
{
    const uint32_t root = tile.parent[node], bit = 1u << root % 32;
    if (!(load_shared(tile.open + root / 32) & bit))
        atomicOr(tile.open + root / 32, bit);
}

DEVICE void mark_open_word(Tile &tile, const uint32_t word, uint32_t node)
{
#pragma unroll 1
    for (uint32_t rest = starts_of(word); rest != 0; rest &= rest - 1)
        mark_open(tile, node++);
}

/* Marks the components at edges with neighbour tiles. */
DEVICE void mark_edges(Tile &tile, const Place &place)
{
    const uint32_t i = threadIdx.x;
    if (i < place.rows) {
        if (place.left && tile.sides[0][i] != none)
            mark_open(tile, tile.sides[0][i]);
        if (place.right && tile.sides[1][i] != none)
            mark_open(tile, tile.sides[1][i]);
    }
    if (place.above && i < WARP)
        mark_open_word(tile, tile.top_words[i], tile.top_nodes[i]);
    if (place.below && i >= blockDim.x - WARP)
        mark_open_word(tile, tile.bottom_words[i % WARP], tile.bottom_nodes[i % WARP]);
}

/* Number of components of the tile, and of those before the warp's strip. */
struct Count {
    uint32_t n, before;
};

DEVICE Count count_components(const Tile &tile)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n = lane < blockDim.x / WARP ? tile.strip_counts[lane] : 0;
    return { warp_sum(n), warp_sum(lane < warp ? n : 0) };
}

DEVICE void clear_slots(Slot *const slots, const uint32_t n)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
        (Vote &) slots[i] = { 0, 0, 0, UINT32_MAX, 0, 0 };
}

/* Marks the roots of the strip with their numbers. `roots` is from flatten_strip(). */
DEVICE void number_roots(Tile &tile, const Strip &s, const uint32_t roots, uint32_t number)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t k = 0, i = s.begin; i < s.end; k++, i += WARP) {
        const uint32_t all = __shfl_sync(ALL_LANES, roots, k);
        if (all >> lane & 1)
            tile.parent[i + lane] = is_root | (tile.open[i / 32] >> lane & 1 ? is_open : 0) |
                                    (number + __popc(all & lane_mask_lt()));
        number += __popc(all);
    }
}

/* A tile without background has one component, whose only nodes are those of the strips' first
 * rows. */
DEVICE void number_full(Tile &tile, const Place &place)
{
    const bool open = place.left || place.right || place.above || place.below;
    const uint32_t h = place.rows;
    tile.parent[threadIdx.x / WARP * strip_nodes + threadIdx.x % WARP] = is_root |
                                                                         (open ? is_open : 0);
    if (threadIdx.x > 0)
        return;
    (Vote &) tile.slots[0] = {
        width * h, h * (width * (width - 1) / 2), width * (h * (h - 1) / 2), 0, width - 1, h - 1
    };
    tile.slots[0].first = open ? first_is_open : 0;
}

/* --- votes ----------------------------------------------------------------- */

DEVICE void cast_vote(Slot &to, const Vote &v)
{
    atomicAdd(&to.area, v.area);
    atomicAdd(&to.sum_x, v.sum_x);
    atomicAdd(&to.sum_y, v.sum_y);
    /* Most votes do not change the box. */
    if (v.min_x < load_shared(&to.min_x))
        atomicMin(&to.min_x, v.min_x);
    if (v.max_x > load_shared(&to.max_x))
        atomicMax(&to.max_x, v.max_x);
    if (v.max_y > load_shared(&to.max_y))
        atomicMax(&to.max_y, v.max_y);
}

/* Features of a run of `length` pixels that `rows` rows repeat. */
DEVICE Vote vote_of(const uint32_t x, const uint32_t y, const uint32_t length, const uint32_t rows)
{
    const uint32_t area = length * rows;
    return { area,
             rows * (length * x + length * (length - 1) / 2),
             length * (rows * y + rows * (rows - 1) / 2),
             x,
             x + length - 1,
             y + rows - 1 };
}

/* The component that most lanes begin with. Its votes stay in registers until the end. */
struct Hot {
    uint32_t number;
    Vote sum;
};

/* Minimum number of these lanes. */
constexpr uint32_t min_peers = 3;

/* Called by a whole warp, with the number of each lane's first component, or `none`. */
DEVICE Hot choose_hot(const uint32_t number)
{
    const uint32_t peers = __match_any_sync(ALL_LANES, number);
    const uint32_t n = number != none ? __popc(peers) : 0, most = warp_max(n);
    const uint32_t which = __ffs(__ballot_sync(ALL_LANES, n == most)) - 1;
    const uint32_t hot = __shfl_sync(ALL_LANES, number, which);
    return { most >= min_peers ? hot : none, { 0, 0, 0, UINT32_MAX, 0, 0 } };
}

DEVICE void vote(Tile &tile, Hot &hot, const uint32_t number, const Vote &v)
{
    if (number != hot.number) {
        cast_vote(tile.slots[number], v);
        return;
    }
    hot.sum.area += v.area;
    hot.sum.sum_x += v.sum_x;
    hot.sum.sum_y += v.sum_y;
    hot.sum.min_x = min(hot.sum.min_x, v.min_x);
    hot.sum.max_x = max(hot.sum.max_x, v.max_x);
    hot.sum.max_y = max(hot.sum.max_y, v.max_y);
}

/* Called by a whole warp. */
DEVICE void cast_hot(Tile &tile, const Hot &hot)
{
    if (hot.number == none)
        return;
    const Vote sum = { warp_sum(hot.sum.area),  warp_sum(hot.sum.sum_x), warp_sum(hot.sum.sum_y),
                       warp_min(hot.sum.min_x), warp_max(hot.sum.max_x), warp_max(hot.sum.max_y) };
    if (threadIdx.x % WARP == 0)
        cast_vote(tile.slots[hot.number], sum);
}

/* Votes for all groups of a strip, one of each lane at a time. The run of a root has the first
 * pixel of its component. */
DEVICE void vote_strip(Tile &tile, const Place &place, const Strip &s)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint2 *const groups = tile.groups + threadIdx.x / WARP * strip_groups;
    Hot hot = {};
    uint32_t next = lane, rest = 0;
    Group g = {};
    const auto begin_group = [&]() {
        g = unpack_group(groups[next], place);
        rest = starts_of(g.word);
        next += WARP;
    };
    if (next < s.n_groups)
        begin_group();
    if (s.n_groups > 0)
        hot = choose_hot(rest != 0 ? number_of(tile, g.node) : none);
    /* A lane goes on to its next group while others have runs left. */
#pragma unroll 1
    while (__any_sync(ALL_LANES, rest != 0)) {
        if (rest != 0) {
            const uint32_t bit = lowest_bit(rest), length = __popc(run_from(g.word, bit));
            const uint32_t x = g.column * 32 + highest_index(bit);
            uint32_t p = tile.parent[g.node++];
            if (p & is_root)
                tile.slots[p & number_mask].first = (p & is_open ? first_is_open : 0) |
                                                    (g.y * width + x);
            else
                p = tile.parent[p];
            vote(tile, hot, p & number_mask, vote_of(x, g.y, length, g.rows));
            rest &= rest - 1;
            if (rest == 0 && next < s.n_groups)
                begin_group();
        }
    }
    if (s.n_groups > 0)
        cast_hot(tile, hot);
}

/* Keeps the groups of a strip. */
DEVICE void keep_groups(Tile &tile, const Place &place, const Strip &s)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    Kept &kept = tile.kept;
    uint32_t *const rows = (uint32_t *) kept.at[place.strip_row];
    for (uint32_t i = lane; i < place.strip_rows * (WARP / 4); i += WARP)
        rows[i] = no_group * 0x01010101u;
    kept.last_pixels[warp][lane] = 0;
    if (lane == 0)
        kept.n_groups[warp] = s.n_groups;
    __syncwarp();
#pragma unroll 1
    for (uint32_t i = lane; i < s.n_groups; i += WARP) {
        const uint2 packed = tile.groups[warp * strip_groups + i];
        const Group g = unpack_group(packed, place);
        kept.groups[warp * strip_groups + i] = packed;
#pragma unroll 1
        for (uint32_t y = g.y; y < g.y + g.rows; y++)
            kept.at[y][g.column] = (uint8_t) i;
        if (g.word >> 31)
            atomicOr(&kept.last_pixels[warp][g.column], ((1u << g.rows) - 1)
                                                            << (g.y - place.strip_row));
    }
}

} // namespace super

#endif /* CCA_CUDA_SUPER_NUMBER_CUH */
