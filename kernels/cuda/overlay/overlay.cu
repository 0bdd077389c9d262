/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the GPU. A block has a tile of the picture and finds the commands that touch
 * it; each of its warps has a part of the tile, and finds of those the ones that touch the
 * part: most parts have none. A lane has a column of the part, and draws one command after
 * the other on the samples of its own: nothing races where boxes cross. */

#include "../../overlay/pixel.h"
#include "tables.h"

#define WARP_LANES 32
#define WARPS (CCA_OVERLAY_THREADS / WARP_LANES)

/* The pixels of a warp, whole cells. */
#define PART_WIDTH 32
#define PART_HEIGHT 8
#define PARTS_IN_ROW (CCA_OVERLAY_TILE_WIDTH / PART_WIDTH)
static_assert(PART_WIDTH == WARP_LANES, "a column of the part for each lane");
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

/* Which rows of a lane's column a path covers: a bit each. */
INLINE uint32_t path_rows(const CcaOverlayCommand &c, const OverlayHit &hit,
                          const uint32_t *const words, const int32_t x, const int32_t y)
{
    const int32_t *const points = (const int32_t *) words + hit.first;
    const int32_t t = (int32_t) c.thickness;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < hit.n; i++) {
        const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
        const int32_t ax = a[0], ay = a[1], bx = b[0], by = b[1];
#pragma unroll
        for (int32_t r = 0; r < PART_HEIGHT; r++) {
            if (is_on_path(x, y + r, ax, ay, bx, by, t))
                rows |= 1u << r;
        }
    }
    return rows;
}

/* The alphas of a lane's column, from (x, y) downwards. */
INLINE void column_alphas(const CcaOverlayPicture &picture, const CcaOverlayGlyphs &glyphs,
                          const CcaOverlayCommand &c, const OverlayHit &hit,
                          const uint32_t *const words, const int32_t x, const int32_t y,
                          uint32_t (&alphas)[PART_HEIGHT])
{
    const int32_t x0 = at_least(c.x0, (int32_t) picture.x0);
    const int32_t x1 = at_most(c.x1, (int32_t) picture.x1);
    const int32_t y0 = at_least(c.y0, (int32_t) picture.y0);
    const int32_t y1 = at_most(c.y1, (int32_t) picture.y1);
    const bool is_path = c.kind == CCA_OVERLAY_PATH, is_between = x >= x0 && x < x1;
    const uint32_t rows = is_path ? path_rows(c, hit, words, x, y) : 0;
#pragma unroll
    for (int32_t r = 0; r < PART_HEIGHT; r++) {
        alphas[r] = 0;
        if (!is_between || y + r < y0 || y + r >= y1)
            continue;
        alphas[r] = is_path ? (rows >> r & 1) * c.alpha :
                              pixel_alpha(&c, words, &glyphs, x, y + r);
    }
}

/* Leaves in each lane and row the greatest alpha of the cell that has it. */
INLINE void widen(uint32_t (&alphas)[PART_HEIGHT], const uint32_t cell_x, const uint32_t cell_y)
{
#pragma unroll
    for (uint32_t r = 0; r < PART_HEIGHT; r++) {
        for (uint32_t lanes = 1; lanes < 1u << cell_x; lanes *= 2) {
            const uint32_t other = __shfl_xor_sync(0xffffffffu, alphas[r], lanes);
            alphas[r] = alphas[r] > other ? alphas[r] : other;
        }
    }
#pragma unroll
    for (uint32_t rows = 1; rows < PART_HEIGHT; rows *= 2) {
        if (rows >= 1u << cell_y)
            break;
#pragma unroll
        for (uint32_t r = 0; r < PART_HEIGHT; r += 2 * rows)
            alphas[r] = alphas[r] > alphas[r + rows] ? alphas[r] : alphas[r + rows];
    }
}

/* The samples of a lane, those of the cells that begin at its pixels, and which of them have
 * been drawn on: a bit for each row. All are loaded before the first one is waited for. */
struct OverlaySamples {
    uint32_t values[CCA_OVERLAY_MAX_CHANNELS][PART_HEIGHT];
    uint32_t drawn[CCA_OVERLAY_MAX_CHANNELS];
};

/* Whether a cell begins at the lane's column and that row of the part. */
INLINE bool begins_cell(const CcaOverlayChannel &channel, const uint32_t row)
{
    return (threadIdx.x & ((1u << channel.cell_x) - 1)) == 0 &&
           (row & ((1u << channel.cell_y) - 1)) == 0;
}

INLINE uint8_t *sample_of(const CcaOverlayChannel &channel, const OverlayTile &part,
                          const uint32_t row)
{
    const int32_t x = part.x0 + (int32_t) (threadIdx.x % WARP_LANES);
    return sample_at(&channel, x >> channel.cell_x,
                     (part.y0 + (int32_t) row) >> channel.cell_y);
}

INLINE void load_samples(OverlaySamples &samples, const CcaOverlayPicture &picture,
                         const OverlayTile &part)
{
    const int32_t x = part.x0 + (int32_t) (threadIdx.x % WARP_LANES);
#pragma unroll
    for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
        const CcaOverlayChannel &channel = picture.channels[i];
        samples.drawn[i] = 0;
#pragma unroll
        for (uint32_t r = 0; r < PART_HEIGHT; r++)
            if (i < picture.n_channels && begins_cell(channel, r) &&
                x < (int32_t) picture.x1 && part.y0 + (int32_t) r < (int32_t) picture.y1)
                samples.values[i][r] = load_value(&picture, sample_of(channel, part, r));
    }
}

INLINE void store_samples(const OverlaySamples &samples, const CcaOverlayPicture &picture,
                          const OverlayTile &part)
{
#pragma unroll
    for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
#pragma unroll
        for (uint32_t r = 0; r < PART_HEIGHT; r++)
            if ((samples.drawn[i] >> r & 1) != 0)
                store_value(&picture, sample_of(picture.channels[i], part, r),
                            samples.values[i][r]);
    }
}

/* One command on all samples of the part. By a warp. */
INLINE void draw_command(OverlaySamples &samples, const CcaOverlayPicture &picture,
                         const CcaOverlayGlyphs &glyphs, const CcaOverlayCommand &c,
                         const OverlayHit &hit, const uint32_t *const words,
                         const OverlayTile &part)
{
    uint32_t alphas[PART_HEIGHT], cell_x = 0, cell_y = 0;
    column_alphas(picture, glyphs, c, hit, words,
                  part.x0 + (int32_t) (threadIdx.x % WARP_LANES), part.y0, alphas);
#pragma unroll
    for (uint32_t i = 0; i < CCA_OVERLAY_MAX_CHANNELS; i++) {
        if (i >= picture.n_channels)
            break;
        const CcaOverlayChannel &channel = picture.channels[i];
        if (channel.cell_x != cell_x || channel.cell_y != cell_y) {
            cell_x = channel.cell_x;
            cell_y = channel.cell_y;
            widen(alphas, cell_x, cell_y);
        }
#pragma unroll
        for (uint32_t r = 0; r < PART_HEIGHT; r++) {
            if (alphas[r] == 0 || !begins_cell(channel, r))
                continue;
            samples.values[i][r] = blend(alphas[r], c.colour[i], samples.values[i][r]);
            samples.drawn[i] |= 1u << r;
        }
    }
}

extern "C" __global__ void __launch_bounds__(CCA_OVERLAY_THREADS, 3)
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
            if (n_hits > 0) {
                OverlaySamples samples;
                load_samples(samples, picture, part);
                for (uint32_t h = 0; h < n_hits; h++)
                    draw_command(samples, picture, glyphs, list[hits[warp][h].command],
                                 hits[warp][h], words, part);
                store_samples(samples, picture, part);
            }
            __syncwarp();
        }
    }
}
