/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Features of components: votes in shared memory with conflict detection, as in the tiled
 * algorithm, but with 32 bits for each feature. */

#ifndef CCA_CUDA_SINGLE_VOTES_CUH
#define CCA_CUDA_SINGLE_VOTES_CUH

#include "tile.cuh"

namespace single
{

/* The slot of the component that a node belongs to. */
template <typename S> DEVICE uint32_t slot_of(const Tile<S> &tile, const uint32_t node)
{
    uint32_t p = tile.parent[node];
    while (!(p & has_slot))
        p = tile.parent[p];
    return p & ~has_slot;
}

/* Minimum number of lanes with the same component for a reduction, and maximum number of
 * components of a warp that are reduced. */
constexpr int min_peers = 6, max_leaders = 2;

template <typename S>
DEVICE void clear_slot(Slots<S> &slots, const uint32_t slot, const uint32_t first)
{
    slots.area[slot] = slots.sum_x[slot] = slots.sum_y[slot] = 0;
    slots.min_x[slot] = UINT32_MAX;
    slots.max_x[slot] = slots.max_y[slot] = 0;
    slots.first[slot] = (typename S::Pixel) first;
}

template <typename S>
DEVICE Features features_in(const Slots<S> &slots, const uint32_t slot)
{
    return { slots.area[slot],  slots.sum_x[slot], slots.sum_y[slot],
             slots.min_x[slot], slots.max_x[slot], slots.max_y[slot] };
}

/* Features of a run of `length` pixels that `height` rows repeat. */
DEVICE Features features_of(const uint32_t x, const uint32_t y, const uint32_t length,
                            const uint32_t height)
{
    const uint32_t area = length * height;
    return { area,
             area * (2 * x + length - 1) / 2,
             area * (2 * y + height - 1) / 2,
             x,
             x + length - 1,
             y + height - 1 };
}

template <typename S>
DEVICE void cast_vote(Slots<S> &slots, const uint32_t slot, const Features &f)
{
    atomicAdd(slots.area + slot, f.area);
    atomicAdd(slots.sum_x + slot, f.sum_x);
    atomicAdd(slots.sum_y + slot, f.sum_y);
    atomicMin(slots.min_x + slot, f.min_x);
    atomicMax(slots.max_x + slot, f.max_x);
    atomicMax(slots.max_y + slot, f.max_y);
}

DEVICE void cast_vote(Slots<Wide> &slots, const uint32_t slot, const LargeFeatures &f)
{
    cast_vote(slots, slot, (const Features &) f);
    atomicAdd(slots.high.x + slot, f.high_x);
    atomicAdd(slots.high.y + slot, f.high_y);
}

/* Sums up the features of the lanes with `mine`. Called by a whole warp. */
DEVICE Features sum_up(const Features &f, const bool mine)
{
    return { warp_sum(mine ? f.area : 0),  warp_sum(mine ? f.sum_x : 0),
             warp_sum(mine ? f.sum_y : 0), warp_min(mine ? f.min_x : UINT32_MAX),
             warp_max(mine ? f.max_x : 0), warp_max(mine ? f.max_y : 0) };
}

DEVICE LargeFeatures sum_up(const LargeFeatures &f, const bool mine)
{
    return { sum_up((const Features &) f, mine), warp_sum(mine ? f.high_x : 0),
             warp_sum(mine ? f.high_y : 0) };
}

/* Casts one vote for each lane with `votes`. Called by a whole warp. */
template <typename S, typename F>
DEVICE void vote_together(Slots<S> &slots, bool votes, const uint32_t slot, const F &f)
{
    uint32_t voters = __ballot_sync(ALL_LANES, votes);
#pragma unroll 1
    for (int i = 0; i < max_leaders && __popc(voters) >= min_peers; i++) {
        const uint32_t leader = __ffs(voters) - 1;
        const uint32_t leaders_slot = __shfl_sync(ALL_LANES, slot, leader);
        const bool mine = votes && slot == leaders_slot;
        const uint32_t peers = __ballot_sync(ALL_LANES, mine);
        if (__popc(peers) >= min_peers) {
            const F sum = sum_up(f, mine);
            if (threadIdx.x % WARP == leader)
                cast_vote(slots, leaders_slot, sum);
            votes = votes && !mine;
        }
        voters &= ~peers;
    }
    if (votes)
        cast_vote(slots, slot, f);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_VOTES_CUH */
