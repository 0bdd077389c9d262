/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Layout of a tile in shared memory, and its distribution to the threads of the block. */

#ifndef CCA_CUDA_SINGLE_SHAPE_CUH
#define CCA_CUDA_SINGLE_SHAPE_CUH

#include "../foreground/morphology.cuh"
#include "../tiled/runs.cuh"
#include "../tables/single.h"

namespace single
{

/* Maximum number of open components of a frame. */
constexpr uint32_t n_nodes = CCA_SINGLE_NODES;

/* Words of background separate the rows. Rows are `row_stride` words apart, and `row_margin` words
 * precede each row. */
template <uint32_t tile_width, uint32_t tile_rows, uint32_t row_stride, uint32_t row_margin>
struct Shape {
    static constexpr uint32_t width = tile_width, max_rows = tile_rows;
    static constexpr uint32_t row_words = width / 32;
    static constexpr uint32_t stride = row_stride, margin = row_margin;
    static_assert(row_margin + row_words <= row_stride, "");
    static constexpr uint32_t n_places = (max_rows + 2) * stride + margin;
    /* A multiple of 32, because a warp sums up the counts of rows. */
    static constexpr uint32_t n_counts = (max_rows + WARP - 1) / WARP * WARP;

    /* Slots for components with features, open ones first. Open components are not neighbours on
     * the perimeter, which bounds their number. */
    static constexpr uint32_t open_slots = (width + max_rows + 15) / 16 * 16, n_slots = 2000;

    /* The borders of a tile, as words of one bit per pixel: upper, lower, left, right. */
    static constexpr uint32_t side_words = (max_rows + 31) / 32;
    static constexpr uint32_t border_words = 2 * row_words + 2 * side_words;
    /* Contacts are at the borders, and, in one more word, at the corners. */
    static constexpr uint32_t contact_words = border_words + 1;

    /* Index of a word in the tables of words. Row UINT32_MAX is above the tile. */
    DEVICE uint32_t word_index(const uint32_t column, const uint32_t row)
    {
        return (row + 1) * stride + margin + column;
    }
};

/* Features in pixels of the tile or of the region. */
struct Features {
    uint32_t area, sum_x, sum_y, min_x, max_x, max_y;
};

/* Features of components of many tiles, whose sums need more than 32 bits. sum_x and sum_y sum up
 * the lower halves of the tiles' sums, high_x and high_y the upper halves. */
struct LargeFeatures : Features {
    uint32_t high_x, high_y;
};

/* The word of a run, and the words around it. */
struct Word {
    uint32_t row, column, place;
    uint32_t bits, above, left, above_left, right, above_right;
};

/* The word of a thread in a narrow tile. It is inside the tile if row < rows. */
struct ThreadWord : Word {
    uint32_t nodes;    /* first pixels of the runs that are nodes of this thread */
    uint32_t isolated; /* first pixels of runs that touch no other */
    uint32_t height;   /* number of consecutive rows with this word, from this row */
    bool repeats;
};

/* The strip of rows of a warp in a wide tile. Its runs are in a list that starts at `begin`: runs
 * that are nodes from there on, runs that touch no other from the end down. */
struct Strip {
    uint32_t row; /* the first row */
    uint32_t begin;
    uint32_t n, n_isolated, n_pairs;
};

/* Tiles 128 pixels wide, with one word for each thread. They are faster than wide tiles, but hold
 * only frames up to about 1920 x 1080. */
struct Narrow : Shape<CCA_SINGLE_WIDTH, CCA_SINGLE_MAX_ROWS, ROW_STRIDE, 1> {
    typedef ThreadWord Part;
    typedef uint16_t Pixel;    /* y * width + x */
    typedef Features Gathered; /* features of the frame's components; sums fit 32 bits */
    static constexpr uint32_t max_threads = CCA_SINGLE_MAX_THREADS, shared = CCA_SINGLE_SHARED;
    static constexpr bool always_fits = true;

    /* The nodes of a word have fixed numbers. There are at most 16; 17, an odd number, puts the
     * first nodes of the words into different banks. */
    static constexpr uint32_t word_nodes = 17, n_parents = n_nodes;
    static_assert(max_threads * word_nodes <= n_parents, "");
    struct Runs {
    };
    struct HighSums {
    };

    /* Part of the mask for opening and closing: the tile's words with a margin on both sides, and
     * the halo rows plus one row above and below. */
    static constexpr uint32_t morph_margin = CCA_MORPH_MAX_HALO_WORDS * WARP;
    static constexpr uint32_t morph_words = row_words + 2 * CCA_MORPH_MAX_HALO_WORDS;
    static constexpr uint32_t morph_rows = max_rows + 2 + 2 * CCA_MORPH_MAX_HALO;
    typedef Morph<max_threads, morph_words, morph_rows> TileMorph;

    /* Histogram: each lane counts in its own copy in its own bank, so that uniform regions cause no
     * conflicts. */
    struct Counts {
        alignas(16) uint32_t bins[256][WARP];
    };
    union Foreground {
        Counts counts;
        uint32_t opened[2][morph_rows * morph_words];
    };
};

/* Tiles 256 pixels wide, with four words for each thread and a list of runs. They hold frames up
 * to about 4096 x 2160. */
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
    /* Maximum number of runs of a strip, and of pairs to unite. */
    static constexpr uint32_t strip_runs = 576, strip_pairs = n_nodes / n_strips;
    static constexpr uint32_t n_parents = n_strips * strip_runs;
    static_assert(n_parents >= n_nodes && n_parents <= UINT16_MAX, "");
    struct Runs {
        uint16_t runs[n_parents];
    };
    struct HighSums {
        uint32_t x[open_slots], y[open_slots];
    };
    struct Foreground {
    };
};

} // namespace single

#endif /* CCA_CUDA_SINGLE_SHAPE_CUH */
