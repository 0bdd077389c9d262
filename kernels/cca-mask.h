/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_MASK_H
#define CCA_MASK_H

/* Working set: the pixels of a frame that are analysed, one bit a pixel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of area of the components whose centroid is in a polygon, both inclusive. */
typedef struct CcaArea {
    uint32_t min_area, max_area; /* in pixels; 0: the limit of CcaParams */
    uint32_t first_point, n_points;
    uint32_t width, height; /* as of CcaPolygon */
} CcaArea;

#define CCA_MAX_AREAS 64
#define CCA_MAX_AREA_POINTS (CCA_MAX_AREAS * 256)

/* All of a mask. A component belongs to the first polygon that contains the pixel nearest to its
 * centroid, floor ((2 sum + area) / (2 area)) in both directions. The limits of CcaParams hold for
 * components in no polygon. */
typedef struct CcaAreas {
    uint32_t n, n_points;
    uint32_t width, height; /* of the mask */
    CcaArea areas[CCA_MAX_AREAS];
    int32_t points[2 * CCA_MAX_AREA_POINTS]; /* x0, y0, x1, y1, ... of all polygons */
} CcaAreas;

/* From `first` to before `end`; none if `first` is not below `end`. */
typedef struct CcaColumns {
    uint32_t first, end;
} CcaColumns;

/* Pixel x of row y is bit x % 64 of word y * row_words + x / 64. Bits past the end of a row
 * are 0. A mask that an engine has seen must not change; a changed copy has another serial. */
typedef struct CcaMask {
    uint32_t width, height;
    size_t row_words;
    uint64_t serial;     /* unique in the process */
    uint64_t *words;     /* row_words * height, and one more, which is 0 */
    CcaColumns *columns; /* after `words`, for each row: pixels outside are not set */
    CcaAreas *areas;     /* NULL: none */
} CcaMask;

/* A closed polygon. Coordinates count from the left and top edge of a picture of
 * `width` x `height` pixels, which is scaled to the size of the mask; each at least 1. */
typedef struct CcaPolygon {
    const int32_t *points; /* x0, y0, x1, y1, ...: each -2^20 to 2^20 */
    uint32_t n_points;
    uint32_t width, height;
} CcaPolygon;

/* A mask of 1x1 to CCA_MAX_PIXELS pixels, all of them set or none. Returns NULL if memory ran
 * out. */
CcaMask *cca_mask_new(uint32_t width, uint32_t height, bool set);
void cca_mask_free(CcaMask *mask);

/* Sets or clears the pixels whose centre is inside the polygon by the even-odd rule. An edge
 * counts for a centre at y if y is from its upper end to above its lower end, and if it crosses
 * y at or left of the centre. Polygons that share an edge therefore have no pixel in common,
 * and none between them is in neither. The arithmetic is exact. Returns false, with the mask
 * unchanged, if memory ran out. */
bool cca_mask_polygon(CcaMask *mask, const CcaPolygon *polygon, bool set);

/* Appends limits of area for a polygon, which need not be drawn. Returns false, with the mask
 * unchanged, if memory ran out, or if there are more areas or points than possible. */
bool cca_mask_add_area(CcaMask *mask, const CcaPolygon *polygon, uint32_t min_area,
                       uint32_t max_area);

/* Clears the pixels whose centre is in a pixel below 128 of a picture of 8-bit samples, which
 * is scaled to the size of the mask. */
void cca_mask_and_picture(CcaMask *mask, const uint8_t *pixels, uint32_t width, uint32_t height,
                          size_t stride);

static inline bool cca_mask_has(const CcaMask *const mask, const uint32_t x, const uint32_t y)
{
    return mask->words[y * mask->row_words + x / 64] >> x % 64 & 1;
}

#ifdef __cplusplus
}
#endif

#endif /* CCA_MASK_H */
