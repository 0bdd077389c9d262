/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "engine.h"
#include "engines.h"
#include "oracle.h"

/* The reference engine with one fault each, of the kinds that engines have. */
const char *const broken_names[N_BROKEN] = {
    "corner",    "box",    "order", "padding",   "leftover",  "write",
    "threshold", "depth",  "due",   "variation", "reference", "restart",
    "radii",     "border", "tie",   "narrow",    "between",   "outside",
};

enum {
    BROKEN_CORNER,    /* takes 8-connected for 4-connected in frames of several rows */
    BROKEN_BOX,       /* takes the first pixel for the leftmost: seen in the wild */
    BROKEN_ORDER,     /* equal areas in the wrong order */
    BROKEN_PADDING,   /* reads one pixel past the end of each row */
    BROKEN_LEFTOVER,  /* a frame's sums start from the frame before */
    BROKEN_WRITE,     /* writes to the frame */
    BROKEN_THRESHOLD, /* above or at the threshold */
    BROKEN_DEPTH,     /* bits above a value count as a part of it */
    BROKEN_DUE,       /* the warm-up is a frame short */
    BROKEN_VARIATION, /* V may exceed its limit */
    BROKEN_REFERENCE, /* compares with the frame after the one to compare with */
    BROKEN_RESTART,   /* the background before is still there after a restart */
    BROKEN_RADII,     /* takes one radius for the other */
    BROKEN_BORDER,    /* pixels outside the region count as background in an erosion */
    BROKEN_TIE,       /* the greatest of equally good thresholds */
    BROKEN_NARROW,    /* rows of narrow labels as far apart as those of wide ones */
    BROKEN_BETWEEN,   /* labels continue after the end of a row */
    BROKEN_OUTSIDE,   /* labels outside the region are left as they were */
};

static CcaEngineOps ops[N_BROKEN];
static const CcaEngineOps *ref;
static uint32_t leftover, region_x, close_radius;

static uint32_t variant(const CcaEngine *const engine)
{
    return (uint32_t) (engine->ops - ops);
}

/* Otsu's threshold, rounded, and the last of the greatest. */
static uint32_t last_greatest(const CcaEngine *const engine, const CcaJob *const job)
{
    static uint32_t counts[UINT16_MAX + 1];
    double n = 0, sum = 0, w = 0, q = 0, greatest = 0;
    uint32_t best = 0;
    memset(counts, 0, sizeof(counts));
    for (uint32_t y = 0; y < job->height; y++)
        for (uint32_t x = 0; x < job->width; x++) {
            const uint32_t v = oracle_value(&job->frame, &engine->config, job->x + x, job->y + y);
            counts[v]++;
            sum += v;
            n++;
        }
    for (uint32_t t = 0; t <= UINT16_MAX; t++) {
        w += counts[t];
        q += (double) t * counts[t];
        if (counts[t] == 0 || w == 0 || w == n)
            continue;
        const double a = n * q - w * sum, score = a * a / (w * (n - w));
        if (score >= greatest) {
            greatest = score;
            best = t;
        }
    }
    return best;
}

/* The mistakes of the modes that threshold does not have. */
static void spoil_foreground(CcaEngine *const engine, CcaJob *const job)
{
    CcaUpdate *const u = &job->update;
    CcaParams *const p = &job->params;
    const uint32_t distance = engine->config.frame_distance, radius = p->open_radius;
    switch (variant(engine)) {
    case BROKEN_DUE:
        if (u->number > 0 && u->number == p->warm_up)
            u->due = u->number % p->background_period == 0;
        break;
    case BROKEN_VARIATION: u->max_variation = (1u << engine->config.depth) - 1; break;
    case BROKEN_REFERENCE:
        if (p->foreground == CCA_FOREGROUND_DIFFERENCE && u->number >= distance)
            u->reference = (u->reference + 1) % distance;
        break;
    case BROKEN_RESTART: u->first = false; break;
    case BROKEN_RADII:
        p->open_radius = p->close_radius;
        p->close_radius = radius;
        break;
    case BROKEN_TIE:
        if (p->foreground == CCA_FOREGROUND_OTSU) {
            p->threshold = last_greatest(engine, job);
            p->foreground = CCA_FOREGROUND_THRESHOLD;
        }
        break;
    }
}

/* The mistakes with labels, `before` being the first byte where they go. */
static void spoil_labels(const CcaEngine *const engine, const CcaJob *const job,
                         const uint8_t before)
{
    const CcaLabels *const l = &job->frame.labels;
    uint8_t *const data = l->data;
    const size_t row = (size_t) job->frame.width * l->bits / 8;
    if (variant(engine) == BROKEN_BETWEEN && job->frame.height > 1 && l->stride > row)
        data[row] = 0;
    if (variant(engine) == BROKEN_OUTSIDE && (job->x > 0 || job->y > 0))
        data[0] = before;
}

static CcaStatus broken_analyse(CcaEngine *const engine, const uint32_t slot,
                                const CcaJob *const job)
{
    CcaJob wrong = *job;
    const size_t row = (size_t) job->width * engine->config.sample_size;
    const uint32_t depth = engine->config.depth;
    switch (variant(engine)) {
    case BROKEN_CORNER: wrong.params.connectivity = job->height > 1 ? 4 : 8; break;
    case BROKEN_PADDING:
        if (job->x + job->width < engine->config.width && job->stride > row)
            wrong.width++, wrong.frame.width++;
        break;
    case BROKEN_WRITE:
        if (job->height > 2 && job->stride > row)
            ((uint8_t *) job->data)[row] ^= 1;
        break;
    case BROKEN_THRESHOLD:
        if (wrong.params.threshold > 0)
            wrong.params.threshold--;
        break;
    case BROKEN_DEPTH: engine->config.depth += job->lift; break;
    case BROKEN_NARROW:
        if (job->frame.labels.narrow_stride > 0)
            wrong.frame.labels.narrow_stride = job->frame.labels.stride;
        break;
    }
    spoil_foreground(engine, &wrong);
    region_x = job->x;
    close_radius = job->params.close_radius;
    const uint8_t *const labels = job->frame.labels.data;
    const uint8_t before = labels ? labels[0] : 0;
    const CcaStatus status = ref->analyse(engine, slot, &wrong);
    if (labels)
        spoil_labels(engine, job, before);
    engine->config.depth = depth;
    return status;
}

static CcaStatus broken_collect(CcaEngine *const engine, const uint32_t slot,
                                CcaResult *const result)
{
    const CcaStatus status = ref->collect(engine, slot, result);
    CcaComponent *const c = (CcaComponent *) result->components;
    const uint32_t n = result->n_components;
    if (status != CCA_OK || n == 0)
        return status;
    switch (variant(engine)) {
    case BROKEN_BOX:
        for (uint32_t i = 0; i < n; i++)
            if (c[i].width > 1 && c[i].height > 1 && c[i].area < c[i].width + c[i].height) {
                c[i].x++;
                c[i].width--;
            }
        break;
    case BROKEN_ORDER:
        if (n > 1 && c[0].area == c[1].area && c[0].id > 0) {
            const CcaComponent first = c[0];
            c[0] = c[1];
            c[1] = first;
        }
        break;
    case BROKEN_LEFTOVER:
        if (leftover > 1000)
            c[n - 1].sum_x++;
        leftover = n;
        break;
    case BROKEN_BORDER:
        for (uint32_t i = 0; i < n && close_radius > 0; i++)
            if (c[i].x == region_x && c[i].width > close_radius) {
                c[i].x += close_radius;
                c[i].width -= close_radius;
            }
        break;
    }
    return CCA_OK;
}

CcaStatus broken_open(CcaEngine **const engine, const Engine *const self)
{
    const CcaStatus status = cca_ref_open(engine);
    if (status != CCA_OK)
        return status;
    ref = (*engine)->ops;
    ops[self->variant] = *ref;
    ops[self->variant].name = "broken";
    ops[self->variant].analyse = broken_analyse;
    ops[self->variant].collect = broken_collect;
    (*engine)->ops = &ops[self->variant];
    leftover = 0;
    return CCA_OK;
}
