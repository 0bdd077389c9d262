/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The reference engine, which defines the results of all engines: the foreground of
 * CcaForeground, then two passes over the pixels with a union-find. It is written to
 * be obviously correct, not fast. */

#include <stdlib.h>
#include <string.h>

#include "../engine.h"

/* The foreground of a frame, and the background. */
typedef struct RefForeground {
    uint8_t *mask;              /* 0 or 1 for each pixel of the region of interest */
    uint8_t *scratch;           /* of the same size */
    uint32_t *histogram;        /* of all 65536 values */
    uint16_t *frames;           /* difference: the last frames, as a ring */
    uint16_t *mean, *variation; /* sigma-delta: M and V */
    uint16_t *candidate;        /* with votes: K */
    int8_t *votes;              /* with votes: q */
    bool *was_background;       /* with votes: e */
} RefForeground;

typedef struct RefEngine {
    CcaEngine base;
    RefForeground foreground;
    uint32_t *parent;         /* union-find over pixels; a root is its set's first pixel */
    CcaComponent *components; /* room for every component of a frame */
    bool *peaks;              /* of each of these: whether it has a peak */
    CcaComponent *results;    /* max_components records for each slot */
    uint32_t *sets;           /* for labels and features: the number of each pixel's set, from 1;
                               * 0: none */
    uint32_t *ids;            /* for labels: the id of each set, 0 if it is filtered out */
    CcaFeatures *features;    /* of each component of a frame */
    CcaFeatures *measured;    /* of the records in `results` */
    uint32_t n_components[CCA_MAX_SLOTS], n_found[CCA_MAX_SLOTS];
    uint32_t threshold[CCA_MAX_SLOTS];
    CcaLight light[CCA_MAX_SLOTS];
    uint32_t n_foreground[CCA_MAX_SLOTS];
} RefEngine;

static int64_t value_at(const CcaJob *const job, const CcaConfig *const c, const uint32_t x,
                        const uint32_t y)
{
    const uint8_t *const row = (const uint8_t *) job->frame.data + y * job->frame.stride;
    const uint32_t sample = c->sample_size == 1 ? row[x] : ((const uint16_t *) row)[x];
    return sample >> c->shift & ((1u << c->depth) - 1);
}

/* Whether a pixel of the region belongs to the working set. */
static bool is_working(const CcaJob *const job, const uint32_t x, const uint32_t y)
{
    return job->mask == NULL || cca_mask_has(job->mask, job->x + x, job->y + y);
}

/* --- Otsu -----------------------------------------------------------------
 *
 * Otsu, "A threshold selection method from gray-level histograms", 1979, in exact
 * integers: the between-class variance as a fraction. */

/* A number of up to 256 bits, the lowest 32 first. */
typedef struct Big {
    uint32_t digits[8];
} Big;

static Big times(Big a, const uint64_t b)
{
    const uint32_t factors[2] = { (uint32_t) b, (uint32_t) (b >> 32) };
    Big product = { { 0 } };
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = 0; k + i < 8; k++) {
            carry += (uint64_t) a.digits[k] * factors[i] + product.digits[k + i];
            product.digits[k + i] = (uint32_t) carry;
            carry >>= 32;
        }
    }
    return product;
}

static bool exceeds(const Big *const a, const Big *const b)
{
    for (int i = 7; i >= 0; i--)
        if (a->digits[i] != b->digits[i])
            return a->digits[i] > b->digits[i];
    return false;
}

/* a a, for a below 2^96. */
static Big square(const unsigned __int128 a)
{
    Big low = { { (uint32_t) a, (uint32_t) (a >> 32), (uint32_t) (a >> 64),
                  (uint32_t) (a >> 96) } };
    const Big by_low = times(low, (uint64_t) a);
    const Big by_high = times(low, (uint64_t) (a >> 64));
    Big sum = by_low;
    uint64_t carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (uint64_t) by_low.digits[i + 2] + by_high.digits[i];
        sum.digits[i + 2] = (uint32_t) carry;
        carry >>= 32;
    }
    return sum;
}

/* The threshold for the pixels of the working set. */
static uint32_t otsu_threshold(uint32_t *const h, const CcaJob *const job,
                               const CcaConfig *const config)
{
    const uint32_t n_values = 1u << config->depth;
    memset(h, 0, n_values * sizeof(*h));
    for (uint32_t y = 0; y < job->height; y++)
        for (uint32_t x = 0; x < job->width; x++)
            if (is_working(job, x, y))
                h[value_at(job, config, job->x + x, job->y + y)]++;

    uint64_t n = 0, s = 0;
    for (uint32_t v = 0; v < n_values; v++) {
        n += h[v];
        s += (uint64_t) v * h[v];
    }
    uint64_t w = 0, q = 0, best_b = 1;
    Big best_square = { { 0 } };
    uint32_t best = 0;
    bool found = false;
    for (uint32_t t = 0; t < n_values; t++) {
        w += h[t];
        q += (uint64_t) t * h[t];
        const uint64_t smaller = umin64(w, n - w);
        if (h[t] == 0 || smaller == 0 || smaller << 23 < n)
            continue;
        const __int128 a = (__int128) n * q - (__int128) w * s;
        const uint64_t b = w * (n - w);
        const Big a_square = square((unsigned __int128) (a < 0 ? -a : a));
        const Big score = times(a_square, best_b), best_score = times(best_square, b);
        if (!found || exceeds(&score, &best_score)) {
            best = t;
            best_b = b;
            best_square = a_square;
            found = true;
        }
    }
    return best;
}

/* --- light ---------------------------------------------------------------- */

#define N_BANDS 8

typedef struct RefBand {
    int64_t n;           /* samples */
    int64_t counts[256]; /* of D + 128 */
    bool has_level;
    int64_t level;
} RefBand;

static void count_sample(RefBand *const bands, const CcaJob *const job, const uint32_t depth,
                         const int64_t value, const int64_t mean)
{
    const int64_t d = iclip64((value - mean) / job->update.step, -128, 127);
    RefBand *const b = &bands[mean * N_BANDS >> depth];
    b->n++;
    b->counts[d + 128]++;
}

/* Sets the levels. Returns the number of bands that have one. */
static uint32_t find_levels(RefBand *const bands)
{
    uint32_t n_levels = 0;
    for (uint32_t i = 0; i < N_BANDS; i++) {
        RefBand *const b = &bands[i];
        if (b->n < 64)
            continue;
        int64_t n_below = 0, d = -129;
        while (2 * n_below < b->n)
            n_below += b->counts[++d + 128];
        b->has_level = true;
        b->level = d;
        n_levels++;
    }
    return n_levels;
}

static bool most_have_changed(const RefBand *const bands)
{
    int64_t n = 0, n_brighter = 0, n_darker = 0;
    for (uint32_t i = 0; i < N_BANDS; i++) {
        n += bands[i].n;
        for (int64_t d = -128; d < 128; d++) {
            n_brighter += d >= 2 ? bands[i].counts[d + 128] : 0;
            n_darker += d <= -2 ? bands[i].counts[d + 128] : 0;
        }
    }
    return 4 * n_brighter >= 3 * n || 4 * n_darker >= 3 * n;
}

/* Whether the curve is steep enough to be of light. */
static bool is_light(const RefBand *const bands, const uint32_t step, const uint32_t depth)
{
    int64_t first = 0, last = N_BANDS - 1;
    while (!bands[first].has_level)
        first++;
    while (!bands[last].has_level)
        last--;
    return 3 * step * (bands[last].level - bands[first].level) * 256 >=
           -2 * 32 * (last - first) * (INT64_C(1) << depth);
}

static int64_t curve_at(const RefBand *const bands, const int64_t k)
{
    int64_t low = -1, high = -1;
    for (int64_t b = N_BANDS - 1; b >= 0; b--)
        if (bands[b].has_level && 32 * b + 16 > k)
            high = b;
    for (int64_t b = 0; b < N_BANDS; b++)
        if (bands[b].has_level && 32 * b + 16 <= k)
            low = b;
    if (low < 0 || high < 0)
        return bands[low < 0 ? high : low].level;
    const int64_t rise = bands[high].level - bands[low].level;
    const int64_t width = 32 * (high - low), right = k - (32 * low + 16);
    const int64_t twice = 2 * rise * right + width; /* 2 width times the rise at k, and 1/2 */
    const int64_t rounded = twice >= 0 ? twice / (2 * width) :
                                         -((-twice + 2 * width - 1) / (2 * width));
    return bands[low].level + rounded;
}

static CcaLight compensate_light(RefForeground *const f, const CcaJob *const job,
                                 const CcaConfig *const config)
{
    RefBand bands[N_BANDS] = { { 0 } };
    const uint32_t width = job->frame.width;
    for (uint32_t y = 0; y < job->height; y++)
        for (uint32_t x = 0; x < job->width; x++)
            if ((job->x + x) % 4 == 0 && (job->y + y) % 4 == 0 && is_working(job, x, y))
                count_sample(bands, job, config->depth,
                             value_at(job, config, job->x + x, job->y + y),
                             f->mean[(size_t) (job->y + y) * width + job->x + x]);
    if (find_levels(bands) == 0 || !most_have_changed(bands) ||
        !is_light(bands, job->update.step, config->depth))
        return (CcaLight) { 0 };

    const int64_t top = (1 << config->depth) - 1, step = job->update.step;
    const size_t n_pixels = (size_t) width * job->frame.height;
    for (size_t i = 0; i < n_pixels; i++) {
        const int64_t m = f->mean[i];
        f->mean[i] = (uint16_t) iclip64(m + step * curve_at(bands, m * 256 >> config->depth), 0,
                                        top);
        if (!job->update.votes)
            continue;
        const int64_t k = f->candidate[i];
        f->candidate[i] = (uint16_t) iclip64(k + step * curve_at(bands, k * 256 >> config->depth),
                                             0, top);
    }
    int64_t n = 0, sum = 0;
    for (uint32_t i = 0; i < N_BANDS; i++) {
        n += bands[i].has_level ? bands[i].n : 0;
        sum += bands[i].has_level ? bands[i].n * bands[i].level : 0;
    }
    return (CcaLight) { true, (int32_t) (step * sum / n) };
}

/* --- background ----------------------------------------------------------- */

static bool differs(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                    const size_t i, const size_t frame_size)
{
    const int64_t old = u->first ? value : f->frames[u->reference * frame_size + i];
    f->frames[u->stored * frame_size + i] = (uint16_t) value;
    return !u->first && llabs(value - old) >= (int64_t) u->contrast;
}

static int64_t approach(const int64_t from, const int64_t to, const int64_t step)
{
    return from + iclip64(to - from, -step, step);
}

static void update_background(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                              const size_t i)
{
    const int64_t m = approach(f->mean[i], value, u->step);
    const int64_t v = approach(f->variation[i], u->noise_factor * llabs(value - m), u->step);
    f->mean[i] = (uint16_t) m;
    f->variation[i] = (uint16_t) iclip64(v, u->contrast, u->max_variation);
}

static bool exceeds_variation(const RefForeground *const f, const CcaUpdate *const u,
                              const int64_t value, const size_t i)
{
    const int64_t o = llabs(value - f->mean[i]);
    return o >= f->variation[i] && o >= (int64_t) u->contrast;
}

static void begin_background(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                             const size_t i)
{
    f->mean[i] = (uint16_t) value;
    f->variation[i] = (uint16_t) u->contrast;
    if (f->candidate == NULL)
        return;
    f->candidate[i] = (uint16_t) value;
    f->votes[i] = 0;
    f->was_background[i] = false;
}

/* Counts a value near the candidate. Returns whether the candidate became the background. */
static bool vote_for_candidate(RefForeground *const f, const CcaUpdate *const u,
                               const int64_t value, const size_t i)
{
    const bool e = f->was_background[i];
    const int64_t k = approach(f->candidate[i], value, u->step);
    const int64_t q = f->votes[i] - (e ? CCA_RETURN_VOTES : u->tick);
    const bool swaps = (e || u->tick) && q <= 0;
    f->candidate[i] = (uint16_t) k;
    f->votes[i] = (int8_t) (q < 0 ? 0 : q);
    if (swaps) {
        f->candidate[i] = f->mean[i];
        f->mean[i] = (uint16_t) k;
        f->variation[i] = (uint16_t) u->contrast;
        f->votes[i] = e ? CCA_MAX_VOTES : 0;
        f->was_background[i] = !e && u->settled;
    }
    return swaps;
}

static bool votes(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                  const size_t i)
{
    bool found = exceeds_variation(f, u, value, i);
    const bool is_near = llabs(value - f->candidate[i]) < (int64_t) u->contrast;
    if (found && is_near)
        return !vote_for_candidate(f, u, value, i);
    if (!found && u->tick)
        f->votes[i] = (int8_t) umin((uint32_t) f->votes[i] + 2, CCA_MAX_VOTES);
    if (found && (!f->was_background[i] || u->hold)) {
        f->candidate[i] = (uint16_t) value;
        f->was_background[i] = false;
    }
    if (u->due)
        update_background(f, u, value, i);
    return found;
}

static bool moves(RefForeground *const f, const CcaUpdate *const u, const int64_t value,
                  const size_t i)
{
    if (u->first) {
        begin_background(f, u, value, i);
        return false;
    }
    if (u->votes)
        return votes(f, u, value, i);
    if (u->due)
        update_background(f, u, value, i);
    return exceeds_variation(f, u, value, i);
}

static bool is_foreground(RefForeground *const f, const CcaJob *const job, const int64_t threshold,
                          const int64_t value, const size_t i)
{
    switch (job->params.foreground) {
    case CCA_FOREGROUND_DIFFERENCE:
        return differs(f, &job->update, value, i, (size_t) job->frame.width * job->frame.height);
    case CCA_FOREGROUND_SIGMA_DELTA: return moves(f, &job->update, value, i);
    default: return value > threshold && value <= (int64_t) job->params.threshold_high;
    }
}

/* --- opening and closing -------------------------------------------------- */

/* Pixels whose square of 2 radius + 1 pixels, less those outside the working set, has only
 * `value` get `value`, all others the opposite. Pixels outside are background. */
static void erode_value(RefForeground *const f, const CcaJob *const job, const uint32_t radius,
                        const uint8_t value)
{
    const int64_t w = job->width, h = job->height, r = radius;
    for (int64_t y = 0; y < h; y++) {
        for (int64_t x = 0; x < w; x++) {
            bool all = true;
            for (int64_t v = y - r < 0 ? 0 : y - r; all && v <= y + r && v < h; v++)
                for (int64_t u = x - r < 0 ? 0 : x - r; all && u <= x + r && u < w; u++)
                    all = f->mask[v * w + u] == value ||
                          !is_working(job, (uint32_t) u, (uint32_t) v);
            f->scratch[y * w + x] = (all ? value : !value) &
                                    is_working(job, (uint32_t) x, (uint32_t) y);
        }
    }
    uint8_t *const eroded = f->scratch;
    f->scratch = f->mask;
    f->mask = eroded;
}

static void erode(RefForeground *const f, const CcaJob *const job, const uint32_t radius)
{
    erode_value(f, job, radius, 1);
}

/* Eroding the background dilates the foreground. */
static void dilate(RefForeground *const f, const CcaJob *const job, const uint32_t radius)
{
    erode_value(f, job, radius, 0);
}

static void open_and_close(RefForeground *const f, const CcaJob *const job)
{
    if (job->params.open_radius > 0) {
        erode(f, job, job->params.open_radius);
        dilate(f, job, job->params.open_radius);
    }
    if (job->params.close_radius > 0) {
        dilate(f, job, job->params.close_radius);
        erode(f, job, job->params.close_radius);
    }
}

/* --- foreground ----------------------------------------------------------- */

static uint64_t n_pixels(const CcaConfig *const c)
{
    return (uint64_t) c->width * c->height;
}

static uint64_t n_frames(const CcaConfig *const c)
{
    return c->foreground == CCA_FOREGROUND_DIFFERENCE ? c->frame_distance : 0;
}

static uint64_t foreground_size(const CcaConfig *const c)
{
    const uint64_t models = c->foreground == CCA_FOREGROUND_SIGMA_DELTA ? 2 : n_frames(c);
    const uint64_t votes = cca_has_votes(c) ? sizeof(uint16_t) + sizeof(int8_t) + sizeof(bool) : 0;
    return n_pixels(c) * (2 + models * sizeof(uint16_t) + votes) + 65536 * sizeof(uint32_t);
}

/* Returns false if memory ran out; the tables that there are must still be freed. */
static bool allocate_foreground(RefForeground *const f, const CcaConfig *const c)
{
    const size_t n = n_pixels(c);
    f->mask = calloc(n, sizeof(*f->mask));
    f->scratch = calloc(n, sizeof(*f->scratch));
    f->histogram = calloc(65536, sizeof(*f->histogram));
    bool complete = f->mask && f->scratch && f->histogram;
    if (c->foreground == CCA_FOREGROUND_DIFFERENCE) {
        f->frames = calloc(n * n_frames(c), sizeof(*f->frames));
        complete = complete && f->frames;
    }
    if (c->foreground == CCA_FOREGROUND_SIGMA_DELTA) {
        f->mean = calloc(n, sizeof(*f->mean));
        f->variation = calloc(n, sizeof(*f->variation));
        complete = complete && f->mean && f->variation;
    }
    if (cca_has_votes(c)) {
        f->candidate = calloc(n, sizeof(*f->candidate));
        f->votes = calloc(n, sizeof(*f->votes));
        f->was_background = calloc(n, sizeof(*f->was_background));
        complete = complete && f->candidate && f->votes && f->was_background;
    }
    return complete;
}

static void free_foreground(RefForeground *const f)
{
    free(f->mask);
    free(f->scratch);
    free(f->histogram);
    free(f->frames);
    free(f->mean);
    free(f->variation);
    free(f->candidate);
    free(f->votes);
    free(f->was_background);
    *f = (RefForeground) { 0 };
}

/* Fills f->mask and updates the background. Returns the threshold used, or the contrast. */
static uint32_t find_foreground(RefForeground *const f, const CcaJob *const job,
                                const CcaConfig *const config, CcaLight *const light,
                                uint32_t *const n_foreground)
{
    const CcaForeground mode = job->params.foreground;
    uint32_t threshold = job->params.threshold;
    if (mode == CCA_FOREGROUND_OTSU)
        threshold = otsu_threshold(f->histogram, job, config);
    *light = job->update.light ? compensate_light(f, job, config) : (CcaLight) { 0 };
    *n_foreground = 0;

    for (uint32_t y = 0; y < job->frame.height; y++) {
        for (uint32_t x = 0; x < job->frame.width; x++) {
            const int64_t value = value_at(job, config, x, y);
            const bool e = is_foreground(f, job, threshold, value,
                                         (size_t) y * job->frame.width + x);
            /* relative to the region; above and left of it they wrap to huge values */
            const uint32_t rx = x - job->x, ry = y - job->y;
            if (rx < job->width && ry < job->height) {
                const bool working = is_working(job, rx, ry);
                f->mask[(size_t) ry * job->width + rx] = working && e != job->invert;
                *n_foreground += job->update.count && working && e;
            }
        }
    }
    open_and_close(f, job);
    return cca_has_background(mode) ? job->update.contrast : threshold;
}

/* --- background ----------------------------------------------------------- */

/* The planes of the state, in order. Those of the frames follow each other. */
static uint16_t *plane_at(const RefForeground *const f, const CcaForeground mode, const uint32_t i,
                          const size_t n_pixels)
{
    if (mode == CCA_FOREGROUND_DIFFERENCE)
        return f->frames + i * n_pixels;
    return i == 0 ? f->mean : i == 1 ? f->variation : f->candidate;
}

static void write_samples(void *const to, const uint16_t *const values, const size_t n,
                          const uint32_t sample_size)
{
    if (sample_size == 2)
        memcpy(to, values, 2 * n);
    for (size_t i = 0; sample_size == 1 && i < n; i++)
        ((uint8_t *) to)[i] = (uint8_t) values[i];
}

static void write_background(const RefForeground *const f, const CcaJob *const job,
                             const uint32_t sample_size)
{
    const size_t w = job->frame.width, n_pixels = w * job->frame.height;
    const uint16_t *const values = plane_at(f, job->params.foreground, job->update.next, n_pixels);
    for (uint32_t y = 0; y < job->frame.height; y++)
        write_samples((uint8_t *) job->frame.background +
                          (y ? y * job->frame.background_stride : 0),
                      values + y * w, w, sample_size);
}

static CcaStatus ref_export_background(CcaEngine *const engine, const CcaBackground *const b,
                                       uint8_t *state)
{
    const RefForeground *const f = &((const RefEngine *) engine)->foreground;
    const size_t n = (size_t) b->width * b->height;
    for (uint32_t p = 0; p < cca_background_planes(b); p++, state += n * b->sample_size)
        write_samples(state, plane_at(f, b->foreground, p, n), n, b->sample_size);
    for (size_t i = 0; b->votes && i < n; i++)
        state[i] = (uint8_t) (f->votes[i] | f->was_background[i] << 7);
    return CCA_OK;
}

static CcaStatus ref_import_background(CcaEngine *const engine, const CcaBackground *const b,
                                       const uint8_t *state)
{
    const RefForeground *const f = &((const RefEngine *) engine)->foreground;
    const size_t n = (size_t) b->width * b->height;
    for (uint32_t p = 0; p < cca_background_planes(b); p++) {
        uint16_t *const values = plane_at(f, b->foreground, p, n);
        for (size_t i = 0; i < n; i++, state += b->sample_size) {
            if (b->sample_size == 1)
                values[i] = *state;
            else
                memcpy(&values[i], state, sizeof(*values));
        }
    }
    for (size_t i = 0; b->votes && i < n; i++) {
        f->votes[i] = (int8_t) (state[i] & CCA_MAX_VOTES);
        f->was_background[i] = state[i] >> 7;
    }
    return CCA_OK;
}

/* --- components ----------------------------------------------------------- */

static uint32_t find(uint32_t *const parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* The smaller index becomes the root. */
static void unite(uint32_t *const parent, const uint32_t i, const uint32_t j)
{
    const uint32_t a = find(parent, i), b = find(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#define BACKGROUND UINT32_MAX

/* First pass: join each foreground pixel to its neighbours above and left. */
static void label(uint32_t *const parent, const uint8_t *const foreground, const CcaJob *const job)
{
    const uint32_t w = job->width;
    for (uint32_t y = 0; y < job->height; y++) {
        for (uint32_t x = 0; x < w; x++) {
            const uint32_t i = y * w + x;
            if (!foreground[i]) {
                parent[i] = BACKGROUND;
                continue;
            }
            parent[i] = i;
            if (x > 0 && parent[i - 1] != BACKGROUND)
                unite(parent, i, i - 1);
            if (y > 0 && parent[i - w] != BACKGROUND)
                unite(parent, i, i - w);
            if (job->params.connectivity == 8 && y > 0) {
                if (x > 0 && parent[i - w - 1] != BACKGROUND)
                    unite(parent, i, i - w - 1);
                if (x + 1 < w && parent[i - w + 1] != BACKGROUND)
                    unite(parent, i, i - w + 1);
            }
        }
    }
}

static bool is_peak(const CcaJob *const job, const CcaConfig *const config, const uint32_t x,
                    const uint32_t y)
{
    const int64_t v = value_at(job, config, x, y), top = (1 << config->depth) - 1;
    return (job->invert ? top - v : v) >= job->params.limits.min_peak;
}

/* Second pass: a set is numbered at its first pixel, its root, whose entry then holds
 * that number instead of its own index. The entries of the other pixels name the root
 * by then, so none of them needs that index. */
static uint32_t measure_sets(RefEngine *const e, const CcaJob *const job)
{
    uint32_t *const parent = e->parent;
    const uint32_t w = job->width;
    const uint32_t n_pixels = w * job->height;
    for (uint32_t i = 0; i < n_pixels; i++)
        if (parent[i] != BACKGROUND)
            parent[i] = find(parent, i);
    const bool has_sets = cca_wants_labels(job) || e->features != NULL;
    if (has_sets)
        memset(e->sets, 0, n_pixels * sizeof(*e->sets));

    uint32_t n = 0;
    for (uint32_t i = 0; i < n_pixels; i++) {
        if (parent[i] == BACKGROUND)
            continue;
        const uint32_t x = job->x + i % w, y = job->y + i / w;
        const bool first = parent[i] == i;
        const uint32_t number = first ? n++ : parent[parent[i]];
        CcaComponent *const c = &e->components[number];
        if (has_sets)
            e->sets[i] = number + 1;
        if (first) {
            *c = (CcaComponent) { .x = x, .y = y, .width = 1, .height = 1 };
            e->peaks[number] = false;
            parent[i] = number;
        }
        if (x < c->x) {
            c->width += c->x - x;
            c->x = x;
        }
        if (x >= c->x + c->width)
            c->width = x - c->x + 1;
        c->height = y - c->y + 1;
        c->area++;
        c->sum_x += x;
        c->sum_y += y;
        e->peaks[number] |= is_peak(job, &e->base.config, x, y);
    }
    return n;
}

static void add_moments(CcaFeatures *const f, const uint64_t x, const uint64_t y)
{
    f->xx += x * x;
    f->xy += x * y;
    f->yy += y * y;
}

static void add_intensity(CcaFeatures *const f, const uint32_t v, const uint32_t x,
                          const uint32_t y, const bool first)
{
    f->v += v;
    f->vv += (uint64_t) v * v;
    f->vx += (uint64_t) v * x;
    f->vy += (uint64_t) v * y;
    if (first || v < f->v_min)
        f->v_min = v;
    if (first || v > f->v_max) {
        f->v_max = v;
        f->v_max_x = x;
        f->v_max_y = y;
    }
}

/* The set of a pixel of the region, 0 if it is outside. */
static uint32_t set_at(const RefEngine *const e, const CcaJob *const job, const uint32_t x,
                       const uint32_t y)
{
    return x < job->width && y < job->height ? e->sets[y * job->width + x] : 0;
}

/* Counts in a square of 2x2 pixels. (x, y) is its bottom right one. */
static void add_square(const RefEngine *const e, const CcaJob *const job, const uint32_t x,
                       const uint32_t y)
{
    const uint32_t s[4] = { set_at(e, job, x - 1, y - 1), set_at(e, job, x, y - 1),
                            set_at(e, job, x - 1, y), set_at(e, job, x, y) };
    for (int i = 0; i < 4; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen |= s[k] == s[i];
        if (s[i] != 0 && !seen)
            e->features[s[i] - 1].w1++;
    }
    if (s[3] == 0)
        return;
    e->features[s[3] - 1].e4 += (s[3] == s[1]) + (s[3] == s[2]);
    e->features[s[3] - 1].q4 += s[3] == s[0] && s[3] == s[1] && s[3] == s[2];
}

static void measure_features(const RefEngine *const e, const CcaJob *const job,
                             const CcaConfig *const config, const uint32_t n_sets)
{
    uint32_t n = 0; /* sets seen */
    memset(e->features, 0, n_sets * sizeof(*e->features));
    for (uint32_t y = 0; y < job->height; y++) {
        for (uint32_t x = 0; x < job->width; x++) {
            const uint32_t set = set_at(e, job, x, y), fx = job->x + x, fy = job->y + y;
            if (set == 0)
                continue;
            CcaFeatures *const f = &e->features[set - 1];
            if (config->features & CCA_FEATURES_MOMENTS)
                add_moments(f, fx, fy);
            if (config->features & CCA_FEATURES_INTENSITY)
                add_intensity(f, (uint32_t) value_at(job, config, fx, fy), fx, fy, set > n);
            n = umax(n, set);
        }
    }
    if (!(config->features & CCA_FEATURES_SHAPE) || job->width == 0)
        return;
    for (uint32_t y = 0; y <= job->height; y++)
        for (uint32_t x = 0; x <= job->width; x++)
            add_square(e, job, x, y);
}

/* Writes every pixel of the frame, inside the region or not. */
static void write_labels(const RefEngine *const e, const CcaJob *const job,
                         const CcaLabels *const labels)
{
    for (uint32_t y = 0; y < job->frame.height; y++) {
        for (uint32_t x = 0; x < job->frame.width; x++) {
            /* relative to the region; above and left of it they wrap to huge values */
            const uint32_t rx = x - job->x, ry = y - job->y;
            uint32_t id = 0;
            if (rx < job->width && ry < job->height) {
                const uint32_t set = e->sets[(size_t) ry * job->width + rx];
                id = set > 0 ? e->ids[set - 1] : 0;
            }
            uint8_t *const row = (uint8_t *) labels->data + y * labels->stride;
            switch (labels->bits) {
            case 8: row[x] = (uint8_t) id; break;
            case 16: ((uint16_t *) row)[x] = (uint16_t) id; break;
            default: ((uint32_t *) row)[x] = id; break;
            }
        }
    }
}

static int larger_first(const void *const a, const void *const b)
{
    const CcaComponent *const p = a, *const q = b;
    if (p->area != q->area)
        return p->area > q->area ? -1 : 1;
    return p->id < q->id ? -1 : 1;
}

static CcaStatus ref_analyse(CcaEngine *const engine, const uint32_t slot, const CcaJob *const job)
{
    RefEngine *const e = (RefEngine *) engine;
    e->threshold[slot] = find_foreground(&e->foreground, job, &engine->config, &e->light[slot],
                                         &e->n_foreground[slot]);
    if (job->frame.background != NULL)
        write_background(&e->foreground, job, engine->config.sample_size);
    label(e->parent, e->foreground.mask, job);
    const uint32_t n_sets = measure_sets(e, job);
    if (e->features != NULL)
        measure_features(e, job, &engine->config, n_sets);

    uint32_t n_found = 0;
    for (uint32_t i = 0; i < n_sets; i++) {
        const bool found = cca_area_passes(&job->params, e->components[i].area) &&
                           cca_filter_passes(&job->filter, &e->components[i], e->peaks[i]);
        if (cca_wants_labels(job))
            e->ids[i] = found ? n_found + 1 : 0;
        if (!found)
            continue;
        e->components[n_found] = e->components[i];
        if (e->features != NULL)
            e->features[n_found] = e->features[i];
        e->components[n_found].id = n_found + 1;
        n_found++;
    }
    const CcaLabels labels = cca_labels_form(job->frame.labels, n_found);
    if (labels.bits > 0)
        write_labels(e, job, &labels);
    if (job->params.order == CCA_ORDER_AREA)
        qsort(e->components, n_found, sizeof(*e->components), larger_first);

    const uint32_t n = umin(n_found, job->max_components);
    memcpy(e->results + (size_t) slot * engine->config.max_components, e->components,
           n * sizeof(*e->components));
    for (uint32_t i = 0; e->features != NULL && i < n; i++)
        e->measured[(size_t) slot * engine->config.max_components + i] =
            e->features[e->components[i].id - 1];
    e->n_components[slot] = n;
    e->n_found[slot] = n_found;
    return CCA_OK;
}

static CcaStatus ref_collect(CcaEngine *const engine, const uint32_t slot, CcaResult *const result)
{
    const RefEngine *const e = (const RefEngine *) engine;
    result->components = e->results + (size_t) slot * engine->config.max_components;
    if (e->measured != NULL)
        result->features = e->measured + (size_t) slot * engine->config.max_components;
    result->n_components = e->n_components[slot];
    result->n_found = e->n_found[slot];
    result->threshold = e->threshold[slot];
    result->light_changed = e->light[slot].changed;
    result->light_shift = e->light[slot].shift;
    result->n_foreground = e->n_foreground[slot];
    return CCA_OK;
}

static CcaStatus ref_measure(const CcaEngine *const engine, const CcaConfig *const config,
                             CcaFootprint *const footprint)
{
    (void) engine;
    const uint64_t n_pixels = (uint64_t) config->width * config->height;
    const uint64_t n_sets = cca_max_labels(config->width, config->height);
    const bool features = config->features != CCA_FEATURES_NONE;
    const uint64_t labels = (config->labels || features ? n_pixels : 0) +
                            (config->labels ? n_sets : 0);
    const uint64_t record = sizeof(CcaComponent) + (features ? sizeof(CcaFeatures) : 0);
    footprint->host = (n_pixels + labels) * sizeof(uint32_t) + n_sets * (record + sizeof(bool)) +
                      foreground_size(config) +
                      (uint64_t) config->slots * config->max_components * record;
    return CCA_OK;
}

static void ref_unconfigure(CcaEngine *const engine)
{
    RefEngine *const e = (RefEngine *) engine;
    free(e->parent);
    free(e->components);
    free(e->peaks);
    free(e->results);
    free(e->sets);
    free(e->ids);
    free(e->features);
    free(e->measured);
    free_foreground(&e->foreground);
    e->parent = e->sets = e->ids = NULL;
    e->components = e->results = NULL;
    e->peaks = NULL;
    e->features = e->measured = NULL;
}

static CcaStatus ref_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    RefEngine *const e = (RefEngine *) engine;
    ref_unconfigure(engine);
    e->parent = calloc((size_t) config->width * config->height, sizeof(*e->parent));
    e->components = calloc(cca_max_labels(config->width, config->height), sizeof(*e->components));
    e->peaks = calloc(cca_max_labels(config->width, config->height), sizeof(*e->peaks));
    e->results = calloc((size_t) config->slots * config->max_components, sizeof(*e->results));
    bool complete = allocate_foreground(&e->foreground, config);
    if (config->labels || config->features) {
        e->sets = calloc((size_t) config->width * config->height, sizeof(*e->sets));
        complete = complete && e->sets;
    }
    if (config->labels) {
        e->ids = calloc(cca_max_labels(config->width, config->height), sizeof(*e->ids));
        complete = complete && e->ids;
    }
    if (config->features) {
        e->features = calloc(cca_max_labels(config->width, config->height), sizeof(*e->features));
        e->measured = calloc((size_t) config->slots * config->max_components, sizeof(*e->measured));
        complete = complete && e->features && e->measured;
    }
    if (!e->parent || !e->components || !e->peaks || !e->results || !complete)
        return cca_engine_fail(engine, CCA_ERROR_NO_MEMORY,
                               "memory for the reference engine ran out");
    return CCA_OK;
}

static void ref_close(CcaEngine *const engine)
{
    free(engine);
}

CcaStatus cca_ref_open(CcaEngine **const engine)
{
    static const CcaEngineOps ops = {
        .name = "ref",
        .measure = ref_measure,
        .configure = ref_configure,
        .analyse = ref_analyse,
        .collect = ref_collect,
        .export_background = ref_export_background,
        .import_background = ref_import_background,
        .unconfigure = ref_unconfigure,
        .close = ref_close,
    };
    RefEngine *const e = calloc(1, sizeof(*e));
    *engine = (CcaEngine *) e;
    if (e == NULL)
        return CCA_ERROR_NO_MEMORY;
    e->base.ops = &ops;
    return CCA_OK;
}
