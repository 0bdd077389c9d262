/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccalines.h"

#include <string.h>

#include "gst/ccabase/gstccatypename.h"

/* *INDENT-OFF* */
GST_CCA_DEFINE_ENUM_TYPE (gst_cca_track_anchor, "TrackAnchor",
    {GST_CCA_ANCHOR_CENTER, "Centre of the box", "center"},
    {GST_CCA_ANCHOR_BOTTOM_CENTER,
      "Middle of the lower edge of the box, such "
      "as feet and wheels",
      "bottom-center"},
    {GST_CCA_ANCHOR_TOP_CENTER, "Middle of the upper edge of the box",
      "top-center"},
    {GST_CCA_ANCHOR_CENTROID, "Centroid of the component", "centroid"})
/* *INDENT-ON* */

static GstCcaLineCounts *
counts_ref (GstCcaLineCounts *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

static void
counts_unref (GstCcaLineCounts *self)
{
  if (g_atomic_int_dec_and_test (&self->ref_count))
    g_free (self);
}

static void
clear_line (GstCcaLine *self)
{
  g_clear_pointer (&self->description, gst_structure_free);
  g_clear_pointer (&self->points, g_free);
  g_clear_pointer (&self->counts, counts_unref);
}

GstCcaLines *
gst_cca_lines_ref (GstCcaLines *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
gst_cca_lines_unref (GstCcaLines *self)
{
  guint i;

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  for (i = 0; i < self->n; i++)
    clear_line (&self->line[i]);
  g_free (self);
}

const gchar *
gst_cca_line_get_name (const GstCcaLine *self)
{
  return gst_structure_get_name (self->description);
}

static GstCcaLine *
find_name (GstCcaLines *self, const gchar *name)
{
  guint i;

  for (i = 0; i < self->n; i++)
    if (g_str_equal (gst_cca_line_get_name (&self->line[i]), name))
      return &self->line[i];
  return NULL;
}

/* --- fields of a line ----------------------------------------------------- */

static GstCcaPosition
position (gint x, gint y)
{
  return (GstCcaPosition) {
    (gint64) x * GST_CCA_POSITION_UNITS,
    (gint64) y * GST_CCA_POSITION_UNITS,
  };
}

/* Each of the following functions returns NULL, or the reason why the line is
 * invalid. */

static const gchar *
read_ends (GstCcaLine *self, const GstStructure *s)
{
  gint x1, y1, x2, y2;

  if (!gst_structure_get (s, "x1", G_TYPE_INT, &x1, "y1", G_TYPE_INT, &y1, "x2",
          G_TYPE_INT, &x2, "y2", G_TYPE_INT, &y2, NULL))
    return "needs integers x1, y1, x2 and y2, or points";
  if (x1 == x2 && y1 == y2)
    return "begins and ends at the same point";
  self->n_points = 2;
  self->points = g_new (GstCcaPosition, 2);
  self->points[0] = position (x1, y1);
  self->points[1] = position (x2, y2);
  return NULL;
}

static const gchar *
read_points (GstCcaLine *self, const GValue *points)
{
  const guint n =
      GST_VALUE_HOLDS_ARRAY (points) ? gst_value_array_get_size (points) : 0;
  guint i;

  if (n % 2 != 0 || n < 4 || n > 2 * GST_CCA_LINE_MAX_POINTS)
    return "needs 2 to 256 points: x1, y1, x2, y2 and so on";
  self->n_points = n / 2;
  self->points = g_new (GstCcaPosition, self->n_points);
  for (i = 0; i < self->n_points; i++) {
    const GValue *x = gst_value_array_get_value (points, 2 * i);
    const GValue *y = gst_value_array_get_value (points, 2 * i + 1);
    GstCcaPosition *p = &self->points[i];

    if (!G_VALUE_HOLDS_INT (x) || !G_VALUE_HOLDS_INT (y))
      return "has a point that is not of integers";
    *p = position (g_value_get_int (x), g_value_get_int (y));
    if (i > 0 && p->x == p[-1].x && p->y == p[-1].y)
      return "has the same point twice in a row";
  }
  return NULL;
}

static const gchar *
read_number (gint *number, const GValue *value, gint min, gint max,
    const gchar *why)
{
  *number = G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : min - 1;
  return *number < min || *number > max ? why : NULL;
}

static const gchar *
read_anchor (GstCcaLine *self, const GValue *value)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_CCA_TRACK_ANCHOR);
  const GEnumValue *anchor = G_VALUE_HOLDS_STRING (value)
      ? g_enum_get_value_by_nick (klass, g_value_get_string (value))
      : NULL;

  if (anchor != NULL)
    self->anchor = anchor->value;
  g_type_class_unref (klass);
  return anchor != NULL
      ? NULL
      : "needs an anchor of center, bottom-center, top-center or centroid";
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
read_field (GstCcaLine *self, const gchar *name, const GValue *value)
{
  static const gchar *const known[] = {"x1", "y1", "x2", "y2", "points", NULL};

  if (g_str_equal (name, "line-margin"))
    return read_number (&self->margin, value, 0, GST_CCA_LINE_MAX_MARGIN,
        "needs an integer line-margin from 0 to 200");
  if (g_str_equal (name, "line-margin-min"))
    return read_number (&self->margin_min, value, 0,
        GST_CCA_LINE_MAX_MARGIN_MIN,
        "needs an integer line-margin-min from 0 to 1000");
  if (g_str_equal (name, "settle-frames"))
    return read_number (&self->settle_frames, value, 1,
        GST_CCA_LINE_MAX_SETTLE_FRAMES,
        "needs an integer settle-frames from 1 to 1000");
  if (g_str_equal (name, "anchor"))
    return read_anchor (self, value);
  if (g_str_equal (name, "direction"))
    return read_direction (self, value);
  return g_strv_contains (known, name) ? NULL : "has an unknown field";
}

static const gchar *
read_line (GstCcaLine *self, const GstStructure *s)
{
  const GValue *points = gst_structure_get_value (s, "points");
  const gchar *why =
      points != NULL ? read_points (self, points) : read_ends (self, s);
  gint i;

  if (why == NULL && points != NULL && gst_structure_has_field (s, "x1"))
    why = "has x1 and points";
  self->margin = self->margin_min = self->settle_frames = self->anchor = -1;
  for (i = 0; i < gst_structure_n_fields (s) && why == NULL; i++) {
    const gchar *name = gst_structure_nth_field_name (s, i);

    why = read_field (self, name, gst_structure_get_value (s, name));
  }
  return why;
}

/* --- a set of lines ------------------------------------------------------- */

/* Prefixes the reason with the structure in the notation of the property, which
 * has no semicolon at the end, unlike GStreamer's string. */
static gchar *
refuse_line (const GstStructure *s, const gchar *reason)
{
  gchar *text = gst_structure_to_string (s);
  gchar *why =
      g_strdup_printf ("[%.*s] %s", (gint) strlen (text) - 1, text, reason);

  g_free (text);
  return why;
}

/* Appends a line. Returns NULL, or the reason why the line is invalid. */
static gchar *
add_line (GstCcaLines *self, const GValue *value)
{
  GstCcaLine *line = &self->line[self->n];
  const GstStructure *s = gst_value_get_structure (value);
  const gchar *why;

  if (s == NULL)
    return g_strdup_printf ("line %u is not a structure", self->n + 1);
  why = read_line (line, s);
  if (why == NULL && find_name (self, gst_structure_get_name (s)) != NULL)
    why = "has the name of another line";
  if (why != NULL) {
    clear_line (line);
    return refuse_line (s, why);
  }
  line->description = gst_structure_copy (s);
  line->counts = g_new0 (GstCcaLineCounts, 1);
  line->counts->ref_count = 1;
  self->n++;
  return NULL;
}

GstCcaLines *
gst_cca_lines_new (const GValue *array, gchar **why)
{
  const guint n = gst_value_array_get_size (array);
  GstCcaLines *self;

  if (n > GST_CCA_MAX_LINES) {
    *why = g_strdup_printf ("there are %u lines, but at most %u are possible",
        n, GST_CCA_MAX_LINES);
    return NULL;
  }
  self = g_malloc0 (sizeof (*self) + n * sizeof (GstCcaLine));
  *why = NULL;
  self->ref_count = 1;
  while (self->n < n && *why == NULL)
    *why = add_line (self, gst_value_array_get_value (array, self->n));
  if (*why != NULL)
    g_clear_pointer (&self, gst_cca_lines_unref);
  return self;
}

static gboolean
has_same_points (const GstCcaLine *a, const GstCcaLine *b)
{
  return a->n_points == b->n_points
      && memcmp (a->points, b->points, a->n_points * sizeof (*a->points)) == 0;
}

void
gst_cca_lines_continue (GstCcaLines *self, const GstCcaLines *older)
{
  guint i;

  for (i = 0; i < older->n; i++) {
    const GstCcaLine *old = &older->line[i];
    GstCcaLine *line = find_name (self, gst_cca_line_get_name (old));

    if (line != NULL && has_same_points (line, old)) {
      counts_unref (line->counts);
      line->counts = counts_ref (old->counts);
    }
  }
}

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
  if (self->direction != GST_CCA_CROSSING_NONE && self->direction != crossing)
    return FALSE;
  if (crossing == GST_CCA_CROSSING_TO_LEFT)
    self->counts->to_left++;
  else
    self->counts->to_right++;
  return TRUE;
}

gboolean
gst_cca_lines_reset_counts (GstCcaLines *self, const gchar *name)
{
  gboolean found = *name == '\0';
  guint i;

  for (i = 0; i < self->n; i++) {
    const GstCcaLine *line = &self->line[i];

    if (*name == '\0' || g_str_equal (gst_cca_line_get_name (line), name)) {
      line->counts->to_left = line->counts->to_right = 0;
      found = TRUE;
    }
  }
  return found;
}

/* --- structures ----------------------------------------------------------- */

static void
append_structure (GValue *array, GstStructure *s)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, s);
  gst_value_array_append_and_take_value (array, &value);
}

void
gst_cca_lines_get (const GstCcaLines *self, GValue *array)
{
  guint i;

  for (i = 0; i < self->n; i++)
    append_structure (array, gst_structure_copy (self->line[i].description));
}

void
gst_cca_lines_take_counts (const GstCcaLines *self, GstStructure *to,
    const gchar *field)
{
  GValue array = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&array, self->n);
  for (i = 0; i < self->n; i++) {
    const GstCcaLine *line = &self->line[i];
    const GstCcaLineCounts *counts = line->counts;

    append_structure (&array,
        gst_structure_new (gst_cca_line_get_name (line), "to-left",
            G_TYPE_UINT64, counts->to_left, "to-right", G_TYPE_UINT64,
            counts->to_right, "occupancy", G_TYPE_INT64,
            (gint64) (counts->to_right - counts->to_left), NULL));
  }
  gst_structure_take_value (to, field, &array);
}
