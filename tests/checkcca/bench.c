/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

/* Number of repeats of the whole table: another load on the machine may slow down consecutive
 * cells for seconds, but hardly all repeats of a row. */
#define N_REPEATS 9

typedef struct Bench {
    const Options *options;
    Engines engines;
    BenchTable table;
    uint8_t *pixels;
} Bench;

static void add(Bench *const b, Engine *const engine, OpencvPeer *const opencv,
                const OpencvModel model, const char *const name)
{
    BenchTable *const t = &b->table;
    if (t->n_contestants < MOST_CONTESTANTS)
        t->contestants[t->n_contestants++] = (Contestant) { name, engine, opencv, model };
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
 * --verbose one thread at each level; with --engine only those engines. */
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
        if (o->engine != NULL || (e->threads == 1 && (o->verbose || e->level == cca_cpu_level())) ||
            (last && cores > 1))
            add(b, e, NULL, OPENCV_NO_MODEL, e->name);
    }
    return true;
}

static bool add_rows(Bench *const b)
{
    BenchSeries series[MOST_SERIES];
    const uint32_t n = bench_series(b->options, series);
    size_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const size_t size = (size_t) series[i].width * series[i].height;
        most = size > most ? size : most;
        for (uint32_t connectivity = 8; connectivity >= 4; connectivity -= 4) {
            BenchRow *const row = &b->table.rows[b->table.n_rows++];
            row->series = series[i];
            row->connectivity = connectivity;
            for (uint32_t p = 0; p < MOST_PICTURES; p++)
                for (uint32_t c = 0; c < MOST_CONTESTANTS; c++)
                    row->least[p][c] = INFINITY;
        }
    }
    return n > 0 && (b->pixels = malloc(most)) != NULL;
}

static void progress(const Bench *const b, const uint32_t repeat, const uint32_t row)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[Ktime %" PRIu32 " of %" PRIu32 ", row %" PRIu32 " of %" PRIu32 "\r",
                repeat + 1, b->table.n_repeats, row + 1, b->table.n_rows);
}

/* A row is written when it has been timed for the last time. */
static bool time_all(Bench *const b, FILE *const to)
{
    BenchTable *const t = &b->table;
    bench_print_head(t, to);
    for (uint32_t repeat = 0; repeat < t->n_repeats; repeat++)
        for (uint32_t i = 0; i < t->n_rows; i++) {
            progress(b, repeat, i);
            if (!bench_time(t, &t->rows[i], b->pixels))
                return false;
            if (repeat + 1 == t->n_repeats)
                bench_print_row(t, &t->rows[i], to);
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
    b->options = options;
    b->table.n_repeats = options->quick ? 3 : N_REPEATS;
    bool done = choose(b);
    if (!done)
        fprintf(stderr, "checkcca: there is no engine to time\n");
    /* The table gives way to JSON on standard output. */
    done = done && add_rows(b) &&
           time_all(b, options->json && !options->json_file ? stderr : stdout);
    if (done && options->json)
        done = save(b);
    for (uint32_t i = 0; i < b->table.n_contestants; i++)
        if (b->table.contestants[i].opencv != NULL)
            opencv_close(b->table.contestants[i].opencv);
    engines_free(&b->engines);
    free(b->pixels);
    free(b);
    return done ? 0 : 1;
}
