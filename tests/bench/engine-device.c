/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* gpu-bench: times the CUDA engine's algorithms by GPU events, from the first
 * launch until all records lie in order in device memory. The image is in
 * device memory; copies of it are used in turn, so that a large one is not in
 * the cache. For each granularity: the mean over the densities of the minimum
 * of several runs, launched one kernel at a time and as a CUDA graph. Prints a
 * table, and JSON to a file if one is named. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cca-cuda.h"
#include "timing.h"

#define REPEATS 12
#define COPIES 4
#define N_ALGORITHMS 2

typedef struct Size {
    const char *name;
    uint32_t width, height;
} Size;

static const Size sizes[] = {
    { "8192x8192", 8192, 8192 },
    { "640x480", 640, 480 },
    { "1920x1080", 1920, 1080 },
    { "3840x2160", 3840, 2160 },
};

static const uint32_t granularities[] = { 1, 4, 16 };
static const char *const names[N_ALGORITHMS] = { "flsl-cd", "tiled" };
static const CcaCudaAlgorithm algorithms[N_ALGORITHMS] = { CCA_CUDA_FLSL_CD, CCA_CUDA_TILED };

typedef struct Bench {
    const Gpu *gpu;
    CcaCudaDriver driver; /* without events */
    const Size *size;
    CUstream stream;
    CUevent from, to;
    uint8_t *blocks, *pixels;
    CUdeviceptr images[COPIES];
    CcaEngine *engines[N_ALGORITHMS];
    FILE *json;
    bool first_row;
} Bench;

/* Blocks of `g` x `g` pixels, foreground with a probability of `density` %. */
static void draw(Bench *const b, const uint32_t g, const uint32_t density)
{
    const size_t size = (size_t) b->size->width * b->size->height;
    timing_draw(b->pixels, b->blocks, b->size->width, b->size->height, g, density);
    for (int i = 0; i < COPIES; i++)
        timing_check(b->gpu->copy_to_device_async(b->images[i], b->pixels, size, b->stream), "copy");
    timing_check(b->gpu->stream_synchronize(b->stream), "copy");
}

static void launch(Bench *const b, const int algorithm, const uint32_t connectivity,
                   const int copy)
{
    CcaEngine *const engine = b->engines[algorithm];
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.connectivity = connectivity;
    const CcaFrame frame = {
        .data = (const void *) (uintptr_t) b->images[copy],
        .width = b->size->width, .height = b->size->height, .stride = b->size->width,
        .stream = b->stream,
    };
    timing_check_engine(engine, cca_engine_analyse(engine, 0, &frame, &params));
    engine->busy = 0; /* not collected: there is nothing to copy */
}

static uint32_t n_found(Bench *const b, const int algorithm)
{
    const CudaEngine *const e = (const CudaEngine *) b->engines[algorithm];
    CudaHeader header;
    timing_check(b->gpu->copy_to_host_async(&header, (CUdeviceptr) e->slots[0].emit.header,
                                         sizeof(header), b->stream), "copy");
    timing_check(b->gpu->stream_synchronize(b->stream), "copy");
    return header.n_found;
}

typedef struct Times {
    double stream, graph; /* microseconds, minimum over repeats */
} Times;

static Times time_one(Bench *const b, const int algorithm, const uint32_t connectivity)
{
    CUgraphExec graphs[COPIES];
    for (int i = 0; i < COPIES; i++) {
        launch(b, algorithm, connectivity, i); /* what comes once is not for the graph */
        const uint32_t n = n_found(b, algorithm);
        CUgraph graph;
        timing_check(b->gpu->capture_begin(b->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "capture");
        launch(b, algorithm, connectivity, i);
        timing_check(b->gpu->capture_end(b->stream, &graph), "capture");
        timing_check(b->gpu->graph_instantiate(&graphs[i], graph, 0), "graph");
        timing_check(b->gpu->graph_destroy(graph), "graph");
        /* of what was found before nothing is left */
        const CudaEngine *const e = (const CudaEngine *) b->engines[algorithm];
        timing_check(b->gpu->cu->memset_d8_async((CUdeviceptr) e->slots[0].emit.header, 0xff,
                                          sizeof(CudaHeader), b->stream), "memset");
        for (int repeat = 0; repeat < 2; repeat++)
            timing_check(b->gpu->graph_launch(graphs[i], b->stream), "graph");
        if (n_found(b, algorithm) != n) {
            fprintf(stderr, "gpu-bench: the graph finds other components\n");
            exit(1);
        }
    }

    double best[2] = { 1e30, 1e30 };
    for (int graph = 0; graph < 2; graph++)
        for (int r = 0; r < REPEATS + 2; r++) {
            timing_check(b->gpu->cu->event_record(b->from, b->stream), "event");
            if (graph)
                timing_check(b->gpu->graph_launch(graphs[r % COPIES], b->stream), "graph");
            else
                launch(b, algorithm, connectivity, r % COPIES);
            timing_check(b->gpu->cu->event_record(b->to, b->stream), "event");
            timing_check(b->gpu->cu->event_synchronize(b->to), "analysis");
            float milliseconds;
            timing_check(b->gpu->event_elapsed(&milliseconds, b->from, b->to), "event");
            if (r >= 2 && milliseconds * 1e3 < best[graph])
                best[graph] = milliseconds * 1e3;
        }
    for (int i = 0; i < COPIES; i++)
        timing_check(b->gpu->graph_exec_destroy(graphs[i]), "graph");
    return (Times) { best[0], best[1] };
}

static void report(Bench *const b, const char *const content, const uint32_t connectivity,
                   const Times *const mean, const double *const worst)
{
    const double pixels = (double) b->size->width * b->size->height;
    printf("| %-9s | %-5s | %u |", b->size->name, content, connectivity);
    for (int a = 0; a < N_ALGORITHMS; a++)
        printf(" %8.1f | %8.1f | %8.1f | %7.1f |", mean[a].stream, mean[a].graph, worst[a],
               pixels / mean[a].stream / 1e3);
    printf("\n");
    fflush(stdout);
    if (b->json == NULL)
        return;
    for (int a = 0; a < N_ALGORITHMS; a++) {
        fprintf(b->json,
                "%s\n    {\"size\": \"%s\", \"content\": \"%s\", \"connectivity\": %u, "
                "\"algorithm\": \"%s\", \"mean_us\": %.2f, "
                "\"graph_us\": %.2f, \"worst_us\": %.2f, "
                "\"gpix_s\": %.2f}",
                b->first_row ? "" : ",", b->size->name, content, connectivity, names[a],
                mean[a].stream, mean[a].graph, worst[a], pixels / mean[a].stream / 1e3);
        b->first_row = false;
    }
}

static void bench_noise(Bench *const b, const uint32_t g, const uint32_t step)
{
    Times mean[2][N_ALGORITHMS] = { { { 0 } } };
    double worst[2][N_ALGORITHMS] = { { 0 } };
    uint32_t n = 0;
    for (uint32_t density = 0; density <= 100; density += step, n++) {
        draw(b, g, density);
        for (int c = 0; c < 2; c++)
            for (int a = 0; a < N_ALGORITHMS; a++) {
                const Times t = time_one(b, a, c == 0 ? 4 : 8);
                mean[c][a].stream += t.stream;
                mean[c][a].graph += t.graph;
                if (t.stream > worst[c][a])
                    worst[c][a] = t.stream;
            }
    }
    char content[16];
    snprintf(content, sizeof(content), "g=%u", g);
    for (int c = 0; c < 2; c++) {
        for (int a = 0; a < N_ALGORITHMS; a++) {
            mean[c][a].stream /= n;
            mean[c][a].graph /= n;
        }
        report(b, content, c == 0 ? 4 : 8, mean[c], worst[c]);
    }
}

static void bench_plain(Bench *const b, const char *const content, const uint32_t density)
{
    draw(b, 16, density);
    for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
        Times mean[N_ALGORITHMS];
        double worst[N_ALGORITHMS];
        for (int a = 0; a < N_ALGORITHMS; a++) {
            mean[a] = time_one(b, a, connectivity);
            worst[a] = mean[a].stream;
        }
        report(b, content, connectivity, mean, worst);
    }
}

static void bench_size(Bench *const b, const uint32_t step, const uint32_t profile_g,
                       const uint32_t profile_density)
{
    const uint32_t w = b->size->width, h = b->size->height;
    const CcaConfig config = {
        .width = w, .height = h, .sample_size = 1, .depth = 8, .max_components = UINT32_MAX,
        .slots = 1,
    };
    b->pixels = malloc((size_t) w * h);
    b->blocks = malloc((size_t) w * h);
    if (b->pixels == NULL || b->blocks == NULL)
        exit(1);
    for (int i = 0; i < COPIES; i++)
        timing_check(b->gpu->cu->mem_alloc(&b->images[i], (size_t) w * h), "memory for images");
    for (int a = 0; a < N_ALGORITHMS; a++)
        timing_check_engine(b->engines[a], cca_engine_configure(b->engines[a], &config));
    CUdeviceptr records[N_ALGORITHMS];
    for (int a = 0; a < N_ALGORITHMS; a++)
        records[a] = timing_keep_records(b->engines[a]);
    if (profile_g > 0) {
        draw(b, profile_g, profile_density);
        for (int a = 0; a < N_ALGORITHMS; a++)
            for (uint32_t connectivity = 4; connectivity <= 8; connectivity += 4) {
                const Times t = time_one(b, a, connectivity);
                printf("%s %u-connected: %.1f us, as a graph %.1f us\n", names[a], connectivity,
                       t.stream, t.graph);
            }
    }
    for (size_t g = 0; profile_g == 0 && g < sizeof(granularities) / sizeof(*granularities); g++)
        bench_noise(b, granularities[g], step);
    if (profile_g == 0) {
        bench_plain(b, "full", 100);
        bench_plain(b, "empty", 0);
    }
    for (int i = 0; i < COPIES; i++)
        b->gpu->cu->mem_free(b->images[i]);
    for (int a = 0; a < N_ALGORITHMS; a++)
        b->gpu->cu->mem_free(records[a]);
    free(b->pixels);
    free(b->blocks);
}

int main(int argc, char **argv)
{
    uint32_t step = 5, g = 0, density = 0;
    const char *file = NULL, *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            step = 20;
        } else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            file = argv[++i];
        } else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (strcmp(argv[i], "--noise") == 0 && i + 2 < argc) {
            g = (uint32_t) atoi(argv[++i]);
            density = (uint32_t) atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: gpu-bench [--quick] [--json FILE] [--size WxH] "
                            "[--noise GRANULARITY DENSITY]\n");
            return 2;
        }
    }

    const char *why;
    Bench b = { .gpu = gpu_open(&why), .first_row = true };
    if (b.gpu == NULL) {
        printf("gpu-bench: skipped: %s\n", why);
        return 77;
    }
    if (!gpu_enter(b.gpu)) {
        printf("gpu-bench: the GPU context cannot be entered\n");
        return 1;
    }
    b.driver = timing_driver(b.gpu);
    for (int a = 0; a < N_ALGORITHMS; a++) {
        const CcaCudaOptions options = { .context = b.gpu->context, .algorithm = algorithms[a] };
        if (cca_cuda_open(&b.engines[a], &options, &why) != CCA_OK) {
            fprintf(stderr, "gpu-bench: %s\n", why);
            return 1;
        }
        timing_prepare(b.engines[a], &b.driver, false);
    }
    if (file != NULL && (b.json = fopen(file, "w")) == NULL) {
        perror(file);
        return 1;
    }
    timing_check(b.gpu->stream_create(&b.stream, 0), "stream");
    timing_check(b.gpu->cu->event_create(&b.from, 0), "event");
    timing_check(b.gpu->cu->event_create(&b.to, 0), "event");
    if (b.json != NULL)
        fprintf(b.json, "{\n  \"gpu\": \"%s\",\n  \"density_step\": %u,\n  \"rows\": [",
                b.gpu->name, step);
    printf("%s; microseconds (mean, worst density) and Gpixel/s of the mean\n\n", b.gpu->name);
    printf("| size | content | conn |");
    for (int a = 0; a < N_ALGORITHMS; a++)
        printf(" %s us | graph | worst | Gpix/s |", names[a]);
    printf("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        b.size = &sizes[i];
        if (only == NULL || strcmp(only, b.size->name) == 0)
            bench_size(&b, step, g, density);
    }
    if (b.json != NULL) {
        fprintf(b.json, "\n  ]\n}\n");
        fclose(b.json);
    }
    for (int a = 0; a < N_ALGORITHMS; a++)
        cca_engine_free(&b.engines[a]);
    gpu_leave(b.gpu);
    return 0;
}
