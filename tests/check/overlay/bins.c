/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The words that the CPU writes for a tile, read as the GPU does: they have the tile's commands in
 * order, whatever the memory contained before. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overlay/cuda/bins.h"

#define N_COMMANDS 2000
#define N_POINTS CCA_OVERLAY_MAX_POINTS

/* Without an end before it this word is the head of a command. */
#define GARBAGE (5u << 24 | CCA_OVERLAY_BOX)

static OverlayBins bins;
static CcaOverlayCommand commands[N_COMMANDS];
static int32_t points[N_COMMANDS][N_POINTS][2];
static uint8_t samples[CCA_OVERLAY_TILE * CCA_OVERLAY_TILE];

static void
fail (const char *const what, const uint32_t i)
{
  fprintf (stderr, "command %u: %s\n", i, what);
  exit (1);
}

/* Boxes, and paths of which each keeps more space than it needs. */
static void
make_commands (void)
{
  uint32_t i, k;

  for (i = 0; i < N_COMMANDS; i++) {
    commands[i] = (CcaOverlayCommand) {
      .x1 = CCA_OVERLAY_TILE,
      .y1 = CCA_OVERLAY_TILE,
      .colour = {(uint16_t) i},
      .alpha = 255,
      .kind = i % 3 == 0 ? CCA_OVERLAY_BOX : CCA_OVERLAY_PATH,
      .thickness = 2,
      .first = i * 2 * N_POINTS,
      .n = i % 3 == 0 ? 0 : 1 + i * 7 % N_POINTS,
    };
    for (k = 0; k < commands[i].n; k++) {
      points[i][k][0] = (int32_t) ((i + 5 * k) % CCA_OVERLAY_TILE);
      points[i][k][1] = (int32_t) ((i + 3 * k) % CCA_OVERLAY_TILE);
    }
  }
}

static void
check_command (const uint32_t *const words, const uint32_t i)
{
  const uint32_t *const at = words + CCA_OVERLAY_AT_REST + 1;
  uint32_t k;

  if (i >= N_COMMANDS || (words[CCA_OVERLAY_AT_COLOURS] & 0xffff) != i
      || (words[CCA_OVERLAY_AT_HEAD] & 0xff) != commands[i].kind)
    fail ("it is another one", i);
  if (words[CCA_OVERLAY_AT_HEAD] >> 24
      != CCA_OVERLAY_AT_REST + 1 + commands[i].n)
    fail ("it has another length", i);
  for (k = 0; k < commands[i].n; k++)
    if ((int32_t) (at[k] & 0xffff) != points[i][k][0]
        || (int32_t) (at[k] >> 16) != points[i][k][1])
      fail ("it has other points", i);
}

/* Returns the number of the command after the last one of a page. */
static uint32_t
check_page (const uint32_t *const words, const uint32_t n_words, uint32_t i)
{
  uint32_t at = 0;

  while (at < n_words) {
    const uint32_t length = words[at] >> 24;

    if (length <= CCA_OVERLAY_AT_REST || length > n_words - at)
      break;
    check_command (words + at, i++);
    at += length;
  }
  return i;
}

static const CcaOverlayPicture picture = {
  .channels = {{.data = samples, .stride = CCA_OVERLAY_TILE, .step = 1}},
  .n_channels = 1,
  .sample_size = 1,
  .depth = 8,
  .x1 = CCA_OVERLAY_TILE,
  .y1 = CCA_OVERLAY_TILE,
};

/* A path from the first pixel to a column, whose products fit in 31 bits or not. */
static void
check_far (uint32_t *const words, const uint32_t i, const uint32_t thickness,
    const int32_t column, const uint32_t kind)
{
  const int32_t ends[2][2] = {{0, 0}, {column, 0}};
  const CcaOverlayCommand path = {
    .x1 = CCA_OVERLAY_TILE,
    .y1 = CCA_OVERLAY_TILE,
    .alpha = 255,
    .kind = CCA_OVERLAY_PATH,
    .thickness = thickness,
    .n = 2,
  };
  const CcaOverlayList list = {
    .commands = &path,
    .words = (const uint32_t *) ends,
    .n_commands = 1,
    .n_words = 4,
  };
  CcaOverlayWindow window;

  cca_overlay_bins_begin (&bins, &picture, &list);
  if (!cca_overlay_bins_next (&bins))
    fail ("it is missing", i);
  cca_overlay_bins_write (&bins, words, &window);
  if ((words[CCA_OVERLAY_AT_HEAD] & 0xff) != kind)
    fail ("it is far or near by mistake", i);
  if (cca_overlay_bins_next (&bins))
    fail ("it is there twice", i);
}

static void
check_all_far (uint32_t *const words)
{
  check_far (words, 0, CCA_OVERLAY_NEAR_THICKNESS, 9, CCA_OVERLAY_PATH);
  check_far (words, 1, CCA_OVERLAY_NEAR_THICKNESS + 1, 9, CCA_OVERLAY_FAR_PATH);
  check_far (words, 2, 1, CCA_OVERLAY_NEAR - 1, CCA_OVERLAY_PATH);
  check_far (words, 3, 1, CCA_OVERLAY_NEAR, CCA_OVERLAY_FAR_PATH);
  check_far (words, 4, 1, -CCA_OVERLAY_NEAR, CCA_OVERLAY_PATH);
  check_far (words, 5, 1, -CCA_OVERLAY_NEAR - 1, CCA_OVERLAY_FAR_PATH);
}

int
main (void)
{
  const CcaOverlayList list = {
    .commands = commands,
    .words = (const uint32_t *) points,
    .n_commands = N_COMMANDS,
    .n_words = N_COMMANDS * 2 * N_POINTS,
  };
  uint32_t *const words = malloc (CCA_OVERLAY_MAX_BYTES);
  CcaOverlayWindow window;
  uint32_t i = 0, at;
  size_t k;

  if (words == NULL)
    return 1;
  make_commands ();
  cca_overlay_bins_begin (&bins, &picture, &list);
  while (cca_overlay_bins_next (&bins)) {
    uint32_t n_words;

    for (k = 0; k < CCA_OVERLAY_MAX_BYTES / sizeof (*words); k++)
      words[k] = GARBAGE;
    cca_overlay_bins_write (&bins, words, &window);
    n_words = (window.tiles[1] >> 16) * CCA_OVERLAY_UNIT_WORDS;
    for (at = 0; at < n_words; at += CCA_OVERLAY_PAGE_WORDS)
      i = check_page (words + at,
          n_words - at < CCA_OVERLAY_PAGE_WORDS ? n_words - at
                                                : CCA_OVERLAY_PAGE_WORDS,
          i);
  }
  check_all_far (words);
  free (words);
  if (i != N_COMMANDS)
    fail ("it is missing", i);
  return 0;
}
