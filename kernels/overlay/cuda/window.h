/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_WINDOW_H
#define CCA_OVERLAY_WINDOW_H

/* The data of a launch. Each tile that commands touch has words of its own, in host memory,
 * which the GPU reads once; the list of tiles is an argument of the kernel, so that it reads
 * their samples meanwhile. */

#include "../overlay.h"

/* Pixels of a tile, whole cells. */
#define CCA_OVERLAY_TILE 64
#define CCA_OVERLAY_THREADS 256

/* Tiles in a row and in a column of a window: a byte holds their index. */
#define CCA_OVERLAY_TILES 256
#define CCA_OVERLAY_WINDOW (CCA_OVERLAY_TILES * CCA_OVERLAY_TILE)

/* The words of a tile are commands, in order. They fill pages, one after the other, which
 * a block reads at once; no command lies in two of them. */
#define CCA_OVERLAY_UNIT_WORDS 4 /* that a thread reads */
#define CCA_OVERLAY_PAGE_WORDS (CCA_OVERLAY_THREADS * CCA_OVERLAY_UNIT_WORDS)

/* The words of a command begin with these; pixels count from the upper left of the tile. */
enum {
    CCA_OVERLAY_AT_HEAD,        /* bytes: kind, alpha, alpha inside, words of all of it */
    CCA_OVERLAY_AT_COLOURS,     /* two: halves, the colours */
    CCA_OVERLAY_AT_OUTSIDE = 3, /* bytes: x0, y0, x1 and y1 of what may be drawn on */
    CCA_OVERLAY_AT_REST,
};

/* Then a box has x0, y0, x1 and y1 inside; a path its thickness and points of two halves, or
 * if it is a far one of two words; a number x and y of its first digit and its digits. */
enum {
    CCA_OVERLAY_FAR_PATH = CCA_OVERLAY_NUMBER + 1,
};

/* Ends the commands, instead of the head of one. */
#define CCA_OVERLAY_END 0

/* Limits, in pixels, of the distance from the tile and of the thickness of a path that is not
 * far: then 31 bits hold all products. */
#define CCA_OVERLAY_NEAR 16384
#define CCA_OVERLAY_NEAR_THICKNESS 4096

/* The most tiles that fit into the arguments of a kernel. A tile is a word: its column and its
 * row (bytes) and the first unit of its words (a half). One more entry has the end of the last
 * tile's words. */
#define CCA_OVERLAY_MOST_TILES 960

typedef struct CcaOverlayWindow {
    CcaOverlayPicture picture;
    CcaOverlayGlyphs glyphs; /* in device memory */
    const void *words;       /* in units */
    uint32_t x, y;           /* of its upper left pixel in the picture */
    uint32_t n_tiles;
    uint32_t tiles[CCA_OVERLAY_MOST_TILES + 1];
} CcaOverlayWindow;

#endif /* CCA_OVERLAY_WINDOW_H */
