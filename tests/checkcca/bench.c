/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "engines.h"
#include "opencv-peer.h"
#include "run.h"

#define N_REPEATS 9

/* Frames of an engine before the one that is timed. Its threads slept while others took their
 * turn; that frames follow each other, which keeps them awake, they know from the second on. */
#define N_BEFORE 2

/* What is timed: an engine, or OpenCV if that is NULL. */
typedef struct Contestant {
    Engine *engine;
    OpencvPeer *opencv;
    OpencvModel model;
} Contestant;

typedef struct Bench {
    const Options *options;
    Engines engines;
    Contestant contestants[MOST_CONTESTANTS];
    BenchTable table;
    uint8_t *pixels;
} Bench;

static void add(Bench *const b, Engine *const engine, OpencvPeer *const opencv,
                const OpencvModel model, const char *const name)
{
    if (b->table.n_contestants == MOST_CONTESTANTS)
        return;
    b->contestants[b->table.n_contestants] = (Contestant) { engine, opencv, model };
    b->table.names[b->table.n_contestants++] = name;
}

static bool add_opencv(Bench *const b, const OpencvModel model, const char *const name)
{
    OpencvPeer *const peer = opencv_open();
    if (peer == NULL)
        return false;
    add(b, NULL, peer, model, name);
    return b->table.opencv = true;
}

static bool add_all_opencv(Bench *const b)
{
    if (b->options->foreground < CCA_FOREGROUND_DIFFERENCE)
        return opencv_version() == NULL || add_opencv(b, OPENCV_NO_MODEL, "OpenCV");
    return !opencv_has_models() ||
           (add_opencv(b, OPENCV_MOG2, "MOG2") && add_opencv(b, OPENCV_KNN, "KNN"));
}

/* One thread at the best level and, if there are more cores, all of them; with
 * --verbose one thread at each level; with --engine just what it says. */
static bool choose(Bench *const b)
{
    const Options *const o = b->options;
    const uint32_t cores = (uint32_t) sysconf(_SC_NPROCESSORS_ONLN);
    if (!add_all_opencv(b))
        return false;
    if (!engines_init(&b->engines, o) ||
        (o->engine == NULL && cores > 1 && !engines_add_cpu(&b->engines, cores)))
        return false;
    for (uint32_t i = 0; i < b->engines.n; i++) {
        Engine *const e = &b->engines.list[i];
        const bool last = i + 1 == b->engines.n;
        if (o->engine != NULL || (e->threads == 1 && (o->verbose || e->level == cca_cpu_level()))
            || (last && cores > 1))
            add(b, e, NULL, OPENCV_NO_MODEL, e->name);
    }
    return true;
}

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
static bool agrees(const Bench *const b, const uint32_t i, const int64_t count,
                   int64_t *const found)
{
    const bool own = b->contestants[i].model != OPENCV_NO_MODEL;
    if (count < 0 || (!own && *found >= 0 && count != *found)) {
        fprintf(stderr, "checkcca: %s finds %" PRId64 " components, not %" PRId64 "\n",
                b->table.names[i], count, *found);
        return false;
    }
    if (!own)
        *found = count;
    return true;
}

/* Each contestant once, in turn; `least` is the least that it has taken for the picture. */
static bool time_picture(Bench *const b, const CcaFrame *const frame,
                         const CcaParams *const params, double *const least)
{
    int64_t found = -1;
    for (uint32_t i = 0; i < b->table.n_contestants; i++) {
        for (uint32_t k = 0; k < N_BEFORE && b->contestants[i].engine != NULL; k++)
            analyse(&b->contestants[i], frame, params);
        const double start = run_clock();
        const int64_t count = analyse(&b->contestants[i], frame, params);
        least[i] = fmin(least[i], run_clock() - start);
        if (!agrees(b, i, count, &found))
            return false;
    }
    return true;
}

/* Pictures one after the other, then all again: a neighbour on the machine may slow down
 * what follows each other, but not all of them. Returns the sum of the least in `seconds`. */
static bool time_pictures(Bench *const b, const BenchSeries *const s, const CcaFrame *const frame,
                          const CcaParams *const params, double *const seconds)
{
    double least[MOST_PICTURES][MOST_CONTESTANTS];
    for (uint32_t t = 0; t < s->n_pictures; t++)
        for (uint32_t i = 0; i < b->table.n_contestants; i++)
            least[t][i] = INFINITY;
    for (uint32_t r = 0; r < b->table.n_repeats; r++)
        for (uint32_t t = 0; t < s->n_pictures; t++)
            if (!bench_picture(s, t, b->pixels) || !time_picture(b, frame, params, least[t]))
                return false;
    for (uint32_t t = 0; t < s->n_pictures; t++)
        for (uint32_t i = 0; i < b->table.n_contestants; i++)
            seconds[i] += least[t][i];
    return true;
}

static void forget(const Contestant *const c)
{
    if (c->engine != NULL)
        cca_engine_reset_background(c->engine->engine);
    else
        opencv_forget(c->opencv);
}

/* All frames in their order, from a new background on; returns the seconds, or less
 * than 0. `found` is the number of components in all of them. */
static double time_pass(Bench *const b, const BenchSeries *const s, const CcaFrame *const frame,
                        const CcaParams *const params, const uint32_t i, int64_t *const found)
{
    double seconds = 0;
    *found = 0;
    forget(&b->contestants[i]);
    for (uint32_t t = 0; t < s->n_pictures; t++) {
        if (!bench_picture(s, t, b->pixels))
            return -1;
        const double start = run_clock();
        const int64_t count = analyse(&b->contestants[i], frame, params);
        seconds += run_clock() - start;
        if (count < 0)
            return -1;
        *found += count;
    }
    return seconds;
}

/* Likewise for a clip: the least of passes, in turn. */
static bool time_clip(Bench *const b, const BenchSeries *const s, const CcaFrame *const frame,
                      const CcaParams *const params, double *const seconds)
{
    for (uint32_t i = 0; i < b->table.n_contestants; i++)
        seconds[i] = INFINITY;
    for (uint32_t r = 0; r < b->table.n_repeats; r++) {
        int64_t found = -1, count;
        for (uint32_t i = 0; i < b->table.n_contestants; i++) {
            const double pass = time_pass(b, s, frame, params, i, &count);
            if (pass < 0 || !agrees(b, i, count, &found))
                return false;
            seconds[i] = fmin(seconds[i], pass);
        }
    }
    return true;
}

static bool configure_all(Bench *const b, const BenchSeries *const s)
{
    const CcaConfig config = {
        .width = s->width, .height = s->height, .sample_size = 1, .depth = 8,
        .max_components = UINT32_MAX, .slots = 1, .foreground = s->params.foreground,
        .frame_distance = 3,
    };
    for (uint32_t i = 0; i < b->table.n_contestants; i++) {
        Engine *const e = b->contestants[i].engine;
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

static bool time_series(Bench *const b, const BenchSeries *const s,
                        const uint32_t connectivity)
{
    uint8_t *const grown = realloc(b->pixels, (size_t) s->width * s->height);
    if (grown == NULL || !configure_all(b, s))
        return false;
    b->pixels = grown;
    BenchRow *const row = &b->table.rows[b->table.n_rows++];
    *row = (BenchRow) { .series = *s, .connectivity = connectivity };
    const CcaFrame frame = {
        .data = b->pixels, .width = s->width, .height = s->height, .stride = s->width,
    };
    CcaParams params = s->params;
    params.connectivity = connectivity;
    if (!(bench_has_background(s) ? time_clip : time_pictures)(b, s, &frame, &params, row->seconds))
        return false;
    for (uint32_t i = 0; i < b->table.n_contestants; i++)
        row->seconds[i] /= s->n_pictures;
    return true;
}

static bool time_all(Bench *const b, FILE *const to)
{
    BenchSeries series[MOST_SERIES];
    const uint32_t n = bench_series(b->options, series);
    if (n == 0)
        return false;
    bench_print_head(&b->table, to);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t connectivity = 8; connectivity >= 4; connectivity -= 4) {
            if (!time_series(b, &series[i], connectivity))
                return false;
            bench_print_row(&b->table, &b->table.rows[b->table.n_rows - 1], to);
        }
    return true;
}

static bool save(const Bench *const b)
{
    const char *const file = b->options->json_file;
    FILE *const f = file ? fopen(file, "w") : stdout;
    if (f == NULL) {
        perror(file);
        return false;
    }
    bench_write_json(&b->table, f);
    return f == stdout || fclose(f) == 0;
}

int bench(const Options *const options)
{
    Bench *const b = calloc(1, sizeof(*b));
    if (b == NULL)
        return 2;
    b->options = b->table.options = options;
    b->table.n_repeats = options->quick ? 3 : N_REPEATS;
    bool done = choose(b);
    if (!done)
        fprintf(stderr, "checkcca: there is no engine to time\n");
    /* The table gives way to JSON on standard output. */
    done = done && time_all(b, options->json && !options->json_file ? stderr : stdout);
    if (done && options->json)
        done = save(b);
    for (uint32_t i = 0; i < b->table.n_contestants; i++)
        if (b->contestants[i].opencv != NULL)
            opencv_close(b->contestants[i].opencv);
    engines_free(&b->engines);
    free(b->pixels);
    free(b);
    return done ? 0 : 1;
}
