/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Backgrounds in files: a restarted element continues as if it had not been
 * stopped, and files that do not fit are reported. */

#include "place.h"

#include <glib/gstdio.h>
#include <gst/ccameta/gstccabackgroundmeta.h>
#include <string.h>

#define WIDTH 64
#define HEIGHT 48

static const Place *const at = &place;

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstElement *element;
  GstVideoFormat format;
  guint width, height;
  guint crop_x, crop_y; /* both 0: no crop */
  guint block;          /* pixels with one value are that wide and high */
} Rig;

static Rig
rig_new (const gchar *properties, GstVideoFormat format, const gchar *path)
{
  gchar *location = path != NULL
      ? g_strdup_printf ("background-location=\"%s\"", path)
      : g_strdup ("");
  gchar *description =
      g_strdup_printf ("%s %s %s", at->element, properties, location);
  Rig rig = {.format = format, .width = WIDTH, .height = HEIGHT, .block = 8};

  rig.h = at->harness (description, format, WIDTH, HEIGHT, &rig.bus);
  rig.element = gst_harness_find_element (rig.h, at->element);
  gst_object_unref (rig.element);
  g_free (description);
  g_free (location);
  return rig;
}

static void
rig_clear (Rig *rig)
{
  assert_no_error (rig->bus);
  harness_free (rig->h, rig->bus);
}

/* As a service that ends and is started again. */
static void
restart (Rig *rig)
{
  gst_element_set_state (rig->h->element, GST_STATE_READY);
  gst_element_set_state (rig->h->element, GST_STATE_PLAYING);
  fail_unless (
      gst_harness_push_event (rig->h, gst_event_new_stream_start ("again")));
  gst_harness_set_src_caps (rig->h,
      at->caps (rig->format, rig->width, rig->height));
  push_segment (rig->h);
}

/* Returns the frames that the element has passed on so far. */
static GPtrArray *
play (Rig *rig, guint begin, guint end)
{
  GPtrArray *frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstBuffer *out;
  guint t;

  for (t = begin; t < end; t++) {
    const Layout layout = {TRUE, 0, 0};
    Picture picture =
        picture_new (rig->width, rig->height, noise, 10 * t + rig->block - 1);
    GstBuffer *buffer;

    if (format_depth (rig->format) > 8)
      picture_deepen (&picture, rig->format);
    buffer = at->frame (rig->format, &picture, &layout);
    if (rig->crop_x + rig->crop_y > 0) {
      GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

      crop->x = rig->crop_x;
      crop->y = rig->crop_y;
      crop->width = crop->height = 32;
    }
    picture_clear (&picture);
    assert_equals_int (gst_harness_push (rig->h, buffer), GST_FLOW_OK);
  }
  while ((out = gst_harness_try_pull (rig->h)) != NULL)
    g_ptr_array_add (frames, out);
  return frames;
}

static void
skip (Rig *rig, guint begin, guint end)
{
  g_ptr_array_unref (play (rig, begin, end));
}

static guint64
background_frames (Rig *rig)
{
  GstStructure *stats;
  guint64 n = G_MAXUINT64;

  g_object_get (rig->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "background-frames", &n));
  gst_structure_free (stats);
  return n;
}

static void
assert_same_frames (GPtrArray *a, GPtrArray *b)
{
  guint i, n_found = 0;

  assert_equals_int (a->len, b->len);
  for (i = 0; i < a->len; i++) {
    GstCcaMeta *p = gst_buffer_get_cca_meta (g_ptr_array_index (a, i));
    GstCcaMeta *q = gst_buffer_get_cca_meta (g_ptr_array_index (b, i));
    const GstCcaComponent *c, *d;
    guint n, m;

    c = gst_cca_meta_get_components (p, &n);
    d = gst_cca_meta_get_components (q, &m);
    assert_equals_int (n, m);
    fail_unless (n == 0 || memcmp (c, d, n * sizeof (*c)) == 0, "frame %u", i);
    assert_equals_int (gst_cca_meta_get_analysis (p)->flags,
        gst_cca_meta_get_analysis (q)->flags);
    n_found += n;
  }
  fail_unless (n_found > 0);
}

/* --- files ---------------------------------------------------------------- */

static gchar *
new_path (void)
{
  gchar *folder = g_dir_make_tmp ("background-XXXXXX", NULL);
  gchar *path = g_build_filename (folder, "background.pgm", NULL);

  g_free (folder);
  return path;
}

/* Also removes its folder, in which there must be no other file. */
static void
free_path (gchar *path)
{
  gchar *folder = g_path_get_dirname (path);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    fail_unless (g_strcmp0 (name, "background.pgm") == 0, "%s is left", name);
  g_dir_close (dir);
  g_remove (path);
  g_rmdir (folder);
  g_free (folder);
  g_free (path);
}

static gboolean
emit (Rig *rig, const gchar *signal, const gchar *path)
{
  gboolean ok = 2;

  g_signal_emit_by_name (rig->element, signal, path, &ok);
  return ok;
}

/* A file saved by an element that has analysed some frames. */
static gchar *
new_file (const gchar *properties, GstVideoFormat format)
{
  gchar *path = new_path ();
  Rig rig = rig_new (properties, format, NULL);

  skip (&rig, 0, 3);
  assert_equals_int (emit (&rig, "save-background", path), TRUE);
  rig_clear (&rig);
  return path;
}

#define SIGMA \
  "foreground=sigma-delta min-contrast=20 warm-up=4 " \
  "background-period=3 "

static const struct
{
  const gchar *properties;
  GstVideoFormat format;
} kinds[] = {
  {SIGMA, GST_VIDEO_FORMAT_NV12},
  {SIGMA "absorb-after=3", GST_VIDEO_FORMAT_NV12},
  {SIGMA "absorb-after=200", GST_VIDEO_FORMAT_P010_10LE},
  {SIGMA "async-depth=2", GST_VIDEO_FORMAT_GRAY16_LE},
  {"foreground=difference frame-distance=4", GST_VIDEO_FORMAT_NV12},
  {"foreground=difference frame-distance=16", GST_VIDEO_FORMAT_P010_10LE},
};

/* --- restart -------------------------------------------------------------- */

/* The first start has no file, and the restart continues bit for bit. */
TEST_LOOP (test_restart, 0, G_N_ELEMENTS (kinds))
{
  gchar *path = new_path ();
  Rig whole = rig_new (kinds[__i__].properties, kinds[__i__].format, NULL);
  Rig parted = rig_new (kinds[__i__].properties, kinds[__i__].format, path);
  GPtrArray *expected, *found;

  skip (&parted, 0, 9);
  restart (&parted);
  expected = play (&whole, 0, 20);
  found = play (&parted, 9, 20);
  g_ptr_array_remove_range (expected, 0, 9);
  assert_same_frames (expected, found);
  assert_equals_uint64 (background_frames (&parted),
      background_frames (&whole));
  assert_equals_int (count_warning_messages (parted.bus, ""), 0);
  g_ptr_array_unref (expected);
  g_ptr_array_unref (found);
  rig_clear (&whole);
  rig_clear (&parted);
  free_path (path);
}

/* A background that is loaded is that of the frame after which it was saved,
 * and other frames in between have no effect. */
TEST_LOOP (test_signals, 0, G_N_ELEMENTS (kinds))
{
  gchar *path = new_path ();
  Rig rig = rig_new (kinds[__i__].properties, kinds[__i__].format, NULL);
  GPtrArray *expected, *found;

  skip (&rig, 0, 7);
  assert_equals_int (emit (&rig, "save-background", path), TRUE);
  expected = play (&rig, 7, 15);
  skip (&rig, 30, 35);
  assert_equals_int (emit (&rig, "load-background", path), TRUE);
  found = play (&rig, 7, 15);
  if (strstr (kinds[__i__].properties, "async-depth") == NULL)
    assert_same_frames (expected, found);
  else
    fail_unless (background_frames (&rig) < 15);
  assert_equals_int (count_warning_messages (rig.bus, ""), 0);
  g_ptr_array_unref (expected);
  g_ptr_array_unref (found);
  rig_clear (&rig);
  free_path (path);
}

/* The file is loaded for the first frame with a background, and once. */
TEST (test_loaded_once)
{
  gchar *path = new_file (SIGMA, GST_VIDEO_FORMAT_NV12);
  Rig rig = rig_new ("foreground=threshold", GST_VIDEO_FORMAT_NV12, path);

  skip (&rig, 0, 2);
  gst_util_set_object_arg (G_OBJECT (rig.element), "foreground", "sigma-delta");
  skip (&rig, 3, 4);
  assert_equals_uint64 (background_frames (&rig), 3);
  push_flush (rig.h);
  skip (&rig, 4, 5);
  assert_equals_uint64 (background_frames (&rig), 0);
  rig_clear (&rig);
  free_path (path);
}

/* A loaded file that no frame has used is discarded when the element stops. */
TEST (test_loaded_before_stop)
{
  gchar *path = new_file (SIGMA, GST_VIDEO_FORMAT_NV12);
  Rig rig = rig_new (SIGMA, GST_VIDEO_FORMAT_NV12, NULL);

  assert_equals_int (emit (&rig, "load-background", path), TRUE);
  restart (&rig);
  skip (&rig, 0, 1);
  assert_equals_uint64 (background_frames (&rig), 0);
  rig_clear (&rig);
  free_path (path);
}

/* A background that was given up is neither saved nor loaded. */
TEST (test_reset)
{
  gchar *path = new_file (SIGMA, GST_VIDEO_FORMAT_NV12), *before, *after;
  Rig rig = rig_new (SIGMA, GST_VIDEO_FORMAT_NV12, path);

  g_file_get_contents (path, &before, NULL, NULL);
  g_signal_emit_by_name (rig.element, "reset-background");
  skip (&rig, 0, 2);
  assert_equals_uint64 (background_frames (&rig), 1);
  g_signal_emit_by_name (rig.element, "reset-background");
  assert_equals_int (emit (&rig, "save-background", path), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "cannot be saved"), 1);
  gst_element_set_state (rig.h->element, GST_STATE_READY);
  g_file_get_contents (path, &after, NULL, NULL);
  assert_equals_string (before, after);
  g_free (before);
  g_free (after);
  rig_clear (&rig);
  free_path (path);
}

/* --- pictures ------------------------------------------------------------- */

/* The rows of the background on the frame, without padding. */
static GByteArray *
background_of (GstBuffer *frame, guint depth)
{
  GstCcaBackgroundMeta *meta = gst_buffer_get_cca_background_meta (frame);
  const gsize row = WIDTH * (depth > 8 ? 2 : 1);
  GByteArray *rows = g_byte_array_new ();
  GstVideoMeta *video;
  GstMapInfo map;
  gpointer data;
  gint stride;
  guint y;

  fail_unless (meta != NULL);
  assert_equals_int (gst_cca_background_meta_get_width (meta), WIDTH);
  assert_equals_int (gst_cca_background_meta_get_height (meta), HEIGHT);
  assert_equals_int (gst_cca_background_meta_get_depth (meta), depth);
  video =
      gst_buffer_get_video_meta (gst_cca_background_meta_get_picture (meta));
  fail_unless (
      gst_video_meta_map (video, 0, &map, &data, &stride, GST_MAP_READ));
  for (y = 0; y < HEIGHT; y++)
    g_byte_array_append (rows, (guint8 *) data + y * stride, row);
  gst_video_meta_unmap (video, 0, &map);
  return rows;
}

/* The first picture of the file, with samples in little-endian order. */
static GByteArray *
first_picture (const gchar *path, guint depth)
{
  const gsize size = WIDTH * HEIGHT * (depth > 8 ? 2 : 1);
  gchar *header = g_strdup_printf ("\n64 48\n%u\n", (1u << depth) - 1);
  GByteArray *rows = g_byte_array_new ();
  gchar *content, *found;
  guint i;

  fail_unless (g_file_get_contents (path, &content, NULL, NULL));
  found = strstr (content, header);
  fail_unless (found != NULL);
  g_byte_array_append (rows, (guint8 *) found + strlen (header), size);
  for (i = 0; depth > 8 && i < size; i += 2) {
    const guint8 high = rows->data[i];

    rows->data[i] = rows->data[i + 1];
    rows->data[i + 1] = high;
  }
  g_free (content);
  g_free (header);
  return rows;
}

#define PICTURES " meta-types=cca+background"

/* In each frame, also of the warm-up, with sigma-delta the first picture of the
 * file that is saved then, and with difference an earlier frame. */
TEST_LOOP (test_pictures, 0, G_N_ELEMENTS (kinds))
{
  gchar *properties = g_strconcat (kinds[__i__].properties,
      " light-compensation=tone async-depth=0" PICTURES, NULL);
  const gboolean differs = strstr (properties, "difference") != NULL;
  const guint depth = format_depth (kinds[__i__].format);
  const guint distance = strstr (properties, "distance=16") ? 16 : 4;
  gchar *path = new_path ();
  Rig rig = rig_new (properties, kinds[__i__].format, NULL);
  Rig before = rig_new (SIGMA, kinds[__i__].format, NULL);
  guint t;

  for (t = 0; t < 20; t++) {
    GPtrArray *frames = play (&rig, t, t + 1);
    GByteArray *found = background_of (g_ptr_array_index (frames, 0), depth);
    GByteArray *expected;

    if (differs) {
      g_signal_emit_by_name (before.element, "reset-background");
      skip (&before, t + 1 < distance ? 0 : t + 1 - distance,
          t + 1 < distance ? 1 : t + 2 - distance);
    }
    fail_unless (emit (differs ? &before : &rig, "save-background", path));
    expected = first_picture (path, depth);
    assert_equals_int (found->len, expected->len);
    fail_unless (memcmp (found->data, expected->data, found->len) == 0,
        "frame %u", t);
    g_byte_array_unref (found);
    g_byte_array_unref (expected);
    g_ptr_array_unref (frames);
  }
  g_free (properties);
  rig_clear (&rig);
  rig_clear (&before);
  free_path (path);
}

/* Pictures in flight are those of their own frames. */
TEST (test_pictures_in_flight)
{
  Rig waits = rig_new (SIGMA PICTURES, GST_VIDEO_FORMAT_NV12, NULL);
  Rig rig =
      rig_new (SIGMA PICTURES " async-depth=3", GST_VIDEO_FORMAT_NV12, NULL);
  GPtrArray *expected = play (&waits, 0, 12), *found = play (&rig, 0, 12);
  guint i;

  fail_unless (found->len >= 8);
  for (i = 0; i < found->len; i++) {
    GByteArray *a = background_of (g_ptr_array_index (expected, i), 8);
    GByteArray *b = background_of (g_ptr_array_index (found, i), 8);

    fail_unless (memcmp (a->data, b->data, a->len) == 0, "frame %u", i);
    g_byte_array_unref (a);
    g_byte_array_unref (b);
  }
  g_ptr_array_unref (expected);
  g_ptr_array_unref (found);
  rig_clear (&waits);
  rig_clear (&rig);
}

/* Modes without a background: one warning a stream, and frames without one. */
TEST (test_no_picture)
{
  Rig rig =
      rig_new ("foreground=threshold" PICTURES, GST_VIDEO_FORMAT_NV12, NULL);
  GPtrArray *frames = play (&rig, 0, 3);
  guint i;

  assert_equals_int (frames->len, 3);
  for (i = 0; i < frames->len; i++)
    fail_unless (
        gst_buffer_get_cca_background_meta (g_ptr_array_index (frames, i))
        == NULL);
  g_ptr_array_unref (frames);
  assert_equals_int (count_warning_messages (rig.bus,
                         "There is no background to attach"),
      1);
  gst_util_set_object_arg (G_OBJECT (rig.element), "foreground", "difference");
  frames = play (&rig, 3, 4);
  g_byte_array_unref (background_of (g_ptr_array_index (frames, 0), 8));
  g_ptr_array_unref (frames);
  rig_clear (&rig);
}

/* --- the file ------------------------------------------------------------- */

/* The first picture of the file is the background, which a first frame starts.
 * Samples of 16 bits are big-endian. */
TEST_LOOP (test_is_a_picture, 0, 2)
{
  const GstVideoFormat format =
      __i__ ? GST_VIDEO_FORMAT_P010_10LE : GST_VIDEO_FORMAT_NV12;
  const gchar *header = __i__
      ? "P5\n# cca-background 1 foreground=sigma-delta votes=0 frames=1 "
        "distance=0 x=0 y=0\n64 48\n1023\n"
      : "P5\n# cca-background 1 foreground=sigma-delta votes=0 frames=1 "
        "distance=0 x=0 y=0\n64 48\n255\n";
  const gsize size = WIDTH * HEIGHT * (__i__ + 1);
  gchar *path = new_path (), *content;
  Rig rig = rig_new (SIGMA, format, path);
  Picture picture = picture_new (WIDTH, HEIGHT, noise, 7);
  gsize length;
  guint i;

  if (__i__)
    picture_deepen (&picture, format);
  skip (&rig, 0, 1);
  gst_element_set_state (rig.h->element, GST_STATE_READY);
  fail_unless (g_file_get_contents (path, &content, &length, NULL));
  assert_equals_int (length,
      strlen (header) + strlen ("P5\n64 48\n255\n") + __i__ + 2 * size);
  fail_unless (g_str_has_prefix (content, header), "%.100s", content);
  for (i = 0; i < WIDTH * HEIGHT; i++) {
    const guint8 *p =
        (const guint8 *) content + strlen (header) + i * (__i__ + 1);

    assert_equals_int (__i__ ? p[0] << 8 | p[1] : p[0], picture.pixels[i]);
  }
  picture_clear (&picture);
  g_free (content);
  rig_clear (&rig);
  free_path (path);
}

/* Votes are bytes in each depth, so they are the same for the same clip. */
TEST (test_votes)
{
  static const GstVideoFormat voted[] = {GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_P010_10LE};
  static const gchar header[] = "P5\n64 48\n255\n";
  const gsize size = WIDTH * HEIGHT;
  gchar *content[2], *votes[2];
  guint i;

  for (i = 0; i < 2; i++) {
    gchar *path = new_path ();
    Rig rig = rig_new (SIGMA "absorb-after=200", voted[i], path);
    gsize length;
    guint k;

    rig.block = 1;
    skip (&rig, 0, 6);
    for (k = 0; k < 4; k++)
      skip (&rig, 6, 7);
    gst_element_set_state (rig.h->element, GST_STATE_READY);
    fail_unless (g_file_get_contents (path, &content[i], &length, NULL));
    votes[i] = content[i] + length - size;
    fail_unless (g_str_has_prefix (votes[i] - strlen (header), header));
    rig_clear (&rig);
    free_path (path);
  }
  fail_unless (memcmp (votes[0], votes[0] + 1, size - 1) != 0);
  fail_unless (memcmp (votes[0], votes[1], size) == 0);
  g_free (content[0]);
  g_free (content[1]);
}

typedef void (*Damage) (GString *content);

static void
replace (GString *content, const gchar *text, const gchar *by)
{
  gchar *found = strstr (content->str, text);
  const gssize at_byte = found - content->str;

  fail_unless (found != NULL);
  g_string_erase (content, at_byte, strlen (text));
  g_string_insert (content, at_byte, by);
}

static void
empty (GString *content)
{
  g_string_truncate (content, 0);
}

static void
be_another_picture (GString *content)
{
  g_string_assign (content, "P5\n64 48\n255\n");
  g_string_set_size (content, content->len + WIDTH * HEIGHT);
}

static void
lose_a_byte (GString *content)
{
  g_string_truncate (content, content->len - 1);
}

static void
lose_a_plane (GString *content)
{
  g_string_truncate (content, content->len - WIDTH * HEIGHT);
}

static void
gain_a_byte (GString *content)
{
  g_string_append_c (content, 0);
}

static void
be_of_another_version (GString *content)
{
  replace (content, "background 1", "background 2");
}

static void
claim_votes (GString *content)
{
  replace (content, "votes=0", "votes=1");
}

static void
claim_a_distance (GString *content)
{
  replace (content, "distance=0", "distance=3");
}

static void
lose_the_mode (GString *content)
{
  replace (content, "sigma-delta", "sigma-alpha");
}

static void
claim_no_frames (GString *content)
{
  replace (content, "frames=3", "frames=0");
}

static void
claim_too_many_pixels (GString *content)
{
  replace (content, "64 48", "65536 65536");
}

static void
claim_no_pixels (GString *content)
{
  replace (content, "64 48", "0 48");
}

static void
claim_half_a_value (GString *content)
{
  replace (content, "\n255\n", "\n127\n");
}

static void
claim_no_rows (GString *content)
{
  replace (content, "64 48", "64 0");
}

static void
claim_17_bits (GString *content)
{
  replace (content, "\n255\n", "\n131071\n");
}

static void
claim_a_far_frame (GString *content)
{
  replace (content, "distance=3", "distance=17");
}

static void
lose_a_number (GString *content)
{
  replace (content, "y=0\n", "y=\n");
}

static void
change_the_second_header (GString *content)
{
  gchar *const second = content->str + content->len - WIDTH * HEIGHT - 4;

  fail_unless (memcmp (second, "255\n", 4) == 0);
  second[0] = '1';
}

static const struct
{
  Damage damage;
  const gchar *words;
  gboolean is_difference; /* of that mode instead of sigma-delta */
} damages[] = {
  {empty, "not the file of a background"},
  {be_another_picture, "not the file of a background"},
  {lose_a_byte, "not complete"},
  {lose_a_plane, "not complete"},
  {gain_a_byte, "not complete"},
  {be_of_another_version, "another version"},
  {claim_votes, "not complete"},
  {claim_a_distance, "header is damaged"},
  {lose_the_mode, "header is damaged"},
  {claim_no_frames, "header is damaged"},
  {claim_too_many_pixels, "header is damaged"},
  {claim_no_pixels, "header is damaged"},
  {claim_half_a_value, "header is damaged"},
  {claim_no_rows, "header is damaged"},
  {claim_17_bits, "header is damaged"},
  {claim_a_far_frame, "header is damaged", TRUE},
  {claim_votes, "header is damaged", TRUE},
  {lose_a_number, "header is damaged"},
  {change_the_second_header, "not complete"},
};

/* One warning, a normal start, and the file is kept. */
TEST_LOOP (test_damaged, 0, G_N_ELEMENTS (damages))
{
  const gchar *properties =
      damages[__i__].is_difference ? "foreground=difference" : SIGMA;
  gchar *path = new_file (properties, GST_VIDEO_FORMAT_NV12), *content;
  GString *damaged;
  gsize length;
  Rig rig;

  fail_unless (g_file_get_contents (path, &content, &length, NULL));
  damaged = g_string_new_len (content, length);
  g_free (content);
  damages[__i__].damage (damaged);
  fail_unless (g_file_set_contents (path, damaged->str, damaged->len, NULL));

  rig = rig_new (SIGMA, GST_VIDEO_FORMAT_NV12, path);
  /* the harness of cca gets its bus after the first start */
  count_warning_messages (rig.bus, "");
  restart (&rig);
  assert_equals_int (count_warning_messages (rig.bus, damages[__i__].words), 1);
  skip (&rig, 0, 2);
  assert_equals_uint64 (background_frames (&rig), 1);
  assert_equals_int (emit (&rig, "load-background", path), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, damages[__i__].words), 1);
  gst_element_set_state (rig.h->element, GST_STATE_READY);
  fail_unless (g_file_get_contents (path, &content, &length, NULL));
  fail_unless (
      length == damaged->len && memcmp (content, damaged->str, length) == 0);
  g_free (content);
  g_string_free (damaged, TRUE);
  rig_clear (&rig);
  free_path (path);
}

/* No sample of 10 bits has that value. */
TEST (test_value_of_more_bits)
{
  gchar *path = new_file (SIGMA, GST_VIDEO_FORMAT_P010_10LE), *content;
  gsize length;
  Rig rig;

  fail_unless (g_file_get_contents (path, &content, &length, NULL));
  content[length - 2] = 4;
  fail_unless (g_file_set_contents (path, content, length, NULL));
  g_free (content);
  rig = rig_new (SIGMA, GST_VIDEO_FORMAT_P010_10LE, path);
  skip (&rig, 0, 1);
  assert_equals_int (count_warning_messages (rig.bus,
                         "a background of 10 bits"),
      1);
  assert_equals_uint64 (background_frames (&rig), 0);
  rig_clear (&rig);
  free_path (path);
}

/* Files that do not fit the element, and the words of the warning. */
static const struct
{
  const gchar *properties, *words;
  GstVideoFormat format;
  guint width, height, crop_x, crop_y;
} others[] = {
  {SIGMA, "needs 66x48 pixels", GST_VIDEO_FORMAT_NV12, 66, HEIGHT, 0, 0},
  {SIGMA, "needs 64x46 pixels", GST_VIDEO_FORMAT_NV12, WIDTH, 46, 0, 0},
  {SIGMA, "needs 32x32 pixels from (2, 0)", GST_VIDEO_FORMAT_NV12, WIDTH,
    HEIGHT, 2, 0},
  {SIGMA, "needs 32x32 pixels from (0, 4)", GST_VIDEO_FORMAT_NV12, WIDTH,
    HEIGHT, 0, 4},
  {SIGMA, "with 10 bits", GST_VIDEO_FORMAT_P010_10LE, WIDTH, HEIGHT, 0, 0},
  {SIGMA "absorb-after=9", "sigma-delta and absorb-after:",
    GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, 0, 0},
  {"foreground=difference", "for difference and frame-distance=3:",
    GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, 0, 0},
};

/* One warning and a normal start. The new background replaces the old one. */
TEST_LOOP (test_other_video, 0, G_N_ELEMENTS (others))
{
  gchar *path = new_file (SIGMA, GST_VIDEO_FORMAT_NV12), *before, *after;
  Rig rig = rig_new (others[__i__].properties, others[__i__].format, path);

  g_file_get_contents (path, &before, NULL, NULL);
  rig.width = others[__i__].width;
  rig.height = others[__i__].height;
  rig.crop_x = others[__i__].crop_x;
  rig.crop_y = others[__i__].crop_y;
  gst_harness_set_src_caps (rig.h,
      at->caps (rig.format, rig.width, rig.height));
  skip (&rig, 0, 2);
  assert_equals_int (count_warning_messages (rig.bus, others[__i__].words), 1);
  assert_equals_uint64 (background_frames (&rig), 1);
  gst_element_set_state (rig.h->element, GST_STATE_READY);
  g_file_get_contents (path, &after, NULL, NULL);
  fail_unless (g_strcmp0 (before, after) != 0);
  g_free (before);
  g_free (after);
  rig_clear (&rig);
  free_path (path);
}

TEST (test_other_distance)
{
  gchar *path = new_file ("foreground=difference frame-distance=2",
      GST_VIDEO_FORMAT_NV12);
  Rig rig = rig_new ("foreground=difference", GST_VIDEO_FORMAT_NV12, path);

  skip (&rig, 0, 1);
  assert_equals_int (count_warning_messages (rig.bus, "frame-distance=2, and"),
      1);
  assert_equals_uint64 (background_frames (&rig), 0);
  rig_clear (&rig);
  free_path (path);
}

/* The same size elsewhere in the frame is another background, too. */
TEST_LOOP (test_position, 0, 2)
{
  gchar *path = new_path ();
  Rig rig = rig_new (SIGMA, GST_VIDEO_FORMAT_NV12, path);
  guint *position = __i__ ? &rig.crop_y : &rig.crop_x;

  *position = 4;
  skip (&rig, 0, 3);
  restart (&rig);
  skip (&rig, 3, 4);
  assert_equals_uint64 (background_frames (&rig), 3);
  restart (&rig);
  *position = 6;
  skip (&rig, 4, 5);
  assert_equals_uint64 (background_frames (&rig), 0);
  assert_equals_int (count_warning_messages (rig.bus,
                         __i__ ? "from (0, 4)" : "from (4, 0)"),
      1);
  rig_clear (&rig);
  free_path (path);
}

TEST (test_failures)
{
  static const gchar *const signals[] = {"save-background", "load-background"};
  gchar *path = new_path ();
  gchar *folder = g_path_get_dirname (path);
  gchar *nowhere = g_build_filename (folder, "none", "b.pgm", NULL);
  gchar *below = g_build_filename (path, "b.pgm", NULL);
  Rig rig = rig_new (SIGMA, GST_VIDEO_FORMAT_NV12, NULL);
  guint i;

  assert_equals_int (emit (&rig, "save-background", path), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "there is none"), 1);
  skip (&rig, 0, 1);
  assert_equals_int (emit (&rig, "save-background", nowhere), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "cannot be saved"), 1);
  assert_equals_int (emit (&rig, "load-background", path), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "save one first"), 1);
  assert_equals_int (emit (&rig, "load-background", folder), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "not a regular file"), 1);
  fail_unless (g_file_set_contents (path, "", 0, NULL));
  assert_equals_int (emit (&rig, "load-background", below), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "cannot be used"), 1);
  skip (&rig, 1, 2);
  assert_equals_uint64 (background_frames (&rig), 1);
  gst_element_set_state (rig.h->element, GST_STATE_NULL);
  assert_equals_int (emit (&rig, "save-background", path), FALSE);
  assert_equals_int (count_warning_messages (rig.bus, "there is none"), 1);
  for (i = 0; i < G_N_ELEMENTS (signals); i++) {
    g_test_expect_message ("GStreamer-cca", G_LOG_LEVEL_CRITICAL,
        "*assertion*failed*");
    assert_equals_int (emit (&rig, signals[i], NULL), FALSE);
    g_test_assert_expected_messages ();
  }
  g_free (below);
  g_free (nowhere);
  g_free (folder);
  rig_clear (&rig);
  free_path (path);
}

/* --- threads -------------------------------------------------------------- */

typedef struct
{
  Rig *rig;
  gchar *path;
  gint ends, n_saved;
} Saver;

static gpointer
save_and_load (gpointer data)
{
  Saver *saver = data;

  while (!g_atomic_int_get (&saver->ends)) {
    fail_unless (emit (saver->rig, "save-background", saver->path));
    fail_unless (emit (saver->rig, "load-background", saver->path));
    g_atomic_int_inc (&saver->n_saved);
  }
  return NULL;
}

/* Each file is whole, whatever the frames do meanwhile. */
TEST_LOOP (test_threads, 0, 2)
{
  Rig rig = rig_new (__i__ ? SIGMA "absorb-after=5 async-depth=2" : SIGMA,
      GST_VIDEO_FORMAT_NV12, NULL);
  Saver saver = {&rig, new_path (), 0, 0};
  GThread *thread;
  guint t = 1;

  skip (&rig, 0, 1);
  thread = g_thread_new ("saver", save_and_load, &saver);
  do
    skip (&rig, t, t + 1);
  while (++t < at->n_frames () || g_atomic_int_get (&saver.n_saved) < 3);
  g_atomic_int_set (&saver.ends, 1);
  g_thread_join (thread);
  assert_equals_int (count_warning_messages (rig.bus, ""), 0);
  rig_clear (&rig);
  free_path (saver.path);
}
