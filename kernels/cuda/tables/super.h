/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_SUPER_H
#define CCA_CUDA_TABLES_SUPER_H

#include <stdint.h>

#include "measure.h"
#include "tiled.h"

/* A super tile: the part of a frame that a multiprocessor keeps in shared memory. A warp has a
 * strip of its rows, and each lane a column of words of 32 pixels. */
#define CCA_SUPER_WIDTH 1024
#define CCA_SUPER_ROW_WORDS (CCA_SUPER_WIDTH / 32)
#define CCA_SUPER_STRIP_ROWS 16

/* The size of a tile follows from the shared memory of the architecture that the kernels are
 * compiled for. */
typedef struct CudaSuperSize {
    uint32_t strips;
    uint32_t slots, measured;         /* maximum number of components, and if there are features */
    uint32_t shared, measured_shared; /* bytes of shared memory of a block, and with features */
} CudaSuperSize;
/* For compute capability 9.0 to 11.0; 8.0 and 8.7; 8.6, 8.9 and 12.0; 7.5. */
#define CCA_SUPER_N_SIZES 4
#define CCA_SUPER_SIZES                            \
    {                                              \
        { 32, 4544, 784, 226 * 1024, 186 * 1024 }, \
        { 22, 3264, 528, 163 * 1024, 163 * 1024 }, \
        { 13, 1888, 288, 99 * 1024, 99 * 1024 },   \
        { 8, 896, 192, 64 * 1024, 64 * 1024 },     \
    }
/* Maxima of all sizes. */
#define CCA_SUPER_STRIPS 32
#define CCA_SUPER_MAX_ROWS (CCA_SUPER_STRIPS * CCA_SUPER_STRIP_ROWS)
#define CCA_SUPER_SLOTS 4544
#define CCA_SUPER_MEASURED 784
/* Maximum number of tiles of a frame that one kernel analyses. */
#define CCA_SUPER_MAX_TILES 152
/* Maximum number of nodes of a strip. */
#define CCA_SUPER_STRIP_NODES 384
#define CCA_SUPER_NODES (CCA_SUPER_STRIPS * CCA_SUPER_STRIP_NODES) /* of a tile */
/* Bytes of shared memory of a block that labels no pixels. */
#define CCA_SUPER_STAGE_SHARED (56 * 1024)

/* Bits of a fraction of a column of tiles, see CudaSuper.begin. */
#define CCA_SUPER_SLOPE_BITS 8

/* Edge labels of a tile: the top row, the left column, and for CCA_FEATURES_SHAPE or the next stage
 * the bottom row and the right column. */
#define CCA_SUPER_EDGE_LEFT CCA_SUPER_WIDTH
#define CCA_SUPER_EDGE_BOTTOM (CCA_SUPER_EDGE_LEFT + CCA_SUPER_MAX_ROWS)
#define CCA_SUPER_EDGE_RIGHT (CCA_SUPER_EDGE_BOTTOM + CCA_SUPER_WIDTH)
#define CCA_SUPER_EDGE_LABELS (CCA_SUPER_EDGE_RIGHT + CCA_SUPER_MAX_ROWS)

/* Counters shared by all blocks, 0 between frames. Those of barriers count the blocks in their
 * lowest bits. With a kernel for each stage there are no barriers. */
typedef struct CudaSuperCounters {
    uint64_t labelled; /* barrier; also open components << 8, blocks that overflowed << 56 */
    uint64_t merged, reduced, counted, ranked, measured; /* barriers */
    uint64_t ended;              /* finished blocks, components found << 32 */
    uint32_t n_open, overflowed; /* with a kernel for each stage: open components, or a flag */
} CudaSuperCounters;

/* With a kernel for each stage: the components of a tile. */
typedef struct CudaSuperStored {
    uint32_t slots[CCA_SUPER_SLOTS][4];     /* see pack_slot() */
    uint32_t counted[CCA_SUPER_SLOTS / 32]; /* bitmap of those that begin in the tile and are
                                             * found */
    uint32_t n, n_open;                     /* components, and open ones */
    uint32_t reserved[4];
} CudaSuperStored;

/* A component that touches an edge with a neighbour tile is open: a node of a union-find over the
 * frame, whose number is that of its tile * CudaSuperSize.slots + its number in the tile. */
typedef struct CudaSuper {
    uint32_t tiles_x; /* tiles of a row */
    uint32_t n_tiles;
    int32_t begin, slope; /* row y of tiles begins in column (begin + slope y) / 2^8 */
    uint32_t rows;        /* of a tile */
    uint32_t strip_rows;  /* of a strip */
    uint32_t is_staged;   /* there is a kernel for each stage */
    CudaSuperCounters *counters;
    uint64_t *parent; /* first pixel of the parent << 32 | node: the smallest is the root */
    CudaOpen *open;
    uint16_t *edges;         /* CCA_SUPER_EDGE_LABELS per tile: number in the tile, or 0xffff */
    uint16_t *row_counts;    /* components that begin in each row of a tile */
    uint32_t *totals;        /* components that begin in each tile */
    CudaSuperStored *stored; /* with a kernel for each stage: one per tile */
    uint16_t *numbers;       /* and for label images: CCA_SUPER_NODES per tile, the number of each
                              * node's component */
    uint64_t *words;         /* for label images without features: the words of the rows of the
                              * region, in whole tiles: word | its first node << 32; NULL: none */
    uint32_t *bottom_words;  /* for CCA_FEATURES_SHAPE: CCA_SUPER_ROW_WORDS per tile, its last row;
                              * NULL: none */
    CudaMeasured *measured;  /* for features: CCA_SUPER_MEASURED per tile, sums of the roots of the
                              * frame; 0 between frames */
} CudaSuper;

/* State on the host for the choice of the algorithm, see super.c. */
typedef struct CudaSuperChoice {
    CudaSuperSize size;
    bool fits_gpu;  /* a multiprocessor has enough shared memory */
    uint32_t pause; /* frames until the kernel is tried again */
} CudaSuperChoice;

#endif /* CCA_CUDA_TABLES_SUPER_H */
