/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Launches the kernels of a frame, and collects its result. */

#include "cuda-frame.h"

#include <string.h>

#include "compact/compact.h"
#include "foreground/foreground-cuda.h"

/* --- launches ------------------------------------------------------------- */

static CudaImage make_image(const CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    return (CudaImage) {
        .data = job->data,
        .stride = job->stride,
        .width = job->width,
        .height = job->height,
        .x = job->x,
        .y = job->y,
        .lift = job->lift,
        /* no sample is larger than UINT16_MAX, so none is inside */
        .low = job->constant ? UINT16_MAX + 1 : job->low,
        .range = job->constant ? 0 : job->range,
        .invert = job->invert,
        .corner = job->params.connectivity == 8,
        .min_area = job->params.min_area,
        .max_area = job->params.max_area,
        .by_marks = job->filter.on,
        .open_radius = job->params.open_radius,
        .close_radius = job->params.close_radius,
        .n_pixels = job->n_pixels,
        .working_row_words = job->mask != NULL ? 2 * (uint32_t) job->mask->row_words : 0,
        .working = slot->foreground.working,
    };
}

static CudaLabels make_labels(const CcaJob *const job)
{
    const CcaLabels *const l = &job->frame.labels;
    return (CudaLabels) {
        .data = l->data,
        .stride = l->stride,
        .narrow_stride = l->narrow_stride,
        .bits = l->bits,
        .width = job->frame.width,
        .height = job->frame.height,
        .empty = job->height == 0,
    };
}

static void set_emit(CudaCompact *const compact, const CcaJob *const job)
{
    compact->patches_x = (job->width - 1) / CCA_PATCH_WIDTH + 1;
    compact->patches_y = (job->height - 1) / CCA_PATCH_HEIGHT + 1;
    compact->row_words = compact->patches_x * CCA_PATCH_WORDS;
    compact->max_components = job->max_components;
    compact->by_area = job->params.order == CCA_ORDER_AREA && job->max_components > 0;
}

/* The first algorithm from `a` that serves the engine and fits the frame. */
static const CudaAlgorithm *const *choose(const CudaEngine *const e, CudaSlot *const slot,
                                          const CudaAlgorithm *const *a)
{
    while (!(*a)->serves(e) || !(*a)->fits(e, slot, &slot->job))
        a++;
    return a;
}

/* Launches the foreground kernels that the algorithm does not replace. */
static void find_foreground(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    const CcaJob *const job = &slot->job;
    const CcaConfig *const config = &e->base.config;
    CudaImage *const image = &slot->image;
    if (job->params.foreground == CCA_FOREGROUND_OTSU) {
        cca_foreground_set_otsu(&slot->foreground, image, job, config);
        if (slot->pixels != CUDA_PIXELS_OTSU_8 || !(*slot->algorithm)->finds_otsu_8)
            cca_foreground_otsu(launches, &slot->foreground, image, job, config);
    }
    if (slot->pixels < CUDA_PIXELS_MASK)
        return;
    cca_foreground_mask(launches, &slot->foreground, image, job, config, e->background);
    if (slot->pixels == CUDA_PIXELS_MASK)
        cca_foreground_open(launches, &slot->foreground, image, job);
}

/* Launches for a frame with a region. A second algorithm uses the mask of the first if that one
 * has updated the background, because the mask cannot be computed again. It may still have to be
 * opened. */
static void add_launches(CudaEngine *const e, CudaSlot *const slot,
                         const CudaAlgorithm *const *const algorithm, CudaLaunches *const launches)
{
    slot->algorithm = algorithm;
    slot->path = CUDA_PATH_PLAIN;
    if (!slot->background_begun) {
        slot->pixels = (*algorithm)->pixels(e, slot);
        slot->image = make_image(slot);
        find_foreground(e, slot, launches);
    } else if (slot->pixels != (*algorithm)->pixels(e, slot)) {
        slot->pixels = CUDA_PIXELS_MASK;
        cca_foreground_open(launches, &slot->foreground, &slot->image, &slot->job);
    }
    (*algorithm)->launch(e, slot, launches);
}

/* Launches for a frame with an empty region: only the background is updated, and all labels
 * are 0. */
static void add_empty(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    const CcaJob *const job = &slot->job;
    slot->path = CUDA_PATH_PLAIN;
    slot->image = make_image(slot);
    if (cca_has_background(job->params.foreground))
        cca_foreground_mask(launches, &slot->foreground, &slot->image, job, &e->base.config,
                            e->background);
    cca_compact_clear_labels(launches, &slot->image, &slot->compact, &slot->labels);
}

/* --- begin ---------------------------------------------------------------- */

static CUresult begin_frame(const CudaEngine *const e, CudaSlot *const slot)
{
    CUresult result = CUDA_SUCCESS;
    if (slot->n_begun == 0 || slot->n_begun == CCA_MAX_EPOCH) {
        slot->n_begun = 0;
        slot->mailbox->done = 0;
        result = e->gpu.module.cu->memset_d8_async(slot->cleared, 0, (size_t) slot->cleared_size,
                                                   slot->fence.stream);
    }
    if (result == CUDA_SUCCESS)
        slot->n_begun++;
    slot->fence.number = slot->n_begun & UINT16_MAX;
    return result;
}

/* Copies the mask to the device, unless it is there. Kernels of the slot's earlier frames, which
 * read the last one, have ended. */
static CUresult upload_mask(const CudaEngine *const e, CudaSlot *const slot)
{
    const CcaMask *const mask = slot->job.mask;
    if (mask == NULL || mask->serial == slot->working)
        return CUDA_SUCCESS;
    const size_t size = (mask->row_words * mask->height + 1) * sizeof(*mask->words);
    memcpy(slot->staging, mask->words, size);
    const CUresult result =
        e->gpu.module.cu->memcpy_htod_async((CUdeviceptr) (uintptr_t) slot->foreground.working,
                                            slot->staging, size, slot->fence.stream);
    slot->working = result == CUDA_SUCCESS ? mask->serial : 0;
    return result;
}

/* The same for the areas of the mask. */
static CUresult upload_areas(const CudaEngine *const e, CudaSlot *const slot)
{
    const CcaAreas *const areas = slot->job.filter.areas;
    if (areas == NULL)
        return CUDA_SUCCESS;
    slot->job.filter.areas = slot->areas;
    const uint64_t serial = slot->job.params.mask->serial;
    if (serial == slot->areas_serial)
        return CUDA_SUCCESS;
    const size_t size = offsetof(CcaAreas, points) + 2 * areas->n_points * sizeof(*areas->points);
    memcpy(slot->areas_staging, areas, size);
    const CUresult result =
        e->gpu.module.cu->memcpy_htod_async((CUdeviceptr) (uintptr_t) slot->areas,
                                            slot->areas_staging, size, slot->fence.stream);
    slot->areas_serial = result == CUDA_SUCCESS ? serial : 0;
    return result;
}

/* The bitmap of components with a peak. */
static CUresult clear_peaks(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CudaCompact *const c = &slot->compact;
    const size_t n_words = (size_t) c->patches_y * CCA_PATCH_HEIGHT * c->row_words;
    return e->gpu.module.cu->memset_d8_async((CUdeviceptr) (uintptr_t) c->peaks, 0,
                                             n_words * sizeof(*c->peaks), slot->fence.stream);
}

CUresult cca_cuda_wait_for_background(CudaEngine *const e, CUstream stream)
{
    CudaFence *const last = &e->slots[e->background_slot].fence;
    const bool busy = e->base.busy >> e->background_slot & 1;
    if (!busy || last->stream == stream)
        return CUDA_SUCCESS;
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    const CUresult result = cca_cuda_record(cu, last);
    return result == CUDA_SUCCESS ? cu->stream_wait_event(stream, last->event, 0) : result;
}

/* Submits launches of the slot's frame. With a background the first of them that reaches the GPU
 * updates it. */
static CUresult submit(CudaEngine *const e, CudaSlot *const slot, CudaGraph *const graph,
                       CudaLaunches *const launches)
{
    const CUresult result = cca_cuda_submit(&e->gpu, graph, launches, slot->fence.stream);
    if (cca_has_background(slot->job.params.foreground))
        slot->background_begun |= launches->begun;
    return result;
}

/* Enqueues the frame with the next algorithm, after one could not finish or launch it. */
static CUresult enqueue_again(CudaEngine *const e, CudaSlot *const slot)
{
    CudaLaunches launches;
    cca_cuda_begin_launches(&launches, &e->gpu);
    slot->fence.recorded = false;
    /* the number of another frame */
    slot->mailbox->done = (uint64_t) (slot->fence.number == 0) << 48;
    add_launches(e, slot, choose(e, slot, slot->algorithm + 1), &launches);
    return submit(e, slot, NULL, &launches);
}

static CUresult enqueue(CudaEngine *const e, CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    CUresult result = CUDA_SUCCESS;
    if (job->height > 0) {
        set_emit(&slot->compact, job);
        result = begin_frame(e, slot);
        if (result == CUDA_SUCCESS && job->filter.limits.min_peak > 0)
            result = clear_peaks(e, slot);
    }
    if (result == CUDA_SUCCESS)
        result = upload_mask(e, slot);
    if (result == CUDA_SUCCESS)
        result = upload_areas(e, slot);
    if (result == CUDA_SUCCESS && cca_has_background(job->params.foreground))
        result = cca_cuda_wait_for_background(e, job->stream);
    if (result != CUDA_SUCCESS)
        return result;

    CudaLaunches launches;
    cca_cuda_begin_launches(&launches, &e->gpu);
    slot->labels = make_labels(job);
    if (job->height > 0) {
        slot->foreground.light_turn ^= job->update.light;
        add_launches(e, slot, choose(e, slot, cca_cuda_algorithms), &launches);
    } else {
        add_empty(e, slot, &launches);
    }
    result = submit(e, slot, &slot->graphs[slot->path], &launches);
    if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
        /* Others share the multiprocessors, so later frames do not try such a launch again. */
        e->gpu.n_cooperating = 0;
        result = enqueue_again(e, slot);
    }
    if (slot->background_begun) {
        e->base.background_begun = true;
        e->background_slot = (uint32_t) (slot - e->slots);
    }
    if (result == CUDA_SUCCESS && job->frame.background != NULL)
        result = cca_foreground_write_background(e->gpu.module.cu, e->background, &e->base.config,
                                                 job, slot->fence.stream);
    return result == CUDA_SUCCESS ? cca_cuda_begin_wait(&e->wait, e->gpu.module.cu, &slot->fence) :
                                    result;
}

/* After an error: waits for enqueued kernels, because they must not run when the slot has its
 * next frame or its memory is freed. */
static void give_up(CudaEngine *const e, CudaSlot *const slot)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    if (cu->event_record(slot->fence.event, slot->fence.stream) == CUDA_SUCCESS)
        cu->event_synchronize(slot->fence.event);
    slot->n_begun = 0;
}

CcaStatus cca_cuda_analyse(CcaEngine *const engine, const uint32_t slot_index,
                           const CcaJob *const job)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CudaSlot *const slot = &e->slots[slot_index];
    CcaStatus status = CCA_OK;
    slot->job = *job;
    slot->overflowed = 0;
    slot->background_begun = false;
    slot->reports = job->height > 0;
    slot->works = slot->reports || cca_has_background(job->params.foreground) ||
                  cca_wants_labels(job);
    slot->fence.stream = job->stream;
    slot->fence.recorded = false;
    /* The word is written before the background is copied. */
    const bool by_word = slot->reports && job->frame.background == NULL;
    slot->fence.word = by_word ? &slot->mailbox->done : NULL;
    if (!slot->works)
        return CCA_OK;
    const uint32_t group = cca_cuda_throttle_begin(&e->wait, cca_cuda_now());
    if (!cca_cuda_enter_engine(e, &status)) {
        cca_cuda_throttle_end(&e->wait, group);
        return status;
    }
    const CUresult result = enqueue(e, slot);
    cca_cuda_throttle_end(&e->wait, group);
    if (result != CUDA_SUCCESS) {
        status = cca_cuda_fail(e, result, "the analysis cannot be launched");
        give_up(e, slot);
    } else {
        slot->in_flight = true;
        cca_cuda_frame_begins(&e->member);
    }
    cca_cuda_leave_engine(e);
    return status;
}

/* --- end ------------------------------------------------------------------ */

void cca_cuda_end_frame(CudaEngine *const e, CudaSlot *const slot)
{
    if (slot->in_flight)
        cca_cuda_frame_ends(&e->member);
    slot->in_flight = false;
}

static bool overflows(const CudaSlot *const slot)
{
    return (slot->path == CUDA_PATH_SINGLE || slot->path == CUDA_PATH_SUPER) &&
           slot->mailbox->overflows;
}

/* The part of collecting that calls the driver: waits for the frame, and repeats one that
 * overflowed. */
static CcaStatus collect_by_driver(CudaEngine *const e, CudaSlot *const slot, const bool is_done)
{
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    CcaStatus status = CCA_OK;
    if (!cca_cuda_enter_engine(e, &status))
        return status;
    CUresult result = is_done ? CUDA_SUCCESS : cca_cuda_block(&e->wait, cu, &slot->fence);
    if (result == CUDA_SUCCESS && overflows(slot)) {
        slot->overflowed |= 1u << slot->path;
        result = enqueue_again(e, slot);
        if (result == CUDA_SUCCESS && !cca_cuda_spin(&e->wait, &slot->fence))
            result = cca_cuda_block(&e->wait, cu, &slot->fence);
    }
    if (result != CUDA_SUCCESS) {
        status = cca_cuda_fail(e, result, "the analysis failed on the GPU");
        give_up(e, slot);
    }
    cca_cuda_leave_engine(e);
    return status;
}

static void learn(CudaEngine *const e, const CudaSlot *const slot)
{
    for (const CudaAlgorithm *const *a = cca_cuda_algorithms; *a != NULL; a++)
        if ((*a)->serves(e) && (*a)->learn != NULL)
            (*a)->learn(e, slot);
}

CcaStatus cca_cuda_collect(CcaEngine *const engine, const uint32_t slot_index,
                           CcaResult *const result)
{
    CudaEngine *const e = (CudaEngine *) engine;
    CudaSlot *const slot = &e->slots[slot_index];
    CcaStatus status = CCA_OK;
    if (slot->works) {
        const bool is_done = cca_cuda_spin(&e->wait, &slot->fence);
        if (!is_done || overflows(slot))
            status = collect_by_driver(e, slot, is_done);
        cca_cuda_end_frame(e, slot);
    }
    if (status != CCA_OK || !slot->reports)
        return status;
    learn(e, slot);

    CudaMailbox *const mailbox = slot->mailbox;
    const uint32_t n_found = (uint32_t) mailbox->done;
    const uint32_t n = umin(n_found, slot->compact.max_components);
    if (slot->job.params.order == CCA_ORDER_AREA)
        cca_sort_by_area(mailbox->records, slot->measure.records, n);
    result->components = mailbox->records;
    result->features = slot->measure.records;
    result->n_components = n;
    result->n_found = n_found;
    if (slot->job.params.foreground == CCA_FOREGROUND_OTSU)
        result->threshold = mailbox->done >> 32 & UINT16_MAX;
    if (slot->job.update.light) {
        result->light_changed = mailbox->light.changed;
        result->light_shift = mailbox->light.shift;
    }
    if (slot->job.update.count)
        result->n_foreground = mailbox->n_foreground;
    return CCA_OK;
}
