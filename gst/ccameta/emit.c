/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Stock GStreamer metas from a GstCcaMeta. */

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>

#include "private.h"

/* Bytes that a relation meta needs for one object detection, at the most. */
#define OD_MTD_SIZE 64

static GQuark
object_type_quark (const gchar * object_type)
{
  return g_quark_from_string (object_type ? object_type : "component");
}

/**
 * gst_cca_meta_emit_roi:
 * @meta: a #GstCcaMeta, of @buffer or of another buffer
 * @buffer: (transfer none): a writable #GstBuffer
 * @object_type: (nullable): type of the regions; %NULL: "component"
 * @max_objects: the most regions to add
 * @frame_width: of the frame in @buffer, in pixels; 0: as the reference frame
 * @frame_height: of the frame; 0: as the reference frame
 *
 * Adds a #GstVideoRegionOfInterestMeta for each of the first @max_objects
 * components, with the component's id and with one parameter structure "cca"
 * that has the fields centroid-x and centroid-y (gdouble) and area (guint64).
 * Boxes, centroids and areas are scaled as by
 * gst_cca_meta_get_component_scaled().
 *
 * Returns: the number of regions added
 */
guint
gst_cca_meta_emit_roi (const GstCcaMeta * meta, GstBuffer * buffer,
    const gchar * object_type, guint max_objects, guint frame_width,
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

/* The buffer's relation meta, so that all analysers share one, or a new one
 * with room for @n objects. */
static GstAnalyticsRelationMeta *
ensure_relation_meta (GstBuffer * buffer, guint n)
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

/**
 * gst_cca_meta_emit_analytics:
 * @meta: a #GstCcaMeta, of @buffer or of another buffer
 * @buffer: (transfer none): a writable #GstBuffer
 * @object_type: (nullable): type of the objects; %NULL: "component"
 * @max_objects: the most objects to add. A relation meta of n objects takes
 *   n * n bytes.
 * @frame_width: of the frame in @buffer, in pixels; 0: as the reference frame
 * @frame_height: of the frame; 0: as the reference frame
 *
 * Adds a GstAnalyticsODMtd with confidence 1.0 for each of the first
 * @max_objects components to the buffer's GstAnalyticsRelationMeta. If it has
 * none, one of the right size is made; if there is nothing to add, none is.
 * Boxes are scaled as by gst_cca_meta_get_component_scaled().
 *
 * Returns: the number of objects added
 */
guint
gst_cca_meta_emit_analytics (const GstCcaMeta * meta, GstBuffer * buffer,
    const gchar * object_type, guint max_objects, guint frame_width,
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
    GstAnalyticsODMtd object;
    GstCcaComponent c;

    gst_cca_meta_get_component_scaled (meta, i, frame_width, frame_height, &c);
    if (!gst_analytics_relation_meta_add_od_mtd (relations, type, (gint) c.x,
            (gint) c.y, (gint) c.width, (gint) c.height, 1.0f, &object))
      break;
  }

  return i;
}
