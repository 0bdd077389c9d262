/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "base.h"
#include "labels.h"
#include "gst/ccabase/objects.h"
#include "records.h"

#define GST_CAT_DEFAULT gst_cca_base_debug

/* Once in a while: between caps or segments, not for each frame. */
static void
tell_left_out (GstCcaBase * self, guint64 n)
{
  if (n == 0 || self->left_out_told)
    return;
  self->left_out_told = TRUE;
  GST_WARNING_OBJECT (self, "%" G_GUINT64_FORMAT " components are not attached "
      "as objects: max-objects is too small, or min-area is", n);
}

static gboolean
attach (GstCcaBase * self, GstCcaJob * job, const GstCcaAnalysis * analysis,
    GBytes * records, const CcaResult * result, const gchar ** why)
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
  gst_cca_objects_begin (&objects, s->max_objects,
      gst_cca_meta_get_n_components (meta));
  ok = gst_cca_objects_add (&objects, meta)
      && gst_cca_labels_attach (self, job, result, why);
  tell_left_out (self, objects.left_out);
  if (!(s->meta_types & GST_CCA_META_TYPE_CCA))
    gst_buffer_remove_meta (job->buffer, &meta->meta);
  return ok;
}

/* As tell_left_out(). */
static void
tell_truncation (GstCcaBase * self, const CcaResult * result)
{
  if (!result->truncated || self->truncation_told)
    return;
  self->truncation_told = TRUE;
  GST_WARNING_OBJECT (self, "%u components were found and %u are delivered: "
      "max-components is too small, or min-area is", result->n_found,
      result->n_components);
}

gboolean
gst_cca_base_publish (GstCcaBase * self, GstCcaJob * job,
    const CcaResult * result)
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
    .flags = result->warming_up ? GST_CCA_ANALYSIS_FLAG_WARMING_UP : 0,
  };
  gsize size = result->n_components * sizeof (GstCcaComponent);
  GstCcaComponent *components = NULL;
  GBytes *records = NULL;
  const gchar *why = "the buffer does not take metas";
  gboolean ok;

  tell_truncation (self, result);

  if (s->meta_types == 0 && !s->post_messages)
    return TRUE;

  if (result->n_components > 0) {
    components = g_try_malloc (size);
    if (components == NULL) {
      gst_cca_base_post_error (self, CCA_ERROR_NO_MEMORY,
          "memory for the component records ran out");
      return FALSE;
    }
    gst_cca_records_convert (components, result->components,
        result->n_components);
    records = g_bytes_new_take (components, size);
  }

  ok = attach (self, job, &analysis, records, result, &why);
  if (ok && s->post_messages)
    gst_cca_base_post_message (self, job, &analysis, components,
        result->n_components);
  if (!ok)
    gst_cca_base_post_error (self, CCA_ERROR_INVALID, why);

  g_clear_pointer (&records, g_bytes_unref);
  return ok;
}

GstStructure *
gst_cca_stats_to_structure (const GstCcaStats * stats)
{
  GstClockTime mean = stats->frames ? stats->total_time / stats->frames : 0;

  return gst_structure_new ("cca-stats",
      "frames", G_TYPE_UINT64, stats->frames,
      "truncated-frames", G_TYPE_UINT64, stats->truncated_frames,
      "n-found", G_TYPE_UINT, stats->n_found,
      "n-components", G_TYPE_UINT, stats->n_components,
      "background-frames", G_TYPE_UINT64, stats->background_frames,
      "mean-time", G_TYPE_UINT64, mean,
      "max-time", G_TYPE_UINT64, stats->max_time, NULL);
}
