/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Odd and wrong buffers: exact work, or one sentence and no read outside. */

#include "util.h"

#include <string.h>

#define WIDTH 33
#define HEIGHT 17

static GstHarness *h;
static GstBus *bus;
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

static void
start (GstVideoFormat format)
{
  h = harness_new ("cca threshold-depth=0", format, WIDTH, HEIGHT, &bus);
}

static void
stop (void)
{
  harness_free (h, bus);
}

/* A wrong buffer is refused, in one sentence, and the next good one is not. */
static void
assert_refused (GstVideoFormat format, GstBuffer *buffer, const gchar *words)
{
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, words);
  assert_analysis (h, format, &picture, &default_look);
  assert_no_error (bus);
}

/* A buffer with a VideoMeta of that luma plane. */
static GstBuffer *
described (GstVideoFormat format, gsize size, gsize offset, gint stride,
    guint width, guint height)
{
  gsize offsets[GST_VIDEO_MAX_PLANES] = {offset, 0};
  gint strides[GST_VIDEO_MAX_PLANES] = {stride, stride, stride};
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  const GstVideoFormatInfo *info = gst_video_format_get_info (format);

  gst_buffer_memset (buffer, 0, 0xff, size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format,
      width, height, GST_VIDEO_FORMAT_INFO_N_PLANES (info), offsets, strides);
  return buffer;
}

TEST (test_layouts_that_leave_the_buffer)
{
  const GstVideoFormat gray = GST_VIDEO_FORMAT_GRAY8;
  const gsize size = WIDTH * HEIGHT;

  start (gray);
  assert_refused (gray, described (gray, size - 1, 0, WIDTH, WIDTH, HEIGHT),
      "needs 561 bytes but has 560");
  assert_refused (gray, described (gray, size, 1, WIDTH, WIDTH, HEIGHT),
      "needs 561 bytes but has 560");
  assert_refused (gray, described (gray, size, 0, WIDTH + 1, WIDTH, HEIGHT),
      "needs 577 bytes but has 561");
  assert_refused (gray, described (gray, size, 0, G_MAXINT, WIDTH, HEIGHT),
      "needs 34359738385 bytes");
  assert_refused (gray, described (gray, size, size, WIDTH, WIDTH, HEIGHT),
      "starts at byte 561 of a buffer of 561");
  assert_refused (gray, described (gray, size, G_MAXSIZE, WIDTH, WIDTH, HEIGHT),
      "starts at byte 18446744073709551615");
  assert_refused (gray,
      described (gray, size, G_MAXSIZE - WIDTH, WIDTH, WIDTH, HEIGHT),
      "starts at byte");
  stop ();
}

TEST (test_bad_strides)
{
  const GstVideoFormat gray = GST_VIDEO_FORMAT_GRAY8;
  const gsize size = 4 * WIDTH * HEIGHT;

  start (gray);
  assert_refused (gray, described (gray, size, 0, WIDTH - 1, WIDTH, HEIGHT),
      "a stride of 32 bytes is too short for rows of 33");
  assert_refused (gray, described (gray, size, 0, 0, WIDTH, HEIGHT),
      "a stride of 0 bytes is too short");
  assert_refused (gray,
      described (gray, size, size - WIDTH, -WIDTH, WIDTH, HEIGHT),
      "a stride of -33 bytes is too short");
  assert_refused (gray, described (gray, size, 0, G_MININT, WIDTH, HEIGHT),
      "a stride of -2147483648 bytes is too short");
  stop ();
}

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
TEST (test_odd_addresses)
{
  const GstVideoFormat gray16 = GST_VIDEO_FORMAT_GRAY16_LE;
  const gsize size = 4 * WIDTH * HEIGHT;

  start (gray16);
  assert_refused (gray16, described (gray16, size, 1, 2 * WIDTH, WIDTH, HEIGHT),
      "odd addresses");
  assert_refused (gray16,
      described (gray16, size, 0, 2 * WIDTH + 1, WIDTH, HEIGHT),
      "odd addresses");
  assert_refused (gray16,
      described (gray16, size, 0, 2 * WIDTH - 2, WIDTH, HEIGHT),
      "a stride of 64 bytes is too short for rows of 66");
  stop ();
}
#endif

TEST (test_contradictions)
{
  const GstVideoFormat nv12 = GST_VIDEO_FORMAT_NV12;
  const gsize size = 4 * WIDTH * HEIGHT;
  GstBuffer *buffer;

  start (nv12);
  assert_refused (nv12,
      described (GST_VIDEO_FORMAT_I420, size, 0, WIDTH, WIDTH, HEIGHT),
      "holds I420 and not the NV12 of its caps");
  assert_refused (nv12, described (nv12, size, 0, WIDTH, WIDTH - 1, HEIGHT),
      "holds 32x17 pixels and not the 33x17 of its caps");
  assert_refused (nv12, described (nv12, size, 0, WIDTH, WIDTH, 1),
      "holds 33x1 pixels and not the 33x17 of its caps");
  buffer = described (nv12, size, 0, WIDTH, WIDTH, HEIGHT);
  gst_buffer_get_video_meta (buffer)->n_planes = 1;
  assert_refused (nv12, buffer, "has 1 planes and not the 2");
  buffer = described (nv12, size, 0, WIDTH, WIDTH, HEIGHT);
  gst_buffer_get_video_meta (buffer)->n_planes = 0;
  assert_refused (nv12, buffer, "has 0 planes and not the 2");
  stop ();
}

/* A crop beyond the size limit of the engines, of memory that claims to have it. */
TEST (test_crop_too_large)
{
  const GstVideoFormat gray = GST_VIDEO_FORMAT_GRAY8;
  const gsize size = (gsize) 46341 * 46341;
  GstBuffer *buffer = described (gray, 1, 0, 46341, G_MAXINT, G_MAXINT);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
  guint8 byte = 0;

  gst_buffer_replace_all_memory (buffer,
      gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, &byte, size, 0, size,
          NULL, NULL));
  crop->width = 46341;
  crop->height = 46341;
  start (gray);
  assert_refused (gray, buffer,
      "a frame of 46341x46341 pixels is larger than "
      "the 2147483647 pixels that are supported");
  stop ();
}

static guint8 mapped[3 * WIDTH * HEIGHT];
static guint8 *outside;
static guint n_unmapped;

static gboolean
map_outside (GstVideoMeta *meta, guint plane, GstMapInfo *info, gpointer *data,
    gint *stride, GstMapFlags flags)
{
  info->data = mapped + WIDTH * HEIGHT;
  info->size = WIDTH * HEIGHT;
  *data = outside;
  *stride = meta->stride[plane];
  return TRUE;
}

static gboolean
count_unmap (GstVideoMeta *meta, guint plane, GstMapInfo *info)
{
  n_unmapped++;
  return TRUE;
}

/* The map function of the meta returns a plane outside the mapped memory. */
TEST (test_mapped_outside)
{
  const GstVideoFormat gray = GST_VIDEO_FORMAT_GRAY8;
  guint8 *const plane = mapped + WIDTH * HEIGHT;
  guint8 *const starts[] = {plane - 1, plane + WIDTH * HEIGHT + 1, plane + 1};
  const gchar *words[] = {"but has 0", "but has 0",
    "needs 561 bytes but has 560"};
  guint i;

  start (gray);
  for (i = 0; i < G_N_ELEMENTS (starts); i++) {
    GstBuffer *buffer =
        described (gray, WIDTH * HEIGHT, 0, WIDTH, WIDTH, HEIGHT);
    GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

    meta->map = map_outside;
    meta->unmap = count_unmap;
    outside = starts[i];
    assert_refused (gray, buffer, words[i]);
    assert_equals_int (n_unmapped, i + 1);
  }
  stop ();
}

TEST (test_short_buffers)
{
  guint i;

  for (i = 0; i < n_formats; i++) {
    GstVideoInfo info;
    gsize needed, size;

    start (formats[i]);
    fail_unless (gst_video_info_set_format (&info, formats[i], WIDTH, HEIGHT));
    needed = GST_VIDEO_INFO_PLANE_STRIDE (&info, 0) * (HEIGHT - 1)
        + WIDTH * GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0);
    for (size = 0; size < needed; size += 1 + size / 4)
      assert_refused (formats[i], gst_buffer_new_allocate (NULL, size, NULL),
          size ? "bytes but has" : "of a buffer of 0 bytes");
    assert_refused (formats[i],
        gst_buffer_new_allocate (NULL, needed - 1, NULL), "bytes but has");
    assert_refused (formats[i], gst_buffer_new (), "of a buffer of 0 bytes");
    stop ();
  }
}

/* Only the luma plane is needed: chroma may be missing altogether. */
TEST (test_missing_chroma)
{
  guint i;

  for (i = 0; i < n_formats; i++) {
    GArray *expected = expect (&picture, &default_look);
    Layout layout = {TRUE, 0, 0};
    GstBuffer *buffer;

    start (formats[i]);
    buffer = frame_new (formats[i], &picture, &layout);
    gst_buffer_resize (buffer, 0,
        WIDTH * HEIGHT
            * GST_VIDEO_FORMAT_INFO_PSTRIDE (gst_video_format_get_info (
                                                 formats[i]),
                0));
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_components (gst_buffer_get_cca_meta (buffer), expected);
    gst_buffer_unref (buffer);
    g_array_unref (expected);
    stop ();
  }
}

/* Cuts a buffer into memories of their own, which are not neighbours. */
static GstBuffer *
cut (GstBuffer *buffer, const gsize *cuts, guint n)
{
  gsize size = gst_buffer_get_size (buffer), from = 0;
  guint8 *bytes = g_malloc (size);
  guint i;

  gst_buffer_extract (buffer, 0, bytes, size);
  gst_buffer_remove_all_memory (buffer);
  for (i = 0; i <= n; i++) {
    gsize part = (i < n ? cuts[i] : size) - from;
    guint8 *copy = g_memdup2 (bytes + from, part);

    gst_buffer_append_memory (buffer,
        gst_memory_new_wrapped (0, copy, part, 0, part, copy, g_free));
    from += part;
  }
  g_free (bytes);
  return buffer;
}

static void
assert_exact (GstBuffer *buffer, guint n_memories)
{
  GArray *expected = expect (&picture, &default_look);

  buffer = gst_harness_push_and_pull (h, buffer);
  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  if (n_memories)
    assert_equals_int (gst_buffer_n_memory (buffer), n_memories);
  gst_buffer_unref (buffer);
  g_array_unref (expected);
}

TEST (test_several_memories)
{
  const Layout plain = {TRUE, 0, 0};
  const Layout late = {TRUE, 100, 3};
  const gsize luma = WIDTH * HEIGHT;
  const gsize planes[] = {luma, luma + 17 * 9};
  const gsize before[] = {50, 100, 100 + 36 * HEIGHT + 9};
  const gsize through[] = {7, 40, 200, 300};
  GstVideoInfo info;
  gsize end;

  /* memory for each plane: nothing is merged */
  start (GST_VIDEO_FORMAT_I420);
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, &plain),
                    planes, 2),
      3);
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, &late), before,
                    3),
      4);
  /* cuts go through the luma plane itself */
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, &plain),
                    through, 4),
      0);
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, &late),
                    through, 4),
      0);
  /* also without a VideoMeta */
  fail_unless (
      gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT));
  end = GST_VIDEO_INFO_PLANE_OFFSET (&info, 1);
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, NULL), &end,
                    1),
      2);
  assert_exact (cut (frame_new (GST_VIDEO_FORMAT_I420, &picture, NULL), through,
                    4),
      0);
  stop ();
}

/* The caller keeps a reference: it sees no metas, and its pixels stay. */
TEST (test_shared_buffer)
{
  GstBuffer *mine, *out;
  GArray *expected = expect (&picture, &default_look);
  gpointer before;
  gsize size;

  start (GST_VIDEO_FORMAT_NV12);
  mine = frame_new (GST_VIDEO_FORMAT_NV12, &picture, NULL);
  gst_buffer_extract_dup (mine, 0, -1, &before, &size);

  out = gst_harness_push_and_pull (h, gst_buffer_ref (mine));
  fail_unless (out != mine);
  fail_unless (
      gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (mine, 0));
  assert_components (gst_buffer_get_cca_meta (out), expected);
  fail_unless (gst_buffer_get_cca_meta (mine) == NULL);
  assert_equals_int (gst_buffer_get_n_meta (mine, G_TYPE_NONE), 0);
  fail_unless (gst_buffer_iterate_meta (mine, &(gpointer) {NULL}) == NULL);

  fail_unless (gst_buffer_memcmp (mine, 0, before, size) == 0);
  g_free (before);
  gst_buffer_unref (out);
  gst_buffer_unref (mine);
  g_array_unref (expected);
  stop ();
}

TEST (test_read_only_memory)
{
  Layout layout = {TRUE, 0, 0};
  GstBuffer *buffer = frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, &layout);
  gsize size = gst_buffer_get_size (buffer);
  guint8 *bytes = g_malloc (size);

  gst_buffer_extract (buffer, 0, bytes, size);
  gst_buffer_replace_all_memory (buffer,
      gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, bytes, size, 0, size,
          bytes, g_free));
  start (GST_VIDEO_FORMAT_GRAY8);
  assert_exact (buffer, 1);
  stop ();
}

TEST (test_gap)
{
  GstBuffer *buffer;

  start (GST_VIDEO_FORMAT_NV12);
  /* a gap that holds a picture is a picture */
  buffer = frame_new (GST_VIDEO_FORMAT_NV12, &picture, NULL);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  assert_exact (buffer, 1);
  /* an empty gap passes unchanged */
  buffer = gst_buffer_new ();
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  buffer = gst_harness_push_and_pull (h, buffer);
  fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
  assert_equals_int (gst_buffer_get_size (buffer), 0);
  fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
  gst_buffer_unref (buffer);
  /* and so does a gap event */
  gst_harness_push_event (h, gst_event_new_gap (0, GST_SECOND));
  assert_no_error (bus);
  stop ();
}

TEST (test_too_large)
{
  static const guint sizes[][2] = {
    {65536, 32768},
    {G_MAXINT, 2},
    {46341, 46341},
    {G_MAXINT, G_MAXINT},
    {1, G_MAXINT},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps =
        frame_caps (GST_VIDEO_FORMAT_GRAY8, sizes[i][0], sizes[i][1]);

    start (GST_VIDEO_FORMAT_GRAY8);
    gst_harness_push_event (h, gst_event_new_caps (caps));
    /* the last has rows of four bytes, which GStreamer cannot address */
    assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        sizes[i][0] > 1 ? "have more than the 2147483647 pixels"
                        : "no layout for frames of 1x2147483647 pixels");
    assert_equals_int (gst_harness_push (h, gst_buffer_new ()),
        GST_FLOW_NOT_NEGOTIATED);
    gst_caps_unref (caps);
    stop ();
  }
}

TEST (test_too_large_for_features)
{
  static const guint sizes[][2] = {
    {65536, 4},
    {4, 65536},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBus *errors;
    GstHarness *other = harness_new ("cca features=moments",
        GST_VIDEO_FORMAT_GRAY8, 4, 4, &errors);
    GstCaps *caps =
        frame_caps (GST_VIDEO_FORMAT_GRAY8, sizes[i][0], sizes[i][1]);

    gst_harness_push_event (other, gst_event_new_caps (caps));
    assert_error_of (errors, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "the 65535 pixels a side of which features are computed");
    gst_caps_unref (caps);
    harness_free (other, errors);
  }
}

/* Caps that were refused are not tried again, others are. */
TEST (test_after_too_large)
{
  GstCaps *large = frame_caps (GST_VIDEO_FORMAT_GRAY8, 65536, 32768);
  guint i;

  start (GST_VIDEO_FORMAT_GRAY8);
  for (i = 0; i < 2; i++) {
    gst_harness_push_event (h, gst_event_new_caps (large));
    assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "have more than the 2147483647 pixels");
    gst_harness_push_event (h, gst_event_new_caps (large));
    assert_no_error (bus);
    gst_harness_set_src_caps (h,
        frame_caps (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT));
    assert_analysis (h, GST_VIDEO_FORMAT_NV12, &picture, &default_look);
    assert_no_error (bus);
  }
  gst_caps_unref (large);
  stop ();
}

/* Sizes that negotiation excludes: no width, no height, neither. */
TEST (test_no_size)
{
  static const gchar *sizes[] = {"", ",width=33", ",height=17"};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gchar *text = g_strdup_printf ("video/x-raw,format=GRAY8%s", sizes[i]);
    GstCaps *caps = gst_caps_from_string (text);
    GstBaseTransform *trans;

    start (GST_VIDEO_FORMAT_GRAY8);
    trans = GST_BASE_TRANSFORM (gst_harness_find_element (h, "cca"));
    fail_if (
        GST_BASE_TRANSFORM_GET_CLASS (trans)->set_caps (trans, caps, caps));
    assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "no layout for frames of ");
    gst_object_unref (trans);
    gst_caps_unref (caps);
    g_free (text);
    stop ();
  }
}

/* The maximum number of components, eight times those kept. */
TEST (test_checkerboard_4k)
{
  const guint width = 3840, height = 2160, kept = 65536;
  Picture board = picture_new (width, height, checkerboard, 0);
  const GstCcaComponent *components;
  GstBuffer *buffer;
  GstCcaMeta *meta;
  guint n, i;

  h = harness_new ("cca connectivity=4", GST_VIDEO_FORMAT_NV12, width, height,
      &bus);
  buffer = gst_harness_push_and_pull (h,
      frame_new (GST_VIDEO_FORMAT_NV12, &board, NULL));
  meta = gst_buffer_get_cca_meta (buffer);
  assert_equals_int (gst_cca_meta_get_n_found (meta), width * height / 2);
  fail_unless (gst_cca_meta_is_truncated (meta));
  components = gst_cca_meta_get_components (meta, &n);
  assert_equals_int (n, kept);
  for (i = 0; i < n; i++) {
    guint y = i / (width / 2), x = i % (width / 2) * 2 + y % 2;

    fail_unless (components[i].id == i + 1 && components[i].x == x
        && components[i].y == y && components[i].area == 1);
  }
  gst_buffer_unref (buffer);
  stop ();
  picture_clear (&board);
}

SUITE ("badinput", .setup = setup, .teardown = teardown, .timeout = 120);
