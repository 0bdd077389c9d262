/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccageometry.h"

GstCcaBox
gst_cca_box_of_component (const GstCcaComponent *component)
{
  return (GstCcaBox) {
    component->x,
    component->y,
    component->width,
    component->height,
  };
}

/* Rounds a coordinate of a centroid, where pixel i covers i - 0.5 to i + 0.5. */
static gint64
round_coordinate (gdouble v)
{
  const gdouble limit = (gint64) 1 << 40;
  const gdouble x = v * GST_CCA_POSITION_UNITS + 0.5;
  const gint64 n = x > -limit ? (gint64) MIN (x, limit) : (gint64) -limit;

  return n - (n > x) + GST_CCA_POSITION_UNITS / 2;
}

GstCcaPosition
gst_cca_centroid_of_component (const GstCcaComponent *component)
{
  return (GstCcaPosition) {
    round_coordinate (component->centroid_x),
    round_coordinate (component->centroid_y),
  };
}
