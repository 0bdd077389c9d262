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

static CudaImage make_image(const CcaJob *const job)
{
    return (CudaImage) {
        .data = job->data, .stride = job->stride,
        .width = job->width, .height = job->height, .x = job->x, .y = job->y,
        .lift = job->lift,
        /* no sample is as large as that: nothing is inside */
        .low = job->constant ? UINT16_MAX + 1 : job->low,
        .range = job->constant ? 0 : job->range,
        .invert = job->invert,
        .corner = job->params.connectivity == 8,
        .min_area = job->params.min_area, .max_area = job->params.max_area,
        .open_radius = job->params.open_radius, .close_radius = job->params.close_radius,
    };
}

static CudaLabels make_labels(const CcaJob *const job)
{
    const CcaLabels *const l = &job->frame.labels;
    return (CudaLabels) {
        .data = l->data, .stride = l->stride, .narrow_stride = l->narrow_stride,
        .bits = l->bits, .width = job->frame.width, .height = job->frame.height,
        .empty = job->height == 0,
    };
}

static CUresult begin_frame(CudaEngine *const e, CudaSlot *const slot, CUstream stream)
{
    CUresult result = CUDA_SUCCESS;
    if (slot->n_begun == 0 || slot->n_begun == CCA_MAX_EPOCH) {
        slot->n_begun = 0;
        slot->delivery->done = 0;
        result = e->cu->memset_d8_async(slot->cleared, 0, (size_t) slot->cleared_size, stream);
    }
    if (result == CUDA_SUCCESS)
        slot->n_begun++;
    return result;
}

/* The background is in order, whatever streams its frames come on. A frame that was
 * collected is done with it. */
static CUresult wait_for_background(CudaEngine *const e, const CcaJob *const job)
{
    CudaSlot *const last = &e->slots[e->background_slot];
    const bool busy = e->base.busy >> e->background_slot & 1;
    if (!busy || last->stream == job->stream)
        return CUDA_SUCCESS;
    const CUresult result = cca_cuda_record(e, last);
    return result == CUDA_SUCCESS ? e->cu->stream_wait_event(job->stream, last->done, 0) :
                                    result;
}

static bool is_opened(const CcaJob *const job)
{
    return job->params.open_radius > 0 || job->params.close_radius > 0;
}

/* Whether the labelling compares samples with thresholds: a mask would be a detour, but
 * for tiles that are labelled twice. */
static bool reads_samples(const CudaEngine *const e, const CcaJob *const job,
                          const bool is_small)
{
    if (is_small)
        return !cca_has_background(job->params.foreground);
    if (cca_wants_labels(job) && !cca_cuda_is_flsl(e))
        return false;
    return cca_job_is_plain(job) || (job->params.foreground == CCA_FOREGROUND_OTSU &&
                                     !is_opened(job) && !cca_cuda_is_flsl(e));
}

static CudaPixels pixels_of(const CudaEngine *const e, const CcaJob *const job,
                            const bool is_small)
{
    const bool wide = e->base.config.sample_size == 2;
    if (!reads_samples(e, job, is_small))
        return is_opened(job) && !cca_cuda_is_flsl(e) ? CUDA_PIXELS_MASK_TO_OPEN :
                                                        CUDA_PIXELS_MASK;
    if (job->params.foreground == CCA_FOREGROUND_OTSU)
        return wide ? CUDA_PIXELS_OTSU_16 : CUDA_PIXELS_OTSU_8;
    return wide ? CUDA_PIXELS_16 : CUDA_PIXELS_8;
}

static void find_foreground(CudaEngine *const e, CudaSlot *const slot, CudaImage *const image,
                            const CcaJob *const job, CudaLaunches *const launches)
{
    if (job->params.foreground == CCA_FOREGROUND_OTSU) {
        cca_foreground_set_otsu(&slot->foreground, image, job, &e->base.config);
        if (!slot->is_small || slot->pixels != CUDA_PIXELS_OTSU_8)
            cca_foreground_otsu(launches, &slot->foreground, image);
    }
    if (reads_samples(e, job, slot->is_small))
        return;
    cca_foreground_mask(launches, &slot->foreground, image, job);
    if (job->height > 0 && cca_cuda_is_flsl(e))
        cca_foreground_open(launches, &slot->foreground, image);
}

static void set_emit(CudaEmit *const emit, const CcaJob *const job)
{
    emit->patches_x = (job->width - 1) / CCA_PATCH_WIDTH + 1;
    emit->patches_y = (job->height - 1) / CCA_PATCH_HEIGHT + 1;
    emit->row_words = emit->patches_x * CCA_PATCH_WORDS;
    emit->max_components = job->max_components;
    emit->by_area = job->params.order == CCA_ORDER_AREA && job->max_components > 0;
}

/* From the foreground to the records. */
static void find_components(CudaEngine *const e, CudaSlot *const slot,
                            CudaLaunches *const launches)
{
    slot->is_dense = !slot->is_small && cca_dense_choose(e, slot);
    if (cca_cuda_is_flsl(e))
        cca_flsl_analyse(launches, &slot->flsl, &slot->image, &slot->emit, &slot->labels,
                         slot->pixels);
    else if (slot->is_small)
        cca_small_analyse(launches, &slot->small, &slot->image, &slot->emit, slot->pixels);
    else
        cca_tiled_analyse(launches, slot);
}

/* As few of its many bytes as there have to be. */
static void begin_launches(CudaLaunches *const launches, const CudaEngine *const e)
{
    launches->e = e;
    launches->begun = false;
    launches->n = launches->n_bytes = 0;
}

/* A frame that is too much for one kernel. Foreground that comes of a background cannot be
 * found again, but is still there. */
static CUresult find_components_again(CudaEngine *const e, CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    CudaLaunches launches;
    begin_launches(&launches, e);
    slot->is_small = false;
    slot->recorded = false;
    slot->delivery->done = 0;
    slot->pixels = pixels_of(e, job, false);
    if (!cca_has_background(job->params.foreground)) {
        slot->image = make_image(job);
        if (!cca_job_is_plain(job))
            find_foreground(e, slot, &slot->image, job, &launches);
    }
    find_components(e, slot, &launches);
    return cca_cuda_submit(e, NULL, &launches, slot->stream);
}

static CudaPath path_of(const CudaSlot *const slot)
{
    return slot->is_small ? CUDA_PATH_SMALL : slot->is_dense ? CUDA_PATH_DENSE : CUDA_PATH_PLAIN;
}

static CUresult enqueue(CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    const bool has_background = cca_has_background(job->params.foreground);
    CUresult result = CUDA_SUCCESS;
    if (job->height > 0)
        result = begin_frame(e, slot, job->stream);
    if (result == CUDA_SUCCESS && has_background)
        result = wait_for_background(e, job);
    if (result != CUDA_SUCCESS)
        return result;

    CudaLaunches launches;
    begin_launches(&launches, e);
    slot->image = make_image(job);
    slot->labels = make_labels(job);
    slot->is_small = job->height > 0 && !cca_wants_labels(job) &&
                     cca_small_fits(e, &slot->small, job) && cca_small_is_chosen(e);
    slot->pixels = pixels_of(e, job, slot->is_small);
    if (slot->is_small)
        slot->job = *job;
    if ((job->height > 0 || has_background) &&
        (!cca_job_is_plain(job) || !reads_samples(e, job, slot->is_small)))
        find_foreground(e, slot, &slot->image, job, &launches);
    if (job->height == 0) { /* only the background goes on, and labels are all 0 */
        cca_cuda_clear_labels(&launches, &slot->image, &slot->emit, &slot->labels);
    } else {
        set_emit(&slot->emit, job);
        find_components(e, slot, &launches);
    }
    result = cca_cuda_submit(e, &slot->graphs[path_of(slot)], &launches, job->stream);
    if (has_background && launches.begun) {
        e->base.background_begun = true;
        e->background_slot = (uint32_t) (slot - e->slots);
    }
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
        /* we have not all of the GPU: no further attempt */
        e->n_cooperating = 0;
        result = find_components_again(e, slot);
    }
    return result == CUDA_SUCCESS ? cca_cuda_begin_wait(e, slot) : result;
}

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
    const CUresult result = enqueue(e, slot, job);
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
        result = find_components_again(e, slot);
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
