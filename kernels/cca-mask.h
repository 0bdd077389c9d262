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

/* Pixel x of row y is bit x % 64 of word y * row_words + x / 64. Bits past the end of a row
 * are 0. A mask that an engine has seen must not change; a changed copy has another serial. */
typedef struct CcaMask {
    uint32_t width, height;
    size_t row_words;
    uint64_t serial; /* unique in the process */
    uint64_t *words; /* row_words * height, and one more, which is 0 */
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
