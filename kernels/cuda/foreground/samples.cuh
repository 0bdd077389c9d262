/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Counts the samples of a frame that have changed, as CcaForeground defines them, and the samples
 * by band and difference to M. The rows with samples are the first ones of the pass. Each of its
 * first blocks counts a part of the samples: those of its own pixels, and if there are more
 * samples, of others. GPUs start blocks in order, but need not: a block that waits for long takes
 * the parts of blocks that have not started. */

#ifndef CCA_CUDA_FOREGROUND_SAMPLES_CUH
#define CCA_CUDA_FOREGROUND_SAMPLES_CUH

#include "background.cuh"

/* 4 n_brighter - 3 n and 4 n_darker - 3 n of n samples. */
struct LightChanges {
    int32_t brighter, darker;
};

/* The samples of a part, in shared memory. */
struct LightPart {
    uint32_t bins[CCA_LIGHT_BINS]; /* by band and D */
    LightChanges changes;
    uint32_t number; /* of the part that this block counts, or UINT32_MAX */
};

DEVICE uint32_t sampled_rows(const CudaImage &image)
{
    return (image.height - 1) / CCA_LIGHT_GRID + 1;
}

/* As unit_at(), in the order of the pass. */
DEVICE Unit light_unit_at(const CudaImage &image, const uint32_t i, const uint32_t row_units)
{
    constexpr uint32_t others = CCA_LIGHT_GRID - 1; /* rows without samples after each with some */
    Unit u = unit_at(image, i, row_units);
    const uint32_t n = sampled_rows(image), other = u.y - n;
    if (u.y < n)
        u.y *= CCA_LIGHT_GRID;
    else if (u.y < image.height)
        u.y = other / others * CCA_LIGHT_GRID + 1 + other % others;
    return u;
}

/* Counts the samples of the lane's pixels, neighbours of the same bin together. */
template <typename Sample>
DEVICE void count_samples(const CudaImage &image, const CudaForeground &f, const Unit &u,
                          const Samples16<Sample> &samples, const Samples16<Sample> &means,
                          uint32_t *const bins, LightChanges &changes)
{
    if (u.n == 0 || u.y % CCA_LIGHT_GRID > 0 || u.y - f.roi_y >= f.roi_height)
        return;
    const uint32_t working = working_bits(image, u);
    uint32_t bin = 0, n = 0;
#pragma unroll
    for (uint32_t i = 0; i < CCA_PASS_PIXELS; i += CCA_LIGHT_GRID) {
        if (u.x + i - f.roi_x >= f.roi_width || (working >> i & 1) == 0)
            continue;
        const uint32_t value = value_of<Sample>(image, f.drop, get<Sample>(samples, i));
        const uint32_t mean = get<Sample>(means, i);
        const uint32_t band = tone_of<Sample>(f, mean) / (CCA_LIGHT_TONES / CCA_LIGHT_BANDS);
        const uint32_t shift = cca_light_shift_index((int32_t) value, (int32_t) mean,
                                                     (int32_t) f.step);
        const uint32_t next = band * CCA_LIGHT_SHIFTS + shift;
        changes.brighter += (shift >= CCA_LIGHT_ZERO + CCA_LIGHT_LEAST ? 4 : 0) - 3;
        changes.darker += (shift <= CCA_LIGHT_ZERO - CCA_LIGHT_LEAST ? 4 : 0) - 3;
        if (n > 0 && next != bin) {
            atomicAdd(&bins[bin], n);
            n = 0;
        }
        bin = next;
        n++;
    }
    if (n > 0)
        atomicAdd(&bins[bin], n);
}

/* Counts the samples of the units `i`, i + step, and so on. */
template <typename Sample>
DEVICE void count_units(const CudaImage &image, const CudaForeground &f, uint32_t i,
                        const uint32_t step, uint32_t *const bins, LightChanges &changes)
{
    const uint32_t row_units = 2 * f.row_words, n = sampled_rows(image) * row_units;
#pragma unroll 1
    for (; i < n; i += step) {
        const Unit u = light_unit_at(image, i, row_units);
        if (u.n > 0)
            count_samples<Sample>(image, f, u, load_unit<Sample>(image, u),
                                  load_background<Sample>(f, f.reference, u), bins, changes);
    }
}

/* Takes a part, unless another block has. */
DEVICE bool take_part(const CudaForeground &f, const uint32_t number)
{
    const uint32_t bit = 1u << number % WARP;
    return (atomicOr(f.light->taken + number / WARP, bit) & bit) == 0;
}

/* Takes a part that no block has, and returns its number. */
DEVICE uint32_t take_any_part(const CudaForeground &f)
{
    for (uint32_t i = 0; i < f.light_blocks; i += WARP) {
        uint32_t left = ~load_relaxed(f.light->taken + i / WARP);
        if (f.light_blocks - i < WARP)
            left &= (1u << (f.light_blocks - i)) - 1;
        for (; left != 0; left &= left - 1) {
            const uint32_t number = i + __ffs(left) - 1;
            if (take_part(f, number))
                return number;
        }
    }
    return UINT32_MAX;
}

/* Called by all threads of a block, as are the following. */
DEVICE void clear_part(LightPart &part)
{
    for (uint32_t i = threadIdx.x; i < CCA_LIGHT_BINS; i += CCA_PASS_THREADS)
        part.bins[i] = 0;
    if (threadIdx.x == 0)
        part.changes = {};
    __syncthreads();
}

/* Counts the units of a part from one on, and reports the changes of the part. `changes` are those
 * that the thread has counted. */
template <typename Sample>
DEVICE void finish_part(const CudaImage &image, const CudaForeground &f, const uint32_t first,
                        LightPart &part, LightChanges changes)
{
    count_units<Sample>(image, f, first, f.light_blocks * CCA_PASS_THREADS, part.bins, changes);
    const int32_t brighter = (int32_t) warp_sum((uint32_t) changes.brighter);
    const int32_t darker = (int32_t) warp_sum((uint32_t) changes.darker);
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&part.changes.brighter, brighter);
        atomicAdd(&part.changes.darker, darker);
    }
    __syncthreads();
    const int32_t sum = threadIdx.x == 0 ? part.changes.brighter : part.changes.darker;
    if (threadIdx.x < 2)
        add_relaxed(f.light->sums[threadIdx.x], (UINT64_C(1) << 32) + (uint64_t) (int64_t) sum);
}

/* Counts the block's part. The lane's own unit has been loaded. */
template <typename Sample>
DEVICE void count_part(const CudaImage &image, const CudaForeground &f, const Unit &own,
                       const Samples16<Sample> &samples, const Samples16<Sample> &means,
                       LightPart &part)
{
    LightChanges changes = {};
    if (threadIdx.x == 0)
        part.number = take_part(f, blockIdx.x) ? blockIdx.x : UINT32_MAX;
    clear_part(part);
    if (part.number == UINT32_MAX)
        return;
    count_samples<Sample>(image, f, own, samples, means, part.bins, changes);
    finish_part<Sample>(image, f, (blockIdx.x + f.light_blocks) * CCA_PASS_THREADS + threadIdx.x,
                        part, changes);
}

/* Reports the bins of a part. */
DEVICE void report_bins(const CudaForeground &f, const LightPart &part)
{
    for (uint32_t i = threadIdx.x; i < CCA_LIGHT_BINS; i += CCA_PASS_THREADS)
        if (part.bins[i] > 0)
            atomicAdd(f.light->bins + i, part.bins[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        add_release(f.light->counted, 1);
}

/* Counts and reports all parts that no block has taken. */
template <typename Sample>
DEVICE void count_others(const CudaImage &image, const CudaForeground &f, LightPart &part)
{
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            part.number = take_any_part(f);
        clear_part(part);
        if (part.number == UINT32_MAX)
            return;
        finish_part<Sample>(image, f, part.number * CCA_PASS_THREADS + threadIdx.x, part, {});
        report_bins(f, part);
    }
}

/* Clears the counts for the slot's next frame that looks for a change of light. */
DEVICE void clear_next(const CudaForeground &f)
{
    uint32_t *const words = (uint32_t *) f.next_light;
    for (uint32_t i = blockIdx.x * CCA_PASS_THREADS + threadIdx.x;
         i < sizeof(CudaLight) / sizeof(*words); i += f.light_blocks * CCA_PASS_THREADS)
        words[i] = 0;
}

#endif /* CCA_CUDA_FOREGROUND_SAMPLES_CUH */
