/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaoverlay: cases of system memory. */

#include "overlay-suite.h"

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

/* Sizes that coordinates have no room for, or GStreamer no layout. */
TEST (test_sizes)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 16, 16, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 16, NULL);
  GstCaps *caps;

  gst_harness_set_src_caps_str (rig.h,
      "video/x-raw,format=GRAY8,"
      "width=100000000,height=1,framerate=25/1");
  add_components (in, 100000000, 1, &box, 1);
  gst_buffer_unref (gst_harness_push_and_pull (rig.h, in));
  assert_warning (rig.bus, "columns and rows");

  caps = gst_caps_from_string ("video/x-raw,format=GRAY8,width=2147483647,"
                               "height=2147483647,framerate=25/1");
  gst_harness_push_event (rig.h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  assert_error (rig.bus, "no layout");
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

/* A crop of a few rows beyond the range of coordinates. */
TEST (test_far_crop)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_GRAY8, 16, 16, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = overlay_rig_new (&overlay_place, "ccaoverlay", &info, 1);
  GstBuffer *in = overlay_frame (&info, rig.rand);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (in);

  gst_buffer_get_video_meta (in)->height = 100000000;
  crop->y = 100000000 - 16;
  crop->width = crop->height = 16;
  add_components (in, 16, 16, &box, 1);
  gst_buffer_unref (gst_harness_push_and_pull (rig.h, in));
  assert_warning (rig.bus, "columns and rows");
  overlay_rig_clear (&rig);
}

SUITE ("overlay");
