/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_MASK_PICTURE_H__
#define __GST_CCA_MASK_PICTURE_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* A picture of what to analyse: immutable, with a reference count. */
typedef struct {
  gint ref_count;
  guint width, height;
  guint8 pixels[];              /* 255: analysed, 0: not; rows without padding */
} GstCcaMaskPicture;

/* Both return NULL on failure, and set *why to the reason: a clause without a
 * final period, to be freed. */
GstCcaMaskPicture *gst_cca_mask_picture_read (const gchar * path, gchar ** why);
GstCcaMaskPicture *gst_cca_mask_picture_from_sample (GstSample * sample,
    gchar ** why);

GstCcaMaskPicture *gst_cca_mask_picture_ref (GstCcaMaskPicture * self);
void gst_cca_mask_picture_unref (GstCcaMaskPicture * self);

G_END_DECLS

#endif /* __GST_CCA_MASK_PICTURE_H__ */
