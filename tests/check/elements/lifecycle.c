/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Caps changes, events, states, threads and allocation. */

#include "util.h"

#define FORMAT GST_VIDEO_FORMAT_NV12

static guint
n_cycles (guint n)
{
  /* fewer where each one is slow */
  return g_getenv ("CCA_TEST_SLOW") ? n / 10 : n;
}

/* Caps change with every buffer: larger and smaller sizes, other formats. */
TEST (test_caps_changes)
{
  static const guint sizes[][2] = {
    {64, 48},
    {1, 1},
    {640, 360},
    {3, 200},
    {200, 3},
    {1, 1},
    {129, 65},
  };
  GstHarness *h = gst_harness_new_parse ("cca threshold-depth=0");
  guint i;

  for (i = 0; i < 200; i++) {
    const guint *size = sizes[i % G_N_ELEMENTS (sizes)];
    GstVideoFormat format = formats[i % n_formats];
    Picture picture = picture_new (size[0], size[1], noise, i);

    gst_harness_set_src_caps (h, frame_caps (format, size[0], size[1]));
    assert_analysis (h, format, &picture, &default_look);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
}

TEST (test_flush_and_seek)
{
  GstHarness *h = harness_new ("cca", FORMAT, 65, 33, NULL);
  Picture picture = picture_new (65, 33, noise, 5);
  GstSegment segment;
  guint i;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (i = 0; i < 20; i++) {
    assert_analysis (h, FORMAT, &picture, &default_look);
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    assert_equals_int (gst_harness_push (h, frame_new (FORMAT, &picture, NULL)),
        GST_FLOW_FLUSHING);
    fail_unless (
        gst_harness_push_event (h, gst_event_new_flush_stop (i % 2 == 0)));
    segment.start = segment.time = i * GST_SECOND;
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
    assert_analysis (h, FORMAT, &picture, &default_look);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* Raw video from a file has a segment in bytes, hence no stream time for the
 * controller or messages. */
TEST (test_bytes_segment)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca post-messages=true", FORMAT, 65, 33, &bus);
  Picture picture = picture_new (65, 33, noise, 5);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  assert_analysis (h, FORMAT, &picture, &default_look);
  harness_free (h, bus);
  picture_clear (&picture);
}

static void
run_to_eos (const gchar *description, guint seeks)
{
  GstElement *pipeline = gst_parse_launch (description, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND);
  while (seeks-- > 0) {
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
        GST_SEEK_FLAG_FLUSH, seeks * 100 * GST_MSECOND));
    gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  assert_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

TEST (test_pipelines)
{
  run_to_eos ("videotestsrc num-buffers=10 ! cca ! fakesink", 0);
  run_to_eos ("videotestsrc num-buffers=20 ! cca ! ccaexpand ! "
              "fakesink sync=false",
      8);
  run_to_eos ("videotestsrc num-buffers=10 ! tee name=t ! queue ! cca ! "
              "fakesink t. ! queue ! cca invert=true ! fakesink",
      0);
}

TEST (test_eos_before_data)
{
  GstHarness *h = gst_harness_new ("cca");

  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  gst_harness_teardown (h);

  h = harness_new ("cca", FORMAT, 64, 48, NULL);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  assert_equals_int (gst_harness_push (h, gst_buffer_new ()), GST_FLOW_EOS);
  gst_harness_teardown (h);
}

/* A buffer before any caps. */
TEST (test_not_negotiated)
{
  GstHarness *h = gst_harness_new ("cca");

  push_segment (h);
  assert_equals_int (gst_harness_push (h,
                         gst_buffer_new_allocate (NULL, 64, NULL)),
      GST_FLOW_NOT_NEGOTIATED);
  gst_harness_teardown (h);
}

/* The base class sets caps if an allocation query arrives while the element
 * stops. */
TEST (test_caps_after_stop)
{
  GstElement *element = gst_element_factory_make ("cca", NULL);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
  GstCaps *caps = frame_caps (FORMAT, 64, 48);
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (element, bus);
  gst_element_set_state (element, GST_STATE_PAUSED);
  gst_element_set_state (element, GST_STATE_READY);
  fail_if (GST_BASE_TRANSFORM_GET_CLASS (trans)->set_caps (trans, caps, caps));
  assert_no_error (bus);
  gst_element_set_bus (element, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_caps_unref (caps);
  gst_object_unref (element);
  gst_object_unref (bus);
}

TEST (test_state_cycles)
{
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc ! "
      "video/x-raw,width=64,height=48 ! cca threads=2 ! fakesink",
      NULL);
  guint i;

  for (i = 0; i < n_cycles (1000); i++) {
    fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING)
        != GST_STATE_CHANGE_FAILURE);
    if (i % 3 == 0)
      gst_element_get_state (pipeline, NULL, NULL, 10 * GST_SECOND);
    fail_unless (gst_element_set_state (pipeline, GST_STATE_NULL)
        == GST_STATE_CHANGE_SUCCESS);
  }
  gst_object_unref (pipeline);
}

/* The element restarts with other settings that determine its memory. */
TEST (test_restart)
{
  Picture picture = picture_new (65, 33, noise, 5);
  GArray *expected = expect (&picture, &default_look);
  GstHarness *h = harness_new ("cca max-components=2", FORMAT, 65, 33, NULL);
  GstBuffer *buffer;

  fail_unless (expected->len > 4);
  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  assert_equals_int (gst_cca_meta_get_n_components (
                         gst_buffer_get_cca_meta (buffer)),
      2);
  gst_buffer_unref (buffer);
  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_harness_set (h, "cca", "max-components", 4, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps (h, frame_caps (FORMAT, 65, 33));
  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  assert_equals_int (gst_cca_meta_get_n_components (
                         gst_buffer_get_cca_meta (buffer)),
      4);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  g_array_unref (expected);
  picture_clear (&picture);
}

/* Objects have the type that was set when the element started last. */
TEST_LOOP (test_restart_with_type, 0, 3)
{
  static const struct
  {
    const gchar *element, *description;
  } cases[] = {
    {"cca", "cca meta-types=roi"},
    {"ccaexpand", "cca meta-types=cca ! ccaexpand meta-types=roi"},
    {"ccatrack", "cca meta-types=cca ! ccatrack min-hits=1 meta-types=cca+roi"},
  };
  static const gchar *const types[] = {"car", "bus"};
  Picture picture = picture_new (65, 33, noise, 5);
  GstHarness *h = harness_new (cases[__i__].description, FORMAT, 65, 33, NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++) {
    GstBuffer *buffer;
    GstMeta *meta;

    gst_element_set_state (h->element, GST_STATE_NULL);
    gst_harness_set (h, cases[__i__].element, "object-type", types[i], NULL);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    gst_harness_set_src_caps (h, frame_caps (FORMAT, 65, 33));
    buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    meta = gst_buffer_get_meta (buffer,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (meta != NULL);
    assert_equals_string (g_quark_to_string (
                              ((GstVideoRegionOfInterestMeta *) meta)
                                  ->roi_type),
        types[i]);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

static void
assert_n_components (GstHarness *h, const Picture *picture, guint n)
{
  GstBuffer *buffer =
      gst_harness_push_and_pull (h, frame_new (FORMAT, picture, NULL));

  assert_equals_int (gst_cca_meta_get_n_components (
                         gst_buffer_get_cca_meta (buffer)),
      n);
  gst_buffer_unref (buffer);
}

/* A value that is set in PLAYING takes effect at the next start, not with new
 * caps. */
TEST (test_max_components_stays)
{
  Picture picture = picture_new (65, 33, noise, 5);
  GstHarness *h = harness_new ("cca max-components=3", FORMAT, 65, 33, NULL);
  static const guint later[] = {1, 4};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (later); i++) {
    assert_n_components (h, &picture, 3);
    gst_harness_set (h, "cca", "max-components", later[i], NULL);
    assert_n_components (h, &picture, 3);
    gst_harness_set_src_caps (h, frame_caps (FORMAT, 66, 34));
    gst_harness_set_src_caps (h, frame_caps (FORMAT, 65, 33));
    assert_n_components (h, &picture, 3);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* An allocation query makes the base class set caps, with the stream lock. */
TEST (test_start_and_stop_wait)
{
  static const gchar *const elements[] = {"cca", "ccatrack", "ccaoverlay"};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElement *element = gst_element_factory_make (elements[i], NULL);
    GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
    GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);

    if (klass->start != NULL)
      assert_waits_for_stream (trans, klass->start);
    assert_waits_for_stream (trans, klass->stop);
    gst_object_unref (element);
  }
}

static gint running;

static gpointer
change_properties (gpointer element)
{
  guint i = 0;

  while (g_atomic_int_get (&running)) {
    GstStructure *stats;
    gchar *type;

    i++;
    /* the picture has two levels: any mixture of old and new is one of them */
    g_object_set (element, "threshold", i % 2 ? 50 : 150, "order", i % 2,
        "connectivity", i % 2 ? 4 : 8, "meta-types", i % 7 | 1, "max-objects",
        1 + i % 5, "post-messages", i % 2, "min-area", (guint64) 1, NULL);
    g_object_get (element, "stats", &stats, "object-type", &type, NULL);
    gst_structure_free (stats);
    g_free (type);
  }
  return NULL;
}

static guint
two_levels (guint x, guint y, guint seed)
{
  if (x < 10 && y < 10)
    return 200;
  return x > 20 && y > 20 ? 100 : 0;
}

/* Each frame is analysed with one state of the properties, never with a
 * mixture of several. */
TEST (test_property_changes)
{
  Picture picture = picture_new (64, 48, two_levels, 0);
  GstBus *bus;
  GstHarness *h = harness_new ("cca", FORMAT, 64, 48, &bus);
  GstElement *cca = gst_harness_find_element (h, "cca");
  guint seen[2] = {0, 0}, i;
  GThread *thread;

  gst_bus_set_flushing (bus, TRUE);
  g_atomic_int_set (&running, TRUE);
  thread = g_thread_new ("properties", change_properties, cca);
  for (i = 0; i < n_cycles (5000) || (i < 1000000 && !(seen[0] && seen[1]));
      i++) {
    GstBuffer *buffer =
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    guint threshold = gst_cca_meta_get_analysis (meta)->threshold;

    /* before the other thread's first change it is the default */
    assert_equals_int (gst_cca_meta_get_n_components (meta),
        threshold == 50 ? 2 : 1);
    seen[threshold == 50]++;
    gst_buffer_unref (buffer);
  }
  fail_unless (seen[0] && seen[1]);
  g_atomic_int_set (&running, FALSE);
  g_thread_join (thread);
  gst_object_unref (cca);
  harness_free (h, bus);
  picture_clear (&picture);
}

static GstPadProbeReturn
answer_allocation (GstPad *pad, GstPadProbeInfo *info, gpointer metas)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, 4711, 5, 9);
  if (metas != NULL) {
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  }
  return GST_PAD_PROBE_HANDLED;
}

/* Buffers pass through, so the peer decides which metas they may have. */
TEST_LOOP (test_allocation, 0, 2)
{
  gboolean metas = __i__;
  GstHarness *h = harness_new ("cca", FORMAT, 64, 48, NULL);
  GstCaps *caps = frame_caps (FORMAT, 64, 48);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  guint size, min, max;

  gst_pad_add_probe (h->sinkpad,
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH,
      answer_allocation, GINT_TO_POINTER (metas), NULL);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL)
      == metas);
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL)
      == metas);
  assert_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, &max);
  assert_equals_int (size, 4711);
  assert_equals_int (min, 5);
  assert_equals_int (max, 9);
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}

/* One warning of truncation for each caps and segment, not for each frame. The
 * same holds for components beyond max-objects. */
TEST_LOOP (test_truncation_warning, 0, 2)
{
  static const gchar *const elements[] = {
    "cca max-components=1",
    "cca max-objects=1",
  };
  Picture picture = picture_new (65, 33, noise, 5);
  GstHarness *h = harness_new (elements[__i__], FORMAT, 65, 33, NULL);
  guint i;

  warnings_begin ("cca");
  for (i = 0; i < 30; i++) {
    if (i == 10) {
      GstCaps *caps = frame_caps (GST_VIDEO_FORMAT_NV21, 65, 33);

      gst_harness_push_event (h, gst_event_new_caps (caps));
      gst_caps_unref (caps);
    } else if (i == 20) {
      push_segment (h);
    }
    gst_buffer_unref (
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL)));
    assert_equals_int (warnings_seen (), 1 + i / 10);
  }
  warnings_end ();
  gst_harness_teardown (h);
  picture_clear (&picture);
}

SUITE ("lifecycle", .timeout = 240);
