/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* ccamask: video from label images. */

#include "labelled.h"

#define GRAY8 GST_VIDEO_FORMAT_GRAY8

static const gchar *const modes[] = {"mask", "labels", "colors"};

static const GstVideoFormat mode_formats[] = {GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGBA};

static GstHarness *
masker (const gchar *description, guint width, guint height, GstBus **bus)
{
  return harness_new (description, GRAY8, width, height, bus);
}

/* Six times 256 hues in steps of the golden ratio. Red is full at first, falls,
 * is low for two sixths, and rises again; green and blue do so a third and two
 * thirds later. */
static guint
expected_channel (gint64 key, guint channel)
{
  const guint hue = ((guint64) key * 2654435769u & 0xffffffff) * 1536 >> 32;
  const guint part = hue % 256;

  switch ((hue / 256 + 6 - 2 * channel) % 6) {
    case 1:
      return 64 + (255 - part) * 191 / 255;
    case 2:
    case 3:
      return 64;
    case 4:
      return 64 + part * 191 / 255;
    default:
      return 255;
  }
}

/* The pixel's bytes: a mask; a label; red, green, blue and alpha. */
static void
expected_pixel (const Labelled *labelled, guint mode, guint label,
    guint8 pixel[4])
{
  gint64 track = labelled_track (labelled, label);
  guint i;

  memset (pixel, 0, 4);
  if (mode == 1) {
    pixel[0] = label;
    pixel[1] = label >> 8;
  }
  if (mode == 0 && label != 0)
    pixel[0] = 255;
  if (mode != 2 || label == 0)
    return;
  for (i = 0; i < 3; i++)
    pixel[i] = expected_channel (track >= 0 ? track : label, i);
  pixel[3] = 255;
}

/* Compares the output with the definition for the label image; NULL: black. */
static void
assert_shows (GstBuffer *buffer, guint mode, guint width, guint height,
    const Labelled *labelled)
{
  const guint size = 1 << mode;
  GstVideoFrame frame;
  GstVideoInfo info;
  guint x, y, n_wrong = 0;

  fail_unless (buffer != NULL);
  gst_video_info_set_format (&info, mode_formats[mode], width, height);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (y = 0; y < height; y++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

    row += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
    for (x = 0; x < width; x++) {
      guint8 pixel[4] = {0};

      if (labelled != NULL)
        expected_pixel (labelled, mode,
            labelled_label (labelled,
                (2 * x + 1) * labelled->width / (2 * width),
                (2 * y + 1) * labelled->height / (2 * height)),
            pixel);
      n_wrong += memcmp (row + x * size, pixel, size) != 0;
    }
  }
  gst_video_frame_unmap (&frame);
  fail_unless (n_wrong == 0, "%u pixels of %ux%u are wrong", n_wrong, width,
      height);
}

static GstBuffer *
labelled_frame (const Labelled *labelled)
{
  return labelled_buffer (labelled, labelled_picture (labelled));
}

/* --- pixels ----------------------------------------------------------------- */

/* Literal colours, independent of the formula of this program. */
TEST (test_colors)
{
  static const guint8 colors[][3] = {
    {64, 119, 255},
    {175, 255, 64},
    {255, 64, 231},
    {64, 255, 223},
    {255, 167, 64},
    {111, 64, 255},
    {71, 255, 64},
  };
  const Labelled labelled = {.width = 7,
    .height = 1,
    .depth = 8,
    .n_labels = 7};
  GstBuffer *picture = labelled_picture (&labelled), *out;
  GstHarness *h = masker ("ccamask mode=colors", 7, 1, NULL);
  static const guint8 labels[7] = {1, 2, 3, 4, 5, 6, 7};
  guint8 pixels[28];
  guint i;

  gst_buffer_fill (picture, 0, labels, 7);
  out = gst_harness_push_and_pull (h, labelled_buffer (&labelled, picture));
  assert_equals_int (gst_buffer_extract (out, 0, pixels, 28), 28);
  for (i = 0; i < 7; i++) {
    fail_unless (memcmp (pixels + 4 * i, colors[i], 3) == 0, "color %u", i);
    assert_equals_int (pixels[4 * i + 3], 255);
  }
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static const Labelled pictures[] = {
  {1, 1, 8, 0, 1, 5, 0},
  {2, 3, 8, 1, 0, 2, 0},
  {33, 17, 8, 7, 255, 3, 0},
  {64, 48, 16, 0, 200, 4, 0},
  {129, 65, 16, 6, 2000, 5, 0},
  {321, 241, 16, 2, 65535, 6, 0},
  {33, 17, 8, 0, 200, 7, 200},
  {129, 65, 16, 1, 2000, 8, 1999},
};

/* All kinds of label images, also enlarged and made smaller. */
TEST_LOOP (test_modes, 0, G_N_ELEMENTS (pictures))
{
  static const guint scales[][2] = {{1, 1}, {2, 2}, {7, 3}, {1, 3}, {5, 7}};
  const Labelled *labelled = &pictures[__i__];
  guint mode, i, j;

  for (mode = 0; mode < 3; mode++) {
    gchar *description = g_strdup_printf ("ccamask mode=%s", modes[mode]);

    for (i = 0; i < G_N_ELEMENTS (scales); i++) {
      const guint width =
          MAX (labelled->width * scales[i][0] / scales[i][1], 1);
      const guint height =
          MAX (labelled->height * scales[i][0] / scales[i][1], 1);
      GstHarness *h = masker (description, width, height, NULL);

      for (j = 0; j < 3; j++) {
        GstBuffer *buffer = labelled_frame (labelled);

        GST_BUFFER_PTS (buffer) = j;
        GST_BUFFER_DURATION (buffer) = 7;
        GST_BUFFER_OFFSET (buffer) = 9;
        GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);
        buffer = gst_harness_push_and_pull (h, buffer);
        assert_shows (buffer, mode, width, height, labelled);
        assert_equals_uint64 (GST_BUFFER_PTS (buffer), j);
        assert_equals_uint64 (GST_BUFFER_DURATION (buffer), 7);
        assert_equals_uint64 (GST_BUFFER_OFFSET (buffer), 9);
        fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_MARKER));
        fail_unless (gst_buffer_get_cca_meta (buffer) != NULL);
        fail_unless (gst_buffer_get_cca_labels_meta (buffer) != NULL);
        gst_buffer_unref (buffer);
      }
      gst_harness_teardown (h);
    }
    g_free (description);
  }
}

/* Applications may number tracks from 0: two components of one track have its
 * colour. */
TEST (test_track_0)
{
  const Labelled labelled = {.width = 2,
    .height = 1,
    .depth = 8,
    .n_labels = 2};
  static const guint8 labels[2] = {1, 2};
  static const gint64 tracks[2] = {0, 0};
  GstHarness *h = masker ("ccamask mode=colors", 2, 1, NULL);
  GstBuffer *picture = labelled_picture (&labelled), *buffer;
  guint8 pixels[8];

  gst_buffer_fill (picture, 0, labels, 2);
  buffer = labelled_buffer (&labelled, picture);
  fail_unless (
      gst_cca_meta_set_track_ids (gst_buffer_get_cca_meta (buffer), tracks, 2));
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_equals_int (gst_buffer_extract (buffer, 0, pixels, 8), 8);
  fail_unless (memcmp (pixels, pixels + 4, 4) == 0);
  assert_equals_int (pixels[3], 255);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* More and more components that have colours of their own, and fewer in between. */
TEST (test_more_tracks)
{
  static const guint ns[] = {1, 60, 3, 2000, 2, 8000};
  GstHarness *h = masker ("ccamask mode=colors", 129, 65, NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ns); i++) {
    const Labelled labelled = {129, 65, 16, 0, ns[i], i, ns[i]};
    GstBuffer *buffer =
        gst_harness_push_and_pull (h, labelled_frame (&labelled));

    assert_shows (buffer, 2, 129, 65, &labelled);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

/* Labels above the announced maximum, and records above the labels: no access is
 * out of bounds. Without a GstCcaMeta of the same analysis ids give the colours. */
TEST (test_lies)
{
  const Labelled told = {33, 17, 8, 0, 3, 1, 3};
  const Labelled both = {33, 17, 8, 0, 250, 1, 3};
  const Labelled shown = {33, 17, 8, 0, 250, 1, 0};
  const Labelled other = {33, 18, 8, 0, 250, 1, 250};
  GstHarness *h = masker ("ccamask mode=colors", 33, 17, NULL);
  GstBuffer *buffer, *bare, *picture = labelled_picture (&shown);
  const GstCcaComponent bad = {.id = 100,
    .width = 1,
    .height = 1,
    .area = 1,
    .track_id = 5};
  const GstCcaAnalysis analysis = {.width = 33,
    .height = 17,
    .connectivity = 8,
    .n_found = 3};
  guint i;

  for (i = 0; i < 3; i++) {
    if (i == 0) {
      /* three records with tracks are announced, many without are present */
      bare = gst_buffer_new ();
      gst_buffer_add_cca_meta_from_components (bare, &analysis, &bad, 1);
      gst_buffer_add_cca_labels_meta (bare, picture, 3);
    } else if (i == 1) {
      bare = gst_buffer_new ();
      gst_buffer_add_cca_labels_meta (bare, picture, 250);
    } else {
      bare = labelled_buffer (&other, NULL);
      gst_buffer_add_cca_labels_meta (bare, picture, 250);
    }
    buffer = gst_harness_push_and_pull (h, bare);
    assert_shows (buffer, 2, 33, 17, &shown);
    gst_buffer_unref (buffer);
  }
  buffer = labelled_buffer (&told, gst_buffer_ref (picture));
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_shows (buffer, 2, 33, 17, &both);
  gst_buffer_unref (buffer);
  gst_buffer_unref (picture);
  gst_harness_teardown (h);
}

/* --- frames without --------------------------------------------------------- */

#define NO_LABELS \
  "There is no label image to make a mask from: set " \
  "meta-types=cca+labels on the element that analyses the video."
#define MISFIT "cropped, framed, rotated or stretched after it was analysed"

/* Black frames with one warning for each caps and segment, none for gaps. Earlier
 * pixels in the same memory are cleared. */
TEST_LOOP (test_no_labels, 0, 3)
{
  const guint mode = __i__;
  const Labelled labelled = {65, 33, 8, 3, 200, 1, 0};
  gchar *description = g_strdup_printf ("ccamask mode=%s", modes[mode]);
  GstBus *bus;
  GstHarness *h = masker (description, 65, 33, &bus);
  guint i;

  for (i = 0; i < 12; i++) {
    const gboolean gap = i == 0, shown = i % 2 == 1;
    GstBuffer *buffer = shown ? labelled_frame (&labelled)
        : gap                 ? gst_buffer_new ()
                              : labelled_buffer (&labelled, NULL);

    if (gap)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    if (i == 6)
      push_segment (h);
    if (i == 10)
      push_caps (h, frame_caps (GRAY8, 64, 33));
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_shows (buffer, mode, i < 10 ? 65 : 64, 33, shown ? &labelled : NULL);
    fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP) == gap);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, NO_LABELS),
        i == 2 || i == 6 || i == 10);
  }
  harness_free (h, bus);
  g_free (description);
}

/* Label images of another region are not shown. */
TEST (test_misfit)
{
  const Labelled labelled = {40, 30, 8, 0, 20, 1, 0};
  GstBus *bus;
  GstHarness *h = masker ("ccamask", 40, 20, &bus);
  GstVideoCropMeta *crop;
  GstBuffer *buffer;
  guint i;

  for (i = 0; i < 3; i++) {
    buffer = labelled_frame (&labelled);
    gst_cca_meta_set_pixel_aspect_ratio (gst_buffer_get_cca_meta (buffer), 1,
        1);
    if (i == 2)
      gst_harness_set_src_caps (h, frame_caps (GRAY8, 80, 60));
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_shows (buffer, 0, i < 2 ? 40 : 80, i < 2 ? 20 : 60,
        i < 2 ? NULL : &labelled);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, MISFIT), i == 0);
  }

  /* a crop that was analysed, and one that came later; both are carried out */
  for (i = 0; i < 2; i++) {
    gst_harness_set_src_caps (h, frame_caps (GRAY8, 40 - i, 30));
    buffer = labelled_frame (&labelled);
    crop = gst_buffer_add_video_crop_meta (buffer);
    crop->x = 2;
    crop->y = 1;
    crop->width = 40 - i;
    crop->height = 30;
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_shows (buffer, 0, 40 - i, 30, i == 0 ? &labelled : NULL);
    fail_unless (gst_buffer_get_video_crop_meta (buffer) == NULL);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, MISFIT), i);
  }
  harness_free (h, bus);
}

/* --- background ------------------------------------------------------------- */

static const struct
{
  Labelled picture; /* its labels are the values */
  guint depth;
} backgrounds[] = {
  {{1, 1, 8, 0, 200, 1, 0}, 8},
  {{64, 48, 8, 5, 255, 2, 0}, 8},
  {{33, 17, 16, 0, 511, 3, 0}, 9},
  {{129, 65, 16, 7, 1023, 4, 0}, 10},
  {{40, 30, 16, 0, 65535, 5, 0}, 16},
};

/* The upper 8 bits of the values, in any size of the video. */
TEST_LOOP (test_background, 0, G_N_ELEMENTS (backgrounds))
{
  static const guint widths[] = {129, 64, 37}, heights[] = {65, 48, 200};
  const Labelled *picture = &backgrounds[__i__].picture;
  const guint depth = backgrounds[__i__].depth;
  guint i, x, y;

  for (i = 0; i < G_N_ELEMENTS (widths); i++) {
    const guint w = widths[i], h = heights[i];
    GstHarness *harness = masker ("ccamask mode=background", w, h, NULL);
    GstBuffer *out = gst_harness_push_and_pull (harness,
        background_buffer (picture, labelled_picture (picture), depth));
    GstVideoFrame frame;
    GstVideoInfo info;

    gst_video_info_set_format (&info, GRAY8, w, h);
    fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (y = 0; y < h; y++) {
      const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

      for (x = 0; x < w; x++)
        assert_equals_int (row[x],
            labelled_label (picture, (2 * x + 1) * picture->width / (2 * w),
                (2 * y + 1) * picture->height / (2 * h))
                >> (depth - 8));
    }
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (out);
    gst_harness_teardown (harness);
  }
}

#define NO_BACKGROUND "There is no background to show"

/* Black, with one warning for frames that have no background but labels, and
 * none for gaps. */
TEST (test_no_background)
{
  const Labelled labelled = {64, 48, 8, 0, 20, 1, 0};
  GstBus *bus;
  GstHarness *h = masker ("ccamask mode=background", 64, 48, &bus);
  guint i;

  for (i = 0; i < 4; i++) {
    GstBuffer *buffer =
        i == 0 ? labelled_buffer (&labelled, NULL) : labelled_frame (&labelled);

    if (i == 0)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_shows (buffer, 0, 64, 48, NULL);
    gst_buffer_unref (buffer);
    assert_equals_int (count_warning_messages (bus, NO_BACKGROUND), i == 1);
  }
  harness_free (h, bus);
}

/* A background of a frame that was cropped after the analysis is not shown. */
TEST (test_misplaced_background)
{
  const Labelled picture = {64, 48, 8, 0, 200, 1, 0};
  GstBus *bus;
  GstHarness *h = masker ("ccamask mode=background", 64, 48, &bus);
  GstBuffer *buffer =
      background_buffer (&picture, labelled_picture (&picture), 8);

  gst_buffer_add_video_crop_meta (buffer)->width = 12;
  buffer = gst_harness_push_and_pull (h, buffer);
  assert_shows (buffer, 0, 64, 48, NULL);
  gst_buffer_unref (buffer);
  assert_equals_int (count_warning_messages (bus,
                         "background would be misplaced"),
      1);
  harness_free (h, bus);
}

/* The mask and the background have the same caps. */
TEST (test_background_change)
{
  const Labelled labelled = {41, 31, 8, 0, 200, 1, 0};
  const Labelled flat = {41, 31, 8, 0, 0, 1, 0};
  GstHarness *h = masker ("ccamask", 41, 31, NULL);
  GstElement *element = gst_harness_find_element (h, "ccamask");
  guint i;

  for (i = 0; i < 4; i++) {
    GstBuffer *buffer = labelled_frame (&labelled);
    GstBuffer *picture = labelled_picture (&flat);

    gst_buffer_add_cca_background_meta (buffer, picture, 8);
    gst_buffer_unref (picture);
    gst_util_set_object_arg (G_OBJECT (element), "mode",
        i % 2 ? "background" : "mask");
    buffer = gst_harness_push_and_pull (h, buffer);
    assert_shows (buffer, 0, 41, 31, i % 2 ? NULL : &labelled);
    gst_buffer_unref (buffer);
  }
  gst_object_unref (element);
  gst_harness_teardown (h);
}

/* --- caps ------------------------------------------------------------------- */

/* Frames in any memory. Fields of the caps that describe the picture stay, those
 * that describe its pixels go. */
TEST (test_caps)
{
  static const gchar *const inputs[] = {
    "video/x-raw,format=GRAY8",
    "video/x-raw,format=NV12,interlace-mode=progressive,colorimetry=bt709,"
    "chroma-site=mpeg2",
    "video/x-raw(memory:CUDAMemory),format=NV12",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12",
    "video/x-raw(memory:GLMemory),format=RGBA,texture-target=2D",
    "video/x-raw(memory:SystemMemory,meta:GstVideoOverlayComposition),"
    "format=RGBA",
  };
  const Labelled labelled = {40, 30, 8, 0, 20, 1, 0};
  guint mode, i;

  for (mode = 0; mode < 3; mode++) {
    for (i = 0; i < G_N_ELEMENTS (inputs); i++) {
      gchar *description = g_strdup_printf ("ccamask mode=%s", modes[mode]);
      GstHarness *h = gst_harness_new_parse (description);
      gchar *caps = g_strconcat (inputs[i],
          ",width=40,height=30,"
          "framerate=25/2,max-framerate=50/1,pixel-aspect-ratio=12/11",
          NULL);
      GstCaps *out, *wanted;
      gchar *text;

      gst_harness_set_src_caps_str (h, caps);
      gst_buffer_unref (
          gst_harness_push_and_pull (h, labelled_frame (&labelled)));
      out = gst_pad_get_current_caps (h->sinkpad);
      text = g_strdup_printf ("video/x-raw,format=%s,width=40,height=30,"
                              "framerate=25/2,max-framerate=50/1,"
                              "pixel-aspect-ratio=12/11",
          gst_video_format_to_string (mode_formats[mode]));
      wanted = gst_caps_from_string (text);
      fail_unless (gst_caps_is_subset (out, wanted), "%" GST_PTR_FORMAT, out);
      fail_if (gst_structure_has_field (gst_caps_get_structure (out, 0),
          "texture-target"));
      gst_caps_unref (out);
      gst_caps_unref (wanted);
      g_free (text);
      g_free (caps);
      g_free (description);
      gst_harness_teardown (h);
    }
  }
}

/* The source pad has the format of the mode alone, the sink pad those of the
 * filter, if downstream accepts the format. */
TEST (test_query)
{
  GstElement *element = gst_element_factory_make ("ccamask", NULL);
  GstPad *sink = gst_element_get_static_pad (element, "sink");
  GstPad *src = gst_element_get_static_pad (element, "src");
  GstCaps *filter = gst_caps_from_string (
      "video/x-raw(memory:CUDAMemory),"
      "format=NV12,width=40,height=[1,100]");
  GstCaps *caps = gst_pad_query_caps (src, NULL), *wanted;

  wanted = gst_caps_from_string ("video/x-raw,format=GRAY8");
  fail_unless (gst_caps_is_subset (caps, wanted));
  gst_caps_unref (caps);
  gst_caps_unref (wanted);
  caps = gst_pad_query_caps (sink, filter);
  fail_unless (gst_caps_is_subset (caps, filter) && !gst_caps_is_empty (caps));
  gst_caps_unref (caps);
  gst_caps_unref (filter);
  gst_object_unref (sink);
  gst_object_unref (src);
  gst_object_unref (element);

  {
    GstHarness *h = gst_harness_new_parse ("ccamask mode=mask");

    gst_harness_set_sink_caps_str (h, "video/x-raw,format=RGBA");
    caps = gst_pad_peer_query_caps (h->srcpad, NULL);
    fail_unless (gst_caps_is_empty (caps));
    gst_caps_unref (caps);
    gst_harness_teardown (h);
  }
}

/* The next frame is in the new mode, and in its format. */
TEST (test_mode_change)
{
  const Labelled labelled = {41, 31, 16, 0, 300, 1, 0};
  GstHarness *h = masker ("ccamask", 41, 31, NULL);
  GstElement *element = gst_harness_find_element (h, "ccamask");
  guint i;

  for (i = 0; i < 9; i++) {
    const guint mode = i * 2 % 3;
    GstBuffer *buffer;
    GstCaps *caps;
    gint got = -1;

    g_object_set (element, "mode", mode, NULL);
    g_object_get (element, "mode", &got, NULL);
    assert_equals_int (got, mode);
    buffer = gst_harness_push_and_pull (h, labelled_frame (&labelled));
    assert_shows (buffer, mode, 41, 31, &labelled);
    caps = gst_pad_get_current_caps (h->sinkpad);
    assert_equals_string (
        gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"),
        gst_video_format_to_string (mode_formats[mode]));
    gst_caps_unref (caps);
    gst_buffer_unref (buffer);
  }
  gst_object_unref (element);
  gst_harness_teardown (h);
}

TEST (test_too_large)
{
  GstHarness *h = gst_harness_new_parse ("ccamask mode=colors");
  GstCaps *caps = gst_caps_from_string (
      "video/x-raw,format=GRAY8,"
      "width=2147483647,height=2147483647,framerate=25/1");
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  gst_harness_push_event (h, gst_event_new_stream_start ("large"));
  gst_harness_push_event (h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "no layout for frames of that size");
  harness_free (h, bus);
}

/* --- memory ------------------------------------------------------------------ */

/* Shared buffers and the label image stay unchanged. */
TEST (test_shared)
{
  const Labelled labelled = {64, 48, 8, 0, 20, 1, 0};
  GstHarness *h = masker ("tee name=t t. ! queue ! fakesink async=false t. ! "
                          "queue ! ccamask mode=colors",
      64, 48, NULL);
  GstBuffer *picture = labelled_picture (&labelled);
  GstBuffer *buffer = labelled_buffer (&labelled, gst_buffer_ref (picture));
  GstBuffer *out = gst_harness_push_and_pull (h, gst_buffer_ref (buffer));

  fail_unless (out != buffer);
  assert_shows (out, 2, 64, 48, &labelled);
  gst_buffer_unref (out);
  fail_unless (gst_buffer_get_cca_labels_meta (buffer) != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  gst_task_cleanup_all ();
  ASSERT_MINI_OBJECT_REFCOUNT (picture, "picture", 1);
  gst_buffer_unref (picture);
}

/* Upstream may pad its rows. */
TEST (test_allocation)
{
  GstHarness *h = masker ("ccamask", 64, 48, NULL);
  GstCaps *caps = frame_caps (GRAY8, 64, 48);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}

static GstMemoryMapFunction map_plain;
static GstMapFlags refused;

static gpointer
map_some (GstMemory *memory, gsize maxsize, GstMapFlags flags)
{
  return flags & refused ? NULL : map_plain (memory, maxsize, flags);
}

TEST_LOOP (test_unmappable, 0, 3)
{
  static const gchar *const words[] = {"the label image cannot be read",
    "a buffer cannot be written", "the background cannot be read"};
  const Labelled labelled = {64, 48, 8, 3, 20, 1, 0};
  GstAllocator *allocator = gst_allocator_find (NULL);
  GstBus *bus;
  GstHarness *h =
      masker (__i__ == 2 ? "ccamask mode=background" : "ccamask", 64, 48, &bus);
  GstBuffer *buffer = __i__ == 2
      ? background_buffer (&labelled, labelled_picture (&labelled), 8)
      : labelled_frame (&labelled);

  refused = __i__ == 1 ? GST_MAP_WRITE : GST_MAP_READ;
  map_plain = allocator->mem_map;
  allocator->mem_map = map_some;
  assert_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  allocator->mem_map = map_plain;
  assert_error_of (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
      words[__i__]);
  gst_object_unref (allocator);
  harness_free (h, bus);
}

SUITE ("ccamask");
