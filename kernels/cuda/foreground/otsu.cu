/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold: a histogram of the region, then the choice. */

#include "../../otsu.h"
#include "pass.cuh"

/* --- the histogram --------------------------------------------------------- */

/* Has the region's pixels counted, a unit for each thread at a time, by blocks that take
 * turns. What there is to `prepare` a block does while its first pixels are on their way. */
template <typename Sample, typename Prepare, typename Count>
DEVICE void count_units(const CudaImage &image, const Prepare prepare, const Count count)
{
    const uint32_t row_units = (image.width - 1) / CCA_PASS_PIXELS + 1;
    const uint32_t n_units = row_units * image.height;
    uint32_t i = blockIdx.x * CCA_HISTOGRAM_THREADS + threadIdx.x;
    Unit u = unit_at(image, i, row_units);
    Samples16<Sample> samples = {};
    if (i < n_units)
        samples = load_unit<Sample>(image, u);
    prepare();
    while (i < n_units) {
        count(samples, u.n);
        i += gridDim.x * CCA_HISTOGRAM_THREADS;
        u = unit_at(image, i, row_units);
        if (i < n_units)
            samples = load_unit<Sample>(image, u);
    }
}

/* --- the choice ------------------------------------------------------------ */

/* What a value adds: pixels, and their sum. */
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
    uint32_t threshold; /* UINT32_MAX: there is none */
};

DEVICE Candidate no_candidate()
{
    Candidate c = {};
    c.threshold = UINT32_MAX;
    return c;
}

/* Of pixels whose values sum up to `total`; `below` are those up to `t`, `n_equal` those of
 * just that. */
DEVICE Candidate candidate(const CudaImage &image, const uint64_t total, const Moments &below,
                           const uint32_t t, const uint32_t n_equal)
{
    Candidate c = no_candidate();
    const uint64_t n = (uint64_t) image.width * image.height;
    if (cca_otsu_score(n, total, below.n, below.sum, n_equal, &c.score))
        c.threshold = t;
    return c;
}

/* In rising order of the threshold. */
DEVICE void take_better(Candidate &best, const Candidate &c)
{
    if (c.threshold != UINT32_MAX &&
        (best.threshold == UINT32_MAX || cca_otsu_is_better(c.score, best.score)))
        best = c;
}

/* Most candidates are out by their scores as rounded; hardly ever are two left to be
 * compared exactly. Of what is rounded, relatively, at the most: some 2^-53. */
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

/* The best of a warp, whose thresholds rise from lane to lane. */
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

/* The best threshold among those of part `part` of `n_parts`, one a thread. By blocks of
 * whole warps. */
DEVICE Candidate best_of_part(const CudaImage &image, const CudaForeground &f,
                              const uint32_t part, const uint32_t n_parts)
{
    __shared__ Moments warp_before[MAX_OTSU_WARPS], warp_own[MAX_OTSU_WARPS];
    __shared__ uint64_t warp_total[MAX_OTSU_WARPS];
    __shared__ Candidate warp_best[MAX_OTSU_WARPS];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n_warps = blockDim.x / WARP, begin = part * blockDim.x;

    /* values below the part, and the sum of all */
    Moments before = {};
    uint64_t total = 0;
    const uint4 *const fours = (const uint4 *) f.histogram;
#pragma unroll 8
    for (uint32_t i = threadIdx.x; n_parts > 1 && i < f.n_values / 4; i += blockDim.x) {
        const uint4 h = __ldcg(fours + i);
        const uint64_t n = (uint64_t) h.x + h.y + h.z + h.w;
        const uint64_t sum = 4 * i * n + h.y + 2 * (uint64_t) h.z + 3 * (uint64_t) h.w;
        total += sum;
        if (4 * i < begin)
            before = before + Moments { n, sum };
    }
    if (n_parts > 1) {
        before = moments_of_warp(before);
        total = sum_of_warp(total);
    }

    /* the part's own values up to each */
    const uint32_t t = begin + threadIdx.x;
    const uint32_t h = t < f.n_values ? __ldcg(f.histogram + t) : 0;
    Moments own = moments(t, h);
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint64_t n = __shfl_up_sync(ALL_LANES, own.n, d);
        const uint64_t sum = __shfl_up_sync(ALL_LANES, own.sum, d);
        if (lane >= d)
            own = own + Moments { n, sum };
    }
    if (lane == WARP - 1)
        warp_own[warp] = own;
    if (lane == 0) {
        warp_before[warp] = before;
        warp_total[warp] = total;
    }
    __syncthreads();
    total = 0;
    for (uint32_t w = 0; w < n_warps; w++) {
        total += n_parts > 1 ? warp_total[w] : warp_own[w].sum;
        own = own + warp_before[w];
        if (w < warp)
            own = own + warp_own[w];
    }

    Candidate c = best_of_warp(candidate(image, total, own, t, h));
    if (lane == 0)
        warp_best[warp] = c;
    __syncthreads();
    return best_of_warp(lane < n_warps ? warp_best[lane] : no_candidate());
}

/* --- kernels --------------------------------------------------------------- */

/* Whether all other blocks have come here, and what they wrote is there. By a whole
 * block. */
DEVICE bool is_last_block(const CudaForeground &f)
{
    bool last = false;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(f.ticket, 1) == gridDim.x - 1;
    last = __syncthreads_or(last);
    __threadfence();
    return last;
}

DEVICE void answer(const CudaForeground &f, const Candidate &c)
{
    *f.threshold = c.threshold == UINT32_MAX ? 0 : c.threshold;
    *f.ticket = 0;
}

/* The choice among 256 values, 8 a lane, by one warp. Clears the histogram. */
DEVICE Candidate best_of_bytes(const CudaImage &image, const CudaForeground &f)
{
    const uint32_t lane = threadIdx.x % WARP;
    uint4 *const mine = (uint4 *) f.histogram + 2 * lane;
    const uint4 a = __ldcg(mine), b = __ldcg(mine + 1);
    mine[0] = mine[1] = make_uint4(0, 0, 0, 0);
    const uint32_t h[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };
    Moments own = {};
#pragma unroll
    for (uint32_t k = 0; k < 8; k++)
        own = own + moments(8 * lane + k, h[k]);
    Moments below = own;
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint64_t n = __shfl_up_sync(ALL_LANES, below.n, d);
        const uint64_t sum = __shfl_up_sync(ALL_LANES, below.sum, d);
        if (lane >= d)
            below = below + Moments { n, sum };
    }
    const uint64_t total = __shfl_sync(ALL_LANES, below.sum, WARP - 1);
    below = { below.n - own.n, below.sum - own.sum };

    const Moments before = below;

    double score[8], best = -1;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        below = below + moments(8 * lane + k, h[k]);
        score[k] = approximate(candidate(image, total, below, 8 * lane + k, h[k]));
        best = fmax(best, score[k]);
    }
    best = best_score_of_warp(best);
    uint32_t left = 0;
#pragma unroll
    for (uint32_t k = 0; k < 8; k++)
        left |= (uint32_t) is_left(score[k], best) << k;

    Candidate winner = no_candidate();
    for (uint32_t lanes = __ballot_sync(ALL_LANES, left != 0); lanes != 0; lanes &= lanes - 1) {
        const uint32_t leader = __ffs(lanes) - 1;
        for (uint32_t ks = __shfl_sync(ALL_LANES, left, leader); ks != 0; ks &= ks - 1) {
            const uint32_t last = __ffs(ks) - 1;
            uint32_t h_last = 0;
            below = before;
#pragma unroll
            for (uint32_t k = 0; k < 8; k++) {
                h_last = k == last ? h[k] : h_last;
                if (k <= last)
                    below = below + moments(8 * lane + k, h[k]);
            }
            take_better(winner,
                        of_lane(candidate(image, total, below, 8 * lane + last, h_last), leader));
        }
    }
    return winner;
}

/* Each lane counts in a copy of its own, in a bank of its own: regions of one value
 * are as fast as others. The last block chooses. */
extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS, CCA_HISTOGRAM_BLOCKS)
    cca_otsu_8(const CudaImage image, const CudaForeground f)
{
    constexpr uint32_t n_warps = CCA_HISTOGRAM_THREADS / WARP, n_own = 256 / n_warps;
    __shared__ uint32_t bins[256][WARP];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    begin_first();
    const auto clear = [&] {
#pragma unroll
        for (uint32_t k = 0; k < n_own; k++)
            bins[warp * n_own + k][lane] = 0;
        __syncthreads();
    };
    count_units<uint8_t>(image, clear, [&](const Samples16<uint8_t> &samples, const uint32_t n) {
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++)
            if (i < n)
                atomicAdd(&bins[get<uint8_t>(samples, i)][lane], 1);
    });
    __syncthreads();
    uint32_t mine = 0;
#pragma unroll
    for (uint32_t k = 0; k < n_own; k++) {
        const uint32_t sum = warp_sum(bins[warp * n_own + k][lane]);
        mine = lane == k ? sum : mine;
    }
    if (lane < n_own && mine > 0)
        atomicAdd(f.histogram + warp * n_own + lane, mine);
    if (is_last_block(f) && warp == 0) {
        const Candidate c = best_of_bytes(image, f);
        if (lane == 0)
            answer(f, c);
    }
}

/* Values that a block has seen, and how often; those that find no place count in
 * global memory at once. Few values, of which there are many, would else wait for
 * each other there. */
extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS, CCA_HISTOGRAM_BLOCKS)
    cca_otsu_16_count(const CudaImage image, const CudaForeground f)
{
    __shared__ uint32_t values[CCA_HISTOGRAM_PLACES], counts[CCA_HISTOGRAM_PLACES];
    begin_first();
    const auto clear = [&] {
        for (uint32_t i = threadIdx.x; i < CCA_HISTOGRAM_PLACES; i += CCA_HISTOGRAM_THREADS) {
            values[i] = UINT32_MAX;
            counts[i] = 0;
        }
        __syncthreads();
    };
    const auto add = [&](const uint32_t v, const uint32_t n) {
        const uint32_t place = v % CCA_HISTOGRAM_PLACES;
        uint32_t there = *(volatile uint32_t *) (values + place);
        if (there == UINT32_MAX)
            there = atomicCAS(values + place, UINT32_MAX, v);
        atomicAdd(there == UINT32_MAX || there == v ? counts + place : f.histogram + v, n);
    };
    /* pixels side by side that have the same value at once */
    count_units<uint16_t>(image, clear, [&](const Samples16<uint16_t> &samples, const uint32_t n) {
        uint32_t value = 0, n_same = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t v = value_of<uint16_t>(image, f.drop, get<uint16_t>(samples, i));
            if (n_same > 0 && (i == n || v != value)) {
                add(value, n_same);
                n_same = 0;
            }
            value = v;
            n_same += i < n;
        }
        if (n_same > 0)
            add(value, n_same);
    });
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CCA_HISTOGRAM_PLACES; i += CCA_HISTOGRAM_THREADS)
        if (counts[i] > 0)
            atomicAdd(f.histogram + values[i], counts[i]);
}

/* Grid: blocks of whole warps, a thread for each value. */
extern "C" __global__ void __launch_bounds__(CCA_OTSU_THREADS)
    cca_otsu_16_choose(const CudaImage image, const CudaForeground f)
{
    begin_dependent();
    Candidate c = best_of_part(image, f, blockIdx.x, gridDim.x);
    if (threadIdx.x == 0)
        f.best[blockIdx.x] = { (uint64_t) c.score.a, (uint64_t) (c.score.a >> 64), c.score.b,
                               c.threshold, 0 };
    if (!is_last_block(f))
        return;
    c = no_candidate();
    for (uint32_t i = 0; i < gridDim.x; i += WARP) {
        Candidate other = no_candidate();
        if (i + threadIdx.x % WARP < gridDim.x) {
            const CudaOtsuBest b = f.best[i + threadIdx.x % WARP];
            other = { { (unsigned __int128) b.a_high << 64 | b.a_low, b.b }, b.threshold };
        }
        take_better(c, best_of_warp(other));
    }
    if (threadIdx.x == 0)
        answer(f, c);
    /* the others have read it */
    for (uint32_t i = threadIdx.x; i < (f.n_values + 3) / 4; i += blockDim.x)
        ((uint4 *) f.histogram)[i] = make_uint4(0, 0, 0, 0);
}
