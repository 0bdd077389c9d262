/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_EXPAND_H__
#define __GST_CCA_EXPAND_H__

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_EXPAND (gst_cca_expand_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaExpand, gst_cca_expand, GST, CCA_EXPAND,
    GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccaexpand);

G_END_DECLS

#endif /* __GST_CCA_EXPAND_H__ */
