/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* bench-cpu POINT...: time of the CPU engine and of OpenCV, frame after frame: the median of
 * some repeats for each image of a content, and the mean and the worst of these.
 *
 *     cpu/THREADS/SIZE/CONNECTIVITY/CONTENT
 *     cpu-FEATURES/THREADS/SIZE/CONNECTIVITY/CONTENT    moments, intensity, shape, features (all)
 *     opencv/THREADS/SIZE/CONNECTIVITY/CONTENT
 *     opencv-features/THREADS/SIZE/CONNECTIVITY/CONTENT    moments and intensity
 *
 * CONTENT as of bench-engine. OpenCV's count, boxes, areas and centroids, or count and features,
 * are compared with ours for each image. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cca.h"
#include "images.h"
#include "opencv-measure.h"
#include "opencv-peer.h"

#define REPEATS 5

typedef struct Bench {
    bool is_opencv, measures; /* OpenCV, and its features */
    uint32_t n_threads, connectivity;
    CcaConfig config;
    Content content;
    CcaEngine *engine;
    OpencvPeer *opencv;
    CcaFeatures *features;
    Images images;
} Bench;

static bool parse(const Point *const p, Bench *const b)
{
    uint32_t features = CCA_FEATURES_NONE;
    b->measures = strcmp(p->words[0], "opencv-features") == 0;
    b->is_opencv = b->measures || strcmp(p->words[0], "opencv") == 0;
    if (b->measures)
        features = CCA_FEATURES_MOMENTS | CCA_FEATURES_INTENSITY;
    else if (!b->is_opencv && strcmp(p->words[0], "cpu") != 0 &&
             !point_features(p->words[0], "cpu-", &features))
        return false;
    b->config.features = (CcaFeatureFlags) features;
    return p->n_words >= 5 && point_number(p->words[1], "", "", &b->n_threads) &&
           b->n_threads > 0 && point_size(p->words[2], &b->config.width, &b->config.height) &&
           point_number(p->words[3], "", "", &b->connectivity) &&
           (b->connectivity == 4 || b->connectivity == 8) && content_parse(&b->content, p, 4);
}

static uint32_t max_features(const Bench *const b)
{
    return b->config.width * b->config.height / 2 + 1;
}

/* The number of components. */
static int64_t run_opencv(Bench *const b, const CcaFrame *const frame,
                          const CcaParams *const params)
{
    return b->measures ? opencv_measure(frame, params->threshold, params->connectivity, b->features,
                                        max_features(b)) :
                         opencv_count(b->opencv, frame, params);
}

static const char *open_engines(Bench *const b)
{
    const CcaCpuOptions options = { .threads = b->n_threads, .level = CCA_CPU_LEVEL_BEST };
    b->config.sample_size = 1;
    b->config.depth = 8;
    b->config.max_components = UINT32_MAX;
    b->config.slots = 1;
    if (cca_cpu_open(&b->engine, &options) != CCA_OK ||
        cca_engine_configure(b->engine, &b->config) != CCA_OK)
        return "the engine cannot be made";
    if (b->is_opencv && (b->opencv = opencv_open()) == NULL)
        return "OpenCV cannot be opened";
    if (b->measures && (b->features = malloc(max_features(b) * sizeof(*b->features))) == NULL)
        return "memory ran out";
    opencv_use_threads(b->n_threads);
    return NULL;
}

static bool same(const CcaComponent *const c, const OpencvRecord *const r)
{
    return c->x == r->x && c->y == r->y && c->width == r->width && c->height == r->height &&
           c->area == r->area && cca_centroid_x(c) == r->centroid_x &&
           cca_centroid_y(c) == r->centroid_y;
}

/* Whether OpenCV finds the same components. */
static bool agrees(Bench *const b, const CcaFrame *const frame, const CcaParams *const params,
                   const CcaResult *const ours)
{
    const OpencvRecord *records;
    if (run_opencv(b, frame, params) != ours->n_found)
        return false;
    if (b->measures)
        return ours->n_found == 0 ||
               memcmp(b->features, ours->features, ours->n_found * sizeof(*b->features)) == 0;
    if (opencv_analyse(b->opencv, frame, params, &records) != ours->n_found)
        return false;
    for (uint32_t i = 0; i < ours->n_components; i++)
        if (!same(&ours->components[i], &records[i]))
            return false;
    return true;
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

static int by_value(const void *const a, const void *const b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static const char *time_image(Bench *const b, double *const us)
{
    const CcaFrame frame = {
        .data = b->images.pixels,
        .width = b->config.width,
        .height = b->config.height,
        .stride = b->config.width,
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    double times[REPEATS];
    CcaResult result;
    params.connectivity = b->connectivity;
    for (int r = -1; r < REPEATS; r++) {
        const double start = now_us();
        if (b->is_opencv && r >= 0)
            run_opencv(b, &frame, &params);
        else if (cca_engine_analyse(b->engine, 0, &frame, &params) != CCA_OK ||
                 cca_engine_collect(b->engine, 0, &result) != CCA_OK)
            return cca_engine_error(b->engine);
        if (r >= 0)
            times[r] = now_us() - start;
        else if (b->is_opencv && !agrees(b, &frame, &params, &result))
            return "OpenCV finds something else";
    }
    qsort(times, REPEATS, sizeof(double), by_value);
    *us = times[REPEATS / 2];
    return NULL;
}

/* Returns NULL, or the error. */
static const char *measure(const Point *const point, Bench *const b)
{
    const uint32_t n = content_images(&b->content);
    const char *why = open_engines(b);
    double mean = 0, worst = 0, us = 0;
    for (uint32_t i = 0; why == NULL && i < n; i++) {
        if (!images_draw(&b->images, &b->content, b->config.width, b->config.height, i))
            return "memory ran out";
        if ((why = time_image(b, &us)) != NULL)
            break;
        mean += us / n;
        worst = us > worst ? us : worst;
    }
    if (why != NULL)
        return why;
    point_begin(point);
    point_figure("us", mean);
    point_figure("worst_us", worst);
    point_figure("gpix_s", (double) b->config.width * b->config.height / mean / 1e3);
    if (b->is_opencv)
        point_text("same", b->measures ? "count, features" : "count, boxes, areas, centroids");
    point_end();
    return NULL;
}

int main(int argc, char **argv)
{
    bool ok = true;
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: bench-cpu POINT...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        Bench bench = { 0 };
        Point point;
        const char *why;
        if (!point_parse(&point, argv[i]) || !parse(&point, &bench)) {
            point_no_figures(&point, true, "there is no such point");
            ok = false;
        } else if (bench.is_opencv && opencv_version() == NULL) {
            point_no_figures(&point, false, "built without OpenCV");
        } else if ((why = measure(&point, &bench)) != NULL) {
            point_no_figures(&point, true, why);
            ok = false;
        }
        cca_engine_free(&bench.engine);
        opencv_close(bench.opencv);
        free(bench.features);
        images_free(&bench.images);
    }
    return !ok;
}
