/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Engines at work in several threads at once, one each. */

#include <pthread.h>
#include <string.h>

#include "cases.h"
#include "clip.h"

#define N_WORKERS 4
#define MOST_THREADS 8 /* of each engine */
#define WIDTH 173
#define HEIGHT 101

typedef struct Worker {
    Engine engine;
    const Clip *clip;
    uint32_t times;
    bool right;
    char text[1000];
} Worker;

static void *work(void *const data)
{
    Worker *const w = data;
    for (uint32_t i = 0; i < w->times && w->right; i++) {
        w->right = clip_plays(w->clip, &w->engine, w->text, sizeof(w->text));
        if (i % 8 == 7)
            engine_close(&w->engine);
    }
    engine_close(&w->engine);
    return NULL;
}

static void work_together(Check *const k, const Engine *const engine, const Clip *const clip)
{
    Worker workers[N_WORKERS];
    pthread_t threads[N_WORKERS];
    const uint32_t n_frames = k->options->set == SET_TINY ? 2 : 20;
    uint32_t started = 0;
    for (; started < N_WORKERS; started++) {
        Worker *const w = &workers[started];
        *w = (Worker) {
            .engine = *engine,
            .clip = clip,
            .times = n_frames > clip->n_frames ? n_frames / clip->n_frames : 1,
            .right = true,
        };
        w->engine.engine = NULL;
        if (pthread_create(&threads[started], NULL, work, w) != 0)
            break;
    }
    k->engine = engine;
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        k->n_comparisons += workers[i].times * clip->n_frames;
        if (!workers[i].right)
            check_fail(k, NULL, "one of %u at once: %s", started, workers[i].text);
    }
    if (started == 0)
        check_skip(k, "no thread could be started");
}

/* Others of the same pattern follow if there is to be a background. */
static bool add_frame(Check *const k, Clip *const clip, const Pattern pattern,
                      const bool background, Rng *const r)
{
    uint16_t values[WIDTH * HEIGHT];
    const CcaConfig config = {
        .width = WIDTH,
        .height = HEIGHT,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = background ? CCA_FOREGROUND_SIGMA_DELTA : CCA_FOREGROUND_THRESHOLD,
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.foreground = config.foreground;
    params.open_radius = background;
    if (!pattern_draw(&k->mask, pattern, WIDTH, HEIGHT, 52, 1 + 3 * background, rng_next(r)))
        return false;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        values[i] = k->mask.pixels[i] ? 129 + i % 100 : i % 128;
    return clip_add(clip, &config, &params, values, WIDTH, HEIGHT, r);
}

static uint64_t count_together(const Set set)
{
    return set == SET_TINY ? 2 : set == SET_QUICK ? 4 : 40;
}

static void run_together(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    Clip *const clip = clip_new();
    const uint32_t n_frames = index % 2 ? 5 : 1;
    bool made = clip != NULL;
    for (uint32_t i = 0; i < n_frames && made; i++)
        made = add_frame(k, clip, index / 2 % 2 ? PATTERN_GLYPHS : PATTERN_NOISE, n_frames > 1, &r);
    if (made && clip_expect(clip))
        for (uint32_t i = 0; i < k->engines.n; i++)
            if (k->engines.list[i].threads <= MOST_THREADS)
                work_together(k, &k->engines.list[i], clip);
    clip_free(clip);
}

const Group group_together = {
    "together", "several engines at work at once", USE_ALL, count_together, run_together,
};
