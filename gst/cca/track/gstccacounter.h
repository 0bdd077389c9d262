/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_COUNTER_H__
#define __GST_CCA_TRACK_COUNTER_H__

#include <gst/gst.h>

#include "gstccalines.h"
#include "gstccamoment.h"
#include "gstccatracker.h"

G_BEGIN_DECLS

/* A track at a line. All zero at its start. */
typedef struct {
  gint64 net;                   /* crossings to the right, less those to the */
                                /* left, that have not settled */
  guint clear_frames;           /* in a row in which the core was clear of the */
                                /* line */
  gboolean armed;               /* it was once clear with net = 0 */
  gboolean moved;               /* the anchor is another point than it was */
  GstCcaMoment last_step;       /* the frame of the last crossing */
} GstCcaLineState;

/* Decides when crossings count. It has a state for each slot of the tracker and
 * each line. */
typedef struct {
  GstCcaLines *lines;           /* of the last frame, with their rules */
  GstCcaLineRule rules[GST_CCA_MAX_FIGURES];

  /*< private >*/
  GstCcaLineState *states;      /* of each slot and line */
  gsize n_slots;
} GstCcaCounter;

void gst_cca_counter_init (GstCcaCounter * self);

/* Frees all memory. */
void gst_cca_counter_clear (GstCcaCounter * self);

/* Prepares for a frame in which tracks have slots below n_slots. Returns FALSE
 * and changes nothing if memory runs out. */
gboolean gst_cca_counter_begin (GstCcaCounter * self, GstCcaLines * lines,
    const GstCcaLineRule * of_element, guint n_slots);

/* Updates the state of a track that is seen in this frame at a line. Returns
 * the crossing that counts now, if any, and sets *when to its frame. */
GstCcaCrossing gst_cca_counter_update (GstCcaCounter * self, guint line,
    const GstCcaTracked * track, const GstCcaMoment * now,
    GstCcaMoment * when);

G_END_DECLS

#endif /* __GST_CCA_TRACK_COUNTER_H__ */
