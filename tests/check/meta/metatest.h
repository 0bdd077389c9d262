/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __META_TEST_H__
#define __META_TEST_H__

#include <string.h>

#include <gst/ccameta/gstccafeatures.h>
#include <gst/ccameta/gstccameta.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "../suite.h"

/* GstCheck's own does not see the log domain of other libraries. */
#define EXPECT_CRITICAL(code)                                               \
G_STMT_START {                                                              \
  g_test_expect_message ("GStreamer-CCA", G_LOG_LEVEL_CRITICAL,             \
      "*assertion*failed*");                                                \
  code;                                                                     \
  g_test_assert_expected_messages ();                                       \
} G_STMT_END

#define TEST_WIDTH 640
#define TEST_HEIGHT 480

static inline GstCcaAnalysis
test_analysis (guint n_found)
{
  GstCcaAnalysis analysis = {
    .width = TEST_WIDTH,
    .height = TEST_HEIGHT,
    .threshold = 128,
    .threshold_high = 65535,
    .connectivity = 8,
    .n_found = n_found,
    .depth = 10,
    .foreground = GST_CCA_FOREGROUND_SIGMA_DELTA,
    .flags = GST_CCA_ANALYSIS_FLAG_WARMING_UP,
  };

  return analysis;
}

/* The i-th test component: valid in the test frame, and unlike the others. */
static inline GstCcaComponent
test_component (guint i)
{
  GstCcaComponent c = {
    .id = i + 1,
    .x = (i * 37) % (TEST_WIDTH - 16),
    .y = (i * 11) % (TEST_HEIGHT - 16),
    .width = 1 + i % 16,
    .height = 1 + i % 13,
    .track_id = -1,
  };

  c.area = MAX (1, c.width * c.height / 2);
  c.centroid_x = c.x + (c.width - 1) / 3.0;
  c.centroid_y = c.y + (c.height - 1) / 7.0;

  return c;
}

static inline GBytes *
test_components (guint n)
{
  GstCcaComponent *components = g_new (GstCcaComponent, n);
  guint i;

  for (i = 0; i < n; i++)
    components[i] = test_component (i);

  return g_bytes_new_take (components, n * sizeof (GstCcaComponent));
}

/* A meta with @n records of @n_found components. */
static inline GstCcaMeta *
test_add_meta (GstBuffer * buffer, guint n, guint n_found)
{
  GstCcaAnalysis analysis = test_analysis (n_found);
  GBytes *components = n ? test_components (n) : NULL;
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, components);

  g_clear_pointer (&components, g_bytes_unref);
  fail_unless (meta != NULL);

  return meta;
}

/* Checks that the meta holds the test components, bit for bit. */
static inline void
test_check_meta (const GstCcaMeta * meta, guint n, guint n_found)
{
  const GstCcaAnalysis analysis = test_analysis (n_found);
  const GstCcaComponent *components;
  guint i, n_components = 12345;

  fail_unless (meta != NULL);
  fail_unless (memcmp (gst_cca_meta_get_analysis (meta), &analysis,
          sizeof (analysis)) == 0);
  assert_equals_int (gst_cca_meta_get_n_found (meta), n_found);
  assert_equals_int (gst_cca_meta_get_n_components (meta), n);
  fail_unless (gst_cca_meta_is_truncated (meta) == (n < n_found));

  components = gst_cca_meta_get_components (meta, &n_components);
  assert_equals_int (n_components, n);
  fail_unless ((components != NULL) == (n > 0));
  for (i = 0; i < n; i++) {
    const GstCcaComponent want = test_component (i);

    fail_unless (memcmp (&components[i], &want, sizeof (want)) == 0);
  }
}

/* Features of n components, all of whose fields are unlike each other. */
static inline GstCcaFeatures *
test_features (guint n)
{
  GstCcaFeatures *features = g_new (GstCcaFeatures, n);
  guint i;

  for (i = 0; i < n; i++)
    features[i] = (GstCcaFeatures) {
    .xx = (guint64) 1 << 62 | i,.xy = 2 + i,.yy = 3 + i,.v = 4 + i,
        .vv = (guint64) 5 << 32 | i,.vx = 6 + i,.vy = 7 + i,.v_min = 8 + i,
        .v_max = 9 + i,.v_max_x = 10 + i,.v_max_y = G_MAXUINT - i,
        .e4 = 12 + i,.q4 = 13 + i,.w1 = 14 + i};

  return features;
}

/* A line and a zone with counts, and two events. */
static inline void
test_add_notes (GstCcaMeta * meta)
{
  static const gdouble line[] = { 1.5, -2, 640, 480 };
  static const gdouble zone[] = { 0, 0, 10, 0, 10, 20 };
  static const guint64 counts[] = { 3, G_MAXUINT64, 5, 0 };
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GBytes *bytes = g_bytes_new (counts, sizeof (counts));
  GstStructure *box = gst_structure_new ("box", "x", G_TYPE_UINT, 5, NULL);
  GstStructure *event = gst_structure_new ("cca-track", "event",
      G_TYPE_STRING, "crossed", "id", G_TYPE_UINT64, G_GUINT64_CONSTANT (7),
      "late", G_TYPE_BOOLEAN, TRUE, "occupancy", G_TYPE_INT64,
      G_GINT64_CONSTANT (-7), "n", G_TYPE_INT, -7, "speed", G_TYPE_DOUBLE,
      0.1, "duplicate-a", G_TYPE_UINT, 1, "duplicate-b", G_TYPE_UINT, 2, "box",
      GST_TYPE_STRUCTURE, box, NULL);

  gst_structure_free (box);

  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "gate",
          line, G_N_ELEMENTS (line)));
  fail_unless (gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "yard",
          zone, G_N_ELEMENTS (zone)));
  gst_cca_meta_set_shapes (meta, shapes, bytes);
  fail_unless (gst_cca_meta_add_event (meta, event));
  fail_unless (gst_structure_is_equal (event,
          gst_cca_meta_get_event (meta, 0)));
  gst_structure_set_name (event, "cca-zone");
  fail_unless (gst_cca_meta_add_event (meta, event));
  gst_structure_free (event);
  g_bytes_unref (bytes);
  gst_cca_shapes_unref (shapes);
}

/* Checks for the same shapes, or other ones with the same values, and for the
 * same counts and events. */
static inline void
test_check_notes (const GstCcaMeta * meta, const GstCcaMeta * want)
{
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  const GstCcaShapes *wanted = gst_cca_meta_get_shapes (want);
  guint i, n, n_wanted;
  guint64 a, b, a_wanted, b_wanted;

  fail_unless (shapes != NULL);
  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 2);
  for (i = 0; i < 2; i++) {
    const gdouble *at = gst_cca_shapes_get_coordinates (shapes, i, &n);
    const gdouble *at_wanted =
        gst_cca_shapes_get_coordinates (wanted, i, &n_wanted);

    assert_equals_int (gst_cca_shapes_get_kind (shapes, i),
        gst_cca_shapes_get_kind (wanted, i));
    assert_equals_string (gst_cca_shapes_get_name (shapes, i),
        gst_cca_shapes_get_name (wanted, i));
    assert_equals_int (n, n_wanted);
    fail_unless (memcmp (at, at_wanted, n * sizeof (*at)) == 0);
    fail_unless (gst_cca_meta_get_line_counts (meta, i, &a, &b)
        == gst_cca_meta_get_line_counts (want, i, &a_wanted, &b_wanted));
    fail_unless (a == a_wanted && b == b_wanted);
    fail_unless (gst_cca_meta_get_zone_count (meta, i, &a)
        == gst_cca_meta_get_zone_count (want, i, &a_wanted));
    assert_equals_uint64 (a, a_wanted);
  }
  assert_equals_int (gst_cca_meta_get_n_events (meta),
      gst_cca_meta_get_n_events (want));
  for (i = 0; i < gst_cca_meta_get_n_events (want); i++)
    fail_unless (gst_structure_is_equal (gst_cca_meta_get_event (meta, i),
            gst_cca_meta_get_event (want, i)));
}

/* A black-ish frame of the test size. */
static inline GstBuffer *
test_frame (GstVideoFormat format)
{
  GstBuffer *buffer;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, TEST_WIDTH, TEST_HEIGHT);
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  gst_buffer_memset (buffer, 0, 16, -1);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;

  return buffer;
}

static inline gboolean
test_have_element (const gchar * name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  if (factory == NULL)
    return FALSE;
  gst_object_unref (factory);

  return TRUE;
}

#endif /* __META_TEST_H__ */
