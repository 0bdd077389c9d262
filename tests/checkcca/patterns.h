/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_PATTERNS_H
#define CHECKCCA_PATTERNS_H

/* Masks: one byte a pixel, 0 or 1, row after row without padding. */

#include <stddef.h>

#include "rng.h"

typedef struct Mask {
    uint8_t *pixels;
    uint32_t width, height;
    size_t room;
} Mask;

typedef enum Pattern {
    PATTERN_EMPTY,
    PATTERN_FULL,
    PATTERN_FIRST_PIXEL,
    PATTERN_LAST_PIXEL,
    PATTERN_BITS,     /* a: the mask itself, bit 0 at the first pixel */
    PATTERN_TILES,    /* all masks of a x b pixels, one after the other, 1 pixel apart;
                       * seed: number of the first */
    PATTERN_NOISE,    /* a: density in percent, b: size of a block in pixels */
    PATTERN_CHECKER,  /* a: 0 or 1, the colour of the first pixel; b: rows that have any, if
                       * more than one. Most 4-components */
    PATTERN_GRID,     /* a, b: position modulo 2. Most 8-components */
    PATTERN_DOMINOES, /* two pixels of four, standing: very many components of two rows;
                         a 1: lying, over the borders of blocks of 8 pixels */
    PATTERN_THIRDS,   /* each third pixel of each row */
    PATTERN_COLUMNS,  /* a: width of a stripe and of the gap after it */
    PATTERN_ROWS,     /* the same */
    PATTERN_BORDER,   /* a: thickness */
    PATTERN_RINGS,    /* concentric frames */
    PATTERN_SPIRAL,
    PATTERN_DOUBLE_SPIRAL,
    PATTERN_SNAKE_ROWS, /* one path through all rows, left and right */
    PATTERN_SNAKE_COLUMNS,
    PATTERN_COMB, /* a: side of the spine, 0 top, 1 bottom, 2 left, 3 right */
    PATTERN_HILBERT,
    PATTERN_WEAVE_ROWS, /* crosses the line above row a many times; b: how ends are joined */
    PATTERN_WEAVE_COLUMNS,
    PATTERN_DIAGONALS,  /* pixels that touch by corners; a: 0 falling, 1 rising, 2 both */
    PATTERN_GLYPHS,     /* J, T, U, H, S, ... whose first pixel is not the leftmost */
    PATTERN_RECTANGLES, /* a: how many */
    PATTERN_BLOBS,      /* a: how many */
    N_PATTERNS,
} Pattern;

const char *pattern_name(Pattern pattern);

/* Random `a` and `b` that suit the pattern. */
void pattern_pick(Pattern pattern, uint32_t width, uint32_t height, Rng *rng, uint32_t *a,
                  uint32_t *b);

/* Returns false if memory ran out. */
bool pattern_draw(Mask *mask, Pattern pattern, uint32_t width, uint32_t height, uint32_t a,
                  uint32_t b, uint64_t seed);

/* The more winding ones; all pixels are 0 before. */
void draw_spiral(Mask *mask, uint32_t pitch);
void draw_double_spiral(Mask *mask);
void draw_hilbert(Mask *mask);
void draw_weave(Mask *mask, bool columns, uint32_t seam, uint32_t joints);
void draw_glyphs(Mask *mask, Rng *rng);
void draw_tiles(Mask *mask, uint32_t width, uint32_t height, uint64_t first);

static inline void mask_set(const Mask *const m, const int64_t x, const int64_t y)
{
    if (x >= 0 && y >= 0 && x < m->width && y < m->height)
        m->pixels[(size_t) y * m->width + (size_t) x] = 1;
}

#endif /* CHECKCCA_PATTERNS_H */
