/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_REPORT_H__
#define __GST_CCA_TRACK_REPORT_H__

#include <gst/gst.h>

#include "gstccacounter.h"
#include "gstccastays.h"

G_BEGIN_DECLS

extern const GstCcaMoment gst_cca_moment_none;

GstCcaMoment gst_cca_moment_of_buffer (GstBuffer * buffer,
    const GstSegment * segment);

/* Each posts an element message with a structure named cca-track. */
void gst_cca_track_post_confirmed (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracker * tracker,
    const GstCcaTracked * track);
void gst_cca_track_post_motion (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracked * track,
    GstCcaMotion motion);
void gst_cca_track_post_lost (GstElement * element,
    const GstCcaMoment * moment, const GstCcaTracker * tracker,
    const GstCcaTracked * track);

/* A crossing that has settled at a running time. counts are those of the line
 * at that time. */
void gst_cca_track_post_crossed (GstElement * element,
    const GstCcaMoment * moment, GstClockTime settled,
    const GstCcaTracked * track, const GstCcaLine * line,
    const GstCcaLineCounts * counts, GstCcaCrossing crossing);

/* Posts a message named cca-zone about an event that is decided at a running
 * time. counts are those of the zone at that time. */
void gst_cca_track_post_stay (GstElement * element,
    const GstCcaStayEvent * event, GstClockTime settled,
    const GstCcaZoneCounts * counts);

G_END_DECLS

#endif /* __GST_CCA_TRACK_REPORT_H__ */
