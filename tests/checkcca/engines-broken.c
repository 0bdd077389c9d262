/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <string.h>

#include "engine.h"
#include "engines.h"

/* The reference engine with one fault each, of the kinds that engines have. */
const char *const broken_names[N_BROKEN] = {
    "corner", "box", "order", "padding", "leftover", "write", "threshold", "depth",
};

enum {
    BROKEN_CORNER,    /* takes 8-connected for 4-connected in frames of several rows */
    BROKEN_BOX,       /* takes the first pixel for the leftmost: seen in the wild */
    BROKEN_ORDER,     /* equal areas in the wrong order */
    BROKEN_PADDING,   /* reads one pixel past the end of each row */
    BROKEN_LEFTOVER,  /* a frame's sums start from the frame before */
    BROKEN_WRITE,     /* writes to the frame */
    BROKEN_THRESHOLD, /* above or at the threshold */
    BROKEN_DEPTH,     /* takes what is above a value for a part of it */
};

static CcaEngineOps ops[N_BROKEN];
static const CcaEngineOps *ref;
static uint32_t leftover;

static uint32_t variant(const CcaEngine *const engine)
{
    return (uint32_t) (engine->ops - ops);
}

static CcaStatus broken_analyse(CcaEngine *const engine, const uint32_t slot,
                                const CcaJob *const job)
{
    CcaJob wrong = *job;
    const size_t row = (size_t) job->width * engine->config.sample_size;
    const uint32_t depth = engine->config.depth;
    switch (variant(engine)) {
    case BROKEN_CORNER:
        wrong.params.connectivity = job->height > 1 ? 4 : 8;
        break;
    case BROKEN_PADDING:
        if (job->x + job->width < engine->config.width && job->stride > row)
            wrong.width++;
        break;
    case BROKEN_WRITE:
        if (job->height > 2 && job->stride > row)
            ((uint8_t *) job->data)[row] ^= 1;
        break;
    case BROKEN_THRESHOLD:
        if (wrong.params.threshold > 0)
            wrong.params.threshold--;
        break;
    case BROKEN_DEPTH:
        engine->config.depth += job->lift;
        break;
    }
    const CcaStatus status = ref->analyse(engine, slot, &wrong);
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
