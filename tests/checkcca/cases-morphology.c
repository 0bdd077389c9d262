/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Opening and closing of masks, also of such as are smaller than the squares, and in
 * regions; against OpenCV's morphologyEx with its default border as well. */

#include <string.h>

#include "cases.h"
#include "clip.h"

/* The last case is that of run_words(). */
static uint64_t count_morphology(const Set set)
{
    return 1 + (set == SET_TINY ? 55 : set == SET_QUICK ? 750 : 60000);
}

/* Percent of noise that an opening leaves something of, or that a closing does not join
 * all of. */
static uint32_t fitting_density(Rng *const r, const CcaParams *const p)
{
    const uint32_t radius = p->open_radius ? p->open_radius : p->close_radius;
    const uint32_t rest = rng_range(r, 1, 40 / (radius > 1 ? radius : 1));
    return p->open_radius ? 100 - rest : rest;
}

/* Few blobs in a wide frame, of which the CPU engine looks only at columns near them, also in a
 * working set. */
static void run_sparse(Check *const k, Rng *const r)
{
    const uint32_t width = rng_range(r, 130, 500), height = rng_range(r, 6, 12);
    Case c = case_plain(r, PATTERN_NOISE, width, height, 1, rng_range(r, 4, 6));
    c.params.open_radius = rng_below(r, 2);
    c.params.close_radius = rng_range(r, 2, 8);
    CcaMask *const mask = rng_percent(r, 50) ? random_mask(r, width, height) : NULL;
    c.params.mask = mask;
    check_case(k, &c);
    cca_mask_free(mask);
}

/* A mask of one of each `step` rows. */
static CcaMask *mask_of_rows(const uint32_t width, const uint32_t height, const uint32_t step)
{
    CcaMask *const mask = cca_mask_new(width, height, true);
    for (uint32_t y = 0; mask && y < height; y++)
        if (y % step != 0)
            memset(mask->words + y * mask->row_words, 0, mask->row_words * sizeof(*mask->words));
    return mask;
}

/* A region that begins within a word of the mask and ends in the third one, without a working set,
 * and with one of each 16 rows. Then a frame with one of each 96 rows, in which kernels open a part
 * that has its only row at the top. */
static void run_words(Check *const k)
{
    enum { WIDTH = 970, HEIGHT = 100, N_FRAMES = 4 };
    static uint16_t values[WIDTH * HEIGHT];
    Rng r = check_rng(k);
    const CcaConfig config = {
        .width = WIDTH,
        .height = HEIGHT,
        .sample_size = 1,
        .depth = 8,
        .max_components = UINT32_MAX,
        .slots = 1,
        .foreground = CCA_FOREGROUND_DIFFERENCE,
        .frame_distance = 1,
    };
    CcaMask *const masks[N_FRAMES] = { NULL, NULL, mask_of_rows(WIDTH, HEIGHT, 16),
                                       mask_of_rows(WIDTH, HEIGHT, 96) };
    CcaParams params = CCA_DEFAULT_PARAMS;
    params.foreground = config.foreground;
    Clip *const clip = clip_new();
    bool made = clip && masks[2] && masks[3];
    for (uint32_t t = 0; t < N_FRAMES && made; t++) { /* each differs from the one before */
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            values[i] = t % 2 && rng_percent(&r, 85) ? 200 : 0;
        params.mask = masks[t];
        params.open_radius = t == 3 ? 2 : 1;
        params.roi = (CcaRect) { t == 3 ? 0 : 5, 0, t == 3 ? WIDTH : 80, HEIGHT };
        made = clip_add(clip, &config, &params, values, WIDTH, HEIGHT, &r) != NULL;
    }
    clip_run(k, clip, made);
    clip_free(clip);
    cca_mask_free(masks[2]);
    cca_mask_free(masks[3]);
}

static void run_morphology(Check *const k, const uint64_t index)
{
    if (index + 1 == count_morphology(k->options->set)) {
        run_words(k);
        return;
    }
    Rng r = check_rng(k);
    if (index % 3 == 2) {
        run_sparse(k, &r);
        return;
    }
    const bool wide = k->options->set != SET_TINY && index % 8 == 7;
    const bool tall = index % 3 == 1;   /* more rows than a tile has */
    const bool by_one = index % 3 == 0; /* radii that may have code of their own */
    const uint32_t most = tall || by_one || index % 2 ? 70 : 20;
    const uint32_t width = rng_range(&r, 1, wide ? 300 : most);
    const uint32_t height = tall ? rng_range(&r, 65, 140) : rng_range(&r, 1, wide ? 80 : most);
    CcaParams radii = CCA_DEFAULT_PARAMS;
    random_radii(&r, &radii);
    if (by_one)
        radii.open_radius = radii.close_radius = 1;
    const bool fitting = tall || by_one || rng_percent(&r, 20);
    const Pattern pattern = fitting || rng_percent(&r, 20) ? PATTERN_NOISE :
                                                             (Pattern) rng_below(&r, N_PATTERNS);
    uint32_t a, b;
    pattern_pick(pattern, width, height, &r, &a, &b);
    if (fitting) {
        a = fitting_density(&r, &radii);
        b = rng_range(&r, 1, 3);
    }
    Case c = case_plain(&r, pattern, width, height, a, b);
    c.params.open_radius = radii.open_radius;
    c.params.close_radius = radii.close_radius;
    if (rng_percent(&r, 40))
        random_roi(&r, width, height, &c.params.roi);
    k->any_use = wide;
    if (rng_percent(&r, 50)) { /* a restriction of OpenCV */
        case_samples(&r, 1, &c.config);
        c.params.threshold %= 255;
        c.params.threshold_high = 65535;
        check_opencv(k, &c);
    } else {
        check_case(k, &c);
    }
    k->any_use = false;
}

const Group group_morphology = {
    "morphology",   "opening and closing with all radii; OpenCV's morphologyEx (if built in)",
    USE_SINGLE,     count_morphology,
    run_morphology,
};
