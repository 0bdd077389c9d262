/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The documented analysis of a frame, pixel by pixel on a flat copy of its
 * bytes. */

#include "elements.h"
#include "../../gst/ccabase/analysis/gstccadepth.h"

/* The picture: the crop rectangle inside the described frame, or the caps'
 * size of it. FALSE: the frame contradicts the caps. */
static gboolean
find_picture (const Frame *f, const Video *video, CcaRect *rect)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (video->format);

  if (f->format != video->format
      || f->n_planes != GST_VIDEO_FORMAT_INFO_N_PLANES (info))
    return FALSE;

  if (!f->crop) {
    *rect = (CcaRect) {0, 0, video->width, video->height};
    return video->width <= f->width && video->height <= f->height;
  }

  *rect = f->rect;
  if (rect->x >= f->width || rect->y >= f->height) {
    rect->width = rect->height = 0;
  } else {
    rect->width = MIN (rect->width, f->width - rect->x);
    rect->height = MIN (rect->height, f->height - rect->y);
  }
  return TRUE;
}

/* The code value of a luma pixel in `wanted` bits; -1 if it is not wholly in
 * the buffer. */
static gint
code_value (const Frame *f, const GstVideoFormatInfo *info, guint wanted,
    guint x, guint y)
{
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (info, 0);
  const guint size = depth > 8 ? 2 : 1;
  guint64 at;
  guint v;

  if (f->stride < 0 && y > 0)
    return -1;
  at = (guint64) y * (guint64) (y > 0 ? f->stride : 0) + (guint64) x * size;
  if (f->offset > f->size || at + size > f->size - f->offset)
    return -1;
  at += f->offset;
  v = f->bytes[at];
  if (size == 2)
    v = (v | f->bytes[at + 1] << 8) >> GST_VIDEO_FORMAT_INFO_SHIFT (info, 0);
  v %= 1u << depth;

  return depth > wanted ? v >> (depth - wanted) : v << (wanted - depth);
}

/* The picture's code values; NULL if one is not in the buffer. */
static guint16 *
read_picture (const State *s, const Frame *f, const CcaRect *rect, guint depth)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (s->video.format);
  guint16 *pixels = exact ((gsize) rect->width * rect->height * 2);
  guint x, y;

  for (y = 0; y < rect->height; y++)
    for (x = 0; x < rect->width; x++) {
      gint v = code_value (f, info, depth, rect->x + x, rect->y + y);

      if (v < 0) {
        free (pixels);
        return NULL;
      }
      pixels[(gsize) y * rect->width + x] = v;
    }

  return pixels;
}

/* The properties for values of `depth` bits. Only thresholds are compared in
 * their own depth. */
static CcaParams
params_in_depth (const State *s, guint depth)
{
  CcaParams p = s->params;

  if (p.foreground == CCA_FOREGROUND_THRESHOLD)
    return p;
  p.threshold_high =
      gst_cca_threshold_in_depth (p.threshold_high, s->threshold_depth, depth);
  p.min_contrast =
      gst_cca_contrast_in_depth (p.min_contrast, s->threshold_depth, depth);
  p.step = gst_cca_step_in_depth (s->threshold_depth, depth);
  return p;
}

/* A reference engine for the rectangle: the one with its background, if any. */
static CcaEngine *
reference_for (State *s, const CcaRect *rect, guint depth)
{
  const CcaConfig config = {
    .width = rect->width,
    .height = rect->height,
    .sample_size = 2,
    .depth = depth,
    .max_components = MAX_PICTURE,
    .slots = 1,
    .foreground = s->params.foreground,
    .frame_distance = s->frame_distance,
    .features = s->features,
    .votes = s->params.absorb_after > 0
        && s->params.foreground == CCA_FOREGROUND_SIGMA_DELTA,
  };
  CcaEngine *engine;

  if (s->foreground != s->params.foreground || s->votes != config.votes
      || memcmp (&s->rect, rect, sizeof (*rect)) != 0)
    cca_engine_free (&s->background);
  s->foreground = s->params.foreground;
  s->votes = config.votes;
  s->rect = *rect;
  if (s->background != NULL)
    return s->background;

  REQUIRE (cca_ref_open (&engine) == CCA_OK
          && cca_engine_configure (engine, &config) == CCA_OK,
      "the reference");
  if (s->foreground >= CCA_FOREGROUND_DIFFERENCE)
    s->background = engine;
  return engine;
}

gboolean
expect (State *s, const Frame *frame, guint *width, guint *height,
    CcaEngine **engine, CcaResult *result)
{
  const Video *video = &s->video;
  guint depth =
      GST_VIDEO_FORMAT_INFO_DEPTH (gst_video_format_get_info (video->format),
          0);
  CcaParams params = params_in_depth (s, depth);
  CcaRect rect;
  CcaFrame plane = {.data = NULL};
  CcaEngine *reference;
  guint16 *pixels;

  *engine = NULL;
  *result = (CcaResult) {.components = NULL};
  if (!find_picture (frame, video, &rect))
    return FALSE;
  if (rect.width == 0 || rect.height == 0) {
    *width = video->width;
    *height = video->height;
    return TRUE;
  }
  /* more pixels than a buffer has, unless rows have a stride of 0 */
  if ((guint64) rect.width * rect.height > MAX_PICTURE * 2)
    return FALSE;

  if (params.foreground == CCA_FOREGROUND_THRESHOLD && s->threshold_depth != 0)
    depth = s->threshold_depth;
  pixels = read_picture (s, frame, &rect, depth);
  if (pixels == NULL)
    return FALSE;
  if (params.foreground == CCA_FOREGROUND_THRESHOLD)
    depth = 16;
  *width = plane.width = rect.width;
  *height = plane.height = rect.height;
  plane.data = pixels;
  plane.stride = (gsize) rect.width * 2;
  reference = reference_for (s, &rect, depth);
  REQUIRE (cca_engine_analyse (reference, 0, &plane, &params) == CCA_OK
          && cca_engine_collect (reference, 0, result) == CCA_OK,
      "%s", cca_engine_error (reference));
  free (pixels);
  if (reference != s->background)
    *engine = reference;

  return TRUE;
}
