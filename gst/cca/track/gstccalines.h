/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_LINES_H__
#define __GST_CCA_TRACK_LINES_H__

#include <gst/gst.h>

#include "gstccageometry.h"

G_BEGIN_DECLS

typedef struct {
  gchar *name;
  gint x1, y1, x2, y2;          /* in pixels; pixel i covers [i, i + 1) */
  guint64 to_left, to_right;    /* crossings */
} GstCcaLine;

/* An immutable set of lines with crossing counts. The object lock of the
 * element protects the counts. */
typedef struct {
  gint ref_count;
  guint n;
  GstCcaLine line[];
} GstCcaLines;

/* Makes lines from a GST_TYPE_ARRAY of structures, each named like its line,
 * with integers x1, y1, x2 and y2. Returns NULL if they are invalid and sets
 * *why to the reason: a clause without a final period, to be freed with
 * g_free(). */
GstCcaLines *gst_cca_lines_new (const GValue * array, gchar ** why);
GstCcaLines *gst_cca_lines_ref (GstCcaLines * self);
void gst_cca_lines_unref (GstCcaLines * self);

/* Appends the lines to an array in the format of gst_cca_lines_new(). */
void gst_cca_lines_get (const GstCcaLines * self, GValue * array);

/* Sets a field of a structure to a GST_TYPE_ARRAY with a structure for each
 * line, which has the name of the line and the fields to-left and to-right. */
void gst_cca_lines_take_counts (const GstCcaLines * self, GstStructure * to,
    const gchar * field);

/* The side to which an object crosses, seen from the first end of the line
 * towards the second one, with y pointing down. A point on the line counts as
 * right of it. */
typedef enum {
  GST_CCA_CROSSING_NONE,
  GST_CCA_CROSSING_TO_LEFT,
  GST_CCA_CROSSING_TO_RIGHT,
} GstCcaCrossing;

/* Returns whether the straight path from one point to the other changes to the
 * other side of the line, between its ends or at one of them. */
GstCcaCrossing gst_cca_crossing_find (const GstCcaPosition line[2],
    const GstCcaPosition * from, const GstCcaPosition * to);

/* As gst_cca_crossing_find(), for a line in pixels. */
GstCcaCrossing gst_cca_line_find_crossing (const GstCcaLine * line,
    const GstCcaPosition * from, const GstCcaPosition * to);

/* Counts a crossing, which must not be GST_CCA_CROSSING_NONE. */
void gst_cca_line_count (GstCcaLine * line, GstCcaCrossing crossing);

G_END_DECLS

#endif /* __GST_CCA_TRACK_LINES_H__ */
