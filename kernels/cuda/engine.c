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
    return cca_cuda_explain(e->cu, result, what, e->base.error, sizeof(e->base.error));
}

static bool enter(CudaEngine *const e, CcaStatus *const status)
{
    const CUresult result = cca_cuda_enter(&e->module);
    if (result != CUDA_SUCCESS)
        *status = fail(e, result, "the GPU context cannot be entered");
    return result == CUDA_SUCCESS;
}

static void leave(const CudaEngine *const e)
{
    cca_cuda_leave(&e->module);
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
    const uint32_t n_found = (uint32_t) delivery->done;
    const uint32_t n = umin(n_found, slot->emit.max_components);
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
    cca_cuda_module_close(&e->module);
    cca_small_leave(e);
    free(e);
}

/* What the GPU can do, and what kernels need before their first launch. */
static CUresult prepare(CudaEngine *const e)
{
    CUdevice device;
    int n = 0, major = 0;
    CUresult result = e->cu->ctx_device(&device);
    if (result == CUDA_SUCCESS)
        result = e->cu->device_attribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    if (result == CUDA_SUCCESS)
        result = e->cu->device_attribute(
            &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    if (result != CUDA_SUCCESS)
        return result;
    e->overlaps = major >= 9;
    e->n_multiprocessors = (uint32_t) n;
    return cca_small_prepare(e, device);
}

static CcaStatus load(CudaEngine *const e, const char **const why)
{
    static const char *const names[] = {
#define CCA_CUDA_KERNEL_NAME(id, name) name,
        CCA_CUDA_KERNELS(CCA_CUDA_KERNEL_NAME)
#undef CCA_CUDA_KERNEL_NAME
    };
    CcaStatus status = cca_cuda_module_open(&e->module, e->options.context, cca_cuda_fatbin,
                                            names, e->kernels, N_CUDA_KERNELS, why);
    if (status != CCA_OK)
        return status;
    e->cu = e->module.cu;
    e->graphs = e->cu->has_graphs;
    CUresult result = cca_cuda_enter(&e->module);
    if (result == CUDA_SUCCESS) {
        result = prepare(e);
        leave(e);
    }
    return result == CUDA_SUCCESS ? CCA_OK : cca_cuda_explain_loading(result, why);
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
    CudaEngine *const e = calloc(1, sizeof(*e));
    if (e == NULL || !cca_small_join(e, options->context)) {
        free(e);
        *reason = cca_status_string(CCA_ERROR_NO_MEMORY);
        return CCA_ERROR_NO_MEMORY;
    }
    e->base.ops = &ops;
    e->options = *options;
    cca_dense_begin(e);
    const CcaStatus status = load(e, reason);
    if (status == CCA_OK)
        *engine = &e->base;
    else
        cuda_close(&e->base);
    return status;
}
