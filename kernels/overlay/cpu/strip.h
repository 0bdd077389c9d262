/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CPU_STRIP_H
#define CCA_OVERLAY_CPU_STRIP_H

/* Draws the cells that a path or mask covers: those of which any pixel is covered. */

#include "stretch.h"

/* Maximum words, of 64 pixels each, of a strip and of a row of it. */
#define STRIP_WORDS 1024
#define STRIP_ROW_WORDS 32

/* Rows of a strip in which each has one run of pixels. */
#define STRIP_RUNS 256

/* The pixels of a path or mask in a part of the picture, and then its cells in one plane after the
 * other. A pixel that several segments cover is one bit, so that each sample is blended once. */
typedef struct Strip {
    Rect clip;        /* pixels that it may cover */
    int32_t x, y;     /* upper left pixel, where cells of any size begin */
    uint32_t pitch;   /* words from row to row */
    uint32_t n_words; /* of a row, in use */
    union {
        uint64_t words[STRIP_WORDS];
        int32_t runs[STRIP_RUNS][2]; /* instead of words, if the pitch is 0: first and end */
    };
} Strip;

/* Packs the even bits. */
static uint64_t every_second_bit(uint64_t v)
{
    v &= UINT64_C(0x5555555555555555);
    v = (v | v >> 1) & UINT64_C(0x3333333333333333);
    v = (v | v >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    v = (v | v >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (v | v >> 16) & UINT64_C(0x00000000ffffffff);
}

/* Combines each two rows to one. */
static void halve_rows(Strip *const strip, const uint32_t n_rows)
{
    for (uint32_t i = 0; i < n_rows; i += 2) {
        const uint64_t *const upper = strip->words + i * strip->pitch;
        const uint64_t *const lower = i + 1 < n_rows ? upper + strip->pitch : upper;
        for (uint32_t k = 0; k < strip->n_words; k++)
            strip->words[i / 2 * strip->pitch + k] = upper[k] | lower[k];
    }
}

/* Combines each two bits to one. */
static void halve_columns(Strip *const strip, const uint32_t n_rows)
{
    for (uint32_t i = 0; i < n_rows; i++) {
        uint64_t *const row = strip->words + i * strip->pitch;
        for (uint32_t k = 0; k < strip->n_words; k += 2) {
            const uint64_t low = row[k], high = k + 1 < strip->n_words ? row[k + 1] : 0;
            row[k / 2] = every_second_bit(low | low >> 1) | every_second_bit(high | high >> 1)
                                                                << 32;
        }
    }
    strip->n_words = (strip->n_words + 1) / 2;
}

/* Draws the runs of set bits of a row. Runs are split at the ends of words. */
static void draw_row(const Plane *const plane, const Blend *const b, const uint64_t *const row,
                     const uint32_t n_words, uint8_t *const first)
{
    for (uint32_t k = 0; k < n_words; k++) {
        uint8_t *const p = first + (uint64_t) k * 64 * plane->step;
        for (uint64_t word = row[k], carried; word != 0; word &= carried) {
            const uint32_t from = (uint32_t) __builtin_ctzll(word);
            carried = word + (word & -word);
            const uint32_t to = carried != 0 ? (uint32_t) __builtin_ctzll(carried) : 64;
            draw_stretch(plane, b, p + from * plane->step, to - from);
        }
    }
}

static void draw_strip(const Planes *const planes, const Blend *const blends, Strip *const strip)
{
    uint32_t cell_x = 0, cell_y = 0, n_rows = (uint32_t) (strip->clip.y1 - strip->y);
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        for (; cell_y < plane->cell_y; cell_y++) {
            halve_rows(strip, n_rows);
            n_rows = (n_rows + 1) / 2;
        }
        for (; cell_x < plane->cell_x; cell_x++)
            halve_columns(strip, n_rows);
        for (uint32_t k = (uint32_t) (strip->clip.y0 - strip->y) >> cell_y; k < n_rows; k++)
            draw_row(plane, &blends[i], strip->words + k * strip->pitch, strip->n_words,
                     cell_at(plane, strip->x >> cell_x, (strip->y >> cell_y) + (int32_t) k));
    }
}

/* Draws the runs of `n_rows` rows. Runs of rows next to each other overlap or touch, so those of a
 * row of cells are one run of cells. */
static void draw_runs(const Planes *const planes, const Blend *const blends,
                      const Strip *const strip, const int32_t n_rows)
{
    for (uint32_t i = 0; i < planes->n; i++) {
        const Plane *const plane = &planes->planes[i];
        const int32_t n = 1 << plane->cell_y;
        for (int32_t y = 0; y < n_rows; y += n) {
            int32_t from = strip->runs[y][0], to = strip->runs[y][1];
            for (int32_t k = y + 1; k < imin(y + n, n_rows); k++) {
                from = imin(from, strip->runs[k][0]);
                to = imax(to, strip->runs[k][1]);
            }
            if (from >= to)
                continue;
            from = (strip->x + from) >> plane->cell_x;
            to = round_up(strip->x + to, plane->cell_x);
            draw_stretch(plane, &blends[i], cell_at(plane, from, (strip->y + y) >> plane->cell_y),
                         (uint32_t) (to - from));
        }
    }
}

#endif /* CCA_OVERLAY_CPU_STRIP_H */
