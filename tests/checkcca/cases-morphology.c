/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opening and closing of masks, also of such as are smaller than the squares, and in
 * regions; against OpenCV's morphologyEx with its default border as well. */

#include "cases.h"

static uint64_t count_morphology(const Set set)
{
    return set == SET_TINY ? 20 : set == SET_QUICK ? 600 : 50000;
}

static void run_morphology(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const bool wide = k->options->set != SET_TINY && index % 8 == 7;
    const uint32_t most = index % 2 ? 70 : 20;
    const uint32_t width = rng_range(&r, 1, wide ? 300 : most);
    const uint32_t height = rng_range(&r, 1, wide ? 80 : most);
    const Pattern pattern =
        rng_percent(&r, 40) ? PATTERN_NOISE : (Pattern) rng_below(&r, N_PATTERNS);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    if (pattern == PATTERN_NOISE && rng_percent(&r, 50)) { /* which something is left of */
        a = rng_percent(&r, 50) ? rng_range(&r, 85, 99) : rng_range(&r, 1, 10);
        b = rng_range(&r, 1, 3);
    }
    Case c = case_plain(&r, pattern, width, height, a, b);
    random_radii(&r, &c.params);
    if (rng_percent(&r, 40))
        random_roi(&r, width, height, &c.params.roi);
    k->any_use = wide;
    if (rng_percent(&r, 50)) { /* what OpenCV can do */
        case_samples(&r, 1, &c.config);
        c.params.threshold %= 255;
        c.params.threshold_high = 65535;
        check_opencv(k, &c);
    } else {
        check_case(k, &c);
    }
    k->any_use = false;
}

const Group group_morphology = {
    "morphology", "opening and closing with all radii; OpenCV's morphologyEx (if built in)",
    USE_SINGLE, count_morphology, run_morphology,
};
