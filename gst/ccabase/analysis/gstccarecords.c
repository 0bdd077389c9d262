/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

/* Converts the component records of the engine to those of the meta. A frame
 * can have very many, and records written by a GPU are not in the caches of the
 * CPU, so the loop prefetches them. */

#include "gstccarecords.h"

#include <string.h>

/* Size of the fields that both kinds of records begin with, in bytes. */
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

/* Prefetch distance: 204 records are about 8 kB. The processor's own prefetcher
 * stops at the end of a page. */
#define AHEAD 204

/* Both coordinates of a centroid, from one vector division. They equal
 * cca_centroid_x() and cca_centroid_y() bit for bit, because no sum has more
 * than 62 bits. */
typedef gdouble Pair __attribute__ ((vector_size (16)));

static Pair
centroid (const CcaComponent *c)
{
  const gdouble area = c->area;

  return (Pair) {(gint64) c->sum_x, (gint64) c->sum_y} / (Pair) {area, area};
}

void
gst_cca_records_convert (GstCcaComponent *to, const CcaComponent *from, guint n)
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
    to[i].zones = 0;
    to[i].group = 0;
    memset (to[i]._gst_reserved, 0, sizeof (to[i]._gst_reserved));
  }
}

G_STATIC_ASSERT (
    G_STRUCT_OFFSET (GstCcaFeatures, v) == G_STRUCT_OFFSET (CcaFeatures, v));
G_STATIC_ASSERT (G_STRUCT_OFFSET (GstCcaFeatures, v_max_y)
    == G_STRUCT_OFFSET (CcaFeatures, v_max_y));
G_STATIC_ASSERT (
    G_STRUCT_OFFSET (GstCcaFeatures, w1) == G_STRUCT_OFFSET (CcaFeatures, w1));

void
gst_cca_records_convert_features (GstCcaFeatures *to, const CcaFeatures *from,
    guint n)
{
  guint i;

  for (i = 0; i < n; i++) {
    memcpy (&to[i], &from[i], sizeof (from[i]));
    memset (to[i]._gst_reserved, 0, sizeof (to[i]._gst_reserved));
  }
}
