/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Histogram of bytes for one block. Each lane counts in its own copy in its own shared memory
 * bank, so that uniform regions cause no conflicts. */

#ifndef CCA_CUDA_FOREGROUND_COUNTS_CUH
#define CCA_CUDA_FOREGROUND_COUNTS_CUH

#include "pass.cuh"

/* In shared memory of a block of `n_warps` warps. All threads call every function below. */
template <uint32_t n_warps> struct ByteCounts {
    static constexpr uint32_t n_own = (256 - 1) / n_warps + 1; /* values that a warp sums up */
    static_assert(n_own <= WARP, "a lane for each");

    uint32_t bins[256][WARP];

    __device__ __forceinline__ uint32_t own(const uint32_t k) const
    {
        return threadIdx.x / WARP * n_own + k;
    }

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (uint32_t k = 0; k < n_own; k++)
            if (256 % n_warps == 0 || own(k) < 256)
                bins[own(k)][threadIdx.x % WARP] = 0;
    }

    /* Counts the samples of each lane whose bit is set in its `which`. */
    __device__ __forceinline__ void count(const Samples16<uint8_t> &samples, const uint32_t which)
    {
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            if (which >> i & 1)
                atomicAdd(&bins[get<uint8_t>(samples, i)][threadIdx.x % WARP], 1);
    }

    __device__ __forceinline__ void add_to(uint32_t *const histogram) const
    {
        const uint32_t lane = threadIdx.x % WARP;
        uint32_t mine = 0;
#pragma unroll
        for (uint32_t k = 0; k < n_own; k++)
            if (256 % n_warps == 0 || own(k) < 256) {
                const uint32_t sum = warp_sum(bins[own(k)][lane]);
                mine = lane == k ? sum : mine;
            }
        if (lane < n_own && mine > 0)
            atomicAdd(histogram + own(lane), mine);
    }
};

#endif /* CCA_CUDA_FOREGROUND_COUNTS_CUH */
