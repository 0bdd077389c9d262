/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_QUEUE_H__
#define __GST_CCA_QUEUE_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* All functions are for the streaming thread. */

/* Makes room for async-depth frames and the next one. */
void gst_cca_queue_start (GstCcaBase * base, guint depth);
void gst_cca_queue_stop (GstCcaBase * base);

/* Waits for all frames and drops them. */
void gst_cca_queue_flush (GstCcaBase * base);

/* Waits for all frames and pushes them, in order. Drops the rest after a
 * failure. */
GstFlowReturn gst_cca_queue_drain (GstCcaBase * base);

/* Drains where no flow return can be passed on: the next buffer returns the
 * error. */
void gst_cca_queue_settle (GstCcaBase * base);

/* Comes before each buffer, which is dropped unless it returns GST_FLOW_OK. */
GstFlowReturn gst_cca_queue_begin (GstCcaBase * base, gboolean is_discont);

/* Analyses a frame and waits for it, past the queue. */
GstFlowReturn gst_cca_queue_analyse (GstCcaBase * base, GstBuffer * buffer);

/* Submits a frame, and takes out the oldest one if the queue is full. */
GstFlowReturn gst_cca_queue_exchange (GstCcaBase * base, GstBuffer * in,
    GstBuffer ** out);

/* Takes up the duration of a frame from new caps, and posts a message if the
 * latency changes. */
void gst_cca_queue_set_latency (GstCcaBase * base);
void gst_cca_queue_add_latency (GstCcaBase * base, GstQuery * query);

/* Adds the frames in the queue to the buffers that an allocation query asks
 * for. Whether it did. */
gboolean gst_cca_queue_add_buffers (GstCcaBase * base, GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_QUEUE_H__ */
