/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "../../cuda/module.h"
#include "../../intops.h"
#include "../paint-cuda.h"
#include "cca-paint-fatbin.h"
#include "keys.h"

/* Labels have at most 16 bits. */
#define MAX_KEYS 65536

_Static_assert(sizeof(CUdeviceptr) + sizeof(CcaPaintKeys) <= 4096, "arguments of a launch");

typedef enum Kernel { PIXELS, KEYS, N_KERNELS } Kernel;

struct CcaPainter {
    CudaModule module;
    CUfunction kernels[N_KERNELS];
    CUdeviceptr table; /* of keys; 0 until the first keys are sent */
};

CcaPainter *cca_painter_open(void *const context, const char **const why)
{
    static const char *const names[] = { "cca_paint_pixels", "cca_paint_keys" };
    CcaPainter *const p = calloc(1, sizeof(*p));
    if (p == NULL)
        *why = "memory ran out";
    else if (cca_cuda_module_open(&p->module, context, cca_paint_fatbin, names, p->kernels,
                                  N_KERNELS, why) == CCA_OK)
        return p;
    free(p);
    return NULL;
}

void cca_painter_close(CcaPainter *const p)
{
    if (cca_cuda_enter(&p->module) == CUDA_SUCCESS) {
        if (p->table != 0)
            p->module.cu->mem_free(p->table);
        cca_cuda_leave(&p->module);
    }
    cca_cuda_module_close(&p->module);
    free(p);
}

static CUresult launch(const CcaPainter *const p, const Kernel kernel, const uint32_t blocks[2],
                       const uint32_t threads[2], void **const args, CUstream stream)
{
    const CUlaunchConfig config = {
        .gridDimX = blocks[0],
        .gridDimY = blocks[1],
        .gridDimZ = 1,
        .blockDimX = threads[0],
        .blockDimY = threads[1],
        .blockDimZ = 1,
        .hStream = stream,
    };
    return p->module.cu->launch(&config, p->kernels[kernel], args, NULL);
}

/* Stream order ensures that the work before has read the old keys. */
static CUresult send_keys(CcaPainter *const p, const uint32_t *const keys, const uint32_t n,
                          CUstream stream)
{
    static const uint32_t blocks[2] = { 1, 1 }, threads[2] = { CCA_PAINT_KEY_THREADS, 1 };
    CUresult result = CUDA_SUCCESS;
    if (p->table == 0 && n > 0)
        result = p->module.cu->mem_alloc(&p->table, MAX_KEYS * sizeof *keys);
    CcaPaintKeys some = { 0 };
    for (; some.first < n && result == CUDA_SUCCESS; some.first += some.n) {
        some.n = umin(n - some.first, CCA_PAINT_MAX_KEYS);
        memcpy(some.keys, keys + some.first, some.n * sizeof *keys);
        result = launch(p, KEYS, blocks, threads, (void *[]) { &p->table, &some }, stream);
    }
    return result;
}

static CUresult paint(CcaPainter *const p, CcaPaintPicture picture, CcaPaintMode mode,
                      CcaPaintLabels labels, CUstream stream)
{
    static const uint32_t threads[2] = { CCA_PAINT_BLOCK_WIDTH, CCA_PAINT_BLOCK_HEIGHT };
    const uint32_t blocks[2] = {
        (picture.width - 1) / threads[0] + 1,
        (picture.height - 1) / threads[1] + 1,
    };
    if (mode == CCA_PAINT_COLORS) {
        const CUresult result = send_keys(p, labels.keys, labels.n_keys, stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    labels.keys = (const uint32_t *) (uintptr_t) p->table;
    return launch(p, PIXELS, blocks, threads, (void *[]) { &picture, &mode, &labels }, stream);
}

bool cca_painter_paint(CcaPainter *const p, const CcaPaintPicture *const picture,
                       const CcaPaintMode mode, const CcaPaintLabels *const labels,
                       void *const stream)
{
    if (cca_cuda_enter(&p->module) != CUDA_SUCCESS)
        return false;
    const CUresult result = paint(p, *picture, mode, *labels, stream);
    cca_cuda_leave(&p->module);
    return result == CUDA_SUCCESS;
}

bool cca_painter_clear(CcaPainter *const p, const CcaPaintPicture *const picture,
                       void *const stream)
{
    if (cca_cuda_enter(&p->module) != CUDA_SUCCESS)
        return false;
    const CUresult result = p->module.cu->memset_d8_async((CUdeviceptr) (uintptr_t) picture->data,
                                                          0, picture->stride * picture->height,
                                                          stream);
    cca_cuda_leave(&p->module);
    return result == CUDA_SUCCESS;
}
