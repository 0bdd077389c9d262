/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_BENCH_H
#define CHECKCCA_BENCH_H

#include <stdio.h>

#include "engines.h"
#include "opencv-peer.h"
#include "options.h"

/* Times the engines, and OpenCV where it is built in. Returns an exit status. */
int bench(const Options *options);

/* A series of pictures whose times are averaged: noise of one granularity over
 * all densities, or the frames of a clip. */
typedef struct BenchSeries {
    const char *name;
    uint32_t width, height;
    uint32_t n_pictures; /* plain ones are all the same */
    uint32_t block;      /* of noise, in pixels; 0: none */
    uint32_t value;      /* of a plain picture */
    const char *file;    /* of frames, or NULL */
    uint32_t n_frames;   /* in that file, of which n_pictures are used */
    CcaParams params;
} BenchSeries;

#define MOST_SERIES 16
#define MOST_PICTURES 40 /* of a series */

/* Returns how many series there are, or 0 after a message. */
uint32_t bench_series(const Options *options, BenchSeries series[MOST_SERIES]);

/* Whether the mode has a background, for which the pictures keep their order. */
bool bench_has_background(const BenchSeries *series);

/* Draws picture `i`: width x height bytes. Returns false after a message. */
bool bench_picture(const BenchSeries *series, uint32_t i, uint8_t *pixels);

/* The timed engine; NULL: OpenCV. */
typedef struct Contestant {
    const char *name;
    Engine *engine;
    OpencvPeer *opencv;
    OpencvModel model;
} Contestant;

#define MOST_CONTESTANTS 24

/* A line of the table. */
typedef struct BenchRow {
    BenchSeries series;
    uint32_t connectivity;
    /* seconds, the least of the repeats so far: of each picture or, in modes that find motion,
     * of all of them in [0] */
    double least[MOST_PICTURES][MOST_CONTESTANTS];
} BenchRow;

typedef struct BenchTable {
    Contestant contestants[MOST_CONTESTANTS];
    uint32_t n_contestants, n_repeats;
    bool opencv; /* the first contestant is OpenCV's, the measure of the others */
    BenchRow rows[2 * MOST_SERIES];
    uint32_t n_rows;
} BenchTable;

/* Times each contestant once more with each picture of the row. `pixels` has room for one.
 * Returns false after a message. */
bool bench_time(const BenchTable *table, BenchRow *row, uint8_t *pixels);

/* Seconds a picture, the mean over the series. */
double bench_seconds(const BenchRow *row, uint32_t contestant);

void bench_print_head(const BenchTable *table, FILE *to);
void bench_print_row(const BenchTable *table, const BenchRow *row, FILE *to);
void bench_write_json(const BenchTable *table, FILE *to);

#endif /* CHECKCCA_BENCH_H */
