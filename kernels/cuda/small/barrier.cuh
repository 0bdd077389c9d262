/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A barrier of all blocks of a cooperative launch, by one counter in global memory. */

#ifndef CCA_CUDA_BARRIER_CUH
#define CCA_CUDA_BARRIER_CUH

#include "../common.cuh"

#ifdef CCA_SIMULATED
DEVICE void add_release(uint64_t *const p, const uint64_t v)
{
    simcuda_may_switch();
    __atomic_fetch_add(p, v, __ATOMIC_RELEASE);
    simcuda_tell_blocks();
}

DEVICE uint64_t load_acquire(const uint64_t *const p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

DEVICE uint64_t fetch_add(uint64_t *const p, const uint64_t v)
{
    simcuda_may_switch();
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
}

DEVICE void add_relaxed(uint32_t *const p, const uint32_t v)
{
    atomicAdd(p, v);
    simcuda_tell_blocks();
}

DEVICE uint64_t told()
{
    return simcuda_told();
}

/* The same for all lanes, none of which has looked yet. */
DEVICE uint64_t told_warp()
{
    return __shfl_sync(ALL_LANES, told(), 0);
}

DEVICE void wait_for_blocks(const uint64_t since = told())
{
    simcuda_wait_for_blocks(since);
}

DEVICE uint4 load_relaxed(const uint4 *const p)
{
    simcuda_may_switch();
    return *p;
}
#else
DEVICE void add_release(uint64_t *const p, const uint64_t v)
{
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

DEVICE uint64_t load_acquire(const uint64_t *const p)
{
    uint64_t v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

/* Before all that follows, and after all that this thread knows to be written. */
DEVICE uint64_t fetch_add(uint64_t *const p, const uint64_t v)
{
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old) : "l"(p), "l"(v) : "memory");
    return old;
}

DEVICE void add_relaxed(uint32_t *const p, const uint32_t v)
{
    atomicAdd(p, v);
}

DEVICE uint64_t told_warp()
{
    return 0;
}

DEVICE void wait_for_blocks(uint64_t = 0) {}

/* Each of the four for itself. */
DEVICE uint4 load_relaxed(const uint4 *const p)
{
    uint4 v;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory");
    return v;
}
#endif

/* The lowest bits of the counter are the blocks that have arrived; what is above them is
 * summed up on the way. */
#define ARRIVALS_BITS 8

/* By one thread of each block, after a barrier of the block: returns the counter once all
 * blocks have come. What they wrote before is then visible, to the thread's block after
 * another barrier. `more` is added to the counter. */
DEVICE uint64_t wait_for_grid(uint64_t *const counter, const uint64_t more)
{
    add_release(counter, more + 1);
    for (;;) {
        const uint64_t v = load_acquire(counter);
        if ((v & ((1 << ARRIVALS_BITS) - 1)) >= gridDim.x)
            return v;
        wait_for_blocks();
    }
}

#endif /* CCA_CUDA_BARRIER_CUH */
