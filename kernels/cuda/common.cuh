/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_COMMON_CUH
#define CCA_CUDA_COMMON_CUH

#include <ptx.cuh>

#include "image.h"

/* Programmatic dependent launch: a kernel may start while the previous one in the stream still
 * runs, which hides the launch latency. It calls this function before it accesses memory. From
 * compute capability 9.0 on, all kernels but the first of a frame are launched so. */
DEVICE void begin_dependent()
{
    begin_first();
    wait_for_last();
}

/* Reductions over all lanes of a warp. The redux instruction needs compute capability 8.0. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
DEVICE uint32_t warp_sum(const uint32_t v)
{
    return __reduce_add_sync(ALL_LANES, v);
}
DEVICE uint32_t warp_min(const uint32_t v)
{
    return __reduce_min_sync(ALL_LANES, v);
}
DEVICE uint32_t warp_max(const uint32_t v)
{
    return __reduce_max_sync(ALL_LANES, v);
}
#else
template <typename Op> DEVICE uint32_t warp_reduce(uint32_t v, const Op op)
{
    for (int d = WARP / 2; d > 0; d /= 2)
        v = op(v, __shfl_xor_sync(ALL_LANES, v, d));
    return v;
}

DEVICE uint32_t warp_sum(const uint32_t v)
{
    return warp_reduce(v, [](const uint32_t a, const uint32_t b) { return a + b; });
}

DEVICE uint32_t warp_min(const uint32_t v)
{
    return warp_reduce(v, [](const uint32_t a, const uint32_t b) { return min(a, b); });
}

DEVICE uint32_t warp_max(const uint32_t v)
{
    return warp_reduce(v, [](const uint32_t a, const uint32_t b) { return max(a, b); });
}
#endif

/* Sum of 64-bit values below 2^58. Each value is summed in three parts that cannot overflow 32
 * bits. */
DEVICE uint64_t warp_sum_64(const uint64_t v)
{
    const uint32_t mask = (1u << 24) - 1;
    const uint64_t low = warp_sum((uint32_t) v & mask);
    const uint64_t middle = warp_sum((uint32_t) (v >> 24) & mask);
    const uint64_t high = warp_sum((uint32_t) (v >> 48));
    return low + (middle << 24) + (high << 48);
}

/* Inclusive prefix sum over the lanes. Called by a whole warp. */
DEVICE uint32_t warp_sum_up_to(uint32_t v)
{
    const uint32_t lane = threadIdx.x % WARP;
#pragma unroll
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, v, d);
        if (lane >= d)
            v += other;
    }
    return v;
}

/* --- votes ----------------------------------------------------------------- */

/* Casts one vote for each lane with `votes` by cast_vote(), with conflict detection (ICASSP 2021,
 * section 3.3): of at most `max_leaders` components that `min_peers` lanes or more vote for, the
 * warp casts one vote, which is from sum_up(). The defaults are the fastest of 4 to 16 and of 1 to
 * 4. Called by a whole warp. */
template <int min_peers = 8, int max_leaders = 2, typename Slots, typename Vote>
DEVICE void vote_together(Slots &slots, bool votes, const uint32_t slot, const Vote &v)
{
    uint32_t voters = __ballot_sync(ALL_LANES, votes);
#pragma unroll 1
    for (int i = 0; i < max_leaders && __popc(voters) >= min_peers; i++) {
        const uint32_t leader = __ffs(voters) - 1;
        const uint32_t leaders_slot = __shfl_sync(ALL_LANES, slot, leader);
        const bool mine = votes && slot == leaders_slot;
        const uint32_t peers = __ballot_sync(ALL_LANES, mine);
        if (__popc(peers) >= min_peers) {
            const Vote sum = sum_up(v, mine);
            if (threadIdx.x % WARP == leader)
                cast_vote(slots, leaders_slot, sum);
            votes = votes && !mine;
        }
        voters &= ~peers;
    }
    if (votes)
        cast_vote(slots, slot, v);
}

/* --- pixels --------------------------------------------------------------- */

/* Whether a sample is inside the thresholds. */
template <typename Sample> DEVICE bool is_inside(const CudaImage &image, const uint32_t sample)
{
    const uint32_t lifted = sizeof(Sample) == 1 ? sample : sample << image.lift & UINT16_MAX;
    return lifted - image.low <= image.range;
}

DEVICE bool area_passes(const CudaImage &image, const uint32_t area)
{
    return area >= image.min_area && area <= image.max_area;
}

/* --- union-find: the smallest index of a set is its root ------------------- */

DEVICE uint32_t find(const uint32_t *const parent, uint32_t node)
{
    for (uint32_t p; (p = load_relaxed(parent + node)) != node;)
        node = p;
    return node;
}

/* find() for a node whose parent `p` is known. Halves the path with plain stores, so no union may
 * run at the same time; other calls may, because all stored values are ancestors. */
DEVICE uint32_t find_halving(uint32_t *const parent, uint32_t node, uint32_t p)
{
    for (uint32_t above; p != node; node = above, p = load_relaxed(parent + node)) {
        if ((above = load_relaxed(parent + p)) == p)
            return p;
        parent[node] = above;
    }
    return node;
}

/* Komura's union in the form of Playne and Hawick: if another thread has changed the parent, the
 * union continues from that parent. */
DEVICE void unite(uint32_t *const parent, uint32_t a, uint32_t b)
{
    a = find(parent, a);
    b = find(parent, b);
    while (a != b) {
        if (a < b) {
            const uint32_t t = a;
            a = b;
            b = t;
        }
        const uint32_t old = atomicMin(parent + a, b);
        a = old == a ? b : old;
    }
}

#endif /* CCA_CUDA_COMMON_CUH */
