/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Lists of shapes, and those of a meta. */

#include <math.h>

#include "metatest.h"

#define LIMIT 2147483648.0

static const gdouble triangle[] = {0, 0, 10.5, 0, 0, -LIMIT};

TEST (test_append)
{
  gdouble many[2 * GST_CCA_SHAPES_MAX_POINTS + 2] = {0};
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  const gdouble *coordinates;
  guint n = 1;

  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 0);
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_EXCLUDE,
      "tree \xc3\xa4", triangle, 6));
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "gate",
      triangle, 4));
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "long",
      many, 2 * GST_CCA_SHAPES_MAX_POINTS));
  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 3);
  assert_equals_int (gst_cca_shapes_get_kind (shapes, 0),
      GST_CCA_SHAPE_KIND_EXCLUDE);
  assert_equals_int (gst_cca_shapes_get_kind (shapes, 1),
      GST_CCA_SHAPE_KIND_LINE);
  assert_equals_string (gst_cca_shapes_get_name (shapes, 0), "tree \xc3\xa4");
  coordinates = gst_cca_shapes_get_coordinates (shapes, 0, &n);
  assert_equals_int (n, 6);
  fail_unless (memcmp (coordinates, triangle, sizeof (triangle)) == 0);
  gst_cca_shapes_get_coordinates (shapes, 1, &n);
  assert_equals_int (n, 4);
  gst_cca_shapes_unref (shapes);
}

TEST (test_invalid)
{
  gdouble many[2 * GST_CCA_SHAPES_MAX_POINTS + 2] = {0};
  const gdouble nan_line[] = {0, 0, NAN, 1};
  const gdouble far_line[] = {0, 0, 1, LIMIT * 1.0001};
  const struct
  {
    gint kind;
    const gchar *name;
    const gdouble *coordinates;
    guint n;
  } bad[] = {
    {GST_CCA_SHAPE_KIND_ZONE, "a", triangle, 4},
    {GST_CCA_SHAPE_KIND_LINE, "a", triangle, 2},
    {GST_CCA_SHAPE_KIND_LINE, "a", triangle, 5},
    {GST_CCA_SHAPE_KIND_LINE, "a", many, 2 * GST_CCA_SHAPES_MAX_POINTS + 2},
    {GST_CCA_SHAPE_KIND_LINE, "", triangle, 4},
    {GST_CCA_SHAPE_KIND_LINE, "\xff", triangle, 4},
    {GST_CCA_SHAPE_KIND_EXCLUDE + 1, "a", triangle, 6},
    {-1, "a", triangle, 6},
    {GST_CCA_SHAPE_KIND_LINE, "a", nan_line, 4},
    {GST_CCA_SHAPE_KIND_LINE, "a", far_line, 4},
  };
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (gst_cca_shapes_append (shapes, bad[i].kind, bad[i].name,
                 bad[i].coordinates, bad[i].n),
        "%u", i);
  for (i = 0; i < GST_CCA_SHAPES_MAX; i++)
    fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a",
        triangle, 4));
  fail_if (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a",
      triangle, 4));
  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), GST_CCA_SHAPES_MAX);
  gst_cca_shapes_unref (shapes);
}

/* A list that a meta has cannot be changed. */
TEST (test_meta)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 1, 1);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  static const guint64 numbers[] = {1, 2, 3, 0, 4, 5};
  GBytes *counts = g_bytes_new (numbers, sizeof (numbers));
  guint64 a = 9, b = 9;

  fail_unless (gst_cca_meta_get_shapes (meta) == NULL);
  fail_if (gst_cca_meta_get_line_counts (meta, 0, &a, &b));
  fail_unless (a == 0 && b == 0);

  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a", triangle, 4);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "b", triangle, 6);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_INCLUDE, "c", triangle, 6);
  gst_cca_meta_set_shapes (meta, shapes, counts);
  fail_unless (gst_cca_meta_get_shapes (meta) == shapes);
  EXPECT_CRITICAL (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "d",
      triangle, 4));
  /* the same again, which the meta alone has in between */
  gst_cca_shapes_unref (shapes);
  g_bytes_unref (counts);
  gst_cca_meta_set_shapes (meta, shapes, counts);

  fail_unless (gst_cca_meta_get_line_counts (meta, 0, &a, &b));
  fail_unless (a == 1 && b == 2);
  fail_if (gst_cca_meta_get_zone_count (meta, 0, &a));
  fail_unless (gst_cca_meta_get_zone_count (meta, 1, &a));
  assert_equals_uint64 (a, 3);
  fail_if (gst_cca_meta_get_line_counts (meta, 1, &a, &b));
  fail_if (gst_cca_meta_get_line_counts (meta, 2, &a, &b));
  fail_if (gst_cca_meta_get_zone_count (meta, 2, &a));
  fail_if (gst_cca_meta_get_zone_count (meta, 3, &a));
  fail_if (gst_cca_meta_get_zone_count (meta, G_MAXUINT, &a));
  assert_equals_uint64 (a, 0);

  gst_cca_meta_set_shapes (meta, shapes, NULL);
  fail_if (gst_cca_meta_get_zone_count (meta, 1, &a));
  gst_buffer_unref (buffer);
}

/* Without a list, a meta or a place for the result the functions fail. */
TEST (test_null_arguments)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 1, 1);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GstStructure *event = gst_structure_new_empty ("cca-zone");
  GBytes *counts = g_bytes_new_static ("", 1);
  guint64 a = 9, b = 9;
  guint n = 9;

  EXPECT_CRITICAL (fail_if (gst_cca_shapes_ref (NULL)));
  EXPECT_CRITICAL (gst_cca_shapes_unref (NULL));
  EXPECT_CRITICAL (fail_if (
      gst_cca_shapes_append (NULL, GST_CCA_SHAPE_KIND_LINE, "a", triangle, 4)));
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_append (shapes,
      GST_CCA_SHAPE_KIND_LINE, NULL, triangle, 4)));
  EXPECT_CRITICAL (fail_if (
      gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a", NULL, 4)));
  fail_if (
      gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a", NULL, 0));
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_get_n_shapes (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_get_kind (shapes, 0)));
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_get_name (shapes, 0)));
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_get_coordinates (shapes, 0, &n)));
  assert_equals_int (n, 0);
  EXPECT_CRITICAL (fail_if (gst_cca_shapes_get_coordinates (shapes, 0, NULL)));

  EXPECT_CRITICAL (gst_cca_meta_set_shapes (NULL, shapes, NULL));
  EXPECT_CRITICAL (gst_cca_meta_set_shapes (meta, shapes, counts));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_shapes (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_line_counts (NULL, 0, &a, &b)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_line_counts (meta, 0, NULL, &b)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_line_counts (meta, 0, &a, NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_zone_count (NULL, 0, &a)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_zone_count (meta, 0, NULL)));
  fail_unless (a == 0 && b == 0);

  EXPECT_CRITICAL (fail_if (gst_cca_meta_add_event (NULL, event)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_add_event (meta, NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_n_events (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_event (NULL, 0)));

  g_bytes_unref (counts);
  gst_structure_free (event);
  gst_cca_shapes_unref (shapes);
  gst_buffer_unref (buffer);
}

TEST (test_kinds)
{
  GEnumClass *kinds = g_type_class_ref (gst_cca_shape_kind_get_type ());

  assert_equals_int (kinds->n_values, 4);
  assert_equals_string (g_enum_get_value (kinds, GST_CCA_SHAPE_KIND_EXCLUDE)
                            ->value_nick,
      "exclude");
  assert_equals_string (g_enum_get_value (kinds, GST_CCA_SHAPE_KIND_LINE)
                            ->value_nick,
      "line");
  g_type_class_unref (kinds);
}

SUITE ("shapes");
