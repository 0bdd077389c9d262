/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The frame's stream: work is ordered after the writer of the frame, whichever
 * element gave the stream, and memory is not marked as done before it is. */

#include "cudautil.h"

#include <string.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 640
#define HEIGHT 360

static void
assert_ordered (const gchar *description, GstCudaStream *stream)
{
  Picture dark = picture_new (WIDTH, HEIGHT, nothing, 0);
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 5);
  GArray *expected = expect (&picture, &default_look);
  GstBuffer *bright = frame_new (FORMAT, &picture, NULL);
  GstHarness *h = cuda_harness_new (description, shared_context (), FORMAT,
      WIDTH, HEIGHT, NULL);
  gsize size;
  gpointer bytes = locked_copy (bright, &size);
  guint i;

  for (i = 0; i < 5; i++) {
    GstBuffer *frame =
        gpu_frame (FORMAT, &dark, NULL, shared_context (), stream);
    GstMemory *memory;

    write_later (frame, bytes, size);
    frame = gst_harness_push_and_pull (h, frame);
    fail_unless (frame != NULL);
    assert_components (gst_buffer_get_cca_meta (frame), expected);
    /* the writer did not wait, and the flag that says so is still set */
    memory = gst_buffer_peek_memory (frame, 0);
    fail_unless (
        !!GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC)
        == (stream != NULL));
    gst_buffer_unref (frame);
  }
  free_locked (bytes);
  gst_harness_teardown (h);
  gst_buffer_unref (bright);
  g_array_unref (expected);
  picture_clear (&picture);
  picture_clear (&dark);
}

/* The whole chain on one stream, a stream each, and no stream. */
TEST (test_order)
{
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());

  assert_ordered ("cudacca", stream);
  assert_ordered ("cudacca algorithm=flsl-cd", stream);
  assert_ordered ("cudagrayupload ! cudacca", stream);
  assert_ordered ("cudacca", NULL);
  assert_ordered ("cudagrayupload ! cudacca", NULL);
  gst_cuda_stream_unref (stream);
}

/* The element sets no flag that was not set. */
TEST (test_need_sync_is_left_alone)
{
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 5);
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (), FORMAT, WIDTH,
      HEIGHT, NULL);
  GstBuffer *frame =
      gpu_frame (FORMAT, &picture, NULL, shared_context (), stream);

  frame = gst_harness_push_and_pull (h, frame);
  fail_if (GST_MEMORY_FLAG_IS_SET (gst_buffer_peek_memory (frame, 0),
      GST_CUDA_MEMORY_TRANSFER_NEED_SYNC));
  gst_buffer_unref (frame);
  gst_cuda_stream_unref (stream);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* Memory written by the CPU is uploaded first. */
TEST_LOOP (test_written_by_the_cpu, 0, 2)
{
  Picture dark = picture_new (WIDTH, HEIGHT, nothing, 0);
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 5);
  GArray *expected = expect (&picture, &default_look);
  GstCudaStream *stream =
      __i__ ? gst_cuda_stream_new (shared_context ()) : NULL;
  GstHarness *h = cuda_harness_new ("cudacca", shared_context (), FORMAT, WIDTH,
      HEIGHT, NULL);
  GstBuffer *frame = gpu_frame (FORMAT, &dark, NULL, shared_context (), stream);
  GstBuffer *bright = frame_new (FORMAT, &picture, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
  gst_buffer_extract (bright, 0, map.data, map.size);
  gst_buffer_unmap (frame, &map);
  frame = gst_harness_push_and_pull (h, frame);
  assert_components (gst_buffer_get_cca_meta (frame), expected);
  gst_buffer_unref (frame);
  gst_buffer_unref (bright);
  gst_clear_cuda_stream (&stream);
  gst_harness_teardown (h);
  g_array_unref (expected);
  picture_clear (&picture);
  picture_clear (&dark);
}

/* --- many at once --------------------------------------------------------- */

#define N_THREADS 4

typedef struct
{
  const Picture *picture;
  GBytes *expected;
  const gchar *description;
  guint n_different;
} Repeats;

static gpointer
repeat (gpointer data)
{
  Repeats *r = data;
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstHarness *h = cuda_harness_new (r->description, shared_context (), FORMAT,
      r->picture->width, r->picture->height, NULL);
  GstBuffer *frame =
      gpu_frame (FORMAT, r->picture, NULL, shared_context (), stream);
  guint n = amount (1000, 10), i;

  for (i = 0; i < n; i++) {
    GstBuffer *out = gst_harness_push_and_pull (h, gst_buffer_ref (frame));
    GBytes *bytes = meta_bytes (out);

    r->n_different += !g_bytes_equal (bytes, r->expected);
    g_bytes_unref (bytes);
    gst_buffer_unref (out);
  }
  gst_buffer_unref (frame);
  gst_harness_teardown (h);
  gst_cuda_stream_unref (stream);
  return NULL;
}

/* The same bytes with each schedule. */
TEST (test_repeats)
{
  guint width = amount (1280, 320), height = amount (720, 180);
  Picture picture = picture_new (width, height, noise, 0);
  GstBuffer *system = frame_new (FORMAT, &picture, NULL);
  GBytes *expected = bytes_of ("cca", FORMAT, width, height, system);
  Repeats repeats[N_THREADS];
  GThread *threads[N_THREADS];
  guint i;

  for (i = 0; i < N_THREADS; i++) {
    repeats[i] = (Repeats) {&picture, expected,
      i % 2 ? "cudacca algorithm=flsl-cd" : "cudacca algorithm=tiled", 0};
    threads[i] = g_thread_new ("repeat", repeat, &repeats[i]);
  }
  for (i = 0; i < N_THREADS; i++) {
    g_thread_join (threads[i]);
    assert_equals_int (repeats[i].n_different, 0);
  }
  g_bytes_unref (expected);
  gst_buffer_unref (system);
  picture_clear (&picture);
}

static void
on_frame (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  GArray *expected = data;

  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  assert_equals_int (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE), 1);
}

/* Two branches analyse one memory with different properties. */
TEST (test_tee)
{
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 5);
  Look look = default_look;
  GArray *bright = expect (&picture, &look), *dark;
  GstHarness *h = cuda_harness_new (
      "tee name=t ! queue ! cudacca ! fakesink "
      "name=a signal-handoffs=true sync=false async=false t. ! queue ! "
      "cudacca threshold=40 connectivity=4 invert=true ! fakesink name=b "
      "signal-handoffs=true sync=false async=false",
      shared_context (), FORMAT, WIDTH, HEIGHT, NULL);
  GstCudaStream *stream = gst_cuda_stream_new (shared_context ());
  GstElement *a;
  guint n = amount (200, 5), i;

  look.threshold = 40;
  look.connectivity = 4;
  look.invert = TRUE;
  dark = expect (&picture, &look);
  a = gst_bin_get_by_name (GST_BIN (h->element), "a");
  g_signal_connect (a, "handoff", G_CALLBACK (on_frame), bright);
  gst_object_unref (a);
  a = gst_bin_get_by_name (GST_BIN (h->element), "b");
  g_signal_connect (a, "handoff", G_CALLBACK (on_frame), dark);
  gst_object_unref (a);

  for (i = 0; i < n; i++)
    assert_equals_int (gst_harness_push (h,
                           gpu_frame (FORMAT, &picture, NULL, shared_context (),
                               stream)),
        GST_FLOW_OK);
  gst_harness_push_event (h, gst_event_new_eos ());
  gst_harness_teardown (h);
  gst_cuda_stream_unref (stream);
  g_array_unref (bright);
  g_array_unref (dark);
  picture_clear (&picture);
}

CUDA_SUITE ("cuda-streams");
