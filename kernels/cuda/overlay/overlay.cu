/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the GPU. A block has a tile of the picture, finds the commands that touch it,
 * and each of its threads walks them in order for the samples that are its own: nothing races
 * where boxes cross, and a sample is loaded and stored once. */

#include "../../overlay/pixel.h"
#include "tables.h"

#define WARP_LANES 32
#define WARPS (CCA_OVERLAY_THREADS / WARP_LANES)

struct OverlayTile {
    int32_t x0, y0, x1, y1;
};

/* Not within an outline that is drawn alone. */
INLINE bool touches(const CcaOverlayCommand *const c, const OverlayTile &tile)
{
    if (c->x0 >= tile.x1 || c->x1 <= tile.x0 || c->y0 >= tile.y1 || c->y1 <= tile.y0)
        return false;
    if (c->kind != CCA_OVERLAY_BOX || c->inside != 0)
        return true;
    const int32_t t = (int32_t) c->thickness;
    return c->x0 + t > tile.x0 || c->x1 - t < tile.x1 || c->y0 + t > tile.y0 ||
           c->y1 - t < tile.y1;
}

/* Leaves of a path those points between which it may touch the tile; whether there are any.
 * The first one that is left stands for itself alone. */
INLINE bool shorten(CcaOverlayCommand &c, const uint32_t *const words, const OverlayTile &tile)
{
    const int32_t *const points = (const int32_t *) words + c.first;
    uint32_t first = c.n, last = 0;
    for (uint32_t i = 0; i < c.n; i++) {
        const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
        if (is_near_segment(a, b, (int32_t) c.thickness, tile.x0, tile.y0, tile.x1, tile.y1)) {
            first = first < i ? first : i;
            last = i;
        }
    }
    if (first == c.n)
        return false;
    const uint32_t begin = first > 0 ? first - 1 : 0;
    c.first += 2 * begin;
    c.n = last - begin + 1;
    return true;
}

/* Which of the next commands, one a thread, touch the tile, in order. Returns how many. By a
 * whole block, parts of which may still draw those of before: nothing is listed until all
 * are here. */
INLINE uint32_t list_hits(const CcaOverlayCommand *const commands, const uint32_t *const words,
                          const uint32_t first, const uint32_t n, const OverlayTile &tile,
                          CcaOverlayCommand *const hits)
{
    __shared__ uint32_t counts[WARPS];
    const uint32_t i = first + threadIdx.x;
    const uint32_t warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    CcaOverlayCommand c;
    bool is_hit = false;
    if (i < n) {
        c = commands[i];
        is_hit = touches(&c, tile) &&
                 (c.kind != CCA_OVERLAY_PATH || shorten(c, words, tile));
    }
    const uint32_t ballot = __ballot_sync(0xffffffffu, is_hit);
    if (lane == 0)
        counts[warp] = (uint32_t) __popc(ballot);
    __syncthreads();
    uint32_t before = 0, all = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
        before += w < warp ? counts[w] : 0;
        all += counts[w];
    }
    if (is_hit)
        hits[before + (uint32_t) __popc(ballot & ((1u << lane) - 1))] = c;
    __syncthreads();
    return all;
}

/* The channels from the first on that have cells of the same size, at one cell. */
INLINE void draw_cell(const CcaOverlayPicture &picture, const CcaOverlayGlyphs &glyphs,
                      const CcaOverlayCommand *const hits, const uint32_t n_hits,
                      const uint32_t *const words, const uint32_t first, const uint32_t n,
                      const int32_t x, const int32_t y)
{
    const CcaOverlayChannel *const channels = &picture.channels[first];
    uint32_t values[CCA_OVERLAY_MAX_CHANNELS];
    bool is_drawn = false;
    for (uint32_t h = 0; h < n_hits; h++) {
        const CcaOverlayCommand *const c = &hits[h];
        const uint32_t alpha = cell_alpha(&picture, &glyphs, c, words, channels, x, y);
        if (alpha == 0)
            continue;
        for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
            if (i >= n)
                break;
            if (!is_drawn)
                values[i] = load_value(&picture, sample_at(&channels[i], x, y));
            values[i] = blend(alpha, c->colour[first + i], values[i]);
        }
        is_drawn = true;
    }
    for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
        if (is_drawn && i < n)
            store_value(&picture, sample_at(&channels[i], x, y), values[i]);
    }
}

extern "C" __global__ void __launch_bounds__(CCA_OVERLAY_THREADS, 4)
    cca_overlay_tile(const __grid_constant__ CcaOverlayPicture picture,
                     const __grid_constant__ CcaOverlayGlyphs glyphs,
                     const CcaOverlayCommand *const commands, const uint32_t *const words,
                     const uint32_t n_commands, const uint32_t tiles_in_row)
{
    __shared__ CcaOverlayCommand hits[CCA_OVERLAY_THREADS];
    const int32_t left = (int32_t) (blockIdx.x % tiles_in_row) * CCA_OVERLAY_TILE_WIDTH;
    const int32_t top = (int32_t) (blockIdx.x / tiles_in_row) * CCA_OVERLAY_TILE_HEIGHT;
    const OverlayTile tile = { left, top, left + CCA_OVERLAY_TILE_WIDTH,
                        top + CCA_OVERLAY_TILE_HEIGHT };

    for (uint32_t base = 0; base < n_commands; base += CCA_OVERLAY_THREADS) {
        const uint32_t n_hits = list_hits(commands, words, base, n_commands, tile, hits);
        for (uint32_t first = 0, n; first < picture.n_channels && n_hits > 0; first += n) {
            const uint32_t cell_x = picture.channels[first].cell_x;
            const uint32_t cell_y = picture.channels[first].cell_y;
            const uint32_t columns = CCA_OVERLAY_TILE_WIDTH >> cell_x;
            const uint32_t rows = CCA_OVERLAY_TILE_HEIGHT >> cell_y;
            n = alike_channels(&picture, first);
            for (uint32_t i = threadIdx.x; i < columns * rows; i += CCA_OVERLAY_THREADS)
                draw_cell(picture, glyphs, hits, n_hits, words, first, n,
                          (tile.x0 >> cell_x) + (int32_t) (i % columns),
                          (tile.y0 >> cell_y) + (int32_t) (i / columns));
        }
    }
}
