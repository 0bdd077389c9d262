/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Conversion of GstCcaMeta and GstCcaLabelsMeta to stock metas of GStreamer. */

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>
#include <math.h>

#include "gstccametaprivate.h"

/* Maximum size of an object detection in a relation meta, in bytes. */
#define OD_MTD_SIZE 64

static GQuark
object_type_quark (const gchar *object_type)
{
  return g_quark_from_string (object_type ? object_type : "component");
}

/**
 * gst_cca_meta_emit_roi:
 * @meta: a #GstCcaMeta, of @buffer or of another buffer
 * @buffer: (transfer none): a writable #GstBuffer
 * @object_type: (nullable): type of the regions; %NULL: "component"
 * @max_objects: maximum number of regions to add
 * @frame_width: width of the frame in @buffer, in pixels; 0: that of the
 *   reference frame
 * @frame_height: height of the frame; 0: that of the reference frame
 *
 * Adds a #GstVideoRegionOfInterestMeta for each of the first @max_objects
 * components. It has the id of the component and a parameter structure "cca"
 * with the fields centroid-x and centroid-y (gdouble) and area (guint64).
 * Boxes, centroids and areas are scaled as by
 * gst_cca_meta_get_component_scaled().
 *
 * Returns: the number of regions added
 */
guint
gst_cca_meta_emit_roi (const GstCcaMeta *meta, GstBuffer *buffer,
    const gchar *object_type, guint max_objects, guint frame_width,
    guint frame_height)
{
  GQuark type;
  guint i, n;

  g_return_val_if_fail (meta != NULL, 0);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), 0);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), 0);

  n = MIN (gst_cca_meta_get_n_components (meta), max_objects);
  type = object_type_quark (object_type);

  for (i = 0; i < n; i++) {
    GstVideoRegionOfInterestMeta *roi;
    GstCcaComponent c;

    gst_cca_meta_get_component_scaled (meta, i, frame_width, frame_height, &c);
    roi = gst_buffer_add_video_region_of_interest_meta_id (buffer, type, c.x,
        c.y, c.width, c.height);
    roi->id = (gint) c.id;
    gst_video_region_of_interest_meta_add_param (roi,
        gst_structure_new ("cca", "centroid-x", G_TYPE_DOUBLE, c.centroid_x,
            "centroid-y", G_TYPE_DOUBLE, c.centroid_y, "area", G_TYPE_UINT64,
            c.area, NULL));
  }

  return n;
}

/* Returns the relation meta of the buffer, as all analysers share one, or adds
 * one with memory for @n objects. */
static GstAnalyticsRelationMeta *
ensure_relation_meta (GstBuffer *buffer, guint n)
{
  GstAnalyticsRelationMeta *relations;
  GstAnalyticsRelationMetaInitParams params = {
    .initial_relation_order = n,
    .initial_buf_size = (gsize) n * OD_MTD_SIZE,
  };

  relations = gst_buffer_get_analytics_relation_meta (buffer);
  if (relations == NULL)
    relations = gst_buffer_add_analytics_relation_meta_full (buffer, &params);

  return relations;
}

/* Adds an object for a component that was scaled. With moments it is the
 * rectangle with the same ones, around the centroid. */
static gboolean
add_object (GstAnalyticsRelationMeta *relations, GQuark type,
    const GstCcaMeta *meta, guint index, const GstCcaComponent *c,
    guint frame_width, guint frame_height)
{
  GstAnalyticsODMtd object;

#if GST_CHECK_VERSION(1, 26, 0)
  const gdouble sx =
      frame_width ? (gdouble) frame_width / meta->analysis.width : 1;
  const gdouble sy =
      frame_height ? (gdouble) frame_height / meta->analysis.height : 1;
  const gdouble most =
      2 * (sx * meta->analysis.width + sy * meta->analysis.height);
  gdouble major, minor, angle;
  GstCcaComponent component;
  GstCcaFeatures features;

  if (meta->feature_flags & GST_CCA_FEATURE_FLAG_MOMENTS) {
    gst_cca_meta_get_component (meta, index, &component);
    gst_cca_meta_get_component_features (meta, index, &features);
    gst_cca_features_get_rectangle (&features, &component, sx, sy, &major,
        &minor, &angle);
    /* Sums of an application may be wrong, and its picture too large: the box is
     * used then. */
    if (most <= G_MAXINT / 2 && major <= most && fabs (c->centroid_x) <= most
        && fabs (c->centroid_y) <= most) {
      const gint width = MAX (floor (major + 0.5), 1);
      const gint height = MAX (floor (minor + 0.5), 1);

      return gst_analytics_relation_meta_add_oriented_od_mtd (relations, type,
          (gint) floor (c->centroid_x - width / 2. + 1),
          (gint) floor (c->centroid_y - height / 2. + 1), width, height, angle,
          1.0f, &object);
    }
  }
#endif

  return gst_analytics_relation_meta_add_od_mtd (relations, type, (gint) c->x,
      (gint) c->y, (gint) c->width, (gint) c->height, 1.0f, &object);
}

/**
 * gst_cca_meta_emit_analytics:
 * @meta: a #GstCcaMeta, of @buffer or of another buffer
 * @buffer: (transfer none): a writable #GstBuffer
 * @object_type: (nullable): type of the objects; %NULL: "component"
 * @max_objects: maximum number of objects to add. A relation meta of n objects
 *   takes n * n bytes.
 * @frame_width: width of the frame in @buffer, in pixels; 0: that of the
 *   reference frame
 * @frame_height: height of the frame; 0: that of the reference frame
 *
 * Adds a GstAnalyticsODMtd with confidence 1.0 for each of the first
 * @max_objects components to the buffer's GstAnalyticsRelationMeta. If the
 * buffer has none, one of the right size is added, unless there are no
 * objects. Boxes are scaled as by gst_cca_meta_get_component_scaled().
 *
 * With %GST_CCA_FEATURE_FLAG_MOMENTS and GStreamer 1.26 the objects are
 * oriented: each is the rectangle with the same second moments, with the major
 * axis as its width. That of an upright rectangle is its box.
 *
 * Returns: the number of objects added, which is less than the number of
 *   components and @max_objects if memory runs out
 */
guint
gst_cca_meta_emit_analytics (const GstCcaMeta *meta, GstBuffer *buffer,
    const gchar *object_type, guint max_objects, guint frame_width,
    guint frame_height)
{
  GstAnalyticsRelationMeta *relations;
  GQuark type;
  guint i, n;

  g_return_val_if_fail (meta != NULL, 0);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), 0);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), 0);

  n = MIN (gst_cca_meta_get_n_components (meta), max_objects);
  if (n == 0)
    return 0;

  relations = ensure_relation_meta (buffer, n);
  if (relations == NULL)
    return 0;

  type = object_type_quark (object_type);
  for (i = 0; i < n; i++) {
    GstCcaComponent c;

    gst_cca_meta_get_component_scaled (meta, i, frame_width, frame_height, &c);
    if (!add_object (relations, type, meta, i, &c, frame_width, frame_height))
      break;
  }

  return i;
}

#if GST_CHECK_VERSION(1, 26, 0)

/* Returns the label image without padding, in system memory: GStreamer's
 * overlay of segmentations takes the stride for the width. */
static GstBuffer *
plain_picture (const GstCcaLabelsMeta *self)
{
  const gsize row = (gsize) self->width * (self->depth / 8);
  GstVideoMeta *video = gst_buffer_get_video_meta (self->picture);
  GstMemory *first = gst_buffer_peek_memory (self->picture, 0);
  GstBuffer *plain;
  GstMapInfo map;
  guint8 *data, *rows;
  gint stride;
  guint y;

  if ((gsize) video->stride[0] == row && video->offset[0] == 0
      && gst_memory_is_type (first, GST_ALLOCATOR_SYSMEM))
    return gst_buffer_ref (self->picture);

  if (!gst_video_meta_map (video, 0, &map, (gpointer *) &data, &stride,
          GST_MAP_READ))
    return NULL;
  rows = g_malloc (row * self->height);
  for (y = 0; y < self->height; y++)
    memcpy (rows + row * y, data + (gsize) stride * y, row);
  gst_video_meta_unmap (video, 0, &map);

  plain = gst_buffer_new_wrapped (rows, row * self->height);
  gst_buffer_add_video_meta_full (plain, GST_VIDEO_FRAME_FLAG_NONE,
      video->format, self->width, self->height, 1, (gsize[4]) {0},
      (gint[4]) {row});

  return plain;
}

static gboolean
add_segmentation (GstBuffer *buffer, GstBuffer *plain, guint n_labels,
    guint frame_width, guint frame_height)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsSegmentationMtd segmentation;
  guint *ids;
  gboolean added;
  guint i;

  if (relations == NULL)
    relations = gst_buffer_add_analytics_relation_meta (buffer);

  ids = g_new (guint, n_labels + 1);
  for (i = 0; i <= n_labels; i++)
    ids[i] = i;
  added = gst_analytics_relation_meta_add_segmentation_mtd (relations, plain,
      GST_SEGMENTATION_TYPE_INSTANCE, n_labels + 1, ids, 0, 0, frame_width,
      frame_height, &segmentation);
  g_free (ids);

  return added;
}

#endif /* GST_CHECK_VERSION (1, 26, 0) */

/**
 * gst_cca_labels_meta_emit_segmentation:
 * @meta: a #GstCcaLabelsMeta, of @buffer or of another buffer
 * @buffer: (transfer none): a writable #GstBuffer
 * @frame_width: width of the frame in @buffer, in pixels; 0: that of the label
 *   image
 * @frame_height: height of the frame; 0: that of the label image
 *
 * Adds an instance segmentation of the whole frame to the buffer's
 * GstAnalyticsRelationMeta, which is added if there is none. Region 0 is the
 * background, and the region of each label has the label as its index and its
 * id. The mask is the label image itself if that is in system memory and not
 * padded, otherwise a copy.
 *
 * This needs GStreamer 1.26.
 *
 * Returns: %TRUE on success; %FALSE if the label image cannot be read, or if
 *   the library was built with an older GStreamer
 */
gboolean
gst_cca_labels_meta_emit_segmentation (const GstCcaLabelsMeta *meta,
    GstBuffer *buffer, guint frame_width, guint frame_height)
{
  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), FALSE);

#if GST_CHECK_VERSION(1, 26, 0)
  {
    GstBuffer *plain = plain_picture (meta);

    if (plain == NULL)
      return FALSE;
    return add_segmentation (buffer, plain, meta->n_labels,
        frame_width ? frame_width : meta->width,
        frame_height ? frame_height : meta->height);
  }
#else
  return FALSE;
#endif
}
