/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_MERSENNE_H
#define STUDY_MERSENNE_H

/* MT19937 (Matsumoto and Nishimura, 1998), which the papers' images are made by. */

#include <stdint.h>

#define MERSENNE_WORDS 624

typedef struct Mersenne {
    uint32_t words[MERSENNE_WORDS], next;
} Mersenne;

static inline void mersenne_seed(Mersenne *const m, const uint32_t seed)
{
    m->words[0] = seed;
    for (uint32_t i = 1; i < MERSENNE_WORDS; i++)
        m->words[i] = 1812433253u * (m->words[i - 1] ^ m->words[i - 1] >> 30) + i;
    m->next = MERSENNE_WORDS;
}

static inline uint32_t mersenne_next(Mersenne *const m)
{
    uint32_t *const w = m->words;
    if (m->next == MERSENNE_WORDS) {
        for (uint32_t i = 0; i < MERSENNE_WORDS; i++) {
            const uint32_t after = w[(i + 1) % MERSENNE_WORDS];
            const uint32_t v = (w[i] & 0x80000000u) | (after & 0x7fffffffu);
            w[i] = w[(i + 397) % MERSENNE_WORDS] ^ v >> 1 ^ (v & 1 ? 0x9908b0dfu : 0);
        }
        m->next = 0;
    }
    uint32_t v = w[m->next++];
    v ^= v >> 11;
    v ^= v << 7 & 0x9d2c5680u;
    v ^= v << 15 & 0xefc60000u;
    return v ^ v >> 18;
}

#endif /* STUDY_MERSENNE_H */
