/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* gpu-foreground: what the foreground modes, opening and closing cost on the GPU, from
 * the first launch of a frame until its records lie in device memory, by GPU events;
 * and the foreground pass alone. A frame of black comes first, then one of white blocks
 * of 16 pixels on black: all modes find the same components in it, so that what they
 * add to a plain threshold is theirs. Prints a table, and JSON to a file if one is
 * named. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define REPEATS 40
#define COPIES 4
#define DENSITY 40

typedef struct Mode {
    const char *name;
    CcaForeground foreground;
    bool due;
    uint32_t open_radius, close_radius;
} Mode;

static const Mode modes[] = {
    { "threshold", CCA_FOREGROUND_THRESHOLD, false, 0, 0 },
    { "threshold, radii 1 and 1", CCA_FOREGROUND_THRESHOLD, false, 1, 1 },
    { "threshold, radii 7 and 15", CCA_FOREGROUND_THRESHOLD, false, 7, 15 },
    { "otsu", CCA_FOREGROUND_OTSU, false, 0, 0 },
    { "difference", CCA_FOREGROUND_DIFFERENCE, false, 0, 0 },
    { "sigma-delta, not due", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0 },
    { "sigma-delta, due", CCA_FOREGROUND_SIGMA_DELTA, true, 0, 0 },
    { "sigma-delta, due, radii 1 and 1", CCA_FOREGROUND_SIGMA_DELTA, true, 1, 1 },
};
#define N_MODES (sizeof(modes) / sizeof(*modes))

static const struct {
    uint32_t width, height;
} sizes[] = { { 640, 480 }, { 1920, 1080 }, { 3840, 2160 }, { 8192, 8192 } };

typedef struct Bench {
    const Gpu *gpu;
    CcaEngine *engine;
    CcaCudaDriver all, foreground_only;
    CUstream stream;
    CUevent from, to;
    uint32_t width, height, sample_size;
    CUdeviceptr black, images[COPIES];
} Bench;

static CcaCudaDriver driver; /* the real one */
static const CudaEngine *engine;

/* Leaves out all kernels but those from pixels to the mask. */
static CUresult CUDAAPI launch_foreground(const CUlaunchConfig *const config,
                                          CUfunction const function, void **const params,
                                          void **const extra)
{
    for (int i = CUDA_OTSU_8; i <= CUDA_OPEN_CLOSE; i++)
        if (engine->kernels[i] == function)
            return driver.launch(config, function, params, extra);
    return CUDA_SUCCESS;
}

static void analyse(Bench *const b, const Mode *const mode, const CUdeviceptr image)
{
    CcaParams params = CCA_DEFAULT_PARAMS;
    const CcaFrame frame = {
        .data = (const void *) (uintptr_t) image, .width = b->width, .height = b->height,
        .stride = (size_t) b->width * b->sample_size, .stream = b->stream,
    };
    params.foreground = mode->foreground;
    params.learning = mode->due;
    params.open_radius = mode->open_radius;
    params.close_radius = mode->close_radius;
    timing_check_engine(b->engine, cca_engine_analyse(b->engine, 0, &frame, &params));
    b->engine->busy = 0; /* not collected: there is nothing to copy */
}

/* Microseconds of a frame, the least of some. */
static double time_mode(Bench *const b, const Mode *const mode, const CcaCudaDriver *const cu)
{
    double best = 1e30;
    for (int r = 0; r < REPEATS; r++) {
        cca_engine_reset_background(b->engine);
        timing_prepare(b->engine, &b->all, true);
        analyse(b, mode, b->black);
        timing_prepare(b->engine, cu, cu == &b->all);
        timing_check(driver.event_record(b->from, b->stream), "event");
        analyse(b, mode, b->images[r % COPIES]);
        timing_check(driver.event_record(b->to, b->stream), "event");
        timing_check(driver.event_synchronize(b->to), "analysis");
        float milliseconds;
        timing_check(b->gpu->event_elapsed(&milliseconds, b->from, b->to), "event");
        if (milliseconds * 1e3 < best)
            best = milliseconds * 1e3;
    }
    return best;
}

static void make_images(Bench *const b)
{
    const size_t n = (size_t) b->width * b->height;
    uint8_t *const pixels = malloc(2 * n), *const blocks = malloc(n);
    if (pixels == NULL || blocks == NULL)
        exit(1);
    timing_draw(pixels, blocks, b->width, b->height, 16, DENSITY);
    if (b->sample_size == 2)
        for (size_t i = n; i-- > 0;)
            ((uint16_t *) pixels)[i] = (uint16_t) (pixels[i] * 257);
    timing_check(driver.mem_alloc(&b->black, n * b->sample_size), "memory");
    timing_check(driver.memset_d8_async(b->black, 0, n * b->sample_size, b->stream), "memset");
    for (int i = 0; i < COPIES; i++) {
        timing_check(driver.mem_alloc(&b->images[i], n * b->sample_size), "memory");
        timing_check(b->gpu->copy_to_device_async(b->images[i], pixels, n * b->sample_size,
                                                  b->stream), "copy");
    }
    timing_check(b->gpu->stream_synchronize(b->stream), "copy");
    free(pixels);
    free(blocks);
}

static void free_images(Bench *const b)
{
    driver.mem_free(b->black);
    for (int i = 0; i < COPIES; i++)
        driver.mem_free(b->images[i]);
}

static void bench_size(Bench *const b, FILE *const json, bool *const first)
{
    double plain = 0;
    make_images(b);
    for (size_t m = 0; m < N_MODES; m++) {
        const Mode *const mode = &modes[m];
        const CcaConfig config = {
            .width = b->width, .height = b->height, .sample_size = b->sample_size,
            .depth = 8 * b->sample_size, .max_components = UINT32_MAX, .slots = 1,
            .foreground = mode->foreground, .frame_distance = 3,
        };
        timing_check_engine(b->engine, cca_engine_configure(b->engine, &config));
        const CUdeviceptr records = timing_keep_records(b->engine);
        const double all = time_mode(b, mode, &b->all);
        const double pass = m == 0 ? 0 : time_mode(b, mode, &b->foreground_only);
        plain = m == 0 ? all : plain;
        printf("| %5ux%-4u | %2u | %-31s | %7.1f | %7.1f | %7.1f |\n", b->width, b->height,
               8 * b->sample_size, mode->name, all, all - plain, pass);
        fflush(stdout);
        if (json != NULL)
            fprintf(json,
                    "%s\n    {\"size\": \"%ux%u\", \"bits\": %u, \"mode\": \"%s\", "
                    "\"us\": %.2f, \"added_us\": %.2f, \"pass_us\": %.2f}",
                    *first ? "" : ",", b->width, b->height, 8 * b->sample_size, mode->name, all,
                    all - plain, pass);
        *first = false;
        driver.mem_free(records);
    }
    free_images(b);
}

int main(int argc, char **argv)
{
    const char *why, *file = NULL, *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
            file = argv[++i];
        } else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else {
            fprintf(stderr, "usage: gpu-foreground [--json FILE] [--size WxH]\n");
            return 2;
        }
    }
    Bench b = { .gpu = gpu_open(&why) };
    if (b.gpu == NULL) {
        printf("gpu-foreground: skipped: %s\n", why);
        return 77;
    }
    driver = *b.gpu->cu;
    b.all = b.foreground_only = timing_driver(b.gpu);
    b.foreground_only.launch = launch_foreground;
    const CcaCudaOptions options = { .context = b.gpu->context };
    if (!gpu_enter(b.gpu) || cca_cuda_open(&b.engine, &options, &why) != CCA_OK) {
        fprintf(stderr, "gpu-foreground: %s\n", why);
        return 1;
    }
    engine = (const CudaEngine *) b.engine;
    FILE *const json = file ? fopen(file, "w") : NULL;
    if (file != NULL && json == NULL) {
        perror(file);
        return 1;
    }
    timing_check(b.gpu->stream_create(&b.stream, 0), "stream");
    timing_check(driver.event_create(&b.from, 0), "event");
    timing_check(driver.event_create(&b.to, 0), "event");
    printf("%s; microseconds a frame, what the mode adds, and its pass alone\n\n"
           "| size | bits | mode | all | added | alone |\n|---|---|---|---|---|---|\n",
           b.gpu->name);
    if (json != NULL)
        fprintf(json, "{\n  \"gpu\": \"%s\",\n  \"rows\": [", b.gpu->name);
    bool first = true;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        b.width = sizes[i].width;
        b.height = sizes[i].height;
        char name[32];
        snprintf(name, sizeof(name), "%ux%u", b.width, b.height);
        if (only != NULL && strcmp(only, name) != 0)
            continue;
        for (b.sample_size = 1; b.sample_size <= 2; b.sample_size++)
            bench_size(&b, json, &first);
    }
    if (json != NULL) {
        fprintf(json, "\n  ]\n}\n");
        fclose(json);
    }
    cca_engine_free(&b.engine);
    gpu_leave(b.gpu);
    return 0;
}
