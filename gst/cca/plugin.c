/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstcca.h"
#include "gstccaactivity.h"
#include "gstccaexpand.h"
#include "gstccajson.h"
#include "gstccamask.h"
#include "gstccaoverlay.h"
#include "gstccatrack.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean ret = FALSE;

  /* The meta must be registered before a buffer with a serialised one arrives
   * from another process. */
  gst_cca_meta_get_info ();

  ret |= GST_ELEMENT_REGISTER (cca, plugin);
  ret |= GST_ELEMENT_REGISTER (ccaactivity, plugin);
  ret |= GST_ELEMENT_REGISTER (ccaexpand, plugin);
  ret |= GST_ELEMENT_REGISTER (ccajson, plugin);
  ret |= GST_ELEMENT_REGISTER (ccamask, plugin);
  ret |= GST_ELEMENT_REGISTER (ccaoverlay, plugin);
  ret |= GST_ELEMENT_REGISTER (ccatrack, plugin);

  return ret;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, cca,
    "Connected-component analysis of video", plugin_init, VERSION, "LGPL",
    GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
