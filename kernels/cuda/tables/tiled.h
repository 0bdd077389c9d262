/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_TILED_H
#define CCA_CUDA_TABLES_TILED_H

#include <stdint.h>

/* A tile: the part of a frame that a block labels in shared memory. */
#define CCA_TILE_WIDTH 128
#define CCA_TILE_HEIGHT 64
#define CCA_TILE_WORDS (CCA_TILE_WIDTH / 32 * CCA_TILE_HEIGHT)
/* Warps of a block; the second is for frames with few tiles. */
#define CCA_TILE_WARPS 4
#define CCA_TILE_SOON_WARPS 8
/* Maximum number of components that touch the edge of a tile: every other pixel of it. */
#define CCA_TILE_MAX_OPEN (CCA_TILE_WIDTH + CCA_TILE_HEIGHT)
/* Pixels of an edge that a thread joins with the other side. */
#define CCA_EDGE_ITEM 4
/* Edge labels of a tile: top and bottom row, left and right column. */
#define CCA_EDGE_TOP 0
#define CCA_EDGE_BOTTOM CCA_TILE_WIDTH
#define CCA_EDGE_LEFT (2 * CCA_TILE_WIDTH)
#define CCA_EDGE_RIGHT (2 * CCA_TILE_WIDTH + CCA_TILE_HEIGHT)
#define CCA_EDGE_LABELS (2 * (CCA_TILE_WIDTH + CCA_TILE_HEIGHT))
#define CCA_EDGE_NONE 255

/* Threads of a block in the kernels that walk lists. */
#define CCA_LIST_THREADS 256

/* Numbers of components that tiles have allocated. */
typedef struct CudaTileCounts {
    uint32_t n_closed, n_open;
    union {
        uint32_t n_isolated;
        uint32_t n_fine; /* fine mode: tiles of fine grain */
    };
    uint32_t n_blocks; /* fine mode: tiles that were labelled by blocks of pixels */
} CudaTileCounts;

/* Maxima of an open component. A minimum is stored as the maximum of the complement. */
enum CudaGreatest { CUDA_NOT_MIN_X, CUDA_MAX_X, CUDA_MAX_Y, CUDA_N_GREATEST };

/* Features of an open component, in pixels of the region, in one sector of the L2. */
typedef struct CudaOpen {
    uint32_t area;
    uint32_t greatest[CUDA_N_GREATEST];
    uint64_t sums[2]; /* of x and y */
} CudaOpen;

/* Tables of the tiled algorithm. A component that touches no edge with a neighbour tile is closed:
 * it is complete, and stored as a packed record, which is shorter for an isolated run. The others
 * are open: they are nodes of a union-find across tiles. */
typedef struct CudaTiled {
    uint32_t tiles_x, tiles_y;
    CudaTileCounts *counts; /* incremented by the tiles; 0 between frames */
    CudaTileCounts *totals; /* their final values, for the kernels after the merge */
    void *closed;           /* closed components of 16 bytes, see closed.cuh */
    void *isolated_end;     /* isolated runs of 8 bytes, from this end of `closed` down */
    uint32_t *open_base;    /* first open component of each tile; UINT32_MAX: none */
    uint8_t *edges;         /* CCA_EDGE_LABELS per tile: open component less open_base, or NONE */
    uint32_t *parent;
    CudaOpen *open;
    uint32_t *first; /* first pixel: y * width + x */
} CudaTiled;

#endif /* CCA_CUDA_TABLES_TILED_H */
