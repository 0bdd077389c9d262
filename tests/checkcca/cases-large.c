/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames up to the maximum size. The expected results have a closed form, so only the frame and
 * the engine need memory. Also regions for which small frames suffice. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cases.h"

static const struct Large {
    uint32_t width, height, sample_size;
} large[] = {
    { 16384, 16384, 1 }, { 46340, 46340, 1 }, { INT32_MAX, 1, 1 },
    { 1, INT32_MAX, 1 }, { 46340, 46340, 2 }, /* more than 2^32 bytes */
};

typedef enum Scene {
    SCENE_EMPTY,
    SCENE_FULL,
    SCENE_CORNERS, /* the first, the middle and the last pixel */
    SCENE_BORDER,
    N_SCENES,
} Scene;

static const char *const scene_names[N_SCENES] = { "empty", "full", "corners", "border" };

static CcaComponent rectangle(const uint32_t id, const uint32_t x, const uint32_t y,
                              const uint32_t width, const uint32_t height)
{
    const uint64_t area = (uint64_t) width * height;
    const uint64_t dx = (uint64_t) width * (width - 1) / 2;
    const uint64_t dy = (uint64_t) height * (height - 1) / 2;
    return (CcaComponent) {
        .id = id,
        .x = x,
        .y = y,
        .width = width,
        .height = height,
        .area = (uint32_t) area,
        .sum_x = area * x + dx * height,
        .sum_y = area * y + dy * width,
    };
}

/* Draws the scene into zeroed pixels; returns how many components it has. */
static uint32_t draw(const Scene scene, const struct Large *const l, uint8_t *const pixels,
                     CcaComponent *const c)
{
    const uint32_t w = l->width, h = l->height;
    const size_t stride = (size_t) w * l->sample_size;
    switch (scene) {
    case SCENE_FULL:
        memset(pixels, 0xff, stride * h);
        c[0] = rectangle(1, 0, 0, w, h);
        return 1;
    case SCENE_CORNERS: {
        const uint32_t xs[] = { 0, w / 2, w - 1 }, ys[] = { 0, h / 2, h - 1 };
        for (uint32_t i = 0; i < 3; i++) {
            memset(pixels + ys[i] * stride + (size_t) xs[i] * l->sample_size, 0xff, l->sample_size);
            c[i] = rectangle(i + 1, xs[i], ys[i], 1, 1);
        }
        return 3;
    }
    case SCENE_BORDER: {
        memset(pixels, 0xff, stride);
        memset(pixels + (h - 1) * stride, 0xff, stride);
        for (uint32_t y = 1; y < h; y++) {
            memset(pixels + y * stride, 0xff, l->sample_size);
            memset(pixels + (y + 1) * stride - l->sample_size, 0xff, l->sample_size);
        }
        c[0] = rectangle(1, 0, 0, w, h);
        if (w > 2 && h > 2) {
            const CcaComponent inside = rectangle(0, 1, 1, w - 2, h - 2);
            c[0].area -= inside.area;
            c[0].sum_x -= inside.sum_x;
            c[0].sum_y -= inside.sum_y;
        }
        return 1;
    }
    default: return 0;
    }
}

/* Available bytes, 0 if the system does not report them. */
static uint64_t available_memory(void)
{
    FILE *const f = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kib = 0;
    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib * 1024;
}

/* The reference engine touches its table of parents for each pixel; that of
 * the others grows with the runs, which are few here. */
static bool fits(Check *const k, const Engine *const engine, const uint64_t n_pixels)
{
    const bool ref = strcmp(engine->name, "ref") == 0;
    const uint64_t need = (ref ? 4 * n_pixels : n_pixels / 4) + (UINT64_C(256) << 20);
    const uint64_t available = available_memory();
    if (available >= need)
        return true;
    check_skip(k, "%s needs %" PRIu64 " MiB more than the %" PRIu64 " MiB available", engine->name,
               (need - available) >> 20, available >> 20);
    return false;
}

/* Minutes each: one thread, and a number of threads that divides nothing, at
 * the best level. */
static bool takes_part(const Check *const k, const Engine *const engine)
{
    if (k->options->engine != NULL || engine->threads == 0)
        return true;
    return engine->level == cca_cpu_level() && (engine->threads == 1 || engine->threads == 3);
}

static void check_engine(Check *const k, Engine *const engine, const Case *const c,
                         const CcaFrame *const frame, const CcaResult *const expected)
{
    CcaResult result;
    char text[512];
    k->engine = engine;
    k->n_comparisons++;
    CcaStatus status = engine_prepare(engine, &c->config);
    if (status == CCA_ERROR_NO_MEMORY) {
        check_skip(k, "%s: %s", engine->name, engine_message(engine, status));
        return;
    }
    if (status == CCA_OK)
        status = cca_engine_analyse(engine->engine, 0, frame, &c->params);
    if (status == CCA_OK)
        status = cca_engine_collect(engine->engine, 0, &result);
    if (status != CCA_OK)
        check_fail(k, c, "%s", engine_message(engine, status));
    else if (!results_equal(expected, &result, text, sizeof(text)))
        check_fail(k, c, "%s", text);
}

static uint64_t count_large(const Set set)
{
    return set == SET_FULL ? N_SCENES * sizeof(large) / sizeof(large[0]) : 0;
}

static void run_large(Check *const k, const uint64_t index)
{
    const struct Large *const l = &large[index / N_SCENES];
    const Scene scene = (Scene) (index % N_SCENES);
    const size_t size = (size_t) l->width * l->height * l->sample_size;
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_EMPTY, l->width, l->height, 0, 0);
    c.config.sample_size = l->sample_size;
    c.config.depth = 8 * l->sample_size;
    c.config.shift = 0;
    c.config.max_components = 1000;
    c.params = (CcaParams) CCA_DEFAULT_PARAMS;
    c.params.connectivity = rng_percent(&r, 50) ? 4 : 8;
    c.layout = (Layout) { 0 };
    uint8_t *const pixels = available_memory() < size + (UINT64_C(512) << 20) ?
                                MAP_FAILED :
                                mmap(NULL, size, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pixels == MAP_FAILED) {
        check_skip(k, "no memory for a frame of %zu MiB", size >> 20);
        return;
    }
    CcaComponent components[3];
    CcaResult expected = {
        .n_found = draw(scene, l, pixels, components),
        .components = components,
        .threshold = c.params.threshold,
        .threshold_high = c.params.threshold_high,
    };
    expected.n_components = expected.n_found;
    const CcaFrame frame = {
        .data = pixels,
        .width = l->width,
        .height = l->height,
        .stride = (size_t) l->width * l->sample_size,
    };
    k->mask.width = k->mask.height = UINT32_MAX; /* nothing to show */
    for (uint32_t i = 0; i < k->engines.n; i++) {
        Engine *const engine = &k->engines.list[i];
        if (!takes_part(k, engine) || !fits(k, engine, size / l->sample_size))
            continue;
        check_engine(k, engine, &c, &frame, &expected);
        engine_close(engine);
    }
    k->mask.width = k->mask.height = 0;
    if (k->options->verbose)
        printf("large/%" PRIu64 ": %s %" PRIu32 "x%" PRIu32 "\n", index, scene_names[scene],
               l->width, l->height);
    munmap(pixels, size);
}

const Group group_large = {
    "large", "frames up to 2^31 - 1 pixels, as memory permits", USE_ALL, count_large, run_large,
};

/* Regions whose area times the offset, and each sum in the region, exceed 32 bits, as
 * small as that can be; rows in which the sum of a run does, before and after it is
 * halved; and a small region. */
static const struct Far {
    uint32_t width, height, x, y;
} far[] = {
    { 33000, 32, 16500, 0 }, { 32, 33000, 0, 16500 }, { 65537, 1, 0, 0 }, { 65537, 2, 0, 0 },
    { 100000, 1, 0, 0 },     { 100000, 2, 0, 0 },     { 300, 40, 7, 9 },
};

static uint64_t count_far(const Set set)
{
    (void) set;
    return sizeof(far) / sizeof(far[0]);
}

/* One component, which is the whole region: in the small one also as the largest that
 * passes, and as the smallest that does not. */
static void run_far(Check *const k, const uint64_t index)
{
    const struct Far *const f = &far[index];
    const uint64_t area = (uint64_t) (f->width - f->x) * (f->height - f->y);
    Rng r = check_rng(k);
    Case c = case_plain(&r, PATTERN_FULL, f->width, f->height, 0, 0);
    c.params.roi.x = f->x;
    c.params.roi.y = f->y;
    check_case(k, &c);
    if (area > 20000)
        return;
    case_samples(&r, 1, &c.config); /* these have kernels that look at no areas */
    c.params.threshold = 128;
    c.params.threshold_high = 65535;
    c.params.invert = false;
    for (uint32_t i = 0; i < 2; i++) {
        c.params.max_area = area - i;
        check_case(k, &c);
    }
}

const Group group_far = {
    "far",   "regions and rows with sums of more than 32 bits, and their areas", USE_ALL, count_far,
    run_far,
};
