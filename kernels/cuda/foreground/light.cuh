/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Decides whether light has changed as CcaForeground defines it, and makes the tone curve. */

#ifndef CCA_CUDA_FOREGROUND_LIGHT_CUH
#define CCA_CUDA_FOREGROUND_LIGHT_CUH

#include "samples.cuh"

static_assert(CCA_PASS_THREADS == CCA_LIGHT_BANDS * WARP, "a warp for each band");
static_assert(CCA_PASS_THREADS == CCA_LIGHT_TONES, "a thread for each point of the curve");

/* The samples of a band. */
struct LightBand {
    uint32_t n;
    int32_t level;
};

/* In shared memory. */
struct LightBlock {
    LightPart part;
    LightBand bands[CCA_LIGHT_BANDS];
    int8_t curve[CCA_LIGHT_TONES];
};

/* The band of this warp. */
DEVICE LightBand load_band(const uint32_t *const bins)
{
    constexpr uint32_t n_own = 8;
    static_assert(n_own * WARP == CCA_LIGHT_SHIFTS, "all bins of a band");
    const uint32_t lane = threadIdx.x % WARP, first = n_own * lane;
    const uint4 *const own = (const uint4 *) (bins + threadIdx.x / WARP * CCA_LIGHT_SHIFTS + first);
    const uint4 a = __ldcg(own), b = __ldcg(own + 1);
    const uint32_t h[n_own] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };
    uint32_t n = 0, level = CCA_LIGHT_SHIFTS;
#pragma unroll
    for (uint32_t k = 0; k < n_own; k++)
        n += h[k];
    const uint32_t up_to = warp_sum_up_to(n);
    const uint32_t all = __shfl_sync(ALL_LANES, up_to, WARP - 1);
    uint32_t below = up_to - n;
#pragma unroll
    for (uint32_t k = 0; k < n_own; k++) {
        below += h[k];
        if (below >= all - all / 2)
            level = min(level, first + k);
    }
    return { all, (int32_t) warp_min(level) - CCA_LIGHT_ZERO };
}

/* Makes the curve from the bands, and returns whether there is one. Called by all threads. */
DEVICE bool make_curve(const CudaForeground &f, LightBlock &block, const uint32_t depth,
                       CcaLight &report)
{
    CcaLightLevels levels = {};
    uint32_t n_known = 0;
    int64_t sum = 0;
#pragma unroll
    for (uint32_t b = 0; b < CCA_LIGHT_BANDS; b++) {
        const LightBand band = block.bands[b];
        if (band.n < CCA_LIGHT_LEAST_SAMPLES)
            continue;
        levels.known |= 1u << b;
        levels.levels[b] = band.level;
        n_known += band.n;
        sum += (int64_t) band.n * band.level;
    }
    if (!cca_light_is_tone(&levels, f.step, depth))
        return false;
    block.curve[threadIdx.x] = (int8_t) cca_light_curve(&levels, (int32_t) threadIdx.x);
    report = { true, (int32_t) (f.step * sum / n_known) };
    return true;
}

/* Waits until the changes of all parts are known, and sets whether they are enough. Returns false
 * if they are not known after so many looks. Called by a warp, of which every other lane looks at
 * the same direction. */
DEVICE bool wait_for_parts(const CudaForeground &f, uint32_t looks, bool &changes)
{
    for (; looks > 0; looks--) {
        const uint64_t word = load_relaxed(f.light->sums[threadIdx.x % 2]);
        const int32_t sum = (int32_t) (uint32_t) word;
        const bool missing = (word - (uint64_t) (int64_t) sum) >> 32 < f.light_blocks;
        if (!__any_sync(ALL_LANES, missing)) {
            changes = __any_sync(ALL_LANES, sum >= 0);
            return true;
        }
    }
    return false;
}

/* The same for all threads of a block. */
DEVICE bool are_known(const CudaForeground &f, const uint32_t looks, bool &changes)
{
    bool known = true;
    changes = false;
    if (threadIdx.x < WARP)
        known = wait_for_parts(f, looks, changes);
    if (!__syncthreads_or(!known || changes))
        return true;
    changes = __syncthreads_and(known);
    return changes;
}

/* Returns whether enough samples have changed; then all bins are known. */
template <typename Sample>
DEVICE bool wait_for_samples(const CudaImage &image, const CudaForeground &f, LightPart &part)
{
    bool changes, has_bins = blockIdx.x < f.light_blocks && part.number == blockIdx.x;
    if (!are_known(f, CCA_LIGHT_LOOKS, changes)) {
        if (has_bins)
            report_bins(f, part);
        has_bins = false;
        count_others<Sample>(image, f, part);
        are_known(f, UINT32_MAX, changes);
    }
    if (!changes)
        return false;
    if (has_bins)
        report_bins(f, part);
    if (threadIdx.x == 0)
        while (load_relaxed(f.light->counted) < f.light_blocks)
            ;
    __threadfence();
    __syncthreads();
    return true;
}

/* Returns the tone curve if light has changed, else NULL. Called by all threads of a block. */
template <typename Sample>
DEVICE const int8_t *find_curve(const CudaImage &image, const CudaForeground &f, LightBlock &block)
{
    CcaLight report = {};
    bool changed = wait_for_samples<Sample>(image, f, block.part);
    if (changed) {
        const LightBand band = load_band(f.light->bins);
        if (threadIdx.x % WARP == 0)
            block.bands[threadIdx.x / WARP] = band;
        __syncthreads();
        changed = make_curve(f, block, 8 * sizeof(Sample) - f.drop, report);
        __syncthreads();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *f.light_report = report;
    return changed ? block.curve : NULL;
}

#endif /* CCA_CUDA_FOREGROUND_LIGHT_CUH */
