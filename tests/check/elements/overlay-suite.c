/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Tests of ccaoverlay and cudaccaoverlay: the bytes drawn equal those of the
 * painter, and all others are unchanged. */

#include "overlay-suite.h"

#include <math.h>

#include "gst/ccabase/overlay/gstccadigits.h"

const GstVideoFormat overlay_formats[] = {
  GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_BGRA,
  GST_VIDEO_FORMAT_RGBA,
  GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_RGBx,
  GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_P012_LE,
  GST_VIDEO_FORMAT_P016_LE,
  GST_VIDEO_FORMAT_I420_10LE,
};

const guint n_overlay_formats = G_N_ELEMENTS (overlay_formats);

/* Fewer rounds under sanitizers, which take ten times as long. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define N_ROUNDS 2
#define N_SIZES 1
#else
#define N_ROUNDS place->n_rounds
#define N_SIZES 3
#endif

static const OverlayPlace *const place = &overlay_place;

/* --- frames --------------------------------------------------------------- */

GstVideoInfo
overlay_info (GstVideoFormat format, guint width, guint height,
    const gchar *colorimetry)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (&info, format, width, height));
  GST_VIDEO_INFO_FPS_N (&info) = 25;
  if (colorimetry != NULL)
    fail_unless (
        gst_video_colorimetry_from_string (&info.colorimetry, colorimetry));
  return info;
}

static GstCaps *
overlay_caps (const OverlayPlace *where, const GstVideoInfo *info)
{
  GstCaps *caps = gst_video_info_to_caps (info);

  if (where->features != NULL)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string (where->features));
  return caps;
}

/* Rows with padding, and gaps between the planes. */
static void
spread (GstVideoInfo *info, GRand *rand)
{
  const guint size = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1;
  gsize end = 0;
  guint p, c;

  for (p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    guint rows = 0;

    for (c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
      if ((guint) GST_VIDEO_INFO_COMP_PLANE (info, c) == p)
        rows = GST_VIDEO_INFO_COMP_HEIGHT (info, c);
    end += g_rand_int_range (rand, 0, 9) * size;
    info->offset[p] = end;
    info->stride[p] += g_rand_int_range (rand, 0, 9) * size;
    end += (gsize) info->stride[p] * rows;
  }
  info->size = end;
}

GstBuffer *
overlay_frame (const GstVideoInfo *info, GRand *rand)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;
  gsize i;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (rand);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      info->offset, info->stride);
  return buffer;
}

GstCcaComponent
component_at (guint x, guint y, guint width, guint height, gint64 track_id)
{
  return (GstCcaComponent) {
    .id = 1,
    .x = x,
    .y = y,
    .width = width,
    .height = height,
    .area = (guint64) width * height,
    .centroid_x = x + width / 2.0 - 0.5,
    .centroid_y = y + height / 2.0 - 0.5,
    .track_id = track_id,
  };
}

void
add_components (GstBuffer *buffer, guint width, guint height,
    const GstCcaComponent *components, guint n)
{
  const GstCcaAnalysis analysis = {
    .width = width,
    .height = height,
    .threshold = 128,
    .threshold_high = 255,
    .connectivity = 8,
    .n_found = MIN (n, width * height),
    .depth = 8,
  };
  GBytes *bytes = g_bytes_new (components,
      MIN (n, width * height) * sizeof (GstCcaComponent));

  fail_unless (gst_buffer_add_cca_meta (buffer, &analysis, bytes) != NULL);
  g_bytes_unref (bytes);
}

/* --- the rig --------------------------------------------------------------- */

static GstVideoRectangle
whole (const GstVideoInfo *info)
{
  return (GstVideoRectangle) {0, 0, GST_VIDEO_INFO_WIDTH (info),
    GST_VIDEO_INFO_HEIGHT (info)};
}

OverlayRig
overlay_rig_new (const OverlayPlace *where, const gchar *description,
    const GstVideoInfo *info, guint seed)
{
  OverlayRig rig = {.h = gst_harness_new_parse (description),
    .bus = gst_bus_new (),
    .rand = g_rand_new_with_seed (seed),
    .info = *info,
    .picture = whole (info),
    .style = default_style,
    .history = history_new ()};

  gst_element_set_bus (rig.h->element, rig.bus);
  gst_harness_set_src_caps (rig.h, overlay_caps (where, info));
  return rig;
}

void
overlay_rig_clear (OverlayRig *rig)
{
  assert_no_error (rig->bus);
  history_clear (&rig->history);
  g_rand_free (rig->rand);
  harness_free (rig->h, rig->bus);
}

static OverlayRig
rig_of (GstVideoFormat format, guint width, guint height, guint seed)
{
  const GstVideoInfo info = overlay_info (format, width, height, NULL);

  return overlay_rig_new (place, place->element, &info, seed);
}

static void
set_style (OverlayRig *rig, const Style *style)
{
  GstElement *overlay = gst_harness_find_element (rig->h, place->element);

  g_object_set (overlay, "object-detection-outline-color", style->color,
      "line-width", style->line_width, "draw-labels", style->draw_labels,
      "draw-tracking-labels", style->draw_tracking_labels,
      "tracking-outline-colors", style->tracking_colors, "filled-box",
      style->filled, "trails", style->trails, "label", style->areas,
      "draw-lines", style->lines, "draw-zones", style->zones, "draw-regions",
      style->regions, "draw-clock", style->clock, "max-objects",
      style->max_objects, NULL);
  gst_object_unref (overlay);
  rig->style = *style;
}

/* A frame in system memory with these components. */
static GstBuffer *
frame_with (OverlayRig *rig, const GstCcaComponent *components, guint n)
{
  GstBuffer *buffer = overlay_frame (&rig->info, rig->rand);

  add_components (buffer, rig->picture.w, rig->picture.h, components, n);
  return buffer;
}

/* Frames of that size show the picture as their crop. */
static void
rig_crop (OverlayRig *rig, guint width, guint height,
    const GstVideoRectangle *picture)
{
  const GstVideoColorimetry colorimetry = rig->info.colorimetry;

  rig->info =
      overlay_info (GST_VIDEO_INFO_FORMAT (&rig->info), width, height, NULL);
  rig->info.colorimetry = colorimetry;
  rig->picture = *picture;
}

static void
add_crop (GstBuffer *buffer, const GstVideoRectangle *picture)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = picture->x;
  crop->y = picture->y;
  crop->width = picture->w;
  crop->height = picture->h;
}

static void
assert_bytes (const guint8 *got, const guint8 *expected, gsize size,
    const GstVideoInfo *info)
{
  gsize i;

  /* faster than an assertion for each byte, which makes a system call */
  if (memcmp (got, expected, size) == 0)
    return;
  for (i = 0; i < size; i++)
    fail_unless (got[i] == expected[i],
        "byte %" G_GSIZE_FORMAT " of %s %dx%d "
        "(planes from %" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT
        ", %" G_GSIZE_FORMAT "; strides %d, %d, %d) is %u and not %u",
        i, GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), info->offset[0], info->offset[1],
        info->offset[2], info->stride[0], info->stride[1], info->stride[2],
        got[i], expected[i]);
}

/* Pushes a frame in the element's memory, which it takes, and compares the
 * output. */
static void
assert_pushed (OverlayRig *rig, GstBuffer *in, const guint8 *expected,
    gsize size)
{
  GstBuffer *out = gst_harness_push_and_pull (rig->h, in);
  guint8 *got;

  fail_unless (out != NULL);
  got = place->get (out, size);
  assert_bytes (got, expected, size, &rig->info);
  gst_buffer_unref (out);
  g_free (got);
}

/* A frame in the element's memory, which it takes, passes unchanged. */
static void
assert_undrawn (OverlayRig *rig, GstBuffer *in)
{
  guint8 *before = place->get (in, rig->info.size);

  assert_pushed (rig, in, before, rig->info.size);
  g_free (before);
}

static guint8 *
bytes_of (GstBuffer *system, gsize *size)
{
  GstMapInfo map;
  guint8 *bytes;

  fail_unless (gst_buffer_map (system, &map, GST_MAP_READ));
  *size = map.size;
  bytes = g_memdup2 (map.data, map.size);
  gst_buffer_unmap (system, &map);
  return bytes;
}

/* Pushes a frame in system memory, which it takes, and compares the output. */
static void
assert_drawing (OverlayRig *rig, GstBuffer *system)
{
  gsize size;
  guint8 *expected = bytes_of (system, &size);

  paint (system, expected, &rig->info, &rig->picture, &rig->style,
      &rig->history);
  assert_pushed (rig, place->put (system, &rig->info), expected, size);
  g_free (expected);
}

/* --- random frames --------------------------------------------------------- */

static Style
random_style (GRand *rand)
{
  static const guint alphas[] = {0, 1, 127, 128, 254, 255};

  return (Style) {
    .color = alphas[g_rand_int_range (rand, 0, G_N_ELEMENTS (alphas))] << 24
        | (g_rand_int (rand) & 0xffffff),
    .line_width = g_rand_int_range (rand, 0, 6),
    .draw_labels = g_rand_boolean (rand),
    .draw_tracking_labels = g_rand_boolean (rand),
    .tracking_colors = g_rand_boolean (rand),
    .filled = g_rand_boolean (rand),
    .trails = g_rand_boolean (rand),
    .areas = g_rand_boolean (rand),
    .lines = g_rand_boolean (rand),
    .zones = g_rand_boolean (rand),
    .regions = g_rand_boolean (rand),
    .clock = g_rand_int_range (rand, 0, 4) == 0,
    .max_objects = g_rand_int_range (rand, 0, 4) == 0
        ? g_rand_int_range (rand, 0, 20)
        : 1024,
  };
}

/* Most of them in the frame; some leave it, some are nonsense. */
static GstCcaComponent
random_component (GRand *rand, guint width, guint height)
{
  static const guint far[] = {0, 1, 1 << 16, G_MAXINT, G_MAXUINT};
  static const gdouble odd[] = {NAN, INFINITY, -INFINITY, 1e300, -3};
  GstCcaComponent c = component_at (g_rand_int_range (rand, 0, width),
      g_rand_int_range (rand, 0, height), g_rand_int_range (rand, 1, width + 1),
      g_rand_int_range (rand, 1, height + 1), g_rand_int_range (rand, -3, 8));

  c.id = g_rand_int (rand) >> g_rand_int_range (rand, 0, 32);
  c.area = c.id * (guint64) g_rand_int_range (rand, 1, 1000);
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.x = far[g_rand_int_range (rand, 0, G_N_ELEMENTS (far))];
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.height = far[g_rand_int_range (rand, 0, G_N_ELEMENTS (far))];
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.width = far[g_rand_int_range (rand, 0, G_N_ELEMENTS (far))];
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.centroid_x = odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.centroid_y = odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  if (g_rand_int_range (rand, 0, 8) == 0)
    c.track_id = G_MAXINT64 - g_rand_int_range (rand, 0, 2);
  return c;
}

static void
add_random (GstBuffer *buffer, GRand *rand, guint width, guint height)
{
  GstCcaComponent components[24];
  const guint n = g_rand_int_range (rand, 0, G_N_ELEMENTS (components));
  guint i;

  for (i = 0; i < n; i++)
    components[i] = random_component (rand, width, height);
  add_components (buffer, width, height, components, n);
}

/* Lines, zones and regions in a picture of that size, near it, and as far away as
 * they can be. */
static GstCcaShapes *
random_shapes (GRand *rand, guint width, guint height)
{
  static const gchar *const names[] = {"gate", "Yard-2_x", "a:b/c+d.e",
    "\xc3\xa4", "a name that is far too long for a label of this kind"};
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  guint n = g_rand_int_range (rand, 0, 6);

  while (n-- > 0) {
    const GstCcaShapeKind kind = g_rand_int_range (rand, 0, 4);
    const guint n_points = g_rand_int_range (rand, 3,
        g_rand_int_range (rand, 0, 16) == 0 ? 256 : 7);
    gdouble at[512];
    guint i;

    for (i = 0; i < 2 * n_points; i++) {
      const guint size = i % 2 == 0 ? width : height;

      switch (g_rand_int_range (rand, 0, 30)) {
        case 0:
          at[i] = g_rand_double_range (rand, -1, 1) * 2147483648.0;
          break;
        case 1:
          at[i] = g_rand_double_range (rand, -2.0 * size, 3.0 * size);
          break;
        case 2:
          at[i] = g_rand_double_range (rand, 0, size);
          break;
        default:
          at[i] = g_rand_int_range (rand, -3, size + 4);
          break;
      }
    }
    gst_cca_shapes_append (shapes, kind,
        names[g_rand_int_range (rand, 0, G_N_ELEMENTS (names))], at,
        2 * n_points);
  }
  return shapes;
}

/* Gives the first meta these shapes, with counts or without. */
static void
set_shapes (GstBuffer *buffer, GRand *rand, GstCcaShapes *shapes)
{
  const guint n = gst_cca_shapes_get_n_shapes (shapes);
  guint64 counts[2 * GST_CCA_SHAPES_MAX];
  GBytes *bytes = NULL;
  guint i;

  for (i = 0; i < 2 * n; i++)
    counts[i] = g_rand_int_range (rand, 0, 8) == 0
        ? G_MAXUINT64
        : (guint64) g_rand_int_range (rand, 0, 3);
  if (g_rand_int_range (rand, 0, 4) != 0)
    bytes = g_bytes_new (counts, 2 * n * sizeof (*counts));
  gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), shapes, bytes);
  g_clear_pointer (&bytes, g_bytes_unref);
}

TEST_LOOP (test_random, 0, n_overlay_formats)
{
  static const gchar *const colorimetries[] = {
    NULL,
    "bt601",
    "bt709",
    "bt2020",
    "smpte240m",
    "1:4:5:4",
    "1:3:5:1",
    "2:2:5:1",
    "0:4:5:4",
  };
  static const gchar *const rgb_colorimetries[] = {
    NULL,
    "2:1:7:1",
    "0:1:7:1",
  };
  const GstVideoFormat format = overlay_formats[__i__];
  GRand *rand = g_rand_new_with_seed (0x0ce1a + __i__);
  guint round, frame;

  for (round = 0; round < N_ROUNDS; round++) {
    const guint width = g_rand_int_range (rand, 1, 110);
    const guint height = g_rand_int_range (rand, 1, 70);
    /* RGB formats always have the matrix RGB */
    const gboolean is_rgb =
        GST_VIDEO_FORMAT_INFO_IS_RGB (gst_video_format_get_info (format));
    const gchar *colorimetry = is_rgb
        ? rgb_colorimetries[g_rand_int_range (rand, 0,
              G_N_ELEMENTS (rgb_colorimetries))]
        : colorimetries[g_rand_int_range (rand, 0,
              G_N_ELEMENTS (colorimetries))];
    const GstVideoInfo info = overlay_info (format, width, height, colorimetry);
    OverlayRig rig = overlay_rig_new (place, place->element, &info, 0);
    const Style style = random_style (rand);
    GstCcaShapes *shapes = random_shapes (rand, width, height);

    set_style (&rig, &style);
    for (frame = 0; frame < 3; frame++) {
      GstBuffer *buffer;

      rig.info = info;
      spread (&rig.info, rand);
      buffer = overlay_frame (&rig.info, rand);
      add_random (buffer, rand, g_rand_boolean (rand) ? width : 60,
          g_rand_boolean (rand) ? height : 70);
      if (g_rand_boolean (rand))
        set_shapes (buffer, rand, shapes);
      if (g_rand_boolean (rand))
        add_random (buffer, rand, width, height);
      if (g_rand_boolean (rand))
        GST_BUFFER_PTS (buffer) =
            g_rand_int (rand) * G_GUINT64_CONSTANT (12345);
      assert_drawing (&rig, buffer);
    }
    gst_cca_shapes_unref (shapes);
    overlay_rig_clear (&rig);
  }
  g_rand_free (rand);
}

/* Most frames have rows of whole words, which a GPU reads at once. Some crops do
 * not. */
TEST_LOOP (test_rows_of_words, 0, 2)
{
  GRand *rand = g_rand_new_with_seed (0x4e5 + __i__);
  guint round;

  for (round = 0; round < 2 * N_ROUNDS; round++) {
    const guint width = 4 * g_rand_int_range (rand, 1, 45);
    const guint height = g_rand_int_range (rand, 1, 140);
    const gint cut = g_rand_int_range (rand, 0, 2) * width / 3;
    const GstVideoRectangle picture = {cut, height / 3, width - cut,
      height - height / 3};
    const GstVideoFormat format = overlay_formats[__i__];
    OverlayRig rig = rig_of (format, picture.w, picture.h, 0);
    const Style style = random_style (rand);
    GstCcaShapes *shapes = random_shapes (rand, picture.w, picture.h);
    guint frame;

    rig_crop (&rig, width, height, &picture);
    set_style (&rig, &style);
    for (frame = 0; frame < 3; frame++) {
      GstBuffer *buffer = overlay_frame (&rig.info, rand);

      add_crop (buffer, &picture);
      add_random (buffer, rand, picture.w, picture.h);
      set_shapes (buffer, rand, shapes);
      assert_drawing (&rig, buffer);
    }
    gst_cca_shapes_unref (shapes);
    overlay_rig_clear (&rig);
  }
  g_rand_free (rand);
}

/* In numbers: outlines of 2 and a quarter of the alpha within, the second box
 * over the first; no trails, no labels. */
TEST (test_by_hand)
{
  static const gchar *const rows[] = {
    "..........",
    ".aaaaa....",
    ".aaaaa....",
    ".aadccaa..",
    ".aacccaa..",
    ".aacceaa..",
    "...aaaaa..",
    "...aaaaa..",
    "..........",
  };
  const GstCcaComponent boxes[] = {
    component_at (1, 1, 5, 5, -1),
    component_at (3, 3, 5, 5, 7),
  };
  const GstVideoInfo info =
      overlay_info (GST_VIDEO_FORMAT_GRAY8, 10, 9, "1:4:0:0");
  const Style style = {.color = 0x80ffffff, .filled = TRUE, .max_objects = 9};
  /* 100, and 128 of 255 of white; twice; after 32; 32 after 128 */
  const guint values[] = {
    ['.'] = 100,
    ['a'] = 178,
    ['c'] = 217,
    ['d'] = 187,
    ['e'] = 188,
  };
  OverlayRig rig = overlay_rig_new (place, place->element, &info, 1);
  GstBuffer *in = frame_with (&rig, boxes, 2), *out;
  guint8 *got;
  guint x, y;

  gst_buffer_memset (in, 0, 100, info.size);
  set_style (&rig, &style);
  out = gst_harness_push_and_pull (rig.h, place->put (in, &info));
  got = place->get (out, info.size);
  for (y = 0; y < 9; y++)
    for (x = 0; x < 10; x++) {
      fail_unless_equals_int (got[y * info.stride[0] + x],
          values[(guchar) rows[y][x]]);
    }
  g_free (got);
  gst_buffer_unref (out);
  overlay_rig_clear (&rig);
}

/* Digits are black on colours of a luma of 128 or more, white on others. Each channel
 * decides in some. */
TEST (test_ink)
{
  static const guint32 colors[] = {0xff808080, 0xff7f7f7f, 0xffff5801,
    0xffff5701, 0xff00a9ff, 0xff00a8ff, 0xff7f8080, 0xff807f80, 0xff80807d};
  const GstCcaComponent box = component_at (10, 20, 30, 20, -1);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (colors); i++) {
    OverlayRig rig = rig_of (GST_VIDEO_FORMAT_GRAY8, 64, 48, i);
    const Style style = {
      .color = colors[i],
      .draw_labels = TRUE,
      .max_objects = 9,
    };

    set_style (&rig, &style);
    assert_drawing (&rig, frame_with (&rig, &box, 1));
    overlay_rig_clear (&rig);
  }
}

/* Boxes larger than the part of a picture that a GPU block draws. */
TEST (test_large)
{
  const GstCcaComponent boxes[] = {
    component_at (10, 10, 280, 130, -1),
    component_at (63, 31, 66, 70, 4),
    component_at (2, 90, 297, 5, 5),
  };
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 300, 150, 10);
  Style style = default_style;
  guint i;

  for (i = 0; i < 2; i++) {
    style.filled = i;
    set_style (&rig, &style);
    assert_drawing (&rig, frame_with (&rig, boxes, G_N_ELEMENTS (boxes)));
  }
  overlay_rig_clear (&rig);
}

/* A picture so high that its characters take some hundred KiB. */
TEST (test_large_characters)
{
  const GstCcaComponent box = component_at (10, 2000, 150, 300, 987);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 200, 4500, 10);

  assert_drawing (&rig, frame_with (&rig, &box, 1));
  overlay_rig_clear (&rig);
}

static gboolean
is_inked (const CcaOverlayGlyphs *digits, guint digit, guint row)
{
  const guint8 *inks =
      digits->coverage + ((gsize) digit * digits->height + row) * digits->width;
  guint x;

  for (x = 0; x < digits->width; x++)
    if (inks[x] != 0)
      return TRUE;
  return FALSE;
}

/* All glyphs differ, and the last one is blank. */
static void
assert_characters (const CcaOverlayGlyphs *digits)
{
  const gsize size = (gsize) digits->width * digits->height;
  guint i, k;

  for (i = 0; i < CCA_OVERLAY_N_GLYPHS; i++) {
    guint n_rows = 0;

    for (k = 0; k < digits->height; k++)
      n_rows += is_inked (digits, i, k);
    fail_unless ((n_rows == 0) == (i == CCA_OVERLAY_N_GLYPHS - 1), "%u", i);
    for (k = 0; k < i; k++)
      fail_unless (memcmp (digits->coverage + i * size,
                       digits->coverage + k * size, size)
          != 0);
  }
}

/* Each digit covers nearly all rows of the font, and some cover all. */
TEST (test_digits)
{
  CcaOverlayGlyphs digits = {.coverage = NULL};
  guint size, digit;

  for (size = 9; size < 90; size *= 2) {
    guint n_top = 0, n_bottom = 0;

    gst_cca_digits_make (&digits, size);
#ifdef HAVE_PANGO
    fail_unless (digits.coverage != NULL);
#endif
    for (digit = 0; digits.coverage != NULL && digit < 10; digit++) {
      fail_unless (is_inked (&digits, digit, digits.height / 8));
      fail_unless (
          is_inked (&digits, digit, digits.height - 1 - digits.height / 8));
      n_top += is_inked (&digits, digit, 0);
      n_bottom += is_inked (&digits, digit, digits.height - 1);
    }
    fail_unless (digits.coverage == NULL || (n_top > 0 && n_bottom > 0));
    if (digits.coverage != NULL)
      assert_characters (&digits);
  }
  gst_cca_digits_clear (&digits);
}

/* Characters that have a pixel or two of room are there nevertheless, and the
 * last one is blank. */
TEST (test_small_digits)
{
  CcaOverlayGlyphs digits = {.coverage = NULL};
  guint size, glyph, row;

  for (size = 1; size < 9; size++) {
    gst_cca_digits_make (&digits, size);
    for (glyph = 0; digits.coverage != NULL && glyph < CCA_OVERLAY_N_GLYPHS;
        glyph++) {
      guint n_rows = 0;

      for (row = 0; row < digits.height; row++)
        n_rows += is_inked (&digits, glyph, row);
      fail_unless ((n_rows == 0) == (glyph == CCA_OVERLAY_N_GLYPHS - 1));
    }
  }
  gst_cca_digits_clear (&digits);
}

/* Where lines and digits are larger than they are at least, and where digits are
 * larger than cairo's pictures can be: there are none. Trails from one end of
 * frames to the other, which a GPU draws in pieces. */
TEST_LOOP (test_extreme, 0, N_SIZES)
{
  static const struct
  {
    GstVideoFormat format;
    guint width, height;
    GstCcaComponent boxes[3];
  } sizes[N_SIZES] = {
    {GST_VIDEO_FORMAT_GRAY8, 40, 1100,
      {{.x = 2, .y = 30, .width = 36, .height = 900, .track_id = -1},
        {.x = 5, .y = 90, .width = 9, .height = 90, .track_id = 5},
        {.x = 20, .y = 700, .width = 9, .height = 90, .track_id = 5}}},
#if N_SIZES > 1
    {GST_VIDEO_FORMAT_GRAY8, 8, 200000,
      {{.x = 2, .y = 30, .width = 6, .height = 900, .track_id = -1},
        {.x = 1, .y = 16380, .width = 9, .height = 16, .track_id = 5},
        {.x = 3, .y = 150000, .width = 9, .height = 90, .track_id = 5}}},
    {GST_VIDEO_FORMAT_NV12, 70000, 16,
      {{.x = 2, .y = 3, .width = 60000, .height = 9, .track_id = -1},
        {.x = 16380, .y = 9, .width = 9, .height = 4, .track_id = 5},
        {.x = 69000, .y = 1, .width = 9, .height = 9, .track_id = 5}}},
#endif
  };
  const guint width = sizes[__i__].width, height = sizes[__i__].height;
  /* without a matrix, which grey need not have */
  const GstVideoInfo info = overlay_info (sizes[__i__].format, width, height,
      sizes[__i__].format == GST_VIDEO_FORMAT_GRAY8 ? "2:0:5:1" : NULL);
  OverlayRig rig = overlay_rig_new (place, place->element, &info, 11);
  Style style = default_style;
  guint i;

  style.clock = TRUE;
  set_style (&rig, &style);
  for (i = 0; i < 2; i++) {
    GstCcaComponent boxes[2] = {sizes[__i__].boxes[0],
      sizes[__i__].boxes[1 + i]};
    GstBuffer *buffer;

    boxes[1].centroid_x = boxes[1].x;
    boxes[1].centroid_y = boxes[1].y;
    buffer = frame_with (&rig, boxes, G_N_ELEMENTS (boxes));
    GST_BUFFER_PTS (buffer) = i * GST_SECOND;
    assert_drawing (&rig, buffer);
  }
  overlay_rig_clear (&rig);
}

/* A track that is seen for longer than the length of its trail. */
static void
walk (OverlayRig *rig, guint n, guint from)
{
  guint i;

  for (i = from; i < from + n; i++) {
    const GstCcaComponent walkers[] = {
      component_at (2 * i, 40 - i % 7, 3, 4, 5),
      component_at (100 - 2 * i, 3 + i % 5, 4, 3, 1000),
    };
    GstBuffer *buffer = overlay_frame (&rig->info, rig->rand);

    add_components (buffer, 120, 50, walkers, 2);
    assert_drawing (rig, buffer);
  }
}

static void
set_frames (OverlayRig *rig, guint width, guint height, guint fps)
{
  rig->info = overlay_info (GST_VIDEO_FORMAT_I420, width, height, NULL);
  GST_VIDEO_INFO_FPS_N (&rig->info) = fps;
  rig->picture = whole (&rig->info);
  gst_harness_set_src_caps (rig->h, overlay_caps (place, &rig->info));
}

static void
forget (OverlayRig *rig)
{
  g_array_set_size (rig->history.points, 0);
}

TEST (test_trails)
{
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_I420, 120, 50, 2);
  Style no_trails = default_style;

  no_trails.trails = FALSE;
  walk (&rig, 40, 0);

  /* a gap in the stream forgets them */
  push_flush (rig.h);
  forget (&rig);
  walk (&rig, 3, 5);

  gst_harness_push_event (rig.h, gst_event_new_stream_start ("another"));
  forget (&rig);
  walk (&rig, 3, 20);

  /* another size ends trails, other changes of the caps do not */
  set_frames (&rig, 120, 50, 30);
  walk (&rig, 2, 24);
  set_frames (&rig, 122, 50, 25);
  forget (&rig);
  walk (&rig, 3, 20);
  set_frames (&rig, 122, 52, 25);
  forget (&rig);
  walk (&rig, 3, 20);

  /* points from before a pause are not connected to later ones */
  set_style (&rig, &no_trails);
  walk (&rig, 1, 24);
  set_style (&rig, &default_style);
  forget (&rig);
  walk (&rig, 3, 30);
  /* even if nothing was found in it */
  set_style (&rig, &no_trails);
  assert_drawing (&rig, overlay_frame (&rig.info, rig.rand));
  set_style (&rig, &default_style);
  fail_unless (rig.history.points->len == 0);
  walk (&rig, 3, 36);
  overlay_rig_clear (&rig);
}

/* Trails near the borders of GPU tiles, where both tiles draw them. */
TEST (test_thick_trails)
{
  const Style style = {.color = 0xffff0000,
    .line_width = 13,
    .trails = TRUE,
    .max_objects = 4096};
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 136, 136, 12);
  gint x[4] = {55, 73, 64, 64}, y[4] = {64, 64, 52, 75};
  guint frame, i;

  set_style (&rig, &style);
  for (frame = 0; frame < 12; frame++) {
    GstBuffer *buffer = overlay_frame (&rig.info, rig.rand);
    GstCcaComponent walkers[4];

    for (i = 0; i < 4; i++) {
      x[i] += g_rand_int_range (rig.rand, -3, 4);
      y[i] += g_rand_int_range (rig.rand, -3, 4);
      walkers[i] = component_at (x[i], y[i], 2, 2, i);
    }
    add_components (buffer, 136, 136, walkers, 4);
    assert_drawing (&rig, buffer);
  }
  overlay_rig_clear (&rig);
}

/* Beyond the maximum number of tracks the one unseen for longest is dropped. */
TEST (test_many_trails)
{
  const Style style = {.color = 0x80ff0000,
    .trails = TRUE,
    .max_objects = 4096};
  const GstCcaComponent newcomer = component_at (30, 20, 2, 2, 5000);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_GRAY8, 64, 32, 3);
  GstCcaComponent tracks[1024];
  guint i, frame;

  set_style (&rig, &style);
  for (frame = 0; frame < 2; frame++) {
    for (i = 0; i < 1024; i++)
      tracks[i] = component_at ((i + 9 * frame) % 60, i / 60, 2, 2, i);
    assert_drawing (&rig, frame_with (&rig, tracks, 1024));
  }
  /* the maximum is reached: track 0 is dropped, 1 stays */
  assert_drawing (&rig, frame_with (&rig, &newcomer, 1));
  assert_drawing (&rig, frame_with (&rig, &tracks[1], 1));
  forget (&rig);
  assert_drawing (&rig, frame_with (&rig, &tracks[0], 1));
  overlay_rig_clear (&rig);
}

/* Only the part in a crop meta is drawn on, in coordinates of the crop. */
TEST_LOOP (test_crop, 0, 12)
{
  static const GstVideoRectangle crops[] = {
    {3, 5, 40, 30},
    {4, 2, 40, 30},
    {23, 19, 40, 30},
    {0, 0, 40, 30},
  };
  static const GstVideoFormat some[] = {
    GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_P010_10LE,
  };
  const GstVideoRectangle *crop = &crops[__i__ % 4];
  const GstCcaComponent boxes[] = {
    component_at (0, 0, 40, 30, 3),
    component_at (37, 28, 3, 2, -1),
    component_at (38, 10, 40, 30, 4),
    component_at (0, 7, 1, 1, 5),
    component_at (11, 0, 1, 1, 6),
  };
  OverlayRig rig = rig_of (some[__i__ / 4], crop->w, crop->h, 4);
  GstBuffer *buffer;

  rig_crop (&rig, 64, 50, crop);
  buffer = frame_with (&rig, boxes, G_N_ELEMENTS (boxes));
  add_crop (buffer, crop);
  assert_drawing (&rig, buffer);
  overlay_rig_clear (&rig);
}

/* A shared buffer, or one with shared memory, stays as it is. */
static void
assert_shared (OverlayRig *rig, gboolean shares_memory)
{
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  const GstVideoInfo info = rig->info;
  GstVideoInfo layout = info;
  GstBuffer *ours = place->put (frame_with (rig, &box, 1), &info), *out;
  guint8 *before = place->get (ours, info.size), *after, *drawn;
  const GstVideoMeta *meta;
  gint x, y;
  guint c;

  out = gst_harness_push_and_pull (rig->h,
      shares_memory ? gst_buffer_copy (ours) : gst_buffer_ref (ours));
  fail_unless (out != NULL && out != ours);
  after = place->get (ours, info.size);
  assert_bytes (after, before, info.size, &info);
  fail_unless (gst_buffer_get_cca_meta (out) != NULL);

  /* the copy may have rows of another length */
  paint (ours, before, &info, &rig->picture, &default_style, &rig->history);
  meta = gst_buffer_get_video_meta (out);
  fail_unless (meta != NULL);
  memcpy (layout.offset, meta->offset, sizeof (layout.offset));
  memcpy (layout.stride, meta->stride, sizeof (layout.stride));
  drawn = place->get (out, gst_buffer_get_size (out));
  for (c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++)
    for (y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (&info, c); y++)
      for (x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (&info, c); x++) {
        const guint step = GST_VIDEO_INFO_COMP_PSTRIDE (&info, c);

        fail_unless_equals_int (drawn[GST_VIDEO_INFO_COMP_OFFSET (&layout, c)
                                    + y
                                        * GST_VIDEO_INFO_COMP_STRIDE (&layout,
                                            c)
                                    + x * step],
            before[GST_VIDEO_INFO_COMP_OFFSET (&info, c)
                + y * GST_VIDEO_INFO_COMP_STRIDE (&info, c) + x * step]);
      }
  gst_buffer_unref (out);
  gst_buffer_unref (ours);
  g_free (before);
  g_free (after);
  g_free (drawn);
}

TEST_LOOP (test_shared, 0, 2 * n_overlay_formats)
{
  OverlayRig rig = rig_of (overlay_formats[__i__ / 2], 37, 25, 5);

  assert_shared (&rig, __i__ % 2 != 0);
  overlay_rig_clear (&rig);
}

/* Shared buffers of a video that becomes larger. */
TEST (test_shared_of_other_size)
{
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 37, 25, 5);

  assert_shared (&rig, FALSE);
  rig.info = overlay_info (GST_VIDEO_FORMAT_NV12, 640, 250, NULL);
  rig.picture = whole (&rig.info);
  gst_harness_set_src_caps (rig.h, overlay_caps (place, &rig.info));
  assert_shared (&rig, FALSE);
  overlay_rig_clear (&rig);
}

/* Without components it is the same buffer, and the same memory in place. */
TEST (test_untouched)
{
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 32, 20, 6);
  GstBuffer *in, *out;
  GstMemory *memory;

  in = place->put (overlay_frame (&rig.info, rig.rand), &rig.info);
  out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
  fail_unless (out == in);
  gst_buffer_unref (out);
  in = gst_buffer_make_writable (in);
  add_components (in, 32, 20, NULL, 0);
  out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
  fail_unless (out == in);
  gst_buffer_unref (out);

  in = gst_buffer_make_writable (in);
  add_components (in, 32, 20, &box, 1);
  memory = gst_buffer_peek_memory (in, 0);
  out = gst_harness_push_and_pull (rig.h, in);
  fail_unless (out == in && gst_buffer_peek_memory (out, 0) == memory);
  g_free (place->get (out, rig.info.size));
  gst_buffer_unref (out);

  /* a gap has no picture */
  in = gst_buffer_new ();
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_GAP);
  add_components (in, 32, 20, &box, 1);
  out = gst_harness_push_and_pull (rig.h, in);
  fail_unless (out != NULL);
  gst_buffer_unref (out);
  overlay_rig_clear (&rig);
}

/* Shapes alone are drawn, too, and so is the clock: into a copy if the buffer is
 * shared. */
TEST (test_shapes_alone)
{
  static const gdouble at[] = {3, 3, 200, 100, 20, 140};
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 300, 150, 6);
  Style style = default_style;
  guint i;

  for (i = 0; i < 6; i++) {
    const GstCcaShapeKind kind = i % 4;
    GstCcaShapes *shapes = gst_cca_shapes_new ();
    GstBuffer *in = overlay_frame (&rig.info, rig.rand), *out;

    gst_cca_shapes_append (shapes, kind, "a", at, 6);
    add_components (in, 300, 150, NULL, 0);
    gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (in), shapes, NULL);
    /* only the kind, and then all others */
    style.lines = (kind == GST_CCA_SHAPE_KIND_LINE) == (i < 4);
    style.zones = (kind == GST_CCA_SHAPE_KIND_ZONE) == (i < 4);
    style.regions = (kind >= GST_CCA_SHAPE_KIND_INCLUDE) == (i < 4);
    set_style (&rig, &style);
    assert_drawing (&rig, gst_buffer_copy_deep (in));
    in = place->put (in, &rig.info);
    out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
    fail_unless ((out == in) == (i >= 4), "%u", i);
    g_free (place->get (out, rig.info.size));
    gst_buffer_unref (out);
    gst_buffer_unref (in);
    gst_cca_shapes_unref (shapes);
  }
  style = default_style;
  style.clock = TRUE;
  set_style (&rig, &style);
  for (i = 0; i < 2; i++) {
    GstBuffer *in = overlay_frame (&rig.info, rig.rand), *out;

    GST_BUFFER_PTS (in) = i == 0 ? GST_CLOCK_TIME_NONE : 3723456 * GST_MSECOND;
    if (i == 1)
      assert_drawing (&rig, gst_buffer_copy_deep (in));
    in = place->put (in, &rig.info);
    out = gst_harness_push_and_pull (rig.h, gst_buffer_ref (in));
    fail_unless ((out == in) == (i == 0));
    g_free (place->get (out, rig.info.size));
    gst_buffer_unref (out);
    gst_buffer_unref (in);
  }
  overlay_rig_clear (&rig);
}

/* The clock has the stream time. In a segment of another format it has the
 * timestamp as it is; outside of its segment a frame has no stream time, so
 * there is no clock. */
TEST (test_clock_segments)
{
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 300, 40, 7);
  Style style = default_style;
  GstSegment segment;
  GstBuffer *buffer;
  guint i;

  style.clock = TRUE;
  set_style (&rig, &style);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_harness_push_event (rig.h, gst_event_new_segment (&segment));
  buffer = overlay_frame (&rig.info, rig.rand);
  GST_BUFFER_PTS (buffer) = 3723456 * GST_MSECOND;
  assert_drawing (&rig, buffer);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.stop = 5 * GST_SECOND;
  gst_harness_push_event (rig.h, gst_event_new_segment (&segment));
  for (i = 4; i < 7; i += 2) {
    buffer = overlay_frame (&rig.info, rig.rand);
    GST_BUFFER_PTS (buffer) = i * GST_SECOND;
    if (i == 4)
      assert_drawing (&rig, buffer);
    else
      assert_undrawn (&rig, place->put (buffer, &rig.info));
  }

  segment.start = 2 * GST_SECOND;
  segment.time = 10 * GST_SECOND;
  gst_harness_push_event (rig.h, gst_event_new_segment (&segment));
  style.clock_offset = 8 * GST_SECOND;
  set_style (&rig, &style);
  buffer = overlay_frame (&rig.info, rig.rand);
  GST_BUFFER_PTS (buffer) = 4 * GST_SECOND;
  assert_drawing (&rig, buffer);
  overlay_rig_clear (&rig);
}

/* Full, empty and partly covered tiles of a picture that does not begin at
 * a tile, and diagonals through all of it. The same shapes are drawn again, by
 * another style, in another place, and from another analysis. */
TEST (test_prepared_shapes)
{
  static const gdouble zone[] = {10, 5, 390, 60, 395, 290, 200, 180, 5, 295};
  static const gdouble star[] = {200, 0, 80, 299, 400, 100, 0, 100, 320, 299};
  static const gdouble down[] = {-50, -40, 399, 299};
  static const gdouble up[] = {-30, 310, 200, 150, 500, -5};
  /* whole tiles on both sides of others, and edges at the centres of pixels */
  static const gdouble u[] = {0, 0, 128, 0, 128, 200, 256, 200, 256, 0, 400, 0,
    400, 300, 0, 300};
  static const gdouble half[] = {20.5, 10.5, 60.5, 10.5, 60.5, 40.5, 40, 70.5,
    20.5, 40.5};
  /* a whole tile, and one in the next row and column */
  static const gdouble stairs[] = {0, 0, 64, 0, 64, 64, 128, 64, 128, 128, 64,
    128, 64, 64, 0, 64};
  static const guint64 counts[] = {1, 0, 2, 0, 0, 0, 7, 8, 9, 10, 3, 0, 4, 0, 5,
    0, 0, 0};
  const GstVideoRectangle pictures[] = {{0, 0, 400, 300}, {65, 0, 400, 300},
    {65, 33, 400, 300}, {64, 128, 400, 300}, {64, 128, 300, 300},
    {64, 128, 300, 250}};
  /* one property of the style or the frame changes at a time */
  static const struct
  {
    guint picture, line_width, width, height;
    gboolean zones, none, no_lines, no_regions;
  } frames[] = {{0, 2, 400, 300, TRUE}, {0, 2, 400, 300, TRUE},
    {1, 2, 400, 300, TRUE}, {2, 2, 400, 300, TRUE}, {2, 5, 400, 300, TRUE},
    {2, 5, 400, 300, TRUE, TRUE}, {3, 5, 400, 300, TRUE},
    {3, 5, 400, 300, FALSE}, {3, 5, 200, 300, FALSE}, {3, 5, 200, 150, FALSE},
    {3, 5, 200, 150, TRUE}, {4, 5, 200, 150, TRUE}, {5, 5, 200, 150, TRUE},
    {5, 5, 200, 150, TRUE, FALSE, TRUE},
    {5, 5, 200, 150, TRUE, FALSE, TRUE, TRUE}};
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 400, 300, 6);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GBytes *bytes = g_bytes_new (counts, sizeof (counts));
  Style style = default_style;
  guint i;

  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "zone", zone, 10);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "star", star, 10);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "empty", star, 6);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "down", down, 4);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "up", up, 6);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "u", u, 16);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "half", half, 10);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "stairs", stairs, 16);
  /* one character more than is drawn */
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_INCLUDE,
      "abcdefghijklmnopqrstu", zone, 6);
  for (i = 0; i < G_N_ELEMENTS (frames); i++) {
    const GstVideoRectangle *picture = &pictures[frames[i].picture];
    GstBuffer *buffer;

    style.line_width = frames[i].line_width;
    style.zones = frames[i].zones;
    style.lines = !frames[i].no_lines;
    style.regions = !frames[i].no_regions;
    set_style (&rig, &style);
    rig_crop (&rig, 480, 440, picture);
    buffer = overlay_frame (&rig.info, rig.rand);
    add_crop (buffer, picture);
    add_components (buffer, frames[i].width, frames[i].height, NULL, 0);
    if (frames[i].none) {
      assert_undrawn (&rig, place->put (buffer, &rig.info));
      continue;
    }
    gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), shapes, bytes);
    assert_drawing (&rig, buffer);
  }
  g_bytes_unref (bytes);
  gst_cca_shapes_unref (shapes);
  overlay_rig_clear (&rig);
}

/* The same shapes in video of other colours. */
TEST (test_shapes_of_other_colours)
{
  static const gdouble at[] = {3, 3, 200, 100, 20, 140};
  static const gchar *const colorimetries[] = {"bt601", "bt709"};
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 300, 150, 6);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  guint i;

  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_ZONE, "a", at, 6);
  for (i = 0; i < G_N_ELEMENTS (colorimetries); i++) {
    GstBuffer *buffer;

    rig.info = overlay_info (GST_VIDEO_FORMAT_NV12, 300, 150, colorimetries[i]);
    gst_harness_set_src_caps (rig.h, overlay_caps (place, &rig.info));
    buffer = frame_with (&rig, NULL, 0);
    gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (buffer), shapes, NULL);
    assert_drawing (&rig, buffer);
  }
  gst_cca_shapes_unref (shapes);
  overlay_rig_clear (&rig);
}

/* The maximum number of records, and twice that. */
TEST (test_many)
{
  const Style style = {.color = 0x40ffffff,
    .line_width = 1,
    .max_objects = 65536};
  const guint n = 65536;
  GstCcaComponent *boxes = g_new (GstCcaComponent, 80000);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_GRAY8, 300, 300, 7);
  GstBuffer *in = overlay_frame (&rig.info, rig.rand);
  gsize size;
  guint8 *expected = bytes_of (in, &size);
  guint i;

  for (i = 0; i < 80000; i++)
    boxes[i] = component_at (i % 300, i / 300, 1, 1, -1);
  for (i = 0; i < n; i++) {
    guint8 *p = &expected[i / 300 * rig.info.stride[0] + i % 300];
    guint white[3];

    paint_values (&rig.info, style.color, white);
    *p = (64 * white[0] + 191 * *p + 127) / 255;
  }
  add_components (in, 300, 300, boxes, 80000);
  set_style (&rig, &style);
  warnings_begin ("ccaoverlaybase");
  assert_pushed (&rig, place->put (in, &rig.info), expected, size);
  fail_unless_equals_int (warnings_seen (), 1);
  warnings_end ();
  g_free (expected);
  g_free (boxes);
  overlay_rig_clear (&rig);
}

/* Boxes across the rows of tiles of the GPU, one of which is drawn by two
 * launches. */
TEST (test_split)
{
  const Style style = {.color = 0x40ffffff,
    .line_width = 1,
    .max_objects = 65536};
  const guint n = 1 + 300 * 29;
  GstCcaComponent *boxes = g_new (GstCcaComponent, n);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_GRAY8, 300, 1920, 9);
  GstBuffer *in = overlay_frame (&rig.info, rig.rand);
  gsize size;
  guint8 *expected = bytes_of (in, &size);
  guint white[3], i, y;

  paint_values (&rig.info, style.color, white);
  boxes[0] = component_at (0, 0, 1, 1, -1);
  for (i = 1; i < n; i++)
    boxes[i] = component_at (i % 300, 64 * ((i - 1) / 300 + 1) - 1, 1, 2, -1);
  for (i = 0; i < n; i++) {
    for (y = 0; y < boxes[i].height; y++) {
      guint8 *p = &expected[(boxes[i].y + y) * rig.info.stride[0] + boxes[i].x];

      *p = (64 * white[0] + 191 * *p + 127) / 255;
    }
  }
  add_components (in, 300, 1920, boxes, n);
  set_style (&rig, &style);
  assert_pushed (&rig, place->put (in, &rig.info), expected, size);
  g_free (expected);
  g_free (boxes);
  overlay_rig_clear (&rig);
}

/* The picture was cropped after the analysis, so the boxes and the shapes no
 * longer fit: one warning for each caps and segment. */
TEST (test_misfit)
{
  static const gdouble line[] = {3, 3, 60, 15};
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = rig_of (GST_VIDEO_FORMAT_NV12, 32, 20, 8);
  GstCcaShapes *shapes = gst_cca_shapes_new ();
  GstSegment segment;
  guint i;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_cca_shapes_append (shapes, GST_CCA_SHAPE_KIND_LINE, "a", line, 4);
  for (i = 0; i < 4; i++) {
    GstBuffer *in = overlay_frame (&rig.info, rig.rand);

    if (i == 2) {
      GST_VIDEO_INFO_FPS_N (&rig.info) = 50;
      push_caps (rig.h, overlay_caps (place, &rig.info));
    }
    if (i == 3)
      gst_harness_push_event (rig.h, gst_event_new_segment (&segment));
    add_components (in, 64, 20, &box, 1);
    gst_cca_meta_set_pixel_aspect_ratio (gst_buffer_get_cca_meta (in), 1, 1);
    gst_cca_meta_set_shapes (gst_buffer_get_cca_meta (in), shapes, NULL);
    assert_undrawn (&rig, place->put (in, &rig.info));
    if (i != 1)
      assert_warning (rig.bus,
          "cropped, framed, rotated or stretched after it was "
          "analysed: its components would be misplaced and are not drawn");
  }
  gst_cca_shapes_unref (shapes);
  overlay_rig_clear (&rig);
}

/* Frames that contradict their caps pass unchanged, with one warning. Samples of
 * 16 bits cannot be at odd addresses. */
TEST_LOOP (test_contradictions, 0, 7)
{
  static const struct
  {
    GstVideoFormat format;
    GstVideoFormat says; /* the meta, if not UNKNOWN */
    guint width;         /* of the meta, if not 0 */
    guint offset;        /* added to the second plane's */
    gint stride;         /* of the second plane, if not 0 */
    const gchar *words;
  } wrong[] = {
    {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_NV21, 0, 0, 0,
      "not the NV12 of its caps"},
    {GST_VIDEO_FORMAT_NV12, 0, 16, 0, 0, "not the 32x20 of its caps"},
    {GST_VIDEO_FORMAT_NV12, 0, 0, 0, 31, "stride"},
    {GST_VIDEO_FORMAT_NV12, 0, 0, 1, 0, "plane needs"},
    {GST_VIDEO_FORMAT_NV12, 0, 0, 0, -32, "stride"},
    {GST_VIDEO_FORMAT_P010_10LE, 0, 0, 1, 0, "odd addresses"},
    {GST_VIDEO_FORMAT_P010_10LE, 0, 0, 0, 65, "odd addresses"},
  };
  const GstCcaComponent box = component_at (4, 5, 20, 11, 3);
  OverlayRig rig = rig_of (wrong[__i__].format, 32, 20, 9);
  guint i;

  /* the samples at an odd address are inside the memory */
  if (wrong[__i__].format == GST_VIDEO_FORMAT_P010_10LE)
    rig.info.size += 64;
  for (i = 0; i < 2; i++) {
    GstBuffer *in = place->put (frame_with (&rig, &box, 1), &rig.info);
    GstVideoMeta *meta = gst_buffer_get_video_meta (in);

    if (wrong[__i__].says != GST_VIDEO_FORMAT_UNKNOWN)
      meta->format = wrong[__i__].says;
    if (wrong[__i__].width != 0)
      meta->width = wrong[__i__].width;
    meta->offset[1] += wrong[__i__].offset;
    if (wrong[__i__].stride != 0)
      meta->stride[1] = wrong[__i__].stride;
    assert_undrawn (&rig, in);
  }
  assert_warning (rig.bus, wrong[__i__].words);
  overlay_rig_clear (&rig);
}

/* Properties return the value that was set. Defaults equal the documented ones. */
TEST (test_properties)
{
  static const gchar *const properties[][3] = {
    {"object-detection-outline-color", "4294955008", "305419896"},
    {"line-width", "0", "7"},
    {"draw-labels", "true", "false"},
    {"draw-tracking-labels", "true", "false"},
    {"tracking-outline-colors", "true", "false"},
    {"filled-box", "false", "true"},
    {"trails", "true", "false"},
    {"draw-lines", "true", "false"},
    {"draw-zones", "true", "false"},
    {"draw-regions", "true", "false"},
    {"draw-clock", "false", "true"},
    {"draw-axes", "false", "true"},
    {"label", "id", "area"},
    {"max-objects", "1024", "3"},
  };
  GstElement *overlay = gst_element_factory_make (place->element, NULL);
  guint i, changed;

  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    for (changed = 0; changed < 2; changed++) {
      GValue value = G_VALUE_INIT;
      gchar *is;

      g_object_get_property (G_OBJECT (overlay), properties[i][0], &value);
      is = gst_value_serialize (&value);
      fail_unless_equals_string (is, properties[i][1 + changed]);
      g_free (is);
      g_value_unset (&value);
      gst_util_set_object_arg (G_OBJECT (overlay), properties[i][0],
          properties[i][2]);
    }
  gst_object_unref (overlay);
}
