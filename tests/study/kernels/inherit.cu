/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label inheritance: step 3 of figure 1 in Algorithms 2023, 16(2), 80, which names it and
 * gives no rule. Ours: an object of this frame and one of the last are partners if each is
 * the one with which the other shares most pixels; of several the last frame's with the
 * smallest id, or this frame's with the smallest label. A partner's id is inherited; who has
 * no partner gets the next id that was never given, in raster order. */

#include "kernel.cuh"
#include "pixels.cuh"
#include "together.cuh"

#define NO_PAIR UINT64_MAX

/* Greater if there are more pixels, or as many and the number is smaller. */
DEVICE uint64_t rank_of(const uint32_t n_pixels, const uint32_t number)
{
    return (uint64_t) n_pixels << 32 | (uint32_t) ~number;
}

DEVICE void raise(uint64_t *const p, const uint64_t v)
{
    atomicMax((unsigned long long *) p, v);
}

/* Grid: STUDY_PAIRS. */
DEVICE void clear_pairs(const CudaImage &image, const StudyTables &t)
{
    const StudyInheritance &h = t.inheritance;
    const uint32_t i = thread_in_grid();
    if (i >= h.n_pairs)
        return;
    h.pairs[i] = NO_PAIR;
    h.overlaps[i] = 0;
    if (i >= image.width * image.height)
        return;
    h.best_old[i] = h.best_new[i] = 0;
    h.id[i] = STUDY_INVALID_LABEL;
}

/* A hash table with open addresses: each pixel is of one pair, it cannot be full. */
DEVICE void count_pair(const StudyInheritance &h, const uint64_t pair, const uint32_t n)
{
    uint32_t i = (uint32_t) (pair * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; i++) {
        i &= h.n_pairs - 1;
        uint64_t found = load_relaxed(h.pairs + i);
        if (found == NO_PAIR)
            found = atomicCAS((unsigned long long *) h.pairs + i, NO_PAIR, pair);
        if (found == NO_PAIR || found == pair)
            break;
    }
    atomicAdd(h.overlaps + i, n);
}

/* Pixels side by side that are of the same pair are counted at once.
 * Grid: STUDY_LINES_32. */
DEVICE void count_overlaps(const CudaImage &image, const StudyTables &t)
{
    const StudyInheritance &h = t.inheritance;
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    uint64_t pair = NO_PAIR;
    if (x < image.width && y < image.height) {
        const uint32_t k = address(image, x, y), label = t.L[k], old = h.last[k];
        if (label != STUDY_INVALID_LABEL && old != STUDY_INVALID_LABEL)
            pair = (uint64_t) old << 32 | label;
    }
    const uint64_t before = __shfl_up_sync(ALL_LANES, pair, 1);
    const bool begins = threadIdx.x == 0 || before != pair;
    const uint32_t after = __ballot_sync(ALL_LANES, begins) & lane_mask_gt();
    const uint32_t end = after ? __ffs(after) - 1 : WARP;
    if (begins && pair != NO_PAIR)
        count_pair(h, pair, end - threadIdx.x);
}

/* Calls what(old label, label, their rank for the new one, that for the old one). */
template <typename What> DEVICE void for_own_pair(const StudyInheritance &h, const What what)
{
    const uint32_t i = thread_in_grid();
    if (i >= h.n_pairs || h.pairs[i] == NO_PAIR)
        return;
    const uint32_t old = (uint32_t) (h.pairs[i] >> 32), label = (uint32_t) h.pairs[i];
    what(old, label, rank_of(h.overlaps[i], h.last_id[old]), rank_of(h.overlaps[i], label));
}

/* Grid: STUDY_PAIRS. */
DEVICE void find_best(const CudaImage &, const StudyTables &t)
{
    const StudyInheritance &h = t.inheritance;
    for_own_pair(h, [&](const uint32_t old, const uint32_t label, const uint64_t of_old,
                        const uint64_t of_new) {
        raise(h.best_old + label, of_old);
        raise(h.best_new + old, of_new);
    });
}

/* Grid: STUDY_PAIRS. */
DEVICE void inherit_ids(const CudaImage &, const StudyTables &t)
{
    const StudyInheritance &h = t.inheritance;
    for_own_pair(h, [&](const uint32_t old, const uint32_t label, const uint64_t of_old,
                        const uint64_t of_new) {
        if (h.best_old[label] == of_old && h.best_new[old] == of_new)
            h.id[label] = h.last_id[old];
    });
}

#define NUMBER_WARPS (STUDY_BLOCK_NODES / WARP)

DEVICE bool is_new(const CudaImage &image, const StudyTables &t)
{
    const uint32_t k = thread_in_grid();
    return k < image.width * image.height && t.L[k] == k &&
           t.inheritance.id[k] == STUDY_INVALID_LABEL;
}

/* How many of a block's pixels are the roots of new objects. Grid: STUDY_PIXELS. */
DEVICE void count_new(const CudaImage &image, const StudyTables &t)
{
    __shared__ uint32_t of_warp[NUMBER_WARPS];
    const uint32_t lane = threadIdx.x, warp = threadIdx.y;
    const uint32_t lanes = __ballot_sync(ALL_LANES, is_new(image, t));
    if (lane == 0)
        of_warp[warp] = __popc(lanes);
    __syncthreads();
    const uint32_t n = warp_sum(lane < NUMBER_WARPS ? of_warp[lane] : 0);
    if (warp == 0 && lane == 0)
        t.inheritance.n_new[blockIdx.x] = n;
}

/* After those of all blocks and warps before it. Grid: STUDY_PIXELS. */
DEVICE void number_new(const CudaImage &image, const StudyTables &t)
{
    __shared__ uint32_t of_warp[NUMBER_WARPS], before[NUMBER_WARPS];
    const StudyInheritance &h = t.inheritance;
    const uint32_t lane = threadIdx.x, warp = threadIdx.y;
    const uint32_t lanes = __ballot_sync(ALL_LANES, is_new(image, t));
    uint32_t n = 0;
    for (uint32_t i = warp * WARP + lane; i < blockIdx.x; i += STUDY_BLOCK_NODES)
        n += h.n_new[i];
    n = warp_sum(n);
    if (lane == 0) {
        of_warp[warp] = __popc(lanes);
        before[warp] = n;
    }
    __syncthreads();
    const uint32_t in_blocks = warp_sum(lane < NUMBER_WARPS ? before[lane] : 0);
    const uint32_t in_warps = warp_sum(lane < warp ? of_warp[lane] : 0);
    const uint32_t id = *h.next_id + in_blocks + in_warps;
    if (lanes >> lane & 1)
        h.id[thread_in_grid()] = id + __popc(lanes & lane_mask_lt());
    if (blockIdx.x == gridDim.x - 1 && warp == NUMBER_WARPS - 1 && lane == 0)
        *h.next_after = id + __popc(lanes);
}

/* The label image with ids, and what the next frame needs of this one.
 * Grid: STUDY_LINES_32. */
DEVICE void relabel_with_ids(const CudaImage &image, const StudyTables &t)
{
    const StudyInheritance &h = t.inheritance;
    const uint32_t x = blockIdx.y * WARP + threadIdx.x;
    const uint32_t y = blockIdx.x * STUDY_STRIP + threadIdx.y;
    if (x >= image.width || y >= image.height)
        return;
    const uint32_t k = address(image, x, y), label = t.L[k];
    if (k == 0)
        *h.next_id = *h.next_after;
    const uint32_t id = label == STUDY_INVALID_LABEL ? STUDY_INVALID_LABEL : h.id[label];
    t.labels[k] = id;
    h.last[k] = label;
    if (label == k)
        h.last_id[k] = id;
}

STUDY_KERNEL(study_inherit_clear, clear_pairs)
STUDY_KERNEL(study_inherit_count, count_overlaps)
STUDY_KERNEL(study_inherit_best, find_best)
STUDY_KERNEL(study_inherit_ids, inherit_ids)
STUDY_KERNEL(study_inherit_count_new, count_new)
STUDY_KERNEL(study_inherit_number, number_new)
STUDY_KERNEL(study_inherit_relabel, relabel_with_ids)
