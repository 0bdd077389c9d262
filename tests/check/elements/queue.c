/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The frames in flight of cca, and their effect on a pool. */

#include "place.h"

static guint
n_frames (void)
{
  return 40;
}

const Place place = {"cca", harness_new, frame_new, frame_caps, n_frames};

static GstBufferPool *
make_pool (GstHarness *h, guint width, guint height)
{
  GstCaps *caps = frame_caps (GST_VIDEO_FORMAT_GRAY8, width, height);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size, min;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, NULL);
  gst_buffer_pool_config_set_params (config, caps, size, min + 1, min + 1);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_query_unref (query);
  gst_caps_unref (caps);
  return pool;
}

/* The number of buffers in the query, and one for the next frame, suffice. */
TEST (test_pool)
{
  GstHarness *h =
      harness_new ("cca async-depth=3", GST_VIDEO_FORMAT_GRAY8, 64, 48, NULL);
  GstBufferPool *pool = make_pool (h, 64, 48);
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT,
  };
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < 20; i++) {
    assert_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, &params),
        GST_FLOW_OK);
    assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    while ((buffer = gst_harness_try_pull (h)) != NULL)
      gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

SUITE ("queue", .timeout = -1);
