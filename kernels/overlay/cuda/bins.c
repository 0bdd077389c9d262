/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Sorts commands in order, and each command by rows of tiles. If a row may not fit, the launch ends
 * and the next one begins with that row. So the commands of a tile are drawn in order, and all
 * segments of a path in a tile by one launch. */

#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "../pixel.h"
#include "bins.h"

#define TILE CCA_OVERLAY_TILE
#define TILE_BITS 6
_Static_assert(1 << TILE_BITS == TILE, "the size of a tile");
#define WINDOW CCA_OVERLAY_WINDOW

/* Maximum number of words of a path, a text and a mask, and their bytes with the space that may
 * stay empty around them. */
#define PATH_WORDS(n) (CCA_OVERLAY_AT_REST + 1 + 2 * (n))
#define TEXT_WORDS(n) (CCA_OVERLAY_AT_REST + 2 + ((n) + 3) / 4)
#define MASK_WORDS(n_rows) (CCA_OVERLAY_AT_REST + 2 * (n_rows))
#define MAX_WORDS PATH_WORDS(CCA_OVERLAY_MAX_POINTS + 1)
_Static_assert(MAX_WORDS < 256 && TEXT_WORDS(CCA_OVERLAY_MAX_CHARACTERS) < MAX_WORDS &&
                   MASK_WORDS(CCA_OVERLAY_MASK_SIZE) < MAX_WORDS,
               "the length of a command is a byte");
#define WITH_REST(n_words) ((n_words) * 4 * 5 / 4)
_Static_assert(MAX_WORDS * 5 < CCA_OVERLAY_PAGE_WORDS, "more of a page may stay empty");
_Static_assert((WITH_REST(MAX_WORDS) + 16) * CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_BYTES &&
                   CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_TILES,
               "a row of tiles does not fit");

typedef OverlayEdges Edges;
typedef uint32_t Bits __attribute__((vector_size(16)));
typedef uint64_t Pairs __attribute__((vector_size(16)));

/* Two rectangles in a window. */
typedef int16_t Rects __attribute__((vector_size(16)));

CCA_INLINE Edges clip_edges(Edges edges, const Edges least, const Edges most)
{
    const Edges above = edges > least;
    edges = (edges & above) | (least & ~above);
    const Edges below = edges < most;
    return (edges & below) | (most & ~below);
}

/* The low half of each value if the high one only has its sign. */
CCA_INLINE Rects low_halves(const Edges a, const Edges b)
{
#if defined(__SSE2__)
    return (Rects) _mm_packs_epi32((__m128i) a, (__m128i) b);
#else
    return __builtin_shufflevector((Rects) a, (Rects) b, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

/* Eight values clipped to those of a byte in a tile. */
CCA_INLINE uint64_t tile_bytes(const Rects v)
{
    const Rects most = { TILE, TILE, TILE, TILE, TILE, TILE, TILE, TILE };
#if defined(__SSE2__)
    const __m128i clipped = _mm_min_epi16(_mm_max_epi16((__m128i) v, _mm_setzero_si128()),
                                          (__m128i) most);
    return (uint64_t) _mm_cvtsi128_si64(_mm_packus_epi16(clipped, clipped));
#else
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 8; i++)
        bytes |= (uint64_t) iclip(v[i], 0, most[i]) << 8 * i;
    return bytes;
#endif
}

/* --- tiles ---------------------------------------------------------------- */

/* Tiles that a command may touch: columns [x0, x1) and rows [y0, y1). */
typedef struct Tiles {
    int32_t x0, y0, x1, y1;
} Tiles;

/* The next place in a tile's words for a command of up to `max_words`, which one page contains. */
static uint32_t next_place(const uint32_t at, const uint32_t max_words)
{
    const uint32_t in_page = at % CCA_OVERLAY_PAGE_WORDS;
    if (__builtin_expect(in_page + max_words > CCA_OVERLAY_PAGE_WORDS, false))
        return at - in_page + CCA_OVERLAY_PAGE_WORDS;
    return at;
}

/* Maximum number of words of a command in a tile. */
static uint32_t max_words(const CcaOverlayCommand *const c)
{
    switch (c->kind) {
    case CCA_OVERLAY_BOX: return CCA_OVERLAY_AT_REST + 1;
    case CCA_OVERLAY_PATH: return PATH_WORDS(c->n + 1);
    case CCA_OVERLAY_MASK: return MASK_WORDS((uint32_t) (c->y1 - c->y0));
    default: return TEXT_WORDS(c->n);
    }
}

/* Adds the command to a tile, with `n` points of a path. */
CCA_INLINE void add_ref(OverlayBins *const bins, const uint32_t tile, const uint32_t n_words,
                        const uint32_t max_words, const uint32_t first, const uint32_t n)
{
    const uint32_t end = bins->of_tiles[tile].end, i = bins->n_refs++;
    OverlayRef *const ref = &bins->refs[i];
    if (end == 0)
        bins->tiles[bins->n_tiles++] = (uint16_t) tile;
    bins->of_tiles[tile].end = next_place(end, max_words) + n_words;
    ref->command = bins->command;
    ref->first = (uint8_t) first;
    ref->n = (uint8_t) n;
    ref->tile = (uint16_t) tile;
}

/* Adds a box, text or mask to all its tiles of some rows, except those within a box that has only
 * an outline. */
static void add_rectangle(OverlayBins *const bins, const CcaOverlayCommand *const c,
                          const Edges outside, const Tiles *const tiles)
{
    const Edges inside = (Edges) { c->x0, c->y0, c->x1, c->y1 } - bins->origin +
                         (Edges) { 1, 1, -1, -1 } * (int32_t) c->thickness;
    const bool may_be_hollow = c->kind == CCA_OVERLAY_BOX && c->inside == 0;
    const uint32_t n_words = max_words(c);
    for (int32_t row = tiles->y0; row < tiles->y1; row++) {
        const int32_t top = row * TILE, bottom = top + TILE;
        const bool row_may_be = may_be_hollow && imax(top, outside[1]) >= inside[1] &&
                                imin(bottom, outside[3]) <= inside[3];
        for (int32_t column = tiles->x0; column < tiles->x1; column++) {
            const int32_t left = column * TILE, right = left + TILE;
            if (!row_may_be || imax(left, outside[0]) < inside[0] ||
                imin(right, outside[2]) > inside[2])
                add_ref(bins, (uint32_t) (row * CCA_OVERLAY_TILES + column), n_words, n_words, 0,
                        0);
        }
    }
}

/* --- paths ---------------------------------------------------------------- */

CCA_INLINE Edges two_points(const int32_t *const points)
{
    Edges two;
    memcpy(&two, points, sizeof(two));
    return two;
}

CCA_INLINE Edges last_point(const int32_t *const points)
{
    return (Edges) { points[0], points[1], points[0], points[1] };
}

CCA_INLINE uint32_t all_bits(const Bits bits)
{
    return bits[0] | bits[1] | bits[2] | bits[3];
}

/* The distances of all points from `begin`, combined by a bitwise or. */
static uint32_t distance_bits(const int32_t *const points, const uint32_t n, const Edges begin)
{
    Bits even = { 0, 0, 0, 0 }, odd = { 0, 0, 0, 0 };
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        even |= (Bits) (two_points(points + 2 * i) - begin);
        odd |= (Bits) (two_points(points + 2 * i + 4) - begin);
    }
    for (; i < n; i++)
        even |= (Bits) (last_point(points + 2 * i) - begin);
    return all_bits(even | odd);
}

/* Whether the path is far from no tile of the window, as all points are in it. */
static bool is_near_window(const OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const int32_t *const points = (const int32_t *) bins->list.words + c->first;
    return c->thickness <= CCA_OVERLAY_NEAR_THICKNESS &&
           distance_bits(points, c->n, bins->origin) < WINDOW;
}

/* Segments of a path on each side of a vertical and of a horizontal edge, one bit each. Those on
 * the edge are in both. The segment of a point ends there. */
typedef struct Sides {
    uint64_t left, right, above, below;
} Sides;

static Sides sides_of(const int32_t *const points, const uint32_t n, const Edges edge,
                      const uint32_t thickness)
{
    const int32_t before = (int32_t) thickness / 2, after = (int32_t) thickness - before;
    const Edges first = edge + before, last = edge - after;
    Sides s = { 0, 0, 0, 0 };
    for (uint32_t i = 0; i < n; i += 32) {
        const uint32_t end = umin(n, i + 32);
        Bits bits = { 1, 1, 2, 2 }, is_less = { 0, 0, 0, 0 }, is_more = { 0, 0, 0, 0 };
        uint32_t k = i;
        for (; k + 2 <= end; k += 2) {
            const Edges two = two_points(points + 2 * k);
            is_less |= (Bits) (two < first) & bits;
            is_more |= (Bits) (two > last) & bits;
            bits <<= 2;
        }
        if (k < end) {
            is_less |= (Bits) (last_point(points + 2 * k) < first) & bits;
            is_more |= (Bits) (last_point(points + 2 * k) > last) & bits;
        }
        s.left |= (uint64_t) (is_less[0] | is_less[2]) << i;
        s.right |= (uint64_t) (is_more[0] | is_more[2]) << i;
        s.above |= (uint64_t) (is_less[1] | is_less[3]) << i;
        s.below |= (uint64_t) (is_more[1] | is_more[3]) << i;
    }
    const uint64_t all = UINT64_MAX >> (64 - n);
    return (Sides) { (s.left | s.left << 1) & all, (s.right | s.right << 1) & all,
                     (s.above | s.above << 1) & all, (s.below | s.below << 1) & all };
}

/* Adds to a tile the range of segments that covers those of the mask, and the point before them, at
 * which the first segment begins. */
CCA_INLINE void add_segments(OverlayBins *const bins, const CcaOverlayCommand *const c,
                             const uint32_t tile, const uint64_t mask, const bool is_near)
{
    if (mask == 0)
        return;
    const uint32_t first = (uint32_t) __builtin_ctzll(mask), begin = first - (first > 0);
    const uint32_t n = 64 - (uint32_t) __builtin_clzll(mask) - begin;
    uint32_t n_words = PATH_WORDS(0) + n;
    if (!is_near) {
        const int32_t x = (int32_t) (tile % CCA_OVERLAY_TILES) * TILE - CCA_OVERLAY_NEAR;
        const int32_t y = (int32_t) (tile / CCA_OVERLAY_TILES) * TILE - CCA_OVERLAY_NEAR;
        const int32_t *const points = (const int32_t *) bins->list.words + c->first + 2 * begin;
        if (c->thickness > CCA_OVERLAY_NEAR_THICKNESS ||
            distance_bits(points, n, bins->origin + (Edges) { x, y, x, y }) >= 2 * CCA_OVERLAY_NEAR)
            n_words += n;
    }
    add_ref(bins, tile, n_words, max_words(c), begin, n);
}

/* Finds the columns [x0, x1) of a row of tiles that a segment through at least three rows may
 * touch. */
static void find_columns(const int32_t *const a, const int32_t *const b, const int32_t reach,
                         const int32_t left, const int32_t top, int32_t *const x0,
                         int32_t *const x1)
{
    const int64_t wide = b[0] - a[0], high = b[1] - a[1];
    const int64_t first = a[0] + (top - reach - a[1]) * wide / high - left;
    const int64_t last = a[0] + (top + TILE + reach - a[1]) * wide / high - left;
    const int64_t least = ((first < last ? first : last) - reach - 1) / TILE;
    const int64_t most = ((first < last ? last : first) + reach + 1) / TILE + 1;
    *x0 = least > *x0 ? (int32_t) least : *x0;
    *x1 = most < *x1 ? (int32_t) most : *x1;
}

/* Adds to each tile of some rows the range of segments that covers all those near it. */
static void add_path(OverlayBins *const bins, const CcaOverlayCommand *const c,
                     const Tiles *const tiles)
{
    const int32_t *const points = (const int32_t *) bins->list.words + c->first;
    const int32_t n_columns = tiles->x1 - tiles->x0, n_rows = tiles->y1 - tiles->y0;
    uint64_t columns[CCA_OVERLAY_TILES], rows[CCA_OVERLAY_TILES];
    if (c->n == 0)
        return;
    for (int32_t i = 0; i <= imax(n_columns, n_rows); i++) {
        const int32_t x = (tiles->x0 + i) * TILE, y = (tiles->y0 + i) * TILE;
        const Sides s = sides_of(points, c->n, bins->origin + (Edges) { x, y, x, y }, c->thickness);
        if (i > 0 && i <= n_columns)
            columns[i - 1] &= s.left;
        if (i < n_columns)
            columns[i] = s.right;
        if (i > 0 && i <= n_rows)
            rows[i - 1] &= s.above;
        if (i < n_rows)
            rows[i] = s.below;
    }
    const bool is_near = is_near_window(bins, c);
    const uint32_t first = (uint32_t) (tiles->y0 * CCA_OVERLAY_TILES + tiles->x0);
    const bool is_segment = c->n == 2 && abs(points[3] - points[1]) > 2 * TILE;
    for (int32_t row = 0; row < n_rows; row++) {
        int32_t column = 0, end = n_columns;
        if (is_segment)
            find_columns(points, points + 2, (int32_t) c->thickness,
                         tiles->x0 * TILE + bins->origin[0],
                         (tiles->y0 + row) * TILE + bins->origin[1], &column, &end);
        for (; column < end; column++)
            add_segments(bins, c, first + (uint32_t) (row * CCA_OVERLAY_TILES + column),
                         rows[row] & columns[column], is_near);
    }
}

/* The same for a path that is not clipped, in up to two columns and rows: only the edge between
 * them matters. */
static void add_small_path(OverlayBins *const bins, const CcaOverlayCommand *const c,
                           const uint32_t first, const bool has_column, const bool has_row)
{
    const int32_t *const points = (const int32_t *) bins->list.words + c->first;
    const int32_t x = (int32_t) (first % CCA_OVERLAY_TILES + 1) * TILE;
    const int32_t y = (int32_t) (first / CCA_OVERLAY_TILES + 1) * TILE;
    const bool is_near = is_near_window(bins, c);
    if (!has_column && !has_row) {
        add_segments(bins, c, first, UINT64_MAX >> (64 - c->n), is_near);
        return;
    }
    const Sides s = sides_of(points, c->n, bins->origin + (Edges) { x, y, x, y }, c->thickness);
    add_segments(bins, c, first, s.left & s.above, is_near);
    if (has_column)
        add_segments(bins, c, first + 1, s.right & s.above, is_near);
    if (has_row)
        add_segments(bins, c, first + CCA_OVERLAY_TILES, s.left & s.below, is_near);
    if (has_column && has_row)
        add_segments(bins, c, first + CCA_OVERLAY_TILES + 1, s.right & s.below, is_near);
}

/* --- commands ------------------------------------------------------------- */

/* A rectangle in the window, clipped to the picture. */
CCA_INLINE Edges in_window(const OverlayBins *const bins, const Edges edges)
{
    return clip_edges(edges - bins->origin, bins->least, bins->most);
}

static Edges edges_of(const CcaOverlayCommand *const c)
{
    Edges edges;
    memcpy(&edges, &c->x0, sizeof(edges));
    return edges;
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
    const Edges outside = in_window(bins, edges_of(c));
    const size_t n_bytes = WITH_REST((size_t) max_words(c)) + 16;
    if (outside[0] >= outside[2] || outside[1] >= outside[3])
        return true;
    Tiles tiles = {
        .x0 = outside[0] / TILE,
        .y0 = imax(bins->row, outside[1] / TILE),
        .x1 = (outside[2] + TILE - 1) / TILE,
        .y1 = (outside[3] + TILE - 1) / TILE,
    };
    const int32_t end = tiles.y1;
    const size_t in_row = (size_t) (tiles.x1 - tiles.x0);
    for (; tiles.y0 < end; tiles.y0 = tiles.y1) {
        const uint32_t n_before = bins->n_refs;
        const bool is_last = has_room(bins, in_row * (size_t) (end - tiles.y0), n_bytes);
        bins->row = tiles.y0;
        if (!is_last && !has_room(bins, in_row, n_bytes))
            return false;
        tiles.y1 = is_last ? end : tiles.y0 + 1;
        if (c->kind == CCA_OVERLAY_PATH)
            add_path(bins, c, &tiles);
        else
            add_rectangle(bins, c, outside, &tiles);
        bins->n_bytes += (bins->n_refs - n_before) * n_bytes;
    }
    return true;
}

/* The same for most commands, with few instructions: not clipped, not hollow, in up to two columns
 * and rows. Returns false for others. */
static bool add_small(OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Edges edges = edges_of(c) - bins->origin;
    const Edges tiles = (edges - (Edges) { 0, 0, 1, 1 }) >> TILE_BITS;
    const Pairs is_beyond = (Pairs) ((edges < bins->least) | (edges > bins->most));
    const uint32_t column = (uint32_t) (tiles[2] - tiles[0]);
    const uint32_t row = (uint32_t) (tiles[3] - tiles[1]);
    const uint32_t first = (uint32_t) (tiles[1] * CCA_OVERLAY_TILES + tiles[0]);
    const uint32_t n_before = bins->n_refs, n_words = max_words(c);
    if ((is_beyond[0] | is_beyond[1]) != 0 || (column | row) > 1 || c->x0 >= c->x1 ||
        c->y0 >= c->y1 || bins->row != 0 || !has_room(bins, 4, WITH_REST(MAX_WORDS) + 16))
        return false;
    if (c->kind == CCA_OVERLAY_PATH) {
        if (c->n == 0)
            return true;
        add_small_path(bins, c, first, column != 0, row != 0);
    } else {
        if (c->kind == CCA_OVERLAY_BOX && c->inside == 0 && c->thickness == 0)
            return true;
        add_ref(bins, first, n_words, n_words, 0, 0);
        if (column != 0)
            add_ref(bins, first + 1, n_words, n_words, 0, 0);
        if (row != 0)
            add_ref(bins, first + CCA_OVERLAY_TILES, n_words, n_words, 0, 0);
        if ((column & row) != 0)
            add_ref(bins, first + CCA_OVERLAY_TILES + 1, n_words, n_words, 0, 0);
    }
    bins->n_bytes += (bins->n_refs - n_before) * (WITH_REST((size_t) n_words) + 16);
    return true;
}

/* --- words ---------------------------------------------------------------- */

static uint32_t halves(const int32_t low, const int32_t high)
{
    return ((uint32_t) low & 0xffff) | (uint32_t) high << 16;
}

/* Writes points, one per word. Returns false if not all of them are near. */
static bool write_near_points(const int32_t *const points, const uint32_t n, const Edges begin,
                              uint32_t *const to)
{
    Edges far = { 0, 0, 0, 0 };
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const Edges a = two_points(points + 2 * i) - begin;
        const Edges b = two_points(points + 2 * i + 4) - begin;
        const Rects halves = low_halves(a, b);
        far |= (a + CCA_OVERLAY_NEAR) | (b + CCA_OVERLAY_NEAR);
        memcpy(to + i, &halves, sizeof(halves));
    }
    for (; i < n; i++) {
        const Edges a = last_point(points + 2 * i) - begin;
        far |= a + CCA_OVERLAY_NEAR;
        to[i] = halves(a[0], a[1]);
    }
    return all_bits((Bits) far) < 2 * CCA_OVERLAY_NEAR;
}

/* Writes the points that the tile needs. Returns the number of words. */
static uint32_t write_path(OverlayBins *const bins, const CcaOverlayCommand *const c,
                           const OverlayRef *const ref, const uint32_t right, const uint32_t down,
                           uint32_t *const words)
{
    const int32_t *const points = (const int32_t *) bins->list.words + c->first + 2 * ref->first;
    const int32_t x = (int32_t) (bins->x + right), y = (int32_t) (bins->y + down);
    const uint32_t head = c->kind | (uint32_t) c->alpha << 8 | c->inside << 16;
    uint32_t *const to = words + CCA_OVERLAY_AT_REST + 1;
    uint32_t n = PATH_WORDS(0) + ref->n;
    words[CCA_OVERLAY_AT_REST] = c->thickness;
    if (write_near_points(points, ref->n, (Edges) { x, y, x, y }, to) &&
        c->thickness <= CCA_OVERLAY_NEAR_THICKNESS) {
        words[CCA_OVERLAY_AT_HEAD] = head | n << 24;
        return n;
    }
    for (uint32_t i = 0; i < ref->n; i++) {
        to[2 * i] = (uint32_t) (points[2 * i] - x);
        to[2 * i + 1] = (uint32_t) (points[2 * i + 1] - y);
    }
    n += ref->n;
    words[CCA_OVERLAY_AT_HEAD] = (head + CCA_OVERLAY_FAR_PATH - CCA_OVERLAY_PATH) | n << 24;
    bins->is_far = true;
    return n;
}

static void write_text(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                       const int32_t x, const int32_t y, uint32_t *const words)
{
    const uint32_t *const glyphs = bins->list.words + c->first;
    uint32_t *const to = words + CCA_OVERLAY_AT_REST;
    to[0] = (uint32_t) x;
    to[1] = (uint32_t) y;
    for (uint32_t i = 0; i < (c->n + 3) / 4; i++)
        to[2 + i] = glyphs[i];
}

/* Writes the rows of a mask that are drawn on, from y0 to y1 of the tile. */
static void write_mask(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                       const uint32_t y, const uint32_t y0, const uint32_t y1,
                       uint32_t *const words)
{
    const uint32_t *const rows = bins->list.words + c->first + 2 * (y + y0 - (uint32_t) c->y0);
    memcpy(words + CCA_OVERLAY_AT_REST, rows, 2 * (y1 - y0) * sizeof(*rows));
}

/* The outside and inside of a command in the window. */
static Rects rects_of(const OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Edges outside = edges_of(c);
    const int32_t t = (int32_t) c->thickness;
    const Edges inside =
        outside + (((Edges) { t, t, t, t } ^ (Edges) { 0, 0, -1, -1 }) + (Edges) { 0, 0, 1, 1 });
    return low_halves(in_window(bins, outside), in_window(bins, inside));
}

/* Writes a command to its tiles. Returns the next reference. */
static uint32_t write_command(OverlayBins *const bins, const uint32_t r, uint32_t *const words)
{
    const OverlayRef *ref = &bins->refs[r], *const end_ref = bins->refs + bins->n_refs;
    const uint32_t command = ref->command;
    const CcaOverlayCommand *const c = &bins->list.commands[command];
    const Rects rects = rects_of(bins, c);
    const uint32_t kind = c->kind, most = max_words(c);
    const Bits begin = {
        kind | (uint32_t) c->alpha << 8 | c->inside << 16 | most << 24,
        halves(c->colour[0], c->colour[bins->swaps ? 2 : 1]),
        c->colour[bins->swaps ? 1 : 2],
    };
    const int32_t x = c->x0 - (int32_t) bins->x, y = c->y0 - (int32_t) bins->y;
    do {
        const uint32_t right = ref->tile % CCA_OVERLAY_TILES * TILE;
        const uint32_t down = ref->tile / CCA_OVERLAY_TILES * TILE;
        OverlayTile *const tile = &bins->of_tiles[ref->tile];
        const uint32_t end = tile->end;
        const uint32_t at = tile->begin + next_place(end - tile->begin, most);
        const uint32_t corner = right | down << 16;
        const uint64_t both = tile_bytes(rects - (Rects) (Bits) { corner, corner, corner, corner });
        uint32_t *const to = words + at;
        uint32_t n = most;
        if (at != end)
            words[end] = CCA_OVERLAY_END;
        memcpy(to, &begin, sizeof(begin));
        to[CCA_OVERLAY_AT_OUTSIDE] = (uint32_t) both;
        if (kind == CCA_OVERLAY_BOX)
            to[CCA_OVERLAY_AT_REST] = (uint32_t) (both >> 32);
        else if (kind == CCA_OVERLAY_PATH)
            n = write_path(bins, c, ref, right, down, to);
        else if (kind == CCA_OVERLAY_MASK)
            write_mask(bins, c, bins->y + down, (uint32_t) both >> 8 & 0xff, (uint32_t) both >> 24,
                       to);
        else
            write_text(bins, c, x - (int32_t) right, y - (int32_t) down, to);
        tile->end = at + n;
    } while (++ref < end_ref && ref->command == command);
    return (uint32_t) (ref - bins->refs);
}

static uint32_t in_units(const uint32_t n_words)
{
    return (n_words + CCA_OVERLAY_UNIT_WORDS - 1) / CCA_OVERLAY_UNIT_WORDS;
}

/* Forgets the commands of the launch. */
static void clear(OverlayBins *const bins)
{
    for (uint32_t i = 0; i < bins->n_tiles; i++)
        bins->of_tiles[bins->tiles[i]] = (OverlayTile) { 0, 0 };
    bins->n_refs = bins->n_tiles = 0;
    bins->n_bytes = 0;
}

void cca_overlay_bins_write(OverlayBins *const bins, uint32_t *const words,
                            CcaOverlayWindow *const window)
{
    uint32_t unit = 0;
    window->picture = bins->picture;
    window->x = bins->x;
    window->y = bins->y;
    window->n_tiles = bins->n_tiles;
    bins->is_far = false;
    for (uint32_t i = 0; i < bins->n_tiles; i++) {
        OverlayTile *const tile = &bins->of_tiles[bins->tiles[i]];
        window->tiles[i] = bins->tiles[i] | unit << 16;
        tile->begin = unit * CCA_OVERLAY_UNIT_WORDS;
        unit += in_units(tile->end);
        tile->end = tile->begin;
    }
    window->tiles[bins->n_tiles] = unit << 16;
    for (uint32_t r = 0; r < bins->n_refs;)
        r = write_command(bins, r, words);
    for (uint32_t i = 0; i < bins->n_tiles; i++) {
        const uint32_t end = bins->of_tiles[bins->tiles[i]].end;
        if (end % CCA_OVERLAY_UNIT_WORDS != 0)
            words[end] = CCA_OVERLAY_END;
    }
    clear(bins);
}

/* Adds the remaining commands of a window, as far as they fit. */
static void fill(OverlayBins *const bins)
{
    while (bins->command < bins->list.n_commands) {
        const CcaOverlayCommand *const c = &bins->list.commands[bins->command];
        if (!add_small(bins, c) && !add_command(bins, c))
            return;
        bins->command++;
        bins->row = 0;
    }
}

/* Begins a window at (x, y). */
static void begin_window(OverlayBins *const bins, const uint32_t x, const uint32_t y)
{
    const CcaOverlayPicture *const p = &bins->picture;
    const int32_t left = (int32_t) x, top = (int32_t) y;
    bins->x = x;
    bins->y = y;
    bins->origin = (Edges) { left, top, left, top };
    bins->least = (Edges) { (int32_t) p->x0, (int32_t) p->y0, (int32_t) p->x0, (int32_t) p->y0 };
    bins->most = (Edges) { (int32_t) p->x1, (int32_t) p->y1, (int32_t) p->x1, (int32_t) p->y1 };
    bins->least = clip_edges(bins->least - bins->origin, (Edges) { 0 }, (Edges) { 0 } + WINDOW);
    bins->most = clip_edges(bins->most - bins->origin, (Edges) { 0 }, (Edges) { 0 } + WINDOW);
    bins->command = 0;
    bins->row = 0;
}

static bool next_window(OverlayBins *const bins)
{
    if (bins->x + WINDOW < bins->picture.x1)
        begin_window(bins, bins->x + WINDOW, bins->y);
    else
        begin_window(bins, bins->picture.x0 / WINDOW * WINDOW, bins->y + WINDOW);
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
    clear(bins);
    bins->picture = *picture;
    bins->list = *list;
    begin_window(bins, picture->x0 / WINDOW * WINDOW, picture->y0 / WINDOW * WINDOW);
    /* NV21 is NV12 with the chroma samples swapped */
    bins->swaps = cca_overlay_bins_are_nv12(picture) &&
                  picture->channels[2].data < picture->channels[1].data;
    if (bins->swaps) {
        bins->picture.channels[1] = picture->channels[2];
        bins->picture.channels[2] = picture->channels[1];
    }
}
