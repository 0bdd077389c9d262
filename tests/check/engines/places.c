/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Places of the CPU engine that the random frames of checkcca reach now and
 * then only: each has a frame that is sure to. */

#include <string.h>

#include "../suite.h"
#include "cca.h"

#define WIDTH 700
#define HEIGHT 400

static guint8 pixels[WIDTH * HEIGHT];

static void
clear (void)
{
  memset (pixels, 0, sizeof (pixels));
}

static CcaEngine *
open_cpu (guint threads)
{
  const CcaCpuOptions options = {.threads = threads,
    .level = CCA_CPU_LEVEL_BEST};
  CcaEngine *engine;

  fail_unless (cca_cpu_open (&engine, &options) == CCA_OK);
  return engine;
}

static void
configure (CcaEngine *engine, guint features)
{
  const CcaConfig config = {.width = WIDTH,
    .height = HEIGHT,
    .sample_size = 1,
    .depth = 8,
    .max_components = G_MAXUINT32,
    .slots = 1,
    .features = features};

  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
}

static CcaResult
analyse (CcaEngine *engine, const CcaParams *params)
{
  const CcaFrame frame = {.data = pixels,
    .width = WIDTH,
    .height = HEIGHT,
    .stride = WIDTH};
  CcaResult result;

  assert_equals_int (cca_engine_analyse (engine, 0, &frame, params), CCA_OK);
  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  return result;
}

/* Both engines find the same, and something. */
static void
compare (CcaEngine *engine, CcaEngine *ref, const CcaParams *params)
{
  const CcaResult result = analyse (engine, params);
  const CcaResult expected = analyse (ref, params);

  fail_unless (expected.n_found > 0);
  assert_equals_int (result.n_found, expected.n_found);
  fail_unless (memcmp (result.components, expected.components,
                   expected.n_components * sizeof (CcaComponent))
      == 0);
  fail_unless ((result.features != NULL) == (expected.features != NULL));
  if (expected.features != NULL)
    fail_unless (memcmp (result.features, expected.features,
                     expected.n_components * sizeof (CcaFeatures))
        == 0);
}

static void
compare_alone (const CcaParams *params, guint features)
{
  CcaEngine *engine = open_cpu (3), *ref;

  fail_unless (cca_ref_open (&ref) == CCA_OK);
  configure (engine, features);
  configure (ref, features);
  compare (engine, ref, params);
  cca_engine_free (&engine);
  cca_engine_free (&ref);
}

/* The working set is looked for again if one number of the region changes. */
TEST (test_region_of_mask)
{
  static const CcaRect regions[] = {{2, 3, 90, 10}, {2, 3, 90, 10},
    {4, 3, 90, 10}, {4, 5, 90, 10}, {4, 5, 80, 10}, {4, 5, 80, 9}};
  CcaMask *mask = cca_mask_new (WIDTH, HEIGHT, TRUE);
  CcaEngine *engine = open_cpu (1);
  CcaParams params = CCA_DEFAULT_PARAMS;
  guint i, j, x, y;

  memset (pixels, 255, sizeof (pixels));
  fail_unless (mask != NULL);
  for (y = 0; y < HEIGHT; y++)
    for (x = y % 3; x < WIDTH; x += 3)
      mask->words[y * mask->row_words + x / 64] &=
          ~(G_GUINT64_CONSTANT (1) << x % 64);
  params.mask = mask;
  configure (engine, CCA_FEATURES_NONE);
  for (i = 0; i < G_N_ELEMENTS (regions); i++) {
    const CcaRect r = regions[i];
    guint64 area = 0, expected = 0;
    guint left = WIDTH, top = HEIGHT, right = 0, bottom = 0;
    CcaResult result;

    params.roi = r;
    result = analyse (engine, &params);
    for (j = 0; j < result.n_components; j++) {
      const CcaComponent *c = &result.components[j];

      area += c->area;
      left = MIN (left, c->x);
      top = MIN (top, c->y);
      right = MAX (right, c->x + c->width);
      bottom = MAX (bottom, c->y + c->height);
    }
    assert_equals_int (left, r.x);
    assert_equals_int (top, r.y);
    assert_equals_int (right, r.x + r.width);
    assert_equals_int (bottom, r.y + r.height);
    for (y = r.y; y < r.y + r.height; y++)
      for (x = r.x; x < r.x + r.width; x++)
        expected += cca_mask_has (mask, x, y);
    assert_equals_uint64 (area, expected);
  }
  cca_engine_free (&engine);
  cca_mask_free (mask);
}

/* At the seams between bands runs of a component touch at a corner only, to the
 * left and to the right: pairs of columns, whose teeth meet, hang on the first
 * row. Pieces of lines that fall or rise are components of their own. */
TEST (test_corners_at_seams)
{
  static const guint connectivities[] = {4, 8};
  CcaParams params = CCA_DEFAULT_PARAMS;
  guint i, x, y;

  clear ();
  memset (pixels, 255, 400);
  for (y = 1; y < HEIGHT; y++) {
    for (x = 0; x < 400; x++)
      if (x % 4 % 3 == 0 || (x + y + x / 200) % 4 % 2 == 0)
        pixels[y * WIDTH + x] = 255;
    for (x = 401; x < WIDTH; x++)
      if ((x < 550 ? x + 2 * y : x + 2 * (HEIGHT - y)) % 7 < 2)
        pixels[y * WIDTH + x] = 255;
  }
  for (i = 0; i < G_N_ELEMENTS (connectivities); i++) {
    params.connectivity = connectivities[i];
    compare_alone (&params, CCA_FEATURES_SHAPE);
    compare_alone (&params, CCA_FEATURES_NONE);
  }
}

/* Objects at masked columns, in their first word and in a later one, and in the
 * same rows but apart from these; and in rows without masked pixels. */
TEST (test_opened_at_masked_columns)
{
  static const struct
  {
    guint masked, object;
  } cases[] = {{0, 2}, {300, 296}, {600, 2}, {2, 600}};
  guint i, x, y;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    CcaMask *mask = cca_mask_new (WIDTH, HEIGHT, TRUE);
    CcaParams params = CCA_DEFAULT_PARAMS;

    fail_unless (mask != NULL);
    clear ();
    for (y = 60; y < 120; y++) {
      for (x = cases[i].masked; y >= 100 && x < cases[i].masked + 5; x++)
        mask->words[y * mask->row_words + x / 64] &=
            ~(G_GUINT64_CONSTANT (1) << x % 64);
      for (x = cases[i].object; x < cases[i].object + 9; x++)
        pixels[y * WIDTH + x] = 255;
    }
    params.mask = mask;
    params.open_radius = 1;
    compare_alone (&params, CCA_FEATURES_NONE);
    params.open_radius = 0;
    params.close_radius = 2;
    compare_alone (&params, CCA_FEATURES_NONE);
    cca_mask_free (mask);
  }
}

/* Light has changed if exactly three quarters of the samples have, which are
 * in every 4th row. With one such row less it has not. */
TEST_LOOP (test_three_quarters_of_light, 0, 2)
{
  const CcaConfig config = {.width = WIDTH,
    .height = HEIGHT,
    .sample_size = 1,
    .depth = 8,
    .max_components = 1,
    .slots = 1,
    .foreground = CCA_FOREGROUND_SIGMA_DELTA};
  const guint n_rows = HEIGHT * 3 / 4 - 4 * __i__;
  CcaParams params = CCA_DEFAULT_PARAMS;
  CcaEngine *engine = open_cpu (1);
  CcaResult result;

  params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
  params.compensate_light = TRUE;
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  memset (pixels, 100, sizeof (pixels));
  analyse (engine, &params);
  memset (pixels, 130, n_rows * WIDTH);
  result = analyse (engine, &params);
  fail_unless (result.light_changed == (__i__ == 0));
  assert_equals_int (result.light_shift, __i__ == 0 ? 30 : 0);
  cca_engine_free (&engine);
}

SUITE ("engine-places", .timeout = 60);
