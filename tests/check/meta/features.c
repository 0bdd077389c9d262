/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The features of components in a meta, and the measures that they give. */

#include <math.h>

#include "metatest.h"

#define MAX_SIDE 24

/* --- pictures ------------------------------------------------------------- */

/* Pixels of a component, and their values. */
typedef struct
{
  guint width, height;
  gboolean in[MAX_SIDE][MAX_SIDE];
  guint v[MAX_SIDE][MAX_SIDE];
} Mask;

static gboolean
has (const Mask *m, gint x, gint y)
{
  return x >= 0 && y >= 0 && x < (gint) m->width && y < (gint) m->height
      && m->in[y][x];
}

/* Sums over the pixels of a mask whose corner is at x0, y0 of the picture, by a
 * plain loop. */
static void
measure (const Mask *m, guint x0, guint y0, GstCcaComponent *c,
    GstCcaFeatures *f)
{
  guint64 sum_x = 0, sum_y = 0;
  gint x, y;

  *f = (GstCcaFeatures) {.v_min = G_MAXUINT};
  *c = (GstCcaComponent) {.id = 1,
    .x = x0,
    .y = y0,
    .width = m->width,
    .height = m->height,
    .track_id = -1};
  for (y = -1; y < (gint) m->height; y++) {
    for (x = -1; x < (gint) m->width; x++) {
      const guint64 at_x = x0 + x, at_y = y0 + y;
      const guint n = has (m, x, y) + has (m, x + 1, y) + has (m, x, y + 1)
          + has (m, x + 1, y + 1);
      guint v;

      f->q4 += n == 4;
      f->w1 += n > 0;
      if (!has (m, x, y))
        continue;
      v = m->v[y][x];
      c->area++;
      sum_x += at_x;
      sum_y += at_y;
      f->e4 += has (m, x + 1, y) + has (m, x, y + 1);
      f->xx += at_x * at_x;
      f->xy += at_x * at_y;
      f->yy += at_y * at_y;
      f->v += v;
      f->vv += (guint64) v * v;
      f->vx += v * at_x;
      f->vy += v * at_y;
      f->v_min = MIN (f->v_min, v);
      f->v_max = MAX (f->v_max, v);
    }
  }
  c->centroid_x = (gdouble) sum_x / (gdouble) c->area;
  c->centroid_y = (gdouble) sum_y / (gdouble) c->area;
}

static Mask
rectangle (guint width, guint height)
{
  Mask m = {.width = width, .height = height};
  guint x, y;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++) {
      m.in[y][x] = TRUE;
      m.v[y][x] = x + y;
    }

  return m;
}

/* At least one pixel. */
static Mask
noise (GRand *rand)
{
  Mask m = {.width = 1 + g_rand_int (rand) % MAX_SIDE,
    .height = 1 + g_rand_int (rand) % MAX_SIDE};
  guint x, y;

  for (y = 0; y < m.height; y++)
    for (x = 0; x < m.width; x++) {
      m.in[y][x] = g_rand_int (rand) % 3 > 0;
      m.v[y][x] = g_rand_int (rand) % 65536;
    }
  m.in[0][0] = TRUE;

  return m;
}

/* Pixels within 1.5 of a line through the middle. */
static Mask
bar (gdouble degrees)
{
  Mask m = {.width = MAX_SIDE, .height = MAX_SIDE};
  const gdouble a = degrees * G_PI / 180;
  guint x, y;

  for (y = 0; y < MAX_SIDE; y++)
    for (x = 0; x < MAX_SIDE; x++)
      m.in[y][x] = fabs ((x - 11.5) * cos (a) - (y - 11.5) * sin (a)) < 1.5;

  return m;
}

#define assert_near(a, b) \
  G_STMT_START \
  { \
    const gdouble _a = (a), _b = (b); \
    fail_unless (fabs (_a - _b) <= 1e-12 * MAX (1, fabs (_b)), \
        #a ": %.17g, " #b ": %.17g", _a, _b); \
  } \
  G_STMT_END

/* --- measures ------------------------------------------------------------- */

/* By the definitions, with differences from the mean. */
TEST (test_moments)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint i, x, y;

  for (i = 0; i < 300; i++) {
    const Mask m = noise (rand);
    gdouble xx = 0, xy = 0, yy = 0, got_xx, got_xy, got_yy, w, h;
    GstCcaComponent c;
    GstCcaFeatures f;

    measure (&m, 0, 0, &c, &f);
    for (y = 0; y < m.height; y++)
      for (x = 0; x < m.width; x++)
        if (m.in[y][x]) {
          const gdouble dx = x - c.centroid_x, dy = y - c.centroid_y;

          xx += dx * dx;
          xy += dx * dy;
          yy += dy * dy;
        }
    gst_cca_features_get_central_moments (&f, &c, &got_xx, &got_xy, &got_yy);
    assert_near (got_xx, xx);
    assert_near (got_xy, xy);
    assert_near (got_yy, yy);
    gst_cca_features_get_widths (&f, &c, &w, &h);
    assert_near (w, 4 * sqrt (xx / c.area));
    assert_near (h, 4 * sqrt (yy / c.area));
    assert_near (gst_cca_component_get_extent (&c),
        (gdouble) c.area / (m.width * m.height));
  }
  g_rand_free (rand);
}

/* The ellipse has the moments: its axes are the eigenvalues of the covariance
 * matrix, and its major axis an eigenvector. */
TEST (test_ellipse)
{
  GRand *rand = g_rand_new_with_seed (2);
  guint i;

  for (i = 0; i < 300; i++) {
    const Mask m = i < 180 ? bar (i) : noise (rand);
    gdouble xx, xy, yy, major, minor, angle, x, y, l1, l2;
    GstCcaComponent c;
    GstCcaFeatures f;

    measure (&m, 3, 5, &c, &f);
    gst_cca_features_get_central_moments (&f, &c, &xx, &xy, &yy);
    gst_cca_features_get_axes (&f, &c, &major, &minor);
    angle = gst_cca_features_get_orientation (&f, &c);
    fail_unless (angle >= -G_PI / 2 && angle <= G_PI / 2);
    fail_unless (major >= minor && minor >= 0);
    x = sin (angle);
    y = cos (angle);
    l1 = major * major / 16;
    l2 = minor * minor / 16;
    assert_near (l1 + l2, (xx + yy) / c.area);
    assert_near (l1 * l2 * c.area * c.area, xx * yy - xy * xy);
    assert_near ((xx * x + xy * y) / c.area, l1 * x);
    assert_near ((xy * x + yy * y) / c.area, l1 * y);
    assert_near (gst_cca_features_get_eccentricity (&f, &c),
        l1 > 0 ? sqrt (1 - l2 / l1) : 0);
    if (i < 180) { /* bars lean as they were drawn, with y downwards */
      const gdouble lean = fabs (angle * 180 / G_PI - i);

      fail_unless (MIN (lean, 180 - lean) < 4, "%f at %u", angle, i);
    }
  }
  g_rand_free (rand);
}

TEST (test_special_ellipses)
{
  static const struct
  {
    guint width, height;
    gdouble angle;
  } cases[] = {{1, 1, -G_PI_4}, {7, 7, -G_PI_4}, {20, 1, G_PI_2}, {1, 20, 0},
    {24, 2, G_PI_2}, {3, 4, 0}};
  gdouble major, minor;
  GstCcaComponent c;
  GstCcaFeatures f;
  Mask m = {.width = 5, .height = 5};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint w = cases[i].width, h = cases[i].height;
    const guint longer = MAX (w, h), shorter = MIN (w, h);

    m = rectangle (w, h);
    measure (&m, 100, 7, &c, &f);
    gst_cca_features_get_axes (&f, &c, &major, &minor);
    assert_near (major, 4 * sqrt ((longer * longer - 1) / 12.));
    assert_near (minor, 4 * sqrt ((shorter * shorter - 1) / 12.));
    assert_near (gst_cca_features_get_orientation (&f, &c), cases[i].angle);
  }
  assert_near (gst_cca_component_get_extent (&c), 1);

  /* both diagonals: one axis is 0 exactly */
  for (i = 0; i < 2; i++) {
    guint k;

    m = (Mask) {.width = 5, .height = 5};
    for (k = 0; k < 5; k++)
      m.in[k][i == 0 ? k : 4 - k] = TRUE;
    measure (&m, 0, 0, &c, &f);
    gst_cca_features_get_axes (&f, &c, &major, &minor);
    assert_near (gst_cca_features_get_orientation (&f, &c),
        i == 0 ? G_PI_4 : -G_PI_4);
    fail_unless (minor == 0);
    fail_unless (gst_cca_features_get_eccentricity (&f, &c) == 1);
  }
}

/* Nothing is lost in the farthest corner of the largest picture: the measures
 * are the same, bit for bit. */
TEST (test_far_away)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint i;

  for (i = 0; i < 300; i++) {
    const Mask m = noise (rand);
    GstCcaComponent near, far;
    GstCcaFeatures f, g;
    gdouble a[3], b[3];

    measure (&m, 0, 0, &near, &f);
    measure (&m, 65535 - m.width, 65535 - m.height, &far, &g);
    gst_cca_features_get_central_moments (&f, &near, &a[0], &a[1], &a[2]);
    gst_cca_features_get_central_moments (&g, &far, &b[0], &b[1], &b[2]);
    fail_unless (memcmp (a, b, sizeof (a)) == 0);
    fail_unless (gst_cca_features_get_orientation (&f, &near)
        == gst_cca_features_get_orientation (&g, &far));
    fail_unless (gst_cca_features_get_standard_deviation (&f, &near)
        == gst_cca_features_get_standard_deviation (&g, &far));
  }
  g_rand_free (rand);
}

/* The sums of the largest pictures need all 128 bits of a product: full
 * rectangles, by the formulas for sums of squares. */
TEST_LOOP (test_largest, 0, 8)
{
  const guint64 w = 65535, h = 32768 - __i__;
  const guint64 sx = w * (w - 1) / 2, sy = h * (h - 1) / 2;
  const GstCcaComponent c = {.width = w,
    .height = h,
    .area = w * h,
    .centroid_x = (w - 1) / 2.,
    .centroid_y = (h - 1) / 2.};
  const GstCcaFeatures f = {.xx = (w - 1) * w * (2 * w - 1) / 6 * h,
    .xy = sx * sy,
    .yy = (h - 1) * h * (2 * h - 1) / 6 * w,
    .v = w * h * 65535,
    .vv = w * h * 65535 * 65535};
  gdouble xx, xy, yy;

  gst_cca_features_get_central_moments (&f, &c, &xx, &xy, &yy);
  fail_unless (xy == 0);
  assert_near (xx / c.area, (w * w - 1) / 12.);
  assert_near (yy / c.area, (h * h - 1) / 12.);
  fail_unless (gst_cca_features_get_mean (&f, &c) == 65535);
  fail_unless (gst_cca_features_get_standard_deviation (&f, &c) == 0);
}

TEST (test_intensity)
{
  GRand *rand = g_rand_new_with_seed (4);
  GstCcaComponent c;
  GstCcaFeatures f;
  gdouble x, y;
  guint i, k;

  for (i = 0; i < 300; i++) {
    const Mask m = noise (rand);
    gdouble v = 0, vx = 0, vy = 0, squares = 0;

    measure (&m, 40, 50, &c, &f);
    for (k = 0; k < MAX_SIDE * MAX_SIDE; k++)
      if (m.in[k / MAX_SIDE][k % MAX_SIDE]) {
        v += m.v[k / MAX_SIDE][k % MAX_SIDE];
        vx += m.v[k / MAX_SIDE][k % MAX_SIDE] * (40. + k % MAX_SIDE);
        vy += m.v[k / MAX_SIDE][k % MAX_SIDE] * (50. + k / MAX_SIDE);
      }
    assert_near (gst_cca_features_get_mean (&f, &c), v / c.area);
    for (k = 0; k < MAX_SIDE * MAX_SIDE; k++)
      if (m.in[k / MAX_SIDE][k % MAX_SIDE])
        squares += pow (m.v[k / MAX_SIDE][k % MAX_SIDE] - v / c.area, 2);
    assert_near (gst_cca_features_get_standard_deviation (&f, &c),
        sqrt (squares / c.area));
    gst_cca_features_get_weighted_centroid (&f, &x, &y);
    assert_near (x, vx / v);
    assert_near (y, vy / v);
  }
  g_rand_free (rand);

  f.v = f.vx = f.vy = 0;
  gst_cca_features_get_weighted_centroid (&f, &x, &y);
  fail_unless (isnan (x) && isnan (y));
}

/* Connected sets of pixels that are in the mask, or that are not, in a picture
 * with a border of one pixel around the mask. */
static guint
count_sets (const Mask *m, gboolean in, guint connectivity)
{
  gboolean seen[MAX_SIDE + 2][MAX_SIDE + 2] = {{FALSE}};
  gint stack[(MAX_SIDE + 2) * (MAX_SIDE + 2)][2];
  guint n = 0;
  gint x, y, dx, dy;

  for (y = -1; y <= (gint) m->height; y++)
    for (x = -1; x <= (gint) m->width; x++) {
      guint left = 1;

      if (seen[y + 1][x + 1] || has (m, x, y) != in)
        continue;
      n++;
      seen[y + 1][x + 1] = TRUE;
      stack[0][0] = x;
      stack[0][1] = y;
      while (left-- > 0) {
        const gint at_x = stack[left][0], at_y = stack[left][1];

        for (dy = -1; dy <= 1; dy++)
          for (dx = -1; dx <= 1; dx++) {
            const gint u = at_x + dx, v = at_y + dy;

            if ((connectivity == 4 && dx != 0 && dy != 0) || u < -1 || v < -1
                || u > (gint) m->width || v > (gint) m->height
                || seen[v + 1][u + 1] || has (m, u, v) != in)
              continue;
            seen[v + 1][u + 1] = TRUE;
            stack[left][0] = u;
            stack[left++][1] = v;
          }
      }
    }

  return n;
}

/* The Euler number is the number of connected sets minus that of their holes,
 * which flood fills count. All masks of 4 x 3 pixels, and larger ones. */
TEST (test_euler_number)
{
  GRand *rand = g_rand_new_with_seed (5);
  guint i, k;

  for (i = 1; i < 4096 + 100; i++) {
    Mask m = i < 4096 ? (Mask) {.width = 4, .height = 3} : noise (rand);
    gint64 edges = 0;
    GstCcaComponent c;
    GstCcaFeatures f;

    for (k = 0; k < 12 && i < 4096; k++)
      m.in[k / 4][k % 4] = i >> k & 1;
    measure (&m, 0, 0, &c, &f);
    for (k = 4; k <= 8; k += 4) {
      const gint64 sets = count_sets (&m, TRUE, k);
      const gint64 holes = count_sets (&m, FALSE, 12 - k) - 1;

      fail_unless (gst_cca_features_get_euler_number (&f, &c, k)
              == sets - holes,
          "mask %u, connectivity %u", i, k);
      fail_unless (
          gst_cca_features_get_n_holes (&f, &c, k) == 1 - (sets - holes));
    }
    for (k = 0; k < m.width * m.height; k++) {
      const gint x = k % m.width, y = k / m.width;

      if (has (&m, x, y))
        edges += !has (&m, x - 1, y) + !has (&m, x + 1, y) + !has (&m, x, y - 1)
            + !has (&m, x, y + 1);
    }
    assert_equals_uint64 (gst_cca_features_get_edge_length (&f, &c), edges);
  }
  g_rand_free (rand);
}

/* Records of an application may have any values. */
TEST (test_lies)
{
  static const gdouble lies[] = {NAN, INFINITY, -INFINITY, 1e300, -1, 0};
  const GstCcaComponent two_pixels = {.area = 2};
  GstCcaFeatures f;
  gdouble a, b, d;
  guint i;

  memset (&f, 0xff, sizeof (f));
  for (i = 0; i < G_N_ELEMENTS (lies); i++) {
    const GstCcaComponent c = {.centroid_x = lies[i],
      .centroid_y = lies[i],
      .area = i % 2 ? G_MAXUINT64 : i};

    gst_cca_features_get_central_moments (&f, &c, &a, &b, &d);
    gst_cca_features_get_orientation (&f, &c);
    gst_cca_features_get_axes (&f, &c, &a, &b);
    gst_cca_features_get_eccentricity (&f, &c);
    gst_cca_features_get_widths (&f, &c, &a, &b);
    gst_cca_features_get_mean (&f, &c);
    fail_if (gst_cca_features_get_standard_deviation (&f, &c) < 0);
    gst_cca_features_get_euler_number (&f, &c, 8);
    gst_cca_features_get_edge_length (&f, &c);
  }

  /* a covariance that is larger than the variances */
  f = (GstCcaFeatures) {.xx = 2, .xy = 100, .yy = 2};
  gst_cca_features_get_axes (&f, &two_pixels, &a, &b);
  fail_unless (a > 0 && b == 0);
  fail_unless (gst_cca_features_get_eccentricity (&f, &two_pixels) == 1);
}

/* --- metas ---------------------------------------------------------------- */

TEST (test_set_get)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 3, 5);
  const GstCcaFeatures *all;
  GstCcaFeatures *records = test_features (3), got = {.xx = 99};
  GBytes *bytes = g_bytes_new_static (records, 3 * sizeof (*records));
  const gint64 ids[] = {7, 8, 9};
  guint i, n = 12345;

  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 0);
  fail_unless (gst_cca_meta_get_features (meta, &n) == NULL && n == 0);
  fail_if (gst_cca_meta_get_component_features (meta, 0, &got));
  assert_equals_uint64 (got.xx, 99);

  gst_cca_meta_set_features (meta, 5, bytes);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 5);
  all = gst_cca_meta_get_features (meta, &n);
  fail_unless (all == records && n == 3);
  for (i = 0; i < 3; i++) {
    fail_unless (gst_cca_meta_get_component_features (meta, i, &got));
    fail_unless (memcmp (&got, &records[i], sizeof (got)) == 0);
  }
  fail_if (gst_cca_meta_get_component_features (meta, 3, &got));
  /* a tracker's ids leave them as they are */
  fail_unless (gst_cca_meta_set_track_ids (meta, ids, 3));
  fail_unless (gst_cca_meta_get_features (meta, &n) == records);

  /* the wrong number */
  EXPECT_CRITICAL (
      gst_cca_meta_set_features_from_records (meta, 7, records, 2));
  EXPECT_CRITICAL (gst_cca_meta_set_features (meta, 7, NULL));
  fail_unless (gst_cca_meta_get_features (meta, &n) == records);

  gst_cca_meta_set_features_from_records (meta, 7, records, 3);
  all = gst_cca_meta_get_features (meta, &n);
  fail_unless (all != records && memcmp (all, records, n * sizeof (*all)) == 0);
  gst_cca_meta_set_features (meta, GST_CCA_FEATURE_FLAG_NONE, bytes);
  fail_unless (gst_cca_meta_get_features (meta, &n) == NULL);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 0);
  g_bytes_unref (bytes);
  g_free (records);
  gst_buffer_unref (buffer);

  /* a frame without components says what was measured */
  buffer = gst_buffer_new ();
  meta = test_add_meta (buffer, 0, 0);
  gst_cca_meta_set_features_from_records (meta, 2, NULL, 0);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 2);
  fail_unless (gst_cca_meta_get_features (meta, &n) == NULL && n == 0);
  gst_buffer_unref (buffer);
}

/* Copies and scalers share the records. A new meta in a buffer of a pool has
 * none of the last one. */
TEST (test_copies)
{
  GstBuffer *buffer = gst_buffer_new (), *copy;
  GstCcaMeta *meta = test_add_meta (buffer, 3, 3);
  GstCcaFeatures *records = test_features (3);
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = {.in_info = &in, .out_info = &out};
  const GstCcaFeatures *all;
  guint n;

  gst_cca_meta_set_features_from_records (meta, 3, records, 3);
  all = gst_cca_meta_get_features (meta, &n);
  copy = gst_buffer_copy (buffer);
  meta = gst_buffer_get_cca_meta (copy);
  fail_unless (gst_cca_meta_get_features (meta, &n) == all && n == 3);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 3);
  gst_buffer_unref (buffer);

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, TEST_WIDTH, 480);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 320, 240);
  buffer = gst_buffer_new ();
  fail_unless (GST_CCA_META_INFO->transform_func (buffer, GST_META_CAST (meta),
      copy, gst_video_meta_transform_scale_get_quark (), &scale));
  meta = gst_buffer_get_cca_meta (buffer);
  fail_unless (gst_cca_meta_get_features (meta, &n) == all && n == 3);
  gst_buffer_unref (copy);

  GST_CCA_META_INFO->clear_func (buffer, GST_META_CAST (meta));
  fail_unless (gst_cca_meta_get_features (meta, &n) == NULL && n == 0);
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 0);
  gst_buffer_unref (buffer);
  g_free (records);
}

/* Measures of the moments with one pointer that is NULL. */
static void
wrong_moments (const GstCcaFeatures *f, const GstCcaComponent *c)
{
  gdouble a, b, d;

  EXPECT_CRITICAL (gst_cca_features_get_central_moments (f, c, &a, &b, &d));
  EXPECT_CRITICAL (gst_cca_features_get_orientation (f, c));
  EXPECT_CRITICAL (gst_cca_features_get_axes (f, c, &a, &b));
  EXPECT_CRITICAL (gst_cca_features_get_eccentricity (f, c));
  EXPECT_CRITICAL (gst_cca_features_get_widths (f, c, &a, &b));
}

/* The same of the others. */
static void
wrong_others (const GstCcaFeatures *f, const GstCcaComponent *c)
{
  EXPECT_CRITICAL (gst_cca_features_get_mean (f, c));
  EXPECT_CRITICAL (gst_cca_features_get_standard_deviation (f, c));
  EXPECT_CRITICAL (gst_cca_features_get_euler_number (f, c, 4));
  EXPECT_CRITICAL (gst_cca_features_get_edge_length (f, c));
}

TEST (test_wrong_arguments)
{
  const GstCcaFeatures f = {.xx = 1};
  const GstCcaComponent c = {.area = 1};
  GstBuffer *buffer = gst_buffer_new ();
  GstCcaMeta *meta = test_add_meta (buffer, 1, 1);
  guint8 bytes[sizeof (f) + 8] = {0};
  GBytes *odd = g_bytes_new_static (bytes + ((guintptr) bytes % 8 == 0 ? 1 : 0),
      sizeof (f));
  GstCcaFeatures *none = NULL;
  gdouble a, b;
  guint n;

  wrong_moments (&f, NULL);
  wrong_moments (NULL, &c);
  wrong_others (&f, NULL);
  wrong_others (NULL, &c);
  EXPECT_CRITICAL (gst_cca_features_get_central_moments (&f, &c, NULL, &a, &b));
  EXPECT_CRITICAL (gst_cca_features_get_central_moments (&f, &c, &a, NULL, &b));
  EXPECT_CRITICAL (gst_cca_features_get_central_moments (&f, &c, &a, &b, NULL));
  EXPECT_CRITICAL (gst_cca_features_get_axes (&f, &c, NULL, &b));
  EXPECT_CRITICAL (gst_cca_features_get_axes (&f, &c, &a, NULL));
  EXPECT_CRITICAL (gst_cca_features_get_widths (&f, &c, NULL, &b));
  EXPECT_CRITICAL (gst_cca_features_get_widths (&f, &c, &a, NULL));
  EXPECT_CRITICAL (gst_cca_features_get_weighted_centroid (NULL, &a, &b));
  EXPECT_CRITICAL (gst_cca_features_get_weighted_centroid (&f, NULL, &b));
  EXPECT_CRITICAL (gst_cca_features_get_weighted_centroid (&f, &a, NULL));
  EXPECT_CRITICAL (gst_cca_features_get_euler_number (&f, &c, 6));
  EXPECT_CRITICAL (gst_cca_component_get_extent (NULL));
  EXPECT_CRITICAL (fail_if (gst_cca_features_copy (none)));

  EXPECT_CRITICAL (gst_cca_meta_set_features (NULL, 1, NULL));
  EXPECT_CRITICAL (gst_cca_meta_set_features (meta, 1, odd));
  EXPECT_CRITICAL (gst_cca_meta_set_features_from_records (meta, 1, NULL, 1));
  EXPECT_CRITICAL (gst_cca_meta_get_feature_flags (NULL));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_features (NULL, &n)));
  EXPECT_CRITICAL (fail_if (gst_cca_meta_get_features (meta, NULL)));
  EXPECT_CRITICAL (
      fail_if (gst_cca_meta_get_component_features (meta, 0, NULL)));
  EXPECT_CRITICAL (fail_if (gst_cca_query_source_name (NULL)));
  assert_equals_int (gst_cca_meta_get_feature_flags (meta), 0);
  g_bytes_unref (odd);
  gst_buffer_unref (buffer);
}

TEST (test_boxed)
{
  GstCcaFeatures *f = gst_cca_features_new (), *copy;
  GFlagsClass *klass = g_type_class_ref (GST_TYPE_CCA_FEATURE_FLAGS);

  assert_equals_uint64 (f->xx, 0);
  assert_equals_uint64 (f->w1, 0);
  f->v_max_y = 77;
  copy = g_boxed_copy (GST_TYPE_CCA_FEATURES, f);
  assert_equals_int (copy->v_max_y, 77);
  g_boxed_free (GST_TYPE_CCA_FEATURES, copy);
  gst_cca_features_free (f);
  gst_cca_features_free (NULL);
  assert_equals_string (g_flags_get_first_value (klass, 2)->value_nick,
      "intensity");
  assert_equals_int (klass->mask, 7);
  g_type_class_unref (klass);
}

SUITE ("features");
