/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_INHERIT_H
#define STUDY_INHERIT_H

/* What is right for label inheritance, by the rule of kernels/inherit.cu. */

#include <stdbool.h>
#include <stdint.h>

#define NO_ID UINT32_MAX

typedef struct Inheritance {
    uint32_t n_pixels;
    uint32_t *last; /* the last frame, an id for each pixel; background has NO_ID */
    uint32_t next_id;

    uint32_t *of; /* ids of this frame's objects, whose numbers begin with 1 */
    struct Shared *pairs, *best;
} Inheritance;

/* For frames of this size; there is no last one. Returns false if memory ran out. */
bool inheritance_open(Inheritance *inheritance, uint32_t n_pixels);
void inheritance_close(Inheritance *inheritance);

/* Gives ids to the objects of the next frame, which has their numbers, 1 to n in raster
 * order; background is 0. */
void inheritance_next(Inheritance *inheritance, const uint32_t *numbers, uint32_t n);

#endif /* STUDY_INHERIT_H */
