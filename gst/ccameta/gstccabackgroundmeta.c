/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccabackgroundmeta
 * @title: GstCcaBackgroundMeta
 * @short_description: a picture of the background of a video
 *
 * A #GstCcaBackgroundMeta holds the background as it is after the analysis of a
 * frame: the next frame is compared with it. The picture is a #GstBuffer with a
 * #GstVideoMeta, in the format GRAY8 or GRAY16_LE, in system memory or in CUDA
 * memory. All copies of the video buffer share it. It must not be written to.
 *
 * The picture has the size of the analysed picture. Scalers pass it on
 * unchanged.
 */

#include <gst/video/video.h>

#include "gstccametaprivate.h"

static gboolean
gst_cca_background_meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  GstCcaBackgroundMeta *self = (GstCcaBackgroundMeta *) meta;

  self->picture = NULL;
  self->width = self->height = self->depth = 0;

  return TRUE;
}

static void
gst_cca_background_meta_free (GstMeta *meta, GstBuffer *buffer)
{
  gst_clear_buffer (&((GstCcaBackgroundMeta *) meta)->picture);
}

static void
gst_cca_background_meta_clear (GstBuffer *buffer, GstMeta *meta)
{
  gst_cca_background_meta_free (meta, buffer);
  gst_cca_background_meta_init (meta, NULL, buffer);
}

static GstCcaBackgroundMeta *
attach (GstBuffer *buffer, const GstCcaBackgroundMeta *from)
{
  GstCcaBackgroundMeta *meta =
      (GstCcaBackgroundMeta *) gst_buffer_add_meta (buffer,
          GST_CCA_BACKGROUND_META_INFO, NULL);

  if (meta == NULL)
    return NULL;

  meta->picture = gst_buffer_ref (from->picture);
  meta->width = from->width;
  meta->height = from->height;
  meta->depth = from->depth;

  return meta;
}

/* As that of GstCcaLabelsMeta. */
static gboolean
gst_cca_background_meta_transform (GstBuffer *dest, GstMeta *meta,
    GstBuffer *buffer, GQuark type, gpointer data)
{
  if (GST_META_TRANSFORM_IS_COPY (type)
      || GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return attach (dest, (GstCcaBackgroundMeta *) meta) != NULL;

  return FALSE;
}

/**
 * gst_cca_background_meta_api_get_type:
 *
 * Gets the type of the API. Its only tag is %GST_META_TAG_VIDEO_STR, like that
 * of gst_cca_meta_api_get_type().
 *
 * Returns: the type of the meta's API, "GstCcaBackgroundMetaAPI"
 */
GType
gst_cca_background_meta_api_get_type (void)
{
  static gsize type = 0;
  static const gchar *tags[] = {GST_META_TAG_VIDEO_STR, NULL};

  if (g_once_init_enter (&type)) {
    GType new_type =
        gst_meta_api_type_register ("GstCcaBackgroundMetaAPI", tags);

    g_once_init_leave (&type, new_type);
  }

  return type;
}

/**
 * gst_cca_background_meta_get_info:
 *
 * Registers the meta on the first call. It may be called from any thread. The
 * meta is not serialised, so it does not reach other processes.
 *
 * Returns: (transfer none): the meta's #GstMetaInfo
 */
const GstMetaInfo *
gst_cca_background_meta_get_info (void)
{
  static gsize once = 0;
  static const GstMetaInfo *registered = NULL;

  if (g_once_init_enter (&once)) {
    GstMetaInfo *info = gst_meta_info_new (GST_CCA_BACKGROUND_META_API_TYPE,
        "GstCcaBackgroundMeta", sizeof (GstCcaBackgroundMeta));

    info->init_func = gst_cca_background_meta_init;
    info->free_func = gst_cca_background_meta_free;
    info->clear_func = gst_cca_background_meta_clear;
    info->transform_func = gst_cca_background_meta_transform;
    registered = gst_meta_info_register (info);
    g_once_init_leave (&once, 1);
  }

  return registered;
}

/**
 * gst_buffer_add_cca_background_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @picture: (transfer none): the background: a #GstBuffer with a #GstVideoMeta
 *   that has its size and layout. The format is GRAY8 or GRAY16_LE, and the
 *   stride is positive. @picture is shared, not copied, and must not be changed
 *   afterwards.
 * @depth: bits of a pixel value: 8 for GRAY8, 9 to 16 for GRAY16_LE
 *
 * Attaches the background after the analysis of a frame. Pixel values are not
 * checked.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaBackgroundMeta *
gst_buffer_add_cca_background_meta (GstBuffer *buffer, GstBuffer *picture,
    guint depth)
{
  GstCcaBackgroundMeta background = {.picture = picture, .depth = depth};
  guint bits;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (GST_IS_BUFFER (picture), NULL);
  g_return_val_if_fail (picture != buffer, NULL);
  g_return_val_if_fail (gst_cca_picture_describe (picture, &background.width,
                            &background.height, &bits),
      NULL);
  g_return_val_if_fail (depth <= bits && depth > bits - 8, NULL);
  g_return_val_if_fail (depth >= 8, NULL);

  return attach (buffer, &background);
}

/**
 * gst_buffer_get_cca_background_meta:
 * @buffer: (transfer none): a #GstBuffer
 *
 * Gets the first background of a buffer.
 *
 * Returns: (transfer none) (nullable): the first #GstCcaBackgroundMeta of
 *   @buffer, or %NULL if it has none
 */
GstCcaBackgroundMeta *
gst_buffer_get_cca_background_meta (GstBuffer *buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaBackgroundMeta *) gst_buffer_get_meta (buffer,
      GST_CCA_BACKGROUND_META_API_TYPE);
}

/**
 * gst_cca_background_meta_get_picture:
 * @meta: a #GstCcaBackgroundMeta
 *
 * Gets the picture. It must not be written to. It may be in CUDA memory, and
 * its rows may be padded: use its #GstVideoMeta.
 *
 * Returns: (transfer none): the picture, owned by @meta
 */
GstBuffer *
gst_cca_background_meta_get_picture (const GstCcaBackgroundMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return meta->picture;
}

/**
 * gst_cca_background_meta_get_width:
 * @meta: a #GstCcaBackgroundMeta
 *
 * Gets the width of the picture.
 *
 * Returns: the width in pixels, which is that of the analysed picture
 */
guint
gst_cca_background_meta_get_width (const GstCcaBackgroundMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->width;
}

/**
 * gst_cca_background_meta_get_height:
 * @meta: a #GstCcaBackgroundMeta
 *
 * Gets the height of the picture.
 *
 * Returns: the height in pixels, which is that of the analysed picture
 */
guint
gst_cca_background_meta_get_height (const GstCcaBackgroundMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->height;
}

/**
 * gst_cca_background_meta_get_depth:
 * @meta: a #GstCcaBackgroundMeta
 *
 * Gets the depth of the analysed video. Pixels of more than 8 bits are 16-bit
 * values from 0 to 2^depth - 1.
 *
 * Returns: bits of a pixel value: 8 to 16
 */
guint
gst_cca_background_meta_get_depth (const GstCcaBackgroundMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->depth;
}
