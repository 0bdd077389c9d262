/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaoverlay with any records and layouts: each frame passes. With a valid
 * layout it has the pixels of the painter, otherwise there is at most one
 * warning, and no byte outside the buffer is accessed. Input: format, size and
 * properties, then frames. */

#include <math.h>

#include "../check/elements/overlay-paint.h"
#include "plugin.h"

/* LeakSanitizer calls this: fontconfig keeps memory after it found a font. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}

#define MAX_FRAMES 4
#define MAX_RECORDS 8

/* Samples of two bytes are taken in the machine's byte order alone. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define P010 GST_VIDEO_FORMAT_P010_10LE
#define I420_10 GST_VIDEO_FORMAT_I420_10LE
#else
#define P010 GST_VIDEO_FORMAT_NV12
#define I420_10 GST_VIDEO_FORMAT_I420
#endif

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_BGRA,
  P010,
  GST_VIDEO_FORMAT_Y42B,
  I420_10,
  GST_VIDEO_FORMAT_RGBx,
  GST_VIDEO_FORMAT_NV21,
};

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstVideoInfo info;
  Style style;
  History history;
} Session;

static void
set_properties (Session *s, Input *in)
{
  const guint bits = take (in, 1);

  s->style = (Style) {
    .color = take (in, 4),
    .line_width = take_number (in) % 1025,
    .draw_labels = bits & 1,
    .draw_tracking_labels = bits >> 1 & 1,
    .tracking_colors = bits >> 2 & 1,
    .filled = bits >> 3 & 1,
    .trails = bits >> 4 & 1,
    .areas = bits >> 5 & 1,
    .max_objects = bits >> 6 & 1 ? take_below (in, 4) : 1024,
  };
  g_object_set (s->h->element, "object-detection-outline-color", s->style.color,
      "line-width", s->style.line_width, "draw-labels", s->style.draw_labels,
      "draw-tracking-labels", s->style.draw_tracking_labels,
      "tracking-outline-colors", s->style.tracking_colors, "filled-box",
      s->style.filled, "trails", s->style.trails, "label", s->style.areas,
      "max-objects", s->style.max_objects, NULL);
}

/* In the picture, mostly, or anywhere. */
static GstCcaComponent
take_record (Input *in)
{
  static const gdouble odd[] = {NAN, INFINITY, -1e300, 0.5};
  GstCcaComponent c = {
    0,
  };
  const guint centroid = take (in, 1);

  c.id = take_number (in);
  c.x = take_number (in);
  c.y = take_number (in);
  c.width = take_number (in);
  c.height = take_number (in);
  c.area = take_number (in);
  c.centroid_x = centroid < 4 ? odd[centroid] : centroid / 4.0;
  c.centroid_y = take (in, 1) / 4.0;
  c.track_id = take_number (in) - 1;
  return c;
}

static void
add_records (GstBuffer *buffer, Input *in, const GstVideoInfo *info)
{
  GstCcaComponent records[MAX_RECORDS];
  GstCcaAnalysis analysis = {
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
    .connectivity = 8,
    .depth = 8,
  };
  guint n = take_below (in, MAX_RECORDS + 1), i;

  if (take_below (in, 4) == 0) {
    analysis.width = 1 + take_number (in) % G_MAXINT;
    analysis.height = 1 + take_number (in) % G_MAXINT;
  }
  n = MIN (n, (guint64) analysis.width * analysis.height);
  analysis.n_found = n;
  for (i = 0; i < n; i++)
    records[i] = take_record (in);
  attach_meta (buffer, &analysis, records, n);
}

/* Planes with gaps; a lie is a wrong offset, stride or size. */
static gboolean
lay_out (Input *in, GstVideoInfo *info)
{
  const guint size = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1;
  const guint n = GST_VIDEO_INFO_N_PLANES (info);
  const guint lie = take_below (in, 8);
  gsize end = 0;
  guint p, c;

  for (p = 0; p < n; p++) {
    guint rows = 0;

    for (c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
      if ((guint) GST_VIDEO_INFO_COMP_PLANE (info, c) == p)
        rows = GST_VIDEO_INFO_COMP_HEIGHT (info, c);
    end += take_below (in, 5) * size;
    info->offset[p] = end;
    info->stride[p] += take_below (in, 5) * size;
    end += (gsize) info->stride[p] * rows;
  }
  info->size = end;
  if (lie == 1)
    info->offset[take_below (in, n)] = take_number (in);
  else if (lie == 2)
    info->stride[take_below (in, n)] = (gint) take_number (in);
  else if (lie == 3)
    info->size = take_number (in) % (end + 1);
  return lie < 1 || lie > 3;
}

static guint
take_warnings (Session *s)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop (s->bus)) != NULL) {
    REQUIRE (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR, "an error");
    n += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
    gst_message_unref (message);
  }
  return n;
}

static void
push_frame (Session *s, Input *in)
{
  GstVideoInfo layout = s->info;
  const GstVideoRectangle picture = {0, 0, GST_VIDEO_INFO_WIDTH (&layout),
    GST_VIDEO_INFO_HEIGHT (&layout)};
  const gboolean honest = lay_out (in, &layout);
  guint8 *bytes = exact (layout.size), *expected;
  GstBuffer *buffer = gst_buffer_new_wrapped_full (0, bytes, layout.size, 0,
      layout.size, bytes, free);
  GstBuffer *out;
  guint n_warnings;

  take_paint (in, bytes, layout.size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&layout), picture.w, picture.h,
      GST_VIDEO_INFO_N_PLANES (&layout), layout.offset, layout.stride);
  add_records (buffer, in, &layout);
  if (honest)
    expected = g_memdup2 (bytes, layout.size);
  else
    expected = g_malloc0 (s->info.size);
  /* trails continue through frames that a lie keeps from being drawn */
  if (layout.size > 0)
    paint (buffer, expected, honest ? &layout : &s->info, &picture, &s->style,
        &s->history);

  REQUIRE (gst_harness_push (s->h, buffer) == GST_FLOW_OK, "refused");
  out = gst_harness_try_pull (s->h);
  REQUIRE (out == buffer, "another buffer");
  n_warnings = take_warnings (s);
  REQUIRE (n_warnings <= !honest, "%u warnings", n_warnings);
  if (honest)
    REQUIRE (layout.size == 0 || memcmp (bytes, expected, layout.size) == 0,
        "other pixels");
  gst_buffer_unref (out);
  g_free (expected);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input in = {data, size};
  const GstVideoFormat format =
      formats[take_below (&in, G_N_ELEMENTS (formats))];
  const guint width = 1 + take_below (&in, 50);
  const guint height = 1 + take_below (&in, 40);
  Session s = {.h = gst_harness_new ("ccaoverlay"), .bus = gst_bus_new ()};
  guint i;

  gst_element_set_bus (s.h->element, s.bus);
  REQUIRE (gst_video_info_set_format (&s.info, format, width, height), "size");
  GST_VIDEO_INFO_FPS_N (&s.info) = 25;
  gst_harness_set_src_caps (s.h, gst_video_info_to_caps (&s.info));
  s.history = history_new ();
  for (i = 0; i < MAX_FRAMES && in.left > 0; i++) {
    set_properties (&s, &in);
    push_frame (&s, &in);
  }
  history_clear (&s.history);
  gst_bus_set_flushing (s.bus, TRUE);
  gst_element_set_bus (s.h->element, NULL);
  gst_object_unref (s.bus);
  gst_harness_teardown (s.h);
  return 0;
}
