/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The time that a contestant takes for a picture, its components and all. */

#include <inttypes.h>
#include <math.h>

#include "bench.h"
#include "run.h"

/* Frames of an engine before the one that is timed. Its threads slept while others took their
 * turn; that frames follow each other, which keeps them awake, they know from the second on. */
#define N_BEFORE 2

/* Returns the number of components, or -1. */
static int64_t analyse(const Contestant *const c, const CcaFrame *const frame,
                       const CcaParams *const params)
{
    if (c->model != OPENCV_NO_MODEL)
        return opencv_count_moving(c->opencv, frame, params, c->model);
    if (c->opencv != NULL)
        return opencv_count(c->opencv, frame, params);
    CcaResult result;
    if (cca_engine_analyse(c->engine->engine, 0, frame, params) != CCA_OK ||
        cca_engine_collect(c->engine->engine, 0, &result) != CCA_OK)
        return -1;
    return result.n_found;
}

/* Whether a count is that of those before; models of OpenCV have counts of their own. */
static bool agrees(const Contestant *const c, const int64_t count, int64_t *const found)
{
    const bool own = c->model != OPENCV_NO_MODEL;
    if (count < 0 || (!own && *found >= 0 && count != *found)) {
        fprintf(stderr, "checkcca: %s finds %" PRId64 " components, not %" PRId64 "\n", c->name,
                count, *found);
        return false;
    }
    if (!own)
        *found = count;
    return true;
}

/* Each contestant once, in turn. */
static bool time_picture(const BenchTable *const t, const CcaFrame *const frame,
                         const CcaParams *const params, double *const least)
{
    int64_t found = -1;
    for (uint32_t i = 0; i < t->n_contestants; i++) {
        const Contestant *const c = &t->contestants[i];
        for (uint32_t k = 0; k < N_BEFORE && c->engine != NULL; k++)
            analyse(c, frame, params);
        const double start = run_clock();
        const int64_t count = analyse(c, frame, params);
        least[i] = fmin(least[i], run_clock() - start);
        if (!agrees(c, count, &found))
            return false;
    }
    return true;
}

static void forget(const Contestant *const c)
{
    if (c->engine != NULL)
        cca_engine_reset_background(c->engine->engine);
    else
        opencv_forget(c->opencv);
}

/* All frames of a clip in their order, from a new background on; returns the seconds, or less
 * than 0. `found` is the number of components in all of them. */
static double time_clip_of(const Contestant *const c, const BenchSeries *const s,
                           const CcaFrame *const frame, const CcaParams *const params,
                           uint8_t *const pixels, int64_t *const found)
{
    double seconds = 0;
    *found = 0;
    forget(c);
    for (uint32_t i = 0; i < s->n_pictures; i++) {
        if (!bench_picture(s, i, pixels))
            return -1;
        const double start = run_clock();
        const int64_t count = analyse(c, frame, params);
        seconds += run_clock() - start;
        if (count < 0)
            return -1;
        *found += count;
    }
    return seconds;
}

static bool time_clip(const BenchTable *const t, const BenchSeries *const s,
                      const CcaFrame *const frame, const CcaParams *const params,
                      uint8_t *const pixels, double *const least)
{
    int64_t found = -1, count;
    for (uint32_t i = 0; i < t->n_contestants; i++) {
        const Contestant *const c = &t->contestants[i];
        const double seconds = time_clip_of(c, s, frame, params, pixels, &count);
        if (seconds < 0 || !agrees(c, count, &found))
            return false;
        least[i] = fmin(least[i], seconds);
    }
    return true;
}

static bool configure_all(const BenchTable *const t, const BenchSeries *const s)
{
    const CcaConfig config = {
        .width = s->width,
        .height = s->height,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = s->params.foreground,
        .frame_distance = 3,
        .votes = s->params.absorb_after > 0,
    };
    for (uint32_t i = 0; i < t->n_contestants; i++) {
        Engine *const e = t->contestants[i].engine;
        if (e == NULL)
            continue;
        const CcaStatus status = engine_prepare(e, &config);
        if (status != CCA_OK) {
            fprintf(stderr, "checkcca: %s: %s\n", e->name, engine_message(e, status));
            return false;
        }
    }
    return true;
}

bool bench_time(const BenchTable *const t, BenchRow *const row, uint8_t *const pixels)
{
    const BenchSeries *const s = &row->series;
    const CcaFrame frame = {
        .data = pixels,
        .width = s->width,
        .height = s->height,
        .stride = s->width,
    };
    CcaParams params = s->params;
    params.connectivity = row->connectivity;
    if (!configure_all(t, s))
        return false;
    if (bench_has_background(s))
        return time_clip(t, s, &frame, &params, pixels, row->least[0]);
    for (uint32_t i = 0; i < s->n_pictures; i++)
        if (!bench_picture(s, i, pixels) || !time_picture(t, &frame, &params, row->least[i]))
            return false;
    return true;
}

double bench_seconds(const BenchRow *const row, const uint32_t contestant)
{
    const uint32_t n = bench_has_background(&row->series) ? 1 : row->series.n_pictures;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += row->least[i][contestant];
    return sum / row->series.n_pictures;
}
