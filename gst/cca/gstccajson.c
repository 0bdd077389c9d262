/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccajson
 * @title: ccajson
 * @short_description: writes the GstCcaMeta of buffers as lines of JSON
 *
 * Accepts buffers of any kind. For each buffer with a #GstCcaMeta it pushes a
 * buffer with one line of JSON, for files, sockets and other programs. If a
 * buffer has several metas, the first one is written. The pixels are not read,
 * so the video may be in GPU memory. A buffer without a #GstCcaMeta produces a
 * gap event instead of a line. The element posts a warning if none of the
 * first 30 buffers of a stream, or of all buffers of a shorter stream, has a
 * meta. Gaps and empty buffers do not count.
 *
 * Coordinates are those of the meta: pixels of the analysed picture, whose
 * size is in each line, even if the frame was scaled after the analysis. Lines
 * are numbered from 0, and name the file that the frames come from. What
 * happened in the frame, such as crossings that `ccatrack` counted, is in the
 * array `events` of the line.
 * docs/meta.md specifies the format.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=30 ! cca meta-types=cca ! ccajson ! filesink location=components.jsonl
 * ]| Writes one line per frame to a file.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball is-live=true ! cca meta-types=cca ! ccajson ! tcpserversink host=127.0.0.1 port=5000
 * ]| Sends the lines to all clients that connect to the port.
 *
 * Since: 0.1
 */

#include "gstccajson.h"

#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>

#include "gst/ccabase/gstccawarning.h"
#include "gstccajsonevent.h"
#include "gstccajsonline.h"
#include "gstccautc.h"
#include "track/gstccatrackreport.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_json_debug);
#define GST_CAT_DEFAULT gst_cca_json_debug

#define DEFAULT_MAX_COMPONENTS 65536

enum
{
  PROP_0,
  PROP_MAX_COMPONENTS,
  PROP_SOURCE_NAME,
};

/* The caps are ANY because encoders keep the meta, too. */
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-json"));

struct _GstCcaJson
{
  GstElement parent;

  GstPad *src_pad;
  GstSegment segment;
  GstCcaMetaWatch watch;

  /* scratch memory, as the length of a line is known only after writing it */
  gchar *text;
  gsize text_capacity;
  GString *events;
  GstCcaJsonZones zones;

  guint64 n_lines;
  GString *source;

  /* under the object lock */
  guint max_components;
  gchar *source_name;
  gboolean source_changed; /* source has to be read again */
  GstCcaUtc utc;
};

G_DEFINE_FINAL_TYPE (GstCcaJson, gst_cca_json, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccajson, "ccajson", GST_RANK_NONE,
    GST_TYPE_CCA_JSON,
    GST_DEBUG_CATEGORY_INIT (gst_cca_json_debug, "ccajson", 0,
        "connected-component metas as JSON"));

static void
gst_cca_json_set_property (GObject *object, guint prop_id, const GValue *value,
    GParamSpec *pspec)
{
  GstCcaJson *self = GST_CCA_JSON (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_MAX_COMPONENTS:
      self->max_components = g_value_get_uint (value);
      break;
    case PROP_SOURCE_NAME:
      g_free (self->source_name);
      self->source_name = g_value_dup_string (value);
      self->source_changed = TRUE;
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_json_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCcaJson *self = GST_CCA_JSON (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_MAX_COMPONENTS:
      g_value_set_uint (value, self->max_components);
      break;
    case PROP_SOURCE_NAME:
      g_value_set_string (value, self->source_name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

/* Lines have the framerate of the video, if it has caps with one. The result of
 * the event is ignored: if downstream refuses the caps, the push of the first
 * line fails. */
static void
push_caps (GstCcaJson *self, const GstCaps *video)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-json");
  GstCaps *before = gst_pad_get_current_caps (self->src_pad);
  gint num, den;

  if (video != NULL
      && gst_structure_get_fraction (gst_caps_get_structure (video, 0),
          "framerate", &num, &den))
    gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, num, den, NULL);
  /* The caps of the lines do not depend on the size of the video: a change of
   * size alone needs no new caps. */
  if (before == NULL || !gst_caps_is_equal (before, caps))
    gst_pad_push_event (self->src_pad, gst_event_new_caps (caps));
  gst_clear_caps (&before);
  gst_caps_unref (caps);
}

static gboolean
gst_cca_json_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstCcaJson *self = GST_CCA_JSON (parent);
  GstCaps *caps;

  gst_cca_meta_watch_event (&self->watch, GST_ELEMENT (self), event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      push_caps (self, caps);
      gst_event_unref (event);
      return TRUE;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      GST_OBJECT_LOCK (self);
      self->source_changed = TRUE;
      GST_OBJECT_UNLOCK (self);
      if (!gst_pad_has_current_caps (pad))
        push_caps (self, NULL);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

/* Padded and cropped pictures are fine, as the element does not read pixels. */
static gboolean
gst_cca_json_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION) {
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static void
read_source (GstCcaJson *self, GstPad *pad)
{
  gboolean changed;
  gchar *name = NULL;

  GST_OBJECT_LOCK (self);
  changed = self->source_changed;
  self->source_changed = FALSE;
  if (changed)
    name = g_strdup (self->source_name);
  GST_OBJECT_UNLOCK (self);
  if (!changed)
    return;

  if (name == NULL)
    name = gst_cca_query_source_name (pad);
  g_string_truncate (self->source, 0);
  if (name != NULL)
    gst_cca_json_append_text (self->source, name);
  else
    g_string_assign (self->source, "null");
  g_free (name);
}

static GstBuffer *
line_new (GstCcaJson *self, const GstCcaMeta *meta, GstBuffer *buffer)
{
  const GstCcaMoment moment = gst_cca_moment_of_buffer (buffer, &self->segment);
  GstCcaJsonLine line = {.frame = self->n_lines++,
    .pts = GST_BUFFER_PTS (buffer),
    .running_time = moment.running_time,
    .utc = gst_cca_utc_of_buffer (&self->utc, GST_ELEMENT (self), buffer,
        moment.running_time),
    .source = self->source,
    .events = self->events,
    .zones = &self->zones};
  gsize bound;

  GST_OBJECT_LOCK (self);
  line.max_components = self->max_components;
  GST_OBJECT_UNLOCK (self);

  g_string_truncate (self->events, 0);
  gst_cca_json_append_events (self->events, meta);
  gst_cca_json_zones_read (&self->zones, meta);
  bound = gst_cca_json_bound (meta, &line);
  if (bound > self->text_capacity) {
    g_free (self->text);
    self->text = g_malloc (bound);
    self->text_capacity = bound;
  }
  return gst_buffer_new_memdup (self->text,
      gst_cca_json_write (self->text, meta, &line));
}

static GstFlowReturn
gst_cca_json_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstCcaJson *self = GST_CCA_JSON (parent);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstClockTime pts = GST_BUFFER_PTS (buffer);
  GstBuffer *line;

  gst_cca_meta_watch_buffer (&self->watch, GST_ELEMENT (self), buffer,
      meta != NULL);
  if (meta == NULL) {
    /* The gap keeps downstream elements from waiting for a line. */
    if (GST_CLOCK_TIME_IS_VALID (pts))
      gst_pad_push_event (self->src_pad,
          gst_event_new_gap (pts, GST_BUFFER_DURATION (buffer)));
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }

  read_source (self, pad);
  line = line_new (self, meta, buffer);
  gst_buffer_copy_into (line, buffer, GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  if (GST_BUFFER_IS_DISCONT (buffer))
    GST_BUFFER_FLAG_SET (line, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_unref (buffer);

  return gst_pad_push (self->src_pad, line);
}

static void
gst_cca_json_finalize (GObject *object)
{
  GstCcaJson *self = GST_CCA_JSON (object);

  g_string_free (self->events, TRUE);
  g_string_free (self->source, TRUE);
  g_free (self->source_name);
  gst_cca_json_zones_clear (&self->zones);
  G_OBJECT_CLASS (gst_cca_json_parent_class)->finalize (object);
}

static gboolean
gst_cca_json_set_clock (GstElement *element, GstClock *clock)
{
  gst_cca_utc_set_clock (&GST_CCA_JSON (element)->utc, element, clock);
  return GST_ELEMENT_CLASS (gst_cca_json_parent_class)
      ->set_clock (element, clock);
}

static GstStateChangeReturn
gst_cca_json_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaJson *self = GST_CCA_JSON (element);
  GstStateChangeReturn ret;

  gst_cca_utc_change_state (&self->utc, element, transition);
  ret = GST_ELEMENT_CLASS (gst_cca_json_parent_class)
            ->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    g_clear_pointer (&self->text, g_free);
    self->text_capacity = 0;
    self->n_lines = 0;
  }
  return ret;
}

static void
gst_cca_json_class_init (GstCcaJsonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_cca_json_set_property;
  object_class->get_property = gst_cca_json_get_property;
  object_class->finalize = gst_cca_json_finalize;

  /**
   * GstCcaJson:max-components:
   *
   * Maximum number of components in a line, in the order of the meta. If a
   * frame has more, its line has the first ones and `"truncated":true`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_COMPONENTS,
      g_param_spec_uint ("max-components", "Maximum Components",
          "Maximum number of components in a line, in the order of the meta. A "
          "line that leaves some out is marked as truncated. With 0 lines only "
          "have the number of components, n_found",
          0, G_MAXINT, DEFAULT_MAX_COMPONENTS,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_PLAYING));

  /**
   * GstCcaJson:source-name:
   *
   * Name of the source of the frames, for the key `source` of the lines. %NULL:
   * the name of the file that the frames come from, if they come from a file.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SOURCE_NAME,
      g_param_spec_string ("source-name", "Source Name",
          "Name of the source of the frames, such as a camera, for the key "
          "source of the lines. NULL: the name of the file that the frames "
          "come from, or null if they come from elsewhere",
          NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_PLAYING));

  gst_element_class_set_static_metadata (element_class,
      "Connected-component JSON writer", "Converter/Metadata/Video",
      "Writes the components attached by cca or cudacca as text, one line of "
      "JSON per frame, for files, sockets and other programs",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  element_class->set_clock = GST_DEBUG_FUNCPTR (gst_cca_json_set_clock);
  element_class->change_state = GST_DEBUG_FUNCPTR (gst_cca_json_change_state);
}

static void
gst_cca_json_init (GstCcaJson *self)
{
  GstPad *sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");

  self->events = g_string_new (NULL);
  self->source = g_string_new (NULL);
  self->source_changed = TRUE;
  gst_cca_json_zones_init (&self->zones);
  gst_pad_set_chain_function (sink_pad, GST_DEBUG_FUNCPTR (gst_cca_json_chain));
  gst_pad_set_event_function (sink_pad,
      GST_DEBUG_FUNCPTR (gst_cca_json_sink_event));
  gst_pad_set_query_function (sink_pad,
      GST_DEBUG_FUNCPTR (gst_cca_json_sink_query));
  gst_element_add_pad (GST_ELEMENT (self), sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);

  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
  self->max_components = DEFAULT_MAX_COMPONENTS;
}
