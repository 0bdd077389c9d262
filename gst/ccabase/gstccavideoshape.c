/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccavideoshape.h"

#include "gstccawarning.h"

gboolean
gst_cca_video_shape_from_caps (GstCcaVideoShape *self, const GstCaps *caps,
    GstElement *element)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  gint width, height, par_n = 1, par_d = 1;

  /* gst_video_info_from_caps() would fail for formats of special memory. */
  if (!gst_structure_get (s, "width", G_TYPE_INT, &width, "height", G_TYPE_INT,
          &height, NULL)
      || width < 1 || height < 1) {
    GST_ELEMENT_ERROR (element, STREAM, FORMAT,
        ("The video has no size, so the components cannot be scaled to it."),
        ("%" GST_PTR_FORMAT, caps));
    return FALSE;
  }
  gst_structure_get_fraction (s, "pixel-aspect-ratio", &par_n, &par_d);
  *self = (GstCcaVideoShape) {
    .width = width,
    .height = height,
    .par_n = MAX (par_n, 0),
    .par_d = MAX (par_d, 0),
  };
  return TRUE;
}

gboolean
gst_cca_video_shape_fits (const GstCcaVideoShape *self, GstBuffer *buffer,
    const GstCcaMeta *meta, GstElement *element, guint *given,
    const gchar *consequence)
{
  const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (meta);

  if (gst_cca_meta_fits_frame (meta, buffer, self->width, self->height,
          self->par_n, self->par_d))
    return TRUE;
  if (gst_cca_warn_once (given, GST_CCA_WARNING_MISFIT))
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("The video was cropped, framed, rotated or stretched after it was "
         "analysed: %s.",
            consequence),
        ("%ux%u pixels were analysed, and the video has %ux%u.",
            analysis->width, analysis->height, self->width, self->height));
  return FALSE;
}
