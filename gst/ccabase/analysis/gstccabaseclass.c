/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The element works in place: it adds metas to a buffer and only reads its
 * pixels. A shared buffer is replaced by a shallow copy with the same memory.
 * Allocation queries are forwarded downstream, because downstream gets the same
 * buffers. The element offers no metas itself, as downstream might not support
 * the layouts that they allow. */

#include "gstccabase.h"

#include "gst/ccabase/gstccatypename.h"
#include "gst/ccabase/gstccawarning.h"
#include "gstccabackground.h"
#include "gstccabaseengine.h"
#include "gstccaqueue.h"
#include "gstccaresult.h"
#include "gstccaworking.h"

GST_DEBUG_CATEGORY (gst_cca_base_debug);
#define GST_CAT_DEFAULT gst_cca_base_debug

GST_CCA_DEFINE_ABSTRACT_TYPE (GstCcaBase, gst_cca_base, "Base",
    GST_TYPE_BASE_TRANSFORM);
#define parent_class gst_cca_base_parent_class

/* --- properties ----------------------------------------------------------- */

static void
gst_cca_base_set_property (GObject *object, guint prop_id, const GValue *value,
    GParamSpec *pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  gboolean known;

  if (gst_cca_working_set_property (self, prop_id, value))
    return;
  if (!gst_cca_lock_to_set (GST_ELEMENT (self), &self->started, pspec))
    return;
  known = gst_cca_settings_set (&self->settings, prop_id, value);
  GST_OBJECT_UNLOCK (self);

  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gst_cca_base_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  GstCcaStats stats;
  gboolean known;

  GST_OBJECT_LOCK (self);
  stats = self->stats;
  known = gst_cca_settings_get (&self->settings, prop_id, value)
      || gst_cca_working_get_property (self, prop_id, value);
  GST_OBJECT_UNLOCK (self);

  if (prop_id == GST_CCA_PROP_STATS)
    g_value_take_boxed (value, gst_cca_stats_to_structure (&stats));
  else if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

/* --- states --------------------------------------------------------------- */

/* Starting and stopping take the stream lock of the sink pad, because an
 * allocation query makes the base class set caps at any time and from any
 * thread. That thread holds the same lock. */
static gboolean
gst_cca_base_start (GstBaseTransform *trans)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  const GstCcaStats none = {
    0,
  };
  gboolean ok;

  GST_OBJECT_LOCK (self);
  self->started = TRUE;
  self->warned_of_format = FALSE;
  self->stats = none;
  self->latency = 0;
  GST_OBJECT_UNLOCK (self);

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  gst_caps_replace (&self->refused, NULL);
  gst_cca_queue_start (self, self->settings.async_depth);
  self->last_message = GST_CLOCK_TIME_NONE;
  self->frames_since_light = GST_CCA_LIGHT_PAUSE;
  self->overload = (GstCcaOverload) {
    0,
  };
  self->warned = 0;
  self->object_type = g_intern_string (self->settings.object_type);
  ok = gst_cca_working_start (self) && gst_cca_base_open_engine (self);
  if (ok)
    gst_cca_background_start (self);
  else
    gst_cca_queue_stop (self);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_set_started (GST_ELEMENT (self), &self->started, ok);
  return ok;
}

static gboolean
gst_cca_base_stop (GstBaseTransform *trans)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  gst_cca_queue_stop (self);
  g_clear_pointer (&self->mask, gst_cca_region_mask_unref);
  gst_cca_background_stop (self);
  gst_cca_base_close_engine (self);
  gst_cca_groups_clear (&self->groups);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
  return TRUE;
}

/* --- caps ----------------------------------------------------------------- */

/* An upstream element that does not negotiate can send unsupported caps. If the
 * sink pad rejected them, the application would only see that the source has
 * stopped. The pad therefore accepts all raw video, and the caps event is
 * refused with an error message that names the remedy. */
static GstStaticCaps any_video = GST_STATIC_CAPS (
    "video/x-raw(ANY), width=" GST_VIDEO_SIZE_RANGE
    ", height=" GST_VIDEO_SIZE_RANGE ", framerate=" GST_VIDEO_FPS_RANGE);

static gboolean
intersects (const GstCaps *caps, GstStaticCaps *others)
{
  GstCaps *other = gst_static_caps_get (others);
  gboolean ok = gst_caps_can_intersect (caps, other);

  gst_caps_unref (other);
  return ok;
}

/* Returns a sentence, to be freed, that names the unsupported format and the
 * elements to put before this one. */
static gchar *
explain (const GstCaps *caps, const GstCaps *wanted, GstCcaRemedy *remedy)
{
  const gchar *format =
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "format");
  GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  gchar *memory = gst_caps_features_to_string (features), *sentence;

  if (format == NULL)
    format = "video";
  while (!intersects (caps, &remedy->caps))
    remedy++;
  if (gst_caps_features_is_equal (features, gst_caps_get_features (wanted, 0)))
    sentence = g_strdup_printf ("the format %s is not supported, put %s before "
                                "this element",
        format, remedy->elements);
  else
    sentence = g_strdup_printf ("%s with %s is not supported, put %s before "
                                "this element",
        format, memory, remedy->elements);
  g_free (memory);
  return sentence;
}

static gboolean
check_caps (GstCcaBase *self, GstCaps *caps)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstCaps *wanted;
  gboolean ok;

  /* Upstream sends refused caps again with each buffer. Post one error. */
  if (self->refused != NULL && gst_caps_is_equal (caps, self->refused))
    return FALSE;

  wanted = gst_pad_get_pad_template_caps (pad);
  ok = gst_caps_can_intersect (caps, wanted);
  if (!ok) {
    gchar *sentence =
        explain (caps, wanted, GST_CCA_BASE_GET_CLASS (self)->remedies);

    gst_cca_base_post_error (self, CCA_ERROR_INVALID, sentence);
    g_free (sentence);
  }
  gst_caps_unref (wanted);
  gst_caps_replace (&self->refused, ok ? NULL : caps);
  return ok;
}

static gboolean
gst_cca_base_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
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
  self->warned &= GST_CCA_WARNING_TOO_MANY;

  /* Check this limit first: those of GStreamer depend on the layout. */
  gst_structure_get (s, "width", G_TYPE_INT, &width, "height", G_TYPE_INT,
      &height, NULL);
  if (width > 0 && height > 0 && (guint64) width * height > CCA_MAX_PIXELS)
    why = g_strdup_printf ("frames of %dx%d pixels have more than the %d "
                           "pixels that are supported",
        width, height, CCA_MAX_PIXELS);
  else if (!gst_video_info_from_caps (&info, incaps))
    why = g_strdup_printf ("GStreamer has no layout for frames of %dx%d "
                           "pixels",
        width, height);
  if (why != NULL) {
    gst_cca_base_post_error (self, CCA_ERROR_TOO_LARGE, why);
    g_free (why);
  }
  ok = why == NULL && gst_cca_base_set_video (self, &info);
  if (ok)
    gst_cca_queue_set_latency (self);
  gst_caps_replace (&self->refused, ok ? NULL : incaps);
  return ok;
}

static gboolean
gst_cca_base_accept_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps)
{
  return direction == GST_PAD_SINK
      ? intersects (caps, &any_video)
      : GST_BASE_TRANSFORM_CLASS (parent_class)
            ->accept_caps (trans, direction, caps);
}

/* --- queries -------------------------------------------------------------- */

/* A source such as a webcam queries its formats first. It sends no caps if none
 * is supported, and its error gives no reason. This posts one warning with the
 * reason before that error. */
static void
warn_of_format (GstCcaBase *self, GstQuery *query)
{
  static GstStaticCaps raw_video = GST_STATIC_CAPS ("video/x-raw");
  GstCaps *offered, *wanted;
  gboolean warn;
  guint i, n;

  gst_query_parse_caps (query, &offered);
  if (offered == NULL || !intersects (offered, &raw_video))
    return;
  wanted = gst_pad_get_pad_template_caps (GST_BASE_TRANSFORM_SINK_PAD (self));
  warn = !gst_caps_can_intersect (offered, wanted);
  GST_OBJECT_LOCK (self);
  warn &= self->started && !self->warned_of_format;
  self->warned_of_format |= warn;
  GST_OBJECT_UNLOCK (self);

  n = warn ? gst_caps_get_size (offered) : 0;
  for (i = 0; i < n; i++) {
    GstCaps *caps = gst_caps_copy_nth (offered, i);
    gchar *sentence;

    if (intersects (caps, &raw_video)) {
      gst_structure_fixate_field (gst_caps_get_structure (caps, 0), "format");
      sentence =
          explain (caps, wanted, GST_CCA_BASE_GET_CLASS (self)->remedies);
      GST_ELEMENT_WARNING (self, STREAM, FORMAT,
          ("The video cannot be analysed: %s.", sentence),
          ("Upstream offers %" GST_PTR_FORMAT, offered));
      g_free (sentence);
      n = 0;
    }
    gst_caps_unref (caps);
  }
  gst_caps_unref (wanted);
}

static gboolean
gst_cca_base_propose_allocation (GstBaseTransform *trans,
    GstQuery *decide_query, GstQuery *query)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  gboolean answered;

  answered = GST_BASE_TRANSFORM_CLASS (parent_class)
                 ->propose_allocation (trans, decide_query, query);
  if (klass->offer_pool != NULL)
    answered |= klass->offer_pool (self, query);
  return gst_cca_queue_add_buffers (self, query) || answered;
}

static gboolean
gst_cca_base_query (GstBaseTransform *trans, GstPadDirection direction,
    GstQuery *query)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    gst_cca_queue_settle (self);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SINK && GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    warn_of_format (self, query);
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_cca_queue_add_latency (self, query);
  return TRUE;
}

/* --- buffers -------------------------------------------------------------- */

static GstFlowReturn
gst_cca_base_submit_input_buffer (GstBaseTransform *trans, gboolean is_discont,
    GstBuffer *buffer)
{
  GstFlowReturn ret = gst_cca_queue_begin (GST_CCA_BASE (trans), is_discont);

  if (ret == GST_FLOW_OK)
    return GST_BASE_TRANSFORM_CLASS (parent_class)
        ->submit_input_buffer (trans, is_discont, buffer);
  gst_buffer_unref (buffer);
  return ret;
}

/* The base class calls this until it returns no buffer. The second call finds
 * no queued buffer and ends there. */
static GstFlowReturn
gst_cca_base_generate_output (GstBaseTransform *trans, GstBuffer **outbuf)
{
  GstCcaBase *self = GST_CCA_BASE (trans);

  if (self->queue.synchronous || trans->queued_buf == NULL)
    return GST_BASE_TRANSFORM_CLASS (parent_class)
        ->generate_output (trans, outbuf);
  return gst_cca_queue_exchange (self, g_steal_pointer (&trans->queued_buf),
      outbuf);
}

static GstFlowReturn
gst_cca_base_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  return gst_cca_queue_analyse (GST_CCA_BASE (trans), buffer);
}

/* --- events --------------------------------------------------------------- */

static gboolean
gst_cca_base_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstCcaBase *self = GST_CCA_BASE (trans);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    gst_cca_queue_flush (self);
  else if (GST_EVENT_IS_SERIALIZED (event))
    gst_cca_queue_settle (self);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      if (!check_caps (self, caps)) {
        gst_event_unref (event);
        return FALSE;
      }
      break;
    case GST_EVENT_SEGMENT:
      self->warned &= GST_CCA_WARNING_TOO_MANY;
      break;
    case GST_EVENT_STREAM_START:
      self->warned &= ~GST_CCA_WARNING_TOO_MANY;
      /* fall through */
    case GST_EVENT_FLUSH_STOP:
      gst_cca_background_restart (self);
      self->last_message = GST_CLOCK_TIME_NONE;
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* --- class ---------------------------------------------------------------- */

static void
gst_cca_base_finalize (GObject *object)
{
  GstCcaBase *self = GST_CCA_BASE (object);

  g_clear_pointer (&self->loaded, gst_cca_background_file_free);
  g_rec_mutex_clear (&self->engine_lock);
  gst_caps_replace (&self->refused, NULL);
  gst_cca_settings_clear (&self->settings);
  gst_cca_working_finalize (self);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_cca_base_class_init (GstCcaBaseClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_base_debug, "ccabase", 0,
      "connected-component analysis base class");

  object_class->set_property = gst_cca_base_set_property;
  object_class->get_property = gst_cca_base_get_property;
  object_class->finalize = gst_cca_base_finalize;

  gst_cca_settings_install (object_class);
  gst_cca_working_install (object_class);

  /**
   * GstCcaBase:stats:
   *
   * Statistics since the element started, as a #GstStructure `cca-stats`:
   *
   * * #guint64 `frames`: number of analysed frames
   * * #guint64 `truncated-frames`: number of frames with more than
   *   #GstCcaBase:max-components components
   * * #guint64 `light-frames`: number of frames before which
   *   #GstCcaBase:light-compensation changed the background
   * * #guint64 `overload-frames`: number of frames in overload, see
   *   #GstCcaBase:max-foreground
   * * #guint `n-found`: components found in the last frame
   * * #guint `n-components`: components delivered for the last frame
   * * #guint64 `background-frames`: number of frames that the background had
   *   learnt from before the last frame. 0 for a first frame, and for values of
   *   #GstCcaBase:foreground without a background
   * * #guint64 `mean-time`: mean time to analyse a frame, in nanoseconds
   * * #guint64 `max-time`: longest time to analyse a frame, in nanoseconds
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, GST_CCA_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Statistics since the element started: number of frames, components "
          "of the last frame, analysis times in nanoseconds",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  /**
   * GstCcaBase::reset-background:
   * @self: the element
   *
   * Discards the background. Emit it after the camera has moved, for instance.
   * The next frame is analysed as a first frame, in which `sigma-delta` and
   * `difference` find nothing. May be called from any thread.
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("reset-background", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_cca_background_reset), NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * GstCcaBase::save-background:
   * @self: the element
   * @path: the file to write
   *
   * Saves the background, as it is after the last frame, to a file that
   * replaces one of that name as a whole. #GstCcaBase::load-background and
   * #GstCcaBase:background-location read it. The call returns when the file is
   * on the disk; the video goes on meanwhile. If it fails, a warning message
   * has the reason. May be called from any thread.
   *
   * Returns: %TRUE if the background was saved
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("save-background", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (gst_cca_background_save),
      NULL, NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);

  /**
   * GstCcaBase::load-background:
   * @self: the element
   * @path: the file to read
   *
   * Replaces the background by one that was saved. The next frame is analysed
   * as the frame that followed the last one before it was saved. If the file
   * does not fit the video or the properties, the background stays as it is,
   * and a warning message is posted with the next frame. May be called from any
   * thread.
   *
   * Returns: %TRUE if the file was read
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("load-background", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (gst_cca_background_load),
      NULL, NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);

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
gst_cca_base_init (GstCcaBase *self)
{
  g_rec_mutex_init (&self->engine_lock);
  gst_cca_settings_init (&self->settings);
  gst_cca_working_init (self);
}
