/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_CROSSING_H__
#define __GST_CCA_TRACK_CROSSING_H__

#include "gstccageometry.h"

G_BEGIN_DECLS

/* The point of an object that crosses a line. */
typedef enum {
  GST_CCA_ANCHOR_CENTER,
  GST_CCA_ANCHOR_BOTTOM_CENTER,
  GST_CCA_ANCHOR_TOP_CENTER,
  GST_CCA_ANCHOR_CENTROID,
} GstCcaAnchor;

GstCcaPosition gst_cca_anchor_find (GstCcaAnchor anchor, const GstCcaBox * box,
    const GstCcaPosition * centroid);

/* Returns how often the straight path from one point to the other crosses a
 * line of 2 to 256 points to the right, less how often to the left. Right is
 * seen in the order of the points, with y pointing down.
 *
 * A point on a line of two points is on the right of the line, and the ends of
 * the line belong to it. With more points all is as if both ends of the path
 * were moved by (e, e^2), where e is tiny: bends then need no rule, and what
 * goes in and out of a closed line adds up. */
gint gst_cca_crossing_count (const GstCcaPosition * line, guint n_points,
    const GstCcaPosition * from, const GstCcaPosition * to);

/* Returns whether the core of a box touches the line. The core is the
 * rectangle around the anchor that is margin per cent of the box wide and
 * high, but at least 2 * margin_min pixels. A core without extent touches
 * nothing. */
gboolean gst_cca_core_touches (const GstCcaPosition * line, guint n_points,
    const GstCcaPosition * anchor, const GstCcaBox * box, guint margin,
    guint margin_min);

/* Returns whether a point is in a polygon, which is closed and may cross itself,
 * by the even-odd rule. Of two polygons with a common edge, each point of the
 * edge is in one at most. */
gboolean gst_cca_polygon_contains (const GstCcaPosition * points,
    guint n_points, const GstCcaPosition * p);

G_END_DECLS

#endif /* __GST_CCA_TRACK_CROSSING_H__ */
