/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CUDA engine behind a copy of each frame to device memory that keeps the
 * frame's stride and misalignment. */

#include <stdlib.h>
#include <string.h>

#include "cca-cuda.h"
#include "engine.h"
#include "engines-cuda.h"
#include "gpu.h"

/* The alignment that vectorised loads may depend on. */
#define ALIGNMENT 256

/* Bytes before and after a written plane that are not to change. */
#define GUARD 256
#define GUARD_BYTE 0xa5

/* A plane on the GPU that the engine writes, between guards, and where it belongs. */
typedef struct DevicePlane {
    CUdeviceptr memory;
    size_t room, offset, used; /* used: from the first pixel to the last */
    uint8_t *host;             /* NULL: it was not asked for */
} DevicePlane;

/* An engine that passes everything on to `inner`, but for where the pixels are. The
 * slots take turns with two streams, so that a background has to keep its order. */
typedef struct DeviceFrames {
    CcaEngine base;
    CcaEngine *inner;
    const Gpu *gpu;
    CUstream streams[2];
    CUdeviceptr pixels[CCA_MAX_SLOTS];
    size_t sizes[CCA_MAX_SLOTS];
    DevicePlane labels[CCA_MAX_SLOTS], backgrounds[CCA_MAX_SLOTS];
} DeviceFrames;

static CcaStatus pass_on(DeviceFrames *const d, const CcaStatus status)
{
    return status == CCA_OK ? status : cca_engine_fail(&d->base, status, "%s", d->inner->error);
}

static CcaStatus device_measure(const CcaEngine *const engine, const CcaConfig *const config,
                                CcaFootprint *const footprint)
{
    const DeviceFrames *const d = (const DeviceFrames *) engine;
    return d->inner->ops->measure(d->inner, config, footprint);
}

static CcaStatus device_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    return pass_on(d, cca_engine_configure(d->inner, config));
}

static CcaStatus copy_frame(DeviceFrames *const d, const uint32_t slot, CcaFrame *const frame)
{
    const size_t offset = (uintptr_t) frame->data % ALIGNMENT;
    const size_t used = (frame->height - 1) * frame->stride +
                        (size_t) frame->width * d->base.config.sample_size;
    if (d->sizes[slot] < offset + used) {
        if (d->pixels[slot] != 0)
            d->gpu->cu->mem_free(d->pixels[slot]);
        d->sizes[slot] = 0;
        if (d->gpu->cu->mem_alloc(&d->pixels[slot], offset + used) != CUDA_SUCCESS) {
            d->pixels[slot] = 0;
            return cca_engine_fail(&d->base, CCA_ERROR_NO_MEMORY, "no room for the frame");
        }
        d->sizes[slot] = offset + used;
    }
    const CUdeviceptr to = d->pixels[slot] + offset;
    const CUstream stream = d->streams[slot % 2];
    if (d->gpu->copy_to_device_async(to, frame->data, used, stream) != CUDA_SUCCESS ||
        d->gpu->stream_synchronize(stream) != CUDA_SUCCESS)
        return cca_engine_fail(&d->base, CCA_ERROR_DEVICE, "the frame cannot be copied");
    frame->data = (const uint8_t *) to;
    frame->stream = stream;
    return CCA_OK;
}

/* Bytes from the first pixel of labels to the end of the last, in any form. */
static size_t labels_extent(const CcaFrame *const frame)
{
    const CcaLabels *const l = &frame->labels;
    const size_t rows = frame->height - 1;
    const size_t wide = (rows ? rows * l->stride : 0) + (size_t) frame->width * l->bits / 8;
    const size_t narrow = (rows ? rows * l->narrow_stride : 0) + frame->width;
    return l->narrow_stride > 0 && narrow > wide ? narrow : wide;
}

/* Has a plane of `used` bytes at *data be written to the GPU's memory, where all is as it is
 * here. */
static CcaStatus move_plane(DeviceFrames *const d, DevicePlane *const l, void **const data,
                            const size_t used, const CUstream stream)
{
    l->host = *data;
    if (l->host == NULL)
        return CCA_OK;
    l->used = used;
    l->offset = GUARD + (uintptr_t) l->host % ALIGNMENT;
    /* as much wherever the plane is here: calls are counted, to make them fail */
    const size_t size = GUARD + ALIGNMENT + l->used + GUARD;
    if (l->room < size) {
        if (l->memory != 0)
            d->gpu->cu->mem_free(l->memory);
        l->room = 0;
        if (d->gpu->cu->mem_alloc(&l->memory, size) != CUDA_SUCCESS) {
            l->memory = 0;
            return cca_engine_fail(&d->base, CCA_ERROR_NO_MEMORY, "no room for a plane");
        }
        l->room = size;
    }
    *data = (void *) (l->memory + l->offset);
    if (d->gpu->cu->memset_d8_async(l->memory, GUARD_BYTE, size, stream) != CUDA_SUCCESS ||
        d->gpu->copy_to_device_async(l->memory + l->offset, l->host, l->used, stream) !=
            CUDA_SUCCESS ||
        d->gpu->stream_synchronize(stream) != CUDA_SUCCESS)
        return cca_engine_fail(&d->base, CCA_ERROR_DEVICE, "a plane cannot be copied");
    return CCA_OK;
}

static CcaStatus move_planes(DeviceFrames *const d, const uint32_t slot, CcaFrame *const frame)
{
    const CUstream stream = d->streams[slot % 2];
    const size_t row = (size_t) frame->width * d->base.config.sample_size;
    const size_t rows = frame->height - 1;
    const CcaStatus status = move_plane(d, &d->labels[slot], &frame->labels.data,
                                        labels_extent(frame), stream);
    return status == CCA_OK ? move_plane(d, &d->backgrounds[slot], &frame->background,
                                         rows * frame->background_stride + row, stream) :
                              status;
}

static CcaStatus fetch_plane(DeviceFrames *const d, DevicePlane *const l, const CUstream stream)
{
    if (l->host == NULL)
        return CCA_OK;
    const size_t begin = l->offset - GUARD, size = l->used + 2 * GUARD;
    uint8_t *const copy = malloc(size);
    if (copy == NULL)
        return cca_engine_fail(&d->base, CCA_ERROR_NO_MEMORY, "no room for a plane");
    bool intact = d->gpu->copy_to_host_async(copy, l->memory + begin, size, stream) ==
                      CUDA_SUCCESS &&
                  d->gpu->stream_synchronize(stream) == CUDA_SUCCESS;
    for (size_t i = 0; i < GUARD && intact; i++)
        intact = copy[i] == GUARD_BYTE && copy[size - 1 - i] == GUARD_BYTE;
    if (intact)
        memcpy(l->host, copy + GUARD, l->used);
    free(copy);
    return intact ? CCA_OK :
                    cca_engine_fail(&d->base, CCA_ERROR_DEVICE,
                                    "something was written next to the plane");
}

static CcaStatus device_analyse(CcaEngine *const engine, const uint32_t slot,
                                const CcaJob *const job)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    CcaFrame frame = job->frame;
    if (!gpu_enter(d->gpu))
        return cca_engine_fail(engine, CCA_ERROR_DEVICE, "the GPU cannot be entered");
    CcaStatus status = copy_frame(d, slot, &frame);
    if (status == CCA_OK)
        status = move_planes(d, slot, &frame);
    gpu_leave(d->gpu);
    if (status != CCA_OK)
        return status;
    if (cca_has_background(job->params.foreground) && job->update.first)
        cca_engine_reset_background(d->inner);
    CcaParams params = job->params;
    if (job->filter.areas != NULL) { /* those of the job are the widest limits */
        params.min_area = job->filter.min_area;
        params.max_area = job->filter.max_area;
    }
    return pass_on(d, cca_engine_analyse(d->inner, slot, &frame, &params));
}

static CcaStatus device_collect(CcaEngine *const engine, const uint32_t slot,
                                CcaResult *const result)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    CcaStatus status = pass_on(d, cca_engine_collect(d->inner, slot, result));
    if (status != CCA_OK || (d->labels[slot].host == NULL && d->backgrounds[slot].host == NULL))
        return status;
    if (!gpu_enter(d->gpu))
        return cca_engine_fail(engine, CCA_ERROR_DEVICE, "the GPU cannot be entered");
    status = fetch_plane(d, &d->labels[slot], d->streams[slot % 2]);
    if (status == CCA_OK)
        status = fetch_plane(d, &d->backgrounds[slot], d->streams[slot % 2]);
    gpu_leave(d->gpu);
    return status;
}

static CcaStatus device_export_background(CcaEngine *const engine, const CcaBackground *const form,
                                          uint8_t *const state)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    (void) form;
    return pass_on(d, cca_engine_export_background(d->inner, state));
}

static CcaStatus device_import_background(CcaEngine *const engine, const CcaBackground *const form,
                                          const uint8_t *const state)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    return pass_on(d, cca_engine_import_background(d->inner, form, state));
}

static void device_unconfigure(CcaEngine *const engine)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    d->inner->ops->unconfigure(d->inner);
}

static void device_close(CcaEngine *const engine)
{
    DeviceFrames *const d = (DeviceFrames *) engine;
    if (gpu_enter(d->gpu)) {
        for (int i = 0; i < CCA_MAX_SLOTS; i++) {
            if (d->pixels[i] != 0)
                d->gpu->cu->mem_free(d->pixels[i]);
            if (d->labels[i].memory != 0)
                d->gpu->cu->mem_free(d->labels[i].memory);
            if (d->backgrounds[i].memory != 0)
                d->gpu->cu->mem_free(d->backgrounds[i].memory);
        }
        gpu_leave(d->gpu);
    }
    cca_engine_free(&d->inner);
    if (gpu_enter(d->gpu)) {
        d->gpu->stream_destroy(d->streams[1]);
        gpu_leave(d->gpu);
    }
    free(d);
}

static CcaStatus open_device_frames(CcaEngine **const engine, CcaEngine *const inner,
                                    const Gpu *const gpu)
{
    static const CcaEngineOps ops = {
        .name = "cuda",
        .measure = device_measure,
        .configure = device_configure,
        .analyse = device_analyse,
        .collect = device_collect,
        .export_background = device_export_background,
        .import_background = device_import_background,
        .unconfigure = device_unconfigure,
        .close = device_close,
    };
    DeviceFrames *const d = calloc(1, sizeof(*d));
    if (d == NULL)
        return CCA_ERROR_NO_MEMORY;
    d->base.ops = &ops;
    d->inner = inner;
    d->gpu = gpu;
    /* besides the null stream one that does not wait for it */
    bool has_stream = gpu_enter(gpu);
    if (has_stream) {
        has_stream = gpu->stream_create(&d->streams[1], CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS;
        gpu_leave(gpu);
    }
    if (!has_stream) {
        free(d);
        return CCA_ERROR_DEVICE;
    }
    *engine = &d->base;
    return CCA_OK;
}

bool cuda_available(const char **const why)
{
    return gpu_open(why) != NULL;
}

CcaStatus cuda_open(CcaEngine **const engine, const Engine *const self)
{
    const char *why;
    const Gpu *const gpu = gpu_open(&why);
    *engine = NULL;
    if (gpu == NULL)
        return CCA_ERROR_NO_DEVICE;
    const CcaCudaOptions options = {
        .context = gpu->context,
        .algorithm = (CcaCudaAlgorithm) self->variant,
    };
    CcaEngine *inner;
    CcaStatus status = cca_cuda_open(&inner, &options, &why);
    if (status != CCA_OK)
        return status;
    if ((status = open_device_frames(engine, inner, gpu)) != CCA_OK)
        cca_engine_free(&inner);
    return status;
}
