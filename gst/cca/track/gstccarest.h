/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_REST_H__
#define __GST_CCA_TRACK_REST_H__

#include "gstccageometry.h"

G_BEGIN_DECLS

/* Where a track is at rest: all its boxes since then were inside this one, grown
 * by a tenth of its size on each side. */
typedef struct {
  GstCcaBox box;
  guint64 frames;               /* since the box was first seen */
  guint64 since;                /* time of that frame */
} GstCcaRest;

void gst_cca_rest_begin (GstCcaRest * self, const GstCcaBox * box,
    guint64 time);

/* Updates the rest with a box that is seen n_frames after the last one. Returns
 * FALSE if the track has moved, so that the rest begins with this box. */
gboolean gst_cca_rest_update (GstCcaRest * self, const GstCcaBox * box,
    guint n_frames, guint64 time);

/* Returns whether a track with that first box came from elsewhere. A ghost of
 * the background did not. */
gboolean gst_cca_rest_is_arrival (const GstCcaRest * self,
    const GstCcaBox * first);

/* Returns whether a box is inside a picture and touches none of its edges. */
gboolean gst_cca_box_is_clear (const GstCcaBox * self, guint width,
    guint height);

G_END_DECLS

#endif /* __GST_CCA_TRACK_REST_H__ */
