/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "patterns.h"

/* Walks along `dx, dy` as long as the path stays `pitch` pixels away from the
 * edge and from drawn pixels, then turns right; ends when it cannot move. */
static bool is_free(const Mask *const m, const int64_t x, const int64_t y)
{
    return x < 0 || y < 0 || x >= m->width || y >= m->height ||
           !m->pixels[(size_t) y * m->width + (size_t) x];
}

static bool can_step(const Mask *const m, const int64_t x, const int64_t y, const int dx,
                     const int dy, const uint32_t pitch)
{
    const int64_t nx = x + dx, ny = y + dy;
    if (nx < 0 || ny < 0 || nx >= m->width || ny >= m->height)
        return false;
    for (uint32_t i = 1; i <= pitch; i++)
        if (!is_free(m, x + dx * (int64_t) i, y + dy * (int64_t) i))
            return false;
    return true;
}

void draw_spiral(Mask *const m, const uint32_t pitch)
{
    int64_t x = 0, y = 0;
    int dx = 1, dy = 0;
    mask_set(m, 0, 0);
    for (int turns = 0; turns < 2;) {
        if (can_step(m, x, y, dx, dy, pitch)) {
            x += dx;
            y += dy;
            mask_set(m, x, y);
            turns = 0;
        } else {
            const int old = dx;
            dx = -dy;
            dy = old;
            turns++;
        }
    }
}

/* A second arm, the first one turned by half a turn, in the gaps of the first. */
void draw_double_spiral(Mask *const m)
{
    draw_spiral(m, 4);
    const size_t n = (size_t) m->width * m->height;
    for (size_t i = 0; i < n / 2; i++)
        m->pixels[i] = m->pixels[n - 1 - i] = m->pixels[i] | m->pixels[n - 1 - i];
}

/* Point `d` of the Hilbert curve through a square of `n` x `n` points. */
static void hilbert_point(const uint32_t n, uint64_t d, uint32_t *const x, uint32_t *const y)
{
    *x = *y = 0;
    for (uint32_t s = 1; s < n; s *= 2, d /= 4) {
        const uint32_t rx = d / 2 & 1, ry = (uint32_t) (d ^ rx) & 1;
        if (ry == 0) {
            const uint32_t t = rx ? s - 1 - *y : *y;
            *y = rx ? s - 1 - *x : *x;
            *x = t;
        }
        *x += s * rx;
        *y += s * ry;
    }
}

void draw_hilbert(Mask *const m)
{
    const uint32_t longer = m->width > m->height ? m->width : m->height;
    uint32_t n = 1;
    while (2 * n <= longer)
        n *= 2;
    uint32_t px = 0, py = 0;
    mask_set(m, 0, 0);
    for (uint64_t d = 1; d < (uint64_t) n * n; d++) {
        uint32_t x, y;
        hilbert_point(n, d, &x, &y);
        mask_set(m, (int64_t) x + px, (int64_t) y + py); /* half way */
        mask_set(m, 2 * (int64_t) x, 2 * (int64_t) y);
        px = x;
        py = y;
    }
}

/* Bars of six pixels across the seam, two apart. `joints`: 0 none, 1 all on
 * the near side, 2 all on the far side, 3 in turn, so that one path crosses
 * the seam over and over. */
void draw_weave(Mask *const m, const bool columns, const uint32_t seam, const uint32_t joints)
{
    const int64_t length = columns ? m->height : m->width;
    for (int64_t i = 0; i < length; i += 2) {
        const bool far_side = joints == 2 || (joints == 3 && i % 4 == 0);
        for (int64_t j = (int64_t) seam - 3; j < (int64_t) seam + 3; j++)
            columns ? mask_set(m, j, i) : mask_set(m, i, j);
        if (joints == 0 || i + 1 == length)
            continue;
        const int64_t end = far_side ? (int64_t) seam + 2 : (int64_t) seam - 3;
        columns ? mask_set(m, end, i + 1) : mask_set(m, i + 1, end);
    }
}

/* Five rows of five pixels each, the first pixel of a row in bit 4. */
static const uint8_t glyphs[][5] = {
    { 0x04, 0x04, 0x04, 0x14, 0x1c }, /* J */
    { 0x04, 0x1c, 0x00, 0x00, 0x00 }, /* first pixel right of the left edge */
    { 0x04, 0x04, 0x04, 0x04, 0x1f }, /* inverted T */
    { 0x1f, 0x04, 0x04, 0x04, 0x04 }, /* T */
    { 0x11, 0x11, 0x11, 0x11, 0x1f }, /* U: two ends meet last */
    { 0x1f, 0x11, 0x11, 0x11, 0x11 }, /* inverted U */
    { 0x11, 0x11, 0x1f, 0x11, 0x11 }, /* H */
    { 0x0f, 0x10, 0x0e, 0x01, 0x1e }, /* S, by corners */
    { 0x01, 0x02, 0x04, 0x08, 0x10 }, /* rising diagonal */
    { 0x10, 0x08, 0x04, 0x02, 0x01 }, /* falling diagonal */
    { 0x11, 0x0a, 0x04, 0x0a, 0x11 }, /* X */
    { 0x11, 0x0a, 0x04, 0x00, 0x00 }, /* V */
    { 0x15, 0x15, 0x15, 0x15, 0x1f }, /* W: three ends meet last */
    { 0x0e, 0x11, 0x15, 0x11, 0x0e }, /* a pixel inside a ring */
    { 0x1f, 0x01, 0x1d, 0x11, 0x1f }, /* spiral */
};

void draw_glyphs(Mask *const m, Rng *const r)
{
    const uint32_t n = sizeof(glyphs) / sizeof(glyphs[0]);
    for (int64_t y = rng_below(r, 3); y < m->height; y += 6)
        for (int64_t x = rng_below(r, 3); x < m->width; x += 6) {
            const uint8_t *const g = glyphs[rng_below(r, n)];
            for (int i = 0; i < 25; i++)
                if (g[i / 5] >> (4 - i % 5) & 1)
                    mask_set(m, x + i % 5, y + i / 5);
        }
}

/* Consecutive tiles hold quite different masks: their numbers are multiplied
 * by an odd constant, which permutes them. */
void draw_tiles(Mask *const m, const uint32_t width, const uint32_t height, const uint64_t first)
{
    const uint64_t all = (UINT64_C(1) << width * height) - 1;
    uint64_t number = first;
    for (uint32_t y = 0; y < m->height; y += height + 1)
        for (uint32_t x = 0; x < m->width; x += width + 1, number++) {
            const uint64_t bits = number * UINT64_C(0x9e3779b97f4a7c15) & all;
            for (uint32_t i = 0; i < width * height; i++)
                if (bits >> i & 1)
                    mask_set(m, x + i % width, y + i / width);
        }
}
