/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "bench.h"
#include "patterns.h"

static uint32_t n_densities(const Options *const o)
{
    return o->quick ? 11 : 21;
}

static bool add_frames(const Options *const o, BenchSeries *const s)
{
    const uint64_t size = (uint64_t) o->frame_width * o->frame_height;
    struct stat st;
    if (stat(o->frames, &st) != 0) {
        perror(o->frames);
        return false;
    }
    const uint64_t n = (uint64_t) st.st_size / size;
    if (n == 0 || (uint64_t) st.st_size % size != 0) {
        fprintf(stderr,
                "checkcca: %s has %" PRIu64 " bytes: not frames of %" PRIu32 "x%" PRIu32 "\n",
                o->frames, (uint64_t) st.st_size, o->frame_width, o->frame_height);
        return false;
    }
    /* evenly spread, or with a background the first ones */
    const uint32_t most = o->quick ? MOST_PICTURES / 4 : MOST_PICTURES;
    *s = (BenchSeries) {
        .name = "frames",
        .width = o->frame_width,
        .height = o->frame_height,
        .n_pictures = n < most ? (uint32_t) n : most,
        .file = o->frames,
        .n_frames = (uint32_t) n,
        .params = CCA_DEFAULT_PARAMS,
    };
    s->params.threshold = o->threshold;
    s->params.foreground = (CcaForeground) o->foreground;
    s->params.open_radius = o->open_radius;
    s->params.close_radius = o->close_radius;
    s->params.absorb_after = o->absorb_after;
    s->params.compensate_light = o->light;
    s->params.warm_up = 0; /* as it continues afterwards */
    return true;
}

uint32_t bench_series(const Options *const o, BenchSeries series[MOST_SERIES])
{
    static const struct {
        uint32_t width, height;
    } sizes[] = { { 1920, 1080 }, { 3840, 2160 } };
    static const struct {
        const char *name;
        uint32_t block, value;
    } kinds[] = {
        { "noise g=1", 1, 0 }, { "noise g=4", 4, 0 }, { "noise g=16", 16, 0 },
        { "full", 0, 255 },    { "empty", 0, 0 },
    };
    uint32_t n = 0;
    /* those of other modes make sense with frames of a camera only */
    const bool plain = o->foreground == CCA_FOREGROUND_THRESHOLD && o->open_radius == 0 &&
                       o->close_radius == 0;
    for (uint32_t i = 0; plain && i < sizeof(sizes) / sizeof(*sizes); i++)
        for (uint32_t j = 0; j < sizeof(kinds) / sizeof(*kinds); j++)
            series[n++] = (BenchSeries) {
                .name = kinds[j].name,
                .width = sizes[i].width,
                .height = sizes[i].height,
                .n_pictures = n_densities(o),
                .block = kinds[j].block,
                .value = kinds[j].value,
                .params = CCA_DEFAULT_PARAMS,
            };
    if (!plain && o->frames == NULL)
        fprintf(stderr, "checkcca: --foreground and radii are for --frames\n");
    if (o->frames != NULL && !add_frames(o, &series[n++]))
        return 0;
    return n;
}

bool bench_has_background(const BenchSeries *const s)
{
    return s->params.foreground == CCA_FOREGROUND_DIFFERENCE ||
           s->params.foreground == CCA_FOREGROUND_SIGMA_DELTA;
}

static bool read_frame(const BenchSeries *const s, const uint32_t i, uint8_t *const pixels)
{
    const size_t size = (size_t) s->width * s->height;
    const uint64_t number = bench_has_background(s) ? i :
                                                      (uint64_t) i * s->n_frames / s->n_pictures;
    FILE *const f = fopen(s->file, "rb");
    const bool read = f != NULL && fseeko(f, (off_t) (number * size), SEEK_SET) == 0 &&
                      fread(pixels, 1, size, f) == size;
    if (!read)
        perror(s->file);
    if (f != NULL)
        fclose(f);
    return read;
}

bool bench_picture(const BenchSeries *const s, const uint32_t i, uint8_t *const pixels)
{
    const size_t size = (size_t) s->width * s->height;
    if (s->file != NULL)
        return read_frame(s, i, pixels);
    if (s->block == 0) {
        memset(pixels, (int) s->value, size);
        return true;
    }
    Mask mask = { .pixels = pixels, .room = size };
    const uint32_t density = i * 100 / (s->n_pictures - 1);
    if (!pattern_draw(&mask, PATTERN_NOISE, s->width, s->height, density, s->block, i + 1))
        return false;
    for (size_t p = 0; p < size; p++)
        pixels[p] = pixels[p] ? 255 : 0;
    return true;
}
