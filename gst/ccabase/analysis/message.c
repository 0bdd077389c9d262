/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "base.h"

/* Whether the interval has passed. Also posts when the running time went
 * backwards, after a flush, and when there is none. */
static gboolean
is_due (GstCcaBase * self, GstClockTime interval, GstClockTime running_time)
{
  if (interval != 0 && GST_CLOCK_TIME_IS_VALID (running_time)
      && GST_CLOCK_TIME_IS_VALID (self->last_message)
      && running_time >= self->last_message
      && running_time - self->last_message < interval)
    return FALSE;

  self->last_message = running_time;
  return TRUE;
}

static void
append_component (GValue * array, const GstCcaComponent * c)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, gst_structure_new ("component",
          "id", G_TYPE_UINT, c->id,
          "x", G_TYPE_UINT, c->x,
          "y", G_TYPE_UINT, c->y,
          "width", G_TYPE_UINT, c->width,
          "height", G_TYPE_UINT, c->height,
          "area", G_TYPE_UINT64, c->area,
          "centroid-x", G_TYPE_DOUBLE, c->centroid_x,
          "centroid-y", G_TYPE_DOUBLE, c->centroid_y, NULL));
  gst_value_array_append_and_take_value (array, &value);
}

void
gst_cca_base_post_message (GstCcaBase * self, const GstCcaJob * job,
    const GstCcaAnalysis * analysis, const GstCcaComponent * components,
    guint n_components)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime timestamp = GST_BUFFER_PTS (job->buffer);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstClockTime running_time = GST_CLOCK_TIME_NONE;
  guint n_listed = MIN (n_components, job->settings.max_objects);
  GValue array = G_VALUE_INIT;
  GstStructure *s;
  guint i;

  if (segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (timestamp)) {
    stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        timestamp);
    running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME,
        timestamp);
  }
  if (!is_due (self, job->settings.message_interval, running_time))
    return;

  s = gst_structure_new ("cca",
      "timestamp", G_TYPE_UINT64, timestamp,
      "stream-time", G_TYPE_UINT64, stream_time,
      "running-time", G_TYPE_UINT64, running_time,
      "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (job->buffer),
      "width", G_TYPE_UINT, analysis->width,
      "height", G_TYPE_UINT, analysis->height,
      "depth", G_TYPE_UINT, analysis->depth,
      "foreground", G_TYPE_STRING,
      gst_cca_foreground_get_nick (analysis->foreground),
      "warming-up", G_TYPE_BOOLEAN,
      (analysis->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP) != 0,
      "threshold", G_TYPE_UINT, analysis->threshold,
      "threshold-high", G_TYPE_UINT, analysis->threshold_high,
      "n-found", G_TYPE_UINT, analysis->n_found,
      "n-components", G_TYPE_UINT, n_components,
      "n-listed", G_TYPE_UINT, n_listed,
      "truncated", G_TYPE_BOOLEAN, n_components < analysis->n_found, NULL);

  gst_value_array_init (&array, n_listed);
  for (i = 0; i < n_listed; i++)
    append_component (&array, &components[i]);
  gst_structure_take_value (s, "components", &array);

  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}
