/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_TRACKER_H__
#define __GST_CCA_TRACK_TRACKER_H__

#include <gst/ccameta/gstccameta.h>

#include "gstccageometry.h"
#include "gstccamatch.h"
#include "gstccarest.h"
#include "gstccaunite.h"

G_BEGIN_DECLS

typedef struct {
  guint min_hits;               /* consecutive frames until it gets an id */
  guint max_lost;               /* max. consecutive frames without it */
  guint min_overlap;            /* see gst_cca_match_run() */
  guint max_distance;
  guint max_tracks;
  guint still_frames;           /* at rest until it counts as stopped */
  guint max_stopped;            /* frames without a stopped one, after max_lost */
  guint unite;                  /* see gst_cca_unite_run() */
  gboolean unite_groups;
} GstCcaTrackerParams;

#define GST_CCA_PATH_MAX_POINTS 64

typedef struct {
  gfloat x, y;
} GstCcaPoint;

/* The centroids of an object. When the array is full, every second point is
 * dropped and the step doubled: it has every step-th centroid and the last
 * one. */
typedef struct {
  GstCcaPoint points[GST_CCA_PATH_MAX_POINTS];
  guint n_points;
  guint64 step;
  guint64 n_added;
} GstCcaPath;

void gst_cca_path_begin (GstCcaPath * path);
void gst_cca_path_add (GstCcaPath * path, gdouble x, gdouble y);

/* Motion of a track in this frame. */
typedef enum {
  GST_CCA_MOTION_NONE,
  GST_CCA_MOTION_STOPPED,
  GST_CCA_MOTION_MOVED,         /* it had stopped */
} GstCcaMotion;

/* Why a track ended. */
typedef enum {
  GST_CCA_END_NONE,             /* it has not */
  GST_CCA_END_UNSEEN,
  GST_CCA_END_DROPPED,
  GST_CCA_END_REPLACED,         /* another one began where it was absorbed */
} GstCcaEnd;

/* A track: one object through the frames. */
typedef struct {
  guint64 id;                   /* from 1; 0: tentative */
  GstCcaBox box, first_box;     /* last and first box in which it was seen */
  GstCcaBox previous_box;       /* the one seen before the last */
  GstCcaPosition center;           /* of the box */
  GstCcaPosition centroid, previous_centroid;      /* seen with the boxes */
  GstCcaPosition velocity;         /* per frame */
  guint64 hits;                 /* frames in which it was seen */
  guint misses;                 /* frames since it was last seen */
  guint64 first_seen, last_seen;        /* times */
  gint record;                  /* its group of components in this frame; -1: */
                                /* none */
  gint entry;                   /* its entry on the buffer; -1: none yet */
  gboolean is_new;              /* it got its id in this frame */
  guint64 after;                /* id of the one that it replaces; 0: none */
  GstCcaRest rest;
  gboolean stopped;             /* and it has not moved since */
  guint64 stopped_since;        /* time */
  GstCcaMotion motion;
  gboolean absorbed;            /* it stopped, was unseen in more than max_lost */
                                /* frames, and is taken to be at rest.box */
  GstCcaEnd end;
  guint slot;                   /* its own until it is forgotten: index of its */
                                /* path */
} GstCcaTracked;

/* Assigns ids to components. Tracks are in the order in which they started. */
typedef struct {
  GstCcaTracked *tracks, *ended;
  guint n_tracks;
  guint n_ended;                /* ended tracks with ids, until forgotten */
  guint *track_of;              /* index of the track of each component */
  guint n_tracked;              /* the first components, which are tracked */
  guint *seen;                  /* indices of the tracks of this frame, in the */
  guint n_seen;                 /* order of their first components */
  guint64 last_id;
  guint width, height;          /* of the analysed picture */

  /*< private >*/
  gsize tracks_capacity, ended_capacity, track_of_capacity;
  gsize seen_capacity;
  GstCcaPath *paths;
  guint *free_paths;
  gsize paths_capacity, free_paths_capacity;
  guint n_paths, n_free_paths;
  GstCcaKey *oldest;
  gsize oldest_capacity;
  guint *successor_of;          /* index in seen for each track; G_MAXUINT: none */
  gsize successor_of_capacity;
  GstCcaUnite unite;
  GstCcaMatch match;
} GstCcaTracker;

void gst_cca_tracker_init (GstCcaTracker * self);

/* Frees all memory. Ids continue after the last one. */
void gst_cca_tracker_clear (GstCcaTracker * self);

/* Ends all tracks if the analysed picture has another size than before. */
void gst_cca_tracker_set_size (GstCcaTracker * self, guint width,
    guint height);

/* Returns a bound of the slots of all tracks, the ended ones included, after
 * an update with a number of components. */
guint gst_cca_tracker_max_slots (const GstCcaTracker * self,
    const GstCcaTrackerParams * params, guint n_components);

/* Updates the tracks with the components of a frame. The time is only stored.
 * track_ids has n_components elements, which are set to the ids, -1 for a
 * component without an id. Tracks with ids that end are added to ended. Returns
 * FALSE and changes nothing if memory runs out. */
gboolean gst_cca_tracker_update (GstCcaTracker * self,
    const GstCcaTrackerParams * params, const GstCcaComponent * components,
    guint n_components, guint64 time, gint64 * track_ids);

/* Ends all tracks. */
void gst_cca_tracker_drop (GstCcaTracker * self);

/* Empties ended and frees the paths of its tracks. */
void gst_cca_tracker_forget_ended (GstCcaTracker * self);

/* Returns the path of a current or ended track. It is valid until the track is
 * forgotten or the tracker is updated. */
const GstCcaPath *gst_cca_tracker_get_path (const GstCcaTracker * self,
    const GstCcaTracked * track);

G_END_DECLS

#endif /* __GST_CCA_TRACK_TRACKER_H__ */
