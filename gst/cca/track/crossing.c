/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "crossing.h"

typedef __int128 Wide;

/* Twice the area of the triangle: positive if c is on the right of a to b. */
static Wide
turn (const GstCcaPlace * a, const GstCcaPlace * b, const GstCcaPlace * c)
{
  return (Wide) (b->x - a->x) * (c->y - a->y)
      - (Wide) (b->y - a->y) * (c->x - a->x);
}

GstCcaCrossing
gst_cca_crossing_find (const GstCcaPlace line[2], const GstCcaPlace * from,
    const GstCcaPlace * to)
{
  const gboolean was_right = turn (&line[0], &line[1], from) >= 0;
  const gboolean is_right = turn (&line[0], &line[1], to) >= 0;
  Wide begin, end;

  if (was_right == is_right)
    return GST_CCA_CROSSING_NONE;

  /* Both ends of the line on one side of the way: it leads past the line. They
   * are not both on the way, which is no part of the line. */
  begin = turn (from, to, &line[0]);
  end = turn (from, to, &line[1]);
  if ((begin < 0 && end < 0) || (begin > 0 && end > 0))
    return GST_CCA_CROSSING_NONE;
  return is_right ? GST_CCA_CROSSING_TO_RIGHT : GST_CCA_CROSSING_TO_LEFT;
}
