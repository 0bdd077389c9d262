/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-cudacca authors */

#ifndef __GST_CCA_RECORDS_H__
#define __GST_CCA_RECORDS_H__

#include <gst/gst.h>

G_BEGIN_DECLS

/* Blocks of memory for component records. A block comes back when the last
 * meta that shares it goes, from any thread and possibly after the element. */
typedef struct _GstCcaRecords GstCcaRecords;

GstCcaRecords *gst_cca_records_new (void);
void gst_cca_records_unref (GstCcaRecords * records);

/* The most bytes, as a power of two. */
#define GST_CCA_RECORDS_MAX_SHIFT 39

/* Room for size bytes, at least 1, which are not cleared; NULL if there is no
 * memory. *data is where to write until the bytes are shared. */
GBytes *gst_cca_records_acquire (GstCcaRecords * records, gsize size,
    gpointer * data);

G_END_DECLS

#endif /* __GST_CCA_RECORDS_H__ */
