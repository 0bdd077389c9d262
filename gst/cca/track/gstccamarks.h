/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_MARKS_H__
#define __GST_CCA_TRACK_MARKS_H__

#include <gst/ccameta/gstccameta.h>

#include "gstccalines.h"
#include "gstccazones.h"

G_BEGIN_DECLS

/* The shapes and counts of the last frame. As long as nothing changes, all
 * metas share them and no memory is allocated. */
typedef struct {
  GstCcaShapes *analysed;       /* those of the analyser */
  GstCcaLines *lines;
  GstCcaZones *zones;
  GstCcaShapes *shapes;         /* regions of the analyser, lines, zones; NULL */
                                /* if there are none */
  GBytes *counts;
  guint first_line;             /* index of the first line in shapes */
} GstCcaMarks;

/* Frees all memory, and leaves the marks all 0. */
void gst_cca_marks_clear (GstCcaMarks * self);

/* Prepares for the shapes of a meta and these lines and zones. */
void gst_cca_marks_begin (GstCcaMarks * self, const GstCcaMeta * meta,
    GstCcaLines * lines, GstCcaZones * zones);

/* Takes the counts of the lines and zones. The caller protects the counts from
 * changes. */
void gst_cca_marks_take_counts (GstCcaMarks * self);

G_END_DECLS

#endif /* __GST_CCA_TRACK_MARKS_H__ */
