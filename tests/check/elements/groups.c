/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Groups of components that are near each other. */

#include "gst/ccabase/analysis/gstccagroups.h"

#include <string.h>

#include "util.h"

#define MAX_BOXES 60

/* Pixels between two intervals, or less than 0 if they overlap. */
static gint
gap (gint a, gint a_length, gint b, gint b_length)
{
  return MAX (a - (b + b_length), b - (a + a_length));
}

/* By the definition: each pair is looked at until no group changes. */
static void
form_plainly (GstCcaComponent *c, guint n, gint distance)
{
  gboolean changed = TRUE;
  guint i, j;

  for (i = 0; i < n; i++)
    c[i].group = c[i].id;
  while (changed) {
    changed = FALSE;
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        if (gap (c[i].x, c[i].width, c[j].x, c[j].width) < distance
            && gap (c[i].y, c[i].height, c[j].y, c[j].height) < distance
            && c[j].group < c[i].group) {
          c[i].group = c[j].group;
          changed = TRUE;
        }
  }
}

/* Boxes of many sizes, in raster order of their tops or in any order, with ids
 * that have gaps. */
TEST (test_definition)
{
  GRand *rand = g_rand_new_with_seed (1);
  GstCcaComponent c[MAX_BOXES], want[MAX_BOXES];
  GstCcaGroups groups = {NULL};
  guint n_groups[2] = {0, 0};
  guint i, k;

  for (i = 0; i < 3000; i++) {
    const guint width = 1 + g_rand_int (rand) % 200;
    const guint height = 1 + g_rand_int (rand) % 200;
    const guint n = g_rand_int (rand) % MAX_BOXES;
    const guint size = 1 + g_rand_int (rand) % 40;
    const guint distance =
        i % 5 == 0 ? GST_CCA_MAX_GROUP_DISTANCE : 1 + g_rand_int (rand) % 12;

    memset (c, 0, sizeof (c));
    for (k = 0; k < n; k++) {
      c[k].id = 1 + (i % 2 ? 2 * k : 3 * (n - k));
      c[k].x = g_rand_int (rand) % width;
      c[k].y = i % 3 ? g_rand_int (rand) % height : k * height / n;
      c[k].width = 1 + g_rand_int (rand) % MIN (size, width - c[k].x);
      c[k].height = 1 + g_rand_int (rand) % MIN (size, height - c[k].y);
    }
    memcpy (want, c, sizeof (c));
    form_plainly (want, n, distance);
    fail_unless (gst_cca_groups_form (&groups, c, n, width, height, distance));
    for (k = 0; k < n; k++) {
      assert_equals_int (c[k].group, want[k].group);
      n_groups[c[k].group == c[k].id]++;
    }
  }
  /* neither all alone nor all together */
  fail_unless (n_groups[0] > 10000 && n_groups[1] > 10000);
  gst_cca_groups_clear (&groups);
  fail_unless (groups.memory == NULL && groups.capacity == 0);
  g_rand_free (rand);
}

/* Squares of 4 x 4 pixels with 3 pixels between the first two, 5 to the third
 * one, and one below that is near by its column only. */
static guint
squares (guint x, guint y, guint seed)
{
  const gboolean row = y >= 10 && y < 14, below = y >= 24 && y < 28;

  return (row && ((x >= 10 && x < 14) || (x >= 17 && x < 21)))
          || (row && x >= 26 && x < 30) || (below && x >= 10 && x < 15)
      ? 255
      : 0;
}

static void
assert_groups (GstHarness *h, guint distance, guint a, guint b, guint c,
    guint d)
{
  const guint want[] = {a, b, c, d};
  Picture picture = picture_new (64, 48, squares, 0);
  const GstCcaComponent *components;
  GstBuffer *buffer;
  guint i, n;

  gst_harness_set (h, "cca", "group-distance", distance, NULL);
  buffer = gst_harness_push_and_pull (h,
      frame_new (GST_VIDEO_FORMAT_GRAY8, &picture, NULL));
  components =
      gst_cca_meta_get_components (gst_buffer_get_cca_meta (buffer), &n);
  assert_equals_int (n, 4);
  for (i = 0; i < n; i++)
    assert_equals_int (components[i].group, want[components[i].id - 1]);
  gst_buffer_unref (buffer);
  picture_clear (&picture);
}

/* It may change while the element runs. */
TEST_LOOP (test_element, 0, 2)
{
  static const gchar *const elements[] = {"cca", "cca order=area"};
  GstHarness *h =
      harness_new (elements[__i__], GST_VIDEO_FORMAT_GRAY8, 64, 48, NULL);

  assert_groups (h, 0, 0, 0, 0, 0);
  assert_groups (h, 1, 1, 2, 3, 4);
  assert_groups (h, 3, 1, 2, 3, 4);
  assert_groups (h, 4, 1, 1, 3, 4);
  assert_groups (h, 5, 1, 1, 3, 4);
  assert_groups (h, 6, 1, 1, 1, 4);
  assert_groups (h, 10, 1, 1, 1, 4);
  assert_groups (h, 11, 1, 1, 1, 1);
  assert_groups (h, GST_CCA_MAX_GROUP_DISTANCE, 1, 1, 1, 1);
  assert_groups (h, 0, 0, 0, 0, 0);
  gst_harness_teardown (h);
}

SUITE ("groups");
