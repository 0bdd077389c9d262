/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Ranks and records. A block writes the records of the components that begin in its tile. */

#ifndef CCA_CUDA_SUPER_RECORDS_CUH
#define CCA_CUDA_SUPER_RECORDS_CUH

#include "../compact/mailbox.cuh"
#include "exchange.cuh"

namespace super
{

/* Sum of the totals of every `step`-th of the first `n` tiles, from tile `i` on. */
DEVICE uint32_t add_totals(const CudaSuper &s, const uint32_t n, uint32_t i, const uint32_t step)
{
    uint32_t sum = 0;
#pragma unroll 4
    for (; i < n; i += step)
        sum += __ldcg(s.totals + i);
    return sum;
}

/* Sum of the totals of the first `n` tiles. Called by all threads. */
DEVICE uint32_t sum_totals(Tile &tile, const CudaSuper &s, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t sum = warp_sum(add_totals(s, n, threadIdx.x, blockDim.x));
    __syncthreads();
    if (lane == 0)
        tile.warp_sums[0][threadIdx.x / WARP] = sum;
    __syncthreads();
    const uint32_t all = warp_sum(lane < blockDim.x / WARP ? tile.warp_sums[0][lane] : 0);
    __syncthreads();
    return all;
}

/* Counts the components before each word of tile.counted. Called by a whole warp. */
DEVICE void rank_words(Tile &tile, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP, n_words = (n + WARP - 1) / WARP;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < n_words; i += WARP) {
        const uint32_t count = i < n_words ? __popc(tile.counted[i]) : 0;
        const uint32_t inclusive = warp_sum_up_to(count);
        if (i < n_words)
            tile.before[i] = sum + inclusive - count;
        sum += __shfl_sync(ALL_LANES, inclusive, WARP - 1);
    }
}

/* Ranks the components of the tile: finds how many there are before each row of it, less those of
 * the tile itself. Called by all threads. */
template <Scope scope>
DEVICE void rank_rows(Tile &tile, const CudaSuper &s, const Place &place, const uint32_t n)
{
    const uint32_t row = threadIdx.x, lane = row % WARP, warp = row / WARP;
    const uint32_t n_warps = blockDim.x / WARP;
    uint32_t count = 0, left = 0, own = 0; /* of the row: in all tiles, in those to the left */
    if (row < place.rows)
        for (uint32_t x = 0; x < s.tiles_x; x++) {
            const uint16_t *const counts = s.row_counts + (place.tile_y * s.tiles_x + x) * max_rows;
            const uint32_t c = __ldcg(counts + row);
            count += c;
            left += x < place.tile_x ? c : 0;
            own = x == place.tile_x ? c : own;
        }
    /* The first tile counts all components of the frame instead. */
    const bool is_first = place.tile == 0;
    const uint32_t n_summed = is_first ? s.n_tiles : place.tile_y * s.tiles_x;
    /* Stages can have many tiles. */
    const uint32_t summing_warp = scope != STAGED && n_warps > 1 ? n_warps - 2 : 0;
    uint32_t sum = 0;
    if (scope == STAGED)
        sum = sum_totals(tile, s, n_summed);
    else if (warp == summing_warp)
        sum = warp_sum(add_totals(s, n_summed, lane, WARP));
    const uint32_t count_up_to = warp_sum_up_to(count), own_up_to = warp_sum_up_to(own);
    if (lane == WARP - 1) {
        tile.warp_sums[0][warp] = count_up_to;
        tile.warp_sums[1][warp] = own_up_to;
    }
    if (warp == n_warps - 1)
        rank_words(tile, n);
    if (warp == summing_warp && lane == 0) {
        tile.n_before = is_first ? 0 : sum;
        tile.n_found = is_first ? sum : 0;
    }
    __syncthreads();
    const uint32_t counts = warp_sum(lane < warp ? tile.warp_sums[0][lane] : 0);
    const uint32_t owns = warp_sum(lane < warp ? tile.warp_sums[1][lane] : 0);
    if (row < place.rows)
        tile.row_ranks[row] = tile.n_before + counts + count_up_to - count + left -
                              (owns + own_up_to - own);
    __syncthreads();
}

/* Rank of a counted component, whose first pixel in the tile is `first`. */
DEVICE uint32_t rank_of(const Tile &tile, const uint32_t i, const uint32_t first)
{
    return tile.row_ranks[(first & first_mask) / width] + tile.before[i / WARP] +
           __popc(tile.counted[i / WARP] & ((1u << i % WARP) - 1));
}

/* Writes the records of the counted components. Called by all threads. */
template <Scope scope>
DEVICE void write_records(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const CudaCompact &compact, const Place &place, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    RecordStage &stage = tile.stages[threadIdx.x / WARP];
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += blockDim.x) {
        uint32_t to = UINT32_MAX;
        if (tile.counted[i / WARP] >> lane & 1) {
            const Slot slot = slot_of<scope>(tile, s, place, i);
            const uint32_t first = slot.first & first_mask, rank = rank_of(tile, i, first);
            const Features f = slot.first & first_is_open ?
                                   open_features(load_open(s.open + frame_node(place.tile, i)),
                                                 place.y0 + first / width) :
                                   in_region(place, slot, first);
            to = rank < compact.max_components ? rank : UINT32_MAX;
            stage_record(stage, make_record(image, rank, f));
        }
        write_staged(compact, stage, to);
    }
}

/* Ends the frame: the last block, which sees the records of all others, reports to the CPU.
 * The number of components found is the sum of all `n_found`. */
DEVICE void end_frame(const CudaSuper &s, const CudaCompact &compact, const uint32_t n_found,
                      const bool has_room)
{
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    /* The latency of these loads overlaps with the atomic operation. */
    const uint32_t before = load_relaxed((const uint32_t *) compact.ticket + 1);
    const uint32_t threshold = load_relaxed(&compact.header->threshold);
    const uint64_t mine = (uint64_t) n_found << 32 | 1;
    const uint64_t all = fetch_add(&s.counters->ended, mine) + mine;
    if ((uint32_t) all < gridDim.x)
        return;
    *s.counters = {};
    report_whole_frame(compact, before, threshold, (uint32_t) (all >> 32), has_room);
}

} // namespace super

#endif /* CCA_CUDA_SUPER_RECORDS_CUH */
