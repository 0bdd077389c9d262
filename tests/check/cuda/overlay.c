/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* cudaccaoverlay: the pixels of the painter, and so those of ccaoverlay; on the
 * stream of the frame. */

#include "../elements/overlay-suite.h"
#include "cudautil.h"

static GstBuffer *
put (GstBuffer * system, const GstVideoInfo * info)
{
  GstBuffer *buffer = to_gpu (system, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
      shared_context (), NULL);

  gst_buffer_unref (system);
  return buffer;
}

/* Enqueued where the memory says, like all that comes after the element. */
static guint8 *
get (GstBuffer * buffer, gsize size)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstCudaStream *stream =
      gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory));
  CUDA_MEMCPY2D copy = { 0, };
  guint8 *bytes = g_malloc (size);
  CUstream handle = stream ? gst_cuda_stream_get_handle (stream) : NULL;
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  fail_unless (map.size >= size);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = (CUdeviceptr) map.data;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = bytes;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = size;
  copy.Height = 1;
  fail_unless (gst_cuda_context_push (GST_CUDA_MEMORY_CAST (memory)->context));
  fail_unless_equals_int (CuMemcpy2DAsync (&copy, handle), CUDA_SUCCESS);
  fail_unless_equals_int (CuStreamSynchronize (handle), CUDA_SUCCESS);
  gst_cuda_context_pop (NULL);
  gst_memory_unmap (memory, &map);
  return bytes;
}

static OverlayPlace cuda_memory = {
  .element = "cudaccaoverlay",
  .features = "memory:CUDAMemory",
  .n_rounds = 3,
  .put = put,
  .get = get,
};

static Suite *
overlay_suite (void)
{
  Suite *s = suite_create ("cuda-overlay");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 0);
  overlay_suite_add (tc, &cuda_memory);
  return s;
}

int
main (int argc, char **argv)
{
  return cuda_main (argc, argv, overlay_suite, "cuda-overlay");
}
