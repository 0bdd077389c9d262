/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "settings.h"

#include "gst/ccabase/typename.h"

GType
gst_cca_connectivity_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_CONNECTIVITY_4, "Pixels that share an edge", "4"},
    {GST_CCA_CONNECTIVITY_8, "Pixels that share an edge or a corner", "8"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static (GST_CCA_TYPE_PREFIX "Connectivity", values));
  return type;
}

GType
gst_cca_order_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_CCA_ORDER_RASTER, "By first pixel, row by row", "raster"},
    {GST_CCA_ORDER_AREA, "Largest first, equal areas by first pixel", "area"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static (GST_CCA_TYPE_PREFIX "Order", values));
  return type;
}
