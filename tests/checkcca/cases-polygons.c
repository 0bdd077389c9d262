/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Working sets: polygons against the definition, pixel by pixel, and pictures. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/intops.h"
#include "cases.h"

#define MOST_POINTS 12
#define MOST_COORDINATE (1 << 20)

/* --- masks for other groups ------------------------------------------------ */

static void random_points(Rng *const r, const uint32_t width, const uint32_t height,
                          CcaPolygon *const p, int32_t *const points)
{
    const bool far = rng_percent(r, 10);
    const uint32_t sides[2] = { width, height };
    p->points = points;
    p->n_points = rng_range(r, 3, MOST_POINTS);
    p->width = width;
    p->height = height;
    for (uint32_t i = 0; i < 2 * p->n_points; i++) {
        const int32_t side = (int32_t) sides[i % 2], beyond = side / 4 + 1;
        points[i] = far ? (int32_t) rng_below(r, 2 * MOST_COORDINATE + 1) - MOST_COORDINATE :
                          (int32_t) rng_below(r, (uint32_t) (side + 2 * beyond)) - beyond;
    }
}

static void put(CcaMask *const m, const uint32_t x, const uint32_t y, const bool set)
{
    const uint64_t bit = UINT64_C(1) << x % 64;
    uint64_t *const word = &m->words[y * m->row_words + x / 64];
    CcaColumns *const c = &m->columns[y];
    *word = set ? *word | bit : *word & ~bit;
    if (set)
        *c = c->first < c->end ? (CcaColumns) { umin(c->first, x), umax(c->end, x + 1) } :
                                 (CcaColumns) { x, x + 1 };
}

/* Gaps of one pixel, lines and noise, which polygons seldom have. */
static void fill_finely(Rng *const r, CcaMask *const m)
{
    const uint32_t kind = rng_below(r, 4), every = rng_range(r, 2, 9);
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++)
            put(m, x, y,
                kind == 0 ? x % every != 0 :
                kind == 1 ? y % every != 0 :
                kind == 2 ? (x + y) % every != 0 :
                            rng_percent(r, 100 - 100 / every));
}

/* Limits of area in polygons, some of which have only one limit or none. */
static void add_areas(Rng *const r, CcaMask *const m)
{
    static const uint32_t low[] = { 0, 0, 1, 2, 4, 8, 40 }, high[] = { 0, 0, 1, 3, 9, 50, 1000 };
    int32_t points[2 * MOST_POINTS];
    CcaPolygon p;
    for (uint32_t n = rng_range(r, 1, 4); n > 0; n--) {
        random_points(r, m->width, m->height, &p, points);
        cca_mask_add_area(m, &p, PICK(r, low), PICK(r, high));
    }
}

CcaMask *random_mask(Rng *const r, const uint32_t width, const uint32_t height)
{
    int32_t points[2 * MOST_POINTS];
    const uint32_t kind = rng_below(r, 10), n = rng_range(r, 1, 3);
    CcaMask *const m = cca_mask_new(width, height, kind < 2);
    if (m != NULL && rng_percent(r, 30))
        add_areas(r, m);
    if (m == NULL || kind == 0)
        return m;
    if (kind < 4)
        fill_finely(r, m);
    CcaPolygon p;
    for (uint32_t i = 0; i < n; i++) {
        random_points(r, width, height, &p, points);
        cca_mask_polygon(m, &p, kind >= 4 && i == 0);
    }
    if (kind > 7) { /* a rectangle, which engines may treat as a region of interest */
        CcaRect rect;
        random_roi(r, width, height, &rect);
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++)
                put(m, x, y,
                    oracle_within(x, rect.x, rect.width) && oracle_within(y, rect.y, rect.height));
    }
    return m;
}

/* --- polygons ------------------------------------------------------------- */

/* The sign of the turn from `a` over `b` to the centre of a pixel, in units of which all three are
 * integers. */
static bool counts(const CcaPolygon *const p, const CcaMask *const m, const uint32_t i,
                   const uint32_t x, const uint32_t y)
{
    const int32_t *a = p->points + 2 * i, *b = p->points + 2 * ((i + 1) % p->n_points);
    if (a[1] > b[1]) {
        const int32_t *const other = a;
        a = b;
        b = other;
    }
    const int64_t cx = (2 * (int64_t) x + 1) * p->width, cy = (2 * (int64_t) y + 1) * p->height;
    const int64_t ax = 2 * (int64_t) m->width * a[0], ay = 2 * (int64_t) m->height * a[1];
    const int64_t bx = 2 * (int64_t) m->width * b[0], by = 2 * (int64_t) m->height * b[1];
    if (cy < ay || cy >= by)
        return false;
    return (__int128) (bx - ax) * (cy - ay) <= (__int128) (by - ay) * (cx - ax);
}

static bool is_inside(const CcaPolygon *const p, const CcaMask *const m, const uint32_t x,
                      const uint32_t y)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_points; i++)
        n += counts(p, m, i, x, y);
    return n % 2 == 1;
}

static bool expect_mask(Check *const k, const CcaMask *const m, const char *const what,
                        const uint32_t x, const uint32_t y, const bool expected)
{
    k->n_comparisons++;
    if (cca_mask_has(m, x, y) == expected)
        return true;
    check_fail(k, NULL, "%s: pixel %" PRIu32 ",%" PRIu32 " of %" PRIu32 "x%" PRIu32 " is %s", what,
               x, y, m->width, m->height, expected ? "missing" : "too much");
    return false;
}

/* Bits past the end of rows must stay 0. */
static bool expect_ends(Check *const k, const CcaMask *const m)
{
    const uint64_t beyond = m->width % 64 ? UINT64_MAX << m->width % 64 : 0;
    uint64_t set = m->words[m->row_words * m->height];
    for (uint32_t y = 0; y < m->height; y++)
        set |= m->words[(y + 1) * m->row_words - 1] & beyond;
    if (set != 0)
        check_fail(k, NULL, "bits are set past the end of a row");
    return set == 0;
}

/* Those from the first to the last pixel of each row. */
static bool expect_columns(Check *const k, const CcaMask *const m)
{
    for (uint32_t y = 0; y < m->height; y++) {
        uint32_t first = m->width, end = 0;
        for (uint32_t x = 0; x < m->width; x++)
            if (cca_mask_has(m, x, y)) {
                first = umin(first, x);
                end = x + 1;
            }
        const CcaColumns c = m->columns[y];
        k->n_comparisons++;
        if (first < end ? c.first == first && c.end == end : c.first >= c.end)
            continue;
        check_fail(k, NULL,
                   "row %" PRIu32 " has pixels from column %" PRIu32 " to before %" PRIu32
                   ", not from %" PRIu32 " to before %" PRIu32,
                   y, first, end, c.first, c.end);
        return false;
    }
    return true;
}

static void check_drawing(Check *const k, Rng *const r, CcaMask *const m)
{
    int32_t points[2 * MOST_POINTS];
    CcaPolygon p;
    /* points of a picture of twice the size may have the height of a centre */
    const uint32_t kind = rng_below(r, 3);
    const bool starts_set = rng_percent(r, 50);
    random_points(r, kind == 0 ? rng_range(r, 1, 300) : kind * m->width,
                  kind == 0 ? rng_range(r, 1, 300) : kind * m->height, &p, points);
    const bool set = !starts_set;
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++)
            put(m, x, y, starts_set);
    bool right = cca_mask_polygon(m, &p, set) && expect_ends(k, m) && expect_columns(k, m);
    for (uint32_t y = 0; y < m->height && right; y++)
        for (uint32_t x = 0; x < m->width && right; x++)
            right = expect_mask(k, m, "polygon", x, y, is_inside(&p, m, x, y) == set);
}

/* The triangles between a point of the picture and its sides have each pixel in common with
 * exactly one of them. */
static void check_partition(Check *const k, Rng *const r, CcaMask *const m)
{
    const int32_t w = (int32_t) m->width, h = (int32_t) m->height;
    const int32_t corners[8] = { 0, 0, w, 0, w, h, 0, h };
    const int32_t x0 = (int32_t) rng_range(r, 0, m->width),
                  y0 = (int32_t) rng_range(r, 0, m->height);
    uint8_t *const n = calloc((size_t) m->width * m->height, 1);
    for (int i = 0; i < 4 && n; i++) {
        const int32_t *const a = corners + 2 * i, *const b = corners + 2 * ((i + 1) % 4);
        const int32_t triangle[6] = { x0, y0, a[0], a[1], b[0], b[1] };
        const CcaPolygon p = { triangle, 3, m->width, m->height };
        memset(m->words, 0, m->row_words * m->height * sizeof(*m->words));
        cca_mask_polygon(m, &p, true);
        for (uint32_t y = 0; y < m->height; y++)
            for (uint32_t x = 0; x < m->width; x++)
                n[(size_t) y * m->width + x] += cca_mask_has(m, x, y);
    }
    for (size_t i = 0; n && i < (size_t) m->width * m->height; i++)
        if (n[i] != 1) {
            check_fail(k, NULL, "pixel %zu of a picture of %" PRId32 " columns is in %d triangles",
                       i, w, n[i]);
            break;
        }
    free(n);
}

/* The pixel of the picture that has a centre is counted up to, not computed. */
static void check_picture(Check *const k, Rng *const r, CcaMask *const m)
{
    const uint32_t width = rng_range(r, 1, 150), height = rng_range(r, 1, 90);
    const size_t stride = width + rng_below(r, 9);
    uint8_t *const pixels = malloc(stride * height);
    bool right = pixels != NULL;
    for (size_t i = 0; right && i < stride * height; i++)
        pixels[i] = (uint8_t) rng_range(r, 120, 136);
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++)
            put(m, x, y, x % 7 != 0);
    if (right)
        cca_mask_and_picture(m, pixels, width, height, stride);
    for (uint32_t y = 0; y < m->height && right; y++) {
        uint32_t v = 0;
        while (2 * (uint64_t) m->height * (v + 1) <= (2 * (uint64_t) y + 1) * height)
            v++;
        for (uint32_t x = 0; x < m->width && right; x++) {
            uint32_t u = 0;
            while (2 * (uint64_t) m->width * (u + 1) <= (2 * (uint64_t) x + 1) * width)
                u++;
            right = expect_mask(k, m, "picture", x, y, x % 7 != 0 && pixels[v * stride + u] >= 128);
        }
    }
    if (right)
        expect_columns(k, m);
    free(pixels);
}

static uint64_t count_polygons(const Set set)
{
    return set == SET_TINY ? 60 : set == SET_QUICK ? 3000 : 100000;
}

static void run_polygons(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint32_t width = rng_range(&r, 1, 140), height = rng_range(&r, 1, 50);
    CcaMask *const m = cca_mask_new(width, height, rng_percent(&r, 50));
    if (m == NULL) {
        check_skip(k, "memory ran out for a mask");
    } else if (expect_columns(k, m)) {
        if (index % 6 == 0)
            check_partition(k, &r, m);
        else if (index % 6 == 1)
            check_picture(k, &r, m);
        else
            check_drawing(k, &r, m);
    }
    cca_mask_free(m);
}

const Group group_polygons = {
    "polygons",   "working sets drawn from polygons and pictures", USE_SINGLE, count_polygons,
    run_polygons,
};
