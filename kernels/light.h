/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_LIGHT_H
#define CCA_LIGHT_H

/* The tone curve of CcaParams.compensate_light, for the CPU and for CUDA kernels. */

#include <stdbool.h>
#include <stdint.h>

#include "intops.h"

#define CCA_LIGHT_GRID 4 /* pixels from sample to sample, in both directions */
#define CCA_LIGHT_BANDS 8
#define CCA_LIGHT_SHIFTS 256       /* values of D, from -CCA_LIGHT_ZERO on */
#define CCA_LIGHT_ZERO 128         /* index of D = 0 */
#define CCA_LIGHT_LEAST 2          /* |D| of a sample that counts as changed */
#define CCA_LIGHT_LEAST_SAMPLES 64 /* of a band with a level */
#define CCA_LIGHT_TONES 256        /* points of the curve */

/* Result of a frame, as in CcaResult. */
typedef struct CcaLight {
    bool changed;
    int32_t shift;
} CcaLight;

/* The levels of the bands. */
typedef struct CcaLightLevels {
    int32_t levels[CCA_LIGHT_BANDS];
    uint32_t known; /* bit per band that has a level */
} CcaLightLevels;

/* Point of the curve in the middle of a band. */
CCA_INLINE int32_t cca_light_middle(const int32_t band)
{
    return (2 * band + 1) * (CCA_LIGHT_TONES / CCA_LIGHT_BANDS / 2);
}

/* D + CCA_LIGHT_ZERO. */
CCA_INLINE uint32_t cca_light_shift_index(const int32_t value, const int32_t mean,
                                          const int32_t step)
{
    const int32_t d = step == 1 ? value - mean : (value - mean) / step;
    return (uint32_t) (iclip(d, -CCA_LIGHT_ZERO, CCA_LIGHT_SHIFTS - 1 - CCA_LIGHT_ZERO) +
                       CCA_LIGHT_ZERO);
}

/* Whether so many of `n` samples have changed in one direction that light has changed. */
CCA_INLINE bool cca_light_changes(const uint32_t n_brighter, const uint32_t n_darker,
                                  const uint32_t n)
{
    return n > 0 &&
           4 * (uint64_t) (n_brighter > n_darker ? n_brighter : n_darker) >= 3 * (uint64_t) n;
}

/* Whether at least one band has a level, and the curve keeps a third of the distance between the
 * first and the last of them. An object in front of the camera makes it flat. */
CCA_INLINE bool cca_light_is_tone(const CcaLightLevels *const l, const uint32_t step,
                                  const uint32_t depth)
{
    int32_t first = -1, last = -1;
    for (int32_t b = 0; b < CCA_LIGHT_BANDS; b++) {
        if (l->known >> b & 1) {
            first = first < 0 ? b : first;
            last = b;
        }
    }
    if (first < 0)
        return false;
    const int64_t distance = (int64_t) (cca_light_middle(last) - cca_light_middle(first)) << depth;
    const int64_t change = (int64_t) CCA_LIGHT_TONES * step * (l->levels[last] - l->levels[first]);
    return 3 * change + 2 * distance >= 0;
}

/* The curve at point `k`: interpolated between the bands with levels, constant outside. */
CCA_INLINE int32_t cca_light_curve(const CcaLightLevels *const l, const int32_t k)
{
    int32_t below = -1, above = -1;
    for (int32_t b = 0; b < CCA_LIGHT_BANDS; b++) {
        if (!(l->known >> b & 1))
            continue;
        if (cca_light_middle(b) <= k)
            below = b;
        else if (above < 0)
            above = b;
    }
    if (below < 0)
        return l->levels[above];
    if (above < 0)
        return l->levels[below];
    const int32_t w = cca_light_middle(above) - cca_light_middle(below);
    const int32_t right = k - cca_light_middle(below);
    const int32_t sum = l->levels[below] * (w - right) + l->levels[above] * right;
    /* The dividend is not negative, so the division rounds down. */
    return (2 * sum + w + 2 * w * CCA_LIGHT_ZERO) / (2 * w) - CCA_LIGHT_ZERO;
}

#endif /* CCA_LIGHT_H */
