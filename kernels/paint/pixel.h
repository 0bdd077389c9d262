/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_PIXEL_H
#define CCA_PAINT_PIXEL_H

/* What becomes of one pixel, for CPU and GPU. */

#include "paint.h"

#ifdef __cplusplus
#define INLINE static __device__ __forceinline__
#else
#define INLINE static inline
#endif

/* Steps of the golden ratio round a circle of six times 256 hues, so that keys that follow
 * each other differ most. No channel is below 64: pure blue is hard to see. The lowest byte is
 * red, the highest one alpha. */
INLINE uint32_t cca_paint_color(const uint32_t key)
{
    const uint32_t hue = (uint32_t) ((uint64_t) (key * 2654435769u) * 1536 >> 32);
    const uint32_t up = 64 + (hue & 255) * 191 / 255;
    const uint32_t down = 64 + (255 - (hue & 255)) * 191 / 255;
    switch (hue >> 8) {
    case 0: return 0xff4000ff | up << 8;
    case 1: return 0xff40ff00 | down;
    case 2: return 0xff00ff40 | up << 16;
    case 3: return 0xffff0040 | down << 8;
    case 4: return 0xffff4000 | up;
    default: return 0xff0040ff | down << 16;
    }
}

INLINE uint32_t cca_paint_label(const CcaPaintLabels *const labels, const uint32_t x,
                                const uint32_t y)
{
    const uint8_t *const p =
        labels->data + labels->stride * y + (uint64_t) x * labels->size;
    return labels->size == 1 ? p[0] : p[0] | (uint32_t) p[1] << 8;
}

/* The value of a pixel, and how many bytes it has. */
INLINE uint32_t cca_paint_value(const CcaPaintMode mode, const CcaPaintLabels *const labels,
                                const uint32_t label)
{
    if (mode == CCA_PAINT_LABELS)
        return label;
    if (label == 0)
        return 0;
    if (mode == CCA_PAINT_MASK)
        return 255;
    return cca_paint_color(label < labels->n_keys ? labels->keys[label] : label);
}

INLINE uint32_t cca_paint_size(const CcaPaintMode mode)
{
    return 1u << mode;
}

/* The lowest byte first. */
INLINE void cca_paint_store(uint8_t *const p, const uint32_t value, const uint32_t size)
{
    p[0] = (uint8_t) value;
    if (size >= 2)
        p[1] = (uint8_t) (value >> 8);
    if (size == 4) {
        p[2] = (uint8_t) (value >> 16);
        p[3] = (uint8_t) (value >> 24);
    }
}

#undef INLINE

#endif /* CCA_PAINT_PIXEL_H */
