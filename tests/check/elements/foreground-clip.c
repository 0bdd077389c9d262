/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Whole clips: the components of each frame equal those of the reference engine,
 * whose parameters this file converts independently. */

#include "place.h"

#include "cca.h"

#define WIDTH 97
#define HEIGHT 61
#define MAX_COMPONENTS 65536

static const Place *const at = &place;

/* Texture, noise, and two objects that move and stop. */
static guint
clip (guint x, guint y, guint t)
{
  guint v = 60 + noise (x, y, 4) / 4 + noise (x, y, 10 * t) / 24;

  if (x - (t * 2 % 80) < 12 && y - 10 < 14)
    v += 50;
  if (x - 40 < 9 && y - (t < 25 ? t : 25) < 17)
    v -= 40;
  return v;
}

/* The same in that many bits, and nothing below. */
static Picture
clip_frame (GstVideoFormat format, guint t)
{
  Picture p = picture_new (WIDTH, HEIGHT, clip, t);
  guint i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    p.pixels[i] <<= format_depth (format) - 8;
  return p;
}

typedef struct
{
  const gchar *properties;
  guint frame_distance; /* of difference */
  CcaParams params;     /* 0 where it is the default */
} Mode;

static const Mode modes[] = {
  {"open-radius=1 close-radius=2 threshold=90", 0,
    {.threshold = 90, .open_radius = 1, .close_radius = 2}},
  {"foreground=otsu", 0, {.foreground = CCA_FOREGROUND_OTSU}},
  {"foreground=otsu threshold-high=120 invert=true connectivity=4", 0,
    {.foreground = CCA_FOREGROUND_OTSU,
      .threshold_high = 120,
      .invert = true,
      .connectivity = 4}},
  {"foreground=difference", 3, {.foreground = CCA_FOREGROUND_DIFFERENCE}},
  {"foreground=difference frame-distance=1 min-contrast=9 close-radius=3", 1,
    {.foreground = CCA_FOREGROUND_DIFFERENCE,
      .min_contrast = 9,
      .close_radius = 3}},
  {"foreground=difference frame-distance=16 roi-x=20 roi-width=50 invert=true",
    16,
    {.foreground = CCA_FOREGROUND_DIFFERENCE,
      .invert = true,
      .roi = {20, 0, 50, 0}}},
  {"foreground=sigma-delta", 0, {.foreground = CCA_FOREGROUND_SIGMA_DELTA}},
  {"foreground=sigma-delta open-radius=1 close-radius=1 min-area=20", 0,
    {.foreground = CCA_FOREGROUND_SIGMA_DELTA,
      .open_radius = 1,
      .close_radius = 1,
      .min_area = 20}},
  {"foreground=sigma-delta min-contrast=2 noise-factor=4 background-period=3 "
   "warm-up=5",
    0,
    {.foreground = CCA_FOREGROUND_SIGMA_DELTA,
      .min_contrast = 2,
      .noise_factor = 4,
      .background_period = 3,
      .warm_up = 5}},
  {"foreground=sigma-delta absorb-after=2 warm-up=5 min-contrast=9", 0,
    {.foreground = CCA_FOREGROUND_SIGMA_DELTA,
      .min_contrast = 9,
      .warm_up = 5,
      .absorb_after = 2}},
  {"foreground=sigma-delta absorb-after=100 light-compensation=tone", 0,
    {.foreground = CCA_FOREGROUND_SIGMA_DELTA,
      .absorb_after = 100,
      .compensate_light = true}},
};

/* Parameters of the mode for the depth. 8-bit thresholds include all values that
 * begin with the same bits. */
static CcaParams
params_in_depth (const Mode *mode, guint depth)
{
  const CcaParams *m = &mode->params;
  const guint factor = 1 << (depth - 8);
  CcaParams p = CCA_DEFAULT_PARAMS;

  p.foreground = m->foreground;
  p.threshold = (m->threshold ? m->threshold : 128) * factor + factor - 1;
  p.threshold_high =
      (m->threshold_high ? m->threshold_high : 255) * factor + factor - 1;
  p.invert = m->invert;
  p.connectivity = m->connectivity ? m->connectivity : 8;
  p.min_area = m->min_area;
  p.roi = m->roi;
  p.min_contrast = (m->min_contrast ? m->min_contrast : 15) * factor;
  p.step = factor;
  p.noise_factor = m->noise_factor ? m->noise_factor : 2;
  p.background_period = m->background_period ? m->background_period : 4;
  p.warm_up = m->warm_up ? m->warm_up : 255;
  p.absorb_after = m->absorb_after;
  p.compensate_light = m->compensate_light;
  p.open_radius = m->open_radius;
  p.close_radius = m->close_radius;
  return p;
}

static CcaEngine *
reference_new (GstVideoFormat format, const Mode *mode)
{
  const guint depth = format_depth (format);
  CcaConfig config = {
    .width = WIDTH,
    .height = HEIGHT,
    .sample_size = depth > 8 ? 2 : 1,
    .depth = depth,
    .max_components = MAX_COMPONENTS,
    .slots = 1,
    .foreground = mode->params.foreground,
    .frame_distance = mode->frame_distance,
    .votes = mode->params.absorb_after > 0,
  };
  CcaEngine *engine;

  assert_equals_int (cca_ref_open (&engine), CCA_OK);
  assert_equals_int (cca_engine_configure (engine, &config), CCA_OK);
  return engine;
}

/* Analyses the picture in samples of `depth` bits. */
static CcaResult
reference_find (CcaEngine *engine, const Picture *picture, guint depth,
    const CcaParams *params)
{
  guint8 *bytes = NULL;
  CcaFrame frame = {
    .data = picture->pixels,
    .width = picture->width,
    .height = picture->height,
    .stride = picture->width * 2,
  };
  CcaResult result;
  guint i, n = picture->width * picture->height;

  if (depth == 8) {
    bytes = g_new (guint8, n);
    for (i = 0; i < n; i++)
      bytes[i] = picture->pixels[i];
    frame.data = bytes;
    frame.stride = picture->width;
  }
  assert_equals_int (cca_engine_analyse (engine, 0, &frame, params), CCA_OK);
  assert_equals_int (cca_engine_collect (engine, 0, &result), CCA_OK);
  g_free (bytes);
  return result;
}

static void
assert_records (const GstCcaMeta *meta, const CcaResult *want, guint t)
{
  const GstCcaAnalysis *a = gst_cca_meta_get_analysis (meta);
  const GstCcaComponent *c;
  guint n, i;

  c = gst_cca_meta_get_components (meta, &n);
  fail_unless (n == want->n_components && a->n_found == want->n_found,
      "frame %u: %u of %u components and not %u of %u", t, n, a->n_found,
      want->n_components, want->n_found);
  for (i = 0; i < n; i++) {
    const CcaComponent *w = &want->components[i];

    fail_unless (c[i].id == w->id && c[i].x == w->x && c[i].y == w->y
            && c[i].width == w->width && c[i].height == w->height
            && c[i].area == w->area && c[i].centroid_x == cca_centroid_x (w)
            && c[i].centroid_y == cca_centroid_y (w),
        "frame %u: component %u", t, i);
  }
  assert_equals_int (a->threshold, want->threshold);
  assert_equals_int (a->threshold_high, want->threshold_high);
  assert_equals_int (a->flags,
      (want->warming_up ? GST_CCA_ANALYSIS_FLAG_WARMING_UP : 0)
          | (want->light_changed ? GST_CCA_ANALYSIS_FLAG_LIGHT_CHANGED : 0));
}

static guint64
background_frames (GstHarness *h)
{
  GstElement *element = gst_harness_find_element (h, at->element);
  GstStructure *stats;
  guint64 n = G_MAXUINT64;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "background-frames", &n));
  gst_structure_free (stats);
  gst_object_unref (element);
  return n;
}

/* Some frames of the modes that compensate light are lighter. */
static void
light (Picture *picture, GstVideoFormat format, const Mode *mode, guint t)
{
  guint i;

  for (i = 0; mode->params.compensate_light && t % 6 > 2 && i < WIDTH * HEIGHT;
      i++)
    picture->pixels[i] += 30 << (format_depth (format) - 8);
}

/* How many were found in all, so that it does not pass with none. */
static guint
compare_clip (GstVideoFormat format, const Mode *mode)
{
  gchar *description = g_strdup_printf ("%s %s", at->element, mode->properties);
  GstHarness *h = at->harness (description, format, WIDTH, HEIGHT, NULL);
  CcaEngine *reference = reference_new (format, mode);
  const CcaParams params = params_in_depth (mode, format_depth (format));
  guint n_found = 0, n_lit = 0, t;

  for (t = 0; t < at->n_frames (); t++) {
    Picture picture = clip_frame (format, t);
    CcaResult want;
    GstBuffer *out;
    GstCcaMeta *meta;

    light (&picture, format, mode, t);
    want = reference_find (reference, &picture, format_depth (format), &params);
    out = gst_harness_push_and_pull (h, at->frame (format, &picture, NULL));
    fail_unless (out != NULL);
    meta = gst_buffer_get_cca_meta (out);
    fail_unless (meta != NULL);
    assert_equals_int (gst_cca_meta_get_analysis (meta)->foreground,
        mode->params.foreground);
    assert_records (meta, &want, t);
    assert_equals_uint64 (background_frames (h), want.background_frames);
    n_found += want.n_found;
    n_lit += want.light_changed;
    gst_buffer_unref (out);
    picture_clear (&picture);
  }
  fail_unless ((n_lit > 0) == mode->params.compensate_light);
  cca_engine_free (&reference);
  gst_harness_teardown (h);
  g_free (description);
  return n_found;
}

TEST_LOOP (test_modes, 0, G_N_ELEMENTS (modes))
{
  const Mode *mode = &modes[__i__];

  fail_unless (compare_clip (GST_VIDEO_FORMAT_GRAY8, mode) > 0);
  fail_unless (compare_clip (GST_VIDEO_FORMAT_I420_10LE, mode) > 0);
}

/* Each frame's components with a clip in that format. */
static GPtrArray *
components_of_clip (GstVideoFormat format, const Mode *mode)
{
  GPtrArray *frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gchar *description = g_strdup_printf ("%s %s", at->element, mode->properties);
  GstHarness *h = at->harness (description, format, WIDTH, HEIGHT, NULL);
  guint n, t;

  for (t = 0; t < at->n_frames (); t++) {
    Picture picture = clip_frame (format, t);
    GstBuffer *out =
        gst_harness_push_and_pull (h, at->frame (format, &picture, NULL));
    const GstCcaComponent *c;

    c = gst_cca_meta_get_components (gst_buffer_get_cca_meta (out), &n);
    g_ptr_array_add (frames, g_bytes_new (c, n * sizeof (*c)));
    gst_buffer_unref (out);
    picture_clear (&picture);
  }
  gst_harness_teardown (h);
  g_free (description);
  return frames;
}

/* A clip of 8 bits and its copies in more have the same components. */
TEST_LOOP (test_depths, 0, 3)
{
  static const GstVideoFormat deep[] = {
    GST_VIDEO_FORMAT_P010_10LE,
    GST_VIDEO_FORMAT_P012_LE,
    GST_VIDEO_FORMAT_GRAY16_LE,
  };
  guint first = __i__, i, t;

  for (; first < G_N_ELEMENTS (modes); first += 3) {
    GPtrArray *want = components_of_clip (GST_VIDEO_FORMAT_NV12, &modes[first]);

    for (i = 0; i < G_N_ELEMENTS (deep); i++) {
      GPtrArray *got = components_of_clip (deep[i], &modes[first]);

      for (t = 0; t < at->n_frames (); t++)
        fail_unless (g_bytes_equal (g_ptr_array_index (want, t),
                         g_ptr_array_index (got, t)),
            "%s, %s: frame %u", modes[first].properties,
            gst_video_format_to_string (deep[i]), t);
      g_ptr_array_unref (got);
    }
    g_ptr_array_unref (want);
  }
}

/* Values of a thermal camera, in its own counts. */
TEST (test_own_depth)
{
  const Mode mode =
      {"foreground=sigma-delta threshold-depth=0 min-contrast=300 warm-up=2", 0,
        {.foreground = CCA_FOREGROUND_SIGMA_DELTA}};
  gchar *description = g_strdup_printf ("%s %s", at->element, mode.properties);
  const GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE;
  GstHarness *h = at->harness (description, format, WIDTH, HEIGHT, NULL);
  CcaEngine *reference = reference_new (format, &mode);
  CcaParams params = CCA_DEFAULT_PARAMS;
  guint n_found = 0, t, i;

  params.foreground = CCA_FOREGROUND_SIGMA_DELTA;
  params.min_contrast = 300;
  params.warm_up = 2;
  for (t = 0; t < at->n_frames (); t++) {
    Picture picture = picture_new (WIDTH, HEIGHT, clip, t);
    CcaResult want;
    GstBuffer *out;

    for (i = 0; i < WIDTH * HEIGHT; i++)
      picture.pixels[i] = 7000 + picture.pixels[i] * 8;
    want = reference_find (reference, &picture, 16, &params);
    out = gst_harness_push_and_pull (h, at->frame (format, &picture, NULL));
    assert_records (gst_buffer_get_cca_meta (out), &want, t);
    n_found += want.n_found;
    gst_buffer_unref (out);
    picture_clear (&picture);
  }
  fail_unless (n_found > 0);
  cca_engine_free (&reference);
  gst_harness_teardown (h);
  g_free (description);
}
