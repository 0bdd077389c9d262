/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "util.h"

#include <string.h>

/* LeakSanitizer calls this: fontconfig keeps memory after it found a font. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}

const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_Y444,
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_P012_LE,
  GST_VIDEO_FORMAT_P016_LE,
  GST_VIDEO_FORMAT_I420_10LE,
#endif
};

const guint n_formats = G_N_ELEMENTS (formats);

const Look default_look = {
  .threshold = 128,
  .threshold_high = 65535,
  .connectivity = 8,
  .min_area = 1,
  .max_area = G_MAXUINT64,
};

guint
noise (guint x, guint y, guint seed)
{
  guint size = 1 + seed % 10;
  guint32 v = (x / size) * 0x9E3779B1u ^ (y / size) * 0x85EBCA77u
      ^ (seed + 1) * 0xC2B2AE3Du;

  v ^= v >> 15;
  v *= 0x2C1B3C6Du;
  v ^= v >> 12;
  v *= 0x297A2D39u;
  v ^= v >> 15;
  return v % 192;
}

guint
nothing (guint x, guint y, guint seed)
{
  return 0;
}

guint
full (guint x, guint y, guint seed)
{
  return 200;
}

guint
checkerboard (guint x, guint y, guint seed)
{
  return (x + y) % 2 ? 0 : 200;
}

Picture
picture_new (guint width, guint height, Pixel pixel, guint seed)
{
  Picture picture = {width, height, g_new (guint16, (gsize) width * height)};
  guint x, y;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      picture.pixels[(gsize) y * width + x] = pixel (x, y, seed);
  return picture;
}

void
picture_clear (Picture *picture)
{
  g_clear_pointer (&picture->pixels, g_free);
}

guint
format_depth (GstVideoFormat format)
{
  return GST_VIDEO_FORMAT_INFO_DEPTH (gst_video_format_get_info (format), 0);
}

void
picture_deepen (Picture *picture, GstVideoFormat format)
{
  guint factor = 1 << (format_depth (format) - 8);
  guint n = picture->width * picture->height, i;

  for (i = 0; i < n; i++)
    picture->pixels[i] = picture->pixels[i] * factor + i * 5 % factor;
}

guint
format_threshold (GstVideoFormat format, guint threshold)
{
  guint factor = 1 << (format_depth (format) - 8);

  return MIN (threshold, 255) * factor + factor - 1;
}

static gboolean
is_foreground (const Picture *p, const Look *look, guint x, guint y)
{
  guint v = p->pixels[(gsize) y * p->width + x];

  if (x < look->roi_x || y < look->roi_y)
    return FALSE;
  if (look->roi_width && x - look->roi_x >= look->roi_width)
    return FALSE;
  if (look->roi_height && y - look->roi_y >= look->roi_height)
    return FALSE;
  return (v > look->threshold && v <= look->threshold_high) != look->invert;
}

static void
push_if_new (GArray *stack, guint8 *todo, const Picture *p, gint64 x, gint64 y)
{
  guint i = y * p->width + x;

  if (x < 0 || y < 0 || x >= p->width || y >= p->height || !todo[i])
    return;
  todo[i] = FALSE;
  g_array_append_val (stack, i);
}

/* Removes the component of a pixel from todo and returns it. */
static GstCcaComponent
fill (const Picture *p, guint connectivity, guint8 *todo, guint first)
{
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint left = G_MAXUINT, right = 0, top = G_MAXUINT, bottom = 0;
  guint64 area = 0, sum_x = 0, sum_y = 0;
  GstCcaComponent c = {0};

  push_if_new (stack, todo, p, first % p->width, first / p->width);
  while (stack->len > 0) {
    guint i = g_array_index (stack, guint, stack->len - 1);
    guint x = i % p->width, y = i / p->width;
    gint dx, dy;

    g_array_set_size (stack, stack->len - 1);
    left = MIN (left, x);
    right = MAX (right, x);
    top = MIN (top, y);
    bottom = MAX (bottom, y);
    area++;
    sum_x += x;
    sum_y += y;
    for (dy = -1; dy <= 1; dy++)
      for (dx = -1; dx <= 1; dx++)
        if ((dx != 0) != (dy != 0) || connectivity == 8)
          push_if_new (stack, todo, p, (gint64) x + dx, (gint64) y + dy);
  }
  g_array_unref (stack);

  c.x = left;
  c.y = top;
  c.width = right - left + 1;
  c.height = bottom - top + 1;
  c.area = area;
  c.centroid_x = (gdouble) sum_x / area;
  c.centroid_y = (gdouble) sum_y / area;
  c.track_id = -1;
  return c;
}

GArray *
expect (const Picture *p, const Look *look)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GstCcaComponent));
  guint n = p->width * p->height, i;
  guint8 *todo = g_new (guint8, n);

  for (i = 0; i < n; i++)
    todo[i] = is_foreground (p, look, i % p->width, i / p->width);
  for (i = 0; i < n; i++) {
    GstCcaComponent c;

    if (!todo[i])
      continue;
    c = fill (p, look->connectivity, todo, i);
    if (c.area < look->min_area || c.area > look->max_area
        || (look->keeps != NULL && !look->keeps (&c)))
      continue;
    c.id = found->len + 1;
    g_array_append_val (found, c);
  }
  g_free (todo);
  return found;
}

/* Code values as the format stores them, with noise in the unused bits. */
static void
write_row (guint8 *to, const guint16 *from, guint n,
    const GstVideoFormatInfo *finfo)
{
  guint shift = GST_VIDEO_FORMAT_INFO_SHIFT (finfo, 0);
  guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, 0);
  guint unused = ~(((1u << depth) - 1) << shift);
  guint i;

  for (i = 0; i < n; i++) {
    if (depth == 8)
      to[i] = from[i];
    else
      GST_WRITE_UINT16_LE (to + 2 * i,
          from[i] << shift | ((from[i] * 7 + i) * 0x421 & unused));
  }
}

GstBuffer *
frame_new (GstVideoFormat format, const Picture *picture, const Layout *layout)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = {0};
  gint stride[GST_VIDEO_MAX_PLANES] = {0};
  gsize size = layout ? layout->offset : 0;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMapInfo map;
  guint i, y;

  fail_unless (gst_video_info_set_format (&info, format, picture->width,
      picture->height));
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (&info); i++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS];
    gsize row, rows;

    gst_video_format_info_component (info.finfo, i, comp);
    row = GST_VIDEO_INFO_COMP_WIDTH (&info, comp[0])
        * GST_VIDEO_INFO_COMP_PSTRIDE (&info, comp[0]);
    rows = GST_VIDEO_INFO_COMP_HEIGHT (&info, comp[0]);
    offset[i] = layout ? size : GST_VIDEO_INFO_PLANE_OFFSET (&info, i);
    stride[i] = layout ? (gint) (row + layout->padding)
                       : GST_VIDEO_INFO_PLANE_STRIDE (&info, i);
    /* nothing after the last row: a read past it leaves the buffer */
    size = offset[i] + stride[i] * (rows - 1) + row;
  }
  if (layout == NULL)
    size = GST_VIDEO_INFO_SIZE (&info);

  buffer = gst_buffer_new_allocate (NULL, size, NULL);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 0xff, map.size);
  for (y = 0; y < picture->height; y++)
    write_row (map.data + offset[0] + (gsize) y * stride[0],
        picture->pixels + (gsize) y * picture->width, picture->width,
        info.finfo);
  gst_buffer_unmap (buffer, &map);

  if (layout != NULL && layout->video_meta)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format,
        picture->width, picture->height, GST_VIDEO_INFO_N_PLANES (&info),
        offset, stride);
  return buffer;
}

GstCaps *
frame_caps (GstVideoFormat format, guint width, guint height)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      gst_video_format_to_string (format), "width", G_TYPE_INT, width, "height",
      G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
}

GstHarness *
harness_new (const gchar *description, GstVideoFormat format, guint width,
    guint height, GstBus **bus)
{
  GstHarness *h = gst_harness_new_parse (description);

  if (bus != NULL) {
    *bus = gst_bus_new ();
    gst_element_set_bus (h->element, *bus);
  }
  gst_harness_set_src_caps (h, frame_caps (format, width, height));
  return h;
}

void
harness_free (GstHarness *h, GstBus *bus)
{
  gst_bus_set_flushing (bus, TRUE);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

GstCcaMeta *
nth_meta (GstBuffer *buffer, guint n)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL)
    if (n-- == 0)
      return (GstCcaMeta *) meta;
  return NULL;
}

void
assert_components (GstCcaMeta *meta, const GArray *expected)
{
  const GstCcaComponent *c;
  guint n, i;

  fail_unless (meta != NULL);
  c = gst_cca_meta_get_components (meta, &n);
  assert_equals_int (n, expected->len);
  for (i = 0; i < n; i++) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);

    fail_unless (memcmp (&c[i], e, sizeof (*e)) == 0,
        "component %u is %u: %ux%u at %u,%u area %" G_GUINT64_FORMAT
        " and not %u: %ux%u at %u,%u area %" G_GUINT64_FORMAT,
        i, c[i].id, c[i].width, c[i].height, c[i].x, c[i].y, c[i].area, e->id,
        e->width, e->height, e->x, e->y, e->area);
  }
}

void
assert_analysis (GstHarness *h, GstVideoFormat format, const Picture *picture,
    const Look *look)
{
  GArray *expected = expect (picture, look);
  GstBuffer *buffer;
  GstCcaMeta *meta;

  buffer = gst_harness_push_and_pull (h, frame_new (format, picture, NULL));
  fail_unless (buffer != NULL);
  meta = gst_buffer_get_cca_meta (buffer);
  assert_components (meta, expected);
  assert_equals_int (gst_cca_meta_get_n_found (meta), expected->len);
  assert_equals_int (gst_cca_meta_get_analysis (meta)->width, picture->width);
  assert_equals_int (gst_cca_meta_get_analysis (meta)->height, picture->height);
  gst_buffer_unref (buffer);
  g_array_unref (expected);
}

static GError *
take_error (GstBus *bus, const gchar *words)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;
  const gchar *period;

  fail_unless (message != NULL, "no error that says '%s'", words);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "'%s' does not say '%s'",
      error->message, words);
  period = strchr (error->message, '.');
  fail_unless (period != NULL && period[1] == '\0', "'%s' is not one sentence",
      error->message);
  gst_message_unref (message);
  assert_no_error (bus);
  return error;
}

void
assert_error (GstBus *bus, const gchar *words)
{
  g_error_free (take_error (bus, words));
}

void
assert_error_of (GstBus *bus, GQuark domain, gint code, const gchar *words)
{
  GError *error = take_error (bus, words);

  fail_unless (g_error_matches (error, domain, code), "%s: %s %d", words,
      g_quark_to_string (error->domain), error->code);
  g_error_free (error);
}

void
assert_no_error (GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message == NULL)
    return;
  gst_message_parse_error (message, &error, NULL);
  fail ("an error: %s", error->message);
}

void
assert_refusal (GstBus *bus, const gchar *element, const gchar *sentence)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *debug = NULL;

  fail_unless (message != NULL, "no error that says '%s'", sentence);
  gst_message_parse_error (message, &error, &debug);
  assert_equals_string (error->message, sentence);
  fail_unless (strchr (debug, '\n') == NULL,
      "the debug text adds to the sentence: '%s'", debug);
  g_free (debug);
  fail_unless (
      g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT));
  assert_equals_string (GST_OBJECT_NAME (gst_element_get_factory (
                            GST_ELEMENT (GST_MESSAGE_SRC (message)))),
      element);
  g_error_free (error);
  gst_message_unref (message);
  assert_no_error (bus);
}

static gint n_warnings;

static void
count_warning (GstDebugCategory *category, GstDebugLevel level,
    const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer prefix)
{
  if (level == GST_LEVEL_WARNING
      && g_str_has_prefix (gst_debug_category_get_name (category), prefix))
    g_atomic_int_inc (&n_warnings);
}

void
warnings_begin (const gchar *category)
{
  gchar *pattern = g_strconcat (category, "*", NULL);

  g_atomic_int_set (&n_warnings, 0);
  gst_debug_set_threshold_for_name (pattern, GST_LEVEL_WARNING);
  gst_debug_add_log_function (count_warning, (gpointer) category, NULL);
  g_free (pattern);
}

gint
warnings_seen (void)
{
  return g_atomic_int_get (&n_warnings);
}

void
warnings_end (void)
{
  gst_debug_remove_log_function (count_warning);
}

void
count_freed (gpointer n_freed, GstMiniObject *object)
{
  ++*(guint *) n_freed;
}

guint
count_warning_messages (GstBus *bus, const gchar *words)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    GError *error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
    fail_unless (g_str_has_suffix (error->message, "."));
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  return n;
}

void
assert_warning (GstBus *bus, const gchar *words)
{
  assert_equals_int (count_warning_messages (bus, words), 1);
  assert_no_error (bus);
}

void
assert_no_size (const gchar *element)
{
  static const gchar *const bad[] = {
    "video/x-raw",
    "video/x-raw,width=40",
    "video/x-raw,width=0,height=4",
    "video/x-raw,width=4,height=-1",
    "video/x-raw,width=(string)4,height=4",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    GstHarness *h = gst_harness_new (element);
    GstCaps *caps = gst_caps_from_string (bad[i]);
    GstBus *bus = gst_bus_new ();

    gst_element_set_bus (h->element, bus);
    gst_harness_push_event (h, gst_event_new_stream_start ("bad"));
    gst_harness_push_event (h, gst_event_new_caps (caps));
    gst_caps_unref (caps);
    assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "The video has no size");
    harness_free (h, bus);
  }
}

void
push_segment (GstHarness *h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

void
push_caps (GstHarness *h, GstCaps *caps)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_caps (caps)));
  gst_caps_unref (caps);
}

void
push_flush (GstHarness *h)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  push_segment (h);
}

GstStructure *
pop_message (GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  GstStructure *s;

  if (message == NULL)
    return NULL;
  s = gst_structure_copy (gst_message_get_structure (message));
  gst_message_unref (message);
  return s;
}

typedef struct
{
  GstBaseTransform *trans;
  gboolean (*function) (GstBaseTransform *trans);
  gint returned;
} Call;

static gpointer
call_function (gpointer data)
{
  Call *call = data;

  call->function (call->trans);
  g_atomic_int_set (&call->returned, TRUE);
  return NULL;
}

void
assert_waits_for_stream (GstBaseTransform *trans,
    gboolean (*function) (GstBaseTransform *trans))
{
  Call call = {trans, function, FALSE};
  GThread *thread;

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  thread = g_thread_new ("call", call_function, &call);
  g_usleep (100 * 1000);
  fail_if (g_atomic_int_get (&call.returned));
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  g_thread_join (thread);
}

void
assert_unknown_property (const gchar *name, const gchar *property)
{
  GstElement *element = gst_element_factory_make (name, NULL);
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  guint n_tried = 0;

  for (; G_OBJECT_CLASS_TYPE (klass) != GST_TYPE_ELEMENT;
      klass = g_type_class_peek_parent (klass)) {
    GParamSpec *pspec = g_object_class_find_property (klass, property);
    GValue value = G_VALUE_INIT;

    if (pspec == NULL)
      break;
    /* a class without properties; GObject does not inherit the function */
    if (klass->set_property == NULL)
      continue;
    n_tried++;
    g_value_init (&value, pspec->value_type);
    g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING,
        "*invalid property id 9999*");
    klass->set_property (G_OBJECT (element), 9999, &value, pspec);
    g_test_assert_expected_messages ();
    g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING,
        "*invalid property id 9999*");
    klass->get_property (G_OBJECT (element), 9999, &value, pspec);
    g_test_assert_expected_messages ();
    g_value_unset (&value);
  }
  fail_unless (n_tried > 0, "%s", name);
  gst_object_unref (element);
}
