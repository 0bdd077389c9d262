/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The boxed types GstCcaComponent and GstCcaAnalysis: copying, validation and
 * scaling. */

#include "gstccametaprivate.h"

G_DEFINE_BOXED_TYPE (GstCcaComponent, gst_cca_component, gst_cca_component_copy,
    gst_cca_component_free);

G_DEFINE_BOXED_TYPE (GstCcaAnalysis, gst_cca_analysis, gst_cca_analysis_copy,
    gst_cca_analysis_free);

/**
 * gst_cca_component_new:
 * @id: id of the component, at least 1
 * @x: left column of the bounding box, in pixels
 * @y: top row of the bounding box
 * @width: width of the bounding box, in pixels
 * @height: height of the bounding box
 * @area: number of pixels
 * @centroid_x: mean of the pixels' column indices
 * @centroid_y: mean of the pixels' row indices
 *
 * Makes a record with these values and a track_id of -1. The values are not
 * checked.
 *
 * Returns: (transfer full): the record. Free it with gst_cca_component_free().
 */
GstCcaComponent *
gst_cca_component_new (guint id, guint x, guint y, guint width, guint height,
    guint64 area, gdouble centroid_x, gdouble centroid_y)
{
  GstCcaComponent *component = g_new (GstCcaComponent, 1);

  *component = (GstCcaComponent) {
    .id = id,
    .x = x,
    .y = y,
    .width = width,
    .height = height,
    .area = area,
    .centroid_x = centroid_x,
    .centroid_y = centroid_y,
    .track_id = -1,
  };

  return component;
}

/**
 * gst_cca_component_copy:
 * @component: a #GstCcaComponent
 *
 * Copies a record.
 *
 * Returns: (transfer full): the copy. Free it with gst_cca_component_free().
 */
GstCcaComponent *
gst_cca_component_copy (const GstCcaComponent *component)
{
  GstCcaComponent *copy;

  g_return_val_if_fail (component != NULL, NULL);

  copy = g_new (GstCcaComponent, 1);
  *copy = *component;

  return copy;
}

/**
 * gst_cca_component_free:
 * @component: (nullable) (transfer full): a #GstCcaComponent
 *
 * Frees a record made by gst_cca_component_new() or gst_cca_component_copy().
 */
void
gst_cca_component_free (GstCcaComponent *component)
{
  g_free (component);
}

/**
 * gst_cca_analysis_new:
 * @width: width of the analysed picture, in pixels
 * @height: height of the analysed picture
 * @n_found: number of components found
 *
 * Makes a record whose other fields are those of the analysing elements'
 * default settings for 8-bit video: pixels above 128 are foreground, by
 * %GST_CCA_FOREGROUND_THRESHOLD, with 8-connectivity.
 *
 * Returns: (transfer full): the record. Free it with gst_cca_analysis_free().
 */
GstCcaAnalysis *
gst_cca_analysis_new (guint width, guint height, guint n_found)
{
  GstCcaAnalysis *analysis = g_new (GstCcaAnalysis, 1);

  *analysis = (GstCcaAnalysis) {
    .width = width,
    .height = height,
    .threshold = 128,
    .threshold_high = 255,
    .connectivity = 8,
    .n_found = n_found,
    .depth = 8,
  };

  return analysis;
}

/**
 * gst_cca_analysis_copy:
 * @analysis: a #GstCcaAnalysis
 *
 * Copies a record.
 *
 * Returns: (transfer full): the copy. Free it with gst_cca_analysis_free().
 */
GstCcaAnalysis *
gst_cca_analysis_copy (const GstCcaAnalysis *analysis)
{
  GstCcaAnalysis *copy;

  g_return_val_if_fail (analysis != NULL, NULL);

  copy = g_new (GstCcaAnalysis, 1);
  *copy = *analysis;

  return copy;
}

/**
 * gst_cca_analysis_free:
 * @analysis: (nullable) (transfer full): a #GstCcaAnalysis
 *
 * Frees a record made by gst_cca_analysis_new() or gst_cca_analysis_copy().
 */
void
gst_cca_analysis_free (GstCcaAnalysis *analysis)
{
  g_free (analysis);
}

gboolean
gst_cca_analysis_is_valid (const GstCcaAnalysis *analysis, guint64 n_components)
{
  if (analysis->width < 1 || analysis->width > G_MAXINT)
    return FALSE;
  if (analysis->height < 1 || analysis->height > G_MAXINT)
    return FALSE;
  if (analysis->connectivity != 4 && analysis->connectivity != 8)
    return FALSE;
  if (analysis->depth > 16)
    return FALSE;
  if (analysis->n_found > (guint64) analysis->width * analysis->height)
    return FALSE;

  return n_components <= analysis->n_found;
}

/* A valid centroid is inside the area that the pixels of the box cover. The
 * comparisons are written so that NaN fails them. */
gboolean
gst_cca_component_is_valid (const GstCcaComponent *component,
    const GstCcaAnalysis *analysis)
{
  const guint64 x1 = (guint64) component->x + component->width;
  const guint64 y1 = (guint64) component->y + component->height;

  if (component->id < 1 || component->width < 1 || component->height < 1)
    return FALSE;
  if (x1 > analysis->width || y1 > analysis->height)
    return FALSE;
  if (component->area < 1
      || component->area > (guint64) component->width * component->height)
    return FALSE;
  if (!(component->centroid_x >= component->x - 0.5
          && component->centroid_x <= x1 - 0.5))
    return FALSE;

  return component->centroid_y >= component->y - 0.5
      && component->centroid_y <= y1 - 0.5;
}

/* Scales one axis of a component from @from to @to pixels. A record from an
 * application may exceed the frame. It is clipped first, which also keeps the
 * products below 2^63. */
static void
scale_axis (guint *start, guint *length, gdouble *centroid, guint from,
    guint to)
{
  const guint64 x0 = MIN (*start, from - 1);
  const guint64 x1 = CLAMP ((guint64) *start + *length, x0 + 1, from);
  const guint64 s0 = x0 * to / from;
  const guint64 s1 = (x1 * to + from - 1) / from;

  if (from == to)
    return;

  *start = s0;
  *length = s1 - s0;
  *centroid = (*centroid + 0.5) * ((gdouble) to / from) - 0.5;
}

void
gst_cca_component_scale (const GstCcaComponent *component,
    const GstCcaAnalysis *analysis, guint frame_width, guint frame_height,
    GstCcaComponent *scaled)
{
  const guint from_width = analysis->width;
  const guint from_height = analysis->height;
  const guint to_width = frame_width ? frame_width : from_width;
  const guint to_height = frame_height ? frame_height : from_height;

  *scaled = *component;
  if (to_width == from_width && to_height == from_height)
    return;

  scale_axis (&scaled->x, &scaled->width, &scaled->centroid_x, from_width,
      to_width);
  scale_axis (&scaled->y, &scaled->height, &scaled->centroid_y, from_height,
      to_height);
  scaled->area = gst_util_uint64_scale_round (component->area,
      (guint64) to_width * to_height, (guint64) from_width * from_height);
  scaled->area = MAX (scaled->area, 1);
}
