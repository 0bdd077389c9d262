/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_COMPACT_TABLES_H
#define CCA_CUDA_COMPACT_TABLES_H

#include "../../cca.h"

/* Of the frame that a slot has, on the GPU. */
typedef struct CudaHeader {
    uint32_t n_found;
    uint32_t n_emitted; /* by area: records written so far */
    uint32_t threshold; /* that Otsu's method found */
    uint32_t reserved[13];
} CudaHeader;

/* What the CPU sees of a frame, in page-locked memory, which the GPU writes to: the
 * records, and last, as a whole, frame << 48 | threshold << 32 | n_found. Frames are
 * counted from 1, in 16 bits. */
typedef struct CudaMailbox {
    uint64_t done;
    uint32_t n_open;    /* components that reach from one tile into the next */
    uint32_t overflows; /* of a small frame: it does not fit after all, and nothing was found */
    uint32_t n_fine, n_blocks; /* of a frame taken for one of fine grain, as in CudaTileCounts */
    uint32_t n_runs; /* of a small frame in wide tiles, nearly, but for those that touch nothing */
    uint32_t reserved[9];
    CcaComponent records[];
} CudaMailbox;

/* First pixels are counted by patches of the frame. */
#define CCA_PATCH_WIDTH 128
#define CCA_PATCH_HEIGHT 64
#define CCA_PATCH_WORDS (CCA_PATCH_WIDTH / 32) /* of a row */

/* Threads of a block of the rank scan, which has a row of patches. */
#define CCA_RANK_THREADS 512

/* Selection of the largest components: keys are compared digit by digit. */
#define CCA_SELECT_DIGIT_BITS 11
#define CCA_SELECT_DIGITS 6
#define CCA_SELECT_BINS (1 << CCA_SELECT_DIGIT_BITS)
#define CCA_SELECT_THREADS 256

typedef struct CudaSelectState {
    uint64_t prefix; /* digits of the smallest key to keep, as far as they are known */
    uint32_t n_left; /* keys to keep among those that start with it */
    uint32_t reserved;
} CudaSelectState;

/* The end that both algorithms share: each component that passes the filters
 * has the bit of its first pixel set; the number of bits before it is its rank in
 * raster order, and so the place of its record. Rows of patches are counted: a place is one,
 * patches being in raster order, and in each its rows. */
typedef struct CudaCompact {
    uint32_t *first;         /* bitmap of whole patches, bit x % 32 of word
                              * y * row_words + x / 32; means nothing where a place has none */
    uint8_t *counts;         /* bits of each place; below the frame there are none */
    uint32_t *prefix;        /* bits before each place, in raster order of the frame */
    uint64_t *strips;        /* state of the look-back, one a row of patches */
    uint64_t *turn;          /* of the scan: frames before << 32 | strips begun. No launch
                              * has an argument of its own frame, so a CUDA graph of the
                              * launches can be replayed. */
    uint32_t patches_x, patches_y;
    uint32_t row_words;
    uint32_t max_components; /* records there is room for */
    uint32_t by_area;        /* 1: the largest components are kept, in any order */
    uint32_t *areas;         /* by_area: area of each rank, for FLSL alone, */
    uint32_t *bins;          /* a histogram for each digit, all 0 at first, */
    CudaSelectState *states; /* and what each pass starts from; the last is the answer */
    CudaHeader *header;
    CudaMailbox *mailbox;
    uint32_t *n_done;        /* blocks of a frame's last kernel that are; 0 between frames */
} CudaCompact;

/* Where labels go, as CcaLabels has it. */
typedef struct CudaLabels {
    uint8_t *data; /* of the frame's first pixel; NULL: nobody asks for labels */
    uint64_t stride, narrow_stride;
    uint32_t bits;          /* in device code also the form that was chosen; 0: none */
    uint32_t width, height; /* of the frame */
    uint32_t empty;         /* 1: so is the region, and nothing is in the header */
} CudaLabels;

/* Threads of a block where labels are cleared, a warp for each row. */
#define CCA_LABEL_THREADS 256

#endif /* CCA_CUDA_COMPACT_TABLES_H */
