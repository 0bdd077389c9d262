/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Draws in place. All checks are done before a pixel is written: a frame
 * without components passes unchanged and without a copy. A frame that
 * contradicts its caps passes undrawn, with one warning. */

#include "gstccaoverlaybase.h"

#include <gst/ccameta/gstccafeatures.h>

#include "gstccadigits.h"
#include "gst/ccabase/gstccaproperty.h"
#include "gst/ccabase/gstccatypename.h"
#include "gst/ccabase/gstccavideoshape.h"

GST_DEBUG_CATEGORY_STATIC (gst_cca_overlay_base_debug);
#define GST_CAT_DEFAULT gst_cca_overlay_base_debug

#define DEFAULT_OUTLINE_COLOR 0xffffd000
#define DEFAULT_LINE_WIDTH 0
#define DEFAULT_LABEL GST_CCA_OVERLAY_LABEL_ID
#define DEFAULT_MAX_OBJECTS 1024
#define MAX_LINE_WIDTH 1024
#define MAX_MAX_OBJECTS 65536

/* Limit of the right and bottom end of a picture, so that sums of coordinates
 * do not overflow. */
#define MAX_END (CCA_OVERLAY_MAX_COORDINATE / 4)

enum
{
  PROP_0,
  PROP_OUTLINE_COLOR,
  PROP_LINE_WIDTH,
  PROP_DRAW_LABELS,
  PROP_DRAW_TRACKING_LABELS,
  PROP_TRACKING_OUTLINE_COLORS,
  PROP_FILLED_BOX,
  PROP_TRAILS,
  PROP_DRAW_LINES,
  PROP_DRAW_ZONES,
  PROP_DRAW_REGIONS,
  PROP_DRAW_CLOCK,
  PROP_DRAW_AXES,
  PROP_LABEL,
  PROP_MAX_OBJECTS,
};

GST_CCA_DEFINE_ABSTRACT_TYPE (GstCcaOverlayBase, gst_cca_overlay_base,
    "OverlayBase", GST_TYPE_BASE_TRANSFORM);
#define parent_class gst_cca_overlay_base_parent_class

static GType gst_cca_overlay_label_get_type (void);

/* *INDENT-OFF* */
GST_CCA_DEFINE_ENUM_TYPE (gst_cca_overlay_label, "OverlayLabel",
    {GST_CCA_OVERLAY_LABEL_ID,
      "The id of the track, or of the component if it has no track", "id"},
    {GST_CCA_OVERLAY_LABEL_AREA, "The area of the component in pixels", "area"})
/* *INDENT-ON* */

/* *INDENT-OFF* */
#define STYLE(GET_OR_SET) \
  GET_OR_SET (PROP_OUTLINE_COLOR, uint, outline_color) \
  GET_OR_SET (PROP_LINE_WIDTH, uint, line_width) \
  GET_OR_SET (PROP_DRAW_LABELS, boolean, draw_labels) \
  GET_OR_SET (PROP_DRAW_TRACKING_LABELS, boolean, draw_tracking_labels) \
  GET_OR_SET (PROP_TRACKING_OUTLINE_COLORS, boolean, tracking_outline_colors) \
  GET_OR_SET (PROP_FILLED_BOX, boolean, filled_box) \
  GET_OR_SET (PROP_TRAILS, boolean, trails) \
  GET_OR_SET (PROP_DRAW_LINES, boolean, draw_lines) \
  GET_OR_SET (PROP_DRAW_ZONES, boolean, draw_zones) \
  GET_OR_SET (PROP_DRAW_REGIONS, boolean, draw_regions) \
  GET_OR_SET (PROP_DRAW_CLOCK, boolean, draw_clock) \
  GET_OR_SET (PROP_DRAW_AXES, boolean, draw_axes) \
  GET_OR_SET (PROP_LABEL, enum, label) \
  GET_OR_SET (PROP_MAX_OBJECTS, uint, max_objects)
/* *INDENT-ON* */

static gboolean
set_style (GstCcaDrawingStyle *settings, guint prop_id, const GValue *value)
{
  switch (prop_id) {
    STYLE (GST_CCA_SET_CASE);
    default:
      return FALSE;
  }
}

static gboolean
get_style (const GstCcaDrawingStyle *settings, guint prop_id, GValue *value)
{
  switch (prop_id) {
    STYLE (GST_CCA_GET_CASE);
    default:
      return FALSE;
  }
}

static void
gst_cca_overlay_base_set_property (GObject *object, guint prop_id,
    const GValue *value, GParamSpec *pspec)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = set_style (&self->style, prop_id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gst_cca_overlay_base_get_property (GObject *object, guint prop_id,
    GValue *value, GParamSpec *pspec)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = get_style (&self->style, prop_id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static gboolean
gst_cca_overlay_base_set_caps (GstBaseTransform *trans, GstCaps *incaps,
    GstCaps *outcaps)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (trans);
  const gint old_width = GST_VIDEO_INFO_WIDTH (&self->info);
  const gint old_height = GST_VIDEO_INFO_HEIGHT (&self->info);
  guint font_size;

  if (!gst_video_info_from_caps (&self->info, incaps)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("GStreamer has no layout for frames of this size."),
        ("%" GST_PTR_FORMAT, incaps));
    return FALSE;
  }
  self->warned = 0;
  gst_cca_drawing_forget_shapes (&self->drawing);
  if (GST_VIDEO_INFO_WIDTH (&self->info) != old_width
      || GST_VIDEO_INFO_HEIGHT (&self->info) != old_height)
    gst_cca_trails_forget (&self->trails);

  font_size = gst_cca_drawing_font_size (GST_VIDEO_INFO_HEIGHT (&self->info));
  if (font_size != self->font_size) {
    gst_cca_digits_make (&self->digits, font_size);
    self->font_size = font_size;
    self->digits_made++;
  }
  return TRUE;
}

static gboolean
gst_cca_overlay_base_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (trans);

  gst_cca_meta_watch_event (&self->watch, GST_ELEMENT (self), event);
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_SEGMENT:
      self->warned = 0;
      break;
    case GST_EVENT_STREAM_START:
    case GST_EVENT_FLUSH_STOP:
      gst_cca_trails_forget (&self->trails);
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

static gboolean
gst_cca_overlay_base_stop (GstBaseTransform *trans)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (trans);

  /* As in gst_cca_base_stop(): another thread may set caps at any time. */
  GST_PAD_STREAM_LOCK (trans->sinkpad);
  gst_cca_trails_forget (&self->trails);
  gst_cca_drawing_forget_shapes (&self->drawing);
  gst_video_info_init (&self->info);
  GST_PAD_STREAM_UNLOCK (trans->sinkpad);
  return TRUE;
}

/* While trails are disabled their points are not recorded, so they must restart
 * when they are enabled again. */
static void
take_style (GstCcaOverlayBase *self)
{
  GST_OBJECT_LOCK (self);
  self->drawing.style = self->style;
  GST_OBJECT_UNLOCK (self);
  if (!self->drawing.style.trails)
    gst_cca_trails_forget (&self->trails);
}

static gboolean
is_drawn (GstCcaOverlayBase *self, GstBuffer *buffer)
{
  const GstCcaDrawingStyle *style = &self->drawing.style;
  gpointer state = NULL;
  GstMeta *meta;

  if (style->draw_clock && GST_BUFFER_PTS_IS_VALID (buffer))
    return TRUE;
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;

    if (gst_cca_meta_get_n_components (cca) > 0
        || gst_cca_drawing_style_has_shapes (style, cca))
      return TRUE;
  }
  return FALSE;
}

gboolean
gst_cca_overlay_base_will_draw (GstCcaOverlayBase *self, GstBuffer *buffer)
{
  take_style (self);
  return is_drawn (self, buffer);
}

static GstFlowReturn
gst_cca_overlay_base_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *input, GstBuffer **output)
{
  if (!gst_cca_overlay_base_will_draw (GST_CCA_OVERLAY_BASE (trans), input)) {
    *output = input;
    return GST_FLOW_OK;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)
      ->prepare_output_buffer (trans, input, output);
}

/* Checks whether the frame is the analysed picture, perhaps scaled. */
static gboolean
fits (GstCcaOverlayBase *self, GstBuffer *buffer, const GstCcaMeta *meta)
{
  const GstCcaVideoShape shape = {
    self->drawing.width,
    self->drawing.height,
    GST_VIDEO_INFO_PAR_N (&self->info),
    GST_VIDEO_INFO_PAR_D (&self->info),
  };

  return gst_cca_video_shape_fits (&shape, buffer, meta, GST_ELEMENT (self),
      &self->warned,
      "its components would be "
      "misplaced and are not drawn");
}

/* Draws the shapes of the first meta that has any. */
static void
add_shapes (GstCcaOverlayBase *self, GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;

    if (gst_cca_drawing_style_has_shapes (&self->drawing.style, cca)
        && fits (self, buffer, cca)) {
      gst_cca_drawing_add_shapes (&self->drawing, cca);
      return;
    }
  }
  gst_cca_drawing_forget_shapes (&self->drawing);
}

/* Several elements may have analysed the frame: draws the components of all
 * metas. */
static void
add_components (GstCcaOverlayBase *self, GstBuffer *buffer)
{
  GstCcaDrawing *drawing = &self->drawing;
  guint room = drawing->style.max_objects;
  guint64 left_out = 0;
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;
    const guint n = gst_cca_meta_get_n_components (cca);
    const guint n_drawn = MIN (n, room);
    const gboolean has_axes = drawing->style.draw_axes
        && gst_cca_meta_get_feature_flags (cca) & GST_CCA_FEATURE_FLAG_MOMENTS;
    GstCcaComponent component;
    GstCcaAxes axes;
    guint i;

    if (n > 0 && !fits (self, buffer, cca))
      continue;
    for (i = 0; i < n_drawn; i++) {
      gst_cca_meta_get_component_scaled (cca, i, drawing->width,
          drawing->height, &component);
      if (has_axes)
        gst_cca_drawing_find_axes (drawing, cca, i, &axes);
      gst_cca_drawing_add (drawing, &component, has_axes ? &axes : NULL,
          &self->trails);
    }
    room -= n_drawn;
    left_out += n - n_drawn;
  }
  if (left_out > 0
      && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_LEFT_OUT))
    GST_WARNING_OBJECT (self,
        "%" G_GUINT64_FORMAT " components are not drawn: "
        "max-objects is too small",
        left_out);
}

static void
add_clock (GstCcaOverlayBase *self, GstBuffer *buffer)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time = GST_BUFFER_PTS (buffer);

  if (!self->drawing.style.draw_clock || !GST_CLOCK_TIME_IS_VALID (time))
    return;
  if (segment->format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time);
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_cca_drawing_add_clock (&self->drawing, time);
}

static void
begin_drawing (GstCcaOverlayBase *self, const GstCcaPicture *picture)
{
  GstCcaDrawing *drawing = &self->drawing;

  gst_cca_drawing_begin (drawing, &self->info);
  drawing->x = picture->x;
  drawing->y = picture->y;
  drawing->width = picture->width;
  drawing->height = picture->height;
  drawing->digit_width = self->digits.width;
  drawing->digit_height = self->digits.height;
}

static gboolean
find_picture (GstCcaOverlayBase *self, GstBuffer *buffer,
    GstCcaPicture *picture, gchar **why)
{
  if (!gst_cca_picture_find (picture, buffer, &self->info, why))
    return FALSE;
  if ((guint64) picture->x + picture->width <= MAX_END
      && (guint64) picture->y + picture->height <= MAX_END)
    return TRUE;
  *why =
      g_strdup_printf ("frames must not exceed %d columns and rows", MAX_END);
  return FALSE;
}

static GstFlowReturn
gst_cca_overlay_base_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (trans);
  GstFlowReturn ret = GST_FLOW_OK;
  GstCcaPicture picture;
  CcaOverlayList list;
  gchar *why = NULL;

  gst_cca_meta_watch_buffer (&self->watch, GST_ELEMENT (self), buffer,
      gst_buffer_get_cca_meta (buffer) != NULL);
  /* A gap without memory has no picture. */
  if (!is_drawn (self, buffer) || gst_buffer_get_size (buffer) == 0)
    return GST_FLOW_OK;

  if (find_picture (self, buffer, &picture, &why) && picture.width != 0) {
    begin_drawing (self, &picture);
    add_shapes (self, buffer);
    add_components (self, buffer);
    add_clock (self, buffer);
    list = gst_cca_drawing_list (&self->drawing);
    if (list.n_commands > 0)
      ret = GST_CCA_OVERLAY_BASE_GET_CLASS (self)->draw (self, buffer, &picture,
          &list, &why);
  }
  if (why != NULL && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_UNDRAWN))
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("The components are not drawn: %s.", why), (NULL));
  g_free (why);
  return ret;
}

/* Returns how many samples of a channel cover the pixels below end in a column
 * or a row, with 2^cell pixels per sample. */
static guint
n_cells (guint end, guint cell)
{
  return (end + (1u << cell) - 1) >> cell;
}

static gboolean
check_channel (const CcaOverlayPicture *picture,
    const CcaOverlayChannel *channel, const GstCcaOverlayPlane *plane,
    guint first, gchar **why)
{
  const guint64 row =
      (guint64) channel->step * (n_cells (picture->x1, channel->cell_x) - 1)
      + first + picture->sample_size;
  const guint rows = n_cells (picture->y1, channel->cell_y);
  guint64 needed;

  if (rows > 1 && (plane->stride < 0 || (guint64) plane->stride < row)) {
    *why = g_strdup_printf ("a stride of %" G_GSSIZE_FORMAT " bytes is too "
                            "short for rows of %" G_GUINT64_FORMAT " bytes",
        plane->stride, row);
    return FALSE;
  }
  needed = (guint64) (rows - 1) * plane->stride + row;
  if (needed > plane->size) {
    *why = g_strdup_printf ("a plane needs %" G_GUINT64_FORMAT " bytes but has "
                            "%" G_GSIZE_FORMAT,
        needed, plane->size);
    return FALSE;
  }
  if ((guintptr) plane->data % picture->sample_size != 0
      || (rows > 1 && plane->stride % picture->sample_size != 0)) {
    *why = g_strdup ("16-bit samples are at odd addresses");
    return FALSE;
  }
  return TRUE;
}

/* Returns the offset of the first sample of a channel in its plane, in bytes.
 * For V of P010 and similar formats GStreamer's table has 1, which is in
 * samples. */
static guint
first_byte (const GstVideoFormatInfo *format, guint channel, guint sample_size)
{
  const guint first = GST_VIDEO_FORMAT_INFO_POFFSET (format, channel);

  return first % sample_size != 0 ? first * sample_size : first;
}

gboolean
gst_cca_overlay_describe (CcaOverlayPicture *out, const GstVideoInfo *info,
    const GstCcaPicture *picture, const GstCcaOverlayPlane *planes, gchar **why)
{
  const GstVideoFormatInfo *format = info->finfo;
  guint i;

  *out = (CcaOverlayPicture) {
    .n_channels = MIN (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format),
        CCA_OVERLAY_MAX_CHANNELS),
    .x0 = picture->x,
    .y0 = picture->y,
    .x1 = picture->x + picture->width,
    .y1 = picture->y + picture->height,
    .sample_size = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0) > 8 ? 2 : 1,
    .depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0),
    .shift = GST_VIDEO_FORMAT_INFO_SHIFT (format, 0),
  };
  for (i = 0; i < out->n_channels; i++) {
    const GstCcaOverlayPlane *plane =
        &planes[GST_VIDEO_FORMAT_INFO_PLANE (format, i)];
    const guint first = first_byte (format, i, out->sample_size);

    out->channels[i] = (CcaOverlayChannel) {
      .data = plane->data + first,
      .stride = plane->stride,
      .step = GST_VIDEO_FORMAT_INFO_PSTRIDE (format, i),
      .cell_x = GST_VIDEO_FORMAT_INFO_W_SUB (format, i),
      .cell_y = GST_VIDEO_FORMAT_INFO_H_SUB (format, i),
    };
    if (!check_channel (out, &out->channels[i], plane, first, why))
      return FALSE;
  }
  return TRUE;
}

static void
gst_cca_overlay_base_finalize (GObject *object)
{
  GstCcaOverlayBase *self = GST_CCA_OVERLAY_BASE (object);

  gst_cca_digits_clear (&self->digits);
  gst_cca_drawing_clear (&self->drawing);
  gst_cca_trails_clear (&self->trails);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_boolean (GObjectClass *klass, guint prop_id, const gchar *name,
    const gchar *nick, const gchar *blurb, gboolean value)
{
  g_object_class_install_property (klass, prop_id,
      g_param_spec_boolean (name, nick, blurb, value, GST_CCA_PARAM_PLAYING));
}

static void
install_properties (GObjectClass *klass)
{
  /**
   * GstCcaOverlayBase:object-detection-outline-color:
   *
   * Colour of boxes and label backgrounds, as 0xAARRGGBB. If
   * #GstCcaOverlayBase:tracking-outline-colors is set, tracked components use
   * only the alpha of it.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_OUTLINE_COLOR,
      g_param_spec_uint ("object-detection-outline-color",
          "Object Detection Outline Color",
          "Colour of boxes and label backgrounds, as 0xAARRGGBB. With "
          "tracking-outline-colors tracked components use only its alpha",
          0, G_MAXUINT32, DEFAULT_OUTLINE_COLOR, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaOverlayBase:line-width:
   *
   * Width of outlines and trails in pixels. Outlines are drawn inside the box.
   * 0 selects 1/360 of the height of the picture, at least 2 pixels.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LINE_WIDTH,
      g_param_spec_uint ("line-width", "Line Width",
          "Width of outlines and trails in pixels (0 = 1/360 of the picture "
          "height, at least 2)",
          0, MAX_LINE_WIDTH, DEFAULT_LINE_WIDTH, GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaOverlayBase:draw-labels:
   *
   * Draw a label for components without a track.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_LABELS, "draw-labels", "Draw Labels",
      "Draw a label for components without a track", TRUE);

  /**
   * GstCcaOverlayBase:draw-tracking-labels:
   *
   * Draw a label for components with a track.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_TRACKING_LABELS, "draw-tracking-labels",
      "Draw Tracking Labels", "Draw a label for components with a track", TRUE);

  /**
   * GstCcaOverlayBase:tracking-outline-colors:
   *
   * Draw each track in a colour of its own, which depends only on its id.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_TRACKING_OUTLINE_COLORS,
      "tracking-outline-colors", "Tracking Outline Colors",
      "Draw each track in a colour of its own, which depends only on its id",
      TRUE);

  /**
   * GstCcaOverlayBase:filled-box:
   *
   * Fill the inside of boxes with a quarter of the alpha of their outline.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_FILLED_BOX, "filled-box", "Filled Box",
      "Fill the inside of boxes with a quarter of the alpha of their outline",
      FALSE);

  /**
   * GstCcaOverlayBase:trails:
   *
   * Draw the path of each track that is seen in the frame: its last 32
   * centroids.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_TRAILS, "trails", "Trails",
      "Draw the last 32 centroids of each track that is seen in the frame",
      TRUE);

  /**
   * GstCcaOverlayBase:draw-lines:
   *
   * Draw the lines of #GstCcaMeta, such as those of `ccatrack`, with their names
   * and counts: "<" precedes the crossings to the left, ">" those to the right.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_LINES, "draw-lines", "Draw Lines",
      "Draw lines at which objects are counted, with names and counts", TRUE);

  /**
   * GstCcaOverlayBase:draw-zones:
   *
   * Draw the zones of #GstCcaMeta with their names and the number of objects
   * inside. A zone with objects inside is tinted.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_ZONES, "draw-zones", "Draw Zones",
      "Draw zones in which objects are counted, with names and counts, tinted "
      "if objects are inside",
      TRUE);

  /**
   * GstCcaOverlayBase:draw-regions:
   *
   * Draw the outlines and names of the regions of #GstCcaMeta that are analysed,
   * and of those that are not.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_REGIONS, "draw-regions", "Draw Regions",
      "Draw regions that are analysed or not, with names", TRUE);

  /**
   * GstCcaOverlayBase:draw-clock:
   *
   * Draw the stream time of the buffer in the upper left corner, as
   * hours:minutes:seconds.milliseconds.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_CLOCK, "draw-clock", "Draw Clock",
      "Draw the stream time of the buffer in the upper left corner", FALSE);

  /**
   * GstCcaOverlayBase:draw-axes:
   *
   * Draw the axes of the ellipse with the same second moments as the component,
   * if its meta has features with moments.
   *
   * Since: 0.1
   */
  install_boolean (klass, PROP_DRAW_AXES, "draw-axes", "Draw Axes",
      "Draw the major and minor axis of each component. Set features=moments "
      "of the analysing element",
      FALSE);

  /**
   * GstCcaOverlayBase:label:
   *
   * The number in the labels.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_LABEL,
      g_param_spec_enum ("label", "Label",
          "Number to draw in the labels. Use area to choose min-area of the "
          "element that analyses the video",
          gst_cca_overlay_label_get_type (), DEFAULT_LABEL,
          GST_CCA_PARAM_PLAYING));

  /**
   * GstCcaOverlayBase:max-objects:
   *
   * Maximum number of components to draw in a frame, in the order of the meta.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_MAX_OBJECTS,
      g_param_spec_uint ("max-objects", "Maximum Objects",
          "Maximum number of components to draw in a frame, in the order of "
          "the meta",
          0, MAX_MAX_OBJECTS, DEFAULT_MAX_OBJECTS, GST_CCA_PARAM_PLAYING));
}

static void
gst_cca_overlay_base_class_init (GstCcaOverlayBaseClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_cca_overlay_base_debug, "ccaoverlaybase", 0,
      "drawing of connected components");

  object_class->set_property = gst_cca_overlay_base_set_property;
  object_class->get_property = gst_cca_overlay_base_get_property;
  object_class->finalize = gst_cca_overlay_base_finalize;
  install_properties (object_class);

  trans_class->set_caps = GST_DEBUG_FUNCPTR (gst_cca_overlay_base_set_caps);
  trans_class->sink_event = GST_DEBUG_FUNCPTR (gst_cca_overlay_base_sink_event);
  trans_class->stop = GST_DEBUG_FUNCPTR (gst_cca_overlay_base_stop);
  trans_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_cca_overlay_base_prepare_output_buffer);
  trans_class->transform_ip =
      GST_DEBUG_FUNCPTR (gst_cca_overlay_base_transform_ip);
  trans_class->transform_ip_on_passthrough = FALSE;

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_OVERLAY_BASE, 0);
  gst_type_mark_as_plugin_api (gst_cca_overlay_label_get_type (), 0);
}

static void
gst_cca_overlay_base_init (GstCcaOverlayBase *self)
{
  self->style = (GstCcaDrawingStyle) {
    .outline_color = DEFAULT_OUTLINE_COLOR,
    .line_width = DEFAULT_LINE_WIDTH,
    .draw_labels = TRUE,
    .draw_tracking_labels = TRUE,
    .tracking_outline_colors = TRUE,
    .trails = TRUE,
    .draw_lines = TRUE,
    .draw_zones = TRUE,
    .draw_regions = TRUE,
    .label = DEFAULT_LABEL,
    .max_objects = DEFAULT_MAX_OBJECTS,
  };
  gst_video_info_init (&self->info);
  gst_cca_drawing_init (&self->drawing);
  gst_cca_trails_init (&self->trails);
}
