/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_FEATURES_H__
#define __GST_CCA_FEATURES_H__

#include <gst/gst.h>
#include <gst/ccameta/cca-meta-prelude.h>
#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

typedef struct _GstCcaFeatures GstCcaFeatures;

/**
 * GstCcaFeatureFlags:
 * @GST_CCA_FEATURE_FLAG_NONE: no features
 * @GST_CCA_FEATURE_FLAG_MOMENTS: second moments of the pixels' positions
 * @GST_CCA_FEATURE_FLAG_INTENSITY: sums of the pixels' values, and the extremes
 * @GST_CCA_FEATURE_FLAG_SHAPE: counts of neighbours, for the Euler number
 *
 * Groups of the fields of #GstCcaFeatures.
 */
typedef enum {                  /*< flags > */
  GST_CCA_FEATURE_FLAG_NONE = 0,
  GST_CCA_FEATURE_FLAG_MOMENTS = 1 << 0,
  GST_CCA_FEATURE_FLAG_INTENSITY = 1 << 1,
  GST_CCA_FEATURE_FLAG_SHAPE = 1 << 2,
} GstCcaFeatureFlags;

/**
 * GstCcaFeatures:
 * @xx: moments: sum of x * x of the pixels, in pixels of the reference frame
 * @xy: moments: sum of x * y
 * @yy: moments: sum of y * y
 * @v: intensity: sum of the values, in code values of the analysed plane
 * @vv: intensity: sum of the squares of the values
 * @vx: intensity: sum of value * x
 * @vy: intensity: sum of value * y
 * @v_min: intensity: smallest value
 * @v_max: intensity: greatest value
 * @v_max_x: intensity: column of the first pixel in raster order that has the
 *   greatest value
 * @v_max_y: intensity: its row
 * @e4: shape: pairs of pixels that are neighbours by an edge
 * @q4: shape: squares of 2x2 pixels all of which belong to the component
 * @w1: shape: squares of 2x2 pixels any of which belongs to the component;
 *   squares may extend over the border of the picture
 *
 * Sums over the pixels of a component, exact in 64 bits. The fields of flags
 * that are off are 0. Analysers set the reserved fields to 0.
 */
struct _GstCcaFeatures {
  guint64 xx;
  guint64 xy;
  guint64 yy;
  guint64 v;
  guint64 vv;
  guint64 vx;
  guint64 vy;
  guint v_min;
  guint v_max;
  guint v_max_x;
  guint v_max_y;
  guint64 e4;
  guint64 q4;
  guint64 w1;

  /*< private >*/
  guint64 _gst_reserved[4];
};

#define GST_TYPE_CCA_FEATURES (gst_cca_features_get_type ())
#define GST_TYPE_CCA_FEATURE_FLAGS (gst_cca_feature_flags_get_type ())

GST_CCA_META_API
GType gst_cca_features_get_type (void);

GST_CCA_META_API
GType gst_cca_feature_flags_get_type (void);

GST_CCA_META_API
GstCcaFeatures *gst_cca_features_new (void);

GST_CCA_META_API
GstCcaFeatures *gst_cca_features_copy (const GstCcaFeatures * features);

GST_CCA_META_API
void gst_cca_features_free (GstCcaFeatures * features);

GST_CCA_META_API
void gst_cca_meta_set_features (GstCcaMeta * meta, GstCcaFeatureFlags flags,
    GBytes * features);

GST_CCA_META_API
void gst_cca_meta_set_features_from_records (GstCcaMeta * meta,
    GstCcaFeatureFlags flags, const GstCcaFeatures * features,
    guint n_features);

GST_CCA_META_API
GstCcaFeatureFlags gst_cca_meta_get_feature_flags (const GstCcaMeta * meta);

GST_CCA_META_API
const GstCcaFeatures *gst_cca_meta_get_features (const GstCcaMeta * meta,
    guint * n_features);

GST_CCA_META_API
gboolean gst_cca_meta_get_component_features (const GstCcaMeta * meta,
    guint index, GstCcaFeatures * features);

GST_CCA_META_API
void gst_cca_features_get_central_moments (const GstCcaFeatures * features,
    const GstCcaComponent * component, gdouble * xx, gdouble * xy,
    gdouble * yy);

GST_CCA_META_API
gdouble gst_cca_features_get_orientation (const GstCcaFeatures * features,
    const GstCcaComponent * component);

GST_CCA_META_API
void gst_cca_features_get_axes (const GstCcaFeatures * features,
    const GstCcaComponent * component, gdouble * major, gdouble * minor);

GST_CCA_META_API
gdouble gst_cca_features_get_eccentricity (const GstCcaFeatures * features,
    const GstCcaComponent * component);

GST_CCA_META_API
void gst_cca_features_get_widths (const GstCcaFeatures * features,
    const GstCcaComponent * component, gdouble * width, gdouble * height);

GST_CCA_META_API
gdouble gst_cca_features_get_mean (const GstCcaFeatures * features,
    const GstCcaComponent * component);

GST_CCA_META_API
gdouble gst_cca_features_get_standard_deviation (
    const GstCcaFeatures * features, const GstCcaComponent * component);

GST_CCA_META_API
void gst_cca_features_get_weighted_centroid (const GstCcaFeatures * features,
    gdouble * x, gdouble * y);

GST_CCA_META_API
gint64 gst_cca_features_get_euler_number (const GstCcaFeatures * features,
    const GstCcaComponent * component, guint connectivity);

GST_CCA_META_API
gint64 gst_cca_features_get_n_holes (const GstCcaFeatures * features,
    const GstCcaComponent * component, guint connectivity);

GST_CCA_META_API
guint64 gst_cca_features_get_edge_length (const GstCcaFeatures * features,
    const GstCcaComponent * component);

GST_CCA_META_API
gdouble gst_cca_component_get_extent (const GstCcaComponent * component);

G_END_DECLS

#endif /* __GST_CCA_FEATURES_H__ */
