/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_PTX_CUH
#define CCA_CUDA_PTX_CUH

/* All inline PTX, and the few other expressions that compile only for a GPU. Include it as
 * <ptx.cuh>, because the simulated driver of the tests replaces it by its own. */

#include <stdint.h>

#define WARP 32
#define ALL_LANES 0xffffffffu
#define DEVICE static __device__ __forceinline__

/* --- lanes ---------------------------------------------------------------- */

DEVICE uint32_t lane_mask_lt()
{
    uint32_t mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

DEVICE uint32_t lane_mask_le()
{
    uint32_t mask;
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(mask));
    return mask;
}

DEVICE uint32_t lane_mask_gt()
{
    uint32_t mask;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(mask));
    return mask;
}

/* blockIdx.x, for values that the compiler should compute again rather than keep. */
DEVICE uint32_t read_block_index()
{
    uint32_t index;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(index));
    return index;
}

/* The maximum of each half of a word. */
DEVICE uint32_t max_of_pairs(const uint32_t a, const uint32_t b, const uint32_t c)
{
    return __vimax3_u16x2(a, b, c);
}

/* The minimum of each half of a word. */
DEVICE uint32_t min_of_pairs(const uint32_t a, const uint32_t b, const uint32_t c)
{
    return __vimin3_u16x2(a, b, c);
}

/* Copies bit 7 of each byte to its other bits. */
DEVICE uint32_t spread_tops(const uint32_t v)
{
    uint32_t spread;
    asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(spread) : "r"(v));
    return spread;
}

/* --- global memory -------------------------------------------------------- */

/* Relaxed loads and stores may race with atomics on the same word. */
DEVICE uint32_t load_relaxed(const uint32_t *const p)
{
    uint32_t v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

DEVICE uint64_t load_relaxed(const uint64_t *const p)
{
    uint64_t v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

/* Each of the four words is loaded atomically, but not all four together. */
DEVICE uint4 load_relaxed(const uint4 *const p)
{
    uint4 v;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p)
                 : "memory");
    return v;
}

DEVICE uint64_t load_acquire(const uint64_t *const p)
{
    uint64_t v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

/* An ordinary load. It may return an old value from the L1 cache. */
DEVICE uint32_t load_weak(const uint32_t *const p)
{
    uint32_t v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

DEVICE void store_relaxed(uint64_t *const p, const uint64_t v)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

/* Stores to memory that the CPU reads. A release: the CPU that sees the value also sees all writes
 * that happened before it. */
DEVICE void store_for_cpu(uint64_t *const p, const uint64_t v)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

/* atomicAdd for a single thread of a warp, which does not wait until it uses the old value. The
 * compiler turns atomicAdd into a reduction over the lanes and a shuffle of the old value, which
 * waits at once. */
DEVICE uint32_t add_alone(uint32_t *const p, const uint32_t v)
{
    uint32_t old;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(v)
                 : "memory");
    return old;
}

DEVICE uint64_t add_alone(uint64_t *const p, const uint64_t v)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(v)
                 : "memory");
    return old;
}

/* An acquire and a release. */
DEVICE uint64_t fetch_add(uint64_t *const p, const uint64_t v)
{
    uint64_t old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(v)
                 : "memory");
    return old;
}

DEVICE void add_release(uint64_t *const p, const uint64_t v)
{
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

/* Add to a sum that other blocks wait for. */
DEVICE void add_relaxed(uint32_t *const p, const uint32_t v)
{
    atomicAdd(p, v);
}

DEVICE void add_relaxed(uint64_t *const p, const uint64_t v)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

/* --- shared memory -------------------------------------------------------- */

/* These loads may race with atomics on the same word. */
DEVICE uint32_t load_shared(const uint32_t *const p)
{
    uint32_t v;
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];"
                 : "=r"(v)
                 : "r"((uint32_t) __cvta_generic_to_shared(p)));
    return v;
}

DEVICE uint32_t load_shared_16(const uint16_t *const p)
{
    return *(const volatile uint16_t *) p;
}

/* Shared memory of the block whose size is an argument of the launch. */
extern __shared__ __align__(16) uint8_t dynamic_shared_memory[];

DEVICE void *dynamic_shared()
{
    return dynamic_shared_memory;
}

/* --- grids ---------------------------------------------------------------- */

/* Lets the next kernel start. The first kernel of a frame calls nothing else. */
DEVICE void begin_first()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Returns when the previous kernel, and so all kernels before it, have ended. */
DEVICE void wait_for_last()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* For loops that wait for other blocks of a cooperative launch. A GPU runs all blocks at once and
 * needs neither function. The simulated driver switches to another block unless grid_progress(),
 * which the whole warp calls, has changed since the loop read it. */
DEVICE uint64_t grid_progress()
{
    return 0;
}

DEVICE void wait_for_blocks()
{
}
DEVICE void wait_for_blocks(uint64_t)
{
}

#endif /* CCA_CUDA_PTX_CUH */
