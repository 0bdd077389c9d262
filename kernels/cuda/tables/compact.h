/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_COMPACT_H
#define CCA_CUDA_TABLES_COMPACT_H

#include "../../cca.h"
#include "../../light.h"

/* Results of a slot's frame, in device memory. */
typedef struct CudaHeader {
    uint32_t n_found;
    uint32_t n_emitted; /* records written so far, if the largest components are kept */
    uint32_t threshold; /* found by Otsu's method */
    uint32_t reserved[13];
} CudaHeader;

/* Results of a frame for the CPU, written by the GPU in page-locked memory. `done` is written
 * last, by one store: frame << 48 | threshold << 32 | n_found. Frames are counted from 1, modulo
 * 2^16. */
typedef struct CudaMailbox {
    uint64_t done;
    uint32_t n_open;           /* components that reach from one tile into the next */
    uint32_t overflows;        /* single: the frame does not fit its tables, and has no result */
    uint32_t n_fine, n_blocks; /* tiled in fine mode: as in CudaTileCounts */
    uint32_t n_runs;       /* single with wide tiles: about the number of runs that touch others */
    CcaLight light;        /* written in frames that compensate light */
    uint32_t n_foreground; /* written in frames that count foreground */
    uint32_t reserved[6];
    CcaComponent records[];
} CudaMailbox;

/* First pixels are counted for each row of each patch. */
#define CCA_PATCH_WIDTH 128
#define CCA_PATCH_HEIGHT 64
#define CCA_PATCH_WORDS (CCA_PATCH_WIDTH / 32) /* of a row */

/* Threads of a block of the rank scan, which processes a row of patches. */
#define CCA_RANK_THREADS 512

/* Selection of the largest components: keys are compared digit by digit. */
#define CCA_SELECT_DIGIT_BITS 11
#define CCA_SELECT_DIGITS 6
#define CCA_SELECT_BINS (1 << CCA_SELECT_DIGIT_BITS)
#define CCA_SELECT_THREADS 256

typedef struct CudaSelectState {
    uint64_t prefix; /* known digits of the smallest key to keep */
    uint32_t n_left; /* keys to keep among those that start with it */
    uint32_t reserved;
} CudaSelectState;

/* Where and how to find peaks. */
typedef struct CudaPeaks {
    const uint8_t *data; /* first pixel of the region */
    uint64_t stride;     /* bytes from row to row */
    uint32_t sample_size, lift;
    uint32_t low, range; /* a lifted sample v is a peak if v - low <= range */
} CudaPeaks;

/* Compaction, shared by flsl and tiled. Each component that passes the filters has the bit of
 * its first pixel set. The number of bits before it is its rank in raster order, and so the
 * index of its record. Bits are counted for each patch row: patches are in raster order, and the
 * rows of a patch are consecutive. */
typedef struct CudaCompact {
    uint32_t *first;  /* bitmap of whole patches, bit x % 32 of word
                       * y * row_words + x / 32; undefined where the count is 0 */
    uint8_t *counts;  /* bits of each patch row; 0 below the frame */
    uint32_t *prefix; /* bits before each patch row, in raster order of the frame */
    uint64_t *strips; /* state of the look-back, one for each row of patches */
    uint64_t *ticket; /* of the scan: frames before << 32 | next strip. The frame is
                       * counted on the GPU, not passed as an argument, so that a CUDA
                       * graph of the launches can be replayed. */
    uint32_t patches_x, patches_y;
    uint32_t row_words;
    uint32_t max_components; /* capacity of the records */
    uint32_t by_area;        /* 1: the largest components are kept, in any order */
    uint32_t *areas;         /* by_area: area of each rank, used by flsl only */
    uint32_t *bins;          /* by_area: a histogram for each digit, all 0 at first */
    CudaSelectState *states; /* by_area: initial state of each pass; the last is the result */
    CudaHeader *header;
    CudaMailbox *mailbox;
    uint32_t *peaks;  /* with min_peak: bitmap like `first` of the components with a peak, all 0
                       * when the frame begins */
    uint32_t *n_done; /* finished blocks of a frame's last kernel; 0 between frames */
} CudaCompact;

/* Destination of the labels, see CcaLabels. */
typedef struct CudaLabels {
    uint8_t *data; /* of the frame's first pixel; NULL: no labels are requested */
    uint64_t stride, narrow_stride;
    uint32_t bits;          /* per label; labels_form() sets it to the size chosen, 0: none */
    uint32_t width, height; /* of the frame */
    uint32_t empty;         /* 1: the region is empty, and the header is not valid */
} CudaLabels;

/* Threads of a block that clears labels, one warp for each row. */
#define CCA_LABEL_THREADS 256

#endif /* CCA_CUDA_TABLES_COMPACT_H */
