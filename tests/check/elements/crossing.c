/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Crossings of lines, and their directions. */

#include "../suite.h"
#include "gst/cca/track/gstccacrossing.h"

#define NONE 0
#define LEFT -1
#define RIGHT 1

static gint
find (const gint64 v[8])
{
  const GstCcaPosition line[] = {{v[0], v[1]}, {v[2], v[3]}};
  const GstCcaPosition from = {v[4], v[5]}, to = {v[6], v[7]};

  return gst_cca_crossing_count (line, 2, &from, &to);
}

/* The line, then the path; y points down. */
static const struct
{
  gint64 v[8];
  gint crossing;
} known[] = {
  /* looking to the right, the right is below */
  {{0, 0, 10, 0, 5, -5, 5, 5}, RIGHT},
  {{0, 0, 10, 0, 5, 5, 5, -5}, LEFT},
  {{10, 0, 0, 0, 5, -5, 5, 5}, LEFT},
  {{10, 0, 0, 0, 5, 5, 5, -5}, RIGHT},
  /* looking down, the right is left on the screen */
  {{0, 0, 0, 10, 5, 5, -5, 5}, RIGHT},
  {{0, 0, 0, 10, -5, 5, 5, 5}, LEFT},
  /* past it, at either end; over an end */
  {{0, 0, 10, 0, -1, -5, -1, 5}, NONE},
  {{0, 0, 10, 0, 11, -5, 11, 5}, NONE},
  {{0, 0, 10, 0, 0, -5, 0, 5}, RIGHT},
  {{0, 0, 10, 0, 10, -5, 10, 5}, RIGHT},
  {{0, 0, 10, 0, -5, -5, 5, 5}, RIGHT},
  {{0, 0, 10, 0, -6, -5, 5, 5}, NONE},
  /* not far enough, and as far as on the line, which is on its right */
  {{0, 0, 10, 0, 5, -5, 5, -1}, NONE},
  {{0, 0, 10, 0, 5, 5, 5, 1}, NONE},
  {{0, 0, 10, 0, 5, -5, 5, 0}, RIGHT},
  {{0, 0, 10, 0, 5, 5, 5, 0}, NONE},
  {{0, 0, 10, 0, 5, 0, 5, 5}, NONE},
  {{0, 0, 10, 0, 5, 0, 5, -5}, LEFT},
  {{10, 0, 0, 0, 5, -5, 5, 0}, NONE},
  {{10, 0, 0, 0, 5, 5, 5, 0}, RIGHT},
  /* on it, along it, still, and beyond its end */
  {{0, 0, 10, 0, 2, 0, 8, 0}, NONE},
  {{0, 0, 10, 0, -2, 0, 18, 0}, NONE},
  {{0, 0, 10, 0, 5, 0, 5, 0}, NONE},
  {{0, 0, 10, 0, 12, -1, 12, 0}, NONE},
  {{0, 0, 10, 0, 10, -1, 10, 0}, RIGHT},
  /* aslant */
  {{0, 0, 10, 10, 0, 10, 10, 0}, LEFT},
  {{0, 0, 10, 10, 10, 0, 0, 10}, RIGHT},
  {{0, 0, 10, 10, 12, 11, 11, 12}, NONE},
  {{0, 0, 10, 10, 11, 9, 9, 11}, RIGHT},
  /* 128 bits */
  {{0, 0, 1ll << 39, 0, 5, -(1ll << 25), 5, 1ll << 25}, RIGHT},
  {{-0x7fffffff00, -0x7fffffff00, 0x7fffffff00, 0x7fffffff00, 0x1ffffffffff,
     0x1fffffffffe, 0, 1},
    NONE},
  {{-0x7fffffff00, -0x7fffffff00, 0x7fffffff00, 0x7fffffff00, 0x1ffffffffff,
     0x1fffffffffe, -0x7fffffff00, -0x7fffffff00 + 1},
    NONE},
  {{-0x7fffffff00, -0x7fffffff00, 0x7fffffff00, 0x7fffffff00, 0x7fffffff00,
     0x7fffffff00 - 1, -0x7fffffff00, -0x7fffffff00 + 1},
    RIGHT},
};

TEST (test_known)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    fail_unless (find (known[i].v) == known[i].crossing, "case %u", i);
}

static gint64
coordinate (void)
{
  return g_random_int_range (-6, 7);
}

/* The same by the place where the two would meet, as a fraction of each, in
 * integers that are small enough. */
static gint
by_place (const gint64 v[8])
{
  const gint64 lx = v[2] - v[0], ly = v[3] - v[1];
  const gint64 wx = v[6] - v[4], wy = v[7] - v[5];
  const gint64 dx = v[4] - v[0], dy = v[5] - v[1];
  const gint64 before = lx * dy - ly * dx;
  const gint64 after = lx * (v[7] - v[1]) - ly * (v[6] - v[0]);
  const gint64 whole = wx * ly - wy * lx; /* parallel: 0 */
  const gint64 part = wx * dy - wy * dx;  /* of the line: -part / whole */

  if ((before < 0) == (after < 0) || whole == 0)
    return NONE;
  if (whole > 0 ? -part > 0 || -part < -whole : part > 0 || part < whole)
    return NONE;
  return after >= 0 ? RIGHT : LEFT;
}

/* Random lines and paths. A mirrored path crosses in the other direction, unless
 * an end is on the line. */
TEST (test_random)
{
  guint n[3] =
      {
        0,
      },
        i, j;

  for (i = 0; i < 200000; i++) {
    gint64 v[8], mirrored[8];
    gint crossing;

    for (j = 0; j < 8; j++)
      v[j] = coordinate ();
    if (v[0] == v[2] && v[1] == v[3])
      continue;
    crossing = find (v);
    n[crossing + 1]++;
    fail_unless (crossing == by_place (v), "%d %d %d %d, %d %d %d %d",
        (gint) v[0], (gint) v[1], (gint) v[2], (gint) v[3], (gint) v[4],
        (gint) v[5], (gint) v[6], (gint) v[7]);

    for (j = 0; j < 8; j++)
      mirrored[j] = j % 2 ? v[j] : -v[j];
    if ((v[2] - v[0]) * (v[5] - v[1]) != (v[3] - v[1]) * (v[4] - v[0])
        && (v[2] - v[0]) * (v[7] - v[1]) != (v[3] - v[1]) * (v[6] - v[0]))
      assert_equals_int (find (mirrored), -crossing);
  }
  fail_unless (n[0] > 1000 && n[1] > 1000 && n[2] > 1000);
}

/* --- lines with bends ----------------------------------------------------- */

#define MAX_RING 6

/* Winding number of a ring around a point that is moved to the right by a tiny
 * distance, and down by a still smaller one. */
static gint
winding (const GstCcaPosition *ring, guint n, const GstCcaPosition *p)
{
  const gint64 x = 1000000 * p->x + 1000, y = 1000000 * p->y + 1;
  gint total = 0;
  guint i;

  for (i = 0; i + 1 < n; i++) {
    const gint64 ax = 1000000 * ring[i].x, ay = 1000000 * ring[i].y;
    const gint64 bx = 1000000 * ring[i + 1].x, by = 1000000 * ring[i + 1].y;
    const gint64 side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);

    if ((ay <= y) != (by <= y))
      total += by > ay ? side > 0 : -(side < 0);
  }
  return total;
}

/* On a coarse grid paths meet bends and run along edges. The count at a closed
 * line still equals the change of the winding number. */
TEST (test_rings)
{
  guint n_crossings = 0, i, j;

  for (i = 0; i < 20000; i++) {
    GstCcaPosition ring[MAX_RING], p, q;
    const guint n = g_random_int_range (4, MAX_RING + 1);
    gboolean valid = TRUE;
    gint before, total = 0;

    for (j = 0; j < n; j++) {
      ring[j] =
          j + 1 < n ? (GstCcaPosition) {coordinate (), coordinate ()} : ring[0];
      valid &=
          j == 0 || ring[j].x != ring[j - 1].x || ring[j].y != ring[j - 1].y;
    }
    if (!valid)
      continue;
    p = (GstCcaPosition) {coordinate (), coordinate ()};
    before = winding (ring, n, &p);
    for (j = 0; j < 6; j++) {
      q = (GstCcaPosition) {coordinate (), coordinate ()};
      total += gst_cca_crossing_count (ring, n, &p, &q);
      assert_equals_int (total, winding (ring, n, &q) - before);
      n_crossings += total != 0;
      p = q;
    }
  }
  fail_unless (n_crossings > 10000);
}

/* --- core ----------------------------------------------------------------- */

/* A box, a margin in per cent and one in pixels, and the number of pixels by
 * which a line below, above, to the left and to the right may be away to be
 * touched. */
static const struct
{
  gint64 width, height;
  guint margin, margin_min;
  gdouble across, down;
} cores[] = {
  {40, 40, 20, 0, 4, 4},
  {40, 20, 20, 0, 4, 2},
  {40, 20, 20, 3, 4, 3},
  {1, 1, 1, 0, 0.005, 0.005},
  {1, 1, 0, 1000, 1000, 1000},
  {0, 10, 200, 0, 0, 10},
  {G_MAXUINT32, G_MAXUINT32, 200, 0, G_MAXUINT32, G_MAXUINT32},
};

static gboolean
touches (guint i, gint64 x1, gint64 y1, gint64 x2, gint64 y2)
{
  const GstCcaPosition line[] = {{x1, y1}, {x2, y2}}, anchor = {0, 0};
  const GstCcaBox box = {0, 0, cores[i].width, cores[i].height};

  return gst_cca_core_touches (line, 2, &anchor, &box, cores[i].margin,
      cores[i].margin_min);
}

TEST (test_core)
{
  const gint64 far = (gint64) 1 << 41;
  guint i;
  gint sign;

  for (i = 0; i < G_N_ELEMENTS (cores); i++) {
    const gint64 x = cores[i].across * 256, y = cores[i].down * 256;

    for (sign = -1; sign <= 1; sign += 2) {
      fail_unless (touches (i, sign * x, -far, sign * x, far), "core %u", i);
      fail_unless (touches (i, -far, sign * y, far, sign * y), "core %u", i);
      fail_unless (!touches (i, sign * (x + 1), -far, sign * (x + 1), far));
      fail_unless (!touches (i, -far, sign * (y + 1), far, sign * (y + 1)));
      /* beside the core */
      fail_unless (!touches (i, 0, sign * (y + 1), 0, sign * far));
      fail_unless (!touches (i, sign * (x + 1), 0, sign * far, 0));
      /* at its corner, aslant */
      fail_unless (touches (i, x - 1, sign * y, x + 1, sign * y));
      if (x > 0 && y > 0) {
        fail_unless (touches (i, x - 1, sign * (y + 1), x + 1, sign * (y - 1)));
        fail_unless (
            !touches (i, x - 1, sign * (y + 2), x + 2, sign * (y - 1)));
      }
    }
    fail_unless (touches (i, 0, 0, 1, 1));
  }
}

/* Nothing is touched by a core without extent. */
TEST (test_no_core)
{
  const GstCcaPosition line[] = {{-9, 0}, {9, 0}}, anchor = {0, 0};
  const GstCcaBox box = {0, 0, 40, 40}, none = {0, 0, 0, 0};

  fail_unless (!gst_cca_core_touches (line, 2, &anchor, &box, 0, 0));
  fail_unless (!gst_cca_core_touches (line, 2, &anchor, &none, 200, 0));
  fail_unless (gst_cca_core_touches (line, 2, &anchor, &none, 200, 1));
}

TEST (test_anchors)
{
  const GstCcaBox box = {G_MAXUINT32, 7, G_MAXUINT32, 4};
  const GstCcaPosition centroid = {1, 2};
  const gint64 x = 3 * (gint64) G_MAXUINT32 * 128;
  static const gint64 y[] = {9 * 256, 11 * 256, 7 * 256, 2};
  guint i;

  for (i = 0; i < G_N_ELEMENTS (y); i++) {
    const GstCcaPosition p = gst_cca_anchor_find (i, &box, &centroid);

    assert_equals_int64 (p.x, i == GST_CCA_ANCHOR_CENTROID ? 1 : x);
    assert_equals_int64 (p.y, y[i]);
  }
}

/* The same each time. */
static void
setup (void)
{
  g_random_set_seed (1);
}

/* --- polygons ------------------------------------------------------------- */

/* Vertices on the ray, in both directions; of the edges only the left ones are
 * inside. A square that is passed twice is outside. */
TEST (test_polygons)
{
  static const GstCcaPosition diamond[] = {{0, -10}, {10, 0}, {0, 10},
    {-10, 0}};
  static const GstCcaPosition twice[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0},
    {9, 0}, {9, 9}, {0, 9}};
  static const struct
  {
    GstCcaPosition p;
    gboolean inside;
  } points[] = {{{5, 0}, TRUE}, {{-10, 0}, TRUE}, {{-11, 0}, FALSE},
    {{9, 0}, TRUE}, {{10, 0}, FALSE}, {{0, -10}, FALSE}, {{0, 10}, FALSE},
    {{-5, 5}, TRUE}, {{-6, 5}, FALSE}, {{-5, -5}, TRUE}, {{-6, -5}, FALSE}};
  GstCcaPosition backwards[4];
  guint i;

  for (i = 0; i < 4; i++)
    backwards[i] = diamond[3 - i];
  for (i = 0; i < G_N_ELEMENTS (points); i++) {
    const GstCcaPosition *p = &points[i].p;

    fail_unless (gst_cca_polygon_contains (diamond, 4, p) == points[i].inside,
        "%u", i);
    fail_unless (gst_cca_polygon_contains (backwards, 4, p) == points[i].inside,
        "%u", i);
  }
  fail_unless (gst_cca_polygon_contains (twice, 4, &twice[0]));
  fail_if (gst_cca_polygon_contains (twice, 8, &(GstCcaPosition) {5, 5}));
}

SUITE ("crossing", .setup = setup);
