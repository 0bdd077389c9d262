/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "paint.h"

#include "pixel.h"

/* Where the centre of pixel i of n lies among `from` pixels, for one i after the other:
 * (2 * i + 1) * from / (2 * n), rounded down, and what remains. */
typedef struct Place {
    uint64_t at, rest;
} Place;

static Place first_place(const uint64_t from, const uint64_t n)
{
    return (Place) { from / (2 * n), from % (2 * n) };
}

static void next_place(Place *const place, const uint64_t from, const uint64_t n)
{
    place->at += from / n;
    place->rest += 2 * (from % n);
    if (place->rest >= 2 * n) {
        place->rest -= 2 * n;
        place->at++;
    }
}

void cca_paint(const CcaPaintPicture *const picture, const CcaPaintMode mode,
               const CcaPaintLabels *const labels)
{
    const uint32_t size = cca_paint_size(mode);
    Place row = first_place(labels->height, picture->height);
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *out = picture->data + picture->stride * y;
        Place column = first_place(labels->width, picture->width);
        uint32_t last = 0, value = 0;
        for (uint32_t x = 0; x < picture->width; x++, out += size) {
            const uint32_t label = cca_paint_label(labels, (uint32_t) column.at, (uint32_t) row.at);
            if (label != last)
                value = cca_paint_value(mode, labels, last = label);
            cca_paint_store(out, value, size);
            next_place(&column, labels->width, picture->width);
        }
        next_place(&row, labels->height, picture->height);
    }
}
