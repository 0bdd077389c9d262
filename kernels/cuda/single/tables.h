/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_SINGLE_TABLES_H
#define CCA_CUDA_SINGLE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* A narrow tile; with a row of its neighbours above and below it has a word for each thread. */
#define CCA_SINGLE_WIDTH 128
#define CCA_SINGLE_MAX_ROWS 142
#define CCA_SINGLE_MAX_THREADS (CCA_SINGLE_WIDTH / 32 * (CCA_SINGLE_MAX_ROWS + 2))
/* A wide one, with those rows. */
#define CCA_WIDE_WIDTH 256
#define CCA_WIDE_MAX_ROWS 302
#define CCA_WIDE_THREADS 608

#define CCA_SINGLE_MAX_TILES 152
#define CCA_SINGLE_MAX_TILES_X 16

/* Open components of a frame, at the most. */
#define CCA_SINGLE_NODES 10240
/* Bytes of shared memory that a block has. */
#define CCA_SINGLE_SHARED (152 * 1024)
#define CCA_WIDE_SHARED (226 * 1024)

/* Contacts of a border: the few that threads keep, of which the first are all that most frames
 * have; and the most that there can be. */
#define CCA_SINGLE_FIRST 8
#define CCA_SINGLE_FEW 16
#define CCA_SINGLE_CONTACTS 320

/* An open component, in pixels of the region. */
typedef struct CudaSingleNode {
    uint32_t first; /* pixel, y << 16 | x */
    uint32_t area, sum_x, sum_y;
    uint32_t min_x, max_x, max_y;
    uint32_t reserved;
} CudaSingleNode;

/* What the blocks count together, 0 before the frame. */
typedef struct CudaSingleCounters {
    uint64_t grid; /* blocks at the barrier, open components << 8, runs, blocks with
                    * foreground << 40, with a border of more than the first contacts << 48,
                    * without room << 56 */
    uint64_t ended; /* blocks that are done, components found << 8 */
    uint32_t n_closed[CCA_SINGLE_MAX_TILES]; /* closed components of each row of tiles */
} CudaSingleCounters;

/* Pixels by their value, 0 between frames. Each tile adds to one of the histograms: to one
 * alone they would wait for each other. */
#define CCA_SINGLE_HISTOGRAMS 8
typedef struct CudaSingleCounts {
    uint32_t histograms[CCA_SINGLE_HISTOGRAMS][256];
} CudaSingleCounts;

/* Border 2 t is the lower one of tile t, 2 t + 1 its right one. A contact is a pair of
 * components: the upper or left one, and the lower or right one << 16. */
typedef struct CudaSingle {
    uint32_t tiles_x, tiles_y, n_tiles;
    uint32_t rows; /* of a tile */
    uint32_t is_wide; /* whether it is a wide one */
    uint32_t *parity; /* 0 or 1: which counters are this frame's. The others become 0. No
                       * launch has an argument of its own frame, so a CUDA graph of it
                       * can be replayed. */
    CudaSingleCounters *counters; /* two */
    CudaSingleCounts *counts;
    CudaSingleNode *nodes;
    uint32_t *firsts; /* CudaSingleNode.first of each, once more */
    uint16_t *few;    /* contacts: the first four of each border, then the next four, ... */
    uint16_t *corners; /* contacts of tile t with the one right below, then left below */
    uint16_t *more;  /* those of each border that are not among the few, by their number, */
    uint16_t *n_contacts; /* and how many it has of both kinds */
    uint8_t *row_counts; /* closed components that begin in each row of each tile: 16 tiles
                          * for each row of the region */
} CudaSingle;

/* Whether frames go by the single kernel, on the host: see single.c. */
typedef struct CudaSingleChoice {
    bool has_wide;   /* a multiprocessor has room for a wide tile */
    uint32_t pause;  /* frames that are still not to go by it ... */
    bool to_the_end; /* ... even if they look like less work */
} CudaSingleChoice;

#endif /* CCA_CUDA_SINGLE_TABLES_H */
