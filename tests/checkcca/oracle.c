/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

bool oracle_within(const uint32_t position, const uint32_t start, const uint32_t length)
{
    if (position < start)
        return false;
    return length == 0 || position - start < length;
}

bool oracle_works(const CcaParams *const params, const uint32_t x, const uint32_t y)
{
    const CcaMask *const m = params->mask;
    if (!oracle_within(x, params->roi.x, params->roi.width) ||
        !oracle_within(y, params->roi.y, params->roi.height))
        return false;
    if (m == NULL)
        return true;
    const uint64_t word = m->words[m->row_words * y + (x >> 6)];
    return (word & UINT64_C(1) << (x & 63)) != 0;
}

uint32_t oracle_value(const CcaFrame *const frame, const CcaConfig *const config, const uint32_t x,
                      const uint32_t y)
{
    const unsigned char *p = frame->data;
    if (y > 0)
        p += frame->stride * y;
    p += (size_t) x * config->sample_size;
    if (config->sample_size == 1)
        return *p;
    uint16_t sample;
    memcpy(&sample, p, sizeof(sample));
    uint32_t v = 0;
    for (uint32_t bit = 0; bit < config->depth; bit++)
        if (sample & 1u << (config->shift + bit))
            v |= 1u << bit;
    return v;
}

static bool is_set(const uint32_t v, const CcaResult *const used)
{
    bool set = true;
    if (v <= used->threshold)
        set = false;
    if (v > used->threshold_high)
        set = false;
    return set;
}

static bool otsu(const CcaFrame *const frame, const CcaConfig *const config,
                 const CcaParams *const params, CcaResult *const result)
{
    OracleHistogram *const histogram = malloc(sizeof(*histogram));
    if (histogram == NULL)
        return false;
    oracle_histogram(frame, config, params, histogram);
    result->threshold = oracle_otsu(histogram);
    free(histogram);
    return true;
}

/* Marks the foreground in `todo`; the result contains the thresholds. */
static bool find_foreground(Oracle *const o, const CcaFrame *const frame,
                            const CcaConfig *const config, const CcaParams *const params,
                            CcaResult *const result)
{
    const uint32_t w = frame->width, h = frame->height;
    const bool compares = params->foreground == CCA_FOREGROUND_DIFFERENCE ||
                          params->foreground == CCA_FOREGROUND_SIGMA_DELTA;
    result->threshold = params->threshold;
    result->threshold_high = params->threshold_high;
    if (params->foreground == CCA_FOREGROUND_OTSU && !otsu(frame, config, params, result))
        return false;
    if (compares && !oracle_background(&o->memory, frame, config, params, o->todo, result))
        return false;
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++) {
            uint8_t *const at = &o->todo[(size_t) y * w + x];
            bool set = compares ? *at != 0 : is_set(oracle_value(frame, config, x, y), result);
            if (compares && params->count_foreground && set && oracle_works(params, x, y))
                result->n_foreground++;
            if (params->invert)
                set = !set;
            *at = set && oracle_works(params, x, y);
            result->n_pixels += oracle_works(params, x, y);
        }
    if (params->open_radius > 0 || params->close_radius > 0)
        return oracle_morphology(o->todo, w, h, params);
    return true;
}

static bool make_room(Oracle *const o, const size_t n_pixels)
{
    if (n_pixels <= o->n_pixels)
        return true;
    free(o->todo);
    free(o->stack);
    o->todo = malloc(n_pixels);
    o->stack = malloc(n_pixels * sizeof(*o->stack));
    o->n_pixels = o->todo && o->stack ? n_pixels : 0;
    return o->n_pixels != 0;
}

static bool make_room_for_ids(Oracle *const o, const size_t n_pixels)
{
    if (n_pixels > o->n_ids) {
        free(o->ids);
        o->ids = malloc(n_pixels * sizeof(*o->ids));
        o->n_ids = o->ids ? n_pixels : 0;
    }
    if (o->ids)
        memset(o->ids, 0, n_pixels * sizeof(*o->ids));
    return o->ids != NULL;
}

static CcaComponent *append(Oracle *const o, const size_t n)
{
    if (n == o->room) {
        const size_t room = o->room ? 2 * o->room : 64;
        CcaComponent *const grown = realloc(o->components, room * sizeof(*grown));
        if (grown == NULL)
            return NULL;
        o->components = grown;
        o->room = room;
    }
    memset(&o->components[n], 0, sizeof(*o->components));
    return &o->components[n];
}

/* Takes the component of pixel `start` out of `todo`, and leaves its pixels in the
 * stack. A pixel is marked when it is pushed, so the stack never holds one twice. */
static void fill(Oracle *const o, const CcaFrame *const frame, const uint32_t connectivity,
                 const uint32_t start, CcaComponent *const c)
{
    const int64_t w = frame->width, h = frame->height;
    int64_t left = w, right = -1, top = h, bottom = -1;
    size_t depth = 0;
    o->todo[start] = 0;
    o->stack[depth++] = start;
    for (size_t i = 0; i < depth; i++) {
        const uint32_t at = o->stack[i];
        const int64_t x = at % frame->width, y = at / frame->width;
        if (x < left)
            left = x;
        if (x > right)
            right = x;
        if (y < top)
            top = y;
        if (y > bottom)
            bottom = y;
        c->area += 1;
        c->sum_x += (uint64_t) x;
        c->sum_y += (uint64_t) y;
        for (int64_t dy = -1; dy <= 1; dy++) {
            for (int64_t dx = -1; dx <= 1; dx++) {
                if (connectivity == 4 && dx != 0 && dy != 0)
                    continue;
                if (x + dx < 0 || x + dx >= w || y + dy < 0 || y + dy >= h)
                    continue;
                const uint32_t next = (uint32_t) ((y + dy) * w + x + dx);
                if (!o->todo[next])
                    continue;
                o->todo[next] = 0;
                o->stack[depth++] = next;
            }
        }
    }
    c->x = (uint32_t) left;
    c->y = (uint32_t) top;
    c->width = (uint32_t) (right - left + 1);
    c->height = (uint32_t) (bottom - top + 1);
}

/* Bits of a pixel in which all ids can be written, as it was asked for. */
static uint32_t label_bits(const CcaLabels *const labels, const uint32_t found)
{
    if (labels->data == NULL)
        return 0;
    if (labels->narrow_stride != 0 && found < 256)
        return 8;
    return labels->bits == 32 || found < 65536 ? labels->bits : 0;
}

static int by_area(const void *const a, const void *const b)
{
    const CcaComponent *const p = a, *const q = b;
    if (p->area < q->area)
        return 1;
    if (p->area > q->area)
        return -1;
    return p->id > q->id ? 1 : -1;
}

bool oracle_analyse(Oracle *const o, const CcaFrame *const frame, const CcaConfig *const config,
                    const CcaParams *const params, CcaResult *const result)
{
    const uint32_t w = frame->width, h = frame->height;
    const bool labels = frame->labels.data != NULL;
    if (!make_room(o, (size_t) w * h) || (labels && !make_room_for_ids(o, (size_t) w * h)) ||
        (config->features && !oracle_begin_features(o, (size_t) w * h)))
        return false;
    memset(result, 0, sizeof(*result));
    if (!find_foreground(o, frame, config, params, result) || !oracle_draw_areas(o, frame, params))
        return false;

    uint32_t found = 0;
    for (size_t i = 0; i < (size_t) w * h; i++) {
        if (!o->todo[i])
            continue;
        CcaComponent *const c = append(o, found);
        if (c == NULL)
            return false;
        fill(o, frame, params->connectivity, (uint32_t) i, c);
        if (!oracle_is_within_limits(o, frame, config, params, c))
            continue;
        c->id = ++found;
        for (uint64_t p = 0; labels && p < c->area; p++)
            o->ids[o->stack[p]] = c->id;
        if (config->features && !oracle_measure_features(o, frame, config, c))
            return false;
    }
    if (params->order == CCA_ORDER_AREA && found > 1)
        qsort(o->components, found, sizeof(*o->components), by_area);

    uint32_t cap = params->max_components;
    if (cap > config->max_components)
        cap = config->max_components;
    result->n_found = found;
    result->n_components = found > cap ? cap : found;
    result->truncated = found > cap;
    result->label_bits = label_bits(&frame->labels, found);
    result->components = result->n_components ? o->components : NULL;
    return config->features == CCA_FEATURES_NONE || oracle_sort_features(o, result);
}

void oracle_forget(Oracle *const o)
{
    o->memory.n_frames = 0;
}

void oracle_free(Oracle *const o)
{
    free(o->todo);
    free(o->stack);
    free(o->ids);
    free(o->areas);
    free(o->components);
    oracle_features_free(o);
    oracle_background_free(&o->memory);
    memset(o, 0, sizeof(*o));
}
