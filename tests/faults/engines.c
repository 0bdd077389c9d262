/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Each allocation of the engines fails once: the call reports it in one
 * sentence, leaks nothing, and works the next time. */

#include <string.h>

#include "../check/suite.h"
#include "cca.h"
#include "faults.h"
#include "frames.h"

#define MAX_WIDTH 700
#define MAX_HEIGHT 600

typedef struct
{
  const gchar *name;
  guint threads; /* 0: the reference engine */
} Kind;

static const Kind kinds[] = {
  {"ref", 0},
  {"cpu", 1},
  {"cpu, 3 threads", 3},
};

/* One more than a frame has: the second one is moved by a pixel. */
static guint8 pixels[MAX_WIDTH * MAX_HEIGHT + 1];

static CcaForeground foreground;

static void
draw (void)
{
  guint i;

  for (i = 0; i < sizeof (pixels); i++)
    pixels[i] = (guint32) (i * 2654435761u) >> 24;
}

static CcaStatus
open_engine (const Kind *kind, CcaEngine **engine)
{
  CcaCpuOptions options = {.threads = kind->threads,
    .level = CCA_CPU_LEVEL_BEST};

  return kind->threads ? cca_cpu_open (engine, &options)
                       : cca_ref_open (engine);
}

/* Two frames, so that the second one has a background. */
static CcaStatus
analyse (CcaEngine *engine, guint width, guint height, CcaOrder order,
    CcaResult *result)
{
  CcaParams params = CCA_DEFAULT_PARAMS;
  CcaStatus status = CCA_OK;
  guint i;

  params.order = order;
  params.foreground = foreground;
  params.close_radius = foreground == CCA_FOREGROUND_OTSU;
  params.absorb_after = 1;
  for (i = 0; i < 2 && status == CCA_OK; i++) {
    const CcaFrame frame = {.data = pixels + i,
      .width = width,
      .height = height,
      .stride = MAX_WIDTH};

    status = cca_engine_analyse (engine, 0, &frame, &params);
    if (status == CCA_OK)
      status = cca_engine_collect (engine, 0, result);
  }
  return status;
}

static CcaStatus
configure (CcaEngine *engine, guint width, guint height)
{
  const CcaConfig config = {.width = width,
    .height = height,
    .sample_size = 1,
    .depth = 8,
    .max_components = G_MAXUINT32,
    .slots = 2,
    .foreground = foreground,
    .frame_distance = 3,
    .labels = TRUE,
    .features = foreground == CCA_FOREGROUND_THRESHOLD ? CCA_FEATURES_ALL
                                                       : CCA_FEATURES_NONE,
    .votes = TRUE};

  return cca_engine_configure (engine, &config);
}

/* The result of the reference engine, cached because it is slow. */
static const CcaResult *
find_expected (guint width, guint height, CcaOrder order)
{
  static struct
  {
    guint width, height;
    CcaEngine *ref;
    CcaResult result;
  } known[CCA_FOREGROUND_SIGMA_DELTA + 1][CCA_ORDER_AREA + 1];
  const guint mode = foreground;

  if (known[mode][order].width != width
      || known[mode][order].height != height) {
    CcaEngine *ref;

    cca_engine_free (&known[mode][order].ref);
    fail_unless (cca_ref_open (&ref) == CCA_OK);
    fail_unless (configure (ref, width, height) == CCA_OK);
    fail_unless (analyse (ref, width, height, order, &known[mode][order].result)
        == CCA_OK);
    known[mode][order].ref = ref;
    known[mode][order].width = width;
    known[mode][order].height = height;
  }
  return &known[mode][order].result;
}

static void
assert_result (const CcaResult *result, guint width, guint height,
    CcaOrder order)
{
  const CcaResult *expected = find_expected (width, height, order);

  assert_equals_int (result->n_found, expected->n_found);
  assert_equals_int (result->n_components, expected->n_components);
  fail_unless (memcmp (result->components, expected->components,
                   expected->n_components * sizeof (CcaComponent))
      == 0);
}

/* Configures and analyses while the nth call fails. An error has a sentence,
 * and leaves the engine without a configuration. */
static gboolean
work (CcaEngine *engine, guint width, guint height, guint nth,
    const gchar **fault)
{
  CcaOrder order = width % 2 ? CCA_ORDER_AREA : CCA_ORDER_RASTER;
  CcaStatus status;
  CcaResult result;

  faults_arm (nth);
  status = configure (engine, width, height);
  *fault = faults_disarm ();

  if (status == CCA_OK) {
    fail_unless (analyse (engine, width, height, order, &result) == CCA_OK);
    assert_result (&result, width, height, order);
    return TRUE;
  }
  fail_unless (*fault != NULL);
  assert_equals_int (status, CCA_ERROR_NO_MEMORY);
  fail_unless (strstr (cca_engine_error (engine), "memory") != NULL);
  fail_unless (strchr (cca_engine_error (engine), '.') == NULL);
  assert_equals_int (analyse (engine, width, height, order, &result),
      CCA_ERROR_NOT_CONFIGURED);
  return FALSE;
}

static gboolean
try_open (const Kind *kind, guint nth)
{
  CcaEngine *engine = NULL;
  const gchar *fault;
  CcaStatus status;

  faults_arm (nth);
  status = open_engine (kind, &engine);
  fault = faults_disarm ();
  assert_equals_int (status, fault ? CCA_ERROR_NO_MEMORY : CCA_OK);
  fail_unless ((engine != NULL) == (fault == NULL));
  cca_engine_free (&engine);
  return fault != NULL;
}

/* With a new engine, or one that must grow after a configuration without a
 * background. Returns FALSE if nothing failed. */
static gboolean
try_work (const Kind *kind, guint nth, gboolean grows, guint *n_errors)
{
  const CcaForeground mode = foreground;
  CcaEngine *engine;
  const gchar *fault, *none;

  fail_unless (open_engine (kind, &engine) == CCA_OK);
  foreground = CCA_FOREGROUND_THRESHOLD;
  if (grows)
    fail_unless (work (engine, 65, 33, 0, &none));
  foreground = mode;
  if (!work (engine, MAX_WIDTH, MAX_HEIGHT, nth, &fault))
    ++*n_errors;
  fail_unless (work (engine, MAX_WIDTH - 1, MAX_HEIGHT, 0, &none));
  cca_engine_free (&engine);
  return fault != NULL;
}

static void
try_all_work (const Kind *kind)
{
  /* the CPU engine grows by one allocation, all of its tables */
  guint least = kind->threads ? 1 : 2;
  guint n_errors = 0, grows, nth;

  for (grows = 0; grows < 2; grows++) {
    for (nth = 1; try_work (kind, nth, grows, &n_errors); nth++)
      ;
    fail_unless (nth > least, "%s allocates nothing", kind->name);
  }
  fail_unless (n_errors >= 2 + least, "%s: only %u errors", kind->name,
      n_errors);
}

TEST (test_engines)
{
  guint i, mode, nth;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++) {
    const Kind *kind = &kinds[i];

    for (nth = 1; try_open (kind, nth); nth++)
      ;
    assert_equals_int (nth, 2);
    for (mode = 0; mode <= CCA_FOREGROUND_SIGMA_DELTA; mode++) {
      foreground = (CcaForeground) mode;
      try_all_work (kind);
    }
  }
  foreground = CCA_FOREGROUND_THRESHOLD;
  faults_print ("engines");
}

/* Fewer pixels, but more bands of rows than before, take other tables. */
TEST (test_more_bands)
{
  static const guint sizes[][2] = {{MAX_WIDTH, 2}, {20, 12}, {MAX_WIDTH, 1}};
  CcaEngine *engine;
  const gchar *none;
  guint i;

  fail_unless (open_engine (&kinds[2], &engine) == CCA_OK);
  for (i = 0; i < 3 * G_N_ELEMENTS (sizes); i++)
    fail_unless (work (engine, sizes[i % 3][0], sizes[i % 3][1], 0, &none));
  cca_engine_free (&engine);
}

/* More components than records: the records of the next slot, which was
 * analysed before, stay unchanged. */
TEST_LOOP (test_next_slot, 0, 2)
{
  const CcaConfig config = plain_config (64, 64, 3, 2);
  const CcaParams params = CCA_DEFAULT_PARAMS;
  const CcaFrame many = {.data = pixels,
    .width = 64,
    .height = 64,
    .stride = MAX_WIDTH};
  guint8 one[64] = {255};
  const CcaFrame few = plain_frame (one, 8, 8);
  CcaEngine *engine;
  CcaResult result;

  fail_unless (open_engine (&kinds[1 + __i__], &engine) == CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  assert_equals_int (cca_engine_analyse (engine, 1, &few, &params), CCA_OK);
  assert_equals_int (cca_engine_analyse (engine, 0, &many, &params), CCA_OK);
  assert_equals_int (cca_engine_collect (engine, 1, &result), CCA_OK);
  assert_equals_int (result.n_found, 1);
  assert_equals_int (result.components[0].area, 1);
  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  fail_unless (result.truncated && result.n_components == 3);
  cca_engine_free (&engine);
}

SUITE ("engines", .setup = draw, .timeout = 120);
