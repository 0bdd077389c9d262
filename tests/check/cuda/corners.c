/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Rare situations of the CUDA elements. */

#include "cudautil.h"

#define GRAY8 GST_VIDEO_FORMAT_GRAY8
#define WIDTH 65
#define HEIGHT 33

static const gchar *elements[] = {
  "cudacca",
  "cudaccamask",
  "cudaccaoverlay",
  "cudagrayupload",
  "cudagraydownload",
};

TEST (test_properties)
{
  guint i;
  gint id;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElement *element = gst_element_factory_make (elements[i], NULL);

    g_object_get (element, "cuda-device-id", &id, NULL);
    assert_equals_int (id, -1);
    g_object_set (element, "cuda-device-id", 3, NULL);
    g_object_get (element, "cuda-device-id", &id, NULL);
    assert_equals_int (id, 3);
    if (i == 0) {
      gint was, is;

      g_object_get (element, "algorithm", &was, NULL);
      g_object_set (element, "algorithm", !was, NULL);
      g_object_get (element, "algorithm", &is, NULL);
      assert_equals_int (is, !was);
    }
    gst_object_unref (element);
    assert_unknown_property (elements[i], "cuda-device-id");
  }
}

/* Properties that are read at the start keep their values until the stop. */
TEST (test_set_while_running)
{
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElement *element = gst_element_factory_make (elements[i], "e");

    for (j = 0; j < 2; j++) {
      gint id, algorithm = 0;

      gst_element_set_state (element, GST_STATE_PAUSED);
      g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING,
          "*cuda-device-id* of e *NULL or READY*");
      g_object_set (element, "cuda-device-id", 1, NULL);
      g_test_assert_expected_messages ();
      g_object_get (element, "cuda-device-id", &id, NULL);
      assert_equals_int (id, -1 + j);
      if (i == 0) {
        g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING,
            "*algorithm* of e *NULL or READY*");
        g_object_set (element, "algorithm", 2, NULL);
        g_test_assert_expected_messages ();
        g_object_get (element, "algorithm", &algorithm, NULL);
        assert_equals_int (algorithm, j);
      }
      gst_element_set_state (element, GST_STATE_READY);
      g_object_set (element, "cuda-device-id", 0, NULL);
      if (i == 0)
        g_object_set (element, "algorithm", 1, NULL);
    }
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

static GstHarness *
gray_harness (const gchar *description, GstCaps *caps, GstBus **bus)
{
  GstHarness *h = cuda_harness_new (description, shared_context (),
      GST_VIDEO_FORMAT_UNKNOWN, 0, 0, bus);

  gst_harness_set_src_caps (h, caps);
  return h;
}

/* A gap that holds nothing stays one. */
TEST (test_empty_gap)
{
  guint i;

  for (i = 0; i < 2; i++) {
    GstHarness *h = gray_harness (i ? "cudagraydownload" : "cudagrayupload",
        i ? cuda_caps (GRAY8, WIDTH, HEIGHT)
          : frame_caps (GRAY8, WIDTH, HEIGHT),
        NULL);
    GstBuffer *buffer = gst_buffer_new ();

    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    buffer = gst_harness_push_and_pull (h, buffer);
    fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP));
    assert_equals_int (gst_buffer_get_size (buffer), 0);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

/* Without the flag it is a frame of which nothing came. */
TEST (test_empty_frame)
{
  guint i;

  for (i = 0; i < 2; i++) {
    GstBus *bus;
    GstHarness *h = gray_harness (i ? "cudagraydownload" : "cudagrayupload",
        i ? cuda_caps (GRAY8, WIDTH, HEIGHT)
          : frame_caps (GRAY8, WIDTH, HEIGHT),
        &bus);

    assert_equals_int (gst_harness_push (h, gst_buffer_new ()), GST_FLOW_ERROR);
    assert_error (bus, i ? "0 memories" : "a buffer of 0 bytes");
    harness_free (h, bus);
  }
}

/* A crop that is not the size of the caps, in CUDA memory. */
TEST (test_wrong_crop)
{
  static const struct
  {
    const gchar *element;
    GstVideoFormat format;
    guint width, height;
    const gchar *words;
  } cases[] = {
    {"cudagrayupload", GST_VIDEO_FORMAT_NV12, 30, HEIGHT, "30x33"},
    {"cudagraydownload", GRAY8, WIDTH, 20, "65x20"},
  };
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 3);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *buffer =
        gpu_frame (cases[i].format, &picture, NULL, shared_context (), NULL);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    GstBus *bus;
    GstHarness *h = gray_harness (cases[i].element,
        cuda_caps (cases[i].format, WIDTH, HEIGHT), &bus);

    crop->width = cases[i].width;
    crop->height = cases[i].height;
    assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
    assert_error (bus, cases[i].words);
    harness_free (h, bus);
  }
  picture_clear (&picture);
}

/* A VideoMeta of another format. */
TEST (test_wrong_format)
{
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 3);
  Layout layout = {TRUE, 0, 0};
  GstBuffer *buffer = frame_new (GST_VIDEO_FORMAT_NV12, &picture, &layout);
  GstBus *bus;
  GstHarness *h =
      gray_harness ("cudagrayupload", frame_caps (GRAY8, WIDTH, HEIGHT), &bus);

  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  assert_error (bus, "holds NV12 and not the GRAY8 of its caps");
  harness_free (h, bus);
  picture_clear (&picture);
}

/* Caps that GStreamer itself has no layout for. */
TEST (test_no_layout)
{
  GstBus *bus;
  GstHarness *h =
      gray_harness ("cudagrayupload", frame_caps (GRAY8, WIDTH, HEIGHT), &bus);
  GstCaps *caps = frame_caps (GRAY8, 1, G_MAXINT);

  gst_harness_push_event (h, gst_event_new_caps (caps));
  assert_error (bus, "no layout for frames of that size");
  gst_caps_unref (caps);
  harness_free (h, bus);
}

/* The same on the side that it makes itself. */
TEST (test_no_layout_out)
{
  GstBus *bus;
  GstHarness *h =
      gray_harness ("cudagrayupload", frame_caps (GRAY8, WIDTH, HEIGHT), &bus);
  GstBaseTransform *trans =
      GST_BASE_TRANSFORM (gst_harness_find_element (h, "cudagrayupload"));
  GstCaps *in = frame_caps (GRAY8, WIDTH, HEIGHT);
  GstCaps *out = cuda_caps (GRAY8, 1, G_MAXINT);

  fail_if (GST_BASE_TRANSFORM_GET_CLASS (trans)->set_caps (trans, in, out));
  assert_error (bus, "no layout for frames of that size");
  gst_caps_unref (in);
  gst_caps_unref (out);
  gst_object_unref (trans);
  harness_free (h, bus);
}

/* The base class sets caps if an allocation query arrives while the element
 * stops. */
TEST (test_caps_after_stop)
{
  GstElement *element = gst_element_factory_make ("cudacca", NULL);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
  GstCaps *caps = cuda_caps (GRAY8, WIDTH, HEIGHT);

  gst_element_set_state (element, GST_STATE_PAUSED);
  gst_element_set_state (element, GST_STATE_READY);
  fail_if (GST_BASE_TRANSFORM_GET_CLASS (trans)->set_caps (trans, caps, caps));
  gst_element_set_state (element, GST_STATE_NULL);
  gst_caps_unref (caps);
  gst_object_unref (element);
}

/* Metas about colours do not apply to GRAY8 and are removed. */
TEST (test_meta_about_colours)
{
  static const gchar *colours[] = {"video", "colorspace", NULL};
  static const gchar *video[] = {"video", NULL};
  GstHarness *h =
      gray_harness ("cudagrayupload", frame_caps (GRAY8, WIDTH, HEIGHT), NULL);
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 3);
  GstBuffer *buffer = frame_new (GRAY8, &picture, NULL);

  gst_meta_register_custom ("corners-colours", colours, NULL, NULL, NULL);
  gst_meta_register_custom ("corners-video", video, NULL, NULL, NULL);
  gst_buffer_add_custom_meta (buffer, "corners-colours");
  gst_buffer_add_custom_meta (buffer, "corners-video");
  buffer = gst_harness_push_and_pull (h, buffer);
  fail_if (gst_buffer_get_custom_meta (buffer, "corners-colours"));
  fail_unless (gst_buffer_get_custom_meta (buffer, "corners-video"));
  gst_buffer_unref (buffer);
  picture_clear (&picture);
  gst_harness_teardown (h);
}

CUDA_SUITE ("cuda-corners");
