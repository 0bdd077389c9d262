/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Patterns that are hard to label, and noise. */

#include "cases.h"

static const struct Size {
    uint32_t width, height;
} sizes[] = {
    { 64, 64 }, { 257, 131 }, { 1000, 37 }, { 1920, 1080 }, { 7680, 4320 },
};

static const struct Named {
    Pattern pattern;
    uint32_t a, b;
} adversaries[] = {
    { PATTERN_SPIRAL, 0, 0 },     { PATTERN_DOUBLE_SPIRAL, 0, 0 }, { PATTERN_COMB, 0, 0 },
    { PATTERN_COMB, 1, 0 },       { PATTERN_COMB, 2, 0 },          { PATTERN_COMB, 3, 0 },
    { PATTERN_SNAKE_ROWS, 0, 0 }, { PATTERN_SNAKE_COLUMNS, 0, 0 }, { PATTERN_HILBERT, 0, 0 },
    { PATTERN_CHECKER, 0, 0 },    { PATTERN_CHECKER, 1, 0 },       { PATTERN_GRID, 0, 0 },
    { PATTERN_GRID, 1, 1 },       { PATTERN_RINGS, 0, 0 },         { PATTERN_BORDER, 1, 0 },
    { PATTERN_BORDER, 2, 0 },     { PATTERN_THIRDS, 0, 0 },        { PATTERN_COLUMNS, 1, 0 },
    { PATTERN_ROWS, 1, 0 },       { PATTERN_COLUMNS, 64, 0 },      { PATTERN_ROWS, 8, 0 },
    { PATTERN_DIAGONALS, 0, 0 },  { PATTERN_DIAGONALS, 1, 0 },     { PATTERN_DIAGONALS, 2, 0 },
    { PATTERN_GLYPHS, 0, 0 },     { PATTERN_WEAVE_ROWS, 33, 3 },   { PATTERN_WEAVE_COLUMNS, 32, 3 },
    { PATTERN_EMPTY, 0, 0 },      { PATTERN_FULL, 0, 0 },          { PATTERN_FIRST_PIXEL, 0, 0 },
    { PATTERN_LAST_PIXEL, 0, 0 }, { PATTERN_RECTANGLES, 40, 0 },   { PATTERN_BLOBS, 60, 0 },
    { PATTERN_DOMINOES, 0, 0 },
};

#define N_ADVERSARIES (sizeof(adversaries) / sizeof(adversaries[0]))

/* Two connectivities; in full also inverted. */
static uint64_t count_adversaries(const Set set)
{
    if (set == SET_TINY)
        return N_ADVERSARIES;
    return N_ADVERSARIES * 2 * (set == SET_FULL ? 2 * 5 : 3);
}

static void run_adversaries(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const struct Named *const p = &adversaries[index % N_ADVERSARIES];
    const uint64_t variant = index / N_ADVERSARIES;
    const struct Size *const s = &sizes[variant / 2 % 5];
    const bool tiny = k->options->set == SET_TINY;
    Case c = case_plain(&r, p->pattern, tiny ? 40 : s->width, tiny ? 33 : s->height, p->a, p->b);
    if (!tiny)
        c.params.connectivity = variant % 2 ? 8 : 4;
    if (k->options->set == SET_FULL)
        c.params.invert = variant / 10;
    check_case(k, &c);
}

const Group group_adversaries = {
    "adversaries",   "spirals, combs, snakes, grids, ... up to 1000 (full: 7680) wide",
    USE_ALL,         count_adversaries,
    run_adversaries,
};

/* Density by granularity. */
static uint64_t count_noise(const Set set)
{
    return set == SET_TINY ? 12 : set == SET_QUICK ? 2 * 21 * 6 : 2 * 101 * 16;
}

static void run_noise(Check *const k, const uint64_t index)
{
    static const uint32_t blocks[] = { 1, 2, 3, 4, 8, 16 };
    Rng r = check_rng(k);
    const uint32_t i = (uint32_t) (index / 2);
    const Set set = k->options->set;
    const uint32_t density = set == SET_FULL ? i % 101 : i % 21 * 5;
    const uint32_t block = set == SET_FULL ? 1 + i / 101 : blocks[i / 21];
    Case c = set == SET_TINY  ? case_plain(&r, PATTERN_NOISE, 50, 40, 10 + 15 * i, 1 + i / 2) :
             set == SET_QUICK ? case_plain(&r, PATTERN_NOISE, 211, 130, density, block) :
                                case_plain(&r, PATTERN_NOISE, 1024, 1024, density, block);
    c.params.connectivity = index % 2 ? 8 : 4;
    check_case(k, &c);
}

const Group group_noise = {
    "noise",   "densities from 0 to 100 % by block sizes from 1 to 16", USE_ALL, count_noise,
    run_noise,
};
