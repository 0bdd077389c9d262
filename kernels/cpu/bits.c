/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* From pixels to bits, for foregrounds that are not labelled at once, and the
 * background brought forward. Compiled once for each instruction set. */

#include "level.h"
#include "sigma-delta.h"

typedef enum Method {
    DIFFERENCE,
    FIRST, /* frame of sigma-delta */
    STILL, /* sigma-delta that is not due */
    DUE,
} Method;

/* What the pixels of a frame are compared with, and how. */
typedef struct Comparison {
    uint32_t lift, drop; /* shifts that make a value of a 16-bit sample */
    SigmaDelta sigma_delta;
    uint64_t nothing; /* DIFFERENCE: all ones if nothing can be foreground */
} Comparison;

/* Bits of 64 pixels. `old` and `new` are rows of the background: the frame before
 * and this one, which may be one, or M and V. */
COPIED uint64_t find_64(const uint32_t size, const Method method, const Comparison c,
                        const uint8_t *const pixels, uint8_t *const old, uint8_t *const new)
{
    Lanes misses[128 / sizeof(Lanes)];
    for (uint32_t i = 0; i < 64 * size / sizeof(Lanes); i++) {
        const size_t at = i * sizeof(Lanes);
        Lanes value = load_lanes(pixels + at);
        if (size == 2)
            value = shift_lanes(value, c.lift, c.drop);
        if (method == FIRST) {
            store_lanes(old + at, value);
            store_lanes(new + at, c.sigma_delta.contrast);
            continue;
        }
        Lanes a = load_lanes(old + at);
        if (method == DIFFERENCE) {
            store_lanes(new + at, value);
            misses[i] = subtract_saturated(size, c.sigma_delta.contrast, distance(size, value, a));
            continue;
        }
        Lanes b = load_lanes(new + at);
        misses[i] = find_motion(size, method == DUE, c.sigma_delta, value, &a, &b);
        if (method == DUE) {
            store_lanes(old + at, a);
            store_lanes(new + at, b);
        }
    }
    return method == FIRST ? 0 : bits_of_zeros(size, misses) & ~c.nothing;
}

/* The same of the last `n` pixels of a stretch, less than 64. */
COPIED uint64_t find_rest(const uint32_t size, const Method method, const Comparison c,
                          const uint8_t *const pixels, uint8_t *const old, uint8_t *const new,
                          const uint32_t n)
{
    uint8_t p[128] = { 0 }, a[128] = { 0 }, b[128] = { 0 };
    memcpy(p, pixels, n * size);
    memcpy(a, old, n * size);
    memcpy(b, new, n * size);
    const uint64_t bits = find_64(size, method, c, p, a, b);
    if (method == FIRST || method == DUE)
        memcpy(old, a, n * size);
    if (method != STILL)
        memcpy(new, b, n * size);
    return bits & ((UINT64_C(1) << n) - 1);
}

/* Pixels x0 to x1 of a row; their bits go to `words`, unless that is NULL. */
COPIED void find_stretch(const uint32_t size, const Method method, const Comparison c,
                         const uint8_t *const pixels, uint8_t *const old, uint8_t *const new,
                         const uint32_t x0, const uint32_t x1, const bool invert,
                         uint64_t *const words)
{
    const uint64_t inverted = invert ? UINT64_MAX : 0;
    uint32_t x = x0, k = 0;
    for (; x1 - x >= 64; x += 64, k++) {
        const size_t at = (size_t) x * size;
        const uint64_t bits = find_64(size, method, c, pixels + at, old + at, new + at);
        if (words != NULL)
            words[k] = bits ^ inverted;
    }
    if (x < x1) {
        const size_t at = (size_t) x * size;
        const uint32_t n = x1 - x;
        const uint64_t bits = find_rest(size, method, c, pixels + at, old + at, new + at, n);
        if (words != NULL)
            words[k] = bits ^ (inverted & ((UINT64_C(1) << n) - 1));
    }
}

COPIED void find_rows(const uint32_t size, const Method method, const Comparison c,
                      const CpuForeground *const f, const CcaJob *const job,
                      const uint32_t first, const uint32_t end)
{
    const bool is_difference = method == DIFFERENCE;
    uint8_t *const old = f->background + (is_difference ? job->update.reference : 0) * f->plane;
    uint8_t *const new = f->background + (is_difference ? job->update.stored : 1) * f->plane;
    const uint32_t width = job->frame.width;
    for (uint32_t y = first; y < end; y++) {
        const uint8_t *const p = (const uint8_t *) job->frame.data + y * job->frame.stride;
        uint8_t *const a = old + (size_t) y * width * size;
        uint8_t *const b = new + (size_t) y * width * size;
        const bool inside = y >= job->y && y - job->y < job->height;
        const uint32_t x0 = inside ? job->x : width;
        const uint32_t x1 = inside ? job->x + job->width : width;
        find_stretch(size, method, c, p, a, b, 0, x0, false, NULL);
        if (inside)
            find_stretch(size, method, c, p, a, b, x0, x1, job->invert,
                         f->mask + (size_t) (y - job->y) * cca_cpu_words(job->width));
        find_stretch(size, method, c, p, a, b, x1, width, false, NULL);
    }
}

COPIED void find_by_size(const uint32_t size, const CpuForeground *const f,
                         const CcaConfig *const config, const CcaJob *const job,
                         const uint32_t first, const uint32_t end)
{
    const CcaUpdate *const u = &job->update;
    const uint32_t highest = size == 1 ? UINT8_MAX : UINT16_MAX;
    const uint32_t contrast = umin(u->contrast, highest);
    const Comparison c = {
        .lift = job->lift,
        .drop = 16 - config->depth,
        .sigma_delta = {
            .contrast = fill_lanes(size, contrast),
            .step = fill_lanes(size, u->step),
            .max_variation = fill_lanes(size, u->max_variation),
            .noise_factor = u->noise_factor,
        },
        .nothing = u->first || u->contrast > highest ? UINT64_MAX : 0,
    };
    if (job->params.foreground == CCA_FOREGROUND_DIFFERENCE)
        find_rows(size, DIFFERENCE, c, f, job, first, end);
    else if (u->first)
        find_rows(size, FIRST, c, f, job, first, end);
    else if (u->due)
        find_rows(size, DUE, c, f, job, first, end);
    else
        find_rows(size, STILL, c, f, job, first, end);
}

/* Rows `first` to `end` of the region. */
static void compare_with_thresholds(const CpuForeground *const f, const CcaJob *const job,
                                    const uint32_t sample_size, const uint32_t first,
                                    const uint32_t end)
{
    const size_t n_words = cca_cpu_words(job->width);
    for (uint32_t y = first; y < end; y++)
        pack_row(job, job->data + y * job->stride, sample_size, f->mask + y * n_words);
}

void LEVEL(cca_cpu_find_bits_)(const CpuForeground *const f,
                               const CcaConfig *const config, const CcaJob *const job,
                               const uint32_t first, const uint32_t end)
{
    if (!cca_has_background(job->params.foreground))
        compare_with_thresholds(f, job, config->sample_size, first, end);
    else if (config->sample_size == 1)
        find_by_size(1, f, config, job, first, end);
    else
        find_by_size(2, f, config, job, first, end);
}
