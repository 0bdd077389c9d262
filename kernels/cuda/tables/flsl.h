/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_TABLES_FLSL_H
#define CCA_CUDA_TABLES_FLSL_H

#include <stdint.h>

/* Rows of a block in FLSL's detection kernel: the fastest of 1 to 32. */
#define CCA_FLSL_STRIP 4
/* Warps that share a row in the kernels after it: the fastest of 1 to 8. */
#define CCA_FLSL_ROW_WARPS 4

/* FLSL's tables. Edges are numbered along a row: run s of row y begins at edge 2 s, ends at edge
 * 2 s + 1, and has label y * run_stride + s. */
typedef struct CudaFlsl {
    void *er;            /* ER: number of edges at or left of each pixel; width per row */
    void *rlc;           /* RLC: positions of the edges; 2 * run_stride per row */
    uint32_t *n_edges;   /* N: number of edges of each row, always even */
    uint32_t run_stride; /* maximum number of runs in a row */
    uint32_t *parent;    /* L: union-find over the labels; a root is the smallest label */
    uint32_t *area;      /* S; the other features follow, one table each */
    uint32_t *min_x, *max_x, *max_y;
    uint64_t *sum_x, *sum_y;
} CudaFlsl;

#endif /* CCA_CUDA_TABLES_FLSL_H */
