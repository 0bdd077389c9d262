/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_LINES_H__
#define __GST_CCA_TRACK_LINES_H__

#include <gst/gst.h>

#include "gstccacrossing.h"

G_BEGIN_DECLS

#define GST_CCA_MAX_LINES 64
#define GST_CCA_LINE_MAX_POINTS 256

#define GST_CCA_LINE_MAX_MARGIN 200
#define GST_CCA_LINE_MAX_MARGIN_MIN 1000
#define GST_CCA_LINE_MAX_SETTLE_FRAMES 1000

#define GST_TYPE_CCA_TRACK_ANCHOR (gst_cca_track_anchor_get_type ())
GType gst_cca_track_anchor_get_type (void);

/* When a line counts. */
typedef struct {
  guint margin, margin_min;     /* see gst_cca_core_touches() */
  guint settle_frames;
  GstCcaAnchor anchor;
} GstCcaLineRule;

/* The side to which an object crosses. */
typedef enum {
  GST_CCA_CROSSING_NONE,
  GST_CCA_CROSSING_TO_LEFT,
  GST_CCA_CROSSING_TO_RIGHT,
} GstCcaCrossing;

/* The crossings of a line. Lines of the same name and points that are set again
 * share them, so they also identify a line. */
typedef struct {
  gint ref_count;
  guint64 to_left, to_right;
} GstCcaLineCounts;

typedef struct {
  GstStructure *description;    /* as it was set, with the name of the line */
  GstCcaPosition *points;
  guint n_points;
  GstCcaCrossing direction;     /* the only one to count; NONE: both */
  gint margin, margin_min;      /* -1: that of the element, as below */
  gint settle_frames, anchor;
  GstCcaLineCounts *counts;
} GstCcaLine;

/* An immutable set of lines with crossing counts. The object lock of the
 * element protects the counts. */
typedef struct {
  gint ref_count;
  guint n;
  GstCcaLine line[];
} GstCcaLines;

/* Makes lines from a GST_TYPE_ARRAY of structures, each named like its line.
 * Returns NULL if they are invalid and sets *why to the reason: a clause
 * without a final period, to be freed with g_free(). */
GstCcaLines *gst_cca_lines_new (const GValue * array, gchar ** why);
GstCcaLines *gst_cca_lines_ref (GstCcaLines * self);
void gst_cca_lines_unref (GstCcaLines * self);

/* Continues the counts of the lines that have the same name and points in an
 * older set. */
void gst_cca_lines_continue (GstCcaLines * self, const GstCcaLines * older);

const gchar *gst_cca_line_get_name (const GstCcaLine * self);

/* Returns the rule of a line: its own fields, and those of the element. */
GstCcaLineRule gst_cca_line_get_rule (const GstCcaLine * self,
    const GstCcaLineRule * of_element);

/* Counts a crossing, which must not be GST_CCA_CROSSING_NONE. Returns FALSE if
 * the line does not count its direction. */
gboolean gst_cca_line_count (GstCcaLine * self, GstCcaCrossing crossing);

/* Appends the lines to an array in the format of gst_cca_lines_new(). */
void gst_cca_lines_get (const GstCcaLines * self, GValue * array);

/* Sets a field of a structure to a GST_TYPE_ARRAY with a structure for each
 * line, which has the name of the line and the fields to-left, to-right and
 * occupancy. */
void gst_cca_lines_take_counts (const GstCcaLines * self, GstStructure * to,
    const gchar * field);

/* Sets the counts of the line of a name to 0, or those of all lines if the name
 * is empty. Returns FALSE if there is no such line. */
gboolean gst_cca_lines_reset_counts (GstCcaLines * self, const gchar * name);

G_END_DECLS

#endif /* __GST_CCA_TRACK_LINES_H__ */
