/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* A line of JSON for each buffer that carries a GstCcaMeta when it reaches a
 * sink.
 *
 * Coordinates are those of the meta: pixels of the picture that was analysed,
 * whose size is the line's width and height, even if the frame was scaled
 * since. The threshold is a code value of depth bits. The foreground is its
 * name, or a number that only a newer analyser knows. If a buffer has several
 * such metas, the first is printed. If several sinks see metas, only the sink
 * that saw the first one is listened to, so that no frame is printed twice. */

#include "cca-json.h"

#include <errno.h>
#include <string.h>

#include <gst/ccameta/gstccameta.h>

static void
format_double (GString * line, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  /* a decimal point whatever the locale says */
  g_string_append (line,
      g_ascii_formatd (text, sizeof (text), "%.17g", value));
}

static void
format_foreground (GString * line, const GstCcaAnalysis * analysis)
{
  const gchar *nick = gst_cca_foreground_get_nick (analysis->foreground);

  if (nick != NULL)
    g_string_append_printf (line, ",\"foreground\":\"%s\"", nick);
  else
    g_string_append_printf (line, ",\"foreground\":%u", analysis->foreground);
  g_string_append_printf (line, ",\"warming_up\":%s",
      analysis->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP ? "true" : "false");
}

static void
format_meta (GString * line, const GstCcaMeta * meta, GstClockTime pts)
{
  const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *components;
  guint i, n;

  components = gst_cca_meta_get_components (meta, &n);

  g_string_assign (line, "{\"pts\":");
  if (GST_CLOCK_TIME_IS_VALID (pts))
    g_string_append_printf (line, "%" G_GUINT64_FORMAT, pts);
  else
    g_string_append (line, "null");
  g_string_append_printf (line,
      ",\"width\":%u,\"height\":%u,\"depth\":%u", analysis->width,
      analysis->height, analysis->depth);
  format_foreground (line, analysis);
  g_string_append_printf (line,
      ",\"threshold\":%u,\"n_found\":%u,\"truncated\":%s,\"components\":[",
      analysis->threshold, gst_cca_meta_get_n_found (meta),
      gst_cca_meta_is_truncated (meta) ? "true" : "false");

  for (i = 0; i < n; i++) {
    const GstCcaComponent *c = &components[i];

    g_string_append_printf (line, "%s{\"id\":%u,\"x\":%u,\"y\":%u,"
        "\"width\":%u,\"height\":%u,\"area\":%" G_GUINT64_FORMAT ",\"cx\":",
        i > 0 ? "," : "", c->id, c->x, c->y, c->width, c->height, c->area);
    format_double (line, c->centroid_x);
    g_string_append (line, ",\"cy\":");
    format_double (line, c->centroid_y);
    g_string_append_c (line, '}');
  }
  g_string_append (line, "]}\n");
}

/* With the lock held. */
static void
print_buffer (Printer * printer, GstPad * pad, GstBuffer * buffer)
{
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  if (meta == NULL || printer->finished)
    return;
  if (printer->chosen == NULL)
    printer->chosen = gst_object_ref (pad);
  if (printer->chosen != pad)
    return;

  format_meta (printer->line, meta, GST_BUFFER_PTS (buffer));
  if (fwrite (printer->line->str, printer->line->len, 1, printer->out) != 1
      || fflush (printer->out) != 0) {
    printer->write_error = errno;
    printer->finished = TRUE;
  } else if (++printer->n_printed == printer->limit) {
    printer->finished = TRUE;
  }

  if (printer->finished)
    gst_element_post_message (printer->pipeline, gst_message_new_application
        (GST_OBJECT (printer->pipeline), gst_structure_new_empty ("finished")));
}

static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Printer *printer = user_data;
  gboolean refuse;
  guint i;

  g_mutex_lock (&printer->lock);
  refuse = printer->finished && printer->chosen == pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (i = 0; i < gst_buffer_list_length (list); i++)
      print_buffer (printer, pad, gst_buffer_list_get (list, i));
  } else {
    print_buffer (printer, pad, GST_PAD_PROBE_INFO_BUFFER (info));
  }
  g_mutex_unlock (&printer->lock);

  if (!refuse)
    return GST_PAD_PROBE_OK;

  /* Nobody waits for what is still queued: end this branch now. */
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (info->data));
  info->data = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;

  return GST_PAD_PROBE_HANDLED;
}

static gboolean
probe_pad (GstElement * element, GstPad * pad, gpointer user_data)
{
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_data,
      user_data, NULL);

  return TRUE;
}

static void
probe_if_sink (GstElement * element, Printer * printer)
{
  if (!GST_IS_BIN (element)
      && GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK))
    gst_element_foreach_sink_pad (element, probe_pad, printer);
}

static void
on_deep_element_added (GstBin * bin, GstBin * sub_bin, GstElement * element,
    gpointer user_data)
{
  probe_if_sink (element, user_data);
}

void
printer_attach (Printer * printer, GstElement * pipeline, FILE * out,
    guint64 limit)
{
  GstIterator *it = gst_bin_iterate_recurse (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  memset (printer, 0, sizeof (*printer));
  g_mutex_init (&printer->lock);
  printer->pipeline = pipeline;
  printer->out = out;
  printer->limit = limit;
  printer->line = g_string_new (NULL);

  /* nothing runs yet: no resync can happen */
  while (gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    probe_if_sink (g_value_get_object (&item), printer);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (it);

  /* autovideosink and the like choose their sinks later */
  g_signal_connect (pipeline, "deep-element-added",
      G_CALLBACK (on_deep_element_added), printer);
}

guint64
printer_get_n_printed (Printer * printer)
{
  guint64 n;

  g_mutex_lock (&printer->lock);
  n = printer->n_printed;
  g_mutex_unlock (&printer->lock);

  return n;
}

void
printer_clear (Printer * printer)
{
  gst_clear_object (&printer->chosen);
  g_string_free (printer->line, TRUE);
  g_mutex_clear (&printer->lock);
}
