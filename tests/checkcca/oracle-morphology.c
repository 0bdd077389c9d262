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
    uint32_t *sums;  /* of the foreground: (width + 1) x (height + 1) */
    uint32_t *works; /* of the working set, the same */
    const CcaParams *params;
} Region;

static size_t index_of(const Region *const g, const int64_t x, const int64_t y)
{
    return (size_t) (g->top + y) * g->stride + (size_t) (g->left + x);
}

static bool works(const Region *const g, const int64_t x, const int64_t y)
{
    return oracle_works(g->params, (uint32_t) (g->left + x), (uint32_t) (g->top + y));
}

static void add_up(const Region *const g, uint32_t *const sums, const bool of_works)
{
    const int64_t row = g->width + 1;
    for (int64_t x = 0; x <= g->width; x++)
        sums[x] = 0;
    for (int64_t y = 0; y < g->height; y++) {
        uint32_t in_row = 0;
        sums[(y + 1) * row] = 0;
        for (int64_t x = 0; x < g->width; x++) {
            in_row += of_works ? works(g, x, y) : g->mask[index_of(g, x, y)];
            sums[(y + 1) * row + x + 1] = sums[y * row + x + 1] + in_row;
        }
    }
}

/* Sets pixels in whose square there are foreground pixels (`all`: no other working pixels). */
static void apply(const Region *const g, const int64_t radius, const bool all)
{
    const int64_t row = g->width + 1;
    add_up(g, g->sums, false);
    for (int64_t y = 0; y < g->height; y++)
        for (int64_t x = 0; x < g->width; x++) {
            const int64_t left = x < radius ? 0 : x - radius;
            const int64_t top = y < radius ? 0 : y - radius;
            const int64_t right = x + radius < g->width ? x + radius + 1 : g->width;
            const int64_t bottom = y + radius < g->height ? y + radius + 1 : g->height;
            int64_t n[2];
            for (int i = 0; i < 2; i++) {
                const uint32_t *const sums = i == 0 ? g->sums : g->works;
                n[i] = (int64_t) sums[bottom * row + right] + sums[top * row + left] -
                       sums[bottom * row + left] - sums[top * row + right];
            }
            g->mask[index_of(g, x, y)] = works(g, x, y) && (all ? n[0] == n[1] : n[0] > 0);
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
    Region g = { .mask = mask, .stride = width, .params = p };
    clip(p->roi.x, p->roi.width, width, &g.left, &g.width);
    clip(p->roi.y, p->roi.height, height, &g.top, &g.height);
    if (g.width == 0 || g.height == 0)
        return true;
    const size_t n = (size_t) ((g.width + 1) * (g.height + 1));
    g.sums = malloc(2 * n * sizeof(*g.sums));
    if (g.sums == NULL)
        return false;
    g.works = g.sums + n;
    add_up(&g, g.works, true);
    apply(&g, p->open_radius, true);
    apply(&g, p->open_radius, false);
    apply(&g, p->close_radius, false);
    apply(&g, p->close_radius, true);
    free(g.sums);
    return true;
}
