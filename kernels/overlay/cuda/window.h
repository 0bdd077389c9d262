/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_WINDOW_H
#define CCA_OVERLAY_WINDOW_H

/* The data of a launch. Each tile that commands touch has words in host memory, which the GPU
 * reads once. The list of tiles is an argument of the kernel, so that the loads of samples overlap
 * with those of words. */

#include "../overlay.h"

/* Width and height of a tile in pixels: whole cells. */
#define CCA_OVERLAY_TILE CCA_OVERLAY_MASK_SIZE
#define CCA_OVERLAY_THREADS 256

/* Tiles in a row and in a column of a window. Their index fits in a byte. */
#define CCA_OVERLAY_TILES 256
#define CCA_OVERLAY_WINDOW (CCA_OVERLAY_TILES * CCA_OVERLAY_TILE)

/* The words of a tile are its commands in order, in consecutive pages. A block reads a page at a
 * time, and each thread a unit of it. No command is in two pages. */
#define CCA_OVERLAY_UNIT_WORDS 4
#define CCA_OVERLAY_PAGE_WORDS (CCA_OVERLAY_THREADS * CCA_OVERLAY_UNIT_WORDS)

/* Indices of the first words of a command. Coordinates are relative to the tile. */
enum {
    CCA_OVERLAY_AT_HEAD,        /* bytes: kind, alpha, alpha inside, number of words */
    CCA_OVERLAY_AT_COLOURS,     /* two words: the colours, 16 bits each */
    CCA_OVERLAY_AT_OUTSIDE = 3, /* bytes: x0, y0, x1 and y1 of the pixels to draw on */
    CCA_OVERLAY_AT_REST,
};

/* The rest of a box is a word with the bytes x0, y0, x1 and y1 of its inside. The rest of a path
 * is its thickness and its points, with x and y in 16 bits each, or in a word each if it is a far
 * path. The rest of a text is x and y of its first character, and the characters. The rest of a
 * mask are two words for each row to draw on. */
enum {
    CCA_OVERLAY_FAR_PATH = CCA_OVERLAY_MASK + 1,
};

/* Ends the commands, in place of a head. */
#define CCA_OVERLAY_END 0

/* Limits of a path that is not far: the distance of its points from the tile and its thickness, in
 * pixels. With these, all products fit in 31 bits. */
#define CCA_OVERLAY_NEAR 16384
#define CCA_OVERLAY_NEAR_THICKNESS 4096

/* Maximum number of tiles that fit in the arguments of a kernel. A tile is a word: its column and
 * its row in a byte each, and the index of its first unit in 16 bits. One more entry has the end of
 * the last tile's words. */
#define CCA_OVERLAY_MAX_TILES 960

typedef struct CcaOverlayWindow {
    CcaOverlayPicture picture;
    CcaOverlayGlyphs glyphs; /* in device memory */
    const void *words;       /* units of all tiles */
    uint32_t x, y;           /* of its upper left pixel in the picture */
    uint32_t n_tiles;
    uint32_t tiles[CCA_OVERLAY_MAX_TILES + 1];
} CcaOverlayWindow;

#endif /* CCA_OVERLAY_WINDOW_H */
