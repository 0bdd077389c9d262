/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Compares the metas of a buffer with a flood fill of its pixels. */

#include "stress.h"

#include <gst/analytics/analytics.h>
#include <string.h>

/* The picture that the buffer shows: its crop rectangle, or all. */
static Picture
cut_picture (GstBuffer *buffer, const GstVideoInfo *info, const guint8 *plane,
    gsize stride)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  const guint shift = GST_VIDEO_FORMAT_INFO_SHIFT (info->finfo, 0);
  const guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);
  Picture picture = {
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
  };
  guint left = 0, top = 0, x, y;

  if (crop != NULL) {
    left = crop->x;
    top = crop->y;
    picture.width = MIN (crop->width, picture.width - left);
    picture.height = MIN (crop->height, picture.height - top);
  }
  picture.pixels = g_new (guint16, (gsize) picture.width * picture.height);
  for (y = 0; y < picture.height; y++) {
    const guint8 *row = plane + (top + y) * stride;
    guint16 *to = picture.pixels + (gsize) y * picture.width;

    for (x = 0; x < picture.width; x++)
      to[x] = depth == 8 ? row[left + x]
                         : (GST_READ_UINT16_LE (row + 2 * (left + x)) >> shift)
              % (1u << depth);
  }
  return picture;
}

static Picture
read_picture (const Outcome *o)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  Picture picture;
  gsize stride;
  guint8 *plane;

  g_assert_true (gst_video_info_from_caps (&info, o->caps));
  plane = cuda_read_luma (o->buffer, &stride);
  if (plane != NULL) {
    picture = cut_picture (o->buffer, &info, plane, stride);
    g_free (plane);
    return picture;
  }
  g_assert_true (gst_video_frame_map (&frame, &info, o->buffer, GST_MAP_READ));
  picture =
      cut_picture (o->buffer, &info, GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
          GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0));
  gst_video_frame_unmap (&frame);
  return picture;
}

static gint
by_area (gconstpointer a, gconstpointer b)
{
  const GstCcaComponent *c = a, *d = b;

  if (c->area != d->area)
    return c->area > d->area ? -1 : 1;
  return c->id < d->id ? -1 : 1;
}

/* With thresholds in code values of the format. */
static Look
look_in_format (const Wish *wish, GstVideoFormat format)
{
  const guint top = (1u << format_depth (format)) - 1;
  Look look = wish->look;

  if (wish->threshold_depth == 8) {
    look.threshold = format_threshold (format, look.threshold);
    look.threshold_high = format_threshold (format, look.threshold_high);
  } else {
    look.threshold = MIN (look.threshold, top);
    look.threshold_high = MIN (look.threshold_high, top);
  }
  return look;
}

static gchar *
verify_cca (GstCcaMeta *meta, const Picture *picture, const Look *look,
    guint depth, const GArray *expected, guint n_found)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *c;
  guint n, i;

  if (a->width != picture->width || a->height != picture->height)
    return g_strdup_printf ("the analysis is of %ux%u pixels", a->width,
        a->height);
  if (a->threshold != look->threshold
      || a->threshold_high != look->threshold_high || a->depth != depth
      || a->invert != look->invert || a->connectivity != look->connectivity)
    return g_strdup_printf ("the analysis is by threshold %u..%u of %u bits, "
                            "invert %d, connectivity %u",
        a->threshold, a->threshold_high, a->depth, a->invert, a->connectivity);
  if (a->n_found != n_found)
    return g_strdup_printf ("%u found, not %u", a->n_found, n_found);
  c = gst_cca_meta_get_components (meta, &n);
  if (n != expected->len)
    return g_strdup_printf ("%u components, not %u", n, expected->len);
  for (i = 0; i < n; i++) {
    const GstCcaComponent *e = &g_array_index (expected, GstCcaComponent, i);

    if (memcmp (&c[i], e, sizeof (*e)) != 0)
      return g_strdup_printf ("component %u is %u: %ux%u at %u,%u and not "
                              "%u: %ux%u at %u,%u",
          i, c[i].id, c[i].width, c[i].height, c[i].x, c[i].y, e->id, e->width,
          e->height, e->x, e->y);
  }
  return NULL;
}

/* Regions of interest are attached in order, and iterated in the order of
 * their ids. */
static gchar *
verify_roi (const Outcome *o, const Wish *wish, const GArray *expected)
{
  guint n = wish->types & 2 ? MIN (expected->len, wish->max_objects) : 0;
  gpointer state = NULL;
  GstMeta *meta;
  guint seen = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (o->buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE))
      != NULL) {
    const GstVideoRegionOfInterestMeta *roi =
        (GstVideoRegionOfInterestMeta *) meta;
    const GstCcaComponent *e = NULL;
    guint i;

    if (roi->roi_type != g_quark_from_string (o->object_type))
      return g_strdup_printf ("a region is of type %s",
          g_quark_to_string (roi->roi_type));
    for (i = 0; i < n && e == NULL; i++) {
      e = &g_array_index (expected, GstCcaComponent, i);
      if (e->x != roi->x || e->y != roi->y || e->width != roi->w
          || e->height != roi->h)
        e = NULL;
    }
    if (e == NULL)
      return g_strdup_printf ("no component has the region %ux%u at %u,%u",
          roi->w, roi->h, roi->x, roi->y);
    seen++;
  }
  return seen == n ? NULL : g_strdup_printf ("%u regions, not %u", seen, n);
}

static gchar *
verify_wish (const Outcome *o, const Picture *picture, const Wish *wish,
    GstVideoFormat format)
{
  const Look look = look_in_format (wish, format);
  GArray *expected = expect (picture, &look);
  guint n_found = expected->len, n_analytics;
  GstCcaMeta *meta = gst_buffer_get_cca_meta (o->buffer);
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (o->buffer);
  gchar *wrong = NULL;

  if (wish->order == 1)
    g_array_sort (expected, by_area);
  if (expected->len > o->max_components)
    g_array_set_size (expected, o->max_components);
  n_analytics = wish->types & 4 ? MIN (expected->len, wish->max_objects) : 0;

  if ((meta != NULL) != ((wish->types & 1) != 0))
    wrong = g_strdup_printf ("there is %s GstCcaMeta", meta ? "a" : "no");
  else if (meta != NULL)
    wrong = verify_cca (meta, picture, &look, format_depth (format), expected,
        n_found);
  if (wrong == NULL)
    wrong = verify_roi (o, wish, expected);
  if (wrong == NULL
      && n_analytics
          != (relations ? gst_analytics_relation_get_length (relations) : 0))
    wrong = g_strdup_printf ("there are not %u analytics objects", n_analytics);
  if (wrong == NULL && n_found > o->max_components)
    count (N_TRUNCATED);
  g_array_unref (expected);
  return wrong;
}

/* One state of the properties must explain the whole result. */
gchar *
verify (const Outcome *o)
{
  Picture picture = read_picture (o);
  GString *all = g_string_new (NULL);
  GstVideoInfo info;
  guint i;

  g_assert_true (gst_video_info_from_caps (&info, o->caps));
  for (i = 0; i < o->n_wishes; i++) {
    const Wish *w = &o->wishes[i];
    gchar *wrong = verify_wish (o, &picture, w, GST_VIDEO_INFO_FORMAT (&info));

    if (wrong == NULL) {
      g_string_truncate (all, 0);
      break;
    }
    g_string_append_printf (all,
        "\n    for threshold %u..%u of %u bits, "
        "invert %d, connectivity %u, area %" G_GUINT64_FORMAT
        "..%" G_GUINT64_FORMAT
        ", roi %ux%u at %u,%u, order %u, meta-types %u, max-objects %u, %s: "
        "%s",
        w->look.threshold, w->look.threshold_high, w->threshold_depth,
        w->look.invert, w->look.connectivity, w->look.min_area,
        w->look.max_area, w->look.roi_width, w->look.roi_height, w->look.roi_x,
        w->look.roi_y, w->order, w->types, w->max_objects, o->object_type,
        wrong);
    g_free (wrong);
  }
  if (all->len > 0) {
    gchar *caps = gst_caps_to_string (o->caps);

    g_string_prepend (all, caps);
    g_string_append_printf (all, "\n    picture %ux%u, max-components %u",
        picture.width, picture.height, o->max_components);
    g_free (caps);
  }
  picture_clear (&picture);
  return g_string_free (all, all->len == 0);
}
