/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaplane.h"

/* Before 1.26, gst_video_format_to_string() does not accept UNKNOWN. */
static const gchar *
format_name (GstVideoFormat format)
{
  return format != GST_VIDEO_FORMAT_UNKNOWN
      ? gst_video_format_to_string (format)
      : "UNKNOWN";
}

static gboolean
check_video_meta (const GstVideoMeta *meta, const GstVideoInfo *info,
    gchar **why)
{
  if (meta->format != GST_VIDEO_INFO_FORMAT (info)) {
    *why = g_strdup_printf ("the buffer holds %s and not the %s of its caps",
        format_name (meta->format), format_name (GST_VIDEO_INFO_FORMAT (info)));
    return FALSE;
  }
  if (meta->n_planes != GST_VIDEO_INFO_N_PLANES (info)) {
    *why = g_strdup_printf ("the buffer has %u planes and not the %u of its "
                            "format",
        meta->n_planes, GST_VIDEO_INFO_N_PLANES (info));
    return FALSE;
  }
  return TRUE;
}

/* Returns the length of the part of [start, start + length) below end. */
static guint
clip (guint start, guint length, guint end)
{
  return start < end ? MIN (length, end - start) : 0;
}

gboolean
gst_cca_picture_find (GstCcaPicture *picture, GstBuffer *buffer,
    const GstVideoInfo *info, gchar **why)
{
  const GstVideoMeta *video = gst_buffer_get_video_meta (buffer);
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  guint width = GST_VIDEO_INFO_WIDTH (info);
  guint height = GST_VIDEO_INFO_HEIGHT (info);
  guint frame_width = width, frame_height = height;

  if (video != NULL) {
    if (!check_video_meta (video, info, why))
      return FALSE;
    frame_width = video->width;
    frame_height = video->height;
  }

  if (crop != NULL) {
    *picture = (GstCcaPicture) {
      .x = crop->x,
      .y = crop->y,
      .width = clip (crop->x, crop->width, frame_width),
      .height = clip (crop->y, crop->height, frame_height),
    };
    if (picture->width != 0 && picture->height != 0) {
      picture->ref_width = picture->width;
      picture->ref_height = picture->height;
    } else {
      picture->x = picture->y = picture->width = picture->height = 0;
      picture->ref_width = width;
      picture->ref_height = height;
    }
    return TRUE;
  }

  if (width > frame_width || height > frame_height) {
    *why = g_strdup_printf ("the buffer holds %ux%u pixels and not the %ux%u "
                            "of its caps",
        frame_width, frame_height, width, height);
    return FALSE;
  }
  *picture = (GstCcaPicture) {
    .width = width,
    .height = height,
    .ref_width = width,
    .ref_height = height,
  };
  return TRUE;
}

/* Returns the bytes from the first pixel of the plane to the last one of the
 * picture. This cannot overflow, as dimensions and strides have at most 32
 * bits. */
static guint64
bytes_needed (guint64 stride, const GstCcaPicture *picture, guint sample_size)
{
  return ((guint64) picture->y + picture->height - 1) * stride
      + ((guint64) picture->x + picture->width) * sample_size;
}

gboolean
gst_cca_plane_check (guintptr address, gssize stride, guint64 size,
    const GstCcaPicture *picture, guint sample_size, gchar **why)
{
  guint64 row = ((guint64) picture->x + picture->width) * sample_size;
  guint64 needed;

  if (picture->y + picture->height == 1)
    stride = row;
  if (stride < 0 || (guint64) stride < row) {
    *why = g_strdup_printf ("a stride of %" G_GSSIZE_FORMAT " bytes is too "
                            "short for rows of %" G_GUINT64_FORMAT " bytes",
        stride, row);
    return FALSE;
  }
  if (address % sample_size != 0 || stride % sample_size != 0) {
    *why = g_strdup ("16-bit samples are at odd addresses");
    return FALSE;
  }
  needed = bytes_needed (stride, picture, sample_size);
  if (needed > size) {
    *why = g_strdup_printf ("the luma plane needs %" G_GUINT64_FORMAT
                            " bytes but has %" G_GUINT64_FORMAT,
        needed, size);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_cca_plane_map (GstCcaPlane *plane, GstBuffer *buffer,
    const GstVideoInfo *info, const GstCcaPicture *picture, gchar **why)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize offset = GST_VIDEO_INFO_PLANE_OFFSET (info, 0);
  gint stride = GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  guint sample_size = GST_CCA_SAMPLE_SIZE (info);
  gsize buffer_size = gst_buffer_get_size (buffer);
  gsize skip, mapped;
  guint index, length;
  gpointer data;

  if (meta != NULL) {
    offset = meta->offset[0];
    stride = meta->stride[0];
  }
  if (offset >= buffer_size) {
    *why = g_strdup_printf ("the luma plane starts at byte %" G_GSIZE_FORMAT
                            " of a buffer of %" G_GSIZE_FORMAT " bytes",
        offset, buffer_size);
    return FALSE;
  }
  if (!gst_cca_plane_check (0, stride, buffer_size - offset, picture,
          sample_size, why))
    return FALSE;

  /* Map only the memories that hold the picture: mapping the whole buffer would
   * merge planes that are in separate memories, with a copy. */
  if (!gst_buffer_find_memory (buffer, offset,
          bytes_needed (stride, picture, sample_size), &index, &length, &skip))
    goto not_mapped;
  /* The map function of the meta also handles special memory, but maps only a
   * single memory. */
  plane->mapped_by_meta = meta != NULL && length == 1;
  if (plane->mapped_by_meta) {
    if (!gst_video_meta_map (meta, 0, &plane->map, &data, &stride,
            GST_MAP_READ))
      goto not_mapped;
  } else {
    if (!gst_buffer_map_range (buffer, index, length, &plane->map,
            GST_MAP_READ))
      goto not_mapped;
    data = plane->map.data + skip;
  }

  /* The mapping may have another address, stride and size: check again. */
  plane->data = data;
  plane->stride = stride;
  mapped = 0;
  if (plane->data >= plane->map.data
      && plane->data <= plane->map.data + plane->map.size)
    mapped = plane->map.size - (plane->data - plane->map.data);
  if (!gst_cca_plane_check ((guintptr) data, stride, mapped, picture,
          sample_size, why)) {
    gst_cca_plane_unmap (plane, buffer);
    return FALSE;
  }
  return TRUE;

not_mapped:
  *why = g_strdup ("the luma plane cannot be mapped for reading");
  return FALSE;
}

void
gst_cca_plane_unmap (GstCcaPlane *plane, GstBuffer *buffer)
{
  if (plane->mapped_by_meta)
    gst_video_meta_unmap (gst_buffer_get_video_meta (buffer), 0, &plane->map);
  else
    gst_buffer_unmap (buffer, &plane->map);
}
