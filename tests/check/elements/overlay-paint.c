/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "overlay-paint.h"

#include <math.h>
#include <string.h>

#include "gst/ccabase/overlay/gstccadigits.h"

#define TRAIL 32

const Style default_style = {
  .color = 0xffffd000,
  .draw_labels = TRUE,
  .draw_tracking_labels = TRUE,
  .tracking_colors = TRUE,
  .trails = TRUE,
  .lines = TRUE,
  .zones = TRUE,
  .regions = TRUE,
  .max_objects = 1024,
};

typedef struct
{
  gint64 id;
  gint x, y;
} TrailPoint;

History
history_new (void)
{
  return (History) {g_array_new (FALSE, FALSE, sizeof (TrailPoint))};
}

void
history_clear (History *history)
{
  g_array_unref (history->points);
}

/* --- colours -------------------------------------------------------------- */

static guint
nearest (long double v, guint depth)
{
  const long double top = (1 << depth) - 1;

  /* halves are rounded up, also those that binary cannot represent */
  return CLAMP (floorl (v + 0.5L + 1e-12L), 0, top);
}

void
paint_values (const GstVideoInfo *info, guint32 argb, guint values[3])
{
  const long double r = (argb >> 16 & 255) / 255.0L;
  const long double g = (argb >> 8 & 255) / 255.0L;
  const long double b = (argb & 255) / 255.0L;
  const guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);
  const GstVideoColorRange range = info->colorimetry.range;
  const gboolean full = range == GST_VIDEO_COLOR_RANGE_0_255
      || (range == GST_VIDEO_COLOR_RANGE_UNKNOWN
          && GST_VIDEO_INFO_IS_RGB (info));
  const long double one = 1 << (depth - 8);
  const long double black = full ? 0 : 16 * one;
  const long double luma = full ? (1 << depth) - 1 : 219 * one;
  const long double chroma = full ? (1 << depth) - 1 : 224 * one;
  long double kr = 0.299L, kb = 0.114L, y;

  if (GST_VIDEO_INFO_IS_RGB (info)) {
    values[0] = nearest (black + luma * r, depth);
    values[1] = nearest (black + luma * g, depth);
    values[2] = nearest (black + luma * b, depth);
    return;
  }
  switch (info->colorimetry.matrix) {
    case GST_VIDEO_COLOR_MATRIX_BT709:
      kr = 0.2126L;
      kb = 0.0722L;
      break;
    case GST_VIDEO_COLOR_MATRIX_BT2020:
      kr = 0.2627L;
      kb = 0.0593L;
      break;
    case GST_VIDEO_COLOR_MATRIX_SMPTE240M:
      kr = 0.212L;
      kb = 0.087L;
      break;
    case GST_VIDEO_COLOR_MATRIX_FCC:
      kr = 0.30L;
      kb = 0.11L;
      break;
    default:
      break;
  }
  y = kr * r + (1 - kr - kb) * g + kb * b;
  values[0] = nearest (black + luma * y, depth);
  values[1] = nearest (128 * one + chroma * (b - y) / (2 * (1 - kb)), depth);
  values[2] = nearest (128 * one + chroma * (r - y) / (2 * (1 - kr)), depth);
}

/* Hues in steps of the golden ratio, no channel below a quarter. */
static guint32
track_color (gint64 id, guint alpha)
{
  const guint64 step = G_GUINT64_CONSTANT (2654435769);
  const guint64 turn = ((guint64) id * step) % (G_GUINT64_CONSTANT (1) << 32);
  const guint hue = turn * 6 / (1 << 24), part = hue % 256;
  guint rgb[3], i;

  switch (hue / 256) {
    case 0:
      rgb[0] = 255, rgb[1] = part, rgb[2] = 0;
      break;
    case 1:
      rgb[0] = 255 - part, rgb[1] = 255, rgb[2] = 0;
      break;
    case 2:
      rgb[0] = 0, rgb[1] = 255, rgb[2] = part;
      break;
    case 3:
      rgb[0] = 0, rgb[1] = 255 - part, rgb[2] = 255;
      break;
    case 4:
      rgb[0] = part, rgb[1] = 0, rgb[2] = 255;
      break;
    default:
      rgb[0] = 255, rgb[1] = 0, rgb[2] = 255 - part;
      break;
  }
  for (i = 0; i < 3; i++)
    rgb[i] = 64 + rgb[i] * 191 / 255;
  return alpha << 24 | rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

/* --- shapes: the alpha of each pixel ------------------------------------- */

typedef struct
{
  guint width, height;
  guint8 *alpha;
} Mask;

static void
mask_fill (Mask *mask, gint64 x0, gint64 y0, gint64 x1, gint64 y1, guint alpha)
{
  gint64 x, y;

  for (y = MAX (y0, 0); y < MIN (y1, mask->height); y++)
    for (x = MAX (x0, 0); x < MIN (x1, mask->width); x++)
      mask->alpha[y * mask->width + x] = alpha;
}

static void
mask_box (Mask *mask, const GstCcaComponent *c, guint line, guint alpha,
    guint inside)
{
  const gint64 x1 = (gint64) c->x + c->width, y1 = (gint64) c->y + c->height;

  mask_fill (mask, c->x, c->y, x1, y1, alpha);
  mask_fill (mask, (gint64) c->x + line, (gint64) c->y + line, x1 - line,
      y1 - line, inside);
}

/* A stretch of pixels across the line in each column, or each row. */
static void
mask_segment (Mask *mask, const TrailPoint *a, const TrailPoint *b, guint line,
    guint alpha)
{
  const gint dx = b->x - a->x, dy = b->y - a->y;
  const gboolean steep = ABS (dy) > ABS (dx);
  const gint n = steep ? ABS (dy) : ABS (dx);
  const gint half = line / 2;
  gint i;

  for (i = 0; i <= n; i++) {
    const gint along = (steep ? dy : dx) < 0 ? -i : i;
    const gdouble across = n == 0 ? 0 : (gdouble) (steep ? dx : dy) * i / n;

    if (steep) {
      const gint x = a->x + (gint) floor (across + 0.5);

      mask_fill (mask, x - half, a->y + along, x - half + (gint) line,
          a->y + along + 1, alpha);
    } else {
      const gint y = a->y + (gint) floor (across + 0.5);

      mask_fill (mask, a->x + along, y - half, a->x + along + 1,
          y - half + (gint) line, alpha);
    }
  }
}

static void
mask_trail (Mask *mask, const History *history, gint64 id, guint line,
    guint alpha)
{
  const TrailPoint *points = (const TrailPoint *) history->points->data;
  const TrailPoint *later = NULL;
  const gint half = line / 2;
  guint i, n = 0;

  for (i = history->points->len; i-- > 0 && n < TRAIL;) {
    if (points[i].id != id)
      continue;
    mask_fill (mask, points[i].x - half, points[i].y - half,
        points[i].x - half + (gint) line, points[i].y - half + (gint) line,
        alpha);
    if (later != NULL)
      mask_segment (mask, &points[i], later, line, alpha);
    later = &points[i];
    n++;
  }
}

/* The places of the characters in the font. */
static guint
glyph_of (gchar c)
{
  static const gchar letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static const gchar signs[] = "-_.:+/<>";
  const gchar *at;

  if (g_ascii_isdigit (c))
    return c - '0';
  if ((at = strchr (letters, g_ascii_toupper (c))) != NULL)
    return 10 + (at - letters);
  if ((at = strchr (signs, c)) != NULL)
    return 36 + (at - signs);
  return 44;
}

static void
mask_text (Mask *mask, const CcaOverlayGlyphs *digits, const gchar *text,
    gint64 x, gint64 y, guint alpha)
{
  guint row, column;

  for (; *text != '\0'; text++, x += digits->width) {
    const guint8 *shape =
        digits->coverage + glyph_of (*text) * digits->width * digits->height;

    for (row = 0; row < digits->height; row++)
      for (column = 0; column < digits->width; column++)
        mask_fill (mask, x + column, y + row, x + column + 1, y + row + 1,
            floor (shape[row * digits->width + column] * alpha / 255.0 + 0.5));
  }
}

/* --- samples -------------------------------------------------------------- */

static guint8 *
sample (guint8 *bytes, const GstVideoInfo *info, guint channel, guint x,
    guint y)
{
  const gboolean is_wide = GST_VIDEO_INFO_COMP_DEPTH (info, channel) > 8;
  gsize first = GST_VIDEO_INFO_COMP_POFFSET (info, channel);

  /* the component offsets of P010, P012 and P016 in GStreamer are wrong */
  if (is_wide && GST_VIDEO_INFO_N_PLANES (info) == 2)
    first = channel == 2 ? 2 : 0;
  return bytes + first
      + GST_VIDEO_INFO_PLANE_OFFSET (info,
          GST_VIDEO_INFO_COMP_PLANE (info, channel))
      + (gsize) y * GST_VIDEO_INFO_COMP_STRIDE (info, channel)
      + (gsize) x * GST_VIDEO_INFO_COMP_PSTRIDE (info, channel);
}

static void
blend (guint8 *bytes, const GstVideoInfo *info, guint channel, guint x, guint y,
    guint alpha, guint color)
{
  const guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, channel);
  const guint shift = GST_VIDEO_FORMAT_INFO_SHIFT (info->finfo, channel);
  guint8 *at = sample (bytes, info, channel, x, y);
  guint value = depth > 8 ? GST_READ_UINT16_LE (at) : *at;

  value = (value >> shift) % (1 << depth);
  value = (alpha * color + (255 - alpha) * value + 127) / 255;
  if (depth > 8)
    GST_WRITE_UINT16_LE (at, value << shift);
  else
    *at = value;
}

/* Each sample is drawn once, with the largest alpha of its pixels; the mask then
 * becomes empty. */
static void
apply (Mask *mask, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, guint32 color)
{
  const guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3);
  guint values[3], c;
  gint x, y;

  paint_values (info, color, values);
  for (c = 0; c < n; c++) {
    const guint w = GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, c);
    const guint h = GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, c);
    const guint columns = (picture->x + picture->w + (1 << w) - 1) >> w;
    const guint rows = (picture->y + picture->h + (1 << h) - 1) >> h;
    guint8 *most = g_malloc0 (columns * rows);
    guint i;

    for (y = 0; y < picture->h; y++)
      for (x = 0; x < picture->w; x++) {
        guint8 *cell =
            most + ((picture->y + y) >> h) * columns + ((picture->x + x) >> w);

        *cell = MAX (*cell, mask->alpha[y * picture->w + x]);
      }
    for (i = 0; i < columns * rows; i++)
      if (most[i] != 0)
        blend (bytes, info, c, i % columns, i / columns, most[i], values[c]);
    g_free (most);
  }
  memset (mask->alpha, 0, mask->width * mask->height);
}

/* --- records -------------------------------------------------------------- */

static gint
pixel_of (gdouble centroid, gint size)
{
  return CLAMP (floor (centroid + 0.5), 0, size - 1);
}

static void
paint_label (Mask *mask, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, gint64 x, gint64 y, const gchar *text,
    guint32 color, const CcaOverlayGlyphs *digits)
{
  const guint luma = 299 * (color >> 16 & 255) + 587 * (color >> 8 & 255)
      + 114 * (color & 255);
  const guint32 ink = luma >= 128000 ? 0 : 0xffffff;
  const gint margin = digits->height / 5;
  const gint high = digits->height + 2 * margin;
  const gint wide = strlen (text) * digits->width + 2 * margin;

  if (x + wide > picture->w)
    x = picture->w - wide;
  if (y >= high)
    y -= high;
  if (y + high > picture->h)
    y = picture->h - high;
  x = MAX (x, 0);
  y = MAX (y, 0);
  mask_fill (mask, x, y, x + wide, y + high, color >> 24);
  apply (mask, bytes, info, picture, color);
  mask_text (mask, digits, text, x + margin, y + margin, color >> 24);
  apply (mask, bytes, info, picture, (color & 0xff000000) | ink);
}

static void
paint_component (Mask *mask, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, const Style *style, History *history,
    const GstCcaComponent *c, const CcaOverlayGlyphs *digits)
{
  const guint line = style->line_width != 0
      ? style->line_width
      : (guint) MAX (2, picture->h / 360);
  const gboolean tracked = c->track_id >= 0;
  const guint alpha = style->color >> 24;
  guint32 color = style->color;

  if (tracked && style->tracking_colors)
    color = track_color (c->track_id, alpha);
  if (tracked && style->trails && !isnan (c->centroid_x)
      && !isnan (c->centroid_y)) {
    const TrailPoint point = {c->track_id, pixel_of (c->centroid_x, picture->w),
      pixel_of (c->centroid_y, picture->h)};

    g_array_append_val (history->points, point);
    mask_trail (mask, history, c->track_id, line, alpha);
    apply (mask, bytes, info, picture, color);
  }
  mask_box (mask, c, line, alpha, style->filled ? alpha / 4 : 0);
  apply (mask, bytes, info, picture, color);
  if (digits->width > 0
      && (tracked ? style->draw_tracking_labels : style->draw_labels)) {
    gchar *text = g_strdup_printf ("%" G_GUINT64_FORMAT,
        style->areas  ? c->area
            : tracked ? (guint64) c->track_id
                      : c->id);

    paint_label (mask, bytes, info, picture, c->x, c->y, text, color, digits);
    g_free (text);
  }
}

/* --- lines, zones and regions --------------------------------------------- */

static const guint32 kind_colors[] = {0xffff4040, 0xff40b0ff, 0xff40ff40,
  0xffa0a0a0};

static gboolean
draws (const Style *style, GstCcaShapeKind kind)
{
  return kind == GST_CCA_SHAPE_KIND_LINE ? style->lines
      : kind == GST_CCA_SHAPE_KIND_ZONE
      ? style->zones
      : style->regions;
}

/* A coordinate of the picture in 1 / units of a pixel. */
static gint64
unit_of (gdouble coordinate, guint to, guint from, gint units)
{
  const gdouble most = 1 << 20;

  return (gint64) floor (
      CLAMP (coordinate * to / from, -most, most) * units + 0.5);
}

static void
mask_outline (Mask *mask, const GstCcaAnalysis *a, const gdouble *at, guint n,
    gboolean closed, guint line)
{
  const gint half = line / 2;
  TrailPoint first = {0}, last = {0};
  guint i;

  for (i = 0; i < n; i += 2) {
    const TrailPoint point = {0, unit_of (at[i], mask->width, a->width, 1),
      unit_of (at[i + 1], mask->height, a->height, 1)};

    mask_fill (mask, point.x - half, point.y - half,
        point.x - half + (gint) line, point.y - half + (gint) line, 255);
    if (i == 0)
      first = point;
    else
      mask_segment (mask, &last, &point, line, 255);
    last = point;
  }
  if (closed)
    mask_segment (mask, &last, &first, line, 255);
}

/* The pixels whose centres are inside, by the even-odd rule; of two polygons that
 * share an edge one has a pixel on it. */
static void
mask_inside (Mask *mask, const GstCcaAnalysis *a, const gdouble *at, guint n)
{
  guint x, y, i;

  for (y = 0; y < mask->height; y++)
    for (x = 0; x < mask->width; x++) {
      const gint64 cx = 256 * x + 128, cy = 256 * y + 128;
      gboolean inside = FALSE;

      for (i = 0; i < n; i += 2) {
        const guint k = (i + n - 2) % n;
        gint64 x0 = unit_of (at[k], mask->width, a->width, 256);
        gint64 y0 = unit_of (at[k + 1], mask->height, a->height, 256);
        gint64 x1 = unit_of (at[i], mask->width, a->width, 256);
        gint64 y1 = unit_of (at[i + 1], mask->height, a->height, 256);

        if (y0 > y1) {
          const gint64 sx = x0, sy = y0;

          x0 = x1, y0 = y1, x1 = sx, y1 = sy;
        }
        if (y0 <= cy && cy < y1
            && (cx - x0) * (y1 - y0) >= (cy - y0) * (x1 - x0))
          inside = !inside;
      }
      if (inside)
        mask->alpha[y * mask->width + x] = 64;
    }
}

static void
paint_name (Mask *mask, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, const GstCcaMeta *meta, guint index,
    const CcaOverlayGlyphs *digits)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  gchar *text = g_strndup (gst_cca_shapes_get_name (shapes, index), 20),
        *with_counts;
  const gdouble *at;
  guint64 left, right;
  guint n;

  if (gst_cca_meta_get_line_counts (meta, index, &left, &right))
    with_counts =
        g_strdup_printf ("%s <%" G_GUINT64_FORMAT " >%" G_GUINT64_FORMAT, text,
            left, right);
  else if (gst_cca_meta_get_zone_count (meta, index, &left))
    with_counts = g_strdup_printf ("%s %" G_GUINT64_FORMAT, text, left);
  else
    with_counts = g_strdup (text);
  at = gst_cca_shapes_get_coordinates (shapes, index, &n);
  if (digits->width > 0)
    paint_label (mask, bytes, info, picture,
        unit_of (at[0], picture->w, a->width, 1),
        unit_of (at[1], picture->h, a->height, 1), with_counts,
        kind_colors[gst_cca_shapes_get_kind (shapes, index)], digits);
  g_free (with_counts);
  g_free (text);
}

static void
paint_shapes (Mask *mask, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, const Style *style,
    const GstCcaMeta *meta, const CcaOverlayGlyphs *digits)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  const guint line = style->line_width != 0
      ? style->line_width
      : (guint) MAX (2, picture->h / 360);
  guint step, i, n;

  for (step = 0; step < 3; step++)
    for (i = 0; i < gst_cca_shapes_get_n_shapes (shapes); i++) {
      const GstCcaShapeKind kind = gst_cca_shapes_get_kind (shapes, i);
      const gdouble *at = gst_cca_shapes_get_coordinates (shapes, i, &n);
      guint64 inside;

      if (!draws (style, kind))
        continue;
      if (step == 0) {
        mask_outline (mask, a, at, n, kind != GST_CCA_SHAPE_KIND_LINE, line);
        apply (mask, bytes, info, picture, kind_colors[kind]);
      } else if (step == 2) {
        paint_name (mask, bytes, info, picture, meta, i, digits);
      } else if (gst_cca_meta_get_zone_count (meta, i, &inside) && inside > 0) {
        mask_inside (mask, a, at, n);
        apply (mask, bytes, info, picture, kind_colors[kind]);
      }
    }
}

/* The shapes of the first meta that has any of the drawn kinds. */
static const GstCcaMeta *
meta_with_shapes (GstBuffer *buffer, const Style *style)
{
  gpointer state = NULL;
  GstMeta *meta;
  guint i;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;
    const GstCcaShapes *shapes = gst_cca_meta_get_shapes (cca);

    for (i = 0; shapes != NULL && i < gst_cca_shapes_get_n_shapes (shapes); i++)
      if (draws (style, gst_cca_shapes_get_kind (shapes, i)))
        return cca;
  }
  return NULL;
}

/* The last font is cached, because loading it takes longer than painting. */
static CcaOverlayGlyphs
digits_of (guint size)
{
  static CcaOverlayGlyphs digits;
  static guint last;

  if (size != last)
    gst_cca_digits_make (&digits, size);
  last = size;
  return digits;
}

void
paint (GstBuffer *buffer, guint8 *bytes, const GstVideoInfo *info,
    const GstVideoRectangle *picture, const Style *style, History *history)
{
  Mask mask = {picture->w, picture->h, g_malloc0 (picture->w * picture->h)};
  const CcaOverlayGlyphs digits = digits_of (MAX (12, picture->h / 45));
  const GstCcaMeta *with_shapes = meta_with_shapes (buffer, style);
  guint room = style->max_objects, i;
  gpointer state = NULL;
  GstCcaComponent c;
  GstMeta *meta;

  if (with_shapes != NULL)
    paint_shapes (&mask, bytes, info, picture, style, with_shapes, &digits);

  if (!style->trails)
    g_array_set_size (history->points, 0);
  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_CCA_META_API_TYPE))
      != NULL) {
    const GstCcaMeta *cca = (const GstCcaMeta *) meta;

    for (i = 0; room > 0
        && gst_cca_meta_get_component_scaled (cca, i, picture->w, picture->h,
            &c);
        i++, room--)
      paint_component (&mask, bytes, info, picture, style, history, &c,
          &digits);
  }
  if (style->clock && GST_BUFFER_PTS_IS_VALID (buffer) && digits.width > 0) {
    gchar *text = g_strdup_printf ("%" GST_TIME_FORMAT,
        GST_TIME_ARGS (GST_BUFFER_PTS (buffer) + style->clock_offset));

    text[strlen (text) - 6] = '\0';

    paint_label (&mask, bytes, info, picture, 0, 0, text, 0xff000000, &digits);
    g_free (text);
  }
  g_free (mask.alpha);
}
