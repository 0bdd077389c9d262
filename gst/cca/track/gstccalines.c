/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccalines.h"

#include <string.h>

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
    g_free (self->line[i].name);
  g_free (self);
}

static gboolean
has_name (const GstCcaLines *self, const gchar *name)
{
  guint i;

  for (i = 0; i < self->n; i++)
    if (g_str_equal (self->line[i].name, name))
      return TRUE;
  return FALSE;
}

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

  if (s == NULL)
    return g_strdup_printf ("line %u is not a structure", self->n + 1);
  if (!gst_structure_get (s, "x1", G_TYPE_INT, &line->x1, "y1", G_TYPE_INT,
          &line->y1, "x2", G_TYPE_INT, &line->x2, "y2", G_TYPE_INT, &line->y2,
          NULL))
    return refuse_line (s, "needs integers x1, y1, x2 and y2");
  if (line->x1 == line->x2 && line->y1 == line->y2)
    return refuse_line (s, "begins and ends at the same point");
  if (has_name (self, gst_structure_get_name (s)))
    return refuse_line (s, "has the name of another line");
  line->name = g_strdup (gst_structure_get_name (s));
  self->n++;
  return NULL;
}

GstCcaLines *
gst_cca_lines_new (const GValue *array, gchar **why)
{
  const guint n = gst_value_array_get_size (array);
  GstCcaLines *self = g_malloc0 (sizeof (*self) + n * sizeof (GstCcaLine));

  *why = NULL;
  self->ref_count = 1;
  while (self->n < n && *why == NULL)
    *why = add_line (self, gst_value_array_get_value (array, self->n));
  if (*why != NULL)
    g_clear_pointer (&self, gst_cca_lines_unref);
  return self;
}

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

  for (i = 0; i < self->n; i++) {
    const GstCcaLine *l = &self->line[i];

    append_structure (array,
        gst_structure_new (l->name, "x1", G_TYPE_INT, l->x1, "y1", G_TYPE_INT,
            l->y1, "x2", G_TYPE_INT, l->x2, "y2", G_TYPE_INT, l->y2, NULL));
  }
}

void
gst_cca_lines_take_counts (const GstCcaLines *self, GstStructure *to,
    const gchar *field)
{
  GValue array = G_VALUE_INIT;
  guint i;

  gst_value_array_init (&array, self->n);
  for (i = 0; i < self->n; i++) {
    const GstCcaLine *l = &self->line[i];

    append_structure (&array,
        gst_structure_new (l->name, "to-left", G_TYPE_UINT64, l->to_left,
            "to-right", G_TYPE_UINT64, l->to_right, NULL));
  }
  gst_structure_take_value (to, field, &array);
}

/* --- crossings ------------------------------------------------------------ */

typedef __int128 Wide;

/* Twice the signed area of the triangle: positive if c is to the right of the
 * line from a to b, 0 if it is on it. The products need more than 64 bits. */
static Wide
cross_product (const GstCcaPosition *a, const GstCcaPosition *b,
    const GstCcaPosition *c)
{
  return (Wide) (b->x - a->x) * (c->y - a->y)
      - (Wide) (b->y - a->y) * (c->x - a->x);
}

GstCcaCrossing
gst_cca_crossing_find (const GstCcaPosition line[2], const GstCcaPosition *from,
    const GstCcaPosition *to)
{
  const gboolean was_right = cross_product (&line[0], &line[1], from) >= 0;
  const gboolean is_right = cross_product (&line[0], &line[1], to) >= 0;
  Wide begin, end;

  if (was_right == is_right)
    return GST_CCA_CROSSING_NONE;

  /* The path misses the segment if both ends of the segment are on the same
   * side of the path. They cannot both be on the path, as one end of the path
   * is not on the line. */
  begin = cross_product (from, to, &line[0]);
  end = cross_product (from, to, &line[1]);
  if ((begin < 0 && end < 0) || (begin > 0 && end > 0))
    return GST_CCA_CROSSING_NONE;
  return is_right ? GST_CCA_CROSSING_TO_RIGHT : GST_CCA_CROSSING_TO_LEFT;
}

static GstCcaPosition
position (gint x, gint y)
{
  return (GstCcaPosition) {
    (gint64) x * GST_CCA_POSITION_UNITS,
    (gint64) y * GST_CCA_POSITION_UNITS,
  };
}

GstCcaCrossing
gst_cca_line_find_crossing (const GstCcaLine *line, const GstCcaPosition *from,
    const GstCcaPosition *to)
{
  const GstCcaPosition ends[] = {
    position (line->x1, line->y1),
    position (line->x2, line->y2),
  };

  return gst_cca_crossing_find (ends, from, to);
}

void
gst_cca_line_count (GstCcaLine *line, GstCcaCrossing crossing)
{
  if (crossing == GST_CCA_CROSSING_TO_LEFT)
    line->to_left++;
  else
    line->to_right++;
}
