/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames of fine grain: which ones are taken for such, and that frames of both kinds may
 * follow each other. */

#include <gst/check/gstcheck.h>

#include "cuda-pictures.h"
#include "cuda-rig.h"
#include "cuda/engine.h"
#include "front-driver.h"

/* Nine tiles: more than are done soon by one multiprocessor. */
#define WIDTH 384
#define HEIGHT 192

/* One component in 64 pixels, and one fewer. */
static guint8
dots (guint x, guint y)
{
  return x % 8 == 3 && y % 8 == 3 ? 255 : 0;
}

static guint8
fewer_dots (guint x, guint y)
{
  return dots (x, y) && x + y > 6 ? 255 : 0;
}

/* One component of fine grain. */
static guint8
holes (guint x, guint y)
{
  return x % 8 == 0 || x % 2 == 1 || y % 2 == 0 ? 255 : 0;
}

/* Grain that is fine enough for blocks of pixels where corners count, which make it one
 * component. */
static guint8
chessboard (guint x, guint y)
{
  return (x / 4 + y / 4) % 2 ? 255 : 0;
}

/* The same grain, but nothing touches. */
static guint8
squares (guint x, guint y)
{
  return x % 8 < 4 && y % 8 < 4 ? 255 : 0;
}

/* Grain that is fine enough without corners, too. */
static guint8
small_squares (guint x, guint y)
{
  return x % 4 < 2 && y % 4 < 2 ? 255 : 0;
}

/* Whether the kernels for fine grain get the frame. */
static gboolean
analyse (CcaEngine * engine, guint slot, const Picture * p)
{
  picture_enqueue (engine, slot, p, p->copy);
  return ((CudaEngine *) engine)->slots[slot].is_dense;
}

static gboolean
is_dense (CcaEngine * engine, const Picture * p)
{
  gboolean is = analyse (engine, 0, p);

  picture_collect (engine, 0, p);
  return is;
}

/* Frames, and whether they are taken for ones of fine grain. */
static void
assert_choices (CcaEngine * engine, const Picture * p, guint n, gboolean is)
{
  guint i;

  for (i = 0; i < n; i++)
    fail_if (is_dense (engine, p) != is, "frame %u of %u", i, n);
}

/* Very many components are tried at once, and what was worth it is held on to. */
GST_START_TEST (test_changes)
{
  static const CcaCudaAlgorithm algorithms[] =
      { CCA_CUDA_AUTO, CCA_CUDA_TILED };
  static const gchar frames[] = "mmmmfffmmfmffmm";
  static const gchar chosen[] = "pddddpppddpdppd";
  Picture many = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  Picture few = picture_draw (pattern_blots, WIDTH, HEIGHT, 4);
  guint a, i;

  for (a = 0; a < G_N_ELEMENTS (algorithms); a++) {
    CcaEngine *engine = picture_open (algorithms[a], &many);

    for (i = 0; frames[i]; i++)
      fail_if (is_dense (engine, frames[i] == 'm' ? &many : &few)
          != (chosen[i] == 'd'), "frame %u", i);
    cca_engine_free (&engine);
  }
  picture_clear (&many);
  picture_clear (&few);
}

GST_END_TEST;

/* Few components may be of fine grain, too: that is tried now and then. */
GST_START_TEST (test_attempts)
{
  static const guint pauses[] = { 16, 32, 64, 128, 256, 256 };
  Picture coarse = picture_draw (pattern_blots, 640, 8, 4);
  Picture fine = picture_draw (holes, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &coarse);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pauses); i++) {
    assert_choices (engine, &coarse, pauses[i], FALSE);
    assert_choices (engine, &coarse, 1, TRUE);
  }
  cca_engine_free (&engine);
  engine = picture_open (CCA_CUDA_TILED, &fine);
  assert_choices (engine, &fine, 16, FALSE);
  assert_choices (engine, &fine, 40, TRUE);
  picture_clear (&coarse);
  coarse = picture_draw (pattern_blots, WIDTH, HEIGHT, 4);
  assert_choices (engine, &coarse, 1, TRUE);
  assert_choices (engine, &coarse, 16, FALSE);
  assert_choices (engine, &coarse, 1, TRUE);
  assert_choices (engine, &coarse, 32, FALSE);
  cca_engine_free (&engine);
  picture_clear (&coarse);
  picture_clear (&fine);
}

GST_END_TEST;

/* Very many components that are not of fine grain are tried at once no more than once. */
GST_START_TEST (test_in_vain)
{
  Picture p = picture_draw (dots, WIDTH, HEIGHT, 4);
  Picture q = picture_draw (fewer_dots, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  assert_choices (engine, &q, 2, FALSE);
  assert_choices (engine, &p, 1, FALSE);
  assert_choices (engine, &p, 1, TRUE);
  assert_choices (engine, &p, 32, FALSE);
  assert_choices (engine, &p, 1, TRUE);
  cca_engine_free (&engine);
  picture_clear (&p);
  picture_clear (&q);
}

GST_END_TEST;

/* Grain that is fine enough is not worth it if there are many components. */
GST_START_TEST (test_fine)
{
  Picture p = picture_draw (small_squares, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  assert_choices (engine, &p, 1, FALSE);
  assert_choices (engine, &p, 1, TRUE);
  assert_choices (engine, &p, 2, FALSE);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Where corners count grain may be less fine, unless there are many components. */
GST_START_TEST (test_corners)
{
  Picture p = picture_draw (chessboard, WIDTH, HEIGHT, 8);
  Picture q = picture_draw (squares, WIDTH, HEIGHT, 8);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  assert_choices (engine, &p, 16, FALSE);
  assert_choices (engine, &p, 3, TRUE);
  assert_choices (engine, &q, 1, TRUE);
  assert_choices (engine, &q, 1, FALSE);
  p.params.connectivity = 4;
  assert_choices (engine, &p, 15, FALSE);
  assert_choices (engine, &p, 1, TRUE);
  assert_choices (engine, &p, 1, FALSE);
  cca_engine_free (&engine);
  picture_clear (&p);
  picture_clear (&q);
}

GST_END_TEST;

/* No more tiles than there are at a time: single pixels are not worth it, nor is what is fine
 * enough without corners. */
GST_START_TEST (test_large)
{
  Picture p = picture_draw (pattern_checker, 256, 256, 4);
  Picture q = picture_draw (holes, 256, 256, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  assert_choices (engine, &p, 1, FALSE);
  assert_choices (engine, &p, 1, TRUE);
  assert_choices (engine, &p, 2, FALSE);
  cca_engine_free (&engine);
  engine = picture_open (CCA_CUDA_TILED, &q);
  assert_choices (engine, &q, 16, FALSE);
  assert_choices (engine, &q, 1, TRUE);
  assert_choices (engine, &q, 32, FALSE);
  q.params.connectivity = 8;
  assert_choices (engine, &q, 3, TRUE);
  cca_engine_free (&engine);
  picture_clear (&p);
  picture_clear (&q);
}

GST_END_TEST;

/* Each kind keeps its graph of launches. */
GST_START_TEST (test_graphs)
{
  Picture p = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);
  guint i, n_graph_launches = 0;

  assert_choices (engine, &p, 1, FALSE);
  for (i = 0; i < 16; i++) {
    p.params.order = i % 2 ? CCA_ORDER_RASTER : CCA_ORDER_AREA;
    if (i == 10)
      n_graph_launches = front_driver.n_graph_launches;
    assert_choices (engine, &p, 1, i % 2);
  }
  assert_equals_int (front_driver.n_graph_launches, n_graph_launches + 6);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* One attempt at a time, whichever slots the frames have. */
GST_START_TEST (test_slots)
{
  Picture p = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  fail_if (analyse (engine, 0, &p));
  fail_if (analyse (engine, 1, &p));
  picture_collect (engine, 0, &p);
  fail_unless (analyse (engine, 0, &p));
  picture_collect (engine, 0, &p);
  fail_unless (analyse (engine, 0, &p));
  picture_collect (engine, 1, &p);
  fail_unless (analyse (engine, 1, &p));
  picture_collect (engine, 0, &p);
  picture_collect (engine, 1, &p);
  cca_engine_free (&engine);

  engine = picture_open (CCA_CUDA_TILED, &p);
  assert_choices (engine, &p, 1, FALSE);
  fail_unless (analyse (engine, 0, &p));
  fail_if (analyse (engine, 1, &p));
  picture_collect (engine, 0, &p);
  picture_collect (engine, 1, &p);
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Modes that have no such kernels, and one that has. */
GST_START_TEST (test_modes)
{
  Picture p = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  fail_if (is_dense (engine, &p));
  fail_unless (is_dense (engine, &p));
  p.params.order = CCA_ORDER_AREA;
  fail_if (is_dense (engine, &p));
  p.params.max_components = 0;
  fail_unless (is_dense (engine, &p));
  p.params.order = CCA_ORDER_RASTER;
  p.params.max_components = UINT32_MAX;
  p.params.open_radius = 1;
  fail_if (is_dense (engine, &p));
  p.params.open_radius = 0;
  fail_unless (is_dense (engine, &p));
  p.params.foreground = CCA_FOREGROUND_OTSU;
  picture_configure (engine, &p);
  fail_if (is_dense (engine, &p));
  p.params.foreground = CCA_FOREGROUND_DIFFERENCE;
  picture_configure (engine, &p);
  fail_unless (is_dense (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

/* Frames of few tiles are done by more warps a tile, but where it has to be. */
GST_START_TEST (test_few_tiles)
{
  Picture p = picture_draw (pattern_checker, 256, 128, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);

  fail_if (is_dense (engine, &p));
  fail_if (is_dense (engine, &p));
  cca_engine_free (&engine);
  engine = picture_open (CCA_CUDA_DENSE, &p);
  fail_unless (is_dense (engine, &p));
  fail_unless (is_dense (engine, &p));
  cca_engine_free (&engine);
  engine = picture_open (CCA_CUDA_FLSL_CD, &p);
  fail_if (is_dense (engine, &p));
  cca_engine_free (&engine);
  picture_clear (&p);
}

GST_END_TEST;

static Suite *
cuda_dense_suite (void)
{
  Suite *s = suite_create ("cuda-dense");
  TCase *tc = tcase_create ("general");

  g_setenv ("CK_FORK", "yes", TRUE);
  g_setenv ("SIMCUDA_MULTIPROCESSORS", "1", TRUE);
  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, rig_setup, rig_teardown);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_attempts);
  tcase_add_test (tc, test_in_vain);
  tcase_add_test (tc, test_fine);
  tcase_add_test (tc, test_corners);
  tcase_add_test (tc, test_large);
  tcase_add_test (tc, test_graphs);
  tcase_add_test (tc, test_slots);
  tcase_add_test (tc, test_modes);
  tcase_add_test (tc, test_few_tiles);
  suite_add_tcase (s, tc);
  return s;
}

GST_CHECK_MAIN (cuda_dense);
