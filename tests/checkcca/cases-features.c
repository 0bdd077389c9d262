/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Further features of components. Other groups ask for them, too, in some of their cases. */

#include "cases.h"

void case_features(Rng *const r, CcaConfig *const config)
{
    config->features = (CcaFeatureFlags) (rng_percent(r, 40) ? CCA_FEATURES_ALL :
                                                               rng_range(r, 1, CCA_FEATURES_ALL));
}

/* The longest sides, where sums are large, and frames of several bands and tiles. */
static const struct Extreme {
    Pattern pattern;
    uint32_t width, height, a, b;
} extremes[] = {
    { PATTERN_FULL, CCA_MAX_FEATURES_SIDE, 3, 0, 0 },
    { PATTERN_FULL, 3, CCA_MAX_FEATURES_SIDE, 0, 0 },
    { PATTERN_NOISE, CCA_MAX_FEATURES_SIDE, 2, 70, 40 },
    { PATTERN_NOISE, 2, CCA_MAX_FEATURES_SIDE, 70, 40 },
    { PATTERN_TILES, 1280, 1280, 4, 4 },
    { PATTERN_CHECKER, 1100, 300, 0, 0 },
    { PATTERN_DIAGONALS, 1100, 300, 2, 0 },
    { PATTERN_RINGS, 900, 400, 0, 0 },
    { PATTERN_NOISE, 1920, 300, 50, 16 },
    { PATTERN_FULL, CCA_MAX_FEATURES_SIDE, 32, 0, 0 },
};

#define N_EXTREMES (2 * sizeof(extremes) / sizeof(*extremes))

/* The last case is one in which samples become wider. */
static uint64_t count_features(const Set set)
{
    return 1 + (set == SET_TINY ? 90 : N_EXTREMES + (set == SET_QUICK ? 4000 : 200000));
}

/* Very many components, of which 16-bit samples need more memory. */
static void run_depths(Check *const k)
{
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_DOMINOES, 320, 200, 0, 0);
    c.config.features = CCA_FEATURES_INTENSITY;
    c.params = (CcaParams) CCA_DEFAULT_PARAMS;
    c.params.connectivity = 4;
    for (uint32_t size = 1; size <= 2; size++) {
        case_samples(&r, size, &c.config);
        c.layout = case_layout(&r, size);
        if (!check_case(k, &c))
            return;
    }
}

static Case make_extreme(Rng *const r, const uint64_t index)
{
    const struct Extreme *const e = &extremes[index / 2];
    Case c = case_plain(r, e->pattern, e->width, e->height, e->a, e->b);
    c.params.connectivity = index % 2 ? 8 : 4;
    c.config.features = CCA_FEATURES_ALL;
    if (e->pattern == PATTERN_FULL)
        c.params.threshold = 200; /* sums of bright pixels */
    return c;
}

static Case make_any(Rng *const r, const bool tiny)
{
    const Pattern pattern = (Pattern) rng_below(r, N_PATTERNS);
    const bool masks = rng_percent(r, 25); /* of the smallest sizes */
    const uint32_t width = masks ? 4 : rng_range(r, 1, rng_percent(r, 35) ? 300 : tiny ? 40 : 100);
    const uint32_t height = masks ? 4 : rng_range(r, 1, rng_percent(r, 20) ? 150 : tiny ? 30 : 80);
    uint32_t a, b;
    pattern_pick(pattern, width, height, r, &a, &b);
    if (masks)
        a = rng_below(r, 65536);
    Case c = case_plain(r, masks ? PATTERN_BITS : pattern, width, height, a, b);
    case_features(r, &c.config);
    if (rng_percent(r, 40))
        random_roi(r, width, height, &c.params.roi);
    if (rng_percent(r, 30))
        random_areas(r, width, height, &c.params);
    if (rng_percent(r, 15))
        random_radii(r, &c.params);
    if (rng_percent(r, 15))
        random_peak(r, &c.config, &c.params);
    if (rng_percent(r, 30))
        c.params.order = CCA_ORDER_AREA;
    if (rng_percent(r, 30))
        c.params.max_components = rng_below(r, 20);
    if (rng_percent(r, 20))
        c.config.width += rng_below(r, 200);
    if (rng_percent(r, 20))
        c.config.foreground = c.params.foreground = CCA_FOREGROUND_OTSU;
    return c;
}

static void run_features(Check *const k, const uint64_t index)
{
    if (index + 1 == count_features(k->options->set)) {
        run_depths(k);
        return;
    }
    Rng r = check_rng(k);
    const bool tiny = k->options->set == SET_TINY;
    Case c = !tiny && index < N_EXTREMES ? make_extreme(&r, index) : make_any(&r, tiny);
    CcaMask *const mask = rng_percent(&r, 30) ? random_mask(&r, c.width, c.height) : NULL;
    c.params.mask = mask;
    check_case(k, &c);
    cca_mask_free(mask);
}

const Group group_features = {
    "features",   "moments, intensity and shape, with regions, filters and caps",
    USE_ALL,      count_features,
    run_features,
};
