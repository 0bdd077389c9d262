/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Each property of cca, and that it has an effect. */

#include "util.h"

#include <gst/controller/controller.h>

#define FORMAT GST_VIDEO_FORMAT_GRAY8
#define WIDTH 97
#define HEIGHT 61

static GstHarness *h;
static Picture picture;

static void
setup (void)
{
  h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  picture = picture_new (WIDTH, HEIGHT, noise, 3);
}

static void
teardown (void)
{
  gst_harness_teardown (h);
  picture_clear (&picture);
}

TEST (test_defaults)
{
  guint threshold, high, depth, connectivity, order, types, objects, components;
  guint x, y, width, height, threads;
  guint64 min_area, max_area, interval;
  gboolean invert, post;
  gchar *type;
  GstElement *cca = gst_element_factory_make ("cca", NULL);

  g_object_get (cca, "threshold", &threshold, "threshold-high", &high,
      "threshold-depth", &depth, "connectivity", &connectivity, "order", &order,
      "meta-types", &types, "max-objects", &objects, "max-components",
      &components, "roi-x", &x, "roi-y", &y, "roi-width", &width, "roi-height",
      &height, "threads", &threads, "min-area", &min_area, "max-area",
      &max_area, "message-interval", &interval, "invert", &invert,
      "post-messages", &post, "object-type", &type, NULL);
  assert_equals_int (threshold, 128);
  assert_equals_int (high, 65535);
  assert_equals_int (depth, 8);
  assert_equals_int (connectivity, 8);
  assert_equals_int (order, 0);
  assert_equals_int (types, 1 | 4);
  assert_equals_int (objects, 256);
  assert_equals_int (components, 65536);
  assert_equals_int (x + y + width + height, 0);
  assert_equals_int (threads, 1);
  assert_equals_uint64 (min_area, 1);
  assert_equals_uint64 (max_area, G_MAXUINT64);
  assert_equals_uint64 (interval, 0);
  fail_if (invert || post);
  assert_equals_string (type, "component");
  g_free (type);
  gst_object_unref (cca);
}

static const gchar *const all_elements[] = {"cca", "ccatrack", "ccaactivity",
  "ccaexpand", "ccajson", "ccamask", "ccaoverlay"};

/* Each property has its default, in a new element. */
TEST_LOOP (test_all_defaults, 0, G_N_ELEMENTS (all_elements))
{
  GstElement *element = gst_element_factory_make (all_elements[__i__], NULL);
  GParamSpec **specs;
  guint n, i, n_read = 0;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
  for (i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!(specs[i]->flags & G_PARAM_READABLE)
        || specs[i]->owner_type == GST_TYPE_OBJECT
        || G_IS_PARAM_SPEC_BOXED (specs[i]))
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (G_OBJECT (element), specs[i]->name, &value);
    if (!G_IS_PARAM_SPEC_STRING (specs[i]))
      fail_unless (g_param_value_defaults (specs[i], &value), "%s of %s",
          specs[i]->name, all_elements[__i__]);
    g_value_unset (&value);
    n_read++;
  }
  fail_unless (n_read > 0);
  g_free (specs);
  gst_object_unref (element);
}

/* Bounds that users and applications may rely on, and the defaults. */
static const struct
{
  const gchar *element, *name;
  guint64 least, most, by_default;
} numbers[] = {
  {"cca", "group-distance", 0, 1000, 0},
  {"cca", "min-area", 0, G_MAXUINT64, 1},
  {"cca", "max-area", 0, G_MAXUINT64, G_MAXUINT64},
  {"cca", "min-width", 0, G_MAXUINT, 0},
  {"cca", "max-width", 0, G_MAXUINT, G_MAXUINT},
  {"cca", "min-height", 0, G_MAXUINT, 0},
  {"cca", "max-height", 0, G_MAXUINT, G_MAXUINT},
  {"cca", "min-aspect", 0, G_MAXUINT, 0},
  {"cca", "max-aspect", 0, G_MAXUINT, G_MAXUINT},
  {"cca", "min-extent", 0, 100, 0},
  {"cca", "min-peak", 0, 65535, 0},
  {"cca", "roi-x", 0, G_MAXINT, 0},
  {"cca", "roi-y", 0, G_MAXINT, 0},
  {"cca", "roi-width", 0, G_MAXINT, 0},
  {"cca", "roi-height", 0, G_MAXINT, 0},
  {"cca", "max-components", 1, G_MAXINT, 65536},
  {"cca", "max-objects", 1, 4096, 256},
  {"cca", "message-interval", 0, G_MAXUINT64, 0},
  {"cca", "async-depth", 0, 16, 0},
  {"cca", "threshold", 0, 65535, 128},
  {"cca", "threshold-high", 0, 65535, 65535},
  {"cca", "threshold-depth", 0, 16, 8},
  {"cca", "min-contrast", 1, 65535, 15},
  {"cca", "noise-factor", 1, 16, 2},
  {"cca", "background-period", 1, 65535, 4},
  {"cca", "warm-up", 0, 65535, 255},
  {"cca", "absorb-after", 0, 127 * 65535, 0},
  {"cca", "background-period-time", 0, G_MAXUINT, 0},
  {"cca", "warm-up-time", 0, G_MAXUINT, 0},
  {"cca", "absorb-after-time", 0, G_MAXUINT, 0},
  {"cca", "frame-distance", 1, 16, 3},
  {"cca", "max-foreground", 1, 100, 100},
  {"cca", "overload-frames", 0, 1000, 5},
  {"cca", "open-radius", 0, 7, 0},
  {"cca", "close-radius", 0, 15, 0},
  {"cca", "threads", 0, 256, 1},
  {"ccatrack", "unite", 0, 100, 0},
  {"ccatrack", "min-hits", 1, 1000, 3},
  {"ccatrack", "max-lost", 0, 100000, 15},
  {"ccatrack", "min-overlap", 0, 100, 0},
  {"ccatrack", "max-distance", 0, 1000, 100},
  {"ccatrack", "max-tracks", 1, 65536, 1024},
  {"ccatrack", "still-frames", 1, 100000, 25},
  {"ccatrack", "max-stopped", 0, G_MAXINT, 0},
  {"ccatrack", "max-objects", 1, 4096, 256},
  {"ccatrack", "line-margin", 0, 200, 20},
  {"ccatrack", "line-margin-min", 0, 1000, 3},
  {"ccatrack", "settle-frames", 1, 1000, 2},
  {"ccaactivity", "min-components", 0, G_MAXUINT, 1},
  {"ccaactivity", "max-components", 0, G_MAXUINT, G_MAXUINT},
  {"ccaactivity", "min-area", 0, G_MAXUINT64, 1},
  {"ccaactivity", "min-frames", 1, 100000, 2},
  {"ccaactivity", "max-gap", 0, G_MAXUINT64 - 1, 5 * GST_SECOND},
  {"ccaactivity", "max-duration", 0, G_MAXUINT64 - 1, 0},
  {"ccaactivity", "snapshot-interval", 0, G_MAXUINT64, GST_SECOND},
  {"ccaoverlay", "object-detection-outline-color", 0, G_MAXUINT, 0xffffd000},
  {"ccaoverlay", "line-width", 0, 1024, 0},
  {"ccaoverlay", "max-objects", 0, 65536, 1024},
  {"ccajson", "max-components", 0, G_MAXINT, 65536},
  {"ccaexpand", "max-objects", 1, 4096, 256},
};

static void
assert_range (const gchar *element, GParamSpec *pspec)
{
  guint64 least, most, by_default;
  guint i = 0;

  if (G_IS_PARAM_SPEC_UINT (pspec)) {
    least = G_PARAM_SPEC_UINT (pspec)->minimum;
    most = G_PARAM_SPEC_UINT (pspec)->maximum;
    by_default = G_PARAM_SPEC_UINT (pspec)->default_value;
  } else {
    least = G_PARAM_SPEC_UINT64 (pspec)->minimum;
    most = G_PARAM_SPEC_UINT64 (pspec)->maximum;
    by_default = G_PARAM_SPEC_UINT64 (pspec)->default_value;
  }
  while (!g_str_equal (numbers[i].element, element)
      || !g_str_equal (numbers[i].name, pspec->name))
    fail_unless (++i < G_N_ELEMENTS (numbers), "%s of %s", pspec->name,
        element);
  fail_unless (least == numbers[i].least && most == numbers[i].most
          && by_default == numbers[i].by_default,
      "%s of %s: %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
      ", default %" G_GUINT64_FORMAT,
      pspec->name, element, least, most, by_default);
}

TEST_LOOP (test_ranges, 0, G_N_ELEMENTS (all_elements))
{
  const gchar *name = all_elements[__i__];
  GstElement *element = gst_element_factory_make (name, NULL);
  GParamSpec **specs;
  guint n, i, n_checked = 0, n_numbers = 0;

  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
  for (i = 0; i < n; i++) {
    if (!G_IS_PARAM_SPEC_UINT (specs[i]) && !G_IS_PARAM_SPEC_UINT64 (specs[i]))
      continue;
    assert_range (name, specs[i]);
    n_checked++;
  }
  for (i = 0; i < G_N_ELEMENTS (numbers); i++)
    n_numbers += g_str_equal (numbers[i].element, name);
  assert_equals_int (n_checked, n_numbers);
  g_free (specs);
  gst_object_unref (element);
}

TEST (test_foreground_defaults)
{
  GstElement *cca = gst_element_factory_make ("cca", NULL);
  GstCcaForeground foreground;
  gboolean learning;
  gint light, action;

  g_object_get (cca, "foreground", &foreground, "learning", &learning, NULL);
  assert_equals_int (foreground, GST_CCA_FOREGROUND_THRESHOLD);
  fail_unless (learning);

  gst_util_set_object_arg (G_OBJECT (cca), "light-compensation", "tone");
  gst_util_set_object_arg (G_OBJECT (cca), "overload-action", "restart");
  g_object_get (cca, "light-compensation", &light, "overload-action", &action,
      NULL);
  assert_equals_int (light, 1);
  assert_equals_int (action, 1);

  gst_util_set_object_arg (G_OBJECT (cca), "foreground", "sigma-delta");
  g_object_get (cca, "foreground", &foreground, NULL);
  assert_equals_int (foreground, GST_CCA_FOREGROUND_SIGMA_DELTA);
  gst_object_unref (cca);
}

/* As gst-launch-1.0 has them. */
TEST (test_strings)
{
  GstElement *cca = gst_element_factory_make ("cca", NULL);
  guint connectivity, order, types;
  gchar *type;

  gst_util_set_object_arg (G_OBJECT (cca), "connectivity", "4");
  gst_util_set_object_arg (G_OBJECT (cca), "order", "area");
  gst_util_set_object_arg (G_OBJECT (cca), "meta-types", "roi+analytics");
  g_object_get (cca, "connectivity", &connectivity, "order", &order,
      "meta-types", &types, NULL);
  assert_equals_int (connectivity, 4);
  assert_equals_int (order, 1);
  assert_equals_int (types, 2 | 4);
  g_object_set (cca, "connectivity", 8, "object-type", "", NULL);
  g_object_get (cca, "connectivity", &connectivity, "object-type", &type, NULL);
  assert_equals_int (connectivity, 8);
  assert_equals_string (type, "component");
  g_free (type);
  gst_object_unref (cca);
}

TEST (test_thresholds)
{
  Look look = default_look;

  for (look.threshold = 0; look.threshold < 300; look.threshold += 37) {
    gst_harness_set (h, "cca", "threshold", look.threshold, NULL);
    look.threshold_high = 65535;
    gst_harness_set (h, "cca", "threshold-high", look.threshold_high, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
    look.threshold_high = 140;
    gst_harness_set (h, "cca", "threshold-high", look.threshold_high, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
    look.invert = !look.invert;
    gst_harness_set (h, "cca", "invert", look.invert, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
  }
}

TEST (test_connectivity)
{
  Look look = default_look;
  Picture checker = picture_new (WIDTH, HEIGHT, checkerboard, 0);

  gst_harness_set (h, "cca", "connectivity", 4, NULL);
  look.connectivity = 4;
  assert_analysis (h, FORMAT, &checker, &look);
  gst_harness_set (h, "cca", "connectivity", 8, NULL);
  look.connectivity = 8;
  assert_analysis (h, FORMAT, &checker, &look);
  picture_clear (&checker);
}

TEST (test_areas)
{
  static const guint64 areas[][2] = {
    {0, G_MAXUINT64},
    {30, G_MAXUINT64},
    {1, 50},
    {20, 60},
    {16, 16},
    {60, 20},
    {0, 0},
    {G_MAXUINT64, G_MAXUINT64},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (areas); i++) {
    Look look = default_look;

    look.min_area = areas[i][0];
    look.max_area = areas[i][1];
    gst_harness_set (h, "cca", "min-area", look.min_area, "max-area",
        look.max_area, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
  }
}

#define KEEPS(name, condition) \
  static gboolean name (const GstCcaComponent *c) \
  { \
    return condition; \
  }

/* *INDENT-OFF* */
KEEPS (keeps_wide, c->width >= 4)
KEEPS (keeps_narrow, c->width <= 4)
KEEPS (keeps_high, c->height >= 4)
KEEPS (keeps_low, c->height <= 4)
KEEPS (keeps_flat, 2 * c->width >= 3 * c->height)
KEEPS (keeps_steep, 3 * c->width <= 2 * c->height)
KEEPS (keeps_filled, 10 * c->area >= 8 * c->width * c->height)
KEEPS (keeps_inner,
    c->x > 0 && c->y > 0 && c->x + c->width < WIDTH
        && c->y + c->height < HEIGHT)
/* *INDENT-ON* */

TEST (test_limits)
{
  static const struct
  {
    const gchar *property, *value, *none;
    gboolean (*keeps) (const GstCcaComponent *c);
  } limits[] = {
    {"min-width", "4", "0", keeps_wide},
    {"max-width", "4", "4294967295", keeps_narrow},
    {"min-height", "4", "0", keeps_high},
    {"max-height", "4", "4294967295", keeps_low},
    {"min-aspect", "150", "0", keeps_flat},
    {"max-aspect", "66", "4294967295", keeps_steep},
    {"min-extent", "80", "0", keeps_filled},
    {"exclude-border", "true", "false", keeps_inner},
  };
  GstElement *cca = gst_harness_find_element (h, "cca");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (limits); i++) {
    Look look = default_look;

    assert_analysis (h, FORMAT, &picture, &look);
    look.keeps = limits[i].keeps;
    gst_util_set_object_arg (G_OBJECT (cca), limits[i].property,
        limits[i].value);
    assert_analysis (h, FORMAT, &picture, &look);
    gst_util_set_object_arg (G_OBJECT (cca), limits[i].property,
        limits[i].none);
  }
  gst_object_unref (cca);
}

/* Blobs of five columns, each one brighter than the last; those from x on have 134 + x. */
static guint
steps (guint x, guint y, guint seed)
{
  return x % 10 < 5 && y % 10 < 5 ? 130 + x : 0;
}

static guint
dark_steps (guint x, guint y, guint seed)
{
  return 255 - steps (x, y, seed);
}

/* *INDENT-OFF* */
KEEPS (keeps_bright, c->x >= 30)
KEEPS (keeps_none, FALSE)
/* *INDENT-ON* */

/* In 8-bit code values of the brightest pixel, or of the darkest one in the negative. */
TEST (test_peak)
{
  static const GstVideoFormat depths[] = {
    GST_VIDEO_FORMAT_GRAY8,
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
    GST_VIDEO_FORMAT_I420_10LE,
#endif
  };
  guint i;

  for (i = 0; i < 2 * G_N_ELEMENTS (depths); i++) {
    const GstVideoFormat format = depths[i / 2];
    GstHarness *cca = harness_new ("cca", format, WIDTH, HEIGHT, NULL);
    Picture blobs = picture_new (WIDTH, HEIGHT, i % 2 ? dark_steps : steps, 0);
    Look look = default_look;

    picture_deepen (&blobs, format);
    look.invert = i % 2;
    look.threshold = i % 2 ? 126 : 128;
    gst_harness_set (cca, "cca", "invert", look.invert, "threshold",
        look.threshold, NULL);
    look.threshold = format_threshold (format, look.threshold);
    assert_analysis (cca, format, &blobs, &look);
    look.keeps = keeps_bright;
    gst_harness_set (cca, "cca", "min-peak", 164, NULL);
    assert_analysis (cca, format, &blobs, &look);
    look.keeps = keeps_none;
    gst_harness_set (cca, "cca", "min-peak", 256, NULL);
    assert_analysis (cca, format, &blobs, &look);
    look.keeps = NULL;
    gst_harness_set (cca, "cca", "min-peak", 0, NULL);
    assert_analysis (cca, format, &blobs, &look);
    picture_clear (&blobs);
    gst_harness_teardown (cca);
  }
}

TEST (test_roi)
{
  static const guint rois[][4] = {
    {0, 0, 0, 0},
    {10, 0, 0, 0},
    {0, 10, 0, 0},
    {0, 0, 10, 0},
    {0, 0, 0, 10},
    {13, 7, 31, 19},
    {WIDTH - 1, HEIGHT - 1, 1, 1},
    {5, 5, WIDTH, HEIGHT},
    {WIDTH, 0, 0, 0},
    {0, HEIGHT, 5, 5},
    {G_MAXINT, G_MAXINT, 0, 0},
    {1, 1, G_MAXINT, G_MAXINT},
    {G_MAXINT, 0, G_MAXINT, 1},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rois); i++) {
    Look look = default_look;

    look.roi_x = rois[i][0];
    look.roi_y = rois[i][1];
    look.roi_width = rois[i][2];
    look.roi_height = rois[i][3];
    gst_harness_set (h, "cca", "roi-x", look.roi_x, "roi-y", look.roi_y,
        "roi-width", look.roi_width, "roi-height", look.roi_height, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
    /* pixels outside the region are not background, so invert does not turn them */
    look.invert = TRUE;
    gst_harness_set (h, "cca", "invert", TRUE, NULL);
    assert_analysis (h, FORMAT, &picture, &look);
    gst_harness_set (h, "cca", "invert", FALSE, NULL);
  }
}

static gint
larger_first (gconstpointer a, gconstpointer b)
{
  const GstCcaComponent *p = a, *q = b;

  if (p->area != q->area)
    return p->area > q->area ? -1 : 1;
  return p->id < q->id ? -1 : 1;
}

/* The first ten by order, of all the picture's components. */
TEST_LOOP (test_order_and_max_components, 0, 2)
{
  gboolean by_area = __i__;
  GArray *expected = expect (&picture, &default_look);
  guint n_found = expected->len;
  GstBuffer *buffer;
  GstCcaMeta *meta;

  fail_unless (n_found > 10);
  gst_harness_teardown (h);
  h = harness_new (by_area ? "cca max-components=10 order=area"
                           : "cca max-components=10",
      FORMAT, WIDTH, HEIGHT, NULL);
  if (by_area)
    g_array_sort (expected, larger_first);
  g_array_set_size (expected, 10);

  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  meta = gst_buffer_get_cca_meta (buffer);
  assert_components (meta, expected);
  assert_equals_int (gst_cca_meta_get_n_found (meta), n_found);
  fail_unless (gst_cca_meta_is_truncated (meta));
  gst_buffer_unref (buffer);
  g_array_unref (expected);
}

TEST_LOOP (test_threads, 0, 9)
{
  gchar *description = g_strdup_printf ("cca threads=%d", __i__);

  gst_harness_teardown (h);
  h = harness_new (description, FORMAT, WIDTH, HEIGHT, NULL);
  assert_analysis (h, FORMAT, &picture, &default_look);
  g_free (description);
}

TEST (test_stats)
{
  GstStructure *stats;
  GstElement *cca;
  guint64 frames, truncated, mean, max, background;
  guint found, components, i;
  GArray *expected = expect (&picture, &default_look);

  gst_harness_teardown (h);
  h = harness_new ("cca name=c max-components=3", FORMAT, WIDTH, HEIGHT, NULL);
  cca = gst_harness_find_element (h, "cca");
  for (i = 0; i < 5; i++) {
    gst_harness_set (h, "cca", "threshold", i < 2 ? 128 : 255, NULL);
    gst_buffer_unref (
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL)));
    g_object_get (cca, "stats", &stats, NULL);
    fail_unless (gst_structure_has_name (stats, "cca-stats"));
    fail_unless (gst_structure_get (stats, "frames", G_TYPE_UINT64, &frames,
        "truncated-frames", G_TYPE_UINT64, &truncated, "n-found", G_TYPE_UINT,
        &found, "n-components", G_TYPE_UINT, &components, "mean-time",
        G_TYPE_UINT64, &mean, "max-time", G_TYPE_UINT64, &max,
        "background-frames", G_TYPE_UINT64, &background, NULL));
    assert_equals_uint64 (background, 0);
    gst_structure_free (stats);
    assert_equals_uint64 (frames, i + 1);
    assert_equals_uint64 (truncated, MIN (i + 1, 2));
    assert_equals_int (found, i < 2 ? expected->len : 0);
    assert_equals_int (components, i < 2 ? 3 : 0);
    fail_unless (mean > 0 && mean <= max && max < 10 * GST_SECOND);
  }
  /* the counts restart when the element is started again */
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  g_object_get (cca, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "frames", &frames));
  assert_equals_uint64 (frames, 0);
  gst_structure_free (stats);
  gst_object_unref (cca);
  g_array_unref (expected);
}

/* threshold follows a control source over stream time, which is not that of the
 * buffers where the segment begins later. */
TEST_LOOP (test_controller, 0, 2)
{
  const GstClockTime begin = __i__ * 7 * GST_SECOND;
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstElement *cca = gst_harness_find_element (h, "cca");
  GstSegment segment;
  guint i;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = begin;
  segment.base = begin / 2;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (cca),
      gst_direct_control_binding_new_absolute (GST_OBJECT (cca), "threshold",
          source)));
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      0, 0.0);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      10 * GST_SECOND, 200.0);

  for (i = 0; i <= 10; i++) {
    GstBuffer *buffer = frame_new (FORMAT, &picture, NULL);
    GArray *expected;
    Look look = default_look;

    look.threshold = 20 * i;
    expected = expect (&picture, &look);
    GST_BUFFER_PTS (buffer) = begin + i * GST_SECOND;
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    gst_buffer_unref (buffer);
    g_array_unref (expected);
  }
  gst_object_unref (source);
  gst_object_unref (cca);
}

/* Properties may be changed in PLAYING exactly if they say so. */
TEST (test_flags)
{
  static const gchar *const controllable[] = {
    "threshold",
    "threshold-high",
    "threshold-depth",
    "invert",
    "connectivity",
    "min-area",
    "max-area",
    "min-width",
    "max-width",
    "min-height",
    "max-height",
    "min-aspect",
    "max-aspect",
    "min-extent",
    "min-peak",
    "exclude-border",
    "roi-x",
    "roi-y",
    "roi-width",
    "roi-height",
    "min-contrast",
    "learning",
    "open-radius",
    "close-radius",
  };
  static const gchar *const playing[] = {
    "order",
    "meta-types",
    "max-objects",
    "post-messages",
    "message-interval",
    "foreground",
    "noise-factor",
    "background-period",
    "warm-up",
    "absorb-after",
    "background-period-time",
    "warm-up-time",
    "absorb-after-time",
    "light-compensation",
    "max-foreground",
    "overload-frames",
    "overload-action",
    "regions",
    "mask",
    "mask-location",
  };
  static const gchar *const ready[] = {
    "max-components",
    "features",
    "object-type",
    "threads",
    "frame-distance",
    "async-depth",
    "background-location",
  };
  GstElement *cca = gst_element_factory_make ("cca", NULL);
  GObjectClass *klass = G_OBJECT_GET_CLASS (cca);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (controllable); i++) {
    guint flags = g_object_class_find_property (klass, controllable[i])->flags;

    fail_unless (flags & GST_PARAM_CONTROLLABLE);
    fail_unless (flags & GST_PARAM_MUTABLE_PLAYING);
  }
  for (i = 0; i < G_N_ELEMENTS (playing); i++) {
    guint flags = g_object_class_find_property (klass, playing[i])->flags;

    fail_unless (flags & GST_PARAM_MUTABLE_PLAYING);
    fail_if (flags & GST_PARAM_CONTROLLABLE);
  }
  for (i = 0; i < G_N_ELEMENTS (ready); i++) {
    guint flags = g_object_class_find_property (klass, ready[i])->flags;

    fail_unless (flags & GST_PARAM_MUTABLE_READY);
    fail_if (flags & (GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE));
  }
  gst_object_unref (cca);
}

/* Sets a property with a string; whether it has that value then. */
static gboolean
takes (GstElement *element, const gchar *name, const gchar *string)
{
  GValue value = G_VALUE_INIT;
  gboolean same;
  gchar *is;

  gst_util_set_object_arg (G_OBJECT (element), name, string);
  g_object_get_property (G_OBJECT (element), name, &value);
  is = G_VALUE_HOLDS_STRING (&value)
      ? g_value_dup_string (&value)
      : gst_value_serialize (&value);
  same = g_strcmp0 (is, string) == 0;
  g_free (is);
  g_value_unset (&value);
  return same;
}

/* Properties that apply when the element starts keep their value until it stops,
 * and to set one meanwhile logs a warning. */
TEST (test_set_while_running)
{
  static const gchar *const properties[][3] = {
    {"cca", "max-components", "3"},
    {"cca", "threads", "2"},
    {"cca", "frame-distance", "4"},
    {"cca", "object-type", "car"},
    {"cca", "background-location", "none"},
    {"ccaexpand", "object-type", "car"},
    {"ccatrack", "object-type", "car"},
  };
  static const GstState states[] = {
    GST_STATE_READY,
    GST_STATE_PAUSED,
    GST_STATE_PLAYING,
    GST_STATE_PAUSED,
    GST_STATE_READY,
    GST_STATE_PLAYING,
    GST_STATE_NULL,
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (properties); i++) {
    GstElement *element = gst_element_factory_make (properties[i][0], "e");
    const gchar *name = properties[i][1], *string = properties[i][2];

    for (j = 0; j < G_N_ELEMENTS (states); j++) {
      assert_equals_int (gst_element_set_state (element, states[j]),
          GST_STATE_CHANGE_SUCCESS);
      if (states[j] <= GST_STATE_READY) {
        fail_unless (takes (element, name, string));
        fail_unless (takes (element, name, "1"));
      } else {
        gchar *warning = g_strdup_printf ("*%s* of e *NULL or READY*", name);

        g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING, warning);
        fail_if (takes (element, name, string));
        g_test_assert_expected_messages ();
        g_free (warning);
      }
    }
    gst_object_unref (element);
  }
}

/* Quarks are never freed, so setting a property makes none. */
TEST (test_object_types_are_not_kept)
{
  static const gchar *const names[] = {"cca", "ccaexpand", "ccatrack"};
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);

    for (j = 0; j < 100; j++) {
      gchar *type = g_strdup_printf ("%s-%u", names[i], j);

      fail_unless (takes (element, "object-type", type));
      assert_equals_int (g_quark_try_string (type), 0);
      if (j == 99) {
        gst_element_set_state (element, GST_STATE_PAUSED);
        fail_unless (g_quark_try_string (type) != 0);
        gst_element_set_state (element, GST_STATE_NULL);
      }
      g_free (type);
    }
    gst_object_unref (element);
  }
}

TEST (test_unknown_property)
{
  assert_unknown_property ("cca", "max-objects");
  assert_unknown_property ("ccaactivity", "min-area");
  assert_unknown_property ("ccaexpand", "max-objects");
  assert_unknown_property ("ccajson", "max-components");
  assert_unknown_property ("ccamask", "mode");
  assert_unknown_property ("ccaoverlay", "max-objects");
  assert_unknown_property ("ccatrack", "max-objects");
}

SUITE ("properties", .setup = setup, .teardown = teardown);
