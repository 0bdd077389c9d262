/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Applies one command after the other to one cell after the other. */

#include "definition.h"

#include "overlay/pixel.h"

/* --- alphas ---------------------------------------------------------------- */

static uint32_t
box_alpha (const CcaOverlayCommand *const c, const int32_t x, const int32_t y)
{
  const int32_t t = (int32_t) c->thickness;
  const int is_inside =
      x >= c->x0 + t && x < c->x1 - t && y >= c->y0 + t && y < c->y1 - t;
  return is_inside ? c->inside : c->alpha;
}

/* A segment has one stretch of `thickness` pixels in each column, or in each row if it is
 * steeper than 45 degrees, around the nearest pixel, the higher one of two. From a point to
 * itself there is none. */
static int
is_on_segment (int32_t x, int32_t y, int32_t ax, int32_t ay, int32_t bx,
    int32_t by, const int32_t thickness)
{
  const int32_t wide = bx > ax ? bx - ax : ax - bx,
                high = by > ay ? by - ay : ay - by;
  int32_t swap;
  if (high > wide) {
    swap = x, x = y, y = swap;
    swap = ax, ax = ay, ay = swap;
    swap = bx, bx = by, by = swap;
  }
  if (ax > bx) {
    swap = ax, ax = bx, bx = swap;
    swap = ay, ay = by, by = swap;
  }
  if (x < ax || x > bx || ax == bx)
    return 0;
  /* the nearest pixel is ay + floor(n / d) with n = 2 * (x - ax) * (by - ay) + d / 2 and
     * d = 2 * (bx - ax), and floor(n / d) < k is n < k * d */
  const int64_t half = bx - ax;
  const int64_t below =
      (int64_t) (x - ax) * (by - ay) - (y - ay + thickness / 2 + 1) * half;
  return 2 * below + half < 0 && 2 * (below + thickness * half) + half >= 0;
}

/* Whether a segment from a to b, or the square around b, may draw on pixels of [x0, x1)
 * times [y0, y1). */
static int
is_near_segment (const int32_t *const a, const int32_t *const b,
    const int32_t thickness, const int32_t x0, const int32_t y0,
    const int32_t x1, const int32_t y1)
{
  const int32_t before = thickness / 2, after = thickness - before;
  return imax (a[0], b[0]) + after > x0 && imin (a[0], b[0]) - before < x1
      && imax (a[1], b[1]) + after > y0 && imin (a[1], b[1]) - before < y1;
}

/* On the segment, or in the square around its end b. */
static int
is_on_path (const int32_t x, const int32_t y, const int32_t ax,
    const int32_t ay, const int32_t bx, const int32_t by,
    const int32_t thickness)
{
  const int32_t left = bx - thickness / 2, top = by - thickness / 2;
  return (x >= left && x < left + thickness && y >= top && y < top + thickness)
      || is_on_segment (x, y, ax, ay, bx, by, thickness);
}

static uint32_t
path_alpha (const CcaOverlayCommand *const c, const uint32_t *const words,
    const int32_t x, const int32_t y)
{
  const int32_t *const points = (const int32_t *) words + c->first;
  const int32_t t = (int32_t) c->thickness;
  for (uint32_t i = 0; i < c->n; i++) {
    const int32_t *const b = points + 2 * i, *const a = i > 0 ? b - 2 : b;
    if (is_near_segment (a, b, t, x, y, x + 1, y + 1)
        && is_on_path (x, y, a[0], a[1], b[0], b[1], t))
      return c->alpha;
  }
  return 0;
}

static uint32_t
text_alpha (const CcaOverlayCommand *const c, const uint32_t *const words,
    const CcaOverlayGlyphs *const glyphs, const int32_t x, const int32_t y)
{
  const uint32_t right = (uint32_t) (x - c->x0), down = (uint32_t) (y - c->y0);
  const uint32_t place = right / glyphs->width, column = right % glyphs->width;
  const uint32_t glyph = words[c->first + place / 4] >> place % 4 * 8 & 0xff;
  const uint32_t covered =
      glyphs
          ->coverage[(glyph * glyphs->height + down) * glyphs->width + column];
  return glyph_alpha (covered, c->alpha);
}

static uint32_t
mask_alpha (const CcaOverlayCommand *const c, const uint32_t *const words,
    const int32_t x, const int32_t y)
{
  const uint32_t column = (uint32_t) x % CCA_OVERLAY_MASK_SIZE;
  const uint32_t word = words[c->first + 2 * (y - c->y0) + column / 32];
  return (word >> column % 32 & 1) != 0 ? c->alpha : 0;
}

/* Of a pixel between x0, y0 and x1, y1 of the command. */
static uint32_t
pixel_alpha (const CcaOverlayCommand *const c, const uint32_t *const words,
    const CcaOverlayGlyphs *const glyphs, const int32_t x, const int32_t y)
{
  switch (c->kind) {
    case CCA_OVERLAY_BOX:
      return box_alpha (c, x, y);
    case CCA_OVERLAY_PATH:
      return path_alpha (c, words, x, y);
    case CCA_OVERLAY_MASK:
      return mask_alpha (c, words, x, y);
    default:
      return text_alpha (c, words, glyphs, x, y);
  }
}

/* The greatest one of the pixels of a cell: that is drawn on if any of them is. */
static uint32_t
cell_alpha (const CcaOverlayPicture *const picture,
    const CcaOverlayGlyphs *const glyphs, const CcaOverlayCommand *const c,
    const uint32_t *const words, const CcaOverlayChannel *const channel,
    const int32_t cell_x, const int32_t cell_y)
{
  const int32_t w = 1 << channel->cell_x, h = 1 << channel->cell_y;
  const int32_t x0 = imax (imax (cell_x * w, c->x0), (int32_t) picture->x0);
  const int32_t y0 = imax (imax (cell_y * h, c->y0), (int32_t) picture->y0);
  const int32_t x1 = imin (imin (cell_x * w + w, c->x1), (int32_t) picture->x1);
  const int32_t y1 = imin (imin (cell_y * h + h, c->y1), (int32_t) picture->y1);
  uint32_t greatest = 0;
  for (int32_t y = y0; y < y1; y++) {
    for (int32_t x = x0; x < x1; x++) {
      const uint32_t alpha = pixel_alpha (c, words, glyphs, x, y);
      greatest = umax (alpha, greatest);
    }
  }
  return greatest;
}

/* How many channels from this one on have cells of the same size. */
static uint32_t
alike_channels (const CcaOverlayPicture *const picture, const uint32_t first)
{
  const CcaOverlayChannel *const a = &picture->channels[first];
  uint32_t n = 1;
  while (first + n < picture->n_channels && a[n].cell_x == a->cell_x)
    n++;
  return n;
}

/* --- commands --------------------------------------------------------------- */

/* The cells of a channel that a command may touch. */
typedef struct Cells
{
  int32_t x0, y0, x1, y1;
} Cells;

static int32_t
round_up (const int32_t v, const uint32_t bits)
{
  return (v + (1 << bits) - 1) >> bits;
}

static Cells
cells_of (const CcaOverlayPicture *const picture,
    const CcaOverlayCommand *const c, const CcaOverlayChannel *const channel)
{
  return (Cells) {
    .x0 = imax (c->x0, (int32_t) picture->x0) >> channel->cell_x,
    .y0 = imax (c->y0, (int32_t) picture->y0) >> channel->cell_y,
    .x1 = round_up (imin (c->x1, (int32_t) picture->x1), channel->cell_x),
    .y1 = round_up (imin (c->y1, (int32_t) picture->y1), channel->cell_y),
  };
}

static void
draw_cell (const CcaOverlayPicture *const picture,
    const CcaOverlayCommand *const c, const uint32_t alpha,
    const uint32_t first, const uint32_t n, const int32_t x, const int32_t y)
{
  for (uint32_t i = first; i < first + n; i++) {
    uint8_t *const sample = sample_at (&picture->channels[i], x, y);
    store_value (picture, sample,
        blend (alpha, c->colour[i], load_value (picture, sample)));
  }
}

static void
draw_command (const CcaOverlayPicture *const picture,
    const CcaOverlayGlyphs *const glyphs, const CcaOverlayCommand *const c,
    const uint32_t *const words, const uint32_t first, const uint32_t n)
{
  const CcaOverlayChannel *const channel = &picture->channels[first];
  const Cells cells = cells_of (picture, c, channel);
  for (int32_t y = cells.y0; y < cells.y1; y++) {
    for (int32_t x = cells.x0; x < cells.x1; x++) {
      const uint32_t alpha =
          cell_alpha (picture, glyphs, c, words, channel, x, y);
      if (alpha != 0)
        draw_cell (picture, c, alpha, first, n, x, y);
    }
  }
}

void
define_drawing (const CcaOverlayPicture *const picture,
    const CcaOverlayGlyphs *const glyphs, const CcaOverlayList *const list)
{
  for (uint32_t i = 0; i < list->n_commands; i++) {
    for (uint32_t first = 0, n; first < picture->n_channels; first += n) {
      n = alike_channels (picture, first);
      draw_command (picture, glyphs, &list->commands[i], list->words, first, n);
    }
  }
}
