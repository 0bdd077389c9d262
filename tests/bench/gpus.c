/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gpus.h"

#include <gst/cuda/gstcuda.h>

#define MOST_GPUS 16

static GstCudaContext *contexts[MOST_GPUS];
static guint n_gpus;

guint gpus_count(const gchar **why)
{
    int n = 0;

    if (n_gpus > 0)
        return n_gpus;
    if (!gst_cuda_load_library() || CuInit(0) != CUDA_SUCCESS ||
        CuDeviceGetCount(&n) != CUDA_SUCCESS || n == 0) {
        *why = "there is no GPU";
        return 0;
    }
    gst_cuda_memory_init_once();
    while (n_gpus < MIN((guint) n, MOST_GPUS) &&
           (contexts[n_gpus] = gst_cuda_context_new(n_gpus)) != NULL)
        n_gpus++;
    return n_gpus;
}

GstContext *gpus_get_context(guint gpu)
{
    return gst_context_new_cuda_context(contexts[gpu]);
}

/* Of one buffer, which keeps it. */
static GstBufferPool *make_pool(guint gpu, const GstVideoInfo *info)
{
    GstBufferPool *pool = gst_cuda_buffer_pool_new(contexts[gpu]);
    GstStructure *config = gst_buffer_pool_get_config(pool);
    GstCudaStream *stream = gst_cuda_stream_new(contexts[gpu]);
    GstCaps *caps = gst_video_info_to_caps(info);

    gst_caps_set_features_simple(
        caps, gst_caps_features_new_static_str(GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, NULL));
    gst_buffer_pool_config_set_params(config, caps, info->size, 1, 1);
    gst_buffer_pool_config_set_cuda_stream(config, stream);
    gst_clear_cuda_stream(&stream);
    gst_caps_unref(caps);
    if (!gst_buffer_pool_set_config(pool, config) || !gst_buffer_pool_set_active(pool, TRUE))
        gst_clear_object(&pool);
    return pool;
}

GstBuffer *gpus_upload(guint gpu, const GstVideoInfo *info, GstBuffer *frame)
{
    GstBufferPool *pool = make_pool(gpu, info);
    GstBuffer *buffer = NULL;
    GstVideoFrame from, to;
    GstVideoInfo layout = *info;
    GstMapInfo map;

    if (pool == NULL || gst_buffer_pool_acquire_buffer(pool, &buffer, NULL) != GST_FLOW_OK) {
        gst_clear_object(&pool);
        return NULL;
    }
    if (gst_video_frame_map(&from, &layout, frame, GST_MAP_READ)) {
        if (gst_video_frame_map(&to, &layout, buffer, GST_MAP_WRITE)) {
            gst_video_frame_copy(&to, &from);
            gst_video_frame_unmap(&to);
        }
        gst_video_frame_unmap(&from);
    }
    /* the copy to the GPU, which is made when it is needed */
    if (gst_buffer_map(buffer, &map, GST_MAP_READ | GST_MAP_CUDA))
        gst_buffer_unmap(buffer, &map);
    else
        gst_clear_buffer(&buffer);
    gst_buffer_pool_set_active(pool, FALSE);
    gst_object_unref(pool);
    return buffer;
}

gboolean gpus_hold(GstBuffer *buffer)
{
    return gst_is_cuda_memory(gst_buffer_peek_memory(buffer, 0));
}

void gpus_close(void)
{
    while (n_gpus > 0)
        gst_clear_object(&contexts[--n_gpus]);
}
