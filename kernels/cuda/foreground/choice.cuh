/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's method: finds the threshold of a histogram with the greatest score, exactly. */

#ifndef CCA_CUDA_FOREGROUND_CHOICE_CUH
#define CCA_CUDA_FOREGROUND_CHOICE_CUH

#include "../../otsu.h"
#include "../common.cuh"
#include "../tables/foreground.h"

/* Number of pixels of some values, and the sum of their values. */
struct Moments {
    uint64_t n, sum;
};

DEVICE Moments operator+(const Moments &a, const Moments &b)
{
    return { a.n + b.n, a.sum + b.sum };
}

DEVICE Moments moments(const uint32_t value, const uint32_t n)
{
    return { n, (uint64_t) value * n };
}

struct Candidate {
    CcaOtsuScore score;
    uint32_t threshold; /* UINT32_MAX: no candidate */
};

DEVICE Candidate no_candidate()
{
    Candidate c = {};
    c.threshold = UINT32_MAX;
    return c;
}

/* Candidate for threshold `t`. The values of all pixels sum up to `total`; `below` counts the
 * pixels up to `t`, and `n_equal` those equal to it. */
DEVICE Candidate candidate(const CudaImage &image, const uint64_t total, const Moments &below,
                           const uint32_t t, const uint32_t n_equal)
{
    Candidate c = no_candidate();
    if (cca_otsu_score(image.n_pixels, total, below.n, below.sum, n_equal, &c.score))
        c.threshold = t;
    return c;
}

/* Calls must be in rising order of the threshold: on equal scores the first one stays. */
DEVICE void take_better(Candidate &best, const Candidate &c)
{
    if (c.threshold != UINT32_MAX &&
        (best.threshold == UINT32_MAX || cca_otsu_is_better(c.score, best.score)))
        best = c;
}

/* Rounded scores rule out most candidates; rarely are two left for the exact comparison. The
 * tolerance is relative, and well above the rounding error of some 2^-53. */
#define ROUNDING 1e-12

DEVICE double approximate(const Candidate &c)
{
    if (c.threshold == UINT32_MAX)
        return -1;
    const double a = (double) (uint64_t) (c.score.a >> 64) * 0x1p64 + (double) (uint64_t) c.score.a;
    return a * a / (double) c.score.b;
}

DEVICE double best_score_of_warp(double best)
{
    for (uint32_t d = WARP / 2; d > 0; d /= 2)
        best = fmax(best, __shfl_xor_sync(ALL_LANES, best, d));
    return best;
}

DEVICE bool is_left(const double score, const double best)
{
    return score >= 0 && score >= best * (1 - ROUNDING);
}

DEVICE Candidate of_lane(const Candidate &c, const uint32_t lane)
{
    Candidate other;
    const uint64_t low = __shfl_sync(ALL_LANES, (uint64_t) c.score.a, lane);
    const uint64_t high = __shfl_sync(ALL_LANES, (uint64_t) (c.score.a >> 64), lane);
    other.score.a = (unsigned __int128) high << 64 | low;
    other.score.b = __shfl_sync(ALL_LANES, c.score.b, lane);
    other.threshold = __shfl_sync(ALL_LANES, c.threshold, lane);
    return other;
}

/* The best candidate of a warp. Thresholds must rise from lane to lane. */
DEVICE Candidate best_of_warp(const Candidate &c)
{
    const double score = approximate(c);
    uint32_t left = __ballot_sync(ALL_LANES, is_left(score, best_score_of_warp(score)));
    Candidate winner = no_candidate();
    for (; left != 0; left &= left - 1)
        take_better(winner, of_lane(c, __ffs(left) - 1));
    return winner;
}

DEVICE uint64_t sum_of_warp(uint64_t v)
{
    for (uint32_t d = WARP / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(ALL_LANES, v, d);
    return v;
}

DEVICE Moments moments_of_warp(const Moments m)
{
    return { sum_of_warp(m.n), sum_of_warp(m.sum) };
}

#define MAX_OTSU_WARPS (CCA_OTSU_THREADS / WARP)

/* Shared memory for the exchange between the warps of a block. */
struct ChoiceOfWarps {
    Moments before[MAX_OTSU_WARPS], own[MAX_OTSU_WARPS];
    uint64_t total[MAX_OTSU_WARPS];
    Candidate best[MAX_OTSU_WARPS];
};

/* The best threshold in part `part` of the `n_parts` parts of a histogram, with one value for
 * each thread. Called by all threads of a block of whole warps. */
DEVICE Candidate best_of_part(ChoiceOfWarps &warps, const CudaImage &image,
                              const uint32_t *const histogram, const uint32_t n_values,
                              const uint32_t part, const uint32_t n_parts)
{
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n_warps = blockDim.x / WARP, begin = part * blockDim.x;

    /* Moments of the values below the part, and the sum of all values. */
    Moments before = {};
    uint64_t total = 0;
    const uint4 *const fours = (const uint4 *) histogram;
#pragma unroll 8
    for (uint32_t i = threadIdx.x; n_parts > 1 && i < n_values / 4; i += blockDim.x) {
        const uint4 h = __ldcg(fours + i);
        const uint64_t n = (uint64_t) h.x + h.y + h.z + h.w;
        const uint64_t sum = 4 * i * n + h.y + 2 * (uint64_t) h.z + 3 * (uint64_t) h.w;
        total += sum;
        if (4 * i < begin)
            before = before + Moments{ n, sum };
    }
    if (n_parts > 1) {
        before = moments_of_warp(before);
        total = sum_of_warp(total);
    }

    /* Prefix sums of the part's own values. */
    const uint32_t t = begin + threadIdx.x;
    const uint32_t h = t < n_values ? __ldcg(histogram + t) : 0;
    Moments own = moments(t, h);
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint64_t n = __shfl_up_sync(ALL_LANES, own.n, d);
        const uint64_t sum = __shfl_up_sync(ALL_LANES, own.sum, d);
        if (lane >= d)
            own = own + Moments{ n, sum };
    }
    if (lane == WARP - 1)
        warps.own[warp] = own;
    if (lane == 0) {
        warps.before[warp] = before;
        warps.total[warp] = total;
    }
    __syncthreads();
    total = 0;
    for (uint32_t w = 0; w < n_warps; w++) {
        total += n_parts > 1 ? warps.total[w] : warps.own[w].sum;
        own = own + warps.before[w];
        if (w < warp)
            own = own + warps.own[w];
    }

    Candidate c = best_of_warp(candidate(image, total, own, t, h));
    if (lane == 0)
        warps.best[warp] = c;
    __syncthreads();
    return best_of_warp(lane < n_warps ? warps.best[lane] : no_candidate());
}

/* 0 if there is no candidate, because all pixels are equal. */
DEVICE uint32_t threshold_of(const Candidate &c)
{
    return c.threshold == UINT32_MAX ? 0 : c.threshold;
}

#endif /* CCA_CUDA_FOREGROUND_CHOICE_CUH */
