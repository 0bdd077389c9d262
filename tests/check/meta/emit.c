/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Stock metas made from a GstCcaMeta. */

#include <gst/analytics/analytics.h>
#include <math.h>

#include "metatest.h"

static guint
count_rois (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

static void
check_roi (GstBuffer *buffer, guint i, const gchar *type, guint width,
    guint height)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  GstVideoRegionOfInterestMeta *roi;
  gdouble centroid_x, centroid_y;
  GstStructure *param;
  GstCcaComponent c;
  guint64 area;

  roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, i + 1);
  fail_unless (roi != NULL);
  fail_unless (gst_cca_meta_get_component_scaled (meta, i, width, height, &c));
  assert_equals_string (g_quark_to_string (roi->roi_type), type);
  assert_equals_int (roi->x, c.x);
  assert_equals_int (roi->y, c.y);
  assert_equals_int (roi->w, c.width);
  assert_equals_int (roi->h, c.height);
  assert_equals_int (g_list_length (roi->params), 1);

  param = gst_video_region_of_interest_meta_get_param (roi, "cca");
  fail_unless (param != NULL);
  fail_unless (gst_structure_get (param, "centroid-x", G_TYPE_DOUBLE,
      &centroid_x, "centroid-y", G_TYPE_DOUBLE, &centroid_y, "area",
      G_TYPE_UINT64, &area, NULL));
  fail_unless (centroid_x == c.centroid_x && centroid_y == c.centroid_y);
  assert_equals_uint64 (area, c.area);
}

TEST (test_roi)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 20, 30);
  guint i;

  assert_equals_int (gst_cca_meta_emit_roi (meta, buffer, "blob", 256, 320,
                         120),
      20);
  assert_equals_int (count_rois (buffer), 20);
  for (i = 0; i < 20; i++)
    check_roi (buffer, i, "blob", 320, 120);
  gst_buffer_unref (buffer);
}

TEST (test_roi_caps_and_defaults)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 20, 30);

  assert_equals_int (gst_cca_meta_emit_roi (meta, buffer, NULL, 0, 0, 0), 0);
  assert_equals_int (count_rois (buffer), 0);
  assert_equals_int (gst_cca_meta_emit_roi (meta, buffer, NULL, 7, 0, 0), 7);
  assert_equals_int (count_rois (buffer), 7);
  check_roi (buffer, 0, "component", TEST_WIDTH, TEST_HEIGHT);
  check_roi (buffer, 6, "component", TEST_WIDTH, TEST_HEIGHT);
  fail_unless (
      gst_buffer_get_video_region_of_interest_meta_id (buffer, 8) == NULL);
  gst_buffer_unref (buffer);
}

static void
check_object (GstBuffer *buffer, guint mtd_id, guint i, const gchar *type,
    guint width, guint height)
{
  GstAnalyticsRelationMeta *relations;
  GstAnalyticsODMtd object;
  gint x, y, w, h;
  GstCcaComponent c;
  gfloat confidence;

  relations = gst_buffer_get_analytics_relation_meta (buffer);
  fail_unless (
      gst_analytics_relation_meta_get_od_mtd (relations, mtd_id, &object));
  fail_unless (
      gst_analytics_od_mtd_get_location (&object, &x, &y, &w, &h, &confidence));
  fail_unless (
      gst_cca_meta_get_component_scaled (gst_buffer_get_cca_meta (buffer), i,
          width, height, &c));
  assert_equals_int (x, c.x);
  assert_equals_int (y, c.y);
  assert_equals_int (w, c.width);
  assert_equals_int (h, c.height);
  fail_unless (confidence == 1.0f);
  assert_equals_string (g_quark_to_string (
                            gst_analytics_od_mtd_get_obj_type (&object)),
      type);
}

TEST (test_analytics)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 20, 30);
  GstAnalyticsRelationMeta *relations;
  guint i;

  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 256, 1280,
                         960),
      20);
  relations = gst_buffer_get_analytics_relation_meta (buffer);
  assert_equals_int (gst_analytics_relation_get_length (relations), 20);
  for (i = 0; i < 20; i++)
    check_object (buffer, i, i, "component", 1280, 960);
  gst_buffer_unref (buffer);
}

/* An analyser before us made the relation meta: ours are added to it. */
TEST (test_analytics_append)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 300, 300);
  GstAnalyticsRelationMeta *relations;
  GstAnalyticsODMtd face;
  guint i;
  gint x, y, w, h;
  gfloat confidence;

  relations = gst_buffer_add_analytics_relation_meta (buffer);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (relations,
      g_quark_from_string ("face"), 1, 2, 3, 4, 0.5f, &face));

  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, "blob", 256, 0,
                         0),
      256);
  assert_equals_int (gst_buffer_get_n_meta (buffer,
                         GST_ANALYTICS_RELATION_META_API_TYPE),
      1);
  assert_equals_int (gst_analytics_relation_get_length (relations), 257);
  fail_unless (
      gst_analytics_od_mtd_get_location (&face, &x, &y, &w, &h, &confidence));
  fail_unless (x == 1 && y == 2 && w == 3 && h == 4 && confidence == 0.5f);
  for (i = 0; i < 256; i++)
    check_object (buffer, i + 1, i, "blob", TEST_WIDTH, TEST_HEIGHT);
  gst_buffer_unref (buffer);
}

#if GST_CHECK_VERSION(1, 26, 0)

/* A component of these pixels, and its moments. */
static void
measure (const guint (*pixels)[2], guint n, GstCcaComponent *c,
    GstCcaFeatures *f)
{
  guint right = 0, bottom = 0, i;

  *c = (GstCcaComponent) {.id = 1,
    .x = G_MAXUINT,
    .y = G_MAXUINT,
    .area = n,
    .track_id = -1};
  *f = (GstCcaFeatures) {0};
  for (i = 0; i < n; i++) {
    const guint64 x = pixels[i][0], y = pixels[i][1];

    c->x = MIN (c->x, x);
    c->y = MIN (c->y, y);
    right = MAX (right, x + 1);
    bottom = MAX (bottom, y + 1);
    c->centroid_x += (gdouble) x / n;
    c->centroid_y += (gdouble) y / n;
    f->xx += x * x;
    f->xy += x * y;
    f->yy += y * y;
  }
  c->width = right - c->x;
  c->height = bottom - c->y;
}

/* With moments an upright rectangle is its own object, and a diagonal one is
 * turned, in a picture that is scaled as it is seen there. Without moments, or
 * with sums that cannot be, the object is the box. */
TEST (test_oriented)
{
  static const guint flat[][2] = {{4, 7}, {5, 7}, {6, 7}, {4, 8}, {5, 8},
    {6, 8}};
  static const guint upright[][2] = {{9, 3}, {9, 4}, {9, 5}, {9, 6}};
  static const guint falling[][2] = {{10, 20}, {11, 21}, {12, 22}, {13, 23},
    {14, 24}, {15, 25}};
  static const guint rising[][2] = {{10, 25}, {11, 24}, {12, 23}, {13, 22},
    {14, 21}, {15, 20}};
  static const guint square[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}};
  static const struct
  {
    const guint (*pixels)[2];
    guint n;
    GstCcaFeatureFlags flags;
    guint width, height; /* of the frame */
    gint x, y, w, h;
    gdouble angle;
    guint64 lie;
  } cases[] = {
    {flat, 6, 1, 640, 480, 4, 7, 3, 2, 0, 0},
    {flat, 6, 7, 0, 0, 4, 7, 3, 2, 0, 0},
    {flat, 6, 1, 1280, 480, 8, 7, 6, 2, 0, 0},
    {flat, 6, 1, 640, 1440, 3, 22, 6, 3, G_PI_2, 0},
    {flat, 6, 1, 800, 672, 5, 10, 4, 3, 0, 0}, /* of 3.75x2.8 pixels */
    {upright, 4, 1, 640, 480, 8, 5, 4, 1, G_PI_2, 0},
    {falling, 6, 1, 640, 480, 9, 23, 8, 1, G_PI_4, 0},
    {rising, 6, 1, 640, 480, 9, 23, 8, 1, 3 * G_PI_4, 0},
    {square, 4, 1, 640, 480, 1, 1, 2, 2, 0, 0},
    {square, 4, 1, 64, 48, 0, 0, 1, 1, 0, 0},
    {falling, 6, 6, 640, 480, 10, 20, 6, 6, 0, 0},
    {falling, 6, 1, 640, 480, 10, 20, 6, 6, 0, (guint64) 1 << 40},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstCcaAnalysis analysis = test_analysis (1);
    GstBuffer *buffer = gst_buffer_new ();
    GstAnalyticsODMtd object;
    gpointer state = NULL;
    GstCcaComponent c;
    GstCcaFeatures f;
    GstCcaMeta *meta;
    gfloat angle, confidence;
    gint x, y, w, h;

    measure (cases[i].pixels, cases[i].n, &c, &f);
    f.xx += cases[i].lie;
    meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, &c, 1);
    gst_cca_meta_set_features_from_records (meta, cases[i].flags, &f, 1);
    assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 9,
                           cases[i].width, cases[i].height),
        1);
    fail_unless (gst_analytics_relation_meta_iterate (
        gst_buffer_get_analytics_relation_meta (buffer), &state,
        gst_analytics_od_mtd_get_mtd_type (), &object));
    fail_unless (gst_analytics_od_mtd_get_oriented_location (&object, &x, &y,
        &w, &h, &angle, &confidence));
    fail_unless (x == cases[i].x && y == cases[i].y && w == cases[i].w
            && h == cases[i].h && fabs (angle - cases[i].angle) < 1e-6,
        "case %u is %dx%d at %d,%d turned by %f", i, w, h, x, y, angle);
    fail_unless (confidence == 1);
    gst_buffer_unref (buffer);
  }
}

/* A picture so large that its diagonal is no integer gets boxes. */
TEST (test_oriented_in_huge_picture)
{
  GstCcaAnalysis analysis = test_analysis (1);
  const GstCcaFeatures f = {.xx = 1};
  const GstCcaComponent c = test_component (7);
  GstBuffer *buffer = gst_buffer_new ();
  gpointer state = NULL;
  GstAnalyticsODMtd object;
  GstCcaMeta *meta;
  gfloat angle, confidence;
  gint x, y, w, h;

  analysis.width = analysis.height = G_MAXINT / 4;
  meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, &c, 1);
  gst_cca_meta_set_features_from_records (meta, 1, &f, 1);
  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 9, 0, 0),
      1);
  fail_unless (gst_analytics_relation_meta_iterate (
      gst_buffer_get_analytics_relation_meta (buffer), &state,
      gst_analytics_od_mtd_get_mtd_type (), &object));
  fail_unless (gst_analytics_od_mtd_get_oriented_location (&object, &x, &y, &w,
      &h, &angle, &confidence));
  fail_unless (x == (gint) c.x && y == (gint) c.y && w == (gint) c.width
      && h == (gint) c.height && angle == 0);
  gst_buffer_unref (buffer);
}

/* A centroid that is not in the picture does not move the object there. */
TEST_LOOP (test_oriented_lies, 0, 2)
{
  const GstCcaAnalysis analysis = test_analysis (1);
  const GstCcaFeatures f = {.xx = 1};
  GstCcaComponent c = test_component (7);
  GstBuffer *buffer = gst_buffer_new ();
  gpointer state = NULL;
  GstAnalyticsODMtd object;
  GstCcaMeta *meta;
  GBytes *bytes;
  gint x, y, w, h;

  *(__i__ ? &c.centroid_x : &c.centroid_y) = 1e12;
  bytes = g_bytes_new (&c, sizeof (c));
  meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);
  g_bytes_unref (bytes);
  gst_cca_meta_set_features_from_records (meta, 1, &f, 1);
  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 9, 0, 0),
      1);
  fail_unless (gst_analytics_relation_meta_iterate (
      gst_buffer_get_analytics_relation_meta (buffer), &state,
      gst_analytics_od_mtd_get_mtd_type (), &object));
  fail_unless (
      gst_analytics_od_mtd_get_location (&object, &x, &y, &w, &h, NULL));
  assert_equals_int (x, c.x);
  assert_equals_int (y, c.y);
  assert_equals_int (w, c.width);
  assert_equals_int (h, c.height);
  gst_buffer_unref (buffer);
}

#endif /* GST_CHECK_VERSION (1, 26, 0) */

TEST (test_no_components)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 0, 0);

  assert_equals_int (gst_cca_meta_emit_roi (meta, buffer, NULL, 256, 0, 0), 0);
  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 256, 0,
                         0),
      0);
  assert_equals_int (count_rois (buffer), 0);
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
}

TEST (test_many_components)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 10000, 20000);
  GstAnalyticsRelationMeta *relations;

  assert_equals_int (gst_cca_meta_emit_roi (meta, buffer, NULL, 256, 0, 0),
      256);
  assert_equals_int (gst_cca_meta_emit_analytics (meta, buffer, NULL, 256, 0,
                         0),
      256);
  assert_equals_int (count_rois (buffer), 256);
  relations = gst_buffer_get_analytics_relation_meta (buffer);
  assert_equals_int (gst_analytics_relation_get_length (relations), 256);
  check_roi (buffer, 255, "component", 0, 0);
  check_object (buffer, 255, 255, "component", 0, 0);
  gst_buffer_unref (buffer);
}

/* The meta of one buffer can describe another, as a thumbnail's. */
TEST (test_other_buffer)
{
  GstBuffer *from = gst_buffer_new (), *to = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (from, 3, 3);

  assert_equals_int (gst_cca_meta_emit_roi (meta, to, NULL, 256, 64, 48), 3);
  assert_equals_int (count_rois (from), 0);
  assert_equals_int (count_rois (to), 3);
  gst_buffer_ref (to);
  EXPECT_CRITICAL (gst_cca_meta_emit_roi (meta, to, NULL, 256, 64, 48));
  EXPECT_CRITICAL (gst_cca_meta_emit_analytics (meta, to, NULL, 256, 64, 48));
  gst_buffer_unref (to);
  assert_equals_int (count_rois (to), 3);
  gst_buffer_unref (from);
  gst_buffer_unref (to);
}

SUITE ("emit");
