/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Crops, flips, rotations and frames by matrix, which GStreamer has since
 * 1.28. With an older one the library leaves that branch out, so this program
 * declares what is missing and compiles the library's sources itself. */

#include "metatest.h"

#ifndef GST_VIDEO_META_TRANSFORM_IS_MATRIX
#define GST_VIDEO_META_TRANSFORM_IS_MATRIX(type) \
  ((type) == g_quark_from_static_string ("gst-video-matrix"))

typedef struct
{
  const GstVideoInfo *in_info;
  GstVideoRectangle in_rectangle;
  const GstVideoInfo *out_info;
  GstVideoRectangle out_rectangle;
  gfloat matrix[3][3];
} GstVideoMetaTransformMatrix;
#endif

#include "gst/ccameta/gstccatransform.c"

/* An axis-parallel L of 4 x 3 pixels with 6 of its 12 set. */
static const GstCcaComponent the_l = {.id = 3,
  .x = 10,
  .y = 20,
  .width = 4,
  .height = 3,
  .area = 6,
  .centroid_x = 11,
  .centroid_y = 21.5,
  .track_id = 77};

typedef struct
{
  const gchar *name;
  guint in_width, in_height, out_width, out_height;
  GstVideoRectangle in_rectangle, out_rectangle;
  gfloat matrix[2][3];
  guint x, y, width, height; /* width 0: nothing is left */
  guint64 area;
  gdouble cx, cy;
} Case;

#define WHOLE {0, 0, 640, 480}

/* *INDENT-OFF* */
static const Case cases[] = {
  {"identity", 640, 480, 640, 480, WHOLE, WHOLE, {{1, 0, 0}, {0, 1, 0}}, 10, 20,
    4, 3, 6, 11, 21.5},
  {"horizontal flip", 640, 480, 640, 480, WHOLE, WHOLE,
    {{-1, 0, 640}, {0, 1, 0}}, 626, 20, 4, 3, 6, 628, 21.5},
  {"vertical flip", 640, 480, 640, 480, WHOLE, WHOLE, {{1, 0, 0}, {0, -1, 480}},
    10, 457, 4, 3, 6, 11, 457.5},
  {"rotated by 90 degrees", 640, 480, 480, 640, WHOLE, {0, 0, 480, 640},
    {{0, -1, 480}, {1, 0, 0}}, 457, 10, 3, 4, 6, 457.5, 11},
  {"transposed", 640, 480, 480, 640, WHOLE, {0, 0, 480, 640},
    {{0, 1, 0}, {1, 0, 0}}, 20, 10, 3, 4, 6, 21.5, 11},
  {"crop around it", 640, 480, 100, 50, {8, 16, 100, 50}, {0, 0, 100, 50},
    {{1, 0, 0}, {0, 1, 0}}, 2, 4, 4, 3, 6, 3, 5.5},
  {"crop through it", 640, 480, 100, 50, {12, 20, 100, 50}, {0, 0, 100, 50},
    {{1, 0, 0}, {0, 1, 0}}, 0, 0, 2, 3, 6, -0.5, 1.5},
  {"crop that leaves a corner", 640, 480, 100, 50, {13, 22, 100, 50},
    {0, 0, 100, 50}, {{1, 0, 0}, {0, 1, 0}}, 0, 0, 1, 1, 1, -0.5, -0.5},
  {"crop just past it", 640, 480, 100, 50, {14, 20, 100, 50}, {0, 0, 100, 50},
    {{1, 0, 0}, {0, 1, 0}}, 0, 0, 0, 0, 0, 0, 0},
  {"crop just before it", 640, 480, 10, 480, {0, 0, 10, 480}, {0, 0, 10, 480},
    {{1, 0, 0}, {0, 1, 0}}, 0, 0, 0, 0, 0, 0, 0},
  {"halved between borders", 640, 480, 400, 400, WHOLE, {40, 80, 320, 240},
    {{0.5f, 0, 0}, {0, 0.5f, 0}}, 45, 90, 2, 2, 2, 45.25, 90.5},
  {"crop between borders", 640, 480, 640, 480, {8, 16, 20, 20},
    {100, 200, 20, 20}, {{1, 0, 0}, {0, 1, 0}}, 102, 204, 4, 3, 6, 103, 205.5},
  {"halved crop", 640, 480, 100, 50, {8, 16, 200, 100}, {0, 0, 100, 50},
    {{0.5f, 0, 0}, {0, 0.5f, 0}}, 1, 2, 2, 2, 2, 1.25, 2.5},
  /* a float's third must not spill over the next pixel */
  {"a third", 1920, 1440, 640, 480, {0, 0, 1920, 1440}, WHOLE,
    {{1.0f / 3, 0, 0}, {0, 1.0f / 3, 0}}, 10, 20, 4, 3, 6, 11, 21.5},
  {"crop of a picture scaled before", 1280, 960, 100, 100, {16, 40, 100, 100},
    {0, 0, 100, 100}, {{1, 0, 0}, {0, 1, 0}}, 4, 0, 8, 6, 24, 6.5, 3.5},
};
/* *INDENT-ON* */

static gboolean
transform (GstBuffer *dest, const Case *t, GstMeta *meta)
{
  GstVideoMetaTransformMatrix m = {.in_rectangle = t->in_rectangle,
    .out_rectangle = t->out_rectangle};
  GstVideoInfo in, out;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, t->in_width,
      t->in_height);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, t->out_width,
      t->out_height);
  m.in_info = &in;
  m.out_info = &out;
  memcpy (m.matrix, t->matrix, sizeof (t->matrix));
  m.matrix[2][2] = 1;

  return meta->info->transform_func (dest, meta, NULL,
      g_quark_from_static_string ("gst-video-matrix"), &m);
}

static GstMeta *
add_l (GstBuffer *buffer)
{
  const GstCcaAnalysis analysis = test_analysis (5);
  GBytes *bytes = g_bytes_new (&the_l, sizeof (the_l));
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);

  g_bytes_unref (bytes);

  return GST_META_CAST (meta);
}

TEST_LOOP (test_matrix, 0, G_N_ELEMENTS (cases))
{
  const Case *t = &cases[__i__];
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  const GstCcaAnalysis *analysis;
  const GstCcaMeta *meta;
  GstCcaComponent c;

  GST_INFO ("%s", t->name);
  fail_unless (transform (dest, t, add_l (buffer)));
  meta = gst_buffer_get_cca_meta (dest);
  analysis = gst_cca_meta_get_analysis (meta);
  assert_equals_int (analysis->width, t->out_width);
  assert_equals_int (analysis->height, t->out_height);
  assert_equals_int (analysis->threshold, 128);
  assert_equals_int (analysis->connectivity, 8);
  fail_unless (
      gst_cca_meta_fits_frame (meta, dest, t->out_width, t->out_height, 1, 1));
  fail_if (gst_cca_meta_fits_frame (meta, dest, t->out_width, 2 * t->out_height,
      1, 1));

  if (t->width == 0) {
    assert_equals_int (gst_cca_meta_get_n_components (meta), 0);
    assert_equals_int (gst_cca_meta_get_n_found (meta), 4);
  } else {
    assert_equals_int (gst_cca_meta_get_n_found (meta), 5);
    fail_unless (gst_cca_meta_get_component (meta, 0, &c));
    assert_equals_int (c.id, 3);
    assert_equals_int (c.track_id, 77);
    assert_equals_int (c.x, t->x);
    assert_equals_int (c.y, t->y);
    assert_equals_int (c.width, t->width);
    assert_equals_int (c.height, t->height);
    assert_equals_uint64 (c.area, t->area);
    fail_unless (ABS (c.centroid_x - t->cx) < 1e-4);
    fail_unless (ABS (c.centroid_y - t->cy) < 1e-4);
    fail_unless (gst_cca_component_is_valid (&c, analysis));
  }
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* The features of the pixels that are cut off are unknown. */
TEST (test_no_features)
{
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = add_l (buffer);
  GstCcaFeatures *features = test_features (1);

  gst_cca_meta_set_features_from_records ((GstCcaMeta *) meta, 7, features, 1);
  fail_unless (transform (dest, &cases[0], meta));
  assert_equals_int (gst_cca_meta_get_feature_flags (
                         gst_buffer_get_cca_meta (dest)),
      0);
  g_free (features);
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* Shapes are moved, but neither clipped nor removed: their order and their
 * counts stay. */
TEST (test_shapes)
{
  static const Case t = {"halved crop", 640, 480, 100, 50, {8, 16, 200, 100},
    {0, 0, 100, 50}, {{0, 0.5f, 3}, {0.5f, 0, 0}}, 0, 0, 0, 0, 0, 0, 0};
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = add_l (buffer);
  const GstCcaMeta *mapped;
  GstCcaShapes *shapes;
  const gdouble *at;
  guint64 a, b;
  guint n;

  fail_unless (transform (dest, &t, meta));
  fail_unless (
      gst_cca_meta_get_shapes (gst_buffer_get_cca_meta (dest)) == NULL);
  gst_buffer_remove_meta (dest, GST_META_CAST (gst_buffer_get_cca_meta (dest)));

  test_add_notes ((GstCcaMeta *) meta);
  fail_unless (transform (dest, &t, meta));
  mapped = gst_buffer_get_cca_meta (dest);
  shapes = gst_cca_meta_get_shapes (mapped);
  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 2);
  assert_equals_int (gst_cca_shapes_get_kind (shapes, 1),
      GST_CCA_SHAPE_KIND_ZONE);
  assert_equals_string (gst_cca_shapes_get_name (shapes, 1), "yard");
  at = gst_cca_shapes_get_coordinates (shapes, 0, &n);
  assert_equals_int (n, 4);
  /* x = (y - 16) / 2 + 3 and y = (x - 8) / 2 */
  assert_equals_float (at[0], -6);
  assert_equals_float (at[1], -3.25);
  assert_equals_float (at[2], 235);
  assert_equals_float (at[3], 316);
  fail_unless (gst_cca_meta_get_line_counts (mapped, 0, &a, &b));
  fail_unless (a == 3 && b == G_MAXUINT64);
  fail_unless (gst_cca_meta_get_zone_count (mapped, 1, &a));
  assert_equals_uint64 (a, 5);
  assert_equals_int (gst_cca_meta_get_n_events (mapped), 2);
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* Coordinates are limited to the range of a list. */
TEST (test_far_shapes)
{
  static const Case t = {"doubled", 640, 480, 1280, 960, {0, 0, 640, 480},
    {0, 0, 1280, 960}, {{2, 0, 0}, {0, 2, 0}}, 0, 0, 0, 0, 0, 0, 0};
  static const gdouble far[] = {2e9, -2e9, -2e9, 2e9};
  const gdouble limit = -(gdouble) G_MININT;
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = add_l (buffer);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  const gdouble *at;
  guint n;

  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "far", far, 4);
  gst_cca_meta_set_shapes ((GstCcaMeta *) meta, shapes, NULL);
  gst_cca_shapes_unref (shapes);
  fail_unless (transform (dest, &t, meta));
  at = gst_cca_shapes_get_coordinates (gst_cca_meta_get_shapes (
                                           gst_buffer_get_cca_meta (dest)),
      0, &n);
  assert_equals_int (n, 4);
  assert_equals_float (at[0], limit);
  assert_equals_float (at[1], -limit);
  assert_equals_float (at[2], -limit);
  assert_equals_float (at[3], limit);
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* Transformations that boxes cannot follow drop the meta: perspectives,
 * not-a-number, unknown ones. */
TEST (test_refused)
{
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = add_l (buffer);
  GstVideoInfo info;
  GstVideoMetaTransformMatrix m = {.in_info = &info,
    .in_rectangle = WHOLE,
    .out_info = &info,
    .out_rectangle = WHOLE,
    .matrix = {{1, 0, 0}, {0, 1, 0}, {0.001f, 0, 1}}};
  const GQuark type = g_quark_from_static_string ("gst-video-matrix");

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 640, 480);
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  m.matrix[2][0] = 0;
  m.matrix[2][1] = 0.001f;
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  m.matrix[2][1] = 0;
  m.matrix[2][2] = 2;
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  m.matrix[2][2] = 1;
  m.matrix[1][1] = NAN;
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  m.matrix[1][1] = 1;
  fail_if (meta->info->transform_func (dest, meta, buffer,
      g_quark_from_static_string ("of-some-later-version"), &m));
  fail_unless (gst_buffer_get_cca_meta (dest) == NULL);
  fail_unless (meta->info->transform_func (dest, meta, buffer, type, &m));
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* No components stay none; a meta that was never filled in has no size. */
TEST (test_empty)
{
  const GstCcaAnalysis analysis = test_analysis (0);
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta =
      GST_META_CAST (gst_buffer_add_cca_meta (buffer, &analysis, NULL));
  GstVideoInfo info;
  GstVideoMetaTransformMatrix m = {.in_info = &info,
    .in_rectangle = WHOLE,
    .out_info = &info,
    .out_rectangle = WHOLE,
    .matrix = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const GQuark type = g_quark_from_static_string ("gst-video-matrix");

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 640, 480);
  fail_unless (meta->info->transform_func (dest, meta, buffer, type, &m));
  assert_equals_int (gst_cca_meta_get_n_components (
                         gst_buffer_get_cca_meta (dest)),
      0);
  gst_buffer_remove_meta (dest, GST_META_CAST (gst_buffer_get_cca_meta (dest)));
  ((GstCcaMeta *) meta)->analysis.height = 0;
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  ((GstCcaMeta *) meta)->analysis.width = 0;
  fail_if (meta->info->transform_func (dest, meta, buffer, type, &m));
  fail_unless (gst_buffer_get_cca_meta (dest) == NULL);
  gst_buffer_unref (dest);
  gst_buffer_unref (buffer);
}

/* Order and ids stay, and the remaining boxes are valid, for any matrix. */
TEST (test_random)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMeta *meta = GST_META_CAST (test_add_meta (buffer, 500, 600));
  GRand *rand = g_rand_new_with_seed (7);
  guint i, j, n, last_id;

  for (i = 0; i < 500; i++) {
    const Case t = {NULL, g_rand_int_range (rand, 1, 2000),
      g_rand_int_range (rand, 1, 2000), g_rand_int_range (rand, 1, 2000),
      g_rand_int_range (rand, 1, 2000),
      {g_rand_int_range (rand, -50, 50), g_rand_int_range (rand, -50, 50),
        g_rand_int_range (rand, 1, 900), g_rand_int_range (rand, 1, 900)},
      {g_rand_int_range (rand, -50, 50), g_rand_int_range (rand, -50, 50),
        g_rand_int_range (rand, 1, 900), g_rand_int_range (rand, 1, 900)},
      {{g_rand_double_range (rand, -2, 2), g_rand_double_range (rand, -1, 1),
         g_rand_double_range (rand, -300, 600)},
        {g_rand_double_range (rand, -1, 1), g_rand_double_range (rand, -2, 2),
          g_rand_double_range (rand, -300, 600)}},
      0, 0, 0, 0, 0, 0, 0};
    GstBuffer *dest = gst_buffer_new ();
    const GstCcaComponent *c;
    const GstCcaMeta *mapped;

    fail_unless (transform (dest, &t, meta));
    mapped = gst_buffer_get_cca_meta (dest);
    c = gst_cca_meta_get_components (mapped, &n);
    assert_equals_int (gst_cca_meta_get_n_found (mapped), n + 100);
    for (j = 0, last_id = 0; j < n; j++) {
      fail_unless (gst_cca_component_is_valid (&c[j],
          gst_cca_meta_get_analysis (mapped)));
      fail_unless (c[j].id > last_id);
      last_id = c[j].id;
    }
    gst_buffer_unref (dest);
  }
  g_rand_free (rand);
  gst_buffer_unref (buffer);
}

SUITE ("matrix");
