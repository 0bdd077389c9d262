/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_OBJECTS_H__
#define __GST_CCA_TRACK_OBJECTS_H__

#include "gstccatracker.h"

G_BEGIN_DECLS

/* Attaches tracks to a buffer as stock metas. */
typedef struct {
  GstBuffer *buffer;            /* with writable metadata */
  const GstCcaMeta *meta;       /* of the buffer, with the tracked components */
  GstCcaTracker *tracker;       /* updated with that meta */
  GQuark type;                  /* of the objects */
  guint max_objects;
  guint width, height;          /* of the video */
  guint64 left_out;             /* out: tracks that were not attached */
} GstCcaTrackObjects;

/* Attaches a GstAnalyticsTrackingMtd for each track that has an id or ended in
 * this frame. The object of the nth component is the nth one of the type, which
 * is added if it is missing. It relates to the track, which components of a group
 * share. The relation meta gets at
 * most 2 * max_objects entries. Returns FALSE if an entry cannot be added. */
gboolean gst_cca_track_objects_attach (GstCcaTrackObjects * self);

/* Adds the id of the track to each region of interest of the type whose
 * component has one. */
void gst_cca_track_objects_name_regions (const GstCcaTrackObjects * self);

G_END_DECLS

#endif /* __GST_CCA_TRACK_OBJECTS_H__ */
