/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_OBJECTS_H
#define STUDY_OBJECTS_H

/* The objects that were found in the frames of a batch, and those that are right. */

#include "inherit.h"
#include "reference.h"
#include "kernels/study.h"

typedef struct Objects {
    uint32_t size, n_frames; /* of a frame, which is square; of a batch, at most */
    StudyNode **found;       /* by frame */
    uint32_t *n_found;
    StudyNode *expected;
    Inheritance right; /* that it goes on from */
    Reference reference;
    uint64_t n_compared, n_differences;
} Objects;

/* These return false if memory ran out. */
bool objects_open(Objects *objects, uint32_t size, uint32_t n_frames);

/* What was found in one of the next frames. */
bool objects_keep(Objects *objects, uint32_t frame, const StudyNode *found, uint32_t n);

/* Compares those of the next n frames, 4-connected, and tells of the first differences; then
 * they are forgotten. */
bool objects_compare(Objects *objects, uint8_t *pixels, uint32_t n);

void objects_close(Objects *objects);

#endif /* STUDY_OBJECTS_H */
