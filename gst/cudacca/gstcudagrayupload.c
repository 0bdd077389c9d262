/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cudagrayupload
 * @title: cudagrayupload
 * @short_description: provides GRAY8 video in CUDA memory
 * @see_also: cudagraydownload, cudacca
 *
 * Copies GRAY8 video from system memory to the GPU, which `cudaupload` does not
 * support.
 *
 * From YUV video in CUDA memory it makes GRAY8 without a copy: the new buffer
 * refers to the luma plane of the original, has the same CUDA stream and keeps
 * the original alive. The new buffer is read-only.
 *
 * Metas that describe the picture stay on the buffer, such as #GstCcaMeta. If a
 * buffer has a #GstVideoCropMeta, the output is its rectangle.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! video/x-raw,format=GRAY8 ! cudagrayupload ! cudacca post-messages=true ! fakesink -m
 * ]| Analyses grey video on the GPU.
 *
 * |[
 * gst-launch-1.0 filesrc location=video.mp4 ! qtdemux ! h264parse ! nvh264dec ! cudagrayupload ! cudacca ! cudagraydownload ! videoconvert ! autovideosink
 * ]| Decodes on the GPU and shows the luma plane alone.
 *
 * Since: 0.1
 */

#include "gstcudagrayupload.h"
#include "gstccacudamemory.h"
#include "gstccacudapool.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_gray_upload_debug);
#define GST_CAT_DEFAULT gst_cuda_gray_upload_debug

/* Formats with a luma plane of 8 bits. */
#define CUDA_FORMATS "{ GRAY8, NV12, NV21, I420, YV12, Y42B, Y444 }"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
            CUDA_FORMATS) "; " GST_VIDEO_CAPS_MAKE ("GRAY8")));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
            "GRAY8")));

struct _GstCudaGrayUpload
{
  GstCudaGray parent;

  GstBufferPool *pool; /* for the current context and caps, or NULL */
  gboolean copies;     /* copies the current buffer */
};

G_DEFINE_FINAL_TYPE (GstCudaGrayUpload, gst_cuda_gray_upload,
    GST_TYPE_CUDA_GRAY);
#define parent_class gst_cuda_gray_upload_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cudagrayupload, "cudagrayupload",
    GST_RANK_NONE, GST_TYPE_CUDA_GRAY_UPLOAD,
    GST_DEBUG_CATEGORY_INIT (gst_cuda_gray_upload_debug, "cudagrayupload", 0,
        "GRAY8 to CUDA memory"));

/* Returns a copy of the caps without fields that concern the colours. */
static GstCaps *
without_colours (GstCaps *caps)
{
  GstCaps *out = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *s = gst_structure_copy (gst_caps_get_structure (caps, i));

    gst_structure_remove_fields (s, "format", "colorimetry", "chroma-site",
        NULL);
    gst_caps_append_structure (out, s);
  }
  return out;
}

static GstCaps *
gst_cuda_gray_upload_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstStaticPadTemplate *other =
      direction == GST_PAD_SINK ? &src_template : &sink_template;
  GstCaps *template = gst_static_pad_template_get_caps (other);
  GstCaps *plain = without_colours (caps);
  GstCaps *any = gst_caps_copy (plain);
  GstCaps *out;

  gst_caps_set_features_simple (any,
      gst_caps_features_new_static_str (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
          NULL));
  gst_caps_append (any, plain);
  out = gst_caps_intersect_full (any, template, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (any);
  gst_caps_unref (template);
  if (filter != NULL) {
    GstCaps *all = out;

    out = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }
  return out;
}

static void
gst_cuda_gray_upload_reset (GstCudaGray *gray)
{
  GstCudaGrayUpload *self = GST_CUDA_GRAY_UPLOAD (gray);

  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
}

/* GStreamer would wait for the stream before it frees the view. This clears the
 * flag, because the next writer of the memory uses the same stream. */
static gboolean
dispose_view (GstMiniObject *memory)
{
  GST_MINI_OBJECT_FLAG_UNSET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
  return TRUE;
}

static void
release_parent (gpointer buffer)
{
  gst_buffer_unref (buffer);
}

/* Returns a new buffer that refers to the luma plane of parent, or NULL after
 * posting an error. */
static GstBuffer *
make_view (GstCudaGrayUpload *self, GstBuffer *parent)
{
  GstCudaGray *gray = GST_CUDA_GRAY (self);
  GstVideoInfo info = *gst_cuda_gray_get_out_info (gray);
  GstCudaMemory *from;
  GstCcaPicture picture;
  GstCcaPlane plane;
  GstMemory *memory;
  GstBuffer *view;
  gchar *why = NULL;

  if (!gst_cuda_gray_find_picture (gray, parent, &picture))
    return NULL;
  /* Mapping enqueues any pending upload of the memory on its stream. */
  if (!gst_cca_cuda_memory_map_plane (&plane, parent,
          gst_cuda_gray_get_in_info (gray), &picture, &why)) {
    gst_cuda_gray_post_error (gray, why);
    return NULL;
  }
  from = GST_CUDA_MEMORY_CAST (plane.map.memory);
  GST_VIDEO_INFO_PLANE_STRIDE (&info, 0) =
      MAX (plane.stride, (gsize) GST_VIDEO_INFO_WIDTH (&info));
  GST_VIDEO_INFO_SIZE (&info) = (gsize) GST_VIDEO_INFO_PLANE_STRIDE (&info, 0)
      * GST_VIDEO_INFO_HEIGHT (&info);
  memory = gst_cuda_allocator_alloc_wrapped (NULL, from->context,
      gst_cuda_memory_get_stream (from), &info,
      (CUdeviceptr) gst_cca_plane_pixel (&plane, &picture, 1),
      gst_buffer_ref (parent), release_parent);
  GST_MINI_OBJECT_FLAG_SET (memory,
      GST_MEMORY_FLAG_READONLY
          | (GST_MINI_OBJECT_FLAGS (from)
              & GST_CUDA_MEMORY_TRANSFER_NEED_SYNC));
  GST_MINI_OBJECT_CAST (memory)->dispose = dispose_view;
  gst_cca_cuda_memory_unmap_plane (&plane);

  view = gst_buffer_new ();
  gst_buffer_append_memory (view, memory);
  gst_buffer_add_video_meta_full (view, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_HEIGHT (&info), 1, info.offset, info.stride);
  return view;
}

static GstBuffer *
acquire (GstCudaGrayUpload *self)
{
  GstCudaGray *gray = GST_CUDA_GRAY (self);
  GstCcaCudaDevice *device = gst_cuda_gray_get_device (gray);
  GstBuffer *buffer = NULL;

  if (self->pool == NULL)
    self->pool = gst_cca_cuda_pool_new_plane (device->context, device->stream,
        gst_cuda_gray_get_out_info (gray));
  if (self->pool == NULL
      || gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL)
          != GST_FLOW_OK)
    gst_cuda_gray_post_error (gray,
        g_strdup ("CUDA memory cannot be allocated"));
  return buffer;
}

static GstFlowReturn
gst_cuda_gray_upload_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *inbuf, GstBuffer **outbuf)
{
  GstCudaGrayUpload *self = GST_CUDA_GRAY_UPLOAD (trans);
  GstCudaMemory *memory = gst_cca_cuda_memory_peek (inbuf);

  if (gst_base_transform_is_passthrough (trans)) {
    *outbuf = inbuf;
    return GST_FLOW_OK;
  }

  /* Buffers can be in CUDA memory even if their caps lack the feature. */
  self->copies = memory == NULL;
  if (memory != NULL) {
    if (!gst_cuda_gray_follow (GST_CUDA_GRAY (self), memory))
      return GST_FLOW_ERROR;
    *outbuf = make_view (self, inbuf);
  } else {
    *outbuf = acquire (self);
  }
  if (*outbuf == NULL)
    return GST_FLOW_ERROR;
  /* This cannot fail, because the new buffer is writable. */
  GST_BASE_TRANSFORM_CLASS (parent_class)
      ->copy_metadata (trans, inbuf, *outbuf);
  return GST_FLOW_OK;
}

static GstFlowReturn
upload (GstCudaGray *self, GstBuffer *inbuf, GstBuffer *outbuf)
{
  GstCudaMemory *memory = gst_cca_cuda_memory_peek (outbuf);
  GstCcaPicture picture;
  GstCcaPlane plane;
  CUDA_MEMCPY2D copy = {
    0,
  };
  GstMapInfo map;
  gchar *why = NULL;
  gboolean ok = FALSE;

  if (!gst_cuda_gray_find_picture (self, inbuf, &picture))
    return GST_FLOW_ERROR;
  if (!gst_cca_plane_map (&plane, inbuf, gst_cuda_gray_get_in_info (self),
          &picture, &why)) {
    gst_cuda_gray_post_error (self, why);
    return GST_FLOW_ERROR;
  }
  if (gst_memory_map (GST_MEMORY_CAST (memory), &map,
          GST_MAP_WRITE | GST_MAP_CUDA)) {
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = gst_cca_plane_pixel (&plane, &picture, 1);
    copy.srcPitch = picture.height > 1 ? plane.stride : picture.width;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = (CUdeviceptr) map.data;
    copy.dstPitch = GST_VIDEO_INFO_PLANE_STRIDE (&memory->info, 0);
    copy.WidthInBytes = picture.width;
    copy.Height = picture.height;
    ok = gst_cuda_gray_copy (self, &copy, gst_cuda_memory_get_stream (memory));
    gst_memory_unmap (GST_MEMORY_CAST (memory), &map);
  } else {
    gst_cuda_gray_post_error (self,
        g_strdup ("the CUDA memory cannot be mapped for writing"));
  }
  gst_cca_plane_unmap (&plane, inbuf);
  return ok ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static GstFlowReturn
gst_cuda_gray_upload_transform (GstBaseTransform *trans, GstBuffer *inbuf,
    GstBuffer *outbuf)
{
  if (!GST_CUDA_GRAY_UPLOAD (trans)->copies)
    return GST_FLOW_OK;
  /* A gap buffer without memory has no picture. */
  if (gst_buffer_get_size (inbuf) == 0
      && GST_BUFFER_FLAG_IS_SET (inbuf, GST_BUFFER_FLAG_GAP)) {
    gst_buffer_remove_all_memory (outbuf);
    return GST_FLOW_OK;
  }
  return upload (GST_CUDA_GRAY (trans), inbuf, outbuf);
}

/* The element uses a pool of its own. */
static gboolean
gst_cuda_gray_upload_decide_allocation (GstBaseTransform *trans,
    GstQuery *query)
{
  return TRUE;
}

static gboolean
gst_cuda_gray_upload_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)
          ->propose_allocation (trans, decide_query, query))
    return FALSE;
  if (decide_query != NULL)
    gst_cca_cuda_pool_offer (gst_cuda_gray_get_device (GST_CUDA_GRAY (trans)),
        query);
  return TRUE;
}

static void
gst_cuda_gray_upload_class_init (GstCudaGrayUploadClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_element_class_set_static_metadata (element_class, "CUDA grey uploader",
      "Filter/Video/Hardware",
      "Copies GRAY8 video from system memory to CUDA memory. Passes the luma "
      "plane of YUV video in CUDA memory as GRAY8 without a copy",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->passthrough_on_same_caps = TRUE;
  trans_class->transform_caps =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_upload_transform_caps);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_upload_prepare_output_buffer);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_cuda_gray_upload_transform);
  trans_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_upload_decide_allocation);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_upload_propose_allocation);
  GST_CUDA_GRAY_CLASS (klass)->reset = gst_cuda_gray_upload_reset;
}

static void
gst_cuda_gray_upload_init (GstCudaGrayUpload *self)
{
}
