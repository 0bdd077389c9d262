/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Erosion and dilation by counting, with a table of sums over all rectangles from
 * the first pixel on. */

#include <stdlib.h>

#include "oracle.h"

typedef struct Region {
    uint8_t *mask; /* of the whole frame */
    size_t stride;
    int64_t left, top, width, height;
    uint32_t *sums; /* (width + 1) x (height + 1) */
} Region;

static void add_up(const Region *const g)
{
    const int64_t row = g->width + 1;
    for (int64_t x = 0; x <= g->width; x++)
        g->sums[x] = 0;
    for (int64_t y = 0; y < g->height; y++) {
        uint32_t in_row = 0;
        g->sums[(y + 1) * row] = 0;
        for (int64_t x = 0; x < g->width; x++) {
            in_row += g->mask[(size_t) (g->top + y) * g->stride + (size_t) (g->left + x)];
            g->sums[(y + 1) * row + x + 1] = g->sums[y * row + x + 1] + in_row;
        }
    }
}

/* Sets pixels in whose square there are foreground pixels (`all`: nothing else). */
static void apply(const Region *const g, const int64_t radius, const bool all)
{
    const int64_t row = g->width + 1;
    add_up(g);
    for (int64_t y = 0; y < g->height; y++)
        for (int64_t x = 0; x < g->width; x++) {
            const int64_t left = x < radius ? 0 : x - radius;
            const int64_t top = y < radius ? 0 : y - radius;
            const int64_t right = x + radius < g->width ? x + radius + 1 : g->width;
            const int64_t bottom = y + radius < g->height ? y + radius + 1 : g->height;
            const int64_t n = (int64_t) g->sums[bottom * row + right] + g->sums[top * row + left] -
                              g->sums[bottom * row + left] - g->sums[top * row + right];
            g->mask[(size_t) (g->top + y) * g->stride + (size_t) (g->left + x)] =
                all ? n == (right - left) * (bottom - top) : n > 0;
        }
}

/* The part of a side that is in the region of interest. */
static void clip(const uint32_t start, const uint32_t length, const uint32_t size,
                 int64_t *const first, int64_t *const n)
{
    *first = *n = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (!oracle_within(i, start, length))
            continue;
        if (*n == 0)
            *first = i;
        ++*n;
    }
}

bool oracle_morphology(uint8_t *const mask, const uint32_t width, const uint32_t height,
                       const CcaParams *const p)
{
    Region g = { .mask = mask, .stride = width };
    clip(p->roi.x, p->roi.width, width, &g.left, &g.width);
    clip(p->roi.y, p->roi.height, height, &g.top, &g.height);
    if (g.width == 0 || g.height == 0)
        return true;
    g.sums = malloc((size_t) ((g.width + 1) * (g.height + 1)) * sizeof(*g.sums));
    if (g.sums == NULL)
        return false;
    apply(&g, p->open_radius, true);
    apply(&g, p->open_radius, false);
    apply(&g, p->close_radius, false);
    apply(&g, p->close_radius, true);
    free(g.sums);
    return true;
}
