/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaexpand: stock metas from a GstCcaMeta, in the current size. */

#include "util.h"

#include <stdio.h>
#include <time.h>

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccalabelsmeta.h>

/* Five blocks of 2x3 pixels in a picture of 20x10. */
static GstBuffer *
analysed (void)
{
  const GstCcaAnalysis analysis = {
    .width = 20,
    .height = 10,
    .threshold = 128,
    .threshold_high = 65535,
    .connectivity = 8,
    .n_found = 5,
  };
  GstCcaComponent components[5];
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 40 * 30, NULL);
  GBytes *bytes;
  guint i;

  for (i = 0; i < 5; i++)
    components[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = 4 * i,
      .y = i,
      .width = 2,
      .height = 3,
      .area = 6,
      .centroid_x = 4 * i + 0.5,
      .centroid_y = i + 1,
      .track_id = -1,
    };
  bytes = g_bytes_new (components, sizeof (components));
  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, bytes) != NULL);
  g_bytes_unref (bytes);
  return buffer;
}

static GstHarness *
expander (const gchar *description, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (description);

  gst_harness_set_src_caps_str (h, caps);
  return h;
}

static guint
n_regions (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
}

static guint
n_objects (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);

  return relations ? gst_analytics_relation_get_length (relations) : 0;
}

/* In any memory; the frames became twice as wide and thrice as high. */
TEST_LOOP (test_scaled, 0, 4)
{
  static const gchar *const caps[] = {
    "video/x-raw,format=GRAY8,width=40,height=30,framerate=25/1",
    "video/x-raw,format=RGBA,width=40,height=30,framerate=25/1",
    "video/x-raw(memory:CUDAMemory),format=NV12,width=40,height=30,"
    "framerate=25/1",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12,width=40,"
    "height=30,framerate=25/1",
  };
  GstHarness *h = expander ("ccaexpand", caps[__i__]);
  GstBuffer *in = analysed ();
  GstBuffer *out = gst_harness_push_and_pull (h, in);
  gpointer state = NULL;
  GstAnalyticsODMtd object;
  guint i;

  fail_unless (out == in);
  assert_equals_int (n_regions (out), 5);
  assert_equals_int (n_objects (out), 5);
  for (i = 0; i < 5; i++) {
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_get_video_region_of_interest_meta_id (out, i + 1);
    gint x, y, width, height;

    fail_unless (roi != NULL);
    assert_equals_string (g_quark_to_string (roi->roi_type), "component");
    assert_equals_int (roi->x, 8 * i);
    assert_equals_int (roi->y, 3 * i);
    assert_equals_int (roi->w, 4);
    assert_equals_int (roi->h, 9);
    fail_unless (gst_analytics_relation_meta_iterate (
        gst_buffer_get_analytics_relation_meta (out), &state,
        gst_analytics_od_mtd_get_mtd_type (), &object));
    fail_unless (gst_analytics_od_mtd_get_location (&object, &x, &y, &width,
        &height, NULL));
    assert_equals_int (x, 8 * i);
    assert_equals_int (y, 3 * i);
    assert_equals_int (width, 4);
    assert_equals_int (height, 9);
  }
  /* existing metas stay */
  fail_unless (gst_buffer_get_cca_meta (out) != NULL);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

#define CAPS "video/x-raw,format=GRAY8,width=20,height=10,framerate=25/1"

TEST (test_properties)
{
  GstHarness *h = expander ("ccaexpand", CAPS);
  guint types;

  for (types = 0; types < 8; types++) {
    GstBuffer *buffer;

    if (types == 4) {
      gst_harness_teardown (h);
      h = expander ("ccaexpand object-type=spot", CAPS);
    }
    gst_harness_set (h, "ccaexpand", "meta-types", types, "max-objects",
        types < 4 ? 256 : 2, NULL);
    buffer = gst_harness_push_and_pull (h, analysed ());
    assert_equals_int (n_regions (buffer), types & 2 ? types < 4 ? 5 : 2 : 0);
    assert_equals_int (n_objects (buffer), types & 4 ? 2 : 0);
    if (types & 2)
      assert_equals_string (
          g_quark_to_string (
              gst_buffer_get_video_region_of_interest_meta_id (buffer, 1)
                  ->roi_type),
          types < 4 ? "component" : "spot");
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* Existing objects of the type are not added again. Objects of other types and
 * of the other kind have no effect. */
TEST_LOOP (test_twice, 0, 4)
{
  static const struct
  {
    const gchar *description;
    guint n; /* regions, and objects */
  } cases[] = {
    {"ccaexpand ! ccaexpand name=second", 5},
    {"ccaexpand ! ccaexpand object-type=other", 10},
    {"ccaexpand meta-types=roi ! ccaexpand name=second", 5},
    {"ccaexpand meta-types=analytics ! ccaexpand name=second", 5},
  };
  GstHarness *h = expander (cases[__i__].description, CAPS);
  GstBuffer *buffer = gst_harness_push_and_pull (h, analysed ());

  assert_equals_int (n_regions (buffer), cases[__i__].n);
  assert_equals_int (n_objects (buffer), cases[__i__].n);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Shared buffers without components pass unchanged. With components a copy gets
 * the objects, and the caller's reference stays unchanged. */
TEST (test_shared)
{
  GstHarness *h = expander ("ccaexpand", CAPS);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 200, NULL);
  GstBuffer *out = gst_harness_push_and_pull (h, gst_buffer_ref (in));

  fail_unless (out == in);
  gst_buffer_unref (out);
  gst_buffer_unref (in);

  in = analysed ();
  out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
  fail_unless (out != in);
  fail_unless (
      gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  assert_equals_int (n_regions (in) + n_objects (in), 0);
  assert_equals_int (n_regions (out), 5);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
  gst_harness_teardown (h);
}

TEST (test_two_metas)
{
  GstHarness *h = harness_new ("cca meta-types=cca ! cca meta-types=cca "
                               "invert=true ! ccaexpand",
      GST_VIDEO_FORMAT_GRAY8, 8, 8, NULL);
  Picture picture = picture_new (8, 8, checkerboard, 0);
  GstBuffer *buffer = gst_harness_push_and_pull (h,
      frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));

  assert_equals_int (n_regions (buffer), 2);
  assert_equals_int (n_objects (buffer), 2);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

static guint
one_block (guint x, guint y, guint seed)
{
  return x >= 8 && x < 12 && y >= 4 && y < 10 ? 255 : 0;
}

/* Through stock elements that scale and convert. */
TEST (test_after_scale)
{
  GstHarness *h =
      harness_new ("cca ! videoscale ! videoconvert ! "
                   "video/x-raw,format=BGRA,width=40,height=60 ! ccaexpand "
                   "meta-types=roi",
          GST_VIDEO_FORMAT_I420, 20, 20, NULL);
  Picture picture = picture_new (20, 20, one_block, 0);
  GstBuffer *buffer = gst_harness_push_and_pull (h,
      frame_new (GST_VIDEO_FORMAT_I420, &picture, NULL));
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_get_video_region_of_interest_meta_id (buffer, 1);

  assert_equals_int (n_regions (buffer), 1);
  assert_equals_int (roi->x, 16);
  assert_equals_int (roi->y, 12);
  assert_equals_int (roi->w, 8);
  assert_equals_int (roi->h, 18);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* --- one bound for the buffer --------------------------------------------- */

#define MANY "video/x-raw,format=GRAY8,width=1000,height=1000,framerate=25/1"

/* A meta of n pixels, the first of which is at (0, first). */
static void
add_many (GstBuffer *buffer, guint n, guint first)
{
  const GstCcaAnalysis analysis = {
    .width = 1000,
    .height = 1000,
    .connectivity = 8,
    .n_found = n,
  };
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  guint i;

  for (i = 0; i < n; i++)
    components[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = i % 1000,
      .y = first + i / 1000,
      .width = 1,
      .height = 1,
      .area = 1,
      .centroid_x = i % 1000,
      .centroid_y = first + i / 1000,
      .track_id = -1,
    };
  fail_unless (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, components, n)
      != NULL);
  g_free (components);
}

/* Some entries of another analyser, each related to the next. */
static void
add_faces (GstBuffer *buffer, guint n)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_add_analytics_relation_meta (buffer);
  GstAnalyticsODMtd face;
  guint i;

  for (i = 0; i < n; i++) {
    fail_unless (gst_analytics_relation_meta_add_od_mtd (relations,
        g_quark_from_static_string ("face"), i, 2, 3, 4, 0.5f, &face));
    if (i > 0)
      fail_unless (gst_analytics_relation_meta_set_relation (relations,
          GST_ANALYTICS_REL_TYPE_IS_PART_OF, i - 1, i));
  }
}

static void
assert_faces (GstBuffer *buffer, guint n)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd face;
  gint x, y, width, height;
  guint i;

  for (i = 0; i < n; i++) {
    fail_unless (gst_analytics_relation_meta_get_od_mtd (relations, i, &face));
    fail_unless (gst_analytics_od_mtd_get_location (&face, &x, &y, &width,
        &height, NULL));
    fail_unless (x == (gint) i && y == 2 && width == 3 && height == 4);
    if (i > 0)
      fail_unless (
          gst_analytics_relation_meta_get_relation (relations, i - 1, i)
          == GST_ANALYTICS_REL_TYPE_IS_PART_OF);
  }
}

/* Row of the nth entry, an object of ours. */
static gint
row_of_object (GstBuffer *buffer, guint n)
{
  GstAnalyticsODMtd object;
  gint x, y, width, height;

  fail_unless (gst_analytics_relation_meta_get_od_mtd (
      gst_buffer_get_analytics_relation_meta (buffer), n, &object));
  fail_unless (gst_analytics_od_mtd_get_location (&object, &x, &y, &width,
      &height, NULL));
  return y;
}

/* A buffer has at most max-objects of a kind afterwards: its metas share them in
 * order, and objects of other elements count. */
TEST (test_one_bound)
{
  static const struct
  {
    guint max_objects, faces, metas, per_meta;
    guint objects, regions;
    gint last_row; /* of our objects; -1: there are none */
  } cases[] = {
    {256, 0, 100, 256, 256, 256, 0},
    {256, 0, 100, 100, 256, 256, 2},
    {256, 100, 3, 100, 256, 256, 1},
    {256, 255, 3, 100, 256, 256, 0},
    {256, 256, 3, 100, 256, 256, -1},
    {256, 300, 3, 100, 300, 256, -1},
    {4096, 0, 100, 256, 4096, 4096, 15},
    {300, 1, 3, 100, 300, 300, 2},
    {4096, 1000, 3, 100, 1300, 300, 2},
    /* a relation meta that others made grows by 5 entries at a time */
    {4096, 1, 100, 256, 4096, 4096, 15},
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h = expander ("ccaexpand", MANY);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1000000, NULL);
    clock_t start;

    gst_harness_set (h, "ccaexpand", "max-objects", cases[i].max_objects, NULL);
    if (cases[i].faces > 0)
      add_faces (buffer, cases[i].faces);
    for (j = 0; j < cases[i].metas; j++)
      add_many (buffer, cases[i].per_meta, j);

    start = clock ();
    buffer = gst_harness_push_and_pull (h, buffer);
    fail_unless (clock () - start < CLOCKS_PER_SEC, "case %u takes %f s", i,
        (gdouble) (clock () - start) / CLOCKS_PER_SEC);

    assert_equals_int (n_objects (buffer), cases[i].objects);
    assert_equals_int (n_regions (buffer), cases[i].regions);
    assert_faces (buffer, cases[i].faces);
    if (cases[i].last_row >= 0)
      assert_equals_int (row_of_object (buffer, cases[i].objects - 1),
          cases[i].last_row);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

/* Objects beyond the limit cause one warning, and another one after new caps or
 * a new segment. */
TEST (test_left_out_warning)
{
  GstHarness *h = expander ("ccaexpand max-objects=4", CAPS);
  guint i;

  warnings_begin ("ccaexpand");
  for (i = 0; i < 9; i++) {
    if (i == 3)
      push_caps (h,
          gst_caps_from_string ("video/x-raw,format=GRAY8,width=40,"
                                "height=20,framerate=25/1"));
    else if (i == 6)
      push_segment (h);
    gst_buffer_unref (gst_harness_push_and_pull (h, analysed ()));
    assert_equals_int (warnings_seen (), 1 + i / 3);
  }
  gst_harness_set (h, "ccaexpand", "max-objects", 5, NULL);
  push_segment (h);
  gst_buffer_unref (gst_harness_push_and_pull (h, analysed ()));
  assert_equals_int (warnings_seen (), 3);

  /* of one kind only, because the buffer has another object of that kind */
  for (i = 0; i < 2; i++) {
    GstBuffer *buffer = analysed ();

    push_segment (h);
    if (i == 0)
      gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 1, 2, 2);
    else
      add_faces (buffer, 1);
    gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
    assert_equals_int (warnings_seen (), 4 + i);
  }
  warnings_end ();
  gst_harness_teardown (h);
}

/* --- a picture that is not the analysed one ------------------------------- */

#define MISFIT "cropped, framed, rotated or stretched after it was analysed"

/* Metas of frames that stock elements scaled are expanded. Those of cropped
 * frames are not if the aspect ratio shows it. */
TEST (test_fits)
{
  static const struct
  {
    const gchar *par, *between;
    gboolean fits;
  } cases[] = {
    {"1/1", "identity", TRUE},
    {"1/1", "videocrop left=20", FALSE},
    {"1/1", "videocrop bottom=4", FALSE},
    {"1/1", "videocrop left=20 ! videoscale ! video/x-raw,width=200", FALSE},
    {"1/1", "videoscale ! video/x-raw,width=40", TRUE},
    {"1/1", "videoscale ! video/x-raw,width=1366,height=768", TRUE},
    {"1/1", "videoscale ! video/x-raw,width=101,pixel-aspect-ratio=1/1", TRUE},
    {"1/1",
      "videoscale ! video/x-raw,width=7 ! videoscale ! "
      "video/x-raw,width=99",
      TRUE},
    /* x and y by different factors, in pixels of another shape */
    {"1/1", "videoscale ! video/x-raw,width=40,height=60", TRUE},
    {"16/15", "videoscale ! video/x-raw,height=60,pixel-aspect-ratio=1/1",
      TRUE},
    {"1/1",
      "videoscale ! video/x-raw,width=72,height=60,"
      "pixel-aspect-ratio=10/9",
      TRUE},
    {"16/15", "videocrop top=6 bottom=6", FALSE},
    /* borders; stretched */
    {"1/1",
      "videoscale ! video/x-raw,width=40,height=60,"
      "pixel-aspect-ratio=1/1",
      FALSE},
    {"1/1",
      "videoscale add-borders=false ! video/x-raw,width=40,height=60,"
      "pixel-aspect-ratio=1/1",
      FALSE},
  };
  Picture picture = picture_new (80, 60, one_block, 0);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *description = g_strdup_printf ("cca meta-types=cca ! %s ! "
                                          "ccaexpand",
        cases[i].between);
    GstHarness *h = gst_harness_new_parse (description);
    GstCaps *caps = frame_caps (GST_VIDEO_FORMAT_GRAY8, 80, 60);
    GstBus *bus = gst_bus_new ();
    gint par_n, par_d;

    sscanf (cases[i].par, "%d/%d", &par_n, &par_d);
    gst_caps_set_simple (caps, "pixel-aspect-ratio", GST_TYPE_FRACTION, par_n,
        par_d, NULL);
    gst_element_set_bus (h->element, bus);
    gst_harness_set_src_caps (h, caps);
    for (j = 0; j < 2; j++) {
      GstBuffer *buffer = gst_harness_push_and_pull (h,
          frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));

      fail_unless (gst_buffer_get_cca_meta (buffer) != NULL);
      fail_unless (n_regions (buffer) == (cases[i].fits ? 1 : 0),
          "%u regions after '%s'", n_regions (buffer), cases[i].between);
      assert_equals_int (n_objects (buffer), cases[i].fits ? 1 : 0);
      gst_buffer_unref (buffer);
    }
    assert_equals_int (count_warning_messages (bus, MISFIT), !cases[i].fits);
    harness_free (h, bus);
    g_free (description);
  }
  picture_clear (&picture);
}

/* A crop meta of any aspect ratio, attached before or after the analysis. */
TEST (test_crop_meta)
{
  static const struct
  {
    const gchar *description;
    gboolean fits;
  } cases[] = {
    {"cca meta-types=cca ! videocrop left=20 top=15 ! ccaexpand", FALSE},
    {"cca meta-types=cca ! videocrop left=20 ! ccaexpand", FALSE},
    {"cca meta-types=cca ! videocrop top=15 ! ccaexpand", FALSE},
    {"videocrop left=5 top=2 ! cca meta-types=cca ! ccaexpand", TRUE},
  };
  Picture picture = picture_new (80, 60, one_block, 0);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBus *bus = NULL;
    GstHarness *h = gst_harness_new_parse (cases[i].description);
    GstBuffer *buffer;

    bus = gst_bus_new ();
    gst_element_set_bus (h->element, bus);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
        NULL);
    gst_harness_set_src_caps (h, frame_caps (GST_VIDEO_FORMAT_GRAY8, 80, 60));
    for (j = 0; j < 2; j++) {
      buffer = gst_harness_push_and_pull (h,
          frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));
      fail_unless (gst_buffer_get_video_crop_meta (buffer) != NULL);
      assert_equals_int (n_regions (buffer), cases[i].fits);
      gst_buffer_unref (buffer);
    }
    assert_equals_int (count_warning_messages (bus, MISFIT), !cases[i].fits);
    harness_free (h, bus);
  }
  picture_clear (&picture);
}

/* A picture of another shape, with a component or without. */
static void
add_misfit (GstBuffer *buffer, guint n)
{
  const GstCcaAnalysis analysis = {
    .width = 20,
    .height = 20,
    .connectivity = 8,
    .n_found = n,
  };
  const GstCcaComponent c = {
    .id = 1,
    .width = 9,
    .height = 9,
    .area = 81,
    .centroid_x = 4,
    .centroid_y = 4,
    .track_id = -1,
  };

  gst_cca_meta_set_pixel_aspect_ratio (
      gst_buffer_add_cca_meta_from_components (buffer, &analysis, &c, n), 1, 1);
}

/* One warning for each caps and segment with a meta that does not fit; metas that
 * fit are expanded. */
TEST (test_misfit_warning)
{
  GstHarness *h = expander ("ccaexpand", CAPS);
  GstBus *bus = gst_bus_new ();
  guint i;

  gst_element_set_bus (h->element, bus);
  for (i = 0; i < 11; i++) {
    GstBuffer *buffer = analysed ();

    gst_cca_meta_set_pixel_aspect_ratio (gst_buffer_get_cca_meta (buffer), 1,
        1);
    add_misfit (buffer, i == 9 ? 0 : 1);
    if (i == 3)
      push_caps (h,
          gst_caps_from_string ("video/x-raw,format=GRAY8,width=40,"
                                "height=20,framerate=25/1"));
    else if (i == 6 || i >= 9)
      push_segment (h);
    if (i == 10)
      gst_harness_set (h, "ccaexpand", "meta-types", 1, NULL); /* cca */
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_equals_int (n_regions (buffer), i == 10 ? 0 : 5);
    assert_equals_int (n_objects (buffer), i == 10 ? 0 : 5);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, MISFIT),
        i < 9 && i % 3 == 0);
  }
  harness_free (h, bus);
}

/* Without a size objects cannot be scaled: one error. */
TEST (test_no_size)
{
  assert_no_size ("ccaexpand");
}

#if GST_CHECK_VERSION(1, 26, 0)

/* The label image of analysed(), empty, with rows of that many bytes. */
static void
add_label_image (GstBuffer *buffer, guint stride, guint n_labels)
{
  GstBuffer *picture = gst_buffer_new_allocate (NULL, 10 * stride, NULL);

  gst_buffer_memset (picture, 0, 0, -1);
  gst_buffer_add_video_meta_full (picture, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 20, 10, 1, (gsize[4]) {0}, (gint[4]) {stride});
  fail_unless (gst_buffer_add_cca_labels_meta (buffer, picture, n_labels));
  gst_buffer_unref (picture);
}

static guint
n_segmentations (GstBuffer *buffer, guint width, guint height)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  gpointer state = NULL;
  GstAnalyticsSegmentationMtd segmentation;
  guint n = 0;

  while (relations != NULL
      && gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_segmentation_mtd_get_mtd_type (), &segmentation)) {
    guint w, h;

    gst_buffer_unref (gst_analytics_segmentation_mtd_get_mask (&segmentation,
        NULL, NULL, &w, &h));
    assert_equals_int (w, width);
    assert_equals_int (h, height);
    assert_equals_uint64 (gst_analytics_segmentation_mtd_get_region_count (
                              &segmentation),
        6);
    n++;
  }
  return n;
}

/* With objects and alone; once for each label image, whichever element attached
 * it. */
TEST_LOOP (test_segmentation, 0, 2)
{
  static const gchar *const kinds[] = {"analytics+segmentation",
    "segmentation"};
  gchar *description = g_strdup_printf ("ccaexpand meta-types=%s ! ccaexpand "
                                        "meta-types=%s",
      kinds[__i__], kinds[__i__]);
  GstHarness *h = expander (description, CAPS);
  guint i;

  for (i = 0; i < 4; i++) {
    GstBuffer *buffer = i == 3 ? gst_buffer_new () : analysed ();

    add_label_image (buffer, i == 1 ? 24 : 20, 5);
    if (i == 2)
      add_label_image (buffer, 20, 5);
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_equals_int (n_segmentations (buffer, 20, 10), i == 2 ? 2 : 1);
    assert_equals_int (n_objects (buffer),
        (i == 2 ? 2 : 1) + (__i__ == 0 && i < 3 ? 5 : 0));
    assert_equals_int (n_regions (buffer), 0);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  g_free (description);
}

/* The most objects, and a relation meta that was there. */
TEST (test_segmentation_bound)
{
  GstHarness *h = expander ("ccaexpand meta-types=analytics+segmentation "
                            "max-objects=3",
      CAPS);
  GstBuffer *buffer = analysed ();
  GstAnalyticsODMtd object;

  gst_analytics_relation_meta_add_od_mtd (
      gst_buffer_add_analytics_relation_meta (buffer), 1, 0, 0, 1, 1, 1.0f,
      &object);
  add_label_image (buffer, 20, 5);
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_equals_int (n_segmentations (buffer, 20, 10), 1);
  assert_equals_int (n_objects (buffer), 3 + 1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

#define NO_LABELS \
  "There is no label image to make a segmentation from: set " \
  "meta-types=cca+labels on the element that analyses the video."

/* A label image of another region, or none at all: one warning each. */
TEST (test_segmentation_warnings)
{
  GstHarness *h = expander ("ccaexpand meta-types=segmentation",
      "video/x-raw,format=GRAY8,width=20,height=20,framerate=25/1");
  GstBus *bus = gst_bus_new ();
  guint i;

  gst_element_set_bus (h->element, bus);
  for (i = 0; i < 6; i++) {
    GstBuffer *buffer = analysed ();

    if (i >= 4) {
      gst_cca_meta_set_pixel_aspect_ratio (gst_buffer_get_cca_meta (buffer), 1,
          1);
      add_label_image (buffer, 20, 5);
    } else if (i == 2) {
      push_segment (h);
    }
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_equals_int (n_objects (buffer), 0);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, i < 4 ? NO_LABELS : MISFIT),
        i % 2 == 0);
  }
  harness_free (h, bus);
}

static gpointer
map_nothing (GstMemory *memory, gsize maxsize, GstMapFlags flags)
{
  return NULL;
}

TEST (test_segmentation_unreadable)
{
  GstHarness *h = expander ("ccaexpand meta-types=segmentation", CAPS);
  GstAllocator *allocator = gst_allocator_find (NULL);
  GstMemoryMapFunction map = allocator->mem_map;
  GstBus *bus = gst_bus_new ();
  GstBuffer *buffer = analysed ();

  gst_element_set_bus (h->element, bus);
  add_label_image (buffer, 24, 5);
  allocator->mem_map = map_nothing;
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  allocator->mem_map = map;
  gst_object_unref (allocator);
  assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
      "label image of a buffer cannot be read");
  harness_free (h, bus);
}

#endif

SUITE ("ccaexpand");
