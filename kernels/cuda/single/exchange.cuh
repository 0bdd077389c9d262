/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Publishes the open components of a tile and its contacts to the other blocks. Closed components
 * stay in shared memory. */

#ifndef CCA_CUDA_SINGLE_EXCHANGE_CUH
#define CCA_CUDA_SINGLE_EXCHANGE_CUH

#include "barrier.cuh"
#include "contacts.cuh"
#include "votes.cuh"

namespace single
{

/* Positions of the fields above the arrivals in CudaSingleCounters.grid. */
constexpr int open_shift = ARRIVALS_BITS, runs_shift = 25, filled_shift = 40, more_shift = 48,
              overflow_shift = 56;
/* Unit in which the runs of a tile are counted. */
constexpr uint32_t runs_unit = 64;
static_assert(CCA_SINGLE_MAX_TILES < 1 << ARRIVALS_BITS, "");
static_assert(CCA_SINGLE_MAX_TILES * Wide::open_slots < 1u << (runs_shift - open_shift), "");
static_assert(CCA_SINGLE_MAX_TILES * Wide::n_parents / runs_unit <
                  1u << (filled_shift - runs_shift),
              "");

DEVICE uint32_t n_open_in(const uint64_t grid)
{
    return (uint32_t) (grid >> open_shift) & ((1u << (runs_shift - open_shift)) - 1);
}

DEVICE uint32_t n_runs_in(const uint64_t grid)
{
    return ((uint32_t) (grid >> runs_shift) & ((1u << (filled_shift - runs_shift)) - 1)) *
           runs_unit;
}

/* Reserves numbers for `n` open components of the frame, and returns the first. Called by one
 * thread. */
DEVICE uint32_t reserve_open(CudaSingleCounters &counters, const uint32_t n)
{
    return n_open_in(
        atomicAdd((unsigned long long *) &counters.grid, (unsigned long long) n << open_shift));
}

/* The number that the block adds to the counter when it arrives. */
template <typename S>
DEVICE uint64_t arrival(const Tile<S> &tile)
{
    return (uint64_t) (tile.n_runs / runs_unit) << runs_shift |
           (uint64_t) tile.is_filled << filled_shift | (uint64_t) tile.has_more << more_shift |
           (uint64_t) tile.overflows << overflow_shift;
}

/* Index of a contact of a border in CudaSingle.few, where 4 contacts of a border are a vector. */
DEVICE uint32_t few_at(const uint32_t border, const uint32_t i)
{
    return i / 4 * (2 * CCA_SINGLE_MAX_TILES * 4) + border * 4 + i % 4;
}

/* Number of a tile's border in the frame. */
DEVICE uint32_t frame_border(const CudaSingle &small, const Place &place, const uint32_t border)
{
    return border == UPPER ? 2 * (place.tile - small.tiles_x) :
           border == LOWER ? 2 * place.tile :
           border == LEFT  ? 2 * (place.tile - 1) + 1 :
                             2 * place.tile + 1;
}

/* Number in the frame of the open component with this root, with the flag of a diagonal. */
template <typename S>
DEVICE uint16_t open_number(const Tile<S> &tile, const uint32_t root)
{
    const uint32_t number = tile.open_base + (tile.parent[root & ~root_of_diagonal] & ~has_slot);
    return (uint16_t) (root & root_of_diagonal ? number | is_diagonal : number);
}

/* Publishes the contacts in a border word. Called by a whole warp. */
template <typename S>
DEVICE void publish_border(Tile<S> &tile, const CudaSingle &small, const Place &place,
                           const uint32_t word)
{
    const uint32_t lane = threadIdx.x % WARP, border = border_of<S>(word);
    const uint32_t in_frame = frame_border(small, place, border);
    const uint32_t root = tile.contact[word * 32 + lane];
    const uint32_t all = __ballot_sync(ALL_LANES, root != none);
    uint32_t before = 0;
    for (uint32_t i = border_begin<S>(border); i < word; i++)
        before += tile.n_contacts[i];
    if (root != none) {
        const uint16_t number = open_number(tile, root);
        const uint32_t i = before + __popc(all & lane_mask_lt());
        uint16_t *const contact = i < CCA_SINGLE_FEW ?
                                      small.few + 2 * few_at(in_frame, i) :
                                      small.more + 2 * (in_frame * CCA_SINGLE_CONTACTS + i);
        contact[is_after(border)] = number;
    }
    if (is_after(border) || word < border_end<S>(border) - 1)
        return;
    const uint32_t n = before + __popc(all);
    if (lane >= n && lane < CCA_SINGLE_FIRST) /* n_contacts bounds those beyond */
        small.few[2 * few_at(in_frame, lane)] = UINT16_MAX;
    if (lane == 0) {
        small.n_contacts[in_frame] = (uint16_t) n;
        if (n > CCA_SINGLE_FIRST)
            atomicOr(&tile.has_more, 1);
    }
}

/* Publishes the contacts at corners, see Tile.outer_corner. The upper tile publishes whether there
 * is a contact. Called by a whole warp. */
template <typename S>
DEVICE void publish_corners(const Tile<S> &tile, const CudaSingle &small, const Place &place)
{
    const uint32_t lane = threadIdx.x % WARP;
    const uint32_t root = lane < 4 ? tile.contact[S::border_words * 32 + lane] : none;
    const bool right = lane % 2;
    if (lane == 2 || lane == 3)
        small.corners[2 * (2 * place.tile + !right)] = root != none ? open_number(tile, root) :
                                                                      UINT16_MAX;
    if (lane < 2 && root != none) {
        const uint32_t upper = place.tile - small.tiles_x + (right ? 1 : -1);
        small.corners[2 * (2 * upper + right) + 1] = open_number(tile, root);
    }
}

/* Called by all warps. */
template <typename S>
DEVICE void publish_contacts(Tile<S> &tile, const CudaSingle &small, const Place &place,
                             const uint32_t corner)
{
    const uint32_t n_warps = blockDim.x / WARP;
#pragma unroll 1
    for (uint32_t word = threadIdx.x / WARP; word < S::border_words; word += n_warps)
        publish_border(tile, small, place, word);
    if (corner && threadIdx.x / WARP == n_warps - 1)
        publish_corners(tile, small, place);
}

/* Publishes the borders and rows that an empty tile is responsible for. Called by all threads. */
DEVICE void publish_nothing(const CudaSingle &small, const Place &place)
{
    const uint32_t i = threadIdx.x;
    if (i < 2 * CCA_SINGLE_FIRST)
        small.few[2 * few_at(2 * place.tile + i / CCA_SINGLE_FIRST, i % CCA_SINGLE_FIRST)] =
            UINT16_MAX;
    if (i < 2) {
        small.n_contacts[2 * place.tile + i] = 0;
        small.corners[2 * (2 * place.tile + i)] = UINT16_MAX;
    }
    if (i < place.rows)
        small.row_counts[(place.tile_y * place.rows + i) * CCA_SINGLE_MAX_TILES_X + place.tile_x] =
            0;
}

/* Publishes the features of the tile's open components. Called by all threads. */
template <typename S>
DEVICE void publish_open(const Tile<S> &tile, const CudaSingle &small, const CudaImage &image,
                         const Place &place)
{
    const uint32_t n = tile.n_numbered >> 16;
#pragma unroll 1
    for (uint32_t slot = threadIdx.x; slot < n; slot += blockDim.x) {
        if (tile.open_base + slot >= n_nodes)
            return;
        const Features f = features_in(tile.slots, slot);
        const uint32_t first = tile.slots.first[slot];
        const uint32_t x = place.x0 + first % S::width;
        const uint32_t y = place.y0 + first / S::width;
        small.firsts[tile.open_base + slot] = y << 16 | x;
        uint4 *const node = (uint4 *) (small.nodes + tile.open_base + slot);
        node[0] = make_uint4(y << 16 | x, f.area, f.sum_x + place.x0 * f.area,
                             f.sum_y + place.y0 * f.area);
        node[1] = make_uint4(place.x0 + f.min_x, place.x0 + f.max_x, place.y0 + f.max_y, 0);
    }
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_EXCHANGE_CUH */
