/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "../../intops.h"
#include "../../paint/paint-cuda.h"
#include "../driver.h"
#include "cca-paint-fatbin.h"
#include "keys.h"

/* Labels have 16 bits at the most. */
#define MAX_KEYS 65536

_Static_assert(sizeof(CUdeviceptr) + sizeof(CcaPaintKeys) <= 4096, "arguments of a launch");

static const CcaCudaDriver *driver(void)
{
    const char *why;
    return cca_cuda_driver(&why);
}

bool cca_painter_open(CcaPainter *const p, void *const context)
{
    const CcaCudaDriver *const cu = driver();
    CUmodule module = NULL;
    CUfunction pixels, keys;
    if (cu->ctx_push(context) != CUDA_SUCCESS)
        return false;
    CUresult result = cu->module_load(&module, cca_paint_fatbin);
    if (result == CUDA_SUCCESS)
        result = cu->module_function(&pixels, module, "cca_paint_pixels");
    if (result == CUDA_SUCCESS)
        result = cu->module_function(&keys, module, "cca_paint_keys");
    if (result == CUDA_SUCCESS)
        *p = (CcaPainter) {
            .context = context, .module = module, .pixels = pixels, .keys = keys,
        };
    else if (module)
        cu->module_unload(module);
    cu->ctx_pop(NULL);
    return result == CUDA_SUCCESS;
}

void cca_painter_close(CcaPainter *const p)
{
    const CcaCudaDriver *const cu = driver();
    if (p->module && cu->ctx_push(p->context) == CUDA_SUCCESS) {
        if (p->table)
            cu->mem_free(p->table);
        cu->module_unload(p->module);
        cu->ctx_pop(NULL);
    }
    *p = (CcaPainter) { 0 };
}

static CUresult launch(CUfunction function, const uint32_t blocks[2],
                       const uint32_t threads[2], void **const args, CUstream stream)
{
    const CUlaunchConfig config = {
        .gridDimX = blocks[0], .gridDimY = blocks[1], .gridDimZ = 1,
        .blockDimX = threads[0], .blockDimY = threads[1], .blockDimZ = 1,
        .hStream = stream,
    };
    return driver()->launch(&config, function, args, NULL);
}

/* What was painted before on the stream is done with the table when the keys come. */
static CUresult send_keys(CcaPainter *const p, const uint32_t *const keys, const uint32_t n,
                          CUstream stream)
{
    static const uint32_t blocks[2] = { 1, 1 }, threads[2] = { CCA_PAINT_KEY_THREADS, 1 };
    CUdeviceptr table = p->table;
    CUresult result = CUDA_SUCCESS;
    if (!table && n > 0)
        result = driver()->mem_alloc(&table, MAX_KEYS * sizeof *keys);
    p->table = table;
    CcaPaintKeys some = { 0 };
    for (; some.first < n && result == CUDA_SUCCESS; some.first += some.n) {
        const uint32_t left = n - some.first;
        some.n = umin(left, CCA_PAINT_MAX_KEYS);
        memcpy(some.keys, keys + some.first, some.n * sizeof *keys);
        result = launch(p->keys, blocks, threads, (void *[]) { &table, &some }, stream);
    }
    return result;
}

static CUresult paint(CcaPainter *const p, CcaPaintPicture picture, CcaPaintMode mode,
                      CcaPaintLabels labels, CUstream stream)
{
    static const uint32_t threads[2] = { CCA_PAINT_BLOCK_WIDTH, CCA_PAINT_BLOCK_HEIGHT };
    const uint32_t blocks[2] = {
        (picture.width - 1) / threads[0] + 1, (picture.height - 1) / threads[1] + 1,
    };
    if (mode == CCA_PAINT_COLORS) {
        const CUresult result = send_keys(p, labels.keys, labels.n_keys, stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    labels.keys = (const uint32_t *) (uintptr_t) p->table;
    return launch(p->pixels, blocks, threads, (void *[]) { &picture, &mode, &labels }, stream);
}

bool cca_painter_paint(CcaPainter *const p, const CcaPaintPicture *const picture,
                       const CcaPaintMode mode, const CcaPaintLabels *const labels,
                       void *const stream)
{
    if (driver()->ctx_push(p->context) != CUDA_SUCCESS)
        return false;
    const CUresult result = paint(p, *picture, mode, *labels, stream);
    driver()->ctx_pop(NULL);
    return result == CUDA_SUCCESS;
}

bool cca_painter_clear(CcaPainter *const p, const CcaPaintPicture *const picture,
                       void *const stream)
{
    if (driver()->ctx_push(p->context) != CUDA_SUCCESS)
        return false;
    const CUresult result = driver()->memset_d8_async(
        (CUdeviceptr) (uintptr_t) picture->data, 0, picture->stride * picture->height, stream);
    driver()->ctx_pop(NULL);
    return result == CUDA_SUCCESS;
}
