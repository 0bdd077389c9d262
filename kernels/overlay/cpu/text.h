/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CPU_TEXT_H
#define CCA_OVERLAY_CPU_TEXT_H

/* Draws texts. */

#include "stretch.h"

/* Size of a strip in which a text is drawn. */
#define TEXT_COLUMNS 64
#define TEXT_ROWS 32

/* The coverage of the pixels of a text in a part of the picture, and then of its cells in one plane
 * after the other. */
typedef struct TextStrip {
    Rect clip;                                 /* pixels of the text */
    int32_t x, y;                              /* upper left pixel, where cells of any size begin */
    uint8_t rows[TEXT_ROWS + 1][TEXT_COLUMNS]; /* the last one is read as a part of a block */
} TextStrip;

/* Copies at least 1 byte. The last block is aligned to the end and may overlap the one before. */
static void copy_bytes(uint8_t *const to, const uint8_t *const from, const uint32_t n)
{
    if (n < LANES) {
        memcpy(to, from, n);
        return;
    }
    for (uint32_t i = 0; i < n - LANES; i += LANES)
        memcpy(to + i, from + i, LANES);
    memcpy(to + n - LANES, from + n - LANES, LANES);
}

static void find_coverage(TextStrip *const strip, const CcaOverlayCommand *const c,
                          const uint32_t *const words, const CcaOverlayGlyphs *const glyphs)
{
    const Rect *const clip = &strip->clip;
    memset(strip->rows, 0, sizeof(strip->rows[0]) * (size_t) (clip->y1 - strip->y));
    for (uint32_t x = (uint32_t) (clip->x0 - c->x0), rest = (uint32_t) (clip->x1 - clip->x0), n;
         rest > 0; rest -= n, x += n) {
        const uint32_t place = x / glyphs->width, column = x % glyphs->width;
        const uint64_t glyph = words[c->first + place / 4] >> place % 4 * 8 & 0xff;
        const uint8_t *row = glyphs->coverage + column +
                             (glyph * glyphs->height + (uint32_t) (clip->y0 - c->y0)) *
                                 glyphs->width;
        n = umin(rest, glyphs->width - column);
        for (int32_t y = clip->y0; y < clip->y1; y++, row += glyphs->width)
            copy_bytes(&strip->rows[y - strip->y][clip->x1 - strip->x - (int32_t) rest], row, n);
    }
}

/* Combines each two rows to one, with the greater byte at each index. */
static void merge_rows(TextStrip *const strip, const uint32_t n_rows, const uint32_t n)
{
    for (uint32_t y = 0; y < n_rows; y += 2) {
        const uint8_t *const upper = strip->rows[y];
        const uint8_t *const lower = strip->rows[y + (y + 1 < n_rows)];
        for (uint32_t i = 0; i < n; i += LANES)
            store_block(&strip->rows[y / 2][i],
                        max_bytes(load_block(upper + i), load_block(lower + i)));
    }
}

/* Combines each two of the first `n` bytes of the rows to one, the greater. */
static void merge_columns(TextStrip *const strip, const uint32_t n_rows, const uint32_t n)
{
    for (uint32_t y = 0; y < n_rows; y++)
        for (uint32_t i = 0; i < (n + 1) / 2; i += LANES / 2) {
            const Bytes pairs = load_block(&strip->rows[y][2 * i]);
            const Words greater = even(max_bytes(pairs, (Bytes) odd(pairs)));
            const Half half = __builtin_convertvector(greater, Half);
            memcpy(&strip->rows[y][i], &half, sizeof(half));
        }
}

/* glyph_alpha() and blend() for samples of one byte. */
static Words blend_places(const Words values, const Words covered, const Words colours,
                          const uint16_t alpha)
{
    const Words a = alpha == 255 ? covered : divide(covered * alpha + 127);
    return divide(a * colours + (255 - a) * values + 127);
}

static Bytes blend_block(const uint8_t *const p, const uint8_t *const covered,
                         const uint8_t *const colours, const uint16_t alpha)
{
    const Bytes v = load_block(p), a = load_block(covered), c = load_block(colours);
    return join(blend_places(even(v), even(a), even(c), alpha),
                blend_places(odd(v), odd(a), odd(c), alpha));
}

/* Blends samples of 8 bits. The last block is aligned to the end and may overlap the one before
 * it. */
static void blend_covered(uint8_t *const p, const uint8_t *const covered, const uint32_t n,
                          const uint8_t *const colours, const uint16_t alpha)
{
    if (n < LANES) {
        for (uint32_t k = 0; k < n; k++)
            p[k] = (uint8_t) blend(glyph_alpha(covered[k], alpha), colours[k], p[k]);
        return;
    }
    const uint32_t end = n - LANES;
    const Bytes last = blend_block(p + end, covered + end, colours + end % 4, alpha);
    for (uint32_t i = 0; i < end; i += LANES)
        store_block(p + i, blend_block(p + i, covered + i, colours, alpha));
    store_block(p + end, last);
}

static void blend_covered_words(const Plane *const plane, uint16_t *const p,
                                const uint8_t *const covered, const uint32_t n,
                                const CcaOverlayCommand *const c)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t a = glyph_alpha(covered[k], c->alpha);
        const uint32_t value = p[k] >> plane->shift & ((1u << plane->depth) - 1);
        if (a != 0)
            p[k] = (uint16_t) (blend(a, c->colour[plane->channel[k % LANES]], value)
                               << plane->shift);
    }
}

/* Draws a row of `n` cells with the given coverage. */
static void draw_covered(const Plane *const plane, const CcaOverlayCommand *const c,
                         const uint8_t *const colours, const uint8_t *covered, const uint32_t n,
                         uint8_t *const p)
{
    const uint32_t n_samples = (n - 1) * plane->n + plane->last + 1;
    uint8_t samples[4 * TEXT_COLUMNS];
    if (plane->n == 2 && plane->channel[0] >= 0 && plane->channel[1] >= 0) {
        for (uint32_t i = 0; i < n; i += LANES / 2) {
            Half half;
            memcpy(&half, covered + i, sizeof(half));
            const Words pairs = __builtin_convertvector(half, Words) * 0x101;
            memcpy(samples + 2 * i, &pairs, sizeof(pairs));
        }
        covered = samples;
    } else if (plane->n > 1) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < plane->n; k++)
                samples[i * plane->n + k] = plane->channel[k] >= 0 ? covered[i] : 0;
        covered = samples;
    }
    if (plane->sample_size == 1)
        blend_covered(p, covered, n_samples, colours, c->alpha);
    else
        blend_covered_words(plane, (uint16_t *) (void *) p, covered, n_samples, c);
}

static void draw_text_strip(const Planes *const planes, const CcaOverlayCommand *const c,
                            TextStrip *const strip)
{
    uint32_t cell_x = 0, cell_y = 0, n = (uint32_t) (strip->clip.x1 - strip->x),
             n_rows = (uint32_t) (strip->clip.y1 - strip->y);
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        const Blend b = blend_of(plane, c, 255); /* for the colours */
        for (; cell_y < plane->cell_y; cell_y++, n_rows = (n_rows + 1) / 2)
            merge_rows(strip, n_rows, n);
        for (; cell_x < plane->cell_x; cell_x++, n = (n + 1) / 2)
            merge_columns(strip, n_rows, n);
        const int32_t left = strip->clip.x0 >> cell_x, first = left - (strip->x >> cell_x);
        for (uint32_t y = (uint32_t) (strip->clip.y0 - strip->y) >> cell_y; y < n_rows; y++)
            draw_covered(plane, c, b.bytes, strip->rows[y] + first, n - (uint32_t) first,
                         cell_at(plane, left, (strip->y >> cell_y) + (int32_t) y));
    }
}

static void draw_text(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const CcaOverlayGlyphs *const glyphs,
                      const Rect *const r)
{
    TextStrip strip;
    for (strip.y = r->y0 & -CELL; strip.y < r->y1; strip.y += TEXT_ROWS) {
        for (strip.x = r->x0 & -CELL; strip.x < r->x1; strip.x += TEXT_COLUMNS) {
            strip.clip = (Rect) {
                .x0 = imax(r->x0, strip.x),
                .x1 = imin(r->x1, strip.x + TEXT_COLUMNS),
                .y0 = imax(r->y0, strip.y),
                .y1 = imin(r->y1, strip.y + TEXT_ROWS),
            };
            find_coverage(&strip, c, words, glyphs);
            draw_text_strip(planes, c, &strip);
        }
    }
}

#endif /* CCA_OVERLAY_CPU_TEXT_H */
