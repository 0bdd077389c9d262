/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "trails.h"

void
gst_cca_trails_init (GstCcaTrails * trails)
{
  trails->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
      g_free);
  g_queue_init (&trails->by_age);
}

void
gst_cca_trails_forget (GstCcaTrails * trails)
{
  /* the links are in what the table frees */
  g_queue_init (&trails->by_age);
  g_hash_table_remove_all (trails->by_id);
}

void
gst_cca_trails_clear (GstCcaTrails * trails)
{
  g_clear_pointer (&trails->by_id, g_hash_table_unref);
}

static GstCcaTrail *
start_trail (GstCcaTrails * trails, gint64 id)
{
  GstCcaTrail *trail;

  if (g_hash_table_size (trails->by_id) == GST_CCA_MAX_TRAILS) {
    trail = g_queue_pop_head_link (&trails->by_age)->data;
    g_hash_table_steal (trails->by_id, &trail->id);
  } else {
    trail = g_new (GstCcaTrail, 1);
  }
  *trail = (GstCcaTrail) {.id = id,.link.data = trail };
  g_hash_table_insert (trails->by_id, &trail->id, trail);
  return trail;
}

const GstCcaTrail *
gst_cca_trails_add (GstCcaTrails * trails, gint64 id, gint32 x, gint32 y)
{
  GstCcaTrail *trail = g_hash_table_lookup (trails->by_id, &id);
  gint32 *point;

  if (trail != NULL)
    g_queue_unlink (&trails->by_age, &trail->link);
  else
    trail = start_trail (trails, id);
  g_queue_push_tail_link (&trails->by_age, &trail->link);

  if (trail->n == GST_CCA_TRAIL_LENGTH)
    trail->first = (trail->first + 1) % GST_CCA_TRAIL_LENGTH;
  else
    trail->n++;
  point = (gint32 *) gst_cca_trail_point (trail, trail->n - 1);
  point[0] = x;
  point[1] = y;
  return trail;
}
