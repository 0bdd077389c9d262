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
 * @GST_CCA_META_TYPE_CCA: #GstCcaMeta, all components
 * @GST_CCA_META_TYPE_ROI: one #GstVideoRegionOfInterestMeta a component
 * @GST_CCA_META_TYPE_ANALYTICS: one #GstAnalyticsODMtd a component
 * @GST_CCA_META_TYPE_LABELS: #GstCcaLabelsMeta, which component each pixel
 *   belongs to
 * @GST_CCA_META_TYPE_SEGMENTATION: the label image as a segmentation, for
 *   elements that read those of GStreamer 1.26
 *
 * What is attached to a buffer.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_META_TYPE_CCA = 1 << 0,
  GST_CCA_META_TYPE_ROI = 1 << 1,
  GST_CCA_META_TYPE_ANALYTICS = 1 << 2,
  GST_CCA_META_TYPE_LABELS = 1 << 3,
  GST_CCA_META_TYPE_SEGMENTATION = 1 << 4,
} GstCcaMetaTypes;

#define GST_TYPE_CCA_META_TYPES (gst_cca_meta_types_get_type ())

GType gst_cca_meta_types_get_type (void);

/* The shared properties of elements that attach objects. */
GParamSpec *gst_cca_param_spec_meta_types (guint default_types);
GParamSpec *gst_cca_param_spec_max_objects (void);
GParamSpec *gst_cca_param_spec_object_type (void);

/* The type to use for a string that a user gave, or NULL; to be freed. Objects
 * have it as a quark, which stays for ever: only an element that starts makes
 * one. */
gchar *gst_cca_object_type (const gchar * string);

#define GST_CCA_DEFAULT_MAX_OBJECTS 256
#define GST_CCA_DEFAULT_OBJECT_TYPE "component"

/* The stock metas that an element attaches to one buffer. */
typedef struct {
  GstBuffer *buffer;            /* with writable metadata */
  GstCcaMetaTypes types;        /* roi, analytics or both */
  const gchar *object_type;
  guint width, height;          /* of the video */
  guint others;                 /* entries that the relation meta gets besides */

  /* set by the functions below */
  guint regions, objects;       /* room for so many more */
  guint64 left_out;             /* components that were not attached */
} GstCcaObjects;

/* Makes room for n components. Afterwards the buffer has at most max_objects
 * regions, and at most as many entries in its relation meta, those of other
 * elements counted: it takes the square of that in bytes. */
void gst_cca_objects_begin (GstCcaObjects * self, guint max_objects,
    guint64 n);

/* Attaches the first components of a meta, as many as there is room for. FALSE
 * if the buffer does not take them. */
gboolean gst_cca_objects_add (GstCcaObjects * self, const GstCcaMeta * meta);

/* Whether there is a region of that type. */
gboolean gst_cca_has_regions (GstBuffer * buffer, GQuark type);

/* Makes room for that many entries more, at least 1. The buffer's relation meta,
 * perhaps a new one; NULL if the buffer does not take one. */
GstAnalyticsRelationMeta *gst_cca_relations_reserve (GstBuffer * buffer,
    guint more);

G_END_DECLS

#endif /* __GST_CCA_OBJECTS_H__ */
