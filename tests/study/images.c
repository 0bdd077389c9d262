/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "images.h"

/* --- all masks of few pixels: the first that an algorithm gets wrong is the smallest ---- */

static uint32_t most_pixels(const Set set)
{
    return set == SET_TINY ? 6 : set == SET_QUICK ? 9 : 12;
}

static uint64_t count_masks(const Set set)
{
    uint64_t n = 0;
    for (uint32_t pixels = 1; pixels <= most_pixels(set); pixels++)
        for (uint32_t width = 1; width <= pixels; width++)
            n += pixels % width ? 0 : UINT64_C(1) << pixels;
    return n;
}

static bool draw_mask(Mask *const m, Set set, uint64_t index, Rng *r)
{
    for (uint32_t pixels = 1;; pixels++)
        for (uint32_t width = 1; width <= pixels; width++) {
            if (pixels % width != 0)
                continue;
            if (index >> pixels == 0)
                return pattern_draw(m, PATTERN_BITS, width, pixels / width, (uint32_t) index, 0, 0);
            index -= UINT64_C(1) << pixels;
        }
}

/* --- two rows that end just after the pixels of a warp ---------------------------------- */

static const uint32_t seam_widths[] = { 33, 65 };

static uint64_t count_seams(Set set)
{
    return 64 * sizeof(seam_widths) / sizeof(*seam_widths);
}

/* Of each row there are or are not: the first pixel, the last, all between. */
static bool draw_seam(Mask *const m, Set set, const uint64_t index, Rng *r)
{
    const uint32_t width = seam_widths[index / 64], height = 2;
    if (!pattern_draw(m, PATTERN_EMPTY, width, height, 0, 0, 0))
        return false;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t part = x == 0 ? 0 : x == width - 1 ? 1 : 2;
            m->pixels[y * width + x] = index >> (3 * y + part) & 1;
        }
    return true;
}

/* --- all 4x4 masks side by side, which are then at all places of a warp ----------------- */

static uint64_t count_tiles(const Set set)
{
    return set == SET_TINY ? 4 : 1;
}

static bool draw_tiles_of_4(Mask *const m, const Set set, const uint64_t index, Rng *const r)
{
    if (set == SET_TINY)
        return pattern_draw(m, PATTERN_TILES, 5 * 26, 5 * 7, 4, 4, rng_below(r, 65536));
    return pattern_draw(m, PATTERN_TILES, 5 * 256, 5 * 256, 4, 4, index);
}

/* --- what is hard to label -------------------------------------------------------------- */

static const struct Size {
    uint32_t width, height;
} sizes[] = { { 70, 37 }, { 64, 64 }, { 257, 131 }, { 1000, 37 } };

static const struct Adversary {
    Pattern pattern;
    uint32_t a, b;
} adversaries[] = {
    { PATTERN_SPIRAL, 0, 0 },      { PATTERN_DOUBLE_SPIRAL, 0, 0 },
    { PATTERN_COMB, 0, 0 },        { PATTERN_COMB, 1, 0 },
    { PATTERN_COMB, 2, 0 },        { PATTERN_COMB, 3, 0 },
    { PATTERN_SNAKE_ROWS, 0, 0 },  { PATTERN_SNAKE_COLUMNS, 0, 0 },
    { PATTERN_HILBERT, 0, 0 },     { PATTERN_CHECKER, 0, 0 },
    { PATTERN_CHECKER, 1, 0 },     { PATTERN_GRID, 0, 0 },
    { PATTERN_RINGS, 0, 0 },       { PATTERN_BORDER, 1, 0 },
    { PATTERN_THIRDS, 0, 0 },      { PATTERN_COLUMNS, 1, 0 },
    { PATTERN_ROWS, 1, 0 },        { PATTERN_COLUMNS, 64, 0 },
    { PATTERN_DIAGONALS, 0, 0 },   { PATTERN_DIAGONALS, 1, 0 },
    { PATTERN_DIAGONALS, 2, 0 },   { PATTERN_GLYPHS, 0, 0 },
    { PATTERN_WEAVE_ROWS, 16, 3 }, { PATTERN_WEAVE_COLUMNS, 32, 3 },
    { PATTERN_EMPTY, 0, 0 },       { PATTERN_FULL, 0, 0 },
    { PATTERN_LAST_PIXEL, 0, 0 },  { PATTERN_RECTANGLES, 40, 0 },
    { PATTERN_BLOBS, 60, 0 },
};
#define N_ADVERSARIES (sizeof(adversaries) / sizeof(*adversaries))

static uint64_t count_adversaries(const Set set)
{
    return N_ADVERSARIES * (set == SET_TINY ? 1 : sizeof(sizes) / sizeof(*sizes));
}

static bool draw_adversary(Mask *const m, Set set, const uint64_t index, Rng *const r)
{
    const struct Adversary *const a = &adversaries[index % N_ADVERSARIES];
    const struct Size *const s = &sizes[index / N_ADVERSARIES];
    return pattern_draw(m, a->pattern, s->width, s->height, a->a, a->b, rng_next(r));
}

/* --- noise: density by size of its blocks ----------------------------------------------- */

static uint64_t count_noise(const Set set)
{
    return set == SET_TINY ? 3 * 7 : set == SET_QUICK ? 3 * 21 : 16 * 101;
}

static bool draw_noise_of(Mask *const m, const Set set, const uint64_t index, Rng *const r)
{
    static const uint32_t blocks[] = { 1, 4, 16 };
    const uint32_t i = (uint32_t) index;
    const uint32_t density = set == SET_TINY  ? 5 + 15 * (i / 3) :
                             set == SET_QUICK ? 5 * (i / 3) :
                                                i / 16;
    const uint32_t size = set == SET_TINY ? 70 : set == SET_QUICK ? 200 : 1024;
    return pattern_draw(m, PATTERN_NOISE, size, size / 2, density,
                        set == SET_FULL ? 1 + i % 16 : blocks[i % 3], rng_next(r));
}

/* --- any pattern of any size ------------------------------------------------------------ */

static uint64_t count_random(const Set set)
{
    return set == SET_TINY ? 60 : set == SET_QUICK ? 1000 : 20000;
}

static uint32_t random_length(Rng *const r)
{
    static const uint32_t notable[] = { 1,  2,  3,   4,   5,   7,   8,   9,   15,
                                        16, 17, 31,  32,  33,  63,  64,  65,  95,
                                        96, 97, 127, 128, 129, 192, 255, 256, 257 };
    return rng_percent(r, 60) ? PICK(r, notable) : rng_range(r, 1, 100);
}

static bool draw_random(Mask *const m, Set set, uint64_t index, Rng *const r)
{
    const Pattern pattern = rng_percent(r, 30) ? PATTERN_NOISE : (Pattern) rng_below(r, N_PATTERNS);
    const uint32_t width = random_length(r), height = random_length(r);
    uint32_t a, b;
    pattern_pick(pattern, width, height, r, &a, &b);
    return pattern_draw(m, pattern, width, height, a, b, rng_next(r));
}

const Group image_groups[] = {
    { "masks", "all masks of up to 6 (quick: 9, full: 12) pixels", count_masks, draw_mask },
    { "seams", "two rows of 33 or 65 pixels", count_seams, draw_seam },
    { "tiles", "all (tiny: some) 4x4 masks side by side", count_tiles, draw_tiles_of_4 },
    { "adversaries", "spirals, combs, snakes, grids, ...", count_adversaries, draw_adversary },
    { "noise", "by density and size of blocks", count_noise, draw_noise_of },
    { "random", "any pattern of any size", count_random, draw_random },
};
const uint32_t n_image_groups = sizeof(image_groups) / sizeof(*image_groups);
