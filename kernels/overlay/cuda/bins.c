/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Sorts commands in order, and each command by rows of tiles. If a row may not fit, the launch ends
 * and the next one begins with that row. So the commands of a tile are drawn in order, and all
 * segments of a path in a tile by one launch. */

#include <string.h>

#include "../pixel.h"
#include "bins.h"

#define TILE CCA_OVERLAY_TILE
#define WINDOW CCA_OVERLAY_WINDOW

/* Maximum number of words of a path and of a number, and their bytes with the space that may stay
 * empty around them. */
#define PATH_WORDS(n) (CCA_OVERLAY_AT_REST + 1 + 2 * (n))
#define NUMBER_WORDS(n) (CCA_OVERLAY_AT_REST + 2 + ((n) + 3) / 4)
#define MAX_WORDS PATH_WORDS(CCA_OVERLAY_MAX_POINTS + 1)
_Static_assert(MAX_WORDS < 256 && NUMBER_WORDS(CCA_OVERLAY_MAX_DIGITS) < MAX_WORDS,
               "the length of a command is a byte");
#define WITH_REST(n_words) ((n_words) * 4 * 5 / 4)
_Static_assert(MAX_WORDS * 5 < CCA_OVERLAY_PAGE_WORDS, "more of a page may stay empty");
_Static_assert((WITH_REST(MAX_WORDS) + 16) * CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_BYTES &&
                   CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_TILES,
               "a row of tiles does not fit");

/* A rectangle or two points as one value: an operation applies to all four coordinates. */
typedef int32_t Edges __attribute__((vector_size(16)));
typedef uint64_t Pairs __attribute__((vector_size(16)));

/* Pixels of the window, or of a tile. */
typedef struct Rect {
    int32_t x0, y0, x1, y1;
} Rect;

static Rect outside_of(const OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const int32_t x = (int32_t) bins->x, y = (int32_t) bins->y;
    const CcaOverlayPicture *const p = &bins->picture;
    return (Rect) {
        .x0 = imax(imax(c->x0, (int32_t) p->x0) - x, 0),
        .y0 = imax(imax(c->y0, (int32_t) p->y0) - y, 0),
        .x1 = imin(imin(c->x1, (int32_t) p->x1) - x, WINDOW),
        .y1 = imin(imin(c->y1, (int32_t) p->y1) - y, WINDOW),
    };
}

/* --- tiles ---------------------------------------------------------------- */

/* Adds a reference at the end of a tile's list. */
static OverlayRef *add_ref(OverlayBins *const bins, const uint32_t tile)
{
    const uint16_t ref = (uint16_t) ++bins->n_refs;
    if (bins->last[tile] == 0) {
        bins->first[tile] = ref;
        bins->tiles[bins->n_tiles++] = (uint16_t) tile;
    } else {
        bins->refs[bins->last[tile]].next = ref;
    }
    bins->last[tile] = ref;
    bins->refs[ref] = (OverlayRef) { .command = bins->command };
    return &bins->refs[ref];
}

/* Adds the command to all tiles of a row, except those within a box that has only an outline. */
static void add_row(OverlayBins *const bins, const CcaOverlayCommand *const c,
                    const Rect *const outside, const int32_t row)
{
    const int32_t t = (int32_t) c->thickness, top = row * TILE, bottom = top + TILE;
    const int32_t x0 = c->x0 + t - (int32_t) bins->x, x1 = c->x1 - t - (int32_t) bins->x;
    const int32_t y0 = c->y0 + t - (int32_t) bins->y, y1 = c->y1 - t - (int32_t) bins->y;
    const bool may_be_hollow = c->kind == CCA_OVERLAY_BOX && c->inside == 0 &&
                               imax(top, outside->y0) >= y0 && imin(bottom, outside->y1) <= y1;
    for (int32_t column = outside->x0 / TILE; column * TILE < outside->x1; column++) {
        const int32_t left = column * TILE, right = left + TILE;
        if (!may_be_hollow || imax(left, outside->x0) < x0 || imin(right, outside->x1) > x1)
            add_ref(bins, (uint32_t) (row * CCA_OVERLAY_TILES + column));
    }
}

/* Extends the path's range of points in a tile to point `i`. */
static OverlayRef *add_point(OverlayBins *const bins, const uint32_t tile, const uint32_t i)
{
    OverlayRef *ref = &bins->refs[bins->last[tile]];
    if (bins->last[tile] == 0 || ref->command != bins->command) {
        ref = add_ref(bins, tile);
        ref->first = (uint8_t) i;
    }
    ref->n = (uint8_t) (i - ref->first + 1);
    return ref;
}

/* Number of leading points that lie inside the tile, and so far from its edges that the segments
 * between them touch no other tile. */
static uint32_t count_within(const int32_t *const points, const uint32_t n, const Rect *const tile,
                             const int32_t before, const int32_t after)
{
    const int32_t x0 = tile->x0 + before, y0 = tile->y0 + before;
    const int32_t x1 = tile->x1 - after, y1 = tile->y1 - after;
    const Edges least = { x0, y0, x0, y0 }, most = { x1, y1, x1, y1 };
    uint32_t i = 0;
    for (; i + 2 <= n; i += 2) {
        Edges two;
        memcpy(&two, points + 2 * i, sizeof(two));
        const Pairs is_beyond = (Pairs) ((two < least) | (two > most));
        if ((is_beyond[0] | is_beyond[1]) != 0)
            return is_beyond[0] != 0 ? i : i + 1;
    }
    return i < n && points[2 * i] >= x0 && points[2 * i] <= x1 && points[2 * i + 1] >= y0 &&
                   points[2 * i + 1] <= y1 ?
               n :
               i;
}

/* Whether all pixels that a command may draw on are in one tile. */
static bool is_in_one_tile(const CcaOverlayCommand *const c, const Rect *const outside)
{
    return outside->x1 - outside->x0 == c->x1 - c->x0 &&
           outside->y1 - outside->y0 == c->y1 - c->y0 &&
           outside->x0 / TILE == (outside->x1 - 1) / TILE &&
           outside->y0 / TILE == (outside->y1 - 1) / TILE;
}

/* Adds to each tile of these rows the range of segments that covers all those near it. Most
 * segments are in the same tile as the previous one. */
static void add_path(OverlayBins *const bins, const CcaOverlayCommand *const c,
                     const Rect *const outside, const int32_t begin, const int32_t end)
{
    if (is_in_one_tile(c, outside)) {
        const int32_t column = outside->x0 / TILE, row = outside->y0 / TILE;
        add_ref(bins, (uint32_t) (row * CCA_OVERLAY_TILES + column))->n = (uint8_t) c->n;
        return;
    }
    const int32_t *const points = (const int32_t *) bins->list.words + c->first;
    const int32_t before = (int32_t) c->thickness / 2, after = (int32_t) c->thickness - before;
    const int32_t x = (int32_t) bins->x, y = (int32_t) bins->y;
    const int32_t least_y = imax(outside->y0, begin * TILE);
    const int32_t most_y = imin(outside->y1, end * TILE);
    for (uint32_t i = 0; i < c->n; i++) {
        const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
        const int32_t x0 = imax(imin(a[0], b[0]) - before - x, outside->x0);
        const int32_t y0 = imax(imin(a[1], b[1]) - before - y, least_y);
        const int32_t x1 = imin(imax(a[0], b[0]) + after - x, outside->x1);
        const int32_t y1 = imin(imax(a[1], b[1]) + after - y, most_y);
        OverlayRef *ref = NULL;
        Rect tile = { 0, 0, 0, 0 };
        for (int32_t row = y0 / TILE; row * TILE < y1; row++) {
            for (int32_t column = x0 / TILE; column * TILE < x1; column++) {
                ref = add_point(bins, (uint32_t) (row * CCA_OVERLAY_TILES + column), i);
                tile = (Rect) { column * TILE + x, row * TILE + y, (column + 1) * TILE + x,
                                (row + 1) * TILE + y };
            }
        }
        if (ref != NULL && count_within(b, 1, &tile, before, after) == 1) {
            i += count_within(b + 2, c->n - 1 - i, &tile, before, after);
            ref->n = (uint8_t) (i - ref->first + 1);
        }
    }
}

/* Maximum number of words of a command in a tile. */
static uint32_t max_words(const CcaOverlayCommand *const c)
{
    switch (c->kind) {
    case CCA_OVERLAY_BOX: return CCA_OVERLAY_AT_REST + 1;
    case CCA_OVERLAY_PATH: return PATH_WORDS(c->n + 1);
    default: return NUMBER_WORDS(c->n);
    }
}

/* Whether `n` more tiles can have a command of `n_bytes`. */
static bool has_room(const OverlayBins *const bins, const size_t n, const size_t n_bytes)
{
    return bins->n_refs + n <= CCA_OVERLAY_MAX_REFS && bins->n_tiles + n <= CCA_OVERLAY_MAX_TILES &&
           bins->n_bytes + n * n_bytes <= CCA_OVERLAY_MAX_BYTES;
}

/* Adds the next command from the next row on. Returns false if a row does not fit, with which the
 * next launch begins. */
static bool add_command(OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Rect outside = outside_of(bins, c);
    const int32_t end = (outside.y1 + TILE - 1) / TILE;
    const size_t in_row = (size_t) ((outside.x1 - 1) / TILE - outside.x0 / TILE + 1);
    const size_t n_bytes = WITH_REST((size_t) max_words(c)) + 16;
    if (outside.x0 >= outside.x1 || outside.y0 >= outside.y1)
        return true;
    for (int32_t row = imax(bins->row, outside.y0 / TILE), next; row < end; row = next) {
        const uint32_t n_before = bins->n_refs;
        const bool is_last = has_room(bins, in_row * (size_t) (end - row), n_bytes);
        next = is_last ? end : row + 1;
        bins->row = row;
        if (!is_last && !has_room(bins, in_row, n_bytes))
            return false;
        if (c->kind == CCA_OVERLAY_PATH)
            add_path(bins, c, &outside, row, next);
        else
            for (int32_t r = row; r < next; r++)
                add_row(bins, c, &outside, r);
        bins->n_bytes += (bins->n_refs - n_before) * n_bytes;
    }
    return true;
}

/* --- words ---------------------------------------------------------------- */

static uint32_t halves(const int32_t low, const int32_t high)
{
    return ((uint32_t) low & 0xffff) | (uint32_t) high << 16;
}

/* The pixels of a tile that are in the picture, relative to its first pixel. */
typedef struct Tile {
    Edges begin, least, most;
    uint32_t x, y; /* in the picture */
} Tile;

static Tile tile_of(const OverlayBins *const bins, const uint32_t i)
{
    const CcaOverlayPicture *const p = &bins->picture;
    const int32_t x = (int32_t) (bins->x + i % CCA_OVERLAY_TILES * TILE);
    const int32_t y = (int32_t) (bins->y + i / CCA_OVERLAY_TILES * TILE);
    const int32_t x0 = iclip((int32_t) p->x0 - x, 0, TILE);
    const int32_t y0 = iclip((int32_t) p->y0 - y, 0, TILE);
    const int32_t x1 = iclip((int32_t) p->x1 - x, 0, TILE);
    const int32_t y1 = iclip((int32_t) p->y1 - y, 0, TILE);
    return (Tile) {
        .begin = { x, y, x, y },
        .least = { x0, y0, x0, y0 },
        .most = { x1, y1, x1, y1 },
        .x = (uint32_t) x,
        .y = (uint32_t) y,
    };
}

/* A rectangle clipped to the tile and the picture, one coordinate per byte. */
static uint32_t in_tile(const Tile *const tile, Edges edges)
{
    edges -= tile->begin;
    const Edges above = edges > tile->least;
    edges = (edges & above) | (tile->least & ~above);
    const Edges below = edges < tile->most;
    edges = (edges & below) | (tile->most & ~below);
    const Pairs bytes = (Pairs) edges | (Pairs) edges >> 24;
    return (uint32_t) (bytes[0] & 0xffff) | (uint32_t) bytes[1] << 16;
}

/* Writes points, one per word. Returns false if not all of them are near. */
static bool write_near_points(const uint32_t *const points, const uint32_t n, const uint32_t x,
                              const uint32_t y, uint32_t *const to)
{
    const Edges begin = { (int32_t) x, (int32_t) y, (int32_t) x, (int32_t) y };
    Edges all = { 0, 0, 0, 0 };
    uint32_t i = 0;
    for (; i + 2 <= n; i += 2) {
        Edges two;
        memcpy(&two, points + 2 * i, sizeof(two));
        two -= begin;
        all |= two + CCA_OVERLAY_NEAR;
        const Pairs halves = ((Pairs) two & 0xffff) | (Pairs) two >> 32 << 16;
        to[i] = (uint32_t) halves[0];
        to[i + 1] = (uint32_t) halves[1];
    }
    uint32_t far = (uint32_t) (all[0] | all[1] | all[2] | all[3]);
    for (; i < n; i++) {
        const uint32_t right = points[2 * i] - x, down = points[2 * i + 1] - y;
        far |= (right + CCA_OVERLAY_NEAR) | (down + CCA_OVERLAY_NEAR);
        to[i] = (right & 0xffff) | down << 16;
    }
    return far < 2 * CCA_OVERLAY_NEAR;
}

/* Writes the points of the segments near the tile, and the point before them, at which the first
 * segment begins. */
static uint32_t *write_path(OverlayBins *const bins, const CcaOverlayCommand *const c,
                            const OverlayRef *const ref, const uint32_t x, const uint32_t y,
                            uint32_t *const words)
{
    const uint32_t begin = ref->first > 0 ? ref->first - 1u : 0;
    const uint32_t n = ref->first + ref->n - begin;
    const uint32_t *const points = bins->list.words + c->first + 2 * begin;
    uint32_t *to = words + CCA_OVERLAY_AT_REST;
    *to++ = c->thickness;
    if (write_near_points(points, n, x, y, to) && c->thickness <= CCA_OVERLAY_NEAR_THICKNESS)
        return to + n;
    for (uint32_t i = 0; i < n; i++) {
        *to++ = points[2 * i] - x;
        *to++ = points[2 * i + 1] - y;
    }
    words[CCA_OVERLAY_AT_HEAD] += CCA_OVERLAY_FAR_PATH - CCA_OVERLAY_PATH;
    bins->is_far = true;
    return to;
}

static uint32_t *write_number(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                              const uint32_t x, const uint32_t y, uint32_t *const words)
{
    uint32_t *to = words + CCA_OVERLAY_AT_REST;
    *to++ = (uint32_t) c->x0 - x;
    *to++ = (uint32_t) c->y0 - y;
    for (uint32_t i = 0; i < (c->n + 3) / 4; i++)
        *to++ = bins->list.words[c->first + i];
    return to;
}

/* Writes a command for a tile. Returns its number of words. */
static uint32_t write_command(OverlayBins *const bins, const CcaOverlayCommand *const c,
                              const OverlayRef *const ref, const Tile *const tile,
                              uint32_t *const words)
{
    const Edges outside = { c->x0, c->y0, c->x1, c->y1 };
    const int32_t t = (int32_t) c->thickness;
    uint32_t *to = words + CCA_OVERLAY_AT_REST;
    words[CCA_OVERLAY_AT_HEAD] = c->kind | (uint32_t) c->alpha << 8 | c->inside << 16;
    words[CCA_OVERLAY_AT_COLOURS] = halves(c->colour[0], c->colour[bins->swaps ? 2 : 1]);
    words[CCA_OVERLAY_AT_COLOURS + 1] = c->colour[bins->swaps ? 1 : 2];
    words[CCA_OVERLAY_AT_OUTSIDE] = in_tile(tile, outside);
    if (c->kind == CCA_OVERLAY_BOX)
        *to++ = t == 0 ? words[CCA_OVERLAY_AT_OUTSIDE] :
                         in_tile(tile, outside + (Edges) { t, t, -t, -t });
    else if (c->kind == CCA_OVERLAY_PATH)
        to = write_path(bins, c, ref, tile->x, tile->y, words);
    else
        to = write_number(bins, c, tile->x, tile->y, words);
    const uint32_t n = (uint32_t) (to - words);
    words[CCA_OVERLAY_AT_HEAD] |= n << 24;
    return n;
}

/* Writes a tile's commands, the first of which begins a page. Returns their number of words, in
 * whole units. */
static uint32_t write_tile(OverlayBins *const bins, const uint32_t i, uint32_t *const words)
{
    const Tile tile = tile_of(bins, i);
    uint32_t at = 0;
    for (uint32_t r = bins->first[i]; r != 0; r = bins->refs[r].next) {
        const OverlayRef *const ref = &bins->refs[r];
        const CcaOverlayCommand *const c = &bins->list.commands[ref->command];
        if (at % CCA_OVERLAY_PAGE_WORDS + max_words(c) > CCA_OVERLAY_PAGE_WORDS) {
            words[at] = CCA_OVERLAY_END;
            at = (at / CCA_OVERLAY_PAGE_WORDS + 1) * CCA_OVERLAY_PAGE_WORDS;
        }
        at += write_command(bins, c, ref, &tile, words + at);
    }
    if (at % CCA_OVERLAY_UNIT_WORDS != 0)
        words[at] = CCA_OVERLAY_END;
    return (at + CCA_OVERLAY_UNIT_WORDS - 1) / CCA_OVERLAY_UNIT_WORDS * CCA_OVERLAY_UNIT_WORDS;
}

/* --- launches ------------------------------------------------------------- */

void cca_overlay_bins_write(OverlayBins *const bins, uint32_t *const words,
                            CcaOverlayWindow *const window)
{
    uint32_t at = 0;
    window->picture = bins->picture;
    window->x = bins->x;
    window->y = bins->y;
    window->n_tiles = bins->n_tiles;
    bins->is_far = false;
    for (uint32_t i = 0; i < bins->n_tiles; i++) {
        const uint16_t tile = bins->tiles[i];
        window->tiles[i] = tile | at / CCA_OVERLAY_UNIT_WORDS << 16;
        at += write_tile(bins, tile, words + at);
        bins->last[tile] = 0;
    }
    window->tiles[bins->n_tiles] = at / CCA_OVERLAY_UNIT_WORDS << 16;
    bins->n_refs = bins->n_tiles = 0;
    bins->n_bytes = 0;
}

/* Adds the remaining commands of a window, as far as they fit. */
static void fill(OverlayBins *const bins)
{
    while (bins->command < bins->list.n_commands &&
           add_command(bins, &bins->list.commands[bins->command])) {
        bins->command++;
        bins->row = 0;
    }
}

static bool next_window(OverlayBins *const bins)
{
    bins->command = 0;
    bins->row = 0;
    bins->x += WINDOW;
    if (bins->x >= bins->picture.x1) {
        bins->x = bins->picture.x0 / WINDOW * WINDOW;
        bins->y += WINDOW;
    }
    return bins->y < bins->picture.y1;
}

bool cca_overlay_bins_next(OverlayBins *const bins)
{
    do {
        fill(bins);
        if (bins->n_tiles > 0)
            return true;
    } while (next_window(bins));
    return false;
}

bool cca_overlay_bins_are_nv12(const CcaOverlayPicture *const p)
{
    const CcaOverlayChannel *const y = &p->channels[0], *const u = &p->channels[1];
    const CcaOverlayChannel *const v = &p->channels[2];
    const uintptr_t first = (uintptr_t) u->data, second = (uintptr_t) v->data;
    const uintptr_t chroma = umin64(first, second);
    const uint64_t all = (uintptr_t) y->data | chroma | y->stride | u->stride | p->x0 | p->x1;
    return p->n_channels == 3 && p->sample_size == 1 && p->depth == 8 && p->shift == 0 &&
           y->step == 1 && u->step == 2 && v->step == 2 && y->cell_x == 0 && y->cell_y == 0 &&
           u->cell_x == 1 && u->cell_y == 1 && v->cell_x == 1 && v->cell_y == 1 &&
           u->stride == v->stride && first + second == 2 * chroma + 1 && all % 4 == 0;
}

void cca_overlay_bins_begin(OverlayBins *const bins, const CcaOverlayPicture *const picture,
                            const CcaOverlayList *const list)
{
    /* a launch that was found last, but not written */
    for (uint32_t i = 0; i < bins->n_tiles; i++)
        bins->last[bins->tiles[i]] = 0;
    bins->n_refs = bins->n_tiles = 0;
    bins->n_bytes = 0;
    bins->picture = *picture;
    bins->list = *list;
    bins->x = picture->x0 / WINDOW * WINDOW;
    bins->y = picture->y0 / WINDOW * WINDOW;
    bins->command = 0;
    bins->row = 0;
    /* NV21 is NV12 with the chroma samples swapped */
    bins->swaps = cca_overlay_bins_are_nv12(picture) &&
                  picture->channels[2].data < picture->channels[1].data;
    if (bins->swaps) {
        bins->picture.channels[1] = picture->channels[2];
        bins->picture.channels[2] = picture->channels[1];
    }
}
