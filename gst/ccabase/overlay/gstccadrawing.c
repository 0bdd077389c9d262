/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Translates components into drawing commands: the trail, the box, the
 * background of the label and its digits, in that order. A meta from an
 * application can have any values, so all coordinates and sizes are bounded
 * before they are added. */

#include "gstccadrawing.h"

#include <gst/ccameta/gstccafeatures.h>
#include <math.h>
#include <string.h>

#include "paint/color.h"

#define MAX_DIGITS 20 /* of a 64-bit number */
#define GLYPHS_PER_WORD 4

/* The alpha inside a filled box is the alpha of the outline divided by this. */
#define TINT_DIVISOR 4

/* A sum of two coordinates and a line width is within the limit of the
 * drawing. */
#define MAX_COORDINATE (CCA_OVERLAY_MAX_COORDINATE / 4)

/* --- colours -------------------------------------------------------------- */

/* Colours are 0xAARRGGBB with full-range components. */

#define RED(argb) ((argb) >> 16 & 0xff)
#define GREEN(argb) ((argb) >> 8 & 0xff)
#define BLUE(argb) ((argb) & 0xff)

/* The weights of colour matrices have up to four decimals. */
#define UNIT 10000

/* Returns offset + numerator / denominator, rounded to the nearest value,
 * halves up, and at most the maximum of that depth. */
static guint16
round_value (gint64 offset, gint64 numerator, gint64 denominator, guint depth)
{
  const gint64 n = 2 * (offset * denominator + numerator) + denominator;

  /* n is not negative, as no channel goes below its offset by more than the
   * offset itself. */
  return MIN (n / (2 * denominator), (1 << depth) - 1);
}

/* Converts a colour to the channels of the video by the matrix and the range in
 * the caps, exactly and with a single rounding. Unknown matrices are taken as
 * BT.601. */
static void
color_values (const GstVideoInfo *info, guint32 argb, guint16 values[3])
{
  const GstVideoFormatInfo *format = info->finfo;
  const gint64 rgb[3] = {RED (argb), GREEN (argb), BLUE (argb)};
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0);
  GstVideoColorRange range = info->colorimetry.range;
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gdouble kr, kb;
  gint64 r, b, luma;
  guint i;

  if (range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    range = GST_VIDEO_FORMAT_INFO_IS_RGB (format)
        ? GST_VIDEO_COLOR_RANGE_0_255
        : GST_VIDEO_COLOR_RANGE_16_235;
  gst_video_color_range_offsets (range, format, offset, scale);

  if (GST_VIDEO_FORMAT_INFO_IS_RGB (format)) {
    for (i = 0; i < 3; i++)
      values[i] = round_value (offset[i], scale[i] * rgb[i], 255, depth);
    return;
  }

  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &kr, &kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT601, &kr, &kb);
  r = (gint64) (kr * UNIT + 0.5);
  b = (gint64) (kb * UNIT + 0.5);
  luma = r * rgb[0] + (UNIT - r - b) * rgb[1] + b * rgb[2];

  values[0] = round_value (offset[0], scale[0] * luma, 255 * UNIT, depth);
  values[1] = values[2] = 0;
  if (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format) < 3)
    return;
  values[1] = round_value (offset[1], scale[1] * (rgb[2] * UNIT - luma),
      255 * 2 * (UNIT - b), depth);
  values[2] = round_value (offset[2], scale[2] * (rgb[0] * UNIT - luma),
      255 * 2 * (UNIT - r), depth);
}

/* Returns the colour that ccamask has for an id, whose lowest byte is red,
 * with the given alpha. The colours of successive ids differ most. */
static guint32
color_of_id (gint64 id, guint alpha)
{
  const guint32 color = cca_paint_color ((guint32) id);

  return alpha << 24 | (color & 0xff) << 16 | (color & 0xff00)
      | (color >> 16 & 0xff);
}

GstCcaColor
gst_cca_drawing_color (const GstCcaDrawing *drawing, guint32 argb)
{
  GstCcaColor color = {.alpha = argb >> 24};

  color_values (drawing->info, argb, color.values);
  return color;
}

/* Returns black or white, whichever has more contrast to a colour. */
static GstCcaColor
color_against (const GstCcaDrawing *drawing, guint32 argb)
{
  const guint luma = 299 * RED (argb) + 587 * GREEN (argb) + 114 * BLUE (argb);
  GstCcaColor color = luma >= 128 * 1000 ? drawing->black : drawing->white;

  color.alpha = argb >> 24;
  return color;
}

/* --- trails --------------------------------------------------------------- */

#define TRAIL_LENGTH 32
#define MAX_TRAILS 1024

/* The last points of one track. */
typedef struct
{
  gint64 id;
  guint first, n; /* of the ring of points */
  gint32 points[TRAIL_LENGTH][2];
  GList link; /* in by_age */
} Trail;

void
gst_cca_trails_init (GstCcaTrails *trails)
{
  trails->by_id =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  g_queue_init (&trails->by_age);
}

void
gst_cca_trails_forget (GstCcaTrails *trails)
{
  /* The links of the queue are part of the trails, which the table frees. */
  g_queue_init (&trails->by_age);
  g_hash_table_remove_all (trails->by_id);
}

void
gst_cca_trails_clear (GstCcaTrails *trails)
{
  g_clear_pointer (&trails->by_id, g_hash_table_unref);
}

/* Returns point i of a trail; point 0 is the oldest. */
static gint32 *
trail_point (Trail *trail, guint i)
{
  return trail->points[(trail->first + i) % TRAIL_LENGTH];
}

/* At the limit, the trail whose last point is the oldest is replaced. */
static Trail *
start_trail (GstCcaTrails *trails, gint64 id)
{
  Trail *trail;

  if (g_hash_table_size (trails->by_id) == MAX_TRAILS) {
    trail = g_queue_pop_head_link (&trails->by_age)->data;
    g_hash_table_steal (trails->by_id, &trail->id);
  } else {
    trail = g_new (Trail, 1);
  }
  *trail = (Trail) {.id = id, .link.data = trail};
  g_hash_table_insert (trails->by_id, &trail->id, trail);
  return trail;
}

/* Adds a point to the trail of a track and returns the trail, which is valid
 * until the next call. */
static Trail *
add_to_trail (GstCcaTrails *trails, gint64 id, gint32 x, gint32 y)
{
  Trail *trail = g_hash_table_lookup (trails->by_id, &id);
  gint32 *point;

  if (trail != NULL)
    g_queue_unlink (&trails->by_age, &trail->link);
  else
    trail = start_trail (trails, id);
  g_queue_push_tail_link (&trails->by_age, &trail->link);

  if (trail->n == TRAIL_LENGTH)
    trail->first = (trail->first + 1) % TRAIL_LENGTH;
  else
    trail->n++;
  point = trail_point (trail, trail->n - 1);
  point[0] = x;
  point[1] = y;
  return trail;
}

/* --- commands ------------------------------------------------------------- */

guint
gst_cca_drawing_font_size (guint height)
{
  return MAX (12, height / 45);
}

guint
gst_cca_drawing_line_width (guint height)
{
  return MAX (2, height / 360);
}

void
gst_cca_drawing_init (GstCcaDrawing *drawing)
{
  drawing->commands = g_array_new (FALSE, FALSE, sizeof (CcaOverlayCommand));
  drawing->words = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
gst_cca_drawing_forget_shapes (GstCcaDrawing *drawing)
{
  GstCcaShapeLayer *layer = &drawing->layer;

  g_array_set_size (drawing->commands, 0);
  g_array_set_size (drawing->words, 0);
  g_clear_pointer (&layer->shapes, gst_cca_shapes_unref);
  g_clear_pointer (&layer->tints, g_array_unref);
  g_clear_pointer (&layer->ends, g_free);
  layer->n_commands = layer->n_words = 0;
}

void
gst_cca_drawing_clear (GstCcaDrawing *drawing)
{
  gst_cca_drawing_forget_shapes (drawing);
  g_clear_pointer (&drawing->commands, g_array_unref);
  g_clear_pointer (&drawing->words, g_array_unref);
}

void
gst_cca_drawing_begin (GstCcaDrawing *drawing, const GstVideoInfo *info)
{
  drawing->info = info;
  drawing->black = gst_cca_drawing_color (drawing, 0x000000);
  drawing->white = gst_cca_drawing_color (drawing, 0xffffff);
  g_array_set_size (drawing->commands, drawing->layer.n_commands);
  g_array_set_size (drawing->words, drawing->layer.n_words);
}

CcaOverlayList
gst_cca_drawing_list (const GstCcaDrawing *drawing)
{
  return (CcaOverlayList) {
    .commands = (const CcaOverlayCommand *) drawing->commands->data,
    .words = (const guint32 *) drawing->words->data,
    .n_commands = drawing->commands->len,
    .n_words = drawing->words->len,
  };
}

/* Makes a command for the pixels [x0, x1) and [y0, y1) of the picture. */
static CcaOverlayCommand
make_command (const GstCcaDrawing *drawing, CcaOverlayKind kind,
    const GstCcaColor *color, gint32 x0, gint32 y0, gint32 x1, gint32 y1)
{
  return (CcaOverlayCommand) {
    .x0 = drawing->x + x0,
    .y0 = drawing->y + y0,
    .x1 = drawing->x + x1,
    .y1 = drawing->y + y1,
    .colour = {color->values[0], color->values[1], color->values[2]},
    .kind = kind,
    .alpha = color->alpha,
  };
}

guint
gst_cca_drawing_thickness (const GstCcaDrawing *drawing)
{
  if (drawing->style.line_width != 0)
    return drawing->style.line_width;
  return gst_cca_drawing_line_width (drawing->height);
}

static void
add_box (GstCcaDrawing *drawing, const GstCcaComponent *component,
    const GstCcaColor *color)
{
  const gint32 x = MIN (component->x, MAX_COORDINATE);
  const gint32 y = MIN (component->y, MAX_COORDINATE);
  CcaOverlayCommand box = make_command (drawing, CCA_OVERLAY_BOX, color, x, y,
      x + (gint32) MIN (component->width, MAX_COORDINATE),
      y + (gint32) MIN (component->height, MAX_COORDINATE));

  box.thickness = gst_cca_drawing_thickness (drawing);
  if (drawing->style.filled_box)
    box.inside = box.alpha / TINT_DIVISOR;
  g_array_append_val (drawing->commands, box);
}

void
gst_cca_drawing_find_axes (const GstCcaDrawing *drawing, const GstCcaMeta *meta,
    guint index, GstCcaAxes *axes)
{
  const GstCcaAnalysis *analysis = gst_cca_meta_get_analysis (meta);
  const gdouble sx = (gdouble) drawing->width / analysis->width;
  const gdouble sy = (gdouble) drawing->height / analysis->height;
  GstCcaComponent c;
  GstCcaFeatures f;
  gdouble lengths[2], angle;
  guint i;

  gst_cca_meta_get_component (meta, index, &c);
  gst_cca_meta_get_component_features (meta, index, &f);
  gst_cca_features_get_axes (&f, &c, &lengths[0], &lengths[1]);
  angle = gst_cca_features_get_orientation (&f, &c);
  for (i = 0; i < 4; i++) {
    const gdouble half = (i % 2 ? 0.5 : -0.5) * lengths[i / 2];
    const gdouble dx = half * (i < 2 ? sin (angle) : cos (angle));
    const gdouble dy = half * (i < 2 ? cos (angle) : -sin (angle));

    axes->ends[i][0] = (c.centroid_x + 0.5 + dx) * sx - 0.5;
    axes->ends[i][1] = (c.centroid_y + 0.5 + dy) * sy - 0.5;
  }
}

/* Values that are no numbers leave an axis out. */
static void
add_axes (GstCcaDrawing *drawing, const GstCcaAxes *axes,
    const GstCcaColor *color)
{
  const gint32 thickness = gst_cca_drawing_thickness (drawing);
  const gint32 corner[2] = {drawing->x, drawing->y};
  gint32 points[4][2];
  guint i, k;

  for (i = 0; i < 4; i++)
    for (k = 0; k < 2; k++) {
      const gdouble at = axes->ends[i][k];

      if (isnan (at))
        return;
      points[i][k] = corner[k]
          + (gint32) floor (CLAMP (at, -MAX_COORDINATE, MAX_COORDINATE) + 0.5);
    }
  for (i = 0; i < 4; i += 2)
    gst_cca_drawing_add_segment (drawing, color, points[i], points[i + 1],
        thickness);
}

/* Sets the pixel that contains a centroid, clipped to the picture. Returns
 * FALSE if the centroid is NaN. */
static gboolean
centroid_pixel (gdouble centroid, guint size, gint32 *pixel)
{
  if (!(centroid >= -0.5))
    *pixel = 0;
  else if (centroid >= size - 0.5)
    *pixel = size - 1;
  else
    *pixel = (gint32) (centroid + 0.5);
  return centroid == centroid;
}

static void
add_trail (GstCcaDrawing *drawing, Trail *trail, const GstCcaColor *color)
{
  CcaOverlayCommand path = make_command (drawing, CCA_OVERLAY_PATH, color,
      MAX_COORDINATE, MAX_COORDINATE, -MAX_COORDINATE, -MAX_COORDINATE);
  const gint32 thickness = gst_cca_drawing_thickness (drawing);
  const gint32 before = thickness / 2, after = thickness - before;
  gint32 *at;
  guint i;

  path.thickness = thickness;
  path.first = drawing->words->len;
  path.n = trail->n;
  g_array_set_size (drawing->words, path.first + 2 * path.n);
  at = &g_array_index (drawing->words, gint32, path.first);
  for (i = 0; i < path.n; i++, at += 2) {
    const gint32 *point = trail_point (trail, i);

    at[0] = drawing->x + point[0];
    at[1] = drawing->y + point[1];
    path.x0 = MIN (path.x0, at[0] - before);
    path.y0 = MIN (path.y0, at[1] - before);
    path.x1 = MAX (path.x1, at[0] + after);
    path.y1 = MAX (path.y1, at[1] + after);
  }
  g_array_append_val (drawing->commands, path);
}

/* Writes the decimal digits of a number, the most significant one first, and
 * returns how many there are. */
static guint
to_digits (guint64 number, guint8 digits[MAX_DIGITS])
{
  guint8 reversed[MAX_DIGITS];
  guint i, n = 0;

  do {
    reversed[n++] = number % 10;
    number /= 10;
  } while (number > 0);
  for (i = 0; i < n; i++)
    digits[i] = reversed[n - 1 - i];
  return n;
}

/* Adds characters, of which glyphs has the indices. */
static void
add_glyphs (GstCcaDrawing *drawing, const guint8 *glyphs, guint n,
    const GstCcaColor *color, gint32 x, gint32 y)
{
  CcaOverlayCommand text = make_command (drawing, CCA_OVERLAY_TEXT, color, x, y,
      x + (gint32) (n * drawing->digit_width),
      y + (gint32) drawing->digit_height);
  guint32 words[CCA_OVERLAY_MAX_CHARACTERS / GLYPHS_PER_WORD] = {
    0,
  };
  guint i;

  for (i = 0; i < n; i++)
    words[i / GLYPHS_PER_WORD] |= glyphs[i] << i % GLYPHS_PER_WORD * 8;
  text.first = drawing->words->len;
  text.n = n;
  g_array_append_vals (drawing->words, words,
      (n + GLYPHS_PER_WORD - 1) / GLYPHS_PER_WORD);
  g_array_append_val (drawing->commands, text);
}

/* The label is above the point, such as the corner of a box, or below it if the
 * picture has no space above it. It is moved into the picture as far as it
 * fits. */
static void
add_label (GstCcaDrawing *drawing, gint32 x, gint32 y, const guint8 *glyphs,
    guint n, const GstCcaColor *color, const GstCcaColor *glyph_color)
{
  const gint32 margin = drawing->digit_height / 5;
  const gint32 plate_height = drawing->digit_height + 2 * margin;
  const gint32 plate_width = n * drawing->digit_width + 2 * margin;
  CcaOverlayCommand plate;

  x = MAX (0, MIN (x, (gint32) drawing->width - plate_width));
  y = y >= plate_height ? y - plate_height : y;
  y = MAX (0, MIN (y, (gint32) drawing->height - plate_height));
  plate = make_command (drawing, CCA_OVERLAY_BOX, color, x, y, x + plate_width,
      y + plate_height);
  plate.inside = plate.alpha;
  g_array_append_val (drawing->commands, plate);
  add_glyphs (drawing, glyphs, n, glyph_color, x + margin, y + margin);
}

static guint8
find_glyph (gchar c)
{
  static const gchar characters[] = CCA_OVERLAY_CHARACTERS;
  const gchar *found = strchr (characters, g_ascii_toupper (c));

  return found != NULL ? found - characters : CCA_OVERLAY_N_GLYPHS - 1;
}

void
gst_cca_drawing_add_text (GstCcaDrawing *drawing, const gchar *text, gint32 x,
    gint32 y, guint32 argb)
{
  const GstCcaColor color = gst_cca_drawing_color (drawing, argb);
  const GstCcaColor glyph_color = color_against (drawing, argb);
  guint8 glyphs[CCA_OVERLAY_MAX_CHARACTERS];
  guint n;

  if (drawing->digit_width == 0)
    return;
  for (n = 0; n < G_N_ELEMENTS (glyphs) && text[n] != '\0'; n++)
    glyphs[n] = find_glyph (text[n]);
  add_label (drawing, x, y, glyphs, n, &color, &glyph_color);
}

/* In the upper left corner. */
void
gst_cca_drawing_add_clock (GstCcaDrawing *drawing, GstClockTime time)
{
  const guint64 ms = time / GST_MSECOND;
  gchar text[CCA_OVERLAY_MAX_CHARACTERS + 1];

  g_snprintf (text, sizeof (text), "%" G_GUINT64_FORMAT ":%02u:%02u.%03u",
      ms / 3600000, (guint) (ms / 60000 % 60), (guint) (ms / 1000 % 60),
      (guint) (ms % 1000));
  gst_cca_drawing_add_text (drawing, text, 0, 0, 0xff000000);
}

void
gst_cca_drawing_add (GstCcaDrawing *drawing, const GstCcaComponent *component,
    const GstCcaAxes *axes, GstCcaTrails *trails)
{
  const GstCcaDrawingStyle *style = &drawing->style;
  const gboolean tracked = component->track_id >= 0;
  const guint64 id = tracked ? (guint64) component->track_id : component->id;
  guint32 argb = style->outline_color;
  GstCcaColor color, digit_color;
  gint32 x, y;

  if (tracked && style->tracking_outline_colors)
    argb = color_of_id (component->track_id, argb >> 24);
  color = gst_cca_drawing_color (drawing, argb);

  if (tracked && style->trails
      && centroid_pixel (component->centroid_x, drawing->width, &x)
      && centroid_pixel (component->centroid_y, drawing->height, &y))
    add_trail (drawing, add_to_trail (trails, component->track_id, x, y),
        &color);
  add_box (drawing, component, &color);
  if (axes != NULL)
    add_axes (drawing, axes, &color);
  if (drawing->digit_width != 0
      && (tracked ? style->draw_tracking_labels : style->draw_labels)) {
    guint8 digits[MAX_DIGITS];
    const guint n = to_digits (style->label == GST_CCA_OVERLAY_LABEL_AREA
            ? component->area
            : id,
        digits);

    digit_color = color_against (drawing, argb);
    add_label (drawing, MIN (component->x, MAX_COORDINATE),
        MIN (component->y, MAX_COORDINATE), digits, n, &color, &digit_color);
  }
}
