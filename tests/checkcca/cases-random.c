/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Random tuples of everything that an engine is given. */

#include "cases.h"

static uint32_t random_length(Rng *const r)
{
    static const uint32_t notable[] = { 1,  2,  3,  7,   8,   9,   15,  16,  17,  31,  32,  33,
                                        63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257 };
    return rng_percent(r, 40) ? PICK(r, notable) : rng_range(r, 1, 120);
}

static void random_thresholds(Rng *const r, CcaParams *const p)
{
    static const uint32_t notable[] = { 0,    1,    127,  128,   254,   255,   256,  257,
                                        1022, 1023, 1024, 32767, 32768, 65534, 65535 };
    p->threshold = rng_percent(r, 70) ? PICK(r, notable) : rng_below(r, 65536);
    const uint32_t kind = rng_below(r, 10);
    if (kind < 5)
        p->threshold_high = PICK(r, notable);
    else if (kind < 7)
        p->threshold_high = p->threshold; /* nothing in between */
    else if (kind < 8)
        p->threshold_high = p->threshold ? p->threshold - 1 : 0;
    else
        p->threshold_high = rng_below(r, 65536);
    p->invert = rng_percent(r, 35);
}

void random_areas(Rng *const r, const uint32_t width, const uint32_t height, CcaParams *const p)
{
    static const uint64_t low[] = { 0, 1, 1, 1, 2, 3, 5, 10, 100, UINT64_MAX };
    static const uint64_t high[] = { 0, 1, 2, 5, 30, 100, 1000, INT32_MAX };
    p->min_area = PICK(r, low);
    if (rng_percent(r, 50))
        p->max_area = PICK(r, high);
    else if (rng_percent(r, 30))
        p->max_area = (uint64_t) width * height - rng_below(r, 2);
    if (rng_percent(r, 10))
        p->min_area = p->max_area;
}

/* Start and length of one side: inside, to the edge, over it, or outside. */
static void random_span(Rng *const r, const uint32_t size, uint32_t *const start,
                        uint32_t *const length)
{
    static const uint32_t far[] = { INT32_MAX, UINT32_MAX - 1, UINT32_MAX };
    *start = rng_below(r, size + 1);
    *length = rng_below(r, size + 2);
    switch (rng_below(r, 8)) {
    case 0: *start = 0; break;
    case 1: *length = 0; break;
    case 2: *length = PICK(r, far); break;
    case 3: *length = size - *start; break;
    case 4: *start = rng_percent(r, 50) ? size - 1 : PICK(r, far); break;
    default: break;
    }
}

void random_roi(Rng *const r, const uint32_t width, const uint32_t height, CcaRect *const roi)
{
    random_span(r, width, &roi->x, &roi->width);
    random_span(r, height, &roi->y, &roi->height);
}

static void random_cap(Rng *const r, Case *const c)
{
    static const uint32_t caps[] = { 0, 1, 2, 3, 10, 100, UINT32_MAX, UINT32_MAX };
    c->params.max_components = PICK(r, caps);
    if (rng_percent(r, 30))
        c->config.max_components = 1 + PICK(r, caps) % 200;
    if (rng_percent(r, 25)) {
        c->config.width += rng_below(r, 40);
        c->config.height += rng_below(r, 40);
    }
}

static uint64_t count_random(const Set set)
{
    return set == SET_TINY ? 150 : set == SET_QUICK ? 10000 : 1000000;
}

static void run_random(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const Pattern pattern = (Pattern) rng_below(&r, N_PATTERNS);
    const uint32_t width = random_length(&r), height = random_length(&r);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    Case c = case_plain(&r, pattern, width, height, a, b);
    if (rng_percent(&r, 60)) {
        random_thresholds(&r, &c.params);
        case_samples(&r, rng_range(&r, 1, 2), &c.config);
        c.layout.padding &= ~1u;
        c.layout.misalignment &= ~1u;
    }
    if (rng_percent(&r, 50))
        random_areas(&r, width, height, &c.params);
    if (rng_percent(&r, 50))
        random_roi(&r, width, height, &c.params.roi);
    if (rng_percent(&r, 50))
        random_cap(&r, &c);
    if (rng_percent(&r, 40))
        c.params.order = CCA_ORDER_AREA;
    if (rng_percent(&r, 30))
        case_features(&r, &c.config);
    k->any_use = rng_percent(&r, 20);
    check_case(k, &c);
    k->any_use = false;
}

const Group group_random = {
    "random",   "random patterns, layouts, thresholds, filters, regions, caps and orders",
    USE_SINGLE, count_random,
    run_random,
};
