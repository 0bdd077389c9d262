/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatrackobjects.h"

#include <gst/analytics/analytics.h>
#include <gst/video/video.h>

#include "gst/ccabase/gstccaobjects.h"

/* Iterator over the objects of the type that the buffer already has. */
typedef struct
{
  GstAnalyticsRelationMeta *relations;
  GQuark type;
  gpointer state;
  GstAnalyticsODMtd object; /* current one, valid if n_passed is not 0 */
  guint n_passed;
} Objects;

static gboolean
next_object (Objects *self)
{
  while (self->relations != NULL
      && gst_analytics_relation_meta_iterate (self->relations, &self->state,
          gst_analytics_od_mtd_get_mtd_type (), &self->object))
    if (gst_analytics_od_mtd_get_obj_type (&self->object) == self->type) {
      self->n_passed++;
      return TRUE;
    }
  return FALSE;
}

static guint
count_objects (const GstCcaTrackObjects *self)
{
  Objects objects = {
    .relations = gst_buffer_get_analytics_relation_meta (self->buffer),
    .type = self->type,
  };

  while (next_object (&objects))
    ;
  return objects.n_passed;
}

/* --- limits --------------------------------------------------------------- */

/* Returns the track of a component of the frame, or NULL if it has no id. */
static GstCcaTracked *
track_of_record (const GstCcaTracker *tracker, guint record)
{
  GstCcaTracked *track = &tracker->tracks[tracker->track_of[record]];

  return track->id != 0 ? track : NULL;
}

static guint64
count_entries (const GstCcaTracker *tracker, guint n_objects)
{
  guint64 n = tracker->n_ended;
  guint i;

  for (i = 0; i < tracker->n_tracks; i++)
    n += tracker->tracks[i].id != 0;
  for (i = n_objects; i < tracker->n_tracked; i++)
    n += track_of_record (tracker, i) != NULL;
  return n;
}

/* Returns how many entries can be added to the relation meta. */
static guint
free_entries (const GstCcaTrackObjects *self)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (self->buffer);
  const gsize most = 2 * (gsize) self->max_objects;
  const gsize present =
      relations ? gst_analytics_relation_get_length (relations) : 0;

  return most - MIN (present, most);
}

/* --- entries -------------------------------------------------------------- */

static gboolean
add_object (const GstCcaTrackObjects *self, GstAnalyticsRelationMeta *relations,
    guint record, GstAnalyticsODMtd *object)
{
  GstCcaComponent c;

  gst_cca_meta_get_component_scaled (self->meta, record, self->width,
      self->height, &c);
  return gst_analytics_relation_meta_add_od_mtd (relations, self->type,
      (gint) c.x, (gint) c.y, (gint) c.width, (gint) c.height, 1.0f, object);
}

static gboolean
add_track (GstAnalyticsRelationMeta *relations, const GstCcaTracked *track,
    gboolean lost, GstAnalyticsTrackingMtd *tracking)
{
  return gst_analytics_relation_meta_add_tracking_mtd (relations, track->id,
             track->first_seen, tracking)
      && gst_analytics_tracking_mtd_update_last_seen (tracking,
          track->last_seen)
      && (!lost || gst_analytics_tracking_mtd_set_lost (tracking));
}

static gboolean
add_seen (GstCcaTrackObjects *self, GstAnalyticsRelationMeta *relations,
    guint n_objects, guint *left)
{
  Objects objects = {.relations = relations, .type = self->type};
  GstAnalyticsTrackingMtd tracking;
  guint i;

  for (i = 0; i < self->tracker->n_tracked; i++) {
    GstCcaTracked *track = track_of_record (self->tracker, i);
    guint n_entries;

    if (i < n_objects)
      next_object (&objects);
    if (track == NULL)
      continue;
    n_entries = (i >= n_objects) + (track->entry < 0);
    if (*left < n_entries) {
      self->left_out++;
      continue;
    }
    if (i >= n_objects && !add_object (self, relations, i, &objects.object))
      return FALSE;
    if (track->entry < 0) {
      if (!add_track (relations, track, FALSE, &tracking))
        return FALSE;
      track->entry = tracking.id;
    }
    if (!gst_analytics_relation_meta_set_relation (relations,
            GST_ANALYTICS_REL_TYPE_RELATE_TO, objects.object.id, track->entry))
      return FALSE;
    *left -= n_entries;
  }
  return TRUE;
}

static gboolean
add_unseen (GstCcaTrackObjects *self, GstAnalyticsRelationMeta *relations,
    const GstCcaTracked *tracks, guint n, gboolean lost, guint *left)
{
  GstAnalyticsTrackingMtd tracking;
  guint i;

  for (i = 0; i < n; i++) {
    if (tracks[i].id == 0 || tracks[i].record >= 0)
      continue;
    if (*left == 0) {
      self->left_out++;
      continue;
    }
    if (!add_track (relations, &tracks[i], lost, &tracking))
      return FALSE;
    --*left;
  }
  return TRUE;
}

gboolean
gst_cca_track_objects_attach (GstCcaTrackObjects *self)
{
  const GstCcaTracker *tracker = self->tracker;
  const guint n_objects = count_objects (self);
  const guint64 n = count_entries (tracker, n_objects);
  GstAnalyticsRelationMeta *relations;
  guint left = free_entries (self);

  self->left_out = 0;
  if (n == 0)
    return TRUE;
  if (left == 0) {
    self->left_out = n;
    return TRUE;
  }
  relations = gst_cca_relations_reserve (self->buffer, MIN (n, left));
  return relations != NULL && add_seen (self, relations, n_objects, &left)
      && add_unseen (self, relations, tracker->tracks, tracker->n_tracks, FALSE,
          &left)
      && add_unseen (self, relations, tracker->ended, tracker->n_ended, TRUE,
          &left);
}

void
gst_cca_track_objects_name_regions (const GstCcaTrackObjects *self)
{
  const GstCcaTracker *tracker = self->tracker;
  gpointer state = NULL;
  GstMeta *meta;
  guint i = 0;

  while (i < tracker->n_tracked
      && (meta = gst_buffer_iterate_meta_filtered (self->buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))
          != NULL) {
    GstVideoRegionOfInterestMeta *region =
        (GstVideoRegionOfInterestMeta *) meta;
    const GstCcaTracked *track;

    if (region->roi_type != self->type)
      continue;
    track = track_of_record (tracker, i++);
    if (track != NULL)
      gst_video_region_of_interest_meta_add_param (region,
          gst_structure_new ("track", "id", G_TYPE_UINT64, track->id, NULL));
  }
}
