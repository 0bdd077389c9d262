/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How a tile lies in shared memory and among the threads of its block. */

#ifndef CCA_CUDA_SINGLE_SHAPE_CUH
#define CCA_CUDA_SINGLE_SHAPE_CUH

#include "../foreground/morphology.cuh"
#include "../tiled/runs.cuh"
#include "tables.h"

namespace single {

/* Open components of a frame, at the most. */
constexpr uint32_t n_nodes = CCA_SINGLE_NODES;

/* Rows of words lie between words of background: `row_stride` words from one to the next, of
 * which `row_margin` come before the first. */
template <uint32_t tile_width, uint32_t tile_rows, uint32_t row_stride, uint32_t row_margin>
struct Shape {
    static constexpr uint32_t width = tile_width, max_rows = tile_rows;
    static constexpr uint32_t row_words = width / 32;
    static constexpr uint32_t stride = row_stride, margin = row_margin;
    static_assert(row_margin + row_words <= row_stride, "");
    static constexpr uint32_t n_places = (max_rows + 2) * stride + margin;
    /* Counts of rows are added up by a warp. */
    static constexpr uint32_t n_counts = (max_rows + WARP - 1) / WARP * WARP;

    /* Components with features: open ones first. No two of those have neighbours on the
     * perimeter, so it bounds their number. */
    static constexpr uint32_t open_slots = (width + max_rows + 15) / 16 * 16, n_slots = 2000;

    /* The borders of a tile, as words of a bit a pixel: upper, lower, left, right. */
    static constexpr uint32_t side_words = (max_rows + 31) / 32;
    static constexpr uint32_t border_words = 2 * row_words + 2 * side_words;
    /* Where contacts are: at those borders, and at the corners. */
    static constexpr uint32_t contact_words = border_words + 1;

    /* Where a word lies in the tables of words; row UINT32_MAX is above the tile. */
    DEVICE uint32_t place_of(const uint32_t column, const uint32_t row)
    {
        return (row + 1) * stride + margin + column;
    }
};

/* In pixels of the tile, or of the region. */
struct Features {
    uint32_t area, sum_x, sum_y, min_x, max_x, max_y;
};

/* Of components of many tiles, whose sums need more than 32 bits: sum_x and sum_y are of the
 * lower halves of what is summed up, and these of the upper ones. */
struct LargeFeatures : Features {
    uint32_t high_x, high_y;
};

/* The word of a run, and those around it. */
struct Word {
    uint32_t row, column, place;
    uint32_t bits, above, left, above_left, right, above_right;
};

/* What a thread of a narrow tile has: a word, which is in the tile if row < rows. */
struct ThreadWord : Word {
    uint32_t nodes;    /* first pixels of the runs that are nodes of this thread */
    uint32_t isolated; /* of those that nothing touches */
    uint32_t height;   /* rows that repeat the word */
    bool repeats;
};

/* What a warp of a wide tile has: a strip of rows. Its runs are in a list from `begin` on:
 * those that are nodes from there, those that nothing touches from the end. */
struct Strip {
    uint32_t row; /* its first one */
    uint32_t begin;
    uint32_t n, n_isolated, n_pairs;
};

/* Tiles of 128 pixels and a word for each thread: quick, and for frames up to about
 * 1920 x 1080. */
struct Narrow : Shape<CCA_SINGLE_WIDTH, CCA_SINGLE_MAX_ROWS, ROW_STRIDE, 1> {
    typedef ThreadWord Part;
    typedef uint16_t Pixel;   /* y * width + x */
    typedef Features Gathered; /* of a frame's components: their sums have 32 bits */
    static constexpr uint32_t max_threads = CCA_SINGLE_MAX_THREADS, shared = CCA_SINGLE_SHARED;
    static constexpr bool always_fits = true;

    /* Nodes of a word's runs have fixed numbers. There are 16 at most; with an odd number the
     * first ones of words lie in different banks. */
    static constexpr uint32_t word_nodes = 17, n_parents = n_nodes;
    static_assert(max_threads * word_nodes <= n_parents, "");
    struct Runs {};
    struct HighSums {};

    /* Where it is opened and closed: the tile's words, with a margin on both sides, and a row
     * more than it depends on above and below. */
    static constexpr uint32_t morph_margin = CCA_MORPH_MAX_HALO_WORDS * WARP;
    static constexpr uint32_t morph_words = row_words + 2 * CCA_MORPH_MAX_HALO_WORDS;
    static constexpr uint32_t morph_rows = max_rows + 2 + 2 * CCA_MORPH_MAX_HALO;
    typedef Morph<max_threads, morph_words, morph_rows> TileMorph;

    /* Where it is counted: each lane has a copy, in a bank of its own, so that regions of one
     * value are as fast as others. */
    struct Counts {
        alignas(16) uint32_t bins[256][WARP];
    };
    union Foreground {
        Counts counts;
        uint32_t opened[2][morph_rows * morph_words];
    };
};

/* Tiles of 256 pixels, four words for each thread, whose runs are listed: up to about
 * 4096 x 2160. */
struct Wide : Shape<CCA_WIDE_WIDTH, CCA_WIDE_MAX_ROWS, CCA_WIDE_WIDTH / 32 + 4, 4> {
    typedef Strip Part;
    typedef uint32_t Pixel;
    typedef LargeFeatures Gathered;
    static constexpr uint32_t max_threads = CCA_WIDE_THREADS, shared = CCA_WIDE_SHARED;
    static constexpr bool always_fits = false;

    static constexpr uint32_t thread_words = 4, row_lanes = row_words / thread_words;
    static constexpr uint32_t strip_rows = WARP / row_lanes;
    static constexpr uint32_t n_strips = max_threads / WARP;
    static_assert(n_strips * strip_rows >= max_rows + 2, "with the rows above and below");
    /* Runs of a strip that there is room for, and pairs of them to unite. */
    static constexpr uint32_t strip_runs = 576, strip_pairs = n_nodes / n_strips;
    static constexpr uint32_t n_parents = n_strips * strip_runs;
    static_assert(n_parents >= n_nodes && n_parents <= UINT16_MAX, "");
    struct Runs {
        uint16_t runs[n_parents];
    };
    struct HighSums {
        uint32_t x[open_slots], y[open_slots];
    };
    struct Foreground {};
};

} // namespace single

#endif /* CCA_CUDA_SINGLE_SHAPE_CUH */
