/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Each call of ccatrack that can fail does so once: one error in one sentence,
 * nothing left behind, and the ids are right when it is started again. */

#include "../check/elements/util.h"

#include <gst/analytics/analytics.h>

#include "faults.h"

#define N_FRAMES 6

GST_PLUGIN_STATIC_DECLARE (cca);

static void
setup (void)
{
  static gboolean registered = FALSE;

  if (!registered)
    GST_PLUGIN_STATIC_REGISTER (cca);
  registered = TRUE;
}

/* Boxes in rows, more in each frame, so that all memory grows, and few in the
 * last ones, so that tracks are lost and end. Without a velocity a box does not
 * overlap its previous one. With objects of an analyser, or without. */
static GstBuffer *
frame (guint number, gboolean with_objects)
{
  const guint n = number >= N_FRAMES - 2 ? 1 : 3 + 20 * number;
  const GstCcaAnalysis analysis = {
    .width = 1000,
    .height = 1000,
    .connectivity = 8,
    .n_found = n,
  };
  GstCcaComponent *c = g_new0 (GstCcaComponent, n);
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta;
  guint i;

  for (i = 0; i < n; i++)
    c[i] = (GstCcaComponent) {
      .id = i + 1,
      .x = i % 40 * 20 + 6 * number,
      .y = i / 40 * 20,
      .width = 4,
      .height = 4,
      .area = 9,
      .centroid_x = i % 40 * 20 + 6 * number,
      .centroid_y = i / 40 * 20,
      .track_id = -1,
    };
  meta = gst_buffer_add_cca_meta_from_components (buffer, &analysis, c, n);
  fail_unless (meta != NULL);
  if (with_objects)
    gst_cca_meta_emit_analytics (meta, buffer, NULL, n, 0, 0);
  g_free (c);
  return buffer;
}

static void
assert_ids (GstBuffer *buffer, gint64 first_of_all)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  const GstCcaComponent *c;
  guint n, i;

  c = gst_cca_meta_get_components (gst_buffer_get_cca_meta (buffer), &n);
  for (i = 0; i < n; i++)
    assert_equals_int64 (c[i].track_id, first_of_all + i);
  fail_unless (relations != NULL);
  fail_unless (gst_analytics_relation_get_length (relations) >= 2 * n);
}

/* Not 1 in an element that gave some before. */
static gint64
first_id (GstBuffer *buffer)
{
  GstCcaComponent c;

  fail_unless (
      gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0, &c));
  return c.track_id;
}

/* FALSE: refused. */
static gboolean
play (GstHarness *h, guint nth, const gchar **fault)
{
  GstBuffer *frames[N_FRAMES];
  GstFlowReturn ret = GST_FLOW_OK;
  gint64 first_of_all = 0;
  guint i;

  for (i = 0; i < N_FRAMES; i++)
    frames[i] = frame (i, i % 2);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps (h, frame_caps (GST_VIDEO_FORMAT_GRAY8, 1000, 1000));
  faults_arm (nth);
  for (i = 0; i < N_FRAMES && ret == GST_FLOW_OK; i++) {
    ret = gst_harness_push (h, g_steal_pointer (&frames[i]));
    if (ret == GST_FLOW_OK) {
      GstBuffer *out = gst_harness_pull (h);

      if (i == 0)
        first_of_all = first_id (out);
      assert_ids (out, first_of_all);
      gst_buffer_unref (out);
    }
  }
  *fault = faults_disarm ();
  fail_unless (ret == GST_FLOW_OK || ret == GST_FLOW_ERROR);
  for (i = 0; i < N_FRAMES; i++)
    gst_clear_buffer (&frames[i]);
  return ret == GST_FLOW_OK;
}

/* FALSE: nothing failed. */
static gboolean
try_track (guint nth, guint *n_errors)
{
  GstHarness *h = gst_harness_new_parse (
      "ccatrack min-hits=1 max-lost=1 "
      "max-distance=1000 "
      "lines=\"<[a,x1=20,y1=0,x2=20,y2=1000]>\"");
  GstBus *bus = gst_bus_new ();
  const gchar *fault, *none;
  gboolean ok;

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_bus (h->element, bus);
  ok = play (h, nth, &fault);
  fail_unless (ok || fault != NULL);
  if (ok) {
    assert_no_error (bus);
  } else {
    assert_error (bus, "The ");
    ++*n_errors;
    gst_element_set_state (h->element, GST_STATE_NULL);
    fail_unless (play (h, 0, &none), "does not start again after %s failed",
        fault);
    assert_no_error (bus);
  }
  harness_free (h, bus);
  return fault != NULL;
}

TEST (test_ccatrack)
{
  guint nth, n_errors = 0;

  for (nth = 1; try_track (nth, &n_errors); nth++)
    ;
  fail_unless (n_errors > 50, "only %u errors", n_errors);
  faults_print ("ccatrack");
}

SUITE ("track", .setup = setup, .timeout = 120);
