/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Compares the output of the elements with the expected one. */

#include <gst/analytics/analytics.h>
#include <gst/ccameta/gstccafeatures.h>

#include "elements.h"

guint
take_messages (State *s, guint *n_messages, guint *n_found)
{
  GstMessage *message;
  guint n_errors = 0;

  *n_messages = 0;
  while ((message = gst_bus_pop (s->bus)) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      GError *error = NULL;

      gst_message_parse_error (message, &error, NULL);
      REQUIRE (g_str_has_suffix (error->message, "."), "'%s'", error->message);
      if (GST_MESSAGE_SRC (message) == GST_OBJECT (s->cca))
        REQUIRE (strchr (error->message, '.')[1] == '\0'
                || error->domain == GST_CORE_ERROR,
            "'%s'", error->message);
      g_error_free (error);
      n_errors++;
    } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT) {
      REQUIRE (gst_structure_get_uint (gst_message_get_structure (message),
                   "n-found", n_found),
          "a message without n-found");
      (*n_messages)++;
    }
    gst_message_unref (message);
  }

  return n_errors;
}

static void
check_records (const GstCcaMeta *meta, const CcaResult *want)
{
  const GstCcaComponent *got;
  guint n, i;

  got = gst_cca_meta_get_components (meta, &n);
  REQUIRE (n == want->n_components
          && gst_cca_meta_get_n_found (meta) == want->n_found,
      "%u of %u components, the reference has %u of %u", n,
      gst_cca_meta_get_n_found (meta), want->n_components, want->n_found);
  for (i = 0; i < n; i++) {
    const CcaComponent *c = &want->components[i];

    REQUIRE (got[i].id == c->id && got[i].x == c->x && got[i].y == c->y
            && got[i].width == c->width && got[i].height == c->height
            && got[i].area == c->area && got[i].centroid_x == cca_centroid_x (c)
            && got[i].centroid_y == cca_centroid_y (c),
        "record %u is %u: %ux%u at %u,%u and not %u: %ux%u at %u,%u", i,
        got[i].id, got[i].width, got[i].height, got[i].x, got[i].y, c->id,
        c->width, c->height, c->x, c->y);
  }
}

/* The reference has a threshold's values in the depth of the threshold. */
static gboolean
has_own_values (const State *s, guint depth)
{
  return s->params.foreground != CCA_FOREGROUND_THRESHOLD
      || s->threshold_depth == 0 || s->threshold_depth == depth;
}

static void
check_features (const State *s, const GstCcaMeta *meta, const CcaResult *want)
{
  const GstCcaFeatures *got;
  CcaFeatures masked;
  guint n, i;

  got = gst_cca_meta_get_features (meta, &n);
  REQUIRE (gst_cca_meta_get_feature_flags (meta) == s->features
          && n == (s->features != 0 ? want->n_components : 0),
      "%u features", n);
  for (i = 0; i < n; i++) {
    const CcaFeatures *f = &want->features[i];

    memcpy (&masked, &got[i], sizeof (masked));
    if (!has_own_values (s, gst_cca_meta_get_analysis (meta)->depth))
      memcpy (&masked.v, &f->v,
          G_STRUCT_OFFSET (CcaFeatures, e4) - G_STRUCT_OFFSET (CcaFeatures, v));
    REQUIRE (memcmp (&masked, f, sizeof (*f)) == 0,
        "the features of record %u differ", i);
  }
}

static void
check_objects (State *s, GstBuffer *buffer, const CcaResult *want)
{
  guint types = s->meta_types, n_roi, n_objects = 0;
  guint n = MIN (want->n_components, s->max_objects);
  GstAnalyticsRelationMeta *relations;

  if (types & META_CCA)
    types |= s->expand_types;
  n_roi = gst_buffer_get_n_meta (buffer,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  relations = gst_buffer_get_analytics_relation_meta (buffer);
  if (relations != NULL)
    n_objects = gst_analytics_relation_get_length (relations);
  REQUIRE (n_roi == (types & META_ROI ? n : 0), "%u regions, not %u", n_roi, n);
  REQUIRE (n_objects == (types & META_ANALYTICS ? n : 0), "%u objects, not %u",
      n_objects, n);
}

void
check_output (State *s, const Frame *f, GstBuffer *out)
{
  GstCcaMeta *meta = gst_buffer_get_cca_meta (out);
  guint n_errors, n_messages, n_found = 0, width = 0, height = 0;
  CcaEngine *engine;
  CcaResult want;

  n_errors = take_messages (s, &n_messages, &n_found);
  REQUIRE (n_errors == 0, "%u errors", n_errors);
  REQUIRE (gst_buffer_get_size (out) == f->size
          && gst_buffer_memcmp (out, 0, f->bytes, f->size) == 0,
      "the pixels have changed");
  if (f->size == 0 && GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_GAP)) {
    REQUIRE (meta == NULL && n_messages == 0, "of no picture");
    return;
  }

  REQUIRE (expect (s, f, &width, &height, &engine, &want),
      "a frame that should have been refused came through");
  REQUIRE ((meta != NULL) == ((s->meta_types & META_CCA) != 0), "the meta");
  if (meta != NULL) {
    const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);

    REQUIRE (a->width == width && a->height == height, "%ux%u, not %ux%u",
        a->width, a->height, width, height);
    REQUIRE (a->depth
            == GST_VIDEO_FORMAT_INFO_DEPTH (gst_video_format_get_info (
                                                s->video.format),
                0),
        "%u bits", a->depth);
    REQUIRE (a->foreground == (guint) s->params.foreground, "foreground %u",
        a->foreground);
    REQUIRE (a->flags == want.warming_up, "flags %u", a->flags);
    check_records (meta, &want);
    check_features (s, meta, &want);
  }
  check_objects (s, out, &want);
  REQUIRE (n_messages == (s->post_messages ? 1 : 0), "%u messages", n_messages);
  REQUIRE (n_messages == 0 || n_found == want.n_found, "%u", n_found);
  cca_engine_free (&engine);
}

void
check_refused (State *s, const Frame *f, GstFlowReturn ret)
{
  guint n_errors, n_messages, n_found = 0, width, height;
  CcaEngine *engine;
  CcaResult want;
  gsize row = (gsize) f->width;

  n_errors = take_messages (s, &n_messages, &n_found);
  REQUIRE (n_messages == 0, "%u messages", n_messages);
  if (s->video.width == 0) {
    REQUIRE (n_errors <= 1, "%u errors", n_errors);
    return;
  }

  REQUIRE (ret == GST_FLOW_ERROR && n_errors == 1, "%s with %u errors",
      gst_flow_get_name (ret), n_errors);
  if (f->stride < 0 || (gsize) f->stride < row
      || GST_VIDEO_FORMAT_INFO_DEPTH (gst_video_format_get_info (
                                          s->video.format),
             0)
          > 8)
    return;
  REQUIRE (!expect (s, f, &width, &height, &engine, &want),
      "a good frame was refused");
}
