/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The results of cca: the metas that it attaches and the messages that it
 * posts. */

#include "util.h"

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccafeatures.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 65
#define HEIGHT 49

static Picture picture;
static GArray *expected;

static void
setup (void)
{
  picture = picture_new (WIDTH, HEIGHT, noise, 4);
  expected = expect (&picture, &default_look);
  fail_unless (expected->len > 8);
}

static void
teardown (void)
{
  picture_clear (&picture);
  g_array_unref (expected);
}

/* --- metas ------------------------------------------------------------------ */

static guint
n_metas (GstBuffer *buffer, GType api)
{
  return gst_buffer_get_n_meta (buffer, api);
}

/* Regions of interest are the first n components, and are of that type. */
static void
assert_regions (GstBuffer *buffer, guint n, const gchar *type)
{
  guint i;

  assert_equals_int (n_metas (buffer,
                         GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
      n);
  for (i = 0; i < n; i++) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_get_video_region_of_interest_meta_id (buffer, e->id);

    fail_unless (roi != NULL);
    assert_equals_string (g_quark_to_string (roi->roi_type), type);
    assert_equals_int (roi->x, e->x);
    assert_equals_int (roi->y, e->y);
    assert_equals_int (roi->w, e->width);
    assert_equals_int (roi->h, e->height);
  }
}

static void
assert_objects (GstBuffer *buffer, guint n, const gchar *type)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsODMtd object;
  guint i = 0;

  if (n == 0) {
    fail_unless (relations == NULL);
    return;
  }
  fail_unless (relations != NULL);
  while (gst_analytics_relation_meta_iterate (relations, &state,
      gst_analytics_od_mtd_get_mtd_type (), &object)) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);
    gint x, y, w, h;
    gfloat confidence;

    fail_unless (gst_analytics_od_mtd_get_location (&object, &x, &y, &w, &h,
        &confidence));
    assert_equals_int (x, e->x);
    assert_equals_int (y, e->y);
    assert_equals_int (w, e->width);
    assert_equals_int (h, e->height);
    assert_equals_string (g_quark_to_string (
                              gst_analytics_od_mtd_get_obj_type (&object)),
        type);
    i++;
  }
  assert_equals_int (i, n);
}

TEST (test_meta_types)
{
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  guint types;

  for (types = 0; types < 8; types++) {
    GstBuffer *buffer;

    if (types == 7) {
      gst_harness_teardown (h);
      h = harness_new ("cca object-type=spot", FORMAT, WIDTH, HEIGHT, NULL);
    }
    gst_harness_set (h, "cca", "meta-types", types, "max-objects",
        types == 7 ? 5 : 256, NULL);
    buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    assert_equals_int (n_metas (buffer, GST_CCA_META_API_TYPE), types & 1);
    /* max-objects does not limit the components themselves */
    if (types & 1)
      assert_components (gst_buffer_get_cca_meta (buffer), expected);
    assert_regions (buffer, types & 2 ? types == 7 ? 5 : expected->len : 0,
        types == 7 ? "spot" : "component");
    assert_objects (buffer, types & 4 ? types == 7 ? 5 : expected->len : 0,
        types == 7 ? "spot" : "component");
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* No components is a result too. */
TEST (test_nothing_found)
{
  Picture empty = picture_new (WIDTH, HEIGHT, nothing, 0);
  GstHarness *h = harness_new ("cca meta-types=cca+roi+analytics", FORMAT,
      WIDTH, HEIGHT, NULL);
  GstBuffer *buffer;
  GstCcaMeta *meta;

  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &empty, NULL));
  meta = gst_buffer_get_cca_meta (buffer);
  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_meta_get_n_components (meta), 0);
  assert_equals_int (gst_cca_meta_get_n_found (meta), 0);
  fail_if (gst_cca_meta_is_truncated (meta));
  g_array_set_size (expected, 0);
  assert_regions (buffer, 0, NULL);
  assert_objects (buffer, 0, NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&empty);
}

/* Each element attaches its own, in the order of the pipeline. */
TEST (test_two_elements)
{
  GstHarness *h = harness_new ("cca name=a threshold=200 ! cca name=b "
                               "connectivity=4",
      FORMAT, WIDTH, HEIGHT, NULL);
  Look look = default_look;
  GArray *found;
  GstBuffer *buffer;

  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  assert_equals_int (n_metas (buffer, GST_CCA_META_API_TYPE), 2);
  look.threshold = 200;
  found = expect (&picture, &look);
  assert_components (nth_meta (buffer, 0), found);
  assert_equals_int (gst_cca_meta_get_analysis (nth_meta (buffer, 0))
                         ->threshold,
      200);
  g_array_unref (found);
  look = default_look;
  look.connectivity = 4;
  found = expect (&picture, &look);
  assert_components (nth_meta (buffer, 1), found);
  assert_equals_int (gst_cca_meta_get_analysis (nth_meta (buffer, 1))
                         ->connectivity,
      4);
  g_array_unref (found);
  /* analysers share one relation meta */
  assert_equals_int (n_metas (buffer, GST_ANALYTICS_RELATION_META_API_TYPE), 1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Each element adds objects until the buffer has its own max-objects. */
TEST (test_two_elements_share_a_bound)
{
  static const struct
  {
    const gchar *description;
    guint n_objects, n_regions;
  } cases[] = {
    {"cca max-objects=5 ! cca max-objects=5", 5, 0},
    {"cca max-objects=5 ! cca max-objects=8 object-type=other", 8, 0},
    {"cca max-objects=8 ! cca max-objects=5", 8, 0},
    {"cca max-objects=5 meta-types=roi ! cca max-objects=7 meta-types=roi+"
     "analytics",
      7, 7},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h =
        harness_new (cases[i].description, FORMAT, WIDTH, HEIGHT, NULL);
    GstBuffer *buffer =
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));

    assert_equals_int (gst_analytics_relation_get_length (
                           gst_buffer_get_analytics_relation_meta (buffer)),
        cases[i].n_objects);
    assert_equals_int (n_metas (buffer,
                           GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
        cases[i].n_regions);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

/* Metas outlive the element. */
TEST (test_record_memory)
{
  GstHarness *h =
      harness_new ("cca meta-types=cca", FORMAT, WIDTH, HEIGHT, NULL);
  GstBuffer *kept[40];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kept); i++)
    kept[i] = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  gst_harness_teardown (h);
  for (i = 0; i < G_N_ELEMENTS (kept); i++) {
    assert_components (gst_buffer_get_cca_meta (kept[i]), expected);
    gst_buffer_unref (kept[i]);
  }
}

/* --- messages --------------------------------------------------------------- */

static void
assert_type (const GstStructure *s, const gchar *field, GType type)
{
  fail_unless (gst_structure_get_field_type (s, field) == type, "%s is a %s",
      field, g_type_name (gst_structure_get_field_type (s, field)));
}

static void
assert_uint (const GstStructure *s, const gchar *field, guint expected_value)
{
  guint value;

  assert_type (s, field, G_TYPE_UINT);
  fail_unless (gst_structure_get_uint (s, field, &value));
  fail_unless (value == expected_value, "%s is %u and not %u", field, value,
      expected_value);
}

static void
assert_uint64 (const GstStructure *s, const gchar *field,
    guint64 expected_value)
{
  guint64 value;

  assert_type (s, field, G_TYPE_UINT64);
  fail_unless (gst_structure_get_uint64 (s, field, &value));
  fail_unless (value == expected_value, "%s is %" G_GUINT64_FORMAT, field,
      value);
}

static void
assert_foreground (const GstStructure *s, const gchar *nick,
    gboolean warming_up)
{
  gboolean value;

  assert_type (s, "foreground", G_TYPE_STRING);
  assert_equals_string (gst_structure_get_string (s, "foreground"), nick);
  assert_type (s, "warming-up", G_TYPE_BOOLEAN);
  fail_unless (gst_structure_get_boolean (s, "warming-up", &value));
  assert_equals_int (value, warming_up);
}

static void
assert_message_components (const GstStructure *s, guint n)
{
  const GValue *array = gst_structure_get_value (s, "components");
  guint i;

  fail_unless (array != NULL && GST_VALUE_HOLDS_ARRAY (array));
  assert_equals_int (gst_value_array_get_size (array), n);
  for (i = 0; i < n; i++) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);
    const GValue *value = gst_value_array_get_value (array, i);
    GstStructure *wanted = gst_structure_new ("component", "id", G_TYPE_UINT,
        e->id, "x", G_TYPE_UINT, e->x, "y", G_TYPE_UINT, e->y, "width",
        G_TYPE_UINT, e->width, "height", G_TYPE_UINT, e->height, "area",
        G_TYPE_UINT64, e->area, "centroid-x", G_TYPE_DOUBLE, e->centroid_x,
        "centroid-y", G_TYPE_DOUBLE, e->centroid_y, NULL);

    fail_unless (GST_VALUE_HOLDS_STRUCTURE (value));
    fail_unless (gst_structure_is_equal (gst_value_get_structure (value),
                     wanted),
        "component %u: %" GST_PTR_FORMAT, i, gst_value_get_structure (value));
    gst_structure_free (wanted);
  }
}

static GstBuffer *
timed_frame (GstClockTime pts)
{
  GstBuffer *buffer = frame_new (FORMAT, &picture, NULL);

  GST_BUFFER_PTS (buffer) = pts;
  if (GST_CLOCK_TIME_IS_VALID (pts))
    GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Returns the message of a frame at that time, or NULL. */
static GstStructure *
posted (GstHarness *h, GstBus *bus, GstClockTime pts)
{
  gst_buffer_unref (gst_harness_push_and_pull (h, timed_frame (pts)));
  return pop_message (bus);
}

static void
assert_posted (GstHarness *h, GstBus *bus, guint ms, gboolean expected_any)
{
  GstStructure *s = posted (h, bus, ms * GST_MSECOND);

  fail_unless ((s != NULL) == expected_any, "the frame of %u ms", ms);
  g_clear_pointer (&s, gst_structure_free);
}

TEST (test_message)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca max-components=7 threshold=128", FORMAT,
      WIDTH, HEIGHT, &bus);
  GstSegment segment;
  GstStructure *s;
  gboolean truncated;

  /* none unless asked for */
  assert_posted (h, bus, 0, FALSE);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 10 * GST_SECOND;
  segment.time = 100 * GST_SECOND;
  segment.base = GST_SECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));

  /* also when nothing is attached */
  gst_harness_set (h, "cca", "post-messages", TRUE, "meta-types", 0, NULL);
  s = posted (h, bus, 12 * GST_SECOND);
  fail_unless (s != NULL);
  fail_unless (gst_structure_has_name (s, "cca"));
  assert_equals_int (gst_structure_n_fields (s), 18);
  assert_uint64 (s, "timestamp", 12 * GST_SECOND);
  assert_uint64 (s, "stream-time", 102 * GST_SECOND);
  assert_uint64 (s, "running-time", 3 * GST_SECOND);
  assert_uint64 (s, "duration", 40 * GST_MSECOND);
  assert_uint (s, "width", WIDTH);
  assert_uint (s, "height", HEIGHT);
  assert_uint (s, "depth", 8);
  assert_foreground (s, "threshold", FALSE);
  assert_uint (s, "threshold", 128);
  assert_uint (s, "threshold-high", 255);
  assert_uint (s, "n-found", expected->len);
  assert_uint (s, "n-components", 7);
  assert_uint (s, "n-listed", 7);
  assert_type (s, "truncated", G_TYPE_BOOLEAN);
  fail_unless (
      gst_structure_get_boolean (s, "truncated", &truncated) && truncated);
  assert_message_components (s, 7);
  gst_structure_free (s);
  fail_unless (pop_message (bus) == NULL);

  harness_free (h, bus);
}

/* Messages in a mode that compares frames. */
TEST (test_message_foreground)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true foreground=difference "
                               "frame-distance=2 min-contrast=7",
      FORMAT, WIDTH, HEIGHT, &bus);
  guint i;

  for (i = 0; i < 4; i++) {
    GstStructure *s = posted (h, bus, 0);

    fail_unless (s != NULL);
    assert_foreground (s, "difference", i < 2);
    assert_uint (s, "threshold", 7);
    assert_uint (s, "threshold-high", 65535);
    assert_uint (s, "n-found", 0);
    gst_structure_free (s);
  }
  harness_free (h, bus);
}

/* A message lists at most max-objects components, and n-listed counts them. */
TEST_LOOP (test_message_is_bounded, 0, 2)
{
  static const guint most[] = {1, 5, 4096, 6};
  const guint n = __i__ == 0 ? 6 : expected->len;
  gchar *text = g_strdup_printf ("cca post-messages=true max-components=%u", n);
  GstBus *bus;
  GstHarness *h = harness_new (text, FORMAT, WIDTH, HEIGHT, &bus);
  gboolean truncated;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (most); i++) {
    GstStructure *s;

    gst_harness_set (h, "cca", "max-objects", most[i], NULL);
    s = posted (h, bus, 0);
    fail_unless (s != NULL);
    assert_uint (s, "n-found", expected->len);
    assert_uint (s, "n-components", n);
    assert_uint (s, "n-listed", MIN (most[i], n));
    fail_unless (gst_structure_get_boolean (s, "truncated", &truncated));
    fail_unless (truncated == (__i__ == 0));
    assert_message_components (s, MIN (most[i], n));
    gst_structure_free (s);
  }
  harness_free (h, bus);
  g_free (text);
}

static guint
lit_ground (guint x, guint y, guint light)
{
  return 40 + noise (x / 4, y / 4, 1) / 2 + light;
}

/* Pushes a frame in that light. Returns whether the message of the frame says
 * that the light has changed. Sets shift to that of the message cca-light, or
 * to 0 if there is none. */
static gboolean
push_light (GstHarness *h, GstBus *bus, guint light, gint *shift)
{
  Picture lit = picture_new (WIDTH, HEIGHT, lit_ground, light);
  GstBuffer *buffer = frame_new (FORMAT, &lit, NULL);
  gboolean changed = FALSE;
  GstStructure *s;

  GST_BUFFER_PTS (buffer) = 0;
  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  picture_clear (&lit);
  *shift = 0;
  while ((s = pop_message (bus)) != NULL) {
    if (gst_structure_has_name (s, "cca-light")) {
      assert_equals_int (gst_structure_n_fields (s), 5);
      assert_uint64 (s, "timestamp", 0);
      assert_uint64 (s, "stream-time", 0);
      assert_uint64 (s, "running-time", 0);
      assert_uint (s, "depth", 8);
      fail_unless (gst_structure_get_int (s, "shift", shift));
    } else {
      fail_unless (gst_structure_has_name (s, "cca"));
      fail_unless (gst_structure_get_boolean (s, "light-changed", &changed));
      assert_uint (s, "n-found", 0);
    }
    gst_structure_free (s);
  }
  return changed;
}

/* A message cca-light is posted for a change after 50 frames without one. */
TEST (test_light_message)
{
  static const struct
  {
    guint light, n_frames;
    gboolean changed;
    gint shift;
  } lights[] = {{0, 2, FALSE, 0}, {30, 1, TRUE, 30}, {25, 2, TRUE, 0},
    {20, 50, TRUE, 0}, {10, 1, TRUE, 0}, {11, 50, FALSE, 0}, {40, 1, TRUE, 30}};
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true foreground=sigma-delta "
                               "light-compensation=tone absorb-after=1000",
      FORMAT, WIDTH, HEIGHT, &bus);
  GstStructure *stats;
  guint64 n;
  gint shift;
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (lights); i++)
    for (k = 0; k < lights[i].n_frames; k++) {
      const gboolean changed = push_light (h, bus, lights[i].light, &shift);

      fail_unless (changed == (lights[i].changed && k == 0), "light %u, %u", i,
          k);
      fail_unless (ABS (shift - (k == 0 ? lights[i].shift : 0)) <= 1,
          "light %u, %u: %d", i, k, shift);
    }
  gst_harness_get (h, "cca", "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "light-frames", &n));
  assert_equals_uint64 (n, 5);
  gst_structure_free (stats);

  /* a change without messages also begins a pause */
  for (k = 0; k < 50; k++)
    push_light (h, bus, 40, &shift);
  gst_harness_set (h, "cca", "post-messages", FALSE, NULL);
  push_light (h, bus, 0, &shift);
  assert_equals_int (shift, 0);
  gst_harness_set (h, "cca", "post-messages", TRUE, NULL);
  fail_unless (push_light (h, bus, 30, &shift));
  assert_equals_int (shift, 0);
  harness_free (h, bus);
}

/* The left columns are lighter, as many as seed. */
static guint
half_lit (guint x, guint y, guint seed)
{
  return lit_ground (x, y, x < seed ? 60 : 0);
}

typedef enum
{
  NONE,
  BEGIN,
  END
} Overload;

/* Pushes a frame with that many lighter columns. Returns whether the message of
 * the frame says that it is in overload. */
static gboolean
push_columns (GstHarness *h, GstBus *bus, guint n, Overload *message)
{
  Picture lit = picture_new (WIDTH, HEIGHT, half_lit, n);
  GstBuffer *buffer = frame_new (FORMAT, &lit, NULL);
  gboolean overload = FALSE, active;
  GstStructure *s;

  GST_BUFFER_PTS (buffer) = 0;
  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  picture_clear (&lit);
  *message = NONE;
  while ((s = pop_message (bus)) != NULL) {
    if (gst_structure_has_name (s, "cca-overload")) {
      assert_equals_int (gst_structure_n_fields (s), 6);
      assert_uint64 (s, "timestamp", 0);
      assert_uint64 (s, "stream-time", 0);
      assert_uint64 (s, "running-time", 0);
      assert_uint (s, "foreground-area", n * HEIGHT);
      assert_uint (s, "region-area", 40 * HEIGHT);
      fail_unless (gst_structure_get_boolean (s, "active", &active));
      *message = active ? BEGIN : END;
    } else {
      fail_unless (gst_structure_has_name (s, "cca"));
      fail_unless (gst_structure_get_boolean (s, "overload", &overload));
      assert_uint (s, "n-found", n > 0);
      assert_uint (s, "n-components", n > 0 && !overload);
    }
    gst_structure_free (s);
  }
  return overload;
}

/* A message cca-overload is posted for the first frame of an overload, and for
 * the first one after it. */
TEST (test_overload_message)
{
  static const struct
  {
    guint n;
    gboolean overload;
    Overload message;
  } frames[] = {
    {0, FALSE, NONE},
    {20, FALSE, NONE},
    {21, TRUE, BEGIN},
    {20, TRUE, NONE},
    {40, TRUE, NONE},
    {0, TRUE, NONE},
    {0, FALSE, END},
    {0, FALSE, NONE},
    {40, TRUE, BEGIN},
  };
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true foreground=sigma-delta "
                               "max-foreground=50 overload-frames=1 "
                               "roi-width=40 background-period=65535 warm-up=0",
      FORMAT, WIDTH, HEIGHT, &bus);
  GstStructure *stats;
  Overload message;
  guint64 n;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    const gboolean overload = push_columns (h, bus, frames[i].n, &message);

    fail_unless (overload == frames[i].overload, "frame %u", i);
    fail_unless (message == frames[i].message, "frame %u", i);
  }
  gst_harness_get (h, "cca", "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "overload-frames", &n));
  assert_equals_uint64 (n, 5);
  gst_structure_free (stats);

  gst_harness_set (h, "cca", "post-messages", FALSE, NULL);
  for (i = 0; i < 3; i++) {
    push_columns (h, bus, 0, &message);
    assert_equals_int (message, NONE);
  }
  harness_free (h, bus);
}

/* Without timestamps each frame is posted, with times of GST_CLOCK_TIME_NONE. */
TEST (test_message_without_time)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true "
                               "message-interval=1000000000",
      FORMAT, WIDTH, HEIGHT, &bus);
  guint i;

  for (i = 0; i < 3; i++) {
    GstStructure *s = posted (h, bus, GST_CLOCK_TIME_NONE);

    fail_unless (s != NULL);
    assert_uint64 (s, "timestamp", GST_CLOCK_TIME_NONE);
    assert_uint64 (s, "stream-time", GST_CLOCK_TIME_NONE);
    assert_uint64 (s, "running-time", GST_CLOCK_TIME_NONE);
    assert_uint64 (s, "duration", GST_CLOCK_TIME_NONE);
    gst_structure_free (s);
  }
  harness_free (h, bus);
}

TEST (test_message_interval)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true "
                               "message-interval=100000000",
      FORMAT, WIDTH, HEIGHT, &bus);
  guint i;

  for (i = 0; i < 20; i++)
    assert_posted (h, bus, 25 * i, i % 4 == 0);
  /* the first frame after a flush is reported again */
  for (i = 0; i < 2; i++) {
    push_flush (h);
    assert_posted (h, bus, 480, TRUE);
  }
  harness_free (h, bus);
}

static void
restart (GstHarness *h)
{
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps (h, frame_caps (FORMAT, WIDTH, HEIGHT));
  push_segment (h);
}

/* An element that starts again has neither an overload nor a message. */
TEST (test_messages_after_restart)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true foreground=sigma-delta "
                               "max-foreground=50 roi-width=40 warm-up=0",
      FORMAT, WIDTH, HEIGHT, &bus);
  Overload message;

  push_columns (h, bus, 0, &message);
  fail_unless (push_columns (h, bus, 21, &message));
  assert_equals_int (message, BEGIN);
  restart (h);
  fail_if (push_columns (h, bus, 0, &message));
  assert_equals_int (message, NONE);

  gst_util_set_object_arg (G_OBJECT (h->element), "foreground", "threshold");
  gst_harness_set (h, "cca", "message-interval", GST_SECOND, NULL);
  restart (h);
  assert_posted (h, bus, 0, TRUE);
  assert_posted (h, bus, 40, FALSE);
  restart (h);
  assert_posted (h, bus, 80, TRUE);
  harness_free (h, bus);
}

/* --- features --------------------------------------------------------------- */

static guint
is_foreground (gint x, gint y)
{
  return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT
      && picture.pixels[y * WIDTH + x] > default_look.threshold;
}

static void
add_features (GstCcaFeatures *sum, const GstCcaFeatures *f)
{
  sum->xx += f->xx;
  sum->xy += f->xy;
  sum->yy += f->yy;
  sum->v += f->v;
  sum->vv += f->vv;
  sum->vx += f->vx;
  sum->vy += f->vy;
  sum->v_min = MIN (sum->v_min, f->v_min);
  sum->v_max = MAX (sum->v_max, f->v_max);
  sum->e4 += f->e4;
  sum->q4 += f->q4;
  sum->w1 += f->w1;
}

/* The features of all components together, which are 8-connected. */
static GstCcaFeatures
features_of_picture (GstCcaFeatureFlags flags)
{
  const gboolean intensity = flags & GST_CCA_FEATURE_FLAG_INTENSITY;
  GstCcaFeatures sum = {
    .v_min = intensity ? G_MAXUINT : 0,
  };
  gint x, y;

  for (y = 0; y <= HEIGHT; y++)
    for (x = 0; x <= WIDTH; x++) {
      const guint here = is_foreground (x, y), left = is_foreground (x - 1, y);
      const guint above = is_foreground (x, y - 1);
      const guint n = here + left + above + is_foreground (x - 1, y - 1);
      const guint v = here ? picture.pixels[y * WIDTH + x] : 0;
      GstCcaFeatures f = {
        .v_min = sum.v_min,
      };

      if (flags & GST_CCA_FEATURE_FLAG_SHAPE) {
        f.e4 = (here && left) + (here && above);
        f.q4 = n == 4;
        f.w1 = n > 0;
      }
      if (here && flags & GST_CCA_FEATURE_FLAG_MOMENTS) {
        f.xx = x * x;
        f.xy = x * y;
        f.yy = y * y;
      }
      if (here && intensity) {
        f.v = f.v_min = f.v_max = v;
        f.vv = v * v;
        f.vx = v * x;
        f.vy = v * y;
      }
      add_features (&sum, &f);
    }
  return sum;
}

static void
assert_features (GstCcaMeta *meta, GstCcaFeatureFlags flags)
{
  const GstCcaFeatures wanted = features_of_picture (flags);
  GstCcaFeatures sum = {
    .v_min = wanted.v_min,
  };
  guint i, n, n_components;
  const GstCcaFeatures *f = gst_cca_meta_get_features (meta, &n);
  const GstCcaComponent *c = gst_cca_meta_get_components (meta, &n_components);

  assert_equals_int (gst_cca_meta_get_feature_flags (meta), flags);
  assert_equals_int (n, flags ? n_components : 0);
  for (i = 0; i < n; i++) {
    add_features (&sum, &f[i]);
    if (!(flags & GST_CCA_FEATURE_FLAG_INTENSITY))
      continue;
    fail_unless (f[i].v_max_x - c[i].x < c[i].width);
    fail_unless (f[i].v_max_y - c[i].y < c[i].height);
    assert_equals_int (picture.pixels[f[i].v_max_y * WIDTH + f[i].v_max_x],
        f[i].v_max);
  }
  if (n > 0)
    fail_unless (memcmp (&sum, &wanted, sizeof (sum)) == 0);
}

TEST (test_features)
{
  guint flags;

  for (flags = 0; flags < 8; flags++) {
    gchar *description = g_strdup_printf ("cca order=area features=%u", flags);
    GstHarness *h = harness_new (description, FORMAT, WIDTH, HEIGHT, NULL);
    GstBuffer *buffer =
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));

    assert_features (gst_buffer_get_cca_meta (buffer), flags);
    gst_buffer_unref (buffer);
    /* without metas, and without components */
    gst_harness_set (h, "cca", "meta-types", 0, "post-messages", TRUE, NULL);
    buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
    gst_buffer_unref (buffer);
    gst_harness_set (h, "cca", "meta-types", 1, "threshold", 255, NULL);
    buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    assert_equals_int (gst_cca_meta_get_feature_flags (
                           gst_buffer_get_cca_meta (buffer)),
        flags);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
    g_free (description);
  }
}

/* --- intervals -------------------------------------------------------------- */

/* A timestamp before the last one starts a new interval. */
TEST (test_message_interval_backwards)
{
  static const struct
  {
    guint ms;
    gboolean is_posted;
  } frames[] = {
    {100, TRUE},
    {200, FALSE},
    {300, FALSE},
    {50, TRUE},
    {60, FALSE},
    {10, TRUE},
  };
  GstBus *bus;
  GstHarness *h =
      harness_new ("cca post-messages=true", FORMAT, WIDTH, HEIGHT, &bus);
  guint i;

  gst_harness_set (h, "cca", "message-interval", G_MAXUINT64, NULL);
  for (i = 0; i < G_N_ELEMENTS (frames); i++)
    assert_posted (h, bus, frames[i].ms, frames[i].is_posted);
  harness_free (h, bus);
}

SUITE ("results", .setup = setup, .teardown = teardown);
