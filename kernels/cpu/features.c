/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The further features of components, row by row while they are labelled. Rows with the same runs
 * form a group, of which each run is a rectangle: its moments and inner neighbours have closed
 * forms, and its intensity is summed up at once. Only between groups runs are compared with those
 * above. */

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

/* Accounts for the neighbours of runs in two adjacent rows. */
static void add_contacts(const CpuLabels labels, CpuBand *const band, const CpuRuns *const above,
                         const CpuRuns *const runs, const bool corners)
{
    for (uint32_t i = 0, j = 0; i < above->n && j < runs->n;) {
        const uint32_t a1 = above->edges[2 * i + 1], b1 = runs->edges[2 * j + 1];
        const uint32_t x0 = umax(above->edges[2 * i], runs->edges[2 * j]), x1 = umin(a1, b1);
        if (x1 > x0 || (corners && x1 == x0))
            cca_cpu_add_contact(&labels.extra[runs->labels[j]], (int32_t) (x1 - x0));
        else if (x1 == x0)
            band->corners[band->n_corners++] = (CpuCorner) { above->labels[i], runs->labels[j] };
        if (a1 < b1)
            i++;
        else
            j++;
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

static void find_bytes(const Rectangle *const r, const uint32_t max, CcaFeatures *const f)
{
    const __m256i wanted = _mm256_set1_epi8((char) max);
    for (uint32_t y = 0; y < r->height; y++) {
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
    const Sums s = size == 1 ? sum_bytes(r) : sum_plain(r, 2, lift, drop);
    f->v = s.v;
    f->vv = s.vv;
    f->vx = s.vx;
    f->vy = s.vy;
    f->v_min = s.min;
    f->v_max = s.max;
    /* the first pixel of the rectangle precedes all others of it */
    f->v_max_x = r->x;
    f->v_max_y = r->y;
    if (!cca_cpu_is_first_max(l, s.max, r->x, r->y))
        return;
    if (size == 1)
        find_bytes(r, s.max, f);
    else
        find_plain(r, 2, lift, drop, s.max, f);
}

/* --- rows ----------------------------------------------------------------- */

/* Adds the group of rows up to before row `end` of the band; `runs` are those of its last row. */
COPIED void add_group(const CcaJob *const job, const CcaConfig *const config,
                      const CpuLabels labels, const CpuBand *const band, const uint32_t end,
                      const CpuRuns *const runs)
{
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
        if (flags & CCA_FEATURES_SHAPE)
            set_shape(&f, &r);
        if (flags & CCA_FEATURES_INTENSITY)
            set_intensity(&f, label, &r, size, job->lift, 16 - config->depth);
        cca_cpu_merge_extra(label, &f);
    }
}

void LEVEL(cca_cpu_measure_row_)(const CcaJob *const job, const CcaConfig *const config,
                                 const CpuLabels labels, CpuBand *const band, const uint32_t r,
                                 const CpuRuns *const above, const CpuRuns *const runs,
                                 const bool same)
{
    if (r == 0)
        band->group = 0;
    if (r == 0 || (same && r - band->group < MAX_GROUP))
        return;
    add_group(job, config, labels, band, r, above);
    if (config->features & CCA_FEATURES_SHAPE)
        add_contacts(labels, band, above, runs, job->params.connectivity == 8);
    band->group = r;
}

void LEVEL(cca_cpu_measure_end_)(const CcaJob *const job, const CcaConfig *const config,
                                 const CpuLabels labels, CpuBand *const band,
                                 const CpuRuns *const runs)
{
    add_group(job, config, labels, band, band->n_rows, runs);
}
