/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CPU_STRETCH_H
#define CCA_OVERLAY_CPU_STRETCH_H

/* Blends stretches of cells that have the same alpha. */

#include <string.h>

#include "planes.h"

/* A block of samples of a byte, or those at even or odd places in 16 bits each. */
typedef uint8_t Bytes __attribute__((vector_size(LANES)));
typedef uint16_t Words __attribute__((vector_size(LANES)));
typedef uint8_t Half __attribute__((vector_size(LANES / 2)));

static Bytes load_block(const uint8_t *const p)
{
    Bytes block;
    memcpy(&block, p, sizeof(block));
    return block;
}

static void store_block(uint8_t *const p, const Bytes block)
{
    memcpy(p, &block, sizeof(block));
}

static Words even(const Bytes block)
{
    return (Words) block & 0xff;
}

static Words odd(const Bytes block)
{
    return (Words) block >> 8;
}

static Bytes join(const Words even, const Words odd)
{
    return (Bytes) (even | odd << 8);
}

static Bytes max_bytes(const Bytes a, const Bytes b)
{
    const Bytes is_greater = (Bytes) (a > b);
    return (a & is_greater) | (b & ~is_greater);
}

/* v / 255 of values below 65535. */
static Words divide(const Words v)
{
    return (v + 1 + (v >> 8)) >> 8;
}

/* blend() as (v * value + colours) / 255 for the samples of whole cells. A sample of no channel
 * keeps its value. `value` and `colours` are not set if alpha is 0 or `fills` is true. */
typedef struct Blend {
    uint32_t alpha;
    uint8_t bytes[PERIOD]; /* colours of samples of a byte */
    bool fills;            /* every byte is replaced by these */
    uint8_t value[LANES];
    uint32_t colours[LANES];
    Words even_colours, odd_colours; /* for samples of a byte */
    uint16_t kept[LANES];            /* bits of a sample of two bytes */
} Blend;

static Blend blend_of(const Plane *const plane, const CcaOverlayCommand *const c,
                      const uint32_t alpha)
{
    const uint32_t is_wide = plane->sample_size - 1;
    Blend b;
    b.alpha = alpha;
    b.fills = !is_wide && alpha == 255;
    for (uint32_t k = 0; k < PERIOD; k++) {
        const int32_t channel = plane->channel[k];
        b.bytes[k] = (uint8_t) (channel >= 0 ? c->colour[channel] : 0);
        b.fills = b.fills && channel >= 0;
    }
    if (b.fills || alpha == 0)
        return b;
    for (uint32_t k = 0; k < LANES; k++) {
        const int32_t channel = plane->channel[k];
        b.value[k] = (uint8_t) (channel >= 0 ? 255 - alpha : 255 * (1 - is_wide));
        b.colours[k] = channel >= 0 ? alpha * c->colour[channel] + 127 : 127;
        b.kept[k] = channel >= 0 ? 0 : 0xffff;
    }
    b.even_colours = even(load_block(b.bytes)) * (uint16_t) alpha + 127;
    b.odd_colours = odd(load_block(b.bytes)) * (uint16_t) alpha + 127;
    return b;
}

/* Replaces bytes of whole cells. The last block is aligned to the end and may overlap the one
 * before it. */
static void fill_bytes(uint8_t *p, uint32_t n, const Blend *const b)
{
    if (n >= LANES) {
        uint8_t *const end = p + n - LANES;
        for (; p < end; p += LANES)
            memcpy(p, b->bytes, LANES);
        memcpy(end, b->bytes, LANES);
    } else if (n >= 8) {
        memcpy(p, b->bytes, 8);
        memcpy(p + n - 8, b->bytes, 8);
    } else if (n >= 4) {
        memcpy(p, b->bytes, 4);
        memcpy(p + n - 4, b->bytes, 4);
    } else if (n >= 2) {
        memcpy(p, b->bytes, 2);
        memcpy(p + n - 2, b->bytes, 2);
    } else {
        p[0] = b->bytes[0];
    }
}

/* Blends samples of 8 bits. */
static void blend_bytes(uint8_t *p, uint32_t n, const Blend *const b)
{
    const Bytes value = load_block(b->value);
    for (; n >= LANES; n -= LANES, p += LANES) {
        const Bytes v = load_block(p);
        store_block(p, join(divide(even(v) * even(value) + b->even_colours),
                            divide(odd(v) * odd(value) + b->odd_colours)));
    }
    for (uint32_t k = 0; k < n; k++)
        p[k] = (uint8_t) ((p[k] * b->value[k] + b->colours[k]) / 255);
}

static uint16_t blend_word(const Plane *const plane, const uint16_t v, const Blend *const b,
                           const uint32_t k)
{
    const uint32_t value = v >> plane->shift & ((1u << plane->depth) - 1);
    const uint32_t blended = (value * b->value[k] + b->colours[k]) / 255;
    return (uint16_t) (blended << plane->shift | (v & b->kept[k]));
}

static void blend_words(const Plane *const plane, uint16_t *p, uint32_t n, const Blend *const b)
{
    for (; n >= LANES; n -= LANES, p += LANES)
        for (uint32_t k = 0; k < LANES; k++)
            p[k] = blend_word(plane, p[k], b, k);
    for (uint32_t k = 0; k < n; k++)
        p[k] = blend_word(plane, p[k], b, k);
}

/* `n_cells` is at least 1. */
static void draw_stretch(const Plane *const plane, const Blend *const b, uint8_t *const p,
                         const uint32_t n_cells)
{
    const uint32_t n = (n_cells - 1) * plane->n + plane->last + 1;
    if (b->fills)
        fill_bytes(p, n, b);
    else if (plane->sample_size == 1)
        blend_bytes(p, n, b);
    else
        blend_words(plane, (uint16_t *) (void *) p, n, b);
}

#endif /* CCA_OVERLAY_CPU_STRETCH_H */
