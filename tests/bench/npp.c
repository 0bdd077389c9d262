/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* bench-npp POINT...: time of NVIDIA's NPP for labels and their number, by the GPU's events,
 * until the host has the number: the median of some repeats for each image of a content, and
 * the mean and the worst of these.
 *
 *     npp/SIZE/CONNECTIVITY/CONTENT
 *
 * CONTENT as of bench-engine. NPP labels the background's regions, too, and counts them.
 * Its foreground is compared with the CPU engine's labels: the number of images that are
 * exact, have a split component, have joined ones. */

#include <stdlib.h>
#include <string.h>

#include "npp-library.h"
#include "partition.h"
#include "timing.h"

#define REPEATS 5
#define LONG_US 20e3 /* one is enough then */

typedef struct Times {
    double labels_us, us; /* without the number, and with it */
} Times;

typedef struct Bench {
    Timing timing;
    Npp npp;
    CUevent between;
    CcaEngine *engine;
    CUdeviceptr labels, scratch;
    Partition partition;
    uint32_t connectivity;
    Content content;
} Bench;

typedef struct Figures {
    Times mean, worst;
    uint32_t n_exact, n_split, n_joined;
} Figures;

static bool parse(const Point *const p, Bench *const b)
{
    CcaConfig *const config = &b->timing.config;
    *config = (CcaConfig) {
        .sample_size = 1,
        .depth = 8,
        .max_components = 1,
        .slots = 1,
        .labels = true,
    };
    return p->n_words >= 4 && strcmp(p->words[0], "npp") == 0 &&
           point_size(p->words[1], &config->width, &config->height) &&
           point_number(p->words[2], "", "", &b->connectivity) &&
           (b->connectivity == 4 || b->connectivity == 8) && content_parse(&b->content, p, 3);
}

/* --- NPP ------------------------------------------------------------------ */

static bool check(const int status, const char *const what)
{
    if (status < 0)
        fprintf(stderr, "bench-npp: %s: NPP's status %d\n", what, status);
    return status >= 0;
}

static NppSize size_of(const Bench *const b)
{
    return (NppSize) { (int) b->timing.config.width, (int) b->timing.config.height };
}

static void free_memory(Bench *const b)
{
    CUdeviceptr *const all[] = { &b->labels, &b->scratch };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (*all[i] != 0)
            b->timing.gpu->cu->mem_free(*all[i]);
        *all[i] = 0;
    }
}

static bool make_memory(Bench *const b)
{
    Timing *const t = &b->timing;
    const NppSize size = size_of(b);
    const size_t n = b->partition.n_pixels;
    int for_labels = 0, for_number = 0;
    free_memory(b);
    if (!check(b->npp.label_bytes(size, &for_labels), "memory for labels") ||
        !check(b->npp.compress_bytes((int) n, &for_number), "memory for their number"))
        return false;
    const int bytes = for_labels > for_number ? for_labels : for_number;
    return timing_check(t, t->gpu->cu->mem_alloc(&b->labels, n * sizeof(uint32_t)), "memory") &&
           timing_check(t, t->gpu->cu->mem_alloc(&b->scratch, (size_t) bytes), "memory");
}

static bool record(Bench *const b, const CUevent event)
{
    return timing_check(&b->timing, b->timing.gpu->cu->event_record(event, b->timing.stream),
                        "event");
}

static bool elapsed(Bench *const b, const CUevent to, double *const us)
{
    Timing *const t = &b->timing;
    float milliseconds = 0;
    if (!timing_check(t, t->gpu->cu->event_synchronize(to), "labels") ||
        !timing_check(t, t->gpu->event_elapsed(&milliseconds, t->from, to), "event"))
        return false;
    *us = milliseconds * 1e3;
    return true;
}

static bool label(Bench *const b, const uint32_t repeat, Times *const times)
{
    Timing *const t = &b->timing;
    const NppSize size = size_of(b);
    const int stride = size.width * (int) sizeof(uint32_t);
    const int way = b->connectivity == 4 ? NPP_4_WAY : NPP_8_WAY;
    int most_label;
    return record(b, t->from) &&
           check(b->npp.label(t->copies[repeat % TIMING_COPIES], size.width, b->labels, stride,
                              size, way, b->scratch, b->npp.context),
                 "labels") &&
           record(b, b->between) &&
           check(b->npp.compress(b->labels, stride, size, size.width * size.height, &most_label,
                                 b->scratch, b->npp.context),
                 "number") &&
           record(b, t->to) && elapsed(b, b->between, &times->labels_us) &&
           elapsed(b, t->to, &times->us);
}

/* --- one point ------------------------------------------------------------ */

static int by_value(const void *const a, const void *const b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* The first is to warm up, and for its labels. */
static bool time_image(Bench *const b, Times *const median)
{
    double labels_us[REPEATS], us[REPEATS];
    Times times;
    if (!label(b, 0, &times))
        return false;
    const uint32_t n = times.us > LONG_US ? 1 : REPEATS;
    for (uint32_t r = 0; r < n; r++) {
        if (!label(b, r + 1, &times))
            return false;
        labels_us[r] = times.labels_us;
        us[r] = times.us;
    }
    qsort(labels_us, n, sizeof(double), by_value);
    qsort(us, n, sizeof(double), by_value);
    *median = (Times) { labels_us[n / 2], us[n / 2] };
    return true;
}

/* Labels the image with the CPU engine. */
static bool find_truth(Bench *const b)
{
    const CcaConfig *const config = &b->timing.config;
    const CcaFrame frame = {
        .data = b->timing.images.pixels,
        .width = config->width,
        .height = config->height,
        .stride = config->width,
        .labels = { .data = b->partition.ids,
                    .bits = 32,
                    .stride = config->width * sizeof(uint32_t) },
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    CcaResult result;
    params.connectivity = b->connectivity;
    return cca_engine_analyse(b->engine, 0, &frame, &params) == CCA_OK &&
           cca_engine_collect(b->engine, 0, &result) == CCA_OK;
}

static bool compare(Bench *const b, Figures *const f)
{
    Timing *const t = &b->timing;
    PartitionFlaws flaws;
    if (!timing_check(t,
                      t->gpu->copy_to_host_async(b->partition.labels, b->labels,
                                                 b->partition.n_pixels * sizeof(uint32_t),
                                                 t->stream),
                      "copy") ||
        !timing_check(t, t->gpu->stream_synchronize(t->stream), "copy") || !find_truth(b) ||
        !partition_compare(&b->partition, &flaws))
        return false;
    f->n_split += flaws.splits;
    f->n_joined += flaws.joins;
    f->n_exact += !flaws.splits && !flaws.joins;
    return true;
}

static double most(const double a, const double b)
{
    return a > b ? a : b;
}

static const char *time_content(Bench *const b, Figures *const f)
{
    const CcaConfig *const config = &b->timing.config;
    const uint32_t n = content_images(&b->content);
    *f = (Figures) { 0 };
    if (cca_engine_configure(b->engine, config) != CCA_OK ||
        !partition_make_room(&b->partition, (size_t) config->width * config->height))
        return "memory ran out";
    if (!make_memory(b))
        return "NPP failed";
    for (uint32_t i = 0; i < n; i++) {
        Times times;
        if (!timing_draw(&b->timing, &b->content, i))
            return "the image cannot be copied";
        if (!time_image(b, &times))
            return "NPP failed";
        if (!compare(b, f))
            return "its labels cannot be compared";
        f->mean.labels_us += times.labels_us / n;
        f->mean.us += times.us / n;
        f->worst = (Times) { most(f->worst.labels_us, times.labels_us),
                             most(f->worst.us, times.us) };
    }
    return NULL;
}

static void print(const Point *const point, const Bench *const b, const Figures *const f)
{
    const NppVersion *const version = b->npp.version();
    char text[64];
    snprintf(text, sizeof(text), "%d.%d.%d", version->major, version->minor, version->build);
    point_begin(point);
    point_figure("us", f->mean.us);
    point_figure("worst_us", f->worst.us);
    point_figure("labels_us", f->mean.labels_us);
    point_figure("worst_labels_us", f->worst.labels_us);
    point_figure("gpix_s", (double) b->partition.n_pixels / f->mean.us / 1e3);
    point_figure("images", content_images(&b->content));
    point_figure("exact", f->n_exact);
    point_figure("split", f->n_split);
    point_figure("joined", f->n_joined);
    point_text("gives", "labels, count");
    point_text("version", text);
    point_end();
}

/* --- life ----------------------------------------------------------------- */

static bool open_all(Bench *const b, const char **const why)
{
    Timing *const t = &b->timing;
    const CcaCpuOptions options = { .level = CCA_CPU_LEVEL_BEST };
    if (!timing_open(t, why) || !npp_open(&b->npp, t->gpu, t->stream, why))
        return false;
    *why = "the engine cannot be made";
    return timing_check(t, t->gpu->cu->event_create(&b->between, 0), "event") &&
           cca_cpu_open(&b->engine, &options) == CCA_OK;
}

static void close_all(Bench *const b)
{
    cca_engine_free(&b->engine);
    partition_free(&b->partition);
    if (b->timing.gpu != NULL)
        free_memory(b);
    if (b->between != NULL)
        b->timing.gpu->cu->event_destroy(b->between);
    timing_close(&b->timing);
}

int main(int argc, char **argv)
{
    Bench bench = { 0 };
    const char *why = NULL;
    bool ok = true;
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: bench-npp POINT...\n");
        return 2;
    }
    const bool usable = open_all(&bench, &why);
    for (int i = 1; i < argc; i++) {
        Point point;
        Figures figures;
        const char *wrong = NULL;
        if (!point_parse(&point, argv[i]) || !parse(&point, &bench))
            wrong = "there is no such point";
        else if (!usable)
            point_no_figures(&point, false, why);
        else if ((wrong = time_content(&bench, &figures)) == NULL)
            print(&point, &bench, &figures);
        if (wrong != NULL)
            point_no_figures(&point, true, wrong);
        ok = ok && wrong == NULL;
    }
    close_all(&bench);
    return !ok;
}
