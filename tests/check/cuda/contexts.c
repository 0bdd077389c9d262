/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Whose context the element works in. */

#include "cudautil.h"

#define FORMAT GST_VIDEO_FORMAT_NV12

static void
assert_analysed (GstHarness *h, GstCudaContext *context, const Picture *picture,
    const GArray *expected)
{
  GstCudaStream *stream = gst_cuda_stream_new (context);
  GstBuffer *frame = gst_harness_push_and_pull (h,
      gpu_frame (FORMAT, picture, NULL, context, stream));

  fail_unless (frame != NULL);
  assert_components (gst_buffer_get_cca_meta (frame), expected);
  gst_buffer_unref (frame);
  gst_cuda_stream_unref (stream);
}

/* The element follows the memory to another context, and back. */
TEST (test_context_change)
{
  static const gchar *const descriptions[] = {
    "cudacca",
    "cudacca cuda-device-id=0",
    "cudagrayupload ! cudacca",
    "cudagrayupload ! cudacca ! cudagraydownload",
  };
  GstCudaContext *contexts[3];
  guint i, j;

  for (j = 0; j < G_N_ELEMENTS (contexts); j++)
    contexts[j] = gst_cuda_context_new (0);
  for (i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstHarness *h = cuda_harness_new (descriptions[i], shared_context (),
        FORMAT, 201, 103, NULL);

    for (j = 0; j < 12; j++) {
      Picture picture = picture_new (201, 103, noise, j);
      GArray *expected = expect (&picture, &default_look);

      assert_analysed (h, contexts[j * j % 3], &picture, expected);
      assert_analysed (h, contexts[j * j % 3], &picture, expected);
      g_array_unref (expected);
      picture_clear (&picture);
    }
    gst_harness_teardown (h);
  }
  /* no reference to a context is left */
  for (j = 0; j < G_N_ELEMENTS (contexts); j++) {
    ASSERT_OBJECT_REFCOUNT (contexts[j], "context", 1);
    gst_object_unref (contexts[j]);
  }
}

/* Each frame is in another context, and the element has the last reference to
 * the previous one: it frees its memory there before the context is
 * destroyed. */
TEST (test_context_goes)
{
  static const gchar *const descriptions[] = {
    "cudacca",
    "cudagrayupload ! cudacca ! cudagraydownload",
  };
  Picture picture = picture_new (201, 103, noise, 2);
  GArray *expected = expect (&picture, &default_look);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstHarness *h = cuda_harness_new (descriptions[i], shared_context (),
        FORMAT, 201, 103, NULL);

    for (j = 0; j < 4; j++) {
      GstCudaContext *context = gst_cuda_context_new (0);

      assert_analysed (h, context, &picture, expected);
      gst_object_unref (context);
    }
    gst_harness_teardown (h);
  }
  g_array_unref (expected);
  picture_clear (&picture);
}

typedef struct
{
  GstCudaContext *context;
  const Picture *picture;
  const GArray *expected;
} Branch;

static gpointer
analyse (gpointer data)
{
  Branch *b = data;
  GstHarness *h = cuda_harness_new ("cudacca", NULL, FORMAT, b->picture->width,
      b->picture->height, NULL);
  guint n = amount (300, 5), i;

  for (i = 0; i < n; i++)
    assert_analysed (h, b->context, b->picture, b->expected);
  gst_harness_teardown (h);
  return NULL;
}

/* Two branches that do not know of each other, at the same time. */
TEST (test_two_contexts)
{
  Picture picture = picture_new (641, 361, noise, 2);
  GArray *expected = expect (&picture, &default_look);
  Branch branches[2];
  GThread *threads[2];
  guint i;

  for (i = 0; i < 2; i++) {
    branches[i] = (Branch) {gst_cuda_context_new (0), &picture, expected};
    threads[i] = g_thread_new ("branch", analyse, &branches[i]);
  }
  for (i = 0; i < 2; i++) {
    g_thread_join (threads[i]);
    gst_object_unref (branches[i].context);
  }
  g_array_unref (expected);
  picture_clear (&picture);
}

static GstCudaContext *
query_context (GstPad *pad)
{
  GstQuery *query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstCudaContext *found = NULL;
  GstContext *context = NULL;

  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &context);
    gst_structure_get (gst_context_get_structure (context),
        GST_CUDA_CONTEXT_TYPE, GST_TYPE_CUDA_CONTEXT, &found, NULL);
  }
  gst_query_unref (query);
  return found;
}

/* An application's context is used and forwarded to neighbours. */
TEST (test_context_is_shared)
{
  static const gchar *const elements[] = {
    "cudacca",
    "cudagrayupload",
    "cudagraydownload",
    "cudaccamask",
  };
  GstElement *element;
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstContext *c = gst_context_new_cuda_context (shared_context ());

    element = gst_element_factory_make (elements[i], NULL);
    gst_element_set_context (element, c);
    gst_element_set_state (element, GST_STATE_PAUSED);
    for (j = 0; j < 2; j++) {
      GstPad *pad = gst_element_get_static_pad (element, j ? "src" : "sink");
      GstCudaContext *context = query_context (pad);

      fail_unless (context == shared_context (), "%s", elements[i]);
      gst_object_unref (context);
      gst_object_unref (pad);
    }
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
    gst_context_unref (c);
  }
}

/* The second element uses the context of the first one. */
TEST (test_pipeline_has_one_context)
{
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc num-buffers=3 ! "
      "video/x-raw,format=GRAY8 ! cudagrayupload ! cudacca name=a ! "
      "cudacca name=b ! cudagraydownload ! fakesink",
      NULL);
  GstCudaContext *contexts[2];
  guint i;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (i = 0; i < 2; i++) {
    GstElement *element =
        gst_bin_get_by_name (GST_BIN (pipeline), i ? "b" : "a");
    GstPad *pad = gst_element_get_static_pad (element, "sink");

    contexts[i] = query_context (pad);
    gst_object_unref (pad);
    gst_object_unref (element);
  }
  fail_unless (contexts[0] != NULL && contexts[0] == contexts[1]);
  gst_object_unref (contexts[0]);
  gst_object_unref (contexts[1]);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

TEST (test_no_such_device)
{
  static const gchar *const elements[] = {
    "cudacca",
    "cudagrayupload",
    "cudagraydownload",
    "cudaccamask",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElement *element = gst_element_factory_make (elements[i], NULL);
    GstBus *bus = gst_bus_new ();

    gst_element_set_bus (element, bus);
    g_object_set (element, "cuda-device-id", 77, NULL);
    assert_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    assert_error (bus, "cuda-device-id 77");
    /* it accepts another context until it starts */
    g_object_set (element, "cuda-device-id", 0, NULL);
    assert_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_bus (element, NULL);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
    gst_object_unref (bus);
  }
}

/* An element with cuda-device-id uses no other GPU. */
TEST (test_other_device)
{
  static const struct
  {
    const gchar *description;
    GstVideoFormat format;
  } cases[] = {
    {"cudacca cuda-device-id=0", FORMAT},
    {"cudagrayupload cuda-device-id=0", FORMAT},
    {"cudagraydownload cuda-device-id=0", GST_VIDEO_FORMAT_GRAY8},
  };
  Picture picture = picture_new (64, 48, noise, 2);
  GstCudaContext *other;
  int n = 0;
  guint i;

  CuDeviceGetCount (&n);
  if (n < 2) {
    g_print ("cuda-contexts: test_other_device needs two GPUs, not run\n");
    picture_clear (&picture);
    return;
  }
  other = gst_cuda_context_new (1);
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBus *bus;
    GstHarness *h = cuda_harness_new (cases[i].description, NULL,
        cases[i].format, 64, 48, &bus);

    assert_equals_int (gst_harness_push (h,
                           gpu_frame (cases[i].format, &picture, NULL, other,
                               NULL)),
        GST_FLOW_ERROR);
    assert_error (bus, "cuda-device-id");
    harness_free (h, bus);
  }
  gst_object_unref (other);
  picture_clear (&picture);
}

/* Without a choice, frames are analysed where they are. */
TEST (test_each_device)
{
  static const gchar *const descriptions[] = {
    "cudacca",
    "cudagrayupload ! cudacca ! cudagraydownload",
  };
  GstCudaContext *contexts[2];
  int n = 0;
  guint i, j;

  CuDeviceGetCount (&n);
  if (n < 2) {
    g_print ("cuda-contexts: test_each_device needs two GPUs, not run\n");
    return;
  }
  for (j = 0; j < 2; j++)
    contexts[j] = gst_cuda_context_new (j);
  for (i = 0; i < G_N_ELEMENTS (descriptions); i++) {
    GstHarness *h =
        cuda_harness_new (descriptions[i], NULL, FORMAT, 201, 103, NULL);

    for (j = 0; j < 8; j++) {
      Picture picture = picture_new (201, 103, noise, j);
      GArray *expected = expect (&picture, &default_look);

      assert_analysed (h, contexts[j / 2 % 2], &picture, expected);
      g_array_unref (expected);
      picture_clear (&picture);
    }
    gst_harness_teardown (h);
  }
  for (j = 0; j < 2; j++) {
    ASSERT_OBJECT_REFCOUNT (contexts[j], "context", 1);
    gst_object_unref (contexts[j]);
  }
}

CUDA_SUITE ("cuda-contexts");
