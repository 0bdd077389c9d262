/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Which crossings ccatrack counts at its lines, and when, and which objects are
 * in its zones. The geometry of a
 * single step is tested by crossing.c. */

#include "util.h"

#include <math.h>

#define FRAME (40 * GST_MSECOND)
#define BARE "line-margin=0 line-margin-min=0 settle-frames=1 "

typedef struct
{
  GstHarness *h;
  GstElement *element;
  GstBus *bus;
  guint n_frames;
  const gint *times; /* of frames in FRAME, -1: none; NULL: 0, 1 and so on */
} Session;

/* Objects get their ids at once and are found again after a leap. */
static Session
session_new (const gchar *properties)
{
  gchar *description =
      g_strdup_printf ("ccatrack min-hits=1 max-distance=1000 %s", properties);
  Session s = {gst_harness_new_parse (description)};

  s.bus = gst_bus_new ();
  s.element = gst_harness_find_element (s.h, "ccatrack");
  gst_element_set_bus (s.element, s.bus);
  gst_harness_set_src_caps_str (s.h,
      "video/x-raw,format=GRAY8,width=1000,height=1000,framerate=25/1");
  g_free (description);
  return s;
}

static void
session_free (Session *s)
{
  gst_element_set_bus (s->element, NULL);
  gst_object_unref (s->bus);
  gst_object_unref (s->element);
  gst_harness_teardown (s->h);
}

static GstBuffer *
push_and_pull (Session *s, const GstCcaComponent *components, guint n,
    GstCcaShapes *shapes)
{
  GstCcaMeta *meta;
  const GstCcaAnalysis analysis = {
    .width = 1000,
    .height = 1000,
    .connectivity = 8,
    .n_found = n,
    .flags = s->n_frames < 2 ? GST_CCA_ANALYSIS_FLAG_WARMING_UP : 0,
  };
  GBytes *bytes = g_bytes_new (components, n * sizeof (*components));
  GstBuffer *buffer = gst_buffer_new ();

  if (s->times == NULL)
    GST_BUFFER_PTS (buffer) = s->n_frames * FRAME;
  else if (s->times[s->n_frames] >= 0)
    GST_BUFFER_PTS (buffer) = s->times[s->n_frames] * FRAME;
  s->n_frames++;
  GST_BUFFER_DURATION (buffer) = FRAME;
  meta = gst_buffer_add_cca_meta (buffer, &analysis, bytes);
  fail_unless (meta != NULL);
  gst_cca_meta_set_shapes (meta, shapes, NULL);
  g_bytes_unref (bytes);
  return gst_harness_push_and_pull (s->h, buffer);
}

static void
push (Session *s, const GstCcaComponent *components, guint n)
{
  gst_buffer_unref (push_and_pull (s, components, n, NULL));
}

/* A square whose centre is there, or with another centroid. */
static void
push_square (Session *s, gint x, gint y, gint size)
{
  const GstCcaComponent c = {
    .id = 1,
    .x = x - size / 2,
    .y = y - size / 2,
    .width = size,
    .height = size,
    .area = 1,
    .centroid_x = x - 0.5,
    .centroid_y = y - 0.5,
    .track_id = -1,
  };

  push (s, &c, 1);
}

/* Pushes a frame for each word: x,y, or y at x = 100, or - for an empty one. */
static void
walk (Session *s, const gchar *way, gint size)
{
  gchar **words = g_strsplit (way, " ", -1);
  guint i;

  for (i = 0; words[i] != NULL; i++) {
    const gchar *comma = strchr (words[i], ',');

    if (*words[i] == '-')
      push (s, NULL, 0);
    else if (comma != NULL)
      push_square (s, atoi (words[i]), atoi (comma + 1), size);
    else
      push_square (s, 100, atoi (words[i]), size);
  }
  g_strfreev (words);
}

static guint64
get_number (const GstStructure *s, const gchar *field)
{
  guint64 number = 0;

  fail_unless (gst_structure_get_uint64 (s, field, &number), "no %s", field);
  return number;
}

/* The crossings since the last call: each with its direction, the frame in
 * which it happened and the one in which it was reported. */
static gchar *
take_crossings (Session *s)
{
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while (
      (message = gst_bus_pop_filtered (s->bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *m = gst_message_get_structure (message);

    if (g_str_equal (gst_structure_get_string (m, "event"), "crossed"))
      g_string_append_printf (text, "%s%c%u/%u", text->len > 0 ? " " : "",
          g_ascii_toupper (gst_structure_get_string (m, "direction")[3]),
          (guint) (get_number (m, "running-time") / FRAME),
          (guint) (get_number (m, "settled") / FRAME));
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}

static void
assert_way (Session *s, const gchar *way, gint size, const gchar *crossings)
{
  gchar *found;

  walk (s, way, size);
  found = take_crossings (s);
  fail_unless (g_str_equal (found, crossings), "%s: %s, not %s", way, found,
      crossings);
  g_free (found);
}

static void
set_lines (Session *s, const gchar *lines)
{
  gchar *copy = g_strdup (lines);

  gst_util_set_object_arg (G_OBJECT (s->element), "lines", copy);
  g_free (copy);
}

static void
expect_counts (Session *s, guint nth, guint to_left, guint to_right)
{
  GstStructure *stats;
  const GstStructure *line;
  gint64 occupancy;

  g_object_get (s->element, "stats", &stats, NULL);
  line = gst_value_get_structure (
      gst_value_array_get_value (gst_structure_get_value (stats, "lines"),
          nth));
  assert_equals_uint64 (get_number (line, "to-left"), to_left);
  assert_equals_uint64 (get_number (line, "to-right"), to_right);
  fail_unless (gst_structure_get_int64 (line, "occupancy", &occupancy));
  assert_equals_int64 (occupancy, (gint64) to_right - to_left);
  gst_structure_free (stats);
}

/* --- by hand -------------------------------------------------------------- */

#define LINE "lines=\"<[a,x1=0,y1=100,x2=200,y2=100]>\""
#define BEND "lines=\"<[a,points=<100,0,100,100,200,100>]>\""

static const struct
{
  const gchar *properties, *way;
  gint size;
  const gchar *crossings;
} known[] = {
  {LINE, "90 98 101 99 102 98 103 110 112 115", 40, "R6/8"},
  {BARE LINE, "90 98 101 99 102 98 103 110 112 115", 40,
    "R2/2 L3/3 R4/4 L5/5 R6/6"},
  /* comes and turns around; waits at the line; comes back later */
  {LINE, "90 95 103 106 97 92 88 80 70", 40, ""},
  {LINE, "90 97 100 101 100 101 100 99 95 90 80 70", 40, ""},
  {LINE, "90 110 112 114 116 90 88 86 84", 40, "R1/2 L5/6"},
  /* leaps, as after a merge */
  {LINE, "80 80 130 80 80 80 80", 40, ""},
  {LINE, "80 80 130 130 80 80 80 80", 40, "R2/3 L4/5"},
  /* unseen at the line; lost there */
  {LINE, "80 85 - - - - - - - - - - 120 122", 40, "R12/13"},
  {LINE, "90 95 102 103", 40, ""},
  {LINE, "90 95 110", 40, ""},
  /* the edge of the core touches */
  {LINE, "90 104 104 104 104", 40, ""},
  {LINE, "90 105 105", 40, "R1/2"},
  /* began at the line */
  {LINE, "99 101 104 110 112 114", 40, ""},
  {LINE, "101 104 110 112 114", 40, ""},
  {LINE, "99 101 110 112 101 98 94 90", 40, "L5/7"},
  /* at least 3 pixels */
  {LINE, "95 98 102 103 104 105 106", 10, "R2/5"},
  /* touches the line again without crossing it */
  {LINE, "90 110 103 110 112", 40, "R1/4"},
  /* beside the line, and over its end */
  {LINE, "220,90 220,110 220,120 220,130", 40, ""},
  {LINE, "200,90 200,110 200,120 200,130", 40, "R1/2"},
  /* through a bend, with a stop there, and to it and back */
  {BEND, "70,130 80,120 120,80 130,70 140,60", 20, "L2/3"},
  {BEND, "70,130 80,120 100,100 120,80 130,70 140,60", 20, "L3/4"},
  {BEND, "60,100 80,120 100,100 120,120 140,140", 20, ""},
  /* over both arms at once */
  {BEND, "80,60 90,60 130,130 130,140", 20, ""},
  /* the right of a line is left of it if the line runs the other way */
  {"lines=\"<[a,x1=200,y1=100,x2=0,y2=100]>\"", "90 110 112", 40, "L1/2"},
  /* frames to settle */
  {"settle-frames=1 " LINE, "90 110 112 114", 40, "R1/1"},
  {"settle-frames=4 " LINE, "90 110 112 114", 40, ""},
  {"settle-frames=4 " LINE, "90 110 112 114 116", 40, "R1/4"},
  /* the larger core; that of a line goes first */
  {"line-margin=100 " LINE, "70 120 120 121 121", 40, "R1/4"},
  {"line-margin-min=30 " LINE, "60 130 130 131 131", 40, "R1/4"},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,line-margin=100]>\"",
    "70 120 120 121 121", 40, "R1/4"},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,line-margin-min=30]>\"",
    "60 130 130 131 131", 40, "R1/4"},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,settle-frames=4]>\"",
    "90 110 112 114 116", 40, "R1/4"},
  /* a line that points down */
  {"lines=\"<[a,x1=100,y1=0,x2=100,y2=200]>\"", "90,50 110,50 112,50", 40,
    "L1/2"},
  /* one direction only */
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,direction=right]>\"",
    "90 110 112 90 88", 40, "R1/2"},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,direction=left]>\"",
    "90 110 112 90 88", 40, "L3/4"},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,direction=any]>\"",
    "90 110 112 90 88", 40, "R1/2 L3/4"},
  /* the feet are 20 pixels below the centre, the head above it */
  {"anchor=bottom-center " LINE, "70 90 92", 40, "R1/2"},
  {"anchor=top-center " LINE, "110 130 132", 40, "R1/2"},
  {"anchor=top-center " LINE, "70 90 92", 40, ""},
  {"lines=\"<[a,x1=0,y1=100,x2=200,y2=100,anchor=bottom-center]>\"", "70 90 92",
    40, "R1/2"},
  {"anchor=centroid " LINE, "90 110 112", 40, "R1/2"},
};

TEST_LOOP (test_known, 0, G_N_ELEMENTS (known))
{
  Session s = session_new (known[__i__].properties);

  assert_way (&s, known[__i__].way, known[__i__].size, known[__i__].crossings);
  session_free (&s);
}

/* The box stays where it is, and only the centroid moves. 99.5 is the middle of
 * pixel 99, and on the line. */
TEST (test_centroid)
{
  static const gdouble y[] = {90, 99.49, 99.5, 99.49, 99.5, NAN, -INFINITY,
    INFINITY, 99.25};
  Session s = session_new (BARE "anchor=centroid " LINE);
  gchar *found;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (y); i++) {
    const GstCcaComponent c = {
      .id = 1,
      .x = 90,
      .y = 80,
      .width = 20,
      .height = 20,
      .area = 1,
      .centroid_x = 100,
      .centroid_y = y[i],
    };

    push (&s, &c, 1);
  }
  found = take_crossings (&s);
  assert_equals_string (found, "R2/2 L3/3 R4/4 L5/5 R7/7 L8/8");
  g_free (found);
  session_free (&s);
}

/* Tentative frames arm, but do not step. */
TEST (test_tentative)
{
  Session s = session_new ("min-hits=3 " LINE);

  assert_way (&s, "90 110 112 114 116 90 88", 40, "L5/6");
  session_free (&s);

  s = session_new ("min-hits=3 " LINE);
  assert_way (&s, "90 97 110 112", 40, "R2/3");
  session_free (&s);
}

static GstBuffer *
pull_square (Session *s, gint y, GstCcaShapes *shapes)
{
  const GstCcaComponent c = {.id = 1,
    .x = 80,
    .y = y - 20,
    .width = 40,
    .height = 40,
    .area = 1,
    .track_id = -1};

  return push_and_pull (s, &c, 1, shapes);
}

/* The lines are in the meta, behind the regions of the analyser. All frames
 * share them, and also the counts until these change. */
TEST (test_shapes)
{
  static const gdouble at[] = {0, 0, 9, 0, 9, 9};
  static const gint ways[] = {90, 110, 112, 114};
  Session s = session_new (
      "lines=\"<[a,x1=0,y1=100,x2=200,y2=100],[b,points=<1,2,3,4,5,6>]>\"");
  GstCcaShapes *regions = gst_cca_shapes_new (), *shapes = NULL;
  const gdouble *coordinates;
  guint64 to_left, to_right;
  guint i, n;

  /* a line of another tracker */
  gst_cca_shapes_append (regions, GST_CCA_SHAPE_KIND_LINE, "old", at, 4);
  gst_cca_shapes_append (regions, GST_CCA_SHAPE_KIND_INCLUDE, "in", at, 6);
  gst_cca_shapes_append (regions, GST_CCA_SHAPE_KIND_ZONE, "old", at, 6);
  gst_cca_shapes_append (regions, GST_CCA_SHAPE_KIND_EXCLUDE, "out", at, 6);

  for (i = 0; i < G_N_ELEMENTS (ways); i++) {
    GstBuffer *buffer = pull_square (&s, ways[i], regions);
    const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

    fail_unless (i == 0 || gst_cca_meta_get_shapes (meta) == shapes);
    g_clear_pointer (&shapes, gst_cca_shapes_unref);
    shapes = gst_cca_shapes_ref (gst_cca_meta_get_shapes (meta));
    fail_if (gst_cca_meta_get_line_counts (meta, 1, &to_left, &to_right));
    fail_unless (gst_cca_meta_get_line_counts (meta, 2, &to_left, &to_right));
    assert_equals_uint64 (to_left, 0);
    assert_equals_uint64 (to_right, i < 2 ? 0 : 1);
    fail_unless (gst_cca_meta_get_line_counts (meta, 3, &to_left, &to_right));
    assert_equals_uint64 (to_right, 0);
    gst_buffer_unref (buffer);
  }
  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 4);
  assert_equals_string (gst_cca_shapes_get_name (shapes, 0), "in");
  assert_equals_string (gst_cca_shapes_get_name (shapes, 1), "out");
  assert_equals_string (gst_cca_shapes_get_name (shapes, 3), "b");
  assert_equals_int (gst_cca_shapes_get_kind (shapes, 3),
      GST_CCA_SHAPE_KIND_LINE);
  coordinates = gst_cca_shapes_get_coordinates (shapes, 3, &n);
  assert_equals_int (n, 6);
  for (i = 0; i < n; i++)
    assert_equals_float (coordinates[i], i + 1);

  /* other regions, other lines, none */
  gst_buffer_unref (pull_square (&s, 114, NULL));
  set_lines (&s, "<[c,x1=0,y1=1,x2=2,y2=3]>");
  for (i = 0; i < 3; i++) {
    GstBuffer *buffer = pull_square (&s, 114, i == 1 ? regions : NULL);
    GstCcaShapes *now =
        gst_cca_meta_get_shapes (gst_buffer_get_cca_meta (buffer));

    fail_unless ((now == NULL) == (i == 2));
    if (now != NULL)
      fail_unless (gst_cca_shapes_get_n_shapes (now) == (i == 0 ? 1 : 3));
    gst_buffer_unref (buffer);
    if (i == 1)
      set_lines (&s, "<>");
  }
  gst_cca_shapes_unref (regions);
  gst_cca_shapes_unref (shapes);
  session_free (&s);
}

/* The ids and events of the meta of a buffer, or of a downstream event. */
static gchar *
names_of (const GstStructure *(*nth) (gpointer, guint), gpointer of)
{
  GString *text = g_string_new (NULL);
  const GstStructure *s;
  guint i;

  for (i = 0; (s = nth (of, i)) != NULL; i++) {
    assert_equals_string (gst_structure_get_name (s), "cca-track");
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s",
        text->len > 0 ? ", " : "", get_number (s, "id"),
        gst_structure_get_string (s, "event"));
  }
  return g_string_free (text, FALSE);
}

static const GstStructure *
nth_of_meta (gpointer meta, guint i)
{
  return gst_cca_meta_get_event (meta, i);
}

static const GstStructure *
nth_of_array (gpointer array, guint i)
{
  if (i >= gst_value_array_get_size (array))
    return NULL;
  return gst_value_get_structure (gst_value_array_get_value (array, i));
}

/* The downstream event since the last call, and its fields about the frame. */
static gchar *
take_event (Session *s, GstClockTime time)
{
  gchar *text = g_strdup ("");
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (s->h)) != NULL) {
    const GstStructure *of = gst_event_get_structure (event);

    if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM) {
      assert_equals_string (text, "");
      assert_equals_string (gst_structure_get_name (of), "cca-events");
      assert_equals_uint64 (get_number (of, "timestamp"), time);
      assert_equals_uint64 (get_number (of, "stream-time"), time);
      assert_equals_uint64 (get_number (of, "running-time"), time);
      assert_equals_uint64 (get_number (of, "duration"), FRAME);
      g_free (text);
      text = names_of (nth_of_array,
          (gpointer) gst_structure_get_value (of, "events"));
    }
    gst_event_unref (event);
  }
  return text;
}

static void
assert_events (Session *s, const GstCcaComponent *components, guint n,
    const gchar *events)
{
  const GstClockTime time = s->n_frames * FRAME;
  GstBuffer *buffer = push_and_pull (s, components, n, NULL);
  gchar *of_meta = names_of (nth_of_meta, gst_buffer_get_cca_meta (buffer));
  gchar *of_event = take_event (s, time);

  assert_equals_string (of_meta, events);
  assert_equals_string (of_event, events);
  g_free (of_meta);
  g_free (of_event);
  gst_buffer_unref (buffer);
}

/* Every message is in the meta of its frame and in an event before it. */
TEST (test_events)
{
  Session s = session_new ("max-lost=0 " LINE);
  GstCcaComponent two[] =
      {{.id = 1, .x = 80, .y = 70, .width = 40, .height = 40, .area = 1},
        {.id = 2, .x = 500, .y = 500, .width = 40, .height = 40, .area = 1}};
  GstBuffer *buffer;
  gchar *text;

  assert_events (&s, two, 2, "1 confirmed, 2 confirmed");
  two[0].y = 90;
  assert_events (&s, two, 2, "");
  two[0].y = 92;
  assert_events (&s, two, 1, "2 lost, 1 crossed");
  assert_events (&s, two, 1, "");

  /* not one that an application posts in its name */
  gst_element_post_message (s.element,
      gst_message_new_element (GST_OBJECT (s.element),
          gst_structure_new_empty ("cca-track")));
  assert_events (&s, two, 1, "");

  /* with the path in the message, which the meta does not have */
  buffer = push_and_pull (&s, NULL, 0, NULL);
  fail_if (
      gst_structure_has_field (gst_cca_meta_get_event (gst_buffer_get_cca_meta (
                                                           buffer),
                                   0),
          "path"));
  fail_unless (
      gst_structure_has_field (gst_cca_meta_get_event (gst_buffer_get_cca_meta (
                                                           buffer),
                                   0),
          "last-box"));
  gst_buffer_unref (buffer);
  g_free (take_event (&s, (s.n_frames - 1) * FRAME));

  /* the end of the stream ends the tracks, but is in no buffer */
  assert_events (&s, two, 1, "3 confirmed");
  gst_harness_push_event (s.h, gst_event_new_eos ());
  text = take_event (&s, (s.n_frames - 1) * FRAME);
  assert_equals_string (text, "3 lost");
  g_free (text);
  session_free (&s);
}

/* A flush has no events, because downstream is flushed, too. The next frame does
 * not have them either. */
TEST (test_flushed_events)
{
  Session s = session_new (LINE);
  const GstCcaComponent c = {.id = 1, .width = 40, .height = 40, .area = 1};
  GstSegment segment;

  assert_events (&s, &c, 1, "1 confirmed");
  gst_harness_push_event (s.h, gst_event_new_flush_start ());
  gst_harness_push_event (s.h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (s.h, gst_event_new_segment (&segment));
  assert_events (&s, &c, 1, "2 confirmed");
  session_free (&s);
}

/* The meta has as many as it can, and the event has all. */
TEST (test_many_events)
{
  const guint n = GST_CCA_META_MAX_EVENTS + 3;
  GstCcaComponent *components = g_new0 (GstCcaComponent, n);
  Session s = session_new ("meta-types=cca " LINE);
  GstEvent *event = NULL;
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < n; i++)
    components[i] = (GstCcaComponent) {.id = i + 1,
      .x = i % 30 * 30,
      .y = i / 30 * 30,
      .width = 9,
      .height = 9,
      .area = 1};
  buffer = push_and_pull (&s, components, n, NULL);
  assert_equals_int (gst_cca_meta_get_n_events (
                         gst_buffer_get_cca_meta (buffer)),
      GST_CCA_META_MAX_EVENTS);
  while (
      event == NULL || GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_DOWNSTREAM) {
    gst_clear_event (&event);
    event = gst_harness_pull_event (s.h);
  }
  assert_equals_int (gst_value_array_get_size (
                         gst_structure_get_value (gst_event_get_structure (
                                                      event),
                             "events")),
      n);
  gst_event_unref (event);
  gst_buffer_unref (buffer);
  g_free (components);
  session_free (&s);
}

/* A state is not left to the next track of the same place. */
TEST (test_other_track)
{
  Session s = session_new ("max-lost=0 " LINE);

  assert_way (&s, "90 110 - 112 114 116 - 99 110 112 - 90 110 112", 40,
      "R12/13");
  session_free (&s);
}

/* --- settings ------------------------------------------------------------- */

/* A pending crossing settles by the rule of the frame. */
TEST (test_live)
{
  Session s = session_new ("settle-frames=1000 " LINE);

  assert_way (&s, "90 110 112 114", 40, "");
  g_object_set (s.element, "settle-frames", 5, NULL);
  assert_way (&s, "116 118", 40, "R1/5");
  g_object_set (s.element, "line-margin", 200, NULL);
  assert_way (&s, "120 90 90 90", 40, "");
  g_object_set (s.element, "line-margin", 0, "settle-frames", 1, NULL);
  assert_way (&s, "90", 40, "L7/10");
  session_free (&s);
}

/* As many frames as are possible, and more. */
TEST (test_settle_long)
{
  Session s = session_new ("settle-frames=1000 " LINE);
  guint i;

  push_square (&s, 100, 90, 40);
  for (i = 0; i < 999; i++)
    push_square (&s, 100, 110, 40);
  assert_way (&s, "110", 40, "R1/1000");
  assert_way (&s, "110 110", 40, "");
  session_free (&s);
}

/* Between the two anchors there is no way. The count that is pending stays. */
TEST (test_other_anchor)
{
  Session s = session_new (LINE);

  assert_way (&s, "90 90", 40, "");
  gst_util_set_object_arg (G_OBJECT (s.element), "anchor", "bottom-center");
  assert_way (&s, "90 90 90", 40, "");
  assert_way (&s, "110 70 70 70", 40, "L6/7");
  gst_util_set_object_arg (G_OBJECT (s.element), "anchor", "center");
  assert_way (&s, "70 110", 40, "");
  gst_util_set_object_arg (G_OBJECT (s.element), "anchor", "top-center");
  assert_way (&s, "130 132", 40, "R10/11");
  session_free (&s);
}

/* The same if other lines come with the anchor. */
TEST (test_other_anchor_and_lines)
{
  Session s = session_new (LINE);

  assert_way (&s, "70 70", 40, "");
  gst_util_set_object_arg (G_OBJECT (s.element), "anchor", "bottom-center");
  set_lines (&s,
      "<[new,x1=0,y1=300,x2=200,y2=300],[a,x1=0,y1=100,x2=200,y2=100]>");
  assert_way (&s, "90 92 94", 40, "");
  session_free (&s);
}

/* A line keeps state and counts if its name and points stay, also at another
 * place of the array and in another notation. */
TEST (test_lines_again)
{
  Session s = session_new (LINE);

  assert_way (&s, "90 110 112 90", 40, "R1/2");
  set_lines (&s,
      "<[new,x1=0,y1=300,x2=200,y2=300],"
      "[a,points=<0,100,200,100>,settle-frames=3]>");
  expect_counts (&s, 1, 0, 1);
  assert_way (&s, "88 86", 40, "L3/5");
  expect_counts (&s, 0, 0, 0);
  expect_counts (&s, 1, 1, 1);

  /* with another name or other points the line restarts, and is not armed */
  set_lines (&s, "<[b,x1=0,y1=100,x2=200,y2=100]>");
  expect_counts (&s, 0, 0, 0);
  assert_way (&s, "110 112", 40, "");
  assert_way (&s, "90 88", 40, "L8/9");
  set_lines (&s, "<[b,x1=0,y1=100,x2=201,y2=100]>");
  expect_counts (&s, 0, 0, 0);
  assert_way (&s, "110 112", 40, "");
  set_lines (&s, "<[b,points=<0,100,100,100,201,100>]>");
  expect_counts (&s, 0, 0, 0);
  set_lines (&s, "<>");
  assert_way (&s, "90 88", 40, "");
  set_lines (&s, "<[b,x1=0,y1=100,x2=201,y2=100]>");
  assert_way (&s, "88 110 112", 40, "R15/16");
  session_free (&s);
}

TEST (test_reset_counts)
{
  Session s = session_new ("lines=\"<[a,x1=0,y1=100,x2=200,y2=100],"
                           "[b,x1=0,y1=200,x2=200,y2=200]>\"");
  gboolean found;

  assert_way (&s, "90 110 112 210", 40, "R1/2");
  g_signal_emit_by_name (s.element, "reset-counts", "c", &found);
  fail_unless (!found);
  expect_counts (&s, 0, 0, 1);
  g_signal_emit_by_name (s.element, "reset-counts", "a", &found);
  fail_unless (found);
  expect_counts (&s, 0, 0, 0);
  /* pending crossings still count */
  assert_way (&s, "212 90 88", 40, "R3/4 L5/6 L5/6");
  expect_counts (&s, 0, 1, 0);
  expect_counts (&s, 1, 1, 1);
  g_signal_emit_by_name (s.element, "reset-counts", "", &found);
  fail_unless (found);
  expect_counts (&s, 0, 0, 0);
  expect_counts (&s, 1, 0, 0);
  assert_way (&s, "110 112", 40, "R7/8");
  g_signal_emit_by_name (s.element, "reset-counts", NULL, &found);
  fail_unless (found);
  expect_counts (&s, 0, 0, 0);
  /* all of none */
  set_lines (&s, "<>");
  g_signal_emit_by_name (s.element, "reset-counts", NULL, &found);
  fail_unless (found);
  g_signal_emit_by_name (s.element, "reset-counts", "a", &found);
  fail_unless (!found);
  session_free (&s);
}

/* Times and warm-up are those of the step, boxes those of the message. */
TEST (test_message)
{
  Session s = session_new (LINE);
  gboolean warming_up;
  guint i;

  walk (&s, "90 110 112 90 88", 40);
  gst_message_unref (gst_bus_pop_filtered (s.bus, GST_MESSAGE_ELEMENT));
  for (i = 0; i < 2; i++) {
    GstMessage *message = gst_bus_pop_filtered (s.bus, GST_MESSAGE_ELEMENT);
    const GstStructure *m = gst_message_get_structure (message);
    const guint64 when = (i == 0 ? 1 : 3) * FRAME;

    assert_equals_string (gst_structure_get_string (m, "line"), "a");
    assert_equals_uint64 (get_number (m, "timestamp"), when);
    assert_equals_uint64 (get_number (m, "stream-time"), when);
    assert_equals_uint64 (get_number (m, "running-time"), when);
    assert_equals_uint64 (get_number (m, "duration"), FRAME);
    assert_equals_uint64 (get_number (m, "settled"), when + FRAME);
    assert_equals_uint64 (get_number (m, "last-seen"), when + FRAME);
    assert_equals_uint64 (get_number (m, "frames-seen"), i == 0 ? 3 : 5);
    assert_equals_uint64 (get_number (m, "to-right"), 1);
    assert_equals_uint64 (get_number (m, "to-left"), i);
    fail_unless (gst_structure_get_boolean (m, "warming-up", &warming_up));
    fail_unless (warming_up == (i == 0));
    gst_message_unref (message);
  }
  session_free (&s);
}

/* --- bad lines ------------------------------------------------------------ */

/* A list of n_lines lines, each with n_points points. */
static gchar *
many (guint n_lines, guint n_points)
{
  GString *text = g_string_new ("<");
  guint i, j;

  for (i = 0; i < n_lines; i++) {
    g_string_append_printf (text, "%s[l%u,points=<", i > 0 ? "," : "", i);
    for (j = 0; j < n_points; j++)
      g_string_append_printf (text, "%s%u,%u", j > 0 ? "," : "", j, i);
    g_string_append (text, ">]");
  }
  return g_string_free (g_string_append (text, ">"), FALSE);
}

/* The last error or warning; NULL: none. */
static gchar *
take_sentence (Session *s)
{
  GstMessage *message = gst_bus_pop_filtered (s->bus, GST_MESSAGE_WARNING);
  GError *error = NULL;
  gchar *sentence;

  if (message == NULL)
    return NULL;
  gst_message_parse_warning (message, &error, NULL);
  sentence = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return sentence;
}

static const struct
{
  const gchar *fields, *fault;
} bad[] = {
  {"points=<1,2,3,4>,x1=1,y1=2,x2=3,y2=4", "has points and x1, y1, x2 or y2"},
  {"points=<1,2,3,4>,y1=2", "has points and x1, y1, x2 or y2"},
  {"points=<1,2,3,4>,x2=3", "has points and x1, y1, x2 or y2"},
  {"points=<1,2,3,4>,y2=4", "has points and x1, y1, x2 or y2"},
  {"points=<1,2,3>", "needs 2 to 256 points: x1, y1, x2, y2 and so on"},
  {"points=<1,2>", "needs 2 to 256 points: x1, y1, x2, y2 and so on"},
  {"points=7", "needs 2 to 256 points: x1, y1, x2, y2 and so on"},
  {"points=<1,2,3.5,4>", "has a point that is not of integers"},
  {"points=<1,2,3,true>", "has a point that is not of integers"},
  {"points=<1,2,3,4,3,4,5,6>", "has the same point twice in a row"},
  {"line-margin=201", "needs an integer line-margin from 0 to 200"},
  {"line-margin=-1", "needs an integer line-margin from 0 to 200"},
  {"line-margin=2.5", "needs an integer line-margin from 0 to 200"},
  {"line-margin-min=-1", "needs an integer line-margin-min from 0 to 1000"},
  {"line-margin-min=1001", "needs an integer line-margin-min from 0 to 1000"},
  {"settle-frames=0", "needs an integer settle-frames from 1 to 1000"},
  {"settle-frames=1001", "needs an integer settle-frames from 1 to 1000"},
  {"anchor=feet",
    "needs an anchor of center, bottom-center, top-center or centroid"},
  {"anchor=1",
    "needs an anchor of center, bottom-center, top-center or centroid"},
  {"direction=up", "needs a direction of any, left or right"},
  {"direction=1", "needs a direction of any, left or right"},
  {"settle-frame=1", "has an unknown field"},
};

TEST_LOOP (test_bad, 0, G_N_ELEMENTS (bad))
{
  Session s = session_new (LINE);
  const gboolean has_points = g_str_has_prefix (bad[__i__].fields, "points");
  gchar *lines = g_strdup_printf ("<[a,%s%s]>",
      has_points ? "" : "x1=1,y1=2,x2=3,y2=4,", bad[__i__].fields);
  gchar *sentence;

  set_lines (&s, lines);
  sentence = take_sentence (&s);
  fail_unless (sentence != NULL
          && g_str_has_prefix (sentence, "The property lines keeps its value")
          && strstr (sentence, bad[__i__].fault) != NULL,
      "%s: %s", lines, sentence);
  g_free (sentence);
  g_free (lines);
  assert_way (&s, "90 110 112", 40, "R1/2");
  session_free (&s);
}

/* As many lines and points as are possible, and one more. */
TEST (test_bounds)
{
  static const guint n[][2] = {{64, 2}, {65, 2}, {1, 256}, {1, 257}};
  Session s = session_new ("");
  GValue array = G_VALUE_INIT;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (n); i++) {
    gchar *lines = many (n[i][0], n[i][1]), *sentence;

    set_lines (&s, lines);
    sentence = take_sentence (&s);
    fail_unless ((sentence != NULL) == (i % 2 == 1), "%s", sentence);
    if (i == 1)
      assert_equals_string (sentence,
          "The property lines keeps its value: there are 65 lines, but at most "
          "64 are possible.");
    g_value_init (&array, GST_TYPE_ARRAY);
    g_object_get_property (G_OBJECT (s.element), "lines", &array);
    assert_equals_int (gst_value_array_get_size (&array), n[i / 2 * 2][0]);
    g_value_unset (&array);
    g_free (sentence);
    g_free (lines);
    walk (&s, "90 110", 40);
  }
  session_free (&s);
}

/* --- zones ---------------------------------------------------------------- */

/* Right of 100, below 110. */
#define AREA "points=<100,110,300,110,300,500,100,500>"
#define ZONE(fields) "zones=\"<[a," AREA fields "]>\""

static void
set_zones (Session *s, const gchar *zones)
{
  gchar *text = g_strdup (zones);

  gst_util_set_object_arg (G_OBJECT (s->element), "zones", text);
  g_free (text);
}

/* The events of zones since the last call: each with the frame in which it
 * happened, the one in which it was reported, and its other fields. */
static gchar *
take_stays (Session *s)
{
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while (
      (message = gst_bus_pop_filtered (s->bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *m = gst_message_get_structure (message);

    if (gst_structure_has_name (m, "cca-zone")) {
      g_string_append_printf (text, "%s%s %u/%u", text->len > 0 ? ", " : "",
          gst_structure_get_string (m, "event"),
          (guint) (get_number (m, "running-time") / FRAME),
          (guint) (get_number (m, "settled") / FRAME));
      if (gst_structure_has_field (m, "since"))
        g_string_append_printf (text, " since %u",
            (guint) (get_number (m, "since") / FRAME));
      if (gst_structure_has_field (m, "dwell"))
        g_string_append_printf (text, " dwell %u %s",
            (guint) (get_number (m, "dwell") / FRAME),
            gst_structure_get_string (m, "reason"));
      if (!gst_structure_has_field (m, "id"))
        g_string_append_printf (text, " of %u",
            (guint) get_number (m, "count"));
    }
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}

static void
expect_stays (Session *s, const gchar *stays)
{
  gchar *found = take_stays (s);

  assert_equals_string (found, stays);
  g_free (found);
}

#define STOPS "max-lost=1 still-frames=2 max-stopped=3 "

/* Boxes of 20 pixels, with their centres; the feet are 10 below. */
static const struct
{
  const gchar *properties, *way, *stays;
} stays[] = {
  {ZONE (""), "99,109 101,109 101,109 101,109",
    "entered 1/3, occupancy 3/3 of 1"},
  {ZONE (",enter-frames=1,leave-frames=2"), "110,109 90,109 90,109 90,109",
    "entered 0/0, occupancy 0/0 of 1, left 1/2 since 0 dwell 1 moved, "
    "occupancy 2/2 of 0"},
  {ZONE (",enter-frames=1,leave-frames=3"),
    "110,109 90,109 90,109 110,109 90,109 90,109",
    "entered 0/0, occupancy 0/0 of 1"},
  /* lost, as of the first frame without it, or the first one outside */
  {"max-lost=2 " ZONE (",enter-frames=1"), "110,109 110,109 - - -",
    "entered 0/0, occupancy 0/0 of 1, left 2/4 since 0 dwell 2 lost, "
    "occupancy 4/4 of 0"},
  {"max-lost=2 " ZONE (",enter-frames=1"), "110,109 90,109 90,109 - - -",
    "entered 0/0, occupancy 0/0 of 1, left 1/5 since 0 dwell 1 lost, "
    "occupancy 5/5 of 0"},
  {"max-lost=0 " ZONE (",enter-frames=1"), "110,109 -",
    "entered 0/0, occupancy 0/0 of 1, left 1/1 since 0 dwell 1 lost, "
    "occupancy 1/1 of 0"},
  {"max-lost=9 " ZONE (",enter-frames=1"), "110,109 - - 110,109 90,109 -",
    "entered 0/0, occupancy 0/0 of 1"},
  {ZONE (",enter-frames=1,loiter-time=80000000"),
    "110,109 110,109 110,109 110,109",
    "entered 0/0, occupancy 0/0 of 1, loitering 2/2 since 0"},
  {ZONE (",enter-frames=1,leave-frames=1,loiter-time=(guint64)40000000"),
    "110,109 110,109 90,109 110,109 110,109",
    "entered 0/0, occupancy 0/0 of 1, loitering 1/1 since 0, "
    "left 2/2 since 0 dwell 2 moved, occupancy 2/2 of 0, entered 3/3, "
    "occupancy 3/3 of 1, loitering 4/4 since 3"},
  {ZONE (",enter-frames=1,loiter-time=10000000000"), "110,109 110,109",
    "entered 0/0, occupancy 0/0 of 1"},
  {ZONE (",enter-frames=1,leave-frames=1,crowd=1,crowd-time=80000000"),
    "110,109 110,109 90,109 110,109 110,109 110,109 110,109 90,109",
    "entered 0/0, occupancy 0/0 of 1, left 2/2 since 0 dwell 2 moved, "
    "occupancy 2/2 of 0, entered 3/3, occupancy 3/3 of 1, "
    "crowded 5/5 since 3 of 1, left 7/7 since 3 dwell 4 moved, "
    "occupancy 7/7 of 0, uncrowded 7/7 of 0"},
  {ZONE (",enter-frames=1,loiter-time=80000000"),
    "110,109 110,109 90,109 110,109",
    "entered 0/0, occupancy 0/0 of 1, loitering 3/3 since 0"},
  /* another track in the same slot */
  {"max-lost=0 " ZONE (",enter-frames=2"), "110,109 - 110,109 110,109",
    "entered 2/3, occupancy 3/3 of 1"},
  {ZONE (",enter-frames=1,anchor=center"), "110,109 110,109", ""},
  {ZONE (",enter-frames=1,anchor=top-center"), "110,119 110,120",
    "entered 1/1, occupancy 1/1 of 1"},
  {"min-hits=3 " ZONE (",enter-frames=1"), "110,109 110,109 110,109",
    "entered 2/2, occupancy 2/2 of 1"},
  /* absorbed where it stopped: it loiters unseen, and leaves when it ends */
  {STOPS ZONE (",enter-frames=1,loiter-time=200000000"),
    "90,109 120,109 120,109 120,109 - - - - -",
    "entered 1/1, occupancy 1/1 of 1, loitering 6/6 since 1, "
    "left 8/8 since 1 dwell 7 lost, occupancy 8/8 of 0"},
  {STOPS ZONE (",enter-frames=1"), "90,109 120,109 120,109 120,109 - - 130,109",
    "entered 1/1, occupancy 1/1 of 1, left 6/6 since 1 dwell 5 moved, "
    "entered 6/6"},
  {STOPS ZONE (",enter-frames=1,anchor=centroid"),
    "90,109 120,130 120,130 120,130 - - - - -",
    "entered 1/1, occupancy 1/1 of 1, "
    "left 8/8 since 1 dwell 7 lost, occupancy 8/8 of 0"},
  /* its place is the box in which it came to rest */
  {STOPS ZONE (",enter-frames=1,leave-frames=1"),
    "80,109 100,109 99,109 99,109 - -",
    "entered 1/1, occupancy 1/1 of 1, left 2/2 since 1 dwell 1 moved, "
    "occupancy 2/2 of 0, entered 5/5, occupancy 5/5 of 1"},
};

TEST_LOOP (test_stays, 0, G_N_ELEMENTS (stays))
{
  Session s = session_new (stays[__i__].properties);

  walk (&s, stays[__i__].way, 20);
  expect_stays (&s, stays[__i__].stays);
  session_free (&s);
}

static void
expect_zone (Session *s, const gchar *expected)
{
  static const gchar *const fields[] = {"inside", "entered", "left", "dwell",
    "max-dwell"};
  GString *text = g_string_new (NULL);
  GstStructure *stats;
  const GstStructure *zone;
  guint i;

  g_object_get (s->element, "stats", &stats, NULL);
  zone = gst_value_get_structure (
      gst_value_array_get_value (gst_structure_get_value (stats, "zones"), 0));
  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "",
        (guint) (get_number (zone, fields[i]) / (i > 2 ? FRAME : 1)));
  assert_equals_string (text->str, expected);
  g_string_free (text, TRUE);
  gst_structure_free (stats);
}

/* The longest stay is not the last one. */
TEST (test_longest_stay)
{
  Session s = session_new (ZONE (",enter-frames=1,leave-frames=1"));

  walk (&s, "110,109 110,109 110,109 90,109 110,109 90,109", 20);
  expect_zone (&s, "0 2 2 4 3");
  session_free (&s);
}

/* --- objects that stop ---------------------------------------------------- */

/* The messages about stops since the last call: each with the id, the frame, and
 * the frame since which the object rests, why it was lost or whom it follows. */
static gchar *
take_stops (Session *s)
{
  GString *text = g_string_new (NULL);
  GstMessage *message;

  while (
      (message = gst_bus_pop_filtered (s->bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *m = gst_message_get_structure (message);

    if (gst_structure_has_name (m, "cca-track")) {
      g_string_append_printf (text, "%s%s %u at %u", text->len > 0 ? ", " : "",
          gst_structure_get_string (m, "event"), (guint) get_number (m, "id"),
          (guint) (get_number (m, "running-time") / FRAME));
      if (gst_structure_has_field (m, "since"))
        g_string_append_printf (text, " since %u",
            (guint) (get_number (m, "since") / FRAME));
      if (gst_structure_has_field (m, "after"))
        g_string_append_printf (text, " after %u",
            (guint) get_number (m, "after"));
      if (gst_structure_has_field (m, "reason"))
        g_string_append_printf (text, " %s",
            gst_structure_get_string (m, "reason"));
    }
    gst_message_unref (message);
  }
  return g_string_free (text, FALSE);
}

#define STOPPED "confirmed 1 at 0, stopped 1 at 3 since 1"
#define REPLACED \
  ", moved 1 at 6 since 1, lost 1 at 6 replaced, confirmed 2 at 6"

/* Boxes of 20 pixels, with their centres. */
static const struct
{
  const gchar *properties, *way, *stops;
} stops[] = {
  {STOPS, "80 100 100 100", STOPPED},
  {STOPS, "80 100 102 98", STOPPED},
  {STOPS, "80 100 103 103", "confirmed 1 at 0"},
  {STOPS, "80 100 97 97", "confirmed 1 at 0"},
  {STOPS, "80 100 - 100", STOPPED},
  {STOPS, "80 100 100 100 102 103 103 103",
    STOPPED ", moved 1 at 5 since 1, stopped 1 at 7 since 5"},
  {STOPS, "80,80 80,100 80,100 80,100", STOPPED},
  {STOPS, "80,80 100,80 100,80 100,80", STOPPED},
  {"min-hits=5 " STOPS, "80 100 100 100 100",
    "confirmed 1 at 4, stopped 1 at 4 since 1"},
  /* it did not come from elsewhere */
  {STOPS, "81 100 100 100", "confirmed 1 at 0"},
  {STOPS, "100 100 100 100", "confirmed 1 at 0"},
  /* absorbed for three frames after max-lost */
  {STOPS, "80 100 100 100 - - - -", STOPPED},
  {STOPS, "80 100 100 100 - - - - -", STOPPED ", lost 1 at 8 unseen"},
  {"max-lost=1 still-frames=2", "80 100 100 100 - -",
    STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "80 100 100 - -", "confirmed 1 at 0, lost 1 at 4 unseen"},
  /* at the edges of the picture */
  {STOPS, "80,30 80,10 80,10 80,10 - -", STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "30,80 10,80 10,80 10,80 - -", STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "80,970 80,990 80,990 80,990 - -", STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "970,80 990,80 990,80 990,80 - -", STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "970,80 989,80 989,80 989,80 - -",
    "confirmed 1 at 0, lost 1 at 5 unseen"},
  {STOPS, "969,80 989,80 989,80 989,80 - -", STOPPED},
  {STOPS, "80,31 80,11 80,11 80,10 - -", STOPPED ", lost 1 at 5 unseen"},
  {STOPS, "80,30 80,10 80,10 80,11 - -", STOPPED ", lost 1 at 5 unseen"},
  /* another one begins there, or passes */
  {STOPS, "80 100 100 100 - - 120", STOPPED REPLACED " after 1"},
  {STOPS, "80 100 100 100 - - 120,100", STOPPED REPLACED " after 1"},
  {STOPS, "80 100 100 100 - - 80,100", STOPPED REPLACED " after 1"},
  {STOPS, "80 100 100 100 - - 80", STOPPED REPLACED " after 1"},
  {STOPS, "80 100 100 100 - - 121,100 100,100", STOPPED ", confirmed 2 at 6"},
  {STOPS, "80 100 100 100 - - 121 100", STOPPED ", confirmed 2 at 6"},
  {"max-tracks=1 " STOPS, "80 100 100 100 - - 300",
    STOPPED ", lost 1 at 6 unseen, confirmed 2 at 6"},
};

TEST_LOOP (test_stops, 0, G_N_ELEMENTS (stops))
{
  Session s = session_new (stops[__i__].properties);
  gchar *found;

  walk (&s, stops[__i__].way, 20);
  found = take_stops (&s);
  assert_equals_string (found, stops[__i__].stops);
  g_free (found);
  session_free (&s);
}

static void
expect_stopped (Session *s, guint expected)
{
  GstStructure *stats;
  guint stopped;

  g_object_get (s->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint (stats, "stopped", &stopped));
  assert_equals_int (stopped, expected);
  gst_structure_free (stats);
}

/* Without max-stopped, absorbed objects end in the next frame. */
TEST (test_stops_live)
{
  Session s = session_new ("max-lost=1 still-frames=2 max-stopped=100");
  gchar *found;

  walk (&s, "80 100 100", 20);
  expect_stopped (&s, 0);
  walk (&s, "100", 20);
  expect_stopped (&s, 1);
  walk (&s, "- - -", 20);
  g_object_set (s.element, "max-lost", 50, NULL);
  walk (&s, "100,102", 20);
  expect_stopped (&s, 0);
  found = take_stops (&s);
  assert_equals_string (found,
      STOPPED
      ", moved 1 at 7 since 1, lost 1 at 7 replaced, confirmed 2 at 7 after 1");
  g_free (found);

  walk (&s, "140,102 140,102 140,102", 20);
  g_object_set (s.element, "max-lost", 1, NULL);
  walk (&s, "- - -", 20);
  expect_stopped (&s, 1);
  g_object_set (s.element, "max-stopped", 0, NULL);
  walk (&s, "-", 20);
  expect_stopped (&s, 0);
  found = take_stops (&s);
  assert_equals_string (found, "stopped 2 at 10 since 8, lost 2 at 14 unseen");
  g_free (found);
  session_free (&s);
}

/* A track that begins beside an absorbed one may get its id on it. */
TEST (test_stops_passed)
{
  Session s = session_new ("max-lost=1 still-frames=2 max-stopped=9");
  gchar *found;

  walk (&s, "80 100 100 100 - -", 20);
  g_object_set (s.element, "min-hits", 2, NULL);
  walk (&s, "121 110", 20);
  found = take_stops (&s);
  assert_equals_string (found, STOPPED ", confirmed 2 at 7");
  g_free (found);
  session_free (&s);
}

/* Elsewhere is as far as the box at rest is wide, between the centres. */
TEST (test_stops_larger)
{
  Session s = session_new (STOPS);
  gchar *found;
  guint i;

  push_square (&s, 100, 100, 20);
  for (i = 0; i < 3; i++)
    push_square (&s, 65, 100, 40);
  found = take_stops (&s);
  assert_equals_string (found, "confirmed 1 at 0");
  g_free (found);
  session_free (&s);
}

/* Two objects that stopped side by side are both replaced by a new one between
 * them, which follows the one that began first. */
TEST (test_stops_of_two)
{
  static const gint rows[] = {20, 50, 50};
  Session s = session_new ("max-lost=0 still-frames=1 max-stopped=9");
  GstCcaComponent two[2] = {
    {.id = 1, .x = 130, .width = 20, .height = 20, .track_id = -1},
    {.id = 2, .x = 170, .width = 20, .height = 20, .track_id = -1},
  };
  gchar *found;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++) {
    two[0].y = two[1].y = rows[i];
    push (&s, two, 2);
  }
  push (&s, NULL, 0);
  expect_stopped (&s, 2);
  two[0].x = 150;
  push (&s, two, 1);
  found = take_stops (&s);
  assert_equals_string (found,
      "confirmed 1 at 0, confirmed 2 at 0, stopped 1 at 2 since 1, "
      "stopped 2 at 2 since 1, moved 1 at 4 since 1, lost 1 at 4 replaced, "
      "moved 2 at 4 since 1, lost 2 at 4 replaced, confirmed 3 at 4 after 1");
  g_free (found);
  session_free (&s);
}

/* On each side of an absorbed object, one that begins as far away as its box
 * reaches replaces it, and one a pixel further does not. The first component is
 * an object that is not new. */
TEST (test_stops_beside)
{
  static const gint sides[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  guint i;

  for (i = 0; i < 2 * G_N_ELEMENTS (sides); i++) {
    const gint *side = sides[i / 2], distance = 20 + (gint) i % 2;
    Session s = session_new ("max-lost=1 still-frames=2 max-stopped=9");
    GstCcaComponent two[2] = {
      {.id = 1, .x = 500, .y = 500, .width = 20, .height = 20, .track_id = -1},
      {.id = 2, .width = 20, .height = 20, .track_id = -1},
    };
    gchar *found;

    walk (&s, "80 100 100 100 - -", 20);
    push (&s, two, 1);
    two[1].x = 90 + side[0] * distance;
    two[1].y = 90 + side[1] * distance;
    push (&s, two, 2);
    found = take_stops (&s);
    assert_equals_string (found,
        i % 2 == 0 ? STOPPED ", confirmed 2 at 6, moved 1 at 7 since 1, "
                             "lost 1 at 7 replaced, confirmed 3 at 7 after 1"
                   : STOPPED ", confirmed 2 at 6, confirmed 3 at 7");
    g_free (found);
    session_free (&s);
  }
}

/* All that is in the messages of a stay. */
TEST (test_stay_messages)
{
  static const gchar *const events[] = {"entered", "left"};
  Session s = session_new (ZONE (",enter-frames=1,leave-frames=2"));
  guint i;

  walk (&s, "90,109 110,109 110,109 90,109 90,109", 20);
  for (i = 0; i < 2; i++) {
    const GstStructure *m;
    GstStructure *first_box, *last_box;
    GstMessage *message;
    gboolean warming_up;
    guint x;

    do {
      message = gst_bus_pop_filtered (s.bus, GST_MESSAGE_ELEMENT);
      m = gst_message_get_structure (message);
      fail_unless (m != NULL);
      if (g_str_equal (gst_structure_get_string (m, "event"), events[i]))
        break;
      gst_message_unref (message);
    } while (TRUE);
    assert_equals_string (gst_structure_get_string (m, "zone"), "a");
    assert_equals_uint64 (get_number (m, "id"), 1);
    assert_equals_uint64 (get_number (m, "count"), 1 - i);
    assert_equals_uint64 (get_number (m, "timestamp"), (1 + 2 * i) * FRAME);
    assert_equals_uint64 (get_number (m, "stream-time"), (1 + 2 * i) * FRAME);
    assert_equals_uint64 (get_number (m, "duration"), FRAME);
    assert_equals_uint64 (get_number (m, "frames-seen"), i == 0 ? 2 : 5);
    assert_equals_uint64 (get_number (m, "first-seen"), 0);
    assert_equals_uint64 (get_number (m, "last-seen"), (1 + 3 * i) * FRAME);
    fail_unless (gst_structure_get (m, "first-box", GST_TYPE_STRUCTURE,
        &first_box, "last-box", GST_TYPE_STRUCTURE, &last_box, "warming-up",
        G_TYPE_BOOLEAN, &warming_up, NULL));
    fail_unless (warming_up == (i == 0));
    fail_unless (gst_structure_get_uint (first_box, "x", &x) && x == 80);
    fail_unless (
        gst_structure_get_uint (last_box, "x", &x) && x == (i == 0 ? 100 : 80));
    gst_structure_free (first_box);
    gst_structure_free (last_box);
    gst_message_unref (message);
  }
  session_free (&s);
}

/* Zones keep who is in them and their counts if name and points stay. */
TEST (test_zones_again)
{
  Session s = session_new (ZONE (",enter-frames=1,leave-frames=1"));
  gboolean found;

  walk (&s, "90,109 110,109 110,109 90,109 110,109", 20);
  expect_zone (&s, "1 2 1 2 2");
  g_free (take_stays (&s));
  set_zones (&s, "<[b,points=<0,0,9,0,9,9>],[a," AREA ",crowd=1]>");
  walk (&s, "110,109", 20);
  expect_stays (&s, "crowded 5/5 since 5 of 1");
  set_zones (&s, "<[a," AREA "]>");
  walk (&s, "110,109", 20);
  expect_stays (&s, "uncrowded 6/6 of 1");
  expect_zone (&s, "1 2 1 2 2");

  g_signal_emit_by_name (s.element, "reset-counts", "b", &found);
  fail_unless (!found);
  expect_zone (&s, "1 2 1 2 2");
  g_signal_emit_by_name (s.element, "reset-counts", "a", &found);
  fail_unless (found);
  expect_zone (&s, "1 0 0 0 0");
  g_signal_emit_by_name (s.element, "reset-counts", "", &found);
  fail_unless (found);

  /* it was outside in the frame before the change */
  set_zones (&s, "<[a," AREA ",enter-frames=1,crowd=1]>");
  walk (&s, "90,109", 20);
  expect_stays (&s, "crowded 7/7 since 7 of 1");
  set_zones (&s, "<[a,points=<0,0,9,0,9,9>]>");
  walk (&s, "110,109", 20);
  expect_stays (&s,
      "left 7/8 since 4 dwell 3 changed, occupancy 8/8 of 0, "
      "uncrowded 8/8 of 0");
  expect_zone (&s, "0 0 0 0 0");
  session_free (&s);
}

/* The states of all objects remain if zones are added before a zone. */
TEST (test_zones_again_of_two)
{
  Session s = session_new (ZONE (",enter-frames=1"));
  const GstCcaComponent two[] = {
    {.id = 1, .x = 10, .y = 10, .width = 20, .height = 20, .track_id = -1},
    {.id = 2, .x = 150, .y = 150, .width = 20, .height = 20, .track_id = -1},
  };

  push (&s, two, 2);
  expect_stays (&s, "entered 0/0, occupancy 0/0 of 1");
  set_zones (&s, "<[b,points=<0,0,9,0,9,9>],[a," AREA ",enter-frames=1]>");
  push (&s, two, 2);
  expect_stays (&s, "");
  session_free (&s);
}

/* All tracks end: at the end of the stream, a flush and a stop. */
TEST_LOOP (test_stays_dropped, 0, 3)
{
  static const gchar *const left =
      "left 3/3 since 0 dwell 3 dropped, occupancy 3/3 of 0, uncrowded 3/3 of 0";
  Session s = session_new (ZONE (",enter-frames=1,crowd=1"));

  walk (&s, "110,109 110,109 110,109 110,109", 20);
  g_free (take_stays (&s));
  if (__i__ == 0) {
    gst_harness_push_event (s.h, gst_event_new_eos ());
  } else if (__i__ == 1) {
    gst_harness_push_event (s.h, gst_event_new_flush_start ());
    gst_harness_push_event (s.h, gst_event_new_flush_stop (TRUE));
  } else {
    gst_element_set_state (s.element, GST_STATE_READY);
  }
  expect_stays (&s, left);
  expect_zone (&s, "0 1 1 3 3");
  session_free (&s);
}

/* Without timestamps there is no dwell and no loitering. */
TEST (test_stays_without_times)
{
  Session s =
      session_new (ZONE (",enter-frames=1,loiter-time=1,crowd=1,crowd-time=1"));
  const GstStructure *m;
  GstMessage *message;
  guint i;

  for (i = 0; i < 3; i++) {
    GstBuffer *buffer;
    const GstCcaComponent c = {
      .id = 1,
      .x = 110,
      .y = 120,
      .width = 9,
      .height = 9,
      .area = 1,
      .centroid_x = 110,
      .centroid_y = 120,
      .track_id = -1,
    };
    const GstCcaAnalysis analysis = {
      .width = 1000,
      .height = 1000,
      .connectivity = 8,
      .n_found = 1,
    };

    buffer = gst_buffer_new ();
    gst_buffer_add_cca_meta_from_components (buffer, &analysis, &c, 1);
    gst_buffer_unref (gst_harness_push_and_pull (s.h, buffer));
  }
  gst_harness_push_event (s.h, gst_event_new_eos ());
  while (
      (message = gst_bus_pop_filtered (s.bus, GST_MESSAGE_ELEMENT)) != NULL) {
    m = gst_message_get_structure (message);
    fail_if (g_str_equal (gst_structure_get_string (m, "event"), "loitering"));
    fail_if (g_str_equal (gst_structure_get_string (m, "event"), "crowded"));
    if (g_str_equal (gst_structure_get_string (m, "event"), "left"))
      fail_unless (get_number (m, "dwell") == GST_CLOCK_TIME_NONE);
    gst_message_unref (message);
  }
  expect_zone (&s, "0 1 1 0 0");
  session_free (&s);
}

/* Times that end or go back during a stay give no dwell, and there is no
 * loitering until enough time has passed since the stay began. */
TEST_LOOP (test_stays_with_odd_times, 0, 2)
{
  static const struct
  {
    gint times[6];
    const gchar *stays, *zone;
  } cases[] = {
    {{0, 1, -1, -1, -1, 9}, "entered 0/0, occupancy 0/0 of 1", "0 1 1 0 0"},
    {{5, 6, 3, 4, 7, 7},
      "entered 5/5, occupancy 5/5 of 1, loitering 7/7 since 5", NULL},
  };
  Session s = session_new (
      ZONE (",enter-frames=1,leave-frames=1,loiter-time=80000000"));

  s.times = cases[__i__].times;
  walk (&s, "110,109 110,109 110,109 110,109", 20);
  if (__i__ == 0) {
    expect_stays (&s, cases[__i__].stays);
    walk (&s, "90,109", 20);
    expect_zone (&s, cases[__i__].zone);
  } else {
    walk (&s, "110,109", 20);
    expect_stays (&s, cases[__i__].stays);
  }
  session_free (&s);
}

/* A stay that ends before it began, as at a new segment, took no time. */
TEST (test_stays_that_go_back)
{
  static const gint times[] = {5, 6, 2};
  Session s = session_new (ZONE (",enter-frames=1,leave-frames=1"));

  s.times = times;
  walk (&s, "110,109 110,109 90,109", 20);
  expect_stays (&s,
      "entered 5/5, occupancy 5/5 of 1, "
      "left 2/2 since 5 dwell 0 moved, occupancy 2/2 of 0");
  session_free (&s);
}

/* An object that has no id yet is in no zone that could change. */
TEST (test_zones_change_before_ids)
{
  Session s = session_new ("min-hits=3 " ZONE (",enter-frames=1"));

  walk (&s, "110,109", 20);
  set_zones (&s, "<[a,points=<0,0,9,0,9,9>]>");
  walk (&s, "110,109 110,109", 20);
  expect_stays (&s, "");
  session_free (&s);
}

/* Zones are in the meta behind the lines, each with those inside. */
TEST (test_zone_shapes)
{
  Session s = session_new (
      "lines=\"<[l,x1=0,y1=1,x2=2,y2=3]>\" " ZONE (",enter-frames=2"));
  const GstCcaMeta *meta;
  GstCcaShapes *shapes;
  GstBuffer *buffer;
  guint64 inside;
  guint i;

  for (i = 0; i < 3; i++) {
    buffer = pull_square (&s, 100, NULL);
    meta = gst_buffer_get_cca_meta (buffer);
    shapes = gst_cca_meta_get_shapes (meta);
    assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 2);
    assert_equals_int (gst_cca_shapes_get_kind (shapes, 1),
        GST_CCA_SHAPE_KIND_ZONE);
    assert_equals_string (gst_cca_shapes_get_name (shapes, 1), "a");
    fail_unless (gst_cca_meta_get_zone_count (meta, 1, &inside));
    assert_equals_uint64 (inside, i > 0);
    gst_buffer_unref (buffer);
  }
  set_zones (&s, "<[b,points=<0,0,9,0,9,9>],[c,points=<0,0,9,0,9,9>]>");
  buffer = pull_square (&s, 100, NULL);
  assert_equals_int (gst_cca_shapes_get_n_shapes (gst_cca_meta_get_shapes (
                         gst_buffer_get_cca_meta (buffer))),
      3);
  gst_buffer_unref (buffer);
  session_free (&s);
}

/* Each component has the zones of its object, as their counts say: not before
 * enter-frames, and none without an id. */
TEST (test_component_zones)
{
  const guint64 b = (guint64) 1 << 63, all = b | 2;
  const guint64 want[][3] = {{b, 0, 0}, {all, b, 0}, {all, all, 0}};
  GString *zones = g_string_new (
      "max-tracks=2 zones=\"<[far,points=<0,0,9,0,9,9>],[a," AREA
      ",enter-frames=2],");
  Session s;
  GstCcaComponent c[3] = {{.id = 1}, {.id = 2}, {.id = 3}};
  guint i, k, n;

  for (i = 2; i < 63; i++)
    g_string_append_printf (zones, "[far%u,points=<0,0,9,0,9,9>],", i);
  g_string_append (zones, "[b," AREA ",enter-frames=1]>\"");
  s = session_new (zones->str);
  g_string_free (zones, TRUE);
  for (i = 0; i < 3; i++) {
    const GstCcaComponent *of_meta;
    GstBuffer *buffer;

    for (k = 0; k < 3; k++) {
      c[k].x = i == 0 && k == 1 ? 50 : 110 + 40 * k;
      c[k].y = 100;
      c[k].width = c[k].height = 20;
      c[k].area = 1;
      c[k].zones = 1; /* those of another tracker */
    }
    buffer = push_and_pull (&s, c, 3, NULL);
    of_meta =
        gst_cca_meta_get_components (gst_buffer_get_cca_meta (buffer), &n);
    assert_equals_int (n, 3);
    for (k = 0; k < n; k++)
      assert_equals_uint64 (of_meta[k].zones, want[i][k]);
    gst_buffer_unref (buffer);
  }
  session_free (&s);
}

static const struct
{
  const gchar *fields, *fault;
} bad_zones[] = {
  {"crowd=1", "needs points"},
  {"points=<1,2,3,4>", "needs 3 to 256 points: x1, y1, x2, y2 and so on"},
  {"points=<1,2,3,4,3,4>", "has the same point twice in a row"},
  {AREA ",enter-frames=0", "needs an integer enter-frames from 1 to 10000"},
  {AREA ",enter-frames=10001", "needs an integer enter-frames from 1 to 10000"},
  {AREA ",leave-frames=0", "needs an integer leave-frames from 1 to 10000"},
  {AREA ",leave-frames=10001", "needs an integer leave-frames from 1 to 10000"},
  {AREA ",enter-frames=0,crowd=1", "needs an integer enter-frames"},
  {AREA ",crowd=-1", "needs an integer crowd from 0 to 65536"},
  {AREA ",crowd=65537", "needs an integer crowd from 0 to 65536"},
  {AREA ",anchor=feet",
    "needs an anchor of center, bottom-center, top-center or centroid"},
  {AREA ",loiter-time=-1", "needs a loiter-time in nanoseconds"},
  {AREA ",loiter-time=9007199254740992", "needs a loiter-time in nanoseconds"},
  {AREA ",loiter-time=0.5", "needs a loiter-time in nanoseconds"},
  {AREA ",crowd-time=-1", "needs a crowd-time in nanoseconds"},
  {AREA ",crowd-time=9007199254740992", "needs a crowd-time in nanoseconds"},
  {AREA ",crowd-time=soon", "needs a crowd-time in nanoseconds"},
  {AREA ",settle-frames=1", "has an unknown field"},
};

/* The least and the greatest value of each field of a line and of a zone. */
TEST_LOOP (test_extreme_fields, 0, 4)
{
  static const gchar *const fields[] = {
    "line-margin=0,line-margin-min=0,settle-frames=1",
    "line-margin=200,line-margin-min=1000,settle-frames=1000",
    "enter-frames=1,leave-frames=1,crowd=0,loiter-time=0,crowd-time=0",
    "enter-frames=10000,leave-frames=10000,crowd=65536,"
    "loiter-time=9007199254740991,crowd-time=9007199254740991",
  };
  Session s = session_new ("");
  gchar *text = g_strdup_printf ("<[a," AREA ",%s]>", fields[__i__]);
  gchar *sentence;

  if (__i__ < 2)
    set_lines (&s, text);
  else
    set_zones (&s, text);
  sentence = take_sentence (&s);
  fail_unless (sentence == NULL, "%s", sentence);
  g_free (text);
  session_free (&s);
}

TEST (test_zones_as_set)
{
  Session s = session_new (ZONE (",crowd=3"));
  GValue value = G_VALUE_INIT;
  const GValue *zone;
  gint crowd;

  g_value_init (&value, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (s.element), "zones", &value);
  assert_equals_int (gst_value_array_get_size (&value), 1);
  zone = gst_value_array_get_value (&value, 0);
  fail_unless (gst_structure_has_name (gst_value_get_structure (zone), "a"));
  fail_unless (
      gst_structure_get_int (gst_value_get_structure (zone), "crowd", &crowd));
  assert_equals_int (crowd, 3);
  g_value_unset (&value);
  session_free (&s);
}

/* A running element keeps its zones. One that starts refuses them. */
TEST_LOOP (test_bad_zones, 0, G_N_ELEMENTS (bad_zones))
{
  Session s = session_new (ZONE (",enter-frames=1"));
  gchar *zones = g_strdup_printf ("<[a,%s]>", bad_zones[__i__].fields);
  gchar *sentence;

  set_zones (&s, zones);
  sentence = take_sentence (&s);
  fail_unless (sentence != NULL
          && g_str_has_prefix (sentence, "The property zones keeps its value")
          && strstr (sentence, bad_zones[__i__].fault) != NULL,
      "%s: %s", zones, sentence);
  g_free (sentence);
  walk (&s, "110,109", 20);
  expect_stays (&s, "entered 0/0, occupancy 0/0 of 1");

  gst_element_set_state (s.element, GST_STATE_READY);
  set_zones (&s, zones);
  fail_unless_equals_int (gst_element_set_state (s.element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  g_free (zones);
  session_free (&s);
}

SUITE ("counting");
