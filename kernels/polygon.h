/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_POLYGON_H
#define CCA_POLYGON_H

/* Exact geometry of polygons, for the CPU and for CUDA kernels. */

#include <stdbool.h>

#include "cca-mask.h"
#include "intops.h"

/* An end of an edge, in units in which both the points and the centres of the pixels of the mask
 * are integers: twice a pixel of the mask times a pixel of the polygon's picture. The largest
 * factors, sizes below 2^32, leave coordinates below 2^53 and their products below 2^106. */
typedef struct CcaEnd {
    int64_t x, y;
} CcaEnd;

/* `width` and `height` are those of the mask. */
CCA_INLINE CcaEnd cca_polygon_end(const int32_t *const point, const uint32_t width,
                                  const uint32_t height)
{
    const CcaEnd end = { 2 * (int64_t) width * point[0], 2 * (int64_t) height * point[1] };
    return end;
}

/* `size` is that of the polygon's picture. */
CCA_INLINE int64_t cca_polygon_centre(const uint32_t pixel, const uint32_t size)
{
    return (2 * (int64_t) pixel + 1) * size;
}

/* Whether the polygon of an area contains the centre of pixel (x, y), as cca_mask_polygon(). */
CCA_INLINE bool cca_area_has(const CcaAreas *const all, const CcaArea *const area, const uint32_t x,
                             const uint32_t y)
{
    const int32_t *const points = all->points + 2 * area->first_point;
    const int64_t at_x = cca_polygon_centre(x, area->width);
    const int64_t at_y = cca_polygon_centre(y, area->height);
    CcaEnd a = cca_polygon_end(points + 2 * (area->n_points - 1), all->width, all->height);
    bool inside = false;
    for (uint32_t i = 0; i < area->n_points; i++) {
        const CcaEnd b = cca_polygon_end(points + 2 * i, all->width, all->height);
        const CcaEnd upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
        a = b;
        if (at_y >= upper.y && at_y < lower.y)
            inside ^= (__int128) (lower.x - upper.x) * (at_y - upper.y) <=
                      (__int128) (lower.y - upper.y) * (at_x - upper.x);
    }
    return inside;
}

#endif /* CCA_POLYGON_H */
