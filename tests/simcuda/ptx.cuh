/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef SIMCUDA_PTX_CUH
#define SIMCUDA_PTX_CUH

/* In place of kernels/cuda/device/ptx.cuh, which has the comments: the same functions, in terms
 * of run.h. */

#include "device.h"

#define WARP 32
#define ALL_LANES 0xffffffffu
#define DEVICE static __device__ __forceinline__

DEVICE uint32_t lane_mask_lt()
{
    return (1u << simcuda_now->lane) - 1;
}
DEVICE uint32_t lane_mask_le()
{
    return lane_mask_lt() << 1 | 1;
}
DEVICE uint32_t lane_mask_gt()
{
    return ~lane_mask_le();
}

DEVICE uint32_t read_block_index()
{
    return blockIdx.x;
}

DEVICE uint32_t max_of_pairs(const uint32_t a, const uint32_t b, const uint32_t c)
{
    const uint32_t low = max(max(a & 0xffff, b & 0xffff), c & 0xffff);
    return max(max(a >> 16, b >> 16), c >> 16) << 16 | low;
}

DEVICE uint32_t min_of_pairs(const uint32_t a, const uint32_t b, const uint32_t c)
{
    return ~max_of_pairs(~a, ~b, ~c);
}

DEVICE uint32_t spread_tops(const uint32_t v)
{
    return (v >> 7 & 0x01010101u) * 255;
}

/* --- global memory -------------------------------------------------------- */

DEVICE uint32_t load_relaxed(const uint32_t *const p)
{
    simcuda_may_switch();
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

DEVICE uint64_t load_relaxed(const uint64_t *const p)
{
    simcuda_switch_now();
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

DEVICE uint4 load_relaxed(const uint4 *const p)
{
    simcuda_may_switch();
    return *p;
}

DEVICE uint64_t load_acquire(const uint64_t *const p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

DEVICE uint32_t load_weak(const uint32_t *const p)
{
    return load_relaxed(p);
}

DEVICE void store_relaxed(uint64_t *const p, const uint64_t v)
{
    __atomic_store_n(p, v, __ATOMIC_RELAXED);
}

DEVICE void store_for_cpu(uint64_t *const p, const uint64_t v)
{
    __atomic_store_n(p, v, __ATOMIC_RELEASE);
}

DEVICE uint32_t add_alone(uint32_t *const p, const uint32_t v)
{
    return atomicAdd(p, v);
}
DEVICE uint64_t add_alone(uint64_t *const p, const uint64_t v)
{
    return atomicAdd(p, v);
}

DEVICE uint64_t fetch_add(uint64_t *const p, const uint64_t v)
{
    simcuda_may_switch();
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
}

DEVICE void add_release(uint64_t *const p, const uint64_t v)
{
    simcuda_may_switch();
    __atomic_fetch_add(p, v, __ATOMIC_RELEASE);
    simcuda_tell_blocks();
}

DEVICE void add_relaxed(uint32_t *const p, const uint32_t v)
{
    atomicAdd(p, v);
    simcuda_tell_blocks();
}

DEVICE void add_relaxed(uint64_t *const p, const uint64_t v)
{
    atomicAdd(p, v);
    simcuda_tell_blocks();
}

/* --- shared memory -------------------------------------------------------- */

DEVICE uint32_t load_shared(const uint32_t *const p)
{
    return load_relaxed(p);
}

DEVICE uint32_t load_shared_16(const uint16_t *const p)
{
    simcuda_may_switch();
    return *(const volatile uint16_t *) p;
}

DEVICE void *dynamic_shared()
{
    return simcuda_dynamic_shared();
}

/* --- grids ---------------------------------------------------------------- */

DEVICE void begin_first()
{
}
DEVICE void wait_for_last()
{
    simcuda_wait_for_grids();
}

/* The same for all lanes, none of which has looked yet. */
DEVICE uint64_t grid_progress()
{
    return __shfl_sync(ALL_LANES, simcuda_told(), 0);
}

DEVICE void wait_for_blocks()
{
    simcuda_wait_for_blocks(simcuda_told());
}
DEVICE void wait_for_blocks(const uint64_t since)
{
    simcuda_wait_for_blocks(since);
}

#endif /* SIMCUDA_PTX_CUH */
