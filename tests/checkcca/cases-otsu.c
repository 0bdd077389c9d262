/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Otsu's threshold of histograms of all kinds. OpenCV finds the same, but where
 * several are equally good, as in symmetric histograms: there its rounding decides. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "clip.h"
#include "opencv-peer.h"

#define MOST_WIDTH 300
#define MOST_HEIGHT 200

typedef enum Distribution {
    UNIFORM,
    TWO_PEAKS,
    FALLING,
    FEW_LEVELS,
    ONE_LEVEL,
    SYMMETRIC, /* so that thresholds tie */
    OUTLIERS,
    N_DISTRIBUTIONS,
} Distribution;

/* About a peak, as the sum of several numbers is. */
static int64_t near(Rng *const r, const uint32_t peak, const uint32_t width)
{
    int64_t v = peak;
    for (uint32_t i = 0; i < 4; i++)
        v += (int64_t) rng_range(r, 0, width) - width / 2;
    return v;
}

static void draw_values(Rng *const r, const uint32_t top, uint16_t *const values, const size_t n)
{
    const Distribution kind = (Distribution) rng_below(r, N_DISTRIBUTIONS);
    const uint32_t low = rng_range(r, 0, top), high = rng_range(r, low, top);
    const uint32_t peaks[] = { low, high }, share = rng_range(r, 1, 99);
    const uint32_t width = rng_range(r, 0, top / 8);
    uint32_t levels[8];
    const uint32_t n_levels = rng_range(r, 2, 8);
    for (uint32_t i = 0; i < n_levels; i++)
        levels[i] = rng_range(r, 0, top);
    for (size_t i = 0; i < n; i++) {
        int64_t v = low;
        switch (kind) {
        case UNIFORM: v = rng_range(r, low, high); break;
        case TWO_PEAKS: v = near(r, peaks[rng_percent(r, share)], width); break;
        case FALLING:
            for (v = rng_range(r, 0, top); rng_percent(r, 60); v /= 2)
                ;
            break;
        case FEW_LEVELS: v = levels[rng_below(r, n_levels)]; break;
        case SYMMETRIC:
            v = i % 2 ? (int64_t) low + high - values[i - 1] : rng_range(r, low, high);
            break;
        case OUTLIERS: v = rng_below(r, 1000) ? low : rng_range(r, 0, top); break;
        default: break;
        }
        values[i] = (uint16_t) (v < 0 ? 0 : v > top ? top : v);
    }
}

/* The region as a picture of its own; returns its number of pixels. */
static size_t cut_out(uint16_t *const values, const uint32_t width, const uint32_t height,
                      const CcaRect *const roi, uint32_t *const columns)
{
    size_t n = 0;
    *columns = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (oracle_within(x, roi->x, roi->width) && oracle_within(y, roi->y, roi->height)) {
                values[n++] = values[(size_t) y * width + x];
                *columns = x - roi->x + 1;
            }
    return n;
}

static void compare_opencv(Check *const k, const ClipFrame *const f, uint16_t *const values)
{
    const bool deep = f->config.depth > 8;
    const uint32_t ours = f->expected.threshold;
    uint32_t columns;
    const size_t n = cut_out(values, f->picture.frame.width, f->picture.frame.height,
                             &f->params.roi, &columns);
    if (n == 0 || opencv_peer(k) == NULL)
        return;
    k->engine = NULL;
    k->n_comparisons++;
    const int64_t theirs = opencv_otsu(k->opencv, values, columns, (uint32_t) (n / columns), deep);
    OracleHistogram *const histogram = malloc(sizeof(*histogram));
    if (histogram == NULL)
        return;
    oracle_histogram(&f->picture.frame, &f->config, &f->params, histogram);
    if (theirs < 0 || !oracle_otsu_ties(histogram, ours, (uint32_t) theirs))
        check_fail(k, NULL, "OpenCV's threshold is %" PRId64 ", ours %" PRIu32, theirs, ours);
    free(histogram);
}

static void run_frame(Check *const k, Rng *const r, const CcaConfig *const config,
                      const CcaParams *const params, uint16_t *const values, const uint32_t width,
                      const uint32_t height)
{
    Clip *const clip = clip_new();
    const bool made = clip && values && clip_add(clip, config, params, values, width, height, r);
    clip_run(k, clip, made);
    if (made)
        compare_opencv(k, &clip->frames[0], values);
    clip_free(clip);
}

/* A single pixel is a class of its own among 2^23, but not among more. */
#define N_GUARDS 4

static void run_guard(Check *const k, const uint64_t index)
{
    Rng r = check_rng(k);
    CcaConfig config = {
        .width = 4096,
        .height = 2048 + index % 2,
        .sample_size = 1,
        .depth = 8,
        .max_components = 1,
        .slots = 1,
        .foreground = CCA_FOREGROUND_OTSU,
    };
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.foreground = config.foreground;
    const size_t n = (size_t) config.width * config.height;
    uint16_t *const values = malloc(n * sizeof(*values));
    for (size_t i = 0; values && i < n; i++)
        values[i] = 100;
    if (values)
        values[rng_below(&r, (uint32_t) n)] = index / 2 ? 20 : 200;
    run_frame(k, &r, &config, &params, values, config.width, config.height);
    engines_close(&k->engines);
    free(values);
}

static uint64_t count_otsu(const Set set)
{
    return set == SET_TINY ? 30 : set == SET_QUICK ? 2500 : 200000 + N_GUARDS;
}

static void run_otsu(Check *const k, const uint64_t index)
{
    if (k->options->set == SET_FULL && index < N_GUARDS) {
        run_guard(k, index);
        return;
    }
    static const uint32_t depths[] = { 10, 12, 16 };
    Rng r = check_rng(k);
    const bool larger = rng_percent(&r, 5);
    const uint32_t width = rng_range(&r, 1, larger ? MOST_WIDTH : 40);
    const uint32_t height = rng_range(&r, 1, larger ? MOST_HEIGHT : 30);
    const size_t n = (size_t) width * height;
    CcaConfig config = {
        .width = MOST_WIDTH,
        .height = MOST_HEIGHT,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = CCA_FOREGROUND_OTSU,
    };
    if (index % 8 == 0) {
        config.sample_size = 2;
        config.depth = PICK(&r, depths);
        config.shift = rng_range(&r, 0, 16 - config.depth);
    }
    uint16_t *const values = malloc(n * sizeof(*values));
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.foreground = config.foreground;
    params.invert = rng_percent(&r, 20);
    if (rng_percent(&r, 30))
        random_roi(&r, width, height, &params.roi);
    if (values)
        draw_values(&r, (1u << config.depth) - 1, values, n);
    k->any_use = rng_percent(&r, 5);
    run_frame(k, &r, &config, &params, values, width, height);
    k->any_use = false;
    free(values);
}

const Group group_otsu = {
    "otsu",     "Otsu's threshold of all kinds of histograms; OpenCV's (if built in)",
    USE_SINGLE, count_otsu,
    run_otsu,
};
