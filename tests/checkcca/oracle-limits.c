/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The limits of boxes, by division instead of multiplication, peaks and the border, pixel by pixel,
 * and the limits of area in polygons, from a picture of these. */

#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* The frame and the region of interest have this pixel; the column left of 0 is UINT32_MAX. */
static bool exists(const CcaFrame *const frame, const CcaParams *const params, const uint32_t x,
                   const uint32_t y)
{
    return x < frame->width && y < frame->height &&
           oracle_within(x, params->roi.x, params->roi.width) &&
           oracle_within(y, params->roi.y, params->roi.height);
}

static bool is_at_border(const CcaFrame *const frame, const CcaParams *const params,
                         const uint32_t *const pixels, const uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = pixels[i] % frame->width, y = pixels[i] / frame->width;
        if (!exists(frame, params, x - 1, y) || !exists(frame, params, x + 1, y) ||
            !exists(frame, params, x, y - 1) || !exists(frame, params, x, y + 1))
            return true;
    }
    return false;
}

bool oracle_draw_areas(Oracle *const o, const CcaFrame *const frame, const CcaParams *const params)
{
    const CcaAreas *const all = params->mask ? params->mask->areas : NULL;
    free(o->areas);
    o->areas = NULL;
    if (all == NULL)
        return true;
    o->areas = calloc((size_t) frame->width * frame->height, sizeof(*o->areas));
    CcaMask *const m = cca_mask_new(frame->width, frame->height, false);
    bool ok = o->areas != NULL && m != NULL;
    for (uint32_t i = all->n; ok && i > 0; i--) {
        const CcaArea *const a = &all->areas[i - 1];
        const CcaPolygon p = { all->points + 2 * a->first_point, a->n_points, a->width, a->height };
        memset(m->words, 0, m->row_words * m->height * sizeof(*m->words));
        ok = cca_mask_polygon(m, &p, true);
        for (uint32_t y = 0; y < frame->height; y++)
            for (uint32_t x = 0; x < frame->width; x++)
                if (cca_mask_has(m, x, y))
                    o->areas[(size_t) y * frame->width + x] = (uint8_t) i;
    }
    cca_mask_free(m);
    return ok;
}

static uint32_t nearest(const uint64_t sum, const uint32_t area)
{
    return (uint32_t) (sum / area + (sum % area >= area - sum % area));
}

/* Whether one of the pixels, or of those of the negative, is as bright as that. */
static bool has_peak(const CcaFrame *const frame, const CcaConfig *const config,
                     const CcaParams *const params, const uint32_t *const pixels, const uint32_t n)
{
    const uint32_t white = (1u << config->depth) - 1;
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++) {
        const uint32_t v = oracle_value(frame, config, pixels[i] % frame->width,
                                        pixels[i] / frame->width);
        found = (params->invert ? white - v : v) >= params->limits.min_peak;
    }
    return found;
}

/* Whether the area is within the limits where the component is. */
static bool area_fits(const Oracle *const o, const CcaFrame *const frame,
                      const CcaParams *const params, const CcaComponent *const c)
{
    uint64_t low = params->min_area, high = params->max_area;
    if (o->areas != NULL) {
        const uint32_t x = nearest(c->sum_x, c->area), y = nearest(c->sum_y, c->area);
        const uint32_t number = o->areas[(size_t) y * frame->width + x];
        const CcaArea *const a = &params->mask->areas->areas[number > 0 ? number - 1 : 0];
        if (number > 0 && a->min_area > 0)
            low = a->min_area;
        if (number > 0 && a->max_area > 0)
            high = a->max_area;
    }
    return c->area >= low && c->area <= high;
}

bool oracle_is_within_limits(const Oracle *const o, const CcaFrame *const frame,
                             const CcaConfig *const config, const CcaParams *const params,
                             const CcaComponent *const c)
{
    const CcaLimits *const l = &params->limits;
    const uint64_t hundredfold = UINT64_C(100) * c->width;
    const uint64_t aspect = hundredfold / c->height;
    const uint64_t aspect_up = aspect + (hundredfold % c->height > 0);
    const uint64_t extent = UINT64_C(100) * c->area / ((uint64_t) c->width * c->height);
    if (!area_fits(o, frame, params, c))
        return false;
    if (c->width < l->min_width || c->width > l->max_width)
        return false;
    if (c->height < l->min_height || c->height > l->max_height)
        return false;
    if (aspect < l->min_aspect || extent < l->min_extent)
        return false;
    if (l->max_aspect < UINT32_MAX && aspect_up > l->max_aspect)
        return false;
    if (!has_peak(frame, config, params, o->stack, c->area))
        return false;
    return !l->exclude_border || !is_at_border(frame, params, o->stack, c->area);
}
