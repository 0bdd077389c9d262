/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_VIDEO_SHAPE_H__
#define __GST_CCA_VIDEO_SHAPE_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

/* The size and pixel aspect ratio of video, by which a crop after the analysis
 * is detected. */
typedef struct {
  guint width, height;
  guint par_n, par_d;           /* of a pixel; 0: unknown */
} GstCcaVideoShape;

/* Reads caps of any format and memory. If they have no size, posts an error and
 * returns FALSE. */
gboolean gst_cca_video_shape_from_caps (GstCcaVideoShape * self,
    const GstCaps * caps, GstElement * element);

/* Returns whether the picture of the buffer can be the analysed picture after
 * scaling. If not, the element posts a warning, once as in
 * gst_cca_warn_once(). The consequence is the end of its sentence, such as
 * "its components would be misplaced and are not drawn". */
gboolean gst_cca_video_shape_fits (const GstCcaVideoShape * self,
    GstBuffer * buffer, const GstCcaMeta * meta, GstElement * element,
    guint * given, const gchar * consequence);

G_END_DECLS

#endif /* __GST_CCA_VIDEO_SHAPE_H__ */
