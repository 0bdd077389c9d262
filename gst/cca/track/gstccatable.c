/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#include "gstccatable.h"

gboolean
gst_cca_table_reserve (gpointer table, gsize *capacity, gsize n, gsize size)
{
  gpointer *memory = table;
  gpointer larger;

  if (n <= *capacity)
    return TRUE;
  n = MAX (n, 2 * *capacity);
  larger = g_try_realloc_n (*memory, n, size);
  if (larger == NULL)
    return FALSE;
  *memory = larger;
  *capacity = n;
  return TRUE;
}

static gboolean
is_before (const GstCcaKey *a, const GstCcaKey *b)
{
  return a->key != b->key ? a->key < b->key : a->index < b->index;
}

/* Shellsort, which is fast for nearly sorted keys such as the components'
 * rows. */
void
gst_cca_keys_sort (GstCcaKey *keys, guint n)
{
  guint gap, i, j;

  for (gap = 1; gap < n / 3; gap = 3 * gap + 1)
    ;
  for (; gap > 0; gap /= 3) {
    for (i = gap; i < n; i++) {
      const GstCcaKey key = keys[i];

      for (j = i; j >= gap && is_before (&key, &keys[j - gap]); j -= gap)
        keys[j] = keys[j - gap];
      keys[j] = key;
    }
  }
}
