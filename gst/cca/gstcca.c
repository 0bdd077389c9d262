/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-cca
 * @title: cca
 * @short_description: finds connected components in video on the CPU
 *
 * Classifies each pixel of a frame's luma plane as foreground or background,
 * finds the connected components of the foreground, and attaches the bounding
 * box, area and centroid of each to the buffer. The pixels pass unchanged and
 * are not copied.
 *
 * By default, pixels brighter than `threshold` are foreground. To detect
 * motion in front of a fixed camera, set the property `foreground`. Start with
 * `foreground=sigma-delta open-radius=1 close-radius=1` and a `min-area` that
 * suits the size of the objects. This mode learns the background from the
 * video: it finds nothing in the first frame, and marks the results of the
 * first `warm-up` frames as warming up.
 *
 * The components are attached as a #GstCcaMeta and, for stock elements, as a
 * #GstAnalyticsRelationMeta or as #GstVideoRegionOfInterestMeta: see the
 * property `meta-types`. They are numbered in raster order of their first
 * pixel.
 *
 * Put `videoconvert` before the element if the video has another format.
 * Without it GStreamer refuses the link if the format is known at that time;
 * otherwise the element posts an error that names the format.
 *
 * If `post-messages` is set, the element posts an element message for each
 * frame. Its structure is named `cca` and has these fields:
 *
 * * #guint64 `timestamp`: the timestamp of the buffer
 * * #guint64 `stream-time`: the stream time of the buffer
 * * #guint64 `running-time`: the running time of the buffer
 * * #guint64 `duration`: the duration of the buffer
 * * #guint `width`, `height`: size of the analysed picture, in pixels
 * * #guint `depth`: bits of a code value of the luma plane
 * * #gchararray `foreground`: the nick of the foreground mode, such as
 *   "sigma-delta"
 * * #gboolean `warming-up`: %TRUE while the background model is less than
 *   `warm-up` frames old
 * * #gboolean `light-changed`: %TRUE if `light-compensation` changed the
 *   background before this frame was analysed
 * * #gboolean `overload`: %TRUE if `max-foreground` was exceeded in this frame or
 *   in one of the `overload-frames` frames before, and no components are
 *   delivered
 * * #guint `threshold`, `threshold-high`: the thresholds that were used, in
 *   code values of `depth` bits. With "difference" and "sigma-delta" they are
 *   the minimum difference and 65535.
 * * #guint `n-found`: components that pass the filters
 * * #guint `n-components`: components that were attached to the buffer
 * * #guint `n-listed`: components in this message: the first `max-objects` of
 *   the attached ones
 * * #gboolean `truncated`: n-components is less than n-found
 * * #GstValueArray of #GstStructure `components`: one structure named
 *   `component` each, with
 *   * #guint `id`: rank in raster order, from 1
 *   * #guint `x`, `y`, `width`, `height`: the bounding box, in pixels
 *   * #guint64 `area`: number of pixels
 *   * #gdouble `centroid-x`, `centroid-y`: mean of the pixels' indices
 *
 * It also posts a message for a frame with `light-changed` if the 50 frames
 * before have none. Its structure is named `cca-light` and has these fields:
 *
 * * #guint64 `timestamp`, `stream-time`, `running-time`: as above
 * * #guint `depth`: bits of a code value
 * * #gint `shift`: mean change of the background in this frame, in code values
 *
 * The first of consecutive frames with `overload`, and the first frame after
 * them, have a message whose structure is named `cca-overload`:
 *
 * * #guint64 `timestamp`, `stream-time`, `running-time`: as above
 * * #gboolean `active`: %TRUE at the beginning
 * * #guint `foreground-area`, `region-area`: number of foreground pixels, before
 *   opening and closing, and of analysed pixels in this frame
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=30 ! video/x-raw,format=NV12 ! cca threshold=128 post-messages=true ! fakesink -m
 * ]| Prints the ball's box, area and centroid for each frame.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=30 ! cca min-area=50 ! videoconvert ! objectdetectionoverlay ! videoconvert ! fakesink
 * ]| Draws a box around the ball. Use autovideosink to watch it.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=smpte num-buffers=5 ! video/x-raw,format=GRAY8 ! cca threshold=60 threshold-high=120 connectivity=4 order=area max-components=3 post-messages=true ! fakesink -m
 * ]| Prints the three largest components of medium brightness.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca foreground=sigma-delta open-radius=1 close-radius=1 min-area=50 post-messages=true ! fakesink -m
 * ]| Prints the moving objects.
 *
 * Since: 0.1
 */

#include "gstcca.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_debug);
#define GST_CAT_DEFAULT gst_cca_debug

#define DEFAULT_THREADS 1
#define MAX_THREADS 256

enum
{
  PROP_0,
  PROP_THREADS,
};

/* The 8-bit formats have a structure of their own, before the others: a source
 * that supports several formats, such as videotestsrc, then negotiates an 8-bit
 * one. 16-bit samples are read in the machine's byte order. */
#define CAPS_8 \
  GST_VIDEO_CAPS_MAKE ("{ GRAY8, NV12, NV21, I420, YV12, Y42B, Y444 }")
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define CAPS \
  CAPS_8 "; " GST_VIDEO_CAPS_MAKE ( \
      "{ GRAY16_LE, P010_10LE, P012_LE, P016_LE, I420_10LE }")
#else
#define CAPS CAPS_8
#endif

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstCcaRemedy remedies[] = {
  {GST_STATIC_CAPS ("video/x-raw"), "videoconvert"},
  {GST_STATIC_CAPS ("ANY"),
    "the matching download element, such as "
    "cudadownload,"},
};

struct _GstCca
{
  GstCcaBase parent;

  guint threads; /* under the object lock */
};

G_DEFINE_FINAL_TYPE (GstCca, gst_cca, GST_TYPE_CCA_BASE);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (cca, "cca", GST_RANK_NONE, GST_TYPE_CCA,
    GST_DEBUG_CATEGORY_INIT (gst_cca_debug, "cca", 0,
        "connected-component analysis on the CPU"));

static CcaStatus
gst_cca_open (GstCcaBase *base, CcaEngine **engine, gchar **why)
{
  GstCca *self = GST_CCA (base);
  CcaCpuOptions options = {
    .level = CCA_CPU_LEVEL_BEST,
  };
  CcaStatus status;

  GST_OBJECT_LOCK (self);
  options.threads = self->threads;
  GST_OBJECT_UNLOCK (self);

  status = cca_cpu_open (engine, &options);
  if (status == CCA_OK)
    GST_DEBUG_OBJECT (self, "opened engine %s", cca_engine_name (*engine));
  return status;
}

static gboolean
gst_cca_map (GstCcaBase *base, GstCcaJob *job, gchar **why)
{
  if (!gst_cca_plane_map (&job->plane, job->buffer, &base->info, &job->picture,
          why))
    return FALSE;

  job->frame.data = gst_cca_plane_pixel (&job->plane, &job->picture,
      GST_CCA_SAMPLE_SIZE (&base->info));
  job->frame.stride = job->plane.stride;
  return TRUE;
}

static void
gst_cca_unmap (GstCcaBase *base, GstCcaJob *job)
{
  gst_cca_plane_unmap (&job->plane, job->buffer);
}

/* A label has at most 16 bits. The size in bytes cannot overflow, as the limit
 * on pixels is at most half of G_MAXUINT. */
static GstBufferPool *
gst_cca_new_label_pool (GstCcaBase *base, const GstCcaJob *job)
{
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  G_STATIC_ASSERT (CCA_MAX_PIXELS <= G_MAXUINT / 2);
  gst_buffer_pool_config_set_params (config, NULL,
      2 * job->picture.width * job->picture.height, 0, 0);
  if (!gst_buffer_pool_set_config (pool, config)
      || !gst_buffer_pool_set_active (pool, TRUE))
    gst_clear_object (&pool);
  return pool;
}

static void
gst_cca_set_property (GObject *object, guint prop_id, const GValue *value,
    GParamSpec *pspec)
{
  GstCca *self = GST_CCA (object);

  if (!gst_cca_lock_to_set (GST_ELEMENT (self), &GST_CCA_BASE (self)->started,
          pspec))
    return;
  switch (prop_id) {
    case PROP_THREADS:
      self->threads = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCca *self = GST_CCA (object);

  switch (prop_id) {
    case PROP_THREADS:
      GST_OBJECT_LOCK (self);
      g_value_set_uint (value, self->threads);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_cca_class_init (GstCcaClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCcaBaseClass *base_class = GST_CCA_BASE_CLASS (klass);

  object_class->set_property = gst_cca_set_property;
  object_class->get_property = gst_cca_get_property;

  /**
   * GstCca:threads:
   *
   * Number of threads that work on each frame, 0 for one per CPU core. The
   * results do not depend on it. Can be set only in NULL and READY.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_THREADS,
      g_param_spec_uint ("threads", "Threads",
          "Number of threads that work on each frame (0 = one per CPU core). "
          "Raise it if one core cannot keep up; the results stay the same",
          0, MAX_THREADS, DEFAULT_THREADS,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));

  gst_element_class_set_static_metadata (element_class,
      "Connected-component analysis", "Filter/Analyzer/Video",
      "Finds the connected components of bright or moving pixels and attaches "
      "their boxes, areas and centroids to the buffers",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  base_class->remedies = remedies;
  base_class->open = GST_DEBUG_FUNCPTR (gst_cca_open);
  base_class->map = GST_DEBUG_FUNCPTR (gst_cca_map);
  base_class->unmap = GST_DEBUG_FUNCPTR (gst_cca_unmap);
  base_class->new_label_pool = GST_DEBUG_FUNCPTR (gst_cca_new_label_pool);
}

static void
gst_cca_init (GstCca *self)
{
  self->threads = DEFAULT_THREADS;
}
