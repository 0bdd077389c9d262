/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_RESULT_H__
#define __GST_CCA_RESULT_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* Adds a frame to the statistics. */
void gst_cca_base_count (GstCcaBase * self, const GstCcaJob * job,
    const CcaResult * result);
GstStructure *gst_cca_stats_to_structure (const GstCcaStats * stats);

/* Attaches the result to the job's buffer, and posts the element message. FALSE
 * after an error, which has been posted. */
gboolean gst_cca_base_publish (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result);

G_END_DECLS

#endif /* __GST_CCA_RESULT_H__ */
