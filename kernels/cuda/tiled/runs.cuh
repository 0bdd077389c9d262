/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* FLSL's runs, cut at word borders. Lists the runs of a strip, and finds isolated runs, which are
 * whole components. */

#ifndef CCA_CUDA_RUNS_CUH
#define CCA_CUDA_RUNS_CUH

#include "tile.cuh"

/* The nodes of a warp. */
struct Strip {
    uint32_t begin, n;
};

/* Mask of the pixels in the next row that touch these pixels, within the word. */
DEVICE uint32_t reach(const uint32_t pixels, const uint32_t corner)
{
    return corner ? pixels | pixels << 1 | pixels >> 1 : pixels;
}

/* First pixels of the isolated runs of a word. `near` has the pixels above and below. Runs at a
 * border of the word do not count as isolated. */
DEVICE uint32_t untouched_starts(const uint32_t bits, const uint32_t near, const uint32_t corner)
{
    const uint32_t touched = bits & (reach(near, corner) | 0x80000001u);
    /* In reversed bits, adding 1 at the end of a run carries to the bit past its start. A touched
     * pixel in between stops the carry. */
    const uint32_t ends = bits & ~(bits >> 1);
    return (__brev(__brev(bits & ~touched) + __brev(ends)) & ~bits) << 1;
}

/* The same in a tile. Its top and bottom rows have no isolated runs. */
DEVICE uint32_t isolated_starts(const Tile &tile, const uint32_t place, const uint32_t corner)
{
    const uint32_t y = place / ROW_STRIDE - 1;
    if (y == 0 || y == CCA_TILE_HEIGHT - 1)
        return 0;
    return untouched_starts(tile.bits[place],
                            tile.bits[place - ROW_STRIDE] | tile.bits[place + ROW_STRIDE], corner);
}

/* The isolated runs whose areas pass the filters. */
DEVICE uint32_t passing_starts(const CudaImage &image, const uint32_t bits, const uint32_t starts)
{
    uint32_t passing = starts;
    if (image.min_area > 1 || image.max_area < 32)
#pragma unroll 1
        for (uint32_t rest = starts; rest != 0; rest &= rest - 1)
            if (!area_passes(image, __popc(run_from(bits, lowest_bit(rest)))))
                passing &= ~lowest_bit(rest);
    return passing;
}

/* Lists the runs of a strip. A word that equals the word above adds no nodes, because each of its
 * runs touches exactly the same run there. */
template <typename S> DEVICE Strip list_runs(Tile &tile, const CudaImage &image)
{
    static_assert(S::strip_rows <= 1 << (16 - BASE_BITS), "height in base[]");
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t place = thread_place<S>();
    /* Lanes that have the same columns of other rows. */
    const uint32_t column = (S::row_lanes == 2 ? 0x55555555u : 0x11111111u) << lane % S::row_lanes;
    static_assert(S::row_lanes == 2 || S::row_lanes == 4, "column");

    uint32_t nodes[S::words], isolated[S::words], top[S::words], height[S::words];
    uint32_t n = 0; /* nodes, and isolated runs << 16 */
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        const uint32_t bits = tile.bits[place + j];
        const bool repeats = lane >= S::row_lanes && bits != 0 &&
                             bits == tile.bits[place + j - ROW_STRIDE];
        const uint32_t fresh = ~__ballot_sync(ALL_LANES, repeats) & column;
        const uint32_t below = fresh & lane_mask_gt();
        const uint32_t end = below ? __ffs(below) - 1 : WARP + lane % S::row_lanes;
        height[j] = (end - lane) / S::row_lanes;
        top[j] = highest_index(fresh & lane_mask_le());
        isolated[j] = isolated_starts(tile, place + j, image.corner);
        const uint32_t starts = starts_of(bits) & ~isolated[j];
        tile.starts[place + j] = starts;
        nodes[j] = repeats ? 0 : starts;
        isolated[j] = passing_starts(image, bits, isolated[j]);
        tile.first[threadIdx.x * S::words + j] = isolated[j];
        n += __popc(nodes[j]) + (__popc(isolated[j]) << 16);
    }

    uint32_t inclusive = n;
#pragma unroll
    for (int d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, d);
        if (lane >= d)
            inclusive += other;
    }
    const uint32_t total = __shfl_sync(ALL_LANES, inclusive, WARP - 1), before = inclusive - n;
    const Strip strip = { warp * S::strip_nodes, total & 0xffff };
    if (lane == 0)
        tile.n_isolated[warp] = total >> 16;

    uint32_t node = strip.begin + (before & 0xffff);
    uint32_t back = strip.begin + S::strip_nodes - 1 - (before >> 16);
#pragma unroll
    for (uint32_t j = 0; j < S::words; j++) {
        const uint32_t base = __shfl_sync(ALL_LANES, node, top[j]);
        tile.base[place + j] = (uint16_t) (base | (height[j] - 1) << BASE_BITS);
        const uint32_t at = (place + j) * 32;
#pragma unroll 1
        for (uint32_t rest = nodes[j]; rest != 0; rest &= rest - 1)
            tile.runs[node++] = (uint16_t) (at + __ffs(rest) - 1);
#pragma unroll 1
        for (uint32_t rest = isolated[j]; rest != 0; rest &= rest - 1)
            tile.runs[back--] = (uint16_t) (at + __ffs(rest) - 1);
    }
    return strip;
}

#endif /* CCA_CUDA_RUNS_CUH */
