/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaproperty.h"

gboolean
gst_cca_lock_to_set (GstElement *element, const gboolean *started,
    GParamSpec *pspec)
{
  GST_OBJECT_LOCK (element);
  if (!*started || !(pspec->flags & GST_PARAM_MUTABLE_READY))
    return TRUE;
  GST_OBJECT_UNLOCK (element);

  g_warning ("The property '%s' of %s can be set only while the element is "
             "in NULL or READY. It keeps its value.",
      pspec->name, GST_OBJECT_NAME (element));
  return FALSE;
}

void
gst_cca_set_started (GstElement *element, gboolean *started, gboolean value)
{
  GST_OBJECT_LOCK (element);
  *started = value;
  GST_OBJECT_UNLOCK (element);
}
