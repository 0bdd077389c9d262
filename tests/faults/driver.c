/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* CUDA drivers that cannot be used: one sentence names the missing part, also
 * in later calls. The driver is loaded once for a process, so each test has
 * its own process. */

#include <dlfcn.h>
#include <string.h>

#include "../check/suite.h"
#include "cca-cuda.h"
#include "cuda/driver.h"
#include "overlay/overlay-cuda.h"

static const gchar *const calls[] = {
#define NAME(field, name, type) name,
  CCA_CUDA_CALLS (NAME)
#undef NAME
};

static const gchar *missing; /* symbol, or NULL */
static gboolean not_installed;

void *__real_dlsym (void *library, const char *name);
void *__wrap_dlsym (void *library, const char *name);
void *
__wrap_dlsym (void *library, const char *name)
{
  return g_strcmp0 (name, missing) == 0 ? NULL : __real_dlsym (library, name);
}

void *__real_dlopen (const char *name, int flags);
void *__wrap_dlopen (const char *name, int flags);
void *
__wrap_dlopen (const char *name, int flags)
{
  return not_installed ? NULL : __real_dlopen (name, flags);
}

static void
assert_unusable (const gchar *sentence)
{
  const CcaCudaOptions options = {0};
  CcaEngine *engine = (CcaEngine *) &options;
  const char *why = NULL, *again = NULL;
  CcaOverlayGpu *overlay = (CcaOverlayGpu *) &options;

  assert_equals_int (cca_cuda_load (NULL), CCA_ERROR_NO_DRIVER);
  assert_equals_int (cca_cuda_load (&why), CCA_ERROR_NO_DRIVER);
  assert_equals_string (why, sentence);
  assert_equals_int (cca_cuda_open (&engine, &options, &again),
      CCA_ERROR_NO_DRIVER);
  fail_unless (engine == NULL && again == why);
  assert_equals_int (cca_overlay_gpu_open (&overlay, NULL, &again),
      CCA_ERROR_NO_DRIVER);
  fail_unless (overlay == NULL && again == why);
}

TEST_LOOP (test_missing_symbol, 0, G_N_ELEMENTS (calls))
{
  gchar *sentence = g_strdup_printf ("the CUDA driver is too old: it has no %s",
      calls[__i__]);

  missing = calls[__i__];
  assert_unusable (sentence);
  g_free (sentence);
}

/* Calls for graphs, which are optional. */
static const gchar *const graph_calls[] = {
#define NAME(field, name, type) name,
  CCA_CUDA_GRAPH_CALLS (NAME)
#undef NAME
};

TEST_LOOP (test_missing_graphs, 0, G_N_ELEMENTS (graph_calls))
{
  missing = graph_calls[__i__];
  assert_equals_int (cca_cuda_load (NULL), CCA_OK);
  fail_if (cca_cuda_driver (NULL)->has_graphs);
}

TEST (test_not_installed)
{
  not_installed = TRUE;
  assert_unusable ("the CUDA driver (libcuda.so.1) is not installed");
}

static const struct
{
  const gchar *name, *value, *sentence;
} settings[] = {
  {"SIMCUDA_FAIL", "cuInit:1:NO_DEVICE",
    "the CUDA driver does not start (CUDA_ERROR_NO_DEVICE)"},
  /* of a later version of CUDA */
  {"SIMCUDA_FAIL", "cuInit:1:998",
    "the CUDA driver does not start (unknown error)"},
  {"SIMCUDA_FAIL", "cuDriverGetVersion:1:NOT_PERMITTED",
    "the CUDA driver does not start (CUDA_ERROR_NOT_PERMITTED)"},
  {"SIMCUDA_VERSION", "11079",
    "the CUDA driver is too old: it is for CUDA "
    "11.7, at least 11.8 is needed"},
};

TEST_LOOP (test_does_not_start, 0, G_N_ELEMENTS (settings))
{
  g_setenv (settings[__i__].name, settings[__i__].value, TRUE);
  assert_unusable (settings[__i__].sentence);
}

/* As nothing is missing. */
TEST (test_usable)
{
  const char *why = NULL;

  g_setenv ("SIMCUDA_VERSION", "11080", TRUE);
  assert_equals_int (cca_cuda_load (&why), CCA_OK);
  assert_equals_int (cca_cuda_load (NULL), CCA_OK);
  fail_unless (why == NULL);
  fail_unless (cca_cuda_driver (NULL)->has_graphs);
}

SUITE ("driver", .timeout = 60);
