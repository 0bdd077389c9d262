/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Loads the bits of a narrow tile and of the pixels around it from a frame or its mask. */

#ifndef CCA_CUDA_SINGLE_NARROW_LOAD_CUH
#define CCA_CUDA_SINGLE_NARROW_LOAD_CUH

#include "../open.cuh"

namespace single
{

/* Packs bits 0, 4, ... 28 of x into a byte. */
DEVICE uint8_t every_fourth(uint32_t x)
{
    x &= 0x11111111u;
    x = (x | x >> 3) & 0x03030303u;
    x = (x | x >> 6) & 0x000f000fu;
    return (uint8_t) (x | x >> 12);
}

/* Writes the left and right border, one byte for the 8 rows of each warp. `left` and `right` are
 * the pixels outside the tile beside the thread's word. Called by all threads. */
DEVICE void write_sides(Tile<Narrow> &tile, const bool in_tile, const uint32_t bits,
                        const bool left, const bool right)
{
    const uint32_t warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const uint32_t outer_left = __ballot_sync(ALL_LANES, in_tile && left);
    const uint32_t inner_left = __ballot_sync(ALL_LANES, in_tile && bits & 1);
    const uint32_t inner_right = __ballot_sync(ALL_LANES, in_tile && bits >> 31);
    const uint32_t outer_right = __ballot_sync(ALL_LANES, in_tile && right);
    uint8_t *const before_left = (uint8_t *) (tile.before + border_begin<Narrow>(LEFT));
    uint8_t *const after_left = (uint8_t *) (tile.after + border_begin<Narrow>(LEFT));
    uint8_t *const before_right = (uint8_t *) (tile.before + border_begin<Narrow>(RIGHT));
    uint8_t *const after_right = (uint8_t *) (tile.after + border_begin<Narrow>(RIGHT));
    if (lane == 0) { /* words of the same column are four lanes apart */
        before_left[warp] = every_fourth(outer_left);
        after_left[warp] = every_fourth(inner_left);
        before_right[warp] = every_fourth(inner_right >> (Narrow::row_words - 1));
        after_right[warp] = every_fourth(outer_right >> (Narrow::row_words - 1));
    }
    const uint32_t rest = blockDim.x / WARP + lane;
    if (warp == 0 && rest < Narrow::side_words * 4)
        before_left[rest] = after_left[rest] = before_right[rest] = after_right[rest] = 0;
}

/* Fills the tile's bits and borders, and returns whether the thread has any foreground. Threads
 * past the tile's rows load the rows around it, see frame_row(). Pixels that are not opened are
 * read by load(column, x, y). */
template <typename Sample, Opening opening, typename Load>
DEVICE bool load_tile(Tile<Narrow> &tile, const CudaImage &image, const Place &place,
                      const Load load, ThreadWord &w)
{
    w.row = threadIdx.x / Narrow::row_words;
    w.column = threadIdx.x % Narrow::row_words;
    const uint32_t x = place.x0 + w.column * 32, y = frame_row(place, w.row);
    const bool inside = y < image.height && x < image.width;
    const bool in_tile = w.row < place.rows;
    Loaded loaded = {};
    if (is_opened<opening>(image)) {
        const Narrow::TileMorph m = open_tile<Sample>(tile, image, place);
        if (inside)
            loaded = opened_word(m, w.column, x, y,
                                 in_tile            ? w.row + 1 :
                                 w.row > place.rows ? w.row :
                                                      0);
    } else if (inside) {
        loaded = load(w.column, x, y);
    }
    write_sides(tile, in_tile, loaded.bits, loaded.left, loaded.right);
    store_word(tile, place, w.column, w.row, loaded.bits);
    if (w.row == place.rows || w.row == place.rows + 1) {
        if (w.column == 0)
            tile.outer_corner[2 * (w.row - place.rows)] = loaded.left;
        if (w.column == Narrow::row_words - 1)
            tile.outer_corner[2 * (w.row - place.rows) + 1] = loaded.right;
    }
    w.bits = in_tile ? loaded.bits : 0;
    w.place = Narrow::word_index(w.column, w.row);
    return w.bits != 0;
}

} // namespace single

#endif /* CCA_CUDA_SINGLE_NARROW_LOAD_CUH */
