/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One pipeline with a driver call that fails. */

#include "faults.h"

#include <dlfcn.h>
#include <gst/ccameta/gstccameta.h>
#include <string.h>

typedef struct
{
  const Scenario *scenario;
  guint n_frames, n_wrong;         /* that came to the sink */
  guint n_ours, n_others, n_flows; /* errors on the bus */
  guint n_undrawn;                 /* warnings of ours: frames that went on */
  gboolean refused;                /* the change of state was */
  gboolean unclear;                /* an error was not one sentence */
  gboolean repeated;               /* an element had two */
  gpointer last;                   /* of our elements with an error */
  gboolean stuck;
  gboolean at_end; /* of the stream */
} Run;

static gint is_stopping;

/* Calls that have been made to fail. */
static guint
count_faults (gboolean *ours)
{
  int (*failed) (const char **) =
      dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "simcuda_failed");
  const char *in = NULL;
  guint n = failed (&in);

  *ours = in != NULL && strncmp (in, "libgstcudacca.", 14) == 0;
  return n;
}

/* After one of its own calls failed, GStreamer's cudaupload still allocates
 * while the pipeline stops, and cudadownload, which has stopped, makes a pool
 * without a context. That critical is GStreamer's. */
static gboolean
is_fatal (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer data)
{
  gboolean ours;

  return count_faults (&ours) == 0 || ours || !g_atomic_int_get (&is_stopping)
      || g_strcmp0 (domain, "GStreamer-Cuda") != 0
      || strstr (message, "gst_cuda_buffer_pool_new") == NULL;
}

static GByteArray *
nth_meta_bytes (GstBuffer *buffer, guint n)
{
  GByteArray *bytes = NULL;
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL)
    if (n-- == 0) {
      bytes = g_byte_array_new ();
      gst_meta_serialize_simple (meta, bytes);
      break;
    }
  return bytes;
}

static void
set_caps (GstElement *pipeline, const gchar *string)
{
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "size");

  gst_util_set_object_arg (G_OBJECT (filter), "caps", string);
  gst_object_unref (filter);
}

/* All elements have found the same. */
static void
on_frame (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Run *run = data;
  const gchar *caps = run->scenario->caps[(run->n_frames + 1) % 3];
  GByteArray *first = nth_meta_bytes (buffer, 0);
  gboolean right = first != NULL
      && gst_buffer_get_n_meta (buffer, GST_CCA_META_API_TYPE)
          == run->scenario->n_metas;
  guint i;

  for (i = 1; right && i < run->scenario->n_metas; i++) {
    GByteArray *bytes = nth_meta_bytes (buffer, i);

    right = bytes->len == first->len
        && memcmp (bytes->data, first->data, first->len) == 0;
    g_byte_array_unref (bytes);
  }
  g_clear_pointer (&first, g_byte_array_unref);
  run->n_frames++;
  run->n_wrong += !right;
  if (caps != NULL && run->n_frames < run->scenario->n_frames)
    set_caps (GST_ELEMENT_PARENT (sink), caps);
}

static gboolean
is_sentence (const gchar *text)
{
  const gchar *period = strchr (text, '.');

  return g_ascii_isupper (text[0]) && period != NULL && period[1] == '\0';
}

/* Whether it is the source's, which has stopped. */
static gboolean
take_error (Run *run, GstMessage *message)
{
  GstElement *element = GST_ELEMENT (GST_MESSAGE_SRC (message));
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPluginFeature *feature = GST_PLUGIN_FEATURE (factory);
  const gchar *plugin = gst_plugin_feature_get_plugin_name (feature);
  const GstStructure *details = NULL;
  GError *error = NULL;
  gchar *debug = NULL;
  gboolean stopped = FALSE;
  gint flow;

  gst_message_parse_error (message, &error, &debug);
  gst_message_parse_error_details (message, &details);
  g_printerr ("%s: %s (%s)\n", GST_OBJECT_NAME (element), error->message,
      debug);
  if (g_strcmp0 (plugin, "cudacca") == 0) {
    /* each element may post one error */
    run->repeated |= element == run->last;
    run->last = element;
    run->n_ours++;
    run->unclear |= !is_sentence (error->message);
  } else if (details != NULL
      && (stopped = gst_structure_get (details, "flow-return", G_TYPE_INT,
              &flow, NULL))) {
    run->n_flows += flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_NEGOTIATED;
  } else {
    run->n_others++;
  }
  g_free (debug);
  g_error_free (error);
  return stopped;
}

static void
take_warning (Run *run, GstMessage *message)
{
  GError *error = NULL;

  gst_message_parse_warning (message, &error, NULL);
  g_printerr ("warning: %s\n", error->message);
  run->n_undrawn++;
  run->unclear |= !is_sentence (error->message);
  g_error_free (error);
}

/* To PLAYING, and to the end or an error. */
static void
play (Run *run, GstElement *pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);

  g_signal_connect (sink, "handoff", G_CALLBACK (on_frame), run);
  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  if (run->scenario->caps[0] != NULL)
    set_caps (pipeline, run->scenario->caps[0]);
  g_object_set (pipeline, "auto-flush-bus", FALSE, NULL);

  if (gst_element_set_state (pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE) {
    run->refused = TRUE;
  } else {
    guint n_running = run->scenario->n_sources;

    /* an error of another element than a source is not all */
    while (n_running > 0 && !run->stuck) {
      GstMessage *message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
          GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);

      if (message != NULL
          && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
        take_warning (run, message);
        gst_message_unref (message);
        continue;
      }
      run->stuck = message == NULL;
      run->at_end =
          message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
      if (run->at_end)
        n_running = 0;
      else if (message != NULL && take_error (run, message))
        n_running--;
      g_clear_pointer (&message, gst_message_unref);
    }
  }
  gst_object_unref (sink);
  gst_object_unref (bus);
}

static void
stop (Run *run, GstElement *pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  g_atomic_int_set (&is_stopping, TRUE);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_atomic_int_set (&is_stopping, FALSE);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    take_error (run, message);
    gst_message_unref (message);
  }
  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  g_signal_handlers_disconnect_by_data (sink, run);
  gst_object_unref (sink);
  gst_object_unref (bus);
}

/* Here, and not by another thread that changes a state and holds it still: it
 * might be at it as the process ends. */
static void
free_pipeline (GstElement *pipeline)
{
  while (GST_OBJECT_REFCOUNT_VALUE (pipeline) > 1)
    g_usleep (1000);
  gst_object_unref (pipeline);
}

static gboolean
is_right (const Run *run)
{
  return !run->refused && run->n_ours + run->n_others + run->n_flows == 0
      && run->n_frames == run->scenario->n_frames;
}

/* Frames in flight at the end of the stream fail after the source got its last
 * return value. */
static gboolean
source_was_told (const Run *run)
{
  return run->n_flows > 0
      || (run->at_end && strstr (run->scenario->line, "async-depth=") != NULL);
}

static Outcome
judge (const Run *run, gboolean ours)
{
  const gchar *complaint = NULL;

  if (run->n_wrong > 0)
    return OUTCOME_WRONG;
  /* GStreamer's elements refuse without a message */
  if (run->refused && !ours && run->n_ours == 0)
    return OUTCOME_OTHERS;
  if (run->stuck)
    complaint = "there is no end";
  else if (run->unclear)
    complaint = "the error is not one sentence";
  else if (run->repeated)
    complaint = "there is more than one error";
  else if (run->n_ours > 0 && !run->refused && !source_was_told (run))
    complaint = "the source was not told";
  else if (run->n_undrawn > 1)
    complaint = "there is more than one warning";
  if (complaint == NULL && is_right (run))
    return run->n_undrawn > 0 ? OUTCOME_REPORTED : OUTCOME_RIGHT;
  if (complaint == NULL && run->n_ours + run->n_others + run->n_flows == 0)
    complaint =
        run->refused ? "the refusal has no message" : "frames are missing";
  if (complaint == NULL)
    return run->n_ours > 0 ? OUTCOME_REPORTED : OUTCOME_OTHERS;
  g_printerr ("%s\n", complaint);
  return OUTCOME_BAD;
}

/* Whether the element is registered. gst_parse_launch() would log a warning,
 * which is fatal here. */
static gboolean
exists (const gchar *element)
{
  GstElementFactory *factory = gst_element_factory_find (element);
  GstPluginFeature *loaded =
      gst_plugin_feature_load (GST_PLUGIN_FEATURE (factory));

  gboolean ok = loaded != NULL;

  gst_object_unref (factory);
  g_clear_object (&loaded);
  return ok;
}

static GstElement *
make (const Scenario *scenario)
{
  GError *error = NULL;
  GstElement *pipeline;

  if (!exists ("cudacca")
      || (strstr (scenario->line, "cudaupload") != NULL
          && !exists ("cudaupload")))
    return NULL;
  pipeline = gst_parse_launch_full (scenario->line, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  g_clear_error (&error);
  return pipeline;
}

int
run_scenario (const Scenario *scenario, guint n_faults,
    gboolean context_is_lost)
{
  GstElement *pipeline = make (scenario);
  Run first = {.scenario = scenario}, second = {.scenario = scenario};
  gboolean ours, reached_later;
  Outcome outcome, again;
  int flags = 0;

  g_test_log_set_fatal_handler (is_fatal, NULL);
  if (pipeline == NULL) {
    count_faults (&ours);
    return OUTCOME_NO_ELEMENT | (ours ? OUTCOME_OURS : 0);
  }
  play (&first, pipeline);
  reached_later = count_faults (&ours) < n_faults;
  stop (&first, pipeline);
  outcome = judge (&first, ours);

  if (outcome < OUTCOME_WRONG && count_faults (&ours) == n_faults) {
    if (context_is_lost || scenario->runs_once) {
      free_pipeline (pipeline);
      pipeline = make (scenario);
    }
    play (&second, pipeline);
    stop (&second, pipeline);
    /* GStreamer may fail permanently, but must report it */
    again = judge (&second, ours);
    if (again >= OUTCOME_WRONG || (again != OUTCOME_RIGHT && ours)) {
      g_printerr ("the next run is not right\n");
      outcome = OUTCOME_BAD;
    }
  }
  free_pipeline (pipeline);

  if (outcome < OUTCOME_WRONG && count_faults (&ours) < n_faults)
    return OUTCOME_NOT_REACHED;
  flags = (ours ? OUTCOME_OURS : 0) | (reached_later ? OUTCOME_AFTERWARDS : 0);
  return outcome | flags;
}
