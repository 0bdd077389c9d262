/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccashapes
 * @title: GstCcaShapes
 * @short_description: the lines, zones and regions of an analysis
 *
 * A #GstCcaShapes has the lines and zones at which objects are counted, and the
 * regions that are analysed, so that later elements can draw them. It is made
 * once, and all metas share it: gst_cca_meta_set_shapes() only takes a
 * reference. Values of a frame, such as counts, are in the meta.
 *
 * Coordinates are in pixels of the analysed picture, where pixel 0 covers 0 to
 * 1. They may be outside the picture.
 */

#include <math.h>
#include <string.h>

#include "gstccametaprivate.h"

typedef struct
{
  GstCcaShapeKind kind;
  gchar *name;
  gdouble *coordinates;
  guint n_coordinates;
} Shape;

struct _GstCcaShapes
{
  gint ref_count;
  GArray *shapes; /* of Shape */
};

G_DEFINE_BOXED_TYPE (GstCcaShapes, gst_cca_shapes, gst_cca_shapes_ref,
    gst_cca_shapes_unref);

GType
gst_cca_shape_kind_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_SHAPE_KIND_LINE, "Line at which crossings are counted", "line"},
    {GST_CCA_SHAPE_KIND_ZONE, "Polygon in which objects are counted", "zone"},
    {GST_CCA_SHAPE_KIND_INCLUDE, "Polygon that is analysed", "include"},
    {GST_CCA_SHAPE_KIND_EXCLUDE, "Polygon that is not analysed", "exclude"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstCcaShapeKind", values));

  return type;
}

static void
clear_shape (gpointer data)
{
  Shape *shape = data;

  g_free (shape->name);
  g_free (shape->coordinates);
}

/**
 * gst_cca_shapes_new:
 *
 * Makes an empty list. Fill it with gst_cca_shapes_append().
 *
 * Returns: (transfer full): the list. Free it with gst_cca_shapes_unref().
 */
GstCcaShapes *
gst_cca_shapes_new (void)
{
  GstCcaShapes *self = g_new (GstCcaShapes, 1);

  self->ref_count = 1;
  self->shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  g_array_set_clear_func (self->shapes, clear_shape);

  return self;
}

/**
 * gst_cca_shapes_ref:
 * @shapes: a #GstCcaShapes
 *
 * Takes a reference. May be called from any thread.
 *
 * Returns: (transfer full): @shapes
 */
GstCcaShapes *
gst_cca_shapes_ref (GstCcaShapes *shapes)
{
  g_return_val_if_fail (shapes != NULL, NULL);

  g_atomic_int_inc (&shapes->ref_count);

  return shapes;
}

/**
 * gst_cca_shapes_unref:
 * @shapes: (transfer full): a #GstCcaShapes
 *
 * Drops a reference, and frees the list with the last one.
 */
void
gst_cca_shapes_unref (GstCcaShapes *shapes)
{
  g_return_if_fail (shapes != NULL);

  if (!g_atomic_int_dec_and_test (&shapes->ref_count))
    return;
  g_array_unref (shapes->shapes);
  g_free (shapes);
}

gboolean
gst_cca_shape_is_valid (GstCcaShapeKind kind, const gchar *name,
    const gdouble *coordinates, guint n_coordinates)
{
  const guint least = kind == GST_CCA_SHAPE_KIND_LINE ? 4 : 6;
  guint i;

  if ((guint) kind > GST_CCA_SHAPE_KIND_EXCLUDE || *name == '\0'
      || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  if (n_coordinates < least || n_coordinates > 2 * GST_CCA_SHAPES_MAX_POINTS
      || n_coordinates % 2 != 0)
    return FALSE;
  /* NaN fails the comparison. */
  for (i = 0; i < n_coordinates; i++)
    if (!(fabs (coordinates[i]) <= -(gdouble) G_MININT))
      return FALSE;

  return TRUE;
}

/**
 * gst_cca_shapes_append:
 * @shapes: a #GstCcaShapes to which nobody else has a reference
 * @kind: meaning of the shape
 * @name: name in UTF-8, not empty
 * @coordinates: (array length=n_coordinates): x and y of each point
 * @n_coordinates: number of coordinates: twice the number of points, which is
 *   at least 2 for a line, at least 3 for a polygon, and at most
 *   %GST_CCA_SHAPES_MAX_POINTS
 *
 * Appends a shape. A list that is shared is immutable.
 *
 * Returns: %FALSE if an argument is invalid, an absolute coordinate is greater
 *   than 2^31, or the list has %GST_CCA_SHAPES_MAX shapes
 */
gboolean
gst_cca_shapes_append (GstCcaShapes *shapes, GstCcaShapeKind kind,
    const gchar *name, const gdouble *coordinates, guint n_coordinates)
{
  Shape shape = {.kind = kind, .n_coordinates = n_coordinates};

  g_return_val_if_fail (shapes != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (coordinates != NULL || n_coordinates == 0, FALSE);
  g_return_val_if_fail (g_atomic_int_get (&shapes->ref_count) == 1, FALSE);

  if (shapes->shapes->len == GST_CCA_SHAPES_MAX
      || !gst_cca_shape_is_valid (kind, name, coordinates, n_coordinates))
    return FALSE;
  shape.name = g_strdup (name);
  shape.coordinates =
      g_memdup2 (coordinates, n_coordinates * sizeof (*coordinates));
  g_array_append_val (shapes->shapes, shape);

  return TRUE;
}

/**
 * gst_cca_shapes_get_n_shapes:
 * @shapes: a #GstCcaShapes
 *
 * Gets the number of shapes.
 *
 * Returns: the number of shapes
 */
guint
gst_cca_shapes_get_n_shapes (const GstCcaShapes *shapes)
{
  g_return_val_if_fail (shapes != NULL, 0);

  return shapes->shapes->len;
}

static const Shape *
shape_at (const GstCcaShapes *shapes, guint index)
{
  return &g_array_index (shapes->shapes, Shape, index);
}

/**
 * gst_cca_shapes_get_kind:
 * @shapes: a #GstCcaShapes
 * @index: index of the shape, from 0 to the number of shapes, exclusive
 *
 * Gets the meaning of a shape.
 *
 * Returns: the kind
 */
GstCcaShapeKind
gst_cca_shapes_get_kind (const GstCcaShapes *shapes, guint index)
{
  g_return_val_if_fail (index < gst_cca_shapes_get_n_shapes (shapes),
      GST_CCA_SHAPE_KIND_LINE);

  return shape_at (shapes, index)->kind;
}

/**
 * gst_cca_shapes_get_name:
 * @shapes: a #GstCcaShapes
 * @index: index of the shape, from 0 to the number of shapes, exclusive
 *
 * Gets the name of a shape.
 *
 * Returns: (transfer none): the name, owned by @shapes
 */
const gchar *
gst_cca_shapes_get_name (const GstCcaShapes *shapes, guint index)
{
  g_return_val_if_fail (index < gst_cca_shapes_get_n_shapes (shapes), NULL);

  return shape_at (shapes, index)->name;
}

/**
 * gst_cca_shapes_get_coordinates:
 * @shapes: a #GstCcaShapes
 * @index: index of the shape, from 0 to the number of shapes, exclusive
 * @n_coordinates: (out): number of coordinates
 *
 * Gets the points of a shape. To place them in a frame that was scaled after
 * the analysis, multiply them by the ratio of the sizes.
 *
 * Returns: (transfer none) (array length=n_coordinates): x and y of each point,
 *   owned by @shapes
 */
const gdouble *
gst_cca_shapes_get_coordinates (const GstCcaShapes *shapes, guint index,
    guint *n_coordinates)
{
  g_return_val_if_fail (n_coordinates != NULL, NULL);
  *n_coordinates = 0;
  g_return_val_if_fail (index < gst_cca_shapes_get_n_shapes (shapes), NULL);

  *n_coordinates = shape_at (shapes, index)->n_coordinates;

  return shape_at (shapes, index)->coordinates;
}

/* Returns the shapes in another picture. Those outside it are kept, so that
 * indices stay. */
GstCcaShapes *
gst_cca_shapes_map (const GstCcaShapes *shapes, const GstCcaMap *map)
{
  GstCcaShapes *mapped = gst_cca_shapes_new ();
  guint i, k;

  for (i = 0; i < shapes->shapes->len; i++) {
    const Shape *from = shape_at (shapes, i);
    Shape to = *from;

    to.name = g_strdup (from->name);
    to.coordinates = g_new (gdouble, from->n_coordinates);
    for (k = 0; k < from->n_coordinates; k += 2) {
      const gdouble x = from->coordinates[k], y = from->coordinates[k + 1];
      const gdouble limit = -(gdouble) G_MININT;

      to.coordinates[k] =
          CLAMP (map->xx * x + map->xy * y + map->x0, -limit, limit);
      to.coordinates[k + 1] =
          CLAMP (map->yx * x + map->yy * y + map->y0, -limit, limit);
    }
    g_array_append_val (mapped->shapes, to);
  }

  return mapped;
}

/* --- the shapes of a meta ------------------------------------------------- */

/**
 * gst_cca_meta_set_shapes:
 * @meta: a #GstCcaMeta of a writable buffer
 * @shapes: (nullable) (transfer none): the shapes
 * @counts: (nullable) (transfer none): an aligned array of two #guint64 for
 *   each shape: the crossings to the left and to the right of a line, the
 *   objects inside a zone and 0, or two zeros; %NULL if there are none
 *
 * Sets the shapes of a meta. Both arguments are shared, not copied, so that
 * this does not allocate memory. They must not change afterwards.
 */
void
gst_cca_meta_set_shapes (GstCcaMeta *meta, GstCcaShapes *shapes, GBytes *counts)
{
  const guint n = shapes != NULL ? gst_cca_shapes_get_n_shapes (shapes) : 0;

  g_return_if_fail (meta != NULL);
  g_return_if_fail (counts == NULL
      || g_bytes_get_size (counts) == n * GST_CCA_SHAPE_COUNTS_SIZE);

  if (shapes != NULL)
    gst_cca_shapes_ref (shapes);
  if (counts != NULL)
    g_bytes_ref (counts);
  g_clear_pointer (&meta->shapes, gst_cca_shapes_unref);
  g_clear_pointer (&meta->counts, g_bytes_unref);
  meta->shapes = shapes;
  meta->counts = counts;
}

/**
 * gst_cca_meta_get_shapes:
 * @meta: a #GstCcaMeta
 *
 * Gets the lines, zones and regions of the analysis.
 *
 * Returns: (transfer none) (nullable): the shapes, owned by @meta, or %NULL if
 *   there are none
 */
GstCcaShapes *
gst_cca_meta_get_shapes (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return meta->shapes;
}

/* Returns the two counts of a shape of that kind, or NULL. */
static const guint64 *
find_counts (const GstCcaMeta *meta, guint index, GstCcaShapeKind kind)
{
  if (meta->counts == NULL || index >= meta->shapes->shapes->len
      || shape_at (meta->shapes, index)->kind != kind)
    return NULL;

  return (const guint64 *) g_bytes_get_data (meta->counts, NULL) + 2 * index;
}

/**
 * gst_cca_meta_get_line_counts:
 * @meta: a #GstCcaMeta
 * @index: index of a shape
 * @to_left: (out): crossings to the left so far
 * @to_right: (out): crossings to the right so far
 *
 * Gets the counts of a line at this frame.
 *
 * Returns: %FALSE if the shape is not a line, or has no counts
 */
gboolean
gst_cca_meta_get_line_counts (const GstCcaMeta *meta, guint index,
    guint64 *to_left, guint64 *to_right)
{
  const guint64 *counts;

  g_return_val_if_fail (to_left != NULL && to_right != NULL, FALSE);
  *to_left = *to_right = 0;
  g_return_val_if_fail (meta != NULL, FALSE);

  counts = find_counts (meta, index, GST_CCA_SHAPE_KIND_LINE);
  if (counts == NULL)
    return FALSE;
  *to_left = counts[0];
  *to_right = counts[1];

  return TRUE;
}

/**
 * gst_cca_meta_get_zone_count:
 * @meta: a #GstCcaMeta
 * @index: index of a shape
 * @inside: (out): objects inside
 *
 * Gets the count of a zone at this frame.
 *
 * Returns: %FALSE if the shape is not a zone, or has no count
 */
gboolean
gst_cca_meta_get_zone_count (const GstCcaMeta *meta, guint index,
    guint64 *inside)
{
  const guint64 *counts;

  g_return_val_if_fail (inside != NULL, FALSE);
  *inside = 0;
  g_return_val_if_fail (meta != NULL, FALSE);

  counts = find_counts (meta, index, GST_CCA_SHAPE_KIND_ZONE);
  if (counts == NULL)
    return FALSE;
  *inside = counts[0];

  return TRUE;
}
