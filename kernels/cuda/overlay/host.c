/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The host side: commands go through page-locked memory to the GPU. Drawings take turns at
 * pairs of such memory and as much on the device, and an event tells when a pair is free
 * again. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../overlay/overlay-cuda.h"
#include "../driver.h"
#include "cca-overlay-fatbin.h"
#include "tables.h"

/* Room to begin with: some hundred boxes. */
#define LEAST_SIZE 65536

/* Words lie behind the commands. */
_Static_assert(sizeof(CcaOverlayCommand) % 8 == 0, "commands are not aligned");

typedef struct Slot {
    uint8_t *host; /* page-locked */
    CUdeviceptr device;
    size_t size; /* of each */
    CUevent done;
} Slot;

struct CcaOverlayGpu {
    const CcaCudaDriver *cu;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    Slot slots[CCA_OVERLAY_GPU_SLOTS];
    uint32_t next;
    CUdeviceptr coverage;
    CcaOverlayGlyphs glyphs; /* with the coverage's device address */
    char why[160];
};

/* --- errors --------------------------------------------------------------- */

static CcaStatus fail(CcaOverlayGpu *const gpu, const CUresult result, const char *const what,
                      const char **const why)
{
    const char *name = NULL;
    CcaStatus status = CCA_ERROR_DEVICE;
    gpu->cu->error_name(result, &name);
    if (name == NULL)
        name = "unknown error";
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        status = CCA_ERROR_NO_MEMORY;
        snprintf(gpu->why, sizeof(gpu->why), "%s: memory ran out", what);
    } else if (cca_cuda_is_sticky(result)) {
        status = CCA_ERROR_DEVICE_LOST;
        snprintf(gpu->why, sizeof(gpu->why),
                 "%s: the GPU context is unusable after an error (%s)", what, name);
    } else {
        snprintf(gpu->why, sizeof(gpu->why), "%s: the CUDA driver says %s", what, name);
    }
    *why = gpu->why;
    return status;
}

static void leave(const CcaOverlayGpu *const gpu)
{
    CUcontext context;
    gpu->cu->ctx_pop(&context);
}

/* --- memory --------------------------------------------------------------- */

static void free_memory(const CcaOverlayGpu *const gpu, Slot *const slot)
{
    if (slot->device != 0)
        gpu->cu->mem_free(slot->device);
    if (slot->host != NULL)
        gpu->cu->host_free(slot->host);
    slot->device = 0;
    slot->host = NULL;
    slot->size = 0;
}

/* The next slot, with that much memory, and no longer in use. */
static CUresult take_slot(CcaOverlayGpu *const gpu, const size_t size, Slot **const taken)
{
    const CcaCudaDriver *const cu = gpu->cu;
    Slot *const slot = &gpu->slots[gpu->next];
    size_t enough = LEAST_SIZE;
    CUresult result;

    if (slot->done == NULL)
        result = cu->event_create(&slot->done,
                                  CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
    else
        result = cu->event_synchronize(slot->done);
    if (result != CUDA_SUCCESS)
        return result;
    if (size > slot->size) {
        while (enough < size)
            enough *= 2;
        free_memory(gpu, slot);
        if ((result = cu->mem_alloc(&slot->device, enough)) != CUDA_SUCCESS ||
            (result = cu->host_alloc((void **) &slot->host, enough, 0)) != CUDA_SUCCESS) {
            free_memory(gpu, slot);
            return result;
        }
        slot->size = enough;
    }
    gpu->next = (gpu->next + 1) % CCA_OVERLAY_GPU_SLOTS;
    *taken = slot;
    return CUDA_SUCCESS;
}

/* After something has been enqueued. If that fails it must not meet the next drawing in this
 * slot, nor the end of its memory. */
static CUresult mark(const CcaOverlayGpu *const gpu, const Slot *const slot,
                     const CUstream stream, const CUresult so_far)
{
    const CUresult result = gpu->cu->event_record(slot->done, stream);
    if (result != CUDA_SUCCESS &&
        gpu->cu->event_record(slot->done, stream) == CUDA_SUCCESS)
        gpu->cu->event_synchronize(slot->done);
    return so_far != CUDA_SUCCESS ? so_far : result;
}

static void wait_for_all(const CcaOverlayGpu *const gpu)
{
    for (uint32_t i = 0; i < CCA_OVERLAY_GPU_SLOTS; i++) {
        const CUevent done = gpu->slots[i].done;
        /* what it tells may be an error of other work, and not that this is done */
        if (done != NULL && gpu->cu->event_synchronize(done) != CUDA_SUCCESS)
            gpu->cu->event_synchronize(done);
    }
}

/* --- life ----------------------------------------------------------------- */

static CUresult load(CcaOverlayGpu *const gpu)
{
    const CUresult result = gpu->cu->module_load(&gpu->module, cca_overlay_fatbin);
    return result == CUDA_SUCCESS ?
               gpu->cu->module_function(&gpu->kernel, gpu->module, "cca_overlay_tile") :
               result;
}

CcaStatus cca_overlay_gpu_open(CcaOverlayGpu **const out, void *const context,
                               const char **const why)
{
    static char sentence[sizeof(((CcaOverlayGpu *) NULL)->why)];
    CcaStatus status = CCA_OK;
    CUresult result;

    *out = NULL;
    const CcaCudaDriver *const cu = cca_cuda_driver(why);
    if (cu == NULL)
        return CCA_ERROR_NO_DRIVER;
    CcaOverlayGpu *const gpu = calloc(1, sizeof(*gpu));
    if (gpu == NULL) {
        *why = "memory ran out";
        return CCA_ERROR_NO_MEMORY;
    }
    gpu->cu = cu;
    gpu->context = context;
    if ((result = cu->ctx_push(context)) != CUDA_SUCCESS) {
        status = fail(gpu, result, "the GPU context cannot be entered", why);
    } else {
        if ((result = load(gpu)) != CUDA_SUCCESS)
            status = fail(gpu, result, "the drawing cannot be loaded", why);
        leave(gpu);
    }
    if (status == CCA_OK) {
        *out = gpu;
        return CCA_OK;
    }
    /* what says why is about to go */
    memcpy(sentence, gpu->why, sizeof(sentence));
    *why = sentence;
    cca_overlay_gpu_close(gpu);
    return status;
}

void cca_overlay_gpu_close(CcaOverlayGpu *const gpu)
{
    if (gpu == NULL)
        return;
    if (gpu->cu->ctx_push(gpu->context) == CUDA_SUCCESS) {
        wait_for_all(gpu);
        for (uint32_t i = 0; i < CCA_OVERLAY_GPU_SLOTS; i++) {
            if (gpu->slots[i].done != NULL)
                gpu->cu->event_destroy(gpu->slots[i].done);
            free_memory(gpu, &gpu->slots[i]);
        }
        if (gpu->coverage != 0)
            gpu->cu->mem_free(gpu->coverage);
        if (gpu->module != NULL)
            gpu->cu->module_unload(gpu->module);
        leave(gpu);
    }
    free(gpu);
}

/* --- digits --------------------------------------------------------------- */

static CUresult upload(CcaOverlayGpu *const gpu, const CcaOverlayGlyphs *const glyphs,
                       const CUstream stream)
{
    const size_t size = (size_t) glyphs->width * glyphs->height * CCA_OVERLAY_N_GLYPHS;
    CUresult result;
    Slot *slot;

    wait_for_all(gpu);
    if (gpu->coverage != 0)
        gpu->cu->mem_free(gpu->coverage);
    gpu->coverage = 0;
    memset(&gpu->glyphs, 0, sizeof(gpu->glyphs));
    if (size == 0)
        return CUDA_SUCCESS;

    if ((result = gpu->cu->mem_alloc(&gpu->coverage, size)) != CUDA_SUCCESS ||
        (result = take_slot(gpu, size, &slot)) != CUDA_SUCCESS)
        return result;
    memcpy(slot->host, glyphs->coverage, size);
    result = gpu->cu->memcpy_htod_async(gpu->coverage, slot->host, size, stream);
    result = mark(gpu, slot, stream, result);
    if (result == CUDA_SUCCESS) /* for drawings on other streams */
        result = gpu->cu->event_synchronize(slot->done);
    if (result != CUDA_SUCCESS)
        return result;
    gpu->glyphs = (CcaOverlayGlyphs) {
        .coverage = (const uint8_t *) gpu->coverage,
        .width = glyphs->width, .height = glyphs->height,
    };
    return CUDA_SUCCESS;
}

CcaStatus cca_overlay_gpu_set_glyphs(CcaOverlayGpu *const gpu,
                                     const CcaOverlayGlyphs *const glyphs, void *const stream,
                                     const char **const why)
{
    CUresult result = gpu->cu->ctx_push(gpu->context);
    if (result != CUDA_SUCCESS)
        return fail(gpu, result, "the GPU context cannot be entered", why);
    result = upload(gpu, glyphs, stream);
    leave(gpu);
    return result == CUDA_SUCCESS ? CCA_OK : fail(gpu, result, "digits on the GPU", why);
}

/* --- drawing -------------------------------------------------------------- */

static uint32_t tiles(const uint32_t end, const uint32_t size)
{
    return (end + size - 1) / size;
}

static CUresult launch(const CcaOverlayGpu *const gpu, CcaOverlayPicture picture,
                       const Slot *const slot, const CcaOverlayList *const list,
                       const CUstream stream)
{
    CcaOverlayGlyphs glyphs = gpu->glyphs;
    CUdeviceptr commands = slot->device;
    CUdeviceptr words = slot->device + (size_t) list->n_commands * sizeof(*list->commands);
    uint32_t n_commands = list->n_commands;
    uint32_t tiles_in_row = tiles(picture.x1, CCA_OVERLAY_TILE_WIDTH);
    void *args[] = { &picture, &glyphs, &commands, &words, &n_commands, &tiles_in_row };
    const CUlaunchConfig config = {
        .gridDimX = tiles_in_row * tiles(picture.y1, CCA_OVERLAY_TILE_HEIGHT),
        .gridDimY = 1, .gridDimZ = 1,
        .blockDimX = CCA_OVERLAY_THREADS, .blockDimY = 1, .blockDimZ = 1,
        .hStream = stream,
    };
    return gpu->cu->launch(&config, gpu->kernel, args, NULL);
}

static CUresult enqueue(CcaOverlayGpu *const gpu, const CcaOverlayPicture *const picture,
                        const Slot *const slot, const CcaOverlayList *const list,
                        const size_t n_command_bytes, const size_t n_bytes,
                        const CUstream stream)
{
    memcpy(slot->host, list->commands, n_command_bytes);
    if (n_bytes > n_command_bytes)
        memcpy(slot->host + n_command_bytes, list->words, n_bytes - n_command_bytes);
    CUresult result = gpu->cu->memcpy_htod_async(slot->device, slot->host, n_bytes, stream);
    if (result == CUDA_SUCCESS)
        result = launch(gpu, *picture, slot, list, stream);
    return mark(gpu, slot, stream, result);
}

CcaStatus cca_overlay_gpu_draw(CcaOverlayGpu *const gpu,
                               const CcaOverlayPicture *const picture,
                               const CcaOverlayList *const list, void *const stream,
                               const char **const why)
{
    const size_t n_command_bytes = (size_t) list->n_commands * sizeof(*list->commands);
    const size_t n_bytes = n_command_bytes + (size_t) list->n_words * sizeof(*list->words);
    const char *what = "memory for what is drawn";
    Slot *slot;

    CUresult result = gpu->cu->ctx_push(gpu->context);
    if (result != CUDA_SUCCESS)
        return fail(gpu, result, "the GPU context cannot be entered", why);
    result = take_slot(gpu, n_bytes, &slot);
    if (result == CUDA_SUCCESS) {
        what = "the drawing cannot be launched";
        result = enqueue(gpu, picture, slot, list, n_command_bytes, n_bytes, stream);
    }
    leave(gpu);
    return result == CUDA_SUCCESS ? CCA_OK : fail(gpu, result, what, why);
}
