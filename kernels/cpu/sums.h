/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Adding to the features of labels: at once where a vector holds them all. Compiled
 * once for each instruction set. */

#ifndef CCA_CPU_SUMS_H
#define CCA_CPU_SUMS_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "engine.h"

#if defined(__AVX2__)

typedef __m256i Features;

COPIED Features load_features(const CpuFeatures *const f)
{
    return _mm256_loadu_si256((const __m256i *) f);
}

COPIED Features make_features(const CpuFeatures f)
{
    return _mm256_set_epi64x((long long) f.sum_y, (long long) f.sum_x,
                             (long long) ((uint64_t) f.area << 32 | f.end_y),
                             (long long) ((uint64_t) f.end_x << 32 | f.not_min_x));
}

/* Nothing is carried from end_y, which is 31 bits wide, into the area. */
COPIED Features sum_features(const Features a, const Features b)
{
    return _mm256_blend_epi32(_mm256_max_epu32(a, b), _mm256_add_epi64(a, b), 0xf8);
}

COPIED void add_features(CpuFeatures *const to, const CpuFeatures *const from)
{
    _mm256_storeu_si256((__m256i *) to, sum_features(load_features(to), load_features(from)));
}

/* The label of the run before and its features: where many runs have one label, what
 * was stored last would be waited for. */
typedef struct LastLabel {
    __m256i label; /* in all lanes */
    Features features;
} LastLabel;

#define NO_LAST_LABEL { _mm256_set1_epi32(-1), _mm256_setzero_si256() }

COPIED void add_run(CpuFeatures *const features, const uint32_t l, const CpuFeatures run,
                    LastLabel *const last)
{
    const __m256i label = _mm256_set1_epi32((int) l);
    const Features old = _mm256_blendv_epi8(load_features(&features[l]), last->features,
                                            _mm256_cmpeq_epi32(label, last->label));
    *last = (LastLabel) { label, sum_features(old, make_features(run)) };
    _mm256_storeu_si256((__m256i *) &features[l], last->features);
}

#else

COPIED void add_features(CpuFeatures *const to, const CpuFeatures *const from)
{
    cca_cpu_merge(to, from);
}

typedef struct LastLabel {
    char none;
} LastLabel;

#define NO_LAST_LABEL { 0 }

COPIED void add_run(CpuFeatures *const features, const uint32_t l, const CpuFeatures run,
                    LastLabel *const last)
{
    (void) last;
    cca_cpu_merge(&features[l], &run);
}

#endif

#endif /* CCA_CPU_SUMS_H */
