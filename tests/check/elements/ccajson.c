/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccajson: a line of text for each GstCcaMeta of any buffer. */

#include "../two-pixels.h"
#include "jsonline.h"
#include "util.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define CAPS "video/x-raw,format=GRAY8,width=20,height=10,framerate=25/1"

/* Adds records without checking them. */
static GstCcaMeta *
add_records (GstBuffer *buffer, const GstCcaAnalysis *analysis,
    const GstCcaComponent *components, guint n)
{
  GBytes *bytes = g_bytes_new (components, n * sizeof (*components));
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, analysis, bytes);

  g_bytes_unref (bytes);
  fail_unless (meta != NULL);
  return meta;
}

static GstBuffer *
buffer_at (GstClockTime pts)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 200, NULL);

  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

/* n blocks side by side, in the first row. */
static GstBuffer *
analysed (guint n, GstClockTime pts)
{
  const GstCcaAnalysis analysis = {
    .width = MAX (20, 2 * n),
    .height = 10,
    .threshold = 128,
    .threshold_high = 65535,
    .connectivity = 8,
    .n_found = n,
    .depth = 8,
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  GstBuffer *buffer = buffer_at (pts);
  guint i;

  for (i = 0; i < n; i++)
    components[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = 2 * i,
      .y = 0,
      .width = 1,
      .height = 3,
      .area = 3,
      .centroid_x = 2 * i,
      .centroid_y = 1,
      .track_id = -1,
    };
  add_records (buffer, &analysis, components, n);
  g_free (components);
  return buffer;
}

static GstHarness *
writer (const gchar *description)
{
  GstHarness *h = gst_harness_new_parse (description);

  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static gchar *
text_of (GstBuffer *line)
{
  gchar *text = g_malloc (gst_buffer_get_size (line) + 1);

  text[gst_buffer_extract (line, 0, text, -1)] = '\0';
  return text;
}

static void
assert_line (GstBuffer *line, const GstCcaMeta *meta, GstClockTime pts,
    guint max_components)
{
  gsize at;
  gchar *text = text_of (line);
  const gchar *fault = json_line_fault (text, gst_buffer_get_size (line), meta,
      pts, max_components, &at);

  fail_unless (fault == NULL, "expected '%s' at %" G_GSIZE_FORMAT ": %.200s",
      fault, at, text + (at < 100 ? 0 : at - 100));
  g_free (text);
}

/* The line of a buffer that is pushed. */
static void
assert_line_of (GstHarness *h, GstBuffer *buffer, guint max_components)
{
  GstBuffer *line = gst_harness_push_and_pull (h, gst_buffer_ref (buffer));

  fail_unless (line != NULL);
  assert_line (line, gst_buffer_get_cca_meta (buffer), GST_BUFFER_PTS (buffer),
      max_components);
  gst_buffer_unref (line);
  gst_buffer_unref (buffer);
}

/* --- the text ------------------------------------------------------------- */

/* As docs/meta.md has it, to the letter. */
TEST (test_text)
{
  const GstCcaAnalysis analysis = {
    .width = 1920,
    .height = 1080,
    .threshold = 15,
    .threshold_high = 65535,
    .connectivity = 4,
    .n_found = 3,
    .depth = 10,
    .foreground = GST_CCA_FOREGROUND_SIGMA_DELTA,
    .flags = GST_CCA_ANALYSIS_FLAG_WARMING_UP,
  };
  const GstCcaComponent components[] = {
    {.id = 1,
      .x = 2,
      .y = 3,
      .width = 4,
      .height = 5,
      .area = 17,
      .centroid_x = 3.5,
      .centroid_y = 5 + 1 / 3.0,
      .track_id = -1},
    {.id = 2,
      .x = 0,
      .y = 9,
      .width = 1,
      .height = 1,
      .area = 1,
      .centroid_x = 0,
      .centroid_y = 9,
      .track_id = 0},
  };
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = buffer_at (40000000), *line;
  gchar *text;

  add_records (buffer, &analysis, components, 2);
  line = gst_harness_push_and_pull (h, buffer);
  text = text_of (line);
  assert_equals_string (text,
      "{\"frame\":0,\"source\":null,\"pts\":40000000,"
      "\"running_time\":40000000,\"utc\":null,\"width\":1920,"
      "\"height\":1080,\"depth\":10,\"foreground\":\"sigma-delta\","
      "\"warming_up\":true,\"light_changed\":false,\"overload\":false,\"threshold\":15,\"region_area\":0,\"n_found\":3,\"truncated\":true,"
      "\"components\":[{\"id\":1,\"x\":2,\"y\":3,\"width\":4,\"height\":5,"
      "\"area\":17,\"cx\":3.5,\"cy\":5.333333333333333,\"track\":null,\"zones\":[]},"
      "{\"id\":2,\"x\":0,\"y\":9,\"width\":1,\"height\":1,\"area\":1,\"cx\":0,"
      "\"cy\":9,\"track\":0,\"zones\":[]}],\"events\":[]}\n");
  g_free (text);
  gst_buffer_unref (line);
  gst_harness_teardown (h);
}

/* The features of two pixels, and of a component whose pixels are all 0. */
TEST_LOOP (test_features, 0, 5)
{
  static const struct
  {
    GstCcaFeatureFlags flags;
    const gchar *first, *second;
  } cases[] = {
    {0, "", ""},
    {GST_CCA_FEATURE_FLAG_MOMENTS,
      ",\"features\":{\"xx\":25,\"xy\":35,\"yy\":50,"
      "\"orientation\":1.5707963267948966,\"major\":2,\"minor\":0}",
      ",\"features\":{\"xx\":0,\"xy\":0,\"yy\":0,"
      "\"orientation\":-0.78539816339744828,\"major\":0,\"minor\":0}"},
    {GST_CCA_FEATURE_FLAG_INTENSITY,
      ",\"features\":{\"v\":40,\"vv\":1000,\"vx\":150,\"vy\":200,"
      "\"v_min\":10,\"v_max\":30,\"v_max_x\":4,\"v_max_y\":5,"
      "\"mean\":20,\"weighted_x\":3.75,\"weighted_y\":5}",
      ",\"features\":{\"v\":0,\"vv\":0,\"vx\":0,\"vy\":0,"
      "\"v_min\":0,\"v_max\":0,\"v_max_x\":0,\"v_max_y\":0,"
      "\"mean\":0,\"weighted_x\":null,\"weighted_y\":null}"},
    {GST_CCA_FEATURE_FLAG_SHAPE,
      ",\"features\":{\"e4\":1,\"q4\":0,\"w1\":6,\"euler\":1}",
      ",\"features\":{\"e4\":5,\"q4\":0,\"w1\":0,\"euler\":-4}"},
    {8, ",\"features\":{}", ",\"features\":{}"},
  };
  const GstCcaAnalysis analysis = {.width = 9,
    .height = 9,
    .connectivity = 4,
    .n_found = 2};
  const GstCcaComponent components[] = {two_pixels,
    {.id = 2, .width = 1, .height = 1, .area = 1, .track_id = -1, .group = 7}};
  const GstCcaFeatures features[] = {two_pixels_features, {.e4 = 5}};
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = buffer_at (0), *line;
  gchar *text, *end, *want;

  gst_cca_meta_set_features_from_records (add_records (buffer, &analysis,
                                              components, 2),
      cases[__i__].flags, features, 2);
  line = gst_harness_push_and_pull (h, buffer);
  text = text_of (line);
  end = strstr (text, ",\"zones\":");
  want = g_strconcat (",\"zones\":[]", cases[__i__].first,
      "},{\"id\":2,\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"area\":1,"
      "\"cx\":0,\"cy\":0,\"track\":null,\"zones\":[],\"group\":7",
      cases[__i__].second, "}],\"events\":[]}\n", NULL);
  assert_equals_string (end, want);
  g_free (want);
  g_free (text);
  gst_buffer_unref (line);
  gst_harness_teardown (h);
}

/* The longest text of many features. */
TEST (test_many_features)
{
  const guint n = 1000;
  GstBuffer *buffer = analysed (n, 0), *line;
  GstCcaFeatures *features = g_new (GstCcaFeatures, n);
  GstHarness *h = writer ("ccajson");
  gchar *text;

  memset (features, 0xff, n * sizeof (*features));
  gst_cca_meta_set_features_from_records (gst_buffer_get_cca_meta (buffer), 7,
      features, n);
  line = gst_harness_push_and_pull (h, buffer);
  text = text_of (line);
  fail_unless (g_str_has_suffix (text, "}}],\"events\":[]}\n"));
  fail_unless (gst_buffer_get_size (line) > n * 500);
  g_free (text);
  gst_buffer_unref (line);
  g_free (features);
  gst_harness_teardown (h);
}

/* The end of the line of a frame with these events. */
static void
assert_events (const GstStructure *const *events, guint n, const gchar *want)
{
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = analysed (1, 0), *line;
  const gchar *end;
  gchar *text;
  guint i;

  for (i = 0; i < n; i++)
    fail_unless (
        gst_cca_meta_add_event (gst_buffer_get_cca_meta (buffer), events[i]));
  line = gst_harness_push_and_pull (h, buffer);
  text = text_of (line);
  end = strstr (text, ",\"events\":");
  fail_unless (end != NULL && g_str_has_suffix (text, "]}\n"));
  end += strlen (",\"events\":[");
  fail_unless (g_str_has_prefix (end, want), "%s", text);
  assert_equals_string (end + strlen (want), "]}\n");
  g_free (text);
  gst_buffer_unref (line);
  /* they are not in the next line */
  assert_line_of (h, analysed (2, 1), G_MAXUINT);
  gst_harness_teardown (h);
}

/* Each type, values at the limits, and texts that JSON escapes. */
TEST (test_text_of_events)
{
  GstStructure *box = gst_structure_new ("box", "x", G_TYPE_UINT, G_MAXUINT,
      "y", G_TYPE_INT, G_MININT, NULL);
  GstStructure *all = gst_structure_new ("cca-track", "event", G_TYPE_STRING,
      "crossed", "running-time", G_TYPE_UINT64, GST_CLOCK_TIME_NONE, "id",
      G_TYPE_UINT64, G_MAXUINT64 - 1, "n", G_TYPE_INT64, G_MININT64,
      "warming-up", G_TYPE_BOOLEAN, FALSE, "late", G_TYPE_BOOLEAN, TRUE,
      "first-box", GST_TYPE_STRUCTURE, box, "a", G_TYPE_DOUBLE, 0.1, "b",
      G_TYPE_DOUBLE, (gdouble) NAN, "line", G_TYPE_STRING,
      "q\"b\\ t\t \xc3\xa4 -", NULL);
  GstStructure *empty = gst_structure_new_empty ("cca-zone");
  const GstStructure *events[] = {all, empty};

  assert_events (NULL, 0, "");
  assert_events (&events[1], 1, "{\"message\":\"cca-zone\"}");
  assert_events (events, 2,
      "{\"message\":\"cca-track\",\"event\":\"crossed\","
      "\"running_time\":null,\"id\":18446744073709551614,"
      "\"n\":-9223372036854775808,\"warming_up\":false,\"late\":true,"
      "\"first_box\":{\"x\":4294967295,\"y\":-2147483648},"
      "\"a\":0.10000000000000001,\"b\":null,"
      "\"line\":\"q\\\"b\\\\ t\\u0009 \xc3\xa4 -\"},"
      "{\"message\":\"cca-zone\"}");
  gst_structure_free (all);
  gst_structure_free (box);
  gst_structure_free (empty);
}

/* A line, n zones with such names, which the objects are in, and a region. */
static GstBuffer *
zoned (guint n_components, guint n_zones, const gchar *format, guint64 zones)
{
  static const gdouble at[] = {0, 0, 9, 0, 9, 9};
  GstBuffer *buffer = analysed (n_components, 0);
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  guint64 *in = g_new (guint64, n_components);
  gint64 *ids = g_new (gint64, n_components);
  const GstCcaComponent *components;
  guint i, n;

  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "l", at, 6);
  for (i = 0; i < n_zones; i++) {
    gchar *name = g_strdup_printf (format, i);

    gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, name, at, 6);
    g_free (name);
  }
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_INCLUDE, "in", at, 6);
  gst_cca_meta_set_shapes (meta, shapes, NULL);
  gst_cca_shapes_unref (shapes);
  components = gst_cca_meta_get_components (meta, &n);
  for (i = 0; i < n_components; i++) {
    in[i] = zones;
    ids[i] = components[i].track_id;
  }
  fail_unless (gst_cca_meta_set_tracks (meta, ids, in, n_components));
  g_free (ids);
  g_free (in);
  return buffer;
}

/* Each component has the names of its zones; bits without a zone have none. */
TEST (test_zones)
{
  static const guint64 zones[] = {0, 1, 4, 5, 7, (guint64) 1 << 63 | 6};
  GstHarness *h = writer ("ccajson");
  GstBuffer *line;
  gchar *text;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (zones); i++)
    assert_line_of (h, zoned (2, 3, "zone-%u", zones[i]), G_MAXUINT);
  line = gst_harness_push_and_pull (h, zoned (1, 3, "a\"%u\t", 6));
  text = text_of (line);
  fail_unless (strstr (text,
                   ",\"zones\":[\"a\\\"1\\u0009\",\"a\\\"2\\u0009\"]}]")
          != NULL,
      "%s", text);
  g_free (text);
  gst_buffer_unref (line);
  /* as long as a line can be; of further zones nobody can be inside */
  assert_line_of (h, zoned (3, 70, "%0200u-with-a-long-name", ~(guint64) 0),
      G_MAXUINT);
  assert_line_of (h, analysed (2, 1), G_MAXUINT);
  gst_harness_teardown (h);
}

/* Its numbers take the most characters. */
static const GstCcaComponent longest_component = {
  .id = G_MAXUINT,
  .x = G_MAXUINT,
  .y = G_MAXUINT,
  .width = G_MAXUINT,
  .height = G_MAXUINT,
  .area = G_MAXUINT64,
  .centroid_x = -1.2345678901234567e-308,
  .centroid_y = -1.2345678901234567e-308,
  .track_id = G_MININT64,
};

/* Records of the longest numbers, in as many zones as there can be: the names
 * are short, so that the commas between them matter. */
TEST (test_longest_records)
{
  static const gdouble at[] = {0, 0, 9, 0, 9, 9};
  const GstCcaAnalysis analysis = {
    .width = G_MAXINT,
    .height = G_MAXINT,
    .connectivity = 8,
    .n_found = G_MAXUINT,
    .depth = 16,
  };
  GstCcaComponent *components = g_new (GstCcaComponent, 1000);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GstBuffer *buffer = buffer_at (1);
  GstHarness *h = writer ("ccajson");
  guint i;

  for (i = 0; i < 64; i++)
    gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "z", at, 6);
  for (i = 0; i < 1000; i++) {
    components[i] = longest_component;
    components[i].zones = G_MAXUINT64;
  }
  add_records (buffer, &analysis, components, 1000);
  gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), shapes, NULL);
  assert_line_of (h, buffer, G_MAXUINT);
  gst_cca_shapes_unref (shapes);
  g_free (components);
  gst_harness_teardown (h);
}

static void
assert_start (GstHarness *h, const gchar *want)
{
  GstBuffer *line = gst_harness_push_and_pull (h, analysed (1, 0));
  gchar *text = text_of (line);

  fail_unless (g_str_has_prefix (text, want), "%.100s instead of %s", text,
      want);
  g_free (text);
  gst_buffer_unref (line);
}

/* Answers a query for the URI of the source. */
static gboolean
answer_uri (GstPad *pad, GstObject *parent, GstQuery *query)
{
  const gchar *uri = gst_pad_get_element_private (pad);

  if (GST_QUERY_TYPE (query) != GST_QUERY_URI)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_uri (query, uri);
  return uri != NULL;
}

/* Lines have the number of the frame and the name of its file. Only files have
 * a name: URIs of cameras may have a password. A new file begins with a
 * segment. */
TEST (test_source)
{
  static const gchar *const sources[][2] = {
    {"file:///a/plate%201.png", "\"plate 1.png\""},
    {"file:///a/%22%ff", "\"\\\"\xef\xbf\xbd\""},
    {"multifile:%2502d.png", "\"%02d.png\""},
    {"multifle:a/%2502d.png", "\"%02d.png\""},
    {"rtsp://user:secret@camera/1.mp4", "null"},
    {"no uri", "null"},
    {NULL, "null"},
  };
  GstHarness *h = gst_harness_new ("ccajson");
  GstSegment segment;
  gchar *want, *name;
  guint i;

  gst_pad_set_query_function (h->srcpad, answer_uri);
  gst_pad_set_element_private (h->srcpad, (gpointer) "file:///other.png");
  gst_harness_set_src_caps_str (h, CAPS);
  assert_start (h, "{\"frame\":0,\"source\":\"other.png\",\"pts\":0,");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (i = 0; i < G_N_ELEMENTS (sources); i++) {
    gst_pad_set_element_private (h->srcpad, (gpointer) sources[i][0]);
    gst_harness_push_event (h, gst_event_new_segment (&segment));
    want = g_strdup_printf ("{\"frame\":%u,\"source\":%s,\"pts\":0,", i + 1,
        sources[i][1]);
    assert_start (h, want);
    g_free (want);
  }
  gst_harness_get (h, "ccajson", "source-name", &name, NULL);
  fail_unless (name == NULL);
  gst_harness_set (h, "ccajson", "source-name", "gate \"1\"", NULL);
  gst_harness_get (h, "ccajson", "source-name", &name, NULL);
  assert_equals_string (name, "gate \"1\"");
  g_free (name);
  assert_start (h, "{\"frame\":8,\"source\":\"gate \\\"1\\\"\",\"pts\":0,");
  /* numbers begin again with the stream */
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (h, CAPS);
  assert_start (h, "{\"frame\":0,\"source\":\"gate \\\"1\\\"\",\"pts\":0,");
  gst_harness_teardown (h);
}

static void
assert_times (GstHarness *h, GstBuffer *buffer, const gchar *expected)
{
  GstBuffer *line = gst_harness_push_and_pull (h, buffer);
  gchar *text = text_of (line);
  const gchar *times = strstr (text, "\"pts\":");

  fail_unless (times != NULL
          && g_str_has_prefix (times + strlen ("\"pts\":"), expected),
      "%s", text);
  g_free (text);
  gst_buffer_unref (line);
}

/* The running time, and the Unix time of the pipeline's clock or the camera. */
TEST (test_times_of_lines)
{
  GstHarness *h = gst_harness_new ("ccajson");
  GstClock *utc = g_object_new (GST_TYPE_SYSTEM_CLOCK, "clock-type",
      GST_CLOCK_TYPE_REALTIME, NULL);
  GstCaps *unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");
  GstBuffer *buffer;
  GstSegment segment;

  gst_harness_set_src_caps_str (h, CAPS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 5;
  segment.base = 100;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  gst_element_set_base_time (h->element, 1000);
  gst_element_set_clock (h->element, utc);
  assert_times (h, analysed (0, 25), "25,\"running_time\":120,\"utc\":1120,");
  assert_times (h, analysed (0, 4), "4,\"running_time\":null,\"utc\":null,");
  buffer = analysed (0, 25);
  gst_buffer_add_reference_timestamp_meta (buffer, unix_time, 7,
      GST_CLOCK_TIME_NONE);
  assert_times (h, buffer, "25,\"running_time\":120,\"utc\":7,");
  gst_element_set_state (h->element, GST_STATE_PAUSED);
  assert_times (h, analysed (0, 25), "25,\"running_time\":120,\"utc\":null,");
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (h, CAPS);
  segment.base = 0;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  assert_times (h, analysed (0, 25), "25,\"running_time\":20,");
  gst_caps_unref (unix_time);
  gst_object_unref (utc);
  gst_harness_teardown (h);
}

/* As long as a source can be, and frames without components after it. */
TEST (test_long_source)
{
  gchar *name = g_strnfill (5000, '\t');
  GstHarness *h = writer ("ccajson");
  GstBuffer *line;

  gst_harness_set (h, "ccajson", "source-name", name, NULL);
  line = gst_harness_push_and_pull (h, analysed (0, GST_CLOCK_TIME_NONE - 1));
  fail_unless (gst_buffer_get_size (line) > 6 * 5000);
  gst_buffer_unref (line);
  g_free (name);
  gst_harness_teardown (h);
}

/* Results of cca for several kinds of pictures. */
TEST_LOOP (test_analysed, 0, 4)
{
  static const guint sizes[][2] = {{1, 1}, {7, 200}, {64, 48}, {161, 90}};
  static const Pixel pixels[] = {noise, nothing, full, checkerboard};
  guint width = sizes[__i__][0], height = sizes[__i__][1], i;
  GstHarness *find =
      harness_new ("cca", GST_VIDEO_FORMAT_NV12, width, height, NULL);
  GstHarness *h = writer ("ccajson");

  for (i = 0; i < 4; i++) {
    Picture picture = picture_new (width, height, pixels[i], 3);
    GstBuffer *buffer = gst_harness_push_and_pull (find,
        frame_new (GST_VIDEO_FORMAT_NV12, &picture, NULL));

    GST_BUFFER_PTS (buffer) = i * GST_SECOND;
    assert_line_of (h, buffer, G_MAXUINT);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (find);
}

/* Metas that an application made: any number makes valid JSON. */
TEST (test_lies)
{
  static const gdouble doubles[] = {
    NAN,
    INFINITY,
    -INFINITY,
    -0.0,
    DBL_MAX,
    -DBL_MIN,
    5e-324,
    1e21,
    0.1,
    123456789012345680.0,
  };
  static const gint64 tracks[] = {
    -1,
    0,
    1,
    -2,
    G_MAXINT64,
    G_MININT64,
    4294967296,
  };
  GstCcaAnalysis analysis = {
    .width = G_MAXINT,
    .height = G_MAXINT,
    .threshold = G_MAXUINT,
    .connectivity = 8,
    .n_found = G_MAXUINT,
    .depth = 16,
  };
  GstHarness *h = writer ("ccajson");
  GstCcaComponent components[70];
  guint i;

  for (i = 0; i < 70; i++)
    components[i] = (GstCcaComponent) {
      .id = i % 2 ? G_MAXUINT : 0,
      .x = G_MAXUINT - i,
      .y = G_MAXUINT,
      .width = G_MAXUINT,
      .height = i % 3 ? G_MAXUINT : 0,
      .area = i % 2 ? G_MAXUINT64 : 0,
      .centroid_x = doubles[i % 10],
      .centroid_y = doubles[i / 7],
      .track_id = tracks[i % 7],
    };
  for (i = 0; i < 9; i++) {
    GstBuffer *buffer =
        buffer_at (i % 2 ? GST_CLOCK_TIME_NONE : GST_CLOCK_TIME_NONE - 1 - i);

    analysis.foreground = i < 6 ? i : (guint) (G_MAXINT - i);
    analysis.flags = i;
    add_records (buffer, &analysis, components, 70);
    assert_line_of (h, buffer, G_MAXUINT);
  }
  gst_harness_teardown (h);
}

static gdouble
random_centroid (GRand *rand, guint i)
{
  const guint32 any = g_rand_int (rand);

  switch (i % 6) {
    case 0:
      return g_rand_double_range (rand, 0, 70000);
    case 1: /* a mean of coordinates */
      return any % 100000000 / (gdouble) (1 + g_rand_int (rand) % 5000);
    case 2: /* a few bits after the point, so that halves are rounded too */
      return any / (gdouble) (1 << g_rand_int (rand) % 24);
    case 3:
      return ldexp (1 + any / 4294967296., g_rand_int (rand) % 55);
    case 4: /* next to a power of 10 */
      return nextafter (pow (10, any % 18), any & (1 << 20) ? 0 : INFINITY);
    default: /* 53 bits, half of an even or odd digit 17 */
      return ldexp ((gdouble) ((guint64) g_rand_int (rand) << 21 | any >> 11),
          -(gint) (g_rand_int (rand) % 12));
  }
}

/* Centroids equal the output of printf to the last digit. */
TEST (test_centroids)
{
  const guint n = 60000;
  const GstCcaAnalysis analysis = {
    .width = 1 << 20,
    .height = 1 << 20,
    .connectivity = 8,
    .n_found = n,
    .depth = 8,
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  GRand *rand = g_rand_new_with_seed (1);
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = buffer_at (0);
  gchar *text, *at;
  guint i;

  for (i = 0; i < n; i++)
    components[i] = (GstCcaComponent) {
      .centroid_x = random_centroid (rand, i),
      .centroid_y = random_centroid (rand, i),
      .track_id = -1,
    };
  add_records (buffer, &analysis, components, n);
  buffer = gst_harness_push_and_pull (h, buffer);
  at = text = text_of (buffer);
  for (i = 0; i < n; i++) {
    gchar x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
    gchar *expected;

    g_ascii_formatd (x, sizeof (x), "%.17g", components[i].centroid_x);
    g_ascii_formatd (y, sizeof (y), "%.17g", components[i].centroid_y);
    expected = g_strdup_printf ("\"cx\":%s,\"cy\":%s,\"track\"", x, y);
    /* not strstr(), for which AddressSanitizer looks for the end each time */
    at = g_strstr_len (at, 1000, "\"cx\"");
    fail_unless (g_str_has_prefix (at, expected), "%.60s instead of %s", at,
        expected);
    at++;
    g_free (expected);
  }
  g_free (text);
  gst_buffer_unref (buffer);
  g_rand_free (rand);
  g_free (components);
  gst_harness_teardown (h);
}

/* --- how much ------------------------------------------------------------- */

/* Records with the longest text: as many as a line lists, and one more. The time
 * is proportional to their number. */
TEST (test_many)
{
  static const guint counts[] = {1, 65536, 65537, 0};
  const guint n_max = 65537;
  GstCcaAnalysis analysis = {
    .width = 1 << 20,
    .height = 1 << 20,
    .threshold = G_MAXUINT,
    .connectivity = 8,
    .depth = 16,
    .foreground = GST_CCA_FOREGROUND_SIGMA_DELTA,
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, n_max);
  GstHarness *h = writer ("ccajson");
  clock_t start;
  guint i;

  for (i = 0; i < n_max; i++)
    components[i] = longest_component;
  start = clock ();
  for (i = 0; i < G_N_ELEMENTS (counts); i++) {
    GstBuffer *buffer = buffer_at (GST_CLOCK_TIME_NONE - 1);

    analysis.n_found = counts[i];
    add_records (buffer, &analysis, components, counts[i]);
    assert_line_of (h, buffer, 65536);
  }
  fail_unless (clock () - start < 20 * CLOCKS_PER_SEC);
  gst_harness_teardown (h);
  g_free (components);
}

/* It may change while lines are written. */
TEST (test_max_components)
{
  static const guint limits[] = {0, 1, 4, 5, 6, G_MAXINT};
  GstHarness *h = writer ("ccajson");
  guint limit, i;

  gst_harness_get (h, "ccajson", "max-components", &limit, NULL);
  assert_equals_int (limit, 65536);
  for (i = 0; i < G_N_ELEMENTS (limits); i++) {
    gst_harness_set (h, "ccajson", "max-components", limits[i], NULL);
    gst_harness_get (h, "ccajson", "max-components", &limit, NULL);
    assert_equals_int (limit, limits[i]);
    assert_line_of (h, analysed (5, i), limits[i]);
  }
  gst_harness_teardown (h);
}

/* --- buffers -------------------------------------------------------------- */

TEST (test_times)
{
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = analysed (2, 5 * GST_SECOND), *line;

  GST_BUFFER_DTS (buffer) = 4 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 3 * GST_SECOND;
  GST_BUFFER_FLAG_SET (buffer,
      GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_GAP
          | GST_BUFFER_FLAG_DELTA_UNIT);
  line = gst_harness_push_and_pull (h, buffer);
  assert_equals_uint64 (GST_BUFFER_PTS (line), 5 * GST_SECOND);
  assert_equals_uint64 (GST_BUFFER_DTS (line), 4 * GST_SECOND);
  assert_equals_uint64 (GST_BUFFER_DURATION (line), 3 * GST_SECOND);
  /* a line about a repeated picture is no gap */
  fail_unless (GST_BUFFER_IS_DISCONT (line));
  fail_if (GST_BUFFER_FLAG_IS_SET (line, GST_BUFFER_FLAG_GAP));
  fail_if (GST_BUFFER_FLAG_IS_SET (line, GST_BUFFER_FLAG_DELTA_UNIT));
  fail_unless (gst_buffer_get_cca_meta (line) == NULL);
  gst_buffer_unref (line);

  line = gst_harness_push_and_pull (h, analysed (2, GST_CLOCK_TIME_NONE));
  fail_if (GST_BUFFER_PTS_IS_VALID (line) || GST_BUFFER_DTS_IS_VALID (line)
      || GST_BUFFER_DURATION_IS_VALID (line) || GST_BUFFER_IS_DISCONT (line));
  gst_buffer_unref (line);
  gst_harness_teardown (h);
}

/* A line that was pulled is not overwritten by later ones. */
TEST (test_lines_stay)
{
  GstHarness *h = writer ("ccajson");
  GstBuffer *frames[5], *lines[5];
  guint i;

  for (i = 0; i < 5; i++) {
    frames[i] = analysed (3 + i % 2, i);
    lines[i] = gst_harness_push_and_pull (h, gst_buffer_ref (frames[i]));
  }
  for (i = 0; i < 5; i++) {
    assert_line (lines[i], gst_buffer_get_cca_meta (frames[i]), i, G_MAXUINT);
    fail_unless (gst_buffer_is_writable (lines[i]));
    gst_buffer_unref (lines[i]);
    gst_buffer_unref (frames[i]);
  }
  gst_harness_teardown (h);
}

/* The first one counts, as everywhere. */
TEST (test_two_metas)
{
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = analysed (2, 0), *other = analysed (7, 0);
  guint n;

  add_records (buffer,
      gst_cca_meta_get_analysis (gst_buffer_get_cca_meta (other)),
      gst_cca_meta_get_components (gst_buffer_get_cca_meta (other), &n), 7);
  gst_buffer_unref (other);
  assert_equals_int (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), 2);
  assert_line_of (h, buffer, G_MAXUINT);
  gst_harness_teardown (h);
}

static GstEvent *
pull_event (GstHarness *h, GstEventType type)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h)) != NULL
      && GST_EVENT_TYPE (event) != type)
    gst_event_unref (event);
  return event;
}

/* A frame without a meta gives a gap event instead of a line. */
TEST (test_no_meta)
{
  GstHarness *h = writer ("ccajson");
  GstBuffer *buffer = buffer_at (7);
  GstClockTime timestamp, duration;
  GstEvent *event;

  GST_BUFFER_DURATION (buffer) = 3;
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  event = pull_event (h, GST_EVENT_GAP);
  fail_unless (event != NULL);
  gst_event_parse_gap (event, &timestamp, &duration);
  assert_equals_uint64 (timestamp, 7);
  assert_equals_uint64 (duration, 3);
  gst_event_unref (event);

  assert_equals_int (gst_harness_push (h, buffer_at (GST_CLOCK_TIME_NONE)),
      GST_FLOW_OK);
  fail_unless (pull_event (h, GST_EVENT_GAP) == NULL);
  assert_equals_int (gst_harness_buffers_in_queue (h), 0);
  assert_line_of (h, analysed (0, 9), G_MAXUINT);
  assert_line_of (h, analysed (3, 10), G_MAXUINT);
  fail_unless (pull_event (h, GST_EVENT_GAP) == NULL);
  gst_harness_teardown (h);
}

static gpointer
refuse_map (GstMemory *memory, gsize size, GstMapFlags flags)
{
  g_assert_not_reached ();
}

typedef GstAllocator ShutAllocator;
typedef GstAllocatorClass ShutAllocatorClass;

GType shut_allocator_get_type (void);
G_DEFINE_TYPE (ShutAllocator, shut_allocator, GST_TYPE_ALLOCATOR);

static void
shut_free (GstAllocator *allocator, GstMemory *memory)
{
  g_free (memory);
}

static void
shut_allocator_class_init (ShutAllocatorClass *klass)
{
  klass->free = shut_free;
}

static void
shut_allocator_init (ShutAllocator *self)
{
  self->mem_type = "shut";
  self->mem_map = refuse_map;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

/* Pixels in any memory are never mapped. */
TEST (test_never_mapped)
{
  GstHarness *h = gst_harness_new ("ccajson");
  GstAllocator *allocator = g_object_new (shut_allocator_get_type (), NULL);
  GstMemory *memory = g_new0 (GstMemory, 1);
  GstBuffer *buffer = analysed (4, 2);

  gst_harness_set_src_caps_str (h,
      "video/x-raw(memory:CUDAMemory),"
      "format=NV12,width=20,height=10,framerate=25/1");
  gst_memory_init (memory, 0, allocator, NULL, 300, 0, 0, 300);
  gst_buffer_replace_all_memory (buffer, memory);
  assert_line_of (h, buffer, G_MAXUINT);
  buffer = buffer_at (3);
  gst_buffer_replace_all_memory (buffer, NULL);
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  gst_object_unref (allocator);
  gst_harness_teardown (h);
}

/* --- caps, events and queries --------------------------------------------- */

static void
assert_caps (GstHarness *h, const gchar *expected)
{
  GstCaps *caps = gst_pad_get_current_caps (h->sinkpad);
  gchar *text = gst_caps_to_string (caps);

  assert_equals_string (text, expected);
  g_free (text);
  gst_clear_caps (&caps);
}

#define AT(rate) "application/x-json, framerate=(fraction)" rate

/* All memory and formats are accepted, also encoded ones. The caps of the output
 * have the frame rate alone and change with it. */
TEST (test_caps)
{
  static const gchar *caps[][2] = {
    {"video/x-raw,format=GRAY8,width=20,height=10,framerate=25/1", AT ("25/1")},
    {"video/x-raw,format=RGBA,width=99,height=10,framerate=25/1", NULL},
    {"video/x-raw(memory:CUDAMemory),format=NV12,width=40,height=30,"
     "framerate=25/1",
      NULL},
    {"video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12,width=40,"
     "height=30,framerate=30/1",
      AT ("30/1")},
    {"video/x-h264,framerate=30000/1001", AT ("30000/1001")},
    {"image/jpeg", "application/x-json"},
    {"video/x-raw,framerate=(string)7", NULL},
    {"video/x-raw,framerate=0/1", AT ("0/1")},
  };
  GstHarness *h = gst_harness_new ("ccajson");
  const gchar *now = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstEvent *event;

    gst_harness_set_src_caps_str (h, caps[i][0]);
    now = caps[i][1] ? caps[i][1] : now;
    assert_caps (h, now);
    event = pull_event (h, GST_EVENT_CAPS);
    fail_unless ((event != NULL) == (caps[i][1] != NULL), "%s", caps[i][0]);
    gst_clear_event (&event);
    assert_line_of (h, analysed (i, i), G_MAXUINT);
    fail_unless (pull_event (h, GST_EVENT_CAPS) == NULL);
  }
  gst_harness_teardown (h);
}

/* As from an application that names none. */
TEST (test_no_caps)
{
  GstHarness *h = gst_harness_new ("ccajson");

  gst_harness_push_event (h, gst_event_new_stream_start ("plain"));
  push_segment (h);
  assert_caps (h, "application/x-json");
  assert_line_of (h, analysed (2, 2), G_MAXUINT);
  gst_harness_teardown (h);
}

/* If downstream refuses the caps, the first frame returns not-negotiated. */
TEST (test_refused)
{
  GstHarness *h = gst_harness_new ("ccajson");
  GstCaps *caps = gst_caps_from_string (CAPS);

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_push_event (h, gst_event_new_stream_start ("bad"));
  gst_harness_push_event (h, gst_event_new_caps (caps));
  push_segment (h);
  assert_equals_int (gst_harness_push (h, analysed (1, 0)),
      GST_FLOW_NOT_NEGOTIATED);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}

/* Events of the stream pass in order, as do flushes. */
TEST (test_events)
{
  GstHarness *h = writer ("ccajson");
  GstSegment segment;
  const GstSegment *passed;
  GstEvent *event;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = GST_SECOND;
  assert_line_of (h, analysed (1, 0), G_MAXUINT);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  assert_equals_int (gst_harness_push (h, analysed (1, 0)), GST_FLOW_FLUSHING);
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  fail_unless ((event = pull_event (h, GST_EVENT_FLUSH_STOP)) != NULL);
  gst_event_unref (event);
  fail_unless ((event = pull_event (h, GST_EVENT_SEGMENT)) != NULL);
  gst_event_parse_segment (event, &passed);
  assert_equals_uint64 (passed->start, GST_SECOND);
  gst_event_unref (event);

  assert_line_of (h, analysed (1, GST_SECOND), G_MAXUINT);
  gst_harness_push_event (h, gst_event_new_gap (2 * GST_SECOND, 9));
  gst_harness_push_event (h,
      gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "street", NULL)));
  gst_harness_push_event (h, gst_event_new_eos ());
  fail_unless ((event = gst_harness_pull_event (h)) != NULL);
  assert_equals_int (GST_EVENT_TYPE (event), GST_EVENT_GAP);
  gst_event_unref (event);
  fail_unless ((event = gst_harness_pull_event (h)) != NULL);
  assert_equals_int (GST_EVENT_TYPE (event), GST_EVENT_TAG);
  gst_event_unref (event);
  fail_unless ((event = gst_harness_pull_event (h)) != NULL);
  assert_equals_int (GST_EVENT_TYPE (event), GST_EVENT_EOS);
  gst_event_unref (event);
  assert_equals_int (gst_harness_push (h, analysed (1, 0)), GST_FLOW_EOS);
  gst_harness_teardown (h);
}

/* The element supports any layout of pictures, so upstream copies none. The
 * allocation query is not forwarded. */
TEST (test_allocation)
{
  GstHarness *h = writer ("identity name=first ! ccajson");
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_harness_add_propose_allocation_meta (h,
      GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  fail_unless (gst_query_find_allocation_meta (query,
      GST_VIDEO_CROP_META_API_TYPE, NULL));
  assert_equals_int (gst_query_get_n_allocation_metas (query), 2);
  assert_equals_int (gst_query_get_n_allocation_pools (query), 0);
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}

/* Flow returns of downstream reach the source. */
TEST (test_flow)
{
  GstHarness *h = writer ("ccajson ! identity name=end eos-after=3");

  assert_line_of (h, analysed (1, 0), G_MAXUINT);
  assert_line_of (h, analysed (1, 1), G_MAXUINT);
  assert_equals_int (gst_harness_push (h, analysed (1, 2)), GST_FLOW_EOS);
  gst_harness_teardown (h);
}

/* It can be started again, with another rate, and keeps no text meanwhile. */
TEST (test_restart)
{
  GstHarness *h = writer ("ccajson");
  guint i;

  for (i = 1; i < 4; i++) {
    gchar *caps = g_strdup_printf ("video/x-raw,framerate=%u/1", i);
    gchar *expected = g_strdup_printf (AT ("%u/1"), i);

    gst_harness_set_src_caps_str (h, caps);
    assert_caps (h, expected);
    assert_line_of (h, analysed (200 * i, i), G_MAXUINT);
    assert_line_of (h, analysed (1, i), G_MAXUINT);
    gst_element_set_state (h->element, GST_STATE_NULL);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    g_free (caps);
    g_free (expected);
  }
  gst_harness_teardown (h);
}

SUITE ("ccajson");
