/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_LABELS_H
#define CHECKCCA_LABELS_H

/* A place for labels with poison around and between its rows, and all that is right
 * to find there afterwards. */

#include <stddef.h>

#include "cca.h"
#include "rng.h"

typedef enum LabelForm {
    LABELS_BY_CHANCE,
    LABELS_16,
    LABELS_32,
    LABELS_NARROW,
    N_LABEL_FORMS
} LabelForm;

typedef struct LabelPlane {
    CcaLabels labels;
    uint8_t *window, *poison, *expected; /* as large as each other */
    size_t size, room;
    size_t begin, end; /* of the memory that is the labels' */
    uint32_t bits;     /* the expected labels */
} LabelPlane;

/* For frames of `width` x `height`. Returns false if memory ran out. */
bool labels_make(LabelPlane *plane, uint32_t width, uint32_t height, LabelForm form, Rng *rng);

/* The expected label image: the `ids` of all pixels, with `bits` per pixel, or none. */
void labels_expect(LabelPlane *plane, const uint32_t *ids, uint32_t width, uint32_t height,
                   uint32_t bits);

/* Before an engine is given the plane. */
void labels_reset(const LabelPlane *plane);

/* Whether the label image is as expected; if not, reports the difference. */
bool labels_right(const LabelPlane *plane, char *text, size_t size);
void labels_free(LabelPlane *plane);

#endif /* CHECKCCA_LABELS_H */
