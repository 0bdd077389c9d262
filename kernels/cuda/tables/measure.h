/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_MEASURE_H
#define CCA_CUDA_TABLES_MEASURE_H

#include <stdint.h>

#include "../../cca.h"

/* Words of a measured component of a tile, in pixels of the tile. Sums of more than 32 bits are
 * split: their words have the low 16 bits of each addend, and those of `HIGH` the others. These are
 * used with samples of 16 bits only. */
enum CudaMeasureWord {
    CUDA_WORD_XX,
    CUDA_WORD_XY,
    CUDA_WORD_YY,
    CUDA_WORD_PAIRS,     /* of 4-neighbours, and squares of 2x2 pixels << 16 */
    CUDA_WORD_DIAGONALS, /* squares of which only two pixels are foreground, at opposite corners,
                          * and belong to the component */
    CUDA_WORD_V,
    CUDA_WORD_NOT_V_MIN, /* the maximum of ~v */
    CUDA_WORD_PEAK,      /* the maximum of v << 13 | the complement of the pixel's index */
    CUDA_WORD_VV,
    CUDA_WORD_VX,
    CUDA_WORD_VY,
    CUDA_WORD_VV_HIGH,
    CUDA_WORD_VX_HIGH,
    CUDA_WORD_VY_HIGH,
    CUDA_N_WORDS
};

/* The words of each CcaFeatureFlags are consecutive. */
#define CUDA_MOMENTS_END CUDA_WORD_PAIRS
#define CUDA_SHAPE_END CUDA_WORD_V
#define CUDA_NARROW_END CUDA_WORD_VV_HIGH

enum CudaMeasureSum {
    CUDA_SUM_XX,
    CUDA_SUM_XY,
    CUDA_SUM_YY,
    CUDA_SUM_PAIRS,
    CUDA_SUM_SQUARES,
    CUDA_SUM_DIAGONALS,
    CUDA_SUM_V,
    CUDA_SUM_VV,
    CUDA_SUM_VX,
    CUDA_SUM_VY,
    CUDA_N_SUMS
};

/* A measured component, in pixels of the region. All values of open ones are 0 at first. */
typedef struct CudaMeasured {
    uint64_t sums[CUDA_N_SUMS];
    uint64_t peak;      /* the maximum of v << 32 | the complement of the pixel's index */
    uint64_t not_v_min; /* the maximum of ~v, in 32 bits */
} CudaMeasured;

/* Contacts of an open component with other tiles, and its diagonals with other open components of
 * the tile: pairs | squares << CUDA_CONTACT_SQUARES | diagonals << CUDA_CONTACT_DIAGONALS. */
#define CUDA_CONTACT_SQUARES 9
#define CUDA_CONTACT_DIAGONALS 18

/* Maximum number of squares with two open components at opposite corners in a tile. */
#define CCA_TILE_DIAGONALS (128 * 64)

/* What to measure, and the tables for it. */
typedef struct CudaMeasure {
    const uint8_t *pixels; /* first one of the region */
    uint64_t stride;
    uint32_t flags;        /* CcaFeatureFlags */
    uint32_t wide;         /* 1: samples have 2 bytes */
    uint32_t shift, mask;  /* value = sample >> shift & mask */
    uint32_t from, to;     /* the words that are summed up, as in CudaMeasureWord */
    uint32_t *closed;      /* `to` - `from` words of each closed component, isolated runs apart */
    CudaMeasured *open;    /* of each open component */
    uint32_t *contacts;    /* of each open component */
    uint16_t *diagonals;   /* CCA_TILE_DIAGONALS for each tile: pairs of open components less
                            * open_base, with 4-connectivity */
    uint32_t *n_diagonals; /* for each tile */
    CcaFeatures *records;  /* for the CPU, in page-locked memory */
} CudaMeasure;

#endif /* CCA_CUDA_TABLES_MEASURE_H */
