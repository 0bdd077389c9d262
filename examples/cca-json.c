/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Runs a pipeline and prints the components of its frames as JSON. */

#include "cca-json.h"

#include <errno.h>
#include <glib-unix.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <gst/ccameta/gstccameta.h>

#define EXIT_USAGE 2

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline;
  const gchar *file; /* the input, or NULL */
  Printer printer;
  gint64 started;    /* monotonic, in microseconds */
  gboolean stopping; /* the stream shall end */
  gboolean eos_sent;
  gboolean failed;
} App;

/* Prints an error or a warning as one line: the element, its message, and of
 * the debugging text what follows the place in the source. */
static void
report (const App *app, GstMessage *message)
{
  const gboolean is_error = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
  GError *error = NULL;
  gchar *debug = NULL, *detail;

  if (is_error)
    gst_message_parse_error (message, &error, &debug);
  else
    gst_message_parse_warning (message, &error, &debug);

  detail = debug != NULL ? strchr (debug, '\n') : NULL;
  if (detail != NULL)
    g_strstrip (g_strdelimit (detail, "\r\n", ' '));
  g_strdelimit (error->message, "\r\n", ' ');

  g_printerr ("cca-json: %s%s%s%s: %s%s%s\n",
      is_error ? "" : "warning: ", app->file != NULL ? app->file : "",
      app->file != NULL ? ": " : "",
      GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), error->message,
      detail != NULL ? " " : "", detail != NULL ? detail : "");
  g_error_free (error);
  g_free (debug);
}

/* Ends the stream, so that muxers finish their files. Not before it plays: the
 * source would wait for the sinks while the pipeline's lock is held, and the
 * sinks would wait for that lock to be able to play. */
static void
stop (App *app)
{
  GstState state;

  app->stopping = TRUE;
  gst_element_get_state (app->pipeline, &state, NULL, 0);
  if (state == GST_STATE_PLAYING && !app->eos_sent) {
    app->eos_sent = TRUE;
    gst_element_send_event (app->pipeline, gst_event_new_eos ());
  }
}

static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  App *app = user_data;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      report (app, message);
      app->failed = TRUE;
      g_main_loop_quit (app->loop);
      break;
    case GST_MESSAGE_WARNING:
      report (app, message);
      break;
    case GST_MESSAGE_EOS:
      g_main_loop_quit (app->loop);
      break;
    case GST_MESSAGE_APPLICATION:
      if (gst_message_has_name (message, "finished"))
        stop (app);
      break;
    case GST_MESSAGE_STATE_CHANGED:
      if (app->stopping
          && GST_MESSAGE_SRC (message) == GST_OBJECT (app->pipeline))
        stop (app);
      break;
    case GST_MESSAGE_CLOCK_LOST:
      gst_element_set_state (app->pipeline, GST_STATE_PAUSED);
      gst_element_set_state (app->pipeline, GST_STATE_PLAYING);
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (app->pipeline));
      break;
    default:
      break;
  }

  return G_SOURCE_CONTINUE;
}

/* The first one ends the stream if it plays, the second one the program. */
static gboolean
on_signal (gpointer user_data)
{
  App *app = user_data;

  const gboolean again = app->stopping;

  stop (app);
  if (again || !app->eos_sent)
    g_main_loop_quit (app->loop);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_progress (gpointer user_data)
{
  App *app = user_data;
  const gdouble seconds = (g_get_monotonic_time () - app->started) / 1e6;
  const guint64 n = printer_get_n_printed (&app->printer);
  gint64 position, duration;

  g_printerr ("cca-json: %" G_GUINT64_FORMAT " frames in %.1f s, %.1f a second",
      n, seconds, seconds > 0 ? n / seconds : 0.0);
  if (gst_element_query_position (app->pipeline, GST_FORMAT_TIME, &position)
      && gst_element_query_duration (app->pipeline, GST_FORMAT_TIME, &duration)
      && duration > 0)
    g_printerr (", at %.0f %%", 100.0 * position / duration);
  g_printerr ("\n");

  return G_SOURCE_CONTINUE;
}

static void
run (App *app)
{
  GstBus *bus = gst_element_get_bus (app->pipeline);
  GstMessage *message;

  app->eos_sent = FALSE;
  printer_attach (&app->printer, app->pipeline);
  if (gst_element_set_state (app->pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE) {
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    if (message != NULL) {
      report (app, message);
      gst_message_unref (message);
    } else {
      g_printerr ("cca-json: the pipeline cannot be started\n");
    }
    app->failed = TRUE;
  } else {
    gst_bus_add_watch (bus, on_message, app);
    g_main_loop_run (app->loop);
    gst_bus_remove_watch (bus);
  }
  gst_element_set_state (app->pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
}

/* Runs a pipeline for each file. The first one exists already. A file that
 * fails does not keep the others from being read. */
static void
run_files (App *app, gchar **words, gchar **files)
{
  for (; *files != NULL && !app->stopping; files++) {
    app->file = *files;
    if (app->pipeline == NULL)
      app->pipeline = parse_pipeline (words, *files);
    run (app);
    gst_clear_object (&app->pipeline);
  }
}

/* Closes the output and says why the result is not all that was asked for. */
static int
finish (App *app, FILE *out, const gchar *name)
{
  int write_error = app->printer.write_error;

  if (fclose (out) != 0 && write_error == 0)
    write_error = errno;

  /* a reader that has seen enough, such as head, is no error */
  if (write_error == EPIPE)
    return app->failed ? EXIT_FAILURE : EXIT_SUCCESS;
  if (write_error != 0) {
    g_printerr ("cca-json: cannot write %s: %s\n", name,
        g_strerror (write_error));
    return EXIT_FAILURE;
  }
  if (app->failed)
    return EXIT_FAILURE;
  if (app->printer.n_printed == 0) {
    g_printerr (
        "cca-json: no buffer carried a GstCcaMeta at the end of the "
        "pipeline: it needs cca or cudacca, and nothing after it that drops "
        "metas\n");
    return EXIT_FAILURE;
  }

  return EXIT_SUCCESS;
}

static gint64 count = 0;
static gboolean csv = FALSE;
static gboolean events = FALSE;
static gboolean progress = FALSE;
static gboolean version = FALSE;
static gchar *output = NULL;
static gchar **inputs = NULL;
static gchar **words = NULL;

static const GOptionEntry entries[] =
    {{"count", 'n', 0, G_OPTION_ARG_INT64, &count,
       "Stop after N frames (0: at the end of the stream)", "N"},
      {"csv", 'c', 0, G_OPTION_ARG_NONE, &csv,
        "Print CSV: a header, and a line for each component", NULL},
      {"events", 'e', 0, G_OPTION_ARG_NONE, &events,
        "Print CSV: a header, and a line for each event of ccatrack", NULL},
      {"input", 'i', 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs,
        "Read and decode FILE, which may be a pattern such as '*.png'. May be "
        "given several times",
        "FILE"},
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
        "Write to FILE instead of standard output", "FILE"},
      {"progress", 'p', 0, G_OPTION_ARG_NONE, &progress,
        "Report the position once a second on standard error", NULL},
      {"version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version", NULL},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words, NULL,
        "PIPELINE"},
      {NULL}};

static gboolean
parse_options (int *argc, char ***argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_set_summary (context,
      "Runs a pipeline, described as for gst-launch-1.0, and prints a line of\n"
      "JSON for each buffer that carries connected components at the end of the\n"
      "pipeline. An open end gets a fakesink. Of several sinks, the one that sees\n"
      "the first such buffer is listened to. Coordinates are in pixels of the\n"
      "picture that was analysed, its size is \"width\" and \"height\"; \"pts\" is\n"
      "in nanoseconds or null; \"track\" is the id that ccatrack gave the component,\n"
      "or null. Each line is written at once. With --csv a frame without\n"
      "components has a line with its number, time and source only. The element\n"
      "ccajson gives the same lines of JSON to other elements. With --input the\n"
      "description begins after the decoder, and is run for one file after the\n"
      "other; \"source\" is the name of the file.");
  g_option_context_set_description (context,
      "Exit status: 0 done; 1 the pipeline failed, the output cannot be written,\n"
      "or no buffer was analysed; 2 bad options or a bad description.\n\n"
      "Examples:\n"
      "  cca-json \"videotestsrc num-buffers=3 ! video/x-raw,format=GRAY8 "
      "! cca\"\n"
      "  cca-json --csv --input 'plates/*.png' \"cca threshold=100\"");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  g_option_context_parse (context, argc, argv, &error);
  g_option_context_free (context);

  if (error != NULL) {
    g_printerr ("cca-json: %s (--help shows the options)\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  if (count < 0) {
    g_printerr ("cca-json: --count must not be negative\n");
    return FALSE;
  }
  if (csv && events) {
    g_printerr ("cca-json: --csv and --events exclude each other\n");
    return FALSE;
  }
  if (words == NULL && !version) {
    g_printerr ("cca-json: a pipeline description is missing"
                " (--help shows an example)\n");
    return FALSE;
  }

  return TRUE;
}

int
main (int argc, char **argv)
{
  App app = {
    0,
  };
  GstElement *json = NULL;
  gchar **files = NULL;
  PrintMode mode;
  FILE *out = stdout;
  int status = EXIT_USAGE;

  setlocale (LC_ALL, "");
  if (!parse_options (&argc, &argv))
    goto done;
  if (version) {
    g_print ("cca-json %s\n", VERSION);
    status = EXIT_SUCCESS;
    goto done;
  }
  /* the meta may come from another process, and nothing else here knows it */
  gst_cca_meta_get_info ();
  if (inputs != NULL && (files = list_files (inputs)) == NULL)
    goto done;
  app.pipeline = parse_pipeline (words, files != NULL ? files[0] : NULL);
  if (app.pipeline == NULL)
    goto done;
  status = EXIT_FAILURE;
  mode = csv ? PRINT_COMPONENTS : events ? PRINT_EVENTS : PRINT_JSON;
  if (mode == PRINT_JSON) {
    json = gst_element_factory_make ("ccajson", NULL);
    if (json == NULL) {
      g_printerr ("cca-json: the element ccajson is missing: GST_PLUGIN_PATH "
                  "has to name the folder of libgstcca.so\n");
      goto done;
    }
    gst_object_ref_sink (json);
  }
  if (output != NULL && (out = fopen (output, "w")) == NULL) {
    g_printerr ("cca-json: cannot write %s: %s\n", output, g_strerror (errno));
    gst_clear_object (&json);
    goto done;
  }

  app.loop = g_main_loop_new (NULL, FALSE);
  signal (SIGPIPE, SIG_IGN);
  g_unix_signal_add (SIGINT, on_signal, &app);
  g_unix_signal_add (SIGTERM, on_signal, &app);
  if (progress)
    g_timeout_add_seconds (1, on_progress, &app);

  printer_init (&app.printer, json, mode, out, count);
  app.started = g_get_monotonic_time ();
  if (files != NULL)
    run_files (&app, words, files);
  else
    run (&app);
  if (progress)
    on_progress (&app);
  status = finish (&app, out, output != NULL ? output : "to standard output");

  printer_clear (&app.printer);
  g_main_loop_unref (app.loop);

done:
  gst_clear_object (&app.pipeline);
  g_strfreev (files);
  g_strfreev (inputs);
  g_strfreev (words);
  g_free (output);

  return status;
}
