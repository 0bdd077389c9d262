/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Components of a picture that was cropped, flipped, rotated or framed. */

#include <math.h>

#include "private.h"

/* Matrices come in single precision: an edge that is off a whole pixel by no
 * more than that is on it. */
#define RELATIVE_TOLERANCE (1.0 / (1 << 22))

static gdouble
snap (gdouble v, gdouble magnitude)
{
  const gdouble nearest = floor (v + 0.5);

  return fabs (v - nearest) <= magnitude * RELATIVE_TOLERANCE ? nearest : v;
}

/* The least and the greatest value of a * x + b * y + c over a box. */
static void
map_extent (const GstCcaComponent * box, gdouble a, gdouble b, gdouble c,
    gdouble * lo, gdouble * hi)
{
  const gdouble x0 = box->x, x1 = x0 + box->width;
  const gdouble y0 = box->y, y1 = y0 + box->height;
  const gdouble magnitude = fabs (a) * x1 + fabs (b) * y1 + fabs (c);

  *lo = snap (MIN (a * x0, a * x1) + MIN (b * y0, b * y1) + c, magnitude);
  *hi = snap (MAX (a * x0, a * x1) + MAX (b * y0, b * y1) + c, magnitude);
}

/* Rounds outwards and clips; FALSE if nothing is left. */
static gboolean
clip_extent (gdouble lo, gdouble hi, gint clip_lo, gint clip_hi,
    guint * start, guint * length)
{
  const gdouble first = MAX (floor (lo), clip_lo);
  const gdouble end = MIN (ceil (hi), clip_hi);

  if (!(first < end))
    return FALSE;

  *start = (guint) first;
  *length = (guint) (end - first);

  return TRUE;
}

static gboolean
map_component (const GstCcaMap * map, const GstCcaComponent * in,
    GstCcaComponent * out)
{
  const gdouble det = fabs (map->xx * map->yy - map->xy * map->yx);
  const gdouble cx = in->centroid_x + 0.5, cy = in->centroid_y + 0.5;
  gdouble x0, x1, y0, y1, mx, my, area;
  guint64 most;

  map_extent (in, map->xx, map->xy, map->x0, &x0, &x1);
  map_extent (in, map->yx, map->yy, map->y0, &y0, &y1);

  *out = *in;
  if (!clip_extent (x0, x1, map->clip_x0, map->clip_x1, &out->x, &out->width)
      || !clip_extent (y0, y1, map->clip_y0, map->clip_y1, &out->y,
          &out->height))
    return FALSE;

  /* what was cut off a component is not known: its centroid is brought into
   * the rest of the box, its area to the box's at the most */
  mx = map->xx * cx + map->xy * cy + map->x0 - 0.5;
  my = map->yx * cx + map->yy * cy + map->y0 - 0.5;
  out->centroid_x = CLAMP (mx, out->x - 0.5,
      (gdouble) out->x + out->width - 0.5);
  out->centroid_y = CLAMP (my, out->y - 0.5,
      (gdouble) out->y + out->height - 0.5);
  area = floor ((gdouble) in->area * det + 0.5);
  most = (guint64) out->width * out->height;
  out->area = area < (gdouble) most ? (guint64) MAX (area, 1.0) : most;

  return TRUE;
}

/* The components that are still in the picture, in the same order and with
 * the same ids. */
GBytes *
gst_cca_map_components (const GstCcaMap * map,
    const GstCcaComponent * components, guint n_components)
{
  GstCcaComponent *out = g_new (GstCcaComponent, n_components);
  guint i, n = 0;

  for (i = 0; i < n_components; i++) {
    if (map_component (map, &components[i], &out[n]))
      n++;
  }

  return g_bytes_new_take (out, (gsize) n * sizeof (GstCcaComponent));
}
