/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images and backgrounds: which are accepted, how they are read and
 * copied, and the segmentation made from label images. */

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccabackgroundmeta.h>
#include <gst/ccameta/gstccalabelsmeta.h>

#include "metatest.h"

/* The label at a pixel of the test pictures, less than @n. */
static guint
label_at (guint x, guint y, guint n)
{
  return (x * 7 + y * 31) % n;
}

static void
add_layout (GstBuffer *picture, GstVideoFormat format, guint width,
    guint height, gsize offset, gint stride)
{
  gst_buffer_add_video_meta_full (picture, GST_VIDEO_FRAME_FLAG_NONE, format,
      width, height, 1, (gsize[4]) {offset}, (gint[4]) {stride});
}

/* A picture with labels less than n, whose rows have some bytes of padding
 * behind them, and which ends with the last pixel. */
static GstBuffer *
make_picture (guint depth, guint width, guint height, guint padding,
    gsize offset, guint n)
{
  const gsize row = width * depth / 8, stride = row + padding;
  const gsize size = offset + stride * (height - 1) + row;
  guint8 *data = g_malloc (size);
  GstBuffer *picture = gst_buffer_new_wrapped (data, size);
  guint x, y;

  memset (data, 0xee, size);
  for (y = 0; y < height; y++) {
    for (x = 0; x < width; x++) {
      guint8 *p = data + offset + stride * y + x * depth / 8;

      p[0] = label_at (x, y, n);
      if (depth == 16)
        p[1] = label_at (x, y, n) >> 8;
    }
  }
  add_layout (picture,
      depth == 8 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE, width,
      height, offset, stride);

  return picture;
}

static GstCcaLabelsMeta *
add_labels (GstBuffer *buffer, guint depth, guint padding, guint n)
{
  GstBuffer *picture = make_picture (depth, 13, 5, padding, 0, n);
  GstCcaLabelsMeta *meta =
      gst_buffer_add_cca_labels_meta (buffer, picture, n - 1);

  fail_unless (meta != NULL);
  gst_buffer_unref (picture);

  return meta;
}

/* --- contents ------------------------------------------------------------- */

static void
check_rows (const GstCcaLabelsMeta *meta, guint y, guint n_rows, guint n)
{
  GBytes *bytes = gst_cca_labels_meta_get_rows (meta, y, n_rows);
  const guint width = gst_cca_labels_meta_get_width (meta);
  const guint16 *rows;
  gsize size;
  guint i;

  fail_unless (bytes != NULL);
  rows = g_bytes_get_data (bytes, &size);
  assert_equals_uint64 (size, (gsize) width * n_rows * 2);
  for (i = 0; i < width * n_rows; i++)
    assert_equals_int (rows[i], label_at (i % width, y + i / width, n));
  g_bytes_unref (bytes);
}

typedef struct
{
  guint depth, padding;
  gsize offset;
  guint n;
} Layout;

static const Layout layouts[] = {
  {8, 0, 0, 65},
  {8, 3, 0, 65},
  {8, 51, 7, 2},
  {16, 0, 0, 65},
  {16, 1, 0, 66},
  {16, 38, 5, 1},
  {8, 0, 7, 65},
};

TEST_LOOP (test_accessors, 0, G_N_ELEMENTS (layouts))
{
  const Layout *l = &layouts[__i__];
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *picture =
      make_picture (l->depth, 13, 5, l->padding, l->offset, l->n);
  GstCcaLabelsMeta *meta;
  guint label = 12345;

  fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
  meta = gst_buffer_add_cca_labels_meta (buffer, picture, l->n - 1);
  fail_unless (meta != NULL);
  fail_unless (gst_buffer_get_cca_labels_meta (buffer) == meta);
  fail_unless (gst_buffer_get_cca_meta (buffer) == NULL);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 2);
  fail_unless (gst_cca_labels_meta_get_picture (meta) == picture);
  gst_buffer_unref (picture);

  assert_equals_int (gst_cca_labels_meta_get_width (meta), 13);
  assert_equals_int (gst_cca_labels_meta_get_height (meta), 5);
  assert_equals_int (gst_cca_labels_meta_get_depth (meta), l->depth);
  assert_equals_int (gst_cca_labels_meta_get_n_labels (meta), l->n - 1);

  check_rows (meta, 0, 5, l->n);
  check_rows (meta, 4, 1, l->n);
  check_rows (meta, 1, 3, l->n);
  fail_unless (gst_cca_labels_meta_get_rows (meta, 5, 1) == NULL);
  fail_unless (gst_cca_labels_meta_get_rows (meta, 4, 2) == NULL);
  fail_unless (gst_cca_labels_meta_get_rows (meta, 0, 0) == NULL);
  fail_unless (gst_cca_labels_meta_get_rows (meta, 3, G_MAXUINT) == NULL);

  fail_if (gst_cca_labels_meta_get_label (meta, 13, 0, &label));
  fail_if (gst_cca_labels_meta_get_label (meta, 0, 5, &label));
  assert_equals_int (label, 12345);
  fail_unless (gst_cca_labels_meta_get_label (meta, 12, 4, &label));
  assert_equals_int (label, label_at (12, 4, l->n));
  gst_buffer_unref (buffer);
}

/* Labels of both bytes, at odd addresses, too. */
TEST_LOOP (test_deep, 0, 2)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *picture = make_picture (16, 301, 10, __i__, 0, 3000);
  GstCcaLabelsMeta *meta =
      gst_buffer_add_cca_labels_meta (buffer, picture, 2999);

  check_rows (meta, 0, 10, 3000);
  check_rows (meta, 9, 1, 3000);
  gst_buffer_unref (picture);
  gst_buffer_unref (buffer);
}

static void
expect_refused (GstBuffer *picture, guint n_labels)
{
  GstBuffer *buffer = gst_buffer_new ();

  EXPECT_CRITICAL (gst_buffer_add_cca_labels_meta (buffer, picture, n_labels));
  fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  gst_buffer_unref (buffer);
}

typedef struct
{
  GstVideoFormat format;
  guint width, height;
  gsize offset;
  gint stride;
} BadLayout;

/* In a memory of 100 bytes. */
static const BadLayout bad_layouts[] = {
  {GST_VIDEO_FORMAT_NV12, 4, 4, 0, 4},
  {GST_VIDEO_FORMAT_GRAY16_BE, 4, 4, 0, 8},
  {GST_VIDEO_FORMAT_GRAY8, 0, 4, 0, 4},
  {GST_VIDEO_FORMAT_GRAY8, 4, 0, 0, 4},
  {GST_VIDEO_FORMAT_GRAY8, G_MAXUINT, 1, 0, 4},
  {GST_VIDEO_FORMAT_GRAY8, 1, G_MAXUINT, 0, 4},
  {GST_VIDEO_FORMAT_GRAY8, 10, 4, 0, 9},
  {GST_VIDEO_FORMAT_GRAY16_LE, 10, 4, 0, 19},
  {GST_VIDEO_FORMAT_GRAY8, 10, 4, 0, -10},
  {GST_VIDEO_FORMAT_GRAY8, 10, 11, 0, 10},
  {GST_VIDEO_FORMAT_GRAY8, 10, 10, 1, 10},
  {GST_VIDEO_FORMAT_GRAY16_LE, 10, 5, 1, 20},
  {GST_VIDEO_FORMAT_GRAY8, 10, 1, G_MAXSIZE - 5, 10},
};

TEST_LOOP (test_bad_layouts, 0, G_N_ELEMENTS (bad_layouts))
{
  const BadLayout *bad = &bad_layouts[__i__];
  GstBuffer *picture = gst_buffer_new_allocate (NULL, 100, NULL);

  gst_buffer_memset (picture, 0, 0, 100);
  add_layout (picture, bad->format, bad->width, bad->height, bad->offset,
      bad->stride);
  expect_refused (picture, 0);
  gst_buffer_unref (picture);
}

TEST (test_bad_arguments)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *bare = gst_buffer_new_allocate (NULL, 100, NULL);
  GstBuffer *gray8 = make_picture (8, 20, 20, 0, 0, 256);
  GstBuffer *gray16 = make_picture (16, 300, 300, 0, 0, 65536);
  GstBuffer *small = make_picture (8, 3, 2, 0, 0, 7);
  GstBuffer *no_buffers[] = {NULL, (GstBuffer *) GST_CAPS_ANY};
  GstCcaLabelsMeta *meta;
  guint label = 0, i;

  expect_refused (bare, 0);
  expect_refused (gray8, 256);
  expect_refused (gray16, 65536);
  expect_refused (small, 7);
  fail_unless (gst_buffer_add_cca_labels_meta (buffer, gray8, 255) != NULL);
  fail_unless (gst_buffer_add_cca_labels_meta (buffer, gray16, 65535) != NULL);
  fail_unless (gst_buffer_add_cca_labels_meta (buffer, small, 6) != NULL);

  /* the first of several */
  meta = gst_buffer_get_cca_labels_meta (buffer);
  fail_unless (gst_cca_labels_meta_get_picture (meta) == gray8);

  for (i = 0; i < G_N_ELEMENTS (no_buffers); i++) {
    GstBuffer *none = no_buffers[i];

    EXPECT_CRITICAL (gst_buffer_add_cca_labels_meta (none, gray8, 1));
    EXPECT_CRITICAL (gst_buffer_add_cca_labels_meta (buffer, none, 1));
    EXPECT_CRITICAL (gst_buffer_get_cca_labels_meta (none));
    EXPECT_CRITICAL (gst_cca_labels_meta_get_cca_meta (meta, none));
    EXPECT_CRITICAL (gst_cca_labels_meta_emit_segmentation (meta, none, 0, 0));
  }
  EXPECT_CRITICAL (gst_buffer_add_cca_labels_meta (buffer, buffer, 1));
  gst_buffer_ref (buffer);
  EXPECT_CRITICAL (gst_buffer_add_cca_labels_meta (buffer, gray8, 1));
  EXPECT_CRITICAL (gst_cca_labels_meta_emit_segmentation (meta, buffer, 0, 0));
  gst_buffer_unref (buffer);
  EXPECT_CRITICAL (gst_cca_labels_meta_get_picture (NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_width (NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_height (NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_depth (NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_n_labels (NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_rows (NULL, 0, 1));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_label (NULL, 0, 0, &label));
  EXPECT_CRITICAL (gst_cca_labels_meta_get_label (meta, 0, 0, NULL));
  EXPECT_CRITICAL (gst_cca_labels_meta_emit_segmentation (NULL, buffer, 0, 0));

  gst_buffer_unref (buffer);
  gst_buffer_unref (bare);
  gst_buffer_unref (gray8);
  gst_buffer_unref (gray16);
  gst_buffer_unref (small);
}

/* Of several the one that belongs to it. */
TEST (test_cca_meta)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaLabelsMeta *meta = add_labels (buffer, 8, 0, 65);
  GstCcaAnalysis analysis = test_analysis (64);
  GstCcaMeta *wanted;

  fail_unless (gst_cca_labels_meta_get_cca_meta (meta, buffer) == NULL);
  analysis.width = 13;
  gst_buffer_add_cca_meta (buffer, &analysis, NULL);
  analysis.width = 14;
  analysis.height = 5;
  gst_buffer_add_cca_meta (buffer, &analysis, NULL);
  analysis.width = 13;
  analysis.n_found = 63;
  gst_buffer_add_cca_meta (buffer, &analysis, NULL);
  fail_unless (gst_cca_labels_meta_get_cca_meta (meta, buffer) == NULL);
  analysis.n_found = 64;
  wanted = gst_buffer_add_cca_meta (buffer, &analysis, NULL);
  gst_buffer_add_cca_meta (buffer, &analysis, NULL);
  fail_unless (gst_cca_labels_meta_get_cca_meta (meta, buffer) == wanted);
  EXPECT_CRITICAL (gst_cca_labels_meta_get_cca_meta (NULL, buffer));
  gst_buffer_unref (buffer);
}

/* --- copies and transforms ------------------------------------------------ */

static void
check_shared (GstBuffer *copy, const GstCcaLabelsMeta *meta)
{
  const GstCcaLabelsMeta *other = gst_buffer_get_cca_labels_meta (copy);

  fail_unless (other != NULL && other != meta);
  fail_unless (gst_cca_labels_meta_get_picture (other)
      == gst_cca_labels_meta_get_picture (meta));
  assert_equals_int (gst_cca_labels_meta_get_width (other), 13);
  assert_equals_int (gst_cca_labels_meta_get_height (other), 5);
  assert_equals_int (gst_cca_labels_meta_get_depth (other), 8);
  assert_equals_int (gst_cca_labels_meta_get_n_labels (other), 64);
  gst_buffer_unref (copy);
}

TEST (test_copies)
{
  GstBuffer *buffer = test_frame (GST_VIDEO_FORMAT_GRAY8), *copy;
  GstCcaLabelsMeta *meta = add_labels (buffer, 8, 0, 65);
  GstBuffer *picture = gst_buffer_ref (gst_cca_labels_meta_get_picture (meta));

  check_shared (gst_buffer_copy (buffer), meta);
  check_shared (gst_buffer_copy_deep (buffer), meta);
  check_shared (gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 7, 50),
      meta);
  copy = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 0, -1);
  fail_unless (gst_buffer_get_cca_labels_meta (copy) == NULL);
  gst_buffer_unref (copy);

  /* as a pool does with a returned buffer */
  fail_unless (gst_buffer_remove_meta (buffer, GST_META_CAST (meta)));
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  meta = gst_buffer_add_cca_labels_meta (buffer, picture, 3);
  GST_CCA_LABELS_META_INFO->clear_func (buffer, GST_META_CAST (meta));
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  fail_unless (gst_cca_labels_meta_get_picture (meta) == NULL);
  assert_equals_int (gst_cca_labels_meta_get_width (meta), 0);
  gst_buffer_unref (buffer);
  gst_buffer_unref (picture);
}

TEST (test_transforms)
{
  GstBuffer *buffer = gst_buffer_new (), *dest = gst_buffer_new ();
  GstMeta *meta = GST_META_CAST (add_labels (buffer, 8, 0, 65));
  const GstMetaInfo *info = GST_CCA_LABELS_META_INFO;
  GByteArray *bytes = g_byte_array_new ();
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = {.in_info = &in, .out_info = &out};

  fail_unless (meta->info == info);
  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, 64, 64);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_NV12, 32, 32);
  fail_if (info->transform_func (dest, meta, buffer,
      g_quark_from_static_string ("gst-video-matrix"), &scale));
  fail_unless (gst_buffer_get_cca_labels_meta (dest) == NULL);
  fail_unless (info->transform_func (dest, meta, buffer,
      gst_video_meta_transform_scale_get_quark (), &scale));
  check_shared (gst_buffer_ref (dest), (GstCcaLabelsMeta *) meta);

  /* converters ask for the tags */
  fail_unless (gst_meta_api_type_has_tag (info->api,
      g_quark_from_static_string (GST_META_TAG_VIDEO_STR)));
  assert_equals_int (g_strv_length (
                         (gchar **) gst_meta_api_type_get_tags (info->api)),
      1);
  fail_if (gst_meta_serialize_simple (meta, bytes));
  g_byte_array_unref (bytes);
  gst_buffer_unref (buffer);
  gst_buffer_unref (dest);
}

static const gchar *const survivors[] = {
  "identity",
  "tee name=t t. ! queue ! fakesink async=false t. ! queue",
  "videoconvert ! video/x-raw,format=BGRx ! identity",
  "videoscale ! video/x-raw,width=320,height=120 ! identity",
};

TEST_LOOP (test_survives, 0, G_N_ELEMENTS (survivors))
{
  GstHarness *h = gst_harness_new_parse (survivors[__i__]);
  GstBuffer *buffer = test_frame (GST_VIDEO_FORMAT_GRAY8), *kept;
  GstCcaLabelsMeta *meta = add_labels (buffer, 8, 0, 65);

  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=640,height=480,framerate=25/1");
  kept = gst_buffer_copy (buffer);
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  buffer = gst_harness_pull (h);
  meta = gst_buffer_get_cca_labels_meta (kept);
  check_shared (buffer, meta);
  gst_buffer_unref (kept);
  gst_harness_teardown (h);
}

/* --- segmentation --------------------------------------------------------- */

#if GST_CHECK_VERSION(1, 26, 0)

static void
check_segmentation (GstBuffer *buffer, guint depth, guint n, guint width,
    guint height)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsSegmentationMtd segmentation;
  gpointer state = NULL;
  GstVideoMeta *video;
  GstBuffer *mask;
  GstMapInfo map;
  gint x, y;
  guint w, h, i;

  fail_unless (relations != NULL);
  fail_unless (gst_analytics_relation_meta_iterate (relations, &state,
      gst_analytics_segmentation_mtd_get_mtd_type (), &segmentation));
  assert_equals_int (gst_analytics_segmentation_mtd_get_region_count (
                         &segmentation),
      n);
  for (i = 0; i < n; i++)
    assert_equals_int (
        gst_analytics_segmentation_mtd_get_region_id (&segmentation, i), i);

  mask =
      gst_analytics_segmentation_mtd_get_mask (&segmentation, &x, &y, &w, &h);
  assert_equals_int (x, 0);
  assert_equals_int (y, 0);
  assert_equals_int (w, width);
  assert_equals_int (h, height);
  video = gst_buffer_get_video_meta (mask);
  assert_equals_int (video->format,
      depth == 8 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_GRAY16_LE);
  assert_equals_int (video->width, 13);
  assert_equals_int (video->height, 5);
  assert_equals_int (video->stride[0], 13 * depth / 8);
  assert_equals_int (video->offset[0], 0);

  fail_unless (gst_buffer_map (mask, &map, GST_MAP_READ));
  assert_equals_int (map.size, 65 * depth / 8);
  for (i = 0; i < 65; i++)
    assert_equals_int (depth == 8 ? map.data[i]
                                  : GST_READ_UINT16_LE (map.data + 2 * i),
        label_at (i % 13, i / 13, n));
  gst_buffer_unmap (mask, &map);
  gst_buffer_unref (mask);
}

TEST_LOOP (test_segmentation, 0, G_N_ELEMENTS (layouts))
{
  const Layout *l = &layouts[__i__];
  GstBuffer *from = gst_buffer_new (), *to = gst_buffer_new ();
  GstBuffer *picture =
      make_picture (l->depth, 13, 5, l->padding, l->offset, l->n);
  GstCcaLabelsMeta *meta =
      gst_buffer_add_cca_labels_meta (from, picture, l->n - 1);
  /* the test's, the meta's and, without a copy, that of the segmentation */
  const gint n_refs = l->padding == 0 && l->offset == 0 ? 3 : 2;
  GstAnalyticsODMtd object;
  GstBuffer *copy;

  fail_unless (gst_cca_labels_meta_emit_segmentation (meta, from, 0, 0));
  check_segmentation (from, l->depth, l->n, 13, 5);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", n_refs);

  /* added to the objects of another analyser */
  gst_analytics_relation_meta_add_od_mtd (
      gst_buffer_add_analytics_relation_meta (to), 1, 0, 0, 1, 1, 1.0f,
      &object);
  fail_unless (gst_cca_labels_meta_emit_segmentation (meta, to, 640, 480));
  check_segmentation (to, l->depth, l->n, 640, 480);
  assert_equals_int (gst_analytics_relation_get_length (
                         gst_buffer_get_analytics_relation_meta (to)),
      2);

  copy = gst_buffer_copy (to);
  check_segmentation (copy, l->depth, l->n, 640, 480);
  gst_buffer_unref (copy);
  gst_buffer_unref (to);
  gst_buffer_unref (from);
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  gst_buffer_unref (picture);
}

#else

TEST_LOOP (test_segmentation, 0, G_N_ELEMENTS (layouts))
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaLabelsMeta *meta = add_labels (buffer, 8, 0, 65);

  fail_if (gst_cca_labels_meta_emit_segmentation (meta, buffer, 0, 0));
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
}

#endif

/* A memory that cannot be mapped. */
static gpointer
map_nothing (GstMemory *memory, gsize maxsize, GstMapFlags flags)
{
  return NULL;
}

TEST (test_unreadable)
{
  GstAllocator *allocator = gst_allocator_find (NULL);
  GstMemoryMapFunction map = allocator->mem_map;
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaLabelsMeta *meta = add_labels (buffer, 8, 3, 65);
  guint label;

  allocator->mem_map = map_nothing;
  fail_unless (gst_cca_labels_meta_get_rows (meta, 0, 1) == NULL);
  fail_if (gst_cca_labels_meta_get_label (meta, 0, 0, &label));
  fail_if (gst_cca_labels_meta_emit_segmentation (meta, buffer, 0, 0));
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
  allocator->mem_map = map;
  gst_object_unref (allocator);
  gst_buffer_unref (buffer);
}

/* --- backgrounds ---------------------------------------------------------- */

TEST_LOOP (test_background, 8, 17)
{
  GstBuffer *buffer = test_frame (GST_VIDEO_FORMAT_GRAY8);
  GstBuffer *picture = make_picture (__i__ > 8 ? 16 : 8, 13, 5, 2, 4, 200);
  GstVideoInfo info;
  GstVideoMetaTransform scale = {&info, &info};
  GstCcaBackgroundMeta *meta, *other;
  GstBuffer *copy;

  fail_unless (gst_buffer_get_cca_background_meta (buffer) == NULL);
  meta = gst_buffer_add_cca_background_meta (buffer, picture, __i__);
  fail_unless (meta != NULL);
  fail_unless (gst_buffer_get_cca_background_meta (buffer) == meta);
  fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
  copy = gst_buffer_copy (buffer);
  other = gst_buffer_get_cca_background_meta (copy);
  fail_unless (gst_cca_background_meta_get_picture (other) == picture);
  assert_equals_int (gst_cca_background_meta_get_width (other), 13);
  assert_equals_int (gst_cca_background_meta_get_height (other), 5);
  assert_equals_int (gst_cca_background_meta_get_depth (other), __i__);
  gst_buffer_unref (copy);

  copy = gst_buffer_new ();
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 26, 5);
  fail_unless (
      GST_CCA_BACKGROUND_META_INFO->transform_func (copy, GST_META_CAST (meta),
          buffer, gst_video_meta_transform_scale_get_quark (), &scale));
  fail_unless (gst_buffer_get_cca_background_meta (copy) != NULL);
  fail_unless (
      GST_CCA_BACKGROUND_META_INFO->transform_func (copy, GST_META_CAST (meta),
          buffer, g_quark_from_static_string ("other"), NULL)
      == FALSE);
  gst_buffer_unref (copy);

  GST_CCA_BACKGROUND_META_INFO->clear_func (buffer, GST_META_CAST (meta));
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  assert_equals_int (gst_cca_background_meta_get_depth (meta), 0);
  gst_buffer_unref (buffer);
  gst_buffer_unref (picture);
}

TEST (test_bad_backgrounds)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *bare = gst_buffer_new_allocate (NULL, 100, NULL);
  GstBuffer *gray8 = make_picture (8, 13, 5, 0, 0, 200);
  GstBuffer *gray16 = make_picture (16, 13, 5, 0, 0, 200);
  GstBuffer *no_buffers[] = {NULL, (GstBuffer *) GST_CAPS_ANY};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (no_buffers); i++) {
    GstBuffer *none = no_buffers[i];

    EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (none, gray8, 8));
    EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, none, 8));
    EXPECT_CRITICAL (gst_buffer_get_cca_background_meta (none));
  }
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, buffer, 8));
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, bare, 8));
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, gray8, 7));
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, gray8, 9));
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, gray16, 8));
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, gray16, 17));
  gst_buffer_ref (buffer);
  EXPECT_CRITICAL (gst_buffer_add_cca_background_meta (buffer, gray8, 8));
  gst_buffer_unref (buffer);
  fail_unless (gst_buffer_get_cca_background_meta (buffer) == NULL);
  EXPECT_CRITICAL (gst_cca_background_meta_get_picture (NULL));
  EXPECT_CRITICAL (gst_cca_background_meta_get_width (NULL));
  EXPECT_CRITICAL (gst_cca_background_meta_get_height (NULL));
  EXPECT_CRITICAL (gst_cca_background_meta_get_depth (NULL));

  gst_buffer_unref (buffer);
  gst_buffer_unref (bare);
  gst_buffer_unref (gray8);
  gst_buffer_unref (gray16);
}

SUITE ("label-image");
