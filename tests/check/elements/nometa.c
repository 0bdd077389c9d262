/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Elements that read GstCcaMeta, on streams that have none. */

#include "util.h"

#include <string.h>

#define CAPS "video/x-raw,format=GRAY8,width=16,height=8,framerate=25/1"
#define OTHER_CAPS "video/x-raw,format=GRAY8,width=8,height=16,framerate=25/1"

/* buffers after which the warning is posted */
#define LIMIT 30

static const gchar *const names[] = {
  "ccaactivity",
  "ccaexpand",
  "ccajson",
  "ccaoverlay",
  "ccatrack",
};

static GstHarness *
reader_new (guint number, GstBus **bus)
{
  GstHarness *h = gst_harness_new (names[number]);

  *bus = gst_bus_new ();
  gst_element_set_bus (h->element, *bus);
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static void
push (GstHarness *h, guint n, gsize size, GstBufferFlags flags)
{
  while (n-- > 0) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

    GST_BUFFER_FLAG_SET (buffer, flags);
    assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
}

static void
push_bare (GstHarness *h, guint n)
{
  push (h, n, 128, 0);
}

/* A frame in which nothing was found. */
static void
push_analysed (GstHarness *h)
{
  const GstCcaAnalysis analysis = {
    .width = 16,
    .height = 8,
    .connectivity = 8,
    .depth = 8,
  };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 128, NULL);

  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, NULL) != NULL);
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
}

static void
assert_silence (GstBus *bus)
{
  fail_unless (
      gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR)
      == NULL);
}

static void
assert_one_warning (GstBus *bus, guint n_buffers)
{
  GstMessage *message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  gchar *count = g_strdup_printf ("\nThe first %u buffers of the stream have "
                                  "none.",
      n_buffers);
  GError *error = NULL;
  gchar *detail = NULL;

  fail_unless (message != NULL, "no warning");
  assert_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, &detail);
  assert_equals_string (error->message,
      "There is no GstCcaMeta on the "
      "buffers: put cca or cudacca before this element, with no element in "
      "between that drops metas.");
  fail_unless (strstr (detail, count) != NULL, "%s", detail);
  g_error_free (error);
  g_free (detail);
  g_free (count);
  gst_message_unref (message);
  assert_silence (bus);
}

TEST_LOOP (test_first_buffers, 0, G_N_ELEMENTS (names))
{
  GstBus *bus;
  GstHarness *h = reader_new (__i__, &bus);

  push_bare (h, LIMIT - 1);
  assert_silence (bus);
  push_bare (h, 1);
  assert_one_warning (bus, LIMIT);

  /* once for a stream, even after other caps */
  push_bare (h, 2 * LIMIT);
  gst_harness_set_src_caps_str (h, OTHER_CAPS);
  push_bare (h, LIMIT);
  push_flush (h);
  push_bare (h, LIMIT);
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_silence (bus);
  harness_free (h, bus);
}

TEST_LOOP (test_short_stream, 0, G_N_ELEMENTS (names))
{
  GstBus *bus;
  GstHarness *h = reader_new (__i__, &bus);

  push_bare (h, 3);
  assert_silence (bus);
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_one_warning (bus, 3);

  /* the next stream counts for itself */
  gst_harness_push_event (h, gst_event_new_stream_start ("next"));
  push_segment (h);
  push_bare (h, LIMIT - 1);
  assert_silence (bus);
  push_bare (h, 1);
  assert_one_warning (bus, LIMIT);
  harness_free (h, bus);
}

/* One analysed frame is enough, however many were not analysed before it, as
 * long as the limit is not reached, and after it. */
TEST_LOOP (test_some_analysed, 0, G_N_ELEMENTS (names))
{
  GstBus *bus;
  GstHarness *h = reader_new (__i__, &bus);

  push_bare (h, LIMIT - 1);
  push_analysed (h);
  push_bare (h, 2 * LIMIT);
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_silence (bus);
  harness_free (h, bus);
}

/* Analysers pass gaps and empty buffers on without a meta. */
TEST_LOOP (test_nothing_to_analyse, 0, G_N_ELEMENTS (names))
{
  GstBus *bus;
  GstHarness *h = reader_new (__i__, &bus);

  push (h, 2 * LIMIT, 128, GST_BUFFER_FLAG_GAP);
  push (h, 2 * LIMIT, 0, 0);
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_silence (bus);
  harness_free (h, bus);
}

SUITE ("nometa");
