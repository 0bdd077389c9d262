/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "tiled.h"

#include "fine/fine.h"
#include "../compact/compact.h"
#include "tiles.h"

#define THREADS CCA_LIST_THREADS
/* Maximum blocks per multiprocessor of the kernels that walk lists of open or of all components,
 * whose lengths only the GPU knows: the fastest of 2 to 16. A multiprocessor of compute capability
 * 9.0 holds 6 blocks of the kernels for all components, so further blocks would start late. */
#define OPEN_BLOCKS_PER_SM 4
#define ALL_BLOCKS_PER_SM 6
/* Tiles per block of these kernels. More blocks would only slow down frames on other streams. */
#define TILES_PER_OPEN_BLOCK 4
#define TILES_PER_ALL_BLOCK 2

/* Number of blocks for the size of the frame, limited by the size of the GPU. */
static uint32_t list_blocks(const uint32_t n_tiles, const uint32_t tiles_per_block,
                            const uint32_t n_sm, const uint32_t most_per_sm)
{
    const uint32_t least = n_sm / tiles_per_block + 1, most = n_sm * most_per_sm;
    const uint32_t n = n_tiles / tiles_per_block;
    return uclip(n, least, most);
}

/* Bytes for closed components. An isolated run needs space for 2 pixels and has 8 bytes; a
 * component of several rows needs twice of both. A run that is not detected as isolated has 16
 * bytes, too. */
static uint64_t closed_size(const CcaConfig *const config)
{
    const CudaMaxClosed most = cca_tiles_max_closed(config);
    return (4 * most.space + 8 * most.undetected + 15) & ~UINT64_C(15);
}

static bool serves(const CudaEngine *const e)
{
    return e->options.algorithm != CCA_CUDA_FLSL_CD;
}

static CUresult prepare(CudaEngine *const e, const CUdevice device)
{
    (void) device;
    cca_fine_prepare(e);
    return CUDA_SUCCESS;
}

static void clear(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                  const CcaConfig *const config)
{
    (void) e, (void) config;
    slot->tiled.counts = cca_arena_place(arena, 1, sizeof(*slot->tiled.counts));
}

/* Bounds of the words of closed components that are summed up. */
static uint32_t first_word(const CcaConfig *const c)
{
    return c->features & CCA_FEATURES_MOMENTS ? 0 :
           c->features & CCA_FEATURES_SHAPE   ? CUDA_MOMENTS_END :
                                                CUDA_SHAPE_END;
}

static uint32_t end_word(const CcaConfig *const c)
{
    return c->features & CCA_FEATURES_INTENSITY ?
               (c->sample_size == 1 ? CUDA_NARROW_END : CUDA_N_WORDS) :
           c->features & CCA_FEATURES_SHAPE ? CUDA_SHAPE_END :
                                              CUDA_MOMENTS_END;
}

static void lay_out_measure(CudaMeasure *const m, CcaArena *const arena,
                            const CcaConfig *const config)
{
    const CudaMaxClosed most = cca_tiles_max_closed(config);
    const uint64_t n_tiles = cca_tiles_count(config->width, config->height);
    const uint64_t n_open = n_tiles * CCA_TILE_MAX_OPEN,
                   n_closed = most.space / 4 + most.undetected;
    m->closed = cca_arena_place(arena, n_closed * (end_word(config) - first_word(config)),
                                sizeof(*m->closed));
    m->open = cca_arena_place(arena, n_open, sizeof(*m->open));
    m->contacts = cca_arena_place(arena, n_open, sizeof(*m->contacts));
    if (config->features & CCA_FEATURES_SHAPE)
        m->diagonals = cca_arena_place(arena, n_tiles * CCA_TILE_DIAGONALS, sizeof(*m->diagonals));
    m->n_diagonals = cca_arena_place(arena, n_tiles, sizeof(*m->n_diagonals));
}

static void lay_out(const CudaEngine *const e, CudaSlot *const slot, CcaArena *const arena,
                    const CcaConfig *const config)
{
    (void) e;
    CudaTiled *const t = &slot->tiled;
    const uint64_t n_tiles = cca_tiles_count(config->width, config->height);
    const uint64_t n_open = n_tiles * CCA_TILE_MAX_OPEN;
    const uint64_t closed = closed_size(config);
    CcaArena same = *arena; /* a frame uses either these tables or those of the fine mode */
    t->closed = cca_arena_place(arena, closed, 1);
    t->isolated_end = t->closed != NULL ? (uint8_t *) t->closed + closed : NULL;
    cca_fine_lay_out(&slot->fine, &same, config);
    cca_arena_join(arena, &same);
    t->totals = cca_arena_place(arena, 1, sizeof(*t->totals));
    t->open_base = cca_arena_place(arena, n_tiles, sizeof(*t->open_base));
    t->edges = cca_arena_place(arena, n_tiles, CCA_EDGE_LABELS);
    t->parent = cca_arena_place(arena, n_open, sizeof(*t->parent));
    t->open = cca_arena_place(arena, n_open, sizeof(*t->open));
    t->first = cca_arena_place(arena, n_open, sizeof(*t->first));
    if (config->features != CCA_FEATURES_NONE)
        lay_out_measure(&slot->measure, arena, config);
}

static bool fits(const CudaEngine *const e, CudaSlot *const slot, const CcaJob *const job)
{
    (void) e, (void) slot, (void) job;
    return true;
}

/* Whether tiles are labelled twice. */
static bool labels_again(const CcaJob *const job)
{
    return cca_wants_labels(job) || job->filter.limits.min_peak > 0;
}

/* The tile kernel compares samples with the thresholds itself, and opens masks. If tiles are
 * labelled twice, a mask saves the second comparison and opening. Tiles that are measured have no
 * shared memory for an opening. */
static CudaPixels pixels(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CcaJob *const job = &slot->job;
    const bool opens = cca_cuda_opens(job), again = labels_again(job);
    if (!cca_has_background(job->params.foreground) && !opens && !again && job->mask == NULL)
        return cca_cuda_samples(e, job);
    return opens && !again && !cca_cuda_measures(e) ? CUDA_PIXELS_MASK_TO_OPEN : CUDA_PIXELS_MASK;
}

static void set_measure(CudaMeasure *const m, const CcaJob *const job,
                        const CcaConfig *const config)
{
    cca_compact_measure(m, job, config);
    m->from = first_word(config);
    m->to = end_word(config);
}

static void label_tiles(CudaLaunches *const launches, const CudaSlot *const slot,
                        const bool measures)
{
    static const CudaKernel kernels[][2] = {
        [CUDA_PIXELS_8] = { CUDA_TILE_8, CUDA_TILE_8_SOON },
        [CUDA_PIXELS_16] = { CUDA_TILE_16, CUDA_TILE_16_SOON },
        [CUDA_PIXELS_OTSU_8] = { CUDA_TILE_OTSU_8, CUDA_TILE_OTSU_8_SOON },
        [CUDA_PIXELS_OTSU_16] = { CUDA_TILE_OTSU_16, CUDA_TILE_OTSU_16_SOON },
        [CUDA_PIXELS_MASK] = { CUDA_TILE_MASK, CUDA_TILE_MASK_SOON },
        [CUDA_PIXELS_MASK_TO_OPEN] = { CUDA_TILE_OPENED, CUDA_TILE_OPENED_SOON },
    };
    const bool soon = cca_tiles_are_soon(launches->gpu, &slot->image);
    const CudaArg args[] = { CUDA_ARG(&slot->image), CUDA_ARG(&slot->tiled),
                             CUDA_ARG(&slot->compact), CUDA_ARG(&slot->measure) };
    if (measures) {
        static const CudaKernel measured[] = {
            [CUDA_PIXELS_8] = CUDA_MEASURED_8,
            [CUDA_PIXELS_16] = CUDA_MEASURED_16,
            [CUDA_PIXELS_OTSU_8] = CUDA_MEASURED_OTSU_8,
            [CUDA_PIXELS_OTSU_16] = CUDA_MEASURED_OTSU_16,
            [CUDA_PIXELS_MASK] = CUDA_MEASURED_MASK,
        };
        cca_cuda_launch(launches, measured[slot->pixels], slot->tiled.tiles_x * slot->tiled.tiles_y,
                        32 * CCA_TILE_SOON_WARPS, 1, 4, args);
        return;
    }
    cca_cuda_launch(launches, kernels[slot->pixels][soon],
                    slot->tiled.tiles_x * slot->tiled.tiles_y,
                    32 * (soon ? CCA_TILE_SOON_WARPS : CCA_TILE_WARPS), 1, 3, args);
}

static void launch(CudaEngine *const e, CudaSlot *const slot, CudaLaunches *const launches)
{
    const CudaImage *const image = &slot->image;
    const CudaLabels *const labels = &slot->labels;
    CudaCompact *const compact = &slot->compact;
    CudaTiled *const t = &slot->tiled;
    t->tiles_x = cca_tiles(image->width, CCA_TILE_WIDTH);
    t->tiles_y = cca_tiles(image->height, CCA_TILE_HEIGHT);
    const uint32_t n_tiles = t->tiles_x * t->tiles_y;
    const uint64_t n_items = (uint64_t) n_tiles *
                             ((CCA_TILE_WIDTH + CCA_TILE_HEIGHT) / CCA_EDGE_ITEM);
    const uint32_t n_sm = e->gpu.n_multiprocessors;
    const uint32_t open_blocks = list_blocks(n_tiles, TILES_PER_OPEN_BLOCK, n_sm,
                                             OPEN_BLOCKS_PER_SM);
    const uint32_t all_blocks = list_blocks(n_tiles, TILES_PER_ALL_BLOCK, n_sm, ALL_BLOCKS_PER_SM);
    /* Without the pixel pointer the arguments do not change from frame to frame, so a graph needs
     * no update. */
    CudaImage region = *image;
    region.data = NULL;
    const bool measures = cca_cuda_measures(e);
    if (measures)
        set_measure(&slot->measure, &slot->job, &e->base.config);
    CudaMeasure tables = slot->measure;
    tables.pixels = NULL;
    const CudaArg args[] = { CUDA_ARG(&region), CUDA_ARG(t), CUDA_ARG(compact), CUDA_ARG(&tables) };

    if (!measures && cca_fine_choose(e, slot))
        slot->path = CUDA_PATH_FINE;
    if (slot->path == CUDA_PATH_FINE)
        cca_fine_launch_first(launches, slot);
    else
        label_tiles(launches, slot, measures);
    cca_cuda_launch(launches, measures ? CUDA_MEASURED_MERGE : CUDA_TILE_MERGE,
                    (uint32_t) ((n_items - 1) / THREADS + 1), THREADS, 1, 3 + measures, args);
    cca_cuda_launch(launches, measures ? CUDA_MEASURED_REDUCE : CUDA_TILE_REDUCE, open_blocks,
                    THREADS, 1, 3 + measures, args);
    if (image->min_area > 1 || image->max_area < (uint64_t) image->width * image->height)
        cca_cuda_launch(launches, CUDA_TILE_FILTER, open_blocks, THREADS, 1, 3, args);
    if (slot->job.filter.limits.min_peak > 0) {
        const CudaPeaks peaks = cca_compact_peaks(&slot->job, &e->base.config);
        const CudaArg with_peaks[] = { CUDA_ARG(image), args[1], args[2], CUDA_ARG(&peaks) };
        cca_cuda_launch(launches, CUDA_TILE_PEAKS, n_tiles, 32 * CCA_TILE_WARPS, 1, 4, with_peaks);
    }
    if (image->by_marks) {
        const CudaArg with_filter[] = { args[0], args[1], args[2], CUDA_ARG(&slot->job.filter) };
        cca_cuda_launch(launches, CUDA_TILE_SIFT, all_blocks, THREADS, 1, 4, with_filter);
    }
    cca_compact_rank(launches, compact);
    cca_compact_clear_labels(launches, image, compact, labels);
    if (labels->data != NULL) {
        const CudaArg with_labels[] = { CUDA_ARG(image), args[1], args[2], CUDA_ARG(labels) };
        cca_cuda_launch(launches, CUDA_TILE_LABELS, n_tiles, 32 * CCA_TILE_WARPS, 1, 4,
                        with_labels);
    }
    if (compact->by_area)
        cca_compact_select(launches, CUDA_TILE_SELECT, all_blocks, 3, args);
    if (slot->path == CUDA_PATH_FINE) {
        cca_fine_launch_last(launches, slot, &region, all_blocks);
    } else if (measures) {
        const CudaArg with_pixels[] = { args[0], args[1], args[2], CUDA_ARG(&slot->measure) };
        cca_cuda_launch(launches, CUDA_MEASURED_EMIT, all_blocks, THREADS, 1, 4, with_pixels);
    } else {
        cca_cuda_launch(launches, CUDA_TILE_EMIT, all_blocks, THREADS, 1, 3, args);
    }
}

const CudaAlgorithm cca_cuda_tiled = {
    .name = "tiled",
    .serves = serves,
    .prepare = prepare,
    .clear = clear,
    .lay_out = lay_out,
    .fits = fits,
    .pixels = pixels,
    .launch = launch,
    .learn = cca_fine_learn,
};
