/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_SINGLE_H
#define CCA_CUDA_TABLES_SINGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "measure.h"

/* Narrow tiles. Each word of the tile, and of the rows above and below it, has a thread. */
#define CCA_SINGLE_WIDTH 128
#define CCA_SINGLE_MAX_ROWS 142
#define CCA_SINGLE_MAX_THREADS (CCA_SINGLE_WIDTH / 32 * (CCA_SINGLE_MAX_ROWS + 2))
/* Wide tiles. Threads also load the rows above and below the tile. */
#define CCA_WIDE_WIDTH 256
#define CCA_WIDE_MAX_ROWS 302
#define CCA_WIDE_THREADS 608

#define CCA_SINGLE_MAX_TILES 152
#define CCA_SINGLE_MAX_TILES_X 16

/* Maximum number of open components of a frame. */
#define CCA_SINGLE_NODES 10240
/* Bytes of shared memory of a block. */
#define CCA_SINGLE_SHARED (152 * 1024)
#define CCA_WIDE_SHARED (226 * 1024)
#define CCA_SINGLE_MEASURED_SHARED (226 * 1024)

/* With features: maximum number of closed components of a tile, isolated runs apart, and of
 * diagonals between open components of the same tile that may be one. */
#define CCA_SINGLE_MEASURED 640
#define CCA_SINGLE_DIAGONALS 10240

/* Contacts of a border. Most frames have no more than CCA_SINGLE_FIRST. Threads keep up to
 * CCA_SINGLE_FEW in registers. No border can have more than CCA_SINGLE_CONTACTS. */
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

/* Sums of an open component, in pixels of the region: of each of CudaMeasureSum the lower 16 bits
 * and the others, so that those of all components fit, and two maxima. */
enum { CUDA_SINGLE_NOT_MIN = 2 * CUDA_N_SUMS, CUDA_SINGLE_PEAK, CUDA_SINGLE_WORDS };
#define CUDA_SINGLE_PEAK_BITS 22 /* v << these | the complement of the pixel's index */
typedef struct CudaSingleMeasured {
    uint32_t words[CUDA_SINGLE_WORDS + 2]; /* whole vectors */
} CudaSingleMeasured;

/* Counters shared by all blocks, 0 before the frame. */
typedef struct CudaSingleCounters {
    uint64_t grid;   /* blocks at the barrier, open components << 8, runs << 25, blocks with
                      * foreground << 40, with a border of more than CCA_SINGLE_FIRST contacts
                      * << 48, that overflowed << 56 */
    uint64_t sifted; /* blocks at the second barrier */
    uint64_t ended;  /* finished blocks, components found << 8 */
    uint32_t n_closed[CCA_SINGLE_MAX_TILES]; /* closed components of each row of tiles */
    uint32_t n_diagonals;
} CudaSingleCounters;

/* Histograms of the pixels, 0 between frames. There are several, to reduce contention between the
 * atomic operations of the tiles. */
#define CCA_SINGLE_HISTOGRAMS 8
typedef struct CudaSingleCounts {
    uint32_t histograms[CCA_SINGLE_HISTOGRAMS][256];
} CudaSingleCounts;

/* Border 2 t is the lower border of tile t, border 2 t + 1 its right border. A contact is a pair
 * of components: the upper or left one, and the lower or right one << 16. */
typedef struct CudaSingle {
    uint32_t tiles_x, tiles_y, n_tiles;
    uint32_t rows;    /* of a tile */
    uint32_t is_wide; /* 1: wide tiles */
    uint32_t *parity; /* 0 or 1: index of this frame's counters. The kernel clears the others for
                       * the next frame. It is not an argument, so that a CUDA graph of the
                       * launch can be replayed. */
    CudaSingleCounters *counters; /* two */
    CudaSingleCounts *counts;
    CudaSingleNode *nodes;
    uint32_t *firsts;     /* copies of CudaSingleNode.first */
    uint32_t *found;      /* with limits of boxes: first pixel of the component whose root this
                           * is, or UINT32_MAX if it is rejected */
    uint16_t *few;        /* contacts: the first four of all borders, then the next four, ... */
    uint16_t *corners;    /* contacts of tile t with the tile below right, then below left */
    uint16_t *more;       /* CCA_SINGLE_CONTACTS per border, of which the first few are unused */
    uint16_t *n_contacts; /* number of contacts of each border */
    CudaSingleMeasured *measured; /* with features: of each open component */
    uint32_t *diagonals;          /* and CudaSingleCounters.n_diagonals pairs: a | b << 16 */
    uint8_t *row_counts; /* closed components that begin in each row of each tile: 16 bytes,
                          * one per tile, for each row of the region */
} CudaSingle;

/* State on the host for the choice between the single kernel and others, see single.c. */
typedef struct CudaSingleChoice {
    bool has_wide;     /* wide tiles fit the shared memory of a multiprocessor */
    bool can_measure;  /* narrow tiles with features do */
    uint32_t pause;    /* remaining frames of the pause */
    bool no_early_end; /* the pause has its full length, even if frames are within the limits */
} CudaSingleChoice;

#endif /* CCA_CUDA_TABLES_SINGLE_H */
