/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cudaccaoverlay
 * @title: cudaccaoverlay
 * @short_description: draws connected components into video on a CUDA GPU
 * @see_also: ccaoverlay, cudacca
 *
 * Draws components into video in CUDA memory like #ccaoverlay. It has the same
 * properties and draws the same pixels. It draws in place, on the CUDA stream
 * of the video, and does not wait for the GPU. The only data copied to the GPU
 * are the list of shapes and the glyphs of the digits.
 *
 * A shared buffer is copied on the GPU before it is drawn on.
 *
 * ## Example pipeline
 *
 * |[
 * gst-launch-1.0 filesrc location=video.mp4 ! qtdemux ! h264parse ! nvh264dec ! cudacca min-area=50 ! cudaccaoverlay ! nvh264enc ! h264parse ! matroskamux ! filesink location=boxes.mkv
 * ]| Draws a box around each component. The frames stay on the GPU.
 *
 * Since: 0.1
 */

#include "gstcudaccaoverlay.h"

#include "gstccacudamemory.h"
#include "gstccacudapool.h"
#include "overlay/overlay-cuda.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_cca_overlay_debug);
#define GST_CAT_DEFAULT gst_cuda_cca_overlay_debug

/* Formats with more than 8 bits are in the last structure, so that a source
 * that supports several formats negotiates an 8-bit one. */
#define CAPS \
  GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, \
      "{ NV12, NV21, I420, YV12, Y42B, " \
      "Y444, GRAY8, BGRA, RGBA, BGRx, RGBx }") \
  "; " GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, \
      "{ P010_10LE, P012_LE, P016_LE, I420_10LE }")

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

struct _GstCudaCcaOverlay
{
  GstCcaOverlayBase parent;

  GstCcaCudaDevice device;

  /* Used by the streaming thread only. */
  CcaOverlayGpu *gpu;         /* in the context; NULL until it is needed */
  GstCudaStream *last_stream; /* drawn on last; NULL: the default stream */
  guint digits_sent;          /* digits_made of the base class, on the GPU */
  GstBufferPool *pool;        /* for copies; NULL until it is needed */
  GstVideoInfo pool_info;
  GstCudaStream *pool_stream;
  gchar *copy_error; /* why the current buffer was not copied */
};

G_DEFINE_FINAL_TYPE (GstCudaCcaOverlay, gst_cuda_cca_overlay,
    GST_TYPE_CCA_OVERLAY_BASE);
#define parent_class gst_cuda_cca_overlay_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cudaccaoverlay, "cudaccaoverlay",
    GST_RANK_NONE, GST_TYPE_CUDA_CCA_OVERLAY,
    GST_DEBUG_CATEGORY_INIT (gst_cuda_cca_overlay_debug, "cudaccaoverlay", 0,
        "connected components drawn into video on CUDA GPUs"));

static void
drop_pool (GstCudaCcaOverlay *self)
{
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  gst_clear_cuda_stream (&self->pool_stream);
}

/* Releases all that is in the context. */
static void
leave_context (gpointer element)
{
  GstCudaCcaOverlay *self = GST_CUDA_CCA_OVERLAY (element);

  drop_pool (self);
  cca_overlay_gpu_close (self->gpu);
  self->gpu = NULL;
  gst_clear_cuda_stream (&self->last_stream);
  self->digits_sent = 0;
}

static void
post_failure (GstCudaCcaOverlay *self, const gchar *why)
{
  GST_ELEMENT_ERROR (self, LIBRARY, FAILED,
      ("The components cannot be drawn: %s.", why), (NULL));
}

/* Memory without a stream was written on the default stream. It waits for the
 * streams of GStreamer and they wait for it, so later users of the memory need
 * no synchronisation. */
static CUstream
stream_of (GstCudaMemory *memory)
{
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);

  return stream != NULL ? gst_cuda_stream_get_handle (stream) : NULL;
}

static void
find_planes (GstCcaOverlayPlane *planes, const GstVideoInfo *layout,
    guint n_planes, const GstMapInfo *map)
{
  guint i;

  for (i = 0; i < n_planes; i++) {
    const gsize offset =
        MIN (GST_VIDEO_INFO_PLANE_OFFSET (layout, i), map->size);

    planes[i] = (GstCcaOverlayPlane) {
      .data = map->data + offset,
      .size = map->size - offset,
      .stride = GST_VIDEO_INFO_PLANE_STRIDE (layout, i),
    };
  }
}

/* --- copies --------------------------------------------------------------- */

static gboolean
ensure_pool (GstCudaCcaOverlay *self, const GstVideoInfo *info,
    GstCudaStream *stream)
{
  GstVideoInfo even = *info;

  if (self->pool != NULL && self->pool_stream == stream
      && gst_video_info_is_equal (&self->pool_info, info))
    return TRUE;
  drop_pool (self);
  self->pool_info = *info;
  /* For NV21 with an odd height GStreamer's allocator omits the last row of
   * chroma. */
  GST_VIDEO_INFO_HEIGHT (&even) = GST_ROUND_UP_2 (GST_VIDEO_INFO_HEIGHT (info));
  self->pool = gst_cca_cuda_pool_new (self->device.context, stream, &even);
  if (self->pool != NULL && stream != NULL)
    self->pool_stream = gst_cuda_stream_ref (stream);
  return self->pool != NULL;
}

/* Requires a current context. The size of a plane is that of its first
 * component. */
static gboolean
copy_planes (const GstVideoInfo *info, const GstCcaOverlayPlane *from,
    const GstCcaOverlayPlane *to, CUstream stream)
{
  guint channel, plane;

  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    CUDA_MEMCPY2D copy = {
      0,
    };

    for (channel = 0;
        (guint) GST_VIDEO_INFO_COMP_PLANE (info, channel) != plane;)
      channel++;
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = (CUdeviceptr) from[plane].data;
    copy.srcPitch = from[plane].stride;
    copy.dstDevice = (CUdeviceptr) to[plane].data;
    copy.dstPitch = to[plane].stride;
    copy.WidthInBytes = GST_VIDEO_INFO_COMP_WIDTH (info, channel)
        * GST_VIDEO_INFO_COMP_PSTRIDE (info, channel);
    copy.Height = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (info->finfo, channel,
        GST_VIDEO_INFO_HEIGHT (info));
    /* The pitch of a single row is arbitrary and can be invalid for CUDA. */
    if (copy.Height == 1)
      copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
    if (!gst_cuda_result (CuMemcpy2DAsync (&copy, stream)))
      return FALSE;
  }
  return TRUE;
}

/* The copy runs on the stream of the pool, which is that of the source. */
static gboolean
copy_mapped (GstCudaCcaOverlay *self, GstBuffer *output,
    const GstVideoInfo *info, const GstCcaPicture *all,
    const GstCcaOverlayPlane *from)
{
  GstMemory *memory = gst_buffer_peek_memory (output, 0);
  GstCcaOverlayPlane to[GST_VIDEO_MAX_PLANES];
  CcaOverlayPicture checked;
  GstVideoMeta *meta = gst_buffer_get_video_meta (output);
  GstVideoInfo layout = *info;
  gboolean ok = FALSE;
  gchar *why = NULL;
  GstMapInfo map;

  meta->height = GST_VIDEO_INFO_HEIGHT (info);
  memcpy (layout.offset, meta->offset, sizeof (layout.offset));
  memcpy (layout.stride, meta->stride, sizeof (layout.stride));
  if (!gst_memory_map (memory, &map, GST_MAP_WRITE | GST_MAP_CUDA))
    return FALSE;
  find_planes (to, &layout, GST_VIDEO_INFO_N_PLANES (info), &map);
  if (gst_cca_overlay_describe (&checked, info, all, to, &why)
      && gst_cuda_context_push (self->device.context)) {
    ok =
        copy_planes (info, from, to, stream_of (GST_CUDA_MEMORY_CAST (memory)));
    gst_cuda_context_pop (NULL);
  }
  gst_memory_unmap (memory, &map);
  g_free (why);
  return ok;
}

/* Sets *info to the whole frame in the buffer, which a crop rectangle can show
 * a part of, and *layout to its offsets and strides. */
static gboolean
describe_source (GstCudaCcaOverlay *self, GstBuffer *input, GstVideoInfo *info,
    GstVideoInfo *layout, gchar **why)
{
  GstCcaOverlayBase *base = GST_CCA_OVERLAY_BASE (self);
  const GstVideoMeta *meta = gst_buffer_get_video_meta (input);
  GstCcaPicture picture;

  *info = base->info;
  if (!gst_cca_cuda_memory_find_layout (input, info, layout, why)
      || !gst_cca_picture_find (&picture, input, info, why))
    return FALSE;
  if (meta != NULL
      && !gst_video_info_set_format (info, meta->format, meta->width,
          meta->height)) {
    *why = g_strdup ("GStreamer has no layout for frames of this size");
    return FALSE;
  }
  return TRUE;
}

static GstBuffer *
copy_buffer (GstCudaCcaOverlay *self, GstBuffer *input, gchar **why)
{
  GstMemory *memory = gst_buffer_peek_memory (input, 0);
  GstCcaOverlayPlane from[GST_VIDEO_MAX_PLANES];
  GstVideoInfo info, layout;
  GstBuffer *output = NULL;
  CcaOverlayPicture checked;
  GstCcaPicture all;
  GstMapInfo map;

  if (!describe_source (self, input, &info, &layout, why))
    return NULL;
  if (!gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA)) {
    *why = g_strdup ("the CUDA memory cannot be mapped for reading");
    return NULL;
  }
  all = (GstCcaPicture) {
    .width = GST_VIDEO_INFO_WIDTH (&info),
    .height = GST_VIDEO_INFO_HEIGHT (&info),
  };
  find_planes (from, &layout, GST_VIDEO_INFO_N_PLANES (&info), &map);
  if (gst_cca_overlay_describe (&checked, &info, &all, from, why)) {
    if (!ensure_pool (self, &info,
            gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (memory)))
        || gst_buffer_pool_acquire_buffer (self->pool, &output, NULL)
            != GST_FLOW_OK)
      *why = g_strdup ("memory for a copy of a shared buffer ran out");
    else if (!copy_mapped (self, output, &info, &all, from)) {
      *why = g_strdup ("a shared buffer cannot be copied");
      gst_clear_buffer (&output);
    }
  }
  gst_memory_unmap (memory, &map);
  if (output != NULL)
    gst_buffer_copy_into (output, input, GST_BUFFER_COPY_METADATA, 0, -1);
  return output;
}

static GstFlowReturn
gst_cuda_cca_overlay_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *input, GstBuffer **output)
{
  GstCudaCcaOverlay *self = GST_CUDA_CCA_OVERLAY (trans);
  GstCudaMemory *memory = gst_cca_cuda_memory_peek (input);

  *output = input;
  g_clear_pointer (&self->copy_error, g_free);
  if (!gst_cca_overlay_base_will_draw (GST_CCA_OVERLAY_BASE (trans), input)
      || memory == NULL)
    return GST_FLOW_OK;
  if (!gst_cca_cuda_device_follow (&self->device, memory->context,
          leave_context))
    return GST_FLOW_ERROR;
  if (gst_buffer_is_writable (input)
      && gst_buffer_is_all_memory_writable (input))
    return GST_FLOW_OK;

  *output = copy_buffer (self, input, &self->copy_error);
  if (*output == NULL)
    *output = input;
  return GST_FLOW_OK;
}

/* --- drawing -------------------------------------------------------------- */

/* On out-of-memory the frame passes undrawn; other failures are fatal. */
static GstFlowReturn
check_status (GstCudaCcaOverlay *self, CcaStatus status, const char *reason,
    gchar **why)
{
  if (status == CCA_OK)
    return GST_FLOW_OK;
  if (status == CCA_ERROR_NO_MEMORY) {
    *why = g_strdup (reason);
    return GST_FLOW_OK;
  }
  post_failure (self, reason);
  return GST_FLOW_ERROR;
}

static CcaStatus
ensure_gpu (GstCudaCcaOverlay *self, CUstream stream, const char **reason)
{
  GstCcaOverlayBase *base = GST_CCA_OVERLAY_BASE (self);
  CcaStatus status = CCA_OK;

  if (self->gpu == NULL)
    status = cca_overlay_gpu_open (&self->gpu,
        gst_cuda_context_get_handle (self->device.context), reason);
  if (status == CCA_OK && self->digits_sent != base->digits_made) {
    status =
        cca_overlay_gpu_set_glyphs (self->gpu, &base->digits, stream, reason);
    if (status == CCA_OK)
      self->digits_sent = base->digits_made;
  }
  return status;
}

/* cca_overlay_gpu_draw() and _close() can record an event on the stream that
 * was drawn on last, so a reference to it is held. */
static void
keep_stream (GstCudaCcaOverlay *self, GstCudaStream *stream)
{
  if (stream == self->last_stream)
    return;
  gst_clear_cuda_stream (&self->last_stream);
  if (stream != NULL)
    self->last_stream = gst_cuda_stream_ref (stream);
}

static GstFlowReturn
draw_mapped (GstCudaCcaOverlay *self, const CcaOverlayPicture *picture,
    const CcaOverlayList *list, GstCudaMemory *memory, gchar **why)
{
  CUstream stream = stream_of (memory);
  const char *reason = NULL;
  CcaStatus status = ensure_gpu (self, stream, &reason);

  if (status == CCA_OK)
    status = cca_overlay_gpu_draw (self->gpu, picture, list, stream, &reason);
  if (status == CCA_OK)
    keep_stream (self, gst_cuda_memory_get_stream (memory));
  return check_status (self, status, reason, why);
}

static GstFlowReturn
gst_cuda_cca_overlay_draw (GstCcaOverlayBase *base, GstBuffer *buffer,
    const GstCcaPicture *picture, const CcaOverlayList *list, gchar **why)
{
  GstCudaCcaOverlay *self = GST_CUDA_CCA_OVERLAY (base);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstCcaOverlayPlane planes[GST_VIDEO_MAX_PLANES];
  GstFlowReturn ret = GST_FLOW_OK;
  CcaOverlayPicture out;
  GstVideoInfo layout;
  GstMapInfo map;

  if (self->copy_error != NULL) {
    *why = g_steal_pointer (&self->copy_error);
    return GST_FLOW_OK;
  }
  if (!gst_cca_cuda_memory_find_layout (buffer, &base->info, &layout, why))
    return GST_FLOW_OK;
  /* Mapping for writing makes readers on other streams wait for this one. */
  if (!gst_memory_map (memory, &map, GST_MAP_READWRITE | GST_MAP_CUDA)) {
    *why = g_strdup ("the CUDA memory cannot be mapped for drawing");
    return GST_FLOW_OK;
  }
  find_planes (planes, &layout, GST_VIDEO_INFO_N_PLANES (&base->info), &map);
  if (gst_cca_overlay_describe (&out, &base->info, picture, planes, why))
    ret = draw_mapped (self, &out, list, GST_CUDA_MEMORY_CAST (memory), why);
  gst_memory_unmap (memory, &map);
  return ret;
}

/* --- life ----------------------------------------------------------------- */

static gboolean
gst_cuda_cca_overlay_start (GstBaseTransform *trans)
{
  return gst_cca_cuda_device_start (&GST_CUDA_CCA_OVERLAY (trans)->device);
}

static gboolean
gst_cuda_cca_overlay_stop (GstBaseTransform *trans)
{
  GstCudaCcaOverlay *self = GST_CUDA_CCA_OVERLAY (trans);

  /* The lock is needed for the same reason as in gst_cca_base_stop(). */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  leave_context (self);
  g_clear_pointer (&self->copy_error, g_free);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_cuda_device_stop (&self->device);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
}

static gboolean
gst_cuda_cca_overlay_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  GstCaps *caps;
  gboolean answered = GST_BASE_TRANSFORM_CLASS (parent_class)
                          ->propose_allocation (trans, decide_query, query);

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_cca_caps_are_cuda (caps))
    return answered;
  gst_cca_cuda_pool_offer (&GST_CUDA_CCA_OVERLAY (trans)->device, query);
  return TRUE;
}

static void
gst_cuda_cca_overlay_class_init (GstCudaCcaOverlayClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_cca_cuda_device_install (klass,
      G_STRUCT_OFFSET (GstCudaCcaOverlay, device));

  gst_element_class_set_static_metadata (element_class,
      "CUDA connected-component overlay", "Filter/Effect/Video/Hardware",
      "Draws the boxes, ids or areas, and trails of the components attached by "
      "cudacca into video in CUDA memory" GST_CCA_OVERLAY_LIMITS,
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cuda_cca_overlay_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cuda_cca_overlay_stop);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_cuda_cca_overlay_propose_allocation);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cuda_cca_overlay_prepare_output_buffer);

  GST_CCA_OVERLAY_BASE_CLASS (klass)->draw =
      GST_DEBUG_FUNCPTR (gst_cuda_cca_overlay_draw);
}

static void
gst_cuda_cca_overlay_init (GstCudaCcaOverlay *self)
{
  gst_cca_cuda_device_init (&self->device, GST_ELEMENT (self));
}
