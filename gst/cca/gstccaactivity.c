/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccaactivity
 * @title: ccaactivity
 * @short_description: combines frames with components to events in time
 *
 * Accepts buffers of any kind and passes them on. It reads the first
 * #GstCcaMeta of each buffer and reports when activity begins and ends. The
 * pixels are not read, so the video may be encoded or in GPU memory.
 *
 * A frame is active if the background is not warming up, the frame is not in
 * overload, the number of components is from `min-components` to
 * `max-components`, and their areas together are at least `min-area` pixels. An
 * event starts at the first of `min-frames` consecutive active frames. It ends at
 * the last active frame before a pause of more than `max-gap`. All durations are
 * in running time, so the frame rate may vary.
 *
 * * With `zones-only` only the components that `ccatrack` found in one of its
 *   zones count. Put the element after it. Components that the analyser left
 *   out because of its `max-components` do not count then.
 * * With `max-duration` an event ends at its last active frame before that
 *   time after its start. If the next frame is active a new event starts with
 *   it at once.
 * * A change of the analysed size, a flush, a new stream, the end of the stream
 *   and the state READY end the event in progress. A new segment without a
 *   flush does not: the running time continues.
 * * Buffers without a #GstCcaMeta and gaps do not count as frames, but their
 *   times can end an event. The element posts a warning if none of the first 30
 *   buffers of a stream, or of all buffers of a shorter stream, has a meta.
 * * A frame without a timestamp counts, but its time is unknown and ends
 *   nothing. A timestamp that goes back by no more than `max-gap` is fine: behind
 *   an encoder frames are in the order of decoding. One that goes back further
 *   ends the event.
 *
 * ## Messages
 *
 * The element posts element messages with a structure named `cca-activity`,
 * which has these fields:
 *
 * * #gchararray `event`: "started"; "ended"; or "snapshot" if the peak has
 *   become greater since the last message of the event, at most once each
 *   `snapshot-interval`
 * * #guint64 `timestamp`, `stream-time`, `running-time` and `utc`: of the start,
 *   of the peak if the event is "snapshot", or of the end
 * * #guint64 `number`: of the event, from 1. An element never uses a number
 *   twice
 * * #guint64 `frames`: number of active frames so far
 * * #GstStructure `start` and `end`: the first and the last active frame so
 *   far, with the four times above
 * * #GstStructure `peak`: the first frame with the greatest area so far, with
 *   the four times, #guint `components`, #guint64 `area`, and #guint64 `x`, `y`,
 *   `width` and `height` of the box around its components
 * * #GstStructure `box`: #guint64 `x`, `y`, `width` and `height` of the box
 *   around the components of all active frames, in pixels of the analysed
 *   picture
 * * #gchararray `reason`, if the event is "ended": "gap", "max-duration",
 *   "resized", "eos", "flush", "new-stream" or "stopped"
 *
 * `utc` is in nanoseconds since 1970. It comes from a
 * #GstReferenceTimestampMeta with Unix or NTP time, which `rtspsrc` attaches
 * with `add-reference-timestamp-meta=true`. Without one it is the time of the
 * pipeline's clock, if that is a #GstSystemClock with the type `realtime` and
 * the pipeline is playing. Unknown times are %GST_CLOCK_TIME_NONE.
 *
 * The same structures are events of the buffer's #GstCcaMeta, and so in the
 * lines of `ccajson`, and each is sent in a serialised event
 * %GST_EVENT_CUSTOM_DOWNSTREAM before the buffer. An event that ends with the
 * stream is sent before the end of the stream. A flush ends the event in
 * progress for downstream elements without such an event.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca min-area=50 ! ccaactivity ! fakesink -m
 * ]| Prints when the ball appears, and the event at the end of the stream.
 *
 * Since: 0.1
 */

#include "gstccaactivity.h"

#include <gst/ccameta/gstccameta.h>

#include "activity/gstccaactivityreport.h"
#include "gst/ccabase/gstccaproperty.h"
#include "gst/ccabase/gstccawarning.h"
#include "gstccautc.h"
#include "track/gstccatrackreport.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_activity_debug);
#define GST_CAT_DEFAULT gst_cca_activity_debug

#define DEFAULT_MIN_COMPONENTS 1
#define DEFAULT_MAX_COMPONENTS G_MAXUINT
#define DEFAULT_MIN_AREA 1
#define DEFAULT_ZONES_ONLY FALSE
#define DEFAULT_MIN_FRAMES 2
#define DEFAULT_MAX_GAP (5 * GST_SECOND)
#define DEFAULT_MAX_DURATION 0
#define DEFAULT_SNAPSHOT_INTERVAL GST_SECOND

enum
{
  PROP_0,
  PROP_MIN_COMPONENTS,
  PROP_MAX_COMPONENTS,
  PROP_MIN_AREA,
  PROP_ZONES_ONLY,
  PROP_MIN_FRAMES,
  PROP_MAX_GAP,
  PROP_MAX_DURATION,
  PROP_SNAPSHOT_INTERVAL,
  PROP_STATS,
};

/* The caps are ANY because encoders keep the meta, too. */
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

typedef struct
{
  guint min_components, max_components;
  guint64 min_area;
  gboolean zones_only;
  GstCcaActivityParams rule;
} Settings;

typedef struct
{
  guint64 frames, active_frames;
  guint64 started, ended;
  guint64 number; /* of the event in progress, or 0 */
} Stats;

struct _GstCcaActivity
{
  GstBaseTransform parent;

  /* used by the streaming thread only */
  GstCcaActivityRule rule;
  guint ref_width, ref_height; /* size of the analysed picture */
  GPtrArray *reports;          /* messages that were not sent downstream yet */
  guint warned;                /* mask of the GstCcaWarning already issued */
  GstCcaMetaWatch watch;

  /* under the object lock */
  Settings settings;
  Stats stats;
  GstCcaUtc utc;
};

G_DEFINE_FINAL_TYPE (GstCcaActivity, gst_cca_activity, GST_TYPE_BASE_TRANSFORM);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccaactivity, "ccaactivity",
    GST_RANK_NONE, GST_TYPE_CCA_ACTIVITY,
    GST_DEBUG_CATEGORY_INIT (gst_cca_activity_debug, "ccaactivity", 0,
        "activity of connected components"));

/* --- properties ----------------------------------------------------------- */

/* *INDENT-OFF* */
#define SETTINGS(GET_OR_SET) \
  GET_OR_SET (PROP_MIN_COMPONENTS, uint, min_components) \
  GET_OR_SET (PROP_MAX_COMPONENTS, uint, max_components) \
  GET_OR_SET (PROP_MIN_AREA, uint64, min_area) \
  GET_OR_SET (PROP_ZONES_ONLY, boolean, zones_only) \
  GET_OR_SET (PROP_MIN_FRAMES, uint, rule.min_frames) \
  GET_OR_SET (PROP_MAX_GAP, uint64, rule.max_gap) \
  GET_OR_SET (PROP_MAX_DURATION, uint64, rule.max_duration) \
  GET_OR_SET (PROP_SNAPSHOT_INTERVAL, uint64, rule.snapshot_interval)
/* *INDENT-ON* */

static gboolean
set_setting (Settings *settings, guint prop_id, const GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_SET_CASE);
    default:
      return FALSE;
  }
}

static gboolean
get_setting (const Settings *settings, guint prop_id, GValue *value)
{
  switch (prop_id) {
    SETTINGS (GST_CCA_GET_CASE);
    default:
      return FALSE;
  }
}

static void
gst_cca_activity_set_property (GObject *object, guint prop_id,
    const GValue *value, GParamSpec *pspec)
{
  GstCcaActivity *self = GST_CCA_ACTIVITY (object);

  GST_OBJECT_LOCK (self);
  if (!set_setting (&self->settings, prop_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static GstStructure *
stats_to_structure (const Stats *stats)
{
  return gst_structure_new ("cca-activity-stats", "frames", G_TYPE_UINT64,
      stats->frames, "active-frames", G_TYPE_UINT64, stats->active_frames,
      "started", G_TYPE_UINT64, stats->started, "ended", G_TYPE_UINT64,
      stats->ended, "number", G_TYPE_UINT64, stats->number, NULL);
}

static void
gst_cca_activity_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCcaActivity *self = GST_CCA_ACTIVITY (object);

  GST_OBJECT_LOCK (self);
  if (prop_id == PROP_STATS)
    g_value_take_boxed (value, stats_to_structure (&self->stats));
  else if (!get_setting (&self->settings, prop_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

/* --- reports -------------------------------------------------------------- */

static void
report (const GstCcaActivityEvent *event, GstCcaActivityChange change,
    GstCcaActivityReason reason, gpointer user_data)
{
  GstCcaActivity *self = user_data;
  GstMessage *message =
      gst_cca_activity_message_new (GST_ELEMENT (self), event, change, reason);

  GST_OBJECT_LOCK (self);
  self->stats.started += change == GST_CCA_ACTIVITY_STARTED;
  self->stats.ended += change == GST_CCA_ACTIVITY_ENDED;
  self->stats.number = change == GST_CCA_ACTIVITY_ENDED ? 0 : event->number;
  GST_OBJECT_UNLOCK (self);
  g_ptr_array_add (self->reports, gst_message_ref (message));
  gst_element_post_message (GST_ELEMENT (self), message);
}

static const GstStructure *
report_at (const GstCcaActivity *self, guint i)
{
  return gst_message_get_structure (g_ptr_array_index (self->reports, i));
}

/* Sends what was reported downstream. The pad accepts no event at a flush and in
 * READY. */
static void
send_reports (GstCcaActivity *self)
{
  guint i;

  for (i = 0; i < self->reports->len; i++)
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self),
        gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
            gst_structure_copy (report_at (self, i))));
  g_ptr_array_set_size (self->reports, 0);
}

static void
end_event (GstCcaActivity *self, GstCcaActivityReason reason)
{
  gst_cca_activity_rule_end (&self->rule, reason);
  send_reports (self);
}

/* --- a frame -------------------------------------------------------------- */

static Settings
get_settings (GstCcaActivity *self)
{
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

static GstCcaActivityTime
time_of (GstCcaActivity *self, GstBuffer *buffer)
{
  const GstCcaMoment moment =
      gst_cca_moment_of_buffer (buffer, &GST_BASE_TRANSFORM (self)->segment);
  GstCcaActivityTime time = {
    .timestamp = moment.timestamp,
    .stream_time = moment.stream_time,
    .running_time = moment.running_time,
    .utc = gst_cca_utc_of_buffer (&self->utc, GST_ELEMENT (self), buffer,
        moment.running_time),
  };

  return time;
}

/* Areas that an application made up may have any sum. */
static guint64
add_area (guint64 a, guint64 b)
{
  return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static void
add_component (GstCcaActivityFrame *frame, const GstCcaComponent *c)
{
  const GstCcaActivityBox box = {
    .x0 = c->x,
    .y0 = c->y,
    .x1 = (guint64) c->x + c->width,
    .y1 = (guint64) c->y + c->height,
  };

  frame->n_components++;
  frame->area = add_area (frame->area, c->area);
  gst_cca_activity_box_unite (&frame->box, &box);
}

static GstCcaActivityFrame
frame_of (GstCcaActivity *self, GstBuffer *buffer, const GstCcaMeta *meta,
    gboolean zones_only)
{
  GstCcaActivityFrame frame = {
    .time = time_of (self, buffer),
  };
  const GstCcaComponent *c;
  guint n, i;

  c = gst_cca_meta_get_components (meta, &n);
  for (i = 0; i < n; i++)
    if (!zones_only || c[i].zones != 0)
      add_component (&frame, &c[i]);
  if (!zones_only)
    frame.n_components = gst_cca_meta_get_n_found (meta);
  return frame;
}

static gboolean
is_active (const Settings *s, const GstCcaMeta *meta,
    const GstCcaActivityFrame *frame)
{
  return (gst_cca_meta_get_analysis (meta)->flags
             & (GST_CCA_ANALYSIS_FLAG_WARMING_UP
                 | GST_CCA_ANALYSIS_FLAG_OVERLOAD))
      == 0
      && frame->n_components >= s->min_components
      && frame->n_components <= s->max_components && frame->area >= s->min_area;
}

static void
analyse (GstCcaActivity *self, GstBuffer *buffer, const GstCcaMeta *meta)
{
  const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (meta);
  const Settings s = get_settings (self);
  const GstCcaActivityFrame frame = frame_of (self, buffer, meta, s.zones_only);
  const gboolean active = is_active (&s, meta, &frame);
  gboolean continues;

  GST_OBJECT_LOCK (self);
  self->stats.frames++;
  self->stats.active_frames += active;
  GST_OBJECT_UNLOCK (self);
  if (analysis->width != self->ref_width
      || analysis->height != self->ref_height)
    gst_cca_activity_rule_end (&self->rule, GST_CCA_ACTIVITY_RESIZED);
  self->ref_width = analysis->width;
  self->ref_height = analysis->height;
  continues = gst_cca_activity_rule_pass (&self->rule, &s.rule,
      frame.time.running_time);
  if (active)
    gst_cca_activity_rule_add (&self->rule, &s.rule, &frame, continues);
  else
    gst_cca_activity_rule_break (&self->rule);
}

/* Nothing was analysed, but time passed. */
static void
pass_time (GstCcaActivity *self, GstClockTime timestamp)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  const Settings s = get_settings (self);

  if (segment->format == GST_FORMAT_TIME)
    gst_cca_activity_rule_pass (&self->rule, &s.rule,
        gst_segment_to_running_time (segment, GST_FORMAT_TIME, timestamp));
}

/* A buffer without a report is passed on itself: making it writable would copy
 * it if it is shared. */
static GstFlowReturn
gst_cca_activity_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *input, GstBuffer **output)
{
  GstCcaActivity *self = GST_CCA_ACTIVITY (trans);
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (input);

  gst_cca_meta_watch_buffer (&self->watch, GST_ELEMENT (self), input,
      meta != NULL);
  if (meta != NULL)
    analyse (self, input, meta);
  else
    pass_time (self, GST_BUFFER_PTS (input));
  if (self->reports->len == 0 || meta == NULL) {
    *output = input;
    return GST_FLOW_OK;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_activity_parent_class)
      ->prepare_output_buffer (trans, input, output);
}

static GstFlowReturn
gst_cca_activity_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCcaActivity *self = GST_CCA_ACTIVITY (trans);
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  guint i;

  for (i = 0; meta != NULL && i < self->reports->len; i++)
    if (!gst_cca_meta_add_event (meta, report_at (self, i))
        && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_EVENTS))
      GST_WARNING_OBJECT (self, "a meta has no room for an event");
  send_reports (self);
  return GST_FLOW_OK;
}

/* --- events and states ---------------------------------------------------- */

static void
pass_gap (GstCcaActivity *self, GstEvent *event)
{
  GstClockTime timestamp, duration;

  gst_event_parse_gap (event, &timestamp, &duration);
  if (GST_CLOCK_TIME_IS_VALID (duration))
    timestamp += duration;
  pass_time (self, timestamp);
  send_reports (self);
}

static gboolean
gst_cca_activity_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstCcaActivity *self = GST_CCA_ACTIVITY (trans);

  gst_cca_meta_watch_event (&self->watch, GST_ELEMENT (self), event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_STOP:
      end_event (self, GST_CCA_ACTIVITY_FLUSH);
      break;
    case GST_EVENT_STREAM_START:
      end_event (self, GST_CCA_ACTIVITY_NEW_STREAM);
      break;
    case GST_EVENT_EOS:
      end_event (self, GST_CCA_ACTIVITY_EOS);
      break;
    case GST_EVENT_GAP:
      pass_gap (self, event);
      break;
    case GST_EVENT_SEGMENT:
      self->warned = 0;
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_activity_parent_class)
      ->sink_event (trans, event);
}

static gboolean
gst_cca_activity_stop (GstBaseTransform *trans)
{
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  end_event (GST_CCA_ACTIVITY (trans), GST_CCA_ACTIVITY_STOPPED);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  return TRUE;
}

static gboolean
gst_cca_activity_set_clock (GstElement *element, GstClock *clock)
{
  gst_cca_utc_set_clock (&GST_CCA_ACTIVITY (element)->utc, element, clock);
  return GST_ELEMENT_CLASS (gst_cca_activity_parent_class)
      ->set_clock (element, clock);
}

static GstStateChangeReturn
gst_cca_activity_change_state (GstElement *element, GstStateChange transition)
{
  gst_cca_utc_change_state (&GST_CCA_ACTIVITY (element)->utc, element,
      transition);
  return GST_ELEMENT_CLASS (gst_cca_activity_parent_class)
      ->change_state (element, transition);
}

/* --- class ---------------------------------------------------------------- */

static void
gst_cca_activity_finalize (GObject *object)
{
  g_ptr_array_unref (GST_CCA_ACTIVITY (object)->reports);
  G_OBJECT_CLASS (gst_cca_activity_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  /**
   * GstCcaActivity:min-components:
   *
   * Minimum number of components of an active frame, including those that
   * `max-components` of the analysing element left out.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_COMPONENTS,
      g_param_spec_uint ("min-components", "Minimum Components",
          "Minimum number of components of an active frame", 0, G_MAXUINT,
          DEFAULT_MIN_COMPONENTS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:max-components:
   *
   * Maximum number of components of an active frame. Frames with more, such as
   * those of a change of light, are not active.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_COMPONENTS,
      g_param_spec_uint ("max-components", "Maximum Components",
          "Maximum number of components of an active frame. Frames with more, "
          "as after a change of light, do not count",
          0, G_MAXUINT, DEFAULT_MAX_COMPONENTS, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:min-area:
   *
   * Minimum area of an active frame: that of all components of the meta
   * together, in pixels of the analysed picture.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_AREA,
      g_param_spec_uint64 ("min-area", "Minimum Area",
          "Minimum area of all components of an active frame together, in "
          "pixels",
          0, G_MAXUINT64, DEFAULT_MIN_AREA, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:zones-only:
   *
   * Whether only components in a zone count. An upstream `ccatrack` with
   * `zones`, and with `cca` in its `meta-types`, marks them.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_ZONES_ONLY,
      g_param_spec_boolean ("zones-only", "Zones Only",
          "Count only components in the zones of an upstream ccatrack",
          DEFAULT_ZONES_ONLY, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:min-frames:
   *
   * Number of consecutive active frames that start an event.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MIN_FRAMES,
      g_param_spec_uint ("min-frames", "Minimum Frames",
          "Number of consecutive active frames that start an event. Raise it "
          "if flicker starts events",
          1, 100000, DEFAULT_MIN_FRAMES, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:max-gap:
   *
   * Maximum running time between two active frames of an event, in
   * nanoseconds. If it is shorter than the interval between frames each active
   * frame is alone.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_GAP,
      g_param_spec_uint64 ("max-gap", "Maximum Gap",
          "Maximum time between two active frames of an event, in "
          "nanoseconds. The end of an event is reported that much later",
          0, G_MAXUINT64 - 1, DEFAULT_MAX_GAP, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:max-duration:
   *
   * An event that reaches this duration, in nanoseconds of running time, ends.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_DURATION,
      g_param_spec_uint64 ("max-duration", "Maximum Duration",
          "Duration in nanoseconds at which an event ends, and at which the "
          "next one starts if the activity continues. 0: no limit",
          0, G_MAXUINT64 - 1, DEFAULT_MAX_DURATION, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:snapshot-interval:
   *
   * Minimum running time between two messages of an event before it ends, in
   * nanoseconds. With 0 there is a message in each frame that is a new peak.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_SNAPSHOT_INTERVAL,
      g_param_spec_uint64 ("snapshot-interval", "Snapshot Interval",
          "Minimum time in nanoseconds between messages about a greater peak "
          "of an event. 0: a message in each frame that is a new peak",
          0, G_MAXUINT64, DEFAULT_SNAPSHOT_INTERVAL, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaActivity:stats:
   *
   * A structure named `cca-activity-stats` with #guint64 `frames` (analysed
   * ones), `active-frames`, `started` and `ended` (events), and `number` (of
   * the event in progress, or 0). May be read from any thread.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Numbers of analysed and active frames, of events that started and "
          "ended, and the number of the event in progress",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_cca_activity_class_init (GstCcaActivityClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_cca_activity_set_property;
  object_class->get_property = gst_cca_activity_get_property;
  object_class->finalize = gst_cca_activity_finalize;
  install_properties (object_class);

  gst_element_class_set_static_metadata (element_class,
      "Connected-component activity", "Filter/Analyzer/Video",
      "Reports when activity, seen as components found by cca or cudacca, "
      "begins and ends",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  element_class->set_clock = GST_DEBUG_FUNCPTR (gst_cca_activity_set_clock);
  element_class->change_state =
      GST_DEBUG_FUNCPTR (gst_cca_activity_change_state);

  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cca_activity_stop);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_activity_sink_event);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cca_activity_prepare_output_buffer);
  trans_class->transform_ip = GST_DEBUG_FUNCPTR (gst_cca_activity_transform_ip);
  trans_class->transform_ip_on_passthrough = FALSE;
}

static void
gst_cca_activity_init (GstCcaActivity *self)
{
  self->settings = (Settings) {
    .min_components = DEFAULT_MIN_COMPONENTS,
    .max_components = DEFAULT_MAX_COMPONENTS,
    .min_area = DEFAULT_MIN_AREA,
    .zones_only = DEFAULT_ZONES_ONLY,
    .rule =
        {
          .min_frames = DEFAULT_MIN_FRAMES,
          .max_gap = DEFAULT_MAX_GAP,
          .max_duration = DEFAULT_MAX_DURATION,
          .snapshot_interval = DEFAULT_SNAPSHOT_INTERVAL,
        },
  };
  self->reports =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_message_unref);
  gst_cca_activity_rule_init (&self->rule, report, self);
}
