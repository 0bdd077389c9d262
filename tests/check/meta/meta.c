/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Adding, reading and scaling. */

#include "metatest.h"

TEST (test_api)
{
  const gchar *const *tags;

  assert_equals_string (g_type_name (GST_CCA_META_API_TYPE), "GstCcaMetaAPI");
  tags = gst_meta_api_type_get_tags (GST_CCA_META_API_TYPE);
  assert_equals_string (tags[0], GST_META_TAG_VIDEO_STR);
  fail_unless (tags[1] == NULL);
  fail_unless (GST_CCA_META_INFO == gst_meta_get_info ("GstCcaMeta"));
  fail_unless (GST_CCA_META_INFO->api == GST_CCA_META_API_TYPE);
}

static gpointer
get_info_thread (gpointer start)
{
  while (!g_atomic_int_get ((gint *) start))
    g_thread_yield ();

  return (gpointer) gst_cca_meta_get_info ();
}

TEST (test_register_from_threads)
{
  GThread *threads[16];
  gint start = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, get_info_thread, &start);
  g_atomic_int_set (&start, 1);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    fail_unless (g_thread_join (threads[i]) == GST_CCA_META_INFO);
}

TEST (test_add_get)
{
  static const guint sizes[][2] = {
    {0, 0},
    {0, 7},
    {1, 1},
    {1, 2},
    {5, 5},
    {300, 300},
    {10000, 20000},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBuffer *buffer = gst_buffer_new ();
    GstCcaMeta *meta;

    fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
    meta = test_add_meta (buffer, sizes[i][0], sizes[i][1]);
    fail_unless (gst_buffer_get_cca_meta (buffer) == meta);
    test_check_meta (meta, sizes[i][0], sizes[i][1]);
    fail_unless (gst_buffer_remove_meta (buffer, GST_META_CAST (meta)));
    fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
    gst_buffer_unref (buffer);
  }
}

TEST (test_get_component)
{
  const GstCcaComponent untouched = {.id = 99, .x = 98, .area = 97};
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 3, 3);
  GstCcaComponent c, want;

  fail_unless (gst_cca_meta_get_component (meta, 2, &c));
  want = test_component (2);
  fail_unless (memcmp (&c, &want, sizeof (c)) == 0);

  c = untouched;
  fail_if (gst_cca_meta_get_component (meta, 3, &c));
  fail_if (gst_cca_meta_get_component (meta, G_MAXUINT, &c));
  fail_if (gst_cca_meta_get_component_scaled (meta, 3, 10, 10, &c));
  fail_unless (memcmp (&c, &untouched, sizeof (c)) == 0);

  gst_buffer_unref (buffer);
}

TEST (test_invalid_arguments)
{
  GstBuffer *buffer = gst_buffer_new (), *ref;
  const GstCcaAnalysis good = test_analysis (2);
  GBytes *components = test_components (2);
  GBytes *partial = g_bytes_new_from_bytes (components, 0, 100);
  GBytes *odd =
      g_bytes_new_from_bytes (components, 1, sizeof (GstCcaComponent));
  GstCcaAnalysis bad[10];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    bad[i] = good;
  bad[0].width = 0;
  bad[1].height = 0;
  bad[2].width = (guint) G_MAXINT + 1;
  bad[3].height = G_MAXUINT;
  bad[4].connectivity = 0;
  bad[5].connectivity = 6;
  bad[6].n_found = 1;
  bad[7].n_found = TEST_WIDTH * TEST_HEIGHT + 1;
  bad[8].width = bad[8].height = 1;
  bad[9].depth = 17;
  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    EXPECT_CRITICAL (gst_buffer_add_cca_meta (buffer, &bad[i], components));

  EXPECT_CRITICAL (gst_buffer_add_cca_meta (buffer, NULL, components));
  EXPECT_CRITICAL (gst_buffer_add_cca_meta (buffer, &good, partial));
  EXPECT_CRITICAL (gst_buffer_add_cca_meta (buffer, &good, odd));
  ref = gst_buffer_ref (buffer);
  EXPECT_CRITICAL (gst_buffer_add_cca_meta (buffer, &good, components));
  gst_buffer_unref (ref);

  fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
  fail_unless (gst_buffer_add_cca_meta (buffer, &good, components) != NULL);

  g_bytes_unref (odd);
  g_bytes_unref (partial);
  g_bytes_unref (components);
  gst_buffer_unref (buffer);
}

/* Without a buffer, a meta or a result pointer the functions fail. */
TEST (test_null_arguments)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 2, 3);
  GstBuffer *no_buffers[] = {NULL, (GstBuffer *) GST_CAPS_ANY};
  const GstCcaAnalysis analysis = test_analysis (0);
  GstCcaComponent component;
  guint i, n = 99;

  for (i = 0; i < G_N_ELEMENTS (no_buffers); i++) {
    GstBuffer *none = no_buffers[i];

    EXPECT_CRITICAL (fail_if (gst_buffer_add_cca_meta (none, &analysis, NULL)));
    EXPECT_CRITICAL (fail_if (gst_buffer_get_cca_meta (none)));
    EXPECT_CRITICAL (
        fail_if (gst_cca_meta_emit_roi (meta, none, NULL, 9, 0, 0)));
    EXPECT_CRITICAL (
        fail_if (gst_cca_meta_emit_analytics (meta, none, NULL, 9, 0, 0)));
  }
  EXPECT_CRITICAL (
      fail_if (gst_cca_meta_emit_roi (NULL, buffer, NULL, 9, 0, 0)));
  EXPECT_CRITICAL (
      fail_if (gst_cca_meta_emit_analytics (NULL, buffer, NULL, 9, 0, 0)));

  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_analysis (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_n_components (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_n_found (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_is_truncated (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_components (NULL, &n)));
  assert_equals_int (n, 0);
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_components (meta, NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_component (NULL, 0, &component)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_component (meta, 0, NULL)));
  EXPECT_CRITICAL (
      fail_if (gst_cca_meta_get_component_scaled (NULL, 0, 1, 1, &component)));
  EXPECT_CRITICAL (
      fail_if (gst_cca_meta_get_component_scaled (meta, 0, 1, 1, NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_component_copy (NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_analysis_copy (NULL)));
  gst_cca_component_free (NULL);
  gst_cca_analysis_free (NULL);
  gst_buffer_unref (buffer);
}

static void
count_free (gpointer count)
{
  (*(guint *) count)++;
}

/* Copies of records that are checked one by one. */
TEST (test_from_components)
{
  const GstCcaAnalysis analysis = test_analysis (3);
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaComponent c[3] = {test_component (0), test_component (1),
    test_component (2)};
  GstCcaMeta *meta;
  guint i;

  meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, 3);
  memset (c, 0, sizeof (c));
  test_check_meta (meta, 3, 3);
  gst_buffer_remove_meta (buffer, GST_META_CAST (meta));

  meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, NULL, 0);
  test_check_meta (meta, 0, 3);
  gst_buffer_remove_meta (buffer, GST_META_CAST (meta));

  for (i = 0; i < 3; i++)
    c[i] = test_component (i);
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components (NULL, &analysis, c, 3));
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components ((GstBuffer *) GST_CAPS_ANY,
          &analysis, c, 3));
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components (buffer, NULL, c, 3));
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, NULL, 1));
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, 4));
  c[2].x = TEST_WIDTH - c[2].width + 1;
  EXPECT_CRITICAL (fail_unless (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, 3)
      == NULL));
  fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);

  gst_buffer_ref (buffer);
  EXPECT_CRITICAL (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, 2));
  gst_buffer_unref (buffer);
  gst_buffer_unref (buffer);
}

TEST (test_fits_frame)
{
  static const struct
  {
    guint par_n, par_d; /* of the picture, which has 640x480 pixels */
    guint width, height, frame_par_n, frame_par_d;
    gboolean fits;
  } cases[] = {
    {1, 1, 640, 480, 1, 1, TRUE},
    {1, 1, 320, 240, 1, 1, TRUE},
    {1, 1, 1, 1, 1, 1, TRUE},
    {1, 1, 640, 479, 1, 1, TRUE},
    {1, 1, 638, 480, 1, 1, TRUE},
    {1, 1, 640, 476, 1, 1, FALSE},
    {1, 1, 636, 480, 1, 1, FALSE},
    {1, 1, 480, 640, 1, 1, FALSE},
    {16, 15, 640, 480, 1, 1, FALSE},
    {16, 15, 640, 450, 1, 1, TRUE},
    {1, 1, 320, 480, 2, 1, TRUE},
    {1, 1, 320, 480, 1, 2, FALSE},
    {16, 15, 640, 480, 12, 11, FALSE},
    {1, 1, G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, FALSE},
    {G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, 4, 3, TRUE},
    /* not known, and far from the tolerance */
    {0, 0, 10, 480, 1, 1, TRUE},
    {0, 1, 10, 480, 1, 1, TRUE},
    {1, 0, 10, 480, 1, 1, TRUE},
    {1, 1, 10, 480, 0, 1, TRUE},
    {1, 1, 10, 480, 1, 0, TRUE},
  };
  GstBuffer *buffer = gst_buffer_new (), *copy;
  GstCcaMeta *meta = test_add_meta (buffer, 1, 1);
  GstVideoCropMeta *crop;
  guint i;

  fail_unless (gst_cca_meta_fits_frame (meta, buffer, 1, 100, 1, 1));
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gst_cca_meta_set_pixel_aspect_ratio (meta, cases[i].par_n, cases[i].par_d);
    copy = gst_buffer_copy (buffer);
    assert_equals_int (gst_cca_meta_fits_frame (gst_buffer_get_cca_meta (copy),
                           copy, cases[i].width, cases[i].height,
                           cases[i].frame_par_n, cases[i].frame_par_d),
        cases[i].fits);
    gst_buffer_unref (copy);
  }

  /* a crop that is only noted says it all */
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->width = 640;
  crop->height = 480;
  fail_unless (gst_cca_meta_fits_frame (meta, buffer, 1, 100, 1, 1));
  crop->height = 479;
  fail_if (gst_cca_meta_fits_frame (meta, buffer, 640, 480, 1, 1));
  crop->width = 639;
  crop->height = 480;
  fail_if (gst_cca_meta_fits_frame (meta, buffer, 640, 480, 1, 1));

  EXPECT_CRITICAL (gst_cca_meta_fits_frame (NULL, buffer, 1, 1, 1, 1));
  EXPECT_CRITICAL (gst_cca_meta_fits_frame (meta, NULL, 1, 1, 1, 1));
  EXPECT_CRITICAL (
      gst_cca_meta_fits_frame (meta, (GstBuffer *) GST_CAPS_ANY, 1, 1, 1, 1));
  EXPECT_CRITICAL (gst_cca_meta_fits_frame (meta, buffer, 0, 1, 1, 1));
  EXPECT_CRITICAL (gst_cca_meta_fits_frame (meta, buffer, 1, 0, 1, 1));
  EXPECT_CRITICAL (gst_cca_meta_set_pixel_aspect_ratio (NULL, 1, 1));
  gst_buffer_unref (buffer);
}

TEST (test_table_is_shared)
{
  static GstCcaComponent record;
  const GstCcaAnalysis analysis = test_analysis (1);
  GstBuffer *buffer = gst_buffer_new (), *copy;
  guint n, n_freed = 0;
  GstCcaMeta *meta;
  GBytes *bytes;

  record = test_component (0);
  bytes = g_bytes_new_with_free_func (&record, sizeof (record), count_free,
      &n_freed);
  meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);
  g_bytes_unref (bytes);
  fail_unless (gst_cca_meta_get_components (meta, &n) == &record);

  copy = gst_buffer_copy (buffer);
  gst_buffer_unref (buffer);
  assert_equals_int (n_freed, 0);
  meta = gst_buffer_get_cca_meta (copy);
  fail_unless (gst_cca_meta_get_components (meta, &n) == &record);

  gst_buffer_unref (copy);
  assert_equals_int (n_freed, 1);
}

/* In a copy of the table, and only where that is needed. */
TEST (test_track_ids)
{
  static const gint64 none[] = {-1, -1, -1}, some[] = {7, -1, 9};
  GstBuffer *buffer = gst_buffer_new (), *copy;
  GstCcaMeta *meta = test_add_meta (buffer, 3, 5), *other;
  const GstCcaComponent *table, *c;
  guint n, i, par_n, par_d;

  gst_cca_meta_set_pixel_aspect_ratio (meta, 4, 3);
  table = gst_cca_meta_get_components (meta, &n);
  fail_unless (gst_cca_meta_set_track_ids (meta, none, 3));
  fail_unless (gst_cca_meta_get_components (meta, &n) == table);

  copy = gst_buffer_copy (buffer);
  other = gst_buffer_get_cca_meta (copy);
  fail_unless (gst_cca_meta_set_track_ids (other, some, 3));
  fail_unless (gst_cca_meta_get_components (meta, &n) == table);
  c = gst_cca_meta_get_components (other, &n);
  assert_equals_int (n, 3);
  for (i = 0; i < 3; i++) {
    GstCcaComponent expected = table[i];

    assert_equals_int (table[i].track_id, -1);
    expected.track_id = some[i];
    fail_unless (memcmp (&c[i], &expected, sizeof (expected)) == 0);
  }
  assert_equals_int (gst_cca_meta_get_n_found (other), 5);
  gst_cca_meta_get_pixel_aspect_ratio (other, &par_n, &par_d);
  fail_unless (par_n == 4 && par_d == 3);
  gst_buffer_unref (buffer);

  EXPECT_CRITICAL (gst_cca_meta_get_pixel_aspect_ratio (NULL, &par_n, &par_d));
  EXPECT_CRITICAL (gst_cca_meta_get_pixel_aspect_ratio (other, NULL, &par_d));
  EXPECT_CRITICAL (gst_cca_meta_get_pixel_aspect_ratio (other, &par_n, NULL));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_set_track_ids (NULL, some, 3)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_set_track_ids (other, some, 2)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_set_track_ids (other, NULL, 3)));
  gst_buffer_unref (copy);

  buffer = gst_buffer_new ();
  meta = test_add_meta (buffer, 0, 0);
  fail_unless (gst_cca_meta_set_track_ids (meta, NULL, 0));
  gst_buffer_unref (buffer);
}

/* As the track ids alone, which keep the zones. */
TEST (test_zones)
{
  static const gint64 ids[] = {7, -1, 9}, others[] = {8, 2, -1};
  static const guint64 none[] = {0, 0, 0};
  static const guint64 some[] = {1, 0, (guint64) 1 << 63};
  GstBuffer *buffer = gst_buffer_new (), *copy;
  GstCcaMeta *meta = test_add_meta (buffer, 3, 5), *other;
  const GstCcaComponent *table, *c;
  guint n, i;

  fail_unless (gst_cca_meta_set_track_ids (meta, ids, 3));
  table = gst_cca_meta_get_components (meta, &n);
  fail_unless (gst_cca_meta_set_tracks (meta, ids, none, 3));
  fail_unless (gst_cca_meta_get_components (meta, &n) == table);

  copy = gst_buffer_copy (buffer);
  other = gst_buffer_get_cca_meta (copy);
  fail_unless (gst_cca_meta_set_tracks (other, ids, some, 3));
  c = gst_cca_meta_get_components (other, &n);
  assert_equals_int (n, 3);
  for (i = 0; i < 3; i++) {
    GstCcaComponent expected = table[i];

    assert_equals_uint64 (table[i].zones, 0);
    expected.zones = some[i];
    fail_unless (memcmp (&c[i], &expected, sizeof (expected)) == 0);
  }
  gst_buffer_unref (buffer);

  fail_unless (gst_cca_meta_set_track_ids (other, others, 3));
  c = gst_cca_meta_get_components (other, &n);
  for (i = 0; i < 3; i++) {
    assert_equals_int64 (c[i].track_id, others[i]);
    assert_equals_uint64 (c[i].zones, some[i]);
  }
  fail_unless (gst_cca_meta_set_tracks (other, others, some, 3));
  fail_unless (gst_cca_meta_get_components (other, &n) == c);
  gst_buffer_unref (copy);
}

/* A buffer pool clears its pooled metas instead of freeing them. */
TEST (test_clear)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 4, 9);
  guint n = 12345, par_n, par_d;

  gst_cca_meta_set_pixel_aspect_ratio (meta, 1, 1);
  GST_CCA_META_INFO->clear_func (buffer, GST_META_CAST (meta));
  gst_cca_meta_get_pixel_aspect_ratio (meta, &par_n, &par_d);
  fail_if (par_n || par_d);
  assert_equals_int (gst_cca_meta_get_n_components (meta), 0);
  assert_equals_int (gst_cca_meta_get_n_found (meta), 0);
  fail_unless (gst_cca_meta_get_components (meta, &n) == NULL);
  assert_equals_int (n, 0);
  gst_buffer_unref (buffer);
}

TEST (test_boxed)
{
  const GstCcaComponent component = test_component (5);
  GstCcaAnalysis analysis = test_analysis (5);
  gpointer copy;

  copy = g_boxed_copy (GST_TYPE_CCA_COMPONENT, &component);
  fail_unless (copy != &component);
  fail_unless (memcmp (copy, &component, sizeof (component)) == 0);
  g_boxed_free (GST_TYPE_CCA_COMPONENT, copy);

  copy = g_boxed_copy (GST_TYPE_CCA_ANALYSIS, &analysis);
  fail_unless (copy != &analysis);
  fail_unless (memcmp (copy, &analysis, sizeof (analysis)) == 0);
  g_boxed_free (GST_TYPE_CCA_ANALYSIS, copy);

  copy = gst_cca_component_new (component.id, component.x, component.y,
      component.width, component.height, component.area, component.centroid_x,
      component.centroid_y);
  fail_unless (memcmp (copy, &component, sizeof (component)) == 0);
  gst_cca_component_free (copy);

  copy = gst_cca_analysis_new (TEST_WIDTH, TEST_HEIGHT, 5);
  analysis.depth = 8;
  analysis.threshold_high = 255;
  analysis.foreground = GST_CCA_FOREGROUND_THRESHOLD;
  analysis.flags = GST_CCA_ANALYSIS_FLAG_NONE;
  fail_unless (memcmp (copy, &analysis, sizeof (analysis)) == 0);
  gst_cca_analysis_free (copy);
}

TEST (test_foreground)
{
  static const gchar *const nicks[] = {
    "threshold",
    "otsu",
    "difference",
    "sigma-delta",
  };
  GFlagsClass *flags = g_type_class_ref (GST_TYPE_CCA_ANALYSIS_FLAGS);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (nicks); i++)
    assert_equals_string (gst_cca_foreground_get_nick (i), nicks[i]);
  fail_unless (gst_cca_foreground_get_nick (i) == NULL);
  fail_unless (gst_cca_foreground_get_nick (G_MAXUINT) == NULL);
  assert_equals_int (g_flags_get_value_by_nick (flags, "warming-up")->value,
      GST_CCA_ANALYSIS_FLAG_WARMING_UP);
  g_type_class_unref (flags);
}

typedef struct
{
  guint ref_width, ref_height;
  guint x, y, width, height;
  guint64 area;
  gdouble cx, cy;
  guint to_width, to_height;
  guint want_x, want_y, want_width, want_height;
  guint64 want_area;
  gdouble want_cx, want_cy;
} ScaleCase;

static const ScaleCase scale_cases[] = {
  /* halved: outwards, area 7 / 4 = 1.75 */
  {640, 480, 2, 4, 3, 4, 7, 3.5, 5.5, 320, 240, 1, 2, 2, 2, 2, 1.5, 2.5},
  /* doubled */
  {320, 240, 2, 4, 3, 4, 7, 3.5, 5.5, 640, 480, 4, 8, 6, 8, 28, 7.5, 11.5},
  /* one axis only; area 10 / 4 = 2.5, halves up */
  {100, 100, 10, 10, 5, 2, 10, 12, 10.25, 25, 100, 2, 10, 2, 2, 3, 2.625,
    10.25},
  /* to a single pixel: area at least 1, centroid in its area */
  {1920, 1080, 1919, 1079, 1, 1, 1, 1919, 1079, 1, 1, 0, 0, 1, 1, 1,
    1919.5 / 1920 - 0.5, 1079.5 / 1080 - 0.5},
  /* from a single pixel */
  {1, 1, 0, 0, 1, 1, 1, 0, 0, 7, 3, 0, 0, 7, 3, 21, 3, 1},
  /* thirds: 1..2 becomes 0.33..0.67 */
  {3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0},
  /* the whole frame stays the whole frame */
  {1919, 1079, 0, 0, 1919, 1079, 1919 * 1079, 959, 539, 1280, 720, 0, 0, 1280,
    720, 1280 * 720, 639.5, 359.5},
  /* the largest numbers there are */
  {G_MAXINT, 1, 0, 0, G_MAXINT, 1, G_MAXINT, G_MAXINT / 2, 0, G_MAXUINT, 1, 0,
    0, G_MAXUINT, 1, G_MAXUINT, G_MAXUINT / 2.0 - 0.5, 0},
  /* records that leave the frame are clipped, without overflow */
  {640, 480, G_MAXUINT, 479, G_MAXUINT, G_MAXUINT, 1, 0, 0, 320, 240, 319, 239,
    1, 1, 1, -0.25, -0.25},
};

TEST_LOOP (test_scaled, 0, G_N_ELEMENTS (scale_cases))
{
  const ScaleCase *t = &scale_cases[__i__];
  GstBuffer *buffer = gst_buffer_new ();
  const GstCcaAnalysis analysis = {.width = t->ref_width,
    .height = t->ref_height,
    .connectivity = 4,
    .n_found = 1};
  const GstCcaComponent component = {.id = 1,
    .x = t->x,
    .y = t->y,
    .width = t->width,
    .height = t->height,
    .area = t->area,
    .centroid_x = t->cx,
    .centroid_y = t->cy,
    .track_id = 42};
  GBytes *bytes = g_bytes_new (&component, sizeof (component));
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);
  GstCcaComponent c;

  fail_unless (gst_cca_meta_get_component_scaled (meta, 0, t->to_width,
      t->to_height, &c));
  assert_equals_uint64 (c.x, t->want_x);
  assert_equals_uint64 (c.y, t->want_y);
  assert_equals_uint64 (c.width, t->want_width);
  assert_equals_uint64 (c.height, t->want_height);
  assert_equals_uint64 (c.area, t->want_area);
  fail_unless (ABS (c.centroid_x - t->want_cx) <= 1e-12 * t->to_width);
  fail_unless (ABS (c.centroid_y - t->want_cy) <= 1e-12 * t->to_height);
  assert_equals_int (c.id, 1);
  assert_equals_int64 (c.track_id, 42);

  /* the analysed size gives the record itself */
  fail_unless (gst_cca_meta_get_component_scaled (meta, 0, t->ref_width,
      t->ref_height, &c));
  fail_unless (memcmp (&c, &component, sizeof (c)) == 0);
  fail_unless (gst_cca_meta_get_component_scaled (meta, 0, 0, 0, &c));
  fail_unless (memcmp (&c, &component, sizeof (c)) == 0);

  g_bytes_unref (bytes);
  gst_buffer_unref (buffer);
}

/* The scaled box is the smallest that holds the exact one. */
TEST (test_scaled_exhaustive)
{
  GstCcaAnalysis analysis = {.height = 1, .connectivity = 8, .n_found = 1};
  GstCcaComponent component = {.id = 1, .height = 1, .area = 1}, c;
  guint from, to, x, width;

  for (from = 1; from <= 12; from++) {
    for (x = 0; x < from; x++) {
      for (width = 1; x + width <= from; width++) {
        GstBuffer *buffer = gst_buffer_new ();
        GstCcaMeta *meta;
        GBytes *bytes;

        analysis.width = from;
        component.x = x;
        component.width = width;
        bytes = g_bytes_new (&component, sizeof (component));
        meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);
        for (to = 1; to <= 30; to++) {
          guint end;

          gst_cca_meta_get_component_scaled (meta, 0, to, 1, &c);
          end = c.x + c.width;
          fail_unless (c.x * from <= x * to && (c.x + 1) * from > x * to);
          fail_unless (end * from >= (x + width) * to);
          fail_unless ((end - 1) * from < (x + width) * to);
          fail_unless (end <= to && c.y == 0 && c.height == 1);
        }
        g_bytes_unref (bytes);
        gst_buffer_unref (buffer);
      }
    }
  }
}

SUITE ("meta");
