/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_QUEUE_H__
#define __GST_CCA_QUEUE_H__

#include "gstccabase.h"

G_BEGIN_DECLS

/* All functions are for the streaming thread. */

/* Allocates jobs for depth frames in the queue and the next frame. */
void gst_cca_queue_start (GstCcaBase * base, guint depth);
void gst_cca_queue_stop (GstCcaBase * base);

/* Waits for all frames and drops them. */
void gst_cca_queue_flush (GstCcaBase * base);

/* Waits for all frames and pushes them, in order. After a failure it drops the
 * rest. The queue is empty afterwards. */
GstFlowReturn gst_cca_queue_drain (GstCcaBase * base);

/* Drains the queue where no flow return can be passed on. An error is stored
 * and returned for the next buffer. */
void gst_cca_queue_settle (GstCcaBase * base);

/* Must be called before each buffer. The caller drops the buffer unless this
 * returns GST_FLOW_OK. */
GstFlowReturn gst_cca_queue_begin (GstCcaBase * base, gboolean is_discont);

/* Analyses a frame and waits for it, without putting it in the queue. The
 * caller keeps the buffer. */
GstFlowReturn gst_cca_queue_analyse (GstCcaBase * base, GstBuffer * buffer);

/* Submits a frame and takes ownership of its buffer. If the queue is full, sets
 * *out to the oldest frame, which the caller owns; leaves it unchanged
 * otherwise. */
GstFlowReturn gst_cca_queue_exchange (GstCcaBase * base, GstBuffer * in,
    GstBuffer ** out);

/* Computes the latency from the frame rate of new caps, and posts a latency
 * message if it has changed. */
void gst_cca_queue_set_latency (GstCcaBase * base);
void gst_cca_queue_add_latency (GstCcaBase * base, GstQuery * query);

/* Adds the size of the queue to the buffers that an allocation query asks for.
 * Returns whether the query was changed. */
gboolean gst_cca_queue_add_buffers (GstCcaBase * base, GstQuery * query);

G_END_DECLS

#endif /* __GST_CCA_QUEUE_H__ */
