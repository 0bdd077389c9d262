/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Kernels that break a rule each, for misuse.c. One block of 64 threads, but where
 * there are two. */

#include "cuda/image.h"
#include "cuda/single/barrier.cuh"
#include "device.h"

struct Words {
    uint32_t *data;
    uint32_t n;
};

/* Breaks none: the words backwards, by way of shared memory. */
static void misuse_none(const Words w)
{
    __shared__ uint32_t words[64];
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < w.n)
        w.data[threadIdx.x] = words[63 - threadIdx.x];
}

static void misuse_image(const CudaImage)
{
}

/* Reads values of other threads without a wait. */
static void misuse_race(const Words w)
{
    __shared__ uint32_t words[64];
    words[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < w.n)
        w.data[threadIdx.x] = words[63 - threadIdx.x];
}

/* One more than each word that the kernel before has written. */
static void misuse_next(const Words w)
{
    simcuda_wait_for_grids();
    if (threadIdx.x < w.n)
        w.data[threadIdx.x]++;
}

/* The same, with the summand in shared memory during the wait. */
static void misuse_next_keeps(const Words w)
{
    __shared__ uint32_t ones[64];
    ones[threadIdx.x] = 1;
    simcuda_wait_for_grids();
    __syncthreads();
    if (threadIdx.x < w.n)
        w.data[threadIdx.x] += ones[63 - threadIdx.x];
}

/* One more, too, but it does not wait for that kernel. */
static void misuse_next_early(const Words w)
{
    const uint32_t word = w.data[threadIdx.x];
    simcuda_wait_for_grids();
    if (threadIdx.x < w.n)
        w.data[threadIdx.x] = word + 1;
}

static void misuse_write_past_end(const Words w)
{
    if (threadIdx.x == 0)
        w.data[w.n] = 0;
}

/* Lane 31 is waited for, but has returned. */
static void misuse_lane_returned(const Words w)
{
    if (threadIdx.x == 31)
        return;
    w.data[0] = __ballot_sync(0xffffffffu, true);
}

/* Two halves of a warp wait for all of it in different places. */
static void misuse_lanes_apart(const Words w)
{
    if (threadIdx.x % 32 < 16)
        w.data[0] = __reduce_add_sync(0xffffffffu, 1);
    else
        w.data[1] = __ballot_sync(0xffffffffu, true);
}

static void misuse_not_in_mask(const Words w)
{
    w.data[0] = __ballot_sync(0xfffffffeu, true);
}

static void misuse_shuffle_from_outside(const Words w)
{
    if (threadIdx.x < 16)
        w.data[0] = __shfl_sync(0xffffu, 1u, 20);
}

/* Warp 1 does not come to the barrier. */
static void misuse_barrier_left_out(const Words)
{
    if (threadIdx.x < 32)
        __syncthreads();
}

/* Each of two blocks writes a word, and reads the other's once both have: words 0 and 1,
 * 4 and 5. Words 2 and 3 are the counter of the barrier. */
static void misuse_grid(const Words w)
{
    const uint32_t block = blockIdx.x;
    if (threadIdx.x == 0)
        w.data[block] = block + 1;
    __syncthreads();
    if (threadIdx.x == 32)
        wait_for_grid((uint64_t *) (w.data + 2), 0);
    __syncthreads();
    if (threadIdx.x == 0)
        w.data[4 + block] = w.data[1 - block];
}

/* The second block ends without coming. */
static void misuse_grid_left_out(const Words w)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        wait_for_grid((uint64_t *) w.data, 0);
}

static void misuse_unaligned(const Words w)
{
    w.data[0] = __ldcs((const uint4 *) (w.data + 1)).x;
}
