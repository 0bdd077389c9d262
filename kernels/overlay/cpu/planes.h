/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_OVERLAY_CPU_PLANES_H
#define CCA_OVERLAY_CPU_PLANES_H

/* A picture as planes of channels that alternate in memory. */

#include <stdbool.h>

#include "../../level.h"
#include "../pixel.h"

/* Number of samples blended at a time: a multiple of the samples of a cell. */
#define LANES 16

/* Number of samples whose channels are known: a block of them may begin at any sample of a cell. */
#define PERIOD (LANES + 4)

/* Strips begin with whole cells of any size. */
#define CELL 4

typedef struct Rect {
    int32_t x0, y0, x1, y1;
} Rect;

static int32_t round_up(const int32_t v, const uint32_t bits)
{
    return (v + (1 << bits) - 1) >> bits;
}

/* Channels whose samples alternate in memory: they are blended in one pass. */
typedef struct Plane {
    uint8_t *data; /* first sample */
    uint64_t stride;
    uint32_t step;          /* bytes from cell to cell */
    uint32_t n;             /* samples from cell to cell */
    uint32_t last;          /* index of the last of these that belongs to a channel */
    int8_t channel[PERIOD]; /* of the samples of whole cells; -1: none */
    uint32_t cell_x, cell_y;
    uint32_t sample_size, depth, shift;
} Plane;

typedef struct Planes {
    Plane planes[CCA_OVERLAY_MAX_CHANNELS];
    uint32_t n;
} Planes;

static void add_plane(Planes *const planes, const CcaOverlayPicture *const picture,
                      const uint32_t first, const uint32_t n)
{
    const CcaOverlayChannel *const channels = &picture->channels[first];
    Plane *const plane = &planes->planes[planes->n++];
    *plane = (Plane) {
        .data = channels[0].data,
        .stride = channels[0].stride,
        .step = channels[0].step,
        .n = channels[0].step / picture->sample_size,
        .cell_x = channels[0].cell_x,
        .cell_y = channels[0].cell_y,
        .sample_size = picture->sample_size,
        .depth = picture->depth,
        .shift = picture->shift,
    };
    for (uint32_t i = 1; i < n; i++)
        if ((uintptr_t) channels[i].data < (uintptr_t) plane->data)
            plane->data = channels[i].data;
    memset(plane->channel, -1, sizeof(plane->channel));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t) ((uintptr_t) channels[i].data - (uintptr_t) plane->data) /
                            picture->sample_size;
        plane->last = umax(plane->last, at);
        for (uint32_t k = at; k < PERIOD; k += plane->n)
            plane->channel[k] = (int8_t) (first + i);
    }
}

static bool do_alternate(const CcaOverlayChannel *const a, const CcaOverlayChannel *const b)
{
    const uintptr_t first = (uintptr_t) a->data, second = (uintptr_t) b->data;
    return a->cell_x == b->cell_x && a->stride == b->stride && a->step == b->step &&
           (first < second ? second - first : first - second) < a->step;
}

static Planes planes_of(const CcaOverlayPicture *const picture)
{
    Planes planes = { .n = 0 };
    for (uint32_t first = 0, n; first < picture->n_channels; first += n) {
        const CcaOverlayChannel *const a = &picture->channels[first];
        for (n = 1; first + n < picture->n_channels; n++)
            if (!do_alternate(a, a + n) || (n == 2 && !do_alternate(a + 1, a + 2)))
                break;
        add_plane(&planes, picture, first, n);
    }
    return planes;
}

static uint8_t *cell_at(const Plane *const plane, const int32_t x, const int32_t y)
{
    return plane->data + (uint64_t) y * plane->stride + (uint64_t) x * plane->step;
}

#endif /* CCA_OVERLAY_CPU_PLANES_H */
