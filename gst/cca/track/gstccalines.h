/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_LINES_H__
#define __GST_CCA_TRACK_LINES_H__

#include <gst/gst.h>

#include "gstccageometry.h"

G_BEGIN_DECLS

typedef struct {
  gchar *name;
  gint x1, y1, x2, y2;          /* corners of pixels */
  guint64 to_left, to_right;    /* crossings */
} GstCcaLine;

/* Lines and how often they were crossed. The lines do not change; the counts
 * are under the object lock of the element that has them. */
typedef struct {
  gint ref_count;
  guint n;
  GstCcaLine line[];
} GstCcaLines;

/* From a GST_TYPE_ARRAY of structures, named as the lines, with integers x1,
 * y1, x2 and y2. NULL if they cannot be used: *why becomes the reason, which is
 * the end of a sentence without its period, to be freed. */
GstCcaLines *gst_cca_lines_new (const GValue * array, gchar ** why);
GstCcaLines *gst_cca_lines_ref (GstCcaLines * self);
void gst_cca_lines_unref (GstCcaLines * self);

/* The same array. */
void gst_cca_lines_get (const GstCcaLines * self, GValue * array);

/* A GST_TYPE_ARRAY of structures, named as the lines: to-left and to-right. */
void gst_cca_lines_take_counts (const GstCcaLines * self, GstStructure * to,
    const gchar * field);

/* The side that an object crosses to, as seen from the first end of a line
 * towards the second one on a screen, where y points down. A point on the line is
 * on its right. */
typedef enum {
  GST_CCA_CROSSING_NONE,
  GST_CCA_CROSSING_TO_LEFT,
  GST_CCA_CROSSING_TO_RIGHT,
} GstCcaCrossing;

/* Whether an object that moves straight from one place to the other gets to the
 * other side of the line, and does so between its ends or at one of them. */
GstCcaCrossing gst_cca_crossing_find (const GstCcaPlace line[2],
    const GstCcaPlace * from, const GstCcaPlace * to);

/* The same for a line of the array. */
GstCcaCrossing gst_cca_line_find_crossing (const GstCcaLine * line,
    const GstCcaPlace * from, const GstCcaPlace * to);
void gst_cca_line_count (GstCcaLine * line, GstCcaCrossing crossing);

G_END_DECLS

#endif /* __GST_CCA_TRACK_LINES_H__ */
