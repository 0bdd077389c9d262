/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_TABLE_H__
#define __GST_CCA_TRACK_TABLE_H__

#include <glib.h>

G_BEGIN_DECLS

/* Grows a table to at least n elements of a size in bytes. Tables never
 * shrink, so only a frame with more elements than all frames before it
 * allocates. Returns FALSE and keeps the table unchanged if memory runs out. */
gboolean gst_cca_table_reserve (gpointer table, gsize * capacity, gsize n,
    gsize size);

/* Calls gst_cca_table_reserve() for a table of any type and its capacity. */
#define GST_CCA_TABLE_RESERVE(table, capacity, n) \
    gst_cca_table_reserve (&(table), &(capacity), n, sizeof (*(table)))

/* A sort key and the index of the element that it belongs to. */
typedef struct {
  gint64 key;
  guint index;
} GstCcaKey;

/* Sorts by ascending key, then by ascending index. Does not allocate memory. */
void gst_cca_keys_sort (GstCcaKey * keys, guint n);

G_END_DECLS

#endif /* __GST_CCA_TRACK_TABLE_H__ */
