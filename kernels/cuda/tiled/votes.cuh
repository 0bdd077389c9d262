/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Features of a tile's components: votes in shared memory, with conflict
 * detection (ICASSP 2021, section 3.3) for what dominates a warp. */

#ifndef CCA_CUDA_VOTES_CUH
#define CCA_CUDA_VOTES_CUH

#include "label.cuh"

/* Lanes of one component that are worth a reduction; fewer vote one by one.
 * Searched: 4 to 16. */
#define MIN_PEERS 8
/* Components of a warp that are reduced, at the most. Searched: 1 to 4. */
#define MAX_LEADERS 2

/* What a run, with its repetitions, adds to its component. In pixels of the tile. */
struct Vote {
    uint32_t area_sum_y, sum_x, min_x, max_x, max_y;
};

DEVICE Vote make_vote(const Word &w, const uint32_t run)
{
    const uint32_t y0 = w.index / ROW_WORDS, column = w.index % ROW_WORDS * 32;
    const uint32_t x0 = column + __ffs(run) - 1, x1 = column + highest_index(run);
    const uint32_t length = x1 - x0 + 1, area = length * w.height;
    const uint32_t sum_rows = w.height * (2 * y0 + w.height - 1) / 2;
    return { area << AREA_SHIFT | length * sum_rows, w.height * ((x0 + x1) * length / 2), x0, x1,
             y0 + w.height - 1 };
}

DEVICE void cast_vote(Tile &tile, const uint32_t slot, const Vote &v)
{
    atomicAdd(tile.area_sum_y + slot, v.area_sum_y);
    atomicAdd(tile.sum_x + slot, v.sum_x);
    atomicMin(tile.min_x + slot, v.min_x);
    atomicMax(tile.max_x + slot, v.max_x);
    atomicMax(tile.max_y + slot, v.max_y);
}

/* Sums, minima and maxima over the lanes with `mine`; by a whole warp. */
DEVICE Vote reduce_votes(const Vote &v, const bool mine)
{
    return { warp_sum(mine ? v.area_sum_y : 0), warp_sum(mine ? v.sum_x : 0),
             warp_min(mine ? v.min_x : UINT32_MAX), warp_max(mine ? v.max_x : 0),
             warp_max(mine ? v.max_y : 0) };
}

/* One vote a lane, of those that have one; by a whole warp. */
DEVICE void vote_together(Tile &tile, bool votes, const uint32_t slot, const Vote &v)
{
    uint32_t voters = __ballot_sync(ALL_LANES, votes);
    for (int i = 0; i < MAX_LEADERS && __popc(voters) >= MIN_PEERS; i++) {
        const uint32_t leader = __ffs(voters) - 1;
        const uint32_t leaders_slot = __shfl_sync(ALL_LANES, slot, leader);
        const bool mine = votes && slot == leaders_slot;
        const uint32_t peers = __ballot_sync(ALL_LANES, mine);
        if (__popc(peers) >= MIN_PEERS) {
            const Vote sum = reduce_votes(v, mine);
            if (threadIdx.x % WARP == leader)
                cast_vote(tile, slot, sum);
            votes = votes && !mine;
        }
        voters &= ~peers;
    }
    if (votes)
        cast_vote(tile, slot, v);
}

/* Sums up the components with slots from `begin` on, as far as there is room. */
DEVICE void vote_pass(Tile &tile, const Word &w, const uint32_t begin, const uint32_t n_slots)
{
    for (uint32_t k = threadIdx.x; k < n_slots; k += TILE_THREADS) {
        tile.area_sum_y[k] = 0;
        tile.sum_x[k] = 0;
        tile.min_x[k] = UINT32_MAX;
        tile.max_x[k] = 0;
        tile.max_y[k] = 0;
    }
    __syncthreads();

    uint32_t rest = w.repeats ? 0 : w.bits;
    for (uint32_t i = 0; __any_sync(ALL_LANES, rest != 0); i++) {
        uint32_t slot = UINT32_MAX;
        Vote v = {};
        const uint32_t run = lowest_run(rest);
        rest &= ~run;
        if (run != 0 && !(w.isolated >> i & 1)) {
            const uint32_t node = w.node + i;
            const uint32_t root = root_of(tile, node);
            slot = (tile.parent[root] & SLOT_MASK) - begin;
            if (root == node && slot < n_slots)
                tile.root[slot] = (uint16_t) node;
            v = make_vote(w, run);
        }
        vote_together(tile, slot < n_slots, slot, v);
    }
    __syncthreads();
}

#endif /* CCA_CUDA_VOTES_CUH */
