/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The property regions: the analysed pixels, when a change applies, and which
 * values are refused. */

#include "place.h"

#include <glib/gstdio.h>
#include <string.h>

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 97
#define HEIGHT 53

static const Place *const at = &place;

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  Picture picture;
  guint crop_height; /* 0: no crop */
} Rig;

static Rig
rig_new_wide (const gchar *properties, guint width)
{
  gchar *description =
      g_strdup_printf ("%s name=e %s", at->element, properties);
  Rig rig = {.picture = picture_new (width, HEIGHT, noise, 2)};

  rig.h = at->harness (description, FORMAT, width, HEIGHT, &rig.bus);
  g_free (description);
  return rig;
}

static Rig
rig_new (const gchar *properties)
{
  return rig_new_wide (properties, WIDTH);
}

static void
rig_clear (Rig *rig)
{
  harness_free (rig->h, rig->bus);
  picture_clear (&rig->picture);
}

/* GStreamer writes to the text of an array. */
static void
set_text (GstElement *e, const gchar *text)
{
  gchar *copy = g_strdup (text);

  gst_util_set_object_arg (G_OBJECT (e), "regions", copy);
  g_free (copy);
}

static void
set_regions (Rig *rig, const gchar *text)
{
  GstElement *e = gst_harness_find_element (rig->h, at->element);

  set_text (e, text);
  gst_object_unref (e);
}

/* Whether a number of sides is to the left of a pixel's centre that is odd. */
static gboolean
is_inside (const gint *points, guint n, gdouble x, gdouble y)
{
  gboolean inside = FALSE;
  guint i;

  for (i = 0; i < n; i++) {
    const gint *a = points + 2 * i, *b = points + 2 * ((i + 1) % n);

    if ((a[1] <= y) != (b[1] <= y)
        && a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]) <= x)
      inside = !inside;
  }
  return inside;
}

/* Points of which no side crosses a row of centres at a centre. */
static const gint quad[] = {10, 5, 90, 12, 70, 48, 3, 40};
static const gint hole[] = {30, 11, 61, 20, 44, 37};

#define QUAD "[road,points=<10,5,90,12,70,48,3,40>]"
#define HOLE "[tree,type=exclude,points=<30,11,61,20,44,37>]"
#define TWICE \
  "[road,type=include,points=<20,10,180,24,140,96,6,80>," \
  "reference-width=194,reference-height=106]"

typedef enum
{
  ALL,
  IN_QUAD,
  NOT_IN_HOLE,
  BOTH
} Kind;

static GstBuffer *
push (Rig *rig)
{
  GstBuffer *frame = at->frame (FORMAT, &rig->picture, NULL);

  if (rig->crop_height > 0) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (frame);

    crop->width = rig->picture.width;
    crop->height = rig->crop_height;
  }
  return gst_harness_push_and_pull (rig->h, frame);
}

/* Pushes a frame and compares the result with that of a picture that is black
 * where it is not analysed. */
static void
assert_regions (Rig *rig, Kind kind, const Look *look)
{
  const guint width = rig->picture.width;
  const guint end =
      look->roi_height > 0 ? look->roi_y + look->roi_height : HEIGHT;
  Picture visible = picture_new (width, HEIGHT, noise, 2);
  const GstCcaAnalysis *analysis;
  guint x, y, area = 0;
  GstBuffer *out;
  GArray *expected;

  for (y = 0; y < HEIGHT; y++) {
    for (x = 0; x < width; x++) {
      const gboolean in_quad = is_inside (quad, 4, x + .5, y + .5);
      const gboolean in_hole = is_inside (hole, 3, x + .5, y + .5);

      if (((kind & IN_QUAD) && !in_quad) || ((kind & NOT_IN_HOLE) && in_hole))
        visible.pixels[y * width + x] = 0;
      else if (y >= look->roi_y && y < end)
        area++;
    }
  }
  expected = expect (&visible, look);
  out = push (rig);
  fail_unless (out != NULL);
  assert_components (nth_meta (out, 0), expected);
  analysis = gst_cca_meta_get_analysis (nth_meta (out, 0));
  assert_equals_int (analysis->region_area, area);
  gst_buffer_unref (out);
  g_array_unref (expected);
  picture_clear (&visible);
}

TEST (test_regions)
{
  static const struct
  {
    const gchar *regions;
    Kind kind;
  } sets[] = {
    {"<>", ALL},
    {"<" QUAD ">", IN_QUAD},
    {"<" HOLE ">", NOT_IN_HOLE},
    {"<" QUAD "," HOLE ">", BOTH},
    {"<" HOLE "," QUAD ">", BOTH},
    {"<" TWICE "," HOLE ">", BOTH},
  };
  Rig rig = rig_new ("");
  guint i;

  /* a change applies from the next frame */
  for (i = 0; i < G_N_ELEMENTS (sets); i++) {
    set_regions (&rig, sets[i].regions);
    assert_regions (&rig, sets[i].kind, &default_look);
    assert_regions (&rig, sets[i].kind, &default_look);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

/* Left of column 48 the limit of the region holds, right of it that of the other
 * region and min-area of the element. */
static guint64 element_min_area;

static gboolean
is_in_areas (const GstCcaComponent *c)
{
  if ((gint) (c->centroid_x + .5) < 48)
    return c->area >= 12;
  return c->area >= element_min_area && c->area <= 40;
}

static gboolean
is_up_to_40 (const GstCcaComponent *c)
{
  return c->area >= element_min_area && c->area <= 40;
}

/* The first region has the component, also without limits of its own. */
static gboolean
is_in_first (const GstCcaComponent *c)
{
  return c->area >= ((gint) (c->centroid_x + .5) < 48 ? element_min_area : 12);
}

TEST (test_areas)
{
  Rig rig = rig_new ("");
  Look look = default_look;

  for (element_min_area = 1; element_min_area < 20; element_min_area += 6) {
    gst_harness_set (rig.h, at->element, "min-area", element_min_area, NULL);
    set_regions (&rig, "<>");
    look.min_area = element_min_area;
    look.keeps = NULL;
    assert_regions (&rig, ALL, &look);
    set_regions (&rig,
        "<[left,points=<0,0,48,0,48,53,0,53>,min-area=12],"
        "[right,points=<0,0,97,0,97,53,0,53>,max-area=40]>");
    look.min_area = 1;
    look.keeps = is_in_areas;
    assert_regions (&rig, ALL, &look);
    set_regions (&rig, "<[all,points=<0,0,97,0,97,53,0,53>,max-area=40]>");
    look.keeps = is_up_to_40;
    assert_regions (&rig, ALL, &look);
    set_regions (&rig,
        "<[left,points=<0,0,48,0,48,53,0,53>],"
        "[all,points=<0,0,97,0,97,53,0,53>,min-area=12]>");
    look.keeps = is_in_first;
    assert_regions (&rig, ALL, &look);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

/* The metas of all frames share the regions. */
TEST (test_shapes)
{
  Rig rig = rig_new ("");
  GstBuffer *out[3];
  GstCcaShapes *shapes;
  guint i, k, n;

  out[0] =
      gst_harness_push_and_pull (rig.h, at->frame (FORMAT, &rig.picture, NULL));
  fail_unless (gst_cca_meta_get_shapes (nth_meta (out[0], 0)) == NULL);
  set_regions (&rig, "<" HOLE "," TWICE ">");
  for (i = 1; i < 3; i++)
    out[i] = gst_harness_push_and_pull (rig.h,
        at->frame (FORMAT, &rig.picture, NULL));
  shapes = gst_cca_meta_get_shapes (nth_meta (out[1], 0));
  fail_unless (shapes == gst_cca_meta_get_shapes (nth_meta (out[2], 0)));

  assert_equals_int (gst_cca_shapes_get_n_shapes (shapes), 2);
  for (i = 0; i < 2; i++) {
    const gdouble *c = gst_cca_shapes_get_coordinates (shapes, i, &n);
    const gint *expected = i == 0 ? hole : quad;

    assert_equals_int (n, i == 0 ? 6 : 8);
    for (k = 0; k < n; k++)
      assert_equals_float (c[k], expected[k]);
    assert_equals_int (gst_cca_shapes_get_kind (shapes, i),
        i == 0 ? GST_CCA_SHAPE_KIND_EXCLUDE : GST_CCA_SHAPE_KIND_INCLUDE);
    assert_equals_string (gst_cca_shapes_get_name (shapes, i),
        i == 0 ? "tree" : "road");
  }
  for (i = 0; i < 3; i++)
    gst_buffer_unref (out[i]);
  rig_clear (&rig);
}

/* Points far outside are limited to what shapes can have. */
TEST (test_far_shapes)
{
  Rig rig = {.picture = picture_new (4096, 2, noise, 2)};
  const gdouble *c;
  GstBuffer *out;
  guint n;

  rig.h = at->harness (at->element, FORMAT, 4096, 2, &rig.bus);
  set_regions (&rig,
      "<[far,points=<-1048576,0,1048576,0,1048576,1>,"
      "reference-width=1,reference-height=4]>");
  out =
      gst_harness_push_and_pull (rig.h, at->frame (FORMAT, &rig.picture, NULL));
  c = gst_cca_shapes_get_coordinates (gst_cca_meta_get_shapes (
                                          nth_meta (out, 0)),
      0, &n);
  assert_equals_int (n, 6);
  assert_equals_float (c[0], -(gdouble) G_MAXINT);
  assert_equals_float (c[2], (gdouble) G_MAXINT);
  assert_equals_float (c[3], 0);
  assert_equals_float (c[5], 0.5);
  gst_buffer_unref (out);
  rig_clear (&rig);
}

/* A chessboard of fields of 8x5 pixels. */
static gboolean
is_white (guint x, guint y)
{
  return (x / 8 + y / 5) % 2 == 0;
}

/* Pushes a frame, and compares with a picture that is black outside the white
 * fields, or all of it. */
static void
assert_chess (Rig *rig, gboolean masked)
{
  Picture visible = picture_new (WIDTH, HEIGHT, noise, 2);
  GArray *expected;
  GstBuffer *out;
  guint x, y;

  for (y = 0; y < HEIGHT; y++)
    for (x = 0; x < WIDTH; x++)
      if (masked && !is_white (x, y))
        visible.pixels[y * WIDTH + x] = 0;
  expected = expect (&visible, &default_look);
  out = gst_harness_push_and_pull (rig->h,
      at->frame (FORMAT, &rig->picture, NULL));
  fail_unless (out != NULL);
  assert_components (nth_meta (out, 0), expected);
  fail_unless (gst_cca_meta_get_shapes (nth_meta (out, 0)) == NULL);
  gst_buffer_unref (out);
  g_array_unref (expected);
  picture_clear (&visible);
}

static void
set_file (Rig *rig, gconstpointer content, gsize size)
{
  gchar *path = g_build_filename (g_get_tmp_dir (), "mask-XXXXXX", NULL);
  gint fd = g_mkstemp (path);

  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (path, content, size, NULL));
  gst_harness_set (rig->h, at->element, "mask-location", path, NULL);
  g_unlink (path);
  g_free (path);
}

/* A PGM file of the chessboard, as text or not, with these values. */
static GString *
chess_file (gboolean is_text, const gchar *highest, guint black, guint white)
{
  GString *file = g_string_new (NULL);
  guint x, y;

  g_string_printf (file, "P%c # a comment\n%u\t%u\n# 5\n%s\n",
      is_text ? '2' : '5', WIDTH, HEIGHT, highest);
  for (y = 0; y < HEIGHT; y++) {
    for (x = 0; x < WIDTH; x++) {
      const guint value = is_white (x, y) ? white : black;

      if (is_text)
        g_string_append_printf (file, "%u ", value);
      else
        g_string_append_c (file, value);
    }
  }
  return file;
}

TEST (test_mask_location)
{
  static const struct
  {
    gboolean is_text;
    const gchar *highest;
    guint black, white;
  } files[] = {
    {FALSE, "255", 127, 128},
    {TRUE, "255", 0, 255},
    {TRUE, "1", 0, 1},
    {FALSE, "15", 7, 8},
    /* half of the largest value is black */
    {FALSE, "254", 127, 128},
  };
  Rig rig = rig_new ("");
  GString *file;
  gchar *got;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (files); i++) {
    file = chess_file (files[i].is_text, files[i].highest, files[i].black,
        files[i].white);
    set_file (&rig, file->str, file->len);
    assert_chess (&rig, TRUE);
    gst_harness_get (rig.h, at->element, "mask-location", &got, NULL);
    fail_unless (strstr (got, "mask-") != NULL);
    g_free (got);
    gst_harness_set (rig.h, at->element, "mask-location", NULL, NULL);
    assert_chess (&rig, FALSE);
    g_string_free (file, TRUE);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

/* Also with regions, which the mask only restricts, and scaled. */
TEST (test_mask_and_regions)
{
  Rig rig = rig_new ("");
  GstBuffer *out;
  guint area;

  set_regions (&rig, "<[all,points=<0,0,97,0,97,53,0,53>]>");
  set_file (&rig, "P2 2 1 9 0 9", 12);
  out =
      gst_harness_push_and_pull (rig.h, at->frame (FORMAT, &rig.picture, NULL));
  area = gst_cca_meta_get_analysis (nth_meta (out, 0))->region_area;
  /* the centre of column 48 is in the right half */
  assert_equals_int (area, 49 * HEIGHT);
  fail_unless (gst_cca_meta_get_shapes (nth_meta (out, 0)) != NULL);
  gst_buffer_unref (out);
  rig_clear (&rig);
}

static GstSample *
chess_sample (const gchar *format)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      format, "width", G_TYPE_INT, WIDTH, "height", G_TYPE_INT, HEIGHT, NULL);
  const gsize stride = GST_ROUND_UP_4 (WIDTH);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stride * HEIGHT * 4, NULL);
  GstSample *sample;
  GstMapInfo map;
  guint x, y;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, 255, map.size);
  for (y = 0; y < HEIGHT; y++)
    for (x = 0; x < WIDTH; x++)
      map.data[y * stride + x] = is_white (x, y) ? 128 : 127;
  gst_buffer_unmap (buffer, &map);
  sample = gst_sample_new (buffer, caps, NULL, NULL);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  return sample;
}

TEST (test_mask)
{
  Rig rig = rig_new ("");
  GstSample *sample = chess_sample ("GRAY8"), *got;

  gst_harness_set (rig.h, at->element, "mask", sample, NULL);
  assert_chess (&rig, TRUE);
  gst_harness_get (rig.h, at->element, "mask", &got, NULL);
  fail_unless (got == sample);
  gst_sample_unref (got);
  gst_harness_set (rig.h, at->element, "mask", NULL, NULL);
  assert_chess (&rig, FALSE);
  assert_no_error (rig.bus);
  gst_sample_unref (sample);
  rig_clear (&rig);
}

TEST (test_roi)
{
  Look look = default_look;
  Rig rig = rig_new ("roi-y=21");
  guint i;

  look.roi_y = 21;
  set_regions (&rig, "<" QUAD "," HOLE ">");
  for (i = 0; i < 4; i++) {
    look.roi_height = 10 * i;
    gst_harness_set (rig.h, at->element, "roi-height", look.roi_height, NULL);
    assert_regions (&rig, BOTH, &look);
  }
  rig_clear (&rig);
}

/* Crops that differ only in height, one of them empty. */
TEST (test_crop)
{
  static const guint heights[] = {0, 31, 30, 0};
  Look look = default_look;
  Rig rig = rig_new ("");
  GstBuffer *out;
  guint i;

  set_regions (&rig, "<" QUAD "," HOLE ">");
  for (i = 0; i < G_N_ELEMENTS (heights); i++) {
    look.roi_height = rig.crop_height = heights[i];
    assert_regions (&rig, BOTH, &look);
    out = at->frame (FORMAT, &rig.picture, NULL);
    gst_buffer_add_video_crop_meta (out)->x = WIDTH;
    out = gst_harness_push_and_pull (rig.h, out);
    assert_equals_int (gst_cca_meta_get_n_found (nth_meta (out, 0)), 0);
    assert_equals_int (gst_cca_meta_get_analysis (nth_meta (out, 0))
                           ->region_area,
        0);
    gst_buffer_unref (out);
  }
  for (i = 0; i < G_N_ELEMENTS (heights); i++) {
    look.roi_height = rig.crop_height = heights[i];
    assert_regions (&rig, BOTH, &look);
  }
  assert_no_error (rig.bus);
  rig_clear (&rig);
}

/* After a black frame the difference is the picture itself. */
TEST (test_difference)
{
  static const guint widths[] = {64, WIDTH, 128};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (widths); i++) {
    Picture black = picture_new (widths[i], HEIGHT, nothing, 0);
    Rig rig = rig_new_wide ("foreground=difference frame-distance=1 "
                            "min-contrast=129",
        widths[i]);

    set_regions (&rig, "<" HOLE ">");
    gst_buffer_unref (
        gst_harness_push_and_pull (rig.h, at->frame (FORMAT, &black, NULL)));
    assert_regions (&rig, NOT_IN_HOLE, &default_look);
    assert_no_error (rig.bus);
    picture_clear (&black);
    rig_clear (&rig);
  }
}

TEST (test_background_stays)
{
  Rig rig = rig_new ("foreground=sigma-delta");
  guint64 n_frames;
  GstStructure *s;
  guint i;

  for (i = 0; i < 4; i++) {
    set_regions (&rig, i % 2 ? "<" QUAD ">" : "<" HOLE ">");
    gst_buffer_unref (gst_harness_push_and_pull (rig.h,
        at->frame (FORMAT, &rig.picture, NULL)));
    gst_harness_get (rig.h, at->element, "stats", &s, NULL);
    fail_unless (gst_structure_get_uint64 (s, "background-frames", &n_frames));
    assert_equals_int (n_frames, i);
    gst_structure_free (s);
  }
  rig_clear (&rig);
}

/* Regions that are too small for the video are reported once for each caps. */
TEST (test_empty)
{
  Rig rig = rig_new ("");
  guint i;

  set_regions (&rig, "<[away,points=<-9,-9,-1,-9,-1,-1>]>");
  for (i = 0; i < 3; i++) {
    GstBuffer *out = gst_harness_push_and_pull (rig.h,
        at->frame (FORMAT, &rig.picture, NULL));

    assert_equals_int (gst_cca_meta_get_n_found (nth_meta (out, 0)), 0);
    assert_equals_int (gst_cca_meta_get_analysis (nth_meta (out, 0))
                           ->region_area,
        0);
    gst_buffer_unref (out);
  }
  assert_warning (rig.bus, "leave no pixel of the picture to analyse");
  rig_clear (&rig);
}

static const struct
{
  const gchar *regions, *fault;
} bad[] = {
  {"<[a,points=<0,0,9,0>]>", "needs 3 to 256 points"},
  {"<[a,points=<0,0,9,0,9,9,5>]>", "needs 3 to 256 points"},
  {"<[a,points=9]>", "needs 3 to 256 points"},
  {"<[a]>", "needs points"},
  {"<[a,points=<0,0,9,0,9,(float)9>]>", "is not an integer"},
  {"<[a,points=<0,0,9,0,9,1048577>]>", "is not an integer from -1048576"},
  {"<[a,points=<0,0,9,0,9,-1048577>]>", "is not an integer from -1048576"},
  {"<[a,points=<0,0,9,0,9,9>,type=both]>", "needs a type"},
  {"<[a,points=<0,0,9,0,9,9>,type=1]>", "needs a type"},
  {"<[a,points=<0,0,9,0,9,9>,reference-width=-1]>", "reference-height"},
  {"<[a,points=<0,0,9,0,9,9>,reference-height=x]>", "reference-height"},
  {"<[a,points=<0,0,9,0,9,9>,min-area=-1]>", "integers min-area and max-area"},
  {"<[a,points=<0,0,9,0,9,9>,max-area=x]>", "integers min-area and max-area"},
  {"<[a,points=<0,0,9,0,9,9>,max-area=9,type=exclude]>",
    "is of type exclude, so it cannot have"},
  {"<[a,points=<0,0,9,0,9,9>,min-area=9,type=exclude]>",
    "is of type exclude, so it cannot have"},
  {"<[a,points=<0,0,9,0,9,9>,colour=1]>", "unknown field"},
  {"<" QUAD "," QUAD ">", "has the name of another region"},
};

static gchar *
pop_sentence (GstBus *bus, GstMessageType type)
{
  GstMessage *message = gst_bus_pop_filtered (bus, type);
  gchar *sentence;
  GError *error;

  fail_unless (message != NULL);
  if (type == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, &error, NULL);
  else
    gst_message_parse_error (message, &error, NULL);
  sentence = g_strdup (error->message);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
                   g_str_has_prefix (sentence, "The mask in '")
                       ? GST_RESOURCE_ERROR_READ
                       : GST_RESOURCE_ERROR_SETTINGS),
      "%s: %s %d", sentence, g_quark_to_string (error->domain), error->code);
  g_error_free (error);
  gst_message_unref (message);
  return sentence;
}

static const struct
{
  const gchar *text, *fault;
} bad_masks[] = {
  {"P", "it is not a PGM file"},
  {"Q5 1 1 255 .", "it is not a PGM file"},
  {"P6 1 1 255 ...", "it is not a PGM file"},
  {"P5", "it is not a PGM file"},
  {"P5 x", "it is not a PGM file"},
  {"P5 1 4294967297 255 .", "it is not a PGM file"},
  {"P5 1 1", "it is not a PGM file"},
  {"P5 1 1 0 .", "its largest value is not 1 to 255"},
  {"P5 1 1 256 ..", "its largest value is not 1 to 255"},
  {"P5 0 1 255 .", "it has no pixels, or more than are supported"},
  {"P5 1 0 255 .", "it has no pixels, or more than are supported"},
  {"P5 65536 65536 255 .", "it has no pixels, or more than are supported"},
  {"P5 2 1 255 .", "it is not complete"},
  {"P2 2 1 255 1", "it is not complete"},
};

/* The mask before it stays. */
TEST_LOOP (test_bad_mask, 0, G_N_ELEMENTS (bad_masks))
{
  Rig rig = rig_new ("");
  GString *file = chess_file (FALSE, "255", 0, 255);
  gchar *sentence, *before, *after;

  set_file (&rig, file->str, file->len);
  gst_harness_get (rig.h, at->element, "mask-location", &before, NULL);
  set_file (&rig, bad_masks[__i__].text, strlen (bad_masks[__i__].text));
  sentence = pop_sentence (rig.bus, GST_MESSAGE_WARNING);
  fail_unless (strstr (sentence, bad_masks[__i__].fault) != NULL, "%s",
      sentence);
  fail_unless (g_str_has_suffix (sentence, " The mask before it stays."));
  assert_chess (&rig, TRUE);
  gst_harness_get (rig.h, at->element, "mask-location", &after, NULL);
  assert_equals_string (after, before);
  g_free (before);
  g_free (after);
  g_free (sentence);
  g_string_free (file, TRUE);
  rig_clear (&rig);
}

TEST (test_bad_sample)
{
  Rig rig = rig_new ("");
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1, NULL);
  GstCaps *caps = gst_caps_from_string ("video/x-raw, format=GRAY8, width=97, "
                                        "height=53");
  GstCaps *other = gst_caps_new_empty_simple ("audio/x-raw");
  GstSample *samples[] = {
    gst_sample_new (NULL, caps, NULL, NULL),
    gst_sample_new (buffer, NULL, NULL, NULL),
    gst_sample_new (buffer, other, NULL, NULL),
    gst_sample_new (buffer, caps, NULL, NULL),
    chess_sample ("RGBx"),
  };
  GstSample *good = chess_sample ("GRAY8"), *kept;
  gchar *sentence;
  guint i;

  gst_harness_set (rig.h, at->element, "mask", good, NULL);
  for (i = 0; i < G_N_ELEMENTS (samples); i++) {
    gst_harness_set (rig.h, at->element, "mask", samples[i], NULL);
    sentence = pop_sentence (rig.bus, GST_MESSAGE_WARNING);
    assert_equals_string (sentence,
        "The property mask keeps its value: it needs "
        "a picture in the format GRAY8.");
    g_free (sentence);
    gst_sample_unref (samples[i]);
    assert_chess (&rig, TRUE);
    gst_harness_get (rig.h, at->element, "mask", &kept, NULL);
    fail_unless (kept == good);
    gst_sample_unref (kept);
  }
  gst_sample_unref (good);
  gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  gst_caps_unref (other);
  rig_clear (&rig);
}

TEST (test_mask_at_start)
{
  GString *file = chess_file (FALSE, "255", 0, 255);
  gchar *path = g_build_filename (g_get_tmp_dir (), "mask-XXXXXX", NULL);
  gchar *properties;
  gint fd = g_mkstemp (path);
  Rig rig;

  fail_unless (fd >= 0);
  g_close (fd, NULL);
  fail_unless (g_file_set_contents (path, file->str, file->len, NULL));
  properties = g_strdup_printf ("mask-location=%s", path);
  rig = rig_new (properties);
  g_unlink (path);
  assert_chess (&rig, TRUE);
  rig_clear (&rig);
  g_free (properties);
  g_free (path);
  g_string_free (file, TRUE);
}

TEST (test_bad_mask_at_start)
{
  static const gchar *const bad_paths[] = {"/nowhere/mask.pgm", "/"};
  GstElement *e = gst_element_factory_make (at->element, NULL);
  GstBus *bus = gst_bus_new ();
  gchar *sentence;
  guint i;

  gst_element_set_bus (e, bus);
  for (i = 0; i < G_N_ELEMENTS (bad_paths); i++) {
    gchar *start =
        g_strdup_printf ("The mask in '%s' cannot be used: ", bad_paths[i]);

    g_object_set (e, "mask-location", bad_paths[i], NULL);
    assert_equals_int (gst_element_set_state (e, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    sentence = pop_sentence (bus, GST_MESSAGE_ERROR);
    fail_unless (g_str_has_prefix (sentence, start), "%s", sentence);
    g_free (sentence);
    g_free (start);
    gst_element_set_state (e, GST_STATE_NULL);
  }
  g_object_set (e, "mask-location", NULL, NULL);
  fail_unless (
      gst_element_set_state (e, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (e, GST_STATE_NULL);
  gst_element_set_bus (e, NULL);
  gst_object_unref (bus);
  gst_object_unref (e);
}

TEST_LOOP (test_bad_while_running, 0, G_N_ELEMENTS (bad))
{
  Rig rig = rig_new ("");
  gchar *sentence;

  set_regions (&rig, "<" QUAD ">");
  set_regions (&rig, bad[__i__].regions);
  sentence = pop_sentence (rig.bus, GST_MESSAGE_WARNING);
  fail_unless (
      g_str_has_prefix (sentence, "The property regions keeps its value: "));
  fail_unless (strstr (sentence, bad[__i__].fault) != NULL, "%s", sentence);
  assert_regions (&rig, IN_QUAD, &default_look);
  g_free (sentence);
  rig_clear (&rig);
}

TEST_LOOP (test_bad_at_start, 0, G_N_ELEMENTS (bad))
{
  GstElement *e = gst_element_factory_make (at->element, NULL);
  GstBus *bus = gst_bus_new ();
  gchar *sentence;

  gst_element_set_bus (e, bus);
  set_text (e, bad[__i__].regions);
  assert_equals_int (gst_element_set_state (e, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  sentence = pop_sentence (bus, GST_MESSAGE_ERROR);
  fail_unless (
      g_str_has_prefix (sentence, "The property regions is invalid: "));
  fail_unless (strstr (sentence, bad[__i__].fault) != NULL, "%s", sentence);
  g_free (sentence);
  gst_element_set_state (e, GST_STATE_NULL);

  /* a valid value lifts it */
  set_text (e, "<" QUAD ">");
  fail_unless (
      gst_element_set_state (e, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (e, GST_STATE_NULL);
  gst_element_set_bus (e, NULL);
  gst_object_unref (bus);
  gst_object_unref (e);
}

static void
append (GValue *array, const gchar *text, guint i)
{
  gchar *description =
      g_strdup_printf ("r%u, points=(int)<%s>, min-area=1", i, text);
  GstStructure *s = gst_structure_from_string (description, NULL);
  GValue value = G_VALUE_INIT;

  fail_unless (s != NULL);
  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, s);
  gst_value_array_append_and_take_value (array, &value);
  g_free (description);
}

TEST (test_most)
{
  Rig rig = rig_new ("");
  GValue array = G_VALUE_INIT, got = G_VALUE_INIT;
  GString *points = g_string_new ("0");
  GObject *e;
  guint i;

  for (i = 1; i < 512; i++)
    g_string_append_printf (points, ",%u", i * i % 60);
  gst_value_array_init (&array, 65);
  for (i = 0; i < 64; i++)
    append (&array, points->str, i);
  e = G_OBJECT (gst_harness_find_element (rig.h, at->element));
  g_object_set_property (e, "regions", &array);
  assert_equals_int (gst_harness_push (rig.h,
                         at->frame (FORMAT, &rig.picture, NULL)),
      GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (rig.h));
  fail_unless (gst_bus_pop_filtered (rig.bus, GST_MESSAGE_WARNING) == NULL);

  /* the property returns the value that was set */
  g_value_init (&got, GST_TYPE_ARRAY);
  g_object_get_property (e, "regions", &got);
  assert_equals_int (gst_value_compare (&array, &got), GST_VALUE_EQUAL);
  g_value_unset (&got);

  append (&array, "0,0,9,0,9,9", 64);
  g_object_set_property (e, "regions", &array);
  assert_warning (rig.bus, "at most 64 are possible");
  g_value_unset (&array);

  gst_value_array_init (&array, 1);
  g_string_append (points, ",0,0");
  append (&array, points->str, 0);
  g_object_set_property (e, "regions", &array);
  assert_warning (rig.bus, "needs 3 to 256 points");
  g_value_unset (&array);

  gst_value_array_init (&array, 1);
  g_value_init (&got, GST_TYPE_STRUCTURE);
  gst_value_array_append_and_take_value (&array, &got);
  g_object_set_property (e, "regions", &array);
  assert_warning (rig.bus, "region 1 is not a structure");
  g_value_unset (&array);

  gst_object_unref (e);
  g_string_free (points, TRUE);
  rig_clear (&rig);
}
