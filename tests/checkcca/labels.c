/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labels.h"

#define GUARD 256 /* bytes before and after the rows */

static bool make_room(LabelPlane *const p, const size_t size)
{
    p->size = size;
    if (size <= p->room)
        return true;
    labels_free(p);
    p->window = malloc(size);
    p->poison = malloc(size);
    p->expected = malloc(size);
    p->size = p->room = size;
    return p->window && p->poison && p->expected;
}

static size_t extent(const size_t stride, const uint32_t width, const uint32_t height,
                     const uint32_t size)
{
    return stride * (height - 1) + (size_t) width * size;
}

bool labels_make(LabelPlane *const p, const uint32_t width, const uint32_t height, LabelForm form,
                 Rng *const r)
{
    static const uint32_t paddings[] = { 0, 0, 1, 2, 3, 31, 64 };
    if (form == LABELS_BY_CHANCE)
        form = (LabelForm) rng_range(r, LABELS_16, LABELS_NARROW);
    const uint32_t size = form == LABELS_32 ? 4 : 2;
    const size_t stride = ((size_t) width + PICK(r, paddings)) * size;
    const size_t narrow = form == LABELS_NARROW ? width + PICK(r, paddings) : 0;
    const size_t wide_extent = extent(stride, width, height, size);
    const size_t narrow_extent = narrow ? extent(narrow, width, height, 1) : 0;
    const size_t used = wide_extent > narrow_extent ? wide_extent : narrow_extent;
    const uint32_t misalignment = rng_below(r, 32) * size;
    if (!make_room(p, used + 2 * GUARD + misalignment))
        return false;
    for (size_t i = 0; i < p->size; i++)
        p->poison[i] = (uint8_t) rng_next(r);
    p->begin = GUARD + misalignment;
    p->end = p->begin + used;
    p->labels = (CcaLabels) {
        .data = p->window + p->begin,
        .bits = 8 * size,
        .stride = stride,
        .narrow_stride = narrow,
    };
    if (height == 1 && rng_percent(r, 50)) /* any stride will do */
        p->labels.stride = rng_percent(r, 50) ? 0 : SIZE_MAX;
    return true;
}

void labels_expect(LabelPlane *const p, const uint32_t *const ids, const uint32_t width,
                   const uint32_t height, const uint32_t bits)
{
    const size_t stride = bits == 8 ? p->labels.narrow_stride : p->labels.stride;
    p->bits = bits;
    memcpy(p->expected, p->poison, p->size);
    for (uint32_t y = 0; y < height && bits > 0; y++) {
        uint8_t *at = p->expected + p->begin + (y ? y * stride : 0);
        for (uint32_t x = 0; x < width; x++, at += bits / 8) {
            const uint32_t id = ids[(size_t) y * width + x];
            const uint16_t id16 = (uint16_t) id;
            if (bits == 8)
                *at = (uint8_t) id;
            else
                memcpy(at, bits == 16 ? (const void *) &id16 : (const void *) &id, bits / 8);
        }
    }
}

void labels_reset(const LabelPlane *const p)
{
    memcpy(p->window, p->poison, p->size);
}

bool labels_right(const LabelPlane *const p, char *const text, const size_t size)
{
    for (size_t i = 0; i < p->size; i++) {
        const bool inside = i >= p->begin && i < p->end;
        if (p->window[i] == p->expected[i] || (p->bits == 0 && inside))
            continue;
        snprintf(text, size,
                 "labels: byte %td of %zu with strides %zu and %zu, of %" PRIu32
                 " bits, is 0x%02x, not 0x%02x%s",
                 (ptrdiff_t) i - (ptrdiff_t) p->begin, p->end - p->begin, p->labels.stride,
                 p->labels.narrow_stride, p->bits, p->window[i], p->expected[i],
                 p->expected[i] == p->poison[i] ? ", perhaps no pixel at all" : "");
        return false;
    }
    return true;
}

void labels_free(LabelPlane *const p)
{
    free(p->window);
    free(p->poison);
    free(p->expected);
    *p = (LabelPlane) { 0 };
}
