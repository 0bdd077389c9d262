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

/* Plane 0 is M, plane 1 is V. */
static void learn(OracleMemory *const m, const uint64_t t, const int64_t top,
                  const CcaParams *const p, const int64_t *const now, const size_t n,
                  uint8_t *const mask)
{
    const int64_t s = p->step;
    const int64_t c = p->min_contrast > top ? top : p->min_contrast;
    const int64_t highest = top + 1 - s < c ? c : top + 1 - s;
    const bool due = p->learning && (t <= p->warm_up || t % p->background_period == 0);
    for (size_t i = 0; i < n; i++) {
        int64_t *const background = &m->planes[0][i], *const variation = &m->planes[1][i];
        if (t == 0) {
            *background = now[i];
            *variation = c;
            mask[i] = 0;
            continue;
        }
        if (due)
            *background += clamp(now[i] - *background, -s, s);
        const int64_t o = distance(now[i], *background);
        if (due)
            *variation = clamp(*variation + clamp(p->noise_factor * o - *variation, -s, s), c,
                               highest);
        mask[i] = o >= *variation && o >= c;
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
    if (m->n_frames == 0 && !make_room(m, (differs ? config->frame_distance : 2) + 1, n))
        return false;
    m->width = w;
    m->height = h;

    int64_t *const now = m->planes[differs ? config->frame_distance : 2];
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++)
            now[(size_t) y * w + x] = oracle_value(frame, config, x, y);
    const uint64_t t = m->n_frames;
    const int64_t top = (INT64_C(1) << config->depth) - 1;
    if (differs)
        compare_frames(m, config, params, now, n, mask);
    else
        learn(m, t, top, params, now, n, mask);

    result->threshold = params->min_contrast;
    if (!differs && params->min_contrast > top)
        result->threshold = (uint32_t) top;
    result->threshold_high = 65535;
    result->background_frames = t;
    result->warming_up = differs ? t < config->frame_distance : t == 0 || t <= params->warm_up;
    m->n_frames = t + 1;
    return true;
}

void oracle_background_free(OracleMemory *const m)
{
    for (size_t i = 0; i < sizeof(m->planes) / sizeof(*m->planes); i++)
        free(m->planes[i]);
    memset(m, 0, sizeof(*m));
}
