/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Features of components: votes in shared memory, as in the tiled algorithm, but with 32 bits for
 * each feature. */

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

/* For vote_together(). */
constexpr int min_peers = 6;

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

} // namespace single

#endif /* CCA_CUDA_SINGLE_VOTES_CUH */
