/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_DRAWING_H__
#define __GST_CCA_DRAWING_H__

#include <gst/ccameta/gstccameta.h>
#include <gst/video/video.h>

#include "overlay/overlay.h"

G_BEGIN_DECLS

/**
 * GstCcaOverlayLabel:
 * @GST_CCA_OVERLAY_LABEL_ID: the id of the track, or of the component if it has
 *   no track
 * @GST_CCA_OVERLAY_LABEL_AREA: the area of the component in pixels
 *
 * The number in a label.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_OVERLAY_LABEL_ID,
  GST_CCA_OVERLAY_LABEL_AREA,
} GstCcaOverlayLabel;

/* The style of the drawing, from the properties of the elements. */
typedef struct {
  guint32 outline_color;        /* 0xAARRGGBB */
  guint line_width;             /* in pixels; 0: from the picture height */
  gboolean draw_labels, draw_tracking_labels;
  gboolean tracking_outline_colors;
  gboolean filled_box;
  gboolean trails;
  gboolean draw_lines, draw_zones, draw_regions;
  gboolean draw_clock;
  gboolean draw_axes;
  GstCcaOverlayLabel label;
  guint max_objects;
} GstCcaDrawingStyle;

/* The trails of the tracks that were seen last. */
typedef struct {
  GHashTable *by_id;
  GQueue by_age;                /* the one with the oldest last point first */
} GstCcaTrails;

void gst_cca_trails_init (GstCcaTrails * trails);
void gst_cca_trails_clear (GstCcaTrails * trails);

/* Removes all trails. */
void gst_cca_trails_forget (GstCcaTrails * trails);

/* A colour in the channels of the video. */
typedef struct {
  guint16 values[CCA_OVERLAY_MAX_CHANNELS];
  guint8 alpha;
} GstCcaColor;

/* The commands of shapes that do not change from frame to frame, and for what
 * they were prepared. */
typedef struct {
  GstCcaShapes *shapes;         /* NULL: none */
  guint ref_width, ref_height;  /* of the analysed picture */
  gint32 x, y;
  guint width, height;
  GstCcaDrawingStyle style;
  guint n_commands, n_words;    /* the first ones of the drawing */
  GArray *tints;                /* of CcaOverlayCommand: insides of zones */
  guint *ends;                  /* of the tints of each shape */
} GstCcaShapeLayer;

/* The drawing commands of a frame. The memory is reused for all frames and only
 * grows. */
typedef struct {
  GArray *commands;             /* of CcaOverlayCommand */
  GArray *words;
  const GstVideoInfo *info;
  GstCcaColor black, white;
  GstCcaShapeLayer layer;

  /* set by the caller, for the frame */
  gint32 x, y;                  /* position of the picture in the planes */
  guint width, height;          /* of the picture */
  guint digit_width, digit_height;      /* 0: there are no digits */
  GstCcaDrawingStyle style;
} GstCcaDrawing;

/* The font size of labels, and the line width that a width of 0 selects, both
 * in pixels, for a picture height. */
guint gst_cca_drawing_font_size (guint height);
guint gst_cca_drawing_line_width (guint height);

void gst_cca_drawing_init (GstCcaDrawing * drawing);
void gst_cca_drawing_clear (GstCcaDrawing * drawing);

/* Removes the commands of the last frame but those of its shapes. The info of the next one must stay
 * valid while commands are added. */
void gst_cca_drawing_begin (GstCcaDrawing * drawing,
    const GstVideoInfo * info);

/* Adds the commands for the shapes of a meta, before all others. For a frame
 * without shapes to draw, forget those of the frame before instead. */
void gst_cca_drawing_add_shapes (GstCcaDrawing * drawing,
    const GstCcaMeta * meta);
void gst_cca_drawing_forget_shapes (GstCcaDrawing * drawing);

/* Whether a meta has shapes of a kind that is drawn. */
gboolean gst_cca_drawing_style_has_shapes (const GstCcaDrawingStyle * style,
    const GstCcaMeta * meta);

/* Adds a time in hours, minutes, seconds and milliseconds. */
void gst_cca_drawing_add_clock (GstCcaDrawing * drawing, GstClockTime time);

/* Adds a text on a background of a colour, in capitals. Characters that there
 * are not become blanks. It is above that point, or below it if the picture has
 * no space above it, and moved into the picture as far as it fits. */
void gst_cca_drawing_add_text (GstCcaDrawing * drawing, const gchar * text,
    gint32 x, gint32 y, guint32 argb);

/* A colour of 0xAARRGGBB in the channels of the video, and the width of lines
 * in pixels. */
GstCcaColor gst_cca_drawing_color (const GstCcaDrawing * drawing,
    guint32 argb);
guint gst_cca_drawing_thickness (const GstCcaDrawing * drawing);

/* A segment from pixel to pixel of the planes. */
void gst_cca_drawing_add_segment (GstCcaDrawing * drawing,
    const GstCcaColor * color, const gint32 * a, const gint32 * b,
    gint32 thickness);

/* The axes of a component, in pixels of the picture: two ends of each, as x and
 * y. */
typedef struct {
  gdouble ends[4][2];
} GstCcaAxes;

/* Sets the axes of a component of a meta with moments. */
void gst_cca_drawing_find_axes (const GstCcaDrawing * drawing,
    const GstCcaMeta * meta, guint index, GstCcaAxes * axes);

/* Adds the commands for a component in pixels of the picture, on top of the
 * components before it, with its axes if they are not NULL. If trails are drawn,
 * a tracked one gets its trail. */
void gst_cca_drawing_add (GstCcaDrawing * drawing,
    const GstCcaComponent * component, const GstCcaAxes * axes,
    GstCcaTrails * trails);

/* Returns the commands added since gst_cca_drawing_begin(). The list is valid
 * until the drawing is changed. */
CcaOverlayList gst_cca_drawing_list (const GstCcaDrawing * drawing);

G_END_DECLS

#endif /* __GST_CCA_DRAWING_H__ */
