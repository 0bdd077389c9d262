/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a narrow tile: all runs hook onto the first run that they touch at the same time, jumps
 * shorten the paths, and unions resolve the remaining contacts. */

#ifndef CCA_CUDA_SINGLE_NARROW_LABEL_CUH
#define CCA_CUDA_SINGLE_NARROW_LABEL_CUH

#include "../joins.cuh"

namespace single
{

/* Finds the runs of a word. A word that equals the word above adds no nodes, because each of its
 * runs touches exactly the same run there. Called by all threads. Always returns true, because
 * the nodes have fixed places. */
DEVICE bool find_runs(Tile<Narrow> &tile, ThreadWord &w, const CudaImage &image, const Place &place)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t above_here = __shfl_up_sync(ALL_LANES, w.bits, Narrow::row_words);
    w.repeats = lane >= Narrow::row_words && w.bits != 0 && w.bits == above_here;
    const uint32_t same_column = 0x11111111u << w.column;
    const uint32_t fresh = ~__ballot_sync(ALL_LANES, w.repeats) & same_column;
    const uint32_t below = fresh & lane_mask_gt();
    const uint32_t end = below ? __ffs(below) - 1 : WARP + w.column;
    w.height = (end - lane) / Narrow::row_words;
    if (w.row >= place.rows)
        return true;
    (Word &) w = word_at(tile, w.column, w.row);
    if (w.row > 0 && w.row < place.rows - 1)
        w.isolated = untouched_starts(w.bits, w.above | tile.bits[w.place + Narrow::stride],
                                      image.corner);
    const uint32_t starts = starts_of(w.bits) & ~w.isolated;
    tile.starts[w.place] = starts;
    tile.base[w.place] = (uint16_t) (warp * WARP + highest_index(fresh & lane_mask_le()));
    w.nodes = w.repeats ? 0 : starts;
    return true;
}

/* Calls visit(node, bit of its first pixel) for each node of the thread. */
template <typename Visit> DEVICE void for_each_node(const ThreadWord &w, const Visit visit)
{
    uint32_t node = first_node(threadIdx.x);
#pragma unroll 1
    for (uint32_t rest = w.nodes; rest != 0; rest &= rest - 1, node++)
        visit(node, lowest_bit(rest));
}

DEVICE bool hook_runs(Tile<Narrow> &tile, const ThreadWord &w, const Place &, const uint32_t corner)
{
    for_each_node(w, [&](const uint32_t node, const uint32_t start) {
        Joins j = joins_of(w, start, corner);
        tile.parent[node] = has_joins(j) ? take_join(tile, w, j) : node;
    });
    return true;
}

/* Unites the contacts that the hooks have not covered. */
DEVICE void unite_runs(Tile<Narrow> &tile, const ThreadWord &w, const uint32_t corner)
{
#pragma unroll 1
    for (int round = 0; round < jump_rounds; round++) {
        for_each_node(w, [&](const uint32_t node, uint32_t) { jump(tile.parent, node); });
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
    /* A word that repeats the one above may touch the word on its left where the row above does
     * not. */
    if (w.repeats && w.bits & 1 && w.left >> 31 && !(w.above_left >> 31))
        unite_roots(tile.parent, node_of(tile, w.place, 0), node_of(tile, w.place - 1, 31));
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_NARROW_LABEL_CUH */
