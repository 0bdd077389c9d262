/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Translates lines, zones and regions into drawing commands. The outlines and
 * the insides of zones are prepared once for a list of shapes, a frame size and
 * a style; the names with counts are added for each frame. */

#include "gstccadrawing.h"

#include <math.h>
#include <string.h>

#define TILE CCA_OVERLAY_MASK_SIZE

/* Points are drawn as if they were no further from the picture, in pixels. */
#define MAX_POINT (1 << 20)

/* Points of polygons are in 1/256 pixel. */
#define UNITS 256

#define MAX_NAME 20
#define TINT_ALPHA 64

static guint32
color_of_kind (GstCcaShapeKind kind)
{
  static const guint32 colors[] = {
    [GST_CCA_SHAPE_KIND_LINE] = 0xffff4040,
    [GST_CCA_SHAPE_KIND_ZONE] = 0xff40b0ff,
    [GST_CCA_SHAPE_KIND_INCLUDE] = 0xff40ff40,
    [GST_CCA_SHAPE_KIND_EXCLUDE] = 0xffa0a0a0,
  };

  return colors[kind];
}

static gboolean
is_drawn (const GstCcaDrawingStyle *style, GstCcaShapeKind kind)
{
  switch (kind) {
    case GST_CCA_SHAPE_KIND_LINE:
      return style->draw_lines;
    case GST_CCA_SHAPE_KIND_ZONE:
      return style->draw_zones;
    default:
      return style->draw_regions;
  }
}

/* Scales a coordinate to the picture, rounded to the nearest multiple of
 * 1 / units pixel. */
static gint64
scale (gdouble coordinate, guint to, guint from, guint units)
{
  const gdouble scaled = coordinate * to / from;

  return (gint64) floor (CLAMP (scaled, -MAX_POINT, MAX_POINT) * units + 0.5);
}

static void
get_point (const GstCcaDrawing *drawing, const GstCcaShapeLayer *layer,
    const gdouble *coordinates, guint units, gint64 point[2])
{
  point[0] = scale (coordinates[0], drawing->width, layer->ref_width, units);
  point[1] = scale (coordinates[1], drawing->height, layer->ref_height, units);
}

/* --- outlines ------------------------------------------------------------- */

void
gst_cca_drawing_add_segment (GstCcaDrawing *drawing, const GstCcaColor *color,
    const gint32 *a, const gint32 *b, gint32 thickness)
{
  const CcaOverlayCommand path = {
    .x0 = MIN (a[0], b[0]) - thickness,
    .y0 = MIN (a[1], b[1]) - thickness,
    .x1 = MAX (a[0], b[0]) + thickness,
    .y1 = MAX (a[1], b[1]) + thickness,
    .colour = {color->values[0], color->values[1], color->values[2]},
    .kind = CCA_OVERLAY_PATH,
    .alpha = color->alpha,
    .thickness = thickness,
    .first = drawing->words->len,
    .n = 2,
  };

  g_array_append_vals (drawing->words, a, 2);
  g_array_append_vals (drawing->words, b, 2);
  g_array_append_val (drawing->commands, path);
}

/* A path for each segment: colours are opaque, so points that two of them cover
 * do not matter. */
static void
add_outline (GstCcaDrawing *drawing, const GstCcaShapeLayer *layer,
    GstCcaShapeKind kind, const gdouble *coordinates, guint n)
{
  const GstCcaColor color =
      gst_cca_drawing_color (drawing, color_of_kind (kind));
  const guint thickness = gst_cca_drawing_thickness (drawing);
  const gboolean is_closed = kind != GST_CCA_SHAPE_KIND_LINE;
  const guint n_points = n / 2;
  guint i, k;

  for (i = is_closed ? 0 : 1; i < n_points; i++) {
    const guint ends[2] = {i > 0 ? i - 1 : n_points - 1, i};
    gint32 points[2][2];

    for (k = 0; k < 2; k++) {
      gint64 point[2];

      get_point (drawing, layer, coordinates + 2 * ends[k], 1, point);
      points[k][0] = drawing->x + (gint32) point[0];
      points[k][1] = drawing->y + (gint32) point[1];
    }
    gst_cca_drawing_add_segment (drawing, &color, points[0], points[1],
        thickness);
  }
}

/* --- insides -------------------------------------------------------------- */

/* A row of tiles of the planes, in which a bit of a pixel is set if the pixel is
 * inside a polygon. */
typedef struct
{
  gint32 left, top; /* first pixel: multiples of the tile size */
  guint n_tiles;
  guint64 *words; /* of each row, one for each tile */
} Band;

static gint64
divide_up (gint64 n, gint64 d)
{
  return n / d + (n % d > 0);
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

/* Finds the columns of the picture at which a row changes between outside and
 * inside: the first pixels whose centres are not left of an edge. Returns their
 * number, which is even. */
static guint
find_changes (const gint64 (*points)[2], guint n_points, gint32 row,
    gint64 *columns)
{
  const gint64 y = (gint64) row * UNITS + UNITS / 2;
  guint i, n = 0;

  for (i = 0; i < n_points; i++) {
    const gint64 *a = points[i > 0 ? i - 1 : n_points - 1], *b = points[i];

    if (a[1] > b[1]) {
      const gint64 *swap = a;

      a = b;
      b = swap;
    }
    if (a[1] <= y && y < b[1])
      columns[n++] = divide_up ((a[0] - UNITS / 2) * (b[1] - a[1])
              + (y - a[1]) * (b[0] - a[0]),
          UNITS * (b[1] - a[1]));
  }
  qsort (columns, n, sizeof (*columns), compare_columns);
  return n;
}

static void
set_bits (guint64 *row, gint64 from, gint64 to)
{
  gint64 x;

  for (x = from; x < to;) {
    const gint64 end = MIN ((x / TILE + 1) * TILE, to);

    row[x / TILE] |= (~G_GUINT64_CONSTANT (0) >> (TILE - (end - x)))
        << x % TILE;
    x = end;
  }
}

static void
fill_band (Band *band, const GstCcaDrawing *drawing, const gint64 (*points)[2],
    guint n_points)
{
  gint64 columns[GST_CCA_SHAPES_MAX_POINTS];
  gint32 y;

  memset (band->words, 0, TILE * band->n_tiles * sizeof (*band->words));
  for (y = 0; y < TILE; y++) {
    const gint32 row = band->top + y - drawing->y;
    const guint n = row >= 0 && row < (gint32) drawing->height
        ? find_changes (points, n_points, row, columns)
        : 0;
    guint i;

    for (i = 0; i < n; i += 2)
      set_bits (band->words + y * band->n_tiles,
          drawing->x + MAX (columns[i], 0) - band->left,
          drawing->x + MIN (columns[i + 1], (gint64) drawing->width)
              - band->left);
  }
}

/* The part of a tile that is in the picture. */
static CcaOverlayCommand
tint_of_tile (const GstCcaDrawing *drawing, const Band *band, guint tile)
{
  const GstCcaColor color =
      gst_cca_drawing_color (drawing, color_of_kind (GST_CCA_SHAPE_KIND_ZONE));
  const gint32 x = band->left + (gint32) tile * TILE, y = band->top;

  return (CcaOverlayCommand) {
    .x0 = MAX (x, drawing->x),
    .y0 = MAX (y, drawing->y),
    .x1 = MIN (x + TILE, drawing->x + (gint32) drawing->width),
    .y1 = MIN (y + TILE, drawing->y + (gint32) drawing->height),
    .colour = {color.values[0], color.values[1], color.values[2]},
    .alpha = TINT_ALPHA,
    .inside = TINT_ALPHA,
  };
}

/* Whole tiles are boxes, as many in a row as there are, others are masks. All
 * begin and end at cells of any size, so that no sample is blended twice. */
static void
add_band (GstCcaDrawing *drawing, GstCcaShapeLayer *layer, const Band *band,
    guint n_before)
{
  guint tile;

  for (tile = 0; tile < band->n_tiles; tile++) {
    CcaOverlayCommand tint = tint_of_tile (drawing, band, tile);
    const guint64 *words =
        band->words + (tint.y0 - band->top) * band->n_tiles + tile;
    const guint n_rows = tint.y1 - tint.y0;
    const guint64 whole =
        (~G_GUINT64_CONSTANT (0) >> (TILE - (tint.x1 - tint.x0)))
        << (tint.x0 - band->left) % TILE;
    guint64 any = 0, all = whole;
    guint y;

    for (y = 0; y < n_rows; y++) {
      any |= words[y * band->n_tiles];
      all &= words[y * band->n_tiles];
    }
    if (any == 0)
      continue;
    if (all == whole) {
      CcaOverlayCommand *last = layer->tints->len > n_before
          ? &g_array_index (layer->tints, CcaOverlayCommand,
                layer->tints->len - 1)
          : NULL;

      tint.kind = CCA_OVERLAY_BOX;
      if (last != NULL && last->kind == CCA_OVERLAY_BOX && last->x1 == tint.x0
          && last->y0 == tint.y0) {
        last->x1 = tint.x1;
        continue;
      }
    } else {
      tint.kind = CCA_OVERLAY_MASK;
      tint.inside = 0;
      tint.first = drawing->words->len;
      for (y = 0; y < n_rows; y++) {
        const guint64 word = words[y * band->n_tiles];
        const guint32 halves[2] = {(guint32) word, (guint32) (word >> 32)};

        g_array_append_vals (drawing->words, halves, 2);
      }
    }
    g_array_append_val (layer->tints, tint);
  }
}

static void
add_inside (GstCcaDrawing *drawing, GstCcaShapeLayer *layer,
    const gdouble *coordinates, guint n)
{
  const gint32 right = drawing->x + (gint32) drawing->width;
  const gint32 bottom = drawing->y + (gint32) drawing->height;
  gint64 points[GST_CCA_SHAPES_MAX_POINTS][2];
  const guint n_before = layer->tints->len;
  Band band = {.left = drawing->x / TILE * TILE};
  guint i;

  for (i = 0; i < n / 2; i++)
    get_point (drawing, layer, coordinates + 2 * i, UNITS, points[i]);
  band.n_tiles = (right - band.left + TILE - 1) / TILE;
  band.words = g_new (guint64, (gsize) TILE * band.n_tiles);
  for (band.top = drawing->y / TILE * TILE; band.top < bottom;
      band.top += TILE) {
    fill_band (&band, drawing, (const gint64 (*)[2]) points, n / 2);
    add_band (drawing, layer, &band, n_before);
  }
  g_free (band.words);
}

/* --- the layer ------------------------------------------------------------ */

static gboolean
is_prepared (const GstCcaDrawing *drawing, const GstCcaShapes *shapes,
    const GstCcaAnalysis *analysis)
{
  const GstCcaShapeLayer *layer = &drawing->layer;
  const GstCcaDrawingStyle *style = &drawing->style;

  return layer->shapes == shapes && layer->ref_width == analysis->width
      && layer->ref_height == analysis->height && layer->x == drawing->x
      && layer->y == drawing->y && layer->width == drawing->width
      && layer->height == drawing->height
      && layer->style.line_width == style->line_width
      && layer->style.draw_lines == style->draw_lines
      && layer->style.draw_zones == style->draw_zones
      && layer->style.draw_regions == style->draw_regions;
}

static void
prepare (GstCcaDrawing *drawing, GstCcaShapes *shapes,
    const GstCcaAnalysis *analysis)
{
  GstCcaShapeLayer *layer = &drawing->layer;
  const guint n_shapes = gst_cca_shapes_get_n_shapes (shapes);
  guint i, n;

  gst_cca_drawing_forget_shapes (drawing);
  layer->shapes = gst_cca_shapes_ref (shapes);
  layer->ref_width = analysis->width;
  layer->ref_height = analysis->height;
  layer->x = drawing->x;
  layer->y = drawing->y;
  layer->width = drawing->width;
  layer->height = drawing->height;
  layer->style = drawing->style;
  layer->tints = g_array_new (FALSE, FALSE, sizeof (CcaOverlayCommand));
  layer->ends = g_new (guint, n_shapes);
  for (i = 0; i < n_shapes; i++) {
    const GstCcaShapeKind kind = gst_cca_shapes_get_kind (shapes, i);
    const gdouble *coordinates = gst_cca_shapes_get_coordinates (shapes, i, &n);

    if (is_drawn (&drawing->style, kind)) {
      add_outline (drawing, layer, kind, coordinates, n);
      if (kind == GST_CCA_SHAPE_KIND_ZONE)
        add_inside (drawing, layer, coordinates, n);
    }
    layer->ends[i] = layer->tints->len;
  }
  layer->n_commands = drawing->commands->len;
  layer->n_words = drawing->words->len;
}

/* Adds the tint of a zone. */
static void
add_tint (GstCcaDrawing *drawing, guint index)
{
  const GstCcaShapeLayer *layer = &drawing->layer;
  const guint begin = index > 0 ? layer->ends[index - 1] : 0;

  g_array_append_vals (drawing->commands,
      &g_array_index (layer->tints, CcaOverlayCommand, begin),
      layer->ends[index] - begin);
}

static void
add_name (GstCcaDrawing *drawing, const GstCcaMeta *meta, guint index)
{
  const GstCcaShapeLayer *layer = &drawing->layer;
  const GstCcaShapeKind kind = gst_cca_shapes_get_kind (layer->shapes, index);
  gchar text[CCA_OVERLAY_MAX_CHARACTERS + 1];
  const gdouble *coordinates;
  guint64 a, b;
  gint64 point[2];
  guint n;

  n = g_snprintf (text, sizeof (text), "%.*s", MAX_NAME,
      gst_cca_shapes_get_name (layer->shapes, index));
  if (gst_cca_meta_get_line_counts (meta, index, &a, &b))
    g_snprintf (text + n, sizeof (text) - n,
        " <%" G_GUINT64_FORMAT " >%" G_GUINT64_FORMAT, a, b);
  else if (gst_cca_meta_get_zone_count (meta, index, &a))
    g_snprintf (text + n, sizeof (text) - n, " %" G_GUINT64_FORMAT, a);
  coordinates = gst_cca_shapes_get_coordinates (layer->shapes, index, &n);
  get_point (drawing, layer, coordinates, 1, point);
  gst_cca_drawing_add_text (drawing, text, (gint32) point[0], (gint32) point[1],
      color_of_kind (kind));
}

void
gst_cca_drawing_add_shapes (GstCcaDrawing *drawing, const GstCcaMeta *meta)
{
  GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  guint i, n;
  guint64 inside;

  if (!is_prepared (drawing, shapes, gst_cca_meta_get_analysis (meta)))
    prepare (drawing, shapes, gst_cca_meta_get_analysis (meta));
  n = gst_cca_shapes_get_n_shapes (shapes);
  for (i = 0; i < n; i++)
    if (gst_cca_meta_get_zone_count (meta, i, &inside) && inside > 0)
      add_tint (drawing, i);
  for (i = 0; i < n; i++)
    if (is_drawn (&drawing->style, gst_cca_shapes_get_kind (shapes, i)))
      add_name (drawing, meta, i);
}

gboolean
gst_cca_drawing_style_has_shapes (const GstCcaDrawingStyle *style,
    const GstCcaMeta *meta)
{
  const GstCcaShapes *shapes = gst_cca_meta_get_shapes (meta);
  guint i;

  for (i = 0; shapes != NULL && i < gst_cca_shapes_get_n_shapes (shapes); i++)
    if (is_drawn (style, gst_cca_shapes_get_kind (shapes, i)))
      return TRUE;
  return FALSE;
}
