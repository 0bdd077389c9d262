/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaactivityreport.h"

static void
set_times (GstStructure *s, const GstCcaActivityTime *time)
{
  gst_structure_set (s, "timestamp", G_TYPE_UINT64, time->timestamp,
      "stream-time", G_TYPE_UINT64, time->stream_time, "running-time",
      G_TYPE_UINT64, time->running_time, "utc", G_TYPE_UINT64, time->utc, NULL);
}

static void
take_structure (GstStructure *to, const gchar *field, GstStructure *s)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, s);
  gst_structure_take_value (to, field, &value);
}

static void
take_time (GstStructure *to, const gchar *field, const GstCcaActivityTime *time)
{
  GstStructure *s = gst_structure_new_empty ("time");

  set_times (s, time);
  take_structure (to, field, s);
}

static void
set_box (GstStructure *s, const GstCcaActivityBox *box)
{
  gst_structure_set (s, "x", G_TYPE_UINT64, box->x0, "y", G_TYPE_UINT64,
      box->y0, "width", G_TYPE_UINT64, box->x1 - box->x0, "height",
      G_TYPE_UINT64, box->y1 - box->y0, NULL);
}

static void
take_peak (GstStructure *to, const GstCcaActivityFrame *peak)
{
  GstStructure *s = gst_structure_new_empty ("peak");

  set_times (s, &peak->time);
  gst_structure_set (s, "components", G_TYPE_UINT, peak->n_components, "area",
      G_TYPE_UINT64, peak->area, NULL);
  set_box (s, &peak->box);
  take_structure (to, "peak", s);
}

static void
take_box (GstStructure *to, const GstCcaActivityBox *box)
{
  GstStructure *s = gst_structure_new_empty ("box");

  set_box (s, box);
  take_structure (to, "box", s);
}

GstMessage *
gst_cca_activity_message_new (GstElement *element,
    const GstCcaActivityEvent *event, GstCcaActivityChange change,
    GstCcaActivityReason reason)
{
  static const gchar *const names[] = {
    "started",
    "snapshot",
    "ended",
  };
  static const gchar *const reasons[] = {
    "gap",
    "max-duration",
    "resized",
    "eos",
    "flush",
    "new-stream",
    "stopped",
  };
  const GstCcaActivityTime *const times[] = {
    &event->start,
    &event->peak.time,
    &event->end,
  };
  GstStructure *s = gst_structure_new ("cca-activity", "event", G_TYPE_STRING,
      names[change], NULL);

  set_times (s, times[change]);
  gst_structure_set (s, "number", G_TYPE_UINT64, event->number, "frames",
      G_TYPE_UINT64, event->n_frames, NULL);
  take_time (s, "start", &event->start);
  take_time (s, "end", &event->end);
  take_peak (s, &event->peak);
  take_box (s, &event->box);
  if (change == GST_CCA_ACTIVITY_ENDED)
    gst_structure_set (s, "reason", G_TYPE_STRING, reasons[reason], NULL);
  return gst_message_new_element (GST_OBJECT (element), s);
}
