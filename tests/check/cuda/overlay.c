/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cudaccaoverlay draws the pixels of the painter, hence those of ccaoverlay, on
 * the stream of the frame. */

#include "../elements/overlay-suite.h"
#include "cudautil.h"

static GstBuffer *
put (GstBuffer *system, const GstVideoInfo *info)
{
  GstBuffer *buffer = to_gpu (system, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
      shared_context (), NULL);

  gst_buffer_unref (system);
  return buffer;
}

/* The copy is enqueued on the stream of the memory, as elements downstream
 * do. */
static guint8 *
get (GstBuffer *buffer, gsize size)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstCudaStream *stream =
      gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory));
  CUDA_MEMCPY2D copy = {
    0,
  };
  guint8 *bytes = g_malloc (size);
  CUstream handle = stream ? gst_cuda_stream_get_handle (stream) : NULL;
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  fail_unless (map.size >= size);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = (CUdeviceptr) map.data;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = bytes;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = size;
  copy.Height = 1;
  fail_unless (gst_cuda_context_push (GST_CUDA_MEMORY_CAST (memory)->context));
  fail_unless_equals_int (CuMemcpy2DAsync (&copy, handle), CUDA_SUCCESS);
  fail_unless_equals_int (CuStreamSynchronize (handle), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  gst_memory_unmap (memory, &map);
  return bytes;
}

const OverlayPlace overlay_place = {
  .element = "cudaccaoverlay",
  .features = "memory:CUDAMemory",
  .n_rounds = 3,
  .put = put,
  .get = get,
};

static OverlayRig
rig_new (const gchar *description, const GstVideoInfo *info)
{
  return overlay_rig_new (&overlay_place, description, info, 1);
}

/* --- streams -------------------------------------------------------------- */

static GstBuffer *
frame_on (GstCudaContext *context, GstCudaStream *stream,
    const GstVideoInfo *info, guint seed)
{
  const GstCcaComponent boxes[] = {
    component_at (2 + seed % 9, 3, 20, 11, 3),
    component_at (9, 9, 30, 20, -1),
  };
  GRand *rand = g_rand_new_with_seed (seed);
  GstBuffer *system = overlay_frame (info, rand), *buffer;

  add_components (system, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), boxes, G_N_ELEMENTS (boxes));
  buffer = to_gpu (system, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), context,
      stream);
  gst_buffer_unref (system);
  g_rand_free (rand);
  return buffer;
}

/* The output of a new element, hence without trails. */
static guint8 *
drawn_alone (const GstVideoInfo *info, guint seed)
{
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", info);
  GstBuffer *out = gst_harness_push_and_pull (rig.h,
      frame_on (shared_context (), NULL, info, seed));
  guint8 *bytes = get (out, info->size);

  gst_buffer_unref (out);
  overlay_rig_clear (&rig);
  return bytes;
}

/* Compares the first bytes of a frame, which it takes, with drawn_alone (). */
static void
assert_drawn (GstBuffer *out, const GstVideoInfo *info, guint seed, gsize size)
{
  guint8 *got = get (out, size), *expected = drawn_alone (info, seed);

  fail_unless (memcmp (got, expected, size) == 0, "frame %u", seed);
  gst_buffer_unref (out);
  g_free (got);
  g_free (expected);
}

static gboolean
needs_sync (GstBuffer *buffer)
{
  return GST_MEMORY_FLAG_IS_SET (gst_buffer_peek_memory (buffer, 0),
      GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
}

/* More frames than the element has slots, on two busy streams: each is drawn on
 * its own stream, in order. */
TEST (test_streams)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  GstCudaContext *context = shared_context ();
  GstCudaStream *streams[2] = {
    gst_cuda_stream_new (context),
    gst_cuda_stream_new (context),
  };
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  GstBuffer *out[40];
  guint i;

  /* to make one waits for the GPU */
  for (i = 0; i < G_N_ELEMENTS (out); i++)
    out[i] = frame_on (context, streams[i / 3 % 2], &info, i);
  for (i = 0; i < G_N_ELEMENTS (out); i++) {
    GstBuffer *in = out[i];

    GST_MEMORY_FLAG_UNSET (gst_buffer_peek_memory (in, 0),
        GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
    if (i % 7 == 0)
      delay (context, streams[i / 3 % 2]);
    out[i] = gst_harness_push_and_pull (rig.h, in);
    fail_unless (out[i] == in);
    fail_unless (needs_sync (in));
  }
  for (i = 0; i < G_N_ELEMENTS (out); i++)
    assert_drawn (out[i], &info, i, info.size);
  overlay_rig_clear (&rig);
  gst_cuda_stream_unref (streams[0]);
  gst_cuda_stream_unref (streams[1]);
}

/* Digits are replaced while the first of many frames waits on a busy stream to
 * be drawn on with them. */
TEST (test_digits_in_use)
{
  const GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  const GstVideoInfo taller =
      overlay_info (GST_VIDEO_FORMAT_NV12, 48, 900, NULL);
  GstCaps *caps = cuda_caps (GST_VIDEO_FORMAT_NV12, 48, 900);
  GstCudaStream *busy = gst_cuda_stream_new (shared_context ());
  GstCudaStream *idle = gst_cuda_stream_new (shared_context ());
  GstBuffer *frames[20] = {
    frame_on (shared_context (), busy, &info, 0),
  };
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  guint i;

  for (i = 1; i < 20; i++)
    frames[i] = frame_on (shared_context (), idle, i < 19 ? &info : &taller, i);
  delay (shared_context (), busy);
  for (i = 0; i < 20; i++) {
    if (i == 19)
      gst_harness_push_event (rig.h, gst_event_new_caps (caps));
    frames[i] = gst_harness_push_and_pull (rig.h, frames[i]);
  }
  assert_drawn (frames[0], &info, 0, info.size);
  for (i = 1; i < 20; i++)
    gst_buffer_unref (frames[i]);
  gst_caps_unref (caps);
  overlay_rig_clear (&rig);
  gst_cuda_stream_unref (busy);
  gst_cuda_stream_unref (idle);
}

/* Streams end as soon as something has been drawn on another one, be it nothing
 * that the frame shows. */
TEST (test_streams_end)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  const GstCcaComponent outside = component_at (48, 3, 20, 11, -1);
  GstCudaContext *context = shared_context ();
  OverlayRig rig =
      rig_new ("cudaccaoverlay trails=false draw-labels=false", &info);
  guint i;

  for (i = 0; i < 12; i++) {
    GstCudaStream *stream = gst_cuda_stream_new (context);
    GstBuffer *frame;

    if (i % 3 == 1) {
      GstBuffer *system = overlay_frame (&info, rig.rand);

      add_components (system, 48, 36, &outside, 1);
      frame = to_gpu (system, GST_VIDEO_FORMAT_NV12, 48, 36, context, stream);
      gst_buffer_unref (system);
    } else {
      frame = frame_on (context, stream, &info, i);
    }
    gst_cuda_stream_unref (stream);
    frame = gst_harness_push_and_pull (rig.h, frame);
    /* once it is drawn on */
    g_free (get (frame, info.size));
    gst_buffer_unref (frame);
  }
  overlay_rig_clear (&rig);
}

/* Shared frames are copied on their streams, after the pending write. */
TEST_LOOP (test_shared_on_stream, 0, 2)
{
  GstVideoInfo info =
      overlay_info (__i__ == 0 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_NV12,
          48, 36, NULL);
  GstCudaContext *context = shared_context ();
  GstCudaStream *streams[2] = {
    gst_cuda_stream_new (context),
    gst_cuda_stream_new (context),
  };
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  guint i;

  for (i = 0; i < 6; i++) {
    GstCudaStream *stream = streams[i / 3];
    GstBuffer *in = frame_on (context, stream, &info, i), *out;
    guint8 *before = get (in, info.size), *after;

    delay (context, stream);
    out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
    fail_unless (out != in);
    fail_unless (gst_cuda_memory_get_stream (
                     GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (out, 0)))
        == stream);
    fail_unless (needs_sync (out));
    /* get() also waits for the drawing on the copy */
    after = get (in, info.size);
    fail_unless (memcmp (before, after, info.size) == 0);
    gst_buffer_unref (out);
    gst_buffer_unref (in);
    g_free (before);
    g_free (after);
  }
  overlay_rig_clear (&rig);
  gst_cuda_stream_unref (streams[0]);
  gst_cuda_stream_unref (streams[1]);
}

/* A frame is written late on its stream and its output is read there, so it
 * must be drawn on, or copied if it is shared, on that stream. */
TEST_LOOP (test_written_late, 0, 2)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  guint i, y;

  for (i = 0; i < 4; i++) {
    /* the same boxes, and other pixels */
    GRand *rand = g_rand_new_with_seed (i + 9);
    GstBuffer *late = overlay_frame (&info, rand), *out;
    GstBuffer *in = frame_on (shared_context (), stream, &info, i);
    guint8 *expected = drawn_alone (&info, i + 9), *got;
    gsize size;
    gpointer bytes = locked_copy (late, &size);
    gint stride;

    write_later (in, bytes, size);
    out = gst_harness_push_and_pull (rig.h, __i__ ? gst_buffer_ref (in) : in);
    fail_unless ((out == in) == (__i__ == 0));
    stride = gst_buffer_get_video_meta (out)->stride[0];
    got = get (out, (gsize) stride * info.height);
    for (y = 0; y < (guint) info.height; y++)
      fail_unless (memcmp (got + (gsize) y * stride,
                       expected + y * info.stride[0], info.width)
              == 0,
          "row %u", y);
    gst_buffer_unref (out);
    if (__i__)
      gst_buffer_unref (in);
    gst_buffer_unref (late);
    g_rand_free (rand);
    free_locked (bytes);
    g_free (expected);
    g_free (got);
  }
  overlay_rig_clear (&rig);
  gst_cuda_stream_unref (stream);
}

/* Frames on alternating streams, then frames of a single row: each copy has the
 * right stream and size. */
TEST (test_shared_in_turn)
{
  GstCudaContext *context = shared_context ();
  GstCudaStream *streams[2] = {
    gst_cuda_stream_new (context),
    gst_cuda_stream_new (context),
  };
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 48, 36, NULL);
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  guint i;

  for (i = 0; i < 6; i++) {
    GstBuffer *in, *out;

    if (i == 4) {
      GstCaps *caps = cuda_caps (GST_VIDEO_FORMAT_GRAY8, 48, 1);

      info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 48, 1, NULL);
      gst_harness_push_event (rig.h, gst_event_new_caps (caps));
      gst_caps_unref (caps);
    }
    in = frame_on (context, streams[i < 4 ? i % 2 : 1], &info, i);
    out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
    fail_unless (out != NULL && out != in);
    fail_unless_equals_int (gst_buffer_get_video_meta (out)->height,
        info.height);
    assert_drawn (out, &info, i, 48);
    gst_buffer_unref (in);
  }
  overlay_rig_clear (&rig);
  gst_cuda_stream_unref (streams[0]);
  gst_cuda_stream_unref (streams[1]);
}

/* Shared frames that contradict their caps are not copied; those without a
 * video meta are. */
TEST_LOOP (test_shared_contradictions, 0, 4)
{
  static const gchar *const words[] = {
    "not the NV12 of its caps",
    "stride",
    "no layout",
    NULL,
  };
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  OverlayRig rig = rig_new ("cudaccaoverlay", &info);
  GstBuffer *in = frame_on (shared_context (), NULL, &info, 1), *out;
  GstVideoMeta *meta = gst_buffer_get_video_meta (in);

  switch (__i__) {
    case 0:
      meta->format = GST_VIDEO_FORMAT_NV21;
      break;
    case 1:
      meta->stride[1] = 47;
      break;
    case 2:
      meta->width = meta->height = G_MAXINT;
      break;
    default:
      gst_buffer_remove_meta (in, (GstMeta *) meta);
      break;
  }
  out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
  fail_unless (out != NULL);
  if (words[__i__] != NULL) {
    fail_unless (
        gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
    assert_warning (rig.bus, words[__i__]);
  } else {
    fail_unless (
        gst_buffer_peek_memory (out, 0) != gst_buffer_peek_memory (in, 0));
    assert_no_error (rig.bus);
    /* memory is not freed before it is drawn on */
    g_free (overlay_place.get (out, info.size));
  }
  gst_buffer_unref (out);
  gst_buffer_unref (in);
  overlay_rig_clear (&rig);
}

/* A query without caps, or with caps of other memory, is offered no pool. */
TEST_LOOP (test_no_pool, 0, 2)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  GstCaps *caps = __i__ == 0 ? NULL : gst_video_info_to_caps (&info);
  OverlayRig rig = rig_new ("cudaccaoverlay", &info);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_pad_peer_query (rig.h->srcpad, query);
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
  gst_query_unref (query);
  gst_clear_caps (&caps);
  overlay_rig_clear (&rig);
}

/* --- contexts ------------------------------------------------------------- */

/* Frames of one context, then of another. */
TEST (test_contexts)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_I420, 48, 36, NULL);
  OverlayRig rig = rig_new ("cudaccaoverlay trails=false", &info);
  guint i;

  for (i = 0; i < 3; i++) {
    GstCudaContext *context = gst_cuda_context_new (0);

    assert_drawn (gst_harness_push_and_pull (rig.h,
                      frame_on (context, NULL, &info, 5)),
        &info, 5, info.size);
    gst_object_unref (context);
  }
  overlay_rig_clear (&rig);
}

TEST (test_other_device)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_I420, 48, 36, NULL);
  GstCudaContext *other = gst_cuda_context_new (1);
  OverlayRig rig;

  if (other == NULL) /* there is only one GPU */
    return;
  rig = rig_new ("cudaccaoverlay cuda-device-id=0", &info);
  fail_unless_equals_int (gst_harness_push (rig.h,
                              frame_on (other, NULL, &info, 1)),
      GST_FLOW_ERROR);
  assert_error (rig.bus, "cuda-device-id is 0");
  overlay_rig_clear (&rig);
  gst_object_unref (other);
}

/* --- frames not in CUDA memory -------------------------------------------- */

TEST_LOOP (test_other_memory, 0, 2)
{
  static const gchar *const words[] = {
    "not in CUDA memory",
    "has 2 memories",
  };
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 48, 36, NULL);
  const GstCcaComponent box = component_at (2, 3, 20, 11, 3);
  OverlayRig rig = rig_new ("cudaccaoverlay", &info);
  guint shared;

  for (shared = 0; shared < 2; shared++) {
    GstBuffer *in = __i__ == 0 ? overlay_frame (&info, rig.rand)
                               : frame_on (shared_context (), NULL, &info, 1);
    GstBuffer *out;

    if (__i__ == 0)
      add_components (in, 48, 36, &box, 1);
    else
      gst_buffer_append_memory (in, gst_allocator_alloc (NULL, 10, NULL));
    if (shared)
      gst_buffer_ref (in);
    out = gst_harness_push_and_pull (rig.h, in);
    fail_unless (out != NULL);
    gst_buffer_unref (out);
    if (shared)
      gst_buffer_unref (in);
  }
  assert_warning (rig.bus, words[__i__]);
  overlay_rig_clear (&rig);
}

/* --- pipelines ------------------------------------------------------------ */

/* A sum of all pixels of each frame's first plane. */
static void
add_sum (GstElement *sink, GstBuffer *buffer, GstPad *pad, GArray *sums)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;
  guint sum = 0;
  gint x, y;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (y = 0; y < 48; y++)
    for (x = 0; x < 64; x++)
      sum = sum * 31
          + ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame,
              0))[y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + x];
  gst_video_frame_unmap (&frame);
  gst_caps_unref (caps);
  g_array_append_val (sums, sum);
}

static GArray *
watch_sink (GstElement *pipeline, const gchar *name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (guint));

  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (add_sum), sums);
  gst_object_unref (sink);
  return sums;
}

/* One branch of a tee is drawn on, and the other shows the original. */
TEST_LOOP (test_tee, 0, 3)
{
  static const gchar *const lines[][2] = {
    {"GRAY8 ! tee name=s ! cudagrayupload", "cudagraydownload"},
    {"NV12 ! tee name=s ! cudaupload", "cudadownload"},
    /* the luma plane of another frame */
    {"NV12 ! tee name=s ! cudaupload ! cudagrayupload", "cudagraydownload"},
  };
  gchar *line = g_strdup_printf (
      "videotestsrc pattern=ball num-buffers=3 ! "
      "video/x-raw,width=64,height=48,format=%s ! cudacca threshold=100 ! "
      "tee name=t ! cudaccaoverlay trails=false ! %s ! fakesink name=drawn "
      "t. ! %s ! fakesink name=clean async=false "
      "s. ! fakesink name=source async=false",
      lines[__i__][0], lines[__i__][1], lines[__i__][1]);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GArray *drawn = watch_sink (pipeline, "drawn");
  GArray *clean = watch_sink (pipeline, "clean");
  GArray *source = watch_sink (pipeline, "source");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint i;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  fail_unless_equals_int (drawn->len, 3);
  fail_unless_equals_int (clean->len, 3);
  for (i = 0; i < 3; i++) {
    fail_unless_equals_int (g_array_index (clean, guint, i),
        g_array_index (source, guint, i));
    fail_unless (
        g_array_index (drawn, guint, i) != g_array_index (source, guint, i));
  }
  g_array_unref (drawn);
  g_array_unref (clean);
  g_array_unref (source);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_free (line);
}

CUDA_SUITE ("cuda-overlay");
