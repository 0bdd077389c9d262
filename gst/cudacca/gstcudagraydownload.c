/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cudagraydownload
 * @title: cudagraydownload
 * @short_description: copies GRAY8 video from CUDA memory to system memory
 * @see_also: cudagrayupload, cudacca
 *
 * Copies GRAY8 video from the GPU to system memory. Use `cudadownload` for
 * other formats. Metas that describe the picture stay on the buffer, such as
 * #GstCcaMeta, #GstAnalyticsRelationMeta and #GstVideoRegionOfInterestMeta. If
 * a buffer has a #GstVideoCropMeta, only its rectangle is copied.
 *
 * ## Example pipeline
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=30 ! video/x-raw,format=GRAY8 ! cudagrayupload ! cudacca ! cudagraydownload ! videoconvert ! objectdetectionoverlay ! videoconvert ! autovideosink
 * ]| Finds the ball on the GPU and draws a box around it.
 *
 * Since: 0.1
 */

#include "gstcudagraydownload.h"
#include "gstccacudamemory.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_gray_download_debug);
#define GST_CAT_DEFAULT gst_cuda_gray_download_debug

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
            "GRAY8")));

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
        GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE ("GRAY8")));

struct _GstCudaGrayDownload
{
  GstCudaGray parent;
};

G_DEFINE_FINAL_TYPE (GstCudaGrayDownload, gst_cuda_gray_download,
    GST_TYPE_CUDA_GRAY);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cudagraydownload, "cudagraydownload",
    GST_RANK_NONE, GST_TYPE_CUDA_GRAY_DOWNLOAD,
    GST_DEBUG_CATEGORY_INIT (gst_cuda_gray_download_debug, "cudagraydownload",
        0, "GRAY8 from CUDA memory"));

static GstCaps *
gst_cuda_gray_download_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *out = gst_caps_copy (caps);

  gst_caps_set_features_simple (out,
      direction == GST_PAD_SINK
          ? NULL
          : gst_caps_features_new_static_str (
                GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, NULL));
  if (filter != NULL) {
    GstCaps *all = out;

    out = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }
  return out;
}

static gboolean
download (GstCudaGray *self, const GstCcaPlane *plane,
    const GstCcaPicture *picture, GstBuffer *outbuf)
{
  GstCudaMemory *memory = GST_CUDA_MEMORY_CAST (plane->map.memory);
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);
  CUDA_MEMCPY2D copy = {
    0,
  };
  GstVideoFrame frame;
  gboolean ok;

  if (!gst_video_frame_map (&frame, gst_cuda_gray_get_out_info (self), outbuf,
          GST_MAP_WRITE)) {
    gst_cuda_gray_post_error (self,
        g_strdup ("the buffer cannot be mapped for writing"));
    return FALSE;
  }
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = (CUdeviceptr) gst_cca_plane_pixel (plane, picture, 1);
  copy.srcPitch = picture->height > 1 ? plane->stride : picture->width;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);
  copy.dstPitch = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
  copy.WidthInBytes = picture->width;
  copy.Height = picture->height;
  /* Memory without a stream was written on the default stream, for which the
   * stream of the element waits. */
  ok = gst_cuda_gray_copy (self, &copy,
      stream ? stream : gst_cuda_gray_get_device (self)->stream);
  gst_video_frame_unmap (&frame);
  return ok;
}

static GstFlowReturn
gst_cuda_gray_download_transform (GstBaseTransform *trans, GstBuffer *inbuf,
    GstBuffer *outbuf)
{
  GstCudaGray *self = GST_CUDA_GRAY (trans);
  GstCudaMemory *memory = gst_cca_cuda_memory_peek (inbuf);
  GstCcaPicture picture;
  GstCcaPlane plane;
  gchar *why = NULL;
  gboolean ok;

  /* A gap buffer without memory has no picture. */
  if (gst_buffer_get_size (inbuf) == 0
      && GST_BUFFER_FLAG_IS_SET (inbuf, GST_BUFFER_FLAG_GAP)) {
    gst_buffer_remove_all_memory (outbuf);
    return GST_FLOW_OK;
  }
  if (memory != NULL && !gst_cuda_gray_follow (self, memory))
    return GST_FLOW_ERROR;
  if (!gst_cuda_gray_find_picture (self, inbuf, &picture))
    return GST_FLOW_ERROR;
  if (!gst_cca_cuda_memory_map_plane (&plane, inbuf,
          gst_cuda_gray_get_in_info (self), &picture, &why)) {
    gst_cuda_gray_post_error (self, why);
    return GST_FLOW_ERROR;
  }
  ok = download (self, &plane, &picture, outbuf);
  gst_cca_cuda_memory_unmap_plane (&plane);
  return ok ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static void
gst_cuda_gray_download_class_init (GstCudaGrayDownloadClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_element_class_set_static_metadata (element_class, "CUDA grey downloader",
      "Filter/Video/Hardware",
      "Copies GRAY8 video from CUDA memory to system memory",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->transform_caps =
      GST_DEBUG_FUNCPTR (gst_cuda_gray_download_transform_caps);
  trans_class->transform = GST_DEBUG_FUNCPTR (gst_cuda_gray_download_transform);
}

static void
gst_cuda_gray_download_init (GstCudaGrayDownload *self)
{
}
