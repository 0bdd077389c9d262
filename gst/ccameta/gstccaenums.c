/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The types of what an analysis is described with. */

#include "gstccametaprivate.h"

GType
gst_cca_foreground_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_FOREGROUND_THRESHOLD,
        "Between threshold and threshold-high", "threshold"},
    {GST_CCA_FOREGROUND_OTSU,
        "The same with the threshold that divides the frame best", "otsu"},
    {GST_CCA_FOREGROUND_DIFFERENCE,
        "What differs from the frame frame-distance before", "difference"},
    {GST_CCA_FOREGROUND_SIGMA_DELTA,
        "What differs from a background that is learnt", "sigma-delta"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstCcaForeground", values));

  return type;
}

/**
 * gst_cca_foreground_get_nick:
 * @foreground: a #GstCcaForeground
 *
 * Returns: (nullable): its name, such as "sigma-delta", or %NULL if it is not
 *   known
 */
const gchar *
gst_cca_foreground_get_nick (GstCcaForeground foreground)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_CCA_FOREGROUND);
  const GEnumValue *value = g_enum_get_value (klass, foreground);
  const gchar *nick = value != NULL ? value->value_nick : NULL;

  g_type_class_unref (klass);

  return nick;
}

GType
gst_cca_analysis_flags_get_type (void)
{
  static gsize type = 0;
  static const GFlagsValue values[] = {
    {GST_CCA_ANALYSIS_FLAG_WARMING_UP,
        "The background was still young", "warming-up"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_flags_register_static ("GstCcaAnalysisFlags", values));

  return type;
}
