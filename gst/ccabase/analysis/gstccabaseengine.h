/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_BASE_ENGINE_H__
#define __GST_CCA_BASE_ENGINE_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Posts an error with a sentence that has no final period. */
void gst_cca_base_post_error (GstCcaBase * self, CcaStatus status,
    const gchar * sentence);

/* All functions below are for the streaming thread. Those that open or
 * configure an engine drop the frames in it, so the queue has to be empty, and
 * return FALSE after an error, which they have posted. */
gboolean gst_cca_base_open_engine (GstCcaBase * self);
void gst_cca_base_close_engine (GstCcaBase * self);

/* Replaces the engine after a change of its context. */
gboolean gst_cca_base_reopen_engine (GstCcaBase * self);

/* Takes up the format of new caps. */
gboolean gst_cca_base_set_video (GstCcaBase * self, const GstVideoInfo * info);

/* Whether the engine can take a job whose picture is known as it is now. */
gboolean gst_cca_base_is_configured (GstCcaBase * self, const GstCcaJob * job);

/* Configures the engine for the job if it is not. */
gboolean gst_cca_base_ensure_configured (GstCcaBase * self,
    const GstCcaJob * job);

G_END_DECLS

#endif /* __GST_CCA_BASE_ENGINE_H__ */
