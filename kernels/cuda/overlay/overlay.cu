/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the GPU. A block has a tile of the picture and finds the commands that touch
 * it; each of its warps has a part of the tile, and finds of those the ones that touch the
 * part. Each lane then walks these in order for the samples that are its own: nothing races
 * where boxes cross, and a sample is loaded and stored once. Most parts have none. */

#include "../../overlay/pixel.h"
#include "tables.h"

#define WARP_LANES 32
#define WARPS (CCA_OVERLAY_THREADS / WARP_LANES)

/* The pixels of a warp, whole cells. */
#define PART_WIDTH 32
#define PART_HEIGHT 8
#define PARTS_IN_ROW (CCA_OVERLAY_TILE_WIDTH / PART_WIDTH)
static_assert(PARTS_IN_ROW * (CCA_OVERLAY_TILE_HEIGHT / PART_HEIGHT) == WARPS,
              "a part of the tile for each warp");

struct OverlayTile {
    int32_t x0, y0, x1, y1;
};

/* A command that touches a part, and those of its points that do. */
struct OverlayHit {
    uint32_t command, first, n;
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
 * The first one that is left stands for itself alone. By a warp. */
INLINE bool shorten(OverlayHit &hit, const int32_t thickness, const uint32_t *const words,
                    const OverlayTile &tile)
{
    const int32_t *const points = (const int32_t *) words + hit.first;
    uint32_t first = hit.n, last = 0;
    for (uint32_t base = 0; base < hit.n; base += WARP_LANES) {
        const uint32_t i = base + threadIdx.x % WARP_LANES;
        const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
        const uint32_t near = __ballot_sync(
            0xffffffffu, i < hit.n && is_near_segment(a, b, thickness, tile.x0, tile.y0,
                                                      tile.x1, tile.y1));
        if (near == 0)
            continue;
        first = first < hit.n ? first : base + (uint32_t) __ffs((int32_t) near) - 1;
        last = base + WARP_LANES - 1 - (uint32_t) __clz((int32_t) near);
    }
    if (first == hit.n)
        return false;
    const uint32_t begin = first > 0 ? first - 1 : 0;
    hit.first += 2 * begin;
    hit.n = last - begin + 1;
    return true;
}

/* Which of the next commands, one a thread, touch the tile, in order. Returns how many. By a
 * whole block, parts of which may still draw those of before: nothing is listed until all
 * are here. */
INLINE uint32_t list_commands(const CcaOverlayCommand *const commands, const uint32_t first,
                              const uint32_t n, const OverlayTile &tile,
                              CcaOverlayCommand *const list)
{
    __shared__ uint32_t counts[WARPS];
    const uint32_t i = first + threadIdx.x;
    const uint32_t warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    const bool is_hit = i < n && touches(&commands[i], tile);
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
        list[before + (uint32_t) __popc(ballot & ((1u << lane) - 1))] = commands[i];
    __syncthreads();
    return all;
}

/* Which of the next commands of the list, one a lane, touch the part, in order. Returns how
 * many. */
INLINE uint32_t list_hits(const CcaOverlayCommand *const list, const uint32_t *const words,
                          const uint32_t first, const uint32_t n, const OverlayTile &part,
                          OverlayHit *const hits)
{
    const uint32_t lane = threadIdx.x % WARP_LANES, i = first + lane;
    uint32_t left = __ballot_sync(0xffffffffu, i < n && touches(&list[i], part)), n_hits = 0;
    for (; left != 0; left &= left - 1) {
        const uint32_t command = first + (uint32_t) __ffs((int32_t) left) - 1;
        const CcaOverlayCommand *const c = &list[command];
        OverlayHit hit = { command, c->first, c->n };
        if (c->kind == CCA_OVERLAY_PATH &&
            !shorten(hit, (int32_t) c->thickness, words, part))
            continue;
        if (lane == 0)
            hits[n_hits] = hit;
        n_hits++;
    }
    __syncwarp();
    return n_hits;
}

/* The channels from the first on that have cells of the same size, at one cell. */
INLINE void draw_cell(const CcaOverlayPicture &picture, const CcaOverlayGlyphs &glyphs,
                      const CcaOverlayCommand *const list, const OverlayHit *const hits,
                      const uint32_t n_hits, const uint32_t *const words,
                      const uint32_t first, const uint32_t n, const int32_t x, const int32_t y)
{
    const CcaOverlayChannel *const channels = &picture.channels[first];
    uint32_t values[CCA_OVERLAY_MAX_CHANNELS];
    bool is_drawn = false;
    for (uint32_t h = 0; h < n_hits; h++) {
        CcaOverlayCommand c = list[hits[h].command];
        c.first = hits[h].first;
        c.n = hits[h].n;
        const uint32_t alpha = cell_alpha(&picture, &glyphs, &c, words, channels, x, y);
        if (alpha == 0)
            continue;
        for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
            if (i >= n)
                break;
            if (!is_drawn)
                values[i] = load_value(&picture, sample_at(&channels[i], x, y));
            values[i] = blend(alpha, c.colour[first + i], values[i]);
        }
        is_drawn = true;
    }
    for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
        if (is_drawn && i < n)
            store_value(&picture, sample_at(&channels[i], x, y), values[i]);
    }
}

/* By a warp. */
INLINE void draw_part(const CcaOverlayPicture &picture, const CcaOverlayGlyphs &glyphs,
                      const CcaOverlayCommand *const list, const OverlayHit *const hits,
                      const uint32_t n_hits, const uint32_t *const words,
                      const OverlayTile &part)
{
    for (uint32_t first = 0, n; first < picture.n_channels; first += n) {
        const uint32_t cell_x = picture.channels[first].cell_x;
        const uint32_t cell_y = picture.channels[first].cell_y;
        const uint32_t columns = PART_WIDTH >> cell_x, rows = PART_HEIGHT >> cell_y;
        n = alike_channels(&picture, first);
        for (uint32_t i = threadIdx.x % WARP_LANES; i < columns * rows; i += WARP_LANES)
            draw_cell(picture, glyphs, list, hits, n_hits, words, first, n,
                      (part.x0 >> cell_x) + (int32_t) (i % columns),
                      (part.y0 >> cell_y) + (int32_t) (i / columns));
    }
}

extern "C" __global__ void __launch_bounds__(CCA_OVERLAY_THREADS, 4)
    cca_overlay_tile(const __grid_constant__ CcaOverlayPicture picture,
                     const __grid_constant__ CcaOverlayGlyphs glyphs,
                     const CcaOverlayCommand *const commands, const uint32_t *const words,
                     const uint32_t n_commands, const uint32_t tiles_in_row)
{
    __shared__ CcaOverlayCommand list[CCA_OVERLAY_THREADS];
    __shared__ OverlayHit hits[WARPS][WARP_LANES];
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const int32_t left = (int32_t) (blockIdx.x % tiles_in_row) * CCA_OVERLAY_TILE_WIDTH;
    const int32_t top = (int32_t) (blockIdx.x / tiles_in_row) * CCA_OVERLAY_TILE_HEIGHT;
    const OverlayTile tile = { left, top, left + CCA_OVERLAY_TILE_WIDTH,
                               top + CCA_OVERLAY_TILE_HEIGHT };
    const int32_t x = left + (int32_t) (warp % PARTS_IN_ROW) * PART_WIDTH;
    const int32_t y = top + (int32_t) (warp / PARTS_IN_ROW) * PART_HEIGHT;
    const OverlayTile part = { x, y, x + PART_WIDTH, y + PART_HEIGHT };

    for (uint32_t base = 0; base < n_commands; base += CCA_OVERLAY_THREADS) {
        const uint32_t n = list_commands(commands, base, n_commands, tile, list);
        for (uint32_t first = 0; first < n; first += WARP_LANES) {
            const uint32_t n_hits = list_hits(list, words, first, n, part, hits[warp]);
            if (n_hits > 0)
                draw_part(picture, glyphs, list, hits[warp], n_hits, words, part);
            __syncwarp();
        }
    }
}
