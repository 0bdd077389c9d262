/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pictures of label images on the CPU against their definition, which is the
 * pixel of the GPU: random labels, sizes, scales and keys; every byte of the
 * memory is compared. A palette serves many of them. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paint/paint.h"
#include "paint/pixel.h"

#define N_ROUNDS 3000
#define MARGIN 64
#define MOST_KEYS 70000

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

static uint8_t *
allocate (const size_t size)
{
  uint8_t *const data = malloc (size);
  if (data == NULL)
    abort ();
  for (size_t i = 0; i < size; i++)
    data[i] = (uint8_t) below (256);
  return data;
}

/* Few columns, some blocks, or more than are gathered at once. */
static uint32_t
length (void)
{
  static const uint32_t most[] = {4, 80, 80, 80, 300, 3000};
  return 1 + below (most[below (6)]);
}

/* Runs of labels, or a few labels that repeat. */
static void
fill_labels (const CcaPaintLabels *const labels, uint8_t *const data)
{
  const uint32_t most = below (2) ? 5 : 60;
  const uint32_t period = below (4) == 0 ? 1u << below (5) : labels->width;
  for (uint32_t y = 0; y < labels->height; y++) {
    uint8_t *const row = data + labels->stride * y;
    uint32_t label = 0, n = 0;
    for (uint32_t x = 0; x < labels->width; x++, n--) {
      if (n == 0) {
        label = below (3) == 0 ? 0 : below (1u << 8 * labels->size);
        n = 1 + below (most);
      }
      cca_paint_store (row + x * labels->size, label, labels->size);
    }
    for (uint32_t i = period * labels->size; i < labels->width * labels->size;
        i++)
      row[i] = row[i - period * labels->size];
  }
}

static uint32_t
place (const uint32_t i, const uint32_t from, const uint32_t n)
{
  return (uint32_t) ((2 * (uint64_t) i + 1) * from / (2 * (uint64_t) n));
}

static void
define_picture (const CcaPaintPicture *const picture, const CcaPaintMode mode,
    const CcaPaintLabels *const labels)
{
  const uint32_t size = cca_paint_size (mode);
  for (uint32_t y = 0; y < picture->height; y++)
    for (uint32_t x = 0; x < picture->width; x++)
      cca_paint_store (picture->data + picture->stride * y + x * size,
          cca_paint_value (mode, labels,
              cca_paint_label (labels, place (x, labels->width, picture->width),
                  place (y, labels->height, picture->height))),
          size);
}

/* Returns whether a random picture is right. */
static bool
compare (CcaPaintPalette *const palette)
{
  static uint32_t keys[MOST_KEYS];
  const CcaPaintMode mode = (CcaPaintMode) below (4);
  const uint32_t n_keys = below (2) ? 0 : below (below (2) ? 200 : MOST_KEYS);
  CcaPaintLabels labels = {
    .width = length (),
    .height = 1 + below (20),
    .size = 1 + below (2),
    .n_keys = n_keys,
    .keys = keys,
  };
  CcaPaintPicture picture = {
    .width = below (2) ? labels.width : length (),
    .height = below (2) ? labels.height : 1 + below (30),
  };
  labels.stride = (uint64_t) labels.width * labels.size + below (9);
  labels.drop = labels.size == 1 ? 0 : below (9);
  picture.stride =
      (uint64_t) picture.width * cca_paint_size (mode) + below (40);

  const size_t n_labels = labels.stride * labels.height;
  const size_t size = MARGIN + picture.stride * picture.height + MARGIN;
  uint8_t *const data = allocate (n_labels), *const got = allocate (size);
  uint8_t *const expected = allocate (size);
  fill_labels (&labels, data);
  labels.data = data;
  for (uint32_t i = 0; i < n_keys; i++)
    keys[i] = below (1u << 31);
  memcpy (expected, got, size);
  picture.data = expected + MARGIN;
  define_picture (&picture, mode, &labels);
  picture.data = got + MARGIN;
  cca_paint_code ((CcaCpuLevel) below (cca_cpu_level () + 1)) (&picture, mode,
      &labels, palette);

  const bool same = memcmp (got, expected, size) == 0;
  if (!same)
    fprintf (stderr,
        "mode %d, labels of %u bytes, %u keys: %u x %u as %u x %u\n",
        (int) mode, labels.size, n_keys, labels.width, labels.height,
        picture.width, picture.height);
  free (data);
  free (got);
  free (expected);
  return same;
}

int
main (void)
{
  static CcaPaintPalette palette;
  for (uint32_t i = 0; i < N_ROUNDS; i++) {
    state = (i + 1) * UINT64_C (0x9e3779b97f4a7c15);
    if (below (50) == 0)
      palette = (CcaPaintPalette) {0};
    if (!compare (&palette)) {
      fprintf (stderr, "round %u\n", i);
      return 1;
    }
  }
  return 0;
}
