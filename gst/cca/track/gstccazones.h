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

G_END_DECLS

#endif /* __GST_CCA_TRACK_ZONES_H__ */
