/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labelling of a tile. Each run hangs on what it touches first, all at the same time;
 * jumps make the paths short; then come the unions that are left. A smaller node comes
 * first in raster order and is the root. */

#ifndef CCA_CUDA_SMALL_LABEL_CUH
#define CCA_CUDA_SMALL_LABEL_CUH

#include "../tiled/label.cuh"
#include "tile.cuh"

namespace small {

/* Jumps before the unions; each makes a path a third as long. */
constexpr int jump_rounds = 2;

/* Finds the runs of a word. One that equals the word above adds no nodes: each of its
 * runs touches that one run above, and no other in the word. By all threads. */
DEVICE void find_runs(Tile &tile, Word &w, const Place &place, const uint32_t corner)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t above_here = __shfl_up_sync(ALL_LANES, w.bits, row_words);
    w.repeats = lane >= row_words && w.bits != 0 && w.bits == above_here;
    const uint32_t same_column = 0x11111111u << w.column;
    const uint32_t fresh = ~__ballot_sync(ALL_LANES, w.repeats) & same_column;
    const uint32_t below = fresh & lane_mask_gt();
    const uint32_t end = below ? __ffs(below) - 1 : WARP + w.column;
    w.height = (end - lane) / row_words;
    if (w.row >= place.rows)
        return;
    w.above = tile.bits[w.place - ROW_STRIDE];
    w.left = tile.bits[w.place - 1];
    w.above_left = tile.bits[w.place - ROW_STRIDE - 1];
    w.right = tile.bits[w.place + 1];
    w.above_right = tile.bits[w.place - ROW_STRIDE + 1];
    if (w.row > 0 && w.row < place.rows - 1)
        w.isolated =
            untouched_starts(w.bits, w.above | tile.bits[w.place + ROW_STRIDE], corner);
    const uint32_t starts = starts_of(w.bits) & ~w.isolated;
    tile.starts[w.place] = starts;
    tile.base[w.place] = (uint16_t) (warp * WARP + highest_index(fresh & lane_mask_le()));
    w.nodes = w.repeats ? 0 : starts;
}

/* What a run is to be united with: pixels above, and runs across word borders. */
struct Joins {
    uint32_t touched, borders;
};

DEVICE Joins joins_of(const Word &w, const uint32_t start, const uint32_t corner)
{
    const uint32_t pixels = run_from(w.bits, start);
    const bool left = w.left >> 31, above_left = w.above_left >> 31;
    const bool begins = pixels & 1, ends = pixels >> 31;
    Joins j = { w.above & reach(pixels, corner), 0 };
    /* not where the row above joins the two words already */
    if (begins && left && !(w.above & 1 && above_left))
        j.borders = JOIN_LEFT;
    if (corner && begins && above_left && !left && !(w.above & 1))
        j.borders = JOIN_ABOVE_LEFT;
    if (corner && ends && !(w.above >> 31) && !(w.right & 1) && w.above_right & 1)
        j.borders |= JOIN_ABOVE_RIGHT;
    return j;
}

DEVICE bool has_joins(const Joins &j)
{
    return (j.touched | j.borders) != 0;
}

/* Takes out one, and returns the other node. */
DEVICE uint32_t take_join(const Tile &tile, const Word &w, Joins &j)
{
    if (j.touched) {
        const uint32_t lowest = lowest_bit(j.touched);
        j.touched &= ~run_from(w.above, lowest);
        return node_of(tile, w.place - ROW_STRIDE, highest_index(lowest));
    }
    if (j.borders & JOIN_LEFT) {
        j.borders &= ~JOIN_LEFT;
        return node_of(tile, w.place - 1, 31);
    }
    if (j.borders & JOIN_ABOVE_LEFT) {
        j.borders &= ~JOIN_ABOVE_LEFT;
        return node_of(tile, w.place - ROW_STRIDE - 1, 31);
    }
    j.borders = 0;
    return node_of(tile, w.place - ROW_STRIDE + 1, 0);
}

/* Of each node of the thread: what(node, its first pixel). */
template <typename What> DEVICE void for_each_node(const Word &w, const What what)
{
    uint32_t node = first_node(threadIdx.x);
#pragma unroll 1
    for (uint32_t rest = w.nodes; rest != 0; rest &= rest - 1, node++)
        what(node, lowest_bit(rest));
}

DEVICE void hook_runs(Tile &tile, const Word &w, const uint32_t corner)
{
    for_each_node(w, [&](const uint32_t node, const uint32_t start) {
        Joins j = joins_of(w, start, corner);
        tile.parent[node] = has_joins(j) ? take_join(tile, w, j) : node;
    });
}

/* Unites what hooks have left. Jumps and unions of other threads meanwhile do no harm:
 * parents only become smaller, and stay of the same component. */
DEVICE void unite_runs(Tile &tile, const Word &w, const uint32_t corner)
{
#pragma unroll 1
    for (int round = 0; round < jump_rounds; round++) {
        for_each_node(w, [&](const uint32_t node, uint32_t) {
            const uint32_t one = load_shared(tile.parent + node);
            const uint32_t two = load_shared(tile.parent + one);
            const uint32_t three = load_shared(tile.parent + two);
            if (three != one)
                atomicMin(tile.parent + node, three);
        });
        __syncwarp();
    }
    for_each_node(w, [&](const uint32_t node, const uint32_t start) {
        Joins j = joins_of(w, start, corner);
        if (!has_joins(j))
            return;
        take_join(tile, w, j);
        while (has_joins(j))
            unite_roots(tile.parent, node, take_join(tile, w, j));
    });
    /* a word without nodes of its own may meet the one on its left for the first time */
    if (w.repeats && w.bits & 1 && w.left >> 31 && !(w.above_left >> 31))
        unite_roots(tile.parent, node_of(tile, w.place, 0), node_of(tile, w.place - 1, 31));
}

} // namespace small

#endif /* CCA_CUDA_SMALL_LABEL_CUH */
