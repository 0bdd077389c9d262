/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One thread changes properties one at a time and stores the state after each
 * change. A frame must have been analysed with exactly one state, between the
 * last one before its push and the last one begun when it was pulled, or when
 * the next one was pushed; never with a mixture of two. */

#include "stress.h"

#define HISTORY 1024
#define MAX_WAITING 24

/* A frame that has gone in. */
typedef struct
{
  GstClockTime pts;
  GstCaps *caps;
  guint64 first, last; /* changes that it may have seen */
  gboolean submitted;  /* no others */
} Entry;

struct _Rig
{
  GstElement *element;
  Actor *writer, *reader, *checker;

  GMutex lock;
  GCond cond;
  Wish history[HISTORY];
  guint64 begun, done; /* changes */
  guint64 entered;     /* done when the last frame came */
  GQueue entries;      /* in flight, or thrown away */
  guint max_components;
  const gchar *object_type;
  GQueue waiting; /* outcomes to be checked */
  gboolean ended;
};

const Wish default_wish = {
  .look =
      {
        .threshold = 128,
        .threshold_high = 65535,
        .connectivity = 8,
        .min_area = 1,
        .max_area = G_MAXUINT64,
      },
  .order = 0,
  .types = 5,
  .max_objects = 256,
  .threshold_depth = 8,
};

/* --- frames --------------------------------------------------------------- */

static void
entry_free (Entry *entry)
{
  gst_caps_unref (entry->caps);
  g_free (entry);
}

static GstPadProbeReturn
frame_enters (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Rig *rig = data;
  Entry *entry = g_new0 (Entry, 1), *before;

  g_mutex_lock (&rig->lock);
  before = g_queue_peek_tail (&rig->entries);
  if (before != NULL && !before->submitted) {
    before->last = rig->begun;
    before->submitted = TRUE;
  }
  rig->entered = entry->first = rig->done;
  entry->pts = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
  /* the caps of the other pad may have changed when the frame is pulled */
  entry->caps = gst_pad_get_current_caps (pad);
  g_queue_push_tail (&rig->entries, entry);
  g_mutex_unlock (&rig->lock);
  return GST_PAD_PROBE_OK;
}

/* Frames in flight are dropped. */
static void
forget_entries (Rig *rig)
{
  g_mutex_lock (&rig->lock);
  g_queue_clear_full (&rig->entries, (GDestroyNotify) entry_free);
  g_mutex_unlock (&rig->lock);
}

static GstPadProbeReturn
flush_ends (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_FLUSH_STOP)
    forget_entries (data);
  return GST_PAD_PROBE_OK;
}

/* The frame's, with the lock. Some before it may have been thrown away, where
 * downstream did not take them. */
static Entry *
take_entry (Rig *rig, GstBuffer *buffer)
{
  Entry *entry;

  while ((entry = g_queue_pop_head (&rig->entries)) != NULL
      && entry->pts != GST_BUFFER_PTS (buffer))
    entry_free (entry);
  if (entry == NULL)
    complain ("a frame comes out that did not go in, or too late");
  else if (!entry->submitted)
    entry->last = rig->begun;
  return entry;
}

static void
outcome_free (Outcome *o)
{
  gst_buffer_unref (o->buffer);
  gst_caps_unref (o->caps);
  g_free (o);
}

static GstPadProbeReturn
frame_leaves (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Rig *rig = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  Entry *entry;
  Outcome *o;
  guint64 i;

  g_mutex_lock (&rig->lock);
  entry = take_entry (rig, buffer);
  if (entry == NULL || gst_buffer_get_size (buffer) == 0) {
    g_mutex_unlock (&rig->lock);
    g_clear_pointer (&entry, entry_free);
    if (gst_buffer_get_size (buffer) == 0
        && gst_buffer_get_cca_meta (buffer) != NULL)
      complain ("a gap has a GstCcaMeta");
    return GST_PAD_PROBE_OK;
  }

  o = g_new0 (Outcome, 1);
  o->buffer = gst_buffer_ref (buffer);
  o->caps = gst_caps_ref (entry->caps);
  o->max_components = rig->max_components;
  o->object_type = rig->object_type;
  for (i = entry->first; i <= entry->last; i++)
    o->wishes[o->n_wishes++] = rig->history[i % HISTORY];
  entry_free (entry);
  while (rig->waiting.length >= MAX_WAITING)
    g_cond_wait (&rig->cond, &rig->lock);
  g_queue_push_tail (&rig->waiting, o);
  g_cond_broadcast (&rig->cond);
  g_mutex_unlock (&rig->lock);
  return GST_PAD_PROBE_OK;
}

/* Checks outcomes late, since actions of others must not change a result. */
static void
check_outcomes (Actor *actor, gpointer data)
{
  Rig *rig = data;

  for (;;) {
    Outcome *o = NULL;
    gchar *wrong;

    actor_goes_on (actor, "waits");
    g_mutex_lock (&rig->lock);
    if (rig->waiting.length <= MAX_WAITING / 2 && !rig->ended)
      g_cond_wait_until (&rig->cond, &rig->lock,
          g_get_monotonic_time () + 20 * G_TIME_SPAN_MILLISECOND);
    o = g_queue_pop_head (&rig->waiting);
    g_cond_broadcast (&rig->cond);
    if (o == NULL && rig->ended) {
      g_mutex_unlock (&rig->lock);
      return;
    }
    g_mutex_unlock (&rig->lock);
    if (o == NULL)
      continue;

    actor_goes_on (actor, "checks");
    wrong = verify (o);
    if (wrong != NULL)
      complain ("%s: %s", GST_OBJECT_NAME (rig->element), wrong);
    g_free (wrong);
    count (N_CHECKED);
    if (o->n_wishes > 1)
      count (N_RACED);
    outcome_free (o);
  }
}

/* --- properties ----------------------------------------------------------- */

#define PICK(actor, ...) \
  ((const guint[]) {__VA_ARGS__})[dice (actor, \
      sizeof ((const guint[]) {__VA_ARGS__}) / sizeof (guint))]

static const gchar *
change_one (Actor *actor, Wish *w, GValue *value)
{
  Look *look = &w->look;

#define UINT(name, field, new_value) \
  field = new_value; \
  g_value_init (value, G_TYPE_UINT); \
  g_value_set_uint (value, field); \
  return name
#define UINT64(name, field, new_value) \
  field = new_value; \
  g_value_init (value, G_TYPE_UINT64); \
  g_value_set_uint64 (value, field); \
  return name

  switch (dice (actor, 14)) {
    case 0:
      UINT ("threshold", look->threshold, PICK (actor, 0, 50, 100, 128, 150));
    case 1:
      UINT ("threshold-high", look->threshold_high,
          PICK (actor, 160, 180, 65535, 65535));
    case 2:
      look->invert = !look->invert;
      g_value_init (value, G_TYPE_BOOLEAN);
      g_value_set_boolean (value, look->invert);
      return "invert";
    case 3:
      UINT ("connectivity", look->connectivity, PICK (actor, 4, 8));
    case 4:
      UINT64 ("min-area", look->min_area, PICK (actor, 0, 1, 1, 2, 9, 50));
    case 5:
      UINT64 ("max-area", look->max_area,
          dice (actor, 2) ? G_MAXUINT64 : PICK (actor, 4, 30, 1000));
    case 6:
      UINT ("roi-x", look->roi_x, PICK (actor, 0, 0, 3, 17, 200));
    case 7:
      UINT ("roi-y", look->roi_y, PICK (actor, 0, 0, 2, 9, 100));
    case 8:
      UINT ("roi-width", look->roi_width, PICK (actor, 0, 0, 8, 33, 4000));
    case 9:
      UINT ("roi-height", look->roi_height, PICK (actor, 0, 0, 5, 40, 4000));
    case 10:
      UINT ("order", w->order, dice (actor, 2));
    case 11:
      UINT ("meta-types", w->types, PICK (actor, 0, 1, 1, 2, 3, 5, 7));
    case 12:
      UINT ("threshold-depth", w->threshold_depth, PICK (actor, 0, 8));
    default:
      UINT ("max-objects", w->max_objects, PICK (actor, 1, 3, 64, 256));
  }
}

/* Enumerations and flags are set by their numbers. */
static void
set_property (GstElement *element, const gchar *name, const GValue *value)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);

  if (G_VALUE_HOLDS_UINT (value) && pspec->value_type != G_TYPE_UINT)
    g_object_set (element, name, g_value_get_uint (value), NULL);
  else
    g_object_set_property (G_OBJECT (element), name, value);
}

static void
change_properties (Actor *actor, gpointer data)
{
  Rig *rig = data;

  while (actor_goes_on (actor, "sets a property")) {
    GValue value = G_VALUE_INIT;
    const gchar *name;
    Wish wish;

    g_mutex_lock (&rig->lock);
    /* limits the number of states during one frame */
    if (rig->begun - rig->entered == MAX_WISHES - 1) {
      g_mutex_unlock (&rig->lock);
      g_usleep (100);
      continue;
    }
    wish = rig->history[rig->begun % HISTORY];
    name = change_one (actor, &wish, &value);
    rig->begun++;
    rig->history[rig->begun % HISTORY] = wish;
    g_mutex_unlock (&rig->lock);

    set_property (rig->element, name, &value);
    g_value_unset (&value);

    g_mutex_lock (&rig->lock);
    rig->done++;
    g_mutex_unlock (&rig->lock);
    count (N_CHANGES);

    if (dice (actor, 8) == 0)
      g_object_set (rig->element, "post-messages", dice (actor, 2),
          "message-interval", (guint64) dice (actor, 3) * GST_MSECOND, NULL);
    /* bursts, and quiet times in which most frames see one state */
    if (dice (actor, 4) != 0)
      g_usleep (dice (actor, 800));
  }
}

static void
read_properties (Actor *actor, gpointer data)
{
  Rig *rig = data;
  GstElement *element = rig->element;

  while (actor_goes_on (actor, "reads properties")) {
    guint n, i;
    GParamSpec **specs =
        g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

    for (i = 0; i < n; i++) {
      GValue value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (element), specs[i]->name, &value);
      if (g_str_equal (specs[i]->name, "object-type")
          && !g_str_equal (g_value_get_string (&value), "component")
          && !g_str_equal (g_value_get_string (&value), "stressed"))
        complain ("object-type is read as '%s'", g_value_get_string (&value));
      g_value_unset (&value);
    }
    g_free (specs);
    count (N_REQUESTS);
    g_usleep (dice (actor, 4000));
  }
}

/* --- the whole ------------------------------------------------------------ */

void
rig_set_start_options (Rig *rig, Actor *actor)
{
  guint max = PICK (actor, 1, 5, 100, 65536, 65536);
  const gchar *type = dice (actor, 2) ? "component" : "stressed";
  GObjectClass *klass = G_OBJECT_GET_CLASS (rig->element);

  forget_entries (rig);
  g_object_set (rig->element, "max-components", max, "object-type", type,
      "async-depth", PICK (actor, 0, 0, 1, 2, 5, 16), NULL);
  if (g_object_class_find_property (klass, "threads"))
    g_object_set (rig->element, "threads", dice (actor, 4), NULL);
  if (g_object_class_find_property (klass, "algorithm"))
    g_object_set (rig->element, "algorithm", dice (actor, 3), NULL);
  g_mutex_lock (&rig->lock);
  rig->max_components = max;
  rig->object_type = type;
  g_mutex_unlock (&rig->lock);
}

void
rig_mislead (Rig *rig, Actor *actor)
{
  guint is;

  g_object_set (rig->element, "max-components", 6 + dice (actor, 9),
      "object-type", "misled", NULL);
  g_object_get (rig->element, "max-components", &is, NULL);
  if (is != rig->max_components)
    complain ("max-components changed from %u to %u while the element ran",
        rig->max_components, is);
}

/* Elements refuse events while they stop, and GStreamer's source and queues,
 * which stop later, take this for an error of the stream. */
static gboolean
is_of_stop (GstMessage *message, gint *stopping)
{
  const gchar *name = GST_MESSAGE_SRC_NAME (message);

  return stopping != NULL && g_atomic_int_get (stopping)
      && (g_str_has_prefix (name, "videotestsrc")
          || g_str_has_prefix (name, "queue"));
}

GstBusSyncReply
watch_messages (GstBus *bus, GstMessage *message, gpointer stopping)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR
      && !is_of_stop (message, stopping)) {
    GError *error = NULL;
    gchar *details = NULL;

    gst_message_parse_error (message, &error, &details);
    complain ("%s: %s %s", GST_MESSAGE_SRC_NAME (message), error->message,
        details ? details : "");
    g_error_free (error);
    g_free (details);
  } else if (gst_message_has_name (message, "cca")) {
    const GstStructure *s = gst_message_get_structure (message);
    guint n = 0, n_found = 0, n_listed = 0;
    gboolean truncated = FALSE;

    if (!gst_structure_get (s, "n-components", G_TYPE_UINT, &n, "n-found",
            G_TYPE_UINT, &n_found, "n-listed", G_TYPE_UINT, &n_listed,
            "truncated", G_TYPE_BOOLEAN, &truncated, NULL)
        || truncated != (n < n_found) || n_listed > n
        || n_listed
            != gst_value_array_get_size (
                gst_structure_get_value (s, "components")))
      complain ("a message contradicts itself");
    count (N_MESSAGES);
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
add_probe (GstElement *element, const gchar *name, GstPadProbeType type,
    GstPadProbeCallback func, Rig *rig)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, type, func, rig, NULL);
  gst_object_unref (pad);
}

Rig *
rig_new (GstElement *element)
{
  Rig *rig = g_new0 (Rig, 1);

  rig->element = gst_object_ref (element);
  rig->history[0] = default_wish;
  rig->max_components = 65536;
  rig->object_type = "component";
  g_mutex_init (&rig->lock);
  g_cond_init (&rig->cond);
  g_queue_init (&rig->waiting);
  g_queue_init (&rig->entries);
  add_probe (element, "sink", GST_PAD_PROBE_TYPE_BUFFER, frame_enters, rig);
  add_probe (element, "sink", GST_PAD_PROBE_TYPE_EVENT_FLUSH, flush_ends, rig);
  add_probe (element, "src", GST_PAD_PROBE_TYPE_BUFFER, frame_leaves, rig);
  rig->checker = actor_start ("checker", check_outcomes, rig);
  rig->writer = actor_start ("writer", change_properties, rig);
  rig->reader = actor_start ("reader", read_properties, rig);
  return rig;
}

void
rig_free (Rig *rig)
{
  actor_join (rig->writer);
  actor_join (rig->reader);
  g_mutex_lock (&rig->lock);
  rig->ended = TRUE;
  g_cond_broadcast (&rig->cond);
  g_mutex_unlock (&rig->lock);
  actor_join (rig->checker);
  gst_object_unref (rig->element);
  forget_entries (rig);
  g_mutex_clear (&rig->lock);
  g_cond_clear (&rig->cond);
  g_free (rig);
}
