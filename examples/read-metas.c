/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* How a program reads the components of video frames. Outside this tree:
 *
 *   cc read-metas.c -o read-metas $(pkg-config --cflags --libs \
 *       gstreamer-cca-1.0 gstreamer-app-1.0)
 * Usage: read-metas [VIDEO]. Without VIDEO it reads a test picture. */

#include <stdlib.h>
#include <string.h>

#include <gst/app/gstappsink.h>
#include <gst/ccameta/gstccameta.h>

static void
print_components (GstBuffer *buffer)
{
  /* Both belong to the buffer: nothing to free, and not to be kept longer. */
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  const GstCcaComponent *components;
  guint i, n;

  if (meta == NULL)
    return;

  components = gst_cca_meta_get_components (meta, &n);
  g_print ("%" GST_TIME_FORMAT " %u of %u components\n",
      GST_TIME_ARGS (GST_BUFFER_PTS (buffer)), n,
      gst_cca_meta_get_n_found (meta));
  for (i = 0; i < n; i++)
    g_print ("  %u: %ux%u at %u,%u, area %" G_GUINT64_FORMAT
             ", centroid %.2f,%.2f\n",
        components[i].id, components[i].width, components[i].height,
        components[i].x, components[i].y, components[i].area,
        components[i].centroid_x, components[i].centroid_y);
}

/* Prints the first error that the pipeline has posted so far, if any. */
static gboolean
has_failed (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  gst_object_unref (bus);
  if (message == NULL)
    return FALSE;

  gst_message_parse_error (message, &error, NULL);
  g_printerr ("read-metas: %s: %s\n",
      GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), error->message);
  g_error_free (error);
  gst_message_unref (message);

  return TRUE;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline, *source;
  GstAppSink *sink;
  GError *error = NULL;
  GstSample *sample;
  gboolean failed;

  if (argc > 2
      || (argc == 2
          && (strcmp (argv[1], "--help") == 0
              || strcmp (argv[1], "-h") == 0))) {
    g_print ("usage: read-metas [VIDEO]\n\nPrints the components of each frame "
             "of VIDEO, or of a test picture.\n");
    return argc > 2 ? EXIT_FAILURE : EXIT_SUCCESS;
  }

  gst_init (&argc, &argv);
  /* for pipelines without cca, such as one that starts with unixfdsrc: what
   * comes from another process is only understood once it is registered */
  gst_cca_meta_get_info ();
  pipeline = gst_parse_launch (argc > 1
          ? "filesrc name=source ! decodebin ! videoconvert ! cca"
            " ! appsink name=sink sync=false max-buffers=4"
          : "videotestsrc name=source num-buffers=5 pattern=ball"
            " ! cca ! appsink name=sink sync=false max-buffers=4",
      &error);
  if (error != NULL)
    g_error ("cannot make the pipeline: %s", error->message);

  /* set as a property, a file name needs no quotes */
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  if (argc > 1)
    g_object_set (source, "location", argv[1], NULL);
  gst_object_unref (source);

  sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  /* after an error there may never be a sample, nor an end of stream */
  do {
    sample = gst_app_sink_try_pull_sample (sink, 100 * GST_MSECOND);
    if (sample != NULL) {
      print_components (gst_sample_get_buffer (sample));
      gst_sample_unref (sample);
    }
    failed = has_failed (pipeline);
  } while (!failed && (sample != NULL || !gst_app_sink_is_eos (sink)));

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);

  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
