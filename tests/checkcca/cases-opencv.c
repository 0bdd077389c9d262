/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* OpenCV numbers components as we do and finds the same boxes, areas and
 * centroids. */

#include <inttypes.h>
#include <stdio.h>

#include "cases.h"
#include "opencv-peer.h"

/* OpenCV is given the region of interest as a picture of its own. */
static CcaComponent in_region(const CcaComponent *const in, const CcaRect *const roi)
{
    CcaComponent c = *in;
    c.x -= roi->x;
    c.y -= roi->y;
    c.sum_x -= (uint64_t) roi->x * c.area;
    c.sum_y -= (uint64_t) roi->y * c.area;
    return c;
}

static bool same_record(const CcaComponent *const c, const OpencvRecord *const o)
{
    return c->x == o->x && c->y == o->y && c->width == o->width && c->height == o->height &&
           c->area == o->area && cca_centroid_x(c) == o->centroid_x &&
           cca_centroid_y(c) == o->centroid_y;
}

static void compare(Check *const k, const Case *const c, const CcaResult *const ours,
                    const OpencvRecord *const theirs, const int64_t n)
{
    if (n != ours->n_components) {
        check_fail(k, c, "OpenCV finds %" PRId64 " components, we %" PRIu32, n, ours->n_components);
        return;
    }
    for (uint32_t i = 0; i < ours->n_components; i++) {
        const CcaComponent moved = in_region(&ours->components[i], &c->params.roi);
        const CcaComponent *const a = &moved;
        const OpencvRecord *const b = &theirs[i];
        if (same_record(a, b))
            continue;
        check_fail(k, c,
                   "record %" PRIu32 " differs\n"
                   "  OpenCV: at %" PRIu32 ",%" PRIu32 " %" PRIu32 "x%" PRIu32 " area %" PRIu64
                   " centroid %.17g,%.17g\n"
                   "  we:     at %" PRIu32 ",%" PRIu32 " %" PRIu32 "x%" PRIu32 " area %" PRIu32
                   " centroid %.17g,%.17g",
                   i, b->x, b->y, b->width, b->height, b->area, b->centroid_x, b->centroid_y, a->x,
                   a->y, a->width, a->height, a->area, cca_centroid_x(a), cca_centroid_y(a));
        return;
    }
}

OpencvPeer *opencv_peer(Check *const k)
{
    if (k->opencv == NULL && opencv_version() != NULL && (k->opencv = opencv_open()) == NULL)
        check_skip(k, "OpenCV could not be started");
    return k->opencv;
}

void check_opencv(Check *const k, const Case *const c)
{
    CcaResult expected;
    const OpencvRecord *records = NULL;
    if (!check_case(k, c) || opencv_peer(k) == NULL ||
        !oracle_analyse(&k->oracle, &k->picture.frame, &c->config, &c->params, &expected))
        return;
    k->engine = NULL;
    k->n_comparisons++;
    const int64_t n = opencv_analyse(k->opencv, &k->picture.frame, &c->params, &records);
    compare(k, c, &expected, records, n);
}

static uint64_t count_opencv(const Set set)
{
    if (opencv_version() == NULL)
        return 0;
    return set == SET_TINY ? 10 : set == SET_QUICK ? 1000 : 50000;
}

static void run_opencv(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const Pattern pattern = (Pattern) rng_below(&r, N_PATTERNS);
    const uint32_t width = rng_range(&r, 1, 200), height = rng_range(&r, 1, 120);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    Case c = case_plain(&r, pattern, width, height, a, b);
    case_samples(&r, 1, &c.config);
    c.params.threshold %= 255;
    c.params.threshold_high = 65535;
    c.params.connectivity = index % 2 ? 8 : 4;
    check_opencv(k, &c);
}

const Group group_opencv = {
    "opencv",   "OpenCV's CCL_WU: numbers, boxes, areas, centroids (if built in)",
    USE_SINGLE, count_opencv,
    run_opencv,
};
