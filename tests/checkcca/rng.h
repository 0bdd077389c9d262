/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_RNG_H
#define CHECKCCA_RNG_H

/* splitmix64: the same numbers from the same seed on every machine. */

#include <stdbool.h>
#include <stdint.h>

typedef struct Rng {
    uint64_t state;
} Rng;

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t rng_next(Rng *const r)
{
    return rng_mix(r->state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Uniform in [0, n); n at least 1. */
static inline uint32_t rng_below(Rng *const r, const uint32_t n)
{
    return (uint32_t) ((rng_next(r) >> 32) * n >> 32);
}

/* Uniform in [low, high]. */
static inline uint32_t rng_range(Rng *const r, const uint32_t low, const uint32_t high)
{
    return low + (uint32_t) ((rng_next(r) >> 32) * ((uint64_t) high - low + 1) >> 32);
}

static inline bool rng_percent(Rng *const r, const uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

/* One of an array. */
#define PICK(r, list) ((list)[rng_below(r, sizeof(list) / sizeof((list)[0]))])

/* A generator of its own for a named case, so that it can be replayed alone. */
static inline Rng rng_for(const uint64_t seed, const char *name, const uint64_t index)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        h = (h ^ (uint8_t) *name) * UINT64_C(0x100000001b3);
    return (Rng) { rng_mix(rng_mix(seed + h) + index) };
}

#endif /* CHECKCCA_RNG_H */
