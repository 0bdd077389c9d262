/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_LINES_H__
#define __GST_CCA_TRACK_LINES_H__

#include <gst/gst.h>

#include "crossing.h"

G_BEGIN_DECLS

typedef struct {
  gchar *name;
  gint x1, y1, x2, y2;          /* corners of pixels */
  guint64 to_left, to_right;    /* crossings */
} GstCcaLine;

/* Lines and how often they were crossed. Where they are does not change; the
 * counts are under the lock of who has them. */
typedef struct {
  gint ref_count;
  guint n;
  GstCcaLine line[];
} GstCcaLines;

/* From a GST_TYPE_ARRAY of structures, named as the lines, with integers x1,
 * y1, x2 and y2. NULL if they cannot be used: *why becomes the end of a sentence
 * that says so, without a period, to be freed. */
GstCcaLines *gst_cca_lines_new (const GValue * array, gchar ** why);
GstCcaLines *gst_cca_lines_ref (GstCcaLines * self);
void gst_cca_lines_unref (GstCcaLines * self);

/* The same array. */
void gst_cca_lines_get (const GstCcaLines * self, GValue * array);

/* A GST_TYPE_ARRAY of structures, named as the lines: to-left and to-right. */
void gst_cca_lines_take_counts (const GstCcaLines * self, GstStructure * to,
    const gchar * field);

/* The straight way of one thing to where it is now. */
GstCcaCrossing gst_cca_line_find_crossing (const GstCcaLine * line,
    const GstCcaPlace * from, const GstCcaPlace * to);
void gst_cca_line_count (GstCcaLine * line, GstCcaCrossing crossing);

G_END_DECLS

#endif /* __GST_CCA_TRACK_LINES_H__ */
