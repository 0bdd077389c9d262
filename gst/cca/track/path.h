/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_PATH_H__
#define __GST_CCA_TRACK_PATH_H__

#include <glib.h>

G_BEGIN_DECLS

#define GST_CCA_PATH_MAX_POINTS 64

typedef struct {
  gfloat x, y;
} GstCcaPoint;

/* Where something was, from the first point to the last one. However long it
 * gets, only some points of it are kept: every nth, and the last one. */
typedef struct {
  GstCcaPoint points[GST_CCA_PATH_MAX_POINTS];
  guint n_points;
  guint64 step;                 /* from one to the next, but to the last */
  guint64 n_added;
} GstCcaPath;

void gst_cca_path_begin (GstCcaPath * self);
void gst_cca_path_add (GstCcaPath * self, gdouble x, gdouble y);

G_END_DECLS

#endif /* __GST_CCA_TRACK_PATH_H__ */
