/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccazones.h"

#define MAX_FRAMES 10000
#define MAX_CROWD 65536
#define DEFAULT_ENTER_FRAMES 3
#define DEFAULT_LEAVE_FRAMES 10

/* A time in ns exceeds an integer of a structure in text, which makes it a
 * double. All whole numbers below this one are exact. */
#define MAX_TIME ((gdouble) ((guint64) 1 << 53))

/* Each of the following functions returns NULL, or the reason why the zone is
 * invalid. */

static const gchar *
read_time (GstClockTime *time, const GValue *value, const gchar *why)
{
  GValue number = G_VALUE_INIT;
  gdouble ns = -1;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (g_value_transform (value, &number))
    ns = g_value_get_double (&number);
  if (!(ns >= 0 && ns < MAX_TIME) || ns != (GstClockTime) ns)
    return why;
  *time = (GstClockTime) ns;
  return NULL;
}

static const gchar *
read_field (gpointer figure, const gchar *name, const GValue *value)
{
  GstCcaZone *self = (GstCcaZone *) figure;

  if (g_str_equal (name, "points"))
    return gst_cca_figure_read_points (figure, value, 3,
        "needs 3 to 256 points: x1, y1, x2, y2 and so on");
  if (g_str_equal (name, "anchor"))
    return gst_cca_figure_read_anchor (&self->anchor, value);
  if (g_str_equal (name, "enter-frames"))
    return gst_cca_figure_read_number (&self->enter_frames, value, 1,
        MAX_FRAMES, "needs an integer enter-frames from 1 to 10000");
  if (g_str_equal (name, "leave-frames"))
    return gst_cca_figure_read_number (&self->leave_frames, value, 1,
        MAX_FRAMES, "needs an integer leave-frames from 1 to 10000");
  if (g_str_equal (name, "crowd"))
    return gst_cca_figure_read_number (&self->crowd, value, 0, MAX_CROWD,
        "needs an integer crowd from 0 to 65536");
  if (g_str_equal (name, "loiter-time"))
    return read_time (&self->loiter_time, value,
        "needs a loiter-time in nanoseconds");
  if (g_str_equal (name, "crowd-time"))
    return read_time (&self->crowd_time, value,
        "needs a crowd-time in nanoseconds");
  return "has an unknown field";
}

static const gchar *
begin_zone (GstCcaFigure *figure, const GstStructure *s)
{
  GstCcaZone *self = (GstCcaZone *) figure;

  self->anchor = GST_CCA_ANCHOR_BOTTOM_CENTER;
  self->enter_frames = DEFAULT_ENTER_FRAMES;
  self->leave_frames = DEFAULT_LEAVE_FRAMES;
  return gst_structure_has_field (s, "points") ? NULL : "needs points";
}

static void
get_counts (const GstCcaFigure *figure, GstStructure *to)
{
  const GstCcaZoneCounts *counts = figure->counts;

  gst_structure_set (to, "inside", G_TYPE_UINT64, counts->inside, "entered",
      G_TYPE_UINT64, counts->entered, "left", G_TYPE_UINT64, counts->left,
      "dwell", G_TYPE_UINT64, counts->dwell, "max-dwell", G_TYPE_UINT64,
      counts->max_dwell, NULL);
}

/* The number of objects inside is a state, not a count of the past. */
static void
reset_counts (GstCcaFigure *figure)
{
  GstCcaZoneCounts *counts = figure->counts;

  *counts = (GstCcaZoneCounts) {
    .inside = counts->inside,
  };
}

const GstCcaFigureKind gst_cca_zone_kind = {
  .noun = "zone",
  .set_size = sizeof (GstCcaZones),
  .size = sizeof (GstCcaZone),
  .counts_size = sizeof (GstCcaZoneCounts),
  .begin = begin_zone,
  .read_field = read_field,
  .get_counts = get_counts,
  .reset_counts = reset_counts,
};
