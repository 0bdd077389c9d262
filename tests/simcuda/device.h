/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The parts of CUDA C++ that the kernels use, for a host compiler: language extensions and
 * built-in functions, implemented with run.h. */

#ifndef SIMCUDA_DEVICE_H
#define SIMCUDA_DEVICE_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include "run.h"

#define __global__
#define __device__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
/* Blocks alternate on one thread; run.cpp switches these variables with them. */
#define __shared__ static __attribute__((section(SIMCUDA_SHARED)))

#define threadIdx (simcuda_now->thread)
#define blockIdx (simcuda_now->block)
#define blockDim (simcuda_now->block_size)
#define gridDim (simcuda_now->grid_size)

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

struct alignas(8) uint2 {
    uint32_t x, y;
};

inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    return { x, y };
}
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return { x, y, z, w };
}

/* A load that a cache treats specially is a load; a vector must be aligned. */
template <typename T> inline T __ldcs(const T *const p)
{
    if ((uintptr_t) p % alignof(T) != 0)
        simcuda_misuse("a load of a vector that is not aligned");
    return *p;
}
template <typename T> inline T __ldcg(const T *const p)
{
    return __ldcs(p);
}
template <typename T> inline void __stcs(T *const p, const T &v)
{
    if ((uintptr_t) p % alignof(T) != 0)
        simcuda_misuse("a store of a vector that is not aligned");
    *p = v;
}

/* --- numbers -------------------------------------------------------------- */

inline uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
inline uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
inline float __fdividef(float a, float b)
{
    return a / b;
}
inline uint32_t __float_as_uint(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}
inline float __uint_as_float(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}
inline int __popc(uint32_t v)
{
    return __builtin_popcount(v);
}
inline int __ffs(uint32_t v)
{
    return __builtin_ffs((int) v);
}
inline int __ffsll(uint64_t v)
{
    return __builtin_ffsll((long long) v);
}
inline int __clz(uint32_t v)
{
    return v ? __builtin_clz(v) : 32;
}
inline int __clzll(uint64_t v)
{
    return v ? __builtin_clzll(v) : 64;
}

inline uint32_t __brev(uint32_t v)
{
    uint32_t reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (v >> i & 1) << (31 - i);
    return reversed;
}

inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t n)
{
    return (uint32_t) (((uint64_t) high << 32 | low) << (n & 31) >> 32);
}

inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t n)
{
    return (uint32_t) (((uint64_t) high << 32 | low) >> (n & 31));
}

inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}

inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector)
{
    const uint64_t both = (uint64_t) high << 32 | low;
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v |= (uint32_t) (both >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    return v;
}

inline uint32_t __vabsdiffu4(uint32_t a, uint32_t b)
{
    uint32_t v = 0;
    for (int i = 0; i < 32; i += 8) {
        const uint32_t x = a >> i & 255, y = b >> i & 255;
        v |= (x > y ? x - y : y - x) << i;
    }
    return v;
}

/* --- a block -------------------------------------------------------------- */

inline void __syncthreads()
{
    simcuda_barrier(SIMCUDA_PLAIN, false);
}
inline int __syncthreads_or(int v)
{
    return simcuda_barrier(SIMCUDA_OR, v);
}
inline int __syncthreads_and(int v)
{
    return simcuda_barrier(SIMCUDA_AND, v);
}
inline int __syncthreads_count(int v)
{
    return simcuda_barrier(SIMCUDA_COUNT, v);
}
inline void __threadfence()
{
}
inline void __threadfence_system()
{
}

/* --- a warp --------------------------------------------------------------- */

typedef uint32_t Mask;

inline uint32_t simcuda_warp(SimWarpOp op, Mask mask, uint32_t v)
{
    return (uint32_t) simcuda_warp(op, mask, v, 0);
}
inline void __syncwarp(Mask m = 0xffffffffu)
{
    simcuda_warp(SIMCUDA_SYNC, m, 0);
}
inline uint32_t __ballot_sync(Mask m, bool v)
{
    return simcuda_warp(SIMCUDA_BALLOT, m, v);
}
inline int __any_sync(Mask m, bool v)
{
    return __ballot_sync(m, v) != 0;
}
inline uint32_t __match_any_sync(Mask m, uint32_t v)
{
    return simcuda_warp(SIMCUDA_MATCH, m, v);
}
inline uint32_t __reduce_add_sync(Mask m, uint32_t v)
{
    return simcuda_warp(SIMCUDA_ADD, m, v);
}
inline uint32_t __reduce_min_sync(Mask m, uint32_t v)
{
    return simcuda_warp(SIMCUDA_MIN, m, v);
}
inline uint32_t __reduce_max_sync(Mask m, uint32_t v)
{
    return simcuda_warp(SIMCUDA_MAX, m, v);
}

template <typename T> inline T simcuda_shuffle(Mask mask, T v, uint32_t from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what a shuffle can carry");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof(v));
    bits = simcuda_warp(SIMCUDA_SHUFFLE, mask, bits, from);
    memcpy(&v, &bits, sizeof(v));
    return v;
}
template <typename T> inline T __shfl_sync(Mask mask, T v, uint32_t from)
{
    return simcuda_shuffle(mask, v, from % 32);
}
template <typename T> inline T __shfl_up_sync(Mask mask, T v, uint32_t by)
{
    const uint32_t lane = simcuda_now->lane;
    return simcuda_shuffle(mask, v, lane >= by ? lane - by : lane);
}
template <typename T> inline T __shfl_down_sync(Mask mask, T v, uint32_t by)
{
    const uint32_t lane = simcuda_now->lane;
    return simcuda_shuffle(mask, v, lane + by < 32 ? lane + by : lane);
}
template <typename T> inline T __shfl_xor_sync(Mask mask, T v, uint32_t bits)
{
    return simcuda_shuffle(mask, v, simcuda_now->lane ^ bits);
}

/* --- atomics: others may run just before --------------------------------- */

template <typename T, typename Op> inline T simcuda_atomic(T *const p, const T v, const Op op)
{
    simcuda_may_switch();
    T old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(p, &old, op(old, v), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}
template <typename T> inline T atomicAdd(T *p, std::common_type_t<T> v)
{
    return simcuda_atomic(p, v, std::plus<T>());
}
template <typename T> inline T atomicExch(T *p, std::common_type_t<T> v)
{
    return simcuda_atomic(p, v, [](T, const T to) { return to; });
}
inline uint32_t atomicMin(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, v, min);
}
inline unsigned long long atomicMin(unsigned long long *p, unsigned long long v)
{
    return simcuda_atomic(p, v, [](auto a, auto b) { return a < b ? a : b; });
}
inline uint32_t atomicMax(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, v, max);
}
inline unsigned long long atomicMax(unsigned long long *p, unsigned long long v)
{
    return simcuda_atomic(p, v, [](auto a, auto b) { return a > b ? a : b; });
}
inline uint32_t atomicInc(uint32_t *p, uint32_t last)
{
    return simcuda_atomic(p, last, [](uint32_t old, uint32_t v) { return old < v ? old + 1 : 0; });
}
inline uint32_t atomicOr(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, v, std::bit_or<>());
}
inline uint32_t atomicXor(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, v, std::bit_xor<>());
}
inline uint32_t atomicAnd(uint32_t *p, uint32_t v)
{
    return simcuda_atomic(p, v, std::bit_and<>());
}
inline uint32_t atomicCAS(uint32_t *p, uint32_t expected, uint32_t v)
{
    return simcuda_atomic(p, v, [=](uint32_t old, uint32_t) { return old == expected ? v : old; });
}
inline unsigned long long atomicCAS(unsigned long long *p, unsigned long long expected,
                                    unsigned long long v)
{
    return simcuda_atomic(p, v, [=](auto old, auto) { return old == expected ? v : old; });
}

#endif /* SIMCUDA_DEVICE_H */
