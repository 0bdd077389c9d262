/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "cca-json.h"

#include <glob.h>
#include <string.h>

#define INPUT_NAME "cca-json-input"
#define INPUT "filesrc name=" INPUT_NAME " ! decodebin ! videoconvert ! "

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

gchar **
list_files (gchar **patterns)
{
  GStrvBuilder *files = g_strv_builder_new ();
  gchar **list = NULL;
  glob_t found;
  gint status = 0;
  guint i;

  for (i = 0; patterns[i] != NULL && status == 0; i++) {
    status = glob (patterns[i], 0, NULL, &found);
    if (status == 0) {
      g_strv_builder_addv (files, (const char **) found.gl_pathv);
      globfree (&found);
    } else {
      g_printerr ("cca-json: no file matches %s\n", patterns[i]);
    }
  }
  if (status == 0)
    list = g_strv_builder_end (files);
  g_strv_builder_unref (files);

  return list;
}

/* One argument is a whole description, several are its words. */
static GstElement *
parse (gchar **words, const gchar *prefix, GError **error)
{
  GstElement *element;
  gchar *text;
  gchar **all;
  GStrvBuilder *builder;

  if (words[1] == NULL) {
    text = g_strconcat (prefix, words[0], NULL);
    element = gst_parse_launch (text, error);
    g_free (text);
    return element;
  }

  builder = g_strv_builder_new ();
  all = g_strsplit (prefix, " ", -1);
  /* the text after the last blank of a prefix is empty */
  if (*prefix != '\0')
    g_clear_pointer (&all[g_strv_length (all) - 1], g_free);
  g_strv_builder_addv (builder, (const gchar **) all);
  g_strv_builder_addv (builder, (const gchar **) words);
  g_strfreev (all);
  all = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  element = gst_parse_launchv ((const gchar **) all, error);
  g_strfreev (all);

  return element;
}

GstElement *
parse_pipeline (gchar **words, const gchar *file)
{
  GError *error = NULL;
  GstElement *element, *pipeline;

  element = parse (words, file != NULL ? INPUT : "", &error);

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
  if (file != NULL) {
    GstElement *input = gst_bin_get_by_name (GST_BIN (pipeline), INPUT_NAME);

    g_object_set (input, "location", file, NULL);
    gst_object_unref (input);
  }
  close_open_ends (GST_BIN (pipeline));

  return pipeline;
}
