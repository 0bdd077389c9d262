/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>

#include "bubbles.h"

#define UNIT 16

static int32_t between(Rng *const r, const int32_t low, const int32_t high)
{
    return low + (int32_t) rng_below(r, (uint32_t) (high - low + 1));
}

/* Below the plane; at most a twentieth of the frame in radius. */
static Bubble make_bubble(Bubbles *const b)
{
    Rng *const r = &b->rng;
    const int32_t length = (int32_t) b->size * UNIT;
    Bubble bubble = {
        .x = between(r, 0, length - 1),
        .y = between(r, 0, length - 1),
        .dx = between(r, -UNIT / 4, UNIT / 4),
        .dy = between(r, -UNIT / 4, UNIT / 4),
        .dz = between(r, 1, UNIT / 2),
        .radius = between(r, 3 * UNIT / 2, length / 20 + 2 * UNIT),
    };
    bubble.z = -bubble.radius;
    return bubble;
}

/* Densities near which objects are largest without being one. */
static bool make_noise(Bubbles *const b)
{
    const size_t n = (size_t) b->size * b->size;
    if ((b->noise = malloc(n)) == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        b->noise[i] = rng_percent(&b->rng, 45) ? 255 : 0;
    return true;
}

bool bubbles_open(Bubbles *const b, const Scene scene, const uint32_t size, const uint32_t n,
                  const uint64_t seed)
{
    *b = (Bubbles) { .scene = scene, .size = size, .n = n, .rng = { seed } };
    if (scene == SCENE_NOISE)
        return make_noise(b);
    for (uint32_t i = 0; i < n; i++) {
        b->list[i] = make_bubble(b);
        b->list[i].z = between(&b->rng, -b->list[i].radius, b->list[i].radius);
    }
    return true;
}

void bubbles_close(Bubbles *const b)
{
    free(b->noise);
}

/* Off the walls. */
static void move(int32_t *const place, int32_t *const step, const int32_t length)
{
    *place += *step;
    if (*place < 0 || *place >= length) {
        *step = -*step;
        *place += 2 * *step;
    }
}

/* The largest number whose square is at most n. */
static int32_t square_root(const int32_t n)
{
    int32_t root = 0;
    for (int32_t bit = 1 << 15; bit > 0; bit >>= 1)
        if ((int64_t) (root + bit) * (root + bit) <= n)
            root += bit;
    return root;
}

static void draw_disc(const Bubbles *const b, const Bubble *const bubble, uint8_t *const pixels)
{
    const int32_t size = (int32_t) b->size;
    const int32_t cut = bubble->radius * bubble->radius - bubble->z * bubble->z;
    const int32_t reach = square_root(cut > 0 ? cut : 0) / UNIT;
    for (int32_t y = bubble->y / UNIT - reach; y <= bubble->y / UNIT + reach; y++) {
        const int32_t dy = y * UNIT - bubble->y, left = cut - dy * dy;
        if (y < 0 || y >= size || left < 0)
            continue;
        const int32_t half = square_root(left);
        const int32_t from = (bubble->x - half) / UNIT, to = (bubble->x + half) / UNIT;
        const int32_t first = from < 0 ? 0 : from, last = to < size ? to : size - 1;
        if (first <= last)
            memset(pixels + (size_t) y * b->size + first, 255, (size_t) (last - first + 1));
    }
}

static void draw_bubbles(Bubbles *const b, uint8_t *const pixels)
{
    const int32_t length = (int32_t) b->size * UNIT;
    memset(pixels, 0, (size_t) b->size * b->size);
    for (uint32_t i = 0; i < b->n; i++) {
        Bubble *const bubble = &b->list[i];
        draw_disc(b, bubble, pixels);
        move(&bubble->x, &bubble->dx, length);
        move(&bubble->y, &bubble->dy, length);
        bubble->z += bubble->dz;
        if (bubble->z > bubble->radius)
            *bubble = make_bubble(b);
    }
}

/* A fiftieth of the pixels is another one in each frame. */
static void draw_noise(Bubbles *const b, uint8_t *const pixels)
{
    const uint32_t n = b->size * b->size;
    memcpy(pixels, b->noise, n);
    for (uint32_t i = 0; i < n / 50 + 1; i++)
        b->noise[rng_below(&b->rng, n)] = rng_percent(&b->rng, 45) ? 255 : 0;
}

void bubbles_draw(Bubbles *const b, uint8_t *const pixels)
{
    if (b->scene == SCENE_NOISE)
        draw_noise(b, pixels);
    else
        draw_bubbles(b, pixels);
}
