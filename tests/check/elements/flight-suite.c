/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* With async-depth, what comes out is what comes out without, in the same order
 * among events and queries, and only later. */

#include "flight-suite.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 64
#define HEIGHT 48
#define FPS 25
#define DURATION (GST_SECOND / FPS)

static const Place *at;

/* An element, and what comes out of it, as words: the number of a frame, with !
 * if it is flagged as discontinuous, or the name of an event or a query. */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GString *log;
  guint fails_at;               /* the frame at which downstream fails, ... */
  GstFlowReturn failure;        /* ... with that */
} Rig;

/* Frame n has n + 1 components. */
static guint
squares (guint x, guint y, guint n)
{
  const guint index = y / 6 * (WIDTH / 8) + x / 8;

  return index <= n && x % 8 < 4 && y % 6 < 3 ? 200 : 0;
}

static void
log_word (Rig * rig, const gchar * format, ...)
{
  va_list args;

  if (rig->log->len > 0)
    g_string_append_c (rig->log, ' ');
  va_start (args, format);
  g_string_append_vprintf (rig->log, format, args);
  va_end (args);
}

static guint
log_frame (Rig * rig, GstBuffer * buffer)
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
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer data)
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
    log_word (rig, "%s",
        GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info)));
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
rig_init (Rig * rig, const gchar * properties)
{
  gchar *description = g_strdup_printf ("%s %s", at->element, properties);

  rig->h = at->harness (description, FORMAT, WIDTH, HEIGHT, &rig->bus);
  gst_harness_set_src_caps (rig->h, caps_of (WIDTH, HEIGHT, FPS));
  rig->log = g_string_new (NULL);
  rig->fails_at = G_MAXUINT;
  gst_pad_add_probe (rig->h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH
      | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, on_output, rig, NULL);
  g_free (description);
}

static void
rig_clear (Rig * rig)
{
  harness_free (rig->h, rig->bus);
  g_string_free (rig->log, TRUE);
}

static GstElement *
rig_element (Rig * rig)
{
  GstElement *element = gst_harness_find_element (rig->h, at->element);

  gst_object_unref (element);
  return element;
}

/* What has come out since the last time. */
static void
assert_log (Rig * rig, const gchar * expected)
{
  assert_equals_string (rig->log->str, expected);
  g_string_truncate (rig->log, 0);
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

static void
push (Rig * rig, guint n)
{
  assert_equals_int (gst_harness_push (rig->h, frame (n)), GST_FLOW_OK);
}

/* Counts it when it is freed. */
static void
push_watched (Rig * rig, guint n, guint * n_freed)
{
  GstBuffer *buffer = frame (n);

  gst_mini_object_weak_ref (GST_MINI_OBJECT (buffer), count_freed, n_freed);
  assert_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
}

static void
push_discont (Rig * rig, guint n)
{
  GstBuffer *buffer = frame (n);

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  assert_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
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
push_event (Rig * rig, GstEvent * event)
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

static guint64
n_analysed (Rig * rig)
{
  GstStructure *stats;
  guint64 n = 0;

  g_object_get (rig_element (rig), "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "frames", &n));
  gst_structure_free (stats);
  return n;
}

/* --- order ---------------------------------------------------------------- */

/* A frame comes out when as many others have come as the depth is. */
GST_START_TEST (test_depth)
{
  static const guint depths[] = { 0, 1, 2, 5, 16 };
  const guint depth = depths[__i__], n = depth + 5;
  gchar *properties = g_strdup_printf ("async-depth=%u", depth);
  gchar word[16];
  Rig rig;
  guint i;

  rig_init (&rig, properties);
  for (i = 0; i < n; i++) {
    push (&rig, i);
    g_snprintf (word, sizeof (word), "%u", i - depth);
    assert_log (&rig, i < depth ? "" : word);
    assert_equals_uint64 (n_analysed (&rig), i < depth ? 0 : i - depth + 1);
  }
  push_event (&rig, gst_event_new_eos ());
  for (i = n - depth; i < n; i++) {
    g_snprintf (word, sizeof (word), "%u ", i);
    fail_unless (g_str_has_prefix (rig.log->str, word), "%s", rig.log->str);
    g_string_erase (rig.log, 0, strlen (word));
  }
  assert_log (&rig, "eos");
  assert_equals_uint64 (n_analysed (&rig), n);
  assert_no_error (rig.bus);
  rig_clear (&rig);
  g_free (properties);
}

GST_END_TEST;

/* What is serialised with the buffers does not overtake them. */
GST_START_TEST (test_events)
{
  GstEvent *events[] = {
    gst_event_new_tag (gst_tag_list_new_empty ()),
    segment_event (),
    caps_event (WIDTH, HEIGHT + 2),
    gst_event_new_gap (2 * DURATION, DURATION),
    gst_event_new_stream_start ("again"),
    gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
        gst_structure_new_empty ("custom")),
    gst_event_new_custom (GST_EVENT_CUSTOM_BOTH,
        gst_structure_new_empty ("custom")),
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (events); i++) {
    gchar *expected = g_strdup_printf ("0 1 %s",
        GST_EVENT_TYPE_NAME (events[i]));
    Rig rig;

    rig_init (&rig, "async-depth=3");
    push (&rig, 0);
    push (&rig, 1);
    push_event (&rig, events[i]);
    assert_log (&rig, expected);
    push_event (&rig, caps_event (WIDTH, HEIGHT));
    push (&rig, 2);
    push (&rig, 3);
    g_string_truncate (rig.log, 0);
    push_event (&rig, gst_event_new_eos ());
    assert_log (&rig, "2 3 eos");
    rig_clear (&rig);
    g_free (expected);
  }
}

GST_END_TEST;

GST_START_TEST (test_event_out_of_band)
{
  Rig rig;

  rig_init (&rig, "async-depth=3");
  push (&rig, 0);
  push_event (&rig, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
          gst_structure_new_empty ("custom")));
  assert_log (&rig, "custom-downstream-oob");
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "0 eos");
  rig_clear (&rig);
}

GST_END_TEST;

static void
query (Rig * rig, GstQuery * query)
{
  gst_pad_peer_query (rig->h->srcpad, query);
  gst_query_unref (query);
}

GST_START_TEST (test_queries)
{
  GstCaps *caps = caps_of (WIDTH, HEIGHT, FPS);
  Rig rig;

  rig_init (&rig, "async-depth=3");
  push (&rig, 0);
  query (&rig, gst_query_new_allocation (caps, TRUE));
  assert_log (&rig, "0 allocation");
  push (&rig, 1);
  push (&rig, 2);
  query (&rig, gst_query_new_drain ());
  assert_log (&rig, "1 2 drain");
  push (&rig, 3);
  query (&rig, gst_query_new_duration (GST_FORMAT_TIME));
  query (&rig, gst_query_new_custom (GST_QUERY_CUSTOM,
          gst_structure_new_empty ("custom")));
  assert_log (&rig, "");
  rig_clear (&rig);
  gst_caps_unref (caps);
}

GST_END_TEST;

/* Also with gaps that have no picture. */
GST_START_TEST (test_gaps)
{
  Rig rig;

  rig_init (&rig, "async-depth=2");
  push (&rig, 0);
  gst_harness_push (rig.h, gap (1));
  push (&rig, 2);
  assert_log (&rig, "0");
  gst_harness_push (rig.h, gap (3));
  assert_log (&rig, "gap1");
  push (&rig, 4);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "2 gap3 4 eos");
  assert_equals_uint64 (n_analysed (&rig), 3);
  rig_clear (&rig);
}

GST_END_TEST;

/* The flag is on its own frame, which is not kept, and on no other. */
GST_START_TEST (test_discont)
{
  Rig rig;

  rig_init (&rig, "async-depth=2");
  push_discont (&rig, 0);
  assert_log (&rig, "0!");
  push (&rig, 1);
  push (&rig, 2);
  assert_log (&rig, "");
  push_discont (&rig, 3);
  assert_log (&rig, "1 2 3!");
  push (&rig, 4);
  push_event (&rig, gst_event_new_tag (gst_tag_list_new_empty ()));
  push (&rig, 5);
  push (&rig, 6);
  push (&rig, 7);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "4 tag 5 6 7 eos");
  rig_clear (&rig);
}

GST_END_TEST;

/* After a frame that is too late and left out. */
GST_START_TEST (test_qos)
{
  Rig rig;

  rig_init (&rig, "async-depth=2 qos=true");
  push (&rig, 0);
  push (&rig, 1);
  gst_harness_push_upstream_event (rig.h, gst_event_new_qos
      (GST_QOS_TYPE_UNDERFLOW, 1.0, DURATION, DURATION));
  push (&rig, 2);
  push (&rig, 3);
  assert_log (&rig, "0 1 3!");
  push (&rig, 4);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "4 eos");
  rig_clear (&rig);
}

GST_END_TEST;

/* --- what is thrown away -------------------------------------------------- */

GST_START_TEST (test_flush)
{
  guint n_freed = 0, i;
  Rig rig;

  rig_init (&rig, "async-depth=3");
  for (i = 0; i < 10; i++) {
    push (&rig, 0);
    push_watched (&rig, 1, &n_freed);
    push_event (&rig, gst_event_new_flush_start ());
    push_event (&rig, gst_event_new_flush_stop (TRUE));
    assert_equals_int (n_freed, i + 1);
    push_event (&rig, segment_event ());
    push (&rig, 2);
    push_event (&rig, gst_event_new_tag (gst_tag_list_new_empty ()));
    assert_log (&rig, "flush-start flush-stop segment 2 tag");
    assert_equals_uint64 (n_analysed (&rig), i + 1);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

GST_END_TEST;

GST_START_TEST (test_stop)
{
  guint n_freed = 0, i;
  Rig rig;

  rig_init (&rig, "async-depth=3");
  for (i = 0; i < 3; i++) {
    push (&rig, 0);
    push_watched (&rig, 1, &n_freed);
    gst_element_set_state (rig.h->element, GST_STATE_READY);
    assert_equals_int (n_freed, i + 1);
    gst_element_set_state (rig.h->element, GST_STATE_PLAYING);
    push_event (&rig, gst_event_new_stream_start ("again"));
    push_event (&rig, caps_event (WIDTH, HEIGHT));
    push_event (&rig, segment_event ());
    assert_log (&rig, "stream-start caps segment");
  }
  push (&rig, 0);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "0 eos");
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

GST_END_TEST;

/* --- failures ------------------------------------------------------------- */

static GstBuffer *
bad_frame (void)
{
  GstBuffer *buffer = frame (9);

  gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_FORMAT_GRAY8, 1, 1);
  return buffer;
}

/* Those before it are as good as ever. */
GST_START_TEST (test_bad_frame)
{
  Rig rig;

  rig_init (&rig, "async-depth=3");
  push (&rig, 0);
  push (&rig, 1);
  assert_equals_int (gst_harness_push (rig.h, bad_frame ()), GST_FLOW_ERROR);
  assert_log (&rig, "0 1");
  assert_error (rig.bus, "GRAY8");
  push (&rig, 2);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "2 eos");
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

GST_END_TEST;

/* Where they are pushed for a buffer that is to come after them, the one that
 * brings it hears what downstream says, and the rest is thrown away. */
GST_START_TEST (test_flow_of_drain)
{
  GstBuffer *buffer = frame (3);
  Rig rig;

  rig_init (&rig, "async-depth=4");
  rig.fails_at = 1;
  rig.failure = GST_FLOW_NOT_LINKED;
  push (&rig, 0);
  push (&rig, 1);
  push (&rig, 2);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  assert_equals_int (gst_harness_push (rig.h, buffer), GST_FLOW_NOT_LINKED);
  assert_log (&rig, "0 1");
  push (&rig, 4);
  push_event (&rig, gst_event_new_tag (gst_tag_list_new_empty ()));
  assert_log (&rig, "4! tag");
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

GST_END_TEST;

GST_START_TEST (test_flow_of_success)
{
  Rig rig;

  rig_init (&rig, "async-depth=4");
  rig.fails_at = 0;
  rig.failure = GST_FLOW_CUSTOM_SUCCESS_2;
  push (&rig, 0);
  push (&rig, 1);
  push_discont (&rig, 2);
  assert_log (&rig, "0 1 2!");
  rig_clear (&rig);
}

GST_END_TEST;

/* An event cannot say that there was an error: the next buffer does, once. */
GST_START_TEST (test_flow_of_event)
{
  const GstFlowReturn failure = __i__ ? GST_FLOW_ERROR : GST_FLOW_EOS;
  Rig rig;

  rig_init (&rig, "async-depth=4");
  rig.fails_at = 1;
  rig.failure = failure;
  push (&rig, 0);
  push (&rig, 1);
  push (&rig, 2);
  push_event (&rig, gst_event_new_tag (gst_tag_list_new_empty ()));
  assert_log (&rig, "0 1 tag");
  if (failure == GST_FLOW_ERROR)
    assert_equals_int (gst_harness_push (rig.h, frame (3)), GST_FLOW_ERROR);
  push (&rig, 4);
  push_event (&rig, gst_event_new_eos ());
  assert_log (&rig, "4 eos");
  rig_clear (&rig);
}

GST_END_TEST;

/* A flush ends it. */
GST_START_TEST (test_flush_after_error)
{
  Rig rig;

  rig_init (&rig, "async-depth=4");
  rig.fails_at = 0;
  rig.failure = GST_FLOW_ERROR;
  push (&rig, 0);
  push_event (&rig, gst_event_new_tag (gst_tag_list_new_empty ()));
  push_event (&rig, gst_event_new_flush_start ());
  push_event (&rig, gst_event_new_flush_stop (TRUE));
  push_event (&rig, segment_event ());
  push (&rig, 1);
  rig_clear (&rig);
}

GST_END_TEST;

/* --- latency and buffers -------------------------------------------------- */

static gboolean
says_latency (Rig * rig)
{
  GstMessage *message = gst_bus_pop_filtered (rig->bus, GST_MESSAGE_LATENCY);
  const gboolean says = message != NULL;

  g_clear_pointer (&message, gst_message_unref);
  return says;
}

static GstPadProbeReturn
answer_latency (GstPad * pad, GstPadProbeInfo * info, gpointer max)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return GST_PAD_PROBE_OK;
  gst_query_set_latency (query, TRUE, GST_SECOND, *(GstClockTime *) max);
  return GST_PAD_PROBE_HANDLED;
}

static void
assert_latency (Rig * rig, GstClockTime expected_min,
    GstClockTime expected_max)
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

/* It depends on the framerate, and is told when that changes it. */
GST_START_TEST (test_latency)
{
  GstClockTime max = GST_CLOCK_TIME_NONE;
  Rig rig;

  rig_init (&rig, "async-depth=2");
  gst_pad_add_probe (rig.h->srcpad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM
      | GST_PAD_PROBE_TYPE_PUSH, answer_latency, &max, NULL);
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

GST_END_TEST;

GST_START_TEST (test_no_latency)
{
  GstClockTime max = 3 * GST_SECOND;
  Rig rig;

  rig_init (&rig, "async-depth=0");
  gst_pad_add_probe (rig.h->srcpad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM
      | GST_PAD_PROBE_TYPE_PUSH, answer_latency, &max, NULL);
  fail_if (says_latency (&rig));
  assert_latency (&rig, GST_SECOND, max);
  rig_clear (&rig);
}

GST_END_TEST;

static GstPadProbeReturn
answer_allocation (GstPad * pad, GstPadProbeInfo * info, gpointer max)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, 4711, 5, *(guint *) max);
  gst_query_add_allocation_pool (query, NULL, 4712, 0, 0);
  return GST_PAD_PROBE_HANDLED;
}

static void
assert_pool (GstQuery * query, guint n, guint expected_size,
    guint expected_min, guint expected_max)
{
  guint size, min, max;

  gst_query_parse_nth_allocation_pool (query, n, NULL, &size, &min, &max);
  assert_equals_int (size, expected_size);
  assert_equals_int (min, expected_min);
  assert_equals_int (max, expected_max);
}

/* As many more as are kept, in every pool. */
GST_START_TEST (test_buffers)
{
  GstCaps *caps = caps_of (WIDTH, HEIGHT, FPS);
  guint maxima[] = { 9, 0 }, i;

  for (i = 0; i < G_N_ELEMENTS (maxima); i++) {
    GstQuery *query = gst_query_new_allocation (caps, TRUE);
    Rig rig;

    rig_init (&rig, "async-depth=3");
    gst_pad_add_probe (rig.h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM
        | GST_PAD_PROBE_TYPE_PUSH, answer_allocation, &maxima[i], NULL);
    fail_unless (gst_pad_peer_query (rig.h->srcpad, query));
    assert_equals_int (gst_query_get_n_allocation_pools (query), 2);
    assert_pool (query, 0, 4711, 8, maxima[i] ? 12 : 0);
    assert_pool (query, 1, 4712, 3, 0);
    gst_query_unref (query);
    rig_clear (&rig);
  }
  gst_caps_unref (caps);
}

GST_END_TEST;

/* Nobody else has an answer, or knows what it is about. */
GST_START_TEST (test_buffers_alone)
{
  GstCaps *caps[] = {
    caps_of (WIDTH, HEIGHT, FPS), gst_caps_new_any (), gst_caps_new_empty (),
    NULL
  };
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

GST_END_TEST;

/* --- the results ---------------------------------------------------------- */

static guint
scene (guint x, guint y, guint t)
{
  guint v = 60 + noise (x, y, 4) / 4 + noise (x, y, 10 * t) / 24;

  return x - (t * 2 % 60) < 12 && y - 10 < 14 ? v + 80 : v;
}

/* Frame t, in the middle of what may happen to a stream. */
static void
push_scene (Rig * rig, guint t)
{
  static const gchar *const modes[] = {
    "threshold", "otsu", "difference", "sigma-delta",
  };
  const Layout layout = { TRUE, 0, 0 };
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

/* All that has come out: metas, in order, with their times. */
static GByteArray *
bytes_of_scene (const gchar * properties)
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
      gst_meta_serialize_simple (&meta->meta, bytes);
    gst_buffer_unref (buffer);
  }
  fail_unless (t >= at->n_frames ());
  rig_clear (&rig);
  return bytes;
}

GST_START_TEST (test_same_results)
{
  static const gchar *const modes[] = {
    "", "foreground=otsu", "foreground=difference close-radius=1",
    "foreground=sigma-delta open-radius=1 min-area=2",
  };
  const gchar *mode = modes[__i__];
  static const guint depths[] = { 1, 3, 16 };
  GByteArray *expected = bytes_of_scene (mode);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (depths); i++) {
    gchar *properties = g_strdup_printf ("async-depth=%u %s", depths[i], mode);
    GByteArray *bytes = bytes_of_scene (properties);

    fail_unless (bytes->len == expected->len
        && memcmp (bytes->data, expected->data, bytes->len) == 0, "%s",
        properties);
    g_byte_array_unref (bytes);
    g_free (properties);
  }
  g_byte_array_unref (expected);
}

GST_END_TEST;

/* Frames that grow by a crop, which the engine is not ready for. */
GST_START_TEST (test_growing)
{
  const Layout layout = { TRUE, 0, 0 };
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

GST_END_TEST;

Suite *
flight_suite (const Place * place)
{
  Suite *s = suite_create ("flight");
  TCase *tc = tcase_create ("general");

  at = place;
  tcase_set_timeout (tc, 0);
  tcase_add_loop_test (tc, test_depth, 0, 5);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_event_out_of_band);
  tcase_add_test (tc, test_queries);
  tcase_add_test (tc, test_gaps);
  tcase_add_test (tc, test_discont);
  tcase_add_test (tc, test_qos);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_stop);
  tcase_add_test (tc, test_bad_frame);
  tcase_add_test (tc, test_flow_of_drain);
  tcase_add_test (tc, test_flow_of_success);
  tcase_add_loop_test (tc, test_flow_of_event, 0, 2);
  tcase_add_test (tc, test_flush_after_error);
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_no_latency);
  tcase_add_test (tc, test_buffers);
  tcase_add_test (tc, test_buffers_alone);
  tcase_add_loop_test (tc, test_same_results, 0, 4);
  tcase_add_test (tc, test_growing);
  suite_add_tcase (s, tc);
  return s;
}
