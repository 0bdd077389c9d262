/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Stock metas made from a GstCcaMeta. */

#include <gst/analytics/analytics.h>

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
