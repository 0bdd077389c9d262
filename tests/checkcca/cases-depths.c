/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A clip of 8 bits, and the same clip of more bits: the additional low bits are 0, and contrast
 * and step are scaled by the same factor. The components must be equal in all modes. */

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "clip.h"
#include "scene.h"

#define WIDTH 60
#define HEIGHT 40

static CcaParams deepened(const CcaParams *const params, const uint32_t bits)
{
    CcaParams p = *params;
    p.threshold <<= bits;
    if (p.threshold_high < 256)
        p.threshold_high <<= bits;
    p.min_contrast <<= bits;
    p.limits.min_peak <<= bits;
    p.step <<= bits;
    return p;
}

/* The expected result for 8 bits also holds for more. */
static bool deepened_result(const ClipFrame *const in, const uint32_t bits, ClipFrame *const out)
{
    const size_t size = in->expected.n_components * sizeof(CcaComponent);
    CcaComponent *const copy = size ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, in->expected.components, size);
    out->expected = in->expected;
    out->expected.components = copy;
    out->expected.threshold <<= bits;
    if (out->expected.threshold_high < 256)
        out->expected.threshold_high <<= bits;
    return size == 0 || copy != NULL;
}

typedef struct Pair {
    Clip *plain, *deep;
    uint32_t bits; /* more of the deep one */
    CcaConfig configs[2];
} Pair;

static bool add_frames(Pair *const pair, const Scene *const scene, const CcaParams *const params,
                       Rng *const r)
{
    uint16_t values[WIDTH * HEIGHT];
    const uint32_t t = pair->plain->n_frames;
    const CcaParams deep = deepened(params, pair->bits);
    scene_draw(scene, t, WIDTH, HEIGHT, values);
    if (!clip_add(pair->plain, &pair->configs[0], params, values, WIDTH, HEIGHT, r))
        return false;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        values[i] = (uint16_t) (values[i] << pair->bits);
    return clip_add(pair->deep, &pair->configs[1], &deep, values, WIDTH, HEIGHT, r);
}

static uint64_t count_depths(const Set set)
{
    return set == SET_TINY ? 6 : set == SET_QUICK ? 90 : 3000;
}

static void run_depths(Check *const k, const uint64_t index)
{
    static const uint32_t depths[] = { 10, 12, 16 };
    Rng r = check_rng(k);
    const uint32_t depth = PICK(&r, depths), n = rng_range(&r, 2, 10);
    const uint32_t distance = rng_range(&r, 1, 4);
    Pair pair = { .plain = clip_new(), .deep = clip_new(), .bits = depth - 8 };
    for (uint32_t i = 0; i < 2; i++)
        pair.configs[i] = (CcaConfig) {
            .width = WIDTH,
            .height = HEIGHT,
            .sample_size = 1 + i,
            .depth = i ? depth : 8,
            .shift = i ? rng_range(&r, 0, 16 - depth) : 0,
            .max_components = UINT32_MAX,
            .slots = 1,
            .foreground = (CcaForeground) (index % 4),
            .frame_distance = distance,
            .votes = index % 8 > 3,
        };
    const Scene scene = scene_random(&r, 255);
    CcaParams params;
    random_params(&r, &pair.configs[0], WIDTH, HEIGHT, &params);
    if (params.min_contrast > 255)
        params.min_contrast = 255;
    bool made = pair.plain && pair.deep;
    for (uint32_t i = 0; i < n && made; i++)
        made = add_frames(&pair, &scene, &params, &r);
    clip_run(k, pair.plain, made);
    for (uint32_t i = 0; i < n && made; i++)
        made = deepened_result(&pair.plain->frames[i], pair.bits, &pair.deep->frames[i]);
    if (made)
        clip_check(k, pair.deep);
    clip_free(pair.plain);
    clip_free(pair.deep);
}

const Group group_depths = {
    "depths",   "clips of 8 bits, and the same of 10, 12 and 16", USE_SINGLE, count_depths,
    run_depths,
};
