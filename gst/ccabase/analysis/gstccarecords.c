/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* The engine's records as those of the meta. There may be very many, and a GPU
 * has written them past the CPU's caches. */

#include "gstccarecords.h"

#include <string.h>

/* What both kinds of records begin with. */
#define COMMON_SIZE G_STRUCT_OFFSET (CcaComponent, area)

#define ASSERT_COMMON(ours, theirs) \
    G_STATIC_ASSERT (G_STRUCT_OFFSET (GstCcaComponent, ours) \
        == G_STRUCT_OFFSET (CcaComponent, theirs))
ASSERT_COMMON (id, id);
ASSERT_COMMON (x, x);
ASSERT_COMMON (y, y);
ASSERT_COMMON (width, width);
ASSERT_COMMON (height, height);
ASSERT_COMMON (flags, area);

/* Records that are fetched ahead: 8 kB, as the processor itself stops at the
 * end of a page. */
#define AHEAD 204

/* Both centroids, by one division: the same as cca_centroid_x and _y, bit for
 * bit, since no sum has more than 62 bits. */
typedef gdouble Pair __attribute__ ((vector_size (16)));

static Pair
centroid (const CcaComponent * c)
{
  const gdouble area = c->area;

  return (Pair) {(gint64) c->sum_x, (gint64) c->sum_y} / (Pair) {area, area};
}

void
gst_cca_records_convert (GstCcaComponent * to, const CcaComponent * from,
    guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    const Pair c = centroid (&from[i]);

    __builtin_prefetch (&from[MIN (i + AHEAD, n - 1)]);
    memcpy (&to[i], &from[i], COMMON_SIZE);
    to[i].flags = 0;
    to[i].area = from[i].area;
    to[i].centroid_x = c[0];
    to[i].centroid_y = c[1];
    to[i].track_id = -1;
    memset (to[i]._gst_reserved, 0, sizeof (to[i]._gst_reserved));
  }
}
