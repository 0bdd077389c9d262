/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccatrack: its buffers, the end of its tracks, and its messages. The rule itself
 * is tested by tracker.c. */

#include "util.h"

#include <math.h>
#include <time.h>

#include <gst/analytics/analytics.h>

#define SIZE 1000
#define CAPS "video/x-raw,format=GRAY8,width=1000,height=1000,framerate=25/1"

/* Boxes of 10x10 pixels, the nth one in a row of its own. */
static GBytes *
boxes (const gint *x, guint n)
{
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  guint i;

  for (i = 0; i < n; i++)
    components[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = x[i],
      .y = 20 * i,
      .width = 10,
      .height = 10,
      .area = 60,
      .centroid_x = x[i] + 4.5,
      .centroid_y = 20 * i + 4.5,
      .track_id = -1,
    };
  return g_bytes_new_take (components, n * sizeof (*components));
}

static void
add_boxes (GstBuffer *buffer, guint width, guint height, const gint *x, guint n)
{
  const GstCcaAnalysis analysis = {
    .width = width,
    .height = height,
    .threshold = 17,
    .threshold_high = 200,
    .invert = TRUE,
    .connectivity = 4,
    .n_found = n + 5,
    .depth = 10,
    .foreground = GST_CCA_FOREGROUND_OTSU,
    .flags = GST_CCA_ANALYSIS_FLAG_WARMING_UP,
  };
  GBytes *bytes = boxes (x, n);
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);

  fail_unless (meta != NULL);
  gst_cca_meta_set_pixel_aspect_ratio (meta, 1, 1);
  g_bytes_unref (bytes);
}

/* The frame of that number, with boxes at these columns. */
static GstBuffer *
frame_at (guint number, const gint *x, guint n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  add_boxes (buffer, SIZE, SIZE, x, n);
  return buffer;
}

static GstHarness *
tracker_new (const gchar *description, const gchar *caps, GstBus **bus)
{
  GstHarness *h = gst_harness_new_parse (description);

  if (bus != NULL) {
    *bus = gst_bus_new ();
    gst_element_set_bus (h->element, *bus);
  }
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

/* A frame with one object that stands still. */
static GstBuffer *
push_one (GstHarness *h, guint number)
{
  const gint x = 100;

  return gst_harness_push_and_pull (h, frame_at (number, &x, 1));
}

static gint64
id_of (GstBuffer *buffer, guint nth)
{
  GstCcaComponent c;

  fail_unless (
      gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), nth, &c));
  return c.track_id;
}

/* Pushes it, and takes its id. */
static gint64
next_id (GstHarness *h, guint number)
{
  GstBuffer *buffer = push_one (h, number);
  const gint64 id = id_of (buffer, 0);

  gst_buffer_unref (buffer);
  return id;
}

static GstStructure *
get_stats (GstHarness *h)
{
  GstStructure *stats;

  gst_harness_get (h, "ccatrack", "stats", &stats, NULL);
  return stats;
}

static guint64
get_number (const GstStructure *s, const gchar *field)
{
  guint64 number = 0;
  guint small;

  if (gst_structure_get_uint (s, field, &small))
    return small;
  fail_unless (gst_structure_get_uint64 (s, field, &number), "no %s", field);
  return number;
}

static guint64
stat_of (GstHarness *h, const gchar *field)
{
  GstStructure *stats = get_stats (h);
  const guint64 number = get_number (stats, field);

  gst_structure_free (stats);
  return number;
}

/* The next message is of that event and track; to be freed. */
static GstStructure *
expect_event (GstBus *bus, const gchar *event, guint64 id)
{
  GstStructure *s = pop_message (bus);

  fail_unless (s != NULL, "no message");
  assert_equals_string (gst_structure_get_name (s), "cca-track");
  assert_equals_string (gst_structure_get_string (s, "event"), event);
  assert_equals_uint64 (get_number (s, "id"), id);
  return s;
}

static void
skip_event (GstBus *bus, const gchar *event, guint64 id)
{
  gst_structure_free (expect_event (bus, event, id));
}

static void
assert_no_message (GstBus *bus)
{
  GstStructure *s = pop_message (bus);

  fail_unless (s == NULL, "a message: %s", gst_structure_get_name (s));
}

/* --- the meta ------------------------------------------------------------- */

/* All but the ids stays, of the first meta and of the others, whose order stays
 * too; and who shares the buffer or the table sees nothing new. */
TEST_LOOP (test_meta, 0, 3)
{
  static const gchar *const caps[] = {
    CAPS,
    "video/x-raw(memory:CUDAMemory),format=NV12,width=1000,height=1000,"
    "framerate=25/1",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12,width=1000,"
    "height=1000,framerate=25/1",
  };
  const gint x[] = {100, 300};
  GstHarness *h = tracker_new ("ccatrack min-hits=1", caps[__i__], NULL);
  GstBuffer *in = frame_at (0, x, 2), *out;
  const GstCcaComponent *c, *was;
  guint n, par_n, par_d, i;

  add_boxes (in, 500, 500, x, 1);
  was = gst_cca_meta_get_components (nth_meta (in, 0), &n);
  out = gst_harness_push_and_pull (h, gst_buffer_ref (in));

  fail_unless (out != in);
  fail_unless (
      gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (in, 0));
  fail_unless (gst_buffer_get_analytics_relation_meta (in) == NULL);
  assert_equals_int (gst_buffer_get_n_meta (out, GST_CCA_META_API_TYPE), 2);
  for (i = 0; i < 2; i++) {
    const GstCcaMeta *a = nth_meta (in, i), *b = nth_meta (out, i);

    fail_unless (memcmp (gst_cca_meta_get_analysis (a),
                     gst_cca_meta_get_analysis (b), sizeof (GstCcaAnalysis))
        == 0);
    gst_cca_meta_get_pixel_aspect_ratio (b, &par_n, &par_d);
    fail_unless (par_n == 1 && par_d == 1);
  }
  fail_unless (gst_cca_meta_get_components (nth_meta (in, 0), &n) == was);
  fail_unless (gst_cca_meta_get_components (nth_meta (out, 1), &n)
      == gst_cca_meta_get_components (nth_meta (in, 1), &n));

  c = gst_cca_meta_get_components (nth_meta (out, 0), &n);
  assert_equals_int (n, 2);
  for (i = 0; i < 2; i++) {
    GstCcaComponent copy = c[i];

    assert_equals_int64 (c[i].track_id, i + 1);
    assert_equals_int64 (was[i].track_id, -1);
    copy.track_id = -1;
    fail_unless (memcmp (&copy, &was[i], sizeof (copy)) == 0);
  }
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* A buffer that is not shared is not copied. A buffer without a meta is not
 * copied either, and does not count as a frame. */
TEST (test_in_place)
{
  GstHarness *h = tracker_new ("ccatrack max-lost=0", CAPS, NULL);
  GstBuffer *in, *out;
  const gint x = 100;
  guint i;

  for (i = 0; i < 6; i++) {
    in = frame_at (i, &x, 1);
    out = gst_harness_push_and_pull (h, in);
    fail_unless (out == in);
    assert_equals_int64 (id_of (out, 0), i < 2 ? -1 : 1);
    gst_buffer_unref (out);

    in = gst_buffer_new_allocate (NULL, 16, NULL);
    out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
    fail_unless (out == in);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
    gst_harness_push_event (h, gst_event_new_gap (0, GST_SECOND));
  }
  assert_equals_uint64 (stat_of (h, "frames"), 6);
  gst_harness_teardown (h);
}

/* A frame in which nothing was found counts, also one that a GAP flag marks. */
TEST (test_nothing_found)
{
  GstHarness *h = tracker_new ("ccatrack min-hits=1 max-lost=1", CAPS, NULL);
  GstBuffer *buffer;

  assert_equals_int64 (next_id (h, 0), 1);
  buffer = frame_at (1, NULL, 0);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  assert_equals_int64 (next_id (h, 2), 1);
  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (3, NULL, 0)));
  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (4, NULL, 0)));
  assert_equals_int64 (next_id (h, 5), 2);
  assert_equals_uint64 (stat_of (h, "frames"), 6);
  assert_equals_uint64 (stat_of (h, "lost"), 1);
  gst_harness_teardown (h);
}

/* The ids of an earlier tracker are replaced. */
TEST (test_earlier_ids)
{
  GstHarness *h = tracker_new ("ccatrack", CAPS, NULL);
  const gint x = 100;
  const gint64 id = 77;
  GstBuffer *buffer = frame_at (0, &x, 1);

  fail_unless (
      gst_cca_meta_set_track_ids (gst_buffer_get_cca_meta (buffer), &id, 1));
  assert_equals_int64 (id_of (buffer, 0), 77);
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_equals_int64 (id_of (buffer, 0), -1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* --- the end of tracks ---------------------------------------------------- */

static void
begin_stream (GstHarness *h)
{
  gst_harness_push_event (h, gst_event_new_stream_start ("another"));
}

static void
change_to (GstHarness *h, guint width, guint height)
{
  const gint x = 100;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

  add_boxes (buffer, width, height, &x, 1);
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_equals_int64 (id_of (buffer, 0), -1);
  gst_buffer_unref (buffer);
}

static void
change_size (GstHarness *h)
{
  change_to (h, SIZE / 2, SIZE / 2);
}

/* As when a tall picture is turned into a wide one. */
static void
change_height (GstHarness *h)
{
  change_to (h, SIZE, SIZE / 2);
}

static void
restart (GstHarness *h)
{
  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (h, CAPS);
}

/* After each of these events the object gets a new track, and its old id is not
 * used again. */
TEST (test_drops)
{
  static void (*const drops[]) (GstHarness *h) = {
    push_flush,
    begin_stream,
    change_size,
    change_height,
    restart,
  };
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack", CAPS, &bus);
  GstStructure *s;
  guint i, number = 0;

  for (i = 0; i < G_N_ELEMENTS (drops); i++) {
    assert_equals_int64 (next_id (h, number++), -1);
    assert_equals_int64 (next_id (h, number++), -1);
    assert_equals_int64 (next_id (h, number++), i + 1);
    skip_event (bus, "confirmed", i + 1);
    drops[i](h);
    s = expect_event (bus, "lost", i + 1);
    assert_equals_string (gst_structure_get_string (s, "reason"), "dropped");
    gst_structure_free (s);
    assert_no_message (bus);
    assert_equals_uint64 (stat_of (h, "lost"), i + 1);
    assert_equals_uint64 (stat_of (h, "confirmed"), 0);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_no_message (bus);
  assert_equals_uint64 (stat_of (h, "ids"), G_N_ELEMENTS (drops));
  harness_free (h, bus);
}

/* Another size of the video or another segment does not end tracks. */
TEST (test_keeps)
{
  GstHarness *h = tracker_new ("ccatrack", CAPS, NULL);
  GstSegment segment;
  guint i;

  for (i = 0; i < 9; i++) {
    assert_equals_int64 (next_id (h, i), i < 2 ? -1 : 1);
    if (i == 3)
      gst_harness_set_src_caps_str (h,
          "video/x-raw,format=GRAY8,width=50,"
          "height=50,framerate=10/1");
    gst_segment_init (&segment, GST_FORMAT_TIME);
    segment.base = i * GST_SECOND;
    gst_harness_push_event (h, gst_event_new_segment (&segment));
    gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
  }
  gst_harness_teardown (h);
}

/* --- analytics ------------------------------------------------------------ */

typedef struct
{
  guint64 id;
  GstClockTime first_seen, last_seen;
  gboolean lost;
  gint object; /* column of the object that relates to it */
} Told;

/* Reads all tracking metas, in order. */
static guint
read_tracks (GstBuffer *buffer, Told *told, guint most)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsTrackingMtd tracking;
  gpointer state = NULL;
  guint n = 0;

  while (relations != NULL
      && gst_analytics_relation_meta_iterate (relations, &state,
          gst_analytics_tracking_mtd_get_mtd_type (), &tracking)) {
    GstAnalyticsODMtd object;
    gpointer objects = NULL;
    gint y, width, height;

    fail_unless (n < most);
    fail_unless (gst_analytics_tracking_mtd_get_info (&tracking, &told[n].id,
        &told[n].first_seen, &told[n].last_seen, &told[n].lost));
    told[n].object = -1;
    while (gst_analytics_relation_meta_iterate (relations, &objects,
        gst_analytics_od_mtd_get_mtd_type (), &object))
      if (gst_analytics_relation_meta_get_relation (relations, object.id,
              tracking.id)
          == GST_ANALYTICS_REL_TYPE_RELATE_TO) {
        assert_equals_int (told[n].object, -1);
        fail_unless (gst_analytics_od_mtd_get_location (&object,
            &told[n].object, &y, &width, &height, NULL));
      }
    n++;
  }
  return n;
}

static guint
n_entries (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);

  return relations ? gst_analytics_relation_get_length (relations) : 0;
}

static void
assert_told (const Told *told, guint64 id, guint first_frame, guint last_frame,
    gboolean lost, gint object)
{
  assert_equals_uint64 (told->id, id);
  assert_equals_uint64 (told->first_seen, first_frame * 40 * GST_MSECOND);
  assert_equals_uint64 (told->last_seen, last_frame * 40 * GST_MSECOND);
  assert_equals_int (told->lost, lost);
  assert_equals_int (told->object, object);
}

/* With objects of the analyser or without; in a picture of another size. */
TEST_LOOP (test_tracking, 0, 2)
{
  static const gchar *const descriptions[] = {
    "ccatrack min-hits=2 max-lost=2",
    "ccaexpand meta-types=analytics ! ccatrack min-hits=2 max-lost=2",
  };
  GstHarness *h = tracker_new (descriptions[__i__],
      "video/x-raw,format=GRAY8,"
      "width=2000,height=2000,framerate=25/1",
      NULL);
  const gint x[] = {100, 300, 500};
  guint i;

  for (i = 0; i < 7; i++) {
    /* the third comes late, and the second goes after the third frame */
    GstBuffer *buffer = gst_harness_push_and_pull (h,
        frame_at (i, x,
            i < 2        ? 2
                : i == 2 ? 3
                         : 1));
    Told told[4];
    const guint n = read_tracks (buffer, told, 4);
    const guint n_objects = i < 2 ? 2 : i == 2 ? 3 : 1;
    const guint n_seen = i == 0 ? 0 : i < 3 ? 2 : 1;

    assert_equals_int (n, i == 0 ? 0 : i < 6 ? 2 : 1);
    assert_equals_int (n_entries (buffer), n + (__i__ ? n_objects : n_seen));
    if (n > 0)
      assert_told (&told[0], 1, 0, i, FALSE, 200);
    if (n > 1)
      assert_told (&told[1], 2, 0, MIN (i, 2), i == 5, i < 3 ? 600 : -1);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* Also where a component before it has no id: one comes in a row above. */
TEST (test_nth_object)
{
  GstHarness *h = tracker_new ("ccaexpand meta-types=analytics ! ccatrack "
                               "min-hits=2 max-distance=1000",
      CAPS, NULL);
  const gint x[] = {300, 900, 300};
  GstBuffer *buffer;
  Told told;

  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (0, x, 1)));
  buffer = gst_harness_push_and_pull (h, frame_at (1, &x[1], 2));
  assert_equals_int64 (id_of (buffer, 0), -1);
  assert_equals_int64 (id_of (buffer, 1), 1);
  assert_equals_int (read_tracks (buffer, &told, 1), 1);
  assert_equals_int (told.object, 300);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Objects of another type are others'. */
TEST (test_object_type)
{
  GstHarness *h = tracker_new (
      "ccaexpand object-type=other "
      "meta-types=analytics ! ccatrack min-hits=1 object-type=thing",
      CAPS, NULL);
  GstBuffer *buffer = push_one (h, 0);
  GstAnalyticsODMtd object;
  Told told;

  assert_equals_int (n_entries (buffer), 3);
  fail_unless (gst_analytics_relation_meta_get_od_mtd (
      gst_buffer_get_analytics_relation_meta (buffer), 1, &object));
  assert_equals_string (g_quark_to_string (
                            gst_analytics_od_mtd_get_obj_type (&object)),
      "thing");
  assert_equals_int (read_tracks (buffer, &told, 1), 1);
  assert_equals_int (told.object, 100);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Where the picture was cropped, nothing is drawn in the wrong place. */
TEST (test_misfit)
{
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack min-hits=1 meta-types=cca+roi+"
                               "analytics",
      "video/x-raw,format=GRAY8,width=1000,height=500,"
      "pixel-aspect-ratio=1/1,framerate=25/1",
      &bus);
  guint i;

  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = push_one (h, i);

    assert_equals_int64 (id_of (buffer, 0), 1);
    assert_equals_int (n_entries (buffer), 0);
    gst_buffer_unref (buffer);
  }
  assert_warning (bus, "after it was analysed");
  harness_free (h, bus);
}

/* Each kind alone. */
TEST (test_meta_types)
{
  GstHarness *h = tracker_new ("ccatrack min-hits=1", CAPS, NULL);
  guint types;

  for (types = 0; types < 8; types++) {
    GstBuffer *buffer;
    GstVideoRegionOfInterestMeta *region;
    guint64 id;

    gst_harness_set (h, "ccatrack", "meta-types", types, NULL);
    buffer = push_one (h, types);
    assert_equals_int64 (id_of (buffer, 0), types & 1 ? 1 : -1);
    assert_equals_int (n_entries (buffer), types & 4 ? 2 : 0);
    region = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (buffer,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless ((region != NULL) == ((types & 2) != 0));
    if (region != NULL) {
      assert_equals_int (region->x, 100);
      fail_unless (gst_structure_get_uint64 (
          gst_video_region_of_interest_meta_get_param (region, "track"), "id",
          &id));
      assert_equals_uint64 (id, 1);
    }
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* A relation meta that others have filled takes no tracks; one with room for
 * some takes those that are seen first. */
TEST (test_room)
{
  static const struct
  {
    guint max_objects, n_entries, n_tracks;
  } cases[] = {{1, 4, 0}, {2, 4, 0}, {3, 6, 2}, {4, 8, 4}, {9, 8, 4}};
  const gint x[] = {100, 300, 500, 700};
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h = tracker_new ("ccaexpand meta-types=analytics ! ccatrack "
                                 "min-hits=1 max-lost=1",
        CAPS, NULL);
    GstBuffer *buffer;
    Told told[4];

    gst_harness_set (h, "ccatrack", "max-objects", cases[i].max_objects, NULL);
    buffer = gst_harness_push_and_pull (h, frame_at (0, x, 4));
    assert_equals_int (n_entries (buffer), cases[i].n_entries);
    assert_equals_int (read_tracks (buffer, told, 4), cases[i].n_tracks);
    for (j = 0; j < cases[i].n_tracks; j++)
      assert_equals_uint64 (told[j].id, j + 1);
    gst_buffer_unref (buffer);

    /* two go, and wait; then they are lost */
    for (j = 1; j < 3; j++) {
      buffer = gst_harness_push_and_pull (h, frame_at (j, x, 2));
      assert_equals_int (n_entries (buffer),
          MIN (6, MAX (2, 2 * cases[i].max_objects)));
      gst_buffer_unref (buffer);
    }
    gst_harness_teardown (h);
  }
}

static guint
count_relations (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  const gsize n = gst_analytics_relation_get_length (relations);
  gsize i, j, n_relations = 0;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      n_relations += gst_analytics_relation_meta_get_relation (relations, i, j)
          == GST_ANALYTICS_REL_TYPE_RELATE_TO;
  return n_relations;
}

/* The components of an object share its track. */
TEST (test_united)
{
  static const struct
  {
    const gchar *description;
    guint n_entries, n_tracks, n_relations;
  } cases[] = {
    {"ccatrack min-hits=1 unite-groups=true max-objects=9", 5, 2, 3},
    {"ccatrack min-hits=1 unite=50 max-objects=9", 5, 2, 3},
    {"ccaexpand meta-types=analytics ! ccatrack min-hits=1 unite=50", 5, 2, 3},
    {"ccatrack min-hits=1 unite=50 max-objects=2", 4, 2, 2},
    {"ccatrack min-hits=1 max-objects=9", 6, 3, 3},
  };
  const GstCcaAnalysis analysis = {
    .width = SIZE,
    .height = SIZE,
    .connectivity = 4,
    .n_found = 3,
  };
  const GstCcaComponent components[] = {
    {.id = 1,
      .x = 10,
      .y = 10,
      .width = 20,
      .height = 20,
      .track_id = -1,
      .group = 1},
    {.id = 2,
      .x = 90,
      .y = 10,
      .width = 20,
      .height = 20,
      .track_id = -1,
      .group = 2},
    {.id = 3,
      .x = 20,
      .y = 20,
      .width = 10,
      .height = 20,
      .track_id = -1,
      .group = 1},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h = tracker_new (cases[i].description, CAPS, NULL);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
    GBytes *bytes = g_bytes_new_static (components, sizeof (components));
    const gboolean unites = i < 4;
    GstAnalyticsTrackingMtd tracking;
    gpointer state = NULL;
    guint n_tracks = 0;

    gst_buffer_add_cca_meta (buffer, &analysis, bytes);
    g_bytes_unref (bytes);
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_equals_int64 (id_of (buffer, 0), 1);
    assert_equals_int64 (id_of (buffer, 1), 2);
    assert_equals_int64 (id_of (buffer, 2), unites ? 1 : 3);
    assert_equals_uint64 (stat_of (h, "ids"), unites ? 2 : 3);
    assert_equals_int (n_entries (buffer), cases[i].n_entries);
    assert_equals_int (count_relations (buffer), cases[i].n_relations);
    while (gst_analytics_relation_meta_iterate (
        gst_buffer_get_analytics_relation_meta (buffer), &state,
        gst_analytics_tracking_mtd_get_mtd_type (), &tracking))
      n_tracks++;
    assert_equals_int (n_tracks, cases[i].n_tracks);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

/* Regions that are there get the ids of their components. */
TEST (test_regions)
{
  GstHarness *h = tracker_new ("ccaexpand meta-types=roi ! ccatrack min-hits=2 "
                               "meta-types=roi",
      CAPS, NULL);
  const gint x[] = {100, 300};
  gpointer state = NULL;
  GstBuffer *buffer;
  GstMeta *meta;
  guint n = 0;

  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (0, x, 2)));
  buffer = gst_harness_push_and_pull (h, frame_at (1, x, 2));
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))
      != NULL) {
    guint64 id;

    fail_unless (
        gst_structure_get_uint64 (gst_video_region_of_interest_meta_get_param (
                                      (GstVideoRegionOfInterestMeta *) meta,
                                      "track"),
            "id", &id));
    assert_equals_uint64 (id, ++n);
  }
  assert_equals_int (n, 2);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Those of another type are others'. */
TEST (test_other_regions)
{
  GstHarness *h = tracker_new ("ccaexpand meta-types=roi object-type=other ! "
                               "ccatrack min-hits=1 meta-types=roi",
      CAPS, NULL);
  GstBuffer *buffer = push_one (h, 0);
  GstVideoRegionOfInterestMeta *region;
  gpointer state = NULL;
  guint n = 0;

  while ((region = (GstVideoRegionOfInterestMeta *)
                 gst_buffer_iterate_meta_filtered (buffer, &state,
                     GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))
      != NULL) {
    const gboolean ours =
        region->roi_type == g_quark_from_static_string ("component");

    fail_unless (
        (gst_video_region_of_interest_meta_get_param (region, "track") != NULL)
        == ours);
    n++;
  }
  assert_equals_int (n, 2);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* --- properties ----------------------------------------------------------- */

/* The defaults are those of the rule, and a property returns the value that was
 * set. */
TEST (test_properties)
{
  static const struct
  {
    const gchar *name;
    guint least, most, by_default;
  } numbers[] = {
    {"unite", 0, 100, 0},
    {"min-hits", 1, 1000, 3},
    {"max-lost", 0, 100000, 15},
    {"min-overlap", 0, 100, 0},
    {"max-distance", 0, 1000, 100},
    {"max-tracks", 1, 65536, 1024},
    {"still-frames", 1, 100000, 25},
    {"max-stopped", 0, G_MAXINT, 0},
    {"max-objects", 1, 4096, 256},
  };
  GstElement *element = gst_element_factory_make ("ccatrack", NULL);
  gchar *type;
  guint i, flags;

  for (i = 0; i < G_N_ELEMENTS (numbers); i++) {
    GParamSpecUInt *spec = G_PARAM_SPEC_UINT (
        g_object_class_find_property (G_OBJECT_GET_CLASS (element),
            numbers[i].name));
    guint value;

    assert_equals_int (spec->minimum, numbers[i].least);
    assert_equals_int (spec->maximum, numbers[i].most);
    g_object_get (element, numbers[i].name, &value, NULL);
    assert_equals_int (value, numbers[i].by_default);
    g_object_set (element, numbers[i].name, numbers[i].most, NULL);
    g_object_get (element, numbers[i].name, &value, NULL);
    assert_equals_int (value, numbers[i].most);
  }
  g_object_get (element, "meta-types", &flags, "object-type", &type, NULL);
  assert_equals_int (flags, 5);
  assert_equals_string (type, "component");
  g_free (type);
  g_object_set (element, "meta-types", 2, "object-type", "car", NULL);
  g_object_get (element, "meta-types", &flags, "object-type", &type, NULL);
  assert_equals_int (flags, 2);
  assert_equals_string (type, "car");
  g_free (type);
  gst_object_unref (element);
}

/* --- messages ------------------------------------------------------------- */

static void
assert_box (const GstStructure *s, const gchar *field, guint x)
{
  const GstStructure *box =
      gst_value_get_structure (gst_structure_get_value (s, field));

  assert_equals_uint64 (get_number (box, "x"), x);
  assert_equals_uint64 (get_number (box, "y"), 0);
  assert_equals_uint64 (get_number (box, "width"), 10);
  assert_equals_uint64 (get_number (box, "height"), 10);
}

static void
assert_path (const GstStructure *s, guint n, gdouble begin_x, gdouble end_x)
{
  const GValue *path = gst_structure_get_value (s, "path");
  const GValue *begin = gst_value_array_get_value (path, 0);
  const GValue *end = gst_value_array_get_value (path, n - 1);

  assert_equals_int (gst_value_array_get_size (path), n);
  assert_equals_float (g_value_get_double (
                           gst_value_array_get_value (begin, 0)),
      begin_x);
  assert_equals_float (g_value_get_double (
                           gst_value_array_get_value (begin, 1)),
      4.5);
  assert_equals_float (g_value_get_double (gst_value_array_get_value (end, 0)),
      end_x);
}

TEST (test_messages)
{
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack max-lost=1", CAPS, &bus);
  GstSegment segment;
  GstStructure *s;
  gint x = 100;
  guint i;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.time = GST_SECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  for (i = 0; i < 100; i++, x += 2)
    gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (i, &x, 1)));
  s = expect_event (bus, "confirmed", 1);
  assert_equals_uint64 (get_number (s, "frames-seen"), 3);
  assert_equals_uint64 (get_number (s, "timestamp"), 80 * GST_MSECOND);
  assert_equals_uint64 (get_number (s, "stream-time"), 1080 * GST_MSECOND);
  assert_equals_uint64 (get_number (s, "running-time"), 80 * GST_MSECOND);
  assert_equals_uint64 (get_number (s, "duration"), 40 * GST_MSECOND);
  assert_box (s, "first-box", 100);
  assert_box (s, "last-box", 104);
  assert_path (s, 3, 104.5, 108.5);
  gst_structure_free (s);
  assert_no_message (bus);

  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (100, NULL, 0)));
  assert_no_message (bus);
  gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (101, NULL, 0)));
  s = expect_event (bus, "lost", 1);
  assert_equals_string (gst_structure_get_string (s, "reason"), "unseen");
  assert_equals_uint64 (get_number (s, "frames-seen"), 100);
  assert_equals_uint64 (get_number (s, "first-seen"), 0);
  assert_equals_uint64 (get_number (s, "last-seen"), 99 * 40 * GST_MSECOND);
  assert_equals_uint64 (get_number (s, "timestamp"), 101 * 40 * GST_MSECOND);
  assert_box (s, "first-box", 100);
  assert_box (s, "last-box", 298);
  assert_path (s, 51, 104.5, 302.5);
  gst_structure_free (s);
  assert_no_message (bus);
  harness_free (h, bus);
}

/* In a segment that is not of time there are timestamps, but no other times. */
TEST (test_bytes)
{
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack min-hits=1", CAPS, &bus);
  GstSegment segment;
  GstStructure *s;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  gst_buffer_unref (push_one (h, 5));
  s = expect_event (bus, "confirmed", 1);
  assert_equals_uint64 (get_number (s, "timestamp"), 200 * GST_MSECOND);
  assert_equals_uint64 (get_number (s, "stream-time"), GST_CLOCK_TIME_NONE);
  assert_equals_uint64 (get_number (s, "running-time"), GST_CLOCK_TIME_NONE);
  assert_equals_uint64 (get_number (s, "last-seen"), GST_CLOCK_TIME_NONE);
  gst_structure_free (s);
  harness_free (h, bus);
}

/* The end of the stream ends tracks, too. Tentative tracks are not reported. */
TEST (test_eos)
{
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack", CAPS, &bus);
  const gint x[] = {100, 300};
  guint i;

  for (i = 0; i < 3; i++)
    gst_buffer_unref (
        gst_harness_push_and_pull (h, frame_at (i, x, i < 2 ? 1 : 2)));
  skip_event (bus, "confirmed", 1);
  gst_harness_push_event (h, gst_event_new_eos ());
  skip_event (bus, "lost", 1);
  assert_no_message (bus);
  harness_free (h, bus);
}

/* --- lines ---------------------------------------------------------------- */

/* Each change of side counts at once. */
#define BARE "line-margin=0 line-margin-min=0 settle-frames=1 "

/* GStreamer's reader writes into the string. */
static void
set_figures (GstElement *element, const gchar *property, const gchar *figures)
{
  gchar *copy = g_strdup (figures);

  gst_util_set_object_arg (G_OBJECT (element), property, copy);
  g_free (copy);
}

static void
set_lines (GstElement *element, const gchar *lines)
{
  set_figures (element, "lines", lines);
}

static void
assert_counts (GstHarness *h, guint nth, const gchar *name, guint to_left,
    guint to_right)
{
  GstStructure *stats = get_stats (h);
  const GstStructure *line = gst_value_get_structure (
      gst_value_array_get_value (gst_structure_get_value (stats, "lines"),
          nth));

  assert_equals_string (gst_structure_get_name (line), name);
  assert_equals_uint64 (get_number (line, "to-left"), to_left);
  assert_equals_uint64 (get_number (line, "to-right"), to_right);
  gst_structure_free (stats);
}

static void
expect_crossing (GstBus *bus, const gchar *line, const gchar *direction,
    guint to_left, guint to_right)
{
  GstStructure *s = expect_event (bus, "crossed", 1);

  assert_equals_string (gst_structure_get_string (s, "line"), line);
  assert_equals_string (gst_structure_get_string (s, "direction"), direction);
  assert_equals_uint64 (get_number (s, "to-left"), to_left);
  assert_equals_uint64 (get_number (s, "to-right"), to_right);
  gst_structure_free (s);
}

/* To and fro over one line, past another one. The centre is at x + 5. */
TEST (test_lines)
{
  static const gint way[] = {90, 90, 90, 94, 95, 96, 95, 94, 97, 93};
  GstBus *bus;
  GstHarness *h = tracker_new (
      "ccatrack " BARE
      "lines=\"<[up,x1=100,y1=9,x2=100,y2=0],[past,x1=100,y1=6,x2=100,y2=9]>\"",
      CAPS, &bus);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (way); i++)
    gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (i, &way[i], 1)));
  skip_event (bus, "confirmed", 1);
  expect_crossing (bus, "up", "to-right", 0, 1);
  expect_crossing (bus, "up", "to-left", 1, 1);
  expect_crossing (bus, "up", "to-right", 1, 2);
  expect_crossing (bus, "up", "to-left", 2, 2);
  assert_no_message (bus);
  assert_counts (h, 0, "up", 2, 2);
  assert_counts (h, 1, "past", 0, 0);
  harness_free (h, bus);
}

/* Those without an id do not count; in the frame that gives it they do. A track
 * that was not seen for a while went straight. */
TEST (test_lines_of_confirmed)
{
  GstBus *bus;
  GstHarness *h = tracker_new (
      "ccatrack max-distance=1000 " BARE
      "lines=\"<[a,x1=100,y1=9,x2=100,y2=0],[b,x1=110,y1=9,x2=110,y2=0],"
      "[c,x1=140,y1=9,x2=140,y2=0]>\"",
      CAPS, &bus);
  static const gint way[] = {90, 100, 110, 120, -1, 145};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (way); i++)
    gst_buffer_unref (
        gst_harness_push_and_pull (h, frame_at (i, &way[i], way[i] >= 0)));
  skip_event (bus, "confirmed", 1);
  expect_crossing (bus, "b", "to-right", 0, 1);
  expect_crossing (bus, "c", "to-right", 0, 1);
  assert_no_message (bus);
  assert_counts (h, 0, "a", 0, 0);
  harness_free (h, bus);
}

/* Where an object is found first, it has not come from anywhere: neither from the
 * frame's corner nor from where one that has gone was. */
TEST (test_lines_of_new)
{
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack min-hits=1 max-lost=0 " BARE
                               "lines=\"<[a,x1=50,y1=0,x2=50,y2=9]>\"",
      CAPS, &bus);
  static const gint way[] = {90, -1, 10};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (way); i++)
    gst_buffer_unref (
        gst_harness_push_and_pull (h, frame_at (i, &way[i], way[i] >= 0)));
  skip_event (bus, "confirmed", 1);
  skip_event (bus, "lost", 1);
  skip_event (bus, "confirmed", 2);
  assert_no_message (bus);
  assert_counts (h, 0, "a", 0, 0);
  harness_free (h, bus);
}

/* Another line or zone first, or the same one alone. */
static const struct
{
  const gchar *property, *in_turn[2];
} figures_in_use[] = {
  {"lines",
    {"<[far,x1=500,y1=9,x2=500,y2=0],[a,x1=100,y1=9,x2=100,y2=0]>",
      "<[a,x1=100,y1=9,x2=100,y2=0]>"}},
  {"zones",
    {"<[far,points=<500,0,600,0,600,9>,enter-frames=1,leave-frames=1],"
     "[a,points=<0,0,100,0,100,99,0,99>,enter-frames=1,leave-frames=1]>",
      "<[a,points=<0,0,100,0,100,99,0,99>,enter-frames=1,leave-frames=1]>"}},
};

typedef struct
{
  GstElement *element;
  const gchar *property;
  GValue figures[2];
  gint n_frames; /* pushed; -1: there will be no more */
} FiguresInUse;

/* At most once a frame, so that the lock is free most of the time. */
static gint
wait_for_frame (FiguresInUse *in_use, gint last)
{
  gint n;

  while ((n = g_atomic_int_get (&in_use->n_frames)) == last)
    g_thread_yield ();
  return n;
}

static gpointer
keep_setting_figures (gpointer data)
{
  FiguresInUse *in_use = data;
  gint n = 0;

  while ((n = wait_for_frame (in_use, n)) >= 0)
    g_object_set_property (G_OBJECT (in_use->element), in_use->property,
        &in_use->figures[n % 2]);
  return NULL;
}

static gpointer
keep_reading_counts (gpointer data)
{
  FiguresInUse *in_use = data;
  gint n = 0;

  while ((n = wait_for_frame (in_use, n)) >= 0) {
    GstStructure *stats;

    g_object_get (in_use->element, "stats", &stats, NULL);
    gst_structure_free (stats);
  }
  return NULL;
}

/* Lines and zones are set or counts are read while an object crosses a line, and
 * enters and leaves a zone. Each frame does once, whichever others there are. Data
 * races are ThreadSanitizer's to find. */
TEST_LOOP (test_figures_in_use, 0, 4)
{
  static const GThreadFunc uses[] = {keep_setting_figures, keep_reading_counts};
  const gboolean zones = __i__ / 2;
  const gint n_frames = 5000;
  FiguresInUse in_use = {.property = figures_in_use[zones].property};
  gint n_events = 0, i;
  GstStructure *s;
  GThread *thread;
  GstBus *bus;
  GstHarness *h = tracker_new ("ccatrack min-hits=1 " BARE, CAPS, &bus);

  in_use.element = gst_harness_find_element (h, "ccatrack");
  for (i = 0; i < 2; i++) {
    set_figures (in_use.element, in_use.property,
        figures_in_use[zones].in_turn[i]);
    g_object_get_property (G_OBJECT (in_use.element), in_use.property,
        &in_use.figures[i]);
  }
  thread = g_thread_new ("figures", uses[__i__ % 2], &in_use);
  for (i = 1; i <= n_frames; i++) {
    const gint x = i % 2 ? 97 : 93;
    GstBuffer *frame = frame_at (i, &x, 1);

    g_atomic_int_set (&in_use.n_frames, i);
    gst_buffer_unref (gst_harness_push_and_pull (h, frame));
  }
  g_atomic_int_set (&in_use.n_frames, -1);
  g_thread_join (thread);
  skip_event (bus, "confirmed", 1);
  while ((s = pop_message (bus)) != NULL) {
    const gchar *event = gst_structure_get_string (s, "event");

    assert_equals_string (gst_structure_get_string (s, zones ? "zone" : "line"),
        "a");
    if (!g_str_equal (event, "occupancy")) {
      if (zones)
        assert_equals_string (event, n_events % 2 ? "left" : "entered");
      n_events++;
    }
    gst_structure_free (s);
  }
  assert_equals_int (n_events, n_frames - 1);
  g_value_unset (&in_use.figures[0]);
  g_value_unset (&in_use.figures[1]);
  gst_object_unref (in_use.element);
  harness_free (h, bus);
}

static const struct
{
  const gchar *lines, *fault;
} bad_lines[] = {
  {"<[a,x1=1,y1=2,x2=3,y2=4],[b,x1=1,y1=2,x2=3]>",
    "[b, x1=(int)1, y1=(int)2, x2=(int)3] needs integers x1, y1, x2 and y2, or points"},
  {"<[a]>", "[a] needs integers x1, y1, x2 and y2, or points"},
  {"<[a,x1=1.5,y1=2,x2=3,y2=4]>",
    "[a, x1=(double)1.5, y1=(int)2, x2=(int)3, y2=(int)4] needs integers x1, "
    "y1, x2 and y2, or points"},
  {"<[a,x1=1,y1=2,x2=1,y2=2]>",
    "[a, x1=(int)1, y1=(int)2, x2=(int)1, "
    "y2=(int)2] begins and ends at the same point"},
  {"<[a,x1=1,y1=2,x2=3,y2=4],[b,x1=1,y1=2,x2=3,y2=4],[a,x1=5,y1=6,x2=7,y2=8]>",
    "[a, x1=(int)5, y1=(int)6, x2=(int)7, y2=(int)8] has the name of another "
    "line"},
  {NULL, "line 1 is not a structure"},
};

static void
set_bad_lines (GstElement *element, guint number)
{
  GValue array = G_VALUE_INIT, none = G_VALUE_INIT;

  if (bad_lines[number].lines != NULL) {
    set_lines (element, bad_lines[number].lines);
    return;
  }
  g_value_init (&none, GST_TYPE_STRUCTURE);
  g_value_init (&array, GST_TYPE_ARRAY);
  gst_value_array_append_and_take_value (&array, &none);
  g_object_set_property (G_OBJECT (element), "lines", &array);
  g_value_unset (&array);
}

/* The only message of these types. */
static void
assert_lines_message (GstBus *bus, GstMessageType type, const gchar *beginning,
    const gchar *fault)
{
  const GstMessageType types = GST_MESSAGE_ERROR | GST_MESSAGE_WARNING;
  GstMessage *message = gst_bus_pop_filtered (bus, types);
  gchar *sentence = g_strdup_printf ("%s: %s.", beginning, fault);
  GError *error = NULL;

  fail_unless (message != NULL, "no message says '%s'", sentence);
  assert_equals_int (GST_MESSAGE_TYPE (message), type);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  assert_equals_string (error->message, sentence);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  g_free (sentence);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, types) == NULL);
}

/* The element does not start until it has others. */
TEST_LOOP (test_bad_lines_at_start, 0, G_N_ELEMENTS (bad_lines))
{
  GstElement *element = gst_element_factory_make ("ccatrack", NULL);
  GstBus *bus = gst_bus_new ();
  guint i;

  gst_element_set_bus (element, bus);
  for (i = 0; i < 2; i++) {
    set_bad_lines (element, __i__);
    gst_element_set_state (element, GST_STATE_READY);
    fail_unless (
        gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING)
        == NULL);
    assert_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    assert_lines_message (bus, GST_MESSAGE_ERROR,
        "The property lines is invalid", bad_lines[__i__].fault);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  set_lines (element, "<[a,x1=1,y1=2,x2=3,y2=4]>");
  fail_unless (gst_element_set_state (element, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
}

/* A running element keeps its lines and its counts. */
TEST_LOOP (test_bad_lines_while_running, 0, G_N_ELEMENTS (bad_lines))
{
  static const gint way[] = {90, 90, 90, 96, 90};
  GstBus *bus;
  GstHarness *h =
      tracker_new ("ccatrack " BARE "lines=\"<[a,x1=100,y1=9,x2=100,y2=0],"
                   "[b,x1=-2147483648,y1=0,x2=2147483647,y2=0]>\"",
          CAPS, &bus);
  GstElement *element = gst_harness_find_element (h, "ccatrack");
  GValue lines = G_VALUE_INIT, again = G_VALUE_INIT;
  guint i;

  g_value_init (&lines, GST_TYPE_ARRAY);
  g_value_init (&again, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (element), "lines", &lines);
  assert_equals_int (gst_value_array_get_size (&lines), 2);
  for (i = 0; i < G_N_ELEMENTS (way); i++) {
    if (i == 4) {
      set_bad_lines (element, __i__);
      assert_lines_message (bus, GST_MESSAGE_WARNING,
          "The property lines keeps its value", bad_lines[__i__].fault);
    }
    gst_buffer_unref (gst_harness_push_and_pull (h, frame_at (i, &way[i], 1)));
  }
  assert_counts (h, 0, "a", 1, 1);
  g_object_get_property (G_OBJECT (element), "lines", &again);
  fail_unless (gst_value_compare (&lines, &again) == GST_VALUE_EQUAL);

  /* nor does it mind them when it starts again */
  gst_element_set_state (element, GST_STATE_READY);
  fail_unless (gst_element_set_state (element, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  g_value_unset (&lines);
  g_value_unset (&again);
  gst_object_unref (element);
  harness_free (h, bus);
}

/* --- many ----------------------------------------------------------------- */

static GstBuffer *
crowd (guint number, guint n, guint step)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);
  const GstCcaAnalysis analysis = {
    .width = SIZE,
    .height = SIZE,
    .connectivity = 8,
    .n_found = n,
  };
  GstCcaComponent *c = g_new0 (GstCcaComponent, n);
  GBytes *bytes;
  guint i;

  for (i = 0; i < n; i++)
    c[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = i * step % 960 + number % 4,
      .y = i * step / 960 * step,
      .width = 20,
      .height = 20,
      .area = 60,
      .track_id = -1,
    };
  bytes = g_bytes_new_take (c, n * sizeof (*c));
  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  gst_buffer_add_cca_meta (buffer, &analysis, bytes);
  g_bytes_unref (bytes);
  return buffer;
}

static gdouble
seconds_of_frame (GstHarness *h, GstBuffer *buffer)
{
  clock_t start = clock ();
  gdouble seconds;

  buffer = gst_harness_push_and_pull (h, buffer);
  seconds = (gdouble) (clock () - start) / CLOCKS_PER_SEC;
  gst_buffer_unref (buffer);
  return seconds;
}

/* A thousand things, apart and crowded: 2 ms, in the best of some frames. The
 * bound is wide enough for sanitizers. */
TEST (test_time)
{
  static const guint steps[] = {30, 12};
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstHarness *h = tracker_new ("ccatrack max-objects=1000", CAPS, NULL);
    gdouble best = 1;

    for (j = 0; j < 60; j++) {
      const gdouble seconds = seconds_of_frame (h, crowd (j, 1000, steps[i]));

      /* once all have ids */
      best = j > 3 ? MIN (best, seconds) : best;
    }
    assert_equals_uint64 (stat_of (h, "confirmed"), 1000);
    g_print ("1000 components, %u pixels apart: %.3f ms\n", steps[i],
        best * 1000);
    fail_unless (best < 0.02, "%f s", best);
    gst_harness_teardown (h);
  }
}

/* Beyond the maximum one warning is posted for each segment and caps, and the
 * first components are tracked. */
TEST (test_too_many)
{
  GstHarness *h =
      tracker_new ("ccatrack max-tracks=100 max-objects=10", CAPS, NULL);
  guint i;

  warnings_begin ("ccatrack");
  for (i = 0; i < 7; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (h, crowd (0, 300, 30));

    assert_equals_int64 (id_of (buffer, 99), i < 2 ? -1 : 100);
    assert_equals_int64 (id_of (buffer, 100), -1);
    assert_equals_int (n_entries (buffer), i < 2 ? 0 : 20);
    gst_buffer_unref (buffer);
    /* max-tracks and max-objects */
    assert_equals_int (warnings_seen (), i < 2 ? 1 : i < 5 ? 2 : 2 * (i - 3));
    if (i == 4)
      push_segment (h);
    else if (i == 5)
      push_caps (h,
          gst_caps_from_string ("video/x-raw,format=GRAY8,width=1000,"
                                "height=1000,framerate=50/1"));
  }
  warnings_end ();
  assert_equals_uint64 (stat_of (h, "untracked"), 1400);
  assert_equals_uint64 (stat_of (h, "tracks"), 100);
  gst_harness_teardown (h);
}

/* An application can attach any records: 65536 of them, one upon another, at the
 * limits of their types. */
TEST (test_lies)
{
  enum
  {
    N = 65536
  };
  const GstCcaAnalysis analysis = {
    .width = 65536,
    .height = 65536,
    .connectivity = 8,
    .n_found = N,
  };
  GstBus *bus;
  GstHarness *h = tracker_new (
      "ccatrack min-hits=1 meta-types=cca+roi+"
      "analytics lines=\"<[a,x1=-2147483648,y1=-2147483648,x2=2147483647,"
      "y2=2147483647]>\"",
      CAPS, &bus);
  guint i, j;

  for (j = 0; j < 4; j++) {
    GstCcaComponent *c = g_new0 (GstCcaComponent, N);
    GBytes *bytes = g_bytes_new_take (c, N * sizeof (*c));
    GstBuffer *buffer = gst_buffer_new ();

    for (i = 0; i < N; i++)
      c[i] = (GstCcaComponent) {
        .x = j % 2 ? G_MAXUINT - i : i,
        .y = j % 2 ? 0 : G_MAXUINT,
        .width = G_MAXUINT,
        .height = j < 2 ? G_MAXUINT : i % 2,
        .centroid_x = NAN,
        .centroid_y = INFINITY,
        .track_id = G_MININT64,
      };
    fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, bytes) != NULL);
    g_bytes_unref (bytes);
    buffer = gst_harness_push_and_pull (h, buffer);
    fail_unless (id_of (buffer, 1023) > 0);
    assert_equals_int64 (id_of (buffer, 1024), -1);
    gst_buffer_unref (buffer);
  }
  assert_no_error (bus);
  harness_free (h, bus);
}

/* --- pipelines ------------------------------------------------------------ */

static guint
moving_block (guint x, guint y, guint t)
{
  return x - t * 2 < 12 && y - 20 < 14 ? 255 : 0;
}

/* After an analyser, before elements that scale; both ways of a tee have ids of
 * their own. */
TEST_LOOP (test_after_cca, 0, 4)
{
  static const gchar *const descriptions[] = {
    "cca ! ccatrack",
    "cca meta-types=cca ! ccatrack",
    "cca meta-types=cca ! videoscale ! video/x-raw,width=40,height=30 ! "
    "ccatrack",
    "cca meta-types=cca ! tee name=t ! queue ! ccatrack min-hits=1 ! fakesink "
    "async=false t. ! queue ! ccatrack",
  };
  GstHarness *h =
      harness_new (descriptions[__i__], GST_VIDEO_FORMAT_GRAY8, 80, 60, NULL);
  guint t;

  for (t = 0; t < 6; t++) {
    Picture picture = picture_new (80, 60, moving_block, t);
    GstBuffer *buffer = gst_harness_push_and_pull (h,
        frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));
    Told told;

    assert_equals_int64 (id_of (buffer, 0), t < 2 ? -1 : 1);
    assert_equals_int (read_tracks (buffer, &told, 1), t < 2 ? 0 : 1);
    if (t >= 2)
      assert_equals_int (told.object, __i__ == 2 ? t : 2 * t);
    gst_buffer_unref (buffer);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
}

/* Without a size there is nothing to scale to: one sentence. */
TEST (test_no_size)
{
  assert_no_size ("ccatrack");
}

SUITE ("ccatrack");
