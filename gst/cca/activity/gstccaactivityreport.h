/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_ACTIVITY_REPORT_H__
#define __GST_CCA_ACTIVITY_REPORT_H__

#include "gstccaactivityrule.h"

G_BEGIN_DECLS

/* Returns the time of a buffer in Unix time, in ns, by its
 * GstReferenceTimestampMeta of Unix or NTP time, or GST_CLOCK_TIME_NONE. */
GstClockTime gst_cca_activity_get_reference_utc (GstBuffer * buffer);

/* Returns whether the times of a clock are Unix times. */
gboolean gst_cca_activity_clock_is_utc (GstClock * clock);

/* Returns an element message with a structure named cca-activity. */
GstMessage *gst_cca_activity_message_new (GstElement * element,
    const GstCcaActivityEvent * event, GstCcaActivityChange change,
    GstCcaActivityReason reason);

G_END_DECLS

#endif /* __GST_CCA_ACTIVITY_REPORT_H__ */
