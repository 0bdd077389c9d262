/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The kernels of cudaccaoverlay end a drawing at an invalid word, after the commands before it.
 * The CPU writes no such words, but the GPU reads them from memory that other code can also
 * write. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/driver.h"
#include "overlay/cuda/window.h"

#define SIZE CCA_OVERLAY_TILE
#define GLYPH 8
#define BOX_WORDS (CCA_OVERLAY_AT_REST + 1)
#define N_WORDS 20
#define TEXT_WORDS (CCA_OVERLAY_AT_REST + 2) /* without digits */

static CcaCudaDriver cu;
static CUresult(CUDAAPI *ctx_create)(CUcontext *context, unsigned int flags, CUdevice device);
static CUresult(CUDAAPI *ctx_destroy)(CUcontext context);
static CUresult(CUDAAPI *stream_synchronize)(CUstream stream);

/* The head of an opaque command of `length` words. */
static uint32_t head(const uint32_t kind, const uint32_t length)
{
    return kind | 255u << 8 | 255u << 16 | length << 24;
}

/* A square of the colour, at the upper left of the tile. */
static uint32_t *put_box(uint32_t *const words, const uint32_t colour, const uint32_t size)
{
    words[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_BOX, BOX_WORDS);
    words[CCA_OVERLAY_AT_COLOURS] = colour;
    words[CCA_OVERLAY_AT_OUTSIDE] = size << 16 | size << 24;
    return words + BOX_WORDS;
}

/* A box, the tested command, and a smaller box. */
static void put_words(uint32_t *const words, const char *const what)
{
    uint32_t *const second = put_box(words, 10, 32);
    put_box(second, 20, 16);
    put_box(second + (strcmp(what, "few digits") == 0 ? TEXT_WORDS : BOX_WORDS), 30, 4);
    if (strcmp(what, "no length") == 0) {
        second[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_BOX, 0);
    } else if (strcmp(what, "too short") == 0) {
        second[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_PATH, CCA_OVERLAY_AT_REST);
    } else if (strcmp(what, "too long") == 0) {
        second[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_BOX, N_WORDS - BOX_WORDS + 1);
    } else if (strcmp(what, "few digits") == 0) {
        second[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_TEXT, TEXT_WORDS);
        second[CCA_OVERLAY_AT_REST] = second[CCA_OVERLAY_AT_REST + 1] = 0;
    } else if (strcmp(what, "no digit") == 0) {
        second[CCA_OVERLAY_AT_HEAD] = head(CCA_OVERLAY_TEXT, 2 * BOX_WORDS);
        second[CCA_OVERLAY_AT_REST] = second[CCA_OVERLAY_AT_REST + 1] = 0;
        second[CCA_OVERLAY_AT_REST + 2] = CCA_OVERLAY_N_GLYPHS * 0x01010101u;
    }
}

/* The expected value of a pixel on the diagonal. */
static uint8_t expected(const char *const what, const uint32_t i)
{
    if (strcmp(what, "right") == 0)
        return i < 4 ? 30 : i < 16 ? 20 : i < 32 ? 10 : 0;
    if (strcmp(what, "few digits") == 0)
        return i < 4 ? 30 : i < 32 ? 10 : 0;
    return i < 32 ? 10 : 0;
}

/* One grey plane, by one of the kernels; the simulated GPU's memory is that of the CPU. */
static int check(const CUmodule module, const char *const name, const char *const what)
{
    const uint32_t n_blocks = strcmp(name, "cca_overlay_any") == 0 ? 2 : 1;
    static CcaOverlayWindow window;
    CUdeviceptr pixels, coverage;
    uint32_t *words;
    CUfunction kernel;
    int n_wrong = 0;
    if (cu.mem_alloc(&pixels, (size_t) SIZE * SIZE * 2) ||
        cu.mem_alloc(&coverage, (size_t) CCA_OVERLAY_N_GLYPHS * GLYPH * GLYPH) ||
        cu.host_alloc((void **) &words, N_WORDS * sizeof(*words), 0) ||
        cu.module_function(&kernel, module, name) ||
        cu.memset_d8_async(pixels, 0, (size_t) SIZE * SIZE * 2, NULL) ||
        cu.memset_d8_async(coverage, 255, (size_t) CCA_OVERLAY_N_GLYPHS * GLYPH * GLYPH, NULL))
        return 1;
    memset(words, 0, N_WORDS * sizeof(*words));
    put_words(words, what);
    uint8_t *const data = (uint8_t *) pixels;
    window = (CcaOverlayWindow) {
        .picture = {
            .channels = { { .data = data, .stride = SIZE, .step = 1 },
                          { .data = data + SIZE * SIZE, .stride = SIZE, .step = 1 } },
            .n_channels = 1, .x1 = SIZE, .y1 = SIZE, .sample_size = 1, .depth = 8,
        },
        .glyphs = { .coverage = (const uint8_t *) coverage, .width = GLYPH, .height = GLYPH },
        .words = words, .n_tiles = 1,
    };
    window.tiles[1] = N_WORDS / CCA_OVERLAY_UNIT_WORDS << 16;
    void *args[] = { &window };
    const CUlaunchConfig config = {
        .gridDimX = n_blocks,
        .gridDimY = 1,
        .gridDimZ = 1,
        .blockDimX = CCA_OVERLAY_THREADS,
        .blockDimY = 1,
        .blockDimZ = 1,
    };
    if (cu.launch(&config, kernel, args, NULL) || stream_synchronize(NULL))
        return 1;
    for (uint32_t i = 0; i < SIZE; i++)
        n_wrong += data[i * SIZE + i] != expected(what, i);
    if (n_wrong > 0)
        fprintf(stderr, "%s, %s: %d pixels are wrong\n", name, what, n_wrong);
    return cu.mem_free(pixels) || cu.mem_free(coverage) || cu.host_free(words) || n_wrong > 0;
}

int main(void)
{
    static const char *const kernels[] = { "cca_overlay_nv12", "cca_overlay_any" };
    static const char *const cases[] = {
        "right", "no length", "too short", "too long", "few digits", "no digit",
    };
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CUcontext context;
    CUmodule module;
    int failed = 0;
    if (library == NULL)
        return 3;
#define LOAD(field, name, type) *(void **) &cu.field = dlsym(library, name);
    CCA_CUDA_CALLS(LOAD)
    *(void **) &ctx_create = dlsym(library, "cuCtxCreate_v2");
    *(void **) &ctx_destroy = dlsym(library, "cuCtxDestroy_v2");
    *(void **) &stream_synchronize = dlsym(library, "cuStreamSynchronize");
    if (cu.init(0) || ctx_create(&context, 0, 0) || cu.module_load(&module, "image"))
        return 4;
    for (size_t k = 0; k < sizeof(kernels) / sizeof(*kernels); k++)
        for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
            failed |= check(module, kernels[k], cases[c]);
    return cu.module_unload(module) || ctx_destroy(context) || failed;
}
