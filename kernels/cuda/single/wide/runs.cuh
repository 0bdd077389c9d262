/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The list of runs of a strip. It gives each lane one run, however the runs are distributed over
 * the words. */

#ifndef CCA_CUDA_SINGLE_WIDE_RUNS_CUH
#define CCA_CUDA_SINGLE_WIDE_RUNS_CUH

#include "../tile.cuh"

namespace single
{

/* A listed run: x of its first pixel in the lowest bits, then its row in the strip, then the number
 * of rows below that repeat its word. */
constexpr uint32_t run_x_bits = 8, run_row_bits = 4;
static_assert(Wide::width == 1 << run_x_bits && Wide::strip_rows == 1 << run_row_bits, "16 bits");

DEVICE uint32_t x_of(const uint32_t run)
{
    return run & (Wide::width - 1);
}

DEVICE uint32_t row_of(const Strip &strip, const uint32_t run)
{
    return strip.row + (run >> run_x_bits & (Wide::strip_rows - 1));
}

DEVICE uint32_t height_of(const uint32_t run)
{
    return (run >> (run_x_bits + run_row_bits)) + 1;
}

/* The first pixel, as an index in the tile. */
DEVICE uint32_t pixel_of(const Strip &strip, const uint32_t run)
{
    return row_of(strip, run) * Wide::width + x_of(run);
}

DEVICE uint32_t length_of(const Tile<Wide> &tile, const Strip &strip, const uint32_t run)
{
    const uint32_t place = Wide::word_index(x_of(run) / 32, row_of(strip, run));
    return __popc(run_from(tile.bits[place], 1u << run % 32));
}

/* Position of the words of a thread, which are consecutive in a row of the tile. */
struct ThreadWords {
    uint32_t row, column;
};

DEVICE ThreadWords own_words(const Strip &strip)
{
    const uint32_t lane = threadIdx.x % WARP;
    return { strip.row + lane / Wide::row_lanes, lane % Wide::row_lanes * Wide::thread_words };
}

/* The words of a thread in one of the tables. */
struct Words {
    uint32_t w[Wide::thread_words];
};

DEVICE Words load_words(const uint32_t *const from, const bool has)
{
    static_assert(Wide::thread_words == 4, "a vector");
    const uint4 v = has ? *(const uint4 *) from : make_uint4(0, 0, 0, 0);
    return { { v.x, v.y, v.z, v.w } };
}

DEVICE void store_words(uint32_t *const to, const Words &words)
{
    *(uint4 *) to = make_uint4(words.w[0], words.w[1], words.w[2], words.w[3]);
}

/* Lists the runs of a strip. A word that equals the word above adds no nodes, because each of its
 * runs touches exactly the same run there. Called by all threads. Returns whether the runs fit
 * the list. */
DEVICE bool find_runs(Tile<Wide> &tile, Strip &strip, const CudaImage &image, const Place &place)
{
    constexpr uint32_t n_words = Wide::thread_words;
    static_assert(Wide::row_lanes == 2, "same_column");
    const uint32_t lane = threadIdx.x % WARP, same_column = 0x55555555u << lane % 2;
    const ThreadWords t = own_words(strip);
    const bool in_tile = t.row < place.rows, inner = t.row > 0 && t.row + 1 < place.rows;
    const uint32_t at = Wide::word_index(t.column, t.row);
    const Words bits = load_words(tile.bits + at, in_tile);
    const Words above = load_words(tile.bits + at - Wide::stride, in_tile);
    const Words below = load_words(tile.bits + at + Wide::stride, inner);

    Words starts, nodes, isolated, passing;
    uint32_t top[n_words], height[n_words], n = 0; /* nodes, and isolated runs << 16 */
#pragma unroll
    for (uint32_t j = 0; j < n_words; j++) {
        const uint32_t w = bits.w[j];
        const bool repeats = lane >= Wide::row_lanes && w != 0 && w == above.w[j];
        const uint32_t fresh = ~__ballot_sync(ALL_LANES, repeats) & same_column;
        const uint32_t next = fresh & lane_mask_gt();
        const uint32_t end = next ? __ffs(next) - 1 : WARP + lane % Wide::row_lanes;
        height[j] = (end - lane) / Wide::row_lanes;
        top[j] = highest_index(fresh & lane_mask_le());
        isolated.w[j] = inner ? untouched_starts(w, above.w[j] | below.w[j], image.corner) : 0;
        starts.w[j] = starts_of(w) & ~isolated.w[j];
        nodes.w[j] = repeats ? 0 : starts.w[j];
        passing.w[j] = passing_starts(image, w, isolated.w[j]);
        n += __popc(nodes.w[j]) + (__popc(passing.w[j]) << 16);
    }
    if (in_tile) {
        store_words(tile.starts + at, starts);
        store_words(tile.first_bits + t.row * Wide::row_words + t.column, passing);
    }
    const uint32_t inclusive = warp_sum_up_to(n);
    const uint32_t total = __shfl_sync(ALL_LANES, inclusive, WARP - 1), before = inclusive - n;
    if ((total & 0xffff) + (total >> 16) > Wide::strip_runs)
        return false;
    strip.n = total & 0xffff;
    strip.n_isolated = total >> 16;
    if (lane == 0)
        atomicAdd(&tile.n_runs, strip.n);

    uint32_t node = strip.begin + (before & 0xffff);
    uint32_t back = strip.begin + Wide::strip_runs - 1 - (before >> 16);
#pragma unroll
    for (uint32_t j = 0; j < n_words; j++) {
        const uint32_t base = __shfl_sync(ALL_LANES, node, top[j]);
        if (in_tile)
            tile.base[at + j] = (uint16_t) base;
        const uint32_t run = (t.column + j) * 32 | lane / Wide::row_lanes << run_x_bits;
        const uint32_t repeated = (height[j] - 1) << (run_x_bits + run_row_bits);
#pragma unroll 1
        for (uint32_t rest = nodes.w[j]; rest != 0; rest &= rest - 1)
            tile.list.runs[node++] = (uint16_t) ((run + __ffs(rest) - 1) | repeated);
#pragma unroll 1
        for (uint32_t rest = passing.w[j]; rest != 0; rest &= rest - 1)
            tile.list.runs[back--] = (uint16_t) (run + __ffs(rest) - 1);
    }
    return true;
}

/* Calls visit(node, its run) for each node of the strip. */
template <typename Visit>
DEVICE void for_each_node(const Tile<Wide> &tile, const Strip &strip, const Visit visit)
{
#pragma unroll 1
    for (uint32_t i = threadIdx.x % WARP; i < strip.n; i += WARP)
        visit(strip.begin + i, (uint32_t) tile.list.runs[strip.begin + i]);
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_WIDE_RUNS_CUH */
