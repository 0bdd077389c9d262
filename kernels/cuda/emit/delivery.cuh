/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How the CPU learns that a frame is done: it looks at page-locked memory, without
 * the driver. */

#ifndef CCA_CUDA_EMIT_DELIVERY_CUH
#define CCA_CUDA_EMIT_DELIVERY_CUH

#include "../common.cuh"
#include "tables.h"

/* By all threads of all blocks of a frame's last kernel, at its end: whether the thread is
 * the one to tell the CPU, which sees what all blocks have written. */
DEVICE bool ends_frame(const CudaEmit &emit)
{
    __syncthreads();
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return false;
    __threadfence(); /* the records of this block, before it counts as done */
    return atomicInc(emit.n_done, gridDim.x - 1) == gridDim.x - 1;
}

/* What else it is to know was written before. */
DEVICE void tell_cpu(const CudaEmit &emit, const uint64_t frame, const uint32_t threshold,
                     const uint32_t n_found)
{
    store_for_cpu(&emit.delivery->done,
                  (frame & UINT16_MAX) << 48 | (uint64_t) threshold << 32 | n_found);
}

/* The end of a frame that the rank scan has counted. */
DEVICE void end_frame(const CudaEmit &emit)
{
    if (!ends_frame(emit))
        return;
    const CudaHeader &h = *emit.header;
    emit.delivery->n_open = load_relaxed(&h.n_open);
    emit.delivery->overflows = 0;
    tell_cpu(emit, *emit.turn >> 32, load_relaxed(&h.threshold), load_relaxed(&h.n_found));
}

#endif /* CCA_CUDA_EMIT_DELIVERY_CUH */
