/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_FILTER_H
#define CCA_FILTER_H

/* The filters that need a whole component, not only its area, for the CPU and for CUDA kernels. */

#include <stdbool.h>

#include "cca.h"
#include "polygon.h"

/* The filters of a frame. The widest limits of area are tested apart from them, and earlier. */
typedef struct CcaFilter {
    CcaLimits limits;
    CcaRect border;              /* components at its edges are at the border */
    uint32_t on;                 /* 0: all components pass */
    uint32_t min_area, max_area; /* of components in no polygon */
    uint32_t safe_min, safe_max; /* areas within all limits */
    const CcaAreas *areas;       /* NULL: none */
} CcaFilter;

CCA_INLINE bool cca_limits_are_on(const CcaLimits *const l)
{
    return l->min_width > 1 || l->max_width < UINT32_MAX || l->min_height > 1 ||
           l->max_height < UINT32_MAX || l->min_aspect > 0 || l->max_aspect < UINT32_MAX ||
           l->min_extent > 0 || l->min_peak > 0 || l->exclude_border;
}

/* No product overflows: a box has less than 2^31 pixels. */
CCA_INLINE bool cca_box_passes(const CcaLimits *const l, const CcaComponent *const c)
{
    const uint64_t width = c->width, height = c->height;
    return width >= l->min_width && width <= l->max_width && height >= l->min_height &&
           height <= l->max_height && 100 * width >= l->min_aspect * height &&
           (l->max_aspect == UINT32_MAX || 100 * width <= l->max_aspect * height) &&
           100 * (uint64_t) c->area >= l->min_extent * width * height;
}

CCA_INLINE bool cca_is_at_border(const CcaRect *const r, const CcaComponent *const c)
{
    return c->x == r->x || c->y == r->y || c->x + c->width == r->x + r->width ||
           c->y + c->height == r->y + r->height;
}

CCA_INLINE uint32_t cca_centroid(const uint64_t sum, const uint32_t area)
{
    return (uint32_t) ((2 * sum + area) / (2 * (uint64_t) area));
}

CCA_INLINE uint32_t cca_area_min(const CcaFilter *const f, const CcaArea *const a)
{
    return a->min_area > 0 ? a->min_area : f->min_area;
}

CCA_INLINE uint32_t cca_area_max(const CcaFilter *const f, const CcaArea *const a)
{
    return a->max_area > 0 ? a->max_area : f->max_area;
}

/* Whether the area is within the limits where the component is. */
CCA_INLINE bool cca_area_fits(const CcaFilter *const f, const CcaComponent *const c)
{
    if (f->areas == NULL || (c->area >= f->safe_min && c->area <= f->safe_max))
        return true;
    const uint32_t x = cca_centroid(c->sum_x, c->area), y = cca_centroid(c->sum_y, c->area);
    for (uint32_t i = 0; i < f->areas->n; i++) {
        const CcaArea *const a = &f->areas->areas[i];
        if (cca_area_has(f->areas, a, x, y))
            return c->area >= cca_area_min(f, a) && c->area <= cca_area_max(f, a);
    }
    return c->area >= f->min_area && c->area <= f->max_area;
}

/* Whether a component whose area passes is found. `has_peak` matters only with min_peak. */
CCA_INLINE bool cca_filter_passes(const CcaFilter *const f, const CcaComponent *const c,
                                  const bool has_peak)
{
    return (f->limits.min_peak == 0 || has_peak) && cca_box_passes(&f->limits, c) &&
           !(f->limits.exclude_border && cca_is_at_border(&f->border, c)) && cca_area_fits(f, c);
}

#endif /* CCA_FILTER_H */
