/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Ranks and records. A block writes the records of the components that begin in its tile. */

#ifndef CCA_CUDA_SINGLE_RECORDS_CUH
#define CCA_CUDA_SINGLE_RECORDS_CUH

#include "exchange.cuh"

namespace single
{

/* Sums of coordinates of the frame's components. Narrow tiles sum them up in 32 bits. */
struct Sums {
    uint64_t x, y;
};

DEVICE void clear_high_sums(Tile<Narrow> &, uint32_t)
{
}

DEVICE Features gathered(const Tile<Narrow> &, const Features &f)
{
    return f;
}

DEVICE Sums gathered_sums(const Tile<Narrow> &, uint32_t, const Features &f)
{
    return { f.sum_x, f.sum_y };
}

/* Wide tiles sum up the lower and the upper 16 bits apart. */
DEVICE void clear_high_sums(Tile<Wide> &tile, const uint32_t slot)
{
    tile.slots.high.x[slot] = tile.slots.high.y[slot] = 0;
}

DEVICE LargeFeatures gathered(const Tile<Wide> &, const Features &f)
{
    LargeFeatures halves = { f, f.sum_x >> 16, f.sum_y >> 16 };
    halves.sum_x &= UINT16_MAX;
    halves.sum_y &= UINT16_MAX;
    return halves;
}

DEVICE Sums gathered_sums(const Tile<Wide> &tile, const uint32_t slot, const Features &f)
{
    return { ((uint64_t) tile.slots.high.x[slot] << 16) + f.sum_x,
             ((uint64_t) tile.slots.high.y[slot] << 16) + f.sum_y };
}

/* Number of open components that a thread keeps in registers. Others are read again. */
constexpr uint32_t n_held = 2;

struct Node {
    uint32_t first;
    Features f;
};

DEVICE Node load_node(const CudaSingle &small, const uint32_t i)
{
    const uint4 *const p = (const uint4 *) (small.nodes + i);
    const uint4 a = __ldcg(p), b = __ldcg(p + 1);
    return { a.x, { a.y, a.z, a.w, b.x, b.y, b.z } };
}

struct Held {
    Node nodes[n_held];
};

DEVICE Held hold_nodes(const CudaSingle &small, const uint32_t n)
{
    Held held = {};
#pragma unroll
    for (uint32_t j = 0; j < n_held; j++)
        if (threadIdx.x + j * blockDim.x < n)
            held.nodes[j] = load_node(small, threadIdx.x + j * blockDim.x);
    return held;
}

/* Number of closed components that begin in a pixel row, one byte for each tile in the row of
 * tiles. Each thread loads one pixel row. */
DEVICE uint4 load_row_counts(const CudaSingle &small, const Place &place)
{
    static_assert(CCA_SINGLE_MAX_TILES_X == sizeof(uint4), "a byte each");
    if (threadIdx.x >= place.rows)
        return uint4{};
    return __ldcg((const uint4 *) small.row_counts + place.tile_y * place.rows + threadIdx.x);
}

/* Sum of the first n bytes of a vector. */
DEVICE uint32_t sum_bytes(const uint4 v, const uint32_t n)
{
    const uint32_t words[4] = { v.x, v.y, v.z, v.w };
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t have = n <= 4 * i       ? 0 :
                              n >= 4 * (i + 1) ? ALL_LANES :
                                                 (1u << 8 * (n - 4 * i)) - 1;
        sum = __dp4a(words[i] & have, 0x01010101u, sum);
    }
    return sum;
}

/* Number of closed components of row `tile_y` of tiles if it is above the tile, else 0. */
DEVICE uint32_t load_closed(const CudaSingleCounters &counters, const Place &place,
                            const uint32_t tile_y)
{
    return tile_y < place.tile_y ? __ldcg(counters.n_closed + tile_y) : 0;
}

/* Counts the closed components before the tile's. `row` is from load_row_counts(), `above` is the
 * lane's first value from load_closed(). */
template <typename S>
DEVICE void count_closed(Tile<S> &tile, const CudaSingle &small, const CudaSingleCounters &counters,
                         const Place &place, const uint4 row, const uint32_t above)
{
    if (threadIdx.x < place.rows) {
        tile.row_count[threadIdx.x] = sum_bytes(row, small.tiles_x);
        tile.row_left[threadIdx.x] = sum_bytes(row, place.tile_x);
    }
    if (threadIdx.x / WARP == blockDim.x / WARP - 1) {
        const uint32_t lane = threadIdx.x % WARP;
        uint32_t n = above;
        for (uint32_t i = WARP; i < place.tile_y; i += WARP)
            n += load_closed(counters, place, i + lane);
        n = warp_sum(n);
        if (lane == 0 && n > 0)
            atomicAdd(&tile.n_above, n);
    }
}

/* The k-th node of the thread. */
DEVICE Node node_of_thread(const CudaSingle &small, const Held &held, const uint32_t k)
{
    static_assert(n_held == 2, "");
    return k == 0 ? held.nodes[0] :
           k == 1 ? held.nodes[1] :
                    load_node(small, threadIdx.x + k * blockDim.x);
}

/* Finds the first pixel of each joined component, at its root, and its area if areas are
 * filtered. */
template <typename S>
DEVICE void find_first(Tile<S> &tile, const CudaImage &image, const CudaSingle &small,
                       const Held &held, const uint32_t n)
{
    constexpr uint32_t at_once = 4;
#pragma unroll
    for (uint32_t k = 0; k < n_held; k++)
        if (threadIdx.x + k * blockDim.x < n)
            atomicMin(tile.first + tile.parent[threadIdx.x + k * blockDim.x], held.nodes[k].first);
#pragma unroll 1
    for (uint32_t i = threadIdx.x + n_held * blockDim.x; i < n; i += at_once * blockDim.x) {
        uint32_t first[at_once];
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++)
            first[k] = i + k * blockDim.x < n ? __ldcg(small.firsts + i + k * blockDim.x) : none;
#pragma unroll
        for (uint32_t k = 0; k < at_once; k++)
            if (first[k] != none)
                atomicMin(tile.first + tile.parent[i + k * blockDim.x], first[k]);
    }
    if (!has_filters(image))
        return;
#pragma unroll 1
    for (uint32_t k = 0, i = threadIdx.x; i < n; k++, i += blockDim.x)
        atomicAdd(tile.first_and_area[1] + tile.parent[i], node_of_thread(small, held, k).f.area);
}

/* Whether a node is the root of a component whose area passes. */
template <typename S>
DEVICE bool passing_root(const Tile<S> &tile, const CudaImage &image, const uint32_t node)
{
    return tile.parent[node] == node &&
           (!has_filters(image) || area_passes(image, tile.first_and_area[1][node]));
}

/* Returns whether a component begins in the tile. If it `counts`, it is counted in the rows of the
 * tile if it begins in its row of tiles, and in `above` if it begins above that. */
template <typename S>
DEVICE bool begins_here(Tile<S> &tile, const Place &place, const uint32_t first, const bool counts,
                        uint32_t &above)
{
    const uint32_t y = first >> 16, row = y - place.y0, tile_x = (first & UINT16_MAX) / S::width;
    if (y < place.y0) {
        above += counts;
        return false;
    }
    if (row >= place.rows)
        return false;
    if (counts) {
        atomicAdd(tile.row_count + row, 1);
        if (tile_x < place.tile_x)
            atomicAdd(tile.row_left + row, 1);
    }
    return tile_x == place.tile_x;
}

/* Adds the components of each lane that begin above the row of tiles. */
template <typename S> DEVICE void add_above(Tile<S> &tile, const uint32_t n)
{
    const uint32_t above = warp_sum(n);
    if (threadIdx.x % WARP == 0 && above > 0)
        atomicAdd(&tile.n_above, above);
}

/* Components that begin in the tile get slots, whose numbers replace the first pixels. Counts the
 * components that begin before those of the tile, unless the limits of boxes reject some. */
template <typename S>
DEVICE void claim_roots(Tile<S> &tile, const CudaImage &image, const Place &place, const uint32_t n)
{
    uint32_t above = 0;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        if (tile.parent[i] != i)
            continue;
        const uint32_t first = tile.first[i], x = first & UINT16_MAX, y = first >> 16;
        uint32_t slot = none;
        if (passing_root(tile, image, i) &&
            begins_here(tile, place, first, !image.by_marks, above)) {
            const uint32_t at = (y - place.y0) * S::width + x % S::width;
            slot = atomicAdd(&tile.n_own, 1);
            clear_slot(tile.slots, slot, at);
            clear_high_sums(tile, slot);
            atomicOr(tile.first_bits + at / 32, 1u << at % 32);
        }
        tile.first[i] = slot;
    }
    add_above(tile, above);
}

/* Sums up the joined components that begin in the tile. */
template <typename S>
DEVICE void gather_own(Tile<S> &tile, const CudaSingle &small, const Held &held, const uint32_t n)
{
    if (tile.n_own == 0)
        return;
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t k = 0, i = threadIdx.x; i - lane < n; k++, i += blockDim.x) {
        const uint32_t slot = i < n ? tile.first[tile.parent[i]] : none;
        if (!__any_sync(ALL_LANES, slot != none))
            continue;
        typename S::Gathered f = {};
        if (slot != none)
            f = gathered(tile, node_of_thread(small, held, k).f);
        vote_together<min_peers>(tile.slots, slot != none, slot, f);
    }
}

/* Features, in pixels of the region, of a component inside the tile that begins in `row`. */
DEVICE ::Features in_region(const Place &place, const uint32_t row, const Features &f)
{
    return { place.x0 + f.min_x,
             place.y0 + row,
             place.x0 + f.max_x,
             place.y0 + f.max_y,
             f.area,
             f.sum_x + (uint64_t) place.x0 * f.area,
             f.sum_y + (uint64_t) place.y0 * f.area };
}

/* The same of a component with a slot: one that is closed, or an open one that begins in the
 * tile. */
template <typename S>
DEVICE ::Features slot_features(const Tile<S> &tile, const Place &place, const uint32_t slot,
                                const bool is_open)
{
    const Features f = features_in(tile.slots, slot);
    const uint32_t row = tile.slots.first[slot] / S::width;
    if (!is_open)
        return in_region(place, row, f);
    const Sums sums = gathered_sums(tile, slot, f);
    return { f.min_x, place.y0 + row, f.max_x, f.max_y, f.area, sums.x, sums.y };
}

/* Drops a component with a slot if it is rejected: its area becomes 0. Returns whether it is
 * found. */
template <typename S>
DEVICE bool sift_slot(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                      const Place &place, const uint32_t slot, const bool is_open)
{
    if (area_passes(image, tile.slots.area[slot]) &&
        (!image.by_marks || passes(image, filter, slot_features(tile, place, slot, is_open))))
        return true;
    const uint32_t first = tile.slots.first[slot];
    atomicAnd(tile.first_bits + first / 32, ~(1u << first % 32));
    tile.slots.area[slot] = 0;
    return false;
}

/* Tells all blocks which of the joined components that begin in the tile are found. */
template <typename S>
DEVICE void sift_own(Tile<S> &tile, const CudaImage &image, const CcaFilter &filter,
                     const CudaSingle &small, const Place &place, const uint32_t n)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        if (tile.parent[i] != i || tile.first[i] == none)
            continue;
        const uint32_t slot = tile.first[i], first = tile.slots.first[slot];
        const bool found = sift_slot(tile, image, filter, place, slot, true);
        small.found[i] = found ?
                             (place.y0 + first / S::width) << 16 | (place.x0 + first % S::width) :
                             none;
    }
}

/* Counts the joined components that are found before those of the tile, once all blocks have told
 * about theirs. */
template <typename S>
DEVICE void count_found(Tile<S> &tile, const CudaImage &image, const CudaSingle &small,
                        const Place &place, const uint32_t n)
{
    uint32_t above = 0;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        const uint32_t first = passing_root(tile, image, i) ? __ldcg(small.found + i) : none;
        if (first != none)
            begins_here(tile, place, first, true, above);
    }
    add_above(tile, above);
}

/* Ranks the first component in each row of the tile. Returns the number of components up to the
 * tile's last row. Called by one whole warp. */
template <typename S>
DEVICE uint32_t rank_rows(Tile<S> &tile)
{
    constexpr uint32_t each = S::n_counts / WARP;
    const uint32_t row = threadIdx.x % WARP * each;
    uint32_t count[each], sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < each; i++)
        sum += count[i] = tile.row_count[row + i];
    const uint32_t inclusive = warp_sum_up_to(sum);
    uint32_t rank = tile.n_above + inclusive - sum;
#pragma unroll
    for (uint32_t i = 0; i < each; i++) {
        tile.row_rank[row + i] = rank + tile.row_left[row + i];
        rank += count[i];
    }
    return __shfl_sync(ALL_LANES, rank, WARP - 1);
}

/* Rank of the component that begins at pixel `first` of the tile. */
template <typename S>
DEVICE uint32_t rank_of(const Tile<S> &tile, const uint32_t first)
{
    const uint32_t word = first / 32;
    uint32_t rank = tile.row_rank[first / S::width];
    for (uint32_t i = word / S::row_words * S::row_words; i < word; i++)
        rank += __popc(tile.first_bits[i]);
    return rank + __popc(tile.first_bits[word] & ((1u << first % 32) - 1));
}

/* Writes a record for each lane with `has`. Called by a whole warp. `first` is the first pixel in
 * the tile; features are in pixels of the region. Returns the index of the lane's record,
 * UINT32_MAX if there is none. */
template <typename S>
DEVICE uint32_t write_record(Tile<S> &tile, const CudaImage &image, const CudaCompact &compact,
                             RecordStage &stage, const bool has, const uint32_t first,
                             const ::Features &f)
{
    uint32_t place = UINT32_MAX;
    if (has) {
        const uint32_t rank = rank_of(tile, first);
        place = rank < compact.max_components ? rank : UINT32_MAX;
        stage_record(stage, make_record(image, rank, f));
    }
    write_staged(compact, stage, place);
    return place;
}

/* Writes the records of components with slots, `n_closed` of which are closed, and calls
 * then(index of the record, slot, is open, features) after each. Called by whole warps. */
template <typename S, typename Then>
DEVICE void write_slots(Tile<S> &tile, const CudaImage &image, const CudaCompact &compact,
                        RecordStage &stage, const Place &place, const uint32_t n_closed,
                        const Then then)
{
    const uint32_t n = n_closed + tile.n_own, lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i - lane < n; i += blockDim.x) {
        const bool is_open = i >= n_closed;
        const uint32_t slot = is_open ? i - n_closed : S::open_slots + i;
        uint32_t first = 0;
        ::Features f = {};
        if (i < n) {
            first = tile.slots.first[slot];
            f = slot_features(tile, place, slot, is_open);
        }
        then(write_record(tile, image, compact, stage, f.area > 0, first, f), slot, is_open, f);
    }
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_RECORDS_CUH */
