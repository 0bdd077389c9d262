/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* From a frame, or its mask, to the bits of a tile and those around it. */

#ifndef CCA_CUDA_SMALL_LOAD_CUH
#define CCA_CUDA_SMALL_LOAD_CUH

#include "open.cuh"

namespace small {

/* Bits 0, 4, ... 28 of x, beside each other. */
DEVICE uint8_t every_fourth(uint32_t x)
{
    x &= 0x11111111u;
    x = (x | x >> 3) & 0x03030303u;
    x = (x | x >> 6) & 0x000f000fu;
    return (uint8_t) (x | x >> 12);
}

/* The left and right border, a byte for the 8 rows of each warp; `left` and `right` are
 * the pixels outside beside the thread's word. By all threads. */
DEVICE void write_sides(Tile &tile, const bool in_tile, const uint32_t bits, const bool left,
                        const bool right)
{
    const uint32_t warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const uint32_t outer_left = __ballot_sync(ALL_LANES, in_tile && left);
    const uint32_t inner_left = __ballot_sync(ALL_LANES, in_tile && bits & 1);
    const uint32_t inner_right = __ballot_sync(ALL_LANES, in_tile && bits >> 31);
    const uint32_t outer_right = __ballot_sync(ALL_LANES, in_tile && right);
    uint8_t *const before_left = (uint8_t *) (tile.before + border_begin(LEFT));
    uint8_t *const after_left = (uint8_t *) (tile.after + border_begin(LEFT));
    uint8_t *const before_right = (uint8_t *) (tile.before + border_begin(RIGHT));
    uint8_t *const after_right = (uint8_t *) (tile.after + border_begin(RIGHT));
    if (lane == 0) { /* the words of a row have every fourth lane */
        before_left[warp] = every_fourth(outer_left);
        after_left[warp] = every_fourth(inner_left);
        before_right[warp] = every_fourth(inner_right >> (row_words - 1));
        after_right[warp] = every_fourth(outer_right >> (row_words - 1));
    }
    const uint32_t rest = blockDim.x / WARP + lane;
    if (warp == 0 && rest < side_words * 4)
        before_left[rest] = after_left[rest] = before_right[rest] = after_right[rest] = 0;
}

/* Fills the tile's bits and borders. Threads past the tile's rows have the row above it
 * and then the one below, for the borders alone. What is not opened load(column, x, y)
 * reads. */
template <typename Sample, Opening opening, typename Load>
DEVICE Word load_tile(Tile &tile, const CudaImage &image, const Place &place, const Load load)
{
    Word w = {};
    w.row = threadIdx.x / row_words;
    w.column = threadIdx.x % row_words;
    w.place = run_at(w.column * 32, w.row) / 32;
    const bool in_tile = w.row < place.rows, is_above = w.row == place.rows;
    const bool is_below = w.row == place.rows + 1;
    const bool first = w.column == 0, last = w.column == row_words - 1;
    /* above the first row there is none: y is more than any height */
    const uint32_t y = in_tile ? place.y0 + w.row : is_above ? place.y0 - 1 :
                                                               place.y0 + place.rows;
    const uint32_t x = place.x0 + w.column * 32;
    const bool inside =
        (in_tile || is_above || is_below) && y < image.height && x < image.width;
    Loaded loaded = {};
    if (is_opened<opening>(image)) {
        const TileMorph m = open_tile<Sample>(tile, image, place);
        if (inside)
            loaded = opened_word(m, w.column, x, in_tile ? w.row + 1 : is_below ? w.row : 0);
    } else if (inside) {
        loaded = load(w.column, x, y);
    }
    w.bits = loaded.bits;
    const bool left = loaded.left, right = loaded.right;
    write_sides(tile, in_tile, w.bits, left, right);

    if (in_tile) {
        if (w.row == 0)
            tile.after[border_begin(UPPER) + w.column] = w.bits;
        if (w.row == place.rows - 1)
            tile.before[border_begin(LOWER) + w.column] = w.bits;
    } else if (is_above || is_below) {
        if (is_above)
            tile.before[border_begin(UPPER) + w.column] = w.bits;
        else
            tile.after[border_begin(LOWER) + w.column] = w.bits;
        if (first)
            tile.outer_corner[2 * is_below] = left;
        if (last)
            tile.outer_corner[2 * is_below + 1] = right;
        w.bits = 0; /* of the tile's own rows there is none */
        w.place = run_at(w.column * 32, is_above ? UINT32_MAX : place.rows) / 32;
    }
    if (w.row < place.rows + 2) {
        tile.bits[w.place] = w.bits;
        if (first)
            tile.bits[w.place - 1] = 0;
        if (last)
            tile.bits[w.place + 1] = 0;
    }
    return w;
}

} // namespace small

#endif /* CCA_CUDA_SMALL_LOAD_CUH */
