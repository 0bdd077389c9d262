/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_SIGMA_DELTA_H
#define CCA_CPU_SIGMA_DELTA_H

#include "lanes.h"

typedef struct SigmaDelta {
    Lanes contrast, step, max_variation;
    uint32_t noise_factor;
} SigmaDelta;

/* v + clamp (to - v, -step, step), saturated. */
LANES Lanes approach(const uint32_t size, const Lanes v, const Lanes to, const Lanes step)
{
    const Lanes rise = lesser(size, subtract_saturated(size, to, v), step);
    const Lanes fall = lesser(size, subtract_saturated(size, v, to), step);
    return subtract(size, add_saturated(size, v, rise), fall);
}

/* n a, saturated, for n from 1 to CCA_MAX_NOISE_FACTOR: by the bits of n. */
LANES Lanes multiply_saturated(const uint32_t size, const Lanes a, const uint32_t n)
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
 * nothing, as Vmax fits a lane: where V + step fits, too, it is the same whether N O
 * is cut to the lane's highest; where it does not, V becomes Vmax either way. */
LANES Lanes find_motion(const uint32_t size, const bool due, const SigmaDelta s,
                        const Lanes value, Lanes *const mean, Lanes *const variation)
{
    if (due)
        *mean = approach(size, *mean, value, s.step);
    const Lanes o = distance(size, value, *mean);
    if (due) {
        const Lanes target = multiply_saturated(size, o, s.noise_factor);
        const Lanes v = approach(size, *variation, target, s.step);
        *variation = greater(size, lesser(size, v, s.max_variation), s.contrast);
    }
    return subtract_saturated(size, greater(size, *variation, s.contrast), o);
}

#endif /* CCA_CPU_SIGMA_DELTA_H */
