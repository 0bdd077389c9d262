/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_STUDY_TOGETHER_CUH
#define CCA_STUDY_TOGETHER_CUH

/* Kernels whose threads are numbered along a list, and those whose blocks wait for each
 * other. */

#include "product.cuh"

/* tig, the thread's index in the grid. */
DEVICE uint32_t thread_in_grid()
{
    return (blockIdx.x * blockDim.y + threadIdx.y) * WARP + threadIdx.x;
}

/* cooperative_groups::this_grid().sync(), for the round-th time since the counter was 0. */
DEVICE void sync_grid(uint64_t *const arrivals, const uint32_t round)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        add_release(arrivals, 1);
        while (load_acquire(arrivals) < (uint64_t) round * gridDim.x)
            wait_for_blocks();
    }
    __syncthreads();
}

#endif /* CCA_STUDY_TOGETHER_CUH */
