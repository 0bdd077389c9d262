/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames with a GstVideoCropMeta, or larger than their caps. */

#include "util.h"

#include <string.h>

#define WIDTH 33
#define HEIGHT 17

static GstHarness *h;
static Picture picture;

static void
setup (void)
{
  picture = picture_new (WIDTH, HEIGHT, noise, 2);
}

static void
teardown (void)
{
  picture_clear (&picture);
}

/* Pixels inside the rectangle, in coordinates of the rectangle. */
static Picture
cropped (const Picture *whole, guint x, guint y, guint width, guint height)
{
  Picture part = {width, height, g_new (guint16, width * height)};
  guint i;

  for (i = 0; i < height; i++)
    memcpy (part.pixels + i * width, whole->pixels + (y + i) * whole->width + x,
        width * sizeof (guint16));
  return part;
}

static GstBuffer *
frame_with_crop (GstVideoFormat format, const Picture *whole, guint x, guint y,
    guint width, guint height)
{
  Layout layout = {TRUE, 4, 6};
  GstBuffer *buffer = frame_new (format, whole, &layout);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = x;
  crop->y = y;
  crop->width = width;
  crop->height = height;
  return buffer;
}

TEST (test_crop)
{
  static const guint crops[][4] = {
    {0, 0, WIDTH, HEIGHT},
    {0, 0, 1, 1},
    {5, 3, 20, 10},
    {WIDTH - 1, HEIGHT - 1, 1, 1},
    {7, 0, WIDTH - 7, HEIGHT},
  };
  guint i, f;

  for (f = 0; f < n_formats; f++) {
    h = harness_new ("cca threshold-depth=0", formats[f], WIDTH, HEIGHT, NULL);
    for (i = 0; i < G_N_ELEMENTS (crops); i++) {
      const guint *c = crops[i];
      Picture part = cropped (&picture, c[0], c[1], c[2], c[3]);
      Look look = default_look;
      GArray *expected;
      GstBuffer *buffer;
      GstCcaMeta *meta;

      /* the region of interest counts from the rectangle's corner */
      look.roi_x = i ? 0 : 2;
      gst_harness_set (h, "cca", "roi-x", look.roi_x, NULL);
      expected = expect (&part, &look);
      buffer = gst_harness_push_and_pull (h,
          frame_with_crop (formats[f], &picture, c[0], c[1], c[2], c[3]));
      meta = gst_buffer_get_cca_meta (buffer);
      assert_components (meta, expected);
      assert_equals_int (gst_cca_meta_get_analysis (meta)->width, c[2]);
      assert_equals_int (gst_cca_meta_get_analysis (meta)->height, c[3]);
      gst_buffer_unref (buffer);
      g_array_unref (expected);
      picture_clear (&part);
    }
    gst_harness_teardown (h);
  }
}

/* Rectangles that leave the frame are clipped to it. */
TEST (test_crop_outside)
{
  static const guint crops[][6] = {
    /* x, y, width, height, and the size of the picture */
    {30, 10, 100, 100, 3, 7},
    {0, 0, G_MAXUINT, G_MAXUINT, WIDTH, HEIGHT},
    {WIDTH, 0, 5, 5, 0, 0},
    {0, HEIGHT, 5, 5, 0, 0},
    {0, 0, 0, 0, 0, 0},
    {G_MAXUINT, G_MAXUINT, G_MAXUINT, G_MAXUINT, 0, 0},
    {3, 3, 9, 0, 0, 0},
  };
  guint i;

  h = harness_new ("cca", GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, NULL);
  for (i = 0; i < G_N_ELEMENTS (crops); i++) {
    const guint *c = crops[i];
    gboolean empty = c[4] == 0;
    GstBuffer *buffer;
    GstCcaMeta *meta;

    buffer = gst_harness_push_and_pull (h,
        frame_with_crop (GST_VIDEO_FORMAT_NV12, &picture, c[0], c[1], c[2],
            c[3]));
    meta = gst_buffer_get_cca_meta (buffer);
    fail_unless (meta != NULL);
    assert_equals_int (gst_cca_meta_get_analysis (meta)->width,
        empty ? WIDTH : c[4]);
    assert_equals_int (gst_cca_meta_get_analysis (meta)->height,
        empty ? HEIGHT : c[5]);
    if (empty) {
      assert_equals_int (gst_cca_meta_get_n_found (meta), 0);
    } else {
      Picture part = cropped (&picture, c[0], c[1], c[4], c[5]);
      GArray *expected = expect (&part, &default_look);

      assert_components (meta, expected);
      g_array_unref (expected);
      picture_clear (&part);
    }
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* Decoders crop frames that are larger than the caps: so may be the part. */
TEST (test_crop_beyond_caps)
{
  Picture large = picture_new (301, 203, noise, 6);
  Picture part = cropped (&large, 100, 3, 200, 190);
  GArray *expected = expect (&part, &default_look);
  GstBuffer *buffer;
  GstCcaMeta *meta;

  h = harness_new ("cca", GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT, NULL);
  buffer = gst_harness_push_and_pull (h,
      frame_with_crop (GST_VIDEO_FORMAT_I420, &large, 100, 3, 200, 190));
  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  gst_buffer_unref (buffer);
  assert_analysis (h, GST_VIDEO_FORMAT_I420, &picture, &default_look);

  /* the frame may be larger than the caps without a crop, too */
  buffer = gst_harness_push_and_pull (h,
      frame_new (GST_VIDEO_FORMAT_I420, &large, &(Layout) {TRUE, 0, 0}));
  g_array_unref (expected);
  picture_clear (&part);
  part = cropped (&large, 0, 0, WIDTH, HEIGHT);
  expected = expect (&part, &default_look);
  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  gst_buffer_unref (buffer);

  /* an empty crop has the size of the caps */
  buffer = gst_harness_push_and_pull (h,
      frame_with_crop (GST_VIDEO_FORMAT_I420, &large, 0, 0, 0, 0));
  meta = gst_buffer_get_cca_meta (buffer);
  assert_equals_int (gst_cca_meta_get_analysis (meta)->width, WIDTH);
  assert_equals_int (gst_cca_meta_get_analysis (meta)->height, HEIGHT);
  gst_buffer_unref (buffer);

  gst_harness_teardown (h);
  g_array_unref (expected);
  picture_clear (&part);
  picture_clear (&large);
}

/* A column after a row: the engine reserves for the larger of the two, as a frame
 * of both sizes would exceed the supported number of pixels. */
TEST (test_column_after_row)
{
  const guint length = 65536;
  Picture column = picture_new (1, length, full, 0);
  Picture row = picture_new (length, 1, full, 0);
  guint i;

  h = harness_new ("cca", GST_VIDEO_FORMAT_GRAY8, length, 1, NULL);
  for (i = 0; i < 4; i++) {
    const Picture *p = i % 2 ? &column : &row;
    Layout layout = {TRUE, 0, 0};
    GArray *expected = expect (p, &default_look);
    GstBuffer *buffer = frame_new (GST_VIDEO_FORMAT_GRAY8, p, &layout);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->width = p->width;
    crop->height = p->height;
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    gst_buffer_unref (buffer);
    g_array_unref (expected);
  }
  gst_harness_teardown (h);
  picture_clear (&column);
  picture_clear (&row);
}

SUITE ("crop", .setup = setup, .teardown = teardown);
