/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* An element in a harness. One thread pushes frames; others flush, stop and
 * start it and send queries at any time. As upstream elements do, they keep
 * frames back only from the end of a flush, or a new start, until the sticky
 * events have been sent again. */

#include "stress.h"

typedef struct
{
  GstHarness *h;
  Rig *rig;
  gboolean cuda;
  Actor *stream, *flusher, *starter, *asker;

  GMutex gate; /* of frames; below it */
  gboolean needs_events;

  gint begun, ended; /* flushes and stops of the element */

  /* for the stream's thread */
  GstVideoFormat format;
  guint width, height;
  guint64 n;
} Harness;

static GstCaps *
make_caps (Harness *s)
{
  GstCaps *caps = frame_caps (s->format, s->width, s->height);

  if (s->cuda)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new_single ("memory:CUDAMemory"));
  return caps;
}

static gboolean
send_caps (Harness *s)
{
  GstCaps *caps = make_caps (s);
  gboolean ok = gst_pad_push_event (s->h->srcpad, gst_event_new_caps (caps));

  gst_caps_unref (caps);
  return ok;
}

static gboolean
send_events (Harness *s)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  return gst_pad_push_event (s->h->srcpad,
             gst_event_new_stream_start ("stress"))
      && send_caps (s)
      && gst_pad_push_event (s->h->srcpad, gst_event_new_segment (&segment));
}

static void
choose_caps (Harness *s, Actor *actor)
{
  static const guint sizes[][2] = {
    {64, 48},
    {1, 1},
    {97, 61},
    {160, 90},
    {3, 200},
    {200, 3},
    {129, 65},
  };
  const guint *size = sizes[dice (actor, G_N_ELEMENTS (sizes))];

  s->format = formats[dice (actor, n_formats)];
  s->width = size[0];
  s->height = size[1];
  /* so large that threads share it */
  if (!s->cuda && dice (actor, 12) == 0) {
    s->width = 640;
    s->height = 360;
  }
  count (N_CAPS);
}

static GstBuffer *
make_frame (Harness *s, Actor *actor)
{
  static const Pixel pixels[] = {noise, noise, noise, noise, noise, nothing,
    full, checkerboard};
  Picture picture = picture_new (s->width, s->height,
      pixels[dice (actor, G_N_ELEMENTS (pixels))], dice (actor, 1000));
  GstBuffer *buffer;

  if (dice (actor, 2))
    picture_deepen (&picture, s->format);
  if (dice (actor, 2))
    buffer = system_frame (s->format, &picture, 0, 0);
  else
    buffer = system_frame (s->format, &picture, 2 * dice (actor, 40),
        2 * dice (actor, 20));
  if (s->cuda)
    buffer =
        cuda_frame (buffer, s->format, s->width, s->height, dice (actor, 2));
  picture_clear (&picture);
  if (dice (actor, 5) == 0) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = dice (actor, s->width);
    crop->y = dice (actor, s->height);
    crop->width = 1 + dice (actor, s->width);
    crop->height = 1 + dice (actor, s->height);
    count (N_CROPS);
  }
  return buffer;
}

/* Queries the element directly. The pad of the harness would send its sticky
 * events first, in another thread than the stream's, perhaps old after new
 * ones. */
static void
ask_for_allocation (Harness *s, GstCaps *caps)
{
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstPad *pad = gst_pad_get_peer (s->h->srcpad);

  gst_pad_query (pad, query);
  gst_object_unref (pad);
  gst_query_unref (query);
  count (N_REQUESTS);
}

/* All that a streaming thread does: caps, allocation queries, frames. */
static void
push_something (Harness *s, Actor *actor)
{
  GstBuffer *buffer, *kept = NULL;
  gint ended = g_atomic_int_get (&s->ended);
  GstFlowReturn ret;

  if (s->needs_events)
    s->needs_events = !send_events (s);
  if (dice (actor, 15) == 0) {
    choose_caps (s, actor);
    s->needs_events |= !send_caps (s);
  }
  if (s->needs_events)
    return;
  if (dice (actor, 15) == 0) {
    GstCaps *caps = make_caps (s);

    ask_for_allocation (s, caps);
    gst_caps_unref (caps);
  }

  if (dice (actor, 30) == 0) {
    buffer = gst_buffer_new ();
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  } else {
    buffer = make_frame (s, actor);
  }
  GST_BUFFER_PTS (buffer) = s->n++ * 40 * GST_MSECOND;
  if (dice (actor, 4) == 0)
    kept = gst_buffer_ref (buffer);
  ret = gst_harness_push (s->h, buffer);
  count (N_PUSHED);
  /* Errors of the element are on the bus. Sticky events that GStreamer sends
   * again during a flush fail without one. */
  if (ret != GST_FLOW_OK) {
    s->needs_events = TRUE;
    if (ret != GST_FLOW_FLUSHING && ended == g_atomic_int_get (&s->begun))
      complain ("a frame was answered with %s", gst_flow_get_name (ret));
  }
  if (kept != NULL && gst_buffer_get_cca_meta (kept) != NULL)
    complain ("a meta was added to a buffer of others");
  gst_clear_buffer (&kept);
}

static void
push_frames (Actor *actor, gpointer data)
{
  Harness *s = data;
  GstBuffer *out;

  while (actor_goes_on (actor, "pushes")) {
    g_mutex_lock (&s->gate);
    push_something (s, actor);
    g_mutex_unlock (&s->gate);
    while ((out = gst_harness_try_pull (s->h)) != NULL)
      gst_buffer_unref (out);
    if (dice (actor, 3) == 0)
      g_usleep (dice (actor, 1000));
  }
}

static void
flush (Actor *actor, gpointer data)
{
  Harness *s = data;

  while (actor_goes_on (actor, "flushes")) {
    g_atomic_int_inc (&s->begun);
    gst_pad_push_event (s->h->srcpad, gst_event_new_flush_start ());
    if (dice (actor, 2))
      g_usleep (dice (actor, 500));
    g_mutex_lock (&s->gate);
    gst_pad_push_event (s->h->srcpad,
        gst_event_new_flush_stop (dice (actor, 2)));
    s->needs_events = TRUE;
    g_atomic_int_inc (&s->ended);
    g_mutex_unlock (&s->gate);
    count (N_FLUSHES);
    g_usleep (dice (actor, 30000));
  }
}

static void
set_state (GstElement *element, GstState state)
{
  if (gst_element_set_state (element, state) == GST_STATE_CHANGE_FAILURE)
    complain ("the element does not go to %s",
        gst_element_state_get_name (state));
  count (N_STATES);
}

static void
change_state (Actor *actor, gpointer data)
{
  Harness *s = data;
  GstElement *element = s->h->element;

  while (actor_goes_on (actor, "changes the state")) {
    if (dice (actor, 2)) {
      set_state (element, GST_STATE_PAUSED);
      rig_mislead (s->rig, actor);
      set_state (element, GST_STATE_PLAYING);
    } else {
      g_atomic_int_inc (&s->begun);
      set_state (element, dice (actor, 2) ? GST_STATE_READY : GST_STATE_NULL);
      if (dice (actor, 2))
        g_usleep (dice (actor, 2000));
      rig_set_start_options (s->rig, actor);
      actor_goes_on (actor, "starts the element");
      g_mutex_lock (&s->gate);
      set_state (element, GST_STATE_PLAYING);
      s->needs_events = TRUE;
      g_atomic_int_inc (&s->ended);
      g_mutex_unlock (&s->gate);
    }
    g_usleep (dice (actor, 40000));
  }
}

static void
ask (Actor *actor, gpointer data)
{
  Harness *s = data;
  GstCaps *caps = frame_caps (GST_VIDEO_FORMAT_NV12, 64, 48);

  while (actor_goes_on (actor, "asks")) {
    GstCaps *answer;
    GstQuery *query;

    switch (dice (actor, 5)) {
      case 0:
        ask_for_allocation (s, caps);
        break;
      case 1:
        answer = gst_pad_peer_query_caps (s->h->srcpad, NULL);
        if (gst_caps_is_empty (answer))
          complain ("the element takes no caps");
        gst_caps_unref (answer);
        break;
      case 2:
        if (!gst_pad_peer_query_accept_caps (s->h->srcpad, caps))
          complain ("the element does not accept NV12");
        break;
      case 3:
        query = gst_query_new_latency ();
        gst_pad_peer_query (s->h->sinkpad, query);
        gst_query_unref (query);
        break;
      default:
        gst_pad_push_event (s->h->sinkpad, gst_event_new_reconfigure ());
        break;
    }
    count (N_REQUESTS);
    g_usleep (dice (actor, 4000));
  }
  gst_caps_unref (caps);
}

gpointer
harness_start (const gchar *name)
{
  Harness *s = g_new0 (Harness, 1);
  GstElement *element = gst_element_factory_make (name, NULL);
  GstBus *bus = gst_bus_new ();

  g_mutex_init (&s->gate);
  s->cuda = g_str_equal (name, "cudacca");
  s->needs_events = TRUE;
  s->format = GST_VIDEO_FORMAT_GRAY8;
  s->width = 64;
  s->height = 48;
  if (s->cuda)
    cuda_give_context (element);
  gst_bus_set_sync_handler (bus, watch_messages, NULL, NULL);
  gst_element_set_bus (element, bus);
  gst_object_unref (bus);
  s->h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  s->rig = rig_new (element);
  s->stream = actor_start ("stream", push_frames, s);
  s->flusher = actor_start ("flusher", flush, s);
  s->starter = actor_start ("starter", change_state, s);
  s->asker = actor_start ("asker", ask, s);
  return s;
}

void
harness_stop (gpointer harness)
{
  Harness *s = harness;
  GstElement *element = s->h->element;
  GWeakRef left;

  actor_join (s->stream);
  actor_join (s->flusher);
  actor_join (s->starter);
  actor_join (s->asker);
  rig_free (s->rig);
  g_weak_ref_init (&left, element);
  gst_element_set_bus (element, NULL);
  gst_harness_teardown (s->h);
  element = g_weak_ref_get (&left);
  if (element != NULL)
    complain ("the element stays after its harness");
  g_clear_object (&element);
  g_weak_ref_clear (&left);
  g_mutex_clear (&s->gate);
  g_free (s);
}
