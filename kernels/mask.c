/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Draws working sets: polygons and pictures, in exact integers. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "polygon.h"

/* --- memory --------------------------------------------------------------- */

/* The bits of word k of a row that are inside the row. */
static uint64_t inside(const CcaMask *const m, const size_t k)
{
    return k + 1 < m->row_words || m->width % 64 == 0 ? UINT64_MAX :
                                                        (UINT64_C(1) << m->width % 64) - 1;
}

static void find_columns(CcaMask *const m, const uint32_t y)
{
    const uint64_t *const words = m->words + y * m->row_words;
    size_t first = 0, end = m->row_words;
    while (first < end && words[first] == 0)
        first++;
    while (end > first && words[end - 1] == 0)
        end--;
    m->columns[y] = (CcaColumns) { 0, 0 };
    if (first < end)
        m->columns[y] = (CcaColumns) {
            (uint32_t) (64 * first) + (uint32_t) __builtin_ctzll(words[first]),
            (uint32_t) (64 * end) - (uint32_t) __builtin_clzll(words[end - 1]),
        };
}

CcaMask *cca_mask_new(const uint32_t width, const uint32_t height, const bool set)
{
    static atomic_uint_least64_t n_masks;
    const size_t row_words = ((size_t) width + 63) / 64;
    const size_t n_words = row_words * height + 1;
    CcaMask *const m =
        calloc(1, sizeof(*m) + n_words * sizeof(*m->words) + height * sizeof(*m->columns));
    if (m == NULL)
        return NULL;
    m->words = (uint64_t *) (m + 1);
    m->columns = (CcaColumns *) (m->words + n_words);
    m->width = width;
    m->height = height;
    m->row_words = row_words;
    m->serial = atomic_fetch_add(&n_masks, 1) + 1;
    for (uint32_t y = 0; set && y < height; y++) {
        for (size_t k = 0; k < row_words; k++)
            m->words[y * row_words + k] = inside(m, k);
        find_columns(m, y);
    }
    return m;
}

void cca_mask_free(CcaMask *const mask)
{
    if (mask != NULL)
        free(mask->areas);
    free(mask);
}

/* --- polygons ------------------------------------------------------------- */

static CcaEnd end_at(const CcaMask *const m, const CcaPolygon *const p, const uint32_t i)
{
    return cca_polygon_end(p->points + 2 * (size_t) (i % p->n_points), m->width, m->height);
}

/* The first column, up to `width`, whose centre is not left of where the edge from `a` down to
 * `b` crosses y. */
static uint32_t first_column(const CcaMask *const m, const CcaPolygon *const p, const CcaEnd a,
                             const CcaEnd b, const int64_t y)
{
    const __int128 height = b.y - a.y, column = 2 * height * p->width;
    /* the crossing's distance from the centre of column 0, times `height` */
    const __int128 distance = a.x * height + (__int128) (y - a.y) * (b.x - a.x) - height * p->width;
    if (distance <= 0)
        return 0;
    const __int128 first = (distance + column - 1) / column;
    return first > m->width ? m->width : (uint32_t) first;
}

/* Inverts `row` at the column from which on each edge counts. */
static void mark_crossings(const CcaMask *const m, const CcaPolygon *const p, const uint32_t y,
                           uint64_t *const row)
{
    const int64_t at = cca_polygon_centre(y, p->height);
    CcaEnd a = end_at(m, p, 0);
    for (uint32_t i = 0; i < p->n_points; i++) {
        const CcaEnd b = end_at(m, p, i + 1);
        const CcaEnd upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
        a = b;
        if (at < upper.y || at >= lower.y)
            continue;
        const uint32_t x = first_column(m, p, upper, lower, at);
        if (x < m->width)
            row[x / 64] ^= UINT64_C(1) << x % 64;
    }
}

/* Each bit becomes the parity of the bits up to it. `before` is the parity of earlier words. */
static uint64_t parities(uint64_t word, const uint64_t before)
{
    for (uint32_t n = 1; n < 64; n *= 2)
        word ^= word << n;
    return word ^ before;
}

bool cca_mask_polygon(CcaMask *const m, const CcaPolygon *const p, const bool set)
{
    uint64_t *const row = calloc(m->row_words, sizeof(*row));
    if (row == NULL)
        return false;
    for (uint32_t y = 0; y < m->height; y++) {
        uint64_t *const words = m->words + y * m->row_words;
        uint64_t before = 0;
        mark_crossings(m, p, y, row);
        for (size_t k = 0; k < m->row_words; k++) {
            const uint64_t within = parities(row[k], before);
            before = 0 - (within >> 63);
            row[k] = 0;
            words[k] = set ? words[k] | (within & inside(m, k)) : words[k] & ~within;
        }
        find_columns(m, y);
    }
    free(row);
    return true;
}

/* --- areas ---------------------------------------------------------------- */

bool cca_mask_add_area(CcaMask *const m, const CcaPolygon *const p, const uint32_t min_area,
                       const uint32_t max_area)
{
    if (m->areas == NULL)
        m->areas = calloc(1, sizeof(*m->areas));
    CcaAreas *const all = m->areas;
    if (all == NULL || all->n == CCA_MAX_AREAS || p->n_points > CCA_MAX_AREA_POINTS - all->n_points)
        return false;
    all->width = m->width;
    all->height = m->height;
    all->areas[all->n++] = (CcaArea) { min_area,    max_area, all->n_points,
                                       p->n_points, p->width, p->height };
    memcpy(all->points + 2 * (size_t) all->n_points, p->points,
           2 * (size_t) p->n_points * sizeof(*p->points));
    all->n_points += p->n_points;
    return true;
}

/* --- pictures ------------------------------------------------------------- */

/* The pixel among `from` that has the centre of pixel i of n. */
static uint32_t source(const uint32_t i, const uint32_t n, const uint32_t from)
{
    return (uint32_t) ((2 * (uint64_t) i + 1) * from / (2 * (uint64_t) n));
}

void cca_mask_and_picture(CcaMask *const m, const uint8_t *const pixels, const uint32_t width,
                          const uint32_t height, const size_t stride)
{
    for (uint32_t y = 0; y < m->height; y++) {
        const uint8_t *const row = pixels + source(y, m->height, height) * stride;
        for (uint32_t x = 0; x < m->width; x++)
            if (row[source(x, m->width, width)] < 128)
                m->words[y * m->row_words + x / 64] &= ~(UINT64_C(1) << x % 64);
        find_columns(m, y);
    }
}
