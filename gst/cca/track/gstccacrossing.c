/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccacrossing.h"

/* The products need more than 64 bits. */
typedef __int128 Wide;

GstCcaPosition
gst_cca_anchor_find (GstCcaAnchor anchor, const GstCcaBox *box,
    const GstCcaPosition *centroid)
{
  const gint64 half = GST_CCA_POSITION_UNITS / 2;
  GstCcaPosition p = {
    (2 * box->x + box->width) * half,
    (2 * box->y + box->height) * half,
  };

  switch (anchor) {
    case GST_CCA_ANCHOR_CENTROID:
      return *centroid;
    case GST_CCA_ANCHOR_BOTTOM_CENTER:
      p.y = (box->y + box->height) * GST_CCA_POSITION_UNITS;
      break;
    case GST_CCA_ANCHOR_TOP_CENTER:
      p.y = box->y * GST_CCA_POSITION_UNITS;
      break;
    default:
      break;
  }
  return p;
}

static gint
sign_of (Wide v)
{
  return (v > 0) - (v < 0);
}

/* Returns the sign of twice the signed area of the triangle: positive if c is to the
 * right of the line from a to b, 0 if it is on it. */
static gint
turn (const GstCcaPosition *a, const GstCcaPosition *b, const GstCcaPosition *c)
{
  return sign_of ((Wide) (b->x - a->x) * (c->y - a->y)
      - (Wide) (b->y - a->y) * (c->x - a->x));
}

/* Returns turn() for a point c of the line that is moved by (e, e^2) for a tiny
 * e. It is never 0. */
static gint
turn_of_moved (const GstCcaPosition *a, const GstCcaPosition *b)
{
  return a->y != b->y ? sign_of (a->y - b->y) : sign_of (b->x - a->x);
}

/* The path misses the segment if both ends of the segment are on the same side
 * of the path. They cannot both be on the path, as one end of the path is not
 * on the line. */
static gint
count_at_segment (const GstCcaPosition segment[2], gboolean bent,
    const GstCcaPosition *from, const GstCcaPosition *to)
{
  gint before = turn (&segment[0], &segment[1], from);
  gint after = turn (&segment[0], &segment[1], to);
  gint begin, end;

  if (bent && before == 0)
    before = turn_of_moved (&segment[0], &segment[1]);
  if (bent && after == 0)
    after = turn_of_moved (&segment[0], &segment[1]);
  if ((before >= 0) == (after >= 0))
    return 0;

  /* Moving the path equals moving the segment in the opposite direction. */
  begin = turn (from, to, &segment[0]);
  end = turn (from, to, &segment[1]);
  if (bent && begin == 0)
    begin = turn_of_moved (to, from);
  if (bent && end == 0)
    end = turn_of_moved (to, from);
  if (begin * end > 0)
    return 0;
  return after >= 0 ? 1 : -1;
}

gint
gst_cca_crossing_count (const GstCcaPosition *line, guint n_points,
    const GstCcaPosition *from, const GstCcaPosition *to)
{
  gint count = 0;
  guint i;

  for (i = 0; i + 1 < n_points; i++)
    count += count_at_segment (&line[i], n_points > 2, from, to);
  return count;
}

/* --- core ----------------------------------------------------------------- */

/* Half the size of the core is an integer in units of 1/200 of a position. */
#define CORE_UNITS 200

static gboolean
segment_touches (const GstCcaPosition segment[2], const GstCcaPosition *anchor,
    gint64 half_width, gint64 half_height)
{
  const gint64 ax = CORE_UNITS * (segment[0].x - anchor->x);
  const gint64 ay = CORE_UNITS * (segment[0].y - anchor->y);
  const gint64 bx = CORE_UNITS * (segment[1].x - anchor->x);
  const gint64 by = CORE_UNITS * (segment[1].y - anchor->y);
  const Wide distance = (Wide) (bx - ax) * ay - (Wide) (by - ay) * ax;

  if (MIN (ax, bx) > half_width || MAX (ax, bx) < -half_width
      || MIN (ay, by) > half_height || MAX (ay, by) < -half_height)
    return FALSE;
  return (distance < 0 ? -distance : distance)
      <= (Wide) half_width * ABS (by - ay) + (Wide) half_height * ABS (bx - ax);
}

static gint64
half_core (gint64 size, guint margin, guint margin_min)
{
  return MAX (margin * size, (gint64) CORE_UNITS * margin_min)
      * GST_CCA_POSITION_UNITS;
}

gboolean
gst_cca_core_touches (const GstCcaPosition *line, guint n_points,
    const GstCcaPosition *anchor, const GstCcaBox *box, guint margin,
    guint margin_min)
{
  const gint64 half_width = half_core (box->width, margin, margin_min);
  const gint64 half_height = half_core (box->height, margin, margin_min);
  guint i;

  if (half_width == 0 && half_height == 0)
    return FALSE;
  for (i = 0; i + 1 < n_points; i++)
    if (segment_touches (&line[i], anchor, half_width, half_height))
      return TRUE;
  return FALSE;
}

/* --- polygon -------------------------------------------------------------- */

/* Whether a ray from the point to the left meets the edge. */
static gboolean
is_right_of (const GstCcaPosition *a, const GstCcaPosition *b,
    const GstCcaPosition *p)
{
  const Wide s = (Wide) (p->x - a->x) * (b->y - a->y)
      - (Wide) (p->y - a->y) * (b->x - a->x);

  if (a->y <= p->y && p->y < b->y)
    return s >= 0;
  return b->y <= p->y && p->y < a->y && s <= 0;
}

gboolean
gst_cca_polygon_contains (const GstCcaPosition *points, guint n_points,
    const GstCcaPosition *p)
{
  gboolean inside = FALSE;
  guint i;

  for (i = 0; i < n_points; i++)
    inside ^= is_right_of (&points[i], &points[(i + 1) % n_points], p);
  return inside;
}
