/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccarest.h"

void
gst_cca_rest_begin (GstCcaRest *self, const GstCcaBox *box, guint64 time)
{
  *self = (GstCcaRest) {
    .box = *box,
    .since = time,
  };
}

static gboolean
is_within (gint64 at, gint64 size, gint64 rest, gint64 rest_size)
{
  return 10 * at >= 10 * rest - rest_size
      && 10 * (at + size) <= 10 * (rest + rest_size) + rest_size;
}

gboolean
gst_cca_rest_update (GstCcaRest *self, const GstCcaBox *box, guint n_frames,
    guint64 time)
{
  const GstCcaBox *rest = &self->box;

  if (!is_within (box->x, box->width, rest->x, rest->width)
      || !is_within (box->y, box->height, rest->y, rest->height)) {
    gst_cca_rest_begin (self, box, time);
    return FALSE;
  }
  self->frames += n_frames;
  return TRUE;
}

gboolean
gst_cca_rest_is_arrival (const GstCcaRest *self, const GstCcaBox *first)
{
  const GstCcaBox *rest = &self->box;

  return ABS (2 * (first->x - rest->x) + first->width - rest->width)
      >= 2 * rest->width
      || ABS (2 * (first->y - rest->y) + first->height - rest->height)
      >= 2 * rest->height;
}

gboolean
gst_cca_box_is_clear (const GstCcaBox *self, guint width, guint height)
{
  return self->x > 0 && self->y > 0 && self->x + self->width < width
      && self->y + self->height < height;
}
