/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Working sets that cross wide frames, so that large tiles without pixels of the set exist beside
 * those with some. */

#include <stdlib.h>

#include "cases.h"
#include "clip.h"

enum { N_CORNERS = 5, TILE = 1024, TILE_ROWS = 96 };

/* Near the border of a column of tiles, as often as not. */
static int32_t random_x(Rng *const r, const uint32_t first, const uint32_t end)
{
    const uint32_t x = rng_range(r, first, end - 1);
    return (int32_t) (rng_percent(r, 50) ? (x + TILE / 2) / TILE * TILE + rng_below(r, 7) - 3 : x);
}

/* A path from the top to the bottom, with these corners in turn. The set has the pixels of each row
 * up to a distance from it. */
static CcaMask *draw_path(const int32_t *const corners, const int32_t distance,
                          const CcaConfig *const config)
{
    int32_t points[4 * N_CORNERS];
    for (uint32_t i = 0; i < N_CORNERS; i++) {
        int32_t *const before = points + 2 * i, *const after = points + 4 * N_CORNERS - 2 * i - 2;
        before[0] = corners[i] - distance;
        after[0] = corners[i] + distance;
        before[1] = after[1] = (int32_t) (i * config->height / (N_CORNERS - 1));
    }
    const CcaPolygon polygon = { points, 2 * N_CORNERS, config->width, config->height };
    CcaMask *const mask = cca_mask_new(config->width, config->height, false);
    if (mask && cca_mask_polygon(mask, &polygon, true))
        return mask;
    cca_mask_free(mask);
    return NULL;
}

/* Two paths that begin and end in the same pixels. Other corners are between the ends, or a part
 * of them anywhere. */
static bool draw_paths(Rng *const r, const CcaConfig *const config, CcaMask **const masks)
{
    const int32_t distance = (int32_t) (rng_percent(r, 30) ? rng_range(r, 1, 4) :
                                                             rng_range(r, 5, 300));
    const uint32_t part = config->width / N_CORNERS;
    const bool left = rng_percent(r, 50), winds = rng_percent(r, 30);
    int32_t corners[N_CORNERS];
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < N_CORNERS; i++) {
            const uint32_t at = (left ? N_CORNERS - 1 - i : i) * part;
            const bool is_end = i == 0 || i == N_CORNERS - 1;
            if (k == 0 || !is_end)
                corners[i] = winds && !is_end ? random_x(r, 0, config->width) :
                                                random_x(r, at, at + part);
        }
        masks[k] = draw_path(corners, distance, config);
    }
    return masks[0] && masks[1];
}

/* Adds a rectangle. Returns false if memory ran out. */
static bool add_rectangle(CcaMask *const m, const uint32_t x, const uint32_t y,
                          const uint32_t width, const uint32_t height)
{
    const int32_t x0 = (int32_t) x, x1 = (int32_t) (x + width);
    const int32_t y0 = (int32_t) y, y1 = (int32_t) (y + height);
    const int32_t points[] = { x0, y0, x1, y0, x1, y1, x0, y1 };
    const CcaPolygon polygon = { points, 4, m->width, m->height };
    return cca_mask_polygon(m, &polygon, true);
}

/* A diagonal through corners of tiles of TILE_ROWS rows, or of a divisor of them, which touch only
 * there. Then its mirror image. */
static bool draw_diagonals(CcaConfig *const config, const uint32_t n_tiles, CcaMask **const masks)
{
    config->width = n_tiles * TILE;
    config->height = n_tiles * TILE_ROWS;
    bool made = true;
    for (uint32_t k = 0; k < 2 && made; k++) {
        CcaMask *const m = masks[k] = cca_mask_new(config->width, config->height, false);
        made = m != NULL;
        for (uint32_t y = 0; y < config->height && made; y++) {
            const uint32_t x = y * TILE / TILE_ROWS, end = (y + 1) * TILE / TILE_ROWS;
            made = add_rectangle(m, k == 0 ? x : config->width - end, y, end - x, 1);
        }
    }
    return made;
}

/* At the top the set is in the first and the second column of tiles of its region, below a gap in
 * the second and the third one. Rows of tiles that end in the gap need two columns, lower ones that
 * do not may need three. */
static CcaMask *draw_step(const CcaConfig *const config, const uint32_t y, const uint32_t gap)
{
    CcaMask *const mask = cca_mask_new(config->width, config->height, false);
    const uint32_t below = y + gap;
    if (mask && add_rectangle(mask, 64, 0, TILE + 36, y) &&
        add_rectangle(mask, 64 + 2 * TILE - 48, below, 100, config->height - below))
        return mask;
    cca_mask_free(mask);
    return NULL;
}

/* Two of them; for 12 multiprocessors the first ones need three columns, and have rows of tiles
 * in the gap. */
static bool draw_steps(Rng *const r, CcaConfig *const config, const bool is_first,
                       CcaMask **const masks)
{
    config->width = rng_range(r, 2 * TILE + 120, 3 * TILE);
    config->height = is_first ? 900 : rng_range(r, 500, 1000);
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t y = is_first ? 170 - 20 * k : rng_range(r, 90, 200 + 100 * k);
        const uint32_t gap = is_first ? 70 + 430 * k : rng_range(r, 10, 80);
        masks[k] = draw_step(config, y, gap);
    }
    return masks[0] && masks[1];
}

static uint64_t count_shifted(const Set set)
{
    return set == SET_TINY ? 18 : set == SET_QUICK ? 60 : 2000;
}

static bool add_content(Clip *const clip, const CcaConfig *const config,
                        const CcaParams *const params, Rng *const r)
{
    static const struct {
        Pattern pattern;
        uint32_t a, b;
    } contents[] = {
        { PATTERN_NOISE, 60, 7 },    { PATTERN_NOISE, 45, 20 },     { PATTERN_FULL, 0, 0 },
        { PATTERN_DIAGONALS, 2, 0 }, { PATTERN_RECTANGLES, 60, 0 }, { PATTERN_COLUMNS, 9, 0 },
    };
    const uint32_t i = rng_below(r, sizeof(contents) / sizeof(contents[0]));
    const size_t n = (size_t) config->width * config->height;
    uint16_t *const values = malloc(n * sizeof(*values));
    Mask drawn = { 0 };
    ClipFrame *frame = NULL;
    if (values && pattern_draw(&drawn, contents[i].pattern, config->width, config->height,
                               contents[i].a, contents[i].b, rng_next(r))) {
        for (size_t k = 0; k < n; k++)
            values[k] = drawn.pixels[k] ? 200 : 0;
        frame = clip_add(clip, config, params, values, config->width, config->height, r);
    }
    free(drawn.pixels);
    free(values);
    return frame != NULL;
}

/* A set, another one in two frames, and a part of that. */
static void run_shifted(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    const bool has_one_row = index < 12 && index % 4 == 1; /* of tiles */
    CcaConfig config = {
        .width = has_one_row ? 5000 : rng_range(&r, 1025, 5000),
        .height = has_one_row ? 3 : rng_range(&r, 100, 500),
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .labels = index % 3 == 0,
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    if (index % 4 == 3)
        case_features(&r, &config);
    params.connectivity = index % 8 < 4 ? 8 : 4;
    Clip *const clip = clip_new();
    bool made = clip != NULL;
    if (made && index % 4 == 0)
        made = draw_diagonals(&config, rng_range(&r, 3, 4), clip->masks);
    else if (made && index % 4 == 2)
        made = draw_steps(&r, &config, index == 2, clip->masks);
    else if (made)
        made = draw_paths(&r, &config, clip->masks);
    for (uint32_t t = 0; t < 4 && made; t++) {
        params.mask = clip->masks[t > 0];
        if (t > 2)
            random_roi(&r, config.width, config.height, &params.roi);
        params.invert = rng_percent(&r, 20);
        params.open_radius = t > 0 && rng_percent(&r, 30);
        if (rng_percent(&r, 30))
            random_areas(&r, config.width, config.height, &params);
        made = add_content(clip, &config, &params, &r) &&
               (!config.labels || t % 2 || clip_ask_labels(&clip->frames[t], &r));
    }
    clip_run(k, clip, made);
    clip_free(clip);
}

const Group group_shifted = {
    "shifted",   "working sets across wide frames, in which rows of tiles begin anywhere",
    USE_GPU,     count_shifted,
    run_shifted,
};
