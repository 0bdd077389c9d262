/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static int print_component(char *const text, const size_t size, const CcaComponent *const c)
{
    return snprintf(text, size,
                    "id %" PRIu32 " at %" PRIu32 ",%" PRIu32 " %" PRIu32 "x%" PRIu32
                    " area %" PRIu32 " sums %" PRIu64 ",%" PRIu64,
                    c->id, c->x, c->y, c->width, c->height, c->area, c->sum_x, c->sum_y);
}

static bool same(const char *const what, const uint64_t expected, const uint64_t got,
                 char *const text, const size_t size)
{
    if (expected == got)
        return true;
    snprintf(text, size, "%s: expected %" PRIu64 ", got %" PRIu64, what, expected, got);
    return false;
}

static int print_features(char *const text, const size_t size, const CcaFeatures *const f)
{
    return snprintf(text, size,
                    "moments %" PRIu64 ",%" PRIu64 ",%" PRIu64 " intensity %" PRIu64 ",%" PRIu64
                    ",%" PRIu64 ",%" PRIu64 " of %" PRIu32 " to %" PRIu32 " at %" PRIu32 ",%" PRIu32
                    " shape %" PRIu64 ",%" PRIu64 ",%" PRIu64,
                    f->xx, f->xy, f->yy, f->v, f->vv, f->vx, f->vy, f->v_min, f->v_max, f->v_max_x,
                    f->v_max_y, f->e4, f->q4, f->w1);
}

/* Compares the features of the first `n` components; both results have that many. */
static bool features_equal(const CcaResult *const expected, const CcaResult *const got,
                           const uint32_t n, char *const text, const size_t size)
{
    if ((expected->features == NULL) != (got->features == NULL)) {
        snprintf(text, size, "features are %s NULL", got->features ? "not" : "unexpectedly");
        return false;
    }
    for (uint32_t i = 0; expected->features != NULL && i < n; i++) {
        const CcaFeatures *const e = &expected->features[i], *const g = &got->features[i];
        if (memcmp(e, g, sizeof(*e)) == 0)
            continue;
        char want[240], have[240], record[160];
        print_component(record, sizeof(record), &expected->components[i]);
        print_features(want, sizeof(want), e);
        print_features(have, sizeof(have), g);
        snprintf(text, size,
                 "features of record %" PRIu32 " (%s) differ\n  expected: %s\n  got:      %s", i,
                 record, want, have);
        return false;
    }
    return true;
}

bool results_equal(const CcaResult *const expected, const CcaResult *const got, char *const text,
                   const size_t size)
{
    const uint32_t n = expected->n_components < got->n_components ? expected->n_components :
                                                                    got->n_components;
    if (n > 0 && (got->components == NULL || expected->components == NULL)) {
        snprintf(text, size, "components is NULL though there are %" PRIu32, n);
        return false;
    }
    if (n > 0 && memcmp(expected->components, got->components, n * sizeof(*got->components)) != 0) {
        uint32_t i = 0;
        while (memcmp(&expected->components[i], &got->components[i], sizeof(*got->components)) == 0)
            i++;
        char e[160], g[160];
        print_component(e, sizeof(e), &expected->components[i]);
        print_component(g, sizeof(g), &got->components[i]);
        snprintf(text, size,
                 "record %" PRIu32 " of %" PRIu32 " differs\n  expected: %s\n  got:      %s", i,
                 expected->n_components, e, g);
        return false;
    }
    if (got->n_components == 0 && got->components != NULL) {
        snprintf(text, size, "components is not NULL though there are none");
        return false;
    }
    return features_equal(expected, got, n, text, size) &&
           same("n_found", expected->n_found, got->n_found, text, size) &&
           same("n_components", expected->n_components, got->n_components, text, size) &&
           same("truncated", expected->truncated, got->truncated, text, size) &&
           same("threshold", expected->threshold, got->threshold, text, size) &&
           same("threshold_high", expected->threshold_high, got->threshold_high, text, size) &&
           same("warming_up", expected->warming_up, got->warming_up, text, size) &&
           same("background_frames", expected->background_frames, got->background_frames, text,
                size) &&
           same("light_changed", expected->light_changed, got->light_changed, text, size) &&
           same("light_shift", (uint64_t) expected->light_shift, (uint64_t) got->light_shift, text,
                size) &&
           same("n_pixels", expected->n_pixels, got->n_pixels, text, size) &&
           same("n_foreground", expected->n_foreground, got->n_foreground, text, size) &&
           same("label_bits", expected->label_bits, got->label_bits, text, size);
}
