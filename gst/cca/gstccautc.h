/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_UTC_H__
#define __GST_CCA_UTC_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* What an element knows of Unix time. Zero-initialised; under its object lock. */
typedef struct {
  gboolean is_playing;          /* so that the base time is valid */
  gboolean clock_is_utc;
} GstCcaUtc;

/* For GstElementClass.set_clock() and change_state(). */
void gst_cca_utc_set_clock (GstCcaUtc * self, GstElement * element,
    GstClock * clock);
void gst_cca_utc_change_state (GstCcaUtc * self, GstElement * element,
    GstStateChange transition);

/* Returns the time of a buffer in ns since 1970: that of its
 * GstReferenceTimestampMeta of Unix or NTP time, or else, by its running time,
 * that of the pipeline's clock if this has Unix times. GST_CLOCK_TIME_NONE:
 * unknown. */
GstClockTime gst_cca_utc_of_buffer (GstCcaUtc * self, GstElement * element,
    GstBuffer * buffer, GstClockTime running_time);

G_END_DECLS

#endif /* __GST_CCA_UTC_H__ */
