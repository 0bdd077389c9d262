/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Slots for the components of a tile, and how many closed ones begin where. */

#ifndef CCA_CUDA_SMALL_NUMBER_CUH
#define CCA_CUDA_SMALL_NUMBER_CUH

#include "label.cuh"
#include "votes.cuh"

namespace small {

/* The first pixels of the thread's components of more than one run. */
struct Roots {
    uint32_t open, closed;
};

DEVICE Roots find_roots(const Tile &tile, const Word &w)
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

/* Gives slots to the roots of a warp, which has some. */
DEVICE void give_slots(Tile &tile, const Word &w, const Roots &roots)
{
    const uint32_t n = __popc(roots.open) << 16 | __popc(roots.closed);
    const uint32_t inclusive = warp_sum_up_to(n);
    uint32_t before = 0;
    if (threadIdx.x % WARP == WARP - 1)
        before = atomicAdd(&tile.n_numbered, inclusive);
    before = __shfl_sync(ALL_LANES, before, WARP - 1) + inclusive - n;
    uint32_t open = before >> 16, closed = open_slots + (before & 0xffff);
#pragma unroll 1
    for (uint32_t rest = roots.open | roots.closed; rest != 0; rest &= rest - 1) {
        const uint32_t start = lowest_bit(rest);
        const uint32_t slot = roots.open & start ? open++ : closed++;
        tile.parent[first_node(threadIdx.x) + __popc(w.nodes & (start - 1))] = has_slot | slot;
        if (slot < n_slots)
            clear_slot(tile.slots, slot,
                       w.row * CCA_SMALL_WIDTH + w.column * 32 + __ffs(rest) - 1);
        else
            atomicOr(&tile.overflows, 1);
    }
}

/* Counts the closed components of the rows, by the first pixels in the thread's word, and
 * adds them to `total`. By whole warps. */
DEVICE void count_rows(const CudaSmall &small, const Place &place, const Word &w,
                       const uint32_t closed, uint32_t *const total)
{
    uint32_t in_row = __popc(closed);
    const uint32_t in_warp = warp_sum(in_row);
    if (threadIdx.x % WARP == 0 && in_warp > 0)
        atomicAdd(total, in_warp);
    in_row += __shfl_down_sync(ALL_LANES, in_row, 1);
    in_row += __shfl_down_sync(ALL_LANES, in_row, 2);
    if (w.row < place.rows && w.column == 0)
        small.row_counts[(place.tile_y * place.rows + w.row) * CCA_SMALL_MAX_TILES_X +
                         place.tile_x] = (uint8_t) in_row;
}

/* By all threads. */
DEVICE void number_roots(Tile &tile, const CudaImage &image, const CudaSmall &small,
                         const Place &place, Word &w)
{
    const Roots roots = find_roots(tile, w);
    if (__any_sync(ALL_LANES, (roots.open | roots.closed) != 0))
        give_slots(tile, w, roots);
    const bool filters = has_filters(image);
    if (filters)
        w.isolated = passing_starts(image, w.bits, w.isolated);
    const uint32_t closed = w.isolated | roots.closed;
    if (w.row < place.rows)
        tile.first_bits[threadIdx.x] = closed;
    if (!filters) /* else areas are to be known first */
        count_rows(small, place, w, closed, &tile.n_closed);
}

/* Once the votes are cast: drops the closed components whose areas do not pass, and counts
 * the others. By all threads. */
DEVICE void filter_closed(Tile &tile, const CudaImage &image, const CudaSmall &small,
                          const Place &place, CudaSmallCounters &counters, const Word &w)
{
    const uint32_t n = tile.overflows ? 0 : tile.n_numbered & UINT16_MAX;
#pragma unroll 1
    for (uint32_t slot = open_slots + threadIdx.x; slot < open_slots + n; slot += blockDim.x) {
        const uint32_t first = tile.slots.first[slot];
        if (!area_passes(image, tile.slots.area[slot]))
            atomicAnd(tile.first_bits + first / 32, ~(1u << first % 32));
    }
    __syncthreads();
    count_rows(small, place, w, w.row < place.rows ? tile.first_bits[threadIdx.x] : 0,
               counters.n_closed + place.tile_y);
}

} // namespace small

#endif /* CCA_CUDA_SMALL_NUMBER_CUH */
