/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The conversion of records, in all magnitudes that there are. */

#include "../suite.h"
#include "gst/ccabase/analysis/gstccarecords.h"

#define MAX_RECORDS 1000
#define UNTOUCHED 0xa5

/* The record of the largest component of that many bits. */
static CcaComponent
record (guint id, guint bits)
{
  const guint64 area = 1 + g_random_int () % (G_GUINT64_CONSTANT (1) << bits);
  const guint64 mask = (area << bits) - 1;
  guint64 sum_x = g_random_int (), sum_y = g_random_int ();

  sum_x = (sum_x << 32 | g_random_int ()) % (mask + 1);
  sum_y = (sum_y << 32 | g_random_int ()) % (mask + 1);
  return (CcaComponent) {
    .id = id,
    .x = g_random_int (),
    .y = g_random_int (),
    .width = g_random_int (),
    .height = g_random_int (),
    .area = (guint32) area,
    .sum_x = sum_x,
    .sum_y = sum_y,
  };
}

static void
assert_converted (const GstCcaComponent *c, const CcaComponent *from)
{
  fail_unless (c->id == from->id && c->x == from->x && c->y == from->y
      && c->width == from->width && c->height == from->height && c->flags == 0
      && c->area == from->area && c->track_id == -1 && c->zones == 0);
  fail_unless (c->_gst_reserved[0] == 0);
  fail_unless (c->centroid_x == cca_centroid_x (from)
          && c->centroid_y == cca_centroid_y (from),
      "%" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " / %u", from->sum_x,
      from->sum_y, from->area);
}

TEST (test_convert)
{
  static const guint numbers[] = {0, 1, 2, 3, 203, 204, 205, MAX_RECORDS};
  CcaComponent *from = g_new (CcaComponent, MAX_RECORDS);
  GstCcaComponent *to = g_new (GstCcaComponent, MAX_RECORDS + 1);
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const guint n = numbers[i];

    for (j = 0; j < n; j++)
      from[j] = record (j + 1, 1 + j % 31);
    memset (to, UNTOUCHED, (MAX_RECORDS + 1) * sizeof (*to));
    gst_cca_records_convert (to, from, n);
    for (j = 0; j < n; j++)
      assert_converted (&to[j], &from[j]);
    fail_unless (((guint8 *) &to[n])[0] == UNTOUCHED);
  }
  g_free (from);
  g_free (to);
}

/* Where doubles have no longer all integers, they are rounded as ever. */
TEST (test_rounding)
{
  const guint64 two = G_GUINT64_CONSTANT (1);
  const CcaComponent from[] = {
    {.id = 1, .area = 1, .sum_x = (two << 53) + 1, .sum_y = (two << 53) + 3},
    {.id = 2, .area = 3, .sum_x = (two << 61) + 257, .sum_y = (two << 62) - 1},
    {.id = 3, .area = G_MAXINT32, .sum_x = (two << 62) - 1, .sum_y = 0},
  };
  GstCcaComponent to[G_N_ELEMENTS (from)];
  guint i;

  gst_cca_records_convert (to, from, G_N_ELEMENTS (from));
  for (i = 0; i < G_N_ELEMENTS (from); i++)
    assert_converted (&to[i], &from[i]);
}

SUITE ("records");
