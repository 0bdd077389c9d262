/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "graypool.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_gray_pool_debug);
#define GST_CAT_DEFAULT gst_cuda_gray_pool_debug

/* Rows start at multiples of this, and so do they where the driver chooses. */
#define PITCH_ALIGNMENT 512

typedef struct
{
  GstBufferPool parent;

  GstCudaContext *context;
  GstCudaStream *stream;
  GstVideoInfo info;            /* with the pitch */
} GstCudaGrayPool;

typedef GstBufferPoolClass GstCudaGrayPoolClass;

static GType gst_cuda_gray_pool_get_type (void);
G_DEFINE_TYPE (GstCudaGrayPool, gst_cuda_gray_pool, GST_TYPE_BUFFER_POOL);

static CUdeviceptr
allocate (GstCudaGrayPool * self, gsize * pitch)
{
  CUdeviceptr data = 0;

  if (!gst_cuda_context_push (self->context))
    return 0;
  if (!gst_cuda_result (CuMemAllocPitch (&data, pitch,
              GST_VIDEO_INFO_PLANE_STRIDE (&self->info, 0),
              GST_VIDEO_INFO_HEIGHT (&self->info), 16)))
    data = 0;
  gst_cuda_context_pop (NULL);
  return data;
}

static GstFlowReturn
gst_cuda_gray_pool_alloc_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstCudaGrayPool *self = (GstCudaGrayPool *) pool;
  GstVideoInfo info = self->info;
  gsize pitch = 0;
  CUdeviceptr data = allocate (self, &pitch);
  GstMemory *memory;

  if (data == 0)
    return GST_FLOW_ERROR;
  /* a buffer with another pitch than ours works, but is not recycled */
  GST_VIDEO_INFO_PLANE_STRIDE (&info, 0) = pitch;
  GST_VIDEO_INFO_SIZE (&info) = pitch * GST_VIDEO_INFO_HEIGHT (&info);

  /* without a function to free it, the memory frees it in its context */
  memory = gst_cuda_allocator_alloc_wrapped (NULL, self->context,
      self->stream, &info, data, NULL, NULL);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&info), GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_HEIGHT (&info), 1, info.offset, info.stride);
  return GST_FLOW_OK;
}

static void
gst_cuda_gray_pool_finalize (GObject * object)
{
  GstCudaGrayPool *self = (GstCudaGrayPool *) object;

  gst_clear_cuda_stream (&self->stream);
  gst_clear_object (&self->context);
  G_OBJECT_CLASS (gst_cuda_gray_pool_parent_class)->finalize (object);
}

static void
gst_cuda_gray_pool_class_init (GstCudaGrayPoolClass * klass)
{
  GST_DEBUG_CATEGORY_INIT (gst_cuda_gray_pool_debug, "cudagraypool", 0,
      "buffers of one plane in CUDA memory");
  G_OBJECT_CLASS (klass)->finalize = gst_cuda_gray_pool_finalize;
  klass->alloc_buffer = GST_DEBUG_FUNCPTR (gst_cuda_gray_pool_alloc_buffer);
}

static void
gst_cuda_gray_pool_init (GstCudaGrayPool * self)
{
}

GstBufferPool *
gst_cuda_gray_pool_new (GstCudaContext * context, GstCudaStream * stream,
    const GstVideoInfo * info)
{
  GstCudaGrayPool *self = g_object_new (gst_cuda_gray_pool_get_type (), NULL);
  GstBufferPool *pool = GST_BUFFER_POOL (gst_object_ref_sink (self));
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCaps *caps = gst_video_info_to_caps (info);
  gsize pitch = GST_ROUND_UP_N ((gsize) GST_VIDEO_INFO_WIDTH (info)
      * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0), PITCH_ALIGNMENT);

  self->context = gst_object_ref (context);
  if (stream != NULL)
    self->stream = gst_cuda_stream_ref (stream);
  self->info = *info;
  GST_VIDEO_INFO_PLANE_STRIDE (&self->info, 0) = pitch;
  GST_VIDEO_INFO_SIZE (&self->info) = pitch * GST_VIDEO_INFO_HEIGHT (info);

  /* a frame that is too large is refused when it is allocated */
  gst_buffer_pool_config_set_params (config, caps,
      MIN (GST_VIDEO_INFO_SIZE (&self->info), G_MAXUINT), 0, 0);
  gst_caps_unref (caps);
  if (gst_buffer_pool_set_config (pool, config)
      && gst_buffer_pool_set_active (pool, TRUE))
    return pool;
  gst_object_unref (pool);
  return NULL;
}
