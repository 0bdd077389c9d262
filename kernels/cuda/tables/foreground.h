/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_FOREGROUND_H
#define CCA_CUDA_TABLES_FOREGROUND_H

#include <stdint.h>

#include "../../light.h"
#include "../../votes.h"

/* Pixels of each lane in the foreground pass: half a word of the mask. */
#define CCA_PASS_PIXELS 16
#define CCA_PASS_THREADS 256

/* Alignment of the rows of the background in bytes. */
#define CCA_BACKGROUND_ALIGNMENT 128

/* Histogram. CCA_HISTOGRAM_PLACES is the size of a block's hash table for 16-bit samples. */
#define CCA_HISTOGRAM_THREADS 1024
#define CCA_HISTOGRAM_BLOCKS 1 /* per multiprocessor */
#define CCA_HISTOGRAM_PLACES 4096
/* Values that a block of the choice reads, one for each thread. */
#define CCA_OTSU_THREADS 1024

/* Maximum number of blocks that count samples of light, in all and per multiprocessor. They should
 * be able to run at the same time. */
#define CCA_LIGHT_MAX_BLOCKS 512
#define CCA_LIGHT_BLOCKS 2
/* A block that has looked so often for the counts of others takes parts that are left. */
#define CCA_LIGHT_LOOKS 128
#define CCA_LIGHT_BINS (CCA_LIGHT_BANDS * CCA_LIGHT_SHIFTS)

/* The samples of a frame, all 0 before it. */
typedef struct CudaLight {
    /* The first word of each line is the sum of 4 n_brighter - 3 n and of 4 n_darker - 3 n, and
     * 2^32 for each part that has been added. */
    uint64_t sums[2][16];
    uint64_t counted[16]; /* in the first word, the number of parts that are in `bins` */
    uint32_t taken[CCA_LIGHT_MAX_BLOCKS / 32]; /* bitmap of the parts that a block counts */
    uint32_t bins[CCA_LIGHT_BINS];             /* by band and D */
} CudaLight;

/* Part of the mask that a block opens and closes. The words at the ends of a row are halo. */
#define CCA_MORPH_WORDS 32
#define CCA_MORPH_ROWS 96
#define CCA_MORPH_THREADS 1024
#define CCA_MORPH_MAX_HALO 44
#define CCA_MORPH_MAX_HALO_WORDS 2
/* If both radii are at most 1, a warp has a part of so many rows. */
#define CCA_MORPH_1_ROWS 16
#define CCA_MORPH_1_THREADS 128

/* A candidate for the threshold, see otsu.h. */
typedef struct CudaOtsuBest {
    uint64_t a_low, a_high, b;
    uint32_t threshold, found;
} CudaOtsuBest;

/* Inputs of the foreground kernels besides CudaImage, and their outputs. The mask has pixel x
 * of row y in bit x % 32 of word y * row_words + x / 32, and 0 past the end of a row. It covers
 * the whole frame if there is a background, else the region. */
typedef struct CudaForeground {
    uint32_t *mask;
    uint8_t *reference; /* sigma-delta: M; difference: the frame to compare with */
    uint8_t *stored;    /* sigma-delta: V; difference: the copy of this frame */
    uint8_t *candidate; /* with votes: K */
    uint8_t *votes;     /* a byte for each pixel: q, and e in the top bit */
    uint64_t pitch;     /* pixels per row of these; but for votes, one has the size of a sample */
    uint32_t row_words;
    uint32_t drop; /* bits below a value in a lifted sample */
    uint32_t first, due, contrast, step, noise_factor, max_variation; /* as in CcaUpdate */
    uint32_t tick, hold, settled;
    CudaLight *lights;      /* two, which take turns; NULL without sigma-delta */
    CudaLight *light;       /* that of the frame, if a change of light is looked for */
    CudaLight *next_light;  /* that of the next such frame */
    uint32_t light_turn;    /* index of `light` */
    uint32_t light_blocks;  /* the first ones, each of which counts a part */
    CcaLight *light_report; /* for the CPU, in page-locked memory */
    uint32_t roi_x, roi_y, roi_width, roi_height; /* of the frame if there is a background */
    uint32_t skips; /* nothing is read of pixels that are not analysed, because it is not updated */
    uint32_t counts;        /* whether foreground pixels are counted */
    uint64_t *count;        /* of them; in the upper half the number of blocks that have added
                             * theirs; 0 between frames */
    uint32_t *n_foreground; /* the sum, for the CPU, in page-locked memory */

    uint32_t *histogram; /* all 0 between frames */
    uint32_t *ticket;    /* number of blocks that have arrived; 0 between frames */
    CudaOtsuBest *best;  /* one for each block */
    uint32_t *threshold; /* the result */
    uint32_t n_values;
    uint32_t *opened; /* mask of the region after opening and closing */
    uint32_t opened_row_words;
    uint32_t *working; /* as in CudaImage */
} CudaForeground;

#endif /* CCA_CUDA_TABLES_FOREGROUND_H */
