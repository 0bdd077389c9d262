/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:element-ccatrack
 * @title: ccatrack
 * @short_description: tracks connected components and counts line crossings
 *
 * Tracks the components found by `cca` or `cudacca` from frame to frame. In
 * each frame it predicts the bounding box of every track and assigns
 * components to tracks, the greatest overlap of boxes first. A track that was
 * seen in `min-hits` consecutive frames is confirmed and gets an id. It keeps
 * the id until it was unseen in more than `max-lost` consecutive frames. All
 * decisions use integer arithmetic, so the ids are the same on every machine.
 * The pixels are not read, so the video may be in any memory.
 *
 * The id is the `track_id` of the component in the buffer's first #GstCcaMeta;
 * components without an id have -1. Its `zones` are those in which the track is.
 * For stock elements, each track with an id
 * has a #GstAnalyticsTrackingMtd, to which the component's #GstAnalyticsODMtd
 * relates. The track has one also in frames in which it is not seen. In the
 * frame in which the track ends it is marked as lost.
 *
 * Buffers without a #GstCcaMeta pass unchanged and do not count as frames. The
 * element posts a warning if none of the first 30 buffers of a stream, or of
 * all buffers of a shorter stream, has one. Gaps and empty buffers do not
 * count.
 *
 * Two objects that touch are one component. One of them keeps its id. The other
 * is unseen, and usually gets its id back if they separate within `max-lost`
 * frames.
 *
 * An element never uses an id twice. All tracks end when the analysed size
 * changes, at a flush, at a new stream and at the end of the stream.
 *
 * ## Lines
 *
 * The property `lines` has lines across which objects are counted, such as
 * `lines="<[gate,x1=0,y1=120,x2=320,y2=120]>"`. It is an array with a structure
 * for each line. The name of the structure is the name of the line. Its fields
 * are the two ends, or `points=<x1,y1,x2,y2,…>` for a line with bends, in
 * pixels of the analysed picture, where pixel 0 covers 0 to 1. Right is seen
 * in the order of the points.
 *
 * A crossing counts once the object is clear of the line: the core of its box
 * has not touched the line in `settle-frames` frames. The core is a rectangle
 * around the `anchor` that is `line-margin` per cent of the box wide and high.
 * An object whose box trembles on a line therefore counts once, and one that
 * turns around counts not at all. Objects that were first seen on the line do
 * not count when they leave it. A line may have fields `line-margin`,
 * `line-margin-min`, `settle-frames` and `anchor` of its own, and `direction`:
 * `left` or `right` counts crossings in that direction only.
 *
 * The property `stats` has the counts. A line that is set again with the same
 * name and points keeps them; the signal `reset-counts` sets them to 0.
 *
 * If the lines are invalid the element posts an error and does not start. A
 * running element posts a warning and keeps its lines. Two lines must not have
 * the same name.
 *
 * ## Zones
 *
 * The property `zones` has polygons in which objects are counted, such as
 * `zones="<[door,points=<0,0,99,0,99,50>]>"`. An object is in a zone from the
 * first of `enter-frames` consecutive frames in which its anchor, by default the
 * middle of the lower edge of its box, is in the polygon, to the first of
 * `leave-frames` consecutive frames in which it is not.
 *
 * Element messages with a structure named `cca-zone` have the times of a
 * `cca-track` message, #gchararray `zone`, #guint64 `count`, the objects in the
 * zone, #guint64 `settled` and #gboolean `warming-up`, and these fields:
 *
 * * #gchararray `event`: "entered", "left" and "loitering" of an object, which
 *   have the fields of a track below, and "occupancy", "crowded" and
 *   "uncrowded" of the zone
 * * #guint64 `since`: running time at which the stay or the crowd began
 * * #guint64 `dwell` and #gchararray `reason`, if the event is "left": length of
 *   the stay in nanoseconds, and "moved", "lost", "dropped" or "changed"
 *
 * ## Objects that stop
 *
 * An object that came from elsewhere has stopped when its box stayed in its
 * place for `still-frames` frames. If the background absorbs it then, its track
 * ends after `max-lost` frames. With `max-stopped` it is kept, and so are its
 * stays in zones, up to that many frames longer or until an object that gets an
 * id begins at its place. The property `absorb-after` of `cca` and `cudacca`,
 * which keeps the object visible, is more reliable.
 *
 * ## Messages
 *
 * The element posts element messages with a structure named `cca-track`, which
 * has these fields:
 *
 * * #gchararray `event`: "confirmed" if a track gets its id, "lost" if it
 *   ends, "crossed" if it crosses a line, "stopped" if the object has stopped,
 *   "moved" if it has moved after that
 * * #guint64 `timestamp`, `stream-time`, `running-time`, `duration`: of the
 *   buffer. If the track ended between two buffers they are those of the
 *   earlier one. If the event is "crossed" they are those of the buffer in
 *   which the object crossed the line.
 * * #guint64 `id`: id of the track
 * * #guint64 `frames-seen`: number of frames in which the track was seen
 * * #guint64 `first-seen`, `last-seen`: running times
 * * #GstStructure `first-box`, `last-box`: #guint `x`, `y`, `width` and
 *   `height`, in pixels of the analysed picture
 * * #GstValueArray `path`, if the event is "confirmed" or "lost": up to 64 points of
 *   the path of the centroid, including the first and the last one. Each point
 *   is an array of #gdouble x and y.
 * * #guint64 `since`, if the event is "stopped" or "moved": running time since
 *   which the object was at rest
 * * #guint64 `after`, if the event is "confirmed": id of the track that this one
 *   replaces; absent if there is none
 * * #gchararray `reason`, if the event is "lost": "unseen" if the track was
 *   unseen in too many frames or ended because of `max-tracks`, "dropped" if
 *   all tracks ended, "replaced" if another one began where it had stopped
 * * #gchararray `line` and `direction` ("to-left" or "to-right"), if the event
 *   is "crossed": name of the line and direction of this crossing
 * * #guint64 `to-left`, `to-right`, if the event is "crossed": total crossings
 *   of that line in each direction, including this one
 * * #guint64 `settled`, if the event is "crossed": running time at which the
 *   object was clear of the line
 * * #gboolean `warming-up`, if the event is "crossed": the background was
 *   warming up when the object crossed the line
 *
 * The messages of a frame are also events of the buffer's #GstCcaMeta, up to
 * %GST_CCA_META_MAX_EVENTS of them and without `path`, and in a serialised event
 * %GST_EVENT_CUSTOM_DOWNSTREAM before the buffer. Its structure is named
 * `cca-events` and has the fields #guint64 `timestamp`, `stream-time`,
 * `running-time` and `duration` of the frame, and #GstValueArray `events` of the
 * structures of the messages. Tracks that end with the stream are in an event
 * before the end of the stream.
 *
 * ## Example pipelines
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca min-area=50 ! ccatrack ! fakesink -m
 * ]| Prints when the ball gets its id, and the path that it takes.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca min-area=50 ! ccatrack lines="<[middle,x1=240,y1=0,x2=240,y2=240]>" ! fakesink -m
 * ]| Prints when the ball crosses the middle of the picture.
 *
 * |[
 * gst-launch-1.0 videotestsrc pattern=ball num-buffers=60 ! cca foreground=sigma-delta open-radius=1 close-radius=1 min-area=50 ! ccatrack ! ccaoverlay ! fakesink
 * ]| Draws moving objects with ids and trails.
 *
 * Since: 0.1
 */

#include "gstccatrack.h"

#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>

#include "gst/ccabase/gstccavideoshape.h"
#include "gst/ccabase/gstccawarning.h"
#include "gst/ccabase/gstccaobjects.h"
#include "track/gstccacounter.h"
#include "track/gstccamarks.h"
#include "track/gstccastays.h"
#include "track/gstccatrackobjects.h"
#include "track/gstccatrackreport.h"
#include "track/gstccatracksettings.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_track_debug);
#define GST_CAT_DEFAULT gst_cca_track_debug

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));

typedef struct
{
  guint64 frames;
  guint tracks, confirmed, stopped; /* current; the last two have ids */
  guint64 ids, lost;
  guint64 untracked; /* components beyond max-tracks */
} Stats;

enum
{
  LINES,
  ZONES,
  N_KINDS,
};

static const GstCcaFigureKind *const kinds[N_KINDS] = {
  [LINES] = &gst_cca_line_kind,
  [ZONES] = &gst_cca_zone_kind,
};

struct _GstCcaTrack
{
  GstBaseTransform parent;

  /* used by the streaming thread only */
  GstCcaVideoShape shape;
  GQuark type; /* object_type when the element started */
  GstCcaTracker tracker;
  GstCcaCounter counter;
  GstCcaStays stays;
  GstCcaMarks marks;
  gint64 *track_ids;
  gsize track_ids_capacity;
  guint64 *in_zones; /* of each component */
  gsize in_zones_capacity;
  GstCcaMoment moment; /* of the last frame */
  GPtrArray *reports;  /* messages that were posted since the last frame */
  GThread *reporting;  /* thread that posts them; NULL: none. Atomic */
  guint warned;        /* mask of the GstCcaWarning already issued */
  GstCcaMetaWatch watch;

  /* under the object lock */
  gboolean started;
  gchar *object_type;
  GstCcaTrackSettings settings;
  GstCcaFigures *figures[N_KINDS];
  gchar *errors[N_KINDS]; /* why figures set in READY are invalid */
  Stats stats;
};

G_DEFINE_FINAL_TYPE (GstCcaTrack, gst_cca_track, GST_TYPE_BASE_TRANSFORM);
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (ccatrack, "ccatrack", GST_RANK_NONE,
    GST_TYPE_CCA_TRACK,
    GST_DEBUG_CATEGORY_INIT (gst_cca_track_debug, "ccatrack", 0,
        "tracking of connected components"));

/* --- properties ----------------------------------------------------------- */

static GstCcaFigures *
no_figures (const GstCcaFigureKind *kind)
{
  GValue array = G_VALUE_INIT;
  GstCcaFigures *figures;
  gchar *why;

  gst_value_array_init (&array, 0);
  figures = gst_cca_figures_new (kind, &array, &why);
  g_value_unset (&array);
  return figures;
}

/* Invalid lines and zones are reported with a warning while the element runs,
 * otherwise with an error when it starts. */
static void
set_figures (GstCcaTrack *self, guint kind, const GValue *value)
{
  gchar *why;
  GstCcaFigures *figures = gst_cca_figures_new (kinds[kind], value, &why);
  gboolean started;

  GST_OBJECT_LOCK (self);
  started = self->started;
  if (figures != NULL) {
    gst_cca_figures_continue (figures, self->figures[kind]);
    gst_cca_figures_unref (self->figures[kind]);
    self->figures[kind] = figures;
  }
  if (figures != NULL || !started) {
    g_free (self->errors[kind]);
    self->errors[kind] = g_strdup (why);
  }
  GST_OBJECT_UNLOCK (self);

  if (figures == NULL && started)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("The property %ss keeps its value: %s.", kinds[kind]->noun, why),
        (NULL));
  g_free (why);
}

static gboolean
reset_counts (GstCcaTrack *self, const gchar *name)
{
  gboolean found = FALSE;
  guint i;

  if (name == NULL)
    name = "";
  GST_OBJECT_LOCK (self);
  for (i = 0; i < N_KINDS; i++)
    found |= gst_cca_figures_reset_counts (self->figures[i], name);
  GST_OBJECT_UNLOCK (self);
  return found;
}

/* Posts an error and returns FALSE if the figures set last are invalid. */
static gboolean
check_figures (GstCcaTrack *self, guint kind)
{
  gchar *error;

  GST_OBJECT_LOCK (self);
  error = g_strdup (self->errors[kind]);
  GST_OBJECT_UNLOCK (self);
  if (error == NULL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
      ("The property %ss is invalid: %s.", kinds[kind]->noun, error), (NULL));
  g_free (error);
  return FALSE;
}

static void
gst_cca_track_set_property (GObject *object, guint prop_id, const GValue *value,
    GParamSpec *pspec)
{
  GstCcaTrack *self = GST_CCA_TRACK (object);

  if (prop_id == PROP_LINES || prop_id == PROP_ZONES) {
    set_figures (self, prop_id == PROP_LINES ? LINES : ZONES, value);
    return;
  }
  if (!gst_cca_lock_to_set (GST_ELEMENT (self), &self->started, pspec))
    return;
  if (prop_id == PROP_OBJECT_TYPE) {
    g_free (self->object_type);
    self->object_type = gst_cca_object_type (g_value_get_string (value));
  } else if (!gst_cca_track_settings_set (&self->settings, prop_id, value)) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

/* The caller holds the object lock. */
static GstStructure *
stats_to_structure (const GstCcaTrack *self)
{
  const Stats *stats = &self->stats;
  GstStructure *s = gst_structure_new ("cca-track-stats", "frames",
      G_TYPE_UINT64, stats->frames, "tracks", G_TYPE_UINT, stats->tracks,
      "confirmed", G_TYPE_UINT, stats->confirmed, "stopped", G_TYPE_UINT,
      stats->stopped, "ids", G_TYPE_UINT64, stats->ids, "lost", G_TYPE_UINT64,
      stats->lost, "untracked", G_TYPE_UINT64, stats->untracked, NULL);

  gst_cca_figures_take_counts (self->figures[LINES], s, "lines");
  gst_cca_figures_take_counts (self->figures[ZONES], s, "zones");
  return s;
}

static void
gst_cca_track_get_property (GObject *object, guint prop_id, GValue *value,
    GParamSpec *pspec)
{
  GstCcaTrack *self = GST_CCA_TRACK (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_OBJECT_TYPE:
      g_value_set_string (value, self->object_type);
      break;
    case PROP_LINES:
      gst_cca_figures_get (self->figures[LINES], value);
      break;
    case PROP_ZONES:
      gst_cca_figures_get (self->figures[ZONES], value);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, stats_to_structure (self));
      break;
    default:
      if (!gst_cca_track_settings_get (&self->settings, prop_id, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_track_finalize (GObject *object)
{
  GstCcaTrack *self = GST_CCA_TRACK (object);
  guint i;

  gst_cca_tracker_clear (&self->tracker);
  gst_cca_counter_clear (&self->counter);
  gst_cca_stays_clear (&self->stays);
  gst_cca_marks_clear (&self->marks);
  g_ptr_array_unref (self->reports);
  for (i = 0; i < N_KINDS; i++) {
    gst_cca_figures_unref (self->figures[i]);
    g_free (self->errors[i]);
  }
  g_free (self->object_type);
  G_OBJECT_CLASS (gst_cca_track_parent_class)->finalize (object);
}

/* --- events --------------------------------------------------------------- */

/* Collects the messages of a frame, whichever part of the element posts them.
 * Messages that an application posts in the element's name are not among
 * them. */
static gboolean
gst_cca_track_post_message (GstElement *element, GstMessage *message)
{
  GstCcaTrack *self = GST_CCA_TRACK (element);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT
      && g_atomic_pointer_get (&self->reporting) == g_thread_self ())
    g_ptr_array_add (self->reports, gst_message_ref (message));
  return GST_ELEMENT_CLASS (gst_cca_track_parent_class)
      ->post_message (element, message);
}

static void
begin_reports (GstCcaTrack *self)
{
  g_atomic_pointer_set (&self->reporting, g_thread_self ());
}

static void
end_reports (GstCcaTrack *self)
{
  g_atomic_pointer_set (&self->reporting, NULL);
}

static const GstStructure *
report_at (const GstCcaTrack *self, guint i)
{
  return gst_message_get_structure (g_ptr_array_index (self->reports, i));
}

/* Sends what was reported downstream, before the buffer. */
static void
push_reports (GstCcaTrack *self)
{
  const GstCcaMoment *moment = &self->moment;
  GstStructure *s;
  GValue events = G_VALUE_INIT;
  guint i;

  if (self->reports->len == 0)
    return;
  gst_value_array_init (&events, self->reports->len);
  for (i = 0; i < self->reports->len; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    gst_value_set_structure (&value, report_at (self, i));
    gst_value_array_append_and_take_value (&events, &value);
  }
  s = gst_structure_new ("cca-events", "timestamp", G_TYPE_UINT64,
      moment->timestamp, "stream-time", G_TYPE_UINT64, moment->stream_time,
      "running-time", G_TYPE_UINT64, moment->running_time, "duration",
      G_TYPE_UINT64, moment->duration, NULL);
  gst_structure_take_value (s, "events", &events);
  gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self),
      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, s));
  g_ptr_array_set_size (self->reports, 0);
}

/* --- the end of tracks ---------------------------------------------------- */

/* Counts and reports what happens in a zone. */
static void
report_stay (const GstCcaStayEvent *event, gpointer user_data)
{
  GstCcaTrack *self = user_data;
  GstCcaZoneCounts *counts = event->zone->figure.counts, now;
  const GstClockTime dwell = event->change == GST_CCA_STAY_LEFT
      ? gst_cca_stay_event_get_dwell (event)
      : GST_CLOCK_TIME_NONE;

  GST_OBJECT_LOCK (self);
  if (event->change == GST_CCA_STAY_ENTERED) {
    counts->inside++;
    counts->entered++;
  } else if (event->change == GST_CCA_STAY_LEFT) {
    counts->inside--;
    counts->left++;
  }
  if (GST_CLOCK_TIME_IS_VALID (dwell)) {
    counts->dwell += dwell;
    counts->max_dwell = MAX (counts->max_dwell, dwell);
  }
  now = *counts;
  GST_OBJECT_UNLOCK (self);
  gst_cca_track_post_stay (GST_ELEMENT (self), event, self->moment.running_time,
      &now);
}

/* Updates the statistics of current tracks, and of ended ones that have not
 * been reported yet. */
static void
count_tracks (GstCcaTrack *self)
{
  const GstCcaTracker *tracker = &self->tracker;
  guint i, n = 0, n_stopped = 0;

  for (i = 0; i < tracker->n_tracks; i++) {
    n += tracker->tracks[i].id != 0;
    n_stopped += tracker->tracks[i].stopped;
  }
  GST_OBJECT_LOCK (self);
  self->stats.tracks = tracker->n_tracks;
  self->stats.confirmed = n;
  self->stats.stopped = n_stopped;
  self->stats.ids = tracker->last_id;
  self->stats.lost += tracker->n_ended;
  GST_OBJECT_UNLOCK (self);
}

static void
report_ended (GstCcaTrack *self)
{
  const GstCcaTracker *tracker = &self->tracker;
  guint i;

  for (i = 0; i < tracker->n_ended; i++) {
    const GstCcaTracked *tracked = &tracker->ended[i];

    if (tracked->end == GST_CCA_END_UNSEEN)
      gst_cca_stays_miss (&self->stays, tracked, &self->moment);
    if (tracked->end == GST_CCA_END_REPLACED)
      gst_cca_track_post_motion (GST_ELEMENT (self), &self->moment, tracked,
          GST_CCA_MOTION_MOVED);
    gst_cca_track_post_lost (GST_ELEMENT (self), &self->moment, tracker,
        tracked);
    gst_cca_stays_end (&self->stays, tracked, &self->moment);
  }
}

/* At a flush and in READY the pad accepts no event, and downstream needs none. */
static void
drop_tracks (GstCcaTrack *self)
{
  begin_reports (self);
  gst_cca_tracker_drop (&self->tracker);
  count_tracks (self);
  report_ended (self);
  gst_cca_stays_finish (&self->stays, &self->moment);
  gst_cca_tracker_forget_ended (&self->tracker);
  end_reports (self);
  push_reports (self);
}

static gboolean
gst_cca_track_start (GstBaseTransform *trans)
{
  GstCcaTrack *self = GST_CCA_TRACK (trans);

  /* The element counts as started before the check, so that lines set after the
   * check are reported by set_figures(). */
  gst_cca_set_started (GST_ELEMENT (self), &self->started, TRUE);
  if (!check_figures (self, LINES) || !check_figures (self, ZONES)) {
    gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
    return FALSE;
  }
  /* As in gst_cca_base_start(): another thread may set caps at any time. */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  self->type = g_quark_from_string (self->object_type);
  self->moment = gst_cca_moment_none;
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  return TRUE;
}

static gboolean
gst_cca_track_stop (GstBaseTransform *trans)
{
  GstCcaTrack *self = GST_CCA_TRACK (trans);

  GST_PAD_STREAM_LOCK (trans->sinkpad);
  drop_tracks (self);
  gst_cca_tracker_clear (&self->tracker);
  gst_cca_counter_clear (&self->counter);
  gst_cca_stays_clear (&self->stays);
  gst_cca_marks_clear (&self->marks);
  g_clear_pointer (&self->track_ids, g_free);
  self->track_ids_capacity = 0;
  g_clear_pointer (&self->in_zones, g_free);
  self->in_zones_capacity = 0;
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  gst_cca_set_started (GST_ELEMENT (self), &self->started, FALSE);
  return TRUE;
}

static gboolean
gst_cca_track_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstCcaTrack *self = GST_CCA_TRACK (trans);

  gst_cca_meta_watch_event (&self->watch, GST_ELEMENT (self), event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_STOP:
    case GST_EVENT_STREAM_START:
    case GST_EVENT_EOS:
      drop_tracks (self);
      break;
    case GST_EVENT_SEGMENT:
      self->warned = 0;
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_track_parent_class)
      ->sink_event (trans, event);
}

static gboolean
gst_cca_track_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  GstCcaTrack *self = GST_CCA_TRACK (trans);

  self->warned = 0;
  return gst_cca_video_shape_from_caps (&self->shape, incaps,
      GST_ELEMENT (self));
}

/* --- a frame -------------------------------------------------------------- */

/* A buffer without a GstCcaMeta is passed on itself: making it writable would
 * copy it if it is shared. */
static GstFlowReturn
gst_cca_track_prepare_output_buffer (GstBaseTransform *trans, GstBuffer *input,
    GstBuffer **output)
{
  if (gst_buffer_get_cca_meta (input) == NULL) {
    *output = input;
    return GST_FLOW_OK;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_track_parent_class)
      ->prepare_output_buffer (trans, input, output);
}

static void
warn_once (GstCcaTrack *self, GstCcaWarning warning, guint64 n,
    const gchar *text)
{
  if (n > 0 && gst_cca_warn_once (&self->warned, warning))
    GST_WARNING_OBJECT (self, "%" G_GUINT64_FORMAT " %s", n, text);
}

/* Returns FALSE if memory runs out. */
static gboolean
track (GstCcaTrack *self, const GstCcaMeta *meta, const GstCcaTrackSettings *s,
    GstCcaFigures *const figures[N_KINDS])
{
  GstCcaZones *zones = (GstCcaZones *) figures[ZONES];
  const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *components;
  guint n, n_slots;

  gst_cca_stays_change (&self->stays, zones, &self->tracker, &self->moment);
  gst_cca_tracker_set_size (&self->tracker, analysis->width, analysis->height);

  components = gst_cca_meta_get_components (meta, &n);
  n_slots = gst_cca_tracker_max_slots (&self->tracker, &s->params, n);
  if (!GST_CCA_TABLE_RESERVE (self->track_ids, self->track_ids_capacity, n)
      || !GST_CCA_TABLE_RESERVE (self->in_zones, self->in_zones_capacity, n)
      || !gst_cca_counter_begin (&self->counter, (GstCcaLines *) figures[LINES],
          &s->rule, n_slots)
      || !gst_cca_stays_begin (&self->stays, zones, n_slots)
      || !gst_cca_tracker_update (&self->tracker, &s->params, components, n,
          self->moment.running_time, self->track_ids))
    return FALSE;

  GST_OBJECT_LOCK (self);
  self->stats.frames++;
  self->stats.untracked += n - self->tracker.n_tracked;
  GST_OBJECT_UNLOCK (self);
  warn_once (self, GST_CCA_WARNING_UNTRACKED, n - self->tracker.n_tracked,
      "components are not tracked: raise max-tracks, or min-area of the "
      "element that found them");
  return TRUE;
}

static void
count_crossings (GstCcaTrack *self, const GstCcaTracked *tracked)
{
  const GstCcaLines *lines = self->counter.lines;
  guint i;

  for (i = 0; i < lines->figures.n; i++) {
    GstCcaLine *line = &self->counter.lines->line[i];
    GstCcaMoment when;
    GstCcaLineCounts counts;
    const GstCcaCrossing crossing = gst_cca_counter_update (&self->counter, i,
        tracked, &self->moment, &when);
    gboolean counted;

    if (crossing == GST_CCA_CROSSING_NONE)
      continue;
    GST_OBJECT_LOCK (self);
    counted = gst_cca_line_count (line, crossing);
    counts = *(GstCcaLineCounts *) line->figure.counts;
    GST_OBJECT_UNLOCK (self);
    if (counted)
      gst_cca_track_post_crossed (GST_ELEMENT (self), &when,
          self->moment.running_time, tracked, line, &counts, crossing);
  }
}

static void
report_tracks (GstCcaTrack *self)
{
  const GstCcaTracker *tracker = &self->tracker;
  guint i;

  for (i = 0; i < tracker->n_seen; i++) {
    const GstCcaTracked *tracked = &tracker->tracks[tracker->seen[i]];

    if (tracked->is_new)
      gst_cca_track_post_confirmed (GST_ELEMENT (self), &self->moment, tracker,
          tracked);
    if (tracked->motion != GST_CCA_MOTION_NONE)
      gst_cca_track_post_motion (GST_ELEMENT (self), &self->moment, tracked,
          tracked->motion);
    count_crossings (self, tracked);
    if (tracked->id != 0)
      gst_cca_stays_update (&self->stays, tracked, &self->moment);
  }
  for (i = 0; i < tracker->n_tracks; i++) {
    const GstCcaTracked *tracked = &tracker->tracks[i];

    if (tracked->absorbed)
      gst_cca_stays_update (&self->stays, tracked, &self->moment);
    else if (tracked->record < 0)
      gst_cca_stays_miss (&self->stays, tracked, &self->moment);
  }
  gst_cca_stays_finish (&self->stays, &self->moment);
}

/* Attaches the lines, the zones and their counts. */
static void
attach_marks (GstCcaTrack *self, GstCcaMeta *meta)
{
  gst_cca_marks_begin (&self->marks, meta, self->counter.lines,
      self->stays.zones);
  GST_OBJECT_LOCK (self);
  gst_cca_marks_take_counts (&self->marks);
  GST_OBJECT_UNLOCK (self);
  gst_cca_meta_set_shapes (meta, self->marks.shapes, self->marks.counts);
}

/* Those that another tracker has set are replaced. Returns FALSE if memory runs
 * out. */
static gboolean
attach_ids (GstCcaTrack *self, GstCcaMeta *meta)
{
  const GstCcaTracker *tracker = &self->tracker;
  const guint n = gst_cca_meta_get_n_components (meta);
  guint i;

  for (i = 0; i < n; i++)
    self->in_zones[i] = self->track_ids[i] >= 0
        ? gst_cca_stays_get_zones (&self->stays,
              &tracker->tracks[tracker->track_of[i]])
        : 0;
  return gst_cca_meta_set_tracks (meta, self->track_ids, self->in_zones, n);
}

/* Events that do not fit into the meta are in the messages and in the
 * downstream event. */
static void
attach_reports (GstCcaTrack *self, GstCcaMeta *meta)
{
  guint i = 0;

  while (i < self->reports->len
      && gst_cca_meta_add_event (meta, report_at (self, i)))
    i++;
  warn_once (self, GST_CCA_WARNING_EVENTS, self->reports->len - i,
      "events are not in the meta of their frame, which has as many as it can");
}

static void
attach_regions (GstCcaTrack *self, const GstCcaTrackObjects *tracks)
{
  GstCcaObjects objects = {
    .buffer = tracks->buffer,
    .types = GST_CCA_META_TYPE_ROI,
    .object_type = g_quark_to_string (self->type),
    .width = self->shape.width,
    .height = self->shape.height,
  };

  if (!gst_cca_has_regions (tracks->buffer, self->type)) {
    gst_cca_objects_begin (&objects, tracks->max_objects,
        gst_cca_meta_get_n_components (tracks->meta));
    gst_cca_objects_add (&objects, tracks->meta);
    warn_once (self, GST_CCA_WARNING_LEFT_OUT, objects.left_out,
        "components "
        "are not attached as regions: max-objects is too small");
  }
  gst_cca_track_objects_name_regions (tracks);
}

static gboolean
attach (GstCcaTrack *self, GstBuffer *buffer, GstCcaMeta *meta,
    const GstCcaTrackSettings *s)
{
  GstCcaTrackObjects objects = {
    .buffer = buffer,
    .meta = meta,
    .tracker = &self->tracker,
    .type = self->type,
    .max_objects = s->max_objects,
    .width = self->shape.width,
    .height = self->shape.height,
  };

  if ((s->meta_types & GST_CCA_META_TYPE_CCA) && !attach_ids (self, meta))
    return FALSE;
  if (!(s->meta_types & (GST_CCA_META_TYPE_ROI | GST_CCA_META_TYPE_ANALYTICS))
      || !gst_cca_video_shape_fits (&self->shape, buffer, meta,
          GST_ELEMENT (self), &self->warned,
          "its tracks would be misplaced "
          "and are not attached"))
    return TRUE;
  if (s->meta_types & GST_CCA_META_TYPE_ROI)
    attach_regions (self, &objects);
  if (s->meta_types & GST_CCA_META_TYPE_ANALYTICS) {
    if (!gst_cca_track_objects_attach (&objects))
      return FALSE;
    warn_once (self, GST_CCA_WARNING_LEFT_OUT, objects.left_out,
        "tracks are "
        "not attached as objects: max-objects is too small");
  }
  return TRUE;
}

static GstFlowReturn
gst_cca_track_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCcaTrack *self = GST_CCA_TRACK (trans);
  GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstCcaFigures *figures[N_KINDS];
  gboolean ok;
  guint i;
  GstCcaTrackSettings s;

  gst_cca_meta_watch_buffer (&self->watch, GST_ELEMENT (self), buffer,
      meta != NULL);
  if (meta == NULL)
    return GST_FLOW_OK;

  GST_OBJECT_LOCK (self);
  s = self->settings;
  for (i = 0; i < N_KINDS; i++)
    figures[i] = gst_cca_figures_ref (self->figures[i]);
  GST_OBJECT_UNLOCK (self);

  self->moment = gst_cca_moment_of_buffer (buffer, &trans->segment);
  self->moment.warming_up = (gst_cca_meta_get_analysis (meta)->flags
                                & GST_CCA_ANALYSIS_FLAG_WARMING_UP)
      != 0;
  begin_reports (self);
  ok = track (self, meta, &s, figures);
  count_tracks (self);
  report_ended (self);
  if (ok) {
    report_tracks (self);
    if (s.meta_types & GST_CCA_META_TYPE_CCA) {
      attach_marks (self, meta);
      attach_reports (self, meta);
    }
    ok = attach (self, buffer, meta, &s);
  }
  end_reports (self);
  push_reports (self);
  gst_cca_tracker_forget_ended (&self->tracker);
  for (i = 0; i < N_KINDS; i++)
    gst_cca_figures_unref (figures[i]);
  if (!ok) {
    GST_ELEMENT_ERROR (self, STREAM, FAILED,
        ("The frame cannot be tracked: "
         "memory ran out, or metas cannot be added to the buffer."),
        (NULL));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

/* --- class ---------------------------------------------------------------- */

static void
gst_cca_track_class_init (GstCcaTrackClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_cca_track_set_property;
  object_class->get_property = gst_cca_track_get_property;
  object_class->finalize = gst_cca_track_finalize;
  gst_cca_track_settings_install (object_class);

  gst_element_class_set_static_metadata (element_class,
      "Connected-component tracker", "Filter/Analyzer/Video",
      "Tracks the components found by cca or cudacca from frame to frame, "
      "assigns ids to them, counts objects that cross lines, and tells which "
      "are in zones",
      "the gst-cudacca authors");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  element_class->post_message = GST_DEBUG_FUNCPTR (gst_cca_track_post_message);

  trans_class->start = GST_DEBUG_FUNCPTR (gst_cca_track_start);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cca_track_stop);
  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cca_track_set_caps);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_track_sink_event);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cca_track_prepare_output_buffer);
  trans_class->transform_ip = GST_DEBUG_FUNCPTR (gst_cca_track_transform_ip);
  trans_class->transform_ip_on_passthrough = FALSE;

  /**
   * GstCcaTrack::reset-counts:
   * @self: the element
   * @name: (nullable): name of a line or zone; %NULL or an empty string for
   *   all
   *
   * Sets the counts of a line or zone to 0, except the number of objects that
   * are in the zone. May be called from any thread.
   *
   * Returns: %FALSE if there is no such line or zone
   *
   * Since: 0.1
   */
  g_signal_new_class_handler ("reset-counts", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (reset_counts), NULL,
      NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_META_TYPES, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_CCA_TRACK_ANCHOR, 0);
}

static void
gst_cca_track_init (GstCcaTrack *self)
{
  guint i;

  gst_cca_track_settings_init (&self->settings);
  self->object_type = gst_cca_object_type (NULL);
  for (i = 0; i < N_KINDS; i++)
    self->figures[i] = no_figures (kinds[i]);
  self->reports =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_message_unref);
  gst_cca_tracker_init (&self->tracker);
  gst_cca_counter_init (&self->counter);
  gst_cca_stays_init (&self->stays, report_stay, self);
}
