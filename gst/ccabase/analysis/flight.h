/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_FLIGHT_H__
#define __GST_CCA_FLIGHT_H__

#include "base.h"

G_BEGIN_DECLS

/* Room for depth frames in flight and the one that comes; nothing, if the
 * element does not run. Each has a slot of the engine. */
void gst_cca_flight_start (GstCcaFlight * self, guint depth);
void gst_cca_flight_stop (GstCcaBase * base);

/* Collects what is in flight and throws it away. */
void gst_cca_flight_flush (GstCcaBase * base);

/* Collects what is in flight and pushes it, in order. After a failure the rest
 * is thrown away. */
GstFlowReturn gst_cca_flight_drain (GstCcaBase * base);

/* The same, where there is nobody to take a failure: the next buffer does. */
void gst_cca_flight_settle (GstCcaBase * base);

/* A buffer comes. It is not to be taken if there has been a failure. */
GstFlowReturn gst_cca_flight_begin (GstCcaBase * base, gboolean is_discont);

/* Starts the analysis of a frame and waits for it: for one that is alone. */
GstFlowReturn gst_cca_flight_analyse (GstCcaBase * base, GstBuffer * buffer);

/* Takes a frame in, and gives the oldest one once there are enough. */
GstFlowReturn gst_cca_flight_exchange (GstCcaBase * base, GstBuffer * in,
    GstBuffer ** out);

/* Takes up how long a frame lasts, and says so if the latency changes. */
void gst_cca_flight_set_latency (GstCcaBase * base);
void gst_cca_flight_add_latency (GstCcaBase * base, GstQuery * query);

/* Asks for as many buffers more as are in flight. Whether it did. */
gboolean gst_cca_flight_add_buffers (GstCcaBase * base, GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_FLIGHT_H__ */
