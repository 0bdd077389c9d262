/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* GstCcaMeta from bytes: an accepted meta is valid, every function takes it,
 * and it is written as the same bytes. Input: 16 bytes of choices, then the
 * payload. It is given to the meta itself and, in a frame that is always right,
 * to gst_meta_deserialize(). */

#include <math.h>

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>

#include "gst/ccameta/gstccametaprivate.h"

#include "fuzz.h"

#define MAX_PAYLOAD 4096
#define MAX_OBJECTS 8
#define NAME "GstCcaMeta"

#define VERSION 1
#define VERSION_WITH_FEATURES 2

/* size, name length, name, a zero, version */
#define FRAME_SIZE (4 + 4 + sizeof (NAME) + 1)

typedef struct
{
  guint8 version;
  guint frame_width, frame_height;
  guint16 steps[6]; /* of a matrix, as half floats */
} Choices;

/* --- promises ------------------------------------------------------------- */

static void
check_component (const GstCcaComponent *c, guint width, guint height)
{
  REQUIRE (c->id >= 1 && c->width >= 1 && c->height >= 1, "id %u", c->id);
  REQUIRE ((guint64) c->x + c->width <= width
          && (guint64) c->y + c->height <= height,
      "%u+%u of %u, %u+%u of %u", c->x, c->width, width, c->y, c->height,
      height);
  REQUIRE (c->area >= 1, "area 0");
  REQUIRE (isfinite (c->centroid_x) && isfinite (c->centroid_y), "%f,%f",
      c->centroid_x, c->centroid_y);
}

/* A record of the analysed picture, not scaled. */
static void
check_record (const GstCcaComponent *c, const GstCcaAnalysis *a)
{
  check_component (c, a->width, a->height);
  REQUIRE (c->area <= (guint64) c->width * c->height, "area");
  REQUIRE (c->centroid_x >= c->x - 0.5 && c->centroid_y >= c->y - 0.5
          && c->centroid_x <= (gdouble) c->x + c->width - 0.5
          && c->centroid_y <= (gdouble) c->y + c->height - 0.5,
      "centroid %f,%f", c->centroid_x, c->centroid_y);
}

static void
check_meta (const GstCcaMeta *meta)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *c;
  guint n, i;

  REQUIRE (a->width >= 1 && a->height >= 1 && a->width <= G_MAXINT
          && a->height <= G_MAXINT,
      "%ux%u", a->width, a->height);
  REQUIRE (a->connectivity == 4 || a->connectivity == 8, "%u", a->connectivity);
  REQUIRE (a->depth <= 16, "%u", a->depth);
  REQUIRE (a->n_found <= (guint64) a->width * a->height, "%u", a->n_found);

  c = gst_cca_meta_get_components (meta, &n);
  REQUIRE ((c == NULL) == (n == 0), "%u records", n);
  REQUIRE (n == gst_cca_meta_get_n_components (meta)
          && n <= gst_cca_meta_get_n_found (meta),
      "%u records", n);
  REQUIRE (gst_cca_meta_is_truncated (meta) == (n < a->n_found), "truncated");
  for (i = 0; i < n; i++) {
    GstCcaComponent copy;

    check_record (&c[i], a);
    REQUIRE (gst_cca_meta_get_component (meta, i, &copy)
            && memcmp (&copy, &c[i], sizeof (copy)) == 0,
        "record %u", i);
    REQUIRE (gst_cca_meta_get_component_scaled (meta, i, 0, 0, &copy)
            && memcmp (&copy, &c[i], sizeof (copy)) == 0,
        "record %u", i);
  }
  {
    GstCcaComponent copy;

    REQUIRE (!gst_cca_meta_get_component (meta, n, &copy), "record %u", n);
  }
}

/* Measures of any sums are computed without undefined behaviour. */
static void
check_features (const GstCcaMeta *meta)
{
  const guint n = gst_cca_meta_get_n_components (meta);
  guint n_features, i;
  const GstCcaFeatures *f = gst_cca_meta_get_features (meta, &n_features);
  const GstCcaComponent *c = gst_cca_meta_get_components (meta, &i);

  REQUIRE (n_features == (gst_cca_meta_get_feature_flags (meta) ? n : 0),
      "%u records of features", n_features);
  for (i = 0; i < n_features; i++) {
    gdouble x, y, z;

    gst_cca_features_get_central_moments (&f[i], &c[i], &x, &y, &z);
    gst_cca_features_get_axes (&f[i], &c[i], &x, &y);
    REQUIRE (x >= y && y >= 0, "axes %f, %f", x, y);
    x = gst_cca_features_get_eccentricity (&f[i], &c[i]);
    REQUIRE (x >= 0 && x <= 1, "eccentricity %f", x);
    gst_cca_features_get_orientation (&f[i], &c[i]);
    gst_cca_features_get_widths (&f[i], &c[i], &x, &y);
    gst_cca_features_get_standard_deviation (&f[i], &c[i]);
    gst_cca_features_get_weighted_centroid (&f[i], &x, &y);
    gst_cca_features_get_n_holes (&f[i], &c[i], 4);
    gst_cca_features_get_edge_length (&f[i], &c[i]);
  }
}

static void
check_scaled (const GstCcaMeta *meta, guint width, guint height)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  guint n = gst_cca_meta_get_n_components (meta), i;

  for (i = 0; i < n; i++) {
    GstCcaComponent c;

    REQUIRE (gst_cca_meta_get_component_scaled (meta, i, width, height, &c),
        "record %u", i);
    check_component (&c, width ? width : a->width, height ? height : a->height);
  }
}

/* --- uses ----------------------------------------------------------------- */

static void
check_emit (const GstCcaMeta *meta, guint width, guint height)
{
  guint n = MIN (gst_cca_meta_get_n_components (meta), MAX_OBJECTS);
  GstBuffer *buffer = gst_buffer_new ();
  GstAnalyticsRelationMeta *relations;

  REQUIRE (gst_cca_meta_emit_roi (meta, buffer, "fuzz", MAX_OBJECTS, width,
               height)
          == n,
      "%u regions", n);
  REQUIRE (gst_buffer_get_n_meta (buffer,
               GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
          == n,
      "%u regions", n);
  REQUIRE (gst_cca_meta_emit_analytics (meta, buffer, NULL, MAX_OBJECTS, width,
               height)
          == n,
      "%u objects", n);
  relations = gst_buffer_get_analytics_relation_meta (buffer);
  REQUIRE ((relations != NULL) == (n > 0), "%u objects", n);
  if (relations != NULL)
    REQUIRE (gst_analytics_relation_get_length (relations) == n, "%u", n);
  gst_buffer_unref (buffer);
}

static void
check_same (GstBuffer *buffer, const GstCcaMeta *meta)
{
  const GstCcaMeta *other = gst_buffer_get_cca_meta (buffer);
  guint n, n_other;
  const GstCcaComponent *c = gst_cca_meta_get_components (meta, &n);

  REQUIRE (other != NULL, "the meta was lost");
  REQUIRE (memcmp (gst_cca_meta_get_analysis (other),
               gst_cca_meta_get_analysis (meta), sizeof (GstCcaAnalysis))
          == 0,
      "another analysis");
  REQUIRE (gst_cca_meta_get_components (other, &n_other) == c && n_other == n,
      "another table");
}

static void
check_transforms (GstBuffer *buffer, GstCcaMeta *meta, guint width,
    guint height)
{
  const GstMetaInfo *info = GST_CCA_META_INFO;
  GstBuffer *copy = gst_buffer_copy (buffer);
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = {&in, &out};

  check_same (copy, meta);
  gst_buffer_unref (copy);

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 64, 64);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, width % 256 + 1,
      height % 256 + 1);
  copy = gst_buffer_new ();
  REQUIRE (info->transform_func (copy, GST_META_CAST (meta), buffer,
               gst_video_meta_transform_scale_get_quark (), &scale),
      "scale");
  check_same (copy, meta);
  REQUIRE (!info->transform_func (copy, GST_META_CAST (meta), buffer,
               g_quark_from_static_string ("unknown"), NULL),
      "unknown");
  gst_buffer_unref (copy);
}

/* Eleven bits of value and five of scale, with a sign in the value. */
static gdouble
number (guint16 v)
{
  return ldexp ((gint) (v & 0x7ff) - 1024, (v >> 11) - 16);
}

/* The effect of a matrix on the table, with any version of GStreamer. */
static void
check_map (const GstCcaMeta *meta, const Choices *choices)
{
  const GstCcaMap map = {
    .xx = number (choices->steps[0]),
    .xy = number (choices->steps[1]),
    .x0 = number (choices->steps[2]),
    .yx = number (choices->steps[3]),
    .yy = number (choices->steps[4]),
    .y0 = number (choices->steps[5]),
    .clip_x1 = MIN (choices->frame_width, G_MAXINT),
    .clip_y1 = MIN (choices->frame_height, G_MAXINT),
  };
  const GstCcaAnalysis a = {.width = map.clip_x1, .height = map.clip_y1};
  const GstCcaComponent *before, *after;
  guint n_before, n_after, i;
  GBytes *mapped;
  gsize size;

  before = gst_cca_meta_get_components (meta, &n_before);
  if (n_before == 0)
    return;

  mapped = gst_cca_map_components (&map, before, n_before);
  after = g_bytes_get_data (mapped, &size);
  n_after = size / sizeof (*after);
  REQUIRE (n_after <= n_before, "%u of %u", n_after, n_before);
  for (i = 0; i < n_after; i++)
    check_record (&after[i], &a);
  g_bytes_unref (mapped);
}

/* --- bytes ---------------------------------------------------------------- */

static guint8 *
frame_new (const guint8 *payload, gsize size, guint8 version)
{
  guint8 *frame = exact (FRAME_SIZE + size);

  GST_WRITE_UINT32_LE (frame, FRAME_SIZE + size);
  GST_WRITE_UINT32_LE (frame + 4, strlen (NAME));
  memcpy (frame + 8, NAME, sizeof (NAME));
  frame[FRAME_SIZE - 1] = version;
  if (size > 0)
    memcpy (frame + FRAME_SIZE, payload, size);

  return frame;
}

static void
check_written (const GstCcaMeta *meta, const guint8 *payload, gsize size,
    guint8 version)
{
  GByteArray *bytes = g_byte_array_new ();
  const guint8 *written;

  REQUIRE (gst_meta_serialize_simple (GST_META_CAST (meta), bytes), "refused");
  REQUIRE (bytes->len == FRAME_SIZE + size,
      "%u bytes were written and %zu were read", bytes->len, size);
  written = bytes->data + FRAME_SIZE;
  REQUIRE (written[-1] == version, "version %u was written", written[-1]);
  REQUIRE (memcmp (written, payload, size) == 0, "other bytes were written");
  g_byte_array_unref (bytes);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
  gst_cca_meta_get_info ();
  gst_debug_remove_log_function (gst_debug_log_default);
  /* messages about refused bytes are formatted, but not printed */
  gst_debug_set_threshold_for_name ("ccameta", GST_LEVEL_LOG);

  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const guint8 versions[] = {VERSION, VERSION, VERSION, VERSION,
    VERSION_WITH_FEATURES, VERSION_WITH_FEATURES, VERSION_WITH_FEATURES + 1, 0};
  Input in = {data, size};
  Choices choices = {
    .version = versions[take_below (&in, 8)],
  };
  GstBuffer *buffer = gst_buffer_new (), *framed = gst_buffer_new ();
  guint8 *payload, *frame;
  guint32 consumed = 0;
  GstMeta *meta, *same;
  gsize frame_size;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (choices.steps); i++)
    choices.steps[i] = take (&in, 2);
  choices.frame_width = take_number (&in);
  choices.frame_height = take_number (&in);

  size = MIN (in.left, MAX_PAYLOAD);
  payload = exact (size);
  if (size > 0)
    memcpy (payload, in.at, size);
  frame = frame_new (payload, size, choices.version);
  frame_size = FRAME_SIZE + size;

  meta = GST_CCA_META_INFO->deserialize_func (GST_CCA_META_INFO, buffer,
      payload, size, choices.version);
  same = gst_meta_deserialize (framed, frame, frame_size, &consumed);
  REQUIRE ((meta != NULL) == (same != NULL), "only one was accepted");
  REQUIRE (gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE)
          == (meta ? 1 : 0),
      "metas");

  if (meta != NULL) {
    GstCcaMeta *cca = (GstCcaMeta *) meta;

    REQUIRE (choices.version == VERSION
            || choices.version == VERSION_WITH_FEATURES,
        "version %u", choices.version);
    REQUIRE (consumed == frame_size, "%u of %zu bytes", consumed, frame_size);
    check_meta (cca);
    check_scaled (cca, choices.frame_width, choices.frame_height);
    check_emit (cca, choices.frame_width, choices.frame_height);
    check_transforms (buffer, cca, choices.frame_width, choices.frame_height);
    check_map (cca, &choices);
    check_features (cca);
    check_written (cca, payload, size, choices.version);
    check_written ((GstCcaMeta *) same, payload, size, choices.version);
  }
  free (payload);
  free (frame);
  gst_buffer_unref (buffer);
  gst_buffer_unref (framed);

  return 0;
}
