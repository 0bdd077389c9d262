/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccastays.h"

void
gst_cca_stays_init (GstCcaStays *self, GstCcaStayFunc func, gpointer user_data)
{
  *self = (GstCcaStays) {
    .func = func,
    .user_data = user_data,
  };
}

void
gst_cca_stays_clear (GstCcaStays *self)
{
  g_free (self->stays);
  g_free (self->unseen);
  g_free (self->crowds);
  g_clear_pointer (&self->zones, gst_cca_figures_unref);
  gst_cca_stays_init (self, self->func, self->user_data);
}

static guint
count_zones (const GstCcaStays *self)
{
  return self->zones != NULL ? self->zones->figures.n : 0;
}

static GstCcaStay *
stay_of (const GstCcaStays *self, const GstCcaTracked *track, guint zone)
{
  return &self->stays[(gsize) track->slot * self->zones->figures.n + zone];
}

static void
report (GstCcaStays *self, const GstCcaStayEvent *event)
{
  self->func (event, self->user_data);
}

GstClockTime
gst_cca_stay_event_get_dwell (const GstCcaStayEvent *event)
{
  const GstClockTime begin = event->since->running_time;
  const GstClockTime end = event->when->running_time;

  if (!GST_CLOCK_TIME_IS_VALID (begin) || !GST_CLOCK_TIME_IS_VALID (end))
    return GST_CLOCK_TIME_NONE;
  return end - MIN (begin, end);
}

/* Running times may be unknown, and go back at a new segment. */
static gboolean
has_passed (GstClockTime time, const GstCcaMoment *since,
    const GstCcaMoment *now)
{
  return GST_CLOCK_TIME_IS_VALID (since->running_time)
      && GST_CLOCK_TIME_IS_VALID (now->running_time)
      && now->running_time >= since->running_time
      && now->running_time - since->running_time >= time;
}

/* --- the table ------------------------------------------------------------ */

/* Zones that did not change keep their states. */
static gboolean
resize (GstCcaStays *self, GstCcaZones *zones, gsize n_slots)
{
  const guint n = zones->figures.n, n_old = count_zones (self);
  GstCcaStay *stays = g_try_new0 (GstCcaStay, MAX (n_slots * n, 1));
  GstCcaMoment *unseen = g_try_new0 (GstCcaMoment, MAX (n_slots, 1));
  GstCcaCrowd *crowds = g_try_new0 (GstCcaCrowd, MAX (n, 1));
  gsize slot;
  guint i;

  if (stays == NULL || unseen == NULL || crowds == NULL) {
    g_free (stays);
    g_free (unseen);
    g_free (crowds);
    return FALSE;
  }
  for (i = 0; i < n; i++) {
    const gint from = gst_cca_figures_find ((GstCcaFigures *) self->zones,
        zones->zone[i].figure.counts);

    if (from < 0)
      continue;
    crowds[i] = self->crowds[from];
    for (slot = 0; slot < self->n_slots; slot++)
      stays[slot * n + i] = self->stays[slot * n_old + from];
  }
  for (slot = 0; slot < self->n_slots; slot++)
    unseen[slot] = self->unseen[slot];
  gst_cca_figures_ref (zones);
  gst_cca_stays_clear (self);
  self->zones = zones;
  self->stays = stays;
  self->unseen = unseen;
  self->crowds = crowds;
  self->n_slots = n_slots;
  return TRUE;
}

gboolean
gst_cca_stays_begin (GstCcaStays *self, GstCcaZones *zones, guint n_slots)
{
  const gsize n = n_slots > self->n_slots
      ? MAX (n_slots, 2 * self->n_slots)
      : self->n_slots;

  if (zones == self->zones && n == self->n_slots)
    return TRUE;
  return resize (self, zones, n);
}

/* --- crowds --------------------------------------------------------------- */

static void
report_zone (GstCcaStays *self, guint zone, GstCcaStayChange change,
    const GstCcaMoment *now)
{
  report (self,
      &(GstCcaStayEvent) {
        .change = change,
        .zone = &self->zones->zone[zone],
        .when = now,
        .since = &self->crowds[zone].since,
      });
}

static void
check_crowd (GstCcaStays *self, guint zone, const GstCcaMoment *now)
{
  const GstCcaZone *z = &self->zones->zone[zone];
  const GstCcaZoneCounts *counts = z->figure.counts;
  GstCcaCrowd *crowd = &self->crowds[zone];
  const gboolean full = z->crowd > 0 && counts->inside >= (guint) z->crowd;

  if (full && !crowd->full)
    crowd->since = *now;
  crowd->full = full;
  if (crowd->crowded && !full) {
    crowd->crowded = FALSE;
    report_zone (self, zone, GST_CCA_STAY_UNCROWDED, now);
  } else if (!crowd->crowded && full
      && (z->crowd_time == 0
          || has_passed (z->crowd_time, &crowd->since, now))) {
    crowd->crowded = TRUE;
    report_zone (self, zone, GST_CCA_STAY_CROWDED, now);
  }
}

static void
finish_zone (GstCcaStays *self, guint zone, const GstCcaMoment *now)
{
  const GstCcaZoneCounts *counts = self->zones->zone[zone].figure.counts;

  if (counts->inside != self->crowds[zone].occupancy) {
    self->crowds[zone].occupancy = counts->inside;
    report_zone (self, zone, GST_CCA_STAY_OCCUPANCY, now);
  }
  check_crowd (self, zone, now);
}

void
gst_cca_stays_finish (GstCcaStays *self, const GstCcaMoment *now)
{
  guint i;

  for (i = 0; i < count_zones (self); i++)
    finish_zone (self, i, now);
}

/* --- stays ---------------------------------------------------------------- */

/* A stay that ends otherwise than by leave-frames ends when the object was
 * first outside or not seen, if it was. An absorbed object is there until now. */
static void
end_stay (GstCcaStays *self, const GstCcaTracked *track, guint zone,
    const GstCcaMoment *now, GstCcaStayReason reason)
{
  GstCcaStay *stay = stay_of (self, track, zone);
  const GstCcaMoment *when = now;

  if (!stay->inside)
    return;
  if (stay->frames > 0)
    when = &stay->change;
  else if (track->misses > 0 && !track->absorbed)
    when = &self->unseen[track->slot];
  report (self,
      &(GstCcaStayEvent) {
        .change = GST_CCA_STAY_LEFT,
        .reason = reason,
        .zone = &self->zones->zone[zone],
        .track = track,
        .when = when,
        .since = &stay->since,
      });
  stay->inside = FALSE;
}

void
gst_cca_stays_change (GstCcaStays *self, const GstCcaZones *zones,
    const GstCcaTracker *tracker, const GstCcaMoment *now)
{
  guint zone, i;

  if (zones == self->zones)
    return;
  for (zone = 0; zone < count_zones (self); zone++) {
    if (gst_cca_figures_find (&zones->figures,
            self->zones->zone[zone].figure.counts)
        >= 0)
      continue;
    for (i = 0; i < tracker->n_tracks; i++)
      if (tracker->tracks[i].id != 0)
        end_stay (self, &tracker->tracks[i], zone, now, GST_CCA_STAY_CHANGED);
    finish_zone (self, zone, now);
  }
}

void
gst_cca_stays_end (GstCcaStays *self, const GstCcaTracked *track,
    const GstCcaMoment *now)
{
  static const GstCcaStayReason reasons[] = {
    [GST_CCA_END_UNSEEN] = GST_CCA_STAY_LOST,
    [GST_CCA_END_DROPPED] = GST_CCA_STAY_DROPPED,
    [GST_CCA_END_REPLACED] = GST_CCA_STAY_MOVED,
  };
  guint i;

  for (i = 0; i < count_zones (self); i++)
    end_stay (self, track, i, now, reasons[track->end]);
}

void
gst_cca_stays_miss (GstCcaStays *self, const GstCcaTracked *track,
    const GstCcaMoment *now)
{
  if (track->misses == 1)
    self->unseen[track->slot] = *now;
}

/* A change of side counts after some frames, as of the first of them. */
static void
change_side (GstCcaStays *self, const GstCcaTracked *track, guint zone,
    const GstCcaMoment *now)
{
  const GstCcaZone *z = &self->zones->zone[zone];
  GstCcaStay *stay = stay_of (self, track, zone);

  if (stay->frames == 0)
    stay->change = *now;
  if (++stay->frames < (stay->inside ? z->leave_frames : z->enter_frames))
    return;
  if (stay->inside) {
    end_stay (self, track, zone, now, GST_CCA_STAY_MOVED);
  } else {
    stay->inside = TRUE;
    stay->loitered = FALSE;
    stay->since = stay->change;
    report (self,
        &(GstCcaStayEvent) {
          .change = GST_CCA_STAY_ENTERED,
          .zone = z,
          .track = track,
          .when = &stay->since,
          .since = &stay->since,
        });
  }
  stay->frames = 0;
}

static void
check_loitering (GstCcaStays *self, const GstCcaTracked *track, guint zone,
    const GstCcaMoment *now)
{
  const GstCcaZone *z = &self->zones->zone[zone];
  GstCcaStay *stay = stay_of (self, track, zone);

  if (!stay->inside || stay->loitered || stay->frames > 0 || z->loiter_time == 0
      || !has_passed (z->loiter_time, &stay->since, now))
    return;
  stay->loitered = TRUE;
  report (self,
      &(GstCcaStayEvent) {
        .change = GST_CCA_STAY_LOITERING,
        .zone = z,
        .track = track,
        .when = now,
        .since = &stay->since,
      });
}

void
gst_cca_stays_update (GstCcaStays *self, const GstCcaTracked *track,
    const GstCcaMoment *now)
{
  const GstCcaBox *box = track->absorbed ? &track->rest.box : &track->box;
  guint i;

  for (i = 0; i < self->zones->figures.n; i++) {
    const GstCcaZone *zone = &self->zones->zone[i];
    const GstCcaPosition p =
        gst_cca_anchor_find (zone->anchor, box, &track->centroid);
    GstCcaStay *stay = stay_of (self, track, i);

    if (track->is_new)
      *stay = (GstCcaStay) {
        FALSE,
      };
    if (gst_cca_polygon_contains (zone->figure.points, zone->figure.n_points,
            &p)
        != stay->inside)
      change_side (self, track, i, now);
    else
      stay->frames = 0;
    check_loitering (self, track, i, now);
  }
}

guint64
gst_cca_stays_get_zones (const GstCcaStays *self, const GstCcaTracked *track)
{
  guint64 zones = 0;
  guint i;

  for (i = 0; i < count_zones (self); i++)
    if (stay_of (self, track, i)->inside)
      zones |= (guint64) 1 << i;
  return zones;
}
