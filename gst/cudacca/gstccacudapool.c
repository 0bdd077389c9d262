/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccacudapool.h"

#include "gstccacudamemory.h"

/* --- one plane ------------------------------------------------------------ */

GST_DEBUG_CATEGORY_STATIC (gst_cuda_gray_pool_debug);
#define GST_CAT_DEFAULT gst_cuda_gray_pool_debug

/* Alignment of rows in bytes. It is the one that the driver uses, too. */
#define PITCH_ALIGNMENT 512

typedef struct
{
  GstBufferPool parent;

  GstCudaContext *context;
  GstCudaStream *stream;
  GstVideoInfo info; /* its stride is the pitch */
} GstCudaGrayPool;

typedef GstBufferPoolClass GstCudaGrayPoolClass;

static GType gst_cuda_gray_pool_get_type (void);
G_DEFINE_TYPE (GstCudaGrayPool, gst_cuda_gray_pool, GST_TYPE_BUFFER_POOL);

static CUdeviceptr
allocate (GstCudaGrayPool *self, gsize *pitch)
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
gst_cuda_gray_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  GstCudaGrayPool *self = (GstCudaGrayPool *) pool;
  GstVideoInfo info = self->info;
  gsize pitch = 0;
  CUdeviceptr data = allocate (self, &pitch);
  GstMemory *memory;

  if (data == 0)
    return GST_FLOW_ERROR;
  /* The driver can choose another pitch. The buffer is then valid, but the pool
   * does not recycle it, as its size differs. */
  GST_VIDEO_INFO_PLANE_STRIDE (&info, 0) = pitch;
  GST_VIDEO_INFO_SIZE (&info) = pitch * GST_VIDEO_INFO_HEIGHT (&info);

  /* The notify function is NULL, so GStreamer frees data in its context. */
  memory = gst_cuda_allocator_alloc_wrapped (NULL, self->context, self->stream,
      &info, data, NULL, NULL);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&info), GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_HEIGHT (&info), 1, info.offset, info.stride);
  return GST_FLOW_OK;
}

static void
gst_cuda_gray_pool_finalize (GObject *object)
{
  GstCudaGrayPool *self = (GstCudaGrayPool *) object;

  gst_clear_cuda_stream (&self->stream);
  gst_clear_object (&self->context);
  G_OBJECT_CLASS (gst_cuda_gray_pool_parent_class)->finalize (object);
}

static void
gst_cuda_gray_pool_class_init (GstCudaGrayPoolClass *klass)
{
  GST_DEBUG_CATEGORY_INIT (gst_cuda_gray_pool_debug, "cudagraypool", 0,
      "buffers of one plane in CUDA memory");
  G_OBJECT_CLASS (klass)->finalize = gst_cuda_gray_pool_finalize;
  klass->alloc_buffer = GST_DEBUG_FUNCPTR (gst_cuda_gray_pool_alloc_buffer);
}

static void
gst_cuda_gray_pool_init (GstCudaGrayPool *self)
{
}

GstBufferPool *
gst_cca_cuda_pool_new_plane (GstCudaContext *context, GstCudaStream *stream,
    const GstVideoInfo *info)
{
  GstCudaGrayPool *self = g_object_new (gst_cuda_gray_pool_get_type (), NULL);
  GstBufferPool *pool = GST_BUFFER_POOL (gst_object_ref_sink (self));
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCaps *caps = gst_video_info_to_caps (info);
  gsize pitch = GST_ROUND_UP_N ((gsize) GST_VIDEO_INFO_WIDTH (info)
          * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0),
      PITCH_ALIGNMENT);

  self->context = gst_object_ref (context);
  if (stream != NULL)
    self->stream = gst_cuda_stream_ref (stream);
  self->info = *info;
  GST_VIDEO_INFO_PLANE_STRIDE (&self->info, 0) = pitch;
  GST_VIDEO_INFO_SIZE (&self->info) = pitch * GST_VIDEO_INFO_HEIGHT (info);

  /* A size that is clipped here fails later, when a buffer is allocated. */
  gst_buffer_pool_config_set_params (config, caps,
      MIN (GST_VIDEO_INFO_SIZE (&self->info), G_MAXUINT), 0, 0);
  gst_caps_unref (caps);
  if (gst_buffer_pool_set_config (pool, config)
      && gst_buffer_pool_set_active (pool, TRUE))
    return pool;
  gst_object_unref (pool);
  return NULL;
}

/* --- stock formats -------------------------------------------------------- */

/* Formats that GstCudaBufferPool supports. It logs errors for all others. */
static gboolean
can_be_pooled (GstVideoFormat format)
{
  switch (format) {
    case GST_VIDEO_FORMAT_NV12:
    case GST_VIDEO_FORMAT_NV21:
    case GST_VIDEO_FORMAT_I420:
    case GST_VIDEO_FORMAT_YV12:
    case GST_VIDEO_FORMAT_Y42B:
    case GST_VIDEO_FORMAT_Y444:
    case GST_VIDEO_FORMAT_P010_10LE:
    case GST_VIDEO_FORMAT_P012_LE:
    case GST_VIDEO_FORMAT_P016_LE:
    case GST_VIDEO_FORMAT_I420_10LE:
    case GST_VIDEO_FORMAT_BGRA:
    case GST_VIDEO_FORMAT_RGBA:
    case GST_VIDEO_FORMAT_BGRx:
    case GST_VIDEO_FORMAT_RGBx:
      return TRUE;
    default:
      return FALSE;
  }
}

static GstBufferPool *
make_pool (GstCudaContext *context, GstCudaStream *stream, GstCaps *caps,
    guint *size)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  GstStructure *config;

  if (pool == NULL)
    return NULL;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (stream != NULL)
    gst_buffer_pool_config_set_cuda_stream (config, stream);
  if (!gst_buffer_pool_set_config (pool, config)) {
    gst_object_unref (pool);
    return NULL;
  }

  /* Read the size back: the pool has added the padding of the rows. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  return pool;
}

static GstBufferPool *
make_device_pool (GstCcaCudaDevice *device, GstCaps *caps, guint *size)
{
  GstBufferPool *pool = NULL;

  g_rec_mutex_lock (&device->lock);
  if (device->context != NULL)
    pool = make_pool (device->context, device->stream, caps, size);
  g_rec_mutex_unlock (&device->lock);
  return pool;
}

GstBufferPool *
gst_cca_cuda_pool_new (GstCudaContext *context, GstCudaStream *stream,
    const GstVideoInfo *info)
{
  guint size = GST_VIDEO_INFO_SIZE (info);
  GstBufferPool *pool;
  GstCaps *caps;

  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_GRAY8)
    return gst_cca_cuda_pool_new_plane (context, stream, info);
  if (!can_be_pooled (GST_VIDEO_INFO_FORMAT (info)))
    return NULL;
  caps = gst_video_info_to_caps (info);
  gst_caps_set_features_simple (caps,
      gst_caps_features_new_static_str (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
          NULL));
  pool = make_pool (context, stream, caps, &size);
  gst_caps_unref (caps);
  if (pool != NULL && !gst_buffer_pool_set_active (pool, TRUE))
    gst_clear_object (&pool);
  return pool;
}

void
gst_cca_cuda_pool_offer (GstCcaCudaDevice *device, GstQuery *query)
{
  GstBufferPool *pool;
  gboolean need_pool;
  GstVideoInfo info;
  GstCaps *caps;
  guint size;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || !gst_cca_caps_are_cuda (caps)
      || !gst_video_info_from_caps (&info, caps))
    return;
  /* Rows of CUDA memory are padded, so its layout needs the video meta. */
  if (!gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);

  if (!need_pool || gst_query_get_n_allocation_pools (query) > 0
      || !can_be_pooled (GST_VIDEO_INFO_FORMAT (&info)))
    return;
  size = GST_VIDEO_INFO_SIZE (&info);
  pool = make_device_pool (device, caps, &size);
  if (pool == NULL)
    return;
  GST_DEBUG_OBJECT (device->element, "offering %" GST_PTR_FORMAT, pool);
  gst_query_add_allocation_pool (query, pool, size, 0, 0);
  gst_object_unref (pool);
}
