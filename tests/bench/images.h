/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_BENCH_IMAGES_H
#define CCA_BENCH_IMAGES_H

/* Images for the timing of engines: 8-bit pixels, 0 or 255. */

#include "point.h"

#define CONTENT_MOST_IMAGES 21

typedef struct Content {
    const char *name;           /* of an adversary; NULL: blocks */
    uint32_t g;                 /* blocks of g x g pixels, foreground with a probability ... */
    uint32_t first, last, step; /* ... of these percents, one image for each */
} Content;

/* g1 (and the like; all densities in steps of 5), g1 and a density, full, empty, or the
 * name of an adversary, from word `i` of the point on, which has nothing after it. */
bool content_parse(Content *content, const Point *point, uint32_t i);
uint32_t content_images(const Content *content);

/* The names of the adversaries, up to NULL: pictures that are slow for algorithms
 * that join components in tiles or by rows. */
const char *const *content_adversaries(void);

/* The source of all images of a size and content. */
typedef struct Images {
    uint32_t width, height;
    uint32_t g;      /* of `noise`; 0: none */
    uint8_t *noise;  /* a number from 0 to 99 for each block */
    uint8_t *pixels; /* without padding */
} Images;

/* False if memory ran out. The image of number `i` is in `pixels` then. */
bool images_draw(Images *images, const Content *content, uint32_t width, uint32_t height,
                 uint32_t i);
void images_free(Images *images);

#endif /* CCA_BENCH_IMAGES_H */
