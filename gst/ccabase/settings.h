/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_SETTINGS_H__
#define __GST_CCA_SETTINGS_H__

#include <gst/gst.h>

#include "cca.h"
#include "foreground.h"

G_BEGIN_DECLS

/* Each plugin compiles the shared files for itself. GType names are global in
 * a process, so that a second plugin has to give a prefix of its own. */
#ifndef GST_CCA_TYPE_PREFIX
#define GST_CCA_TYPE_PREFIX "GstCca"
#endif

/**
 * GstCcaConnectivity:
 * @GST_CCA_CONNECTIVITY_4: pixels that share an edge are connected
 * @GST_CCA_CONNECTIVITY_8: pixels that share an edge or a corner are connected
 *
 * Which neighbours of a pixel belong to its component.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_CONNECTIVITY_4 = 4,
  GST_CCA_CONNECTIVITY_8 = 8,
} GstCcaConnectivity;

/**
 * GstCcaOrder:
 * @GST_CCA_ORDER_RASTER: by first pixel, row by row
 * @GST_CCA_ORDER_AREA: largest first, equal areas by first pixel
 *
 * The order in which components are delivered.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_ORDER_RASTER = CCA_ORDER_RASTER,
  GST_CCA_ORDER_AREA = CCA_ORDER_AREA,
} GstCcaOrder;

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

/* The properties' values. One frame is analysed with one copy: what is not plain
 * data does not change while the element runs. */
typedef struct {
  GstCcaForegroundSettings foreground;
  guint connectivity;
  guint64 min_area;
  guint64 max_area;
  CcaRect roi;
  guint max_components;
  guint async_depth;
  GstCcaOrder order;
  GstCcaMetaTypes meta_types;
  guint max_objects;
  gchar *object_type;           /* owned by the original */
  gboolean post_messages;
  GstClockTime message_interval;
} GstCcaSettings;

#define GST_TYPE_CCA_CONNECTIVITY (gst_cca_connectivity_get_type ())
#define GST_TYPE_CCA_ORDER (gst_cca_order_get_type ())
#define GST_TYPE_CCA_META_TYPES (gst_cca_meta_types_get_type ())

GType gst_cca_connectivity_get_type (void);
GType gst_cca_order_get_type (void);
GType gst_cca_meta_types_get_type (void);

void gst_cca_settings_init (GstCcaSettings * settings);
void gst_cca_settings_clear (GstCcaSettings * settings);
void gst_cca_settings_install (GObjectClass * klass);

/* Both are FALSE for a property that is not one of the settings. */
gboolean gst_cca_settings_set (GstCcaSettings * settings, guint prop_id,
    const GValue * value);
gboolean gst_cca_settings_get (const GstCcaSettings * settings, guint prop_id,
    GValue * value);

/* Takes the object lock to set a property. FALSE, with a warning and without the
 * lock: the element takes the property up when it starts, and has. *started is
 * under the object lock too. */
gboolean gst_cca_lock_to_set (GstElement * element, const gboolean * started,
    GParamSpec * pspec);
void gst_cca_set_started (GstElement * element, gboolean * started,
    gboolean value);

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
#define GST_CCA_MAX_ASYNC_DEPTH 16

/* Property ids: of foreground.c from the first on, of the base class from the
 * second on. */
#define GST_CCA_PROP_FOREGROUND 50
#define GST_CCA_PROP_STATS 100

#define GST_CCA_PARAM_READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)
#define GST_CCA_PARAM_PLAYING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)
#define GST_CCA_PARAM_CONTROLLED \
    (GST_CCA_PARAM_PLAYING | GST_PARAM_CONTROLLABLE)

/* Cases of a switch for a property that is a field of *settings. */
#define GST_CCA_SET_CASE(id, type, field) \
    case id: settings->field = g_value_get_##type (value); return TRUE;
#define GST_CCA_GET_CASE(id, type, field) \
    case id: g_value_set_##type (value, settings->field); return TRUE;

G_END_DECLS

#endif /* __GST_CCA_SETTINGS_H__ */
