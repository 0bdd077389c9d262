/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* States, caps, allocation, errors, and memory that stays the same. */

#include "cudautil.h"

#define FORMAT GST_VIDEO_FORMAT_NV12

/* Allocation unit of device memory. */
#define SLACK (4 * 1024 * 1024)

static void
assert_flat (gsize before, const gchar *what)
{
  gsize after = free_device_memory (shared_context ());

  fail_unless (after + SLACK >= before,
      "%s: %" G_GSIZE_FORMAT " bytes of device memory are gone", what,
      before - after);
}

/* --- allocation ----------------------------------------------------------- */

static GstQuery *
ask (GstHarness *h, GstCaps *caps)
{
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  gst_caps_unref (caps);
  return query;
}

/* With our stream, so that a chain works on one; not of GRAY8, which
 * GstCudaBufferPool does not know. */
TEST_LOOP (test_pool_is_offered, 0, 2)
{
  const gchar *description = __i__ ? "cudagrayupload" : "cudacca";
  guint i;

  for (i = 0; i < n_cuda_formats; i++) {
    GstVideoFormat format = cuda_formats[i];
    gboolean gray = format == GST_VIDEO_FORMAT_GRAY8
        || format == GST_VIDEO_FORMAT_GRAY16_LE;
    GstHarness *h;
    GstQuery *query;

    if (__i__
        && GST_VIDEO_FORMAT_INFO_BITS (gst_video_format_get_info (format)) != 8)
      continue;
    if (__i__ && gray)
      continue;
    h = cuda_harness_new (description, shared_context (), format, 321, 123,
        NULL);
    gst_harness_set_propose_allocator (h, NULL, NULL);
    query = ask (h, cuda_caps (format, 321, 123));
    fail_unless (
        gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
    assert_equals_int (gst_query_get_n_allocation_pools (query), !gray);
    if (!gray) {
      GstBufferPool *pool;
      GstBuffer *buffer;
      GstMemory *memory;
      guint size;

      gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
      fail_unless (gst_buffer_pool_set_active (pool, TRUE));
      assert_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
          GST_FLOW_OK);
      assert_equals_int (gst_buffer_get_size (buffer), size);
      memory = gst_buffer_peek_memory (buffer, 0);
      fail_unless (GST_CUDA_MEMORY_CAST (memory)->context == shared_context ());
      fail_unless (
          gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory)) != NULL);
      fail_unless (gst_buffer_get_video_meta (buffer) != NULL);
      assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
      gst_buffer_unref (gst_harness_pull (h));
      gst_buffer_pool_set_active (pool, FALSE);
      gst_object_unref (pool);
    }
    gst_query_unref (query);
    gst_harness_teardown (h);
  }
}

static GstPadProbeReturn
answer_allocation (GstPad *pad, GstPadProbeInfo *info, gpointer pool)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, pool, 4711, 5, 9);
  return GST_PAD_PROBE_HANDLED;
}

/* Pools of the peer pass. None is offered for caps without CUDA memory. */
TEST (test_peer_comes_first)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (shared_context ()), *found;
  GstHarness *h =
      cuda_harness_new ("cudacca", shared_context (), FORMAT, 64, 48, NULL);
  GstQuery *query;
  GstCaps *caps;
  guint size, min, max;
  gulong probe;

  probe = gst_pad_add_probe (h->sinkpad,
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH,
      answer_allocation, pool, NULL);
  query = ask (h, cuda_caps (FORMAT, 64, 48));
  assert_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, &found, &size, &min, &max);
  fail_unless (found == pool);
  assert_equals_int (size, 4711);
  assert_equals_int (min, 5);
  assert_equals_int (max, 9);
  gst_object_unref (found);
  gst_query_unref (query);
  gst_pad_remove_probe (h->sinkpad, probe);

  caps = frame_caps (FORMAT, 64, 48);
  query = gst_query_new_allocation (caps, TRUE);
  gst_pad_peer_query (h->srcpad, query);
  assert_equals_int (gst_query_get_n_allocation_pools (query), 0);
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
  gst_object_unref (pool);
}

/* --- errors --------------------------------------------------------------- */

static void
assert_refused (GstCaps *caps, GstBuffer *buffer, const gchar *words)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);

  gst_harness_set_src_caps (h, caps);
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  assert_error (bus, words);
  harness_free (h, bus);
}

static void
add_row_crop (GstBuffer *buffer, guint y)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = 0;
  crop->y = y;
  crop->width = 64;
  crop->height = 1;
}

TEST (test_bad_input)
{
  Picture picture = picture_new (64, 48, noise, 3);
  Picture small = picture_new (64, 40, noise, 3);
  Picture narrow = picture_new (63, 48, noise, 3);
  Layout layout = {TRUE, 0, 0};
  GstBuffer *buffer;

  buffer = gpu_frame (FORMAT, &picture, NULL, shared_context (), NULL);
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 10, NULL));
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "2 memories");

  assert_refused (cuda_caps (FORMAT, 64, 48), gst_buffer_new (), "0 memories");

  assert_refused (cuda_caps (FORMAT, 64, 48),
      frame_new (FORMAT, &picture, NULL), "not in CUDA memory");

  /* without a video meta the memory itself knows */
  assert_refused (cuda_caps (FORMAT, 64, 48),
      gpu_frame (FORMAT, &small, NULL, shared_context (), NULL),
      "does not fit the caps");
  assert_refused (cuda_caps (FORMAT, 64, 48),
      gpu_frame (FORMAT, &narrow, NULL, shared_context (), NULL),
      "does not fit the caps");
  assert_refused (cuda_caps (FORMAT, 64, 48),
      gpu_frame (GST_VIDEO_FORMAT_I420, &picture, NULL, shared_context (),
          NULL),
      "does not fit the caps");

  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->stride[0] = 63;
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "stride");

  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->stride[0] = 640;
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "bytes but has");

  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->offset[0] = 1000000;
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "starts at byte");

  /* it starts inside, and does not end there */
  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->offset[0] =
      gst_buffer_get_size (buffer) / 2;
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "bytes but has");

  /* a crop of one row, which is not the first one */
  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->stride[0] = 63;
  add_row_crop (buffer, 47);
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "stride");

  buffer = gpu_frame (FORMAT, &picture, &layout, shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->stride[0] = 640;
  add_row_crop (buffer, 47);
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "bytes but has");

  buffer = gpu_frame (FORMAT, &small, &layout, shared_context (), NULL);
  assert_refused (cuda_caps (FORMAT, 64, 48), buffer, "64x40");

  buffer = gpu_frame (GST_VIDEO_FORMAT_P010_10LE, &picture, &layout,
      shared_context (), NULL);
  gst_buffer_get_video_meta (buffer)->offset[0] = 1;
  assert_refused (cuda_caps (GST_VIDEO_FORMAT_P010_10LE, 64, 48), buffer,
      "odd");

  picture_clear (&picture);
  picture_clear (&small);
  picture_clear (&narrow);
}

/* After an error the next frame that is right is analysed. */
TEST (test_recovery)
{
  Picture picture = picture_new (64, 48, noise, 3);
  GArray *expected = expect (&picture, &default_look);
  GstBus *bus;
  GstHarness *h =
      cuda_harness_new ("cudacca", shared_context (), FORMAT, 64, 48, &bus);
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < 5; i++) {
    assert_equals_int (gst_harness_push (h, gst_buffer_new ()), GST_FLOW_ERROR);
    assert_error (bus, "0 memories");
    buffer = gst_harness_push_and_pull (h,
        gpu_frame (FORMAT, &picture, NULL, shared_context (), NULL));
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    gst_buffer_unref (buffer);
  }
  harness_free (h, bus);
  g_array_unref (expected);
  picture_clear (&picture);
}

/* More memory than any GPU has. */
TEST (test_out_of_memory)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudacca max-components=2147483647",
      shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);
  GstCaps *caps = cuda_caps (FORMAT, 60000, 60000);

  gst_harness_push_event (h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  assert_error (bus, "60000x60000");
  harness_free (h, bus);
}

TEST (test_no_features)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new ("cudacca features=shape algorithm=flsl-cd",
      shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);
  GstCaps *caps = cuda_caps (FORMAT, 64, 48);

  gst_harness_push_event (h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  assert_error (bus, "does not compute features");
  harness_free (h, bus);
}

/* --- long runs ------------------------------------------------------------ */

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
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
  Picture pictures[G_N_ELEMENTS (sizes)];
  GArray *expected[G_N_ELEMENTS (sizes)];
  guint n_caps = amount (1000, 42), begin = amount (200, 21), i;
  gsize before = 0;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    pictures[i] = picture_new (sizes[i][0], sizes[i][1], noise, i);
    expected[i] = expect (&pictures[i], &default_look);
  }
  for (i = 0; i < n_caps; i++) {
    guint n = i % G_N_ELEMENTS (sizes);
    GstVideoFormat format = cuda_formats[i % n_cuda_formats];
    GstBuffer *frame;

    if (GST_VIDEO_FORMAT_INFO_BITS (gst_video_format_get_info (format)) != 8)
      format = FORMAT;
    if (i == begin)
      before = free_device_memory (shared_context ());
    gst_harness_set_src_caps (h, cuda_caps (format, sizes[n][0], sizes[n][1]));
    frame = gst_harness_push_and_pull (h,
        gpu_frame (format, &pictures[n], NULL, shared_context (), NULL));
    assert_components (gst_buffer_get_cca_meta (frame), expected[n]);
    gst_buffer_unref (frame);
  }
  assert_flat (before, "caps changes");
  gst_harness_teardown (h);
  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_array_unref (expected[i]);
    picture_clear (&pictures[i]);
  }
}

/* Frames with few and with many components alternate. */
TEST_LOOP (test_frames, 0, 3)
{
  static const gchar *const descriptions[] = {
    "cudacca",
    "cudagrayupload ! cudacca",
    "cudagrayupload ! cudacca ! cudagraydownload",
  };
  GstHarness *h = cuda_harness_new (descriptions[__i__], shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstBuffer *frames[10];
  guint n_found[10];
  guint n_frames = amount (10000, 30), begin = amount (500, 20), i;
  gsize before = 0;

  gst_harness_set_src_caps (h,
      __i__ == 2 ? frame_caps (GST_VIDEO_FORMAT_GRAY8, 320, 240)
                 : cuda_caps (FORMAT, 320, 240));
  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    Picture picture = picture_new (320, 240, noise, i);
    GArray *expected = expect (&picture, &default_look);

    frames[i] = __i__ == 2
        ? frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL)
        : gpu_frame (FORMAT, &picture, NULL, shared_context (), stream);
    n_found[i] = expected->len;
    g_array_unref (expected);
    picture_clear (&picture);
  }
  for (i = 0; i < n_frames; i++) {
    guint n = i * 7 % G_N_ELEMENTS (frames);
    GstBuffer *out;

    if (i == begin)
      before = free_device_memory (shared_context ());
    out = gst_harness_push_and_pull (h, gst_buffer_ref (frames[n]));
    fail_unless (
        gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (out)) == n_found[n]);
    gst_buffer_unref (out);
  }
  assert_flat (before, "frames");
  for (i = 0; i < G_N_ELEMENTS (frames); i++)
    gst_buffer_unref (frames[i]);
  gst_harness_teardown (h);
  gst_cuda_stream_unref (stream);
}

/* In one context, and a few times in a new context each. */
TEST_LOOP (test_state_cycles, 0, 2)
{
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc ! "
      "video/x-raw,format=GRAY8,width=64,height=48 ! tee name=t ! queue ! "
      "cudagrayupload ! cudacca ! fakesink t. ! queue ! cudagrayupload ! "
      "cudacca ! cudagraydownload ! fakesink",
      NULL);
  GstContext *c = gst_context_new_cuda_context (shared_context ());
  guint n_cycles = __i__ == 0 ? amount (1000, 20) : amount (10, 3);
  guint begin = amount (100, 8), i;
  gsize before = 0;

  if (__i__ == 0)
    gst_element_set_context (pipeline, c);
  for (i = 0; i < n_cycles; i++) {
    if (i == begin)
      before = free_device_memory (shared_context ());
    fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING)
        != GST_STATE_CHANGE_FAILURE);
    if (i % 3 == 0)
      gst_element_get_state (pipeline, NULL, NULL, 10 * GST_SECOND);
    fail_unless (gst_element_set_state (pipeline, GST_STATE_NULL)
        == GST_STATE_CHANGE_SUCCESS);
  }
  if (__i__ == 0)
    assert_flat (before, "state cycles");
  gst_object_unref (pipeline);
  gst_context_unref (c);
}

/* An element that could not start is stopped: its GPU can be chosen. */
TEST (test_start_fails)
{
  GstElement *element = gst_element_factory_make ("cudacca", NULL);
  gchar few[] = "<[few,points=<0,0>]>"; /* GStreamer changes it meanwhile */
  gint id = -1;

  gst_util_set_object_arg (G_OBJECT (element), "regions", few);
  assert_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  g_object_set (element, "cuda-device-id", 0, NULL);
  g_object_get (element, "cuda-device-id", &id, NULL);
  assert_equals_int (id, 0);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

/* As in the tests of cca. */
TEST (test_stop_waits)
{
  static const gchar *const elements[] = {
    "cudacca",
    "cudaccamask",
    "cudaccaoverlay",
    "cudagrayupload",
    "cudagraydownload",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElement *element = gst_element_factory_make (elements[i], NULL);
    GstBaseTransform *trans = GST_BASE_TRANSFORM (element);

    gst_element_set_state (element, GST_STATE_PAUSED);
    assert_waits_for_stream (trans, GST_BASE_TRANSFORM_GET_CLASS (trans)->stop);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

#define N_PIPELINES 16

/* Each pipeline has its own context. */
TEST (test_sixteen_pipelines)
{
  GstElement *pipelines[N_PIPELINES];
  guint i;

  for (i = 0; i < N_PIPELINES; i++) {
    gchar *line = g_strdup_printf (
        "videotestsrc pattern=%s num-buffers=%u ! "
        "video/x-raw,format=GRAY8,width=%u,height=%u ! %s fakesink name=sink",
        i % 2 ? "snow" : "ball", amount (100, 4), 320 + i, 240 - i,
        i % 4 < 2 ? "cca ! cudagrayupload ! cudacca !"
                  : "cudagrayupload ! "
                    "cudacca ! cudagraydownload ! cca !");

    pipelines[i] = gst_parse_launch (line, NULL);
    g_free (line);
  }
  for (i = 0; i < N_PIPELINES; i++)
    fail_unless (gst_element_set_state (pipelines[i], GST_STATE_PLAYING)
        != GST_STATE_CHANGE_FAILURE);
  for (i = 0; i < N_PIPELINES; i++) {
    GstBus *bus = gst_element_get_bus (pipelines[i]);
    GstMessage *message = gst_bus_timed_pop_filtered (bus, 120 * GST_SECOND,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    GstElement *sink = gst_bin_get_by_name (GST_BIN (pipelines[i]), "sink");
    GstSample *sample;
    GstCcaMeta *ours, *theirs;

    fail_unless (message != NULL, "pipeline %u does not end", i);
    assert_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
    gst_message_unref (message);
    gst_object_unref (bus);

    /* the last frame, from both elements */
    g_object_get (sink, "last-sample", &sample, NULL);
    ours = nth_meta (gst_sample_get_buffer (sample), 0);
    theirs = nth_meta (gst_sample_get_buffer (sample), 1);
    fail_unless (ours != NULL && theirs != NULL);
    assert_equals_int (gst_cca_meta_get_n_found (ours),
        gst_cca_meta_get_n_found (theirs));
    gst_sample_unref (sample);
    gst_object_unref (sink);
    gst_element_set_state (pipelines[i], GST_STATE_NULL);
    gst_object_unref (pipelines[i]);
  }
}

CUDA_SUITE ("cuda-lifecycle");
