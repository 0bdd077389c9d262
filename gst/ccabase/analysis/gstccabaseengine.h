/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BASE_ENGINE_H__
#define __GST_CCA_BASE_ENGINE_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Posts an element error unless self->is_muted. The sentence has no final
 * period; the caller keeps it. */
void gst_cca_base_post_error (GstCcaBase * self, CcaStatus status,
    const gchar * sentence);

/* The functions below are for the streaming thread. Opening or configuring the
 * engine drops the frames in it, so the queue must be empty. On failure they
 * post an error and return FALSE. */
gboolean gst_cca_base_open_engine (GstCcaBase * self);
void gst_cca_base_close_engine (GstCcaBase * self);

/* Replaces the engine, after a change of the CUDA context for instance, and
 * configures the new one for the same frame size. */
gboolean gst_cca_base_reopen_engine (GstCcaBase * self);

/* Sets the format of new caps. The engine and the background are kept if format
 * and size of the video stay the same. */
gboolean gst_cca_base_set_video (GstCcaBase * self, const GstVideoInfo * info);

/* Returns whether the engine can take a prepared job without being
 * configured. */
gboolean gst_cca_base_is_configured (GstCcaBase * self, const GstCcaJob * job);

/* Configures the engine for a prepared job if that is necessary. */
gboolean gst_cca_base_ensure_configured (GstCcaBase * self,
    const GstCcaJob * job);

G_END_DECLS

#endif /* __GST_CCA_BASE_ENGINE_H__ */
