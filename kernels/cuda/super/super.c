/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One kernel for a large frame: each multiprocessor labels a super tile while it reads it. The
 * kernel occupies the whole GPU, so it is not used while other engines of the context have frames
 * in flight. A frame that exceeds a limit goes to the next algorithm, and so do those after it
 * for a while, because frames resemble their predecessors. */

#include "super.h"

#include "../compact/compact.h"

/* Minimum number of pixels. The single kernel is faster up to its maximum size. */
#define MIN_PIXELS 11000000

/* Length of a pause in frames. */
#define PAUSE 255

static bool is_forced(const CudaEngine *const e)
{
    return e->options.algorithm == CCA_CUDA_SUPER;
}

static bool serves(const CudaEngine *const e)
{
    return e->gpu.n_cooperating > 0 && e->super.fits_gpu &&
           (e->options.algorithm == CCA_CUDA_AUTO || is_forced(e));
}

static CUresult prepare(CudaEngine *const e, const CUdevice device)
{
    int shared = 0;
    CUresult result = e->gpu.module.cu->device_attribute(
        &shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
    e->super.fits_gpu = shared >= CCA_SUPER_SHARED;
    if (result == CUDA_SUCCESS && serves(e))
        result = cca_cuda_allow_shared(&e->gpu, CUDA_SUPER_8_EDGES, CUDA_SUPER_MASK_ALL,
                                       CCA_SUPER_SHARED);
    return result;
}

static bool is_large(const uint64_t width, const uint64_t height)
{
    return width * height >= MIN_PIXELS;
}

/* Minimum number of rows of a strip, so that not all unions are across strips. */
#define MIN_STRIP_ROWS 3

/* Divides a region into tiles, as many as there are multiprocessors, or as it has rows. */
static bool divide(const CudaEngine *const e, CudaSuper *const s, const CcaJob *const job)
{
    const uint32_t most = umin(e->gpu.n_cooperating, CCA_SUPER_MAX_TILES);
    s->tiles_x = (job->width - 1) / CCA_SUPER_WIDTH + 1;
    const uint32_t rows_of_tiles = umin(most / s->tiles_x, job->height);
    if (rows_of_tiles == 0)
        return false;
    s->rows = (job->height - 1) / rows_of_tiles + 1;
    s->strip_rows = umax((s->rows - 1) / CCA_SUPER_STRIPS + 1, MIN_STRIP_ROWS);
    s->n_tiles = s->tiles_x * ((job->height - 1) / s->rows + 1); /* none is without rows */
    return s->rows <= CCA_SUPER_MAX_ROWS;
}

/* Whether the kernel loads 16 pixels at a time. */
static bool is_aligned(const CcaJob *const job)
{
    return (((uintptr_t) job->data | job->stride) & 15) == 0;
}

/* A frame that overflowed the single kernel has too many runs for this one. */
static bool is_chosen(const CudaEngine *const e, const CudaSlot *const slot,
                      const CcaJob *const job)
{
    return is_forced(e) ||
           (is_large(job->width, job->height) && is_aligned(job) && slot->overflowed == 0 &&
            e->super.pause == 0 && cca_cuda_others_in_flight(&e->member) == 0);
}

/* Whether the kernels can measure what the engine is configured for. */
static bool can_measure(const CcaConfig *const config)
{
    return config->features == CCA_FEATURES_NONE || config->sample_size == 1;
}

static bool fits(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    return can_measure(&e->base.config) && job->filter.limits.min_peak == 0 &&
           divide(e, &slot->super, job) && is_chosen(e, slot, job);
}

static void learn(CudaEngine *const e, const CudaSlot *const slot)
{
    if (slot->overflowed >> CUDA_PATH_SUPER & 1)
        e->super.pause = PAUSE;
    else if (e->super.pause > 0)
        e->super.pause--;
}

/* Whether the algorithm may be used for frames of this configuration. */
static bool may_serve(const CudaEngine *const e, const CcaConfig *const config)
{
    return is_forced(e) || is_large(config->width, config->height);
}

static void clear(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                  const CcaConfig *const config)
{
    CudaSuper *const s = &slot->super;
    s->counters = cca_arena_place(arena, 1, sizeof(*s->counters));
    if (may_serve(e, config) && config->features != CCA_FEATURES_NONE)
        s->measured = cca_arena_place(arena, CCA_SUPER_MAX_TILES * CCA_SUPER_MEASURED,
                                      sizeof(*s->measured));
}

static void lay_out(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                    const CcaConfig *const config)
{
    CudaSuper *const s = &slot->super;
    const uint32_t n = CCA_SUPER_MAX_TILES;
    if (!may_serve(e, config))
        return;
    s->parent = cca_arena_place(arena, n * CCA_SUPER_SLOTS, sizeof(*s->parent));
    s->open = cca_arena_place(arena, n * CCA_SUPER_SLOTS, sizeof(*s->open));
    s->edges = cca_arena_place(arena, n * CCA_SUPER_EDGE_LABELS, sizeof(*s->edges));
    s->row_counts = cca_arena_place(arena, n * CCA_SUPER_MAX_ROWS, sizeof(*s->row_counts));
    s->totals = cca_arena_place(arena, n, sizeof(*s->totals));
    const uint64_t row_words = ((config->width - 1) / CCA_SUPER_WIDTH + 1) * CCA_SUPER_ROW_WORDS;
    if (config->labels)
        s->words = cca_arena_place(arena, row_words * config->height, sizeof(*s->words));
    if (config->features & CCA_FEATURES_SHAPE)
        s->bottom_words = cca_arena_place(arena, n * CCA_SUPER_ROW_WORDS, sizeof(*s->bottom_words));
}

/* Whether the frame needs a kernel for limits of boxes and label images. */
static bool is_special(const CcaJob *const job)
{
    return job->filter.on || cca_wants_labels(job);
}

/* The kernels compare samples with given thresholds themselves, and need a mask for all else. */
static CudaPixels pixels(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    const CudaPixels samples = cca_cuda_samples(e, job);
    if (job->params.foreground != CCA_FOREGROUND_THRESHOLD || cca_cuda_opens(job) ||
        job->mask != NULL || (samples == CUDA_PIXELS_16 && is_special(job)))
        return CUDA_PIXELS_MASK;
    return samples;
}

static void launch(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    static const CudaKernel kernels[][6] = {
        [CUDA_PIXELS_8] = { CUDA_SUPER_8_EDGES, CUDA_SUPER_8_CORNERS, CUDA_SUPER_8_ANYTHING,
                            CUDA_SUPER_8_MEASURED_EDGES, CUDA_SUPER_8_MEASURED_CORNERS,
                            CUDA_SUPER_8_ALL },
        [CUDA_PIXELS_16] = { CUDA_SUPER_16_EDGES, CUDA_SUPER_16_CORNERS },
        [CUDA_PIXELS_MASK] = { CUDA_SUPER_MASK_EDGES, CUDA_SUPER_MASK_CORNERS,
                               CUDA_SUPER_MASK_ANYTHING, CUDA_SUPER_MASK_MEASURED_EDGES,
                               CUDA_SUPER_MASK_MEASURED_CORNERS, CUDA_SUPER_MASK_ALL },
    };
    const CudaImage *const image = &slot->image;
    const bool measures = cca_cuda_measures(e), special = is_special(&slot->job);
    CudaSuper tables = slot->super;
    CudaSuper *const s = &tables;
    if (!cca_wants_labels(&slot->job))
        s->words = NULL;
    if (measures)
        cca_compact_measure(&slot->measure, &slot->job, &e->base.config);
    const uint32_t strips = (s->rows - 1) / s->strip_rows + 1;
    const CudaArg args[] = { CUDA_ARG(image),          CUDA_ARG(s),
                             CUDA_ARG(&slot->compact), CUDA_ARG(&slot->job.filter),
                             CUDA_ARG(&slot->labels),  CUDA_ARG(&slot->measure) };
    slot->path = CUDA_PATH_SUPER;
    cca_cuda_launch_together(launches,
                             kernels[slot->pixels][3u * measures + (special ? 2u : image->corner)],
                             s->n_tiles, 32 * strips,
                             measures ? CCA_SUPER_MEASURED_SHARED : CCA_SUPER_SHARED,
                             measures ? 6 :
                             special  ? 5 :
                                        3,
                             args);
}

const CudaAlgorithm cca_cuda_super = {
    .name = "super",
    .serves = serves,
    .prepare = prepare,
    .clear = clear,
    .lay_out = lay_out,
    .fits = fits,
    .pixels = pixels,
    .launch = launch,
    .learn = learn,
};
