/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The engine is opened when the element starts. It is configured for the first
 * caps, and again for larger frames, another foreground mode, labels or votes. */

#include "gstccabaseengine.h"

#include "gstccalabels.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

void
gst_cca_base_post_error (GstCcaBase *self, CcaStatus status,
    const gchar *sentence)
{
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;

  if (self->is_muted)
    return;
  switch (status) {
    case CCA_ERROR_INVALID:
    case CCA_ERROR_TOO_LARGE:
      domain = GST_STREAM_ERROR;
      code = GST_STREAM_ERROR_FORMAT;
      break;
    case CCA_ERROR_NO_MEMORY:
      code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      break;
    case CCA_ERROR_NO_DRIVER:
    case CCA_ERROR_NO_DEVICE:
      code = GST_RESOURCE_ERROR_NOT_FOUND;
      break;
    default:
      break;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain, code,
      g_strdup_printf ("The video cannot be analysed: %s.", sentence), NULL,
      __FILE__, GST_FUNCTION, __LINE__);
}

gboolean
gst_cca_base_open_engine (GstCcaBase *self)
{
  gchar *why = NULL;
  CcaStatus status;

  g_rec_mutex_lock (&self->engine_lock);
  status = GST_CCA_BASE_GET_CLASS (self)->open (self, &self->engine, &why);
  g_rec_mutex_unlock (&self->engine_lock);
  if (status != CCA_OK)
    gst_cca_base_post_error (self, status,
        why ? why : cca_status_string (status));
  g_free (why);
  return status == CCA_OK;
}

void
gst_cca_base_close_engine (GstCcaBase *self)
{
  self->config.width = self->config.height = 0;
  gst_cca_labels_drop_pool (self);
  g_rec_mutex_lock (&self->engine_lock);
  cca_engine_free (&self->engine);
  g_rec_mutex_unlock (&self->engine_lock);
}

/* Configuring the engine also discards the background. */
static gboolean
configure_engine (GstCcaBase *self, guint width, guint height,
    const GstCcaSettings *settings)
{
  CcaConfig config = {
    .width = width,
    .height = height,
    .sample_size = GST_CCA_SAMPLE_SIZE (&self->info),
    .depth = GST_CCA_DEPTH (&self->info),
    .shift = GST_VIDEO_FORMAT_INFO_SHIFT (self->info.finfo, 0),
    .max_components = self->settings.max_components,
    .slots = self->queue.depth + 1,
    .foreground = (CcaForeground) settings->foreground.mode,
    .frame_distance = self->settings.foreground.frame_distance,
    .labels = gst_cca_settings_want_labels (settings),
    .votes = gst_cca_settings_want_votes (settings),
    .features = (CcaFeatureFlags) self->settings.features,
  };
  CcaStatus status;

  GST_DEBUG_OBJECT (self, "configuring for %ux%u", width, height);
  g_rec_mutex_lock (&self->engine_lock);
  status = cca_engine_configure (self->engine, &config);
  if (status != CCA_OK) {
    config.width = config.height = 0;
    gst_cca_base_post_error (self, status, cca_engine_error (self->engine));
  }
  g_rec_mutex_unlock (&self->engine_lock);
  self->config = config;
  return status == CCA_OK;
}

static gboolean
configure_from_properties (GstCcaBase *self, guint width, guint height)
{
  GstCcaSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return configure_engine (self, width, height, &settings);
}

gboolean
gst_cca_base_reopen_engine (GstCcaBase *self)
{
  guint width = self->config.width, height = self->config.height;

  gst_cca_base_close_engine (self);
  return gst_cca_base_open_engine (self)
      && (width == 0 || configure_from_properties (self, width, height));
}

/* Ignores frame rate and colorimetry: when they change, the background stays
 * valid. */
static gboolean
is_same_picture (const GstVideoInfo *a, const GstVideoInfo *b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b)
      && GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b);
}

gboolean
gst_cca_base_set_video (GstCcaBase *self, const GstVideoInfo *info)
{
  const gboolean same =
      self->config.width != 0 && is_same_picture (&self->info, info);

  self->info = *info;
  return same
      || configure_from_properties (self, GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info));
}

gboolean
gst_cca_base_is_configured (GstCcaBase *self, const GstCcaJob *job)
{
  return job->picture.width <= self->config.width
      && job->picture.height <= self->config.height
      && job->params.foreground == self->config.foreground
      && gst_cca_settings_want_labels (&job->settings) <= self->config.labels
      && gst_cca_settings_want_votes (&job->settings) == self->config.votes;
}

/* A crop rectangle can be larger than the frame in the caps. The engine grows
 * to the largest width and height so far, unless they exceed CCA_MAX_PIXELS. */
gboolean
gst_cca_base_ensure_configured (GstCcaBase *self, const GstCcaJob *job)
{
  guint w = MAX (job->picture.width, self->config.width);
  guint h = MAX (job->picture.height, self->config.height);

  if (gst_cca_base_is_configured (self, job))
    return TRUE;
  if ((guint64) w * h > CCA_MAX_PIXELS) {
    w = job->picture.width;
    h = job->picture.height;
  }
  return configure_engine (self, w, h, &job->settings);
}
