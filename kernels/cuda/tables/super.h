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
#define CCA_SUPER_STRIPS 32
#define CCA_SUPER_STRIP_ROWS 16
#define CCA_SUPER_MAX_ROWS (CCA_SUPER_STRIPS * CCA_SUPER_STRIP_ROWS)
#define CCA_SUPER_MAX_TILES 152
/* Maximum number of components of a tile. */
#define CCA_SUPER_SLOTS 4544
/* The same of a frame with features. */
#define CCA_SUPER_MEASURED 784
/* Maximum number of nodes of a strip. */
#define CCA_SUPER_STRIP_NODES 384
#define CCA_SUPER_NODES (CCA_SUPER_STRIPS * CCA_SUPER_STRIP_NODES) /* of a tile */
/* Bytes of shared memory of a block, and if there are features. */
#define CCA_SUPER_SHARED (226 * 1024)
#define CCA_SUPER_MEASURED_SHARED (186 * 1024)

/* Edge labels of a tile: the top row, the left column, and for CCA_FEATURES_SHAPE the bottom row
 * and the right column. */
#define CCA_SUPER_EDGE_LEFT CCA_SUPER_WIDTH
#define CCA_SUPER_EDGE_BOTTOM (CCA_SUPER_EDGE_LEFT + CCA_SUPER_MAX_ROWS)
#define CCA_SUPER_EDGE_RIGHT (CCA_SUPER_EDGE_BOTTOM + CCA_SUPER_WIDTH)
#define CCA_SUPER_EDGE_LABELS (CCA_SUPER_EDGE_RIGHT + CCA_SUPER_MAX_ROWS)

/* Counters shared by all blocks, 0 between frames. Those of barriers count the blocks in their
 * lowest bits. */
typedef struct CudaSuperCounters {
    uint64_t labelled; /* barrier; also open components << 8, blocks that overflowed << 56 */
    uint64_t merged, reduced, counted, ranked, measured; /* barriers */
    uint64_t ended; /* finished blocks, components found << 8 */
} CudaSuperCounters;

/* A component that touches an edge with a neighbour tile is open: a node of a union-find over the
 * frame, whose number is that of its tile * CCA_SUPER_SLOTS + its number in the tile. */
typedef struct CudaSuper {
    uint32_t tiles_x, n_tiles;
    uint32_t rows;       /* of a tile */
    uint32_t strip_rows; /* of a strip */
    CudaSuperCounters *counters;
    uint64_t *parent; /* first pixel of the parent << 32 | node: the smallest is the root */
    CudaOpen *open;
    uint16_t *edges;        /* CCA_SUPER_EDGE_LABELS per tile: number in the tile, or 0xffff */
    uint16_t *row_counts;   /* components that begin in each row of a tile */
    uint32_t *totals;       /* components that begin in each tile */
    uint64_t *words;        /* for label images without features: the words of the rows of the
                             * region, in whole tiles: word | its first node << 32; NULL: none */
    uint32_t *bottom_words; /* for CCA_FEATURES_SHAPE: CCA_SUPER_ROW_WORDS per tile, its last row;
                             * NULL: none */
    CudaMeasured *measured; /* for features: CCA_SUPER_MEASURED per tile, sums of the roots of the
                             * frame; 0 between frames */
} CudaSuper;

/* State on the host for the choice of the algorithm, see super.c. */
typedef struct CudaSuperChoice {
    bool fits_gpu;  /* a multiprocessor has enough shared memory */
    uint32_t pause; /* frames until the kernel is tried again */
} CudaSuperChoice;

#endif /* CCA_CUDA_TABLES_SUPER_H */
