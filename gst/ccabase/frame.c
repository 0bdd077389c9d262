/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One frame's way through the engine. */

#include "base.h"
#include "depth.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

static CcaParams
engine_params (const GstCcaSettings * s, guint depth)
{
  return (CcaParams) {
    .threshold = gst_cca_threshold_in_depth (s->threshold, s->threshold_depth,
        depth),
    .threshold_high = gst_cca_threshold_in_depth (s->threshold_high,
        s->threshold_depth, depth),
    .invert = s->invert,
    .connectivity = s->connectivity,
    .min_area = s->min_area,
    .max_area = s->max_area,
    .roi = s->roi,
    .max_components = s->max_components,
    .order = (CcaOrder) s->order,
  };
}

static void
take_settings (GstCcaBase * self, GstCcaJob * job)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  /* raw video straight from a file comes in bytes */
  if (segment->format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (job->buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (self), time);

  GST_OBJECT_LOCK (self);
  job->settings = self->settings;
  GST_OBJECT_UNLOCK (self);
}

/* FALSE: the error has been posted, and nothing is mapped. */
static gboolean
start_analysis (GstCcaBase * self, GstCcaJob * job)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  CcaStatus status;
  gchar *why = NULL;

  job->params = engine_params (&job->settings, GST_CCA_DEPTH (&self->info));
  if (!gst_cca_picture_find (&job->picture, job->buffer, &self->info, &why))
    goto bad_buffer;
  if (job->picture.width == 0)
    return TRUE;
  job->frame.width = job->picture.width;
  job->frame.height = job->picture.height;
  if (!klass->map (self, job, &why))
    goto bad_buffer;

  /* not before: what map refuses may come where there is no engine */
  if (gst_cca_base_ensure_configured (self, job->picture.width,
          job->picture.height)) {
    status = cca_engine_analyse (self->engine, job->slot, &job->frame,
        &job->params);
    job->submitted = status == CCA_OK;
    if (!job->submitted)
      gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  }
  if (!job->submitted)
    klass->unmap (self, job);
  return job->submitted;

bad_buffer:
  gst_cca_base_post_error (self, CCA_ERROR_INVALID, why);
  g_free (why);
  return FALSE;
}

GstFlowReturn
gst_cca_base_submit (GstCcaBase * self, GstCcaJob * job)
{
  GstClockTime start = gst_util_get_timestamp ();
  gboolean ok;

  job->submitted = FALSE;
  take_settings (self, job);

  /* a gap without any memory stands for no picture at all */
  job->skip = GST_BUFFER_FLAG_IS_SET (job->buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_get_size (job->buffer) == 0;
  if (job->skip)
    return GST_FLOW_OK;

  ok = start_analysis (self, job);
  job->busy = gst_util_get_timestamp () - start;
  return ok ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Waits for the frame and leaves what was found in *result. */
static gboolean
finish_analysis (GstCcaBase * self, GstCcaJob * job, CcaResult * result)
{
  CcaStatus status;

  if (!job->submitted)
    return TRUE;
  status = cca_engine_collect (self->engine, job->slot, result);
  GST_CCA_BASE_GET_CLASS (self)->unmap (self, job);
  job->submitted = FALSE;

  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  return status == CCA_OK;
}

static void
count (GstCcaBase * self, const CcaResult * result, GstClockTime busy)
{
  GST_OBJECT_LOCK (self);
  self->stats.frames++;
  self->stats.truncated_frames += result->truncated;
  self->stats.n_found = result->n_found;
  self->stats.n_components = result->n_components;
  self->stats.total_time += busy;
  self->stats.max_time = MAX (self->stats.max_time, busy);
  GST_OBJECT_UNLOCK (self);
}

GstFlowReturn
gst_cca_base_collect (GstCcaBase * self, GstCcaJob * job)
{
  GstClockTime start = gst_util_get_timestamp ();
  CcaResult result = { 0, };

  if (job->skip)
    return GST_FLOW_OK;
  if (!finish_analysis (self, job, &result))
    return GST_FLOW_ERROR;
  job->busy += gst_util_get_timestamp () - start;

  count (self, &result, job->busy);
  if (!gst_cca_base_publish (self, job, &result))
    return GST_FLOW_ERROR;
  GST_TRACE_OBJECT (self, "%u found in %" GST_PTR_FORMAT, result.n_found,
      job->buffer);
  return GST_FLOW_OK;
}
