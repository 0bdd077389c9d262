/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Pairs are formed greedily from a heap of candidates, best first. There can be
 * as many candidates as pairs of a track and a component. If they exceed the
 * limit, only the best are kept, and the search is repeated for the tracks and
 * components that are still unpaired. The result is the same. */

#include "gstccamatch.h"

/* All pairs of 1024 tracks and 1024 components. The heap takes 32 MiB. */
#ifndef GST_CCA_MAX_CANDIDATES
#define GST_CCA_MAX_CANDIDATES (1024 * 1024)
#endif

typedef unsigned __int128 Wide;

/* A possible pair. Its nearness is the fraction part / whole. By overlap these
 * are the areas of the intersection and the union, by distance 1 and the
 * squared distance, which may be 0. */
struct _GstCcaCandidate
{
  Wide whole;
  guint64 part; /* at least 1 */
  guint track, component;
};

/* --- memory --------------------------------------------------------------- */

void
gst_cca_match_clear (GstCcaMatch *self)
{
  g_free (self->tracks);
  g_free (self->components);
  g_free (self->candidates);
  gst_cca_join_clear (&self->join);
  *self = (GstCcaMatch) {
    NULL,
  };
}

gboolean
gst_cca_match_begin (GstCcaMatch *self, guint n_tracks, guint n_components)
{
  self->n_tracks = n_tracks;
  self->n_components = n_components;
  return GST_CCA_TABLE_RESERVE (self->tracks, self->tracks_capacity, n_tracks)
      && GST_CCA_TABLE_RESERVE (self->components, self->components_capacity,
          n_components);
}

/* --- order ---------------------------------------------------------------- */

/* Returns -1 if a is nearer, 1 if b is, 0 if they are equally near. A whole has
 * up to 106 bits, so the quotients are compared before cross-multiplying. */
static gint
compare_nearness (const GstCcaCandidate *a, const GstCcaCandidate *b)
{
  Wide left = a->whole, right = b->whole;

  if ((left | right) >> 64 != 0) {
    if (left / a->part != right / b->part)
      return left / a->part < right / b->part ? -1 : 1;
    left %= a->part;
    right %= b->part;
  }
  left *= b->part;
  right *= a->part;
  return left < right ? -1 : left > right;
}

static gboolean
is_better (const GstCcaMatch *self, const GstCcaCandidate *a,
    const GstCcaCandidate *b)
{
  const gboolean confirmed = self->tracks[a->track].confirmed;
  gint nearness;

  if (confirmed != self->tracks[b->track].confirmed)
    return confirmed;
  nearness = compare_nearness (a, b);
  if (nearness != 0)
    return nearness < 0;
  if (a->track != b->track)
    return a->track < b->track;
  return a->component < b->component;
}

typedef enum
{
  BEST_FIRST,
  WORST_FIRST,
} Order;

/* Inserts a candidate at index i of the heap, whose entry there is overwritten,
 * and moves it down to its position. */
static void
sift (GstCcaMatch *self, Order order, guint i, GstCcaCandidate candidate)
{
  GstCcaCandidate *heap = self->candidates;
  guint child;

  for (; (child = 2 * i + 1) < self->n_candidates; i = child) {
    if (child + 1 < self->n_candidates
        && is_better (self, &heap[child + 1], &heap[child])
            == (order == BEST_FIRST))
      child++;
    if (is_better (self, &heap[child], &candidate) != (order == BEST_FIRST))
      break;
    heap[i] = heap[child];
  }
  heap[i] = candidate;
}

static void
make_heap (GstCcaMatch *self, Order order)
{
  guint i;

  for (i = self->n_candidates / 2; i-- > 0;)
    sift (self, order, i, self->candidates[i]);
}

/* --- candidates ----------------------------------------------------------- */

static gboolean
add_candidate (GstCcaMatch *self, const GstCcaCandidate *candidate)
{
  self->tracks[candidate->track].n_candidates++;
  self->components[candidate->component].n_candidates++;
  if (self->n_candidates < GST_CCA_MAX_CANDIDATES) {
    self->failed = !GST_CCA_TABLE_RESERVE (self->candidates,
        self->candidates_capacity, self->n_candidates + 1);
    if (!self->failed)
      self->candidates[self->n_candidates++] = *candidate;
    return !self->failed;
  }
  if (!self->left_out)
    make_heap (self, WORST_FIRST);
  self->left_out = TRUE;
  if (is_better (self, candidate, &self->candidates[0]))
    sift (self, WORST_FIRST, 0, *candidate);
  return TRUE;
}

static gboolean
found_overlap (gpointer data, guint track, guint component)
{
  GstCcaMatch *self = data;
  const GstCcaBox *p = &self->tracks[track].box;
  const GstCcaBox *b = &self->components[component].box;
  const guint64 intersection = gst_cca_box_get_common (p, b);
  const GstCcaCandidate candidate = {
    .part = intersection,
    .whole = (Wide) ((guint64) p->width * p->height)
        + (guint64) b->width * b->height - intersection,
    .track = track,
    .component = component,
  };

  if ((Wide) intersection * 100 < candidate.whole * self->min_overlap)
    return TRUE;
  return add_candidate (self, &candidate);
}

static Wide
square (gint64 v)
{
  return (__int128) v * v;
}

static gboolean
found_near (gpointer data, guint track, guint component)
{
  GstCcaMatch *self = data;
  const GstCcaBox *p = &self->tracks[track].box;
  const GstCcaBox *b = &self->components[component].box;
  const GstCcaCandidate candidate = {
    .part = 1,
    .whole = square (2 * (p->x - b->x) + p->width - b->width)
        + square (2 * (p->y - b->y) + p->height - b->height),
    .track = track,
    .component = component,
  };

  return add_candidate (self, &candidate);
}

/* --- extents -------------------------------------------------------------- */

static gboolean
pixel_extent (const GstCcaBox *box, guint unused, GstCcaExtent *extent)
{
  return gst_cca_extent_set_pixels (extent, box);
}

/* The rectangle around the centre of a box that extends by max_distance per
 * cent of half the box size to each side, in units of 1/200 pixel. Two of
 * these meet exactly if the centres are within the maximum distance. */
static gboolean
search_extent (const GstCcaBox *box, guint max_distance, GstCcaExtent *extent)
{
  const gint64 x = 100 * (2 * box->x + box->width);
  const gint64 y = 100 * (2 * box->y + box->height);

  extent->x0 = x - max_distance * box->width;
  extent->y0 = y - max_distance * box->height;
  extent->x1 = x + max_distance * box->width;
  extent->y1 = y + max_distance * box->height;
  return TRUE;
}

typedef gboolean (*ExtentFunc) (const GstCcaBox *box, guint max_distance,
    GstCcaExtent *extent);

static void
add_extents (GstCcaMatch *self, guint side, ExtentFunc get_extent,
    guint max_distance)
{
  GstCcaMatchItem *items = side ? self->components : self->tracks;
  const guint n = side ? self->n_components : self->n_tracks;
  GstCcaExtent extent = {.side = side};

  for (extent.index = 0; extent.index < n; extent.index++) {
    items[extent.index].n_candidates = 0;
    if (items[extent.index].partner < 0 && !items[extent.index].absent
        && get_extent (&items[extent.index].box, max_distance, &extent))
      gst_cca_join_add (&self->join, &extent);
  }
}

/* --- pairs ---------------------------------------------------------------- */

static guint
count_unpaired (const GstCcaMatchItem *items, guint n)
{
  guint i, n_unpaired = 0;

  for (i = 0; i < n; i++)
    n_unpaired += items[i].partner < 0;
  return n_unpaired;
}

static gboolean
is_open (const GstCcaMatch *self, const GstCcaCandidate *candidate)
{
  return self->tracks[candidate->track].partner < 0
      && self->components[candidate->component].partner < 0;
}

static void
take (GstCcaMatch *self, const GstCcaCandidate *candidate)
{
  self->tracks[candidate->track].partner = candidate->component;
  self->components[candidate->component].partner = candidate->track;
}

/* Takes the candidates whose track and component are in no other one, in any
 * order, and removes them. */
static void
take_unrivalled (GstCcaMatch *self)
{
  const guint n = self->n_candidates;
  guint i;

  self->n_candidates = 0;
  for (i = 0; i < n; i++) {
    const GstCcaCandidate *candidate = &self->candidates[i];

    if (self->tracks[candidate->track].n_candidates == 1
        && self->components[candidate->component].n_candidates == 1)
      take (self, candidate);
    else
      self->candidates[self->n_candidates++] = *candidate;
  }
}

/* Removes the candidates whose track or component has a partner already. */
static void
drop_closed (GstCcaMatch *self)
{
  const guint n = self->n_candidates;
  guint i;

  self->n_candidates = 0;
  for (i = 0; i < n; i++)
    if (is_open (self, &self->candidates[i]))
      self->candidates[self->n_candidates++] = self->candidates[i];
  make_heap (self, BEST_FIRST);
}

/* In crowded scenes most candidates are closed before they reach the top of
 * the heap. After an eighth of the heap was taken out closed, it is faster to
 * remove all closed candidates at once. */
static void
take_candidates (GstCcaMatch *self)
{
  guint n_closed = 0, n_pairs;

  take_unrivalled (self);
  n_pairs = MIN (count_unpaired (self->tracks, self->n_tracks),
      count_unpaired (self->components, self->n_components));
  make_heap (self, BEST_FIRST);
  while (self->n_candidates > 0 && n_pairs > 0) {
    const GstCcaCandidate best = self->candidates[0];

    if (is_open (self, &best)) {
      take (self, &best);
      n_pairs--;
    } else if (++n_closed > self->n_candidates / 8) {
      drop_closed (self);
      n_closed = 0;
      continue;
    }
    self->n_candidates--;
    sift (self, BEST_FIRST, 0, self->candidates[self->n_candidates]);
  }
}

static gboolean
pair (GstCcaMatch *self, ExtentFunc get_extent, guint max_distance,
    GstCcaJoinFunc found)
{
  do {
    self->n_candidates = 0;
    self->left_out = self->failed = FALSE;
    if (!gst_cca_join_begin (&self->join, self->n_tracks + self->n_components))
      return FALSE;
    add_extents (self, 0, get_extent, max_distance);
    add_extents (self, 1, get_extent, max_distance);
    gst_cca_join_run (&self->join, found, self);
    if (self->failed)
      return FALSE;
    take_candidates (self);
  } while (self->left_out);
  return TRUE;
}

gboolean
gst_cca_match_run (GstCcaMatch *self, guint min_overlap, guint max_distance)
{
  self->min_overlap = min_overlap;
  return pair (self, pixel_extent, 0, found_overlap)
      && (max_distance == 0
          || pair (self, search_extent, max_distance, found_near));
}
