/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Painting label images on the GPU: failing driver calls, and correct pixels
 * afterwards. */

#include <string.h>

#include "../check/suite.h"
#include "cuda-rig.h"
#include "front-driver.h"
#include "paint/paint-cuda.h"

#define WIDTH 70
#define HEIGHT 40
#define N_LABELS 2500
/* launches with keys for N_LABELS: three, and one for the pixels */
#define N_LAUNCHES 4

static guint8 image[HEIGHT][2 * WIDTH];
static guint32 keys[N_LABELS + 1];
static guint8 pixels[HEIGHT][4 * WIDTH], expected[HEIGHT][4 * WIDTH];
static CcaPaintLabels labels = {.stride = 2 * WIDTH,
  .width = WIDTH,
  .height = HEIGHT,
  .size = 2,
  .n_keys = N_LABELS + 1,
  .keys = keys};

static CcaPaintPicture picture = {.stride = 4 * WIDTH,
  .width = WIDTH,
  .height = HEIGHT};

static CcaPainter *painter;

static void
start (void)
{
  static CcaPaintPalette palette;
  const char *why;
  guint i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    GST_WRITE_UINT16_LE (image[0] + 2 * i, i % (N_LABELS + 1));
  for (i = 0; i <= N_LABELS; i++)
    keys[i] = 7 * i + 3;
  picture.data = expected[0];
  labels.data = image[0];
  cca_paint_code (
      cca_cpu_level ()) (&picture, CCA_PAINT_COLORS, &labels, &palette);

  memset (pixels, 0xa5, sizeof (pixels));
  picture.data = (guint8 *) rig_upload (pixels[0], sizeof (pixels));
  labels.data = rig_upload (image[0], sizeof (image));
  painter = cca_painter_open (rig_gpu->context, &why);
  fail_unless (painter != NULL);
}

static void
stop (void)
{
  rig_release (picture.data);
  rig_release (labels.data);
  cca_painter_close (painter);
}

static void
fetch (void)
{
  fail_unless (gpu_enter (rig_gpu));
  fail_unless (rig_gpu->copy_to_host_async (pixels[0],
                   (CUdeviceptr) picture.data, sizeof (pixels), NULL)
      == CUDA_SUCCESS);
  fail_unless (rig_gpu->stream_synchronize (NULL) == CUDA_SUCCESS);
  gpu_leave (rig_gpu);
}

static void
assert_paints (void)
{
  fail_unless (
      cca_painter_paint (painter, &picture, CCA_PAINT_COLORS, &labels, NULL));
  fetch ();
  fail_unless (memcmp (pixels, expected, sizeof (pixels)) == 0);
}

/* Each call that opens it. */
TEST (test_open)
{
  static const struct
  {
    const gchar *call;
    guint nth;
    const gchar *why;
  } failing[] = {
    {"push", 1,
      "the GPU context cannot be entered: the CUDA driver says "
      "CUDA_ERROR_INVALID_CONTEXT"},
    {"load", 1,
      "the kernels were not built for this GPU, or the driver is too "
      "old for them: the CUDA driver says CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {"function", 1,
      "the kernels cannot be loaded: the CUDA driver says "
      "CUDA_ERROR_NOT_FOUND"},
    {"function", 2,
      "the kernels cannot be loaded: the CUDA driver says "
      "CUDA_ERROR_NOT_FOUND"},
  };
  const char *why = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (failing); i++) {
    front_driver_fail (failing[i].call, failing[i].nth);
    fail_unless (cca_painter_open (rig_gpu->context, &why) == NULL);
    fail_unless (front_driver_failed ());
    assert_equals_string (why, failing[i].why);
    assert_equals_int (front_driver.n_modules, 0);
  }
  start ();
  assert_paints ();
  stop ();
}

/* A context that cannot be entered. */
TEST (test_enter)
{
  start ();
  front_driver_fail ("push", 1);
  fail_if (
      cca_painter_paint (painter, &picture, CCA_PAINT_COLORS, &labels, NULL));
  fail_unless (front_driver_failed ());
  front_driver_fail ("push", 1);
  fail_if (cca_painter_clear (painter, &picture, NULL));
  fail_unless (front_driver_failed ());
  assert_paints ();
  stop ();
}

/* Each launch, and the table's memory, which is asked for once. */
TEST (test_paint)
{
  guint nth;

  start ();
  front_driver_fail ("alloc", 1);
  fail_if (
      cca_painter_paint (painter, &picture, CCA_PAINT_COLORS, &labels, NULL));
  fail_unless (front_driver_failed ());
  assert_paints ();
  for (nth = 1; nth <= N_LAUNCHES; nth++) {
    front_driver_fail ("launch", nth);
    fail_if (
        cca_painter_paint (painter, &picture, CCA_PAINT_COLORS, &labels, NULL));
    fail_unless (front_driver_failed ());
    assert_paints ();
  }
  front_driver_fail ("alloc", 1);
  assert_paints ();
  fail_if (front_driver_failed ());
  stop ();
}

TEST (test_clear)
{
  guint i;

  start ();
  front_driver_fail ("clear", 1);
  fail_if (cca_painter_clear (painter, &picture, NULL));
  fail_unless (front_driver_failed ());
  assert_paints ();
  fail_unless (cca_painter_clear (painter, &picture, NULL));
  fetch ();
  for (i = 0; i < sizeof (pixels); i++)
    fail_unless (((const guint8 *) pixels)[i] == 0, "byte %u", i);
  stop ();
}

SUITE ("cuda-paint", .setup = rig_setup, .teardown = rig_teardown);
