/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cudagrayupload and cudagraydownload. */

#include "cudautil.h"

#include <gst/analytics/analytics.h>
#include <string.h>

#define GRAY8 GST_VIDEO_FORMAT_GRAY8

static const guint sizes[][2] = {
  {1, 1},
  {2, 3},
  {17, 5},
  {129, 65},
  {640, 360},
  {1921, 31},
  {511, 512},
};

static void
assert_pixels (GstBuffer *buffer, const Picture *picture)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  guint x, y, n_wrong = 0;

  fail_unless (buffer != NULL);
  gst_video_info_set_format (&info, GRAY8, picture->width, picture->height);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (y = 0; y < picture->height; y++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

    row += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
    for (x = 0; x < picture->width; x++)
      n_wrong += row[x] != picture->pixels[y * picture->width + x];
  }
  gst_video_frame_unmap (&frame);
  fail_unless (n_wrong == 0, "%u pixels of %ux%u are wrong", n_wrong,
      picture->width, picture->height);
}

static gpointer
peek (GstBuffer *buffer)
{
  GstMapInfo map;
  gpointer data;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ | GST_MAP_CUDA));
  data = map.data;
  gst_buffer_unmap (buffer, &map);
  return data;
}

/* There and back, in any layout. */
TEST (test_round_trip)
{
  static const Layout layouts[] = {{TRUE, 0, 0}, {TRUE, 13, 5}};
  GstHarness *h = cuda_harness_new ("cudagrayupload ! cudagraydownload",
      shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Picture picture = picture_new (sizes[i][0], sizes[i][1], noise, i);

    gst_harness_set_src_caps (h, frame_caps (GRAY8, sizes[i][0], sizes[i][1]));
    for (j = 0; j < 9; j++) {
      GstBuffer *buffer =
          frame_new (GRAY8, &picture, j % 3 < 2 ? &layouts[j % 3] : NULL);

      GST_BUFFER_PTS (buffer) = j;
      GST_BUFFER_DURATION (buffer) = 7;
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);
      buffer = gst_harness_push_and_pull (h, buffer);
      fail_unless (buffer != NULL);
      fail_if (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)));
      assert_equals_uint64 (GST_BUFFER_PTS (buffer), j);
      assert_equals_uint64 (GST_BUFFER_DURATION (buffer), 7);
      fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_MARKER));
      assert_pixels (buffer, &picture);
      gst_buffer_unref (buffer);
    }
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
}

/* The stride of a single row has no meaning, in system memory and of a view. */
TEST_LOOP (test_one_row, 0, 2)
{
  static const Layout layout = {TRUE, 0, 0};
  GstHarness *h = __i__ == 0
      ? cuda_harness_new ("cudagrayupload ! cudagraydownload",
            shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL)
      : cuda_harness_new ("cudagrayupload", shared_context (),
            GST_VIDEO_FORMAT_Y444, 64, 1, NULL);
  Picture picture = picture_new (64, 1, noise, 5);
  GstBuffer *buffer = __i__ == 0
      ? frame_new (GRAY8, &picture, &layout)
      : gpu_frame (GST_VIDEO_FORMAT_Y444, &picture, &layout, shared_context (),
            NULL);

  if (__i__ == 0)
    gst_harness_set_src_caps (h, frame_caps (GRAY8, 64, 1));
  gst_buffer_get_video_meta (buffer)->stride[0] = 16;
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_pixels (buffer, &picture);
  gst_buffer_unref (buffer);
  picture_clear (&picture);
  gst_harness_teardown (h);
}

/* Buffers are recycled, and their stream is set. */
TEST (test_pool)
{
  Picture picture = picture_new (640, 360, noise, 1);
  GstHarness *h = cuda_harness_new ("cudagrayupload", shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
  gpointer data = NULL;
  guint i;

  gst_harness_set_src_caps (h, frame_caps (GRAY8, 640, 360));
  for (i = 0; i < 20; i++) {
    GstBuffer *out =
        gst_harness_push_and_pull (h, frame_new (GRAY8, &picture, NULL));
    GstMemory *memory = gst_buffer_peek_memory (out, 0);

    fail_unless (gst_is_cuda_memory (memory));
    fail_unless (gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory)));
    fail_unless (GST_CUDA_MEMORY_CAST (memory)->context == shared_context ());
    fail_unless (gst_buffer_get_video_meta (out) != NULL);
    fail_unless (data == NULL || data == peek (out));
    data = peek (out);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

static void
on_parent_gone (gpointer data, GstMiniObject *object)
{
  *(gboolean *) data = TRUE;
}

/* A view of the luma plane without a copy, and the original stays. */
TEST_LOOP (test_view, 0, 6)
{
  static const GstVideoFormat yuv[] = {
    GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_NV21,
    GST_VIDEO_FORMAT_I420,
    GST_VIDEO_FORMAT_YV12,
    GST_VIDEO_FORMAT_Y42B,
    GST_VIDEO_FORMAT_Y444,
  };
  GstVideoFormat format = yuv[__i__];
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint width = sizes[i][0], height = sizes[i][1];
    Picture picture = picture_new (width, height, noise, i);
    Layout layout = {TRUE, i * 3, i * 5};
    GstHarness *h = cuda_harness_new ("cudagrayupload", shared_context (),
        format, width, height, NULL);

    for (j = 0; j < 4; j++) {
      GstBuffer *in = gpu_frame (format, &picture, i % 2 ? &layout : NULL,
          shared_context (), j % 2 ? stream : NULL);
      GstMemory *memory = gst_buffer_peek_memory (in, 0), *shown;
      const guint8 *data = peek (in);
      gboolean gone = FALSE;
      GstBuffer *out;

      if (j == 3)
        GST_MINI_OBJECT_FLAG_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
      gst_mini_object_weak_ref (GST_MINI_OBJECT (in), on_parent_gone, &gone);
      out = gst_harness_push_and_pull (h, in);
      shown = gst_buffer_peek_memory (out, 0);
      fail_unless (peek (out) == data + (i % 2 ? layout.offset : 0));
      fail_unless (gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (shown))
          == (j % 2 ? stream : NULL));
      fail_unless (
          !!GST_MEMORY_FLAG_IS_SET (shown, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC)
          == (j == 3));
      fail_if (gone);
      /* a download through libgstcuda's own staging memory */
      assert_pixels (out, &picture);
      fail_if (gone);
      gst_buffer_unref (out);
      fail_unless (gone);
    }
    gst_harness_teardown (h);
    picture_clear (&picture);
  }
  gst_cuda_stream_unref (stream);
}

/* A download waits for the stream on which the frame is still being written. */
TEST (test_download_in_order)
{
  Picture before = picture_new (65, 33, noise, 2);
  Picture picture = picture_new (65, 33, noise, 3);
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstBuffer *frame =
      gpu_frame (GRAY8, &before, NULL, shared_context (), stream);
  GstBuffer *late = frame_new (GRAY8, &picture, NULL), *out;
  GstHarness *h = cuda_harness_new ("cudagraydownload", shared_context (),
      GRAY8, 65, 33, NULL);
  gsize size;
  gpointer bytes = locked_copy (late, &size);

  write_later (frame, bytes, size);
  out = gst_harness_push_and_pull (h, frame);
  assert_pixels (out, &picture);
  gst_buffer_unref (out);
  gst_buffer_unref (late);
  free_locked (bytes);
  gst_harness_teardown (h);
  gst_cuda_stream_unref (stream);
  picture_clear (&before);
  picture_clear (&picture);
}

/* Shared memory must not be written. */
TEST (test_view_is_read_only)
{
  Picture picture = picture_new (64, 48, noise, 1);
  GstHarness *h = cuda_harness_new ("cudagrayupload", shared_context (),
      GST_VIDEO_FORMAT_NV12, 64, 48, NULL);
  GstBuffer *out = gst_harness_push_and_pull (h,
      gpu_frame (GST_VIDEO_FORMAT_NV12, &picture, NULL, shared_context (),
          NULL));
  GstMapInfo map;

  fail_if (gst_memory_map (gst_buffer_peek_memory (out, 0), &map,
      GST_MAP_WRITE | GST_MAP_CUDA));
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* All of it is the same frame for cudacca. */
TEST (test_analysis)
{
  Picture picture = picture_new (641, 97, noise, 3);
  GstBuffer *gray = frame_new (GRAY8, &picture, NULL);
  GBytes *expected = bytes_of ("cca", GRAY8, 641, 97, gray);
  guint i;

  for (i = 0; i < 4; i++) {
    GstHarness *h = cuda_harness_new (i % 2
            ? "cudagrayupload ! cudacca"
            : "cudagrayupload ! cudacca ! cudagraydownload",
        shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
    GstBuffer *out;
    GBytes *bytes;

    gst_harness_set_src_caps (h,
        i < 2 ? frame_caps (GRAY8, 641, 97)
              : cuda_caps (GST_VIDEO_FORMAT_NV12, 641, 97));
    out = gst_harness_push_and_pull (h,
        i < 2 ? gst_buffer_ref (gray)
              : gpu_frame (GST_VIDEO_FORMAT_NV12, &picture, NULL,
                    shared_context (), NULL));
    bytes = meta_bytes (out);
    assert_same_bytes (bytes, expected, "grey");
    g_bytes_unref (bytes);
    gst_buffer_unref (out);
    gst_harness_teardown (h);
  }
  g_bytes_unref (expected);
  gst_buffer_unref (gray);
  picture_clear (&picture);
}

static void
add_metas (GstBuffer *buffer)
{
  static const GstCcaAnalysis analysis = {.width = 64,
    .height = 48,
    .connectivity = 8,
    .n_found = 0};
  GstAnalyticsRelationMeta *relation;
  GstAnalyticsODMtd od;

  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, NULL));
  gst_buffer_add_video_region_of_interest_meta (buffer, "thing", 1, 2, 3, 4);
  gst_buffer_add_protection_meta (buffer, gst_structure_new_empty ("other"));
  relation = gst_buffer_add_analytics_relation_meta (buffer);
  gst_analytics_relation_meta_add_od_mtd (relation,
      g_quark_from_static_string ("thing"), 1, 2, 3, 4, 1.0, &od);
}

static void
assert_metas (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *relation =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_get_video_region_of_interest_meta_id (buffer, 0);

  fail_unless (gst_buffer_get_cca_meta (buffer) != NULL);
  fail_unless (gst_buffer_get_protection_meta (buffer) != NULL);
  fail_unless (roi != NULL && roi->x == 1 && roi->h == 4);
  fail_unless (
      relation != NULL && gst_analytics_relation_get_length (relation) == 1);
  assert_equals_int (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), 1);
}

/* Metas about the picture are kept. */
TEST (test_metas)
{
  Picture picture = picture_new (64, 48, noise, 3);
  guint i;

  for (i = 0; i < 2; i++) {
    GstHarness *h = cuda_harness_new ("cudagrayupload ! cudagraydownload",
        shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);
    GstBuffer *buffer = i
        ? frame_new (GRAY8, &picture, NULL)
        : gpu_frame (GST_VIDEO_FORMAT_I420, &picture, NULL, shared_context (),
              NULL);

    gst_harness_set_src_caps (h,
        i ? frame_caps (GRAY8, 64, 48)
          : cuda_caps (GST_VIDEO_FORMAT_I420, 64, 48));
    add_metas (buffer);
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_metas (buffer);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
  picture_clear (&picture);
}

/* A crop is applied, and its meta removed. */
TEST (test_crop)
{
  Picture whole = picture_new (127, 99, noise, 3);
  Picture part = picture_new (50, 40, nothing, 0);
  GstBus *bus;
  guint i, y;

  for (y = 0; y < part.height; y++)
    memcpy (part.pixels + y * part.width,
        whole.pixels + (y + 21) * whole.width + 33, 2 * part.width);
  for (i = 0; i < 3; i++) {
    GstHarness *h = cuda_harness_new ("cudagrayupload ! cudagraydownload",
        shared_context (), GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);
    Layout layout = {TRUE, 3, 5};
    GstBuffer *buffer = i
        ? frame_new (GRAY8, &whole, &layout)
        : gpu_frame (GST_VIDEO_FORMAT_I420, &whole, &layout, shared_context (),
              NULL);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = 33;
    crop->y = 21;
    crop->width = i == 2 ? 51 : 50;
    crop->height = 40;
    gst_harness_set_src_caps (h,
        i ? frame_caps (GRAY8, 50, 40)
          : cuda_caps (GST_VIDEO_FORMAT_I420, 50, 40));
    if (i == 2) {
      assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
      assert_error (bus, "51x40");
    } else {
      buffer = gst_harness_push_and_pull (h, buffer);
      assert_pixels (buffer, &part);
      fail_unless (gst_buffer_get_video_crop_meta (buffer) == NULL);
      gst_buffer_unref (buffer);
    }
    harness_free (h, bus);
  }
  picture_clear (&whole);
  picture_clear (&part);
}

static GstFlowReturn
push_bad (const gchar *description, GstCaps *caps, GstBuffer *buffer,
    const gchar *words)
{
  GstBus *bus;
  GstHarness *h = cuda_harness_new (description, shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, &bus);
  GstFlowReturn ret;

  gst_harness_set_src_caps (h, caps);
  ret = gst_harness_push (h, buffer);
  assert_error (bus, words);
  harness_free (h, bus);
  return ret;
}

TEST (test_bad_input)
{
  Picture picture = picture_new (64, 48, noise, 3);
  Picture small = picture_new (64, 47, noise, 3);
  GstBuffer *two = gpu_frame (GST_VIDEO_FORMAT_NV12, &picture, NULL,
      shared_context (), NULL);

  assert_equals_int (push_bad ("cudagrayupload", frame_caps (GRAY8, 64, 48),
                         frame_new (GRAY8, &small, NULL), "bytes but has"),
      GST_FLOW_ERROR);
  assert_equals_int (push_bad ("cudagrayupload",
                         cuda_caps (GST_VIDEO_FORMAT_NV12, 64, 48),
                         gpu_frame (GST_VIDEO_FORMAT_I420, &picture, NULL,
                             shared_context (), NULL),
                         "does not fit the caps"),
      GST_FLOW_ERROR);
  gst_buffer_append_memory (two, gst_allocator_alloc (NULL, 10, NULL));
  assert_equals_int (push_bad ("cudagrayupload",
                         cuda_caps (GST_VIDEO_FORMAT_NV12, 64, 48), two,
                         "2 memories"),
      GST_FLOW_ERROR);
  assert_equals_int (push_bad ("cudagraydownload", cuda_caps (GRAY8, 64, 48),
                         frame_new (GRAY8, &picture, NULL),
                         "not in CUDA memory"),
      GST_FLOW_ERROR);
  picture_clear (&picture);
  picture_clear (&small);
}

/* GRAY8 passes unchanged. */
TEST (test_passthrough)
{
  Picture picture = picture_new (64, 48, noise, 3);
  GstHarness *h = cuda_harness_new ("cudagrayupload", shared_context (), GRAY8,
      64, 48, NULL);
  GstBuffer *in = gpu_frame (GRAY8, &picture, NULL, shared_context (), NULL);

  fail_unless (gst_harness_push_and_pull (h, in) == in);
  gst_buffer_unref (in);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

CUDA_SUITE ("cuda-gray");
