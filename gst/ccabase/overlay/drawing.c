/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Components as commands: the trail, the box, the plate of the label and its
 * digits, in that order. Applications can put anything into a meta: all that
 * counts pixels is bounded before it is added up. */

#include "drawing.h"

#include "colors.h"

#define MAX_DIGITS 20           /* of 64 bits */
#define DIGITS_PER_WORD 4

/* A filled box is tinted by so much of the outline's alpha. */
#define TINT_DIVISOR 4

/* Halves of it are still far from what the drawing takes. */
#define MAX_COORDINATE (CCA_OVERLAY_MAX_COORDINATE / 4)

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
gst_cca_drawing_init (GstCcaDrawing * drawing)
{
  drawing->commands = g_array_new (FALSE, FALSE, sizeof (CcaOverlayCommand));
  drawing->words = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
gst_cca_drawing_clear (GstCcaDrawing * drawing)
{
  g_clear_pointer (&drawing->commands, g_array_unref);
  g_clear_pointer (&drawing->words, g_array_unref);
}

void
gst_cca_drawing_begin (GstCcaDrawing * drawing)
{
  g_array_set_size (drawing->commands, 0);
  g_array_set_size (drawing->words, 0);
}

CcaOverlayList
gst_cca_drawing_list (const GstCcaDrawing * drawing)
{
  return (CcaOverlayList) {
    .commands = (const CcaOverlayCommand *) drawing->commands->data,
    .words = (const guint32 *) drawing->words->data,
    .n_commands = drawing->commands->len,
    .n_words = drawing->words->len,
  };
}

/* A command of that colour for pixels of the picture, the ends not included. */
static CcaOverlayCommand
make_command (const GstCcaDrawing * drawing, CcaOverlayKind kind,
    guint32 color, gint32 x0, gint32 y0, gint32 x1, gint32 y1)
{
  CcaOverlayCommand command = {
    .x0 = drawing->x + x0,
    .y0 = drawing->y + y0,
    .x1 = drawing->x + x1,
    .y1 = drawing->y + y1,
    .kind = kind,
    .alpha = color >> 24,
  };

  gst_cca_color_values (drawing->info, color, command.colour);
  return command;
}

static guint
thickness (const GstCcaDrawing * drawing)
{
  if (drawing->style.line_width != 0)
    return drawing->style.line_width;
  return gst_cca_drawing_line_width (drawing->height);
}

static void
add_box (GstCcaDrawing * drawing, const GstCcaComponent * component,
    guint32 color)
{
  const gint32 x = MIN (component->x, MAX_COORDINATE);
  const gint32 y = MIN (component->y, MAX_COORDINATE);
  CcaOverlayCommand box = make_command (drawing, CCA_OVERLAY_BOX, color, x, y,
      x + (gint32) MIN (component->width, MAX_COORDINATE),
      y + (gint32) MIN (component->height, MAX_COORDINATE));

  box.thickness = thickness (drawing);
  if (drawing->style.filled_box)
    box.inside = box.alpha / TINT_DIVISOR;
  g_array_append_val (drawing->commands, box);
}

/* The pixel that a centroid lies in. FALSE: it is not a number. */
static gboolean
centroid_pixel (gdouble centroid, guint size, gint32 * pixel)
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
add_point (GstCcaDrawing * drawing, CcaOverlayCommand * path,
    const gint32 * point)
{
  const gint32 before = path->thickness / 2;
  const gint32 after = path->thickness - before;
  const gint32 at[2] = { drawing->x + point[0], drawing->y + point[1] };

  path->x0 = MIN (path->x0, at[0] - before);
  path->y0 = MIN (path->y0, at[1] - before);
  path->x1 = MAX (path->x1, at[0] + after);
  path->y1 = MAX (path->y1, at[1] + after);
  g_array_append_vals (drawing->words, at, 2);
  path->n++;
}

static void
add_trail (GstCcaDrawing * drawing, const GstCcaTrail * trail, guint32 color)
{
  CcaOverlayCommand path = make_command (drawing, CCA_OVERLAY_PATH, color,
      MAX_COORDINATE, MAX_COORDINATE, -MAX_COORDINATE, -MAX_COORDINATE);
  guint i;

  path.thickness = thickness (drawing);
  path.first = drawing->words->len;
  for (i = 0; i < trail->n; i++)
    add_point (drawing, &path, gst_cca_trail_point (trail, i));
  g_array_append_val (drawing->commands, path);
}

/* The decimal digits of a number, the first one first. */
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

static void
add_digits (GstCcaDrawing * drawing, const guint8 * digits, guint n,
    guint32 color, gint32 x, gint32 y)
{
  CcaOverlayCommand number = make_command (drawing, CCA_OVERLAY_NUMBER, color,
      x, y, x + (gint32) (n * drawing->digit_width),
      y + (gint32) drawing->digit_height);
  guint32 words[MAX_DIGITS / DIGITS_PER_WORD] = { 0, };
  guint i;

  for (i = 0; i < n; i++)
    words[i / DIGITS_PER_WORD] |= digits[i] << i % DIGITS_PER_WORD * 8;
  number.first = drawing->words->len;
  number.n = n;
  g_array_append_vals (drawing->words, words,
      (n + DIGITS_PER_WORD - 1) / DIGITS_PER_WORD);
  g_array_append_val (drawing->commands, number);
}

/* On a plate on top of the box, or in its corner where there is no room, and
 * within the picture as far as it goes. */
static void
add_label (GstCcaDrawing * drawing, const GstCcaComponent * component,
    guint64 value, guint32 color)
{
  const gint32 margin = drawing->digit_height / 5;
  const gint32 high = drawing->digit_height + 2 * margin;
  guint8 digits[MAX_DIGITS];
  const guint n = to_digits (value, digits);
  const gint32 wide = n * drawing->digit_width + 2 * margin;
  gint32 x = MIN (component->x, MAX_COORDINATE);
  gint32 y = MIN (component->y, MAX_COORDINATE);
  CcaOverlayCommand plate;

  x = MAX (0, MIN (x, (gint32) drawing->width - wide));
  y = y >= high ? y - high : y;
  y = MAX (0, MIN (y, (gint32) drawing->height - high));
  plate = make_command (drawing, CCA_OVERLAY_BOX, color, x, y, x + wide,
      y + high);
  plate.inside = plate.alpha;
  g_array_append_val (drawing->commands, plate);
  add_digits (drawing, digits, n, gst_cca_color_against (color), x + margin,
      y + margin);
}

void
gst_cca_drawing_add (GstCcaDrawing * drawing,
    const GstCcaComponent * component, GstCcaTrails * trails)
{
  const GstCcaDrawingStyle *style = &drawing->style;
  const gboolean tracked = component->track_id >= 0;
  const guint64 id = tracked ? (guint64) component->track_id : component->id;
  guint32 color = style->outline_color;
  gint32 x, y;

  if (tracked && style->tracking_outline_colors)
    color = gst_cca_color_of_id (component->track_id, color >> 24);

  if (tracked && style->trails
      && centroid_pixel (component->centroid_x, drawing->width, &x)
      && centroid_pixel (component->centroid_y, drawing->height, &y))
    add_trail (drawing, gst_cca_trails_add (trails, component->track_id, x, y),
        color);
  add_box (drawing, component, color);
  if (drawing->digit_width != 0
      && (tracked ? style->draw_tracking_labels : style->draw_labels))
    add_label (drawing, component,
        style->label == GST_CCA_OVERLAY_LABEL_AREA ? component->area : id,
        color);
}
