/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Computes the foreground mask for modes that do not find it during labelling: compares pixels,
 * updates the background, opens and closes the mask. Compiled once for each instruction set. */

#include "simd.h"

/* --- sigma-delta ---------------------------------------------------------- */

typedef struct SigmaDelta {
    Lanes contrast, step, max_variation;
    uint32_t noise_factor;
} SigmaDelta;

/* Moves v towards `to` by at most `step`. */
COPIED Lanes approach(const uint32_t size, const Lanes v, const Lanes to, const Lanes step)
{
    const Lanes lowest = subtract_saturated(size, v, step);
    const Lanes highest = add_saturated(size, v, step);
    return max_lanes(size, min_lanes(size, to, highest), lowest);
}

/* Returns n * a, saturated, for n from 1 to CCA_MAX_NOISE_FACTOR. */
COPIED Lanes multiply_saturated(const uint32_t size, const Lanes a, const uint32_t n)
{
    Lanes product = a;
    for (int bit = 30 - __builtin_clz(n); bit >= 0; bit--) {
        product = add_saturated(size, product, product);
        if (n >> bit & 1)
            product = add_saturated(size, product, a);
    }
    return product;
}

/* Returns 0 where the value is foreground. Updates M and V if `due`. Saturation does not change
 * the result: N O and V + step saturate at the highest value of a lane, and V is then
 * limited to Vmax, which is not above it. */
COPIED Lanes find_motion(const uint32_t size, const bool due, const SigmaDelta s, const Lanes value,
                         Lanes *const mean, Lanes *const variation)
{
    if (due)
        *mean = approach(size, *mean, value, s.step);
    const Lanes o = distance(size, value, *mean);
    if (due) {
        const Lanes target = multiply_saturated(size, o, s.noise_factor);
        const Lanes v = approach(size, *variation, target, s.step);
        *variation = max_lanes(size, min_lanes(size, v, s.max_variation), s.contrast);
    }
    return subtract_saturated(size, max_lanes(size, *variation, s.contrast), o);
}

/* --- votes ---------------------------------------------------------------- */

/* Parameters from CcaUpdate. Flags have all bits of a lane set or none. */
typedef struct Voting {
    bool due, is_tick;
    Lanes tick, hold, settled;
    Lanes near; /* maximum difference between a value and its candidate */
} Voting;

/* The background of the pixels of a vector. A lane of `votes` is q, with e in OLD_BIT. */
typedef struct Background {
    Lanes mean, variation, candidate, votes;
} Background;

#define MAX_VOTES(size) fill_lanes(size, CCA_MAX_VOTES)
#define OLD_BIT(size) fill_lanes(size, CCA_MAX_VOTES + 1)

/* Returns q after a tick in which the pixels are background. */
COPIED Lanes gain_votes(const uint32_t size, const Lanes q)
{
    return min_lanes(size, add_saturated(size, q, fill_lanes(size, 2)), MAX_VOTES(size));
}

/* Like find_motion(), but also updates candidates and votes. */
COPIED Lanes vote(const uint32_t size, const SigmaDelta s, const Voting v, const Lanes value,
                  Background *const b)
{
    const Lanes misses = find_motion(size, false, s, value, &b->mean, &b->variation);
    const Lanes found = where_zero(size, misses);
    const Lanes apart = subtract_saturated(size, distance(size, value, b->candidate), v.near);
    const Lanes still = found & where_zero(size, apart), moved = found & ~still;
    const Lanes q = b->votes & MAX_VOTES(size);
    const Lanes e = where_zero(size, subtract_saturated(size, OLD_BIT(size), b->votes));

    Lanes k = choose(still, approach(size, b->candidate, value, s.step), b->candidate);
    k = choose(moved & (~e | v.hold), value, k);
    Lanes mean = b->mean, variation = b->variation;
    if (v.due) {
        find_motion(size, true, s, value, &mean, &variation);
        mean = choose(still, b->mean, mean);
        variation = choose(still, b->variation, variation);
    }

    const Lanes cost = choose(e, fill_lanes(size, CCA_RETURN_VOTES), v.tick & fill_lanes(size, 1));
    const Lanes left = subtract_saturated(size, q, cost);
    const Lanes swap = still & (e | v.tick) & where_zero(size, left);
    const Lanes kept = choose(found, q, choose(v.tick, gain_votes(size, q), q));
    const Lanes new_q = choose(swap, e & MAX_VOTES(size), choose(still, left, kept));
    const Lanes new_e = choose(swap, ~e & v.settled, e & ~(moved & v.hold));
    *b = (Background) {
        .mean = choose(swap, k, mean),
        .variation = choose(swap, s.contrast, variation),
        .candidate = choose(swap, mean, k),
        .votes = new_q | (new_e & OLD_BIT(size)),
    };
    return misses | swap;
}

/* --- working set ---------------------------------------------------------- */

COPIED uint64_t clear_word(const bool dilate, const uint64_t word, const uint64_t working)
{
    return dilate ? word & working : word | ~working;
}

/* Sets the pixels of row y of the region that the mask does not have to the neutral value of a
 * dilation or erosion. The region's first pixel is bit `left`, below 64, of the row. The pixels
 * before and after the region are undefined afterwards. */
COPIED void clear_masked(const bool dilate, const CcaJob *const job, const uint32_t left,
                         uint64_t *const restrict row, const uint32_t y)
{
    const CcaRect *const masked = &job->masked;
    /* the word after the last whole one, and the words with masked pixels */
    const uint32_t whole = (left + job->width) / 64, first = (left + masked->x) / 64;
    const uint32_t end = (left + masked->x + masked->width - 1) / 64 + 1;
    /* bit of the mask's row that is bit 0 of row[1] */
    const uint32_t at = job->x + 64 - left, shift = at % 64;
    const uint64_t *const restrict mask = job->mask->words +
                                          (size_t) (job->y + y) * job->mask->row_words + at / 64;
    if (y - masked->y >= masked->height)
        return;
    if (first == 0)
        row[0] = clear_word(dilate, row[0], cca_job_working_word(job, 0, y) << left);
    for (uint32_t k = umax(first, 1); k < umin(end, whole); k++) {
        const uint64_t low = mask[k - 1] >> shift, high = mask[k] << 1 << (63 - shift);
        row[k] = clear_word(dilate, row[k], low | high);
    }
    if (whole > 0 && end > whole)
        row[whole] = clear_word(dilate, row[whole],
                                cca_job_working_word(job, 64 * whole - left, y));
}

/* --- pixels to bits ------------------------------------------------------- */

typedef enum Method {
    DIFFERENCE,
    FIRST,   /* sigma-delta: the first frame */
    NOT_DUE, /* sigma-delta: a frame that does not update the background */
    DUE,     /* sigma-delta: a frame that does */
    VOTES,   /* sigma-delta with votes, due or not */
} Method;

/* Pointers to the first pixel of a stretch of a row in the tables of the background. */
typedef struct Rows {
    uint8_t *old, *new;         /* the frame before and this one, which may be one, or M and V */
    uint8_t *candidate, *votes; /* NULL without votes */
} Rows;

COPIED Rows rows_at(const uint32_t size, const Rows rows, const size_t x)
{
    const size_t at = x * size;
    return (Rows) {
        .old = rows.old + at,
        .new = rows.new + at,
        .candidate = rows.votes ? rows.candidate + at : NULL,
        .votes = rows.votes ? rows.votes + x : NULL,
    };
}

/* Operands of the comparison of a frame's pixels. */
typedef struct Comparison {
    uint32_t lift, drop; /* shifts that make a value of a 16-bit sample */
    int32_t step;
    SigmaDelta sigma_delta;
    Voting voting;
    uint64_t nothing; /* DIFFERENCE: all ones if nothing can be foreground */
} Comparison;

COPIED Lanes load_values(const uint32_t size, const Comparison c, const uint8_t *const pixels)
{
    const Lanes samples = load_lanes(pixels);
    return size == 1 ? samples : shift_lanes(samples, c.lift, c.drop);
}

/* Bits of 64 pixels, for all methods but VOTES. */
COPIED uint64_t compare_64(const uint32_t size, const Method method, const Comparison c,
                           const uint8_t *const pixels, const Rows rows)
{
    Lanes misses[128 / sizeof(Lanes)];
    for (uint32_t i = 0; i < 64 * size / sizeof(Lanes); i++) {
        const size_t at = i * sizeof(Lanes);
        const Lanes value = load_values(size, c, pixels + at);
        if (method == FIRST) {
            store_lanes(rows.old + at, value);
            store_lanes(rows.new + at, c.sigma_delta.contrast);
            if (rows.votes != NULL)
                store_lanes(rows.candidate + at, value);
            continue;
        }
        Lanes a = load_lanes(rows.old + at);
        if (method == DIFFERENCE) {
            store_lanes(rows.new + at, value);
            misses[i] = subtract_saturated(size, c.sigma_delta.contrast, distance(size, value, a));
            continue;
        }
        Lanes b = load_lanes(rows.new + at);
        misses[i] = find_motion(size, method == DUE, c.sigma_delta, value, &a, &b);
        if (method == DUE) {
            store_lanes(rows.old + at, a);
            store_lanes(rows.new + at, b);
        }
    }
    if (method == FIRST && rows.votes != NULL)
        memset(rows.votes, 0, 64);
    return method == FIRST ? 0 : bits_of_zeros(size, misses) & ~c.nothing;
}

/* Updates M and V of 64 pixels of which none is foreground. */
COPIED void confirm_64(const uint32_t size, const Comparison c, const uint8_t *const pixels,
                       const Rows rows)
{
    if (c.voting.due)
        compare_64(size, DUE, c, pixels, rows);
    for (uint32_t at = 0; c.voting.is_tick && at < 64; at += sizeof(Lanes)) {
        const Lanes votes = load_lanes(rows.votes + at), e = votes & OLD_BIT(1);
        store_lanes(rows.votes + at, gain_votes(1, votes ^ e) | e);
    }
}

/* Bits of 64 pixels. Candidates and votes are read only if a pixel is foreground, which is
 * rare. */
COPIED uint64_t vote_64(const uint32_t size, const Comparison c, const uint8_t *const pixels,
                        const Rows rows)
{
    Lanes misses[128 / sizeof(Lanes)];
    if (compare_64(size, NOT_DUE, c, pixels, rows) == 0) {
        confirm_64(size, c, pixels, rows);
        return 0;
    }
    for (uint32_t i = 0; i < 64 * size / sizeof(Lanes); i++) {
        const size_t at = i * sizeof(Lanes), votes_at = at / size;
        Background b = {
            .mean = load_lanes(rows.old + at),
            .variation = load_lanes(rows.new + at),
            .candidate = load_lanes(rows.candidate + at),
            .votes = load_bytes(size, rows.votes + votes_at),
        };
        misses[i] = vote(size, c.sigma_delta, c.voting, load_values(size, c, pixels + at), &b);
        store_lanes(rows.old + at, b.mean);
        store_lanes(rows.new + at, b.variation);
        store_lanes(rows.candidate + at, b.candidate);
        store_bytes(size, rows.votes + votes_at, b.votes);
    }
    return bits_of_zeros(size, misses);
}

COPIED uint64_t find_64(const uint32_t size, const Method method, const Comparison c,
                        const uint8_t *const pixels, const Rows rows)
{
    return method == VOTES ? vote_64(size, c, pixels, rows) :
                             compare_64(size, method, c, pixels, rows);
}

/* The same for the last `n` pixels of a stretch, fewer than 64. */
COPIED uint64_t find_rest(const uint32_t size, const Method method, const Comparison c,
                          const uint8_t *const pixels, const Rows rows, const uint32_t n)
{
    uint8_t p[128] = { 0 }, a[128] = { 0 }, b[128] = { 0 }, k[128] = { 0 }, q[64] = { 0 };
    const bool has_votes = rows.votes != NULL && (method == FIRST || method == VOTES);
    const Rows copies = { .old = a, .new = b, .candidate = k, .votes = has_votes ? q : NULL };
    memcpy(p, pixels, n * size);
    memcpy(a, rows.old, n * size);
    memcpy(b, rows.new, n * size);
    if (method == VOTES) {
        memcpy(k, rows.candidate, n * size);
        memcpy(q, rows.votes, n);
    }
    const uint64_t bits = find_64(size, method, c, p, copies);
    if (method != NOT_DUE && method != DIFFERENCE)
        memcpy(rows.old, a, n * size);
    if (method != NOT_DUE)
        memcpy(rows.new, b, n * size);
    if (has_votes) {
        memcpy(rows.candidate, k, n * size);
        memcpy(rows.votes, q, n);
    }
    return bits & ((UINT64_C(1) << n) - 1);
}

/* Where the bits of a row go. */
typedef struct Target {
    uint64_t *words;
    uint64_t inverted;
    const uint64_t *mask; /* the word with the first of these columns; NULL: all pixels */
    uint32_t shift;       /* bit of that column */
} Target;

/* Row y of the region from its word `first` on. */
COPIED Target target_row(const CcaJob *const job, uint64_t *const words, const uint32_t first,
                         const uint32_t y)
{
    const CcaMask *const m = job->mask;
    return (Target) {
        .words = words + first,
        .inverted = job->invert ? UINT64_MAX : 0,
        .mask = m != NULL && y - job->masked.y < job->masked.height ?
                    m->words + (size_t) (job->y + y) * m->row_words + job->x / 64 + first :
                    NULL,
        .shift = job->x % 64,
    };
}

/* The working set of the k-th 64 pixels. */
COPIED uint64_t working_bits(const Target *const to, const uint32_t k)
{
    return to->mask == NULL ? UINT64_MAX :
                              to->mask[k] >> to->shift | to->mask[k + 1] << 1 << (63 - to->shift);
}

/* Stores the bits of 64 pixels, the k-th of the row. */
COPIED void store_bits(const Target *const to, const uint32_t k, const uint64_t bits)
{
    to->words[k] = (bits ^ to->inverted) & working_bits(to, k);
}

/* Pixels x0 to x1 of a row; their bits go to `to`, unless that is NULL. */
COPIED void find_stretch(const uint32_t size, const Method method, const Comparison c,
                         const uint8_t *const pixels, const Rows rows, const uint32_t x0,
                         const uint32_t x1, const Target *const to)
{
    uint32_t x = x0, k = 0;
    for (; x1 - x >= 64; x += 64, k++) {
        if (method == NOT_DUE && to != NULL && working_bits(to, k) == 0) {
            to->words[k] = 0;
            continue;
        }
        const uint64_t bits = find_64(size, method, c, pixels + (size_t) x * size,
                                      rows_at(size, rows, x));
        if (to != NULL)
            store_bits(to, k, bits);
    }
    if (x < x1) {
        const uint32_t n = x1 - x;
        const uint64_t bits = find_rest(size, method, c, pixels + (size_t) x * size,
                                        rows_at(size, rows, x), n);
        if (to != NULL) {
            store_bits(to, k, bits);
            to->words[k] &= (UINT64_C(1) << n) - 1;
        }
    }
}

/* Applies the tone curve to the values of a row. */
COPIED void change_values(const uint32_t size, const int8_t *const curve, const Comparison *const c,
                          uint8_t *const row, const uint32_t width)
{
    uint8_t tones[CCA_LIGHT_TONES];
    if (size == 1) {
        for (int32_t k = 0; k < CCA_LIGHT_TONES; k++)
            tones[k] = (uint8_t) iclip(k + c->step * curve[k], 0, UINT8_MAX);
        for (uint32_t x = 0; x < width; x++)
            row[x] = tones[row[x]];
        return;
    }
    const int32_t top = UINT16_MAX >> c->drop;
    for (uint32_t x = 0; x < width; x++) {
        uint16_t v;
        memcpy(&v, row + (size_t) 2 * x, 2);
        v = (uint16_t) iclip(v + c->step * curve[(uint16_t) (v << c->drop) >> 8], 0, top);
        memcpy(row + (size_t) 2 * x, &v, 2);
    }
}

/* Applies the tone curve to a row of M, and of K if the frame has votes. */
COPIED void change_tone(const uint32_t size, const int8_t *const curve, const Comparison *const c,
                        const Rows rows, const bool votes, const uint32_t width)
{
    change_values(size, curve, c, rows.old, width);
    if (votes)
        change_values(size, curve, c, rows.candidate, width);
}

static uint32_t count_bits(const uint64_t *const words, const size_t n)
{
    uint32_t n_bits = 0;
    for (size_t k = 0; k < n; k++)
        n_bits += (uint32_t) __builtin_popcountll(words[k]);
    return n_bits;
}

/* Row y of the region. Without an update of the background, only pixels near the working set are
 * compared. Returns the number of pixels found, if they are to be counted. */
COPIED uint32_t find_row(const uint32_t size, const Method method, const Comparison c,
                         const CpuForeground *const f, const CcaJob *const job,
                         const uint8_t *const pixels, const Rows rows, const uint32_t y)
{
    const uint32_t n_words = (uint32_t) cca_cpu_words(job->width), x = job->x;
    const CcaColumns columns = method == NOT_DUE ? f->columns[y] : (CcaColumns) { 0, n_words };
    uint64_t *const words = f->mask + (size_t) y * n_words;
    const Target to = target_row(job, words, columns.first, y);
    cca_cpu_clear_outside(words, n_words, columns);
    find_stretch(size, method, c, pixels, rows, x + 64 * columns.first,
                 x + umin(64 * columns.end, job->width), &to);
    return job->update.count ? count_bits(words, n_words) : 0;
}

/* Returns the number of pixels found, if they are to be counted. */
COPIED uint32_t find_rows(const uint32_t size, const Method method, const Comparison c,
                          const CpuForeground *const f, const CcaJob *const job,
                          const uint32_t first, const uint32_t end)
{
    uint32_t n_found = 0;
    const bool is_difference = method == DIFFERENCE;
    const Rows frame = {
        .old = f->background + (is_difference ? job->update.reference : 0) * f->plane,
        .new = f->background + (is_difference ? job->update.stored : 1) * f->plane,
        .candidate = f->votes ? f->background + 2 * f->plane : NULL,
        .votes = f->votes ? f->background + 3 * f->plane : NULL,
    };
    const uint32_t width = job->frame.width;
    const bool votes = method == VOTES;
    for (uint32_t y = first; y < end; y++) {
        if (job->update.curve != NULL)
            change_tone(size, job->update.curve, &c, rows_at(size, frame, (size_t) y * width),
                        votes, width);
        const uint8_t *const p = (const uint8_t *) job->frame.data + y * job->frame.stride;
        const Rows rows = rows_at(size, frame, (size_t) y * width);
        const bool inside = y >= job->y && y - job->y < job->height;
        const uint32_t x0 = inside ? job->x : width;
        const uint32_t x1 = inside ? job->x + job->width : width;
        find_stretch(size, method, c, p, rows, 0, x0, NULL);
        if (inside)
            n_found += find_row(size, method, c, f, job, p, rows, y - job->y);
        find_stretch(size, method, c, p, rows, x1, width, NULL);
    }
    return n_found;
}

COPIED uint32_t find_by_size(const uint32_t size, const CpuForeground *const f,
                             const CcaConfig *const config, const CcaJob *const job,
                             const uint32_t first, const uint32_t end)
{
    const CcaUpdate *const u = &job->update;
    const uint32_t highest = size == 1 ? UINT8_MAX : UINT16_MAX;
    const uint32_t contrast = umin(u->contrast, highest);
    const Comparison c = {
        .lift = job->lift,
        .drop = 16 - config->depth,
        .step = (int32_t) u->step,
        .sigma_delta = {
            .contrast = fill_lanes(size, contrast),
            .step = fill_lanes(size, u->step),
            .max_variation = fill_lanes(size, u->max_variation),
            .noise_factor = u->noise_factor,
        },
        .voting = {
            .due = u->due,
            .is_tick = u->tick,
            .tick = fill_lanes(1, u->tick ? UINT8_MAX : 0),
            .hold = fill_lanes(1, u->hold ? UINT8_MAX : 0),
            .settled = fill_lanes(1, u->settled ? UINT8_MAX : 0),
            .near = fill_lanes(size, contrast - 1),
        },
        .nothing = u->first || u->contrast > highest ? UINT64_MAX : 0,
    };
    if (job->params.foreground == CCA_FOREGROUND_DIFFERENCE)
        return find_rows(size, DIFFERENCE, c, f, job, first, end);
    if (u->first)
        return find_rows(size, FIRST, c, f, job, first, end);
    if (u->votes)
        return find_rows(size, VOTES, c, f, job, first, end);
    if (u->due)
        return find_rows(size, DUE, c, f, job, first, end);
    return find_rows(size, NOT_DUE, c, f, job, first, end);
}

/* Rows `first` to `end` of the region. */
static void compare_with_thresholds(const CpuForeground *const f, const CcaJob *const job,
                                    const uint32_t sample_size, const uint32_t first,
                                    const uint32_t end)
{
    const uint32_t n_words = (uint32_t) cca_cpu_words(job->width);
    for (uint32_t y = first; y < end; y++) {
        uint64_t *const words = f->mask + (size_t) y * n_words;
        cca_cpu_clear_outside(words, n_words, f->columns[y]);
        pack_row(job, y, f->columns[y], sample_size, words);
    }
}

uint32_t LEVEL(cca_cpu_find_bits_)(const CpuForeground *const f, const CcaConfig *const config,
                                   const CcaJob *const job, const uint32_t first,
                                   const uint32_t end)
{
    if (cca_has_background(job->params.foreground))
        return config->sample_size == 1 ? find_by_size(1, f, config, job, first, end) :
                                          find_by_size(2, f, config, job, first, end);
    compare_with_thresholds(f, job, config->sample_size, first, end);
    return 0;
}

/* --- light ---------------------------------------------------------------- */

/* Bits of the samples of the `n` pixels of row y, at most 64, from column x of the frame, which is
 * a multiple of the grid. */
static inline uint64_t light_samples(const CcaJob *const job, const uint32_t x, const uint32_t y,
                                     const uint32_t n)
{
    const uint64_t on_grid = UINT64_C(0x1111111111111111) & UINT64_MAX >> (64 - n);
    return job->mask != NULL ? on_grid & cca_job_working_word(job, x - job->x, y - job->y) :
                               on_grid;
}

typedef struct LightComparison {
    Comparison c;
    Lanes least; /* difference of a sample that has changed */
} LightComparison;

COPIED void compare_light_64(const uint32_t size, const LightComparison *const l,
                             const uint8_t *const pixels, const uint8_t *const means,
                             const uint64_t samples, CpuLightSamples *const s)
{
    Lanes brighter[128 / sizeof(Lanes)], darker[128 / sizeof(Lanes)];
    for (uint32_t i = 0; i < 64 * size / sizeof(Lanes); i++) {
        const size_t at = i * sizeof(Lanes);
        const Lanes value = load_values(size, l->c, pixels + at), mean = load_lanes(means + at);
        brighter[i] = subtract_saturated(size, l->least, subtract_saturated(size, value, mean));
        darker[i] = subtract_saturated(size, l->least, subtract_saturated(size, mean, value));
    }
    s->n += (uint32_t) __builtin_popcountll(samples);
    s->n_brighter += (uint32_t) __builtin_popcountll(bits_of_zeros(size, brighter) & samples);
    s->n_darker += (uint32_t) __builtin_popcountll(bits_of_zeros(size, darker) & samples);
}

COPIED CpuLightSamples compare_light(const uint32_t size, const CpuForeground *const f,
                                     const CcaConfig *const config, const CcaJob *const job)
{
    const uint32_t highest = size == 1 ? UINT8_MAX : UINT16_MAX;
    const uint32_t least = CCA_LIGHT_LEAST * job->update.step;
    const uint32_t x0 = (job->x + CCA_LIGHT_GRID - 1) / CCA_LIGHT_GRID * CCA_LIGHT_GRID;
    const uint32_t x1 = job->x + job->width, end = job->y + job->height;
    const LightComparison l = {
        .c = { .lift = job->lift, .drop = 16 - config->depth },
        .least = fill_lanes(size, umin(least, highest)),
    };
    CpuLightSamples s = { 0 };
    for (uint32_t y = job->y; y < end && x0 < x1; y++) {
        if (y % CCA_LIGHT_GRID != 0)
            continue;
        const uint8_t *const row = (const uint8_t *) job->frame.data + y * job->frame.stride;
        const uint8_t *const means = f->background + (size_t) y * job->frame.width * size;
        uint32_t x = x0;
        for (; x1 - x >= 64; x += 64)
            compare_light_64(size, &l, row + (size_t) x * size, means + (size_t) x * size,
                             light_samples(job, x, y, 64), &s);
        if (x < x1) {
            uint8_t p[128] = { 0 }, m[128] = { 0 };
            const size_t n = (size_t) (x1 - x) * size;
            memcpy(p, row + (size_t) x * size, n);
            memcpy(m, means + (size_t) x * size, n);
            compare_light_64(size, &l, p, m, light_samples(job, x, y, x1 - x), &s);
        }
    }
    /* No difference of two values is larger. */
    return least > highest ? (CpuLightSamples) { .n = s.n } : s;
}

CpuLightSamples LEVEL(cca_cpu_compare_light_)(const CpuForeground *const f,
                                              const CcaConfig *const config,
                                              const CcaJob *const job)
{
    return config->sample_size == 1 ? compare_light(1, f, config, job) :
                                      compare_light(2, f, config, job);
}

/* --- opening and closing --------------------------------------------------
 *
 * The band's rows, and the rows around it that the squares reach, are copied to a
 * string of words. The next pixel of a row is 1 bit further, the pixel below is
 * `pitch` words further. A square combines 2 r + 1 pixels of a row, then 2 r + 1
 * rows, both by doubling. Results are stored at the first pixel, so the picture
 * moves by r bits to the left and r rows up; the copy starts shifted by as much in
 * the opposite direction. Bits that the moves shift in at the ends of rows never
 * reach a valid pixel. Before each step the pixels outside the working set get the
 * value that does not change the result of the others. */

typedef struct Picture {
    uint64_t *words;
    size_t pitch;
    uint32_t n_rows;        /* of the copy */
    int64_t top;            /* the region's row that the copy's first one is */
    uint32_t left;          /* bit of the region's first column, below 64 */
    uint32_t width, height; /* of the region */
    const CcaJob *job;
    bool is_masked; /* if not, the mask has all pixels of these rows */
} Picture;

COPIED uint64_t combine(const bool dilate, const uint64_t a, const uint64_t b)
{
    return dilate ? a | b : a & b;
}

COPIED void combine_words(const bool dilate, uint64_t *const restrict words,
                          const uint64_t *const restrict others, const size_t n)
{
    for (size_t i = 0; i < n; i++)
        words[i] = combine(dilate, words[i], others[i]);
}

/* Combines each bit with the `length` - 1 bits after it, fewer than 63. Reads a word beyond the
 * last. */
COPIED void combine_bits(const bool dilate, uint64_t *const words, const size_t n,
                         const uint32_t length)
{
    for (uint32_t done = 1; done < length;) {
        const uint32_t step = umin(done, length - done);
        for (size_t i = 0; i < n; i++)
            words[i] = combine(dilate, words[i], words[i] >> step | words[i + 1] << (64 - step));
        done += step;
    }
}

/* Sets the pixels of row `r` outside the working set to the neutral value of the operation. */
COPIED void clear_outside(const bool dilate, const Picture *const p, const uint32_t r)
{
    const uint64_t neutral = dilate ? 0 : UINT64_MAX;
    const uint32_t right = p->left + p->width; /* less than the row's length in bits */
    const uint64_t before = (UINT64_C(1) << p->left) - 1;
    const uint64_t after = UINT64_MAX << right % 64;
    uint64_t *const row = p->words + r * p->pitch;
    const bool inside = p->top + r >= 0 && p->top + r < p->height;
    if (inside && p->is_masked)
        clear_masked(dilate, p->job, p->left, row, (uint32_t) (p->top + r));
    if (inside) {
        row[0] = (row[0] & ~before) | (neutral & before);
        row[right / 64] = (row[right / 64] & ~after) | (neutral & after);
    }
    for (size_t k = inside ? right / 64 + 1 : 0; k < p->pitch; k++)
        row[k] = neutral;
}

/* Combines the rows from `first` to before `end`, once they are complete, with those below. Each
 * step is as many rows late as it needs of the step before, while these are in the cache. */
COPIED void combine_rows(const bool dilate, const Picture *const p, const uint32_t length,
                         const uint32_t first, const uint32_t end)
{
    uint32_t late = 0;
    for (uint32_t done = 1; done < length;) {
        const uint32_t step = umin(done, length - done);
        late += step;
        for (uint32_t r = umax(first, late); r < end; r++)
            combine_words(dilate, p->words + (r - late) * p->pitch,
                          p->words + (r - late + step) * p->pitch, p->pitch);
        done += step;
    }
}

#define ROWS_AT_ONCE 16

/* Erodes or dilates by a square. */
COPIED void slide(const bool dilate, Picture *const p, const uint32_t radius)
{
    const uint32_t length = 2 * radius + 1;
    if (radius == 0)
        return;
    for (uint32_t first = 0, end; first < p->n_rows; first = end) {
        end = first + umin(ROWS_AT_ONCE, p->n_rows - first);
        for (uint32_t r = first; r < end; r++)
            clear_outside(dilate, p, r);
        combine_bits(dilate, p->words + first * p->pitch, (end - first) * p->pitch, length);
        combine_rows(dilate, p, length, first, end);
    }
    p->n_rows -= 2 * radius;
    p->left -= radius;
    p->top += radius;
}

/* Copies a row of the mask to row `r`, `reach` bits to the right. */
static void copy_row(const Picture *const p, const uint32_t r, const uint64_t *const row,
                     const uint32_t reach)
{
    uint64_t *const to = p->words + r * p->pitch;
    const size_t n = cca_cpu_words(p->width);
    to[0] = row[0] << reach;
    for (size_t k = 1; k < n; k++)
        to[k] = row[k] << reach | row[k - 1] >> (64 - reach);
    if (n < p->pitch)
        to[n] = row[n - 1] >> (64 - reach);
}

/* Opens and closes rows `first` to `end` of a region, whose bits are `mask`. Returns the number of
 * words from row to row. */
static size_t open_and_close_rows(const uint64_t *const mask, const size_t mask_pitch,
                                  const CcaJob *const job, const bool is_masked,
                                  const uint32_t first, const uint32_t end, uint64_t *const scratch)
{
    const uint32_t open = job->params.open_radius, close = job->params.close_radius;
    const uint32_t reach = cca_cpu_reach(job);
    Picture p = {
        .words = scratch,
        .pitch = cca_cpu_words(job->width + 2 * reach),
        .n_rows = end - first + 2 * reach,
        .top = (int64_t) first - reach,
        .left = reach,
        .width = job->width,
        .height = job->height,
        .job = job,
        .is_masked = is_masked,
    };
    for (uint32_t r = 0; r < p.n_rows; r++)
        if (p.top + r >= 0 && p.top + r < p.height)
            copy_row(&p, r, mask + (size_t) (p.top + r) * mask_pitch, reach);

    slide(false, &p, open);
    if (is_masked) {
        slide(true, &p, open);
        slide(true, &p, close);
    } else {
        /* Two dilations within a rectangle equal one by the sum of the radii. */
        slide(true, &p, open + close);
    }
    slide(false, &p, close);
    for (uint32_t r = 0; r < p.n_rows; r++)
        clear_outside(true, &p, r);
    return p.pitch;
}

/* Finds the words of rows `top` to `bottom` with foreground. */
static CcaColumns find_columns(const CpuForeground *const f, const uint32_t n_words,
                               const uint32_t top, const uint32_t bottom)
{
    CcaColumns c = { n_words, 0 };
    for (uint32_t y = top; y < bottom; y++) {
        const uint64_t *const words = f->mask + (size_t) y * n_words;
        uint32_t first = f->columns[y].first, end = f->columns[y].end;
        while (first < c.first && words[first] == 0)
            first++;
        while (end > c.end && words[end - 1] == 0)
            end--;
        c = (CcaColumns) { umin(first, c.first), umax(end, c.end) };
    }
    return c;
}

/* Reduces a job to some of its columns. */
static CcaJob job_of_columns(const CcaJob *const job, const CcaColumns c)
{
    CcaJob part = *job;
    const uint32_t x0 = 64 * c.first, x1 = umin(job->width, 64 * c.end);
    const uint32_t masked_end = umin(job->masked.x + job->masked.width, x1);
    part.x += x0;
    part.width = x1 - x0;
    part.masked.x = umax(job->masked.x, x0);
    part.masked.width = masked_end > part.masked.x ? masked_end - part.masked.x : 0;
    part.masked.x -= x0;
    return part;
}

/* Opens and closes rows `first` to `end`. Columns that no foreground of these rows reaches stay
 * empty: neither what is there nor what is beyond them matters. */
static void open_and_close_part(const CpuForeground *const f, const CcaJob *const job,
                                const bool is_masked, const uint32_t first, const uint32_t end,
                                uint64_t *const scratch, const size_t pitch)
{
    const uint32_t n_words = (uint32_t) cca_cpu_words(job->width), reach = cca_cpu_reach(job);
    const uint32_t top = first - umin(first, reach), bottom = umin(end + reach, job->height);
    const uint32_t margin = (reach + 63) / 64;
    CcaColumns c = find_columns(f, n_words, top, bottom);
    if (c.first >= c.end) {
        memset(scratch, 0, (end - first) * pitch * sizeof(*scratch));
        return;
    }
    c.first -= umin(c.first, margin);
    c.end = umin(c.end + margin, n_words);
    const CcaJob part = job_of_columns(job, c);
    const size_t n = c.end - c.first;
    const size_t part_pitch = open_and_close_rows(f->mask + c.first, n_words, &part,
                                                  is_masked && part.masked.width > 0, first, end,
                                                  scratch);
    for (uint32_t r = end - first; n < n_words && r-- > 0;) {
        uint64_t *const to = scratch + r * pitch;
        memmove(to + c.first, scratch + r * part_pitch, n * sizeof(*to));
        memset(to, 0, c.first * sizeof(*to));
        memset(to + c.end, 0, (pitch - c.end) * sizeof(*to));
    }
}

#define PART_REACHES 32 /* The rows around a part that it depends on are few of its own. */

/* Parts are opened and closed from top to bottom; each writes over the rows below the one before.
 * Rows that no masked pixel reaches take less time, so they are parts of their own. */
void LEVEL(cca_cpu_open_and_close_)(const CpuForeground *const f, const CcaJob *const job,
                                    CpuBand *const band, uint64_t *const scratch)
{
    const uint32_t reach = cca_cpu_reach(job), end = band->first_row + band->n_rows;
    const size_t pitch = cca_cpu_words(job->width + 2 * reach);
    const CcaRect *const masked = &job->masked;
    const uint32_t from = job->mask ? masked->y - umin(masked->y, reach) : end;
    const uint32_t to = masked->y + masked->height + reach;
    for (uint32_t first = band->first_row, next; first < end; first = next) {
        const bool is_masked = first >= from && first < to;
        next = umin(end, first < from ? from : is_masked ? to : end);
        next = umin(next, first + PART_REACHES * reach);
        open_and_close_part(f, job, is_masked, first, next,
                            scratch + (first - band->first_row) * pitch, pitch);
    }
    band->bits = (CpuBits) { scratch, pitch };
}
