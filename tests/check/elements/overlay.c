/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaoverlay: cases of system memory. */

#include "overlay-suite.h"

#include <math.h>

#include <gst/ccameta/gstccafeatures.h>

static GstBuffer *
put (GstBuffer *system, const GstVideoInfo *info)
{
  return system;
}

static guint8 *
get (GstBuffer *buffer, gsize size)
{
  gpointer bytes = NULL;
  gsize n = 0;

  gst_buffer_extract_dup (buffer, 0, size, &bytes, &n);
  fail_unless_equals_int (n, size);
  return bytes;
}

const OverlayPlace overlay_place = {
  .element = "ccaoverlay",
  .n_rounds = 10,
  .put = put,
  .get = get,
};

/* The distance of a point from the segment between two points. */
static gdouble
distance (const gdouble p[2], const gdouble a[2], const gdouble b[2])
{
  const gdouble dx = b[0] - a[0], dy = b[1] - a[1];
  const gdouble t =
      ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / MAX (dx * dx + dy * dy, 1e-9);
  const gdouble at = CLAMP (t, 0, 1);

  return hypot (p[0] - a[0] - at * dx, p[1] - a[1] - at * dy);
}

/* Draws a component of 2 x 1 pixels, stretched to 200 x 100 and turned by the
 * sums, in a picture of half its width. */
static guint8 *
draw_ellipse (const GstVideoInfo *info, gdouble centroid_x,
    GstCcaFeatureFlags flags, const GstCcaFeatures *features,
    const gchar *description)
{
  OverlayRig rig = overlay_rig_new (&overlay_place, description, info, 1);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstCcaComponent box = component_at (30, 20, 140, 110, 3);
  guint8 *bytes;

  box.centroid_x = centroid_x;
  box.centroid_y = 74.5;
  box.area = 4;
  gst_buffer_memset (buffer, 0, 0, -1);
  add_components (buffer, 320, 150, &box, 1);
  gst_cca_meta_set_features_from_records (gst_buffer_get_cca_meta (buffer),
      flags, features, flags ? 1 : 0);
  buffer = gst_harness_push_and_pull (rig.h, buffer);
  bytes = get (buffer, info->size);
  gst_buffer_unref (buffer);
  overlay_rig_clear (&rig);
  return bytes;
}

#define ON "ccaoverlay line-width=2 draw-labels=false draw-axes="

/* The pixels that axes add to a drawing are those near the two segments, scaled
 * as the picture was. Without moments there are none. */
TEST (test_axes)
{
  /* four pixels at 74, 74 and 124, 74 and their mirror images, sheared */
  const GstCcaFeatures features = {.xx = 4 * 9900 + 1 + 6400,
    .xy = 4 * 7413 - 1 + 1600,
    .yy = 4 * 5550 + 1 + 1600};
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 160, 150, NULL);
  guint8 *plain = draw_ellipse (&info, 99.5, 1, &features, ON "false");
  guint8 *drawn = draw_ellipse (&info, 99.5, 1, &features, ON "true");
  guint8 *other = draw_ellipse (&info, 99.5, 6, &features, ON "true");
  guint8 *none = draw_ellipse (&info, 99.5, 0, NULL, ON "true");
  GstCcaComponent c = {.area = 4, .centroid_x = 99.5, .centroid_y = 74.5};
  gdouble lengths[2], angle, ends[4][2];
  guint i, x, y, n = 0;

  fail_unless (memcmp (plain, other, info.size) == 0);
  fail_unless (memcmp (plain, none, info.size) == 0);
  gst_cca_features_get_axes (&features, &c, &lengths[0], &lengths[1]);
  angle = gst_cca_features_get_orientation (&features, &c);
  fail_unless (lengths[0] > 100 && lengths[1] > 40 && lengths[0] < 400);
  for (i = 0; i < 4; i++) {
    const gdouble along = (i % 2 ? 1 : -1) * lengths[i / 2] / 2;
    const gdouble turned = angle + (i < 2 ? 0 : G_PI_2);

    ends[i][0] = (100 + along * sin (turned)) / 2 - 0.5;
    ends[i][1] = 74.5 + along * cos (turned);
  }
  for (y = 0; y < 150; y++)
    for (x = 0; x < 160; x++) {
      const gdouble p[2] = {x, y};
      const gdouble near =
          MIN (distance (p, ends[0], ends[1]), distance (p, ends[2], ends[3]));
      const gboolean differs =
          plain[y * info.stride[0] + x] != drawn[y * info.stride[0] + x];

      n += differs;
      /* a box or a line are there already, or a line is next to it */
      fail_if (differs && near > 2.5, "%u,%u: %f", x, y, near);
      /* lines are rounded by up to a pixel */
      fail_if (near < 0.3 && drawn[y * info.stride[0] + x] == 0
              && drawn[(y - 1) * info.stride[0] + x] == 0
              && drawn[y * info.stride[0] + x - 1] == 0,
          "%u,%u", x, y);
    }
  fail_unless (n > 100);
  g_free (plain);
  g_free (drawn);
  g_free (other);
  g_free (none);
}

/* Four pixels in a row of a picture of 8 x 4 pixels, which is drawn 21 times as
 * large: the axis goes through the middle of the pixels' row. */
TEST (test_axes_enlarged)
{
  const GstCcaFeatures features = {.xx = 54, .xy = 14, .yy = 4};
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 168, 84, NULL);
  guint8 *drawn[2];
  guint i, x, y, x0 = 168, x1 = 0, y0 = 84, y1 = 0;

  for (i = 0; i < 2; i++) {
    OverlayRig rig = overlay_rig_new (&overlay_place,
        i == 0 ? ON "false" : ON "true", &info, 1);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
    GstCcaComponent c = component_at (2, 1, 4, 1, 3);

    c.centroid_x = 3.5;
    c.centroid_y = 1;
    c.area = 4;
    gst_buffer_memset (buffer, 0, 0, -1);
    add_components (buffer, 8, 4, &c, 1);
    gst_cca_meta_set_features_from_records (gst_buffer_get_cca_meta (buffer),
        GST_CCA_FEATURE_FLAG_MOMENTS, &features, 1);
    buffer = gst_harness_push_and_pull (rig.h, buffer);
    drawn[i] = get (buffer, info.size);
    gst_buffer_unref (buffer);
    overlay_rig_clear (&rig);
  }
  for (y = 0; y < 84; y++)
    for (x = 0; x < 168; x++) {
      const gsize at = y * info.stride[0] + x;

      if (drawn[0][at] == drawn[1][at])
        continue;
      x0 = MIN (x0, x);
      x1 = MAX (x1, x);
      y0 = MIN (y0, y);
      y1 = MAX (y1, y);
    }
  fail_unless (y0 == 30 && y1 == 31, "rows %u to %u", y0, y1);
  fail_unless (x0 >= 35 && x0 <= 37 && x1 >= 130 && x1 <= 132,
      "columns %u to %u", x0, x1);
  g_free (drawn[0]);
  g_free (drawn[1]);
}

/* Centroids that are no numbers draw no axes, and others may be anywhere. */
TEST_LOOP (test_axes_lies, 0, 3)
{
  static const gdouble centroids[] = {NAN, 1e12, -1e12};
  const GstCcaFeatures features = {.xx = 1};
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 160, 150, NULL);
  const gdouble x = centroids[__i__];
  guint8 *plain =
      draw_ellipse (&info, x, 1, &features, ON "false trails=false");
  guint8 *drawn = draw_ellipse (&info, x, 1, &features, ON "true trails=false");

  if (__i__ == 0)
    fail_unless (memcmp (plain, drawn, info.size) == 0);
  g_free (plain);
  g_free (drawn);
}

/* Planes in memories of their own, one of them shared with another buffer. */
TEST (test_several_memories)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_I420, 40, 30, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *whole = overlay_frame (&info, rig.rand);
  GstBuffer *parts = gst_buffer_new (), *out, *expected;
  guint8 *got, *wanted, *before, *after;
  guint i;

  add_components (whole, 40, 30, &box, 1);
  before = get (whole, info.size);
  for (i = 0; i < 3; i++) {
    const gsize end = i < 2 ? info.offset[i + 1] : info.size;

    gst_buffer_append_memory (parts,
        gst_memory_share (gst_buffer_peek_memory (whole, 0), info.offset[i],
            end - info.offset[i]));
  }
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_add_video_meta_full (parts, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 40, 30, 3, info.offset, info.stride);

  out = gst_harness_push_and_pull (rig.h, parts);
  fail_unless (out != NULL);
  got = get (out, info.size);
  after = get (whole, info.size);
  fail_unless (memcmp (before, after, info.size) == 0);
  gst_harness_push_event (rig.h, gst_event_new_stream_start ("again"));
  expected = gst_harness_push_and_pull (rig.h, whole);
  wanted = get (expected, info.size);
  fail_unless (memcmp (got, before, info.size) != 0);
  fail_unless (memcmp (got, wanted, info.size) == 0);
  gst_buffer_unref (out);
  gst_buffer_unref (expected);
  g_free (got);
  g_free (wanted);
  g_free (before);
  g_free (after);
  overlay_rig_clear (&rig);
}

/* A buffer that is too short for its caps. */
TEST (test_too_short)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 40, 30, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 100, NULL), *out;

  add_components (in, 40, 30, &box, 1);
  out = gst_harness_push_and_pull (rig.h, in);
  fail_unless (out != NULL);
  assert_warning (rig.bus, "cannot be mapped for drawing");
  gst_buffer_unref (out);
  overlay_rig_clear (&rig);
}

/* Sizes that coordinates have no room for, or GStreamer no layout. Of the
 * largest frames that are drawn there are too few bytes here. */
TEST (test_sizes)
{
  static const struct
  {
    gint width;
    const gchar *warning;
  } sizes[] = {
    {1 << 26, "cannot be mapped for drawing"},
    {(1 << 26) + 1, "columns and rows"},
  };
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 16, 16, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstCaps *caps;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBuffer *in = gst_buffer_new_allocate (NULL, 16, NULL);

    caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "GRAY8",
        "width", G_TYPE_INT, sizes[i].width, "height", G_TYPE_INT, 1,
        "framerate", GST_TYPE_FRACTION, 25, 1, NULL);
    gst_harness_set_src_caps (rig.h, caps);
    add_components (in, sizes[i].width, 1, &box, 1);
    gst_buffer_unref (gst_harness_push_and_pull (rig.h, in));
    assert_warning (rig.bus, sizes[i].warning);
  }

  caps = gst_caps_from_string ("video/x-raw,format=GRAY8,width=2147483647,"
                               "height=2147483647,framerate=25/1");
  gst_harness_push_event (rig.h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  assert_error_of (rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "no layout");
  overlay_rig_clear (&rig);
}

/* Boxes in a picture that a crop leaves nothing of. */
TEST (test_nothing_left)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 16, 16, NULL);
  const GstCcaComponent box = component_at (0, 0, 8, 8, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *in = overlay_frame (&info, rig.rand);

  gst_buffer_add_video_crop_meta (in)->x = 99;
  add_components (in, 16, 16, &box, 1);
  gst_buffer_unref (gst_harness_push_and_pull (rig.h, in));
  overlay_rig_clear (&rig);
}

/* A crop of the last rows in the range of coordinates, of which the buffer has
 * no bytes, and one that ends beyond them. */
TEST_LOOP (test_far_crop, 0, 2)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 16, 16, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *in = overlay_frame (&info, rig.rand);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (in);

  gst_buffer_get_video_meta (in)->height = 100000000;
  crop->y = (1 << 26) - 16 + __i__;
  crop->width = crop->height = 16;
  add_components (in, 16, 16, &box, 1);
  gst_buffer_unref (gst_harness_push_and_pull (rig.h, in));
  assert_warning (rig.bus, __i__ == 0 ? "a plane needs" : "columns and rows");
  overlay_rig_clear (&rig);
}

SUITE ("overlay");
