/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* With async-depth the output equals that without it, in the same order among
 * events and queries, but later. */

#include "place.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 64
#define HEIGHT 48
#define FPS 25
#define DURATION (GST_SECOND / FPS)

static const Place *const at = &place;

/* An element, and its output as words: the number of a frame, with ! if it is
 * flagged as discontinuous, or the name of an event or a query. */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GString *log;
  guint fails_at;        /* the frame at which downstream fails, ... */
  GstFlowReturn failure; /* ... with that */
  guint n_freed;         /* of the frames that are counted */
} Rig;

/* Frame n has n + 1 components. */
static guint
squares (guint x, guint y, guint n)
{
  const guint index = y / 6 * (WIDTH / 8) + x / 8;

  return index <= n && x % 8 < 4 && y % 6 < 3 ? 200 : 0;
}

static void
log_word (Rig *rig, const gchar *format, ...)
{
  va_list args;

  if (rig->log->len > 0)
    g_string_append_c (rig->log, ' ');
  va_start (args, format);
  g_string_append_vprintf (rig->log, format, args);
  va_end (args);
}

static guint
log_frame (Rig *rig, GstBuffer *buffer)
{
  const guint n = GST_BUFFER_PTS (buffer) / DURATION;
  const gchar *flag = GST_BUFFER_IS_DISCONT (buffer) ? "!" : "";
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

  if (meta == NULL)
    log_word (rig, "gap%u%s", n, flag);
  else if (gst_cca_meta_get_n_found (meta) != n + 1)
    log_word (rig, "wrong%u%s", n, flag);
  else
    log_word (rig, "%u%s", n, flag);
  return n;
}

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Rig *rig = data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (log_frame (rig, GST_PAD_PROBE_INFO_BUFFER (info)) == rig->fails_at) {
      gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
      GST_PAD_PROBE_INFO_FLOW_RETURN (info) = rig->failure;
      return GST_PAD_PROBE_HANDLED;
    }
  } else if (info->type & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) {
    if ((info->type & GST_PAD_PROBE_TYPE_PUSH)
        && GST_QUERY_IS_SERIALIZED (GST_PAD_PROBE_INFO_QUERY (info)))
      log_word (rig, "%s",
          GST_QUERY_TYPE_NAME (GST_PAD_PROBE_INFO_QUERY (info)));
  } else {
    log_word (rig, "%s", GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info)));
  }
  return GST_PAD_PROBE_OK;
}

static GstCaps *
caps_of (guint width, guint height, guint fps)
{
  GstCaps *caps = at->caps (FORMAT, width, height);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, fps, 1, NULL);
  return caps;
}

static void
rig_init (Rig *rig, const gchar *properties)
{
  gchar *description = g_strdup_printf ("%s %s", at->element, properties);

  rig->h = at->harness (description, FORMAT, WIDTH, HEIGHT, &rig->bus);
  gst_harness_set_src_caps (rig->h, caps_of (WIDTH, HEIGHT, FPS));
  rig->log = g_string_new (NULL);
  rig->fails_at = G_MAXUINT;
  rig->n_freed = 0;
  gst_pad_add_probe (rig->h->sinkpad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
          | GST_PAD_PROBE_TYPE_EVENT_FLUSH
          | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      on_output, rig, NULL);
  g_free (description);
}

static void
rig_clear (Rig *rig)
{
  harness_free (rig->h, rig->bus);
  g_string_free (rig->log, TRUE);
}

static GstElement *
rig_element (Rig *rig)
{
  GstElement *element = gst_harness_find_element (rig->h, at->element);

  gst_object_unref (element);
  return element;
}

static GstBuffer *
frame (guint n)
{
  Picture picture = picture_new (WIDTH, HEIGHT, squares, n);
  GstBuffer *buffer = at->frame (FORMAT, &picture, NULL);

  GST_BUFFER_PTS (buffer) = n * DURATION;
  GST_BUFFER_DURATION (buffer) = DURATION;
  picture_clear (&picture);
  return buffer;
}

static GstBuffer *
gap (guint n)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = n * DURATION;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  return buffer;
}

static void
push_event (Rig *rig, GstEvent *event)
{
  fail_unless (gst_harness_push_event (rig->h, event));
}

static GstEvent *
segment_event (void)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  return gst_event_new_segment (&segment);
}

static GstEvent *
caps_event (guint width, guint height)
{
  GstCaps *caps = caps_of (width, height, FPS);
  GstEvent *event = gst_event_new_caps (caps);

  gst_caps_unref (caps);
  return event;
}

static GstEvent *
event_of (const gchar *name)
{
  static const GstEventType customs[] = {
    GST_EVENT_CUSTOM_DOWNSTREAM,
    GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
    GST_EVENT_CUSTOM_BOTH,
  };
  guint i;

  if (g_str_equal (name, "caps"))
    return caps_event (WIDTH, HEIGHT);
  if (g_str_equal (name, "taller-caps"))
    return caps_event (WIDTH, HEIGHT + 2);
  if (g_str_equal (name, "eos"))
    return gst_event_new_eos ();
  if (g_str_equal (name, "flush-start"))
    return gst_event_new_flush_start ();
  if (g_str_equal (name, "flush-stop"))
    return gst_event_new_flush_stop (TRUE);
  if (g_str_equal (name, "gap"))
    return gst_event_new_gap (2 * DURATION, DURATION);
  if (g_str_equal (name, "segment"))
    return segment_event ();
  if (g_str_equal (name, "stream-start"))
    return gst_event_new_stream_start ("again");
  if (g_str_equal (name, "tag"))
    return gst_event_new_tag (gst_tag_list_new_empty ());
  for (i = 0; i < G_N_ELEMENTS (customs); i++)
    if (g_str_equal (name, gst_event_type_get_name (customs[i])))
      return gst_event_new_custom (customs[i],
          gst_structure_new_empty ("custom"));
  g_assert_not_reached ();
}

static void
query (Rig *rig, const gchar *name)
{
  GstCaps *caps = caps_of (WIDTH, HEIGHT, FPS);
  GstQuery *query;

  if (g_str_equal (name, "allocation?"))
    query = gst_query_new_allocation (caps, TRUE);
  else if (g_str_equal (name, "drain?"))
    query = gst_query_new_drain ();
  else if (g_str_equal (name, "duration?"))
    query = gst_query_new_duration (GST_FORMAT_TIME);
  else
    query = gst_query_new_custom (GST_QUERY_CUSTOM,
        gst_structure_new_empty ("custom"));
  gst_pad_peer_query (rig->h->srcpad, query);
  gst_query_unref (query);
  gst_caps_unref (caps);
}

/* Pushes a frame: its number, then any of ! (discontinuous), * (counted when it
 * is freed), # (with a meta that is wrong), then = and the flow return if it is
 * not ok. */
static void
push_frame (Rig *rig, const gchar *word)
{
  const gchar *flow = strchr (word, '=');
  GstBuffer *buffer = frame (atoi (word));

  if (strchr (word, '!') != NULL)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (strchr (word, '*') != NULL)
    gst_mini_object_weak_ref (GST_MINI_OBJECT (buffer), count_freed,
        &rig->n_freed);
  if (strchr (word, '#') != NULL)
    gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_FORMAT_GRAY8, 1, 1);
  assert_equals_string (gst_flow_get_name (gst_harness_push (rig->h, buffer)),
      flow != NULL ? flow + 1 : "ok");
}

/* Sends what the words name: frames by number, gap1 for frame 1 without a
 * picture, events, queries (with ?), and late, which reports frame 1 as too late.
 * Then compares the output, unless expected is NULL. */
static void
play (Rig *rig, const gchar *words, const gchar *expected)
{
  gchar **all = g_strsplit (words, " ", -1), **word;

  for (word = all; *word != NULL; word++) {
    if (g_ascii_isdigit (**word))
      push_frame (rig, *word);
    else if (g_str_has_prefix (*word, "gap") && (*word)[3] != '\0')
      gst_harness_push (rig->h, gap (atoi (*word + 3)));
    else if (g_str_equal (*word, "late"))
      gst_harness_push_upstream_event (rig->h,
          gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1.0, DURATION, DURATION));
    else if (g_str_has_suffix (*word, "?"))
      query (rig, *word);
    else
      push_event (rig, event_of (*word));
  }
  g_strfreev (all);
  fail_unless (expected == NULL || g_str_equal (rig->log->str, expected),
      "after '%s' came '%s', not '%s'", words, rig->log->str, expected);
  g_string_truncate (rig->log, 0);
}

static guint64
n_analysed (Rig *rig)
{
  GstStructure *stats;
  guint64 n = 0;

  g_object_get (rig_element (rig), "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "frames", &n));
  gst_structure_free (stats);
  return n;
}

/* --- order ---------------------------------------------------------------- */

/* A frame is pushed when async-depth later ones have arrived. */
TEST_LOOP (test_depth, 0, 5)
{
  static const guint depths[] = {0, 1, 2, 5, 16};
  const guint depth = depths[__i__], n = depth + 5;
  gchar *properties = g_strdup_printf ("async-depth=%u", depth);
  gchar sent[16], word[16];
  Rig rig;
  guint i;

  rig_init (&rig, properties);
  for (i = 0; i < n; i++) {
    g_snprintf (sent, sizeof (sent), "%u", i);
    g_snprintf (word, sizeof (word), "%u", i - depth);
    play (&rig, sent, i < depth ? "" : word);
    assert_equals_uint64 (n_analysed (&rig), i < depth ? 0 : i - depth + 1);
  }
  push_event (&rig, gst_event_new_eos ());
  for (i = n - depth; i < n; i++) {
    g_snprintf (word, sizeof (word), "%u ", i);
    fail_unless (g_str_has_prefix (rig.log->str, word), "%s", rig.log->str);
    g_string_erase (rig.log, 0, strlen (word));
  }
  assert_equals_string (rig.log->str, "eos");
  assert_equals_uint64 (n_analysed (&rig), n);
  assert_no_error (rig.bus);
  rig_clear (&rig);
  g_free (properties);
}

/* A stream, and the output in each of its parts. */
typedef struct
{
  const gchar *properties;
  struct
  {
    const gchar *sent, *expected;
  } parts[4];
  guint fails_at;
  GstFlowReturn failure; /* if it is not GST_FLOW_OK */
  const gchar *error;    /* the only one that is posted, if any */
  guint64 n_analysed;    /* if not 0 */
} Story;

#define STORY(with, ...) .properties = with, .parts = {__VA_ARGS__}
/* Serialised events and queries do not overtake buffers. */
#define EVENT(sent, expected) \
  {STORY ("async-depth=3", {"0 1 " sent, "0 1 " expected}, {"caps 2 3", NULL}, \
      {"eos", "2 3 eos"})}

static const Story stories[] = {
  EVENT ("tag", "tag"),
  EVENT ("segment", "segment"),
  EVENT ("taller-caps", "caps"),
  EVENT ("gap", "gap"),
  EVENT ("stream-start", "stream-start"),
  EVENT ("custom-downstream", "custom-downstream"),
  EVENT ("custom-both", "custom-both"),
  /* an event out of band overtakes frames */
  {STORY ("async-depth=3", {"0 custom-downstream-oob", "custom-downstream-oob"},
      {"eos", "0 eos"})},
  /* serialised queries follow the frames before them */
  {STORY ("async-depth=3", {"0 allocation?", "0 allocation"},
      {"1 2 drain?", "1 2 drain"}, {"3 duration? custom?", ""})},
  /* gaps without a picture keep their place */
  {STORY ("async-depth=2", {"0 gap1 2", "0"}, {"gap3", "gap1"},
       {"4 eos", "2 gap3 4 eos"}),
    .n_analysed = 3},
  /* a discontinuity is flagged on its own frame alone, which is not kept */
  {STORY ("async-depth=2", {"0!", "0!"}, {"1 2", ""}, {"3!", "1 2 3!"},
      {"4 tag 5 6 7 eos", "4 tag 5 6 7 eos"})},
  /* after a frame that is too late and left out */
  {STORY ("async-depth=2 qos=true", {"0 1 late 2 3", "0 1 3!"},
      {"4 eos", "4 eos"})},
  /* the frames before a bad one are pushed */
  {STORY ("async-depth=3", {"0 1 9#=error", "0 1"}, {"2 eos", "2 eos"}),
    .error = "GRAY8"},
  /* a frame that pushes earlier ones returns the result of downstream; the rest of
   * them are dropped */
  {STORY ("async-depth=4", {"0 1 2 3!=not-linked", "0 1"}, {"4 tag", "4! tag"}),
    .fails_at = 1, .failure = GST_FLOW_NOT_LINKED},
  {STORY ("async-depth=4", {"0 1 2!", "0 1 2!"}), .fails_at = 0,
    .failure = GST_FLOW_CUSTOM_SUCCESS_2},
  {STORY ("async-depth=4", {"0 1 2!", "0 1 2!"}), .fails_at = 1,
    .failure = GST_FLOW_CUSTOM_SUCCESS_2},
  /* an event cannot return an error: the next frame returns it, once */
  {STORY ("async-depth=4", {"0 1 2 tag", "0 1 tag"}, {"4 eos", "4 eos"}),
    .fails_at = 1, .failure = GST_FLOW_EOS},
  {STORY ("async-depth=4", {"0 1 2 tag", "0 1 tag"},
       {"3=error 4 eos", "4 eos"}),
    .fails_at = 1, .failure = GST_FLOW_ERROR},
  /* a flush ends an error */
  {STORY ("async-depth=4", {"0 tag", "0 tag"},
       {"flush-start flush-stop segment 1", "flush-start flush-stop segment"}),
    .fails_at = 0, .failure = GST_FLOW_ERROR},
  /* and drops a gap as it drops frames */
  {STORY ("async-depth=2",
       {"0 gap1 flush-start flush-stop", "flush-start flush-stop"},
       {"segment 2 eos", "segment 2 eos"}),
    .n_analysed = 1},
};

TEST_LOOP (test_stories, 0, G_N_ELEMENTS (stories))
{
  const Story *story = &stories[__i__];
  Rig rig;
  guint i;

  rig_init (&rig, story->properties);
  if (story->failure != GST_FLOW_OK) {
    rig.fails_at = story->fails_at;
    rig.failure = story->failure;
  }
  for (i = 0; i < G_N_ELEMENTS (story->parts); i++)
    if (story->parts[i].sent != NULL)
      play (&rig, story->parts[i].sent, story->parts[i].expected);
  if (story->error != NULL)
    assert_error (rig.bus, story->error);
  assert_no_error (rig.bus);
  if (story->n_analysed != 0)
    assert_equals_uint64 (n_analysed (&rig), story->n_analysed);
  rig_clear (&rig);
}

/* --- overload ------------------------------------------------------------- */

/* The light of each frame. Frames 4 and 6 have an object. */
static const guint lights[] = {0, 0, 60, 0, 0, 0, 0, 90, 90, 90, 90, 90, 90};

static guint
lit (guint x, guint y, guint n)
{
  const gboolean object = (n == 4 || n == 6) && x < 9 && y < 9;

  return 40 + noise (x, y, 1) % 64 + lights[n] + (object ? 60 : 0);
}

static GstPadProbeReturn
log_letter (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const GstCcaMeta *meta =
      gst_buffer_get_cca_meta (GST_PAD_PROBE_INFO_BUFFER (info));
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const gboolean is_first = a->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP;
  const gboolean overload = a->flags & GST_CCA_ANALYSIS_FLAG_OVERLOAD;
  const gboolean has_components = gst_cca_meta_get_n_components (meta) > 0;

  fail_if (overload && has_components);
  g_string_append_c (data,
      is_first && overload             ? 'F'
          : is_first                   ? 'f'
          : overload && a->n_found > 0 ? 'O'
          : overload                   ? 'o'
          : has_components             ? 'c'
                                       : '.');
  return GST_PAD_PROBE_OK;
}

/* Letters of the frames: f and F first of a background, o, O and F in overload, O
 * although there are components, c with components. */
static const struct
{
  const gchar *properties;
  const gchar *letters;
} overloads[] = {
  {"max-foreground=100", "f.c.c.ccccccc"},
  {"max-foreground=100 overload-frames=0 overload-action=restart",
    "f.c.c.ccccccc"},
  {"overload-frames=2", "f.OoO.cOOOOOO"},
  {"overload-frames=2 overload-action=restart", "f.OoO.cOOOFo."},
  {"overload-frames=0 overload-action=restart", "f.Ofc.cOf...."},
  {"overload-frames=1 overload-action=restart foreground=difference "
   "frame-distance=1",
    "f.OOFccOo...."},
  {"foreground=threshold threshold=0", "ccccccccccccc"},
};

/* Frames in overload deliver no components, and restart the background at the
 * same frame with any async-depth. */
TEST_LOOP (test_overload, 0, G_N_ELEMENTS (overloads))
{
  static const guint depths[] = {0, 1, 2, 5, 16};
  guint i, n;

  for (i = 0; i < G_N_ELEMENTS (depths); i++) {
    gchar *description = g_strdup_printf (
        "%s async-depth=%u foreground=sigma-delta "
        "warm-up=0 background-period=65535 max-foreground=50 %s",
        at->element, depths[i], overloads[__i__].properties);
    GstHarness *h = at->harness (description, FORMAT, WIDTH, HEIGHT, NULL);
    GString *letters = g_string_new (NULL);

    gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, log_letter,
        letters, NULL);
    for (n = 0; n < G_N_ELEMENTS (lights); n++) {
      Picture picture = picture_new (WIDTH, HEIGHT, lit, n);

      assert_equals_int (gst_harness_push (h,
                             at->frame (FORMAT, &picture, NULL)),
          GST_FLOW_OK);
      picture_clear (&picture);
    }
    gst_harness_push_event (h, gst_event_new_eos ());
    fail_unless (g_str_equal (letters->str, overloads[__i__].letters),
        "async-depth=%u %s: %s", depths[i], overloads[__i__].properties,
        letters->str);
    gst_harness_teardown (h);
    g_string_free (letters, TRUE);
    g_free (description);
  }
}

/* --- dropped frames ------------------------------------------------------- */

TEST (test_flush)
{
  Rig rig;
  guint i;

  rig_init (&rig, "async-depth=3");
  for (i = 0; i < 10; i++) {
    play (&rig, "0 1* flush-start flush-stop", "flush-start flush-stop");
    assert_equals_int (rig.n_freed, i + 1);
    play (&rig, "segment 2 tag", "segment 2 tag");
    assert_equals_uint64 (n_analysed (&rig), i + 1);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

TEST (test_stop)
{
  Rig rig;
  guint i;

  rig_init (&rig, "async-depth=3");
  for (i = 0; i < 3; i++) {
    play (&rig, "0 1*", "");
    gst_element_set_state (rig.h->element, GST_STATE_READY);
    assert_equals_int (rig.n_freed, i + 1);
    gst_element_set_state (rig.h->element, GST_STATE_PLAYING);
    play (&rig, "stream-start caps segment", "stream-start caps segment");
  }
  play (&rig, "0 eos", "0 eos");
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

/* --- latency and buffers -------------------------------------------------- */

static gboolean
says_latency (Rig *rig)
{
  GstMessage *message = gst_bus_pop_filtered (rig->bus, GST_MESSAGE_LATENCY);
  const gboolean says = message != NULL;

  g_clear_pointer (&message, gst_message_unref);
  return says;
}

static GstPadProbeReturn
answer_latency (GstPad *pad, GstPadProbeInfo *info, gpointer max)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return GST_PAD_PROBE_OK;
  gst_query_set_latency (query, TRUE, GST_SECOND, *(GstClockTime *) max);
  return GST_PAD_PROBE_HANDLED;
}

static void
assert_latency (Rig *rig, GstClockTime expected_min, GstClockTime expected_max)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean live;

  fail_unless (gst_pad_peer_query (rig->h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless (live);
  assert_equals_uint64 (min, expected_min);
  assert_equals_uint64 (max, expected_max);
  gst_query_unref (query);
}

/* The latency depends on the frame rate; a change posts a latency message. */
TEST (test_latency)
{
  GstClockTime max = GST_CLOCK_TIME_NONE;
  Rig rig;

  rig_init (&rig, "async-depth=2");
  gst_pad_add_probe (rig.h->srcpad,
      GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PUSH,
      answer_latency, &max, NULL);
  /* without a framerate, then with one that is the same */
  fail_unless (says_latency (&rig));
  fail_if (says_latency (&rig));
  assert_latency (&rig, GST_SECOND + 2 * DURATION, GST_CLOCK_TIME_NONE);
  max = 3 * GST_SECOND;
  assert_latency (&rig, GST_SECOND + 2 * DURATION,
      3 * GST_SECOND + 2 * DURATION);

  gst_harness_set_src_caps (rig.h, caps_of (WIDTH, HEIGHT, 50));
  fail_unless (says_latency (&rig));
  assert_latency (&rig, GST_SECOND + DURATION, 3 * GST_SECOND + DURATION);
  gst_harness_set_src_caps (rig.h, caps_of (WIDTH + 2, HEIGHT, 50));
  fail_if (says_latency (&rig));
  gst_harness_set_src_caps (rig.h, caps_of (WIDTH, HEIGHT, 0));
  fail_unless (says_latency (&rig));
  assert_latency (&rig, GST_SECOND + 2 * DURATION,
      3 * GST_SECOND + 2 * DURATION);

  /* each start is a new one */
  gst_element_set_state (rig.h->element, GST_STATE_READY);
  gst_element_set_state (rig.h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps (rig.h, caps_of (WIDTH, HEIGHT, FPS));
  fail_unless (says_latency (&rig));
  rig_clear (&rig);
}

TEST (test_no_latency)
{
  GstClockTime max = 3 * GST_SECOND;
  Rig rig;

  rig_init (&rig, "async-depth=0");
  gst_pad_add_probe (rig.h->srcpad,
      GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PUSH,
      answer_latency, &max, NULL);
  fail_if (says_latency (&rig));
  assert_latency (&rig, GST_SECOND, max);
  rig_clear (&rig);
}

static GstPadProbeReturn
answer_allocation (GstPad *pad, GstPadProbeInfo *info, gpointer max)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, 4711, 5, *(guint *) max);
  gst_query_add_allocation_pool (query, NULL, 4712, 0, 0);
  return GST_PAD_PROBE_HANDLED;
}

static void
assert_pool (GstQuery *query, guint n, guint expected_size, guint expected_min,
    guint expected_max)
{
  guint size, min, max;

  gst_query_parse_nth_allocation_pool (query, n, NULL, &size, &min, &max);
  assert_equals_int (size, expected_size);
  assert_equals_int (min, expected_min);
  assert_equals_int (max, expected_max);
}

/* The number of frames in flight is added to each pool. */
TEST (test_buffers)
{
  GstCaps *caps = caps_of (WIDTH, HEIGHT, FPS);
  guint maxima[] = {9, 0}, i;

  for (i = 0; i < G_N_ELEMENTS (maxima); i++) {
    GstQuery *query = gst_query_new_allocation (caps, TRUE);
    Rig rig;

    rig_init (&rig, "async-depth=3");
    gst_pad_add_probe (rig.h->sinkpad,
        GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH,
        answer_allocation, &maxima[i], NULL);
    fail_unless (gst_pad_peer_query (rig.h->srcpad, query));
    assert_equals_int (gst_query_get_n_allocation_pools (query), 2);
    assert_pool (query, 0, 4711, 8, maxima[i] ? 12 : 0);
    assert_pool (query, 1, 4712, 3, 0);
    gst_query_unref (query);
    rig_clear (&rig);
  }
  gst_caps_unref (caps);
}

/* Queries without another answer, or without usable caps. */
TEST (test_buffers_alone)
{
  GstCaps *caps[] = {caps_of (WIDTH, HEIGHT, FPS), gst_caps_new_any (),
    gst_caps_new_empty (), NULL};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstQuery *query = gst_query_new_allocation (caps[i], FALSE);
    guint min = 0;
    Rig rig;

    rig_init (&rig, "async-depth=3");
    fail_unless (gst_pad_peer_query (rig.h->srcpad, query) || i > 0);
    assert_equals_int (gst_query_get_n_allocation_pools (query), i == 0);
    if (i == 0)
      gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, &min, NULL);
    assert_equals_int (min, i == 0 ? 3 : 0);
    gst_query_unref (query);
    rig_clear (&rig);
    if (caps[i] != NULL)
      gst_caps_unref (caps[i]);
  }
}

/* --- the results ---------------------------------------------------------- */

static guint
scene (guint x, guint y, guint t)
{
  guint v = 60 + noise (x, y, 4) / 4 + noise (x, y, 10 * t) / 24;

  return x - (t * 2 % 60) < 12 && y - 10 < 14 ? v + 80 : v;
}

/* Pushes frame t among the events of a stream. */
static void
push_scene (Rig *rig, guint t)
{
  static const gchar *const modes[] = {
    "threshold",
    "otsu",
    "difference",
    "sigma-delta",
  };
  const Layout layout = {TRUE, 0, 0};
  Picture picture = picture_new (WIDTH, HEIGHT, scene, t);
  GstElement *element = rig_element (rig);
  GstBuffer *buffer = at->frame (FORMAT, &picture, &layout);
  GstVideoCropMeta *crop;

  if (t % 16 == 15)
    gst_util_set_object_arg (G_OBJECT (element), "foreground",
        modes[t / 16 % 4]);
  if (t % 7 == 6)
    g_object_set (element, "threshold", 80 + 5 * t, NULL);
  if (t % 9 == 8)
    g_signal_emit_by_name (element, "reset-background");
  if (t % 11 == 10)
    push_event (rig, segment_event ());
  if (t % 12 == 11)
    gst_harness_push (rig->h, gap (t));
  if (t % 8 == 7)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (t % 5 == 4) {
    crop = gst_buffer_add_video_crop_meta (buffer);
    crop->x = t % 3;
    crop->y = 2;
    crop->width = t % 10 == 9 ? 0 : WIDTH - 20;
    crop->height = HEIGHT - 9;
  }
  GST_BUFFER_PTS (buffer) = t * DURATION;
  picture_clear (&picture);
  assert_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
}

/* The output: metas in order, with their times. */
static GByteArray *
bytes_of_scene (const gchar *properties)
{
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer;
  Rig rig;
  guint t;

  rig_init (&rig, properties);
  for (t = 0; t < at->n_frames (); t++)
    push_scene (&rig, t);
  push_event (&rig, gst_event_new_eos ());
  assert_no_error (rig.bus);
  for (t = 0; (buffer = gst_harness_try_pull (rig.h)) != NULL; t++) {
    GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
    const GstClockTime pts = GST_BUFFER_PTS (buffer);

    g_byte_array_append (bytes, (const guint8 *) &pts, sizeof (pts));
    if (meta != NULL)
      gst_meta_serialize_simple (GST_META_CAST (meta), bytes);
    gst_buffer_unref (buffer);
  }
  fail_unless (t >= at->n_frames ());
  rig_clear (&rig);
  return bytes;
}

TEST_LOOP (test_same_results, 0, 4)
{
  static const gchar *const modes[] = {
    "",
    "foreground=otsu",
    "foreground=difference close-radius=1",
    "foreground=sigma-delta open-radius=1 min-area=2",
  };
  const gchar *mode = modes[__i__];
  static const guint depths[] = {1, 3, 16};
  GByteArray *expected = bytes_of_scene (mode);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (depths); i++) {
    gchar *properties = g_strdup_printf ("async-depth=%u %s", depths[i], mode);
    GByteArray *bytes = bytes_of_scene (properties);

    fail_unless (bytes->len == expected->len
            && memcmp (bytes->data, expected->data, bytes->len) == 0,
        "%s", properties);
    g_byte_array_unref (bytes);
    g_free (properties);
  }
  g_byte_array_unref (expected);
}

/* Frames that grow by a crop, which the engine is not ready for. */
TEST (test_growing)
{
  const Layout layout = {TRUE, 0, 0};
  Rig rig;
  guint i;

  rig_init (&rig, "async-depth=3");
  for (i = 0; i < 6; i++) {
    Picture picture = picture_new (WIDTH + 40 * i, HEIGHT, squares, i);
    GstBuffer *buffer = at->frame (FORMAT, &picture, &layout);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->width = picture.width;
    crop->height = picture.height;
    GST_BUFFER_PTS (buffer) = i * DURATION;
    assert_equals_int (gst_harness_push (rig.h, buffer), GST_FLOW_OK);
    picture_clear (&picture);
  }
  push_event (&rig, gst_event_new_eos ());
  assert_no_error (rig.bus);
  assert_equals_uint64 (n_analysed (&rig), 6);
  assert_equals_int (gst_harness_buffers_received (rig.h), 6);
  rig_clear (&rig);
}
