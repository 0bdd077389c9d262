/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The elements cca and ccaexpand, one after the other in a harness: each frame
 * either passes with the metas of the reference and its pixels unchanged, or is
 * refused with one sentence. Input: properties at the start, then events,
 * properties and frames. */

#include "elements.h"

#define MAX_STEPS 10

static const gchar *formats[] = {
  "GRAY8",
  "NV12",
  "GRAY16_LE",
  "P010_10LE",
  "I420_10LE",
  "I420",
  "NV21",
  "YV12",
  "Y42B",
  "Y444",
  "P012_LE",
  "P016_LE",
  "RGB",
  "nonsense",
};

#define N_GOOD_FORMATS 12

/* Samples of two bytes are taken in the machine's byte order alone. */
static gboolean
is_good (guint format)
{
  return format < N_GOOD_FORMATS
      && (G_BYTE_ORDER == G_LITTLE_ENDIAN
          || !g_str_has_suffix (formats[format], "LE"));
}

/* --- events and properties ------------------------------------------------ */

/* Whether it took these caps, which the event's return value does not say. */
static gboolean
has_caps (GstElement *element, GstCaps *caps)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstCaps *current = gst_pad_get_current_caps (pad);
  gboolean ret = current != NULL && gst_caps_is_equal (current, caps);

  gst_clear_caps (&current);
  gst_object_unref (pad);

  return ret;
}

static void
push_caps (State *s, Input *in)
{
  guint format = take_below (in, G_N_ELEMENTS (formats));
  gint width = take_number (in), height = take_number (in);
  gint num = take_number (in), den = take_number (in);
  guint n_messages, n_found, n_errors;
  gboolean taken, good;
  GstSegment segment;
  GstCaps *caps;

  if (den == 0 || num < 0 || den < 0) {
    num = 25;
    den = 1;
  }
  good = is_good (format) && width >= 1 && height >= 1 && width <= 4096
      && height <= 4096;
  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      formats[format], "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, num, den, NULL);
  gst_harness_push_event (s->h, gst_event_new_caps (caps));
  taken = has_caps (s->cca, caps);
  gst_caps_unref (caps);
  n_errors = take_messages (s, &n_messages, &n_found);
  REQUIRE (taken || !good, "%s %dx%d at %d/%d was refused", formats[format],
      width, height, num, den);
  REQUIRE (!taken || (is_good (format) && width >= 1 && height >= 1),
      "%s %dx%d was taken", formats[format], width, height);
  REQUIRE (taken ? n_errors == 0 : n_errors <= 1, "%u errors", n_errors);

  /* another frame rate alone keeps the background */
  if (!taken || s->video.width != (guint) width
      || s->video.height != (guint) height
      || s->video.format != gst_video_format_from_string (formats[format]))
    cca_engine_free (&s->background);
  /* it may have got as far as to try */
  if (!taken)
    g_signal_emit_by_name (s->cca, "reset-background");
  s->video = (Video) {.format = GST_VIDEO_FORMAT_UNKNOWN};
  if (taken) {
    s->video.format = gst_video_format_from_string (formats[format]);
    s->video.width = width;
    s->video.height = height;
  }
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (s->h, gst_event_new_segment (&segment));
  /* refused caps are sent again before a segment */
  take_messages (s, &n_messages, &n_found);
}

static void
push_event (State *s, Input *in)
{
  guint n_messages, n_found;
  GstSegment segment;

  if (take_below (in, 2)) {
    gst_harness_push_event (s->h, gst_event_new_flush_start ());
    gst_harness_push_event (s->h, gst_event_new_flush_stop (TRUE));
    cca_engine_free (&s->background);
  }
  gst_segment_init (&segment,
      take_below (in, 2) ? GST_FORMAT_TIME : GST_FORMAT_BYTES);
  segment.start = take_number (in) >> 1;
  segment.rate = take_below (in, 2) ? 1.0 : -1.0;
  gst_harness_push_event (s->h, gst_event_new_segment (&segment));
  take_messages (s, &n_messages, &n_found);
}

/* Properties that are numbers: where the state keeps them, and their range. An
 * input names a property by its index, so the order is fixed. */
#define NUMBER(name, field, min, max) \
  {name, G_STRUCT_OFFSET (State, field), sizeof (((State *) 0)->field), min, \
    max}

static const struct
{
  const gchar *name; /* NULL: not of this form, see below */
  gsize offset, size;
  guint64 min, max;
} numbers[] = {
  NUMBER ("threshold", params.threshold, 0, 65535),
  NUMBER ("threshold-high", params.threshold_high, 0, 65535),
  NUMBER ("invert", params.invert, 0, 1),
  {NULL},
  NUMBER ("min-area", params.min_area, 0, G_MAXUINT64),
  NUMBER ("max-area", params.max_area, 0, G_MAXUINT64),
  NUMBER ("roi-x", params.roi.x, 0, G_MAXINT),
  NUMBER ("roi-y", params.roi.y, 0, G_MAXINT),
  NUMBER ("roi-width", params.roi.width, 0, G_MAXINT),
  NUMBER ("roi-height", params.roi.height, 0, G_MAXINT),
  NUMBER ("order", params.order, 0, 1),
  NUMBER ("meta-types", meta_types, 0, 7),
  NUMBER ("meta-types", expand_types, 0, 7),
  {NULL},
  NUMBER ("post-messages", post_messages, 0, 1),
  NUMBER ("threshold-depth", threshold_depth, 0, 16),
  NUMBER ("foreground", params.foreground, 0, 3),
  NUMBER ("min-contrast", params.min_contrast, 1, 65535),
  NUMBER ("noise-factor", params.noise_factor, 1, 16),
  NUMBER ("background-period", params.background_period, 1, 65535),
  NUMBER ("warm-up", params.warm_up, 0, 65535),
  NUMBER ("learning", params.learning, 0, 1),
  NUMBER ("open-radius", params.open_radius, 0, 7),
  NUMBER ("close-radius", params.close_radius, 0, 15),
  {NULL},
  NUMBER ("absorb-after", params.absorb_after, 0, 127 * 65535),
  NUMBER ("min-width", params.limits.min_width, 0, G_MAXUINT),
  NUMBER ("max-width", params.limits.max_width, 0, G_MAXUINT),
  NUMBER ("min-height", params.limits.min_height, 0, G_MAXUINT),
  NUMBER ("max-height", params.limits.max_height, 0, G_MAXUINT),
  NUMBER ("min-aspect", params.limits.min_aspect, 0, G_MAXUINT),
  NUMBER ("max-aspect", params.limits.max_aspect, 0, G_MAXUINT),
  NUMBER ("min-extent", params.limits.min_extent, 0, 100),
  NUMBER ("exclude-border", params.limits.exclude_border, 0, 1),
};

#define CONNECTIVITY 3
#define MAX_OBJECTS 13
#define RESET_BACKGROUND 24

static void
set_number (State *s, Input *in, guint i)
{
  GstElement *element =
      numbers[i].offset == G_STRUCT_OFFSET (State, expand_types)
      ? s->expand
      : s->cca;
  gpointer field = G_STRUCT_MEMBER_P (s, numbers[i].offset);
  guint64 v = take_number (in);

  if (numbers[i].max < G_MAXUINT64)
    v = v % (numbers[i].max + 1 - numbers[i].min) + numbers[i].min;
  if (numbers[i].size == sizeof (guint64)) {
    *(guint64 *) field = v;
    g_object_set (element, numbers[i].name, v, NULL);
  } else {
    if (numbers[i].size == sizeof (guint))
      *(guint *) field = v;
    else
      *(bool *) field = v;
    g_object_set (element, numbers[i].name, (guint) v, NULL);
  }
}

static void
set_property (State *s, Input *in)
{
  const guint i = take_below (in, G_N_ELEMENTS (numbers));

  switch (i) {
    case CONNECTIVITY:
      s->params.connectivity = take_below (in, 2) ? 8 : 4;
      g_object_set (s->cca, "connectivity", s->params.connectivity, NULL);
      break;
    case MAX_OBJECTS:
      s->max_objects = take_below (in, 64) + 1;
      g_object_set (s->cca, "max-objects", s->max_objects, NULL);
      g_object_set (s->expand, "max-objects", s->max_objects, NULL);
      break;
    case RESET_BACKGROUND:
      g_signal_emit_by_name (s->cca, "reset-background");
      cca_engine_free (&s->background);
      break;
    default:
      set_number (s, in, i);
      break;
  }
}

/* --- frames --------------------------------------------------------------- */

static void
push_frame (State *s, Input *in)
{
  gboolean shared = take_below (in, 2);
  Frame f = frame_take (in, &s->video);
  GstFlowReturn ret;

  if (s->n_frames++ > 0)
    GST_BUFFER_PTS (f.buffer) = s->n_frames * 40 * GST_MSECOND;
  ret = gst_harness_push (s->h, gst_buffer_ref (f.buffer));
  if (!shared && ret != GST_FLOW_OK)
    gst_clear_buffer (&f.buffer);

  if (ret == GST_FLOW_OK) {
    GstBuffer *out = gst_harness_try_pull (s->h);

    REQUIRE (s->video.width > 0, "a frame without caps came through");
    REQUIRE (out != NULL, "the frame did not come through");
    check_output (s, &f, out);
    REQUIRE (gst_buffer_get_cca_meta (f.buffer) == NULL || out == f.buffer,
        "the caller's buffer has changed");
    gst_buffer_unref (out);
  } else {
    REQUIRE (gst_harness_try_pull (s->h) == NULL, "a refused frame came");
    check_refused (s, &f, ret);
  }
  frame_clear (&f);
}

/* --- life ----------------------------------------------------------------- */

static void
start (State *s, Input *in)
{
  const CcaParams defaults = CCA_DEFAULT_PARAMS;
  GstElement *bin;

  s->params = defaults;
  s->params.max_components = take_number (in) % G_MAXINT + 1;
  s->meta_types = META_CCA | META_ANALYTICS;
  s->expand_types = META_ROI | META_ANALYTICS;
  s->max_objects = 256;
  s->threshold_depth = 8;
  /* derived from other values, so that old inputs keep their meaning */
  s->frame_distance = s->params.max_components % CCA_MAX_FRAME_DISTANCE + 1;
  s->features = s->params.max_components / CCA_MAX_FRAME_DISTANCE
      % (CCA_FEATURES_ALL + 1);

  bin = gst_parse_bin_from_description ("cca name=a ! ccaexpand name=b", TRUE,
      NULL);
  REQUIRE (bin != NULL, "no elements");
  s->cca = gst_bin_get_by_name (GST_BIN (bin), "a");
  s->expand = gst_bin_get_by_name (GST_BIN (bin), "b");
  g_object_set (s->cca, "max-components", s->params.max_components,
      "frame-distance", s->frame_distance, "features", s->features, "threads",
      take_below (in, 3) + 1, NULL);
  s->h = gst_harness_new_with_element (bin, "sink", "src");
  gst_object_unref (bin);
  s->bus = gst_bus_new ();
  gst_element_set_bus (s->h->element, s->bus);
}

static void
stop (State *s)
{
  gst_bus_set_flushing (s->bus, TRUE);
  gst_element_set_bus (s->h->element, NULL);
  gst_object_unref (s->bus);
  gst_harness_teardown (s->h);
  cca_engine_free (&s->background);
  gst_object_unref (s->cca);
  gst_object_unref (s->expand);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  enum
  {
    CAPS,
    EVENT,
    PROPERTY,
    FRAME
  };
  static const guint8 steps[] = {
    FRAME,
    PROPERTY,
    CAPS,
    FRAME,
    PROPERTY,
    EVENT,
    FRAME,
    PROPERTY,
  };
  Input in = {data, size};
  State s = {.h = NULL};
  guint i;

  start (&s, &in);
  push_caps (&s, &in);
  for (i = 0; i < MAX_STEPS && in.left > 0; i++) {
    switch (steps[take_below (&in, G_N_ELEMENTS (steps))]) {
      case CAPS:
        push_caps (&s, &in);
        break;
      case EVENT:
        push_event (&s, &in);
        break;
      case PROPERTY:
        set_property (&s, &in);
        break;
      case FRAME:
        push_frame (&s, &in);
        break;
    }
  }
  stop (&s);

  return 0;
}
