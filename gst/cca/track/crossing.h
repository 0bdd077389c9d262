/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_CROSSING_H__
#define __GST_CCA_TRACK_CROSSING_H__

#include <glib.h>

G_BEGIN_DECLS

#define GST_CCA_PLACE_UNITS 256

/* A point in 1/256 pixel, where pixel i covers 256 i to 256 (i + 1). Less than
 * 2^41 from the origin, in each direction. */
typedef struct {
  gint64 x, y;
} GstCcaPlace;

/* Sides as seen by one who looks along a line, on a screen: y points down. What
 * is on the line is on its right. */
typedef enum {
  GST_CCA_CROSSING_NONE,
  GST_CCA_CROSSING_TO_LEFT,
  GST_CCA_CROSSING_TO_RIGHT,
} GstCcaCrossing;

/* Whether one who moves straight on gets to the other side of the line, and
 * does so between its ends or at one. */
GstCcaCrossing gst_cca_crossing_find (const GstCcaPlace line[2],
    const GstCcaPlace * from, const GstCcaPlace * to);

G_END_DECLS

#endif /* __GST_CCA_TRACK_CROSSING_H__ */
