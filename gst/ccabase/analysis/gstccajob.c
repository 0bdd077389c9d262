/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Analyses one frame: takes its buffer and leaves the result on it as metas. */

#include "gstccajob.h"

#include "gstccabackground.h"
#include "gstccabaseengine.h"
#include "gstccalabels.h"
#include "gst/ccabase/gstccawarning.h"
#include "gstccaresult.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

/* --- prepare -------------------------------------------------------------- */

static void
take_settings (GstCcaBase *self, GstCcaJob *job)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  /* Raw video that is read from a file has a segment in bytes, not in time. */
  if (segment->format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (job->buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (self), time);

  GST_OBJECT_LOCK (self);
  job->settings = self->settings;
  job->restarts = self->restarts;
  if (self->drawn.regions != self->working.regions
      || self->drawn.file != self->working.file
      || self->drawn.picture != self->working.picture) {
    g_clear_pointer (&self->mask, gst_cca_region_mask_unref);
    gst_cca_working_set_copy (&self->drawn, &self->working);
  }
  GST_OBJECT_UNLOCK (self);

  if (!gst_cca_settings_resolve_times (&job->settings, &self->info)
      && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_NO_RATE))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("The video has no frame rate to convert milliseconds into frames: set "
         "background-period, warm-up and absorb-after in frames, or put "
         "videorate before this element."),
        ("The frame rate of the caps is 0/1, which means that it varies."));
}

static gboolean
refuse_buffer (GstCcaBase *self, gchar *why)
{
  gst_cca_base_post_error (self, CCA_ERROR_INVALID, why);
  g_free (why);
  return FALSE;
}

/* Draws the mask of the working set for the picture, unless it is there. */
static gboolean
draw_working_set (GstCcaBase *self, const GstCcaPicture *picture)
{
  if (self->mask != NULL && self->mask->mask->width == picture->width
      && self->mask->mask->height == picture->height)
    return TRUE;
  g_clear_pointer (&self->mask, gst_cca_region_mask_unref);
  if (gst_cca_working_set_is_all (&self->drawn) || picture->width == 0)
    return TRUE;
  self->mask =
      gst_cca_working_set_draw (&self->drawn, picture->width, picture->height);
  if (self->mask == NULL)
    gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY,
        "memory for the mask of the regions ran out");
  return self->mask != NULL;
}

gboolean
gst_cca_job_prepare (GstCcaJob *job, GstCcaBase *base)
{
  gchar *why = NULL;

  job->submitted = FALSE;
  take_settings (base, job);

  /* A gap buffer without memory has no picture. */
  job->skip = GST_BUFFER_FLAG_IS_SET (job->buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_get_size (job->buffer) == 0;
  if (job->skip) {
    job->picture = (GstCcaPicture) {
      0,
    };
    return TRUE;
  }
  job->params =
      gst_cca_settings_get_params (&job->settings, GST_CCA_DEPTH (&base->info));
  if (!gst_cca_picture_find (&job->picture, job->buffer, &base->info, &why))
    return refuse_buffer (base, why);
  return draw_working_set (base, &job->picture);
}

/* --- submit --------------------------------------------------------------- */

/* The background belongs to one rectangle of the frame. The engine knows only
 * the size of the rectangle, so a change of its position is handled here. */
static void
keep_or_restart_background (GstCcaBase *self, GstCcaJob *job)
{
  const GstCcaPicture *old = &self->picture, *new = &job->picture;

  if (job->restarts != self->restarts_done || old->x != new->x
      || old->y != new->y || gst_cca_base_overload_restarts (self, job, 0))
    cca_engine_reset_background (self->engine);
  self->restarts_done = job->restarts;
  self->picture = *new;
}

static void
unmap (GstCcaBase *self, GstCcaJob *job)
{
  gst_cca_labels_unmap (job);
  GST_CCA_BASE_GET_CLASS (self)->unmap (self, job);
}

/* Releases the label image and the mask. */
static void
forget (GstCcaJob *job)
{
  gst_cca_labels_forget (job);
  g_clear_pointer (&job->mask, gst_cca_region_mask_unref);
}

/* Requires that the engine is configured and the frame is mapped. */
static gboolean
start_engine (GstCcaBase *self, GstCcaJob *job)
{
  CcaStatus status;
  gchar *why = NULL;

  if (!gst_cca_labels_map (self, job, &why)) {
    gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY, why);
    g_free (why);
    return FALSE;
  }
  status =
      cca_engine_analyse (self->engine, job->slot, &job->frame, &job->params);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  return status == CCA_OK;
}

/* On failure it unmaps the frame, and releases the label image and the mask. */
static gboolean
start_analysis (GstCcaBase *self, GstCcaJob *job)
{
  gchar *why = NULL;

  job->frame.width = job->picture.width;
  job->frame.height = job->picture.height;
  if (!GST_CCA_BASE_GET_CLASS (self)->map (self, job, &why))
    return refuse_buffer (self, why);

  if (self->mask != NULL) {
    job->mask = gst_cca_region_mask_ref (self->mask);
    job->params.mask = job->mask->mask;
  }

  /* Configure after map: if the engine could not be reopened there is none,
   * and map refuses the buffer. */
  if (gst_cca_base_ensure_configured (self, job)) {
    g_rec_mutex_lock (&self->engine_lock);
    keep_or_restart_background (self, job);
    gst_cca_background_take_loaded (self, job);
    job->submitted = start_engine (self, job);
    g_rec_mutex_unlock (&self->engine_lock);
  }
  if (!job->submitted) {
    unmap (self, job);
    forget (job);
  }
  return job->submitted;
}

gboolean
gst_cca_job_submit (GstCcaJob *job, GstCcaBase *base)
{
  const GstClockTime start = gst_util_get_timestamp ();
  const gboolean ok = job->picture.width == 0 || start_analysis (base, job);

  job->busy = gst_util_get_timestamp () - start;
  return ok;
}

/* --- collect -------------------------------------------------------------- */

static CcaStatus
take_result (GstCcaBase *self, GstCcaJob *job, CcaResult *result)
{
  CcaStatus status;

  status = cca_engine_collect (self->engine, job->slot, result);
  unmap (self, job);
  job->submitted = FALSE;
  return status;
}

void
gst_cca_job_discard (GstCcaJob *job, GstCcaBase *base)
{
  CcaResult unused;

  if (job->submitted) {
    g_rec_mutex_lock (&base->engine_lock);
    take_result (base, job, &unused);
    g_rec_mutex_unlock (&base->engine_lock);
  }
  forget (job);
}

/* Waits for the frame. If there was no picture to submit, it returns TRUE and
 * leaves *result unchanged. */
static gboolean
finish_analysis (GstCcaBase *self, GstCcaJob *job, CcaResult *result)
{
  CcaStatus status;

  if (!job->submitted)
    return TRUE;
  /* Until the error is read no other call may replace it. */
  g_rec_mutex_lock (&self->engine_lock);
  status = take_result (self, job, result);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  g_rec_mutex_unlock (&self->engine_lock);
  return status == CCA_OK;
}

static gboolean
collect (GstCcaBase *self, GstCcaJob *job)
{
  GstClockTime start = gst_util_get_timestamp ();
  CcaResult result;

  if (job->skip)
    return TRUE;
  /* the result for an empty crop rectangle */
  result = cca_empty_result (&job->params, GST_CCA_DEPTH (&self->info));
  if (!finish_analysis (self, job, &result))
    return FALSE;
  job->busy += gst_util_get_timestamp () - start;

  gst_cca_base_check_overload (self, job, &result);
  gst_cca_base_count (self, job, &result);
  if (!gst_cca_base_publish (self, job, &result))
    return FALSE;
  GST_TRACE_OBJECT (self, "%u found in %" GST_PTR_FORMAT, result.n_found,
      job->buffer);
  return TRUE;
}

gboolean
gst_cca_job_collect (GstCcaJob *job, GstCcaBase *base)
{
  const gboolean ok = collect (base, job);

  forget (job);
  return ok;
}
