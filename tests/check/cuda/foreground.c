/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The foreground modes of cudacca: the suite of cca, and the context of the
 * background. */

#include "cudautil.h"
#include "../elements/place.h"

#define FORMAT GST_VIDEO_FORMAT_NV12

static guint
n_frames (void)
{
  return amount (60, 8);
}

const Place place = {
  "cudacca",
  shared_harness_new,
  shared_frame_new,
  cuda_caps,
  n_frames,
};

static guint
n_found (GstHarness *h, const Picture *picture, GstCudaContext *context)
{
  GstBuffer *out = gst_harness_push_and_pull (h,
      gpu_frame (FORMAT, picture, NULL, context, NULL));
  guint n;

  fail_unless (out != NULL);
  n = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (out));
  gst_buffer_unref (out);
  return n;
}

/* The background does not go along into another context. */
TEST (test_context)
{
  GstCudaContext *other = gst_cuda_context_new (0);
  GstHarness *h = shared_harness_new ("cudacca foreground=difference", FORMAT,
      65, 33, NULL);
  Picture dark = picture_new (65, 33, nothing, 0);
  Picture bright = picture_new (65, 33, full, 0);

  assert_equals_int (n_found (h, &dark, shared_context ()), 0);
  assert_equals_int (n_found (h, &bright, shared_context ()), 1);
  assert_equals_int (n_found (h, &dark, other), 0);
  assert_equals_int (n_found (h, &bright, other), 1);
  assert_equals_int (n_found (h, &dark, shared_context ()), 0);
  gst_harness_teardown (h);
  picture_clear (&dark);
  picture_clear (&bright);
  gst_object_unref (other);
}

CUDA_SUITE ("cuda-foreground");
