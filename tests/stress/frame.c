/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pictures into buffers. That of the element tests is made of assertions which
 * have their place in a GstCheck test only. */

#include "stress.h"

#include <string.h>

/* Plane by plane, with unused bytes at the start and after each row. */
static void
spread (GstVideoInfo *info, guint offset, guint padding)
{
  gsize size = offset;
  guint i;

  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, i, comp);
    info->offset[i] = size;
    info->stride[i] += padding;
    size +=
        (gsize) info->stride[i] * GST_VIDEO_INFO_COMP_HEIGHT (info, comp[0]);
  }
  info->size = size;
}

/* All other bytes have all bits set, which is foreground. Unused bits of
 * samples have noise. */
static void
fill (GstBuffer *buffer, const GstVideoInfo *info, const Picture *picture)
{
  const guint shift = GST_VIDEO_FORMAT_INFO_SHIFT (info->finfo, 0);
  const guint top = (1u << GST_VIDEO_INFO_COMP_DEPTH (info, 0)) - 1;
  GstVideoFrame frame;
  guint i, x, y;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (i = 0; i < GST_VIDEO_FRAME_N_PLANES (&frame); i++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, i, comp);
    memset (GST_VIDEO_FRAME_PLANE_DATA (&frame, i), 0xff,
        (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i)
            * GST_VIDEO_FRAME_COMP_HEIGHT (&frame, comp[0]));
  }
  for (y = 0; y < picture->height; y++) {
    const guint16 *from = picture->pixels + (gsize) y * picture->width;
    guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

    row += (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
    for (x = 0; x < picture->width; x++)
      if (GST_VIDEO_FRAME_COMP_DEPTH (&frame, 0) == 8)
        row[x] = from[x];
      else
        GST_WRITE_UINT16_LE (row + 2 * x,
            from[x] << shift | (x * 0x421 & ~(top << shift)));
  }
  gst_video_frame_unmap (&frame);
}

GstBuffer *
system_frame (GstVideoFormat format, const Picture *picture, guint offset,
    guint padding)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, format, picture->width, picture->height);
  if (offset + padding > 0)
    spread (&info, offset, padding);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  if (offset + padding > 0)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format,
        picture->width, picture->height, GST_VIDEO_INFO_N_PLANES (&info),
        info.offset, info.stride);
  fill (buffer, &info, picture);
  return buffer;
}
