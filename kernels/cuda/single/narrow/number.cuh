/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Slots, counts and votes of the components of a narrow tile. */

#ifndef CCA_CUDA_SINGLE_NARROW_NUMBER_CUH
#define CCA_CUDA_SINGLE_NARROW_NUMBER_CUH

#include "../records.cuh"
#include "label.cuh"

namespace single
{

/* First pixels of the thread's components that have more than one run. */
struct Roots {
    uint32_t open, closed;
};

DEVICE Roots find_roots(const Tile<Narrow> &tile, const ThreadWord &w)
{
    Roots roots = {};
    for_each_node(w, [&](const uint32_t node, const uint32_t start) {
        const uint32_t p = tile.parent[node];
        if (p == (node | is_open))
            roots.open |= start;
        else if (p == node)
            roots.closed |= start;
    });
    return roots;
}

/* Assigns slots to the roots of a warp. */
DEVICE void give_slots(Tile<Narrow> &tile, const ThreadWord &w, const Roots &roots)
{
    const uint32_t n = __popc(roots.open) << 16 | __popc(roots.closed);
    const uint32_t inclusive = warp_sum_up_to(n);
    uint32_t before = 0;
    if (threadIdx.x % WARP == WARP - 1)
        before = atomicAdd(&tile.n_numbered, inclusive);
    before = __shfl_sync(ALL_LANES, before, WARP - 1) + inclusive - n;
    uint32_t open = before >> 16, closed = Narrow::open_slots + (before & 0xffff);
#pragma unroll 1
    for (uint32_t rest = roots.open | roots.closed; rest != 0; rest &= rest - 1) {
        const uint32_t start = lowest_bit(rest);
        const uint32_t slot = roots.open & start ? open++ : closed++;
        tile.parent[first_node(threadIdx.x) + __popc(w.nodes & (start - 1))] = has_slot | slot;
        if (slot < Narrow::n_slots)
            clear_slot(tile.slots, slot, w.row * Narrow::width + w.column * 32 + __ffs(rest) - 1);
        else
            atomicOr(&tile.overflows, 1);
    }
}

/* Counts the closed components of each row, and adds them to `total`. Called by whole warps. A
 * thread reads only the word of first_bits that it has written. */
DEVICE void count_rows(const Tile<Narrow> &tile, const CudaSingle &small, const Place &place,
                       const ThreadWord &w, uint32_t *const total)
{
    uint32_t in_row = w.row < place.rows ? __popc(tile.first_bits[threadIdx.x]) : 0;
    const uint32_t in_warp = warp_sum(in_row);
    if (threadIdx.x % WARP == 0 && in_warp > 0)
        atomicAdd(total, in_warp);
    in_row += __shfl_down_sync(ALL_LANES, in_row, 1);
    in_row += __shfl_down_sync(ALL_LANES, in_row, 2);
    if (w.row < place.rows && w.column == 0)
        small.row_counts[(place.tile_y * place.rows + w.row) * CCA_SINGLE_MAX_TILES_X +
                         place.tile_x] = (uint8_t) in_row;
}

/* Called by all threads. */
DEVICE void number_roots(Tile<Narrow> &tile, const CudaImage &image, const CudaSingle &small,
                         const Place &place, ThreadWord &w)
{
    const Roots roots = find_roots(tile, w);
    if (__any_sync(ALL_LANES, (roots.open | roots.closed) != 0))
        give_slots(tile, w, roots);
    const bool filters = has_filters(image);
    if (filters)
        w.isolated = passing_starts(image, w.bits, w.isolated);
    if (w.row < place.rows)
        tile.first_bits[threadIdx.x] = w.isolated | roots.closed;
    if (!filters) /* otherwise the areas must be known first */
        count_rows(tile, small, place, w, &tile.n_closed);
}

/* Drops the isolated runs that are rejected by the limits of boxes. */
DEVICE void sift_isolated(Tile<Narrow> &tile, const CudaImage &image, const CcaFilter &filter,
                          const Place &place, ThreadWord &w)
{
    uint32_t rejected = 0;
#pragma unroll 1
    for (uint32_t rest = w.isolated; rest != 0; rest &= rest - 1) {
        const uint32_t length = __popc(run_from(w.bits, lowest_bit(rest)));
        const uint32_t x = w.column * 32 + __ffs(rest) - 1;
        if (!passes(image, filter, in_region(place, w.row, features_of(x, w.row, length, 1))))
            rejected |= lowest_bit(rest);
    }
    w.isolated &= ~rejected;
    if (rejected != 0)
        atomicAnd(tile.first_bits + threadIdx.x, ~rejected);
}

/* Sums up the features of components with slots. Called by whole warps. */
DEVICE void vote_runs(Tile<Narrow> &tile, const ThreadWord &w)
{
    uint32_t node = first_node(threadIdx.x), rest = w.nodes;
#pragma unroll 1
    while (__any_sync(ALL_LANES, rest != 0)) {
        const bool has = rest != 0;
        uint32_t slot = none;
        Features f = {};
        if (has) {
            slot = slot_of(tile, node);
            const uint32_t length = __popc(run_from(w.bits, lowest_bit(rest)));
            f = features_of(w.column * 32 + __ffs(rest) - 1, w.row, length, w.height);
            rest &= rest - 1;
            node++;
        }
        vote_together<min_peers>(tile.slots, has, slot, f);
    }
}

/* Writes the records of isolated runs, and calls then(index of the record, pixels, features) after
 * each. Called by whole warps. */
template <typename Then>
DEVICE void write_isolated(Tile<Narrow> &tile, const CudaImage &image, const CudaCompact &compact,
                           RecordStage &stage, const Place &place, const ThreadWord &w,
                           const Then then)
{
    uint32_t rest = w.isolated;
#pragma unroll 1
    while (__any_sync(ALL_LANES, rest != 0)) {
        const bool has = rest != 0;
        const uint32_t x = w.column * 32 + (has ? __ffs(rest) - 1 : 0);
        const uint32_t run = run_from(w.bits, lowest_bit(rest));
        const ::Features f = in_region(place, w.row, features_of(x, w.row, __popc(run), 1));
        then(write_record(tile, image, compact, stage, has, w.row * Narrow::width + x, f), run, f);
        rest &= rest - 1;
    }
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_NARROW_NUMBER_CUH */
