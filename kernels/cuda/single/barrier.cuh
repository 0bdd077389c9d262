/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A barrier of all blocks of a cooperative launch, by one counter in global memory. */

#ifndef CCA_CUDA_BARRIER_CUH
#define CCA_CUDA_BARRIER_CUH

#include "../common.cuh"

/* The lowest bits of the counter are the number of blocks that have arrived. The bits above sum
 * up other numbers. */
#define ARRIVALS_BITS 8

/* Adds `more` to the counter. Called by one thread of each block, after a barrier of the block. */
DEVICE void arrive_at_grid(uint64_t *const counter, const uint64_t more)
{
    add_release(counter, more + 1);
}

/* Returns the counter once all blocks have arrived. The other blocks' earlier writes are then
 * visible to the thread, and to its block after another barrier. */
DEVICE uint64_t await_grid(uint64_t *const counter)
{
    for (;;) {
        const uint64_t v = load_acquire(counter);
        if ((v & ((1 << ARRIVALS_BITS) - 1)) >= gridDim.x)
            return v;
        wait_for_blocks();
    }
}

/* Arrives, and waits for all others. */
DEVICE uint64_t wait_for_grid(uint64_t *const counter, const uint64_t more)
{
    arrive_at_grid(counter, more);
    return await_grid(counter);
}

#endif /* CCA_CUDA_BARRIER_CUH */
