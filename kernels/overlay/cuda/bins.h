/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_BINS_H
#define CCA_OVERLAY_BINS_H

/* Sorts the commands of a drawing by the tiles that they touch, launch by launch. */

#include <stdbool.h>

#include "window.h"

/* A rectangle or two points as one value: an operation applies to all four coordinates. */
typedef int32_t OverlayEdges __attribute__((vector_size(16)));

/* A command in a tile. */
typedef struct OverlayRef {
    uint32_t command;
    uint32_t at;   /* its first word, of those of the tile */
    uint32_t tile; /* bytes: its column and row, and the first point and the number of points that
                    * it needs of a path; CCA_OVERLAY_REF_IS_FAR */
} OverlayRef;

#define CCA_OVERLAY_REF_IS_FAR 0x80000000u /* to be written as CCA_OVERLAY_FAR_PATH */

typedef struct OverlayTile {
    uint32_t words;  /* how many; while they are written, the first one in the launch */
    uint32_t corner; /* while they are written: x and y in the window, 16 bits each */
} OverlayTile;

#define CCA_OVERLAY_MAX_REFS 16384
#define CCA_OVERLAY_MAX_BYTES ((size_t) 65535 * 16)

/* A path has twice as many words as points, and space that may stay empty. Some words after the
 * last point are read. */
#define CCA_OVERLAY_MAX_PACKED (CCA_OVERLAY_MAX_BYTES / 8 + CCA_OVERLAY_MAX_POINTS + 4)

/* About 1.2 MB, of a fixed size. A list that does not fit needs several launches. */
typedef struct OverlayBins {
    /* the drawing */
    CcaOverlayPicture picture;
    CcaOverlayList list;
    bool swaps; /* the second and third channel are exchanged */

    /* position of the next launch: a window, a command, a row of tiles */
    uint32_t x, y;
    OverlayEdges origin, least, most; /* of the window, and of the picture in it */
    uint32_t command;
    int32_t row;

    /* of the launch */
    uint32_t n_refs, n_tiles, n_points;
    uint32_t n_small;                          /* at least as many small commands fit */
    size_t n_bytes;                            /* maximum size of the words */
    bool is_far;                               /* a path is far, see CCA_OVERLAY_FAR_PATH */
    uint16_t tiles[CCA_OVERLAY_MAX_TILES];     /* touched, in the order of their first command */
    OverlayRef refs[CCA_OVERLAY_MAX_REFS + 1]; /* in the order of commands */
    OverlayTile of_tiles[CCA_OVERLAY_TILES * CCA_OVERLAY_TILES];
    /* of each path that has references: its points in the window, x and y in 16 bits each */
    uint32_t points[CCA_OVERLAY_MAX_PACKED] __attribute__((aligned(16)));
} OverlayBins;

/* Begins a drawing. The bins must be all 0 before the first one. */
void cca_overlay_bins_begin(OverlayBins *bins, const CcaOverlayPicture *picture,
                            const CcaOverlayList *list);

/* Finds the commands of the next launch, which needs bins->n_bytes. Returns false after the
 * last. */
bool cca_overlay_bins_next(OverlayBins *bins);

/* Writes these commands to `words`, and sets `window` except the addresses of words and glyphs. */
void cca_overlay_bins_write(OverlayBins *bins, uint32_t *words, CcaOverlayWindow *window);

/* Whether the samples are laid out as in NV12 with 8 bits, and words of four are aligned. */
bool cca_overlay_bins_are_nv12(const CcaOverlayPicture *picture);

#endif /* CCA_OVERLAY_BINS_H */
