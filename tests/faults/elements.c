/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Each call of the CPU elements and of the meta library that can fail does so
 * once: one error in one sentence, GST_FLOW_ERROR, nothing left behind, and the
 * element works the next time it is started. */

#include "../check/elements/util.h"

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccafeatures.h>
#include <gst/ccameta/gstccalabelsmeta.h>

#include <glib/gstdio.h>
#include <unistd.h>

#include "faults.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 65
#define HEIGHT 33
#define N_IN_FLIGHT 7 /* frames */
#define N_TRACKED 6   /* frames */

GST_PLUGIN_STATIC_DECLARE (cca);

static Picture small, large;
static guint segmentations; /* of each frame, beside the objects */

static void
setup (void)
{
  static gboolean registered = FALSE;

  if (!registered)
    GST_PLUGIN_STATIC_REGISTER (cca);
  registered = TRUE;
  small = picture_new (WIDTH, HEIGHT, noise, 2);
  large = picture_new (4 * WIDTH, 3 * HEIGHT, noise, 4);
}

static void
teardown (void)
{
  picture_clear (&small);
  picture_clear (&large);
}

static guint
count_metas (GstBuffer *buffer, GType api)
{
  gpointer state = NULL;
  guint n = 0;

  while (gst_buffer_iterate_meta_filtered (buffer, &state, api) != NULL)
    n++;
  return n;
}

/* All requested metas are present and correct. */
static void
assert_metas (GstBuffer *buffer, const Picture *picture)
{
  GArray *expected = expect (picture, &default_look);
  GstAnalyticsRelationMeta *relations;

  assert_components (gst_buffer_get_cca_meta (buffer), expected);
  assert_equals_int (count_metas (buffer,
                         GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE),
      expected->len);
  relations = gst_buffer_get_analytics_relation_meta (buffer);
  fail_unless (relations != NULL);
  assert_equals_int (gst_analytics_relation_get_length (relations),
      expected->len + segmentations);
  g_array_unref (expected);
}

/* The picture with its own layout in a VideoMeta and a crop of all of it, which
 * may be larger than the caps; or as the caps say. */
static GstBuffer *
frame (const Picture *picture, gboolean described)
{
  Layout layout = {TRUE, 40, 7};
  GstBuffer *buffer = frame_new (FORMAT, picture, described ? &layout : NULL);

  if (described) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->width = picture->width;
    crop->height = picture->height;
  }
  return buffer;
}

/* Returns FALSE if the buffer is refused. Without a picture no component is
 * expected. */
static gboolean
push (GstHarness *h, GstBuffer **buffer, const Picture *picture)
{
  GstFlowReturn ret = gst_harness_push (h, g_steal_pointer (buffer));
  GstBuffer *out;

  if (ret != GST_FLOW_OK) {
    /* not negotiated: the caps were refused */
    fail_unless (ret == GST_FLOW_ERROR || ret == GST_FLOW_NOT_NEGOTIATED, "%s",
        gst_flow_get_name (ret));
    fail_unless (gst_harness_try_pull (h) == NULL);
    return FALSE;
  }
  out = gst_harness_pull (h);
  if (picture != NULL)
    assert_metas (out, picture);
  else
    assert_equals_int (gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (out)),
        0);
  gst_buffer_unref (out);
  return TRUE;
}

static void
set_foreground (GstHarness *h, GstCcaForeground foreground)
{
  GstElement *cca = gst_bin_get_by_name (GST_BIN (h->element), "a");

  g_object_set (cca, "foreground", foreground, NULL);
  gst_object_unref (cca);
}

/* After a failed start the element accepts properties of a stopped one. */
static void
assert_can_be_set (GstHarness *h)
{
  GstElement *cca = gst_bin_get_by_name (GST_BIN (h->element), "a");
  guint max;

  g_object_set (cca, "max-components", 65537, NULL);
  g_object_get (cca, "max-components", &max, NULL);
  assert_equals_int (max, 65537);
  gst_object_unref (cca);
}

/* From the start to three frames, while the nth call fails: the second one
 * needs more memory, the third one a background. */
static gboolean
analyse (GstHarness *h, guint nth, const gchar **fault)
{
  GstBuffer *first = frame (&small, FALSE), *second = frame (&large, TRUE);
  GstBuffer *third = frame (&large, TRUE);
  gboolean ok = FALSE;

  if (nth == 0)
    assert_can_be_set (h);
  set_foreground (h, GST_CCA_FOREGROUND_THRESHOLD);
  faults_arm (nth);
  if (gst_element_set_state (h->element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_SUCCESS) {
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    gst_harness_set_src_caps (h, frame_caps (FORMAT, WIDTH, HEIGHT));
    ok = push (h, &first, &small) && push (h, &second, &large);
    if (ok) {
      set_foreground (h, GST_CCA_FOREGROUND_SIGMA_DELTA);
      ok = push (h, &third, NULL);
    }
  }
  *fault = faults_disarm ();
  gst_clear_buffer (&first);
  gst_clear_buffer (&second);
  gst_clear_buffer (&third);
  return ok;
}

/* Starts the element and plays a stream, whose nth call fails, or none if that
 * is 0. Returns FALSE if a buffer is refused. */
typedef gboolean (*Play) (GstHarness *h, guint nth, const gchar **fault);

/* Each call fails once, and at least that many make an error. */
static void
fail_in_turn (const gchar *description, Play play, guint min_errors)
{
  const gchar *fault = "", *none;
  guint nth, n_errors = 0;

  for (nth = 1; fault != NULL; nth++) {
    GstHarness *h = gst_harness_new_parse (description);
    GstBus *bus = gst_bus_new ();

    gst_element_set_state (h->element, GST_STATE_NULL);
    gst_element_set_bus (h->element, bus);
    if (!play (h, nth, &fault)) {
      fail_unless (fault != NULL);
      assert_error (bus, "The ");
      n_errors++;
      gst_element_set_state (h->element, GST_STATE_NULL);
      fail_unless (play (h, 0, &none), "does not start again after %s failed",
          fault);
    }
    assert_no_error (bus);
    harness_free (h, bus);
  }
  fail_unless (n_errors >= min_errors, "only %u errors", n_errors);
  faults_print (description);
}

TEST (test_cca)
{
  fail_in_turn ("cca name=a meta-types=cca+roi+analytics post-messages=true",
      analyse, 6);
  fail_in_turn ("cca name=a meta-types=cca+roi+analytics threads=3 "
                "features=moments+intensity+shape",
      analyse, 7);
  fail_in_turn ("cca name=a meta-types=cca+roi+analytics+labels+background",
      analyse, 7);
  fail_in_turn (
      "cca name=a meta-types=cca+roi+analytics "
      "regions=<[all,points=<-9,-9,999,-9,999,999,-9,999>,min-area=1],"
      "[away,type=exclude,points=<-9,-9,-5,-9,-5,-5>]>",
      analyse, 7);
#if GST_CHECK_VERSION(1, 26, 0)
  segmentations = 1;
  fail_in_turn ("cca name=a meta-types=cca+roi+analytics+segmentation", analyse,
      6);
  segmentations = 0;
#endif
}

/* One frame whose components are grouped. */
static gboolean
group (GstHarness *h, guint nth, const gchar **fault)
{
  GstBuffer *buffer = frame (&small, FALSE);
  gboolean ok = FALSE;

  faults_arm (nth);
  if (gst_element_set_state (h->element, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_SUCCESS) {
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    gst_harness_set_src_caps (h, frame_caps (FORMAT, WIDTH, HEIGHT));
    ok = gst_harness_push (h, g_steal_pointer (&buffer)) == GST_FLOW_OK;
  }
  *fault = faults_disarm ();
  gst_clear_buffer (&buffer);
  if (ok)
    gst_buffer_unref (gst_harness_pull (h));
  return ok;
}

TEST (test_groups)
{
  fail_in_turn ("cca name=a meta-types=cca group-distance=9", group, 6);
  fail_in_turn ("cca name=a meta-types=cca group-distance=9 features=moments",
      group, 6);
}

/* Returns FALSE if nothing failed. A background that cannot be saved or loaded
 * is one warning, and the element works on. */
static gboolean
try_background (GstHarness *h, GstBus *bus, const gchar *signal,
    const gchar *path, guint nth)
{
  GstElement *cca = gst_bin_get_by_name (GST_BIN (h->element), "a");
  GstBuffer *buffer = frame (&small, FALSE);
  const gchar *fault;
  gboolean ok;

  faults_arm (nth);
  g_signal_emit_by_name (cca, signal, path, &ok);
  fault = faults_disarm ();
  assert_equals_int (ok, fault == NULL);
  assert_equals_int (count_warning_messages (bus, "memory"), fault != NULL);
  fail_unless (gst_harness_push (h, buffer) == GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));
  gst_object_unref (cca);
  return fault != NULL;
}

TEST (test_background)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca name=a foreground=sigma-delta", FORMAT,
      WIDTH, HEIGHT, &bus);
  gchar *path = g_strdup_printf ("%s/background-%d.pgm", g_get_tmp_dir (),
      (int) getpid ());
  GstBuffer *buffer = frame (&small, FALSE);
  guint n_saves, n_loads;

  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  for (n_saves = 1; try_background (h, bus, "save-background", path, n_saves);
      n_saves++)
    ;
  for (n_loads = 1; try_background (h, bus, "load-background", path, n_loads);
      n_loads++)
    ;
  fail_unless (n_saves > 2 && n_loads > 1);
  g_remove (path);
  g_free (path);
  harness_free (h, bus);
}

/* Returns FALSE if nothing failed. A mask that cannot be set is one warning. */
static gboolean
try_mask (GstElement *cca, GstSample *mask, GstBus *bus, guint nth)
{
  const gchar *fault;

  faults_arm (nth);
  g_object_set (cca, "mask", mask, NULL);
  fault = faults_disarm ();
  assert_equals_int (count_warning_messages (bus, "mask keeps its value"),
      fault != NULL);
  return fault != NULL;
}

TEST (test_mask)
{
  GstBus *bus;
  GstHarness *h = harness_new ("cca name=a", FORMAT, WIDTH, HEIGHT, &bus);
  GstElement *cca = gst_bin_get_by_name (GST_BIN (h->element), "a");
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=GRAY8, width=4, "
                                        "height=1");
  GstBuffer *pixels = gst_buffer_new_memdup ("\377\377\377\377", 4);
  GstSample *mask = gst_sample_new (pixels, caps, NULL, NULL);
  GstBuffer *buffer = frame (&small, FALSE);
  guint n;

  for (n = 1; try_mask (cca, mask, bus, n); n++)
    ;
  fail_unless (n > 2);
  gst_buffer_unref (gst_harness_push_and_pull (h, buffer));
  gst_sample_unref (mask);
  gst_buffer_unref (pixels);
  gst_caps_unref (caps);
  gst_object_unref (cca);
  harness_free (h, bus);
}

TEST (test_ccaexpand)
{
  fail_in_turn ("cca name=a meta-types=cca ! ccaexpand", analyse, 6);
}

/* Boxes in rows, more in each frame, so that all memory grows, and few in the
 * last ones, so that tracks are lost and end. Without a velocity a box does not
 * overlap its previous one. With objects of an analyser, or without. */
static GstBuffer *
tracked_frame (guint number, gboolean with_objects)
{
  const guint n = number >= N_TRACKED - 2 ? 1 : 3 + 20 * number;
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

/* An element that is started again continues its ids. */
static gint64
first_id (GstBuffer *buffer)
{
  GstCcaComponent c;

  fail_unless (
      gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0, &c));
  return c.track_id;
}

static gboolean
track (GstHarness *h, guint nth, const gchar **fault)
{
  GstBuffer *frames[N_TRACKED];
  GstFlowReturn ret = GST_FLOW_OK;
  gint64 first_of_all = 0;
  guint i;

  for (i = 0; i < N_TRACKED; i++)
    frames[i] = tracked_frame (i, i % 2);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps (h, frame_caps (GST_VIDEO_FORMAT_GRAY8, 1000, 1000));
  faults_arm (nth);
  for (i = 0; i < N_TRACKED && ret == GST_FLOW_OK; i++) {
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
  for (i = 0; i < N_TRACKED; i++)
    gst_clear_buffer (&frames[i]);
  return ret == GST_FLOW_OK;
}

TEST (test_ccatrack)
{
  fail_in_turn ("ccatrack min-hits=1 max-lost=1 max-distance=1000 "
                "lines=\"<[a,x1=20,y1=0,x2=20,y2=1000]>\" "
                "zones=\"<[all,points=<-9,-9,999,-9,999,999,-9,999>,"
                "enter-frames=1]>\"",
      track, 51);
  fail_in_turn ("ccatrack min-hits=1 max-lost=1 max-distance=1000 unite=100",
      track, 100);
}

/* Two frames with a label image. GStreamer loses a meta if the copy of a buffer
 * fails. */
TEST (test_ccamask)
{
  GstHarness *cca = gst_harness_new_parse ("cca meta-types=labels");
  const gchar *fault = "";
  GstBuffer *labelled;
  guint nth, n_errors = 0, i;

  gst_harness_set_src_caps (cca, frame_caps (FORMAT, WIDTH, HEIGHT));
  labelled = gst_harness_push_and_pull (cca, frame (&small, FALSE));
  for (nth = 1; fault != NULL; nth++) {
    GstHarness *h = gst_harness_new_parse ("ccamask mode=colors");
    GstBus *bus = gst_bus_new ();
    GstFlowReturn ret = GST_FLOW_OK;

    gst_element_set_bus (h->element, bus);
    gst_harness_set_src_caps (h, frame_caps (FORMAT, WIDTH, HEIGHT));
    faults_arm (nth);
    for (i = 0; i < 2 && ret == GST_FLOW_OK; i++)
      ret = gst_harness_push (h, gst_buffer_ref (labelled));
    fault = faults_disarm ();
    if (ret == GST_FLOW_OK) {
      assert_no_error (bus);
    } else {
      assert_error (bus, "The mask cannot be rendered: ");
      n_errors++;
    }
    /* and the next one is right */
    gst_buffer_unref (labelled);
    labelled = gst_harness_push_and_pull (cca, frame (&small, FALSE));
    fail_unless (gst_buffer_get_cca_labels_meta (labelled) != NULL);
    assert_equals_int (gst_harness_push (h, gst_buffer_ref (labelled)),
        GST_FLOW_OK);
    harness_free (h, bus);
  }
  assert_equals_int (n_errors, 4);
  gst_buffer_unref (labelled);
  gst_harness_teardown (cca);
  faults_print ("ccamask");
}

static GstBuffer *
nth_frame (guint n, guint *n_freed)
{
  GstBuffer *buffer = frame (n % 3 == 2 ? &large : &small, TRUE);

  GST_BUFFER_PTS (buffer) = n;
  gst_mini_object_weak_ref (GST_MINI_OBJECT (buffer), count_freed, n_freed);
  return buffer;
}

/* The pushed frames are in order, from one on, and right. */
static guint
take_frames (GstHarness *h, guint from)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    assert_equals_uint64 (GST_BUFFER_PTS (buffer), from);
    assert_metas (buffer, from % 3 == 2 ? &large : &small);
    gst_buffer_unref (buffer);
    from++;
  }
  return from;
}

/* The new frame, one of those in flight, or both fail, in the middle of the
 * stream or before an event: there is one error, one push returns it, and
 * nothing is in flight afterwards; another error follows if the next frame
 * fails. Returns FALSE if nothing failed. */
static gboolean
try_queue (guint nth, gboolean all, guint *n_errors)
{
  GstHarness *h = gst_harness_new_parse ("cca name=a async-depth=2 "
                                         "meta-types=cca+roi+analytics+labels");
  GstFlowReturn ret = GST_FLOW_OK;
  GstBus *bus = gst_bus_new ();
  GstBuffer *frames[N_IN_FLIGHT + 1], *another;
  guint n_pushed = 0, n_freed = 0, i;
  const gchar *fault;

  for (i = 0; i <= N_IN_FLIGHT; i++)
    frames[i] = nth_frame (i, &n_freed);
  another = nth_frame (i, &n_freed);
  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps (h, frame_caps (FORMAT, WIDTH, HEIGHT));
  if (all)
    faults_arm_all (nth);
  else
    faults_arm (nth);
  while (ret == GST_FLOW_OK && n_pushed < N_IN_FLIGHT) {
    if (n_pushed == N_IN_FLIGHT - 1)
      gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
    ret = gst_harness_push (h, frames[n_pushed++]);
  }
  fault = faults_disarm ();
  while (n_pushed < N_IN_FLIGHT)
    gst_buffer_unref (frames[n_pushed++]);

  fail_unless (ret == GST_FLOW_OK || (ret == GST_FLOW_ERROR && fault != NULL));
  if (ret != GST_FLOW_OK) {
    ++*n_errors;
    assert_error (bus, "The ");
    fail_unless (take_frames (h, 0) < N_IN_FLIGHT);
    assert_equals_int (n_freed, N_IN_FLIGHT);
    faults_arm_all (1);
    assert_equals_int (gst_harness_push (h, another), GST_FLOW_ERROR);
    faults_disarm ();
    assert_error (bus, "The ");
  } else {
    gst_buffer_unref (another);
  }
  assert_equals_int (gst_harness_push (h, frames[N_IN_FLIGHT]), GST_FLOW_OK);
  gst_harness_push_event (h, gst_event_new_eos ());
  assert_equals_int (take_frames (h, ret != GST_FLOW_OK ? N_IN_FLIGHT : 0),
      N_IN_FLIGHT + 1);
  assert_no_error (bus);
  harness_free (h, bus);
  return fault != NULL;
}

TEST_LOOP (test_queue, 0, 2)
{
  const gboolean all = __i__;
  guint nth, n_errors = 0;

  for (nth = 1; try_queue (nth, all, &n_errors); nth++)
    ;
  fail_unless (n_errors > 40, "only %u errors", n_errors);
  faults_print ("frames in flight");
}

/* Returns TRUE if a call failed. The frame passes unchanged, with one warning,
 * and the next one is drawn on. */
static gboolean
try_overlay (guint nth)
{
  const GstCcaAnalysis analysis = {.width = WIDTH,
    .height = HEIGHT,
    .connectivity = 8,
    .n_found = 1};
  const GstCcaComponent box = {.id = 1, .width = WIDTH, .height = 9, .area = 9};
  GstBus *bus;
  GstHarness *h = harness_new ("ccaoverlay", FORMAT, WIDTH, HEIGHT, &bus);
  const gchar *fault = NULL;
  guint i;

  for (i = 0; i < 2; i++) {
    GstBuffer *in = frame_new (FORMAT, &small, NULL), *out;
    guint8 after;

    fail_unless (
        gst_buffer_add_cca_meta_from_components (in, &analysis, &box, 1)
        != NULL);
    gst_buffer_memset (in, 0, 0, WIDTH);
    if (i == 0)
      faults_arm (nth);
    assert_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    if (i == 0)
      fault = faults_disarm ();
    out = gst_harness_try_pull (h);
    fail_unless (out == in);
    gst_buffer_extract (out, WIDTH / 2, &after, 1);
    fail_unless ((after == 0) == (i == 0 && fault != NULL));
    gst_buffer_unref (out);
  }
  assert_equals_int (count_warning_messages (bus, ""), fault != NULL);
  assert_no_error (bus);
  harness_free (h, bus);
  return fault != NULL;
}

TEST (test_ccaoverlay)
{
  guint nth;

  for (nth = 1; try_overlay (nth); nth++)
    ;
  fail_unless (nth > 1);
  faults_print ("ccaoverlay");
}

/* A meta that cannot be read or added leaves the buffer as it was. */
TEST (test_meta)
{
  const GstCcaAnalysis analysis = {.width = 4,
    .height = 4,
    .connectivity = 8,
    .n_found = 1};
  const GstCcaComponent component = {.id = 1,
    .width = 1,
    .height = 1,
    .area = 1};
  GBytes *components = g_bytes_new (&component, sizeof (component));
  GByteArray *bytes = g_byte_array_new ();
  GstBuffer *buffer = gst_buffer_new (), *copy;
  GstCcaMeta *meta = gst_buffer_add_cca_meta (buffer, &analysis, components);
  const GstCcaFeatures features = {.xx = 1};
  guint32 consumed;
  GstMeta *read;
  guint nth;

  gst_cca_meta_set_features_from_records (meta, GST_CCA_FEATURE_FLAG_SHAPE,
      &features, 1);
  fail_unless (gst_meta_serialize_simple (GST_META_CAST (meta), bytes));
  for (nth = 1;; nth++) {
    copy = gst_buffer_new ();
    faults_arm (nth);
    read = gst_meta_deserialize (copy, bytes->data, bytes->len, &consumed);
    if (faults_disarm () == NULL)
      break;
    fail_unless (read == NULL && gst_buffer_get_cca_meta (copy) == NULL);
    gst_buffer_unref (copy);
  }
  fail_unless (read != NULL && nth == 4);
  gst_buffer_unref (copy);

  copy = gst_buffer_new ();
  faults_arm (1);
  fail_unless (gst_buffer_add_cca_meta (copy, &analysis, components) == NULL);
  fail_unless (faults_disarm () != NULL);
  for (nth = 1; nth < 3; nth++) {
    faults_arm (nth);
    assert_equals_int (gst_cca_meta_emit_analytics (meta, copy, NULL, 9, 0, 0),
        0);
    fail_unless (faults_disarm () != NULL);
  }
  assert_equals_int (gst_cca_meta_emit_analytics (meta, copy, NULL, 9, 0, 0),
      1);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
  g_byte_array_unref (bytes);
  g_bytes_unref (components);
}

SUITE ("faults", .setup = setup, .teardown = teardown, .timeout = 120);
