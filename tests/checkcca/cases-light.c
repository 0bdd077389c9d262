/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Sigma-delta with compensation of light. The light of a still scene changes by a factor and an
 * offset, at once or from frame to frame, in the whole picture or in a part of it. Objects
 * move, and some are larger than the picture. Bands have about as many samples as a level
 * needs, and about as many samples change as a change of light needs. Large frames have more
 * samples than a block counts, or all blocks that count. */

#include <stdlib.h>

#include "cases.h"
#include "clip.h"

#define MOST_COLUMNS 600
#define MOST_ROWS 200

typedef struct Film {
    Rng *r;
    uint32_t width, height, top, unit;
    uint32_t block;      /* pixels that share a value, in both directions */
    uint32_t low, range; /* values of the scene */
    uint32_t noise;
    uint64_t seed;
    uint32_t gain, gain_step; /* in 1/256 */
    int32_t offset, offset_step;
    uint32_t part;        /* percent of the rows that the light reaches */
    uint32_t left, right; /* columns that it reaches, the last exclusive */
    CcaRect object;
    uint32_t object_value;
    uint16_t values[MOST_COLUMNS * MOST_ROWS];
} Film;

static uint32_t lit(const Film *const f, const uint32_t x, const uint32_t y)
{
    const uint64_t place = f->seed + y / f->block * 997 + x / f->block;
    const int64_t v = f->low + rng_mix(place) % (f->range + UINT64_C(1));
    if (y * 100 >= f->part * f->height || x < f->left || x >= f->right)
        return (uint32_t) v;
    const int64_t changed = v * f->gain / 256 + f->offset;
    return changed < 0 ? 0 : changed > f->top ? f->top : (uint32_t) changed;
}

static void draw(Film *const f)
{
    for (uint32_t y = 0; y < f->height; y++)
        for (uint32_t x = 0; x < f->width; x++) {
            const CcaRect *const o = &f->object;
            const bool covered = x - o->x < o->width && y - o->y < o->height;
            const uint32_t v = (covered ? f->object_value : lit(f, x, y)) +
                               rng_range(f->r, 0, f->noise);
            f->values[y * f->width + x] = (uint16_t) (v < f->top ? v : f->top);
        }
}

/* Changes the light and the object before the next frame. */
static void advance(Film *const f)
{
    Rng *const r = f->r;
    static const uint32_t gains[] = { 256, 256, 256, 300, 180, 250, 0, 700 };
    static const uint32_t parts[] = { 100, 100, 100, 80, 75, 70, 50 };
    f->gain += f->gain_step;
    f->offset += f->offset_step;
    if (rng_percent(r, 15)) {
        f->gain = PICK(r, gains);
        f->offset = ((int32_t) rng_below(r, 81) - 40) * (int32_t) f->unit;
        if (rng_percent(r, 30))
            f->offset *= 8;
        f->gain_step = 0;
        f->offset_step = 0;
        f->part = PICK(r, parts);
    }
    if (rng_percent(r, 15)) {
        f->gain_step = rng_below(r, 6);
        f->offset_step = (int32_t) (rng_below(r, 9) * f->unit / 2) - 2 * (int32_t) f->unit;
    }
    if (f->gain > 1024)
        f->gain = 256;
    if (rng_percent(r, 20)) {
        f->object = (CcaRect) { rng_below(r, f->width), rng_below(r, f->height),
                                rng_below(r, f->width), rng_below(r, f->height) };
        if (rng_percent(r, 20))
            f->object = (CcaRect) { 0, 0, f->width, f->height };
        f->object_value = rng_below(r, f->top + 1);
    }
}

static void choose_params(Film *const f, CcaParams *const p)
{
    static const uint32_t periods[] = { 1, 2, 5, 65535 };
    static const uint32_t warm_ups[] = { 0, 1, 10, 255 };
    static const uint32_t absorptions[] = { 0, 1, 127, 254, 1000 };
    Rng *const r = f->r;
    const uint32_t contrasts[] = { 1, 5 * f->unit, 15 * f->unit, 15 * f->unit, 60 * f->unit };
    const uint32_t steps[] = { 1, f->unit, f->unit, f->unit, 3, 20 * f->unit, f->top };
    p->min_contrast = PICK(r, contrasts);
    p->step = PICK(r, steps);
    p->min_contrast = p->min_contrast < f->top ? p->min_contrast : f->top;
    p->step = p->step < f->top ? p->step : f->top;
    p->background_period = PICK(r, periods);
    p->warm_up = PICK(r, warm_ups);
    p->absorb_after = PICK(r, absorptions);
    p->learning = rng_percent(r, 85);
    p->compensate_light = rng_percent(r, 90);
    p->count_foreground = rng_percent(r, 50);
    p->open_radius = p->close_radius = 0;
    if (rng_percent(r, 10))
        random_radii(r, p);
    p->roi = (CcaRect) { 0 };
    f->left = 0;
    f->right = f->width;
    if (rng_percent(r, 30)) {
        random_roi(r, f->width, f->height, &p->roi);
    } else if (rng_percent(r, 30)) {
        /* A few columns, which alone are in the light. */
        p->roi.x = rng_below(r, f->width);
        p->roi.width = rng_range(r, 12, 24);
        f->left = p->roi.x;
        f->right = p->roi.x + p->roi.width;
    }
}

static void choose_film(Film *const f, const bool is_large, CcaConfig *const config,
                        CcaParams *const p)
{
    Rng *const r = f->r;
    *config = (CcaConfig) {
        .width = is_large ? rng_range(r, 300, MOST_COLUMNS) : rng_range(r, 20, 150),
        .height = is_large ? rng_range(r, 100, MOST_ROWS) : rng_range(r, 15, 90),
        .max_components = UINT32_MAX,
        .slots = rng_range(r, 1, 3),
        .foreground = CCA_FOREGROUND_SIGMA_DELTA,
        .votes = true,
    };
    case_samples(r, rng_percent(r, 60) ? 1 : 2, config);
    f->width = config->width;
    f->height = config->height;
    f->top = (1u << config->depth) - 1;
    f->unit = f->top / 256 + 1;
    const uint32_t blocks[] = { 1, 4, 5, 8, 16 };
    f->block = PICK(r, blocks);
    f->low = rng_below(r, f->top + 1);
    f->range = rng_percent(r, 50) ? f->top / 4 : f->top;
    if (f->low + f->range > f->top)
        f->low = f->top - f->range;
    f->noise = rng_percent(r, 50) ? 0 : rng_below(r, 4 * f->unit);
    f->seed = rng_next(r);
    f->gain = 256;
    f->part = 100;
    p->foreground = config->foreground;
    choose_params(f, p);
}

/* The light reaches three of four samples, which are just enough, and they become brighter or
 * darker. */
static void choose_exact(Film *const f, CcaConfig *const config, CcaParams *const p)
{
    config->width = config->height = f->width = f->height = f->right = 64;
    f->left = f->range = f->noise = 0;
    f->low = f->top / 2;
    f->part = 75;
    p->roi = (CcaRect) { 0 };
    p->min_contrast = 15 * f->unit;
    p->step = f->unit;
    p->compensate_light = true;
}

/* The last two cases are exact ones. */
static uint64_t count_light(const Set set)
{
    return 2 + (set == SET_TINY ? 60 : set == SET_QUICK ? 200 : 10000);
}

static void run_light(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    CcaConfig config;
    CcaParams p = CCA_DEFAULT_PARAMS;
    Film *const f = calloc(1, sizeof(*f));
    Clip *const clip = clip_new();
    const bool is_exact = index + 2 >= count_light(k->options->set);
    bool made = f && clip;
    if (made) {
        f->r = &r;
        choose_film(f, index % 8 == 5, &config, &p);
        if (is_exact)
            choose_exact(f, &config, &p);
        else if (index % 3 == 0)
            p.mask = clip->masks[0] = random_mask(&r, f->width, f->height);
    }
    const uint32_t n = k->options->set == SET_TINY ? rng_range(&r, 4, 12) : rng_range(&r, 5, 40);
    for (uint32_t t = 0; t < n && made; t++) {
        draw(f);
        if (!is_exact && rng_percent(&r, 5))
            choose_params(f, &p);
        made = clip_add(clip, &config, &p, f->values, f->width, f->height, &r);
        if (made)
            clip->frames[t].slot = t % config.slots;
        if (is_exact)
            f->offset = t % 2 ? 0 : (index % 2 ? 30 : -30) * (int32_t) f->unit;
        else
            advance(f);
    }
    clip_run(k, clip, made);
    clip_free(clip);
    free(f);
}

const Group group_light = {
    "light", "sigma-delta with compensation of light", USE_SINGLE, count_light, run_light,
};
