/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_COLOR_H
#define CCA_PAINT_COLOR_H

/* The colour of a component, shared by all elements that show components. */

#include "../intops.h"

#define CCA_PAINT_SIXTH 256
#define CCA_PAINT_HUES (6 * CCA_PAINT_SIXTH)

/* A channel that is 255 around hue 0, and 64 on the opposite side of the circle of hues. `hue` is
 * below 2 * CCA_PAINT_HUES. */
CCA_INLINE uint32_t cca_paint_channel(const int32_t hue)
{
    const int32_t turned = hue < CCA_PAINT_HUES ? hue : hue - CCA_PAINT_HUES;
    const int32_t away = imin(turned, CCA_PAINT_HUES - 1 - turned);
    return 64 + (uint32_t) iclip(2 * CCA_PAINT_SIXTH - 1 - away, 0, 255) * 191 / 255;
}

/* Consecutive keys are a golden ratio of the circle of hues apart, so that their colours differ
 * clearly. No channel is below 64, because pure blue is hard to see. The lowest byte is red, the
 * highest one alpha. */
CCA_INLINE uint32_t cca_paint_color(const uint32_t key)
{
    const int32_t hue = (int32_t) ((uint64_t) (key * 2654435769u) * CCA_PAINT_HUES >> 32);
    return 0xff000000 | cca_paint_channel(hue) | cca_paint_channel(hue + 4 * CCA_PAINT_SIXTH) << 8 |
           cca_paint_channel(hue + 2 * CCA_PAINT_SIXTH) << 16;
}

#endif /* CCA_PAINT_COLOR_H */
