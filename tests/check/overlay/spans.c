/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The drawing on the CPU against its definition: random commands on random samples, in all
 * layouts; every byte of the memory is compared. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"

#define N_ROUNDS 6000
#define MOST_COMMANDS 8
#define MAX_WORDS (MOST_COMMANDS * 2 * CCA_OVERLAY_MASK_SIZE) /* of masks */
#define MOST_GLYPH 24
#define MARGIN 64

static uint64_t state;

/* A random number below n. */
static uint32_t
below (const uint32_t n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t) ((state >> 20) % n);
}

static int32_t
between (const int32_t from, const int32_t to)
{
  return from + (int32_t) below ((uint32_t) (to - from));
}

/* The part of a video format that matters to the drawing. */
typedef struct Layout
{
  const char *name;
  uint32_t n_channels, sample_size, depth, shift;
  uint8_t cell_x, cell_y;
  uint32_t plane[3], first[3], step[3]; /* of a channel, in samples */
} Layout;

static const Layout layouts[] = {
  {"GRAY8", 1, 1, 8, 0, 0, 0, {0}, {0}, {1}},
  {"NV12", 3, 1, 8, 0, 1, 1, {0, 1, 1}, {0, 0, 1}, {1, 2, 2}},
  {"NV21", 3, 1, 8, 0, 1, 1, {0, 1, 1}, {0, 1, 0}, {1, 2, 2}},
  {"I420", 3, 1, 8, 0, 1, 1, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}},
  {"Y42B", 3, 1, 8, 0, 1, 0, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}},
  {"Y444", 3, 1, 8, 0, 0, 0, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}},
  {"YUV9", 3, 1, 8, 0, 2, 2, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}},
  {"BGRA", 3, 1, 8, 0, 0, 0, {0, 0, 0}, {2, 1, 0}, {4, 4, 4}},
  {"RGBA", 3, 1, 8, 0, 0, 0, {0, 0, 0}, {0, 1, 2}, {4, 4, 4}},
  {"ARGB", 3, 1, 8, 0, 0, 0, {0, 0, 0}, {1, 2, 3}, {4, 4, 4}},
  {"P010", 3, 2, 10, 6, 1, 1, {0, 1, 1}, {0, 0, 1}, {1, 2, 2}},
  {"P012", 3, 2, 12, 4, 1, 1, {0, 1, 1}, {0, 0, 1}, {1, 2, 2}},
  {"P016", 3, 2, 16, 0, 1, 1, {0, 1, 1}, {0, 0, 1}, {1, 2, 2}},
  {"I420_10", 3, 2, 10, 0, 1, 1, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}},
  {"RGBA64", 3, 2, 16, 0, 0, 0, {0, 0, 0}, {0, 1, 2}, {4, 4, 4}},
};

#define N_LAYOUTS (sizeof (layouts) / sizeof (layouts[0]))

typedef struct Scene
{
  CcaOverlayPicture
      picture; /* its data counts from the beginning of the memory */
  CcaOverlayGlyphs glyphs;
  CcaOverlayList list;
  CcaOverlayCommand commands[MOST_COMMANDS];
  uint32_t words[MAX_WORDS], n_words;
  uint8_t coverage[CCA_OVERLAY_N_GLYPHS * MOST_GLYPH * MOST_GLYPH];
  uint32_t width, height;
  size_t size;
} Scene;

/* --- scenes --------------------------------------------------------------- */

static void
make_picture (Scene *const s, const Layout *const l)
{
  size_t planes[3], strides[3], at = MARGIN;
  /* sometimes wider than a strip of a path */
  s->width =
      below (16) == 0 ? 2000 + below (2500) : 1 + below (below (2) ? 40 : 300);
  s->height =
      s->width > 2000 ? 1 + below (40) : 1 + below (below (2) ? 40 : 200);
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t bits_x = i == 0 ? 0 : l->cell_x,
                   bits_y = i == 0 ? 0 : l->cell_y;
    const size_t columns = (s->width + (1u << bits_x) - 1) >> bits_x;
    const size_t rows = (s->height + (1u << bits_y) - 1) >> bits_y;
    strides[i] = (columns * 4 + below (9)) * l->sample_size;
    planes[i] = at;
    at += strides[i] * rows + MARGIN;
  }
  s->size = at;
  s->picture = (CcaOverlayPicture) {
    .n_channels = l->n_channels,
    .sample_size = l->sample_size,
    .depth = l->depth,
    .shift = l->shift,
  };
  for (uint32_t i = 0; i < l->n_channels; i++)
    s->picture.channels[i] = (CcaOverlayChannel) {
      .data = (uint8_t *) planes[l->plane[i]] + l->first[i] * l->sample_size,
      .stride = strides[l->plane[i]],
      .step = l->step[i] * l->sample_size,
      .cell_x = i == 0 ? 0 : l->cell_x,
      .cell_y = i == 0 ? 0 : l->cell_y,
    };
  s->picture.x1 = s->width;
  s->picture.y1 = s->height;
  if (below (2) == 0) {
    s->picture.x0 = below (s->width);
    s->picture.y0 = below (s->height);
    s->picture.x1 = s->picture.x0 + 1 + below (s->width - s->picture.x0);
    s->picture.y1 = s->picture.y0 + 1 + below (s->height - s->picture.y0);
  }
}

/* A coordinate in the picture, near it, or at the limits of coordinates. */
static int32_t
coordinate (const uint32_t size)
{
  const int32_t most = CCA_OVERLAY_MAX_COORDINATE / 4, near = (int32_t) size;
  switch (below (24)) {
    case 0:
      return between (-most, most);
    case 1:
      return between (-4000, 4000);
    case 2:
    case 3:
      return between (-near, 2 * near);
    default:
      return between (-4, near + 4);
  }
}

static uint32_t
thickness (void)
{
  static const uint32_t most[] = {4, 4, 4, 8, 40, 1024};
  return 1 + below (most[below (sizeof (most) / sizeof (most[0]))]);
}

static void
make_box (const Scene *const s, CcaOverlayCommand *const c)
{
  static const uint32_t insides[] = {0, 0, 64, 255};
  c->x0 = coordinate (s->width);
  c->y0 = coordinate (s->height);
  c->x1 = below (2) ? coordinate (s->width) : c->x0 + (int32_t) below (30);
  c->y1 = below (2) ? coordinate (s->height) : c->y0 + (int32_t) below (30);
  c->thickness = below (8) == 0 ? 0 : thickness ();
  c->inside = below (4) == 0 ? c->alpha : insides[below (4)];
}

/* Points of a path that may stand still, run straight and jump. */
static void
make_path (Scene *const s, CcaOverlayCommand *const c)
{
  const int32_t most = below (4) == 0 ? 200 : 8;
  int32_t *const points = (int32_t *) &s->words[s->n_words];
  c->first = s->n_words;
  c->n = 1 + below (below (4) == 0 ? CCA_OVERLAY_MAX_POINTS : 6);
  c->thickness = thickness ();
  const int32_t before = (int32_t) c->thickness / 2;
  const int32_t after = (int32_t) c->thickness - before;
  for (uint32_t i = 0; i < c->n; i++) {
    int32_t *const p = points + 2 * i;
    if (i == 0 || below (12) == 0) {
      p[0] = coordinate (s->width);
      p[1] = coordinate (s->height);
    } else {
      p[0] = p[-2] + (below (4) == 0 ? 0 : between (-most, most + 1));
      p[1] = p[-1] + (below (4) == 0 ? 0 : between (-most, most + 1));
    }
    if (i == 0)
      *c = (CcaOverlayCommand) {
        .x0 = p[0] - before,
        .y0 = p[1] - before,
        .x1 = p[0] + after,
        .y1 = p[1] + after,
        .alpha = c->alpha,
        .kind = c->kind,
        .first = c->first,
        .n = c->n,
        .thickness = c->thickness,
        .colour = {c->colour[0], c->colour[1], c->colour[2]},
      };
    c->x0 = p[0] - before < c->x0 ? p[0] - before : c->x0;
    c->y0 = p[1] - before < c->y0 ? p[1] - before : c->y0;
    c->x1 = p[0] + after > c->x1 ? p[0] + after : c->x1;
    c->y1 = p[1] + after > c->y1 ? p[1] + after : c->y1;
  }
  s->n_words += 2 * c->n;
  if (below (8) == 0) { /* less than all of it */
    c->x0 += (int32_t) below (20);
    c->y1 -= (int32_t) below (20);
  }
}

static void
make_text (Scene *const s, CcaOverlayCommand *const c)
{
  c->first = s->n_words;
  c->n = 1 + below (below (8) == 0 ? CCA_OVERLAY_MAX_CHARACTERS : 6);
  c->x0 = coordinate (s->width);
  c->y0 = coordinate (s->height);
  c->x1 = c->x0 + (int32_t) (c->n * s->glyphs.width);
  c->y1 = c->y0 + (int32_t) s->glyphs.height;
  for (uint32_t i = 0; i < c->n; i++) {
    if (i % 4 == 0)
      s->words[s->n_words++] = 0;
    s->words[s->n_words - 1] |= below (CCA_OVERLAY_N_GLYPHS) << i % 4 * 8;
  }
}

/* Bits of a square in the picture, or of a part of it. Those outside the command do
 * not count. */
static void
make_mask (Scene *const s, CcaOverlayCommand *const c)
{
  const int32_t size = CCA_OVERLAY_MASK_SIZE;
  const int32_t left = (int32_t) below (s->width) / size * size;
  const int32_t top = (int32_t) below (s->height) / size * size;
  const uint32_t kind = below (3);
  c->first = s->n_words;
  c->x0 = left + (below (2) ? 0 : between (0, size));
  c->y0 = top + (below (2) ? 0 : between (0, size));
  c->x1 = below (2) ? left + size : between (c->x0 + 1, left + size + 1);
  c->y1 = below (2) ? top + size : between (c->y0 + 1, top + size + 1);
  for (int32_t y = c->y0; y < c->y1; y++)
    for (uint32_t i = 0; i < 2; i++)
      s->words[s->n_words++] = kind == 0 ? ~0u
          : kind == 1 ? below (1u << 16) << 16 | below (1u << 16)
                      : ~0u << below (32);
}

static void
make_commands (Scene *const s)
{
  static const uint8_t alphas[] = {255, 255, 128, 1, 0};
  s->n_words = 0;
  s->glyphs = (CcaOverlayGlyphs) {
    .coverage = s->coverage,
    .width = 1 + below (MOST_GLYPH),
    .height = 1 + below (MOST_GLYPH),
  };
  for (size_t i = 0; i < sizeof (s->coverage); i++)
    s->coverage[i] = (uint8_t) (below (3) == 0 ? 0 : below (256));
  s->list = (CcaOverlayList) {
    .commands = s->commands,
    .words = s->words,
    .n_commands = 1 + below (MOST_COMMANDS),
  };
  for (uint32_t i = 0; i < s->list.n_commands; i++) {
    CcaOverlayCommand *const c = &s->commands[i];
    *c = (CcaOverlayCommand) {
      .kind = (uint8_t) below (4),
      .alpha = below (4) == 0 ? (uint8_t) below (256) : alphas[below (5)],
    };
    for (uint32_t k = 0; k < 3; k++)
      c->colour[k] = (uint16_t) below (1u << s->picture.depth);
    if (c->kind == CCA_OVERLAY_BOX)
      make_box (s, c);
    else if (c->kind == CCA_OVERLAY_PATH)
      make_path (s, c);
    else if (c->kind == CCA_OVERLAY_MASK)
      make_mask (s, c);
    else
      make_text (s, c);
  }
  s->list.n_words = s->n_words;
}

/* --- comparison ----------------------------------------------------------- */

typedef void (*Draw) (const CcaOverlayPicture *picture,
    const CcaOverlayGlyphs *glyphs, const CcaOverlayList *list);

static uint8_t *
drawn (const Scene *const s, const uint8_t *const before, const Draw draw)
{
  uint8_t *const memory = malloc (s->size);
  CcaOverlayPicture picture = s->picture;
  if (memory == NULL)
    abort ();
  memcpy (memory, before, s->size);
  for (uint32_t i = 0; i < picture.n_channels; i++)
    picture.channels[i].data = memory + (uintptr_t) picture.channels[i].data;
  draw (&picture, &s->glyphs, &s->list);
  return memory;
}

/* Returns the number of bytes that changed, or -1 if one is wrong. */
static int64_t
compare (const Scene *const s, const CcaCpuLevel level)
{
  uint8_t *const before = malloc (s->size);
  int64_t n = 0;
  if (before == NULL)
    abort ();
  for (size_t i = 0; i < s->size; i++)
    before[i] = (uint8_t) below (256);
  uint8_t *const got = drawn (s, before, cca_overlay_code (level));
  uint8_t *const expected = drawn (s, before, define_drawing);
  for (size_t i = 0; i < s->size; i++) {
    if (got[i] != expected[i] && n >= 0) {
      fprintf (stderr, "byte %zu: %u instead of %u, before %u\n", i, got[i],
          expected[i], before[i]);
      n = -1;
    }
    n += n >= 0 && expected[i] != before[i];
  }
  free (before);
  free (got);
  free (expected);
  return n;
}

static void
print (const Scene *const s, const char *const layout, const uint32_t level,
    const uint32_t round)
{
  fprintf (stderr, "%s, level %u, round %u: %u x %u, [%u, %u) x [%u, %u)\n",
      layout, level, round, s->width, s->height, s->picture.x0, s->picture.x1,
      s->picture.y0, s->picture.y1);
  for (uint32_t i = 0; i < s->list.n_commands; i++) {
    const CcaOverlayCommand *const c = &s->commands[i];
    fprintf (stderr,
        "  kind %u [%d, %d) x [%d, %d) alpha %u inside %u thickness %u n %u\n",
        c->kind, c->x0, c->x1, c->y0, c->y1, c->alpha, c->inside, c->thickness,
        c->n);
  }
}

int
main (int argc, char **argv)
{
  static Scene scene;
  const uint32_t n_rounds =
      argc > 1 ? (uint32_t) strtoul (argv[1], NULL, 10) : N_ROUNDS;
  int64_t n_drawn = 0;
  for (uint32_t i = 0; i < n_rounds; i++) {
    const Layout *const layout = &layouts[i % N_LAYOUTS];
    const uint32_t level = i / N_LAYOUTS % (cca_cpu_level () + 1);
    state = (i + 1) * UINT64_C (0x9e3779b97f4a7c15);
    make_picture (&scene, layout);
    make_commands (&scene);
    const int64_t n = compare (&scene, (CcaCpuLevel) level);
    if (n < 0) {
      print (&scene, layout->name, level, i);
      return 1;
    }
    n_drawn += n;
  }
  if (n_drawn < n_rounds) {
    fprintf (stderr, "hardly anything was drawn\n");
    return 1;
  }
  return 0;
}
