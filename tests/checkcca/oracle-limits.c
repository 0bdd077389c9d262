/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The limits of boxes, by division instead of multiplication, and the border, pixel by pixel. */

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

bool oracle_is_within_limits(const CcaFrame *const frame, const CcaParams *const params,
                             const CcaComponent *const c, const uint32_t *const pixels)
{
    const CcaLimits *const l = &params->limits;
    const uint64_t hundredfold = UINT64_C(100) * c->width;
    const uint64_t aspect = hundredfold / c->height;
    const uint64_t aspect_up = aspect + (hundredfold % c->height > 0);
    const uint64_t extent = UINT64_C(100) * c->area / ((uint64_t) c->width * c->height);
    if (c->width < l->min_width || c->width > l->max_width)
        return false;
    if (c->height < l->min_height || c->height > l->max_height)
        return false;
    if (aspect < l->min_aspect || extent < l->min_extent)
        return false;
    if (l->max_aspect < UINT32_MAX && aspect_up > l->max_aspect)
        return false;
    return !l->exclude_border || !is_at_border(frame, params, pixels, c->area);
}
