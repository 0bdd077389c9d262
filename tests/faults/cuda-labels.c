/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Labels of the CUDA engine: their launches, in graphs and after failures.
 * checkcca tests the labels themselves in more cases. */

#include <string.h>

#include "../check/suite.h"
#include "cuda/state.h"
#include "cuda-rig.h"
#include "front-driver.h"

#define WIDTH 300
#define HEIGHT 150
#define N_PIXELS (WIDTH * HEIGHT)
#define N_PLANES 2
/* frames before there is a graph */
#define N_BEFORE 4
/* Launches of a frame without a graph, equal for both algorithms. */
#define N_KERNELS 7

static const CcaCudaAlgorithm algorithms[] = {CCA_CUDA_TILED, CCA_CUDA_FLSL_CD,
  CCA_CUDA_AUTO};

static guint8 pixels[N_PIXELS];
static const guint8 *copy;
static CUdeviceptr planes[N_PLANES];
static guint16 labels[N_PIXELS], expected[N_PIXELS];
static CcaEngine *engine, *ref;
static CcaParams params;

static void
start (CcaCudaAlgorithm algorithm)
{
  const CcaConfig config = {.width = WIDTH,
    .height = HEIGHT,
    .sample_size = 1,
    .depth = 8,
    .max_components = 65536,
    .slots = 1,
    .labels = TRUE};
  const CcaParams defaults = CCA_DEFAULT_PARAMS;
  guint i;

  params = defaults;
  engine = rig_open (algorithm);
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
  for (i = 0; i < N_PIXELS; i++)
    pixels[i] = (guint32) (i / 3 * 2654435761u) >> 24;
  copy = rig_upload (pixels, N_PIXELS);
  memset (labels, 0xa5, sizeof (labels));
  for (i = 0; i < N_PLANES; i++)
    planes[i] = (CUdeviceptr) rig_upload ((guint8 *) labels, sizeof (labels));
}

static void
stop (void)
{
  guint i;

  rig_release (copy);
  for (i = 0; i < N_PLANES; i++)
    rig_release ((const guint8 *) planes[i]);
  cca_engine_free (&engine);
  cca_engine_free (&ref);
}

static CcaStatus
analyse (CcaEngine *which, gpointer plane)
{
  const CcaFrame frame = {.data = which == ref ? pixels : copy,
    .width = WIDTH,
    .height = HEIGHT,
    .stride = WIDTH,
    .labels = {.data = plane, .bits = 16, .stride = 2 * WIDTH}};

  return cca_engine_analyse (which, 0, &frame, &params);
}

static void
fetch (guint plane)
{
  fail_unless (gpu_enter (rig_gpu));
  fail_unless (
      rig_gpu->copy_to_host_async (labels, planes[plane], sizeof (labels), NULL)
      == CUDA_SUCCESS);
  fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
}

/* Collects and compares the components and the labels. */
static void
compare (guint plane)
{
  CcaResult result, right;

  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  assert_equals_int (analyse (ref, expected), CCA_OK);
  assert_equals_int (cca_engine_collect (ref, 0, &right), CCA_OK);
  rig_assert_same (&result, &right);
  assert_equals_int (result.label_bits, 16);
  fetch (plane);
  fail_unless (memcmp (labels, expected, sizeof (labels)) == 0);
}

/* The calls that the next frame makes, with labels or without. */
static void
assert_calls (guint plane, guint n_launches, guint n_graphs, guint n_updates)
{
  FrontDriver before = front_driver;

  assert_equals_int (analyse (engine, (gpointer) planes[plane]), CCA_OK);
  compare (plane);
  assert_equals_int (front_driver.n_launches - before.n_launches, n_launches);
  assert_equals_int (front_driver.n_graph_launches - before.n_graph_launches,
      n_graphs);
  assert_equals_int (front_driver.n_graph_updates - before.n_graph_updates,
      n_updates);
}

TEST_LOOP (test_graph, 0, G_N_ELEMENTS (algorithms))
{
  guint i;

  start (algorithms[__i__]);
  for (i = 0; i < N_BEFORE; i++)
    assert_calls (i % 2, N_KERNELS, 0, 0);
  assert_calls (0, 0, 1, 0);
  /* one kernel has the address of the labels */
  assert_calls (1, 0, 1, 1);
  assert_calls (1, 0, 1, 0);
  /* one more kernel clears the labels outside the region */
  params.roi.x = 3;
  assert_calls (0, N_KERNELS + 1, 0, 0);
  stop ();
}

/* Frames that do not ask for labels make the launches that they always did. */
TEST (test_off)
{
  FrontDriver before;
  CcaResult result;

  start (CCA_CUDA_TILED);
  before = front_driver;
  assert_equals_int (analyse (engine, NULL), CCA_OK);
  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  assert_equals_int (result.label_bits, 0);
  assert_equals_int (front_driver.n_launches - before.n_launches, 5);
  stop ();
}

/* One launch clears the plane, and collect waits for it. */
TEST_LOOP (test_empty_region, 0, G_N_ELEMENTS (algorithms))
{
  FrontDriver before;
  guint i;

  for (i = 0; i < 2; i++) {
    start (algorithms[__i__]);
    assert_calls (0, N_KERNELS, 0, 0);
    params.foreground = i ? CCA_FOREGROUND_OTSU : CCA_FOREGROUND_THRESHOLD;
    params.roi.x = WIDTH;
    if (i) {
      const CcaConfig config = {.width = WIDTH,
        .height = HEIGHT,
        .sample_size = 1,
        .depth = 8,
        .max_components = 65536,
        .slots = 1,
        .labels = TRUE,
        .foreground = CCA_FOREGROUND_OTSU};

      assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
      assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
    }
    before = front_driver;
    assert_calls (1, 1, 0, 0);
    assert_equals_int (front_driver.n_synchronizes - before.n_synchronizes, 1);
    stop ();
  }
}

/* The frame is lost, whichever launch fails, and no other. */
TEST_LOOP (test_failure, 0, G_N_ELEMENTS (algorithms))
{
  guint nth;

  start (algorithms[__i__]);
  for (nth = 1; nth <= N_KERNELS; nth++) {
    ((CudaEngine *) engine)->gpu.graphs = FALSE;
    front_driver_fail ("launch", nth);
    assert_equals_int (analyse (engine, (gpointer) planes[0]),
        CCA_ERROR_DEVICE);
    fail_unless (front_driver_failed ());
    assert_calls (1, N_KERNELS, 0, 0);
  }
  stop ();
}

SUITE ("cuda-labels", .setup = rig_setup, .teardown = rig_teardown,
    .timeout = 120);
