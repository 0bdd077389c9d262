/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JOB_H__
#define __GST_CCA_JOB_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* A job goes through prepare, submit and collect; discard replaces collect
 * where the result is not wanted. Each submit that succeeds needs one of the
 * two, in the order of the submits. Errors have been posted, except those of
 * downstream. For the streaming thread. */

/* Takes up the settings and the picture of job->buffer. The frame is not in the
 * engine yet. */
gboolean gst_cca_job_prepare (GstCcaJob * job, GstCcaBase * base);

/* Starts the analysis in the slot of the job. */
gboolean gst_cca_job_submit (GstCcaJob * job, GstCcaBase * base);

/* Waits for the result and attaches it to the buffer. */
gboolean gst_cca_job_collect (GstCcaJob * job, GstCcaBase * base);
void gst_cca_job_discard (GstCcaJob * job, GstCcaBase * base);

G_END_DECLS

#endif /* __GST_CCA_JOB_H__ */
