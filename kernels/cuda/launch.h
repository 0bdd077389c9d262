/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_LAUNCH_H
#define CCA_CUDA_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver.h"
#include "kernels.h"

struct CudaEngine;

/* Launches of a frame at the most: the selection takes 7 of them. */
#define CCA_MAX_LAUNCHES 20
#define CCA_MAX_ARGS 4
#define CCA_MAX_ARG_BYTES (CCA_MAX_LAUNCHES * 512)

/* A launch: the kernel, its grid, and where its arguments lie in CudaLaunches. */
typedef struct CudaLaunch {
    CudaKernel kernel;
    uint32_t blocks, threads_x, threads_y;
    uint32_t shared;   /* bytes of shared memory for each block */
    uint32_t together; /* 1: all blocks run at the same time */
    uint32_t n_args;
    uint32_t args[CCA_MAX_ARGS], arg_sizes[CCA_MAX_ARGS];
} CudaLaunch;

/* The launches of a frame, on one stream, as a list: they are made all at once, one by
 * one or as a graph. Each but the first may begin before the one before it is done. */
typedef struct CudaLaunches {
    const struct CudaEngine *e;
    bool begun; /* the GPU has one of them, or more */
    uint32_t n, n_bytes;
    CudaLaunch list[CCA_MAX_LAUNCHES];
    uint64_t bytes[CCA_MAX_ARG_BYTES / sizeof(uint64_t)]; /* copies of the arguments */
} CudaLaunches;

/* An argument: where it is, and its size. */
typedef struct CudaArg {
    const void *p;
    size_t size;
} CudaArg;
#define CUDA_ARG(p) { (p), sizeof(*(p)) }

/* Adds a kernel with blocks of `threads_x` * `threads_y` threads. */
void cca_cuda_launch(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                     uint32_t threads_x, uint32_t threads_y, uint32_t n_args,
                     const CudaArg *args);

/* Adds a kernel all of whose blocks run at the same time, with `shared` bytes of shared
 * memory for each. */
void cca_cuda_launch_together(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                              uint32_t threads, uint32_t shared, uint32_t n_args,
                              const CudaArg *args);

/* graph.c: launches as a CUDA graph, which takes one call of the driver instead of one
 * for each, and an update of those whose arguments have changed. It is made when some
 * frames in a row have had the same kernels. */
typedef struct CudaGraph {
    CUgraphExec exec; /* NULL: there is none yet */
    CUgraph graph;
    CUgraphNode nodes[CCA_MAX_LAUNCHES];
    CudaLaunches launches; /* as they are in it, or of the last frame */
    uint32_t n_alike;      /* frames in a row */
} CudaGraph;

/* Makes the launches, through `graph` where that can be; one by one if it is NULL. */
CUresult cca_cuda_submit(struct CudaEngine *e, CudaGraph *graph, CudaLaunches *launches,
                         CUstream stream);
void cca_cuda_free_graph(const struct CudaEngine *e, CudaGraph *graph);

#endif /* CCA_CUDA_LAUNCH_H */
