/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_COLOR_H
#define CCA_PAINT_COLOR_H

/* The colour of a component, shared by all elements that show components. */

#include "../intops.h"

/* Steps of the golden ratio round a circle of six times 256 hues, so that keys that follow
 * each other differ most. No channel is below 64: pure blue is hard to see. The lowest byte is
 * red, the highest one alpha. */
CCA_INLINE uint32_t cca_paint_color(const uint32_t key)
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

#endif /* CCA_PAINT_COLOR_H */
