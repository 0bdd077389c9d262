/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef STUDY_BUBBLES_H
#define STUDY_BUBBLES_H

/* Frames to follow objects through, made of a seed alone: what a tomograph sees of bubbles
 * that rise through its plane; or noise of which some pixels change, where objects part,
 * join and overlap alike. */

#include "rng.h"

typedef enum Scene { SCENE_BUBBLES, SCENE_NOISE } Scene;

#define MAX_BUBBLES 256

/* Lengths in sixteenths of a pixel. */
typedef struct Bubble {
    int32_t x, y, z;    /* z: above the plane */
    int32_t dx, dy, dz; /* a frame */
    int32_t radius;
} Bubble;

typedef struct Bubbles {
    Scene scene;
    uint32_t size; /* of frames, which are square */
    uint32_t n;
    Rng rng;
    Bubble list[MAX_BUBBLES];
    uint8_t *noise;
} Bubbles;

/* Returns false if memory ran out. */
bool bubbles_open(Bubbles *bubbles, Scene scene, uint32_t size, uint32_t n, uint64_t seed);
void bubbles_close(Bubbles *bubbles);

/* The next frame, a byte a pixel, 0 or 255. */
void bubbles_draw(Bubbles *bubbles, uint8_t *pixels);

#endif /* STUDY_BUBBLES_H */
