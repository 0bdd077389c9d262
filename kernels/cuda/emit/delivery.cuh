/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How the CPU learns that a frame is done: it looks at page-locked memory, without
 * the driver. */

#ifndef CCA_CUDA_EMIT_DELIVERY_CUH
#define CCA_CUDA_EMIT_DELIVERY_CUH

#include "../common.cuh"
#include "tables.h"

/* By all threads of all blocks of a frame's last kernel, at its end. */
DEVICE void end_frame(const CudaEmit &emit)
{
    __syncthreads();
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    __threadfence(); /* the records of this block, before it counts as done */
    if (atomicInc(emit.n_done, gridDim.x - 1) < gridDim.x - 1)
        return;
    __threadfence_system(); /* those of all blocks, before the frame is */
    const uint64_t frame = *emit.turn >> 32 & UINT16_MAX;
    store_for_cpu(&emit.delivery->done, frame << 48 | (uint64_t) emit.header->threshold << 32 |
                                            emit.header->n_found);
}

#endif /* CCA_CUDA_EMIT_DELIVERY_CUH */
