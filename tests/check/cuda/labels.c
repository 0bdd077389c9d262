/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The label images of cudacca: the suite of cca, and CUDA memory. */

#include "cudautil.h"
#include "../elements/place.h"

#include <gst/ccameta/gstccalabelsmeta.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 90
#define HEIGHT 50

const Place place = {
  "cudacca",
  shared_harness_new,
  shared_frame_new,
  cuda_caps,
  NULL,
};

static GstCudaMemory *
label_memory (GstBuffer *buffer)
{
  GstBuffer *image =
      gst_cca_labels_meta_get_picture (gst_buffer_get_cca_labels_meta (buffer));
  GstMemory *memory = gst_buffer_peek_memory (image, 0);

  fail_unless (gst_is_cuda_memory (memory));
  return GST_CUDA_MEMORY_CAST (memory);
}

static GBytes *
labels_of (GstBuffer *buffer)
{
  return gst_cca_labels_meta_get_rows (gst_buffer_get_cca_labels_meta (buffer),
      0, HEIGHT);
}

/* Images are on the GPU, in the context and on the stream of the frame,
 * whichever that is, and have the bytes of cca's. */
TEST (test_streams)
{
  GstCudaContext *contexts[] = {shared_context (), gst_cuda_context_new (0)};
  GstHarness *h = shared_harness_new ("cudacca meta-types=labels async-depth=2",
      FORMAT, WIDTH, HEIGHT, NULL);
  GstHarness *reference =
      harness_new ("cca meta-types=labels", FORMAT, WIDTH, HEIGHT, NULL);
  guint t;

  for (t = 0; t < 12; t++) {
    GstCudaContext *context = contexts[t / 6];
    GstCudaStream *stream = t % 3 ? gst_cuda_stream_new (context) : NULL;
    Picture picture = noise_picture (FORMAT, WIDTH, HEIGHT, t);
    GstBuffer *buffer, *other;
    GBytes *labels, *expected;

    if (stream != NULL)
      delay (context, stream);
    gst_harness_push (h, gpu_frame (FORMAT, &picture, NULL, context, stream));
    gst_harness_push_event (h, gst_event_new_gap (0, 1));
    gst_harness_push (reference, frame_new (FORMAT, &picture, NULL));
    buffer = gst_harness_pull (h);
    other = gst_harness_pull (reference);
    fail_unless (label_memory (buffer)->context == context);
    if (stream != NULL)
      fail_unless (
          gst_cuda_memory_get_stream (label_memory (buffer)) == stream);
    labels = labels_of (buffer);
    expected = labels_of (other);
    assert_same_bytes (labels, expected, "labels");
    g_bytes_unref (labels);
    g_bytes_unref (expected);
    gst_buffer_unref (buffer);
    gst_buffer_unref (other);
    gst_clear_cuda_stream (&stream);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (reference);
  gst_object_unref (contexts[1]);
}

CUDA_SUITE ("cuda-labels");
