/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pictures of ids: as many components as a form can name, and one more; regions,
 * filters, features, records that are not delivered. Other groups ask for labels, too, in some
 * of their cases. */

#include "cases.h"

/* Single pixels, 8-connected, at every other place. */
static const struct Dots {
    uint32_t across, down;
} dots[] = {
    { 15, 17 }, { 16, 16 }, { 1, 255 }, { 256, 1 }, { 255, 257 }, { 256, 256 },
};

#define N_FORMS (N_LABEL_FORMS - 1)
#define N_SMALL_DOTS (4 * N_FORMS)
#define N_DOTS (sizeof(dots) / sizeof(dots[0]) * N_FORMS)

/* The forms of the large ones in the tiny set: those that 65 536 ids do not fit in. */
static const LabelForm forms_16[] = { LABELS_16, LABELS_NARROW };

static uint64_t count_dots(const Set set)
{
    return set == SET_TINY ? N_SMALL_DOTS + 4 : N_DOTS;
}

static uint64_t count_labels(const Set set)
{
    return count_dots(set) + (set == SET_TINY ? 60 : set == SET_QUICK ? 1500 : 60000);
}

static Case make_dots(Rng *const r, const uint64_t index, const bool tiny)
{
    const bool few_forms = tiny && index >= N_SMALL_DOTS;
    const struct Dots *const d =
        &dots[few_forms ? 4 + (index - N_SMALL_DOTS) / 2 : index / N_FORMS];
    Case c = case_plain(r, PATTERN_GRID, 2 * d->across - 1, 2 * d->down - 1, 0, 0);
    case_samples(r, 1, &c.config);
    c.params.threshold = 128;
    c.params.threshold_high = 65535;
    c.params.invert = false;
    c.params.connectivity = 8;
    c.labels = few_forms ? forms_16[index % 2] : (LabelForm) (1 + index % N_FORMS);
    return c;
}

static Case make_any(Rng *const r, const bool tiny)
{
    const Pattern pattern = (Pattern) rng_below(r, N_PATTERNS);
    const uint32_t width = rng_range(r, 1, rng_percent(r, 35) ? 300 : tiny ? 40 : 100);
    const uint32_t height = rng_range(r, 1, rng_percent(r, 20) ? 150 : tiny ? 30 : 80);
    uint32_t a, b;
    pattern_pick(pattern, width, height, r, &a, &b);
    Case c = case_plain(r, pattern, width, height, a, b);
    c.labels = (LabelForm) rng_range(r, 1, N_LABEL_FORMS - 1);
    if (rng_percent(r, 50))
        random_roi(r, width, height, &c.params.roi);
    if (rng_percent(r, 30))
        random_areas(r, width, height, &c.params);
    else if (rng_percent(r, 30)) /* also filters components that reach into other tiles */
        c.params.min_area = rng_below(r, width * height / 2 + 1);
    if (rng_percent(r, 25))
        random_radii(r, &c.params);
    if (rng_percent(r, 30))
        c.params.order = CCA_ORDER_AREA;
    if (rng_percent(r, 30))
        c.params.max_components = rng_below(r, 20);
    if (rng_percent(r, 30)) /* larger frames were before */
        c.config.width += rng_below(r, 200);
    if (rng_percent(r, 20))
        c.config.foreground = c.params.foreground = CCA_FOREGROUND_OTSU;
    if (rng_percent(r, 30)) /* the tables of labels remain for frames without features */
        case_features(r, &c.config);
    return c;
}

static void run_labels(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const bool tiny = k->options->set == SET_TINY;
    const Case c = index < count_dots(k->options->set) ? make_dots(&r, index, tiny) :
                                                         make_any(&r, tiny);
    check_case(k, &c);
}

const Group group_labels = {
    "labels",   "pictures of ids, in all forms, with regions, filters and caps",
    USE_ALL,    count_labels,
    run_labels,
};
