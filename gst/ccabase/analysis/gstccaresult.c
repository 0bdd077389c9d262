/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Publishes the result of the engine as statistics, metas and messages. */

#include "gstccaresult.h"

#include "gst/ccabase/gstccaobjects.h"
#include "gst/ccabase/gstccawarning.h"
#include "gstccabaseengine.h"
#include "gstccalabels.h"
#include "gstccarecords.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

/* --- overload ------------------------------------------------------------- */

void
gst_cca_base_check_overload (GstCcaBase *self, const GstCcaJob *job,
    CcaResult *result)
{
  const GstCcaForegroundSettings *f = &job->settings.foreground;
  GstCcaOverload *o = &self->overload;
  const gboolean exceeds = (guint64) result->n_foreground * 100
      > (guint64) result->n_pixels * f->max_foreground;

  o->was_active = o->active;
  o->active = exceeds || o->left > 0;
  o->run = exceeds ? o->run + 1 : 0;
  if (exceeds)
    o->left = f->overload_frames;
  else if (o->left > 0)
    o->left--;
  if (o->active) {
    result->components = NULL;
    result->n_components = 0;
  }
}

gboolean
gst_cca_base_overload_restarts (GstCcaBase *self, const GstCcaJob *job,
    guint n_uncollected)
{
  const GstCcaForegroundSettings *f = &job->settings.foreground;

  return f->overload_action == GST_CCA_OVERLOAD_ACTION_RESTART
      && f->max_foreground < GST_CCA_NO_MAX_FOREGROUND
      && self->overload.run + n_uncollected > f->overload_frames;
}

/* --- statistics ----------------------------------------------------------- */

void
gst_cca_base_count (GstCcaBase *self, const GstCcaJob *job,
    const CcaResult *result)
{
  const GstClockTime busy = job->busy;

  GST_OBJECT_LOCK (self);
  self->stats.frames++;
  if (job->picture.width > 0)
    self->stats.background_frames = result->background_frames;
  self->stats.truncated_frames += result->truncated;
  self->stats.light_frames += result->light_changed;
  self->stats.overload_frames += self->overload.active;
  self->stats.n_found = result->n_found;
  self->stats.n_components = result->n_components;
  self->stats.total_time += busy;
  self->stats.max_time = MAX (self->stats.max_time, busy);
  GST_OBJECT_UNLOCK (self);
}

GstStructure *
gst_cca_stats_to_structure (const GstCcaStats *stats)
{
  GstClockTime mean = stats->frames ? stats->total_time / stats->frames : 0;

  return gst_structure_new ("cca-stats", "frames", G_TYPE_UINT64, stats->frames,
      "truncated-frames", G_TYPE_UINT64, stats->truncated_frames,
      "light-frames", G_TYPE_UINT64, stats->light_frames, "overload-frames",
      G_TYPE_UINT64, stats->overload_frames, "n-found", G_TYPE_UINT,
      stats->n_found, "n-components", G_TYPE_UINT, stats->n_components,
      "background-frames", G_TYPE_UINT64, stats->background_frames, "mean-time",
      G_TYPE_UINT64, mean, "max-time", G_TYPE_UINT64, stats->max_time, NULL);
}

/* --- metas ---------------------------------------------------------------- */

static void
warn_left_out (GstCcaBase *self, guint64 n)
{
  if (n != 0 && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_LEFT_OUT))
    GST_WARNING_OBJECT (self,
        "%" G_GUINT64_FORMAT " components are not "
        "attached as objects: raise max-objects or min-area",
        n);
}

static gboolean
attach (GstCcaBase *self, GstCcaJob *job, const GstCcaAnalysis *analysis,
    GBytes *records, GBytes *features, const CcaResult *result,
    const gchar **why)
{
  const GstCcaSettings *s = &job->settings;
  GstCcaObjects objects = {
    .buffer = job->buffer,
    .types = s->meta_types,
    .object_type = self->object_type,
    .width = analysis->width,
    .height = analysis->height,
    .others = s->meta_types & GST_CCA_META_TYPE_SEGMENTATION ? 1 : 0,
  };
  GstCcaMeta *meta;
  gboolean ok;

  if (s->meta_types == 0)
    return TRUE;

  meta = gst_buffer_add_cca_meta (job->buffer, analysis, records);
  if (meta == NULL)
    return FALSE;
  gst_cca_meta_set_pixel_aspect_ratio (meta, GST_VIDEO_INFO_PAR_N (&self->info),
      GST_VIDEO_INFO_PAR_D (&self->info));
  gst_cca_meta_set_features (meta, s->features, features);
  if (job->mask != NULL && gst_cca_shapes_get_n_shapes (job->mask->shapes) > 0)
    gst_cca_meta_set_shapes (meta, job->mask->shapes, NULL);
  gst_cca_objects_begin (&objects, s->max_objects,
      gst_cca_meta_get_n_components (meta));
  ok = gst_cca_objects_add (&objects, meta)
      && gst_cca_labels_attach (self, job, result, why);
  warn_left_out (self, objects.left_out);
  if (!(s->meta_types & GST_CCA_META_TYPE_CCA))
    gst_buffer_remove_meta (job->buffer, GST_META_CAST (meta));
  return ok;
}

/* --- messages ------------------------------------------------------------- */

/* Returns whether the interval since the last message has passed. A message is
 * also due if the running time is unknown or has gone backwards, as after a
 * flush. */
static gboolean
is_due (GstCcaBase *self, GstClockTime interval, GstClockTime running_time)
{
  if (interval != 0 && GST_CLOCK_TIME_IS_VALID (running_time)
      && GST_CLOCK_TIME_IS_VALID (self->last_message)
      && running_time >= self->last_message
      && running_time - self->last_message < interval)
    return FALSE;

  self->last_message = running_time;
  return TRUE;
}

static void
append_component (GValue *array, const GstCcaComponent *c)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value,
      gst_structure_new ("component", "id", G_TYPE_UINT, c->id, "x",
          G_TYPE_UINT, c->x, "y", G_TYPE_UINT, c->y, "width", G_TYPE_UINT,
          c->width, "height", G_TYPE_UINT, c->height, "area", G_TYPE_UINT64,
          c->area, "centroid-x", G_TYPE_DOUBLE, c->centroid_x, "centroid-y",
          G_TYPE_DOUBLE, c->centroid_y, NULL));
  gst_value_array_append_and_take_value (array, &value);
}

/* The times of a buffer, as in messages. */
typedef struct
{
  GstClockTime timestamp;
  GstClockTime stream_time;
  GstClockTime running_time;
} Times;

static Times
get_times (GstCcaBase *self, GstBuffer *buffer)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  Times t = {GST_BUFFER_PTS (buffer), GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE};

  if (segment->format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (t.timestamp)) {
    t.stream_time =
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, t.timestamp);
    t.running_time =
        gst_segment_to_running_time (segment, GST_FORMAT_TIME, t.timestamp);
  }
  return t;
}

static GstStructure *
new_message (const gchar *name, const Times *t)
{
  return gst_structure_new (name, "timestamp", G_TYPE_UINT64, t->timestamp,
      "stream-time", G_TYPE_UINT64, t->stream_time, "running-time",
      G_TYPE_UINT64, t->running_time, NULL);
}

static void
take_message (GstCcaBase *self, GstStructure *s)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

/* Posts a message for a change of light that follows GST_CCA_LIGHT_PAUSE frames
 * without one. A slow change is compensated in some of its frames only. */
static void
report_light (GstCcaBase *self, const GstCcaJob *job, const CcaResult *result)
{
  const gboolean is_first =
      result->light_changed && self->frames_since_light >= GST_CCA_LIGHT_PAUSE;
  GstStructure *s;
  Times t;

  self->frames_since_light = result->light_changed
      ? 0
      : MIN (self->frames_since_light + 1, GST_CCA_LIGHT_PAUSE);
  if (!is_first || !job->settings.post_messages)
    return;
  t = get_times (self, job->buffer);
  s = new_message ("cca-light", &t);
  gst_structure_set (s, "depth", G_TYPE_UINT, GST_CCA_DEPTH (&self->info),
      "shift", G_TYPE_INT, result->light_shift, NULL);
  take_message (self, s);
}

/* Posts a message for the first frame of an overload and for the first one after
 * it. */
static void
report_overload (GstCcaBase *self, const GstCcaJob *job,
    const CcaResult *result)
{
  const GstCcaOverload *o = &self->overload;
  GstStructure *s;
  Times t;

  if (o->active == o->was_active || !job->settings.post_messages)
    return;
  t = get_times (self, job->buffer);
  s = new_message ("cca-overload", &t);
  gst_structure_set (s, "active", G_TYPE_BOOLEAN, o->active, "foreground-area",
      G_TYPE_UINT, result->n_foreground, "region-area", G_TYPE_UINT,
      result->n_pixels, NULL);
  take_message (self, s);
}

static void
post_message (GstCcaBase *self, const GstCcaJob *job,
    const GstCcaAnalysis *analysis, const GstCcaComponent *components,
    guint n_components)
{
  const Times t = get_times (self, job->buffer);
  guint n_listed = MIN (n_components, job->settings.max_objects);
  GValue array = G_VALUE_INIT;
  GstStructure *s;
  guint i;

  if (!is_due (self, job->settings.message_interval, t.running_time))
    return;

  s = new_message ("cca", &t);
  gst_structure_set (s, "duration", G_TYPE_UINT64,
      GST_BUFFER_DURATION (job->buffer), "width", G_TYPE_UINT, analysis->width,
      "height", G_TYPE_UINT, analysis->height, "depth", G_TYPE_UINT,
      analysis->depth, "foreground", G_TYPE_STRING,
      gst_cca_foreground_get_nick (analysis->foreground), "warming-up",
      G_TYPE_BOOLEAN, (analysis->flags & GST_CCA_ANALYSIS_FLAG_WARMING_UP) != 0,
      "light-changed", G_TYPE_BOOLEAN,
      (analysis->flags & GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED) != 0, "overload",
      G_TYPE_BOOLEAN, (analysis->flags & GST_CCA_ANALYSIS_FLAG_OVERLOAD) != 0,
      "threshold", G_TYPE_UINT, analysis->threshold, "threshold-high",
      G_TYPE_UINT, analysis->threshold_high, "n-found", G_TYPE_UINT,
      analysis->n_found, "n-components", G_TYPE_UINT, n_components, "n-listed",
      G_TYPE_UINT, n_listed, "truncated", G_TYPE_BOOLEAN,
      n_components < analysis->n_found, NULL);

  gst_value_array_init (&array, n_listed);
  for (i = 0; i < n_listed; i++)
    append_component (&array, &components[i]);
  gst_structure_take_value (s, "components", &array);
  take_message (self, s);
}

/* --- publish -------------------------------------------------------------- */

static void
warn_truncated (GstCcaBase *self, const CcaResult *result)
{
  if (result->truncated
      && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_TRUNCATED))
    GST_WARNING_OBJECT (self,
        "%u components were found but only %u are "
        "delivered: raise max-components or min-area",
        result->n_found, result->n_components);
}

static void
warn_no_pixels (GstCcaBase *self, const GstCcaJob *job, const CcaResult *result)
{
  if (job->params.mask != NULL && result->n_pixels == 0
      && gst_cca_warn_once (&self->warned, GST_CCA_WARNING_NO_PIXELS))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("The regions and masks leave no pixel of the picture to analyse: check "
         "the points and reference sizes of the regions, and that a mask is "
         "white where the picture is analysed."),
        ("The analysed picture has %ux%u pixels.", job->picture.width,
            job->picture.height));
}

/* Sets *features to those of the result, which has components, NULL if it has none. Returns FALSE if
 * memory ran out. */
static gboolean
take_features (const GstCcaSettings *s, const CcaResult *result,
    GBytes **features)
{
  const gsize size = result->n_components * sizeof (GstCcaFeatures);
  GstCcaFeatures *records;

  *features = NULL;
  if (result->features == NULL || s->meta_types == 0)
    return TRUE;
  records = g_try_malloc (size);
  if (records == NULL)
    return FALSE;
  gst_cca_records_convert_features (records, result->features,
      result->n_components);
  *features = g_bytes_new_take (records, size);
  return TRUE;
}

gboolean
gst_cca_base_publish (GstCcaBase *self, GstCcaJob *job, const CcaResult *result)
{
  const GstCcaSettings *s = &job->settings;
  GstCcaAnalysis analysis = {
    .width = job->picture.ref_width,
    .height = job->picture.ref_height,
    .depth = GST_CCA_DEPTH (&self->info),
    .threshold = result->threshold,
    .threshold_high = result->threshold_high,
    .invert = s->foreground.invert,
    .connectivity = s->connectivity,
    .n_found = result->n_found,
    .foreground = s->foreground.mode,
    .flags = (result->warming_up ? GST_CCA_ANALYSIS_FLAG_WARMING_UP : 0)
        | (result->light_changed ? GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED : 0)
        | (self->overload.active ? GST_CCA_ANALYSIS_FLAG_OVERLOAD : 0),
    .region_area = result->n_pixels,
  };
  gsize size = result->n_components * sizeof (GstCcaComponent);
  GstCcaComponent *components = NULL;
  GBytes *records = NULL, *features = NULL;
  const gchar *why = "metas cannot be added to the buffer";
  gboolean ok;

  warn_truncated (self, result);
  warn_no_pixels (self, job, result);
  report_light (self, job, result);
  report_overload (self, job, result);

  if (s->meta_types == 0 && !s->post_messages)
    return TRUE;

  if (result->n_components > 0) {
    components = g_try_malloc (size);
    if (components == NULL || !take_features (s, result, &features)) {
      g_free (components);
      gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY,
          "memory for the component records ran out");
      return FALSE;
    }
    gst_cca_records_convert (components, result->components,
        result->n_components);
    records = g_bytes_new_take (components, size);
    if (s->group_distance > 0
        && !gst_cca_groups_form (&self->groups, components,
            result->n_components, analysis.width, analysis.height,
            s->group_distance)) {
      gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY,
          "memory for the groups of components ran out");
      g_bytes_unref (records);
      g_clear_pointer (&features, g_bytes_unref);
      return FALSE;
    }
  }

  ok = attach (self, job, &analysis, records, features, result, &why);
  if (ok && s->post_messages)
    post_message (self, job, &analysis, components, result->n_components);
  if (!ok)
    gst_cca_base_post_error (self, CCA_ERROR_INVALID, why);

  g_clear_pointer (&records, g_bytes_unref);
  g_clear_pointer (&features, g_bytes_unref);
  return ok;
}
