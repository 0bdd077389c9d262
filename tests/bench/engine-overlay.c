/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The cost of cudaccaoverlay on the GPU: objects of tracks as the element draws them into NV12,
 * each with a box, its id on a plate, and maybe a trail, or lines and zones. Drawings follow each
 * other on a stream that is held until the CPU has enqueued them all, so the time is that of the
 * GPU, which includes reading the commands, and not that of the calls. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "overlay/overlay-cuda.h"
#include "timing.h"

#define DRAWINGS 4 /* of up to three launches: none waits for another one's slot */
#define REPEATS 40
#define MOST_OBJECTS 4096
/* Of an object: box, plate, digits, and before them a path if it has a trail. */
#define MOST_COMMANDS 4
#define TRAIL_POINTS 32
#define DIGITS 4
#define WORDS (2 * TRAIL_POINTS + 1)
#define N_SEGMENTS 32

typedef struct Scene {
    uint32_t width, height, n;
    bool has_trails, has_shapes;
    uint32_t n_commands;
    uint32_t glyph_width, glyph_height;
    CcaOverlayPicture picture;
    CUdeviceptr pixels;
    CcaOverlayCommand *commands;
    uint32_t *words;
    uint8_t *coverage;
} Scene;

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec * 1e6 + (double) time.tv_nsec / 1e3;
}

static CcaOverlayCommand command(const CcaOverlayKind kind, const uint32_t i, const int32_t x,
                                 const int32_t y, const int32_t width, const int32_t height)
{
    return (CcaOverlayCommand) {
        .x0 = x,
        .y0 = y,
        .x1 = x + width,
        .y1 = y + height,
        .kind = (uint8_t) kind,
        .colour = { (uint16_t) (60 + i % 160), (uint16_t) (i * 37 % 256),
                    (uint16_t) (i * 91 % 256) },
        .alpha = 255,
    };
}

/* An object in its cell of a grid over the picture, as sizes are in the element; its trail
 * comes from the lower left. */
static void add_object(Scene *const s, const uint32_t i, const uint32_t columns)
{
    const int32_t cell = (int32_t) (s->width / columns);
    const int32_t high = cell * 3 / 4, wide = cell / 2;
    const int32_t x = (int32_t) (i % columns) * cell + cell / 2;
    const int32_t y = (int32_t) (i / columns) * cell + cell / 5;
    const int32_t line = s->height / 360 > 2 ? (int32_t) (s->height / 360) : 2;
    const int32_t margin = (int32_t) s->glyph_height / 5;
    const int32_t digits = DIGITS * (int32_t) s->glyph_width;
    CcaOverlayCommand *c = &s->commands[s->n_commands];
    uint32_t *const words = &s->words[WORDS * i];

    if (s->has_trails) {
        *c = command(CCA_OVERLAY_PATH, i, x - cell / 2, y, cell / 2 + line, high);
        c->thickness = (uint32_t) line;
        c->first = WORDS * i;
        c->n = TRAIL_POINTS;
        c++;
    }
    for (int32_t k = 0; k < TRAIL_POINTS; k++) {
        words[2 * k] = (uint32_t) (x - cell / 2 + cell / 2 * k / TRAIL_POINTS);
        words[2 * k + 1] = (uint32_t) (y + high - high * k / TRAIL_POINTS - line);
    }
    c[0] = command(CCA_OVERLAY_BOX, i, x - wide / 2, y, wide, high);
    c[0].thickness = (uint32_t) line;
    c[1] = command(CCA_OVERLAY_BOX, i, x - wide / 2, y, digits + 2 * margin,
                   (int32_t) s->glyph_height + 2 * margin);
    c[1].inside = 255;
    c[2] = command(CCA_OVERLAY_TEXT, i + 80, x - wide / 2 + margin, y + margin, digits,
                   (int32_t) s->glyph_height);
    c[2].first = WORDS * i + 2 * TRAIL_POINTS;
    c[2].n = DIGITS;
    words[2 * TRAIL_POINTS] = i % 10 << 24 | i / 10 % 10 << 16 | i / 100 % 10 << 8 | 1;
    s->n_commands = (uint32_t) (c + 3 - s->commands);
}

/* Four lines through the whole picture and the outlines of four zones, as the element draws them:
 * a path for each segment. */
static void add_shapes(Scene *const s)
{
    /* in 64ths of the picture; a line has the same point three times at its end */
    static const int32_t points[][4][2] = {
        { { 0, 32 }, { 64, 32 }, { 64, 32 }, { 64, 32 } },
        { { 32, 0 }, { 32, 64 }, { 32, 64 }, { 32, 64 } },
        { { 7, 6 }, { 57, 59 }, { 57, 59 }, { 57, 59 } },
        { { 10, 53 }, { 30, 12 }, { 30, 12 }, { 30, 12 } },
        { { 3, 6 }, { 23, 7 }, { 24, 28 }, { 3, 27 } },
        { { 33, 6 }, { 60, 5 }, { 62, 28 }, { 33, 28 } },
        { { 3, 36 }, { 27, 37 }, { 27, 59 }, { 3, 60 } },
        { { 37, 37 }, { 60, 36 }, { 62, 59 }, { 36, 59 } },
    };
    const int32_t line = s->height / 360 > 2 ? (int32_t) (s->height / 360) : 2;
    const int32_t size[] = { (int32_t) s->width, (int32_t) s->height };
    for (uint32_t i = 0; i < N_SEGMENTS; i++) {
        const int32_t(*const shape)[2] = points[i / 4];
        const int32_t *const a = shape[i % 4], *const b = shape[(i + 1) % 4];
        int32_t *const to = (int32_t *) &s->words[WORDS * s->n + 4 * i];
        CcaOverlayCommand *const c = &s->commands[s->n_commands++];
        for (uint32_t k = 0; k < 2; k++) {
            to[k] = a[k] * size[k] / 64;
            to[2 + k] = b[k] * size[k] / 64;
        }
        *c = command(CCA_OVERLAY_PATH, i / 4, (to[0] < to[2] ? to[0] : to[2]) - line,
                     (to[1] < to[3] ? to[1] : to[3]) - line, abs(to[2] - to[0]) + 2 * line,
                     abs(to[3] - to[1]) + 2 * line);
        c->thickness = (uint32_t) line;
        c->first = WORDS * s->n + 4 * i;
        c->n = 2;
    }
}

static bool make_list(Scene *const s)
{
    const size_t n_coverage = (size_t) CCA_OVERLAY_N_GLYPHS * s->glyph_width * s->glyph_height;
    uint32_t columns = 1;
    s->commands = calloc((size_t) MOST_COMMANDS * s->n + N_SEGMENTS, sizeof(*s->commands));
    s->words = calloc((size_t) WORDS * s->n + 4 * N_SEGMENTS, sizeof(*s->words));
    s->coverage = calloc(n_coverage, 1);
    if (s->commands == NULL || s->words == NULL || s->coverage == NULL)
        return false;
    for (size_t i = 0; i < n_coverage; i++)
        s->coverage[i] = (uint8_t) (i * 2654435761u >> 8);
    while (columns * (columns * s->height / s->width) < s->n)
        columns++;
    if (s->has_shapes)
        add_shapes(s);
    for (uint32_t i = 0; i < s->n; i++)
        add_object(s, i, columns);
    return true;
}

static bool make_picture(Timing *const t, Scene *const s)
{
    const size_t luma = (size_t) s->width * s->height;
    if (!timing_check(t, t->gpu->cu->mem_alloc(&s->pixels, luma * 2), "memory"))
        return false;
    uint8_t *const data = (uint8_t *) (uintptr_t) s->pixels;
    s->picture = (CcaOverlayPicture) {
        .channels = {
            { .data = data, .stride = s->width, .step = 1 },
            { .data = data + luma, .stride = s->width, .step = 2, .cell_x = 1, .cell_y = 1 },
            { .data = data + luma + 1, .stride = s->width, .step = 2, .cell_x = 1,
              .cell_y = 1 },
        },
        .n_channels = 3, .x1 = s->width, .y1 = s->height, .sample_size = 1, .depth = 8,
    };
    return timing_check(t, t->gpu->cu->memset_d8_async(s->pixels, 128, luma * 2, t->stream),
                        "memset");
}

static void free_scene(Timing *const t, Scene *const s)
{
    if (s->pixels != 0)
        t->gpu->cu->mem_free(s->pixels);
    free(s->commands);
    free(s->words);
    free(s->coverage);
}

static bool check(Timing *const t, const CcaStatus status, const char *const why)
{
    if (status != CCA_OK) {
        fprintf(stderr, "bench-engine: %s\n", why);
        t->failed = true;
    }
    return status == CCA_OK;
}

static bool draw_often(Timing *const t, const Scene *const s, CcaOverlayGpu *const gpu,
                       double *const us, double *const call_us)
{
    const CcaOverlayList list = {
        .commands = s->commands,
        .words = s->words,
        .n_commands = s->n_commands,
        .n_words = WORDS * s->n + 4 * N_SEGMENTS,
    };
    const CcaCudaDriver *const cu = t->gpu->cu;
    float milliseconds = 0;
    bool asked = timing_hold(t) && timing_check(t, cu->event_record(t->from, t->stream), "event");
    const double begin = now_us();
    for (int i = 0; asked && i < DRAWINGS; i++) {
        const char *why = "";
        asked = check(t, cca_overlay_gpu_draw(gpu, &s->picture, &list, t->stream, &why), why);
    }
    *call_us = (now_us() - begin) / DRAWINGS;
    asked = asked && timing_check(t, cu->event_record(t->to, t->stream), "event");
    timing_let_go(t);
    const bool done = asked && timing_check(t, cu->event_synchronize(t->to), "drawing") &&
                      timing_check(t, t->gpu->event_elapsed(&milliseconds, t->from, t->to),
                                   "event");
    *us = milliseconds * 1e3 / DRAWINGS;
    return done;
}

static bool time_scene(Timing *const t, const Scene *const s, double *const us,
                       double *const call_us)
{
    const CcaOverlayGlyphs glyphs = {
        .coverage = s->coverage,
        .width = s->glyph_width,
        .height = s->glyph_height,
    };
    CcaOverlayGpu *gpu = NULL;
    const char *why = "";
    bool ok = check(t, cca_overlay_gpu_open(&gpu, t->gpu->context, &why), why) &&
              check(t, cca_overlay_gpu_set_glyphs(gpu, &glyphs, t->stream, &why), why);
    *us = *call_us = 1e30;
    for (int r = 0; ok && r < (t->simulated ? 2 : REPEATS); r++) {
        double each, call;
        ok = draw_often(t, s, gpu, &each, &call);
        *us = ok && each < *us ? each : *us;
        *call_us = ok && call < *call_us ? call : *call_us;
    }
    cca_overlay_gpu_close(gpu);
    return ok;
}

bool measure_overlay(Timing *const t, const Point *const point)
{
    Scene s = { .n = 0 };
    double us, call_us;
    s.has_trails = point->n_words == 4 && strcmp(point->words[3], "trails") == 0;
    s.has_shapes = point->n_words == 4 && strcmp(point->words[3], "shapes") == 0;
    if (point->n_words != (s.has_trails || s.has_shapes ? 4 : 3) ||
        strcmp(point->words[0], "overlay") != 0 ||
        !point_size(point->words[1], &s.width, &s.height) || s.width < 64 || s.height < 64 ||
        !point_number(point->words[2], "", "", &s.n) || s.n == 0 || s.n > MOST_OBJECTS)
        return false;
    s.glyph_height = s.height / 45 > 12 ? s.height / 45 : 12;
    s.glyph_width = s.glyph_height * 3 / 5;
    const bool ok = timing_check(t, make_list(&s) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY,
                                 "list") &&
                    make_picture(t, &s) && time_scene(t, &s, &us, &call_us);
    free_scene(t, &s);
    if (!ok)
        return false;
    point_begin(point);
    point_figure("us", us);
    point_figure("call_us", call_us);
    point_end();
    return true;
}
