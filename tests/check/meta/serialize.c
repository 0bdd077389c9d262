/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The meta as bytes: nothing is lost, and nothing bad gets in. */

#include <math.h>
#include <sys/mman.h>

#include "metatest.h"

#define VERSION 1
#define VERSION_WITH_FEATURES 2
#define HEADER_SIZE 60
#define RECORD_SIZE 64

/* GStreamer's frame: size, name length, "GstCcaMeta", a zero, the version */
#define FRAME_SIZE (4 + 4 + 10 + 1 + 1)

static void
put_u32 (guint8 *p, guint32 v)
{
  v = GUINT32_TO_LE (v);
  memcpy (p, &v, sizeof (v));
}

static GByteArray *
serialize (guint n, guint n_found)
{
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, n, n_found);

  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  assert_equals_int (bytes->len, FRAME_SIZE + HEADER_SIZE + n * RECORD_SIZE);
  gst_buffer_unref (buffer);

  return bytes;
}

/* Checks every promise that is made of a meta's content. */
static void
check_valid (const GstCcaMeta *meta)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *c;
  guint i, n;

  c = gst_cca_meta_get_components (meta, &n);
  fail_unless (a->width >= 1 && a->width <= G_MAXINT);
  fail_unless (a->height >= 1 && a->height <= G_MAXINT);
  fail_unless (a->connectivity == 4 || a->connectivity == 8);
  fail_unless (a->depth <= 16);
  fail_unless (a->n_found >= n);
  for (i = 0; i < n; i++, c++) {
    fail_unless (c->id >= 1 && c->width >= 1 && c->height >= 1);
    fail_unless ((guint64) c->x + c->width <= a->width);
    fail_unless ((guint64) c->y + c->height <= a->height);
    fail_unless (c->area >= 1);
    fail_unless (c->area <= (guint64) c->width * c->height);
    fail_unless (isfinite (c->centroid_x) && isfinite (c->centroid_y));
    fail_unless (c->centroid_x >= c->x - 0.5);
    fail_unless (c->centroid_x <= (gdouble) c->x + c->width - 0.5);
    fail_unless (c->centroid_y >= c->y - 0.5);
    fail_unless (c->centroid_y <= (gdouble) c->y + c->height - 0.5);
  }
}

/* Gives the payload to the meta itself, in memory of exactly its size, so
 * that a sanitizer sees every byte read past it. TRUE if it was accepted. */
static gboolean
payload_accepted (const guint8 *payload, gsize size, guint8 version)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint8 *exact = g_memdup2 (payload, size);
  GstMeta *meta;

  meta = GST_CCA_META_INFO->deserialize_func (GST_CCA_META_INFO, buffer, exact,
      size, version);
  fail_unless (
      gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE) == (meta ? 1 : 0));
  if (meta != NULL)
    check_valid ((GstCcaMeta *) meta);
  g_free (exact);
  gst_buffer_unref (buffer);

  return meta != NULL;
}

TEST (test_round_trip)
{
  static const guint sizes[][2] = {
    {0, 0},
    {0, 3},
    {1, 1},
    {2, 9},
    {1000, 1000},
    {65536, 100000},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GByteArray *bytes = serialize (sizes[i][0], sizes[i][1]);
    GstBuffer *buffer = gst_buffer_new ();
    guint32 consumed = 0;
    GstMeta *meta;

    meta = gst_meta_deserialize (buffer, bytes->data, bytes->len, &consumed);
    assert_equals_int (consumed, bytes->len);
    test_check_meta ((GstCcaMeta *) meta, sizes[i][0], sizes[i][1]);
    gst_buffer_unref (buffer);
    g_byte_array_unref (bytes);
  }
}

/* Foreground modes, flags and reserved fields of later versions are kept as
 * numbers, as is the pixel aspect ratio after them. */
TEST (test_reserved_fields)
{
  GByteArray *bytes = serialize (1, 1), *again = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  guint32 consumed;
  GstMeta *meta;
  guint i;

  for (i = 0; i < 6; i++)
    put_u32 (bytes->data + FRAME_SIZE + 36 + 4 * i, 0x87654321 + i);
  meta = gst_meta_deserialize (buffer, bytes->data, bytes->len, &consumed);
  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_meta_get_analysis ((GstCcaMeta *) meta)
                         ->foreground,
      0x87654321);
  assert_equals_int (gst_cca_meta_get_analysis ((GstCcaMeta *) meta)->flags,
      0x87654322);
  fail_unless (gst_meta_serialize_simple (meta, again));
  assert_equals_int (again->len, bytes->len);
  fail_unless (memcmp (again->data, bytes->data, bytes->len) == 0);
  gst_buffer_unref (buffer);
  g_byte_array_unref (bytes);
  g_byte_array_unref (again);
}

/* No sample has more bits than 16. */
TEST (test_depth)
{
  GByteArray *bytes = serialize (2, 2);
  guint8 *payload = bytes->data + FRAME_SIZE;
  guint depth;

  for (depth = 0; depth < 300; depth++) {
    put_u32 (payload + 32, depth);
    fail_unless (payload_accepted (payload, bytes->len - FRAME_SIZE, VERSION)
        == (depth <= 16));
  }
  put_u32 (payload + 32, G_MAXUINT32);
  fail_if (payload_accepted (payload, bytes->len - FRAME_SIZE, VERSION));
  g_byte_array_unref (bytes);
}

/* The format is the documented one, independent of the structs of the
 * machine. */
TEST (test_format)
{
  GstBuffer *buffer = gst_buffer_new ();
  GByteArray *bytes = g_byte_array_new ();
  const GstCcaAnalysis analysis = {.width = 0x0102,
    .height = 0x0304,
    .threshold = 5,
    .threshold_high = 0xfffe,
    .invert = TRUE,
    .connectivity = 4,
    .n_found = 0x0506,
    .depth = 12,
    .foreground = GST_CCA_FOREGROUND_DIFFERENCE,
    .flags = GST_CCA_ANALYSIS_FLAG_WARMING_UP};
  const GstCcaComponent component = {.id = 7,
    .x = 1,
    .y = 2,
    .width = 3,
    .height = 4,
    .flags = 0x80000000,
    .area = 11,
    .centroid_x = 1.5,
    .centroid_y = 2,
    .track_id = -2,
    .zones = (guint64) 1 << 63 | 5};
  static const guint8 want[HEADER_SIZE + RECORD_SIZE] = {
    0x02,
    0x01,
    0,
    0,
    0x04,
    0x03,
    0,
    0,
    5,
    0,
    0,
    0,
    0xfe,
    0xff,
    0,
    0,
    1,
    0,
    0,
    0,
    4,
    0,
    0,
    0,
    0x06,
    0x05,
    0,
    0,
    1,
    0,
    0,
    0,
    12,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    16,
    0,
    0,
    0,
    11,
    0,
    0,
    0,
    7,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    3,
    0,
    0,
    0,
    4,
    0,
    0,
    0,
    0,
    0,
    0,
    0x80,
    11,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xf8,
    0x3f,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0x40,
    0xfe,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    5,
    0,
    0,
    0,
    0,
    0,
    0,
    0x80,
  };
  GBytes *table = g_bytes_new (&component, sizeof (component));
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, table);

  gst_cca_meta_set_pixel_aspect_ratio (meta, 16, 11);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  assert_equals_int (bytes->len, FRAME_SIZE + sizeof (want));
  assert_equals_int (bytes->data[FRAME_SIZE - 1], VERSION);
  fail_unless (memcmp (bytes->data + FRAME_SIZE, want, sizeof (want)) == 0);

  g_bytes_unref (table);
  g_byte_array_unref (bytes);
  gst_buffer_unref (buffer);
}

static gboolean
no_room (GstByteArrayInterface *self, gsize size)
{
  return FALSE;
}

/* An empty meta, one larger than GStreamer's frame allows, and one that the
 * receiver lacks memory for are not serialised either. */
TEST (test_what_cannot_be_sent)
{
  GstByteArrayInterface full = {.resize = no_room};
  guint8 version = 0;
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  const gsize n = (gsize) G_MAXUINT32 / RECORD_SIZE;
  const gsize size = n * sizeof (GstCcaComponent);
  GstCcaAnalysis analysis = test_analysis (n);
  GstMeta *meta = gst_buffer_add_meta (buffer, GST_CCA_META_INFO, NULL);
  GBytes *components;
  gpointer nothing;

  fail_if (gst_meta_serialize_simple (meta, bytes));
  gst_buffer_remove_meta (buffer, meta);

  meta = GST_META_CAST (test_add_meta (buffer, 2, 2));
  fail_if (GST_CCA_META_INFO->serialize_func (meta, &full, &version));
  gst_buffer_remove_meta (buffer, meta);

  /* addresses alone: the records are not looked at */
  nothing = mmap (NULL, size, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  fail_if (nothing == MAP_FAILED);
  components = g_bytes_new_static (nothing, size);
  analysis.width = analysis.height = 16384;
  meta =
      GST_META_CAST (gst_buffer_add_cca_meta (buffer, &analysis, components));
  fail_unless (meta != NULL);
  fail_if (gst_meta_serialize_simple (meta, bytes));
  assert_equals_int (bytes->len, 0);
  g_bytes_unref (components);
  gst_buffer_unref (buffer);
  munmap (nothing, size);
  g_byte_array_unref (bytes);
}

/* Records that no reader would accept are not sent. */
TEST (test_bad_records_are_not_sent)
{
  const GstCcaAnalysis analysis = test_analysis (1);
  GstCcaComponent bad[13];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    bad[i] = test_component (20);
  bad[0].id = 0;
  bad[1].width = 0;
  bad[2].height = 0;
  /* a pixel outside the frame, and the centroid with the box */
  bad[3].x = TEST_WIDTH - bad[3].width + 1;
  bad[3].centroid_x = bad[3].x;
  bad[4].y = G_MAXUINT;
  bad[5].width = G_MAXUINT;
  bad[6].area = 0;
  bad[7].area = bad[7].width * bad[7].height + 1;
  bad[8].centroid_x = NAN;
  bad[9].centroid_y = INFINITY;
  bad[10].centroid_x = bad[10].x - 0.75;
  bad[11].centroid_y = bad[11].y + bad[11].height;
  bad[12].y = TEST_HEIGHT - bad[12].height + 1;
  bad[12].centroid_y = bad[12].y;

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    GstBuffer *buffer = gst_buffer_new ();
    GByteArray *bytes = g_byte_array_new ();
    GBytes *table = g_bytes_new (&bad[i], sizeof (bad[i]));
    GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, table);

    fail_if (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
    assert_equals_int (bytes->len, 0);
    g_bytes_unref (table);
    g_byte_array_unref (bytes);
    gst_buffer_unref (buffer);
  }
}

TEST (test_truncated)
{
  GByteArray *bytes = serialize (3, 4);
  const guint8 *payload = bytes->data + FRAME_SIZE;
  const gsize size = bytes->len - FRAME_SIZE;
  gsize cut;

  for (cut = 0; cut < size; cut++)
    fail_if (payload_accepted (payload, cut, VERSION));
  fail_unless (payload_accepted (payload, size, VERSION));

  for (cut = 0; cut < bytes->len; cut++) {
    GstBuffer *buffer = gst_buffer_new ();
    guint8 *exact = g_memdup2 (bytes->data, cut);
    guint32 consumed;

    if (cut > 0)
      fail_unless (
          gst_meta_deserialize (buffer, exact, cut, &consumed) == NULL);
    g_free (exact);
    gst_buffer_unref (buffer);
  }
  g_byte_array_unref (bytes);
}

TEST (test_trailing_bytes)
{
  GByteArray *bytes = serialize (2, 2);
  const guint8 zeros[2 * RECORD_SIZE] = {0};
  const gsize size = bytes->len - FRAME_SIZE;
  guint extra;

  g_byte_array_append (bytes, zeros, sizeof (zeros));
  for (extra = 1; extra <= sizeof (zeros); extra++)
    fail_if (
        payload_accepted (bytes->data + FRAME_SIZE, size + extra, VERSION));
  g_byte_array_unref (bytes);
}

TEST (test_other_versions)
{
  GByteArray *bytes = serialize (2, 2);
  guint version;

  for (version = 0; version < 256; version++)
    fail_unless (payload_accepted (bytes->data + FRAME_SIZE,
                     bytes->len - FRAME_SIZE, version)
        == (version == VERSION));
  g_byte_array_unref (bytes);
}

/* A header may claim any count: memory is allocated for the received bytes
 * only. */
TEST (test_absurd_counts)
{
  static const guint32 counts[] = {
    1,
    3,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x04924925,
    0x24924925,
  };
  GByteArray *bytes = serialize (2, 2);
  guint8 *payload = bytes->data + FRAME_SIZE;
  guint i;

  put_u32 (payload, G_MAXINT);
  put_u32 (payload + 4, G_MAXINT);
  put_u32 (payload + 24, G_MAXUINT32);
  fail_unless (payload_accepted (payload, bytes->len - FRAME_SIZE, VERSION));
  for (i = 0; i < G_N_ELEMENTS (counts); i++) {
    put_u32 (payload + 28, counts[i]);
    fail_if (payload_accepted (payload, bytes->len - FRAME_SIZE, VERSION));
  }
  g_byte_array_unref (bytes);
}

/* Unknown bits are not read as known ones. */
TEST (test_unknown_flags)
{
  GByteArray *bytes = serialize (2, 2);
  guint8 *payload = bytes->data + FRAME_SIZE;
  guint bit;

  for (bit = 0; bit < 32; bit++) {
    put_u32 (payload + 16, 1u << bit);
    fail_unless (payload_accepted (payload, bytes->len - FRAME_SIZE, VERSION)
        == (bit == 0));
  }
  g_byte_array_unref (bytes);
}

/* Two components with groups or with features, a zone and an event. */
static GByteArray *
serialize_features (GstCcaFeatureFlags flags, guint group)
{
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaFeatures *features = test_features (2);
  GstCcaAnalysis analysis = test_analysis (3);
  GstCcaComponent c[2] = {test_component (0), test_component (1)};
  GstCcaMeta *meta;

  c[1].group = group;
  meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, 2);
  gst_cca_meta_set_features_from_records (meta, flags, features, 2);
  test_add_notes (meta);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  gst_buffer_unref (buffer);
  g_free (features);

  return bytes;
}

/* Records are not aligned. */
static guint64
read_64 (const guint8 *p)
{
  return GST_READ_UINT32_LE (p) | (guint64) GST_READ_UINT32_LE (p + 4) << 32;
}

/* Groups, flags and features are between the records and the shapes. Metas
 * without them have version 1, which older readers know. Unknown flags are
 * kept. */
TEST_LOOP (test_groups_and_features, 0, 5)
{
  static const struct
  {
    GstCcaFeatureFlags flags;
    guint group;
    guint size;
  } cases[] = {{0, 0, 0}, {0, 1, 12}, {GST_CCA_FEATURE_FLAG_SHAPE, 0, 204},
    {7, 2, 204}, {0x80000000, 0, 204}};
  const guint group = cases[__i__].group;
  const GstCcaFeatureFlags flags = cases[__i__].flags;
  GByteArray *bytes = serialize_features (flags, group);
  GByteArray *plain = serialize_features (0, 0), *again = g_byte_array_new ();
  const gsize begin = FRAME_SIZE + HEADER_SIZE + 2 * RECORD_SIZE;
  guint8 *payload = bytes->data + FRAME_SIZE;
  const guint8 version = payload[-1];
  GstCcaFeatures *wanted = test_features (2);
  const GstCcaFeatures *features;
  GstBuffer *buffer = gst_buffer_new (), *same = gst_buffer_new ();
  GstCcaComponent c;
  guint32 consumed;
  GstMeta *meta;
  gsize cut;
  guint n;

  assert_equals_int (bytes->len, plain->len + cases[__i__].size);
  assert_equals_int (version, flags || group ? 2 : 1);
  fail_unless (
      memcmp (payload, plain->data + FRAME_SIZE, begin - FRAME_SIZE) == 0);
  fail_unless (memcmp (bytes->data + begin + cases[__i__].size,
                   plain->data + begin, plain->len - begin)
      == 0);
  if (version == VERSION_WITH_FEATURES) {
    const guint8 *p = bytes->data + begin;

    assert_equals_int (GST_READ_UINT32_LE (p), 0);
    assert_equals_int (GST_READ_UINT32_LE (p + 4), group);
    assert_equals_int (GST_READ_UINT32_LE (p + 8), flags);
  }
  if (flags) { /* the first record, on a machine of this byte order */
    const guint8 *p = bytes->data + begin + 12;

    assert_equals_uint64 (read_64 (p), (guint64) 1 << 62);
    assert_equals_uint64 (read_64 (p + 48), 7);
    assert_equals_int (GST_READ_UINT32_LE (p + 56), 8);
    assert_equals_int (GST_READ_UINT32_LE (p + 68), G_MAXUINT);
    assert_equals_uint64 (read_64 (p + 88), 14);
  }

  meta = gst_meta_deserialize (buffer, bytes->data, bytes->len, &consumed);
  fail_unless (meta != NULL);
  fail_unless (gst_meta_serialize_simple (meta, again));
  assert_equals_int (again->len, bytes->len);
  fail_unless (memcmp (again->data, bytes->data, bytes->len) == 0);
  assert_equals_int (gst_cca_meta_get_feature_flags ((GstCcaMeta *) meta),
      flags);
  features = gst_cca_meta_get_features ((GstCcaMeta *) meta, &n);
  assert_equals_int (n, flags ? 2 : 0);
  fail_unless (n == 0 || memcmp (features, wanted, n * sizeof (*wanted)) == 0);
  fail_unless (gst_cca_meta_get_component ((GstCcaMeta *) meta, 1, &c));
  assert_equals_int (c.group, group);
  test_add_notes (test_add_meta (same, 2, 3));
  test_check_notes ((GstCcaMeta *) meta, gst_buffer_get_cca_meta (same));

  fail_unless (payload_accepted (payload, bytes->len - FRAME_SIZE, version));
  fail_if (payload_accepted (payload, bytes->len - FRAME_SIZE, 3 - version));
  for (cut = 0; cut < bytes->len - FRAME_SIZE; cut++)
    fail_if (cut != begin + cases[__i__].size - FRAME_SIZE
        && payload_accepted (payload, cut, version));
  gst_buffer_unref (buffer);
  gst_buffer_unref (same);
  g_free (wanted);
  g_byte_array_unref (bytes);
  g_byte_array_unref (plain);
  g_byte_array_unref (again);
}

/* Of a frame without components the flags alone are sent. Version 2 without
 * groups and features is refused: a meta has one form. */
TEST (test_flags_alone)
{
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new (), *got = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 0, 0);
  guint8 *payload;
  guint32 consumed;
  gsize size;

  gst_cca_meta_set_features (meta, 3, NULL);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  assert_equals_int (bytes->len, FRAME_SIZE + HEADER_SIZE + 4);
  meta = (GstCcaMeta *) gst_meta_deserialize (got, bytes->data, bytes->len,
      &consumed);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 3);
  payload = bytes->data + FRAME_SIZE;
  size = bytes->len - FRAME_SIZE;
  put_u32 (payload + HEADER_SIZE, 0);
  fail_if (payload_accepted (payload, size, VERSION_WITH_FEATURES));
  g_byte_array_unref (bytes);

  bytes = serialize_features (0, 1);
  payload = bytes->data + FRAME_SIZE;
  size = bytes->len - FRAME_SIZE;
  fail_unless (payload_accepted (payload, size, VERSION_WITH_FEATURES));
  put_u32 (payload + HEADER_SIZE + 2 * RECORD_SIZE + 4, 0);
  fail_if (payload_accepted (payload, size, VERSION_WITH_FEATURES));
  g_byte_array_unref (bytes);
  gst_buffer_unref (buffer);
  gst_buffer_unref (got);
}

static GByteArray *
serialize_notes (void)
{
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 2, 3);

  test_add_notes (meta);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  gst_buffer_unref (buffer);

  return bytes;
}

/* Shapes and events follow the records. */
TEST (test_notes)
{
  static const guint8 want[] = {2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0,
    /* the line */
    0, 0, 0, 0, 4, 0, 0, 0, 'g', 'a', 't', 'e', 4, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0xf8, 0x3f};
  static const guint8 want_event[] = {4, 0, 0, 0, 'i', 'd', 'l', 'e', 1, 0, 0,
    0, 1, 0, 0, 0, 'n', 2, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff};
  GByteArray *bytes = serialize_notes ();
  const guint8 *notes =
      bytes->data + FRAME_SIZE + HEADER_SIZE + 2 * RECORD_SIZE;
  GstBuffer *buffer = gst_buffer_new (), *same = gst_buffer_new ();
  GstCcaMeta *wanted = test_add_meta (same, 2, 3);
  GstStructure *event;
  guint32 consumed;
  GstMeta *meta;

  fail_unless (memcmp (notes, want, sizeof (want)) == 0);
  meta = gst_meta_deserialize (buffer, bytes->data, bytes->len, &consumed);
  test_check_meta ((GstCcaMeta *) meta, 2, 3);
  test_add_notes (wanted);
  test_check_notes ((GstCcaMeta *) meta, wanted);

  /* the last event, without its fraction and its empty fields */
  event = gst_structure_new ("idle", "n", G_TYPE_INT, -2, "t", G_TYPE_STRING,
      NULL, "s", GST_TYPE_STRUCTURE, NULL, "l", GST_TYPE_FRACTION, 1, 2, NULL);
  gst_cca_meta_add_event (wanted, event);
  gst_structure_free (event);

  /* without counts, which differs from counts of 0 */
  gst_cca_meta_set_shapes (wanted, gst_cca_meta_get_shapes (wanted), NULL);
  g_byte_array_set_size (bytes, 0);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (wanted), bytes));
  gst_buffer_remove_meta (buffer, meta);
  meta = gst_meta_deserialize (buffer, bytes->data, bytes->len, &consumed);
  test_check_notes ((GstCcaMeta *) meta, wanted);
  fail_unless (memcmp (bytes->data + bytes->len - sizeof (want_event),
                   want_event, sizeof (want_event))
      == 0);
  gst_buffer_unref (buffer);
  gst_buffer_unref (same);
  g_byte_array_unref (bytes);
}

/* No part of the shapes and events is read that was not sent, and none is left
 * over. */
TEST (test_bad_notes)
{
  GByteArray *bytes = serialize_notes ();
  const gsize begin = FRAME_SIZE + HEADER_SIZE + 2 * RECORD_SIZE;
  guint8 *payload, *notes;
  gsize cut, size;
  guint i, value;
  static const struct
  {
    const gchar *after;
    guint at, value;
  } bad[] = {
    /* more shapes than there are, counts of half of them, no shapes */
    {NULL, 0, 3},
    {NULL, 4, 2},
    {NULL, 0, 0},
    /* another kind, a name that is no UTF-8, no name, a coordinate too many,
     * one that is no number */
    {NULL, 12, 4},
    {NULL, 20, 0xff},
    {NULL, 16, 0},
    {NULL, 24, 5},
    {NULL, 35, 0x7f},
    /* names that GStreamer does not have, the same name twice, other types, a
     * text that is no UTF-8, a value of neither true nor false */
    {"cca-track", 0, '-'},
    {"cca-track", 3, ' '},
    {"event", 0, ','},
    {"id", 0, 0},
    {"event", 5, 8},
    {"crossed", 0, 0xff},
    {"late", 8, 2},
    {"box", 3 + 4 + 4 + 3 + 4 + 4 + 1, 7},
    {"duplicate-b", 10, 'a'},
  };

  g_byte_array_append (bytes, (const guint8 *) "", 1);
  payload = bytes->data + FRAME_SIZE;
  notes = bytes->data + begin;
  size = bytes->len - 1 - FRAME_SIZE;
  fail_unless (payload_accepted (payload, size, VERSION));
  fail_if (payload_accepted (payload, size + 1, VERSION));
  for (cut = begin - FRAME_SIZE + 1; cut < size; cut++)
    fail_if (payload_accepted (payload, cut, VERSION));
  for (i = 0; begin + i < bytes->len; i++) {
    const guint8 old = notes[i];

    for (value = 0; value < 256; value++) {
      notes[i] = value;
      payload_accepted (payload, size, VERSION);
    }
    notes[i] = old;
  }

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    guint8 *p = notes + bad[i].at;
    guint8 old;

    if (bad[i].after != NULL)
      p += (guint8 *) memmem (notes, size, bad[i].after, strlen (bad[i].after))
          - notes;
    old = *p;
    *p = bad[i].value;
    fail_if (payload_accepted (payload, size, VERSION), "%u", i);
    *p = old;
  }
  /* the counts of one shape, for two: the others begin with the first, 3 */
  put_u32 (notes + 4, 2);
  g_byte_array_remove_range (bytes,
      (guint8 *) memmem (notes, size, "\3\0\0\0\0\0\0\0\xff", 9) - bytes->data,
      16);
  fail_if (payload_accepted (payload, size - 16, VERSION));
  g_byte_array_unref (bytes);
}

/* A structure in an event is read, and refused if it has a structure itself. */
TEST (test_nested_events)
{
  static const guint8 event[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    /* the structure a with the field b, and the structure c with the field d */
    1, 0, 0, 0, 'a', 1, 0, 0, 0, 1, 0, 0, 0, 'b', 7, 0, 0, 0, 1, 0, 0, 0, 'c',
    1, 0, 0, 0, 1, 0, 0, 0, 'd'};
  static const guint8 number[] = {3, 0, 0, 0, 5, 0, 0, 0};
  static const guint8 structure[] = {7, 0, 0, 0, 1, 0, 0, 0, 'e', 0, 0, 0, 0};
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 0, 0);
  gsize size;

  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  g_byte_array_append (bytes, event, sizeof (event));
  size = bytes->len;
  g_byte_array_append (bytes, number, sizeof (number));
  fail_unless (payload_accepted (bytes->data + FRAME_SIZE,
      bytes->len - FRAME_SIZE, VERSION));
  g_byte_array_set_size (bytes, size);
  g_byte_array_append (bytes, structure, sizeof (structure));
  fail_if (payload_accepted (bytes->data + FRAME_SIZE, bytes->len - FRAME_SIZE,
      VERSION));
  g_byte_array_unref (bytes);
  gst_buffer_unref (buffer);
}

/* A meta cannot have more events than the maximum, also not by bytes. */
TEST (test_many_events)
{
  GstStructure *event = gst_structure_new_empty ("a");
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 0, 0);
  GByteArray *bytes = g_byte_array_new ();
  static const guint8 one_more[] = {1, 0, 0, 0, 'a', 0, 0, 0, 0};
  gsize size;
  guint i;

  for (i = 0; i < GST_CCA_META_MAX_EVENTS; i++)
    fail_unless (gst_cca_meta_add_event (meta, event));
  fail_if (gst_cca_meta_add_event (meta, event));
  assert_equals_int (gst_cca_meta_get_n_events (meta), GST_CCA_META_MAX_EVENTS);
  fail_unless (gst_cca_meta_get_event (meta, GST_CCA_META_MAX_EVENTS) == NULL);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  size = bytes->len - FRAME_SIZE;
  fail_unless (payload_accepted (bytes->data + FRAME_SIZE, size, VERSION));
  g_byte_array_append (bytes, one_more, sizeof (one_more));
  put_u32 (bytes->data + FRAME_SIZE + HEADER_SIZE + 8,
      GST_CCA_META_MAX_EVENTS + 1);
  fail_if (payload_accepted (bytes->data + FRAME_SIZE, size + sizeof (one_more),
      VERSION));
  g_byte_array_unref (bytes);
  gst_structure_free (event);
  gst_buffer_unref (buffer);
}

/* Every value of every byte. */
TEST (test_corrupted)
{
  GByteArray *bytes = serialize (2, 3);
  guint i, value, n_accepted = 0;

  for (i = FRAME_SIZE; i < bytes->len; i++) {
    const guint8 old = bytes->data[i];

    for (value = 0; value < 256; value++) {
      bytes->data[i] = value;
      n_accepted += payload_accepted (bytes->data + FRAME_SIZE,
          bytes->len - FRAME_SIZE, VERSION);
    }
    bytes->data[i] = old;
  }
  GST_INFO ("%u of %u corruptions give a valid meta", n_accepted,
      (bytes->len - FRAME_SIZE) * 256);
  fail_unless (n_accepted > 0);
  g_byte_array_unref (bytes);
}

/* The same through GStreamer's frame, its header included. */
TEST (test_corrupted_frame)
{
  GByteArray *bytes = serialize (2, 3);
  guint i, bit;

  for (i = 0; i < bytes->len; i++) {
    for (bit = 0; bit < 8; bit++) {
      GstBuffer *buffer = gst_buffer_new ();
      guint8 *exact = g_memdup2 (bytes->data, bytes->len);
      guint32 consumed;
      GstMeta *meta;

      exact[i] ^= 1 << bit;
      meta = gst_meta_deserialize (buffer, exact, bytes->len, &consumed);
      if (meta != NULL)
        check_valid ((GstCcaMeta *) meta);
      g_free (exact);
      gst_buffer_unref (buffer);
    }
  }
  g_byte_array_unref (bytes);
}

TEST (test_garbage)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint i, j;

  for (i = 0; i < 20000; i++) {
    guint8 payload[HEADER_SIZE + 4 * RECORD_SIZE];
    const guint n = g_rand_int_range (rand, 0, 5);
    gsize size = HEADER_SIZE + n * RECORD_SIZE;

    for (j = 0; j < size; j++)
      payload[j] = g_rand_int (rand);
    if (i % 2 == 0) {
      /* a good header, so that the records are looked at too */
      put_u32 (payload, G_MAXINT);
      put_u32 (payload + 4, G_MAXINT);
      put_u32 (payload + 16, 0);
      put_u32 (payload + 20, 8);
      put_u32 (payload + 24, n);
      put_u32 (payload + 28, n);
      put_u32 (payload + 32, 10);
      fail_unless (payload_accepted (payload, size, VERSION) || n > 0);
    } else {
      size = g_rand_int_range (rand, 0, size + 1);
      payload_accepted (payload, size, VERSION);
    }
  }
  g_rand_free (rand);
}

/* Thousands of refusals are part of the tests. */
static void
setup (void)
{
  gst_debug_set_threshold_for_name ("ccameta", GST_LEVEL_NONE);
  gst_debug_set_threshold_for_name ("GST_META", GST_LEVEL_NONE);
}

SUITE ("serialize", .setup = setup, .timeout = 60);
