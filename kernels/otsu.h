/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OTSU_H
#define CCA_OTSU_H

/* The exact comparison of CCA_FOREGROUND_OTSU, for the CPU and for CUDA kernels. */

#include <stdbool.h>
#include <stdint.h>

#include "intops.h"

/* A fraction: the between-class variance times N^4. */
typedef struct CcaOtsuScore {
    unsigned __int128 a; /* |A|; below 2^78 */
    uint64_t b;          /* B; 0: every other score is better */
} CcaOtsuScore;

/* The score of the threshold t in a histogram of `n` pixels that sum up to `s`, of
 * which `w` that sum up to `q` are not above t, and `h` are t. False if t is no
 * candidate. */
CCA_INLINE bool cca_otsu_score(const uint64_t n, const uint64_t s, const uint64_t w,
                               const uint64_t q, const uint64_t h, CcaOtsuScore *const score)
{
    const uint64_t smaller = umin64(w, n - w);
    if (h == 0 || smaller == 0 || smaller << 23 < n)
        return false;
    /* not negative: the mean of the values up to t is not above that of all */
    score->a = (unsigned __int128) w * s - (unsigned __int128) n * q;
    score->b = w * (n - w);
    return true;
}

typedef struct CcaOtsuProduct {
    uint64_t limbs[4]; /* the lowest first */
} CcaOtsuProduct;

/* a a b, for a below 2^96: with a = high 2^64 + low. */
CCA_INLINE CcaOtsuProduct cca_otsu_product(const unsigned __int128 a, const uint64_t b)
{
    const uint64_t low = (uint64_t) a, high = (uint64_t) (a >> 64);
    const unsigned __int128 low_low = (unsigned __int128) low * low;
    const unsigned __int128 middle = (low_low >> 64) + 2 * ((unsigned __int128) low * high);
    const uint64_t square[3] = { (uint64_t) low_low, (uint64_t) middle,
                                 (uint64_t) (middle >> 64) + high * high };
    CcaOtsuProduct product;
    unsigned __int128 carry = 0;
    for (int i = 0; i < 3; i++) {
        carry += (unsigned __int128) square[i] * b;
        product.limbs[i] = (uint64_t) carry;
        carry >>= 64;
    }
    product.limbs[3] = (uint64_t) carry;
    return product;
}

/* Whether `score` is better than `than`, the best so far, or that is no score. Calls in rising
 * order of t find the smallest of the best thresholds. */
CCA_INLINE bool cca_otsu_is_better(const CcaOtsuScore score, const CcaOtsuScore than)
{
    if (than.b == 0)
        return true;
    const CcaOtsuProduct p = cca_otsu_product(score.a, than.b);
    const CcaOtsuProduct q = cca_otsu_product(than.a, score.b);
    for (int i = 3; i > 0; i--)
        if (p.limbs[i] != q.limbs[i])
            return p.limbs[i] > q.limbs[i];
    return p.limbs[0] > q.limbs[0];
}

#endif /* CCA_OTSU_H */
