/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccafigures.h"

#include <string.h>

#include "gst/ccabase/gstccaproperty.h"
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

GstCcaFigure *
gst_cca_figures_at (const GstCcaFigures *self, guint i)
{
  return (GstCcaFigure *) ((gchar *) self + self->kind->set_size
      + i * self->kind->size);
}

const gchar *
gst_cca_figure_get_name (const GstCcaFigure *self)
{
  return gst_structure_get_name (self->description);
}

static void
clear_figure (GstCcaFigure *self)
{
  g_clear_pointer (&self->description, gst_structure_free);
  g_clear_pointer (&self->points, g_free);
  g_clear_pointer (&self->counts, g_atomic_rc_box_release);
}

gpointer
gst_cca_figures_ref (gpointer self)
{
  GstCcaFigures *figures = self;

  g_atomic_int_inc (&figures->ref_count);
  return self;
}

void
gst_cca_figures_unref (gpointer self)
{
  GstCcaFigures *figures = self;
  guint i;

  if (!g_atomic_int_dec_and_test (&figures->ref_count))
    return;
  for (i = 0; i < figures->n; i++)
    clear_figure (gst_cca_figures_at (figures, i));
  g_free (self);
}

static GstCcaFigure *
find_name (const GstCcaFigures *self, const gchar *name)
{
  guint i;

  for (i = 0; i < self->n; i++) {
    GstCcaFigure *figure = gst_cca_figures_at (self, i);

    if (g_str_equal (gst_cca_figure_get_name (figure), name))
      return figure;
  }
  return NULL;
}

gint
gst_cca_figures_find (const GstCcaFigures *self, gconstpointer counts)
{
  gint i;

  for (i = 0; self != NULL && i < (gint) self->n; i++)
    if (gst_cca_figures_at (self, i)->counts == counts)
      return i;
  return -1;
}

/* --- fields --------------------------------------------------------------- */

GstCcaPosition
gst_cca_figure_position (gint x, gint y)
{
  return (GstCcaPosition) {
    (gint64) x * GST_CCA_POSITION_UNITS,
    (gint64) y * GST_CCA_POSITION_UNITS,
  };
}

const gchar *
gst_cca_figure_read_points (GstCcaFigure *self, const GValue *value, guint min,
    const gchar *why)
{
  const guint n =
      GST_VALUE_HOLDS_ARRAY (value) ? gst_value_array_get_size (value) : 0;
  guint i;

  if (n % 2 != 0 || n < 2 * min || n > 2 * GST_CCA_FIGURE_MAX_POINTS)
    return why;
  self->n_points = n / 2;
  self->points = g_new (GstCcaPosition, self->n_points);
  for (i = 0; i < self->n_points; i++) {
    const GValue *x = gst_value_array_get_value (value, 2 * i);
    const GValue *y = gst_value_array_get_value (value, 2 * i + 1);
    GstCcaPosition *p = &self->points[i];

    if (!G_VALUE_HOLDS_INT (x) || !G_VALUE_HOLDS_INT (y))
      return "has a point that is not of integers";
    *p = gst_cca_figure_position (g_value_get_int (x), g_value_get_int (y));
    if (i > 0 && p->x == p[-1].x && p->y == p[-1].y)
      return "has the same point twice in a row";
  }
  return NULL;
}

const gchar *
gst_cca_figure_read_number (gint *number, const GValue *value, gint min,
    gint max, const gchar *why)
{
  *number = G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : min - 1;
  return *number < min || *number > max ? why : NULL;
}

const gchar *
gst_cca_figure_read_anchor (gint *anchor, const GValue *value)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_CCA_TRACK_ANCHOR);
  const GEnumValue *found = G_VALUE_HOLDS_STRING (value)
      ? g_enum_get_value_by_nick (klass, g_value_get_string (value))
      : NULL;

  if (found != NULL)
    *anchor = found->value;
  g_type_class_unref (klass);
  return found != NULL
      ? NULL
      : "needs an anchor of center, bottom-center, top-center or centroid";
}

/* --- a set ---------------------------------------------------------------- */

/* Appends a figure. Returns NULL, or the reason why the figure is invalid. */
static gchar *
add_figure (GstCcaFigures *self, const GValue *value)
{
  GstCcaFigure *figure = gst_cca_figures_at (self, self->n);
  const GstStructure *s = gst_value_get_structure (value);
  const gchar *why;

  if (s == NULL)
    return g_strdup_printf ("%s %u is not a structure", self->kind->noun,
        self->n + 1);
  why = self->kind->begin (figure, s);
  if (why == NULL)
    why = gst_cca_read_fields (figure, s, self->kind->read_field);
  if (why == NULL && find_name (self, gst_structure_get_name (s)) != NULL) {
    clear_figure (figure);
    return gst_cca_refuse_structure (s, "has the name of another ",
        self->kind->noun);
  }
  if (why != NULL) {
    clear_figure (figure);
    return gst_cca_refuse_structure (s, why, "");
  }
  figure->description = gst_structure_copy (s);
  figure->counts = g_atomic_rc_box_alloc0 (self->kind->counts_size);
  self->n++;
  return NULL;
}

gpointer
gst_cca_figures_new (const GstCcaFigureKind *kind, const GValue *array,
    gchar **why)
{
  const guint n = gst_value_array_get_size (array);
  GstCcaFigures *self;

  if (n > GST_CCA_MAX_FIGURES) {
    *why = g_strdup_printf ("there are %u %ss, but at most %u are possible", n,
        kind->noun, GST_CCA_MAX_FIGURES);
    return NULL;
  }
  self = g_malloc0 (kind->set_size + n * kind->size);
  *why = NULL;
  self->kind = kind;
  self->ref_count = 1;
  while (self->n < n && *why == NULL)
    *why = add_figure (self, gst_value_array_get_value (array, self->n));
  if (*why != NULL)
    g_clear_pointer (&self, gst_cca_figures_unref);
  return self;
}

static gboolean
has_same_points (const GstCcaFigure *a, const GstCcaFigure *b)
{
  return a->n_points == b->n_points
      && memcmp (a->points, b->points, a->n_points * sizeof (*a->points)) == 0;
}

void
gst_cca_figures_continue (GstCcaFigures *self, const GstCcaFigures *older)
{
  guint i;

  for (i = 0; i < older->n; i++) {
    const GstCcaFigure *old = gst_cca_figures_at (older, i);
    GstCcaFigure *figure = find_name (self, gst_cca_figure_get_name (old));

    if (figure != NULL && has_same_points (figure, old)) {
      g_atomic_rc_box_release (figure->counts);
      figure->counts = g_atomic_rc_box_acquire (old->counts);
    }
  }
}

gboolean
gst_cca_figures_reset_counts (GstCcaFigures *self, const gchar *name)
{
  const gboolean all = *name == '\0';
  gboolean found = all;
  guint i;

  for (i = 0; i < self->n; i++) {
    GstCcaFigure *figure = gst_cca_figures_at (self, i);

    if (all || g_str_equal (gst_cca_figure_get_name (figure), name)) {
      self->kind->reset_counts (figure);
      found = TRUE;
    }
  }
  return found;
}

/* --- structures ----------------------------------------------------------- */

void
gst_cca_figures_get (const GstCcaFigures *self, GValue *array)
{
  guint i;

  for (i = 0; i < self->n; i++)
    gst_cca_append_structure (array,
        gst_structure_copy (gst_cca_figures_at (self, i)->description));
}

void
gst_cca_figures_take_counts (const GstCcaFigures *self, GstStructure *to,
    const gchar *field)
{
  GValue array = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&array, self->n);
  for (i = 0; i < self->n; i++) {
    const GstCcaFigure *figure = gst_cca_figures_at (self, i);
    GstStructure *s =
        gst_structure_new_empty (gst_cca_figure_get_name (figure));

    self->kind->get_counts (figure, s);
    gst_cca_append_structure (&array, s);
  }
  gst_structure_take_value (to, field, &array);
}
