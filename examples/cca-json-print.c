/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Gives the buffers that carry a GstCcaMeta when they reach a sink to ccajson,
 * and writes the lines that it returns; or writes CSV, a line for each component
 * or for each event.
 *
 * If several sinks see metas, only the sink that saw the first one is listened
 * to, so that no frame is printed twice. */

#include "cca-json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <gst/ccameta/gstccafeatures.h>
#include <gst/ccameta/gstccameta.h>

#define CSV_HEADER \
  "frame,time,source,id,x,y,width,height,area,cx,cy,track,zones,group"
/* The columns from id to group are empty for a frame without components. */
#define NO_COMPONENT ",,,,,,,,,,,"

/* The columns of an event after the first two, and the fields that may have
 * their values. */
static const struct
{
  const gchar *column, *fields[2];
} event_columns[] = {{"message", {NULL}}, {"event", {"event"}}, {"id", {"id"}},
  {"name", {"line", "zone"}}, {"direction", {"direction"}},
  {"reason", {"reason"}}, {"count", {"count"}}, {"to_left", {"to-left"}},
  {"to_right", {"to-right"}}, {"dwell", {"dwell"}}};

static void
print (Printer *printer, gconstpointer text, gsize length)
{
  if (fwrite (text, 1, length, printer->out) != length
      || fflush (printer->out) != 0)
    printer->write_error = errno;
}

/* --- JSON ----------------------------------------------------------------- */

static GstFlowReturn
on_line (GstPad *pad, GstObject *parent, GstBuffer *line)
{
  Printer *printer = gst_pad_get_element_private (pad);
  GstMapInfo map;

  gst_buffer_map (line, &map, GST_MAP_READ);
  print (printer, map.data, map.size);
  gst_buffer_unmap (line, &map);
  gst_buffer_unref (line);

  return GST_FLOW_OK;
}

/* The element stands beside the pipeline, since metas may be seen at any of its
 * sinks. */
static void
start_json (Printer *printer, GstElement *json)
{
  GstPad *pad;
  GstSegment segment;

  printer->json = json;
  printer->to_json = gst_pad_new ("to-json", GST_PAD_SRC);
  pad = gst_element_get_static_pad (json, "sink");
  gst_pad_link (printer->to_json, pad);
  gst_object_unref (pad);

  printer->from_json = gst_pad_new ("from-json", GST_PAD_SINK);
  gst_pad_set_element_private (printer->from_json, printer);
  gst_pad_set_chain_function (printer->from_json, on_line);
  pad = gst_element_get_static_pad (json, "src");
  gst_pad_link (pad, printer->from_json);
  gst_object_unref (pad);

  gst_pad_set_active (printer->from_json, TRUE);
  gst_pad_set_active (printer->to_json, TRUE);
  /* all components, as many as the analyser was asked for */
  g_object_set (json, "max-components", G_MAXINT, NULL);
  gst_element_set_state (json, GST_STATE_PLAYING);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (printer->to_json, gst_event_new_stream_start ("metas"));
  gst_pad_push_event (printer->to_json, gst_event_new_segment (&segment));
}

static void
stop_json (Printer *printer)
{
  gst_element_set_state (printer->json, GST_STATE_NULL);
  gst_pad_set_active (printer->to_json, FALSE);
  gst_pad_set_active (printer->from_json, FALSE);
  gst_clear_object (&printer->to_json);
  gst_clear_object (&printer->from_json);
  gst_clear_object (&printer->json);
}

/* --- CSV ------------------------------------------------------------------ */

/* With a decimal point whatever the locale says; what is no number is empty, as
 * what is not known. */
static void
append_double (GString *text, gdouble value)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, ',');
  if (isfinite (value))
    g_string_append (text,
        g_ascii_formatd (digits, sizeof (digits), "%.17g", value));
}

/* As in RFC 4180. */
static void
append_quoted (GString *text, const gchar *value)
{
  gchar **parts;

  if (strpbrk (value, ",\"\r\n") == NULL) {
    g_string_append (text, value);
    return;
  }
  parts = g_strsplit (value, "\"", -1);
  value = g_strjoinv ("\"\"", parts);
  g_string_append_printf (text, "\"%s\"", value);
  g_free ((gchar *) value);
  g_strfreev (parts);
}

/* The number of the frame, from 0, its timestamp in seconds and its source. */
static void
append_frame (Printer *printer, GstClockTime pts)
{
  GString *text = printer->text;

  g_string_append_printf (text, "%" G_GUINT64_FORMAT ",", printer->n_printed);
  if (GST_CLOCK_TIME_IS_VALID (pts))
    g_string_append_printf (text, "%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
        pts / GST_SECOND, pts % GST_SECOND);
  g_string_append_c (text, ',');
  if (printer->source != NULL)
    append_quoted (text, printer->source);
}

/* The names of the zones, with semicolons in between. */
static void
append_zones (Printer *printer, const GstCcaMeta *meta, guint64 zones)
{
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  const guint n = shapes != NULL ? gst_cca_shapes_get_n_shapes (shapes) : 0;
  guint i;

  g_string_truncate (printer->names, 0);
  for (i = 0; i < n && zones != 0; i++) {
    if (gst_cca_shapes_get_kind (shapes, i) != GST_CCA_SHAPE_KIND_ZONE)
      continue;
    if (zones & 1) {
      if (printer->names->len > 0)
        g_string_append_c (printer->names, ';');
      g_string_append (printer->names, gst_cca_shapes_get_name (shapes, i));
    }
    zones >>= 1;
  }
  append_quoted (printer->text, printer->names->str);
}

static void
append_component (GString *text, const GstCcaComponent *c)
{
  g_string_append_printf (text, ",%u,%u,%u,%u,%u,%" G_GUINT64_FORMAT, c->id,
      c->x, c->y, c->width, c->height, c->area);
  append_double (text, c->centroid_x);
  append_double (text, c->centroid_y);
  g_string_append_c (text, ',');
  if (c->track_id != -1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, c->track_id);
  g_string_append_c (text, ',');
}

/* The columns of the features, and the flags that they need. */
static const struct
{
  GstCcaFeatureFlags flag;
  const gchar *columns;
} feature_columns[] = {{GST_CCA_FEATURE_FLAG_MOMENTS, ",xx,xy,yy"},
  {GST_CCA_FEATURE_FLAG_INTENSITY, ",v,vv,vx,vy,v_min,v_max,v_max_x,v_max_y"},
  {GST_CCA_FEATURE_FLAG_SHAPE, ",e4,q4,w1,euler"},
  {GST_CCA_FEATURE_FLAG_MOMENTS, ",orientation,major,minor"},
  {GST_CCA_FEATURE_FLAG_INTENSITY, ",mean,weighted_x,weighted_y"}};

/* Appends the names of the columns, or empty columns. */
static void
append_feature_columns (Printer *printer, gboolean empty)
{
  const gchar *c;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (feature_columns); i++)
    for (c = feature_columns[i].columns;
        printer->features & feature_columns[i].flag && *c != '\0'; c++)
      if (!empty || *c == ',')
        g_string_append_c (printer->text, *c);
}

static void
append_integers (GString *text, const guint64 *values, guint n)
{
  guint i;

  for (i = 0; i < n; i++)
    g_string_append_printf (text, ",%" G_GUINT64_FORMAT, values[i]);
}

/* In the order of feature_columns. */
static void
append_features (Printer *printer, const GstCcaMeta *meta,
    const GstCcaComponent *c, const GstCcaFeatures *f)
{
  const guint64 moments[] = {f->xx, f->xy, f->yy};
  const guint64 intensity[] = {f->v, f->vv, f->vx, f->vy, f->v_min, f->v_max,
    f->v_max_x, f->v_max_y};
  const guint64 shape[] = {f->e4, f->q4, f->w1};
  GString *text = printer->text;
  gdouble a, b;

  if (printer->features & GST_CCA_FEATURE_FLAG_MOMENTS)
    append_integers (text, moments, G_N_ELEMENTS (moments));
  if (printer->features & GST_CCA_FEATURE_FLAG_INTENSITY)
    append_integers (text, intensity, G_N_ELEMENTS (intensity));
  if (printer->features & GST_CCA_FEATURE_FLAG_SHAPE) {
    append_integers (text, shape, G_N_ELEMENTS (shape));
    g_string_append_printf (text, ",%" G_GINT64_FORMAT,
        gst_cca_features_get_euler_number (f, c,
            gst_cca_meta_get_analysis (meta)->connectivity));
  }
  if (printer->features & GST_CCA_FEATURE_FLAG_MOMENTS) {
    gst_cca_features_get_axes (f, c, &a, &b);
    append_double (text, gst_cca_features_get_orientation (f, c));
    append_double (text, a);
    append_double (text, b);
  }
  if (printer->features & GST_CCA_FEATURE_FLAG_INTENSITY) {
    gst_cca_features_get_weighted_centroid (f, &a, &b);
    append_double (text, gst_cca_features_get_mean (f, c));
    append_double (text, a);
    append_double (text, b);
  }
}

/* The first frame says which features have columns, as all lines have the same
 * ones. They are empty for a frame with fewer features. */
static void
print_csv (Printer *printer, const GstCcaMeta *meta, GstClockTime pts)
{
  const GstCcaComponent *components;
  const GstCcaFeatures *features;
  GString *text = printer->text;
  guint i, n, n_features;

  components = gst_cca_meta_get_components (meta, &n);
  features = gst_cca_meta_get_features (meta, &n_features);
  g_string_truncate (text, 0);
  if (printer->n_printed == 0) {
    printer->features = gst_cca_meta_get_feature_flags (meta);
    g_string_append (text, CSV_HEADER);
    append_feature_columns (printer, FALSE);
    g_string_append (text, "\r\n");
  }
  if (printer->features & ~gst_cca_meta_get_feature_flags (meta))
    features = NULL;
  for (i = 0; i < n; i++) {
    append_frame (printer, pts);
    append_component (text, &components[i]);
    append_zones (printer, meta, components[i].zones);
    g_string_append_c (text, ',');
    if (components[i].group != 0)
      g_string_append_printf (text, "%u", components[i].group);
    if (features != NULL)
      append_features (printer, meta, &components[i], &features[i]);
    else
      append_feature_columns (printer, TRUE);
    g_string_append (text, "\r\n");
  }
  if (n == 0) {
    append_frame (printer, pts);
    g_string_append (text, NO_COMPONENT);
    append_feature_columns (printer, TRUE);
    g_string_append (text, "\r\n");
  }
  print (printer, text->str, text->len);
}

/* --- events --------------------------------------------------------------- */

/* An unknown time is empty. */
static void
append_value (GString *text, const GValue *value)
{
  GValue as_text = G_VALUE_INIT;

  if (G_VALUE_HOLDS_UINT64 (value)
      && g_value_get_uint64 (value) == GST_CLOCK_TIME_NONE)
    return;
  g_value_init (&as_text, G_TYPE_STRING);
  if (g_value_transform (value, &as_text))
    append_quoted (text, g_value_get_string (&as_text));
  g_value_unset (&as_text);
}

/* The time is that of the event, which may be earlier than that of the frame. */
static void
append_event (Printer *printer, const GstStructure *event)
{
  GString *text = printer->text;
  guint64 time = GST_CLOCK_TIME_NONE;
  guint i, k;

  gst_structure_get_uint64 (event, "timestamp", &time);
  append_frame (printer, time);
  for (i = 0; i < G_N_ELEMENTS (event_columns); i++) {
    g_string_append_c (text, ',');
    if (i == 0)
      append_quoted (text, gst_structure_get_name (event));
    for (k = 0; k < 2 && event_columns[i].fields[k] != NULL; k++) {
      const GValue *value =
          gst_structure_get_value (event, event_columns[i].fields[k]);

      if (value != NULL) {
        append_value (text, value);
        break;
      }
    }
  }
  g_string_append (text, "\r\n");
}

static void
print_events (Printer *printer, const GstCcaMeta *meta)
{
  GString *text = printer->text;
  guint i;

  g_string_truncate (text, 0);
  if (printer->n_printed == 0) {
    g_string_append (text, "frame,time,source");
    for (i = 0; i < G_N_ELEMENTS (event_columns); i++)
      g_string_append_printf (text, ",%s", event_columns[i].column);
    g_string_append (text, "\r\n");
  }
  for (i = 0; i < gst_cca_meta_get_n_events (meta); i++)
    append_event (printer, gst_cca_meta_get_event (meta, i));
  if (text->len > 0)
    print (printer, text->str, text->len);
}

/* --- sinks ---------------------------------------------------------------- */

static void
read_source (Printer *printer, GstPad *pad)
{
  printer->source_changed = FALSE;
  g_free (printer->source);
  printer->source = gst_cca_query_source_name (pad);
  if (printer->json != NULL)
    g_object_set (printer->json, "source-name", printer->source, NULL);
}

/* With the lock held. */
static void
print_buffer (Printer *printer, GstPad *pad, GstBuffer *buffer)
{
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  if (meta == NULL || printer->finished)
    return;
  if (printer->chosen == NULL)
    printer->chosen = gst_object_ref (pad);
  if (printer->chosen != pad)
    return;
  if (printer->source_changed)
    read_source (printer, pad);

  switch (printer->mode) {
    case PRINT_JSON:
      gst_pad_push (printer->to_json, gst_buffer_ref (buffer));
      break;
    case PRINT_COMPONENTS:
      print_csv (printer, meta, GST_BUFFER_PTS (buffer));
      break;
    case PRINT_EVENTS:
      print_events (printer, meta);
      break;
  }
  if (printer->write_error == 0)
    printer->n_printed++;
  printer->finished =
      printer->write_error != 0 || printer->n_printed == printer->limit;

  if (printer->finished)
    gst_element_post_message (printer->pipeline,
        gst_message_new_application (GST_OBJECT (printer->pipeline),
            gst_structure_new_empty ("finished")));
}

/* Another file begins with a segment. */
static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Printer *printer = user_data;

  g_mutex_lock (&printer->lock);
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT)
    printer->source_changed = TRUE;
  g_mutex_unlock (&printer->lock);

  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_data (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
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
probe_pad (GstElement *element, GstPad *pad, gpointer user_data)
{
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_data,
      user_data, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event,
      user_data, NULL);

  return TRUE;
}

static void
probe_if_sink (GstElement *element, Printer *printer)
{
  if (!GST_IS_BIN (element)
      && GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK))
    gst_element_foreach_sink_pad (element, probe_pad, printer);
}

static void
on_deep_element_added (GstBin *bin, GstBin *sub_bin, GstElement *element,
    gpointer user_data)
{
  probe_if_sink (element, user_data);
}

void
printer_init (Printer *printer, GstElement *json, PrintMode mode, FILE *out,
    guint64 limit)
{
  memset (printer, 0, sizeof (*printer));
  g_mutex_init (&printer->lock);
  printer->mode = mode;
  printer->out = out;
  printer->limit = limit;
  printer->text = g_string_new (NULL);
  printer->names = g_string_new (NULL);
  if (json != NULL)
    start_json (printer, json);
}

void
printer_attach (Printer *printer, GstElement *pipeline)
{
  GstIterator *it = gst_bin_iterate_recurse (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  printer->pipeline = pipeline;
  gst_clear_object (&printer->chosen);

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
printer_get_n_printed (Printer *printer)
{
  guint64 n;

  g_mutex_lock (&printer->lock);
  n = printer->n_printed;
  g_mutex_unlock (&printer->lock);

  return n;
}

void
printer_clear (Printer *printer)
{
  if (printer->json != NULL)
    stop_json (printer);
  gst_clear_object (&printer->chosen);
  g_free (printer->source);
  g_string_free (printer->text, TRUE);
  g_string_free (printer->names, TRUE);
  g_mutex_clear (&printer->lock);
}
