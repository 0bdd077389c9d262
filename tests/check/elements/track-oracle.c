/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "track-oracle.h"

typedef unsigned __int128 Big;

typedef struct
{
  guint64 number, id;
  gint64 x, y, w, h;
  gint64 vx, vy;
  guint64 hits, misses;
  gint64 px, py; /* predicted */
  gint record;
} Track;

#define TRACK(self, i) (&g_array_index ((self)->tracks, Track, i))

Oracle *
oracle_new (void)
{
  Oracle *self = g_new0 (Oracle, 1);

  self->tracks = g_array_new (FALSE, FALSE, sizeof (Track));
  self->next_id = 1;
  return self;
}

void
oracle_free (Oracle *self)
{
  g_array_unref (self->tracks);
  g_free (self);
}

guint
oracle_n_confirmed (const Oracle *self)
{
  guint i, n = 0;

  for (i = 0; i < self->tracks->len; i++)
    n += TRACK (self, i)->id > 0;
  return n;
}

static void
remove_track (Oracle *self, guint i)
{
  self->n_lost += TRACK (self, i)->id > 0;
  g_array_remove_index (self->tracks, i);
}

void
oracle_drop (Oracle *self)
{
  while (self->tracks->len > 0)
    remove_track (self, 0);
}

/* The greatest integer that is not greater than a / b. */
static gint64
lower (gint64 a, gint64 b)
{
  gint64 q = a / b;

  while (q * b > a)
    q--;
  return q;
}

/* The sign of a/b - c/d, by their continued fractions. */
static gint
compare (Big a, Big b, Big c, Big d)
{
  gint sign = 1;

  for (;;) {
    const Big r = a % b, s = c % d;

    if (a / b != c / d)
      return a / b > c / d ? sign : -sign;
    if (r == 0 || s == 0)
      return r == s ? 0 : r == 0 ? -sign : sign;
    a = b;
    c = d;
    b = r;
    d = s;
    sign = -sign;
  }
}

static void
predict (Track *t)
{
  const gint64 k = t->misses + 1;

  t->px = t->x + lower (t->vx * k + 128, 256);
  t->py = t->y + lower (t->vy * k + 128, 256);
}

/* Length that [a, a+la) and [b, b+lb) have in common. */
static Big
shared (gint64 a, gint64 la, gint64 b, gint64 lb)
{
  const gint64 from = a > b ? a : b;
  const gint64 to = a + la < b + lb ? a + la : b + lb;

  return to > from ? to - from : 0;
}

typedef struct
{
  guint track, record;
  Big numerator, denominator; /* the more the better */
} Pair;

/* FALSE: no candidate. */
static gboolean
overlap (const OracleRule *rule, const Track *t, const GstCcaComponent *c,
    Pair *pair)
{
  pair->numerator = shared (t->px, t->w, c->x, c->width)
      * shared (t->py, t->h, c->y, c->height);
  pair->denominator =
      (Big) t->w * t->h + (Big) c->width * c->height - pair->numerator;
  return pair->numerator > 0
      && 100 * pair->numerator >= rule->min_overlap * pair->denominator;
}

static gboolean
near (const OracleRule *rule, const Track *t, const GstCcaComponent *c,
    Pair *pair)
{
  const gint64 dx = 2 * t->px + t->w - 2 * (gint64) c->x - c->width;
  const gint64 dy = 2 * t->py + t->h - 2 * (gint64) c->y - c->height;
  const Big a = ABS (dx), b = ABS (dy);

  /* 1 more, so that it is a denominator */
  pair->numerator = 1;
  pair->denominator = a * a + b * b + 1;
  return rule->max_distance > 0
      && 100 * a <= (Big) rule->max_distance * (t->w + c->width)
      && 100 * b <= (Big) rule->max_distance * (t->h + c->height);
}

static gboolean
is_better (const Oracle *self, const Pair *a, const Pair *b)
{
  const gboolean confirmed = TRACK (self, a->track)->id > 0;
  gint sign;

  if (confirmed != (TRACK (self, b->track)->id > 0))
    return confirmed;
  sign = compare (a->numerator, a->denominator, b->numerator, b->denominator);
  if (sign != 0)
    return sign > 0;
  if (a->track != b->track)
    return TRACK (self, a->track)->number < TRACK (self, b->track)->number;
  return a->record < b->record;
}

typedef gboolean (*Candidate) (const OracleRule *rule, const Track *t,
    const GstCcaComponent *c, Pair *pair);

static void
match (Oracle *self, const OracleRule *rule, Candidate candidate,
    const GstCcaComponent *records, guint n, gboolean *taken)
{
  for (;;) {
    Pair pair, best = {.track = G_MAXUINT};

    for (pair.track = 0; pair.track < self->tracks->len; pair.track++)
      for (pair.record = 0; pair.record < n; pair.record++)
        if (TRACK (self, pair.track)->record < 0 && !taken[pair.record]
            && candidate (rule, TRACK (self, pair.track), &records[pair.record],
                &pair)
            && (best.track == G_MAXUINT || is_better (self, &pair, &best)))
          best = pair;
    if (best.track == G_MAXUINT)
      return;
    TRACK (self, best.track)->record = best.record;
    taken[best.record] = TRUE;
  }
}

static void
move (Track *t, const GstCcaComponent *c)
{
  const gint64 k = t->misses + 1;
  const gint64 ox =
      lower (((2 * (gint64) c->x + c->width) - (2 * t->x + t->w)) * 128, k);
  const gint64 oy =
      lower (((2 * (gint64) c->y + c->height) - (2 * t->y + t->h)) * 128, k);

  t->vx = t->hits == 1 ? ox : t->vx + lower (ox - t->vx, 8);
  t->vy = t->hits == 1 ? oy : t->vy + lower (oy - t->vy, 8);
  t->x = c->x;
  t->y = c->y;
  t->w = c->width;
  t->h = c->height;
  t->misses = 0;
  t->hits++;
}

static void
begin (Oracle *self, const GstCcaComponent *c, guint record)
{
  const Track t = {
    .number = self->next_number++,
    .x = c->x,
    .y = c->y,
    .w = c->width,
    .h = c->height,
    .hits = 1,
    .record = record,
  };

  g_array_append_val (self->tracks, t);
}

static void
keep_to_bound (Oracle *self, guint max_tracks)
{
  while (self->tracks->len > max_tracks) {
    guint i, worst = 0;

    for (i = 1; i < self->tracks->len; i++) {
      const Track *t = TRACK (self, i), *w = TRACK (self, worst);

      if (t->misses > w->misses
          || (t->misses == w->misses && t->number < w->number))
        worst = i;
    }
    remove_track (self, worst);
  }
}

void
oracle_frame (Oracle *self, const OracleRule *rule,
    const GstCcaComponent *records, guint n, gint64 *ids)
{
  const guint n_tracked = MIN (n, rule->max_tracks);
  gboolean *taken = g_new0 (gboolean, n_tracked + 1);
  guint i, j;

  for (i = 0; i < self->tracks->len; i++) {
    predict (TRACK (self, i));
    TRACK (self, i)->record = -1;
  }
  match (self, rule, overlap, records, n_tracked, taken);
  match (self, rule, near, records, n_tracked, taken);
  for (i = 0; i < self->tracks->len;) {
    Track *t = TRACK (self, i);

    if (t->record >= 0)
      move (t, &records[t->record]);
    else if (t->id == 0 || ++t->misses > rule->max_lost) {
      remove_track (self, i);
      continue;
    }
    i++;
  }
  for (i = 0; i < n_tracked; i++)
    if (!taken[i])
      begin (self, &records[i], i);
  keep_to_bound (self, rule->max_tracks);

  for (i = 0; i < n; i++) {
    ids[i] = -1;
    for (j = 0; j < self->tracks->len; j++) {
      Track *t = TRACK (self, j);

      if (t->record != (gint) i)
        continue;
      if (t->id == 0 && t->hits >= rule->min_hits)
        t->id = self->next_id++;
      ids[i] = t->id > 0 ? (gint64) t->id : -1;
    }
  }
  g_free (taken);
}
