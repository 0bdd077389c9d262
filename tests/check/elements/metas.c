/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The metas that cca attaches. */

#include "util.h"

#include <gst/analytics/analytics.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 65
#define HEIGHT 49

static Picture picture;
static GArray *expected;

static void
setup (void)
{
  picture = picture_new (WIDTH, HEIGHT, noise, 4);
  expected = expect (&picture, &default_look);
  fail_unless (expected->len > 8);
}

static void
teardown (void)
{
  picture_clear (&picture);
  g_array_unref (expected);
}

static guint
n_metas (GstBuffer *buffer, GType api)
{
  return gst_buffer_get_n_meta (buffer, api);
}

/* Regions of interest are the first n components, and are of that type. */
static void
assert_regions (GstBuffer *buffer, guint n, const gchar *type)
{
  guint i;

  assert_equals_int (n_metas (buffer,
                         GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
      n);
  for (i = 0; i < n; i++) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_get_video_region_of_interest_meta_id (buffer, e->id);

    fail_unless (roi != NULL);
    assert_equals_string (g_quark_to_string (roi->roi_type), type);
    assert_equals_int (roi->x, e->x);
    assert_equals_int (roi->y, e->y);
    assert_equals_int (roi->w, e->width);
    assert_equals_int (roi->h, e->height);
  }
}

static void
assert_objects (GstBuffer *buffer, guint n, const gchar *type)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsODMtd object;
  guint i = 0;

  if (n == 0) {
    fail_unless (relations == NULL);
    return;
  }
  fail_unless (relations != NULL);
  while (gst_analytics_relation_meta_iterate (relations, &state,
      gst_analytics_od_mtd_get_mtd_type (), &object)) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);
    gint x, y, w, h;
    gfloat confidence;

    fail_unless (gst_analytics_od_mtd_get_location (&object, &x, &y, &w, &h,
        &confidence));
    assert_equals_int (x, e->x);
    assert_equals_int (y, e->y);
    assert_equals_int (w, e->width);
    assert_equals_int (h, e->height);
    assert_equals_string (g_quark_to_string (
                              gst_analytics_od_mtd_get_obj_type (&object)),
        type);
    i++;
  }
  assert_equals_int (i, n);
}

TEST (test_meta_types)
{
  GstHarness *h = harness_new ("cca", FORMAT, WIDTH, HEIGHT, NULL);
  guint types;

  for (types = 0; types < 8; types++) {
    GstBuffer *buffer;

    if (types == 7) {
      gst_harness_teardown (h);
      h = harness_new ("cca object-type=spot", FORMAT, WIDTH, HEIGHT, NULL);
    }
    gst_harness_set (h, "cca", "meta-types", types, "max-objects",
        types == 7 ? 5 : 256, NULL);
    buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
    assert_equals_int (n_metas (buffer, GST_CCA_META_API_TYPE), types & 1);
    /* max-objects does not limit the components themselves */
    if (types & 1)
      assert_components (gst_buffer_get_cca_meta (buffer), expected);
    assert_regions (buffer, types & 2 ? types == 7 ? 5 : expected->len : 0,
        types == 7 ? "spot" : "component");
    assert_objects (buffer, types & 4 ? types == 7 ? 5 : expected->len : 0,
        types == 7 ? "spot" : "component");
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* No components is a result too. */
TEST (test_nothing_found)
{
  Picture empty = picture_new (WIDTH, HEIGHT, nothing, 0);
  GstHarness *h = harness_new ("cca meta-types=cca+roi+analytics", FORMAT,
      WIDTH, HEIGHT, NULL);
  GstBuffer *buffer;
  GstCcaMeta *meta;

  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &empty, NULL));
  meta = gst_buffer_get_cca_meta (buffer);
  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_meta_get_n_components (meta), 0);
  assert_equals_int (gst_cca_meta_get_n_found (meta), 0);
  fail_if (gst_cca_meta_is_truncated (meta));
  g_array_set_size (expected, 0);
  assert_regions (buffer, 0, NULL);
  assert_objects (buffer, 0, NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&empty);
}

/* Each element attaches its own, in the order of the pipeline. */
TEST (test_two_elements)
{
  GstHarness *h = harness_new ("cca name=a threshold=200 ! cca name=b "
                               "connectivity=4",
      FORMAT, WIDTH, HEIGHT, NULL);
  Look look = default_look;
  GArray *found;
  GstBuffer *buffer;

  buffer = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  assert_equals_int (n_metas (buffer, GST_CCA_META_API_TYPE), 2);
  look.threshold = 200;
  found = expect (&picture, &look);
  assert_components (nth_meta (buffer, 0), found);
  assert_equals_int (gst_cca_meta_get_analysis (nth_meta (buffer, 0))
                         ->threshold,
      200);
  g_array_unref (found);
  look = default_look;
  look.connectivity = 4;
  found = expect (&picture, &look);
  assert_components (nth_meta (buffer, 1), found);
  assert_equals_int (gst_cca_meta_get_analysis (nth_meta (buffer, 1))
                         ->connectivity,
      4);
  g_array_unref (found);
  /* analysers share one relation meta */
  assert_equals_int (n_metas (buffer, GST_ANALYTICS_RELATION_META_API_TYPE), 1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Each element adds objects until the buffer has its own max-objects. */
TEST (test_two_elements_share_a_bound)
{
  static const struct
  {
    const gchar *description;
    guint n_objects, n_regions;
  } cases[] = {
    {"cca max-objects=5 ! cca max-objects=5", 5, 0},
    {"cca max-objects=5 ! cca max-objects=8 object-type=other", 8, 0},
    {"cca max-objects=8 ! cca max-objects=5", 8, 0},
    {"cca max-objects=5 meta-types=roi ! cca max-objects=7 meta-types=roi+"
     "analytics",
      7, 7},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h =
        harness_new (cases[i].description, FORMAT, WIDTH, HEIGHT, NULL);
    GstBuffer *buffer =
        gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));

    assert_equals_int (gst_analytics_relation_get_length (
                           gst_buffer_get_analytics_relation_meta (buffer)),
        cases[i].n_objects);
    assert_equals_int (n_metas (buffer,
                           GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
        cases[i].n_regions);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

/* Metas outlive the element. */
TEST (test_record_memory)
{
  GstHarness *h =
      harness_new ("cca meta-types=cca", FORMAT, WIDTH, HEIGHT, NULL);
  GstBuffer *kept[40];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kept); i++)
    kept[i] = gst_harness_push_and_pull (h, frame_new (FORMAT, &picture, NULL));
  gst_harness_teardown (h);
  for (i = 0; i < G_N_ELEMENTS (kept); i++) {
    assert_components (gst_buffer_get_cca_meta (kept[i]), expected);
    gst_buffer_unref (kept[i]);
  }
}

SUITE ("metas", .setup = setup, .teardown = teardown);
