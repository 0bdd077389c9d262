/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "picture.h"

#define GUARD 256  /* bytes of poison before and after the rows */
#define PALETTE 16 /* different pixel values on each side of the thresholds */

/* Values at, next to and away from the thresholds. If no value lies between
 * them, all pixels are on the other side, independent of the mask. */
static void make_palette(uint16_t values[2][PALETTE], const uint32_t top, const CcaParams *const p,
                         Rng *const r)
{
    const uint32_t high = p->threshold_high < top ? p->threshold_high : top;
    const uint32_t low = p->threshold < top ? p->threshold : top;
    const bool between = low < high, above = between && high < top;
    for (uint32_t i = 0; i < PALETTE; i++) {
        const uint32_t outside[] = {
            low,
            0,
            rng_range(r, 0, low),
            above ? high + 1 : low,
            above ? top : 0,
            above ? rng_range(r, high + 1, top) : rng_range(r, 0, between ? low : top),
        };
        const uint32_t out = outside[i < 6 ? i : rng_below(r, 6)];
        uint32_t in = out;
        if (between)
            in = i == 0 ? low + 1 : i == 1 ? high : rng_range(r, low + 1, high);
        values[p->invert][i] = (uint16_t) out;
        values[!p->invert][i] = (uint16_t) in;
    }
}

static void put(uint8_t *const row, const size_t x, const uint32_t sample_size,
                const uint16_t value)
{
    if (sample_size == 1)
        row[x] = (uint8_t) value;
    else
        memcpy(row + 2 * x, &value, 2);
}

static bool make_arena(Picture *const p, const size_t size)
{
    if (size <= p->arena_size)
        return true;
    const size_t page = (size_t) sysconf(_SC_PAGESIZE);
    if (p->mapping)
        munmap(p->mapping, p->mapping_size);
    p->arena_size = (size + page - 1) / page * page;
    p->mapping_size = p->arena_size + 2 * page;
    p->mapping = mmap(NULL, p->mapping_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p->mapping == MAP_FAILED ||
        mprotect(p->mapping + page, p->arena_size, PROT_READ | PROT_WRITE) != 0) {
        if (p->mapping != MAP_FAILED)
            munmap(p->mapping, p->mapping_size);
        p->mapping = NULL;
        p->arena_size = 0;
        return false;
    }
    p->arena = p->mapping + page;
    return true;
}

/* Finds room for `size` bytes of rows and for the poison around them. */
static uint8_t *place(Picture *const p, const size_t size, const Layout *const layout)
{
    if (!make_arena(p, size + 2 * GUARD + layout->misalignment))
        return NULL;
    uint8_t *const end = p->arena + p->arena_size;
    uint8_t *data = p->arena + GUARD + layout->misalignment;
    if (layout->placement == PLACE_START)
        data = p->arena;
    else if (layout->placement == PLACE_END)
        data = end - size;
    p->window = data - p->arena > GUARD ? data - GUARD : p->arena;
    uint8_t *const window_end = end - (data + size) > GUARD ? data + size + GUARD : end;
    p->window_size = (size_t) (window_end - p->window);
    return data;
}

static void spread_poison(Picture *const p, const Poison poison, uint16_t values[2][PALETTE],
                          Rng *const r)
{
    const size_t odd = p->sample_size == 2 ? (uintptr_t) p->window % 2 : 0;
    const size_t n = (p->window_size - odd) / p->sample_size;
    uint64_t bits = rng_next(r);
    for (size_t i = 0; i < n; i++) {
        const size_t side = poison == POISON_MIXED ? bits >> i % 64 & 1 :
                                                     poison == POISON_FOREGROUND;
        put(p->window + odd, i, p->sample_size, values[side][i % PALETTE]);
    }
}

static void paint(Picture *const p, const Mask *const mask, uint8_t *const data,
                  const size_t stride, uint16_t values[2][PALETTE], Rng *const r)
{
    p->foreground = 0;
    for (uint32_t y = 0; y < mask->height; y++) {
        const uint8_t *const m = mask->pixels + (size_t) y * mask->width;
        uint8_t *const row = data + (y ? y * stride : 0);
        uint64_t bits = 0;
        for (uint32_t x = 0; x < mask->width; x++, bits >>= 4) {
            if (x % 16 == 0)
                bits = rng_next(r);
            put(row, x, p->sample_size, values[m[x]][bits & 15]);
            p->foreground += m[x];
        }
    }
}

/* A value as it is stored, with anything in the bits that do not count. */
static uint16_t make_sample(const uint32_t value, const uint32_t top, const uint32_t shift,
                            Rng *const r)
{
    return (uint16_t) ((rng_next(r) & ~((uint64_t) top << shift)) | value << shift);
}

static void make_samples(uint16_t values[2][PALETTE], const uint32_t top, const uint32_t shift,
                         Rng *const r)
{
    for (uint32_t i = 0; i < 2 * PALETTE; i++) {
        uint16_t *const v = &values[i / PALETTE][i % PALETTE];
        *v = make_sample(*v, top, shift, r);
    }
}

static void set_frame(Picture *const p, const uint8_t *const data, const uint32_t width,
                      const uint32_t height, const Layout *const layout, Rng *const r)
{
    const size_t row = (size_t) width * p->sample_size;
    p->frame = (CcaFrame) {
        .data = data,
        .width = width,
        .height = height,
        .stride = row + layout->padding,
    };
    if (height == 1 && layout->padding == 0) { /* any stride will do */
        const size_t strides[] = { 0, 1, row, SIZE_MAX };
        p->frame.stride = strides[rng_below(r, 4)];
    }
}

/* For picture_intact(). */
static bool copy_window(Picture *const p)
{
    if (p->copy_room < p->window_size) {
        free(p->copy);
        p->copy = malloc(p->window_size);
        p->copy_room = p->copy ? p->window_size : 0;
        if (p->copy == NULL)
            return false;
    }
    memcpy(p->copy, p->window, p->window_size);
    return true;
}

bool picture_make(Picture *const p, const Mask *const mask, const CcaConfig *const config,
                  const CcaParams *const params, const Layout *const layout, Rng *const r)
{
    const uint32_t top = (1u << config->depth) - 1;
    const size_t row = (size_t) mask->width * config->sample_size;
    const size_t stride = row + layout->padding;
    const size_t size = stride * (mask->height - 1) + row;
    uint16_t values[2][PALETTE];
    make_palette(values, top, params, r);
    make_samples(values, top, config->shift, r);

    p->sample_size = config->sample_size;
    uint8_t *const data = place(p, size, layout);
    if (data == NULL)
        return false;
    spread_poison(p, layout->poison, values, r);
    paint(p, mask, data, stride, values, r);
    if (params->threshold >= (params->threshold_high < top ? params->threshold_high : top))
        p->foreground = params->invert ? (uint64_t) mask->width * mask->height : 0;

    set_frame(p, data, mask->width, mask->height, layout, r);
    return copy_window(p);
}

bool picture_of_values(Picture *const p, const uint16_t *const v, const uint32_t width,
                       const uint32_t height, const CcaConfig *const config,
                       const Layout *const layout, Rng *const r)
{
    const uint32_t top = (1u << config->depth) - 1;
    const size_t row = (size_t) width * config->sample_size, stride = row + layout->padding;
    uint16_t values[2][PALETTE];
    for (uint32_t i = 0; i < 2 * PALETTE; i++)
        values[i / PALETTE][i % PALETTE] = (uint16_t) (i % 4 == 0 ? 0 :
                                                       i % 4 == 1 ? top :
                                                                    rng_range(r, 0, top));
    make_samples(values, top, config->shift, r);

    p->sample_size = config->sample_size;
    p->foreground = 0;
    uint8_t *const data = place(p, stride * (height - 1) + row, layout);
    if (data == NULL)
        return false;
    spread_poison(p, layout->poison, values, r);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            put(data + (y ? y * stride : 0), x, p->sample_size,
                make_sample(v[(size_t) y * width + x], top, config->shift, r));
    set_frame(p, data, width, height, layout, r);
    return copy_window(p);
}

bool picture_intact(const Picture *const p)
{
    return memcmp(p->window, p->copy, p->window_size) == 0;
}

void picture_free(Picture *const p)
{
    if (p->mapping)
        munmap(p->mapping, p->mapping_size);
    free(p->copy);
    memset(p, 0, sizeof(*p));
}
