/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The formats of cca, and that it reads exactly the luma plane. */

#include "util.h"
#include "gst/ccabase/analysis/gstccadepth.h"

#include <string.h>

static void
assert_frame (GstHarness *h, GstVideoFormat format, const Picture *picture,
    const Look *look, const Layout *layout)
{
  GstBuffer *in = frame_new (format, picture, layout);
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  GArray *expected = expect (picture, look);
  gpointer before;
  gsize size;
  GstBuffer *out;

  /* to see that nothing wrote to the pixels */
  gst_buffer_extract_dup (in, 0, -1, &before, &size);

  out = gst_harness_push_and_pull (h, in);
  fail_unless (out == in);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  assert_components (gst_buffer_get_cca_meta (out), expected);

  fail_unless (gst_buffer_get_size (out) == size);
  fail_unless (gst_buffer_memcmp (out, 0, before, size) == 0);

  g_free (before);
  g_array_unref (expected);
  gst_buffer_unref (out);
}

TEST_LOOP (test_formats, 0, n_formats)
{
  static const guint sizes[][2] = {
    {1, 1},
    {1, 9},
    {9, 1},
    {2, 2},
    {3, 5},
    {7, 4},
    {16, 16},
    {17, 9},
    {31, 33},
    {63, 5},
    {64, 48},
    {65, 47},
    {129, 65},
    {321, 7},
  };
  GstVideoFormat format = formats[__i__];
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint w = sizes[i][0], h = sizes[i][1];
    gboolean wide = format_depth (format) > 8;
    const Layout layouts[] = {
      {TRUE, 0, 0},
      {TRUE, 0, wide ? 2 : 1},
      {TRUE, wide ? 6 : 7, 0},
      {TRUE, 64, 64},
      {TRUE, wide ? 4094 : 4095, wide ? 38 : 37},
    };
    GstHarness *harness = harness_new ("cca", format, w, h, NULL);

    for (j = 0; j <= G_N_ELEMENTS (layouts) * 2; j++) {
      Picture picture = picture_new (w, h, noise, 10 * i + j);
      Look look = default_look;

      picture_deepen (&picture, format);
      look.connectivity = j % 2 ? 4 : 8;
      look.threshold = format_threshold (format, 100);
      look.invert = j % 3 == 0;
      gst_harness_set (harness, "cca", "threshold", 100, "connectivity",
          look.connectivity, "invert", look.invert, NULL);
      assert_frame (harness, format, &picture, &look,
          j == 0 ? NULL : &layouts[(j - 1) / 2]);
      picture_clear (&picture);
    }
    gst_harness_teardown (harness);
  }
}

/* Every code value against thresholds round it that are given in the format's
 * own depth; frame_new() puts noise into the bits that are not used. */
TEST_LOOP (test_code_values, 0, n_formats)
{
  GstVideoFormat format = formats[__i__];
  guint n = 1u << format_depth (format), i;
  Picture picture = {256, n / 256, g_new (guint16, n)};
  static const guint thresholds[][2] = {
    {0, 65535},
    {1, 2},
    {99, 100},
    {254, 255},
    {255, 256},
    {511, 512},
    {1022, 1023},
    {1023, 1024},
    {1022, 65535},
    {1023, 65535},
    {1024, 65535},
    {65534, 65535},
    {65535, 65535},
    {40000, 50000},
    {512, 511},
    {600, 600},
  };
  GstHarness *h =
      harness_new ("cca threshold-depth=0", format, 256, n / 256, NULL);

  for (i = 0; i < n; i++)
    picture.pixels[i] = i;
  for (i = 0; i < G_N_ELEMENTS (thresholds); i++) {
    Look look = default_look;
    GArray *expected;
    const GstCcaAnalysis *analysis;
    GstBuffer *buffer;
    GstCcaMeta *meta;

    look.threshold = thresholds[i][0];
    look.threshold_high = thresholds[i][1];
    gst_harness_set (h, "cca", "threshold", look.threshold, "threshold-high",
        look.threshold_high, NULL);
    buffer = gst_harness_push_and_pull (h, frame_new (format, &picture, NULL));
    meta = gst_buffer_get_cca_meta (buffer);
    expected = expect (&picture, &look);
    assert_components (meta, expected);
    analysis = gst_cca_meta_get_analysis (meta);
    assert_equals_int (analysis->depth, format_depth (format));
    assert_equals_int (analysis->threshold, MIN (look.threshold, n - 1));
    assert_equals_int (analysis->threshold_high,
        MIN (look.threshold_high, n - 1));
    g_array_unref (expected);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* The same samples, shifted to the depth of the format, are the same picture:
 * same components, and thresholds that say the same. */
TEST_LOOP (test_depths, 0, n_formats)
{
  static const guint thresholds[][2] = {
    {128, 65535},
    {0, 65535},
    {63, 64},
    {100, 140},
    {190, 191},
    {191, 65535},
    {0, 255},
    {254, 255},
    {255, 65535},
    {300, 70},
    {65535, 65535},
  };
  GstVideoFormat format = formats[__i__];
  GstHarness *plain = harness_new ("cca", GST_VIDEO_FORMAT_GRAY8, 97, 61, NULL);
  GstHarness *h = harness_new ("cca", format, 97, 61, NULL);
  guint n_all = 0, i;

  for (i = 0; i < 2 * G_N_ELEMENTS (thresholds); i++) {
    const guint *t = thresholds[i / 2];
    Picture picture = picture_new (97, 61, noise, 10 * i + i % 3);
    GArray *expected = g_array_new (FALSE, FALSE, sizeof (GstCcaComponent));
    const GstCcaComponent *components;
    const GstCcaAnalysis *analysis;
    GstBuffer *shallow, *deep;
    guint n;

    gst_harness_set (plain, "cca", "threshold", t[0], "threshold-high", t[1],
        "invert", i % 2, NULL);
    gst_harness_set (h, "cca", "threshold", t[0], "threshold-high", t[1],
        "invert", i % 2, NULL);
    shallow = gst_harness_push_and_pull (plain,
        frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));
    picture_deepen (&picture, format);
    deep = gst_harness_push_and_pull (h, frame_new (format, &picture, NULL));

    components =
        gst_cca_meta_get_components (gst_buffer_get_cca_meta (shallow), &n);
    n_all += n;
    g_array_append_vals (expected, components, n);
    assert_components (gst_buffer_get_cca_meta (deep), expected);
    analysis = gst_cca_meta_get_analysis (gst_buffer_get_cca_meta (deep));
    assert_equals_int (analysis->depth, format_depth (format));
    assert_equals_int (analysis->threshold, format_threshold (format, t[0]));
    assert_equals_int (analysis->threshold_high,
        format_threshold (format, t[1]));

    g_array_unref (expected);
    gst_buffer_unref (shallow);
    gst_buffer_unref (deep);
    picture_clear (&picture);
  }
  fail_unless (n_all > 100, "%u components", n_all);
  gst_harness_teardown (plain);
  gst_harness_teardown (h);
}

/* Code values are on the same side of the converted threshold as the values in
 * the depth of the property are of the property. */
TEST_LOOP (test_threshold_in_depth, 0, 17)
{
  guint from = __i__, to, t, v;

  for (to = 1; to <= 16; to++) {
    const guint top = (1u << to) - 1;

    for (t = 0; t < 65536; t += t < 300 ? 1 : 509) {
      guint in_depth = gst_cca_threshold_in_depth (t, from, to);

      fail_unless (in_depth <= top);
      for (v = in_depth; v <= MIN (in_depth + 1, top); v++) {
        guint same = from == 0 ? v
            : from < to        ? v >> (to - from)
                               : v << (from - to);

        fail_unless ((v > in_depth) == (same > t),
            "%u of %u bits, threshold %u of %u is %u", v, to, t, from,
            in_depth);
      }
    }
  }
  assert_equals_int (gst_cca_threshold_in_depth (65535, from, 16), 65535);
}

/* The contrast is the minimum difference of code values that equals the property
 * in its own depth; also a step of 1 in that depth. */
TEST_LOOP (test_contrast_in_depth, 0, 17)
{
  guint from = __i__, to, c;

  for (to = 1; to <= 16; to++) {
    const guint bits = from ? from : to;
    const guint factor = to > bits ? 1 << (to - bits) : 1;

    for (c = 1; c < 65536; c += c < 300 ? 1 : 509) {
      const guint64 least = gst_cca_contrast_in_depth (c, from, to);

      fail_unless (least >= 1 && least <= 65536);
      if (bits <= to)
        fail_unless (least == MIN ((guint64) c * factor, 65536));
      else
        fail_unless (
            least << (bits - to) >= c && (least - 1) << (bits - to) < c);
    }
    assert_equals_int (gst_cca_step_in_depth (from, to), factor);
  }
}

/* The unit of the thresholds may change with every frame. */
TEST_LOOP (test_threshold_depth, 0, n_formats)
{
  GstVideoFormat format = formats[__i__];
  guint depth = format_depth (format), i;
  GstHarness *h = harness_new ("cca", format, 97, 61, NULL);
  Picture picture = picture_new (97, 61, noise, 2);

  picture_deepen (&picture, format);
  for (i = 0; i <= 16; i++) {
    Look look = default_look;
    guint t = 77 << 8 >> (16 - (i ? i : depth));

    look.threshold = gst_cca_threshold_in_depth (t, i, depth);
    gst_harness_set (h, "cca", "threshold", t, "threshold-depth", i, NULL);
    assert_analysis (h, format, &picture, &look);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* A source that supports several formats negotiates one of 8 bits. */
TEST (test_default_format)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=1 ! "
                                           "cca name=cca ! fakesink",
      NULL);
  GstElement *cca = gst_bin_get_by_name (GST_BIN (pipeline), "cca");
  GstPad *pad = gst_element_get_static_pad (cca, "sink");
  GstVideoInfo info;
  GstCaps *caps;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  assert_equals_int (gst_element_get_state (pipeline, NULL, NULL,
                         GST_CLOCK_TIME_NONE),
      GST_STATE_CHANGE_SUCCESS);
  caps = gst_pad_get_current_caps (pad);
  fail_unless (gst_video_info_from_caps (&info, caps));
  assert_equals_int (GST_VIDEO_INFO_COMP_DEPTH (&info, 0), 8);
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_object_unref (cca);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* Returns whether a buffer with these caps passes. Otherwise the caps are refused
 * once, with the sentence, or by the pad if that is NULL. */
static gboolean
caps_taken (const gchar *string, const gchar *sentence)
{
  GstHarness *h = gst_harness_new ("cca");
  GstCaps *caps = gst_caps_from_string (string), *offered;
  GstBus *bus = gst_bus_new ();
  gboolean taken;
  GstFlowReturn ret;
  GstPad *pad;

  fail_unless (caps != NULL);
  gst_element_set_bus (h->element, bus);
  gst_harness_push_event (h, gst_event_new_caps (caps));
  push_segment (h);
  ret = gst_harness_push (h, gst_buffer_new_allocate (NULL, 4096, NULL));
  fail_unless (ret == GST_FLOW_OK || ret == GST_FLOW_NOT_NEGOTIATED);
  taken = ret == GST_FLOW_OK;
  if (!taken && sentence != NULL)
    assert_refusal (bus, "cca", sentence);
  else
    assert_no_error (bus);

  /* the query returns the supported formats; the element refuses others itself */
  pad = gst_element_get_static_pad (h->element, "sink");
  offered = gst_pad_query_caps (pad, NULL);
  fail_unless (gst_caps_can_intersect (offered, caps) == taken);
  fail_unless (
      gst_pad_query_accept_caps (pad, caps) == (taken || sentence != NULL));
  gst_caps_unref (offered);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (h->element, "src");
  fail_unless (gst_pad_query_accept_caps (pad, caps) == taken);
  gst_object_unref (pad);
  gst_caps_unref (caps);
  harness_free (h, bus);
  return taken;
}

/* Of all formats of GStreamer exactly those in the list pass. */
TEST (test_caps)
{
  guint n, i, j;
  const GstVideoFormat *all = gst_video_formats_any (&n);

  fail_unless (n > 100);
  for (i = 0; i < n; i++) {
    const gchar *name = gst_video_format_to_string (all[i]);
    gchar *caps, *sentence;
    gboolean wanted = FALSE;

    if (all[i] == GST_VIDEO_FORMAT_DMA_DRM)
      continue;
    for (j = 0; j < n_formats; j++)
      wanted |= formats[j] == all[i];
    caps = g_strdup_printf ("video/x-raw,format=%s,width=16,height=16,"
                            "framerate=25/1",
        name);
    sentence = g_strdup_printf (
        "The video cannot be analysed: the format %s "
        "is not supported, put videoconvert before this element.",
        name);
    fail_unless (caps_taken (caps, sentence) == wanted, "%s", name);
    g_free (sentence);
    g_free (caps);
  }
}

#define OTHER_MEMORY(what) \
  "The video cannot be analysed: " what " is not " \
  "supported, put the matching download element, such as cudadownload, " \
  "before this element."

TEST (test_other_caps)
{
  static const struct
  {
    const gchar *caps, *sentence;
  } refused[] = {
    {"video/x-raw(memory:CUDAMemory),format=NV12,width=16,height=16,"
     "framerate=25/1",
      OTHER_MEMORY ("NV12 with memory:CUDAMemory")},
    {"video/x-raw(memory:GLMemory),format=RGBA,width=16,height=16,"
     "framerate=25/1",
      OTHER_MEMORY ("RGBA with memory:GLMemory")},
    {"video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12,width=16,"
     "height=16,framerate=25/1",
      OTHER_MEMORY ("DMA_DRM with memory:DMABuf")},
    {"video/x-raw(memory:VAMemory),width=16,height=16,framerate=25/1",
      OTHER_MEMORY ("video with memory:VAMemory")},
    {"video/x-raw(meta:GstVideoOverlayComposition),format=NV12,width=16,"
     "height=16,framerate=25/1",
      OTHER_MEMORY ("NV12 with meta:GstVideoOverlayComposition")},
    {"video/x-raw(format:Interlaced),format=NV12,interlace-mode=alternate,"
     "width=16,height=16,framerate=25/1",
      OTHER_MEMORY ("NV12 with format:Interlaced")},
    /* not video that any element has */
    {"video/x-raw,format=NV12,width=0,height=16,framerate=25/1", NULL},
    {"video/x-h264,width=16,height=16,framerate=25/1", NULL},
    {"audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved", NULL},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (refused); i++)
    fail_unless (!caps_taken (refused[i].caps, refused[i].sentence), "%s",
        refused[i].caps);

  fail_unless (caps_taken ("video/x-raw,format=GRAY8,width=16,height=16,"
                           "framerate=0/1",
      NULL));
  fail_unless (caps_taken ("video/x-raw,format=NV12,width=16,height=16,"
                           "framerate=25/1,interlace-mode=interleaved",
      NULL));
}

/* One error each time that unsupported caps arrive. */
TEST (test_caps_in_turn)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca", GST_VIDEO_FORMAT_NV12, 64, 48, &bus);
  GstCaps *other = frame_caps (GST_VIDEO_FORMAT_BGRx, 64, 48);
  Picture picture = picture_new (64, 48, noise, 3);
  guint i;

  for (i = 0; i < 3; i++) {
    assert_analysis (h, GST_VIDEO_FORMAT_NV12, &picture, &default_look);
    gst_harness_push_event (h, gst_event_new_caps (other));
    assert_refusal (bus, "cca",
        "The video cannot be analysed: the format "
        "BGRx is not supported, put videoconvert before this element.");
    assert_equals_int (gst_harness_push (h, gst_buffer_new ()),
        GST_FLOW_NOT_NEGOTIATED);
    assert_no_error (bus);
    gst_harness_set_src_caps (h, frame_caps (GST_VIDEO_FORMAT_NV12, 64, 48));
  }
  gst_caps_unref (other);
  harness_free (h, bus);
  picture_clear (&picture);
}

/* Also after a new start. */
TEST (test_caps_after_restart)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca", GST_VIDEO_FORMAT_NV12, 64, 48, &bus);
  GstCaps *other = frame_caps (GST_VIDEO_FORMAT_BGRx, 64, 48);
  guint i;

  for (i = 0; i < 2; i++) {
    gst_harness_push_event (h, gst_event_new_caps (other));
    assert_refusal (bus, "cca",
        "The video cannot be analysed: the format "
        "BGRx is not supported, put videoconvert before this element.");
    gst_element_set_state (h->element, GST_STATE_READY);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  }
  gst_caps_unref (other);
  harness_free (h, bus);
}

/* Upstream that offers only other formats gets the sentence as a warning, once
 * each time that the element starts. */
TEST (test_offered_caps)
{
  static const struct
  {
    const gchar *caps, *format;
  } offers[] = {
    {"video/x-raw,format=YUY2,width=640,height=480,framerate=30/1", "YUY2"},
    {"image/jpeg,width=640; video/x-raw,format={UYVY,YUY2}", "UYVY"},
    {"image/jpeg,width=640", NULL},
    {"video/x-raw,format=GRAY8; video/x-raw,format=YUY2", NULL},
    {"video/x-raw(memory:CUDAMemory),format=NV12", NULL},
    {"ANY", NULL},
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (offers); i++) {
    GstBus *bus;
    GstHarness *h = harness_new ("cca", GST_VIDEO_FORMAT_NV12, 64, 48, &bus);
    GstPad *pad = gst_element_get_static_pad (h->element, "sink");
    GstCaps *caps = gst_caps_from_string (offers[i].caps);
    gchar *sentence = g_strdup_printf ("the format %s is not supported, put "
                                       "videoconvert before this element.",
        offers[i].format);

    for (j = 0; j < 2; j++) {
      gst_caps_unref (gst_pad_query_caps (pad, caps));
      assert_equals_int (count_warning_messages (bus, sentence),
          j == 0 && offers[i].format != NULL);
    }
    gst_element_set_state (h->element, GST_STATE_READY);
    gst_caps_unref (gst_pad_query_caps (pad, caps));
    assert_equals_int (count_warning_messages (bus, sentence), 0);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_caps_unref (gst_pad_query_caps (pad, caps));
    assert_equals_int (count_warning_messages (bus, sentence),
        offers[i].format != NULL);
    g_free (sentence);
    gst_caps_unref (caps);
    gst_object_unref (pad);
    harness_free (h, bus);
  }
}

/* So it comes before the error of the source, as with a webcam. */
TEST (test_source_of_other_format)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc ! capsfilter name=f ! "
                                           "cca ! fakesink",
      NULL);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error = NULL;

  gst_util_set_object_arg (G_OBJECT (filter), "caps",
      "video/x-raw,format=YUY2");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  assert_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  assert_equals_string (error->message,
      "The video cannot be analysed: the "
      "format YUY2 is not supported, put videoconvert before this element.");
  g_error_free (error);
  gst_message_unref (message);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  assert_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_ERROR);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (filter);
  gst_object_unref (pipeline);
}

SUITE ("formats", .timeout = 120);
