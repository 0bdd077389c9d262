/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The tile of a block in shared memory. */

#ifndef CCA_CUDA_SINGLE_TILE_CUH
#define CCA_CUDA_SINGLE_TILE_CUH

#include "../compact/records.cuh"
#include "shape.cuh"

namespace single
{

constexpr uint32_t none = UINT32_MAX;

enum Border { UPPER, LOWER, LEFT, RIGHT };

template <typename S> DEVICE uint32_t border_begin(const uint32_t border)
{
    return border == RIGHT ? 2 * S::row_words + S::side_words : border * S::row_words;
}

/* Flags in parent[] of a root: its component is open; the other bits are its slot. */
constexpr uint32_t is_open = 0x80000000u, has_slot = 0x40000000u;

template <typename S> struct Slots {
    uint32_t area[S::n_slots], sum_x[S::n_slots], sum_y[S::n_slots];
    uint32_t min_x[S::n_slots], max_x[S::n_slots], max_y[S::n_slots];
    typename S::Pixel first[S::n_slots]; /* y * width + x of the tile */
    typename S::HighSums high;
};

template <typename S> struct Tile {
    union {
        typename S::Foreground foreground;
        uint32_t parent[S::n_parents]; /* of the tile's runs, then of the frame's components */
        RecordStage stages[S::max_threads / WARP];
    };
    union {
        uint32_t pairs[n_nodes]; /* nodes to unite */
        uint32_t more[n_nodes];  /* then contacts beyond CCA_SINGLE_FEW of each border */
        uint32_t first[n_nodes]; /* then first pixels of the frame's components */
        uint32_t first_and_area[2][n_nodes / 2]; /* or first pixels and areas, if filtered */
    };
    Slots<S> slots;
    alignas(16) uint32_t bits[S::n_places];
    alignas(16) uint32_t starts[S::n_places]; /* of the runs that are nodes */
    alignas(8) uint16_t base[S::n_places];    /* see node_of() */
    typename S::Runs list;
    alignas(16) uint32_t first_bits[S::max_rows * S::row_words]; /* first pixels of components */
    /* Pixels above or left of each border (before), and below or right of it (after). */
    alignas(4) uint32_t before[S::border_words], after[S::border_words];
    uint32_t outer_corner[4]; /* pixels diagonally outside: two above, two below the tile */
    uint32_t n_contacts[S::contact_words];
    union {
        uint32_t contact[S::contact_words * 32]; /* root of the component there, or none */
        uint2 crowded[2 * CCA_SINGLE_MAX_TILES]; /* then borders of the frame with more
                                                  * than CCA_SINGLE_FEW contacts */
    };
    uint32_t row_count[S::n_counts]; /* components that begin in each pixel row, in all
                                      * tiles of the row of tiles */
    uint32_t row_left[S::n_counts];  /* the same in tiles to the left only */
    uint32_t row_rank[S::n_counts];  /* rank of the first component of each row in this tile */
    uint32_t threshold;
    uint64_t grid;
    uint32_t n_runs;     /* number of nodes, in wide tiles only */
    uint32_t n_numbered; /* components with slots: open << 16 | closed */
    uint32_t n_closed;   /* closed components, with isolated runs */
    uint32_t overflows, has_more, is_filled;
    uint32_t open_base;
    uint32_t n_above; /* components that begin above the tile */
    uint32_t n_own;   /* open components that begin in the tile */
    uint32_t n_crowded, n_more;
    uint32_t n_found; /* components of the frame; set in the last tile only */
};

static_assert(sizeof(Tile<Narrow>) <= Narrow::shared && sizeof(Tile<Wide>) <= Wide::shared, "");

/* Whether components are rejected by their features. */
DEVICE bool has_filters(const CudaImage &image)
{
    return image.min_area > 1 || image.max_area < (uint64_t) image.width * image.height ||
           image.by_marks;
}

/* Maximum number of open components. */
DEVICE uint32_t max_nodes(const CudaImage &image)
{
    return has_filters(image) ? n_nodes / 2 : n_nodes;
}

/* Position of a block's tile. */
struct Place {
    uint32_t tile, tile_x, tile_y;
    uint32_t x0, y0;
    uint32_t rows;
};

/* Row of the frame for a row of the loads: the tile's rows come first, followed by the row above
 * the tile and the row below it. The row above row 0 of the frame is greater than any height. */
DEVICE uint32_t frame_row(const Place &place, const uint32_t row)
{
    return row < place.rows      ? place.y0 + row :
           row == place.rows     ? place.y0 - 1 :
           row == place.rows + 1 ? place.y0 + place.rows :
                                   UINT32_MAX;
}

/* Stores a word of a row in the order of frame_row(). Rows outside the tile are stored in its
 * borders only: in `bits` background surrounds the tile. */
template <typename S>
DEVICE void store_word(Tile<S> &tile, const Place &place, const uint32_t column, const uint32_t row,
                       const uint32_t bits)
{
    uint32_t at = S::word_index(column, row);
    if (row >= place.rows + 2)
        return;
    if (row == 0)
        tile.after[border_begin<S>(UPPER) + column] = bits;
    if (row == place.rows - 1)
        tile.before[border_begin<S>(LOWER) + column] = bits;
    if (row == place.rows) {
        tile.before[border_begin<S>(UPPER) + column] = bits;
        at = S::word_index(column, UINT32_MAX);
    } else if (row > place.rows) {
        tile.after[border_begin<S>(LOWER) + column] = bits;
        at = S::word_index(column, place.rows);
    }
    tile.bits[at] = row < place.rows ? bits : 0;
    if (column == 0)
        tile.bits[at - 1] = 0;
    if (column == S::row_words - 1)
        tile.bits[at + 1] = 0;
}

/* A word of the tile, and the words around it. */
template <typename S>
DEVICE Word word_at(const Tile<S> &tile, const uint32_t column, const uint32_t row)
{
    const uint32_t p = S::word_index(column, row);
    return { row,
             column,
             p,
             tile.bits[p],
             tile.bits[p - S::stride],
             tile.bits[p - 1],
             tile.bits[p - S::stride - 1],
             tile.bits[p + 1],
             tile.bits[p - S::stride + 1] };
}

/* node_of() returns the node of the run that contains a bit of a word. In narrow tiles base[] is
 * the thread of the word, or of the word above that it repeats. In wide tiles base[] is the first
 * node of that word. */
DEVICE uint32_t first_node(const uint32_t thread)
{
    return thread * Narrow::word_nodes;
}

DEVICE uint32_t node_of(const Tile<Narrow> &tile, const uint32_t place, const uint32_t bit)
{
    return first_node(tile.base[place]) + __popc(tile.starts[place] & ALL_LANES >> (31 - bit)) - 1;
}

DEVICE uint32_t node_of(const Tile<Wide> &tile, const uint32_t place, const uint32_t bit)
{
    return tile.base[place] + __popc(tile.starts[place] & ALL_LANES >> (31 - bit)) - 1;
}

template <typename S> DEVICE Tile<S> &shared_tile()
{
    return *(Tile<S> *) dynamic_shared();
}

/* As unite() in common.cuh, but climbs both paths at the same time. */
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

} // namespace single

#endif /* CCA_CUDA_SINGLE_TILE_CUH */
