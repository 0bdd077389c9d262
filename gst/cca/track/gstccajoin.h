/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_JOIN_H__
#define __GST_CCA_TRACK_JOIN_H__

#include "gstccageometry.h"
#include "gstccatable.h"

G_BEGIN_DECLS

/* A rectangle on one of two sides. x1 and y1 are inclusive. */
typedef struct {
  gint64 x0, y0;
  gint64 x1, y1;
  guint side;                   /* 0 or 1 */
  guint index;                  /* on that side */
} GstCcaExtent;

/* Finds all pairs of rectangles of two sides that have a point in common. Each
 * rectangle is in one or more columns of equal width. In each column a sweep
 * from top to bottom compares the pairs that have a row in common. */
typedef struct {
  GstCcaExtent *extents;
  GstCcaKey *entries;           /* by column, then side; the key is y0 */
  guint *ends;                  /* of the entries of each column and side */
  guint *reached[2];            /* rectangles that the sweep has entered and */
                                /* not yet found to have left, per side */
  gsize extents_capacity, entries_capacity, ends_capacity, reached_capacity[2];
  gint64 left, right;           /* of all rectangles */
  __int128 width;               /* sum over all rectangles */
  guint n, n_columns, shift;
} GstCcaJoin;

/* Sets a rectangle to the pixels of a box. Returns FALSE for an empty box: it
 * overlaps nothing. */
gboolean gst_cca_extent_set_pixels (GstCcaExtent * self,
    const GstCcaBox * box);

/* Called with the indices of a pair on side 0 and side 1. Returning FALSE ends
 * the search. */
typedef gboolean (*GstCcaJoinFunc) (gpointer data, guint a, guint b);

void gst_cca_join_clear (GstCcaJoin * self);

/* Empties the join and reserves memory for n rectangles. Returns FALSE if
 * memory runs out. */
gboolean gst_cca_join_begin (GstCcaJoin * self, guint n);

void gst_cca_join_add (GstCcaJoin * self, const GstCcaExtent * extent);

/* Calls found() once for each pair, in no particular order. */
void gst_cca_join_run (GstCcaJoin * self, GstCcaJoinFunc found,
    gpointer data);

G_END_DECLS

#endif /* __GST_CCA_TRACK_JOIN_H__ */
