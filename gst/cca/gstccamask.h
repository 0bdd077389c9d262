/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_MASK_H__
#define __GST_CCA_MASK_H__

#include "gst/ccabase/mask/gstccamaskbase.h"

G_BEGIN_DECLS

#define GST_TYPE_CCA_MASK (gst_cca_mask_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaMask, gst_cca_mask, GST, CCA_MASK, GstCcaMaskBase)

GST_ELEMENT_REGISTER_DECLARE (ccamask);

G_END_DECLS

#endif /* __GST_CCA_MASK_H__ */
