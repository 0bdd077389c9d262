/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

#define MAX_PRINTED 3

bool objects_open(Objects *const o, const uint32_t size, const uint32_t n_frames)
{
    *o = (Objects) { .size = size, .n_frames = n_frames };
    o->found = calloc(n_frames, sizeof(*o->found));
    o->n_found = calloc(n_frames, sizeof(*o->n_found));
    o->expected = malloc((size_t) size * size * sizeof(*o->expected));
    return inheritance_open(&o->right, size * size) && o->found != NULL && o->n_found != NULL &&
           o->expected != NULL;
}

void objects_close(Objects *const o)
{
    for (uint32_t i = 0; i < o->n_frames; i++)
        free(o->found[i]);
    free(o->found);
    free(o->n_found);
    free(o->expected);
    inheritance_close(&o->right);
    reference_free(&o->reference);
}

bool objects_keep(Objects *const o, const uint32_t frame, const StudyNode *const found,
                  const uint32_t n)
{
    o->n_found[frame] = n;
    if ((o->found[frame] = malloc((n + 1) * sizeof(*found))) == NULL)
        return false;
    memcpy(o->found[frame], found, n * sizeof(*found));
    return true;
}

static int by_id(const void *const a, const void *const b)
{
    const uint32_t l = ((const StudyNode *) a)->label, m = ((const StudyNode *) b)->label;
    return (l > m) - (l < m);
}

static bool same_object(const StudyNode *const f, const StudyNode *const g)
{
    return f->label == g->label && f->S == g->S && f->min_x == g->min_x && f->min_y == g->min_y &&
           f->max_x == g->max_x && f->max_y == g->max_y && f->Sx == g->Sx && f->Sy == g->Sy;
}

/* Those of the reference's last frame. */
static bool same_objects(const Objects *const o, StudyNode *const found, const uint32_t n)
{
    const CcaResult *const r = &o->reference.found;
    if (n != r->n_found)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const CcaComponent *const c = &r->components[i];
        o->expected[i] = (StudyNode) {
            .label = o->right.of[i + 1],
            .S = c->area,
            .min_x = c->x,
            .min_y = c->y,
            .max_x = c->x + c->width - 1,
            .max_y = c->y + c->height - 1,
            .Sx = c->sum_x,
            .Sy = c->sum_y,
        };
    }
    qsort(o->expected, n, sizeof(*o->expected), by_id);
    qsort(found, n, sizeof(*found), by_id);
    for (uint32_t i = 0; i < n; i++)
        if (!same_object(&found[i], &o->expected[i]))
            return false;
    return true;
}

bool objects_compare(Objects *const o, uint8_t *const pixels, const uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const Mask mask = {
            .width = o->size,
            .height = o->size,
            .pixels = pixels + (size_t) i * o->size * o->size,
        };
        if (!reference_find(&o->reference, &mask, 4))
            return false;
        inheritance_next(&o->right, o->reference.labels, o->reference.found.n_found);
        const bool same = same_objects(o, o->found[i], o->n_found[i]);
        o->n_differences += !same;
        o->n_compared++;
        if (!same && o->n_differences <= MAX_PRINTED)
            printf("of those compared, frame %" PRIu64 " is DIFFERENT\n", o->n_compared - 1);
        free(o->found[i]);
        o->found[i] = NULL;
    }
    return true;
}
