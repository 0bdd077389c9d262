/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "flsl.h"

#include "../compact/compact.h"

/* Blocks of the selection. Few suffice, because it reads little and rarely has work. */
#define SELECT_BLOCKS 64

/* ER and RLC entries have 16 bits unless the row is too long. */
static bool is_wide(const uint32_t width)
{
    return width > UINT16_MAX;
}

static bool serves(const CudaEngine *const e)
{
    return e->options.algorithm == CCA_CUDA_FLSL_CD;
}

static void lay_out(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                    const CcaConfig *const config)
{
    (void) e;
    CudaFlsl *const t = &slot->flsl;
    CudaCompact *const compact = &slot->compact;
    const uint64_t entry = is_wide(config->width) ? sizeof(uint32_t) : sizeof(uint16_t);
    const uint64_t run_stride = ((uint64_t) config->width + 1) / 2;
    const uint64_t n_labels = run_stride * config->height;
    compact->areas = cca_arena_place(arena, cca_max_labels(config->width, config->height),
                                     sizeof(*compact->areas));
    t->er = cca_arena_place(arena, (uint64_t) config->width * config->height, entry);
    t->rlc = cca_arena_place(arena, 2 * n_labels, entry);
    t->n_edges = cca_arena_place(arena, config->height, sizeof(*t->n_edges));
    t->parent = cca_arena_place(arena, n_labels, sizeof(*t->parent));
    t->area = cca_arena_place(arena, n_labels, sizeof(*t->area));
    t->min_x = cca_arena_place(arena, n_labels, sizeof(*t->min_x));
    t->max_x = cca_arena_place(arena, n_labels, sizeof(*t->max_x));
    t->max_y = cca_arena_place(arena, n_labels, sizeof(*t->max_y));
    t->sum_x = cca_arena_place(arena, n_labels, sizeof(*t->sum_x));
    t->sum_y = cca_arena_place(arena, n_labels, sizeof(*t->sum_y));
}

static bool fits(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    (void) e, (void) slot, (void) job;
    return true;
}

static CudaPixels pixels(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    return cca_job_is_plain(job) ? cca_cuda_samples(e, job) : CUDA_PIXELS_MASK;
}

static void launch(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    const CudaImage *const image = &slot->image;
    CudaCompact *const compact = &slot->compact;
    const CudaLabels *const labels = &slot->labels;
    CudaFlsl t = slot->flsl;
    t.run_stride = image->width / 2 + image->width % 2;
    const uint32_t wide = is_wide(image->width);
    const uint32_t strip = CCA_FLSL_STRIP, row_warps = CCA_FLSL_ROW_WARPS;
    const uint32_t strips = (image->height - 1) / strip + 1;
    const uint32_t row_blocks = (uint32_t) (((uint64_t) image->height * row_warps - 1) / strip + 1);
    const CudaArg first[] = { CUDA_ARG(image), CUDA_ARG(&t), CUDA_ARG(compact) };
    /* All other kernels read no pixels. Without the pointer their arguments do not change from
     * frame to frame, so a graph needs no update for them. */
    CudaImage region = *image;
    region.data = NULL;
    const CudaArg args[] = { CUDA_ARG(&region), CUDA_ARG(&t), CUDA_ARG(compact) };
    static const CudaKernel segments[] = {
        [CUDA_PIXELS_8] = CUDA_FLSL_SEGMENTS_8_ER16,
        [CUDA_PIXELS_16] = CUDA_FLSL_SEGMENTS_16_ER16,
        [CUDA_PIXELS_MASK] = CUDA_FLSL_SEGMENTS_MASK_ER16,
    };

    cca_cuda_launch(launches, segments[slot->pixels] + wide, strips, 32, strip, 3, first);
    if (strips > 1)
        cca_cuda_launch(launches, CUDA_FLSL_UNITE_ER16 + wide,
                        ((strips - 1) * row_warps - 1) / strip + 1, 32, strip, 3, args);
    cca_cuda_launch(launches, CUDA_FLSL_VOTE_ER16 + wide, row_blocks, 32, strip, 3, args);
    if (slot->job.filter.limits.min_peak > 0) {
        const CudaPeaks peaks = cca_compact_peaks(&slot->job, &e->base.config);
        const CudaArg with_peaks[] = { args[0], args[1], args[2], CUDA_ARG(&peaks) };
        cca_cuda_launch(launches, CUDA_FLSL_PEAKS_ER16 + wide, row_blocks, 32, strip, 4,
                        with_peaks);
    }
    const CudaArg with_filter[] = { args[0], args[1], args[2], CUDA_ARG(&slot->job.filter) };
    cca_cuda_launch(launches, CUDA_FLSL_MARK_ER16 + wide, row_blocks, 32, strip, 4, with_filter);
    cca_compact_rank(launches, compact);
    cca_compact_clear_labels(launches, image, compact, labels);
    if (labels->data != NULL) {
        const CudaArg with_labels[] = { args[0], args[1], args[2], CUDA_ARG(labels) };
        cca_cuda_launch(launches, CUDA_FLSL_LABELS_ER16 + wide, row_blocks, 32, strip, 4,
                        with_labels);
    }
    if (compact->by_area) {
        cca_cuda_launch(launches, CUDA_FLSL_AREAS_ER16 + wide, row_blocks, 32, strip, 3, args);
        const CudaArg select[] = { CUDA_ARG(compact) };
        cca_compact_select(launches, CUDA_SELECT_COUNT, SELECT_BLOCKS, 1, select);
    }
    cca_cuda_launch(launches, CUDA_FLSL_EMIT_ER16 + wide, row_blocks, 32, strip, 3, args);
}

const CudaAlgorithm cca_cuda_flsl = {
    .name = "flsl-cd",
    .serves = serves,
    .lay_out = lay_out,
    .fits = fits,
    .pixels = pixels,
    .launch = launch,
};
