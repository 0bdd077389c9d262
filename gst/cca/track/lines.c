/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "lines.h"

GstCcaLines *
gst_cca_lines_ref (GstCcaLines * self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
gst_cca_lines_unref (GstCcaLines * self)
{
  guint i;

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  for (i = 0; i < self->n; i++)
    g_free (self->line[i].name);
  g_free (self);
}

static const gchar *
read_line (GstCcaLine * line, const GValue * value)
{
  gint *const coordinates[] = { &line->x1, &line->y1, &line->x2, &line->y2 };
  const GValue *name;
  guint i;

  if (!GST_VALUE_HOLDS_ARRAY (value) || gst_value_array_get_size (value) != 5)
    return "Each line is an array of its own, <name, x1, y1, x2, y2>.";
  name = gst_value_array_get_value (value, 0);
  if (!G_VALUE_HOLDS_STRING (name) || g_value_get_string (name) == NULL)
    return "The name of a line is a string.";
  for (i = 0; i < 4; i++) {
    const GValue *coordinate = gst_value_array_get_value (value, i + 1);

    if (!G_VALUE_HOLDS_INT (coordinate))
      return "The ends of a line are at whole pixels.";
    *coordinates[i] = g_value_get_int (coordinate);
  }
  if (line->x1 == line->x2 && line->y1 == line->y2)
    return "A line without length has no sides.";
  line->name = g_value_dup_string (name);
  return NULL;
}

GstCcaLines *
gst_cca_lines_new (const GValue * array, const gchar ** why)
{
  const guint n = gst_value_array_get_size (array);
  GstCcaLines *self = g_malloc0 (sizeof (*self) + n * sizeof (GstCcaLine));

  *why = NULL;
  self->ref_count = 1;
  for (; self->n < n && *why == NULL; self->n++)
    *why = read_line (&self->line[self->n], gst_value_array_get_value (array,
            self->n));
  if (*why != NULL)
    g_clear_pointer (&self, gst_cca_lines_unref);
  return self;
}

static void
append_int (GValue * array, gint n)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT);
  g_value_set_int (&value, n);
  gst_value_array_append_and_take_value (array, &value);
}

void
gst_cca_lines_get (const GstCcaLines * self, GValue * array)
{
  guint i;

  for (i = 0; i < self->n; i++) {
    const GstCcaLine *l = &self->line[i];
    GValue line = G_VALUE_INIT, name = G_VALUE_INIT;

    gst_value_array_init (&line, 5);
    g_value_init (&name, G_TYPE_STRING);
    g_value_set_string (&name, l->name);
    gst_value_array_append_and_take_value (&line, &name);
    append_int (&line, l->x1);
    append_int (&line, l->y1);
    append_int (&line, l->x2);
    append_int (&line, l->y2);
    gst_value_array_append_and_take_value (array, &line);
  }
}

void
gst_cca_lines_take_counts (const GstCcaLines * self, GstStructure * to,
    const gchar * field)
{
  GValue array = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&array, self->n);
  for (i = 0; i < self->n; i++) {
    const GstCcaLine *l = &self->line[i];
    GValue line = G_VALUE_INIT;

    g_value_init (&line, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&line, gst_structure_new ("line",
            "name", G_TYPE_STRING, l->name,
            "to-left", G_TYPE_UINT64, l->to_left,
            "to-right", G_TYPE_UINT64, l->to_right, NULL));
    gst_value_array_append_and_take_value (&array, &line);
  }
  gst_structure_take_value (to, field, &array);
}

static GstCcaPlace
place (gint x, gint y)
{
  return (GstCcaPlace) {
    (gint64) x * GST_CCA_PLACE_UNITS, (gint64) y * GST_CCA_PLACE_UNITS,
  };
}

GstCcaCrossing
gst_cca_line_find_crossing (const GstCcaLine * line, const GstCcaPlace * from,
    const GstCcaPlace * to)
{
  const GstCcaPlace ends[] = {
    place (line->x1, line->y1), place (line->x2, line->y2),
  };

  return gst_cca_crossing_find (ends, from, to);
}

void
gst_cca_line_count (GstCcaLine * line, GstCcaCrossing crossing)
{
  if (crossing == GST_CCA_CROSSING_TO_LEFT)
    line->to_left++;
  else
    line->to_right++;
}
