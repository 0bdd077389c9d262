/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Segment detection: the bits of a row to its runs. The names of the tables of FLSL are
 * kept: RLC are the run edges, ER the ranks. Compiled once for each instruction set. */

#ifndef CCA_CPU_RUNS_H
#define CCA_CPU_RUNS_H

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "engine.h"

/* Writes the positions of the bits of `edges`, and after the last one junk that the
 * next word overwrites: up to 16. */
#if defined(__AVX512F__)

static inline uint32_t *write_edges(uint32_t *out, const uint64_t edges, const uint32_t x0)
{
    const __m512i lanes =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (uint32_t i = 0; i < 64; i += 16) {
        const __m512i x = _mm512_add_epi32(_mm512_set1_epi32((int) (x0 + i)), lanes);
        const __mmask16 some = (__mmask16) (edges >> i);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(some, x));
        out += __builtin_popcount(some);
    }
    return out;
}

#else

/* One branch for eight edges is predicted better than one for each. */
static inline uint32_t *write_edges(uint32_t *const out, uint64_t edges, const uint32_t x0)
{
    const int n = __builtin_popcountll(edges);
    for (int i = 0; i < n; i += 8) {
        for (int k = 0; k < 8; k++) {
            /* | 1 << 63: a count of trailing zeros of 0 is undefined */
            out[i + k] = x0 + (uint32_t) __builtin_ctzll(edges | UINT64_C(1) << 63);
            edges &= edges - 1;
        }
    }
    return out + n;
}

#endif

/* The bits of a row to RLC and ER. Returns the number of runs. */
static inline uint32_t detect_runs(const uint64_t *const words, const uint32_t width,
                                   uint32_t *const edges, CpuRank *const ranks)
{
    const size_t n = cca_cpu_words(width);
    uint32_t *out = edges;
    uint64_t carry = 0;
    for (size_t k = 0; k < n; k++) {
        const uint64_t e = words[k] ^ (words[k] << 1 | carry);
        carry = words[k] >> 63;
        ranks[k] = (CpuRank) { e, (uint64_t) (out - edges) };
        if (e != 0)
            out = write_edges(out, e, 64 * (uint32_t) k);
    }
    /* a run that ends with a row of 64 k pixels; or nothing, for ranks at the end */
    ranks[n] = (CpuRank) { carry, (uint64_t) (out - edges) };
    *out = width;
    out += carry;
    *out = UINT32_MAX; /* where a run begins that is right of all others */
    return (uint32_t) (out - edges) / 2;
}

/* The number of edges left of pixel x. */
static inline uint32_t rank(const CpuRank *const ranks, const uint32_t x)
{
    const CpuRank r = ranks[x / 64];
    return (uint32_t) r.before +
           (uint32_t) __builtin_popcountll(r.edges & ((UINT64_C(1) << x % 64) - 1));
}

#endif /* CCA_CPU_RUNS_H */
