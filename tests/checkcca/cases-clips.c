/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Consecutive frames, with any calls between them that affect the background. */

#include <stdlib.h>

#include "cases.h"
#include "clip.h"
#include "scene.h"

/* Parameters that all frames of a clip share. */
typedef struct Story {
    Rng *r;
    Scene scene;
    uint32_t sizes[2][2];  /* width and height; the second one of some clips only */
    uint32_t size;         /* at present */
    uint32_t eventfulness; /* percent */
    bool labels;           /* of some frames */
    bool masks;            /* for most frames */
    const CcaMask *mask;   /* at present */
    bool carries;          /* exports and imports the background, and always has one */
    CcaConfig config;
    CcaParams params;
    uint16_t *values;
} Story;

void random_radii(Rng *const r, CcaParams *const p)
{
    p->open_radius = rng_percent(r, 50) ? 0 : rng_range(r, 0, rng_percent(r, 70) ? 2 : 7);
    p->close_radius = rng_percent(r, 50) ? 0 : rng_range(r, 0, rng_percent(r, 70) ? 3 : 15);
}

static void random_background(Rng *const r, const CcaConfig *const config, CcaParams *const p)
{
    static const uint32_t absorptions[] = { 0, 1, 1, 127, 128, 254, 1000, CCA_MAX_ABSORB_AFTER };
    const uint32_t top = (1u << config->depth) - 1, unit = top / 256 + 1;
    const uint32_t contrasts[] = { 1, 2, 5 * unit, 15 * unit, 15 * unit, 30 * unit, 60 * unit };
    const uint32_t odd_contrasts[] = { top, top + 1, 65536, rng_range(r, 1, top) };
    const uint32_t steps[] = { 1, 1, unit, unit, top, rng_range(r, 1, top) };
    static const uint32_t periods[] = { 1, 2, 3, 4, 5, 65535 };
    static const uint32_t warm_ups[] = { 0, 0, 1, 2, 3, 6, 255, 65535 };
    p->min_contrast = rng_percent(r, 80) ? PICK(r, contrasts) : PICK(r, odd_contrasts);
    p->step = PICK(r, steps);
    p->noise_factor = rng_percent(r, 60) ? rng_range(r, 1, 4) : rng_range(r, 1, 16);
    p->background_period = PICK(r, periods);
    p->warm_up = PICK(r, warm_ups);
    p->learning = rng_percent(r, 85);
    p->compensate_light = rng_percent(r, 40);
    p->count_foreground = rng_percent(r, 60);
    if (config->votes)
        p->absorb_after = PICK(r, absorptions);
}

void random_params(Rng *const r, const CcaConfig *const config, const uint32_t width,
                   const uint32_t height, CcaParams *const p)
{
    const uint32_t top = (1u << config->depth) - 1;
    *p = (CcaParams) CCA_DEFAULT_PARAMS;
    p->foreground = config->foreground;
    p->threshold = rng_below(r, top + 1);
    if (rng_percent(r, 40))
        p->threshold_high = rng_range(r, p->threshold, top);
    p->invert = rng_percent(r, 20);
    p->connectivity = rng_percent(r, 50) ? 4 : 8;
    random_background(r, config, p);
    if (rng_percent(r, 35))
        random_radii(r, p);
    if (rng_percent(r, 15))
        random_areas(r, width, height, p);
    if (rng_percent(r, 15))
        random_limits(r, width, height, &p->limits);
    if (rng_percent(r, 10))
        random_peak(r, config, p);
    if (rng_percent(r, 25))
        random_roi(r, width, height, &p->roi);
    if (rng_percent(r, 30))
        p->order = CCA_ORDER_AREA;
    if (rng_percent(r, 10))
        p->max_components = rng_below(r, 20);
}

static void change_params(Story *const s)
{
    const uint32_t *const size = s->sizes[s->size];
    random_params(s->r, &s->config, size[0], size[1], &s->params);
}

static void change_config(Story *const s)
{
    Rng *const r = s->r;
    s->config.slots = rng_range(r, 1, 4);
    if (rng_percent(r, 30)) { /* at least the size of the frames */
        s->config.width += rng_below(r, 100);
        s->config.height += rng_below(r, 30);
    }
    s->config.foreground = (CcaForeground) rng_below(r, CCA_FOREGROUND_SIGMA_DELTA + 1);
    s->config.frame_distance = rng_percent(r, 70) ? rng_range(r, 1, 4) :
                                                    rng_range(r, 1, CCA_MAX_FRAME_DISTANCE);
    if (rng_percent(r, 40)) /* the mode with the most state */
        s->config.foreground = CCA_FOREGROUND_SIGMA_DELTA;
    s->config.votes = rng_percent(r, 50);
    s->config.features = CCA_FEATURES_NONE;
    if (rng_percent(r, 30))
        case_features(r, &s->config);
    if (s->carries && s->config.foreground < CCA_FOREGROUND_DIFFERENCE)
        s->config.foreground = CCA_FOREGROUND_DIFFERENCE;
}

/* Draws the events before a frame: returns them as flags, and applies changes to the story. */
static uint32_t random_events(Story *const s)
{
    Rng *const r = s->r;
    uint32_t events = 0;
    if (rng_percent(r, s->eventfulness / 4)) {
        events |= CLIP_CONFIGURE;
        change_config(s);
        change_params(s);
    }
    if (rng_percent(r, s->eventfulness / 2))
        events |= CLIP_RESET;
    if (rng_percent(r, s->eventfulness))
        events |= CLIP_REFUSE;
    if (rng_percent(r, s->eventfulness / 2))
        s->size ^= 1;
    if (rng_percent(r, s->eventfulness))
        change_params(s);
    if (rng_percent(r, s->eventfulness))
        random_roi(r, s->sizes[s->size][0], s->sizes[s->size][1], &s->params.roi);
    if (rng_percent(r, s->eventfulness))
        s->params.learning = !s->params.learning;
    if (s->carries && rng_percent(r, 30))
        events |= CLIP_CARRY;
    return events;
}

/* A mask of the clip for a frame of this size, which may be new, or NULL. */
static CcaMask *pick_mask(Story *const s, Clip *const clip, const uint32_t *const size)
{
    CcaMask **const place = &PICK(s->r, clip->masks);
    if (rng_percent(s->r, 10))
        return NULL;
    if (*place == NULL)
        *place = random_mask(s->r, size[0], size[1]);
    return *place && (*place)->width == size[0] && (*place)->height == size[1] ? *place : NULL;
}

static bool add_frame(Story *const s, Clip *const clip)
{
    const uint32_t t = clip->n_frames;
    const uint32_t carry = s->carries ? CLIP_CARRY : 0;
    const uint32_t first = (rng_percent(s->r, 30) ? CLIP_CONFIGURE : CLIP_RESET) | carry;
    const uint32_t events = t > 0 ? random_events(s) : first;
    const uint32_t *const size = s->sizes[s->size];
    scene_draw(&s->scene, t, size[0], size[1], s->values);
    ClipFrame *const f = clip_add(clip, &s->config, &s->params, s->values, size[0], size[1], s->r);
    if (f == NULL)
        return false;
    f->events = events;
    f->slot = t % s->config.slots;
    if (s->masks && (t == 0 || rng_percent(s->r, 30)))
        s->mask = pick_mask(s, clip, size);
    if (s->mask && s->mask->width == size[0] && s->mask->height == size[1])
        f->params.mask = s->mask;
    if (rng_percent(s->r, s->eventfulness))
        f->params.foreground = CCA_FOREGROUND_THRESHOLD;
    if (s->carries && f->params.foreground >= CCA_FOREGROUND_DIFFERENCE && rng_percent(s->r, 50) &&
        !clip_ask_background(f, s->r))
        return false;
    return !s->labels || t % 3 == 2 || clip_ask_labels(f, s->r);
}

static uint32_t random_side(Rng *const r, const uint32_t most)
{
    return rng_percent(r, 10) ? 1 : rng_range(r, 1, most);
}

static uint64_t count_clips(const Set set)
{
    return set == SET_TINY ? 25 : set == SET_QUICK ? 500 : 30000;
}

static void run_story(Check *const k, const uint64_t index, const bool masks, const bool carries)
{
    Rng r = check_rng(k);
    const bool large = k->options->set != SET_TINY && rng_percent(&r, 2);
    const bool tiny = k->options->set == SET_TINY;
    static const uint32_t eventfulnesses[] = { 0, 4, 12, 30 };
    Story s = {
        .r = &r,
        .eventfulness = PICK(&r, eventfulnesses),
        .masks = masks,
        .carries = carries,
        .config = { .max_components = UINT32_MAX },
    };
    const bool broad = masks && rng_percent(&r, 50); /* several parts to open and close beside */
    const uint32_t width = large && broad                   ? 2100 :
                           large                            ? 700 :
                           rng_percent(&r, masks ? 30 : 10) ? 300 :
                           tiny                             ? 30 :
                                                              80;
    const uint32_t height = large && broad ? 70 : large ? 400 : tiny ? 20 : 50;
    for (uint32_t i = 0; i < 2; i++) {
        s.sizes[i][0] = large ? width : random_side(&r, width); /* several bands of the CPU */
        s.sizes[i][1] = large ? height : random_side(&r, height);
    }
    s.config.width = s.sizes[s.sizes[1][0] > s.sizes[0][0]][0];
    s.config.height = s.sizes[s.sizes[1][1] > s.sizes[0][1]][1];
    case_samples(&r, rng_percent(&r, 60) ? 1 : 2, &s.config);
    s.scene = scene_random(&r, (1u << s.config.depth) - 1);
    s.config.labels = s.labels = index % 3 == 0;
    change_config(&s);
    change_params(&s);

    const uint32_t n = large ? 4 : rng_range(&r, 2, rng_percent(&r, 20) ? 40 : 12);
    Clip *const clip = clip_new();
    s.values = malloc((size_t) width * height * sizeof(*s.values));
    bool made = clip && s.values;
    for (uint32_t i = 0; i < n && made; i++)
        made = add_frame(&s, clip);
    k->any_use = large || rng_percent(&r, 20);
    clip_run(k, clip, made);
    k->any_use = false;
    free(s.values);
    clip_free(clip);
}

static void run_clips(Check *const k, const uint64_t index)
{
    run_story(k, index, false, false);
}

static void run_working(Check *const k, const uint64_t index)
{
    run_story(k, index, true, false);
}

static void run_backgrounds(Check *const k, const uint64_t index)
{
    run_story(k, index, index % 4 == 3, true);
}

const Group group_backgrounds = {
    "backgrounds",   "clips whose background is exported and imported", USE_SINGLE, count_clips,
    run_backgrounds,
};

const Group group_clips = {
    "clips",    "frames that follow each other, in all modes, with anything in between",
    USE_SINGLE, count_clips,
    run_clips,
};

const Group group_working = {
    "working",   "the same with working sets of any form, which change while frames are in flight",
    USE_SINGLE,  count_clips,
    run_working,
};
