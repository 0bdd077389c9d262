/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_MOMENT_H__
#define __GST_CCA_TRACK_MOMENT_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* A frame in messages. Unknown times are GST_CLOCK_TIME_NONE. */
typedef struct {
  GstClockTime timestamp, stream_time, running_time, duration;
  gboolean warming_up;          /* the background was */
} GstCcaMoment;

G_END_DECLS

#endif /* __GST_CCA_TRACK_MOMENT_H__ */
