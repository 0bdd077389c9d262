/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_BINS_H
#define CCA_OVERLAY_BINS_H

/* Which commands touch which tile: what the launches of a drawing get. */

#include <stdbool.h>

#include "window.h"

/* A reference to a command, in the list of a tile. */
typedef struct OverlayRef {
    uint32_t command;
    uint8_t first, n; /* of the points of a path: those that matter to the tile */
    uint16_t next;    /* in the array, 0: there is no more */
} OverlayRef;

#define CCA_OVERLAY_MOST_REFS 16384
#define CCA_OVERLAY_MOST_BYTES ((size_t) 65535 * 16)

/* All of it has its size for ever, some 400 kB: a list that does not fit makes several
 * launches, one after the other. */
typedef struct OverlayBins {
    /* what is drawn */
    CcaOverlayPicture picture;
    CcaOverlayList list;
    bool swaps; /* the colours of the second and third channel */

    /* what comes next: a window, a command, a row of tiles */
    uint32_t x, y;
    uint32_t command;
    int32_t row;

    /* of the launch */
    uint32_t n_refs, n_tiles;
    size_t n_bytes; /* at most */
    bool is_far;    /* a path */
    uint16_t tiles[CCA_OVERLAY_MOST_TILES]; /* touched: column, and row in the upper byte */
    OverlayRef refs[CCA_OVERLAY_MOST_REFS + 1];

    /* of each tile of the window: its first and last reference; 0: none */
    uint16_t first[CCA_OVERLAY_TILES * CCA_OVERLAY_TILES];
    uint16_t last[CCA_OVERLAY_TILES * CCA_OVERLAY_TILES];
} OverlayBins;

/* Begins with a list. The bins were all 0 before the first one. */
void cca_overlay_bins_begin(OverlayBins *bins, const CcaOverlayPicture *picture,
                            const CcaOverlayList *list);

/* Finds what the next launch draws, which needs bins->n_bytes. False: there is no more. */
bool cca_overlay_bins_next(OverlayBins *bins);

/* Writes that, and tells of it all but where the GPU finds words and glyphs. */
void cca_overlay_bins_write(OverlayBins *bins, uint32_t *words, CcaOverlayWindow *window);

/* Whether samples lie as in NV12 with 8 bits, four to a word. */
bool cca_overlay_bins_are_nv12(const CcaOverlayPicture *picture);

#endif /* CCA_OVERLAY_BINS_H */
