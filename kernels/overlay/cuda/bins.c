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
#define MAX_WORDS MASK_WORDS(CCA_OVERLAY_MASK_SIZE)
_Static_assert(MAX_WORDS < 256 && TEXT_WORDS(CCA_OVERLAY_MAX_CHARACTERS) < MAX_WORDS &&
                   PATH_WORDS(CCA_OVERLAY_MAX_POINTS + 1) < MAX_WORDS,
               "the length of a command is a byte");
_Static_assert(CCA_OVERLAY_MAX_POINTS <= 32, "two bits for each point fit in 64");
#define WITH_REST(n_words) ((n_words) * 4 * 5 / 4)
_Static_assert(MAX_WORDS * 5 < CCA_OVERLAY_PAGE_WORDS, "more of a page may stay empty");
_Static_assert((WITH_REST(MAX_WORDS) + 16) * CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_BYTES &&
                   CCA_OVERLAY_TILES <= CCA_OVERLAY_MAX_TILES,
               "a row of tiles does not fit");

typedef OverlayEdges Edges;
typedef uint32_t Bits __attribute__((vector_size(16)));

/* Two rectangles in a window, or four points. */
typedef int16_t Rects __attribute__((vector_size(16)));

CCA_INLINE Edges clip_edges(Edges edges, const Edges least, const Edges most)
{
    const Edges above = edges > least;
    edges = (edges & above) | (least & ~above);
    const Edges below = edges < most;
    return (edges & below) | (most & ~below);
}

/* Both in 16 bits a value, clipped to these. */
CCA_INLINE Rects to_16_bits(const Edges a, const Edges b)
{
#if defined(__SSE2__)
    return (Rects) _mm_packs_epi32((__m128i) a, (__m128i) b);
#else
    Rects v = { 0, 0, 0, 0, 0, 0, 0, 0 };
    for (uint32_t i = 0; i < 4; i++) {
        v[i] = (int16_t) iclip(a[i], INT16_MIN, INT16_MAX);
        v[i + 4] = (int16_t) iclip(b[i], INT16_MIN, INT16_MAX);
    }
    return v;
#endif
}

CCA_INLINE Rects clip_rects(Rects v, const Rects least, const Rects most)
{
#if defined(__SSE2__)
    return (Rects) _mm_min_epi16(_mm_max_epi16((__m128i) v, (__m128i) least), (__m128i) most);
#else
    for (uint32_t i = 0; i < 8; i++)
        v[i] = (int16_t) iclip(v[i], least[i], most[i]);
    return v;
#endif
}

CCA_INLINE uint64_t low_half(const Rects v)
{
    uint64_t half;
    memcpy(&half, &v, sizeof(half));
    return half;
}

/* Whether a comparison holds for any of the values. */
CCA_INLINE bool any(const Edges v)
{
#if defined(__SSE2__)
    return _mm_movemask_epi8((__m128i) v) != 0;
#else
    return (v[0] | v[1] | v[2] | v[3]) != 0;
#endif
}

/* Eight values clipped to those of a byte in a tile. */
CCA_INLINE uint64_t tile_bytes(const Rects v)
{
#if defined(__SSE2__)
    const __m128i clipped = _mm_min_epi16((__m128i) v, _mm_set1_epi16(TILE));
    return (uint64_t) _mm_cvtsi128_si64(_mm_packus_epi16(clipped, clipped));
#else
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 8; i++)
        bytes |= (uint64_t) iclip(v[i], 0, TILE) << 8 * i;
    return bytes;
#endif
}

/* A bit for each value that is -1 instead of 0, the first one in the lowest bit. */
CCA_INLINE uint32_t bits_of(const Rects a, const Rects b)
{
#if defined(__SSE2__)
    return (uint32_t) _mm_movemask_epi8(_mm_packs_epi16((__m128i) a, (__m128i) b));
#else
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; i++)
        bits |= (a[i] & 1u) << i | (b[i] & 1u) << (i + 8);
    return bits;
#endif
}

CCA_INLINE uint32_t halves(const int32_t low, const int32_t high)
{
    return ((uint32_t) low & 0xffff) | (uint32_t) high << 16;
}

/* The same point four times. */
CCA_INLINE Rects four_times(const int32_t x, const int32_t y)
{
    const uint32_t point = halves(x, y);
    return (Rects) (Bits) { point, point, point, point };
}

/* --- tiles ---------------------------------------------------------------- */

/* Tiles that a command may touch: columns [x0, x1) and rows [y0, y1). */
typedef struct Tiles {
    int32_t x0, y0, x1, y1;
} Tiles;

__attribute__((cold, noinline)) static uint32_t next_page(const uint32_t at)
{
    return (at | (CCA_OVERLAY_PAGE_WORDS - 1)) + 1;
}

/* The next place in a tile's words for a command of up to `max_words`, which one page contains. */
CCA_INLINE uint32_t next_place(const uint32_t at, const uint32_t max_words)
{
    const uint32_t in_page = at & (CCA_OVERLAY_PAGE_WORDS - 1);
    const bool fits = in_page <= CCA_OVERLAY_PAGE_WORDS - max_words;
    return __builtin_expect(fits, true) ? at : next_page(at);
}

/* Maximum number of words of a command in a tile. */
CCA_INLINE uint32_t max_words(const CcaOverlayCommand *const c)
{
    switch (c->kind) {
    case CCA_OVERLAY_BOX: return CCA_OVERLAY_AT_REST + 1;
    case CCA_OVERLAY_PATH: return PATH_WORDS(c->n + 1);
    case CCA_OVERLAY_MASK: return MASK_WORDS((uint32_t) (c->y1 - c->y0));
    default: return TEXT_WORDS(c->n);
    }
}

/* Adds the command to a tile, with `range` in the upper half of its OverlayRef.tile. Returns the
 * next reference. */
CCA_INLINE OverlayRef *add_ref(OverlayBins *const bins, OverlayRef *const ref, const uint32_t tile,
                               const uint32_t n_words, const uint32_t max_words,
                               const uint32_t range)
{
    const uint32_t end = bins->of_tiles[tile].words, at = next_place(end, max_words);
    if (end == 0)
        bins->tiles[bins->n_tiles++] = (uint16_t) tile;
    bins->of_tiles[tile].words = at + n_words;
    ref->command = bins->command;
    ref->at = at;
    ref->tile = tile | range;
    return ref + 1;
}

/* Adds a box, text or mask to all its tiles of some rows, except those within a box that has only
 * an outline. */
static OverlayRef *add_rectangle(OverlayBins *const bins, OverlayRef *ref,
                                 const CcaOverlayCommand *const c, const Edges outside,
                                 const Tiles *const tiles)
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
                ref = add_ref(bins, ref, (uint32_t) (row * CCA_OVERLAY_TILES + column), n_words,
                              n_words, 0);
        }
    }
    return ref;
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

CCA_INLINE const int32_t *points_of(const OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    return (const int32_t *) bins->list.words + c->first;
}

CCA_INLINE Rects load_points(const uint32_t *const words)
{
    Rects four;
    memcpy(&four, words, sizeof(four));
    return four;
}

/* Packs the points of a path, after those of earlier ones. Those out of reach are clipped: no point
 * that is near a tile. Returns whether they are near all tiles of the window, as they are in it,
 * and the path is thin enough. */
CCA_INLINE bool pack_points(OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Edges origin = bins->origin;
    const int32_t *const points = points_of(bins, c);
    uint32_t *const to = bins->points + bins->n_points;
    const size_t n = c->n;
    size_t i = 0;
    Bits bits = { 0, 0, 0, 0 };
    for (; i + 8 <= n; i += 8) {
        const Rects a = to_16_bits(two_points(points + 2 * i) - origin,
                                   two_points(points + 2 * i + 4) - origin);
        const Rects b = to_16_bits(two_points(points + 2 * i + 8) - origin,
                                   two_points(points + 2 * i + 12) - origin);
        bits |= (Bits) (a | b);
        memcpy(to + i, &a, sizeof(a));
        memcpy(to + i + 4, &b, sizeof(b));
    }
    for (; i < n; i++) {
        const Edges point = last_point(points + 2 * i) - origin;
        const Rects four = to_16_bits(point, point);
        bits |= (Bits) four;
        memcpy(to + i, &four, sizeof(four));
    }
    return (c->thickness <= CCA_OVERLAY_NEAR_THICKNESS) &
           ((all_bits(bits) & ~((WINDOW - 1) * 0x00010001u)) == 0);
}

/* Segments of a path on each side of a vertical and of a horizontal edge, every second bit one.
 * Those on the edge are in both. The segment of a point ends there. */
typedef struct Sides {
    uint64_t left, right, above, below;
} Sides;

static void find_sides(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                       const int32_t x, const int32_t y, Sides *const s)
{
    const uint32_t *const points = bins->points + bins->n_points;
    const uint32_t n = c->n, thickness = c->thickness;
    const int32_t before = (int32_t) thickness / 2, after = (int32_t) thickness - before;
    const Rects first = four_times(x + before, y + before), last = four_times(x - after, y - after);
    const uint64_t all = UINT64_C(0x5555555555555555) >> (64 - 2 * n);
    uint64_t less = -(uint64_t) (thickness > CCA_OVERLAY_NEAR_THICKNESS), more = less;
    for (uint32_t i = 0; i < n; i += 8) {
        const Rects a = load_points(points + i), b = load_points(points + i + 4);
        less |= (uint64_t) bits_of(a < first, b < first) << 2 * i;
        more |= (uint64_t) bits_of(a > last, b > last) << 2 * i;
    }
    /* x is in even bits, y in odd ones */
    less |= less << 2;
    more |= more << 2;
    s->left = less & all;
    s->right = more & all;
    s->above = less >> 1 & all;
    s->below = more >> 1 & all;
}

/* Whether points of a path are not near a tile, or the path is too thick. */
static bool are_far(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                    const size_t first, const size_t n, const uint32_t tile)
{
    const int32_t x = (int32_t) (tile % CCA_OVERLAY_TILES) * TILE - CCA_OVERLAY_NEAR;
    const int32_t y = (int32_t) (tile / CCA_OVERLAY_TILES) * TILE - CCA_OVERLAY_NEAR;
    const int32_t *const points = points_of(bins, c) + 2 * first;
    const Edges corner = bins->origin + (Edges) { x, y, x, y };
    Bits bits = { 0, 0, 0, 0 };
    for (size_t i = 0; i < n; i++)
        bits |= (Bits) (last_point(points + 2 * i) - corner);
    return (c->thickness > CCA_OVERLAY_NEAR_THICKNESS) | (all_bits(bits) >= 2 * CCA_OVERLAY_NEAR);
}

/* Adds points of a path to a tile. */
CCA_INLINE OverlayRef *add_points(OverlayBins *const bins, OverlayRef *const ref,
                                  const CcaOverlayCommand *const c, const uint32_t tile,
                                  const uint32_t first, const uint32_t n, const bool is_near)
{
    uint32_t n_words = PATH_WORDS(0) + n, range = first << 16 | n << 24;
    if (!is_near && are_far(bins, c, first, n, tile)) {
        n_words += n;
        range |= CCA_OVERLAY_REF_IS_FAR;
        bins->is_far = true;
    }
    return add_ref(bins, ref, tile, n_words, PATH_WORDS(c->n + 1), range);
}

/* Adds to a tile the range that covers the segments, and the point before them, at which the first
 * one begins. */
CCA_INLINE OverlayRef *add_segments(OverlayBins *const bins, OverlayRef *const ref,
                                    const CcaOverlayCommand *const c, const uint32_t tile,
                                    const uint64_t segments, const bool is_near)
{
    if (segments == 0)
        return ref;
    const uint32_t first = (uint32_t) __builtin_ctzll(segments) / 2;
    const uint32_t end = 32 - (uint32_t) __builtin_clzll(segments) / 2;
    const uint32_t begin = first - (first > 0);
    return add_points(bins, ref, c, tile, begin, end - begin, is_near);
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
static OverlayRef *add_path(OverlayBins *const bins, OverlayRef *ref,
                            const CcaOverlayCommand *const c, const Tiles *const tiles)
{
    const int32_t *const points = points_of(bins, c);
    const int32_t n_columns = tiles->x1 - tiles->x0, n_rows = tiles->y1 - tiles->y0;
    uint64_t columns[CCA_OVERLAY_TILES], rows[CCA_OVERLAY_TILES];
    const bool is_near = pack_points(bins, c);
    for (int32_t i = 0; i <= imax(n_columns, n_rows); i++) {
        Sides s;
        find_sides(bins, c, (tiles->x0 + i) * TILE, (tiles->y0 + i) * TILE, &s);
        if (i > 0 && i <= n_columns)
            columns[i - 1] &= s.left;
        if (i < n_columns)
            columns[i] = s.right;
        if (i > 0 && i <= n_rows)
            rows[i - 1] &= s.above;
        if (i < n_rows)
            rows[i] = s.below;
    }
    const uint32_t first = (uint32_t) (tiles->y0 * CCA_OVERLAY_TILES + tiles->x0);
    const bool is_segment = c->n == 2 && abs(points[3] - points[1]) > 2 * TILE;
    for (int32_t row = 0; row < n_rows; row++) {
        int32_t column = 0, end = n_columns;
        if (is_segment)
            find_columns(points, points + 2, (int32_t) c->thickness,
                         tiles->x0 * TILE + bins->origin[0],
                         (tiles->y0 + row) * TILE + bins->origin[1], &column, &end);
        for (; column < end; column++)
            ref = add_segments(bins, ref, c, first + (uint32_t) (row * CCA_OVERLAY_TILES + column),
                               rows[row] & columns[column], is_near);
    }
    return ref;
}

/* The same for a path that is not clipped, in up to two columns and rows: only the edge between
 * them matters. */
CCA_INLINE OverlayRef *add_small_path(OverlayBins *const bins, OverlayRef *ref,
                                      const CcaOverlayCommand *const c, const uint32_t first,
                                      const bool has_column, const bool has_row)
{
    const int32_t x = (int32_t) (first % CCA_OVERLAY_TILES + 1) * TILE;
    const int32_t y = (int32_t) (first / CCA_OVERLAY_TILES + 1) * TILE;
    const uint32_t next = first + CCA_OVERLAY_TILES;
    const bool is_near = pack_points(bins, c);
    Sides s;
    if (!has_column && !has_row)
        return add_points(bins, ref, c, first, 0, c->n, is_near);
    find_sides(bins, c, x, y, &s);
    ref = add_segments(bins, ref, c, first, s.left & s.above, is_near);
    if (has_column)
        ref = add_segments(bins, ref, c, first + 1, s.right & s.above, is_near);
    if (has_row)
        ref = add_segments(bins, ref, c, next, s.left & s.below, is_near);
    if (has_column && has_row)
        ref = add_segments(bins, ref, c, next + 1, s.right & s.below, is_near);
    return ref;
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

/* Counts the references before `ref`, the new ones of which are of a command of `n_bytes`. */
CCA_INLINE void end_refs(OverlayBins *const bins, const OverlayRef *const ref, const size_t n_bytes)
{
    const uint32_t n_refs = (uint32_t) (ref - bins->refs);
    bins->n_bytes += (n_refs - bins->n_refs) * n_bytes;
    bins->n_refs = n_refs;
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
    bins->n_small = 0;
    const int32_t end = tiles.y1;
    const size_t in_row = (size_t) (tiles.x1 - tiles.x0);
    for (; tiles.y0 < end; tiles.y0 = tiles.y1) {
        OverlayRef *const begin = bins->refs + bins->n_refs, *ref;
        const bool is_last = has_room(bins, in_row * (size_t) (end - tiles.y0), n_bytes);
        bins->row = tiles.y0;
        if (!is_last && !has_room(bins, in_row, n_bytes))
            return false;
        tiles.y1 = is_last ? end : tiles.y0 + 1;
        if (c->kind == CCA_OVERLAY_PATH)
            ref = add_path(bins, begin, c, &tiles);
        else
            ref = add_rectangle(bins, begin, c, outside, &tiles);
        end_refs(bins, ref, n_bytes);
    }
    if (c->kind == CCA_OVERLAY_PATH && bins->n_refs > 0 &&
        bins->refs[bins->n_refs - 1].command == bins->command)
        bins->n_points += c->n;
    return true;
}

/* Finds out how many small commands fit. Returns false if none. */
static bool find_room(OverlayBins *const bins)
{
    const size_t n_bytes = (CCA_OVERLAY_MAX_BYTES - bins->n_bytes) / (WITH_REST(MAX_WORDS) + 16);
    const uint32_t n_refs = umin(CCA_OVERLAY_MAX_REFS - bins->n_refs, (uint32_t) n_bytes);
    bins->n_small = umin(n_refs, CCA_OVERLAY_MAX_TILES - bins->n_tiles) / 4;
    return bins->n_small > 0;
}

/* The same for most commands, with few instructions: not clipped, not hollow, in up to two columns
 * and rows. Returns false for others. */
static bool add_small(OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Edges edges = edges_of(c) - bins->origin, last = edges - (Edges) { 0, 0, 1, 1 };
    const Edges is_beyond = (edges < bins->least) | (edges > bins->most);
    const Edges is_empty = __builtin_shufflevector(edges, edges, 0, 1, 0, 1) >
                           __builtin_shufflevector(last, last, 2, 3, 2, 3);
    /* 16 bits each: a column and a row */
    const uint64_t tiles = low_half(to_16_bits(last >> TILE_BITS, last >> TILE_BITS));
    const uint32_t beyond = (uint32_t) (tiles >> 32) - (uint32_t) tiles;
    const uint32_t column = beyond & 0xffff, row = beyond >> 16;
    const uint32_t first = ((uint32_t) tiles >> 16) * CCA_OVERLAY_TILES + (tiles & 0xffff);
    const uint32_t n_words = max_words(c), below = first + CCA_OVERLAY_TILES;
    OverlayRef *const begin = bins->refs + bins->n_refs, *ref = begin;
    if (any(is_beyond | is_empty) || (column | row) > 1 || bins->row != 0 ||
        (bins->n_small == 0 && !find_room(bins)))
        return false;
    if (c->kind == CCA_OVERLAY_PATH) {
        ref = add_small_path(bins, ref, c, first, column != 0, row != 0);
        bins->n_points += ref > begin ? c->n : 0;
    } else {
        if (c->kind == CCA_OVERLAY_BOX && c->inside == 0 && c->thickness == 0)
            return true;
        ref = add_ref(bins, ref, first, n_words, n_words, 0);
        if (column != 0)
            ref = add_ref(bins, ref, first + 1, n_words, n_words, 0);
        if (row != 0)
            ref = add_ref(bins, ref, below, n_words, n_words, 0);
        if ((column & row) != 0)
            ref = add_ref(bins, ref, below + 1, n_words, n_words, 0);
    }
    end_refs(bins, ref, WITH_REST((size_t) n_words) + 16);
    bins->n_small--;
    return true;
}

/* --- words ---------------------------------------------------------------- */

CCA_INLINE void write_points(const uint32_t *const from, const Rects corner, uint32_t *const to)
{
    const Rects four = load_points(from) - corner;
    memcpy(to, &four, sizeof(four));
}

/* Writes the points that the tile needs. Returns the number of words. */
CCA_INLINE size_t write_path(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                             const uint32_t *const packed, const OverlayRef *const ref,
                             const Rects corner, uint32_t *const words)
{
    const uint32_t head = c->kind | (uint32_t) c->alpha << 8 | c->inside << 16;
    const size_t first = ref->tile >> 16 & 0xff, n = ref->tile >> 24 & 0x7f;
    const uint32_t *const from = packed + first;
    uint32_t *const to = words + PATH_WORDS(0);
    words[CCA_OVERLAY_AT_REST] = c->thickness;
    if (__builtin_expect((ref->tile & CCA_OVERLAY_REF_IS_FAR) == 0, true)) {
        if (__builtin_expect(n >= 4, true)) {
            for (size_t i = 0; i < n - 4; i += 4)
                write_points(from + i, corner, to + i);
            write_points(from + n - 4, corner, to + n - 4);
        } else {
            for (size_t i = 0; i < n; i++)
                to[i] = ((Bits) ((Rects) (Bits) { from[i], 0, 0, 0 } - corner))[0];
        }
        words[CCA_OVERLAY_AT_HEAD] = head | (PATH_WORDS(0) + (uint32_t) n) << 24;
        return PATH_WORDS(0) + n;
    }
    const int32_t *const points = points_of(bins, c) + 2 * first;
    const int32_t x = bins->origin[0] + corner[0], y = bins->origin[1] + corner[1];
    for (size_t i = 0; i < n; i++) {
        to[2 * i] = (uint32_t) (points[2 * i] - x);
        to[2 * i + 1] = (uint32_t) (points[2 * i + 1] - y);
    }
    words[CCA_OVERLAY_AT_HEAD] = (head + CCA_OVERLAY_FAR_PATH - CCA_OVERLAY_PATH) |
                                 PATH_WORDS((uint32_t) n) << 24;
    return PATH_WORDS(n);
}

/* Writes a text to the tile at (x, y) of the window. */
CCA_INLINE void write_text(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                           const uint32_t x, const uint32_t y, uint32_t *const words)
{
    const uint32_t *const glyphs = bins->list.words + c->first;
    uint32_t *const to = words + CCA_OVERLAY_AT_REST;
    const size_t n = (c->n + 3) / 4;
    to[0] = (uint32_t) c->x0 - bins->x - x;
    to[1] = (uint32_t) c->y0 - bins->y - y;
    for (size_t i = 0; i < n; i++)
        to[2 + i] = glyphs[i];
}

/* Writes the rows of a mask that are drawn on, from y0 to y1 of the tile at row y of the window. */
CCA_INLINE void write_mask(const OverlayBins *const bins, const CcaOverlayCommand *const c,
                           const uint32_t y, const uint32_t y0, const uint32_t y1,
                           uint32_t *const words)
{
    const uint32_t row = bins->y + y + y0 - (uint32_t) c->y0;
    memcpy(words + CCA_OVERLAY_AT_REST, bins->list.words + c->first + 2 * row,
           2 * (y1 - y0) * sizeof(*words));
}

/* The outside and inside of a command in the window. */
CCA_INLINE Rects rects_of(const OverlayBins *const bins, const CcaOverlayCommand *const c)
{
    const Edges outside = edges_of(c) - bins->origin;
    const int32_t t = (int32_t) c->thickness;
    const Edges inside =
        outside + (((Edges) { t, t, t, t } ^ (Edges) { 0, 0, -1, -1 }) + (Edges) { 0, 0, 1, 1 });
    return clip_rects(to_16_bits(outside, inside), to_16_bits(bins->least, bins->least),
                      to_16_bits(bins->most, bins->most));
}

/* Writes all commands to their tiles, each with an end after it, which the next one replaces that
 * is in the same page. */
static void write_commands(OverlayBins *const bins, uint32_t *const words)
{
    const OverlayRef *ref = bins->refs, *const end = ref + bins->n_refs;
    const uint32_t *packed = bins->points;
    bins->refs[bins->n_refs].command = UINT32_MAX;
    while (ref < end) {
        const uint32_t command = ref->command;
        const CcaOverlayCommand *const c = &bins->list.commands[command];
        const Rects rects = rects_of(bins, c);
        const uint32_t kind = c->kind, most = max_words(c);
        const Bits begin = {
            kind | (uint32_t) c->alpha << 8 | c->inside << 16 | most << 24,
            halves(c->colour[0], c->colour[bins->swaps ? 2 : 1]),
            c->colour[bins->swaps ? 1 : 2],
        };
        do {
            const uint32_t tile = ref->tile & 0xffff;
            const uint32_t corner = bins->of_tiles[tile].corner;
            const Rects corners = (Rects) (Bits) { corner, corner, corner, corner };
            const uint64_t both = tile_bytes(rects - corners);
            uint32_t *const to = words + bins->of_tiles[tile].words + ref->at;
            size_t n = most;
            memcpy(to, &begin, sizeof(begin));
            to[CCA_OVERLAY_AT_OUTSIDE] = (uint32_t) both;
            if (kind == CCA_OVERLAY_BOX)
                to[CCA_OVERLAY_AT_REST] = (uint32_t) (both >> 32);
            else if (kind == CCA_OVERLAY_PATH)
                n = write_path(bins, c, packed, ref, corners, to);
            else if (kind == CCA_OVERLAY_MASK)
                write_mask(bins, c, corner >> 16, (uint32_t) both >> 8 & 0xff,
                           (uint32_t) both >> 24, to);
            else
                write_text(bins, c, corner & 0xffff, corner >> 16, to);
            to[n] = CCA_OVERLAY_END;
        } while ((++ref)->command == command);
        packed += kind == CCA_OVERLAY_PATH ? c->n : 0;
    }
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
    bins->n_refs = bins->n_tiles = bins->n_points = bins->n_small = 0;
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
    for (uint32_t i = 0; i < bins->n_tiles; i++) {
        OverlayTile *const tile = &bins->of_tiles[bins->tiles[i]];
        const uint32_t n_units = in_units(tile->words + 1);
        window->tiles[i] = bins->tiles[i] | unit << 16;
        tile->words = unit * CCA_OVERLAY_UNIT_WORDS;
        tile->corner = bins->tiles[i] % CCA_OVERLAY_TILES * TILE |
                       (uint32_t) (bins->tiles[i] / CCA_OVERLAY_TILES * TILE) << 16;
        unit += n_units;
    }
    window->tiles[bins->n_tiles] = unit << 16;
    write_commands(bins, words);
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
    bins->is_far = false;
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
