/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the CPU: a command after the other, a row of cells after the other. */

#include "pixel.h"

/* The cells of a channel that a command may touch. */
typedef struct Cells {
    int32_t x0, y0, x1, y1;
} Cells;

static int32_t round_up(const int32_t v, const uint32_t bits)
{
    return (v + (1 << bits) - 1) >> bits;
}

static Cells cells_of(const CcaOverlayPicture *const picture, const CcaOverlayCommand *const c,
                      const CcaOverlayChannel *const channel)
{
    return (Cells) {
        .x0 = at_least(c->x0, (int32_t) picture->x0) >> channel->cell_x,
        .y0 = at_least(c->y0, (int32_t) picture->y0) >> channel->cell_y,
        .x1 = round_up(at_most(c->x1, (int32_t) picture->x1), channel->cell_x),
        .y1 = round_up(at_most(c->y1, (int32_t) picture->y1), channel->cell_y),
    };
}

/* The cells, all rows of which lie inside an outline that is drawn alone: they are passed
 * over. */
static Cells hollow_of(const CcaOverlayCommand *const c,
                       const CcaOverlayChannel *const channel)
{
    if (c->kind != CCA_OVERLAY_BOX || c->inside != 0)
        return (Cells) { 0, 0, 0, 0 };
    const int32_t t = (int32_t) c->thickness;
    return (Cells) {
        .x0 = round_up(c->x0 + t, channel->cell_x),
        .y0 = round_up(c->y0 + t, channel->cell_y),
        .x1 = (c->x1 - t) >> channel->cell_x,
        .y1 = (c->y1 - t) >> channel->cell_y,
    };
}

static void draw_cell(const CcaOverlayPicture *const picture, const CcaOverlayCommand *const c,
                      const uint32_t alpha, const uint32_t first, const uint32_t n,
                      const int32_t x, const int32_t y)
{
    for (uint32_t i = first; i < first + n; i++) {
        uint8_t *const sample = sample_at(&picture->channels[i], x, y);
        store_value(picture, sample, blend(alpha, c->colour[i], load_value(picture, sample)));
    }
}

static void draw_command(const CcaOverlayPicture *const picture,
                         const CcaOverlayGlyphs *const glyphs,
                         const CcaOverlayCommand *const c, const uint32_t *const words,
                         const uint32_t first, const uint32_t n)
{
    const CcaOverlayChannel *const channel = &picture->channels[first];
    const Cells cells = cells_of(picture, c, channel);
    const Cells hollow = hollow_of(c, channel);
    for (int32_t y = cells.y0; y < cells.y1; y++) {
        const int has_hollow = y >= hollow.y0 && y < hollow.y1 && hollow.x0 < hollow.x1;
        for (int32_t x = cells.x0; x < cells.x1; x++) {
            if (has_hollow && x >= hollow.x0 && x < hollow.x1) {
                x = hollow.x1 - 1;
                continue;
            }
            const uint32_t alpha = cell_alpha(picture, glyphs, c, words, channel, x, y);
            if (alpha != 0)
                draw_cell(picture, c, alpha, first, n, x, y);
        }
    }
}

void cca_overlay_draw(const CcaOverlayPicture *const picture,
                      const CcaOverlayGlyphs *const glyphs, const CcaOverlayList *const list)
{
    for (uint32_t i = 0; i < list->n_commands; i++) {
        for (uint32_t first = 0, n; first < picture->n_channels; first += n) {
            n = alike_channels(picture, first);
            draw_command(picture, glyphs, &list->commands[i], list->words, first, n);
        }
    }
}
