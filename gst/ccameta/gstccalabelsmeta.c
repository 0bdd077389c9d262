/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccalabelsmeta
 * @title: GstCcaLabelsMeta
 * @short_description: an image with the component of each pixel of a video
 *   frame
 *
 * A #GstCcaLabelsMeta holds the label image of a frame. The value of a pixel is
 * the id of the #GstCcaComponent that it belongs to. It is 0 for the background
 * and for components removed by a filter. The image is a #GstBuffer with a
 * #GstVideoMeta, in the format GRAY8 or GRAY16_LE, in system memory or in CUDA
 * memory. All copies of the video buffer share it. It must not be written to.
 *
 * The label image has the size of the analysed picture. Scalers pass it on
 * unchanged.
 */

#include <gst/video/video.h>

#include "gstccametaprivate.h"

static gboolean
gst_cca_labels_meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  GstCcaLabelsMeta *self = (GstCcaLabelsMeta *) meta;

  self->picture = NULL;
  self->width = self->height = self->depth = 0;
  self->n_labels = 0;

  return TRUE;
}

static void
gst_cca_labels_meta_free (GstMeta *meta, GstBuffer *buffer)
{
  gst_clear_buffer (&((GstCcaLabelsMeta *) meta)->picture);
}

static void
gst_cca_labels_meta_clear (GstBuffer *buffer, GstMeta *meta)
{
  gst_cca_labels_meta_free (meta, buffer);
  gst_cca_labels_meta_init (meta, NULL, buffer);
}

static GstCcaLabelsMeta *
attach (GstBuffer *buffer, const GstCcaLabelsMeta *from)
{
  GstCcaLabelsMeta *meta = (GstCcaLabelsMeta *) gst_buffer_add_meta (buffer,
      GST_CCA_LABELS_META_INFO, NULL);

  if (meta == NULL)
    return NULL;

  meta->picture = gst_buffer_ref (from->picture);
  meta->width = from->width;
  meta->height = from->height;
  meta->depth = from->depth;
  meta->n_labels = from->n_labels;

  return meta;
}

/* Like gst_cca_meta_transform(), but a matrix transform drops the meta:
 * mapping the pixels is too expensive here, and a misplaced label image would
 * be wrong. */
static gboolean
gst_cca_labels_meta_transform (GstBuffer *dest, GstMeta *meta,
    GstBuffer *buffer, GQuark type, gpointer data)
{
  if (GST_META_TRANSFORM_IS_COPY (type)
      || GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return attach (dest, (GstCcaLabelsMeta *) meta) != NULL;

  return FALSE;
}

/**
 * gst_cca_labels_meta_api_get_type:
 *
 * Gets the type of the API. Its only tag is %GST_META_TAG_VIDEO_STR, like that
 * of gst_cca_meta_api_get_type().
 *
 * Returns: the type of the meta's API, "GstCcaLabelsMetaAPI"
 */
GType
gst_cca_labels_meta_api_get_type (void)
{
  static gsize type = 0;
  static const gchar *tags[] = {GST_META_TAG_VIDEO_STR, NULL};

  if (g_once_init_enter (&type)) {
    GType new_type = gst_meta_api_type_register ("GstCcaLabelsMetaAPI", tags);

    g_once_init_leave (&type, new_type);
  }

  return type;
}

/**
 * gst_cca_labels_meta_get_info:
 *
 * Registers the meta on the first call. It may be called from any thread. The
 * meta is not serialised, so it does not reach other processes.
 *
 * Returns: (transfer none): the meta's #GstMetaInfo
 */
const GstMetaInfo *
gst_cca_labels_meta_get_info (void)
{
  static gsize once = 0;
  static const GstMetaInfo *registered = NULL;

  if (g_once_init_enter (&once)) {
    GstMetaInfo *info = gst_meta_info_new (GST_CCA_LABELS_META_API_TYPE,
        "GstCcaLabelsMeta", sizeof (GstCcaLabelsMeta));

    info->init_func = gst_cca_labels_meta_init;
    info->free_func = gst_cca_labels_meta_free;
    info->clear_func = gst_cca_labels_meta_clear;
    info->transform_func = gst_cca_labels_meta_transform;
    registered = gst_meta_info_register (info);
    g_once_init_leave (&once, 1);
  }

  return registered;
}

/* Reads the size and the bits of a pixel from the video meta of the picture.
 * Returns FALSE if the picture has another format or does not fit into its
 * buffer. */
gboolean
gst_cca_picture_describe (GstBuffer *picture, guint *width, guint *height,
    guint *bits)
{
  const GstVideoMeta *video = gst_buffer_get_video_meta (picture);
  guint64 row, end;

  if (video == NULL
      || (video->format != GST_VIDEO_FORMAT_GRAY8
          && video->format != GST_VIDEO_FORMAT_GRAY16_LE))
    return FALSE;
  *width = video->width;
  *height = video->height;
  *bits = video->format == GST_VIDEO_FORMAT_GRAY8 ? 8 : 16;

  if (*width < 1 || *width > G_MAXINT || *height < 1 || *height > G_MAXINT)
    return FALSE;
  row = (guint64) *width * (*bits / 8);
  if (video->stride[0] < 0 || (guint64) video->stride[0] < row)
    return FALSE;
  end = (guint64) video->stride[0] * (*height - 1) + row;

  return video->offset[0] <= G_MAXINT64
      && video->offset[0] + end <= gst_buffer_get_size (picture);
}

/**
 * gst_buffer_add_cca_labels_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @picture: (transfer none): the label image: a #GstBuffer with a #GstVideoMeta
 *   that has its size and layout. The format is GRAY8 or GRAY16_LE, and the
 *   stride is positive. @picture is shared, not copied, and must not be changed
 *   afterwards.
 * @n_labels: n_found of the #GstCcaMeta of the same analysis, which is the
 *   maximum pixel value: at most 255 for GRAY8, 65535 for GRAY16_LE
 *
 * Attaches the label image of a frame. Pixel values are not checked. The label
 * image belongs to the #GstCcaMeta of @buffer with the same size and @n_labels.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaLabelsMeta *
gst_buffer_add_cca_labels_meta (GstBuffer *buffer, GstBuffer *picture,
    guint n_labels)
{
  GstCcaLabelsMeta labels = {.picture = picture, .n_labels = n_labels};

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (GST_IS_BUFFER (picture), NULL);
  g_return_val_if_fail (picture != buffer, NULL);
  g_return_val_if_fail (gst_cca_picture_describe (picture, &labels.width,
                            &labels.height, &labels.depth),
      NULL);
  g_return_val_if_fail (n_labels < 1u << labels.depth, NULL);
  g_return_val_if_fail (n_labels <= (guint64) labels.width * labels.height,
      NULL);

  return attach (buffer, &labels);
}

/**
 * gst_buffer_get_cca_labels_meta:
 * @buffer: (transfer none): a #GstBuffer
 *
 * Gets the first label image of a buffer.
 *
 * Returns: (transfer none) (nullable): the first #GstCcaLabelsMeta of @buffer,
 *   or %NULL if it has none
 */
GstCcaLabelsMeta *
gst_buffer_get_cca_labels_meta (GstBuffer *buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaLabelsMeta *) gst_buffer_get_meta (buffer,
      GST_CCA_LABELS_META_API_TYPE);
}

/**
 * gst_cca_labels_meta_get_picture:
 * @meta: a #GstCcaLabelsMeta
 *
 * Gets the label image. It must not be written to. It may be in CUDA memory,
 * and its rows may be padded: use its #GstVideoMeta.
 *
 * Returns: (transfer none): the label image, owned by @meta
 */
GstBuffer *
gst_cca_labels_meta_get_picture (const GstCcaLabelsMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return meta->picture;
}

/**
 * gst_cca_labels_meta_get_width:
 * @meta: a #GstCcaLabelsMeta
 *
 * Gets the width of the label image.
 *
 * Returns: the width in pixels, which is that of the analysed picture
 */
guint
gst_cca_labels_meta_get_width (const GstCcaLabelsMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->width;
}

/**
 * gst_cca_labels_meta_get_height:
 * @meta: a #GstCcaLabelsMeta
 *
 * Gets the height of the label image.
 *
 * Returns: the height in pixels, which is that of the analysed picture
 */
guint
gst_cca_labels_meta_get_height (const GstCcaLabelsMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->height;
}

/**
 * gst_cca_labels_meta_get_depth:
 * @meta: a #GstCcaLabelsMeta
 *
 * Gets the size of a label.
 *
 * Returns: bits per label in the label image: 8 or 16
 */
guint
gst_cca_labels_meta_get_depth (const GstCcaLabelsMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->depth;
}

/**
 * gst_cca_labels_meta_get_n_labels:
 * @meta: a #GstCcaLabelsMeta
 *
 * Gets the number of components in the label image. Their labels are 1 to this
 * number, inclusive.
 *
 * Returns: the number of components in the label image
 */
guint
gst_cca_labels_meta_get_n_labels (const GstCcaLabelsMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->n_labels;
}

/**
 * gst_cca_labels_meta_get_cca_meta:
 * @meta: a #GstCcaLabelsMeta of @buffer
 * @buffer: (transfer none): a #GstBuffer
 *
 * Gets the #GstCcaMeta that the label image belongs to, as several elements may
 * have analysed the frame.
 *
 * Returns: (transfer none) (nullable): the first #GstCcaMeta of @buffer with
 *   the same picture size and number of components, or %NULL if there is none
 */
GstCcaMeta *
gst_cca_labels_meta_get_cca_meta (const GstCcaLabelsMeta *meta,
    GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *other;

  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((other = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaAnalysis *analysis = &((GstCcaMeta *) other)->analysis;

    if (analysis->width == meta->width && analysis->height == meta->height
        && analysis->n_found == meta->n_labels)
      return (GstCcaMeta *) other;
  }

  return NULL;
}

/* Labels are read by bytes because rows may start at odd addresses. */
static guint16
read_label (const guint8 *row, gsize x, guint depth)
{
  return depth == 8 ? row[x] : row[2 * x] | row[2 * x + 1] << 8;
}

/**
 * gst_cca_labels_meta_get_rows:
 * @meta: a #GstCcaLabelsMeta
 * @y: the first row, from 0
 * @n_rows: number of rows, at least 1
 *
 * Copies rows of the label image, without padding and with 16 bits per label
 * in native byte order, whatever the format of the image. For an image in CUDA
 * memory the call blocks until the image is complete.
 *
 * Returns: (transfer full) (nullable): width * @n_rows values of #guint16, or
 *   %NULL if the rows are outside the image or cannot be read
 */
GBytes *
gst_cca_labels_meta_get_rows (const GstCcaLabelsMeta *meta, guint y,
    guint n_rows)
{
  GstVideoMeta *video;
  GstMapInfo map;
  guint8 *data;
  guint16 *rows;
  gint stride;
  guint x, i;

  g_return_val_if_fail (meta != NULL, NULL);

  if (y >= meta->height || n_rows < 1 || n_rows > meta->height - y)
    return NULL;
  video = gst_buffer_get_video_meta (meta->picture);
  if (!gst_video_meta_map (video, 0, &map, (gpointer *) &data, &stride,
          GST_MAP_READ))
    return NULL;

  rows = g_new (guint16, (gsize) meta->width * n_rows);
  for (i = 0; i < n_rows; i++) {
    const guint8 *row = data + (gsize) stride * (y + i);

    for (x = 0; x < meta->width; x++)
      rows[(gsize) i * meta->width + x] = read_label (row, x, meta->depth);
  }
  gst_video_meta_unmap (video, 0, &map);

  return g_bytes_new_take (rows, (gsize) meta->width * n_rows * sizeof (*rows));
}

/**
 * gst_cca_labels_meta_get_label:
 * @meta: a #GstCcaLabelsMeta
 * @x: column from 0, in pixels of the analysed picture
 * @y: row from 0
 * @label: (out): id of the component of the pixel, 0 for the background;
 *   unchanged on failure
 *
 * Gets the label of a pixel. To read many pixels use
 * gst_cca_labels_meta_get_rows(), which is faster.
 *
 * Returns: %TRUE on success; %FALSE if the pixel is outside the image or
 *   cannot be read
 */
gboolean
gst_cca_labels_meta_get_label (const GstCcaLabelsMeta *meta, guint x, guint y,
    guint *label)
{
  GBytes *row;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (label != NULL, FALSE);

  if (x >= meta->width)
    return FALSE;
  row = gst_cca_labels_meta_get_rows (meta, y, 1);
  if (row == NULL)
    return FALSE;

  *label = ((const guint16 *) g_bytes_get_data (row, NULL))[x];
  g_bytes_unref (row);

  return TRUE;
}
