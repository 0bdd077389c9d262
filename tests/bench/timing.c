/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

void timing_check(const CUresult result, const char *const what)
{
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "%s: CUDA error %d\n", what, (int) result);
        exit(1);
    }
}

void timing_check_engine(const CcaEngine *const engine, const CcaStatus status)
{
    if (status != CCA_OK) {
        fprintf(stderr, "%s\n", cca_engine_error(engine));
        exit(1);
    }
}

/* One that is recorded into a graph could not be waited for. */
static CUresult CUDAAPI no_event(CUevent event, CUstream stream)
{
    (void) event, (void) stream;
    return CUDA_SUCCESS;
}

CcaCudaDriver timing_driver(const Gpu *const gpu)
{
    CcaCudaDriver driver = *gpu->cu;
    driver.event_record = no_event;
    return driver;
}

void timing_prepare(CcaEngine *const engine, const CcaCudaDriver *const driver,
                    const bool graphs)
{
    CudaEngine *const e = (CudaEngine *) engine;
    e->cu = driver;
    e->graphs = graphs;
}

CUdeviceptr timing_keep_records(CcaEngine *const engine)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CUdeviceptr records;
    timing_check(e->cu->mem_alloc(&records, sizeof(CudaDelivery) +
                                                e->base.config.max_components *
                                                    sizeof(CcaComponent)),
                 "memory for records");
    e->slots[0].emit.delivery = (CudaDelivery *) (uintptr_t) records;
    return records;
}

void timing_draw(uint8_t *const pixels, uint8_t *const blocks, const uint32_t width,
                 const uint32_t height, const uint32_t g, const uint32_t density)
{
    const uint32_t bw = (width - 1) / g + 1, bh = (height - 1) / g + 1;
    Rng rng = rng_for(42, "bench", 0);
    for (size_t i = 0; i < (size_t) bw * bh; i++)
        blocks[i] = rng_below(&rng, 100) < density ? 255 : 0;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *const row = pixels + (size_t) y * width;
        if (y % g != 0) {
            memcpy(row, row - width, width);
            continue;
        }
        for (uint32_t x = 0; x < width; x++)
            row[x] = blocks[(size_t) (y / g) * bw + x / g];
    }
}
