/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One tile in shared memory. Thread t has word t of its bit mask, in raster
 * order; the runs of a word, and its up to 16 nodes, are numbered likewise. */

#ifndef CCA_CUDA_TILE_CUH
#define CCA_CUDA_TILE_CUH

#include "../emit.cuh"

#define TILE_THREADS CCA_TILE_WORDS
#define TILE_WARPS (TILE_THREADS / WARP)
#define ROW_WORDS (CCA_TILE_WIDTH / 32)
#define BITS_STRIDE (ROW_WORDS + 2) /* a word of background on either side */
#define WORD_NODES 16
#define MAX_NODES (CCA_TILE_WORDS * WORD_NODES)

/* Components whose features are summed up at a time; a tile with more takes
 * several passes. Searched: 256 to 768. */
#define SLOTS 512

/* parent[] of a root, once components are numbered: its slot, counted over all
 * passes, and for an open component its number in the tile. */
#define ROOT 0x80000000u
#define OPEN 0x40000000u
#define OPEN_SHIFT 16
#define SLOT_MASK 0xffffu

/* area and the sum of rows share a word: they have 14 and 18 bits. */
#define AREA_SHIFT 18
static_assert(CCA_TILE_WIDTH * (CCA_TILE_HEIGHT * (CCA_TILE_HEIGHT - 1) / 2) < 1 << AREA_SHIFT, "");
static_assert((uint64_t) CCA_TILE_WIDTH * CCA_TILE_HEIGHT << AREA_SHIFT <= 1ull << 31, "");

struct Tile {
    uint32_t bits[(CCA_TILE_HEIGHT + 2) * BITS_STRIDE]; /* a row of background above and below */
    uint32_t parent[MAX_NODES];
    uint16_t base[CCA_TILE_WORDS]; /* first node of each word: its own, or that of the word
                                    * above that it repeats */
    uint32_t first[CCA_TILE_WORDS]; /* first pixels of closed components */
    uint16_t root[SLOTS];           /* node of each component of this pass */
    uint32_t area_sum_y[SLOTS], sum_x[SLOTS], min_x[SLOTS], max_x[SLOTS], max_y[SLOTS];
    uint32_t warp_sums[TILE_WARPS];
    uint32_t n_open, open_base;
    uint32_t n_closed, closed_base;
};

DEVICE uint32_t starts_of(const uint32_t word)
{
    return word & ~(word << 1);
}

DEVICE uint32_t lowest_bit(const uint32_t x)
{
    return x & (0 - x);
}

DEVICE uint32_t highest_index(const uint32_t x)
{
    return 31 - __clz(x);
}

/* The run of `word` that begins with its lowest bit. */
DEVICE uint32_t lowest_run(const uint32_t word)
{
    return word & ~(word + lowest_bit(word));
}

DEVICE uint32_t *word_bits(Tile &tile, const uint32_t word)
{
    return tile.bits + (word / ROW_WORDS + 1) * BITS_STRIDE + 1 + word % ROW_WORDS;
}

/* Node of the run of `word` that holds this bit. */
DEVICE uint32_t node_of(const Tile &tile, const uint32_t word, const uint32_t bits,
                        const uint32_t bit)
{
    const uint32_t up_to = ALL_LANES >> (31 - bit);
    return tile.base[word] + __popc(starts_of(bits) & up_to) - 1;
}

/* Sum of `v` over the threads before this one; `total` over all. Whole block. */
DEVICE uint32_t block_scan(Tile &tile, const uint32_t v, uint32_t &total)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    uint32_t inclusive = v;
    for (int d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, inclusive, d);
        if (lane >= d)
            inclusive += other;
    }
    if (lane == WARP - 1)
        tile.warp_sums[warp] = inclusive;
    __syncthreads();
    uint32_t before = inclusive - v;
    total = 0;
    for (uint32_t w = 0; w < TILE_WARPS; w++) {
        before += w < warp ? tile.warp_sums[w] : 0;
        total += tile.warp_sums[w];
    }
    __syncthreads();
    return before;
}

#endif /* CCA_CUDA_TILE_CUH */
