/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccameta
 * @title: GstCcaMeta
 * @short_description: the connected components of a video frame
 *
 * A #GstCcaMeta holds how a frame was analysed (#GstCcaAnalysis) and a table
 * of what was found (#GstCcaComponent). The table is immutable and shared: a
 * copy of a buffer costs nothing per component.
 *
 * Coordinates are in pixels of the analysed picture, whose size the meta
 * carries. A scaler does not touch them; whoever reads them asks for the size
 * of the frame at hand with gst_cca_meta_get_component_scaled(), so that
 * nothing is lost by scaling twice.
 *
 * Metas belong to their buffer. What an accessor returns with (transfer none)
 * is valid as long as the meta is.
 */

#include <math.h>
#include <string.h>

#include <gst/video/video.h>

#include "gstccametaprivate.h"

GST_DEBUG_CATEGORY (gst_cca_meta_debug);
#define GST_CAT_DEFAULT gst_cca_meta_debug

static gboolean
gst_cca_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstCcaMeta *self = (GstCcaMeta *) meta;
  const GstCcaAnalysis none = { 0, };

  self->analysis = none;
  self->components = NULL;
  self->par_n = self->par_d = 0;

  return TRUE;
}

static void
gst_cca_meta_reset (GstCcaMeta * self)
{
  const GstCcaAnalysis none = { 0, };

  self->analysis = none;
  g_clear_pointer (&self->components, g_bytes_unref);
  self->par_n = self->par_d = 0;
}

static void
gst_cca_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  gst_cca_meta_reset ((GstCcaMeta *) meta);
}

static void
gst_cca_meta_clear (GstBuffer * buffer, GstMeta * meta)
{
  gst_cca_meta_reset ((GstCcaMeta *) meta);
}

/**
 * gst_cca_meta_api_get_type:
 *
 * Its only tag is %GST_META_TAG_VIDEO_STR: elements that convert or scale
 * pass such metas on.
 *
 * Returns: the type of the meta's API, "GstCcaMetaAPI"
 */
GType
gst_cca_meta_api_get_type (void)
{
  static gsize type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, NULL };

  if (g_once_init_enter (&type)) {
    GType new_type = gst_meta_api_type_register ("GstCcaMetaAPI", tags);

    g_once_init_leave (&type, new_type);
  }

  return type;
}

/**
 * gst_cca_meta_get_info:
 *
 * Registers the meta on the first call; may be called from any thread. A
 * process that receives serialised metas must call it, or load a plugin that
 * does, before the first buffer arrives.
 *
 * Returns: (transfer none): the meta's #GstMetaInfo
 */
const GstMetaInfo *
gst_cca_meta_get_info (void)
{
  static gsize once = 0;
  static const GstMetaInfo *registered = NULL;

  if (g_once_init_enter (&once)) {
    GstMetaInfo *info = gst_meta_info_new (GST_CCA_META_API_TYPE,
        "GstCcaMeta", sizeof (GstCcaMeta));

    GST_DEBUG_CATEGORY_INIT (gst_cca_meta_debug, "ccameta", 0,
        "connected-component meta");
    info->init_func = gst_cca_meta_init;
    info->free_func = gst_cca_meta_free;
    info->clear_func = gst_cca_meta_clear;
    info->transform_func = gst_cca_meta_transform;
    info->serialize_func = gst_cca_meta_serialize;
    info->deserialize_func = gst_cca_meta_deserialize;
    registered = gst_meta_info_register (info);
    g_once_init_leave (&once, 1);
  }

  return registered;
}

GstCcaMeta *
gst_cca_meta_attach_full (GstBuffer * buffer, const GstCcaAnalysis * analysis,
    GBytes * components, guint par_n, guint par_d)
{
  GstCcaMeta *meta;

  meta = (GstCcaMeta *) gst_buffer_add_meta (buffer, GST_CCA_META_INFO, NULL);
  if (meta == NULL)
    return NULL;

  meta->analysis = *analysis;
  if (components != NULL && g_bytes_get_size (components) > 0)
    meta->components = g_bytes_ref (components);
  meta->par_n = par_n;
  meta->par_d = par_d;

  return meta;
}

GstCcaMeta *
gst_cca_meta_attach (GstBuffer * buffer, const GstCcaAnalysis * analysis,
    GBytes * components)
{
  return gst_cca_meta_attach_full (buffer, analysis, components, 0, 0);
}

/**
 * gst_buffer_add_cca_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @analysis: how the frame was analysed; width and height from 1 to
 *   %G_MAXINT, connectivity 4 or 8, depth 0 to 16, n_found at least the number
 *   of records and at most the number of pixels
 * @components: (nullable) (transfer none): an array of #GstCcaComponent,
 *   aligned as such; %NULL or empty if there are none. It is shared, not
 *   copied.
 *
 * Attaches the components of a frame. The records themselves are trusted, so
 * that the cost does not depend on their number: they should be as
 * #GstCcaComponent describes, with boxes inside the frame. Reserved fields
 * are 0.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaMeta *
gst_buffer_add_cca_meta (GstBuffer * buffer, const GstCcaAnalysis * analysis,
    GBytes * components)
{
  gsize size = 0;
  gconstpointer data = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (analysis != NULL, NULL);

  if (components != NULL)
    data = g_bytes_get_data (components, &size);

  g_return_val_if_fail (size % sizeof (GstCcaComponent) == 0, NULL);
  g_return_val_if_fail ((guintptr) data % G_ALIGNOF (GstCcaComponent) == 0,
      NULL);
  g_return_val_if_fail (gst_cca_analysis_is_valid (analysis,
          size / sizeof (GstCcaComponent)), NULL);

  return gst_cca_meta_attach (buffer, analysis, components);
}

static gboolean
all_valid (const GstCcaComponent * components, guint n_components,
    const GstCcaAnalysis * analysis)
{
  guint i;

  for (i = 0; i < n_components; i++) {
    if (!gst_cca_component_is_valid (&components[i], analysis))
      return FALSE;
  }

  return TRUE;
}

/**
 * gst_buffer_add_cca_meta_from_components:
 * @buffer: (transfer none): a writable #GstBuffer
 * @analysis: as for gst_buffer_add_cca_meta()
 * @components: (array length=n_components) (nullable): the records
 * @n_components: how many
 *
 * Attaches copies of some records, after a check of each: ids and areas are at
 * least 1, boxes lie inside the frame, areas and centroids inside the boxes.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaMeta *
gst_buffer_add_cca_meta_from_components (GstBuffer * buffer,
    const GstCcaAnalysis * analysis, const GstCcaComponent * components,
    guint n_components)
{
  GstCcaMeta *meta;
  GBytes *bytes;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (analysis != NULL, NULL);
  g_return_val_if_fail (components != NULL || n_components == 0, NULL);
  g_return_val_if_fail (gst_cca_analysis_is_valid (analysis, n_components),
      NULL);
  g_return_val_if_fail (all_valid (components, n_components, analysis), NULL);

  bytes = g_bytes_new (components, n_components * sizeof (GstCcaComponent));
  meta = gst_cca_meta_attach (buffer, analysis, bytes);
  g_bytes_unref (bytes);

  return meta;
}

/**
 * gst_buffer_get_cca_meta:
 * @buffer: (transfer none): a #GstBuffer
 *
 * If several analysers worked on the frame, this is the meta of the first;
 * gst_buffer_iterate_meta_filtered() with %GST_CCA_META_API_TYPE gives all.
 *
 * Returns: (transfer none) (nullable): the #GstCcaMeta of @buffer, or %NULL if
 *   it has none
 */
GstCcaMeta *
gst_buffer_get_cca_meta (GstBuffer * buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaMeta *) gst_buffer_get_meta (buffer, GST_CCA_META_API_TYPE);
}

/**
 * gst_cca_meta_get_analysis:
 * @meta: a #GstCcaMeta
 *
 * Returns: (transfer none): how the frame was analysed
 */
const GstCcaAnalysis *
gst_cca_meta_get_analysis (const GstCcaMeta * meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return &meta->analysis;
}

/**
 * gst_cca_meta_get_n_components:
 * @meta: a #GstCcaMeta
 *
 * Returns: the number of records in the meta
 */
guint
gst_cca_meta_get_n_components (const GstCcaMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  if (meta->components == NULL)
    return 0;

  return g_bytes_get_size (meta->components) / sizeof (GstCcaComponent);
}

/**
 * gst_cca_meta_get_n_found:
 * @meta: a #GstCcaMeta
 *
 * Returns: the number of components that pass the filters, delivered or not
 */
guint
gst_cca_meta_get_n_found (const GstCcaMeta * meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->analysis.n_found;
}

/**
 * gst_cca_meta_is_truncated:
 * @meta: a #GstCcaMeta
 *
 * Returns: %TRUE if more components were found than the meta has records
 */
gboolean
gst_cca_meta_is_truncated (const GstCcaMeta * meta)
{
  g_return_val_if_fail (meta != NULL, FALSE);

  return gst_cca_meta_get_n_components (meta) < meta->analysis.n_found;
}

/**
 * gst_cca_meta_get_components:
 * @meta: a #GstCcaMeta
 * @n_components: (out): number of records
 *
 * Gives all records at once, in the order in which they were delivered and in
 * pixels of the reference frame.
 *
 * Returns: (transfer none) (array length=n_components) (nullable): the
 *   records, %NULL if there are none
 */
const GstCcaComponent *
gst_cca_meta_get_components (const GstCcaMeta * meta, guint * n_components)
{
  g_return_val_if_fail (n_components != NULL, NULL);
  *n_components = 0;
  g_return_val_if_fail (meta != NULL, NULL);

  if (meta->components == NULL)
    return NULL;

  *n_components = gst_cca_meta_get_n_components (meta);

  return g_bytes_get_data (meta->components, NULL);
}

/**
 * gst_cca_meta_get_component:
 * @meta: a #GstCcaMeta
 * @index: from 0 to the number of records, exclusive
 * @component: (out caller-allocates): the record, untouched if there is none
 *
 * Gives one record, in pixels of the reference frame.
 *
 * Returns: %TRUE if there is such a record
 */
gboolean
gst_cca_meta_get_component (const GstCcaMeta * meta, guint index,
    GstCcaComponent * component)
{
  const GstCcaComponent *components;
  guint n_components;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (component != NULL, FALSE);

  components = gst_cca_meta_get_components (meta, &n_components);
  if (index >= n_components)
    return FALSE;

  *component = components[index];

  return TRUE;
}

/**
 * gst_cca_meta_get_component_scaled:
 * @meta: a #GstCcaMeta
 * @index: from 0 to the number of records, exclusive
 * @frame_width: of the frame that the coordinates are wanted for, in pixels;
 *   0: as the reference frame
 * @frame_height: of the frame; 0: as the reference frame
 * @component: (out caller-allocates): the record, untouched if there is none
 *
 * Gives one record in pixels of a frame that was scaled since the analysis:
 *
 * - the box is the smallest one that contains the scaled box (rounded down at
 *   the left and top, up at the right and bottom), inside the frame;
 * - the centroid keeps its place in the picture: (c + 0.5) * scale - 0.5. It
 *   may therefore be less than 0 by up to half a pixel;
 * - the area is scaled and rounded to the nearest integer, halves up, but is
 *   at least 1;
 * - the rest is as in the record.
 *
 * For the reference size this is the record, bit for bit.
 *
 * Returns: %TRUE if there is such a record
 */
gboolean
gst_cca_meta_get_component_scaled (const GstCcaMeta * meta, guint index,
    guint frame_width, guint frame_height, GstCcaComponent * component)
{
  const GstCcaComponent *components;
  guint n_components;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (component != NULL, FALSE);

  components = gst_cca_meta_get_components (meta, &n_components);
  if (index >= n_components)
    return FALSE;

  gst_cca_component_scale (&components[index], &meta->analysis, frame_width,
      frame_height, component);

  return TRUE;
}

static gboolean
has_track_ids (const GstCcaComponent * components, const gint64 * track_ids,
    guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    if (components[i].track_id != track_ids[i])
      return FALSE;
  }

  return TRUE;
}

/**
 * gst_cca_meta_set_track_ids:
 * @meta: a #GstCcaMeta of a writable buffer
 * @track_ids: (array length=n_track_ids) (nullable): the identity of each
 *   component across frames, -1 where it has none
 * @n_track_ids: the number of records
 *
 * Gives the components identities, in copies of the records: metas that share
 * them keep theirs. What was got from this meta is no longer valid then. If the
 * components have these identities already, nothing changes.
 *
 * Returns: %FALSE if there was no memory, and nothing has changed
 */
gboolean
gst_cca_meta_set_track_ids (GstCcaMeta * meta, const gint64 * track_ids,
    guint n_track_ids)
{
  GstCcaComponent *copies;
  const GstCcaComponent *components;
  guint i, n;

  g_return_val_if_fail (meta != NULL, FALSE);
  components = gst_cca_meta_get_components (meta, &n);
  g_return_val_if_fail (n_track_ids == n, FALSE);
  g_return_val_if_fail (track_ids != NULL || n == 0, FALSE);

  if (has_track_ids (components, track_ids, n))
    return TRUE;
  copies = g_try_malloc_n (n, sizeof (*copies));
  if (copies == NULL)
    return FALSE;
  memcpy (copies, components, n * sizeof (*copies));
  for (i = 0; i < n; i++)
    copies[i].track_id = track_ids[i];
  g_bytes_unref (meta->components);
  meta->components = g_bytes_new_take (copies, n * sizeof (*copies));

  return TRUE;
}

/**
 * gst_cca_meta_set_pixel_aspect_ratio:
 * @meta: a #GstCcaMeta of a writable buffer
 * @par_n: width of a pixel of the analysed picture, relative to @par_d
 * @par_d: height of a pixel
 *
 * Sets the shape of the analysed picture's pixels, for
 * gst_cca_meta_fits_frame(). It is unknown until it is set.
 */
void
gst_cca_meta_set_pixel_aspect_ratio (GstCcaMeta * meta, guint par_n,
    guint par_d)
{
  g_return_if_fail (meta != NULL);

  meta->par_n = par_n;
  meta->par_d = par_d;
}

/**
 * gst_cca_meta_get_pixel_aspect_ratio:
 * @meta: a #GstCcaMeta
 * @par_n: (out): width of a pixel of the analysed picture, relative to @par_d;
 *   0: unknown
 * @par_d: (out): height of a pixel; 0: unknown
 *
 * Gets the shape of the analysed picture's pixels.
 */
void
gst_cca_meta_get_pixel_aspect_ratio (const GstCcaMeta * meta, guint * par_n,
    guint * par_d)
{
  g_return_if_fail (meta != NULL);
  g_return_if_fail (par_n != NULL && par_d != NULL);

  *par_n = meta->par_n;
  *par_d = meta->par_d;
}

/**
 * gst_cca_meta_fits_frame:
 * @meta: a #GstCcaMeta of @buffer
 * @buffer: (transfer none): a #GstBuffer
 * @frame_width: of the frame in @buffer, in pixels
 * @frame_height: of the frame
 * @par_n: width of the frame's pixels, relative to @par_d; 0: not known
 * @par_d: height of the frame's pixels; 0: not known
 *
 * Tells whether the frame can be the analysed picture, scaled. To a meta a crop
 * looks like a scale: this compares the display aspect ratios, as a scaler
 * keeps it, and looks for a #GstVideoCropMeta that is smaller than the analysed
 * picture. A crop that keeps the aspect ratio is not seen.
 *
 * Returns: %FALSE if the frame was cropped, framed, rotated or stretched since
 *   the analysis, so that its components are elsewhere
 */
gboolean
gst_cca_meta_fits_frame (const GstCcaMeta * meta, GstBuffer * buffer,
    guint frame_width, guint frame_height, guint par_n, guint par_d)
{
  const GstVideoCropMeta *crop;
  const GstCcaAnalysis *analysis;
  gdouble before, after;

  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (frame_width > 0 && frame_height > 0, FALSE);

  analysis = &meta->analysis;
  crop = gst_buffer_get_video_crop_meta (buffer);
  if (crop != NULL)
    return analysis->width <= crop->width && analysis->height <= crop->height;

  before = (gdouble) analysis->width * meta->par_n * frame_height * par_d;
  after = (gdouble) frame_width * par_n * analysis->height * meta->par_d;
  if (before == 0 || after == 0)
    return TRUE;

  /* scalers round sizes, some of them to even numbers */
  return fabs (after / before - 1) <= 1.0 / frame_width + 1.0 / frame_height;
}
