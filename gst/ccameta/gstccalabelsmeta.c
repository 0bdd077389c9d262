/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccalabelsmeta
 * @title: GstCcaLabelsMeta
 * @short_description: which component each pixel of a video frame belongs to
 *
 * A #GstCcaLabelsMeta holds a picture, the label image: the value of a pixel is
 * the id of its component, as in the #GstCcaComponent of that id, and 0 where
 * there is none or where a filter took the component away. The picture is a
 * #GstBuffer with a #GstVideoMeta, GRAY8 or GRAY16_LE, in system memory or in
 * CUDA memory. It is shared by all copies of the video buffer and must not be
 * written to.
 *
 * It has the size of the analysed picture. A scaler does not touch it.
 */

#include <gst/video/video.h>

#include "gstccametaprivate.h"

static gboolean
gst_cca_labels_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstCcaLabelsMeta *self = (GstCcaLabelsMeta *) meta;

  self->picture = NULL;
  self->width = self->height = self->depth = 0;
  self->n_labels = 0;

  return TRUE;
}

static void
gst_cca_labels_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  gst_clear_buffer (&((GstCcaLabelsMeta *) meta)->picture);
}

static void
gst_cca_labels_meta_clear (GstBuffer * buffer, GstMeta * meta)
{
  gst_cca_labels_meta_free (meta, buffer);
  gst_cca_labels_meta_init (meta, NULL, buffer);
}

static GstCcaLabelsMeta *
attach (GstBuffer * buffer, const GstCcaLabelsMeta * from)
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

/* As gst_cca_meta_transform(), but for GStreamer's matrix: a picture cannot be
 * moved in passing, and one in the wrong place is worse than none. */
static gboolean
gst_cca_labels_meta_transform (GstBuffer * dest, GstMeta * meta,
    GstBuffer * buffer, GQuark type, gpointer data)
{
  if (GST_META_TRANSFORM_IS_COPY (type)
      || GST_VIDEO_META_TRANSFORM_IS_SCALE (type))
    return attach (dest, (GstCcaLabelsMeta *) meta) != NULL;

  return FALSE;
}

/**
 * gst_cca_labels_meta_api_get_type:
 *
 * Its only tag is %GST_META_TAG_VIDEO_STR, as that of
 * gst_cca_meta_api_get_type().
 *
 * Returns: the type of the meta's API, "GstCcaLabelsMetaAPI"
 */
GType
gst_cca_labels_meta_api_get_type (void)
{
  static gsize type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, NULL };

  if (g_once_init_enter (&type)) {
    GType new_type = gst_meta_api_type_register ("GstCcaLabelsMetaAPI", tags);

    g_once_init_leave (&type, new_type);
  }

  return type;
}

/**
 * gst_cca_labels_meta_get_info:
 *
 * Registers the meta on the first call; may be called from any thread. The meta
 * is not serialised: it does not reach other processes.
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

/* Reads the size from the picture's meta. */
static gboolean
describe (GstCcaLabelsMeta * self)
{
  const GstVideoMeta *video = gst_buffer_get_video_meta (self->picture);
  guint64 row, end;

  if (video == NULL || (video->format != GST_VIDEO_FORMAT_GRAY8
          && video->format != GST_VIDEO_FORMAT_GRAY16_LE))
    return FALSE;
  self->width = video->width;
  self->height = video->height;
  self->depth = video->format == GST_VIDEO_FORMAT_GRAY8 ? 8 : 16;

  if (self->width < 1 || self->width > G_MAXINT
      || self->height < 1 || self->height > G_MAXINT)
    return FALSE;
  row = (guint64) self->width * (self->depth / 8);
  if (video->stride[0] < 0 || (guint64) video->stride[0] < row)
    return FALSE;
  end = (guint64) video->stride[0] * (self->height - 1) + row;

  return video->offset[0] <= G_MAXINT64
      && video->offset[0] + end <= gst_buffer_get_size (self->picture);
}

/**
 * gst_buffer_add_cca_labels_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @picture: (transfer none): the label image, a #GstBuffer with a #GstVideoMeta
 *   that tells its size and layout: GRAY8 or GRAY16_LE, rows not upside down.
 *   It is shared, not copied, and must not be changed any more.
 * @n_labels: n_found of the #GstCcaMeta of the same analysis, which is the
 *   greatest value that the picture may have: at most 255 in GRAY8, 65535 in
 *   GRAY16_LE
 *
 * Attaches the label image of a frame. The pixels are trusted. By the size and
 * @n_labels it is known which #GstCcaMeta it belongs to.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaLabelsMeta *
gst_buffer_add_cca_labels_meta (GstBuffer * buffer, GstBuffer * picture,
    guint n_labels)
{
  GstCcaLabelsMeta labels = {.picture = picture,.n_labels = n_labels };

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (GST_IS_BUFFER (picture), NULL);
  g_return_val_if_fail (picture != buffer, NULL);
  g_return_val_if_fail (describe (&labels), NULL);
  g_return_val_if_fail (n_labels < 1u << labels.depth, NULL);
  g_return_val_if_fail (n_labels <= (guint64) labels.width * labels.height,
      NULL);

  return attach (buffer, &labels);
}

/**
 * gst_buffer_get_cca_labels_meta:
 * @buffer: (transfer none): a #GstBuffer
 *
 * Returns: (transfer none) (nullable): the (first) #GstCcaLabelsMeta of
 *   @buffer, or %NULL if it has none
 */
GstCcaLabelsMeta *
gst_buffer_get_cca_labels_meta (GstBuffer * buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaLabelsMeta *) gst_buffer_get_meta (buffer,
      GST_CCA_LABELS_META_API_TYPE);
}

/**
 * gst_cca_labels_meta_get_picture:
 * @meta: a #GstCcaLabelsMeta
 *
 * Returns: (transfer none): the label image, to be read only. It may be in CUDA
 *   memory, and its rows may be padded: its #GstVideoMeta tells.
 */
GstBuffer *
gst_cca_labels_meta_get_picture (const GstCcaLabelsMeta * meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return meta->picture;
}

/**
 * gst_cca_labels_meta_get_width:
 * @meta: a #GstCcaLabelsMeta
 *
 * Returns: width of the label image in pixels, which is that of the analysed
 *   picture
 */
guint
gst_cca_labels_meta_get_width (const GstCcaLabelsMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->width;
}

/**
 * gst_cca_labels_meta_get_height:
 * @meta: a #GstCcaLabelsMeta
 *
 * Returns: height of the label image
 */
guint
gst_cca_labels_meta_get_height (const GstCcaLabelsMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->height;
}

/**
 * gst_cca_labels_meta_get_depth:
 * @meta: a #GstCcaLabelsMeta
 *
 * Returns: bits of a label in the label image: 8 or 16
 */
guint
gst_cca_labels_meta_get_depth (const GstCcaLabelsMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->depth;
}

/**
 * gst_cca_labels_meta_get_n_labels:
 * @meta: a #GstCcaLabelsMeta
 *
 * Returns: the number of components that have pixels in the label image; their
 *   labels are 1 to this
 */
guint
gst_cca_labels_meta_get_n_labels (const GstCcaLabelsMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->n_labels;
}

/**
 * gst_cca_labels_meta_get_cca_meta:
 * @meta: a #GstCcaLabelsMeta of @buffer
 * @buffer: (transfer none): a #GstBuffer
 *
 * Several analysers may have worked on a frame.
 *
 * Returns: (transfer none) (nullable): the (first) #GstCcaMeta of @buffer with
 *   as many components in a picture of the same size, or %NULL if it has none
 */
GstCcaMeta *
gst_cca_labels_meta_get_cca_meta (const GstCcaLabelsMeta * meta,
    GstBuffer * buffer)
{
  gpointer state = NULL;
  GstMeta *other;

  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((other = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE)) != NULL) {
    const GstCcaAnalysis *analysis = &((GstCcaMeta *) other)->analysis;

    if (analysis->width == meta->width && analysis->height == meta->height
        && analysis->n_found == meta->n_labels)
      return (GstCcaMeta *) other;
  }

  return NULL;
}

/* By bytes: rows may start at odd addresses. */
static guint16
read_label (const guint8 * row, gsize x, guint depth)
{
  return depth == 8 ? row[x] : row[2 * x] | row[2 * x + 1] << 8;
}

/**
 * gst_cca_labels_meta_get_rows:
 * @meta: a #GstCcaLabelsMeta
 * @y: the first row
 * @n_rows: how many, at least 1
 *
 * Copies rows of the label image, without padding and with 16 bits a label in
 * the byte order of the machine, whatever the image has. If it is in CUDA
 * memory this waits for it.
 *
 * Returns: (transfer full) (nullable): width * @n_rows values of #guint16, or
 *   %NULL if there are no such rows or they cannot be read
 */
GBytes *
gst_cca_labels_meta_get_rows (const GstCcaLabelsMeta * meta, guint y,
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
  if (!gst_video_meta_map (video, 0, &map, (gpointer *) & data, &stride,
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
 * @x: column, in pixels of the analysed picture
 * @y: row
 * @label: (out): id of the component that the pixel belongs to, 0 if it belongs
 *   to none; untouched on failure
 *
 * Gives the label of one pixel. Whoever wants many asks for rows.
 *
 * Returns: %FALSE if there is no such pixel or it cannot be read
 */
gboolean
gst_cca_labels_meta_get_label (const GstCcaLabelsMeta * meta, guint x, guint y,
    guint * label)
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
