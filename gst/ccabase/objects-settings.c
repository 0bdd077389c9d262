/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The properties of elements that attach objects. */

#include "objects.h"
#include "typename.h"

/* The relation meta of GstAnalytics takes the square of this in bytes. */
#define MAX_MAX_OBJECTS 4096

GType
gst_cca_meta_types_get_type (void)
{
  static gsize type = 0;
  static const GFlagsValue values[] = {
    {GST_CCA_META_TYPE_CCA, "One GstCcaMeta with all components", "cca"},
    {GST_CCA_META_TYPE_ROI,
        "A GstVideoRegionOfInterestMeta for each component", "roi"},
    {GST_CCA_META_TYPE_ANALYTICS,
          "A GstAnalyticsRelationMeta with an object for each component",
        "analytics"},
    {GST_CCA_META_TYPE_LABELS,
          "A GstCcaLabelsMeta with an image of the components' ids", "labels"},
    {GST_CCA_META_TYPE_SEGMENTATION,
          "The label image as a segmentation in the GstAnalyticsRelationMeta "
          "(GStreamer 1.26)",
        "segmentation"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_flags_register_static (GST_CCA_TYPE_PREFIX "MetaTypes", values));
  return type;
}

gchar *
gst_cca_object_type (const gchar * string)
{
  if (string == NULL || *string == '\0')
    string = GST_CCA_DEFAULT_OBJECT_TYPE;
  return g_strdup (string);
}

GParamSpec *
gst_cca_param_spec_meta_types (guint default_types)
{
  return g_param_spec_flags ("meta-types", "Meta Types",
      "What is attached to a buffer: cca holds all components, roi and "
      "analytics hold the first max-objects for elements that read those, "
      "labels and segmentation say which component each pixel belongs to",
      GST_TYPE_CCA_META_TYPES, default_types, GST_CCA_PARAM_PLAYING);
}

GParamSpec *
gst_cca_param_spec_max_objects (void)
{
  return g_param_spec_uint ("max-objects", "Maximum Objects",
      "Attach components as roi or analytics objects, the first in delivery "
      "order, until the buffer has so many, as many are slow to handle",
      1, MAX_MAX_OBJECTS, GST_CCA_DEFAULT_MAX_OBJECTS, GST_CCA_PARAM_PLAYING);
}

GParamSpec *
gst_cca_param_spec_object_type (void)
{
  return g_param_spec_string ("object-type", "Object Type",
      "Type that roi and analytics objects are given, which overlays print",
      GST_CCA_DEFAULT_OBJECT_TYPE, GST_CCA_PARAM_READY);
}
