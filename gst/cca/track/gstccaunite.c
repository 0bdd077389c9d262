/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccaunite.h"

/* The products need more than 64 bits. */
typedef __int128 Int128;

struct _GstCcaUniteSum
{
  guint n;           /* components */
  Int128 area, x, y; /* the latter weighted by area */
};

void
gst_cca_unite_clear (GstCcaUnite *self)
{
  g_free (self->group_of);
  g_free (self->united);
  g_free (self->sums);
  g_free (self->parents);
  g_free (self->keys);
  gst_cca_join_clear (&self->join);
  *self = (GstCcaUnite) {
    NULL,
  };
}

static gboolean
reserve (GstCcaUnite *self, guint n, gboolean unites)
{
  if (!GST_CCA_TABLE_RESERVE (self->group_of, self->group_of_capacity, n))
    return FALSE;
  return !unites
      || (GST_CCA_TABLE_RESERVE (self->united, self->united_capacity, n)
          && GST_CCA_TABLE_RESERVE (self->sums, self->sums_capacity, n)
          && GST_CCA_TABLE_RESERVE (self->parents, self->parents_capacity, n)
          && GST_CCA_TABLE_RESERVE (self->keys, self->keys_capacity, n)
          && gst_cca_join_begin (&self->join, 2 * n));
}

/* --- pairs ---------------------------------------------------------------- */

/* The first component of a group is its root. */
static guint
find_root (GstCcaUnite *self, guint i)
{
  while (self->parents[i] != i)
    i = self->parents[i] = self->parents[self->parents[i]];
  return i;
}

static guint64
area_of (const GstCcaBox *box)
{
  return (guint64) box->width * box->height;
}

static void
join_groups_of (GstCcaUnite *self, guint a, guint b)
{
  a = find_root (self, a);
  b = find_root (self, b);
  self->parents[MAX (a, b)] = MIN (a, b);
}

static gboolean
found_pair (gpointer data, guint a, guint b)
{
  GstCcaUnite *self = data;
  const GstCcaBox box_a = gst_cca_box_of_component (&self->components[a]);
  const GstCcaBox box_b = gst_cca_box_of_component (&self->components[b]);
  const guint64 smaller = MIN (area_of (&box_a), area_of (&box_b));

  if (a < b
      && (Int128) gst_cca_box_get_common (&box_a, &box_b) * 100
          >= (Int128) smaller * self->percent)
    join_groups_of (self, a, b);
  return TRUE;
}

/* Both sides of the join have all components, so each pair is found twice. */
static void
find_pairs (GstCcaUnite *self, guint n)
{
  GstCcaExtent extent;
  guint i;

  for (i = 0; i < n; i++) {
    const GstCcaBox box = gst_cca_box_of_component (&self->components[i]);

    extent.index = i;
    if (!gst_cca_extent_set_pixels (&extent, &box))
      continue;
    for (extent.side = 0; extent.side < 2; extent.side++)
      gst_cca_join_add (&self->join, &extent);
  }
  gst_cca_join_run (&self->join, found_pair, self);
}

/* Components that the analyser did not group have 0. */
static void
find_same_groups (GstCcaUnite *self, guint n)
{
  guint i, n_keys = 0;

  for (i = 0; i < n; i++)
    if (self->components[i].group != 0)
      self->keys[n_keys++] = (GstCcaKey) {
        .key = self->components[i].group,
        .index = i,
      };
  gst_cca_keys_sort (self->keys, n_keys);
  for (i = 1; i < n_keys; i++)
    if (self->keys[i].key == self->keys[i - 1].key)
      join_groups_of (self, self->keys[i - 1].index, self->keys[i].index);
}

/* --- groups --------------------------------------------------------------- */

static void
add_component (GstCcaUnite *self, guint group, const GstCcaComponent *c)
{
  const GstCcaPosition centroid = gst_cca_centroid_of_component (c);
  struct _GstCcaUniteSum *sum = &self->sums[group];

  sum->n++;
  sum->area += c->area;
  sum->x += (Int128) centroid.x * c->area;
  sum->y += (Int128) centroid.y * c->area;
}

static void
extend_box (GstCcaComponent *to, const GstCcaComponent *c)
{
  const guint64 right =
      MAX ((guint64) to->x + to->width, (guint64) c->x + c->width);
  const guint64 bottom =
      MAX ((guint64) to->y + to->height, (guint64) c->y + c->height);

  to->x = MIN (to->x, c->x);
  to->y = MIN (to->y, c->y);
  to->width = MIN (right - to->x, G_MAXUINT);
  to->height = MIN (bottom - to->y, G_MAXUINT);
}

static void
make_groups (GstCcaUnite *self, guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    const guint root = find_root (self, i);

    if (root == i) {
      self->group_of[i] = self->n_groups++;
      self->united[self->group_of[i]] = self->components[i];
      self->sums[self->group_of[i]] = (struct _GstCcaUniteSum) {
        0,
      };
    } else {
      self->group_of[i] = self->group_of[root];
      extend_box (&self->united[self->group_of[i]], &self->components[i]);
    }
    add_component (self, self->group_of[i], &self->components[i]);
  }
}

/* Returns the coordinate whose rounded position is the quotient, rounded
 * down. */
static gdouble
divide (Int128 sum, Int128 area)
{
  const gint64 position = sum / area - (sum % area < 0);

  return (gdouble) position / GST_CCA_POSITION_UNITS - 0.5;
}

/* Components without an area have no mean: the centroid of the first one
 * remains. */
static void
set_centroids (GstCcaUnite *self)
{
  guint i;

  for (i = 0; i < self->n_groups; i++) {
    const struct _GstCcaUniteSum *sum = &self->sums[i];

    if (sum->n == 1 || sum->area == 0)
      continue;
    self->united[i].centroid_x = divide (sum->x, sum->area);
    self->united[i].centroid_y = divide (sum->y, sum->area);
  }
}

gboolean
gst_cca_unite_run (GstCcaUnite *self, const GstCcaComponent *components,
    guint n, guint percent, gboolean by_group)
{
  const gboolean unites = percent > 0 || by_group;
  guint i;

  if (!reserve (self, n, unites))
    return FALSE;
  self->components = components;
  self->percent = percent;
  if (!unites) {
    for (i = 0; i < n; i++)
      self->group_of[i] = i;
    self->groups = components;
    self->n_groups = n;
    return TRUE;
  }
  self->groups = self->united;
  self->n_groups = 0;
  for (i = 0; i < n; i++)
    self->parents[i] = i;
  if (percent > 0)
    find_pairs (self, n);
  if (by_group)
    find_same_groups (self, n);
  make_groups (self, n);
  set_centroids (self);
  return TRUE;
}
