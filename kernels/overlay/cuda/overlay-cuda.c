/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The host side. The GPU reads the commands in place from page-locked memory: a ring of slots, one
 * for each launch. Groups of slots share an event that is recorded after their last use, because an
 * event after each launch would take the GPU longer than a small drawing. */

#include <stdlib.h>
#include <string.h>

#include "../../cuda/module.h"
#include "../overlay-cuda.h"
#include "bins.h"
#include "cca-overlay-fatbin.h"

/* Minimum size of a slot in bytes: room for some hundred boxes. */
#define MIN_SIZE 131072

_Static_assert(sizeof(CcaOverlayWindow) <= 4096, "the arguments of a kernel have 4096 bytes");

/* Blocks of a tile: lanes of the kernel for NV12 have twice as many pixels. */
typedef enum Kernel { NV12, ANY, N_KERNELS } Kernel;
static const uint32_t blocks_of_tile[N_KERNELS] = { 1, 2 };

typedef struct Slot {
    uint32_t *words; /* page-locked */
    size_t size;
} Slot;

/* Number of slots that share an event, and of such groups. */
#define GROUP 4
#define N_GROUPS (CCA_OVERLAY_GPU_SLOTS / GROUP)

struct CcaOverlayGpu {
    CudaModule module;
    CUfunction kernels[N_KERNELS];
    Slot slots[CCA_OVERLAY_GPU_SLOTS];
    CUevent done[N_GROUPS];
    uint32_t next;   /* slot of the next launch */
    bool is_open;    /* the event of the last slot's group is not yet recorded */
    CUstream stream; /* the stream on which it will be recorded */
    CUdeviceptr coverage;
    CcaOverlayGlyphs glyphs; /* with the coverage's device address */
    CcaOverlayWindow window;
    OverlayBins bins;
    char why[160];
};

static CcaStatus fail(CcaOverlayGpu *const gpu, const CUresult result, const char *const subject,
                      const char **const why)
{
    *why = gpu->why;
    return cca_cuda_explain(gpu->module.cu, result, subject, gpu->why, sizeof(gpu->why));
}

/* --- memory --------------------------------------------------------------- */

static void free_memory(const CcaOverlayGpu *const gpu, Slot *const slot)
{
    if (slot->words != NULL)
        gpu->module.cu->host_free(slot->words);
    slot->words = NULL;
    slot->size = 0;
}

/* Records the event of the open group. If that fails, waits for the enqueued work: its slots
 * must not be reused or freed before it is done. */
static CUresult close_group(CcaOverlayGpu *const gpu)
{
    if (!gpu->is_open)
        return CUDA_SUCCESS;
    const uint32_t last = (gpu->next + CCA_OVERLAY_GPU_SLOTS - 1) % CCA_OVERLAY_GPU_SLOTS;
    const uint32_t group = last / GROUP;
    const CUresult result = gpu->module.cu->event_record(gpu->done[group], gpu->stream);
    if (result != CUDA_SUCCESS &&
        gpu->module.cu->event_record(gpu->done[group], gpu->stream) == CUDA_SUCCESS)
        gpu->module.cu->event_synchronize(gpu->done[group]);
    gpu->next = (group + 1) * GROUP % CCA_OVERLAY_GPU_SLOTS;
    gpu->is_open = false;
    return result;
}

/* Waits until the next group is no longer in use. */
static CUresult open_group(CcaOverlayGpu *const gpu)
{
    CUevent *const done = &gpu->done[gpu->next / GROUP];
    if (*done != NULL)
        return gpu->module.cu->event_synchronize(*done);
    return gpu->module.cu->event_create(done, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
}

/* Takes the next slot, with at least `size` bytes, for work on the stream. */
static CUresult take_slot(CcaOverlayGpu *const gpu, const size_t size, const CUstream stream,
                          Slot **const taken)
{
    CUresult result = CUDA_SUCCESS;
    size_t enough = MIN_SIZE;

    if (!gpu->is_open && (result = open_group(gpu)) != CUDA_SUCCESS)
        return result;
    Slot *const slot = &gpu->slots[gpu->next];
    if (size > slot->size) {
        while (enough < size)
            enough *= 2;
        free_memory(gpu, slot);
        result = gpu->module.cu->host_alloc((void **) &slot->words, enough, 0);
        if (result != CUDA_SUCCESS) {
            free_memory(gpu, slot);
            return result;
        }
        slot->size = enough;
    }
    gpu->next = (gpu->next + 1) % CCA_OVERLAY_GPU_SLOTS;
    gpu->is_open = true;
    gpu->stream = stream;
    *taken = slot;
    return CUDA_SUCCESS;
}

/* Waits for all slots. Returns the last failure. */
static CUresult wait_for_all(CcaOverlayGpu *const gpu)
{
    CUresult result = close_group(gpu), done;
    for (uint32_t i = 0; i < N_GROUPS; i++) {
        if (gpu->done[i] == NULL || (done = gpu->module.cu->event_synchronize(gpu->done[i])) == 0)
            continue;
        /* the result may be an error of other work, reported before this work is done */
        gpu->module.cu->event_synchronize(gpu->done[i]);
        result = done;
    }
    return result;
}

/* --- open and close ------------------------------------------------------- */

CcaStatus cca_overlay_gpu_open(CcaOverlayGpu **const out, void *const context,
                               const char **const why)
{
    static const char *const names[] = { "cca_overlay_nv12", "cca_overlay_any" };
    CcaOverlayGpu *const gpu = calloc(1, sizeof(*gpu));
    *out = NULL;
    if (gpu == NULL) {
        *why = "memory ran out";
        return CCA_ERROR_NO_MEMORY;
    }
    const CcaStatus status = cca_cuda_module_open(&gpu->module, context, cca_overlay_fatbin, names,
                                                  gpu->kernels, N_KERNELS, why);
    if (status == CCA_OK)
        *out = gpu;
    else
        free(gpu);
    return status;
}

void cca_overlay_gpu_close(CcaOverlayGpu *const gpu)
{
    if (gpu == NULL)
        return;
    if (cca_cuda_enter(&gpu->module) == CUDA_SUCCESS) {
        wait_for_all(gpu);
        for (uint32_t i = 0; i < N_GROUPS; i++)
            if (gpu->done[i] != NULL)
                gpu->module.cu->event_destroy(gpu->done[i]);
        for (uint32_t i = 0; i < CCA_OVERLAY_GPU_SLOTS; i++)
            free_memory(gpu, &gpu->slots[i]);
        if (gpu->coverage != 0)
            gpu->module.cu->mem_free(gpu->coverage);
        cca_cuda_leave(&gpu->module);
    }
    cca_cuda_module_close(&gpu->module);
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
        gpu->module.cu->mem_free(gpu->coverage);
    gpu->coverage = 0;
    memset(&gpu->glyphs, 0, sizeof(gpu->glyphs));
    if (size == 0)
        return CUDA_SUCCESS;

    if ((result = gpu->module.cu->mem_alloc(&gpu->coverage, size)) != CUDA_SUCCESS ||
        (result = take_slot(gpu, size, stream, &slot)) != CUDA_SUCCESS)
        return result;
    memcpy(slot->words, glyphs->coverage, size);
    result = gpu->module.cu->memcpy_htod_async(gpu->coverage, slot->words, size, stream);
    const CUresult done = wait_for_all(gpu); /* for drawings on other streams */
    if (result != CUDA_SUCCESS || (result = done) != CUDA_SUCCESS)
        return result;
    gpu->glyphs = (CcaOverlayGlyphs) {
        .coverage = (const uint8_t *) gpu->coverage,
        .width = glyphs->width,
        .height = glyphs->height,
    };
    return CUDA_SUCCESS;
}

CcaStatus cca_overlay_gpu_set_glyphs(CcaOverlayGpu *const gpu, const CcaOverlayGlyphs *const glyphs,
                                     void *const stream, const char **const why)
{
    CUresult result = cca_cuda_enter(&gpu->module);
    if (result != CUDA_SUCCESS)
        return fail(gpu, result, "the GPU context cannot be entered", why);
    result = upload(gpu, glyphs, stream);
    cca_cuda_leave(&gpu->module);
    return result == CUDA_SUCCESS ? CCA_OK : fail(gpu, result, "digits on the GPU", why);
}

/* --- drawing -------------------------------------------------------------- */

static CUresult launch(CcaOverlayGpu *const gpu, const CUstream stream)
{
    CcaOverlayWindow *const window = &gpu->window;
    const Kernel kernel = cca_overlay_bins_are_nv12(&window->picture) && !gpu->bins.is_far ? NV12 :
                                                                                             ANY;
    void *args[] = { window };
    const CUlaunchConfig config = {
        .gridDimX = window->n_tiles * blocks_of_tile[kernel],
        .gridDimY = 1,
        .gridDimZ = 1,
        .blockDimX = CCA_OVERLAY_THREADS,
        .blockDimY = 1,
        .blockDimZ = 1,
        .hStream = stream,
    };
    return gpu->module.cu->launch(&config, gpu->kernels[kernel], args, NULL);
}

static CUresult enqueue(CcaOverlayGpu *const gpu, const CcaOverlayPicture *const picture,
                        const CcaOverlayList *const list, const CUstream stream,
                        const char **const subject)
{
    CUresult result = CUDA_SUCCESS;
    Slot *slot;
    cca_overlay_bins_begin(&gpu->bins, picture, list);
    while (result == CUDA_SUCCESS && cca_overlay_bins_next(&gpu->bins)) {
        *subject = "memory for the commands";
        result = take_slot(gpu, gpu->bins.n_bytes, stream, &slot);
        if (result != CUDA_SUCCESS)
            break;
        *subject = "the drawing cannot be launched";
        cca_overlay_bins_write(&gpu->bins, slot->words, &gpu->window);
        gpu->window.words = slot->words;
        gpu->window.glyphs = gpu->glyphs;
        result = launch(gpu, stream);
        if (result == CUDA_SUCCESS && gpu->next % GROUP == 0)
            result = close_group(gpu);
    }
    return result;
}

CcaStatus cca_overlay_gpu_draw(CcaOverlayGpu *const gpu, const CcaOverlayPicture *const picture,
                               const CcaOverlayList *const list, void *const stream,
                               const char **const why)
{
    const char *subject = "the drawing cannot be marked";
    CUresult result = cca_cuda_enter(&gpu->module);
    if (result != CUDA_SUCCESS)
        return fail(gpu, result, "the GPU context cannot be entered", why);
    /* the previous stream may be destroyed after this call */
    if (stream != gpu->stream)
        result = close_group(gpu);
    if (result == CUDA_SUCCESS)
        result = enqueue(gpu, picture, list, stream, &subject);
    if (result != CUDA_SUCCESS)
        close_group(gpu);
    cca_cuda_leave(&gpu->module);
    return result == CUDA_SUCCESS ? CCA_OK : fail(gpu, result, subject, why);
}
