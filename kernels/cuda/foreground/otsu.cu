/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold: builds a histogram of the region, then chooses the threshold. */

#include "choice.cuh"
#include "counts.cuh"
#include "elect.cuh"

/* Calls count() for the pixels of the region, with a bit for each of the working set, one unit
 * for each thread, in a grid-stride loop. prepare() runs while the first loads are in flight. */
template <typename Sample, typename Prepare, typename Count>
DEVICE void count_units(const CudaImage &image, const CudaForeground &f, const Prepare prepare,
                        const Count count)
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
        count(samples, working_bits(image, u));
        i += gridDim.x * CCA_HISTOGRAM_THREADS;
        u = unit_at(image, i, row_units);
        if (i < n_units)
            samples = load_unit<Sample>(image, u);
    }
}

DEVICE void answer(const CudaForeground &f, const Candidate &c)
{
    *f.threshold = threshold_of(c);
    *f.ticket = 0;
}

/* The best of 256 thresholds, 8 in each lane of one warp. Clears the histogram. */
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
            below = below + Moments{ n, sum };
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

/* The last block chooses the threshold. */
extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS, CCA_HISTOGRAM_BLOCKS)
    cca_otsu_8(const CudaImage image, const CudaForeground f)
{
    __shared__ ByteCounts<CCA_HISTOGRAM_THREADS / WARP> counts;
    begin_first();
    const auto clear = [&] {
        counts.clear();
        __syncthreads();
    };
    count_units<uint8_t>(image, f, clear,
                         [&](const Samples16<uint8_t> &samples, const uint32_t which) {
                             counts.count(samples, which);
                         });
    __syncthreads();
    counts.add_to(f.histogram);
    if (arrive_and_elect_last(f) && threadIdx.x / WARP == 0) {
        const Candidate c = best_of_bytes(image, f);
        if (threadIdx.x == 0)
            answer(f, c);
    }
}

/* Each block counts values in a hash table in shared memory. Values whose place is taken are
 * counted in global memory. Without the table a few frequent values would serialise the atomic
 * operations in global memory. */
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
    /* Equal neighbours are counted together. */
    const auto count = [&](const Samples16<uint16_t> &samples, const uint32_t which) {
        uint32_t value = 0, n_same = 0;
#pragma unroll
        for (uint32_t i = 0; i < CCA_PASS_PIXELS; i++) {
            const uint32_t v = value_of<uint16_t>(image, f.drop, get<uint16_t>(samples, i));
            const uint32_t counts_here = which >> i & 1;
            if (n_same > 0 && (counts_here == 0 || v != value)) {
                add(value, n_same);
                n_same = 0;
            }
            value = v;
            n_same += counts_here;
        }
        if (n_same > 0)
            add(value, n_same);
    };
    count_units<uint16_t>(image, f, clear, count);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CCA_HISTOGRAM_PLACES; i += CCA_HISTOGRAM_THREADS)
        if (counts[i] > 0)
            atomicAdd(f.histogram + values[i], counts[i]);
}

/* Grid: blocks of whole warps, one thread for each value. */
extern "C" __global__ void __launch_bounds__(CCA_OTSU_THREADS)
    cca_otsu_16_choose(const CudaImage image, const CudaForeground f)
{
    __shared__ ChoiceOfWarps warps;
    begin_dependent();
    Candidate c = best_of_part(warps, image, f.histogram, f.n_values, blockIdx.x, gridDim.x);
    if (threadIdx.x == 0)
        f.best[blockIdx.x] = { (uint64_t) c.score.a, (uint64_t) (c.score.a >> 64), c.score.b,
                               c.threshold, 0 };
    if (!arrive_and_elect_last(f))
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
    /* All other blocks have read the histogram, so it can be cleared. */
    for (uint32_t i = threadIdx.x; i < (f.n_values + 3) / 4; i += blockDim.x)
        ((uint4 *) f.histogram)[i] = make_uint4(0, 0, 0, 0);
}
