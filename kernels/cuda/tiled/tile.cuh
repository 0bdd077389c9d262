/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A tile in shared memory. A warp has a strip of rows, and a thread has one or two consecutive
 * words of the bit mask. Runs are numbered in raster order. */

#ifndef CCA_CUDA_TILE_CUH
#define CCA_CUDA_TILE_CUH

#include "../compact/records.cuh"
#include "../tables/foreground.h"
#include "../tables/tiled.h"

#define MAX_TILE_WARPS 8

/* Distribution of a tile to the warps of a block. */
template <uint32_t n_warps> struct Shape {
    static constexpr uint32_t warps = n_warps, threads = n_warps * WARP;
    static constexpr uint32_t words = CCA_TILE_WORDS / threads; /* per thread */
    static constexpr uint32_t row_lanes = CCA_TILE_WIDTH / 32 / words;
    static constexpr uint32_t strip_rows = CCA_TILE_HEIGHT / n_warps;
    static constexpr uint32_t strip_nodes = CCA_TILE_WORDS * 16 / n_warps; /* 16 runs per word */
    static_assert(n_warps <= MAX_TILE_WARPS && row_lanes * strip_rows == WARP, "");
};

/* Words of background separate the rows. Pixel (x, y) of the tile is in word run_at(x, y) / 32 of
 * the tables of words. */
#define ROW_STRIDE 8
#define N_PLACES ((CCA_TILE_HEIGHT + 2) * ROW_STRIDE)

#define MAX_NODES (CCA_TILE_WORDS * 16)

/* Components whose features are summed up at a time. A tile with more needs several passes. This
 * number lets 8 blocks fit into a multiprocessor. */
#define SLOTS 240

/* parent[] of a root, once components are numbered: its number among the open
 * or the closed ones. Open components have the first slots. */
#define ROOT 0x8000u
#define OPEN 0x4000u
#define NUMBER_MASK 0x3fffu
static_assert(MAX_NODES <= OPEN && SLOTS >= CCA_TILE_MAX_OPEN, "");

/* base[] of a word: its first node, and in the bits above the number of rows that repeat it. */
#define BASE_BITS 12
static_assert(MAX_NODES <= 1 << BASE_BITS, "");

/* The area and the sum of rows share a word, with 14 and 18 bits. */
#define AREA_SHIFT 18
static_assert(CCA_TILE_WIDTH * (CCA_TILE_HEIGHT * (CCA_TILE_HEIGHT - 1) / 2) < 1 << AREA_SHIFT, "");
static_assert((uint64_t) CCA_TILE_WIDTH * CCA_TILE_HEIGHT << AREA_SHIFT <= 1ull << 31, "");

/* Part of the mask that a tile's opening and closing depends on. */
#define MORPH_ROWS (CCA_TILE_HEIGHT + 2 * CCA_MORPH_MAX_HALO)
#define MORPH_WORDS (CCA_TILE_WIDTH / 32 + 2 * CCA_MORPH_MAX_HALO_WORDS)
static_assert(2 * MORPH_ROWS * MORPH_WORDS <= MAX_NODES, "");

/* Features of some components. */
template <uint32_t room> struct Slots {
    uint32_t area_sum_y[room], sum_x[room], min_x[room], max_x[room], max_y[room];
};

struct Tile {
    uint32_t bits[N_PLACES];
    uint32_t starts[N_PLACES]; /* of the runs that are nodes */
    uint16_t base[N_PLACES];   /* a word that repeats the one above has its base */
    union {
        struct {
            /* Runs as run_at() of their first pixel. The nodes of a strip are stored from its
             * beginning, and its isolated runs from its end down. */
            uint16_t runs[MAX_NODES];
            alignas(4) uint16_t parent[MAX_NODES]; /* also read as little endian pairs */
        };
        uint32_t opened[2][MORPH_ROWS * MORPH_WORDS]; /* used before the runs */
    };
    uint32_t first[CCA_TILE_WORDS]; /* first pixels of components */
    union {
        struct {
            Slots<SLOTS> slots;
            uint16_t root[SLOTS];
        };
        uint32_t joins[MAX_TILE_WARPS][2 * WARP]; /* used before the slots: pairs to unite */
    };
    uint32_t n_isolated[MAX_TILE_WARPS];
    uint32_t n_open, n_closed; /* components with slots */
    uint32_t open_base, closed_base, isolated_base;
};

/* Pixel (x, y) of the tile, in 16 bits. */
DEVICE uint32_t run_at(const uint32_t x, const uint32_t y)
{
    return (y + 1) * ROW_STRIDE * 32 + 32 + x;
}

DEVICE uint32_t run_x(const uint32_t run)
{
    return run % (ROW_STRIDE * 32) - 32;
}

DEVICE uint32_t run_y(const uint32_t run)
{
    return run / (ROW_STRIDE * 32) - 1;
}

/* Index of a thread's words in the tables of words. */
template <typename S> DEVICE uint32_t thread_place()
{
    return run_at(threadIdx.x % S::row_lanes * (32 * S::words), threadIdx.x / S::row_lanes) / 32;
}

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

/* The pixels of a run of `word` from this bit to its end. */
DEVICE uint32_t run_from(const uint32_t word, const uint32_t bit)
{
    return word & ~(word + bit);
}

/* Node of the run that contains a bit of a word. */
DEVICE uint32_t node_of(const Tile &tile, const uint32_t place, const uint32_t bit)
{
    const uint32_t base = tile.base[place] & ((1 << BASE_BITS) - 1);
    return base + __popc(tile.starts[place] & ALL_LANES >> (31 - bit)) - 1;
}

#endif /* CCA_CUDA_TILE_CUH */
