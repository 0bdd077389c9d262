/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Built without CUDA. */

#include "gpus.h"

guint gpus_count(const gchar **why)
{
    *why = "built without CUDA";
    return 0;
}

GstContext *gpus_get_context(guint gpu)
{
    return NULL;
}

GstBuffer *gpus_upload(guint gpu, const GstVideoInfo *info, GstBuffer *frame)
{
    return NULL;
}

gboolean gpus_hold(GstBuffer *buffer)
{
    return FALSE;
}

void gpus_close(void)
{
}
