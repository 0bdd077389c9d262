/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BACKGROUND_H__
#define __GST_CCA_BACKGROUND_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Saves the background to the file, in the calling thread, which may be any.
 * Posts a warning and returns FALSE if that fails or there is no background. */
gboolean gst_cca_background_save (GstCcaBase * self, const gchar * path);

/* Reads the file and has the next frame with a background use it. May be called
 * from any thread. Posts a warning and returns FALSE if the file is missing or
 * cannot be used. */
gboolean gst_cca_background_load (GstCcaBase * self, const gchar * path);

/* Makes the next frame a first frame, unless a background was loaded for it.
 * May be called from any thread. */
void gst_cca_background_restart (GstCcaBase * self);

/* The same, also if a background was loaded. */
void gst_cca_background_reset (GstCcaBase * self);

/* Load from background-location when the element starts, and save to it when it
 * stops, before the engine is closed. The file may be missing at the start. */
void gst_cca_background_start (GstCcaBase * self);
void gst_cca_background_stop (GstCcaBase * self);

/* Requires that the engine is configured for the job and self->engine_lock is
 * taken. Replaces the background by one that was loaded, if the mode has one. */
void gst_cca_background_take_loaded (GstCcaBase * self, const GstCcaJob * job);

G_END_DECLS

#endif /* __GST_CCA_BACKGROUND_H__ */
