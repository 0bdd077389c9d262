/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cudaccamask
 * @title: cudaccamask
 * @short_description: shows which pixels belong to which component, on the GPU
 * @see_also: cudacca, ccamask
 *
 * Renders the label image of the #GstCcaLabelsMeta of each buffer as video in
 * CUDA memory. The pixels are the same as those of ccamask. The label image
 * must be in CUDA memory, too. The element enqueues its work on the CUDA stream
 * of the label image and does not wait for it. The only data copied to the GPU
 * are the ids of tracks.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! video/x-raw,format=NV12 ! cudaupload ! cudacca foreground=sigma-delta meta-types=cca+labels ! cudaccamask mode=colors ! cudadownload ! videoconvert ! fakesink
 * ]| Shows the moving objects, each in its own colour. Replace fakesink by
 * autovideosink to see them.
 *
 * Since: 0.1
 */

#include "gstcudaccamask.h"

#include "gstccacudamemory.h"
#include "gstccacudapool.h"
#include "paint/paint-cuda.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_cca_mask_debug);
#define GST_CAT_DEFAULT gst_cuda_cca_mask_debug

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
            GST_CCA_MASK_FORMATS)));

struct _GstCudaCcaMask
{
  GstCcaMaskBase parent;

  GstCcaCudaDevice device;
  CcaPainter *painter;   /* in the context of the device, or NULL */
  GstBufferPool *pool;   /* for the current caps, or NULL */
  GstCudaStream *stream; /* of the pool and the painter */
};

G_DEFINE_FINAL_TYPE (GstCudaCcaMask, gst_cuda_cca_mask, GST_TYPE_CCA_MASK_BASE);
#define parent_class gst_cuda_cca_mask_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cudaccamask, "cudaccamask",
    GST_RANK_NONE, GST_TYPE_CUDA_CCA_MASK,
    GST_DEBUG_CATEGORY_INIT (gst_cuda_cca_mask_debug, "cudaccamask", 0,
        "video from label images in CUDA memory"));

/* Releases all that depends on the context, the stream or the caps. It waits
 * for the stream first, because the GPU uses the memory of the painter until
 * its work is done. */
static void
reset (gpointer element)
{
  GstCudaCcaMask *self = GST_CUDA_CCA_MASK (element);

  if (self->painter != NULL && gst_cuda_context_push (self->device.context)) {
    gst_cuda_result (
        CuStreamSynchronize (gst_cuda_stream_get_handle (self->stream)));
    gst_cuda_context_pop (NULL);
  }
  g_clear_pointer (&self->painter, cca_painter_close);
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  gst_clear_cuda_stream (&self->stream);
}

/* --- buffers -------------------------------------------------------------- */

/* Changes to the context and the stream of the label image. On that stream the
 * image is written, read by the painter and written again, in this order. */
static gboolean
follow (GstCudaCcaMask *self, GstCudaMemory *memory)
{
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);

  if (stream != self->stream)
    reset (self);
  if (!gst_cca_cuda_device_follow (&self->device, memory->context, reset))
    return FALSE;
  if (self->stream == NULL && stream != NULL)
    self->stream = gst_cuda_stream_ref (stream);
  return TRUE;
}

static GstBuffer *
acquire (GstCudaCcaMask *self)
{
  GstBuffer *buffer = NULL;

  if (self->pool == NULL)
    self->pool = gst_cca_cuda_pool_new_plane (self->device.context,
        self->stream, &GST_CCA_MASK_BASE (self)->info);
  if (self->pool == NULL
      || gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL)
          != GST_FLOW_OK)
    gst_cca_mask_base_post_error (GST_CCA_MASK_BASE (self),
        "CUDA memory cannot be allocated");
  return buffer;
}

static GstFlowReturn
gst_cuda_cca_mask_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *inbuf, GstBuffer **outbuf)
{
  GstCudaCcaMask *self = GST_CUDA_CCA_MASK (trans);
  GstBuffer *picture =
      gst_cca_mask_base_get_picture (GST_CCA_MASK_BASE (self), inbuf);

  if (picture != NULL) {
    GstCudaMemory *memory = gst_cca_cuda_memory_peek (picture);

    if (memory == NULL) {
      gst_cca_mask_base_post_error (GST_CCA_MASK_BASE (self),
          GST_CCA_MASK_BASE (self)->mode == CCA_PAINT_BACKGROUND
              ? "the background is in system memory, use ccamask instead"
              : "the label image is in system memory, use ccamask instead");
      return GST_FLOW_ERROR;
    }
    if (!follow (self, memory))
      return GST_FLOW_ERROR;
  }
  *outbuf = acquire (self);
  if (*outbuf == NULL)
    return GST_FLOW_ERROR;
  /* This cannot fail, because the new buffer is writable. */
  GST_BASE_TRANSFORM_CLASS (parent_class)
      ->copy_metadata (trans, inbuf, *outbuf);
  return GST_FLOW_OK;
}

/* The element uses a pool of its own. */
static gboolean
gst_cuda_cca_mask_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  return TRUE;
}

/* --- frames --------------------------------------------------------------- */

static gboolean
paint_picture (GstCudaCcaMask *self, const CcaPaintPicture *picture,
    GstBuffer *from, CcaPaintLabels *labels)
{
  const GstVideoMeta *video = gst_buffer_get_video_meta (from);
  GstMemory *memory = gst_buffer_peek_memory (from, 0);
  GstMapInfo map;
  gboolean ok;

  if (!gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA))
    return FALSE;
  labels->data = map.data + video->offset[0];
  labels->stride = video->stride[0];
  ok = cca_painter_paint (self->painter, picture,
      GST_CCA_MASK_BASE (self)->mode, labels,
      gst_cuda_stream_get_handle (self->stream));
  gst_memory_unmap (memory, &map);
  return ok;
}

static gboolean
paint (GstCudaCcaMask *self, GstBuffer *buffer, GstBuffer *from,
    CcaPaintLabels *labels, const char **why)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  const GstVideoInfo *info = &GST_CUDA_MEMORY_CAST (memory)->info;
  CcaPaintPicture picture = {
    .stride = GST_VIDEO_INFO_PLANE_STRIDE (info, 0),
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
  };
  GstMapInfo map;
  gboolean ok;

  if (self->painter == NULL)
    self->painter =
        cca_painter_open (gst_cuda_context_get_handle (self->device.context),
            why);
  if (self->painter == NULL)
    return FALSE;
  /* Mapping for writing makes readers on other streams wait for this one. */
  if (!gst_memory_map (memory, &map, GST_MAP_WRITE | GST_MAP_CUDA))
    return FALSE;
  picture.data = map.data;
  if (from != NULL)
    ok = paint_picture (self, &picture, from, labels);
  else
    ok = cca_painter_clear (self->painter, &picture,
        gst_cuda_stream_get_handle (self->stream));
  gst_memory_unmap (memory, &map);
  return ok;
}

static gboolean
gst_cuda_cca_mask_paint (GstCcaMaskBase *base, GstBuffer *buffer,
    GstBuffer *from, CcaPaintLabels *labels)
{
  const char *why = "a call of the CUDA driver failed";

  if (paint (GST_CUDA_CCA_MASK (base), buffer, from, labels, &why))
    return TRUE;
  gst_cca_mask_base_post_error (base, why);
  return FALSE;
}

/* --- states --------------------------------------------------------------- */

static gboolean
gst_cuda_cca_mask_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  reset (trans);
  return GST_BASE_TRANSFORM_CLASS (parent_class)
      ->set_caps (trans, incaps, outcaps);
}

static gboolean
gst_cuda_cca_mask_start (GstBaseTransform *trans)
{
  return gst_cca_cuda_device_start (&GST_CUDA_CCA_MASK (trans)->device);
}

static gboolean
gst_cuda_cca_mask_stop (GstBaseTransform *trans)
{
  GstCudaCcaMask *self = GST_CUDA_CCA_MASK (trans);

  /* The lock is needed for the same reason as in gst_cca_base_stop(). */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  reset (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_cuda_device_stop (&self->device);
  return TRUE;
}

static void
gst_cuda_cca_mask_class_init (GstCudaCcaMaskClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCcaMaskBaseClass *base_class = GST_CCA_MASK_BASE_CLASS (klass);

  gst_cca_cuda_device_install (klass, G_STRUCT_OFFSET (GstCudaCcaMask, device));

  gst_element_class_set_static_metadata (element_class,
      "CUDA connected-component mask", "Filter/Video/Hardware",
      "Renders the label images attached by cudacca as video in CUDA memory: "
      "as a mask, as component ids, or with a colour for each component",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_stop);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_set_caps);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_prepare_output_buffer);
  trans_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_decide_allocation);

  base_class->memory = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;
  base_class->paint = GST_DEBUG_FUNCPTR (gst_cuda_cca_mask_paint);
}

static void
gst_cuda_cca_mask_init (GstCudaCcaMask *self)
{
  gst_cca_cuda_device_init (&self->device, GST_ELEMENT (self));
}
