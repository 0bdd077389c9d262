/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef CCA_JSON_H
#define CCA_JSON_H

#include <stdio.h>

#include <gst/gst.h>

/* The format of the output: a line for each frame, component or event. */
typedef enum
{
  PRINT_JSON,
  PRINT_COMPONENTS,
  PRINT_EVENTS,
} PrintMode;

/* cca-json-print.c: prints what reaches the sinks of a pipeline. */
typedef struct
{
  FILE *out;
  PrintMode mode;
  guint64 limit;                /* frames to print, 0: no limit */

  GMutex lock;                  /* for the rest, while the pipeline runs */
  GstElement *pipeline;
  GstPad *chosen;               /* where the first meta was seen */
  GstElement *json;             /* ccajson, in the mode PRINT_JSON */
  GstPad *to_json, *from_json;
  gchar *source;                /* NULL: unknown */
  gboolean source_changed;
  guint features;               /* flags of the features that have columns */
  GString *text, *names;        /* of CSV */
  guint64 n_printed;
  gboolean finished;            /* print no more */
  gint write_error;             /* errno, or 0 */
} Printer;

/* Takes ccajson, which only PRINT_JSON needs. */
void printer_init (Printer * printer, GstElement * json, PrintMode mode,
    FILE * out, guint64 limit);
/* Prints the frames of a pipeline, which must be in the NULL state. When the
 * printer has printed all that it may or can, the pipeline posts an application
 * message "finished". Another pipeline may follow when this one is in the NULL
 * state again. */
void printer_attach (Printer * printer, GstElement * pipeline);
guint64 printer_get_n_printed (Printer * printer);
/* After the pipeline went back to the NULL state. */
void printer_clear (Printer * printer);

/* cca-json-parse.c */

/* Lists the files that match patterns as a shell does. NULL after a sentence on
 * standard error if a pattern has no file. */
gchar **list_files (gchar ** patterns);

/* Makes a pipeline of a description, given whole as one argument or word by
 * word. Frames come from the file if it is not NULL. Open ends get a fakesink.
 * NULL after a sentence on standard error if the description is bad. */
GstElement *parse_pipeline (gchar ** words, const gchar * file);

#endif /* CCA_JSON_H */
