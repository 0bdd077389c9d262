/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_POINT_H
#define CCA_BENCH_POINT_H

/* A point is one measurement. Its name, words with slashes between them, defines
 * it, such as element/1080p/16/8535. The programs of this folder take names and
 * print a line of JSON for each, as soon as it is measured:
 *
 *     {"point": NAME, FIGURE: NUMBER, ...}
 *     {"point": NAME, "skipped": SENTENCE}     cannot be measured here
 *     {"point": NAME, "failed": SENTENCE}
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define POINT_MOST_WORDS 8

typedef struct Point {
    const char *name;
    uint32_t n_words;
    char *words[POINT_MOST_WORDS];
    char text[128]; /* of the words */
} Point;

/* False if there are too many words. */
bool point_parse(Point *point, const char *name);

/* 640x480, or one of 1080p, 4k, 8k. */
bool point_size(const char *word, uint32_t *width, uint32_t *height);

/* CcaFeatureFlags between `before` and the end of a word such as cpu-moments: moments, intensity,
 * shape, or features, which are all. */
bool point_features(const char *word, const char *before, uint32_t *flags);

/* The number between `before` and `after` in a word such as async2 or 2gpus. */
bool point_number(const char *word, const char *before, const char *after, uint32_t *number);

/* The line: begin, figures, end. It is flushed. */
void point_begin(const Point *point);
void point_figure(const char *figure, double number);
void point_list(const char *figure, const double *numbers, uint32_t n);
void point_text(const char *key, const char *text);
void point_end(void);

/* The whole line. `failed`, else skipped. */
void point_no_figures(const Point *point, bool failed, const char *why);

#endif /* CCA_BENCH_POINT_H */
