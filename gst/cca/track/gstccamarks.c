/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccamarks.h"

#include <string.h>

void
gst_cca_marks_clear (GstCcaMarks *self)
{
  g_clear_pointer (&self->analysed, gst_cca_shapes_unref);
  g_clear_pointer (&self->lines, gst_cca_figures_unref);
  g_clear_pointer (&self->zones, gst_cca_figures_unref);
  g_clear_pointer (&self->shapes, gst_cca_shapes_unref);
  g_clear_pointer (&self->counts, g_bytes_unref);
}

/* Lines and zones that another tracker has added are replaced. */
static void
append_regions (GstCcaShapes *shapes, const GstCcaShapes *analysed)
{
  guint i, n;

  for (i = 0; i < gst_cca_shapes_get_n_shapes (analysed); i++) {
    const GstCcaShapeKind kind = gst_cca_shapes_get_kind (analysed, i);
    const gdouble *coordinates =
        gst_cca_shapes_get_coordinates (analysed, i, &n);

    if (kind == GST_CCA_SHAPE_KIND_INCLUDE
        || kind == GST_CCA_SHAPE_KIND_EXCLUDE)
      gst_cca_shapes_append (shapes, kind,
          gst_cca_shapes_get_name (analysed, i), coordinates, n);
  }
}

static void
append_figure (GstCcaShapes *shapes, GstCcaShapeKind kind,
    const GstCcaFigure *figure)
{
  gdouble coordinates[2 * GST_CCA_FIGURE_MAX_POINTS];
  guint i;

  for (i = 0; i < figure->n_points; i++) {
    const GstCcaPosition *p = &figure->points[i];

    coordinates[2 * i] = (gdouble) p->x / GST_CCA_POSITION_UNITS;
    coordinates[2 * i + 1] = (gdouble) p->y / GST_CCA_POSITION_UNITS;
  }
  gst_cca_shapes_append (shapes, kind, gst_cca_figure_get_name (figure),
      coordinates, 2 * figure->n_points);
}

void
gst_cca_marks_begin (GstCcaMarks *self, const GstCcaMeta *meta,
    GstCcaLines *lines, GstCcaZones *zones)
{
  GstCcaShapes *analysed = gst_cca_meta_get_shapes (meta);
  GstCcaShapes *shapes;
  guint i;

  if (self->lines == lines && self->zones == zones
      && self->analysed == analysed)
    return;
  gst_cca_marks_clear (self);
  self->lines = gst_cca_figures_ref (lines);
  self->zones = gst_cca_figures_ref (zones);
  shapes = gst_cca_shapes_new ();
  if (analysed != NULL) {
    self->analysed = gst_cca_shapes_ref (analysed);
    append_regions (shapes, analysed);
  }
  self->first_line = gst_cca_shapes_get_n_shapes (shapes);
  for (i = 0; i < lines->figures.n; i++)
    append_figure (shapes, GST_CCA_SHAPE_KIND_LINE, &lines->line[i].figure);
  for (i = 0; i < zones->figures.n; i++)
    append_figure (shapes, GST_CCA_SHAPE_KIND_ZONE, &zones->zone[i].figure);
  if (gst_cca_shapes_get_n_shapes (shapes) > 0)
    self->shapes = shapes;
  else
    gst_cca_shapes_unref (shapes);
}

void
gst_cca_marks_take_counts (GstCcaMarks *self)
{
  guint64 counts[2 * GST_CCA_SHAPES_MAX] = {
    0,
  };
  guint i;
  gsize size;

  if (self->lines->figures.n + self->zones->figures.n == 0)
    return;
  size = gst_cca_shapes_get_n_shapes (self->shapes) * 2 * sizeof (*counts);
  for (i = 0; i < self->lines->figures.n; i++) {
    const GstCcaLineCounts *of_line = self->lines->line[i].figure.counts;
    guint64 *to = &counts[2 * (self->first_line + i)];

    to[0] = of_line->to_left;
    to[1] = of_line->to_right;
  }
  for (i = 0; i < self->zones->figures.n; i++) {
    const GstCcaZoneCounts *of_zone = self->zones->zone[i].figure.counts;

    counts[2 * (self->first_line + self->lines->figures.n + i)] =
        of_zone->inside;
  }
  if (self->counts != NULL
      && memcmp (g_bytes_get_data (self->counts, NULL), counts, size) == 0)
    return;
  g_clear_pointer (&self->counts, g_bytes_unref);
  self->counts = g_bytes_new (counts, size);
}
