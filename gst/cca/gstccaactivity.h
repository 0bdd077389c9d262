/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_ACTIVITY_H__
#define __GST_CCA_ACTIVITY_H__

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_ACTIVITY (gst_cca_activity_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaActivity, gst_cca_activity, GST, CCA_ACTIVITY,
    GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccaactivity);

G_END_DECLS

#endif /* __GST_CCA_ACTIVITY_H__ */
