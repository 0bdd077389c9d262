/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "context.h"

#include <gst/video/video.h>

#include "graypool.h"
#include "gst/ccabase/property.h"

void
gst_cca_cuda_init (GstCcaCuda * cuda)
{
  g_rec_mutex_init (&cuda->lock);
  g_mutex_init (&cuda->answer_lock);
  cuda->device_id = GST_CCA_CUDA_DEFAULT_DEVICE_ID;
}

/* GStreamer looks for a context under a lock of all elements, and asks others
 * for theirs: these must not wait for one that waits for that lock. */
static void
unlock (GstCcaCuda * cuda)
{
  GstCudaContext *old;

  g_mutex_lock (&cuda->answer_lock);
  old = cuda->answer;
  cuda->answer = cuda->context ? gst_object_ref (cuda->context) : NULL;
  g_mutex_unlock (&cuda->answer_lock);
  g_rec_mutex_unlock (&cuda->lock);
  gst_clear_object (&old);
}

GParamSpec *
gst_cca_cuda_param_spec_device_id (void)
{
  return g_param_spec_int ("cuda-device-id", "CUDA Device ID",
      "GPU to use, by its number in CUDA (-1 = the one that the video is on)",
      -1, G_MAXINT, GST_CCA_CUDA_DEFAULT_DEVICE_ID, G_PARAM_READWRITE
      | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
}

void
gst_cca_cuda_set_device_id (GstCcaCuda * cuda, GstElement * element,
    GParamSpec * pspec, gint id)
{
  if (!gst_cca_lock_to_set (element, &cuda->started, pspec))
    return;
  cuda->device_id = id;
  GST_OBJECT_UNLOCK (element);
}

gint
gst_cca_cuda_get_device_id (GstCcaCuda * cuda, GstElement * element)
{
  gint id;

  GST_OBJECT_LOCK (element);
  id = cuda->device_id;
  GST_OBJECT_UNLOCK (element);
  return id;
}

/* Takes the stream. Under the lock, as an allocation query may come while the
 * element stops. */
static void
set_stream (GstCcaCuda * cuda, GstCudaStream * stream)
{
  GstCudaStream *old;

  g_rec_mutex_lock (&cuda->lock);
  old = cuda->stream;
  cuda->stream = stream;
  g_rec_mutex_unlock (&cuda->lock);
  gst_clear_cuda_stream (&old);
}

gboolean
gst_cca_cuda_start (GstCcaCuda * cuda, GstElement * element)
{
  gboolean ok;
  gint id;

  gst_cca_set_started (element, &cuda->started, TRUE);
  id = gst_cca_cuda_get_device_id (cuda, element);
  g_rec_mutex_lock (&cuda->lock);
  ok = gst_cuda_ensure_element_context (element, id, &cuda->context);
  unlock (cuda);

  if (!ok) {
    gst_cca_set_started (element, &cuda->started, FALSE);
    if (id < 0)
      GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
          ("No CUDA context can be made on the GPU."), (NULL));
    else
      GST_ELEMENT_ERROR (element, RESOURCE, NOT_FOUND,
          ("No CUDA context can be made on the GPU with cuda-device-id %d.",
              id), (NULL));
    return FALSE;
  }
  set_stream (cuda, gst_cuda_stream_new (cuda->context));
  return TRUE;
}

static void
release (GstCcaCuda * cuda)
{
  set_stream (cuda, NULL);
  g_rec_mutex_lock (&cuda->lock);
  gst_clear_object (&cuda->context);
  unlock (cuda);
}

void
gst_cca_cuda_stop (GstCcaCuda * cuda, GstElement * element)
{
  release (cuda);
  gst_cca_set_started (element, &cuda->started, FALSE);
}

void
gst_cca_cuda_clear (GstCcaCuda * cuda)
{
  release (cuda);
  g_rec_mutex_clear (&cuda->lock);
  g_mutex_clear (&cuda->answer_lock);
}

void
gst_cca_cuda_set_context (GstCcaCuda * cuda, GstElement * element,
    GstContext * context)
{
  gint id = gst_cca_cuda_get_device_id (cuda, element);

  g_rec_mutex_lock (&cuda->lock);
  gst_cuda_handle_set_context (element, context, id, &cuda->context);
  unlock (cuda);
}

gboolean
gst_cca_cuda_query (GstCcaCuda * cuda, GstElement * element, GstQuery * query)
{
  GstCudaContext *context;
  gboolean answered;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return FALSE;
  g_mutex_lock (&cuda->answer_lock);
  context = cuda->answer ? gst_object_ref (cuda->answer) : NULL;
  g_mutex_unlock (&cuda->answer_lock);
  answered = gst_cuda_handle_context_query (element, query, context);
  gst_clear_object (&context);
  return answered;
}

gboolean
gst_cca_cuda_accept (GstCcaCuda * cuda, GstElement * element,
    GstCudaContext * context)
{
  gint wanted = gst_cca_cuda_get_device_id (cuda, element);
  guint id = 0;

  if (wanted < 0)
    return TRUE;
  g_object_get (context, "cuda-device-id", &id, NULL);
  if (id == (guint) wanted)
    return TRUE;
  GST_ELEMENT_ERROR (element, RESOURCE, SETTINGS,
      ("The video is on the GPU %u and not on the GPU %d of cuda-device-id.",
          id, wanted), (NULL));
  return FALSE;
}

void
gst_cca_cuda_move (GstCcaCuda * cuda, GstCudaContext * context)
{
  set_stream (cuda, NULL);
  g_rec_mutex_lock (&cuda->lock);
  gst_object_replace ((GstObject **) & cuda->context, GST_OBJECT (context));
  unlock (cuda);
  set_stream (cuda, gst_cuda_stream_new (context));
}

gboolean
gst_cca_cuda_caps (const GstCaps * caps)
{
  /* none in ANY caps, which an allocation query may have */
  return gst_caps_get_size (caps) > 0
      && gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

/* What GstCudaBufferPool has layouts for; it complains about others. */
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
make_pool (GstCudaContext * context, GstCudaStream * stream, GstCaps * caps,
    guint * size)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  GstStructure *config;

  if (pool == NULL)
    return NULL;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (stream != NULL)
    gst_buffer_pool_config_set_cuda_stream (config, stream);
  if (!gst_buffer_pool_set_config (pool, config)) {
    gst_object_unref (pool);
    return NULL;
  }

  /* the pool knows the pitch */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  return pool;
}

/* With our stream. */
static GstBufferPool *
make_our_pool (GstCcaCuda * cuda, GstCaps * caps, guint * size)
{
  GstBufferPool *pool = NULL;

  g_rec_mutex_lock (&cuda->lock);
  if (cuda->context != NULL)
    pool = make_pool (cuda->context, cuda->stream, caps, size);
  g_rec_mutex_unlock (&cuda->lock);
  return pool;
}

GstBufferPool *
gst_cca_cuda_start_pool (GstCudaContext * context, GstCudaStream * stream,
    const GstVideoInfo * info)
{
  guint size = GST_VIDEO_INFO_SIZE (info);
  GstBufferPool *pool;
  GstCaps *caps;

  if (GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_GRAY8)
    return gst_cuda_gray_pool_new (context, stream, info);
  if (!can_be_pooled (GST_VIDEO_INFO_FORMAT (info)))
    return NULL;
  caps = gst_video_info_to_caps (info);
  gst_caps_set_features_simple (caps, gst_caps_features_new_static_str
      (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, NULL));
  pool = make_pool (context, stream, caps, &size);
  gst_caps_unref (caps);
  if (pool != NULL && !gst_buffer_pool_set_active (pool, TRUE))
    gst_clear_object (&pool);
  return pool;
}

void
gst_cca_cuda_offer_pool (GstCcaCuda * cuda, GstElement * element,
    GstQuery * query)
{
  GstBufferPool *pool;
  gboolean need_pool;
  GstVideoInfo info;
  GstCaps *caps;
  guint size;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || !gst_cca_cuda_caps (caps)
      || !gst_video_info_from_caps (&info, caps))
    return;
  /* rows of CUDA memory are padded: nobody can use it without the meta */
  if (!gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);

  if (!need_pool || gst_query_get_n_allocation_pools (query) > 0
      || !can_be_pooled (GST_VIDEO_INFO_FORMAT (&info)))
    return;
  size = GST_VIDEO_INFO_SIZE (&info);
  pool = make_our_pool (cuda, caps, &size);
  if (pool == NULL)
    return;
  GST_DEBUG_OBJECT (element, "offering %" GST_PTR_FORMAT, pool);
  gst_query_add_allocation_pool (query, pool, size, 0, 0);
  gst_object_unref (pool);
}
