/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What the host passes to the kernels: plain structures, by value. */

#ifndef CCA_CUDA_LAYOUT_H
#define CCA_CUDA_LAYOUT_H

#include "../cca.h"

/* The region to analyse, and what is looked for in it. */
typedef struct CudaImage {
    const uint8_t *data;      /* first pixel of the region, in device memory */
    uint64_t stride;          /* bytes */
    uint32_t width, height;   /* of the region, at least 1 */
    uint32_t x, y;            /* of the region in the frame */
    uint32_t low, range;      /* a pixel v is inside the thresholds if v - low <= range */
    uint32_t invert;          /* 0 or 1 */
    uint32_t corner;          /* 1 if corner neighbours count (8-connectivity), else 0 */
    uint64_t min_area, max_area;
} CudaImage;

/* What precedes the records in the copy to the host. */
typedef struct CudaHeader {
    uint32_t n_found;
    uint32_t n_emitted; /* by area: records written so far */
    uint32_t reserved[14];
} CudaHeader;

/* A segment of the bitmap of first pixels, for which the prefix is kept. */
#define CCA_SEGMENT_WORDS 8
/* Segments that one block of the rank scan covers, one a thread. */
#define CCA_CHUNK_SEGMENTS 512
#define CCA_CHUNK_WORDS (CCA_SEGMENT_WORDS * CCA_CHUNK_SEGMENTS)

/* Selection of the largest components: keys are compared digit by digit. */
#define CCA_SELECT_DIGIT_BITS 11
#define CCA_SELECT_DIGITS 6
#define CCA_SELECT_BINS (1 << CCA_SELECT_DIGIT_BITS)

typedef struct CudaSelectState {
    uint64_t prefix; /* digits of the smallest key to keep, as far as they are known */
    uint32_t n_left; /* keys to keep among those that start with it */
    uint32_t reserved;
} CudaSelectState;

/* The end that both algorithms share: each component that passes the filters
 * has the bit of its first pixel set; the number of bits before it is its rank in
 * raster order, and so the place of its record. */
typedef struct CudaEmit {
    uint32_t *first;         /* bitmap, bit x % 32 of word y * row_words + x / 32; the words
                              * past the last row up to a whole chunk are 0 */
    uint32_t *prefix;        /* bits before each segment */
    uint64_t *chunks;        /* state of the look-back, one a chunk */
    uint64_t *turn;          /* of the scan: frames before << 32 | chunks begun. No launch
                              * has an argument of its own frame, so a CUDA graph of the
                              * launches can be replayed. */
    uint32_t row_words;
    uint32_t n_words;        /* of all rows */
    uint32_t n_chunks;
    uint32_t max_components; /* records there is room for */
    uint32_t by_area;        /* 1: the largest components are kept, in any order */
    uint32_t *areas;         /* by_area: area of each rank, */
    uint32_t *bins;          /* a histogram for each digit, all 0 at first, */
    CudaSelectState *states; /* and what each pass starts from; the last is the answer */
    CudaHeader *header;
    CcaComponent *records;
} CudaEmit;

/* Rows of a block in FLSL's detection kernel. Searched: 1 to 32. */
#define CCA_FLSL_STRIP 4
/* Warps that share a row in the kernels after it. Searched: 1 to 8. */
#define CCA_FLSL_ROW_WARPS 4

/* FLSL's tables. Edges are numbered along a row: run s of a row lies between
 * edges 2 s and 2 s + 1, and has label y * run_stride + s. */
typedef struct CudaFlsl {
    void *er;            /* ER: edges at or left of each pixel; width a row */
    void *rlc;           /* RLC: positions of the edges; 2 * run_stride a row */
    uint32_t *n_edges;   /* N: edges of each row, always even */
    uint32_t run_stride; /* most runs a row can have */
    uint32_t *parent;    /* L: union-find over the labels, a root is the smallest */
    uint32_t *area;      /* S, and the other features, one table each */
    uint32_t *min_x, *max_x, *max_y;
    uint64_t *sum_x, *sum_y;
} CudaFlsl;

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
} CudaTileCounts;

/* Tables of the tiled algorithm. A component that touches no edge with a
 * neighbour tile is closed: it is complete, and kept as one packed record. The
 * others are open: nodes of a union-find across tiles, with tables of features
 * in pixels of the region. */
typedef struct CudaTiled {
    uint32_t tiles_x, tiles_y;
    CudaTileCounts *counts; /* as the tiles go on; 0 between frames */
    CudaTileCounts *totals; /* what they came to, for the kernels after the merge */
    void *closed;           /* 16 bytes each, see tiled/closed.cuh */
    uint32_t *open_base;    /* first open component of each tile; UINT32_MAX: it has none */
    uint8_t *edges;         /* CCA_EDGE_LABELS a tile: open component, from open_base, or NONE */
    uint32_t *parent;
    uint32_t *area, *min_x, *max_x, *max_y;
    uint32_t *first;        /* first pixel: y * width + x */
    uint64_t *sum_x, *sum_y;
} CudaTiled;

#endif /* CCA_CUDA_LAYOUT_H */
