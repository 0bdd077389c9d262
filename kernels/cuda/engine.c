/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CUDA engine, host side: one module for each engine, one set of tables for
 * each slot. */

#include <stdlib.h>

#include "cca-cuda-fatbin.h"
#include "engine.h"

/* --- errors --------------------------------------------------------------- */

static CcaStatus fail(CudaEngine *const e, const CUresult result, const char *const what)
{
    const char *name = NULL;
    e->cu->error_name(result, &name);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return cca_engine_fail(&e->base, CCA_ERROR_NO_MEMORY, "%s: memory ran out", what);
    if (cca_cuda_is_sticky(result))
        return cca_engine_fail(&e->base, CCA_ERROR_DEVICE_LOST,
                               "%s: the GPU context is unusable after an error (%s)", what,
                               name ? name : "unknown");
    return cca_engine_fail(&e->base, CCA_ERROR_DEVICE, "%s: the CUDA driver says %s", what,
                           name ? name : "unknown error");
}

static bool enter(CudaEngine *const e, CcaStatus *const status)
{
    const CUresult result = e->cu->ctx_push(e->options.context);
    if (result != CUDA_SUCCESS) {
        *status = fail(e, result, "the GPU context cannot be entered");
        return false;
    }
    return true;
}

static void leave(CudaEngine *const e)
{
    CUcontext context;
    e->cu->ctx_pop(&context);
}

static CcaStatus cuda_measure(const CcaEngine *const engine, const CcaConfig *const config,
                              CcaFootprint *const footprint)
{
    const CudaEngine *const e = (const CudaEngine *) engine;
    uint64_t device, pinned;
    cca_cuda_measure_slot(e, config, &device, &pinned);
    footprint->device = config->slots * device + cca_cuda_background_size(config);
    footprint->pinned = config->slots * pinned;
    return CCA_OK;
}

static void cuda_unconfigure(CcaEngine *const engine)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CcaStatus status;
    for (uint32_t i = 0; i < e->n_slots; i++)
        cca_small_frame_ends(e, &e->slots[i]);
    if (e->n_slots == 0 || !enter(e, &status))
        return;
    for (uint32_t i = 0; i < e->n_slots; i++) {
        if (e->base.busy >> i & 1)
            cca_cuda_sleep(e, &e->slots[i]);
        cca_cuda_free_slot(e, &e->slots[i]);
    }
    e->n_slots = 0;
    if (e->background != 0)
        e->cu->mem_free(e->background);
    e->background = 0;
    leave(e);
}

static bool suffices(const CcaConfig *const have, const CcaConfig *const want)
{
    /* the layout depends on the mode, and a background is as large as it has to be */
    if (want->foreground != CCA_FOREGROUND_THRESHOLD &&
        (want->foreground != have->foreground || want->depth > have->depth ||
         cca_cuda_background_size(want) > cca_cuda_background_size(have)))
        return false;
    return have->width >= want->width && have->height >= want->height &&
           have->sample_size >= want->sample_size &&
           have->max_components >= want->max_components && have->slots >= want->slots;
}

static CcaStatus cuda_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CcaStatus status = CCA_OK;
    CUresult result = CUDA_SUCCESS;

    if (e->n_slots > 0 && suffices(&e->allocated, config)) {
        if (!enter(e, &status))
            return status;
        for (uint32_t i = 0; i < e->n_slots && result == CUDA_SUCCESS; i++) {
            if (e->base.busy >> i & 1)
                result = cca_cuda_sleep(e, &e->slots[i]);
            cca_small_frame_ends(e, &e->slots[i]);
        }
        leave(e);
        return result == CUDA_SUCCESS ? CCA_OK : fail(e, result, "work in flight");
    }

    cuda_unconfigure(engine);
    if (!enter(e, &status))
        return status;
    for (uint32_t i = 0; i < config->slots && result == CUDA_SUCCESS; i++) {
        e->n_slots++;
        result = cca_cuda_allocate_slot(e, &e->slots[i], config);
    }
    const uint64_t background = cca_cuda_background_size(config);
    if (result == CUDA_SUCCESS && background > 0)
        result = e->cu->mem_alloc(&e->background, (size_t) background);
    leave(e);
    e->allocated = *config;
    return result == CUDA_SUCCESS ? CCA_OK : fail(e, result, "GPU memory for the analysis");
}

/* --- analysis ------------------------------------------------------------- */

/* After an error: what was enqueued must not meet the next frame in this slot,
 * nor the end of its memory. */
static void give_up(CudaEngine *const e, CudaSlot *const slot)
{
    if (e->cu->event_record(slot->done, slot->stream) == CUDA_SUCCESS)
        e->cu->event_synchronize(slot->done);
    slot->n_begun = 0;
}

static CcaStatus cuda_analyse(CcaEngine *const engine, const uint32_t slot_index,
                              const CcaJob *const job)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CudaSlot *const slot = &e->slots[slot_index];
    CcaStatus status = CCA_OK;
    slot->stream = job->stream;
    slot->order = job->params.order;
    slot->has_threshold = job->params.foreground == CCA_FOREGROUND_OTSU;
    slot->reports = job->height > 0;
    slot->recorded = false;
    slot->is_small = slot->is_dense = false;
    slot->works = slot->reports || cca_has_background(job->params.foreground) ||
                  cca_wants_labels(job);
    if (!slot->works)
        return CCA_OK;
    const uint32_t turn = cca_cuda_take_turn(cca_cuda_now());
    if (!enter(e, &status)) {
        cca_cuda_end_turn(turn);
        return status;
    }
    const CUresult result = cca_cuda_enqueue(e, slot, job);
    cca_cuda_end_turn(turn);
    if (result != CUDA_SUCCESS) {
        status = fail(e, result, "the analysis cannot be launched");
        give_up(e, slot);
    } else {
        cca_small_frame_begins(e, slot);
    }
    leave(e);
    return status;
}

static bool overflows(const CudaSlot *const slot)
{
    return slot->is_small && slot->delivery->overflows;
}

/* What takes the driver: until the frame is done, or done again. */
static CcaStatus collect_by_driver(CudaEngine *const e, CudaSlot *const slot, const bool is_done)
{
    CcaStatus status = CCA_OK;
    if (!enter(e, &status))
        return status;
    CUresult result = is_done ? CUDA_SUCCESS : cca_cuda_sleep(e, slot);
    if (result == CUDA_SUCCESS && overflows(slot)) {
        cca_small_learn(e, slot);
        result = cca_cuda_enqueue_again(e, slot);
        if (result == CUDA_SUCCESS && !cca_cuda_wait_awake(e, slot))
            result = cca_cuda_sleep(e, slot);
    }
    if (result != CUDA_SUCCESS) {
        status = fail(e, result, "the analysis failed on the GPU");
        give_up(e, slot);
    }
    leave(e);
    return status;
}

static CcaStatus cuda_collect(CcaEngine *const engine, const uint32_t slot_index,
                              CcaResult *const result)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CudaSlot *const slot = &e->slots[slot_index];
    if (slot->has_threshold)
        result->threshold = 0;
    CcaStatus status = CCA_OK;
    const bool was_small = slot->is_small;
    if (slot->works) {
        const bool is_done = cca_cuda_wait_awake(e, slot);
        if (!is_done || overflows(slot))
            status = collect_by_driver(e, slot, is_done);
        cca_small_frame_ends(e, slot);
    }
    if (status != CCA_OK || !slot->reports)
        return status;
    if (slot->is_small == was_small)
        cca_small_learn(e, slot);
    cca_dense_learn(e, slot);

    CudaDelivery *const delivery = slot->delivery;
    const uint32_t n_found = (uint32_t) delivery->done, max = slot->emit.max_components;
    const uint32_t n = n_found < max ? n_found : max;
    if (slot->order == CCA_ORDER_AREA)
        cca_sort_by_area(delivery->records, n);
    result->components = delivery->records;
    result->n_components = n;
    result->n_found = n_found;
    if (slot->has_threshold)
        result->threshold = delivery->done >> 32 & UINT16_MAX;
    return CCA_OK;
}

/* --- life ----------------------------------------------------------------- */

static void cuda_close(CcaEngine *const engine)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CcaStatus status;
    if (e->module != NULL && enter(e, &status)) {
        e->cu->module_unload(e->module);
        leave(e);
    }
    cca_small_leave(e);
    free(e);
}

static CUresult load_kernels(CudaEngine *const e)
{
    static const char *const names[] = {
#define CCA_CUDA_KERNEL_NAME(id, name) name,
        CCA_CUDA_KERNELS(CCA_CUDA_KERNEL_NAME)
#undef CCA_CUDA_KERNEL_NAME
    };
    CUresult result = e->cu->module_load(&e->module, cca_cuda_fatbin);
    for (int i = 0; i < N_CUDA_KERNELS && result == CUDA_SUCCESS; i++)
        result = e->cu->module_function(&e->kernels[i], e->module, names[i]);

    CUdevice device;
    int n = 0, major = 0;
    if (result != CUDA_SUCCESS || (result = e->cu->ctx_device(&device)) != CUDA_SUCCESS ||
        (result = e->cu->device_attribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                          device)) != CUDA_SUCCESS ||
        (result = e->cu->device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                          device)) != CUDA_SUCCESS)
        return result;
    e->overlaps = major >= 9;
    e->n_multiprocessors = (uint32_t) n;
    return cca_small_prepare(e, device);
}

CcaStatus cca_cuda_open(CcaEngine **const engine, const CcaCudaOptions *const options,
                        const char **const why)
{
    static const CcaEngineOps ops = {
        .name = "cuda",
        .measure = cuda_measure,
        .configure = cuda_configure,
        .analyse = cuda_analyse,
        .collect = cuda_collect,
        .unconfigure = cuda_unconfigure,
        .close = cuda_close,
    };
    const char *ignored;
    const char **const reason = why ? why : &ignored;
    *engine = NULL;
    *reason = "";
    const CcaCudaDriver *const cu = cca_cuda_driver(reason);
    if (cu == NULL)
        return CCA_ERROR_NO_DRIVER;

    CudaEngine *const e = calloc(1, sizeof(*e));
    if (e == NULL || !cca_small_join(e, options->context)) {
        free(e);
        *reason = cca_status_string(CCA_ERROR_NO_MEMORY);
        return CCA_ERROR_NO_MEMORY;
    }
    e->base.ops = &ops;
    e->options = *options;
    e->cu = cu;
    e->graphs = cu->has_graphs;
    cca_dense_begin(e);
    CcaStatus status = CCA_OK;
    if (!enter(e, &status)) {
        *reason = "the GPU context cannot be entered";
        cuda_close(&e->base);
        return status;
    }
    const CUresult result = load_kernels(e);
    leave(e);
    if (result == CUDA_SUCCESS) {
        *engine = &e->base;
        return CCA_OK;
    }
    cuda_close(&e->base);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        *reason = "GPU memory for the kernels ran out";
        return CCA_ERROR_NO_MEMORY;
    }
    if (cca_cuda_is_sticky(result)) {
        *reason = "the GPU context is unusable after an error";
        return CCA_ERROR_DEVICE_LOST;
    }
    *reason = result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
                      result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
                      result == CUDA_ERROR_INVALID_PTX ?
                  "the kernels were not built for this GPU, or the driver is too old for them" :
                  "the kernels cannot be loaded";
    return CCA_ERROR_NO_DEVICE;
}
