/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_REPORT_H__
#define __GST_CCA_TRACK_REPORT_H__

#include <gst/gst.h>

#include "gstccalines.h"
#include "gstccatracker.h"

G_BEGIN_DECLS

/* The times of a frame in messages; GST_CLOCK_TIME_NONE if unknown. */
typedef struct {
  GstClockTime timestamp, stream_time, running_time, duration;
} GstCcaMoment;

extern const GstCcaMoment gst_cca_moment_none;

GstCcaMoment gst_cca_moment_of_buffer (GstBuffer * buffer,
    const GstSegment * segment);

/* Each posts an element message with a structure named cca-track. */
void gst_cca_track_post_confirmed (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracker * tracker,
    const GstCcaTracked * track);
void gst_cca_track_post_lost (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracker * tracker,
    const GstCcaTracked * track);
void gst_cca_track_post_crossed (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracked * track,
    const GstCcaLine * line, GstCcaCrossing crossing);

G_END_DECLS

#endif /* __GST_CCA_TRACK_REPORT_H__ */
