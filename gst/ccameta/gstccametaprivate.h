/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_META_PRIVATE_H__
#define __GST_CCA_META_PRIVATE_H__

#include <gst/ccameta/gstccabackgroundmeta.h>
#include <gst/ccameta/gstccafeatures.h>
#include <gst/ccameta/gstccalabelsmeta.h>

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_cca_meta_debug);

struct _GstCcaMeta {
  GstMeta meta;

  GstCcaAnalysis analysis;
  GBytes *components;           /* GstCcaComponent array; NULL if empty */
  guint par_n, par_d;           /* 0: unknown */
  GstCcaShapes *shapes;         /* NULL if there are none */
  GBytes *counts;               /* of the shapes; NULL if there are none */
  GPtrArray *events;            /* of GstStructure; NULL if there are none */
  GstCcaFeatureFlags feature_flags;
  GBytes *features;             /* GstCcaFeatures array; NULL if empty */
};

struct _GstCcaLabelsMeta {
  GstMeta meta;

  GstBuffer *picture;
  guint width, height, depth;
  guint n_labels;
};

struct _GstCcaBackgroundMeta {
  GstMeta meta;

  GstBuffer *picture;
  guint width, height, depth;
};

/* A transform of components to another picture: an affine map of continuous
 * coordinates, in which pixel i covers [i, i + 1), and a clip rectangle in the
 * new picture, whose x1 and y1 are exclusive. */
typedef struct {
  gdouble xx, xy, x0;
  gdouble yx, yy, y0;
  gint clip_x0, clip_y0;
  gint clip_x1, clip_y1;
} GstCcaMap;

/* Two guint64 for each shape. */
#define GST_CCA_SHAPE_COUNTS_SIZE (2 * sizeof (guint64))

/* gstccalabelsmeta.c */
gboolean gst_cca_picture_describe (GstBuffer * picture, guint * width,
    guint * height, guint * bits);

/* gstccashapes.c */
gboolean gst_cca_shape_is_valid (GstCcaShapeKind kind, const gchar * name,
    const gdouble * coordinates, guint n_coordinates);
GstCcaShapes *gst_cca_shapes_map (const GstCcaShapes * shapes,
    const GstCcaMap * map);

/* gstccaevents.c */
void gst_cca_meta_copy_events (GstCcaMeta * to, const GstCcaMeta * from);

/* gstccacomponent.c */
gboolean gst_cca_analysis_is_valid (const GstCcaAnalysis * analysis,
    guint64 n_components);
gboolean gst_cca_component_is_valid (const GstCcaComponent * component,
    const GstCcaAnalysis * analysis);
void gst_cca_component_scale (const GstCcaComponent * component,
    const GstCcaAnalysis * analysis, guint frame_width, guint frame_height,
    GstCcaComponent * scaled);

/* gstccameasures.c: the rectangle with the same second moments, if each pixel is
 * a square, after scaling by sx and sy: the lengths of its axes, and the angle of
 * the major one from the x axis, clockwise, from 0 to pi */
void gst_cca_features_get_rectangle (const GstCcaFeatures * features,
    const GstCcaComponent * component, gdouble sx, gdouble sy,
    gdouble * major, gdouble * minor, gdouble * angle);

/* gstccatransform.c */
GBytes *gst_cca_map_components (const GstCcaMap * map,
    const GstCcaComponent * components, guint n_components);
gboolean gst_cca_meta_transform (GstBuffer * dest, GstMeta * meta,
    GstBuffer * buffer, GQuark type, gpointer data);

/* gstccameta.c: without checks; the components are referenced, not taken */
GstCcaMeta *gst_cca_meta_attach (GstBuffer * buffer,
    const GstCcaAnalysis * analysis, GBytes * components);
GstCcaMeta *gst_cca_meta_attach_full (GstBuffer * buffer,
    const GstCcaAnalysis * analysis, GBytes * components, guint par_n,
    guint par_d);

/* gstccaserialize.c */
gboolean gst_cca_meta_serialize (const GstMeta * meta,
    GstByteArrayInterface * data, guint8 * version);
GstMeta *gst_cca_meta_deserialize (const GstMetaInfo * info,
    GstBuffer * buffer, const guint8 * data, gsize size, guint8 version);

G_END_DECLS

#endif /* __GST_CCA_META_PRIVATE_H__ */
