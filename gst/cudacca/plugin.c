/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstcudacca.h"
#include "gstcudaccamask.h"
#include "gstcudaccaoverlay.h"
#include "gstcudagraydownload.h"
#include "gstcudagrayupload.h"

#include <gst/cuda/gstcuda.h>

GST_DEBUG_CATEGORY_STATIC (plugin_debug);
#define GST_CAT_DEFAULT plugin_debug

/* Returns why the elements cannot work on this machine, or NULL if they can. */
static const gchar *
find_obstacle (void)
{
  const char *why = NULL;
  int n = 0;

  if (cca_cuda_load (&why) != CCA_OK)
    return why;
  if (!gst_cuda_load_library ())
    return "GStreamer cannot load the CUDA driver";
  if (CuInit (0) != CUDA_SUCCESS || CuDeviceGetCount (&n) != CUDA_SUCCESS
      || n == 0)
    return "the CUDA driver finds no GPU";
  return NULL;
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  const gchar *obstacle;
  gboolean ret = FALSE;

  GST_DEBUG_CATEGORY_INIT (plugin_debug, "cudacca", 0,
      "connected-component analysis on CUDA GPUs");

  /* The registry is rebuilt when a driver is installed later. */
  gst_plugin_add_dependency_simple (plugin, NULL, "/dev", "nvidia",
      GST_PLUGIN_DEPENDENCY_FLAG_FILE_NAME_IS_PREFIX);

  /* The meta must be registered to read metas sent by another process. */
  gst_cca_meta_get_info ();

  obstacle = find_obstacle ();
  if (obstacle != NULL) {
    gchar *text = g_strdup_printf (
        "cudacca, cudaccamask, cudaccaoverlay, "
        "cudagrayupload and cudagraydownload are not available: %s.",
        obstacle);

    GST_WARNING ("%s", text);
    gst_plugin_add_status_warning (plugin, text);
    g_free (text);
    return TRUE;
  }

  gst_cuda_memory_init_once ();
  ret |= GST_ELEMENT_REGISTER (cudacca, plugin);
  ret |= GST_ELEMENT_REGISTER (cudaccamask, plugin);
  ret |= GST_ELEMENT_REGISTER (cudaccaoverlay, plugin);
  ret |= GST_ELEMENT_REGISTER (cudagrayupload, plugin);
  ret |= GST_ELEMENT_REGISTER (cudagraydownload, plugin);
  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, cudacca,
    "Connected-component analysis of video on CUDA GPUs", plugin_init, VERSION,
    "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
