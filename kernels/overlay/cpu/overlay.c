/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Draws commands on the CPU. tests/check/overlay/definition.c defines the alpha of each pixel. */

#include "path.h"
#include "text.h"

/* --- boxes ---------------------------------------------------------------- */

/* Along an axis the cells of a box are of five kinds: outline, both, inside, both, outline. */
enum { N_BANDS = 5 };

/* Finds the ends of the bands from the pixels of the axis that the box covers, and from those
 * inside the box. */
static void find_bands(int32_t ends[N_BANDS + 1], const int32_t outside0, const int32_t outside1,
                       const int32_t inside0, const int32_t inside1, const uint32_t bits)
{
    ends[0] = outside0 >> bits;
    ends[5] = round_up(outside1, bits);
    if (imax(inside0, outside0) >= imin(inside1, outside1)) {
        ends[1] = ends[2] = ends[3] = ends[4] = ends[5];
        return;
    }
    ends[1] = imax(inside0, outside0) >> bits;
    ends[2] = inside0 <= outside0 ? ends[0] : round_up(inside0, bits);
    ends[3] = inside1 >= outside1 ? ends[5] : inside1 >> bits;
    ends[4] = round_up(imin(inside1, outside1), bits);
    if (ends[2] >= ends[3])
        ends[2] = ends[3] = ends[4];
}

static void draw_box(const Plane *const plane, const CcaOverlayCommand *const c,
                     const Rect *const r)
{
    enum { OUTLINE, BOTH, INSIDE };
    static const uint8_t of_band[N_BANDS] = { OUTLINE, BOTH, INSIDE, BOTH, OUTLINE };
    const int32_t t = (int32_t) c->thickness;
    int32_t x[N_BANDS + 1], y[N_BANDS + 1];
    find_bands(x, r->x0, r->x1, c->x0 + t, c->x1 - t, plane->cell_x);
    find_bands(y, r->y0, r->y1, c->y0 + t, c->y1 - t, plane->cell_y);
    const Blend outline = blend_of(plane, c, c->alpha), inside = blend_of(plane, c, c->inside);
    const Blend *const blends[] = {
        [OUTLINE] = &outline,
        [BOTH] = c->inside > c->alpha ? &inside : &outline,
        [INSIDE] = &inside,
    };
    for (uint32_t i = 0; i < N_BANDS; i++) {
        for (uint32_t k = 0; k < N_BANDS; k++) {
            const uint32_t row = of_band[i], column = of_band[k];
            const Blend *const b = blends[row < column ? row : column];
            if (b->alpha == 0 || x[k] >= x[k + 1])
                continue;
            for (int32_t at = y[i]; at < y[i + 1]; at++)
                draw_stretch(plane, b, cell_at(plane, x[k], at), (uint32_t) (x[k + 1] - x[k]));
        }
    }
}

/* --- masks ---------------------------------------------------------------- */

static void draw_mask(const Planes *const planes, const CcaOverlayCommand *const c,
                      const uint32_t *const words, const Rect *const r)
{
    const int32_t left = r->x0 & -CCA_OVERLAY_MASK_SIZE;
    const uint64_t columns = ~UINT64_C(0) << (r->x0 - left) & ~UINT64_C(0) >> (left + 64 - r->x1);
    const uint32_t *row = words + c->first + 2 * (r->y0 - c->y0);
    Blend blends[CCA_OVERLAY_MAX_CHANNELS];
    Strip strip = { .clip = *r, .x = left, .y = r->y0 & -CELL, .pitch = 1, .n_words = 1 };
    for (int32_t y = r->y0; y < r->y1; y++, row += 2)
        strip.words[y - strip.y] = (row[0] | (uint64_t) row[1] << 32) & columns;
    for (uint32_t i = 0; i < planes->n; i++)
        blends[i] = blend_of(&planes->planes[i], c, c->alpha);
    draw_strip(planes, blends, &strip);
}

/* --- all ------------------------------------------------------------------ */

void LEVEL(cca_overlay_draw_)(const CcaOverlayPicture *const picture,
                              const CcaOverlayGlyphs *const glyphs,
                              const CcaOverlayList *const list)
{
    const Planes planes = planes_of(picture);
    for (uint32_t i = 0; i < list->n_commands; i++) {
        const CcaOverlayCommand *const c = &list->commands[i];
        const Rect r = {
            .x0 = imax(c->x0, (int32_t) picture->x0),
            .x1 = imin(c->x1, (int32_t) picture->x1),
            .y0 = imax(c->y0, (int32_t) picture->y0),
            .y1 = imin(c->y1, (int32_t) picture->y1),
        };
        if (r.x0 >= r.x1 || r.y0 >= r.y1)
            continue;
        if (c->kind == CCA_OVERLAY_PATH && c->alpha != 0)
            draw_path(&planes, c, list->words, &r);
        if (c->kind == CCA_OVERLAY_MASK && c->alpha != 0)
            draw_mask(&planes, c, list->words, &r);
        if (c->kind == CCA_OVERLAY_TEXT)
            draw_text(&planes, c, list->words, glyphs, &r);
        for (uint32_t k = 0; k < planes.n && c->kind == CCA_OVERLAY_BOX; k++)
            draw_box(&planes.planes[k], c, &r);
    }
}
