/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Ranks and records. A block writes the records of the components that begin in its tile. */

#ifndef CCA_CUDA_SUPER_RECORDS_CUH
#define CCA_CUDA_SUPER_RECORDS_CUH

#include "exchange.cuh"

namespace super
{

/* Sum of the totals of the first `n` tiles. Called by a whole warp. */
DEVICE uint32_t sum_totals(const CudaSuper &s, const uint32_t n)
{
    uint32_t sum = 0;
#pragma unroll 4
    for (uint32_t i = threadIdx.x % WARP; i < n; i += WARP)
        sum += __ldcg(s.totals + i);
    return warp_sum(sum);
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
    const uint32_t count_up_to = warp_sum_up_to(count), own_up_to = warp_sum_up_to(own);
    if (lane == WARP - 1) {
        tile.warp_sums[0][warp] = count_up_to;
        tile.warp_sums[1][warp] = own_up_to;
    }
    if (warp == n_warps - 1)
        rank_words(tile, n);
    if (warp == (n_warps > 1 ? n_warps - 2 : 0)) {
        /* The first tile counts all components of the frame instead. */
        const bool is_first = place.tile == 0;
        const uint32_t sum = sum_totals(s, is_first ? s.n_tiles : place.tile_y * s.tiles_x);
        if (lane == 0) {
            tile.n_before = is_first ? 0 : sum;
            tile.n_found = is_first ? sum : 0;
        }
    }
    __syncthreads();
    const uint32_t counts = warp_sum(lane < warp ? tile.warp_sums[0][lane] : 0);
    const uint32_t owns = warp_sum(lane < warp ? tile.warp_sums[1][lane] : 0);
    if (row < place.rows)
        tile.row_ranks[row] = tile.n_before + counts + count_up_to - count + left -
                              (owns + own_up_to - own);
    __syncthreads();
}

/* Rank of a counted component. */
DEVICE uint32_t rank_of(const Tile &tile, const uint32_t i)
{
    const uint32_t row = (tile.slots[i].first & first_mask) / width;
    return tile.row_ranks[row] + tile.before[i / WARP] +
           __popc(tile.counted[i / WARP] & ((1u << i % WARP) - 1));
}

/* Writes the records of the counted components. Called by all threads. */
DEVICE void write_records(Tile &tile, const CudaImage &image, const CudaSuper &s,
                          const CudaCompact &compact, const Place &place, const uint32_t n)
{
    const uint32_t lane = threadIdx.x % WARP;
    RecordStage &stage = tile.stages[threadIdx.x / WARP];
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += blockDim.x) {
        uint32_t to = UINT32_MAX;
        if (tile.counted[i / WARP] >> lane & 1) {
            const uint32_t first = tile.slots[i].first & first_mask, rank = rank_of(tile, i);
            const Features f = tile.slots[i].first & first_is_open ?
                                   open_features(load_open(s.open + frame_node(place.tile, i)),
                                                 place.y0 + first / width) :
                                   closed_features(tile, place, i);
            to = rank < compact.max_components ? rank : UINT32_MAX;
            stage_record(stage, make_record(image, rank, f));
        }
        write_staged(compact, stage, to);
    }
}

} // namespace super

#endif /* CCA_CUDA_SUPER_RECORDS_CUH */
