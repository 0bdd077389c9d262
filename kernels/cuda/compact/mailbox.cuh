/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Reports the end of a frame in page-locked memory, which the CPU reads without a driver call. */

#ifndef CCA_CUDA_COMPACT_MAILBOX_CUH
#define CCA_CUDA_COMPACT_MAILBOX_CUH

#include "../common.cuh"
#include "../tables/compact.h"

/* Writes all reports but the records and the last word. One thread of the last kernel calls it
 * early, so that the fence at the end does not wait for these writes. */
DEVICE void begin_mailbox(const CudaCompact &compact, const uint32_t n_open,
                          const uint32_t n_runs = 0)
{
    compact.mailbox->n_open = n_open;
    compact.mailbox->n_runs = n_runs;
    compact.mailbox->overflows = 0;
}

/* All else that the CPU reads must be written before. */
DEVICE void report_frame(const CudaCompact &compact, const uint64_t frame, const uint32_t threshold,
                         const uint32_t n_found)
{
    store_for_cpu(&compact.mailbox->done,
                  (frame & UINT16_MAX) << 48 | (uint64_t) threshold << 32 | n_found);
}

/* Reports a frame of an algorithm with one kernel, which cannot select the largest components.
 * `before` is the number of frames before this one. */
DEVICE void report_whole_frame(const CudaCompact &compact, const uint32_t before,
                               const uint32_t threshold, const uint32_t n_found,
                               const bool has_room)
{
    const uint64_t frame = (uint64_t) before + 1;
    const bool fits = has_room && !(compact.by_area && n_found > compact.max_components);
    if (!fits)
        compact.mailbox->overflows = 1;
    report_frame(compact, frame, threshold, n_found);
    if (fits) /* otherwise the next algorithm analyses and counts the frame */
        *compact.ticket = frame << 32;
}

/* Ends a frame of an algorithm with the rank scan. Called by all threads of all blocks of the
 * last kernel. The last block reports to the CPU, which then sees the writes of all blocks. */
DEVICE void end_frame(const CudaCompact &compact)
{
    __syncthreads();
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    /* These loads overlap with the fence. */
    const uint64_t ticket = load_relaxed(compact.ticket);
    const uint32_t threshold = load_relaxed(&compact.header->threshold);
    const uint32_t n_found = load_relaxed(&compact.header->n_found);
    __threadfence(); /* the records of this block must be visible before it counts as done */
    if (atomicInc(compact.n_done, gridDim.x - 1) == gridDim.x - 1)
        report_frame(compact, ticket >> 32, threshold, n_found);
}

#endif /* CCA_CUDA_COMPACT_MAILBOX_CUH */
