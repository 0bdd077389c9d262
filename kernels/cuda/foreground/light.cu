/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Finds a change of light as CcaForeground defines it: counts the samples of a frame by band and
 * difference to M, then makes the tone curve. The mask kernel applies it. */

#include "background.cuh"
#include "elect.cuh"

#define LIGHT_BINS (CCA_LIGHT_BANDS * CCA_LIGHT_SHIFTS)

static_assert(CCA_LIGHT_THREADS == CCA_LIGHT_BANDS * WARP, "a warp for each band");
static_assert(CCA_LIGHT_THREADS == CCA_LIGHT_TONES, "a thread for each point of the curve");

/* The samples of a band. */
struct LightBand {
    uint32_t n, n_brighter, n_darker;
    int32_t level;
};

/* Counts the samples of the lane's pixels, neighbours of the same bin together. */
template <typename Sample>
DEVICE void count_samples(const CudaImage &image, const CudaForeground &f, const Unit &u,
                          uint32_t *const bins)
{
    const Samples16<Sample> samples = load_unit<Sample>(image, u);
    const Samples16<Sample> means = load_background<Sample>(f, f.reference, u);
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

/* The band of this warp, from the sums of all blocks, which are cleared. */
DEVICE LightBand take_band(uint32_t *const sums)
{
    constexpr uint32_t n_own = 8;
    static_assert(n_own * WARP == CCA_LIGHT_SHIFTS, "all bins of a band");
    const uint32_t lane = threadIdx.x % WARP, first = n_own * lane;
    uint4 *const own = (uint4 *) (sums + threadIdx.x / WARP * CCA_LIGHT_SHIFTS + first);
    const uint4 a = __ldcg(own), b = __ldcg(own + 1);
    own[0] = own[1] = make_uint4(0, 0, 0, 0);
    const uint32_t h[n_own] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };
    uint32_t n = 0, n_brighter = 0, n_darker = 0;
#pragma unroll
    for (uint32_t k = 0; k < n_own; k++) {
        const int32_t d = (int32_t) (first + k) - CCA_LIGHT_ZERO;
        n += h[k];
        n_brighter += d >= CCA_LIGHT_LEAST ? h[k] : 0;
        n_darker += d <= -CCA_LIGHT_LEAST ? h[k] : 0;
    }
    uint32_t below = n;
    for (uint32_t d = 1; d < WARP; d *= 2) {
        const uint32_t left = __shfl_up_sync(ALL_LANES, below, d);
        below += lane >= d ? left : 0;
    }
    const uint32_t all = __shfl_sync(ALL_LANES, below, WARP - 1);
    uint32_t level = CCA_LIGHT_SHIFTS;
    below -= n;
#pragma unroll
    for (uint32_t k = 0; k < n_own; k++) {
        below += h[k];
        if (below >= all - all / 2)
            level = min(level, first + k);
    }
    return { all, warp_sum(n_brighter), warp_sum(n_darker),
             (int32_t) warp_min(level) - CCA_LIGHT_ZERO };
}

/* Makes the curve and reports the change. Called by all threads of a block. */
DEVICE void make_curve(const CudaForeground &f, const LightBand *const bands, const uint32_t depth)
{
    CcaLightLevels levels = {};
    uint32_t n = 0, n_brighter = 0, n_darker = 0, n_known = 0;
    int64_t sum = 0;
#pragma unroll
    for (uint32_t b = 0; b < CCA_LIGHT_BANDS; b++) {
        n += bands[b].n;
        n_brighter += bands[b].n_brighter;
        n_darker += bands[b].n_darker;
        if (bands[b].n < CCA_LIGHT_LEAST_SAMPLES)
            continue;
        levels.known |= 1u << b;
        levels.levels[b] = bands[b].level;
        n_known += bands[b].n;
        sum += (int64_t) bands[b].n * bands[b].level;
    }
    const bool changed = cca_light_changes(n_brighter, n_darker, n) &&
                         cca_light_is_tone(&levels, f.step, depth);
    if (changed)
        f.light->curve[threadIdx.x] = (int8_t) cca_light_curve(&levels, (int32_t) threadIdx.x);
    if (threadIdx.x > 0)
        return;
    f.light->changed = changed;
    *f.light_report = { changed, changed ? (int32_t) (f.step * sum / n_known) : 0 };
    *f.ticket = 0;
}

/* Grid: threads take units of the rows with samples, in a loop. */
template <typename Sample> DEVICE void find_light(const CudaImage &image, const CudaForeground &f)
{
    __shared__ uint32_t bins[LIGHT_BINS];
    __shared__ LightBand bands[CCA_LIGHT_BANDS];
    begin_first();
    for (uint32_t i = threadIdx.x; i < LIGHT_BINS; i += CCA_LIGHT_THREADS)
        bins[i] = 0;
    __syncthreads();
    const uint32_t first_x = f.roi_x / CCA_PASS_PIXELS;
    const uint32_t row_units = (f.roi_x + f.roi_width - 1) / CCA_PASS_PIXELS + 1 - first_x;
    const uint32_t first_y = (f.roi_y + CCA_LIGHT_GRID - 1) / CCA_LIGHT_GRID * CCA_LIGHT_GRID;
    const uint32_t end_y = f.roi_y + f.roi_height;
    for (uint32_t i = blockIdx.x * CCA_LIGHT_THREADS + threadIdx.x;;
         i += gridDim.x * CCA_LIGHT_THREADS) {
        const uint32_t y = first_y + i / row_units * CCA_LIGHT_GRID;
        const uint32_t x = (first_x + i % row_units) * CCA_PASS_PIXELS;
        if (y >= end_y)
            break;
        count_samples<Sample>(image, f, { x, y, min(image.width - x, (uint32_t) CCA_PASS_PIXELS) },
                              bins);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < LIGHT_BINS; i += CCA_LIGHT_THREADS)
        if (bins[i] > 0)
            atomicAdd(f.light_counts + i, bins[i]);
    if (!arrive_and_elect_last(f))
        return;
    const LightBand band = take_band(f.light_counts);
    if (threadIdx.x % WARP == 0)
        bands[threadIdx.x / WARP] = band;
    __syncthreads();
    make_curve(f, bands, 8 * sizeof(Sample) - f.drop);
}

extern "C" __global__ void __launch_bounds__(CCA_LIGHT_THREADS)
    cca_light_8(const CudaImage image, const CudaForeground f)
{
    find_light<uint8_t>(image, f);
}

extern "C" __global__ void __launch_bounds__(CCA_LIGHT_THREADS)
    cca_light_16(const CudaImage image, const CudaForeground f)
{
    find_light<uint16_t>(image, f);
}
