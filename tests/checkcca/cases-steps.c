/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The background of a single pixel: for 8 bits all values against all of M, with any V; for any
 * number of bits values near the ends and the middle; and the frames that update it or are
 * compared with. M and V are not visible, and are derived from the foreground of later plain
 * frames. */

#include "cases.h"
#include "clip.h"

#define SIDE 256
#define EDGES_SIDE 24
#define SCHEDULE_SIDE 16

static const uint32_t noise_factors[] = { 1, 2, 3, 16 };
static const uint32_t steps[] = { 1, 2, 7, 128, 255 };
static const uint32_t contrasts[] = { 1, 15, 255 };
#define N_COMBINATIONS 60 /* of these */

static bool add_square(Clip *const clip, const CcaConfig *const config,
                       const CcaParams *const params, const uint16_t *const values, Rng *const r)
{
    return clip_add(clip, config, params, values, config->width, config->height, r);
}

/* A frame of one value, of which nothing is learned. */
static bool add_probe(Clip *const clip, const CcaConfig *const config, const CcaParams *params,
                      const uint32_t value, uint16_t *const values, Rng *const r)
{
    CcaParams p = *params;
    p.learning = false;
    p.min_contrast = 1;
    for (uint32_t i = 0; i < config->width * config->height; i++)
        values[i] = (uint16_t) value;
    return add_square(clip, config, &p, values, r);
}

/* The column gives M, and the row gives I; neighbours have distant values. */
static void draw_pairs(uint16_t *const values, const uint32_t side, const bool rows,
                       const uint32_t start)
{
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            values[y * side + x] = (uint16_t) ((start + (rows ? y * 77 : x * 45)) % 256);
}

static void run_all_pairs(Check *const k, const uint32_t variation, const uint32_t combination)
{
    static uint16_t values[SIDE * SIDE];
    Rng r = check_rng(k);
    const uint32_t side = k->options->set == SET_TINY ? 40 : SIDE;
    const uint32_t start = rng_below(&r, 256);
    const CcaConfig config = {
        .width = side,
        .height = side,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = CCA_FOREGROUND_SIGMA_DELTA,
    };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = config.foreground;
    p.noise_factor = noise_factors[combination % 4];
    p.step = steps[combination / 4 % 5];
    p.connectivity = 4;
    Clip *const clip = clip_new();
    draw_pairs(values, side, false, start);
    p.min_contrast = variation; /* which V is at first */
    bool made = clip && add_square(clip, &config, &p, values, &r);
    draw_pairs(values, side, true, start);
    p.min_contrast = contrasts[combination / 20];
    made = made && add_square(clip, &config, &p, values, &r);
    made = made && add_probe(clip, &config, &p, 0, values, &r) &&
           add_probe(clip, &config, &p, rng_below(&r, 256), values, &r);
    clip_run(k, clip, made);
    clip_free(clip);
}

/* At, next to and near the ends, the middle, and multiples of the step. */
static uint32_t edge(Rng *const r, const uint32_t top, const uint32_t step)
{
    const uint32_t near = rng_below(r, 3);
    const uint32_t edges[] = { 0,
                               near,
                               top,
                               top - near % (top + 1),
                               top / 2 + near,
                               step + near,
                               top - step + near,
                               2 * step - near };
    const uint32_t v = PICK(r, edges);
    return v > top ? top : v;
}

static void run_edges(Check *const k)
{
    static const uint32_t depths[] = { 16, 16, 16, 15, 12, 10, 9, 8, 2, 1 };
    uint16_t values[EDGES_SIDE * EDGES_SIDE];
    Rng r = check_rng(k);
    CcaConfig config = {
        .width = EDGES_SIDE,
        .height = EDGES_SIDE,
        .sample_size = 2,
        .depth = PICK(&r, depths),
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = CCA_FOREGROUND_SIGMA_DELTA,
    };
    config.shift = rng_range(&r, 0, 16 - config.depth);
    const uint32_t top = (1u << config.depth) - 1;
    const uint32_t notable[] = { 1, top / 256 + 1, top / 2 + 1, top, top - top / 4 };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = config.foreground;
    p.step = PICK(&r, notable);
    p.connectivity = 4;
    Clip *const clip = clip_new();
    bool made = clip != NULL;
    for (uint32_t t = 0; t < 8 && made; t++) {
        p.noise_factor = rng_range(&r, 1, CCA_MAX_NOISE_FACTOR);
        p.min_contrast = edge(&r, top, p.step) + rng_below(&r, 2);
        if (p.min_contrast == 0)
            p.min_contrast = 1;
        for (uint32_t i = 0; i < EDGES_SIDE * EDGES_SIDE; i++)
            values[i] = (uint16_t) edge(&r, top, p.step);
        made = add_square(clip, &config, &p, values, &r);
    }
    made = made && add_probe(clip, &config, &p, 0, values, &r) &&
           add_probe(clip, &config, &p, top / 2, values, &r);
    clip_run(k, clip, made);
    clip_free(clip);
}

/* Values independent of the earlier ones, and a step of 1 or of a large part of the range.
 * Regions, radii and inversion do not affect the background. */
static void run_schedule(Check *const k)
{
    uint16_t values[SCHEDULE_SIDE * SCHEDULE_SIDE];
    Rng r = check_rng(k);
    const bool differs = rng_percent(&r, 40);
    const CcaConfig config = {
        .width = SCHEDULE_SIDE,
        .height = SCHEDULE_SIDE,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = rng_range(&r, 1, 3),
        .foreground = differs ? CCA_FOREGROUND_DIFFERENCE : CCA_FOREGROUND_SIGMA_DELTA,
        .frame_distance = rng_range(&r, 1, CCA_MAX_FRAME_DISTANCE),
    };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = config.foreground;
    p.connectivity = 4;
    p.step = rng_percent(&r, 30) ? 1 : rng_range(&r, 30, 100);
    p.min_contrast = rng_range(&r, 1, 40);
    p.background_period = rng_range(&r, 1, 6);
    p.warm_up = rng_range(&r, 0, 10);
    Clip *const clip = clip_new();
    bool made = clip != NULL;
    for (uint32_t t = 0; t < 24 && made; t++) {
        for (uint32_t i = 0; i < SCHEDULE_SIDE * SCHEDULE_SIDE; i++)
            values[i] = (uint16_t) rng_range(&r, 0, 255);
        p.learning = rng_percent(&r, 90);
        p.noise_factor = rng_range(&r, 1, 3);
        p.invert = rng_percent(&r, 20);
        p.open_radius = rng_percent(&r, 15);
        p.close_radius = rng_percent(&r, 15);
        p.roi = (CcaRect) { 0 };
        if (rng_percent(&r, 30))
            random_roi(&r, SCHEDULE_SIDE, SCHEDULE_SIDE, &p.roi);
        made = add_square(clip, &config, &p, values, &r);
        clip->frames[t].slot = t % config.slots;
        if (t > 0 && rng_percent(&r, 2))
            clip->frames[t].events |= CLIP_RESET;
    }
    clip_run(k, clip, made);
    clip_free(clip);
}

/* The contrast is raised, and lowered again, in frames that do not move the background:
 * differences of all sizes are then judged by the contrast alone, or by V. */
static void run_contrasts(Check *const k, const uint32_t index)
{
    static const struct {
        uint32_t sample_size, depth, step;
        CcaForeground foreground;
    } codes[] = {
        { 1, 8, 1, CCA_FOREGROUND_SIGMA_DELTA },  { 1, 8, 2, CCA_FOREGROUND_SIGMA_DELTA },
        { 2, 16, 1, CCA_FOREGROUND_SIGMA_DELTA }, { 2, 10, 4, CCA_FOREGROUND_SIGMA_DELTA },
        { 1, 8, 1, CCA_FOREGROUND_DIFFERENCE },
    };
    static const uint32_t in_turn[] = { 10, 10, 40, 80, 256, 25, 10 };
    uint16_t values[SCHEDULE_SIDE * SCHEDULE_SIDE];
    Rng r = check_rng(k);
    const CcaConfig config = {
        .width = SCHEDULE_SIDE,
        .height = SCHEDULE_SIDE,
        .sample_size = codes[index].sample_size,
        .depth = codes[index].depth,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = codes[index].foreground,
        .frame_distance = CCA_MAX_FRAME_DISTANCE, /* the first frame */
    };
    CcaParams p = CCA_DEFAULT_PARAMS;
    p.foreground = config.foreground;
    p.connectivity = 4;
    p.step = codes[index].step;
    Clip *const clip = clip_new();
    bool made = clip != NULL;
    for (uint32_t t = 0; t < sizeof(in_turn) / sizeof(in_turn[0]) && made; t++) {
        for (uint32_t i = 0; i < SCHEDULE_SIDE * SCHEDULE_SIDE; i++)
            values[i] = (uint16_t) (100 + (t > 0 ? i * 45 % 128 : 0));
        p.min_contrast = in_turn[t];
        p.learning = t == 0;
        made = add_square(clip, &config, &p, values, &r);
    }
    clip_run(k, clip, made);
    clip_free(clip);
}

#define N_CONTRASTS 5

static uint32_t n_schedules(const Set set)
{
    return set == SET_TINY ? 12 : set == SET_QUICK ? 100 : 10000;
}

/* Every other one has a step of 1, which may have code of its own, and all contrasts. */
static uint32_t pick_combination(Rng *const r, const uint64_t index)
{
    const uint32_t combination = rng_below(r, N_COMBINATIONS);
    return index % 2 ? combination : combination % 4 + 20 * (uint32_t) (index / 2 % 3);
}

static uint32_t n_all_pairs(const Set set)
{
    return set == SET_TINY ? 6 : set == SET_QUICK ? 20 : 255 * N_COMBINATIONS;
}

static uint64_t count_steps(const Set set)
{
    return N_CONTRASTS + n_all_pairs(set) + n_schedules(set) +
           (set == SET_TINY  ? 12 :
            set == SET_QUICK ? 300 :
                               20000);
}

static void run_steps(Check *const k, const uint64_t number)
{
    Rng r = check_rng(k);
    const Set set = k->options->set;
    if (number < N_CONTRASTS) {
        run_contrasts(k, (uint32_t) number);
        return;
    }
    const uint64_t index = number - N_CONTRASTS;
    if (index >= n_all_pairs(set) + n_schedules(set))
        run_edges(k);
    else if (index >= n_all_pairs(set))
        run_schedule(k);
    else if (set == SET_FULL)
        run_all_pairs(k, 1 + (uint32_t) index % 255, (uint32_t) index / 255);
    else
        run_all_pairs(k, rng_range(&r, 1, 255), pick_combination(&r, index));
}

const Group group_steps = {
    "steps",    "the background: all pairs of 8-bit values, the ends of 16 bits, schedules",
    USE_SINGLE, count_steps,
    run_steps,
};
