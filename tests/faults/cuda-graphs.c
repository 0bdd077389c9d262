/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The launches of the CUDA engine: as a graph, one by one where there can be no
 * graph, and with as few driver calls as possible. Results and labels are
 * compared with the reference engine; checkcca tests them in more cases. */

#include <string.h>

#include "../check/suite.h"
#include "cuda-rig.h"
#include "frames.h"
#include "cuda/state.h"
#include "front-driver.h"

#define WIDTH 70
#define HEIGHT 40
/* With labels there are several tiles. */
#define LABELLED_WIDTH 300
#define LABELLED_HEIGHT 150
#define MAX_PIXELS (LABELLED_WIDTH * LABELLED_HEIGHT)
#define N_IMAGES 2
/* Number of equal frames after which there is a graph. */
#define N_BEFORE 4

static guint width, height;
static gboolean labelled;
static guint8 pixels[N_IMAGES][MAX_PIXELS];
static const guint8 *copies[N_IMAGES], *planes[N_IMAGES];
static guint16 labels[MAX_PIXELS], expected_labels[MAX_PIXELS];
static CcaEngine *engine, *ref;
static CcaParams params;

static void
configure (CcaForeground foreground)
{
  CcaConfig config = plain_config (width, height, 65536, 1);

  config.labels = labelled;
  config.foreground = params.foreground = foreground;
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_configure (ref, &config), CCA_OK);
}

static void
start (CcaCudaAlgorithm algorithm, gboolean with_labels)
{
  const CcaParams defaults = CCA_DEFAULT_PARAMS;
  guint i, k;

  params = defaults;
  labelled = with_labels;
  width = labelled ? LABELLED_WIDTH : WIDTH;
  height = labelled ? LABELLED_HEIGHT : HEIGHT;
  if (rig_gpu == NULL)
    rig_setup ();
  engine = rig_open (algorithm);
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  configure (CCA_FOREGROUND_THRESHOLD);
  memset (labels, 0xa5, sizeof (labels));
  for (k = 0; k < N_IMAGES; k++) {
    for (i = 0; i < width * height; i++)
      pixels[k][i] = (guint32) ((i / 3 + 7 * k) * 2654435761u) >> 24;
    copies[k] = rig_upload (pixels[k], width * height);
    planes[k] = rig_upload ((guint8 *) labels, sizeof (labels));
  }
}

static void
stop (void)
{
  guint k;

  for (k = 0; k < N_IMAGES; k++) {
    rig_release (copies[k]);
    rig_release (planes[k]);
  }
  cca_engine_free (&engine);
  cca_engine_free (&ref);
}

/* With labels the frames are the same, and only the planes differ. */
static CcaStatus
analyse (CcaEngine *which, guint image)
{
  const guint i = labelled ? 0 : image;
  CcaFrame frame =
      plain_frame (which == ref ? pixels[i] : copies[i], width, height);

  if (labelled)
    frame.labels = (CcaLabels) {
      .data =
          which == ref ? (gpointer) expected_labels : (gpointer) planes[image],
      .bits = 16,
      .stride = 2 * width,
    };
  return cca_engine_analyse (which, 0, &frame, &params);
}

static void
compare (guint image)
{
  CcaResult result, expected;

  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  assert_equals_int (analyse (ref, image), CCA_OK);
  assert_equals_int (cca_engine_collect (ref, 0, &expected), CCA_OK);
  fail_unless (expected.n_found > 1 || params.roi.x == width);
  rig_assert_same (&result, &expected);
  assert_equals_int (result.label_bits, labelled ? 16 : 0);
  if (!labelled)
    return;
  fail_unless (gpu_enter (rig_gpu));
  fail_unless (rig_gpu->copy_to_host_async (labels, (CUdeviceptr) planes[image],
                   sizeof (labels), NULL)
      == CUDA_SUCCESS);
  fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
  fail_unless (memcmp (labels, expected_labels, sizeof (labels)) == 0);
}

static void
play (guint image)
{
  assert_equals_int (analyse (engine, image), CCA_OK);
  compare (image);
}

/* The calls that the next frame makes. */
static void
assert_calls (guint image, guint n_launches, guint n_graphs, guint n_updates)
{
  FrontDriver before = front_driver;

  play (image);
  assert_equals_int (front_driver.n_launches - before.n_launches, n_launches);
  assert_equals_int (front_driver.n_graph_launches - before.n_graph_launches,
      n_graphs);
  assert_equals_int (front_driver.n_graph_updates - before.n_graph_updates,
      n_updates);
}

/* Launches of a frame by themselves. */
static guint
n_kernels (CcaCudaAlgorithm algorithm)
{
  return algorithm == CCA_CUDA_TILED ? 5 : 6;
}

/* With labels all algorithms have as many. */
#define N_LABELLED 7

static const CcaCudaAlgorithm algorithms[] = {CCA_CUDA_TILED, CCA_CUDA_FLSL_CD,
  CCA_CUDA_AUTO};

TEST_LOOP (test_graph, 0, 2)
{
  guint n = n_kernels (algorithms[__i__]), i;

  start (algorithms[__i__], FALSE);
  for (i = 0; i < N_BEFORE; i++)
    assert_calls (i % 2, n, 0, 0);
  assert_calls (0, 0, 1, 0);
  assert_calls (0, 0, 1, 0);
  /* only the first kernel sees where the pixels are */
  assert_calls (1, 0, 1, 1);
  assert_calls (1, 0, 1, 0);
  /* all but the ranks' see which neighbours count, and the region: the ranks'
   * see no more of it than how many tiles it has */
  params.connectivity = 4;
  assert_calls (1, 0, 1, n - 1);
  params.roi.width = WIDTH / 2;
  params.roi.height = HEIGHT / 2;
  assert_calls (1, 0, 1, n - 1);
  stop ();
}

/* Another sequence of kernels has another graph, which replaces the old one. */
TEST (test_other_kernels)
{
  guint i;

  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i <= N_BEFORE; i++)
    play (0);
  params.min_area = 2;
  for (i = 0; i < N_BEFORE; i++)
    assert_calls (0, 6, 0, 0);
  assert_calls (0, 0, 1, 0);
  params.order = CCA_ORDER_AREA;
  params.max_components = 7;
  for (i = 0; i < N_BEFORE; i++)
    assert_calls (0, 13, 0, 0);
  assert_calls (1, 0, 1, 0);
  assert_calls (0, 0, 1, 1);
  stop ();
}

TEST (test_driver_without_graphs)
{
  guint i;

  front_driver.lacks = "cuGraphAddDependencies_v2";
  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i < 2 * N_BEFORE; i++)
    assert_calls (i % 2, 5, 0, 0);
  stop ();
}

/* The driver can make no graph of the kernels: it is not asked again. */
TEST (test_no_graph)
{
  guint nth, i;

  for (nth = 1; nth <= 5; nth++) {
    start (CCA_CUDA_TILED, FALSE);
    for (i = 0; i < N_BEFORE; i++)
      play (0);
    front_driver_fail ("graph-add", nth);
    assert_calls (0, 5, 0, 0);
    fail_unless (front_driver_failed ());
    for (i = 0; i <= 2 * N_BEFORE; i++)
      assert_calls (i % 2, 5, 0, 0);
    stop ();
  }
}

/* On a stream that is captured kernels are launched one by one. */
TEST (test_capturing)
{
  guint i;

  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i <= N_BEFORE; i++)
    play (0);
  front_driver.captures = TRUE;
  assert_calls (0, 5, 0, 0);
  assert_calls (1, 5, 0, 0);
  front_driver.captures = FALSE;
  assert_calls (0, 0, 1, 0);
  stop ();
}

/* The frame is lost, and no other. */
TEST_LOOP (test_failure, 0, 2)
{
  static const gchar *const calls[] = {"graph-launch", "graph-set"};
  guint i;

  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i <= N_BEFORE; i++)
    play (0);
  front_driver_fail (calls[__i__], 1);
  assert_equals_int (analyse (engine, 1), CCA_ERROR_DEVICE);
  fail_unless (front_driver_failed ());
  assert_equals_string (cca_engine_error (engine),
      "the analysis cannot be "
      "launched: the CUDA driver says CUDA_ERROR_NOT_PERMITTED");
  for (i = 0; i <= N_BEFORE; i++)
    play ((i + 1) % 2);
  assert_calls (0, 0, 1, 1);
  stop ();
}

/* Kernels that do not begin early: older GPUs. */
TEST (test_no_overlap)
{
  guint i;

  front_driver.major = 8;
  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i <= N_BEFORE; i++)
    play (i % 2);
  assert_calls (1, 0, 1, 1);
  assert_equals_int (front_driver.n_overlapping, 0);
  stop ();
}

/* Until the simulated GPU has written that the frame is done. */
static void
wait_until_done (void)
{
  const CudaFence *fence = &((CudaEngine *) engine)->slots[0].fence;
  const gint64 limit = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (
      __atomic_load_n (fence->word, __ATOMIC_ACQUIRE) >> 48 != fence->number) {
    fail_unless (g_get_monotonic_time () < limit);
    g_usleep (1000);
  }
}

/* A frame that says that it is done is collected without a call. */
TEST (test_done_already)
{
  guint i;

  start (CCA_CUDA_TILED, FALSE);
  for (i = 0; i <= N_BEFORE; i++)
    play (0);
  for (i = 0; i < 3; i++) {
    CudaEngine *e = (CudaEngine *) engine;
    FrontDriver before;

    e->wait.blocks = FALSE;
    before = front_driver;
    assert_equals_int (analyse (engine, i % 2), CCA_OK);
    wait_until_done ();
    compare (i % 2);
    assert_equals_int (front_driver.n_records, before.n_records);
    assert_equals_int (front_driver.n_synchronizes, before.n_synchronizes);
    fail_unless (!e->wait.blocks);
  }

  /* a frame that is done already also ends blocking waits */
  ((CudaEngine *) engine)->wait.blocks = TRUE;
  assert_equals_int (analyse (engine, 0), CCA_OK);
  wait_until_done ();
  compare (0);
  fail_unless (!((CudaEngine *) engine)->wait.blocks);
  stop ();
}

/* Launched one by one, the simulated GPU does not end the last kernel before it
 * is waited for: the spin limit is reached, and from then on an event is
 * recorded beforehand. */
TEST (test_sleeps)
{
  CudaEngine *e;
  guint n;

  start (CCA_CUDA_TILED, FALSE);
  e = (CudaEngine *) engine;
  e->gpu.graphs = FALSE;
  n = front_driver.n_records;
  e->wait.blocks = FALSE;
  assert_equals_int (analyse (engine, 0), CCA_OK);
  assert_equals_int (front_driver.n_records, n);
  e->wait.spin_limit = 0;
  compare (0);
  assert_equals_int (front_driver.n_records, n + 1);
  fail_unless (e->wait.blocks);
  assert_equals_int (analyse (engine, 1), CCA_OK);
  assert_equals_int (front_driver.n_records, n + 2);
  compare (1);
  assert_equals_int (front_driver.n_records, n + 2);
  /* one that was not long is waited for awake the next time */
  assert_equals_int (analyse (engine, 0), CCA_OK);
  e->wait.spin_limit = G_MAXUINT32;
  compare (0);
  fail_unless (!e->wait.blocks);
  stop ();
}

static guint64
limit_after (guint64 last)
{
  CudaEngine *e = (CudaEngine *) engine;
  guint64 limit;

  e->wait.last_begun = last;
  assert_equals_int (analyse (engine, 0), CCA_OK);
  limit = e->wait.spin_limit;
  compare (0);
  return limit;
}

/* The spin limit is high for frames that follow each other closely, which the
 * simulated GPU does not always reach. */
TEST (test_spin_limit)
{
  guint64 far, near;
  guint i;

  start (CCA_CUDA_TILED, FALSE);
  near = far = limit_after (0);
  fail_unless (far > 0);
  for (i = 0; i < 1000 && near == far; i++)
    near = limit_after (g_get_monotonic_time () * 1000);
  fail_unless (near > far);
  stop ();
}

/* --- labels ---------------------------------------------------------------- */

TEST_LOOP (test_labels, 0, G_N_ELEMENTS (algorithms))
{
  guint i;

  start (algorithms[__i__], TRUE);
  for (i = 0; i < N_BEFORE; i++)
    assert_calls (i % 2, N_LABELLED, 0, 0);
  assert_calls (0, 0, 1, 0);
  /* one kernel has the address of the labels */
  assert_calls (1, 0, 1, 1);
  assert_calls (1, 0, 1, 0);
  /* one more kernel clears the labels outside the region */
  params.roi.x = 3;
  assert_calls (0, N_LABELLED + 1, 0, 0);
  stop ();
}

/* Without labels a frame has the same launches as if the engine could not make
 * them. */
TEST (test_labels_off)
{
  start (CCA_CUDA_TILED, TRUE);
  labelled = FALSE;
  assert_calls (0, 5, 0, 0);
  stop ();
}

/* One launch clears the plane, and collect waits for it. */
TEST_LOOP (test_empty_region, 0, G_N_ELEMENTS (algorithms))
{
  FrontDriver before;
  guint i;

  for (i = 0; i < 2; i++) {
    start (algorithms[__i__], TRUE);
    assert_calls (0, N_LABELLED, 0, 0);
    params.roi.x = width;
    if (i)
      configure (CCA_FOREGROUND_OTSU);
    before = front_driver;
    assert_calls (1, 1, 0, 0);
    assert_equals_int (front_driver.n_synchronizes - before.n_synchronizes, 1);
    stop ();
  }
}

/* The frame is lost, whichever launch fails, and no other. */
TEST_LOOP (test_failed_launch, 0, G_N_ELEMENTS (algorithms))
{
  guint nth;

  start (algorithms[__i__], TRUE);
  for (nth = 1; nth <= N_LABELLED; nth++) {
    ((CudaEngine *) engine)->gpu.graphs = FALSE;
    front_driver_fail ("launch", nth);
    assert_equals_int (analyse (engine, 0), CCA_ERROR_DEVICE);
    fail_unless (front_driver_failed ());
    assert_calls (1, N_LABELLED, 0, 0);
  }
  stop ();
}

SUITE ("cuda-graphs", .teardown = rig_teardown, .timeout = 120);
