/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_OBJECTS_H__
#define __GST_CCA_TRACK_OBJECTS_H__

#include "gstccatracker.h"

G_BEGIN_DECLS

/* Stock metas that tell of tracks. */
typedef struct {
  GstBuffer *buffer;            /* with writable metadata */
  const GstCcaMeta *meta;       /* of the buffer, the one that is tracked */
  const GstCcaTracker *tracker; /* after the frame */
  GQuark type;                  /* of the objects */
  guint max_objects;
  guint width, height;          /* of the video */
  guint64 left_out;             /* set: tracks that are not told of */
} GstCcaTrackObjects;

/* A GstAnalyticsTrackingMtd for each track that has an id or has just ended.
 * The nth component's object of the type, which is added if there is none,
 * relates to its track. Afterwards the buffer has at most 2 * max_objects
 * entries. FALSE: the buffer does not take them. */
gboolean gst_cca_track_objects_attach (GstCcaTrackObjects * self);

/* For each region of interest of the type the id of its component's track, if
 * there is one. */
void gst_cca_track_objects_name_regions (const GstCcaTrackObjects * self);

G_END_DECLS

#endif /* __GST_CCA_TRACK_OBJECTS_H__ */
