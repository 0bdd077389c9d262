/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "reference.h"

static bool make_room(Reference *const r, const Mask *const m)
{
    const size_t n = (size_t) m->width * m->height;
    if (n <= r->room)
        return true;
    free(r->labels);
    free(r->stack);
    r->labels = malloc(n * sizeof(*r->labels));
    r->stack = malloc(n * sizeof(*r->stack));
    r->room = r->labels && r->stack ? n : 0;
    return r->room > 0;
}

static void fill(Reference *const r, const Mask *const m, const uint32_t first,
                 const uint32_t label, const bool corners)
{
    size_t n = 0;
    r->labels[first] = label;
    r->stack[n++] = first;
    while (n > 0) {
        const uint32_t k = r->stack[--n], x = k % m->width, y = k / m->width;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int64_t nx = (int64_t) x + dx, ny = (int64_t) y + dy;
                if (nx < 0 || ny < 0 || nx >= m->width || ny >= m->height ||
                    (dx != 0 && dy != 0 && !corners))
                    continue;
                const uint32_t next = (uint32_t) (ny * m->width + nx);
                if (m->pixels[next] && r->labels[next] == 0) {
                    r->labels[next] = label;
                    r->stack[n++] = next;
                }
            }
    }
}

static bool analyse(Reference *const r, const Mask *const m, const uint32_t connectivity)
{
    const CcaConfig config = {
        .width = m->width,
        .height = m->height,
        .sample_size = 1,
        .depth = 8,
        .max_components = m->width * m->height,
        .slots = 1,
    };
    const CcaFrame frame = {
        .data = m->pixels,
        .width = m->width,
        .height = m->height,
        .stride = m->width,
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.threshold = 0;
    params.connectivity = connectivity;
    if (r->engine == NULL && cca_ref_open(&r->engine) != CCA_OK)
        return false;
    return cca_engine_configure(r->engine, &config) == CCA_OK &&
           cca_engine_analyse(r->engine, 0, &frame, &params) == CCA_OK &&
           cca_engine_collect(r->engine, 0, &r->found) == CCA_OK;
}

bool reference_find(Reference *const r, const Mask *const m, const uint32_t connectivity)
{
    const uint32_t n = m->width * m->height;
    if (!make_room(r, m) || !analyse(r, m, connectivity))
        return false;
    memset(r->labels, 0, n * sizeof(*r->labels));
    uint32_t n_labels = 0;
    for (uint32_t k = 0; k < n; k++)
        if (m->pixels[k] && r->labels[k] == 0)
            fill(r, m, k, ++n_labels, connectivity == 8);
    return n_labels == r->found.n_found;
}

/* The stack is not used meanwhile: the last warp that voted for each component. */
uint64_t count_votes(const Reference *const r, const Mask *const m, const Voters *const v)
{
    uint64_t n = 0;
    uint32_t warp = 0; /* counted from 1 */
    uint32_t *const last = r->stack;
    memset(last, 0, (size_t) m->width * m->height * sizeof(*last));
    for (uint32_t y = 0; y < m->height; y++) {
        const size_t row = (size_t) y * m->width;
        for (uint32_t x = 0, n_runs = 0; x < m->width; x++) {
            const bool begins = v->columns && x % v->columns == 0;
            warp += v->columns ? begins : x == 0;
            if (!m->pixels[row + x] || (x > 0 && m->pixels[row + x - 1] && !begins))
                continue;
            warp += !v->columns && n_runs > 0 && n_runs % 32 == 0;
            n_runs++;
            uint32_t *const voted = &last[r->labels[row + x] - 1];
            n += !v->once || *voted != warp;
            *voted = warp;
        }
    }
    return n;
}

void reference_free(Reference *const r)
{
    cca_engine_free(&r->engine);
    free(r->labels);
    free(r->stack);
}

bool number_labels(const Mask *const m, const uint32_t *const labels, const uint32_t first,
                   uint32_t *const of, uint32_t *const numbers)
{
    const uint32_t n = m->width * m->height;
    uint32_t n_numbers = 0;
    memset(of, 0, n * sizeof(*of));
    for (uint32_t k = 0; k < n; k++) {
        numbers[k] = 0;
        if (!m->pixels[k])
            continue;
        const uint32_t i = labels[k] - first;
        if (i >= n)
            return false;
        if (of[i] == 0)
            of[i] = ++n_numbers;
        numbers[k] = of[i];
    }
    return true;
}
