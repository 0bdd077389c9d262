/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_MATCH_H__
#define __GST_CCA_TRACK_MATCH_H__

#include "gstccajoin.h"

G_BEGIN_DECLS

/* A track or a component. The box of a track is the predicted one. */
typedef struct {
  GstCcaBox box;
  gboolean confirmed;           /* tracks only: precedes unconfirmed ones */
  gboolean absent;              /* it gets no partner */
  gint partner;                 /* its index on the other side; -1: none */

  /*< private >*/
  guint n_candidates;           /* pairs that it may be in */
} GstCcaMatchItem;

typedef struct _GstCcaCandidate GstCcaCandidate;

/* Pairs tracks with components, the best pair first: by overlap, then the
 * unpaired ones by distance. */
typedef struct {
  GstCcaMatchItem *tracks, *components;
  guint n_tracks, n_components;

  /*< private >*/
  gsize tracks_capacity, components_capacity;
  GstCcaJoin join;
  GstCcaCandidate *candidates;
  gsize candidates_capacity;
  guint n_candidates;
  gboolean left_out;            /* some candidates exceeded the limit */
  guint min_overlap;
  gboolean failed;
} GstCcaMatch;

void gst_cca_match_clear (GstCcaMatch * self);

/* Reserves memory. The caller then sets the tracks and components. Returns
 * FALSE if memory runs out. */
gboolean gst_cca_match_begin (GstCcaMatch * self, guint n_tracks,
    guint n_components);

/* Sets the partners. min_overlap is in per cent of the union, 0 for any
 * overlap. max_distance is the maximum distance of the centres in each
 * direction, in per cent of half the sum of the sizes, 0 for overlap only.
 * Returns FALSE if memory runs out. */
gboolean gst_cca_match_run (GstCcaMatch * self, guint min_overlap,
    guint max_distance);

G_END_DECLS

#endif /* __GST_CCA_TRACK_MATCH_H__ */
