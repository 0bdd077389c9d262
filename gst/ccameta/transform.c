/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* What becomes of the meta when a buffer is copied or transformed. */

#include <math.h>

#include <gst/video/video.h>

#include "private.h"

#ifdef GST_VIDEO_META_TRANSFORM_IS_MATRIX

/* GStreamer's matrix is relative to two rectangles, and the records may be
 * relative to a picture of another size than that which is transformed. */
static gboolean
map_from_matrix (const GstVideoMetaTransformMatrix * t,
    const GstCcaAnalysis * analysis, GstCcaMap * map)
{
  const GstVideoRectangle *in = &t->in_rectangle, *out = &t->out_rectangle;
  const gdouble sx = (gdouble) GST_VIDEO_INFO_WIDTH (t->in_info)
      / analysis->width;
  const gdouble sy = (gdouble) GST_VIDEO_INFO_HEIGHT (t->in_info)
      / analysis->height;
  const gdouble m00 = t->matrix[0][0], m01 = t->matrix[0][1];
  const gdouble m10 = t->matrix[1][0], m11 = t->matrix[1][1];

  /* a perspective does not map boxes to boxes */
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

static gboolean
transform_matrix (GstBuffer * dest, const GstCcaMeta * self,
    const GstVideoMetaTransformMatrix * transform)
{
  const GstCcaComponent *components;
  GstCcaAnalysis analysis = self->analysis;
  GBytes *mapped = NULL;
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

  return meta != NULL;
}

#endif /* GST_VIDEO_META_TRANSFORM_IS_MATRIX */

/* Copies share the table, those of a region of the bytes too: the meta
 * describes the whole picture, as GstVideoRegionOfInterestMeta does. So does
 * a scale: the records stay relative to their own reference size. */
gboolean
gst_cca_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  const GstCcaMeta *self = (const GstCcaMeta *) meta;

  if (GST_META_TRANSFORM_IS_COPY (type)
      || GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return gst_cca_meta_attach_full (dest, &self->analysis,
        self->components, self->par_n, self->par_d) != NULL;

#ifdef GST_VIDEO_META_TRANSFORM_IS_MATRIX
  if (GST_VIDEO_META_TRANSFORM_IS_MATRIX (type))
    return transform_matrix (dest, self, data);
#endif

  return FALSE;
}
