/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The features of the components of a meta: an array of records in the order of
 * the components, immutable and shared as theirs. */

#include "gstccametaprivate.h"

G_DEFINE_BOXED_TYPE (GstCcaFeatures, gst_cca_features, gst_cca_features_copy,
    gst_cca_features_free);

GType
gst_cca_feature_flags_get_type (void)
{
  static gsize type = 0;
  static const GFlagsValue values[] = {
    {GST_CCA_FEATURE_FLAG_MOMENTS,
      "Second moments, for orientation, axes and eccentricity", "moments"},
    {GST_CCA_FEATURE_FLAG_INTENSITY,
      "Sums of the values, for their mean, deviation, extremes and weighted "
      "centroid",
      "intensity"},
    {GST_CCA_FEATURE_FLAG_SHAPE,
      "Counts of neighbours, for the Euler number, holes and edge length",
      "shape"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_flags_register_static ("GstCcaFeatureFlags", values));

  return type;
}

/**
 * gst_cca_features_new:
 *
 * Makes a record of which all fields are 0.
 *
 * Returns: (transfer full): the record. Free it with gst_cca_features_free().
 */
GstCcaFeatures *
gst_cca_features_new (void)
{
  return g_new0 (GstCcaFeatures, 1);
}

/**
 * gst_cca_features_copy:
 * @features: a #GstCcaFeatures
 *
 * Copies a record.
 *
 * Returns: (transfer full): the copy. Free it with gst_cca_features_free().
 */
GstCcaFeatures *
gst_cca_features_copy (const GstCcaFeatures *features)
{
  g_return_val_if_fail (features != NULL, NULL);

  return g_memdup2 (features, sizeof (*features));
}

/**
 * gst_cca_features_free:
 * @features: (nullable) (transfer full): a #GstCcaFeatures
 *
 * Frees a record made by gst_cca_features_new() or gst_cca_features_copy().
 */
void
gst_cca_features_free (GstCcaFeatures *features)
{
  g_free (features);
}

/**
 * gst_cca_meta_set_features:
 * @meta: a #GstCcaMeta of a writable buffer
 * @flags: the fields that the records have
 * @features: (nullable) (transfer none): an aligned array of #GstCcaFeatures,
 *   one for each record of @meta in the same order; %NULL or empty if there are
 *   none. It is shared, not copied.
 *
 * Sets the features of the components. The values are not checked, so the cost
 * does not depend on their number. %GST_CCA_FEATURE_FLAG_NONE removes them.
 */
void
gst_cca_meta_set_features (GstCcaMeta *meta, GstCcaFeatureFlags flags,
    GBytes *features)
{
  gconstpointer data = NULL;
  gsize size = 0;

  g_return_if_fail (meta != NULL);

  if (features != NULL && flags != GST_CCA_FEATURE_FLAG_NONE)
    data = g_bytes_get_data (features, &size);

  g_return_if_fail (flags == GST_CCA_FEATURE_FLAG_NONE
      || size
          == gst_cca_meta_get_n_components (meta) * sizeof (GstCcaFeatures));
  g_return_if_fail ((guintptr) data % G_ALIGNOF (GstCcaFeatures) == 0);

  if (size > 0)
    g_bytes_ref (features);
  g_clear_pointer (&meta->features, g_bytes_unref);
  meta->features = size > 0 ? features : NULL;
  meta->feature_flags = flags;
}

/**
 * gst_cca_meta_set_features_from_records:
 * @meta: a #GstCcaMeta of a writable buffer
 * @flags: the fields that the records have
 * @features: (array length=n_features) (nullable): the records
 * @n_features: number of records, which must be that of the components
 *
 * Sets a copy of the records as the features of the components.
 */
void
gst_cca_meta_set_features_from_records (GstCcaMeta *meta,
    GstCcaFeatureFlags flags, const GstCcaFeatures *features, guint n_features)
{
  GBytes *bytes;

  g_return_if_fail (features != NULL || n_features == 0);

  bytes = g_bytes_new (features, n_features * sizeof (*features));
  gst_cca_meta_set_features (meta, flags, bytes);
  g_bytes_unref (bytes);
}

/**
 * gst_cca_meta_get_feature_flags:
 * @meta: a #GstCcaMeta
 *
 * Gets which fields of #GstCcaFeatures the meta has.
 *
 * Returns: the flags, %GST_CCA_FEATURE_FLAG_NONE if it has no features
 */
GstCcaFeatureFlags
gst_cca_meta_get_feature_flags (const GstCcaMeta *meta)
{
  g_return_val_if_fail (meta != NULL, GST_CCA_FEATURE_FLAG_NONE);

  return meta->feature_flags;
}

/**
 * gst_cca_meta_get_features:
 * @meta: a #GstCcaMeta
 * @n_features: (out): number of records: that of the components, or 0
 *
 * Gets the features of all components, in the order of the meta and in pixels
 * of the reference frame.
 *
 * Returns: (transfer none) (array length=n_features) (nullable): the records,
 *   owned by @meta, or %NULL if there are none
 */
const GstCcaFeatures *
gst_cca_meta_get_features (const GstCcaMeta *meta, guint *n_features)
{
  g_return_val_if_fail (n_features != NULL, NULL);
  *n_features = 0;
  g_return_val_if_fail (meta != NULL, NULL);

  if (meta->features == NULL)
    return NULL;

  *n_features = g_bytes_get_size (meta->features) / sizeof (GstCcaFeatures);

  return g_bytes_get_data (meta->features, NULL);
}

/**
 * gst_cca_meta_get_component_features:
 * @meta: a #GstCcaMeta
 * @index: index of the component, from 0 to the number of records, exclusive
 * @features: (out caller-allocates): the record; unchanged on failure
 *
 * Copies the features of a component, in pixels of the reference frame.
 *
 * Returns: %TRUE on success; %FALSE if @index is out of range or the meta has
 *   no features
 */
gboolean
gst_cca_meta_get_component_features (const GstCcaMeta *meta, guint index,
    GstCcaFeatures *features)
{
  const GstCcaFeatures *records;
  guint n;

  g_return_val_if_fail (features != NULL, FALSE);

  records = gst_cca_meta_get_features (meta, &n);
  if (index >= n)
    return FALSE;

  *features = records[index];

  return TRUE;
}
