/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_PICTURE_H
#define CHECKCCA_PICTURE_H

/* A mask turned into a frame: pixel values on either side of the thresholds,
 * poison around and between the rows, and pages without access at both ends. */

#include "cca.h"
#include "patterns.h"

typedef enum Placement {
    PLACE_MIDDLE, /* poison on all sides */
    PLACE_START,  /* nothing can be read before the first pixel */
    PLACE_END,    /* nothing can be read after the last pixel */
} Placement;

typedef enum Poison {
    POISON_FOREGROUND,
    POISON_BACKGROUND,
    POISON_MIXED,
} Poison;

typedef struct Layout {
    uint32_t padding;      /* bytes from the end of a row to the next one; even for 16 bits */
    uint32_t misalignment; /* of the first pixel, in bytes, with PLACE_MIDDLE; also even */
    Placement placement;
    Poison poison;
} Layout;

typedef struct Picture {
    CcaFrame frame;
    uint32_t sample_size;
    uint64_t foreground;      /* number of foreground pixels */
    uint8_t *mapping, *arena; /* arena: the part of the mapping that has access */
    size_t mapping_size, arena_size;
    uint8_t *window, *copy; /* pixels and poison, and a copy of them */
    size_t window_size, copy_room;
} Picture;

/* With the samples of `config`, whose bits outside the values are random.
 * Returns false if memory ran out. */
bool picture_make(Picture *picture, const Mask *mask, const CcaConfig *config,
                  const CcaParams *params, const Layout *layout, Rng *rng);

/* Of `values`, row after row; the poison is of any value. */
bool picture_of_values(Picture *picture, const uint16_t *values, uint32_t width, uint32_t height,
                       const CcaConfig *config, const Layout *layout, Rng *rng);

/* Whether pixels and poison are unchanged. */
bool picture_intact(const Picture *picture);
void picture_free(Picture *picture);

#endif /* CHECKCCA_PICTURE_H */
