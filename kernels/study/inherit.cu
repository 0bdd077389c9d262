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

/* One block, whose warps have a part of the image each: count, and then number. */
DEVICE void number_new(const CudaImage &image, const StudyTables &t)
{
    __shared__ uint32_t n_new[STUDY_TOGETHER_WARPS];
    const StudyInheritance &h = t.inheritance;
    const uint32_t n = image.width * image.height, lane = threadIdx.x, warp = threadIdx.y;
    const uint32_t lines = (n - 1) / (STUDY_TOGETHER_WARPS * WARP) + 1;
    const uint32_t first = warp * lines * WARP + lane;
    const auto is_new = [&](const uint32_t i) {
        const uint32_t k = first + i * WARP;
        return k < n && t.L[k] == k && h.id[k] == STUDY_INVALID_LABEL;
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines; i++)
        count += is_new(i);
    count = warp_sum(count);
    if (lane == 0)
        n_new[warp] = count;
    __syncthreads();
    uint32_t id = *h.next_id + warp_sum(lane < warp ? n_new[lane] : 0);
    __syncthreads();
    if (warp == STUDY_TOGETHER_WARPS - 1 && lane == 0)
        *h.next_id = id + count;
    for (uint32_t i = 0; i < lines; i++) {
        const uint32_t lanes = __ballot_sync(ALL_LANES, is_new(i));
        if (lanes >> lane & 1)
            h.id[first + i * WARP] = id + __popc(lanes & lane_mask_lt());
        id += __popc(lanes);
    }
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
STUDY_KERNEL(study_inherit_number, number_new)
STUDY_KERNEL(study_inherit_relabel, relabel_with_ids)
