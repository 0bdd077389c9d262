/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Several pixels at once: a vector of unsigned integers of `size` bytes, 1 or 2.
 * Compiled once for each of them. */

#ifndef CCA_CPU_LANES_H
#define CCA_CPU_LANES_H

#include "pack.h"

#if defined(__AVX512BW__)

typedef __m512i Lanes;

#define NATIVE(operation) _mm512_##operation

COPIED Lanes load_lanes(const uint8_t *const p)
{
    return _mm512_loadu_si512(p);
}

COPIED void store_lanes(uint8_t *const p, const Lanes v)
{
    _mm512_storeu_si512(p, v);
}

COPIED Lanes either(const Lanes a, const Lanes b)
{
    return _mm512_or_si512(a, b);
}

COPIED Lanes shift_lanes(const Lanes v, const uint32_t left, const uint32_t right)
{
    return _mm512_srl_epi16(_mm512_sll_epi16(v, _mm_cvtsi32_si128((int) left)),
                            _mm_cvtsi32_si128((int) right));
}

/* A bit for each of the 64 pixels of these vectors that is 0. */
COPIED uint64_t bits_of_zeros(const uint32_t size, const Lanes *const v)
{
    if (size == 1)
        return _mm512_testn_epi8_mask(v[0], v[0]);
    return _mm512_testn_epi16_mask(v[0], v[0]) |
           (uint64_t) _mm512_testn_epi16_mask(v[1], v[1]) << 32;
}

#elif defined(__AVX2__)

typedef __m256i Lanes;

#define NATIVE(operation) _mm256_##operation

COPIED Lanes load_lanes(const uint8_t *const p)
{
    return _mm256_loadu_si256((const __m256i *) p);
}

COPIED void store_lanes(uint8_t *const p, const Lanes v)
{
    _mm256_storeu_si256((__m256i *) p, v);
}

COPIED Lanes either(const Lanes a, const Lanes b)
{
    return _mm256_or_si256(a, b);
}

COPIED Lanes shift_lanes(const Lanes v, const uint32_t left, const uint32_t right)
{
    return _mm256_srl_epi16(_mm256_sll_epi16(v, _mm_cvtsi32_si128((int) left)),
                            _mm_cvtsi32_si128((int) right));
}

COPIED uint64_t bits_of_zeros(const uint32_t size, const Lanes *const v)
{
    const __m256i zero = _mm256_setzero_si256();
    uint32_t bits[2];
    for (int i = 0; i < 2; i++) {
        if (size == 1) {
            bits[i] = (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(v[i], zero));
        } else {
            const __m256i both = _mm256_packs_epi16(_mm256_cmpeq_epi16(v[2 * i], zero),
                                                    _mm256_cmpeq_epi16(v[2 * i + 1], zero));
            bits[i] = (uint32_t) _mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xd8));
        }
    }
    return bits[0] | (uint64_t) bits[1] << 32;
}

#else

typedef uint8_t Lanes __attribute__((vector_size(16)));
typedef uint16_t Lanes16 __attribute__((vector_size(16)));

#define NATIVE(operation) operation

/* For both sizes; IF is all ones where a comparison of vectors holds. */
#define IF(comparison) ((__typeof__(a + b)) (comparison))
#define PLAIN(operation, expression)                                                \
    COPIED Lanes operation##8(const Lanes a, const Lanes b)                          \
    {                                                                               \
        return expression;                                                          \
    }                                                                               \
    COPIED Lanes operation##16(const Lanes a8, const Lanes b8)                       \
    {                                                                               \
        const Lanes16 a = (Lanes16) a8, b = (Lanes16) b8;                           \
        return (Lanes) (expression);                                                \
    }

PLAIN(adds_epu, (a + b) | IF(a + b < a))
PLAIN(subs_epu, (a - b) & IF(a > b))
PLAIN(min_epu, a ^ ((a ^ b) & IF(a > b)))
PLAIN(max_epu, a ^ ((a ^ b) & IF(a < b)))

COPIED Lanes load_lanes(const uint8_t *const p)
{
    Lanes v;
    memcpy(&v, p, sizeof(v));
    return v;
}

COPIED void store_lanes(uint8_t *const p, const Lanes v)
{
    memcpy(p, &v, sizeof(v));
}

COPIED Lanes either(const Lanes a, const Lanes b)
{
    return a | b;
}

COPIED Lanes shift_lanes(const Lanes v, const uint32_t left, const uint32_t right)
{
    return (Lanes) ((Lanes16) v << (uint16_t) left >> (uint16_t) right);
}

COPIED uint64_t bits_of_zeros(const uint32_t size, const Lanes *const v)
{
    uint8_t flags[64];
    uint16_t values[64];
    memcpy(values, v, 64 * size);
    for (int i = 0; i < 64; i++)
        flags[i] = size == 1 ? ((const uint8_t *) values)[i] == 0 : values[i] == 0;
    return gather_bits(flags);
}

#endif

#define LANES_OF(name, operation)                                                   \
    COPIED Lanes name(const uint32_t size, const Lanes a, const Lanes b)             \
    {                                                                               \
        return size == 1 ? NATIVE(operation##8)(a, b) : NATIVE(operation##16)(a, b); \
    }

LANES_OF(add_saturated, adds_epu)
LANES_OF(subtract_saturated, subs_epu)
LANES_OF(min_lanes, min_epu)
LANES_OF(max_lanes, max_epu)

COPIED Lanes distance(const uint32_t size, const Lanes a, const Lanes b)
{
    return either(subtract_saturated(size, a, b), subtract_saturated(size, b, a));
}

/* The same in all lanes. */
COPIED Lanes fill_lanes(const uint32_t size, const uint32_t value)
{
    uint8_t lanes[sizeof(Lanes)];
    const uint16_t two = (uint16_t) (size == 1 ? value << 8 | value : value);
    for (size_t i = 0; i < sizeof(lanes); i += 2)
        memcpy(lanes + i, &two, 2);
    return load_lanes(lanes);
}

#endif /* CCA_CPU_LANES_H */
