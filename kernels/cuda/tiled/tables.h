/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TILED_TABLES_H
#define CCA_CUDA_TILED_TABLES_H

#include <stdint.h>

/* A tile: what one thread block labels in shared memory. */
#define CCA_TILE_WIDTH 128
#define CCA_TILE_HEIGHT 64
#define CCA_TILE_WORDS (CCA_TILE_WIDTH / 32 * CCA_TILE_HEIGHT)
/* Warps of its block; and of the kernels for frames of few tiles. */
#define CCA_TILE_WARPS 4
#define CCA_TILE_SOON_WARPS 8
/* Components that touch the edge of a tile: at most every other pixel of it. */
#define CCA_TILE_MAX_OPEN (CCA_TILE_WIDTH + CCA_TILE_HEIGHT)
/* Pixels of such an edge that a thread joins with the other side. */
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

/* Numbers of the components that tiles have given out. */
typedef struct CudaTileCounts {
    uint32_t n_closed, n_open;
    union {
        uint32_t n_isolated;
        uint32_t n_fine; /* of the kernels for fine grain: tiles that have such, */
    };
    uint32_t n_blocks; /* and those that were labelled by blocks of pixels */
} CudaTileCounts;

/* Greatest values of an open component; of what the least is asked for, the complement. */
enum CudaGreatest { CUDA_NOT_MIN_X, CUDA_MAX_X, CUDA_MAX_Y, CUDA_N_GREATEST };

/* Features of an open component, in pixels of the region. What is asked for at once lies
 * in one sector of the L2. */
typedef struct CudaOpen {
    uint32_t area;
    uint32_t greatest[CUDA_N_GREATEST];
    uint64_t sums[2]; /* of x and y */
} CudaOpen;

/* Tables of the tiled algorithm. A component that touches no edge with a
 * neighbour tile is closed: it is complete, and kept as one packed record, which
 * is a shorter one for an isolated run. The others are open: nodes of a union-find
 * across tiles. */
typedef struct CudaTiled {
    uint32_t tiles_x, tiles_y;
    CudaTileCounts *counts; /* as the tiles go on; 0 between frames */
    CudaTileCounts *totals; /* what they came to, for the kernels after the merge */
    void *closed;           /* 16 bytes each, see closed.cuh, */
    void *isolated_end;     /* and 8, from the end of the same memory down */
    uint32_t *open_base;    /* first open component of each tile; UINT32_MAX: it has none */
    uint8_t *edges;         /* CCA_EDGE_LABELS a tile: open component, from open_base, or NONE */
    uint32_t *parent;
    CudaOpen *open;
    uint32_t *first;        /* first pixel: y * width + x */
} CudaTiled;

#endif /* CCA_CUDA_TILED_TABLES_H */
