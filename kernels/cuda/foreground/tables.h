/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FOREGROUND_TABLES_H
#define CCA_CUDA_FOREGROUND_TABLES_H

#include <stdint.h>

/* Pixels that a lane of the foreground pass has: half a word of the mask. */
#define CCA_PASS_PIXELS 16
#define CCA_PASS_THREADS 256

/* Rows of the background begin at multiples of so many bytes. */
#define CCA_BACKGROUND_ALIGNMENT 128

/* Histogram; and of 16-bit samples the values that a block counts for itself. */
#define CCA_HISTOGRAM_THREADS 1024
#define CCA_HISTOGRAM_BLOCKS 1 /* for a multiprocessor */
#define CCA_HISTOGRAM_PLACES 4096
/* Values that a block of the choice looks at, one a thread. */
#define CCA_OTSU_THREADS 1024

/* Part of the mask that a block opens and closes: words of a row, of which those
 * at its ends are only looked at, and rows. */
#define CCA_MORPH_WORDS 32
#define CCA_MORPH_ROWS 32
#define CCA_MORPH_THREADS 1024
#define CCA_MORPH_MAX_HALO 44
#define CCA_MORPH_MAX_HALO_WORDS 2

/* A candidate for the threshold, see otsu.h. */
typedef struct CudaOtsuBest {
    uint64_t a_low, a_high, b;
    uint32_t threshold, found;
} CudaOtsuBest;

/* What decides on foreground besides CudaImage, and where the answer goes. The
 * mask has pixel x of row y in bit x % 32 of word y * row_words + x / 32, and 0 past
 * the end of a row; it is of the whole frame with a background, else of the region. */
typedef struct CudaForeground {
    uint32_t *mask;
    uint8_t *reference; /* sigma-delta: M; difference: the frame to compare with, */
    uint8_t *stored;    /* V; where this frame is kept. Rows of `pitch` bytes, of the samples'
                         * size, of values */
    uint64_t pitch;
    uint32_t row_words;
    uint32_t drop; /* bits below a value in a lifted sample */
    uint32_t first, due, contrast, step, noise_factor, max_variation; /* as in CcaUpdate */

    uint32_t *histogram; /* all 0 between frames, */
    uint32_t *ticket;    /* likewise: blocks that have made their choice */
    CudaOtsuBest *best;  /* of each block */
    uint32_t *threshold; /* the answer */
    uint32_t n_values;
    uint32_t *opened; /* mask of the region, opened and closed */
    uint32_t opened_row_words;
} CudaForeground;

#endif /* CCA_CUDA_FOREGROUND_TABLES_H */
