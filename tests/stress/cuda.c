/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Frames in CUDA memory, and the context that the elements share. */

#include "stress.h"

#include <gst/cuda/gstcuda.h>
#include <string.h>

static GstCudaContext *context;
static GstCudaStream *stream;

gboolean
cuda_start (void)
{
  if (!gst_cuda_load_library () || CuInit (0) != CUDA_SUCCESS)
    return FALSE;
  gst_cuda_memory_init_once ();
  context = gst_cuda_context_new (0);
  if (context == NULL)
    return FALSE;
  stream = gst_cuda_stream_new (context);
  return TRUE;
}

void
cuda_stop (void)
{
  gst_clear_cuda_stream (&stream);
  gst_clear_object (&context);
}

static CUdeviceptr
upload (const GstMapInfo *map)
{
  CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = map->data,
    .srcPitch = map->size,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstPitch = map->size,
    .WidthInBytes = map->size,
    .Height = 1,
  };

  gst_cuda_context_push (context);
  if (CuMemAlloc (&copy.dstDevice, map->size) != CUDA_SUCCESS
      || CuMemcpy2D (&copy) != CUDA_SUCCESS)
    g_error ("a frame does not get to the device");
  gst_cuda_context_pop (NULL);
  return copy.dstDevice;
}

/* Copies a system frame, which it takes, to CUDA memory, byte by byte. */
GstBuffer *
cuda_frame (GstBuffer *frame, GstVideoFormat format, guint width, guint height,
    gboolean with_stream)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (frame);
  GstBuffer *out = gst_buffer_new ();
  GstVideoInfo info;
  GstMapInfo map;

  gst_video_info_set_format (&info, format, width, height);
  if (meta != NULL) {
    memcpy (info.offset, meta->offset, sizeof (info.offset));
    memcpy (info.stride, meta->stride, sizeof (info.stride));
  }
  g_assert_true (gst_buffer_map (frame, &map, GST_MAP_READ));
  info.size = map.size;
  gst_buffer_append_memory (out,
      gst_cuda_allocator_alloc_wrapped (NULL, context,
          with_stream ? stream : NULL, &info, upload (&map), NULL, NULL));
  gst_buffer_unmap (frame, &map);
  gst_buffer_unref (frame);
  gst_buffer_add_video_meta_full (out, GST_VIDEO_FRAME_FLAG_NONE, format, width,
      height, GST_VIDEO_INFO_N_PLANES (&info), info.offset, info.stride);
  return out;
}

guint8 *
cuda_read_luma (GstBuffer *buffer, gsize *stride)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  const GstVideoInfo *info;
  CUDA_MEMCPY2D copy = {0};
  GstMapInfo map;

  if (!gst_is_cuda_memory (memory))
    return NULL;
  info = &GST_CUDA_MEMORY_CAST (memory)->info;
  *stride = GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice =
      (CUdeviceptr) map.data + GST_VIDEO_INFO_PLANE_OFFSET (info, 0);
  copy.srcPitch = GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.WidthInBytes = copy.dstPitch = *stride;
  copy.Height = GST_VIDEO_INFO_HEIGHT (info);
  copy.dstHost = g_malloc (copy.dstPitch * copy.Height);
  gst_cuda_context_push (context);
  if (CuMemcpy2D (&copy) != CUDA_SUCCESS)
    g_error ("a frame does not come from the device");
  gst_cuda_context_pop (NULL);
  gst_memory_unmap (memory, &map);
  return copy.dstHost;
}

void
cuda_give_context (GstElement *element)
{
  GstContext *c = gst_context_new_cuda_context (context);

  gst_element_set_context (element, c);
  gst_context_unref (c);
}
