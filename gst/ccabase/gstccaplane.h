/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_PLANE_H__
#define __GST_CCA_PLANE_H__

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The picture that a buffer shows: a rectangle of its luma plane. */
typedef struct {
  guint x, y;                   /* in the plane: the crop meta's corner */
  guint width, height;          /* both 0: the crop leaves nothing */
  guint ref_width, ref_height;  /* size that coordinates refer to, never 0 */
} GstCcaPicture;

/* A luma plane, mapped for reading. */
typedef struct {
  const guint8 *data;           /* first pixel of the plane */
  gsize stride;                 /* bytes from row to row */
  GstMapInfo map;
  gboolean mapped_by_meta;
} GstCcaPlane;

/* Bytes of a luma sample, and bits of its code value. */
#define GST_CCA_SAMPLE_SIZE(info) GST_VIDEO_INFO_COMP_PSTRIDE (info, 0)
#define GST_CCA_DEPTH(info) GST_VIDEO_INFO_COMP_DEPTH (info, 0)

/* The functions below return FALSE if the buffer contradicts its caps or
 * itself. They then set *why to a sentence without a final period, to be freed
 * with g_free(). */

/* Finds the picture: the rectangle of the crop meta, otherwise the size in the
 * caps. */
gboolean gst_cca_picture_find (GstCcaPicture * picture, GstBuffer * buffer,
    const GstVideoInfo * info, gchar ** why);

/* Maps the luma plane without copying its pixels, and checks that all of the
 * picture is in the mapped memory and that its samples are aligned. */
gboolean gst_cca_plane_map (GstCcaPlane * plane, GstBuffer * buffer,
    const GstVideoInfo * info, const GstCcaPicture * picture, gchar ** why);
void gst_cca_plane_unmap (GstCcaPlane * plane, GstBuffer * buffer);

/* Checks that all of the picture is in a plane with a start address, a stride
 * and a size in bytes. */
gboolean gst_cca_plane_check (guintptr address, gssize stride, guint64 size,
    const GstCcaPicture * picture, guint sample_size, gchar ** why);

/* Returns the first pixel of the picture. */
static inline gconstpointer
gst_cca_plane_pixel (const GstCcaPlane * plane, const GstCcaPicture * picture,
    guint sample_size)
{
  return plane->data + (gsize) picture->y * plane->stride
      + (gsize) picture->x * sample_size;
}

G_END_DECLS

#endif /* __GST_CCA_PLANE_H__ */
