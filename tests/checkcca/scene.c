/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stddef.h>

#include "scene.h"

#define N_THINGS 4 /* that move */

Scene scene_random(Rng *const r, const uint32_t top)
{
    const uint32_t unit = top / 256 + 1;
    const uint32_t noises[] = { 0, 1, unit, 4 * unit, 20 * unit };
    const uint32_t contrasts[] = { 10 * unit, 40 * unit, 100 * unit, top };
    return (Scene) {
        .kind = (SceneKind) rng_below(r, N_SCENE_KINDS),
        .top = top,
        .noise = PICK(r, noises),
        .contrast = PICK(r, contrasts),
        .seed = rng_next(r),
    };
}

/* Position of an object, which moves periodically. */
static uint32_t position(const uint32_t start, const uint32_t speed, const uint32_t t,
                         const uint32_t size)
{
    return (start + speed * t) % size;
}

static bool is_on_thing(const Scene *const s, const uint32_t t, const uint32_t width,
                        const uint32_t height, const uint32_t x, const uint32_t y)
{
    for (uint32_t i = 0; i < N_THINGS; i++) {
        Rng r = { s->seed + i };
        const uint32_t left = position(rng_below(&r, width), rng_below(&r, 4), t, width);
        const uint32_t top = position(rng_below(&r, height), rng_below(&r, 3), t, height);
        if (x - left < rng_range(&r, 1, 12) && y - top < rng_range(&r, 1, 9))
            return true;
    }
    return false;
}

static uint32_t value(const Scene *const s, const uint32_t t, const uint32_t width,
                      const uint32_t height, const uint32_t x, const uint32_t y, Rng *const r)
{
    const uint64_t here = s->seed + ((uint64_t) y << 32) + x;
    uint32_t v = (uint32_t) (rng_mix(s->seed + y / 8 * 64 + x / 8) % (s->top + UINT64_C(1)));
    switch (s->kind) {
    case SCENE_JUMPS: return rng_range(r, 0, s->top);
    case SCENE_SATURATED:
        v = (rng_mix(here / 3 + t / 2) & 1) ? s->top : 0;
        return rng_percent(r, 10) ? v ^ 1 : v;
    case SCENE_FLICKER: v += t % 3 ? s->contrast / 4 : 0; break;
    default: break;
    }
    v += rng_range(r, 0, s->noise);
    if (is_on_thing(s, t, width, height, x, y))
        v += s->contrast;
    return v < s->top ? v : s->top;
}

void scene_draw(const Scene *const s, const uint32_t t, const uint32_t width, const uint32_t height,
                uint16_t *const values)
{
    Rng r = { rng_mix(s->seed + t) };
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            values[(size_t) y * width + x] = (uint16_t) value(s, t, width, height, x, y, &r);
}
