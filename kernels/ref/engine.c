/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The definition of what every engine computes: the foreground as CcaForeground
 * has it, then two passes over the pixels with a union-find. Written to be
 * obviously right, never to be fast. */

#include <stdlib.h>
#include <string.h>

#include "foreground.h"

typedef struct RefEngine {
    CcaEngine base;
    RefForeground foreground;
    uint32_t *parent;          /* union-find over pixels; a root is its set's first pixel */
    CcaComponent *components;  /* room for every component of a frame */
    CcaComponent *results;     /* max_components records for each slot */
    uint32_t *sets;            /* of labels: for each pixel the number of its set, from 1; ... */
    uint32_t *ids;             /* ... and for each set its id, or 0 if it is filtered out */
    uint32_t n_components[CCA_MAX_SLOTS], n_found[CCA_MAX_SLOTS];
    uint32_t threshold[CCA_MAX_SLOTS];
} RefEngine;

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
static void label(uint32_t *const parent, const uint8_t *const foreground,
                  const CcaJob *const job)
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

/* Second pass: a set is numbered when its first pixel, its root, is met. The
 * root's entry then holds that number instead of its own index, which no other
 * pixel needs any more once its own entry names the root. */
static uint32_t measure_sets(RefEngine *const e, const CcaJob *const job)
{
    uint32_t *const parent = e->parent;
    const uint32_t w = job->width;
    const uint32_t n_pixels = w * job->height;
    for (uint32_t i = 0; i < n_pixels; i++)
        if (parent[i] != BACKGROUND)
            parent[i] = find(parent, i);
    if (cca_wants_labels(job))
        memset(e->sets, 0, n_pixels * sizeof(*e->sets));

    uint32_t n = 0;
    for (uint32_t i = 0; i < n_pixels; i++) {
        if (parent[i] == BACKGROUND)
            continue;
        const uint32_t x = job->x + i % w, y = job->y + i / w;
        const bool first = parent[i] == i;
        const uint32_t number = first ? n++ : parent[parent[i]];
        CcaComponent *const c = &e->components[number];
        if (cca_wants_labels(job))
            e->sets[i] = number + 1;
        if (first) {
            *c = (CcaComponent) { .x = x, .y = y, .width = 1, .height = 1 };
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
    }
    return n;
}

/* Every pixel of the frame, inside the region or not. */
static void write_labels(const RefEngine *const e, const CcaJob *const job,
                         const CcaLabels *const labels)
{
    for (uint32_t y = 0; y < job->frame.height; y++) {
        for (uint32_t x = 0; x < job->frame.width; x++) {
            /* columns and rows of the region; huge ones where it starts later */
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

static CcaStatus ref_analyse(CcaEngine *const engine, const uint32_t slot,
                             const CcaJob *const job)
{
    RefEngine *const e = (RefEngine *) engine;
    e->threshold[slot] = cca_ref_find_foreground(&e->foreground, job, &engine->config);
    label(e->parent, e->foreground.mask, job);
    const uint32_t n_sets = measure_sets(e, job);

    uint32_t n_found = 0;
    for (uint32_t i = 0; i < n_sets; i++) {
        const bool found = cca_area_passes(&job->params, e->components[i].area);
        if (cca_wants_labels(job))
            e->ids[i] = found ? n_found + 1 : 0;
        if (!found)
            continue;
        e->components[n_found] = e->components[i];
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
    e->n_components[slot] = n;
    e->n_found[slot] = n_found;
    return CCA_OK;
}

static CcaStatus ref_collect(CcaEngine *const engine, const uint32_t slot,
                             CcaResult *const result)
{
    const RefEngine *const e = (const RefEngine *) engine;
    result->components = e->results + (size_t) slot * engine->config.max_components;
    result->n_components = e->n_components[slot];
    result->n_found = e->n_found[slot];
    result->threshold = e->threshold[slot];
    return CCA_OK;
}

static CcaStatus ref_measure(const CcaEngine *const engine, const CcaConfig *const config,
                             CcaFootprint *const footprint)
{
    (void) engine;
    const uint64_t n_pixels = (uint64_t) config->width * config->height;
    const uint64_t n_sets = cca_max_labels(config->width, config->height);
    const uint64_t labels = config->labels ? n_pixels + n_sets : 0;
    footprint->host =
        (n_pixels + labels) * sizeof(uint32_t) + n_sets * sizeof(CcaComponent) +
        cca_ref_foreground_size(config) +
        (uint64_t) config->slots * config->max_components * sizeof(CcaComponent);
    return CCA_OK;
}

static void ref_unconfigure(CcaEngine *const engine)
{
    RefEngine *const e = (RefEngine *) engine;
    free(e->parent);
    free(e->components);
    free(e->results);
    free(e->sets);
    free(e->ids);
    cca_ref_foreground_free(&e->foreground);
    e->parent = e->sets = e->ids = NULL;
    e->components = e->results = NULL;
}

static CcaStatus ref_configure(CcaEngine *const engine, const CcaConfig *const config)
{
    RefEngine *const e = (RefEngine *) engine;
    ref_unconfigure(engine);
    e->parent = calloc((size_t) config->width * config->height, sizeof(*e->parent));
    e->components = calloc(cca_max_labels(config->width, config->height),
                           sizeof(*e->components));
    e->results = calloc((size_t) config->slots * config->max_components, sizeof(*e->results));
    bool complete = cca_ref_foreground_allocate(&e->foreground, config);
    if (config->labels) {
        e->sets = calloc((size_t) config->width * config->height, sizeof(*e->sets));
        e->ids = calloc(cca_max_labels(config->width, config->height), sizeof(*e->ids));
        complete = complete && e->sets && e->ids;
    }
    if (e->parent == NULL || e->components == NULL || e->results == NULL || !complete)
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
