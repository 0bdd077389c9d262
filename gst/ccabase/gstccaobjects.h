/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_OBJECTS_H__
#define __GST_CCA_OBJECTS_H__

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccameta.h>

#include "gstccaproperty.h"

G_BEGIN_DECLS

/**
 * GstCcaMetaTypes:
 * @GST_CCA_META_TYPE_CCA: a #GstCcaMeta with all components
 * @GST_CCA_META_TYPE_ROI: a #GstVideoRegionOfInterestMeta for each component
 * @GST_CCA_META_TYPE_ANALYTICS: a #GstAnalyticsODMtd for each component
 * @GST_CCA_META_TYPE_LABELS: a #GstCcaLabelsMeta, an image with the id of the
 *   component of each pixel
 * @GST_CCA_META_TYPE_SEGMENTATION: the label image as segmentation metadata of
 *   GStreamer's analytics library, which needs GStreamer 1.26
 * @GST_CCA_META_TYPE_BACKGROUND: a #GstCcaBackgroundMeta, a picture of the
 *   background
 *
 * Kinds of metadata that an element attaches to buffers.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_META_TYPE_CCA = 1 << 0,
  GST_CCA_META_TYPE_ROI = 1 << 1,
  GST_CCA_META_TYPE_ANALYTICS = 1 << 2,
  GST_CCA_META_TYPE_LABELS = 1 << 3,
  GST_CCA_META_TYPE_SEGMENTATION = 1 << 4,
  GST_CCA_META_TYPE_BACKGROUND = 1 << 5,
} GstCcaMetaTypes;

#define GST_TYPE_CCA_META_TYPES (gst_cca_meta_types_get_type ())

GType gst_cca_meta_types_get_type (void);

/* Properties shared by the elements that attach objects. */
GParamSpec *gst_cca_param_spec_meta_types (guint default_types);
GParamSpec *gst_cca_param_spec_max_objects (void);
GParamSpec *gst_cca_param_spec_object_type (void);

/* Returns the object type for a value of the property, which may be NULL or
 * empty. Free it with g_free(). Elements make it a quark, which is never
 * freed, only when they start. */
gchar *gst_cca_object_type (const gchar * string);

#define GST_CCA_DEFAULT_MAX_OBJECTS 256
#define GST_CCA_DEFAULT_OBJECT_TYPE "component"

/* The stock metas that an element attaches to one buffer. */
typedef struct {
  GstBuffer *buffer;            /* with writable metadata */
  GstCcaMetaTypes types;        /* roi, analytics or both */
  const gchar *object_type;
  guint width, height;          /* of the video */
  guint others;                 /* further entries of the relation meta */

  /* set by the functions below */
  guint regions, objects;       /* how many more can be attached */
  guint64 left_out;             /* components that were not attached */
} GstCcaObjects;

/* Reserves memory for n components, up to max_objects regions and max_objects
 * entries of the relation meta. Entries of other elements count towards the
 * limit, as the size of the relation meta grows with the square of its
 * entries. */
void gst_cca_objects_begin (GstCcaObjects * self, guint max_objects,
    guint64 n);

/* Attaches the first components of a meta, up to the limit. Returns FALSE if an
 * object cannot be added. */
gboolean gst_cca_objects_add (GstCcaObjects * self, const GstCcaMeta * meta);

/* Returns whether the buffer has a region of that type. */
gboolean gst_cca_has_regions (GstBuffer * buffer, GQuark type);

/* Reserves memory for more entries, at least 1. Returns the relation meta of
 * the buffer, which may be a new one, or NULL if none can be added. */
GstAnalyticsRelationMeta *gst_cca_relations_reserve (GstBuffer * buffer,
    guint more);

G_END_DECLS

#endif /* __GST_CCA_OBJECTS_H__ */
