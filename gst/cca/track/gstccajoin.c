/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccajoin.h"

/* More columns cost more than the comparisons that they save. */
#define MAX_COLUMNS(n) ((n) / 8 + 2)

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
  g_free (self->entries);
  g_free (self->ends);
  g_free (self->reached[0]);
  g_free (self->reached[1]);
  *self = (GstCcaJoin) {
    NULL,
  };
}

/* A column is at least as wide as the mean rectangle, so that n rectangles have
 * at most 3 n entries: a rectangle of width w has up to 2 + w / width. */
gboolean
gst_cca_join_begin (GstCcaJoin *self, guint n)
{
  self->n = 0;
  self->left = G_MAXINT64;
  self->right = G_MININT64;
  self->width = 0;
  return GST_CCA_TABLE_RESERVE (self->extents, self->extents_capacity, n)
      && GST_CCA_TABLE_RESERVE (self->entries, self->entries_capacity,
          (gsize) 3 * n)
      && GST_CCA_TABLE_RESERVE (self->ends, self->ends_capacity,
          2 * MAX_COLUMNS (n))
      && GST_CCA_TABLE_RESERVE (self->reached[0], self->reached_capacity[0], n)
      && GST_CCA_TABLE_RESERVE (self->reached[1], self->reached_capacity[1], n);
}

void
gst_cca_join_add (GstCcaJoin *self, const GstCcaExtent *extent)
{
  self->left = MIN (self->left, extent->x0);
  self->right = MAX (self->right, extent->x1);
  self->width += (__int128) extent->x1 - extent->x0;
  self->extents[self->n++] = *extent;
}

/* --- columns -------------------------------------------------------------- */

static guint
column_of (const GstCcaJoin *self, gint64 x)
{
  return ((guint64) x - (guint64) self->left) >> self->shift;
}

static void
set_columns (GstCcaJoin *self)
{
  self->shift = 0;
  while (column_of (self, self->right) >= MAX_COLUMNS (self->n)
      || (__int128) self->n << self->shift < self->width)
    self->shift++;
  self->n_columns = column_of (self, self->right) + 1;
}

/* Counts the entries of each column and side, then fills them from the last
 * one, which leaves each end at the first entry. */
static void
sort_into_columns (GstCcaJoin *self)
{
  const guint n = 2 * self->n_columns;
  guint i, column, sum = 0;

  memset (self->ends, 0, n * sizeof (*self->ends));
  for (i = 0; i < self->n; i++) {
    const GstCcaExtent *extent = &self->extents[i];
    const guint last = column_of (self, extent->x1);

    for (column = column_of (self, extent->x0); column <= last; column++)
      self->ends[2 * column + extent->side]++;
  }
  for (i = 0; i < n; i++) {
    const guint n_entries = self->ends[i];

    self->ends[i] = sum;
    sum += n_entries;
  }
  for (i = 0; i < self->n; i++) {
    const GstCcaExtent *extent = &self->extents[i];
    const guint last = column_of (self, extent->x1);

    for (column = column_of (self, extent->x0); column <= last; column++)
      self->entries[self->ends[2 * column + extent->side]++] = (GstCcaKey) {
        .key = extent->y0,
        .index = i,
      };
  }
}

/* A pair belongs to the column in which its common part begins. */
static gboolean
sweep (GstCcaJoin *self, guint column, GstCcaJoinFunc found, gpointer data)
{
  const guint ends[2] = {self->ends[2 * column], self->ends[2 * column + 1]};
  guint next[2] = {column > 0 ? self->ends[2 * column - 1] : 0, ends[0]};
  guint n_reached[2] = {0, 0};
  guint side, j;

  for (side = 0; side < 2; side++)
    gst_cca_keys_sort (&self->entries[next[side]], ends[side] - next[side]);
  while (next[0] < ends[0] || next[1] < ends[1]) {
    const GstCcaExtent *here;
    guint *reached;

    side = next[0] == ends[0]
        || (next[1] < ends[1]
            && self->entries[next[1]].key < self->entries[next[0]].key);
    self->reached[side][n_reached[side]++] = self->entries[next[side]].index;
    here = &self->extents[self->entries[next[side]++].index];
    reached = self->reached[!side];
    for (j = 0; j < n_reached[!side];) {
      const GstCcaExtent *above = &self->extents[reached[j]];

      if (above->y1 < here->y0) {
        reached[j] = reached[--n_reached[!side]];
        continue;
      }
      if (above->x0 <= here->x1 && here->x0 <= above->x1
          && column_of (self, MAX (above->x0, here->x0)) == column
          && !found (data, side ? above->index : here->index,
              side ? here->index : above->index))
        return FALSE;
      j++;
    }
  }
  return TRUE;
}

void
gst_cca_join_run (GstCcaJoin *self, GstCcaJoinFunc found, gpointer data)
{
  guint column;

  if (self->n == 0)
    return;
  set_columns (self);
  sort_into_columns (self);
  for (column = 0; column < self->n_columns; column++)
    if (!sweep (self, column, found, data))
      return;
}
