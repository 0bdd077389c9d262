/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_IMAGE_H
#define CCA_CUDA_IMAGE_H

#include <stdint.h>

/* The region to analyse and the parameters of the analysis. Passed to the kernels by value, as
 * the tables of each algorithm are (tables.h in its folder). */
typedef struct CudaImage {
    const uint8_t *data;    /* first pixel of the region, in device memory; of a mask, the
                             * first word of its first row */
    uint64_t stride;        /* bytes */
    uint32_t width, height; /* of the region, at least 1 */
    uint32_t x, y;          /* of the region in the frame */
    uint32_t low, range;    /* a lifted sample v is inside if v - low <= range */
    uint32_t invert;        /* 0 or 1 */
    uint32_t corner;        /* 1 if corner neighbours count (8-connectivity), else 0 */
    uint64_t min_area, max_area;
    uint32_t lift;             /* samples of 2 bytes are shifted left by this */
    const uint32_t *threshold; /* Otsu: address of the threshold, a value */
    uint32_t drop, end;        /* Otsu: value = lifted sample >> drop; `low` to `end` is inside */
    uint32_t open_radius, close_radius; /* still to be applied to the mask */
    uint32_t reserved;  /* 0; without it there would be padding with undefined bytes */
    uint32_t first_bit; /* of a mask in place of samples: pixel 0 of the region in a row */
} CudaImage;

#endif /* CCA_CUDA_IMAGE_H */
