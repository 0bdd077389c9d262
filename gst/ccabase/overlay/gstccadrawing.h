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
 * @GST_CCA_OVERLAY_LABEL_ID: the id of the track, else that of the component
 * @GST_CCA_OVERLAY_LABEL_AREA: the number of pixels
 *
 * What is written at a box.
 *
 * Since: 0.1
 */
typedef enum {
  GST_CCA_OVERLAY_LABEL_ID,
  GST_CCA_OVERLAY_LABEL_AREA,
} GstCcaOverlayLabel;

/* What the components are drawn like: the properties of the elements. */
typedef struct {
  guint32 outline_color;
  guint line_width;             /* 0: by the height of the picture */
  gboolean draw_labels, draw_tracking_labels;
  gboolean tracking_outline_colors;
  gboolean filled_box;
  gboolean trails;
  GstCcaOverlayLabel label;
  guint max_objects;
} GstCcaDrawingStyle;

/* The last points of the latest tracks. */
typedef struct {
  GHashTable *by_id;
  GQueue by_age;                /* by their last points, the oldest one first */
} GstCcaTrails;

void gst_cca_trails_init (GstCcaTrails * trails);
void gst_cca_trails_clear (GstCcaTrails * trails);
void gst_cca_trails_forget (GstCcaTrails * trails);

/* The commands for one frame. Its memory serves all frames, and grows with the
 * most components that one had. */
typedef struct {
  GArray *commands;             /* of CcaOverlayCommand */
  GArray *words;

  /* set by the caller, for the frame */
  const GstVideoInfo *info;
  gint32 x, y;                  /* where in the planes the picture lies */
  guint width, height;          /* of the picture */
  guint digit_width, digit_height;      /* 0: there are none */
  GstCcaDrawingStyle style;
} GstCcaDrawing;

/* The size of digits, and what a line width of 0 is, in a picture so high. */
guint gst_cca_drawing_font_size (guint height);
guint gst_cca_drawing_line_width (guint height);

void gst_cca_drawing_init (GstCcaDrawing * drawing);
void gst_cca_drawing_clear (GstCcaDrawing * drawing);

void gst_cca_drawing_begin (GstCcaDrawing * drawing);

/* Adds a component, scaled to the picture, over those before it. One that has a
 * track also gets its trail if trails are drawn. */
void gst_cca_drawing_add (GstCcaDrawing * drawing,
    const GstCcaComponent * component, GstCcaTrails * trails);

/* What has been added, until it is changed. */
CcaOverlayList gst_cca_drawing_list (const GstCcaDrawing * drawing);

G_END_DECLS

#endif /* __GST_CCA_DRAWING_H__ */
