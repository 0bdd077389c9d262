/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_LABELS_H__
#define __GST_CCA_LABELS_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Has the engine write the labels of a frame, which is mapped, to a buffer of a
 * pool. On failure sets *why to a sentence, to be freed. */
gboolean gst_cca_labels_map (GstCcaBase * self, GstCcaJob * job,
    gchar ** why);

/* After the engine: the buffer stays, and is the job's until it is forgotten. */
void gst_cca_labels_unmap (GstCcaJob * job);
void gst_cca_labels_forget (GstCcaJob * job);

/* Attaches the label image, or what is made of it. On failure *why may be set to
 * a sentence; static. */
gboolean gst_cca_labels_attach (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result, const gchar ** why);

void gst_cca_labels_drop_pool (GstCcaBase * self);

G_END_DECLS

#endif /* __GST_CCA_LABELS_H__ */
