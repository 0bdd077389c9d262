/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_LAUNCH_H
#define CCA_CUDA_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "module.h"

/* A context on a GPU with the engine's kernels. */
typedef struct CudaGpu {
    CudaModule module;
    CUfunction kernels[N_CUDA_KERNELS];
    uint32_t n_multiprocessors;
    uint32_t n_cooperating; /* maximum blocks of a cooperative launch; 0: not supported */
    bool overlaps;          /* programmatic dependent launch: compute capability 9.0 */
    bool graphs;            /* the driver can make CUDA graphs of the kernels */
} CudaGpu;

/* Maximum number of launches of a frame. The selection needs 7 of them. */
#define CCA_MAX_LAUNCHES 22
#define CCA_MAX_ARGS 6
#define CCA_MAX_ARG_BYTES (CCA_MAX_LAUNCHES * 512)

/* A launch: the kernel, its grid, and offsets of its arguments in CudaLaunches.bytes. */
typedef struct CudaLaunch {
    CudaKernel kernel;
    uint32_t blocks, threads_x, threads_y;
    uint32_t shared;   /* bytes of dynamic shared memory per block */
    uint32_t together; /* 1: a cooperative launch, all blocks run at the same time */
    uint32_t n_args;
    uint32_t args[CCA_MAX_ARGS], arg_sizes[CCA_MAX_ARGS];
} CudaLaunch;

/* The launches of a frame on one stream. They are collected first, and then submitted one by one
 * or as a graph. Each but the first may start before the previous one has ended. The struct is
 * large, so only cca_cuda_begin_launches() initialises it. */
typedef struct CudaLaunches {
    const CudaGpu *gpu;
    bool begun; /* at least one of them has reached the GPU */
    uint32_t n, n_bytes;
    CudaLaunch list[CCA_MAX_LAUNCHES];
    uint64_t bytes[CCA_MAX_ARG_BYTES / sizeof(uint64_t)]; /* copies of the arguments */
} CudaLaunches;

static inline void cca_cuda_begin_launches(CudaLaunches *const launches, const CudaGpu *const gpu)
{
    launches->gpu = gpu;
    launches->begun = false;
    launches->n = launches->n_bytes = 0;
}

/* Address and size of a kernel's argument. */
typedef struct CudaArg {
    const void *p;
    size_t size;
} CudaArg;
#define CUDA_ARG(p) { (p), sizeof(*(p)) }

/* Allows the kernels from `first` to `last` this much dynamic shared memory per block. */
CUresult cca_cuda_allow_shared(const CudaGpu *gpu, CudaKernel first, CudaKernel last, int bytes);

/* Adds a kernel with blocks of `threads_x` * `threads_y` threads. */
void cca_cuda_launch(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks, uint32_t threads_x,
                     uint32_t threads_y, uint32_t n_args, const CudaArg *args);

/* Adds a kernel whose blocks have `threads` threads and `shared` bytes of dynamic shared memory. */
void cca_cuda_launch_shared(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                            uint32_t threads, uint32_t shared, uint32_t n_args,
                            const CudaArg *args);

/* Adds a cooperative launch: the same, and all blocks run at the same time. */
void cca_cuda_launch_together(CudaLaunches *launches, CudaKernel kernel, uint32_t blocks,
                              uint32_t threads, uint32_t shared, uint32_t n_args,
                              const CudaArg *args);

/* A frame's launches as a CUDA graph. A frame needs one driver call, and one more for each launch
 * whose arguments have changed. The graph is made after a few consecutive frames with the same
 * kernels. All 0: no graph yet. */
typedef struct CudaGraph {
    CUgraphExec exec; /* NULL: no graph yet */
    CUgraph graph;
    CUgraphNode nodes[CCA_MAX_LAUNCHES];
    CudaLaunches launches; /* those in the graph; without one, of the first of these frames */
    uint32_t n_same;       /* consecutive frames with the same kernels */
} CudaGraph;

/* Submits the launches, as `graph` if possible, one by one if it is NULL. */
CUresult cca_cuda_submit(CudaGpu *gpu, CudaGraph *graph, CudaLaunches *launches, CUstream stream);
void cca_cuda_free_graph(const CudaGpu *gpu, CudaGraph *graph);

#endif /* CCA_CUDA_LAUNCH_H */
