/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Works in place without being passthrough: metas are added, pixels are only
 * read. A buffer that others share is replaced by a shallow copy with the same
 * memory. Allocation queries go through to the peer, as it gets the same
 * buffers: offering metas on its behalf would give it layouts that it may not
 * know. */

#include "base.h"
#include "flight.h"
#include "gst/ccabase/typename.h"
#include "labels.h"

GST_DEBUG_CATEGORY (gst_cca_base_debug);
#define GST_CAT_DEFAULT gst_cca_base_debug

GST_CCA_DEFINE_ABSTRACT_TYPE (GstCcaBase, gst_cca_base, "Base",
    GST_TYPE_BASE_TRANSFORM);
#define parent_class gst_cca_base_parent_class

static void
gst_cca_base_set_property (GObject * object, guint prop_id,
    const GValue * value, GParamSpec * pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  gboolean known;

  if (!gst_cca_lock_to_set (GST_ELEMENT (self), &self->started, pspec))
    return;
  known = gst_cca_settings_set (&self->settings, prop_id, value);
  GST_OBJECT_UNLOCK (self);

  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gst_cca_base_get_property (GObject * object, guint prop_id, GValue * value,
    GParamSpec * pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  GstCcaStats stats;
  gboolean known;

  GST_OBJECT_LOCK (self);
  stats = self->stats;
  known = gst_cca_settings_get (&self->settings, prop_id, value);
  GST_OBJECT_UNLOCK (self);

  if (prop_id == GST_CCA_PROP_STATS)
    g_value_take_boxed (value, gst_cca_stats_to_structure (&stats));
  else if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

void
gst_cca_base_post_error (GstCcaBase * self, CcaStatus status,
    const gchar * sentence)
{
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;

  if (self->error_told)
    return;
  switch (status) {
    case CCA_ERROR_INVALID:
    case CCA_ERROR_TOO_LARGE:
      domain = GST_STREAM_ERROR;
      code = GST_STREAM_ERROR_FORMAT;
      break;
    case CCA_ERROR_NO_MEMORY:
      code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      break;
    case CCA_ERROR_NO_DRIVER:
    case CCA_ERROR_NO_DEVICE:
      code = GST_RESOURCE_ERROR_NOT_FOUND;
      break;
    default:
      break;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain,
      code, g_strdup_printf ("The video cannot be analysed: %s.", sentence),
      NULL, __FILE__, GST_FUNCTION, __LINE__);
}

static gboolean
open_engine (GstCcaBase * self)
{
  gchar *why = NULL;
  CcaStatus status;

  status = GST_CCA_BASE_GET_CLASS (self)->open (self, &self->engine, &why);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status,
        why ? why : cca_status_string (status));
  g_free (why);
  return status == CCA_OK;
}

static void
close_engine (GstCcaBase * self)
{
  self->config.width = self->config.height = 0;
  gst_cca_labels_drop_pool (self);
  cca_engine_free (&self->engine);
}

/* Makes the engine ready for frames of that size, which starts the background
 * anew. */
static gboolean
configure_engine (GstCcaBase * self, guint width, guint height,
    CcaForeground foreground, gboolean labels)
{
  CcaConfig config = {
    .width = width,
    .height = height,
    .sample_size = GST_CCA_SAMPLE_SIZE (&self->info),
    .depth = GST_CCA_DEPTH (&self->info),
    .shift = GST_VIDEO_FORMAT_INFO_SHIFT (self->info.finfo, 0),
    .max_components = self->settings.max_components,
    .slots = self->flight.depth + 1,
    .foreground = foreground,
    .frame_distance = self->settings.foreground.frame_distance,
    .labels = labels,
  };
  CcaStatus status;

  GST_DEBUG_OBJECT (self, "configuring for %ux%u", width, height);
  status = cca_engine_configure (self->engine, &config);
  if (status == CCA_OK)
    self->config = config;
  else
    self->config.width = self->config.height = 0;

  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  return status == CCA_OK;
}

/* For frames of that size, as the properties are now. */
static gboolean
configure_as_set (GstCcaBase * self, guint width, guint height)
{
  CcaForeground foreground;
  gboolean labels;

  GST_OBJECT_LOCK (self);
  foreground = (CcaForeground) self->settings.foreground.mode;
  labels = gst_cca_wants_labels (self->settings.meta_types);
  GST_OBJECT_UNLOCK (self);
  return configure_engine (self, width, height, foreground, labels);
}

static gboolean
needs_labels (const GstCcaJob * job)
{
  return gst_cca_wants_labels (job->settings.meta_types);
}

gboolean
gst_cca_base_is_configured (GstCcaBase * self, const GstCcaJob * job)
{
  return job->picture.width <= self->config.width
      && job->picture.height <= self->config.height
      && job->params.foreground == self->config.foreground
      && needs_labels (job) <= self->config.labels;
}

/* A crop rectangle may be larger than the caps, and is taken as it comes. */
gboolean
gst_cca_base_ensure_configured (GstCcaBase * self, const GstCcaJob * job)
{
  guint w = MAX (job->picture.width, self->config.width);
  guint h = MAX (job->picture.height, self->config.height);

  if (gst_cca_base_is_configured (self, job))
    return TRUE;
  if ((guint64) w * h > CCA_MAX_PIXELS) {
    w = job->picture.width;
    h = job->picture.height;
  }
  return configure_engine (self, w, h, job->params.foreground,
      needs_labels (job));
}

gboolean
gst_cca_base_reopen (GstCcaBase * self)
{
  guint width = self->config.width, height = self->config.height;

  close_engine (self);
  return open_engine (self)
      && (width == 0 || configure_as_set (self, width, height));
}

/* Whoever asks for an allocation may make the base class set caps, at any time
 * and from any thread: it holds the sink pad's stream lock then. */
static gboolean
gst_cca_base_start (GstBaseTransform * trans)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  const GstCcaStats none = { 0, };
  gboolean ok;

  GST_OBJECT_LOCK (self);
  self->started = TRUE;
  self->stats = none;
  self->latency = 0;
  GST_OBJECT_UNLOCK (self);

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  gst_caps_replace (&self->refused, NULL);
  gst_cca_flight_start (&self->flight, self->settings.async_depth);
  self->last_message = GST_CLOCK_TIME_NONE;
  self->truncation_told = self->left_out_told = self->too_many_told = FALSE;
  self->object_type = g_intern_string (self->settings.object_type);
  ok = open_engine (self);
  if (!ok)
    gst_cca_flight_stop (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_set_started (GST_ELEMENT (self), &self->started, ok);
  return ok;
}

static gboolean
gst_cca_base_stop (GstBaseTransform * trans)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  gst_cca_flight_stop (self);
  close_engine (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
  return TRUE;
}

/* The size and the samples of the frames: not how often they come, or how the
 * colours are meant, which leave the background as it is. */
static gboolean
is_same_picture (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b)
      && GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b);
}

static gboolean
take_video (GstCcaBase * self, const GstVideoInfo * info)
{
  const gboolean same = self->config.width != 0
      && is_same_picture (&self->info, info);

  self->info = *info;
  return same || configure_as_set (self, GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
}

static gboolean
gst_cca_base_set_caps (GstBaseTransform * trans, GstCaps * incaps,
    GstCaps * outcaps)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  const GstStructure *s = gst_caps_get_structure (incaps, 0);
  gint width = 0, height = 0;
  GstVideoInfo info;
  gchar *why = NULL;
  gboolean ok;

  if (self->engine == NULL) {
    GST_DEBUG_OBJECT (self, "not started");
    return FALSE;
  }
  self->truncation_told = self->left_out_told = FALSE;

  /* before GStreamer's own limits, which depend on the layout */
  gst_structure_get (s, "width", G_TYPE_INT, &width, "height", G_TYPE_INT,
      &height, NULL);
  if (width > 0 && height > 0 && (guint64) width * height > CCA_MAX_PIXELS)
    why = g_strdup_printf ("frames of %dx%d pixels have more than the %d "
        "pixels that are supported", width, height, CCA_MAX_PIXELS);
  else if (!gst_video_info_from_caps (&info, incaps))
    why = g_strdup_printf ("GStreamer has no layout for frames of %dx%d "
        "pixels", width, height);
  if (why != NULL) {
    gst_cca_base_post_error (self, CCA_ERROR_TOO_LARGE, why);
    g_free (why);
  }
  ok = why == NULL && take_video (self, &info);
  if (ok)
    gst_cca_flight_set_latency (self);
  gst_caps_replace (&self->refused, ok ? NULL : incaps);
  return ok;
}

static gboolean
gst_cca_base_accept_caps (GstBaseTransform * trans, GstPadDirection direction,
    GstCaps * caps)
{
  return direction == GST_PAD_SINK ? gst_cca_caps_are_video (caps)
      : GST_BASE_TRANSFORM_CLASS (parent_class)->accept_caps (trans,
      direction, caps);
}

static gboolean
gst_cca_base_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  gboolean answered;

  answered = GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
      decide_query, query);
  if (klass->offer_pool != NULL)
    answered |= klass->offer_pool (self, query);
  return gst_cca_flight_add_buffers (self, query) || answered;
}

static gboolean
gst_cca_base_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    gst_cca_flight_settle (self);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction,
          query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_cca_flight_add_latency (self, query);
  return TRUE;
}

static GstFlowReturn
gst_cca_base_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * buffer)
{
  GstFlowReturn ret = gst_cca_flight_begin (GST_CCA_BASE (trans), is_discont);

  if (ret == GST_FLOW_OK)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->submit_input_buffer (trans,
        is_discont, buffer);
  gst_buffer_unref (buffer);
  return ret;
}

/* Called until it gives nothing. */
static GstFlowReturn
gst_cca_base_generate_output (GstBaseTransform * trans, GstBuffer ** outbuf)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  if (self->flight.alone || trans->queued_buf == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (trans,
        outbuf);
  return gst_cca_flight_exchange (self, g_steal_pointer (&trans->queued_buf),
      outbuf);
}

static GstFlowReturn
gst_cca_base_transform_ip (GstBaseTransform * trans, GstBuffer * buffer)
{
  return gst_cca_flight_analyse (GST_CCA_BASE (trans), buffer);
}

/* From any thread: the next frame that is analysed is the first one. */
static void
restart_background (GstCcaBase * self)
{
  GST_OBJECT_LOCK (self);
  self->restarts++;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_cca_base_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    gst_cca_flight_flush (self);
  else if (GST_EVENT_IS_SERIALIZED (event))
    gst_cca_flight_settle (self);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      if (!gst_cca_base_check_caps (self, caps)) {
        gst_event_unref (event);
        return FALSE;
      }
      break;
    case GST_EVENT_SEGMENT:
      self->truncation_told = self->left_out_told = FALSE;
      break;
    case GST_EVENT_STREAM_START:
      self->too_many_told = FALSE;
      /* fall through */
    case GST_EVENT_FLUSH_STOP:
      restart_background (self);
      self->last_message = GST_CLOCK_TIME_NONE;
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static void
gst_cca_base_finalize (GObject * object)
{
  gst_caps_replace (&GST_CCA_BASE (object)->refused, NULL);
  gst_cca_settings_clear (&GST_CCA_BASE (object)->settings);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_cca_base_class_init (GstCcaBaseClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_base_debug, "ccabase", 0,
      "connected-component analysis base class");

  object_class->set_property = gst_cca_base_set_property;
  object_class->get_property = gst_cca_base_get_property;
  object_class->finalize = gst_cca_base_finalize;

  gst_cca_settings_install (object_class);

  /**
   * GstCcaBase:stats:
   *
   * Statistics since the element started, as a #GstStructure `cca-stats`:
   *
   * * #guint64 `frames`: frames analysed
   * * #guint64 `truncated-frames`: frames with more components than were
   *   delivered
   * * #guint `n-found`: components found in the last frame
   * * #guint `n-components`: components delivered of the last frame
   * * #guint64 `background-frames`: frames that the background of the last
   *   frame had learnt from before it; 0 for a first frame, and if
   *   #GstCcaBase:foreground has no background
   * * #guint64 `mean-time`: mean time to analyse a frame, in nanoseconds
   * * #guint64 `max-time`: longest time to analyse a frame, in nanoseconds
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, GST_CCA_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Frames, components of the last frame and analysis times in "
          "nanoseconds", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  /**
   * GstCcaBase::reset-background:
   * @self: the element
   *
   * Forget the background, for instance when the camera has been moved: the
   * next frame is a first frame. May be called from any thread.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("reset-background",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (restart_background), NULL, NULL, NULL, G_TYPE_NONE, 0);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cca_base_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cca_base_stop);
  trans_class->accept_caps = GST_DEBUG_FUNCPTR (gst_cca_base_accept_caps);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cca_base_set_caps);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_base_sink_event);
  trans_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_cca_base_propose_allocation);
  trans_class->query = GST_DEBUG_FUNCPTR (gst_cca_base_query);
  trans_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_cca_base_submit_input_buffer);
  trans_class->generate_output =
      GST_DEBUG_FUNCPTR (gst_cca_base_generate_output);
  trans_class->transform_ip = GST_DEBUG_FUNCPTR (gst_cca_base_transform_ip);
  trans_class->transform_ip_on_passthrough = FALSE;

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_BASE, 0);
}

static void
gst_cca_base_init (GstCcaBase * self)
{
  gst_cca_settings_init (&self->settings);
}
