/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* frames MODE BLOCK N: the CPU engine analyses the same N frames in every run, in one thread.
 * MODE is threshold or sigma-delta, BLOCK the size of the noise. The instructions of a frame are
 * the difference between a run with N + 1 frames and one with N. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cca.h"

enum { WIDTH = 960, HEIGHT = 540 };

static uint32_t mix(uint32_t h)
{
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

int main(const int argc, char **const argv)
{
    static uint8_t pixels[WIDTH * HEIGHT];
    CcaEngine *engine;
    const CcaCpuOptions options = { .threads = 1 };
    CcaConfig config = { .width = WIDTH,
                         .height = HEIGHT,
                         .sample_size = 1,
                         .depth = 8,
                         .max_components = UINT32_MAX,
                         .slots = 1 };
    CcaParams params = CCA_DEFAULT_PARAMS;
    CcaFrame frame = { .data = pixels, .width = WIDTH, .height = HEIGHT, .stride = WIDTH };
    CcaResult result = { 0 };

    if (argc != 4)
        return 2;
    if (strcmp(argv[1], "sigma-delta") == 0)
        config.foreground = params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
    const uint32_t block = (uint32_t) atoi(argv[2]);
    if (cca_cpu_open(&engine, &options) != CCA_OK || cca_engine_configure(engine, &config) != CCA_OK)
        return 1;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            pixels[y * WIDTH + x] = mix(y / block * WIDTH + x / block) & 1 ? 200 : 50;
    for (int i = atoi(argv[3]); i > 0; i--)
        if (cca_engine_analyse(engine, 0, &frame, &params) != CCA_OK ||
            cca_engine_collect(engine, 0, &result) != CCA_OK)
            return 1;
    printf("%u components\n", result.n_found);
    cca_engine_free(&engine);
    return 0;
}
