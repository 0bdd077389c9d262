/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Time of the foreground modes, opening, closing and filters on the GPU. After a black frame two
 * with white blocks of 16 pixels follow, and the second one is timed. All modes find the same
 * components in it as in the first one, so the difference to a plain threshold is their cost.
 * Modes with regions find fewer: regions lack the triangle of a tree, a 40th of the picture, and a
 * tenth of the picture is a strip across it. */

#include <string.h>

#include "timing.h"

#define REPEATS 40
#define DENSITY 40

typedef enum Working {
    ALL,
    NO_TREE,
    TENTH,
} Working;

typedef struct Mode {
    const char *name;
    CcaForeground foreground;
    bool due;
    uint32_t open_radius, close_radius;
    bool votes, light;
    Working working;
    uint32_t min_area, min_width;
} Mode;

static const Mode modes[] = {
    { "threshold", CCA_FOREGROUND_THRESHOLD, false, 0, 0 },
    { "threshold-1-1", CCA_FOREGROUND_THRESHOLD, false, 1, 1 },
    { "threshold-7-15", CCA_FOREGROUND_THRESHOLD, false, 7, 15 },
    { "otsu", CCA_FOREGROUND_OTSU, false, 0, 0 },
    { "difference", CCA_FOREGROUND_DIFFERENCE, false, 0, 0 },
    { "sigma-delta", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0 },
    { "sigma-delta-due", CCA_FOREGROUND_SIGMA_DELTA, true, 0, 0 },
    { "sigma-delta-due-1-1", CCA_FOREGROUND_SIGMA_DELTA, true, 1, 1 },
    { "sigma-delta-votes", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, true },
    { "sigma-delta-votes-due", CCA_FOREGROUND_SIGMA_DELTA, true, 0, 0, true },
    { "sigma-delta-votes-light", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, true, true },
    { "threshold-regions", CCA_FOREGROUND_THRESHOLD, false, 0, 0, false, false, NO_TREE },
    { "threshold-1-1-regions", CCA_FOREGROUND_THRESHOLD, false, 1, 1, false, false, NO_TREE },
    { "threshold-tenth", CCA_FOREGROUND_THRESHOLD, false, 0, 0, false, false, TENTH },
    { "threshold-1-1-tenth", CCA_FOREGROUND_THRESHOLD, false, 1, 1, false, false, TENTH },
    { "sigma-delta-regions", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, false, false, NO_TREE },
    { "sigma-delta-tenth", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, false, false, TENTH },
    { "sigma-delta-due-tenth", CCA_FOREGROUND_SIGMA_DELTA, true, 0, 0, false, false, TENTH },
    { "sigma-delta-votes-tenth", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, true, false, TENTH },
    { "sigma-delta-votes-light-tenth", CCA_FOREGROUND_SIGMA_DELTA, false, 0, 0, true, true, TENTH },
    { "threshold-area", CCA_FOREGROUND_THRESHOLD, .min_area = 2 },
    { "threshold-width", CCA_FOREGROUND_THRESHOLD, .min_width = 2 },
};

static const Mode *find_mode(const char *const name)
{
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return NULL;
}

/* Returns NULL if memory ran out. */
static CcaMask *draw_mask(const Working working, const CcaConfig *const config)
{
    static const int32_t tree[] = { 4, 1, 6, 6, 5, 6 }, strip[] = { 0, 0, 2, 0, 20, 20, 18, 20 };
    const CcaPolygon polygon = {
        .points = working == TENTH ? strip : tree,
        .n_points = working == TENTH ? 4 : 3,
        .width = working == TENTH ? 20 : 10,
        .height = working == TENTH ? 20 : 10,
    };
    CcaMask *mask = cca_mask_new(config->width, config->height, working == NO_TREE);
    if (mask != NULL && !cca_mask_polygon(mask, &polygon, working == TENTH)) {
        cca_mask_free(mask);
        mask = NULL;
    }
    return mask;
}

static bool time_mode(Timing *const t, const Mode *const mode, CcaConfig config,
                      const CcaMask *const mask, double *const best)
{
    const Content blocks = { .g = 16, .first = DENSITY, .last = DENSITY, .step = 5 };
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.foreground = mode->foreground;
    params.learning = mode->due;
    if (mode->votes) {
        params.learning = config.votes = true;
        params.warm_up = 0;
        params.background_period = mode->due ? 1 : UINT16_MAX;
        params.absorb_after = 1000; /* the frame that is timed is no tick */
    }
    params.compensate_light = mode->light; /* which does not change in these frames */
    params.open_radius = mode->open_radius;
    params.close_radius = mode->close_radius;
    if (mode->min_area > 0)
        params.min_area = mode->min_area;
    if (mode->min_width > 0)
        params.limits.min_width = mode->min_width;
    params.mask = mask;
    config.foreground = mode->foreground;
    *best = 1e30;
    if (!timing_configure(t, CCA_CUDA_AUTO, &config) || !timing_draw(t, &blocks, 0) ||
        !timing_check(t, t->gpu->cu->memset_d8_async(t->copies[0], 0, t->copies_size, t->stream),
                      "memset"))
        return false;
    for (uint32_t r = 0; r < (t->simulated ? 1 : REPEATS); r++) {
        CcaResult result;
        double us;
        cca_engine_reset_background(t->engine);
        if (!timing_analyse(t, 0, &params, &result) || !timing_analyse(t, 1, &params, &result) ||
            !timing_analyse_on_device(t, 2 + r % (TIMING_COPIES - 2), &params, &us))
            return false;
        *best = us < *best ? us : *best;
    }
    return true;
}

bool measure_foreground(Timing *const t, const Point *const point)
{
    CcaConfig config = {
        .max_components = UINT32_MAX,
        .slots = 1,
        .frame_distance = 3,
    };
    const Mode *mode;
    CcaMask *mask = NULL;
    double us, plain_us;
    bool ok;
    if (point->n_words != 4 || strcmp(point->words[0], "foreground") != 0 ||
        !point_size(point->words[1], &config.width, &config.height) ||
        !point_number(point->words[2], "", "", &config.depth) ||
        (config.depth != 8 && config.depth != 16) || (mode = find_mode(point->words[3])) == NULL)
        return false;
    config.sample_size = config.depth / 8;
    if (mode->working != ALL && (mask = draw_mask(mode->working, &config)) == NULL) {
        t->failed = true;
        return false;
    }
    ok = time_mode(t, &modes[0], config, NULL, &plain_us) && time_mode(t, mode, config, mask, &us);
    cca_mask_free(mask);
    if (!ok)
        return false;
    point_begin(point);
    point_figure("us", us);
    point_figure("added_us", us - plain_us);
    point_end();
    return true;
}
