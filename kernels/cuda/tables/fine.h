/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_FINE_H
#define CCA_CUDA_TABLES_FINE_H

#include <stdbool.h>

#include "tiled.h"

/* Words of a listed closed component. */
#define CCA_LISTED_WORDS 3

/* First pixels of the components that begin in a row of a tile. Components that are neither listed
 * nor open have one pixel. */
typedef struct CudaTileRow {
    uint32_t listed[CCA_TILE_WIDTH / 32], open[CCA_TILE_WIDTH / 32];
} CudaTileRow;

/* Tables of the fine mode, in the memory of CudaTiled's closed components. The closed and the open
 * components of a tile are in raster order. A closed component is listed, unless it is known to
 * have one pixel: then it is only a bit. */
typedef struct CudaFine {
    uint32_t *listed;      /* CCA_LISTED_WORDS each, see listed.cuh */
    uint32_t *listed_base; /* first listed one of each tile; undefined for empty tiles */
    CudaTileRow *rows;     /* CCA_TILE_HEIGHT per tile; only rows in which components begin */
    uint32_t *rows_before; /* components of the tile before each row: listed, open << 16 */
} CudaFine;

/* State on the host for the choice of the fine mode, see fine.c. */
typedef struct CudaFineChoice {
    bool was_faster;      /* the fine mode was faster for its last frame */
    bool many_was_slower; /* the fine mode was slower for a frame of many components */
    uint32_t left;        /* remaining frames before the next attempt */
    uint32_t pause;       /* length of the pause between attempts */
} CudaFineChoice;

#endif /* CCA_CUDA_TABLES_FINE_H */
