/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labelling of a narrow tile. Each run hangs on what it touches first, all at the same time;
 * jumps make the paths short; then come the unions that are left. */

#ifndef CCA_CUDA_SINGLE_NARROW_LABEL_CUH
#define CCA_CUDA_SINGLE_NARROW_LABEL_CUH

#include "../joins.cuh"

namespace single {

/* Finds the runs of a word. One that equals the word above adds no nodes: each of its
 * runs touches that one run above, and no other in the word. By all threads. There is always
 * room for them. */
DEVICE bool find_runs(Tile<Narrow> &tile, ThreadWord &w, const CudaImage &image,
                      const Place &place)
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
        w.isolated =
            untouched_starts(w.bits, w.above | tile.bits[w.place + Narrow::stride], image.corner);
    const uint32_t starts = starts_of(w.bits) & ~w.isolated;
    tile.starts[w.place] = starts;
    tile.base[w.place] = (uint16_t) (warp * WARP + highest_index(fresh & lane_mask_le()));
    w.nodes = w.repeats ? 0 : starts;
    return true;
}

/* Of each node of the thread: what(node, its first pixel). */
template <typename What> DEVICE void for_each_node(const ThreadWord &w, const What what)
{
    uint32_t node = first_node(threadIdx.x);
#pragma unroll 1
    for (uint32_t rest = w.nodes; rest != 0; rest &= rest - 1, node++)
        what(node, lowest_bit(rest));
}

DEVICE bool hook_runs(Tile<Narrow> &tile, const ThreadWord &w, const Place &,
                      const uint32_t corner)
{
    for_each_node(w, [&](const uint32_t node, const uint32_t start) {
        Joins j = joins_of(w, start, corner);
        tile.parent[node] = has_joins(j) ? take_join(tile, w, j) : node;
    });
    return true;
}

/* Unites what hooks have left. */
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
    /* a word without nodes of its own may meet the one on its left for the first time */
    if (w.repeats && w.bits & 1 && w.left >> 31 && !(w.above_left >> 31))
        unite_roots(tile.parent, node_of(tile, w.place, 0), node_of(tile, w.place - 1, 31));
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_NARROW_LABEL_CUH */
