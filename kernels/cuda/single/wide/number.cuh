/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Slots, counts and votes of the components of a wide tile. */

#ifndef CCA_CUDA_SINGLE_WIDE_NUMBER_CUH
#define CCA_CUDA_SINGLE_WIDE_NUMBER_CUH

#include "../records.cuh"
#include "label.cuh"

namespace single
{

/* Assigns slots to the roots of a strip, and marks the first pixels of closed components. Called by
 * a whole warp. */
DEVICE void give_slots(Tile<Wide> &tile, const Strip &strip)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n; i += WARP) {
        const uint32_t node = strip.begin + i, p = i < strip.n ? tile.parent[node] : none;
        const bool open = p == (node | is_open), closed = p == node;
        const uint32_t all_open = __ballot_sync(ALL_LANES, open);
        const uint32_t all_closed = __ballot_sync(ALL_LANES, closed);
        if (!(all_open | all_closed))
            continue;
        uint32_t before = 0;
        if (lane == 0)
            before = atomicAdd(&tile.n_numbered, __popc(all_open) << 16 | __popc(all_closed));
        before = __shfl_sync(ALL_LANES, before, 0);
        if (!open && !closed)
            continue;
        const uint32_t slot = open ? (before >> 16) + __popc(all_open & lane_mask_lt()) :
                                     Wide::open_slots + (before & 0xffff) +
                                         __popc(all_closed & lane_mask_lt());
        const uint32_t first = pixel_of(strip, tile.list.runs[node]);
        tile.parent[node] = has_slot | slot;
        if (closed)
            atomicOr(tile.first_bits + first / 32, 1u << first % 32);
        if (slot < Wide::n_slots)
            clear_slot(tile.slots, slot, first);
        else
            atomicOr(&tile.overflows, 1);
    }
    __syncwarp();
}

/* Counts the closed components of the strip's rows, and adds them to `total`. Called by whole
 * warps, each of which has marked those of its own strip. */
DEVICE void count_rows(const Tile<Wide> &tile, const CudaSingle &small, const Place &place,
                       const Strip &strip, uint32_t *const total)
{
    const ThreadWords t = own_words(strip);
    const Words first = load_words(tile.first_bits + t.row * Wide::row_words + t.column,
                                   t.row < place.rows);
    uint32_t in_row = 0;
#pragma unroll
    for (uint32_t j = 0; j < Wide::thread_words; j++)
        in_row += __popc(first.w[j]);
    const uint32_t in_strip = warp_sum(in_row);
    if (threadIdx.x % WARP == 0 && in_strip > 0)
        atomicAdd(total, in_strip);
    in_row += __shfl_down_sync(ALL_LANES, in_row, 1);
    if (t.row < place.rows && t.column == 0)
        small.row_counts[(place.tile_y * place.rows + t.row) * CCA_SINGLE_MAX_TILES_X +
                         place.tile_x] = (uint8_t) in_row;
}

/* Called by all threads. */
DEVICE void number_roots(Tile<Wide> &tile, const CudaImage &image, const CudaSingle &small,
                         const Place &place, const Strip &strip)
{
    give_slots(tile, strip);
    if (!has_filters(image)) /* otherwise the areas must be known first */
        count_rows(tile, small, place, strip, &tile.n_closed);
}

/* Features of an isolated run, in pixels of the region. */
DEVICE ::Features isolated_features(const Tile<Wide> &tile, const Place &place, const Strip &strip,
                                    const uint32_t run)
{
    const uint32_t row = row_of(strip, run);
    return in_region(place, row, features_of(x_of(run), row, length_of(tile, strip, run), 1));
}

/* Drops the isolated runs that are rejected by the limits of boxes. Called by a whole warp. */
DEVICE void sift_isolated(Tile<Wide> &tile, const CudaImage &image, const CcaFilter &filter,
                          const Place &place, Strip &strip)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint16_t *const runs = tile.list.runs + strip.begin + Wide::strip_runs - 1;
    uint32_t n = 0;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n_isolated; i += WARP) {
        const bool has = i < strip.n_isolated;
        const uint32_t run = has ? *(runs - i) : 0, first = pixel_of(strip, run);
        const bool found = has && passes(image, filter, isolated_features(tile, place, strip, run));
        const uint32_t all = __ballot_sync(ALL_LANES, found);
        if (found)
            *(runs - n - __popc(all & lane_mask_lt())) = (uint16_t) run;
        else if (has)
            atomicAnd(tile.first_bits + first / 32, ~(1u << first % 32));
        n += __popc(all);
    }
    strip.n_isolated = n;
    __syncwarp();
}

/* Sums up the features of components with slots. Called by whole warps. */
DEVICE void vote_runs(Tile<Wide> &tile, const Strip &strip)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n; i += WARP) {
        const bool has = i < strip.n;
        uint32_t slot = none;
        Features f = {};
        if (has) {
            const uint32_t node = strip.begin + i, run = tile.list.runs[node];
            slot = slot_of(tile, node);
            f = features_of(x_of(run), row_of(strip, run), length_of(tile, strip, run),
                            height_of(run));
        }
        vote_together<min_peers>(tile.slots, has, slot, f);
    }
}

/* Writes the records of isolated runs. Called by whole warps. */
template <typename Then>
DEVICE void write_isolated(Tile<Wide> &tile, const CudaImage &image, const CudaCompact &compact,
                           RecordStage &stage, const Place &place, const Strip &strip, const Then)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = lane; i - lane < strip.n_isolated; i += WARP) {
        const bool has = i < strip.n_isolated;
        const uint32_t run = has ? tile.list.runs[strip.begin + Wide::strip_runs - 1 - i] : 0;
        write_record(tile, image, compact, stage, has, pixel_of(strip, run),
                     isolated_features(tile, place, strip, run));
    }
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_WIDE_NUMBER_CUH */
