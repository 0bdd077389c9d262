/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_GEOMETRY_H__
#define __GST_CCA_GEOMETRY_H__

#include <gst/ccameta/gstccameta.h>

G_BEGIN_DECLS

typedef struct {
  gint64 x, y;
  gint64 width, height;         /* less than 2^32 */
} GstCcaBox;

#define GST_CCA_POSITION_UNITS 256

/* A point in units of 1/256 pixel: pixel i covers [256 i, 256 (i + 1)). Both
 * coordinates are less than 2^42 in absolute value. */
typedef struct {
  gint64 x, y;
} GstCcaPosition;

GstCcaBox gst_cca_box_of_component (const GstCcaComponent * component);

/* Returns the number of pixels that two boxes have in common. They must
 * overlap. */
static inline guint64
gst_cca_box_get_common (const GstCcaBox * self, const GstCcaBox * other)
{
  const gint64 x0 = MAX (self->x, other->x);
  const gint64 y0 = MAX (self->y, other->y);
  const gint64 x1 = MIN (self->x + self->width, other->x + other->width);
  const gint64 y1 = MIN (self->y + self->height, other->y + other->height);

  return (guint64) (x1 - x0) * (guint64) (y1 - y0);
}

/* Rounds the centroid and limits it to 2^32 pixels. NaN becomes the minimum. */
GstCcaPosition gst_cca_centroid_of_component (const GstCcaComponent *
    component);

G_END_DECLS

#endif /* __GST_CCA_GEOMETRY_H__ */
