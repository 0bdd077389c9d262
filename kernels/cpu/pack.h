/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Threshold: 64 pixels to 64 bits, the leftmost in bit 0. */

#ifndef CCA_CPU_PACK_H
#define CCA_CPU_PACK_H

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "engine.h"

#if defined(__AVX512BW__)

static inline uint64_t pack64_8(const uint8_t *const p, const uint32_t low, const uint32_t range)
{
    const __m512i v = _mm512_sub_epi8(_mm512_loadu_si512(p), _mm512_set1_epi8((char) low));
    return _mm512_cmple_epu8_mask(v, _mm512_set1_epi8((char) range));
}

COPIED __m512i load_16(const uint8_t *const p, const uint32_t lift)
{
    const __m512i v = _mm512_loadu_si512(p);
    return lift ? _mm512_sll_epi16(v, _mm_cvtsi32_si128((int) lift)) : v;
}

COPIED uint64_t pack64_16(const uint8_t *const p, const uint32_t lift, const uint32_t low,
                          const uint32_t range)
{
    const __m512i l = _mm512_set1_epi16((short) low), r = _mm512_set1_epi16((short) range);
    const __m512i a = _mm512_sub_epi16(load_16(p, lift), l);
    const __m512i b = _mm512_sub_epi16(load_16(p + 64, lift), l);
    return _mm512_cmple_epu16_mask(a, r) | (uint64_t) _mm512_cmple_epu16_mask(b, r) << 32;
}

#elif defined(__AVX2__)

static inline __m256i within_8(const uint8_t *const p, const __m256i low, const __m256i range)
{
    const __m256i v = _mm256_sub_epi8(_mm256_loadu_si256((const __m256i *) p), low);
    return _mm256_cmpeq_epi8(_mm256_subs_epu8(v, range), _mm256_setzero_si256());
}

static inline uint64_t pack64_8(const uint8_t *const p, const uint32_t low, const uint32_t range)
{
    const __m256i l = _mm256_set1_epi8((char) low), r = _mm256_set1_epi8((char) range);
    const uint32_t a = (uint32_t) _mm256_movemask_epi8(within_8(p, l, r));
    const uint32_t b = (uint32_t) _mm256_movemask_epi8(within_8(p + 32, l, r));
    return a | (uint64_t) b << 32;
}

COPIED __m256i within_16(const uint8_t *const p, const uint32_t lift, const __m256i low,
                         const __m256i range)
{
    const __m256i s = _mm256_loadu_si256((const __m256i *) p);
    const __m256i lifted = lift ? _mm256_sll_epi16(s, _mm_cvtsi32_si128((int) lift)) : s;
    const __m256i v = _mm256_sub_epi16(lifted, low);
    return _mm256_cmpeq_epi16(_mm256_subs_epu16(v, range), _mm256_setzero_si256());
}

COPIED uint32_t pack32_16(const uint8_t *const p, const uint32_t lift, const __m256i low,
                          const __m256i range)
{
    const __m256i v = _mm256_packs_epi16(within_16(p, lift, low, range),
                                         within_16(p + 32, lift, low, range));
    /* packs works in 128-bit halves: put the quarters back in order */
    return (uint32_t) _mm256_movemask_epi8(_mm256_permute4x64_epi64(v, 0xd8));
}

COPIED uint64_t pack64_16(const uint8_t *const p, const uint32_t lift, const uint32_t low,
                          const uint32_t range)
{
    const __m256i l = _mm256_set1_epi16((short) low), r = _mm256_set1_epi16((short) range);
    return pack32_16(p, lift, l, r) | (uint64_t) pack32_16(p + 64, lift, l, r) << 32;
}

#else

/* 64 bytes of 0 or 1 to bits: each product gathers eight in its top byte. */
static inline uint64_t gather_bits(const uint8_t *const flags)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t v;
        memcpy(&v, flags + 8 * i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = __builtin_bswap64(v);
#endif
        bits |= (v * UINT64_C(0x0102040810204080) >> 56) << 8 * i;
    }
    return bits;
}

static inline uint64_t pack64_8(const uint8_t *const p, const uint32_t low, const uint32_t range)
{
    const uint8_t l = (uint8_t) low, r = (uint8_t) range;
    uint8_t flags[64];
    for (int i = 0; i < 64; i++)
        flags[i] = (uint8_t) (p[i] - l) <= r;
    return gather_bits(flags);
}

COPIED uint64_t pack64_16(const uint8_t *const p, const uint32_t lift, const uint32_t low,
                          const uint32_t range)
{
    const uint16_t l = (uint16_t) low, r = (uint16_t) range;
    uint16_t v[64];
    uint8_t flags[64];
    memcpy(v, p, sizeof(v));
    for (int i = 0; i < 64; i++)
        flags[i] = (uint16_t) ((uint16_t) (v[i] << lift) - l) <= r;
    return gather_bits(flags);
}

#endif

COPIED uint64_t pack64(const CcaJob *const job, const uint8_t *const p,
                       const uint32_t sample_size, const uint32_t lift)
{
    const uint64_t bits = sample_size == 1 ? pack64_8(p, job->low, job->range) :
                                             pack64_16(p, lift, job->low, job->range);
    return (job->constant ? 0 : bits) ^ (job->invert ? UINT64_MAX : 0);
}

COPIED void pack_samples(const CcaJob *const job, const uint8_t *const row,
                         const uint32_t sample_size, const uint32_t lift,
                         uint64_t *const words)
{
    const uint32_t n = job->width / 64, left = job->width % 64;
    const size_t step = (size_t) 64 * sample_size;
    for (uint32_t k = 0; k < n; k++)
        words[k] = pack64(job, row + k * step, sample_size, lift);
    if (left > 0) {
        uint8_t tail[128] = { 0 };
        memcpy(tail, row + n * step, (size_t) left * sample_size);
        words[n] = pack64(job, tail, sample_size, lift) & ((UINT64_C(1) << left) - 1);
    }
}

/* All of a row; bits from the row's end on are 0, and nothing is read there. */
static inline void pack_row(const CcaJob *const job, const uint8_t *const row,
                            const uint32_t sample_size, uint64_t *const words)
{
    if (sample_size == 1)
        pack_samples(job, row, 1, 0, words);
    else if (job->lift == 0)
        pack_samples(job, row, 2, 0, words);
    else
        pack_samples(job, row, 2, job->lift, words);
}

#endif /* CCA_CPU_PACK_H */
