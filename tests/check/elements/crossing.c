/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Who crosses a line, and to which side. */

#include "gst/cca/track/gstccalines.h"

#include <gst/check/gstcheck.h>

#define NONE GST_CCA_CROSSING_NONE
#define LEFT GST_CCA_CROSSING_TO_LEFT
#define RIGHT GST_CCA_CROSSING_TO_RIGHT

static GstCcaCrossing
find (const gint64 v[8])
{
  const GstCcaPosition line[] = {{v[0], v[1]}, {v[2], v[3]}};
  const GstCcaPosition from = {v[4], v[5]}, to = {v[6], v[7]};

  return gst_cca_crossing_find (line, &from, &to);
}

/* The line, then the way; y points down. */
static const struct
{
  gint64 v[8];
  GstCcaCrossing crossing;
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
  /* on it, along it, still, and beside it where it would go on */
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

GST_START_TEST (test_known)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    fail_unless (find (known[i].v) == known[i].crossing, "case %u", i);
}

GST_END_TEST;

static gint64
coordinate (void)
{
  return g_random_int_range (-6, 7);
}

/* The same by the place where the two would meet, as a fraction of each, in
 * integers that are small enough. */
static GstCcaCrossing
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

/* And the same for one who looks at it in a mirror, but for what is on the
 * line. */
GST_START_TEST (test_random)
{
  guint n[3] =
      {
        0,
      },
        i, j;

  for (i = 0; i < 200000; i++) {
    gint64 v[8], mirrored[8];
    GstCcaCrossing crossing;

    for (j = 0; j < 8; j++)
      v[j] = coordinate ();
    if (v[0] == v[2] && v[1] == v[3])
      continue;
    crossing = find (v);
    n[crossing]++;
    fail_unless (crossing == by_place (v), "%d %d %d %d, %d %d %d %d",
        (gint) v[0], (gint) v[1], (gint) v[2], (gint) v[3], (gint) v[4],
        (gint) v[5], (gint) v[6], (gint) v[7]);

    for (j = 0; j < 8; j++)
      mirrored[j] = j % 2 ? v[j] : -v[j];
    if ((v[2] - v[0]) * (v[5] - v[1]) != (v[3] - v[1]) * (v[4] - v[0])
        && (v[2] - v[0]) * (v[7] - v[1]) != (v[3] - v[1]) * (v[6] - v[0]))
      assert_equals_int (find (mirrored),
          crossing == NONE       ? NONE
              : crossing == LEFT ? RIGHT
                                 : LEFT);
  }
  fail_unless (n[NONE] > 1000 && n[LEFT] > 1000 && n[RIGHT] > 1000);
}

GST_END_TEST;

/* The same each time. */
static void
setup (void)
{
  g_random_set_seed (1);
}

static Suite *
crossing_suite (void)
{
  Suite *s = suite_create ("crossing");
  TCase *tc = tcase_create ("general");

  tcase_add_checked_fixture (tc, setup, NULL);
  tcase_add_test (tc, test_known);
  tcase_add_test (tc, test_random);
  suite_add_tcase (s, tc);
  return s;
}

GST_CHECK_MAIN (crossing);
