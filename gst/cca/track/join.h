/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_JOIN_H__
#define __GST_CCA_TRACK_JOIN_H__

#include "table.h"

G_BEGIN_DECLS

/* A rectangle on one of two sides. Its last column and row belong to it. */
typedef struct {
  gint64 x0, y0;
  gint64 x1, y1;
  guint side;                   /* 0 or 1 */
  guint index;                  /* on that side */
} GstCcaExtent;

/* Finds which rectangles of two sides have a point in common, from the top
 * down: as many comparisons as there are pairs that have a row in common. */
typedef struct {
  GstCcaExtent *extents;
  GstCcaKey *order;
  guint *reached[2];            /* those that go on below, or did so lately */
  gsize extents_capacity, order_capacity, reached_capacity[2];
  guint n;
} GstCcaJoin;

void gst_cca_join_clear (GstCcaJoin * self);

/* Begins anew, with room for n rectangles; FALSE: there is no memory. */
gboolean gst_cca_join_begin (GstCcaJoin * self, guint n);
void gst_cca_join_add (GstCcaJoin * self, const GstCcaExtent * extent);

/* Indices on side 0 and on side 1. FALSE ends the search. */
typedef gboolean (*GstCcaJoinFunc) (gpointer data, guint a, guint b);

/* Each pair once, in no order that means something. FALSE if the function
 * returned that. */
gboolean gst_cca_join_run (GstCcaJoin * self, GstCcaJoinFunc found,
    gpointer data);

G_END_DECLS

#endif /* __GST_CCA_TRACK_JOIN_H__ */
