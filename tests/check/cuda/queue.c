/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The frames in flight of cudacca: the suite of cca, and frames of several
 * contexts and streams. */

#include "cudautil.h"
#include "../elements/place.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 65
#define HEIGHT 33

static guint
n_frames (void)
{
  return amount (64, 34);
}

const Place place = {
  "cudacca",
  shared_harness_new,
  shared_frame_new,
  cuda_caps,
  n_frames,
};

/* Compares all output with that of the CPU and returns the number of frames. */
static guint
assert_outputs (GstHarness *h, GstHarness *reference)
{
  GstBuffer *buffer;
  guint n;

  for (n = 0; (buffer = gst_harness_try_pull (h)) != NULL; n++) {
    GstBuffer *other = gst_harness_pull (reference);
    GBytes *bytes = meta_bytes (buffer), *expected = meta_bytes (other);

    assert_same_bytes (bytes, expected, "frame");
    g_bytes_unref (bytes);
    g_bytes_unref (expected);
    gst_buffer_unref (buffer);
    gst_buffer_unref (other);
  }
  return n;
}

static void
push_both (GstHarness *h, GstHarness *reference, guint t,
    GstCudaContext *context, GstCudaStream *stream)
{
  Picture picture = noise_picture (FORMAT, WIDTH, HEIGHT, t);

  assert_equals_int (gst_harness_push (h,
                         gpu_frame (FORMAT, &picture, NULL, context, stream)),
      GST_FLOW_OK);
  assert_equals_int (gst_harness_push (reference,
                         frame_new (FORMAT, &picture, NULL)),
      GST_FLOW_OK);
  picture_clear (&picture);
}

/* A frame in another context: those in flight in the old one are pushed
 * first. */
TEST (test_contexts)
{
  GstCudaContext *contexts[] = {shared_context (), gst_cuda_context_new (0)};
  GstHarness *h =
      shared_harness_new ("cudacca async-depth=3", FORMAT, WIDTH, HEIGHT, NULL);
  GstHarness *reference = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  guint t;

  for (t = 0; t < 8; t++) {
    push_both (h, reference, t, contexts[t / 2 % 2], NULL);
    assert_equals_int (gst_harness_buffers_received (h), t / 2 * 2);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_equals_int (assert_outputs (h, reference), 8);
  gst_harness_teardown (h);
  gst_harness_teardown (reference);
  gst_object_unref (contexts[1]);
}

/* The background is in order though its frames are on two streams at once. */
TEST (test_streams)
{
  GstCudaStream *streams[] = {
    gst_cuda_stream_new (shared_context ()),
    gst_cuda_stream_new (shared_context ()),
    NULL,
  };
  GstHarness *h = shared_harness_new ("cudacca async-depth=4 "
                                      "foreground=sigma-delta",
      FORMAT, WIDTH, HEIGHT, NULL);
  GstHarness *reference =
      harness_new ("cca foreground=sigma-delta", FORMAT, WIDTH, HEIGHT, NULL);
  guint t;

  for (t = 0; t < 12; t++) {
    delay (shared_context (), streams[t % 2]);
    push_both (h, reference, t, shared_context (), streams[t % 3]);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_equals_int (assert_outputs (h, reference), 12);
  gst_harness_teardown (h);
  gst_harness_teardown (reference);
  gst_cuda_stream_unref (streams[0]);
  gst_cuda_stream_unref (streams[1]);
}

/* Streaming stops while the GPU works: nothing is left there. */
TEST (test_memory)
{
  GstHarness *h;
  gsize before;
  guint i, t;

  for (i = 0; i < 3; i++) {
    GstHarness *reference = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);

    h = shared_harness_new ("cudacca async-depth=16", FORMAT, WIDTH, HEIGHT,
        NULL);
    for (t = 0; t < 10; t++)
      push_both (h, reference, t, shared_context (), NULL);
    gst_harness_teardown (h);
    gst_harness_teardown (reference);
    if (i == 0)
      before = free_device_memory (shared_context ());
  }
  fail_unless (free_device_memory (shared_context ()) >= before);
}

CUDA_SUITE ("cuda-queue");
