/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatracker.h"

void
gst_cca_tracker_init (GstCcaTracker *self)
{
  *self = (GstCcaTracker) {
    NULL,
  };
}

void
gst_cca_tracker_clear (GstCcaTracker *self)
{
  const guint64 last_id = self->last_id;

  gst_cca_match_clear (&self->match);
  gst_cca_unite_clear (&self->unite);
  g_free (self->tracks);
  g_free (self->ended);
  g_free (self->track_of);
  g_free (self->seen);
  g_free (self->paths);
  g_free (self->free_paths);
  g_free (self->oldest);
  g_free (self->successor_of);
  gst_cca_tracker_init (self);
  self->last_id = last_id;
}

const GstCcaPath *
gst_cca_tracker_get_path (const GstCcaTracker *self, const GstCcaTracked *track)
{
  return &self->paths[track->slot];
}

/* --- paths ---------------------------------------------------------------- */

void
gst_cca_path_begin (GstCcaPath *path)
{
  path->n_points = 0;
  path->step = 1;
  path->n_added = 0;
}

/* Keeps every second point of a full path. */
static void
thin_path (GstCcaPath *path)
{
  guint i;

  for (i = 0; i < GST_CCA_PATH_MAX_POINTS / 2; i++)
    path->points[i] = path->points[2 * i];
  path->n_points = GST_CCA_PATH_MAX_POINTS / 2;
  path->step *= 2;
}

/* Replaces the last point unless that one is kept as a multiple of the step. */
void
gst_cca_path_add (GstCcaPath *path, gdouble x, gdouble y)
{
  if (path->n_added > 0 && (path->n_added - 1) % path->step != 0)
    path->n_points--;
  if (path->n_points == GST_CCA_PATH_MAX_POINTS)
    thin_path (path);
  path->points[path->n_points++] = (GstCcaPoint) {x, y};
  path->n_added++;
}

/* --- prediction ----------------------------------------------------------- */

/* Rounds towards -infinity, unlike C. b is positive. */
static gint64
floor_div (gint64 a, gint64 b)
{
  return a / b - (a % b < 0);
}

static gint64
predict (gint64 from, gint64 velocity, gint64 frames)
{
  const gint64 half = GST_CCA_POSITION_UNITS / 2;

  return from + floor_div (velocity * frames + half, GST_CCA_POSITION_UNITS);
}

static gint64
frames_since (const GstCcaTracked *track)
{
  return (gint64) track->misses + 1;
}

static GstCcaBox
predicted_box (const GstCcaTracked *track)
{
  GstCcaBox box = track->box;

  box.x = predict (box.x, track->velocity.x, frames_since (track));
  box.y = predict (box.y, track->velocity.y, frames_since (track));
  return box;
}

/* A running average with weight 1/8 for the new value. It starts with the first
 * movement of the track. */
static gint64
update_velocity (gint64 velocity, gint64 moved, const GstCcaTracked *track)
{
  const gint64 observed = floor_div (moved, frames_since (track));

  if (track->hits == 1)
    return observed;
  return velocity + floor_div (observed - velocity, 8);
}

/* --- changes of a track --------------------------------------------------- */

static GstCcaPosition
center_of (const GstCcaBox *box)
{
  return (GstCcaPosition) {
    (2 * box->x + box->width) * (GST_CCA_POSITION_UNITS / 2),
    (2 * box->y + box->height) * (GST_CCA_POSITION_UNITS / 2),
  };
}

static void
set_component (GstCcaTracker *self, GstCcaTracked *track,
    const GstCcaComponent *component, gint record, guint64 time)
{
  track->box = gst_cca_box_of_component (component);
  track->center = center_of (&track->box);
  track->centroid = gst_cca_centroid_of_component (component);
  track->hits++;
  track->misses = 0;
  track->last_seen = time;
  track->record = record;
  gst_cca_path_add (&self->paths[track->slot], component->centroid_x,
      component->centroid_y);
}

static void
update_track (GstCcaTracker *self, GstCcaTracked *track,
    const GstCcaComponent *component, gint record, guint64 time)
{
  const GstCcaBox box = gst_cca_box_of_component (component);
  const GstCcaPosition center = center_of (&box);

  track->velocity.x =
      update_velocity (track->velocity.x, center.x - track->center.x, track);
  track->velocity.y =
      update_velocity (track->velocity.y, center.y - track->center.y, track);
  track->previous_box = track->box;
  track->previous_centroid = track->centroid;
  if (!gst_cca_rest_update (&track->rest, &box, frames_since (track), time)
      && track->stopped) {
    track->stopped = FALSE;
    track->motion = GST_CCA_MOTION_MOVED;
  }
  set_component (self, track, component, record, time);
}

static void
start_track (GstCcaTracker *self, const GstCcaComponent *component, gint record,
    guint64 time)
{
  GstCcaTracked *track = &self->tracks[self->n_tracks++];
  const GstCcaBox box = gst_cca_box_of_component (component);

  *track = (GstCcaTracked) {
    .slot = self->n_free_paths > 0 ? self->free_paths[--self->n_free_paths]
                                   : self->n_paths++,
    .first_box = box,
    .first_seen = time,
    .entry = -1,
  };
  gst_cca_rest_begin (&track->rest, &box, time);
  gst_cca_path_begin (&self->paths[track->slot]);
  set_component (self, track, component, record, time);
}

/* --- the end of a track --------------------------------------------------- */

static void
free_path (GstCcaTracker *self, const GstCcaTracked *track)
{
  self->free_paths[self->n_free_paths++] = track->slot;
}

static void
end_track (GstCcaTracker *self, const GstCcaTracked *track, GstCcaEnd end)
{
  if (track->id == 0) {
    free_path (self, track);
    return;
  }
  self->ended[self->n_ended] = *track;
  self->ended[self->n_ended].record = -1;
  self->ended[self->n_ended].is_new = FALSE;
  self->ended[self->n_ended++].end = end;
}

void
gst_cca_tracker_drop (GstCcaTracker *self)
{
  guint i;

  for (i = 0; i < self->n_tracks; i++)
    end_track (self, &self->tracks[i], GST_CCA_END_DROPPED);
  self->n_tracks = 0;
}

void
gst_cca_tracker_set_size (GstCcaTracker *self, guint width, guint height)
{
  if (width != self->width || height != self->height)
    gst_cca_tracker_drop (self);
  self->width = width;
  self->height = height;
}

void
gst_cca_tracker_forget_ended (GstCcaTracker *self)
{
  guint i;

  for (i = 0; i < self->n_ended; i++)
    free_path (self, &self->ended[i]);
  self->n_ended = 0;
}

/* --- a frame -------------------------------------------------------------- */

guint
gst_cca_tracker_max_slots (const GstCcaTracker *self,
    const GstCcaTrackerParams *params, guint n_components)
{
  const guint n = MIN (n_components, params->max_tracks);

  return MAX (self->n_paths, self->n_tracks + self->n_ended + n);
}

/* Reserves memory for all tracks that a frame can start and end, so that an
 * update cannot fail halfway. */
static gboolean
reserve (GstCcaTracker *self, guint n_records)
{
  const gsize n = (gsize) self->n_tracks + n_records;
  const gsize n_paths = n + self->n_ended;

  return GST_CCA_TABLE_RESERVE (self->tracks, self->tracks_capacity, n)
      && GST_CCA_TABLE_RESERVE (self->ended, self->ended_capacity, n_paths)
      && GST_CCA_TABLE_RESERVE (self->paths, self->paths_capacity, n_paths)
      && GST_CCA_TABLE_RESERVE (self->free_paths, self->free_paths_capacity,
          self->paths_capacity)
      && GST_CCA_TABLE_RESERVE (self->track_of, self->track_of_capacity,
          n_records)
      && GST_CCA_TABLE_RESERVE (self->seen, self->seen_capacity, n_records)
      && GST_CCA_TABLE_RESERVE (self->oldest, self->oldest_capacity, n)
      && GST_CCA_TABLE_RESERVE (self->successor_of, self->successor_of_capacity,
          n);
}

static gboolean
match (GstCcaTracker *self, const GstCcaTrackerParams *params,
    const GstCcaComponent *components, guint n)
{
  GstCcaMatch *m = &self->match;
  guint i;

  if (!gst_cca_match_begin (m, self->n_tracks, n))
    return FALSE;
  for (i = 0; i < self->n_tracks; i++)
    m->tracks[i] = (GstCcaMatchItem) {
      .box = predicted_box (&self->tracks[i]),
      .confirmed = self->tracks[i].id != 0,
      .absent = self->tracks[i].absorbed,
      .partner = -1,
    };
  for (i = 0; i < n; i++)
    m->components[i] = (GstCcaMatchItem) {
      .box = gst_cca_box_of_component (&components[i]),
      .partner = -1,
    };
  return gst_cca_match_run (m, params->min_overlap, params->max_distance);
}

/* An object at the edge may have left the picture. */
static gboolean
is_parked (const GstCcaTracker *self, const GstCcaTracked *track)
{
  return track->stopped
      && gst_cca_box_is_clear (&track->rest.box, self->width, self->height)
      && gst_cca_box_is_clear (&track->box, self->width, self->height);
}

/* Returns FALSE if a track that is not seen in this frame ends. */
static gboolean
keep_unseen (const GstCcaTracker *self, const GstCcaTrackerParams *params,
    GstCcaTracked *track)
{
  if (track->id == 0)
    return FALSE;
  track->misses++;
  if (track->misses <= params->max_lost)
    return TRUE;
  if (params->max_stopped == 0 || !is_parked (self, track))
    return FALSE;
  track->absorbed = TRUE;
  return track->misses <= params->max_lost + params->max_stopped;
}

/* Tracks that do not end keep their order. */
static void
update_tracks (GstCcaTracker *self, const GstCcaTrackerParams *params,
    const GstCcaComponent *components, guint64 time)
{
  const guint n = self->n_tracks;
  guint i;

  self->n_tracks = 0;
  for (i = 0; i < n; i++) {
    GstCcaTracked track = self->tracks[i];
    const gint record = self->match.tracks[i].partner;

    track.is_new = FALSE;
    track.record = track.entry = -1;
    track.motion = GST_CCA_MOTION_NONE;
    if (record >= 0)
      update_track (self, &track, &components[record], record, time);
    else if (!keep_unseen (self, params, &track)) {
      end_track (self, &track, GST_CCA_END_UNSEEN);
      continue;
    }
    self->tracks[self->n_tracks++] = track;
  }
}

/* Ends the tracks with the most misses if there are more than max_tracks. None
 * of them is seen in this frame, as only max_tracks components are tracked. */
static void
make_room (GstCcaTracker *self, guint max_tracks, guint n_new)
{
  guint n_over = MAX (self->n_tracks + n_new, max_tracks) - max_tracks;
  guint i, n = self->n_tracks;

  if (n_over == 0)
    return;
  for (i = 0; i < n; i++)
    self->oldest[i] = (GstCcaKey) {
      .key = -(gint64) self->tracks[i].misses,
      .index = i,
    };
  gst_cca_keys_sort (self->oldest, n);
  for (i = 0; i < n_over; i++) {
    end_track (self, &self->tracks[self->oldest[i].index], GST_CCA_END_UNSEEN);
    self->tracks[self->oldest[i].index].hits = 0;
  }
  self->n_tracks = 0;
  for (i = 0; i < n; i++)
    if (self->tracks[i].hits > 0)
      self->tracks[self->n_tracks++] = self->tracks[i];
}

static void
index_tracks (GstCcaTracker *self)
{
  guint i;

  for (i = 0; i < self->n_tracks; i++)
    if (self->tracks[i].record >= 0)
      self->seen[self->tracks[i].record] = i;
  for (i = 0; i < self->n_tracked; i++)
    self->track_of[i] = self->seen[self->unite.group_of[i]];
}

static void
assign_ids (GstCcaTracker *self, guint min_hits, gint64 *track_ids)
{
  guint i;

  for (i = 0; i < self->n_tracked; i++) {
    GstCcaTracked *track = &self->tracks[self->track_of[i]];

    if (track->id == 0 && track->hits >= min_hits) {
      track->id = ++self->last_id;
      track->is_new = TRUE;
    }
    track_ids[i] = track->id > 0 ? (gint64) track->id : -1;
  }
}

static void
stop_tracks (GstCcaTracker *self, guint still_frames)
{
  guint i;

  for (i = 0; i < self->n_seen; i++) {
    GstCcaTracked *track = &self->tracks[self->seen[i]];

    if (track->id == 0 || track->stopped || track->rest.frames < still_frames
        || !gst_cca_rest_is_arrival (&track->rest, &track->first_box))
      continue;
    track->stopped = TRUE;
    track->stopped_since = track->rest.since;
    track->motion = GST_CCA_MOTION_STOPPED;
  }
}

static guint
count_absorbed (const GstCcaTracker *self)
{
  guint i, n = 0;

  for (i = 0; i < self->n_tracks; i++)
    n += self->tracks[i].absorbed;
  return n;
}

/* A box and its edges. */
static void
add_place (GstCcaJoin *join, const GstCcaBox *box, guint side, guint index)
{
  const GstCcaExtent extent = {
    .x0 = box->x,
    .y0 = box->y,
    .x1 = box->x + box->width,
    .y1 = box->y + box->height,
    .side = side,
    .index = index,
  };

  gst_cca_join_add (join, &extent);
}

static gboolean
found_successor (gpointer data, guint absorbed, guint component)
{
  GstCcaTracker *self = data;

  self->successor_of[absorbed] = MIN (self->successor_of[absorbed], component);
  return TRUE;
}

/* Finds the track that got its id in this frame and began where an absorbed one
 * is, the earliest component first. The join has memory from match(): it has no
 * more tracks and components than then. */
static void
find_successors (GstCcaTracker *self, guint n_absorbed)
{
  GstCcaJoin *join = &self->match.join;
  guint i;

  gst_cca_join_begin (join, n_absorbed + self->n_seen);
  for (i = 0; i < self->n_tracks; i++) {
    self->successor_of[i] = G_MAXUINT;
    if (self->tracks[i].absorbed)
      add_place (join, &self->tracks[i].rest.box, 0, i);
  }
  for (i = 0; i < self->n_seen; i++)
    if (self->tracks[self->seen[i]].is_new)
      add_place (join, &self->tracks[self->seen[i]].first_box, 1, i);
  gst_cca_join_run (join, found_successor, self);
}

/* The new track may be that of the object that drives off or of the ghost that
 * it leaves behind, so the id is not passed on. */
static void
replace_absorbed (GstCcaTracker *self)
{
  const guint n = self->n_tracks, n_absorbed = count_absorbed (self);
  guint i;

  if (n_absorbed == 0)
    return;
  find_successors (self, n_absorbed);
  for (i = 0; i < n; i++) {
    GstCcaTracked *successor;

    if (self->successor_of[i] == G_MAXUINT)
      continue;
    successor = &self->tracks[self->seen[self->successor_of[i]]];
    self->tracks[i].end = GST_CCA_END_REPLACED;
    if (successor->after == 0)
      successor->after = self->tracks[i].id;
  }
  self->n_tracks = 0;
  for (i = 0; i < n; i++) {
    if (self->tracks[i].end == GST_CCA_END_NONE)
      self->tracks[self->n_tracks++] = self->tracks[i];
    else
      end_track (self, &self->tracks[i], self->tracks[i].end);
  }
  index_tracks (self);
}

gboolean
gst_cca_tracker_update (GstCcaTracker *self, const GstCcaTrackerParams *params,
    const GstCcaComponent *components, guint n_components, guint64 time,
    gint64 *track_ids)
{
  const guint n = MIN (n_components, params->max_tracks);
  const guint64 last_id = self->last_id;
  const GstCcaComponent *groups;
  guint n_new = 0, i;

  if (!reserve (self, n)
      || !gst_cca_unite_run (&self->unite, components, n, params->unite,
          params->unite_groups))
    return FALSE;
  groups = self->unite.groups;
  if (!match (self, params, groups, self->unite.n_groups))
    return FALSE;

  self->n_tracked = n;
  self->n_seen = self->unite.n_groups;
  for (i = 0; i < self->n_seen; i++)
    n_new += self->match.components[i].partner < 0;
  update_tracks (self, params, groups, time);
  make_room (self, params->max_tracks, n_new);
  for (i = 0; i < self->n_seen; i++)
    if (self->match.components[i].partner < 0)
      start_track (self, &groups[i], i, time);

  index_tracks (self);
  assign_ids (self, params->min_hits, track_ids);
  if (self->last_id != last_id)
    replace_absorbed (self);
  stop_tracks (self, params->still_frames);
  for (i = n; i < n_components; i++)
    track_ids[i] = -1;
  return TRUE;
}
