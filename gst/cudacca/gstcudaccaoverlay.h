/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CUDA_CCA_OVERLAY_H__
#define __GST_CUDA_CCA_OVERLAY_H__

#include "gst/ccabase/overlay/gstccaoverlaybase.h"

G_BEGIN_DECLS

#define GST_TYPE_CUDA_CCA_OVERLAY (gst_cuda_cca_overlay_get_type ())
G_DECLARE_FINAL_TYPE (GstCudaCcaOverlay, gst_cuda_cca_overlay, GST,
    CUDA_CCA_OVERLAY, GstCcaOverlayBase)

GST_ELEMENT_REGISTER_DECLARE (cudaccaoverlay);

G_END_DECLS

#endif /* __GST_CUDA_CCA_OVERLAY_H__ */
