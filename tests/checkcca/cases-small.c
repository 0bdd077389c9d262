/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Every mask there is, of small sizes. */

#include "cases.h"

/* 4x4, each alone. An odd stride through the numbers samples the tiny set. */
static uint64_t count_masks(const Set set)
{
    return set == SET_TINY ? 2 * 64 : 2 * 65536;
}

static void run_masks(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const uint32_t step = k->options->set == SET_TINY ? 1021 : 1;
    Case c = case_plain(&r, PATTERN_BITS, 4, 4, (uint32_t) (index / 2) * step & 0xffff, 0);
    c.params.connectivity = index % 2 ? 8 : 4;
    check_case(k, &c);
}

const Group group_masks = {
    "masks", "all 4x4 masks, 4- and 8-connected", USE_SINGLE, count_masks, run_masks,
};

/* 1xn and nx1: for each n and both directions, 2^n masks. */
static uint32_t longest_line(const Set set)
{
    return set == SET_TINY ? 5 : set == SET_QUICK ? 16 : 20;
}

static uint64_t count_lines(const Set set)
{
    return 2 * ((UINT64_C(2) << longest_line(set)) - 2);
}

static void run_lines(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    uint64_t rest = index / 2;
    uint32_t n = 1;
    for (; rest >> n != 0; n++)
        rest -= UINT64_C(1) << n;
    const bool column = index % 2;
    const Case c = case_plain(&r, PATTERN_BITS, column ? 1 : n, column ? n : 1, (uint32_t) rest, 0);
    check_case(k, &c);
}

const Group group_lines = {
    "lines", "all masks of one row or column, by length", USE_SINGLE, count_lines, run_lines,
};

/* Many masks in one frame, one pixel apart, so that each meets many positions
 * in the words, tiles and bands of an engine. */
static const struct Tiling {
    uint32_t width, height; /* of a mask */
    uint32_t across, down;  /* masks in a frame */
    uint32_t n_frames;
} tilings[] = {
    { 4, 4, 256, 256, 1 },
    { 4, 5, 1024, 1024, 1 },
    { 5, 5, 512, 512, 128 },
};

static const struct Tiling some_tiles = { 4, 4, 20, 20, 1 };

static uint64_t count_tiles(const Set set)
{
    return set == SET_FULL ? 2 * (1 + 1 + 128) : 2;
}

static void run_tiles(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const struct Tiling *t = k->options->set == SET_TINY ? &some_tiles : tilings;
    uint32_t frame = (uint32_t) (index / 2);
    while (frame >= t->n_frames)
        frame -= t++->n_frames;
    Case c = case_plain(&r, PATTERN_TILES, (t->width + 1) * t->across, (t->height + 1) * t->down,
                        t->width, t->height);
    c.seed = (uint64_t) frame * t->across * t->down;
    c.params.connectivity = index % 2 ? 8 : 4;
    check_case(k, &c);
}

const Group group_tiles = {
    "tiles", "all 4x4 (full: 4x5, 5x5) masks side by side", USE_ALL, count_tiles, run_tiles,
};
