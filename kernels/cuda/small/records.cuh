/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Ranks, and records. A block writes those of the components that begin in its tile. */

#ifndef CCA_CUDA_SMALL_RECORDS_CUH
#define CCA_CUDA_SMALL_RECORDS_CUH

#include "exchange.cuh"

namespace small {

/* Open components that a thread keeps in registers; what there are more is read again. */
constexpr uint32_t n_held = 2;

struct Node {
    uint32_t first;
    Features f;
};

DEVICE Node load_node(const CudaSmall &small, const uint32_t i)
{
    const uint4 *const p = (const uint4 *) (small.nodes + i);
    const uint4 a = __ldcg(p), b = __ldcg(p + 1);
    return { a.x, { a.y, a.z, a.w, b.x, b.y, b.z } };
}

struct Held {
    Node nodes[n_held];
};

DEVICE Held hold_nodes(const CudaSmall &small, const uint32_t n)
{
    Held held = {};
#pragma unroll
    for (uint32_t j = 0; j < n_held; j++)
        if (threadIdx.x + j * blockDim.x < n)
            held.nodes[j] = load_node(small, threadIdx.x + j * blockDim.x);
    return held;
}

/* Closed components that begin in a row of the tiles beside each other, by the thread of
 * the row. */
DEVICE uint4 load_row_counts(const CudaSmall &small, const Place &place)
{
    static_assert(CCA_SMALL_MAX_TILES_X == sizeof(uint4), "a byte each");
    if (threadIdx.x >= place.rows)
        return uint4 {};
    return __ldcg((const uint4 *) small.row_counts + place.tile_y * place.rows + threadIdx.x);
}

/* Sums of the first n bytes of a vector. */
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

/* Those of a row of tiles above, by the lanes of a warp. */
DEVICE uint32_t load_closed(const CudaSmallCounters &counters, const Place &place,
                            const uint32_t tile_y)
{
    return tile_y < place.tile_y ? __ldcg(counters.n_closed + tile_y) : 0;
}

/* `row` and `above` are what was loaded, the first of what each lane has to. */
DEVICE void count_closed(Tile &tile, const CudaSmall &small, const CudaSmallCounters &counters,
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

/* A node of the thread, its k-th. */
DEVICE Node node_of_thread(const CudaSmall &small, const Held &held, const uint32_t k)
{
    static_assert(n_held == 2, "");
    return k == 0 ? held.nodes[0] :
           k == 1 ? held.nodes[1] :
                    load_node(small, threadIdx.x + k * blockDim.x);
}

/* The first pixel of each joined component, at its root, and where areas decide that. */
DEVICE void find_first(Tile &tile, const CudaImage &image, const CudaSmall &small,
                       const Held &held, const uint32_t n)
{
    const bool filters = has_filters(image);
#pragma unroll 1
    for (uint32_t k = 0, i = threadIdx.x; i < n; k++, i += blockDim.x) {
        const uint32_t root = tile.parent[i];
        const Node node = node_of_thread(small, held, k);
        atomicMin(tile.first + root, node.first);
        if (filters)
            atomicAdd(tile.first_and_area[1] + root, node.f.area);
    }
}

/* Counts the joined components that begin before those of the tile, and gives slots to
 * the tile's, instead of the first pixel. Those whose areas do not pass are none. */
DEVICE void claim_roots(Tile &tile, const CudaImage &image, const Place &place,
                        const uint32_t n)
{
    const bool filters = has_filters(image);
    uint32_t above = 0;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        if (tile.parent[i] != i)
            continue;
        const uint32_t x = tile.first[i] & UINT16_MAX, y = tile.first[i] >> 16;
        const uint32_t row = y - place.y0, tile_x = x / CCA_SMALL_WIDTH;
        uint32_t slot = none;
        if (filters && !area_passes(image, tile.first_and_area[1][i])) {
        } else if (y < place.y0) {
            above++;
        } else if (row < place.rows) {
            atomicAdd(tile.row_count + row, 1);
            if (tile_x < place.tile_x) {
                atomicAdd(tile.row_left + row, 1);
            } else if (tile_x == place.tile_x) {
                const uint32_t first = row * CCA_SMALL_WIDTH + x % CCA_SMALL_WIDTH;
                slot = atomicAdd(&tile.n_own, 1);
                clear_slot(tile.slots, slot, first);
                atomicOr(tile.first_bits + first / 32, 1u << first % 32);
            }
        }
        tile.first[i] = slot;
    }
    above = warp_sum(above);
    if (threadIdx.x % WARP == 0 && above > 0)
        atomicAdd(&tile.n_above, above);
}

/* Sums up the joined components that begin in the tile. */
DEVICE void gather_own(Tile &tile, const CudaSmall &small, const Held &held, const uint32_t n)
{
    if (tile.n_own == 0)
        return;
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll 1
    for (uint32_t k = 0, i = threadIdx.x; i - lane < n; k++, i += blockDim.x) {
        const uint32_t slot = i < n ? tile.first[tile.parent[i]] : none;
        if (__any_sync(ALL_LANES, slot != none))
            vote_together(tile.slots, slot != none, slot,
                          slot != none ? node_of_thread(small, held, k).f : Features {});
    }
}

/* The rank of the first component in each row of the tile, by one warp, which then knows
 * how many there are up to the tile's last row. */
DEVICE uint32_t rank_rows(Tile &tile)
{
    constexpr uint32_t each = n_counts / WARP;
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

/* Rank of the component that begins at a pixel of the tile. */
DEVICE uint32_t rank_of(const Tile &tile, const uint32_t first)
{
    const uint32_t word = first / 32;
    uint32_t rank = tile.row_rank[first / CCA_SMALL_WIDTH];
    for (uint32_t i = word / row_words * row_words; i < word; i++)
        rank += __popc(tile.first_bits[i]);
    return rank + __popc(tile.first_bits[word] & ((1u << first % 32) - 1));
}

/* The features are in pixels from (x0, y0) of the region on; `first` is of the tile. */
DEVICE void write_record(const Tile &tile, const CudaImage &image, const CudaEmit &emit,
                         const Place &place, const uint32_t first, const Features &f,
                         const uint32_t x0, const uint32_t y0)
{
    const uint32_t rank = rank_of(tile, first);
    if (rank >= emit.max_components)
        return;
    const uint32_t min_y = place.y0 + first / CCA_SMALL_WIDTH;
    CcaComponent c;
    c.id = rank + 1;
    c.x = image.x + x0 + f.min_x;
    c.y = image.y + min_y;
    c.width = f.max_x - f.min_x + 1;
    c.height = y0 + f.max_y - min_y + 1;
    c.reserved = 0;
    c.area = f.area;
    c.sum_x = f.sum_x + (uint64_t) (image.x + x0) * f.area;
    c.sum_y = f.sum_y + (uint64_t) (image.y + y0) * f.area;
    static_assert(sizeof(c) == 3 * sizeof(uint4), "");
    uint4 *const to = (uint4 *) (emit.delivery->records + rank);
#pragma unroll
    for (uint32_t i = 0; i < 3; i++)
        to[i] = ((const uint4 *) &c)[i];
}

/* By all threads; of the closed components the tile has n. Each thread has components of one
 * run in its word, and then slots. */
DEVICE void write_records(const Tile &tile, const CudaImage &image, const CudaEmit &emit,
                          const Place &place, const Word &w, const uint32_t n_closed)
{
    const uint32_t n = n_closed + tile.n_own;
    uint32_t rest = w.isolated, i = threadIdx.x;
#pragma unroll 1
    while (rest != 0 || i < n) {
        uint32_t first;
        Features f;
        bool is_own = false;
        if (rest != 0) {
            const uint32_t x = w.column * 32 + __ffs(rest) - 1;
            first = w.row * CCA_SMALL_WIDTH + x;
            f = features_of(x, w.row, __popc(run_from(w.bits, lowest_bit(rest))), 1);
            rest &= rest - 1;
        } else {
            is_own = i >= n_closed;
            const uint32_t slot = is_own ? i - n_closed : open_slots + i;
            first = tile.slots.first[slot];
            f = features_in(tile.slots, slot);
            i += blockDim.x;
            if (!is_own && !area_passes(image, f.area))
                continue;
        }
        write_record(tile, image, emit, place, first, f, is_own ? 0 : place.x0,
                     is_own ? 0 : place.y0);
    }
}

} // namespace small

#endif /* CCA_CUDA_SMALL_RECORDS_CUH */
