/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_ACTIVITY_REPORT_H__
#define __GST_CCA_ACTIVITY_REPORT_H__

#include "gstccaactivityrule.h"

G_BEGIN_DECLS

/* Returns an element message with a structure named cca-activity. */
GstMessage *gst_cca_activity_message_new (GstElement * element,
    const GstCcaActivityEvent * event, GstCcaActivityChange change,
    GstCcaActivityReason reason);

G_END_DECLS

#endif /* __GST_CCA_ACTIVITY_REPORT_H__ */
