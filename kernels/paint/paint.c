/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Paints label images on the CPU, in blocks of labels.
 * tests/check/paint/blocks.c defines each pixel. */

#include "paint.h"

#include <stdbool.h>
#include <string.h>

#include "../copied.h"
#include "../level.h"
#include "pixel.h"

/* Number of labels painted at a time. */
#define BLOCK 16

/* Number of labels gathered at a time for a picture of another width. */
#define CHUNK (64 * BLOCK)

#define MAX_LABEL_SIZE 2
#define MAX_PIXEL_SIZE 4

typedef uint8_t Bytes __attribute__((vector_size(BLOCK)));
typedef uint16_t Words __attribute__((vector_size(BLOCK)));
typedef uint32_t Colors __attribute__((vector_size(BLOCK)));

/* --- places --------------------------------------------------------------- */

/* Iterates over the pixels that contain the centres of n pixels if `from` pixels have the same
 * total length: for pixel i the quotient and the remainder of (2 * i + 1) * from / (2 * n). */
typedef struct Place {
    uint64_t at, rest;
} Place;

static Place first_place(const uint64_t from, const uint64_t n)
{
    return (Place) { from / (2 * n), from % (2 * n) };
}

static void next_place(Place *const place, const uint64_t from, const uint64_t n)
{
    place->at += from / n;
    place->rest += 2 * (from % n);
    if (place->rest >= 2 * n) {
        place->rest -= 2 * n;
        place->at++;
    }
}

/* --- blocks --------------------------------------------------------------- */

COPIED void paint_mask(uint8_t *const out, const uint8_t *const labels, const uint32_t size)
{
    Bytes v, w;
    memcpy(&v, labels, sizeof(v));
    if (size == 2) {
        /* a comparison sets both bytes of a label, so that one of them is enough */
        memcpy(&w, labels + BLOCK, sizeof(w));
        v = (Bytes) ((Words) v != 0);
        w = (Bytes) ((Words) w != 0);
        v = __builtin_shufflevector(v, w, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                    30);
    }
    v = (Bytes) (v != 0);
    memcpy(out, &v, sizeof(v));
}

COPIED void paint_labels(uint8_t *const out, const uint8_t *const labels, const uint32_t size)
{
    if (size == 2) {
        memcpy(out, labels, 2 * BLOCK);
        return;
    }
    const Bytes zero = { 0 };
    Bytes bytes;
    memcpy(&bytes, labels, sizeof(bytes));
    /* the lower byte first, on any CPU */
    const Bytes low = __builtin_shufflevector(bytes, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                              6, 22, 7, 23);
    const Bytes high = __builtin_shufflevector(bytes, zero, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                               13, 29, 14, 30, 15, 31);
    memcpy(out, &low, sizeof(low));
    memcpy(out + BLOCK, &high, sizeof(high));
}

/* Returns whether `n` labels, a multiple of 4, are equal. */
COPIED bool is_even(const uint8_t *const labels, const uint32_t size, const uint32_t n)
{
    uint64_t first, word, all = 0;
    memcpy(&first, labels, 4 * size);
    memcpy((uint8_t *) &first + 8 - 4 * size, labels, 4 * size);
    for (uint32_t i = 0; i + 8 / size <= n; i += 8 / size) {
        memcpy(&word, labels + i * size, sizeof(word));
        all |= word ^ first;
    }
    const uint64_t rotated = first << 8 * size | first >> (64 - 8 * size);
    return (all | (first ^ rotated)) == 0;
}

COPIED uint32_t label_at(const uint8_t *const p, const uint32_t size)
{
    return size == 1 ? p[0] : p[0] | (uint32_t) p[1] << 8;
}

COPIED void paint_colors(uint8_t *const out, const uint8_t *const labels, const uint32_t size,
                         const CcaPaintPalette *const palette)
{
    const bool is_block_even = is_even(labels, size, BLOCK);
    uint32_t c = palette->colors[label_at(labels, size)];
    for (uint32_t i = 0; i < BLOCK; i += 4) {
        const uint8_t *const label = labels + i * size;
        if (!is_block_even)
            c = palette->colors[label_at(label, size)];
        Colors four = { c, c, c, c };
        if (!is_block_even && !is_even(label, size, 4))
            for (uint32_t k = 1; k < 4; k++)
                four[k] = palette->colors[label_at(label + k * size, size)];
        memcpy(out + 4 * i, &four, sizeof(four));
    }
}

COPIED void paint_block(uint8_t *const out, const CcaPaintMode mode, const uint8_t *const labels,
                        const uint32_t size, const CcaPaintPalette *const palette)
{
    if (mode == CCA_PAINT_MASK)
        paint_mask(out, labels, size);
    else if (mode == CCA_PAINT_LABELS)
        paint_labels(out, labels, size);
    else
        paint_colors(out, labels, size, palette);
}

/* --- rows ----------------------------------------------------------------- */

COPIED void paint_blocks(uint8_t *out, const CcaPaintMode mode, const uint8_t *labels,
                         const uint32_t size, uint32_t n, const CcaPaintPalette *const palette)
{
    const uint32_t pixel = cca_paint_size(mode);
    for (; n >= BLOCK; n -= BLOCK, out += BLOCK * pixel, labels += BLOCK * size)
        paint_block(out, mode, labels, size, palette);
    if (n > 0) {
        uint8_t last[MAX_LABEL_SIZE * BLOCK] = { 0 }, pixels[MAX_PIXEL_SIZE * BLOCK];
        memcpy(last, labels, n * size);
        paint_block(pixels, mode, last, size, palette);
        memcpy(out, pixels, n * pixel);
    }
}

COPIED void paint_mode(uint8_t *const out, const CcaPaintMode mode, const uint8_t *const labels,
                       const uint32_t size, const uint32_t n, const CcaPaintPalette *const palette)
{
    if (size == 1)
        paint_blocks(out, mode, labels, 1, n, palette);
    else
        paint_blocks(out, mode, labels, 2, n, palette);
}

static void paint_stretch(uint8_t *const out, const CcaPaintMode mode, const uint8_t *const labels,
                          const uint32_t size, const uint32_t n,
                          const CcaPaintPalette *const palette)
{
    switch (mode) {
    case CCA_PAINT_MASK: paint_mode(out, CCA_PAINT_MASK, labels, size, n, NULL); break;
    case CCA_PAINT_LABELS: paint_mode(out, CCA_PAINT_LABELS, labels, size, n, NULL); break;
    default: paint_mode(out, CCA_PAINT_COLORS, labels, size, n, palette); break;
    }
}

/* Paints a row whose width differs from that of the labels, which are gathered first. */
static void paint_scaled(const CcaPaintPicture *const picture, uint8_t *const out,
                         const CcaPaintMode mode, const CcaPaintLabels *const labels,
                         const uint8_t *const row, const CcaPaintPalette *const palette)
{
    const uint32_t pixel = cca_paint_size(mode), size = labels->size;
    Place column = first_place(labels->width, picture->width);
    for (uint32_t x = 0, n; x < picture->width; x += n) {
        uint8_t chunk[MAX_LABEL_SIZE * CHUNK];
        n = umin(picture->width - x, CHUNK);
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t *const label = row + column.at * size;
            chunk[i * size] = label[0];
            if (size == 2)
                chunk[i * size + 1] = label[1];
            next_place(&column, labels->width, picture->width);
        }
        paint_stretch(out + (uint64_t) x * pixel, mode, chunk, size, n, palette);
    }
}

static void paint_background(const CcaPaintPicture *const picture, uint8_t *const out,
                             const CcaPaintLabels *const labels, const uint8_t *const row)
{
    if (picture->width == labels->width && labels->size == 1) {
        memcpy(out, row, picture->width);
        return;
    }
    Place column = first_place(labels->width, picture->width);
    for (uint32_t x = 0; x < picture->width; x++) {
        out[x] = (uint8_t) (label_at(row + column.at * labels->size, labels->size) >> labels->drop);
        next_place(&column, labels->width, picture->width);
    }
}

/* --- all ------------------------------------------------------------------ */

static void set_color(CcaPaintPalette *const palette, const uint32_t label, const uint32_t key)
{
    cca_paint_store((uint8_t *) &palette->colors[label], cca_paint_color(key), 4);
}

/* The colours of labels without a key never change, so they are found once. */
static void set_palette(CcaPaintPalette *const palette, const CcaPaintLabels *const labels)
{
    const uint32_t n_keys = umin(labels->n_keys, CCA_PAINT_N_COLORS);
    for (uint32_t l = n_keys; l < palette->n_keys; l++)
        set_color(palette, l, l);
    for (uint32_t l = umax(palette->n_set, n_keys); l < 1u << 8 * labels->size; l++)
        set_color(palette, l, l);
    for (uint32_t l = 0; l < n_keys; l++)
        set_color(palette, l, labels->keys[l]);
    palette->colors[0] = 0;
    palette->n_keys = n_keys;
    palette->n_set = umax(palette->n_set, umax(n_keys, 1u << 8 * labels->size));
}

void LEVEL(cca_paint_)(const CcaPaintPicture *const picture, const CcaPaintMode mode,
                       const CcaPaintLabels *const labels, CcaPaintPalette *const palette)
{
    if (mode == CCA_PAINT_COLORS)
        set_palette(palette, labels);
    Place y = first_place(labels->height, picture->height);
    for (uint32_t i = 0; i < picture->height; i++) {
        uint8_t *const out = picture->data + picture->stride * i;
        const uint8_t *const row = labels->data + labels->stride * y.at;
        if (mode == CCA_PAINT_BACKGROUND)
            paint_background(picture, out, labels, row);
        else if (picture->width == labels->width)
            paint_stretch(out, mode, row, labels->size, labels->width, palette);
        else
            paint_scaled(picture, out, mode, labels, row, palette);
        next_place(&y, labels->height, picture->height);
    }
}
