/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The further features of components, row by row while they are labelled. Rows with the same runs
 * form a group, of which each run is a rectangle: its moments and inner neighbours have closed
 * forms, and its intensity is summed up at once. Only between groups the neighbours in two rows are
 * counted, in their words of pixels. */

#include "simd.h"

/* Rows of a group: their pixels are still in the cache, and sums of a rectangle's column fit in 32
 * bits. */
#define MAX_GROUP 32

/* A run of a group. Coordinates are those of the frame. */
typedef struct Rectangle {
    const uint8_t *pixels;
    size_t stride;
    uint32_t x, y, width, height;
    uint32_t beyond; /* columns right of it that the region has */
} Rectangle;

/* --- moments and shape ---------------------------------------------------- */

/* The sums of n consecutive integers from `first`, and of their squares. */
static inline uint64_t sum_from(const uint64_t first, const uint64_t n)
{
    return n * first + n * (n - 1) / 2;
}

static inline uint64_t sum_squares_from(const uint64_t first, const uint64_t n)
{
    return n * first * first + first * n * (n - 1) + (n - 1) * n * (2 * n - 1) / 6;
}

static inline void set_moments(CcaFeatures *const f, const Rectangle *const r)
{
    f->xx = r->height * sum_squares_from(r->x, r->width);
    f->xy = sum_from(r->x, r->width) * sum_from(r->y, r->height);
    f->yy = r->width * sum_squares_from(r->y, r->height);
}

static inline void set_shape(CcaFeatures *const f, const Rectangle *const r)
{
    const uint64_t w = r->width, h = r->height;
    f->e4 = (w - 1) * h + w * (h - 1);
    f->q4 = (w - 1) * (h - 1);
    f->w1 = (w + 1) * (h + 1);
}

/* Adds the neighbours of a run of row `above` in row `below`, of which all belong to its component:
 * columns that both have, pairs of these, and squares that both touch. With 4-connectivity the
 * latter must have such a column. The square x has the columns x - 1 and x. */
COPIED void add_contacts(CcaFeatures *const f, const uint64_t *const above,
                         const uint64_t *const below, const size_t n_words, const uint32_t x0,
                         const uint32_t x1, const bool corners)
{
    const size_t first = x0 / 64;
    const uint64_t left = first > 0 ? below[first - 1] >> 63 : 0; /* no part of the run */
    uint64_t both_before = 0, touching_before = corners ? left : 0;
    for (size_t k = first; k <= x1 / 64; k++) {
        const uint64_t b = k < n_words ? below[k] : 0, both = k < n_words ? above[k] & b : 0;
        const uint64_t touching = corners ? b : both;
        const uint32_t end = x1 - 64 * (uint32_t) k;
        uint64_t squares = end < 63 ? (UINT64_C(2) << end) - 1 : UINT64_MAX;
        if (k == first)
            squares &= UINT64_MAX << x0 % 64;
        f->e4 += (uint64_t) __builtin_popcountll(both & squares);
        f->q4 += (uint64_t) __builtin_popcountll(both & (both << 1 | both_before) & squares);
        f->w1 -= (uint64_t) __builtin_popcountll((touching | touching << 1 | touching_before) &
                                                 squares);
        both_before = both >> 63;
        touching_before = touching >> 63;
    }
}

/* With 4-connectivity, lists the runs of two adjacent rows that touch at a corner only. */
static void list_corners(CpuBand *const band, const CpuRow *const above, const CpuRow *const below)
{
    const CcaColumns both = cca_cpu_both(above, below);
    uint64_t a_before = 0, b_before = 0;
    for (size_t k = both.first; k < both.end; k++) {
        const uint64_t a = above->words[k], b = below->words[k];
        const uint64_t a_left = a << 1 | a_before, b_left = b << 1 | b_before;
        uint64_t corners = ((a & b_left) | (a_left & b)) & ~((a & b) | (a_left & b_left));
        for (; corners != 0; corners &= corners - 1) {
            /* a run that begins or ends at x is the last one with an edge up to there */
            const uint32_t x = 64 * (uint32_t) k + (uint32_t) __builtin_ctzll(corners);
            const uint32_t i = (cca_cpu_rank(above->ranks, x + 1) - 1) / 2;
            const uint32_t j = (cca_cpu_rank(below->ranks, x + 1) - 1) / 2;
            band->corners[band->n_corners++] = (CpuCorner) { above->runs->labels[i],
                                                             below->runs->labels[j] };
        }
        a_before = a >> 63;
        b_before = b >> 63;
    }
}

/* --- intensity ------------------------------------------------------------ */

/* Sums over a rectangle, or a part of it. */
typedef struct Sums {
    uint64_t v, vv, vx, vy;
    uint32_t min, max;
} Sums;

COPIED uint32_t value_of(const uint8_t *const p, const uint32_t i, const uint32_t size,
                         const uint32_t lift, const uint32_t drop)
{
    if (size == 1)
        return p[i];
    uint16_t sample;
    memcpy(&sample, p + (size_t) 2 * i, 2);
    return (uint16_t) (sample << lift) >> drop;
}

COPIED Sums sum_plain(const Rectangle *const r, const uint32_t size, const uint32_t lift,
                      const uint32_t drop)
{
    Sums s = { .min = UINT32_MAX };
    for (uint32_t y = 0; y < r->height; y++) {
        const uint8_t *const p = r->pixels + y * r->stride;
        uint64_t v_row = 0, vv = 0, vi = 0;
        for (uint32_t i = 0; i < r->width; i++) {
            const uint32_t v = value_of(p, i, size, lift, drop);
            v_row += v;
            vv += (uint64_t) v * v;
            vi += (uint64_t) v * i;
            s.min = umin(s.min, v);
            s.max = umax(s.max, v);
        }
        s.v += v_row;
        s.vv += vv;
        s.vx += vi + v_row * r->x;
        s.vy += v_row * (r->y + y);
    }
    return s;
}

/* Finds the first pixel of value `max`, which the rectangle has. */
COPIED void find_plain(const Rectangle *const r, const uint32_t size, const uint32_t lift,
                       const uint32_t drop, const uint32_t max, CcaFeatures *const f)
{
    uint32_t x = 0, y = 0;
    while (value_of(r->pixels + y * r->stride, x, size, lift, drop) != max)
        if (++x == r->width) {
            x = 0;
            y++;
        }
    f->v_max_x = r->x + x;
    f->v_max_y = r->y + y;
}

#if defined(__AVX2__)

#define STEP 32   /* pixels of a vector */
#define PART 2048 /* columns whose sums fit in lanes of 32 bits */

/* A vector of which the first `n` bytes are set. */
static inline __m256i first_bytes(const uint32_t n)
{
    static const uint8_t bytes[64] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    };
    return _mm256_loadu_si256((const __m256i *) (bytes + STEP - umin(n, STEP)));
}

/* The next 32 pixels, of which those after the rectangle are arbitrary. No pixel right of the
 * region is read. */
static inline __m256i load_pixels(const uint8_t *const p, const uint32_t n, const bool whole)
{
    if (whole)
        return _mm256_loadu_si256((const __m256i *) p);
    uint8_t pixels[STEP] = { 0 };
    memcpy(pixels, p, umin(n, STEP));
    return _mm256_loadu_si256((const __m256i *) pixels);
}

/* Lanes of a vector of 16 bits of which the first `n` are set. */
static inline __m128i first_lanes(const uint32_t n)
{
    return _mm_cmpgt_epi16(_mm_set1_epi16((short) n), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
}

#define NARROW 8

/* Of a rectangle of at most NARROW columns; returns false if it has more. *first becomes the first
 * column with the maximum. */
static inline bool sum_narrow(const Rectangle *const r, Sums *const s, uint32_t *const first)
{
    if (r->width > NARROW)
        return false;
    const __m128i ones = _mm_set1_epi16(1), index = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
    const __m128i inside = first_lanes(r->width), outside = ~inside;
    const bool whole = r->width + r->beyond >= NARROW;
    const uint8_t *p = r->pixels;
    /* below: the sum of v over a row and the rows above it, summed up over rows */
    __m128i v = _mm_setzero_si128(), vv = v, vi = v, below = v, max = v, min = ~v;
    for (uint32_t y = 0; y < r->height; y++, p += r->stride) {
        uint64_t pixels = 0;
        if (whole)
            memcpy(&pixels, p, NARROW);
        else
            memcpy(&pixels, p, r->width);
        const __m128i raw = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long) pixels));
        const __m128i a = _mm_and_si128(raw, inside);
        v = _mm_add_epi32(v, _mm_madd_epi16(a, ones));
        vv = _mm_add_epi32(vv, _mm_madd_epi16(a, a));
        vi = _mm_add_epi32(vi, _mm_madd_epi16(a, index));
        below = _mm_add_epi32(below, v);
        max = _mm_max_epu16(max, a);
        min = _mm_min_epu16(min, _mm_or_si128(a, outside));
    }
    const __m128i sums = _mm_hadd_epi32(_mm_hadd_epi32(v, vv), _mm_hadd_epi32(vi, below));
    const uint32_t greatest = (uint32_t) _mm_cvtsi128_si32(_mm_minpos_epu16(~max));
    const uint64_t sum = (uint32_t) _mm_cvtsi128_si32(sums);
    *first = r->x + (greatest >> 16);
    *s = (Sums) {
        .v = sum,
        .vv = (uint32_t) _mm_extract_epi32(sums, 1),
        .vx = (uint32_t) _mm_extract_epi32(sums, 2) + sum * r->x,
        .vy = sum * (r->y + r->height) - (uint32_t) _mm_extract_epi32(sums, 3),
        .max = UINT16_MAX - (greatest & UINT16_MAX),
        .min = (uint32_t) _mm_cvtsi128_si32(_mm_minpos_epu16(min)) & UINT16_MAX,
    };
    return true;
}

/* The sum of both halves of each lane of 64 bits. */
static inline __m256i widen_sums(const __m256i v)
{
    return _mm256_add_epi64(_mm256_srli_epi64(v, 32),
                            _mm256_and_si256(v, _mm256_set1_epi64x(UINT32_MAX)));
}

/* The sums of the lanes of each vector. */
static inline void sum_lanes(const __m256i a, const __m256i b, const __m256i c, const __m256i d,
                             uint64_t sums[4])
{
    const __m256i ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    const __m256i cd = _mm256_add_epi64(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    _mm256_storeu_si256((__m256i *) sums,
                        _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20),
                                         _mm256_permute2x128_si256(ab, cd, 0x31)));
}

static inline uint32_t max_of_bytes(const __m256i v)
{
    const __m128i m = _mm_max_epu8(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    const __m128i inverted = _mm_xor_si128(m, _mm_set1_epi8(-1));
    const __m128i pairs = _mm_min_epu8(inverted, _mm_srli_epi16(inverted, 8));
    return 255 - (uint32_t) _mm_cvtsi128_si32(_mm_minpos_epu16(pairs)) % 256;
}

/* Of columns `first` to `end`, at most PART. */
static inline void sum_part(const Rectangle *const r, const uint32_t first, const uint32_t end,
                            Sums *const s)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    const __m256i index = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                           17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
                                           31);
    /* vv and vi in lanes of 32 bits; below: the sum of v over a row and the rows above it, summed
     * up over rows */
    __m256i v = zero, vv = zero, vi = zero, vx = zero, below = zero, max = zero, not_min = zero;
    for (uint32_t x = first; x < end; x += STEP) {
        const uint8_t *p = r->pixels + x;
        const uint32_t left = end - x;
        const __m256i inside = first_bytes(left);
        const bool whole = left + r->width - end + r->beyond >= STEP;
        __m256i column = zero;
        for (uint32_t y = 0; y < r->height; y++, p += r->stride) {
            const __m256i raw = load_pixels(p, left, whole), a = _mm256_and_si256(raw, inside);
            const __m256i low = _mm256_unpacklo_epi8(a, zero), high = _mm256_unpackhi_epi8(a, zero);
            column = _mm256_add_epi64(column, _mm256_sad_epu8(a, zero));
            below = _mm256_add_epi64(below, column);
            vv = _mm256_add_epi32(vv, _mm256_add_epi32(_mm256_madd_epi16(low, low),
                                                       _mm256_madd_epi16(high, high)));
            vi = _mm256_add_epi32(vi, _mm256_madd_epi16(_mm256_maddubs_epi16(a, index), ones));
            max = _mm256_max_epu8(max, a);
            not_min = _mm256_max_epu8(not_min, _mm256_andnot_si256(raw, inside));
        }
        v = _mm256_add_epi64(v, column);
        vx = _mm256_add_epi64(vx, _mm256_mul_epu32(column, _mm256_set1_epi64x(r->x + x)));
    }
    uint64_t sums[4];
    sum_lanes(v, widen_sums(vv), _mm256_add_epi64(vx, widen_sums(vi)), below, sums);
    s->v += sums[0];
    s->vv += sums[1];
    s->vx += sums[2];
    s->vy += sums[0] * (r->y + r->height) - sums[3];
    s->max = umax(s->max, max_of_bytes(max));
    s->min = umin(s->min, 255 - max_of_bytes(not_min));
}

static inline Sums sum_bytes(const Rectangle *const r)
{
    Sums s = { .min = UINT32_MAX };
    for (uint32_t x = 0; x < r->width; x += PART)
        sum_part(r, x, umin(r->width, x + PART), &s);
    return s;
}

/* Finds the first pixel of value `max`, which the rectangle has. */
static inline void find_bytes(const Rectangle *const r, const uint32_t max, CcaFeatures *const f)
{
    const __m256i wanted = _mm256_set1_epi8((char) max);
    for (uint32_t y = 0;; y++) {
        const uint8_t *const p = r->pixels + y * r->stride;
        for (uint32_t x = 0; x < r->width; x += STEP) {
            const uint32_t left = r->width - x;
            const __m256i a = load_pixels(p + x, left, left + r->beyond >= STEP);
            const __m256i found = _mm256_and_si256(_mm256_cmpeq_epi8(a, wanted), first_bytes(left));
            const uint32_t bits = (uint32_t) _mm256_movemask_epi8(found);
            if (bits != 0) {
                f->v_max_x = r->x + x + (uint32_t) __builtin_ctz(bits);
                f->v_max_y = r->y + y;
                return;
            }
        }
    }
}

#else

static inline bool sum_narrow(const Rectangle *const r, Sums *const s, uint32_t *const first)
{
    (void) r, (void) s, (void) first;
    return false;
}

static inline Sums sum_bytes(const Rectangle *const r)
{
    return sum_plain(r, 1, 0, 0);
}

static void find_bytes(const Rectangle *const r, const uint32_t max, CcaFeatures *const f)
{
    find_plain(r, 1, 0, 0, max, f);
}

#endif

/* The position of the maximum is found if it may be the first one of the label `l`. */
static inline void set_intensity(CcaFeatures *const f, const CcaFeatures *const l,
                                 const Rectangle *const r, const uint32_t size, const uint32_t lift,
                                 const uint32_t drop)
{
    Sums s;
    uint32_t first = r->x;
    const bool narrow = size == 1 && sum_narrow(r, &s, &first);
    if (!narrow)
        s = size == 1 ? sum_bytes(r) : sum_plain(r, 2, lift, drop);
    f->v = s.v;
    f->vv = s.vv;
    f->vx = s.vx;
    f->vy = s.vy;
    f->v_min = s.min;
    f->v_max = s.max;
    /* the first pixel of several rows precedes all others of them */
    const bool found = narrow && r->height == 1;
    f->v_max_x = found ? first : r->x;
    f->v_max_y = r->y;
    if (found || !cca_cpu_is_first_max(l, s.max, r->x, r->y))
        return;
    if (size == 1)
        find_bytes(r, s.max, f);
    else
        find_plain(r, 2, lift, drop, s.max, f);
}

/* --- rows ----------------------------------------------------------------- */

/* Adds the group of rows up to before row `end` of the band. `last` is its last row, and `below`
 * the words of the next one, or NULL. */
COPIED void add_group(const CcaJob *const job, const CcaConfig *const config,
                      const CpuLabels labels, const CpuBand *const band, const uint32_t end,
                      const CpuRow *const last, const uint64_t *const below)
{
    const bool corners = job->params.connectivity == 8;
    const size_t n_words = cca_cpu_words(job->width);
    const CpuRuns *const runs = last->runs;
    const uint32_t y = band->first_row + band->group, size = config->sample_size;
    const CcaFeatureFlags flags = config->features;
    for (uint32_t i = 0; i < runs->n; i++) {
        const uint32_t x0 = runs->edges[2 * i], x1 = runs->edges[2 * i + 1];
        const Rectangle r = {
            .pixels = job->data + y * job->stride + (size_t) x0 * size,
            .stride = job->stride,
            .x = job->x + x0,
            .y = job->y + y,
            .width = x1 - x0,
            .height = end - band->group,
            .beyond = job->width - x1,
        };
        /* one addition of all: partial ones would have to wait for each other's stores */
        CcaFeatures *const label = &labels.extra[runs->labels[i]], f = { 0 };
        if (flags & CCA_FEATURES_MOMENTS)
            set_moments(&f, &r);
        if (flags & CCA_FEATURES_SHAPE) {
            set_shape(&f, &r);
            if (below != NULL)
                add_contacts(&f, last->words, below, n_words, x0, x1, corners);
        }
        if (flags & CCA_FEATURES_INTENSITY)
            set_intensity(&f, label, &r, size, job->lift, 16 - config->depth);
        cca_cpu_merge_extra(label, &f);
    }
}

void LEVEL(cca_cpu_measure_row_)(const CcaJob *const job, const CcaConfig *const config,
                                 const CpuLabels labels, CpuBand *const band, const uint32_t r,
                                 const CpuRow *const above, const CpuRow *const row,
                                 const bool same)
{
    if (r == 0)
        band->group = 0;
    if (r == 0 || (same && r - band->group < MAX_GROUP))
        return;
    add_group(job, config, labels, band, r, above, row->words);
    if ((config->features & CCA_FEATURES_SHAPE) && job->params.connectivity == 4)
        list_corners(band, above, row);
    band->group = r;
}

void LEVEL(cca_cpu_measure_end_)(const CcaJob *const job, const CcaConfig *const config,
                                 const CpuLabels labels, CpuBand *const band,
                                 const CpuRow *const last)
{
    add_group(job, config, labels, band, band->n_rows, last, NULL);
}
