/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_REFERENCE_H
#define STUDY_REFERENCE_H

/* What is right for a mask: features by cca-ref, labels by flood fill. */

#include "cca.h"
#include "patterns.h"

typedef struct Reference {
    CcaEngine *engine; /* cca-ref */
    CcaResult found;   /* in raster order */
    uint32_t *labels;  /* 0: background; else the component's number in raster order */
    uint32_t *stack;
    size_t room;
} Reference;

/* Returns false if memory ran out. */
bool reference_find(Reference *reference, const Mask *mask, uint32_t connectivity);
void reference_free(Reference *reference);

/* Gives the labels of foreground pixels numbers in the order of their first pixels; `of` has
 * room for as many labels as there are pixels, and `numbers` for the image. Background, by
 * the mask, is 0. Returns false if a label is no pixel's address + `first`. */
bool number_labels(const Mask *mask, const uint32_t *labels, uint32_t first, uint32_t *of,
                   uint32_t *numbers);

/* How a mask's pixels come together before they vote. */
typedef struct Voters {
    uint32_t columns; /* pieces of runs that lie in so many columns; 0: whole runs */
    bool once;        /* of those that a warp has, only one votes for a component */
} Voters;

/* Votes for the components of the last mask. A warp has the pieces in `columns`, or 32 runs
 * of a row. */
uint64_t count_votes(const Reference *reference, const Mask *mask, const Voters *voters);

#endif /* STUDY_REFERENCE_H */
