/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "engines.h"
#include "opencv-peer.h"
#include "run.h"

#define MOST_REPEATS 9

/* What is timed: an engine, or OpenCV if that is NULL. */
typedef struct Contestant {
    Engine *engine;
    OpencvPeer *opencv;
} Contestant;

typedef struct Bench {
    const Options *options;
    Engines engines;
    Contestant contestants[MOST_CONTESTANTS];
    BenchTable table;
    uint8_t *pixels;
} Bench;

static void add(Bench *const b, Engine *const engine, OpencvPeer *const opencv,
                const char *const name)
{
    if (b->table.n_contestants == MOST_CONTESTANTS)
        return;
    b->contestants[b->table.n_contestants] = (Contestant) { engine, opencv };
    b->table.names[b->table.n_contestants++] = name;
}

/* One thread at the best level and, if there are more cores, all of them; with
 * --verbose one thread at each level; with --engine just what it says. */
static bool choose(Bench *const b)
{
    const Options *const o = b->options;
    const uint32_t cores = (uint32_t) sysconf(_SC_NPROCESSORS_ONLN);
    if (opencv_version() != NULL) {
        OpencvPeer *const peer = opencv_open();
        if (peer == NULL)
            return false;
        add(b, NULL, peer, "OpenCV");
        b->table.opencv = true;
    }
    if (!engines_init(&b->engines, o) ||
        (o->engine == NULL && cores > 1 && !engines_add_cpu(&b->engines, cores)))
        return false;
    for (uint32_t i = 0; i < b->engines.n; i++) {
        Engine *const e = &b->engines.list[i];
        const bool last = i + 1 == b->engines.n;
        if (o->engine != NULL || (e->threads == 1 && (o->verbose || e->level == cca_cpu_level()))
            || (last && cores > 1))
            add(b, e, NULL, e->name);
    }
    return true;
}

/* Returns the number of components, or -1. */
static int64_t analyse(const Contestant *const c, const CcaFrame *const frame,
                       const CcaParams *const params)
{
    if (c->opencv != NULL)
        return opencv_count(c->opencv, frame, params);
    CcaResult result;
    if (cca_engine_analyse(c->engine->engine, 0, frame, params) != CCA_OK ||
        cca_engine_collect(c->engine->engine, 0, &result) != CCA_OK)
        return -1;
    return result.n_found;
}

static int by_value(const void *const a, const void *const b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* Adds to `seconds` what each contestant takes for one picture: the median of
 * repeats, in turn, after one that is not timed and whose counts must agree. */
static bool time_picture(Bench *const b, const CcaFrame *const frame,
                         const CcaParams *const params, double *const seconds)
{
    double times[MOST_CONTESTANTS][MOST_REPEATS];
    const uint32_t n = b->table.n_contestants, repeats = b->table.n_repeats;
    int64_t found = -1;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t count = analyse(&b->contestants[i], frame, params);
        if (count < 0 || (i > 0 && count != found)) {
            fprintf(stderr, "checkcca: %s finds %" PRId64 " components, %s %" PRId64 "\n",
                    b->table.names[i], count, b->table.names[0], found);
            return false;
        }
        found = count;
    }
    for (uint32_t r = 0; r < repeats; r++)
        for (uint32_t i = 0; i < n; i++) {
            const double start = run_clock();
            analyse(&b->contestants[i], frame, params);
            times[i][r] = run_clock() - start;
        }
    for (uint32_t i = 0; i < n; i++) {
        qsort(times[i], repeats, sizeof(double), by_value);
        seconds[i] += times[i][repeats / 2];
    }
    return true;
}

static bool configure_all(Bench *const b, const BenchSeries *const s)
{
    const CcaConfig config = {
        .width = s->width, .height = s->height, .sample_size = 1, .depth = 8,
        .max_components = UINT32_MAX, .slots = 1,
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
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.threshold = s->threshold;
    params.connectivity = connectivity;
    for (uint32_t i = 0; i < s->n_pictures; i++)
        if (!bench_picture(s, i, b->pixels) ||
            !time_picture(b, &frame, &params, row->seconds))
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
    b->table.n_repeats = options->quick ? 3 : MOST_REPEATS;
    bool done = choose(b);
    if (!done)
        fprintf(stderr, "checkcca: there is no engine to time\n");
    /* The table gives way to JSON on standard output. */
    done = done && time_all(b, options->json && !options->json_file ? stderr : stdout);
    if (done && options->json)
        done = save(b);
    if (b->table.opencv)
        opencv_close(b->contestants[0].opencv);
    engines_free(&b->engines);
    free(b->pixels);
    free(b);
    return done ? 0 : 1;
}
