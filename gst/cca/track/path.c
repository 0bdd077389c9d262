/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "path.h"

void
gst_cca_path_begin (GstCcaPath * self)
{
  self->n_points = 0;
  self->step = 1;
  self->n_added = 0;
}

/* Keeps every second of a full path. */
static void
thin (GstCcaPath * self)
{
  guint i;

  for (i = 0; i < GST_CCA_PATH_MAX_POINTS / 2; i++)
    self->points[i] = self->points[2 * i];
  self->n_points = GST_CCA_PATH_MAX_POINTS / 2;
  self->step *= 2;
}

/* The last point is replaced, unless it is one of those that are kept. */
void
gst_cca_path_add (GstCcaPath * self, gdouble x, gdouble y)
{
  if (self->n_added > 0 && (self->n_added - 1) % self->step != 0)
    self->n_points--;
  if (self->n_points == GST_CCA_PATH_MAX_POINTS)
    thin (self);
  self->points[self->n_points++] = (GstCcaPoint) { x, y };
  self->n_added++;
}
