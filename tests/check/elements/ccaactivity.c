/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccaactivity: which frames are active, which events they form, what is
 * reported where, and what happens to buffers. */

#include "activity-oracle.h"
#include "util.h"

#include <gst/check/gsttestclock.h>
#include <malloc.h>

#define CAPS "video/x-raw,format=GRAY8,width=20,height=10,framerate=25/1"
#define WIDTH 1000
#define HEIGHT 900
#define NONE GST_CLOCK_TIME_NONE
#define MS GST_MSECOND
#define SEED 33

typedef struct
{
  GstHarness *h;
  GstElement *element;
  GstBus *bus;
} Session;

static Session
session_new (const gchar *properties)
{
  gchar *description = g_strdup_printf ("ccaactivity %s", properties);
  Session s = {gst_harness_new_parse (description)};

  s.bus = gst_bus_new ();
  s.element = gst_harness_find_element (s.h, "ccaactivity");
  gst_element_set_bus (s.element, s.bus);
  gst_harness_set_src_caps_str (s.h, CAPS);
  g_free (description);
  return s;
}

static void
session_free (Session *s)
{
  gst_bus_set_flushing (s->bus, TRUE);
  gst_element_set_bus (s->element, NULL);
  gst_object_unref (s->bus);
  gst_object_unref (s->element);
  gst_harness_teardown (s->h);
}

static GstBuffer *
frame_at (GstClockTime pts, const GstCcaAnalysis *analysis,
    const GstCcaComponent *components, guint n)
{
  GstBuffer *buffer = gst_buffer_new ();
  GBytes *bytes = g_bytes_new (components, n * sizeof (*components));

  GST_BUFFER_PTS (buffer) = pts;
  fail_unless (gst_buffer_add_cca_meta (buffer, analysis, bytes) != NULL);
  g_bytes_unref (bytes);
  return buffer;
}

static GstCcaAnalysis
analysis_of (guint n_found)
{
  return (GstCcaAnalysis) {
    .width = WIDTH,
    .height = HEIGHT,
    .connectivity = 8,
    .n_found = n_found,
  };
}

static GstCcaComponent
component (guint x, guint y, guint width, guint height, guint64 area)
{
  return (GstCcaComponent) {
    .id = 1,
    .x = x,
    .y = y,
    .width = width,
    .height = height,
    .area = area,
    .track_id = -1,
  };
}

/* A frame with n components of 10x10 pixels, of an area of 60 pixels each. */
static GstBuffer *
blobs (GstClockTime pts, guint n)
{
  const GstCcaAnalysis analysis = analysis_of (n);
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < n; i++)
    components[i] = component (20 * i, 30, 10, 10, 60);
  buffer = frame_at (pts, &analysis, components, n);
  g_free (components);
  return buffer;
}

static void
push (Session *s, GstBuffer *buffer)
{
  GstBuffer *out = gst_harness_push_and_pull (s->h, buffer);

  fail_unless (out != NULL);
  gst_buffer_unref (out);
}

/* Pushes a frame of 40 ms for each character: its number of components. */
static void
play (Session *s, const gchar *frames)
{
  guint i;

  for (i = 0; frames[i] != '\0'; i++)
    push (s, blobs (i * 40 * MS, frames[i] - '0'));
}

static guint64
number_of (const GstStructure *s, const gchar *field)
{
  guint64 number;
  guint small;

  if (gst_structure_get_uint (s, field, &small))
    return small;
  fail_unless (gst_structure_get_uint64 (s, field, &number), "no %s", field);
  return number;
}

static const GstStructure *
part_of (const GstStructure *s, const gchar *field)
{
  return gst_value_get_structure (gst_structure_get_value (s, field));
}

/* The next messages, as "started 1: 0-40 2 peak 0", with times in ms. */
static gchar *
told (Session *s)
{
  GString *text = g_string_new (NULL);
  GstStructure *m;

  while ((m = pop_message (s->bus)) != NULL) {
    const gchar *event = gst_structure_get_string (m, "event");
    const gchar *reason = gst_structure_get_string (m, "reason");

    fail_unless (gst_structure_has_name (m, "cca-activity"));
    g_string_append_printf (text, "%s%s %u: %u-%u %u peak %u",
        text->len > 0 ? ", " : "", event, (guint) number_of (m, "number"),
        (guint) (number_of (part_of (m, "start"), "running-time") / MS),
        (guint) (number_of (part_of (m, "end"), "running-time") / MS),
        (guint) number_of (m, "frames"),
        (guint) (number_of (part_of (m, "peak"), "running-time") / MS));
    fail_unless ((reason != NULL) == g_str_equal (event, "ended"));
    if (reason != NULL)
      g_string_append_printf (text, " %s", reason);
    gst_structure_free (m);
  }
  return g_string_free (text, FALSE);
}

static void
assert_told (Session *s, const gchar *expected)
{
  gchar *text = told (s);

  assert_equals_string (text, expected);
  g_free (text);
}

static void
push_eos (Session *s)
{
  fail_unless (gst_harness_push_event (s->h, gst_event_new_eos ()));
}

/* --- golden --------------------------------------------------------------- */

TEST (test_golden)
{
  static const struct
  {
    const gchar *properties, *frames, *expected;
  } cases[] = {
    {"", "", ""},
    {"", "000", ""},
    {"", "010", ""},
    {"", "01010101", ""},
    {"", "0110", "started 1: 40-80 2 peak 40, ended 1: 40-80 2 peak 40 eos"},
    /* at the first frame, with a later peak */
    {"min-frames=1", "13",
      "started 1: 0-0 1 peak 0, ended 1: 0-40 2 peak 40 eos"},
    {"min-frames=3", "0110111",
      "started 1: 160-240 3 peak 160, ended 1: 160-240 3 peak 160 eos"},
    /* a pause of as much as max-gap, and of more */
    {"max-gap=120000000", "1100110",
      "started 1: 0-40 2 peak 0, ended 1: 0-200 4 peak 0 eos"},
    {"max-gap=80000000", "11001100000",
      "started 1: 0-40 2 peak 0, ended 1: 0-40 2 peak 0 gap, "
      "started 2: 160-200 2 peak 160, ended 2: 160-200 2 peak 160 gap"},
    {"max-gap=39999999 min-frames=1", "1101",
      "started 1: 0-0 1 peak 0, ended 1: 0-0 1 peak 0 gap, "
      "started 2: 40-40 1 peak 40, ended 2: 40-40 1 peak 40 gap, "
      "started 3: 120-120 1 peak 120, ended 3: 120-120 1 peak 120 eos"},
    /* the next event needs no confirmation, except after a pause */
    {"max-duration=80000000", "11111",
      "started 1: 0-40 2 peak 0, ended 1: 0-40 2 peak 0 max-duration, "
      "started 2: 80-80 1 peak 80, ended 2: 80-120 2 peak 80 max-duration, "
      "started 3: 160-160 1 peak 160, ended 3: 160-160 1 peak 160 eos"},
    {"max-duration=80000000", "11010110",
      "started 1: 0-40 2 peak 0, ended 1: 0-40 2 peak 0 max-duration, "
      "started 2: 200-240 2 peak 200, ended 2: 200-240 2 peak 200 "
      "max-duration"},
    /* limits */
    {"min-components=2 max-components=3", "1224433",
      "started 1: 40-80 2 peak 40, ended 1: 40-240 4 peak 200 eos"},
    {"min-area=120", "1122011",
      "started 1: 80-120 2 peak 80, ended 1: 80-120 2 peak 80 eos"},
    {"min-area=121", "1122011", ""},
    {"min-components=0 min-area=0 max-components=0", "1001",
      "started 1: 40-80 2 peak 40, ended 1: 40-80 2 peak 40 eos"},
    {"min-components=0 min-area=0 min-frames=1", "0201",
      "started 1: 0-0 1 peak 0, ended 1: 0-120 4 peak 40 eos"},
    /* each new peak, or one of them at a time */
    {"snapshot-interval=0", "1122134",
      "started 1: 0-40 2 peak 0, snapshot 1: 0-80 3 peak 80, "
      "snapshot 1: 0-200 6 peak 200, snapshot 1: 0-240 7 peak 240, "
      "ended 1: 0-240 7 peak 240 eos"},
    {"snapshot-interval=120000000", "112341111",
      "started 1: 0-40 2 peak 0, snapshot 1: 0-160 5 peak 160, "
      "ended 1: 0-320 9 peak 160 eos"},
    {"snapshot-interval=120000000", "112311111",
      "started 1: 0-40 2 peak 0, snapshot 1: 0-160 5 peak 120, "
      "ended 1: 0-320 9 peak 120 eos"},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    Session s = session_new (cases[i].properties);

    play (&s, cases[i].frames);
    push_eos (&s);
    assert_told (&s, cases[i].expected);
    session_free (&s);
  }
}

TEST (test_defaults)
{
  Session s = session_new ("");
  guint min_components, max_components, min_frames;
  gboolean zones_only;
  guint64 min_area, max_gap, max_duration, snapshot_interval;

  g_object_get (s.element, "min-components", &min_components, "max-components",
      &max_components, "min-area", &min_area, "zones-only", &zones_only,
      "min-frames", &min_frames, "max-gap", &max_gap, "max-duration",
      &max_duration, "snapshot-interval", &snapshot_interval, NULL);
  assert_equals_int (min_components, 1);
  assert_equals_uint64 (max_components, G_MAXUINT);
  assert_equals_uint64 (min_area, 1);
  fail_unless (!zones_only);
  assert_equals_int (min_frames, 2);
  assert_equals_uint64 (max_gap, 5 * GST_SECOND);
  assert_equals_uint64 (max_duration, 0);
  assert_equals_uint64 (snapshot_interval, GST_SECOND);
  session_free (&s);
}

static guint64
stat_of (Session *s, const gchar *field)
{
  GstStructure *stats;
  guint64 number;

  g_object_get (s->element, "stats", &stats, NULL);
  number = number_of (stats, field);
  gst_structure_free (stats);
  return number;
}

/* Active frames without components leave the box of the event as it is. */
TEST (test_empty_frames)
{
  Session s = session_new ("min-components=0 min-area=0 min-frames=4");
  GstStructure *m;

  play (&s, "0201");
  m = pop_message (s.bus);
  fail_unless (m != NULL);
  assert_equals_int (number_of (part_of (m, "box"), "x"), 0);
  assert_equals_int (number_of (part_of (m, "box"), "y"), 30);
  gst_structure_free (m);
  assert_equals_uint64 (stat_of (&s, "active-frames"), 4);
  session_free (&s);
}

/* Components that the analyser left out count, but have no area. */
TEST (test_truncated)
{
  const GstCcaAnalysis analysis = analysis_of (7);
  const GstCcaComponent c = component (3, 4, 5, 6, 20);
  Session s = session_new ("min-components=7 min-frames=1 min-area=20");
  GstStructure *m;

  push (&s, frame_at (0, &analysis, &c, 1));
  m = pop_message (s.bus);
  fail_unless (m != NULL);
  assert_equals_int (number_of (part_of (m, "peak"), "components"), 7);
  assert_equals_int (number_of (part_of (m, "peak"), "area"), 20);
  gst_structure_free (m);
  session_free (&s);
}

/* Areas and boxes that no frame has do not overflow. */
TEST (test_absurd)
{
  const GstCcaAnalysis analysis = analysis_of (2);
  const GstCcaComponent c[] = {
    component (G_MAXUINT, 0, G_MAXUINT, 1, G_MAXUINT64 - 9),
    component (5, G_MAXUINT, 1, G_MAXUINT, 10),
  };
  Session s = session_new ("min-frames=1 min-area=18446744073709551615");
  const GstStructure *box;
  GstStructure *m;

  push (&s, frame_at (0, &analysis, c, 1));
  fail_unless (pop_message (s.bus) == NULL);
  push (&s, frame_at (0, &analysis, c, 2));
  m = pop_message (s.bus);
  fail_unless (m != NULL);
  assert_equals_uint64 (number_of (part_of (m, "peak"), "area"), G_MAXUINT64);
  box = part_of (m, "box");
  assert_equals_uint64 (number_of (box, "x"), 5);
  assert_equals_uint64 (number_of (box, "y"), 0);
  assert_equals_uint64 (number_of (box, "width"), 2ull * G_MAXUINT - 5);
  assert_equals_uint64 (number_of (box, "height"), 2ull * G_MAXUINT);
  gst_structure_free (m);
  session_free (&s);
}

TEST (test_warming_up)
{
  GstCcaAnalysis analysis = analysis_of (1);
  const GstCcaComponent c = component (3, 4, 5, 6, 20);
  Session s = session_new ("");

  analysis.flags = GST_CCA_ANALYSIS_FLAG_WARMING_UP;
  push (&s, frame_at (0, &analysis, &c, 1));
  push (&s, frame_at (40 * MS, &analysis, &c, 1));
  analysis.flags = GST_CCA_ANALYSIS_FLAG_OVERLOAD;
  push (&s, frame_at (60 * MS, &analysis, &c, 1));
  analysis.flags = GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED;
  push (&s, frame_at (80 * MS, &analysis, &c, 1));
  analysis.flags = 0;
  push (&s, frame_at (120 * MS, &analysis, &c, 1));
  assert_told (&s, "started 1: 80-120 2 peak 80");
  assert_equals_uint64 (stat_of (&s, "frames"), 5);
  assert_equals_uint64 (stat_of (&s, "active-frames"), 2);
  session_free (&s);
}

/* Components without a zone, in the first one, and in the last one. */
TEST (test_zones_only)
{
  const GstCcaAnalysis analysis = analysis_of (4);
  GstCcaComponent c[] = {
    component (20, 20, 10, 10, 50),
    component (120, 20, 10, 10, 60),
    component (220, 20, 10, 10, 70),
  };
  Session s = session_new ("zones-only=true min-frames=1 max-components=2");
  const GstStructure *peak;
  GstStructure *m;

  push (&s, frame_at (0, &analysis, c, 3));
  assert_told (&s, "");
  c[1].zones = 1;
  c[2].zones = G_GUINT64_CONSTANT (1) << 63;
  push (&s, frame_at (40 * MS, &analysis, c, 3));
  m = pop_message (s.bus);
  fail_unless (m != NULL);
  peak = part_of (m, "peak");
  assert_equals_uint64 (number_of (peak, "components"), 2);
  assert_equals_uint64 (number_of (peak, "area"), 130);
  assert_equals_uint64 (number_of (peak, "x"), 120);
  assert_equals_uint64 (number_of (peak, "width"), 110);
  gst_structure_free (m);
  session_free (&s);
}

/* Another width or height ends the event. */
TEST (test_resized)
{
  GstCcaAnalysis analysis = analysis_of (1);
  const GstCcaComponent c = component (3, 4, 5, 6, 20);
  Session s = session_new ("min-frames=1");

  push (&s, frame_at (0, &analysis, &c, 1));
  analysis.width++;
  push (&s, frame_at (40 * MS, &analysis, &c, 1));
  analysis.height++;
  push (&s, frame_at (80 * MS, &analysis, &c, 0));
  assert_told (&s,
      "started 1: 0-0 1 peak 0, ended 1: 0-0 1 peak 0 resized, "
      "started 2: 40-40 1 peak 40, ended 2: 40-40 1 peak 40 "
      "resized");
  session_free (&s);
}

/* Only the first meta counts. */
TEST (test_two_metas)
{
  const GstCcaAnalysis analysis = analysis_of (1);
  const GstCcaComponent c = component (3, 4, 5, 6, 20);
  Session s = session_new ("min-frames=1");
  GstBuffer *buffer = blobs (0, 0);
  GBytes *bytes = g_bytes_new (&c, sizeof (c));

  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, bytes) != NULL);
  g_bytes_unref (bytes);
  push (&s, buffer);
  assert_told (&s, "");
  session_free (&s);
}

/* Properties hold from the next frame on. */
TEST (test_set_while_playing)
{
  Session s = session_new ("");

  push (&s, blobs (0, 1));
  g_object_set (s.element, "min-frames", 4, NULL);
  push (&s, blobs (40 * MS, 1));
  push (&s, blobs (80 * MS, 1));
  assert_told (&s, "");
  g_object_set (s.element, "min-frames", 1, NULL);
  push (&s, blobs (120 * MS, 1));
  assert_told (&s, "started 1: 0-120 4 peak 0");
  g_object_set (s.element, "max-gap", G_GUINT64_CONSTANT (40000000), NULL);
  push (&s, blobs (200 * MS, 0));
  assert_told (&s, "ended 1: 0-120 4 peak 0 gap");
  session_free (&s);
}

/* --- the oracle ----------------------------------------------------------- */

static GstClockTime
random_time (GRand *rand, GstClockTime before)
{
  const guint back = g_rand_int_range (rand, 0, 400);

  switch (g_rand_int_range (rand, 0, 16)) {
    case 0:
      return NONE;
    case 1:
      return before - MIN (before, back * MS);
    case 2:
      return before + g_rand_int_range (rand, 0, 1000) * MS;
    case 3:
      return before;
    default:
      return before + g_rand_int_range (rand, 1, 4) * 40 * MS;
  }
}

static guint
random_steps (GRand *rand, Step *steps, guint max)
{
  static const gchar *const ends[] = {"flush", "new-stream", "resized"};
  const guint n = g_rand_int_range (rand, 1, max);
  const gint density = g_rand_int_range (rand, 0, 11);
  GstClockTime now = 0;
  guint i;

  for (i = 0; i < n; i++) {
    Step *s = &steps[i];

    *s = (Step) {
      .time = random_time (rand, now),
      .active = g_rand_int_range (rand, 0, 10) < density,
    };
    now = s->time != NONE ? s->time : now;
    switch (g_rand_int_range (rand, 0, 40)) {
      case 0:
        s->kind = STEP_END;
        s->reason = ends[g_rand_int_range (rand, 0, 3)];
        break;
      case 1:
      case 2:
        s->kind = STEP_TIME;
        break;
    }
    if (s->kind == STEP_FRAME && s->active) {
      s->area = g_rand_int_range (rand, 1, 9);
      s->x = g_rand_int_range (rand, 0, 500);
      s->y = g_rand_int_range (rand, 0, 500);
      s->width = g_rand_int_range (rand, 1, 400);
      s->height = g_rand_int_range (rand, 1, 400);
    }
  }
  steps[n] = (Step) {
    .kind = STEP_END,
    .reason = "flush",
  };
  return n + 1;
}

/* The frame of a step. The size of the picture changes after "resized". */
static GstBuffer *
buffer_of (const Step *step, guint width)
{
  GstCcaAnalysis analysis = analysis_of (step->active ? 1 : 0);
  const GstCcaComponent c =
      component (step->x, step->y, step->width, step->height, step->area);

  analysis.width = width;
  return frame_at (step->time, &analysis, &c, analysis.n_found);
}

static void
take (Session *s, const Step *step, guint *width, guint nth)
{
  GstBuffer *bare;

  switch (step->kind) {
    case STEP_FRAME:
      push (s, buffer_of (step, *width));
      break;
    case STEP_TIME:
      if (nth % 2 == 0) {
        bare = gst_buffer_new ();
        GST_BUFFER_PTS (bare) = step->time;
        push (s, bare);
      } else if (step->time != NONE) {
        /* half of the time is the gap's duration */
        const GstClockTime half = nth % 4 == 1 ? step->time / 2 : 0;

        gst_harness_push_event (s->h,
            gst_event_new_gap (step->time - half, half > 0 ? half : NONE));
      }
      break;
    case STEP_END:
      if (g_str_equal (step->reason, "flush")) {
        push_flush (s->h);
      } else if (g_str_equal (step->reason, "new-stream")) {
        gst_harness_push_event (s->h, gst_event_new_stream_start ("another"));
        push_segment (s->h);
      } else {
        /* an idle frame of the new size, without a time */
        const Step idle = {
          .time = NONE,
        };

        push (s, buffer_of (&idle, ++*width));
      }
      break;
  }
}

static void
assert_times (const GstStructure *m, const Step *frame)
{
  assert_equals_uint64 (number_of (m, "timestamp"), frame->time);
  assert_equals_uint64 (number_of (m, "stream-time"), frame->time);
  assert_equals_uint64 (number_of (m, "running-time"), frame->time);
  assert_equals_uint64 (number_of (m, "utc"), NONE);
}

static void
assert_message (const GstStructure *m, const Expected *e, const Step *steps)
{
  const GstStructure *peak = part_of (m, "peak"), *box = part_of (m, "box");
  const Step *at = &steps[e->peak];

  assert_equals_string (gst_structure_get_string (m, "event"), e->event);
  assert_equals_string (gst_structure_get_string (m, "reason"), e->reason);
  assert_equals_uint64 (number_of (m, "number"), e->number);
  assert_equals_uint64 (number_of (m, "frames"), e->n_frames);
  assert_times (part_of (m, "start"), &steps[e->start]);
  assert_times (part_of (m, "end"), &steps[e->end]);
  assert_times (peak, at);
  assert_times (m,
      g_str_equal (e->event, "started")     ? &steps[e->start]
          : g_str_equal (e->event, "ended") ? &steps[e->end]
                                            : at);
  assert_equals_uint64 (number_of (peak, "components"), 1);
  assert_equals_uint64 (number_of (peak, "area"), at->area);
  assert_equals_uint64 (number_of (peak, "x"), at->x);
  assert_equals_uint64 (number_of (peak, "y"), at->y);
  assert_equals_uint64 (number_of (peak, "width"), at->width);
  assert_equals_uint64 (number_of (peak, "height"), at->height);
  assert_equals_uint64 (number_of (box, "x"), e->x0);
  assert_equals_uint64 (number_of (box, "y"), e->y0);
  assert_equals_uint64 (number_of (box, "width"), e->x1 - e->x0);
  assert_equals_uint64 (number_of (box, "height"), e->y1 - e->y0);
}

/* Random and absurd sequences: times that are missing, go back or leap. */
TEST (test_oracle)
{
  const guint n_sequences = g_getenv ("CCA_TEST_SLOW") != NULL ? 100 : 1000;
  GRand *rand = g_rand_new_with_seed (SEED);
  Session s = session_new ("");
  guint64 number = 0, n_frames = 0, n_active = 0, n_ended = 0;
  guint width = WIDTH, i, j, k;
  Step steps[101];

  for (i = 0; i < n_sequences; i++) {
    const guint n = random_steps (rand, steps, 100);
    const Rule rule = {
      .min_frames = g_rand_int_range (rand, 1, 5),
      .max_gap = g_rand_int_range (rand, 0, 15) * 40 * MS,
      .max_duration = g_rand_int_range (rand, 0, 2)
          * g_rand_int_range (rand, 0, 20) * 40 * MS,
      .snapshot_interval = g_rand_int_range (rand, 0, 6) * 40 * MS,
    };
    GArray *expected = activity_expect (steps, n, &rule, &number);

    g_object_set (s.element, "min-frames", rule.min_frames, "max-gap",
        rule.max_gap, "max-duration", rule.max_duration, "snapshot-interval",
        rule.snapshot_interval, NULL);
    for (j = k = 0; j < n; j++) {
      GstStructure *m;

      take (&s, &steps[j], &width, j);
      n_frames += steps[j].kind == STEP_FRAME
          || g_strcmp0 (steps[j].reason, "resized") == 0;
      n_active += steps[j].kind == STEP_FRAME && steps[j].active;
      while ((m = pop_message (s.bus)) != NULL) {
        fail_unless (k < expected->len, "sequence %u, step %u", i, j);
        n_ended += gst_structure_has_field (m, "reason");
        assert_message (m, &g_array_index (expected, Expected, k++), steps);
        gst_structure_free (m);
      }
    }
    assert_equals_int (k, expected->len);
    g_array_unref (expected);
  }
  fail_unless (number > n_sequences);
  assert_equals_uint64 (stat_of (&s, "frames"), n_frames);
  assert_equals_uint64 (stat_of (&s, "active-frames"), n_active);
  assert_equals_uint64 (stat_of (&s, "started"), number);
  assert_equals_uint64 (stat_of (&s, "ended"), n_ended);
  assert_equals_uint64 (stat_of (&s, "number"), 0);
  assert_equals_uint64 (n_ended, number);
  session_free (&s);
  g_rand_free (rand);
}

/* --- time ----------------------------------------------------------------- */

static void
assert_time (const GstStructure *times, GstClockTime timestamp,
    GstClockTime stream_time, GstClockTime running_time)
{
  assert_equals_uint64 (number_of (times, "timestamp"), timestamp);
  assert_equals_uint64 (number_of (times, "stream-time"), stream_time);
  assert_equals_uint64 (number_of (times, "running-time"), running_time);
}

/* An event continues over a segment, whose frames have times of their own. */
TEST (test_segments)
{
  Session s = session_new ("min-frames=1");
  GstSegment segment;
  GstStructure *m;

  push (&s, blobs (40 * MS, 1));
  gst_structure_free (pop_message (s.bus));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 100 * GST_SECOND;
  segment.time = 7 * GST_SECOND;
  segment.base = 80 * MS;
  gst_harness_push_event (s.h, gst_event_new_segment (&segment));
  push (&s, blobs (100 * GST_SECOND + 40 * MS, 1));
  push_eos (&s);
  m = pop_message (s.bus);
  assert_equals_string (gst_structure_get_string (m, "event"), "ended");
  assert_time (part_of (m, "start"), 40 * MS, 40 * MS, 40 * MS);
  assert_time (part_of (m, "end"), 100 * GST_SECOND + 40 * MS,
      7 * GST_SECOND + 40 * MS, 120 * MS);
  assert_time (m, 100 * GST_SECOND + 40 * MS, 7 * GST_SECOND + 40 * MS,
      120 * MS);
  gst_structure_free (m);
  session_free (&s);
}

/* In a segment of bytes no time is known. */
TEST (test_bytes)
{
  Session s = session_new ("max-gap=1");
  GstSegment segment;
  GstStructure *m;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_harness_push_event (s.h, gst_event_new_segment (&segment));
  push (&s, blobs (0, 1));
  push (&s, gst_buffer_new ());
  gst_harness_push_event (s.h, gst_event_new_gap (GST_SECOND, NONE));
  push (&s, blobs (GST_SECOND, 1));
  m = pop_message (s.bus);
  fail_unless (m != NULL);
  assert_time (part_of (m, "start"), 0, NONE, NONE);
  assert_time (part_of (m, "end"), GST_SECOND, NONE, NONE);
  gst_structure_free (m);
  session_free (&s);
}

static void
add_reference (GstBuffer *buffer, const gchar *name, GstClockTime timestamp)
{
  GstCaps *caps = gst_caps_new_empty_simple (name);

  gst_buffer_add_reference_timestamp_meta (buffer, caps, timestamp, NONE);
  gst_caps_unref (caps);
}

static GstClockTime
utc_of (Session *s, GstBuffer *buffer)
{
  GstStructure *m;
  GstClockTime utc;

  push (s, buffer);
  m = pop_message (s->bus);
  fail_unless (m != NULL);
  utc = number_of (m, "utc");
  assert_equals_uint64 (number_of (part_of (m, "start"), "utc"), utc);
  gst_structure_free (m);
  push_flush (s->h);
  gst_structure_free (pop_message (s->bus));
  return utc;
}

TEST (test_reference_timestamps)
{
  const guint64 from_1900 = 2208988800ull * GST_SECOND;
  Session s = session_new ("min-frames=1");
  GstBuffer *buffer;

  assert_equals_uint64 (utc_of (&s, blobs (0, 1)), NONE);
  buffer = blobs (0, 1);
  add_reference (buffer, "timestamp/x-ptp", 5);
  assert_equals_uint64 (utc_of (&s, buffer), NONE);
  buffer = blobs (0, 1);
  add_reference (buffer, "timestamp/x-ptp", 5);
  add_reference (buffer, "timestamp/x-unix", 12345);
  add_reference (buffer, "timestamp/x-unix", 99);
  assert_equals_uint64 (utc_of (&s, buffer), 12345);
  /* without a timestamp of its own, too */
  buffer = blobs (NONE, 1);
  add_reference (buffer, "timestamp/x-ntp", from_1900 + 77);
  assert_equals_uint64 (utc_of (&s, buffer), 77);
  buffer = blobs (0, 1);
  add_reference (buffer, "timestamp/x-ntp", from_1900 - 2);
  assert_equals_uint64 (utc_of (&s, buffer), NONE);
  session_free (&s);
}

/* As clocks of a network are: a subclass, with a time of its own. */
static GstClock *
network_clock_new (void)
{
  static GType type;
  GTypeQuery of;

  g_type_query (GST_TYPE_SYSTEM_CLOCK, &of);
  if (type == 0)
    type = g_type_register_static_simple (GST_TYPE_SYSTEM_CLOCK,
        "TestNetworkClock", of.class_size, NULL, of.instance_size, NULL, 0);
  return g_object_new (type, "clock-type", GST_CLOCK_TYPE_REALTIME, NULL);
}

/* Of a clock of Unix time, while the element is playing. */
TEST (test_clock)
{
  GstClock *network = network_clock_new ();
  Session s = session_new ("min-frames=1");
  GstClock *utc = g_object_new (GST_TYPE_SYSTEM_CLOCK, "clock-type",
      GST_CLOCK_TYPE_REALTIME, NULL);
  GstClock *monotonic = g_object_new (GST_TYPE_SYSTEM_CLOCK, "clock-type",
      GST_CLOCK_TYPE_MONOTONIC, NULL);
  GstClock *other = gst_test_clock_new ();
  GstBuffer *buffer;

  gst_element_set_base_time (s.element, 1000);
  gst_element_set_clock (s.element, other);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), NONE);
  gst_element_set_clock (s.element, monotonic);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), NONE);
  gst_element_set_clock (s.element, network);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), NONE);
  gst_element_set_clock (s.element, utc);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), 1040);
  assert_equals_uint64 (utc_of (&s, blobs (NONE, 1)), NONE);
  /* the camera knows better */
  buffer = blobs (40, 1);
  add_reference (buffer, "timestamp/x-unix", 7);
  assert_equals_uint64 (utc_of (&s, buffer), 7);
  gst_element_set_state (s.element, GST_STATE_PAUSED);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), NONE);
  gst_element_set_state (s.element, GST_STATE_PLAYING);
  gst_element_set_base_time (s.element, 2000);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), 2040);
  gst_element_set_clock (s.element, NULL);
  assert_equals_uint64 (utc_of (&s, blobs (40, 1)), NONE);
  gst_object_unref (utc);
  gst_object_unref (network);
  gst_object_unref (monotonic);
  gst_object_unref (other);
  session_free (&s);
}

/* --- buffers and events --------------------------------------------------- */

/* The structure of the next downstream event of ours, or NULL. */
static GstEvent *
pull_activity (Session *s)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (s->h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM)
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

static void
assert_same_as_message (Session *s, const GstStructure *is)
{
  GstStructure *m = pop_message (s->bus);

  fail_unless (m != NULL);
  fail_unless (gst_structure_is_equal (m, is), "%" GST_PTR_FORMAT, is);
  gst_structure_free (m);
}

/* A frame with reports has them in its meta, and they are sent before it. A
 * shared buffer is copied for that, other buffers pass themselves. */
TEST (test_everywhere)
{
  Session s = session_new ("max-gap=100000000");
  GstBuffer *in, *out;
  const GstCcaMeta *meta;
  GstEvent *event;
  guint i;

  for (i = 0; i < 5; i++) {
    in = gst_buffer_ref (blobs (i == 4 ? GST_SECOND : i * 40 * MS, 1));
    out = gst_harness_push_and_pull (s.h, in);
    meta = gst_buffer_get_cca_meta (out);
    event = pull_activity (&s);
    /* the first frame of an event, and the one that ends it */
    if (i == 1 || i == 4) {
      fail_unless (out != in);
      assert_equals_int (gst_cca_meta_get_n_events (meta), 1);
      fail_unless (event != NULL);
      fail_unless (gst_structure_is_equal (gst_event_get_structure (event),
          gst_cca_meta_get_event (meta, 0)));
      assert_same_as_message (&s, gst_event_get_structure (event));
      gst_event_unref (event);
      fail_unless (pull_activity (&s) == NULL);
    } else {
      fail_unless (out == in);
      fail_unless (event == NULL);
    }
    assert_equals_int (gst_cca_meta_get_n_events (gst_buffer_get_cca_meta (in)),
        0);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
  }
  session_free (&s);
}

/* A buffer without a meta that ends an event, and a gap, send it on. */
TEST (test_sent_without_meta)
{
  Session s = session_new ("max-gap=100000000 min-frames=1");
  GstBuffer *bare;
  GstEvent *event;
  guint i;

  for (i = 0; i < 2; i++) {
    push (&s, blobs (i * 10 * GST_SECOND, 1));
    gst_event_unref (pull_activity (&s));
    gst_structure_free (pop_message (s.bus));
    if (i == 0) {
      bare = gst_buffer_ref (gst_buffer_new ());
      GST_BUFFER_PTS (bare) = GST_SECOND;
      fail_unless (gst_harness_push_and_pull (s.h, bare) == bare);
      gst_buffer_unref (bare);
      gst_buffer_unref (bare);
    } else {
      gst_harness_push_event (s.h,
          gst_event_new_gap (10 * GST_SECOND, 200 * MS));
    }
    event = pull_activity (&s);
    fail_unless (event != NULL);
    assert_same_as_message (&s, gst_event_get_structure (event));
    gst_event_unref (event);
  }
  session_free (&s);
}

/* Events that end with the stream are sent before its end. */
TEST (test_sent_before_end)
{
  Session s = session_new ("min-frames=1");
  GstEvent *event;

  push (&s, blobs (0, 1));
  gst_event_unref (pull_activity (&s));
  push_eos (&s);
  event = pull_activity (&s);
  fail_unless (event != NULL);
  assert_equals_string (gst_structure_get_string (gst_event_get_structure (
                                                      event),
                            "reason"),
      "eos");
  gst_event_unref (event);
  event = gst_harness_pull_event (s.h);
  assert_equals_int (GST_EVENT_TYPE (event), GST_EVENT_EOS);
  gst_event_unref (event);
  session_free (&s);
}

/* A meta that has no room is left as it is, with one warning for each segment;
 * the message and the event are sent. */
TEST (test_no_room)
{
  Session s = session_new ("min-frames=1 max-gap=1");
  GstStructure *other = gst_structure_new_empty ("other");
  GstBuffer *buffer;
  guint i, j;

  warnings_begin ("ccaactivity");
  for (i = 0; i < 3; i++) {
    if (i == 2)
      push_segment (s.h);
    buffer = blobs (i * GST_SECOND, 1);
    for (j = 0; j < GST_CCA_META_MAX_EVENTS; j++)
      fail_unless (
          gst_cca_meta_add_event (gst_buffer_get_cca_meta (buffer), other));
    push (&s, buffer);
    assert_equals_int (warnings_seen (), i < 2 ? 1 : 2);
    gst_event_unref (pull_activity (&s));
  }
  warnings_end ();
  assert_told (&s,
      "started 1: 0-0 1 peak 0, ended 1: 0-0 1 peak 0 gap, "
      "started 2: 1000-1000 1 peak 1000, ended 2: 1000-1000 1 peak 1000 gap, "
      "started 3: 2000-2000 1 peak 2000");
  gst_structure_free (other);
  session_free (&s);
}

/* Any caps, and none. */
TEST (test_any_caps)
{
  static const gchar *const all[] = {
    "video/x-h264,stream-format=byte-stream",
    "video/x-raw(memory:CUDAMemory),format=NV12,width=8,height=8",
    "application/octet-stream",
    NULL,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (all); i++) {
    GstHarness *h = gst_harness_new ("ccaactivity");

    gst_harness_push_event (h, gst_event_new_stream_start ("s"));
    if (all[i] != NULL) {
      GstCaps *caps = gst_caps_from_string (all[i]);

      gst_harness_push_event (h, gst_event_new_caps (caps));
      gst_caps_unref (caps);
    }
    push_segment (h);
    gst_buffer_unref (gst_harness_push_and_pull (h, blobs (0, 1)));
    gst_buffer_unref (gst_harness_push_and_pull (h, blobs (40 * MS, 1)));
    gst_harness_teardown (h);
  }
}

/* Numbers go on, and a stop ends the event. */
TEST (test_restart)
{
  Session s = session_new ("min-frames=1");
  guint i;

  for (i = 0; i < 2; i++) {
    push (&s, blobs (0, 1));
    gst_element_set_state (s.element, GST_STATE_READY);
    assert_told (&s,
        i == 0 ? "started 1: 0-0 1 peak 0, ended 1: 0-0 1 peak 0 "
                 "stopped"
               : "started 2: 0-0 1 peak 0, ended 2: 0-0 1 peak 0 "
                 "stopped");
    gst_element_set_state (s.element, GST_STATE_PLAYING);
    gst_harness_push_event (s.h, gst_event_new_stream_start ("again"));
    push_segment (s.h);
  }
  session_free (&s);
}

/* PAUSED keeps the event, even while it is not confirmed. */
TEST (test_paused_in_mid_event)
{
  Session s = session_new ("");

  push (&s, blobs (0, 1));
  gst_element_set_state (s.element, GST_STATE_PAUSED);
  gst_element_set_state (s.element, GST_STATE_PLAYING);
  push (&s, blobs (40 * MS, 1));
  gst_element_set_state (s.element, GST_STATE_PAUSED);
  gst_element_set_state (s.element, GST_STATE_PLAYING);
  push (&s, blobs (80 * MS, 1));
  push_eos (&s);
  assert_told (&s, "started 1: 0-40 2 peak 0, ended 1: 0-80 3 peak 0 eos");
  session_free (&s);
}

TEST (test_stop_waits)
{
  Session s = session_new ("");
  GstBaseTransform *trans = GST_BASE_TRANSFORM (s.element);

  assert_waits_for_stream (trans, GST_BASE_TRANSFORM_GET_CLASS (trans)->stop);
  session_free (&s);
}

/* --- hours ---------------------------------------------------------------- */

/* Two hours of 50 frames/s with 100000 events: none is lost or reported twice,
 * and the memory does not grow. The element is restarted in mid-event. */
TEST (test_two_hours)
{
  const gboolean is_slow = g_getenv ("CCA_TEST_SLOW") != NULL;
  const guint n_events = is_slow ? 10000 : 100000;
  const guint n_frames = n_events * 18 / 5;
  Session s = session_new ("min-frames=1 max-gap=30000000");
  guint64 n_started = 0, n_ended = 0, n_expected = 0;
  gsize before = 0, now;
  guint i, phase = 0;

  for (i = 0; i < n_frames; i++) {
    const gboolean is_active = phase == 0;
    GstStructure *m;
    GstEvent *event;

    n_expected += is_active;
    phase = (phase + 1) % (n_expected % 5 < 2 ? 3 : 4);
    push (&s, blobs (i * 20 * MS, is_active));
    if (is_active && n_expected == n_events / 2) {
      gst_element_set_state (s.element, GST_STATE_READY);
      gst_element_set_state (s.element, GST_STATE_PLAYING);
      gst_harness_push_event (s.h, gst_event_new_stream_start ("again"));
      push_segment (s.h);
    }
    while ((m = pop_message (s.bus)) != NULL) {
      if (gst_structure_has_field (m, "reason"))
        n_ended++;
      else
        n_started++;
      assert_equals_uint64 (number_of (m, "number"), n_started);
      fail_unless (n_started - n_ended <= 1);
      gst_structure_free (m);
    }
    while ((event = pull_activity (&s)) != NULL)
      gst_event_unref (event);
    if (i == n_frames / 10)
      before = mallinfo2 ().uordblks;
  }
  now = mallinfo2 ().uordblks;
  fail_unless (is_slow || now < before + 65536,
      "%" G_GSIZE_FORMAT " bytes more", now - before);
  push_eos (&s);
  assert_equals_uint64 (n_expected, n_events);
  assert_equals_uint64 (n_started, n_expected);
  assert_equals_uint64 (stat_of (&s, "started"), n_expected);
  assert_equals_uint64 (stat_of (&s, "ended"), n_expected);
  session_free (&s);
}

SUITE ("ccaactivity");
