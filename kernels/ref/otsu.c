/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu, "A threshold selection method from gray-level histograms", 1979, in exact
 * integers: the between-class variance as a fraction. */

#include <string.h>

#include "foreground.h"

/* A number of up to 256 bits, the lowest 32 first. */
typedef struct Big {
    uint32_t digits[8];
} Big;

static Big times(Big a, const uint64_t b)
{
    const uint32_t factors[2] = { (uint32_t) b, (uint32_t) (b >> 32) };
    Big product = { { 0 } };
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = 0; k + i < 8; k++) {
            carry += (uint64_t) a.digits[k] * factors[i] + product.digits[k + i];
            product.digits[k + i] = (uint32_t) carry;
            carry >>= 32;
        }
    }
    return product;
}

static bool exceeds(const Big *const a, const Big *const b)
{
    for (int i = 7; i >= 0; i--)
        if (a->digits[i] != b->digits[i])
            return a->digits[i] > b->digits[i];
    return false;
}

/* For a below 2^96. */
static Big square(const unsigned __int128 a)
{
    Big low = { { (uint32_t) a, (uint32_t) (a >> 32), (uint32_t) (a >> 64),
                  (uint32_t) (a >> 96) } };
    const Big by_low = times(low, (uint64_t) a);
    const Big by_high = times(low, (uint64_t) (a >> 64));
    Big sum = by_low;
    uint64_t carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (uint64_t) by_low.digits[i + 2] + by_high.digits[i];
        sum.digits[i + 2] = (uint32_t) carry;
        carry >>= 32;
    }
    return sum;
}

uint32_t cca_ref_otsu(uint32_t *const h, const CcaJob *const job, const CcaConfig *const config)
{
    const uint32_t n_values = 1u << config->depth;
    memset(h, 0, n_values * sizeof(*h));
    for (uint32_t y = 0; y < job->height; y++)
        for (uint32_t x = 0; x < job->width; x++)
            h[cca_ref_value(job, config, job->x + x, job->y + y)]++;

    uint64_t n = 0, s = 0;
    for (uint32_t v = 0; v < n_values; v++) {
        n += h[v];
        s += (uint64_t) v * h[v];
    }
    uint64_t w = 0, q = 0, best_b = 1;
    Big best_square = { { 0 } };
    uint32_t best = 0;
    bool found = false;
    for (uint32_t t = 0; t < n_values; t++) {
        w += h[t];
        q += (uint64_t) t * h[t];
        const uint64_t smaller = umin64(w, n - w);
        if (h[t] == 0 || smaller == 0 || smaller << 23 < n)
            continue;
        const __int128 a = (__int128) n * q - (__int128) w * s;
        const uint64_t b = w * (n - w);
        const Big a_square = square((unsigned __int128) (a < 0 ? -a : a));
        const Big score = times(a_square, best_b), best_score = times(best_square, b);
        if (!found || exceeds(&score, &best_score)) {
            best = t;
            best_b = b;
            best_square = a_square;
            found = true;
        }
    }
    return best;
}
