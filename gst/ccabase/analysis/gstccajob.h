/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JOB_H__
#define __GST_CCA_JOB_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* A job is prepared, submitted and collected. It is discarded instead of
 * collected if its result is not needed. Each successful submit needs one
 * collect or discard, in the order of the submits. All functions are for the
 * streaming thread. Those that return FALSE have posted an error. */

/* Copies the settings to the job and finds the picture of job->buffer. Does not
 * touch the engine. */
gboolean gst_cca_job_prepare (GstCcaJob * job, GstCcaBase * base);

/* Starts the analysis in the slot of the job. The queue must be empty if
 * gst_cca_base_is_configured() is FALSE for the job. */
gboolean gst_cca_job_submit (GstCcaJob * job, GstCcaBase * base);

/* Waits for the result and attaches it to the buffer. */
gboolean gst_cca_job_collect (GstCcaJob * job, GstCcaBase * base);

/* Waits for the result and drops it. */
void gst_cca_job_discard (GstCcaJob * job, GstCcaBase * base);

G_END_DECLS

#endif /* __GST_CCA_JOB_H__ */
