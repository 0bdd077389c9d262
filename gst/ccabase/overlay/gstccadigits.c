/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccadigits.h"

#ifdef HAVE_PANGO
#include <math.h>

#include <pango/pangocairo.h>

#define FONT "Sans Bold"

/* The layout has a font map of its own, as the default one is never freed. */
static PangoLayout *
make_layout (guint size)
{
  PangoFontMap *fonts = pango_cairo_font_map_new ();
  PangoContext *context = pango_font_map_create_context (fonts);
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *font = pango_font_description_from_string (FONT);

  pango_font_description_set_absolute_size (font, (gdouble) size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  g_object_unref (context);
  g_object_unref (fonts);
  return layout;
}

#define N_DIGITS 10

static void
set_character (PangoLayout *layout, guint i)
{
  pango_layout_set_text (layout, &CCA_OVERLAY_CHARACTERS[i], 1);
}

/* Returns the width of the widest digit, and the rows that the digits cover,
 * bottom exclusive. */
static void
measure (PangoLayout *layout, gint *width, gint *top, gint *bottom)
{
  PangoRectangle ink, logical;
  guint i;

  *width = 0;
  *top = G_MAXINT;
  *bottom = G_MININT;
  for (i = 0; i < N_DIGITS; i++) {
    set_character (layout, i);
    pango_layout_get_pixel_extents (layout, &ink, &logical);
    *width = MAX (*width, logical.width);
    *top = MIN (*top, ink.y);
    *bottom = MAX (*bottom, ink.y + ink.height);
  }
}

/* Places a character other than a digit in a cell of the size of a digit: in the
 * middle of the columns, and in the rows that it has in text. It is moved up if
 * it would reach below the digits, and made narrower or lower if it is larger
 * than the cell without a column of space. */
static void
place (cairo_t *cairo, const PangoRectangle *ink, gint width, gint height,
    gint top)
{
  const gdouble wide = MIN (1.0, MAX (width - 1, 1) / (gdouble) ink->width);
  const gdouble high = MIN (1.0, height / (gdouble) ink->height);
  const gdouble below = height - high * ink->height;

  cairo_translate (cairo, floor ((width - wide * ink->width) / 2),
      CLAMP (ink->y - top, 0, below));
  cairo_scale (cairo, wide, high);
  cairo_move_to (cairo, -ink->x, -ink->y);
}

/* Draws the characters below each other. */
static cairo_surface_t *
draw (PangoLayout *layout, gint width, gint height, gint top)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, width,
      height * CCA_OVERLAY_N_GLYPHS);
  cairo_t *cairo = cairo_create (surface);
  PangoRectangle ink, logical;
  guint i;

  for (i = 0; i < CCA_OVERLAY_N_GLYPHS; i++) {
    set_character (layout, i);
    pango_layout_get_pixel_extents (layout, &ink, &logical);
    cairo_save (cairo);
    cairo_translate (cairo, 0, (gdouble) i * height);
    if (i < N_DIGITS)
      cairo_move_to (cairo, (width - logical.width) / 2, -top);
    else if (ink.width > 0 && ink.height > 0)
      place (cairo, &ink, width, height, top);
    if (ink.width > 0 && ink.height > 0)
      pango_cairo_show_layout (cairo, layout);
    cairo_restore (cairo);
  }
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  return surface;
}

static void
take_coverage (CcaOverlayGlyphs *digits, cairo_surface_t *surface, gint width,
    gint height)
{
  const guint8 *rows = cairo_image_surface_get_data (surface);
  const gint stride = cairo_image_surface_get_stride (surface);
  const gsize size = (gsize) width * height * CCA_OVERLAY_N_GLYPHS;
  /* There are no rows if the surface is too large for cairo or if the font has
   * no digits. */
  guint8 *coverage = rows != NULL ? g_try_malloc (size) : NULL;
  gsize y;

  if (coverage == NULL)
    return;
  for (y = 0; y < (gsize) height * CCA_OVERLAY_N_GLYPHS; y++)
    memcpy (coverage + y * width, rows + y * stride, width);
  *digits = (CcaOverlayGlyphs) {
    .coverage = coverage,
    .width = width,
    .height = height,
  };
}

void
gst_cca_digits_make (CcaOverlayGlyphs *digits, guint size)
{
  PangoLayout *layout = make_layout (size);
  gint width, top, bottom;
  cairo_surface_t *surface;

  gst_cca_digits_clear (digits);
  measure (layout, &width, &top, &bottom);
  surface = draw (layout, width, bottom - top, top);
  take_coverage (digits, surface, width, bottom - top);
  cairo_surface_destroy (surface);
  g_object_unref (layout);
}
#else
void
gst_cca_digits_make (CcaOverlayGlyphs *digits, guint size)
{
  gst_cca_digits_clear (digits);
}
#endif

void
gst_cca_digits_clear (CcaOverlayGlyphs *digits)
{
  g_free ((gpointer) digits->coverage);
  *digits = (CcaOverlayGlyphs) {.coverage = NULL};
}
