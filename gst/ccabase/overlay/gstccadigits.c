/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccadigits.h"

#ifdef HAVE_PANGO
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

static void
set_digit (PangoLayout *layout, guint digit)
{
  const gchar text = '0' + digit;

  pango_layout_set_text (layout, &text, 1);
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
  for (i = 0; i < CCA_OVERLAY_N_GLYPHS; i++) {
    set_digit (layout, i);
    pango_layout_get_pixel_extents (layout, &ink, &logical);
    *width = MAX (*width, logical.width);
    *top = MIN (*top, ink.y);
    *bottom = MAX (*bottom, ink.y + ink.height);
  }
}

/* Draws the digits below each other. */
static cairo_surface_t *
draw (PangoLayout *layout, gint width, gint height, gint top)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, width,
      height * CCA_OVERLAY_N_GLYPHS);
  cairo_t *cairo = cairo_create (surface);
  PangoRectangle logical;
  guint i;

  for (i = 0; i < CCA_OVERLAY_N_GLYPHS; i++) {
    set_digit (layout, i);
    pango_layout_get_pixel_extents (layout, NULL, &logical);
    cairo_move_to (cairo, (width - logical.width) / 2, (gint) i * height - top);
    pango_cairo_show_layout (cairo, layout);
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
  gint y;

  if (coverage == NULL)
    return;
  for (y = 0; y < height * CCA_OVERLAY_N_GLYPHS; y++)
    memcpy (coverage + (gsize) y * width, rows + (gsize) y * stride, width);
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
