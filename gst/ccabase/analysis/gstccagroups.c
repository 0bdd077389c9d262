/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Groups components that are near each other. A box that is extended by the
 * distance to the right and downwards overlaps another one that is extended so
 * if and only if the boxes are near. A sweep from top to bottom therefore keeps,
 * for each column, the extended box that reaches down farthest. All boxes that
 * overlap it in the column are in its group already, so a new box joins the
 * group by this one alone.
 *
 * A component has a pixel in each column of its box, so the sweep takes at most
 * as many steps as the components have pixels, and the distance for each of
 * them. */

#include "gstccagroups.h"

#include <string.h>

/* The parts of the memory. */
typedef struct
{
  const GstCcaComponent *components;
  guint *parents; /* of each component: one of a smaller id, or itself */
  guint *order;   /* the components by the tops of their boxes */
  guint *tops;    /* of each row, and one more: places in order */
  guint *ends;    /* of each column: row after the end of its box; 0: none */
  guint *owners;  /* of each column: the component of that box */
} Sweep;

void
gst_cca_groups_clear (GstCcaGroups *self)
{
  g_clear_pointer (&self->memory, g_free);
  self->capacity = 0;
}

static gboolean
reserve (GstCcaGroups *self, Sweep *sweep, guint n, guint width, guint height)
{
  const gsize size = 2 * (gsize) n + height + 1 + 2 * (gsize) width;

  if (size > self->capacity) {
    gst_cca_groups_clear (self);
    self->memory = g_try_new (guint, size);
    if (self->memory == NULL)
      return FALSE;
    self->capacity = size;
  }
  sweep->parents = self->memory;
  sweep->order = sweep->parents + n;
  sweep->tops = sweep->order + n;
  sweep->ends = sweep->tops + height + 1;
  sweep->owners = sweep->ends + width;
  return TRUE;
}

static guint
find_root (const Sweep *self, guint i)
{
  while (self->parents[i] != i)
    i = self->parents[i] = self->parents[self->parents[i]];
  return i;
}

static void
join (const Sweep *self, guint a, guint b)
{
  a = find_root (self, a);
  b = find_root (self, b);
  if (self->components[a].id < self->components[b].id)
    self->parents[b] = a;
  else
    self->parents[a] = b;
}

/* Records may be in another order than that of their boxes. */
static void
sort_by_top (Sweep *self, guint n, guint height)
{
  guint i;

  memset (self->tops, 0, (height + 1) * sizeof (*self->tops));
  for (i = 0; i < n; i++)
    self->tops[self->components[i].y + 1]++;
  for (i = 0; i < height; i++)
    self->tops[i + 1] += self->tops[i];
  for (i = 0; i < n; i++)
    self->order[self->tops[self->components[i].y]++] = i;
}

static void
enter (const Sweep *self, guint i, guint width, guint distance)
{
  const GstCcaComponent *c = &self->components[i];
  const guint right = MIN (c->x + c->width + distance, width);
  const guint end = c->y + c->height + distance;
  guint last = i, x;

  for (x = c->x; x < right; x++) {
    if (self->ends[x] > c->y && self->owners[x] != last) {
      last = self->owners[x];
      join (self, last, i);
    }
    if (self->ends[x] < end) {
      self->ends[x] = end;
      self->owners[x] = i;
    }
  }
}

gboolean
gst_cca_groups_form (GstCcaGroups *self, GstCcaComponent *components, guint n,
    guint width, guint height, guint distance)
{
  Sweep sweep = {.components = components};
  guint i;

  if (!reserve (self, &sweep, n, width, height))
    return FALSE;

  sort_by_top (&sweep, n, height);
  memset (sweep.ends, 0, width * sizeof (*sweep.ends));
  for (i = 0; i < n; i++)
    sweep.parents[i] = i;
  for (i = 0; i < n; i++)
    enter (&sweep, sweep.order[i], width, distance);
  for (i = 0; i < n; i++)
    components[i].group = components[find_root (&sweep, i)].id;

  return TRUE;
}
