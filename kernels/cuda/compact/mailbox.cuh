/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How the CPU learns that a frame is done: it looks at page-locked memory, without
 * the driver. */

#ifndef CCA_CUDA_COMPACT_MAILBOX_CUH
#define CCA_CUDA_COMPACT_MAILBOX_CUH

#include "../common.cuh"
#include "tables.h"

/* What is told beside the records and the last word, by one thread of the last kernel, early:
 * to wait for it at the end would take longer. */
DEVICE void begin_mailbox(const CudaCompact &compact, const uint32_t n_open,
                          const uint32_t n_runs = 0)
{
    compact.mailbox->n_open = n_open;
    compact.mailbox->n_runs = n_runs;
    compact.mailbox->overflows = 0;
}

/* What else it is to know was written before. */
DEVICE void tell_cpu(const CudaCompact &compact, const uint64_t frame, const uint32_t threshold,
                     const uint32_t n_found)
{
    store_for_cpu(&compact.mailbox->done,
                  (frame & UINT16_MAX) << 48 | (uint64_t) threshold << 32 | n_found);
}

/* The end of a frame that the rank scan has counted; by all threads of all blocks of its last
 * kernel. The last block tells the CPU, which sees what all blocks have written. */
DEVICE void end_frame(const CudaCompact &compact)
{
    __syncthreads();
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    /* on their way while the fence waits */
    const uint64_t turn = load_relaxed(compact.turn);
    const uint32_t threshold = load_relaxed(&compact.header->threshold);
    const uint32_t n_found = load_relaxed(&compact.header->n_found);
    __threadfence(); /* the records of this block, before it counts as done */
    if (atomicInc(compact.n_done, gridDim.x - 1) == gridDim.x - 1)
        tell_cpu(compact, turn >> 32, threshold, n_found);
}

#endif /* CCA_CUDA_COMPACT_MAILBOX_CUH */
