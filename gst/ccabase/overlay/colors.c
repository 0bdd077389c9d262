/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "colors.h"

#include "paint/color.h"

#define RED(argb) ((argb) >> 16 & 0xff)
#define GREEN(argb) ((argb) >> 8 & 0xff)
#define BLUE(argb) ((argb) & 0xff)

/* The weights of matrices have up to four digits. */
#define UNIT 10000

/* offset + numerator / denominator, to the nearest value, up at halves */
static guint16
round_value (gint64 offset, gint64 numerator, gint64 denominator, guint depth)
{
  const gint64 n = 2 * (offset * denominator + numerator) + denominator;

  /* no channel is as far below its offset as that is above 0 */
  return MIN (n / (2 * denominator), (1 << depth) - 1);
}

void
gst_cca_color_values (const GstVideoInfo * info, guint32 argb,
    guint16 values[3])
{
  const GstVideoFormatInfo *format = info->finfo;
  const gint64 rgb[3] = { RED (argb), GREEN (argb), BLUE (argb) };
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0);
  GstVideoColorRange range = info->colorimetry.range;
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gdouble kr, kb;
  gint64 r, b, luma;
  guint i;

  if (range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    range = GST_VIDEO_FORMAT_INFO_IS_RGB (format)
        ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235;
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

/* As ccamask shows what has that id: red is the lowest byte there. */
guint32
gst_cca_color_of_id (gint64 id, guint alpha)
{
  const guint32 color = cca_paint_color ((guint32) id);

  return alpha << 24 | (color & 0xff) << 16 | (color & 0xff00)
      | (color >> 16 & 0xff);
}

guint32
gst_cca_color_against (guint32 argb)
{
  const guint luma = 299 * RED (argb) + 587 * GREEN (argb) + 114 * BLUE (argb);

  return (argb & 0xff000000) | (luma >= 128 * 1000 ? 0 : 0xffffff);
}
