/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_MATCH_H__
#define __GST_CCA_TRACK_MATCH_H__

#include "join.h"

G_BEGIN_DECLS

typedef struct {
  gint64 x, y;
  gint64 width, height;         /* below 2^32 */
} GstCcaBox;

/* A track, by where it should be, or a component. */
typedef struct {
  GstCcaBox box;
  gboolean confirmed;           /* of a track: goes before those that are not */
  gint partner;                 /* its index on the other side; -1: none */
} GstCcaPlayer;

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
