/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "streams.h"

#include <stdlib.h>
#include <sys/resource.h>

#include <gst/ccameta/gstccameta.h>

#include "gpus.h"
#include "loopsrc.h"

#define N_CHECKED 20
#define MOST_SECONDS 30

Streams *streams_new(guint n_components, gboolean on_gpu)
{
    Streams *streams = g_new0(Streams, 1);

    streams->pipelines = g_ptr_array_new_with_free_func(gst_object_unref);
    streams->n_components = n_components;
    streams->on_gpu = on_gpu;
    return streams;
}

static void set_states(Streams *streams, GstState state)
{
    guint i;

    for (i = 0; i < streams->pipelines->len; i++)
        gst_element_set_state(g_ptr_array_index(streams->pipelines, i), state);
    for (i = 0; i < streams->pipelines->len; i++)
        gst_element_get_state(g_ptr_array_index(streams->pipelines, i), NULL, NULL,
                              MOST_SECONDS * GST_SECOND);
}

/* To free memory of the GPU is to wait for all that runs there: pause first. */
void streams_free(Streams *streams)
{
    set_states(streams, GST_STATE_PAUSED);
    set_states(streams, GST_STATE_NULL);
    g_ptr_array_unref(streams->pipelines);
    g_free(streams->n_before);
    g_free(streams);
}

/* --- checks of the frames ------------------------------------------------- */

static GstPadProbeReturn check_memory(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    Streams *streams = data;

    if (gpus_hold(GST_PAD_PROBE_INFO_BUFFER(info)) != streams->on_gpu)
        g_atomic_int_inc(&streams->n_outside);
    return GST_PAD_PROBE_REMOVE;
}

static GstPadProbeReturn check_components(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    Streams *streams = data;
    GstCcaMeta *meta = gst_buffer_get_cca_meta(GST_PAD_PROBE_INFO_BUFFER(info));
    guint n_seen = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(pad), "n-seen")) + 1;

    if (meta == NULL ||
        (streams->n_components > 0 && gst_cca_meta_get_n_found(meta) != streams->n_components))
        g_atomic_int_inc(&streams->n_wrong);
    g_object_set_data(G_OBJECT(pad), "n-seen", GUINT_TO_POINTER(n_seen));
    if (n_seen < N_CHECKED)
        return GST_PAD_PROBE_OK;
    g_atomic_int_inc(&streams->n_counted);
    return GST_PAD_PROBE_REMOVE;
}

static void probe(GstElement *element, const gchar *name, GstPadProbeCallback callback,
                  Streams *streams)
{
    GstPad *pad = gst_element_get_static_pad(element, name);

    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, callback, streams, NULL);
    gst_object_unref(pad);
}

GstElement *streams_add(Streams *streams, const gchar *description, GstContext *context,
                        GstCaps *caps, GPtrArray *buffers, gchar **why)
{
    GError *error = NULL;
    GstElement *pipeline, *source, *cca;

    pipeline = gst_parse_launch_full(description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
    if (pipeline == NULL) {
        *why = g_strdup(error->message);
        g_error_free(error);
        return NULL;
    }
    g_ptr_array_add(streams->pipelines, gst_object_ref_sink(pipeline));
    if (context != NULL)
        gst_element_set_context(pipeline, context);
    source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
    bench_loop_src_set_buffers(BENCH_LOOP_SRC(source), caps, buffers);
    gst_object_unref(source);
    cca = gst_bin_get_by_name(GST_BIN(pipeline), "cca");
    if (cca != NULL) {
        probe(cca, "sink", check_memory, streams);
        probe(cca, "src", check_components, streams);
        gst_object_unref(cca);
    } else {
        streams->n_counted++;
    }
    return pipeline;
}

/* --- time ----------------------------------------------------------------- */

static gdouble cpu_us(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

/* Frames that reached the pipeline's end: the sink counts them anyway. */
static guint64 n_rendered(GstElement *pipeline)
{
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    GstStructure *stats;
    guint64 n = 0;

    g_object_get(sink, "stats", &stats, NULL);
    gst_structure_get_uint64(stats, "rendered", &n);
    gst_structure_free(stats);
    gst_object_unref(sink);
    return n;
}

/* Microseconds that the element has taken to analyse frames. */
static gdouble busy_us(GstElement *pipeline)
{
    GstElement *cca = gst_bin_get_by_name(GST_BIN(pipeline), "cca");
    guint64 n = 0, mean = 0;
    GstStructure *stats;

    if (cca == NULL)
        return 0;
    g_object_get(cca, "stats", &stats, NULL);
    gst_structure_get(stats, "frames", G_TYPE_UINT64, &n, "mean-time", G_TYPE_UINT64, &mean, NULL);
    gst_structure_free(stats);
    gst_object_unref(cca);
    return n * mean / 1e3;
}

static gdouble sum_busy_us(Streams *streams)
{
    gdouble sum = 0;
    guint i;

    for (i = 0; i < streams->pipelines->len; i++)
        sum += busy_us(g_ptr_array_index(streams->pipelines, i));
    return sum;
}

/* From here on frames are counted. */
static void mark(Streams *streams)
{
    guint i;

    streams->busy_before = sum_busy_us(streams);
    for (i = 0; i < streams->pipelines->len; i++)
        streams->n_before[i] = n_rendered(g_ptr_array_index(streams->pipelines, i));
}

/* Frames of all of them since then; `least` is of the one with the fewest. */
static guint64 count_frames(Streams *streams, guint64 *least)
{
    guint64 sum = 0;
    guint i;

    *least = G_MAXUINT64;
    for (i = 0; i < streams->pipelines->len; i++) {
        guint64 n = n_rendered(g_ptr_array_index(streams->pipelines, i)) - streams->n_before[i];

        sum += n;
        *least = MIN(*least, n);
    }
    return sum;
}

static gboolean still_runs(Streams *streams, gchar **why)
{
    guint i;

    for (i = 0; i < streams->pipelines->len; i++) {
        GstBus *bus = gst_element_get_bus(g_ptr_array_index(streams->pipelines, i));
        GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
        GError *error = NULL;

        gst_object_unref(bus);
        if (message == NULL)
            continue;
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR)
            gst_message_parse_error(message, &error, NULL);
        *why = g_strdup(error ? error->message : "the pipeline has ended");
        g_clear_error(&error);
        gst_message_unref(message);
        return FALSE;
    }
    return TRUE;
}

/* Runs for `seconds` and until each stream has pushed n_frames more. */
static gboolean run_for(Streams *streams, gdouble seconds, guint n_frames, gchar **why)
{
    gint64 start = g_get_monotonic_time();
    guint64 least;

    mark(streams);
    for (;;) {
        gdouble gone = (g_get_monotonic_time() - start) / 1e6;

        count_frames(streams, &least);
        if (gone >= seconds && least >= n_frames)
            return TRUE;
        if (!still_runs(streams, why))
            return FALSE;
        if (gone > seconds + MOST_SECONDS) {
            *why = g_strdup("too few frames come");
            return FALSE;
        }
        g_usleep(MAX(1000, MIN(50000, (seconds - gone) * 1e6)));
    }
}

static gboolean measure_window(Streams *streams, const Span *span, Window *window, gchar **why)
{
    gdouble cpu = cpu_us();
    gint64 start = g_get_monotonic_time();
    guint64 least;

    if (!run_for(streams, span->seconds, span->n_frames, why))
        return FALSE;
    window->wall_us = g_get_monotonic_time() - start;
    window->cpu_us = cpu_us() - cpu;
    window->n_frames = count_frames(streams, &least);
    window->least_percent = 100. * least * streams->pipelines->len / window->n_frames;
    window->analysis_us = (sum_busy_us(streams) - streams->busy_before) / window->n_frames;
    window->wall_us /= window->n_frames;
    window->cpu_us /= window->n_frames;
    return TRUE;
}

static gboolean all_was_right(Streams *streams, gchar **why)
{
    if (streams->n_outside > 0)
        *why = g_strdup("the frames are in the wrong memory");
    else if (streams->n_wrong > 0)
        *why = g_strdup("the number of components is wrong");
    else if (streams->n_counted != (gint) streams->pipelines->len)
        *why = g_strdup("the components were not counted");
    return *why == NULL;
}

/* Starts all streams at once: a barrier holds them until each one is ready. */
static gboolean start(Streams *streams, gchar **why)
{
    gint64 begin = g_get_monotonic_time();

    set_states(streams, GST_STATE_PAUSED);
    streams->start_ms = (g_get_monotonic_time() - begin) / 1e3 / streams->pipelines->len;
    set_states(streams, GST_STATE_PLAYING);
    return still_runs(streams, why);
}

gboolean streams_measure(Streams *streams, const Span *span, Window *windows, gchar **why)
{
    guint i;

    streams->n_before = g_new0(guint64, streams->pipelines->len);
    if (!start(streams, why))
        return FALSE;
    if (!run_for(streams, span->warm_up, MAX(span->n_frames, N_CHECKED), why))
        return FALSE;
    for (i = 0; i < span->n_windows; i++)
        if (!measure_window(streams, span, &windows[i], why))
            return FALSE;
    return all_was_right(streams, why);
}

static int by_wall(const void *a, const void *b)
{
    gdouble x = ((const Window *) a)->wall_us, y = ((const Window *) b)->wall_us;

    return (x > y) - (x < y);
}

Window window_median(Window *windows, guint n)
{
    qsort(windows, n, sizeof(*windows), by_wall);
    return windows[n / 2];
}
