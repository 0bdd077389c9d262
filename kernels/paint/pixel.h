/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_PIXEL_H
#define CCA_PAINT_PIXEL_H

/* Conversion of one pixel, for CPU and GPU. */

#include "color.h"
#include "paint.h"

CCA_INLINE uint32_t cca_paint_label(const CcaPaintLabels *const labels, const uint32_t x,
                                    const uint32_t y)
{
    const uint8_t *const p = labels->data + labels->stride * y + (uint64_t) x * labels->size;
    return labels->size == 1 ? p[0] : p[0] | (uint32_t) p[1] << 8;
}

/* The value of a pixel, and its size in bytes. */
CCA_INLINE uint32_t cca_paint_value(const CcaPaintMode mode, const CcaPaintLabels *const labels,
                                    const uint32_t label)
{
    if (mode == CCA_PAINT_LABELS)
        return label;
    if (mode == CCA_PAINT_BACKGROUND)
        return label >> labels->drop;
    if (label == 0)
        return 0;
    if (mode == CCA_PAINT_MASK)
        return 255;
    return cca_paint_color(label < labels->n_keys ? labels->keys[label] : label);
}

CCA_INLINE uint32_t cca_paint_size(const CcaPaintMode mode)
{
    return mode == CCA_PAINT_BACKGROUND ? 1 : 1u << mode;
}

/* Stores a value in little-endian order. */
CCA_INLINE void cca_paint_store(uint8_t *const p, const uint32_t value, const uint32_t size)
{
    p[0] = (uint8_t) value;
    if (size >= 2)
        p[1] = (uint8_t) (value >> 8);
    if (size == 4) {
        p[2] = (uint8_t) (value >> 16);
        p[3] = (uint8_t) (value >> 24);
    }
}

#endif /* CCA_PAINT_PIXEL_H */
