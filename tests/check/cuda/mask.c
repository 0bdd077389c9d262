/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cudaccamask: the pixels of ccamask, painted on the label image's stream. */

#include "cudautil.h"
#include "../elements/labelled.h"

#include <gst/analytics/analytics.h>

#include <string.h>

static const gchar *const modes[] = {"mask", "labels", "colors"};

static const GstVideoFormat mode_formats[] = {GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGBA};

static GstHarness *
masker (guint mode, guint width, guint height, GstBus **bus)
{
  gchar *description = g_strdup_printf ("cudaccamask mode=%s", modes[mode]);
  GstHarness *h = shared_harness_new (description, GST_VIDEO_FORMAT_NV12, width,
      height, bus);

  g_free (description);
  return h;
}

/* The label image on the GPU, with padding after the last row too. */
static GstBuffer *
gpu_picture (const Labelled *labelled, GstCudaContext *context,
    GstCudaStream *stream)
{
  GstBuffer *picture = labelled_picture (labelled);
  GstBuffer *out = to_gpu (picture,
      labelled->depth == 8 ? GST_VIDEO_FORMAT_GRAY8
                           : GST_VIDEO_FORMAT_GRAY16_LE,
      labelled->width, labelled->height, context, stream);

  gst_buffer_unref (picture);
  return out;
}

/* The pixels of a frame of that mode, without padding. */
static GBytes *
pixels_of (GstBuffer *buffer, guint mode, guint width, guint height)
{
  const gsize row = (gsize) width << mode;
  GByteArray *bytes = g_byte_array_new ();
  GstVideoFrame frame;
  GstVideoInfo info;
  guint y;

  fail_unless (buffer != NULL);
  gst_video_info_set_format (&info, mode_formats[mode], width, height);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (y = 0; y < height; y++)
    g_byte_array_append (bytes,
        (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
            + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
        row);
  gst_video_frame_unmap (&frame);
  return g_byte_array_free_to_bytes (bytes);
}

/* The output of ccamask for the label image; NULL: none. */
static GBytes *
expected_pixels (const Labelled *labelled, guint mode, guint width,
    guint height)
{
  gchar *description = g_strdup_printf ("ccamask mode=%s", modes[mode]);
  GstHarness *h;
  GstBuffer *out;
  GBytes *bytes;

  if (labelled == NULL) {
    g_free (description);
    return g_bytes_new_take (g_malloc0 ((gsize) (width << mode) * height),
        (gsize) (width << mode) * height);
  }
  h = harness_new (description, GST_VIDEO_FORMAT_GRAY8, width, height, NULL);
  out = gst_harness_push_and_pull (h,
      labelled_buffer (labelled, labelled_picture (labelled)));
  bytes = pixels_of (out, mode, width, height);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  g_free (description);
  return bytes;
}

/* Takes the buffer. */
static void
assert_pixels (GstBuffer *buffer, const Labelled *labelled, guint mode,
    guint width, guint height)
{
  GBytes *wanted = expected_pixels (labelled, mode, width, height);
  GBytes *got;

  fail_unless (buffer != NULL);
  fail_unless (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)));
  got = pixels_of (buffer, mode, width, height);
  fail_unless (g_bytes_equal (wanted, got), "mode %s, %ux%u", modes[mode],
      width, height);
  g_bytes_unref (wanted);
  g_bytes_unref (got);
  gst_buffer_unref (buffer);
}

static const Labelled pictures[] = {
  {1, 1, 8, 0, 1, 5, 0},
  {2, 3, 8, 1, 0, 2, 0},
  {33, 17, 8, 7, 255, 3, 0},
  {64, 48, 16, 0, 200, 4, 200},
  {129, 65, 16, 6, 2000, 5, 1999},
  {31, 9, 8, 0, 200, 6, 100},
  {70, 40, 16, 1, 999, 7, 999},
  {70, 40, 16, 0, 1000, 8, 1000},
  {260, 256, 16, 2, 65535, 9, 65535},
};

TEST_LOOP (test_bytes, 0, G_N_ELEMENTS (pictures))
{
  static const guint scales[][2] = {{1, 1}, {7, 3}, {1, 3}};
  const Labelled *labelled = &pictures[__i__];
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  guint mode, i, j;

  for (mode = 0; mode < 3; mode++) {
    for (i = 0; i < G_N_ELEMENTS (scales); i++) {
      const guint width =
          MAX (labelled->width * scales[i][0] / scales[i][1], 1);
      const guint height =
          MAX (labelled->height * scales[i][0] / scales[i][1], 1);
      GstHarness *h = masker (mode, width, height, NULL);

      for (j = 0; j < 2; j++) {
        GstBuffer *buffer = labelled_buffer (labelled,
            gpu_picture (labelled, shared_context (), j ? stream : NULL));

        GST_BUFFER_PTS (buffer) = j;
        buffer = gst_harness_push_and_pull (h, buffer);
        fail_unless (buffer != NULL);
        assert_equals_uint64 (GST_BUFFER_PTS (buffer), j);
        fail_unless (gst_buffer_get_cca_meta (buffer) != NULL);
        assert_pixels (buffer, labelled, mode, width, height);
      }
      gst_harness_teardown (h);
    }
  }
  gst_cuda_stream_unref (stream);
}

/* A label image may begin behind other rows of its memory. */
TEST_LOOP (test_offset, 0, 2)
{
  const Labelled whole = {65, 33, __i__ ? 16 : 8, 3, 200, 1, 200};
  const Labelled shown = {65, 30, __i__ ? 16 : 8, 3, 200, 1, 200};
  GstBuffer *sources[] = {labelled_picture (&whole),
    gpu_picture (&whole, shared_context (), NULL)};
  GstHarness *h[] = {harness_new ("ccamask mode=colors", GST_VIDEO_FORMAT_GRAY8,
                         65, 30, NULL),
    masker (2, 65, 30, NULL)};
  GBytes *bytes[2];
  guint i;

  for (i = 0; i < 2; i++) {
    GstVideoMeta *video = gst_buffer_get_video_meta (sources[i]);
    GstBuffer *out;

    video->height -= 3;
    video->offset[0] = 3 * (gsize) video->stride[0];
    out =
        gst_harness_push_and_pull (h[i], labelled_buffer (&shown, sources[i]));
    bytes[i] = pixels_of (out, 2, 65, 30);
    gst_buffer_unref (out);
    gst_harness_teardown (h[i]);
  }
  fail_unless (g_bytes_equal (bytes[0], bytes[1]));
  g_bytes_unref (bytes[0]);
  g_bytes_unref (bytes[1]);
}

/* Frames without a label image are black, also the first one, and in memory
 * with other contents. */
TEST (test_no_labels)
{
  const Labelled labelled = {65, 33, 8, 3, 200, 1, 0};
  guint mode, i;

  for (mode = 0; mode < 3; mode++) {
    GstBus *bus;
    GstHarness *h = masker (mode, 65, 33, &bus);

    for (i = 0; i < 5; i++) {
      const Labelled *shown = i % 2 ? &labelled : NULL;
      GstBuffer *buffer = labelled_buffer (&labelled,
          shown ? gpu_picture (shown, shared_context (), NULL) : NULL);

      assert_pixels (gst_harness_push_and_pull (h, buffer), shown, mode, 65,
          33);
    }
    harness_free (h, bus);
  }
}

/* Backgrounds as ccamask shows them. */
TEST_LOOP (test_background, 0, 4)
{
  static const guint depths[] = {8, 9, 12, 16};
  const guint depth = depths[__i__];
  const Labelled picture = {67, 41, depth > 8 ? 16 : 8, 3, (1u << depth) - 1,
    1 + depth, 0};
  GstHarness *cpu = harness_new ("ccamask mode=background",
      GST_VIDEO_FORMAT_GRAY8, 130, 41, NULL);
  GstHarness *gpu = shared_harness_new ("cudaccamask mode=background",
      GST_VIDEO_FORMAT_NV12, 130, 41, NULL);
  GstBuffer *expected = gst_harness_push_and_pull (cpu,
      background_buffer (&picture, labelled_picture (&picture), depth));
  GstBuffer *got = gst_harness_push_and_pull (gpu,
      background_buffer (&picture,
          gpu_picture (&picture, shared_context (), NULL), depth));
  GBytes *a = pixels_of (expected, 0, 130, 41),
         *b = pixels_of (got, 0, 130, 41);

  fail_unless (gst_is_cuda_memory (gst_buffer_peek_memory (got, 0)));
  fail_unless (g_bytes_equal (a, b));
  g_bytes_unref (a);
  g_bytes_unref (b);
  gst_buffer_unref (expected);
  gst_buffer_unref (got);
  gst_harness_teardown (cpu);
  gst_harness_teardown (gpu);
}

/* Frames without a background are black, also the first one. */
TEST (test_no_background)
{
  const Labelled picture = {65, 33, 8, 3, 200, 1, 0};
  GstBus *bus;
  GstHarness *h = shared_harness_new ("cudaccamask mode=background",
      GST_VIDEO_FORMAT_NV12, 65, 33, &bus);
  guint i;

  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = labelled_buffer (&picture, NULL);

    assert_pixels (gst_harness_push_and_pull (h, buffer), NULL, 0, 65, 33);
  }
  harness_free (h, bus);
}

TEST (test_background_in_system_memory)
{
  const Labelled picture = {64, 48, 8, 0, 200, 1, 0};
  GstBus *bus;
  GstHarness *h = shared_harness_new ("cudaccamask mode=background",
      GST_VIDEO_FORMAT_NV12, 64, 48, &bus);

  assert_equals_int (gst_harness_push (h,
                         background_buffer (&picture,
                             labelled_picture (&picture), 8)),
      GST_FLOW_ERROR);
  assert_error (bus, "the background is in system memory, use ccamask");
  harness_free (h, bus);
}

/* Label images are written late on one of two streams, and overwritten as soon
 * as the output is pushed, in stream order. The output has the same stream. */
TEST (test_order)
{
  const Labelled before = {65, 33, 8, 0, 200, 1, 200};
  const Labelled labelled = {65, 33, 8, 0, 200, 2, 200};
  GstCudaStream *streams[2] = {gst_cuda_stream_new (shared_context ()),
    gst_cuda_stream_new (shared_context ())};
  GstHarness *h = masker (2, 65, 33, NULL);
  GstBuffer *bytes = labelled_picture (&labelled);
  gpointer locked;
  guint i;

  fail_unless (gst_cuda_context_push (shared_context ()));
  assert_equals_int (CuMemAllocHost (&locked, 2 * 65 * 33), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  gst_buffer_extract (bytes, 0, locked, 65 * 33);
  memset ((guint8 *) locked + 65 * 33, 0, 65 * 33);
  gst_buffer_unref (bytes);

  for (i = 0; i < 6; i++) {
    GstCudaStream *stream = streams[i / 2 % 2];
    GstBuffer *picture = gpu_picture (&before, shared_context (), stream);
    GstMemory *memory = gst_buffer_peek_memory (picture, 0);
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
      .srcHost = locked,
      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
      .srcPitch = 65,
      .dstPitch = 65,
      .WidthInBytes = 65,
      .Height = 33};
    GstBuffer *out;
    GstMapInfo map;

    fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE | GST_MAP_CUDA));
    copy.dstDevice = (CUdeviceptr) map.data;
    delay (shared_context (), stream);
    fail_unless (gst_cuda_context_push (shared_context ()));
    assert_equals_int (CuMemcpy2DAsync (&copy,
                           gst_cuda_stream_get_handle (stream)),
        CUDA_SUCCESS);
    gst_memory_unmap (memory, &map);

    out = gst_harness_push_and_pull (h,
        labelled_buffer (&labelled, gst_buffer_ref (picture)));
    memory = gst_buffer_peek_memory (out, 0);
    fail_unless (
        gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory)) == stream);
    fail_unless (
        GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC));
    copy.srcHost = (guint8 *) locked + 65 * 33;
    assert_equals_int (CuMemcpy2DAsync (&copy,
                           gst_cuda_stream_get_handle (stream)),
        CUDA_SUCCESS);
    gst_cuda_context_pop (NULL);
    assert_pixels (out, &labelled, 2, 65, 33);
    gst_buffer_unref (picture);
  }
  gst_harness_teardown (h);
  fail_unless (gst_cuda_context_push (shared_context ()));
  CuMemFreeHost (locked);
  gst_cuda_context_pop (NULL);
  gst_cuda_stream_unref (streams[0]);
  gst_cuda_stream_unref (streams[1]);
}

/* A black frame in memory that an earlier frame is still painted to. */
TEST (test_cleared_in_order)
{
  const Labelled labelled = {65, 33, 8, 0, 200, 2, 200};
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstHarness *h = masker (2, 65, 33, NULL);
  guint i;

  for (i = 0; i < 3; i++) {
    GstBuffer *picture = gpu_picture (&labelled, shared_context (), stream);

    delay (shared_context (), stream);
    gst_buffer_unref (gst_harness_push_and_pull (h,
        labelled_buffer (&labelled, gst_buffer_ref (picture))));
    assert_pixels (gst_harness_push_and_pull (h,
                       labelled_buffer (&labelled, NULL)),
        NULL, 2, 65, 33);
    gst_buffer_unref (picture);
  }
  gst_harness_teardown (h);
  gst_cuda_stream_unref (stream);
}

/* Frames with tracks that follow each other without a wait have their own
 * colours, even if the element is freed before they are painted. */
TEST (test_tracks_in_flight)
{
  Labelled labelled = {65, 33, 16, 0, 1500, 1, 1500};
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstHarness *h = masker (2, 65, 33, NULL);
  GstBuffer *out[5];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (out); i++) {
    GstBuffer *buffer;

    labelled.n_tracked = 300 * i;
    buffer = labelled_buffer (&labelled,
        gpu_picture (&labelled, shared_context (), stream));
    delay (shared_context (), stream);
    out[i] = gst_harness_push_and_pull (h, buffer);
  }
  gst_harness_teardown (h);
  for (i = 0; i < G_N_ELEMENTS (out); i++) {
    labelled.n_tracked = 300 * i;
    assert_pixels (out[i], &labelled, 2, 65, 33);
  }
  gst_cuda_stream_unref (stream);
}

/* Two alternating streams, then another context, with changes of caps and
 * modes, and restarts. */
TEST (test_changes)
{
  const Labelled labelled = {65, 33, 16, 0, 1200, 1, 1200};
  GstCudaContext *contexts[2] = {shared_context (), gst_cuda_context_new (0)};
  GstCudaStream *streams[3] = {gst_cuda_stream_new (contexts[0]),
    gst_cuda_stream_new (contexts[0]), gst_cuda_stream_new (contexts[1])};
  GstHarness *h = masker (2, 65, 33, NULL);
  GstElement *element = gst_harness_find_element (h, "cudaccamask");
  guint mode = 2, i;

  for (i = 0; i < 14; i++) {
    const guint s = i < 6 ? i % 2 : i < 10 ? 2 : 0;
    const guint width = i == 8 || i == 9 ? 70 : 65;
    GstBuffer *buffer = labelled_buffer (&labelled,
        gpu_picture (&labelled, contexts[s / 2], streams[s]));

    if (i == 8 || i == 10)
      gst_harness_set_src_caps (h,
          cuda_caps (GST_VIDEO_FORMAT_NV12, width, 33));
    if (i >= 11) {
      mode = i - 11;
      g_object_set (element, "mode", mode, NULL);
    }
    buffer = gst_harness_push_and_pull (h, buffer);
    fail_unless (
        GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (buffer, 0))->context
        == contexts[s / 2]);
    assert_pixels (buffer, &labelled, mode, width, 33);
  }
  gst_object_unref (element);
  gst_harness_teardown (h);
  for (i = 0; i < 3; i++)
    gst_cuda_stream_unref (streams[i]);
  gst_object_unref (contexts[1]);
}

static void
push_bad (const gchar *description, GstBuffer *buffer, const gchar *words)
{
  GstBus *bus;
  GstHarness *h =
      shared_harness_new (description, GST_VIDEO_FORMAT_NV12, 40, 30, &bus);

  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  assert_error (bus, words);
  harness_free (h, bus);
}

TEST (test_refused)
{
  const Labelled labelled = {40, 30, 8, 0, 20, 1, 0};
  GstCudaContext *other;
  gint n = 0;

  push_bad ("cudaccamask",
      labelled_buffer (&labelled, labelled_picture (&labelled)),
      "use ccamask instead");

  CuDeviceGetCount (&n);
  if (n < 2)
    return;
  other = gst_cuda_context_new (1);
  push_bad ("cudaccamask cuda-device-id=0",
      labelled_buffer (&labelled, gpu_picture (&labelled, other, NULL)),
      "cuda-device-id is 0");
  gst_object_unref (other);
}

TEST (test_properties)
{
  GstElement *element = gst_element_factory_make ("cudaccamask", NULL);
  gint id = 0, mode = -1;

  g_object_get (element, "cuda-device-id", &id, "mode", &mode, NULL);
  assert_equals_int (id, -1);
  assert_equals_int (mode, 0);
  g_object_set (element, "cuda-device-id", 1, "mode", 2, NULL);
  g_object_get (element, "cuda-device-id", &id, "mode", &mode, NULL);
  assert_equals_int (id, 1);
  assert_equals_int (mode, 2);
  gst_object_unref (element);
}

/* Downloads by stock and own elements; and ccamask with label images on the
 * GPU. */
TEST_LOOP (test_to_system_memory, 0, 5)
{
  static const struct
  {
    const gchar *description;
    guint width, height, mode;
  } cases[] = {
    {"cudaccamask mode=mask ! cudagraydownload ! capsfilter caps=video/x-raw",
      64, 48, 0},
    {"cudaccamask mode=colors ! cudadownload ! capsfilter caps=video/x-raw", 64,
      48, 2},
    {"ccamask mode=mask", 65, 33, 0},
    {"ccamask mode=labels", 65, 33, 1},
    {"ccamask mode=colors", 65, 33, 2},
  };
  const guint width = cases[__i__].width, height = cases[__i__].height;
  const guint mode = cases[__i__].mode;
  const Labelled labelled = {width, height, width == 64 ? 8 : 16, 0,
    width == 64 ? 20 : 1000, 1, 20};
  GBytes *wanted = expected_pixels (&labelled, mode, width, height), *got;
  GstHarness *h = shared_harness_new (cases[__i__].description,
      GST_VIDEO_FORMAT_NV12, width, height, NULL);
  GstBuffer *out = gst_harness_push_and_pull (h,
      labelled_buffer (&labelled,
          gpu_picture (&labelled, shared_context (), NULL)));

  got = pixels_of (out, mode, width, height);
  fail_unless (g_bytes_equal (wanted, got), "%s", cases[__i__].description);
  fail_unless (gst_buffer_get_cca_meta (out) != NULL);
  g_bytes_unref (wanted);
  g_bytes_unref (got);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

#if GST_CHECK_VERSION(1, 26, 0)

/* A segmentation's mask is in system memory, wherever the label image is. */
TEST (test_segmentation)
{
  const Labelled labelled = {65, 33, 8, 0, 200, 1, 0};
  GstBuffer *buffer = labelled_buffer (&labelled,
      gpu_picture (&labelled, shared_context (), NULL));
  GstBuffer *wanted = labelled_picture (&labelled), *mask;
  GstAnalyticsSegmentationMtd segmentation;
  gpointer state = NULL;
  GstMapInfo map;

  fail_unless (
      gst_cca_labels_meta_emit_segmentation (gst_buffer_get_cca_labels_meta (
                                                 buffer),
          buffer, 65, 33));
  fail_unless (gst_analytics_relation_meta_iterate (
      gst_buffer_get_analytics_relation_meta (buffer), &state,
      gst_analytics_segmentation_mtd_get_mtd_type (), &segmentation));
  mask = gst_analytics_segmentation_mtd_get_mask (&segmentation, NULL, NULL,
      NULL, NULL);
  fail_if (gst_is_cuda_memory (gst_buffer_peek_memory (mask, 0)));
  fail_unless (gst_buffer_map (mask, &map, GST_MAP_READ));
  assert_equals_int (map.size, 65 * 33);
  fail_unless (gst_buffer_memcmp (wanted, 0, map.data, map.size) == 0);
  gst_buffer_unmap (mask, &map);
  gst_buffer_unref (mask);
  gst_buffer_unref (wanted);
  gst_buffer_unref (buffer);
}

#endif

CUDA_SUITE ("cuda-mask");
