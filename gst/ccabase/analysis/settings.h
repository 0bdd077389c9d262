/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_SETTINGS_H__
#define __GST_CCA_SETTINGS_H__

#include "cca.h"
#include "gst/ccabase/objects.h"
#include "foreground.h"

G_BEGIN_DECLS

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

GType gst_cca_connectivity_get_type (void);
GType gst_cca_order_get_type (void);

void gst_cca_settings_init (GstCcaSettings * settings);
void gst_cca_settings_clear (GstCcaSettings * settings);
void gst_cca_settings_install (GObjectClass * klass);

/* Both are FALSE for a property that is not one of the settings. */
gboolean gst_cca_settings_set (GstCcaSettings * settings, guint prop_id,
    const GValue * value);
gboolean gst_cca_settings_get (const GstCcaSettings * settings, guint prop_id,
    GValue * value);

#define GST_CCA_MAX_ASYNC_DEPTH 16

/* Property ids: of foreground.c from the first on, of the base class from the
 * second on. */
#define GST_CCA_PROP_FOREGROUND 50
#define GST_CCA_PROP_STATS 100

G_END_DECLS

#endif /* __GST_CCA_SETTINGS_H__ */
