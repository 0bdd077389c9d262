/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Where CUDA is not built. */

#include "stress.h"

gboolean
cuda_start (void)
{
  return FALSE;
}

void
cuda_stop (void)
{
}

GstBuffer *
cuda_frame (GstBuffer *frame, GstVideoFormat format, guint width, guint height,
    gboolean with_stream)
{
  g_return_val_if_reached (frame);
}

guint8 *
cuda_read_luma (GstBuffer *buffer, gsize *stride)
{
  return NULL;
}

void
cuda_give_context (GstElement *element)
{
}
