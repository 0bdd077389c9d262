/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccatrack with any boxes: ids equal those of a second implementation of the
 * rule, messages and objects fit them, and the rest of the meta stays. Input:
 * properties, then frames and events. */

#include <gst/analytics/analytics.h>

#include "../check/elements/track-oracle.h"
#include "plugin.h"

#define MAX_RECORDS 12
#define MAX_FRAMES 48

typedef struct
{
  GstHarness *h;
  Oracle *oracle;
  OracleRule rule;
  guint max_objects;
  guint width; /* of the analysed picture */
  guint64 n_frames;
} Session;

static OracleRule
take_rule (Input *in)
{
  OracleRule rule;

  rule.min_hits = take_below (in, 4) + 1;
  rule.max_lost = take_below (in, 8);
  if (rule.max_lost == 7)
    rule.max_lost = 100000;
  rule.min_overlap = take_below (in, 101);
  rule.max_distance = take_below (in, 251) * 4;
  rule.max_tracks = take_below (in, 16) + 1;
  return rule;
}

/* A place in a small picture, so that many touch, or anywhere. */
static guint
take_place (Input *in)
{
  const guint64 number = take_number (in);

  return number < 0xf0 ? number % 48 : (guint) number;
}

static GstCcaComponent
take_record (Input *in)
{
  GstCcaComponent c = {0};

  c.x = take_place (in);
  c.y = take_place (in);
  c.width = take_place (in);
  c.height = take_place (in);
  c.area = take (in, 1);
  c.centroid_x = c.x;
  c.centroid_y = c.y;
  c.track_id = take_below (in, 4);
  return c;
}

/* --- results -------------------------------------------------------------- */

static void
check_meta (const GstCcaMeta *meta, const GstCcaComponent *records, guint n,
    const gint64 *ids)
{
  const GstCcaComponent *c;
  guint n_out, i;

  c = gst_cca_meta_get_components (meta, &n_out);
  REQUIRE (n_out == n, "%u of %u records", n_out, n);
  for (i = 0; i < n; i++) {
    GstCcaComponent same = records[i];

    REQUIRE (c[i].track_id == ids[i],
        "record %u: %" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT, i,
        c[i].track_id, ids[i]);
    REQUIRE (ids[i] >= 0 || c[i].zones == 0, "record %u is in zones", i);
    same.track_id = ids[i];
    same.zones = c[i].zones;
    REQUIRE (memcmp (&same, &c[i], sizeof (same)) == 0, "record %u", i);
  }
}

/* Each visible id is reported once if there is room, then other live ones. */
static void
check_told (const Session *s, GstBuffer *buffer, const gint64 *ids, guint n)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsTrackingMtd tracking;
  gpointer state = NULL;
  guint n_live = 0, n_seen = 0, n_ids = 0, i;

  for (i = 0; i < n; i++)
    n_ids += ids[i] > 0;
  while (relations != NULL
      && gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_tracking_mtd_get_mtd_type (), &tracking)) {
    GstClockTime first_seen, last_seen;
    gboolean lost;
    guint64 id;

    REQUIRE (gst_analytics_tracking_mtd_get_info (&tracking, &id, &first_seen,
                 &last_seen, &lost),
        "no track");
    REQUIRE (first_seen <= last_seen && last_seen <= s->n_frames, "times");
    n_live += !lost;
    for (i = 0; i < n; i++)
      n_seen += ids[i] == (gint64) id && !lost && last_seen == s->n_frames;
  }
  if (relations != NULL)
    REQUIRE (gst_analytics_relation_get_length (relations)
            <= 2 * s->max_objects,
        "entries");
  REQUIRE (n_seen <= n_ids && n_live <= oracle_n_confirmed (s->oracle),
      "%u of %u seen, %u live", n_seen, n_ids, n_live);
  if (s->max_objects >= 64)
    REQUIRE (n_seen == n_ids && n_live == oracle_n_confirmed (s->oracle),
        "%u of %u seen, %u of %u live", n_seen, n_ids, n_live,
        oracle_n_confirmed (s->oracle));
}

/* --- steps ---------------------------------------------------------------- */

static void
push_frame (Session *s, Input *in, gboolean shared)
{
  const guint n = take_below (in, MAX_RECORDS + 1);
  const GstCcaAnalysis analysis = {
    .width = s->width,
    .height = 32,
    .connectivity = 8,
    .n_found = n,
  };
  GstCcaComponent records[MAX_RECORDS];
  GstBuffer *buffer = gst_buffer_new (), *out, *kept = NULL;
  gint64 ids[MAX_RECORDS];
  guint i;

  for (i = 0; i < n; i++)
    records[i] = take_record (in);
  oracle_frame (s->oracle, &s->rule, records, n, ids);
  attach_meta (buffer, &analysis, records, n);
  GST_BUFFER_PTS (buffer) = ++s->n_frames;
  if (shared)
    kept = gst_buffer_ref (buffer);

  out = gst_harness_push_and_pull (s->h, buffer);
  REQUIRE (out != NULL, "a frame did not come through");
  check_meta (gst_buffer_get_cca_meta (out), records, n, ids);
  check_told (s, out, ids, n);
  gst_buffer_unref (out);
  if (kept != NULL) {
    const GstCcaComponent *c;

    c = gst_cca_meta_get_components (gst_buffer_get_cca_meta (kept), &i);
    REQUIRE (i == n && (n == 0 || memcmp (c, records, n * sizeof (*c)) == 0),
        "who shares the buffer sees ids");
    gst_buffer_unref (kept);
  }
}

static void
set_rule (Session *s)
{
  gst_harness_set (s->h, "ccatrack", "min-hits", s->rule.min_hits, "max-lost",
      s->rule.max_lost, "min-overlap", s->rule.min_overlap, "max-distance",
      s->rule.max_distance, "max-tracks", s->rule.max_tracks, "max-objects",
      s->max_objects, NULL);
}

static void
step (Session *s, Input *in)
{
  enum
  {
    FRAME,
    FRAME_2,
    FRAME_3,
    SHARED,
    NOTHING,
    SIZE,
    RULE,
    FLUSH
  };
  GstSegment segment;

  switch (take_below (in, 8)) {
    case NOTHING:
      gst_buffer_unref (gst_harness_push_and_pull (s->h, gst_buffer_new ()));
      break;
    case SIZE:
      s->width ^= 1;
      oracle_drop (s->oracle);
      push_frame (s, in, FALSE);
      break;
    case RULE:
      s->rule = take_rule (in);
      s->max_objects = take_below (in, 4) ? 64 : take_below (in, 6) + 1;
      set_rule (s);
      break;
    case FLUSH:
      gst_harness_push_event (s->h, gst_event_new_flush_start ());
      gst_harness_push_event (s->h, gst_event_new_flush_stop (TRUE));
      gst_segment_init (&segment, GST_FORMAT_TIME);
      gst_harness_push_event (s->h, gst_event_new_segment (&segment));
      oracle_drop (s->oracle);
      break;
    case SHARED:
      push_frame (s, in, TRUE);
      break;
    default:
      push_frame (s, in, FALSE);
      break;
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input in = {data, size};
  Session s = {.oracle = oracle_new (), .max_objects = 64, .width = 32};
  gchar *lines = g_strdup (
      "<[a,points=<10,0,20,40,30,0>],"
      "[b,anchor=centroid,x1=-2147483648,y1=9,x2=2147483647,y2=10]>");
  GstElement *element;
  GstStructure *stats;
  guint64 n_frames;
  guint i;

  s.h = gst_harness_new_parse ("ccatrack");
  element = gst_harness_find_element (s.h, "ccatrack");
  gst_util_set_object_arg (G_OBJECT (element), "lines", lines);
  gst_object_unref (element);
  gst_harness_set_src_caps_str (s.h,
      "video/x-raw, format=GRAY8, width=64, "
      "height=64, framerate=25/1");
  s.rule = take_rule (&in);
  set_rule (&s);
  for (i = 0; i < MAX_FRAMES && in.left > 0; i++)
    step (&s, &in);

  gst_harness_get (s.h, "ccatrack", "stats", &stats, NULL);
  REQUIRE (gst_structure_get_uint64 (stats, "frames", &n_frames)
          && n_frames == s.n_frames,
      "frames");
  gst_structure_free (stats);
  gst_harness_teardown (s.h);
  oracle_free (s.oracle);
  g_free (lines);

  return 0;
}
