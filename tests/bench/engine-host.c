/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Delivery to the host: from the call of analyse until collect has returned and the CPU can
 * read the records, frame after frame and with a pause before each, as from a camera. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "timing.h"

#define N_WARM_UP 20
#define N_FRAMES 200 /* of an image */
#define N_PAUSED_FRAMES 20
#define PAUSE_NS 2000000

typedef struct Figures {
    double us, p99_us; /* mean over the images of the median; of all frames */
    double cpu_us;     /* of this process, a frame */
} Figures;

/* Times of all images, for the 99th percentile. */
typedef struct Times {
    double *all;
    size_t n;
} Times;

static double seconds(const clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double) now.tv_sec + now.tv_nsec * 1e-9;
}

static int by_value(const void *const a, const void *const b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* Adds an image to the figures. */
static bool deliver(Timing *const t, const bool pause, const uint32_t n_images, Times *const times,
                    Figures *const f)
{
    const CcaParams params = CCA_DEFAULT_PARAMS;
    const uint32_t n = pause ? N_PAUSED_FRAMES : N_FRAMES;
    double *const these = times->all + times->n, cpu = 0;
    for (uint32_t i = 0; i < n + N_WARM_UP; i++) {
        CcaResult result;
        if (i == N_WARM_UP)
            cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (pause && i >= N_WARM_UP)
            nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
        const double start = seconds(CLOCK_MONOTONIC);
        if (!timing_analyse(t, i, &params, &result))
            return false;
        if (i >= N_WARM_UP)
            these[i - N_WARM_UP] = (seconds(CLOCK_MONOTONIC) - start) * 1e6;
    }
    f->cpu_us += (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e6 / n / n_images;
    qsort(these, n, sizeof(double), by_value);
    f->us += these[n / 2] / n_images;
    times->n += n;
    return true;
}

static bool deliver_all(Timing *const t, const Content *const content, const bool pause,
                        Figures *const f)
{
    const uint32_t n = content_images(content);
    Times times = { malloc((size_t) n * N_FRAMES * sizeof(double)), 0 };
    bool done = times.all != NULL;
    *f = (Figures) { 0 };
    for (uint32_t i = 0; done && i < n; i++)
        done = timing_draw(t, content, i) && deliver(t, pause, n, &times, f);
    if (done) {
        qsort(times.all, times.n, sizeof(double), by_value);
        f->p99_us = times.all[times.n * 99 / 100];
    }
    free(times.all);
    return done;
}

bool measure_host(Timing *const t, const Point *const point)
{
    CcaConfig config = { .sample_size = 1, .depth = 8, .max_components = 65536, .slots = 1 };
    Figures on, off;
    Content content;
    if (point->n_words < 3 || strcmp(point->words[0], "host") != 0 ||
        !point_size(point->words[1], &config.width, &config.height) ||
        !content_parse(&content, point, 2) || !timing_configure(t, CCA_CUDA_AUTO, &config) ||
        !deliver_all(t, &content, false, &on) || !deliver_all(t, &content, true, &off))
        return false;
    point_begin(point);
    point_figure("us", on.us);
    point_figure("p99_us", on.p99_us);
    point_figure("cpu_us", on.cpu_us);
    point_figure("paused_us", off.us);
    point_figure("paused_p99_us", off.p99_us);
    point_figure("paused_cpu_us", off.cpu_us);
    point_end();
    return true;
}
