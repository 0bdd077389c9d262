/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_MATCH_H__
#define __GST_CCA_TRACK_MATCH_H__

#include "gstccageometry.h"
#include "gstccatable.h"

G_BEGIN_DECLS

/* A track, by where it should be, or a component. */
typedef struct {
  GstCcaBox box;
  gboolean confirmed;           /* of a track: goes before those that are not */
  gint partner;                 /* its index on the other side; -1: none */
} GstCcaPlayer;

/* A rectangle on one of two sides. Its last column and row belong to it. */
typedef struct {
  gint64 x0, y0;
  gint64 x1, y1;
  guint side;                   /* 0 or 1 */
  guint index;                  /* on that side */
} GstCcaExtent;

/* Finds the rectangles of two sides that have a point in common, from the top
 * down, with one comparison for each pair that has a row in common. */
typedef struct {
  GstCcaExtent *extents;
  GstCcaKey *order;
  guint *reached[2];            /* begun, and not yet known to have ended */
  gsize extents_capacity, order_capacity, reached_capacity[2];
  guint n;
} GstCcaJoin;

typedef struct _GstCcaCandidate GstCcaCandidate;

/* Pairs tracks with components, the best pair first: by overlap, then what is
 * left by distance. */
typedef struct {
  GstCcaPlayer *tracks, *components;
  guint n_tracks, n_components;

  /*< private >*/
  gsize tracks_capacity, components_capacity;
  GstCcaJoin join;
  GstCcaCandidate *candidates;
  gsize candidates_capacity;
  guint n_candidates;
  gboolean left_out;            /* candidates, as there were too many */
  guint min_overlap;
  gboolean failed;
} GstCcaMatch;

void gst_cca_match_clear (GstCcaMatch * self);

/* Makes room. FALSE: there is no memory. */
gboolean gst_cca_match_begin (GstCcaMatch * self, guint n_tracks,
    guint n_components);

/* Sets the partners. The least overlap is in per cent of the union, 0 for any;
 * the greatest distance of the centres, in each direction, in per cent of half
 * the sum of the sizes, 0 for none. FALSE: there is no memory. */
gboolean gst_cca_match_run (GstCcaMatch * self, guint min_overlap,
    guint max_distance);

G_END_DECLS

#endif /* __GST_CCA_TRACK_MATCH_H__ */
