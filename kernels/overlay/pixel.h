/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_PIXEL_H
#define CCA_OVERLAY_PIXEL_H

/* Blending of a sample, for CPU and GPU. */

#include "../intops.h"
#include "overlay.h"

/* Alpha of a character's pixel with the coverage `covered`, 0 to 255. */
CCA_INLINE uint32_t glyph_alpha(const uint32_t covered, const uint32_t alpha)
{
    return (covered * alpha + 127) / 255;
}

CCA_INLINE uint32_t blend(const uint32_t alpha, const uint32_t colour, const uint32_t value)
{
    return (alpha * colour + (255 - alpha) * value + 127) / 255;
}

CCA_INLINE uint8_t *sample_at(const CcaOverlayChannel *const channel, const int32_t cell_x,
                              const int32_t cell_y)
{
    return channel->data + (uint64_t) cell_y * channel->stride + (uint64_t) cell_x * channel->step;
}

CCA_INLINE uint32_t load_value(const CcaOverlayPicture *const picture, const uint8_t *const sample)
{
    const uint32_t bits = picture->sample_size == 1 ? *sample :
                                                      *(const uint16_t *) (const void *) sample;
    return bits >> picture->shift & ((1u << picture->depth) - 1);
}

CCA_INLINE void store_value(const CcaOverlayPicture *const picture, uint8_t *const sample,
                            const uint32_t value)
{
    if (picture->sample_size == 1)
        *sample = (uint8_t) (value << picture->shift);
    else
        *(uint16_t *) (void *) sample = (uint16_t) (value << picture->shift);
}

#endif /* CCA_OVERLAY_PIXEL_H */
