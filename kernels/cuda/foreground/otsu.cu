/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold: a histogram of the region, then the choice. */

#include "../../otsu.h"
#include "pass.cuh"

/* --- the histogram --------------------------------------------------------- */

/* Each lane counts in a copy of its own as far as there is room: flat regions, of
 * which all lanes see the same value, are as fast as others. */
template <typename Sample>
DEVICE void count_in_block(const CudaImage &image, const CudaForeground &f)
{
    __shared__ uint32_t bins[CCA_BLOCK_VALUES];
    const uint32_t n_copies = min(CCA_BLOCK_VALUES / f.n_values, (uint32_t) WARP);
    const uint32_t n_bins = f.n_values * n_copies, copy = threadIdx.x & (n_copies - 1);
    for (uint32_t i = threadIdx.x; i < n_bins; i += CCA_HISTOGRAM_THREADS)
        bins[i] = 0;
    __syncthreads();

    const uint32_t row_units = (image.width - 1) / CCA_PASS_PIXELS + 1;
    const uint32_t n_units = row_units * image.height;
    for (uint32_t i = blockIdx.x * CCA_HISTOGRAM_THREADS + threadIdx.x; i < n_units;
         i += gridDim.x * CCA_HISTOGRAM_THREADS) {
        const Unit u = unit_at(image, i, row_units);
        const Samples16<Sample> words = load_unit<Sample>(image, u);
#pragma unroll
        for (uint32_t k = 0; k < CCA_PASS_PIXELS; k++)
            if (k < u.n)
                atomicAdd(bins + value_of<Sample>(image, f.drop, get<Sample>(words, k)) * n_copies +
                              copy, 1);
    }
    __syncthreads();
    for (uint32_t v = threadIdx.x; v < f.n_values; v += CCA_HISTOGRAM_THREADS) {
        uint32_t sum = 0;
        for (uint32_t c = 0; c < n_copies; c++) /* lanes begin at different banks */
            sum += bins[v * n_copies + ((threadIdx.x + c) & (n_copies - 1))];
        if (sum > 0)
            atomicAdd(f.histogram + v, sum);
    }
}

extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS)
    cca_histogram_8(const CudaImage image, const CudaForeground foreground)
{
    begin_first();
    count_in_block<uint8_t>(image, foreground);
}

extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS)
    cca_histogram_16(const CudaImage image, const CudaForeground foreground)
{
    begin_first();
    count_in_block<uint16_t>(image, foreground);
}

/* For more values than a block can count: in global memory, the lanes of a warp that
 * have the same value together. Grid: a thread for each unit. */
extern "C" __global__ void __launch_bounds__(CCA_HISTOGRAM_THREADS)
    cca_histogram_16_large(const CudaImage image, const CudaForeground f)
{
    begin_first();
    const uint32_t row_units = (image.width - 1) / CCA_PASS_PIXELS + 1;
    const Unit u = unit_at(image, blockIdx.x * CCA_HISTOGRAM_THREADS + threadIdx.x, row_units);
    const bool inside = u.y < image.height;
    Samples16<uint16_t> words = {};
    if (inside)
        words = load_unit<uint16_t>(image, u);
#pragma unroll
    for (uint32_t k = 0; k < CCA_PASS_PIXELS; k++) {
        const bool counts = inside && k < u.n;
        const uint32_t v = value_of<uint16_t>(image, f.drop, get<uint16_t>(words, k));
        const uint32_t peers = __match_any_sync(ALL_LANES, counts ? v : UINT32_MAX);
        if (counts && (peers & lane_mask_lt()) == 0)
            atomicAdd(f.histogram + v, __popc(peers));
    }
}

/* --- the choice ------------------------------------------------------------ */

struct Candidate {
    CcaOtsuScore score;
    uint32_t threshold; /* UINT32_MAX: there is none */
};

DEVICE bool is_better(const Candidate &a, const Candidate &b)
{
    if (a.threshold == UINT32_MAX || b.threshold == UINT32_MAX)
        return a.threshold < b.threshold;
    if (cca_otsu_is_better(a.score, b.score))
        return true;
    return a.threshold < b.threshold && !cca_otsu_is_better(b.score, a.score);
}

DEVICE Candidate best_of_warp(Candidate c)
{
    for (uint32_t d = WARP / 2; d > 0; d /= 2) {
        Candidate other;
        const uint64_t low = __shfl_xor_sync(ALL_LANES, (uint64_t) c.score.a, d);
        const uint64_t high = __shfl_xor_sync(ALL_LANES, (uint64_t) (c.score.a >> 64), d);
        other.score.a = (unsigned __int128) high << 64 | low;
        other.score.b = __shfl_xor_sync(ALL_LANES, c.score.b, d);
        other.threshold = __shfl_xor_sync(ALL_LANES, c.threshold, d);
        if (is_better(other, c))
            c = other;
    }
    return c;
}

DEVICE uint64_t sum_of_warp(uint64_t v)
{
    for (uint32_t d = WARP / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(ALL_LANES, v, d);
    return v;
}

/* What a value adds: pixels, and their sum. */
struct Moments {
    uint64_t n, sum;
};

DEVICE Moments moments_of_warp(const Moments m)
{
    return { sum_of_warp(m.n), sum_of_warp(m.sum) };
}

#define MAX_OTSU_WARPS (CCA_OTSU_THREADS / WARP)

/* The best threshold among the values of the block, one a thread. By whole blocks of
 * whole warps. */
DEVICE Candidate best_of_block(const CudaImage &image, const CudaForeground &f)
{
    __shared__ Moments warp_before[MAX_OTSU_WARPS], warp_own[MAX_OTSU_WARPS];
    __shared__ uint64_t warp_total[MAX_OTSU_WARPS];
    __shared__ Candidate warp_best[MAX_OTSU_WARPS];
    const uint32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const uint32_t n_warps = blockDim.x / WARP, begin = blockIdx.x * blockDim.x;

    /* values below the block's, and the sum of all */
    Moments before = {};
    uint64_t total = 0;
    for (uint32_t v = threadIdx.x; v < f.n_values; v += blockDim.x) {
        const uint32_t h = f.histogram[v];
        total += (uint64_t) v * h;
        if (v < begin)
            before = { before.n + h, before.sum + (uint64_t) v * h };
    }
    before = moments_of_warp(before);
    total = sum_of_warp(total);

    /* the block's own values up to each */
    const uint32_t t = begin + threadIdx.x;
    const uint32_t h = t < f.n_values ? f.histogram[t] : 0;
    Moments own = { h, (uint64_t) t * h };
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint64_t n = __shfl_up_sync(ALL_LANES, own.n, d);
        const uint64_t sum = __shfl_up_sync(ALL_LANES, own.sum, d);
        if (lane >= d)
            own = { own.n + n, own.sum + sum };
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
        total += warp_total[w];
        own = { own.n + warp_before[w].n, own.sum + warp_before[w].sum };
        if (w < warp)
            own = { own.n + warp_own[w].n, own.sum + warp_own[w].sum };
    }

    Candidate c = {};
    const uint64_t n = (uint64_t) image.width * image.height;
    c.threshold = cca_otsu_score(n, total, own.n, own.sum, h, &c.score) ? t : UINT32_MAX;
    c = best_of_warp(c);
    if (lane == 0)
        warp_best[warp] = c;
    __syncthreads();
    c.threshold = UINT32_MAX;
    if (lane < n_warps)
        c = warp_best[lane];
    return best_of_warp(c);
}

/* Grid: blocks of whole warps, a thread for each value. */
extern "C" __global__ void __launch_bounds__(CCA_OTSU_THREADS)
    cca_otsu_choose(const CudaImage image, const CudaForeground f)
{
    begin_dependent();
    Candidate c = best_of_block(image, f);
    if (gridDim.x > 1) {
        bool is_last = false;
        if (threadIdx.x == 0) {
            f.best[blockIdx.x] = { (uint64_t) c.score.a, (uint64_t) (c.score.a >> 64), c.score.b,
                                   c.threshold, 0 };
            __threadfence();
            is_last = atomicAdd(f.ticket, 1) == gridDim.x - 1;
        }
        if (!__syncthreads_or(is_last))
            return;
        __threadfence();
        c.threshold = UINT32_MAX;
        for (uint32_t i = threadIdx.x % WARP; i < gridDim.x; i += WARP) {
            const CudaOtsuBest b = f.best[i];
            const Candidate other = {
                { (unsigned __int128) b.a_high << 64 | b.a_low, b.b }, b.threshold
            };
            if (is_better(other, c))
                c = other;
        }
        c = best_of_warp(c);
    }
    if (threadIdx.x == 0) {
        *f.threshold = c.threshold == UINT32_MAX ? 0 : c.threshold;
        *f.ticket = 0;
    }
    /* others have read it */
    for (uint32_t v = threadIdx.x; v < f.n_values; v += blockDim.x)
        f.histogram[v] = 0;
}
