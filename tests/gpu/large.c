/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* gpu-large [SIZE...]: compares the CUDA engine's algorithms, also at the overflow
 * of its count of frames, with the CPU engine on noise in large frames, 8192 and
 * 16384 pixels square if no SIZE is given. Prints what it compares, and
 * `gpu-large: N cases, M differences`. With --about: only the GPU's name and the
 * driver's CUDA version. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/state.h"
#include "gpu.h"
#include "rng.h"

#define MAX_COMPONENTS 24000000

static const struct Engine {
    const char *name;
    CcaCudaAlgorithm algorithm;
} engines[] = {
    { "flsl-cd", CCA_CUDA_FLSL_CD }, { "tiled", CCA_CUDA_TILED },   { "dense", CCA_CUDA_FINE },
    { "super", CCA_CUDA_SUPER },     { "staged", CCA_CUDA_STAGED },
};
#define N_ENGINES (sizeof(engines) / sizeof(*engines))

/* Blocks of g x g pixels, foreground with a probability of `density` %. */
static const struct Scene {
    uint32_t g, density, connectivity;
} scenes[] = {
    { 1, 40, 4 }, { 1, 60, 8 }, { 4, 50, 8 }, { 16, 59, 4 }, { 16, 100, 4 },
};

typedef struct Large {
    const Gpu *gpu;
    CUstream stream;
    CUdeviceptr image;
    uint32_t size;
    uint8_t *pixels, *blocks;
    CcaEngine *cpu, *cuda[N_ENGINES];
    uint64_t n_cases, n_differences;
} Large;

static void fatal(const char *const what, const char *const why)
{
    fprintf(stderr, "gpu-large: %s: %s\n", what, why);
    exit(1);
}

static void draw(Large *const l, const struct Scene *const s)
{
    const uint32_t n = l->size, across = (n - 1) / s->g + 1;
    Rng rng = rng_for(7, "large", s->g * 100 + s->density);
    for (size_t i = 0; i < (size_t) across * across; i++)
        l->blocks[i] = rng_below(&rng, 100) < s->density ? 255 : 0;
    for (uint32_t y = 0; y < n; y++) {
        uint8_t *const row = l->pixels + (size_t) y * n;
        if (y % s->g != 0) {
            memcpy(row, row - n, n);
            continue;
        }
        const uint8_t *const from = l->blocks + (size_t) (y / s->g) * across;
        for (uint32_t x = 0; x < n; x++)
            row[x] = from[x / s->g];
    }
}

static CcaResult analyse(CcaEngine *const engine, const CcaFrame *const frame,
                         const CcaParams *const params)
{
    CcaResult result = { 0 };
    if (cca_engine_analyse(engine, 0, frame, params) != CCA_OK ||
        cca_engine_collect(engine, 0, &result) != CCA_OK)
        fatal("analysis", cca_engine_error(engine));
    return result;
}

static void compare(Large *const l, const struct Scene *const s)
{
    CcaParams params = CCA_DEFAULT_PARAMS;
    CcaFrame frame = {
        .data = l->pixels,
        .width = l->size,
        .height = l->size,
        .stride = l->size,
    };
    params.connectivity = s->connectivity;
    draw(l, s);
    const CcaResult expected = analyse(l->cpu, &frame, &params);
    if (l->gpu->copy_to_device_async(l->image, l->pixels, (size_t) l->size * l->size, l->stream) !=
        CUDA_SUCCESS)
        fatal("copy", "the frame does not get to the GPU");
    frame.data = (const void *) (uintptr_t) l->image;
    frame.stream = l->stream;
    for (size_t e = 0; e < N_ENGINES; e++) {
        CudaSlot *const slot = &((CudaEngine *) l->cuda[e])->slots[0];
        const bool is_full = s == &scenes[0] && slot->n_begun > 0;
        if (is_full)
            slot->n_begun = CCA_MAX_EPOCH;
        const CcaResult r = analyse(l->cuda[e], &frame, &params);
        const bool same = r.n_found == expected.n_found &&
                          r.n_components == expected.n_components &&
                          r.truncated == expected.truncated &&
                          memcmp(r.components, expected.components,
                                 (size_t) r.n_components * sizeof(*r.components)) == 0 &&
                          (!is_full || slot->n_begun == 1);
        l->n_cases++;
        l->n_differences += !same;
        printf("%ux%u, blocks of %u, %u %%, %u-connected, %s: %" PRIu32 " components%s\n", l->size,
               l->size, s->g, s->density, s->connectivity, engines[e].name, r.n_found,
               same ? "" : ": DIFFERENT");
        fflush(stdout);
    }
}

static void compare_size(Large *const l, const uint32_t size)
{
    const size_t n = (size_t) size * size;
    const CcaConfig config = {
        .width = size,
        .height = size,
        .sample_size = 1,
        .depth = 8,
        .max_components = MAX_COMPONENTS,
        .slots = 1,
    };
    l->size = size;
    l->pixels = malloc(n);
    l->blocks = malloc(n);
    if (l->pixels == NULL || l->blocks == NULL ||
        l->gpu->cu->mem_alloc(&l->image, n) != CUDA_SUCCESS)
        fatal("frame", "memory ran out");
    if (cca_engine_configure(l->cpu, &config) != CCA_OK)
        fatal("CPU engine", cca_engine_error(l->cpu));
    for (size_t e = 0; e < N_ENGINES; e++)
        if (cca_engine_configure(l->cuda[e], &config) != CCA_OK)
            fatal(engines[e].name, cca_engine_error(l->cuda[e]));
    for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
        compare(l, &scenes[i]);
    compare(l, &scenes[0]);
    l->gpu->cu->mem_free(l->image);
    free(l->pixels);
    free(l->blocks);
}

static int about(const Gpu *const gpu)
{
    int version = 0;
    gpu->cu->driver_version(&version);
    printf("gpu: %s\ncuda: %d.%d\n", gpu->name, version / 1000, version % 1000 / 10);
    return 0;
}

int main(int argc, char **argv)
{
    const char *why;
    Large l = { .gpu = gpu_open(&why) };
    if (l.gpu == NULL) {
        printf("gpu-large: skipped: %s\n", why);
        return 77;
    }
    if (!gpu_enter(l.gpu)) {
        printf("gpu-large: the GPU context cannot be entered\n");
        return 1;
    }
    if (argc == 2 && strcmp(argv[1], "--about") == 0)
        return about(l.gpu);
    if (l.gpu->stream_create(&l.stream, 0) != CUDA_SUCCESS)
        fatal("stream", "cannot be made");
    if (cca_cpu_open(&l.cpu, NULL) != CCA_OK)
        fatal("CPU engine", "cannot be opened");
    for (size_t e = 0; e < N_ENGINES; e++) {
        const CcaCudaOptions options = {
            .context = l.gpu->context,
            .algorithm = engines[e].algorithm,
        };
        if (cca_cuda_open(&l.cuda[e], &options, &why) != CCA_OK)
            fatal(engines[e].name, why);
    }
    if (argc == 1) {
        compare_size(&l, 8192);
        compare_size(&l, 16384);
    }
    for (int i = 1; i < argc; i++) {
        const int size = atoi(argv[i]);
        if (size < 1 || size > 46340) {
            fprintf(stderr, "gpu-large: a SIZE is 1 to 46340, not '%s'\n", argv[i]);
            return 2;
        }
        compare_size(&l, (uint32_t) size);
    }
    for (size_t e = 0; e < N_ENGINES; e++)
        cca_engine_free(&l.cuda[e]);
    cca_engine_free(&l.cpu);
    l.gpu->stream_destroy(l.stream);
    gpu_leave(l.gpu);
    printf("gpu-large: %" PRIu64 " cases, %" PRIu64 " differences\n", l.n_cases, l.n_differences);
    return l.n_differences > 0;
}
