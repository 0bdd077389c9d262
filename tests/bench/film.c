/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "film.h"

#define N_FRAMES 120

static GstPadProbeReturn keep(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    Film *film = data;
    GstBuffer *unit = gst_buffer_copy(GST_PAD_PROBE_INFO_BUFFER(info));

    /* they are repeated, and times are not */
    GST_BUFFER_PTS(unit) = GST_BUFFER_DTS(unit) = GST_CLOCK_TIME_NONE;
    g_ptr_array_add(film->units, unit);
    if (film->caps == NULL)
        film->caps = gst_pad_get_current_caps(pad);
    return GST_PAD_PROBE_OK;
}

static void encode(Film *film, GstElement *pipeline)
{
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    GstBus *bus = gst_element_get_bus(pipeline);

    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, keep, film, NULL);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    gst_message_unref(
        gst_bus_timed_pop_filtered(bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(pad);
    gst_object_unref(sink);
}

Film *film_new(guint width, guint height)
{
    Film *film = g_new0(Film, 1);
    gchar *description =
        g_strdup_printf("videotestsrc pattern=ball num-buffers=%d ! "
                        "video/x-raw,format=I420,width=%u,height=%u,framerate=30/1 ! "
                        "x264enc speed-preset=ultrafast ! video/x-h264,stream-format=byte-stream,"
                        "alignment=au ! fakesink name=sink",
                        N_FRAMES, width, height);
    GstElement *pipeline = gst_parse_launch_full(description, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
                                                 NULL);

    film->units = g_ptr_array_new_with_free_func((GDestroyNotify) gst_buffer_unref);
    g_free(description);
    if (pipeline != NULL) {
        encode(film, pipeline);
        gst_object_unref(pipeline);
    }
    if (film->units->len == N_FRAMES)
        return film;
    film_free(film);
    return NULL;
}

void film_free(Film *film)
{
    gst_clear_caps(&film->caps);
    g_ptr_array_unref(film->units);
    g_free(film);
}
