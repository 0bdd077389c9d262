/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Counts the samples of a frame that have changed, as CcaForeground defines them, and the samples
 * by band and difference to M. The next kernel, which computes the mask, may start when all blocks
 * of this one have, and waits for the counts only where it needs them. */

#include "background.cuh"

/* 4 n_brighter - 3 n and 4 n_darker - 3 n of n samples. */
struct LightChanges {
    int32_t brighter, darker;
};

/* Counts the samples of the lane's pixels, neighbours of the same bin together. */
template <typename Sample>
DEVICE void count_samples(const CudaImage &image, const CudaForeground &f, const Unit &u,
                          uint32_t *const bins, LightChanges &changes)
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

/* Adds the block's changes to those of all blocks. Called by all threads. */
DEVICE void report_changes(const CudaForeground &f, const LightChanges &changes)
{
    __shared__ int32_t sums[2];
    if (threadIdx.x < 2)
        sums[threadIdx.x] = 0;
    __syncthreads();
    const int32_t brighter = (int32_t) warp_sum((uint32_t) changes.brighter);
    const int32_t darker = (int32_t) warp_sum((uint32_t) changes.darker);
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&sums[0], brighter);
        atomicAdd(&sums[1], darker);
    }
    __syncthreads();
    if (threadIdx.x < 2)
        add_relaxed(f.light->sums[threadIdx.x],
                    (UINT64_C(1) << 32) + (uint64_t) (int64_t) sums[threadIdx.x]);
}

/* Clears the counts for the slot's next frame that looks for a change of light. */
DEVICE void clear_next(const CudaForeground &f)
{
    uint32_t *const words = (uint32_t *) f.next_light;
    for (uint32_t i = blockIdx.x * CCA_LIGHT_THREADS + threadIdx.x;
         i < sizeof(CudaLight) / sizeof(*words); i += gridDim.x * CCA_LIGHT_THREADS)
        words[i] = 0;
}

/* Grid: threads take units of the rows with samples, in a loop. */
template <typename Sample> DEVICE void count_light(const CudaImage &image, const CudaForeground &f)
{
    __shared__ uint32_t bins[CCA_LIGHT_BINS];
    begin_first();
    for (uint32_t i = threadIdx.x; i < CCA_LIGHT_BINS; i += CCA_LIGHT_THREADS)
        bins[i] = 0;
    __syncthreads();
    const uint32_t first_x = f.roi_x / CCA_PASS_PIXELS;
    const uint32_t row_units = (f.roi_x + f.roi_width - 1) / CCA_PASS_PIXELS + 1 - first_x;
    const uint32_t first_y = (f.roi_y + CCA_LIGHT_GRID - 1) / CCA_LIGHT_GRID * CCA_LIGHT_GRID;
    const uint32_t end_y = f.roi_y + f.roi_height;
    LightChanges changes = {};
    for (uint32_t i = blockIdx.x * CCA_LIGHT_THREADS + threadIdx.x;;
         i += gridDim.x * CCA_LIGHT_THREADS) {
        const uint32_t y = first_y + i / row_units * CCA_LIGHT_GRID;
        const uint32_t x = (first_x + i % row_units) * CCA_PASS_PIXELS;
        if (y >= end_y)
            break;
        const Unit u = { x, y, min(image.width - x, (uint32_t) CCA_PASS_PIXELS) };
        count_samples<Sample>(image, f, u, bins, changes);
    }
    report_changes(f, changes);
    clear_next(f);
    for (uint32_t i = threadIdx.x; i < CCA_LIGHT_BINS; i += CCA_LIGHT_THREADS)
        if (bins[i] > 0)
            atomicAdd(f.light->bins + i, bins[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        add_release(f.light->counted, 1);
}

extern "C" __global__ void __launch_bounds__(CCA_LIGHT_THREADS)
    cca_light_8(const CudaImage image, const CudaForeground f)
{
    count_light<uint8_t>(image, f);
}

extern "C" __global__ void __launch_bounds__(CCA_LIGHT_THREADS)
    cca_light_16(const CudaImage image, const CudaForeground f)
{
    count_light<uint16_t>(image, f);
}
