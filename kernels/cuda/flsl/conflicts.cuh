/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CUDA_FLSL_CONFLICTS_CUH
#define CCA_CUDA_FLSL_CONFLICTS_CUH

/* Conflict detection: ICASSP 2021 (see segments.cuh), Algorithm 3. */

#include "../common.cuh"

/* Features that a run adds to its component. A warp processes runs of one row at a time, so
 * min_x and y need no exchange: the leader has the leftmost run. */
struct Votes {
    uint32_t area, max_x;
    uint64_t sum_x;
};

DEVICE Votes votes_of(const uint32_t x0, const uint32_t x1)
{
    return { x1 - x0, x1 - 1, ((uint64_t) x0 + x1 - 1) * (x1 - x0) / 2 };
}

/* The lanes of `mask` with the same root `l` elect a leader, whose `votes` become the sum of
 * all of theirs. Returns true in the leader. */
DEVICE bool elect(const uint32_t mask, const uint32_t l, Votes &votes)
{
    const uint32_t lane = threadIdx.x;
    uint32_t peers = __match_any_sync(mask, l);     /* line 2 */
    uint32_t rank = __popc(peers & lane_mask_lt()); /* line 3 */
    const bool leader = rank == 0;                  /* line 4 */
    peers &= lane_mask_gt();                        /* line 5 */
    while (__any_sync(mask, peers)) {               /* line 6 */
        const uint32_t next = __ffs(peers);         /* line 7, counts from 1 */
        const uint32_t from = next ? next - 1 : lane;
        const uint32_t area_next = __shfl_sync(mask, votes.area, from); /* line 8 */
        const uint32_t max_x_next = __shfl_sync(mask, votes.max_x, from);
        const uint64_t sum_x_next = __shfl_sync(mask, votes.sum_x, from);
        if (next) { /* line 9 */
            votes.area += area_next;
            votes.max_x = max(votes.max_x, max_x_next);
            votes.sum_x += sum_x_next;
        }
        peers &= __ballot_sync(mask, rank % 2 == 0); /* line 10 */
        rank /= 2;                                   /* line 11 */
    }
    return leader; /* line 12 */
}

#endif /* CCA_CUDA_FLSL_CONFLICTS_CUH */
