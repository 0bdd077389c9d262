/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The name of the file that frames come from. */

#include "gstccametaprivate.h"

/* Other schemes may have a password in the URI. multifilesrc spells its own one
 * without an i. */
static gboolean
is_file (const GstUri *uri)
{
  static const gchar *const schemes[] = {"file", "multifile", "multifle", NULL};
  const gchar *scheme = gst_uri_get_scheme (uri);

  return scheme != NULL && g_strv_contains (schemes, scheme);
}

/**
 * gst_cca_query_source_name:
 * @pad: (transfer none): a #GstPad
 *
 * Gets the name of the file that the data of a sink pad comes from, by a query
 * for the URI. It is the last part of the path. For a series of files, read by
 * `multifilesrc`, it is the pattern of their names.
 *
 * Returns: (transfer full) (nullable): the name in UTF-8, or %NULL if the
 *   source is unknown or not a file
 */
gchar *
gst_cca_query_source_name (GstPad *pad)
{
  GstQuery *query;
  GstUri *uri = NULL;
  gchar *text = NULL, *path = NULL, *base, *name = NULL;

  g_return_val_if_fail (pad != NULL, NULL);

  query = gst_query_new_uri ();
  if (gst_pad_peer_query (pad, query))
    gst_query_parse_uri (query, &text);
  gst_query_unref (query);
  if (text != NULL)
    uri = gst_uri_from_string (text);
  if (uri != NULL && is_file (uri))
    path = gst_uri_get_path (uri);
  if (path != NULL) {
    base = g_path_get_basename (path);
    name = g_utf8_make_valid (base, -1);
    g_free (base);
  }
  g_clear_pointer (&uri, gst_uri_unref);
  g_free (path);
  g_free (text);

  return name;
}
