/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The enumerations of GstCcaAnalysis. */

#include "gstccametaprivate.h"

GType
gst_cca_foreground_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_FOREGROUND_THRESHOLD,
      "Pixels brighter than threshold, up to threshold-high", "threshold"},
    {GST_CCA_FOREGROUND_OTSU,
      "As threshold, with the threshold computed for each frame by Otsu's "
      "method",
      "otsu"},
    {GST_CCA_FOREGROUND_DIFFERENCE,
      "Motion: pixels that differ from the frame frame-distance frames "
      "earlier",
      "difference"},
    {GST_CCA_FOREGROUND_SIGMA_DELTA,
      "Motion: pixels that differ from a background learned from the video",
      "sigma-delta"},
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
 * Gets the nick of a value, as the property `foreground` of the analysing
 * elements has it.
 *
 * Returns: (nullable): the nick, such as "sigma-delta", or %NULL if the value
 *   is unknown
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
      "The background model was less than warm-up frames old", "warming-up"},
    {GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED,
      "The background model was changed because the light had",
      "light-changed"},
    {GST_CCA_ANALYSIS_FLAG_OVERLOAD,
      "Too much was foreground to deliver components", "overload"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_flags_register_static ("GstCcaAnalysisFlags", values));

  return type;
}
