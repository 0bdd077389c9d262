/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The rule of ccatrack: by hand, and against a second definition of it. It is
 * also built to keep hardly any candidates at a time. */

#include "../suite.h"
#include "gst/cca/track/gstccatracker.h"

#include "track-oracle.h"

#define MAX_RECORDS 64

/* Fewer random sequences under sanitizers, which take ten times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define N_SEQUENCES 40
#else
#define N_SEQUENCES 120
#endif

static const GstCcaTrackerParams defaults = {
  .min_hits = 3,
  .max_lost = 15,
  .max_distance = 100,
  .max_tracks = 1024,
};

static GstCcaComponent
component (gint64 x, gint64 y, guint width, guint height)
{
  return (GstCcaComponent) {
    .x = x,
    .y = y,
    .width = width,
    .height = height,
    .centroid_x = x,
    .centroid_y = y,
  };
}

static void
update (GstCcaTracker *tracker, const GstCcaTrackerParams *params,
    const GstCcaComponent *components, guint n, gint64 *ids)
{
  fail_unless (gst_cca_tracker_update (tracker, params, components, n, 0, ids));
}

/* --- by hand -------------------------------------------------------------- */

/* Boxes of a frame: n of them, and the ids that they get. */
typedef struct
{
  guint n;
  gint box[4][4];
  gint64 ids[4];
} Frame;

static void
play (const GstCcaTrackerParams *params, const Frame *frames, guint n)
{
  GstCcaTracker tracker;
  guint i, j;

  gst_cca_tracker_init (&tracker);
  for (i = 0; i < n; i++) {
    GstCcaComponent c[4];
    gint64 ids[4];

    for (j = 0; j < frames[i].n; j++)
      c[j] = component (frames[i].box[j][0], frames[i].box[j][1],
          frames[i].box[j][2], frames[i].box[j][3]);
    update (&tracker, params, c, frames[i].n, ids);
    for (j = 0; j < frames[i].n; j++)
      fail_unless (ids[j] == frames[i].ids[j],
          "frame %u, record %u: %" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT,
          i, j, ids[j], frames[i].ids[j]);
    gst_cca_tracker_forget_ended (&tracker);
  }
  gst_cca_tracker_clear (&tracker);
}

#define PLAY(params, ...) \
  do { \
    static const Frame frames[] = {__VA_ARGS__}; \
    play (params, frames, G_N_ELEMENTS (frames)); \
  } while (0)

#define STAY {10, 10, 4, 4}

TEST (test_hits)
{
  GstCcaTrackerParams params = defaults;

  PLAY (&params, {1, {STAY}, {-1}}, {1, {STAY}, {-1}}, {1, {STAY}, {1}},
      {1, {STAY}, {1}});
  /* a track that is tentative ends where it is missed */
  PLAY (&params, {1, {STAY}, {-1}}, {1, {STAY}, {-1}}, {0}, {1, {STAY}, {-1}},
      {1, {STAY}, {-1}}, {1, {STAY}, {1}});
  params.min_hits = 1;
  PLAY (&params, {1, {STAY}, {1}});
}

TEST (test_lost)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 1;
  params.max_lost = 2;
  PLAY (&params, {1, {STAY}, {1}}, {0}, {0}, {1, {STAY}, {1}});
  PLAY (&params, {1, {STAY}, {1}}, {0}, {0}, {0}, {1, {STAY}, {2}});
  /* counted in a row */
  PLAY (&params, {1, {STAY}, {1}}, {0}, {0}, {1, {STAY}, {1}}, {0}, {0},
      {1, {STAY}, {1}});
  params.max_lost = 0;
  PLAY (&params, {1, {STAY}, {1}}, {0}, {1, {STAY}, {2}});
}

/* Ids are assigned in the order of records, not of the first frames. */
TEST (test_order_of_ids)
{
  PLAY (&defaults, {2, {STAY, {90, 9, 4, 4}}, {-1, -1}},
      {2, {{90, 9, 4, 4}, STAY}, {-1, -1}},
      {3, {{90, 9, 4, 4}, STAY, {50, 9, 4, 4}}, {1, 2, -1}});
}

/* A confirmed track takes precedence over one that overlaps more. */
TEST (test_confirmed_first)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 2;
  PLAY (&params, {1, {{0, 0, 10, 10}}, {-1}}, {1, {{0, 0, 10, 10}}, {1}},
      {2, {{0, 0, 10, 10}, {12, 0, 10, 10}}, {1, -1}},
      {1, {{9, 0, 10, 10}}, {1}});
  params.max_distance = 1000;
  PLAY (&params, {1, {{0, 0, 10, 10}}, {-1}}, {1, {{0, 0, 10, 10}}, {1}},
      {2, {{0, 0, 10, 10}, {60, 0, 10, 10}}, {1, -1}},
      {1, {{40, 0, 10, 10}}, {1}});
}

/* The greatest share of the union, and not the greatest intersection. */
TEST (test_best_overlap)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 1;
  PLAY (&params, {1, {{0, 0, 10, 10}}, {1}},
      {2, {{0, 0, 100, 100}, {0, 0, 10, 9}}, {2, 1}});
  /* ties: the older track, the earlier record */
  PLAY (&params, {2, {{0, 0, 4, 4}, {4, 0, 4, 4}}, {1, 2}},
      {1, {{2, 0, 4, 4}}, {1}});
  PLAY (&params, {1, {{2, 0, 4, 4}}, {1}},
      {2, {{0, 0, 4, 4}, {4, 0, 4, 4}}, {1, 2}});
}

/* Overlap and distance at the limit, and one pixel beyond. */
TEST (test_bounds)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 1;
  params.max_distance = 0;
  params.min_overlap = 50;
  PLAY (&params, {1, {{0, 0, 30, 1}}, {1}}, {1, {{10, 0, 30, 1}}, {1}});
  params.min_overlap = 51;
  PLAY (&params, {1, {{0, 0, 30, 1}}, {1}}, {1, {{10, 0, 30, 1}}, {2}});
  params.min_overlap = 0;
  PLAY (&params, {1, {{0, 0, 4, 4}}, {1}}, {1, {{4, 0, 4, 4}}, {2}});

  params.max_distance = 100;
  PLAY (&params, {1, {{0, 0, 4, 4}}, {1}}, {1, {{4, 4, 4, 4}}, {1}});
  PLAY (&params, {1, {{0, 0, 4, 4}}, {1}}, {1, {{5, 0, 4, 4}}, {2}});
  PLAY (&params, {1, {{0, 0, 4, 4}}, {1}}, {1, {{0, 5, 4, 4}}, {2}});
  /* the nearer one; before it a tie */
  PLAY (&params, {1, {{10, 10, 4, 4}}, {1}},
      {2, {{14, 10, 4, 4}, {6, 10, 4, 4}}, {1, 2}}, {0},
      {2, {{60, 60, 4, 4}, {90, 90, 4, 4}}, {3, 4}});
  /* overlap takes precedence over distance */
  PLAY (&params, {1, {{0, 0, 8, 8}}, {1}},
      {2, {{0, 8, 8, 8}, {7, 7, 80, 80}}, {2, 1}});
}

/* Halves are rounded towards the right and the bottom, also negative ones. */
TEST (test_rounding)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 1;
  params.max_distance = 0;
  /* velocities of half a pixel; boxes of one column show where that leads */
  PLAY (&params, {1, {{10, 0, 2, 4}}, {1}}, {1, {{10, 0, 1, 4}}, {1}},
      {2, {{9, 0, 1, 4}, {10, 0, 1, 4}}, {2, 1}});
  PLAY (&params, {1, {{10, 0, 1, 4}}, {1}}, {1, {{10, 0, 2, 4}}, {1}},
      {2, {{10, 0, 1, 4}, {12, 0, 1, 4}}, {2, 1}});
}

/* The largest piece keeps the id, the others are new. */
TEST (test_split)
{
  PLAY (&defaults, {1, {{10, 10, 20, 10}}, {-1}}, {1, {{10, 10, 20, 10}}, {-1}},
      {1, {{10, 10, 20, 10}}, {1}},
      {2, {{10, 10, 6, 10}, {17, 10, 13, 10}}, {-1, 1}},
      {2, {{10, 10, 6, 10}, {17, 10, 13, 10}}, {-1, 1}},
      {2, {{10, 10, 6, 10}, {17, 10, 13, 10}}, {2, 1}});
}

/* Two objects merge to one blob and have their ids after the split. */
TEST (test_merge)
{
  PLAY (&defaults, {2, {{0, 0, 10, 20}, {50, 0, 10, 20}}, {-1, -1}},
      {2, {{5, 0, 10, 20}, {45, 0, 10, 20}}, {-1, -1}},
      {2, {{10, 0, 10, 20}, {40, 0, 10, 20}}, {1, 2}},
      {2, {{15, 0, 10, 20}, {35, 0, 10, 20}}, {1, 2}},
      {1, {{20, 0, 20, 20}}, {1}},
      {2, {{25, 0, 10, 20}, {45, 0, 10, 20}}, {2, 1}});
}

/* Beyond max-tracks unseen tracks end, those unseen for longest first. */
TEST (test_max_tracks)
{
  GstCcaTrackerParams params = defaults;

  params.min_hits = 1;
  params.max_tracks = 3;
  PLAY (&params, {3, {{0, 0, 4, 4}, {50, 0, 4, 4}, {90, 0, 4, 4}}, {1, 2, 3}},
      {2, {{0, 0, 4, 4}, {50, 0, 4, 4}}, {1, 2}}, {0},
      {1, {{0, 90, 4, 4}}, {4}},  /* instead of 3 */
      {1, {{0, 180, 4, 4}}, {5}}, /* instead of 1, as old as 2 */
      {1, {{50, 0, 4, 4}}, {2}}, {1, {{90, 0, 4, 4}}, {6}});
  /* records beyond it are not looked at */
  PLAY (&params,
      {4, {{0, 0, 4, 4}, {50, 0, 4, 4}, {90, 0, 4, 4}, {130, 0, 4, 4}},
        {1, 2, 3, -1}},
      {4, {{130, 0, 4, 4}, {0, 0, 4, 4}, {50, 0, 4, 4}, {90, 0, 4, 4}},
        {4, 1, 2, -1}});
}

/* --- against the second definition ---------------------------------------- */

typedef struct
{
  GstCcaTracker tracker;
  Oracle *oracle;
  guint64 n_lost;
} Both;

static Both
both_new (void)
{
  Both both = {.oracle = oracle_new ()};

  gst_cca_tracker_init (&both.tracker);
  return both;
}

static void
both_free (Both *both)
{
  gst_cca_tracker_clear (&both->tracker);
  oracle_free (both->oracle);
}

static void
compare (Both *both, const OracleRule *rule, const GstCcaComponent *c, guint n)
{
  const GstCcaTrackerParams params = {
    rule->min_hits,
    rule->max_lost,
    rule->min_overlap,
    rule->max_distance,
    rule->max_tracks,
  };
  const GstCcaTracker *tracker = &both->tracker;
  gint64 got[MAX_RECORDS], want[MAX_RECORDS];
  guint n_confirmed = 0, i;

  update (&both->tracker, &params, c, n, got);
  oracle_frame (both->oracle, rule, c, n, want);
  for (i = 0; i < n; i++)
    fail_unless (got[i] == want[i],
        "record %u of %u: %" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT, i, n,
        got[i], want[i]);
  for (i = 0; i < tracker->n_tracks; i++)
    n_confirmed += tracker->tracks[i].id > 0;
  assert_equals_int (tracker->n_tracks, both->oracle->tracks->len);
  assert_equals_int (n_confirmed, oracle_n_confirmed (both->oracle));
  both->n_lost += tracker->n_ended;
  assert_equals_uint64 (both->n_lost, both->oracle->n_lost);
  gst_cca_tracker_forget_ended (&both->tracker);
}

static guint
below (guint n)
{
  return g_random_int_range (0, n);
}

static OracleRule
random_rule (void)
{
  static const guint percents[] = {0, 0, 1, 20, 50, 100};
  static const guint distances[] = {0, 100, 100, 300, 1000};

  return (OracleRule) {
    .min_hits = 1 + below (4),
    .max_lost = below (5),
    .min_overlap = percents[below (6)],
    .max_distance = distances[below (5)],
    .max_tracks = below (3) ? MAX_RECORDS : 1 + below (12),
  };
}

/* Objects that move, shake, hide and touch, in a picture so small that most have
 * several candidates, many of them equally good. */
TEST (test_random)
{
  guint sequence, frame, i;

  for (sequence = 0; sequence < N_SEQUENCES; sequence++) {
    const guint n_things = 1 + below (14), size = 6 + below (30);
    const OracleRule rule = random_rule ();
    gint things[14][4];
    Both both = both_new ();

    for (i = 0; i < n_things; i++) {
      things[i][0] = below (64);
      things[i][1] = below (48);
      things[i][2] = (gint) below (9) - 4;
      things[i][3] = (gint) below (7) - 3;
    }
    for (frame = 0; frame < 40; frame++) {
      GstCcaComponent c[14];
      guint n = 0;

      for (i = 0; i < n_things; i++) {
        things[i][0] = (things[i][0] + things[i][2] + 64) % 64;
        things[i][1] = (things[i][1] + things[i][3] + 48) % 48;
        if (below (5) > 0)
          c[n++] = component (things[i][0] + below (2), things[i][1],
              size / 2 + below (3), size);
      }
      compare (&both, &rule, c, n);
      if (below (60) == 0) {
        gst_cca_tracker_drop (&both.tracker);
        oracle_drop (both.oracle);
      }
    }
    both_free (&both);
  }
}

static guint
lie (void)
{
  static const guint values[] = {
    0,
    0,
    1,
    2,
    100,
    G_MAXINT,
    (guint) G_MAXINT + 1,
    G_MAXUINT - 1,
    G_MAXUINT,
  };

  return below (2) ? values[below (G_N_ELEMENTS (values))] : g_random_int ();
}

/* Impossible boxes from an application, and long waits between frames. */
TEST (test_lies)
{
  guint sequence, frame, i;

  for (sequence = 0; sequence < N_SEQUENCES; sequence++) {
    OracleRule rule = random_rule ();
    Both both = both_new ();

    rule.max_lost = 100000;
    for (frame = 0; frame < 30; frame++) {
      GstCcaComponent c[6];
      const guint n = below (7);

      for (i = 0; i < n; i++)
        c[i] = component (lie (), lie (), lie (), lie ());
      /* many empty frames: only the count of misses changes */
      if (below (10) == 0 && rule.max_lost > 0)
        for (i = 0; i < 500; i++)
          compare (&both, &rule, NULL, 0);
      compare (&both, &rule, c, n);
    }
    both_free (&both);
  }
}

/* Unions of more than 64 bits, and shares that differ by little. */
TEST (test_huge_unions)
{
  guint sequence, frame, i;

  for (sequence = 0; sequence < 100; sequence++) {
    const OracleRule rule = {
      .min_hits = 1,
      .max_lost = 2,
      .min_overlap = below (2) * 50,
      .max_tracks = MAX_RECORDS,
    };
    Both both = both_new ();

    for (frame = 0; frame < 10; frame++) {
      GstCcaComponent c[6];
      const guint n = 2 + below (5);

      for (i = 0; i < n; i++)
        c[i] = component (g_random_int () >> below (32),
            g_random_int () >> below (32), G_MAXUINT - (g_random_int () >> 2),
            G_MAXUINT - (g_random_int () >> 2));
      compare (&both, &rule, c, n);
    }
    both_free (&both);
  }
}

/* --- united components ---------------------------------------------------- */

/* Updates a new tracker with two components and returns their track. */
static GstCcaTracked
unite (const GstCcaComponent c[2], guint percent)
{
  GstCcaTrackerParams params = defaults;
  GstCcaTracker tracker;
  GstCcaTracked track;
  gint64 ids[2];

  params.min_hits = 1;
  params.unite = percent;
  gst_cca_tracker_init (&tracker);
  update (&tracker, &params, c, 2, ids);
  assert_equals_int64 (ids[0], 1);
  assert_equals_int64 (ids[1], 1);
  assert_equals_int (tracker.n_tracks, 1);
  assert_equals_int (tracker.n_tracked, 2);
  assert_equals_int (tracker.n_seen, 1);
  track = tracker.tracks[0];
  gst_cca_tracker_clear (&tracker);
  return track;
}

static void
assert_extent (const GstCcaBox *box, gint64 x, gint64 y, gint64 width,
    gint64 height)
{
  assert_equals_int64 (box->x, x);
  assert_equals_int64 (box->y, y);
  assert_equals_int64 (box->width, width);
  assert_equals_int64 (box->height, height);
}

/* The box around both, also if it is too large, and the mean of the centroids,
 * rounded down, by area. */
TEST (test_united)
{
  GstCcaComponent c[2] = {component (20, 10, 10, 30),
    component (10, 20, 30, 10)};
  GstCcaTracked track;

  c[0].centroid_x = 10;
  c[1].centroid_x = 11;
  c[0].centroid_y = -10;
  c[1].centroid_y = -11;
  track = unite (c, 33);
  assert_extent (&track.box, 10, 10, 30, 30);
  assert_extent (&track.first_box, 10, 10, 30, 30);
  assert_equals_int64 (track.centroid.x, 2688);
  assert_equals_int64 (track.centroid.y, -2432);

  c[0].area = 2;
  c[1].area = 1;
  track = unite (c, 33);
  assert_equals_int64 (track.centroid.x, 2773);
  assert_equals_int64 (track.centroid.y, -2518);
  c[0].area = (guint64) 1 << 63;
  c[1].area = (guint64) 1 << 62;
  track = unite (c, 33);
  assert_equals_int64 (track.centroid.x, 2773);
  assert_equals_int64 (track.centroid.y, -2518);

  c[0] = component (0, 5, 20, 1);
  c[1] = component (10, 5, 20, 1);
  track = unite (c, 50);
  assert_extent (&track.box, 0, 5, 30, 1);

  c[0] = component (0, 1000, G_MAXUINT, G_MAXUINT);
  c[1] = component (1000, 0, G_MAXUINT, G_MAXUINT);
  track = unite (c, 99);
  assert_extent (&track.box, 0, 0, G_MAXUINT, G_MAXUINT);
}

/* The third component connects the others. */
TEST (test_united_chain)
{
  const GstCcaComponent c[] = {
    component (10, 10, 20, 20),
    component (40, 10, 20, 20),
    component (20, 10, 30, 20),
    component (90, 10, 20, 20),
  };
  GstCcaTrackerParams params = defaults;
  GstCcaTracker tracker;
  gint64 ids[4];

  params.min_hits = 1;
  params.unite = 50;
  gst_cca_tracker_init (&tracker);
  update (&tracker, &params, c, 4, ids);
  assert_equals_int (tracker.n_seen, 2);
  assert_equals_int64 (ids[0], 1);
  assert_equals_int64 (ids[1], 1);
  assert_equals_int64 (ids[2], 1);
  assert_equals_int64 (ids[3], 2);
  assert_extent (&tracker.tracks[tracker.seen[0]].box, 10, 10, 50, 20);
  gst_cca_tracker_clear (&tracker);
}

/* Components of a group are one object, wherever they are. Those without a group
 * are objects of their own, unless their boxes overlap enough. */
TEST_LOOP (test_united_groups, 0, 2)
{
  static const gint64 wanted[2][6] = {{1, 2, 3, 1, 4, 4}, {1, 2, 1, 1, 3, 3}};
  static const guint groups[] = {5, 0, 0, 5, 7, 7};
  GstCcaComponent c[] = {
    component (10, 10, 20, 20),
    component (40, 10, 20, 20),
    component (12, 10, 20, 20),
    component (90, 90, 20, 20),
    component (10, 50, 20, 20),
    component (90, 10, 20, 20),
  };
  GstCcaTrackerParams params = defaults;
  GstCcaTracker tracker;
  gint64 ids[6];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (c); i++)
    c[i].group = groups[i];
  params.min_hits = 1;
  params.unite = __i__ ? 50 : 0;
  params.unite_groups = TRUE;
  gst_cca_tracker_init (&tracker);
  update (&tracker, &params, c, G_N_ELEMENTS (c), ids);
  for (i = 0; i < G_N_ELEMENTS (c); i++)
    assert_equals_int64 (ids[i], wanted[__i__][i]);
  assert_extent (&tracker.tracks[tracker.seen[0]].box, 10, 10, 100, 100);
  gst_cca_tracker_clear (&tracker);
}

/* Two with half of a box in common, then one with a pixel less of it, and one
 * without pixels. */
TEST (test_united_apart)
{
  const GstCcaComponent c[] = {
    component (10, 10, 20, 1),
    component (20, 10, 20, 1),
    component (31, 10, 20, 1),
    component (12, 10, 0, 1),
  };
  GstCcaTrackerParams params = defaults;
  GstCcaTracker tracker;
  gint64 ids[4];

  params.min_hits = 1;
  params.unite = 50;
  gst_cca_tracker_init (&tracker);
  update (&tracker, &params, c, 4, ids);
  assert_equals_int (tracker.n_seen, 3);
  assert_equals_int64 (ids[0], 1);
  assert_equals_int64 (ids[1], 1);
  assert_equals_int64 (ids[2], 2);
  assert_equals_int64 (ids[3], 3);
  gst_cca_tracker_clear (&tracker);
}

/* An object of one component has its centroid, which is not rounded. */
TEST (test_united_alone)
{
  GstCcaComponent c = component (10, 10, 20, 20);
  GstCcaTrackerParams params = defaults;
  const GstCcaPath *path;
  GstCcaTracker tracker;
  gint64 id;

  c.area = 400;
  c.centroid_x = 20.1;
  c.centroid_y = 19.7;
  params.min_hits = 1;
  params.unite = 50;
  gst_cca_tracker_init (&tracker);
  update (&tracker, &params, &c, 1, &id);
  path = gst_cca_tracker_get_path (&tracker, &tracker.tracks[0]);
  fail_unless (path->points[0].x == 20.1f && path->points[0].y == 19.7f);
  gst_cca_tracker_clear (&tracker);
}

/* Parameters that change while it runs. */
TEST (test_other_rules)
{
  Both both = both_new ();
  guint frame, i;

  for (frame = 0; frame < 3000; frame++) {
    const OracleRule rule = random_rule ();
    GstCcaComponent c[10];
    const guint n = below (11);

    for (i = 0; i < n; i++)
      c[i] = component (8 * i + below (4), below (12), 4 + below (8), 12);
    compare (&both, &rule, c, n);
  }
  both_free (&both);
}

/* --- pairs of rectangles -------------------------------------------------- */

typedef struct
{
  guint n_found[MAX_RECORDS][MAX_RECORDS];
  guint n_left; /* calls until one returns FALSE */
} Found;

static gboolean
count_pair (gpointer data, guint a, guint b)
{
  Found *found = data;

  found->n_found[a][b]++;
  return --found->n_left > 0;
}

/* 2^54: the sum of many widths exceeds 64 bits. */
static gint64
place (guint shift)
{
  return ((gint64) below (200) - 100) * (G_GINT64_CONSTANT (1) << shift);
}

/* Most rectangles are narrow, so that there are several columns, and some are as
 * wide as all of these; in some rounds all are wide. */
TEST (test_join)
{
  static const guint shifts[] = {0, 0, 8, 54};
  GstCcaJoin join = {
    NULL,
  };
  guint round, i, a, b;

  for (round = 0; round < N_SEQUENCES; round++) {
    const guint shift = shifts[below (G_N_ELEMENTS (shifts))];
    const guint n[2] = {below (MAX_RECORDS + 1), below (MAX_RECORDS + 1)};
    const guint n_narrow = below (4) ? 8 : 1;
    GstCcaExtent extents[2][MAX_RECORDS];
    Found found = {.n_left = G_MAXUINT};
    guint n_pairs = 0, side;

    fail_unless (gst_cca_join_begin (&join, n[0] + n[1]));
    for (side = 0; side < 2; side++)
      for (i = 0; i < n[side]; i++) {
        GstCcaExtent *extent = &extents[side][i];

        extent->x0 = place (shift);
        extent->y0 = place (shift);
        extent->x1 = below (n_narrow) ? extent->x0 + below (12) : place (shift);
        extent->x1 = MAX (extent->x0, extent->x1);
        extent->y1 = extent->y0 + below (60) * (G_GINT64_CONSTANT (1) << shift);
        extent->side = side;
        extent->index = i;
        gst_cca_join_add (&join, extent);
      }
    gst_cca_join_run (&join, count_pair, &found);
    for (a = 0; a < n[0]; a++)
      for (b = 0; b < n[1]; b++) {
        const GstCcaExtent *p = &extents[0][a], *q = &extents[1][b];
        const guint meet = p->x0 <= q->x1 && q->x0 <= p->x1 && p->y0 <= q->y1
            && q->y0 <= p->y1;

        fail_unless (found.n_found[a][b] == meet,
            "round %u: rectangles %u and %u: found %u times", round, a, b,
            found.n_found[a][b]);
        n_pairs += meet;
      }
    /* half of them */
    if (n_pairs > 1) {
      found.n_left = n_pairs / 2;
      gst_cca_join_run (&join, count_pair, &found);
      assert_equals_int (found.n_left, 0);
    }
  }
  gst_cca_join_clear (&join);
}

/* --- many ----------------------------------------------------------------- */

#ifndef GST_CCA_MAX_CANDIDATES

/* More pairs than candidates are kept at a time; each is as good as any other,
 * so that the orders of tracks and records decide. */
TEST (test_many_pairs)
{
  enum
  {
    N = 1100
  };
  GstCcaTrackerParams params = defaults;
  GstCcaComponent *c = g_new (GstCcaComponent, N);
  gint64 *ids = g_new (gint64, N);
  GstCcaTracker tracker;
  guint i, frame;

  params.min_hits = 1;
  params.max_tracks = 65536;
  for (i = 0; i < N; i++)
    c[i] = component (10, 10, 20, 20);
  gst_cca_tracker_init (&tracker);
  for (frame = 0; frame < 2; frame++) {
    update (&tracker, &params, c, N, ids);
    for (i = 0; i < N; i++)
      fail_unless (ids[i] == i + 1, "frame %u, record %u", frame, i);
  }
  gst_cca_tracker_clear (&tracker);
  g_free (c);
  g_free (ids);
}

/* The maximum number of components of an analyser, all of them tracked. */
TEST (test_most_tracks)
{
  enum
  {
    N = 65536,
    COLUMNS = 256
  };
  GstCcaTrackerParams params = defaults;
  GstCcaComponent *c = g_new (GstCcaComponent, N);
  gint64 *ids = g_new (gint64, N);
  GstCcaTracker tracker;
  guint i, frame;

  params.min_hits = 2;
  params.max_tracks = N;
  gst_cca_tracker_init (&tracker);
  for (frame = 0; frame < 3; frame++) {
    for (i = 0; i < N; i++)
      c[i] = component (i % COLUMNS * 8 + frame, i / COLUMNS * 8, 4, 4);
    update (&tracker, &params, c, N, ids);
    for (i = 0; i < N; i++)
      fail_unless (ids[i] == (frame == 0 ? -1 : (gint64) i + 1));
  }
  gst_cca_tracker_drop (&tracker);
  assert_equals_int (tracker.n_ended, N);
  gst_cca_tracker_forget_ended (&tracker);
  gst_cca_tracker_clear (&tracker);
  assert_equals_uint64 (tracker.last_id, N);
  g_free (c);
  g_free (ids);
}

#endif

/* --- successors ----------------------------------------------------------- */

/* The rule of an absorbed track's end, for all pairs. */
static gboolean
meet (const GstCcaComponent *a, const GstCcaComponent *b)
{
  return (gint64) a->x <= (gint64) b->x + b->width
      && (gint64) b->x <= (gint64) a->x + a->width
      && (gint64) a->y <= (gint64) b->y + b->height
      && (gint64) b->y <= (gint64) a->y + a->height;
}

/* Objects that move once, stop and are absorbed, with the ids from 1 to n. */
static void
absorb (GstCcaTracker *tracker, const GstCcaTrackerParams *params,
    GstCcaComponent *c, guint n, gint64 *ids)
{
  guint i;

  update (tracker, params, c, n, ids);
  for (i = 0; i < n; i++)
    c[i].x += 8;
  update (tracker, params, c, n, ids);
  update (tracker, params, c, n, ids);
  for (i = 0; i < n; i++)
    assert_equals_int64 (ids[i], i + 1);
  update (tracker, params, NULL, 0, ids);
  assert_equals_int (tracker->n_tracks, n);
}

/* Each absorbed object ends when new ones meet it. The earliest component of
 * these follows it, or another one before it. */
TEST (test_successors)
{
  enum
  {
    COLUMNS = 30,
    N = COLUMNS * COLUMNS,
    N_NEW = 300
  };
  GstCcaTrackerParams params = defaults;
  GstCcaComponent parked[N], c[N_NEW];
  guint64 after[N_NEW] = {0};
  gint64 ids[N];
  guint i, k, n_replaced = 0;
  GstCcaTracker tracker;
  GRand *rand = g_rand_new_with_seed (31);

  params.min_hits = params.still_frames = 1;
  params.max_lost = 0;
  params.max_stopped = 100;
  params.max_distance = 400;
  params.max_tracks = 65536;
  for (i = 0; i < N; i++)
    parked[i] = component (i % COLUMNS * 20 + 2, i / COLUMNS * 20 + 2,
        g_rand_int_range (rand, 2, 7), g_rand_int_range (rand, 2, 7));
  gst_cca_tracker_init (&tracker);
  gst_cca_tracker_set_size (&tracker, 20 * COLUMNS, 20 * COLUMNS);
  absorb (&tracker, &params, parked, N, ids);
  gst_cca_tracker_forget_ended (&tracker);

  for (i = 0; i < N_NEW; i++)
    c[i] = component (g_rand_int_range (rand, 0, 20 * COLUMNS),
        g_rand_int_range (rand, 0, 20 * COLUMNS),
        g_rand_int_range (rand, 1, 40), g_rand_int_range (rand, 1, 40));
  update (&tracker, &params, c, N_NEW, ids);
  for (i = 0; i < N; i++) {
    for (k = 0; k < N_NEW && !meet (&c[k], &parked[i]); k++)
      ;
    if (k == N_NEW)
      continue;
    fail_unless (tracker.ended[n_replaced].id == i + 1
            && tracker.ended[n_replaced].end == GST_CCA_END_REPLACED,
        "track %u, ended as %u", i + 1, n_replaced);
    n_replaced++;
    if (after[k] == 0)
      after[k] = i + 1;
  }
  assert_equals_int (tracker.n_ended, n_replaced);
  fail_unless (n_replaced > N / 4 && n_replaced < N);
  for (i = 0; i < N_NEW; i++)
    assert_equals_uint64 (tracker.tracks[tracker.track_of[i]].after, after[i]);
  gst_cca_tracker_clear (&tracker);
  g_rand_free (rand);
}

/* --- paths ---------------------------------------------------------------- */

/* A path has at most 64 points in order, evenly apart, among them the first and
 * the last one; a long path has at least 32. */
TEST (test_paths)
{
  GstCcaPath path;
  guint n, i;

  gst_cca_path_begin (&path);
  for (n = 0; n < 10000; n++) {
    const GstCcaPoint *p = path.points;
    guint last, step;

    gst_cca_path_add (&path, n, n / 2.0);
    last = path.n_points - 1;
    step = last > 1 ? p[1].x : 1;
    fail_unless (path.n_points <= 64);
    fail_unless (path.n_points >= MIN (n + 1, 32));
    fail_unless (p[0].x == 0 && p[last].x == n && p[last].y == n / 2.0);
    for (i = 1; i < last; i++)
      fail_unless (p[i].x == i * step && p[i].y == i * step / 2.0);
    fail_unless (last == 0
        || (p[last].x > p[last - 1].x && p[last].x - p[last - 1].x <= step));
  }
}

/* Of the tracks: each has its own, from its first box to its last one. */
TEST (test_paths_of_tracks)
{
  GstCcaTrackerParams params = defaults;
  GstCcaTracker tracker;
  guint frame, i, n_ended = 0;

  params.min_hits = 1;
  params.max_lost = 3;
  gst_cca_tracker_init (&tracker);
  for (frame = 0; frame < 500; frame++) {
    GstCcaComponent c[8];
    gint64 ids[8];
    guint n = 0;

    /* objects of different lifetimes, one in each row */
    for (i = 0; i < 8; i++)
      if (frame % (20 + 7 * i) < 10 + 5 * i)
        c[n++] = component (2 * (frame % (20 + 7 * i)), 100 * i, 10, 10);
    update (&tracker, &params, c, n, ids);
    for (i = 0; i < tracker.n_ended; i++) {
      const GstCcaTracked *t = &tracker.ended[i];
      const GstCcaPath *path = gst_cca_tracker_get_path (&tracker, t);

      fail_unless (path->points[0].x == t->first_box.x);
      fail_unless (path->points[0].y == t->first_box.y);
      fail_unless (path->points[path->n_points - 1].x == t->box.x);
      fail_unless (path->points[path->n_points - 1].y == t->box.y);
      assert_equals_uint64 (path->n_added, t->hits);
      fail_unless (t->first_box.y == t->box.y && t->end == GST_CCA_END_UNSEEN);
      n_ended++;
    }
    gst_cca_tracker_forget_ended (&tracker);
  }
  fail_unless (n_ended > 50);
  gst_cca_tracker_clear (&tracker);
}

/* The same sequences in each run; the fuzzer finds others. */
static void
setup (void)
{
  g_random_set_seed (1);
}

SUITE ("tracker", .setup = setup);
