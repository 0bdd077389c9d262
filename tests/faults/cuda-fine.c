/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames of fine grain and others. Earlier frames determine the kernels of a
 * frame, so both kinds follow each other in every order. Each result is
 * compared with the reference's. */

#include "../check/suite.h"
#include "cuda-pictures.h"
#include "cuda-rig.h"
#include "cuda/state.h"
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

/* Grain that is fine enough for blocks of pixels where corners count, which
 * make it one component. */
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

/* Analyses n frames, and counts those for which the kernels for fine grain
 * run. */
static void
play (CcaEngine *engine, const Picture *p, guint n, guint *n_fine)
{
  while (n-- > 0) {
    picture_enqueue (engine, 0, p, p->copy);
    *n_fine += ((CudaEngine *) engine)->slots[0].path == CUDA_PATH_FINE;
    picture_collect (engine, 0, p);
  }
}

typedef struct
{
  Pattern pattern;
  guint width, height, connectivity, n_frames;
} Run;

static const Run changes[] = {
  {pattern_checker, WIDTH, HEIGHT, 4, 4},
  {pattern_blots, WIDTH, HEIGHT, 4, 3},
  {pattern_checker, WIDTH, HEIGHT, 4, 2},
  {pattern_blots, WIDTH, HEIGHT, 4, 1},
  {pattern_checker, WIDTH, HEIGHT, 4, 1},
  {pattern_blots, WIDTH, HEIGHT, 4, 2},
  {pattern_checker, WIDTH, HEIGHT, 4, 2},
};

/* Attempts are made at ever longer intervals. */
static const Run coarse[] = {{pattern_blots, 640, 8, 4, 600}};

static const Run becomes_coarse[] = {
  {holes, WIDTH, HEIGHT, 4, 20},
  {pattern_blots, WIDTH, HEIGHT, 4, 20},
};

/* Very many components that are not of fine grain. */
static const Run in_vain[] = {
  {fewer_dots, WIDTH, HEIGHT, 4, 2},
  {dots, WIDTH, HEIGHT, 4, 20},
};

/* Grain that is fine enough, but of many components. */
static const Run many[] = {{small_squares, WIDTH, HEIGHT, 4, 4}};

static const Run corners[] = {
  {chessboard, WIDTH, HEIGHT, 8, 20},
  {squares, WIDTH, HEIGHT, 8, 2},
  {chessboard, WIDTH, HEIGHT, 4, 20},
};

/* The number of tiles that the GPU processes at a time. */
static const Run single_pixels[] = {{pattern_checker, 256, 256, 4, 4}};

static const Run few_tiles[] = {
  {holes, 256, 256, 4, 20},
  {holes, 256, 256, 8, 40},
};

/* Fewer. */
static const Run very_few_tiles[] = {{pattern_checker, 256, 128, 4, 2}};

#define RUNS(runs) runs, G_N_ELEMENTS (runs)

static const struct
{
  CcaCudaAlgorithm algorithm;
  const Run *runs;
  guint n_runs;
  gboolean has_both; /* frames of both kinds */
} sequences[] = {
  {CCA_CUDA_AUTO, RUNS (changes), TRUE},
  {CCA_CUDA_TILED, RUNS (changes), TRUE},
  {CCA_CUDA_TILED, RUNS (coarse), TRUE},
  {CCA_CUDA_TILED, RUNS (becomes_coarse), TRUE},
  {CCA_CUDA_TILED, RUNS (in_vain), TRUE},
  {CCA_CUDA_TILED, RUNS (many), TRUE},
  {CCA_CUDA_TILED, RUNS (corners), TRUE},
  {CCA_CUDA_TILED, RUNS (single_pixels), TRUE},
  {CCA_CUDA_TILED, RUNS (few_tiles), TRUE},
  {CCA_CUDA_TILED, RUNS (very_few_tiles), FALSE},
  {CCA_CUDA_FINE, RUNS (very_few_tiles), FALSE},
  {CCA_CUDA_FLSL_CD, RUNS (very_few_tiles), FALSE},
};

TEST_LOOP (test_sequences, 0, G_N_ELEMENTS (sequences))
{
  const Run *runs = sequences[__i__].runs;
  guint n_fine = 0, n = 0, i;
  CcaEngine *engine = NULL;

  for (i = 0; i < sequences[__i__].n_runs; i++) {
    Picture p = picture_draw (runs[i].pattern, runs[i].width, runs[i].height,
        runs[i].connectivity);

    if (engine == NULL)
      engine = picture_open (sequences[__i__].algorithm, &p);
    play (engine, &p, runs[i].n_frames, &n_fine);
    n += runs[i].n_frames;
    picture_clear (&p);
  }
  if (sequences[__i__].has_both)
    fail_unless (n_fine > 0 && n_fine < n, "%u of %u frames", n_fine, n);
  cca_engine_free (&engine);
}

/* Each kind keeps its graph of launches. */
TEST (test_graphs)
{
  Picture p = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);
  guint i, n_graph_launches = 0, n_fine = 0;

  play (engine, &p, 1, &n_fine);
  for (i = 0; i < 16; i++) {
    p.params.order = i % 2 ? CCA_ORDER_RASTER : CCA_ORDER_AREA;
    if (i == 10)
      n_graph_launches = front_driver.n_graph_launches;
    play (engine, &p, 1, &n_fine);
  }
  assert_equals_int (n_fine, 8);
  assert_equals_int (front_driver.n_graph_launches, n_graph_launches + 6);
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* Two frames in flight, of both kinds, collected in either order. */
TEST (test_slots)
{
  Picture p = picture_draw (pattern_checker, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);
  guint i;

  for (i = 0; i < 8; i++) {
    picture_enqueue (engine, 0, &p, p.copy);
    picture_enqueue (engine, 1, &p, p.copy);
    picture_collect (engine, i % 2, &p);
    picture_collect (engine, 1 - i % 2, &p);
  }
  cca_engine_free (&engine);
  picture_clear (&p);
}

/* Single pixels, and larger components below them. */
static guint8
larger_below (guint x, guint y)
{
  return (x + y) % 2 || (y > HEIGHT / 2 && x % 8 == 0 && y % 8 == 0) ? 255 : 0;
}

/* Modes that have no kernels for fine grain, between frames that have. */
TEST (test_modes)
{
  static const struct
  {
    CcaForeground foreground;
    CcaOrder order;
    guint max_components, open_radius;
  } modes[] = {
    {0, CCA_ORDER_AREA, 100, 0},
    {0, CCA_ORDER_AREA, 0, 0},
    {0, CCA_ORDER_RASTER, UINT32_MAX, 1},
    {CCA_FOREGROUND_OTSU, CCA_ORDER_RASTER, UINT32_MAX, 0},
    {CCA_FOREGROUND_DIFFERENCE, CCA_ORDER_RASTER, UINT32_MAX, 0},
  };
  Picture p = picture_draw (larger_below, WIDTH, HEIGHT, 4);
  CcaEngine *engine = picture_open (CCA_CUDA_TILED, &p);
  const CcaParams params = p.params;
  guint n_fine = 0, i;

  for (i = 0; i < G_N_ELEMENTS (modes); i++) {
    p.params = params;
    play (engine, &p, 2, &n_fine);
    p.params.foreground = modes[i].foreground;
    p.params.order = modes[i].order;
    p.params.max_components = modes[i].max_components;
    p.params.open_radius = modes[i].open_radius;
    if (modes[i].foreground != CCA_FOREGROUND_THRESHOLD)
      picture_configure (engine, &p);
    play (engine, &p, 1, &n_fine);
  }
  fail_unless (n_fine > 0);
  cca_engine_free (&engine);
  picture_clear (&p);
}

static void
setup (void)
{
  g_setenv ("SIMCUDA_MULTIPROCESSORS", "1", TRUE);
  rig_setup ();
}

SUITE ("cuda-fine", .setup = setup, .teardown = rig_teardown, .timeout = 120);
