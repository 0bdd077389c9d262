/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __CCA_TRACK_ORACLE_H__
#define __CCA_TRACK_ORACLE_H__

#include <gst/ccameta/gstccameta.h>

/* The rule of ccatrack, written from docs/tracking.md: each step searches all
 * pairs for the best one. */

typedef struct
{
  guint min_hits, max_lost, min_overlap, max_distance, max_tracks;
} OracleRule;

typedef struct
{
  GArray *tracks;
  guint64 next_number, next_id;
  guint64 n_lost;               /* that had ids */
} Oracle;

Oracle *oracle_new (void);
void oracle_free (Oracle * self);

/* Sets the ids of all records. */
void oracle_frame (Oracle * self, const OracleRule * rule,
    const GstCcaComponent * records, guint n, gint64 * ids);

/* As with a frame of another size. */
void oracle_drop (Oracle * self);

guint oracle_n_confirmed (const Oracle * self);

#endif /* __CCA_TRACK_ORACLE_H__ */
