/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_ZONES_H__
#define __GST_CCA_TRACK_ZONES_H__

#include "gstccafigures.h"

G_BEGIN_DECLS

/* The objects in a zone. */
typedef struct {
  guint64 inside;
  guint64 entered, left;
  guint64 dwell, max_dwell;     /* in ns, of those that left: total and */
                                /* greatest */
} GstCcaZoneCounts;

typedef struct {
  GstCcaFigure figure;          /* its counts are GstCcaZoneCounts */
  gint anchor;
  gint enter_frames, leave_frames;
  gint crowd;                   /* 0: none */
  GstClockTime loiter_time;     /* 0: none */
  GstClockTime crowd_time;
} GstCcaZone;

typedef struct {
  GstCcaFigures figures;
  GstCcaZone zone[];
} GstCcaZones;

extern const GstCcaFigureKind gst_cca_zone_kind;

/* Sets the counts of the zone of a name to 0, or those of all zones if the name
 * is empty, but not the number of objects inside. Returns FALSE if there is no
 * such zone. */
gboolean gst_cca_zones_reset_counts (GstCcaZones * self, const gchar * name);

G_END_DECLS

#endif /* __GST_CCA_TRACK_ZONES_H__ */
