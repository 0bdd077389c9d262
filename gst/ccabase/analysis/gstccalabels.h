/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_LABELS_H__
#define __GST_CCA_LABELS_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Sets job->labels to a buffer of a pool and job->frame.labels to its mapped
 * memory, where the engine writes the labels. On failure it returns FALSE and
 * sets *why to a sentence, which the caller frees. */
gboolean gst_cca_labels_map (GstCcaBase * self, GstCcaJob * job,
    gchar ** why);

/* Unmaps the label image. The job keeps the buffer until it is forgotten. Both
 * do nothing if there is none. */
void gst_cca_labels_unmap (GstCcaJob * job);
void gst_cca_labels_forget (GstCcaJob * job);

/* Attaches the label image, the segmentation or both, as meta-types says. On
 * failure it returns FALSE and may set *why to a static sentence. */
gboolean gst_cca_labels_attach (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result, const gchar ** why);

void gst_cca_labels_drop_pool (GstCcaBase * self);

G_END_DECLS

#endif /* __GST_CCA_LABELS_H__ */
