/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "../otsu.h"
#include "otsu.h"

/* Neighbours mostly are alike, and a count that was just stored is slow to load: four
 * in a row are counted in different histograms, if these are small. */
static uint32_t n_parts(const CcaConfig *const config)
{
    return config->depth <= 10 ? 4 : 1;
}

/* So many pixels are worth waking a thread for, and adding its histogram up. */
static uint64_t pixels_each(const CcaConfig *const config)
{
    return UINT64_C(16) << (umax(config->depth, 11));
}

uint32_t cca_cpu_n_histograms(const CcaConfig *const config, const uint32_t width,
                              const uint32_t height, const uint32_t n_threads)
{
    const uint64_t n = (uint64_t) width * height / pixels_each(config) + 1;
    return (uint32_t) umin64(n, n_threads);
}

size_t cca_cpu_histogram_size(const CcaConfig *const config)
{
    return (size_t) n_parts(config) << config->depth;
}

/* Four values, `bits` apart in `samples`, in histograms that are `part` apart. */
static inline void count_4(uint32_t *const h, const size_t part, const uint64_t samples,
                           const uint32_t bits, const uint32_t top)
{
    h[samples & top]++;
    h[part + (samples >> bits & top)]++;
    h[2 * part + (samples >> 2 * bits & top)]++;
    h[3 * part + (samples >> 3 * bits & top)]++;
}

static void count_8(uint32_t *const h, const uint8_t *const row, const uint32_t width)
{
    uint32_t x = 0;
    for (; width - x >= 8; x += 8) {
        uint64_t samples;
        memcpy(&samples, row + x, 8);
        count_4(h, 256, samples, 8, 255);
        count_4(h, 256, samples >> 32, 8, 255);
    }
    for (; x < width; x++)
        h[row[x]]++;
}

static void count_16(uint32_t *const h, const uint8_t *const row, const uint32_t width,
                     const CcaConfig *const config)
{
    const uint32_t top = (1u << config->depth) - 1;
    const size_t part = n_parts(config) > 1 ? (size_t) 1 << config->depth : 0;
    uint32_t x = 0;
    for (; width - x >= 4; x += 4) {
        uint64_t samples;
        memcpy(&samples, row + (size_t) 2 * x, 8);
        count_4(h, part, samples >> config->shift, 16, top);
    }
    for (; x < width; x++) {
        uint16_t sample;
        memcpy(&sample, row + (size_t) 2 * x, 2);
        h[sample >> config->shift & top]++;
    }
}

void cca_cpu_count_values(uint32_t *const h, const CcaJob *const job,
                          const CcaConfig *const config, const uint32_t first,
                          const uint32_t end)
{
    memset(h, 0, cca_cpu_histogram_size(config) * sizeof(*h));
    for (uint32_t y = first; y < end; y++) {
        const uint8_t *const row = job->data + y * job->stride;
        if (config->sample_size == 1)
            count_8(h, row, job->width);
        else
            count_16(h, row, job->width, config);
    }
}

uint32_t cca_cpu_otsu(uint32_t *const h, const uint32_t n_histograms,
                      const CcaConfig *const config)
{
    const uint32_t n_values = 1u << config->depth, n = n_histograms * n_parts(config);
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t v = 0; v < n_values; v++)
            h[v] += h[((size_t) i << config->depth) + v];

    uint64_t n_pixels = 0, sum = 0;
    for (uint32_t v = 0; v < n_values; v++) {
        n_pixels += h[v];
        sum += (uint64_t) v * h[v];
    }
    CcaOtsuScore best = { 0 }, score;
    uint32_t threshold = 0;
    uint64_t w = 0, q = 0;
    for (uint32_t t = 0; t < n_values; t++) {
        w += h[t];
        q += (uint64_t) t * h[t];
        if (cca_otsu_score(n_pixels, sum, w, q, h[t], &score) &&
            cca_otsu_is_better(score, best)) {
            best = score;
            threshold = t;
        }
    }
    return threshold;
}
