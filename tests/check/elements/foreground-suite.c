/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The foreground modes in an element: which changes restart the background and
 * which do not, and the effect of each property on it. */

#include "place.h"

#include <gst/controller/controller.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 64
#define HEIGHT 48

static const Place *const at = &place;

/* --- scenes --------------------------------------------------------------- */

static guint
ground (guint x, guint y, guint seed)
{
  return 100;
}

/* As bright as the seed above the ground. */
static guint
square (guint x, guint y, guint seed)
{
  return x - 20 < 10 && y - 15 < 10 ? 100 + seed : 100;
}

/* An element that analyses a static scene. */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstVideoFormat format;
  guint width, height;
  guint crop[4]; /* width 0: none */
  GstSegment segment;
} Rig;

static Rig
rig_new (const gchar *properties)
{
  gchar *description =
      g_strdup_printf ("%s name=e %s", at->element, properties);
  Rig rig = {.format = FORMAT, .width = WIDTH, .height = HEIGHT};

  rig.h = at->harness (description, FORMAT, WIDTH, HEIGHT, &rig.bus);
  gst_segment_init (&rig.segment, GST_FORMAT_TIME);
  g_free (description);
  return rig;
}

static void
rig_clear (Rig *rig)
{
  assert_no_error (rig->bus);
  harness_free (rig->h, rig->bus);
}

static GstElement *
rig_element (Rig *rig)
{
  GstElement *element = gst_harness_find_element (rig->h, at->element);

  gst_object_unref (element);
  return element;
}

/* The frame as the element gives it. */
static GstBuffer *
push (Rig *rig, Pixel pixel, guint seed, GstClockTime pts)
{
  const Layout layout = {TRUE, 0, 0};
  Picture picture = picture_new (rig->width, rig->height, pixel, seed);
  GstBuffer *buffer;

  if (format_depth (rig->format) > 8)
    picture_deepen (&picture, rig->format);
  buffer = at->frame (rig->format, &picture, &layout);
  GST_BUFFER_PTS (buffer) = pts;
  if (rig->crop[2] > 0) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = rig->crop[0];
    crop->y = rig->crop[1];
    crop->width = rig->crop[2];
    crop->height = rig->crop[3];
  }
  picture_clear (&picture);
  assert_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
  return gst_harness_pull (rig->h);
}

/* How many components are found in the scene with a square of that contrast. */
static guint
find (Rig *rig, guint contrast)
{
  GstBuffer *buffer = push (rig, square, contrast, 0);
  guint n = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (buffer));

  gst_buffer_unref (buffer);
  return n;
}

static gboolean
is_warming_up (Rig *rig)
{
  GstBuffer *buffer = push (rig, ground, 0, 0);
  GstCcaAnalysisFlags flags =
      gst_cca_meta_get_analysis (gst_buffer_get_cca_meta (buffer))->flags;

  gst_buffer_unref (buffer);
  return (flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP) != 0;
}

static guint64
background_frames (Rig *rig)
{
  GstStructure *stats;
  guint64 n = G_MAXUINT64;

  g_object_get (rig_element (rig), "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "background-frames", &n));
  gst_structure_free (stats);
  return n;
}

/* --- changes that restart the background ---------------------------------- */

static void
push_event (Rig *rig, GstEvent *event)
{
  fail_unless (gst_harness_push_event (rig->h, event));
}

static void
set_caps (Rig *rig)
{
  gst_harness_set_src_caps (rig->h,
      at->caps (rig->format, rig->width, rig->height));
}

static void
flush (Rig *rig)
{
  push_event (rig, gst_event_new_flush_start ());
  push_event (rig, gst_event_new_flush_stop (TRUE));
  push_event (rig, gst_event_new_segment (&rig->segment));
}

static void
flush_without_reset (Rig *rig)
{
  push_event (rig, gst_event_new_flush_start ());
  push_event (rig, gst_event_new_flush_stop (FALSE));
  push_event (rig, gst_event_new_segment (&rig->segment));
}

static void
start_stream (Rig *rig)
{
  push_event (rig, gst_event_new_stream_start ("another"));
}

static void
go_to_ready (Rig *rig)
{
  gst_element_set_state (rig->h->element, GST_STATE_READY);
  gst_element_set_state (rig->h->element, GST_STATE_PLAYING);
  start_stream (rig);
  set_caps (rig);
}

static void
change_width (Rig *rig)
{
  rig->width += 2;
  set_caps (rig);
}

static void
change_height (Rig *rig)
{
  rig->height -= 2;
  set_caps (rig);
}

static void
change_format (Rig *rig)
{
  rig->format = GST_VIDEO_FORMAT_I420;
  set_caps (rig);
}

static void
change_depth (Rig *rig)
{
  rig->format = GST_VIDEO_FORMAT_P010_10LE;
  set_caps (rig);
}

static void
change_width_and_back (Rig *rig)
{
  rig->width += 2;
  set_caps (rig);
  rig->width -= 2;
  set_caps (rig);
}

static void
set_crop (Rig *rig, guint x, guint y, guint width, guint height)
{
  rig->crop[0] = x;
  rig->crop[1] = y;
  rig->crop[2] = width;
  rig->crop[3] = height;
}

static void
crop_size (Rig *rig)
{
  set_crop (rig, 0, 0, WIDTH, HEIGHT - 1);
}

static void
move_crop (Rig *rig, guint x, guint y)
{
  set_crop (rig, 3, 2, 48, 40);
  assert_equals_int (find (rig, 0), 0);
  assert_equals_int (find (rig, 40), 1);
  set_crop (rig, x, y, 48, 40);
}

static void
crop_moves_across (Rig *rig)
{
  move_crop (rig, 4, 2);
}

static void
crop_moves_down (Rig *rig)
{
  move_crop (rig, 3, 3);
}

static void
emit_reset (Rig *rig)
{
  g_signal_emit_by_name (rig_element (rig), "reset-background");
}

static gpointer
emit_reset_in_thread (gpointer rig)
{
  emit_reset (rig);
  return NULL;
}

static void
reset_from_thread (Rig *rig)
{
  g_thread_join (g_thread_new ("reset", emit_reset_in_thread, rig));
}

static void
reset_twice (Rig *rig)
{
  emit_reset (rig);
  emit_reset (rig);
}

static void
push_gap (Rig *rig)
{
  GstBuffer *gap = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  gst_buffer_unref (gst_harness_push_and_pull (rig->h, gap));
}

/* A frame that is not analysed is not the first one, then. */
static void
reset_before_gap (Rig *rig)
{
  emit_reset (rig);
  push_gap (rig);
}

/* It does not count as a frame of the background. */
static void
push_empty_crop (Rig *rig)
{
  const guint64 n = background_frames (rig);
  guint before[4];

  memcpy (before, rig->crop, sizeof (before));
  set_crop (rig, WIDTH, HEIGHT, 5, 5);
  assert_equals_int (find (rig, 40), 0);
  assert_equals_uint64 (background_frames (rig), n);
  memcpy (rig->crop, before, sizeof (before));
}

static void
reset_before_empty_crop (Rig *rig)
{
  emit_reset (rig);
  push_empty_crop (rig);
}

static void
change_foreground (Rig *rig)
{
  g_object_set (rig_element (rig), "foreground", GST_CCA_FOREGROUND_OTSU, NULL);
  find (rig, 0);
  gst_util_set_object_arg (G_OBJECT (rig_element (rig)), "foreground",
      "sigma-delta");
}

static void
absorb_after (Rig *rig)
{
  g_object_set (rig_element (rig), "absorb-after", 500, NULL);
}

static void
change_frame_distance (Rig *rig)
{
  gst_element_set_state (rig->h->element, GST_STATE_READY);
  g_object_set (rig_element (rig), "frame-distance", 1, NULL);
  gst_element_set_state (rig->h->element, GST_STATE_PLAYING);
  start_stream (rig);
  set_caps (rig);
}

/* --- changes that do not -------------------------------------------------- */

static void
new_segment (Rig *rig)
{
  rig->segment.start = rig->segment.time = 10 * GST_SECOND;
  push_event (rig, gst_event_new_segment (&rig->segment));
}

static void
set_other_caps (Rig *rig, const gchar *field, GType type, gint a, gint b)
{
  GstCaps *caps = at->caps (rig->format, rig->width, rig->height);

  if (type == G_TYPE_STRING)
    gst_caps_set_simple (caps, field, type, "bt709", NULL);
  else
    gst_caps_set_simple (caps, field, type, a, b, NULL);
  gst_harness_set_src_caps (rig->h, caps);
}

static void
change_framerate (Rig *rig)
{
  set_other_caps (rig, "framerate", GST_TYPE_FRACTION, 30, 1);
}

static void
change_pixel_aspect_ratio (Rig *rig)
{
  set_other_caps (rig, "pixel-aspect-ratio", GST_TYPE_FRACTION, 4, 3);
}

static void
change_colorimetry (Rig *rig)
{
  set_other_caps (rig, "colorimetry", G_TYPE_STRING, 0, 0);
}

static void
discontinue (Rig *rig)
{
  Picture picture = picture_new (WIDTH, HEIGHT, ground, 0);
  GstBuffer *buffer = at->frame (FORMAT, &picture, NULL);

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_unref (gst_harness_push_and_pull (rig->h, buffer));
  picture_clear (&picture);
}

static void
push_other_events (Rig *rig)
{
  push_event (rig, gst_event_new_tag (gst_tag_list_new_empty ()));
  push_event (rig, gst_event_new_gap (0, GST_SECOND));
  gst_harness_push_upstream_event (rig->h,
      gst_event_new_qos (GST_QOS_TYPE_THROTTLE, 2.0, 1, 0));
}

static void
change_properties (Rig *rig)
{
  g_object_set (rig_element (rig), "roi-x", 10, "roi-width", 40, "min-contrast",
      20, "noise-factor", 3, "background-period", 7, "warm-up", 9, "threshold",
      1, "order", 1, "connectivity", 4, "min-area", (guint64) 5, "open-radius",
      1, "close-radius", 2, "meta-types", 1, "learning", FALSE,
      "threshold-depth", 8, NULL);
}

/* The background is also learnt outside the region. */
static void
move_region (Rig *rig)
{
  g_object_set (rig_element (rig), "roi-x", 50, "roi-width", 10, NULL);
  assert_equals_int (find (rig, 40), 0);
  g_object_set (rig_element (rig), "roi-x", 0, "roi-width", 40, NULL);
}

static void
empty_region (Rig *rig)
{
  g_object_set (rig_element (rig), "roi-x", 1000, NULL);
  assert_equals_int (find (rig, 0), 0);
  g_object_set (rig_element (rig), "roi-x", 0, NULL);
}

/* The rectangle that is the whole frame. */
static void
crop_nothing (Rig *rig)
{
  set_crop (rig, 0, 0, 1000, 1000);
}

/* Label images restart the background when they are switched on, but not when
 * they are switched off. */
static void
switch_labels_off (Rig *rig)
{
  guint i;

  gst_util_set_object_arg (G_OBJECT (rig_element (rig)), "meta-types",
      "cca+labels");
  for (i = 0; i < 5; i++)
    assert_equals_int (find (rig, 0), 0);
  gst_util_set_object_arg (G_OBJECT (rig_element (rig)), "meta-types", "cca");
}

static void
pause_and_play (Rig *rig)
{
  gst_element_set_state (rig->h->element, GST_STATE_PAUSED);
  gst_element_set_state (rig->h->element, GST_STATE_PLAYING);
}

static void
refuse_frame_distance (Rig *rig)
{
  g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_WARNING,
      "*frame-distance*NULL or READY*");
  g_object_set (rig_element (rig), "frame-distance", 5, NULL);
  g_test_assert_expected_messages ();
}

typedef struct
{
  const gchar *name;
  void (*happens) (Rig *rig);
  gint frames; /* that it analyses; -1: the background restarts */
} Event;

static const Event events[] = {
  {"flush", flush, -1},
  {"flush without reset", flush_without_reset, -1},
  {"stream start", start_stream, -1},
  {"READY", go_to_ready, -1},
  {"width", change_width, -1},
  {"height", change_height, -1},
  {"format", change_format, -1},
  {"depth", change_depth, -1},
  {"width and back", change_width_and_back, -1},
  {"crop size", crop_size, -1},
  {"crop across", crop_moves_across, -1},
  {"crop down", crop_moves_down, -1},
  {"reset", emit_reset, -1},
  {"reset from a thread", reset_from_thread, -1},
  {"reset twice", reset_twice, -1},
  {"reset, gap", reset_before_gap, -1},
  {"reset, empty crop", reset_before_empty_crop, -1},
  {"foreground", change_foreground, -1},
  {"frame distance", change_frame_distance, -1},
  {"absorption", absorb_after, -1},

  {"segment", new_segment, 0},
  {"framerate", change_framerate, 0},
  {"pixel aspect ratio", change_pixel_aspect_ratio, 0},
  {"colorimetry", change_colorimetry, 0},
  {"DISCONT", discontinue, 1},
  {"other events", push_other_events, 0},
  {"properties", change_properties, 0},
  {"region", move_region, 1},
  {"empty region", empty_region, 1},
  {"gap", push_gap, 0},
  {"empty crop", push_empty_crop, 0},
  {"labels", switch_labels_off, 0},
  {"crop of all", crop_nothing, 0},
  {"PAUSED", pause_and_play, 0},
  {"frame distance in PLAYING", refuse_frame_distance, 0},
};

/* Frame n of a background in which there is a square or, if it is the first,
 * nothing. */
static void
assert_next (Rig *rig, const Event *event, guint n)
{
  const guint n_found = find (rig, 60);

  fail_unless (n_found == (n > 0), "%s: %u found", event->name, n_found);
  fail_unless (background_frames (rig) == n,
      "%s: %" G_GUINT64_FORMAT " frames and not %u", event->name,
      background_frames (rig), n);
}

TEST_LOOP (test_events, 0, G_N_ELEMENTS (events))
{
  const Event *event = &events[__i__];
  Rig rig = rig_new ("foreground=sigma-delta");
  guint i;

  assert_equals_int (find (&rig, 60), 0);
  emit_reset (&rig);
  for (i = 0; i < 5; i++)
    assert_equals_int (find (&rig, 0), 0);
  assert_equals_uint64 (background_frames (&rig), 4);

  event->happens (&rig);
  assert_next (&rig, event, event->frames < 0 ? 0 : 5 + event->frames);
  /* one restart is enough: the next frame shows what has left */
  if (event->frames < 0) {
    assert_equals_int (find (&rig, 0), 1);
    assert_equals_uint64 (background_frames (&rig), 1);
    assert_equals_int (find (&rig, 60), 0);
    assert_equals_uint64 (background_frames (&rig), 2);
  }
  rig_clear (&rig);
}

/* --- the properties ------------------------------------------------------- */

/* Two in a row have a background each, and one of each mode, too. */
TEST (test_in_a_row)
{
  gchar *description = g_strdup_printf (
      "%s foreground=sigma-delta ! "
      "%s foreground=difference frame-distance=1 ! %s ! %s foreground=otsu",
      at->element, at->element, at->element, at->element);
  static const guint contrasts[] = {0, 0, 60, 60, 0};
  static const guint want[][4] = {
    {0, 0, 0, 1},
    {0, 0, 0, 1},
    {1, 1, 1, 1},
    {1, 0, 1, 1},
    {0, 1, 0, 1},
  };
  GstHarness *h = at->harness (description, FORMAT, WIDTH, HEIGHT, NULL);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (contrasts); i++) {
    Picture picture = picture_new (WIDTH, HEIGHT, square, contrasts[i]);
    GstBuffer *out =
        gst_harness_push_and_pull (h, at->frame (FORMAT, &picture, NULL));

    for (j = 0; j < 4; j++)
      fail_unless (gst_cca_meta_get_n_found (nth_meta (out, j)) == want[i][j],
          "frame %u, element %u: %u", i, j,
          gst_cca_meta_get_n_found (nth_meta (out, j)));
    gst_buffer_unref (out);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
  g_free (description);
}

/* A new object is found while the frame it is compared with lacks it. */
TEST_LOOP (test_frame_distance, 1, 17)
{
  const guint distance = __i__;
  gchar *properties = g_strdup_printf ("foreground=difference "
                                       "frame-distance=%u",
      distance);
  Rig rig = rig_new (properties);
  guint i;

  for (i = 0; i < distance + 2; i++)
    assert_equals_int (is_warming_up (&rig), i < distance);
  for (i = 0; i < distance + 2; i++)
    assert_equals_int (find (&rig, 60), i < distance);
  rig_clear (&rig);
  g_free (properties);
}

TEST_LOOP (test_warm_up, 0, 4)
{
  const guint warm_up = __i__;
  gchar *properties =
      g_strdup_printf ("foreground=sigma-delta warm-up=%u", warm_up);
  Rig rig = rig_new (properties);
  guint i;

  for (i = 0; i < warm_up + 3; i++)
    assert_equals_int (is_warming_up (&rig), i == 0 || i <= warm_up);
  emit_reset (&rig);
  fail_unless (is_warming_up (&rig));
  /* it is of frames alone */
  gst_util_set_object_arg (G_OBJECT (rig_element (&rig)), "foreground",
      "threshold");
  fail_if (is_warming_up (&rig));
  rig_clear (&rig);
  g_free (properties);
}

/* The maximum number of frames in which a stopped object is found. */
static guint
frames_until_absorbed (const gchar *properties)
{
  Rig rig = rig_new (properties);
  guint i;

  assert_equals_int (find (&rig, 0), 0);
  for (i = 0; i < 400 && find (&rig, 60) == 1; i++)
    ;
  rig_clear (&rig);
  return i;
}

/* Without learning it stays; with a longer period, it stays longer. */
TEST (test_learning)
{
  guint warming_up = frames_until_absorbed ("foreground=sigma-delta");
  guint later = frames_until_absorbed ("foreground=sigma-delta warm-up=0");
  Rig rig = rig_new ("foreground=sigma-delta");
  guint i;

  fail_unless (warming_up > 5 && warming_up < 60);
  fail_unless (later > 3 * warming_up && later < 5 * warming_up + 5);
  assert_equals_int (frames_until_absorbed ("foreground=sigma-delta "
                                            "learning=false"),
      400);

  /* it can be switched while it runs, and does not count as a start */
  for (i = 0; i < 3; i++)
    find (&rig, 0);
  g_object_set (rig_element (&rig), "learning", FALSE, NULL);
  for (i = 0; i < 100; i++)
    assert_equals_int (find (&rig, 60), 1);
  assert_equals_uint64 (background_frames (&rig), 102);
  g_object_set (rig_element (&rig), "learning", TRUE, NULL);
  for (i = 0; i < 100; i++)
    find (&rig, 60);
  assert_equals_int (find (&rig, 60), 0);
  rig_clear (&rig);
}

static guint
frames_in_a_row (Rig *rig, guint contrast, guint n_found)
{
  guint i;

  for (i = 0; i < 1000 && find (rig, contrast) == n_found; i++)
    ;
  return i;
}

/* An object that stops is found for absorb-after frames whatever its contrast. When
 * it leaves, the old background returns in the fourth frame. */
TEST_LOOP (test_absorption, 0, 8)
{
  static const guint contrasts[] = {25, 40, 60, 100};
  const guint contrast = contrasts[__i__ / 2], period = __i__ % 2 + 1;
  const guint absorb_after = 127 * period;
  gchar *properties = g_strdup_printf ("foreground=sigma-delta warm-up=0 "
                                       "background-period=1 absorb-after=%u",
      absorb_after - period / 2);
  Rig rig = rig_new (properties);
  guint i, found;

  for (i = 0; i < absorb_after / 2 + 4; i++)
    assert_equals_int (find (&rig, 0), 0);
  found = frames_in_a_row (&rig, contrast, 1);
  fail_unless (found >= absorb_after - 1 && found <= absorb_after,
      "contrast %u is found for %u frames", contrast, found);
  /* the object is the background now, and gains votes */
  for (i = 0; i < absorb_after; i++)
    assert_equals_int (find (&rig, contrast), 0);
  assert_equals_int (frames_in_a_row (&rig, 0, 1), 3);
  for (i = 0; i < 10; i++)
    assert_equals_int (find (&rig, 0), 0);
  rig_clear (&rig);
  g_free (properties);
}

/* A change applies to the next frame. Only one from or to 0 restarts the background. */
TEST (test_absorption_changes)
{
  Rig rig = rig_new ("foreground=sigma-delta warm-up=0 absorb-after=127");
  GstElement *element = rig_element (&rig);
  guint i;

  for (i = 0; i < 70; i++)
    assert_equals_int (find (&rig, 0), 0);
  for (i = 0; i < 60; i++)
    assert_equals_int (find (&rig, 60), 1);
  g_object_set (element, "absorb-after", 254, NULL);
  i = frames_in_a_row (&rig, 60, 1);
  fail_unless (i >= 134 && i <= 136, "%u more frames", i);
  g_object_set (element, "absorb-after", 0, NULL);
  assert_equals_int (find (&rig, 0), 0);
  assert_equals_uint64 (background_frames (&rig), 0);
  assert_equals_int (find (&rig, 60), 1);
  g_object_set (element, "absorb-after", 127, NULL);
  assert_equals_int (find (&rig, 0), 0);
  assert_equals_uint64 (background_frames (&rig), 0);

  /* without learning there are no votes */
  g_object_set (element, "learning", FALSE, NULL);
  for (i = 0; i < 20; i++)
    assert_equals_int (find (&rig, 60), 1);

  /* other modes ignore the property */
  gst_util_set_object_arg (G_OBJECT (element), "foreground", "difference");
  assert_equals_int (find (&rig, 0), 0);
  assert_equals_int (find (&rig, 60), 1);
  g_object_set (element, "absorb-after", 0, NULL);
  assert_equals_int (find (&rig, 60), 1);
  g_object_set (element, "absorb-after", 5, NULL);
  assert_equals_int (find (&rig, 60), 1);
  assert_equals_uint64 (background_frames (&rig), 3);
  rig_clear (&rig);
}

/* A period in milliseconds gives the results of the same period in frames. */
TEST_LOOP (test_times, 0, 12)
{
  static const struct
  {
    gint fps_n, fps_d;
    const gchar *times, *frames;
  } cases[] = {
    {25, 1, "warm-up-time=400", "warm-up=10"},
    {50, 1, "warm-up-time=400 warm-up=3", "warm-up=20"},
    {30000, 1001, "warm-up-time=500", "warm-up=15"},
    {25, 1, "background-period-time=60 warm-up=0",
      "background-period=2 warm-up=0"},
    {50, 1, "background-period-time=60 warm-up-time=100",
      "background-period=3 warm-up=5"},
    {25, 1, "background-period-time=1 warm-up-time=1",
      "background-period=1 warm-up=1"},
    {25, 1, "background-period-time=4294967295 warm-up=2",
      "background-period=65535 warm-up=2"},
    {10, 1, "absorb-after-time=12700 warm-up=0", "absorb-after=127 warm-up=0"},
    {10, 1, "absorb-after-time=1 warm-up=0", "absorb-after=1 warm-up=0"},
    /* no frame rate */
    {0, 1, "warm-up-time=400 warm-up=7", "warm-up=7"},
    {0, 1, "background-period-time=40 background-period=3 warm-up=0",
      "background-period=3 warm-up=0"},
    {0, 1, "absorb-after-time=400 absorb-after=127 warm-up=0",
      "absorb-after=127 warm-up=0"},
  };
  const gint fps_n = cases[__i__].fps_n;
  const gchar *const properties[] = {
    cases[__i__].times,
    cases[__i__].frames,
  };
  Rig rigs[2];
  guint i, j;

  for (j = 0; j < 2; j++) {
    gchar *all = g_strdup_printf ("foreground=sigma-delta %s", properties[j]);

    rigs[j] = rig_new (all);
    set_other_caps (&rigs[j], "framerate", GST_TYPE_FRACTION, fps_n,
        cases[__i__].fps_d);
    g_free (all);
  }
  for (i = 0; i < 40; i++) {
    const gboolean warming_up = is_warming_up (&rigs[0]);

    fail_unless (is_warming_up (&rigs[1]) == warming_up, "frame %u", i);
  }
  for (; i < 400; i++) {
    const guint contrast = i < 300 ? 60 : 0, n = find (&rigs[0], contrast);

    fail_unless (find (&rigs[1], contrast) == n, "frame %u", i);
  }
  if (fps_n == 0)
    assert_warning (rigs[0].bus, "has no frame rate");
  for (j = 0; j < 2; j++) {
    fail_unless (
        gst_bus_pop_filtered (rigs[j].bus, GST_MESSAGE_WARNING) == NULL);
    rig_clear (&rigs[j]);
  }
}

/* Another frame rate changes the number of frames, and restarts nothing. A mode
 * that has no such period needs no frame rate. */
TEST (test_times_at_another_rate)
{
  Rig rig = rig_new ("foreground=sigma-delta warm-up-time=400");
  guint i;

  for (i = 0; i < 6; i++)
    fail_unless (is_warming_up (&rig));
  set_other_caps (&rig, "framerate", GST_TYPE_FRACTION, 50, 1);
  for (; i < 30; i++)
    assert_equals_int (is_warming_up (&rig), i <= 20);
  gst_util_set_object_arg (G_OBJECT (rig_element (&rig)), "foreground",
      "difference");
  set_other_caps (&rig, "framerate", GST_TYPE_FRACTION, 0, 1);
  for (i = 0; i < 5; i++)
    find (&rig, 0);
  fail_unless (gst_bus_pop_filtered (rig.bus, GST_MESSAGE_WARNING) == NULL);
  rig_clear (&rig);
}

/* The least difference that is found, in the unit of threshold-depth. */
TEST (test_min_contrast)
{
  static const struct
  {
    GstVideoFormat format;
    guint depth, contrast; /* threshold-depth, min-contrast */
    guint least;           /* in 8 bits */
  } cases[] = {
    {GST_VIDEO_FORMAT_NV12, 8, 15, 15},
    {GST_VIDEO_FORMAT_NV12, 0, 15, 15},
    {GST_VIDEO_FORMAT_NV12, 8, 1, 1},
    {GST_VIDEO_FORMAT_NV12, 7, 10, 20},
    {GST_VIDEO_FORMAT_NV12, 10, 60, 15},
    {GST_VIDEO_FORMAT_NV12, 10, 61, 16},
    {GST_VIDEO_FORMAT_NV12, 16, 256, 1},
    {GST_VIDEO_FORMAT_NV12, 16, 257, 2},
    {GST_VIDEO_FORMAT_P010_10LE, 8, 15, 15},
    {GST_VIDEO_FORMAT_P010_10LE, 0, 60, 15},
    {GST_VIDEO_FORMAT_P010_10LE, 12, 240, 15},
    {GST_VIDEO_FORMAT_P012_LE, 8, 15, 15},
    {GST_VIDEO_FORMAT_GRAY16_LE, 8, 15, 15},
    {GST_VIDEO_FORMAT_GRAY16_LE, 0, 3840, 15},
    {GST_VIDEO_FORMAT_GRAY16_LE, 16, 3841, 16},
    {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1, 128},
  };
  static const gchar *const modes[] = {"difference", "sigma-delta"};
  guint i, j, k;

  for (i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    guint least = cases[i / 2].least;
    gchar *properties =
        g_strdup_printf ("foreground=%s threshold-depth=%u "
                         "min-contrast=%u noise-factor=1 learning=false",
            modes[i % 2], cases[i / 2].depth, cases[i / 2].contrast);
    Rig rig = rig_new (properties);

    rig.format = cases[i / 2].format;
    set_caps (&rig);
    for (j = 0; j < 3; j++) {
      guint contrast = least - 1 + j;
      Picture pictures[2];
      guint n_found = 0;

      emit_reset (&rig);
      for (k = 0; k < 2; k++) {
        guint shift = format_depth (rig.format) - 8, p;
        GstBuffer *out;

        pictures[k] = picture_new (WIDTH, HEIGHT, square, k ? contrast : 0);
        for (p = 0; p < WIDTH * HEIGHT; p++)
          pictures[k].pixels[p] <<= shift;
        out = gst_harness_push_and_pull (rig.h,
            at->frame (rig.format, &pictures[k], NULL));
        n_found = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (out));
        gst_buffer_unref (out);
        picture_clear (&pictures[k]);
      }
      fail_unless (n_found == (contrast >= least), "%s, %u bits: %u of %u",
          properties, format_depth (rig.format), contrast, least);
    }
    rig_clear (&rig);
    g_free (properties);
  }
}

/* In deeper video the greatest contrast is more than any difference. */
TEST (test_greatest_contrast)
{
  static const gchar *const modes[] = {"difference", "sigma-delta"};
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (modes); i++) {
    gchar *properties =
        g_strdup_printf ("foreground=%s min-contrast=65535", modes[i]);
    Rig rig = rig_new (properties);

    rig.format = GST_VIDEO_FORMAT_P010_10LE;
    set_caps (&rig);
    for (k = 0; k < 2; k++) {
      Picture picture = picture_new (WIDTH, HEIGHT, square, 255 * k);

      picture_deepen (&picture, rig.format);
      assert_equals_int (gst_harness_push (rig.h,
                             at->frame (rig.format, &picture, NULL)),
          GST_FLOW_OK);
      picture_clear (&picture);
    }
    for (k = 0; k < 2; k++) {
      GstBuffer *out = gst_harness_pull (rig.h);

      assert_equals_int (gst_cca_meta_get_n_found (
                             gst_buffer_get_cca_meta (out)),
          0);
      gst_buffer_unref (out);
    }
    rig_clear (&rig);
    g_free (properties);
  }
}

/* The reported thresholds are those that were used. */
TEST (test_analysis)
{
  static const struct
  {
    const gchar *properties;
    GstCcaForeground foreground;
    guint threshold, high; /* of a frame, ... */
    guint empty;           /* and of none */
  } cases[] = {
    {"threshold=77 threshold-high=99", GST_CCA_FOREGROUND_THRESHOLD, 77, 99,
      77},
    {"foreground=otsu threshold=77 threshold-high=220", GST_CCA_FOREGROUND_OTSU,
      100, 220, 0},
    {"foreground=difference min-contrast=9", GST_CCA_FOREGROUND_DIFFERENCE, 9,
      65535, 9},
    {"foreground=difference min-contrast=300", GST_CCA_FOREGROUND_DIFFERENCE,
      300, 65535, 300},
    {"foreground=sigma-delta min-contrast=9", GST_CCA_FOREGROUND_SIGMA_DELTA, 9,
      65535, 9},
    /* no more than there can be */
    {"foreground=sigma-delta min-contrast=300", GST_CCA_FOREGROUND_SIGMA_DELTA,
      255, 65535, 255},
  };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    Rig rig = rig_new (cases[i].properties);

    for (j = 0; j < 2; j++) {
      const GstCcaAnalysis *a;
      GstBuffer *buffer;

      if (j == 1)
        set_crop (&rig, WIDTH, 0, 1, 1);
      buffer = push (&rig, square, 60, 0);
      a = gst_cca_meta_get_analysis (gst_buffer_get_cca_meta (buffer));
      assert_equals_int (a->foreground, cases[i].foreground);
      assert_equals_int (a->threshold, j ? cases[i].empty : cases[i].threshold);
      assert_equals_int (a->threshold_high, cases[i].high);
      assert_equals_int (a->flags,
          cases[i].foreground >= GST_CCA_FOREGROUND_DIFFERENCE && j == 0);
      gst_buffer_unref (buffer);
    }
    rig_clear (&rig);
  }
}

/* Samples of the same size that have more values, or fewer. */
TEST (test_otsu_in_depths)
{
  static const GstVideoFormat in_turn[] = {GST_VIDEO_FORMAT_P010_10LE,
    GST_VIDEO_FORMAT_P016_LE, GST_VIDEO_FORMAT_P010_10LE,
    GST_VIDEO_FORMAT_P012_LE, GST_VIDEO_FORMAT_P016_LE};
  Rig rig = rig_new ("foreground=otsu");
  guint i, t;

  for (i = 0; i < G_N_ELEMENTS (in_turn); i++) {
    rig.format = in_turn[i];
    set_caps (&rig);
    for (t = 0; t < 3; t++) {
      GstBuffer *buffer = push (&rig, square, 60, 0);
      GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);

      assert_equals_int (gst_cca_meta_get_analysis (meta)->threshold,
          format_threshold (rig.format, 100));
      assert_equals_int (gst_cca_meta_get_n_found (meta), 1);
      gst_buffer_unref (buffer);
    }
  }
  rig_clear (&rig);
}

/* With invert the first frame's region is all foreground, and it is learnt all
 * the same. */
TEST (test_invert)
{
  Rig rig = rig_new ("foreground=sigma-delta invert=true roi-x=10 "
                     "roi-width=30");
  GstBuffer *buffer = push (&rig, square, 0, 0);
  GstCcaComponent c;

  fail_unless (
      gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0, &c));
  assert_equals_int (c.x, 10);
  assert_equals_int (c.width, 30);
  assert_equals_uint64 (c.area, 30 * HEIGHT);
  gst_buffer_unref (buffer);
  buffer = push (&rig, square, 60, 0);
  fail_unless (
      gst_cca_meta_get_component (gst_buffer_get_cca_meta (buffer), 0, &c));
  assert_equals_uint64 (c.area, 30 * HEIGHT - 10 * 10);
  gst_buffer_unref (buffer);
  rig_clear (&rig);
}

/* Two squares of 5 pixels, 3 apart, and dots. */
static guint
pieces (guint x, guint y, guint seed)
{
  if (y - 10 < 5 && (x - 10 < 5 || x - 18 < 5))
    return 200;
  return y == 30 && x % 9 == 4 ? 200 : 0;
}

TEST (test_radii)
{
  static const guint cases[][3] = {
    /* open, close, components */
    {0, 0, 9},
    {1, 0, 2},
    {1, 1, 2},
    {1, 2, 1},
    {0, 2, 8},
    {2, 0, 2},
    {3, 0, 0},
    {7, 15, 0},
    {0, 4, 2},
    {0, 15, 1},
  };
  Rig rig = rig_new ("");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *buffer;
    guint n;

    g_object_set (rig_element (&rig), "open-radius", cases[i][0],
        "close-radius", cases[i][1], NULL);
    buffer = push (&rig, pieces, 0, 0);
    n = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (buffer));
    fail_unless (n == cases[i][2], "radii %u and %u: %u", cases[i][0],
        cases[i][1], n);
    gst_buffer_unref (buffer);
  }
  rig_clear (&rig);
}

static void
control (GstElement *element, const gchar *name, gdouble first, gdouble second)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  gst_timed_value_control_source_set (values, 0, first);
  gst_timed_value_control_source_set (values, GST_SECOND, second);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new_absolute (GST_OBJECT (element), name,
          source)));
  gst_object_unref (source);
}

static guint
find_at (Rig *rig, Pixel pixel, guint seed, guint second)
{
  GstBuffer *buffer = push (rig, pixel, seed, second * GST_SECOND);
  guint n = gst_cca_meta_get_n_found (gst_buffer_get_cca_meta (buffer));

  gst_buffer_unref (buffer);
  return n;
}

TEST (test_controller)
{
  Rig rig = rig_new ("foreground=difference frame-distance=1");

  control (rig_element (&rig), "min-contrast", 50, 20);
  assert_equals_int (find_at (&rig, square, 0, 0), 0);
  assert_equals_int (find_at (&rig, square, 30, 0), 0);
  assert_equals_int (find_at (&rig, square, 0, 0), 0);
  assert_equals_int (find_at (&rig, square, 30, 1), 1);
  rig_clear (&rig);

  rig = rig_new ("");
  control (rig_element (&rig), "open-radius", 0, 1);
  assert_equals_int (find_at (&rig, pieces, 0, 0), 9);
  assert_equals_int (find_at (&rig, pieces, 0, 1), 2);
  control (rig_element (&rig), "close-radius", 2, 0);
  assert_equals_int (find_at (&rig, pieces, 0, 0), 8);
  assert_equals_int (find_at (&rig, pieces, 0, 1), 2);
  rig_clear (&rig);

  rig = rig_new ("foreground=sigma-delta");
  control (rig_element (&rig), "learning", 0, 1);
  assert_equals_int (find_at (&rig, square, 0, 0), 0);
  while (background_frames (&rig) < 100)
    assert_equals_int (find_at (&rig, square, 60, 0), 1);
  while (background_frames (&rig) < 200)
    find_at (&rig, square, 60, 1);
  assert_equals_int (find_at (&rig, square, 60, 0), 0);
  rig_clear (&rig);
}

static gint running;

static gpointer
emit_resets (gpointer element)
{
  static const gchar *const modes[] = {
    "sigma-delta",
    "difference",
    "otsu",
    "threshold",
  };
  guint i;

  for (i = 0; g_atomic_int_get (&running); i++) {
    g_signal_emit_by_name (element, "reset-background");
    if (i % 16 == 0)
      gst_util_set_object_arg (element, "foreground", modes[i / 16 % 4]);
    g_usleep (50);
  }
  return NULL;
}

/* Any mixture of frames and requests from another thread is well. */
TEST (test_resets_from_a_thread)
{
  Rig rig = rig_new ("foreground=sigma-delta");
  GThread *thread;
  guint i;

  g_atomic_int_set (&running, TRUE);
  thread = g_thread_new ("resets", emit_resets, rig_element (&rig));
  for (i = 0; i < 5 * at->n_frames (); i++)
    find (&rig, i % 2 ? 60 : 0);
  g_atomic_int_set (&running, FALSE);
  g_thread_join (thread);

  gst_util_set_object_arg (G_OBJECT (rig_element (&rig)), "foreground",
      "difference");
  emit_reset (&rig);
  assert_equals_int (find (&rig, 60), 0);
  assert_equals_int (find (&rig, 0), 1);
  rig_clear (&rig);
}
