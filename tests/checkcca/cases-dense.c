/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Many small components, in frames of several tiles of the CUDA engine, which has separate kernels
 * for them if there are more than a few tiles. Also frames that have them in some rows only, one
 * component with so many parts at the edges of tiles that a warp adds to it repeatedly, and more
 * components across the borders of blocks than a tile has slots. */

#include "cases.h"

static const struct Dense {
    Pattern pattern;
    uint32_t a, b;
} dense[] = {
    { PATTERN_NOISE, 8, 1 },     { PATTERN_NOISE, 25, 1 },    { PATTERN_NOISE, 40, 1 },
    { PATTERN_NOISE, 60, 1 },    { PATTERN_NOISE, 75, 1 },    { PATTERN_NOISE, 95, 1 },
    { PATTERN_NOISE, 50, 2 },    { PATTERN_NOISE, 50, 4 },    { PATTERN_TILES, 3, 3 },
    { PATTERN_TILES, 4, 4 },     { PATTERN_CHECKER, 0, 0 },   { PATTERN_GRID, 1, 0 },
    { PATTERN_DOMINOES, 0, 0 },  { PATTERN_DIAGONALS, 0, 0 }, { PATTERN_DIAGONALS, 1, 0 },
    { PATTERN_DIAGONALS, 2, 0 }, { PATTERN_HILBERT, 0, 0 },   { PATTERN_GLYPHS, 0, 0 },
    { PATTERN_FULL, 0, 0 },
};

#define N_DENSE (sizeof(dense) / sizeof(dense[0]))

static const struct Fixed {
    Pattern pattern;
    uint32_t width, height, a, b;
} fixed[] = {
    { PATTERN_CHECKER, 512, 200, 0, 5 },
    { PATTERN_COMB, 700, 520, 0, 0 },
    { PATTERN_COMB, 700, 520, 1, 0 },
    { PATTERN_DOMINOES, 512, 256, 1, 0 },
};

/* By connectivity. */
#define N_FIXED (2 * sizeof(fixed) / sizeof(*fixed))

static uint64_t count_dense(const Set set)
{
    return N_FIXED + N_DENSE * 2 * (set == SET_TINY ? 1 : set == SET_QUICK ? 12 : 200);
}

static Case make_dense(Rng *const r, const uint64_t index)
{
    const struct Dense *const d = &dense[index / 2 % N_DENSE];
    const uint32_t width = rng_range(r, 257, 384), height = rng_range(r, 129, 192);
    Case c = case_plain(r, d->pattern, width, height, d->a, d->b);
    if (rng_percent(r, 40))
        random_areas(r, width, height, &c.params);
    if (rng_percent(r, 25)) {
        c.params.roi = (CcaRect) { rng_below(r, 9), rng_below(r, 9), width - 8, height - 8 };
        c.config.width += rng_below(r, 40);
    }
    if (rng_percent(r, 25)) {
        c.params.max_components = rng_range(r, 1, 3000);
        c.params.order = rng_percent(r, 50) ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
    }
    return c;
}

static void run_dense(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const struct Fixed *const f = index < N_FIXED ? &fixed[index / 2] : NULL;
    Case c = f != NULL ? case_plain(&r, f->pattern, f->width, f->height, f->a, f->b) :
                         make_dense(&r, index - N_FIXED);
    c.params.connectivity = index % 2 ? 8 : 4;
    if (rng_percent(&r, 30))
        case_features(&r, &c.config);
    check_case(k, &c);
}

const Group group_dense = {
    "dense", "noise and small patterns in several tiles", USE_ALL, count_dense, run_dense,
};
