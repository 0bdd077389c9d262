/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The CUDA engine where the simulated driver differs from all others that the
 * tests meet: older GPUs, and calls that fail with work in several slots. */

#include "../check/suite.h"
#include "cuda-rig.h"
#include "faults.h"
#include "frames.h"
#include "front-driver.h"
#include "paint/paint-cuda.h"

#define N_SLOTS 3

static guint8 *
draw (guint width, guint height)
{
  guint8 *pixels = g_malloc ((gsize) width * height);
  gsize i;

  for (i = 0; i < (gsize) width * height; i++)
    pixels[i] = (guint32) (i / 5 * 2654435761u) >> 24;
  return pixels;
}

static CcaStatus
configure (CcaEngine *engine, guint width, guint height)
{
  const CcaConfig config = plain_config (width, height, 65536, N_SLOTS);

  return cca_engine_configure (engine, &config);
}

static CcaStatus
analyse (CcaEngine *engine, guint slot, const guint8 *pixels, guint width,
    guint height)
{
  const CcaFrame frame = plain_frame (pixels, width, height);
  const CcaParams params = CCA_DEFAULT_PARAMS;

  return cca_engine_analyse (engine, slot, &frame, &params);
}

/* The frame in that slot is as the reference engine has it. */
static void
assert_collected (CcaEngine *engine, guint slot, const guint8 *pixels,
    guint width, guint height)
{
  CcaResult result, expected;
  CcaEngine *ref;

  assert_equals_int (cca_engine_collect (engine, slot, &result), CCA_OK);
  fail_unless (cca_ref_open (&ref) == CCA_OK);
  fail_unless (configure (ref, width, height) == CCA_OK);
  fail_unless (analyse (ref, 0, pixels, width, height) == CCA_OK);
  fail_unless (cca_engine_collect (ref, 0, &expected) == CCA_OK);
  rig_assert_same (&result, &expected);
  cca_engine_free (&ref);
}

static void
assert_works (CcaEngine *engine, guint width, guint height)
{
  guint8 *pixels = draw (width, height);
  const guint8 *copy = rig_upload (pixels, (gsize) width * height);
  guint slot;

  assert_equals_int (configure (engine, width, height), CCA_OK);
  for (slot = 0; slot < N_SLOTS; slot++)
    assert_equals_int (analyse (engine, slot, copy, width, height), CCA_OK);
  for (slot = 0; slot < N_SLOTS; slot++)
    assert_collected (engine, slot, pixels, width, height);
  rig_release (copy);
  g_free (pixels);
}

/* The additional memory of modes: histograms, a background. */
static void
assert_modes_add (CcaEngine *engine, const CcaConfig *config,
    const CcaFootprint *plain)
{
  guint64 row = ((guint64) config->width * config->sample_size + 127) / 128;
  guint64 table = 128 * row * config->height;
  /* for changes of light: two sets of counts of samples, in 8 bands and of those
   * that have changed in two directions, with a bitmap of up to 512 parts; in
   * units of 256 bytes */
  guint64 sets = 2 * (8 * 256 * 4 + 3 * 128 + 512 / 8);
  guint64 light = N_SLOTS * ((sets + 255) / 256 * 256);
  CcaConfig c = *config;
  CcaFootprint f;

  c.foreground = CCA_FOREGROUND_OTSU;
  fail_unless (cca_engine_measure (engine, &c, &f) == CCA_OK);
  assert_equals_uint64 (f.device - plain->device, N_SLOTS * 4 * 65536);
  assert_equals_uint64 (f.pinned, plain->pinned);

  c.foreground = CCA_FOREGROUND_SIGMA_DELTA;
  fail_unless (cca_engine_measure (engine, &c, &f) == CCA_OK);
  assert_equals_uint64 (f.device - plain->device, 2 * table + light);
  assert_equals_uint64 (f.pinned, plain->pinned);

  c.foreground = CCA_FOREGROUND_DIFFERENCE;
  for (c.frame_distance = 1; c.frame_distance <= CCA_MAX_FRAME_DISTANCE;
      c.frame_distance++) {
    fail_unless (cca_engine_measure (engine, &c, &f) == CCA_OK);
    assert_equals_uint64 (f.device - plain->device, c.frame_distance * table);
    assert_equals_uint64 (f.pinned, plain->pinned);
  }
}

/* The bound that cca.h states. */
TEST (test_bound)
{
  static const guint sizes[][2] = {
    {1, 1},
    {1920, 1080},
    {12000, 12000},
    {1, 70000},
    {65535, 129},
    {65536, 129},
    {G_MAXINT, 1},
    {46340, 46340},
  };
  static const guint records[] = {1, 65536, G_MAXUINT32};
  static const CcaCudaAlgorithm algorithms[] = {
    CCA_CUDA_TILED,
    CCA_CUDA_FLSL_CD,
    CCA_CUDA_AUTO,
  };
  guint a, i, j;

  for (a = 0; a < G_N_ELEMENTS (algorithms); a++) {
    CcaEngine *engine = rig_open (algorithms[a]);
    guint fixed = algorithms[a] == CCA_CUDA_AUTO ? 1288 : 264; /* KiB */

    for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
      guint width = sizes[i][0], height = sizes[i][1];
      guint64 tiles = (((guint64) width + 127) / 128) * ((height + 63) / 64);
      guint64 mask = ((guint64) width + 63) / 64 * 8 * height;
      guint64 most = ((guint64) width * height + 1) / 2;
      guint rate = algorithms[a] != CCA_CUDA_FLSL_CD ? 6
          : width > 65535                            ? 29
                                                     : 25;

      for (j = 0; j < G_N_ELEMENTS (records); j++) {
        const CcaConfig config = {.width = width,
          .height = height,
          .sample_size = 2,
          .depth = 16,
          .max_components = records[j],
          .slots = N_SLOTS};
        guint64 table = 40 * MIN (records[j], most);
        CcaFootprint f;

        fail_unless (cca_engine_measure (engine, &config, &f) == CCA_OK);
        fail_unless (f.device <= N_SLOTS
                    * (rate * tiles * 128 * 64 + 3 * mask + fixed * 1024),
            "%ux%u: %" G_GUINT64_FORMAT, width, height, f.device);
        fail_unless (f.pinned <= N_SLOTS * (table + 131 * 1024 + mask));
        assert_equals_uint64 (f.host, 0);
        assert_modes_add (engine, &config, &f);
      }
    }
    cca_engine_free (&engine);
  }
}

/* The engines of a context share its kernels, which stay while they are kept. A
 * painter has others. */
TEST (test_kernels)
{
  const guint before = front_driver.n_modules;
  Gpu other = rig_open_other ();
  const CcaCudaOptions options = {.context = other.context};
  CcaEngine *engines[3];
  CcaCudaKernels *kept;
  CcaPainter *painter;
  const char *why;
  guint i;

  for (i = 0; i < 2; i++)
    engines[i] = rig_open (CCA_CUDA_AUTO);
  assert_equals_int (front_driver.n_modules, before + 1);
  fail_unless (cca_cuda_open (&engines[2], &options, NULL) == CCA_OK);
  assert_equals_int (front_driver.n_modules, before + 2);
  cca_engine_free (&engines[2]);
  assert_equals_int (front_driver.n_modules, before + 1);
  rig_close_other (&other);
  painter = cca_painter_open (rig_gpu->context, &why);
  fail_unless (painter != NULL);
  assert_equals_int (front_driver.n_modules, before + 2);
  cca_painter_close (painter);
  assert_equals_int (front_driver.n_modules, before + 1);

  cca_engine_free (&engines[0]);
  assert_works (engines[1], 200, 100);
  kept = cca_cuda_keep_kernels (engines[1]);
  cca_engine_free (&engines[1]);
  assert_equals_int (front_driver.n_modules, before + 1);
  engines[0] = rig_open (CCA_CUDA_AUTO);
  assert_equals_int (front_driver.n_modules, before + 1);
  cca_cuda_release_kernels (kept);
  assert_works (engines[0], 200, 100);
  cca_engine_free (&engines[0]);
  assert_equals_int (front_driver.n_modules, before);
}

/* Kernels that begin before the ones before them end came with compute
 * capability 9.0. */
TEST (test_overlap)
{
  guint i;

  for (i = 0; i < 4; i++) {
    CcaEngine *engine;

    front_driver.major = i < 2 ? 9 : 8;
    engine = rig_open (i % 2 ? CCA_CUDA_TILED : CCA_CUDA_FLSL_CD);
    front_driver.n_launches = front_driver.n_overlapping = 0;
    assert_works (engine, 130, 67);
    fail_unless (front_driver.n_launches > 0);
    fail_unless ((front_driver.n_overlapping > 0) == (front_driver.major >= 9));
    cca_engine_free (&engine);
  }
}

/* Memory for the first, the second and so on slot is not there. */
TEST (test_allocation)
{
  gboolean failed = TRUE;
  guint nth;

  for (nth = 1; failed; nth++) {
    CcaEngine *engine = rig_open (CCA_CUDA_TILED);
    CcaStatus status;

    front_driver_fail ("alloc", nth);
    status = configure (engine, 100, 80);
    failed = front_driver_failed ();
    assert_equals_int (status, failed ? CCA_ERROR_NO_MEMORY : CCA_OK);
    if (failed)
      assert_equals_string (cca_engine_error (engine),
          "GPU memory for the analysis: memory ran out");
    assert_works (engine, 100, 80);
    cca_engine_free (&engine);
  }
  fail_unless (nth > N_SLOTS + 1);
}

/* An engine that is configured for more records allocates memory for them, but
 * not for fewer. */
TEST (test_more_components)
{
  const CcaConfig few = plain_config (100, 80, 1, N_SLOTS);
  CcaEngine *engine = rig_open (CCA_CUDA_TILED);
  guint n_allocs;

  assert_equals_int (cca_engine_configure (engine, &few), CCA_OK);
  n_allocs = front_driver.n_allocs;
  assert_works (engine, 100, 80);
  fail_unless (front_driver.n_allocs - n_allocs >= N_SLOTS);
  n_allocs = front_driver.n_allocs;
  assert_equals_int (cca_engine_configure (engine, &few), CCA_OK);
  assert_equals_int (front_driver.n_allocs, n_allocs);
  cca_engine_free (&engine);
}

/* Work in flight cannot be waited for, in the first slot, the second ... */
TEST (test_wait)
{
  guint8 *pixels = draw (100, 80);
  const guint8 *copy = rig_upload (pixels, 100 * 80);
  gboolean failed = TRUE;
  guint nth, slot;

  for (nth = 1; failed; nth++) {
    CcaEngine *engine = rig_open (CCA_CUDA_TILED);
    CcaStatus status;

    assert_equals_int (configure (engine, 100, 80), CCA_OK);
    for (slot = 0; slot < N_SLOTS; slot++)
      assert_equals_int (analyse (engine, slot, copy, 100, 80), CCA_OK);
    front_driver_fail ("synchronize", nth);
    status = configure (engine, 90, 80);
    failed = front_driver_failed ();
    assert_equals_int (status, failed ? CCA_ERROR_DEVICE : CCA_OK);
    if (failed)
      assert_equals_string (cca_engine_error (engine),
          "work in flight: the CUDA driver says CUDA_ERROR_NOT_PERMITTED");
    assert_works (engine, 100, 80);
    cca_engine_free (&engine);
  }
  assert_equals_int (nth, N_SLOTS + 2);
  rig_release (copy);
  g_free (pixels);
}

/* Errors after which a context is of no use, and one after which it is. */
TEST (test_lost)
{
  static const CUresult lost[] = {CUDA_ERROR_ILLEGAL_ADDRESS,
    CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_ASSERT,
    CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION,
    CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_ADDRESS_SPACE,
    CUDA_ERROR_INVALID_PC, CUDA_ERROR_ECC_UNCORRECTABLE,
    CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_DEINITIALIZED};
  guint8 *pixels = draw (100, 80);
  const guint8 *copy = rig_upload (pixels, 100 * 80);
  CcaEngine *engine = rig_open (CCA_CUDA_TILED);
  guint i;

  assert_equals_int (configure (engine, 100, 80), CCA_OK);
  for (i = 0; i <= G_N_ELEMENTS (lost); i++) {
    gboolean is_lost = i < G_N_ELEMENTS (lost);

    front_driver.error = is_lost ? lost[i] : CUDA_ERROR_NOT_PERMITTED;
    front_driver_fail ("clear", 1);
    assert_equals_int (analyse (engine, 0, copy, 100, 80),
        is_lost ? CCA_ERROR_DEVICE_LOST : CCA_ERROR_DEVICE);
    fail_unless (front_driver_failed ());
  }
  cca_engine_free (&engine);
  rig_release (copy);
  g_free (pixels);
}

/* The host's memory runs out. */
TEST (test_no_memory)
{
  const CcaCudaOptions options = {.context = rig_gpu->context};
  CcaEngine *engine = (CcaEngine *) &options;
  const char *why = NULL;

  faults_arm (1);
  assert_equals_int (cca_cuda_open (&engine, &options, &why),
      CCA_ERROR_NO_MEMORY);
  assert_equals_string (faults_disarm (), "calloc");
  assert_equals_string (why, cca_status_string (CCA_ERROR_NO_MEMORY));
  fail_unless (engine == NULL);
}

SUITE ("cuda-engine", .setup = rig_setup, .teardown = rig_teardown,
    .timeout = 120);
