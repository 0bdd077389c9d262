/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __META_TEST_H__
#define __META_TEST_H__

#include <string.h>

#include <gst/ccameta/gstccameta.h>
#include <gst/check/check.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

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
  fail_unless_equals_int (gst_cca_meta_get_n_found (meta), n_found);
  fail_unless_equals_int (gst_cca_meta_get_n_components (meta), n);
  fail_unless (gst_cca_meta_is_truncated (meta) == (n < n_found));

  components = gst_cca_meta_get_components (meta, &n_components);
  fail_unless_equals_int (n_components, n);
  fail_unless ((components != NULL) == (n > 0));
  for (i = 0; i < n; i++) {
    const GstCcaComponent want = test_component (i);

    fail_unless (memcmp (&components[i], &want, sizeof (want)) == 0);
  }
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
