/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_LINES_H__
#define __GST_CCA_TRACK_LINES_H__

#include <gst/gst.h>

#include "gstccafigures.h"

G_BEGIN_DECLS

#define GST_CCA_LINE_MAX_MARGIN 200
#define GST_CCA_LINE_MAX_MARGIN_MIN 1000
#define GST_CCA_LINE_MAX_SETTLE_FRAMES 1000

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

/* The crossings of a line. */
typedef struct {
  guint64 to_left, to_right;
} GstCcaLineCounts;

typedef struct {
  GstCcaFigure figure;          /* its counts are GstCcaLineCounts */
  GstCcaCrossing direction;     /* the only one to count; NONE: both */
  gint margin, margin_min;      /* -1: that of the element, as below */
  gint settle_frames, anchor;
} GstCcaLine;

typedef struct {
  GstCcaFigures figures;
  GstCcaLine line[];
} GstCcaLines;

extern const GstCcaFigureKind gst_cca_line_kind;

/* Returns the rule of a line: its own fields, and those of the element. */
GstCcaLineRule gst_cca_line_get_rule (const GstCcaLine * self,
    const GstCcaLineRule * of_element);

/* Counts a crossing, which must not be GST_CCA_CROSSING_NONE. Returns FALSE if
 * the line does not count its direction. */
gboolean gst_cca_line_count (GstCcaLine * self, GstCcaCrossing crossing);

G_END_DECLS

#endif /* __GST_CCA_TRACK_LINES_H__ */
