/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "patterns.h"

static void draw_noise(const Mask *const m, const uint32_t density, const uint32_t block,
                       Rng *const r)
{
    const size_t w = m->width;
    for (uint32_t y = 0; y < m->height; y++) {
        uint8_t *const row = m->pixels + y * w;
        if (y % block != 0) {
            memcpy(row, row - w, w);
            continue;
        }
        for (uint32_t x = 0; x < m->width; x++)
            row[x] = x % block ? row[x - 1] : rng_percent(r, density);
    }
}

static void draw_rectangle(const Mask *const m, Rng *const r)
{
    const uint32_t x0 = rng_below(r, m->width), y0 = rng_below(r, m->height);
    const uint32_t w = 1 + rng_below(r, (m->width + 3) / 4);
    const uint32_t h = 1 + rng_below(r, (m->height + 3) / 4);
    const uint8_t value = !rng_percent(r, 25);
    for (uint32_t y = y0; y < m->height && y - y0 < h; y++)
        for (uint32_t x = x0; x < m->width && x - x0 < w; x++)
            m->pixels[(size_t) y * m->width + x] = value;
}

static void draw_blob(const Mask *const m, Rng *const r)
{
    const int64_t cx = rng_below(r, m->width), cy = rng_below(r, m->height);
    const int64_t shorter = m->width < m->height ? m->width : m->height;
    const int64_t radius = 1 + rng_below(r, (uint32_t) shorter / 6 + 1);
    const int64_t hole = rng_percent(r, 30) ? radius / 2 : -1;
    for (int64_t dy = -radius; dy <= radius; dy++)
        for (int64_t dx = -radius; dx <= radius; dx++) {
            const int64_t d = dx * dx + dy * dy;
            if (d <= radius * radius && d > (hole < 0 ? -1 : hole * hole))
                mask_set(m, cx + dx, cy + dy);
        }
}

static uint32_t edge_distance(const Mask *const m, const uint32_t x, const uint32_t y)
{
    const uint32_t right = m->width - 1 - x, bottom = m->height - 1 - y;
    const uint32_t dx = x < right ? x : right, dy = y < bottom ? y : bottom;
    return dx < dy ? dx : dy;
}

static bool comb(const Mask *const m, const uint32_t side, const uint32_t x, const uint32_t y)
{
    switch (side) {
    case 0: return y == 0 || x % 2 == 0;
    case 1: return y == m->height - 1 || x % 2 == 0;
    case 2: return x == 0 || y % 2 == 0;
    default: return x == m->width - 1 || y % 2 == 0;
    }
}

static bool snake(const uint32_t along, const uint32_t across, const uint32_t length)
{
    return across % 2 == 0 || along == (across % 4 == 1 ? length - 1 : 0);
}

static bool diagonal(const uint32_t which, const uint32_t x, const uint32_t y)
{
    const bool falling = (x + 3 * (uint64_t) y) % 4 == 0, rising = ((uint64_t) x + y) % 4 == 0;
    return which == 0 ? falling : which == 1 ? rising : falling || rising;
}

/* Lying ones are over the borders of blocks of 8 pixels: four of five there, on every other
 * row. */
static bool domino(const uint32_t which, const uint32_t x, const uint32_t y)
{
    if (which == 0)
        return (y + x % 2 * 2) % 4 < 2;
    return (x + 1) % 8 < 2 && y % 2 == 0 && ((x + 1) / 8 * 2 + y / 2 * 3) % 5 != 0;
}

/* Patterns defined by a formula for each pixel. */
static bool formula(const Mask *const m, const Pattern pattern, const uint32_t x, const uint32_t y,
                    const uint32_t a, const uint32_t b)
{
    switch (pattern) {
    case PATTERN_FULL: return true;
    case PATTERN_FIRST_PIXEL: return x == 0 && y == 0;
    case PATTERN_LAST_PIXEL: return x == m->width - 1 && y == m->height - 1;
    case PATTERN_BITS: return a >> (y * m->width + x) % 32 & 1;
    case PATTERN_CHECKER: return (x + y + a) % 2 == 1 && (b <= 1 || y < b);
    case PATTERN_GRID: return x % 2 == a % 2 && y % 2 == b % 2;
    case PATTERN_DOMINOES: return domino(a, x, y);
    case PATTERN_THIRDS: return x % 3 == 0;
    case PATTERN_COLUMNS: return x / a % 2 == 0;
    case PATTERN_ROWS: return y / a % 2 == 0;
    case PATTERN_BORDER: return edge_distance(m, x, y) < a;
    case PATTERN_RINGS: return edge_distance(m, x, y) % 2 == 0;
    case PATTERN_SNAKE_ROWS: return snake(x, y, m->width);
    case PATTERN_SNAKE_COLUMNS: return snake(y, x, m->height);
    case PATTERN_COMB: return comb(m, a, x, y);
    case PATTERN_DIAGONALS: return diagonal(a, x, y);
    default: return false;
    }
}

static bool mask_resize(Mask *const m, const uint32_t width, const uint32_t height)
{
    const size_t size = (size_t) width * height;
    if (size > m->room) {
        free(m->pixels);
        m->pixels = malloc(size);
        m->room = m->pixels ? size : 0;
        if (m->pixels == NULL)
            return false;
    }
    m->width = width;
    m->height = height;
    return true;
}

bool pattern_draw(Mask *const m, const Pattern pattern, const uint32_t width, const uint32_t height,
                  const uint32_t a, const uint32_t b, const uint64_t seed)
{
    if (!mask_resize(m, width, height))
        return false;
    Rng rng = { seed };
    memset(m->pixels, 0, (size_t) width * height);
    switch (pattern) {
    case PATTERN_EMPTY: break;
    case PATTERN_TILES: draw_tiles(m, a, b, seed); break;
    case PATTERN_NOISE: draw_noise(m, a, b, &rng); break;
    case PATTERN_SPIRAL: draw_spiral(m, 2); break;
    case PATTERN_DOUBLE_SPIRAL: draw_double_spiral(m); break;
    case PATTERN_HILBERT: draw_hilbert(m); break;
    case PATTERN_WEAVE_ROWS: draw_weave(m, false, a, b); break;
    case PATTERN_WEAVE_COLUMNS: draw_weave(m, true, a, b); break;
    case PATTERN_GLYPHS: draw_glyphs(m, &rng); break;
    case PATTERN_RECTANGLES:
        for (uint32_t i = 0; i < a; i++)
            draw_rectangle(m, &rng);
        break;
    case PATTERN_BLOBS:
        for (uint32_t i = 0; i < a; i++)
            draw_blob(m, &rng);
        break;
    default:
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++)
                m->pixels[(size_t) y * width + x] = formula(m, pattern, x, y, a, b);
        break;
    }
    return true;
}

void pattern_pick(const Pattern pattern, const uint32_t width, const uint32_t height, Rng *const r,
                  uint32_t *const a, uint32_t *const b)
{
    *a = *b = 0;
    switch (pattern) {
    case PATTERN_BITS: *a = (uint32_t) rng_next(r); break;
    case PATTERN_TILES:
        *a = 4;
        *b = 4;
        break;
    case PATTERN_NOISE:
        *a = rng_range(r, 0, 100);
        *b = rng_range(r, 1, 16);
        break;
    case PATTERN_CHECKER: *a = rng_below(r, 2); break;
    case PATTERN_GRID:
        *a = rng_below(r, 2);
        *b = rng_below(r, 2);
        break;
    case PATTERN_COLUMNS:
    case PATTERN_ROWS: *a = rng_range(r, 1, 9); break;
    case PATTERN_BORDER: *a = rng_range(r, 1, 3); break;
    case PATTERN_COMB: *a = rng_below(r, 4); break;
    case PATTERN_WEAVE_ROWS:
        *a = rng_below(r, height + 1);
        *b = rng_below(r, 4);
        break;
    case PATTERN_WEAVE_COLUMNS:
        *a = rng_below(r, width + 1);
        *b = rng_below(r, 4);
        break;
    case PATTERN_DIAGONALS: *a = rng_below(r, 3); break;
    case PATTERN_RECTANGLES:
    case PATTERN_BLOBS: *a = rng_range(r, 1, 40); break;
    default: break;
    }
}

const char *pattern_name(const Pattern pattern)
{
    static const char *const names[N_PATTERNS] = {
        "empty",         "full",       "first-pixel", "last-pixel", "bits",          "tiles",
        "noise",         "checker",    "grid",        "dominoes",   "thirds",        "columns",
        "rows",          "border",     "rings",       "spiral",     "double-spiral", "snake-rows",
        "snake-columns", "comb",       "hilbert",     "weave-rows", "weave-columns", "diagonals",
        "glyphs",        "rectangles", "blobs",
    };
    return names[pattern];
}
