/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccalines.h"

/* Each of the following functions returns NULL, or the reason why the line is
 * invalid. */

static const gchar *
read_ends (GstCcaFigure *self, const GstStructure *s)
{
  gint x1, y1, x2, y2;

  if (!gst_structure_get (s, "x1", G_TYPE_INT, &x1, "y1", G_TYPE_INT, &y1, "x2",
          G_TYPE_INT, &x2, "y2", G_TYPE_INT, &y2, NULL))
    return "needs integers x1, y1, x2 and y2, or points";
  if (x1 == x2 && y1 == y2)
    return "begins and ends at the same point";
  self->n_points = 2;
  self->points = g_new (GstCcaPosition, 2);
  self->points[0] = gst_cca_figure_position (x1, y1);
  self->points[1] = gst_cca_figure_position (x2, y2);
  return NULL;
}

static const gchar *
read_direction (GstCcaLine *self, const GValue *value)
{
  static const gchar *const names[] = {"any", "left", "right"};
  const gchar *name =
      G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : "";
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_equal (name, names[i])) {
      self->direction = i;
      return NULL;
    }
  }
  return "needs a direction of any, left or right";
}

static const gchar *
read_field (gpointer figure, const gchar *name, const GValue *value)
{
  GstCcaLine *self = (GstCcaLine *) figure;
  static const gchar *const known[] = {"x1", "y1", "x2", "y2", "points", NULL};

  if (g_str_equal (name, "line-margin"))
    return gst_cca_figure_read_number (&self->margin, value, 0,
        GST_CCA_LINE_MAX_MARGIN, "needs an integer line-margin from 0 to 200");
  if (g_str_equal (name, "line-margin-min"))
    return gst_cca_figure_read_number (&self->margin_min, value, 0,
        GST_CCA_LINE_MAX_MARGIN_MIN,
        "needs an integer line-margin-min from 0 to 1000");
  if (g_str_equal (name, "settle-frames"))
    return gst_cca_figure_read_number (&self->settle_frames, value, 1,
        GST_CCA_LINE_MAX_SETTLE_FRAMES,
        "needs an integer settle-frames from 1 to 1000");
  if (g_str_equal (name, "anchor"))
    return gst_cca_figure_read_anchor (&self->anchor, value);
  if (g_str_equal (name, "direction"))
    return read_direction (self, value);
  return g_strv_contains (known, name) ? NULL : "has an unknown field";
}

static const gchar *
begin_line (GstCcaFigure *figure, const GstStructure *s)
{
  GstCcaLine *self = (GstCcaLine *) figure;
  const GValue *points = gst_structure_get_value (s, "points");
  const gchar *why = points != NULL
      ? gst_cca_figure_read_points (figure, points, 2,
            "needs 2 to 256 points: x1, y1, x2, y2 and so on")
      : read_ends (figure, s);

  self->margin = self->margin_min = self->settle_frames = self->anchor = -1;
  if (why == NULL && points != NULL
      && (gst_structure_has_field (s, "x1") || gst_structure_has_field (s, "y1")
          || gst_structure_has_field (s, "x2")
          || gst_structure_has_field (s, "y2")))
    why = "has points and x1, y1, x2 or y2";
  return why;
}

static void
get_counts (const GstCcaFigure *figure, GstStructure *to)
{
  const GstCcaLineCounts *counts = figure->counts;

  gst_structure_set (to, "to-left", G_TYPE_UINT64, counts->to_left, "to-right",
      G_TYPE_UINT64, counts->to_right, "occupancy", G_TYPE_INT64,
      (gint64) (counts->to_right - counts->to_left), NULL);
}

static void
reset_counts (GstCcaFigure *figure)
{
  *(GstCcaLineCounts *) figure->counts = (GstCcaLineCounts) {
    0,
  };
}

const GstCcaFigureKind gst_cca_line_kind = {
  .noun = "line",
  .set_size = sizeof (GstCcaLines),
  .size = sizeof (GstCcaLine),
  .counts_size = sizeof (GstCcaLineCounts),
  .begin = begin_line,
  .read_field = read_field,
  .get_counts = get_counts,
  .reset_counts = reset_counts,
};

GstCcaLineRule
gst_cca_line_get_rule (const GstCcaLine *self, const GstCcaLineRule *of_element)
{
  GstCcaLineRule rule = *of_element;

  if (self->margin >= 0)
    rule.margin = self->margin;
  if (self->margin_min >= 0)
    rule.margin_min = self->margin_min;
  if (self->settle_frames >= 0)
    rule.settle_frames = self->settle_frames;
  if (self->anchor >= 0)
    rule.anchor = self->anchor;
  return rule;
}

gboolean
gst_cca_line_count (GstCcaLine *self, GstCcaCrossing crossing)
{
  GstCcaLineCounts *counts = self->figure.counts;

  if (self->direction != GST_CCA_CROSSING_NONE && self->direction != crossing)
    return FALSE;
  if (crossing == GST_CCA_CROSSING_TO_LEFT)
    counts->to_left++;
  else
    counts->to_right++;
  return TRUE;
}
