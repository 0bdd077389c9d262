/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_SHAPES_H__
#define __GST_CCA_SHAPES_H__

#include <gst/gst.h>
#include <gst/ccameta/cca-meta-prelude.h>

G_BEGIN_DECLS

/**
 * GstCcaShapes:
 *
 * An opaque, reference-counted list of named lines and polygons.
 */
typedef struct _GstCcaShapes GstCcaShapes;

/**
 * GstCcaShapeKind:
 * @GST_CCA_SHAPE_KIND_LINE: an open line at which crossings are counted
 * @GST_CCA_SHAPE_KIND_ZONE: a polygon in which objects are counted
 * @GST_CCA_SHAPE_KIND_INCLUDE: a polygon that is analysed
 * @GST_CCA_SHAPE_KIND_EXCLUDE: a polygon that is not analysed
 *
 * The meaning of a shape. Polygons are closed: the last point is connected to
 * the first one.
 */
typedef enum {
  GST_CCA_SHAPE_KIND_LINE,
  GST_CCA_SHAPE_KIND_ZONE,
  GST_CCA_SHAPE_KIND_INCLUDE,
  GST_CCA_SHAPE_KIND_EXCLUDE,
} GstCcaShapeKind;

/**
 * GST_CCA_SHAPES_MAX:
 *
 * Maximum number of shapes in a list.
 */
#define GST_CCA_SHAPES_MAX 256

/**
 * GST_CCA_SHAPES_MAX_POINTS:
 *
 * Maximum number of points of a shape.
 */
#define GST_CCA_SHAPES_MAX_POINTS 256

#define GST_TYPE_CCA_SHAPES (gst_cca_shapes_get_type ())
#define GST_TYPE_CCA_SHAPE_KIND (gst_cca_shape_kind_get_type ())

GST_CCA_META_API
GType gst_cca_shapes_get_type (void);

GST_CCA_META_API
GType gst_cca_shape_kind_get_type (void);

GST_CCA_META_API
GstCcaShapes *gst_cca_shapes_new (void);

GST_CCA_META_API
GstCcaShapes *gst_cca_shapes_ref (GstCcaShapes * shapes);

GST_CCA_META_API
void gst_cca_shapes_unref (GstCcaShapes * shapes);

GST_CCA_META_API
gboolean gst_cca_shapes_append (GstCcaShapes * shapes, GstCcaShapeKind kind,
    const gchar * name, const gdouble * coordinates, guint n_coordinates);

GST_CCA_META_API
guint gst_cca_shapes_get_n_shapes (const GstCcaShapes * shapes);

GST_CCA_META_API
GstCcaShapeKind gst_cca_shapes_get_kind (const GstCcaShapes * shapes,
    guint index);

GST_CCA_META_API
const gchar *gst_cca_shapes_get_name (const GstCcaShapes * shapes,
    guint index);

GST_CCA_META_API
const gdouble *gst_cca_shapes_get_coordinates (const GstCcaShapes * shapes,
    guint index, guint * n_coordinates);

G_END_DECLS

#endif /* __GST_CCA_SHAPES_H__ */
