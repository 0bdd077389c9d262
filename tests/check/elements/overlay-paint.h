/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TEST_OVERLAY_PAINT_H__
#define __CCA_TEST_OVERLAY_PAINT_H__

#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>

/* The definition of each pixel of an overlay. It shares with the elements only the
 * shapes of the digits, which come from the font. */

/* The properties. */
typedef struct
{
  guint32 color;
  guint line_width;
  gboolean draw_labels, draw_tracking_labels, tracking_colors, filled, trails;
  gboolean areas;
  gboolean lines, zones, regions, clock;
  GstClockTime clock_offset;    /* from the timestamp to the time of the clock */
  guint max_objects;
} Style;

extern const Style default_style;

/* Where the tracks have been: frame after frame. */
typedef struct
{
  GArray *points;               /* of TrailPoint, the newest last */
} History;

History history_new (void);
void history_clear (History * history);

/* Paints the components of the buffer's metas into its memory, which the info
 * describes, within that rectangle. */
void paint (GstBuffer * buffer, guint8 * bytes, const GstVideoInfo * info,
    const GstVideoRectangle * picture, const Style * style, History * history);

/* The values of a colour's channels. */
void paint_values (const GstVideoInfo * info, guint32 argb, guint values[3]);

#endif /* __CCA_TEST_OVERLAY_PAINT_H__ */
