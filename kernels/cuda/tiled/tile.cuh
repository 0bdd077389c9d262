/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One tile in shared memory. A warp has a strip of rows, a thread one or two
 * words of the bit mask beside each other; runs are numbered in raster order. */

#ifndef CCA_CUDA_TILE_CUH
#define CCA_CUDA_TILE_CUH

#include "../compact/records.cuh"
#include "../foreground/tables.h"
#include "tables.h"

#define MAX_TILE_WARPS 8

/* How a tile is shared out among the warps of a block. */
template <uint32_t n_warps> struct Shape {
    static constexpr uint32_t warps = n_warps, threads = n_warps * WARP;
    static constexpr uint32_t words = CCA_TILE_WORDS / threads; /* of a thread */
    static constexpr uint32_t row_lanes = CCA_TILE_WIDTH / 32 / words;
    static constexpr uint32_t strip_rows = CCA_TILE_HEIGHT / n_warps;
    static constexpr uint32_t strip_nodes = CCA_TILE_WORDS * 16 / n_warps; /* 16 runs a word */
    static_assert(n_warps <= MAX_TILE_WARPS && row_lanes * strip_rows == WARP, "");
};

/* Words of a row lie in memory between words of background; what place (x, y)
 * of the tile has in a table of words is given by run_at(x, y) / 32. */
#define ROW_STRIDE 8
#define N_PLACES ((CCA_TILE_HEIGHT + 2) * ROW_STRIDE)

#define MAX_NODES (CCA_TILE_WORDS * 16)

/* Components whose features are summed up at a time; a tile with more takes
 * several passes. With no more of them 8 blocks fit into a multiprocessor. */
#define SLOTS 240

/* parent[] of a root, once components are numbered: its number among the open
 * or the closed ones. Open components have the first slots. */
#define ROOT 0x8000u
#define OPEN 0x4000u
#define NUMBER_MASK 0x3fffu
static_assert(MAX_NODES <= OPEN && SLOTS >= CCA_TILE_MAX_OPEN, "");

/* base[] of a word: its first node, and above it the rows that it takes up. */
#define BASE_BITS 12
static_assert(MAX_NODES <= 1 << BASE_BITS, "");

/* area and the sum of rows share a word: they have 14 and 18 bits. */
#define AREA_SHIFT 18
static_assert(CCA_TILE_WIDTH * (CCA_TILE_HEIGHT * (CCA_TILE_HEIGHT - 1) / 2) < 1 << AREA_SHIFT, "");
static_assert((uint64_t) CCA_TILE_WIDTH * CCA_TILE_HEIGHT << AREA_SHIFT <= 1ull << 31, "");

/* What a tile's opening and closing depends on. */
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
    uint16_t base[N_PLACES];   /* of a word that repeats the one above: that one's */
    union {
        struct {
            /* Runs by their first pixel, as in run_at. Of each strip, those that are nodes
             * come first, and the components of one run are counted from the end. */
            uint16_t runs[MAX_NODES];
            alignas(4) uint16_t parent[MAX_NODES]; /* little endian pairs for atomics, too */
        };
        uint32_t opened[2][MORPH_ROWS * MORPH_WORDS]; /* before there are runs */
    };
    uint32_t first[CCA_TILE_WORDS];        /* first pixels of components */
    union {
        struct {
            Slots<SLOTS> slots;
            uint16_t root[SLOTS];
        };
        uint32_t joins[MAX_TILE_WARPS][2 * WARP]; /* before there are slots: pairs to unite */
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

/* Where a thread's words lie in the tables of words. */
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

/* The rest of a run of `word` from this bit on. */
DEVICE uint32_t run_from(const uint32_t word, const uint32_t bit)
{
    return word & ~(word + bit);
}

/* Node of the run that holds this bit of a word. */
DEVICE uint32_t node_of(const Tile &tile, const uint32_t place, const uint32_t bit)
{
    const uint32_t base = tile.base[place] & ((1 << BASE_BITS) - 1);
    return base + __popc(tile.starts[place] & ALL_LANES >> (31 - bit)) - 1;
}

#endif /* CCA_CUDA_TILE_CUH */
