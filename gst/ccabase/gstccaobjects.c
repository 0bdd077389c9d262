/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Attaches components as regions of interest and analytics objects, up to a
 * limit per buffer.
 *
 * A relation meta of n entries takes n * n bytes. It grows by its initial
 * number of entries, often 5, and is copied each time. A new relation meta is
 * therefore made with its final size, and an existing one is replaced by a
 * larger one if it would have to grow far. */

#include "gstccaobjects.h"

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>

#include "gstccatypename.h"

/* A relation meta of this many entries takes 16 MiB. */
#define MAX_MAX_OBJECTS 4096

/* An existing relation meta may grow up to this number of entries, in the worst
 * case by one at a time. */
#define MAX_GROWN_ORDER GST_CCA_DEFAULT_MAX_OBJECTS

/* Maximum size of an entry in bytes. */
#define ENTRY_SIZE 64

/* --- properties ----------------------------------------------------------- */

/* *INDENT-OFF* */
GST_CCA_DEFINE_FLAGS_TYPE (gst_cca_meta_types, "MetaTypes",
    {GST_CCA_META_TYPE_CCA, "One GstCcaMeta with all components", "cca"},
    {GST_CCA_META_TYPE_ROI, "A GstVideoRegionOfInterestMeta for each component",
      "roi"},
    {GST_CCA_META_TYPE_ANALYTICS,
      "A GstAnalyticsRelationMeta with an object for each component",
      "analytics"},
    {GST_CCA_META_TYPE_LABELS,
      "A GstCcaLabelsMeta with an image of the components' ids", "labels"},
    {GST_CCA_META_TYPE_SEGMENTATION,
      "The label image as a segmentation in the GstAnalyticsRelationMeta "
      "(GStreamer 1.26)",
      "segmentation"},
    {GST_CCA_META_TYPE_BACKGROUND,
      "A GstCcaBackgroundMeta with a picture of the background", "background"})
/* *INDENT-ON* */

gchar *
gst_cca_object_type (const gchar *string)
{
  if (string == NULL || *string == '\0')
    string = GST_CCA_DEFAULT_OBJECT_TYPE;
  return g_strdup (string);
}

GParamSpec *
gst_cca_param_spec_meta_types (guint default_types)
{
  return g_param_spec_flags ("meta-types", "Meta Types",
      "Kinds of metadata to attach to buffers. cca has all components. roi "
      "and analytics have the first max-objects of them, for stock elements. "
      "labels and segmentation have the component of each pixel. background "
      "is the picture that the next frame is compared with",
      GST_TYPE_CCA_META_TYPES, default_types, GST_CCA_PARAM_PLAYING);
}

GParamSpec *
gst_cca_param_spec_max_objects (void)
{
  return g_param_spec_uint ("max-objects", "Maximum Objects",
      "Maximum number of roi or analytics objects on a buffer, in the order of "
      "the components. Large numbers slow down the pipeline",
      1, MAX_MAX_OBJECTS, GST_CCA_DEFAULT_MAX_OBJECTS, GST_CCA_PARAM_PLAYING);
}

GParamSpec *
gst_cca_param_spec_object_type (void)
{
  return g_param_spec_string ("object-type", "Object Type",
      "Type of roi and analytics objects, which overlays print as their label",
      GST_CCA_DEFAULT_OBJECT_TYPE, GST_CCA_PARAM_READY);
}

/* --- objects -------------------------------------------------------------- */

static void
add_relation_meta (GstBuffer *buffer, guint n)
{
  GstAnalyticsRelationMetaInitParams params = {
    .initial_relation_order = n,
    .initial_buf_size = (gsize) n * ENTRY_SIZE,
  };

  gst_buffer_add_analytics_relation_meta_full (buffer, &params);
}

/* Replaces a relation meta by one with memory for n entries. The entries keep
 * their ids. */
static void
enlarge_relation_meta (GstBuffer *buffer, GstMeta *old, guint n)
{
  const GstMetaTransformFunction transform = old->info->transform_func;
  GstMetaTransformCopy all = {.region = FALSE, .offset = 0, .size = -1};
  GstBuffer *keep = gst_buffer_new ();

  transform (keep, old, buffer, _gst_meta_transform_copy, &all);
  gst_buffer_remove_meta (buffer, old);
  add_relation_meta (buffer, n);
  transform (buffer,
      gst_buffer_get_meta (keep, GST_ANALYTICS_RELATION_META_API_TYPE), keep,
      _gst_meta_transform_copy, &all);
  gst_buffer_unref (keep);
}

GstAnalyticsRelationMeta *
gst_cca_relations_reserve (GstBuffer *buffer, guint more)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  const gsize present =
      relations ? gst_analytics_relation_get_length (relations) : 0;

  if (relations == NULL)
    add_relation_meta (buffer, more);
  else if (present + more > MAX_GROWN_ORDER)
    enlarge_relation_meta (buffer, GST_META_CAST (relations), present + more);
  return gst_buffer_get_analytics_relation_meta (buffer);
}

static guint
remaining (guint max_objects, gsize present)
{
  return max_objects - MIN (present, max_objects);
}

static guint
begin_objects (GstBuffer *buffer, guint max_objects, guint64 n, guint others)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  const gsize present =
      relations ? gst_analytics_relation_get_length (relations) : 0;
  const guint free_objects = remaining (max_objects, present);
  const guint more = MIN (n, free_objects);

  if (more > 0)
    gst_cca_relations_reserve (buffer, more + others);
  return free_objects;
}

void
gst_cca_objects_begin (GstCcaObjects *self, guint max_objects, guint64 n)
{
  self->regions = self->objects = 0;
  self->left_out = 0;
  if (self->types & GST_CCA_META_TYPE_ROI)
    self->regions = remaining (max_objects,
        gst_buffer_get_n_meta (self->buffer,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  if (self->types & GST_CCA_META_TYPE_ANALYTICS)
    self->objects = begin_objects (self->buffer, max_objects, n, self->others);
}

gboolean
gst_cca_objects_add (GstCcaObjects *self, const GstCcaMeta *meta)
{
  const guint n = gst_cca_meta_get_n_components (meta);
  const guint n_regions = MIN (n, self->regions);
  const guint n_objects = MIN (n, self->objects);
  guint least = n;

  if (self->types & GST_CCA_META_TYPE_ROI) {
    gst_cca_meta_emit_roi (meta, self->buffer, self->object_type, n_regions,
        self->width, self->height);
    self->regions -= n_regions;
    least = n_regions;
  }
  if (self->types & GST_CCA_META_TYPE_ANALYTICS) {
    if (gst_cca_meta_emit_analytics (meta, self->buffer, self->object_type,
            n_objects, self->width, self->height)
        < n_objects)
      return FALSE;
    self->objects -= n_objects;
    least = MIN (least, n_objects);
  }
  self->left_out += n - least;
  return TRUE;
}

gboolean
gst_cca_has_regions (GstBuffer *buffer, GQuark type)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))
      != NULL)
    if (((GstVideoRegionOfInterestMeta *) meta)->roi_type == type)
      return TRUE;
  return FALSE;
}
