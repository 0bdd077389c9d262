/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Chooses the fine mode for frames of fine grain, and launches its kernels. These report the grain
 * of the frame, which decides on the next frame, because frames resemble their predecessors. The
 * other kernels report only the number of components, which may be small although the grain is
 * fine, so the mode is also attempted at intervals. */

#include "fine.h"

#include "../tiles.h"

/* Maximum number of pixels per component for an immediate attempt. */
#define PIXELS_IF_MANY 64
/* Frames between attempts. The number doubles after each attempt that was slower. */
#define FIRST_PAUSE 16
#define MAX_PAUSE 256

/* Conditions under which the fine mode is faster: one in TILES_A_FINE_ONE tiles is of fine grain,
 * or one in TILES_A_BLOCK_ONE was labelled by blocks of pixels and there are at least PIXELS_IF_FEW
 * pixels per component. Measured with noise of blocks of 1, 2 and 4 pixels, at 3840x2160 and
 * 8192x8192. */
#define TILES_A_FINE_ONE 4
#define TILES_A_BLOCK_ONE 2
#define PIXELS_IF_FEW 1000
/* Occupancy in blocks. In frames whose tiles all run at the same time, the fine mode is slower if
 * there are more than COMPONENTS_IF_SINGLE components for each open one: nearly all have one pixel,
 * and so are isolated runs. Tiles that are only fine enough for blocks of pixels are then slower,
 * too, unless runs are joined at corners. */
#define BLOCKS_PER_SM 8
#define COMPONENTS_IF_SINGLE 19

/* --- choice --------------------------------------------------------------- */

static bool has_kernels(const CudaSlot *const slot)
{
    return !slot->compact.by_area &&
           (slot->pixels == CUDA_PIXELS_8 || slot->pixels == CUDA_PIXELS_16 ||
            slot->pixels == CUDA_PIXELS_MASK);
}

bool cca_fine_choose(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaFineChoice *const c = &e->fine;
    if (!has_kernels(slot) || slot->image.by_marks)
        return false;
    if (e->options.algorithm == CCA_CUDA_FINE)
        return true;
    if (cca_tiles_are_soon(&e->gpu, &slot->image))
        return false;
    if (!c->was_faster && c->left > 0) {
        c->left--;
        return false;
    }
    c->left = c->pause; /* for the frames before this one is collected */
    return true;
}

static bool is_faster(const CudaEngine *const e, const CudaSlot *const slot)
{
    const CudaMailbox *const d = slot->mailbox;
    const uint64_t n_pixels = (uint64_t) slot->image.width * slot->image.height;
    const uint64_t n_tiles = cca_tiles_count(slot->image.width, slot->image.height);
    const uint64_t n_found = (uint32_t) d->done;
    const bool large = n_tiles > e->gpu.n_multiprocessors * BLOCKS_PER_SM;
    if ((uint64_t) d->n_fine * TILES_A_FINE_ONE >= n_tiles)
        return large || n_found <= (uint64_t) d->n_open * COMPONENTS_IF_SINGLE;
    return (uint64_t) d->n_blocks * TILES_A_BLOCK_ONE >= n_tiles &&
           n_found * PIXELS_IF_FEW <= n_pixels && (large || slot->image.corner);
}

void cca_fine_learn(CudaEngine *const e, const CudaSlot *const slot)
{
    CudaFineChoice *const c = &e->fine;
    const uint64_t n_pixels = (uint64_t) slot->image.width * slot->image.height;
    const bool many = (uint64_t) (uint32_t) slot->mailbox->done * PIXELS_IF_MANY >= n_pixels;
    if (slot->path != CUDA_PATH_FINE) {
        if (many && !c->many_was_slower)
            c->left = 0;
        return;
    }
    const bool had_been_faster = c->was_faster;
    c->was_faster = is_faster(e, slot);
    c->pause = c->was_faster || had_been_faster ? FIRST_PAUSE : umin(2 * c->pause, MAX_PAUSE);
    c->left = c->pause;
    c->many_was_slower = !c->was_faster && (many || c->many_was_slower);
}

void cca_fine_prepare(CudaEngine *const e)
{
    e->fine.left = e->fine.pause = FIRST_PAUSE;
}

/* --- tables and launches -------------------------------------------------- */

void cca_fine_lay_out(CudaFine *const t, CcaArena *const arena, const CcaConfig *const config)
{
    const uint64_t n_tiles = cca_tiles_count(config->width, config->height);
    const uint64_t n_rows = n_tiles * CCA_TILE_HEIGHT;
    const CudaMaxClosed most = cca_tiles_max_closed(config);
    /* A component of two pixels needs space for at least 3, a listed single pixel for 2. */
    const uint64_t n_listed = (most.space + most.undetected) / 3 + 1;
    t->listed = cca_arena_place(arena, n_listed, CCA_LISTED_WORDS * sizeof(*t->listed));
    t->listed_base = cca_arena_place(arena, n_tiles, sizeof(*t->listed_base));
    t->rows = cca_arena_place(arena, n_rows, sizeof(*t->rows));
    t->rows_before = cca_arena_place(arena, n_rows, sizeof(*t->rows_before));
}

void cca_fine_launch_first(CudaLaunches *const launches, const CudaSlot *const slot)
{
    const CudaKernel kernel = slot->pixels == CUDA_PIXELS_8  ? CUDA_FINE_8 :
                              slot->pixels == CUDA_PIXELS_16 ? CUDA_FINE_16 :
                                                               CUDA_FINE_MASK;
    const CudaArg args[] = { CUDA_ARG(&slot->image), CUDA_ARG(&slot->tiled),
                             CUDA_ARG(&slot->compact), CUDA_ARG(&slot->fine) };
    cca_cuda_launch(launches, kernel, slot->tiled.tiles_x * slot->tiled.tiles_y,
                    32 * CCA_TILE_WARPS, 1, 4, args);
}

void cca_fine_launch_last(CudaLaunches *const launches, const CudaSlot *const slot,
                          const CudaImage *const region, const uint32_t blocks)
{
    const CudaArg args[] = { CUDA_ARG(region), CUDA_ARG(&slot->tiled), CUDA_ARG(&slot->compact),
                             CUDA_ARG(&slot->fine) };
    cca_cuda_launch(launches, CUDA_FINE_EMIT, blocks, CCA_LIST_THREADS, 1, 4, args);
}
