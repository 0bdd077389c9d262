/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_ACTIVITY_RULE_H__
#define __GST_CCA_ACTIVITY_RULE_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* A frame in messages. Unknown times are GST_CLOCK_TIME_NONE. utc is in ns since
 * 1970. */
typedef struct {
  GstClockTime timestamp, stream_time, running_time, utc;
} GstCcaActivityTime;

/* The pixels with x0 <= x < x1 and y0 <= y < y1; all zero: none. */
typedef struct {
  guint64 x0, y0, x1, y1;
} GstCcaActivityBox;

/* Extends a box so that it contains another one, too. */
void gst_cca_activity_box_unite (GstCcaActivityBox * box,
    const GstCcaActivityBox * with);

typedef struct {
  GstCcaActivityTime time;
  guint n_components;
  guint64 area;                 /* of all components together */
  GstCcaActivityBox box;        /* around all components */
} GstCcaActivityFrame;

typedef struct {
  guint min_frames;             /* at least 1 */
  GstClockTime max_gap;
  GstClockTime max_duration;    /* 0: none */
  GstClockTime snapshot_interval;
} GstCcaActivityParams;

/* A sequence of active frames. */
typedef struct {
  guint64 number;               /* 0: not confirmed yet */
  guint64 n_frames;             /* 0: there is none */
  GstCcaActivityTime start, end;        /* least and greatest running time */
  GstCcaActivityBox box;        /* around the components of all its frames */
  GstCcaActivityFrame peak;     /* the first frame with the greatest area */
} GstCcaActivityEvent;

typedef enum {
  GST_CCA_ACTIVITY_STARTED,
  GST_CCA_ACTIVITY_SNAPSHOT,
  GST_CCA_ACTIVITY_ENDED,
} GstCcaActivityChange;

/* Why an event ended. */
typedef enum {
  GST_CCA_ACTIVITY_GAP,
  GST_CCA_ACTIVITY_MAX_DURATION,
  GST_CCA_ACTIVITY_RESIZED,
  GST_CCA_ACTIVITY_EOS,
  GST_CCA_ACTIVITY_FLUSH,
  GST_CCA_ACTIVITY_NEW_STREAM,
  GST_CCA_ACTIVITY_STOPPED,
} GstCcaActivityReason;

/* Called for each change of a confirmed event. reason counts if it ended. */
typedef void (*GstCcaActivityFunc) (const GstCcaActivityEvent * event,
    GstCcaActivityChange change, GstCcaActivityReason reason,
    gpointer user_data);

/* Turns frames into events. Allocates nothing. */
typedef struct {
  guint64 n_events;             /* confirmed ones so far */

  /*< private >*/
  GstCcaActivityEvent event;
  guint64 reported_area;        /* peak of the last report of the event */
  GstClockTime reported_at;     /* running time of that report */
  GstCcaActivityFunc func;
  gpointer user_data;
} GstCcaActivityRule;

void gst_cca_activity_rule_init (GstCcaActivityRule * self,
    GstCcaActivityFunc func, gpointer user_data);

/* Must be called when a running time is reached, for a frame that is active
 * before gst_cca_activity_rule_add(). Returns whether it ended an event because
 * of its duration: an active frame then begins a confirmed one. */
gboolean gst_cca_activity_rule_pass (GstCcaActivityRule * self,
    const GstCcaActivityParams * params, GstClockTime running_time);

/* Adds an active frame. continues is what gst_cca_activity_rule_pass() returned
 * for it. */
void gst_cca_activity_rule_add (GstCcaActivityRule * self,
    const GstCcaActivityParams * params, const GstCcaActivityFrame * frame,
    gboolean continues);

/* An analysed frame was not active. */
void gst_cca_activity_rule_break (GstCcaActivityRule * self);

/* Ends the event in progress, if there is one, and forgets unconfirmed
 * frames. */
void gst_cca_activity_rule_end (GstCcaActivityRule * self,
    GstCcaActivityReason reason);

G_END_DECLS

#endif /* __GST_CCA_ACTIVITY_RULE_H__ */
