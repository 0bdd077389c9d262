/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_IMAGE_H
#define CCA_CUDA_IMAGE_H

#include <stdint.h>

/* The region to analyse and the parameters of the analysis. Kernels get it by value, and the tables
 * of their algorithm (tables/). */
typedef struct CudaImage {
    const uint8_t *data;    /* first pixel of the region, in device memory; for a mask the word
                             * that contains it */
    uint64_t stride;        /* bytes from row to row */
    uint32_t width, height; /* of the region, at least 1 */
    uint32_t x, y;          /* of the region in the frame */
    uint32_t low, range;    /* a lifted sample v is inside if v - low <= range */
    uint32_t invert;        /* 0 or 1 */
    uint32_t corner;        /* 1 if corner neighbours count (8-connectivity), else 0 */
    uint64_t min_area, max_area;
    uint32_t by_marks;         /* 1: components whose area passes may be rejected by a CcaFilter.
                                * The tiled algorithm marks the others, see CudaCompact. */
    uint32_t lift;             /* samples of 2 bytes are shifted left by this */
    const uint32_t *threshold; /* Otsu: address of the threshold, in values */
    uint32_t drop, end;        /* Otsu: value = lifted sample >> drop; `low` to `end` is inside */
    uint32_t open_radius, close_radius; /* of the opening and the closing of the mask */
    uint32_t n_pixels;                  /* of the working set */
    uint32_t first_bit; /* for a mask: bit of the region's first column in the word at `data` */
    uint32_t working_row_words; /* 0: the working set is the region */
    const uint32_t *working;    /* bits of the frame in rows of these words, and two words more */
} CudaImage;

#endif /* CCA_CUDA_IMAGE_H */
