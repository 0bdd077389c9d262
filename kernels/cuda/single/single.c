/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One kernel for the whole frame, if the frame fits the shared memory of all multiprocessors. The
 * kernel occupies the whole GPU, so it is not used while other engines of the context have frames
 * in flight. Frames resemble their predecessors, so after a frame for which the tiled algorithm
 * is faster the single kernel pauses. */

#include "single.h"

#include "../compact/compact.h"

/* Maximum number of rows of a tile if there are enough multiprocessors. Fewer rows make a tile
 * faster, but more tiles leave more components to join. The fastest value at 640x480 and
 * 1280x720. */
#define TILE_ROWS 80

/* Length of a pause in frames. It limits the cost of further attempts to 0.5 %. */
#define PAUSE 255
/* Limits up to which the single kernel is faster, without and with corners. `work` limits the open
 * components plus the components / COMPONENTS. `of_few` is a lower limit on open components that
 * belong to few components, as in mazes, because these need more rounds to join; it grows with
 * the components / FEW. */
#define COMPONENTS 96
#define FEW 16
typedef struct Limits {
    uint32_t work[2], of_few[2];
} Limits;

/* Narrow tiles. Measured at 1920x1080 on noise of blocks of 1 to 16 pixels, densities in steps of
 * 10 %, and on pictures that are hard for a union-find. */
static const Limits narrow = { { 5500, 9000 }, { 3300, 9000 } };
/* Wide tiles: pixels for each open component. Measured at 2560x1440 and 3840x2160 on noise of
 * blocks of 1 to 4 pixels. */
static const Limits wide = { { 1500, 1300 }, { 2500, 1300 } };
/* Limit on the runs of wide tiles, whose time grows with the number of runs. */
#define MAX_RUNS 300000

static bool serves(const CudaEngine *const e)
{
    const CcaCudaAlgorithm a = e->options.algorithm;
    return e->gpu.n_cooperating > 0 &&
           (a == CCA_CUDA_AUTO || a == CCA_CUDA_SINGLE || a == CCA_CUDA_WIDE);
}

/* Checks whether the GPU can run the kernel: each block needs a multiprocessor, and most of its
 * shared memory. */
static CUresult prepare(CudaEngine *const e, const CUdevice device)
{
    int shared = 0;
    CUresult result = e->gpu.module.cu->device_attribute(
        &shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
    if (result != CUDA_SUCCESS || e->gpu.n_cooperating == 0)
        return result;
    if (shared < CCA_SINGLE_SHARED) {
        e->gpu.n_cooperating = 0;
        return result;
    }
    e->single.has_wide = shared >= CCA_WIDE_SHARED;
    e->single.can_measure = shared >= CCA_SINGLE_MEASURED_SHARED;
    result = cca_cuda_allow_shared(&e->gpu, CUDA_SINGLE_8, CUDA_SINGLE_MASK_LIMITS,
                                   CCA_SINGLE_SHARED);
    if (result == CUDA_SUCCESS && e->single.has_wide)
        result = cca_cuda_allow_shared(&e->gpu, CUDA_WIDE_8, CUDA_WIDE_MASK_LIMITS,
                                       CCA_WIDE_SHARED);
    if (result == CUDA_SUCCESS && e->single.can_measure)
        result = cca_cuda_allow_shared(&e->gpu, CUDA_SINGLE_8_MEASURED, CUDA_SINGLE_MASK_MEASURED,
                                       CCA_SINGLE_MEASURED_SHARED);
    return result;
}

static uint32_t divide_up(const uint32_t n, const uint32_t by)
{
    return (n - 1) / by + 1;
}

/* Narrow tiles have sums of coordinates of 32 bits. */
static bool sums_fit(const uint64_t width, const uint64_t height)
{
    const uint64_t area = width * height;
    return area * width / 2 <= UINT32_MAX && area * height / 2 <= UINT32_MAX;
}

/* Divides a region into tiles of this width. */
static bool divide(CudaSingle *const s, const CcaJob *const job, const uint32_t n_cooperating,
                   const uint32_t width, const uint32_t max_rows)
{
    const uint32_t most = umin(n_cooperating, CCA_SINGLE_MAX_TILES);
    if (job->width > width * CCA_SINGLE_MAX_TILES_X || job->height > most * max_rows)
        return false;
    s->tiles_x = divide_up(job->width, width);
    s->tiles_y = umin(most / s->tiles_x, divide_up(job->height, TILE_ROWS));
    if (s->tiles_y == 0)
        return false;
    s->rows = divide_up(job->height, s->tiles_y);
    s->tiles_y = divide_up(job->height, s->rows); /* no tile may be without rows */
    s->n_tiles = s->tiles_x * s->tiles_y;
    return s->rows <= max_rows;
}

static bool fits_tiles(const CudaEngine *const e, CudaSingle *const s, const CcaJob *const job)
{
    s->is_wide = e->options.algorithm == CCA_CUDA_WIDE || !sums_fit(job->width, job->height) ||
                 !divide(s, job, e->gpu.n_cooperating, CCA_SINGLE_WIDTH, CCA_SINGLE_MAX_ROWS);
    return !s->is_wide || (e->single.has_wide &&
                           divide(s, job, e->gpu.n_cooperating, CCA_WIDE_WIDTH, CCA_WIDE_MAX_ROWS));
}

/* --- choice --------------------------------------------------------------- */

static bool is_chosen(const CudaEngine *const e)
{
    return e->options.algorithm == CCA_CUDA_SINGLE || e->options.algorithm == CCA_CUDA_WIDE ||
           (e->single.pause == 0 && cca_cuda_others_in_flight(&e->member) == 0);
}

/* Narrow tiles measure samples of 8 bits of frames without limits of boxes. */
static bool can_measure(const CudaEngine *const e, const CudaSlot *const slot,
                        const CcaJob *const job)
{
    return !cca_cuda_measures(e) || (e->single.can_measure && !slot->single.is_wide &&
                                     !job->filter.on && e->base.config.sample_size == 1);
}

static bool fits(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    return !cca_wants_labels(job) && job->filter.limits.min_peak == 0 &&
           fits_tiles(e, &slot->single, job) && can_measure(e, slot, job) && is_chosen(e);
}

static bool is_faster(const CudaSlot *const slot)
{
    const CudaImage *const image = &slot->image;
    const uint32_t n_open = slot->mailbox->n_open, n_found = (uint32_t) slot->mailbox->done;
    const Limits *const limits = slot->single.is_wide ? &wide : &narrow;
    uint32_t work = limits->work[image->corner], of_few = limits->of_few[image->corner];
    if (slot->single.is_wide) {
        work = image->width * image->height / work;
        of_few = image->width * image->height / of_few;
    }
    return n_open + n_found / COMPONENTS <= work && n_open <= of_few + n_found / FEW;
}

/* A pause follows a frame that overflowed or exceeded the limits. A later frame within the limits
 * ends it early, unless the pause follows an overflow or too many runs, which frames of other
 * algorithms do not report. */
static void learn(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaSingleChoice *const c = &e->single;
    const bool faster = is_faster(slot), overflowed = slot->overflowed >> CUDA_PATH_SINGLE & 1;
    if (overflowed || slot->path == CUDA_PATH_SINGLE) {
        c->no_early_end = overflowed || slot->mailbox->n_runs > MAX_RUNS;
        c->pause = c->no_early_end || !faster ? PAUSE : 0;
    } else if (c->pause > 0) {
        /* The tiled algorithm has smaller tiles and so more open components: a safe estimate. */
        c->pause = faster && !c->no_early_end ? 0 : c->pause - 1;
    }
}

/* --- tables and launch ---------------------------------------------------- */

static void clear(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                  const CcaConfig *const config)
{
    (void) e;
    CudaSingle *const s = &slot->single;
    const uint32_t n = CCA_SINGLE_MAX_TILES;
    const uint32_t rows = umin(config->height, n * CCA_WIDE_MAX_ROWS) + CCA_WIDE_MAX_ROWS;
    s->parity = cca_arena_place(arena, 1, sizeof(*s->parity));
    s->counters = cca_arena_place(arena, 2, sizeof(*s->counters));
    s->counts = cca_arena_place(arena, 1, sizeof(*s->counts));
    /* These are read as whole vectors, parts of which may not have been written. */
    s->few = cca_arena_place(arena, 2 * n * CCA_SINGLE_FEW, 2 * sizeof(*s->few));
    s->corners = cca_arena_place(arena, 2 * n, 2 * sizeof(*s->corners));
    s->row_counts = cca_arena_place(arena, rows, CCA_SINGLE_MAX_TILES_X);
}

static void lay_out(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                    const CcaConfig *const config)
{
    (void) e;
    CudaSingle *const s = &slot->single;
    const uint32_t n = CCA_SINGLE_MAX_TILES;
    s->nodes = cca_arena_place(arena, CCA_SINGLE_NODES, sizeof(*s->nodes));
    s->firsts = cca_arena_place(arena, CCA_SINGLE_NODES, sizeof(*s->firsts));
    s->found = cca_arena_place(arena, CCA_SINGLE_NODES, sizeof(*s->found));
    s->more = cca_arena_place(arena, 2 * n * CCA_SINGLE_CONTACTS, 2 * sizeof(*s->more));
    s->n_contacts = cca_arena_place(arena, 2 * n, sizeof(*s->n_contacts));
    if (config->features == CCA_FEATURES_NONE)
        return;
    s->measured = cca_arena_place(arena, CCA_SINGLE_NODES, sizeof(*s->measured));
    s->diagonals = cca_arena_place(arena, CCA_SINGLE_DIAGONALS, sizeof(*s->diagonals));
}

/* Narrow tiles are opened by their kernel, which also finds Otsu's threshold of a region. A wide
 * tile has no shared memory for the halo of an opening or for a histogram, so its kernel reads a
 * mask instead. Those for limits of boxes and for features read samples of 8 bits or a mask. */
static CudaPixels pixels(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    const CudaPixels samples = cca_cuda_samples(e, job);
    const bool is_special = job->filter.on || cca_cuda_measures(e);
    const bool otsu = job->params.foreground == CCA_FOREGROUND_OTSU;
    const bool opens = cca_cuda_opens(job) && !slot->single.is_wide;
    const bool is_opened = !opens && (job->params.open_radius > 0 || job->params.close_radius > 0);
    if (!cca_has_background(job->params.foreground) && !is_opened &&
        !(otsu && (slot->single.is_wide || job->mask != NULL)) &&
        (!is_special || (samples == CUDA_PIXELS_8 && !opens)))
        return samples;
    return opens ? CUDA_PIXELS_MASK_TO_OPEN : CUDA_PIXELS_MASK;
}

static CudaKernel kernel_for(const CudaImage *const image, const CudaPixels pixels,
                             const bool is_wide, const bool opens, const bool measures)
{
    static const CudaKernel kernels[][2] = {
        [CUDA_PIXELS_8] = { CUDA_SINGLE_8, CUDA_SINGLE_OPENED_8 },
        [CUDA_PIXELS_16] = { CUDA_SINGLE_16, CUDA_SINGLE_OPENED_16 },
        [CUDA_PIXELS_OTSU_8] = { CUDA_SINGLE_OTSU_8, CUDA_SINGLE_OPENED_OTSU_8 },
        [CUDA_PIXELS_OTSU_16] = { CUDA_SINGLE_OTSU_16, CUDA_SINGLE_OTSU_16 },
        [CUDA_PIXELS_MASK] = { CUDA_SINGLE_MASK },
        [CUDA_PIXELS_MASK_TO_OPEN] = { 0, CUDA_SINGLE_OPENED_MASK },
    };
    static const CudaKernel wide_kernels[] = {
        [CUDA_PIXELS_8] = CUDA_WIDE_8,
        [CUDA_PIXELS_16] = CUDA_WIDE_16,
        [CUDA_PIXELS_MASK] = CUDA_WIDE_MASK,
    };
    static const CudaKernel of_limits[][2] = {
        { CUDA_SINGLE_MASK_LIMITS, CUDA_SINGLE_8_LIMITS },
        { CUDA_WIDE_MASK_LIMITS, CUDA_WIDE_8_LIMITS },
    };
    if (measures)
        return pixels == CUDA_PIXELS_8 ? CUDA_SINGLE_8_MEASURED : CUDA_SINGLE_MASK_MEASURED;
    if (image->by_marks)
        return of_limits[is_wide][pixels == CUDA_PIXELS_8];
    const bool is_plain = pixels == CUDA_PIXELS_8 && !opens && image->working_row_words == 0 &&
                          image->min_area <= 1 &&
                          image->max_area >= (uint64_t) image->width * image->height;
    if (is_plain && is_wide)
        return image->corner ? CUDA_WIDE_8_CORNERS : CUDA_WIDE_8_EDGES;
    if (is_plain)
        return image->corner ? CUDA_SINGLE_8_CORNERS : CUDA_SINGLE_8_EDGES;
    return is_wide ? wide_kernels[pixels] : kernels[pixels][opens];
}

static uint32_t threads_for(const CudaSingle *const s, const bool opens)
{
    if (s->is_wide) /* even if few rows: all threads join the frame's components */
        return CCA_WIDE_THREADS;
    if (opens) /* open_tile() requires this size */
        return CCA_SINGLE_MAX_THREADS;
    /* Each thread has one word, and at most two vectors of contacts. */
    const uint32_t words = CCA_SINGLE_WIDTH / 32 * (s->rows + 2);
    const uint32_t contacts = 2 * s->n_tiles * CCA_SINGLE_FEW / 4 / 2;
    return divide_up(umax(words, umax(contacts, 64)), 32) * 32;
}

static void launch(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    const CudaImage *const image = &slot->image;
    const CudaSingle *const s = &slot->single;
    slot->path = CUDA_PATH_SINGLE;
    const bool opens = image->open_radius > 0 || image->close_radius > 0;
    const bool measures = cca_cuda_measures(e);
    if (measures)
        cca_compact_measure(&slot->measure, &slot->job, &e->base.config);
    const CudaArg args[] = { CUDA_ARG(image), CUDA_ARG(s), CUDA_ARG(&slot->compact),
                             CUDA_ARG(&slot->job.filter), CUDA_ARG(&slot->measure) };
    cca_cuda_launch_together(launches, kernel_for(image, slot->pixels, s->is_wide, opens, measures),
                             s->n_tiles, threads_for(s, opens),
                             s->is_wide ? CCA_WIDE_SHARED :
                             measures   ? CCA_SINGLE_MEASURED_SHARED :
                                          CCA_SINGLE_SHARED,
                             measures        ? 5 :
                             image->by_marks ? 4 :
                                               3,
                             args);
}

const CudaAlgorithm cca_cuda_single = {
    .name = "single",
    .serves = serves,
    .prepare = prepare,
    .clear = clear,
    .lay_out = lay_out,
    .fits = fits,
    .pixels = pixels,
    .finds_otsu_8 = true,
    .launch = launch,
    .learn = learn,
};
