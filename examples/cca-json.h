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
  GString *text, *names;        /* of CSV */
  guint64 n_printed;
  gboolean finished;            /* print no more */
  gint write_error;             /* errno, or 0 */
} Printer;

/* Takes no reference to the pipeline, which must be in the NULL state and
 * live as long, but takes ccajson, which only PRINT_JSON needs. When it has
 * printed all that it may or can, the pipeline posts an application message
 * "finished". */
void printer_attach (Printer * printer, GstElement * pipeline,
    GstElement * json, PrintMode mode, FILE * out, guint64 limit);
guint64 printer_get_n_printed (Printer * printer);
/* After the pipeline went back to the NULL state. */
void printer_clear (Printer * printer);

/* cca-json-parse.c: makes a pipeline of a description, given whole as one
 * argument or word by word. Open ends get a fakesink. NULL after a sentence
 * on standard error if the description is bad. */
GstElement *parse_pipeline (gchar ** words);

#endif /* CCA_JSON_H */
