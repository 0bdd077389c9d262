/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cudacca attaches the same bytes as cca for each format and layout. */

#include "cudautil.h"

static const guint sizes[][2] = {
  {1, 1},
  {2, 3},
  {17, 5},
  {33, 17},
  {127, 63},
  {128, 64},
  {129, 65},
  {255, 3},
  {3, 255},
  {641, 97},
  {1921, 31},
};

static const Layout layouts[] = {
  {TRUE, 0, 0},
  {TRUE, 0, 2},
  {TRUE, 14, 30},
  {TRUE, 512, 512},
};

/* Odd strides and offsets: for 8-bit samples only. */
static const Layout odd_layouts[] = {
  {TRUE, 1, 1},
  {TRUE, 3, 7},
  {TRUE, 13, 255},
};

static const gchar *const algorithms[] = {"auto", "flsl-cd", "tiled"};

/* Compares with a flood fill, and with cca if that has the format. */
static void
assert_frame (GstHarness *h, GstVideoFormat format, const Picture *picture,
    const Layout *layout, gboolean with_meta)
{
  GstBuffer *system = frame_new (format, picture, layout);
  GstBuffer *in = to_gpu (system, format, picture->width, picture->height,
      shared_context (), NULL);
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  Look look = default_look;
  GstBuffer *out;
  GArray *expected;

  look.threshold = format_threshold (format, 128);
  expected = expect (picture, &look);
  if (!with_meta && layout != NULL)
    gst_buffer_remove_meta (in, (GstMeta *) gst_buffer_get_video_meta (in));
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out == in);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  assert_components (gst_buffer_get_cca_meta (out), expected);

  if (is_cca_format (format)) {
    GBytes *theirs =
        bytes_of ("cca", format, picture->width, picture->height, system);
    GBytes *ours = meta_bytes (out);

    assert_same_bytes (ours, theirs, gst_video_format_to_string (format));
    g_bytes_unref (theirs);
    g_bytes_unref (ours);
  }
  g_array_unref (expected);
  gst_buffer_unref (out);
  gst_buffer_unref (system);
}

TEST_LOOP (test_formats, 0, n_cuda_formats)
{
  GstVideoFormat format = cuda_formats[__i__];
  guint sample =
      GST_VIDEO_FORMAT_INFO_PSTRIDE (gst_video_format_get_info (format), 0);
  guint a, i, j;

  for (a = __i__ % amount (1, 3); a < G_N_ELEMENTS (algorithms);
      a += amount (1, 3)) {
    gchar *cudacca = g_strdup_printf ("cudacca algorithm=%s", algorithms[a]);
    GstHarness *h = cuda_harness_new (cudacca, shared_context (),
        GST_VIDEO_FORMAT_UNKNOWN, 0, 0, NULL);

    for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
      Picture picture =
          noise_picture (format, sizes[i][0], sizes[i][1], i * 11 + 1 + i % 4);

      gst_harness_set_src_caps (h,
          cuda_caps (format, sizes[i][0], sizes[i][1]));
      assert_frame (h, format, &picture, NULL, FALSE);
      for (j = 0; j < G_N_ELEMENTS (layouts); j++)
        assert_frame (h, format, &picture, &layouts[j], (i + j) % 2);
      for (j = 0; sample == 1 && j < G_N_ELEMENTS (odd_layouts); j++)
        assert_frame (h, format, &picture, &odd_layouts[j], (i + j) % 2);
      picture_clear (&picture);
    }
    gst_harness_teardown (h);
    g_free (cudacca);
  }
}

/* The same samples, shifted to the depth of the format, are the same picture,
 * and thresholds mean the same. */
TEST_LOOP (test_depths, 0, n_cuda_formats)
{
  GstVideoFormat format = cuda_formats[__i__];
  Picture picture = picture_new (301, 203, noise, 5);
  GArray *expected = expect (&picture, &default_look);
  guint a;

  picture_deepen (&picture, format);
  for (a = 0; a < G_N_ELEMENTS (algorithms); a++) {
    gchar *cudacca = g_strdup_printf ("cudacca algorithm=%s", algorithms[a]);
    GstHarness *h =
        cuda_harness_new (cudacca, shared_context (), format, 301, 203, NULL);
    const GstCcaAnalysis *analysis;
    GstBuffer *buffer;

    buffer = gst_harness_push_and_pull (h,
        gpu_frame (format, &picture, NULL, shared_context (), NULL));
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    analysis = gst_cca_meta_get_analysis (gst_buffer_get_cca_meta (buffer));
    assert_equals_int (analysis->depth, format_depth (format));
    assert_equals_int (analysis->threshold, format_threshold (format, 128));
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
    g_free (cudacca);
  }
  g_array_unref (expected);
  picture_clear (&picture);
}

/* Every property that has a say in the result. */
TEST (test_properties)
{
  static const gchar *const properties[] = {
    "threshold=20 connectivity=4",
    "threshold=100 threshold-high=140",
    "invert=true connectivity=4",
    "min-area=4 max-area=60",
    "min-width=2 max-width=9 max-height=7 min-aspect=50 max-aspect=150",
    "min-height=2 min-extent=60 exclude-border=true",
    "min-peak=170",
    "min-peak=180 invert=true open-radius=1 connectivity=4",
    "roi-x=13 roi-y=9 roi-width=100 roi-height=41",
    "roi-x=500",
    "order=area max-components=7",
    "max-components=1",
    "threshold=255",
    "threshold=9 threshold-high=9 invert=true",
  };
  Picture picture = picture_new (301, 203, noise, 3);
  Layout layout = {TRUE, 5, 11};
  GstBuffer *system = frame_new (GST_VIDEO_FORMAT_NV12, &picture, &layout);
  guint i, a;

  for (i = 0; i < G_N_ELEMENTS (properties); i++) {
    gchar *cca = g_strconcat ("cca ", properties[i], NULL);
    GBytes *theirs = bytes_of (cca, GST_VIDEO_FORMAT_NV12, 301, 203, system);

    for (a = 0; a < G_N_ELEMENTS (algorithms); a++) {
      gchar *cudacca = g_strdup_printf ("cudacca algorithm=%s %s",
          algorithms[a], properties[i]);
      GstHarness *h = cuda_harness_new (cudacca, shared_context (),
          GST_VIDEO_FORMAT_NV12, 301, 203, NULL);
      GstBuffer *out = gst_harness_push_and_pull (h,
          to_gpu (system, GST_VIDEO_FORMAT_NV12, 301, 203, shared_context (),
              NULL));
      GBytes *ours = meta_bytes (out);

      assert_same_bytes (ours, theirs, cudacca);
      g_bytes_unref (ours);
      gst_buffer_unref (out);
      gst_harness_teardown (h);
      g_free (cudacca);
    }
    g_bytes_unref (theirs);
    g_free (cca);
  }
  gst_buffer_unref (system);
  picture_clear (&picture);
}

/* The crop meta's rectangle is the picture, as in cca. */
TEST (test_crop)
{
  static const guint crops[][4] = {
    {0, 0, 64, 48},
    {7, 3, 64, 48},
    {33, 21, 50, 60},
    {100, 70, 200, 200},
    {500, 0, 10, 10},
    {0, 0, 0, 0},
  };
  Layout layout = {TRUE, 3, 5};
  Picture picture = picture_new (127, 99, noise, 3);
  GstBuffer *system = frame_new (GST_VIDEO_FORMAT_I420, &picture, &layout);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (system);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (crops); i++) {
    GstHarness *h = cuda_harness_new ("cudacca", shared_context (),
        GST_VIDEO_FORMAT_I420, 64, 48, NULL);
    GBytes *ours, *theirs;
    GstBuffer *out;

    crop->x = crops[i][0];
    crop->y = crops[i][1];
    crop->width = crops[i][2];
    crop->height = crops[i][3];
    theirs = bytes_of ("cca", GST_VIDEO_FORMAT_I420, 64, 48, system);
    out = gst_harness_push_and_pull (h,
        to_gpu (system, GST_VIDEO_FORMAT_I420, 127, 99, shared_context (),
            NULL));
    ours = meta_bytes (out);
    assert_same_bytes (ours, theirs, "crop");
    g_bytes_unref (ours);
    g_bytes_unref (theirs);
    gst_buffer_unref (out);
    gst_harness_teardown (h);
  }
  gst_buffer_unref (system);
  picture_clear (&picture);
}

/* Other metas stay, and those of all meta-types are attached. */
TEST (test_metas)
{
  Picture picture = picture_new (64, 48, noise, 4);
  GArray *expected = expect (&picture, &default_look);
  GstHarness *h = cuda_harness_new ("cudacca meta-types=cca+roi+analytics "
                                    "max-objects=3 ! cudacca threshold=20",
      shared_context (), GST_VIDEO_FORMAT_NV12, 64, 48, NULL);
  GstBuffer *in = gpu_frame (GST_VIDEO_FORMAT_NV12, &picture, NULL,
      shared_context (), NULL);
  GstBuffer *out;

  gst_buffer_add_protection_meta (in, gst_structure_new_empty ("other"));
  GST_BUFFER_PTS (in) = 4711;
  out = gst_harness_push_and_pull (h, in);
  fail_unless (gst_buffer_get_protection_meta (out) != NULL);
  assert_equals_uint64 (GST_BUFFER_PTS (out), 4711);
  assert_components (nth_meta (out, 0), expected);
  fail_unless (nth_meta (out, 1) != NULL);
  fail_unless (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
      == 3);
  gst_buffer_unref (out);

  /* a buffer that others hold is not written to */
  in = gpu_frame (GST_VIDEO_FORMAT_NV12, &picture, NULL, shared_context (),
      NULL);
  gst_buffer_ref (in);
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out != in);
  fail_unless (
      gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  fail_unless (gst_buffer_get_cca_meta (in) == NULL);
  assert_components (nth_meta (out, 0), expected);
  gst_buffer_unref (in);
  gst_buffer_unref (out);

  gst_harness_teardown (h);
  g_array_unref (expected);
  picture_clear (&picture);
}

/* A gap without memory passes, with nothing attached. */
TEST (test_gap)
{
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (),
      GST_VIDEO_FORMAT_NV12, 64, 48, NULL);
  GstBuffer *gap = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  gap = gst_harness_push_and_pull (h, gap);
  fail_unless (gap != NULL && gst_buffer_get_cca_meta (gap) == NULL);
  gst_buffer_unref (gap);
  gst_harness_teardown (h);
}

CUDA_SUITE ("cuda-frames");
