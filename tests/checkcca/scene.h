/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CHECKCCA_SCENE_H
#define CHECKCCA_SCENE_H

/* Pixel values of consecutive frames of a still camera. */

#include "rng.h"

typedef enum SceneKind {
    SCENE_MOVING,    /* objects that move in front of a still background */
    SCENE_FLICKER,   /* the same, and all becomes lighter in some of the frames */
    SCENE_SATURATED, /* blocks at and next to the least and the greatest value */
    SCENE_JUMPS,     /* any value at any time */
    N_SCENE_KINDS,
} SceneKind;

typedef struct Scene {
    SceneKind kind;
    uint32_t top;      /* the greatest value */
    uint32_t noise;    /* the most that a still pixel's value varies by */
    uint32_t contrast; /* of objects and of the light */
    uint64_t seed;
} Scene;

Scene scene_random(Rng *rng, uint32_t top);

/* Frame `t`: width x height values, row after row. */
void scene_draw(const Scene *scene, uint32_t t, uint32_t width, uint32_t height, uint16_t *values);

#endif /* CHECKCCA_SCENE_H */
