/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_CPU_SIMD_H
#define CCA_CPU_SIMD_H

/* Vectors of pixels, for AVX-512, AVX2 and any other CPU. */

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "levels.h"

/* --- thresholds: 64 pixels to 64 bits, the leftmost in bit 0 --------------- */

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

/* Packs 64 bytes of 0 or 1 into bits. Each product gathers eight of them in its top byte. */
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

COPIED uint64_t pack64(const CcaJob *const job, const uint8_t *const p, const uint32_t sample_size,
                       const uint32_t lift)
{
    const uint64_t bits = sample_size == 1 ? pack64_8(p, job->low, job->range) :
                                             pack64_16(p, lift, job->low, job->range);
    return (job->constant ? 0 : bits) ^ (job->invert ? UINT64_MAX : 0);
}

/* Packs fewer than 64 pixels. The bits after them are 0, and pixels there are not read. */
__attribute__((noinline)) static uint64_t pack_tail(const CcaJob *const job, const uint8_t *const p,
                                                    const uint32_t sample_size, const uint32_t n)
{
    uint8_t pixels[128] = { 0 };
    memcpy(pixels, p, (size_t) n * sample_size);
    return pack64(job, pixels, sample_size, job->lift) & ((UINT64_C(1) << n) - 1);
}

/* Words without a pixel of the working set are not packed. */
COPIED void pack_samples(const CcaJob *const job, const bool has_mask, const uint32_t y,
                         const CcaColumns columns, const uint32_t sample_size, const uint32_t lift,
                         uint64_t *const words)
{
    const uint8_t *const row = job->data + y * job->stride;
    const uint32_t n = job->width / 64, left = job->width % 64, shift = job->x % 64;
    const size_t step = (size_t) 64 * sample_size;
    const uint64_t *const mask = has_mask ? job->mask->words + job->x / 64 +
                                                (size_t) (job->y + y) * job->mask->row_words :
                                            NULL;
    for (uint32_t k = columns.first; k < umin(columns.end, n); k++) {
        /* the word after the last one of the mask exists */
        const uint64_t working = has_mask ? mask[k] >> shift | mask[k + 1] << 1 << (63 - shift) :
                                            UINT64_MAX;
        if (has_mask && working == 0) {
            words[k] = 0;
            continue;
        }
        if (has_mask) /* short pieces of rows are not fetched in advance otherwise */
            __builtin_prefetch(row + k * step + 4 * job->stride);
        words[k] = pack64(job, row + k * step, sample_size, lift) & working;
    }
    if (left > 0 && columns.end > n) {
        const uint64_t working = has_mask ? cca_job_working_word(job, 64 * n, y) : UINT64_MAX;
        words[n] = pack_tail(job, row + n * step, sample_size, left) & working;
    }
}

COPIED void pack_sizes(const CcaJob *const job, const bool has_mask, const uint32_t y,
                       const CcaColumns columns, const uint32_t sample_size, uint64_t *const words)
{
    if (sample_size == 1)
        pack_samples(job, has_mask, y, columns, 1, 0, words);
    else if (job->lift == 0)
        pack_samples(job, has_mask, y, columns, 2, 0, words);
    else
        pack_samples(job, has_mask, y, columns, 2, job->lift, words);
}

/* Packs these columns of row y of the region. The bits from the row's end on are 0, and pixels
 * there are not read. */
static inline void pack_row(const CcaJob *const job, const uint32_t y, const CcaColumns columns,
                            const uint32_t sample_size, uint64_t *const words)
{
    if (job->mask != NULL && y - job->masked.y < job->masked.height)
        pack_sizes(job, true, y, columns, sample_size, words);
    else
        pack_sizes(job, false, y, (CcaColumns) { 0, UINT32_MAX }, sample_size, words);
}

/* --- lanes: vectors of unsigned integers of `size` bytes, 1 or 2 ----------- */

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

COPIED Lanes or_lanes(const Lanes a, const Lanes b)
{
    return _mm512_or_si512(a, b);
}

COPIED Lanes shift_lanes(const Lanes v, const uint32_t left, const uint32_t right)
{
    return _mm512_srl_epi16(_mm512_sll_epi16(v, _mm_cvtsi32_si128((int) left)),
                            _mm_cvtsi32_si128((int) right));
}

/* Sets a bit for each of the 64 pixels of these vectors that is 0. */
COPIED uint64_t bits_of_zeros(const uint32_t size, const Lanes *const v)
{
    if (size == 1)
        return _mm512_testn_epi8_mask(v[0], v[0]);
    return _mm512_testn_epi16_mask(v[0], v[0]) | (uint64_t) _mm512_testn_epi16_mask(v[1], v[1])
                                                     << 32;
}

COPIED Lanes where_zero(const uint32_t size, const Lanes v)
{
    return size == 1 ? _mm512_movm_epi8(_mm512_testn_epi8_mask(v, v)) :
                       _mm512_movm_epi16(_mm512_testn_epi16_mask(v, v));
}

COPIED Lanes widen_bytes(const uint8_t *const p)
{
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *) p));
}

COPIED void narrow_to_bytes(uint8_t *const p, const Lanes v)
{
    _mm256_storeu_si256((__m256i *) p, _mm512_cvtepi16_epi8(v));
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

COPIED Lanes or_lanes(const Lanes a, const Lanes b)
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

COPIED Lanes where_zero(const uint32_t size, const Lanes v)
{
    const __m256i zero = _mm256_setzero_si256();
    return size == 1 ? _mm256_cmpeq_epi8(v, zero) : _mm256_cmpeq_epi16(v, zero);
}

COPIED Lanes widen_bytes(const uint8_t *const p)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) p));
}

COPIED void narrow_to_bytes(uint8_t *const p, const Lanes v)
{
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0xd8);
    _mm_storeu_si128((__m128i *) p, _mm256_castsi256_si128(packed));
}

#else

typedef uint8_t Lanes __attribute__((vector_size(16)));
typedef uint16_t Lanes16 __attribute__((vector_size(16)));

#define NATIVE(operation) operation

/* Defines an operation for both sizes. IF is all ones where a comparison of vectors holds. */
#define IF(comparison) ((__typeof__(a + b)) (comparison))
#define PLAIN(operation, expression)                           \
    COPIED Lanes operation##8(const Lanes a, const Lanes b)    \
    {                                                          \
        return expression;                                     \
    }                                                          \
    COPIED Lanes operation##16(const Lanes a8, const Lanes b8) \
    {                                                          \
        const Lanes16 a = (Lanes16) a8, b = (Lanes16) b8;      \
        return (Lanes) (expression);                           \
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

COPIED Lanes or_lanes(const Lanes a, const Lanes b)
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

COPIED Lanes where_zero(const uint32_t size, const Lanes v)
{
    return size == 1 ? (Lanes) (v == 0) : (Lanes) ((Lanes16) v == 0);
}

COPIED Lanes widen_bytes(const uint8_t *const p)
{
    uint16_t lanes[sizeof(Lanes) / 2];
    for (size_t i = 0; i < sizeof(Lanes) / 2; i++)
        lanes[i] = p[i];
    return load_lanes((const uint8_t *) lanes);
}

COPIED void narrow_to_bytes(uint8_t *const p, const Lanes v)
{
    uint16_t lanes[sizeof(Lanes) / 2];
    store_lanes((uint8_t *) lanes, v);
    for (size_t i = 0; i < sizeof(Lanes) / 2; i++)
        p[i] = (uint8_t) lanes[i];
}

#endif

#define LANES_OF(name, operation)                                                    \
    COPIED Lanes name(const uint32_t size, const Lanes a, const Lanes b)             \
    {                                                                                \
        return size == 1 ? NATIVE(operation##8)(a, b) : NATIVE(operation##16)(a, b); \
    }

LANES_OF(add_saturated, adds_epu)
LANES_OF(subtract_saturated, subs_epu)
LANES_OF(min_lanes, min_epu)
LANES_OF(max_lanes, max_epu)

COPIED Lanes distance(const uint32_t size, const Lanes a, const Lanes b)
{
    return or_lanes(subtract_saturated(size, a, b), subtract_saturated(size, b, a));
}

/* A byte for each lane. */
COPIED Lanes load_bytes(const uint32_t size, const uint8_t *const p)
{
    return size == 1 ? load_lanes(p) : widen_bytes(p);
}

/* No lane may exceed 255. */
COPIED void store_bytes(const uint32_t size, uint8_t *const p, const Lanes v)
{
    if (size == 1)
        store_lanes(p, v);
    else
        narrow_to_bytes(p, v);
}

/* Lanes of `a` where all bits of `mask` are set, of `b` where none is. */
COPIED Lanes choose(const Lanes mask, const Lanes a, const Lanes b)
{
    return (a & mask) | (b & ~mask);
}

/* `value` in all lanes. */
COPIED Lanes fill_lanes(const uint32_t size, const uint32_t value)
{
    uint8_t lanes[sizeof(Lanes)];
    const uint16_t two = (uint16_t) (size == 1 ? value << 8 | value : value);
    for (size_t i = 0; i < sizeof(lanes); i += 2)
        memcpy(lanes + i, &two, 2);
    return load_lanes(lanes);
}

#endif /* CCA_CPU_SIMD_H */
