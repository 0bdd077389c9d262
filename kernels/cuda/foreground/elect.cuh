/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FOREGROUND_ELECT_CUH
#define CCA_CUDA_FOREGROUND_ELECT_CUH

#include "../common.cuh"
#include "../tables/foreground.h"

/* True in the last block that arrives; it then sees the writes of all other blocks. Called by
 * all threads of a block. */
DEVICE bool arrive_and_elect_last(const CudaForeground &f)
{
    bool last = false;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(f.ticket, 1) == gridDim.x - 1;
    last = __syncthreads_or(last);
    __threadfence();
    return last;
}

#endif /* CCA_CUDA_FOREGROUND_ELECT_CUH */
