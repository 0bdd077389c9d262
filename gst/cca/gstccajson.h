/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_JSON_H__
#define __GST_CCA_JSON_H__

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_JSON (gst_cca_json_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaJson, gst_cca_json, GST, CCA_JSON, GstElement)

GST_ELEMENT_REGISTER_DECLARE (ccajson);

G_END_DECLS

#endif /* __GST_CCA_JSON_H__ */
