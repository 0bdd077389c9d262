/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_H__
#define __GST_CCA_H__

#include "gst/ccabase/analysis/gstccabase.h"

G_BEGIN_DECLS

#define GST_TYPE_CCA (gst_cca_get_type ())
G_DECLARE_FINAL_TYPE (GstCca, gst_cca, GST, CCA, GstCcaBase)

GST_ELEMENT_REGISTER_DECLARE (cca);

G_END_DECLS

#endif /* __GST_CCA_H__ */
