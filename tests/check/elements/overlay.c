/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaoverlay: what is drawn, and what is left alone. */

#include "overlay-suite.h"

static GstBuffer *
put (GstBuffer * system, const GstVideoInfo * info)
{
  return system;
}

static guint8 *
get (GstBuffer * buffer, gsize size)
{
  gpointer bytes = NULL;
  gsize n = 0;

  gst_buffer_extract_dup (buffer, 0, size, &bytes, &n);
  fail_unless_equals_int (n, size);
  return bytes;
}

static const OverlayPlace system_memory = {
  .element = "ccaoverlay",
  .n_rounds = 10,
  .put = put,
  .get = get,
};

/* Planes in memories of their own, one of them shared with another buffer. */
GST_START_TEST (test_several_memories)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_I420, 40, 30, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  GRand *rand = g_rand_new_with_seed (1);
  GstBus *bus;
  GstHarness *h = overlay_harness (&system_memory, "ccaoverlay", &info, &bus);
  GstBuffer *whole = overlay_frame (&info, rand);
  GstBuffer *parts = gst_buffer_new (), *out, *expected;
  guint8 *got, *wanted, *before, *after;
  guint i;

  add_components (whole, 40, 30, &box, 1);
  before = get (whole, info.size);
  for (i = 0; i < 3; i++) {
    const gsize end = i < 2 ? info.offset[i + 1] : info.size;

    gst_buffer_append_memory (parts, gst_memory_share
        (gst_buffer_peek_memory (whole, 0), info.offset[i],
            end - info.offset[i]));
  }
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_add_video_meta_full (parts, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 40, 30, 3, info.offset, info.stride);

  out = gst_harness_push_and_pull (h, parts);
  fail_unless (out != NULL);
  got = get (out, info.size);
  after = get (whole, info.size);
  fail_unless (memcmp (before, after, info.size) == 0);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  expected = gst_harness_push_and_pull (h, whole);
  wanted = get (expected, info.size);
  fail_unless (memcmp (got, before, info.size) != 0);
  fail_unless (memcmp (got, wanted, info.size) == 0);
  gst_buffer_unref (out);
  gst_buffer_unref (expected);
  g_free (got);
  g_free (wanted);
  g_free (before);
  g_free (after);
  g_rand_free (rand);
  harness_free (h, bus);
}
GST_END_TEST;

/* A frame that is not there at all. */
GST_START_TEST (test_too_short)
{
  GstVideoInfo info = overlay_info (GST_VIDEO_FORMAT_NV12, 40, 30, NULL);
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  GstBus *bus;
  GstHarness *h = overlay_harness (&system_memory, "ccaoverlay", &info, &bus);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 100, NULL), *out;

  add_components (in, 40, 30, &box, 1);
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out != NULL);
  assert_warning (bus, "cannot be mapped for drawing");
  gst_buffer_unref (out);
  harness_free (h, bus);
}
GST_END_TEST;

static Suite *
overlay_suite (void)
{
  Suite *s = suite_create ("overlay");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  overlay_suite_add (tc, &system_memory);
  tcase_add_test (tc, test_several_memories);
  tcase_add_test (tc, test_too_short);
  return s;
}

GST_CHECK_MAIN (overlay);
