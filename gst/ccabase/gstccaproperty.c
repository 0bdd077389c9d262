/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaproperty.h"

#include <string.h>

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

/* --- arrays of structures ------------------------------------------------- */

const gchar *
gst_cca_read_fields (gpointer self, const GstStructure *s, GstCcaReadField read)
{
  const gchar *why = NULL;
  gint i;

  for (i = 0; i < gst_structure_n_fields (s) && why == NULL; i++) {
    const gchar *name = gst_structure_nth_field_name (s, i);

    why = read (self, name, gst_structure_get_value (s, name));
  }
  return why;
}

gchar *
gst_cca_refuse_structure (const GstStructure *s, const gchar *reason,
    const gchar *noun)
{
  gchar *text = gst_structure_to_string (s);
  /* GStreamer ends the text with a semicolon, unlike the property. */
  gchar *why = g_strdup_printf ("[%.*s] %s%s", (gint) strlen (text) - 1, text,
      reason, noun);

  g_free (text);
  return why;
}

void
gst_cca_append_structure (GValue *array, GstStructure *s)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, s);
  gst_value_array_append_and_take_value (array, &value);
}
