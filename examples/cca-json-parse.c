/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cca-json.h"

#include <string.h>

static gboolean
collect_if_unlinked (GstElement *element, GstPad *pad, gpointer user_data)
{
  GPtrArray *pads = user_data;

  if (!gst_pad_is_linked (pad))
    g_ptr_array_add (pads, gst_object_ref (pad));

  return TRUE;
}

/* Ends every open branch of the description in a fakesink. Bins that are
 * elements in their own right, such as decodebin, are left alone. */
static void
close_open_ends (GstBin *bin)
{
  GstIterator *it = gst_bin_iterate_elements (bin);
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);
  GValue item = G_VALUE_INIT;
  guint i;

  while (gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    if (G_OBJECT_TYPE (element) == GST_TYPE_BIN)
      close_open_ends (GST_BIN (element));
    gst_element_foreach_src_pad (element, collect_if_unlinked, pads);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (it);

  for (i = 0; i < pads->len; i++) {
    GstElement *sink = gst_element_factory_make ("fakesink", NULL);
    GstPad *sink_pad = gst_element_get_static_pad (sink, "sink");

    gst_bin_add (bin, sink);
    gst_pad_link (g_ptr_array_index (pads, i), sink_pad);
    gst_object_unref (sink_pad);
  }
  g_ptr_array_unref (pads);
}

/* What to do about the error, or "". */
static const gchar *
get_hint (const GError *error)
{
  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_LINK)
      && strstr (error->message, "video/x-raw") != NULL)
    return ": put videoconvert before the element, which converts the video to "
           "a format that it supports";
  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT)
      && strstr (error->message, "\"cuda") != NULL)
    return ": \"gst-inspect-1.0 cudacca\" says why CUDA elements are missing";

  return "";
}

GstElement *
parse_pipeline (gchar **words)
{
  GError *error = NULL;
  GstElement *element, *pipeline;

  /* one argument is a whole description, several are its words */
  if (words[1] == NULL)
    element = gst_parse_launch (words[0], &error);
  else
    element = gst_parse_launchv ((const gchar **) words, &error);

  if (error != NULL) {
    g_printerr ("cca-json: bad pipeline description: %s%s\n", error->message,
        get_hint (error));
    g_error_free (error);
    gst_clear_object (&element);
    return NULL;
  }
  if (GST_IS_PIPELINE (element)) {
    pipeline = element;
  } else {
    pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (pipeline), element);
  }
  close_open_ends (GST_BIN (pipeline));

  return pipeline;
}
