/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* All widths and heights, and all patterns on a seam. */

#include "cases.h"

typedef struct Choice {
    Pattern pattern;
    uint32_t a, b;
} Choice;

#define N_CHOICES 6

/* 129x129 sizes; a prime step samples the quick and tiny sets evenly. */
static const Choice size_choices[N_CHOICES] = {
    { PATTERN_CHECKER, 1, 0 },    { PATTERN_GRID, 0, 0 },  { PATTERN_NOISE, 50, 1 },
    { PATTERN_SNAKE_ROWS, 0, 0 }, { PATTERN_RINGS, 0, 0 }, { PATTERN_FULL, 0, 0 },
};

static uint64_t count_sizes(const Set set)
{
    return set == SET_TINY ? 30 : set == SET_QUICK ? 129 * 129 : 129 * 129 * N_CHOICES;
}

static void run_sizes(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint64_t i = k->options->set == SET_TINY ? index * 557 : index;
    const uint64_t size = i % (129 * 129), round = i / (129 * 129);
    const Choice *const p = &size_choices[(size % 7 + round) % N_CHOICES];
    const Case c = case_plain(&r, p->pattern, 1 + (uint32_t) (size % 129),
                              1 + (uint32_t) (size / 129), p->a, p->b);
    check_case(k, &c);
}

const Group group_sizes = {
    "sizes", "all sizes from 1x1 to 129x129", USE_SINGLE, count_sizes, run_sizes,
};

static const Choice width_choices[N_CHOICES] = {
    { PATTERN_NOISE, 60, 1 },     { PATTERN_THIRDS, 0, 0 },        { PATTERN_CHECKER, 0, 0 },
    { PATTERN_WEAVE_ROWS, 1, 3 }, { PATTERN_SNAKE_COLUMNS, 0, 0 }, { PATTERN_FULL, 0, 0 },
};

/* The tiny set has some of all widths, and those that a tile exceeds by one, in aligned rows. */
#define TINY_WIDTHS 20

static uint64_t count_widths(const Set set)
{
    return set == SET_TINY ? TINY_WIDTHS + 8 : set == SET_QUICK ? 1100 : 1100 * N_CHOICES;
}

static void run_widths(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint64_t i = k->options->set != SET_TINY ? index :
                       index < TINY_WIDTHS         ? index * 47 :
                                                     128 * (index - TINY_WIDTHS + 1) - 2;
    const Choice *const p = &width_choices[(i + i / 1100) % N_CHOICES];
    const uint32_t height = rng_percent(&r, 70) ? 3 : rng_range(&r, 1, 4);
    Case c = case_plain(&r, p->pattern, 1 + (uint32_t) (i % 1100), height, p->a, p->b);
    if (k->options->set == SET_TINY && index >= TINY_WIDTHS)
        c.layout = (Layout) { .padding = c.config.sample_size, .poison = POISON_FOREGROUND };
    check_case(k, &c);
}

const Group group_widths = {
    "widths", "all widths from 1 to 1100", USE_SINGLE, count_widths, run_widths,
};

/* How an engine shares a frame among threads depends on its height. */
static const Choice height_choices[] = {
    { PATTERN_SNAKE_COLUMNS, 0, 0 }, { PATTERN_NOISE, 55, 1 }, { PATTERN_DOUBLE_SPIRAL, 0, 0 },
    { PATTERN_CHECKER, 1, 0 },       { PATTERN_COMB, 1, 0 },   { PATTERN_COLUMNS, 1, 0 },
    { PATTERN_GLYPHS, 0, 0 },        { PATTERN_FULL, 0, 0 },   { PATTERN_SPIRAL, 0, 0 },
    { PATTERN_GRID, 0, 0 },          { PATTERN_RINGS, 0, 0 },  { PATTERN_DIAGONALS, 2, 0 },
};

#define N_HEIGHT_CHOICES (sizeof(height_choices) / sizeof(height_choices[0]))

static uint64_t count_heights(const Set set)
{
    return set == SET_TINY ? 12 : set == SET_QUICK ? 300 * 3 : 1100 * N_HEIGHT_CHOICES;
}

static void run_heights(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint64_t sweep = k->options->set == SET_FULL ? 1100 : 300;
    const uint64_t i = k->options->set == SET_TINY ? index * 23 : index;
    const Choice *const p = &height_choices[(i + i / sweep) % N_HEIGHT_CHOICES];
    const Case c = case_plain(&r, p->pattern, rng_range(&r, 5, 70), 1 + (uint32_t) (i % sweep),
                              p->a, p->b);
    check_case(k, &c);
}

const Group group_heights = {
    "heights",   "all heights from 1 to 300 (full: 1100), tall patterns, all thread counts",
    USE_ALL,     count_heights,
    run_heights,
};

/* A path that crosses a line over and over, for every place of the line. */
#define SEAM_WIDTH 150
#define SEAM_HEIGHT 131

static uint64_t count_seams(const Set set)
{
    const uint64_t places = SEAM_WIDTH + 1 + SEAM_HEIGHT + 1;
    return set == SET_TINY ? 16 : set == SET_QUICK ? places : places * 4;
}

static void run_seams(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint32_t places = SEAM_WIDTH + 1 + SEAM_HEIGHT + 1;
    const uint64_t i = k->options->set == SET_TINY ? index * 17 : index;
    const uint32_t place = (uint32_t) (i % places), joints = (3 + (uint32_t) (i / places)) % 4;
    const Case c = place <= SEAM_WIDTH ? case_plain(&r, PATTERN_WEAVE_COLUMNS, SEAM_WIDTH,
                                                    SEAM_HEIGHT, place, joints) :
                                         case_plain(&r, PATTERN_WEAVE_ROWS, SEAM_WIDTH, SEAM_HEIGHT,
                                                    place - SEAM_WIDTH - 1, joints);
    check_case(k, &c);
}

/* The CPU engine makes bands of 64 Ki pixels at least, here of two rows and, at the
 * end, one. */
static const Choice band_choices[] = {
    { PATTERN_NOISE, 50, 1 },        { PATTERN_DIAGONALS, 2, 0 }, { PATTERN_CHECKER, 0, 0 },
    { PATTERN_SNAKE_COLUMNS, 0, 0 }, { PATTERN_COLUMNS, 1, 0 },   { PATTERN_GLYPHS, 0, 0 },
    { PATTERN_NOISE, 20, 3 },
};

#define N_BAND_CHOICES (sizeof(band_choices) / sizeof(band_choices[0]))

static uint64_t count_bands(const Set set)
{
    return set == SET_TINY ? 2 : 2 * N_BAND_CHOICES;
}

static void run_bands(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const Choice *const p = &band_choices[index / 2];
    Case c = case_plain(&r, p->pattern, (64 << 10) + 1, 5, p->a, p->b);
    c.params.connectivity = index % 2 ? 8 : 4;
    c.labels = LABELS_32;
    check_case(k, &c);
}

const Group group_bands = {
    "bands",   "frames that threads share, in the smallest parts that there are",
    USE_ALL,   count_bands,
    run_bands,
};

/* Components whose area is larger than their part in a band: by digits of the area, and on the
 * other side of a filter. */
static uint64_t count_joins(const Set set)
{
    return set == SET_TINY ? 4 : 24;
}

static void run_joins(Check *const k, const uint64_t index)
{
    static const uint64_t low[] = { 1, 401, 801 }, high[] = { UINT64_MAX, 2000 };
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_NOISE, 4096, 80, 25, 20);
    c.params.connectivity = index % 2 ? 8 : 4;
    c.params.order = index / 2 % 2 ? CCA_ORDER_RASTER : CCA_ORDER_AREA;
    c.params.min_area = low[index / 4 % 3];
    c.params.max_area = high[index / 12 % 2];
    c.labels = LABELS_NARROW;
    check_case(k, &c);
}

const Group group_joins = {
    "joins", "filters and orders of components that threads share", USE_ALL, count_joins, run_joins,
};

const Group group_seams = {
    "seams", "bars across every column and row of a frame", USE_ALL, count_seams, run_seams,
};
