/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What a frame asks of the GPU: which kernels it goes by, and with what. */

#include "engine.h"

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
CUresult cca_cuda_enqueue_again(CudaEngine *const e, CudaSlot *const slot)
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

CUresult cca_cuda_enqueue(CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
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
        result = cca_cuda_enqueue_again(e, slot);
    }
    return result == CUDA_SUCCESS ? cca_cuda_begin_wait(e, slot) : result;
}
