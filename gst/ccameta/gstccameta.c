/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/**
 * SECTION:gstccameta
 * @title: GstCcaMeta
 * @short_description: the connected components of a video frame
 *
 * A #GstCcaMeta holds the parameters of the analysis of a frame
 * (#GstCcaAnalysis) and a table of the components that were found
 * (#GstCcaComponent). The table is immutable and shared, so the cost of
 * copying a buffer does not depend on the number of components.
 *
 * Coordinates are in pixels of the analysed picture, the reference frame,
 * whose size the meta has. Scalers pass the meta on unchanged, so that scaling
 * twice loses no precision. Use gst_cca_meta_get_component_scaled() to read
 * coordinates in pixels of the current frame.
 *
 * Metas belong to their buffer. Pointers that a function returns with (transfer
 * none) are valid as long as the meta exists.
 */

#include <math.h>
#include <string.h>

#include <gst/video/video.h>

#include "gstccametaprivate.h"

GST_DEBUG_CATEGORY (gst_cca_meta_debug);
#define GST_CAT_DEFAULT gst_cca_meta_debug

static gboolean
gst_cca_meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  GstCcaMeta *self = (GstCcaMeta *) meta;
  const GstCcaAnalysis none = {
    0,
  };

  self->analysis = none;
  self->components = NULL;
  self->par_n = self->par_d = 0;
  self->shapes = NULL;
  self->counts = NULL;
  self->events = NULL;
  self->feature_flags = GST_CCA_FEATURE_FLAG_NONE;
  self->features = NULL;

  return TRUE;
}

static void
gst_cca_meta_reset (GstCcaMeta *self)
{
  const GstCcaAnalysis none = {
    0,
  };

  self->analysis = none;
  g_clear_pointer (&self->components, g_bytes_unref);
  self->par_n = self->par_d = 0;
  g_clear_pointer (&self->shapes, gst_cca_shapes_unref);
  g_clear_pointer (&self->counts, g_bytes_unref);
  g_clear_pointer (&self->events, g_ptr_array_unref);
  self->feature_flags = GST_CCA_FEATURE_FLAG_NONE;
  g_clear_pointer (&self->features, g_bytes_unref);
}

static void
gst_cca_meta_free (GstMeta *meta, GstBuffer *buffer)
{
  gst_cca_meta_reset ((GstCcaMeta *) meta);
}

static void
gst_cca_meta_clear (GstBuffer *buffer, GstMeta *meta)
{
  gst_cca_meta_reset ((GstCcaMeta *) meta);
}

/**
 * gst_cca_meta_api_get_type:
 *
 * Gets the type of the API. Its only tag is %GST_META_TAG_VIDEO_STR, with which
 * elements that convert or scale video pass the meta on.
 *
 * Returns: the type of the meta's API, "GstCcaMetaAPI"
 */
GType
gst_cca_meta_api_get_type (void)
{
  static gsize type = 0;
  static const gchar *tags[] = {GST_META_TAG_VIDEO_STR, NULL};

  if (g_once_init_enter (&type)) {
    GType new_type = gst_meta_api_type_register ("GstCcaMetaAPI", tags);

    g_once_init_leave (&type, new_type);
  }

  return type;
}

/**
 * gst_cca_meta_get_info:
 *
 * Registers the meta on the first call. It may be called from any thread. A
 * process that receives serialised metas must call it before the first buffer
 * arrives, or load a plugin that does.
 *
 * Returns: (transfer none): the meta's #GstMetaInfo
 */
const GstMetaInfo *
gst_cca_meta_get_info (void)
{
  static gsize once = 0;
  static const GstMetaInfo *registered = NULL;

  if (g_once_init_enter (&once)) {
    GstMetaInfo *info = gst_meta_info_new (GST_CCA_META_API_TYPE, "GstCcaMeta",
        sizeof (GstCcaMeta));

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
gst_cca_meta_attach_full (GstBuffer *buffer, const GstCcaAnalysis *analysis,
    GBytes *components, guint par_n, guint par_d)
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
gst_cca_meta_attach (GstBuffer *buffer, const GstCcaAnalysis *analysis,
    GBytes *components)
{
  return gst_cca_meta_attach_full (buffer, analysis, components, 0, 0);
}

/**
 * gst_buffer_add_cca_meta:
 * @buffer: (transfer none): a writable #GstBuffer
 * @analysis: parameters of the analysis. Width and height are 1 to %G_MAXINT,
 *   connectivity is 4 or 8, depth 0 to 16, and n_found at least the number of
 *   records and at most the number of pixels.
 * @components: (nullable) (transfer none): an aligned array of
 *   #GstCcaComponent; %NULL or empty if there are none. It is shared, not
 *   copied.
 *
 * Attaches the components of a frame. The records are not checked, so the cost
 * does not depend on their number. They must be as #GstCcaComponent describes,
 * with boxes inside the frame and reserved fields set to 0. Use
 * gst_buffer_add_cca_meta_from_components() to have them checked.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaMeta *
gst_buffer_add_cca_meta (GstBuffer *buffer, const GstCcaAnalysis *analysis,
    GBytes *components)
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
                            size / sizeof (GstCcaComponent)),
      NULL);

  return gst_cca_meta_attach (buffer, analysis, components);
}

static gboolean
all_valid (const GstCcaComponent *components, guint n_components,
    const GstCcaAnalysis *analysis)
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
 * @n_components: number of records
 *
 * Checks records and attaches a copy of them. Ids and areas must be at least
 * 1, boxes inside the frame, areas at most those of the boxes, and centroids
 * inside the boxes.
 *
 * Returns: (transfer none) (nullable): the meta, owned by @buffer, or %NULL
 *   if an argument is invalid
 */
GstCcaMeta *
gst_buffer_add_cca_meta_from_components (GstBuffer *buffer,
    const GstCcaAnalysis *analysis, const GstCcaComponent *components,
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
 * Gets the first #GstCcaMeta of a buffer. If several elements analysed the
 * frame, use gst_buffer_iterate_meta_filtered() with %GST_CCA_META_API_TYPE to
 * get all of them.
 *
 * Returns: (transfer none) (nullable): the first #GstCcaMeta of @buffer, or
 *   %NULL if it has none
 */
GstCcaMeta *
gst_buffer_get_cca_meta (GstBuffer *buffer)
{
  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  return (GstCcaMeta *) gst_buffer_get_meta (buffer, GST_CCA_META_API_TYPE);
}

/**
 * gst_cca_meta_get_analysis:
 * @meta: a #GstCcaMeta
 *
 * Gets the parameters of the analysis.
 *
 * Returns: (transfer none): the parameters, owned by @meta
 */
const GstCcaAnalysis *
gst_cca_meta_get_analysis (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, NULL);

  return &meta->analysis;
}

/**
 * gst_cca_meta_get_n_components:
 * @meta: a #GstCcaMeta
 *
 * Gets the number of records. It is less than gst_cca_meta_get_n_found() if the
 * meta is truncated.
 *
 * Returns: the number of records in the meta
 */
guint
gst_cca_meta_get_n_components (const GstCcaMeta *meta)
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
 * Gets the number of components that were found.
 *
 * Returns: the number of components that pass the filters, including those that
 *   the meta has no record of
 */
guint
gst_cca_meta_get_n_found (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, 0);

  return meta->analysis.n_found;
}

/**
 * gst_cca_meta_is_truncated:
 * @meta: a #GstCcaMeta
 *
 * Checks whether the meta leaves out components.
 *
 * Returns: %TRUE if more components were found than the meta has records
 */
gboolean
gst_cca_meta_is_truncated (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, FALSE);

  return gst_cca_meta_get_n_components (meta) < meta->analysis.n_found;
}

/**
 * gst_cca_meta_get_components:
 * @meta: a #GstCcaMeta
 * @n_components: (out): number of records
 *
 * Gets all records, in the order of the meta and in pixels of the reference
 * frame.
 *
 * Returns: (transfer none) (array length=n_components) (nullable): the
 *   records, owned by @meta, or %NULL if there are none
 */
const GstCcaComponent *
gst_cca_meta_get_components (const GstCcaMeta *meta, guint *n_components)
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
 * @index: index of the record, from 0 to the number of records, exclusive
 * @component: (out caller-allocates): the record; unchanged on failure
 *
 * Copies a record, in pixels of the reference frame.
 *
 * Returns: %TRUE on success; %FALSE if @index is out of range
 */
gboolean
gst_cca_meta_get_component (const GstCcaMeta *meta, guint index,
    GstCcaComponent *component)
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
 * @index: index of the record, from 0 to the number of records, exclusive
 * @frame_width: width of the current frame, in pixels; 0: that of the reference
 *   frame
 * @frame_height: height of the current frame; 0: that of the reference frame
 * @component: (out caller-allocates): the record; unchanged on failure
 *
 * Copies a record, in pixels of a frame that was scaled after the analysis:
 *
 * - The box is the smallest one that contains the scaled box (rounded down at
 *   the left and top, up at the right and bottom), inside the frame.
 * - The centroid keeps its position in the picture: (c + 0.5) * scale - 0.5. It
 *   can be less than 0 by up to half a pixel.
 * - The area is scaled and rounded to the nearest integer, halves up. It is at
 *   least 1.
 * - All other fields are unchanged.
 *
 * For the size of the reference frame the record is unchanged, bit for bit.
 *
 * Returns: %TRUE on success; %FALSE if @index is out of range
 */
gboolean
gst_cca_meta_get_component_scaled (const GstCcaMeta *meta, guint index,
    guint frame_width, guint frame_height, GstCcaComponent *component)
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
has_tracks (const GstCcaComponent *components, const gint64 *track_ids,
    const guint64 *zones, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    if (components[i].track_id != track_ids[i]
        || (zones != NULL && components[i].zones != zones[i]))
      return FALSE;
  }

  return TRUE;
}

/**
 * gst_cca_meta_set_tracks:
 * @meta: a #GstCcaMeta of a writable buffer
 * @track_ids: (array length=n) (nullable): the id of each component's track, -1
 *   for a component without a track. May be %NULL if @n is 0
 * @zones: (array length=n) (nullable): the zones of each component, as in
 *   #GstCcaComponent. %NULL: the zones stay as they are
 * @n: number of elements, which must be the number of records
 *
 * Sets the tracks of the components. The records are copied first, so other
 * metas that share them do not change. Records that
 * gst_cca_meta_get_components() returned before are then no longer valid. If
 * the components have these tracks already, nothing is copied.
 *
 * Returns: %TRUE on success; %FALSE if memory runs out, and then nothing
 *   changes
 */
gboolean
gst_cca_meta_set_tracks (GstCcaMeta *meta, const gint64 *track_ids,
    const guint64 *zones, guint n)
{
  GstCcaComponent *copies;
  const GstCcaComponent *components;
  guint i, n_components;

  g_return_val_if_fail (meta != NULL, FALSE);
  components = gst_cca_meta_get_components (meta, &n_components);
  g_return_val_if_fail (n == n_components, FALSE);
  g_return_val_if_fail (track_ids != NULL || n == 0, FALSE);

  if (has_tracks (components, track_ids, zones, n))
    return TRUE;
  copies = g_try_malloc_n (n, sizeof (*copies));
  if (copies == NULL)
    return FALSE;
  memcpy (copies, components, n * sizeof (*copies));
  for (i = 0; i < n; i++) {
    copies[i].track_id = track_ids[i];
    if (zones != NULL)
      copies[i].zones = zones[i];
  }
  g_bytes_unref (meta->components);
  meta->components = g_bytes_new_take (copies, n * sizeof (*copies));

  return TRUE;
}

/**
 * gst_cca_meta_set_track_ids:
 * @meta: a #GstCcaMeta of a writable buffer
 * @track_ids: (array length=n_track_ids) (nullable): the id of each component's
 *   track, -1 for a component without a track
 * @n_track_ids: number of elements, which must be the number of records
 *
 * Sets the track ids of the components, as gst_cca_meta_set_tracks() does
 * without zones.
 *
 * Returns: %TRUE on success; %FALSE if memory runs out, and then nothing
 *   changes
 */
gboolean
gst_cca_meta_set_track_ids (GstCcaMeta *meta, const gint64 *track_ids,
    guint n_track_ids)
{
  return gst_cca_meta_set_tracks (meta, track_ids, NULL, n_track_ids);
}

/**
 * gst_cca_meta_set_pixel_aspect_ratio:
 * @meta: a #GstCcaMeta of a writable buffer
 * @par_n: width of a pixel of the analysed picture, relative to @par_d
 * @par_d: height of a pixel
 *
 * Sets the pixel aspect ratio of the analysed picture, for
 * gst_cca_meta_fits_frame(). It is unknown until it is set.
 */
void
gst_cca_meta_set_pixel_aspect_ratio (GstCcaMeta *meta, guint par_n, guint par_d)
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
 * Gets the pixel aspect ratio of the analysed picture.
 */
void
gst_cca_meta_get_pixel_aspect_ratio (const GstCcaMeta *meta, guint *par_n,
    guint *par_d)
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
 * @frame_width: width of the frame in @buffer, in pixels
 * @frame_height: height of the frame
 * @par_n: width of the frame's pixels, relative to @par_d; 0: unknown
 * @par_d: height of the frame's pixels; 0: unknown
 *
 * Checks whether the frame can be the analysed picture after scaling. A meta
 * cannot tell a crop from a scale. This function therefore compares the display
 * aspect ratios, which scalers keep, and looks for a #GstVideoCropMeta that is
 * smaller than the analysed picture. It does not detect a crop that keeps the
 * aspect ratio.
 *
 * Returns: %FALSE if the frame was cropped, framed, rotated or stretched after
 *   the analysis, so that the coordinates of the meta do not hold for it
 */
gboolean
gst_cca_meta_fits_frame (const GstCcaMeta *meta, GstBuffer *buffer,
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

  /* The tolerance is for scalers, which round sizes, some to even numbers. */
  return fabs (after / before - 1) <= 1.0 / frame_width + 1.0 / frame_height;
}
