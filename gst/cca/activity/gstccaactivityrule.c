/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaactivityrule.h"

void
gst_cca_activity_rule_init (GstCcaActivityRule *self, GstCcaActivityFunc func,
    gpointer user_data)
{
  *self = (GstCcaActivityRule) {
    .func = func,
    .user_data = user_data,
  };
}

void
gst_cca_activity_rule_end (GstCcaActivityRule *self,
    GstCcaActivityReason reason)
{
  if (self->event.number > 0)
    self->func (&self->event, GST_CCA_ACTIVITY_ENDED, reason, self->user_data);
  self->event = (GstCcaActivityEvent) {
    0,
  };
}

void
gst_cca_activity_rule_break (GstCcaActivityRule *self)
{
  if (self->event.number == 0)
    self->event.n_frames = 0;
}

gboolean
gst_cca_activity_rule_pass (GstCcaActivityRule *self,
    const GstCcaActivityParams *params, GstClockTime running_time)
{
  const GstCcaActivityEvent *event = &self->event;
  const GstClockTime start = event->start.running_time;
  const GstClockTime end = event->end.running_time;
  GstClockTime gap;

  /* The end is unknown only if the start is. */
  if (event->n_frames == 0 || !GST_CLOCK_TIME_IS_VALID (running_time)
      || !GST_CLOCK_TIME_IS_VALID (end))
    return FALSE;
  gap = running_time > end ? running_time - end : end - running_time;
  if (gap > params->max_gap) {
    gst_cca_activity_rule_end (self, GST_CCA_ACTIVITY_GAP);
    return FALSE;
  }
  if (event->number == 0 || params->max_duration == 0 || running_time < start
      || running_time - start < params->max_duration)
    return FALSE;
  gst_cca_activity_rule_end (self, GST_CCA_ACTIVITY_MAX_DURATION);
  return TRUE;
}

void
gst_cca_activity_box_unite (GstCcaActivityBox *box,
    const GstCcaActivityBox *with)
{
  if (with->x1 == 0)
    return;
  if (box->x1 == 0) {
    *box = *with;
    return;
  }
  box->x0 = MIN (box->x0, with->x0);
  box->y0 = MIN (box->y0, with->y0);
  box->x1 = MAX (box->x1, with->x1);
  box->y1 = MAX (box->y1, with->y1);
}

/* Frames come in the order of decoding behind an encoder, so that their times
 * may go back. An unknown time is greater than all others. */
static void
extend (GstCcaActivityEvent *event, const GstCcaActivityFrame *frame)
{
  const GstClockTime time = frame->time.running_time;

  if (event->n_frames++ == 0) {
    event->start = event->end = frame->time;
    event->box = frame->box;
    event->peak = *frame;
    return;
  }
  if (event->number == 0 && time < event->start.running_time)
    event->start = frame->time;
  if (!GST_CLOCK_TIME_IS_VALID (event->end.running_time)
      || (GST_CLOCK_TIME_IS_VALID (time) && time >= event->end.running_time))
    event->end = frame->time;
  gst_cca_activity_box_unite (&event->box, &frame->box);
  if (frame->area > event->peak.area)
    event->peak = *frame;
}

static void
report (GstCcaActivityRule *self, GstCcaActivityChange change,
    GstClockTime running_time)
{
  self->reported_area = self->event.peak.area;
  self->reported_at = running_time;
  self->func (&self->event, change, GST_CCA_ACTIVITY_GAP, self->user_data);
}

static gboolean
is_snapshot_due (const GstCcaActivityRule *self, GstClockTime interval,
    GstClockTime running_time)
{
  if (self->event.peak.area <= self->reported_area)
    return FALSE;
  if (interval == 0)
    return TRUE;
  if (!GST_CLOCK_TIME_IS_VALID (running_time))
    return FALSE;
  return !GST_CLOCK_TIME_IS_VALID (self->reported_at)
      || (running_time >= self->reported_at
          && running_time - self->reported_at >= interval);
}

void
gst_cca_activity_rule_add (GstCcaActivityRule *self,
    const GstCcaActivityParams *params, const GstCcaActivityFrame *frame,
    gboolean continues)
{
  const GstClockTime time = frame->time.running_time;

  extend (&self->event, frame);
  if (self->event.number > 0) {
    if (is_snapshot_due (self, params->snapshot_interval, time))
      report (self, GST_CCA_ACTIVITY_SNAPSHOT, time);
  } else if (continues || self->event.n_frames >= params->min_frames) {
    self->event.number = ++self->n_events;
    report (self, GST_CCA_ACTIVITY_STARTED, time);
  }
}
