/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_COLORS_H__
#define __GST_CCA_COLORS_H__

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Colours of drawings: 0xAARRGGBB, full range, as that of a screen. */

/* The values of its channels in that video, by the matrix and the range of the
 * caps: exact, rounded once. Video of unknown colours is taken for BT.601. */
void gst_cca_color_values (const GstVideoInfo * info, guint32 argb,
    guint16 values[3]);

/* A colour of its own for each id, with that alpha: those of ids that follow
 * each other differ most. */
guint32 gst_cca_color_of_id (gint64 id, guint alpha);

/* Black or white, whichever can be read better on it. */
guint32 gst_cca_color_against (guint32 argb);

G_END_DECLS

#endif /* __GST_CCA_COLORS_H__ */
