/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The meta after copies, transforms and stock elements. */

#include <glib/gstdio.h>

#include "metatest.h"

TEST (test_buffer_copies)
{
  GstBuffer *buffer = test_frame (GST_VIDEO_FORMAT_GRAY8), *copy;
  GstCcaMeta *meta;

  test_add_meta (buffer, 50, 60);

  copy = gst_buffer_copy (buffer);
  test_check_meta (gst_buffer_get_cca_meta (copy), 50, 60);
  gst_buffer_unref (copy);

  copy = gst_buffer_copy_deep (buffer);
  test_check_meta (gst_buffer_get_cca_meta (copy), 50, 60);
  gst_buffer_unref (copy);

  /* shared: a writable one is a new buffer */
  gst_buffer_ref (buffer);
  copy = gst_buffer_make_writable (buffer);
  fail_unless (copy != buffer);
  test_check_meta (gst_buffer_get_cca_meta (copy), 50, 60);
  gst_buffer_unref (copy);

  /* a part of the bytes still belongs to the whole picture */
  copy = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, TEST_WIDTH,
      10 * TEST_WIDTH);
  assert_equals_int (gst_buffer_get_size (copy), 10 * TEST_WIDTH);
  test_check_meta (gst_buffer_get_cca_meta (copy), 50, 60);
  gst_buffer_unref (copy);

  /* copies share the shapes; their events are their own */
  meta = gst_buffer_get_cca_meta (buffer);
  test_add_notes (meta);
  copy = gst_buffer_copy (buffer);
  test_check_notes (gst_buffer_get_cca_meta (copy), meta);
  fail_unless (gst_cca_meta_get_shapes (gst_buffer_get_cca_meta (copy))
      == gst_cca_meta_get_shapes (meta));
  gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (copy), NULL, NULL);
  fail_unless (gst_cca_meta_add_event (gst_buffer_get_cca_meta (copy),
      gst_cca_meta_get_event (meta, 0)));
  assert_equals_int (gst_cca_meta_get_n_events (meta), 2);
  fail_unless (gst_cca_meta_get_shapes (meta) != NULL);
  gst_buffer_unref (copy);

  copy = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 0, -1);
  fail_unless (gst_buffer_get_cca_meta (copy) == NULL);
  gst_buffer_unref (copy);

  gst_buffer_unref (buffer);
}

TEST (test_transform_types)
{
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = GST_META_CAST (test_add_meta (buffer, 5, 5));
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = {.in_info = &in, .out_info = &out};
  GstCcaComponent c, want;

  test_add_notes ((GstCcaMeta *) meta);
  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, TEST_WIDTH,
      TEST_HEIGHT);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_NV12, 320, 240);

  fail_if (meta->info->transform_func (dest, meta, buffer,
      g_quark_from_static_string ("no-such-transform"), &scale));
  fail_unless (gst_buffer_get_cca_meta (dest) == NULL);

  /* lossless: scaling down and up again gives the records back */
  fail_unless (meta->info->transform_func (dest, meta, buffer,
      gst_video_meta_transform_scale_get_quark (), &scale));
  test_check_meta (gst_buffer_get_cca_meta (dest), 5, 5);
  test_check_notes (gst_buffer_get_cca_meta (dest), (GstCcaMeta *) meta);
  fail_unless (
      gst_cca_meta_get_component_scaled (gst_buffer_get_cca_meta (dest), 4,
          TEST_WIDTH, TEST_HEIGHT, &c));
  want = test_component (4);
  fail_unless (memcmp (&c, &want, sizeof (c)) == 0);

  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* Pushes a frame with a meta of 20 records of 25 through @launch. */
static GstBuffer *
push_through (const gchar *launch, GstVideoFormat format)
{
  GstHarness *h = gst_harness_new_parse (launch);
  GstBuffer *buffer = test_frame (format);
  GstCaps *caps;

  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      gst_video_format_to_string (format), "width", G_TYPE_INT, TEST_WIDTH,
      "height", G_TYPE_INT, TEST_HEIGHT, "framerate", GST_TYPE_FRACTION, 25, 1,
      NULL);
  gst_harness_set_src_caps (h, caps);
  test_add_meta (buffer, 20, 25);
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  gst_harness_push_event (h, gst_event_new_eos ());
  buffer = gst_harness_pull (h);
  fail_unless (buffer != NULL);
  gst_harness_teardown (h);

  return buffer;
}

typedef struct
{
  const gchar *element;
  const gchar *launch;
  GstVideoFormat format;
} Survivor;

/* The meta also passes crops, flips and borders, but still describes the
 * analysed picture (docs/meta.md). */
static const Survivor survivors[] = {
  {"identity", "identity", GST_VIDEO_FORMAT_GRAY8},
  {"queue", "queue", GST_VIDEO_FORMAT_GRAY8},
  {"tee", "tee name=t t. ! queue ! fakesink async=false t. ! queue",
    GST_VIDEO_FORMAT_GRAY8},
  {"videorate", "videorate ! video/x-raw,framerate=50/1 ! identity",
    GST_VIDEO_FORMAT_GRAY8},
  {"videoconvert", "videoconvert ! video/x-raw,format=BGRx ! identity",
    GST_VIDEO_FORMAT_GRAY8},
  {"videoscale", "videoscale ! video/x-raw,width=320,height=120 ! identity",
    GST_VIDEO_FORMAT_GRAY8},
  {"videoconvertscale",
    "videoconvertscale ! "
    "video/x-raw,format=RGB,width=1280,height=960 ! identity",
    GST_VIDEO_FORMAT_I420},
  {"videoscale",
    "videoscale ! "
    "video/x-raw,width=320,height=480,pixel-aspect-ratio=1/1 ! identity",
    GST_VIDEO_FORMAT_GRAY8},
  {"videobalance", "videobalance brightness=0.5", GST_VIDEO_FORMAT_I420},
  {"videocrop", "videocrop left=100 top=20", GST_VIDEO_FORMAT_GRAY8},
  {"videoflip", "videoflip video-direction=horiz", GST_VIDEO_FORMAT_GRAY8},
  {"x264enc", "x264enc tune=zerolatency", GST_VIDEO_FORMAT_I420},
};

TEST_LOOP (test_survives, 0, G_N_ELEMENTS (survivors))
{
  const Survivor *t = &survivors[__i__];
  GstBuffer *buffer;

  if (!test_have_element (t->element)) {
    GST_INFO ("no %s here", t->element);
    return;
  }

  buffer = push_through (t->launch, t->format);
  test_check_meta (gst_buffer_get_cca_meta (buffer), 20, 25);
  gst_buffer_unref (buffer);
}

/* A reader scales to the frame at hand, after one scaler or after two. */
TEST (test_scaled_by_elements)
{
  static const gchar *const launches[] = {
    "videoscale ! video/x-raw,width=320,height=120 ! identity",
    "videoscale ! video/x-raw,width=7,height=5 ! videoscale ! "
    "video/x-raw,width=320,height=120 ! identity",
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (launches); i++) {
    GstBuffer *buffer = push_through (launches[i], GST_VIDEO_FORMAT_GRAY8);
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

    for (j = 0; j < 20; j++) {
      const GstCcaComponent record = test_component (j);
      GstCcaComponent c;

      fail_unless (gst_cca_meta_get_component_scaled (meta, j, 320, 120, &c));
      assert_equals_int (c.x, record.x / 2);
      assert_equals_int (c.x + c.width, (record.x + record.width + 1) / 2);
      assert_equals_int (c.y, record.y / 4);
      assert_equals_int (c.y + c.height, (record.y + record.height + 3) / 4);
      assert_equals_uint64 (c.area, MAX (1, (record.area + 4) / 8));
      fail_unless (c.centroid_x == (record.centroid_x + 0.5) / 2 - 0.5);
      fail_unless (c.centroid_y == (record.centroid_y + 0.5) / 4 - 0.5);
    }
    gst_buffer_unref (buffer);
  }
}

/* Through a socket, as to another process. The scaler copies to the allocator
 * that unixfdsink requires. */
TEST (test_unixfd)
{
  GstElement *sender, *receiver, *src, *sink;
  gchar *folder, *path, *launch;
  GstSample *sample = NULL;
  GstFlowReturn flow;
  GstBuffer *buffer;
  guint i;

  if (!test_have_element ("unixfdsink") || !test_have_element ("appsrc"))
    return;

  gst_cca_meta_get_info ();
  folder = g_dir_make_tmp ("cca-XXXXXX", NULL);
  path = g_build_filename (folder, "socket", NULL);
  launch = g_strdup_printf ("appsrc name=src format=time caps=video/x-raw,"
                            "format=GRAY8,width=%d,height=%d,framerate=25/1 ! "
                            "videoscale ! video/x-raw,width=320,height=240 ! "
                            "unixfdsink sync=false socket-path=%s",
      TEST_WIDTH, TEST_HEIGHT, path);
  sender = gst_parse_launch (launch, NULL);
  g_free (launch);
  launch = g_strdup_printf ("unixfdsrc socket-path=%s ! "
                            "appsink name=sink sync=false",
      path);
  receiver = gst_parse_launch (launch, NULL);
  g_free (launch);
  src = gst_bin_get_by_name (GST_BIN (sender), "src");
  sink = gst_bin_get_by_name (GST_BIN (receiver), "sink");

  gst_element_set_state (sender, GST_STATE_PLAYING);
  fail_unless (gst_element_set_state (receiver, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);

  /* frames that were sent before the receiver came are lost */
  for (i = 0; i < 250 && sample == NULL; i++) {
    buffer = test_frame (GST_VIDEO_FORMAT_GRAY8);
    test_add_meta (buffer, 20, 25);
    g_signal_emit_by_name (src, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
    g_signal_emit_by_name (sink, "try-pull-sample", (guint64) 40 * GST_MSECOND,
        &sample);
  }
  fail_unless (sample != NULL);
  test_check_meta (gst_buffer_get_cca_meta (gst_sample_get_buffer (sample)), 20,
      25);
  gst_sample_unref (sample);

  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_object_unref (sender);
  gst_object_unref (receiver);
  g_remove (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
}

static gboolean
live_objects_in (GstTracer *tracer)
{
  GstStructure *info = NULL;
  const GValue *list;
  guint n = 0;

  g_signal_emit_by_name (tracer, "get-live-objects", &info);
  list = gst_structure_get_value (info, "live-objects-list");
  if (list != NULL)
    n = gst_value_list_get_size (list);
  if (n > 0)
    GST_ERROR ("leaked: %" GST_PTR_FORMAT, info);
  gst_structure_free (info);

  return n > 0;
}

/* The leaks tracer, which the environment switches on, sees nothing left. */
TEST (test_no_leaks)
{
  GList *tracers = gst_tracing_get_active_tracers (), *l;
  gboolean found = FALSE;
  guint i;

  for (l = tracers; l; l = l->next) {
    if (strcmp (G_OBJECT_TYPE_NAME (l->data), "GstLeaksTracer") != 0)
      continue;
    found = TRUE;
    g_signal_emit_by_name (l->data, "activity-start-tracking");
    for (i = 0; i < 20; i++) {
      GstBuffer *buffer = push_through (
          "videoscale ! "
          "video/x-raw,width=320,height=120 ! tee name=t t. ! queue ! "
          "fakesink async=false t. ! queue",
          GST_VIDEO_FORMAT_GRAY8);

      buffer = gst_buffer_make_writable (buffer);
      gst_cca_meta_emit_roi (gst_buffer_get_cca_meta (buffer), buffer, NULL,
          256, 320, 120);
      gst_cca_meta_emit_analytics (gst_buffer_get_cca_meta (buffer), buffer,
          NULL, 256, 320, 120);
      gst_buffer_unref (buffer);
    }
    /* the thread of a task lets go of it only after the task has been joined */
    gst_task_cleanup_all ();
    fail_if (live_objects_in (l->data));
  }
  g_list_free_full (tracers, gst_object_unref);
  if (!found && g_getenv ("GST_TRACERS") != NULL)
    fail ("the leaks tracer did not start");
}

SUITE ("transform");
