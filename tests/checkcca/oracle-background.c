/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static int64_t clamp(const int64_t v, const int64_t low, const int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static int64_t distance(const int64_t a, const int64_t b)
{
    return a > b ? a - b : b - a;
}

static bool make_room(OracleMemory *const m, const size_t n_planes, const size_t n_pixels)
{
    if (n_planes <= m->n_planes && n_pixels <= m->n_pixels)
        return true;
    oracle_background_free(m);
    for (size_t i = 0; i < n_planes; i++)
        if ((m->planes[i] = malloc(n_pixels * sizeof(int64_t))) == NULL)
            return false;
    m->n_planes = n_planes;
    m->n_pixels = n_pixels;
    return true;
}

/* Plane 0 holds the oldest of the last `distance` frames, the last plane this one. */
static void compare_frames(OracleMemory *const m, const CcaConfig *const config,
                           const CcaParams *const params, const int64_t *const now, const size_t n,
                           uint8_t *const mask)
{
    const uint64_t kept = m->n_frames < config->frame_distance ? m->n_frames :
                                                                 config->frame_distance;
    for (size_t i = 0; i < n; i++)
        mask[i] = kept > 0 && distance(now[i], m->planes[0][i]) >= params->min_contrast;
    if (kept < config->frame_distance) {
        memcpy(m->planes[kept], now, n * sizeof(*now));
        return;
    }
    int64_t *const oldest = m->planes[0];
    for (size_t i = 1; i < kept; i++)
        m->planes[i - 1] = m->planes[i];
    m->planes[kept - 1] = oldest;
    memcpy(oldest, now, n * sizeof(*now));
}

/* Planes of sigma-delta. */
enum { MEAN, VARIATION, CANDIDATE, SCORE, RETURNS, N_MODEL_PLANES };

/* A frame of sigma-delta. */
typedef struct Step {
    uint64_t t;
    int64_t s, c, highest;
    bool due, tick;
    const CcaParams *p;
} Step;

static void learn(OracleMemory *const m, const Step *const f, const int64_t now, const size_t i)
{
    int64_t *const background = &m->planes[MEAN][i], *const variation = &m->planes[VARIATION][i];
    if (!f->due)
        return;
    *background += clamp(now - *background, -f->s, f->s);
    const int64_t target = f->p->noise_factor * distance(now, *background);
    *variation = clamp(*variation + clamp(target - *variation, -f->s, f->s), f->c, f->highest);
}

static bool is_foreground(const OracleMemory *const m, const Step *const f, const int64_t now,
                          const size_t i)
{
    const int64_t o = distance(now, m->planes[MEAN][i]);
    return o >= m->planes[VARIATION][i] && o >= f->c;
}

/* The value is that of the candidate. Returns whether the pixel stays foreground. */
static bool oppose(OracleMemory *const m, const Step *const f, const int64_t now, const size_t i)
{
    const int64_t old = m->planes[MEAN][i];
    const bool returns = m->planes[RETURNS][i] != 0;
    int64_t *const candidate = &m->planes[CANDIDATE][i], *const score = &m->planes[SCORE][i];
    *candidate += clamp(now - *candidate, -f->s, f->s);
    if (!returns && !f->tick)
        return true;
    *score -= returns ? 32 : 1;
    if (*score > 0)
        return true;
    m->planes[MEAN][i] = *candidate;
    m->planes[VARIATION][i] = f->c;
    *candidate = old;
    *score = returns ? 127 : 0;
    m->planes[RETURNS][i] = !returns && f->t > f->p->warm_up;
    return false;
}

static bool poll(OracleMemory *const m, const Step *const f, const int64_t now, const size_t i)
{
    const bool found = is_foreground(m, f, now, i);
    if (found && distance(now, m->planes[CANDIDATE][i]) < f->c)
        return oppose(m, f, now, i);
    if (found && (m->planes[RETURNS][i] == 0 || f->t % 64 == 0)) {
        m->planes[RETURNS][i] = 0;
        m->planes[CANDIDATE][i] = now;
    }
    if (!found && f->tick)
        m->planes[SCORE][i] = clamp(m->planes[SCORE][i] + 2, 0, 127);
    learn(m, f, now, i);
    return found;
}

/* --- light: the levels are medians of sorted samples, the curve a line from point to point --- */

static int by_value(const void *const a, const void *const b)
{
    const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
    return (x > y) - (x < y);
}

static int64_t floor_quotient(const int64_t a, const int64_t b)
{
    const int64_t q = a / b;
    return q * b > a ? q - 1 : q;
}

/* Points of a curve in rising order. */
typedef struct Curve {
    int64_t n, x[8], y[8], weight[8];
} Curve;

static int64_t curve_at(const Curve *const c, const int64_t x)
{
    if (x <= c->x[0])
        return c->y[0];
    for (int64_t i = 1; i < c->n; i++) {
        if (x > c->x[i])
            continue;
        const int64_t run = c->x[i] - c->x[i - 1], rise = c->y[i] - c->y[i - 1];
        return c->y[i - 1] + floor_quotient(2 * rise * (x - c->x[i - 1]) + run, 2 * run);
    }
    return c->y[c->n - 1];
}

static void change_plane(int64_t *const plane, const size_t n, const Curve *const c,
                         const int64_t top, const int64_t step)
{
    for (size_t i = 0; i < n; i++)
        plane[i] = clamp(plane[i] + step * curve_at(c, plane[i] * 256 / (top + 1)), 0, top);
}

/* Returns false if memory ran out. */
static bool compensate(OracleMemory *const m, const CcaFrame *const frame, const int64_t top,
                       const CcaParams *const p, const int64_t *const now, CcaResult *const result)
{
    const uint32_t w = frame->width, h = frame->height;
    const size_t room = (size_t) (w / 4 + 1) * (h / 4 + 1);
    int64_t *const samples = malloc(room * sizeof(*samples));
    Curve c = { 0 };
    size_t n_all = 0, n_up = 0, n_down = 0;
    if (samples == NULL)
        return false;
    for (int64_t b = 0; b < 8; b++) {
        size_t n = 0;
        for (uint32_t y = 0; y < h; y += 4)
            for (uint32_t x = 0; x < w; x += 4) {
                const size_t i = (size_t) y * w + x;
                const int64_t mean = m->planes[MEAN][i];
                if (mean * 8 / (top + 1) != b || !oracle_works(p, x, y))
                    continue;
                samples[n++] = clamp((now[i] - mean) / p->step, -128, 127);
            }
        for (size_t i = 0; i < n; i++) {
            n_up += samples[i] > 1;
            n_down += samples[i] < -1;
        }
        n_all += n;
        if (n < 64)
            continue;
        qsort(samples, n, sizeof(*samples), by_value);
        c.x[c.n] = 32 * b + 16;
        c.weight[c.n] = (int64_t) n;
        c.y[c.n++] = samples[(n - 1) / 2];
    }
    free(samples);
    if (c.n == 0 || (n_up * 4 < n_all * 3 && n_down * 4 < n_all * 3))
        return true;
    const int64_t rise = c.y[c.n - 1] - c.y[0], run = c.x[c.n - 1] - c.x[0];
    if (768 * p->step * rise < -2 * run * (top + 1))
        return true;

    const size_t n = (size_t) w * h;
    change_plane(m->planes[MEAN], n, &c, top, p->step);
    if (p->absorb_after > 0 && p->learning)
        change_plane(m->planes[CANDIDATE], n, &c, top, p->step);
    int64_t sum = 0, weight = 0;
    for (int64_t i = 0; i < c.n; i++) {
        sum += c.weight[i] * c.y[i];
        weight += c.weight[i];
    }
    result->light_changed = true;
    result->light_shift = (int32_t) (sum * p->step / weight);
    return true;
}

static void move(OracleMemory *const m, const uint64_t t, const int64_t top,
                 const CcaParams *const p, const int64_t *const now, const size_t n,
                 uint8_t *const mask)
{
    const uint32_t every = (p->absorb_after + 126) / 127;
    Step f = { .t = t, .s = p->step, .p = p };
    f.c = p->min_contrast > top ? top : p->min_contrast;
    f.highest = top + 1 - f.s < f.c ? f.c : top + 1 - f.s;
    f.due = p->learning && (t <= p->warm_up || t % p->background_period == 0);
    f.tick = t <= p->warm_up || (every > 0 && t % every == 0);
    for (size_t i = 0; i < n; i++) {
        if (t == 0) {
            const int64_t first[N_MODEL_PLANES] = { now[i], f.c, now[i], 0, 0 };
            for (size_t k = 0; k < N_MODEL_PLANES; k++)
                m->planes[k][i] = first[k];
            mask[i] = 0;
        } else if (p->absorb_after > 0 && p->learning) {
            mask[i] = poll(m, &f, now[i], i);
        } else {
            learn(m, &f, now[i], i);
            mask[i] = is_foreground(m, &f, now[i], i);
        }
    }
}

bool oracle_background(OracleMemory *const m, const CcaFrame *const frame,
                       const CcaConfig *const config, const CcaParams *const params,
                       uint8_t *const mask, CcaResult *const result)
{
    const uint32_t w = frame->width, h = frame->height;
    const size_t n = (size_t) w * h;
    const bool differs = params->foreground == CCA_FOREGROUND_DIFFERENCE;
    if (m->width != w || m->height != h)
        m->n_frames = 0;
    const size_t n_planes = differs ? config->frame_distance : N_MODEL_PLANES;
    if (m->n_frames == 0 && !make_room(m, n_planes + 1, n))
        return false;
    m->width = w;
    m->height = h;

    int64_t *const now = m->planes[n_planes];
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++)
            now[(size_t) y * w + x] = oracle_value(frame, config, x, y);
    const uint64_t t = m->n_frames;
    const int64_t top = (INT64_C(1) << config->depth) - 1;
    if (!differs && params->compensate_light && t > 0 &&
        !compensate(m, frame, top, params, now, result))
        return false;
    if (differs)
        compare_frames(m, config, params, now, n, mask);
    else
        move(m, t, top, params, now, n, mask);

    result->threshold = params->min_contrast;
    if (!differs && params->min_contrast > top)
        result->threshold = (uint32_t) top;
    result->threshold_high = 65535;
    result->background_frames = t;
    result->warming_up = differs ? t < config->frame_distance : t == 0 || t <= params->warm_up;
    m->n_frames = t + 1;
    return true;
}

static uint8_t *put_values(uint8_t *to, const int64_t *const values, const size_t n,
                           const uint32_t size)
{
    for (size_t i = 0; i < n; i++, to += size) {
        const uint16_t value = (uint16_t) values[i];
        if (size == 1)
            *to = (uint8_t) value;
        else
            memcpy(to, &value, 2);
    }
    return to;
}

uint8_t *oracle_background_state(const OracleMemory *const m, const CcaConfig *const config,
                                 CcaBackground *const form)
{
    const bool differs = config->foreground == CCA_FOREGROUND_DIFFERENCE;
    const uint32_t size = config->sample_size;
    *form = (CcaBackground) {
        .foreground = config->foreground,
        .width = m->width,
        .height = m->height,
        .sample_size = size,
        .depth = config->depth,
        .frame_distance = differs ? config->frame_distance : 0,
        .votes = !differs && config->votes,
        .n_frames = m->n_frames,
    };
    const size_t n = (size_t) m->width * m->height;
    const size_t n_planes = differs ? config->frame_distance : config->votes ? 3 : 2;
    uint8_t *const state = calloc(n * (size * n_planes + form->votes), 1), *to = state;
    if (state == NULL)
        return NULL;
    if (differs) {
        const uint64_t kept = m->n_frames < n_planes ? m->n_frames : n_planes;
        for (uint64_t k = 0; k < kept; k++)
            put_values(state + (m->n_frames - kept + k) % n_planes * n * size, m->planes[k], n,
                       size);
        return state;
    }
    for (size_t p = 0; p < n_planes; p++)
        to = put_values(to, m->planes[p], n, size);
    for (size_t i = 0; form->votes && i < n; i++)
        to[i] = (uint8_t) (m->planes[SCORE][i] + 128 * m->planes[RETURNS][i]);
    return state;
}

/* The first plane is that of the oldest frame, or of M. */
void oracle_background_picture(const OracleMemory *const m, const uint32_t sample_size,
                               uint8_t *const to, const size_t stride)
{
    for (uint32_t y = 0; y < m->height; y++)
        put_values(to + y * stride, m->planes[0] + (size_t) y * m->width, m->width, sample_size);
}

void oracle_background_free(OracleMemory *const m)
{
    for (size_t i = 0; i < sizeof(m->planes) / sizeof(*m->planes); i++)
        free(m->planes[i]);
    memset(m, 0, sizeof(*m));
}
