/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The rule of ccaactivity once more, from its documentation. It looks at whole
 * sequences and keeps lists of frames, from which each report is computed from
 * scratch. */

#include "activity-oracle.h"

typedef struct
{
  const Step *steps;
  const Rule *rule;
  GArray *members;   /* indices of the active frames of an event */
  guint n_confirmed; /* how many there were when it was confirmed; 0: not yet */
  guint n_reported;  /* how many there were at the last report */
  guint64 *number;
  GArray *reports;
} Oracle;

static const Step *
member (const Oracle *o, guint i)
{
  return &o->steps[g_array_index (o->members, guint, i)];
}

static gboolean
is_known (GstClockTime time)
{
  return time != GST_CLOCK_TIME_NONE;
}

/* The member with the least time of those by whose number the event was
 * confirmed. */
static guint
first_member (const Oracle *o)
{
  const guint n = o->n_confirmed > 0 ? o->n_confirmed : o->members->len;
  guint first = 0, i;

  for (i = 1; i < n; i++)
    if (is_known (member (o, i)->time)
        && (!is_known (member (o, first)->time)
            || member (o, i)->time < member (o, first)->time))
      first = i;
  return first;
}

/* The last one with the greatest time. */
static guint
last_member (const Oracle *o)
{
  guint last = 0, i;

  for (i = 1; i < o->members->len; i++)
    if (!is_known (member (o, last)->time)
        || (is_known (member (o, i)->time)
            && member (o, i)->time >= member (o, last)->time))
      last = i;
  return last;
}

static guint
peak_member (const Oracle *o, guint n)
{
  guint peak = 0, i;

  for (i = 1; i < n; i++)
    if (member (o, i)->area > member (o, peak)->area)
      peak = i;
  return peak;
}

static void
report (Oracle *o, const gchar *event, const gchar *reason)
{
  const guint n = o->members->len;
  Expected e = {
    .event = event,
    .reason = reason,
    .number = *o->number,
    .n_frames = n,
    .start = g_array_index (o->members, guint, first_member (o)),
    .end = g_array_index (o->members, guint, last_member (o)),
    .peak = g_array_index (o->members, guint, peak_member (o, n)),
    .x0 = G_MAXUINT,
    .y0 = G_MAXUINT,
  };
  guint i;

  for (i = 0; i < n; i++) {
    const Step *s = member (o, i);

    e.x0 = MIN (e.x0, s->x);
    e.y0 = MIN (e.y0, s->y);
    e.x1 = MAX (e.x1, s->x + s->width);
    e.y1 = MAX (e.y1, s->y + s->height);
  }
  o->n_reported = n;
  g_array_append_val (o->reports, e);
}

static void
add (Oracle *o, guint index, gboolean is_confirmed)
{
  GstClockTime now = o->steps[index].time, before;
  guint n;

  g_array_append_val (o->members, index);
  n = o->members->len;
  if (o->n_confirmed == 0) {
    if (!is_confirmed && n < o->rule->min_frames)
      return;
    o->n_confirmed = n;
    ++*o->number;
    report (o, "started", NULL);
    return;
  }
  if (peak_member (o, n) == peak_member (o, o->n_reported))
    return;
  before = member (o, o->n_reported - 1)->time;
  if (o->rule->snapshot_interval == 0
      || (is_known (now)
          && (!is_known (before)
              || (now >= before
                  && now - before >= o->rule->snapshot_interval))))
    report (o, "snapshot", NULL);
}

/* Follows the event that begins with an active frame. Returns the index of the
 * first step after it. is_confirmed says whether the event needs no
 * confirmation, and then whether the next one needs none. */
static guint
follow (Oracle *o, guint first, guint n, gboolean *is_confirmed)
{
  const Rule *rule = o->rule;
  const gchar *reason = NULL;
  guint i;

  g_array_set_size (o->members, 0);
  o->n_confirmed = 0;
  add (o, first, *is_confirmed);
  *is_confirmed = FALSE;
  for (i = first + 1; i < n && reason == NULL; i++) {
    const Step *s = &o->steps[i];
    const GstClockTime from = member (o, first_member (o))->time;
    const GstClockTime to = member (o, last_member (o))->time;
    const gboolean is_timed =
        s->kind != STEP_END && is_known (s->time) && is_known (to);

    if (s->kind == STEP_END) {
      reason = s->reason;
    } else if (is_timed
        && MAX (s->time, to) - MIN (s->time, to) > rule->max_gap) {
      reason = "gap";
      i--;
    } else if (is_timed && o->n_confirmed > 0 && rule->max_duration > 0
        && is_known (from)
        && (gint64) (s->time - from) >= (gint64) rule->max_duration) {
      reason = "max-duration";
      *is_confirmed = s->kind == STEP_FRAME && s->active;
      i--;
    } else if (s->kind == STEP_FRAME && s->active) {
      add (o, i, FALSE);
    } else if (s->kind == STEP_FRAME && o->n_confirmed == 0) {
      return i + 1;
    }
  }
  if (reason != NULL && o->n_confirmed > 0)
    report (o, "ended", reason);
  return i;
}

GArray *
activity_expect (const Step *steps, guint n, const Rule *rule, guint64 *number)
{
  Oracle o = {
    .steps = steps,
    .rule = rule,
    .members = g_array_new (FALSE, FALSE, sizeof (guint)),
    .number = number,
    .reports = g_array_new (FALSE, FALSE, sizeof (Expected)),
  };
  gboolean is_confirmed = FALSE;
  guint i = 0;

  while (i < n)
    if (steps[i].kind == STEP_FRAME && steps[i].active)
      i = follow (&o, i, n, &is_confirmed);
    else
      i++;
  g_array_unref (o.members);
  return o.reports;
}
