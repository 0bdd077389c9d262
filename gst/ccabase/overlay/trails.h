/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRAILS_H__
#define __GST_CCA_TRAILS_H__

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_CCA_TRAIL_LENGTH 32
#define GST_CCA_MAX_TRAILS 1024

/* The last points of one track. */
typedef struct {
  gint64 id;
  guint first, n;               /* of a ring */
  gint32 points[GST_CCA_TRAIL_LENGTH][2];
  GList link;                   /* private */
} GstCcaTrail;

/* Those of many: when there is no more room, the one that got no point for the
 * longest time goes. */
typedef struct {
  GHashTable *by_id;
  GQueue by_age;                /* from the oldest on */
} GstCcaTrails;

void gst_cca_trails_init (GstCcaTrails * trails);
void gst_cca_trails_clear (GstCcaTrails * trails);
void gst_cca_trails_forget (GstCcaTrails * trails);

/* Adds a point to the trail of a track. It stays valid until the next call. */
const GstCcaTrail *gst_cca_trails_add (GstCcaTrails * trails, gint64 id,
    gint32 x, gint32 y);

/* From the oldest one on. */
static inline const gint32 *
gst_cca_trail_point (const GstCcaTrail * trail, guint i)
{
  return trail->points[(trail->first + i) % GST_CCA_TRAIL_LENGTH];
}

G_END_DECLS

#endif /* __GST_CCA_TRAILS_H__ */
