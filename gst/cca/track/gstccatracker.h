/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_TRACKER_H__
#define __GST_CCA_TRACK_TRACKER_H__

#include <gst/ccameta/gstccameta.h>

#include "gstccageometry.h"
#include "gstccamatch.h"

G_BEGIN_DECLS

typedef struct {
  guint min_hits;               /* frames with the thing until it gets an id */
  guint max_lost;               /* frames without it until it is given up */
  guint min_overlap;            /* see gst_cca_match_run() */
  guint max_distance;
  guint max_tracks;
} GstCcaTrackerParams;

#define GST_CCA_PATH_MAX_POINTS 64

typedef struct {
  gfloat x, y;
} GstCcaPoint;

/* The centroids of an object, of which every nth and the last one are kept. */
typedef struct {
  GstCcaPoint points[GST_CCA_PATH_MAX_POINTS];
  guint n_points;
  guint64 step;                 /* n */
  guint64 n_added;
} GstCcaPath;

void gst_cca_path_begin (GstCcaPath * path);
void gst_cca_path_add (GstCcaPath * path, gdouble x, gdouble y);

/* One thing, through the frames. */
typedef struct {
  guint64 id;                   /* from 1; 0: tentative */
  GstCcaBox box, first_box;     /* where it was seen last, and first */
  GstCcaPlace center;           /* of the box */
  GstCcaPlace previous;         /* the center when it was seen before that */
  GstCcaPlace velocity;         /* in a frame */
  guint64 hits;                 /* frames in which it was seen */
  guint misses;                 /* frames since then */
  guint64 first_seen, last_seen;        /* times */
  gint record;                  /* that it is in this frame; -1: none */
  gboolean is_new;              /* it has got its id in this frame */
  gboolean unseen;              /* it has ended as it was, not dropped */
  guint path;                   /* number of its path */
} GstCcaTracked;

/* Gives ids to components. Tracks are in the order in which they began. */
typedef struct {
  GstCcaTracked *tracks, *ended;
  guint n_tracks;
  guint n_ended;                /* with ids; until they are forgotten */
  guint *track_of;              /* index of the track, for each record */
  guint n_tracked;              /* records, the first ones */
  guint64 last_id;

  /*< private >*/
  gsize tracks_capacity, ended_capacity, track_of_capacity;
  GstCcaPath *paths;
  guint *free_paths;
  gsize paths_capacity, free_paths_capacity;
  guint n_paths, n_free_paths;
  GstCcaKey *oldest;
  gsize oldest_capacity;
  GstCcaMatch match;
} GstCcaTracker;

void gst_cca_tracker_init (GstCcaTracker * self);

/* Gives all memory back. Ids go on. */
void gst_cca_tracker_clear (GstCcaTracker * self);

/* Takes up the records of a frame, seen at a time that is only kept. track_ids
 * has room for all, and gets -1 where there is none. What ends is added to
 * ended. FALSE: there is no memory, and nothing has changed. */
gboolean gst_cca_tracker_update (GstCcaTracker * self,
    const GstCcaTrackerParams * params, const GstCcaComponent * components,
    guint n_components, guint64 time, gint64 * track_ids);

/* Ends all tracks. */
void gst_cca_tracker_drop (GstCcaTracker * self);

void gst_cca_tracker_forget_ended (GstCcaTracker * self);

/* Of a track that lives or has ended, until it is forgotten. */
const GstCcaPath *gst_cca_tracker_get_path (const GstCcaTracker * self,
    const GstCcaTracked * track);

G_END_DECLS

#endif /* __GST_CCA_TRACK_TRACKER_H__ */
