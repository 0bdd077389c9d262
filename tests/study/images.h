/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_IMAGES_H
#define STUDY_IMAGES_H

/* The images that each algorithm is given, drawn by checkcca's patterns. */

#include "patterns.h"

typedef enum Set { SET_TINY, SET_QUICK, SET_FULL } Set;

/* A family of images, numbered from 0. */
typedef struct Group {
    const char *name, *about;
    uint64_t (*count)(Set set);
    /* Returns false if memory ran out. */
    bool (*draw)(Mask *mask, Set set, uint64_t index, Rng *rng);
} Group;

extern const Group image_groups[];
extern const uint32_t n_image_groups;

#endif /* STUDY_IMAGES_H */
