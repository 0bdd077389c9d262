/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cudacca
 * @title: cudacca
 * @short_description: finds connected components in video on a CUDA GPU
 * @see_also: cca, ccaexpand, cudagrayupload
 *
 * Finds connected components like #cca, on a CUDA GPU. It has the same
 * properties and gives the same result. It analyses video in CUDA memory in
 * place, on the CUDA stream of the video. Only the components are copied to
 * the CPU.
 *
 * Put `cudaupload` before the element if the video can be in system memory.
 * `cudaupload` passes CUDA memory through. For GRAY8 put `cudagrayupload` there
 * instead, and for unsupported formats add `cudaconvert` or, in system memory,
 * `videoconvert`. Without these elements GStreamer cannot link the pipeline. If
 * upstream sends other video without negotiation, the error message names the
 * missing element. Use #cca for video in system memory without a GPU.
 *
 * The element waits for the result of a frame before it pushes the frame. With
 * `async-depth=N` it takes N more frames first, while the GPU works. A `queue`
 * before or after the element lets other elements work during the wait.
 *
 * #GstCcaMeta stays on the buffer through `cudaconvert`, `cudascale` and
 * `cudadownload`. These elements drop other metas: put `ccaexpand` after them
 * to get #GstAnalyticsRelationMeta or #GstVideoRegionOfInterestMeta there.
 *
 * The element is registered only if the CUDA driver finds a GPU. Otherwise
 * `gst-inspect-1.0 cudacca` shows the plugin with a warning that names the
 * reason.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 filesrc location=video.mp4 ! qtdemux ! h264parse ! nvh264dec ! cudacca min-area=50 post-messages=true ! fakesink -m
 * ]| Decodes and analyses on the GPU; prints the components of each frame.
 *
 * |[
 * gst-launch-1.0 filesrc location=video.mp4 ! qtdemux ! h264parse ! nvh264dec ! cudacca min-area=50 ! cudadownload ! video/x-raw ! ccaexpand ! videoconvert ! objectdetectionoverlay ! videoconvert ! autovideosink
 * ]| Shows the video with a box around each component.
 *
 * |[
 * gst-launch-1.0 filesrc location=video.mp4 ! decodebin3 ! cudaupload ! cudacca post-messages=true ! fakesink -m
 * ]| The same with any decoder, on the GPU or the CPU.
 *
 * Since: 0.1
 */

#include "gstcudacca.h"

#include "gst/ccabase/analysis/gstccabaseengine.h"
#include "gst/ccabase/analysis/gstccaqueue.h"
#include "gst/ccabase/gstccatypename.h"

#include "gstccacudamemory.h"
#include "gstccacudapool.h"

GST_DEBUG_CATEGORY_STATIC (gst_cuda_cca_debug);
#define GST_CAT_DEFAULT gst_cuda_cca_debug

#define DEFAULT_ALGORITHM GST_CUDA_CCA_ALGORITHM_AUTO

enum
{
  PROP_0,
  PROP_ALGORITHM,
};

#define CUDA "video/x-raw(" GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY ")"
/* Formats that cudaupload supports. */
#define YUV_FORMATS "NV12, NV21, I420, YV12, Y42B, Y444"
#define DEEP_YUV_FORMATS "P010_10LE, P012_LE, P016_LE, I420_10LE"
/* Only CUDA memory: cudaupload would pass system memory through if this element
 * supported it. Formats with more than 8 bits are in the last structure, so
 * that a source that supports several formats negotiates an 8-bit one. */
#define CAPS \
  GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, \
      "{ GRAY8, " YUV_FORMATS " }") \
  "; " GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, \
      "{ GRAY16_LE, " DEEP_YUV_FORMATS " }")

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstCcaRemedy remedies[] = {
  {GST_STATIC_CAPS (CUDA), "cudaconvert"},
  {GST_STATIC_CAPS ("video/x-raw, format=GRAY8"), "cudagrayupload"},
  {GST_STATIC_CAPS (
       "video/x-raw, format={ " YUV_FORMATS ", " DEEP_YUV_FORMATS " }"),
    "cudaupload"},
  {GST_STATIC_CAPS ("video/x-raw"), "videoconvert and cudaupload"},
  {GST_STATIC_CAPS ("ANY"), "the matching download element and cudaupload"},
};

struct _GstCudaCca
{
  GstCcaBase parent;

  GstCcaCudaDevice device;
  GstCudaCcaAlgorithm algorithm; /* under the object lock */
};

G_DEFINE_FINAL_TYPE (GstCudaCca, gst_cuda_cca, GST_TYPE_CCA_BASE);
#define parent_class gst_cuda_cca_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cudacca, "cudacca", GST_RANK_NONE,
    GST_TYPE_CUDA_CCA,
    GST_DEBUG_CATEGORY_INIT (gst_cuda_cca_debug, "cudacca", 0,
        "connected-component analysis on CUDA GPUs"));

/* *INDENT-OFF* */
GST_CCA_DEFINE_ENUM_TYPE (gst_cuda_cca_algorithm, "Algorithm",
    {GST_CUDA_CCA_ALGORITHM_AUTO, "The fastest algorithm for the frame",
      "auto"},
    {GST_CUDA_CCA_ALGORITHM_FLSL_CD,
      "FLSL+CD as published: full runs and conflict detection in global "
      "memory",
      "flsl-cd"},
    {GST_CUDA_CCA_ALGORITHM_TILED,
      "FLSL+CD in tiles in shared memory, then a merge of the tiles", "tiled"})
/* *INDENT-ON* */

static void
release_kernels (gpointer kernels, GObject *context)
{
  cca_cuda_release_kernels (kernels);
}

/* On an H100 the driver loses some 50 KiB of device memory each time that the
 * kernels are unloaded, so they stay loaded while the context exists. */
static void
keep_kernels (GstCudaContext *context, const CcaEngine *engine)
{
  static GMutex lock;
  const GQuark kept = g_quark_from_static_string ("cca-kernels");

  g_mutex_lock (&lock);
  if (g_object_get_qdata (G_OBJECT (context), kept) == NULL) {
    CcaCudaKernels *kernels = cca_cuda_keep_kernels (engine);

    g_object_set_qdata (G_OBJECT (context), kept, kernels);
    /* called while the CUDA context still exists, unlike the end of data */
    g_object_weak_ref (G_OBJECT (context), release_kernels, kernels);
  }
  g_mutex_unlock (&lock);
}

static CcaStatus
gst_cuda_cca_open (GstCcaBase *base, CcaEngine **engine, gchar **why)
{
  GstCudaCca *self = GST_CUDA_CCA (base);
  CcaCudaOptions options = {
    .context = gst_cuda_context_get_handle (self->device.context),
  };
  const char *reason = NULL;
  CcaStatus status;

  GST_OBJECT_LOCK (self);
  options.algorithm = (CcaCudaAlgorithm) self->algorithm;
  GST_OBJECT_UNLOCK (self);

  status = cca_cuda_open (engine, &options, &reason);
  if (status == CCA_OK) {
    keep_kernels (self->device.context, *engine);
    GST_DEBUG_OBJECT (self, "opened in %" GST_PTR_FORMAT, self->device.context);
  } else {
    *why = g_strdup (reason);
  }
  return status;
}

/* Creates a new engine in the context. The context can be the present one, if
 * there is no engine. */
static gboolean
renew_engine (GstCudaCca *self, GstCudaContext *context)
{
  /* The old engine is freed in its own context, which must exist until then. */
  GstCudaContext *old = gst_object_ref (self->device.context);
  gboolean ok;

  ok = gst_cca_cuda_device_follow (&self->device, context, NULL)
      && gst_cca_base_reopen_engine (GST_CCA_BASE (self));
  gst_object_unref (old);
  return ok;
}

static GstFlowReturn
gst_cuda_cca_prepare (GstCcaBase *base, GstBuffer *buffer)
{
  GstCudaCca *self = GST_CUDA_CCA (base);
  GstCudaMemory *memory = gst_cca_cuda_memory_peek (buffer);
  GstFlowReturn ret;

  if (memory == NULL
      || (base->engine != NULL && memory->context == self->device.context))
    return GST_FLOW_OK;
  ret = gst_cca_queue_drain (base);
  if (ret == GST_FLOW_OK && !renew_engine (self, memory->context))
    ret = GST_FLOW_ERROR;
  return ret;
}

static gboolean
gst_cuda_cca_map (GstCcaBase *base, GstCcaJob *job, gchar **why)
{
  GstCudaStream *stream;

  if (!gst_cca_cuda_memory_map_plane (&job->plane, job->buffer, &base->info,
          &job->picture, why))
    return FALSE;
  /* Memory without a stream was written on the default stream, for which the
   * stream of the element waits. Downstream does not know the stream of the
   * element, so the frame must not be pushed before collect has waited. */
  stream =
      gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (job->plane.map.memory));
  if (stream == NULL)
    stream = GST_CUDA_CCA (base)->device.stream;

  job->frame.data = gst_cca_plane_pixel (&job->plane, &job->picture,
      GST_CCA_SAMPLE_SIZE (&base->info));
  job->frame.stride = job->plane.stride;
  job->frame.stream = gst_cuda_stream_get_handle (stream);
  job->label_pool_key = stream;
  return TRUE;
}

/* The pool has the stream on which the engine writes. Readers of a label image
 * use that stream too, so they have finished when its memory is written again.
 * The width is doubled because two GRAY8 pixels hold one 16-bit label. */
static GstBufferPool *
gst_cuda_cca_new_label_pool (GstCcaBase *base, const GstCcaJob *job)
{
  GstVideoInfo info;

  if (!gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8,
          2 * job->picture.width, job->picture.height))
    return NULL;
  return gst_cca_cuda_pool_new_plane (GST_CUDA_CCA (base)->device.context,
      job->label_pool_key, &info);
}

static void
gst_cuda_cca_unmap (GstCcaBase *base, GstCcaJob *job)
{
  gst_cca_cuda_memory_unmap_plane (&job->plane);
}

static gboolean
gst_cuda_cca_start (GstBaseTransform *trans)
{
  GstCudaCca *self = GST_CUDA_CCA (trans);

  if (!gst_cca_cuda_device_start (&self->device))
    return FALSE;
  if (GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans))
    return TRUE;
  gst_cca_cuda_device_stop (&self->device);
  return FALSE;
}

static gboolean
gst_cuda_cca_stop (GstBaseTransform *trans)
{
  gboolean ok = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  gst_cca_cuda_device_stop (&GST_CUDA_CCA (trans)->device);
  return ok;
}

static gboolean
gst_cuda_cca_offer_pool (GstCcaBase *base, GstQuery *query)
{
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL || !gst_cca_caps_are_cuda (caps) || base->engine == NULL)
    return FALSE;
  gst_cca_cuda_pool_offer (&GST_CUDA_CCA (base)->device, query);
  return TRUE;
}

static void
gst_cuda_cca_set_property (GObject *object, guint prop_id, const GValue *value,
    GParamSpec *pspec)
{
  GstCudaCca *self = GST_CUDA_CCA (object);

  if (prop_id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  } else if (gst_cca_lock_to_set (GST_ELEMENT (self),
                 &GST_CCA_BASE (self)->started, pspec)) {
    self->algorithm = g_value_get_enum (value);
    GST_OBJECT_UNLOCK (self);
  }
}

static void
gst_cuda_cca_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCudaCca *self = GST_CUDA_CCA (object);

  if (prop_id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_enum (value, self->algorithm);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cuda_cca_class_init (GstCudaCcaClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCcaBaseClass *base_class = GST_CCA_BASE_CLASS (klass);

  object_class->set_property = gst_cuda_cca_set_property;
  object_class->get_property = gst_cuda_cca_get_property;
  gst_cca_cuda_device_install (klass, G_STRUCT_OFFSET (GstCudaCca, device));

  /**
   * GstCudaCca:algorithm:
   *
   * The algorithm that finds the components. The result is the same with all
   * algorithms. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ALGORITHM,
      g_param_spec_enum ("algorithm", "Algorithm",
          "Algorithm that finds the components. The result is the same with "
          "all of them. Set it only to compare their speed",
          GST_TYPE_CUDA_CCA_ALGORITHM, DEFAULT_ALGORITHM,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));

  gst_element_class_set_static_metadata (element_class,
      "CUDA connected-component analysis", "Filter/Analyzer/Video/Hardware",
      "Finds the connected components of bright or moving pixels in CUDA "
      "memory and attaches their boxes, areas and centroids to the buffers. "
      "Put cudaupload, or cudagrayupload for GRAY8, before it",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cuda_cca_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cuda_cca_stop);

  base_class->remedies = remedies;
  base_class->open = GST_DEBUG_FUNCPTR (gst_cuda_cca_open);
  base_class->prepare = GST_DEBUG_FUNCPTR (gst_cuda_cca_prepare);
  base_class->map = GST_DEBUG_FUNCPTR (gst_cuda_cca_map);
  base_class->unmap = GST_DEBUG_FUNCPTR (gst_cuda_cca_unmap);
  base_class->offer_pool = GST_DEBUG_FUNCPTR (gst_cuda_cca_offer_pool);
  base_class->new_label_pool = GST_DEBUG_FUNCPTR (gst_cuda_cca_new_label_pool);
  base_class->label_map_flags = GST_MAP_CUDA;
  base_class->labels_are_padded = TRUE;

  gst_type_mark_as_plugin_api (GST_TYPE_CUDA_CCA_ALGORITHM, 0);
}

static void
gst_cuda_cca_init (GstCudaCca *self)
{
  self->algorithm = DEFAULT_ALGORITHM;
  gst_cca_cuda_device_init (&self->device, GST_ELEMENT (self));
}
