/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccajoin.h"

gboolean
gst_cca_extent_set_pixels (GstCcaExtent *self, const GstCcaBox *box)
{
  self->x0 = box->x;
  self->y0 = box->y;
  self->x1 = box->x + box->width - 1;
  self->y1 = box->y + box->height - 1;
  return box->width > 0 && box->height > 0;
}

void
gst_cca_join_clear (GstCcaJoin *self)
{
  g_free (self->extents);
  g_free (self->order);
  g_free (self->reached[0]);
  g_free (self->reached[1]);
  *self = (GstCcaJoin) {
    NULL,
  };
}

gboolean
gst_cca_join_begin (GstCcaJoin *self, guint n)
{
  self->n = 0;
  return GST_CCA_TABLE_RESERVE (self->extents, self->extents_capacity, n)
      && GST_CCA_TABLE_RESERVE (self->order, self->order_capacity, n)
      && GST_CCA_TABLE_RESERVE (self->reached[0], self->reached_capacity[0], n)
      && GST_CCA_TABLE_RESERVE (self->reached[1], self->reached_capacity[1], n);
}

void
gst_cca_join_add (GstCcaJoin *self, const GstCcaExtent *extent)
{
  self->order[self->n] = (GstCcaKey) {
    .key = extent->y0,
    .index = self->n,
  };
  self->extents[self->n++] = *extent;
}

void
gst_cca_join_run (GstCcaJoin *self, GstCcaJoinFunc found, gpointer data)
{
  guint n_reached[2] = {0, 0};
  guint i, j;

  gst_cca_keys_sort (self->order, self->n);
  for (i = 0; i < self->n; i++) {
    const GstCcaExtent *here = &self->extents[self->order[i].index];
    const guint other = !here->side;
    guint *reached = self->reached[other];

    for (j = 0; j < n_reached[other];) {
      const GstCcaExtent *above = &self->extents[reached[j]];

      if (above->y1 < here->y0) {
        reached[j] = reached[--n_reached[other]];
        continue;
      }
      if (above->x0 <= here->x1 && here->x0 <= above->x1
          && !found (data, here->side ? above->index : here->index,
              here->side ? here->index : above->index))
        return;
      j++;
    }
    self->reached[here->side][n_reached[here->side]++] = self->order[i].index;
  }
}
