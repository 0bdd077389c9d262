/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Saves and loads the background. Files are read and written in the thread that
 * asks for it. A loaded background waits in self->loaded for the next frame. */

#include "gstccabackground.h"

#include "gstccabackgroundfile.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

static void
set_loaded (GstCcaBase *self, GstCcaBackgroundFile *file)
{
  GstCcaBackgroundFile *old;

  GST_OBJECT_LOCK (self);
  old = self->loaded;
  self->loaded = file;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, gst_cca_background_file_free);
}

void
gst_cca_background_restart (GstCcaBase *self)
{
  GST_OBJECT_LOCK (self);
  self->restarts++;
  GST_OBJECT_UNLOCK (self);
}

void
gst_cca_background_reset (GstCcaBase *self)
{
  set_loaded (self, NULL);
  gst_cca_background_restart (self);
}

/* --- save ----------------------------------------------------------------- */

/* Returns whether a restart was requested that no frame has carried out. */
static gboolean
is_restarting (GstCcaBase *self)
{
  gboolean restarting;

  GST_OBJECT_LOCK (self);
  restarting = self->restarts != self->restarts_done;
  GST_OBJECT_UNLOCK (self);
  return restarting;
}

/* Copies the background from the engine. Returns FALSE, with a sentence in *why
 * that the caller frees, if that fails; also, without one, if there is no
 * background. */
static gboolean export (GstCcaBase *self, GstCcaBackgroundFile *file,
    gchar **why)
{
  CcaStatus status = CCA_ERROR_EMPTY;

  g_rec_mutex_lock (&self->engine_lock);
  if (self->engine != NULL && !is_restarting (self))
    file->form = cca_engine_get_background (self->engine);
  if (file->form.n_frames > 0) {
    file->x = self->picture.x;
    file->y = self->picture.y;
    file->state =
        g_try_malloc ((gsize) cca_background_state_size (&file->form));
    status = file->state == NULL
        ? CCA_ERROR_NO_MEMORY
        : cca_engine_export_background (self->engine, file->state);
    if (status != CCA_OK)
      *why = g_strdup (cca_status_string (status));
  }
  g_rec_mutex_unlock (&self->engine_lock);
  return status == CCA_OK;
}

/* Posts a warning if it fails, and if there is no background unless that is
 * expected. */
static gboolean
save (GstCcaBase *self, const gchar *path, gboolean is_expected)
{
  GstCcaBackgroundFile file = {
    {
      0,
    },
  };
  gchar *why = NULL;
  gboolean ok = export (self, &file, &why);

  if (ok)
    ok = gst_cca_background_file_write (&file, path, &why);
  else if (why == NULL && !is_expected)
    why = g_strdup ("there is none: foreground must be sigma-delta or "
                    "difference, and a frame must have been analysed since the "
                    "last restart of the background");
  if (why != NULL)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
        ("The background cannot be saved to '%s': %s.", path, why), (NULL));
  else
    GST_INFO_OBJECT (self, "saved the background to %s", path);
  g_free (why);
  g_free (file.state);
  return ok;
}

gboolean
gst_cca_background_save (GstCcaBase *self, const gchar *path)
{
  g_return_val_if_fail (path != NULL, FALSE);
  return save (self, path, FALSE);
}

/* --- load ----------------------------------------------------------------- */

/* Returns FALSE and posts a warning if the file cannot be used, or if it is
 * missing unless it may be. */
static gboolean
load (GstCcaBase *self, const gchar *path, gboolean may_be_missing)
{
  gchar *why = NULL;
  GstCcaBackgroundFile *file = gst_cca_background_file_read (path, &why);

  if (file != NULL) {
    set_loaded (self, file);
    return TRUE;
  }
  if (why == NULL && may_be_missing) {
    GST_INFO_OBJECT (self, "there is no background in %s yet", path);
    return TRUE;
  }
  if (why == NULL)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("There is no background in '%s': save one first.", path), (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, READ,
        ("The background in '%s' cannot be used: %s. The element does not "
         "overwrite the file: delete it, or choose another.",
            path, why),
        (NULL));
  g_free (why);
  return FALSE;
}

gboolean
gst_cca_background_load (GstCcaBase *self, const gchar *path)
{
  g_return_val_if_fail (path != NULL, FALSE);
  return load (self, path, FALSE);
}

/* A file that cannot be read is not overwritten when the element stops, because
 * it may be something else. */
void
gst_cca_background_start (GstCcaBase *self)
{
  const gchar *path = self->settings.background_location;

  self->saves_background = path != NULL && load (self, path, TRUE);
}

void
gst_cca_background_stop (GstCcaBase *self)
{
  if (self->saves_background)
    save (self, self->settings.background_location, TRUE);
  self->saves_background = FALSE;
  set_loaded (self, NULL);
}

/* Imports the background, or posts a warning if it does not fit. */
static void
use (GstCcaBase *self, const GstCcaJob *job, const GstCcaBackgroundFile *file)
{
  const CcaConfig *c = &self->config;
  const gboolean differs = c->foreground == CCA_FOREGROUND_DIFFERENCE;
  const GstCcaBackgroundFile wanted = {
    .form =
        {
          .foreground = c->foreground,
          .width = job->picture.width,
          .height = job->picture.height,
          .sample_size = c->sample_size,
          .depth = c->depth,
          .frame_distance = differs ? c->frame_distance : 0,
          .votes = !differs && c->votes,
        },
    .x = job->picture.x,
    .y = job->picture.y,
  };
  gchar *is, *must_be;

  if (!gst_cca_background_file_matches (file, &wanted)) {
    is = gst_cca_background_file_describe (file);
    must_be = gst_cca_background_file_describe (&wanted);
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("The background in '%s' is not used, because it has %s, and the video "
         "needs %s: restore the video or the properties, or save a new one.",
            file->path, is, must_be),
        (NULL));
    g_free (is);
    g_free (must_be);
  } else if (cca_engine_import_background (self->engine, &file->form,
                 file->state)
      != CCA_OK) {
    GST_ELEMENT_WARNING (self, RESOURCE, READ,
        ("The background in '%s' cannot be used: %s. Delete the file, or "
         "choose another.",
            file->path, cca_engine_error (self->engine)),
        (NULL));
  }
}

void
gst_cca_background_take_loaded (GstCcaBase *self, const GstCcaJob *job)
{
  GstCcaBackgroundFile *file;

  if (job->params.foreground < CCA_FOREGROUND_DIFFERENCE)
    return;
  GST_OBJECT_LOCK (self);
  file = g_steal_pointer (&self->loaded);
  GST_OBJECT_UNLOCK (self);
  if (file == NULL)
    return;
  use (self, job, file);
  gst_cca_background_file_free (file);
}
