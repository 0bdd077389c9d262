/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_VIDEO_SHAPE_H__
#define __GST_CCA_VIDEO_SHAPE_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/* What decides whether the components of a GstCcaMeta are where it says. */
typedef struct {
  guint width, height;
  guint par_n, par_d;           /* of a pixel; 0: unknown */
} GstCcaVideoShape;

/* Reads caps of any format and memory. FALSE if they have no size: the element
 * has posted an error. */
gboolean gst_cca_video_shape_from_caps (GstCcaVideoShape * self,
    const GstCaps * caps, GstElement * element);

/* Whether the picture of the buffer, which has that shape, can be the analysed
 * one, scaled. If not, the element posts a warning, once as in
 * gst_cca_warn_once(), whose sentence ends with the consequence, such as "its
 * components are elsewhere and not drawn". */
gboolean gst_cca_video_shape_fits (const GstCcaVideoShape * self,
    GstBuffer * buffer, const GstCcaMeta * meta, GstElement * element,
    guint * given, const gchar * consequence);

G_END_DECLS

#endif /* __GST_CCA_VIDEO_SHAPE_H__ */
