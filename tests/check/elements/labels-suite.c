/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Label images equal those of a flood fill while others are in use, and come from
 * a pool. */

#include "place.h"

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccalabelsmeta.h>
#include <string.h>

#define FORMAT GST_VIDEO_FORMAT_NV12

static const Place *const at = &place;

/* Properties besides labels, and where foreground is possible. */
typedef struct
{
  const gchar *properties;
  guint min_area;
  guint left, top, right, bottom; /* of the region; exclusive */
} Question;

static const Question everything = {"", 1, 0, 0, G_MAXUINT, G_MAXUINT};

static gboolean
is_foreground (const Picture *p, const Question *q, gint x, gint y)
{
  return x >= (gint) q->left && y >= (gint) q->top && x < (gint) p->width
      && y < (gint) p->height && (guint) x < q->right && (guint) y < q->bottom
      && p->pixels[y * p->width + x] > 128;
}

/* Marks the component of a pixel, and lists its pixels. */
static void
fill (const Picture *p, const Question *q, guint16 *labels, guint start,
    guint16 label, GArray *pixels)
{
  guint i, n;

  g_array_set_size (pixels, 0);
  g_array_append_val (pixels, start);
  labels[start] = label;
  for (i = 0; i < pixels->len; i++) {
    const guint pixel = g_array_index (pixels, guint, i);

    for (n = 0; n < 9; n++) {
      const gint x = (gint) (pixel % p->width) + (gint) (n % 3) - 1;
      const gint y = (gint) (pixel / p->width) + (gint) (n / 3) - 1;
      const guint next = y * p->width + x;

      if (x < 0 || y < 0 || !is_foreground (p, q, x, y) || labels[next])
        continue;
      labels[next] = label;
      g_array_append_val (pixels, next);
    }
  }
}

/* The labels that are right; to be freed. */
static guint16 *
expect_labels (const Picture *p, const Question *q, guint *n_found)
{
  const guint n = p->width * p->height;
  guint16 *labels = g_new0 (guint16, n), *seen = g_new0 (guint16, n);
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (guint));
  guint i, k;

  *n_found = 0;
  for (i = 0; i < n; i++) {
    if (seen[i] || !is_foreground (p, q, i % p->width, i / p->width))
      continue;
    fill (p, q, seen, i, 1, pixels);
    if (pixels->len < q->min_area)
      continue;
    ++*n_found;
    for (k = 0; k < pixels->len; k++)
      labels[g_array_index (pixels, guint, k)] = *n_found;
  }
  g_array_free (pixels, TRUE);
  g_free (seen);
  return labels;
}

static void
assert_labels (GstBuffer *buffer, const Picture *p, const Question *q)
{
  GstCcaLabelsMeta *meta = gst_buffer_get_cca_labels_meta (buffer);
  guint n_found;
  guint16 *expected = expect_labels (p, q, &n_found);
  GBytes *rows;

  /* images of two bytes need a little-endian machine */
  if (n_found > 255 && G_BYTE_ORDER != G_LITTLE_ENDIAN) {
    fail_unless (meta == NULL);
    g_free (expected);
    return;
  }
  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_labels_meta_get_width (meta), p->width);
  assert_equals_int (gst_cca_labels_meta_get_height (meta), p->height);
  assert_equals_int (gst_cca_labels_meta_get_n_labels (meta), n_found);
  assert_equals_int (gst_cca_labels_meta_get_depth (meta),
      n_found <= 255 ? 8 : 16);
  rows = gst_cca_labels_meta_get_rows (meta, 0, p->height);
  fail_unless (rows != NULL);
  fail_unless (
      memcmp (g_bytes_get_data (rows, NULL), expected, g_bytes_get_size (rows))
      == 0);
  g_bytes_unref (rows);
  g_free (expected);
}

static GstHarness *
new_harness (const gchar *types, const gchar *properties, guint width,
    guint height, GstBus **bus)
{
  gchar *description =
      g_strdup_printf ("%s meta-types=%s %s", at->element, types, properties);
  GstHarness *h = at->harness (description, FORMAT, width, height, bus);

  g_free (description);
  return h;
}

static void
push (GstHarness *h, const Picture *p)
{
  assert_equals_int (gst_harness_push (h, at->frame (FORMAT, p, NULL)),
      GST_FLOW_OK);
}

static void
assert_frame (const Question *q, Pixel pixel, guint width, guint height,
    guint seed)
{
  Picture p = picture_new (width, height, pixel, seed);
  GstHarness *h =
      new_harness ("cca+labels", q->properties, width, height, NULL);
  GstBuffer *buffer;
  GstCcaLabelsMeta *meta;

  push (h, &p);
  buffer = gst_harness_pull (h);
  assert_labels (buffer, &p, q);
  meta = gst_buffer_get_cca_labels_meta (buffer);
  if (meta != NULL)
    fail_unless (gst_cca_labels_meta_get_cca_meta (meta, buffer)
        == gst_buffer_get_cca_meta (buffer));
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&p);
}

TEST (test_sizes)
{
  static const guint sizes[][2] = {{1, 1}, {2, 1}, {1, 40}, {63, 5}, {65, 33},
    {130, 70}, {301, 100}};
  guint i, seed;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    for (seed = 0; seed < 3; seed++)
      assert_frame (&everything, noise, sizes[i][0], sizes[i][1], seed);
    assert_frame (&everything, full, sizes[i][0], sizes[i][1], 0);
    assert_frame (&everything, nothing, sizes[i][0], sizes[i][1], 0);
  }
}

TEST (test_questions)
{
  static const Question questions[] = {
    {"min-area=9", 9, 0, 0, G_MAXUINT, G_MAXUINT},
    {"order=area max-components=2", 1, 0, 0, G_MAXUINT, G_MAXUINT},
    {"roi-x=3 roi-y=5 roi-width=40 roi-height=20", 1, 3, 5, 43, 25},
    {"roi-x=64 roi-height=7 min-area=2", 2, 64, 0, G_MAXUINT, 7},
    {"roi-height=7", 1, 0, 0, G_MAXUINT, 7},
    {"roi-x=500", 1, 500, 0, G_MAXUINT, G_MAXUINT},
    {"threshold=128 max-components=1", 1, 0, 0, G_MAXUINT, G_MAXUINT},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (questions); i++) {
    assert_frame (&questions[i], noise, 150, 40, 2);
    assert_frame (&questions[i], noise, 70, 90, 0);
  }
}

/* Exactly 255 single pixels, or one more. */
static guint
dots (guint x, guint y, guint n)
{
  return x % 2 == 0 && y % 2 == 0 && y / 2 * 16 + x / 2 < n ? 200 : 0;
}

TEST (test_depth)
{
  assert_frame (&everything, dots, 32, 33, 255);
  assert_frame (&everything, dots, 32, 33, 256);
}

static guint
sparse (guint x, guint y, guint seed)
{
  return x % 2 == 0 && y % 2 == 0 ? 200 : 0;
}

/* 257 x 257 components: no image, and one warning a stream. */
TEST (test_too_many)
{
  GstBus *bus;
  GstHarness *h = new_harness ("cca+labels", "", 513, 513, &bus);
  Picture p = picture_new (513, 513, sparse, 0);
  guint i;

  for (i = 0; i < 6; i++) {
    GstBuffer *buffer;

    if (i == 2)
      push_segment (h);
    if (i == 3) {
      gst_harness_set_src_caps (h, at->caps (FORMAT, 512, 513));
      gst_harness_set_src_caps (h, at->caps (FORMAT, 513, 513));
    }
    if (i == 4)
      gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    push (h, &p);
    buffer = gst_harness_pull (h);
    assert_equals_int (gst_cca_meta_get_n_found (
                           gst_buffer_get_cca_meta (buffer)),
        257 * 257);
    fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, "66049 components"),
        i % 4 == 0);
  }
  assert_no_error (bus);
  picture_clear (&p);
  harness_free (h, bus);
}

static GstMemory *
image_memory (GstBuffer *buffer)
{
  return gst_buffer_peek_memory (gst_cca_labels_meta_get_picture (
                                     gst_buffer_get_cca_labels_meta (buffer)),
      0);
}

#define N_HELD 6

/* Referenced images stay unchanged. Released images are reused, so that memory
 * does not grow. */
TEST_LOOP (test_pool, 0, 2)
{
  GstHarness *h =
      new_harness ("labels", __i__ ? "async-depth=2" : "", 90, 50, NULL);
  GstBuffer *held[N_HELD];
  GstMemory *memories[N_HELD];
  Picture pictures[N_HELD];
  guint round, i, k;

  for (i = 0; i < N_HELD; i++)
    pictures[i] = picture_new (90, 50, noise, i);
  for (round = 0; round < 3; round++) {
    for (i = 0; i < N_HELD; i++)
      push (h, &pictures[i]);
    gst_harness_push_event (h, gst_event_new_gap (0, 1));
    for (i = 0; i < N_HELD; i++) {
      held[i] = gst_harness_pull (h);
      for (k = 0;
          k < N_HELD && round > 0 && memories[k] != image_memory (held[i]); k++)
        ;
      fail_unless (k < N_HELD);
    }
    for (i = 0; i < N_HELD; i++) {
      assert_labels (held[i], &pictures[i], &everything);
      fail_unless (gst_buffer_get_cca_meta (held[i]) == NULL);
      memories[i] = image_memory (held[i]);
    }
    for (i = 0; i < N_HELD; i++)
      gst_buffer_unref (held[i]);
  }
  for (i = 0; i < N_HELD; i++)
    picture_clear (&pictures[i]);
  gst_harness_teardown (h);
}

/* A flush drops frames in flight. */
TEST (test_flush)
{
  GstHarness *h = new_harness ("labels", "async-depth=4", 90, 50, NULL);
  Picture p = picture_new (90, 50, noise, 1);
  guint i;

  for (i = 0; i < 3; i++)
    push (h, &p);
  push_flush (h);
  for (i = 0; i < 5; i++)
    push (h, &p);
  assert_equals_int (gst_harness_buffers_in_queue (h), 1);
  for (i = 0; i < 1; i++) {
    GstBuffer *buffer = gst_harness_pull (h);

    assert_labels (buffer, &p, &everything);
    gst_buffer_unref (buffer);
  }
  picture_clear (&p);
  gst_harness_teardown (h);
}

/* Other pictures take another pool; labels are turned on and off meanwhile, also
 * with a frame in flight. */
TEST_LOOP (test_changes, 0, 2)
{
  GstHarness *h =
      new_harness ("cca", __i__ ? "async-depth=1" : "", 90, 50, NULL);
  GstElement *element = gst_harness_find_element (h, at->element);
  guint i;

  for (i = 0; i < 9; i++) {
    /* more than twice as many rows, so that labels of a byte do not fit */
    const guint width = i < 3 ? 90 : 300, height = i < 6 ? 50 : 120;
    const gboolean labels = i % 3 != 1;
    const gboolean in_flight = __i__ && (i == 0 || i % 3 == 2);
    Picture p = picture_new (width, height, noise, i);
    GstBuffer *buffer;

    if (in_flight) /* without labels */
      push (h, &p);
    gst_util_set_object_arg (G_OBJECT (element), "meta-types",
        labels ? "cca+labels" : "cca");
    if (i == 3 || i == 6)
      gst_harness_set_src_caps (h, at->caps (FORMAT, width, height));
    push (h, &p);
    if (in_flight) {
      buffer = gst_harness_pull (h);
      fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
      gst_buffer_unref (buffer);
    }
    gst_harness_push_event (h, gst_event_new_gap (0, 1));
    buffer = gst_harness_pull (h);
    if (labels)
      assert_labels (buffer, &p, &everything);
    else
      fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
    gst_buffer_unref (buffer);
    picture_clear (&p);
  }
  gst_object_unref (element);
  gst_harness_teardown (h);
}

static guint
n_segmentations (GstBuffer *buffer)
{
  guint n = 0;
#if GST_CHECK_VERSION(1, 26, 0)
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsMtd mtd;
  gpointer state = NULL;

  while (relations != NULL
      && gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_segmentation_mtd_get_mtd_type (), &mtd))
    n++;
#endif
  return n;
}

#if GST_CHECK_VERSION(1, 26, 0)
TEST (test_segmentation)
{
  static const struct
  {
    const gchar *types;
    gboolean labels, segmentation;
  } kinds[] = {
    {"segmentation", FALSE, TRUE},
    {"labels+segmentation", TRUE, TRUE},
    {"cca+analytics+segmentation", FALSE, TRUE},
    {"cca+analytics+labels", TRUE, FALSE},
    {"cca+analytics", FALSE, FALSE},
  };
  Picture p = picture_new (90, 50, noise, 1);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GstHarness *h = new_harness (kinds[i].types, "", 90, 50, NULL);
    GstBuffer *buffer;

    push (h, &p);
    buffer = gst_harness_pull (h);
    assert_equals_int (gst_buffer_get_cca_labels_meta (buffer) != NULL,
        kinds[i].labels);
    assert_equals_int (n_segmentations (buffer), kinds[i].segmentation);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
  picture_clear (&p);
}
#endif

/* A crop that leaves nothing has no picture to be an image of. */
TEST (test_no_picture)
{
  GstHarness *h = new_harness ("cca+labels", "", 90, 50, NULL);
  Picture p = picture_new (90, 50, noise, 1);
  GstBuffer *buffer = at->frame (FORMAT, &p, NULL);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = 100;
  crop->y = 0;
  crop->width = crop->height = 10;
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  buffer = gst_harness_pull (h);
  fail_unless (gst_buffer_get_cca_meta (buffer) != NULL);
  fail_unless (gst_buffer_get_cca_labels_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
  picture_clear (&p);
  gst_harness_teardown (h);
}
