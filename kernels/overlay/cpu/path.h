/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CPU_PATH_H
#define CCA_OVERLAY_CPU_PATH_H

/* Draws paths. */

#include "strip.h"

/* Covers the columns from `from` to before `to` of the rows from `y0` to before `y1`, which are
 * rows of the clip. */
static void cover_rows(Strip *const strip, const int64_t y0, const int64_t y1, const int64_t from,
                       const int64_t to)
{
    const int64_t x0 = (from > strip->clip.x0 ? from : strip->clip.x0) - strip->x;
    const int64_t x1 = (to < strip->clip.x1 ? to : strip->clip.x1) - strip->x;
    if (x0 >= x1)
        return;
    if (strip->pitch == 0) {
        for (int64_t y = y0; y < y1; y++) {
            int32_t *const run = strip->runs[y - strip->y];
            run[0] = imin(run[0], (int32_t) x0);
            run[1] = imax(run[1], (int32_t) x1);
        }
        return;
    }
    const uint32_t n = (uint32_t) (x1 - 1) / 64 - (uint32_t) x0 / 64;
    const uint64_t above = ~UINT64_C(0) << x0 % 64;
    const uint64_t below = ~UINT64_C(0) >> (63 - (x1 - 1) % 64);
    uint64_t *row = strip->words + (y0 - strip->y) * strip->pitch + x0 / 64;
    for (int64_t y = y0; y < y1; y++, row += strip->pitch) {
        if (n == 0) {
            row[0] |= above & below;
            continue;
        }
        row[0] |= above;
        for (uint32_t i = 1; i < n; i++)
            row[i] = ~UINT64_C(0);
        row[n] |= below;
    }
}

/* Covers the columns from `from` to before `to` of one row of the clip. */
static inline void cover(Strip *const strip, const int32_t y, const int32_t from, const int32_t to)
{
    const int32_t x0 = imax(from, strip->clip.x0) - strip->x;
    const int32_t x1 = imin(to, strip->clip.x1) - strip->x;
    if (strip->pitch != 1)
        cover_rows(strip, y, y + 1, from, to);
    else if (x0 < x1)
        strip->words[y - strip->y] |= ~UINT64_C(0) << x0 & ~UINT64_C(0) >> (64 - x1);
}

static int64_t divide_down(const int64_t n, const int64_t d)
{
    if (n >= -d && n < d)
        return n < 0 ? -1 : 0;
    if (n == (int32_t) n && d == (int32_t) d)
        return (int32_t) n / (int32_t) d - ((int32_t) n % (int32_t) d < 0);
    return n / d - (n % d < 0);
}

/* Iterates over floor(n / d), floor((n + add) / d), floor((n + 2 * add) / d) ... */
typedef struct Quotient {
    int64_t floor, rest, add, add_rest, d;
} Quotient;

static Quotient quotient_of(const int64_t n, const int64_t add, const int64_t d)
{
    Quotient q = { .floor = divide_down(n, d), .add = divide_down(add, d), .d = d };
    q.rest = n - q.floor * d;
    q.add_rest = add - q.add * d;
    return q;
}

static int64_t next_of(Quotient *const q)
{
    const int64_t floor = q->floor;
    q->floor += q->add;
    q->rest += q->add_rest;
    if (q->rest >= q->d) {
        q->rest -= q->d;
        q->floor++;
    }
    return floor;
}

/* Covers a segment from the upper point a to b: in each row `t` pixels around the nearest one, or
 * around the right one of two equally near. */
static void cover_steep(Strip *const strip, const int32_t *const a, const int32_t *const b,
                        const int32_t t)
{
    const int32_t y0 = imax(a[1], strip->clip.y0), y1 = imin(b[1] + 1, strip->clip.y1);
    const int64_t wide = b[0] - a[0], high = b[1] - a[1];
    Quotient q = quotient_of(2 * (y0 - a[1]) * wide + high, 2 * wide, 2 * high);
    for (int32_t y = y0; y < y1; y++) {
        const int32_t from = a[0] + (int32_t) next_of(&q) - t / 2;
        cover(strip, y, from, from + t);
    }
}

/* Covers a segment from the upper point a to b: in each column `t` pixels around the nearest one,
 * or around the lower one of two equally near. The nearest one is at least `k` rows below a from
 * the column ((2 * k - 1) * wide + 2 * high - 1) / (2 * high) on, counted from a. So each row ends
 * in the column in which the row `t` rows below begins. */
static void cover_flat(Strip *const strip, const int32_t *const a, const int32_t *const b,
                       const int32_t t)
{
    const int32_t top = a[1] - t / 2;
    const int32_t y0 = imax(top, strip->clip.y0), y1 = imin(b[1] - t / 2 + t, strip->clip.y1);
    const int64_t wide = b[0] > a[0] ? b[0] - a[0] : a[0] - b[0], high = b[1] - a[1];
    if (high == 0) {
        cover_rows(strip, y0, y1, imin(a[0], b[0]), imax(a[0], b[0]) + 1);
        return;
    }
    const int64_t n = wide + 2 * high - 1, add = 2 * wide, d = 2 * high;
    Quotient to = quotient_of(n + (y0 - top) * add, add, d), from = to;
    if (y0 > top)
        from = quotient_of(n + imax(y0 - top - t, 0) * add, add, d);
    for (int32_t y = y0; y < y1; y++) {
        const int64_t end = next_of(&to);
        const int32_t first = y - top < t ? 0 : (int32_t) next_of(&from);
        const int32_t last = (int32_t) (end <= wide ? end : wide + 1);
        if (b[0] > a[0])
            cover(strip, y, a[0] + first, a[0] + last);
        else
            cover(strip, y, a[0] - last + 1, a[0] - first + 1);
    }
}

static void cover_segment(Strip *const strip, const int32_t *const a, const int32_t *const b,
                          const int32_t t)
{
    const int32_t *const upper = a[1] < b[1] ? a : b, *const lower = a[1] < b[1] ? b : a;
    const int32_t wide = imax(a[0], b[0]) - imin(a[0], b[0]);
    if (lower[1] - upper[1] > wide)
        cover_steep(strip, upper, lower, t);
    else if (wide > 0)
        cover_flat(strip, upper, lower, t);
}

static void cover_square(Strip *const strip, const int32_t *const point, const int32_t t)
{
    const int32_t left = point[0] - t / 2, top = point[1] - t / 2;
    cover_rows(strip, imax(top, strip->clip.y0), imin(top + t, strip->clip.y1), left,
               (int64_t) left + t);
}

/* Whether a segment from a to b, or the square around b, may cover a pixel. */
static bool is_near(const Rect *const clip, const int32_t *const a, const int32_t *const b,
                    const int32_t t)
{
    const int32_t before = t / 2, after = t - before;
    return imax(a[0], b[0]) + after > clip->x0 && imin(a[0], b[0]) - before < clip->x1 &&
           imax(a[1], b[1]) + after > clip->y0 && imin(a[1], b[1]) - before < clip->y1;
}

/* Draws a path of two points: one run of pixels in each row. */
static void draw_segment(const Planes *const planes, const Blend *const blends,
                         const CcaOverlayCommand *const c, const int32_t *const points,
                         const Rect *const r)
{
    const int32_t t = (int32_t) c->thickness;
    Strip strip = { .x = r->x0, .pitch = 0 };
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += STRIP_RUNS) {
        const int32_t n_rows = imin(r->y1 - strip.y, STRIP_RUNS);
        strip.clip = (Rect) {
            .x0 = r->x0,
            .x1 = r->x1,
            .y0 = imax(r->y0, strip.y),
            .y1 = strip.y + n_rows,
        };
        for (int32_t y = 0; y < n_rows; y++) {
            strip.runs[y][0] = INT32_MAX;
            strip.runs[y][1] = INT32_MIN;
        }
        cover_segment(&strip, points, points + 2, t);
        cover_square(&strip, points, t);
        cover_square(&strip, points + 2, t);
        draw_runs(planes, blends, &strip, n_rows);
    }
}

static void draw_path(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const Rect *const r)
{
    const int32_t *const points = (const int32_t *) words + c->first;
    const int32_t t = (int32_t) c->thickness;
    Blend blends[CCA_OVERLAY_MAX_CHANNELS];
    Strip strip;
    for (uint32_t i = 0; i < planes->n; i++)
        blends[i] = blend_of(&planes->planes[i], c, c->alpha);
    if (c->n == 2) {
        draw_segment(planes, blends, c, points, r);
        return;
    }
    strip.pitch = umin((uint32_t) (r->x1 - (r->x0 & -CELL) + 63) / 64, STRIP_ROW_WORDS);
    const int32_t width = (int32_t) strip.pitch * 64;
    const int32_t height = (int32_t) (STRIP_WORDS / strip.pitch) & -CELL;
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += height) {
        for (strip.x = r->x0 & -CELL; strip.x < r->x1; strip.x += width) {
            strip.clip = (Rect) {
                .x0 = imax(r->x0, strip.x),
                .x1 = imin(r->x1, strip.x + width),
                .y0 = imax(r->y0, strip.y),
                .y1 = imin(r->y1, strip.y + height),
            };
            strip.n_words = strip.pitch;
            memset(strip.words, 0,
                   (size_t) (strip.clip.y1 - strip.y) * strip.pitch * sizeof(strip.words[0]));
            for (uint32_t i = 0; i < c->n; i++) {
                const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
                const bool rests = i > 0 && a[0] == b[0] && a[1] == b[1];
                if (rests || !is_near(&strip.clip, a, b, t))
                    continue;
                cover_segment(&strip, a, b, t);
                cover_square(&strip, b, t);
            }
            draw_strip(planes, blends, &strip);
        }
    }
}

#endif /* CCA_OVERLAY_CPU_PATH_H */
