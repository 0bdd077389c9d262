/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* 2^64 cannot be reached, so wider sums show whether 64 bits suffice. */
typedef unsigned __int128 Wide;

static bool belongs(const Oracle *const o, const CcaFrame *const frame, const int64_t x,
                    const int64_t y, const uint32_t number)
{
    return x >= 0 && y >= 0 && x < frame->width && y < frame->height &&
           o->owners[y * frame->width + x] == number;
}

/* Each square is seen from all pixels of the component in it, and counts in parts: 12 in all. */
static void add_squares(const Oracle *const o, const CcaFrame *const frame, const int64_t x,
                        const int64_t y, const uint32_t number, Wide *const touched,
                        Wide *const full)
{
    for (int64_t k = 0; k < 4; k++) {
        const int64_t left = x - k % 2, top = y - k / 2;
        uint32_t n = 0;
        for (int64_t i = 0; i < 4; i++)
            n += belongs(o, frame, left + i % 2, top + i / 2, number);
        *touched += 12 / n;
        *full += n == 4 ? 3 : 0;
    }
}

static void measure_shape(const Oracle *const o, const CcaFrame *const frame, const uint64_t n,
                          const uint32_t number, CcaFeatures *const f)
{
    Wide touched = 0, full = 0, neighbours = 0;
    for (uint64_t i = 0; i < n; i++) {
        const int64_t x = o->stack[i] % frame->width, y = o->stack[i] / frame->width;
        add_squares(o, frame, x, y, number, &touched, &full);
        neighbours += belongs(o, frame, x - 1, y, number);
        neighbours += belongs(o, frame, x + 1, y, number);
        neighbours += belongs(o, frame, x, y - 1, number);
        neighbours += belongs(o, frame, x, y + 1, number);
    }
    f->e4 = (uint64_t) (neighbours / 2);
    f->q4 = (uint64_t) (full / 12);
    f->w1 = (uint64_t) (touched / 12);
}

static void measure_intensity(const Oracle *const o, const CcaFrame *const frame,
                              const CcaConfig *const config, const uint64_t n, CcaFeatures *const f)
{
    Wide v = 0, vv = 0, vx = 0, vy = 0;
    uint32_t at = UINT32_MAX;
    f->v_min = UINT32_MAX;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t p = o->stack[i], x = p % frame->width, y = p / frame->width;
        const uint32_t value = oracle_value(frame, config, x, y);
        v += value;
        vv += (Wide) value * value;
        vx += (Wide) value * x;
        vy += (Wide) value * y;
        if (value < f->v_min)
            f->v_min = value;
        if (at == UINT32_MAX || value > f->v_max || (value == f->v_max && p < at)) {
            f->v_max = value;
            at = p;
        }
    }
    f->v = (uint64_t) v;
    f->vv = (uint64_t) vv;
    f->vx = (uint64_t) vx;
    f->vy = (uint64_t) vy;
    f->v_max_x = at % frame->width;
    f->v_max_y = at / frame->width;
}

static void measure_moments(const Oracle *const o, const CcaFrame *const frame, const uint64_t n,
                            CcaFeatures *const f)
{
    Wide xx = 0, xy = 0, yy = 0;
    for (uint64_t i = 0; i < n; i++) {
        const Wide x = o->stack[i] % frame->width, y = o->stack[i] / frame->width;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    f->xx = (uint64_t) xx;
    f->xy = (uint64_t) xy;
    f->yy = (uint64_t) yy;
}

static bool grow(void **const table, size_t *const room, const size_t n, const size_t size)
{
    if (n <= *room)
        return true;
    void *const grown = realloc(*table, n * size);
    if (grown == NULL)
        return false;
    *table = grown;
    *room = n;
    return true;
}

bool oracle_begin_features(Oracle *const o, const size_t n_pixels)
{
    if (!grow((void **) &o->owners, &o->n_owners, n_pixels, sizeof(*o->owners)))
        return false;
    memset(o->owners, 0, n_pixels * sizeof(*o->owners));
    return true;
}

bool oracle_measure_features(Oracle *const o, const CcaFrame *const frame,
                             const CcaConfig *const config, const CcaComponent *const c)
{
    const size_t n = c->id;
    if (!grow((void **) &o->measured, &o->n_measured,
              n < 64      ? 64 :
              n & (n - 1) ? n :
                            2 * n,
              sizeof(*o->measured)))
        return false;
    CcaFeatures *const f = &o->measured[n - 1];
    memset(f, 0, sizeof(*f));
    for (uint64_t i = 0; i < c->area; i++)
        o->owners[o->stack[i]] = c->id;
    if (config->features & CCA_FEATURES_MOMENTS)
        measure_moments(o, frame, c->area, f);
    if (config->features & CCA_FEATURES_INTENSITY)
        measure_intensity(o, frame, config, c->area, f);
    if (config->features & CCA_FEATURES_SHAPE)
        measure_shape(o, frame, c->area, c->id, f);
    return true;
}

bool oracle_sort_features(Oracle *const o, CcaResult *const result)
{
    if (!grow((void **) &o->features, &o->n_features, result->n_components, sizeof(*o->features)))
        return false;
    for (uint32_t i = 0; i < result->n_components; i++)
        o->features[i] = o->measured[result->components[i].id - 1];
    result->features = result->n_components ? o->features : NULL;
    return true;
}

void oracle_features_free(Oracle *const o)
{
    free(o->owners);
    free(o->measured);
    free(o->features);
}
