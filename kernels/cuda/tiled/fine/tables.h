/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FINE_TABLES_H
#define CCA_CUDA_FINE_TABLES_H

#include <stdbool.h>

#include "../tables.h"

/* Words of a closed component that is listed. */
#define CCA_LISTED_WORDS 3

/* Which components begin in a row of a tile, by their first pixels. Those that are neither
 * listed nor open have one pixel. */
typedef struct CudaTileRow {
    uint32_t listed[CCA_TILE_WIDTH / 32], open[CCA_TILE_WIDTH / 32];
} CudaTileRow;

/* What frames of fine grain have in place of CudaTiled's closed ones, in the same
 * memory. Of a tile both closed and open components are in raster order, and a closed one is
 * listed, or no more than a bit if it is known to have one pixel. */
typedef struct CudaFine {
    uint32_t *listed;      /* CCA_LISTED_WORDS each, see listed.cuh */
    uint32_t *listed_base; /* first one of each tile that has any components */
    CudaTileRow *rows;     /* CCA_TILE_HEIGHT a tile, where any component begins, */
    uint32_t *rows_before; /* and what is listed of the tile before the row, and open << 16 */
} CudaFine;

/* Whether frames are taken for ones of fine grain, on the host: see fine.c. */
typedef struct CudaFineChoice {
    bool is_worth;     /* it was in the last one */
    bool many_in_vain; /* many components do not mean that it is */
    uint32_t left;     /* frames before the next attempt, */
    uint32_t pause;    /* and how many those were */
} CudaFineChoice;

#endif /* CCA_CUDA_FINE_TABLES_H */
