/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccacudamemory.h"

gboolean
gst_cca_caps_are_cuda (const GstCaps *caps)
{
  /* ANY caps, which an allocation query can have, have no structure. */
  return gst_caps_get_size (caps) > 0
      && gst_caps_features_contains (gst_caps_get_features (caps, 0),
          GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

GstCudaMemory *
gst_cca_cuda_memory_peek (GstBuffer *buffer)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) == 0)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  return gst_is_cuda_memory (memory) ? GST_CUDA_MEMORY_CAST (memory) : NULL;
}

gboolean
gst_cca_cuda_memory_find_layout (GstBuffer *buffer, const GstVideoInfo *info,
    GstVideoInfo *layout, gchar **why)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  guint n = gst_buffer_n_memory (buffer);
  GstMemory *memory;

  if (n != 1) {
    *why = g_strdup_printf ("the buffer has %u memories, but CUDA video must "
                            "have one",
        n);
    return FALSE;
  }
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_cuda_memory (memory)) {
    *why = g_strdup ("the buffer is not in CUDA memory");
    return FALSE;
  }
  *layout = GST_CUDA_MEMORY_CAST (memory)->info;
  if (meta != NULL) {
    memcpy (layout->offset, meta->offset, sizeof (layout->offset));
    memcpy (layout->stride, meta->stride, sizeof (layout->stride));
  } else if (GST_VIDEO_INFO_FORMAT (layout) != GST_VIDEO_INFO_FORMAT (info)
      || GST_VIDEO_INFO_WIDTH (layout) < GST_VIDEO_INFO_WIDTH (info)
      || GST_VIDEO_INFO_HEIGHT (layout) < GST_VIDEO_INFO_HEIGHT (info)) {
    *why = g_strdup ("the layout of the CUDA memory does not fit the caps");
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_cca_cuda_memory_map_plane (GstCcaPlane *plane, GstBuffer *buffer,
    const GstVideoInfo *info, const GstCcaPicture *picture, gchar **why)
{
  GstMemory *memory;
  GstVideoInfo layout;
  gsize offset;
  gint stride;

  if (!gst_cca_cuda_memory_find_layout (buffer, info, &layout, why))
    return FALSE;
  memory = gst_buffer_peek_memory (buffer, 0);
  offset = GST_VIDEO_INFO_PLANE_OFFSET (&layout, 0);
  stride = GST_VIDEO_INFO_PLANE_STRIDE (&layout, 0);

  if (!gst_memory_map (memory, &plane->map, GST_MAP_READ | GST_MAP_CUDA)) {
    *why = g_strdup ("the CUDA memory cannot be mapped for reading");
    return FALSE;
  }
  plane->data = plane->map.data + offset;
  plane->stride = stride;
  plane->mapped_by_meta = FALSE;
  if (offset > plane->map.size) {
    *why = g_strdup_printf ("the luma plane starts at byte %" G_GSIZE_FORMAT
                            " of a memory of %" G_GSIZE_FORMAT " bytes",
        offset, plane->map.size);
  } else if (gst_cca_plane_check ((guintptr) plane->data, stride,
                 plane->map.size - offset, picture, GST_CCA_SAMPLE_SIZE (info),
                 why)) {
    return TRUE;
  }
  gst_memory_unmap (memory, &plane->map);
  return FALSE;
}

void
gst_cca_cuda_memory_unmap_plane (GstCcaPlane *plane)
{
  gst_memory_unmap (plane->map.memory, &plane->map);
}
