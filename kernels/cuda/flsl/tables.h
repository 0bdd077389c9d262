/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FLSL_TABLES_H
#define CCA_CUDA_FLSL_TABLES_H

#include <stdint.h>

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

#endif /* CCA_CUDA_FLSL_TABLES_H */
