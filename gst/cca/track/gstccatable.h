/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_TRACK_TABLE_H__
#define __GST_CCA_TRACK_TABLE_H__

#include <glib.h>

G_BEGIN_DECLS

/* Tables that grow with what frames have, and stay: no frame allocates that
 * has no more than one before. FALSE, with the table as it was: there is no
 * memory. */
gboolean gst_cca_table_reserve (gpointer table, gsize * capacity, gsize n,
    gsize size);

/* Calls it for a table of any type and its capacity. */
#define GST_CCA_TABLE_RESERVE(table, capacity, n) \
    gst_cca_table_reserve (&(table), &(capacity), n, sizeof (*(table)))

/* What to sort by, and what it belongs to. */
typedef struct {
  gint64 key;
  guint index;
} GstCcaKey;

/* In rising order of key, then of index; without memory of its own. */
void gst_cca_keys_sort (GstCcaKey * keys, guint n);

G_END_DECLS

#endif /* __GST_CCA_TRACK_TABLE_H__ */
