/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_BENCH_STREAMS_H__
#define __CCA_BENCH_STREAMS_H__

#include <gst/gst.h>

/* Pipelines of one process that run at the same time. */
typedef struct {
    GPtrArray *pipelines;
    gint n_outside; /* buffers that were not where they should be */
    gint n_counted; /* pipelines whose components were counted */
    gint n_wrong;   /* frames that had not as many as they should */
    guint n_components;
    gboolean on_gpu;
    gdouble start_ms;    /* of a pipeline, one after the other */
    guint64 *n_before;   /* frames of each pipeline until the mark */
    gdouble busy_before; /* microseconds of the analysing elements */
} Streams;

/* Of all streams, from one moment to another. */
typedef struct {
    gdouble wall_us, cpu_us; /* a frame; the CPU's is user and system time */
    gdouble analysis_us;     /* a frame, in the analysing element */
    gdouble least_percent;   /* frames of the pipeline with the fewest, of the
                              * mean of all */
    guint64 n_frames;
} Window;

/* How long is measured. */
typedef struct {
    guint n_windows;
    gdouble seconds; /* of each ... */
    guint n_frames;  /* ... and at least this number of frames */
    gdouble warm_up; /* seconds before */
} Span;

/* Adds a pipeline of that description, with a context for its elements or NULL.
 * The first element is a loopsrc named `source`, the last one a fakesink named
 * `sink`; of one named `cca` the first 20 frames are looked at: they are in the
 * right memory, and have as many components as they should. */
GstElement *streams_add(Streams *streams, const gchar *description, GstContext *context,
                        GstCaps *caps, GPtrArray *buffers, gchar **why);

/* Starts them, measures when all run, and stops them: windows one after the
 * other, without a pause. FALSE, and a sentence in `why`, if one stops itself,
 * or if something was not as it should be. */
gboolean streams_measure(Streams *streams, const Span *span, Window *windows, gchar **why);

Streams *streams_new(guint n_components, gboolean on_gpu);
void streams_free(Streams *streams);

/* Sorts them by wall time and gives the one in the middle. */
Window window_median(Window *windows, guint n);

#endif /* __CCA_BENCH_STREAMS_H__ */
