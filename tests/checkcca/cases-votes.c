/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Sigma-delta with votes. Each pixel has a few values. It keeps one of them for some
 * frames and returns to others, so all transitions of candidates and votes occur within
 * a clip. Some stretches of a row never change, so vectors without foreground are next
 * to vectors with foreground. M, V, K, q and e are compared only through the foreground
 * of later frames. */

#include <stdlib.h>

#include "cases.h"
#include "clip.h"

#define MOST_COLUMNS 260
#define MOST_ROWS 5
#define N_LEVELS 3
#define STRETCH 40

typedef struct Film {
    Rng *r;
    uint32_t width, height, top, c;
    uint32_t patience; /* percent of the pixels that keep their level from frame to frame */
    bool has_pauses;   /* not every frame is a tick */
    uint64_t seed;
    uint8_t levels[MOST_COLUMNS * MOST_ROWS];
    uint16_t values[MOST_COLUMNS * MOST_ROWS];
} Film;

static bool is_restless(const Film *const f, const uint32_t i)
{
    return rng_mix(f->seed + i % f->width / STRETCH) % 3 > 0;
}

/* Levels are far apart, or about as far as values are near a candidate. */
static uint32_t level(const Film *const f, const uint32_t i)
{
    const uint64_t place = f->seed + i % f->width % 16;
    const uint64_t first = rng_mix(place) % (f->top + UINT64_C(1));
    const uint64_t gaps[] = { f->c - 1, f->c, f->c + 1, 2 * f->c, f->top / 3 };
    const uint64_t gap = gaps[rng_mix(place + 100) % 5];
    return (uint32_t) ((first + f->levels[i] * gap) % (f->top + UINT64_C(1)));
}

static void draw(Film *const f)
{
    Rng *const r = f->r;
    for (uint32_t i = 0; i < f->width * f->height; i++) {
        uint32_t v = level(f, i);
        if (is_restless(f, i)) {
            if (!rng_percent(r, f->patience))
                f->levels[i] = (uint8_t) rng_below(r, N_LEVELS);
            v = level(f, i);
            if (rng_percent(r, 30))
                v += rng_below(r, f->c + 1);
        }
        f->values[i] = (uint16_t) (v < f->top ? v : f->top);
    }
}

static void choose_params(Film *const f, CcaParams *const p)
{
    static const uint32_t noise_factors[] = { 1, 2, 2, 16 };
    static const uint32_t periods[] = { 1, 2, 5, 65535 };
    static const uint32_t absorptions[] = { 0, 0, 127, 128, 254, 255, CCA_MAX_ABSORB_AFTER };
    Rng *const r = f->r;
    p->noise_factor = PICK(r, noise_factors);
    p->background_period = PICK(r, periods);
    p->learning = rng_percent(r, 90);
    p->invert = rng_percent(r, 10);
    p->open_radius = p->close_radius = 0;
    if (rng_percent(r, 10))
        random_radii(r, p);
    p->roi = (CcaRect) { 0 };
    if (rng_percent(r, 20))
        random_roi(r, f->width, f->height, &p->roi);
    p->min_contrast = rng_percent(r, 80) ? f->c : rng_range(r, 1, f->top);
    p->absorb_after = f->has_pauses ? rng_range(r, 128, 600) : rng_range(r, 1, 127);
    if (rng_percent(r, 10))
        p->absorb_after = PICK(r, absorptions);
}

static void choose_film(Film *const f, CcaConfig *const config, CcaParams *const p)
{
    static const uint32_t patiences[] = { 99, 97, 90, 75, 50 };
    static const uint32_t warm_ups[] = { 0, 0, 1, 10, 50, 255 };
    Rng *const r = f->r;
    *config = (CcaConfig) {
        .width = rng_percent(r, 30) ? rng_range(r, 1, 70) : rng_range(r, 1, MOST_COLUMNS),
        .height = rng_range(r, 1, MOST_ROWS),
        .max_components = UINT32_MAX,
        .slots = rng_range(r, 1, 3),
        .foreground = CCA_FOREGROUND_SIGMA_DELTA,
        .votes = true,
    };
    case_samples(r, rng_percent(r, 60) ? 1 : 2, config);
    f->width = config->width;
    f->height = config->height;
    f->top = (1u << config->depth) - 1;
    const uint32_t unit = f->top / 256 + 1;
    const uint32_t contrasts[] = { 1, 2, 15 * unit, 15 * unit, 40 * unit, f->top };
    const uint32_t steps[] = { 1, 1, unit, unit, 20 * unit };
    f->c = PICK(r, contrasts);
    p->step = PICK(r, steps);
    f->c = f->c < f->top ? f->c : f->top;
    p->step = p->step < f->top ? p->step : f->top;
    f->patience = PICK(r, patiences);
    f->seed = rng_next(r);
    p->foreground = config->foreground;
    p->connectivity = 4;
    p->warm_up = f->has_pauses && rng_percent(r, 70) ? 0 : PICK(r, warm_ups);
    choose_params(f, p);
}

#define N_SCRIPTS 2

/* The background is 50 until 120 has been absorbed. In frame 64 the candidate, which is
 * the old background, is replaced by 200, so 50 does not return at once afterwards. */
static void run_script(Check *const k, const uint32_t index)
{
    Rng r = check_rng(k);
    const CcaConfig config = {
        .width = 8,
        .height = 2,
        .sample_size = 1 + index,
        .depth = 8 + 4 * index,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = CCA_FOREGROUND_SIGMA_DELTA,
        .votes = true,
    };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = config.foreground;
    p.warm_up = 0;
    p.absorb_after = 127;
    Clip *const clip = clip_new();
    bool made = clip != NULL;
    for (uint32_t t = 0; t < 76 && made; t++) {
        const uint32_t value = t < 10 ? 50 : t < 60 ? 120 : t < 66 ? 200 : 50;
        uint16_t values[16];
        for (uint32_t i = 0; i < 16; i++)
            values[i] = (uint16_t) (i % 4 ? value : 50);
        made = clip_add(clip, &config, &p, values, config.width, config.height, &r);
    }
    clip_run(k, clip, made);
    clip_free(clip);
}

static uint64_t count_votes(const Set set)
{
    return N_SCRIPTS + (set == SET_TINY ? 12 : set == SET_QUICK ? 250 : 20000);
}

static void run_votes(Check *const k, const uint64_t index)
{
    if (index < N_SCRIPTS) {
        run_script(k, (uint32_t) index);
        return;
    }
    Rng r = check_rng(k);
    CcaConfig config;
    CcaParams p = CCA_DEFAULT_PARAMS;
    Film *const f = calloc(1, sizeof(*f));
    Clip *const clip = clip_new();
    bool made = f && clip;
    if (made) {
        f->r = &r;
        f->has_pauses = index % 2;
        choose_film(f, &config, &p);
    }
    const bool long_one = k->options->set != SET_TINY && rng_percent(&r, 50);
    const uint32_t n = long_one ? MOST_CLIP_FRAMES : rng_range(&r, 20, 80);
    for (uint32_t t = 0; t < n && made; t++) {
        draw(f);
        if (rng_percent(&r, 3))
            choose_params(f, &p);
        made = clip_add(clip, &config, &p, f->values, f->width, f->height, &r);
        if (made) {
            clip->frames[t].slot = t % config.slots;
            if (t > 0 && rng_percent(&r, 1))
                clip->frames[t].events |= CLIP_RESET;
        }
    }
    clip_run(k, clip, made);
    clip_free(clip);
    free(f);
}

const Group group_votes = {
    "votes",   "sigma-delta with votes: values that stay and return", USE_SINGLE, count_votes,
    run_votes,
};
