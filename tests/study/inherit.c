/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "inherit.h"

/* An object of the last frame and one of this. */
typedef struct Shared {
    uint32_t id, number, n_pixels;
} Shared;

bool inheritance_open(Inheritance *const h, const uint32_t n_pixels)
{
    const size_t n = n_pixels;
    *h = (Inheritance) { .n_pixels = n_pixels };
    h->last = malloc(n * sizeof(*h->last));
    h->of = malloc((n + 1) * sizeof(*h->of));
    h->pairs = malloc(n * sizeof(*h->pairs));
    h->best = malloc((n + 1) * sizeof(*h->best));
    if (h->last == NULL || h->of == NULL || h->pairs == NULL || h->best == NULL)
        return false;
    memset(h->last, UINT8_MAX, n * sizeof(*h->last));
    return true;
}

void inheritance_close(Inheritance *const h)
{
    free(h->last);
    free(h->of);
    free(h->pairs);
    free(h->best);
}

static int by_id(const void *const a, const void *const b)
{
    const Shared *const s = a, *const t = b;
    return s->id != t->id ? (s->id > t->id) - (s->id < t->id) :
                            (s->number > t->number) - (s->number < t->number);
}

/* A pair for each pixel, and then one for all that are alike: by id, and by number. */
static uint32_t list_pairs(Inheritance *const h, const uint32_t *const numbers)
{
    uint32_t n = 0, n_pairs = 0;
    for (uint32_t k = 0; k < h->n_pixels; k++)
        if (h->last[k] != NO_ID && numbers[k] != 0)
            h->pairs[n++] = (Shared) { h->last[k], numbers[k], 1 };
    qsort(h->pairs, n, sizeof(*h->pairs), by_id);
    for (uint32_t i = 0; i < n; i++) {
        Shared *const last = &h->pairs[n_pairs - (n_pairs > 0)];
        if (n_pairs > 0 && by_id(last, &h->pairs[i]) == 0)
            last->n_pixels++;
        else
            h->pairs[n_pairs++] = h->pairs[i];
    }
    return n_pairs;
}

void inheritance_next(Inheritance *const h, const uint32_t *const numbers, const uint32_t n)
{
    const uint32_t n_pairs = list_pairs(h, numbers);
    for (uint32_t i = 1; i <= n; i++) {
        h->of[i] = NO_ID;
        h->best[i].n_pixels = 0;
    }
    for (uint32_t i = 0; i < n_pairs; i++) { /* of ties the first has the smaller id */
        Shared *const best = &h->best[h->pairs[i].number];
        if (h->pairs[i].n_pixels > best->n_pixels)
            *best = h->pairs[i];
    }
    for (uint32_t i = 0, next; i < n_pairs; i = next) {
        const Shared *best = &h->pairs[i];
        for (next = i + 1; next < n_pairs && h->pairs[next].id == h->pairs[i].id; next++)
            if (h->pairs[next].n_pixels > best->n_pixels)
                best = &h->pairs[next];
        if (h->best[best->number].id == best->id)
            h->of[best->number] = best->id;
    }
    for (uint32_t i = 1; i <= n; i++)
        if (h->of[i] == NO_ID)
            h->of[i] = h->next_id++;
    for (uint32_t k = 0; k < h->n_pixels; k++)
        h->last[k] = numbers[k] ? h->of[numbers[k]] : NO_ID;
}
