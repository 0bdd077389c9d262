/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_SIGMA_DELTA_H
#define CCA_CPU_SIGMA_DELTA_H

#include "lanes.h"

typedef struct SigmaDelta {
    Lanes contrast, step, max_variation;
    uint32_t noise_factor;
} SigmaDelta;

/* v + clamp (to - v, -step, step), which is clamp (to, v - step, v + step). */
COPIED Lanes approach(const uint32_t size, const Lanes v, const Lanes to, const Lanes step)
{
    const Lanes lowest = subtract_saturated(size, v, step);
    const Lanes highest = add_saturated(size, v, step);
    return max_lanes(size, min_lanes(size, to, highest), lowest);
}

/* n a, saturated, for n from 1 to CCA_MAX_NOISE_FACTOR: by the bits of n. */
COPIED Lanes multiply_saturated(const uint32_t size, const Lanes a, const uint32_t n)
{
    Lanes product = a;
    for (int bit = 30 - __builtin_clz(n); bit >= 0; bit--) {
        product = add_saturated(size, product, product);
        if (n >> bit & 1)
            product = add_saturated(size, product, a);
    }
    return product;
}

/* 0 where the value is foreground. Moves M and V if `due`. Saturation changes
 * nothing: it makes what a lane does not hold the highest that it holds, for N O and
 * V + step alike, and V is then bounded by Vmax, which is no more than that. */
COPIED Lanes find_motion(const uint32_t size, const bool due, const SigmaDelta s,
                         const Lanes value, Lanes *const mean, Lanes *const variation)
{
    if (due)
        *mean = approach(size, *mean, value, s.step);
    const Lanes o = distance(size, value, *mean);
    if (due) {
        const Lanes target = multiply_saturated(size, o, s.noise_factor);
        const Lanes v = approach(size, *variation, target, s.step);
        *variation = max_lanes(size, min_lanes(size, v, s.max_variation), s.contrast);
    }
    return subtract_saturated(size, max_lanes(size, *variation, s.contrast), o);
}

#endif /* CCA_CPU_SIGMA_DELTA_H */
