/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Limits of the boxes of components, among which there are boxes of many sizes. */

#include "cases.h"

/* A limit that some components meet exactly. */
static uint32_t near(Rng *const r, const uint32_t size)
{
    static const uint32_t small[] = { 0, 1, 2, 2, 3, 3, 4, 5, 8, 33, UINT32_MAX };
    return rng_percent(r, 80) ? PICK(r, small) : size - rng_below(r, 2);
}

static uint32_t random_aspect(Rng *const r, const uint32_t width, const uint32_t height)
{
    static const uint32_t simple[] = {
        0,   25,  33,  34,  50,  66,  67,  99,         100,
        101, 133, 134, 150, 200, 300, 301, UINT32_MAX, UINT32_MAX - 1
    };
    return rng_percent(r, 80) ? PICK(r, simple) : 100 * width / height + rng_below(r, 2);
}

void random_limits(Rng *const r, const uint32_t width, const uint32_t height, CcaLimits *const l)
{
    static const uint32_t extents[] = { 1, 25, 33, 34, 50, 66, 67, 75, 99, 100, 101, UINT32_MAX };
    if (rng_percent(r, 30))
        l->min_width = near(r, width);
    if (rng_percent(r, 30))
        l->max_width = near(r, width);
    if (rng_percent(r, 30))
        l->min_height = near(r, height);
    if (rng_percent(r, 30))
        l->max_height = near(r, height);
    if (rng_percent(r, 30))
        l->min_aspect = random_aspect(r, width, height);
    if (rng_percent(r, 30))
        l->max_aspect = random_aspect(r, width, height);
    if (rng_percent(r, 30))
        l->min_extent = PICK(r, extents);
    l->exclude_border = rng_percent(r, 30);
}

/* A value that is a peak of some components. */
void random_peak(Rng *const r, const CcaConfig *const config, CcaParams *const p)
{
    const uint32_t top = (1u << config->depth) - 1;
    const uint32_t low = p->threshold < top ? p->threshold : top;
    const uint32_t high = p->threshold_high < top ? p->threshold_high : top;
    const uint32_t values[] = {
        low + 1,
        high,
        high + 1,
        top,
        top + 1,
        rng_range(r, 0, top),
        rng_range(r, low, top),
        rng_range(r, low, top),
    };
    const uint32_t v = PICK(r, values);
    p->limits.min_peak = p->invert && rng_percent(r, 80) && v <= top ? top - v : v;
}

static uint64_t count_limits(const Set set)
{
    return set == SET_TINY ? 100 : set == SET_QUICK ? 2500 : 300000;
}

static void run_limits(Check *const k, const uint64_t index)
{
    static const Pattern varied[] = { PATTERN_NOISE, PATTERN_NOISE, PATTERN_RECTANGLES,
                                      PATTERN_BLOBS, PATTERN_GLYPHS };
    Rng r = check_rng(k);
    /* several tiles; half of them also of several bands, with peaks alone */
    const bool large = k->options->set != SET_TINY && index % 16 == 0;
    const bool peaks = large && index % 32 == 0;
    const bool wide = index == 7; /* columns of more than 16 bits */
    const uint32_t widest = peaks ? 700 : large ? 400 : 150;
    const uint32_t width = wide ? UINT16_MAX + 9 : rng_range(&r, 1, widest);
    const uint32_t height = wide ? 2 : rng_range(&r, 1, large ? 300 : 80);
    const Pattern pattern = wide || rng_percent(&r, 80) ? PICK(&r, varied) :
                                                          (Pattern) rng_below(&r, N_PATTERNS);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    Case c = case_plain(&r, pattern, width, height, a, b);
    if (!peaks)
        random_limits(&r, width, height, &c.params.limits);
    if (wide || peaks || rng_percent(&r, 40))
        random_peak(&r, &c.config, &c.params);
    if (rng_percent(&r, 30))
        random_areas(&r, width, height, &c.params);
    if (rng_percent(&r, 30))
        random_roi(&r, width, height, &c.params.roi);
    if (rng_percent(&r, 40))
        c.params.order = CCA_ORDER_AREA;
    if (rng_percent(&r, 30))
        c.params.max_components = rng_below(&r, 12);
    CcaMask *const mask = rng_percent(&r, 30) ? random_mask(&r, width, height) : NULL;
    c.params.mask = mask;
    k->any_use = large;
    check_case(k, &c);
    k->any_use = false;
    cca_mask_free(mask);
}

const Group group_limits = {
    "limits",   "limits of width, height, aspect, extent and peak, and the border",
    USE_SINGLE, count_limits,
    run_limits,
};
