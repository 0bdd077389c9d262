/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels a wide tile: all runs hook onto the first run that they touch at the same time, and list
 * the others as pairs. Jumps shorten the paths, and unions resolve the pairs. */

#ifndef CCA_CUDA_SINGLE_WIDE_LABEL_CUH
#define CCA_CUDA_SINGLE_WIDE_LABEL_CUH

#include "../joins.cuh"
#include "runs.cuh"

namespace single
{

/* The strip's list of pairs of nodes to unite. */
DEVICE uint32_t *strip_pairs(Tile<Wide> &tile)
{
    return tile.pairs + threadIdx.x / WARP * Wide::strip_pairs;
}

/* Lists the pair of each lane with `has`. Called by a whole warp. */
DEVICE void list_pair(Tile<Wide> &tile, Strip &strip, const bool has, const uint32_t a,
                      const uint32_t b)
{
    const uint32_t all = __ballot_sync(ALL_LANES, has);
    const uint32_t to = strip.n_pairs + __popc(all & lane_mask_lt());
    if (has && to < Wide::strip_pairs)
        strip_pairs(tile)[to] = a | b << 16;
    strip.n_pairs += __popc(all);
}

/* Lists the pairs of words that repeat the one above and touch the word on their left where the
 * row above does not. */
DEVICE void list_meetings(Tile<Wide> &tile, Strip &strip, const Place &place)
{
    const ThreadWords t = own_words(strip);
    const bool has_above = threadIdx.x % WARP >= Wide::row_lanes && t.row < place.rows;
#pragma unroll 1
    for (uint32_t j = 0; j < Wide::thread_words; j++) {
        bool meets = false;
        uint32_t p = 0;
        if (has_above) {
            p = Wide::word_index(t.column + j, t.row);
            const uint32_t bits = tile.bits[p];
            meets = bits & 1 && bits == tile.bits[p - Wide::stride] && tile.bits[p - 1] >> 31 &&
                    !(tile.bits[p - Wide::stride - 1] >> 31);
        }
        list_pair(tile, strip, meets, meets ? node_of(tile, p, 0) : 0,
                  meets ? node_of(tile, p - 1, 31) : 0);
    }
}

/* Returns whether the pairs fit their list. Called by all threads. */
DEVICE bool hook_runs(Tile<Wide> &tile, Strip &strip, const Place &place, const uint32_t corner)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i;
        Word w = {};
        Joins j = {};
        if (i < strip.n) {
            const uint32_t run = tile.list.runs[node];
            w = word_at(tile, x_of(run) / 32, row_of(strip, run));
            j = joins_of(w, 1u << run % 32, corner);
            tile.parent[node] = has_joins(j) ? take_join(tile, w, j) : node;
        }
        while (__any_sync(ALL_LANES, has_joins(j))) {
            const bool has = has_joins(j);
            list_pair(tile, strip, has, node, has ? take_join(tile, w, j) : 0);
        }
    }
    list_meetings(tile, strip, place);
    __syncwarp();
    return strip.n_pairs <= Wide::strip_pairs;
}

/* Unites the listed pairs. */
DEVICE void unite_runs(Tile<Wide> &tile, const Strip &strip, uint32_t)
{
#pragma unroll 1
    for (int round = 0; round < jump_rounds; round++) {
        for_each_node(tile, strip, [&](const uint32_t node, uint32_t) { jump(tile.parent, node); });
        __syncwarp();
    }
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < strip.n_pairs; i += WARP) {
        const uint32_t pair = strip_pairs(tile)[i];
        unite_roots(tile.parent, pair & UINT16_MAX, pair >> 16);
    }
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_WIDE_LABEL_CUH */
