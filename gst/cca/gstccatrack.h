/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_H__
#define __GST_CCA_TRACK_H__

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_CCA_TRACK (gst_cca_track_get_type ())
G_DECLARE_FINAL_TYPE (GstCcaTrack, gst_cca_track, GST, CCA_TRACK,
    GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (ccatrack);

G_END_DECLS

#endif /* __GST_CCA_TRACK_H__ */
