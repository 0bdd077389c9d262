/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_BENCH_GPUS_H__
#define __CCA_BENCH_GPUS_H__

#include <gst/video/video.h>

/* The GPUs that streams are dealt over, each with one context that all of its
 * streams share, as they do in an application that has more than one. */

/* How many there are; 0, and a sentence in `why`, without any. */
guint gpus_count(const gchar **why);

/* For elements of a stream on that GPU. */
GstContext *gpus_get_context(guint gpu);

/* A copy of the frame in CUDA memory, with a CUDA stream of its own; NULL if
 * memory ran out. */
GstBuffer *gpus_upload(guint gpu, const GstVideoInfo *info, GstBuffer *frame);

gboolean gpus_hold(GstBuffer *buffer);
void gpus_close(void);

#endif /* __CCA_BENCH_GPUS_H__ */
