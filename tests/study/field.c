/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "field.h"

#include <stdlib.h>

#include "mersenne.h"

static void release(const Field *const f, CUdeviceptr *const p)
{
    if (*p != 0)
        f->gpu->cu->mem_free(*p);
    *p = 0;
}

void field_free(Field *const f)
{
    release(f, &f->words);
    release(f, &f->pixels);
    release(f, &f->sums);
    f->g = 0;
}

static CUresult upload_words(Field *const f, const size_t n, const CUstream stream)
{
    uint32_t *const words = malloc(n * sizeof(*words));
    Mersenne mersenne;
    if (words == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    mersenne_seed(&mersenne, f->seed);
    for (size_t i = 0; i < n; i++)
        words[i] = mersenne_next(&mersenne);
    const size_t size = n * sizeof(*words);
    CUresult result = f->gpu->copy_to_device_async(f->words, words, size, stream);
    if (result == CUDA_SUCCESS)
        result = f->gpu->stream_synchronize(stream);
    free(words);
    return result;
}

CUresult field_prepare(Field *const f, const uint32_t width, const uint32_t height,
                       const uint32_t g, const uint32_t seed, const CUstream stream)
{
    const CcaCudaDriver *const cu = f->gpu->cu;
    const size_t n = ((size_t) (width - 1) / g + 1) * ((height - 1) / g + 1);
    CUresult result;
    if (f->width == width && f->height == height && f->g == g && f->seed == seed)
        return CUDA_SUCCESS;
    field_free(f);
    f->width = width;
    f->height = height;
    f->seed = seed;
    if ((result = cu->mem_alloc(&f->words, n * sizeof(uint32_t))) != CUDA_SUCCESS ||
        (result = cu->mem_alloc(&f->pixels, (size_t) width * height)) != CUDA_SUCCESS ||
        (result = cu->mem_alloc(&f->sums, 2 * sizeof(uint64_t))) != CUDA_SUCCESS ||
        (result = upload_words(f, n, stream)) != CUDA_SUCCESS)
        return result;
    f->g = g;
    return CUDA_SUCCESS;
}

/* A thread a pixel. */
static CUresult launch(const Field *const f, const CUmodule module, const char *const kernel,
                       void **const params, const CUstream stream)
{
    CUfunction function;
    const CUlaunchConfig config = {
        .gridDimX = (f->height - 1) / STUDY_STRIP + 1,
        .gridDimY = (f->width - 1) / 32 + 1,
        .gridDimZ = 1,
        .blockDimX = 32,
        .blockDimY = STUDY_STRIP,
        .blockDimZ = 1,
        .hStream = stream,
    };
    const CcaCudaDriver *const cu = f->gpu->cu;
    const CUresult result = cu->module_function(&function, module, kernel);
    return result == CUDA_SUCCESS ? cu->launch(&config, function, params, NULL) : result;
}

CUresult field_draw(const Field *const f, const CUmodule module, const uint32_t density,
                    const CUstream stream)
{
    Field p = *f;
    uint64_t below = ((UINT64_C(1) << 32) * density + 99) / 100;
    void *params[] = { &p.pixels, &p.width, &p.height, &p.words, &p.g, &below };
    return launch(f, module, "study_draw", params, stream);
}

CUresult field_sum(Field *const f, const Study *const study, uint64_t sums[2],
                   const CUstream stream)
{
    const uint32_t *U = study->tables.U;
    void *params[] = { &U, &f->width, &f->height, &f->sums };
    CUresult result;
    if ((result = f->gpu->cu->memset_d8_async(f->sums, 0, 2 * sizeof(*sums), stream)) !=
            CUDA_SUCCESS ||
        (result = launch(f, study->module, "study_sum_updates", params, stream)) != CUDA_SUCCESS ||
        (result = f->gpu->copy_to_host_async(sums, f->sums, 2 * sizeof(*sums), stream)) !=
            CUDA_SUCCESS)
        return result;
    return f->gpu->stream_synchronize(stream);
}
