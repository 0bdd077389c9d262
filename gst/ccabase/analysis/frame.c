/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* One frame's way through the engine. */

#include "base.h"
#include "depth.h"
#include "flight.h"
#include "labels.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

static CcaParams
engine_params (const GstCcaSettings * s, guint depth)
{
  const GstCcaForegroundSettings *f = &s->foreground;

  return (CcaParams) {
    .foreground = (CcaForeground) f->mode,
    .threshold = gst_cca_threshold_in_depth (f->threshold, f->threshold_depth,
        depth),
    .threshold_high = gst_cca_threshold_in_depth (f->threshold_high,
        f->threshold_depth, depth),
    .invert = f->invert,
    .min_contrast = gst_cca_contrast_in_depth (f->min_contrast,
        f->threshold_depth, depth),
    .step = gst_cca_step_in_depth (f->threshold_depth, depth),
    .noise_factor = f->noise_factor,
    .background_period = f->background_period,
    .warm_up = f->warm_up,
    .learning = f->learning,
    .open_radius = f->open_radius,
    .close_radius = f->close_radius,
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
  job->restarts = self->restarts;
  GST_OBJECT_UNLOCK (self);
}

/* The background is of one rectangle of the frame. The engine itself sees only
 * how large that is. */
static void
keep_or_restart_background (GstCcaBase * self, GstCcaJob * job)
{
  const GstCcaPicture *old = &self->picture, *new = &job->picture;

  if (job->restarts != self->restarts_done
      || old->x != new->x || old->y != new->y)
    cca_engine_reset_background (self->engine);
  self->restarts_done = job->restarts;
  self->picture = *new;
}

static gboolean
refuse_buffer (GstCcaBase * self, gchar * why)
{
  gst_cca_base_post_error (self, CCA_ERROR_INVALID, why);
  g_free (why);
  return FALSE;
}

static gboolean
find_picture (GstCcaBase * self, GstCcaJob * job)
{
  gchar *why = NULL;

  job->params = engine_params (&job->settings, GST_CCA_DEPTH (&self->info));
  return gst_cca_picture_find (&job->picture, job->buffer, &self->info, &why)
      || refuse_buffer (self, why);
}

/* The engine drops what is in flight when it is configured. */
static GstFlowReturn
drain_before_change (GstCcaBase * self, const GstCcaJob * job)
{
  if (job->picture.width == 0 || gst_cca_base_is_configured (self, job))
    return GST_FLOW_OK;
  return gst_cca_flight_drain (self);
}

static void
unmap (GstCcaBase * self, GstCcaJob * job)
{
  gst_cca_labels_unmap (job);
  GST_CCA_BASE_GET_CLASS (self)->unmap (self, job);
}

/* The engine is ready, and the frame is mapped. FALSE: the error has been
 * posted. */
static gboolean
start_engine (GstCcaBase * self, GstCcaJob * job)
{
  CcaStatus status;
  gchar *why = NULL;

  if (gst_cca_wants_labels (job->settings.meta_types)
      && !gst_cca_labels_map (self, job, &why)) {
    gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY, why);
    g_free (why);
    return FALSE;
  }
  status = cca_engine_analyse (self->engine, job->slot, &job->frame,
      &job->params);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  return status == CCA_OK;
}

/* FALSE: the error has been posted, and nothing is mapped. */
static gboolean
start_analysis (GstCcaBase * self, GstCcaJob * job)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  gchar *why = NULL;

  if (job->picture.width == 0)
    return TRUE;
  job->frame.width = job->picture.width;
  job->frame.height = job->picture.height;
  if (!klass->map (self, job, &why))
    return refuse_buffer (self, why);

  /* not before: what map refuses may come where there is no engine */
  if (gst_cca_base_ensure_configured (self, job)) {
    keep_or_restart_background (self, job);
    job->submitted = start_engine (self, job);
  }
  if (!job->submitted) {
    unmap (self, job);
    gst_cca_labels_forget (job);
  }
  return job->submitted;
}

GstFlowReturn
gst_cca_base_submit (GstCcaBase * self, GstCcaJob * job)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  GstFlowReturn ret = GST_FLOW_OK;
  GstClockTime start;

  job->submitted = FALSE;
  if (klass->prepare != NULL)
    ret = klass->prepare (self, job->buffer);
  if (ret != GST_FLOW_OK)
    return ret;
  take_settings (self, job);

  /* a gap without any memory stands for no picture at all */
  job->skip = GST_BUFFER_FLAG_IS_SET (job->buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_get_size (job->buffer) == 0;
  if (job->skip)
    return GST_FLOW_OK;

  if (!find_picture (self, job))
    return GST_FLOW_ERROR;
  ret = drain_before_change (self, job);
  if (ret != GST_FLOW_OK)
    return ret;
  start = gst_util_get_timestamp ();
  if (!start_analysis (self, job))
    ret = GST_FLOW_ERROR;
  job->busy = gst_util_get_timestamp () - start;
  return ret;
}

/* The frame leaves the engine. */
static CcaStatus
take_result (GstCcaBase * self, GstCcaJob * job, CcaResult * result)
{
  CcaStatus status = cca_engine_collect (self->engine, job->slot, result);

  unmap (self, job);
  job->submitted = FALSE;
  return status;
}

void
gst_cca_base_discard (GstCcaBase * self, GstCcaJob * job)
{
  CcaResult unused;

  if (job->submitted)
    take_result (self, job, &unused);
  gst_cca_labels_forget (job);
}

/* Waits for the frame and leaves what was found in *result. */
static gboolean
finish_analysis (GstCcaBase * self, GstCcaJob * job, CcaResult * result)
{
  CcaStatus status;

  if (!job->submitted)
    return TRUE;
  status = take_result (self, job, result);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  return status == CCA_OK;
}

/* Of a crop that leaves nothing: as of a region of interest that is empty. */
static CcaResult
nothing_found (const CcaParams * params)
{
  CcaResult result = {
    .threshold = params->threshold,
    .threshold_high = params->threshold_high,
  };

  if (params->foreground == CCA_FOREGROUND_OTSU) {
    result.threshold = 0;
  } else if (params->foreground != CCA_FOREGROUND_THRESHOLD) {
    result.threshold = params->min_contrast;
    result.threshold_high = G_MAXUINT16;
  }
  return result;
}

static void
count (GstCcaBase * self, const GstCcaJob * job, const CcaResult * result)
{
  const GstClockTime busy = job->busy;

  GST_OBJECT_LOCK (self);
  self->stats.frames++;
  if (job->picture.width > 0)
    self->stats.background_frames = result->background_frames;
  self->stats.truncated_frames += result->truncated;
  self->stats.n_found = result->n_found;
  self->stats.n_components = result->n_components;
  self->stats.total_time += busy;
  self->stats.max_time = MAX (self->stats.max_time, busy);
  GST_OBJECT_UNLOCK (self);
}

static GstFlowReturn
collect (GstCcaBase * self, GstCcaJob * job)
{
  GstClockTime start = gst_util_get_timestamp ();
  CcaResult result;

  if (job->skip)
    return GST_FLOW_OK;
  result = nothing_found (&job->params);
  if (!finish_analysis (self, job, &result))
    return GST_FLOW_ERROR;
  job->busy += gst_util_get_timestamp () - start;

  count (self, job, &result);
  if (!gst_cca_base_publish (self, job, &result))
    return GST_FLOW_ERROR;
  GST_TRACE_OBJECT (self, "%u found in %" GST_PTR_FORMAT, result.n_found,
      job->buffer);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_cca_base_collect (GstCcaBase * self, GstCcaJob * job)
{
  GstFlowReturn ret = collect (self, job);

  gst_cca_labels_forget (job);
  return ret;
}
