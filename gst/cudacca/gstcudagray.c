/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstcudagray.h"

#include "gst/ccabase/gstccametafilter.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_gray_debug);
#define GST_CAT_DEFAULT gst_cuda_gray_debug

typedef struct
{
  GstCcaCudaDevice device;
  GstVideoInfo in_info, out_info;
  CUevent done; /* in the context, or NULL; end of a copy */
} GstCudaGrayPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstCudaGray, gst_cuda_gray,
    GST_TYPE_BASE_TRANSFORM);
#define parent_class gst_cuda_gray_parent_class
#define PRIV(self) \
  ((GstCudaGrayPrivate *) gst_cuda_gray_get_instance_private (self))

GstCcaCudaDevice *
gst_cuda_gray_get_device (GstCudaGray *self)
{
  return &PRIV (self)->device;
}

const GstVideoInfo *
gst_cuda_gray_get_in_info (GstCudaGray *self)
{
  return &PRIV (self)->in_info;
}

const GstVideoInfo *
gst_cuda_gray_get_out_info (GstCudaGray *self)
{
  return &PRIV (self)->out_info;
}

void
gst_cuda_gray_post_error (GstCudaGray *self, gchar *sentence)
{
  GST_ELEMENT_ERROR (self, STREAM, FAILED,
      ("The video cannot be transferred: %s.", sentence), (NULL));
  g_free (sentence);
}

static void
reset (gpointer element)
{
  GstCudaGray *self = GST_CUDA_GRAY (element);
  GstCudaGrayPrivate *priv = PRIV (self);
  GstCudaGrayClass *klass = GST_CUDA_GRAY_GET_CLASS (self);

  if (klass->reset != NULL)
    klass->reset (self);
  if (priv->done != NULL && gst_cuda_context_push (priv->device.context)) {
    gst_cuda_result (CuEventDestroy (priv->done));
    gst_cuda_context_pop (NULL);
  }
  priv->done = NULL;
}

gboolean
gst_cuda_gray_follow (GstCudaGray *self, GstCudaMemory *memory)
{
  return gst_cca_cuda_device_follow (&PRIV (self)->device, memory->context,
      reset);
}

gboolean
gst_cuda_gray_find_picture (GstCudaGray *self, GstBuffer *buffer,
    GstCcaPicture *picture)
{
  const GstVideoInfo *info = &PRIV (self)->in_info;
  gchar *why = NULL;

  if (gst_cca_picture_find (picture, buffer, info, &why)) {
    if (picture->width == (guint) GST_VIDEO_INFO_WIDTH (info)
        && picture->height == (guint) GST_VIDEO_INFO_HEIGHT (info))
      return TRUE;
    why = g_strdup_printf ("the crop rectangle has %ux%u pixels, but the caps "
                           "have %dx%d",
        picture->width, picture->height, GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
  }
  gst_cuda_gray_post_error (self, why);
  return FALSE;
}

/* Requires a current context. */
static gboolean
copy_and_wait (GstCudaGrayPrivate *priv, const CUDA_MEMCPY2D *copy,
    CUstream stream)
{
  if (priv->done == NULL
      && !gst_cuda_result (CuEventCreate (&priv->done,
          CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)))
    return FALSE;
  if (!gst_cuda_result (CuMemcpy2DAsync (copy, stream)))
    return FALSE;
  if (gst_cuda_result (CuEventRecord (priv->done, stream))
      && gst_cuda_result (CuEventSynchronize (priv->done)))
    return TRUE;
  /* The memory must not be released while the copy runs. */
  gst_cuda_result (CuStreamSynchronize (stream));
  return FALSE;
}

gboolean
gst_cuda_gray_copy (GstCudaGray *self, const CUDA_MEMCPY2D *copy,
    GstCudaStream *stream)
{
  GstCudaGrayPrivate *priv = PRIV (self);
  gboolean ok = FALSE;

  if (gst_cuda_context_push (priv->device.context)) {
    ok = copy_and_wait (priv, copy, gst_cuda_stream_get_handle (stream));
    gst_cuda_context_pop (NULL);
  }
  if (!ok)
    gst_cuda_gray_post_error (self,
        g_strdup ("the CUDA driver failed to copy a frame"));
  return ok;
}

static gboolean
gst_cuda_gray_start (GstBaseTransform *trans)
{
  return gst_cca_cuda_device_start (&PRIV (GST_CUDA_GRAY (trans))->device);
}

static gboolean
gst_cuda_gray_stop (GstBaseTransform *trans)
{
  GstCudaGray *self = GST_CUDA_GRAY (trans);

  /* The lock is needed for the same reason as in gst_cca_base_stop(). */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  reset (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_cuda_device_stop (&PRIV (self)->device);
  return TRUE;
}

static gboolean
gst_cuda_gray_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  GstCudaGray *self = GST_CUDA_GRAY (trans);
  GstCudaGrayPrivate *priv = PRIV (self);

  reset (self);
  if (gst_video_info_from_caps (&priv->in_info, incaps)
      && gst_video_info_from_caps (&priv->out_info, outcaps))
    return TRUE;
  gst_cuda_gray_post_error (self,
      g_strdup ("GStreamer has no layout for frames of that size"));
  return FALSE;
}

static gboolean
gst_cuda_gray_get_unit_size (GstBaseTransform *trans, GstCaps *caps,
    gsize *size)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return FALSE;
  *size = GST_VIDEO_INFO_SIZE (&info);
  return TRUE;
}

/* The default function needs sizes that are multiples of the unit size, but the
 * rows of buffers can be padded. */
static gboolean
gst_cuda_gray_transform_size (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, gsize size, GstCaps *othercaps,
    gsize *othersize)
{
  return gst_cuda_gray_get_unit_size (trans, othercaps, othersize);
}

static gboolean
gst_cuda_gray_transform_meta (GstBaseTransform *trans, GstBuffer *outbuf,
    GstMeta *meta, GstBuffer *inbuf)
{
  return gst_cca_meta_stays (meta);
}

/* Upstream can pad rows and leave cropping to the element. */
static gboolean
gst_cuda_gray_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)
          ->propose_allocation (trans, decide_query, query))
    return FALSE;
  if (decide_query == NULL)
    return TRUE;
  if (!gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  return TRUE;
}

static void
gst_cuda_gray_class_init (GstCudaGrayClass *klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cuda_gray_debug, "cudagray", 0,
      "GRAY8 in CUDA memory");

  gst_cca_cuda_device_install (klass, G_PRIVATE_OFFSET (GstCudaGray, device));
  trans_class->start = GST_DEBUG_FUNCPTR (gst_cuda_gray_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cuda_gray_stop);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cuda_gray_set_caps);
  trans_class->get_unit_size = GST_DEBUG_FUNCPTR (gst_cuda_gray_get_unit_size);
  trans_class->transform_size =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_transform_size);
  trans_class->transform_meta =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_transform_meta);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_propose_allocation);

  gst_type_mark_as_plugin_api (GST_TYPE_CUDA_GRAY, 0);
}

static void
gst_cuda_gray_init (GstCudaGray *self)
{
  gst_cca_cuda_device_init (&PRIV (self)->device, GST_ELEMENT (self));
  /* Keep the GAP flag on the output: it is what marks a buffer without memory
   * as valid. */
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (self), TRUE);
}
