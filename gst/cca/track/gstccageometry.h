/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_GEOMETRY_H__
#define __GST_CCA_GEOMETRY_H__

#include <glib.h>

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

G_END_DECLS

#endif /* __GST_CCA_GEOMETRY_H__ */
