/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The tile of a block in shared memory. A thread has one word of the bit mask, four
 * neighbours a row; words lie between words of background as in the tiled algorithm. */

#ifndef CCA_CUDA_SMALL_TILE_CUH
#define CCA_CUDA_SMALL_TILE_CUH

#include "../emit/tables.h"
#include "../foreground/morphology.cuh"
#include "../tiled/runs.cuh"
#include "tables.h"

namespace small {

constexpr uint32_t none = UINT32_MAX;
constexpr uint32_t row_words = CCA_SMALL_WIDTH / 32;
constexpr uint32_t max_rows = CCA_SMALL_MAX_ROWS;
constexpr uint32_t n_places = (max_rows + 2) * ROW_STRIDE;
/* Counts of rows are added up by a warp. */
constexpr uint32_t n_counts = (max_rows + WARP - 1) / WARP * WARP;

/* Nodes of a word's runs have fixed numbers. There are 16 at most; with an odd number the
 * first ones of words lie in different banks. */
constexpr uint32_t word_nodes = 17;
constexpr uint32_t n_nodes = CCA_SMALL_NODES;
static_assert(CCA_SMALL_MAX_THREADS * word_nodes <= n_nodes, "");

/* Components with features: open ones first. No two of those have neighbours on the
 * perimeter, so it bounds their number. */
constexpr uint32_t open_slots = 272, n_slots = 2000;
static_assert(CCA_SMALL_WIDTH + max_rows <= open_slots, "");

/* The borders of a tile, as words of a bit a pixel: upper, lower, left, right. */
constexpr uint32_t side_words = (max_rows + 31) / 32;
constexpr uint32_t border_words = 2 * row_words + 2 * side_words;
/* Where contacts are: at those borders, and at the corners. */
constexpr uint32_t contact_words = border_words + 1;

enum Border { UPPER, LOWER, LEFT, RIGHT };

DEVICE uint32_t border_begin(const uint32_t border)
{
    return border == RIGHT ? 2 * row_words + side_words : border * row_words;
}

/* parent[] of a root: that it is open; then its slot. */
constexpr uint32_t is_open = 0x80000000u, has_slot = 0x40000000u;

/* In pixels of the tile, or of the region. */
struct Features {
    uint32_t area, sum_x, sum_y, min_x, max_x, max_y;
};

struct Slots {
    uint32_t area[n_slots], sum_x[n_slots], sum_y[n_slots];
    uint32_t min_x[n_slots], max_x[n_slots], max_y[n_slots];
    uint16_t first[n_slots]; /* pixel, y * width + x of the tile */
};

/* Where it is opened and closed: the tile's words, with a margin on both sides, and a row
 * more than it depends on above and below. */
constexpr uint32_t morph_margin = CCA_MORPH_MAX_HALO_WORDS * WARP;
constexpr uint32_t morph_words = row_words + 2 * CCA_MORPH_MAX_HALO_WORDS;
constexpr uint32_t morph_rows = max_rows + 2 + 2 * CCA_MORPH_MAX_HALO;
typedef Morph<CCA_SMALL_MAX_THREADS, morph_words, morph_rows> TileMorph;

/* Where it is counted: each lane has a copy, in a bank of its own, so that regions of one
 * value are as fast as others. */
struct TileCounts {
    alignas(16) uint32_t bins[256][WARP];
};

struct Tile {
    union {
        TileCounts counts;
        uint32_t opened[2][morph_rows * morph_words];
        uint32_t parent[n_nodes]; /* of the tile's runs, then of the frame's components */
    };
    union {
        uint32_t more[n_nodes];  /* contacts beyond the few of their borders, */
        uint32_t first[n_nodes]; /* then the first pixels of these, */
        uint32_t first_and_area[2][n_nodes / 2]; /* those and areas if areas decide */
    };
    Slots slots;
    uint32_t bits[n_places];
    uint32_t starts[n_places]; /* of the runs that are nodes */
    uint16_t base[n_places];   /* thread of the word; of one that repeats the one above, its */
    uint32_t first_bits[max_rows * row_words]; /* first pixels of components */
    /* Pixels above or left of each border, and below or right of it. */
    alignas(4) uint32_t before[border_words], after[border_words];
    uint32_t outer_corner[4]; /* pixels diagonally outside: upper left, upper right, ... */
    uint32_t n_contacts[contact_words];
    union {
        uint32_t contact[contact_words * 32]; /* root of the component there, or none */
        uint2 crowded[2 * CCA_SMALL_MAX_TILES]; /* then: borders of the frame with more than
                                                 * the few contacts */
    };
    uint32_t row_count[n_counts]; /* components that begin in each row of the tiles beside
                                   * each other, */
    uint32_t row_left[n_counts];  /* and of them those in tiles to the left */
    uint32_t row_rank[n_counts];  /* rank of the row's first one in this tile */
    uint32_t threshold;
    uint64_t grid;
    uint32_t n_numbered; /* components with slots: open << 16 | closed */
    uint32_t n_closed;   /* and with those of one run */
    uint32_t overflows, has_more, is_filled;
    uint32_t open_base;
    uint32_t n_above; /* components that begin above the tile */
    uint32_t n_own;   /* open components that begin in the tile */
    uint32_t n_crowded, n_more;
    uint32_t n_found; /* components of the frame; of the last tile's block */
};

static_assert(sizeof(Tile) <= CCA_SMALL_SHARED, "");

/* Whether not all areas pass. */
DEVICE bool has_filters(const CudaImage &image)
{
    return image.min_area > 1 || image.max_area < (uint64_t) image.width * image.height;
}

/* Open components that there is room for. */
DEVICE uint32_t most_nodes(const CudaImage &image)
{
    return has_filters(image) ? n_nodes / 2 : n_nodes;
}

/* Where a block's tile lies. */
struct Place {
    uint32_t tile, tile_x, tile_y;
    uint32_t x0, y0;
    uint32_t rows;
};

/* The word of a thread: it is in the tile if row < rows. */
struct Word {
    uint32_t row, column, place;
    uint32_t bits, above, left, above_left, right, above_right; /* words */
    uint32_t nodes;    /* first pixels of the runs that are nodes of this thread */
    uint32_t isolated; /* of those that nothing touches */
    uint32_t height;   /* rows that repeat the word */
    bool repeats;
};

DEVICE uint32_t first_node(const uint32_t thread)
{
    return thread * word_nodes;
}

/* Node of the run that holds this bit of a word. */
DEVICE uint32_t node_of(const Tile &tile, const uint32_t place, const uint32_t bit)
{
    return first_node(tile.base[place]) +
           __popc(tile.starts[place] & ALL_LANES >> (31 - bit)) - 1;
}

#ifdef CCA_SIMULATED
DEVICE Tile &shared_tile()
{
    return *(Tile *) simcuda_dynamic_shared();
}
#else
extern __shared__ __align__(16) uint8_t dynamic_shared[];

DEVICE Tile &shared_tile()
{
    return *(Tile *) dynamic_shared;
}
#endif

/* As unite() in common.cuh; both paths are climbed at a time. */
DEVICE void unite_roots(uint32_t *const parent, uint32_t a, uint32_t b)
{
    for (;;) {
        const uint32_t above_a = load_shared(parent + a), above_b = load_shared(parent + b);
        if (above_a == a && above_b == b)
            break;
        a = above_a;
        b = above_b;
    }
    while (a != b) {
        const uint32_t from = max(a, b), to = min(a, b);
        const uint32_t old = atomicMin(parent + from, to);
        a = old == from ? to : old;
        b = to;
    }
}

} // namespace small

#endif /* CCA_CUDA_SMALL_TILE_CUH */
