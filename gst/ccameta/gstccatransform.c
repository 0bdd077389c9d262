/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Transfers the meta when a buffer is copied, scaled, cropped, flipped,
 * rotated or framed. */

#include <math.h>

#include <gst/video/video.h>

#include "gstccametaprivate.h"

/* --- components ----------------------------------------------------------- */

/* The elements of matrices have single precision. An edge within this
 * tolerance of a whole pixel is taken to be on it. */
#define RELATIVE_TOLERANCE (1.0 / (1 << 22))

static gdouble
snap (gdouble v, gdouble magnitude)
{
  const gdouble nearest = floor (v + 0.5);

  return fabs (v - nearest) <= magnitude * RELATIVE_TOLERANCE ? nearest : v;
}

/* Returns the minimum and maximum of a * x + b * y + c over a box. */
static void
map_extent (const GstCcaComponent *box, gdouble a, gdouble b, gdouble c,
    gdouble *lo, gdouble *hi)
{
  const gdouble x0 = box->x, x1 = x0 + box->width;
  const gdouble y0 = box->y, y1 = y0 + box->height;
  const gdouble magnitude = fabs (a) * x1 + fabs (b) * y1 + fabs (c);

  *lo = snap (MIN (a * x0, a * x1) + MIN (b * y0, b * y1) + c, magnitude);
  *hi = snap (MAX (a * x0, a * x1) + MAX (b * y0, b * y1) + c, magnitude);
}

/* Rounds an interval outwards and clips it. Returns FALSE if it gets empty. */
static gboolean
clip_extent (gdouble lo, gdouble hi, gint clip_lo, gint clip_hi, guint *start,
    guint *length)
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
map_component (const GstCcaMap *map, const GstCcaComponent *in,
    GstCcaComponent *out)
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

  /* The pixels that a clip removes from the component are unknown: its
   * centroid is moved into the remaining box, and its area limited to that of
   * the box. */
  mx = map->xx * cx + map->xy * cy + map->x0 - 0.5;
  my = map->yx * cx + map->yy * cy + map->y0 - 0.5;
  out->centroid_x =
      CLAMP (mx, out->x - 0.5, (gdouble) out->x + out->width - 0.5);
  out->centroid_y =
      CLAMP (my, out->y - 0.5, (gdouble) out->y + out->height - 0.5);
  area = floor ((gdouble) in->area * det + 0.5);
  most = (guint64) out->width * out->height;
  out->area = area < (gdouble) most ? (guint64) MAX (area, 1.0) : most;

  return TRUE;
}

/* Returns the components that are still in the picture, in the same order and
 * with the same ids. */
GBytes *
gst_cca_map_components (const GstCcaMap *map, const GstCcaComponent *components,
    guint n_components)
{
  GstCcaComponent *out = g_new (GstCcaComponent, n_components);
  guint i, n = 0;

  for (i = 0; i < n_components; i++) {
    if (map_component (map, &components[i], &out[n]))
      n++;
  }

  return g_bytes_new_take (out, (gsize) n * sizeof (GstCcaComponent));
}

/* --- the meta ------------------------------------------------------------- */

#ifdef GST_VIDEO_META_TRANSFORM_IS_MATRIX

/* The matrix of GStreamer maps one rectangle to another one. The reference
 * frame of the components may have another size than the frame that is
 * transformed. */
static gboolean
map_from_matrix (const GstVideoMetaTransformMatrix *t,
    const GstCcaAnalysis *analysis, GstCcaMap *map)
{
  const GstVideoRectangle *in = &t->in_rectangle, *out = &t->out_rectangle;
  const gdouble sx =
      (gdouble) GST_VIDEO_INFO_WIDTH (t->in_info) / analysis->width;
  const gdouble sy =
      (gdouble) GST_VIDEO_INFO_HEIGHT (t->in_info) / analysis->height;
  const gdouble m00 = t->matrix[0][0], m01 = t->matrix[0][1];
  const gdouble m10 = t->matrix[1][0], m11 = t->matrix[1][1];

  /* A perspective transform does not map boxes to boxes. */
  if (t->matrix[2][0] != 0 || t->matrix[2][1] != 0 || t->matrix[2][2] != 1)
    return FALSE;

  map->xx = m00 * sx;
  map->xy = m01 * sy;
  map->x0 = t->matrix[0][2] + out->x - m00 * in->x - m01 * in->y;
  map->yx = m10 * sx;
  map->yy = m11 * sy;
  map->y0 = t->matrix[1][2] + out->y - m10 * in->x - m11 * in->y;
  if (!isfinite (map->xx + map->xy + map->x0 + map->yx + map->yy + map->y0))
    return FALSE;

  map->clip_x0 = MAX (out->x, 0);
  map->clip_y0 = MAX (out->y, 0);
  map->clip_x1 = MIN (out->x + out->w, GST_VIDEO_INFO_WIDTH (t->out_info));
  map->clip_y1 = MIN (out->y + out->h, GST_VIDEO_INFO_HEIGHT (t->out_info));

  return TRUE;
}

/* The features are dropped: those of the pixels that are cut off are unknown. */
static gboolean
transform_matrix (GstBuffer *dest, const GstCcaMeta *self,
    const GstVideoMetaTransformMatrix *transform)
{
  const GstCcaComponent *components;
  GstCcaAnalysis analysis = self->analysis;
  GBytes *mapped = NULL;
  GstCcaShapes *shapes = NULL;
  GstCcaMeta *meta;
  GstCcaMap map;
  guint n_before, n_after = 0;

  if (analysis.width < 1 || analysis.height < 1
      || !map_from_matrix (transform, &analysis, &map))
    return FALSE;

  components = gst_cca_meta_get_components (self, &n_before);
  if (n_before > 0) {
    mapped = gst_cca_map_components (&map, components, n_before);
    n_after = g_bytes_get_size (mapped) / sizeof (GstCcaComponent);
  }

  analysis.width = GST_VIDEO_INFO_WIDTH (transform->out_info);
  analysis.height = GST_VIDEO_INFO_HEIGHT (transform->out_info);
  analysis.n_found -= n_before - n_after;
  meta = gst_cca_meta_attach_full (dest, &analysis, mapped,
      GST_VIDEO_INFO_PAR_N (transform->out_info),
      GST_VIDEO_INFO_PAR_D (transform->out_info));
  g_clear_pointer (&mapped, g_bytes_unref);
  if (meta == NULL)
    return FALSE;
  if (self->shapes != NULL)
    shapes = gst_cca_shapes_map (self->shapes, &map);
  gst_cca_meta_set_shapes (meta, shapes, self->counts);
  g_clear_pointer (&shapes, gst_cca_shapes_unref);
  gst_cca_meta_copy_events (meta, self);

  return TRUE;
}

#endif /* GST_VIDEO_META_TRANSFORM_IS_MATRIX */

static gboolean
copy (GstBuffer *dest, const GstCcaMeta *self)
{
  GstCcaMeta *meta = gst_cca_meta_attach_full (dest, &self->analysis,
      self->components, self->par_n, self->par_d);

  if (meta == NULL)
    return FALSE;
  gst_cca_meta_set_shapes (meta, self->shapes, self->counts);
  gst_cca_meta_copy_events (meta, self);
  gst_cca_meta_set_features (meta, self->feature_flags, self->features);

  return TRUE;
}

/* A copy shares the tables, even of a region of the bytes, as the meta
 * describes the whole picture like GstVideoRegionOfInterestMeta. A scale
 * shares it, too, as the records are relative to their own reference frame. */
gboolean
gst_cca_meta_transform (GstBuffer *dest, GstMeta *meta, GstBuffer *buffer,
    GQuark type, gpointer data)
{
  const GstCcaMeta *self = (const GstCcaMeta *) meta;

  if (GST_META_TRANSFORM_IS_COPY (type)
      || GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return copy (dest, self);

#ifdef GST_VIDEO_META_TRANSFORM_IS_MATRIX
  if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type))
    return transform_matrix (dest, self, data);
#endif

  return FALSE;
}
