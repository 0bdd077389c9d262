/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_STAYS_H__
#define __GST_CCA_TRACK_STAYS_H__

#include "gstccamoment.h"
#include "gstccatracker.h"
#include "gstccazones.h"

G_BEGIN_DECLS

/* An event of a zone. The first three are of a track, the others of the zone. */
typedef enum {
  GST_CCA_STAY_ENTERED,
  GST_CCA_STAY_LEFT,
  GST_CCA_STAY_LOITERING,
  GST_CCA_STAY_OCCUPANCY,
  GST_CCA_STAY_CROWDED,
  GST_CCA_STAY_UNCROWDED,
} GstCcaStayChange;

/* Why a stay ended. */
typedef enum {
  GST_CCA_STAY_MOVED,           /* the object left the zone */
  GST_CCA_STAY_LOST,
  GST_CCA_STAY_DROPPED,
  GST_CCA_STAY_CHANGED,         /* the zone was changed or removed */
} GstCcaStayReason;

typedef struct {
  GstCcaStayChange change;
  GstCcaStayReason reason;      /* if left */
  const GstCcaZone *zone;
  const GstCcaTracked *track;   /* or NULL */
  const GstCcaMoment *when;
  const GstCcaMoment *since;    /* of a stay: when it began; crowded: when there */
                                /* were enough objects */
} GstCcaStayEvent;

/* Returns how long a stay was, or GST_CLOCK_TIME_NONE if it is unknown. */
GstClockTime gst_cca_stay_event_get_dwell (const GstCcaStayEvent * event);

/* Called for each event. It changes the counts of the zone. */
typedef void (*GstCcaStayFunc) (const GstCcaStayEvent * event,
    gpointer user_data);

/* A track at a zone. All zero at its start. */
typedef struct {
  gboolean inside, loitered;
  gint frames;                  /* in a row on the other side than inside says */
  GstCcaMoment change;          /* the first of these frames */
  GstCcaMoment since;           /* the first frame of the stay */
} GstCcaStay;

/* A zone and all tracks. */
typedef struct {
  guint64 occupancy;            /* the one last reported */
  gboolean full, crowded;       /* enough objects; for long enough */
  GstCcaMoment since;           /* it is full */
} GstCcaCrowd;

/* Decides who is in which zone. It has a state for each slot of the tracker and
 * each zone. */
typedef struct {
  GstCcaZones *zones;           /* of the last frame */

  /*< private >*/
  GstCcaStay *stays;            /* of each slot and zone */
  GstCcaMoment *unseen;         /* of each slot: the first frame without it */
  GstCcaCrowd *crowds;          /* of each zone */
  gsize n_slots;
  GstCcaStayFunc func;
  gpointer user_data;
} GstCcaStays;

void gst_cca_stays_init (GstCcaStays * self, GstCcaStayFunc func,
    gpointer user_data);

/* Frees all memory. */
void gst_cca_stays_clear (GstCcaStays * self);

/* Ends the stays of current tracks in zones that are not among the new ones. */
void gst_cca_stays_change (GstCcaStays * self, const GstCcaZones * zones,
    const GstCcaTracker * tracker, const GstCcaMoment * now);

/* Prepares for a frame in which tracks have slots below n_slots. Returns FALSE
 * and changes nothing if memory runs out. */
gboolean gst_cca_stays_begin (GstCcaStays * self, GstCcaZones * zones,
    guint n_slots);

/* Updates the stays of a track with an id that is seen in this frame, or
 * absorbed. */
void gst_cca_stays_update (GstCcaStays * self, const GstCcaTracked * track,
    const GstCcaMoment * now);

/* Must be called for a track with an id that is not seen in this frame and not
 * absorbed, whether it has ended or not. */
void gst_cca_stays_miss (GstCcaStays * self, const GstCcaTracked * track,
    const GstCcaMoment * now);

/* Ends all stays of a track that has ended. */
void gst_cca_stays_end (GstCcaStays * self, const GstCcaTracked * track,
    const GstCcaMoment * now);

/* Returns the zones in which a track with an id is, as bits. */
guint64 gst_cca_stays_get_zones (const GstCcaStays * self,
    const GstCcaTracked * track);

/* Must be called once all tracks of a frame are updated. */
void gst_cca_stays_finish (GstCcaStays * self, const GstCcaMoment * now);

G_END_DECLS

#endif /* __GST_CCA_TRACK_STAYS_H__ */
