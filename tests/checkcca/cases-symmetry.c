/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Results that stay equal, or change in a known way, when the frame is transformed. They need no
 * oracle, so they also check the oracle. */

#include <stdlib.h>
#include <string.h>

#include "cases.h"

typedef enum Change {
    FLIP_X,
    FLIP_Y,
    HALF_TURN,
    TRANSPOSE,
    PAD,        /* background on all sides */
    CROP,       /* a region of interest, against the region as a frame of its own */
    COMPLEMENT, /* the other pixels, and `invert` */
    N_CHANGES,
} Change;

static const char *const change_names[N_CHANGES] = {
    "flip-x", "flip-y", "half-turn", "transpose", "pad", "crop", "complement",
};

/* Where pixel x, y of the frame before is in the frame after, if anywhere. */
typedef struct Map {
    Change change;
    uint32_t width, height; /* before */
    CcaRect roi;
    uint32_t left, top; /* padding */
} Map;

static Mask changed_mask(const Map *const m, const Mask *const in)
{
    const bool crop = m->change == CROP, swap = m->change == TRANSPOSE, pad = m->change == PAD;
    Mask out = {
        .width = crop ? m->roi.width :
                 swap ? in->height :
                        in->width + (pad ? m->left + 3 : 0),
        .height = crop ? m->roi.height :
                  swap ? in->width :
                         in->height + (pad ? m->top + 2 : 0),
    };
    out.room = (size_t) out.width * out.height;
    out.pixels = calloc(out.room, 1);
    if (out.pixels == NULL)
        return out;
    for (uint32_t y = 0; y < in->height; y++)
        for (uint32_t x = 0; x < in->width; x++) {
            const uint8_t v = in->pixels[(size_t) y * in->width + x] ^ (m->change == COMPLEMENT);
            int64_t to_x = x, to_y = y;
            if (m->change == FLIP_X || m->change == HALF_TURN)
                to_x = in->width - 1 - x;
            if (m->change == FLIP_Y || m->change == HALF_TURN)
                to_y = in->height - 1 - y;
            if (swap) {
                to_x = y;
                to_y = x;
            }
            to_x += (pad ? m->left : 0) - (int64_t) (crop ? m->roi.x : 0);
            to_y += (pad ? m->top : 0) - (int64_t) (crop ? m->roi.y : 0);
            if (v)
                mask_set(&out, to_x, to_y);
        }
    return out;
}

static CcaComponent changed_component(const Map *const m, const CcaComponent *const in)
{
    CcaComponent c = *in;
    if (m->change == FLIP_X || m->change == HALF_TURN) {
        c.x = m->width - c.x - c.width;
        c.sum_x = (uint64_t) c.area * (m->width - 1) - c.sum_x;
    }
    if (m->change == FLIP_Y || m->change == HALF_TURN) {
        c.y = m->height - c.y - c.height;
        c.sum_y = (uint64_t) c.area * (m->height - 1) - c.sum_y;
    }
    if (m->change == TRANSPOSE)
        c = (CcaComponent) {
            .id = c.id,
            .x = c.y,
            .y = c.x,
            .width = c.height,
            .height = c.width,
            .area = c.area,
            .sum_x = c.sum_y,
            .sum_y = c.sum_x,
        };
    if (m->change == PAD || m->change == CROP) {
        const uint32_t dx = m->change == PAD ? m->left : 0u - m->roi.x;
        const uint32_t dy = m->change == PAD ? m->top : 0u - m->roi.y;
        c.x += dx;
        c.y += dy;
        c.sum_x += (uint64_t) (int32_t) dx * c.area;
        c.sum_y += (uint64_t) (int32_t) dy * c.area;
    }
    return c;
}

static int by_bytes(const void *const a, const void *const b)
{
    return memcmp(a, b, sizeof(CcaComponent));
}

/* The order of components is kept by some changes only. */
static void forget_order(CcaComponent *const c, const uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        c[i].id = 0;
    qsort(c, n, sizeof(*c), by_bytes);
}

static CcaComponent *copy_components(const CcaResult *const r)
{
    CcaComponent *const copy = malloc((r->n_components + 1) * sizeof(*copy));
    if (copy && r->n_components)
        memcpy(copy, r->components, r->n_components * sizeof(*copy));
    return copy;
}

/* `expected` holds the records of the frame before, `got` those after. */
static void compare(Check *const k, const Case *const c, const Map *const m,
                    CcaResult *const expected, CcaResult *const got)
{
    CcaComponent *const e = copy_components(expected), *const g = copy_components(got);
    if (e && g) {
        for (uint32_t i = 0; i < expected->n_components; i++)
            e[i] = changed_component(m, &e[i]);
        if (m->change < PAD) {
            forget_order(e, expected->n_components);
            forget_order(g, got->n_components);
        }
        char text[512];
        CcaResult before = *expected, after = *got;
        before.components = before.n_components ? e : NULL;
        after.components = after.n_components ? g : NULL;
        if (m->change == PAD) /* the rest is padding */
            before.n_pixels = after.n_pixels;
        if (!results_equal(&before, &after, text, sizeof(text)))
            check_fail(k, c, "%s: %s", change_names[m->change], text);
    }
    free(e);
    free(g);
}

/* The results of all engines for the frame at hand, each a copy. */
static void analyse_all(Check *const k, const Case *const c, CcaResult *const results,
                        bool *const valid)
{
    for (uint32_t i = 0; i < k->engines.n; i++) {
        if (!check_uses(k, &k->engines.list[i]))
            continue;
        valid[i] &= check_analyse(k, &k->engines.list[i], c, &k->picture.frame, &results[i]);
        if (valid[i])
            results[i].components = copy_components(&results[i]);
    }
}

static void check_change(Check *const k, const Case *const c, const Map *const m, Rng *const r)
{
    const uint32_t n = k->engines.n;
    CcaResult *const results = calloc(2 * n, sizeof(*results));
    bool *const valid = malloc(n);
    Mask after = { 0 };
    if (results == NULL || valid == NULL || !check_draw(k, c))
        goto end;
    memset(valid, true, n);
    Case before = *c;
    if (m->change == CROP)
        before.params.roi = m->roi;
    if (m->change == COMPLEMENT)
        before.params.invert = !before.params.invert;
    analyse_all(k, &before, results, valid);

    after = changed_mask(m, &k->mask);
    if (after.pixels == NULL ||
        !picture_make(&k->picture, &after, &c->config, &c->params, &c->layout, r))
        goto end;
    analyse_all(k, c, results + n, valid);
    for (uint32_t i = 0; i < n; i++) {
        k->engine = &k->engines.list[i];
        if (valid[i] && check_uses(k, k->engine))
            compare(k, c, m, &results[i], &results[n + i]);
    }
end:
    for (uint32_t i = 0; results && i < 2 * n; i++)
        free((void *) results[i].components);
    free(after.pixels);
    free(results);
    free(valid);
}

static uint64_t count_symmetry(const Set set)
{
    return N_CHANGES * (set == SET_TINY ? 2 : set == SET_QUICK ? 150 : 5000);
}

static void run_symmetry(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const Pattern pattern = (Pattern) rng_below(&r, N_PATTERNS);
    const uint32_t width = rng_range(&r, 1, 150), height = rng_range(&r, 1, 90);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    Case c = case_plain(&r, pattern, width, height, a, b);
    if (rng_percent(&r, 30))
        c.params.min_area = 2;
    if (rng_percent(&r, 30))
        c.params.max_area = 50;
    Map m = {
        .change = (Change) (index % N_CHANGES),
        .width = width,
        .height = height,
        .roi = { rng_below(&r, width), rng_below(&r, height), 0, 0 },
        .left = rng_below(&r, 70),
        .top = rng_below(&r, 20),
    };
    m.roi.width = rng_range(&r, 1, width - m.roi.x);
    m.roi.height = rng_range(&r, 1, height - m.roi.y);
    c.config.width = c.config.height = 250; /* room for both */
    check_change(k, &c, &m, &r);
}

const Group group_symmetry = {
    "symmetry",   "flips, turns, transposition, padding, cropping, complement",
    USE_ALL,      count_symmetry,
    run_symmetry,
};
