/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_H
#define CCA_OVERLAY_H

/* Draws boxes, paths, texts and masks into a picture. A drawing is a list of commands. Each has one
 * colour, and gives every pixel an alpha of 0 to 255. Commands are drawn in order, later ones over
 * earlier ones. Each command blends each sample once. */

#include <stddef.h>
#include <stdint.h>

#include "../cca.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CCA_OVERLAY_MAX_CHANNELS 3

/* No coordinate of a command is further from 0, and no picture wider or higher. */
#define CCA_OVERLAY_MAX_COORDINATE (1 << 28)

/* Paths and texts are no longer. */
#define CCA_OVERLAY_MAX_POINTS 32
#define CCA_OVERLAY_MAX_CHARACTERS 64

/* A channel of the picture: Y, U or V; R, G or B; grey. Its samples stand for cells of
 * 1 << cell_x times 1 << cell_y pixels, the first one for the pixel (0, 0) and others. */
typedef struct CcaOverlayChannel {
    uint8_t *data;          /* first sample; for the GPU in device memory */
    uint64_t stride;        /* bytes from row to row of samples */
    uint32_t step;          /* bytes from sample to sample: 1, 2 or 4 samples */
    uint8_t cell_x, cell_y; /* at most 2 */
    uint8_t reserved[2];    /* 0; replaces padding with undefined bytes */
} CcaOverlayChannel;

typedef struct CcaOverlayPicture {
    CcaOverlayChannel channels[CCA_OVERLAY_MAX_CHANNELS];
    uint32_t n_channels;     /* at least 1; those with smaller cells come first, and cells of
                              * one width have one height */
    uint32_t x0, y0, x1, y1; /* pixels that may be drawn on: [x0, x1) times [y0, y1). A cell
                              * is drawn on if one of its pixels is */
    uint32_t sample_size;    /* bytes, 1 or 2; samples of 2 are aligned */
    uint32_t depth;          /* bits of a value: 8 in a byte, at most 16 in two bytes */
    uint32_t shift;          /* unused bits below the value; these and those above become 0 */
    uint32_t reserved;
} CcaOverlayPicture;

typedef enum CcaOverlayKind {
    CCA_OVERLAY_BOX,  /* an outline within a rectangle, and its inside */
    CCA_OVERLAY_PATH, /* segments from point to point */
    CCA_OVERLAY_TEXT, /* characters side by side */
    CCA_OVERLAY_MASK, /* pixels whose bits are set */
} CcaOverlayKind;

/* Coordinates may be negative or outside the picture, and do not wrap. */
typedef struct CcaOverlayCommand {
    int32_t x0, y0, x1, y1; /* pixels that it may draw on: [x0, x1) times [y0, y1) */
    uint16_t colour[CCA_OVERLAY_MAX_CHANNELS]; /* in values of the picture's depth */
    uint8_t kind;
    uint8_t alpha;      /* of outline, path, characters or mask */
    uint32_t inside;    /* of a box: alpha of the pixels inside the outline */
    uint32_t thickness; /* of outline or path, in pixels */
    uint32_t first,
        n; /* path: index of its first word, and number of points, at least 1, of
            * which each has the words x and y; text: index of its first word, and number
            * of characters, 4 in a word, the first one in the lowest byte;
            * mask: index of the first of two words for each row */
} CcaOverlayCommand;

typedef struct CcaOverlayList {
    const CcaOverlayCommand *commands;
    const uint32_t *words; /* coordinates are int32_t in them */
    uint32_t n_commands, n_words;
} CcaOverlayList;

/* A mask is inside one square of this size, whose columns and rows begin at multiples of it. The
 * words of a row have the pixels of the square from left to right, the first one in the lowest
 * bit. */
#define CCA_OVERLAY_MASK_SIZE 64

/* The characters that can be drawn: a text has their indices. The last one is a blank. */
#define CCA_OVERLAY_CHARACTERS "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:+/<> "
#define CCA_OVERLAY_N_GLYPHS ((uint32_t) sizeof(CCA_OVERLAY_CHARACTERS) - 1)

/* These characters, one after the other: the coverage of each pixel, 0 to 255, in rows of `width`
 * bytes. The characters of a command have that width. */
typedef struct CcaOverlayGlyphs {
    const uint8_t *coverage;
    uint32_t width, height; /* of a character; 0 if there are none */
} CcaOverlayGlyphs;

/* Draws on the CPU. */
typedef void CcaOverlayDraw(const CcaOverlayPicture *picture, const CcaOverlayGlyphs *glyphs,
                            const CcaOverlayList *list);

/* The code for a level, which is not above cca_cpu_level(). All levels give the same bytes. */
CcaOverlayDraw *cca_overlay_code(CcaCpuLevel level);
CcaOverlayDraw cca_overlay_draw_baseline, cca_overlay_draw_v3, cca_overlay_draw_v4;

#ifdef __cplusplus
}
#endif

#endif /* CCA_OVERLAY_H */
