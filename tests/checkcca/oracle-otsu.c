/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold without large products. The term A A / B of cca.h is, up to a
 * constant and the factor N,
 *
 *   q q / w + r r / (N - w)    with r = S - q,
 *
 * the sum over both classes of size times squared mean. With q = a w + b, of which
 * b < w,
 *
 *   q q / w = a a w + 2 a b + b b / w
 *
 * where all but the last term is whole; and fractions are compared by Euclid's
 * algorithm. */

#include <string.h>

#include "oracle.h"

/* whole + part / parts, with part < parts */
typedef struct Score {
    uint64_t whole, part, parts;
} Score;

void oracle_histogram(const CcaFrame *const frame, const CcaConfig *const config,
                      const CcaParams *const params, OracleHistogram *const histogram)
{
    histogram->n_values = 1u << config->depth;
    memset(histogram->counts, 0, histogram->n_values * sizeof(*histogram->counts));
    for (uint32_t y = 0; y < frame->height; y++)
        for (uint32_t x = 0; x < frame->width; x++)
            if (oracle_works(params, x, y))
                histogram->counts[oracle_value(frame, config, x, y)]++;
}

/* Of one class: `sum` is that of its n values. */
static Score class_score(const uint64_t n, const uint64_t sum)
{
    const uint64_t mean = sum / n, rest = sum % n;
    const uint64_t square = rest * rest;
    return (Score) { mean * mean * n + 2 * mean * rest + square / n, square % n, n };
}

static Score score(const uint64_t w, const uint64_t q, const uint64_t n, const uint64_t sum)
{
    const Score low = class_score(w, q), high = class_score(n - w, sum - q);
    const uint64_t parts = low.parts * high.parts;
    const uint64_t part = low.part * high.parts + high.part * low.parts;
    return (Score) { low.whole + high.whole + part / parts, part % parts, parts };
}

/* a / b compared with c / d: negative, 0 or positive. b and d are not 0. */
static int compare_fractions(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    for (int sign = 1;; sign = -sign) {
        if (a / b != c / d)
            return a / b > c / d ? sign : -sign;
        a %= b;
        c %= d;
        if (a == 0 || c == 0)
            return a == c ? 0 : a > c ? sign : -sign;
        const uint64_t e = a, f = c; /* their inverses compare the other way round */
        a = b;
        b = e;
        c = d;
        d = f;
    }
}

static int compare_scores(const Score *const a, const Score *const b)
{
    if (a->whole != b->whole)
        return a->whole > b->whole ? 1 : -1;
    return compare_fractions(a->part, a->parts, b->part, b->parts);
}

static void sum_up(const OracleHistogram *const h, const uint32_t end, uint64_t *const n,
                   uint64_t *const sum)
{
    *n = *sum = 0;
    for (uint32_t v = 0; v < end; v++) {
        *n += h->counts[v];
        *sum += v * h->counts[v];
    }
}

uint32_t oracle_otsu(const OracleHistogram *const h)
{
    uint64_t n, sum, w = 0, q = 0;
    uint32_t best = 0;
    Score greatest = { 0 };
    bool found = false;
    sum_up(h, h->n_values, &n, &sum);
    for (uint32_t t = 0; t < h->n_values; t++) {
        w += h->counts[t];
        q += t * h->counts[t];
        const uint64_t smaller = w < n - w ? w : n - w;
        if (h->counts[t] == 0 || smaller == 0 || smaller << 23 < n)
            continue;
        const Score s = score(w, q, n, sum);
        if (found && compare_scores(&s, &greatest) <= 0)
            continue;
        found = true;
        greatest = s;
        best = t;
    }
    return best;
}

bool oracle_otsu_ties(const OracleHistogram *const h, const uint32_t a, const uint32_t b)
{
    uint64_t n, sum, w[2], q[2];
    sum_up(h, h->n_values, &n, &sum);
    sum_up(h, a + 1, &w[0], &q[0]);
    sum_up(h, b + 1, &w[1], &q[1]);
    for (int i = 0; i < 2; i++)
        if (w[i] == 0 || w[i] == n)
            return a == b;
    const Score x = score(w[0], q[0], n, sum), y = score(w[1], q[1], n, sum);
    return compare_scores(&x, &y) == 0;
}
