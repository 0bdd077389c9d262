/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_PAINT_H
#define CCA_PAINT_H

/* Converts label images to pictures: a mask, the labels themselves, or a colour for each label.
 * Pictures of the background are converted as if their values were labels. */

#include <stddef.h>
#include <stdint.h>

#include "../cca.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CcaPaintMode {
    CCA_PAINT_MASK,       /* 1 byte a pixel: 255 where there is a label, else 0 */
    CCA_PAINT_LABELS,     /* 2 bytes, little-endian: the label */
    CCA_PAINT_COLORS,     /* 4 bytes, RGBA: the colour of the label's key; all 0 without a label */
    CCA_PAINT_BACKGROUND, /* 1 byte: the value without its `drop` lowest bits */
} CcaPaintMode;

/* Rows of labels of 1 byte, or of 2 bytes (little-endian), at any address. */
typedef struct CcaPaintLabels {
    const uint8_t *data; /* for the GPU in device memory */
    uint64_t stride;     /* bytes from row to row */
    uint32_t width, height;
    uint32_t size;   /* bytes of a label */
    uint32_t drop;   /* for CCA_PAINT_BACKGROUND: 0 for 1 byte, up to 8 for 2 bytes */
    uint32_t n_keys; /* label l has the key keys[l]; from n_keys on the key is l itself */
    const uint32_t *keys;
} CcaPaintLabels;

/* A picture of another size than the label image is scaled: each pixel gets the label at its
 * centre, or the right or lower one if the centre is between two. */
typedef struct CcaPaintPicture {
    uint8_t *data;
    uint64_t stride;
    uint32_t width, height;
} CcaPaintPicture;

#define CCA_PAINT_N_COLORS 65536

/* The colour of each label, kept from frame to frame. All 0 at first. */
typedef struct CcaPaintPalette {
    uint32_t n_set;  /* number of colours that are set */
    uint32_t n_keys; /* number of these, the first ones, that are the colours of keys */
    uint32_t colors[CCA_PAINT_N_COLORS];
} CcaPaintPalette;

/* Paints on the CPU. Only the colours need a palette. */
typedef void CcaPaint(const CcaPaintPicture *picture, CcaPaintMode mode,
                      const CcaPaintLabels *labels, CcaPaintPalette *palette);

/* The code for a level, which is not above cca_cpu_level(). All levels give the same bytes. */
CcaPaint *cca_paint_code(CcaCpuLevel level);
CcaPaint cca_paint_baseline, cca_paint_v3, cca_paint_v4;

#ifdef __cplusplus
}
#endif

#endif /* CCA_PAINT_H */
