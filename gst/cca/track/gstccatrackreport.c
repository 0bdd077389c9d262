/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatrackreport.h"

const GstCcaMoment gst_cca_moment_none = {
  GST_CLOCK_TIME_NONE,
  GST_CLOCK_TIME_NONE,
  GST_CLOCK_TIME_NONE,
  GST_CLOCK_TIME_NONE,
  FALSE,
};

GstCcaMoment
gst_cca_moment_of_buffer (GstBuffer *buffer, const GstSegment *segment)
{
  GstCcaMoment moment = gst_cca_moment_none;

  moment.timestamp = GST_BUFFER_PTS (buffer);
  moment.duration = GST_BUFFER_DURATION (buffer);
  if (segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (moment.timestamp)) {
    moment.stream_time =
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, moment.timestamp);
    moment.running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME,
        moment.timestamp);
  }
  return moment;
}

static void
set_box (GstStructure *s, const gchar *field, const GstCcaBox *box)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value,
      gst_structure_new ("box", "x", G_TYPE_UINT, (guint) box->x, "y",
          G_TYPE_UINT, (guint) box->y, "width", G_TYPE_UINT, (guint) box->width,
          "height", G_TYPE_UINT, (guint) box->height, NULL));
  gst_structure_take_value (s, field, &value);
}

static void
append_double (GValue *array, gdouble number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  gst_value_array_append_and_take_value (array, &value);
}

static void
set_path (GstStructure *s, const GstCcaPath *path)
{
  GValue array = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&array, path->n_points);
  for (i = 0; i < path->n_points; i++) {
    GValue point = G_VALUE_INIT;

    gst_value_array_init (&point, 2);
    append_double (&point, path->points[i].x);
    append_double (&point, path->points[i].y);
    gst_value_array_append_and_take_value (&array, &point);
  }
  gst_structure_take_value (s, "path", &array);
}

static GstStructure *
structure_new (const gchar *name, const gchar *event,
    const GstCcaMoment *moment)
{
  return gst_structure_new (name, "event", G_TYPE_STRING, event, "timestamp",
      G_TYPE_UINT64, moment->timestamp, "stream-time", G_TYPE_UINT64,
      moment->stream_time, "running-time", G_TYPE_UINT64, moment->running_time,
      "duration", G_TYPE_UINT64, moment->duration, NULL);
}

static void
set_track (GstStructure *s, const GstCcaTracked *track)
{
  gst_structure_set (s, "id", G_TYPE_UINT64, track->id, "frames-seen",
      G_TYPE_UINT64, track->hits, "first-seen", G_TYPE_UINT64,
      track->first_seen, "last-seen", G_TYPE_UINT64, track->last_seen, NULL);
  set_box (s, "first-box", &track->first_box);
  set_box (s, "last-box", &track->box);
}

static GstStructure *
report_new (const gchar *event, const GstCcaMoment *moment,
    const GstCcaTracked *track)
{
  GstStructure *s = structure_new ("cca-track", event, moment);

  set_track (s, track);
  return s;
}

static void
post (GstElement *element, GstStructure *s)
{
  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (element), s));
}

void
gst_cca_track_post_confirmed (GstElement *element, const GstCcaMoment *moment,
    const GstCcaTracker *tracker, const GstCcaTracked *track)
{
  GstStructure *s = report_new ("confirmed", moment, track);

  if (track->after != 0)
    gst_structure_set (s, "after", G_TYPE_UINT64, track->after, NULL);
  set_path (s, gst_cca_tracker_get_path (tracker, track));
  post (element, s);
}

void
gst_cca_track_post_motion (GstElement *element, const GstCcaMoment *moment,
    const GstCcaTracked *track, GstCcaMotion motion)
{
  GstStructure *s =
      report_new (motion == GST_CCA_MOTION_STOPPED ? "stopped" : "moved",
          moment, track);

  gst_structure_set (s, "since", G_TYPE_UINT64, track->stopped_since, NULL);
  post (element, s);
}

void
gst_cca_track_post_lost (GstElement *element, const GstCcaMoment *moment,
    const GstCcaTracker *tracker, const GstCcaTracked *track)
{
  static const gchar *const reasons[] = {
    [GST_CCA_END_UNSEEN] = "unseen",
    [GST_CCA_END_DROPPED] = "dropped",
    [GST_CCA_END_REPLACED] = "replaced",
  };
  GstStructure *s = report_new ("lost", moment, track);

  gst_structure_set (s, "reason", G_TYPE_STRING, reasons[track->end], NULL);
  set_path (s, gst_cca_tracker_get_path (tracker, track));
  post (element, s);
}

void
gst_cca_track_post_crossed (GstElement *element, const GstCcaMoment *moment,
    GstClockTime settled, const GstCcaTracked *track, const GstCcaLine *line,
    const GstCcaLineCounts *counts, GstCcaCrossing crossing)
{
  GstStructure *s = report_new ("crossed", moment, track);

  gst_structure_set (s, "settled", G_TYPE_UINT64, settled, "warming-up",
      G_TYPE_BOOLEAN, moment->warming_up, "line", G_TYPE_STRING,
      gst_cca_figure_get_name (&line->figure), "direction", G_TYPE_STRING,
      crossing == GST_CCA_CROSSING_TO_LEFT ? "to-left" : "to-right", "to-left",
      G_TYPE_UINT64, counts->to_left, "to-right", G_TYPE_UINT64,
      counts->to_right, NULL);
  post (element, s);
}

void
gst_cca_track_post_stay (GstElement *element, const GstCcaStayEvent *event,
    GstClockTime settled, const GstCcaZoneCounts *counts)
{
  static const gchar *const names[] = {
    "entered",
    "left",
    "loitering",
    "occupancy",
    "crowded",
    "uncrowded",
  };
  static const gchar *const reasons[] = {
    "moved",
    "lost",
    "dropped",
    "changed",
  };
  GstStructure *s =
      structure_new ("cca-zone", names[event->change], event->when);

  gst_structure_set (s, "settled", G_TYPE_UINT64, settled, "warming-up",
      G_TYPE_BOOLEAN, event->when->warming_up, "zone", G_TYPE_STRING,
      gst_cca_figure_get_name (&event->zone->figure), "count", G_TYPE_UINT64,
      counts->inside, NULL);
  if (event->track != NULL)
    set_track (s, event->track);
  if (event->change != GST_CCA_STAY_ENTERED
      && event->change != GST_CCA_STAY_OCCUPANCY
      && event->change != GST_CCA_STAY_UNCROWDED)
    gst_structure_set (s, "since", G_TYPE_UINT64, event->since->running_time,
        NULL);
  if (event->change == GST_CCA_STAY_LEFT)
    gst_structure_set (s, "dwell", G_TYPE_UINT64,
        gst_cca_stay_event_get_dwell (event), "reason", G_TYPE_STRING,
        reasons[event->reason], NULL);
  post (element, s);
}
