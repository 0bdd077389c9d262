/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What the CUDA compiler knows by itself, for a host compiler: the language and
 * the built-in functions that our kernels use, in terms of run.h. */

#ifndef SIMCUDA_DEVICE_H
#define SIMCUDA_DEVICE_H

#include <cstdint>
#include <cstring>

#include "run.h"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
/* Blocks of a launch take turns on one thread; what is theirs is changed with
 * them, see run.cpp. */
#define __shared__ static __attribute__((section(SIMCUDA_SHARED)))

#define threadIdx (simcuda_now->thread)
#define blockIdx (simcuda_now->block)
#define blockDim (simcuda_now->block_size)
#define gridDim (simcuda_now->grid_size)

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return { x, y, z, w };
}

/* Loads that a cache treats specially are loads; a vector must be aligned. */
template <typename T> static inline T simcuda_load(const T *const p)
{
    if ((uintptr_t) p % alignof(T) != 0)
        simcuda_misuse("a load of a vector that is not aligned");
    return *p;
}
template <typename T> static inline T __ldcs(const T *const p) { return simcuda_load(p); }
template <typename T> static inline T __ldcg(const T *const p) { return simcuda_load(p); }

/* --- numbers -------------------------------------------------------------- */

static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline int __popc(uint32_t v) { return __builtin_popcount(v); }
static inline int __ffs(uint32_t v) { return __builtin_ffs((int) v); }
static inline int __clz(uint32_t v) { return v ? __builtin_clz(v) : 32; }

static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t n)
{
    return (uint32_t) (((uint64_t) high << 32 | low) << (n & 31) >> 32);
}

static inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}

/* --- a block -------------------------------------------------------------- */

static inline void __syncthreads() { simcuda_barrier(SIMCUDA_PLAIN, false); }
static inline int __syncthreads_or(int v) { return simcuda_barrier(SIMCUDA_OR, v); }
static inline int __syncthreads_and(int v) { return simcuda_barrier(SIMCUDA_AND, v); }

/* --- a warp --------------------------------------------------------------- */

static inline void __syncwarp(uint32_t mask = 0xffffffffu)
{
    simcuda_warp(SIMCUDA_SYNC, mask, 0, 0);
}
static inline uint32_t __ballot_sync(uint32_t mask, bool v)
{
    return (uint32_t) simcuda_warp(SIMCUDA_BALLOT, mask, v, 0);
}
static inline int __any_sync(uint32_t mask, bool v)
{
    return simcuda_warp(SIMCUDA_BALLOT, mask, v, 0) != 0;
}
static inline uint32_t __reduce_add_sync(uint32_t mask, uint32_t v)
{
    return (uint32_t) simcuda_warp(SIMCUDA_ADD, mask, v, 0);
}
static inline uint32_t __reduce_min_sync(uint32_t mask, uint32_t v)
{
    return (uint32_t) simcuda_warp(SIMCUDA_MIN, mask, v, 0);
}
static inline uint32_t __reduce_max_sync(uint32_t mask, uint32_t v)
{
    return (uint32_t) simcuda_warp(SIMCUDA_MAX, mask, v, 0);
}
template <typename T> static inline uint32_t __match_any_sync(uint32_t mask, T v)
{
    return (uint32_t) simcuda_warp(SIMCUDA_MATCH, mask, (uint64_t) v, 0);
}

template <typename T> static inline T simcuda_shuffle(uint32_t mask, T v, uint32_t from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what a shuffle can carry");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(v));
    bits = simcuda_warp(SIMCUDA_SHUFFLE, mask, bits, from);
    memcpy(&v, &bits, sizeof(v));
    return v;
}
template <typename T> static inline T __shfl_sync(uint32_t mask, T v, uint32_t from)
{
    return simcuda_shuffle(mask, v, from % 32);
}
template <typename T> static inline T __shfl_up_sync(uint32_t mask, T v, uint32_t by)
{
    const uint32_t lane = simcuda_now->lane;
    return simcuda_shuffle(mask, v, lane >= by ? lane - by : lane);
}
template <typename T> static inline T __shfl_xor_sync(uint32_t mask, T v, uint32_t bits)
{
    return simcuda_shuffle(mask, v, simcuda_now->lane ^ bits);
}

/* --- atomics: others may run just before --------------------------------- */

template <typename T, typename Op> static inline T simcuda_atomic(T *const p, const Op op)
{
    simcuda_may_switch();
    T old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, op(old), true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    return old;
}

static inline uint32_t atomicAdd(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, [v](uint32_t old) { return old + v; });
}
static inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return simcuda_atomic(p, [v](unsigned long long old) { return old + v; });
}
static inline uint32_t atomicMin(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, [v](uint32_t old) { return old < v ? old : v; });
}
static inline uint32_t atomicMax(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, [v](uint32_t old) { return old > v ? old : v; });
}
static inline uint32_t atomicOr(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, [v](uint32_t old) { return old | v; });
}
static inline uint32_t atomicCAS(uint32_t *p, uint32_t expected, uint32_t v)
{
    return simcuda_atomic(p, [=](uint32_t old) { return old == expected ? v : old; });
}

#endif /* SIMCUDA_DEVICE_H */
