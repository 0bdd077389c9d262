/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_RESULT_H__
#define __GST_CCA_RESULT_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Compares the foreground with max-foreground. In an overload it removes the
 * components from the result. */
void gst_cca_base_check_overload (GstCcaBase * self, const GstCcaJob * job,
    CcaResult * result);

/* Returns whether the overload before the frame of job, after which n_uncollected
 * other frames were submitted, can restart the background before that frame. With
 * n_uncollected 0 it does. */
gboolean gst_cca_base_overload_restarts (GstCcaBase * self,
    const GstCcaJob * job, guint n_uncollected);

/* Adds a frame to the statistics. */
void gst_cca_base_count (GstCcaBase * self, const GstCcaJob * job,
    const CcaResult * result);

/* Returns the statistics as a new structure. Times are in nanoseconds. */
GstStructure *gst_cca_stats_to_structure (const GstCcaStats * stats);

/* Attaches the result to job->buffer as the metas of meta-types, and posts the
 * element message if it is enabled and due. On failure it posts an error and
 * returns FALSE. */
gboolean gst_cca_base_publish (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result);

G_END_DECLS

#endif /* __GST_CCA_RESULT_H__ */
