/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames of fine grain, host side: tables, and what they have for the first and the last
 * kernel of the tiled algorithm. */

#include "../engine.h"

void cca_dense_lay_out(CudaDense *const t, CcaArena *const arena, const CcaConfig *const config)
{
    const uint64_t n_tiles = cca_tiled_count(config->width, config->height);
    const uint64_t n_rows = n_tiles * CCA_TILE_HEIGHT;
    const CudaMostClosed most = cca_tiled_most_closed(config);
    /* two pixels take 7 halves, of which a single one has 4 */
    const uint64_t n_listed = (most.halves + 3 * most.single) / 7 + 1;
    t->listed = cca_arena_place(arena, n_listed, CCA_LISTED_WORDS * sizeof(*t->listed));
    t->listed_base = cca_arena_place(arena, n_tiles, sizeof(*t->listed_base));
    t->rows = cca_arena_place(arena, n_rows, sizeof(*t->rows));
    t->rows_before = cca_arena_place(arena, n_rows, sizeof(*t->rows_before));
}

void cca_dense_label(CudaLaunches *const launches, const CudaSlot *const slot)
{
    const CudaKernel kernel = slot->pixels == CUDA_PIXELS_8  ? CUDA_DENSE_8 :
                              slot->pixels == CUDA_PIXELS_16 ? CUDA_DENSE_16 :
                                                               CUDA_DENSE_MASK;
    const CudaArg args[] = { CUDA_ARG(&slot->image), CUDA_ARG(&slot->tiled),
                             CUDA_ARG(&slot->emit), CUDA_ARG(&slot->dense) };
    cca_cuda_launch(launches, kernel, slot->tiled.tiles_x * slot->tiled.tiles_y,
                    32 * CCA_TILE_WARPS, 1, 4, args);
}

void cca_dense_emit(CudaLaunches *const launches, const CudaSlot *const slot,
                    const CudaImage *const region, const uint32_t blocks)
{
    const CudaArg args[] = { CUDA_ARG(region), CUDA_ARG(&slot->tiled), CUDA_ARG(&slot->emit),
                             CUDA_ARG(&slot->dense) };
    cca_cuda_launch(launches, CUDA_DENSE_EMIT, blocks, CCA_LIST_THREADS, 1, 4, args);
}
