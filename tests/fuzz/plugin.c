/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "plugin.h"

GST_PLUGIN_STATIC_DECLARE (cca);

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
  gst_debug_remove_log_function (gst_debug_log_default);
  GST_PLUGIN_STATIC_REGISTER (cca);
  return 0;
}

void
attach_meta (GstBuffer *buffer, const GstCcaAnalysis *analysis,
    const GstCcaComponent *records, guint n)
{
  GBytes *bytes = g_bytes_new (records, n * sizeof (*records));

  REQUIRE (gst_buffer_add_cca_meta (buffer, analysis, bytes) != NULL,
      "%u records of %ux%u", n, analysis->width, analysis->height);
  g_bytes_unref (bytes);
}
