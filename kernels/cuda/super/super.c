/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A large frame: each multiprocessor labels a super tile while it reads it. One kernel for the
 * whole frame occupies the whole GPU. A frame with more tiles, or while other engines of the
 * context have frames in flight, has a kernel for each stage. A frame that exceeds a limit goes to
 * the next algorithm, and so do those after it for a while, because frames resemble their
 * predecessors. */

#include "super.h"

#include "../compact/compact.h"

/* Minimum number of pixels. The single kernel is faster up to its maximum size. */
#define MIN_PIXELS 11000000

/* Length of a pause in frames. */
#define PAUSE 255

static bool is_forced(const CudaEngine *const e)
{
    return e->options.algorithm == CCA_CUDA_SUPER || e->options.algorithm == CCA_CUDA_STAGED;
}

static bool serves(const CudaEngine *const e)
{
    return e->super.fits_gpu && (e->options.algorithm == CCA_CUDA_AUTO || is_forced(e));
}

/* Finds the size of tiles by the maximum number of threads of a kernel, a warp for each strip. */
static CUresult prepare(CudaEngine *const e, const CUdevice device)
{
    static const CudaSuperSize sizes[CCA_SUPER_N_SIZES] = CCA_SUPER_SIZES;
    const CcaCudaDriver *const cu = e->gpu.module.cu;
    int threads = 0, shared = 0, i = 0;
    CUresult result = cu->func_get_attribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                             e->gpu.kernels[CUDA_SUPER_8_LABEL]);
    if (result == CUDA_SUCCESS)
        result = cu->device_attribute(&shared,
                                      CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                                      device);
    while (i < CCA_SUPER_N_SIZES - 1 && 32 * sizes[i].strips != (uint32_t) threads)
        i++;
    e->super.size = sizes[i];
    e->super.fits_gpu = shared >= (int) sizes[i].shared;
    if (result == CUDA_SUCCESS && serves(e))
        result = cca_cuda_allow_shared(&e->gpu, CUDA_SUPER_8_EDGES, CUDA_SUPER_MASK_ALL,
                                       (int) sizes[i].shared);
    return result;
}

static bool is_large(const uint64_t width, const uint64_t height)
{
    return width * height >= MIN_PIXELS;
}

/* Minimum number of rows of a strip, so that not all unions are across strips. */
#define MIN_STRIP_ROWS 3

static uint32_t divide_up(const uint32_t n, const uint32_t by)
{
    return (n - 1) / by + 1;
}

/* Columns of tiles. */
static uint32_t n_columns(const uint32_t width)
{
    return divide_up(width, CCA_SUPER_WIDTH);
}

/* Of a tile. */
static uint32_t max_rows(const CudaEngine *const e)
{
    return e->super.size.strips * CCA_SUPER_STRIP_ROWS;
}

/* Maximum number of tiles that are labelled at the same time. */
static uint32_t max_blocks(const CudaEngine *const e)
{
    return umin(e->gpu.n_multiprocessors, CCA_SUPER_MAX_TILES);
}

/* Divides a region into rows of `columns` tiles of whole strips, so that each multiprocessor has
 * the same number of them as far as possible, or as many as it has rows. */
static void divide_rows(const CudaEngine *const e, CudaSuper *const s, const CcaJob *const job,
                        const uint32_t columns)
{
    const uint32_t n = max_blocks(e);
    const uint32_t each = divide_up(columns * divide_up(job->height, max_rows(e)), n);
    const uint32_t rows = divide_up(job->height, umin(each * n / columns, job->height));
    s->tiles_x = columns;
    s->strip_rows = umax(divide_up(rows, e->super.size.strips), MIN_STRIP_ROWS);
    s->rows = divide_up(rows, s->strip_rows) * s->strip_rows;
    s->n_tiles = columns * divide_up(job->height, s->rows); /* none is without rows */
}

/* The pixels of the working set in a row of tiles, and in the rows of pixels above and below it.
 * None if `first` is not below `end`. */
static CcaColumns find_range(const CudaSuper *const s, const CcaJob *const job,
                             const uint32_t tile_y)
{
    CcaColumns r = { job->width, 0 };
    const uint32_t y = tile_y * s->rows, end = umin(y + s->rows + 1, job->height);
    for (uint32_t row = y - umin(y, 1); row < end; row++) {
        const CcaColumns c = cca_job_working_columns(job, row);
        r = (CcaColumns) { umin(r.first, c.first), umax(r.end, c.end) };
    }
    return r;
}

/* Lets rows of tiles follow the working set from the first row to the last one. Returns how many
 * columns each row needs so that it has the set's pixels, and those above and below it: tiles that
 * touch at a corner then have both tiles beside it. */
static uint32_t follow_set(CudaSuper *const s, const CcaJob *const job)
{
    const uint32_t n = s->n_tiles / s->tiles_x;
    const int64_t one = 1 << CCA_SUPER_SLOPE_BITS;
    const CcaColumns top = find_range(s, job, 0), bottom = find_range(s, job, n - 1);
    const int64_t shift = (int64_t) bottom.first + bottom.end - top.first - top.end;
    int64_t begin = INT64_MAX, end = INT64_MIN;
    s->slope = n > 1 ? (int32_t) (shift * one / (2 * CCA_SUPER_WIDTH) / (n - 1)) : 0;
    for (uint32_t i = 0; i < n; i++) {
        const CcaColumns r = find_range(s, job, i);
        if (r.first >= r.end)
            continue;
        const int64_t moved = (int64_t) s->slope * i;
        const int64_t before = (r.first / CCA_SUPER_WIDTH + 1) * one - moved;
        const int64_t after = ((r.end - 1) / CCA_SUPER_WIDTH + 1) * one - moved;
        begin = before <= begin ? before - 1 : begin;
        end = after > end ? after : end;
    }
    s->begin = (int32_t) begin;
    return (uint32_t) ((end - begin - 1) / one + 1);
}

static bool may_follow(const CudaEngine *const e, const CcaJob *const job)
{
    return job->mask != NULL && n_columns(job->width) > 1 && !cca_cuda_measures(e) &&
           !cca_wants_labels(job);
}

/* Divides the region, or what the working set needs of it, into tiles. */
static void divide(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    CudaSuper *const s = &slot->super;
    const uint64_t serial = may_follow(e, job) ? job->mask->serial : 0;
    const CcaRect region = { job->x, job->y, job->width, job->height };
    if (serial != 0 && serial == slot->divided && cca_same_rect(&region, &slot->divided_region))
        return;
    slot->divided = serial;
    slot->divided_region = region;
    const uint32_t all = n_columns(job->width);
    s->begin = s->slope = 0;
    divide_rows(e, s, job, all);
    if (serial == 0)
        return;
    CudaSuper follows = *s;
    uint32_t columns = all, needed;
    /* Fewer columns leave lower tiles, and these fewer columns. */
    while ((needed = follow_set(&follows, job)) < columns) {
        columns = needed;
        divide_rows(e, &follows, job, columns);
    }
    if (needed == columns && columns < all)
        *s = follows;
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
    return is_forced(e) || (is_large(job->width, job->height) && is_aligned(job) &&
                            slot->overflowed == 0 && e->super.pause == 0);
}

/* Whether the kernels can measure what the engine is configured for. */
static bool can_measure(const CcaConfig *const config)
{
    return config->features == CCA_FEATURES_NONE || config->sample_size == 1;
}

static bool fits(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    CudaSuper *const s = &slot->super;
    if (!can_measure(&e->base.config) || job->filter.limits.min_peak > 0 ||
        !is_chosen(e, slot, job))
        return false;
    divide(e, slot, job);
    s->is_staged = e->options.algorithm == CCA_CUDA_STAGED || s->n_tiles > e->gpu.n_cooperating ||
                   (!is_forced(e) && cca_cuda_others_in_flight(&e->member) > 0);
    return !s->is_staged || (s->stored != NULL && !cca_cuda_measures(e));
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

/* Minimum share of the columns of tiles that are inside a frame with a kernel for each stage, so
 * that its tables are no larger than those of the next algorithm. */
#define MIN_FILLED 0.75

static bool may_be_staged(const CudaEngine *const e, const CcaConfig *const config)
{
    const double columns = (double) n_columns(config->width) * CCA_SUPER_WIDTH;
    return is_forced(e) || config->width >= MIN_FILLED * columns;
}

static void lay_out(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                    const CcaConfig *const config)
{
    CudaSuper *const s = &slot->super;
    uint64_t n = max_blocks(e);
    s->stored = NULL;
    if (!may_serve(e, config))
        return;
    if (may_be_staged(e, config)) {
        n += n_columns(config->width) * divide_up(config->height, max_rows(e));
        s->stored = cca_arena_place(arena, n, sizeof(*s->stored));
        if (config->labels)
            s->numbers = cca_arena_place(arena, n * CCA_SUPER_NODES, sizeof(*s->numbers));
    }
    s->parent = cca_arena_place(arena, n * e->super.size.slots, sizeof(*s->parent));
    s->open = cca_arena_place(arena, n * e->super.size.slots, sizeof(*s->open));
    s->edges = cca_arena_place(arena, n * CCA_SUPER_EDGE_LABELS, sizeof(*s->edges));
    s->row_counts = cca_arena_place(arena, n * CCA_SUPER_MAX_ROWS, sizeof(*s->row_counts));
    s->totals = cca_arena_place(arena, n, sizeof(*s->totals));
    const uint64_t row_words = n_columns(config->width) * CCA_SUPER_ROW_WORDS;
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
        job->mask != NULL ||
        (samples == CUDA_PIXELS_16 && is_special(job) && !slot->super.is_staged))
        return CUDA_PIXELS_MASK;
    return samples;
}

/* The kernels of the stages. */
static void launch_stages(const CudaEngine *const e, const CudaSlot *const slot,
                          const CudaSuper *const s, CudaLaunches *const launches,
                          const uint32_t threads)
{
    static const CudaKernel label[] = {
        [CUDA_PIXELS_8] = CUDA_SUPER_8_LABEL,
        [CUDA_PIXELS_16] = CUDA_SUPER_16_LABEL,
        [CUDA_PIXELS_MASK] = CUDA_SUPER_MASK_LABEL,
    };
    const CudaImage *const image = &slot->image;
    const bool filters = image->min_area > 1 || image->by_marks ||
                         image->max_area < (uint64_t) image->width * image->height;
    const uint32_t n = s->n_tiles, shared = CCA_SUPER_STAGE_SHARED, most = e->super.size.shared;
    CudaImage region = *image;
    region.data = NULL; /* so that a graph needs no update */
    const CudaArg first[] = { CUDA_ARG(image), CUDA_ARG(s), CUDA_ARG(&slot->job.filter) };
    const CudaArg next[] = { CUDA_ARG(&region), CUDA_ARG(s), CUDA_ARG(&slot->job.filter) };
    const CudaArg last[] = { CUDA_ARG(&region), CUDA_ARG(s), CUDA_ARG(&slot->compact),
                             CUDA_ARG(&slot->labels) };
    cca_cuda_launch_shared(launches, label[slot->pixels], n, threads, most, 3, first);
    cca_cuda_launch_shared(launches, CUDA_SUPER_MERGE, n, threads, shared, 2, next);
    cca_cuda_launch_shared(launches, CUDA_SUPER_REDUCE, n, threads, shared, 3, next);
    if (filters)
        cca_cuda_launch_shared(launches, CUDA_SUPER_COUNT, n, threads, shared, 3, next);
    cca_cuda_launch_shared(launches, CUDA_SUPER_EMIT, n, threads, shared, 4, last);
    if (slot->labels.data != NULL)
        cca_cuda_launch_shared(launches, CUDA_SUPER_LABELS, n, threads, most, 4, last);
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
    if (s->is_staged) {
        launch_stages(e, slot, s, launches, 32 * strips);
        return;
    }
    cca_cuda_launch_together(launches,
                             kernels[slot->pixels][3u * measures + (special ? 2u : image->corner)],
                             s->n_tiles, 32 * strips,
                             measures ? e->super.size.measured_shared : e->super.size.shared,
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
