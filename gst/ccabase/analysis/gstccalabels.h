/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_LABELS_H__
#define __GST_CCA_LABELS_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* If meta-types has them, sets job->labels and job->background to buffers of a
 * pool, and their fields of job->frame to the mapped memory, where the engine
 * writes them. On failure it returns FALSE and sets *why to a sentence, which
 * the caller frees. */
gboolean gst_cca_labels_map (GstCcaBase * self, GstCcaJob * job,
    gchar ** why);

/* Unmaps these pictures. The job keeps the buffers until they are forgotten.
 * Both do nothing if there are none. */
void gst_cca_labels_unmap (GstCcaJob * job);
void gst_cca_labels_forget (GstCcaJob * job);

/* Attaches the label image, the segmentation and the background that meta-types
 * has. On
 * failure it returns FALSE and may set *why to a static sentence. */
gboolean gst_cca_labels_attach (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result, const gchar ** why);

void gst_cca_labels_drop_pool (GstCcaBase * self);

G_END_DECLS

#endif /* __GST_CCA_LABELS_H__ */
