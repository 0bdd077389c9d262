/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Features of a tile's components: votes in shared memory. */

#ifndef CCA_CUDA_VOTES_CUH
#define CCA_CUDA_VOTES_CUH

#include "label.cuh"

/* Features that a run and its repetitions add to their component, in pixels of the tile. */
struct Vote {
    uint32_t area_sum_y, sum_x, min_x, max_x, max_y;
};

DEVICE Vote make_vote(const Tile &tile, const uint32_t run)
{
    const uint32_t place = run / 32, y0 = run_y(run), x0 = run_x(run);
    const uint32_t length = __popc(run_from(tile.bits[place], 1u << run % 32));
    const uint32_t height = (tile.base[place] >> BASE_BITS) + 1, y1 = y0 + height - 1;
    const uint32_t area = length * height, x1 = x0 + length - 1;
    return { area << AREA_SHIFT | area * (y0 + y1) / 2, area * (x0 + x1) / 2, x0, x1, y1 };
}

template <typename S, uint32_t room> DEVICE void clear_slots(Slots<room> &slots)
{
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < room; slot += S::threads) {
        slots.area_sum_y[slot] = 0;
        slots.sum_x[slot] = 0;
        slots.min_x[slot] = UINT32_MAX;
        slots.max_x[slot] = 0;
        slots.max_y[slot] = 0;
    }
}

/* Further passes if the slots do not suffice for `n` components: calls vote(begin) and write(begin)
 * for the components from `begin`. Called by all threads, after the first pass. */
template <typename S, uint32_t room, typename Cast, typename Write>
DEVICE void further_passes(Slots<room> &slots, const uint32_t n, const Cast vote, const Write write)
{
    for (uint32_t begin = room; begin < n; begin += room) {
        __syncthreads();
        clear_slots<S>(slots);
        __syncthreads();
        vote(begin);
        __syncthreads();
        write(begin);
    }
}

template <uint32_t room>
DEVICE void cast_vote(Slots<room> &slots, const uint32_t slot, const Vote &v)
{
    atomicAdd(slots.area_sum_y + slot, v.area_sum_y);
    atomicAdd(slots.sum_x + slot, v.sum_x);
    atomicMin(slots.min_x + slot, v.min_x);
    atomicMax(slots.max_x + slot, v.max_x);
    atomicMax(slots.max_y + slot, v.max_y);
}

/* Sums up the votes of the lanes with `mine`. Called by a whole warp. */
DEVICE Vote sum_up(const Vote &v, const bool mine)
{
    return { warp_sum(mine ? v.area_sum_y : 0), warp_sum(mine ? v.sum_x : 0),
             warp_min(mine ? v.min_x : UINT32_MAX), warp_max(mine ? v.max_x : 0),
             warp_max(mine ? v.max_y : 0) };
}

/* Sums up the components of the pass that starts at `begin`. */
DEVICE void vote_pass(Tile &tile, const Strip &strip, const uint32_t begin)
{
    const uint32_t lane = threadIdx.x % WARP, n_open = tile.n_open;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n; i += WARP) {
        uint32_t slot = UINT32_MAX;
        Vote v = {};
        if (i < strip.n) {
            uint32_t p = tile.parent[strip.begin + i];
            const bool is_root = p & ROOT;
            while (!(p & ROOT))
                p = tile.parent[p];
            slot = (p & NUMBER_MASK) + (p & OPEN ? 0 : n_open) - begin;
            if (is_root && slot < SLOTS)
                tile.root[slot] = (uint16_t) (strip.begin + i);
            v = make_vote(tile, tile.runs[strip.begin + i]);
        }
        vote_together(tile.slots, slot < SLOTS, slot, v);
    }
}

#endif /* CCA_CUDA_VOTES_CUH */
